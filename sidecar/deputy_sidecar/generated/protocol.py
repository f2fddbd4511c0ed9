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
    "CallDecided",
    "CallRule",
    "CallStatus",
    "CancelParams",
    "CatalogueMessage",
    "Challenge",
    "ChangeSettingsCommand",
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
    "DeviceScope",
    "DeviceSession",
    "DevicesAnswer",
    "DevicesQuery",
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
    "FileKept",
    "FilePart",
    "FileState",
    "FindServersQuery",
    "Finding",
    "FirstPlace",
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
    "Interrupted",
    "InterruptedTask",
    "IterationStarted",
    "JobConflict",
    "JobInfo",
    "JobOutcome",
    "JobProgress",
    "JobReport",
    "JobStanding",
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
    "NotKept",
    "Noted",
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
    "OriginRule",
    "OutputAnswer",
    "OutputQuery",
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
    "RequestDetails",
    "RequestedEdit",
    "RequestedPlan",
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
    "TaskEvent",
    "TaskLifetime",
    "TaskQuery",
    "TaskSpec",
    "TaskState",
    "TaskSummary",
    "TaskUpdate",
    "TasksAnswer",
    "TasksQuery",
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
    "UndoCommand",
    "UndoJobCommand",
    "Undone",
    "UndoneFile",
    "UndoneOutcome",
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
]

PROTOCOL_VERSION = 1


class Wire(msgspec.Struct, frozen=True):
    """What all structs have in common: they never change, and are written whole."""


class AbsentFile(Wire, frozen=True, kw_only=True, tag_field="kind", tag="absent"):
    """Nothing is there."""


class ShellAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="shell"):
    """Run a text with bash."""

    # The text as bash would get it.
    command: str


class ReadAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="read"):
    """Read a file."""

    # As given; relative to the working directory.
    path: str


class ListAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="list"):
    """List a folder."""

    # As given; relative to the working directory.
    path: str


class WriteAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="write"):
    """Create or change a file or folder."""

    # As given; relative to the working directory.
    path: str


class DeleteAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="delete"):
    """Remove a file or folder."""

    # As given; relative to the working directory.
    path: str


class MoveAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="move"):
    """Move or rename."""

    # From; relative to the working directory.
    path: str
    # To; relative to the working directory.
    dest: str


class CopyAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="copy"):
    """Copy."""

    # From; relative to the working directory.
    path: str
    # To; relative to the working directory.
    dest: str


class UrlAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="url"):
    """Request an address."""

    # The address as given.
    url: str
    # Whether a page asks for it (`true`) or the address is navigated to.
    subresource: bool = False


class OwnAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="own"):
    """Look at or end what the task itself has started."""

    # What of it, for people, e.g. `the output of b1`.
    what: str


# What is done with memories.
MemoryDeed = Literal[
    # Look at those that may go to the task's folder.
    "look",
    # Remember something for tasks in the same folder.
    "keep_here",
    # Remember something for tasks in every folder.
    "keep_everywhere",
    # Forget something.
    "forget",
    # Read or write what the task notes down for itself.
    "scratchpad",
]


class MemoryAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="memory"):
    """Look at what is remembered, or change it."""

    # What is done.
    does: MemoryDeed
    # What is looked for, remembered or forgotten.
    text: str


# What is done with an open page.
PageDeed = Literal[
    # Look at it.
    "look",
    # Click, type or choose in it.
    "act",
    # Fill in a password, a one-time code or a card.
    "fill_secret",
    # Send a form to another origin.
    "send_elsewhere",
    # Run a script in it.
    "script",
    # Hand files over to it.
    "upload",
    # Write to it what was read on another origin.
    "carry_over",
]


class PageAccess(Wire, frozen=True, kw_only=True, tag_field="access", tag="page"):
    """Look at a page that is open in the task's browser, or act on it."""

    # What is done.
    does: PageDeed
    # On what, and with which values, for people.
    text: str


# One thing that a call would touch.
Access = (
    # Run a text with bash.
    ShellAccess
    # Read a file.
    | ReadAccess
    # List a folder, or walk the tree below it.
    | ListAccess
    # Create or change a file or folder.
    | WriteAccess
    # Remove a file or folder.
    | DeleteAccess
    # Move or rename.
    | MoveAccess
    # Copy.
    | CopyAccess
    # Request an address.
    | UrlAccess
    # Look at or end what the task itself has started.
    | OwnAccess
    # Look at what is remembered, or change it.
    | MemoryAccess
    # Look at a page that is open in the task's browser, or act on it.
    | PageAccess
)


class QueuedTask(Wire, frozen=True, kw_only=True, tag_field="state", tag="queued"):
    """Waits for its turn."""


class RunningTask(Wire, frozen=True, kw_only=True, tag_field="state", tag="running"):
    """Plans or runs calls."""

    # From 1.
    iteration: int


class AwaitingSubtasksTask(
    Wire, frozen=True, kw_only=True, tag_field="state", tag="awaiting_subtasks"
):
    """Waits for its sub-tasks."""

    # From 1.
    iteration: int


# Why a task waits.
PauseReason = Literal[
    # The user paused it.
    "by_user",
    # A question waits for its answer.
    "question",
    # A permission request waits for its answer.
    "permission",
    # A limit of time, tokens or cost was reached.
    "budget",
]


class PausedTask(Wire, frozen=True, kw_only=True, tag_field="state", tag="paused"):
    """Waits for a person."""

    # Why.
    reason: PauseReason
    # From 1; 0 before the first.
    iteration: int


# How a task ended.
StopReason = Literal[
    # The planner said it is done.
    "completed",
    # The user stopped it.
    "manual_stop",
    # It could not continue.
    "error",
    # `max_iterations` was reached.
    "iteration_limit",
    # The user denied what it could not do without.
    "denied",
    # It was submitted without a model, and takes one.
    "needs_model",
]


class CatalogueMessage(Wire, frozen=True, kw_only=True):
    """A message of the catalogue with its arguments."""

    # Which message; see `crates/messages`. Where it is `joined`, `items` are said one
    # after the other, with `by` between them.
    id: str
    # By their names: a text, a number, a message without `text`, `text` alone for words
    # without a message, or a list of these. They are data, never interpreted.
    args: dict[str, Any] = {}
    # The same in English.
    text: str


# Words for people: a message that a screen says in its own language, or a bare text,
# which is a person's or a model's own words, or from an older journal.
Phrase = str | CatalogueMessage


class StoppedTask(Wire, frozen=True, kw_only=True, tag_field="state", tag="stopped"):
    """Ended."""

    # How.
    reason: StopReason
    # The final answer, or what went wrong and what to do next.
    summary: Phrase
    # Requests of it that were denied, or expired.
    denied: int = 0
    # Whether everything that it changed was undone.
    undone: bool = False


class InterruptedTask(
    Wire, frozen=True, kw_only=True, tag_field="state", tag="interrupted"
):
    """Its process died."""

    # Where it was.
    iteration: int


# The state of a task.
TaskState = (
    # Waits for its turn.
    QueuedTask
    # Plans or runs calls.
    | RunningTask
    # Waits for its sub-tasks, and does nothing itself.
    | AwaitingSubtasksTask
    # Waits for a person.
    | PausedTask
    # Ended.
    | StoppedTask
    # Its process died; it resumes from the journal.
    | InterruptedTask
)


class TodoProgress(Wire, frozen=True, kw_only=True):
    """How far the list is, for lists of tasks."""

    # Steps that are done.
    done: int
    # Steps, less those that were dropped.
    total: int
    # The step that is being worked on.
    current: str | None = None


class ParentCall(Wire, frozen=True, kw_only=True):
    """The call that handed a sub-task over."""

    # The task that the call belongs to.
    task: str
    # The call.
    call: str


class TaskSummary(Wire, frozen=True, kw_only=True):
    """A task as lists show it."""

    # Its id.
    id: str
    # Its session.
    session: str
    # What the user wants.
    goal: str
    # Its profile.
    profile: str
    # Its backend.
    backend: str
    # The model that plans it, where it is not the one that is configured.
    model: str | None = None
    # Real path of its workspace.
    workspace: str
    # Its state.
    state: TaskState
    # Tokens used so far.
    tokens: int
    # What they cost as far as prices are known, in millionths of the currency.
    cost_micros: int | None = None
    # How far its to-do list is.
    todo: TodoProgress | None = None
    # When it was submitted.
    created_at_ms: int
    # When it last changed.
    updated_at_ms: int
    # While it is queued: its place among the queued ones.
    queue_rank: str | None = None
    # The title that a person gave the conversation that it begins.
    title: str | None = None
    # Whether its conversation was put away when this was the newest task of it.
    archived: bool = False
    # The call of its parent task that delegated it, where it is a sub-task.
    parent: ParentCall | None = None


# What a part is.
PartKind = Literal[
    # A simple command.
    "command",
    # A path that is read or listed.
    "read",
    # A path that is created, changed, moved or removed.
    "write",
    # A host or origin.
    "host",
    # A construct of the shell that is judged as such.
    "construct",
    # Something of the person's own that is lent to the call: a login, a key, a socket.
    "loan",
]


# What is to happen with a call. Ordered: the strictest of many is their maximum.
Decision = Literal[
    # It runs without a person.
    "allow",
    # A person decides.
    "ask",
    # It does not run.
    "deny",
]


# How bad it would be if the call did harm.
Risk = Literal[
    # Reads, or changes that undo undoes.
    "low",
    # Changes outside the workspace, the network, programs that do as they like.
    "medium",
    # Loss of data, secrets, privileges, code from elsewhere.
    "high",
]


class Part(Wire, frozen=True, kw_only=True):
    """One simple command, path or host with its own decision."""

    # What it is.
    kind: PartKind
    # The canonical form: a quoted argv, an absolute path, an origin. Control characters
    # are escaped.
    text: str
    # This part's decision.
    decision: Decision
    # This part's risk.
    risk: Risk
    # Why.
    reason: Phrase


class RequestedEdit(Wire, frozen=True, kw_only=True):
    """One of several edits that are asked about together. An answer can leave it out.
    """

    # The call that makes it.
    call: str
    # What will happen, in a sentence.
    summary: Phrase
    # Real path of the file; control characters escaped.
    path: str
    # Unified diff of the change.
    diff: str
    # How bad it could be.
    risk: Risk
    # What the call itself is bound to: where that has changed when it is about to run,
    # it is asked about again.
    digest: str


class CreateFolderAction(
    Wire, frozen=True, kw_only=True, tag_field="kind", tag="create_folder"
):
    """Make a folder."""

    # Its new path.
    path: str


class MoveFileAction(Wire, frozen=True, kw_only=True, tag_field="kind", tag="move"):
    """Move a file or a folder elsewhere."""

    # Its path.
    path: str
    # Its new path, its own name included.
    destination: str


class RenameAction(Wire, frozen=True, kw_only=True, tag_field="kind", tag="rename"):
    """Rename a file or a folder in its folder."""

    # Its path.
    path: str
    # The new name, without a folder.
    name: str


class CopyFileAction(Wire, frozen=True, kw_only=True, tag_field="kind", tag="copy"):
    """Copy a file."""

    # Its path.
    path: str
    # The path of the copy, its own name included.
    destination: str


class TrashAction(Wire, frozen=True, kw_only=True, tag_field="kind", tag="trash"):
    """Put a file or a folder into the trash."""

    # Its path.
    path: str


# What one operation does. Paths are absolute, or relative to the scope's only folder.
OrganizeAction = (
    # Make a folder, and those above it.
    CreateFolderAction
    # Move a file or a folder elsewhere.
    | MoveFileAction
    # Rename a file or a folder in its folder.
    | RenameAction
    # Copy a file.
    | CopyFileAction
    # Put a file or a folder into the trash.
    | TrashAction
)


class OrganizeOperation(Wire, frozen=True, kw_only=True):
    """One operation of a plan."""

    # Unique in its plan.
    id: str
    # What is to be done.
    action: OrganizeAction
    # Why, for people.
    reason: Phrase = ""
    # How bad it would be if it were wrong; whatever a planner says, checking sets what
    # the action's kind has.
    risk: Risk


class OrganizePlan(Wire, frozen=True, kw_only=True):
    """What is to become of some folders. Operations are meant in their order: each path
    is where a thing stands once those before it are done.
    """

    # Absolute real paths of the folders that it is about; nothing comes from or goes to
    # anywhere else.
    scope: list[str]
    # The thought behind it, for people.
    reasoning: Phrase = ""
    # In order.
    operations: list[OrganizeOperation]


class DraftTrees(Wire, frozen=True, kw_only=True):
    """The folders of a plan before it and after it."""

    # As they are: absolute paths, a folder's with a slash at its end, each after the
    # folder that it is in.
    before: list[str]
    # As they would be.
    after: list[str]


class RequestedPlan(Wire, frozen=True, kw_only=True):
    """A plan of file operations as a request shows it."""

    # The operations, each with the risk of its kind.
    plan: OrganizePlan
    # The folders before it and after it; absent where they hold too much to be drawn.
    trees: DraftTrees | None = None


# What the operating system lets a process do, whatever was decided. Ordered from narrow
# to wide.
Confinement = Literal[
    # System folders and the workspace readable, nothing writable, no network.
    "read_only",
    # As `read_only`, and the workspace writable.
    "workspace",
    # As `workspace`, and the network.
    "workspace_net",
    # What the user may do, but privileges cannot be gained.
    "open",
]


class NotKept(Wire, frozen=True, kw_only=True):
    """Files that a command could change and that are not kept for undo."""

    # How many; a folder that was not looked into counts as one.
    files: int
    # Their size together, as far as it is known.
    bytes: int
    # Whether there is more than was counted.
    and_more: bool
    # A few of them with the reason, control characters escaped.
    examples: list[Phrase]


# What a command tried.
AttemptKind = Literal[
    # To start a program.
    "execute",
    # To read a file or a folder.
    "read",
    # To change, make, remove or rename something.
    "write",
]


class WantedAccess(Wire, frozen=True, kw_only=True):
    """What a running command wants that its walls refuse: a yes opens exactly that to
    the rest of this call.
    """

    # The program that wants it, by its path; control characters escaped.
    program: str
    # What it tries.
    operation: AttemptKind
    # On what: a real path; control characters escaped.
    path: str
    # What the call is, in a sentence.
    of: Phrase


class RequestDetails(Wire, frozen=True, kw_only=True):
    """What a request is about, as data for screens."""

    # Real path of the folder it runs in.
    cwd: str
    # The text that bash would get, control characters escaped; only for commands.
    command: str | None = None
    # Every simple command, path and host with its own decision.
    parts: list[Part]
    # Whether the command keeps running after the call, until it is stopped or the task
    # ends.
    background: bool = False
    # The folder of the task, where it runs in another one.
    away_from: str | None = None
    # Seconds after which it is ended, where the call names others than it would get
    # otherwise; only for commands.
    time_limit_secs: int | None = None
    # Unified diff of the change.
    diff: str | None = None
    # The edits of several calls, in the order of the plan, where they are asked about
    # together: two or more, each of another file. Empty for every other request.
    edits: list[RequestedEdit] = []
    # The plan of file operations that it executes, with both trees, where it is one.
    # The request's digest covers it.
    plan: RequestedPlan | None = None
    # What the operating system will let it do.
    confinement: Confinement
    # What a command could change there that undo could not bring back; absent when
    # there is nothing of that kind.
    not_kept: NotKept | None = None
    # What the call wants, where it runs already and waits at one of its walls. Absent
    # for a call that has not started.
    wanted: WantedAccess | None = None


class OnceLifetime(Wire, frozen=True, kw_only=True, tag_field="for", tag="once"):
    """This call only."""


class TaskLifetime(Wire, frozen=True, kw_only=True, tag_field="for", tag="task"):
    """Until the task ends."""

    # The task.
    task: str


class SessionLifetime(Wire, frozen=True, kw_only=True, tag_field="for", tag="session"):
    """For every task of the session."""

    # The session.
    session: str


class MinutesLifetime(Wire, frozen=True, kw_only=True, tag_field="for", tag="minutes"):
    """For some minutes from the answer on."""

    # How many.
    minutes: int


class AlwaysLifetime(Wire, frozen=True, kw_only=True, tag_field="for", tag="always"):
    """Until revoked."""


# How long an answer holds.
Lifetime = (
    # This call only; nothing is remembered.
    OnceLifetime
    # Until the task ends.
    | TaskLifetime
    # For every task of the session.
    | SessionLifetime
    # For some minutes.
    | MinutesLifetime
    # Until revoked.
    | AlwaysLifetime
)


class CallRule(Wire, frozen=True, kw_only=True, tag_field="kind", tag="call"):
    """Exactly this call."""

    # The tool, for display.
    tool: str
    # The call in words, for display.
    summary: Phrase
    # The digest it is bound to.
    digest: str


class ArgvRule(Wire, frozen=True, kw_only=True, tag_field="kind", tag="argv"):
    """Simple commands by their argv."""

    # The words, literally.
    argv: list[str]
    # Whether more words may follow.
    prefix: bool


