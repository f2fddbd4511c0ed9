### What goes wrong with the journal and the kept contents, and what was tried.

store-remove-half-written-content = remove half-written content
store-keep-content = keep content
store-keep-file = keep the file
store-is-symbolic-link-not-regular = it is a symbolic link, not a regular file
store-is-not-regular-file = it is not a regular file
store-is-larger-than-gb = it is larger than 4 GB, which is more than undo keeps; move it away first
store-changed-while-was-read-try = it changed while it was read; try again when nothing writes to it
store-keep-file-2 = keep a file
store-name-kept-content = name kept content
store-make-kept-content-durable = make kept content durable
store-remove-content = remove content that is not needed any more
store-read-kept-content = read kept content
store-event-of-journal-is-missing = event { $seq } of the journal is missing or was changed
store-unknown-task = there is no task { $task } in the journal; create it first, or check the id with `deputy tasks`
# $reason (Message)
store-cannot-create = task { $task } cannot be created: { $reason }
store-task-ended = task { $task } has ended, so `{ $event }` cannot be written to its journal; start a new task
store-not-open = request { $request } is no longer open; ask for its answer instead of answering it again
# $open (Number)
store-inbox-full = the inbox is full: { $open } requests and questions are waiting; answer one first
store-asked-already = the same call is already waiting, as request { $request }; answer that one first
store-unknown-blob = no content with digest { $digest } is kept, so it cannot be restored
store-damaged-blob = the kept content { $path } is damaged (its digest differs); it was left as it is and not used
# $reason (Message)
store-cannot-keep = { $path } cannot be kept: { $reason }
# $doing (Message)
store-disk-full = { $doing }: the disk that holds { $path } is full; nothing was written. Free some space and try again
# $doing (Message)
store-busy = { $doing }: another program keeps { $path } locked; close it (a database browser, a backup?) and try again
store-in-use = another Deputy process is using { $path }; talk to that one, end it, or choose another folder with --home
# $doing (Message)
store-read-only = { $doing }: { $path } cannot be written ({ $reason }); make it writable, or choose another folder with --home
# $advice (Message)
# $detail (Message)
store-corrupt = { $path } is damaged ({ $detail }); it was left exactly as it is.
    { $advice }
store-newer-format = { $path } was written by a newer Deputy (format { $found }, this one knows up to { $supported }); update Deputy, or choose another folder with --home. Nothing was changed
# $doing (Message)
store-database = { $doing } in { $path }: { $source }; run `deputy doctor`
# $doing (Message)
store-closed = { $doing }: the journal is closed, because its writer has ended; restart Deputy
store-exists-already = it exists already
store-open-home = open the home
store-is-empty-but-log = it is empty, but its log is not
store-open-journal = open the journal
store-set-damaged-journal-aside = set the damaged journal aside
store-create-folder = create the folder
store-make-folder-durable = make the folder durable
store-open-file = open the file
store-lock-home = lock the home
store-is-database-but-not-deputy = it is a database, but not Deputy's
store-back-up-journal-before-format = back up the journal before its format changes
store-event-is-of-task = event { $seq } is of a task that was never made
store-table-says-something-else-than = the table `{ $table }` says something else than the journal
store-write-to-journal = write to the journal
store-read-journal = read the journal
store-read-task-journal = read a task's journal
store-add-up-tokens = add up the tokens
store-read-task = read a task
store-list-tasks = list the tasks
store-read-session-tasks = read a session's tasks
store-find-task = find a task
store-list-unfinished-tasks = list unfinished tasks
store-read-state = read the state
store-list-open-requests = list open requests
store-list-open-questions = list open questions
store-read-request = read a request
store-look-into-inbox = look into the inbox
store-read-answer = read an answer
store-look-past-requests-up = look past requests up
store-answer-request = answer a request
store-answer-question = answer a question
store-look-for-notices = look for notices
store-begin-notices = begin notices
store-finish-notices = finish notices
store-list-grants = list grants
store-revoke-grant = revoke a grant
store-look-command-up = look a command up
store-remember-command = remember a command
store-check-journal = check the journal
store-remember-device = remember a device
store-list-devices = list devices
store-read-device = read a device
store-note-where-device-is-reached = note where a device is reached
store-rename-device = rename a device
store-revoke-device = revoke a device
store-note-that-device-was-seen = note that a device was seen
store-look-for-what-is-near = look for what is near
store-look-for-memories-to-embed = look for memories to embed
store-look-for-embeddings = look for embeddings
store-keep-embeddings = keep embeddings
store-note-what-could = note what could not be embedded
store-rebuild-embeddings = rebuild the embeddings
store-count-embeddings = count the embeddings
store-look-through-memories = look through the memories
store-search-memories = search the memories
store-look-for-memories-to-prune = look for memories to prune
store-look-for-preferences = look for preferences
store-look-for-what-was-said = look for what was said
store-prune-memories = prune memories
store-import-memories = import memories
store-remember-something = remember something
store-edit-memory = edit a memory
store-forget-memory = forget a memory
store-promote-memory = promote a memory
store-bring-memory-back = bring a memory back
store-specification-names-another-task = its specification names another task
store-start-journal-writer = start the journal's writer
store-write-journal = write the journal
# $doing (Message)
store-io = { $doing }: { $path }: { $source }
store-add-folder-of-documents = add a folder of documents
store-drop-folder-of-documents = drop a folder of documents
store-keep-documents = keep documents
store-drop-documents = drop documents that are gone
store-move-task-in-queue = move a task in the queue
store-no-embedding-model = no embedding model is the current one
store-embedding-of-another-size = the vector of embedding { $id } has { $numbers } numbers
store-begin-anew = End every Deputy process. There is no backup yet. To begin with an empty journal, run:
    {"  "}{ $set_aside }
store-begin-anew-or-from-backup = End every Deputy process. To continue from the newest backup, run:
    {"  "}{ $set_aside } && cp { $backup } { $database }
    To begin with an empty journal instead, run:
    {"  "}{ $set_aside }
store-look-for-document-folders = look for folders of documents
store-look-for-documents = look for documents
store-recall = recall
store-nothing-written = nothing was written
store-task-without-status = the task { $task } is open and has no status
store-creation-not-told = the journal has no record of the creation of { $task }
store-code-of-another-length = the code of embedding { $id } is { $words } words long
