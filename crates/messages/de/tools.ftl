### Was Werkzeuge sagen: was ein Aufruf täte, was daraus wurde und was schiefging.

tools-bytes = { $bytes ->
    [one] 1 Byte
   *[other] { $bytes } Bytes
 }
tools-kilobytes = { $whole },{ $tenth } KB
tools-megabytes = { $whole },{ $tenth } MB
tools-gigabytes = { $whole },{ $tenth } GB
tools-terabytes = { $whole },{ $tenth } TB
tools-petabytes = { $whole },{ $tenth } PB
tools-exabytes = { $whole },{ $tenth } EB
tools-nothing-changed = angehalten, bevor es getan war; es wurde nichts geändert
tools-unknown-function = es gibt keine Funktion `{ $name }`; es gibt: { $known }
tools-unknown-function-nearest = es gibt keine Funktion `{ $name }`. Ist { $nearest } gemeint?
tools-wrong-arguments = die Argumente von `{ $function }` passen nicht: { $problem }. Richtig ist: { $right }
tools-wrong-argument = das Argument `{ $path }` von `{ $function }` passt nicht: { $problem }. Richtig ist: { $right }
tools-no-such-parameter = einen solchen Parameter gibt es nicht
tools-parameter-is-missing = es fehlt
tools-unknown-group = es gibt keine Gruppe `{ $group }`; es gibt: { $known }
tools-open-group = Die Funktionen für { $group } öffnen
tools-opened-group = die Funktionen für { $group } sind offen
tools-wrong-parameters = die Parameter für `{ $tool }` passen nicht: { $problem }
tools-wrong-parameter = die Parameter für `{ $tool }` passen bei `{ $path }` nicht: { $problem }
tools-expected-object = erwartet werden Parameter als Objekt
tools-expected-text = erwartet wird ein Text
tools-no-action = sie fehlt; es gibt: { $known }
tools-unknown-action = es gibt keine Aktion `{ $action }`; es gibt: { $known }
tools-expected-path = erwartet wird ein Pfad
tools-not-a-path = `{ $path }` nennt keine Datei und keinen Ordner
tools-not-found = { $path } gibt es nicht
tools-not-found-but = { $path } gibt es nicht; { $twin } gibt es und unterscheidet sich nur in Groß- und Kleinschreibung oder in der Zusammensetzung von Akzenten
tools-not-found-near = { $path } gibt es nicht. Meintest du { $near }?
tools-leads-outside = { $path } führt aus den Ordnern hinaus, die diese Aufgabe ungefragt erreichen darf
tools-leads-outside-to = { $path } führt aus den Ordnern hinaus, die diese Aufgabe ungefragt erreichen darf; frag unter diesem Pfad nach { $real }
tools-through-link = { $path } führt über einen symbolischen Link, dem hier nicht gefolgt wird
tools-through-link-to = { $path } führt über einen symbolischen Link, dem hier nicht gefolgt wird; frag unter diesem Pfad nach { $real }
tools-denied-by-rule = { $path } ist gesperrt: { $rule }
tools-hidden = { $path } ist geschützt: Es enthält Geheimnisse, und diese Aktion öffnet es nicht. Lies diese Datei unter ihrem Pfad, um danach zu fragen
tools-no-names = erlaubt sind nur die Namen der Einstellungen in { $path }, und nicht jede Zeile ist NAME=Wert. Deshalb wird nichts davon gezeigt. Lies es noch einmal, um nach allem zu fragen
tools-out-of-scope = { $path } liegt außerhalb des Rahmens dieser Aufgabe: { $scope }
tools-frozen = { $path } ist vor Änderungen durch Werkzeuge geschützt; von Hand kannst du es ändern
tools-not-a-file = { $path } ist keine Datei, sondern { $kind ->
    [folder] ein Ordner
    [link] ein Link
    [pipe] eine Pipe
    [socket] ein Socket
    [device] ein Gerät
   *[other] etwas anderes
 }
