### What the host answers to commands and queries, and why a task asks or pauses.

agent-first-answer-counts = The first answer counts.
agent-question-answered = This question was already answered: { $quoted }
agent-asking-task-ended = The task that asked this has ended, so the answer is no longer needed.
agent-start-task-again-or-continue = Start the task again, or continue it with a new one.
agent-nothing-waits-under-id = Nothing waits under the id `{ $id }`.
agent-deputy-status-lists-what-waits = `deputy status` lists what waits.
agent-request-changed = This answer doesn't match request { $id }.
agent-look-at-again-with-deputy = Look at it again with `deputy status`, then answer.
agent-answer-not-offered = Request { $id } does not offer that answer.
agent-deputy-status-lists-what-offers = `deputy status` lists what it offers; `--for once` always is.
agent-calls-not-droppable = Request { $id } can't be allowed without what this answer leaves out.
agent-leave-out-some-of-calls = Leave out some of its calls and allow the others once, or deny the request.
agent-device-may-not-answer = This device may not answer request { $id }.
agent-deputy-devices-list-shows-what = `deputy devices list` shows what each device may do.
agent-signature-over = The signed answer to request { $id } has expired; it's good for two minutes.
agent-sign-new-one-by-clock = Sign a new one by the clock that the challenge names.
agent-signature-replayed = The signature on the answer to request { $id } was used before.
agent-sign-new-one-with-fresh = Sign a new one with a fresh nonce.
agent-request-expired = Request { $id } expired. Nothing was done, and the task asks again now.
agent-documents-unreadable = The documents of { $path } cannot be read: { $error }.
agent-name-folder-of-documents = Name a folder of documents.
agent-documents-dropped-meanwhile = { $path } was removed while it was being indexed.
agent-index-again = Index it again.
agent-documents-not-indexed = The documents of { $path } are not indexed.
agent-deputy-memory-stats-lists-those = `deputy memory stats` lists those that are.
agent-there-is-no-grant = There is no grant `{ $grant }`.
agent-deputy-policy-grants-lists-them = `deputy policy grants` lists them.
agent-deputy-status-lists-what-offers-2 = `deputy status` lists what it offers.
agent-there-is-no-command = No command was given.
agent-give-one-of-at-most = Give one of up to 64 KiB.
agent-folder-cannot-be-opened = The folder { $folder } cannot be opened: { $error }.
agent-give-one-that-exists = Give one that exists.
agent-no-browser-to-take = This task has no browser open.
agent-browser-opens-with-page = Its browser opens with the first page that the task visits.
agent-no-display-for-browser = Deputy runs without a display here, so it can't open a window.
agent-start-deputy-on-desktop = Start Deputy from the desktop of this computer, with an X display (Wayland desktops have one too).
agent-browser-in-use = The task is using its browser right now.
agent-take-browser-later = Try again in a moment, or pause the task first.
agent-browser-not-in-window = The browser could not be opened in a window: { $error }.
agent-task-keeps-browser = The task keeps its browser as it was.
agent-browser-not-given-back = The browser did not start again for the task: { $error }.
agent-task-opens-new-browser = The task opens a new one when it needs it; you may have to sign in again.
agent-there-is-no-event = There is no event { $seq }.
agent-snapshot-names-newest = The snapshot names the newest.
agent-no-such-picture = Call `{ $call }` returned no such picture.
agent-result-names-pictures = Its result names the pictures it has.
agent-kept-content-unreadable = the kept content could not be read: { $error }
agent-no-more-output = Only the result of call `{ $call }` was kept.
agent-result-shows-all = Its result shows all of it.
agent-subject-too-long = The subject has { $chars } characters; the limit is { $longest_subject_chars }.
agent-name-in-word-or-two = Name it in a word or two.
agent-memory-is-empty = A memory can't be empty.
agent-give-words-or-forget = Write something, or forget it.
agent-text-with-nul = The text contains a NUL character.
agent-take-character-out = Remove it.
# $chars (Number)
# $longest_memory_chars (Number)
agent-memory-too-long = The text has { $chars } characters; the limit is { $longest_memory_chars }.
agent-say-shorter = Shorten it.
# $memory (Number)
agent-memory-is-passage = { $memory } is a passage of a document; its file decides what it says.
agent-edit-file-or-drop-folder = Edit the file, or remove its folder with `deputy memory index --drop DIR`.
agent-memory-was-forgotten-so-there = Memory { $memory } was forgotten, so there is nothing to change.
agent-deputy-memory-restore-brings-back = `deputy memory restore { $memory }` brings it back.
agent-there-is-no-memory = There is no memory { $memory }.
agent-deputy-memory-list-shows-them = `deputy memory list` shows them with their numbers.
agent-nothing-was-lost = Nothing was lost. Fix what it names and try again; `deputy doctor` helps.
agent-fix-configuration = Fix the file, or set the value with `deputy config set`.
agent-see-tasks = See `deputy tasks`.
agent-there-is-no-task = There is no task `{ $task }`.
agent-deputy-tasks-lists-them = `deputy tasks` lists them.
agent-workspace-is-home = The workspace is your whole home: commands that you allow can see everything in it except known secrets, and can change everything except files that start programs (shells, autostart, programs, git, package managers). A narrower folder limits them to it.
agent-workspace-holds-home = The workspace contains your whole home: commands that you allow can see everything in it except known secrets, and can change everything except files that start programs (shells, autostart, programs, git, package managers). A narrower folder limits them to it.
agent-not-a-tag = `{ $tag }` isn't a valid tag.
agent-tag-has-letter-at-each = A tag starts and ends with a letter and has no commas: `--tag TAG`.
agent-give-folder-that-exists = Give a folder that exists with `{ $option }`.
agent-not-a-folder = { $path } is not a folder.
agent-give-file-that-exists = Give a file that exists with `--only FILE`.
agent-file-cannot-be-opened = The file { $path } cannot be opened: { $error }.
agent-not-a-file = { $path } is not a file.
agent-folder-is-deputys = { $path } is Deputy's own folder; tasks can't work there.
agent-valid = valid
agent-no-rules-of-your-own = none of your own
agent-rules-are-valid = are valid, and their examples hold
agent-home-is-yours-alone = only you can change the files that control tasks
agent-home-belongs-to-another = { $path } belongs to another user (uid { $owner }), who could use it to control your tasks
agent-home-writable-by-others = other users can write to { $path }, and could use it to control your tasks
agent-use-folder-of-your-own = Use a folder of your own with --home DIR, or have the owner give it to you with `chown`.
agent-home-is-shared = Anyone can put files into { $path }; use a folder of your own with --home DIR.
agent-take-permission-away = Check what is in it, then take the permission away: chmod go-w '{ $path }'
# $found (Message)
# $mend (Message)
agent-home-is-unsafe = { $found }. { $mend }
agent-commands-are-confined = commands are confined by { $kind }
# $missing (Message)
agent-commands-cannot-be-confined = commands cannot be confined, so each of them asks: { $missing }
agent-tasks-use-browser = tasks use { $name } at { $path }
agent-browser-without-bubblewrap = { $name } cannot be kept from the network without bubblewrap, so tasks do not use it. Install bubblewrap.
agent-no-browser = none is installed, so tasks read pages by `fetch_page` alone. Install Chromium, Google Chrome or Microsoft Edge.
agent-copies-are-there = every copy that undo needs is there
# $count (Number)
# $named (Message)
agent-copies-lost = { $count ->
    [one] 1 copy that undo needs is missing or damaged, so it cannot be restored
   *[other] { $count } copies that undo needs are missing or damaged, so they cannot be restored
 }: { $named }. Copy them back into { $folder } from a backup, if you have one
