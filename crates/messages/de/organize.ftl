### Was beim Aufräumen von Dateien nicht geht, was ausgelassen wurde und warum.

organize-same-id = ein anderer Schritt hat dieselbe ID
organize-bad-path = { $path } ist kein brauchbarer Pfad: { $reason }
organize-outside-scope = { $path } liegt außerhalb der Ordner, um die es im Plan geht
organize-scope-itself = { $path } ist der Ordner, um den es im Plan geht; nur was darin ist, lässt sich ändern
organize-protected = { $path } ist geschützt: { $reason }
organize-missing = bei { $path } ist zu diesem Zeitpunkt nichts
organize-not-a-file = { $path } ist ein Link oder eine Spezialdatei; die bleiben unberührt
organize-copies-folder = { $path } ist ein Ordner; Ordner werden verschoben, Dateien kopiert
organize-not-a-folder = { $path } ist kein Ordner, also kann nichts darin sein
organize-into-itself = { $path } lässt sich nicht in sich selbst verschieben
organize-takes-project-apart = { $path } gehört zum Projekt { $project }, das nie auseinandergenommen wird
organize-folder-crosses = { $path } liegt auf einem anderen Gerät als sein Ziel; verschiebe statt des Ordners seine Dateien
organize-linked-crosses = { $path } hat weitere Namen (Hardlinks), die auf einem anderen Gerät verloren gingen; kopiere es stattdessen
organize-too-long = { $path } würde länger, als das System erlaubt
organize-operation = Schritt { $operation }: { $wrong }
organize-scope = es geht um { $folder }, das sich nicht benutzen lässt: { $reason }
organize-too-many = der Plan hat { $count } Schritte, mehr als { $most }; mach mehrere Pläne daraus
organize-cannot-be-done = { $count } Schritte gehen nicht; { $first }
organize-no-room = der Plan braucht { $needed } Bytes auf dem Gerät von { $folder }, das { $free } frei hat
organize-names-no-folder = es nennt keinen Ordner
organize-is-not-absolute = es ist kein absoluter Pfad
organize-real-path = sein wirklicher Pfad ist { $path }; nenne diesen
organize-is-not-a-folder = es ist kein Ordner
organize-is-under-version-control = es ist ein Projekt unter Versionsverwaltung oder liegt in dessen Verlauf; die bleiben ganz
organize-is-the-root = die Wurzel des Dateisystems ist zu viel
organize-is-empty = er ist leer
organize-holds-nul = er enthält ein NUL-Zeichen
organize-is-relative = er ist relativ, und im Plan geht es um mehrere Ordner
organize-leads-out = `..` führt hinaus
organize-names-a-drive = er nennt ein Laufwerk
organize-bad-new-name = ein neuer Name enthält keinen Ordner und ist nicht leer
organize-belongs-to-project = gehört zur Versionsverwaltung oder zu den Einstellungen eines Projekts
organize-is-in-trash = liegt im Papierkorb
organize-holds-trash = der Papierkorb liegt darin
organize-scope-gone = den Ordner { $folder } gibt es nicht mehr; es wurde nichts geändert. Bring ihn zurück, oder gib den Auftrag auf
organize-job-ended-before = der Auftrag endete vorher
organize-something-else-at = bei { $path } ist etwas anderes
organize-folder-of-gone = den Ordner von { $path } gibt es nicht mehr
organize-no-free-name = neben { $path } fand sich kein freier Name
organize-skipped-after-failure = ausgelassen, nachdem es fehlgeschlagen war: { $reason }
organize-came-or-went = seit der Prüfung kam etwas hinein oder ging etwas heraus
organize-gone = es ist nicht mehr da
organize-changed-since-check = es hat sich seit der Prüfung geändert
organize-changed-while-moved = es wurde beim Verschieben geändert
organize-changed-while-copied = es wurde beim Kopieren geändert
organize-folder-there-already = der Ordner ist schon da
organize-gone-already = es ist schon weg
organize-no-folder-any-more = es ist kein Ordner mehr
organize-holds-other-things = er enthält jetzt anderes und bleibt daher
organize-step-folder-crosses = { $path } liegt auf einem anderen Gerät als sein Ziel, und Ordner lassen sich dorthin nicht verschieben; verschiebe stattdessen seine Dateien
organize-step-linked-crosses = { $path } hat weitere Namen, die auf einem anderen Gerät verloren gingen; kopiere es stattdessen
organize-cannot-be-created = { $path } lässt sich nicht anlegen: Dort ist etwas, das kein Ordner ist
organize-source-changed = { $path } hat sich beim Kopieren geändert
organize-copy-differs = die Kopie von { $path } hat beim Zurücklesen einen anderen Inhalt; vielleicht ist der Datenträger defekt
organize-undo-gone = es ist nicht mehr dort, wo der Auftrag es abgelegt hat
organize-undo-changed = es hat sich seit dem Auftrag geändert
organize-undo-taken = an seinem früheren Platz ist etwas anderes
organize-undo-folder-gone = den Ordner, aus dem es kam, gibt es nicht mehr
organize-jobs-folder = der Ordner der Aufträge, { $folder }, ließ sich nicht benutzen: { $source }
organize-unknown-job = es gibt keinen Auftrag { $job }; `deputy jobs` listet sie auf
organize-overlap = der Auftrag { $other } arbeitet an { $folder } und ist nicht fertig; setze ihn fort oder nimm ihn zuerst zurück
organize-undone-already = der Auftrag { $job } wurde schon vom Auftrag { $by } zurückgenommen; nimm diesen zurück, um ihn wiederzuhaben
organize-job-busy = am Auftrag { $job } arbeitet ein anderer Prozess; warte auf ihn, oder halte ihn dort an
organize-journal-damaged = Zeile { $line } des Journals { $path } ist beschädigt; der Auftrag lässt sich nicht von selbst fortsetzen oder zurücknehmen. Sieh seine Dateien an, dann verschiebe das Journal, um seine Ordner freizugeben
organize-write-failed-before = das Schreiben darin war schon fehlgeschlagen
organize-cannot-scan = { $folder } ließ sich nicht scannen: { $source }; nenne einen Ordner, den es gibt und den du lesen darfst
organize-is-project = { $folder } ist ein Projekt unter Versionsverwaltung, das nie auseinandergenommen wird; nenne einen Ordner darüber
organize-too-many-files = die Ordner enthalten mehr als { $most } Dateien; nenne einen Teil davon
organize-scan-took-too-long = der Scan wurde nach { $minutes } Minuten angehalten; nenne einen kleineren Ordner
organize-scan-stopped = der Scan wurde angehalten
organize-unknown-operation = der Plan hat keinen Schritt { $operation }; seine Vorschau listet sie auf
organize-folder-is-a-link = ein Ordner darüber ist jetzt ein Link, und Links wird nicht gefolgt
organize-no-convention = { $text } ist keine Regel für Namen; schreib sie als Beispiel ihrer selbst, etwa lower-case, Title Case, UPPER_CASE oder yyyy-mm-dd_lower_case
organize-cannot-use = { $path } ließ sich nicht benutzen: { $source }
organize-cannot-open-the-folder-of = der Ordner von { $path } ließ sich nicht öffnen: { $source }
organize-cannot-find-the-folder-of = der Ordner von { $path } ließ sich nicht finden: { $source }
organize-cannot-look-at = { $path } ließ sich nicht ansehen: { $source }
organize-cannot-read = { $path } ließ sich nicht lesen: { $source }
organize-cannot-create = { $path } ließ sich nicht anlegen: { $source }
organize-cannot-remove = { $path } ließ sich nicht entfernen: { $source }
organize-cannot-move = { $path } ließ sich nicht verschieben: { $source }
organize-cannot-rename = { $path } ließ sich nicht umbenennen: { $source }
organize-cannot-list = { $path } ließ sich nicht auflisten: { $source }
organize-cannot-set-the-time-of = die Zeit von { $path } ließ sich nicht setzen: { $source }
organize-cannot-sync = die Änderungen in { $path } ließen sich nicht dauerhaft sichern: { $source }
organize-cannot-name = { $path } ließ sich nicht benennen: { $source }
organize-cannot-write = { $path } ließ sich nicht schreiben: { $source }
organize-journal-cannot-create = das Journal { $path } ließ sich nicht anlegen: { $source }
organize-journal-cannot-make-anew = das Journal { $path } ließ sich nicht neu anlegen: { $source }
organize-journal-cannot-make-durable = das Journal { $path } ließ sich nicht dauerhaft sichern: { $source }
organize-journal-cannot-wait-for = auf das Journal { $path } ließ sich nicht warten: { $source }
organize-journal-cannot-open = das Journal { $path } ließ sich nicht öffnen: { $source }
organize-journal-cannot-read = das Journal { $path } ließ sich nicht lesen: { $source }
organize-journal-cannot-repair = das Journal { $path } ließ sich nicht reparieren: { $source }
organize-journal-cannot-write = das Journal { $path } ließ sich nicht schreiben: { $source }
organize-cannot-sync-folder = der Ordner von { $path } ließ sich nicht dauerhaft sichern: { $source }
organize-cannot-sync-file = { $path } ließ sich nicht dauerhaft sichern: { $source }
organize-cannot-set-permissions = die Rechte von { $path } ließen sich nicht setzen: { $source }
organize-same-content-as = derselbe Inhalt wie { $path }
organize-project-whole = ein Projekt, als Ganzes verschoben
organize-named-by-convention = benannt nach der Regel
organize-unfinished-download = es ist noch nicht ganz heruntergeladen
organize-stays-with = es bleibt bei { $main }
organize-belongs-to = gehört zu { $main }
organize-busy = es ist offen oder wurde eben geändert
organize-unknown-kind = seine Art ist nicht bekannt
organize-dated = { $date }, laut { $source ->
    [camera] der Kamera
    [document] dem Dokument selbst
    [recording] der Aufnahme selbst
    [name] seinem Namen
   *[file] der letzten Änderung
 }