tools-not-a-folder = { $path } ist kein Ordner, sondern { $kind ->
    [file] eine Datei
    [link] ein Link
    [pipe] eine Pipe
    [socket] ein Socket
    [device] ein Gerät
   *[other] etwas anderes
 }
tools-in-the-way = { $path } gibt es schon, als { $kind ->
    [file] Datei
    [folder] Ordner
    [link] Link
    [pipe] Pipe
    [socket] Socket
    [device] Gerät
   *[other] etwas anderes
 }; es wurde nichts geändert
tools-many-names = { $path } hat { $names } Namen (Hardlinks); Schreiben würde die anderen ändern oder abtrennen, daher wurde nichts geändert
tools-changed-meanwhile = { $path } wurde in diesem Augenblick von etwas anderem geändert; es wurde nichts geändert, sieh es noch einmal an
tools-too-large = { $path } hat { $size }, und dies geht mit Dateien bis { $most }
tools-cannot-read = { $path } ließ sich nicht lesen: { $source }
tools-cannot-write = { $path } ließ sich nicht schreiben: { $source }
tools-cannot-open = { $path } ließ sich nicht öffnen: { $source }
tools-cannot-open-folder = der Ordner { $path } ließ sich nicht öffnen: { $source }
tools-cannot-open-workspace = der Arbeitsordner { $path } ließ sich nicht öffnen: { $source }
tools-cannot-reach = { $path } ließ sich nicht erreichen: { $source }
tools-cannot-look-at = { $path } ließ sich nicht ansehen: { $source }
tools-cannot-find-real-path = der wirkliche Pfad von { $path } ließ sich nicht finden: { $source }
tools-cannot-keep-owner = der Besitzer von { $path } ließ sich nicht erhalten: { $source }
tools-cannot-replace = { $path } ließ sich nicht ersetzen: { $source }
tools-cannot-make-durable = { $path } ließ sich nicht dauerhaft sichern: { $source }
tools-cannot-create-folder = der Ordner { $path } ließ sich nicht anlegen: { $source }
tools-cannot-make-link = der Link { $path } ließ sich nicht anlegen: { $source }
tools-cannot-set-permissions = die Rechte von { $path } ließen sich nicht setzen: { $source }
tools-cannot-remove = { $path } ließ sich nicht entfernen: { $source }
tools-cannot-move = { $path } ließ sich nicht verschieben: { $source }
tools-cannot-remove-folder = der Ordner { $path } ließ sich nicht entfernen: { $source }
tools-is-secret = es ist ein Geheimnis
tools-other-name-of-secret = es ist ein anderer Name eines Geheimnisses
tools-no-regular-file-any-more = es ist keine gewöhnliche Datei mehr
tools-cannot-keep = { $path } ließ sich vor der Änderung nicht aufheben und blieb daher unberührt: { $reason }
tools-cannot-use-kept = der aufgehobene Inhalt { $digest } ließ sich nicht schreiben oder lesen: { $reason }
tools-read = { $path } lesen
tools-list = { $path } auflisten
tools-create-folder = Den Ordner { $path } anlegen
tools-write-new = { $path } schreiben ({ $size }, neue Datei)
tools-write-unchanged = { $path } schreiben ({ $size }, unverändert)
tools-write-replaces-file = { $path } schreiben ({ $size }, ersetzt die Datei)
tools-write-replaces = { $path } schreiben ({ $size }, ersetzt, was dort steht)
tools-patch = { $path } ändern ({ $places })
tools-patch-no-text = { $path } ändern (dort ist kein Text)
tools-patch-does-not-apply = { $path } ändern (passt nicht, es würde sich nichts ändern)
tools-place = 1 Stelle, Zeile { $line }
tools-places = { $count } Stellen, Zeilen { $lines }
tools-expected-old = es fehlt das Stück, das zu ersetzen ist; eine Datei legt `write_file` an
tools-same-as-old = es ist dasselbe wie `old_string`
tools-same-content = { $path } hat genau diesen Inhalt schon; es wurde nichts geändert
tools-wrote-new = { $path } geschrieben ({ $size }, neue Datei)
tools-wrote-replaced = { $path } geschrieben ({ $size }, ersetzt)
tools-folder-there = { $path } gibt es schon; es wurde nichts geändert
tools-created-folder = Ordner { $path } angelegt
tools-patched = { $path } geändert: { $places }
tools-old-absent = `old_string` kommt in { $path } nicht vor; es wurde nichts geändert
tools-old-absent-read-again = `old_string` kommt in { $path } nicht vor; es wurde nichts geändert. Lies die Datei noch einmal
tools-old-absent-near-miss = `old_string` kommt in { $path } nicht vor; es wurde nichts geändert. Mit anderen Leerzeichen steht es in Zeile { $line }: Kopiere es genau von dort
tools-old-has-line-numbers = `old_string` kommt in { $path } nicht vor; es wurde nichts geändert. Die Nummer und der Tabulator vor jeder Zeile gehören nicht zur Datei: Lass sie weg
tools-old-ambiguous = `old_string` kommt { $times } Mal in { $path } vor, in den Zeilen { $lines }; es wurde nichts geändert. Nenne mehr der Zeilen darum, oder setze replace_all
tools-not-text-to-patch = { $path } ist kein Text, oder die Kodierung ist nicht bekannt; es bleibt, wie es ist
tools-patch-unread = Zeile { $line } des Patches ist nicht zu verstehen: `{ $text }`; es wurde nichts geändert. Ein Patch beginnt mit `*** Begin Patch` und endet mit `*** End Patch`. Dazwischen beginnt jede Datei mit `*** Add File: PFAD`, `*** Update File: PFAD` (danach darf `*** Move to: PFAD` stehen) oder `*** Delete File: PFAD`; die Zeilen einer neuen Datei beginnen mit `+`, die eines geänderten Stücks mit einem Leerzeichen, `-` oder `+`, nach einer Zeile `@@`
tools-patch-names-twice = der Patch nennt eine Datei zweimal; es wurde nichts geändert. Schreib alle Änderungen einer Datei unter eine Zeile
tools-patch-part-absent = { $path } enthält die Zeilen nicht, die in Zeile { $line } des Patches beginnen; es wurde nichts geändert. Lies die Datei noch einmal und kopiere sie genau
tools-patch-part-ambiguous = { $path } enthält die Zeilen mehrmals, die in Zeile { $line } des Patches beginnen, in den Zeilen { $lines }; es wurde nichts geändert. Nenne mehr der Zeilen darum, oder nach `@@` eine Zeile darüber
tools-folder-not-empty = { $path } ist nicht leer und wurde nicht gelöscht; der Befehl `rm -r` löscht einen Ordner mit allem darin
tools-move-to = { $from } nach { $to } verschieben
tools-moved = { $from } nach { $to } verschoben
tools-delete = { $path } löschen
tools-deleted = { $path } gelöscht
tools-change-files = { $count ->
    [one] { $paths } ändern
   *[other] { $count } Dateien ändern: { $paths }
}
tools-changed-files = { $count ->
    [one] { $paths } geändert
   *[other] { $count } Dateien geändert: { $paths }
}
tools-may-only-read = { $path } wurde nicht geändert: Dieser Aufruf durfte nur lesen; noch einmal aufgerufen, wird neu entschieden
tools-changed-while-patched = { $path } hat sich währenddessen geändert; es wurde nichts geändert, lies es noch einmal
tools-encoding-lacks-character = { $path } ist als { $encoding } gespeichert und kennt das Zeichen `{ $character }` nicht; nichts wurde geändert. Schreib es ohne dieses Zeichen, oder wandle die Datei zuerst um: iconv -f { $encoding } -t UTF-8
tools-file-work-broke-off = die Arbeit an der Datei ist fehlgeschlagen: { $error }
tools-damaged-document = { $path } ist beschädigt oder abgeschnitten und lässt sich nicht als Dokument öffnen
tools-empty-file = { $path }: leere Datei
tools-lines-read = { $path }: Zeilen { $first }–{ $last } von { $total }, { $size }
tools-lines-read-of-many = { $path }: Zeilen { $first }–{ $last } von vielen, { $size }
tools-read-its-text = { $summary }, sein Text
tools-read-names-only = { $path }: Zeilen { $first }–{ $last } von { $total }, ohne die Werte: Erlaubt sind nur die Namen
tools-stored-as = { $summary }, gespeichert als { $encoding }
tools-read-lossy = { $summary }, kein UTF-8: einige Zeichen sind ersetzt
tools-read-picture = { $path }: { $kind }-Bild, { $width } x { $height } Pixel, { $size }
tools-read-binary = { $path }: { $kind ->
    [png] PNG-Bild
    [jpeg] JPEG-Bild
    [gif] GIF-Bild
    [riff] RIFF-Datei, etwa ein WebP-Bild oder ein Ton
    [pdf] PDF-Dokument
    [zip] ZIP-Archiv oder Office-Dokument
    [gzip] gzip-Archiv
    [program] Programm (ELF)
    [sqlite] SQLite-Datenbank
    [utf-16] Text in UTF-16
    [ogg] Ogg-Ton oder -Film
   *[other] Binärdatei
 }, { $size }