agent-lost-copy = { $path } (task { $task })
agent-calls-tools = The model can call tools.
agent-calls-tools-wrongly = The model called the tool, but without the word that it was given. Tasks may go wrong with it; choose another model.
agent-calls-no-tools = The model answered in words instead of calling the tool. Tasks need a model that can call tools: choose another one, or set `supports_tools`.
# $secs (Number)
agent-tools-not-known-in-time = It is not known whether the model can call tools: it did not answer within { $secs } seconds.
# $error (Message)
agent-tools-not-known = It is not known whether the model can call tools: { $error }
agent-no-job-interrupted = none interrupted
agent-backend-is-ready = ready: { $backend }
agent-there-is-no-backend = There is no backend `{ $name }`; there are: { $known }.
agent-put-your-own-backend = Put your own as `{ $name }.py` into { $folder }.
# $error (Message)
agent-backend-unusable = The backend `{ $name }` cannot be used: { $error }.
agent-correct-backend-file = Correct the file; docs/backends.md shows the form.
agent-backend-needs-setting = The backend `{ $name }` needs its setting `{ $setting }`.
agent-set-it-or-on-page = Set it with `deputy config set { $key } VALUE`, or on the settings page.
# $why (Message)
agent-backend-needs-key = The backend `{ $name }` needs a key, and { $why }.
agent-variable-not-set = the variable { $variable } is not set
agent-set-variable = Set { $variable } in the environment that Deputy starts in, name another one with `deputy config set backends.{ $backend }.api_key_env VARIABLE`, or put the key into the desktop's keyring with `deputy backends key { $backend }`.
agent-keyring-has-no-entry = the desktop's keyring has no entry `{ $entry }`
agent-put-key-there = Put it there with `deputy backends key { $backend }`.
agent-unlock-keyring = Unlock it and try again, or name the variable that holds the key with `deputy config set backends.{ $backend }.api_key_env VARIABLE`.
agent-keyring-unavailable = the desktop's keyring cannot be used: { $why }
# $secs (Number)
agent-keyring-silent = the desktop's keyring did not answer within { $secs } s; is it waiting for its password?
agent-backend-file-unreadable = { $path } cannot be read: { $source }
# $why (Message)
agent-declaration-not-valid = what the file declares between `# /// deputy` and `# ///` is not valid: { $why }
agent-line-no-comment = a line in it is not a comment, or its end is missing
agent-end-is-missing = its end is missing
agent-backend-has-no-settings = the backend has no settings
agent-backend-has-no-such-setting = the backend has no such setting; it has { $known }
agent-takes-one-line = it takes one line of text
agent-takes-address = it takes the address of a server, such as http://127.0.0.1:11434
agent-takes-number = it takes a number
agent-takes-switch = it takes `true` or `false`
agent-takes-one-of = it takes one of { $choices }
agent-takes-table = it takes names with texts, such as {"{"} name = "text" {"}"}
agent-configuration-inaccessible = the configuration { $path } cannot be accessed: { $source }
# $why (Message)
agent-configuration-not-valid = the configuration { $path } is not valid: { $why }
# $why (Message)
agent-cannot-be-set-to-that = `{ $key }` cannot be set to that: { $why }
# $why (Message)
agent-there-is-no-setting = there is no setting `{ $key }`: { $why }
agent-key-is-words-and-dots = a key is words joined by dots, e.g. `backends.openai_compatible.model`
agent-part-is-no-table = a part of it is a value, not a table
agent-too-many-at-once = { $calls } calls at the same time; the range is 1 to { $most }
agent-too-much-output = { $mib } MiB of output; the range is 1 to { $most }
agent-there-is-no-profile = there is no profile `{ $name }`; there are: { $known }
agent-profile-unreadable = the profile { $path } cannot be read: { $source }
agent-profile-not-valid = the profile { $path } is not valid: { $source }
agent-guidance-decisions-unreadable = the decisions on guidance in { $path } cannot be read: { $source }
agent-guidance-decisions-unwritable = the decisions on guidance in { $path } cannot be written: { $source }
# $problem (Message)
agent-profile-file-unusable = { $file } could not be used: { $problem }. Correct it, or remove it and Deputy writes it anew
# $error (Message)
agent-profile-files-not-compared = the profile's files could not be compared with the memories: { $error }
agent-file-not-regular = it is not a regular file
# $most (Number)
agent-file-larger-than = it is larger than { $most } MB
# $problem (Message)
agent-preference-is-wrong = preference { $number }: { $problem }
# $problem (Message)
agent-memory-is-wrong = memory { $memory }: { $problem }
# $most (Number)
agent-about-names-subject = `about` names its subject in 1 to { $most } characters
agent-no-search-provider = no search provider is set, so nothing was searched. The user can set one in Settings, under Web search, or with `deputy config set search.provider NAME`; there are: { $known }
agent-unknown-search-provider = there is no search provider `{ $name }`; there are: { $known }
agent-search-provider-unusable = the search provider `{ $name }` cannot be used: { $error }
agent-search-needs-address = { $label } needs its address: `deputy config set search.address https://...`
# $why (Message)
agent-search-needs-key = { $label } needs a key, and { $why }
agent-search-names-no-variable = `search.api_key_env` names no variable that holds it
agent-search-address-first = { $label } needs its address before its key, which goes there and nowhere else.
agent-set-search-address = Set it with `deputy config set search.address https://...`, or on the settings page.
agent-web-search-list-shows-them = `deputy web-search list` shows them.
agent-key-of-search-comes-from-variable = The key of web search comes from a variable that `config.toml` names, so the provider and its address are changed there too.
agent-put-search-key-into-keyring-instead = Put a key into the keyring instead: `deputy web-search key`.
agent-not-a-web-address = `{ $key }` must be a web address.
agent-web-address-begins = It begins with https:// or http://.
agent-name-variable-that-holds-search-key = Name a variable that holds the key instead: `deputy config set search.api_key_env VARIABLE`.
agent-check-search-settings = Check its address and its key.
agent-path-not-utf-8 = The path { $name } is not valid UTF-8.
agent-rename-it = Rename it.
agent-not-a-key = That isn't a key.
agent-copy-again-from-provider-page = Copy it again from the provider's page.
agent-name-variable-that-holds-key = Name a variable that holds the key instead: `deputy config set backends.{ $backend }.api_key_env VARIABLE`.
agent-setting-is-whole-number = `{ $key }` must be a whole number.
agent-give-number-of-or-more = Give a number of 0 or more.
agent-setting-is-one-line = `{ $key }` must be one line of text.
agent-take-out-to-go-back = Remove it to use the default.
agent-deputy-profiles-list = `deputy profiles list` shows them.
agent-setting-not-changed-here = `{ $key }` can't be changed here.
agent-deputy-config-set-does = Use `deputy config set` or an editor.
agent-address-with-password = `{ $key }` can't contain a user name or password.
agent-put-key-into-keyring-instead = Put a key into the keyring instead: `deputy backends key`.
agent-key-of-this-backend-comes = This backend's key comes from a variable that `config.toml` names, so its address is changed there too.
agent-change-both-with-deputy-config = Change both with `deputy config set`.
# $unfit (Message)
agent-setting-does-not-fit = `{ $key }` can't be set to that: { $unfit }.
agent-is-the-server-up = Check that its server is running and the address is right.
# $secs (Number)
agent-no-answer-within = No answer within { $secs } s.
agent-database-is-sound = { $home }: the database is sound
agent-version-runs-backends = version { $version } runs; backends: { $backends }
agent-host-stumbled-over = Something went wrong: { $error }.
agent-try-again-deputy-doctor-helps = Try again; `deputy doctor` helps.
agent-task-is-empty = The task is empty.
agent-say-what-to-do = Say what you want done.
# $goal (Number)
# $max_goal_bytes (Number)
agent-task-too-long = The task is { $goal } bytes long; the limit is { $max_goal_bytes }.
agent-put-text-into-file = Put the text into a file and name the file.
agent-deputy-profiles-list-shows-all = `deputy profiles list` shows all.
agent-continued-task-keeps-scope = A task that continues { $after } is limited to the same files and folders.
agent-name-no-files-and-folders = Leave out files and folders, or start a new task.
agent-deputy-queue-lists-those = `deputy queue` lists queued tasks.
agent-task-does-not-wait = Task { $task } isn't queued, so it can't be moved.
agent-task-cannot-start-before-itself = Task { $task } can't start before itself.
agent-task-has-ended-already = Task { $task } has already ended.
agent-deputy-show-tells-how = `deputy show { $task }` shows how.
agent-no-background-command-of-task = No background command `{ $background }` of task { $task } is running.
agent-nothing-of-this-task-runs = This task has nothing running in the background.
agent-these-run = Running: { $all }.
agent-undo-folder-gone = The folder { $folder } is gone. Nothing was changed.
agent-undo-folder-empty = The folder { $folder } is empty, but the task left files in it. Nothing was changed.
agent-undo-folder-unreadable = The folder { $folder } cannot be read ({ $error }). Nothing was changed.
agent-undo-folder-hint = Bring the folder back to this place (connect its drive, or move it back), and try again.
agent-undo-of-task-broke-off = undoing task { $task } failed: { $error }
agent-task-made-no-call = Task { $task } made no call `{ $call }`.
agent-deputy-show-json-names-calls = `deputy show { $task } --json` names its calls.
agent-task-cannot-go-on = task { $task } can't continue: { $error }
# $times (Number)
agent-brake-same-call = The same `{ $tool }` call was made { $times } times in a row. Keep trying? You can also say what to do instead.
# $times (Number)
agent-brake-call-fails = The same `{ $tool }` call failed { $times } times. Keep trying? You can also say what to do instead.
# $times (Number)
agent-brake-unusable = { $times } calls in a row couldn't run as written. Keep trying? You can also say what to do instead.
# $times (Number)
agent-brake-refused = You said no { $times } times in a row. Should the task continue? You can also say what to do instead.
# $times (Number)
agent-brake-denied = { $times } calls in a row were denied. Should the task continue? You can also say what to do instead.
# $hours (Number)
# $message (Message)
agent-wait-asked-for = { $message } The provider asks to wait { $hours } hours.
# $error (Message)
agent-fix-the-profile = { $error }. Fix the profile, then try again.
# $message (Message)
agent-planner-did-not-answer = The model didn't respond: { $message }
# $message (Message)
# $times (Number)
agent-planner-did-not-answer-often = The model didn't respond after { $times } tries: { $message }
agent-instructions-for-agents = There are instructions for agents in { $named }. Should tasks follow them as if you had written them? Deputy asks once for each folder; they don't change what may run.
agent-paused-by-user = Paused by you.
agent-outcome-unknown = Deputy was cut off while this ran: { $call }. It may or may not have happened; it was not run again. Should the task continue?
agent-folder-does-not-exist = The folder { $path } does not exist.
agent-rules-cannot-be-read = The rules cannot be read: { $error }.
agent-rules-in-one-line = The rules file writes its rules in one line.
# $reason (Message)
agent-not-a-rule = That is not a rule: { $reason }.
agent-edit-rules-by-hand = Edit rules.toml by hand; nothing was changed.
agent-rules-changed-meanwhile = The rules file was changed meanwhile.
agent-look-at-list-again = Look at the list again, then try once more.
agent-rule-is-one-simple-command = A rule is about one simple command of plain words.
agent-leave-out-pipes = Leave out pipes, redirects, variables and wildcards.
agent-rule-has-no-wildcard = A rule made here has no wildcard.
agent-allowing-is-for-exact-words = Asking and denying cover further words anyway; allowing is for exact words.
agent-command-asked-each-time = This command can run other programs or destroy files, so Deputy asks each time.
agent-write-rule-by-hand = Write it into rules.toml by hand if you are sure.
agent-cannot-be-opened = { $path } cannot be opened: { $error }.
agent-may-have-been-moved = It may have been moved or deleted.
agent-outside-task-folder = { $path } is outside of the task's folder.
agent-copy-path-instead = Copy its path instead.
agent-might-be-run = { $path } might be run by opening it.
agent-show-in-folder-instead = Show it in its folder instead.
agent-no-opener = This computer has no program that opens files ({ $opener }: { $error }).
agent-title-is-one-line = A title is one line of text.
agent-leave-title-out = Leave it out to use the first request.
# $chars (Number)
# $most (Number)
agent-title-too-long = The title has { $chars } characters; the limit is { $most }.
# $count (Number)
# $most (Number)
agent-memories-at-once = { $count } memories came at once; the limit is { $most }.
agent-send-in-parts = Send them in parts.
agent-correct-and-import-again = Nothing was imported. Correct the file and import it again.
# $most (Number)
agent-import-too-long = The import has more than { $most } MB of text.
agent-split-the-file = Nothing was imported. Split the file; each part begins with the file's first line.
# $number (Number)
# $problem (Message)
agent-memory-of-import-unusable = Memory { $number } of the import can't be used: { $problem }
# $step (Number)
agent-asked-no-model = Task { $task } asked no model in step { $step }.
agent-deputy-show-lists-steps = `deputy show { $task }` lists its steps.
# $step (Number)
agent-forked-from = Forked from task { $task } after step { $step }.
agent-had-not-ended = It had not ended when it was exported.
# $step (Number)
agent-step-has-not-ended = Step { $step } of task { $task } has not ended, or there is no such step.
agent-nothing-was-imported = Nothing was imported. Export the conversation again, then import it again.
# $number (Number)
agent-part-without-those-before = Part { $number } of an import came without those before it.
# $most (Number)
agent-conversation-is-too-long = The conversation is too long: the limit is { $most } events.
agent-story-has-no-beginning = A task in the file does not begin with its request.
agent-review-asks = The review asks you to look: { $reason }
# $why (Message)
agent-review-failed = The review failed: { $why }
agent-review-unreadable = The review gave no clear answer.
# $number (Number)
# $problem (Message)
agent-part-not-handed-over = sub-task { $number } was not started: { $problem }
agent-no-tokens-left = this task's token limit is used up
agent-no-money-left = this task's cost limit is used up
agent-no-time-left = this task's time limit is used up
agent-profile-has-more-tools = the profile `{ $profile }` has tools that this task doesn't have ({ $tools }), and `delegates` of `{ $own }` does not list it
agent-may-not-change = this task may not change { $path } itself
agent-may-not-read = this task may not read { $path } itself
agent-path-leads-nowhere = { $path } leads to no file or folder
# $levels (Number)
agent-too-deep = a task { $levels } levels below the user's can start no sub-tasks; do it yourself
# $most (Number)
# $there (Number)
agent-too-many-subtasks = { $there } sub-tasks were already started, and { $most } is the limit; do the rest yourself
agent-deputy-is-ending = Deputy is ending
agent-stopped-before-subtasks = the task was stopped before its sub-tasks ended
agent-subtask-has-not-ended = { $task } has not ended
agent-task-being-stopped = the task is being stopped
agent-refused-before = the same request was denied before
agent-too-many-requests = too many requests are open
agent-asked-already = the same question is already open
agent-task-was-stopped = the task was stopped
agent-command-ended-first = the command ended first
agent-cut-off-waiting = Deputy was cut off while it waited
agent-nobody-answered = no answer came in time
agent-not-run-instruction = not run: the user added an instruction
agent-wants-to-read = { $program } wants to read { $path }
agent-wants-to-change = { $program } wants to change { $path }
agent-same-call-waits = The same call is already waiting for an answer, as request { $open }; this one comes after it.
# $most (Number)
agent-requests-wait = { $most } requests wait for an answer already; this task asks when it is its turn.
# $most (Number)
agent-questions-wait = { $most } questions wait for an answer already; this task asks when it is its turn.
# $count (Number)
agent-edits = { $count } edits: { $named }
# $count (Number)
# $more (Number)
agent-edits-and-more = { $count } edits: { $named } and { $more } more
# $count (Number)
agent-steps = { $count } steps: { $named }
# $count (Number)
# $more (Number)
agent-steps-and-more = { $count } steps: { $named } and { $more } more
agent-no-beginning = the journal of task { $task } does not begin with its creation; `deputy doctor` checks the database
# $files (Number)
agent-all-files = { $files ->
    [one] 1 file
   *[other] { $files } files
 }
