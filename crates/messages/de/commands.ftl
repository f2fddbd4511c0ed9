### What the tables of commands in `crates/policy/data` say about a command.

## Programs for binary files

commands-lists-symbols = listet Symbole auf
commands-shows-sections-symbols = zeigt Abschnitte, Symbole und Befehle
commands-shows-headers-program = zeigt die Köpfe eines Programms
commands-shows-sizes-sections = zeigt die Größen der Abschnitte
commands-names-lines-addresses = nennt die Zeilen zu Adressen
commands-makes-names-symbols = macht Namen von Symbolen lesbar
commands-lists-archive = listet ein Archiv auf
commands-lists-archive-prints = listet ein Archiv auf oder gibt aus, was darin ist

## What commands that are not known to be harmless may do

commands-asks-service-manager = Fragt die Diensteverwaltung, über einen Socket, den die Sandbox sperrt.
commands-reads-machines-logs = Liest die Protokolle des Rechners, die sagen, was andere Programme und Menschen taten.
commands-asks-kernel-about = Fragt den Kernel über das Netz, durch einen Socket, den die Sandbox sperrt, oder ändert es.
commands-talks-container-daemon = Fragt den Dienst für Container über seinen Socket; wer den hat, steuert den Rechner.
commands-starts-python-all = Startet Python mit allem, was dafür installiert ist und dabei Code ausführen kann.
commands-goes-projects-own = Richtet sich nach den Einstellungen des Projekts, die Programme nennen können.
commands-uses-token-github = Benutzt über das Netz dein Token für GitHub, das die Sandbox sonst verbirgt.
commands-changes-destroys-disks = Ändert oder vernichtet Datenträger und Dateisysteme.
commands-destroys-files-they = Vernichtet Dateien so, dass sie nicht wiederherzustellen sind.
commands-changes-size-files = Ändert die Größe von Dateien und schneidet ihren Inhalt ab.
commands-gains-uses-rights = Verschafft sich oder benutzt Rechte über den ganzen Rechner.
commands-changes-users-groups = Ändert Benutzer, Gruppen oder Passwörter.
commands-changes-firewall = Ändert die Firewall.
commands-stops-machine = Schaltet den Rechner ab.
commands-makes-program-start = Lässt ein Programm später von selbst starten.
commands-runs-takes-over = Führt einen anderen Prozess aus, übernimmt ihn oder sieht in ihn hinein.
commands-controls-desktop-phone = Steuert den Desktop oder das Telefon, wo Deputy fragt.
commands-controls-deputy-itself = Steuert Deputy selbst.
commands-stops-deputy-every = Beendet Deputy oder jeden Prozess des Benutzers.
commands-signals-other-processes = Schickt anderen Prozessen Signale.
commands-reads-uses-stored = Liest oder benutzt gespeicherte Passwörter, Token oder Schlüssel.
commands-may-show-secrets = Zeigt vielleicht Geheimnisse aus der Umgebung, den Einstellungen oder der Zwischenablage.
commands-command-another-operating = Ist ein Befehl eines anderen Betriebssystems, der es ändern oder lesen kann.
commands-changes-services-desktop = Ändert Dienste oder die Arbeitsumgebung.
commands-changes-desktops-security = Ändert die Sicherheitseinstellungen der Arbeitsumgebung.
commands-opens-address-browser = Öffnet eine Adresse im Browser; das kann Daten hinaustragen.
commands-starts-desktop-program = Startet ein Programm mit Fenster.
commands-opens-door-others = Lässt andere aus dem Netz herein oder verbindet ein Programm mit dem Netz.
commands-connects-other-machines = Verbindet sich mit anderen Rechnern so, dass Daten hinaus oder andere herein können.
commands-uses-network = Benutzt das Netz.
commands-sends-data-another = Sendet Daten an einen anderen Rechner.
commands-downloader-use-socket = Lässt das Ladeprogramm einen Socket, eine Einstellungsdatei oder Zugangsdaten benutzen.
commands-reaches-local-services = Greift nach lokalen Diensten, Zugangsdaten für eine Cloud oder lokalen Dateien.
commands-installs-removes-runs = Installiert, entfernt oder startet Pakete, die fremden Code ausführen können.
commands-installs-code-source = Installiert Code aus einer unüblichen Quelle oder mit geänderten Prüfungen oder Einstellungen.
commands-runs-installs-code = Führt Code von einer Adresse oder aus einer Datei aus oder installiert ihn.
commands-changes-tools-settings = Ändert Einstellungen eines Werkzeugs oder startet einen Editor, der jedes Programm ausführen kann.
commands-publishes-something-uses = Veröffentlicht etwas oder benutzt gespeicherte Token.
commands-controls-containers-reach = Steuert Container, die an den ganzen Rechner kommen können.
commands-destroys-containers-data = Vernichtet Container oder Daten oder gibt einem Container Rechte über den Rechner.
commands-destroys-takes-over = Vernichtet oder übernimmt etwas auf anderen Rechnern.
commands-runs-program-reads = Führt über ein Datenbankprogramm ein Programm aus, liest eine Datei oder vernichtet Daten.
commands-reads-changes-database = Liest oder ändert eine Datenbank.
commands-overwrites-deletes-others = Überschreibt oder löscht gemeinsamen Verlauf auf dem Remote.
commands-lets-git-run = Lässt git ein anderes Programm ausführen oder überschreibt gemeinsamen Verlauf auf dem Remote.
commands-overwrites-others-see = Überschreibt gemeinsamen Verlauf auf dem Remote.
commands-rewrites-history-destroys = Entfernt, was git von früher aufbewahrt, oder ändert Einstellungen außerhalb dieses Repositorys.
commands-discards-changes-git = Verwirft Änderungen oder entfernt Branches. Rückgängig stellt sie wieder her.
commands-removes-files = Entfernt Dateien.
commands-changes-what-it-finds = Ändert oder entfernt, was es findet.
commands-changes-programs-git = Ändert, welche Programme git ausführt oder wem es vertraut.
commands-makes-git-use = Lässt git ein anderes Repository oder andere Einstellungen benutzen, die Programme nennen können.
commands-changes-repository-runs = Ändert das Repository oder führt dessen Hooks aus.
commands-talks-another-repository = Spricht über das Netz mit einem anderen Repository.
commands-runs-code-project = Führt Code des Projekts aus.
commands-writes-archive = Schreibt ein Archiv oder dessen Inhalt.
commands-runs-helper-program = Startet ein Hilfsprogramm, leitet Verbindungen weiter oder löscht, was nicht in der Quelle ist.
commands-uses-another-database = Benutzt eine andere Datenbank der Dateiarten oder schreibt eine.
commands-creates-changes-removes = Legt Dateien an, ändert oder entfernt sie.
commands-makes-link-through = Legt einen Link an, über den andere Dateien zu erreichen sind.
commands-changes-state-shell = Ändert den Zustand der Shell.
commands-used-way-not = Wird auf eine Weise benutzt, die nicht als harmlos bekannt ist.
commands-runs-another-program-way = Führt ein anderes Programm so aus, dass es verborgen ist oder länger lebt.
commands-takes-settings-file = Nimmt seine Einstellungen aus einer Datei, die es Programme ausführen lassen kann.
commands-prints-files-git = Gibt Dateien aus, die git nicht verfolgt, auch geheime.
commands-fetches-program-name = Holt ein Programm nach seinem Namen und führt es aus.
commands-changes-runs-other = Ändert, was auf anderen Rechnern läuft.
commands-starts-stops-containers = Startet oder beendet Container, die den ganzen Rechner erreichen können.
commands-runs-program-another-machine = Führt ein Programm auf einem anderen Rechner aus, mit deinen Schlüsseln.
commands-makes-file-program = Macht aus einer Datei ein Programm.