tools-has-only-lines = { $path } hat nur { $lines ->
    [one] 1 Zeile
   *[other] { $lines } Zeilen
 }
tools-beyond-scanned = { $path } hat { $size }; nur die ersten { $scanned }, { $lines } Zeilen, sind nach Zeilennummer lesbar. Nimm `grep` oder `tail_file`
tools-seconds = { $seconds ->
    [one] 1 Sekunde
   *[other] { $seconds } Sekunden
 }
tools-stopped-after = angehalten nach { $spent }, der Rest wurde nicht angesehen
tools-stopped-after-inside = angehalten nach { $spent } in { $file }, der Rest wurde nicht angesehen
tools-files = { $count ->
    [one] 1 Datei
   *[other] { $count } Dateien
 }
tools-folders = { $count ->
    [one] 1 Ordner
   *[other] { $count } Ordner
 }
tools-links = { $count ->
    [one] 1 Link
   *[other] { $count } Links
 }
tools-special-files = { $count ->
    [one] 1 Spezialdatei
   *[other] { $count } Spezialdateien
 }
tools-lines = { $count ->
    [one] 1 Zeile
   *[other] { $count } Zeilen
 }
tools-words = { $count ->
    [one] 1 Wort
   *[other] { $count } Wörter
 }
tools-could-not-be-read = { $count } nicht lesbar
tools-unreadable-table = { $path } lässt sich nicht als Tabelle lesen: { $reason }
tools-no-column = { $path } hat keine Spalte `{ $column }`; die Spalten sind: { $known }
tools-needs-column = `{ $of }` braucht eine Spalte
tools-too-many-rows = { $path } hat zu viele Zeilen; frage mit `where`, `limit` oder ohne `sort` nach weniger
tools-is-no-text = es ist kein Text
tools-line-too-long = eine Zeile ist zu lang für eine Tabelle
tools-row-too-long = Zeile { $row } ist zu lang, vielleicht wird ein Anführungszeichen nie geschlossen
tools-table-broke-off = das Lesen der Tabelle brach ab: { $error }
tools-selected = { $rows } von { $all ->
    [one] 1 Zeile
   *[other] { $all } Zeilen
 }, { $columns ->
    [one] 1 Spalte
   *[other] { $columns } Spalten
 }
