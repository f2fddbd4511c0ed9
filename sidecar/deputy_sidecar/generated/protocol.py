"""The words of Deputy as types.

Written by `cargo xtask codegen` from crates/protocol; do not edit.
"""

from typing import Any, Literal

import msgspec

__all__ = [
    "PROTOCOL_VERSION",
    "AbsentFile",
    "Access",
    "ActiveAgent",
    "AgentPlan",
    "AgentState",
    "AimedPicture",
    "AllowChoice",
    "AlwaysLifetime",
    "AnswerPermissionCommand",
    "AnswerQuestionCommand",
    "Answerer",
    "ArchiveCommand",
    "Archived",
    "ArgvRule",
    "AssistantMessage",
    "AttemptKind",
    "AwaitingProviderTask",
    "AwaitingSubtasksTask",
    "BackendCheck",
    "BackendChoice",
    "BackendForm",
    "BackendRef",
    "BackendSetting",
    "BackendSettings",
    "BackgroundEnd",
    "BackgroundEnded",
    "BackgroundStarted",
    "BeforePlace",
    "Briefed",
    "BrowserAnswer",
    "BrowserQuery",
    "BrowserReturned",
    "BrowserTaken",
    "BrowserUser",
    "BudgetLimit",
    "BudgetReached",
    "BuildOutputState",
    "BuiltFolder",
    "CallDecided",
    "CallRule",
    "CallStatus",
    "CancelParams",
    "CatalogueMessage",
    "Challenge",
    "ChangeSettingsCommand",
    "ChangedFile",
    "ChangedLines",
    "ChangedRepository",
    "CheckBackendQuery",
    "CheckSearchQuery",
    "Choice",
    "Choices",
    "ChoicesAnswer",
    "ChoicesQuery",
    "ClientCommand",
    "ClientMessage",
    "ClientQuery",
    "Command",
    "CommandEnvelope",
    "CommandOutcome",
    "CommandOutput",
    "CommandReply",
    "CommandRule",
    "Compacted",
    "CompleteReply",
    "CompleteRequest",
    "Confinement",
    "ConfirmPairingCommand",
    "Console",
    "ConsoleBackground",
    "ConsoleCall",
    "ConsoleQuery",
    "ConventionCard",
    "ConversationMark",
    "CopyAccess",
    "CopyFileAction",
    "CreateFolderAction",
    "Created",
    "DataPart",
    "DaySpent",
    "Decision",
    "DeleteAccess",
    "DenyChoice",
    "Device",
    "DeviceAnswerer",
    "DeviceProof",
    "DeviceResponder",
    "DeviceScope",
    "DeviceSession",
    "DevicesAnswer",
    "DevicesQuery",
    "DifferenceQuery",
    "DoctorAnswer",
    "DoctorQuery",
    "DoneOutcome",
    "DraftAnswer",
    "DraftKeptOutcome",
    "DraftQuery",
    "DraftTrees",
    "DropFolderCommand",
    "DropRuleCommand",
    "EarlierTask",
    "EditMemoryCommand",
    "Effect",
    "EmbedMemoriesCommand",
    "EmbedReply",
    "EmbedRequest",
    "ErrorBody",
    "ErrorCode",
    "ErrorMessage",
    "EventMessage",
    "EventQuery",
    "EventRecord",
    "EventsAnswer",
    "EventsQuery",
    "ExpiryAnswerer",
    "ExplainQuery",
    "Explanation",
    "Facts",
    "FileChange",
    "FileDeed",
    "FileDifference",
    "FileKept",
    "FilePart",
    "FileState",
    "FileTime",
    "FindServersQuery",
    "Finding",
    "FirstPlace",
    "FolderRule",
    "FoldersAnswer",
    "FoldersQuery",
    "ForgetMemoryCommand",
    "ForkCommand",
    "Grant",
    "GrantPreview",
    "GrantRule",
    "GrantsAnswer",
    "GrantsQuery",
    "GuidanceFolder",
    "GuidanceFound",
    "GuidanceText",
    "Guided",
    "Health",
    "Hello",
    "IdleAgent",
    "ImportConversationCommand",
    "ImportMemoriesCommand",
    "ImportPart",
    "ImportedOutcome",
    "IndexFolderCommand",
    "IndexedFolder",
    "IndexedFoldersAnswer",
    "IndexedFoldersQuery",
    "IndexedOutcome",
    "Inferred",
    "InitializeParams",
    "InitializeResult",
    "InnerPicture",
    "InstructionAnswerer",
    "Interrupted",
    "InterruptedTask",
    "IterationStarted",
    "JobConflict",
    "JobInfo",
    "JobOutcome",
    "JobProgress",
    "JobReport",
    "JobStanding",
    "JobTurn",
    "JobsAnswer",
    "JobsQuery",
    "KeepDraftCommand",
    "KeepRuleCommand",
    "KeptFile",
    "KeptFolder",
    "KeptLink",
    "KeptOutput",
    "KeyPlace",
    "KeyPlaceKind",
    "LastPlace",
    "LastingChanges",
    "Lifetime",
    "Limits",
    "LinkCommand",
    "LinkOutcome",
    "LinkSession",
    "ListAccess",
    "LocalAnswerer",
    "LocalServer",
    "LocalServers",
    "LogLevel",
    "LogParams",
    "MemoriesAnswer",
    "MemoriesOutcome",
    "MemoriesPruned",
    "MemoriesQuery",
    "Memory",
    "MemoryAccess",
    "MemoryDeed",
    "MemoryEdited",
    "MemoryForgotten",
    "MemoryFound",
    "MemoryImported",
    "MemoryKind",
    "MemoryOrigin",
    "MemoryPromoted",
    "MemoryRestored",
    "MemoryRole",
    "MemoryStatsAnswer",
    "MemoryStatsQuery",
    "Message",
    "MessagePicture",
    "MinutesLifetime",
    "ModelListReply",
    "ModelListRequest",
    "ModelSwitched",
    "MoveAccess",
    "MoveFileAction",
    "MoveInQueueCommand",
    "NamesLifetime",
    "NewCommit",
    "NotKept",
    "Noted",
    "NotedTask",
    "Notice",
    "NoticeKind",
    "NotifyChannels",
    "Offer",
    "OnConflict",
    "OnceLifetime",
    "OpenCommand",
    "OpenWhat",
    "OperationNote",
    "OrganizeAction",
    "OrganizeBy",
    "OrganizeOperation",
    "OrganizePlan",
    "Oriented",
    "OriginRule",
    "OutputAnswer",
    "OutputQuery",
    "OutwardLink",
    "OwnAccess",
    "PageAccess",
    "PageDeed",
    "PairingAnswer",
    "PairingClaim",
    "PairingClaimed",
    "PairingDone",
    "PairingFinish",
    "PairingOver",
    "PairingQuery",
    "PairingStage",
    "PairingWaiting",
    "ParentCall",
    "Part",
    "PartKind",
    "PassagePlace",
    "PathNote",
    "PathOperation",
    "PathRule",
    "PauseCommand",
    "PauseReason",
    "Paused",
    "PausedTask",
    "PermissionAnswer",
    "PermissionAnswered",
    "PermissionRequest",
    "PermissionRequested",
    "Phrase",
    "PictureAnswer",
    "PicturePart",
    "PictureQuery",
    "PictureType",
    "PlanAnswer",
    "PlanErrorCode",
    "PlanErrorData",
    "PlanFacts",
    "PlanFailed",
    "PlanMore",
    "PlanReply",
    "PlanRequest",
    "Planned",
    "PortableMemory",
    "Preset",
    "PreviewGrantQuery",
    "PreviewPruneQuery",
    "PreviewedCall",
    "Price",
    "Probe",
    "ProfileChoice",
    "ProfileFile",
    "ProfileFileKind",
    "ProfileFilesAnswer",
    "ProfileFilesQuery",
    "Progress",
    "ProgressParams",
    "PromoteMemoryCommand",
    "PromptAnswer",
    "PromptQuery",
    "Proof",
    "ProviderWait",
    "PruneCount",
    "PruneKind",
    "PruneMemoriesCommand",
    "PrunePreview",
    "PruneRule",
    "Query",
    "QueryAnswer",
    "QueryReply",
    "Question",
    "QuestionAnswered",
    "QuestionAsked",
    "QueueMoved",
    "QueuePlace",
    "QueuedTask",
    "ReachDeviceCommand",
    "ReadAccess",
    "RebuildMemoryCommand",
    "RedoCommand",
    "Redone",
    "RefusalShared",
    "RefusedAttempt",
    "RememberCommand",
    "Remembered",
    "RememberedOutcome",
    "RenameAction",
    "RenameCommand",
    "RenameDeviceCommand",
    "Renamed",
    "Report",
    "RepositoryHead",
    "RepositoryOutcome",
    "RequestDetails",
    "RequestedPlan",
    "RequestedStep",
    "Responder",
    "RestoreMemoryCommand",
    "ResultPart",
    "ResumeCommand",
    "ResumeJobCommand",
    "Resumed",
    "ReturnBrowserCommand",
    "Reviewed",
    "RevokeDeviceCommand",
    "RevokeGrantCommand",
    "Risk",
    "RuleRef",
    "RulesAnswer",
    "RulesQuery",
    "RunningTask",
    "SaidInTask",
    "ScanAnswer",
    "ScanComparing",
    "ScanDrafted",
    "ScanFailed",
    "ScanLeftOut",
    "ScanLooking",
    "ScanQuery",
    "ScanStage",
    "ScanStartedOutcome",
    "Scope",
    "SearchCheck",
    "SearchChoice",
    "ServerMessage",
    "Session",
    "SessionLifetime",
    "SessionProof",
    "SessionRequest",
    "SetKeyCommand",
    "SetSearchKeyCommand",
    "SettingChange",
    "SettingKind",
    "Settings",
    "SettingsQuery",
    "ShellAccess",
    "Skill",
    "SkippedOperation",
    "Snapshot",
    "SnapshotMessage",
    "SpecialFile",
    "SpentInVain",
    "StandingAnswerer",
    "StartCommand",
    "StartPairingCommand",
    "StartScanCommand",
    "StartedOutcome",
    "StateAnswer",
    "StateQuery",
    "SteerCommand",
    "Steered",
    "StopBackgroundCommand",
    "StopCommand",
    "StopReason",
    "StopRequested",
    "StopScanCommand",
    "Stopped",
    "StoppedTask",
    "SubtasksEnded",
    "SubtasksStarted",
    "SwitchModelCommand",
    "TakeBrowserCommand",
    "TaskAnswer",
    "TaskDifference",
    "TaskEvent",
    "TaskLifetime",
    "TaskQuery",
    "TaskSpec",
    "TaskState",
    "TaskSummary",
    "TaskUpdate",
    "TasksAnswer",
    "TasksQuery",
    "Terminal",
    "TextPart",
    "TodoChanged",
    "TodoProgress",
    "TodoState",
    "TodoStep",
    "ToolCall",
    "ToolFinished",
    "ToolMessage",
    "ToolResult",
    "ToolSpec",
    "ToolStarted",
    "TouchedFile",
    "TrashAction",
    "TreeKept",
    "TurnKind",
    "UndoCommand",
    "UndoJobCommand",
    "Undone",
    "UndoneFile",
    "UndoneOutcome",
    "UndoneRepository",
    "UnkeptFile",
    "UrlAccess",
    "Usage",
    "UsageAnswer",
    "UsageQuery",
    "UsageRow",
    "UserMessage",
    "UserRule",
    "UsualKey",
    "Verdict",
    "WantedAccess",
    "WebPart",
    "WebSearchSettings",
    "Welcome",
    "Wire",
    "WriteAccess",
    "WrittenCall",
]

PROTOCOL_VERSION = 1


class Wire(msgspec.Struct, frozen=True):
    """What all structs have in common: they never change, and are written whole."""


class AbsentFile(Wire, frozen=True, kw_only=True, tag_field="kind", tag="absent"):
    """Nothing exists at the path."""


class ShellAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="shell"):
    """An access that runs a command with bash."""

    # The command, exactly as bash would receive it.
    command: str


class ReadAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="read"):
    """An access that reads a file."""

    # The path as given. A relative path is relative to the working directory.
    path: str


class ListAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="list"):
    """An access that lists a folder."""

    # The path as given. A relative path is relative to the working directory.
    path: str


class WriteAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="write"):
    """An access that creates or changes a file or folder."""

    # The path as given. A relative path is relative to the working directory.
    path: str


class DeleteAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="delete"):
    """An access that removes a file or folder."""

    # The path as given. A relative path is relative to the working directory.
    path: str


class MoveAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="move"):
    """An access that moves or renames a file or folder."""

    # The current path. A relative path is relative to the working directory.
    path: str
    # The new path. A relative path is relative to the working directory.
    dest: str


class CopyAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="copy"):
    """An access that copies a file or folder."""

    # The path of the original. A relative path is relative to the working directory.
    path: str
    # The path of the copy. A relative path is relative to the working directory.
    dest: str


class UrlAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="url"):
    """An access that requests an address."""

    # The address as given.
    url: str
    # Whether a page requests the address (`true`) or the browser navigates to it
    # (`false`).
    subresource: bool = False


class OwnAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="own"):
    """An access to something that the task itself started."""

    # What is accessed, for people, e.g. `the output of b1`.
    what: str


# An action on memories.
MemoryDeed = Literal[
    # Reads memories that are available in the task's folder.
    "look",
    # Remembers something for tasks in the same folder.
    "keep_here",
    # Remembers something for tasks in every folder.
    "keep_everywhere",
    # Forgets something.
    "forget",
    # Reads or writes the task's scratchpad.
    "scratchpad",
]


class MemoryAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="memory"):
    """An access to memories."""

    # What is done with the memories.
    does: MemoryDeed
    # The text to search for, remember or forget.
    text: str


# An action on an open page.
PageDeed = Literal[
    # Reads the page.
    "look",
    # Clicks, types or chooses something on the page.
    "act",
    # Fills in a password, a one-time code or a payment card.
    "fill_secret",
    # Submits a form to another origin.
    "send_elsewhere",
    # Runs a script on the page.
    "script",
    # Uploads files to the page.
    "upload",
    # Enters text on the page that was read on another origin.
    "carry_over",
]


class PageAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="page"):
    """An access to a page that is open in the task's browser."""

    # What is done with the page.
    does: PageDeed
    # The target of the action and its values, for people.
    text: str


# Something that a call would touch.
Access = (
    # Runs a command with bash.
    ShellAccess
    # Reads a file.
    | ReadAccess
    # Lists a folder, or walks the tree below it.
    | ListAccess
    # Creates or changes a file or folder.
    | WriteAccess
    # Removes a file or folder.
    | DeleteAccess
    # Moves or renames a file or folder.
    | MoveAccess
    # Copies a file or folder.
    | CopyAccess
    # Requests an address.
    | UrlAccess
    # Reads or ends something that the task itself started.
    | OwnAccess
    # Reads or changes memories.
    | MemoryAccess
    # Reads or acts on a page that is open in the task's browser.
    | PageAccess
)


class QueuedTask(Wire, frozen=True, kw_only=True, tag_field="state", tag="queued"):
    """The state of a task that is waiting for its turn."""


class RunningTask(Wire, frozen=True, kw_only=True, tag_field="state", tag="running"):
    """The state of a task that is planning or running calls."""

    # The number of the current iteration, from 1.
    iteration: int


class AwaitingSubtasksTask(
    Wire, frozen=True, kw_only=True, tag_field="state", tag="awaiting_subtasks"
):
    """The state of a task that is waiting for its sub-tasks."""

    # The number of the current iteration, from 1.
    iteration: int


class AwaitingProviderTask(
    Wire, frozen=True, kw_only=True, tag_field="state", tag="awaiting_provider"
):
    """The state of a task that is waiting for its model's provider."""

    # When the task continues.
    until_ms: int
    # The backend that it waits for, as `backend` or `backend/model`.
    backend: str
    # The number of the current iteration, from 1.
    iteration: int


# Why a task is paused.
PauseReason = Literal[
    # The user paused the task.
    "by_user",
    # The task is waiting for an answer to a question.
    "question",
    # The task is waiting for an answer to a permission request.
    "permission",
    # A limit of time, tokens or cost was reached.
    "budget",
    # Nobody answered a permission request in time. It is made again when a person
    # resumes the task.
    "expired",
]


class PausedTask(Wire, frozen=True, kw_only=True, tag_field="state", tag="paused"):
    """The state of a task that is waiting for a person."""

    # Why the task is paused.
    reason: PauseReason
    # The number of the current iteration, from 1; 0 before the first one.
    iteration: int


# How a task ended.
StopReason = Literal[
    # The planner reported that the task is done.
    "completed",
    # The user stopped the task.
    "manual_stop",
    # The task could not continue because of an error.
    "error",
    # The limit `max_iterations` was reached.
    "iteration_limit",
    # The user denied something that the task could not continue without.
    "denied",
    # The task was submitted without a model, but it needs one.
    "needs_model",
]


class CatalogueMessage(Wire, frozen=True, kw_only=True):
    """A message of the catalog with its arguments."""

    # The id of the message; see `crates/messages`. The id `joined` means the phrases in
    # `items`, joined with `by`.
    id: str
    # The arguments by name. Each is a string, a number, a message without `text`, an
    # object with only `text` for a phrase without a message, or a list of these. They
    # are data and are never interpreted.
    args: dict[str, Any] = {}
    # The English text of the message.
    text: str


# Words for people: a message that a screen says in its own language, or a bare text,
# which is a person's or a model's own words, or from an older journal.
Phrase = str | CatalogueMessage


class StoppedTask(Wire, frozen=True, kw_only=True, tag_field="state", tag="stopped"):
    """The state of a task that has ended."""

    # How the task ended.
    reason: StopReason
    # The final answer, or what went wrong and what to do next.
    summary: Phrase
    # The number of permission requests of the task that were denied.
    denied: int = 0
    # Whether everything that the task changed was undone.
    undone: bool = False


class InterruptedTask(
    Wire, frozen=True, kw_only=True, tag_field="state", tag="interrupted"
):
    """The state of a task whose process died."""

    # The number of the iteration that was interrupted.
    iteration: int


# The state of a task.
TaskState = (
    # The task is waiting for its turn.
    QueuedTask
    # The task is planning or running calls.
    | RunningTask
    # The task is waiting for its sub-tasks and does nothing itself.
    | AwaitingSubtasksTask
    # The task is waiting until its model's provider accepts requests again. It then
    # continues by itself.
    | AwaitingProviderTask
    # The task is waiting for a person.
    | PausedTask
    # The task has ended.
    | StoppedTask
    # The task's process died. The task resumes from the journal.
    | InterruptedTask
)


class TodoProgress(Wire, frozen=True, kw_only=True):
    """The progress of a to-do list, as shown in lists of tasks."""

    # The number of steps that are done.
    done: int
    # The number of steps, without those that were dropped.
    total: int
    # The title of the step that is in progress. Absent if there is none.
    current: str | None = None


class ParentCall(Wire, frozen=True, kw_only=True):
    """The call of a parent task that delegated a sub-task."""

    # The id of the parent task.
    task: str
    # The id of the call.
    call: str


class TaskSummary(Wire, frozen=True, kw_only=True):
    """A task as shown in lists."""

    # The id of the task.
    id: str
    # The id of the conversation that the task belongs to.
    session: str
    # What the user wants.
    goal: str
    # The name of the task's profile.
    profile: str
    # The name of the task's backend.
    backend: str
    # The model that plans the task. Absent if it is the backend's configured model.
    model: str | None = None
    # The real path of the task's workspace.
    workspace: str
    # The state of the task.
    state: TaskState
    # The number of tokens that the task has used so far.
    tokens: int
    # The cost of the task's tokens, in millionths of the currency. It covers only the
    # tokens whose price is known; absent if none is.
    cost_micros: int | None = None
    # The progress of the task's to-do list. Absent if there is no list.
    todo: TodoProgress | None = None
    # When the task was submitted.
    created_at_ms: int
    # When the task last changed.
    updated_at_ms: int
    # The task's place in the queue. Absent unless the task is queued.
    queue_rank: str | None = None
    # The title that a person gave to the conversation that starts with this task.
    title: str | None = None
    # Whether the conversation was archived while this was its newest task.
    archived: bool = False
    # The call of the parent task that delegated this task. Absent unless the task is a
    # sub-task.
    parent: ParentCall | None = None


# The kind of a part.
PartKind = Literal[
    # A simple command.
    "command",
    # A path that is read or listed.
    "read",
    # A path that is created, changed, moved or removed.
    "write",
    # A host or origin.
    "host",
    # A shell construct that is judged as a whole.
    "construct",
    # A credential of the user that the call borrows: a login, a key or a socket.
    "loan",
]


# What happens with a call. The variants are ordered by strictness, so that the
# strictest of several is their maximum.
Decision = Literal[
    # The call runs without asking a person.
    "allow",
    # A person decides.
    "ask",
    # The call does not run.
    "deny",
]


# How harmful a call could be.
Risk = Literal[
    # Reading, or changes that undo can revert.
    "low",
    # Changes outside the workspace, network access, and programs whose actions cannot
    # be predicted.
    "medium",
    # Loss of data, access to secrets or privileges, or running code from elsewhere.
    "high",
]


class Part(Wire, frozen=True, kw_only=True):
    """A simple command, path or host with its own decision."""

    # The kind of part.
    kind: PartKind
    # The canonical form: a quoted argv, an absolute path or an origin. Control
    # characters are escaped.
    text: str
    # The decision on this part.
    decision: Decision
    # The risk of this part.
    risk: Risk
    # The reason for the decision.
    reason: Phrase


