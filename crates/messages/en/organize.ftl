### What cannot be done when files are organized, what was left out and why.

organize-same-id = another operation has the same id
# $reason (Message)
organize-bad-path = { $path } cannot be used as a path: { $reason }
organize-outside-scope = { $path } is outside the folders that the plan is about
organize-scope-itself = { $path } is the folder that the plan is about; only what is in it can be changed
# $reason (Message)
organize-protected = { $path } is protected: { $reason }
organize-missing = nothing is at { $path } at that point in the plan
organize-not-a-file = { $path } is a link or a special file; those are left alone
organize-copies-folder = { $path } is a folder; folders are moved, files are copied
organize-not-a-folder = { $path } is not a folder, so nothing can be in it
organize-into-itself = { $path } cannot go into itself
organize-takes-project-apart = { $path } belongs to the project { $project }, which is never taken apart
organize-folder-crosses = { $path } is on another device than its destination; move its files instead of the folder
organize-linked-crosses = { $path } has hard links, which moving to another device would break; copy it instead
organize-too-long = { $path } would be longer than the system allows
# $wrong (Message)
organize-operation = operation { $operation }: { $wrong }
# $reason (Message)
organize-scope = the plan is about { $folder }, which cannot be used: { $reason }
# $count (Number)
# $most (Number)
organize-too-many = the plan has { $count } operations, more than { $most }; make several plans of it
# $count (Number)
# $first (Message)
organize-cannot-be-done = { $count } operations cannot be done; { $first }
# $needed (Number)
# $free (Number)
organize-no-room = the plan needs { $needed } bytes on the device of { $folder }, which has { $free } free
organize-names-no-folder = it names no folder
organize-is-not-absolute = it is not an absolute path
organize-real-path = its real path is { $path }; name that
organize-is-not-a-folder = it is not a folder
organize-is-under-version-control = it is a project under version control, or inside its history; those stay whole
organize-is-the-root = the root of the file system is too much
organize-is-empty = it is empty
organize-holds-nul = it contains a NUL
organize-is-relative = it is relative, and the plan is about several folders
organize-leads-out = `..` leads out
organize-names-a-drive = it names a drive
organize-bad-new-name = a new name has no folder in it and is not empty
organize-belongs-to-project = it belongs to version control or to the settings of a project
organize-is-in-trash = it is in the trash
organize-holds-trash = the trash is in it
organize-scope-gone = the folder { $folder } is gone; nothing was changed. Bring it back, or give the job up
organize-job-ended-before = the job ended first
organize-something-else-at = something else is at { $path }
organize-folder-of-gone = the folder of { $path } is gone
organize-no-free-name = no free name was found next to { $path }
# $reason (Message)
organize-skipped-after-failure = skipped after it failed: { $reason }
organize-came-or-went = something in it was added or removed since it was checked
organize-gone = it is gone
organize-changed-since-check = it has changed since it was checked
organize-changed-while-moved = it was changed while it was moved
organize-changed-while-copied = it was changed while it was copied
organize-folder-there-already = the folder already exists
organize-gone-already = it is already gone
organize-no-folder-any-more = it is not a folder any more
organize-holds-other-things = it contains other things now, so it stays
organize-step-folder-crosses = { $path } is on another device than its destination, and folders do not cross; move its files instead
organize-step-linked-crosses = { $path } has hard links, which moving to another device would break; copy it instead
organize-cannot-be-created = { $path } cannot be created: something that is not a folder is there
organize-source-changed = { $path } changed while it was copied
organize-copy-differs = the copy of { $path } reads back with different content; the disk may be failing
organize-undo-gone = it is not where the job left it
organize-undo-changed = it has changed since the job
organize-undo-taken = something else is at its old path
organize-undo-folder-gone = its old folder is gone
organize-jobs-folder = could not use the folder of the jobs, { $folder }: { $source }
organize-unknown-job = there is no job { $job }; `deputy jobs` lists them
organize-overlap = the job { $other } works on { $folder } and is not done; resume it or undo it first
organize-undone-already = the job { $job } was already undone by the job { $by }; undo that one to redo it
organize-job-busy = another process is working on the job { $job }; wait for it, or stop it there
# $line (Number)
organize-journal-damaged = line { $line } of the journal { $path } is damaged; the job cannot be resumed or undone by itself. Look at its files, then move the journal away to free its folders
organize-write-failed-before = writing to it failed before
# $source (Message)
organize-cannot-scan = could not scan { $folder }: { $source }; name a folder that is there and that you may read
organize-is-project = { $folder } is a project under version control, which is never taken apart; name a folder above it
# $most (Number)
organize-too-many-files = the folders hold more than { $most } files; name a part of them
# $minutes (Number)
organize-scan-took-too-long = the scan was stopped after { $minutes } minutes; name a smaller folder
organize-scan-stopped = the scan was stopped
organize-unknown-operation = the plan has no operation { $operation }; its preview lists them
organize-folder-is-a-link = a folder above it is a link now, and links are not followed
organize-no-convention = { $text } is not a naming convention; write it as an example, e.g. lower-case, Title Case, UPPER_CASE or yyyy-mm-dd_lower_case
# $source (Message)
organize-cannot-use = could not use { $path }: { $source }
# $source (Message)
organize-cannot-open-the-folder-of = could not open the folder of { $path }: { $source }
# $source (Message)
organize-cannot-find-the-folder-of = could not find the folder of { $path }: { $source }
# $source (Message)
organize-cannot-look-at = could not look at { $path }: { $source }
# $source (Message)
organize-cannot-read = could not read { $path }: { $source }
# $source (Message)
organize-cannot-create = could not create { $path }: { $source }
# $source (Message)
organize-cannot-remove = could not remove { $path }: { $source }
# $source (Message)
organize-cannot-move = could not move { $path }: { $source }
# $source (Message)
organize-cannot-rename = could not rename { $path }: { $source }
# $source (Message)
organize-cannot-list = could not list { $path }: { $source }
# $source (Message)
organize-cannot-set-the-time-of = could not set the time of { $path }: { $source }
# $source (Message)
organize-cannot-sync = could not make durable the changes in { $path }: { $source }
# $source (Message)
organize-cannot-name = could not name { $path }: { $source }
# $source (Message)
organize-cannot-write = could not write { $path }: { $source }
# $source (Message)
organize-journal-cannot-create = could not create the journal { $path }: { $source }
# $source (Message)
organize-journal-cannot-make-anew = could not recreate the journal { $path }: { $source }
# $source (Message)
organize-journal-cannot-make-durable = could not make durable the journal { $path }: { $source }
# $source (Message)
organize-journal-cannot-wait-for = could not wait for the journal { $path }: { $source }
# $source (Message)
organize-journal-cannot-open = could not open the journal { $path }: { $source }
# $source (Message)
organize-journal-cannot-read = could not read the journal { $path }: { $source }
# $source (Message)
organize-journal-cannot-repair = could not repair the journal { $path }: { $source }
# $source (Message)
organize-journal-cannot-write = could not write the journal { $path }: { $source }
# $source (Message)
organize-cannot-sync-folder = could not make the folder of { $path } durable: { $source }
# $source (Message)
organize-cannot-sync-file = could not make { $path } durable: { $source }
# $source (Message)
organize-cannot-set-permissions = could not set the permissions of { $path }: { $source }
organize-same-content-as = the same content as { $path }
organize-project-whole = a project, moved as a whole
organize-named-by-convention = named by the convention
organize-unfinished-download = it is not downloaded completely
organize-stays-with = it stays with { $main }
organize-belongs-to = belongs to { $main }
organize-busy = it is open or has just changed
organize-unknown-kind = its kind is not known
organize-dated = { $date }, by { $source ->
    [camera] the camera
    [document] the document itself
    [recording] the recording itself
    [name] its name
   *[file] when it last changed
 }