# What may be done to a path.
PathOperation = Literal[
    # Read a file or list a folder.
    "read",
    # Create or change.
    "write",
    # Remove.
    "delete",
]


class PathRule(Wire, frozen=True, kw_only=True, tag_field="kind", tag="path"):
    """A path or a folder."""

    # What may be done.
    operation: PathOperation
    # Real absolute path.
    path: str
    # Whether everything below the path is covered too.
    below: bool
    # Whether git may note what is below the path too: `git add` and `git commit` there,
    # where no hooks run.
    commits: bool = False


class OriginRule(Wire, frozen=True, kw_only=True, tag_field="kind", tag="origin"):
    """A web origin."""

    # `scheme://host[:port]` in canonical form.
    origin: str


# What a grant covers.
GrantRule = (
    # Exactly this call in exactly this folder.
    CallRule
    # Simple commands whose argv is exactly this, or begins with it.
    | ArgvRule
    # One path, or everything below a folder.
    | PathRule
    # One web origin.
    | OriginRule
)


class Offer(Wire, frozen=True, kw_only=True):
    """One way to say yes."""

    # How long it would hold.
    lifetime: Lifetime
    # What would be remembered; absent for `once`.
    rule: GrantRule | None = None
    # Whether more is remembered than exactly what is asked: further words, or a folder.
    wider: bool = False
    # The offer in words, e.g. `cargo test … in /home/me/project, always`.
    label: Phrase


class PermissionRequest(Wire, frozen=True, kw_only=True):
    """A parked call that waits for a person."""

    # Its id; unique, and the same after a restart.
    id: str
    # The task that waits.
    task: str
    # The session of that task.
    session: str
    # The call that waits; the first of them where several edits are asked about
    # together.
    call: str
    # The tool's name.
    tool: str
    # What will happen, in a sentence.
    summary: Phrase
    # The thing itself.
    details: RequestDetails
    # How bad it could be.
    risk: Risk
    # Why it is asked.
    reasons: list[Phrase]
    # What an answer binds to: tool, parameters, folder, confinement.
    digest: str
    # The answers alongside `deny` that are open to the person; an answer that is not
    # among them is refused.
    offered: list[Offer]
    # When it was asked.
    created_at_ms: int
    # From when it counts as denied.
    expires_at_ms: int


class Question(Wire, frozen=True, kw_only=True):
    """A question of the planner's, or of the loop's own brakes, that waits for a
    person.
    """

    # Its id.
    id: str
    # The task that waits.
    task: str
    # The question.
    text: Phrase
    # Answers to choose from; free text where empty.
    choices: list[str] = []
    # When it was asked.
    created_at_ms: int


class ActiveAgent(Wire, frozen=True, kw_only=True, tag_field="agent", tag="active"):
    """Something runs or waits."""

    # Tasks that have not ended, oldest first; the queued ones after the others, in the
    # order in which they will start.
    tasks: list[TaskSummary]
    # Permission requests without an answer.
    requests: list[PermissionRequest]
    # Questions without an answer.
    questions: list[Question]


class ToolCall(Wire, frozen=True, kw_only=True):
    """One call of a tool."""

    # Unique over all tasks; the core replaces whatever id the model made.
    id: str
    # The tool's name.
    tool: str
    # An object that fits the tool's schema.
    parameters: Any
    # Why the arguments that the model gave could not be read, and how they begin; such
    # a call is not made.
    problem: str | None = None


class AgentPlan(Wire, frozen=True, kw_only=True):
    """What the planner answers for one iteration."""

    # The planner's thought in plain words; shown to the user, may be empty.
    reasoning: str = ""
    # Calls to make, in order.
    tool_calls: list[ToolCall] = []
    # A question for the user; the task waits for its answer.
    question: str | None = None
    # Whether the task is done; only then is `summary` the final answer.
    is_complete: bool = False
    # What was done, for the user.
    summary: str | None = None
    # Whether the task ends because only a model could do it; `summary` says what it
    # would take.
    needs_model: bool = False
    # What the provider needs back together with this plan, such as signed thoughts, in
    # the form of the backend that made it. Nothing else reads it.
    provider_state: str | None = None


class IdleAgent(Wire, frozen=True, kw_only=True, tag_field="agent", tag="idle"):
    """Nothing runs."""


# What every screen shows.
AgentState = (
    # Nothing runs and nothing waits.
    IdleAgent
    # Tasks that have not ended, and what waits for a person.
    | ActiveAgent
)


# The formats that browsers and models read.
PictureType = Literal[
    # PNG.
    "image/png",
    # JPEG.
    "image/jpeg",
    # GIF.
    "image/gif",
    # WebP.
    "image/webp",
]


class PicturePart(Wire, frozen=True, kw_only=True, tag_field="part", tag="picture"):
    """A picture, kept as a blob."""

    # BLAKE3 of its bytes; the blob store's key.
    digest: str
    # Its format, by its own first bytes.
    media_type: PictureType
    # Size in bytes.
    size_bytes: int
    # Pixels across, as its header says.
    width: int
    # Pixels down, as its header says.
    height: int
    # What it is, in words.
    alt: Phrase


# A picture inside another part, tagged like a part of its own, so that pictures have
# one form everywhere.
InnerPicture = (
    # A picture.
    PicturePart
)


class AimedPicture(Wire, frozen=True, kw_only=True):
    """A picture of a page before a click, with the click's target."""

    # The visible part of the page.
    picture: InnerPicture
    # Pixels of the picture from its left edge to the element.
    left: int
    # Pixels from its top edge.
    top: int
    # Pixels across.
    width: int
    # Pixels down.
    height: int


class AllowChoice(Wire, frozen=True, kw_only=True, tag_field="choice", tag="allow"):
    """It may run."""

    # For how long; must be among the request's offers.
    lifetime: Lifetime
    # Whether the wider of two offers for that long is meant.
    wider: bool = False
    # The edits of the request that are left out, by their calls and in the request's
    # order; only with `once`, and never all of them, which is a no.
    dropped: list[str] = []


class DenyChoice(Wire, frozen=True, kw_only=True, tag_field="choice", tag="deny"):
    """It may not run."""

    # Sent to the planner.
    reason: Phrase = ""


# Yes or no.
Choice = (
    # It may run.
    AllowChoice
    # It may not.
    | DenyChoice
)


class LocalAnswerer(Wire, frozen=True, kw_only=True, tag_field="by", tag="local"):
    """The person at the host."""

    # Which screen, e.g. `terminal`.
    screen: str


class DeviceAnswerer(Wire, frozen=True, kw_only=True, tag_field="by", tag="device"):
    """The person at a paired device. The signature is over these lines, each ended by a
    line feed but the last: `deputy-answer-1`, device, request, digest, choice,
    `expires_at_ms`, nonce, reason. The choice is `deny`, `allow once`, `allow task
    ID`, `allow session ID`, `allow minutes N` or `allow always`; `allow wider …` for
    the wider offer, `allow once without CALL,CALL` where edits are left out.
    """

    # Which device.
    device: str
    # Its name, filled in by the host.
    name: str = ""
    # Until when the answer can be handed in: at most two minutes on the host's clock.
    expires_at_ms: int
    # Random, at least 16 characters, never used again.
    nonce: str
    # P-256, SHA-256, `r` and `s` of 32 bytes each, in base64url.
    signature: str


class StandingAnswerer(Wire, frozen=True, kw_only=True, tag_field="by", tag="standing"):
    """A standing consent up to a risk."""

    # Highest risk that it covers.
    up_to: Risk


class ExpiryAnswerer(Wire, frozen=True, kw_only=True, tag_field="by", tag="expiry"):
    """Nobody answered in time."""


# Who answered.
Answerer = (
    # The person at a terminal or window of the host's own user.
    LocalAnswerer
    # The person at a paired device, which has signed the answer.
    | DeviceAnswerer
    # What the person said beforehand with `--yes`.
    | StandingAnswerer
    # Nobody in time.
    | ExpiryAnswerer
)


class PermissionAnswer(Wire, frozen=True, kw_only=True):
    """A person's choice."""

    # Which request.
    request: str
    # The digest of what the person saw.
    digest: str
    # Yes or no.
    choice: Choice
    # Who answered.
    by: Answerer


class AnswerPermissionCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="answer_permission"
):
    """Answer a permission request."""

    # The answer.
    answer: PermissionAnswer


class AnswerQuestionCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="answer_question"
):
    """Answer a question."""

    # Which.
    request: str
    # The answer.
    text: str


class ArchiveCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="archive"
):
    """Put a conversation away, or bring it back."""

    # Any task of the conversation.
    task: str
    # Whether it is put away.
    archived: bool


class Archived(Wire, frozen=True, kw_only=True, tag_field="type", tag="archived"):
    """A person put away the conversation whose newest task this was, or brought it
    back.
    """

    # Whether it is put away.
    archived: bool


class AssistantMessage(
    Wire, frozen=True, kw_only=True, tag_field="role", tag="assistant"
):
    """The planner's answer."""

    # Its thought or question; may be empty.
    text: str
    # The calls it asked for.
    tool_calls: list[ToolCall] = []
    # As in the plan.
    provider_state: str | None = None


# Why something was refused or failed, for programs: they branch on this alone.
ErrorCode = Literal[
    # No hello came, or another message came first.
    "no_hello",
    # The two sides use different versions of the protocol.
    "protocol",
    # A message cannot be read, or its id cannot be used.
    "bad_message",
    # A command has a field that the host does not know. Nothing was done.
    "bad_field",
    # A WebSocket frame cannot be read.
    "bad_frame",
    # The body of a request cannot be used.
    "bad_body",
    # The body of a request came too slowly.
    "slow_body",
    # A part of an address cannot be used.
    "bad_path",
    # A query cannot be used.
    "bad_query",
    # The header `Last-Event-ID` is not the number of an event.
    "bad_event_id",
    # There is nothing at this address.
    "unknown_path",
    # This address does not take this method.
    "unknown_method",
    # The request has no proof of its sender.
    "no_proof",
    # The session is not known.
    "bad_session",
    # The session has ended.
    "session_over",
    # The link was used before, or is too old.
    "bad_link",
    # The challenge was used before, or is too old.
    "bad_challenge",
    # The signature is not this device's, or not over this.
    "bad_signature",
    # The device is not paired.
    "unknown_device",
    # The device was revoked.
    "revoked",
    # A device has to sign this, and did not.
    "unsigned",
    # The caller is let in, but not allowed to do this.
    "not_allowed",
    # The request names another host.
    "foreign_host",
    # The request comes from a page that is not Deputy's.
    "foreign_origin",
    # The address holds a secret.
    "secret_in_address",
    # Too many attempts from this address have failed.
    "too_many_attempts",
    # Messages arrived too fast.
    "too_many_messages",
    # The client took events more slowly than they came.
    "too_slow",
    # Nothing waits under this id.
    "unknown_request",
    # Another answer came first.
    "already_answered",
    # The request is not about what the answer names.
    "changed",
    # The request does not offer this answer.
    "not_offered",
    # The request cannot be allowed without what the answer leaves out.
    "cannot_drop",
    # The request waited too long, or its task has ended.
    "expired",
    # The signed answer is too old, or its time is still to come.
    "signature_over",
    # The signature was used before.
    "replayed",
    # There is no such task.
    "unknown_task",
    # There is no such event.
    "unknown_event",
    # There is no such grant.
    "unknown_grant",
    # The task made no such call.
    "unknown_call",
    # No such background command is running.
    "unknown_background",
    # No more is kept of the call than its result.
    "unknown_output",
    # The task has ended.
    "task_ended",
    # The task is not in the queue.
    "not_queued",
    # A task cannot start before itself.
    "before_itself",
    # The task is empty.
    "empty_goal",
    # The task is longer than a task may be.
    "goal_too_long",
    # There is no such profile, or it cannot be used.
    "profile",
    # The folder to work in cannot be used.
    "workspace",
    # The task's scope cannot be used.
    "scope",
    # It cannot be opened, or should not be.
    "cannot_open",
    # The task's browser cannot be opened in a window.
    "cannot_take_browser",
    # A rule of yours denies it.
    "denied",
    # A setting cannot have this value, or cannot be changed from here.
    "bad_setting",
    # The configuration cannot be read or written.
    "config",
    # There is no such backend.
    "unknown_backend",
    # The backend lacks a setting.
    "backend_settings",
    # The backend lacks its key.
    "missing_key",
    # The backend does not answer, or answers with an error.
    "backend",
    # There is no such search provider, or its file cannot be read.
    "unknown_search_provider",
    # The search provider lacks something, does not answer, or answers with an error.
    "web_search",
    # The desktop's keyring does not do it.
    "keyring",
    # This is not a key.
    "bad_key",
    # It does not belong to an open pairing.
    "bad_pairing",
    # No pairing was begun.
    "no_pairing",
    # The name of a device cannot be used.
    "bad_name",
    # Devices cannot connect to this host.
    "no_door",
    # This host serves no page.
    "no_page",
    # The system gives no random numbers.
    "no_randomness",
    # There is no such scan, or not any more.
    "unknown_scan",
    # A plan is about no folder, or about too many.
    "folders",
    # This is not a convention for names.
    "convention",
    # The folders could not be scanned.
    "scan",
    # The plan cannot be carried out, or its draft cannot be kept.
    "draft",
    # There is no such job.
    "unknown_job",
    # Another job works in the same folders.
    "job_overlaps",
    # The job was undone before.
    "job_undone",
    # The job failed, or its journal cannot be used.
    "job",
    # There is no such memory.
    "unknown_memory",
    # The memory was forgotten.
    "forgotten",
    # A memory cannot have this text.
    "bad_text",
    # The journal does not answer.
    "store",
    # What is kept of a task cannot be read.
    "task",
    # The host cannot be reached, its answer does not fit, or it failed at this.
    "host",
    # It was typed wrong.
    "usage",
    # What was typed, or given on standard input, cannot be read or answered.
    "input",
    # Some of the output could not be written.
    "output",
    # Your home folder is not known.
    "no_home",
    # Deputy's folder cannot be used.
    "home",
    # Other users can change Deputy's folder.
    "unsafe_home",
    # No host serves this home.
    "no_host",
    # Another process serves this home.
    "already_served",
    # The socket of the host cannot be used.
    "socket",
    # The page cannot be served at this address.
    "listen",
    # The address of the page is not on loopback.
    "not_loopback",
    # Another program listens at this port.
    "port_in_use",
    # The system gives no thread or no signal.
    "runtime",
    # The setting is not set.
    "not_set",
    # Your own rules cannot be used.
    "rules",
    # Files changed meanwhile, so the job was not undone.
    "conflict",
    # The pairing ended without a device.
    "pairing_over",
    # Starting at login cannot be changed.
    "login",
    # The page did not send it: the host is gone.
    "not_sent",
    # Something failed in the page or its window.
    "page",
    # A code of a newer version, which this one does not know. Its message and hints say
    # what happened.
    "unknown",
]


class ErrorBody(Wire, frozen=True, kw_only=True):
    """An error at the edge. Screens branch on `code` alone."""

    # What it is, for programs.
    code: ErrorCode
    # What was tried, on what, and why it failed.
    message: Phrase
    # What to do next.
    hints: list[Phrase] = []


class BackendCheck(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="backend_check"
):
    """What came of asking a backend."""

    # The backend.
    backend: str
    # Why it cannot be used, if so.
    problem: ErrorBody | None = None
    # The models that it offers.
    models: list[str]
    # How long it took to answer.
    took_ms: int


class BackendChoice(Wire, frozen=True, kw_only=True):
    """A backend that a task may name."""

    # Its name.
    name: str
    # The configured model, where there is one.
    model: str | None = None
    # What is missing before it can be asked; a key in the keyring is not looked for.
    problem: ErrorBody | None = None


class UsualKey(Wire, frozen=True, kw_only=True):
    """The environment variable in which people keep a host's key. It is sent to that
    host alone.
    """

    # The host.
    host: str
    # The variable.
    variable: str


# What a check asks a backend.
Probe = Literal[
    # Which models its provider has.
    "models",
]


class Preset(Wire, frozen=True, kw_only=True):
    """An address that many people have."""

    # Whose.
    label: str
    # The address.
    address: str


# What a setting is.
SettingKind = Literal[
    # A line of text.
    "text",
    # The address of a server. The key belongs to it.
    "address",
    # The name of a model; a check may list them.
    "model",
    # A number.
    "number",
    # Yes or no.
    "switch",
    # One of several words.
    "choice",
    # Names with texts.
    "table",
]


class BackendSetting(Wire, frozen=True, kw_only=True):
    """One setting of a backend."""

    # Its name in `config.toml`.
    name: str
    # What people call it.
    label: Phrase
    # What it is.
    kind: SettingKind
    # What holds where it is not set; absent where nothing does.
    default: Any = None
    # Whether the backend works only once it is set.
    required: bool = False
    # Whether it is changed in the file or by `deputy config set` alone.
    advanced: bool = False
    # What it can be, where its kind is `choice`.
    choices: list[str] = []
    # What to know before setting it.
    hint: Phrase = ""