class RequestedStep(Wire, frozen=True, kw_only=True):
    """One of several calls that are asked about together. An answer can leave it out.
    """

    # The call.
    call: str
    # What the call will do, in one sentence.
    summary: Phrase
    # The command that bash would run, with control characters escaped. Absent if the
    # call is not a command.
    command: str | None = None
    # The real path of the file that the call edits, with control characters escaped.
    # Absent unless it edits one file.
    path: str | None = None
    # The unified diff of the change. Absent if the call has none.
    diff: str | None = None
    # Every simple command, path and host of the call with its own decision.
    parts: list[Part] = []
    # How harmful the call could be.
    risk: Risk
    # The digest of the call alone. If it has changed when the call is about to run,
    # permission is requested again.
    digest: str


class CreateFolderAction(
    Wire, frozen=True, kw_only=True, tag_field="kind", tag="create_folder"
):
    """Creates a folder."""

    # The path of the new folder.
    path: str


class MoveFileAction(Wire, frozen=True, kw_only=True, tag_field="kind", tag="move"):
    """Moves a file or folder to another folder."""

    # The current path.
    path: str
    # The new path, including the name.
    destination: str


class RenameAction(Wire, frozen=True, kw_only=True, tag_field="kind", tag="rename"):
    """Renames a file or folder within its folder."""

    # The current path.
    path: str
    # The new name, without a folder.
    name: str


class CopyFileAction(Wire, frozen=True, kw_only=True, tag_field="kind", tag="copy"):
    """Copies a file."""

    # The path of the file.
    path: str
    # The path of the copy, including its name.
    destination: str


class TrashAction(Wire, frozen=True, kw_only=True, tag_field="kind", tag="trash"):
    """Moves a file or folder to the trash."""

    # The path of the file or folder.
    path: str


# What an operation does. Paths are absolute. If the plan's scope is a single folder,
# they may be relative to it.
OrganizeAction = (
    # Creates a folder and its missing parent folders.
    CreateFolderAction
    # Moves a file or folder to another folder.
    | MoveFileAction
    # Renames a file or folder within its folder.
    | RenameAction
    # Copies a file.
    | CopyFileAction
    # Moves a file or folder to the trash.
    | TrashAction
)


class OrganizeOperation(Wire, frozen=True, kw_only=True):
    """An operation of a plan."""

    # The id of the operation, unique in its plan.
    id: str
    # What the operation does.
    action: OrganizeAction
    # The reason for the operation, for people.
    reason: Phrase = ""
    # How harmful a mistake in the operation would be. A check sets it to the risk of
    # the action's kind and ignores the planner's value.
    risk: Risk


class OrganizePlan(Wire, frozen=True, kw_only=True):
    """A plan of file operations in some folders. The operations are performed in order;
    each path is the path after the operations before it.
    """

    # The absolute real paths of the folders that the plan covers. Nothing is moved out
    # of or into any other folder.
    scope: list[str]
    # The reasoning behind the plan, for people.
    reasoning: Phrase = ""
    # The operations, in order.
    operations: list[OrganizeOperation]


class DraftTrees(Wire, frozen=True, kw_only=True):
    """The folders of a plan, before and after it."""

    # The current tree, as absolute paths. A folder's path ends with a slash and follows
    # that of the folder that contains it.
    before: list[str]
    # The tree after the plan, in the format of `before`.
    after: list[str]


class RequestedPlan(Wire, frozen=True, kw_only=True):
    """A plan of file operations, as shown in a permission request."""

    # The operations, each with the risk of its kind.
    plan: OrganizePlan
    # The folders before and after the plan. Absent if they contain too many files to
    # show.
    trees: DraftTrees | None = None


# What the operating system allows a process to do, independent of the decision. Ordered
# from narrow to wide.
Confinement = Literal[
    # System folders and the workspace are readable. Nothing is writable, and there is
    # no network.
    "read_only",
    # Like `read_only`, and the workspace is writable.
    "workspace",
    # Like `workspace`, with network access.
    "workspace_net",
    # Everything that the user may do, except gaining privileges.
    "open",
]


class NotKept(Wire, frozen=True, kw_only=True):
    """Files that a command could change and that are not saved for undo."""

    # The number of files. A folder that was not searched counts as one.
    files: int
    # The total size in bytes, as far as it is known.
    bytes: int
    # Whether there are more files than were counted.
    and_more: bool
    # A few of the files with the reason, with control characters escaped.
    examples: list[Phrase]


# A kind of access that a command tried.
AttemptKind = Literal[
    # Starting a program.
    "execute",
    # Reading a file or folder.
    "read",
    # Changing, creating, removing or renaming a file or folder.
    "write",
]


class WantedAccess(Wire, frozen=True, kw_only=True):
    """An access by a running command that its sandbox refuses. Allowing it opens
    exactly this access for the rest of the call.
    """

    # The path of the program that tries the access, with control characters escaped.
    program: str
    # The kind of access.
    operation: AttemptKind
    # The real path of the target, with control characters escaped.
    path: str
    # What the call does, in one sentence.
    of: Phrase


class RequestDetails(Wire, frozen=True, kw_only=True):
    """The details of a permission request, as data for screens."""

    # The real path of the folder that the call runs in.
    cwd: str
    # The command that bash would run, with control characters escaped. Absent if the
    # call is not a command.
    command: str | None = None
    # Every simple command, path and host of the call with its own decision. Calls that
    # are asked about together have their own.
    parts: list[Part]
    # Whether the command keeps running after the call, until it is stopped or the task
    # ends.
    background: bool = False
    # The task's folder. Absent unless the call runs in a different folder.
    away_from: str | None = None
    # The time limit in seconds that the call sets for its command. Absent if the
    # default limit applies or the call is not a command.
    time_limit_secs: int | None = None
    # The unified diff of the change. Absent if the call has none.
    diff: str | None = None
    # Calls of one plan that are asked about together, in its order. There are at least
    # two. Empty for any other request.
    steps: list[RequestedStep] = []
    # The plan of file operations that the call executes, with the trees before and
    # after. Absent if the call does not execute a plan. The digest of the request
    # covers it.
    plan: RequestedPlan | None = None
    # What the operating system allows the call to do.
    confinement: Confinement
    # The files that the command could change and that undo could not restore. Absent if
    # there are none.
    not_kept: NotKept | None = None
    # When the user refused a call of the same task that touches the same paths, in
    # milliseconds since the epoch. Absent if there is none. Only a person allows such a
    # call, not a standing consent.
    refused_at_ms: int | None = None
    # What the running call wants to access outside its sandbox. Absent for a call that
    # has not started.
    wanted: WantedAccess | None = None


class OnceLifetime(Wire, frozen=True, kw_only=True, tag_field="for", tag="once"):
    """The answer applies to this call only."""


class NamesLifetime(Wire, frozen=True, kw_only=True, tag_field="for", tag="names"):
    """The answer applies to this call only, and every value of the secrets that it
    reads is masked.
    """


class TaskLifetime(Wire, frozen=True, kw_only=True, tag_field="for", tag="task"):
    """The answer applies until the task ends."""

    # The id of the task.
    task: str


class SessionLifetime(Wire, frozen=True, kw_only=True, tag_field="for", tag="session"):
    """The answer applies to every task of the conversation."""

    # The id of the conversation.
    session: str


class MinutesLifetime(Wire, frozen=True, kw_only=True, tag_field="for", tag="minutes"):
    """The answer applies for a number of minutes, starting when it is given."""

    # The number of minutes.
    minutes: int


class AlwaysLifetime(Wire, frozen=True, kw_only=True, tag_field="for", tag="always"):
    """The answer applies until it is revoked."""


# How long an answer applies.
Lifetime = (
    # For this call only. Nothing is remembered.
    OnceLifetime
    # For this call only, which reads secrets and gets the names of their settings
    # without the values.
    | NamesLifetime
    # Until the task ends.
    | TaskLifetime
    # For every task of the conversation.
    | SessionLifetime
    # For a number of minutes.
    | MinutesLifetime
    # Until it is revoked.
    | AlwaysLifetime
)


class CallRule(Wire, frozen=True, kw_only=True, tag_field="kind", tag="call"):
    """A rule that covers exactly one call."""

    # The name of the tool, for display.
    tool: str
    # What the call does, for display.
    summary: Phrase
    # The digest of the call.
    digest: str


class ArgvRule(Wire, frozen=True, kw_only=True, tag_field="kind", tag="argv"):
    """A rule that covers simple commands by their argv."""

    # The words of the command, literally.
    argv: list[str]
    # Whether further words may follow.
    prefix: bool


# An operation on a path.
PathOperation = Literal[
    # Reading a file or listing a folder.
    "read",
    # Creating or changing a file or folder.
    "write",
    # Removing a file or folder.
    "delete",
]


class PathRule(Wire, frozen=True, kw_only=True, tag_field="kind", tag="path"):
    """A rule that covers a path or a folder."""

    # The operation that is covered.
    operation: PathOperation
    # The real absolute path.
    path: str
    # Whether everything below the path is also covered.
    below: bool
    # Whether `git add` and `git commit` of files below the path are also covered,
    # without running hooks.
    commits: bool = False


class OriginRule(Wire, frozen=True, kw_only=True, tag_field="kind", tag="origin"):
    """A rule that covers a web origin."""

    # The origin in canonical form: `scheme://host[:port]`.
    origin: str


class FolderRule(Wire, frozen=True, kw_only=True, tag_field="kind", tag="folder"):
    """A rule that covers work in a folder. What a call does is bounded by the walls,
    and not by its text.
    """

    # The real absolute path of the folder.
    path: str


# What a grant covers.
GrantRule = (
    # Exactly one call in exactly one folder.
    CallRule
    # Simple commands whose argv is equal to a list of words or starts with it.
    | ArgvRule
    # A path, or everything below a folder.
    | PathRule
    # A web origin.
    | OriginRule
    # Work in a folder: every call of every tool that stays in it, without a network.
    | FolderRule
)


class Offer(Wire, frozen=True, kw_only=True):
    """One way to allow a call."""

    # How long the answer applies.
    lifetime: Lifetime
    # The rule that is remembered. Absent for `once`.
    rule: GrantRule | None = None
    # Whether the rule covers more than what is asked, such as further words or a whole
    # folder.
    wider: bool = False
    # The offer, described for people, e.g. `cargo test … in /home/me/project, always`.
    label: Phrase


class PermissionRequest(Wire, frozen=True, kw_only=True):
    """A permission request: a call that is waiting for a person's answer."""

    # The id of the request. It is unique and stays the same after a restart.
    id: str
    # The task that is waiting.
    task: str
    # The conversation of that task.
    session: str
    # The call that is waiting. If several calls are asked about together, it is the
    # first of them.
    call: str
    # The name of the tool.
    tool: str
    # What the call will do, in one sentence.
    summary: Phrase
    # The details of the call.
    details: RequestDetails
    # How harmful the call could be.
    risk: Risk
    # The reasons why a person is asked.
    reasons: list[Phrase]
    # The digest that an answer is bound to. It covers the tool, its parameters, the
    # folder and the confinement.
    digest: str
    # The ways to allow the call. Denying it and asking for a change are always
    # possible; any other answer is refused.
    offered: list[Offer]
    # When the request was made.
    created_at_ms: int
    # When the request expires. Its task then waits until a person resumes it, and asks
    # again.
    expires_at_ms: int


class Question(Wire, frozen=True, kw_only=True):
    """A question from the planner, or from one of the agent's brakes, that is waiting
    for a person.
    """

    # The id of the question.
    id: str
    # The task that is waiting.
    task: str
    # The text of the question.
    text: Phrase
    # The answers to choose from. If empty, the answer is free text.
    choices: list[str] = []
    # When the question was asked.
    created_at_ms: int


class ActiveAgent(Wire, frozen=True, kw_only=True, tag_field="agent", tag="active"):
    """The state in which a task is running or something is waiting."""

    # Tasks that have not ended, oldest first. Queued tasks come after the others, in
    # the order in which they will start.
    tasks: list[TaskSummary]
    # Permission requests that have not been answered.
    requests: list[PermissionRequest]
    # Questions that have not been answered.
    questions: list[Question]


class WrittenCall(Wire, frozen=True, kw_only=True):
    """A call as the model wrote it: a function of the model's, for one action of a
    tool.
    """

    # The name of the function.
    name: str
    # The arguments. `None` if they are the parameters of the tool without `action`.
    arguments: Any = None


class ToolCall(Wire, frozen=True, kw_only=True):
    """A call of a tool."""

    # The id of the call, unique over all tasks. The core replaces any id that the model
    # chose.
    id: str
    # The name of the tool.
    tool: str
    # The parameters: an object that conforms to the tool's schema.
    parameters: Any
    # Why the arguments from the model could not be parsed, with their beginning. Such a
    # call is not made.
    problem: str | None = None
    # The call as the model wrote it, if that differs. It is sent back to the model, and
    # nothing else reads it.
    written: WrittenCall | None = None


class AgentPlan(Wire, frozen=True, kw_only=True):
    """The planner's answer for one iteration."""

    # The planner's reasoning, shown to the user. May be empty.
    reasoning: str = ""
    # The calls to make, in order.
    tool_calls: list[ToolCall] = []
    # A question for the user. The task waits for the answer.
    question: str | None = None
    # Whether the task is done. Only then is `summary` the final answer.
    is_complete: bool = False
    # What was done, for the user.
    summary: str | None = None
    # Whether the task ends because it needs a model. `summary` then says what is
    # needed.
    needs_model: bool = False
    # Data that the provider needs back together with this plan, such as signed
    # reasoning, in the format of the backend that created it. Nothing else reads it.
    provider_state: str | None = None


class IdleAgent(Wire, frozen=True, kw_only=True, tag_field="agent", tag="idle"):
    """The state in which no task is running and nothing is waiting."""


# The state that every screen shows.
AgentState = (
    # No task is running and nothing is waiting for a person.
    IdleAgent
    # Some tasks have not ended, or something is waiting for a person.
    | ActiveAgent
)


# A picture format that browsers and models support.
PictureType = Literal[
    # The format PNG.
    "image/png",
    # The format JPEG.
    "image/jpeg",
    # The format GIF.
    "image/gif",
    # The format WebP.
    "image/webp",
]


class PicturePart(Wire, frozen=True, kw_only=True, tag_field="part", tag="picture"):
    """A picture, stored as a blob."""

    # The BLAKE3 digest of the picture, which is the key in the blob store.
    digest: str
    # The format, determined from the first bytes.
    media_type: PictureType
    # The size in bytes.
    size_bytes: int
    # The width in pixels, according to the picture's header.
    width: int
    # The height in pixels, according to the picture's header.
    height: int
    # A description of the picture.
    alt: Phrase


# A picture inside another part. It is tagged like a separate part, so that all pictures
# have the same format.
InnerPicture = (
    # A picture, stored as a blob.
    PicturePart
)


class AimedPicture(Wire, frozen=True, kw_only=True):
    """A picture of a page before a click, with the target of the click."""

    # The visible part of the page.
    picture: InnerPicture
    # The distance from the left edge of the picture to the element, in pixels.
    left: int
    # The distance from the top edge of the picture to the element, in pixels.
    top: int
    # The width of the element in pixels.
    width: int
    # The height of the element in pixels.
    height: int


class AllowChoice(Wire, frozen=True, kw_only=True, tag_field="choice", tag="allow"):
    """Allows a call."""

    # How long the answer applies. The request must offer this lifetime.
    lifetime: Lifetime
    # Whether to choose the wider of two offers with this lifetime.
    wider: bool = False
    # The calls to leave out, in the order of the request. Only allowed with the
    # lifetime `once`. Leaving out all of them is not allowed; deny the request instead.
    dropped: list[str] = []


class DenyChoice(Wire, frozen=True, kw_only=True, tag_field="choice", tag="deny"):
    """Denies a call."""

    # The reason, which the planner receives. May be empty, unless the call is to be
    # changed.
    reason: Phrase = ""
    # Whether the planner is asked to submit the call again, changed as the reason says.
    # Such an answer refuses this call alone, and nothing that the call touches.
    change: bool = False


# Whether a call may run.
Choice = (
    # The call may run.
    AllowChoice
    # The call may not run.
    | DenyChoice
)


class LocalAnswerer(Wire, frozen=True, kw_only=True, tag_field="by", tag="local"):
    """A person at the host."""

    # The screen that the person used, e.g. `terminal`.
    screen: str


class DeviceAnswerer(Wire, frozen=True, kw_only=True, tag_field="by", tag="device"):
    """A person at a paired device. The signature covers these lines, joined by line
    feeds: `deputy-answer-1`, device, request, digest, choice, `expires_at_ms`,
    nonce, reason. The choice is `deny`, `change`, `allow once`, `allow names`,
    `allow task ID`, `allow session ID`, `allow minutes N` or `allow always`. It is
    `allow wider …` for the wider offer, and `allow once without CALL,CALL` if calls
    are left out.
    """

    # The id of the device.
    device: str
    # The name of the device, filled in by the host.
    name: str = ""
    # The time until which the answer is accepted: at most two minutes ahead on the
    # host's clock.
    expires_at_ms: int
    # A random text of at least 16 characters that is never reused.
    nonce: str
    # The signature in base64url: P-256 with SHA-256, `r` and `s` of 32 bytes each.
    signature: str


class StandingAnswerer(Wire, frozen=True, kw_only=True, tag_field="by", tag="standing"):
    """A standing consent for requests up to a risk."""

    # The highest risk that the consent covers.
    up_to: Risk


class ExpiryAnswerer(Wire, frozen=True, kw_only=True, tag_field="by", tag="expiry"):
    """The request expired without an answer."""


class InstructionAnswerer(
    Wire, frozen=True, kw_only=True, tag_field="by", tag="instruction"
):
    """The request was withdrawn, because the user gave the task an instruction while it
    waited.
    """


# Who or what answered a permission request.
Answerer = (
    # A person at a terminal or window of the host's own user.
    LocalAnswerer
    # A person at a paired device, which signed the answer.
    | DeviceAnswerer
    # A standing consent that the user gave in advance with `--yes`.
    | StandingAnswerer
    # The request expired without an answer.
    | ExpiryAnswerer
    # The request was withdrawn, because the user gave the task an instruction while it
    # waited.
    | InstructionAnswerer
)


class PermissionAnswer(Wire, frozen=True, kw_only=True):
    """An answer to a permission request."""

    # The id of the request.
    request: str
    # The digest of what the person saw.
    digest: str
    # Whether the call may run, and for how long the answer applies.
    choice: Choice
    # Who or what answered: a person at the host, a paired device, a standing consent,
    # or the request's expiry.
    by: Answerer


class AnswerPermissionCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="answer_permission"
):
    """Answers a permission request."""

    # The answer.
    answer: PermissionAnswer


class DeviceResponder(Wire, frozen=True, kw_only=True, tag_field="by", tag="device"):
    """A person at a paired device."""

    # The id of the device.
    device: str
    # The name of the device.
    name: str


# Who answered a question.
Responder = (
    # A person at a terminal or window of the host's own user.
    LocalAnswerer
    # A person at a paired device. Answers to questions are not signed; the device is
    # that of the connection.
    | DeviceResponder
)


class AnswerQuestionCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="answer_question"
):
    """Answers a question."""

    # The id of the question.
    request: str
    # The answer.
    text: str
    # Who answers. The host fills it in from the connection; only a program at the
    # terminal names itself.
    by: Responder | None = None


class ArchiveCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="archive"
):
    """Archives a conversation, or restores it."""

    # The id of any task of the conversation.
    task: str
    # Whether the conversation is archived (true) or restored (false).
    archived: bool


class Archived(Wire, frozen=True, kw_only=True, tag_field="type", tag="archived"):
    """A person archived the conversation of which this was the newest task, or restored
    it.
    """

    # Whether the conversation was archived (true) or restored (false).
    archived: bool


class AssistantMessage(
    Wire, frozen=True, kw_only=True, tag_field="role", tag="assistant"
):
    """A message from the planner."""

    # The planner's reasoning or question. May be empty.
    text: str
    # The calls that the planner made.
    tool_calls: list[ToolCall] = []
    # Data that the provider needs back with this message, as in the plan.
    provider_state: str | None = None


