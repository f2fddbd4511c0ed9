### What the tables of commands in `crates/policy/data` say about a command.

## Programs for binary files

commands-lists-symbols = lists symbols
commands-shows-sections-symbols = shows sections, symbols and instructions
commands-shows-headers-program = shows the headers of a program
commands-shows-sizes-sections = shows the sizes of sections
commands-names-lines-addresses = names the lines of addresses
commands-makes-names-symbols = makes names of symbols readable
commands-lists-archive = lists an archive
commands-lists-archive-prints = lists an archive, or prints what is in it

## What commands that are not known to be harmless may do

commands-asks-service-manager = Asks the service manager, through a socket that the sandbox blocks.
commands-reads-machines-logs = Reads the machine's logs, which show what other programs and people did.
commands-asks-kernel-about = Asks the kernel about the network through a socket that the sandbox blocks, or changes it.
commands-talks-container-daemon = Talks to the container daemon through its socket, which gives control of the machine.
commands-starts-python-all = Starts Python with everything installed for it, whose code may run at startup.
commands-goes-projects-own = Uses the project's own configuration, which may name programs.
commands-uses-token-github = Uses your GitHub token, which the sandbox otherwise hides, over the network.
commands-changes-destroys-disks = Changes or destroys disks and file systems.
commands-destroys-files-they = Destroys files so that they cannot be restored.
commands-changes-size-files = Changes the size of files, cutting off their content.
commands-gains-uses-rights = Gains or uses rights over the whole machine.
commands-changes-users-groups = Changes users, groups or passwords.
commands-changes-firewall = Changes the firewall.
commands-stops-machine = Stops the machine.
commands-makes-program-start = Makes a program start automatically later.
commands-runs-takes-over = Runs or takes over another process, or looks into it.
commands-controls-desktop-phone = Controls the desktop or the phone, where Deputy asks you.
commands-controls-deputy-itself = Controls Deputy itself.
commands-stops-deputy-every = Stops Deputy or every process of the user.
commands-signals-other-processes = Signals other processes.
commands-reads-uses-stored = Reads or uses stored passwords, tokens or keys.
commands-may-show-secrets = May show secrets kept in the environment, the configuration or the clipboard.
commands-command-another-operating = Is a command of another operating system that can change or read it.
commands-changes-services-desktop = Changes services or the desktop.
commands-changes-desktops-security = Changes the desktop's security settings.
commands-opens-address-browser = Opens an address in a browser, which can carry data out.
commands-starts-desktop-program = Starts a desktop program.
commands-opens-door-others = Lets others on the network in, or connects a program with the network.
commands-connects-other-machines = Connects to other machines in a way that can carry data out or let others in.
commands-uses-network = Uses the network.
commands-sends-data-another = Sends data to another machine.
commands-downloader-use-socket = Has the downloader use a socket, a file of settings or credentials.
commands-reaches-local-services = Reaches local services, cloud credentials or local files.
commands-installs-removes-runs = Installs, removes or runs packages, which can execute third-party code.
commands-installs-code-source = Installs code from an unusual source, or with its checks or settings changed.
commands-runs-installs-code = Runs or installs code from an address or a file.
commands-changes-tools-settings = Changes a tool's settings or runs an editor, which can run any program.
commands-publishes-something-uses = Publishes something or uses stored tokens.
commands-controls-containers-reach = Controls containers, which can reach the whole machine.
commands-destroys-containers-data = Destroys containers or data, or gives a container rights over the machine.
commands-destroys-takes-over = Destroys or takes over things on other machines.
commands-runs-program-reads = Runs a program, reads a file or destroys data through a database client.
commands-reads-changes-database = Reads or changes a database.
commands-overwrites-deletes-others = Overwrites or deletes shared history on the remote.
commands-lets-git-run = Has git run another program, or overwrites shared history on the remote.
commands-overwrites-others-see = Overwrites shared history on the remote.
commands-rewrites-history-destroys = Removes what git keeps of the past, or changes settings outside this repository.
commands-discards-changes-git = Discards changes or removes branches. Undo restores them.
commands-removes-files = Removes files.
commands-changes-what-it-finds = Changes or removes what it finds.
commands-changes-programs-git = Changes which programs git runs or whom it trusts.
commands-makes-git-use = Makes git use another repository or settings, which can name programs to run.
commands-changes-repository-runs = Changes the repository or runs its hooks.
commands-talks-another-repository = Talks to another repository over the network.
commands-runs-code-project = Runs code of the project.
commands-writes-archive = Writes an archive or what is in it.
commands-runs-helper-program = Runs a helper program, forwards connections, or deletes what is not in the source.
commands-uses-another-database = Uses another database of file types, or writes one.
commands-creates-changes-removes = Creates, changes or removes files.
commands-makes-link-through = Makes a link, through which other files can be reached.
commands-changes-state-shell = Changes the state of the shell.
commands-used-way-not = Is used in a way that isn't known to be harmless.
commands-runs-another-program-way = Runs another program in a way that hides or outlives it.
commands-takes-settings-file = Takes its settings from a file that can make it run programs.
commands-prints-files-git = Prints files that git does not track, secrets among them.
commands-fetches-program-name = Fetches a program by its name and runs it.
commands-changes-runs-other = Changes what runs on other machines.
commands-starts-stops-containers = Starts or stops containers, which can reach the whole machine.
commands-runs-program-another-machine = Runs a program on another machine, with your keys.
commands-makes-file-program = Makes a file a program.

