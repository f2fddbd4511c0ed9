//! The facts that policy decides on, and its decisions.

use crate::{Digest, Effect, Phrase, RequestedPlan};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What happens with a call. The variants are ordered by strictness, so that the strictest of several is their
/// maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The call runs without asking a person.
    Allow,
    /// A person decides.
    Ask,
    /// The call does not run.
    Deny,
}

/// How harmful a call could be.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// Reading, or changes that undo can revert.
    #[default]
    Low,
    /// Changes outside the workspace, network access, and programs whose actions cannot be predicted.
    Medium,
    /// Loss of data, access to secrets or privileges, or running code from elsewhere.
    High,
}

/// What the operating system allows a process to do, independent of the decision. Ordered from narrow to wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Confinement {
    /// System folders and the workspace are readable. Nothing is writable, and there is no network.
    ReadOnly,
    /// Like `read_only`, and the workspace is writable.
    Workspace,
    /// Like `workspace`, with network access.
    WorkspaceNet,
    /// Everything that the user may do, except gaining privileges.
    Open,
}

/// Everything that a call would touch. The tool determines it without touching any of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Facts {
    /// The effect of running the call twice.
    pub effect: Effect,
    /// What the call would touch.
    pub accesses: Vec<Access>,
    /// One sentence for people, e.g. `Write REPORT.md (1.2 KB, new file)`.
    pub summary: Phrase,
    /// The unified diff of the change. Absent if the call has none.
    #[serde(default)]
    pub diff: Option<String>,
    /// The plan of file operations that the call executes. Absent if there is none.
    #[serde(default)]
    pub plan: Option<Box<PlanFacts>>,
    /// The minimum risk of the call, regardless of the places that it touches.
    pub risk: Risk,
}

/// A plan of file operations that a call executes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanFacts {
    /// The digest that an answer is bound to. A draft of the plan has this digest as its id.
    pub digest: Digest,
    /// The plan as shown to a person.
    pub shown: RequestedPlan,
}

/// Something that a call would touch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "access", rename_all = "snake_case")]
pub enum Access {
    /// Runs a command with bash.
    Shell(ShellAccess),
    /// Reads a file.
    Read(ReadAccess),
    /// Lists a folder, or walks the tree below it.
    List(ListAccess),
    /// Creates or changes a file or folder.
    Write(WriteAccess),
    /// Removes a file or folder.
    Delete(DeleteAccess),
    /// Moves or renames a file or folder.
    Move(MoveAccess),
    /// Copies a file or folder.
    Copy(CopyAccess),
    /// Requests an address.
    Url(UrlAccess),
    /// Reads or ends something that the task itself started.
    Own(OwnAccess),
    /// Reads or changes memories.
    Memory(MemoryAccess),
    /// Reads or acts on a page that is open in the task's browser.
    Page(PageAccess),
}

/// An access to something that the task itself started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OwnAccess {
    /// What is accessed, for people, e.g. `the output of b1`.
    pub what: String,
}

/// An access to a page that is open in the task's browser.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PageAccess {
    /// What is done with the page.
    pub does: PageDeed,
    /// The target of the action and its values, for people.
    pub text: String,
}

/// An action on an open page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PageDeed {
    /// Reads the page.
    Look,
    /// Clicks, types or chooses something on the page.
    Act,
    /// Fills in a password, a one-time code or a payment card.
    FillSecret,
    /// Submits a form to another origin.
    SendElsewhere,
    /// Runs a script on the page.
    Script,
    /// Uploads files to the page.
    Upload,
    /// Enters text on the page that was read on another origin.
    CarryOver,
}

/// An access to memories.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryAccess {
    /// What is done with the memories.
    pub does: MemoryDeed,
    /// The text to search for, remember or forget.
    pub text: String,
}

/// An action on memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryDeed {
    /// Reads memories that are available in the task's folder.
    Look,
    /// Remembers something for tasks in the same folder.
    KeepHere,
    /// Remembers something for tasks in every folder.
    KeepEverywhere,
    /// Forgets something.
    Forget,
    /// Reads or writes the task's scratchpad.
    Scratchpad,
}

/// An access that runs a command with bash.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ShellAccess {
    /// The command, exactly as bash would receive it.
    pub command: String,
}

/// An access that reads a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReadAccess {
    /// The path as given. A relative path is relative to the working directory.
    pub path: String,
}

/// An access that lists a folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ListAccess {
    /// The path as given. A relative path is relative to the working directory.
    pub path: String,
}

/// An access that creates or changes a file or folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WriteAccess {
    /// The path as given. A relative path is relative to the working directory.
    pub path: String,
}

/// An access that removes a file or folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DeleteAccess {
    /// The path as given. A relative path is relative to the working directory.
    pub path: String,
}

/// An access that moves or renames a file or folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MoveAccess {
    /// The current path. A relative path is relative to the working directory.
    pub path: String,
    /// The new path. A relative path is relative to the working directory.
    pub dest: String,
}

/// An access that copies a file or folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CopyAccess {
    /// The path of the original. A relative path is relative to the working directory.
    pub path: String,
    /// The path of the copy. A relative path is relative to the working directory.
    pub dest: String,
}

/// An access that requests an address.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UrlAccess {
    /// The address as given.
    pub url: String,
    /// Whether a page requests the address (`true`) or the browser navigates to it (`false`).
    #[serde(default)]
    pub subresource: bool,
}

/// The decision of policy on a whole call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// The strictest decision of all parts.
    pub decision: Decision,
    /// The highest risk of all parts.
    pub risk: Risk,
    /// The reasons in plain words, strictest first, without repetition.
    pub reasons: Vec<Phrase>,
    /// What the operating system will allow the call to do if it runs.
    pub confinement: Confinement,
    /// The parts of the call (simple commands, paths and hosts), each with its own decision.
    pub parts: Vec<Part>,
}

/// A simple command, path or host with its own decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// The kind of part.
    pub kind: PartKind,
    /// The canonical form: a quoted argv, an absolute path or an origin. Control characters are escaped.
    pub text: String,
    /// The decision on this part.
    pub decision: Decision,
    /// The risk of this part.
    pub risk: Risk,
    /// The reason for the decision.
    pub reason: Phrase,
}

/// The kind of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// A simple command.
    Command,
    /// A path that is read or listed.
    Read,
    /// A path that is created, changed, moved or removed.
    Write,
    /// A host or origin.
    Host,
    /// A shell construct that is judged as a whole.
    Construct,
    /// A credential of the user that the call borrows: a login, a key or a socket.
    Loan,
}