# The reason why something was refused or failed. Programs should branch on this code
# alone.
ErrorCode = Literal[
    # The client did not send a hello, or sent another message first.
    "no_hello",
    # The two sides use different versions of the protocol.
    "protocol",
    # A message cannot be parsed, or its id is not valid.
    "bad_message",
    # A command has a field that the host does not know. Nothing was done.
    "bad_field",
    # A WebSocket frame cannot be parsed.
    "bad_frame",
    # The body of a request is not valid.
    "bad_body",
    # The body of a request came too slowly.
    "slow_body",
    # A part of the request path is not valid.
    "bad_path",
    # A query is not valid.
    "bad_query",
    # The header `Last-Event-ID` is not the number of an event.
    "bad_event_id",
    # Nothing exists at this address.
    "unknown_path",
    # This address does not support this method.
    "unknown_method",
    # The request does not prove who sent it.
    "no_proof",
    # The session does not exist.
    "bad_session",
    # The session has ended.
    "session_over",
    # The link was already used or has expired.
    "bad_link",
    # The challenge was already used or has expired.
    "bad_challenge",
    # The signature was not made by this device or does not match the message.
    "bad_signature",
    # The device is not paired.
    "unknown_device",
    # The device was revoked.
    "revoked",
    # A device has to sign this message, but it is not signed.
    "unsigned",
    # The caller is connected but not allowed to do this.
    "not_allowed",
    # The `Host` header of the request names another host.
    "foreign_host",
    # The request comes from a page that is not Deputy's.
    "foreign_origin",
    # The address contains a secret.
    "secret_in_address",
    # Too many attempts from this address failed.
    "too_many_attempts",
    # The client sent messages too fast.
    "too_many_messages",
    # The client received events more slowly than they occurred.
    "too_slow",
    # No request or question with this id is open.
    "unknown_request",
    # The request or question was already answered.
    "already_answered",
    # The answer does not match the current content of the request.
    "changed",
    # The request does not offer this answer.
    "not_offered",
    # The request cannot be allowed without the calls that the answer leaves out.
    "cannot_drop",
    # The request expired, or its task has ended.
    "expired",
    # The signed answer has expired, or its expiry is too far in the future.
    "signature_over",
    # The signature was already used.
    "replayed",
    # The task does not exist.
    "unknown_task",
    # The event does not exist.
    "unknown_event",
    # The grant does not exist.
    "unknown_grant",
    # The task did not make this call.
    "unknown_call",
    # The background command is not running.
    "unknown_background",
    # The call has no such picture, or no output was kept beyond its result.
    "unknown_output",
    # The task has ended.
    "task_ended",
    # The task is not in the queue.
    "not_queued",
    # A task cannot be moved before itself in the queue.
    "before_itself",
    # The text of the task is empty.
    "empty_goal",
    # The text of the task is too long.
    "goal_too_long",
    # The profile does not exist or is not valid.
    "profile",
    # The folder cannot be used as a workspace.
    "workspace",
    # The task's scope is not valid.
    "scope",
    # The file or folder cannot be opened, or must not be.
    "cannot_open",
    # The task's browser cannot be opened in a window.
    "cannot_take_browser",
    # One of your rules denies the operation.
    "denied",
    # The value is not valid for the setting, or the setting cannot be changed from
    # here.
    "bad_setting",
    # The configuration cannot be read or written.
    "config",
    # The backend does not exist.
    "unknown_backend",
    # A required setting of the backend is missing.
    "backend_settings",
    # The backend's key is missing.
    "missing_key",
    # The backend does not answer, or returns an error.
    "backend",
    # The search provider does not exist, or its file cannot be read.
    "unknown_search_provider",
    # The search provider lacks a setting or key, does not answer, or returns an error.
    "web_search",
    # The desktop's keyring failed.
    "keyring",
    # The text is not a valid key.
    "bad_key",
    # The message does not belong to an open pairing.
    "bad_pairing",
    # No pairing was started.
    "no_pairing",
    # The name is not valid for a device.
    "bad_name",
    # Devices cannot connect to this host.
    "no_door",
    # This host serves no page.
    "no_page",
    # The operating system does not provide random numbers.
    "no_randomness",
    # The scan does not exist, or no longer does.
    "unknown_scan",
    # The folders to organize or to index cannot be used, or there are none or too many.
    "folders",
    # The text is not a valid naming convention.
    "convention",
    # The folders could not be scanned.
    "scan",
    # The plan cannot be executed, or its draft cannot be saved.
    "draft",
    # The job does not exist.
    "unknown_job",
    # Another job is working in the same folders.
    "job_overlaps",
    # The job was already undone.
    "job_undone",
    # The job failed, or its journal is damaged.
    "job",
    # The memory does not exist.
    "unknown_memory",
    # The memory was forgotten.
    "forgotten",
    # The text is not valid for a memory.
    "bad_text",
    # The journal is not available.
    "store",
    # The stored data of a task cannot be read.
    "task",
    # The host cannot be reached, sent an unexpected answer, or failed.
    "host",
    # The host is ending and executes no further command. The command can be sent to the
    # next host.
    "host_ending",
    # The command line could not be parsed.
    "usage",
    # The input, typed or from standard input, cannot be read or answered.
    "input",
    # Some of the output could not be written.
    "output",
    # Your home folder cannot be determined.
    "no_home",
    # Deputy's folder cannot be used.
    "home",
    # Other users can change Deputy's folder.
    "unsafe_home",
    # No host is running for this home.
    "no_host",
    # Another process already serves this home.
    "already_served",
    # The socket of the host cannot be used.
    "socket",
    # The page cannot be served at this address.
    "listen",
    # The address of the page is not a loopback address.
    "not_loopback",
    # Another program is using this port.
    "port_in_use",
    # The operating system did not provide a thread or a signal handler.
    "runtime",
    # The setting is not set.
    "not_set",
    # Your `rules.toml` cannot be used.
    "rules",
    # Files changed since the job, so it was not undone.
    "conflict",
    # The pairing ended without a device.
    "pairing_over",
    # Starting at login cannot be enabled or disabled.
    "login",
    # The page could not send the message because the host is gone.
    "not_sent",
    # Something failed in the page or its window.
    "page",
    # A code from a newer version that this version does not know. The message and hints
    # say what happened.
    "unknown",
]


class ErrorBody(Wire, frozen=True, kw_only=True):
    """An error, as sent to clients. Programs should branch on `code` alone."""

    # The error code, for programs.
    code: ErrorCode
    # What was tried, on what, and why it failed.
    message: Phrase
    # What to do next.
    hints: list[Phrase] = []


class Finding(Wire, frozen=True, kw_only=True):
    """The result of one check."""

    # The name of the check.
    name: str
    # Whether the check passed.
    ok: bool
    # What was found and, if the check failed, what to do.
    message: Phrase


class BackendCheck(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="backend_check"
):
    """The result of checking a backend."""

    # The name of the backend.
    backend: str
    # Why the backend cannot be used. Absent if it can.
    problem: ErrorBody | None = None
    # The models that the provider offers.
    models: list[str]
    # Whether the configured model can call tools. Absent if no model is used or the
    # backend cannot be used.
    tools: Finding | None = None
    # How long the answer took, in milliseconds.
    took_ms: int


class BackendChoice(Wire, frozen=True, kw_only=True):
    """A backend that a task may use."""

    # The name of the backend.
    name: str
    # The configured model. Absent if none is configured.
    model: str | None = None
    # What is missing before the backend can be used. The keyring is not searched for a
    # key. Absent if nothing is known to be missing.
    problem: ErrorBody | None = None


class UsualKey(Wire, frozen=True, kw_only=True):
    """The environment variable that usually contains the key for a host. The key is
    only sent to that host.
    """

    # The host that the key is for.
    host: str
    # The name of the environment variable.
    variable: str


# What a check asks a backend.
Probe = Literal[
    # The list of models that the provider offers.
    "models",
]


class Preset(Wire, frozen=True, kw_only=True):
    """An address that is commonly used."""

    # The display name of the provider at the address.
    label: str
    # The address.
    address: str


# The type of a setting's value.
SettingKind = Literal[
    # A line of text.
    "text",
    # The address of a server. The backend's key belongs to this address.
    "address",
    # The name of a model. A check can list the possible models.
    "model",
    # A number.
    "number",
    # On or off.
    "switch",
    # One of several words.
    "choice",
    # A table of names with texts.
    "table",
]


class BackendSetting(Wire, frozen=True, kw_only=True):
    """A setting of a backend."""

    # The name of the setting in `config.toml`.
    name: str
    # The display name of the setting.
    label: Phrase
    # The type of the value.
    kind: SettingKind
    # The value that applies if the setting is not set. Absent if there is no default.
    default: Any = None
    # Whether the backend only works after the setting is set.
    required: bool = False
    # Whether the setting can only be changed in the file or with `deputy config set`.
    advanced: bool = False
    # The possible values. Only used for the kind `choice`.
    choices: list[str] = []
    # A hint for people about the setting.
    hint: Phrase = ""


class BackendForm(Wire, frozen=True, kw_only=True):
    """What a backend declares in its file. The file is the only source of this
    information.
    """

    # The display name of the backend.
    label: Phrase
    # The description of the backend, in one sentence.
    summary: Phrase = ""
    # Whether the backend can use a key.
    takes_key: bool = False
    # The environment variables that usually contain keys, each with the host that its
    # key is for.
    usual_keys: list[UsualKey] = []
    # What a check asks the backend. If absent, a check only loads the backend with its
    # settings.
    probe: Probe | None = None
    # The address of the backend's server on the local machine, with `{port}` as a
    # placeholder. Deputy looks for such servers. Absent if the backend does not run
    # locally.
    local_address: str | None = None
    # Addresses that are commonly used.
    presets: list[Preset] = []
    # The settings of the backend, in the order in which to ask for them.
    settings: list[BackendSetting] = []


class BackendRef(Wire, frozen=True, kw_only=True):
    """A backend with its settings. It is part of every request, so that a restart of
    the sidecar loses no settings.
    """

    # The name of the backend.
    name: str
    # The settings of the backend from `config.toml`, e.g. `base_url`, `model`,
    # `timeout_secs`.
    settings: dict[str, Any] = {}


# A kind of place for a key.
KeyPlaceKind = Literal[
    # An environment variable of the host's process.
    "variable",
    # The desktop's keyring.
    "keyring",
]


class KeyPlace(Wire, frozen=True, kw_only=True):
    """The place where a key is looked up. The key itself is never sent to a screen."""

    # The kind of place.
    kind: KeyPlaceKind
    # The name of the environment variable or the keyring entry.
    name: str


class BackendSettings(Wire, frozen=True, kw_only=True):
    """The settings of a backend."""

    # The name of the backend.
    name: str
    # Whether the backend is built in. Otherwise it is a file of the user.
    shipped: bool
    # What the backend's file declares. Absent if it declares nothing.
    form: BackendForm | None = None
    # The values that are set, by the name of the setting. Only settings that a screen
    # may change are included.
    values: dict[str, str] = {}
    # The address of the backend's server. Absent if it is not set.
    base_url: str | None = None
    # The model of the backend. Absent if it is not set.
    model: str | None = None
    # Where the backend's key is looked up. Absent if no key is expected.
    key: KeyPlace | None = None


# Why a background command ended.
BackgroundEnd = Literal[
    # The command exited.
    "exited",
    # The task stopped the command.
    "stopped_by_task",
    # The user stopped the command.
    "stopped_by_user",
    # The command's task ended.
    "task_ended",
    # The command reached the limit `limits.background_secs`.
    "time_limit",
    # Deputy was restarted. The command ended with the process that had started it.
    "host_restarted",
]


class KeptOutput(Wire, frozen=True, kw_only=True):
    """The complete output of a command, stored next to the journal. It contains both
    streams in the order in which they were written.
    """

    # The BLAKE3 digest of the text, which is the key in the blob store.
    digest: str
    # The size of the text in bytes.
    size_bytes: int
    # The number of further bytes that were not kept, because
    # `limits.command_output_mib` was reached.
    omitted_bytes: int


class KeptFile(Wire, frozen=True, kw_only=True, tag_field="kind", tag="file"):
    """A regular file, identified by its content."""

    # The BLAKE3 digest of the content, which is the key in the blob store.
    digest: str
    # The size in bytes.
    size_bytes: int
    # The permission bits, as in `0o644`.
    mode: int


class BuildOutputState(Wire, frozen=True, kw_only=True):
    """What is known of a folder with build output. Undo removes such a folder if the
    call created it.
    """

    # The number of files in it that changed since the task began.
    files: int
    # When this was found, in milliseconds since 1970. A file that changed later was not
    # changed by the call.
    at_ms: int


class KeptFolder(Wire, frozen=True, kw_only=True, tag_field="kind", tag="folder"):
    """A folder."""

    # The permission bits, as in `0o755`. Absent if they do not matter.
    mode: int | None = None
    # If programs made the folder: what is known of the files in it, whose contents are
    # not kept. Absent for other folders.
    output: BuildOutputState | None = None


class KeptLink(Wire, frozen=True, kw_only=True, tag_field="kind", tag="link"):
    """A symbolic link, identified by its target."""

    # The target path, exactly as stored in the link.
    target: str


class SpecialFile(Wire, frozen=True, kw_only=True, tag_field="kind", tag="special"):
    """A pipe, socket or device."""

    # `pipe`, `socket` or `device`.
    what: str


class UnkeptFile(Wire, frozen=True, kw_only=True, tag_field="kind", tag="unkept"):
    """Something that was not copied and cannot be restored."""


# The state of a path.
FileState = (
    # Nothing exists at the path.
    AbsentFile
    # A regular file, whose content is kept as a blob.
    | KeptFile
    # A folder.
    | KeptFolder
    # A symbolic link. Only its target path is kept; the link is never followed.
    | KeptLink
    # A pipe, socket or device. It has no content, and undo can only remove it.
    | SpecialFile
    # Something that cannot be restored, such as a file that was not copied.
    | UnkeptFile
)


class FileTime(Wire, frozen=True, kw_only=True):
    """A time as file systems store it."""

    # Seconds since 1970.
    secs: int
    # Nanoseconds of that second.
    nanos: int


class FileChange(Wire, frozen=True, kw_only=True):
    """A change of one file or folder by a call. Its previous state is journaled before
    the change.
    """

    # The absolute path.
    path: str
    # The state of the path before the change.
    before: FileState
    # The state of the path after the change.
    after: FileState
    # When the file of `before` was last modified, which undo restores with a file that
    # was removed or moved. Absent if it was no file.
    before_modified: FileTime | None = None


class ChangedRepository(Wire, frozen=True, kw_only=True):
    """A git repository that a command changed."""

    # The real path of the folder in which git keeps its data.
    folder: str
    # The blob with the states before and after the command: HEAD, the index, the stash
    # and everything that has references, file by file.
    states: str


class RefusedAttempt(Wire, frozen=True, kw_only=True):
    """An access by a command that the sandbox refused."""

    # The kind of access.
    operation: AttemptKind
    # The absolute path of the target.
    path: str
    # Why the access was refused.
    why: Phrase


class BackgroundEnded(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="background_ended"
):
    """A background command and all processes that it started have ended."""

    # The id of the command.
    background: str
    # The call that started the command.
    call: str
    # Why the command ended.
    why: BackgroundEnd
    # The exit code of the command. Absent if the command was killed.
    exit_code: int | None = None
    # One line for people and the planner, e.g. `exit code 1 after 3.2 s`.
    message: Phrase
    # The end of the command's output.
    tail: str = ""
    # The complete output. Absent if `tail` contains all of it.
    kept: KeptOutput | None = None
    # The files that changed since the command started, for undo.
    changes: list[FileChange] = []
    # The git repositories that changed since the command started, for undo.
    repositories: list[ChangedRepository] = []
    # The accesses that the sandbox refused, as far as it recorded them.
    refused: list[RefusedAttempt] = []


class BackgroundStarted(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="background_started"
):
    """A command keeps running in the background while the task continues."""

    # The id of the command within its task: `b1`, `b2`, ...
    background: str
    # The call that started the command. Live output of the command arrives as progress
    # of this call.
    call: str
    # The command, with control characters escaped.
    command: str
    # The real path of the folder that the command runs in.
    cwd: str
    # What the operating system allows the command to do.
    confinement: Confinement
    # Whether the command runs in the task's private loopback network, which later
    # commands of the task share.
    own_network: bool
    # The blob that lists the files from before the start. Absent if the command may not
    # write anything.
    manifest: str | None = None


class BeforePlace(Wire, frozen=True, kw_only=True, tag_field="place", tag="before"):
    """The place directly before another task."""

    # The other task, which must be queued too.
    task: str


class Briefed(Wire, frozen=True, kw_only=True, tag_field="type", tag="briefed"):
    """The planner's system text, tools or earlier tasks changed. Written for a step if
    they differ from the step before.
    """

    # The blob of the system text.
    system: str
    # The blob of the tools, as JSON.
    tools: str
    # The blob of the earlier tasks of the conversation, as JSON. Absent if there are
    # none.
    earlier: str | None = None
    # The groups of functions that the planner has from the start, decided before the
    # first step. Absent in events of earlier versions, which had no groups.
    groups: list[str] | None = None


# Who is using a browser.
BrowserUser = Literal[
    # No browser is open.
    "nobody",
    # The task is using the browser.
    "task",
    # A person is using the browser in a window. The task's browser calls wait.
    "person",
]


class BrowserAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="browser"):
    """The current state of a task's browser."""

    # Who is using the browser.
    used_by: BrowserUser
    # The address of the page that is open. Absent if there is none.
    url: str | None = None
    # Whether the host runs on a desktop, so that a window can be opened.
    has_display: bool


class BrowserQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="browser"):
    """Asks for the current state of a task's browser."""

    # The id of the task.
    task: str


class BrowserReturned(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="browser_returned"
):
    """A person returned the browser to the task."""

    # The address of the page that the browser showed at that time. Absent if there was
    # none.
    url: str | None = None


class BrowserTaken(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="browser_taken"
):
    """A person took over the task's browser."""

    # The address of the page that the browser showed. Absent if there was none.
    url: str | None = None


# A limit that pauses a task.
BudgetLimit = Literal[
    # The running time, `max_wall_secs`.
    "time",
    # The tokens of the task, `max_tokens`.
    "tokens",
    # The cost of the task, `max_cost_cents`.
    "cost",
    # The limit `max_cost_cents` cannot be enforced because the price of the model is
    # unknown.
    "unknown_price",
    # The tokens of all tasks in a day, `day_tokens`.
    "day_tokens",
    # The cost of all tasks in a day, `day_cost_cents`.
    "day_cost",
]


class BudgetReached(Wire, frozen=True, kw_only=True):
    """A limit of time or money that a task reached, with what the task used and did."""

    # The limit that was reached.
    limit: BudgetLimit
    # The number of tokens that count against the limit.
    tokens: int
    # The cost of the counted tokens in millionths of the currency, as far as their
    # price is known.
    cost_micros: int
    # The time that the task worked, in seconds.
    worked_secs: int
    # The number of the task's steps.
    steps: int
    # The number of files that the task changed.
    files: int
    # The number of the task's calls that changed something.
    calls: int


class BuiltFolder(Wire, frozen=True, kw_only=True):
    """A folder with what programs make, such as build output and caches."""

    # Its absolute path.
    folder: str
    # The number of files in it that changed.
    files: int


class Verdict(Wire, frozen=True, kw_only=True):
    """The decision of policy on a whole call."""

    # The strictest decision of all parts.
    decision: Decision
    # The highest risk of all parts.
    risk: Risk
    # The reasons in plain words, strictest first, without repetition.
    reasons: list[Phrase]
    # What the operating system will allow the call to do if it runs.
    confinement: Confinement
    # The parts of the call (simple commands, paths and hosts), each with its own
    # decision.
    parts: list[Part]


# The effect of running a call twice. It decides what happens to a call that was
# interrupted by a crash.
Effect = Literal[
    # The call changes nothing. It may run in parallel with others, and again after a
    # crash.
    "read_only",
    # Running the call twice has the same effect as running it once.
    "idempotent",
    # Running the call twice may do harm. It is never run again without asking a person.
    "mutating",
]


class CallDecided(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="call_decided"
):
    """Policy decided on a call."""

    # The call.
    call: str
    # The decision with its reasons.
    verdict: Verdict
    # The effect of running the call twice.
    effect: Effect
    # What the call does, for people.
    summary: Phrase
    # The digest that the decision is bound to.
    digest: str
    # The grant that allowed or denied the call. Absent if no grant did.
    grant: str | None = None


# How a call ended.
CallStatus = Literal[
    # The call succeeded.
    "ok",
    # The call ran and failed, or could not run. The result's `content` says why.
    "failed",
    # Policy or a person denied the call. The result's `content` says why.
    "denied",
    # The call was ended by a stop or a timeout.
    "cancelled",
    # The process died during the call. The call may or may not have taken effect.
    "unknown",
]


class CancelParams(Wire, frozen=True, kw_only=True):
    """The parameters of `$/cancel`."""

    # The id of the request to cancel. The request is answered with the error
    # `cancelled`.
    id: int


class Challenge(Wire, frozen=True, kw_only=True, tag_field="type", tag="challenge"):
    """The challenge that the server sends first on a connection that has to be
    authenticated.
    """

    # A random text that is valid once. A device signs it.
    challenge: str
    # The server's current time, against which every expiry is checked.
    now_ms: int


class SettingChange(Wire, frozen=True, kw_only=True):
    """A change of one setting."""

    # The key of the setting in the file, e.g. `limits.max_iterations`.
    key: str
    # The new value, as text. If absent, the setting is removed, so that the default
    # applies.
    value: str | None = None


class ChangeSettingsCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="change_settings"
):
    """Changes settings: all of them, or none if one of the values is not valid."""

    # The changes.
    changes: list[SettingChange]


# What was done to a file.
FileDeed = Literal[
    # It did not exist before.
    "created",
    # It has another content or mode.
    "changed",
    # It does not exist any more.
    "removed",
    # It has another path and the same content.
    "moved",
]


class ChangedLines(Wire, frozen=True, kw_only=True):
    """The lines of a changed text."""

    # The number of lines that were added.
    added: int
    # The number of lines that were removed.
    removed: int


class ChangedFile(Wire, frozen=True, kw_only=True):
    """What a task did to a file, from before its first change to after its last one."""

    # The absolute path.
    path: str
    # What was done.
    deed: FileDeed
    # The absolute path from which it was moved. Absent if it was not moved.
    moved_from: str | None = None
    # The number of lines that were added and removed. Absent if it is not a text, or is
    # too long.
    lines: ChangedLines | None = None


