//! What a person is asked, and what they answer.

use crate::{
    AttemptKind, CallId, Confinement, DeviceId, Digest, DraftTrees, GrantRule, Lifetime, OnceLifetime,
    OrganizePlan, Part, Phrase, RequestId, Risk, SessionId, TaskId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A parked call that waits for a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PermissionRequest {
    /// Its id; unique, and the same after a restart.
    pub id: RequestId,
    /// The task that waits.
    pub task: TaskId,
    /// The session of that task.
    pub session: SessionId,
    /// The call that waits; the first of them where several edits are asked about together.
    pub call: CallId,
    /// The tool's name.
    pub tool: String,
    /// What will happen, in a sentence.
    pub summary: Phrase,
    /// The thing itself.
    pub details: RequestDetails,
    /// How bad it could be.
    pub risk: Risk,
    /// Why it is asked.
    pub reasons: Vec<Phrase>,
    /// What an answer binds to: tool, parameters, folder, confinement.
    pub digest: Digest,
    /// The answers alongside `deny` that are open to the person; an answer that is not among them is refused.
    pub offered: Vec<Offer>,
    /// When it was asked.
    pub created_at_ms: i64,
    /// From when it counts as denied.
    pub expires_at_ms: i64,
}

impl PermissionRequest {
    /// The calls that wait for its answer, in the order of the plan.
    pub fn calls(&self) -> Vec<&CallId> {
        match self.details.edits.as_slice() {
            [] => vec![&self.call],
            edits => edits.iter().map(|edit| &edit.call).collect(),
        }
    }
}

/// What a request is about, as data for screens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RequestDetails {
    /// Real path of the folder it runs in.
    pub cwd: String,
    /// The text that bash would get, control characters escaped; only for commands.
    #[serde(default)]
    pub command: Option<String>,
    /// Every simple command, path and host with its own decision.
    pub parts: Vec<Part>,
    /// Whether the command keeps running after the call, until it is stopped or the task ends.
    #[serde(default)]
    pub background: bool,
    /// The folder of the task, where it runs in another one.
    #[serde(default)]
    pub away_from: Option<String>,
    /// Seconds after which it is ended, where the call names others than it would get otherwise; only for commands.
    #[serde(default)]
    pub time_limit_secs: Option<u64>,
    /// Unified diff of the change.
    #[serde(default)]
    pub diff: Option<String>,
    /// The edits of several calls, in the order of the plan, where they are asked about together: two or more, each of
    /// another file. Empty for every other request.
    #[serde(default)]
    pub edits: Vec<RequestedEdit>,
    /// The plan of file operations that it executes, with both trees, where it is one. The request's digest covers it.
    #[serde(default)]
    pub plan: Option<Box<RequestedPlan>>,
    /// What the operating system will let it do.
    pub confinement: Confinement,
    /// What a command could change there that undo could not bring back; absent when there is nothing of that kind.
    #[serde(default)]
    pub not_kept: Option<Box<NotKept>>,
    /// What the call wants, where it runs already and waits at one of its walls. Absent for a call that has not started.
    #[serde(default)]
    pub wanted: Option<Box<WantedAccess>>,
}

/// A plan of file operations as a request shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RequestedPlan {
    /// The operations, each with the risk of its kind.
    pub plan: OrganizePlan,
    /// The folders before it and after it; absent where they hold too much to be drawn.
    #[serde(default)]
    pub trees: Option<DraftTrees>,
}

/// One of several edits that are asked about together. An answer can leave it out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RequestedEdit {
    /// The call that makes it.
    pub call: CallId,
    /// What will happen, in a sentence.
    pub summary: Phrase,
    /// Real path of the file; control characters escaped.
    pub path: String,
    /// Unified diff of the change.
    pub diff: String,
    /// How bad it could be.
    pub risk: Risk,
    /// What the call itself is bound to: where that has changed when it is about to run, it is asked about again.
    pub digest: Digest,
}

/// What a running command wants that its walls refuse: a yes opens exactly that to the rest of this call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WantedAccess {
    /// The program that wants it, by its path; control characters escaped.
    pub program: String,
    /// What it tries.
    pub operation: AttemptKind,
    /// On what: a real path; control characters escaped.
    pub path: String,
    /// What the call is, in a sentence.
    pub of: Phrase,
}

/// Files that a command could change and that are not kept for undo.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotKept {
    /// How many; a folder that was not looked into counts as one.
    pub files: u64,
    /// Their size together, as far as it is known.
    pub bytes: u64,
    /// Whether there is more than was counted.
    pub and_more: bool,
    /// A few of them with the reason, control characters escaped.
    pub examples: Vec<Phrase>,
}

