### What tools say: what a call would do, what came of it, and what went wrong.

tools-bytes = { $bytes ->
    [one] 1 byte
   *[other] { $bytes } bytes
 }
# $tenth (Number)
# $whole (Number)
tools-kilobytes = { $whole }.{ $tenth } KB
# $tenth (Number)
# $whole (Number)
tools-megabytes = { $whole }.{ $tenth } MB
# $tenth (Number)
# $whole (Number)
tools-gigabytes = { $whole }.{ $tenth } GB
# $tenth (Number)
# $whole (Number)
tools-terabytes = { $whole }.{ $tenth } TB
# $tenth (Number)
# $whole (Number)
tools-petabytes = { $whole }.{ $tenth } PB
# $tenth (Number)
# $whole (Number)
tools-exabytes = { $whole }.{ $tenth } EB
tools-nothing-changed = stopped before it was done; nothing was changed
tools-unknown-function = there is no function `{ $name }`; the functions are: { $known }
tools-unknown-function-nearest = there is no function `{ $name }`. Did you mean { $nearest }?
# $problem (Message)
tools-wrong-arguments = the arguments of `{ $function }` do not fit: { $problem }. The right call: { $right }
# $problem (Message)
tools-wrong-argument = the argument `{ $path }` of `{ $function }` does not fit: { $problem }. The right call: { $right }
tools-no-such-parameter = there is no such parameter
tools-parameter-is-missing = it is missing
tools-unknown-group = there is no group `{ $group }`; the groups are: { $known }
tools-open-group = Open the functions for { $group }
tools-opened-group = opened the functions for { $group }
# $problem (Message)
tools-wrong-parameters = the parameters of `{ $tool }` do not fit: { $problem }
# $problem (Message)
tools-wrong-parameter = the parameters of `{ $tool }` do not fit at `{ $path }`: { $problem }
tools-expected-object = expected an object of parameters
tools-expected-text = expected a text
tools-no-action = it is missing; the actions are: { $known }
tools-unknown-action = there is no action `{ $action }`; the actions are: { $known }
tools-expected-path = expected a path
tools-not-a-path = `{ $path }` does not name a file or folder
tools-not-found = { $path } does not exist
tools-not-found-but = { $path } does not exist; { $twin } does, and differs only in letter case or in how accents are composed
tools-not-found-near = { $path } does not exist. Did you mean { $near }?
tools-leads-outside = { $path } leads outside of the folders this task may reach without asking
tools-leads-outside-to = { $path } leads outside of the folders this task may reach without asking; ask for { $real } by that path
tools-through-link = { $path } goes through a symbolic link, which is not followed here
tools-through-link-to = { $path } goes through a symbolic link, which is not followed here; ask for { $real } by that path
tools-hidden = { $path } is protected: it holds secrets, and this action does not open it. To ask the user for it, read that file by its path
tools-no-names = the user allowed only the names of the settings in { $path }, and not every line of it is NAME=value, so nothing of it is shown. Read it again to ask for all of it
# $rule (Message)
tools-denied-by-rule = { $path } is off limits: { $rule }
# $scope (Message)
tools-out-of-scope = { $path } lies outside of this task's scope: { $scope }
tools-frozen = { $path } is protected from changes by tools; the user can change it by hand
tools-not-a-file = { $path } is a { $kind }, not a file
tools-not-a-folder = { $path } is a { $kind }, not a folder
tools-in-the-way = { $path } already exists and is a { $kind }; nothing was changed
# $names (Number)
tools-many-names = { $path } has { $names } names (hard links); writing it would change or separate the others, so nothing was changed
tools-changed-meanwhile = { $path } was changed by something else in this moment; nothing was changed, look at it again
# $most (Message)
# $size (Message)
tools-too-large = { $path } is { $size }, and this works on files of up to { $most }
# $source (Message)
tools-cannot-read = could not read { $path }: { $source }
# $source (Message)
tools-cannot-write = could not write { $path }: { $source }
# $source (Message)
tools-cannot-open = could not open { $path }: { $source }
# $source (Message)
tools-cannot-open-folder = could not open the folder { $path }: { $source }
# $source (Message)
tools-cannot-open-workspace = could not open the workspace { $path }: { $source }
# $source (Message)
tools-cannot-reach = could not reach { $path }: { $source }
# $source (Message)
tools-cannot-look-at = could not look at { $path }: { $source }
# $source (Message)
tools-cannot-find-real-path = could not find the real path of { $path }: { $source }
# $source (Message)
tools-cannot-keep-owner = could not keep the owner of { $path }: { $source }
# $source (Message)
tools-cannot-replace = could not replace { $path }: { $source }
# $source (Message)
tools-cannot-make-durable = could not make { $path } durable: { $source }
# $source (Message)
tools-cannot-create-folder = could not create the folder { $path }: { $source }
# $source (Message)
tools-cannot-make-link = could not make the link { $path }: { $source }
# $source (Message)
tools-cannot-set-permissions = could not set the permissions of { $path }: { $source }
# $source (Message)
tools-cannot-remove = could not remove { $path }: { $source }
# $source (Message)
tools-cannot-move = could not move { $path }: { $source }
# $source (Message)
tools-cannot-remove-folder = could not remove the folder { $path }: { $source }
tools-is-secret = it is a secret
tools-other-name-of-secret = it is another name of a secret
tools-no-regular-file-any-more = it is not a regular file any more
# $reason (Message)
tools-cannot-keep = { $path } could not be kept before it is changed, so it was left alone: { $reason }
# $reason (Message)
tools-cannot-use-kept = the kept content { $digest } could not be written or read: { $reason }
tools-read = Read { $path }
tools-list = List { $path }
tools-create-folder = Create the folder { $path }
# $size (Message)
tools-write-new = Write { $path } ({ $size }, new file)
# $size (Message)
tools-write-unchanged = Write { $path } ({ $size }, unchanged)
# $size (Message)
tools-write-replaces-file = Write { $path } ({ $size }, replaces the file)
# $size (Message)
tools-write-replaces = Write { $path } ({ $size }, replaces what is there)
# $places (Message)
tools-patch = Patch { $path } ({ $places })
tools-patch-no-text = Patch { $path } (there is no text to patch)
tools-patch-does-not-apply = Patch { $path } (does not apply, nothing would change)
tools-place = 1 place, line { $line }
# $count (Number)
tools-places = { $count } places, lines { $lines }
tools-expected-old = expected the piece to replace; to create a file use `write_file`
tools-same-as-old = it is the same as `old_string`
tools-same-content = { $path } already has exactly this content; nothing was changed
# $size (Message)
tools-wrote-new = wrote { $path } ({ $size }, new file)
# $size (Message)
tools-wrote-replaced = wrote { $path } ({ $size }, replaced)
tools-folder-there = { $path } is there already; nothing was changed
tools-created-folder = created the folder { $path }
# $places (Message)
tools-patched = patched { $path }: { $places }
tools-old-absent = `old_string` does not occur in { $path }; nothing was changed
tools-old-absent-read-again = `old_string` does not occur in { $path }; nothing was changed. Read the file again
tools-old-absent-near-miss = `old_string` does not occur in { $path }; nothing was changed. With other whitespace it is on line { $line }: copy it exactly from there
tools-old-has-line-numbers = `old_string` does not occur in { $path }; nothing was changed. The number and the tab before each line are not part of the file: leave them out
# $times (Number)
tools-old-ambiguous = `old_string` occurs { $times } times in { $path }, on lines { $lines }; nothing was changed. Give more of the lines around it, or set replace_all
tools-not-text-to-patch = { $path } is not text, or its encoding is not known, so it is not patched
# $line (Number)
tools-patch-unread = line { $line } of the patch is not understood: `{ $text }`; nothing was changed. A patch begins with `*** Begin Patch` and ends with `*** End Patch`. Between them, each file begins with `*** Add File: PATH`, `*** Update File: PATH` (a line `*** Move to: PATH` may follow) or `*** Delete File: PATH`; the lines of an added file begin with `+`, and those of a changed part with a space, `-` or `+`, after a line `@@`
tools-patch-names-twice = the patch names a file twice; nothing was changed. Put all changes of a file under one line
# $line (Number)
tools-patch-part-absent = { $path } does not contain the lines that begin at line { $line } of the patch; nothing was changed. Read the file again and copy them exactly
# $line (Number)
tools-patch-part-ambiguous = { $path } contains the lines that begin at line { $line } of the patch more than once, at lines { $lines }; nothing was changed. Give more of the lines around them, or name a line above them after `@@`
tools-folder-not-empty = { $path } is not empty, so it was not deleted; the command `rm -r` deletes a folder with everything in it
tools-move-to = Move { $from } to { $to }
tools-moved = moved { $from } to { $to }
tools-delete = Delete { $path }
tools-deleted = deleted { $path }
# $count (Number)
tools-change-files = { $count ->
    [one] Change { $paths }
   *[other] Change { $count } files: { $paths }
}
# $count (Number)
tools-changed-files = { $count ->
    [one] changed { $paths }
   *[other] changed { $count } files: { $paths }
}
tools-may-only-read = { $path } was not changed: this call was only allowed to read; make the call again to have it judged again
tools-changed-while-patched = { $path } changed while it was being patched; nothing was changed, read it again
# $character (Message)
tools-encoding-lacks-character = { $path } is stored as { $encoding }, which does not have the character `{ $character }`; nothing was changed. Write it without that character, or convert the file first: iconv -f { $encoding } -t UTF-8
tools-file-work-broke-off = working on the file failed: { $error }
tools-damaged-document = { $path } is damaged or cut off: it cannot be opened as a document
tools-empty-file = { $path }: empty file
# $size (Message)
tools-lines-read = { $path }: lines { $first }-{ $last } of { $total }, { $size }
# $size (Message)
tools-lines-read-of-many = { $path }: lines { $first }-{ $last } of many, { $size }
# $summary (Message)
tools-read-its-text = { $summary }, its text
# $first (Number)
# $last (Number)
# $total (Number)
tools-read-names-only = { $path }: lines { $first }-{ $last } of { $total }, every value hidden: the user allowed only the names
# $summary (Message)
tools-stored-as = { $summary }, stored as { $encoding }
# $summary (Message)
tools-read-lossy = { $summary }, not UTF-8: some characters are replaced
# $size (Message)
tools-read-picture = { $path }: { $kind } picture, { $width } x { $height } pixels, { $size }
# $size (Message)
tools-read-binary = { $path }: { $kind ->
    [png] PNG picture
    [jpeg] JPEG picture
    [gif] GIF picture
    [riff] RIFF file, such as a WebP picture or a sound
    [pdf] PDF document
    [zip] ZIP archive or office document
    [gzip] gzip archive
    [program] program (ELF)
    [sqlite] SQLite database
    [utf-16] UTF-16 text
    [ogg] Ogg sound or film
   *[other] binary file
 }, { $size }