class CheckBackendQuery(
    Wire, frozen=True, kw_only=True, tag_field="query", tag="check_backend"
):
    """Asks a backend's provider for its models."""

    # The name of the backend.
    backend: str


class CheckSearchQuery(
    Wire, frozen=True, kw_only=True, tag_field="query", tag="check_search"
):
    """Searches the web once with the configured provider, to check it."""


class ProfileChoice(Wire, frozen=True, kw_only=True):
    """A profile that a task may use."""

    # The name of the profile.
    name: str
    # A description in one line, for lists. Empty if the profile's file cannot be read.
    description: Phrase


class Limits(Wire, frozen=True, kw_only=True):
    """The limits of a task. `0` means no limit, except for `tool_output_chars`. A limit
    that is missing in an older journal has its default.
    """

    # The maximum number of plan-execute-observe cycles. After that, the planner answers
    # once more and the task stops with `iteration_limit`.
    max_iterations: int = 100
    # The maximum running time in seconds, without the time spent waiting for a person.
    # After that, the task pauses.
    max_wall_secs: int = 14400
    # The maximum number of tokens over all plans. After that, the task pauses.
    max_tokens: int = 0
    # The maximum cost of all plans, in hundredths of the currency. After that, the task
    # pauses.
    max_cost_cents: int = 0
    # The maximum number of tokens of all tasks in a day. After that, each task pauses.
    # The value configured when a plan is due applies.
    day_tokens: int = 0
    # The maximum cost of all tasks in a day, in hundredths of the currency. After that,
    # each task pauses. The value configured when a plan is due applies.
    day_cost_cents: int = 0
    # The maximum number of tokens that one call of `python_inference` may use.
    inference_tokens: int = 500000
    # The maximum number of characters of a result that the planner sees.
    tool_output_chars: int = 12000
    # The maximum number of tokens in one request to the model. Before it is reached,
    # older steps are replaced by a summary.
    context_tokens: int = 32000
    # The number of seconds after which an unanswered permission request counts as
    # denied.
    request_expiry_secs: int = 86400
    # How many times in a row the same call may repeat or fail, or calls may be denied,
    # before the user is asked.
    brake_after: int = 3
    # The maximum number of read-only calls that run at the same time.
    parallel_calls: int = 5
    # The maximum running time of one command, in seconds.
    command_secs: int = 3600
    # The time limit, in seconds, of a command whose call does not specify one.
    command_default_secs: int = 600
    # The maximum CPU time of each process of a command, in seconds.
    command_cpu_secs: int = 14400
    # The maximum private memory of each process of a command, in MiB.
    command_memory_mib: int = 4096
    # The maximum number of processes and threads of a command.
    command_processes: int = 512
    # The maximum size of a file that a command may write, in MiB.
    command_file_mib: int = 4096
    # The maximum output of a command that is kept, in MiB. Further output is only
    # counted.
    command_output_mib: int = 16
    # The maximum number of background commands of a task that run at the same time.
    background_commands: int = 4
    # The maximum running time of a background command, in seconds.
    background_secs: int = 14400


class Choices(Wire, frozen=True, kw_only=True):
    """The choices for a new task, and the defaults."""

    # The backend of a task that does not name one.
    backend: str
    # The profile of a task that does not name one.
    profile: str
    # All backends: the built-in ones, then the user's own.
    backends: list[BackendChoice]
    # All profiles: the built-in ones, then the user's own.
    profiles: list[ProfileChoice]
    # The configured limits. A profile may lower them.
    limits: Limits
    # The existing folders in which people usually keep their files.
    folders: list[str]


class ChoicesAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="choices"):
    """The choices for a new task."""

    # The host's current choices.
    choices: Choices


class ChoicesQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="choices"):
    """Asks for the choices for a new task."""


class Scope(Wire, frozen=True, kw_only=True):
    """What a task may touch. If all lists are empty, only the workspace is special."""

    # Folders that the task may read in addition to the workspace.
    read: list[str] = []
    # Folders and files that the task may propose to change. Empty means the workspace.
    # A sub-task's need not exist.
    write: list[str] = []
    # Whether the task may change nothing.
    read_only: bool = False
    # If not empty, the only files, and folders with all that is in them, that the task
    # may touch.
    only_files: list[str] = []
    # If not empty, the task may only touch files that have one of these tags.
    only_tags: list[str] = []
    # The naming convention for files in the task's plans, written as an example. Absent
    # if any name is allowed.
    names: str | None = None


class Terminal(Wire, frozen=True, kw_only=True):
    """What approved commands take over from the terminal in which their task was
    started, because the host may have been started elsewhere.
    """

    # The value of `PATH`.
    path: str
    # The active Python environment: the value of `VIRTUAL_ENV`.
    virtual_env: str | None = None


class StartCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="start"):
    """Starts a task."""

    # What the user wants.
    goal: str
    # The absolute path of the folder to work in.
    workspace: str
    # The name of the profile. If absent, the configured default is used.
    profile: str | None = None
    # The name of the backend. If absent, the configured default is used.
    backend: str | None = None
    # The model of the backend. If absent, the configured model is used.
    model: str | None = None
    # The conversation to continue. If absent, a new one starts.
    session: str | None = None
    # The task that this task continues. The new task belongs to the same conversation
    # and has the same scope.
    after: str | None = None
    # What the task may touch in addition to the workspace. If it is empty, a task in an
    # existing conversation has the scope of the newest task before it. It must be empty
    # if `after` is set.
    scope: Scope = msgspec.field(default_factory=Scope)
    # Overrides the profile's limit of iterations. 0 means no limit.
    max_iterations: int | None = None
    # Overrides the profile's limit of running time, in seconds. 0 means no limit.
    max_wall_secs: int | None = None
    # Overrides the profile's limit of tokens. 0 means no limit.
    max_tokens: int | None = None
    # Overrides the profile's limit of cost, in hundredths of the currency. 0 means no
    # limit.
    max_cost_cents: int | None = None
    # Permission requests up to this risk count as allowed once. If absent, a person is
    # always asked.
    standing_consent: Risk | None = None
    # The terminal in which the user starts the task. If absent, a task in an existing
    # conversation has the terminal of the newest task before it. Ignored if the command
    # comes from another device.
    terminal: Terminal | None = None


class StopCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="stop"):
    """Ends a task."""

    # The id of the task.
    task: str


class PauseCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="pause"):
    """Pauses a task."""

    # The id of the task.
    task: str


class ResumeCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="resume"):
    """Resumes a task."""

    # The id of the task.
    task: str


class FirstPlace(Wire, frozen=True, kw_only=True, tag_field="place", tag="first"):
    """The first place in the queue."""


class LastPlace(Wire, frozen=True, kw_only=True, tag_field="place", tag="last"):
    """The last place in the queue."""


# A place in the queue of tasks.
QueuePlace = (
    # Before all other tasks, so that the task starts next.
    FirstPlace
    # Directly before another task.
    | BeforePlace
    # After all other tasks.
    | LastPlace
)


class MoveInQueueCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="move_in_queue"
):
    """Moves a queued task to another place in the queue."""

    # The id of the task.
    task: str
    # The new place in the queue.
    to: QueuePlace


class RenameCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="rename"):
    """Renames a conversation."""

    # The id of any task of the conversation.
    task: str
    # The title, in one line. If absent, the first text of the conversation serves as
    # the title.
    title: str | None = None


class ForkCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="fork"):
    """Starts a new conversation with the contents of another one, up to a step."""

    # The task that contains the step. Earlier tasks of its conversation are included.
    task: str
    # The last step that is included. If absent, it is the newest step that has ended.
    # Files are not reset.
    step: int | None = None
    # What to do next.
    text: str


class TaskSpec(Wire, frozen=True, kw_only=True):
    """A task as it was submitted. A `TaskSpec` never changes."""

    # The id of the task.
    id: str
    # The id of the conversation that the task belongs to.
    session: str
    # What the user wants, in their own words.
    goal: str
    # The name of the profile that the task runs with.
    profile: str
    # The name of the backend that plans the task.
    backend: str
    # The model that plans the task. Absent if it is the backend's configured model.
    model: str | None = None
    # The real path of the workspace: the working directory, which the task may read.
    workspace: str
    # The files and folders that the task may touch.
    scope: Scope = msgspec.field(default_factory=Scope)
    # The limits at which the task stops or pauses.
    limits: Limits
    # The risk up to which permission requests count as answered `allow once` in advance
    # (`--yes`).
    standing_consent: Risk | None = None
    # The call of the parent task that delegated this task. Absent unless the task is a
    # sub-task.
    parent: ParentCall | None = None
    # The terminal in which the user started the task. Absent if it was started on a
    # screen.
    terminal: Terminal | None = None


class Created(Wire, frozen=True, kw_only=True, tag_field="type", tag="created"):
    """The task was submitted."""

    # The task as it was submitted.
    spec: TaskSpec
    # A warning for the user before anything runs: the workspace is the home folder, or
    # contains it. Absent otherwise.
    notice: str | None = None
    # The real paths of the files and folders that the goal names. The task may read
    # them. Resolved when it was typed.
    named: list[str] = []


class QueueMoved(Wire, frozen=True, kw_only=True, tag_field="type", tag="queue_moved"):
    """A person moved a queued task to another place in the queue."""

    # The new place of the task.
    rank: str


class Renamed(Wire, frozen=True, kw_only=True, tag_field="type", tag="renamed"):
    """A person renamed the conversation that starts with this task."""

    # The title. If absent, the first text of the conversation serves as the title.
    title: str | None


class IterationStarted(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="iteration_started"
):
    """An iteration of the task started."""

    # The number of the iteration, from 1.
    iteration: int


class Usage(Wire, frozen=True, kw_only=True):
    """The number of tokens that requests to a model used."""

    # Input tokens, including those from the provider's cache.
    input_tokens: int = 0
    # Output tokens, including reasoning tokens.
    output_tokens: int = 0
    # The part of the input tokens that came from the provider's cache.
    cached_tokens: int = 0
    # The part of the output tokens that the model spent on reasoning.
    reasoning_tokens: int = 0


class Planned(Wire, frozen=True, kw_only=True, tag_field="type", tag="planned"):
    """The planner answered."""

    # The plan. Its calls have the ids that the core assigned.
    plan: AgentPlan
    # The tokens that the plan used.
    usage: Usage = msgspec.field(default_factory=Usage)
    # The time from request to answer, in milliseconds.
    duration_ms: int
    # The model that was configured at the time. Absent if the backend names none.
    model: str | None = None
    # The backend that answered. Absent if it was the task's own backend.
    backend: str | None = None
    # The cost of the plan, in millionths of the currency. Absent if the price is
    # unknown.
    cost_micros: int | None = None


# Why a backend did not answer. The codes are stable.
PlanErrorCode = Literal[
    # The key is missing, wrong, or lacks the permission.
    "auth",
    # There were too many requests. `retry_after_secs` says when to retry.
    "rate_limited",
    # The conversation is too long for the model.
    "context_overflow",
    # The provider cannot be reached, is too slow, or closed the connection.
    "network",
    # The provider's answer is not valid.
    "bad_response",
    # The provider does not have the model.
    "model_missing",
    # The core cancelled the request.
    "cancelled",
    # The name or the settings of the backend are not valid.
    "bad_settings",
    # The sidecar died or does not start.
    "sidecar",
    # A bug in the sidecar or in a backend file.
    "internal",
]


class SpentInVain(Wire, frozen=True, kw_only=True):
    """The usage of a request whose answer could not be used."""

    # The backend that was asked.
    backend: str
    # The model that was asked. Absent if the backend names none.
    model: str | None = None
    # The tokens that the provider counted.
    usage: Usage
    # The cost in millionths of the currency, by the prices at the time. Absent if the
    # price is unknown.
    cost_micros: int | None = None


class ProviderWait(Wire, frozen=True, kw_only=True):
    """A wait that a model's provider asked for."""

    # When the wait ends.
    until_ms: int
    # The backend that is asked again then, as `backend` or `backend/model`.
    backend: str


class PlanFailed(Wire, frozen=True, kw_only=True, tag_field="type", tag="plan_failed"):
    """The planner did not answer."""

    # The error code.
    code: PlanErrorCode
    # What went wrong and what to do next, for people.
    message: Phrase
    # How many times in a row the planner has failed, from 1.
    attempt: int
    # The time in milliseconds until the planner is asked again. Absent if it is not
    # asked again automatically.
    retry_in_ms: int | None = None
    # The backend that is asked instead, as `backend` or `backend/model`. Absent if the
    # same backend is asked.
    next_backend: str | None = None
    # The tokens that the failed request used. Absent if the provider did not count
    # them.
    spent: SpentInVain | None = None
    # The time until which the provider wants no request. The task waits for it and then
    # asks again. Absent if the provider named no time.
    wait: ProviderWait | None = None


class Compacted(Wire, frozen=True, kw_only=True, tag_field="type", tag="compacted"):
    """Older steps were replaced by a summary in what the planner reads. The journal
    keeps all of them.
    """

    # The last iteration that the summary covers.
    through_iteration: int
    # The number of messages that the summary replaces.
    messages: int
    # The summary that the planner reads instead of the messages.
    summary: str


class Oriented(Wire, frozen=True, kw_only=True, tag_field="type", tag="oriented"):
    """The start block was added to the conversation: the date, the system, the folder
    and what is allowed.
    """

    # The text, as the planner reads it after the goal.
    text: str


class NotedTask(Wire, frozen=True, kw_only=True):
    """An earlier task as notes tell about it."""

    # The id of the task.
    task: str
    # Whether the notes say that everything it changed was undone.
    undone: bool


class Noted(Wire, frozen=True, kw_only=True, tag_field="type", tag="noted"):
    """The planner was given notes of earlier tasks."""

    # The text of the notes.
    text: str
    # Whether the notes come directly after the goal. Otherwise they come after the
    # conversation so far.
    at_start: bool
    # The earlier tasks that the notes tell about, for a correction if one is undone
    # later.
    about: list[NotedTask] = []


class GuidanceFolder(Wire, frozen=True, kw_only=True):
    """A folder with guidance files."""

    # The real path of the folder.
    folder: str
    # The guidance files in the folder: `AGENTS.md`, and skills by name.
    files: list[str]


class GuidanceFound(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="guidance_found"
):
    """Folders with guidance files were found that the user has not decided on."""

    # The folders.
    folders: list[GuidanceFolder]


class GuidanceText(Wire, frozen=True, kw_only=True):
    """The text of a guidance file."""

    # The path of the file.
    path: str
    # The content of the file.
    text: str


class Skill(Wire, frozen=True, kw_only=True):
    """A skill. Every request to the model includes its description; its text is only
    included after the planner asks for it.
    """

    # The name of the skill.
    name: str
    # What the skill is for.
    description: str
    # The path of its `SKILL.md`.
    path: str


class Guided(Wire, frozen=True, kw_only=True, tag_field="type", tag="guided"):
    """The user's guidance that the planner is given, as it was when the task started.
    """

    # The texts, most general first.
    texts: list[GuidanceText]
    # The skills that the planner may ask for.
    skills: list[Skill] = []


# The state of a step of a to-do list.
TodoState = Literal[
    # The step has not been started.
    "pending",
    # The step is in progress.
    "active",
    # The step is done.
    "done",
    # The step is no longer needed.
    "dropped",
]


class TodoStep(Wire, frozen=True, kw_only=True):
    """A step of a to-do list."""

    # What has to be done, in a few words.
    title: str
    # The state of the step.
    state: TodoState


class TodoChanged(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="todo_changed"
):
    """The planner wrote or updated its to-do list."""

    # The call that changed the list.
    call: str
    # All steps, in order.
    steps: list[TodoStep]


class SubtasksStarted(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="subtasks_started"
):
    """A call delegated work to sub-tasks. The task waits until the sub-tasks or the
    call end. The event is written again if the call runs again after a crash.
    """

    # The call that delegated the work.
    call: str
    # The ids of the sub-tasks, in the order of the call.
    tasks: list[str]


class SubtasksEnded(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="subtasks_ended"
):
    """The sub-tasks of a call ended. Their usage counts against the limits of the task
    that delegated them. Their own journals contain usage and prices in detail.
    """

    # The call that delegated the work.
    call: str
    # The files that the sub-tasks changed, according to their journals.
    files: list[str]
    # The number of tokens that the sub-tasks used.
    tokens: int
    # The cost of the sub-tasks' tokens, in millionths of the currency. It covers only
    # the tokens whose price is known; absent if none is.
    cost_micros: int | None = None
    # Whether the price of some of the tokens is unknown.
    is_unpriced: bool = False
    # How long the calls of the sub-tasks ran, in milliseconds.
    active_ms: int


class ModelSwitched(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="model_switched"
):
    """A person switched the task to another backend or model."""

    # The backend that plans the task from now on.
    backend: str
    # The model that plans the task from now on. Absent if it is the backend's
    # configured model.
    model: str | None = None


class Reviewed(Wire, frozen=True, kw_only=True, tag_field="type", tag="reviewed"):
    """A second model reviewed a call that a grant, a rule or a standing consent would
    have allowed. The review can only cause a person to be asked; it cannot allow or
    deny a call.
    """

    # The call that was reviewed.
    call: str
    # The backend that reviewed the call.
    backend: str
    # The model that reviewed the call. Absent if the backend names none.
    model: str | None = None
    # Whether a person has to be asked.
    asks: bool
    # The reason, in the model's words, or the error if the review failed.
    reason: Phrase = ""
    # The tokens that the review used.
    usage: Usage = msgspec.field(default_factory=Usage)
    # The cost of the review, in millionths of the currency. Absent if the price is
    # unknown.
    cost_micros: int | None = None


class Inferred(Wire, frozen=True, kw_only=True, tag_field="type", tag="inferred"):
    """A call asked a model about texts. The event is written when the call ends; its
    totals include what the call asked before a crash.
    """

    # The call.
    call: str
    # The backend that was asked.
    backend: str
    # The model that was asked. Absent if the backend names none.
    model: str | None = None
    # The number of answers that the model gave.
    answers: int
    # The tokens that the answers used.
    usage: Usage = msgspec.field(default_factory=Usage)
    # The cost of the answers, in millionths of the currency. Absent if the price is
    # unknown.
    cost_micros: int | None = None


class PermissionRequested(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="permission_requested"
):
    """A call is waiting for a person's permission."""

    # The permission request.
    request: PermissionRequest
    # The real paths that the call would change or that its command names. If the
    # request is denied, the task is asked again about everything that would change
    # them.
    touches: list[str] = []


class PermissionAnswered(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="permission_answered"
):
    """A permission request was answered."""

    # The id of the request.
    request: str
    # The id of the call that was asked about.
    call: str
    # The digest that the answer is bound to.
    digest: str
    # Whether the call may run, and for how long the answer applies.
    choice: Choice
    # Who or what answered: a person at the host, a paired device, a standing consent,
    # or the request's expiry.
    by: Answerer


class RefusalShared(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="refusal_shared"
):
    """A call was denied because a person denied an identical open request. The person
    is not asked twice.
    """

    # The call that is denied.
    call: str
    # The digest that both calls are bound to.
    digest: str
    # The request that was denied.
    request: str
    # The task that made the request. It may be another task.
    asked_by: str
    # The reason in the person's words. Empty if the person gave none.
    reason: Phrase
    # The person or device that denied the request.
    by: Answerer


class ToolStarted(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="tool_started"
):
    """A call is about to run."""

    # The call.
    call: str
    # The digest of what runs. It is equal to the digest that was decided on.
    digest: str
    # The effect of running the call twice.
    effect: Effect


class FileKept(Wire, frozen=True, kw_only=True, tag_field="type", tag="file_kept"):
    """A file is about to be changed, and its current content was saved."""

    # The call that changes the file.
    call: str
    # The state of the file before and after the change.
    change: FileChange


class RepositoryHead(Wire, frozen=True, kw_only=True):
    """The commit that a repository was at."""

    # The absolute path of the repository's working folder.
    folder: str
    # The id of the commit.
    commit: str


class TreeKept(Wire, frozen=True, kw_only=True, tag_field="type", tag="tree_kept"):
    """Everything that a command could change was saved. The changes that the command
    did make are in the call's result. They are computed from the manifest when the
    call ends, or when the next process resumes the task.
    """

    # The call that runs the command.
    call: str
    # The blob that lists the files from before the command. It is deleted once the
    # changes are in the journal.
    manifest: str
    # The number of files whose content was saved.
    files: int
    # The total size of the saved files in bytes.
    bytes: int
    # The commits that the repositories of the folder were at when the task began. What
    # they ignored decides for the whole task what is build output. Empty in older
    # journals.
    heads: list[RepositoryHead] = []


class CommandOutput(Wire, frozen=True, kw_only=True):
    """The output of a command, which is in the text of its result. The middle of a long
    output is omitted there.
    """

    # Whether the command wrote nothing to its standard output and standard error.
    is_empty: bool = False
    # The complete output. Absent if the result shows all of it.
    kept: KeptOutput | None = None


class TextPart(Wire, frozen=True, kw_only=True, tag_field="part", tag="text"):
    """An additional text."""

    # The text. It is untrusted, like the whole result.
    text: str
    # The source of the text, e.g. an address. Empty if it is the call itself.
    origin: str = ""


class FilePart(Wire, frozen=True, kw_only=True, tag_field="part", tag="file"):
    """A file that the call created in the task's folder."""

    # The absolute path.
    path: str
    # The media type, e.g. `application/pdf`. Empty if it is unknown.
    media_type: str = ""
    # The size in bytes.
    size_bytes: int