## Programs for files and folders

commands-prints-files = prints files
commands-prints-files-backwards = prints files backwards
commands-prints-beginning-files = prints the beginning of files
commands-prints-end-files = prints the end of files
commands-numbers-lines = numbers lines
commands-counts-lines-words = counts lines, words and bytes
commands-dumps-files-numbers = dumps files as numbers
commands-dumps-file-hexadecimal = dumps a file as hexadecimal digits
commands-prints-readable-parts = prints the readable parts of files
commands-encodes-decodes-file = encodes or decodes a file to standard output
commands-encodes-file-terminal = encodes a file to standard output
commands-prints-compares-check = prints or compares checksums
commands-prints-check-sums = prints checksums
commands-lists-folders = lists folders
commands-lists-folders-tree = lists folders as a tree
commands-sums-up-sizes = adds up sizes
commands-shows-free-space = shows free space
commands-shows-files-attributes = shows a file's attributes
commands-names-kind-files = names the kind of files
commands-shows-link-leads = shows the target of a link
commands-shows-real-path = shows the real path
commands-takes-folder-off = removes the folder from a path
commands-takes-last-name = removes the last name from a path
commands-checks-whether-name = checks whether a name is portable
commands-lists-compressed-file = lists what is in a compressed file, or compresses to the terminal
commands-prints-compressed-files = prints compressed files
commands-prints-compressed-file = prints a compressed file
commands-lists-tests-prints = lists, tests or prints a compressed file
commands-lists-archive-standard = lists an archive from its standard input
commands-searches-compressed-files = searches in compressed files

## git

commands-shows-version = shows its version
commands-shows-commits = shows commits
commands-shows-commit = shows a commit
commands-shows-changes = shows changes
commands-shows-changes-were = shows stashed changes
commands-shows-branches-pointed = shows where branches pointed
commands-sums-up-commits = sums up commits by author
commands-shows-commits-their = shows commits with their files
commands-compares-trees = compares trees
commands-lists-commits = lists commits
commands-shows-changed = shows what has changed
commands-lists-branches = lists branches
commands-lists-tags = lists tags
commands-resolves-names = resolves names
commands-lists-tracked-files = lists tracked files
commands-lists-tree = lists a tree
commands-shows-object = shows an object
commands-shows-who-wrote = shows who wrote each line
commands-searches-tracked-files = searches in tracked files
commands-names-commit-tag = names a commit by its tag
commands-finds-common-ancestor = finds a common ancestor
commands-names-commits = names commits
commands-lists-references = lists references
commands-shows-name-points = shows what a name points to
commands-counts-objects = counts objects
commands-says-rule-ignores = shows which rule ignores a file
commands-lists-commits-not = lists commits that are not upstream
commands-shows-branches-their = shows branches and their commits
commands-lists-shows-put = lists or shows stashed changes
commands-lists-put-away = lists stashed changes
commands-lists-remotes = lists remotes
commands-shows-remote-lies = shows the address of a remote
commands-lists-work-trees = lists work trees
commands-shows-log-search = shows the log of a search
commands-lists-notes = lists notes
commands-shows-setting = shows a setting

## What is lent to a command

commands-lends-socket-container = Lends the socket of the container daemon to this command: with it, it can do on this machine whatever root can.
commands-lends-logins-container = Lends your logins for container registries to this command: it can read and pass them on.
commands-lends-token-github = Lends your token for GitHub to this command: it can do there what you can, and pass it on.
commands-lends-token-gitlab = Lends your token for GitLab to this command: it can do there what you can, and pass it on.
commands-lends-login-package = Lends your login for the package registry to this command: it can publish as you, and pass it on.
commands-lends-logins-cloud = Lends your logins for the cloud to this command: it can do there what you can, and pass them on.
commands-lends-short-lived = Lends a short-lived token for your cloud to this command: it can do there what you can, and pass it on.

