//! Maps every operation of the host to the part that implements it.

use super::Host;
use deputy_protocol::*;

macro_rules! performs {
    ($($part:ident: $($command:ident)+;)+) => {$($(
        impl Performs<$command> for Host {
            async fn perform(
                &self,
                id: &CommandId,
                command: $command,
            ) -> Result<<$command as Operation>::Output, ErrorBody> {
                self.0.$part.perform(id, command).await
            }
        }
    )+)+};
}

macro_rules! answers {
    ($($part:ident: $($query:ident)+;)+) => {$($(
        impl Answers<$query> for Host {
            async fn answer(&self, query: $query) -> Result<<$query as Operation>::Output, ErrorBody> {
                self.0.$part.answer(query).await
            }
        }
    )+)+};
}

performs! {
    starting: StartCommand;
    conversations: RenameCommand ArchiveCommand;
    copies: ForkCommand ImportConversationCommand;
    opening: OpenCommand;
    browsing: TakeBrowserCommand ReturnBrowserCommand;
    steering: StopCommand PauseCommand ResumeCommand SteerCommand SwitchModelCommand StopBackgroundCommand MoveInQueueCommand;
    answering: AnswerPermissionCommand AnswerQuestionCommand;
    grants: RevokeGrantCommand;
    memories: RememberCommand EditMemoryCommand ForgetMemoryCommand RestoreMemoryCommand PromoteMemoryCommand RebuildMemoryCommand EmbedMemoriesCommand PruneMemoriesCommand;
    imports: ImportMemoriesCommand;
    documents: IndexFolderCommand DropFolderCommand;
    rules: KeepRuleCommand DropRuleCommand;
    settings: ChangeSettingsCommand SetKeyCommand SetSearchKeyCommand;
    undoing: UndoCommand RedoCommand ResumeJobCommand UndoJobCommand;
    scans: StartScanCommand StopScanCommand;
    drafts: KeepDraftCommand;
}

answers! {
    journal: StateQuery TasksQuery TaskQuery EventsQuery EventQuery OutputQuery PictureQuery;
    grants: GrantsQuery PreviewGrantQuery;
    memories: MemoriesQuery MemoryStatsQuery PreviewPruneQuery ProfileFilesQuery;
    documents: IndexedFoldersQuery;
    inspection: DifferenceQuery ExplainQuery UsageQuery;
    prompts: PromptQuery;
    rules: RulesQuery;
    settings: ChoicesQuery SettingsQuery CheckBackendQuery CheckSearchQuery FindServersQuery DoctorQuery;
    job_list: JobsQuery;
    scans: ScanQuery;
    drafts: DraftQuery;
    folders: FoldersQuery;
    browsing: BrowserQuery;
}