class DataPart(Wire, frozen=True, kw_only=True, tag_field="part", tag="data"):
    """Structured data."""

    # The data.
    value: Any


class WebPart(Wire, frozen=True, kw_only=True, tag_field="part", tag="web"):
    """What a call did on the web, for people."""

    # The hosts that the task connected to for the first time since Deputy's host was
    # started. A port is included if it is not the default.
    hosts: list[str] = []
    # The address of the page in the task's browser at the end of the call. Absent if
    # the call did not use the browser.
    page: str | None = None
    # The page directly before the call clicked on it. Absent if the call did not click.
    aimed: AimedPicture | None = None


# A part of a result. The result's `content` contains the same information as text, for
# models and screens that only support text.
ResultPart = (
    # An additional text.
    TextPart
    # A picture, stored as a blob.
    | PicturePart
    # A file that the call created in the task's folder.
    | FilePart
    # Structured data.
    | DataPart
    # What the call did on the web.
    | WebPart
)


class ToolResult(Wire, frozen=True, kw_only=True):
    """The result of a call."""

    # How the call ended.
    status: CallStatus
    # The text that the planner reads, cut to the task's limit.
    content: str
    # One line for people, e.g. `214 files, 3 folders`. If empty, the first line of
    # `content` is shown.
    summary: Phrase = ""
    # The exit code of a command. Absent if the call did not run a command that exited.
    exit_code: int | None = None
    # The number of bytes of output that were counted but not kept.
    omitted_bytes: int = 0
    # The files that the call changed, for undo.
    changes: list[FileChange] = []
    # The git repositories that the call changed, for undo.
    repositories: list[ChangedRepository] = []
    # The accesses of a command that the sandbox refused, as far as it recorded them.
    refused: list[RefusedAttempt] = []
    # Facts about the output of a command. `content` has its text.
    output: CommandOutput | None = None
    # The number of operations of a plan that were skipped because their files had
    # changed.
    left_out: int = 0
    # The parts of the result beyond its text: pictures, files and data.
    parts: list[ResultPart] = []


class ToolFinished(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="tool_finished"
):
    """A call ended."""

    # The call.
    call: str
    # The result of the call.
    result: ToolResult
    # How long the call ran, in milliseconds.
    duration_ms: int


class QuestionAsked(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="question_asked"
):
    """The planner or a brake asked the user a question."""

    # The question.
    question: Question


class QuestionAnswered(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="question_answered"
):
    """The user answered a question."""

    # The id of the question.
    request: str
    # The answer.
    text: str
    # Who answered. Absent in older journals and in copies of a task.
    by: Responder | None = None
    # The real paths of the files and folders that the answer names. The task may read
    # them. Resolved when it was typed.
    named: list[str] = []


class Paused(Wire, frozen=True, kw_only=True, tag_field="type", tag="paused"):
    """The task paused."""

    # Why the task paused.
    reason: PauseReason
    # Why the task paused, for people.
    message: Phrase = ""
    # The limit that was reached. Absent if the task paused for another reason.
    budget: BudgetReached | None = None


class Resumed(Wire, frozen=True, kw_only=True, tag_field="type", tag="resumed"):
    """The task resumed."""


class Steered(Wire, frozen=True, kw_only=True, tag_field="type", tag="steered"):
    """The user added an instruction to the task."""

    # The text of the instruction.
    text: str
    # The real paths of the files and folders that the text names. The task may read
    # them. Resolved when it was typed.
    named: list[str] = []


class StopRequested(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="stop_requested"
):
    """The user asked the task to stop."""


class Interrupted(Wire, frozen=True, kw_only=True, tag_field="type", tag="interrupted"):
    """The task's process died."""


class NewCommit(Wire, frozen=True, kw_only=True):
    """A commit that a task made."""

    # The beginning of its name.
    id: str
    # The first line of its message.
    subject: str


class OutwardLink(Wire, frozen=True, kw_only=True):
    """A symbolic link that leads out of the task's folder."""

    # The absolute path of the link.
    path: str
    # The path that it contains.
    target: str


class LastingChanges(Wire, frozen=True, kw_only=True):
    """Changes of a task that may matter after it. Only the first ones of each kind if
    there are many.
    """

    # The full names of the references of git that were moved or removed, and of new
    # ones other than branches.
    references: list[str]
    # The absolute paths of changed files that other programs may run, such as build
    # scripts.
    run_later: list[str]
    # The symbolic links that lead out of the task's folder.
    links_out: list[OutwardLink]


class Report(Wire, frozen=True, kw_only=True):
    """What a task did, according to Deputy's own record. A summary by the model cannot
    claim anything that did not happen.
    """

    # The number of steps.
    steps: int
    # The files that the task created, changed or removed, in order of their paths. Only
    # the first ones if there are many.
    changed: list[ChangedFile] = []
    # The number of further files.
    more_files: int = 0
    # The number of files that were moved or renamed, and of those that plans moved,
    # copied or put into the trash.
    moved: int = 0
    # What was written into folders that hold only what programs make, such as `target`.
    built: list[BuiltFolder] = []
    # The commits that the task made, newest first. Only the first ones if there are
    # many.
    commits: list[NewCommit] = []
    # The number of further commits.
    more_commits: int = 0
    # The branches that the task created.
    branches: list[str] = []
    # What may matter after the task. Absent if there is nothing.
    lasting: LastingChanges | None = None
    # The successful calls that changed something, in order. Only the newest ones if
    # there are many.
    calls: list[str] = []
    # The number of earlier calls that are not listed.
    earlier_calls: int = 0
    # What the user said while the task ran, in full, each with the question that it
    # answered. Only the newest texts if there are many.
    answers: list[str] = []
    # The number of tokens that the task used.
    tokens: int = 0
    # The cost of the tokens, in millionths of the currency. Absent if no price is
    # known.
    cost_micros: int | None = None


class Stopped(Wire, frozen=True, kw_only=True, tag_field="type", tag="stopped"):
    """The task ended."""

    # How the task ended.
    reason: StopReason
    # The final answer, or what went wrong and what to do next.
    summary: Phrase
    # What the task did, according to the journal.
    report: Report | None = None


class UndoneFile(Wire, frozen=True, kw_only=True):
    """The result of an undo or a redo for one path."""

    # The call that made the change.
    call: str
    # The change, as it was made.
    change: FileChange
    # Whether the path is now as it was before the call.
    restored: bool
    # What was done, or why the path could not be restored.
    message: Phrase


# Whether an undo or a redo changed a repository.
RepositoryOutcome = Literal[
    # It was changed.
    "restored",
    # It can be changed; this was only a preview.
    "possible",
    # Nothing in it was changed, and nothing else was undone or redone either.
    "refused",
]


class UndoneRepository(Wire, frozen=True, kw_only=True):
    """The result of an undo or a redo for a git repository. HEAD, the index, the stash
    and the references that the calls moved change together or not at all, and git
    changes them.
    """

    # The real path of the folder in which git keeps its data.
    folder: str
    # The calls that changed the repository, oldest first.
    calls: list[str]
    # Whether the calls created or removed the repository, so that it goes or comes back
    # as a whole, settings included.
    is_whole: bool = False
    # Whether the repository was changed.
    outcome: RepositoryOutcome
    # What changed, or why nothing in the repository was changed. Empty if git reads the
    # same as before.
    message: Phrase


class Undone(Wire, frozen=True, kw_only=True, tag_field="type", tag="undone"):
    """Changes of a task were undone."""

    # The result for each path.
    files: list[UndoneFile]
    # The result for each git repository. What changed inside it is not in `files`.
    repositories: list[UndoneRepository] = []
    # The number of operations of plans that were undone.
    operations: int = 0
    # The jobs that undid plans. Undoing them is the redo.
    jobs: list[str] = []
    # The number of changes and executed plans that undo can still revert. Absent in
    # older journals.
    left: int | None = None
    # Whether a redo can make something again. Absent in older journals.
    can_redo: bool | None = None


class Redone(Wire, frozen=True, kw_only=True, tag_field="type", tag="redone"):
    """Changes that an undo had reverted were made again."""

    # The result for each path. `restored` is true if the path is again as the call left
    # it.
    files: list[UndoneFile]
    # The result for each git repository. What changed inside it is not in `files`.
    repositories: list[UndoneRepository] = []
    # The number of operations of plans that were made again.
    operations: int = 0
    # The jobs that had undone plans and were undone themselves.
    jobs: list[str] = []
    # The number of changes and executed plans that undo can now revert.
    left: int
    # Whether a further redo can make something again. Absent in older journals.
    can_redo: bool | None = None


class Remembered(Wire, frozen=True, kw_only=True, tag_field="type", tag="remembered"):
    """A memory was stored for later tasks."""

    # The text.
    text: str
    # The subject of a preference. Absent for a fact.
    about: str | None = None
    # The planner's call that stored the memory. Absent if a person did.
    call: str | None = None
    # Whether a person allowed the memory to be given to tasks in every folder.
    is_promoted: bool = False


class MemoryEdited(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="memory_edited"
):
    """A person replaced the text of a memory."""

    # The number of the memory.
    memory: int
    # The new text.
    text: str


class MemoryForgotten(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="memory_forgotten"
):
    """A person forgot a memory, and all others that had the same text at that time."""

    # The number of the memory.
    memory: int


class MemoryRestored(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="memory_restored"
):
    """A person restored a forgotten memory, and all memories that were forgotten with
    it.
    """

    # The number of the memory.
    memory: int
    # The text of the memory when it was forgotten, taken from the journal.
    text: str


class MemoryPromoted(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="memory_promoted"
):
    """A person made a memory available outside the folder that it comes from."""

    # The number of the memory.
    memory: int


# A kind of memory, for pruning.
PruneKind = Literal[
    # Texts that a person wrote to a task.
    "said",
    # Texts from the planner.
    "plans",
    # Results of calls.
    "results",
    # Stored facts.
    "facts",
    # Stored preferences.
    "preferences",
]


class MemoriesPruned(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="memories_pruned"
):
    """A person pruned memories: the oldest memories of some kinds, up to a certain
    memory.
    """

    # The kinds of memories.
    kinds: list[PruneKind]
    # Only memories from before this time were pruned. Absent if there was no such
    # limit.
    before_ms: int | None = None
    # The number of the newest memory that was pruned.
    up_to: int
    # The maximum number of memories that were pruned, oldest first.
    most: int


# The origin of a memory. A memory that does not come from a person is data. It is only
# given to tasks in its own folder until a person promotes it.
MemoryOrigin = Literal[
    # A person wrote it.
    "person",
    # The planner wrote it, possibly based on anything that it read.
    "planner",
    # A tool returned it.
    "tool",
    # A command printed it.
    "command",
    # It was read from files or their names.
    "file",
    # It was read from a web page.
    "page",
]


# The kind of a memory.
MemoryKind = Literal[
    # A text from the work on a task.
    "said",
    # A fact that was stored to be remembered.
    "fact",
    # A preference about one subject that was stored to be remembered. A newer
    # preference about the same subject replaces it.
    "preference",
]


class PortableMemory(Wire, frozen=True, kw_only=True):
    """A memory in an exported file."""

    # The text.
    text: str
    # When the text was written.
    at_ms: int
    # The origin of the text, which also determines its author.
    origin: MemoryOrigin
    # The kind of memory.
    kind: MemoryKind
    # The subject of a preference. Absent for other kinds.
    about: str | None = None
    # The folder that the memory comes from. Empty if there is none.
    workspace: str = ""
    # Whether a person allowed the memory to be given to tasks in every folder.
    is_promoted: bool = False


class MemoryImported(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="memory_imported"
):
    """A memory from another home was imported."""

    # The memory.
    memory: PortableMemory


# Something that happened to a task.
TaskEvent = (
    # The task was submitted and is queued.
    Created
    # A person moved the queued task to another place in the queue.
    | QueueMoved
    # A person renamed the conversation that starts with the task.
    | Renamed
    # A person archived the task's conversation or restored it.
    | Archived
    # An iteration of the task started.
    | IterationStarted
    # The planner answered.
    | Planned
    # The planner did not answer. It is asked again, or the task pauses.
    | PlanFailed
    # Older steps were replaced by a summary in what the planner reads.
    | Compacted
    # The planner's system text, tools or earlier tasks changed.
    | Briefed
    # The start block was added to the conversation.
    | Oriented
    # The planner was given notes of earlier tasks.
    | Noted
    # Guidance files were found that the user has not decided on.
    | GuidanceFound
    # The planner was given the user's guidance.
    | Guided
    # The planner wrote or updated its to-do list.
    | TodoChanged
    # A call delegated work to sub-tasks, and the task is waiting for them.
    | SubtasksStarted
    # The sub-tasks of a call ended.
    | SubtasksEnded
    # A person switched the task to another backend or model.
    | ModelSwitched
    # A person took over the task's browser in a window. The task's browser calls wait
    # until it is returned.
    | BrowserTaken
    # The person returned the browser to the task, or closed its window.
    | BrowserReturned
    # A second model reviewed a call that was allowed in advance.
    | Reviewed
    # A call asked a model about texts.
    | Inferred
    # Policy decided on a call.
    | CallDecided
    # A call is waiting for a person's permission.
    | PermissionRequested
    # A permission request was answered by a person, a standing consent or its expiry.
    | PermissionAnswered
    # A call of the task was denied because a person denied an identical request.
    | RefusalShared
    # A call is about to run. The event is durable before a mutating call starts.
    | ToolStarted
    # A file is about to be changed, and its current content was saved.
    | FileKept
    # A command is about to run, and everything that it could change was saved.
    | TreeKept
    # A call ended.
    | ToolFinished
    # A command keeps running in the background.
    | BackgroundStarted
    # A background command ended.
    | BackgroundEnded
    # The planner or a brake asked the user a question.
    | QuestionAsked
    # The user answered a question.
    | QuestionAnswered
    # The task paused.
    | Paused
    # The task resumed.
    | Resumed
    # The user added an instruction to the task.
    | Steered
    # The user asked the task to stop. The running call may finish.
    | StopRequested
    # The task's process died. The next process writes this event.
    | Interrupted
    # The task ended.
    | Stopped
    # Changes of the task's calls were undone.
    | Undone
    # Changes that an undo had reverted were made again.
    | Redone
    # A memory was stored for later tasks, by the planner or, in the notebook, by a
    # person.
    | Remembered
    # A person replaced the text of a memory that comes from this task.
    | MemoryEdited
    # A person forgot a memory that comes from this task.
    | MemoryForgotten
    # A person restored a forgotten memory that comes from this task.
    | MemoryRestored
    # A person made a memory that comes from this task available to tasks in other
    # folders.
    | MemoryPromoted
    # A person forgot many memories at once. Written to the notebook.
    | MemoriesPruned
    # A memory from another home was imported. Written to the notebook.
    | MemoryImported
)


class EventRecord(Wire, frozen=True, kw_only=True):
    """An event with its position in the journal."""

    # The global sequence number of the event: rising, without gaps. It is also the
    # event's position in the mirror's stream.
    seq: int
    # The task that the event belongs to.
    task: str
    # When the event was written.
    at_ms: int
    # What happened.
    event: TaskEvent


class ImportPart(Wire, frozen=True, kw_only=True):
    """A part of an import. When the last part has arrived, all parts are imported
    together, or none of them.
    """

    # The id of the import, chosen by the client.
    id: str
    # The number of the part, from 0. Part 0 restarts the import.
    number: int
    # Whether this is the last part.
    is_last: bool


class ImportConversationCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="import_conversation"
):
    """Imports an exported conversation, to read and continue it. Nothing in it is run,
    granted or made undoable.
    """

    # The absolute path of the folder in which the tasks are shown.
    workspace: str
    # The events of the tasks, each task from its beginning.
    events: list[EventRecord]
    # The part of the import that these events are.
    part: ImportPart


# What is opened.
OpenWhat = Literal[
    # The file itself, if it is a document that cannot execute anything.
    "file",
    # The folder, or the folder that contains the file.
    "folder",
]


class OpenCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="open"):
    """Opens a file or folder of a task on the host's desktop."""

    # The id of the task.
    task: str
    # The path of the file or folder. It must be in the task's workspace or in a folder
    # that the task was given.
    path: str
    # What is opened.
    what: OpenWhat


class TakeBrowserCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="take_browser"
):
    """Opens a task's browser in a window on the host's desktop. The task's browser
    calls wait until it is returned.
    """

    # The id of the task.
    task: str


class ReturnBrowserCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="return_browser"
):
    """Closes the window of a task's browser. The task continues with the same browser
    profile.
    """

    # The id of the task.
    task: str


class SteerCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="steer"):
    """Adds an instruction to a task."""

    # The id of the task.
    task: str
    # The text of the instruction.
    text: str


class SwitchModelCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="switch_model"
):
    """Switches a task to another backend or model, from its next step."""

    # The id of the task.
    task: str
    # The name of the backend. If absent, the task's current backend is kept.
    backend: str | None = None
    # The model. If absent, the backend's configured model is used.
    model: str | None = None


class UndoCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="undo"):
    """Undoes the changes of a task's calls."""

    # The task whose changes are undone.
    task: str
    # The only call whose changes are undone. If absent, the changes of all calls are
    # undone.
    call: str | None = None
    # Whether to only report what would be undone.
    dry_run: bool = False
    # Whether to undo only if everything can be undone. Otherwise only a report is
    # returned, so that a person can decide.
    if_whole: bool = False
    # Whether to leave git repositories as they are, and to undo only what changed
    # outside of their data.
    files_only: bool = False


class RedoCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="redo"):
    """Redoes the changes that the last undo of a task reverted."""

    # The task whose changes are redone.
    task: str
    # Whether to leave git repositories as they are, and to redo only what changed
    # outside of their data.
    files_only: bool = False


class ResumeJobCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="resume_job"
):
    """Resumes a job that was stopped or interrupted."""

    # The id of the job.
    job: str
    # Whether to skip the operation at which the job stopped instead of trying it again.
    skip: bool = False


# What to do with files that were changed, moved or replaced since a job.
OnConflict = Literal[
    # Such files are not touched; the rest is undone.
    "skip",
    # Such files are moved back in their current state, under another name if theirs is
    # taken.
    "keep_both",
    # Nothing is undone if there is such a file.
    "abort",
]


class UndoJobCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="undo_job"
):
    """Undoes a job."""

    # The id of the job.
    job: str
    # Whether to only report what would be undone.
    dry_run: bool = False
    # What to do with files that conflict with the undo.
    on_conflict: OnConflict


class RememberCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="remember"
):
    """Stores a memory for later tasks in every folder."""

    # The text.
    text: str
    # The subject, which makes the memory a preference. It replaces an older preference
    # about the same subject. Absent for a fact.
    about: str | None = None


class EditMemoryCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="edit_memory"
):
    """Replaces the text of a memory."""

    # The number of the memory.
    memory: int
    # The new text.
    text: str


class ForgetMemoryCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="forget_memory"
):
    """Forgets a memory, and all others with the same text."""

    # The number of the memory.
    memory: int


class RestoreMemoryCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="restore_memory"
):
    """Restores a forgotten memory, and all memories that were forgotten with it."""

    # The number of the memory.
    memory: int


class PromoteMemoryCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="promote_memory"
):
    """Makes a memory available to tasks outside the folder that it comes from."""

    # The number of the memory.
    memory: int


class RebuildMemoryCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="rebuild_memory"
):
    """Embeds all memories again, including those that could not be embedded. The
    existing vectors are used until then.
    """


class EmbedMemoriesCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="embed_memories"
):
    """Embeds some of the pending memories now instead of at a quiet time. The outcome
    is the number of memories and passages that are still pending.
    """


class PruneRule(Wire, frozen=True, kw_only=True):
    """A rule that selects memories to prune: all memories of some kinds that are old
    enough, except the newest ones.
    """

    # The kinds of memories. If empty, no memories are selected.
    kinds: list[PruneKind]
    # Only memories from before this time. If absent, memories of any age are selected.
    before_ms: int | None = None
    # The number of newest memories to keep.
    keep: int = 0


class PruneMemoriesCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="prune_memories"
):
    """Forgets all memories that a rule selects. Journals keep their text, so that each
    memory can be restored.
    """

    # The rule.
    rule: PruneRule


class ImportMemoriesCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="import_memories"
):
    """Imports memories from another home: all of them or none. Memories that already
    exist are skipped.
    """

    # The memories, at most 1,000.
    memories: list[PortableMemory]
    # The part of a larger import that these memories are. Absent if the command
    # contains the whole import.
    part: ImportPart | None = None


class IndexFolderCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="index_folder"
):
    """Indexes the documents of a folder for recall, or indexes them again."""

    # The path of the folder.
    folder: str
    # Whether tasks in every folder may be given the passages. Otherwise only tasks that
    # may read the files without asking.
    is_everywhere: bool = False


class DropFolderCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="drop_folder"
):
    """Forgets the passages of a folder's documents. The files are not changed."""

    # The path of the folder.
    folder: str


class StopBackgroundCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="stop_background"
):
    """Stops a background command."""

    # The id of the command's task.
    task: str
    # The id of the command within its task.
    background: str


class RevokeGrantCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="revoke_grant"
):
    """Revokes a grant."""

    # The id of the grant.
    grant: str