# $files (Number)
agent-at-least-files = { $files ->
    [one] at least 1 file
   *[other] at least { $files } files
 }
# $count (Message)
agent-could-delete = The command could delete or change { $count }.
# $count (Message)
# $files (Number)
agent-could-delete-all-in-commits = The command could delete or change { $count }, which { $files ->
    [one] is in a commit as it is now
   *[other] are in a commit as they are now
 }.
# $count (Message)
agent-could-delete-commits-unknown = The command could delete or change { $count }. It is not known whether a commit has them.
# $count (Message)
# $files (Number)
# $without (Number)
agent-could-delete-in-no-commit = The command could delete or change { $count }, { $files ->
    [one] which is in no commit
   *[other] { $without } of them in no commit
 }.
# $files (Number)
agent-undo-restores-all = { $files ->
    [one] Undo can restore it.
   *[other] Undo can restore all of them.
 }
# $files (Number)
agent-undo-restores-counted = { $files ->
    [one] Undo can restore it.
   *[other] Undo can restore these.
 }
# $files (Number)
agent-undo-restores-none = { $files ->
    [one] Undo can't restore it.
   *[other] Undo can restore none of them.
 }
# $count (Number)
agent-undo-does-not-restore = Undo can't restore { $count } of them.
# $error (Message)
agent-changes-not-known = what it changed is not known, so undo does not cover it: { $error }
agent-undo-does-not-cover = undo does not cover what it changed at { $named }
# $more (Number)
agent-undo-does-not-cover-more = undo does not cover what it changed at { $named } and { $more } more
# $scope (Message)
agent-no-walls-for-scope = no sandbox here can hold it to the task's scope ({ $scope })
# $scope (Message)
agent-too-many-files-for-scope = there are too many files to hold a command to the task's scope ({ $scope }); use `find_files`, `grep` and `read_file`
agent-scope-only = only { $files }
agent-scope-tagged = tagged { $tags }
agent-scope-changes = changes in { $folders }
agent-scope-no-changes = no changes
agent-scope-moved = { $path }, which the task's scope names, has been replaced by a link or is in a folder that was. Nothing can be done until it is back.
agent-arguments-unreadable = The arguments of this call cannot be read: { $problem }
agent-workspace-is-gone = The folder { $folder } is gone; nothing can be done in it.
agent-working-dir-outside = `working_dir` is { $folder }, which is outside the folders of this task; the workspace is { $workspace }.
# $error (Message)
agent-not-run-undo = It was not run, because undo couldn't cover it: { $error }.
agent-undo-could-not-restore = undo could not restore it
agent-history-of-git = it belongs to git's past, which a command may only add to
agent-reference-of-another-repository = it says what another repository has or replaces an object, and only git's own transfers write that
agent-setting-of-later-commands = later commands would take a setting or a program from it
agent-no-tool = There is no tool `{ $tool }`.
agent-tool-failed = The tool failed: { $error }
agent-cut-off-while-running = Deputy was cut off while this ran. It may or may not have happened, and was not run again.
agent-done-before-cut-off = It was done just before Deputy was cut off; this was found on the disk afterwards.
agent-would-do-something-else = It was not run: Deputy was cut off before it started, and since then it would do something else.
agent-changed-since-start = { $count ->
    [one] One file or folder has changed since it started; undo covers it.
   *[other] { $count } files and folders have changed since it started; undo covers them.
 }