tools-selected-of-fitting = { $rows } von { $all ->
    [one] 1 Zeile
   *[other] { $all } Zeilen
 }, { $fitting } passen, { $columns ->
    [one] 1 Spalte
   *[other] { $columns } Spalten
 }
tools-grouped = { $groups ->
    [one] 1 Gruppe
   *[other] { $groups } Gruppen
 } aus { $rows ->
    [one] 1 Zeile
   *[other] { $rows } Zeilen
 }
tools-no-numbers = { $cells ->
    [one] 1 Zelle übergangen, die keine Zahl enthält
   *[other] { $cells } Zellen übergangen, die keine Zahl enthalten
 }
tools-tags-not-set = die Tags von { $path } ließen sich nicht setzen: { $reason }; die von { $done ->
    [one] 1 Datei
   *[other] { $done } Dateien
 } davor sind gesetzt
tools-tags-scoped = diese Aufgabe darf nur Dateien mit bestimmten Tags anfassen und deshalb keine setzen; nichts wurde geändert
tools-expected-paths = erwartet werden 1 bis { $most } Pfade
tools-expected-tag = erwartet wird mindestens ein Tag
tools-expected-tags = erwartet werden Tags von 1 bis { $most } Zeichen ohne Komma
tools-add-tags = Die Tags { $added } geben: { $files }
tools-remove-tags = Die Tags { $removed } wegnehmen: { $files }
tools-change-tags = Die Tags { $added } geben und die Tags { $removed } wegnehmen: { $files }
tools-tags-broke-off = das Setzen der Tags brach ab: { $error }
tools-tags-changed = { $count ->
    [one] 1 Datei
   *[other] { $count } Dateien
 } geändert