class BackendForm(Wire, frozen=True, kw_only=True):
    """What a backend declares in its file. Nothing but the file knows more of it."""

    # What people call it.
    label: Phrase
    # What it is, in a sentence.
    summary: Phrase = ""
    # Whether it can be given a key.
    takes_key: bool = False
    # Where keys usually are, by the host that each is meant for.
    usual_keys: list[UsualKey] = []
    # What a check asks it; absent where it only loads it with its settings.
    probe: Probe | None = None
    # Where its server is when it runs on this machine, with `{port}` in it; such
    # servers are looked for.
    local_address: str | None = None
    # Addresses that many people have.
    presets: list[Preset] = []
    # What can be set, in the order to ask for it.
    settings: list[BackendSetting] = []


class BackendRef(Wire, frozen=True, kw_only=True):
    """Which backend, set up how. It is in every request, so that no setting is lost
    with a restart.
    """

    # Its name.
    name: str
    # Its settings from `config.toml`, e.g. `base_url`, `model`, `timeout_secs`.
    settings: dict[str, Any] = {}


# A kind of place for a key.
KeyPlaceKind = Literal[
    # A variable of the environment that the host was started in.
    "variable",
    # The desktop's keyring.
    "keyring",
]


class KeyPlace(Wire, frozen=True, kw_only=True):
    """Where a key is looked for. The key itself never goes to a screen."""

    # What kind of place.
    kind: KeyPlaceKind
    # The variable's or the keyring entry's name.
    name: str


class BackendSettings(Wire, frozen=True, kw_only=True):
    """What is known of a backend."""

    # Its name.
    name: str
    # Whether it came with Deputy; the others are files of the user's own.
    shipped: bool
    # What its file declares; absent where it declares nothing.
    form: BackendForm | None = None
    # What is set of the settings that a screen may change, by their names.
    values: dict[str, str] = {}
    # Address of its server.
    base_url: str | None = None
    # Its model.
    model: str | None = None
    # Where its key is looked for; absent where none is expected.
    key: KeyPlace | None = None


# Why a background command ended.
BackgroundEnd = Literal[
    # By itself.
    "exited",
    # The task stopped it.
    "stopped_by_task",
    # The user stopped it.
    "stopped_by_user",
    # Its task ended.
    "task_ended",
    # It reached `limits.background_secs`.
    "time_limit",
    # Deputy was restarted; it ended with the process that had started it.
    "host_restarted",
]


class KeptOutput(Wire, frozen=True, kw_only=True):
    """The whole output of a command, both streams in the order in which they came, kept
    next to the journal.
    """

    # BLAKE3 of the text; the blob store's key.
    digest: str
    # Its size in bytes.
    size_bytes: int
    # Bytes that came after it and are not kept: a command may write
    # `limits.command_output_mib` at most.
    omitted_bytes: int


class KeptFile(Wire, frozen=True, kw_only=True, tag_field="kind", tag="file"):
    """A regular file by its content."""

    # BLAKE3 of the content; the blob store's key.
    digest: str
    # Size in bytes.
    size_bytes: int
    # Permission bits, as in `0o644`.
    mode: int


class KeptFolder(Wire, frozen=True, kw_only=True, tag_field="kind", tag="folder"):
    """A folder."""

    # Permission bits, as in `0o755`; absent where they do not matter.
    mode: int | None = None


class KeptLink(Wire, frozen=True, kw_only=True, tag_field="kind", tag="link"):
    """A symbolic link by what it says."""

    # The path it holds, as it was written.
    target: str


class SpecialFile(Wire, frozen=True, kw_only=True, tag_field="kind", tag="special"):
    """A pipe, socket or device."""

    # `pipe`, `socket` or `device`.
    what: str


class UnkeptFile(Wire, frozen=True, kw_only=True, tag_field="kind", tag="unkept"):
    """Something of which no copy was made."""


# What is at a path.
FileState = (
    # Nothing.
    AbsentFile
    # A regular file whose content is kept as a blob.
    | KeptFile
    # A folder.
    | KeptFolder
    # A symbolic link, which is kept as what it says and never followed.
    | KeptLink
    # A pipe, socket or device: it has no content, and undo can only remove it.
    | SpecialFile
    # Something that is not known well enough to be brought back, such as a file of
    # which no copy was made.
    | UnkeptFile
)


class FileChange(Wire, frozen=True, kw_only=True):
    """One file or folder as a call left it; journalled before the change with what it
    was.
    """

    # Absolute path.
    path: str
    # What was there before.
    before: FileState
    # What is there afterwards.
    after: FileState


class RefusedAttempt(Wire, frozen=True, kw_only=True):
    """Something that a command tried and the walls refused."""

    # What it tried.
    operation: AttemptKind
    # On what: an absolute path.
    path: str
    # Why it was refused.
    why: Phrase


class BackgroundEnded(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="background_ended"
):
    """A background command is gone, with everything that it started."""

    # Which.
    background: str
    # The call that had started it.
    call: str
    # Why it ended.
    why: BackgroundEnd
    # Its exit code, where it ended by itself and was not killed.
    exit_code: int | None = None
    # One line for people and for the planner, e.g. `exit code 1 after 3.2 s`.
    message: Phrase
    # The end of what it wrote.
    tail: str = ""
    # All that it wrote, where that is longer.
    kept: KeptOutput | None = None
    # Files that differ from before it started, for undo.
    changes: list[FileChange] = []
    # What the walls refused while it ran, as they saw it.
    refused: list[RefusedAttempt] = []


class BackgroundStarted(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="background_started"
):
    """A command keeps running behind the calls that follow."""

    # Its name within the task: `b1`, `b2`, ...
    background: str
    # The call that started it. Its live output comes as progress of this call.
    call: str
    # The command, control characters escaped.
    command: str
    # Real path of the folder it runs in.
    cwd: str
    # What the operating system lets it do.
    confinement: Confinement
    # Whether it listens on the task's own loopback, which the task's later commands
    # share.
    own_network: bool
    # The blob that lists what was there before it started; absent where it may write
    # nothing.
    manifest: str | None = None


class BeforePlace(Wire, frozen=True, kw_only=True, tag_field="place", tag="before"):
    """Right before another one."""

    # The other one; it must be queued too.
    task: str


class Briefed(Wire, frozen=True, kw_only=True, tag_field="type", tag="briefed"):
    """What a planner is given besides the conversation, journalled where it differs
    from the step before.
    """

    # The blob of the system text.
    system: str
    # The blob of the tools, as JSON.
    tools: str
    # The blob of the tasks before it in the conversation, as JSON; absent where there
    # are none.
    earlier: str | None = None


# Who uses a browser.
BrowserUser = Literal[
    # None is open.
    "nobody",
    # The task.
    "task",
    # A person, in a window; the task's calls wait.
    "person",
]


class BrowserAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="browser"):
    """The browser of a task as it is now."""

    # Who uses it.
    used_by: BrowserUser
    # The address of its page.
    url: str | None = None
    # Whether the host runs on a desktop, where a window can be opened.
    has_display: bool


class BrowserQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="browser"):
    """The browser of a task as it is now."""

    # The task.
    task: str


class BrowserReturned(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="browser_returned"
):
    """A person gave the browser of a task back."""

    # The page that the person left it on.
    url: str | None = None


class BrowserTaken(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="browser_taken"
):
    """A person took the browser of a task over."""

    # The page that it was on.
    url: str | None = None


# A limit that pauses a task.
BudgetLimit = Literal[
    # `max_wall_secs`.
    "time",
    # `max_tokens`.
    "tokens",
    # `max_cost_cents`.
    "cost",
    # `max_cost_cents` cannot be kept: the price of the model is unknown.
    "unknown_price",
    # `day_tokens`.
    "day_tokens",
    # `day_cost_cents`.
    "day_cost",
]


class BudgetReached(Wire, frozen=True, kw_only=True):
    """A limit of time or money that a task reached, with what was spent and what it
    bought.
    """

    # Which limit.
    limit: BudgetLimit
    # Tokens that count against it.
    tokens: int
    # What they cost as far as prices are known, in millionths of the currency.
    cost_micros: int
    # Seconds that the task worked.
    worked_secs: int
    # Its steps.
    steps: int
    # Files that it changed.
    files: int
    # Its calls that changed something.
    calls: int


class Verdict(Wire, frozen=True, kw_only=True):
    """Policy's answer for a whole call."""

    # The strictest of the parts.
    decision: Decision
    # The highest of the parts.
    risk: Risk
    # Why, in plain words, the strictest first, without repetition.
    reasons: list[Phrase]
    # What the operating system will let it do if it runs.
    confinement: Confinement
    # Each part with its own decision: simple commands, paths, hosts.
    parts: list[Part]


# What running a call again would do; decides what happens to a call that a crash cut
# off.
Effect = Literal[
    # Changes nothing: may run next to others, and again after a crash.
    "read_only",
    # Running it twice is the same as once.
    "idempotent",
    # Running it twice may do harm: never run again without a person.
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
    # What running it twice would mean.
    effect: Effect
    # What was decided about, for people.
    summary: Phrase
    # What the decision binds to.
    digest: str
    # The grant that allowed or denied it, if one did.
    grant: str | None = None


# How a call ended.
CallStatus = Literal[
    # It did what it says.
    "ok",
    # It ran and failed, or could not run; `content` says why.
    "failed",
    # Policy or a person said no; `content` says why.
    "denied",
    # It was ended by stop or a time-out.
    "cancelled",
    # The process died while it ran: it may or may not have happened.
    "unknown",
]


class CancelParams(Wire, frozen=True, kw_only=True):
    """Parameters of `$/cancel`."""

    # Id of the request to end; it is answered with the error `cancelled`.
    id: int


class Challenge(Wire, frozen=True, kw_only=True, tag_field="type", tag="challenge"):
    """What the server sends first on a connection that has to be proved."""

    # Random, good once; a device signs it.
    challenge: str
    # The server's clock, which every expiry is held against.
    now_ms: int


class SettingChange(Wire, frozen=True, kw_only=True):
    """One setting, by its key in the file."""

    # E.g. `limits.max_iterations`.
    key: str
    # Its value as text; absent takes the setting out, so that the default holds.
    value: str | None = None


class ChangeSettingsCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="change_settings"
):
    """Change settings: all of them or, where one is not valid, none."""

    # The changes.
    changes: list[SettingChange]


class CheckBackendQuery(
    Wire, frozen=True, kw_only=True, tag_field="query", tag="check_backend"
):
    """Ask a backend's provider, now, which models it has."""

    # The backend.
    backend: str


class CheckSearchQuery(
    Wire, frozen=True, kw_only=True, tag_field="query", tag="check_search"
):
    """Search the web once, now, with the provider that is set."""


class ProfileChoice(Wire, frozen=True, kw_only=True):
    """A profile that a task may name."""

    # Its name.
    name: str
    # One line for lists; empty where its file cannot be read.
    description: Phrase


class Limits(Wire, frozen=True, kw_only=True):
    """Limits of a task. `0` means none, but for `tool_output_chars`. A limit that an
    older journal does not know has its default.
    """

    # Plan-execute-observe cycles; then the planner answers once more, and the task
    # stops as `iteration_limit`.
    max_iterations: int = 100
    # Seconds of running (not of waiting for a person), then the task parks.
    max_wall_secs: int = 14400
    # Tokens over all plans, then the task parks.
    max_tokens: int = 0
    # What all plans may cost, in hundredths of the currency, then the task parks.
    max_cost_cents: int = 0
    # Tokens of all tasks of a day, then each of them parks. What is configured when a
    # plan is due counts.
    day_tokens: int = 0
    # What all tasks of a day may cost, in hundredths of the currency; likewise.
    day_cost_cents: int = 0
    # Tokens that one call of `python_inference` may use.
    inference_tokens: int = 500000
    # Characters of a result that the planner sees.
    tool_output_chars: int = 12000
    # Tokens of one request to the model; before it is full, older steps give way to a
    # summary.
    context_tokens: int = 32000
    # Seconds a permission request waits before it counts as denied.
    request_expiry_secs: int = 86400
    # How often the same call may repeat or fail, or calls be denied, in a row before
    # the user is asked.
    brake_after: int = 3
    # Calls that only read and run at the same time.
    parallel_calls: int = 5
    # The longest that one command may take, in seconds.
    command_secs: int = 3600
    # Seconds that a command gets whose call names no time.
    command_default_secs: int = 600
    # Seconds of processor time of each process of a command.
    command_cpu_secs: int = 14400
    # Private memory of each process of a command, in MiB.
    command_memory_mib: int = 4096
    # Processes and threads of a command.
    command_processes: int = 512
    # Size of the largest file that a command may write, in MiB.
    command_file_mib: int = 4096
    # Output of a command that is kept, in MiB; the rest is counted.
    command_output_mib: int = 16
    # Background commands of a task that run at the same time.
    background_commands: int = 4
    # The longest that a background command may run, in seconds.
    background_secs: int = 14400


class Choices(Wire, frozen=True, kw_only=True):
    """What a new task may be given, and what it gets when it names nothing."""

    # The backend of tasks that name none.
    backend: str
    # The profile of tasks that name none.
    profile: str
    # All backends: the shipped ones, then the user's own.
    backends: list[BackendChoice]
    # All profiles: the shipped ones, then the user's own.
    profiles: list[ProfileChoice]
    # Limits as configured; a profile may narrow them.
    limits: Limits
    # Folders of the user's that are there and that people keep their files in.
    folders: list[str]


class ChoicesAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="choices"):
    """What a new task may be given."""

    # As the host has it now.
    choices: Choices


class ChoicesQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="choices"):
    """What a new task may be given."""


class Scope(Wire, frozen=True, kw_only=True):
    """What a task may touch. Empty: the workspace and nothing else is special."""

    # Folders it may read besides the workspace.
    read: list[str] = []
    # Folders it may propose to change; empty means the workspace.
    write: list[str] = []
    # When not empty: the only files it may touch at all.
    only_files: list[str] = []
    # When not empty: only files that carry one of these tags.
    only_tags: list[str] = []
    # The naming convention for files in its plans, as an example of itself; any names
    # when absent.
    names: str | None = None


class StartCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="start"):
    """Hand over a task."""

    # What the user wants.
    goal: str
    # The folder to work in, absolute.
    workspace: str
    # Profile; the configured default when absent.
    profile: str | None = None
    # Backend; the configured default when absent.
    backend: str | None = None
    # Model of that backend; the configured one when absent.
    model: str | None = None
    # Session to continue; a new one when absent.
    session: str | None = None
    # The task that this one continues: it belongs to the same session and is held to
    # the same scope.
    after: str | None = None
    # What it may touch beyond the workspace. Where it says nothing, a task of a session
    # has the scope of the newest one before it; with `after` it says nothing.
    scope: Scope = msgspec.field(default_factory=Scope)
    # Overrides the profile's; 0 for none, as the other limits.
    max_iterations: int | None = None
    # Overrides the profile's seconds of running.
    max_wall_secs: int | None = None
    # Overrides the profile's tokens.
    max_tokens: int | None = None
    # Overrides the profile's cost, in hundredths of the currency.
    max_cost_cents: int | None = None
    # Requests up to this risk count as allowed once.
    standing_consent: Risk | None = None


class StopCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="stop"):
    """End a task."""

    # Which.
    task: str


class PauseCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="pause"):
    """Let a task wait."""

    # Which.
    task: str


class ResumeCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="resume"):
    """Let a task continue."""

    # Which.
    task: str


class FirstPlace(Wire, frozen=True, kw_only=True, tag_field="place", tag="first"):
    """Before all others."""


class LastPlace(Wire, frozen=True, kw_only=True, tag_field="place", tag="last"):
    """After all others."""


# A place among the tasks that wait for their turn.
QueuePlace = (
    # Before all others: it starts next.
    FirstPlace
    # Right before another one.
    | BeforePlace
    # After all others.
    | LastPlace
)


class MoveInQueueCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="move_in_queue"
):
    """Give a queued task another place."""

    # Which.
    task: str
    # Where to.
    to: QueuePlace


class RenameCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="rename"):
    """Give a conversation a title."""

    # Any task of the conversation.
    task: str
    # Its title, one line; absent: what was said first in it.
    title: str | None = None


class ForkCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="fork"):
    """Begin a conversation of its own with what another one said and did up to a step.
    """

    # The task that has the step; those before it in its conversation come along.
    task: str
    # The last step that the new conversation has; the newest that has ended when
    # absent. Files stay as they are now.
    step: int | None = None
    # What to do from there.
    text: str


