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
tools-unknown-tool = there is no tool `{ $name }`; the tools are: { $known }
tools-unknown-tool-nearest = there is no tool `{ $name }`, did you mean `{ $nearest }`? The tools are: { $known }
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
tools-leads-outside = { $path } leads outside of the folders this task may reach without asking
tools-leads-outside-to = { $path } leads outside of the folders this task may reach without asking; ask for { $real } by that path
tools-through-link = { $path } goes through a symbolic link, which is not followed here
tools-through-link-to = { $path } goes through a symbolic link, which is not followed here; ask for { $real } by that path
tools-hidden = { $path } is protected: it holds secrets, and no tool reads or lists it
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
tools-expected-old = expected the piece to replace; to create a file use `write`
tools-same-as-old = it is the same as `old`
tools-same-content = { $path } already has exactly this content; nothing was changed
# $size (Message)
tools-wrote-new = wrote { $path } ({ $size }, new file)
# $size (Message)
tools-wrote-replaced = wrote { $path } ({ $size }, replaced)
tools-folder-there = { $path } is there already; nothing was changed
tools-created-folder = created the folder { $path }
# $places (Message)
tools-patched = patched { $path }: { $places }
tools-old-absent = `old` does not occur in { $path }; nothing was changed
tools-old-absent-read-again = `old` does not occur in { $path }; nothing was changed. Read the file again
tools-old-absent-near-miss = `old` does not occur in { $path }; nothing was changed. With other whitespace it is on line { $line }: copy it exactly from there
# $times (Number)
tools-old-ambiguous = `old` occurs { $times } times in { $path }, on lines { $lines }; nothing was changed. Give more of the lines around it, or set replace_all
tools-not-text-to-patch = { $path } is not UTF-8 text, so it is not patched
tools-may-only-read = { $path } was not changed: this call was allowed to read only; make the call again to have it decided anew
tools-changed-while-patched = { $path } changed while it was being patched; nothing was changed, read it again
tools-file-work-broke-off = the work on the file broke off: { $error }
tools-empty-file = { $path }: empty file
# $size (Message)
tools-lines-read = { $path }: lines { $first }-{ $last } of { $total }, { $size }
# $size (Message)
tools-lines-read-of-many = { $path }: lines { $first }-{ $last } of many, { $size }
# $summary (Message)
tools-read-its-text = { $summary }, its text
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
tools-beyond-scanned = { $path } is { $size }; only its first { $scanned }, { $lines } lines, can be read by line number. Use `search` with `tail` or `grep`
