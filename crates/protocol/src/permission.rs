//! Permission requests, questions, and the answers to them.

use crate::{
    AttemptKind, CallId, Confinement, DeviceId, Digest, DraftTrees, GrantRule, Lifetime, OnceLifetime,
    OrganizePlan, Part, Phrase, RequestId, Risk, SessionId, TaskId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A permission request: a call that is waiting for a person's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PermissionRequest {
    /// The id of the request. It is unique and stays the same after a restart.
    pub id: RequestId,
    /// The task that is waiting.
    pub task: TaskId,
    /// The conversation of that task.
    pub session: SessionId,
    /// The call that is waiting. If several calls are asked about together, it is the first of them.
    pub call: CallId,
    /// The name of the tool.
    pub tool: String,
    /// What the call will do, in one sentence.
    pub summary: Phrase,
    /// The details of the call.
    pub details: RequestDetails,
    /// How harmful the call could be.
    pub risk: Risk,
    /// The reasons why a person is asked.
    pub reasons: Vec<Phrase>,
    /// The digest that an answer is bound to. It covers the tool, its parameters, the folder and the confinement.
    pub digest: Digest,
    /// The ways to allow the call. Denying it and asking for a change are always possible; any other answer is refused.
    pub offered: Vec<Offer>,
    /// When the request was made.
    pub created_at_ms: i64,
    /// When the request expires. Its task then waits until a person resumes it, and asks again.
    pub expires_at_ms: i64,
}

impl PermissionRequest {
    /// Returns the calls that are waiting for the answer, in the order of the plan.
    pub fn calls(&self) -> Vec<&CallId> {
        match self.details.steps.as_slice() {
            [] => vec![&self.call],
            steps => steps.iter().map(|step| &step.call).collect(),
        }
    }
}

/// The details of a permission request, as data for screens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RequestDetails {
    /// The real path of the folder that the call runs in.
    pub cwd: String,
    /// The command that bash would run, with control characters escaped. Absent if the call is not a command.
    #[serde(default)]
    pub command: Option<String>,
    /// Every simple command, path and host of the call with its own decision. Calls that are asked about together have
    /// their own.
    pub parts: Vec<Part>,
    /// Whether the command keeps running after the call, until it is stopped or the task ends.
    #[serde(default)]
    pub background: bool,
    /// The task's folder. Absent unless the call runs in a different folder.
    #[serde(default)]
    pub away_from: Option<String>,
    /// The time limit in seconds that the call sets for its command. Absent if the default limit applies or the call
    /// is not a command.
    #[serde(default)]
    pub time_limit_secs: Option<u64>,
    /// The unified diff of the change. Absent if the call has none.
    #[serde(default)]
    pub diff: Option<String>,
    /// Calls of one plan that are asked about together, in its order. There are at least two. Empty for any other
    /// request.
    #[serde(default, alias = "edits")]
    pub steps: Vec<RequestedStep>,
    /// The plan of file operations that the call executes, with the trees before and after. Absent if the call does
    /// not execute a plan. The digest of the request covers it.
    #[serde(default)]
    pub plan: Option<Box<RequestedPlan>>,
    /// What the operating system allows the call to do.
    pub confinement: Confinement,
    /// The files that the command could change and that undo could not restore. Absent if there are none.
    #[serde(default)]
    pub not_kept: Option<Box<NotKept>>,
    /// When the user refused a call of the same task that touches the same paths, in milliseconds since the epoch. Absent
    /// if there is none. Only a person allows such a call, not a standing consent.
    #[serde(default)]
    pub refused_at_ms: Option<i64>,
    /// What the running call wants to access outside its sandbox. Absent for a call that has not started.
    #[serde(default)]
    pub wanted: Option<Box<WantedAccess>>,
}

/// A plan of file operations, as shown in a permission request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RequestedPlan {
    /// The operations, each with the risk of its kind.
    pub plan: OrganizePlan,
    /// The folders before and after the plan. Absent if they contain too many files to show.
    #[serde(default)]
    pub trees: Option<DraftTrees>,
}

