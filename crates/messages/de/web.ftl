web-not-requested = { $url } wurde nicht abgerufen: { $why }
web-redirects-to = { $from } leitet weiter zu { $to }, das nicht abgerufen wurde: { $why }
web-too-many-redirects = { $url } wurde nach { $most } Weiterleitungen aufgegeben
web-unreachable = { $host } ist nicht erreichbar: { $why }
web-insecure = keine sichere Verbindung zu { $host }: { $why }
web-bad-answer = { $host } gab keine brauchbare Antwort: { $why }
web-too-slow = { $url } hat in { $secs } s nicht ganz geantwortet
web-no-address = zu seinem Namen gehört keine Adresse
web-no-authorities = das System hat keine Zertifizierungsstellen
web-no-port = es fehlt der Port
web-packed-otherwise = sie ist als `{ $packing }` gepackt, worum nicht gebeten wurde
web-not-unpacked = sie lässt sich nicht entpacken: { $error }
web-search-not-sent-on = eine Suche wird nicht weitergeleitet
web-own-servers-only = von hier sind nur Server erreichbar, die diese Aufgabe gestartet hat; andere Adressen öffnet ein eigener Aufruf
web-no-own-server = kein Prozess dieser Aufgabe wartet an Port { $port }
web-own-network-failed = das Netz der Aufgabe ließ sich nicht lesen: { $error }
web-nobody-allowed = niemand hat diese Adresse erlaubt; um sie zu bitten, wird das Werkzeug mit ihr aufgerufen
web-fetch = { $url } abrufen
web-fetch-site = { $url } abrufen (Website { $site })
web-expected-part = es muss eine Zahl ab 1 sein
web-fetched = { $url }: { $kind }, { $size }
web-fetched-text = { $url }: Text, { $size }
web-fetched-no-type = { $url }: ohne Typ, { $size }
web-longer-than-read = { $fetched }, länger als gelesen wird
web-with-status = { $fetched }, Status { $status }
web-part-of = { $fetched }, Teil { $part } von { $parts }
web-not-shown = { $fetched }; der Inhalt wird nicht gezeigt: { $why }
web-is-no-text = er ist kein Text
web-no-text-in-pdf = aus diesem PDF ist kein Text zu lesen
web-has-only = { $url } hat nur { $parts ->
    [one] 1 Teil
   *[other] { $parts } Teile
 }
web-search = Im Web nach „{ $query }“ suchen
web-search-with = Im Web nach „{ $query }“ suchen, mit { $label }
web-expected-words = es fehlen die Suchwörter
web-key-not-taken = er nimmt den Schlüssel nicht an
web-search-not-permitted = seine Einstellungen lassen diese Suche nicht zu
web-no-more-searches = er nimmt im Augenblick keine Suchen mehr an
web-gave-no-results = er hat nichts gefunden
web-answered-with-status = { $label } antwortete mit Status { $status }: { $why }
web-no-list-of-results = { $label } gab eine Antwort ohne Liste von Ergebnissen
web-results = { $count ->
    [one] 1 Ergebnis
   *[other] { $count } Ergebnisse
 } von { $label }