class TaskSpec(Wire, frozen=True, kw_only=True):
    """A task as it was submitted. It never changes."""

    # Its id.
    id: str
    # The conversation it belongs to.
    session: str
    # What the user wants, in their words.
    goal: str
    # Name of the profile that runs it.
    profile: str
    # Name of the backend that plans it.
    backend: str
    # The model that plans it, where it is not the one that is configured.
    model: str | None = None
    # Real path of the workspace: the working directory and the folder the task may
    # read.
    workspace: str
    # What it may touch beyond the workspace.
    scope: Scope = msgspec.field(default_factory=Scope)
    # When it is stopped or parked.
    limits: Limits
    # Requests up to this risk count as answered `allow once` beforehand (`--yes`).
    standing_consent: Risk | None = None
    # The call of its parent task that delegated it, where it is a sub-task.
    parent: ParentCall | None = None


class Created(Wire, frozen=True, kw_only=True, tag_field="type", tag="created"):
    """It was submitted."""

    # The task.
    spec: TaskSpec
    # What its person should know before anything runs: that the workspace is the home,
    # or holds it.
    notice: str | None = None


class QueueMoved(Wire, frozen=True, kw_only=True, tag_field="type", tag="queue_moved"):
    """A person gave a queued task another place."""

    # Its place from now on.
    rank: str


class Renamed(Wire, frozen=True, kw_only=True, tag_field="type", tag="renamed"):
    """A person gave the conversation that this task begins a title."""

    # The title; absent: what was said first.
    title: str | None


class IterationStarted(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="iteration_started"
):
    """An iteration began."""

    # From 1.
    iteration: int


class Usage(Wire, frozen=True, kw_only=True):
    """Tokens of one plan."""

    # Tokens read, those from the provider's cache included.
    input_tokens: int = 0
    # Tokens written, thoughts included.
    output_tokens: int = 0
    # Of those read, tokens that came from the provider's cache.
    cached_tokens: int = 0
    # Of those written, tokens of thoughts.
    reasoning_tokens: int = 0


class Planned(Wire, frozen=True, kw_only=True, tag_field="type", tag="planned"):
    """The planner answered."""

    # The plan, its calls with the core's ids.
    plan: AgentPlan
    # What it cost.
    usage: Usage = msgspec.field(default_factory=Usage)
    # Milliseconds from request to answer.
    duration_ms: int
    # The model that was configured then, where the backend names one.
    model: str | None = None
    # The backend that answered, where it was not the task's own.
    backend: str | None = None
    # What it cost, in millionths of the currency, where the price is known.
    cost_micros: int | None = None


# Why a backend did not answer; stable.
PlanErrorCode = Literal[
    # The key is missing, wrong, or may not do this.
    "auth",
    # Too many requests; `retry_after_secs` says when.
    "rate_limited",
    # The conversation is too long for the model.
    "context_overflow",
    # The provider cannot be reached, is too slow, or broke off.
    "network",
    # The provider's answer cannot be used.
    "bad_response",
    # The provider does not have the model.
    "model_missing",
    # The core took the request back.
    "cancelled",
    # The backend's name or settings are wrong.
    "bad_settings",
    # The sidecar died or does not start.
    "sidecar",
    # A fault in the sidecar or a backend file.
    "internal",
]


class SpentInVain(Wire, frozen=True, kw_only=True):
    """What a provider counted for an answer that could not be used."""

    # Who counted it.
    backend: str
    # Its model, where it names one.
    model: str | None = None
    # The tokens.
    usage: Usage
    # Millionths of the currency, by the prices then; absent where the price is unknown.
    cost_micros: int | None = None


class PlanFailed(Wire, frozen=True, kw_only=True, tag_field="type", tag="plan_failed"):
    """The planner did not answer."""

    # Why, for programs.
    code: PlanErrorCode
    # Why, for people, with the next step.
    message: Phrase
    # How often in a row, from 1.
    attempt: int
    # Milliseconds until it is asked again; absent when it is not asked again by itself.
    retry_in_ms: int | None = None
    # The backend that is asked instead, as `backend` or `backend/model`.
    next_backend: str | None = None
    # The tokens that it cost, if the provider counted them.
    spent: SpentInVain | None = None


class Compacted(Wire, frozen=True, kw_only=True, tag_field="type", tag="compacted"):
    """Older steps are replaced by a summary in what the planner reads. The journal
    keeps all of them.
    """

    # The last iteration that only the summary covers.
    through_iteration: int
    # How many messages of the conversation that were.
    messages: int
    # What the planner reads in their place.
    summary: str


class Noted(Wire, frozen=True, kw_only=True, tag_field="type", tag="noted"):
    """Notes of earlier tasks that the planner was given."""

    # As it was given.
    text: str
    # Whether it comes right behind the goal; otherwise behind the conversation so far.
    at_start: bool


class GuidanceFolder(Wire, frozen=True, kw_only=True):
    """A folder with files of guidance."""

    # Its real path.
    folder: str
    # What is there: `AGENTS.md`, and skills by their names.
    files: list[str]


class GuidanceFound(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="guidance_found"
):
    """Folders with files of guidance were found that the user has not decided on."""

    # The folders.
    folders: list[GuidanceFolder]


class GuidanceText(Wire, frozen=True, kw_only=True):
    """A file of guidance."""

    # Where it is from.
    path: str
    # What it says.
    text: str


class Skill(Wire, frozen=True, kw_only=True):
    """A skill: every request says what it is for; its text comes only once it was asked
    for.
    """

    # Its name.
    name: str
    # What it is for.
    description: str
    # Its `SKILL.md`.
    path: str


class Guided(Wire, frozen=True, kw_only=True, tag_field="type", tag="guided"):
    """What the planner is given of the user's guidance, as it was when the task began.
    """

    # Texts, the most general first.
    texts: list[GuidanceText]
    # Skills that it may ask for.
    skills: list[Skill] = []


# How far a step is.
TodoState = Literal[
    # Still to come.
    "pending",
    # Being worked on.
    "active",
    # Done.
    "done",
    # Not to be done after all.
    "dropped",
]


class TodoStep(Wire, frozen=True, kw_only=True):
    """One step."""

    # What is to be done, in a few words.
    title: str
    # How far it is.
    state: TodoState


class TodoChanged(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="todo_changed"
):
    """The planner put down its steps, or moved on."""

    # The call that did.
    call: str
    # All steps, in their order.
    steps: list[TodoStep]


class SubtasksStarted(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="subtasks_started"
):
    """A call has delegated work to sub-tasks. The task waits until they or the call
    end. Written again if the call runs again after a crash.
    """

    # The call that delegated them.
    call: str
    # The sub-tasks, in the order of the call.
    tasks: list[str]


class SubtasksEnded(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="subtasks_ended"
):
    """The sub-tasks of a call have ended. What they used counts against the limits of
    the task that delegated them; their own journals have usage and prices.
    """

    # The call that handed them over.
    call: str
    # Files that they changed, by their own records.
    files: list[str]
    # Tokens that they used.
    tokens: int
    # What these cost as far as prices are known, in millionths of the currency.
    cost_micros: int | None = None
    # Whether the price of some was unknown.
    is_unpriced: bool = False
    # Milliseconds that their calls ran.
    active_ms: int


class ModelSwitched(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="model_switched"
):
    """A person switched it to another backend or model."""

    # The backend that plans from now on.
    backend: str
    # Its model, where it is not the one that is configured.
    model: str | None = None


class Reviewed(Wire, frozen=True, kw_only=True, tag_field="type", tag="reviewed"):
    """A second model looked at a call that a grant, a rule or a standing consent would
    let run. It can only have a person asked.
    """

    # The call.
    call: str
    # The backend that was asked.
    backend: str
    # Its model, where it names one.
    model: str | None = None
    # Whether a person is to be asked.
    asks: bool
    # Why, in its words or as what went wrong.
    reason: Phrase = ""
    # What it cost.
    usage: Usage = msgspec.field(default_factory=Usage)
    # The same in millionths of the currency, where the price is known.
    cost_micros: int | None = None


class Inferred(Wire, frozen=True, kw_only=True, tag_field="type", tag="inferred"):
    """A call asked a model about texts. Written when the call ends, with all that it
    asked, before a crash too.
    """

    # The call.
    call: str
    # The backend that was asked.
    backend: str
    # Its model, where it names one.
    model: str | None = None
    # How many answers it gave.
    answers: int
    # What they cost.
    usage: Usage = msgspec.field(default_factory=Usage)
    # The same in millionths of the currency, where the price is known.
    cost_micros: int | None = None


class PermissionRequested(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="permission_requested"
):
    """A call waits for a person."""

    # What is asked.
    request: PermissionRequest


class PermissionAnswered(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="permission_answered"
):
    """Answered."""

    # Which request.
    request: str
    # Which call.
    call: str
    # The digest the answer names.
    digest: str
    # Yes or no.
    choice: Choice
    # Who.
    by: Answerer


class RefusalShared(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="refusal_shared"
):
    """A call waited to ask the very same as an open request, and that one was refused:
    nobody is asked twice.
    """

    # The call that is refused.
    call: str
    # What both calls bind to.
    digest: str
    # The request that was answered.
    request: str
    # The task that asked it; it may be another one.
    asked_by: str
    # Why not, in the person's words; empty where they gave none.
    reason: Phrase
    # Who said no.
    by: Answerer


class ToolStarted(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="tool_started"
):
    """A call is about to run."""

    # The call.
    call: str
    # Digest of what runs; equal to the decided one.
    digest: str
    # What running it twice would mean.
    effect: Effect


class FileKept(Wire, frozen=True, kw_only=True, tag_field="type", tag="file_kept"):
    """A file is about to be changed."""

    # The call that changes it.
    call: str
    # What it is and what it will be.
    change: FileChange


class TreeKept(Wire, frozen=True, kw_only=True, tag_field="type", tag="tree_kept"):
    """Everything that a command could change is kept. What it did change is in the
    call's result: worked out from the manifest when it ends, or when the next
    process takes the task up.
    """

    # The call whose command it is.
    call: str
    # The blob that lists what was there before. It is dropped once the changes are in
    # the journal.
    manifest: str
    # Files whose content is kept.
    files: int
    # Their size together.
    bytes: int


class CommandOutput(Wire, frozen=True, kw_only=True):
    """What a command wrote, apart by stream, each with its middle left out where it is
    long.
    """

    # What it wrote to its standard output.
    stdout: str
    # What it wrote to its standard error.
    stderr: str
    # All of it, where it is longer than what the result shows.
    kept: KeptOutput | None = None


class TextPart(Wire, frozen=True, kw_only=True, tag_field="part", tag="text"):
    """A further text."""

    # The text; untrusted, as all of a result is.
    text: str
    # Where it comes from, e.g. an address; empty where that is the call itself.
    origin: str = ""


class FilePart(Wire, frozen=True, kw_only=True, tag_field="part", tag="file"):
    """A file that the call left in the task's folder."""

    # Absolute path.
    path: str
    # Its media type as far as it is known, e.g. `application/pdf`; empty otherwise.
    media_type: str = ""
    # Size in bytes.
    size_bytes: int


class DataPart(Wire, frozen=True, kw_only=True, tag_field="part", tag="data"):
    """Structured data."""

    # The data.
    value: Any


class WebPart(Wire, frozen=True, kw_only=True, tag_field="part", tag="web"):
    """What a call did on the web, for people."""

    # Hosts that the task connected to for the first time since its host was started;
    # with a port where it is not the usual one.
    hosts: list[str] = []
    # The address of the page that the task's browser showed when the call ended; absent
    # where the call did not use it.
    page: str | None = None
    # The page right before the call clicked on it.
    aimed: AimedPicture | None = None


# A part of a result. `content` of the result says the same in words, for models and
# screens that take only text.
ResultPart = (
    # A further text.
    TextPart
    # A picture, kept as a blob.
    | PicturePart
    # A file that the call left in the task's folder.
    | FilePart
    # Structured data.
    | DataPart
    # What it did on the web.
    | WebPart
)


class ToolResult(Wire, frozen=True, kw_only=True):
    """What came of a call."""

    # How it ended.
    status: CallStatus
    # What the planner reads, cut to the task's limit.
    content: str
    # One line for people, e.g. `214 files, 3 folders`; empty means the first line of
    # `content`.
    summary: Phrase = ""
    # Exit code of a command.
    exit_code: int | None = None
    # Bytes of output that were counted but not kept.
    omitted_bytes: int = 0
    # Files this call changed, for undo.
    changes: list[FileChange] = []
    # What the walls refused while a command ran, as they saw it.
    refused: list[RefusedAttempt] = []
    # What a command wrote, apart by stream; `content` has it as one text.
    output: CommandOutput | None = None
    # Operations of a plan that were left out, as what they are about had changed.
    left_out: int = 0
    # What it gave back beyond its text: pictures, files, data.
    parts: list[ResultPart] = []


class ToolFinished(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="tool_finished"
):
    """A call ended."""

    # The call.
    call: str
    # What came of it.
    result: ToolResult
    # Milliseconds it ran.
    duration_ms: int


class QuestionAsked(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="question_asked"
):
    """The planner or a brake asks the user."""

    # What is asked.
    question: Question


class QuestionAnswered(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="question_answered"
):
    """The user answered."""

    # Which question.
    request: str
    # The answer.
    text: str


class Paused(Wire, frozen=True, kw_only=True, tag_field="type", tag="paused"):
    """It waits."""

    # Why.
    reason: PauseReason
    # Why, in words.
    message: Phrase = ""
    # The limit that was reached, where one was.
    budget: BudgetReached | None = None


class Resumed(Wire, frozen=True, kw_only=True, tag_field="type", tag="resumed"):
    """It continues."""


class Steered(Wire, frozen=True, kw_only=True, tag_field="type", tag="steered"):
    """The user added to the goal."""

    # What they said.
    text: str


class StopRequested(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="stop_requested"
):
    """The user asked it to stop."""


class Interrupted(Wire, frozen=True, kw_only=True, tag_field="type", tag="interrupted"):
    """Its process died."""


class Report(Wire, frozen=True, kw_only=True):
    """What a task did by Deputy's own record, so that no summary can claim what did not
    happen.
    """

    # Steps that it took.
    steps: int
    # Files that it changed, the first of many.
    files: list[str] = []
    # How many more.
    more_files: int = 0
    # Calls that changed something and did what they say, the newest of many, in their
    # order.
    calls: list[str] = []
    # How many came before these.
    earlier_calls: int = 0
    # What the user said while it ran, the newest of much.
    answers: list[str] = []
    # Tokens that it used.
    tokens: int = 0
    # What they cost, in millionths of the currency; absent where no price is known.
    cost_micros: int | None = None


class Stopped(Wire, frozen=True, kw_only=True, tag_field="type", tag="stopped"):
    """It ended."""

    # How.
    reason: StopReason
    # The final answer, or what went wrong and what to do next.
    summary: Phrase
    # What it did, from the journal.
    report: Report | None = None


class UndoneFile(Wire, frozen=True, kw_only=True):
    """One path that was undone, or could not be."""

    # The call whose change it was.
    call: str
    # The change, as it was made.
    change: FileChange
    # Whether it is as before the call now.
    restored: bool
    # Why not, or what was done.
    message: Phrase


class Undone(Wire, frozen=True, kw_only=True, tag_field="type", tag="undone"):
    """Changes were undone."""

    # The result for each path.
    files: list[UndoneFile]
    # Operations of plans that were undone.
    operations: int = 0
    # What undo could still undo afterwards: changes, and plans that were carried out.
    # Absent in older journals.
    left: int | None = None


class Redone(Wire, frozen=True, kw_only=True, tag_field="type", tag="redone"):
    """What an undo took back was made again."""

    # The result for each path; `restored` if it is as the call left it again.
    files: list[UndoneFile]
    # Operations of plans that were made again.
    operations: int = 0
    # What undo could undo afterwards: changes, and plans that were carried out.
    left: int


class Remembered(Wire, frozen=True, kw_only=True, tag_field="type", tag="remembered"):
    """Something was put down for later tasks."""

    # The words.
    text: str
    # What it is about, where it is a preference.
    about: str | None = None
    # The planner's call that put it down; absent where a person did.
    call: str | None = None
    # Whether a person let it be given to tasks in every folder.
    is_promoted: bool = False


class MemoryEdited(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="memory_edited"
):
    """A person put other words in a memory's place."""

    # Which.
    memory: int
    # The words.
    text: str


class MemoryForgotten(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="memory_forgotten"
):
    """A person had a memory forgotten, and whatever said the very same then."""

    # Which.
    memory: int


class MemoryRestored(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="memory_restored"
):
    """A person brought a forgotten memory back, and whatever was forgotten with it."""

    # Which.
    memory: int
    # The words that it had when it was forgotten, taken from the journal.
    text: str


class MemoryPromoted(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="memory_promoted"
):
    """A person let a memory leave the folder that it comes from."""

    # Which.
    memory: int


# What memories are pruned by.
PruneKind = Literal[
    # What a person said to a task.
    "said",
    # What the planner said.
    "plans",
    # What calls gave back.
    "results",
    # Facts that were put down.
    "facts",
    # Preferences that were put down.
    "preferences",
]