tools-tags-too-long = zusammen haben sie mehr als { $most } Bytes
tools-disk-keeps-no-tags = der Datenträger merkt sich keine Tags
tools-no-memory-here = hier gibt es keine Erinnerungen
tools-unknown-memory = dieser Ordner kennt keine Erinnerung { $memory }; `memory_recall` und `memory_list` zeigen die Nummern
tools-different-memory = Erinnerung { $memory } lautet anders; gib ihren Text so an, wie `memory_recall` und `memory_list` ihn zeigen
tools-memory-failed = die Erinnerungen lassen sich nicht benutzen: { $reason }
tools-recall = In den Erinnerungen nachsehen: { $said }
tools-list-memories = Auflisten, was gemerkt ist
tools-read-earlier-task = Die frühere Aufgabe { $task } nachschlagen
tools-earlier-task = Was über die frühere Aufgabe { $task } bekannt ist:
tools-unknown-earlier-task = keine frühere, beendete Aufgabe dieses Ordners heißt { $task }
tools-remember-everywhere = Für alle Ordner merken: { $said }
tools-remember-here = Für diesen Ordner merken: { $said }
tools-remember-everywhere-about = Für alle Ordner merken, zu { $about }: { $said }
tools-remember-here-about = Für diesen Ordner merken, zu { $about }: { $said }
tools-forget = Erinnerung { $memory } vergessen: { $said }
tools-read-scratchpad = Den Notizblock lesen
tools-note = Notieren: { $said }
tools-nothing-known = Darüber ist nichts bekannt.
tools-nothing-remembered = Es ist nichts gemerkt.
tools-memories = { $count ->
    [one] 1 Erinnerung
   *[other] { $count } Erinnerungen
 }.
