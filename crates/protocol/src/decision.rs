//! Facts that policy decides on, and what it decides.

use crate::{Digest, Effect, Phrase, RequestedPlan};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is to happen with a call. Ordered: the strictest of many is their maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It runs without a person.
    Allow,
    /// A person decides.
    Ask,
    /// It does not run.
    Deny,
}

/// How bad it would be if the call did harm.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// Reads, or changes that undo undoes.
    #[default]
    Low,
    /// Changes outside the workspace, the network, programs that do as they like.
    Medium,
    /// Loss of data, secrets, privileges, code from elsewhere.
    High,
}

/// What the operating system lets a process do, whatever was decided. Ordered from narrow to wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Confinement {
    /// System folders and the workspace readable, nothing writable, no network.
    ReadOnly,
    /// As `read_only`, and the workspace writable.
    Workspace,
    /// As `workspace`, and the network.
    WorkspaceNet,
    /// What the user may do, but privileges cannot be gained.
    Open,
}

/// Everything a call would touch; made by the tool without touching any of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Facts {
    /// What running it twice would mean.
    pub effect: Effect,
    /// What it would touch.
    pub accesses: Vec<Access>,
    /// One sentence for people, e.g. `Write REPORT.md (1.2 KB, new file)`.
    pub summary: Phrase,
    /// Unified diff of the change, where there is one.
    #[serde(default)]
    pub diff: Option<String>,
    /// The plan of file operations that it executes, where there is one.
    #[serde(default)]
    pub plan: Option<Box<PlanFacts>>,
    /// The least risk that the call has by its nature, whatever is thought of the places it touches.
    pub risk: Risk,
}

/// A plan of file operations that a call executes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanFacts {
    /// What an answer binds to; a draft of the plan has the same digest as its id.
    pub digest: Digest,
    /// What a person sees.
    pub shown: RequestedPlan,
}

/// One thing that a call would touch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "access", rename_all = "snake_case")]
pub enum Access {
    /// Run a text with bash.
    Shell(ShellAccess),
    /// Read a file.
    Read(ReadAccess),
    /// List a folder, or walk the tree below it.
    List(ListAccess),
    /// Create or change a file or folder.
    Write(WriteAccess),
    /// Remove a file or folder.
    Delete(DeleteAccess),
    /// Move or rename.
    Move(MoveAccess),
    /// Copy.
    Copy(CopyAccess),
    /// Request an address.
    Url(UrlAccess),
    /// Look at or end what the task itself has started.
    Own(OwnAccess),
    /// Look at what is remembered, or change it.
    Memory(MemoryAccess),
    /// Look at a page that is open in the task's browser, or act on it.
    Page(PageAccess),
}

/// Look at or end what the task itself has started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OwnAccess {
    /// What of it, for people, e.g. `the output of b1`.
    pub what: String,
}

/// Look at a page that is open in the task's browser, or act on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PageAccess {
    /// What is done.
    pub does: PageDeed,
    /// On what, and with which values, for people.
    pub text: String,
}

/// What is done with an open page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PageDeed {
    /// Look at it.
    Look,
    /// Click, type or choose in it.
    Act,
    /// Fill in a password, a one-time code or a card.
    FillSecret,
    /// Send a form to another origin.
    SendElsewhere,
    /// Run a script in it.
    Script,
    /// Hand files over to it.
    Upload,
    /// Write to it what was read on another origin.
    CarryOver,
}

/// Look at what is remembered, or change it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryAccess {
    /// What is done.
    pub does: MemoryDeed,
    /// What is looked for, remembered or forgotten.
    pub text: String,
}

/// What is done with memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryDeed {
    /// Look at those that may go to the task's folder.
    Look,
    /// Remember something for tasks in the same folder.
    KeepHere,
    /// Remember something for tasks in every folder.
    KeepEverywhere,
    /// Forget something.
    Forget,
    /// Read or write what the task notes down for itself.
    Scratchpad,
}

/// Run a text with bash.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ShellAccess {
    /// The text as bash would get it.
    pub command: String,
}

/// Read a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReadAccess {
    /// As given; relative to the working directory.
    pub path: String,
}

/// List a folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ListAccess {
    /// As given; relative to the working directory.
    pub path: String,
}

/// Create or change a file or folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WriteAccess {
    /// As given; relative to the working directory.
    pub path: String,
}

/// Remove a file or folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DeleteAccess {
    /// As given; relative to the working directory.
    pub path: String,
}

/// Move or rename.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MoveAccess {
    /// From; relative to the working directory.
    pub path: String,
    /// To; relative to the working directory.
    pub dest: String,
}

/// Copy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CopyAccess {
    /// From; relative to the working directory.
    pub path: String,
    /// To; relative to the working directory.
    pub dest: String,
}

/// Request an address.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UrlAccess {
    /// The address as given.
    pub url: String,
    /// Whether a page asks for it (`true`) or the address is navigated to.
    #[serde(default)]
    pub subresource: bool,
}

/// Policy's answer for a whole call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// The strictest of the parts.
    pub decision: Decision,
    /// The highest of the parts.
    pub risk: Risk,
    /// Why, in plain words, the strictest first, without repetition.
    pub reasons: Vec<Phrase>,
    /// What the operating system will let it do if it runs.
    pub confinement: Confinement,
    /// Each part with its own decision: simple commands, paths, hosts.
    pub parts: Vec<Part>,
}

/// One simple command, path or host with its own decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// The canonical form: a quoted argv, an absolute path, an origin. Control characters are escaped.
    pub text: String,
    /// This part's decision.
    pub decision: Decision,
    /// This part's risk.
    pub risk: Risk,
    /// Why.
    pub reason: Phrase,
}

/// What a part is.
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
    /// A construct of the shell that is judged as such.
    Construct,
    /// Something of the person's own that is lent to the call: a login, a key, a socket.
    Loan,
}