class MemoriesPruned(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="memories_pruned"
):
    """A person had memories pruned: the oldest of these kinds, up to one of them."""

    # The kinds.
    kinds: list[PruneKind]
    # Only what was said before this time.
    before_ms: int | None = None
    # The newest memory that is pruned.
    up_to: int
    # How many of them at most, the oldest first.
    most: int


# Where a memory comes from. What is not a person's is data: it is given to tasks in its
# own folder alone, until a person promotes it.
MemoryOrigin = Literal[
    # A person said it.
    "person",
    # The planner said it, of whatever it had read.
    "planner",
    # A tool said it.
    "tool",
    # A command printed it.
    "command",
    # It was read from files or their names.
    "file",
    # It was read from a page.
    "page",
]


# What kind of memory it is.
MemoryKind = Literal[
    # It was said while a task worked.
    "said",
    # It was put down to be remembered.
    "fact",
    # It was put down to be remembered about one subject. A newer one about the same
    # takes its place.
    "preference",
]


class PortableMemory(Wire, frozen=True, kw_only=True):
    """A memory as it is written to a file and taken from there."""

    # The words.
    text: str
    # When they were said.
    at_ms: int
    # Where they come from, which also says whose words they are.
    origin: MemoryOrigin
    # What kind it is.
    kind: MemoryKind
    # What a preference is about.
    about: str | None = None
    # The folder that they were said in; empty for none.
    workspace: str = ""
    # Whether a person let it be given to tasks in every folder.
    is_promoted: bool = False


class MemoryImported(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="memory_imported"
):
    """A memory of another home was taken in."""

    # The memory.
    memory: PortableMemory


# What happened to a task.
TaskEvent = (
    # It was submitted, and is queued.
    Created
    # A person gave it another place among the queued ones.
    | QueueMoved
    # A person gave the conversation that it begins a title.
    | Renamed
    # A person put its conversation away, or brought it back.
    | Archived
    # An iteration began.
    | IterationStarted
    # The planner answered.
    | Planned
    # The planner did not answer; it is asked again, or the task parks.
    | PlanFailed
    # Older steps are replaced by a summary in what the planner reads.
    | Compacted
    # What the planner is given besides the conversation has changed.
    | Briefed
    # The planner is given notes of earlier tasks.
    | Noted
    # There are files of guidance that the user has not decided on.
    | GuidanceFound
    # The planner is given the user's guidance.
    | Guided
    # The planner put down its steps.
    | TodoChanged
    # A call has delegated work to sub-tasks, and the task waits for them.
    | SubtasksStarted
    # The sub-tasks of a call have ended.
    | SubtasksEnded
    # A person switched it to another model.
    | ModelSwitched
    # A person took its browser over in a window; its calls of the browser wait.
    | BrowserTaken
    # The person gave the browser back, or closed its window.
    | BrowserReturned
    # A second model looked at a call that was allowed beforehand.
    | Reviewed
    # A call asked a model about texts.
    | Inferred
    # Policy decided on a call.
    | CallDecided
    # A call waits for a person.
    | PermissionRequested
    # A person, a standing consent or the clock answered.
    | PermissionAnswered
    # A person's no to an equal request was a no to a call of this task too.
    | RefusalShared
    # A call is about to run. Durable before a mutating call starts.
    | ToolStarted
    # A file is about to be changed; what it was is kept.
    | FileKept
    # A command is about to run; everything that it could change is kept.
    | TreeKept
    # A call ended.
    | ToolFinished
    # A command keeps running in the background.
    | BackgroundStarted
    # A background command is gone.
    | BackgroundEnded
    # The planner or a brake asks the user.
    | QuestionAsked
    # The user answered.
    | QuestionAnswered
    # It waits.
    | Paused
    # It continues.
    | Resumed
    # The user added to the goal.
    | Steered
    # The user asked it to stop; the running call may finish.
    | StopRequested
    # Its process died; written by the next one.
    | Interrupted
    # It ended.
    | Stopped
    # Changes of its calls were undone.
    | Undone
    # What an undo took back was made again.
    | Redone
    # Something was put down for later tasks: by its planner, or by a person in the
    # notebook.
    | Remembered
    # A person put other words in the place of something it said, for later tasks.
    | MemoryEdited
    # A person had something it said forgotten.
    | MemoryForgotten
    # A person brought that back.
    | MemoryRestored
    # A person let something it said be given to tasks in other folders.
    | MemoryPromoted
    # A person had many forgotten at once; in the notebook.
    | MemoriesPruned
    # A memory of another home was taken in; in the notebook.
    | MemoryImported
)


class EventRecord(Wire, frozen=True, kw_only=True):
    """An event with its place in the journal."""

    # Global, rising, without gaps: the place in the mirror's stream.
    seq: int
    # The task it belongs to.
    task: str
    # When it was written.
    at_ms: int
    # What happened.
    event: TaskEvent


class ImportPart(Wire, frozen=True, kw_only=True):
    """A part of an import. All parts are taken in together when the last has come, or
    none of them is.
    """

    # The import; the client makes this up.
    id: str
    # The number of the part, from 0. The first begins anew, whatever came before.
    number: int
    # Whether it is the last.
    is_last: bool


class ImportConversationCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="import_conversation"
):
    """Take in a conversation that was exported: to be read and to be continued. Nothing
    of it runs, is granted or can be undone.
    """

    # The folder that its tasks are shown in, absolute.
    workspace: str
    # Events of its tasks, each task from its beginning.
    events: list[EventRecord]
    # Which part of the import these are.
    part: ImportPart


# What is opened.
OpenWhat = Literal[
    # The file itself, if it is a document that starts nothing.
    "file",
    # The folder, or the one that the file is in.
    "folder",
]


class OpenCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="open"):
    """Open a file or a folder of a task on the desktop that the host runs on."""

    # The task that works there.
    task: str
    # The file or folder; in the task's folder, or in one that it was given.
    path: str
    # What is opened.
    what: OpenWhat


class TakeBrowserCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="take_browser"
):
    """Open a task's browser in a window on the host's desktop. The task's calls of it
    wait until it is returned.
    """

    # The task.
    task: str


class ReturnBrowserCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="return_browser"
):
    """Close the window, and let the task continue with the same profile."""

    # The task.
    task: str


class SteerCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="steer"):
    """Add to a task's goal."""

    # Which.
    task: str
    # What to say.
    text: str


class SwitchModelCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="switch_model"
):
    """Switch a task to another backend or model, from its next step."""

    # Which.
    task: str
    # The backend; the task's own when absent.
    backend: str | None = None
    # The model; the one that is configured for the backend when absent.
    model: str | None = None


class UndoCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="undo"):
    """Take back what calls changed."""

    # Whose changes.
    task: str
    # Only this call's; all when absent.
    call: str | None = None
    # Only say what would be done.
    dry_run: bool = False
    # Do it only where all of it can be undone; otherwise say what would be done, so
    # that a person can decide.
    if_whole: bool = False


class RedoCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="redo"):
    """Make the changes again that the last undo of a task took back."""

    # Whose changes.
    task: str


class ResumeJobCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="resume_job"
):
    """Let a job that was stopped or cut off continue."""

    # Which.
    job: str
    # Leave out the operation at which it stopped, instead of trying it again.
    skip: bool = False


# What happens with files that were changed, moved or replaced since a job.
OnConflict = Literal[
    # They stay as they are, and the rest is undone.
    "skip",
    # They come back as they are now, under another name where theirs is taken.
    "keep_both",
    # Then nothing is undone.
    "abort",
]


class UndoJobCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="undo_job"
):
    """Take a job back."""

    # Which.
    job: str
    # Only say what would be done.
    dry_run: bool = False
    # What happens with files that conflict with it.
    on_conflict: OnConflict


class RememberCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="remember"
):
    """Remember something for later tasks in every folder."""

    # The words.
    text: str
    # What it is about, where it is a preference: it takes the place of an older one
    # about the same.
    about: str | None = None


class EditMemoryCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="edit_memory"
):
    """Put other words in a memory's place."""

    # Which.
    memory: int
    # The words.
    text: str


class ForgetMemoryCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="forget_memory"
):
    """Forget a memory, and whatever says the very same."""

    # Which.
    memory: int


class RestoreMemoryCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="restore_memory"
):
    """Bring back a memory that was forgotten, and whatever was forgotten with it."""

    # Which.
    memory: int


class PromoteMemoryCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="promote_memory"
):
    """Let a memory leave the folder that it comes from: tasks in other folders may be
    given it too.
    """

    # Which.
    memory: int


class RebuildMemoryCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="rebuild_memory"
):
    """Embed every memory anew, and try again what could not be embedded. The vectors
    there are serve until then.
    """


class EmbedMemoriesCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="embed_memories"
):
    """Embed some of what waits now, instead of in a quiet moment. The outcome says how
    many memories and passages still wait.
    """


class PruneRule(Wire, frozen=True, kw_only=True):
    """Which memories are pruned: those of these kinds that are old enough, but for the
    newest.
    """

    # The kinds; none is none.
    kinds: list[PruneKind]
    # Only what was said before this time.
    before_ms: int | None = None
    # The newest of them that stay.
    keep: int = 0


class PruneMemoriesCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="prune_memories"
):
    """Forget all memories that a rule names. Journals keep what was said, so that each
    can be restored.
    """

    # The rule.
    rule: PruneRule


class ImportMemoriesCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="import_memories"
):
    """Take in memories of another home, all or none. What is there already is passed
    over.
    """

    # The memories; 1,000 are the most.
    memories: list[PortableMemory]
    # Which part of a larger import this is; absent where it is all of it.
    part: ImportPart | None = None


class IndexFolderCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="index_folder"
):
    """Make the documents of a folder recallable, or look through one that is again."""

    # The folder.
    folder: str
    # Whether tasks in every folder may be given its passages; otherwise those alone
    # that may read its files without asking.
    is_everywhere: bool = False


class DropFolderCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="drop_folder"
):
    """Forget the passages of a folder's documents. The files stay as they are."""

    # The folder.
    folder: str


class StopBackgroundCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="stop_background"
):
    """Stop a background command."""

    # Its task.
    task: str
    # Which.
    background: str


class RevokeGrantCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="revoke_grant"
):
    """End a grant."""

    # Which.
    grant: str


class CommandRule(Wire, frozen=True, kw_only=True):
    """What a rule made on a screen says: what becomes of one command. Allowing covers
    exactly these words; asking and denying cover the command with further words too.
    """

    # What becomes of it.
    effect: Decision
    # One simple command of literal words.
    command: str
    # The folder below which workspaces are covered, absolute or from `~/`; everywhere
    # when absent.
    within: str | None = None


class RuleRef(Wire, frozen=True, kw_only=True):
    """A rule as a screen has it. Where the file has been changed since, it is another
    one.
    """

    # The line of the file, from 1.
    line: int
    # What it covers, in words.
    text: Phrase


class KeepRuleCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="keep_rule"
):
    """Write a rule into the file."""

    # The rule.
    rule: CommandRule
    # The one that it takes the place of; a new one when absent.
    instead: RuleRef | None = None


class DropRuleCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="drop_rule"
):
    """Take a rule out of the file."""

    # Which.
    rule: RuleRef


class SetKeyCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="set_key"
):
    """Put a backend's key into the desktop's keyring, or take it out."""

    # The backend.
    backend: str
    # The key; absent takes it out.
    key: str | None = None


class SetSearchKeyCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="set_search_key"
):
    """Put a search provider's key into the desktop's keyring, or take it out."""

    # The provider.
    provider: str
    # The key; absent takes it out.
    key: str | None = None


# What a draft goes by.
OrganizeBy = Literal[
    # Everything there is.
    "everything",
    # The kinds of files.
    "kind",
    # Years and months.
    "date",
    # Projects alone.
    "project",
    # What documents say.
    "content",
    # Copies alone.
    "duplicates",
    # Names alone.
    "names",
]


class StartScanCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="start_scan"
):
    """Begin to look through folders and to draft a plan for them. It continues by
    itself; ask for it with `scan`.
    """

    # The folders, absolute or below the home with `~`.
    folders: list[str]
    # What the draft goes by.
    by: OrganizeBy
    # The convention that names are to follow, as an example of itself; names stay when
    # absent.
    convention: str | None = None


class StopScanCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="stop_scan"
):
    """End a scan."""

    # Which.
    scan: str


class KeepDraftCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="keep_draft"
):
    """Keep a draft with a person's changes as a draft of its own, which a task can
    carry out.
    """

    # The draft, as a scan gave it.
    draft: str
    # Operations that are dropped.
    without: list[str] = []
    # Operations in the place of those that have their ids.
    edited: list[OrganizeOperation] = []


class LinkCommand(Wire, frozen=True, kw_only=True, tag_field="command", tag="link"):
    """A link that opens the desktop's own page; for clients of the Unix socket and of
    that page only.
    """


class RenameDeviceCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="rename_device"
):
    """Give a device another name."""

    # Which.
    device: str
    # The name.
    name: str


class ReachDeviceCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="reach_device"
):
    """Say where a push server takes notices for a device, which a UnifiedPush app on it
    was given. They are sealed to its key.
    """

    # Which.
    device: str
    # An https address; without one, notices take the relay of the host's settings
    # again.
    endpoint: str | None


class RevokeDeviceCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="revoke_device"
):
    """End a device: its connections are cut at once."""

    # Which.
    device: str


# What a device may do.
DeviceScope = Literal[
    # See everything.
    "monitor",
    # Answer requests and questions.
    "approve",
    # Start, steer, pause and stop tasks, and undo.
    "command",
]


class StartPairingCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="start_pairing"
):
    """Begin to pair a device; what was begun before is over."""

    # What it should be allowed.
    scopes: list[DeviceScope]


class ConfirmPairingCommand(
    Wire, frozen=True, kw_only=True, tag_field="command", tag="confirm_pairing"
):
    """The person's word on the number that both sides show."""

    # The six digits that the device shows.
    number: str
    # Whether they are those that the desktop shows.
    accept: bool


# What to do.
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
    # Start a new conversation from everything in another one up to a step.
    | ForkCommand
    # Take in a conversation that was exported. It keeps whose words they are, so only
    # the person at the machine may.
    | ImportConversationCommand
    # Open a file or a folder of a task on the desktop. What opening could run is
    # refused.
    | OpenCommand
    # Open a task's browser in a window for the person at the machine, for instance to
    # sign in; the task's calls of it wait.
    | TakeBrowserCommand
    # Close that window and let the task continue with the same profile.
    | ReturnBrowserCommand
    # Add an instruction to a task.
    | SteerCommand
    # Switch a task to another backend or model, from its next step.
    | SwitchModelCommand
    # Answer a question.
    | AnswerQuestionCommand
    # Answer a permission request.
    | AnswerPermissionCommand
    # Undo the changes of calls.
    | UndoCommand
    # Redo the changes that the last undo of a task reverted.
    | RedoCommand
    # Resume a job that was stopped or interrupted.
    | ResumeJobCommand
    # Undo a job.
    | UndoJobCommand
    # Remember something for later tasks in every folder. It steers them, so it needs
    # what starting a task needs.
    | RememberCommand
    # Replace the text of a memory. What a memory says steers later tasks, so changing
    # one needs what starting a task needs.
    | EditMemoryCommand
    # Forget a memory, and every other one with the same text.
    | ForgetMemoryCommand
    # Restore a memory that was forgotten, and all that were forgotten with it.
    | RestoreMemoryCommand
    # Make a memory available to tasks in every folder.
    | PromoteMemoryCommand
    # Embed all memories again; the old vectors are used until then.
    | RebuildMemoryCommand
    # Embed some of what waits now; says how many still wait.
    | EmbedMemoriesCommand
    # Forget all memories that match a rule; journals keep their text.
    | PruneMemoriesCommand
    # Take in memories of another home. They keep whose words they are, so only the
    # person at the machine may.
    | ImportMemoriesCommand
    # Make the documents of a folder recallable, or look through one again. It reads
    # files that no task was allowed to read.
    | IndexFolderCommand
    # Forget the passages of a folder's documents.
    | DropFolderCommand
    # Stop a background command.
    | StopBackgroundCommand
    # End a grant.
    | RevokeGrantCommand
    # Write a rule about one command into `rules.toml`. One that allows is for commands
    # that an answer could remember.
    | KeepRuleCommand
    # Remove a rule from `rules.toml`.
    | DropRuleCommand
    # Change settings, all or none: written into `config.toml` with its comments, and
    # taken up at once.
    | ChangeSettingsCommand
    # Put a backend's key into the desktop's keyring, or take it out, and hand it to the
    # planner.
    | SetKeyCommand
    # Put a search provider's key into the desktop's keyring, or take it out.
    | SetSearchKeyCommand
    # Start to scan folders and to draft a plan for them. It answers at once; the query
    # `scan` returns the progress.
    | StartScanCommand
    # End a scan.
    | StopScanCommand
    # Keep a draft with operations dropped or edited as a draft of its own, which the
    # command `start` has carried out.
    | KeepDraftCommand
    # Make a link that opens the desktop's page, once.
    | LinkCommand
    # Rename a device.
    | RenameDeviceCommand
    # Say where a push server takes notices for a device. A device may say it of itself.
    | ReachDeviceCommand
    # Revoke a device; its connections are closed at once.
    | RevokeDeviceCommand
    # Start to pair a device, and end an earlier pairing that is still open. The query
    # `pairing` returns the link to scan.
    | StartPairingCommand
    # The person's answer whether both sides show the same number.
    | ConfirmPairingCommand
)