organize-screenshot = a picture of the screen
organize-taken-on = taken on { $date }
organize-alike-there = says much the same as what is there
organize-alike = says much the same as { $others ->
    [one] 1 other
   *[other] { $others } others
 }
organize-folder-used = { $path } is used, whose name is nearly the same
organize-folder-becomes = the folder { $wanted } becomes { $free }
organize-name-becomes = the name { $wanted } becomes { $free }
organize-ending-dropped = the new name has no ending { $ending }, so programs may not open it
organize-there-already = it is there already
organize-name-fits-already = its name is already valid on every system
# $what (Message)
organize-plan = Organize { $folders }: { $what }
# $count (Number)
organize-moves = move { $count }
# $count (Number)
organize-renames = rename { $count }
# $count (Number)
organize-copies = copy { $count }
# $count (Number)
organize-trashes = put { $count } in the trash
organize-new-folders = { $count ->
    [one] 1 new folder
   *[other] { $count } new folders
 }
organize-unknown-draft = there is no draft `{ $draft }`; scan again, and use the ID that the scan gives
# $source (Message)
organize-cannot-use-draft = could not use the draft { $path }: { $source }
# $reason (Message)
organize-unfinished = no draft was made, because it would cover only a part: { $reason }; name a smaller folder or fewer files
organize-draft-or-operations = give either a draft or operations, not both
organize-no-operations = the plan has no operations; when nothing is to be done, say so and finish
organize-expected-folder = expected at least one folder
organize-cannot-open = { $path } cannot be opened: { $error }
organize-look-through-here = Scan this folder
organize-look-through = Scan { $folders }
organize-find-names-here = Find how files are named in this folder
organize-find-names = Find how files are named in { $folders }
organize-draft-here = Draft a plan for this folder
organize-draft = Draft a plan for { $folders }
organize-see-jobs = Check the jobs
organize-broke-off = organizing stopped: { $error }
organize-single-files = this task is limited to single files, so it cannot scan whole folders
organize-may-change-nothing = this call may change nothing
# $done (Number)
# $steps (Number)
organize-continue-job = Continue job { $job }: { $done } of { $steps } steps are done
organize-take-back-job = Undo the job { $job }, { $steps ->
    [one] 1 step
   *[other] { $steps } steps
 }