/// One of several calls that are asked about together. An answer can leave it out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RequestedStep {
    /// The call.
    pub call: CallId,
    /// What the call will do, in one sentence.
    pub summary: Phrase,
    /// The command that bash would run, with control characters escaped. Absent if the call is not a command.
    #[serde(default)]
    pub command: Option<String>,
    /// The real path of the file that the call edits, with control characters escaped. Absent unless it edits one file.
    #[serde(default)]
    pub path: Option<String>,
    /// The unified diff of the change. Absent if the call has none.
    #[serde(default)]
    pub diff: Option<String>,
    /// Every simple command, path and host of the call with its own decision.
    #[serde(default)]
    pub parts: Vec<Part>,
    /// How harmful the call could be.
    pub risk: Risk,
    /// The digest of the call alone. If it has changed when the call is about to run, permission is requested again.
    pub digest: Digest,
}

/// An access by a running command that its sandbox refuses. Allowing it opens exactly this access for the rest of the
/// call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WantedAccess {
    /// The path of the program that tries the access, with control characters escaped.
    pub program: String,
    /// The kind of access.
    pub operation: AttemptKind,
    /// The real path of the target, with control characters escaped.
    pub path: String,
    /// What the call does, in one sentence.
    pub of: Phrase,
}

/// Files that a command could change and that are not saved for undo.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotKept {
    /// The number of files. A folder that was not searched counts as one.
    pub files: u64,
    /// The total size in bytes, as far as it is known.
    pub bytes: u64,
    /// Whether there are more files than were counted.
    pub and_more: bool,
    /// A few of the files with the reason, with control characters escaped.
    pub examples: Vec<Phrase>,
}

/// One way to allow a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Offer {
    /// How long the answer applies.
    pub lifetime: Lifetime,
    /// The rule that is remembered. Absent for `once`.
    #[serde(default)]
    pub rule: Option<GrantRule>,
    /// Whether the rule covers more than what is asked, such as further words or a whole folder.
    #[serde(default)]
    pub wider: bool,
    /// The offer, described for people, e.g. `cargo test … in /home/me/project, always`.
    pub label: Phrase,
}

/// An answer to a permission request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PermissionAnswer {
    /// The id of the request.
    pub request: RequestId,
    /// The digest of what the person saw.
    pub digest: Digest,
    /// Whether the call may run, and for how long the answer applies.
    pub choice: Choice,
    /// Who or what answered: a person at the host, a paired device, a standing consent, or the request's expiry.
    pub by: Answerer,
}

impl PermissionAnswer {
    /// Returns the text that a device signs; see [`DeviceAnswerer`].
    pub fn signed_text(&self, by: &DeviceAnswerer) -> String {
        let (choice, reason) = match &self.choice {
            Choice::Deny(deny) if deny.change => ("change".to_owned(), deny.reason.as_str()),
            Choice::Deny(deny) => ("deny".to_owned(), deny.reason.as_str()),
            Choice::Allow(allow) => (allow.signed_words(), ""),
        };
        let (device, expiry) = (&by.device, by.expires_at_ms);
        let (request, digest, nonce) = (&self.request, &self.digest, &by.nonce);
        format!("deputy-answer-1\n{device}\n{request}\n{digest}\n{choice}\n{expiry}\n{nonce}\n{reason}")
    }
}

impl AllowChoice {
    /// Returns the choice that allows all of a request, once.
    pub fn once() -> Self {
        Self { lifetime: Lifetime::Once(OnceLifetime {}), wider: false, dropped: Vec::new() }
    }

    /// Formats the choice as it appears in the signed text.
    fn signed_words(&self) -> String {
        let wider = if self.wider { "wider " } else { "" };
        let mut words = format!("allow {wider}{}", for_how_long(&self.lifetime));
        if !self.dropped.is_empty() {
            let dropped: Vec<&str> = self.dropped.iter().map(CallId::as_str).collect();
            words.push_str(&format!(" without {}", dropped.join(",")));
        }
        words
    }
}

/// Formats a lifetime as it appears in the signed text.
fn for_how_long(lifetime: &Lifetime) -> String {
    match lifetime {
        Lifetime::Once(_) => "once".to_owned(),
        Lifetime::Names(_) => "names".to_owned(),
        Lifetime::Task(lifetime) => format!("task {}", lifetime.task),
        Lifetime::Session(lifetime) => format!("session {}", lifetime.session),
        Lifetime::Minutes(lifetime) => format!("minutes {}", lifetime.minutes),
        Lifetime::Always(_) => "always".to_owned(),
    }
}

