### Was die Suche sagt: wonach sie suchen würde, was sie fand und was schiefging.

search-list-here = Diesen Ordner auflisten
search-list = { $path } auflisten
search-tree-here = Den Baum dieses Ordners zeigen
search-tree = Den Baum von { $path } zeigen
search-usage-here = Zusammenzählen, was dieser Ordner belegt
search-usage = Zusammenzählen, was { $path } belegt
search-find-here = Dateien in diesem Ordner finden
search-find = Dateien in { $path } finden
search-grep-here = Diesen Ordner nach { $pattern } durchsuchen
search-grep = { $path } nach { $pattern } durchsuchen
search-grep-output = Die Ausgabe von { $id } nach { $pattern } durchsuchen
search-count-here = Zeilen in diesem Ordner zählen
search-count = Zeilen in { $path } zählen
search-duplicates-here = Doppelte Dateien in diesem Ordner finden
search-duplicates = Doppelte Dateien in { $path } finden
search-info-here = Diesen Ordner ansehen
search-info = { $path } ansehen
search-compare-here = Diesen Ordner mit { $other } vergleichen
search-compare = { $path } mit { $other } vergleichen
search-broke-off = die Suche ist fehlgeschlagen: { $error }
search-took-too-long = angehalten nach { $time } ohne Ergebnis: Frage nach weniger oder mit einem einfacheren Muster
search-expected-glob = erwartet wird ein Muster: { $error }
search-expected-regex = erwartet wird ein regulärer Ausdruck in einer Zeile, oder `literal`: { $error }
search-expected-text = erwartet wird der Text, nach dem gesucht wird
search-outside-only = `hidden` und `no_ignore` gelten für die ganze Suche: gib sie außen an
search-too-deep = diese Bedingungen sind zu tief verschachtelt
search-no-moment = `{ $text }` ist kein Datum wie 2026-01-31 und keine Zeit wie 12h, 7d oder 2w
search-protected = geschützt: { $names }; wer eine davon liest, fragt erst
search-protected-and-more = geschützt: { $names } und { $more } weitere; wer eine davon liest, fragt erst
search-hidden-or-ignored = { $count } verborgen oder ausgelassen
search-closed = { $count } ausgelassen wegen deiner Regeln oder des Rahmens dieser Aufgabe
search-too-large = zu groß, nicht alles wurde angesehen
search-matches = { $matches ->
    [one] 1 Treffer
   *[other] { $matches } Treffer
 } in { $with_matches } von { $files ->
    [one] 1 Datei
   *[other] { $files } Dateien
 }
search-binary-passed-by = { $count ->
    [one] 1 Binärdatei
   *[other] { $count } Binärdateien
 } übergangen
search-line-too-long = { $count ->
    [one] 1 Datei
   *[other] { $count } Dateien
 } nur bis zu einer Zeile durchsucht, die länger ist als { $most }
search-wasted = { $groups ->
    [one] 1 Gruppe
   *[other] { $groups } Gruppen
 }, { $files ->
    [one] 1 Datei
   *[other] { $files } Dateien
 }, { $size } verschenkt
search-compared = { $only_here } nur in { $here }, { $only_there } nur in { $there }, { $different } verschieden, { $same } gleich
search-first-lines = { $lines ->
    [one] 1 Zeile, die erste
   *[other] { $lines } Zeilen, die ersten
 } von { $size }
search-last-lines = { $lines ->
    [one] 1 Zeile, die letzte
   *[other] { $lines } Zeilen, die letzten
 } von { $size }
search-is-binary = { $path } ist eine Binärdatei von { $size }
search-none-shown = keine von { $all } gezeigt
search-nothing-found = nichts gefunden
search-first-shown = { $to } von { $all } gezeigt
search-some-shown = { $from } bis { $to } von { $all } gezeigt
search-files-unread = { $count ->
    [one] nicht lesbar: { $files }
   *[other] { $count } Dateien nicht lesbar, darunter { $files }
 }