organize-screenshot = ein Bildschirmfoto
organize-taken-on = aufgenommen am { $date }
organize-alike-there = sagt ungefähr dasselbe wie das, was dort ist
organize-alike = sagt in etwa dasselbe wie { $others ->
    [one] eine andere
   *[other] { $others } andere
 }
organize-folder-used = { $path } wird genommen; der Name ist fast derselbe
organize-folder-becomes = aus dem Ordner { $wanted } wird { $free }
organize-name-becomes = aus dem Namen { $wanted } wird { $free }
organize-ending-dropped = der neue Name hat keine Endung { $ending }, Programme öffnen die Datei dann vielleicht nicht
organize-there-already = dort gibt es das schon
organize-name-fits-already = es hat schon den Namen, den jedes System annimmt
organize-plan = { $folders } aufräumen: { $what }
organize-moves = { $count } verschieben
organize-renames = { $count } umbenennen
organize-copies = { $count } kopieren
organize-trashes = { $count } in den Papierkorb legen
organize-new-folders = { $count ->
    [one] 1 neuer Ordner
   *[other] { $count } neue Ordner
 }
organize-unknown-draft = es gibt keinen Entwurf `{ $draft }`; scanne noch einmal und benutze die ID, die der Scan nennt
organize-cannot-use-draft = der Entwurf { $path } ließ sich nicht benutzen: { $source }
organize-unfinished = es wurde kein Entwurf gemacht, weil er nur einen Teil beträfe: { $reason }; nenne einen kleineren Ordner oder weniger Dateien
organize-draft-or-operations = nenne einen Entwurf oder Schritte, nicht beides
organize-no-operations = der Plan hat keine Schritte; wenn nichts zu tun ist, sag das und beende die Aufgabe
organize-expected-folder = es fehlt mindestens ein Ordner
organize-cannot-open = { $path } lässt sich nicht öffnen: { $error }
organize-look-through-here = Diesen Ordner scannen
organize-look-through = { $folders } scannen
organize-find-names-here = Herausfinden, wie Dateien in diesem Ordner heißen
organize-find-names = Herausfinden, wie Dateien in { $folders } heißen
organize-draft-here = Einen Plan für diesen Ordner entwerfen
organize-draft = Einen Plan für { $folders } entwerfen
organize-see-jobs = Nach den Aufträgen sehen
organize-broke-off = das Aufräumen ist fehlgeschlagen: { $error }
organize-single-files = diese Aufgabe ist auf einzelne Dateien beschränkt und kann keine ganzen Ordner scannen
organize-may-change-nothing = dieser Aufruf darf nichts ändern
organize-continue-job = Den Auftrag { $job } fortsetzen: { $done } von { $steps } Schritten sind erledigt
organize-take-back-job = Den Auftrag { $job } zurücknehmen, { $steps ->
    [one] 1 Schritt
   *[other] { $steps } Schritte
 }