tools-expected-words = erwartet werden Wörter
tools-too-many-characters = es hat { $chars } Zeichen; höchstens { $most } sind erlaubt
tools-remembered-everywhere = Für alle Ordner gemerkt, als Erinnerung { $memory }.
tools-remembered-here = Für diesen Ordner gemerkt, als Erinnerung { $memory }.
tools-noted = Notiert.
tools-scratchpad-empty = Der Notizblock ist leer.
tools-scratchpad = Der Notizblock.
tools-forgot = Erinnerung { $memory } vergessen.
tools-no-skill-here = es gibt hier keinen Skill `{ $name }`
tools-get-skill = Den Skill { $name } holen
tools-skill = Skill { $name }
tools-todo = To-do-Liste: { $progress }
tools-too-many-steps = es sind { $steps } Schritte; höchstens { $most } sind erlaubt
tools-steps-done = { $done } von { $total } Schritten erledigt
tools-steps-done-now = { $done } von { $total } Schritten erledigt; jetzt: { $current }
tools-no-steps = keine Schritte
tools-expected-command = erwartet wird ein Befehl, er ist leer
tools-holds-nul = ein NUL-Zeichen lässt sich bash nicht übergeben
tools-expected-folder = erwartet wird ein Ordner; lass ihn weg für den Arbeitsordner
tools-no-folder = `{ $path }` ist kein Ordner
tools-folder-not-found = den Ordner `{ $path }` gibt es nicht; Pfade beginnen im Arbeitsordner
tools-expected-at-least-one = es muss mindestens 1 sein
tools-run = { $command } ausführen
tools-not-run-undecided = der Befehl lief nicht: Keine Entscheidung sagt, wie er laufen soll
tools-not-run = der Befehl lief nicht: { $error }
tools-secs = { $whole },{ $tenth } s
tools-exited = Exitcode { $code } nach { $took }
tools-out-of-memory = beendet nach { $took }: ein Prozess belegte mehr Speicher, als ein Befehl darf
tools-temporary-files-full = beendet nach { $took }: seine Dateien in `/tmp` belegten mehr Speicherplatz, als sie dürfen; lösche dort, was nicht mehr gebraucht wird
tools-signalled = durch Signal { $signal } beendet nach { $took }
tools-timed-out = nach der Zeitgrenze von { $secs } s beendet
tools-stopped-command = angehalten nach { $took }
tools-output-left-out = { $ended }, { $omitted } der Ausgabe weggelassen
tools-no-background-here = hier gibt es keine Hintergrundbefehle
tools-start-background = Im Hintergrund starten: { $command }
tools-read-output = Die Ausgabe von { $id } lesen
tools-stop-background = Den Hintergrundbefehl { $id } beenden
tools-list-background = Die Hintergrundbefehle auflisten
tools-not-started-undecided = der Befehl wurde nicht gestartet: Keine Entscheidung sagt, wie er laufen soll
tools-not-started = der Befehl wurde nicht gestartet: { $error }
tools-started-as = gestartet als { $id }
tools-of-command = { $id }: { $line }
tools-nothing-new = { $id }: { $standing }, nichts Neues
tools-new-output = { $id }: { $standing }, Bytes { $from } bis { $to } von { $written }
tools-background-commands = { $count ->
    [one] 1 Hintergrundbefehl
   *[other] { $count } Hintergrundbefehle
 }