tools-has-only-lines = { $path } has only { $lines ->
    [one] 1 line
   *[other] { $lines } lines
 }
# $lines (Number)
# $scanned (Message)
# $size (Message)
tools-beyond-scanned = { $path } is { $size }; only its first { $scanned }, { $lines } lines, can be read by line number. Use `grep` or `tail_file`
tools-seconds = { $seconds ->
    [one] 1 second
   *[other] { $seconds } seconds
 }
# $spent (Message)
tools-stopped-after = stopped after { $spent }, the rest was not looked at
# $spent (Message)
tools-stopped-after-inside = stopped after { $spent } inside { $file }, the rest was not looked at
tools-files = { $count ->
    [one] 1 file
   *[other] { $count } files
 }
tools-folders = { $count ->
    [one] 1 folder
   *[other] { $count } folders
 }
tools-links = { $count ->
    [one] 1 link
   *[other] { $count } links
 }
tools-special-files = { $count ->
    [one] 1 special file
   *[other] { $count } special files
 }
tools-lines = { $count ->
    [one] 1 line
   *[other] { $count } lines
 }
tools-words = { $count ->
    [one] 1 word
   *[other] { $count } words
 }
# $count (Number)
tools-could-not-be-read = { $count } could not be read
# $reason (Message)
tools-unreadable-table = { $path } cannot be read as a table: { $reason }
tools-no-column = { $path } has no column `{ $column }`; its columns are: { $known }
tools-needs-column = `{ $of }` needs a column
tools-too-many-rows = { $path } has too many rows to hold; ask for fewer with `where`, `limit` or without `sort`
tools-is-no-text = it is not text
tools-line-too-long = a line is too long for a table
tools-row-too-long = row { $row } is too long, perhaps a quote is never closed
tools-table-broke-off = reading the table failed: { $error }
# $rows (Number)
tools-selected = { $rows } of { $all ->
    [one] 1 row
   *[other] { $all } rows
 }, { $columns ->
    [one] 1 column
   *[other] { $columns } columns
 }