class CommandRule(Wire, frozen=True, kw_only=True):
    """A rule about one command, as created on a screen. A rule that allows covers
    exactly these words. A rule that asks or denies also covers the command with
    further words.
    """

    # The decision on the command.
    effect: Decision
    # One simple command of literal words.
    command: str
    # The folder below which a workspace must be, absolute or starting with `~/`. If
    # absent, the rule applies in every workspace.
    within: str | None = None


class RuleRef(Wire, frozen=True, kw_only=True):
    """A reference to a rule, as shown on a screen. If the file was changed since, the
    reference does not match.
    """

    # The line of the rule in the file, from 1.
    line: int
    # What the rule covers, for people.
    text: Phrase


class KeepRuleCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="keep_rule"
):
    """Writes a rule to the rules file."""

    # The rule.
    rule: CommandRule
    # The rule to replace. If absent, a new rule is added.
    instead: RuleRef | None = None


class DropRuleCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="drop_rule"
):
    """Removes a rule from the rules file."""

    # The rule to remove.
    rule: RuleRef


class SetKeyCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="set_key"
):
    """Stores a backend's key in the desktop's keyring, or removes it."""

    # The name of the backend.
    backend: str
    # The key. If absent, the stored key is removed.
    key: str | None = None


class SetSearchKeyCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="set_search_key"
):
    """Stores a search provider's key in the desktop's keyring, or removes it."""

    # The name of the provider.
    provider: str
    # The key. If absent, the stored key is removed.
    key: str | None = None


# What a draft organizes files by.
OrganizeBy = Literal[
    # All criteria: duplicates, projects, screenshots, installers, document contents,
    # photographs by year, and kinds.
    "everything",
    # The kinds of files.
    "kind",
    # Years and months.
    "date",
    # Only projects.
    "project",
    # The contents of documents.
    "content",
    # Only duplicate files.
    "duplicates",
    # Only the names of files.
    "names",
]


class StartScanCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="start_scan"
):
    """Starts to scan folders and to draft a plan for them. The scan runs in the
    background; the query `scan` returns its progress.
    """

    # The folders, absolute or below the home folder with `~`.
    folders: list[str]
    # What the draft organizes files by.
    by: OrganizeBy
    # The naming convention for files, written as an example. If absent, names are not
    # changed.
    convention: str | None = None


class StopScanCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="stop_scan"
):
    """Stops a scan."""

    # The id of the scan.
    scan: str


class KeepDraftCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="keep_draft"
):
    """Saves a draft with a person's changes as a new draft, which a task can execute.
    """

    # The id of the draft, as returned by a scan.
    draft: str
    # The ids of operations to drop.
    without: list[str] = []
    # Edited operations. Each replaces the operation with the same id.
    edited: list[OrganizeOperation] = []


class LinkCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="link"):
    """Creates a link that opens the desktop's page. Only clients of the Unix socket and
    of that page may use it.
    """


class RenameDeviceCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="rename_device"
):
    """Renames a device."""

    # The id of the device.
    device: str
    # The new name.
    name: str


class ReachDeviceCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="reach_device"
):
    """Sets the push server address at which a device receives notices. A UnifiedPush
    app on the device obtains it. Notices are encrypted with the device's key.
    """

    # The id of the device.
    device: str
    # An https address. If absent, notices go through the relay in the host's settings
    # again.
    endpoint: str | None


class RevokeDeviceCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="revoke_device"
):
    """Revokes a device. Its connections are closed at once."""

    # The id of the device.
    device: str


# What a device may do.
DeviceScope = Literal[
    # See everything.
    "monitor",
    # Answer permission requests and questions.
    "approve",
    # Start, steer, pause and stop tasks, and undo.
    "command",
]


class StartPairingCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="start_pairing"
):
    """Starts to pair a device. Any earlier pairing ends."""

    # What the new device may do.
    scopes: list[DeviceScope]


class ConfirmPairingCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="confirm_pairing"
):
    """The person's confirmation of the number that both sides show."""

    # The six digits that the device shows.
    number: str
    # Whether they are equal to the digits that the desktop shows.
    accept: bool


# A command.
Command = (
    # Start a task.
    StartCommand
    # End a task; the running call may finish.
    | StopCommand
    # Pause a task.
    | PauseCommand
    # Resume a paused or interrupted task.
    | ResumeCommand
    # Move a queued task.
    | MoveInQueueCommand
    # Rename a conversation.
    | RenameCommand
    # Archive a conversation, or restore it.
    | ArchiveCommand
    # Start a new conversation from another one, up to a step.
    | ForkCommand
    # Import a conversation that was exported. It keeps the authors of its texts, so
    # only the local user may import it.
    | ImportConversationCommand
    # Open a file or folder of a task on the desktop. Anything that opening could
    # execute is refused.
    | OpenCommand
    # Open a task's browser in a window for the local user, for example to sign in. The
    # task's browser calls wait until it is returned.
    | TakeBrowserCommand
    # Close the window of a task's browser and let the task continue with the same
    # browser profile.
    | ReturnBrowserCommand
    # Add an instruction to a task.
    | SteerCommand
    # Switch a task to another backend or model, from its next step.
    | SwitchModelCommand
    # Answer a question.
    | AnswerQuestionCommand
    # Answer a permission request.
    | AnswerPermissionCommand
    # Undo the changes of a task's calls.
    | UndoCommand
    # Redo the changes that the last undo of a task reverted.
    | RedoCommand
    # Resume a job that was stopped or interrupted.
    | ResumeJobCommand
    # Undo a job.
    | UndoJobCommand
    # Remember something for later tasks in every folder. It influences those tasks, so
    # it needs the same scope as starting a task.
    | RememberCommand
    # Replace the text of a memory. A memory influences later tasks, so changing it
    # needs the same scope as starting a task.
    | EditMemoryCommand
    # Forget a memory, and every other one with the same text.
    | ForgetMemoryCommand
    # Restore a forgotten memory, and all memories that were forgotten with it.
    | RestoreMemoryCommand
    # Make a memory available to tasks in every folder.
    | PromoteMemoryCommand
    # Embed all memories again; the old vectors are used until then.
    | RebuildMemoryCommand
    # Embed some of the pending memories now. Returns how many are still pending.
    | EmbedMemoriesCommand
    # Forget all memories that match a rule. Journals keep their text.
    | PruneMemoriesCommand
    # Import memories from another home. They keep their authors, so only the local user
    # may import them.
    | ImportMemoriesCommand
    # Index the documents of a folder for recall, or index them again. This reads files
    # that no task was allowed to read, so only the local user may do it.
    | IndexFolderCommand
    # Forget the indexed documents of a folder.
    | DropFolderCommand
    # Stop a background command.
    | StopBackgroundCommand
    # Revoke a grant.
    | RevokeGrantCommand
    # Add or replace a rule about one command in `rules.toml`. A rule may only allow a
    # command that an answer could have allowed permanently.
    | KeepRuleCommand
    # Remove a rule from `rules.toml`.
    | DropRuleCommand
    # Change settings: all of them or none. They are written to `config.toml`, whose
    # comments are kept. Most take effect at once; the settings list those that need a
    # restart.
    | ChangeSettingsCommand
    # Store a backend's key in the desktop's keyring or remove it, and pass it to the
    # planner.
    | SetKeyCommand
    # Store a search provider's key in the desktop's keyring or remove it.
    | SetSearchKeyCommand
    # Start to scan folders and to draft a plan for them. The command returns at once;
    # the query `scan` returns the progress.
    | StartScanCommand
    # Stop a scan.
    | StopScanCommand
    # Save a draft with operations dropped or edited as a new draft, which the command
    # `start` can execute.
    | KeepDraftCommand
    # Create a link that opens the desktop's page once.
    | LinkCommand
    # Rename a device.
    | RenameDeviceCommand
    # Set the push server address at which a device receives notices. A device may set
    # its own address.
    | ReachDeviceCommand
    # Revoke a device; its connections are closed at once.
    | RevokeDeviceCommand
    # Start to pair a device, and cancel any earlier pairing that is still open. The
    # query `pairing` returns the link to scan.
    | StartPairingCommand
    # Confirm or reject that both sides of a pairing show the same number.
    | ConfirmPairingCommand
)


class CommandEnvelope(Wire, frozen=True, kw_only=True):
    """A command with its id."""

    # The id of the command, created by the client. A command that is sent again with
    # the same id is not performed again.
    id: str
    # The command.
    command: Command


class ClientCommand(Wire, frozen=True, kw_only=True, tag_field="type", tag="command"):
    """A message that performs a command."""

    # The command with its id.
    envelope: CommandEnvelope


class SessionProof(Wire, frozen=True, kw_only=True, tag_field="proof", tag="session"):
    """The proof by a session that was opened over HTTP."""

    # The secret of the session.
    session: str


class DeviceProof(Wire, frozen=True, kw_only=True, tag_field="proof", tag="device"):
    """The proof by a device that signed the challenge of this connection."""

    # The id of the device.
    device: str
    # The device's signature of `deputy-connect-1`, the server's fingerprint, the device
    # id and the challenge, each on its own line.
    signature: str


# The proof that a client may connect. The Unix socket does not require one, because
# only its owner can open it.
Proof = (
    # A session that was opened over HTTP.
    SessionProof
    # A device's signature of the challenge.
    | DeviceProof
)


class Hello(Wire, frozen=True, kw_only=True, tag_field="type", tag="hello"):
    """The first message of a client."""

    # The client's `PROTOCOL_VERSION`.
    protocol: int
    # The sequence number of the last event that the client has. The client receives the
    # events after it. If absent, the client receives a snapshot.
    resume_from: int | None = None
    # Whether the client also wants live events and progress.
    follow: bool = False
    # Whether long texts in events may be shortened. They are always shortened except
    # over the Unix socket.
    brief: bool = False
    # The proof that the client may connect. The Unix socket does not require one.
    proof: Proof | None = None


class StateQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="state"):
    """Asks for the state of the agent."""


class TasksQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="tasks"):
    """Asks for tasks, newest first."""

    # The maximum number of tasks.
    limit: int = 100
    # Words to search for in the texts of all tasks. The last word may be a prefix.
    # Absent to list tasks without a search.
    said: str | None = None


class TaskQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="task"):
    """Asks for one task."""

    # The id of the task.
    task: str


class EventsQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="events"):
    """Asks for the events of one task, oldest first."""

    # The id of the task.
    task: str
    # Only events after this sequence number are returned.
    after: int = 0
    # The maximum number of events.
    limit: int = 100
    # Whether to return the newest matching events instead of the oldest. A screen uses
    # this to show a long task.
    newest: bool = False
    # Whether to shorten long texts, as in live events.
    brief: bool = False


class EventQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="event"):
    """Asks for one event in full, for example an event that arrived shortened."""

    # The sequence number of the event.
    seq: int


class GrantsQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="grants"):
    """Asks for the grants that are in effect."""


class PreviewGrantQuery(
    Wire, frozen=True, kw_only=True, tag_field="query", tag="preview_grant"
):
    """Asks which past calls a grant would have allowed. A screen asks this before it
    gives a broader answer than `once`.
    """

    # The id of the open permission request.
    request: str
    # The lifetime of the offer.
    lifetime: Lifetime
    # Whether the wider of the two offers with this lifetime is meant.
    wider: bool = False


class SettingsQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="settings"):
    """Asks for the settings of the host. For local clients only."""


class FindServersQuery(
    Wire, frozen=True, kw_only=True, tag_field="query", tag="find_servers"
):
    """Looks for model servers on this machine. The host tries the usual loopback ports.
    """


class DoctorQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="doctor"):
    """Runs the checks of `deputy doctor`."""


class ExplainQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="explain"):
    """Asks for the decision on a shell command, and the reasons. Nothing is run."""

    # The command.
    command: str
    # The folder that a task would work in.
    workspace: str


class RulesQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="rules"):
    """Asks for the user's own rules."""


class UsageQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="usage"):
    """Asks what the models used and cost since a point in time."""

    # The start of the period. The quarter hour that contains it is included as a whole.
    since_ms: int


class PromptQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="prompt"):
    """Asks what was sent to the model in a step and what it answered. Secrets are
    removed.
    """

    # The id of the task.
    task: str
    # The number of the step, from 1.
    step: int
    # The byte at which the piece starts.
    offset: int = 0


class DifferenceQuery(
    Wire, frozen=True, kw_only=True, tag_field="query", tag="difference"
):
    """Asks for everything that a task and its sub-tasks changed, as far as it was not
    undone.
    """

    # The id of the task.
    task: str


class FoldersQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="folders"):
    """Asks for folders that complete a partly typed path."""

    # The path as typed: absolute, or below the home folder with `~`.
    path: str


class ScanQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="scan"):
    """Asks for the state of a scan."""

    # The id of the scan.
    scan: str


class DraftQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="draft"):
    """Tries a draft with a person's changes on a model of the tree. Nothing is written.
    """

    # The id of the draft, as returned by a scan.
    draft: str
    # The ids of operations to drop.
    without: list[str] = []
    # Edited operations. Each replaces the operation with the same id.
    edited: list[OrganizeOperation] = []


class JobsQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="jobs"):
    """Asks for jobs, newest first."""

    # Only the job that this call of a task started. If absent, all jobs are returned.
    call: str | None = None


class MemoriesQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="memories"):
    """Asks for memories, newest first."""

    # Only memories that contain all of these words. The last word may be a prefix. If
    # absent, all memories are returned.
    search: str | None = None
    # Only memories of this task.
    task: str | None = None
    # Only memories of tasks in this folder.
    workspace: str | None = None
    # Whether to return only stored facts and preferences.
    only_kept: bool = False
    # Whether to return one page of the best matches, by words and by meaning, including
    # passages of documents. Otherwise, all memories that contain the words are
    # returned, newest first.
    best: bool = False
    # Only memories from before this event. Used to get the next page.
    before: int | None = None
    # The maximum number of memories; at most 100.
    limit: int = 50


class MemoryStatsQuery(
    Wire, frozen=True, kw_only=True, tag_field="query", tag="memory_stats"
):
    """Asks how many memories can be found by meaning."""


class PreviewPruneQuery(
    Wire, frozen=True, kw_only=True, tag_field="query", tag="preview_prune"
):
    """Asks for the memories that pruning by a rule would forget. Nothing is changed."""

    # The rule.
    rule: PruneRule


class ProfileFilesQuery(
    Wire, frozen=True, kw_only=True, tag_field="query", tag="profile_files"
):
    """Asks for the files of all profiles."""


class IndexedFoldersQuery(
    Wire, frozen=True, kw_only=True, tag_field="query", tag="indexed_folders"
):
    """Asks for the folders whose documents can be recalled."""


class OutputQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="output"):
    """Asks for a piece of the complete output of a command that has ended."""

    # The id of the task.
    task: str
    # The call that ran the command or started it in the background.
    call: str
    # The byte at which the piece starts.
    offset: int = 0


class PictureQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="picture"):
    """Asks for a piece of a picture that a call of a task returned."""

    # The id of the task.
    task: str
    # The id of the call.
    call: str
    # The digest of the picture.
    digest: str
    # The byte at which the piece starts.
    offset: int = 0


class ConsoleQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="console"):
    """Asks for the live console of a task."""

    # The id of the task.
    task: str


class DevicesQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="devices"):
    """Asks for all devices. For local clients only."""


class PairingQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="pairing"):
    """Asks for the latest pairing."""


# A query.
Query = (
    # The state that every screen shows: running tasks, open requests and questions.
    StateQuery
    # Tasks, newest first.
    | TasksQuery
    # One task.
    | TaskQuery
    # The events of one task, in pages.
    | EventsQuery
    # One event in full.
    | EventQuery
    # The grants that are in effect.
    | GrantsQuery
    # The past calls that a grant would have allowed.
    | PreviewGrantQuery
    # The choices for a new task: profiles, backends and what is missing for each,
    # limits and folders.
    | ChoicesQuery
    # The host's current settings, and where each backend's key is looked up. Keys are
    # never returned.
    | SettingsQuery
    # Asks a backend's provider for its models.
    | CheckBackendQuery
    # Searches the web once with the configured provider.
    | CheckSearchQuery
    # The model servers on this machine. The host tries the usual loopback ports.
    | FindServersQuery
    # The results of the checks of `deputy doctor`, each with `ok` and a message.
    | DoctorQuery
    # The decision on a shell command in a folder, by the current rules and grants.
    # Nothing is run.
    | ExplainQuery
    # The rules of `rules.toml` as text, or the error in the file.
    | RulesQuery
    # Tokens by quarter hour, task and model, and the configured prices.
    | UsageQuery
    # What was sent to the model in a step and what it answered, in pieces.
    | PromptQuery
    # What a task changed, with the differences of texts.
    | DifferenceQuery
    # Folders that complete a partly typed path. A device that may only answer requests
    # cannot browse folders, so it needs `command`.
    | FoldersQuery
    # The progress of a scan; once it is done, the draft and suggested naming
    # conventions.
    | ScanQuery
    # The result of trying a draft, with operations dropped or edited, on a model of the
    # tree: the problems, and the trees before and after.
    | DraftQuery
    # Jobs, newest first.
    | JobsQuery
    # Memories, newest first, in pages. They contain nothing that the events do not.
    | MemoriesQuery
    # The number of memories that can be found by meaning, and the number that are
    # pending.
    | MemoryStatsQuery
    # The memories that pruning by a rule would forget.
    | PreviewPruneQuery
    # The profile files that people can read and edit.
    | ProfileFilesQuery
    # The folders whose documents can be recalled.
    | IndexedFoldersQuery
    # A piece of a command's complete output.
    | OutputQuery
    # A piece of a picture that a call returned.
    | PictureQuery
    # The browser of a task: its address and its current user.
    | BrowserQuery
    # The output of a task's running calls so far, and the files that the task touched.
    | ConsoleQuery
    # All devices.
    | DevicesQuery
    # The latest pairing: its link and its state.
    | PairingQuery
)


class ClientQuery(Wire, frozen=True, kw_only=True, tag_field="type", tag="query"):
    """A message that asks a query."""

    # The id of the query. The client creates it, and the reply repeats it.
    id: str
    # The query.
    query: Query


# A message from a client to the host.
ClientMessage = (
    # The first message of a client.
    Hello
    # Performs a command.
    | ClientCommand
    # Asks a query.
    | ClientQuery
)


class DoneOutcome(Wire, frozen=True, kw_only=True, tag_field="outcome", tag="done"):
    """The command was performed."""


class StartedOutcome(
    Wire, frozen=True, kw_only=True, tag_field="outcome", tag="started"
):
    """A task was submitted."""

    # The summary of the task.
    task: TaskSummary


class SkippedOperation(Wire, frozen=True, kw_only=True):
    """A planned operation that was skipped."""

    # The id of the operation.
    operation: str
    # The path that the operation is about.
    path: str
    # Why the operation was skipped.
    reason: Phrase


class JobConflict(Wire, frozen=True, kw_only=True):
    """A conflict that prevents undoing an operation."""

    # The id of the operation.
    operation: str
    # The path that the operation is about.
    path: str
    # Why the operation cannot be undone.
    reason: Phrase


class JobReport(Wire, frozen=True, kw_only=True):
    """The report of a job."""

    # The id of the job that performed the steps. In a dry run, it is the job that would
    # be undone.
    job: str
    # The id of the job that this job undoes. Absent if it does not undo a job.
    undoes: str | None
    # The number of steps that are done.
    done: int
    # The total number of steps.
    steps: int
    # The first 500 operations that were skipped.
    skipped: list[SkippedOperation]
    # The number of further operations that were skipped.
    more_skipped: int = 0
    # Why the job stopped early. Absent if it did not.
    stopped: Phrase | None
    # The first 500 conflicts that prevented undoing an operation.
    conflicts: list[JobConflict]
    # The number of further conflicts.
    more_conflicts: int = 0
    # Whether nothing is left to do: every operation was performed, or everything that
    # was performed counts as undone.
    is_whole: bool


class UndoneOutcome(Wire, frozen=True, kw_only=True, tag_field="outcome", tag="undone"):
    """The result of an undo or a redo."""

    # The result for each path.
    files: list[UndoneFile]
    # The reports of the jobs that the calls ran, newest first.
    jobs: list[JobReport] = []
    # The result for each git repository. If one is refused, nothing at all was undone
    # or redone.
    repositories: list[UndoneRepository] = []
    # Whether the changes were made. False if they were only reported.
    applied: bool = False


class JobOutcome(Wire, frozen=True, kw_only=True, tag_field="outcome", tag="job"):
    """The result of resuming or undoing a job."""

    # The report of the job.
    report: JobReport


class MemoriesOutcome(
    Wire, frozen=True, kw_only=True, tag_field="outcome", tag="memories"
):
    """Memories were forgotten, restored, promoted, pruned or embedded."""

    # The number of memories that were changed, including those with the same text. 0 if
    # nothing had to be changed. After embedding, it is the number of memories and
    # passages that are still pending.
    memories: int


class RememberedOutcome(
    Wire, frozen=True, kw_only=True, tag_field="outcome", tag="remembered"
):
    """A memory was stored."""

    # The number of the memory.
    memory: int


class ImportedOutcome(
    Wire, frozen=True, kw_only=True, tag_field="outcome", tag="imported"
):
    """Memories or a conversation were imported."""

    # The number of memories, or tasks of a conversation, that were imported.
    imported: int
    # The number that already existed.
    present: int
    # The newest task of an imported conversation. Absent for memories.
    task: str | None = None