## Programs that search

commands-searches-files = searches in files
commands-lists-files-match = lists files that match
commands-shows-program-run = shows which program a command runs
commands-shows-program = shows where a program is
commands-shows-name-meaning = shows what a command name means
commands-tests-condition = tests a condition
commands-shows-lines-begin = shows lines that begin with a text

## Programs that tell about the system

commands-shows-working-directory = shows the working directory
commands-shows-who-user = shows who the user is
commands-shows-users-groups = shows the user's groups
commands-shows-who-logged = shows who logged in
commands-shows-who-is-logged-in = shows who is logged in
commands-shows-hosts-name = shows the host's name
commands-shows-hosts-number = shows the host's number
commands-shows-kernel = shows the kernel
commands-shows-machines-kind = shows the machine's kind
commands-shows-how-long = shows how long the machine has been running
commands-counts-processors = counts processors
commands-shows-memory = shows memory
commands-shows-processors = shows processors
commands-shows-shared-libraries = shows the shared libraries that are known
commands-shows-memory-ranges = shows memory ranges
commands-shows-block-devices = shows block devices
commands-shows-memory-load = shows memory and load
commands-shows-date = shows the date
commands-shows-calendar = shows a calendar
commands-shows-language-settings = shows the language settings
commands-shows-limit-system = shows a limit of the system
commands-shows-terminal = shows the terminal
commands-waits = waits
commands-shows-colours = shows colors
commands-shows-terminal-do = shows what the terminal can do
commands-changes-folder-rest = changes the folder for the rest of the text
commands-shows-shells-limits = shows the shell's limits
commands-shows-shell-says = shows the shell's help on its own commands
commands-makes-up-name = generates a name
commands-finds-manuals-they = finds manuals by their descriptions
commands-lists-kernels-modules = lists the kernel's modules
commands-lists-devices = lists devices
commands-lists-mounted = lists what is mounted
commands-lists-swap-space = lists swap space
commands-shows-settings-kernel = shows settings of the kernel

## Programs for text

commands-prints-operands = prints its arguments
commands-prints-format = prints a format
commands-cuts-columns-out = cuts columns out of lines
commands-joins-lines-side = joins lines side by side
commands-joins-lines-field = joins lines on a field
commands-compares-sorted-files = compares sorted files
commands-compares-bytes = compares bytes
commands-compares-files = compares files
commands-compares-files-side = compares files side by side
commands-compares-three-files = compares three files
commands-takes-marks-bold = removes the marks for bold letters
commands-changes-ends-lines = converts line endings for the terminal
commands-sorts-lines = sorts lines
commands-drops-repeated-lines = drops repeated lines
commands-replaces-characters = replaces characters
commands-turns-lines-around = reverses lines
commands-wraps-lines = wraps lines
commands-fills-paragraphs = fills paragraphs
commands-lays-text-out = formats text into pages
commands-lays-text-out-columns = formats text into columns
commands-turns-tabs-blanks = converts tabs to spaces or back
commands-mixes-lines = shuffles lines
commands-counts = counts
commands-factors-numbers = factors numbers
commands-calculates = calculates
commands-formats-numbers = formats numbers
commands-sorts-dependencies = sorts by dependencies
commands-prints-lines = prints lines
commands-filters-json = filters JSON
commands-does-nothing = does nothing
commands-shows-version-splitting = shows its version; splitting writes files
commands-changes-encoding-text = changes the encoding of text
commands-prints-fields-lines = prints fields of lines
commands-prints-word-again = prints a word repeatedly until it is stopped
commands-computes = computes

## Compilers and other tools

commands-shows-certificates-check = shows certificates, checksums and its version
commands-shows-certificate = shows a certificate
commands-shows-request-certificate = shows a request for a certificate, or a list of revoked ones
commands-checks-certificates = checks certificates
commands-shows-parts-file = shows the parts of a file in ASN.1
commands-prints-random-bytes = prints random bytes
commands-shows-database = shows what is in a database
commands-shows-text-document = shows the text of a document
commands-shows-help = shows help
commands-shows-installed = shows what is installed
commands-lists-packages = lists packages
commands-shows-known-about = shows what is known about packages
commands-shows-document-says = shows what a document says about itself
commands-counts-lines-code = counts lines of code