organize-cannot-be-done-as = es wurde nichts geändert, weil dies nicht geht: { $problems }
organize-misnamed = Schritt { $operation } lässt eine Datei { $name } heißen; nach der Regel heißt sie { $wanted }
organize-names-against = es wurde nichts geändert, denn gewählt sind Namen wie { $pattern }: { $problems }
organize-and-more = und { $count } weitere
organize-operations = { $count ->
    [one] 1 Schritt
   *[other] { $count } Schritte
 }, { $size }
organize-left-alone = { $count } unberührt
organize-scanned = { $files ->
    [one] 1 Datei
   *[other] { $files } Dateien
 }, { $size }, { $surplus ->
    [one] 1 überzählige Kopie
   *[other] { $surplus } überzählige Kopien
 }
organize-drafted = { $count ->
    [one] 1 Schritt
   *[other] { $count } Schritte
 } im Plan
organize-more-than-fit = { $count } Schritte mehr, als ein Plan fasst
organize-hidden = { $count } verborgen oder geheim
organize-special = { $count } Links oder Spezialdateien
organize-unnamable = { $count } mit unlesbaren Namen
organize-unreadable = { $count } nicht lesbar
organize-suggestions = { $count ->
    [one] 1 Vorschlag
   *[other] { $count } Vorschläge
 }
