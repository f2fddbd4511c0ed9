### Was von Archiven gesagt wird: was gepackt oder entpackt würde, was es wurde und warum nicht.

archive-list = Das Archiv { $path } auflisten
archive-pack = { $what } in { $to } packen
archive-unpack = { $path } nach { $to } entpacken
archive-expected-path = es fehlt mindestens ein Pfad
archive-expected-name = es fehlt ein Name, der auf .zip, .tar, .tar.gz oder .tgz endet
archive-unreadable = { $path } ist kein lesbares Archiv (.zip, .tar, .tar.gz, .tgz): { $source }
archive-refused = { $path } wurde nicht entpackt, nichts wurde geschrieben: { $reason }
archive-taken = { $path } gibt es schon; nichts wurde geändert, nenne einen anderen Namen
archive-not-packed = { $path } wurde nicht gepackt, nichts wurde geschrieben: { $reason }
archive-of-none = es beginnt nicht wie ein Archiv
archive-odd-name = sein Name enthält Zeichen, die kein Archiv braucht
archive-leads-out = es führt aus dem Ordner hinaus
archive-damaged = es ist beschädigt oder hat zu viele Einträge
archive-too-many-entries = es hat mehr als { $most } Einträge
archive-unnamable = ein Name darin ist nicht lesbar
archive-listed = { $files ->
    [one] 1 Datei
   *[other] { $files } Dateien
 }, { $folders } Ordner, entpackt { $size }
archive-packed = { $files ->
    [one] 1 Datei
   *[other] { $files } Dateien
 }, { $folders } Ordner ({ $size }) in { $to } gepackt ({ $packed })
archive-left-out = { $count } ausgelassen (Links, Verborgenes oder Geheimnisse)
archive-of-entry = { $name }: { $reason }
archive-too-many = es sind mehr als { $most } Einträge
archive-too-large = es ist größer als { $most }
archive-stopped = es wurde angehalten
archive-nothing-fits = nichts passt
archive-changed-while-packed = es änderte sich, während es gepackt wurde
archive-unpacked = { $files ->
    [one] 1 Datei
   *[other] { $files } Dateien
 }, { $folders } Ordner ({ $size }) nach { $to } entpackt
archive-written-before = { $error }; davor { $written ->
    [one] wurde 1
   *[other] wurden { $written }
 } von { $all ->
    [one] 1 Eintrag
   *[other] { $all } Einträgen
 } geschrieben
archive-link-or-special = es ist ein Link oder eine Spezialdatei
archive-something-there = dort ist schon etwas
archive-same-name = zwei Dateien darin haben diesen Namen
archive-unpacks-to-more = entpackt wäre es größer als { $most }
archive-changed-while-unpacked = es änderte sich, während es entpackt wurde
archive-not-read-again = es ließ sich kein zweites Mal zu Ende lesen
