### Why a call is allowed, asked about or denied.

policy-asked-each-time = it asks each time, whatever rules and grants say
policy-part-of-the-task = Part of the task itself.
policy-memory-look = Only memories that are available in this folder.
policy-memory-keep-here = It stays in this folder, marked as the assistant's.
policy-memory-keep-everywhere = Later tasks in every folder can get this text.
policy-memory-scratchpad = Notes of this task only. You can read and change them in its scratchpad.
policy-memory-forget = Later tasks no longer get this text.
policy-page-look = Looks at a page that is open in the browser.
policy-page-act = Acts on a page that is open in the browser.
policy-page-fill-secret = Gives the page a password, a code or a card number.
policy-page-send-elsewhere = Submits a form to a different site.
policy-page-upload = Gives files to a website.
policy-page-carry-over = Sends text that was read on one site to another one.
policy-page-script = Runs a script in the page, which can do anything that the page can.
policy-no-walls = This computer has no sandbox for commands, so every command asks (see `deputy doctor`).
policy-says-nothing = It doesn't say what it would touch.
policy-gains-rights = `{ $name }` gains rights over the whole machine.
policy-writes-raw-disk = Writes to the raw disk { $disk }.
policy-deletes-everything = Deletes everything below { $target }.
policy-reads-more-files-can = Reads more files than can be checked for secrets.
policy-follows-link-what-may = Follows a link to something it may not read without asking.
policy-reads-folder-holds-file = Reads a folder that contains a file with secrets.
policy-reads-folder-file-looks = Reads a folder in which a file looks like a credential.
policy-sets-changes-what-programs = Sets { $name }, which changes what programs run or load.
policy-sets-may-change-what = Sets { $name }, which may change what programs do.
policy-redirects-something-not-one = Redirects to something that isn't a single file.
policy-opens-connection-another-machine = Opens a connection to another machine through the shell.
policy-runs-shell-code = Runs { $file } as shell code.
policy-runs-text-command-line = Runs text on the command line as shell code.
policy-runs-whatever-given-standard = Runs whatever it gets on standard input as shell code.
policy-runs-whatever-given-standard-input = Runs whatever it gets on standard input with { $name }.
policy-runs-module = Runs the module { $module } with { $name }.
policy-runs-code-command-line = Runs code on the command line with { $name }.
policy-leads-repository-somewhere-else = { $dot_git } points to a repository somewhere else.
policy-looks-like-repository-own = { $folder } looks like a separate repository.
policy-borrows-another-repository = { $folder } borrows another repository.
policy-leads-somewhere-else = { $link } points somewhere else.
policy-repository-submodules-whose-own = The repository has submodules, and git would use their configuration.
policy-git-configuration-too-large = git's configuration is too large to be checked.
policy-git-configuration-not-understood = git's configuration in { $path } can't be parsed.
policy-git-configuration-sets-can = git's configuration ({ $path }) sets `{ $key }`, which can run a program or read elsewhere.
policy-git-configuration-includes-file = git's configuration in { $path } includes a file in a way that is not understood.
policy-index-cannot-read = its index cannot be read ({ $error })
policy-index-not-understood = its index can't be parsed
policy-index-too-large-looked = its index is too large to check
policy-what-lent-lent-every = Every command in this call can use it while it runs.
policy-text-may-split-into = The text may be split into words in more than one way.
policy-there-no-command = There is no command in it.
policy-environment-sets-changes-what = The environment sets { $name }, which changes what programs run or load.
policy-starts-itself-again-again = Starts itself again and again until the machine stops (a fork bomb).
policy-changes-folder-way-not = Changes the folder in a way that can't be followed.
policy-goes-through-more-words = Loops over more words than can be checked.
policy-goes-through-words-not = Loops over words that aren't certain.
policy-goes-through-words-vanish = Loops over words that are empty when it runs.
policy-words-command-vanish-when = The words of the command are empty when it runs.
policy-changes-folder-later-commands = Changes the folder for later commands.
policy-hands-text-shell-shell = Passes text from shell to shell deeper than can be checked.
policy-lends-your-ssh-keys = Lends your SSH keys to this command: it can sign in to these servers as you while it runs.
policy-lends-your-stored-login = Lends your stored login for this address to this command: it can read and change there what you can.
policy-lends-your-signing-key = Lends your signing key to this command: it can sign commits and tags as you while it runs.
policy-repository-leads-connections = The repository's settings ({ $key }) change how git connects, so your stored login isn't lent to this command.
policy-opened-call-reading = is opened to this call for reading
policy-opened-call-changes = is opened to this call for changes
policy-changes-python-environment = changes the Python environment that it runs in, outside of this folder. What it installs there runs without Deputy's sandbox when you use the environment.
policy-looks-file-outside-reads = checks the file without reading its contents
# $reason (Message)
policy-would-tell-kind = { $reason }; this would show what kind of file it is
policy-goes-through-whole-home = It searches the whole home folder, where passwords and keys are kept.
policy-lists-files-form-not = Lists files in a form that is not understood.
# $reason (Message)
policy-touches = Touches { $text }: { $reason }.
policy-belongs-system = it belongs to the system
policy-programs-keep-their-settings = programs keep their settings there
policy-names-command-way-not = Names a command in a way that can't be determined.
policy-program-your-own-never = Is your own program, which never starts without asking.
policy-tells-about-itself = prints information about itself
# $about (Message)
policy-about-program = { $first }: { $about }.
policy-goes-through-whole-home-folder = Searches the whole home folder, where passwords and keys are kept.
policy-git-runs-hook = Git runs this hook.
policy-found-where-task-can = `{ $name }` is found in { $folder }, where this task can change it.
policy-not-certain = Can't be determined.
policy-not-among-commands-known = `{ $name }` isn't a known safe command.
policy-harmless-alone-joined-other = `{ $name }` is harmless alone; combined with other commands, injected text uses it for probing.
policy-file-decides-program-runs = The file { $file } decides which program `{ $name }` runs.
policy-workspace-holds-home-loads = The workspace contains the home, from which `{ $name }` loads code when it starts.
policy-runs-code-project = Runs code of the project.
policy-asks-what-task-runs = Connects to what this task runs in the background, on the task's own network.
policy-sets-changes-what-programs-run = Sets `{ $set }`, which changes what programs run or load.
policy-removes-moves-outside-workspace = Removes or moves { $arg }, which is outside the workspace or all of it.
policy-deletes-many-files-folders = Deletes many files and folders at once.
policy-hands-names-files-command = Passes file names to a command, and one of the files holds secrets.
policy-fetches-program-network-runs = Fetches a program from the network and runs it.
policy-sends-output-another-command = Sends the output of another command to the network.
policy-shows-holds-secrets = Shows { $named }, which contains secrets.
policy-may-show-repository-tracks = May show { $file }, which the repository tracks and which holds secrets.
# $why (Message)
policy-may-show-secrets-repository = May show secrets that the repository tracks: { $why }.
policy-may-show-repository-history = May show { $file } from the repository's history, which holds secrets.
# $why (Message)
policy-may-show-secrets-repository-history = May show secrets from the repository's history: { $why }.
policy-not-plain-word = `{ $raw }` is not a plain word.
policy-reads-line-into = reads a line into { $names }
policy-word-known-only-when-runs = Has a word that is known only at run time.
# $reason (Message)
policy-word-is = `{ $raw }` { $reason }.
policy-mixes-letters-several-scripts = `{ $raw }` mixes letters of several scripts that look alike.
policy-program-name-letters-look = `{ $raw }` is a program's name with letters that look like others.
policy-program-name-written-hides = The program's name is written as `{ $raw }`, which hides it.
policy-word-encoded-form = Has a word in an encoded form.
policy-depends-variables = Depends on variables: { $join }.
policy-depends-what-shell-makes = Depends on what the shell makes of a variable.
policy-evaluates-text-arithmetic-code = Evaluates text as arithmetic or as code.
policy-runs-command-inside-word = Runs a command inside of a word.
policy-program-name-known-only = The program's name is known only at run time.
policy-reads-variable-holds-secret = Reads a variable that holds a secret by its name.
policy-what-looks-like-credential = what is in it looks like a credential
policy-programs-started-found-there = programs are started or found from there
policy-what-lies-makes-other = files in `{ $folder }` make other programs run code
policy-makes-other-programs-run = `{ $name }` makes other programs run code
policy-repository-makes-git-run = `{ $what }` of a repository makes git run code
policy-may-lie-folder-git = it may be in a folder of git hooks
policy-lies-folder-git-hooks = it is in a folder of git hooks
policy-named-by-git-configuration = git's settings name it, so git may run it
policy-bare-repository-makes-git-run = git takes this folder for a repository, and it determines which programs git runs there
policy-removes-something-workspace = deletes something in this folder
policy-temporary-file = uses a temporary file of this task
policy-changes-file-workspace = changes a file in this folder
policy-makes-something-new-workspace = creates something new in this folder
policy-other-machines-run = { $change }, and other machines run it once it is pushed
policy-reads-inside-workspace = reads in this folder
policy-would-remove-whole-workspace = it would remove a whole workspace, home or system
# $reason (Message)
policy-name-not-safe-make = { $reason }; the name is not safe to make
# $what (Message)
policy-is-kind-not-file = it is { $what }, not a file
policy-kind-pipe = a named pipe
policy-kind-socket = a socket
policy-kind-device = a device
policy-file-other-names-one = the file has other names, one of which may be a secret
policy-folder-not-file = it is a folder, not a file
policy-file-other-names-would = the file has other names, which would change too
policy-something-stands-there-already = something is there already, and would be lost
policy-link-not-file-folder = it is a link, not a file or a folder
policy-lies-outside-folders-may = it is outside the folders that this task may read
policy-deputy-own-data = it is Deputy's own data
policy-holds-credentials-system = it holds credentials of the system
policy-holds-credentials-private-data = it holds credentials or private data of the user
policy-your-own-list-secrets = it is in your own list of secrets
policy-holds-credentials = `{ $folder }` holds credentials
policy-holds-credentials-private-data-2 = `{ $place }` holds credentials or private data
policy-file-named-holds-credentials = a file named `{ $name }` holds credentials
policy-file-named-often-holds = a file named `{ $name }` often holds credentials
policy-is-link = it is a link
policy-not-file = it is not a file
# $reason (Message)
policy-contains = it contains { $path }: { $reason }
policy-folder-too-large-look = the folder is too large to look through
policy-empty-path-names-nothing = an empty path names nothing; use `.` for the working directory
policy-path-cannot-hold-nul = a path cannot hold a NUL character
# $max_bytes (Number)
# $text (Number)
policy-path-may-have-most = a path may have at most { $max_bytes } bytes, this one has { $text }
# $max_name_bytes (Number)
policy-name-path-may-have = a name in a path may have at most { $max_name_bytes } bytes
policy-not-expanded-here-write = `~` isn't expanded here; write the path out from `/`
policy-file-addresses-not-paths = `file:` addresses are not paths; write the path itself
policy-path-holds-characters-do = the path contains invisible characters: { $text }
policy-backslash-separates-folders-windows = a backslash separates folders on Windows
policy-letter-colon-name-drive = a letter and a colon name a drive on Windows
policy-names-stream-windows = `::$` names a stream on Windows
policy-windows-drops-dots-blanks = Windows drops dots and spaces at the end of a name
policy-name-device-windows = the name is a device on Windows
policy-moves-something-workspace = moves something in this folder
policy-something-cannot-put-into = something cannot be put into itself
policy-nothing-stands-there = nothing is there
policy-makes-git-run-code = it makes git run code
policy-you-allowed-before = you allowed it before
policy-work-in-folder-task = Work in { $place }, for this task: edit, run, build, test and commit, without a network
policy-work-in-folder-task-hooks = Work in { $place }, for this task: edit, run, build, test and commit (with its git hooks), without a network
policy-work-in-folder-session = Work in { $place }, for this conversation: edit, run, build, test and commit, without a network
policy-work-in-folder-session-hooks = Work in { $place }, for this conversation: edit, run, build, test and commit (with its git hooks), without a network
policy-you-let-it-work-in-folder = you allowed work in this folder
policy-you-want-asked-about = you want to be asked about it
policy-you-denied-before = you denied it before
policy-rules-file-not-valid = The rules file is not valid; until it is fixed, everything asks.
policy-one-your-rules-speaks = One of your rules denies it.
policy-rules-file-not-valid-until = the rules file is not valid; until it is fixed, everything asks
policy-contains-letters-enough-marks = contains letters with enough marks on them to hide the text around
policy-contains-control-characters-hide = contains control characters, which hide what would run
policy-contains-direction-marks-show = contains direction marks, which show the text in another order than it runs
policy-contains-invisible-characters-hide = contains invisible characters, which hide what would run
policy-contains-blanks-shell-takes = contains spaces that the shell treats as letters
policy-contains-character-looks-like = contains a character that looks like an operator of the shell
policy-runs-command-whose-output = Runs a command whose output becomes part of a text.
policy-feeds-here-document-command = Feeds a here-document to a command.
policy-words-behind-here-document = Has words after a here-document's delimiter.
policy-defines-function-can-stand = Defines a function, which can replace any other command.
policy-uses-control-flow-shell = Uses control flow of the shell.
policy-braces-whose-meaning-not = has braces whose meaning is not certain
policy-expands-more-words-checked = expands to more words than are checked
policy-pattern-file-names-not = has a pattern for file names that is not certain
policy-names-another-home-folder = names another home folder
policy-longer-kib-more-can = is longer than 64 KiB, more than can be checked
policy-holds-brace-before-letter = holds a brace before a letter that cannot be checked
policy-too-tangled-checked = is too tangled to be checked
# $reason (Message)
policy-text-is = The text { $reason }.
policy-not-complete-valid-shell = is not complete, valid shell
policy-holds-more-commands-can = holds more commands than can be checked
policy-parts-shell-check-may = has parts that the shell and this check may read differently
policy-comment-shell-may-take = has a comment that the shell may treat as text
policy-end-not-understood = has an end that can't be parsed
policy-nested-deeper-can-checked = is nested deeper than can be checked
policy-leaves-command-running-background = Runs a command in the background, where it ends with this call.
policy-separator-not-valid-there = has a separator that is not valid there
policy-part-not-valid-shell = Has a part that is not valid shell.
policy-part-not-understood = Has a part that can't be parsed.
policy-runs-command-whose-output-becomes = Runs a command whose output becomes part of another command.
policy-word-shell-may-split = has a word that the shell may split elsewhere
policy-evaluates-expression-shell-can = Evaluates an expression of the shell, which can run code hidden in text.
policy-tests-expression-not-understood = Tests an expression that is not understood.
policy-feeds-text-command = Feeds a text to a command.
policy-not-known-harmless-option = `{ $word }` isn't a known safe option of { $name }.
policy-run-another-program-2 = Has { $name } run another program (`{ $arg }`).
policy-follows-links-out-folder = Follows links out of the folder (`{ $arg }`), which may lead to secrets.
# $problem (Message)
policy-operand-of = { $text } of { $name }: { $problem }
policy-does-more-show-something = { $name } does more than show something.
policy-changes-something-when-given = { $name } changes something when it is given a name.
policy-needs-more-operands-given = { $name } needs more arguments.
policy-one-operand-too-many = `{ $operand }` is one argument too many for { $name }.
policy-may-file-another-machine = may be a file on another machine
policy-more-print-fields = does more than print fields
policy-may-list-arguments = may be a list of arguments
policy-not-plain-number = is not a plain number
policy-more-print-lines = does more than print lines
policy-may-read-more-input = may read more than its input
policy-would-set-clock = would set the clock
policy-time-zone-of-file = names a time zone, which is read from a file
policy-takes-names-files-another = takes the names of files from another command
policy-pattern-names-archives = is a pattern for the names of archives
policy-names-no-file = names no file
policy-not-plain-name = is not a plain name
policy-more-question-database = does more than query the database
policy-file-that-is-written = is a file that it writes
policy-more-arithmetic = does more than arithmetic
policy-database-address-not-understood = is an address of a database that is not understood
policy-holds-more-known-conversions = holds more than known conversions, one of which sets a variable
policy-may-run-verifier = may run a verifier
policy-test-variables-can-run = A test of variables can run code hidden in text.
policy-tests-nothing = { $word } tests nothing
policy-compares-nothing = compares with nothing
policy-comparison-numbers-evaluates-what = A comparison of numbers evaluates what it is given.
policy-not-known-harmless-test = `{ $left }` is not a known safe test.
policy-empty-page-requests-nothing = an empty page requests nothing
policy-allow-list-names = your list of allowed hosts contains it: { $entry }
policy-not-public-address-allow = { $address } is not a public address, and `{ $entry }` in your list of allowed hosts is not a local one
policy-redirect-holds-control-characters = the redirect holds control characters or blanks at its ends
policy-redirect-uses-backslash-programs = the redirect uses a backslash, which programs read differently
policy-redirect-no-address = the redirect isn't an address: { $error }
policy-address-holds-control-characters = the address holds control characters or blanks at its ends
policy-address-does-not-begin = the address does not begin with http:// or https://
policy-only-http-https-addresses = only http and https addresses are opened
policy-address-cannot-read = the address cannot be read: { $error }
policy-host-unusual-spelling = the host is an unusual spelling of { $address }
policy-address-names-no-host = the address names no host
policy-address-holds-user-name = the address holds a user name or a password
policy-host-holds-backslash-programs = the host holds a backslash, which programs read differently
policy-host-holds-percent-sign = the host holds a percent sign, which programs read differently
policy-host-holds-blanks-characters = the host holds blanks or characters that do not show
policy-host-holds-star = the host holds a star
policy-host-empty-label-dot = the host has an empty label or a dot at its end
policy-host-holds-letters-turn = the host holds letters that turn into other ones
policy-host-name-longer-names = the host name is longer than names can be
# $line (Number)
policy-rule-allows = your rule in line { $line } allows it
# $line (Number)
policy-rule-asks = your rule in line { $line } asks about it
# $line (Number)
policy-rule-denies = your rule in line { $line } denies it
# $reason (Message)
policy-would-change = { $reason }, which this would change
# $reason (Message)
policy-would-remove = { $reason }, which this would remove
# $reason (Message)
policy-open-to-call = { $reason }; it is open to this one call, and hidden again afterwards
# $reason (Message)
policy-stays-hidden = { $reason }; it stays hidden, because other commands in this call could read it: run the command on its own to be asked
policy-outside-writable = it is outside the folders that this task may change
policy-read-anything-below = Read anything below { $path }
policy-requests-unnamed-service = a page requests a service on this machine or network that you haven't allowed
policy-requests-unnamed-host = a page requests a host that you haven't allowed
policy-opens-own-server = a server that this task started
policy-opens-unnamed-service = it opens a service on this machine or network that you haven't allowed
policy-opens-unnamed-host = it opens a host that you haven't allowed
policy-offer-once = Once
policy-offer-names = Names only: every value is hidden
# $what (Message)
policy-offer-task = { $what } in { $place }, for this task
# $what (Message)
policy-offer-session = { $what } in { $place }, for this conversation
# $minutes (Number)
# $what (Message)
policy-offer-minutes = { $what } in { $place }, for { $minutes } minutes
# $what (Message)
policy-offer-always = { $what } in { $place }, always
policy-offer-command = `{ $command }`
policy-read-path = Read { $path }
policy-write-path = Write { $path }
policy-path-kernel = { $path } belongs to the kernel; nothing there is a file
# $links (Number)
policy-path-loop = the path goes through more than { $links } links
policy-path-not-folder = { $path } is not a folder
policy-path-up-from-nothing = the path goes up from { $path }, which does not exist
policy-path-too-long = the path leads to one that is longer than the kernel accepts
policy-path-unreadable = cannot look at { $path }: { $source }
policy-scope-folders = the task may change only { $folders }
policy-scope-read-only = the task may change nothing
policy-scope-files = the task may touch only { $files }
# $reason (Message)
policy-scope-spelled = { $reason }; { $path } differs only in letter case or in how accents are composed
policy-refused-before = you refused to let this task change { $path } at { $time }
# $because (Message)
policy-refused-before-because = you refused to let this task change { $path } at { $time } ("{ $because }")
policy-allowing-lifts-refusal = if you allow this, the task may change it again
policy-same-name-there = { $path } already exists. On many systems both names are the same file, and one would replace the other.
policy-scope-tags = the task may touch only files tagged { $tags }
policy-history-unreadable = { $path } cannot be read ({ $error })
policy-history-not-understood = something stored in it can't be parsed
policy-history-too-large = it is too large to check
policy-holds-more = holds more { $what ->
    [brackets] brackets
    [redirects] redirects
    [here-documents] here-documents
    [functions] functions
    [words] words
    [quotes] quoted parts
    [variables] variables
   *[commands] commands
 } than can be checked