organize-jobs = { $count ->
    [one] 1 Auftrag
   *[other] { $count } Aufträge
 }
organize-job-done = Auftrag { $job }: { $done } von { $steps } Schritten erledigt
organize-job-done-left-out = Auftrag { $job }: { $done } von { $steps } Schritten erledigt, { $left_out } ausgelassen
organize-denied-job = der Auftrag { $job } blieb, wie er war, weil abgelehnt wurde, was er tun würde: { $reason }
organize-in-the-way = etwas ist im Weg, daher wurde nichts geändert
organize-stopped = er wurde angehalten und lässt sich fortsetzen
organize-stopped-at = er blieb bei { $operation } stehen: { $reason }
organize-to-missing = Schritt { $operation }: `to` fehlt
organize-expected-change = es fehlt mindestens eine Änderung
organize-name-holds-folder = ein Name enthält keinen Ordner; der Ordner gehört in `to`
organize-no-folder-in-name = ein Name enthält keinen Ordner
organize-folder-missing = es fehlt: der Ordner
organize-plain-folder = ein neuer Ordner hat einen einfachen Namen ohne Felder
organize-template-missing = es fehlt: eine Vorlage, oder `old` und `new`
organize-files-missing = es fehlt: welche Dateien; oder `from` mit ihren Pfaden
organize-expected-regex = es fehlt ein regulärer Ausdruck: { $error }
organize-in-another-change = eine andere Änderung dieses Entwurfs betrifft es schon
organize-too-much-below = in dem Ordner ist zu viel
organize-name-no-text = sein Name ist nicht lesbar, deshalb kann ein Plan es nicht nennen
organize-no-name-left = von seinem Namen bliebe nichts übrig
organize-in-each-others-way = seine Schritte stehen einander im Weg
organize-no-camera = keine Kamera sagt, wann es aufgenommen wurde
organize-unknown-field = es gibt kein Feld { $field }; die Felder sind { $known }
organize-open-brace = `{ $text }` hat ein { $open } ohne sein { $close }
organize-unknown-date = sein Datum ist nicht bekannt
organize-unknown-time = seine Uhrzeit ist nicht bekannt
organize-by-everything = Lose Dateien kommen nach Art und Inhalt in Ordner; was schon sortiert ist, bleibt.
organize-by-kind = Lose Dateien kommen nach ihrer Art in Ordner.
organize-by-date = Lose Dateien kommen nach Jahr und Monat in Ordner.
organize-by-project = Lose Projekte kommen in einen gemeinsamen Ordner.
organize-by-content = Lose Dokumente kommen nach ihrem Inhalt in Ordner.
organize-by-duplicates = Überzählige Kopien kommen in den Papierkorb.
organize-by-names = Dateien werden einheitlich benannt; nichts wird verschoben.
organize-best-name-stays = Von Dateien mit gleichem Inhalt bleibt die mit dem besten Namen und dem ältesten Datum.
organize-names-look-like = Namen sehen aus wie { $pattern }.
organize-convention = { $case ->
    [lower] Wörter in Kleinschrift
    [title] Wörter mit großem Anfang
   *[upper] Wörter in Großbuchstaben
 }, mit { $separator ->
    [dash] Bindestrichen
    [underscore] Unterstrichen
   *[space] Leerzeichen
 } dazwischen
organize-date-first = { $convention }, das Datum zuerst
