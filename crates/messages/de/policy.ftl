### Warum ein Aufruf erlaubt, nachgefragt oder verboten wird.

policy-asked-each-time = Was es tut, wird jedes Mal gefragt, was Regeln und gemerkte Antworten auch sagen
policy-own-commands = Die eigenen Befehle der Aufgabe.
policy-memory-look = Nur Erinnerungen, die dieser Ordner bekommen darf.
policy-memory-keep-here = Es bleibt in diesem Ordner, als Notiz des Assistenten gekennzeichnet.
policy-memory-keep-everywhere = Spätere Aufgaben in jedem Ordner können diesen Text bekommen.
policy-memory-forget = Spätere Aufgaben bekommen diesen Text nicht mehr.
policy-no-walls = Dieser Rechner hat keine Wände für Befehle, daher wird jeder gefragt (siehe `deputy doctor`).
policy-says-nothing = Es sagt nicht, was es berühren würde.
policy-gains-rights = `{ $name }` verschafft sich Rechte über den ganzen Rechner.
policy-writes-raw-disk = Schreibt direkt auf den Datenträger { $disk }.
policy-deletes-everything = Löscht alles unterhalb von { $target }.