## Programs for files and folders

commands-prints-files = gibt Dateien aus
commands-prints-files-backwards = gibt Dateien rückwärts aus
commands-prints-beginning-files = gibt den Anfang von Dateien aus
commands-prints-end-files = gibt das Ende von Dateien aus
commands-numbers-lines = nummeriert Zeilen
commands-counts-lines-words = zählt Zeilen, Wörter und Bytes
commands-dumps-files-numbers = gibt Dateien als Zahlen aus
commands-dumps-file-hexadecimal = gibt eine Datei in Hexadezimalziffern aus
commands-prints-readable-parts = gibt die lesbaren Teile von Dateien aus
commands-encodes-decodes-file = kodiert oder dekodiert eine Datei auf die Standardausgabe
commands-encodes-file-terminal = kodiert eine Datei auf die Standardausgabe
commands-prints-compares-check = zeigt oder vergleicht Prüfsummen
commands-prints-check-sums = zeigt Prüfsummen
commands-lists-folders = listet Ordner auf
commands-lists-folders-tree = zeigt Ordner als Baum
commands-sums-up-sizes = zählt Größen zusammen
commands-shows-free-space = zeigt freien Platz
commands-shows-files-attributes = zeigt die Attribute einer Datei
commands-names-kind-files = nennt die Art von Dateien
commands-shows-link-leads = zeigt, wohin ein Link führt
commands-shows-real-path = zeigt den wirklichen Pfad
commands-takes-folder-off = entfernt den Ordner aus einem Pfad
commands-takes-last-name = entfernt den letzten Namen aus einem Pfad
commands-checks-whether-name = prüft, ob ein Name überall gilt
commands-lists-compressed-file = listet auf, was in einer gepackten Datei ist, oder packt auf das Terminal
commands-prints-compressed-files = gibt gepackte Dateien aus
commands-prints-compressed-file = gibt eine gepackte Datei aus
commands-lists-tests-prints = listet auf, prüft oder zeigt eine gepackte Datei
commands-lists-archive-standard = listet ein Archiv von der Standardeingabe auf
commands-searches-compressed-files = sucht in gepackten Dateien

