### Warum ein Befehl nicht eingegrenzt werden oder laufen kann, und was diesem Rechner dafür fehlt.

sandbox-no-seccomp-asks = Der Kernel hat keine seccomp-Filter: Kein Befehl lässt sich eingrenzen, daher wird jeder gefragt. Nimm einen Kernel mit CONFIG_SECCOMP_FILTER.
sandbox-no-landlock-slower = Gebraucht wird Landlock Version { $needed }, der Kernel hat keines: Eingegrenzte Befehle starten in bubblewrap, etwa 10 ms langsamer. Nimm Linux 6.12 oder neuer mit `landlock` unter seinen `lsm=`-Modulen.
sandbox-old-landlock-slower = Gebraucht wird Landlock Version { $needed }, der Kernel hat Version { $found }: Eingegrenzte Befehle starten in bubblewrap, etwa 10 ms langsamer. Nimm Linux 6.12 oder neuer mit `landlock` unter seinen `lsm=`-Modulen.
sandbox-no-notification = Der Kernel hat keine seccomp-Benachrichtigung, die Deputy nutzen kann: Was ungefragt läuft, hält nur Landlock davon ab, andere Programme zu starten, oder nichts, wo auch das fehlt; in genehmigten Befehlen verdecken Einhängungen Geheimnisse und die Einstellungen von git, und eine solche Abdeckung ist weg, sobald ein anderes Programm die Datei durch Umbenennen speichert; was es noch nicht gibt, hat keine: Sie können `.git/commondir`, `.git/objects/info/alternates` und andere Dateien anlegen, die git woandershin führen. Nimm Linux 5.19 oder neuer, außerhalb von Containern, die Systemaufrufe selbst beaufsichtigen.
sandbox-no-bubblewrap-carried = Kein funktionierendes bubblewrap in { $path }: Genehmigte Befehle laufen mit Landlock und der Aufsicht über ihre Aufrufe; sie haben keine eigenen Prozesse, kein eigenes `/proc` und `/tmp`, und können außer Rechten und Zeiten keine Attribute von Dateien setzen. Installiere das Paket `bubblewrap`, und erlaube User-Namespaces ohne besondere Rechte. Unter Ubuntu 24.04 und neuer bringt das Paket von Deputy dafür ein AppArmor-Profil mit; ohne das Paket gehört `scripts/deb/apparmor` nach `/etc/apparmor.d/deputy`, geladen mit `apparmor_parser -r`.
sandbox-no-bubblewrap = Kein funktionierendes bubblewrap in { $path }: Befehle, die einen Ordner ändern dürfen, laufen nur, wo darin nichts verborgen oder unverändert bleiben muss, und können keine Rechte von Dateien ändern. Installiere das Paket `bubblewrap`, und erlaube User-Namespaces ohne besondere Rechte. Unter Ubuntu 24.04 und neuer bringt das Paket von Deputy dafür ein AppArmor-Profil mit; ohne das Paket gehört `scripts/deb/apparmor` nach `/etc/apparmor.d/deputy`, geladen mit `apparmor_parser -r`.
sandbox-cannot-confine-here = Befehle lassen sich auf diesem Rechner nicht eingrenzen: Keiner läuft ungefragt.
sandbox-weaker-guard = Auf diesem Rechner hält nichts ihn davon ab, manche Dateien anzulegen, die git anderen Code ausführen lassen, etwa `.git/commondir`; `deputy doctor` sagt, warum.
sandbox-cannot-confine = ein Befehl lässt sich nicht als { $confinement } eingrenzen: { $why }; es lief nichts. `deputy doctor` sagt, was zu installieren ist
sandbox-empty-command = ein leerer Befehl kann nicht laufen: Es fehlt ein Programm; nenne wenigstens dessen Namen
sandbox-program-not-found = { $program } kann nicht laufen: nicht gefunden; Programme kommen aus { $path }, oder mit vollem Pfad
sandbox-not-executable = { $program } kann nicht laufen: Es ist kein ausführbares Programm ({ $source }); prüfe seine Rechte und seine erste Zeile
sandbox-program-out-of-sight = { $program } kann nicht als { $confinement } laufen: Es liegt außerhalb der Ordner, die der Befehl lesen darf; gib seinen Ordner frei
sandbox-working-directory = in { $path } kann kein Befehl laufen: { $source }; wähle einen Ordner, den es gibt
sandbox-working-directory-out-of-sight = in { $path } kann kein Befehl als { $confinement } laufen: Diesen Ordner darf er nicht lesen; gib ihn frei
sandbox-cannot-grant = { $path } lässt sich für einen Befehl nicht freigeben: { $source }; nenne volle Pfade, die es gibt
sandbox-zero-byte = { $value } lässt sich einem Befehl nicht übergeben: Es enthält ein Null-Byte; lass es weg
sandbox-arguments-too-long = { $program } kann nicht laufen: Seine Argumente sind länger, als das System annimmt; übergib sie in einer Datei oder über die Standardeingabe
sandbox-cannot-start = { $program } lässt sich nicht starten: { $step } ging nicht ({ $source }); vielleicht fehlen dem Rechner Prozesse, Speicher oder offene Dateien
sandbox-no-seccomp = der Kernel hat keine seccomp-Filter
sandbox-and-no-bubblewrap = { $why }, und es gibt kein funktionierendes bubblewrap
sandbox-no-walls-at-all = der Kernel hat kein ausreichend neues Landlock, und es gibt kein funktionierendes bubblewrap
sandbox-no-filter = der seccomp-Filter ließ sich nicht bauen ({ $error })
sandbox-cannot-lend-one-socket = Landlock kann keinen einzelnen Socket leihen
sandbox-sockets-look-alike = die Sockets anderer lassen sich nicht von dem geliehenen unterscheiden
sandbox-no-supervisor = die Aufsicht über seine Aufrufe ließ sich nicht vorbereiten ({ $error })
sandbox-no-supervisor-thread = der Thread, der seine Aufrufe beantwortet, ließ sich nicht starten ({ $error })
sandbox-bubblewrap-not-prepared = bubblewrap ließ sich nicht vorbereiten ({ $error })
sandbox-bubblewrap-silent = bubblewrap endete ohne ein Wort
sandbox-no-temporary-folder = ein Ordner für vorläufige Dateien ließ sich nicht anlegen ({ $error })
sandbox-landlock-cannot-hide = { $path } muss in einem freigegebenen Ordner außer Reichweite bleiben, was Landlock nicht kann
sandbox-no-ruleset = ein Satz von Regeln für Landlock ließ sich nicht anlegen ({ $source })
sandbox-rule-not-opened = { $path } ließ sich für eine Regel von Landlock nicht öffnen ({ $source })
sandbox-could-not-be-executed = { $program } konnte nicht ausgeführt werden ({ $source })
sandbox-step-failed = { $step } ging nicht ({ $source })
sandbox-outside-of-open = es liegt außerhalb dessen, was dem Befehl offensteht
sandbox-out-of-reach = es wird von Befehlen ferngehalten
sandbox-other-name-of-secret = es ist ein anderer Name eines Geheimnisses
sandbox-other-name-of-code = es ist ein anderer Name von etwas, das Programme Code ausführen lässt
sandbox-not-allowed = { $why }; die Person wurde gefragt und hat es nicht erlaubt
sandbox-not-allowed-because = { $why }; die Person wurde gefragt und hat es nicht erlaubt: { $said }
sandbox-only-judged-programs = nur die Programme des beurteilten Befehls dürfen starten
sandbox-becomes-guarded = mit dem Ordner darüber würde es zu etwas Geschütztem, oder wäre es nicht mehr