/// Whether a call may run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "choice", rename_all = "snake_case")]
pub enum Choice {
    /// The call may run.
    Allow(AllowChoice),
    /// The call may not run.
    Deny(DenyChoice),
}

/// Allows a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AllowChoice {
    /// How long the answer applies. The request must offer this lifetime.
    pub lifetime: Lifetime,
    /// Whether to choose the wider of two offers with this lifetime.
    #[serde(default)]
    pub wider: bool,
    /// The calls to leave out, in the order of the request. Only allowed with the lifetime `once`.
    /// Leaving out all of them is not allowed; deny the request instead.
    #[serde(default)]
    pub dropped: Vec<CallId>,
}

/// Denies a call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DenyChoice {
    /// The reason, which the planner receives. May be empty, unless the call is to be changed.
    #[serde(default)]
    pub reason: Phrase,
    /// Whether the planner is asked to submit the call again, changed as the reason says. Such an answer
    /// refuses this call alone, and nothing that the call touches.
    #[serde(default)]
    pub change: bool,
}

/// Who or what answered a permission request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Answerer {
    /// A person at a terminal or window of the host's own user.
    Local(LocalAnswerer),
    /// A person at a paired device, which signed the answer.
    Device(DeviceAnswerer),
    /// A standing consent that the user gave in advance with `--yes`.
    Standing(StandingAnswerer),
    /// The request expired without an answer.
    Expiry(ExpiryAnswerer),
    /// The request was withdrawn, because the user gave the task an instruction while it waited.
    Instruction(InstructionAnswerer),
}

/// A person at the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LocalAnswerer {
    /// The screen that the person used, e.g. `terminal`.
    pub screen: String,
}

/// A person at a paired device. The signature covers these lines, joined by line feeds: `deputy-answer-1`, device,
/// request, digest, choice, `expires_at_ms`, nonce, reason. The choice is `deny`, `change`, `allow once`, `allow
/// names`, `allow task ID`, `allow session ID`, `allow minutes N` or `allow always`. It is `allow wider …` for the wider offer, and `allow
/// once without CALL,CALL` if calls are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceAnswerer {
    /// The id of the device.
    pub device: DeviceId,
    /// The name of the device, filled in by the host.
    #[serde(default)]
    pub name: String,
    /// The time until which the answer is accepted: at most two minutes ahead on the host's clock.
    pub expires_at_ms: i64,
    /// A random text of at least 16 characters that is never reused.
    pub nonce: String,
    /// The signature in base64url: P-256 with SHA-256, `r` and `s` of 32 bytes each.
    pub signature: String,
}

/// Who answered a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Responder {
    /// A person at a terminal or window of the host's own user.
    Local(LocalAnswerer),
    /// A person at a paired device. Answers to questions are not signed; the device is that of the connection.
    Device(DeviceResponder),
}

/// A person at a paired device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceResponder {
    /// The id of the device.
    pub device: DeviceId,
    /// The name of the device.
    pub name: String,
}

/// A standing consent for requests up to a risk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StandingAnswerer {
    /// The highest risk that the consent covers.
    pub up_to: Risk,
}

/// The request expired without an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExpiryAnswerer {}

/// The request was withdrawn, because the user gave the task an instruction while it waited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InstructionAnswerer {}

/// A question from the planner, or from one of the agent's brakes, that is waiting for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// The id of the question.
    pub id: RequestId,
    /// The task that is waiting.
    pub task: TaskId,
    /// The text of the question.
    pub text: Phrase,
    /// The answers to choose from. If empty, the answer is free text.
    #[serde(default)]
    pub choices: Vec<String>,
    /// When the question was asked.
    pub created_at_ms: i64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn edits_of_an_older_journal_are_read_as_steps() {
        let edit = json!({
            "call": "t1-1-1", "summary": "Write a.txt", "path": "/w/a.txt", "diff": "+a\n", "risk": "low", "digest": "d",
        });
        let details = json!({ "cwd": "/w", "parts": [], "edits": [edit], "confinement": "workspace" });
        let details: RequestDetails = serde_json::from_value(details).unwrap();
        let step = &details.steps[0];
        assert_eq!((step.path.as_deref(), step.diff.as_deref()), (Some("/w/a.txt"), Some("+a\n")));
        assert!(step.command.is_none() && step.parts.is_empty());
    }
}
