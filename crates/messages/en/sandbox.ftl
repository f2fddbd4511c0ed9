### Why a command cannot be confined or run, and what this machine lacks for that.

sandbox-no-seccomp-asks = The kernel has no seccomp filters: no command can be confined, so every command asks. Run a kernel built with CONFIG_SECCOMP_FILTER.
sandbox-no-landlock-slower = Landlock version { $needed } is needed, the kernel has none: confined commands start in bubblewrap, some 10 ms slower. Run Linux 6.12 or newer with `landlock` among its `lsm=` modules.
sandbox-old-landlock-slower = Landlock version { $needed } is needed, the kernel has version { $found }: confined commands start in bubblewrap, some 10 ms slower. Run Linux 6.12 or newer with `landlock` among its `lsm=` modules.
sandbox-no-notification = The kernel has no seccomp user notification that Deputy can use: what keeps commands that run unasked from starting other programs is Landlock alone, or nothing where that is missing too; in approved commands mounts cover secrets and git's settings, and such a cover is gone once another program saves the file by rename, and what isn't there yet has none: they can make `.git/commondir`, `.git/objects/info/alternates` and other files that lead git elsewhere. Run Linux 5.19 or newer, outside of containers that supervise system calls themselves.
sandbox-no-bubblewrap-carried = No working bubblewrap in { $path }: approved commands run by Landlock and the supervisor of their calls; they have no processes, `/proc` and `/tmp` of their own, and cannot set attributes of files other than modes and times. Install the package `bubblewrap`, and allow unprivileged user namespaces; on Ubuntu 24.04 and newer the package of Deputy brings an AppArmor profile that does, and without the package `scripts/deb/apparmor` goes to `/etc/apparmor.d/deputy`, loaded by `apparmor_parser -r`.
sandbox-no-bubblewrap = No working bubblewrap in { $path }: commands that may change a folder run only where nothing in it must stay hidden or frozen, and cannot change file modes. Install the package `bubblewrap`, and allow unprivileged user namespaces; on Ubuntu 24.04 and newer the package of Deputy brings an AppArmor profile that does, and without the package `scripts/deb/apparmor` goes to `/etc/apparmor.d/deputy`, loaded by `apparmor_parser -r`.
sandbox-cannot-confine-here = Commands cannot be confined on this machine: every command asks.
sandbox-weaker-guard = On this machine it could create files that make git run other code, such as `.git/commondir`; `deputy doctor` says why.
# $why (Message)
sandbox-cannot-confine = cannot confine a command as { $confinement }: { $why }; nothing was run. See `deputy doctor` for what to install
sandbox-empty-command = cannot run an empty command: argv holds no program; give at least its name
sandbox-program-not-found = cannot run { $program }: not found; programs are taken from { $path }, or by absolute path
sandbox-not-executable = cannot run { $program }: it is not an executable program ({ $source }); check its mode and its first line
sandbox-program-out-of-sight = cannot run { $program } as { $confinement }: it lies outside the folders that the command may read; grant its folder
sandbox-working-directory = cannot run a command in { $path }: { $source }; choose a folder that exists
sandbox-working-directory-out-of-sight = cannot run a command in { $path } as { $confinement }: the folder is not among those that it may read; grant it
sandbox-cannot-grant = cannot grant { $path } to a command: { $source }; grant absolute paths that exist
sandbox-zero-byte = cannot pass { $value } to a command: it holds a zero byte; leave it out
sandbox-arguments-too-long = cannot run { $program }: its arguments are longer than the system takes; pass them by file or by standard input
sandbox-cannot-start = cannot start { $program }: { $step } failed ({ $source }); the machine may be out of processes, memory or file descriptors
sandbox-no-seccomp = the kernel has no seccomp filters
# $why (Message)
sandbox-and-no-bubblewrap = { $why }, and there is no working bubblewrap
sandbox-no-walls-at-all = the kernel has no Landlock that is new enough, and there is no working bubblewrap
sandbox-no-filter = assembling the seccomp filter failed ({ $error })
sandbox-cannot-lend-one-socket = Landlock cannot lend a single socket
sandbox-sockets-look-alike = other programs' sockets can't be told apart from the one that is lent
sandbox-no-supervisor = preparing the supervisor of its calls failed ({ $error })
sandbox-no-supervisor-thread = starting the thread that answers its calls failed ({ $error })
sandbox-bubblewrap-not-prepared = preparing bubblewrap failed ({ $error })
sandbox-bubblewrap-silent = bubblewrap ended without an error message
sandbox-no-temporary-folder = making a folder for temporary files failed ({ $error })
sandbox-landlock-cannot-hide = { $path } must stay out of reach inside a folder that is granted, which Landlock cannot do
sandbox-no-ruleset = making a Landlock rule set failed ({ $source })
sandbox-rule-not-opened = { $path } could not be opened for a Landlock rule ({ $source })
sandbox-could-not-be-executed = { $program } could not be executed ({ $source })
sandbox-step-failed = { $step } failed ({ $source })
sandbox-outside-of-open = it is outside the folders that the command may access
sandbox-out-of-reach = commands may not access it
sandbox-other-name-of-secret = it is another name of a secret
sandbox-other-name-of-code = it is another name of what makes programs run code
# $why (Message)
sandbox-not-allowed = { $why }; the user was asked and did not allow it
# $said (Message)
# $why (Message)
sandbox-not-allowed-because = { $why }; the user was asked and did not allow it: { $said }
sandbox-only-judged-programs = only the programs of the command that was judged may start
sandbox-becomes-guarded = moving its folder would change whether it is guarded