class CommandEnvelope(Wire, frozen=True, kw_only=True):
    """A command with its id."""

    # Made by the client; sent again with the same id it is not done twice.
    id: str
    # What to do.
    command: Command


class ClientCommand(Wire, frozen=True, kw_only=True, tag_field="type", tag="command"):
    """Do something."""

    # The command.
    envelope: CommandEnvelope


class SessionProof(Wire, frozen=True, kw_only=True, tag_field="proof", tag="session"):
    """A session that was opened over HTTP."""

    # The session's secret.
    session: str


class DeviceProof(Wire, frozen=True, kw_only=True, tag_field="proof", tag="device"):
    """A device that has signed the challenge of this connection."""

    # Which device.
    device: str
    # Its signature over `deputy-connect-1`, the server's fingerprint, the device and
    # the challenge, a line each.
    signature: str


# Why a client may connect. The Unix socket needs none: only its owner can open it.
Proof = (
    # A session that was opened over HTTP.
    SessionProof
    # A device that has signed the challenge.
    | DeviceProof
)


class Hello(Wire, frozen=True, kw_only=True, tag_field="type", tag="hello"):
    """The first message of a client."""

    # `PROTOCOL_VERSION`.
    protocol: int
    # Last event the client has; it gets what came after. Absent: a snapshot.
    resume_from: int | None = None
    # Whether live events and progress are wanted after that.
    follow: bool = False
    # Whether long texts of events may come shortened, as they always do but over the
    # Unix socket.
    brief: bool = False
    # Why the client may connect; the Unix socket needs none.
    proof: Proof | None = None


class StateQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="state"):
    """The state of the agent."""


class TasksQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="tasks"):
    """Tasks, newest first."""

    # How many at most.
    limit: int = 100
    # Words to look for in what was said in all tasks; the last may be the beginning of
    # one.
    said: str | None = None


class TaskQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="task"):
    """One task."""

    # Which.
    task: str


class EventsQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="events"):
    """The events of one task, oldest first."""

    # The task.
    task: str
    # Only events after this one.
    after: int = 0
    # How many at most.
    limit: int = 100
    # The newest ones of them, and not the oldest: what a screen shows first of a long
    # task.
    newest: bool = False
    # Long texts cut, as live events have them.
    brief: bool = False


class EventQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="event"):
    """One event in full: what an event that came shortened left out."""

    # Its place in the stream.
    seq: int


class GrantsQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="grants"):
    """Grants that hold."""


class PreviewGrantQuery(
    Wire, frozen=True, kw_only=True, tag_field="query", tag="preview_grant"
):
    """What a grant would have let through in the past: asked before a broader answer
    than `once` is given.
    """

    # The open request.
    request: str
    # The offer, by its lifetime.
    lifetime: Lifetime
    # Whether the wider of two offers for that long is meant.
    wider: bool = False


class SettingsQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="settings"):
    """The settings; for local clients only, as all that follows but the choices."""


class FindServersQuery(
    Wire, frozen=True, kw_only=True, tag_field="query", tag="find_servers"
):
    """Look for model servers on this machine: the host asks the usual loopback ports.
    """


class DoctorQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="doctor"):
    """Look at everything that a host needs."""


class ExplainQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="explain"):
    """What would be decided on a shell text, and why. Nothing is run."""

    # The text.
    command: str
    # The folder that a task would work in.
    workspace: str


class RulesQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="rules"):
    """The user's own rules."""


class UsageQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="usage"):
    """What the models cost since a time."""

    # Since when; the quarter of an hour that it is in counts whole.
    since_ms: int


class PromptQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="prompt"):
    """What was sent to the model in a step and what came back, secrets taken out."""

    # The task.
    task: str
    # The step, from 1.
    step: int
    # From which byte on.
    offset: int = 0


class FoldersQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="folders"):
    """Folders that a path being typed could continue with."""

    # As typed: absolute, or below the home with `~`.
    path: str


class ScanQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="scan"):
    """The state of a scan."""

    # Which.
    scan: str


class DraftQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="draft"):
    """A draft with a person's changes, tried on a model of the tree. Nothing is
    written.
    """

    # The draft, as a scan gave it.
    draft: str
    # Operations that are dropped.
    without: list[str] = []
    # Operations in the place of those that have their ids.
    edited: list[OrganizeOperation] = []


class JobsQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="jobs"):
    """Jobs, newest first."""

    # Only the one that this call of a task started.
    call: str | None = None


class MemoriesQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="memories"):
    """Memories, newest first."""

    # Only those with all of these words; the last may be the beginning of one. Absent:
    # all.
    search: str | None = None
    # Only those of this task.
    task: str | None = None
    # Only those of tasks in this folder.
    workspace: str | None = None
    # Only facts and preferences that were put down to be remembered.
    only_kept: bool = False
    # The best first, by words and by meaning, passages of documents among them: one
    # page, with how well each fits. Otherwise all that hold the words, newest first.
    best: bool = False
    # Only what was said before this event.
    before: int | None = None
    # How many at most; 100 is the most.
    limit: int = 50


class MemoryStatsQuery(
    Wire, frozen=True, kw_only=True, tag_field="query", tag="memory_stats"
):
    """How much of the memories can be found by meaning."""


class PreviewPruneQuery(
    Wire, frozen=True, kw_only=True, tag_field="query", tag="preview_prune"
):
    """What pruning by a rule would forget. Nothing is changed."""

    # The rule.
    rule: PruneRule


class ProfileFilesQuery(
    Wire, frozen=True, kw_only=True, tag_field="query", tag="profile_files"
):
    """The files that profiles keep."""


class IndexedFoldersQuery(
    Wire, frozen=True, kw_only=True, tag_field="query", tag="indexed_folders"
):
    """The folders whose documents can be recalled."""


class OutputQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="output"):
    """A piece of the whole output of a command that ended."""

    # The task.
    task: str
    # The call that ran the command, or that started it in the background.
    call: str
    # From which byte on.
    offset: int = 0


class PictureQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="picture"):
    """A piece of a picture that a call of the task gave back."""

    # The task.
    task: str
    # The call.
    call: str
    # The picture, by its digest.
    digest: str
    # From which byte on.
    offset: int = 0


class ConsoleQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="console"):
    """The live console of a task."""

    # The task.
    task: str


class DevicesQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="devices"):
    """All devices; for local clients only, as all that concerns devices."""


class PairingQuery(Wire, frozen=True, kw_only=True, tag_field="query", tag="pairing"):
    """The pairing that was begun last."""


# What may be asked.
Query = (
    # The state that every screen shows: running tasks, open requests and questions.
    StateQuery
    # Tasks, newest first.
    | TasksQuery
    # One task.
    | TaskQuery
    # The events of one task, a page at a time.
    | EventsQuery
    # One event in full.
    | EventQuery
    # Grants that are in effect.
    | GrantsQuery
    # The calls that a grant would have allowed in the past.
    | PreviewGrantQuery
    # The choices for a new task: profiles, backends and what is missing for each,
    # limits and folders.
    | ChoicesQuery
    # The settings as the host has them, and where each backend's key is looked for;
    # never a key.
    | SettingsQuery
    # Asks a backend's provider for its models.
    | CheckBackendQuery
    # Searches the web once with the configured provider.
    | CheckSearchQuery
    # Model servers on this machine: the host asks the usual loopback ports.
    | FindServersQuery
    # The checks of `deputy doctor`, each with `ok` and a message.
    | DoctorQuery
    # The decision on a shell text in a folder, by the current rules and grants; nothing
    # runs.
    | ExplainQuery
    # The rules of `rules.toml` as text, or the mistake in the file.
    | RulesQuery
    # Tokens by quarter of an hour, task and model, and the configured prices.
    | UsageQuery
    # What was sent to the model in a step and what came back, a piece at a time.
    | PromptQuery
    # Folders that a path being typed could continue with. A device that only answers
    # does not look around, so it needs more.
    | FoldersQuery
    # The progress of a scan; once it is done, the draft and suggested naming
    # conventions.
    | ScanQuery
    # Checks a draft with operations dropped or edited on a model of the tree: its
    # problems, and the trees before and after.
    | DraftQuery
    # Jobs, newest first.
    | JobsQuery
    # Memories, newest first, a page at a time. They say no more than the events do.
    | MemoriesQuery
    # How many memories can be found by meaning, and how many are pending.
    | MemoryStatsQuery
    # The memories that pruning by a rule would forget.
    | PreviewPruneQuery
    # The files of profiles that people can read and edit.
    | ProfileFilesQuery
    # The folders whose documents can be recalled.
    | IndexedFoldersQuery
    # A piece of the whole output of a command.
    | OutputQuery
    # A piece of a picture that a call returned.
    | PictureQuery
    # The browser of a task: its address, and who uses it.
    | BrowserQuery
    # The output of a task's running calls so far, and the files that they touch.
    | ConsoleQuery
    # All devices.
    | DevicesQuery
    # The latest pairing: its link and its state.
    | PairingQuery
)


class ClientQuery(Wire, frozen=True, kw_only=True, tag_field="type", tag="query"):
    """Ask something."""

    # Made by the client; is in the answer.
    id: str
    # What is asked.
    query: Query


# What a client sends.
ClientMessage = (
    # Must come first.
    Hello
    # Do something.
    | ClientCommand
    # Ask something.
    | ClientQuery
)


class DoneOutcome(Wire, frozen=True, kw_only=True, tag_field="outcome", tag="done"):
    """It was done."""


class StartedOutcome(
    Wire, frozen=True, kw_only=True, tag_field="outcome", tag="started"
):
    """A task was submitted."""

    # The task.
    task: TaskSummary


class SkippedOperation(Wire, frozen=True, kw_only=True):
    """An operation that was left out, although it had been planned."""

    # Which.
    operation: str
    # What it is about.
    path: str
    # Why.
    reason: Phrase


class JobConflict(Wire, frozen=True, kw_only=True):
    """What prevents undoing an operation."""

    # Which.
    operation: str
    # The file that it is about.
    path: str
    # What is wrong.
    reason: Phrase


class JobReport(Wire, frozen=True, kw_only=True):
    """What came of a job."""

    # The job that did the steps; of a dry run, the one that would be undone.
    job: str
    # The job that it undoes, where it does.
    undoes: str | None
    # Steps that are done.
    done: int
    # Steps that there are.
    steps: int
    # Operations that were left out; the first 500.
    skipped: list[SkippedOperation]
    # How many more were left out.
    more_skipped: int = 0
    # Why it stopped before its end.
    stopped: Phrase | None
    # What stood against taking it back; the first 500.
    conflicts: list[JobConflict]
    # How much more stood against it.
    more_conflicts: int = 0
    # Whether nothing is left to do: every operation was done, or all that was done
    # counts as undone.
    is_whole: bool


class UndoneOutcome(Wire, frozen=True, kw_only=True, tag_field="outcome", tag="undone"):
    """Files were undone."""

    # The result for each path.
    files: list[UndoneFile]
    # Jobs of those calls, newest first.
    jobs: list[JobReport] = []
    # Whether it was done, and not only said.
    applied: bool = False


class JobOutcome(Wire, frozen=True, kw_only=True, tag_field="outcome", tag="job"):
    """A job continued, or was undone."""

    # What came of it.
    report: JobReport


class MemoriesOutcome(
    Wire, frozen=True, kw_only=True, tag_field="outcome", tag="memories"
):
    """Memories were forgotten, or came back."""

    # How many: the one that was named, and those that say the very same. 0 where that
    # had been done before.
    memories: int


class RememberedOutcome(
    Wire, frozen=True, kw_only=True, tag_field="outcome", tag="remembered"
):
    """Something is remembered."""

    # The number of the memory.
    memory: int


class ImportedOutcome(
    Wire, frozen=True, kw_only=True, tag_field="outcome", tag="imported"
):
    """Memories or a conversation were taken in."""

    # How many memories, or tasks of a conversation.
    imported: int
    # How many were there already.
    present: int
    # The newest task of a conversation.
    task: str | None = None


class IndexedFolder(Wire, frozen=True, kw_only=True):
    """A folder whose documents can be recalled."""

    # Its path, without links.
    folder: str
    # Whether tasks in every folder may be given its passages.
    is_everywhere: bool
    # When it was last looked through; absent where that was never finished.
    looked_at_ms: int | None = None
    # Documents with passages.
    documents: int
    # Passages.
    passages: int
    # Passages that can be found by their meaning.
    embedded: int
    # Documents that gave no text.
    unreadable: int


class IndexedOutcome(
    Wire, frozen=True, kw_only=True, tag_field="outcome", tag="indexed"
):
    """A folder was looked through."""

    # The folder as it is now.
    folder: IndexedFolder
    # Documents that were read because they are new or have changed.
    read: int
    # Documents that were deleted.
    gone: int
    # Whether there is more than is looked at.
    is_partial: bool


class ScanStartedOutcome(
    Wire, frozen=True, kw_only=True, tag_field="outcome", tag="scan_started"
):
    """A scan was begun."""

    # Its id.
    scan: str


class DraftKeptOutcome(
    Wire, frozen=True, kw_only=True, tag_field="outcome", tag="draft_kept"
):
    """A draft was kept."""

    # What a task can carry out.
    draft: str


class LinkOutcome(Wire, frozen=True, kw_only=True, tag_field="outcome", tag="link"):
    """A link that opens the desktop's own page, once."""

    # The address; its secret is behind the `#`, where no server and no log sees it.
    url: str
    # Until when it can be used.
    expires_at_ms: int


# What came of a command.
CommandOutcome = (
    # It was done, or had been done before.
    DoneOutcome
    # A task was submitted.
    | StartedOutcome
    # Files were undone.
    | UndoneOutcome
    # A job continued, or was undone.
    | JobOutcome
    # Memories were forgotten, or came back.
    | MemoriesOutcome
    # Something is remembered.
    | RememberedOutcome
    # Memories were taken in.
    | ImportedOutcome
    # A folder was looked through.
    | IndexedOutcome
    # A scan was begun.
    | ScanStartedOutcome
    # A draft was kept.
    | DraftKeptOutcome
    # A link was made.
    | LinkOutcome
)


class CommandReply(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="command_reply"
):
    """The answer to a command."""

    # The command's id.
    id: str
    # What came of it.
    outcome: CommandOutcome


class CompleteReply(Wire, frozen=True, kw_only=True):
    """Result of `inference.complete`."""

    # The answer.
    text: str
    # What it cost.
    usage: Usage = msgspec.field(default_factory=Usage)


class CompleteRequest(Wire, frozen=True, kw_only=True):
    """Parameters of `inference.complete`."""

    # Who answers.
    backend: BackendRef
    # The instructions.
    system: str
    # The text to answer.
    prompt: str


class ConsoleCall(Wire, frozen=True, kw_only=True):
    """A running call."""

    # The call.
    call: str
    # What it does, for people.
    summary: Phrase
    # When it started.
    started_at_ms: int
    # The end of what it has written so far.
    output: str


class ConsoleBackground(Wire, frozen=True, kw_only=True):
    """A background command that is running, for screens that join in between."""

    # Its name within the task.
    background: str
    # The call that started it.
    call: str
    # The command.
    command: str
    # When it started.
    started_at_ms: int
    # The end of what it has written so far.
    output: str


class TouchedFile(Wire, frozen=True, kw_only=True):
    """A file that a task touched."""

    # Its path.
    path: str
    # The call that touched it.
    call: str
    # Whether that call is still running.
    now: bool


class Console(Wire, frozen=True, kw_only=True, tag_field="answer", tag="console"):
    """The live console of a task: what its planner and its running calls have said so
    far. What follows comes as progress.
    """

    # What the planner has written of the plan it is making; empty when it makes none.
    planning: str
    # Calls that are running, oldest first.
    calls: list[ConsoleCall]
    # Commands that run in the background, oldest first.
    backgrounds: list[ConsoleBackground] = []
    # Files that the task touched, the latest first, at most 50.
    files: list[TouchedFile]


class ConventionCard(Wire, frozen=True, kw_only=True):
    """A convention that names could follow."""

    # What to name it by: an example of itself.
    pattern: str
    # For people.
    description: Phrase
    # One of the names that are there.
    before: str
    # What it would become.
    after: str
    # How much the names that are there speak for it.
    confidence_percent: int
    # Files whose names follow it already.
    matches: int
    # Files that were looked at.
    files: int


