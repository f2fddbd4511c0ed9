### What is said of archives: what would be packed or unpacked, what was, and why not.

archive-list = List the archive { $path }
archive-pack = Pack { $what } into { $to }
archive-unpack = Unpack { $path } into { $to }
archive-expected-path = expected at least one path
archive-expected-name = expected a name that ends with .zip, .tar, .tar.gz or .tgz
# $source (Message)
archive-unreadable = { $path } is not a readable archive (.zip, .tar, .tar.gz, .tgz): { $source }
# $reason (Message)
archive-refused = { $path } was not unpacked, nothing was written: { $reason }
archive-taken = { $path } already exists; nothing was changed, choose another name
# $reason (Message)
archive-not-packed = { $path } was not packed, nothing was written: { $reason }
archive-of-none = it does not begin like an archive
archive-odd-name = its name contains characters that no archive needs
archive-leads-out = it leads out of the folder
archive-damaged = it is damaged, or has too many entries
# $most (Number)
archive-too-many-entries = it has more than { $most } entries
archive-unnamable = a name in it is not text
# $size (Message)
archive-listed = { $files ->
    [one] 1 file
   *[other] { $files } files
 }, { $folders ->
    [one] 1 folder
   *[other] { $folders } folders
 }, { $size } unpacked
# $packed (Message)
# $size (Message)
archive-packed = packed { $files ->
    [one] 1 file
   *[other] { $files } files
 }, { $folders ->
    [one] 1 folder
   *[other] { $folders } folders
 } ({ $size }) into { $to } ({ $packed })
# $count (Number)
archive-left-out = { $count } left out (links, hidden or secret)
# $reason (Message)
archive-of-entry = { $name }: { $reason }
# $most (Number)
archive-too-many = there are more than { $most } entries
# $most (Message)
archive-too-large = it is larger than { $most }
archive-stopped = it was stopped
archive-nothing-fits = nothing fits
archive-changed-while-packed = it changed while it was packed
# $size (Message)
archive-unpacked = unpacked { $files ->
    [one] 1 file
   *[other] { $files } files
 }, { $folders ->
    [one] 1 folder
   *[other] { $folders } folders
 } ({ $size }) into { $to }
# $error (Message)
# $written (Number)
archive-written-before = { $error }; { $written } of { $all ->
    [one] 1 entry
   *[other] { $all } entries
 } were written before
archive-link-or-special = it is a link or a special file
archive-something-there = something is already there
archive-same-name = two files in it have this name
# $most (Message)
archive-unpacks-to-more = it unpacks to more than { $most }
archive-changed-while-unpacked = it changed while it was unpacked
archive-not-read-again = it could not be read to its end a second time
