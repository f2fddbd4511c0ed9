//! All operations of the protocol: what a screen may query, and what it may command. Each operation is declared only
//! here.

use crate::operation::{operations, outcomes};
use crate::{
    AnswerPermissionCommand, AnswerQuestionCommand, Answers, ArchiveCommand, BackendCheck, BrowserAnswer,
    BrowserQuery, ChangeSettingsCommand, CheckBackendQuery, CheckSearchQuery, ChoicesAnswer, ChoicesQuery,
    CommandId, ConfirmPairingCommand, Console, ConsoleQuery, DevicesAnswer, DevicesQuery, DifferenceQuery,
    DoctorAnswer, DoctorQuery, DoneOutcome, DraftAnswer, DraftKeptOutcome, DraftQuery, DropFolderCommand,
    DropRuleCommand, EditMemoryCommand, EmbedMemoriesCommand, ErrorBody, EventQuery, EventsAnswer,
    EventsQuery, ExplainQuery, Explanation, FindServersQuery, FoldersAnswer, FoldersQuery,
    ForgetMemoryCommand, ForkCommand, GrantPreview, GrantsAnswer, GrantsQuery, ImportConversationCommand,
    ImportMemoriesCommand, ImportedOutcome, IndexFolderCommand, IndexedFoldersAnswer, IndexedFoldersQuery,
    IndexedOutcome, JobOutcome, JobsAnswer, JobsQuery, KeepDraftCommand, KeepRuleCommand, LinkCommand,
    LinkOutcome, LocalServers, MemoriesAnswer, MemoriesOutcome, MemoriesQuery, MemoryStatsAnswer,
    MemoryStatsQuery, Method, MoveInQueueCommand, Needs, OpenCommand, Operation, OperationEffect,
    OperationInfo, OutputAnswer, OutputQuery, Pace, PairingAnswer, PairingQuery, PauseCommand, Performs,
    PictureAnswer, PictureQuery, PreviewGrantQuery, PreviewPruneQuery, ProfileFilesAnswer, ProfileFilesQuery,
    PromoteMemoryCommand, PromptAnswer, PromptQuery, PruneMemoriesCommand, PrunePreview, ReachDeviceCommand,
    RebuildMemoryCommand, RedoCommand, RememberCommand, RememberedOutcome, RenameCommand,
    RenameDeviceCommand, RestoreMemoryCommand, ResumeCommand, ResumeJobCommand, ReturnBrowserCommand,
    RevokeDeviceCommand, RevokeGrantCommand, Route, RulesAnswer, RulesQuery, ScanAnswer, ScanQuery,
    ScanStartedOutcome, SearchCheck, SetKeyCommand, SetSearchKeyCommand, Settings, SettingsQuery, Side,
    StartCommand, StartPairingCommand, StartScanCommand, StartedOutcome, StateAnswer, StateQuery,
    SteerCommand, StopBackgroundCommand, StopCommand, StopScanCommand, SwitchModelCommand,
    TakeBrowserCommand, TaskAnswer, TaskDifference, TaskQuery, TasksAnswer, TasksQuery, UndoCommand,
    UndoJobCommand, UndoneOutcome, UsageAnswer, UsageQuery,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

operations! {
    /// A query.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "query", rename_all = "snake_case")]
    Query -> QueryAnswer, by Answers;
    host HostQuery: AnswersHostQueries {
        /// The state that every screen shows: running tasks, open requests and questions.
        state = State(StateQuery) -> StateAnswer: Reads, Monitor, Quick, Get "/state";
        /// Tasks, newest first.
        tasks = Tasks(TasksQuery) -> TasksAnswer: Reads, Monitor, Quick, Get "/tasks";
        /// One task.
        task = Task(TaskQuery) -> TaskAnswer: Reads, Monitor, Quick, Get "/tasks/{task}";
        /// The events of one task, in pages.
        events = Events(EventsQuery) -> EventsAnswer: Reads, Monitor, Quick, Get "/tasks/{task}/history";
        /// One event in full.
        event = Event(EventQuery) -> EventsAnswer: Reads, Monitor, Quick, Get "/events/{seq}";
        /// The grants that are in effect.
        grants = Grants(GrantsQuery) -> GrantsAnswer: Reads, Monitor, Quick, Get "/grants";
        /// The past calls that a grant would have allowed.
        preview_grant = PreviewGrant(PreviewGrantQuery) -> GrantPreview: Reads, Monitor, Quick;
        /// The choices for a new task: profiles, backends and what is missing for each, limits and folders.
        choices = Choices(ChoicesQuery) -> ChoicesAnswer: Reads, Monitor, Quick;
        /// The host's current settings, and where each backend's key is looked up. Keys are never returned.
        settings = Settings(SettingsQuery) -> Settings: Reads, LocalUser, Quick;
        /// Asks a backend's provider for its models.
        check_backend = CheckBackend(CheckBackendQuery) -> BackendCheck: Reads, LocalUser, Slow;
        /// Searches the web once with the configured provider.
        check_search = CheckSearch(CheckSearchQuery) -> SearchCheck: Reads, LocalUser, Slow;
        /// The model servers on this machine. The host tries the usual loopback ports.
        find_servers = FindServers(FindServersQuery) -> LocalServers: Reads, LocalUser, Slow;
        /// The results of the checks of `deputy doctor`, each with `ok` and a message.
        doctor = Doctor(DoctorQuery) -> DoctorAnswer: Reads, LocalUser, Slow;
        /// The decision on a shell command in a folder, by the current rules and grants. Nothing is run.
        explain = Explain(ExplainQuery) -> Explanation: Reads, LocalUser, Quick;
        /// The rules of `rules.toml` as text, or the error in the file.
        rules = Rules(RulesQuery) -> RulesAnswer: Reads, LocalUser, Quick;
        /// Tokens by quarter hour, task and model, and the configured prices.
        usage = Usage(UsageQuery) -> UsageAnswer: Reads, Monitor, Slow;
        /// What was sent to the model in a step and what it answered, in pieces.
        prompt = Prompt(PromptQuery) -> PromptAnswer: Reads, Monitor, Slow, Get "/tasks/{task}/prompts/{step}";
        /// What a task changed, with the differences of texts.
        difference = Difference(DifferenceQuery) -> TaskDifference: Reads, Monitor, Slow, Get "/tasks/{task}/difference";
        /// Folders that complete a partly typed path. A device that may only answer requests cannot browse folders,
        /// so it needs `command`.
        folders = Folders(FoldersQuery) -> FoldersAnswer: Reads, Command, Quick, Get "/folders";
        /// The progress of a scan; once it is done, the draft and suggested naming conventions.
        scan = Scan(ScanQuery) -> ScanAnswer: Reads, Command, Quick, Get "/scans/{scan}";
        /// The result of trying a draft, with operations dropped or edited, on a model of the tree: the problems, and
        /// the trees before and after.
        draft = Draft(DraftQuery) -> DraftAnswer: Reads, Command, Slow, Post "/drafts/try";
        /// Jobs, newest first.
        jobs = Jobs(JobsQuery) -> JobsAnswer: Reads, Monitor, Slow, Get "/jobs";
        /// Memories, newest first, in pages. They contain nothing that the events do not.
        memories = Memories(MemoriesQuery) -> MemoriesAnswer: Reads, Monitor, Slow, Get "/memories";
        /// The number of memories that can be found by meaning, and the number that are pending.
        memory_stats = MemoryStats(MemoryStatsQuery) -> MemoryStatsAnswer: Reads, Monitor, Slow, Get "/memories/stats";
        /// The memories that pruning by a rule would forget.
        preview_prune = PreviewPrune(PreviewPruneQuery) -> PrunePreview: Reads, Command, Slow, Post "/memories/prune/preview";
        /// The profile files that people can read and edit.
        profile_files = ProfileFiles(ProfileFilesQuery) -> ProfileFilesAnswer: Reads, LocalUser, Slow, Get "/profiles/files";
        /// The folders whose documents can be recalled.
        indexed_folders = IndexedFolders(IndexedFoldersQuery) -> IndexedFoldersAnswer: Reads, Monitor, Slow, Get "/memories/folders";
        /// A piece of a command's complete output.
        output = Output(OutputQuery) -> OutputAnswer: Reads, Monitor, Slow;
        /// A piece of a picture that a call returned.
        picture = Picture(PictureQuery) -> PictureAnswer: Reads, Monitor, Slow;
        /// The browser of a task: its address and its current user.
        browser = Browser(BrowserQuery) -> BrowserAnswer: Reads, Monitor, Quick, Get "/tasks/{task}/browser";
    }
    server ServerQuery: AnswersServerQueries {
        /// The output of a task's running calls so far, and the files that the task touched.
        console = Console(ConsoleQuery) -> Console: Reads, Monitor, Quick, Get "/tasks/{task}/console";
        /// All devices.
        devices = Devices(DevicesQuery) -> DevicesAnswer: Reads, LocalUser, Quick, Get "/devices";
        /// The latest pairing: its link and its state.
        pairing = Pairing(PairingQuery) -> PairingAnswer: Reads, LocalUser, Quick, Get "/devices/pairing";
    }
}

operations! {
    /// A command.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "command", rename_all = "snake_case")]
    Command -> CommandOutcome, by Performs;
    host HostCommand: PerformsHostCommands {
        /// Start a task.
        start = Start(StartCommand) -> StartedOutcome: Changes, Command, Quick;
        /// End a task; the running call may finish.
        stop = Stop(StopCommand) -> DoneOutcome: Changes, Command, Quick;
        /// Pause a task.
        pause = Pause(PauseCommand) -> DoneOutcome: Changes, Command, Quick;
        /// Resume a paused or interrupted task.
        resume = Resume(ResumeCommand) -> DoneOutcome: Changes, Command, Quick;
        /// Move a queued task.
        move_in_queue = MoveInQueue(MoveInQueueCommand) -> DoneOutcome: Changes, Command, Quick;
        /// Rename a conversation.
        rename = Rename(RenameCommand) -> DoneOutcome: Changes, Command, Quick, Patch "/tasks/{task}/title";
        /// Archive a conversation, or restore it.
        archive = Archive(ArchiveCommand) -> DoneOutcome: Changes, Command, Quick, Post "/tasks/{task}/archive";
        /// Start a new conversation from another one, up to a step.
        fork = Fork(ForkCommand) -> StartedOutcome: Changes, Command, Slow, Post "/tasks/{task}/fork";
        /// Import a conversation that was exported. It keeps the authors of its texts, so only the local user may
        /// import it.
        import_conversation = ImportConversation(ImportConversationCommand) -> ImportedOutcome: Changes, LocalUser, Slow, Post "/tasks/import";
        /// Open a file or folder of a task on the desktop. Anything that opening could execute is refused.
        open = Open(OpenCommand) -> DoneOutcome: Changes, LocalUser, Quick;
        /// Open a task's browser in a window for the local user, for example to sign in. The task's browser calls
        /// wait until it is returned.
        take_browser = TakeBrowser(TakeBrowserCommand) -> DoneOutcome: Changes, LocalUser, Slow;
        /// Close the window of a task's browser and let the task continue with the same browser profile.
        return_browser = ReturnBrowser(ReturnBrowserCommand) -> DoneOutcome: Changes, LocalUser, Slow;
        /// Add an instruction to a task.
        steer = Steer(SteerCommand) -> DoneOutcome: Changes, Command, Quick;
        /// Switch a task to another backend or model, from its next step.
        switch_model = SwitchModel(SwitchModelCommand) -> DoneOutcome: Changes, Command, Quick;
        /// Answer a question.
        answer_question = AnswerQuestion(AnswerQuestionCommand) -> DoneOutcome: Changes, Approve, Quick;
        /// Answer a permission request.
        answer_permission = AnswerPermission(AnswerPermissionCommand) -> DoneOutcome: Changes, Approve, Quick;
        /// Undo the changes of a task's calls.
        undo = Undo(UndoCommand) -> UndoneOutcome: Changes, Command, Slow;
        /// Redo the changes that the last undo of a task reverted.
        redo = Redo(RedoCommand) -> UndoneOutcome: Changes, Command, Slow;
        /// Resume a job that was stopped or interrupted.
        resume_job = ResumeJob(ResumeJobCommand) -> JobOutcome: Changes, Command, Slow;
        /// Undo a job.
        undo_job = UndoJob(UndoJobCommand) -> JobOutcome: Changes, Command, Slow;
        /// Remember something for later tasks in every folder. It influences those tasks, so it needs the same scope
        /// as starting a task.
        remember = Remember(RememberCommand) -> RememberedOutcome: Changes, Command, Quick, Post "/memories";
        /// Replace the text of a memory. A memory influences later tasks, so changing it needs the same scope as
        /// starting a task.
        edit_memory = EditMemory(EditMemoryCommand) -> DoneOutcome: Changes, Command, Quick, Patch "/memories/{memory}";
        /// Forget a memory, and every other one with the same text.
        forget_memory = ForgetMemory(ForgetMemoryCommand) -> MemoriesOutcome: Changes, Command, Quick, Delete "/memories/{memory}";
        /// Restore a forgotten memory, and all memories that were forgotten with it.
        restore_memory = RestoreMemory(RestoreMemoryCommand) -> MemoriesOutcome: Changes, Command, Quick, Post "/memories/{memory}/restore";
        /// Make a memory available to tasks in every folder.
        promote_memory = PromoteMemory(PromoteMemoryCommand) -> MemoriesOutcome: Changes, Command, Quick, Post "/memories/{memory}/promote";
        /// Embed all memories again; the old vectors are used until then.
        rebuild_memory = RebuildMemory(RebuildMemoryCommand) -> DoneOutcome: Changes, Command, Quick, Post "/memories/rebuild";
        /// Embed some of the pending memories now. Returns how many are still pending.
        embed_memories = EmbedMemories(EmbedMemoriesCommand) -> MemoriesOutcome: Changes, LocalUser, Slow, Post "/memories/embed";
        /// Forget all memories that match a rule. Journals keep their text.
        prune_memories = PruneMemories(PruneMemoriesCommand) -> MemoriesOutcome: Changes, Command, Slow, Post "/memories/prune";
        /// Import memories from another home. They keep their authors, so only the local user may import them.
        import_memories = ImportMemories(ImportMemoriesCommand) -> ImportedOutcome: Changes, LocalUser, Slow, Post "/memories/import";
        /// Index the documents of a folder for recall, or index them again. This reads files that no task was allowed
        /// to read, so only the local user may do it.
        index_folder = IndexFolder(IndexFolderCommand) -> IndexedOutcome: Changes, LocalUser, Slow, Post "/memories/folders";
        /// Forget the indexed documents of a folder.
        drop_folder = DropFolder(DropFolderCommand) -> DoneOutcome: Changes, LocalUser, Slow, Post "/memories/folders/drop";
        /// Stop a background command.
        stop_background = StopBackground(StopBackgroundCommand) -> DoneOutcome: Changes, Command, Quick;
        /// Revoke a grant.
        revoke_grant = RevokeGrant(RevokeGrantCommand) -> DoneOutcome: Changes, Approve, Quick, Delete "/grants/{grant}";
        /// Add or replace a rule about one command in `rules.toml`. A rule may only allow a command that an answer
        /// could have allowed permanently.
        keep_rule = KeepRule(KeepRuleCommand) -> DoneOutcome: Changes, LocalUser, Quick;
        /// Remove a rule from `rules.toml`.
        drop_rule = DropRule(DropRuleCommand) -> DoneOutcome: Changes, LocalUser, Quick;
        /// Change settings: all of them or none. They are written to `config.toml`, whose comments are kept. Most take
        /// effect at once; the settings list those that need a restart.
        change_settings = ChangeSettings(ChangeSettingsCommand) -> DoneOutcome: Changes, LocalUser, Slow;
        /// Store a backend's key in the desktop's keyring or remove it, and pass it to the planner.
        set_key = SetKey(SetKeyCommand) -> DoneOutcome: Changes, LocalUser, Slow;
        /// Store a search provider's key in the desktop's keyring or remove it.
        set_search_key = SetSearchKey(SetSearchKeyCommand) -> DoneOutcome: Changes, LocalUser, Slow;
        /// Start to scan folders and to draft a plan for them. The command returns at once; the query `scan` returns
        /// the progress.
        start_scan = StartScan(StartScanCommand) -> ScanStartedOutcome: Changes, Command, Quick, Post "/scans";
        /// Stop a scan.
        stop_scan = StopScan(StopScanCommand) -> DoneOutcome: Changes, Command, Quick, Delete "/scans/{scan}";
        /// Save a draft with operations dropped or edited as a new draft, which the command `start` can execute.
        keep_draft = KeepDraft(KeepDraftCommand) -> DraftKeptOutcome: Changes, Command, Slow, Post "/drafts";
    }
    server ServerCommand: PerformsServerCommands {
        /// Create a link that opens the desktop's page once.
        link = Link(LinkCommand) -> LinkOutcome: ChangesInSecret, LocalUser, Quick;
        /// Rename a device.
        rename_device = RenameDevice(RenameDeviceCommand) -> DoneOutcome: Changes, LocalUser, Quick, Patch "/devices/{device}";
        /// Set the push server address at which a device receives notices. A device may set its own address.
        reach_device = ReachDevice(ReachDeviceCommand) -> DoneOutcome: Changes, LocalUser, Quick;
        /// Revoke a device; its connections are closed at once.
        revoke_device = RevokeDevice(RevokeDeviceCommand) -> DoneOutcome: Changes, LocalUser, Quick, Delete "/devices/{device}";
        /// Start to pair a device, and cancel any earlier pairing that is still open. The query `pairing` returns the
        /// link to scan.
        start_pairing = StartPairing(StartPairingCommand) -> DoneOutcome: Changes, LocalUser, Quick, Post "/devices/pairing";
        /// Confirm or reject that both sides of a pairing show the same number.
        confirm_pairing = ConfirmPairing(ConfirmPairingCommand) -> DoneOutcome: Changes, LocalUser, Quick, Post "/devices/pairing/confirm";
    }
}

outcomes! {
    /// The answer to a query.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "answer", rename_all = "snake_case")]
    QueryAnswer {
        /// The state of the agent.
        State(StateAnswer),
        /// A list of tasks.
        Tasks(TasksAnswer),
        /// One task.
        Task(TaskAnswer),
        /// A list of events.
        Events(EventsAnswer),
        /// A list of grants.
        Grants(GrantsAnswer),
        /// The past calls that a grant would have allowed.
        GrantPreview(GrantPreview),
        /// The live console of a task.
        Console(Console),
        /// A list of devices.
        Devices(DevicesAnswer),
        /// The latest pairing.
        Pairing(PairingAnswer),
        /// The choices for a new task.
        Choices(ChoicesAnswer),
        /// The settings of the host.
        Settings(Settings),
        /// The result of checking a backend.
        BackendCheck(BackendCheck),
        /// The result of checking the search provider.
        SearchCheck(SearchCheck),
        /// Model servers on this machine.
        LocalServers(LocalServers),
        /// The results of the checks of `deputy doctor`.
        Doctor(DoctorAnswer),
        /// What a task changed.
        Difference(TaskDifference),
        /// The decision on a shell command.
        Explanation(Explanation),
        /// The user's own rules.
        Rules(RulesAnswer),
        /// What the models used and cost.
        Usage(UsageAnswer),
        /// A piece of what was sent to the model and what it answered.
        Prompt(PromptAnswer),
        /// Folders that complete a path.
        Folders(FoldersAnswer),
        /// The state of a scan.
        Scan(ScanAnswer),
        /// The result of trying a draft.
        Draft(DraftAnswer),
        /// A list of jobs.
        Jobs(JobsAnswer),
        /// A page of memories.
        Memories(MemoriesAnswer),
        /// The number of memories that can be found by meaning.
        MemoryStats(MemoryStatsAnswer),
        /// The memories that pruning would forget.
        PrunePreview(PrunePreview),
        /// The files of profiles.
        ProfileFiles(ProfileFilesAnswer),
        /// Folders whose documents can be recalled.
        IndexedFolders(IndexedFoldersAnswer),
        /// A piece of a command's complete output.
        Output(OutputAnswer),
        /// A piece of a picture.
        Picture(PictureAnswer),
        /// The browser of a task.
        Browser(BrowserAnswer),
    }
}

outcomes! {
    /// The result of a command.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "outcome", rename_all = "snake_case")]
    CommandOutcome {
        /// The command was performed, possibly by an earlier message with the same id.
        Done(DoneOutcome),
        /// A task was submitted.
        Started(StartedOutcome),
        /// The result of an undo or a redo.
        Undone(UndoneOutcome),
        /// The result of resuming or undoing a job.
        Job(JobOutcome),
        /// Memories were changed; the number says how many.
        Memories(MemoriesOutcome),
        /// A memory was stored.
        Remembered(RememberedOutcome),
        /// Memories or a conversation were imported.
        Imported(ImportedOutcome),
        /// A folder was indexed.
        Indexed(IndexedOutcome),
        /// A scan was started.
        ScanStarted(ScanStartedOutcome),
        /// A draft was saved.
        DraftKept(DraftKeptOutcome),
        /// A link was created.
        Link(LinkOutcome),
    }
}

/// Returns every operation, queries first.
pub fn all_operations() -> impl Iterator<Item = &'static OperationInfo> {
    Query::ALL.iter().chain(Command::ALL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::collections::BTreeSet;

    /// Returns the names that messages carry, according to the schema of a union.
    fn on_the_wire<T: JsonSchema>(tag: &str) -> Vec<String> {
        let schema = schemars::schema_for!(T).to_value();
        let each = schema["oneOf"].as_array().unwrap().iter();
        each.map(|one| one["properties"][tag]["const"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn an_operation_is_declared_under_the_name_that_messages_carry() {
        let declared =
            |all: &[OperationInfo]| all.iter().map(|info| info.name.to_owned()).collect::<Vec<_>>();
        assert_eq!(declared(Query::ALL), on_the_wire::<Query>("query"));
        assert_eq!(declared(Command::ALL), on_the_wire::<Command>("command"));
        let names: BTreeSet<_> = all_operations().map(|info| info.name).collect();
        assert_eq!(names.len(), all_operations().count(), "a name stands for one operation");
    }

    #[test]
    fn queries_change_nothing_and_commands_do() {
        assert!(Query::ALL.iter().all(|info| info.effect == OperationEffect::Reads));
        assert!(Command::ALL.iter().all(|info| info.effect != OperationEffect::Reads));
    }

    #[test]
    fn what_is_in_a_path_is_a_required_field_and_only_bodies_hold_what_is_nested() {
        let schema: Value = serde_json::from_str(crate::JSON_SCHEMA).unwrap();
        let mut seen = BTreeSet::new();
        for info in all_operations() {
            let Some(route) = info.route else { continue };
            assert!(seen.insert((route.method.name(), route.path)), "{} is routed twice", route.path);
            let input = &schema["$defs"][info.input];
            let in_path: Vec<&str> =
                route.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).collect();
            for field in &in_path {
                assert!(input["properties"][field].is_object(), "{}: {field}", info.name);
            }
            let fields = input["properties"].as_object().map_or(0, serde_json::Map::len);
            if route.method == Method::Delete {
                assert_eq!(fields, in_path.len(), "{}: a DELETE has no body", info.name);
            }
        }
    }
}