class ConversationMark(Wire, frozen=True, kw_only=True):
    """How far a conversation goes, by what was sent of it."""

    # Bytes of the messages as JSON, with the commas between them.
    bytes: int
    # SHA-256, in hexadecimal, of the JSON of `system`, `tools` and `earlier`, a line
    # feed behind each, and the messages.
    sha256: str


class DaySpent(Wire, frozen=True, kw_only=True):
    """What all tasks used since midnight, and the limits of a day."""

    # Tokens read and written.
    tokens: int
    # What they cost as far as prices are known, in millionths of the currency.
    cost_micros: int
    # The limit of tokens; 0 for none.
    max_tokens: int
    # The limit of cost, in hundredths of the currency; 0 for none.
    max_cost_cents: int


class Device(Wire, frozen=True, kw_only=True):
    """A paired phone or browser, known by its public key."""

    # Its id.
    id: str
    # What its owner calls it.
    name: str
    # What it may do.
    scopes: list[DeviceScope]
    # When it was paired.
    paired_at_ms: int
    # When it last proved itself.
    last_seen_ms: int | None = None
    # When it was revoked; it then may do nothing.
    revoked_at_ms: int | None = None


class DeviceSession(Wire, frozen=True, kw_only=True, tag_field="by", tag="device"):
    """A session by a device."""

    # Which device.
    device: str
    # The challenge that the server gave out for this.
    challenge: str
    # As in a device's proof.
    signature: str


class DevicesAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="devices"):
    """All devices."""

    # In the order of pairing.
    devices: list[Device]


class Finding(Wire, frozen=True, kw_only=True):
    """One thing that was looked at."""

    # What.
    name: str
    # Whether it is well.
    ok: bool
    # What was found and, where it is not well, what to do.
    message: Phrase


class DoctorAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="doctor"):
    """What was looked at."""

    # In the order of looking.
    findings: list[Finding]


class OperationNote(Wire, frozen=True, kw_only=True):
    """Something about an operation."""

    # Its id.
    operation: str
    # What about it.
    text: Phrase


class DraftAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="draft"):
    """A draft, tried."""

    # The plan, each operation with the risk of its kind.
    plan: OrganizePlan
    # Where what will be done differs from what was written.
    notes: list[OperationNote]
    # What cannot be done; empty for a plan that can be carried out.
    problems: list[OperationNote]
    # The trees before and after; absent where the folders hold too much to be drawn, or
    # the plan cannot be done.
    trees: DraftTrees | None = None


class EarlierTask(Wire, frozen=True, kw_only=True):
    """A task of the same conversation, as the planner of a later one sees it."""

    # Its id.
    id: str
    # What the user wanted, in their words.
    goal: str
    # How it ended; none where it has not.
    reason: StopReason | None
    # What it ended with, for the user; none where it has not.
    summary: str | None = None
    # Files that it changed, as Deputy's own record has them; the first of many.
    changed_files: list[str] = []
    # When it was submitted.
    created_at_ms: int
    # Jobs of `organize` that it had carried out, in their order.
    jobs: list[str] = []


class EmbedReply(Wire, frozen=True, kw_only=True):
    """Result of `inference.embed`."""

    # Name of the model; with the dimension the key of the index.
    model: str
    # Numbers of each vector.
    dimension: int
    # The vectors in the order of the texts, each number a little-endian float of 32
    # bits, in base64. As text of decimal numbers they would be five times as long.
    vectors: str


class EmbedRequest(Wire, frozen=True, kw_only=True):
    """Parameters of `inference.embed`."""

    # Who embeds.
    backend: BackendRef
    # The texts.
    texts: list[str]


class ErrorMessage(Wire, frozen=True, kw_only=True, tag_field="type", tag="error"):
    """A message failed."""

    # The command or query; absent when the connection itself is refused.
    id: str | None = None
    # Why.
    error: ErrorBody


class TaskUpdate(Wire, frozen=True, kw_only=True):
    """What of a task's summary changes with its events."""

    # Its state.
    state: TaskState
    # Tokens used so far.
    tokens: int
    # Its backend.
    backend: str = ""
    # The model that plans it, where it is not the one that is configured.
    model: str | None = None
    # What its tokens cost as far as prices are known, in millionths of the currency.
    cost_micros: int | None = None
    # How far its to-do list is.
    todo: TodoProgress | None = None
    # When it last changed.
    updated_at_ms: int
    # While it is queued: its place among the queued ones.
    queue_rank: str | None = None
    # The title that a person gave the conversation that it begins.
    title: str | None = None
    # Whether its conversation was put away when this was the newest task of it.
    archived: bool = False


class EventMessage(Wire, frozen=True, kw_only=True, tag_field="type", tag="event"):
    """Something happened."""

    # The event.
    record: EventRecord
    # Its task after it; of a past event that a client missed, as the task is by now.
    # The mirror always says it.
    update: TaskUpdate | None = None
    # Whether long texts in it were cut; the query `event` gets it in full.
    shortened: bool = False


class EventsAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="events"):
    """Events."""

    # Oldest first.
    events: list[EventRecord]
    # Places of those whose long texts were cut; the query `event` gets them in full.
    shortened: list[int] = []


class Explanation(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="explanation"
):
    """What would be decided."""

    # The decision, its reasons and its parts. Grants that hold in the folder are
    # counted in.
    verdict: Verdict


class PlanFacts(Wire, frozen=True, kw_only=True):
    """A plan of file operations that a call executes."""

    # What an answer binds to; a draft of the plan has the same digest as its id.
    digest: str
    # What a person sees.
    shown: RequestedPlan


class Facts(Wire, frozen=True, kw_only=True):
    """Everything a call would touch; made by the tool without touching any of it."""

    # What running it twice would mean.
    effect: Effect
    # What it would touch.
    accesses: list[Access]
    # One sentence for people, e.g. `Write REPORT.md (1.2 KB, new file)`.
    summary: Phrase
    # Unified diff of the change, where there is one.
    diff: str | None = None
    # The plan of file operations that it executes, where there is one.
    plan: PlanFacts | None = None
    # The least risk that the call has by its nature, whatever is thought of the places
    # it touches.
    risk: Risk


class FoldersAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="folders"):
    """Folders that a path could continue with."""

    # The folder that the path names, where it names one that can be organized.
    folder: str | None = None
    # Absolute paths, by name; at most 50.
    folders: list[str]
    # The user's own folders for downloads, the desktop, documents and pictures that
    # exist, in this order.
    usual: list[str] = []
    # The user's home.
    home: str


class Grant(Wire, frozen=True, kw_only=True):
    """A remembered answer: what, where, until when. Listed and revocable."""

    # Its id.
    id: str
    # `allow` or `deny`; a grant never asks.
    decision: Decision
    # What it covers.
    rule: GrantRule
    # How long it holds.
    lifetime: Lifetime
    # The folder it holds in: the real path of the workspace it was given for.
    workspace: str
    # The request it was given for, if any.
    request: str | None = None
    # When it was given.
    created_at_ms: int
    # From when it no longer holds.
    expires_at_ms: int | None = None
    # When it was revoked.
    revoked_at_ms: int | None = None


class PreviewedCall(Wire, frozen=True, kw_only=True):
    """A call of the past that a grant would have let through."""

    # Its task.
    task: str
    # What it was, for people.
    summary: Phrase
    # When it was asked.
    at_ms: int
    # Whether it was refused then.
    refused: bool


class GrantPreview(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="grant_preview"
):
    """What a grant would have let through, had it held before."""

    # The offer in words.
    label: Phrase
    # How far back was looked.
    days: int
    # Calls that were asked about in that time and would not have been; the open request
    # itself is not counted.
    calls: int
    # How many of them were refused.
    refused: int
    # Whether there were more requests than were looked at, so that there may be more.
    and_more: bool
    # The newest of them.
    samples: list[PreviewedCall]


class GrantsAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="grants"):
    """Grants."""

    # Newest first.
    grants: list[Grant]


class Health(Wire, frozen=True, kw_only=True):
    """That a server is there."""

    # `ok`.
    status: str
    # The host's version of the protocol.
    protocol: int
    # The host's version.
    version: str


class IndexedFoldersAnswer(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="indexed_folders"
):
    """Folders, by their paths."""

    # The folders.
    folders: list[IndexedFolder]


class InitializeParams(Wire, frozen=True, kw_only=True):
    """Parameters of `initialize`."""

    # `PROTOCOL_VERSION`; a sidecar with another one answers with an error.
    protocol: int
    # Folder with the user's own backend files.
    backends_dir: str
    # Backend name to API key. Never logged, never in the environment.
    keys: dict[str, str] = {}


class InitializeResult(Wire, frozen=True, kw_only=True):
    """Result of `initialize`."""

    # The sidecar's version of the protocol.
    protocol: int
    # Version of the package.
    version: str
    # Names of the backends that can be asked for.
    backends: list[str]


# The state of a job.
JobStanding = Literal[
    # A process works on it.
    "running",
    # It is not done, and nobody works on it.
    "interrupted",
    # It is done.
    "done",
    # It was undone.
    "undone",
    # Its journal is damaged.
    "damaged",
]


class PathNote(Wire, frozen=True, kw_only=True):
    """Something about a path."""

    # The path.
    path: str
    # What about it.
    reason: Phrase


class JobInfo(Wire, frozen=True, kw_only=True):
    """A job: a plan that was begun, or one that takes another back."""

    # Its id.
    job: str
    # Its state.
    state: JobStanding
    # The job that took it back.
    undone_by: str | None = None
    # The job that it undoes.
    undoes: str | None = None
    # The folders that it is about.
    scope: list[str]
    # Steps that are done.
    done: int
    # Steps altogether.
    steps: int
    # When it was begun.
    began_at_ms: int
    # What was left out, with the reason; at most 50, and only of a job that was cut off
    # or was asked for by its call.
    left_out: list[PathNote]
    # How many those are.
    left_out_count: int
    # The step at which it stopped, with the reason; only of such a job.
    stopped: PathNote | None = None


class JobProgress(Wire, frozen=True, kw_only=True, tag_field="type", tag="job"):
    """How far a job got that the host works on, no matter who has it worked on. Not
    journalled; may be lost: `jobs` tells how it ended.
    """

    # The job. Where it is no job over files, this is the id of its call.
    job: str
    # The job that it undoes.
    undoes: str | None = None
    # The call that started it; absent if a person did.
    call: str | None = None
    # Steps that are behind it.
    done: int
    # Steps altogether.
    steps: int


class JobsAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="jobs"):
    """Jobs."""

    # Newest first, at most 200.
    jobs: list[JobInfo]


class LinkSession(Wire, frozen=True, kw_only=True, tag_field="by", tag="link"):
    """A session by a one-time link."""

    # What is behind `#token=` in the link.
    token: str


class LocalServer(Wire, frozen=True, kw_only=True):
    """A model server on this machine."""

    # What usually listens there, e.g. `Ollama`.
    name: str
    # The backend that speaks to it.
    backend: str = ""
    # What to set as `base_url`.
    base_url: str
    # The models that it offers.
    models: list[str]


class LocalServers(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="local_servers"
):
    """Model servers on this machine."""

    # Those that answered.
    servers: list[LocalServer]


# How important a log line is.
LogLevel = Literal[
    # For developers.
    "debug",
    # For the curious.
    "info",
    # Something is off, and was handled.
    "warning",
    # Something failed.
    "error",
]


class LogParams(Wire, frozen=True, kw_only=True):
    """Parameters of the notification `log`."""

    # How important.
    level: LogLevel
    # The line; holds no key.
    message: str


# Whose words a memory holds. A tool's are untrusted: data, never instructions.
MemoryRole = Literal[
    # The user's.
    "user",
    # The planner's.
    "assistant",
    # What a call gave back.
    "tool",
]


class PassagePlace(Wire, frozen=True, kw_only=True):
    """The location of a passage."""

    # The file.
    path: str
    # The line of its text that the passage begins at, from 1.
    line: int


class MemoryFound(Wire, frozen=True, kw_only=True):
    """How well a memory fits what was looked for."""

    # The score, of which the best of all has 1.
    score: float
    # Whether it holds all the words.
    by_words: bool
    # How near it is by its meaning, up to 1; absent where it was not found by that.
    similarity: float | None = None


class Memory(Wire, frozen=True, kw_only=True):
    """What one event of a task said, or a passage of a document, as recall may hand it
    to the planner of a later task.
    """

    # The place in the stream of the event that said it.
    memory: int
    # The task that it comes from.
    task: str
    # What that task was to do; its first 200 characters.
    goal: str
    # The folder that task worked in.
    workspace: str
    # Whose words they are.
    role: MemoryRole
    # The words; at most 2,000 characters.
    text: str
    # When they were said.
    at_ms: int
    # When a person edited them last.
    edited_at_ms: int | None = None
    # Where it comes from.
    origin: MemoryOrigin
    # When a person let it leave its folder; absent where nobody has.
    promoted_at_ms: int | None = None
    # What kind it is.
    kind: MemoryKind
    # What a preference is about.
    about: str | None = None
    # Whether a newer preference took its place: later tasks are not given it.
    is_replaced: bool
    # Where it stands, if it is a passage of a document. It is not edited, forgotten or
    # promoted by its number.
    passage: PassagePlace | None = None
    # How well it fits, where the best were asked for.
    found: MemoryFound | None = None


class MemoriesAnswer(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="memories"
):
    """A page of memories."""

    # Newest first. A page may hold fewer than asked for, even none, and still not be
    # the last.
    memories: list[Memory]
    # What the next page has as its `before`; absent at the end.
    next: int | None = None


class MemoryStatsAnswer(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="memory_stats"
):
    """How much of the memories can be found by meaning. All of them can be found by
    their words.
    """

    # What is set up to embed them: `on_device`, `none`, or the name of a backend.
    embedder: str
    # Why it does not embed now; absent where nothing is known to be wrong.
    problem: str | None = None
    # The model whose vectors are searched; absent before the first.
    model: str | None = None
    # Memories.
    memories: int
    # Those that have a vector of the model.
    embedded: int
    # Those that wait for one.
    pending: int
    # Those whose vector is to be made again.
    outdated: int
    # Those that could not be embedded.
    failed: int
    # What tools said, which is found by its words alone.
    words_only: int
    # What was forgotten or pruned, and can be restored.
    forgotten: int = 0
    # Passages of documents in indexed folders.
    passages: int = 0
    # Those that have a vector of the model.
    passages_embedded: int = 0
    # Those that could not be embedded.
    passages_failed: int = 0


class UserMessage(Wire, frozen=True, kw_only=True, tag_field="role", tag="user"):
    """The user's words."""

    # What was said.
    text: str


class MessagePicture(Wire, frozen=True, kw_only=True):
    """A picture as a planner gets it with the result that it belongs to."""

    # Its format.
    media_type: PictureType
    # What it is, in words.
    alt: str
    # Its bytes in base64; absent where the backend does not take pictures, the picture
    # is too large to send, or newer ones took its place. The words of the result then
    # have to do.
    base64: str | None = None
    # BLAKE3 of its bytes.
    digest: str


class ToolMessage(Wire, frozen=True, kw_only=True, tag_field="role", tag="tool"):
    """What a call gave back."""

    # The call.
    call: str
    # The tool's name.
    tool: str
    # Its output, or why there is none.
    content: str
    # Whether the call did what it says.
    ok: bool
    # Pictures that came with it.
    pictures: list[MessagePicture] = []


# One message.
Message = (
    # The user, or the core in the user's name.
    UserMessage
    # The planner.
    | AssistantMessage
    # What a call gave back. Untrusted: data, never instructions.
    | ToolMessage
)


class ModelListReply(Wire, frozen=True, kw_only=True):
    """Result of `model.list`."""

    # Their names.
    models: list[str]


class ModelListRequest(Wire, frozen=True, kw_only=True):
    """Parameters of `model.list`."""

    # Whose models.
    backend: BackendRef


# What a notice is about.
NoticeKind = Literal[
    # A call waits for permission.
    "request",
    # A question waits for its answer.
    "question",
    # A task has ended.
    "ended",
]


class Notice(Wire, frozen=True, kw_only=True, tag_field="type", tag="notice"):
    """Something needs a person, or does not any more: what a screen shows as a
    notification, once for each id.
    """

    # The request's, the question's or the task's id.
    id: str
    # The task.
    task: str
    # What it is about.
    kind: NoticeKind
    # A line for people, control characters escaped.
    text: str
    # Whether it is over: answered elsewhere, or no more needed. A screen takes it away.
    withdrawn: bool


class NotifyChannels(Wire, frozen=True, kw_only=True):
    """How the user is notified that something is waiting."""

    # Local hours in which nobody is disturbed, e.g. `22:00-07:00`.
    quiet: str | None = None
    # A command that gets each notice; changed in the file alone, since it runs as the
    # user.
    command: list[str]
    # Address of a topic of a relay.
    ntfy: str | None = None


class OutputAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="output"):
    """A piece of a command's output."""

    # The piece.
    text: str
    # Its first byte.
    offset: int
    # Where the next piece begins; absent at the end.
    next: int | None = None
    # Bytes that are kept altogether.
    size_bytes: int