# $fitting (Number)
# $rows (Number)
tools-selected-of-fitting = { $rows } of { $all ->
    [one] 1 row
   *[other] { $all } rows
 }, { $fitting } fit, { $columns ->
    [one] 1 column
   *[other] { $columns } columns
 }
tools-grouped = { $groups ->
    [one] 1 group
   *[other] { $groups } groups
 } of { $rows ->
    [one] 1 row
   *[other] { $rows } rows
 }
tools-no-numbers = { $cells ->
    [one] 1 cell
   *[other] { $cells } cells
 } passed by, which hold no number
# $reason (Message)
tools-tags-not-set = the tags of { $path } could not be set: { $reason }; tags of { $done ->
    [one] 1 file
   *[other] { $done } files
 } before it were
tools-tags-scoped = this task may only touch files with certain tags, so it may not set any; nothing was changed
# $most (Number)
tools-expected-paths = expected 1 to { $most } paths
tools-expected-tag = expected at least one tag to add or to remove
# $most (Number)
tools-expected-tags = expected tags of 1 to { $most } characters without commas
tools-add-tags = Add the tags { $added }: { $files }
tools-remove-tags = Remove the tags { $removed }: { $files }
tools-change-tags = Add the tags { $added } and remove the tags { $removed }: { $files }
tools-tags-broke-off = setting tags failed: { $error }
tools-tags-changed = { $count ->
    [one] 1 file
   *[other] { $count } files
 } changed
