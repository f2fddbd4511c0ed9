### What the host answers to commands and queries, and why a task asks or pauses.

agent-first-answer-counts = The first answer counts.
agent-question-answered = This question was already answered: { $quoted }
agent-asking-task-ended = The task that asked this has ended, so the answer goes nowhere.
agent-start-task-again-or-continue = Start the task again, or continue it with a new one.
agent-nothing-waits-under-id = Nothing waits under the id `{ $id }`.
agent-deputy-status-lists-what-waits = `deputy status` lists what waits.
agent-request-changed = Request { $id } is not about what this answer names.
agent-look-at-again-with-deputy = Look at it again with `deputy status`, then answer.
agent-answer-not-offered = Request { $id } does not offer that answer.
agent-deputy-status-lists-what-offers = `deputy status` lists what it offers; `--for once` always is.
agent-edits-not-droppable = Request { $id } cannot be allowed without what this answer leaves out.
agent-leave-out-some-of-edits = Leave out some of its edits, in its order, and allow the others once; to leave out all, deny it.
agent-device-may-not-answer = This device may not answer request { $id }.
agent-deputy-devices-list-shows-what = `deputy devices list` shows what each device may do.
agent-signature-over = The signed answer to request { $id } is not good now: it holds for two minutes.
agent-sign-new-one-by-clock = Sign a new one by the clock that the challenge names.
agent-signature-replayed = The answer to request { $id } carries a signature that was used before.
agent-sign-new-one-with-fresh = Sign a new one with a fresh nonce.
agent-request-expired = Request { $id } waited too long and counts as denied.
agent-start-task-again = Start the task again.
agent-documents-unreadable = The documents of { $path } cannot be read: { $error }.
agent-name-folder-of-documents = Name a folder of documents.
agent-documents-dropped-meanwhile = { $path } was dropped while it was read.
agent-index-again = Index it again.
agent-documents-not-indexed = The documents of { $path } are not indexed.
agent-deputy-memory-stats-lists-those = `deputy memory stats` lists those that are.
agent-there-is-no-grant = There is no grant `{ $grant }`.
agent-deputy-policy-grants-lists-them = `deputy policy grants` lists them.
agent-deputy-status-lists-what-offers-2 = `deputy status` lists what it offers.
agent-there-is-no-command = There is no command to look at.
agent-give-one-of-at-most = Give one of at most 64 KiB.
agent-folder-cannot-be-opened = The folder { $folder } cannot be opened: { $error }.
agent-give-one-that-exists = Give one that exists.
agent-there-is-no-event = There is no event { $seq }.
agent-snapshot-names-newest = The snapshot names the newest.
agent-no-such-picture = Call `{ $call }` gave back no such picture.
agent-result-names-pictures = Its result names the pictures it has.
agent-kept-content-unreadable = the kept content could not be read: { $error }
agent-no-more-output = Nothing more than its result is kept of call `{ $call }`.
agent-result-shows-all = Its result shows all of it.
agent-subject-too-long = What it is about has { $chars } characters; { $longest_subject_chars } are the most.
agent-name-in-word-or-two = Name it in a word or two.
agent-memory-is-empty = A memory needs words.
agent-give-words-or-forget = Give it some, or forget it.
agent-text-with-nul = The text holds a character that is no text (NUL).
agent-take-character-out = Take it out.
# $chars (Number)
# $longest_memory_chars (Number)
agent-memory-too-long = The text has { $chars } characters; a memory holds { $longest_memory_chars }.
agent-say-shorter = Say it shorter.
# $memory (Number)
agent-memory-is-passage = { $memory } is a passage of a document, which says what its file says.
agent-edit-file-or-drop-folder = Edit the file, or drop its folder with `deputy memory index --drop DIR`.
agent-memory-was-forgotten-so-there = Memory { $memory } was forgotten, so there is nothing to change.
agent-deputy-memory-restore-brings-back = `deputy memory restore { $memory }` brings it back.
agent-there-is-no-memory = There is no memory { $memory }.
agent-deputy-memory-list-shows-them = `deputy memory list` shows them with their numbers.
agent-nothing-was-lost = Nothing was lost; mend what it names and try again. `deputy doctor` helps.
agent-fix-configuration = Mend the file, or set the value with `deputy config set`.
agent-see-tasks = See `deputy tasks`.
agent-there-is-no-task = There is no task `{ $task }`.
agent-deputy-tasks-lists-them = `deputy tasks` lists them.
agent-workspace-is-home = The workspace is your whole home: commands that you allow see everything in it but known secrets, and may change all of it but what starts by itself (shells, autostart, programs, git, package managers). A narrower folder keeps them to it.
agent-workspace-holds-home = The workspace holds your whole home: commands that you allow see everything in it but known secrets, and may change all of it but what starts by itself (shells, autostart, programs, git, package managers). A narrower folder keeps them to it.
agent-not-a-tag = `{ $tag }` is no tag.
agent-tag-has-letter-at-each = A tag has a letter at each end, and no comma: `--tag TAG`.
agent-give-folder-that-exists = Give a folder that exists with `{ $option }`.
agent-not-a-folder = { $path } is not a folder.
agent-give-file-that-exists = Give a file that exists with `--only FILE`.
agent-file-cannot-be-opened = The file { $path } cannot be opened: { $error }.
agent-not-a-file = { $path } is not a file.
agent-folder-is-deputys = { $path } is Deputy's own; no task works there.
agent-path-not-utf-8 = The path { $name } is not valid UTF-8.
agent-rename-it = Rename it.
agent-not-a-key = That is no key.
agent-copy-again-from-provider-page = Copy it again from the provider's page.
agent-name-variable-that-holds-key = Name a variable that holds the key instead: `deputy config set backends.{ $backend }.api_key_env VARIABLE`.
agent-setting-is-whole-number = `{ $key }` is a whole number.
agent-give-number-of-or-more = Give a number of 0 or more.
agent-setting-is-one-line = `{ $key }` is one line of text.
agent-take-out-to-go-back = Take it out to go back to the default.
agent-deputy-profiles-list = `deputy profiles list`.
agent-setting-not-changed-here = `{ $key }` is not changed here.
agent-deputy-config-set-does = `deputy config set` does, or an editor.
agent-address-with-password = `{ $key }` can't contain a user name or password.
agent-put-key-into-keyring-instead = Put a key into the keyring instead: `deputy backends key`.
agent-key-of-this-backend-comes = The key of this backend comes from a variable that `config.toml` names, so its address is changed there.
agent-change-both-with-deputy-config = Change both with `deputy config set`.
agent-setting-does-not-fit = `{ $key }` cannot be set to that: { $unfit }.
agent-is-the-server-up = Is its server up, and is the address right?
# $secs (Number)
agent-no-answer-within = It did not answer within { $secs } s.
agent-database-is-sound = { $home }: the database is sound
agent-version-runs-backends = version { $version } runs; backends: { $backends }
agent-host-stumbled-over = The host stumbled over this: { $error }.
agent-try-again-deputy-doctor-helps = Try again; `deputy doctor` helps.
agent-task-is-empty = The task is empty.
agent-say-what-to-do = Say what is to be done.
# $goal (Number)
# $max_goal_bytes (Number)
agent-task-too-long = The task is { $goal } bytes long; at most { $max_goal_bytes } fit.
agent-put-text-into-file = Put the text into a file and name the file.
agent-deputy-profiles-list-shows-all = `deputy profiles list` shows all.
agent-continued-task-keeps-scope = A task that continues { $after } is held to the same files and folders.
agent-name-no-files-and-folders = Name no files and folders, or start a task of its own.
agent-deputy-queue-lists-those = `deputy queue` lists those that wait.
agent-task-does-not-wait = Task { $task } does not wait for its turn, so nothing was moved.
agent-task-cannot-start-before-itself = Task { $task } cannot start before itself.
agent-task-has-ended-already = Task { $task } has ended already.
agent-deputy-show-tells-how = `deputy show { $task }` tells how.
agent-no-background-command-of-task = No background command `{ $background }` of task { $task } is running.
agent-nothing-of-this-task-runs = Nothing of this task runs in the background.
agent-these-run = These run: { $all }.
agent-undo-of-task-broke-off = undo of task { $task } broke off: { $error }
agent-task-made-no-call = Task { $task } made no call `{ $call }`.
agent-deputy-show-json-names-calls = `deputy show { $task } --json` names its calls.
agent-task-cannot-go-on = task { $task } cannot continue: { $error }
# $times (Number)
agent-brake-same-call = The same `{ $tool }` call came { $times } times in a row. Keep trying? You can also say what to do instead.
# $times (Number)
agent-brake-call-fails = The same `{ $tool }` call failed { $times } times. Keep trying? You can also say what to do instead.
# $times (Number)
agent-brake-unusable = { $times } calls in a row could not run as they were written. Keep trying? You can also say what to do instead.
# $times (Number)
agent-brake-refused = You said no { $times } times in a row. Should the task continue? You can also say what to do instead.
# $times (Number)
agent-brake-denied = { $times } calls in a row were denied. Should the task continue? You can also say what to do instead.
agent-outcome-unknown = Deputy was cut off while this ran: { $call }. It may or may not have happened; it was not run again. Should the task continue?
agent-folder-does-not-exist = The folder { $path } does not exist.
# $step (Number)
agent-forked-from = Forked from task { $task } after step { $step }.
agent-had-not-ended = It had not ended when it was exported.
# $step (Number)
agent-step-has-not-ended = Step { $step } of task { $task } has not ended, or there is no such step.
agent-nothing-was-imported = Nothing was imported. Export the conversation again, then import it again.
# $number (Number)
agent-part-without-those-before = Part { $number } of an import came without those before it.
# $most (Number)
agent-conversation-is-too-long = The conversation is too long: { $most } events are the most.
agent-story-has-no-beginning = A task in the file does not begin with its request.
agent-review-asks = The review wants you to look: { $reason }
agent-review-failed = The review could not be made: { $why }
agent-review-unreadable = The review gave no clear answer.