## git

commands-shows-version = zeigt seine Version
commands-shows-commits = zeigt Commits
commands-shows-commit = zeigt einen Commit
commands-shows-changes = zeigt Änderungen
commands-shows-changes-were = zeigt beiseitegelegte Änderungen
commands-shows-branches-pointed = zeigt, wohin Zweige zeigten
commands-sums-up-commits = zählt Commits nach Autor
commands-shows-commits-their = zeigt Commits mit ihren Dateien
commands-compares-trees = vergleicht Bäume
commands-lists-commits = listet Commits auf
commands-shows-changed = zeigt, was sich geändert hat
commands-lists-branches = listet Zweige auf
commands-lists-tags = listet Tags auf
commands-resolves-names = löst Namen auf
commands-lists-tracked-files = listet geführte Dateien auf
commands-lists-tree = listet einen Baum auf
commands-shows-object = zeigt ein Objekt
commands-shows-who-wrote = zeigt, wer jede Zeile schrieb
commands-searches-tracked-files = sucht in geführten Dateien
commands-names-commit-tag = benennt einen Commit nach seinem Tag
commands-finds-common-ancestor = findet einen gemeinsamen Vorfahren
commands-names-commits = benennt Commits
commands-lists-references = listet Referenzen auf
commands-shows-name-points = zeigt, worauf ein Name zeigt
commands-counts-objects = zählt Objekte
commands-says-rule-ignores = zeigt, welche Regel eine Datei auslässt
commands-lists-commits-not = listet Commits auf, die der Gegenseite fehlen
commands-shows-branches-their = zeigt Zweige und ihre Commits
commands-lists-shows-put = listet oder zeigt beiseitegelegte Änderungen
commands-lists-put-away = listet beiseitegelegte Änderungen auf
commands-lists-remotes = listet Gegenstellen auf
commands-shows-remote-lies = zeigt die Adresse einer Gegenstelle
commands-lists-work-trees = listet Arbeitsbäume auf
commands-shows-log-search = zeigt das Protokoll einer Suche
commands-lists-notes = listet Notizen auf
commands-shows-setting = zeigt eine Einstellung

## What is lent to a command

commands-lends-socket-container = Leiht diesem Befehl den Socket des Container-Dienstes: Damit kann er auf diesem Rechner alles, was root kann.
commands-lends-logins-container = Leiht diesem Befehl deine Anmeldungen bei Container-Registries: Er kann sie lesen und weitergeben.
commands-lends-token-github = Leiht diesem Befehl dein Token für GitHub: Er kann dort alles, was du kannst, und es weitergeben.
commands-lends-token-gitlab = Leiht diesem Befehl dein Token für GitLab: Er kann dort alles, was du kannst, und es weitergeben.
commands-lends-login-package = Leiht diesem Befehl deine Anmeldung bei der Paket-Registry: Er kann in deinem Namen veröffentlichen und sie weitergeben.
commands-lends-logins-cloud = Leiht diesem Befehl deine Anmeldungen für die Cloud: Er kann dort alles, was du kannst, und sie weitergeben.
commands-lends-short-lived = Leiht diesem Befehl ein kurzlebiges Token für deine Cloud: Er kann dort alles, was du kannst, und es weitergeben.

## Programs that search

commands-searches-files = sucht in Dateien
commands-lists-files-match = listet passende Dateien auf
commands-shows-program-run = zeigt, welches Programm ein Befehl startet
commands-shows-program = zeigt, wo ein Programm liegt
commands-shows-name-meaning = zeigt, was ein Befehlsname bedeutet
commands-tests-condition = prüft eine Bedingung
commands-shows-lines-begin = zeigt Zeilen, die mit einem Text beginnen

## Programs that tell about the system