# $problems (Message)
organize-cannot-be-done-as = nothing was changed, because these cannot be done: { $problems }
organize-misnamed = operation { $operation } leaves a file named { $name }; by the convention its name is { $wanted }
# $problems (Message)
organize-names-against = nothing was changed, because the user chose names like { $pattern }: { $problems }
# $count (Number)
organize-and-more = and { $count } more
# $size (Message)
organize-operations = { $count ->
    [one] 1 operation
   *[other] { $count } operations
 }, { $size }
# $count (Number)
organize-left-alone = { $count } left alone
# $size (Message)
organize-scanned = { $files ->
    [one] 1 file
   *[other] { $files } files
 }, { $size }, { $surplus ->
    [one] 1 surplus copy
   *[other] { $surplus } surplus copies
 }
organize-drafted = { $count ->
    [one] 1 operation
   *[other] { $count } operations
 } in the draft
# $count (Number)
organize-more-than-fit = { $count } operations too many for one plan
# $count (Number)
organize-hidden = { $count } hidden or secret
# $count (Number)
organize-special = { $count } links or special
# $count (Number)
organize-unnamable = { $count } with unreadable names
# $count (Number)
organize-unreadable = { $count } unreadable
organize-suggestions = { $count ->
    [one] 1 suggestion
   *[other] { $count } suggestions
 }
organize-jobs = { $count ->
    [one] 1 job
   *[other] { $count } jobs
 }
# $done (Number)
# $steps (Number)
organize-job-done = job { $job }: { $done } of { $steps } steps done
# $done (Number)
# $left_out (Number)
# $steps (Number)
organize-job-done-left-out = job { $job }: { $done } of { $steps } steps done, { $left_out } left out
# $reason (Message)
organize-denied-job = the job { $job } was left as it is, since what it would do is denied: { $reason }
organize-in-the-way = something is in the way, so nothing was changed
organize-stopped = it was stopped, and can be continued
# $reason (Message)
organize-stopped-at = it stopped at { $operation }: { $reason }
organize-to-missing = operation { $operation }: `to` is missing
organize-expected-change = expected at least one change
organize-name-holds-folder = a name holds no folder; give the folder as `to`
organize-no-folder-in-name = a name holds no folder
organize-folder-missing = it is missing: the folder
organize-plain-folder = a folder that is made has a plain name, without fields
organize-template-missing = it is missing: a template, or `old` and `new`
organize-files-missing = it is missing: which files; or `from` with their paths
organize-expected-regex = expected a regular expression: { $error }
organize-in-another-change = another change of this draft covers it
organize-too-much-below = there is too much below the folder
organize-name-no-text = its name can't be read, so a plan cannot name it
organize-no-name-left = nothing would be left of its name
organize-in-each-others-way = its operations conflict with each other
organize-no-camera = no camera says when it was taken
organize-unknown-field = there is no field { $field }; the fields are { $known }
organize-open-brace = `{ $text }` has a { $open } without its { $close }
organize-unknown-date = its date is not known
organize-unknown-time = its time of the day is not known
organize-by-everything = Sorts loose files into folders by type and content; what is sorted already stays.
organize-by-kind = Sorts loose files into folders by type.
organize-by-date = Sorts loose files into folders by year and month.
organize-by-project = Moves loose projects into one folder.
organize-by-content = Sorts loose documents into folders by content.
organize-by-duplicates = Surplus copies go to the trash.
organize-by-names = Gives files consistent names; nothing moves.
organize-best-name-stays = Of files with the same content the one with the best name and the oldest date stays.
organize-names-look-like = Names look like { $pattern }.
organize-convention = { $case ->
    [lower] Words in lower case
    [title] Words that begin with a capital
   *[upper] Words in capitals
 } with { $separator ->
    [dash] dashes
    [underscore] underscores
   *[space] spaces
 } between them
# $convention (Message)
organize-date-first = { $convention }, the date first