policy-rules-unreadable = cannot read the rules in { $path }: { $source }; until it can be read everything asks
# $most (Number)
policy-rules-too-large = the rules in { $path } are larger than { $most } bytes; until they are shorter everything asks
# $reason (Message)
policy-rules-invalid = { $path }:{ $line }: { $reason }; until it is fixed, everything asks
# $reason (Message)
policy-line-is-wrong = line { $line }: { $reason }
policy-rule-argv-for-tool = `argv` is for commands, but the tool is `{ $tool }`
policy-rule-names-no-tool = the rule has no `tool`
policy-rule-allows-everything = a rule that allows needs `argv` or `pattern`
policy-rule-expires-without-date = `expires` needs a date
policy-rule-argv-and-pattern = a rule has `argv` or `pattern`, not both
policy-rule-names-no-program = `argv` names no program
policy-rule-pattern-unusable = `pattern` is not a regular expression that can be used: { $error }
policy-rule-within = `within` is `{ $text }`, but must begin with `/` or `~/`
policy-rule-needs-no-examples = a rule without `argv` and `pattern` matches everything; it needs no examples
policy-rule-example-matches-not = the rule should match `{ $example }`, but does not
policy-rule-example-matches = the rule should not match `{ $example }`, but does
policy-rule-example-not-simple = the example `{ $example }` is not one simple command
policy-rule-example-no-address = the example `{ $example }` is not an address
# $why (Message)
policy-names-no-secrets = `{ $text }` names no secrets: { $why }
policy-secrets-begin = begin it with `~/` for your home, `/` for the machine, or `**/` for every folder
policy-secrets-everything = it matches everything, so nothing could be read; name a file or a folder
policy-secrets-lead-elsewhere = `.` and `..` lead elsewhere; write the place itself