class IndexedFolder(Wire, frozen=True, kw_only=True):
    """A folder whose documents can be recalled."""

    # The path of the folder, with links resolved.
    folder: str
    # Whether tasks in every folder may be given the passages.
    is_everywhere: bool
    # When the folder was last indexed. Absent if indexing never finished.
    looked_at_ms: int | None = None
    # The number of documents with passages.
    documents: int
    # The number of passages.
    passages: int
    # The number of passages that can be found by meaning.
    embedded: int
    # The number of documents from which no text could be extracted.
    unreadable: int


class IndexedOutcome(
    Wire, frozen=True, kw_only=True, tag_field="outcome", tag="indexed"
):
    """The result of indexing a folder."""

    # The current state of the folder.
    folder: IndexedFolder
    # The number of documents that were read because they are new or changed.
    read: int
    # The number of documents that were deleted.
    gone: int
    # Whether the folder contains more documents than are indexed.
    is_partial: bool


class ScanStartedOutcome(
    Wire, frozen=True, kw_only=True, tag_field="outcome", tag="scan_started"
):
    """A scan was started."""

    # The id of the scan.
    scan: str


class DraftKeptOutcome(
    Wire, frozen=True, kw_only=True, tag_field="outcome", tag="draft_kept"
):
    """A draft was saved."""

    # The id of the saved draft, which a task can execute.
    draft: str


class LinkOutcome(Wire, frozen=True, kw_only=True, tag_field="outcome", tag="link"):
    """A link that opens the desktop's page once."""

    # The address. Its secret is after the `#`, so that no server and no log receives
    # it.
    url: str
    # When the link expires.
    expires_at_ms: int


# The result of a command.
CommandOutcome = (
    # The command was performed, possibly by an earlier message with the same id.
    DoneOutcome
    # A task was submitted.
    | StartedOutcome
    # The result of an undo or a redo.
    | UndoneOutcome
    # The result of resuming or undoing a job.
    | JobOutcome
    # Memories were changed; the number says how many.
    | MemoriesOutcome
    # A memory was stored.
    | RememberedOutcome
    # Memories or a conversation were imported.
    | ImportedOutcome
    # A folder was indexed.
    | IndexedOutcome
    # A scan was started.
    | ScanStartedOutcome
    # A draft was saved.
    | DraftKeptOutcome
    # A link was created.
    | LinkOutcome
)


class CommandReply(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="command_reply"
):
    """The reply to a command."""

    # The id of the command.
    id: str
    # The result of the command.
    outcome: CommandOutcome


class CompleteReply(Wire, frozen=True, kw_only=True):
    """The result of `inference.complete`."""

    # The answer.
    text: str
    # The tokens that the answer used.
    usage: Usage = msgspec.field(default_factory=Usage)


class CompleteRequest(Wire, frozen=True, kw_only=True):
    """The parameters of `inference.complete`."""

    # The backend that answers.
    backend: BackendRef
    # The instructions.
    system: str
    # The text to answer.
    prompt: str


class ConsoleCall(Wire, frozen=True, kw_only=True):
    """A running call."""

    # The id of the call.
    call: str
    # What the call does, for people.
    summary: Phrase
    # When the call started.
    started_at_ms: int
    # The end of the output so far.
    output: str


class ConsoleBackground(Wire, frozen=True, kw_only=True):
    """A running background command, for screens that connect while it runs."""

    # The id of the command within its task.
    background: str
    # The call that started the command.
    call: str
    # The command.
    command: str
    # When the command started.
    started_at_ms: int
    # The end of the output so far.
    output: str


class TouchedFile(Wire, frozen=True, kw_only=True):
    """A file that a task touched."""

    # The path of the file.
    path: str
    # The call that touched the file.
    call: str
    # Whether the call is still running.
    now: bool


class Console(Wire, frozen=True, kw_only=True, tag_field="answer", tag="console"):
    """The live console of a task: the output of its planner and its running calls so
    far. Further output arrives as progress.
    """

    # What the planner has written of its current plan. Empty if the planner is not
    # working.
    planning: str
    # The running calls, oldest first.
    calls: list[ConsoleCall]
    # The running background commands, oldest first.
    backgrounds: list[ConsoleBackground] = []
    # The files that the task touched, newest first, at most 50.
    files: list[TouchedFile]


class ConventionCard(Wire, frozen=True, kw_only=True):
    """A naming convention that files could follow."""

    # The convention, written as an example.
    pattern: str
    # The description of the convention, for people.
    description: Phrase
    # One of the current names.
    before: str
    # The name that it would get.
    after: str
    # How well the current names support the convention, in percent.
    confidence_percent: int
    # The number of files whose names already follow the convention.
    matches: int
    # The number of files that were examined.
    files: int


class ConversationMark(Wire, frozen=True, kw_only=True):
    """A position in a conversation, identified by what was sent up to it."""

    # The size in bytes of the messages as JSON, including the commas between them.
    bytes: int
    # The hexadecimal SHA-256 digest of the JSON of `system`, `tools` and `earlier`,
    # each followed by a line feed, and the messages.
    sha256: str


class DaySpent(Wire, frozen=True, kw_only=True):
    """The usage of all tasks since midnight, with the daily limits."""

    # The number of input and output tokens.
    tokens: int
    # The cost in millionths of the currency, for the tokens whose price is known.
    cost_micros: int
    # The daily limit of tokens; 0 for no limit.
    max_tokens: int
    # The daily limit of cost, in hundredths of the currency; 0 for no limit.
    max_cost_cents: int


class Device(Wire, frozen=True, kw_only=True):
    """A paired phone or browser, identified by its public key."""

    # The id of the device.
    id: str
    # The name that its owner gave it.
    name: str
    # What the device may do.
    scopes: list[DeviceScope]
    # When the device was paired.
    paired_at_ms: int
    # When the device last authenticated. Absent if it never did.
    last_seen_ms: int | None = None
    # When the device was revoked. A revoked device may not do anything. Absent if it
    # was not revoked.
    revoked_at_ms: int | None = None


class DeviceSession(Wire, frozen=True, kw_only=True, tag_field="by", tag="device"):
    """A request to open a session with a device's signature."""

    # The id of the device.
    device: str
    # The challenge that the server issued for this request.
    challenge: str
    # The signature of the challenge, in the same format as in `DeviceProof`.
    signature: str


class DevicesAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="devices"):
    """A list of devices."""

    # The devices, in the order of pairing.
    devices: list[Device]


class DoctorAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="doctor"):
    """The results of the checks of `deputy doctor`."""

    # The results, in the order of the checks.
    findings: list[Finding]


class OperationNote(Wire, frozen=True, kw_only=True):
    """An operation with a note about it."""

    # The id of the operation.
    operation: str
    # The note, for people.
    text: Phrase


class DraftAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="draft"):
    """The result of trying a draft."""

    # The plan. Each operation has the risk of its kind.
    plan: OrganizePlan
    # Differences between what was written and what will be done.
    notes: list[OperationNote]
    # Operations that cannot be performed. Empty if the plan can be executed.
    problems: list[OperationNote]
    # The trees before and after the plan. Absent if the folders contain too many files
    # to show, or the plan cannot be executed.
    trees: DraftTrees | None = None


class EarlierTask(Wire, frozen=True, kw_only=True):
    """An earlier task of the same conversation, as shown to the planner of a later
    task.
    """

    # The id of the task.
    id: str
    # What the user wanted, in their own words.
    goal: str
    # How the task ended. Absent if it has not ended.
    reason: StopReason | None
    # The final summary, for the user. Absent if the task has not ended.
    summary: str | None = None
    # The files that the task changed, according to Deputy's own record. Only the first
    # ones if there are many.
    changed_files: list[str] = []
    # When the task was submitted.
    created_at_ms: int
    # The jobs of `organize` that the task executed, in order.
    jobs: list[str] = []


class EmbedReply(Wire, frozen=True, kw_only=True):
    """The result of `inference.embed`."""

    # The name of the model. Together with the dimension, it is the key of the index.
    model: str
    # The number of values in each vector.
    dimension: int
    # The vectors in the order of the texts, in base64. Each value is a little-endian
    # 32-bit float. Decimal text would be five times as long.
    vectors: str


class EmbedRequest(Wire, frozen=True, kw_only=True):
    """The parameters of `inference.embed`."""

    # The backend that embeds the texts.
    backend: BackendRef
    # The texts to embed.
    texts: list[str]


class ErrorMessage(Wire, frozen=True, kw_only=True, tag_field="type", tag="error"):
    """The error for a message that failed."""

    # The id of the command or query. Absent if the connection itself is refused.
    id: str | None = None
    # The error.
    error: ErrorBody


class TaskUpdate(Wire, frozen=True, kw_only=True):
    """The parts of a task's summary that change with its events."""

    # The state of the task.
    state: TaskState
    # The number of tokens that the task has used so far.
    tokens: int
    # The name of the task's backend.
    backend: str = ""
    # The model that plans the task. Absent if it is the backend's configured model.
    model: str | None = None
    # The cost of the task's tokens, in millionths of the currency. It covers only the
    # tokens whose price is known; absent if none is.
    cost_micros: int | None = None
    # The progress of the task's to-do list. Absent if there is no list.
    todo: TodoProgress | None = None
    # When the task last changed.
    updated_at_ms: int
    # The task's place in the queue. Absent unless the task is queued.
    queue_rank: str | None = None
    # The title that a person gave to the conversation that starts with this task.
    title: str | None = None
    # Whether the conversation was archived while this was its newest task.
    archived: bool = False


class EventMessage(Wire, frozen=True, kw_only=True, tag_field="type", tag="event"):
    """A message with an event of the journal."""

    # The event.
    record: EventRecord
    # The task's summary after the event. For a past event that the client missed, it is
    # the task's current summary. The mirror always sets it.
    update: TaskUpdate | None = None
    # Whether long texts in the event were shortened. The query `event` returns the
    # event in full.
    shortened: bool = False


class EventsAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="events"):
    """A list of events."""

    # The events, oldest first.
    events: list[EventRecord]
    # The sequence numbers of the events whose long texts were shortened. The query
    # `event` returns such an event in full.
    shortened: list[int] = []


class Explanation(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="explanation"
):
    """The decision on a shell command."""

    # The decision with its reasons and parts. It includes grants that apply in the
    # folder.
    verdict: Verdict


class PlanFacts(Wire, frozen=True, kw_only=True):
    """A plan of file operations that a call executes."""

    # The digest that an answer is bound to. A draft of the plan has this digest as its
    # id.
    digest: str
    # The plan as shown to a person.
    shown: RequestedPlan


class Facts(Wire, frozen=True, kw_only=True):
    """Everything that a call would touch. The tool determines it without touching any
    of it.
    """

    # The effect of running the call twice.
    effect: Effect
    # What the call would touch.
    accesses: list[Access]
    # One sentence for people, e.g. `Write REPORT.md (1.2 KB, new file)`.
    summary: Phrase
    # The unified diff of the change. Absent if the call has none.
    diff: str | None = None
    # The plan of file operations that the call executes. Absent if there is none.
    plan: PlanFacts | None = None
    # The minimum risk of the call, regardless of the places that it touches.
    risk: Risk


class FileDifference(Wire, frozen=True, kw_only=True):
    """The change of a file with its content."""

    # What was done.
    file: ChangedFile
    # The unified diff, without the secrets that the file had before. Absent if it is
    # not a text, is too long, or has changed again since.
    diff: str | None


class FoldersAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="folders"):
    """Folders that complete a path."""

    # The folder that the path names. Absent if the path does not name a folder that can
    # be organized.
    folder: str | None = None
    # The absolute paths of the folders, sorted by name; at most 50.
    folders: list[str]
    # The user's own folders for downloads, the desktop, documents and pictures that
    # exist, in this order.
    usual: list[str] = []
    # The path of the user's home folder.
    home: str


class Grant(Wire, frozen=True, kw_only=True):
    """A remembered answer. It can be listed and revoked."""

    # The id of the grant.
    id: str
    # `allow` or `deny`. A grant never asks.
    decision: Decision
    # What the grant covers.
    rule: GrantRule
    # How long the grant applies.
    lifetime: Lifetime
    # The folder in which the grant applies: the real path of the workspace that it was
    # given for.
    workspace: str
    # The permission request that was answered. Absent if there was none.
    request: str | None = None
    # When the grant was given.
    created_at_ms: int
    # When the grant expires. Absent if it does not expire at a fixed time.
    expires_at_ms: int | None = None
    # When the grant was revoked. Absent if it was not revoked.
    revoked_at_ms: int | None = None


class PreviewedCall(Wire, frozen=True, kw_only=True):
    """A past call that a grant would have allowed."""

    # The task of the call.
    task: str
    # What the call does, for people.
    summary: Phrase
    # When permission for the call was requested.
    at_ms: int
    # Whether the call was denied.
    refused: bool


class GrantPreview(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="grant_preview"
):
    """The past calls that a grant would have allowed."""

    # The offer, described for people.
    label: Phrase
    # The number of days that were searched.
    days: int
    # The number of calls in that time for which a person was asked but would not have
    # been. The open request itself is not counted.
    calls: int
    # The number of counted calls that were denied.
    refused: int
    # Whether only some of the requests were examined, so that there may be more calls.
    and_more: bool
    # The newest of the counted calls.
    samples: list[PreviewedCall]


class GrantsAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="grants"):
    """A list of grants."""

    # The grants, newest first.
    grants: list[Grant]


class Health(Wire, frozen=True, kw_only=True):
    """The health of a server."""

    # Always `ok`.
    status: str
    # The host's protocol version.
    protocol: int
    # The host's version.
    version: str


class IndexedFoldersAnswer(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="indexed_folders"
):
    """A list of indexed folders."""

    # The folders, sorted by path.
    folders: list[IndexedFolder]


class InitializeParams(Wire, frozen=True, kw_only=True):
    """The parameters of `initialize`."""

    # The core's `PROTOCOL_VERSION`. A sidecar with a different version answers with an
    # error.
    protocol: int
    # The folder with the user's own backend files.
    backends_dir: str
    # The API keys, by the name of the backend. They are never logged and never passed
    # in the environment.
    keys: dict[str, str] = {}
    # The secret from which the marks around untrusted data are made. It stays the same
    # through restarts, so that a conversation is sent again as it was sent before. If
    # empty, the sidecar makes one for its own life.
    marks: str = ""


class InitializeResult(Wire, frozen=True, kw_only=True):
    """The result of `initialize`."""

    # The sidecar's protocol version.
    protocol: int
    # The version of the sidecar's package.
    version: str
    # The names of the available backends.
    backends: list[str]


# The state of an executed plan.
JobStanding = Literal[
    # A process is executing, undoing or redoing the plan.
    "running",
    # The last turn is not done, and no process is working on it.
    "interrupted",
    # The plan is done.
    "done",
    # A part of the plan is undone.
    "partly_undone",
    # The plan is undone.
    "undone",
    # The journal of the job is damaged.
    "damaged",
]


# What a job does with a plan.
TurnKind = Literal[
    # It executes the plan.
    "execute",
    # It undoes what was executed or redone.
    "undo",
    # It redoes what was undone.
    "redo",
]


class JobTurn(Wire, frozen=True, kw_only=True):
    """A job that executed, undid or redid a plan."""

    # The id of the job.
    job: str
    # What the job does with the plan.
    turn: TurnKind
    # The number of steps that are done.
    done: int
    # The total number of steps.
    steps: int
    # When the job was started.
    began_at_ms: int


class PathNote(Wire, frozen=True, kw_only=True):
    """A path with a note about it."""

    # The path.
    path: str
    # The note, for people.
    reason: Phrase


class JobInfo(Wire, frozen=True, kw_only=True):
    """An executed plan: the job that executed it, with the undos and redos of that job.
    """

    # The id of the job that executed the plan.
    job: str
    # The state of the plan.
    state: JobStanding
    # The job that undid the plan, or the newest that undid a part of it. To redo the
    # plan, undo that job. Absent if nothing is undone.
    undone_by: str | None = None
    # The folders that the plan covers.
    scope: list[str]
    # The execution, the undos and the redos of the plan, oldest first; the newest 20.
    turns: list[JobTurn]
    # Steps that the last turn skipped, with the reason; at most 50. Only filled in if
    # the plan is interrupted, or if the query named the plan's call.
    left_out: list[PathNote]
    # The number of steps that the last turn skipped.
    left_out_count: int
    # The step at which the last turn stopped, with the reason. Only filled in if the
    # plan is interrupted, or if the query named the plan's call; absent if no step
    # failed.
    stopped: PathNote | None = None


class JobProgress(Wire, frozen=True, kw_only=True, tag_field="type", tag="job"):
    """The progress of a job that the host is working on. It is not journaled and may be
    lost; the query `jobs` returns the final state.
    """

    # The id of the job. For work that is not a job over files, it is the id of the
    # call.
    job: str
    # The job that this job undoes. Absent if it does not undo a job.
    undoes: str | None = None
    # The call that started the job. Absent if a person started it.
    call: str | None = None
    # The number of steps that are done.
    done: int
    # The total number of steps.
    steps: int


class JobsAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="jobs"):
    """A list of executed plans."""

    # The plans, newest first, at most 200.
    jobs: list[JobInfo]


class LinkSession(Wire, frozen=True, kw_only=True, tag_field="by", tag="link"):
    """A request to open a session with a one-time link."""

    # The text after `#token=` in the link.
    token: str


class LocalServer(Wire, frozen=True, kw_only=True):
    """A model server on this machine."""

    # The name of the program that usually uses this port, e.g. `Ollama`.
    name: str
    # The backend for this server.
    backend: str = ""
    # The value to set as `base_url`.
    base_url: str
    # The models that the server offers.
    models: list[str]


class LocalServers(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="local_servers"
):
    """The model servers on this machine."""

    # The servers that answered.
    servers: list[LocalServer]


# The level of a log line.
LogLevel = Literal[
    # Details for developers.
    "debug",
    # General information.
    "info",
    # An unexpected condition that was handled.
    "warning",
    # A failure.
    "error",
]


class LogParams(Wire, frozen=True, kw_only=True):
    """The parameters of the notification `log`."""

    # The level of the log line.
    level: LogLevel
    # The log line. It contains no key.
    message: str


# The author of a memory. Text from tools is untrusted: it is data, never instructions.
MemoryRole = Literal[
    # The user.
    "user",
    # The planner.
    "assistant",
    # A tool, in the result of a call.
    "tool",
]


class PassagePlace(Wire, frozen=True, kw_only=True):
    """The location of a passage."""

    # The path of the file.
    path: str
    # The line of the file's text at which the passage starts, from 1.
    line: int


class MemoryFound(Wire, frozen=True, kw_only=True):
    """How well a memory matches a search."""

    # The score, relative to the best match, which has 1.
    score: float
    # Whether the text contains all of the words.
    by_words: bool
    # The similarity in meaning, at most 1. Absent if the memory was not found by
    # meaning.
    similarity: float | None = None


class Memory(Wire, frozen=True, kw_only=True):
    """A text from an event of a task, or a passage of a document, that recall may give
    to the planner of a later task.
    """

    # The number of the memory: the sequence number of the event that contains the text.
    memory: int
    # The task that the memory comes from.
    task: str
    # The first 200 characters of the task's goal.
    goal: str
    # The folder that the task worked in.
    workspace: str
    # The author of the text.
    role: MemoryRole
    # The text, at most 2,000 characters.
    text: str
    # When the text was written.
    at_ms: int
    # When a person last edited the text. Absent if it was not edited.
    edited_at_ms: int | None = None
    # The origin of the text.
    origin: MemoryOrigin
    # When a person made the memory available outside its folder. Absent if it was not.
    promoted_at_ms: int | None = None
    # The kind of memory.
    kind: MemoryKind
    # The subject of a preference.
    about: str | None = None
    # Whether a newer preference replaced this one. If so, it is not given to later
    # tasks.
    is_replaced: bool
    # The location of the passage. Absent unless the memory is a passage of a document.
    # A passage cannot be edited, forgotten or promoted by its number.
    passage: PassagePlace | None = None
    # How well the memory matches the search. Absent unless the query asked for the best
    # matches.
    found: MemoryFound | None = None


class MemoriesAnswer(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="memories"
):
    """A page of memories."""

    # The memories, newest first. A page may contain fewer memories than requested, even
    # none, without being the last one.
    memories: list[Memory]
    # The value of `before` for the next page. Absent on the last page.
    next: int | None = None


class MemoryStatsAnswer(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="memory_stats"
):
    """The number of memories that can be found by meaning. All memories can be found by
    their words.
    """

    # The configured embedder: `on_device`, `none`, or the name of a backend.
    embedder: str
    # Why the embedder does not work at the moment. Absent if no problem is known.
    problem: str | None = None
    # The model whose vectors are searched. Absent until the first memory is embedded.
    model: str | None = None
    # The number of memories.
    memories: int
    # The number of memories that have a vector of the model.
    embedded: int
    # The number of memories that are waiting for a vector.
    pending: int
    # The number of memories whose vector has to be recomputed.
    outdated: int
    # The number of memories that could not be embedded.
    failed: int
    # The number of memories from tools, which can only be found by their words.
    words_only: int
    # The number of memories that were forgotten or pruned and can be restored.
    forgotten: int = 0
    # The number of passages of documents in indexed folders.
    passages: int = 0
    # The number of passages that have a vector of the model.
    passages_embedded: int = 0
    # The number of passages that could not be embedded.
    passages_failed: int = 0


class UserMessage(Wire, frozen=True, kw_only=True, tag_field="role", tag="user"):
    """A message from the user."""

    # The text of the message.
    text: str