tools-undo-already = ist schon wie zuvor
tools-undo-would-remove = würde entfernt
tools-undo-would-set-permissions = bekäme seine Rechte zurück
tools-undo-would-create = würde angelegt
tools-undo-would-bring-back = würde wiederhergestellt
tools-undo-would-put-back = bekäme seinen früheren Inhalt zurück
tools-undo-removed = entfernt
tools-undo-permissions-set = Rechte zurückgegeben
tools-undo-created = angelegt
tools-undo-brought-back = wiederhergestellt
tools-undo-put-back = hat seinen früheren Inhalt zurück
tools-redo-changed = wurde wieder geändert
tools-redo-created = wurde wieder angelegt
tools-redo-output = wurde nicht wieder angelegt: Es ist die Ausgabe eines Builds, die der nächste Build anlegt
tools-undo-changed-meanwhile = hat sich während des Zurücknehmens geändert und blieb unberührt
tools-undo-changed = hat sich seitdem geändert: { $now }
tools-undo-copy-lost = die aufbewahrte Kopie fehlt oder ist beschädigt, daher lässt sich die Datei nicht wiederherstellen
tools-undo-not-kept = von der früheren Datei gibt es keine Kopie, deshalb bleibt sie, wie sie ist
tools-undo-home-taken = bleibt, wo es ist: Es kam von { $home } und kann dorthin nicht zurück
tools-undo-folder-holds = hat sich seitdem geändert: Der Ordner enthält { $first }, das nicht von diesen Aufrufen stammt
tools-undo-output-changed = hat sich seitdem geändert: { $first } wurde von etwas anderem geändert oder dorthin verschoben. Der Ordner enthält die Ausgabe eines Builds; entferne ihn selbst, wenn du ihn nicht brauchst
tools-undo-cannot-list = der Ordner ließ sich nicht auflisten: { $error }
tools-undo-next-to-it = { $error }; was dort stand, liegt daneben in { $name }
tools-undo-not-next-to-it = { $error }; und daneben ließ es sich nicht ablegen: { $second }
tools-undo-pipe-there = dort ist jetzt eine Pipe
tools-undo-socket-there = dort ist jetzt ein Socket
tools-undo-device-there = dort ist jetzt ein Gerät
tools-undo-nothing-there = dort ist jetzt nichts
tools-undo-other-content = die Datei hat jetzt einen anderen Inhalt
tools-undo-folder-there = dort ist jetzt ein Ordner
tools-undo-link-there = dort ist jetzt ein Link
tools-undo-no-file-there = dort ist jetzt etwas, das keine Datei ist, oder der Weg dorthin führt über einen Link
tools-keeps-secrets = { $path } ist ein Ort für Geheimnisse
tools-is-link = ist ein Link
tools-holds-no-text = es enthält keinen Text
tools-not-what-it-says = es lässt sich nicht als das lesen, was sein Name sagt
tools-unknown-background = es gibt keinen Hintergrundbefehl `{ $asked }`; es gibt: { $known }
tools-no-background-yet = es gibt keinen Hintergrundbefehl `{ $asked }`; seit Deputy läuft, wurde keiner gestartet
tools-too-many-background = { $running } Hintergrundbefehle dieser Aufgabe laufen schon, so viele, wie `limits.background_commands` erlaubt; beende erst einen
tools-background-did-not-start = es startete nicht: { $error }
tools-background-ended = beendet, { $line }
tools-background-running = läuft seit { $secs } s
tools-background-all-kept = beendet, alles ist aufgehoben
tools-background-cut = beendet, { $omitted ->
    [one] 1 Byte
   *[other] { $omitted } Bytes
 } danach sind nicht aufgehoben
tools-background-gone = er endete, während er beendet wurde
tools-background-restarted = endete, als Deputy neu gestartet wurde
tools-expected-parts = es sind { $parts } Aufgaben; erwartet werden 1 bis { $most }
tools-expected-goal = erwartet werden 1 bis { $most } Bytes
tools-expected-paths-to-read = erwartet wird mindestens ein Pfad; ohne die Angabe gilt alles, was diese Aufgabe lesen darf
tools-hand-over = Teilaufgabe starten: { $goal }
tools-hand-over-parts = { $parts } Teilaufgaben starten
tools-subtasks-done = { $done } von { $total } Teilaufgaben erledigt
tools-nothing-handed-over-here = hier lassen sich keine Teilaufgaben starten
tools-picture = { $name }: { $kind }-Bild, { $width } x { $height } Pixel
tools-content-not-shown = { $summary }; der Inhalt wird nicht gezeigt
tools-secret-not-copied = ein Geheimnis, das nicht aufgehoben wird
tools-name-not-utf-8 = sein Name ist kein gültiges UTF-8
tools-no-file-at-all = keine Datei
tools-link-not-utf-8 = ein Link, der kein gültiges UTF-8 ist
tools-not-readable = nicht lesbar
tools-larger-than-kept = größer als aufgehoben wird
tools-beyond-number-kept = mehr Dateien, als aufgehoben werden
tools-beyond-size-kept = mehr Bytes, als aufgehoben werden
tools-left-of-undo = { $name } ({ $size }): { $why }
tools-not-looked-into = { $folder }/: nicht angesehen