commands-shows-working-directory = zeigt den Arbeitsordner
commands-shows-who-user = zeigt, wer der Benutzer ist
commands-shows-users-groups = zeigt die Gruppen des Benutzers
commands-shows-who-logged = zeigt, wer sich angemeldet hat
commands-shows-who-is-logged-in = zeigt, wer angemeldet ist
commands-shows-hosts-name = zeigt den Namen des Rechners
commands-shows-hosts-number = zeigt die Nummer des Rechners
commands-shows-kernel = zeigt den Kernel
commands-shows-machines-kind = zeigt die Art des Rechners
commands-shows-how-long = zeigt, wie lange der Rechner läuft
commands-counts-processors = zählt Prozessoren
commands-shows-memory = zeigt den Speicher
commands-shows-processors = zeigt die Prozessoren
commands-shows-shared-libraries = zeigt die bekannten Programmbibliotheken
commands-shows-memory-ranges = zeigt Speicherbereiche
commands-shows-block-devices = zeigt Datenträger
commands-shows-memory-load = zeigt Speicher und Last
commands-shows-date = zeigt das Datum
commands-shows-calendar = zeigt einen Kalender
commands-shows-language-settings = zeigt die Spracheinstellungen
commands-shows-limit-system = zeigt eine Grenze des Systems
commands-shows-terminal = zeigt das Terminal
commands-waits = wartet
commands-shows-colours = zeigt Farben
commands-shows-terminal-do = zeigt, was das Terminal kann
commands-changes-folder-rest = wechselt den Ordner für den Rest des Textes
commands-shows-shells-limits = zeigt die Grenzen der Shell
commands-shows-shell-says = zeigt die Hilfe der Shell zu ihren eigenen Befehlen
commands-makes-up-name = erzeugt einen Namen
commands-finds-manuals-they = findet Handbücher nach ihrer Beschreibung
commands-lists-kernels-modules = listet die Module des Kernels auf
commands-lists-devices = listet Geräte auf
commands-lists-mounted = listet auf, was eingehängt ist
commands-lists-swap-space = listet Auslagerungsspeicher auf
commands-shows-settings-kernel = zeigt Einstellungen des Kernels

## Programs for text

commands-prints-operands = gibt seine Argumente aus
commands-prints-format = gibt ein Format aus
commands-cuts-columns-out = schneidet Spalten aus Zeilen
commands-joins-lines-side = fügt Zeilen nebeneinander
commands-joins-lines-field = verbindet Zeilen über ein Feld
commands-compares-sorted-files = vergleicht sortierte Dateien
commands-compares-bytes = vergleicht Bytes
commands-compares-files = vergleicht Dateien
commands-compares-files-side = vergleicht Dateien nebeneinander
commands-compares-three-files = vergleicht drei Dateien
commands-takes-marks-bold = entfernt die Zeichen für Fettschrift
commands-changes-ends-lines = wandelt Zeilenenden für das Terminal um
commands-sorts-lines = sortiert Zeilen
commands-drops-repeated-lines = lässt wiederholte Zeilen weg
commands-replaces-characters = ersetzt Zeichen
commands-turns-lines-around = dreht Zeilen um
commands-wraps-lines = bricht Zeilen um
commands-fills-paragraphs = füllt Absätze
commands-lays-text-out = setzt Text in Seiten
commands-lays-text-out-columns = setzt Text in Spalten
commands-turns-tabs-blanks = macht Tabulatoren zu Leerzeichen oder umgekehrt
commands-mixes-lines = mischt Zeilen
commands-counts = zählt
commands-factors-numbers = zerlegt Zahlen
commands-calculates = rechnet
commands-formats-numbers = formatiert Zahlen
commands-sorts-dependencies = sortiert nach Abhängigkeiten
commands-prints-lines = gibt Zeilen aus
commands-filters-json = filtert JSON
commands-does-nothing = tut nichts
commands-shows-version-splitting = zeigt seine Version; das Teilen schreibt Dateien
commands-changes-encoding-text = ändert die Kodierung von Text
commands-prints-fields-lines = gibt Felder von Zeilen aus
commands-prints-word-again = gibt ein Wort immer wieder aus, bis es beendet wird
commands-computes = berechnet

## Compilers and other tools

commands-shows-certificates-check = zeigt Zertifikate, Prüfsummen und seine Version
commands-shows-certificate = zeigt ein Zertifikat
commands-shows-request-certificate = zeigt einen Antrag auf ein Zertifikat oder eine Sperrliste
commands-checks-certificates = prüft Zertifikate
commands-shows-parts-file = zeigt die Teile einer Datei in ASN.1
commands-prints-random-bytes = gibt Zufallsbytes aus
commands-shows-database = zeigt, was in einer Datenbank ist
commands-shows-text-document = zeigt den Text eines Dokuments
commands-shows-help = zeigt Hilfe
commands-shows-installed = zeigt, was installiert ist
commands-lists-packages = listet Pakete auf
commands-shows-known-about = zeigt, was über Pakete bekannt ist
commands-shows-document-says = zeigt, was ein Dokument über sich sagt
commands-counts-lines-code = zählt Zeilen von Quelltext