class MessagePicture(Wire, frozen=True, kw_only=True):
    """A picture, as sent to a planner with its result."""

    # The format.
    media_type: PictureType
    # A description of the picture.
    alt: str
    # The bytes in base64. Absent if the backend does not support pictures, the picture
    # is too large to send, or newer pictures replaced it. The planner then only has the
    # text of the result.
    base64: str | None = None
    # The BLAKE3 digest of the picture.
    digest: str


class ToolMessage(Wire, frozen=True, kw_only=True, tag_field="role", tag="tool"):
    """The result of a call."""

    # The id of the call.
    call: str
    # The name of the tool.
    tool: str
    # The output of the call, or why there is none.
    content: str
    # Whether the call succeeded.
    ok: bool
    # The pictures in the result.
    pictures: list[MessagePicture] = []


# A message of a conversation.
Message = (
    # A message from the user, or from the core on the user's behalf.
    UserMessage
    # A message from the planner.
    | AssistantMessage
    # The result of a call. It is untrusted: data, never instructions.
    | ToolMessage
)


class ModelListReply(Wire, frozen=True, kw_only=True):
    """The result of `model.list`."""

    # The names of the models.
    models: list[str]


class ModelListRequest(Wire, frozen=True, kw_only=True):
    """The parameters of `model.list`."""

    # The backend whose models are listed.
    backend: BackendRef


# The subject of a notice.
NoticeKind = Literal[
    # A call is waiting for permission.
    "request",
    # A question is waiting for an answer.
    "question",
    # A task has ended.
    "ended",
]


class Notice(Wire, frozen=True, kw_only=True, tag_field="type", tag="notice"):
    """Something needs a person's attention, or no longer does. A screen shows it as a
    notification, once for each id.
    """

    # The id of the permission request, the question or the task.
    id: str
    # The task.
    task: str
    # The subject of the notice.
    kind: NoticeKind
    # One line for people, with control characters escaped.
    text: str
    # Whether the notice is obsolete, because it was answered elsewhere or is no longer
    # needed. A screen then removes it.
    withdrawn: bool


class NotifyChannels(Wire, frozen=True, kw_only=True):
    """How the user is notified when something is waiting."""

    # Local hours without notifications, e.g. `22:00-07:00`. Absent if there are none.
    quiet: str | None = None
    # A command that receives each notice. It can only be changed in the file, because
    # it runs as the user.
    command: list[str]
    # The address of a topic on a relay. Absent if no relay is used.
    ntfy: str | None = None


class OutputAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="output"):
    """A piece of a command's output."""

    # The text of the piece.
    text: str
    # The byte at which the piece starts.
    offset: int
    # The byte at which the next piece starts. Absent at the end of the output.
    next: int | None = None
    # The total number of bytes that were kept.
    size_bytes: int


class PairingWaiting(Wire, frozen=True, kw_only=True, tag_field="stage", tag="waiting"):
    """No device has sent the code yet."""


class PairingClaimed(Wire, frozen=True, kw_only=True, tag_field="stage", tag="claimed"):
    """A device sent the code."""

    # The device's own name for itself.
    name: str
    # Six digits, which each side derives from what it received.
    number: str
    # Whether the person confirmed the number on the desktop.
    confirmed: bool


class PairingDone(Wire, frozen=True, kw_only=True, tag_field="stage", tag="paired"):
    """A device was paired."""

    # The device.
    device: Device


class PairingOver(Wire, frozen=True, kw_only=True, tag_field="stage", tag="over"):
    """A pairing ended without a device."""

    # Why the pairing ended.
    reason: Phrase


# The state of a pairing.
PairingStage = (
    # No device has sent the code yet.
    PairingWaiting
    # A device sent the code. Both sides show the number.
    | PairingClaimed
    # The device is paired.
    | PairingDone
    # The pairing ended without a device.
    | PairingOver
)


class PairingAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="pairing"):
    """A pairing that was started."""

    # The link that the device scans: an address, with the one-time code and the
    # certificate's fingerprint after the `#`.
    link: str
    # The SHA-256 digest of the server's public key, which the device checks on every
    # connection.
    fingerprint: str
    # When the pairing expires.
    expires_at_ms: int
    # The state of the pairing.
    stage: PairingStage


class PairingClaim(Wire, frozen=True, kw_only=True):
    """The first message of a device during pairing."""

    # The one-time code.
    code: str
    # The device's own name for itself.
    name: str
    # The device's P-256 public key for signatures: the uncompressed point in base64url.
    sign_key: str
    # The device's P-256 public key for messages that are encrypted to it: the
    # uncompressed point in base64url. Absent if it has none.
    seal_key: str | None = None


class PairingFinish(Wire, frozen=True, kw_only=True):
    """The message that a device sends after its owner compared the numbers. It is
    repeated until the desktop has confirmed.
    """

    # The one-time code.
    code: str
    # The device's signature of `deputy-pair-1`, the fingerprint, the code and the
    # number, each on its own line.
    signature: str


class PictureAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="picture"):
    """A piece of a picture."""

    # The format of the picture, determined from its first bytes.
    media_type: PictureType
    # The bytes of the piece, in base64.
    base64: str
    # The byte at which the next piece starts. Absent at the end of the picture.
    next: int | None = None
    # The size of the whole picture in bytes.
    size_bytes: int


class PlanAnswer(Wire, frozen=True, kw_only=True):
    """The result of `inference.plan` and `inference.plan_more`."""

    # The plan.
    plan: AgentPlan
    # The tokens that the plan used. All zero if the provider does not report them.
    usage: Usage = msgspec.field(default_factory=Usage)
    # The position of the conversation that the plan answers. Absent if the sidecar does
    # not keep the conversation.
    kept: ConversationMark | None = None


class PlanErrorData(Wire, frozen=True, kw_only=True):
    """The `error.data` of a JSON-RPC error. `error.message` is for people and says what
    to do next.
    """

    # Why the backend did not answer.
    code: PlanErrorCode
    # The number of seconds that the provider asks to wait. Absent if it does not say.
    retry_after_secs: float | None = None
    # `error.message` as a message of the catalog. Absent if it is the backend's own
    # text.
    said: Phrase | None = None
    # The tokens that the provider counted before the failure. Absent if it counted
    # none.
    usage: Usage | None = None


class PlanMore(Wire, frozen=True, kw_only=True):
    """The parameters of `inference.plan_more`: the new messages of a conversation that
    the sidecar keeps. The rest of the request is unchanged. If the sidecar does not
    have the conversation up to `base`, it answers with the error -32001.
    """

    # The backend that makes the plan.
    backend: BackendRef
    # The name under which the conversation is kept.
    conversation: str
    # How much of the conversation the sidecar already has.
    base: ConversationMark
    # The messages that follow.
    messages: list[Message]


class PlanReply(Wire, frozen=True, kw_only=True):
    """A plan with its token usage."""

    # The plan. The ids of its calls only need to be unique within the plan.
    plan: AgentPlan
    # The tokens that the plan used. All zero if the provider does not report them.
    usage: Usage = msgspec.field(default_factory=Usage)


class ToolSpec(Wire, frozen=True, kw_only=True):
    """A tool, as described to the planner."""

    # The name of the tool.
    name: str
    # What the tool does and when to use it.
    description: str
    # The JSON Schema of the tool's parameters.
    parameters: Any


class PlanRequest(Wire, frozen=True, kw_only=True):
    """The parameters of `inference.plan`."""

    # The backend that makes the plan.
    backend: BackendRef
    # The system text: the profile's prompt and the core's rules.
    system: str
    # The conversation so far. The last message is never from the assistant.
    messages: list[Message]
    # The tools that may be called.
    tools: list[ToolSpec]
    # Earlier tasks of the same conversation, newest last.
    earlier: list[EarlierTask] = []
    # The name under which the sidecar keeps the conversation. The next request then
    # only needs to contain what is new. If absent, the sidecar does not keep the
    # conversation.
    conversation: str | None = None


class Price(Wire, frozen=True, kw_only=True):
    """The price of a model or backend, per million tokens."""

    # The name of the model or the backend. A model's name may be a prefix.
    of: str
    # The price of a million input tokens.
    input: float
    # The price of a million input tokens from the provider's cache.
    cached: float = 0.0
    # The price of a million output tokens.
    output: float
    # The date of the price that Deputy knows. Absent if the user configured the price.
    as_of: str | None = None


# The kind of a profile file.
ProfileFileKind = Literal[
    # `scratchpad.md`: the notes of running tasks.
    "scratchpad",
    # `conversation_history.json`: the conversations of the latest tasks.
    "history",
    # `learned_preferences.toml`: the current preferences.
    "preferences",
]


class ProfileFile(Wire, frozen=True, kw_only=True):
    """A file of a profile."""

    # The name of the profile.
    profile: str
    # The kind of file.
    kind: ProfileFileKind
    # The path of the file.
    path: str
    # The content of the file. Empty if it cannot be read.
    text: str
    # Why changes in the file cannot be applied. Until then, Deputy does not write to
    # the file. Absent if there is no problem.
    problem: str | None = None


class ProfileFilesAnswer(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="profile_files"
):
    """A list of profile files."""

    # The files that exist, sorted by profile.
    files: list[ProfileFile]


class Progress(Wire, frozen=True, kw_only=True, tag_field="type", tag="progress"):
    """Output that is not journaled. It may be lost."""

    # The task.
    task: str
    # The call that wrote the output. Absent if the text is the planner's.
    call: str | None = None
    # The next piece of the text.
    text: str


class ProgressParams(Wire, frozen=True, kw_only=True):
    """The parameters of the notification `progress`."""

    # The id of the request that the text belongs to.
    id: int
    # The next piece of the model's text.
    text: str


class PromptAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="prompt"):
    """A piece of what was sent to the model and what it answered."""

    # A piece of a JSON object with two fields: `sent`, in the format of
    # `inference.plan`, and `received`, the step's events that contain the answer.
    text: str
    # The byte at which the next piece starts. Absent at the end.
    next: int | None = None


class PruneCount(Wire, frozen=True, kw_only=True):
    """The number of memories of a kind."""

    # The kind.
    kind: PruneKind
    # The number of memories.
    memories: int


class PrunePreview(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="prune_preview"
):
    """The memories that pruning by a rule would forget."""

    # The number of memories.
    memories: int
    # The number of memories of each kind.
    kinds: list[PruneCount]
    # When the oldest of the memories was written. Absent if there are none.
    oldest_ms: int | None = None
    # When the newest of the memories was written. Absent if there are none.
    newest_ms: int | None = None
    # The beginnings of the newest few memories.
    examples: list[str]


class Snapshot(Wire, frozen=True, kw_only=True):
    """The state at a position in the stream of events."""

    # The sequence number of the last event that the state includes.
    seq: int
    # The state.
    state: AgentState


class StateAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="state"):
    """The state of the agent."""

    # The snapshot.
    snapshot: Snapshot


class SaidInTask(Wire, frozen=True, kw_only=True):
    """A match of a search in a task: the newest text that contains all of the words."""

    # The task.
    task: str
    # The sequence number of the event that contains the text.
    event: int
    # The author of the text.
    role: MemoryRole
    # When the text was written.
    at_ms: int
    # An excerpt of the text around the words.
    text: str


class TasksAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="tasks"):
    """A list of tasks."""

    # The tasks, newest first.
    tasks: list[TaskSummary]
    # The matches of the search: one for each task, newest first.
    said: list[SaidInTask] = []


class TaskAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="task"):
    """One task."""

    # The summary of the task.
    task: TaskSummary


class SearchChoice(Wire, frozen=True, kw_only=True):
    """A search provider that can be configured."""

    # The name of the provider.
    name: str
    # The display name of the provider.
    label: str
    # The provider's own address. If absent, an address has to be configured.
    address: str | None = None
    # Whether the provider needs a key.
    takes_key: bool
    # Whether the provider is built in. Otherwise it is a file of the user.
    shipped: bool
    # Where the provider's key is looked up. Absent if no key is expected or no place is
    # known.
    key: KeyPlace | None = None
    # What is missing before the provider can be used. The keyring is not searched for a
    # key. Absent if nothing is known to be missing.
    problem: Phrase | None = None


class WebSearchSettings(Wire, frozen=True, kw_only=True):
    """The settings of web search."""

    # The configured provider. Absent if there is none.
    provider: str | None = None
    # The address of the provider. Absent if it is the provider's own address.
    address: str | None = None
    # All providers: the built-in ones, then the user's own.
    providers: list[SearchChoice]


class Settings(Wire, frozen=True, kw_only=True, tag_field="answer", tag="settings"):
    """The settings of a host."""

    # The path of the settings file.
    path: str
    # The host's current choices for new tasks.
    choices: Choices
    # The settings of each backend, in the order of the choices.
    backends: list[BackendSettings]
    # The maximum number of tasks that run at the same time.
    max_concurrent_tasks: int
    # How the user is notified when something is waiting.
    notify: NotifyChannels
    # The settings of web search.
    search: WebSearchSettings
    # The names of changed settings that take effect after a restart.
    after_restart: list[str]


class SearchCheck(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="search_check"
):
    """The result of checking the search provider."""

    # The name of the provider. Empty if none is configured.
    provider: str
    # Why the provider cannot be used. Absent if it can.
    problem: ErrorBody | None = None
    # The number of results.
    results: int
    # How long the answer took, in milliseconds.
    took_ms: int


class TaskDifference(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="difference"
):
    """Everything that a task changed."""

    # The files: those that calls changed, in order of their paths, then those that
    # plans moved.
    files: list[FileDifference]
    # The number of further files.
    more_files: int
    # What was written into folders that hold only what programs make.
    built: list[BuiltFolder]
    # The commits that the task made, newest first.
    commits: list[NewCommit]
    # The branches that the task created.
    branches: list[str]
    # What may matter after the task. Absent if there is nothing.
    lasting: LastingChanges | None = None


class UserRule(Wire, frozen=True, kw_only=True):
    """A rule of the user."""

    # The line of the rule in the file, from 1.
    line: int
    # The decision on what the rule covers.
    effect: Decision
    # What the rule covers, for people.
    text: Phrase
    # The rule in the form in which a screen can change it. Absent if the rule can only
    # be changed in the file.
    command: CommandRule | None = None


class RulesAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="rules"):
    """The contents of the rules file."""

    # The path of the rules file. The file may not exist.
    path: str
    # The rules, in the order of the file.
    rules: list[UserRule]
    # The error in the file. Until it is fixed, every call asks. Absent if the file is
    # valid.
    problem: Phrase | None = None


class UsageRow(Wire, frozen=True, kw_only=True):
    """The usage of a task in a quarter hour, by backend and model."""

    # When the quarter hour started.
    at_ms: int
    # The id of the task.
    task: str
    # The goal of the task.
    goal: str
    # The backend that answered.
    backend: str
    # The model that was configured at the time. Absent if the backend names none.
    model: str | None = None
    # The number of plans.
    plans: int = 0
    # Input tokens, including those from the provider's cache.
    input_tokens: int
    # Output tokens, including reasoning tokens.
    output_tokens: int
    # The part of the input tokens that came from the provider's cache.
    cached_tokens: int = 0
    # The part of the output tokens that the model spent on reasoning.
    reasoning_tokens: int = 0
    # The cost in millionths of the currency, by the prices at the time, or by the
    # current prices if none were known then. Absent if the price is unknown.
    cost_micros: int | None = None


class UsageAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="usage"):
    """What the models used and cost."""

    # The tokens by quarter hour, task, backend and model, oldest first.
    rows: list[UsageRow]
    # The current prices: the configured ones, then those that Deputy knows.
    prices: list[Price]
    # The currency of the prices, e.g. `USD`.
    currency: str
    # The usage of all tasks today, with the daily limits.
    today: DaySpent


class ScanLooking(Wire, frozen=True, kw_only=True, tag_field="stage", tag="looking"):
    """The scan is finding and examining files."""

    # The number of files that were examined so far.
    files: int


class ScanComparing(
    Wire, frozen=True, kw_only=True, tag_field="stage", tag="comparing"
):
    """The scan is comparing the contents of possible duplicates."""

    # The number of files that were compared so far.
    done: int
    # The total number of files to compare.
    total: int


class ScanLeftOut(Wire, frozen=True, kw_only=True):
    """The numbers of files and folders that a scan skipped, by reason."""

    # Hidden or secret files and folders.
    hidden: int
    # Links and special files.
    special: int
    # Names that are not valid UTF-8.
    unnameable: int
    # Files and folders that could not be read.
    unreadable: int


class ScanDrafted(Wire, frozen=True, kw_only=True, tag_field="stage", tag="drafted"):
    """The result of a scan, and the plan that was drafted for it."""

    # The id of the draft. Absent if there is nothing to do.
    draft: str | None = None
    # The number of files that were scanned.
    files: int
    # The total size of the scanned files in bytes.
    bytes: int
    # The number of surplus copies among the scanned files.
    copies: int
    # Naming conventions that the files could follow, most likely first.
    conventions: list[ConventionCard]
    # Files at the top level that the plan leaves in place, with the reason; at most 50.
    left_alone: list[PathNote]
    # The number of files that were left in place, up to 10,000.
    left_alone_count: int
    # What was not scanned.
    left_out: ScanLeftOut
    # The number of operations that did not fit into the plan.
    too_many: int


class ScanFailed(Wire, frozen=True, kw_only=True, tag_field="stage", tag="failed"):
    """The scan failed or was stopped."""

    # The error.
    error: ErrorBody


# The state of a scan.
ScanStage = (
    # The scan is finding and examining files.
    ScanLooking
    # The scan is comparing the contents of possible duplicates.
    | ScanComparing
    # The scan is done.
    | ScanDrafted
    # The scan failed or was stopped.
    | ScanFailed
)


class ScanAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="scan"):
    """The state of a scan."""

    # The id of the scan.
    scan: str
    # The state of the scan.
    stage: ScanStage


# The answer to a query.
QueryAnswer = (
    # The state of the agent.
    StateAnswer
    # A list of tasks.
    | TasksAnswer
    # One task.
    | TaskAnswer
    # A list of events.
    | EventsAnswer
    # A list of grants.
    | GrantsAnswer
    # The past calls that a grant would have allowed.
    | GrantPreview
    # The live console of a task.
    | Console
    # A list of devices.
    | DevicesAnswer
    # The latest pairing.
    | PairingAnswer
    # The choices for a new task.
    | ChoicesAnswer
    # The settings of the host.
    | Settings
    # The result of checking a backend.
    | BackendCheck
    # The result of checking the search provider.
    | SearchCheck
    # Model servers on this machine.
    | LocalServers
    # The results of the checks of `deputy doctor`.
    | DoctorAnswer
    # What a task changed.
    | TaskDifference
    # The decision on a shell command.
    | Explanation
    # The user's own rules.
    | RulesAnswer
    # What the models used and cost.
    | UsageAnswer
    # A piece of what was sent to the model and what it answered.
    | PromptAnswer
    # Folders that complete a path.
    | FoldersAnswer
    # The state of a scan.
    | ScanAnswer
    # The result of trying a draft.
    | DraftAnswer
    # A list of jobs.
    | JobsAnswer
    # A page of memories.
    | MemoriesAnswer
    # The number of memories that can be found by meaning.
    | MemoryStatsAnswer
    # The memories that pruning would forget.
    | PrunePreview
    # The files of profiles.
    | ProfileFilesAnswer
    # Folders whose documents can be recalled.
    | IndexedFoldersAnswer
    # A piece of a command's complete output.
    | OutputAnswer
    # A piece of a picture.
    | PictureAnswer
    # The browser of a task.
    | BrowserAnswer
)


class QueryReply(Wire, frozen=True, kw_only=True, tag_field="type", tag="query_reply"):
    """The reply to a query."""

    # The id of the query.
    id: str
    # The answer.
    answer: QueryAnswer


class Welcome(Wire, frozen=True, kw_only=True, tag_field="type", tag="welcome"):
    """The hello was accepted."""

    # The host's protocol version.
    protocol: int
    # The host's version.
    version: str
    # The sequence number of the newest event.
    seq: int
    # What this connection may do.
    scopes: list[DeviceScope] = []
    # Whether the connection belongs to the host's own user. Only such a connection can
    # see devices and settings.
    local: bool = False


class SnapshotMessage(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="snapshot"
):
    """A message with the state."""

    # The snapshot.
    snapshot: Snapshot


# A message from the host to a client.
ServerMessage = (
    # The challenge that the client has to sign. It is the first message, except over
    # the Unix socket.
    Challenge
    # The hello was accepted. The events after `resume_from`, or a snapshot, follow.
    | Welcome
    # The state. Later messages update it.
    | SnapshotMessage
    # An event of the journal.
    | EventMessage
    # Output that is not journaled, for example streamed text.
    | Progress
    # The progress of a job over files.
    | JobProgress
    # Something needs a person's attention, or no longer does.
    | Notice
    # The reply to a command.
    | CommandReply
    # The reply to a query.
    | QueryReply
    # The message with this id, or the connection, failed.
    | ErrorMessage
)


class Session(Wire, frozen=True, kw_only=True):
    """A session that was opened over HTTP."""

    # The secret of the session. It is sent in the hello of a WebSocket, or after
    # `Authorization: Bearer`.
    session: str
    # When the session ends.
    expires_at_ms: int
    # What the session may do.
    scopes: list[DeviceScope]


# A request to open a session over HTTP.
SessionRequest = (
    # A one-time link opens the session.
    LinkSession
    # A device that signed a challenge opens the session.
    | DeviceSession
)