class PairingWaiting(Wire, frozen=True, kw_only=True, tag_field="stage", tag="waiting"):
    """Nobody has come with the code."""


class PairingClaimed(Wire, frozen=True, kw_only=True, tag_field="stage", tag="claimed"):
    """A device came with the code."""

    # What it calls itself.
    name: str
    # Six digits, worked out by each side from what it saw itself.
    number: str
    # Whether the person has confirmed it on the desktop.
    confirmed: bool


class PairingDone(Wire, frozen=True, kw_only=True, tag_field="stage", tag="paired"):
    """A device was paired."""

    # The device.
    device: Device


class PairingOver(Wire, frozen=True, kw_only=True, tag_field="stage", tag="over"):
    """A pairing ended without a device."""

    # Why.
    reason: Phrase


# The state of a pairing.
PairingStage = (
    # Nobody has come with the code.
    PairingWaiting
    # A device came; both sides show the number.
    | PairingClaimed
    # Done.
    | PairingDone
    # Ended without a device.
    | PairingOver
)


class PairingAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="pairing"):
    """A pairing that was begun."""

    # What the device scans: an address, with the one-time code and the certificate's
    # fingerprint behind the `#`.
    link: str
    # SHA-256 of the server's public key, which the device holds every connection
    # against.
    fingerprint: str
    # Until when it can be finished.
    expires_at_ms: int
    # Its state.
    stage: PairingStage


class PairingClaim(Wire, frozen=True, kw_only=True):
    """What a device sends first when it is paired."""

    # The one-time code.
    code: str
    # What it calls itself.
    name: str
    # Its P-256 key for signatures: the uncompressed point in base64url.
    sign_key: str
    # Its P-256 key for what is sealed to it, as above.
    seal_key: str | None = None


class PairingFinish(Wire, frozen=True, kw_only=True):
    """What a device sends once its owner has compared the numbers; again until the
    desktop has confirmed.
    """

    # The one-time code.
    code: str
    # Its signature over `deputy-pair-1`, the fingerprint, the code and the number, a
    # line each.
    signature: str


class PictureAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="picture"):
    """A piece of a picture."""

    # The picture's format, by its own first bytes.
    media_type: PictureType
    # The piece in base64.
    base64: str
    # Where the next piece begins; absent at the end.
    next: int | None = None
    # Bytes of the whole picture.
    size_bytes: int


class PlanAnswer(Wire, frozen=True, kw_only=True):
    """Result of `inference.plan` and `inference.plan_more`."""

    # The plan.
    plan: AgentPlan
    # What it cost; zeros when the provider does not say.
    usage: Usage = msgspec.field(default_factory=Usage)
    # The conversation that it answers, where the sidecar keeps it.
    kept: ConversationMark | None = None


class PlanErrorData(Wire, frozen=True, kw_only=True):
    """`error.data` of a JSON-RPC error; `error.message` is for people and says what to
    do next.
    """

    # Why.
    code: PlanErrorCode
    # Seconds the provider asks to wait.
    retry_after_secs: float | None = None
    # `error.message` as a message of the catalogue; absent where it is in a backend's
    # own words.
    said: Phrase | None = None
    # What the provider counted before it failed; absent where it counted nothing.
    usage: Usage | None = None


class PlanMore(Wire, frozen=True, kw_only=True):
    """Parameters of `inference.plan_more`: what is new in a conversation that the
    sidecar keeps. The rest of the request is as it was. Where the sidecar does not
    hold the conversation up to `base`, it refuses with the error -32001.
    """

    # Who plans.
    backend: BackendRef
    # The name under which it is kept.
    conversation: str
    # How far it is held.
    base: ConversationMark
    # What follows.
    messages: list[Message]


class PlanReply(Wire, frozen=True, kw_only=True):
    """A plan, and what it cost."""

    # The plan; ids of its calls need only be unique within it.
    plan: AgentPlan
    # What it cost; zeros when the provider does not say.
    usage: Usage = msgspec.field(default_factory=Usage)


class ToolSpec(Wire, frozen=True, kw_only=True):
    """A tool as the planner sees it."""

    # Its name.
    name: str
    # What it does and when to use it.
    description: str
    # JSON Schema of its parameters.
    parameters: Any


class PlanRequest(Wire, frozen=True, kw_only=True):
    """Parameters of `inference.plan`."""

    # Who plans.
    backend: BackendRef
    # The profile's prompt and the core's rules.
    system: str
    # The conversation so far; the last is never the assistant's.
    messages: list[Message]
    # What may be called.
    tools: list[ToolSpec]
    # Tasks of the same conversation that came before, the newest last.
    earlier: list[EarlierTask] = []
    # The name under which the sidecar is to keep the conversation, so that the next
    # plan need only be sent what is new.
    conversation: str | None = None


class Price(Wire, frozen=True, kw_only=True):
    """What a million tokens cost."""

    # The model's or the backend's name; a model's may be its beginning.
    of: str
    # A million tokens read.
    input: float
    # A million tokens read from the provider's cache.
    cached: float = 0.0
    # A million tokens written.
    output: float
    # The day that Deputy knows it from; absent where it is the user's own.
    as_of: str | None = None


# Which file it is.
ProfileFileKind = Literal[
    # `scratchpad.md`: what running tasks note down for themselves.
    "scratchpad",
    # `conversation_history.json`: what was said in the last tasks.
    "history",
    # `learned_preferences.toml`: the preferences that hold.
    "preferences",
]


class ProfileFile(Wire, frozen=True, kw_only=True):
    """A file of a profile."""

    # The profile.
    profile: str
    # Which file it is.
    kind: ProfileFileKind
    # Its path.
    path: str
    # What it holds; empty where it cannot be read.
    text: str
    # Why changes in it cannot be taken up. It is left as it is until they can.
    problem: str | None = None


class ProfileFilesAnswer(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="profile_files"
):
    """Files, by profile."""

    # The files that there are.
    files: list[ProfileFile]


class Progress(Wire, frozen=True, kw_only=True, tag_field="type", tag="progress"):
    """Something that is not journalled; may be lost."""

    # The task.
    task: str
    # The call whose output it is; the planner's text when absent.
    call: str | None = None
    # The next piece of text.
    text: str


class ProgressParams(Wire, frozen=True, kw_only=True):
    """Parameters of the notification `progress`."""

    # Id of the request it belongs to.
    id: int
    # The next piece of the model's text.
    text: str


class PromptAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="prompt"):
    """A piece of it."""

    # A piece of a JSON object: `sent`, as an `inference.plan` has it, and `received`,
    # the step's events that answer it.
    text: str
    # Where the next piece begins; absent at the end.
    next: int | None = None


class PruneCount(Wire, frozen=True, kw_only=True):
    """How many memories of a kind there are."""

    # The kind.
    kind: PruneKind
    # How many.
    memories: int


class PrunePreview(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="prune_preview"
):
    """What pruning would forget."""

    # How many memories.
    memories: int
    # How many of each kind there are among them.
    kinds: list[PruneCount]
    # When the oldest was said; absent if there is none.
    oldest_ms: int | None = None
    # When the newest was said.
    newest_ms: int | None = None
    # The beginnings of the newest few.
    examples: list[str]


class Snapshot(Wire, frozen=True, kw_only=True):
    """The state at a place in the stream."""

    # The last event that is in it.
    seq: int
    # The state.
    state: AgentState


class StateAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="state"):
    """The state."""

    # The snapshot.
    snapshot: Snapshot


class SaidInTask(Wire, frozen=True, kw_only=True):
    """Where in a task something was said: the newest place that has all of the words
    that were looked for.
    """

    # The task.
    task: str
    # The event that said it.
    event: int
    # Who said it.
    role: MemoryRole
    # When.
    at_ms: int
    # The words with some around them.
    text: str


class TasksAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="tasks"):
    """Tasks."""

    # Newest first.
    tasks: list[TaskSummary]
    # Where the words that were looked for were said: one place of each task, the newest
    # first.
    said: list[SaidInTask] = []


class TaskAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="task"):
    """One task."""

    # The task.
    task: TaskSummary


class SearchChoice(Wire, frozen=True, kw_only=True):
    """A search provider that can be set."""

    # Its name.
    name: str
    # As people call it.
    label: str
    # Its own address; one without needs to be given one.
    address: str | None = None
    # Whether it needs a key.
    takes_key: bool
    # Whether it came with Deputy; the others are files of the user's own.
    shipped: bool
    # Where its key is looked for; absent where none is expected or nothing names one.
    key: KeyPlace | None = None
    # What is missing before it can be asked; a key in the keyring is not looked for.
    problem: Phrase | None = None


class WebSearchSettings(Wire, frozen=True, kw_only=True):
    """Web search."""

    # The provider that is asked; absent where none is set.
    provider: str | None = None
    # Where it is, if not at its own address.
    address: str | None = None
    # All providers: the shipped ones, then the user's own.
    providers: list[SearchChoice]


class Settings(Wire, frozen=True, kw_only=True, tag_field="answer", tag="settings"):
    """The settings of a host."""

    # The file they are in.
    path: str
    # As the host has them now.
    choices: Choices
    # What is known of each backend, in the order of the choices.
    backends: list[BackendSettings]
    # Tasks that work at the same time.
    max_concurrent_tasks: int
    # How the user is notified that something is waiting.
    notify: NotifyChannels
    # Web search.
    search: WebSearchSettings
    # Settings that were changed and hold from the next start on.
    after_restart: list[str]


class SearchCheck(
    Wire, frozen=True, kw_only=True, tag_field="answer", tag="search_check"
):
    """What came of searching once."""

    # The provider; empty where none is set.
    provider: str
    # Why it cannot be used, if so.
    problem: ErrorBody | None = None
    # Results that it gave.
    results: int
    # How long it took to answer.
    took_ms: int


class UserRule(Wire, frozen=True, kw_only=True):
    """One rule of the user's."""

    # The line of the file, from 1.
    line: int
    # What becomes of what it covers.
    effect: Decision
    # What it covers, in words.
    text: Phrase
    # The same as it can be changed here; absent where only the file says all of it.
    command: CommandRule | None = None


class RulesAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="rules"):
    """What the rules file says."""

    # The file that holds them, whether it is there or not.
    path: str
    # In the order of the file.
    rules: list[UserRule]
    # What is wrong with the file; until it is fixed, everything asks.
    problem: Phrase | None = None


class UsageRow(Wire, frozen=True, kw_only=True):
    """Tokens of a task in a quarter of an hour."""

    # When the quarter began.
    at_ms: int
    # The task.
    task: str
    # What it was to do.
    goal: str
    # The backend that answered.
    backend: str
    # The model as it was configured then; absent where the backend names none.
    model: str | None = None
    # How many plans these are.
    plans: int = 0
    # Tokens read, those from the provider's cache included.
    input_tokens: int
    # Tokens written, thoughts included.
    output_tokens: int
    # Of those read, tokens that came from the provider's cache.
    cached_tokens: int = 0
    # Of those written, tokens of thoughts.
    reasoning_tokens: int = 0
    # What they cost, in millionths of the currency, by the prices of then; by those of
    # now where none was known then.
    cost_micros: int | None = None


class UsageAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="usage"):
    """What the models cost."""

    # Tokens by quarter of an hour, task, backend and model, oldest first.
    rows: list[UsageRow]
    # The prices that hold now: those that are configured, then those that Deputy knows.
    prices: list[Price]
    # What they are in, e.g. `USD`.
    currency: str
    # What all tasks of today used, against the limits of a day.
    today: DaySpent


class ScanLooking(Wire, frozen=True, kw_only=True, tag_field="stage", tag="looking"):
    """Finding files and looking into them."""

    # Files behind it.
    files: int


class ScanComparing(
    Wire, frozen=True, kw_only=True, tag_field="stage", tag="comparing"
):
    """Reading files to their end that may be copies."""

    # Files behind it.
    done: int
    # Files altogether.
    total: int


class ScanLeftOut(Wire, frozen=True, kw_only=True):
    """What a scan did not look at, by number."""

    # Hidden or secret.
    hidden: int
    # Links and special files.
    special: int
    # Names that are no valid UTF-8.
    unnameable: int
    # What could not be read.
    unreadable: int


class ScanDrafted(Wire, frozen=True, kw_only=True, tag_field="stage", tag="drafted"):
    """What a scan found, and the plan drafted for it."""

    # The draft; absent where there is nothing to do.
    draft: str | None = None
    # Files that were looked at.
    files: int
    # Their size.
    bytes: int
    # Surplus copies among them.
    copies: int
    # Conventions that names could follow, the likeliest first.
    conventions: list[ConventionCard]
    # Files that are left alone although they lie loose, at most 50.
    left_alone: list[PathNote]
    # How many those are.
    left_alone_count: int
    # What was not looked at: hidden or secret, links and special files, names that are
    # no text, unreadable.
    left_out: ScanLeftOut
    # Operations that one plan has no room for.
    too_many: int


class ScanFailed(Wire, frozen=True, kw_only=True, tag_field="stage", tag="failed"):
    """It could not be made."""

    # Why.
    error: ErrorBody


# The state of a scan.
ScanStage = (
    # Finding files and looking into them.
    ScanLooking
    # Reading files to their end that may be copies.
    | ScanComparing
    # Done.
    | ScanDrafted
    # It could not be made, or was stopped.
    | ScanFailed
)


class ScanAnswer(Wire, frozen=True, kw_only=True, tag_field="answer", tag="scan"):
    """A scan."""

    # Its id.
    scan: str
    # Its state.
    stage: ScanStage


# The answer to a query.
QueryAnswer = (
    # The state.
    StateAnswer
    # Tasks.
    | TasksAnswer
    # One task.
    | TaskAnswer
    # Events.
    | EventsAnswer
    # Grants.
    | GrantsAnswer
    # What a grant would have let through.
    | GrantPreview
    # The live console of a task.
    | Console
    # Devices.
    | DevicesAnswer
    # A pairing that was begun.
    | PairingAnswer
    # What a new task may be given.
    | ChoicesAnswer
    # The settings.
    | Settings
    # What came of asking a backend.
    | BackendCheck
    # What came of searching once.
    | SearchCheck
    # Model servers on this machine.
    | LocalServers
    # What was looked at.
    | DoctorAnswer
    # What would be decided.
    | Explanation
    # The user's own rules.
    | RulesAnswer
    # What the models cost.
    | UsageAnswer
    # A piece of what was sent to the model.
    | PromptAnswer
    # Folders that a path could continue with.
    | FoldersAnswer
    # A scan.
    | ScanAnswer
    # A draft, tried.
    | DraftAnswer
    # Jobs.
    | JobsAnswer
    # Memories.
    | MemoriesAnswer
    # How much of the memories can be found by meaning.
    | MemoryStatsAnswer
    # What pruning would forget.
    | PrunePreview
    # Files of profiles.
    | ProfileFilesAnswer
    # Folders whose documents can be recalled.
    | IndexedFoldersAnswer
    # A piece of the whole output of a command.
    | OutputAnswer
    # A piece of a picture.
    | PictureAnswer
    # A task's browser.
    | BrowserAnswer
)


class QueryReply(Wire, frozen=True, kw_only=True, tag_field="type", tag="query_reply"):
    """The answer to a query."""

    # The query's id.
    id: str
    # The answer.
    answer: QueryAnswer


class Welcome(Wire, frozen=True, kw_only=True, tag_field="type", tag="welcome"):
    """The hello was good."""

    # The host's version of the protocol.
    protocol: int
    # The host's version.
    version: str
    # The newest event.
    seq: int
    # What this connection may do.
    scopes: list[DeviceScope] = []
    # Whether it is the host's own user's; only such a one sees devices and settings.
    local: bool = False


class SnapshotMessage(
    Wire, frozen=True, kw_only=True, tag_field="type", tag="snapshot"
):
    """The state."""

    # The snapshot.
    snapshot: Snapshot


# What the host sends.
ServerMessage = (
    # Who are you? Comes first, but not over the Unix socket.
    Challenge
    # The hello was good; events after `resume_from` follow, or a snapshot.
    | Welcome
    # The state; what follows builds on it.
    | SnapshotMessage
    # Something happened.
    | EventMessage
    # Something that is not journalled, e.g. streamed text.
    | Progress
    # How far a job over files got.
    | JobProgress
    # Something needs a person, or does not any more.
    | Notice
    # The answer to a command.
    | CommandReply
    # The answer to a query.
    | QueryReply
    # The message with this id, or the connection, failed.
    | ErrorMessage
)


class Session(Wire, frozen=True, kw_only=True):
    """A session that was opened."""

    # Its secret: for the hello of a WebSocket, or after `Authorization: Bearer`.
    session: str
    # When it ends.
    expires_at_ms: int
    # What it may do.
    scopes: list[DeviceScope]


# What opens a session over HTTP.
SessionRequest = (
    # A one-time link.
    LinkSession
    # A device that has signed a challenge.
    | DeviceSession
)