# $reason (Message)
agent-part-is-denied = `{ $part }`: { $reason }
# $denied (Message)
agent-leave-denied-parts-out = { $denied }. Leave that out: nothing else in the call was refused.
# $done (Message)
# $reasons (Message)
agent-rest-is-denied = { $done } It stopped there, because the rest is denied: { $reasons }.
agent-stopped-by-user = Stopped by the user.
agent-call-left-out = The user allowed the other calls of this request and left this one out.
agent-user-said-no = The user said no.
# $reason (Message)
agent-user-said-no-because = The user said no: { $reason }
# $reason (Message)
agent-user-wants-change = Not run: the user wants it changed. Submit it again, changed like this: { $reason }
agent-user-said-no-to-same = The user said no to the same call, asked as { $request }
# $reason (Message)
agent-user-said-no-to-same-because = The user said no to the same call, asked as { $request }: { $reason }
agent-stopped-after = Stopped after { $most ->
    [one] 1 iteration
   *[other] { $most } iterations
 }, the limit of this task. What was done so far is in place; run it again with --max-iterations to allow more.
agent-reading-cut-off = reading was cut off: { $error }
agent-from-document = from the document { $path }
agent-no-skill = there is no skill `{ $name }`; there are: { $known }
agent-cannot-be-read = { $path } cannot be read: { $error }
# $who (Message)
agent-request-allowed-before = Request { $id } was allowed { $who } before.
# $who (Message)
agent-request-denied-before = Request { $id } was denied { $who } before.
# $who (Message)
agent-request-change-asked-before = Request { $id } was sent back for a change { $who } before.
agent-change-without-words = The answer asks for a change, but does not say which.
agent-say-the-change-or-deny = Say what to change, or deny the request.
# $screen (Message)
agent-at-screen = at the { $screen }
agent-on-device = on { $device }
agent-by-standing-consent = by the task's standing consent
agent-by-expiry = because its time ran out
agent-by-instruction = because of an instruction
agent-desktop = desktop
agent-terminal = terminal
agent-command-line = command line
agent-lift-what-denies = `deputy policy rules` shows what denies; lift it there, then try again.
agent-deputy-jobs-lists-them = `deputy jobs` lists them.
agent-job-work-broke-off = the job failed: { $error }
agent-trying-draft-broke-off = Checking the plan failed: { $error }.
agent-keeping-draft-broke-off = Saving the plan failed: { $error }.
agent-looking-for-folders-broke-off = Looking for folders failed: { $error }.
agent-listing-jobs-broke-off = Listing the jobs failed: { $error }.
agent-scan-broke-off = The scan failed: { $error }.
agent-host-is-ending = This Deputy process is ending and starts nothing new.
agent-try-again = Try again.
agent-plan-has-nothing-left = The plan has nothing left to do.
agent-scan-again-nothing-changed = Scan again; nothing was changed.
agent-is-there-room = Check that there is room and that the folder is yours. Nothing was changed.
agent-scan-not-known = This scan is no longer available: Deputy was restarted, or newer scans replaced it.
agent-scan-again = Scan again.
# $most (Number)
agent-plan-is-about-folders = A plan covers 1 to { $most } folders.
agent-name-folder-that-is-there = Name a folder that exists.
agent-choose-suggested = Choose one of those that are suggested.
agent-nothing-was-changed = Nothing was changed.
agent-profile-general = Works on anything in one folder with a shell, files and search.
agent-profile-organizer = Tidies folders by one plan that you approve as a whole; never deletes for good.
agent-nothing-was-written = nothing was written
agent-git-exit-code = exit code { $code }
agent-git-no-answer = git gave no complete answer
agent-git-objects-gone = Git no longer has everything that this needs. A cleanup such as `git gc --prune=now` removes what nothing refers to.
agent-git-objects-restored = what git keeps of the past is restored
agent-git-moved = { $name } at { $commit }
agent-git-removed = { $name } removed
agent-git-created = { $name } at { $commit } again
agent-git-checked-out = { $name } checked out
agent-git-detached = { $commit } checked out
agent-git-stash = the stash restored
agent-git-staged = the index restored
agent-git-repository-removed = the repository removed
agent-git-repository-created = the repository restored
# $commits (Number)
agent-git-commits-on-top = You committed on top of { $name }. { $commits ->
    [one] The commit of the task stays; `git revert` takes it back.
   *[other] { $commits } commits of the task stay; `git revert` takes them back.
 }
agent-git-ref-moved = { $name } has moved since.
agent-git-head-moved = Something else is checked out now.
agent-git-index-changed = The index has changed since: other files are staged.
agent-git-stash-changed = The stash has changed since.
agent-git-used-elsewhere = { $name } is checked out in another working tree.
agent-git-unfinished = A merge, rebase, cherry-pick, revert or bisect is not finished.
agent-git-intent-to-add = Files are marked with `git add -N` (intent to add), which undo cannot restore.
agent-git-outside = Its data is outside of the task's folder.
agent-git-bare = It is a bare repository.
agent-git-shallow = The task changed how much history is here (`git fetch --depth`).
agent-git-used-between = Git was also used while the task ran, between its commands.
agent-git-not-recorded = The state after the task is not recorded.
agent-git-used-since = It was used since the task created it.
agent-git-missing = Git is not installed.
agent-git-reference = { $name } refers to another reference.
# $error (Message)
agent-git-failed = Git failed: { $error }
agent-git-and-more = { $more } more
agent-shell-cannot-read = Not run, and nobody was asked: bash cannot read the command. { $complaint }