# $most (Number)
tools-tags-too-long = together they have more than { $most } bytes
tools-disk-keeps-no-tags = its file system does not support tags
tools-no-memory-here = memory is not available here
tools-unknown-memory = this folder has no memory { $memory }; `memory_recall` and `memory_list` show the numbers
tools-different-memory = memory { $memory } has a different text; give its text as `memory_recall` and `memory_list` show it
# $reason (Message)
tools-memory-failed = the memory could not be used: { $reason }
tools-recall = Look in memory for { $said }
tools-list-memories = List what is remembered
# $task (Message)
tools-read-earlier-task = Look up the earlier task { $task }
# $task (Message)
tools-earlier-task = What is known of the earlier task { $task }:
# $task (Message)
tools-unknown-earlier-task = no earlier task of this folder that has ended is called { $task }
tools-remember-everywhere = Remember for all folders: { $said }
tools-remember-here = Remember for this folder: { $said }
tools-remember-everywhere-about = Remember for all folders, about { $about }: { $said }
tools-remember-here-about = Remember for this folder, about { $about }: { $said }
tools-forget = Forget memory { $memory }: { $said }
tools-read-scratchpad = Read the scratchpad
tools-note = Note down: { $said }
tools-nothing-known = No memories match.
tools-nothing-remembered = Nothing has been remembered.
tools-memories = { $count ->
    [one] 1 memory
   *[other] { $count } memories
 }.
tools-expected-words = expected words
# $chars (Number)
# $most (Number)
tools-too-many-characters = it has { $chars } characters; the limit is { $most }
tools-remembered-everywhere = Remembered for all folders, as memory { $memory }.
tools-remembered-here = Remembered for this folder, as memory { $memory }.
tools-noted = Noted down.
tools-scratchpad-empty = The scratchpad is empty.
tools-scratchpad = The scratchpad.
tools-forgot = Forgot memory { $memory }.
tools-no-skill-here = there is no skill `{ $name }` here
tools-get-skill = Get the skill { $name }
tools-skill = Skill { $name }
# $progress (Message)
tools-todo = To-do list: { $progress }
# $most (Number)
# $steps (Number)
tools-too-many-steps = there are { $steps } steps; the limit is { $most }
# $done (Number)
# $total (Number)
tools-steps-done = { $done } of { $total } steps done
# $done (Number)
# $total (Number)
tools-steps-done-now = { $done } of { $total } steps done; now: { $current }
tools-no-steps = no steps
tools-expected-command = the command is empty
tools-holds-nul = a NUL character cannot be passed to bash
tools-expected-folder = expected a folder; leave it out for the workspace
tools-no-folder = `{ $path }` is not a folder
tools-folder-not-found = there is no folder `{ $path }`; paths are relative to the workspace
tools-expected-at-least-one = expected at least 1
tools-run = Run { $command }
tools-not-run-undecided = the command was not run: no decision says how it is to run
tools-not-run = the command was not run: { $error }
# $tenth (Number)
# $whole (Number)
tools-secs = { $whole }.{ $tenth } s
# $took (Message)
tools-exited = exit code { $code } after { $took }
# $took (Message)
tools-out-of-memory = ended after { $took }: a process used more memory than a command may
tools-temporary-files-full = ended after { $took }: its files in `/tmp` used more disk space than they may; delete what is no longer needed there
# $took (Message)
tools-signalled = ended by signal { $signal } after { $took }
# $secs (Number)
tools-timed-out = ended after the time limit of { $secs } s
# $took (Message)
tools-stopped-command = stopped after { $took }
# $ended (Message)
# $omitted (Message)
tools-output-left-out = { $ended }, { $omitted } of output left out
tools-no-background-here = there are no background commands here
tools-start-background = Start in the background: { $command }
tools-read-output = Read the output of { $id }
tools-stop-background = Stop the background command { $id }
tools-list-background = List the background commands
tools-not-started-undecided = the command was not started: no decision says how it is to run
# $error (Message)
tools-not-started = the command was not started: { $error }
tools-started-as = started as { $id }
# $line (Message)
tools-of-command = { $id }: { $line }
# $standing (Message)
tools-nothing-new = { $id }: { $standing }, nothing new
# $from (Number)
# $standing (Message)
# $to (Number)
# $written (Number)
tools-new-output = { $id }: { $standing }, bytes { $from } to { $to } of { $written }
tools-background-commands = { $count ->
    [one] 1 background command
   *[other] { $count } background commands
 }