/// One way to say yes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Offer {
    /// How long it would hold.
    pub lifetime: Lifetime,
    /// What would be remembered; absent for `once`.
    #[serde(default)]
    pub rule: Option<GrantRule>,
    /// Whether more is remembered than exactly what is asked: further words, or a folder.
    #[serde(default)]
    pub wider: bool,
    /// The offer in words, e.g. `cargo test … in /home/me/project, always`.
    pub label: Phrase,
}

/// A person's choice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PermissionAnswer {
    /// Which request.
    pub request: RequestId,
    /// The digest of what the person saw.
    pub digest: Digest,
    /// Yes or no.
    pub choice: Choice,
    /// Who answered.
    pub by: Answerer,
}

impl PermissionAnswer {
    /// What a device signs; see [`DeviceAnswerer`].
    pub fn signed_text(&self, by: &DeviceAnswerer) -> String {
        let (choice, reason) = match &self.choice {
            Choice::Deny(deny) => ("deny".to_owned(), deny.reason.as_str()),
            Choice::Allow(allow) => (allow.signed_words(), ""),
        };
        let (device, expiry) = (&by.device, by.expires_at_ms);
        let (request, digest, nonce) = (&self.request, &self.digest, &by.nonce);
        format!("deputy-answer-1\n{device}\n{request}\n{digest}\n{choice}\n{expiry}\n{nonce}\n{reason}")
    }
}

impl AllowChoice {
    /// A yes to all of a request, for this time alone.
    pub fn once() -> Self {
        Self { lifetime: Lifetime::Once(OnceLifetime {}), wider: false, dropped: Vec::new() }
    }

    /// As it is in what a device signs.
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

/// A lifetime as it is in what a device signs.
fn for_how_long(lifetime: &Lifetime) -> String {
    match lifetime {
        Lifetime::Once(_) => "once".to_owned(),
        Lifetime::Task(lifetime) => format!("task {}", lifetime.task),
        Lifetime::Session(lifetime) => format!("session {}", lifetime.session),
        Lifetime::Minutes(lifetime) => format!("minutes {}", lifetime.minutes),
        Lifetime::Always(_) => "always".to_owned(),
    }
}

/// Yes or no.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "choice", rename_all = "snake_case")]
pub enum Choice {
    /// It may run.
    Allow(AllowChoice),
    /// It may not.
    Deny(DenyChoice),
}

/// It may run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AllowChoice {
    /// For how long; must be among the request's offers.
    pub lifetime: Lifetime,
    /// Whether the wider of two offers for that long is meant.
    #[serde(default)]
    pub wider: bool,
    /// The edits of the request that are left out, by their calls and in the request's order; only with `once`, and never
    /// all of them, which is a no.
    #[serde(default)]
    pub dropped: Vec<CallId>,
}

/// It may not run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DenyChoice {
    /// Sent to the planner.
    #[serde(default)]
    pub reason: Phrase,
}

/// Who answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Answerer {
    /// The person at a terminal or window of the host's own user.
    Local(LocalAnswerer),
    /// The person at a paired device, which has signed the answer.
    Device(DeviceAnswerer),
    /// What the person said beforehand with `--yes`.
    Standing(StandingAnswerer),
    /// Nobody in time.
    Expiry(ExpiryAnswerer),
}

/// The person at the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LocalAnswerer {
    /// Which screen, e.g. `terminal`.
    pub screen: String,
}

/// The person at a paired device. The signature is over these lines, each ended by a line feed but the last:
/// `deputy-answer-1`, device, request, digest, choice, `expires_at_ms`, nonce, reason. The choice is `deny`,
/// `allow once`, `allow task ID`, `allow session ID`, `allow minutes N` or `allow always`; `allow wider …` for the wider offer,
/// `allow once without CALL,CALL` where edits are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceAnswerer {
    /// Which device.
    pub device: DeviceId,
    /// Its name, filled in by the host.
    #[serde(default)]
    pub name: String,
    /// Until when the answer can be handed in: at most two minutes on the host's clock.
    pub expires_at_ms: i64,
    /// Random, at least 16 characters, never used again.
    pub nonce: String,
    /// P-256, SHA-256, `r` and `s` of 32 bytes each, in base64url.
    pub signature: String,
}

/// A standing consent up to a risk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StandingAnswerer {
    /// Highest risk that it covers.
    pub up_to: Risk,
}

/// Nobody answered in time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExpiryAnswerer {}

/// A question of the planner's, or of the loop's own brakes, that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// Its id.
    pub id: RequestId,
    /// The task that waits.
    pub task: TaskId,
    /// The question.
    pub text: Phrase,
    /// Answers to choose from; free text where empty.
    #[serde(default)]
    pub choices: Vec<String>,
    /// When it was asked.
    pub created_at_ms: i64,
}