tools-undo-already = already as before
tools-undo-would-remove = would be removed
tools-undo-would-set-permissions = would get its old permissions back
tools-undo-would-create = would be created
tools-undo-would-bring-back = would be restored
tools-undo-would-put-back = would be changed back
tools-undo-removed = removed
tools-undo-permissions-set = got its old permissions back
tools-undo-created = created
tools-undo-brought-back = restored
tools-undo-put-back = changed back
tools-redo-changed = changed again
tools-redo-created = created again
tools-redo-output = not created again: it is build output, which the next build creates
tools-undo-changed-meanwhile = changed since, while undo was running; it was left alone
# $now (Message)
tools-undo-changed = changed since: { $now }
tools-undo-copy-lost = its kept copy is missing or damaged, so it cannot be restored
tools-undo-not-kept = no copy of the earlier file was made, so it is left as it is
tools-undo-home-taken = left in place: it came from { $home }, which cannot be restored
tools-undo-folder-holds = changed since: the folder holds { $first }, which was not made by these calls
tools-undo-output-changed = changed since: { $first } was changed or moved there by something else. The folder holds build output; remove it yourself if you don't need it
tools-undo-cannot-list = could not list the folder: { $error }
# $error (Message)
tools-undo-next-to-it = { $error }; the earlier file is now { $name }, in the same folder
# $error (Message)
# $second (Message)
tools-undo-not-next-to-it = { $error }; and it could not be saved in the same folder: { $second }
tools-undo-pipe-there = a pipe is there now
tools-undo-socket-there = a socket is there now
tools-undo-device-there = a device is there now
tools-undo-nothing-there = nothing is there now
tools-undo-other-content = the file has different content now
tools-undo-folder-there = a folder is there now
tools-undo-link-there = a link is there now
tools-undo-no-file-there = something that is not a file is there now, or its path goes through a link
tools-keeps-secrets = { $path } is where secrets are kept
tools-is-link = it is a link
tools-holds-no-text = it holds no text
tools-not-what-it-says = its content doesn't match its extension
tools-unknown-background = there is no background command `{ $asked }`; there are: { $known }
tools-no-background-yet = there is no background command `{ $asked }`; none has been started since Deputy started
# $running (Number)
tools-too-many-background = { $running } background commands of this task run already, as many as `limits.background_commands` allows; stop one first
tools-background-did-not-start = it did not start: { $error }
# $line (Message)
tools-background-ended = ended, { $line }
# $secs (Number)
tools-background-running = running for { $secs } s
tools-background-all-kept = ended, all of it is kept
tools-background-cut = ended, { $omitted ->
    [one] 1 byte
   *[other] { $omitted } bytes
 } after this were not kept
tools-background-gone = it ended while it was being stopped
tools-background-restarted = ended when Deputy was restarted
# $most (Number)
# $parts (Number)
tools-expected-parts = there are { $parts } tasks; expected 1 to { $most }
# $most (Number)
tools-expected-goal = expected 1 to { $most } bytes
tools-expected-paths-to-read = expected at least one path; leave it out for all that this task may read
tools-hand-over = Start a sub-task: { $goal }
# $parts (Number)
tools-hand-over-parts = Start { $parts } sub-tasks
# $done (Number)
# $total (Number)
tools-subtasks-done = { $done } of { $total } sub-tasks done
tools-nothing-handed-over-here = sub-tasks cannot be started here
# $height (Number)
# $width (Number)
tools-picture = { $name }: { $kind } picture, { $width } x { $height } pixels
# $summary (Message)
tools-content-not-shown = { $summary }; its content is not shown
tools-secret-not-copied = a secret, of which no copy is made
tools-name-not-utf-8 = its name is not valid UTF-8
tools-no-file-at-all = not a file
tools-link-not-utf-8 = a link that is not valid UTF-8
tools-not-readable = not readable
tools-larger-than-kept = larger than what is kept
tools-beyond-number-kept = beyond the number of files that are kept
tools-beyond-size-kept = beyond the size that is kept
# $size (Message)
# $why (Message)
tools-left-of-undo = { $name } ({ $size }): { $why }
tools-not-looked-into = { $folder }/: not searched
