//! Asking in the middle of a call: a command that runs wants what its walls refuse, waits there, and a person is asked
//! about exactly that.
//!
//! The request is bound to the running call by a digest of its own. It ends with an answer in the journal, whatever
//! happens: a person's, the clock's, or the host's own no where the call ended, the task was stopped or the host died.

use super::rule::Judged;
use super::{Driver, DriverError};
use crate::ids;
use deputy_policy::Situation;
use deputy_policy::path::openable;
use deputy_protocol::{
    Answerer, CallId, Choice, Confinement, Decision, DenyChoice, Digest, ExpiryAnswerer, Lifetime, Offer,
    OnceLifetime, Part, PartKind, PermissionAnswered, PermissionRequest, PermissionRequested, RequestDetails,
    RequestId, TaskEvent, WantedAccess,
};
use deputy_sandbox::{Attempt, Reply, Wanted};
use deputy_store::StoreError;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// The way from the walls of a running call to its driver.
#[derive(Clone)]
pub(super) struct Door {
    call: Arc<AskingCall>,
    wishes: Wishes,
}

/// Where wishes of running calls go.
pub(super) type Wishes = mpsc::UnboundedSender<Wish>;

/// A call that runs, as a person agreed to it.
struct AskingCall {
    id: CallId,
    tool: String,
    digest: Digest,
    summary: String,
    confinement: Confinement,
    situation: Situation,
}

/// What a call wants, and who takes the answer.
pub(super) struct Wish {
    call: Arc<AskingCall>,
    wanted: Wanted,
    reply: Reply,
}

impl Door {
    pub(super) fn new(id: &CallId, tool: &str, judged: &Judged, wishes: Wishes) -> Self {
        let call = AskingCall {
            id: id.clone(),
            tool: tool.to_owned(),
            digest: judged.digest.clone(),
            summary: judged.facts.summary.clone(),
            confinement: judged.ruling.verdict.confinement,
            situation: judged.situation.clone(),
        };
        Self { call: Arc::new(call), wishes }
    }

    pub(super) fn may_ask(&self, operation: Attempt, real: &Path, is_outside: bool) -> bool {
        let changes = operation == Attempt::Write;
        operation != Attempt::Execute && openable(&self.call.situation, real, changes, is_outside).is_some()
    }

    pub(super) fn ask(&self, wanted: Wanted, reply: Reply) {
        // Where the call has ended the reply is dropped with the wish, which is a no.
        let _ = self.wishes.send(Wish { call: Arc::clone(&self.call), wanted, reply });
    }
}

/// A request in the middle of a call, which waits for its answer.
pub(super) struct Midway {
    request: PermissionRequest,
    wanted: Wanted,
    reply: Reply,
    since: Instant,
}

/// What a task has asked in the middle of its calls.
#[derive(Default)]
pub(super) struct Asked {
    open: Option<Midway>,
    /// What a person said no to; they are not asked again in this task.
    refused: Vec<(PathBuf, Attempt, PathBuf)>,
    /// How long the calls that run have waited.
    pub(super) waited: Duration,
}

impl Asked {
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// When the open request counts as denied.
    pub(super) fn expires_at_ms(&self) -> Option<i64> {
        self.open.as_ref().map(|open| open.request.expires_at_ms)
    }

    fn has_refused(&self, wanted: &Wanted) -> bool {
        let same = |(program, operation, path): &(PathBuf, Attempt, PathBuf)| {
            (program, *operation, path) == (&wanted.program, wanted.operation, &wanted.path)
        };
        self.refused.iter().any(same)
    }

    fn take(&mut self) -> Option<Midway> {
        let open = self.open.take()?;
        self.waited += open.since.elapsed();
        Some(open)
    }
}

impl Driver {
    /// Asks a person about what a running call wants. Where nobody can be asked the call is refused it.
    pub(super) async fn ask_midway(&mut self, wish: Wish) -> Result<(), DriverError> {
        let Wish { call, wanted, reply } = wish;
        if self.machine.is_stopping() || self.asked.has_refused(&wanted) {
            let is_stopping = self.machine.is_stopping();
            reply.refuse(if is_stopping { "the task is being stopped" } else { "they said no before" });
            return Ok(());
        }
        let Some(request) = self.midway_request(&call, &wanted) else { return Ok(()) };
        let answer = self.consented(&request);
        let is_allowed = answer.is_some();
        let mut events =
            vec![TaskEvent::PermissionRequested(PermissionRequested { request: request.clone() })];
        events.extend(answer.map(TaskEvent::PermissionAnswered));
        match self.write(events).await {
            Ok(()) if is_allowed => reply.allow(),
            Ok(()) => {
                self.asked.open = Some(Midway { request, wanted, reply, since: Instant::now() });
                // Others work meanwhile.
                self.slot = None;
            }
            Err(StoreError::InboxFull { .. }) => reply.refuse("too many requests are open"),
            Err(StoreError::AskedAlready { .. }) => reply.refuse("it is asked already"),
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn midway_request(&self, call: &AskingCall, wanted: &Wanted) -> Option<PermissionRequest> {
        let spec = self.machine.spec();
        let changes = wanted.operation == Attempt::Write;
        // Whether it lies outside makes no difference to what is guarded for itself.
        let openable = openable(&call.situation, &wanted.path, changes, !changes)?;
        let [program, path] = [&wanted.program, &wanted.path].map(|path| shown(path));
        let name = wanted.program.file_name().map_or_else(|| program.clone(), |name| shown(name.as_ref()));
        let what = if changes { "change" } else { "read" };
        let near = shown(&shortened(&wanted.path, &call.situation));
        let bound = serde_json::json!({
            "call": call.id, "digest": call.digest, "operation": wanted.operation, "path": wanted.path,
        });
        let part = Part {
            kind: if changes { PartKind::Write } else { PartKind::Read },
            text: path.clone(),
            decision: Decision::Ask,
            risk: openable.risk,
            reason: openable.reasons.first().cloned().unwrap_or_default(),
        };
        let once = Offer {
            lifetime: Lifetime::Once(OnceLifetime {}),
            rule: None,
            wider: false,
            label: "Once".into(),
        };
        let now_ms = self.core.now_ms();
        let expiry_ms =
            i64::try_from(spec.limits.request_expiry_secs.saturating_mul(1000)).unwrap_or(i64::MAX / 2);
        Some(PermissionRequest {
            id: RequestId(ids::fresh('r')),
            task: spec.id.clone(),
            session: spec.session.clone(),
            call: call.id.clone(),
            tool: call.tool.clone(),
            summary: format!("{name} wants to {what} {near}"),
            details: RequestDetails {
                cwd: call.situation.cwd.to_string_lossy().into_owned(),
                command: None,
                parts: vec![part],
                background: false,
                diff: None,
                edits: Vec::new(),
                confinement: call.confinement,
                not_kept: None,
                away_from: None,
                time_limit_secs: None,
                wanted: Some(Box::new(WantedAccess {
                    program,
                    operation: wanted.operation,
                    path,
                    of: call.summary.clone(),
                })),
            },
            risk: openable.risk,
            reasons: openable.reasons,
            digest: deputy_policy::digest("access", &bound, &call.situation.cwd, call.confinement),
            offered: vec![once],
            created_at_ms: now_ms,
            expires_at_ms: now_ms.saturating_add(expiry_ms),
        })
    }

    /// Hands an answer to the call that waits for it.
    pub(super) fn answered_midway(&mut self, answered: &PermissionAnswered) {
        if self.asked.open.as_ref().is_none_or(|open| open.request.id != answered.request) {
            return;
        }
        let Some(Midway { wanted, reply, .. }) = self.asked.take() else { return };
        match &answered.choice {
            Choice::Allow(_) => reply.allow(),
            Choice::Deny(deny) => {
                reply.refuse(&deny.reason);
                self.asked.refused.push((wanted.program, wanted.operation, wanted.path));
            }
        }
    }

    /// Ends an open request without a person.
    pub(super) async fn end_midway(&mut self, why: &str) -> Result<(), DriverError> {
        let Some(Midway { request, reply, .. }) = self.asked.take() else { return Ok(()) };
        reply.refuse(why);
        self.close_request(&request, why).await
    }

    /// As [`Driver::end_midway`], where it is this call that waits.
    pub(super) async fn end_midway_of(&mut self, call: &CallId) -> Result<(), DriverError> {
        if self.asked.open.as_ref().is_some_and(|open| open.request.call == *call) {
            self.end_midway("the command ended first").await?;
        }
        Ok(())
    }

    /// Closes what calls asked that died with their process.
    pub(super) async fn close_lost_midway(&mut self) -> Result<(), DriverError> {
        self.asked.open = None;
        let task = self.task.clone();
        let is_lost = |one: &PermissionRequest| one.task == task && one.details.wanted.is_some();
        for request in self.core.store.open_requests()?.into_iter().filter(is_lost) {
            self.close_request(&request, "Deputy was cut off while it waited").await?;
        }
        Ok(())
    }

    async fn close_request(&mut self, request: &PermissionRequest, why: &str) -> Result<(), DriverError> {
        self.commit().await?;
        let choice = Choice::Deny(DenyChoice { reason: why.to_owned() });
        self.answer(request, choice, Answerer::Expiry(ExpiryAnswerer {})).await
    }
}

/// For people: control characters escaped.
fn shown(path: &Path) -> String {
    deputy_policy::visible(&path.to_string_lossy())
}

/// Below the workspace or the home as people write it.
fn shortened(path: &Path, situation: &Situation) -> PathBuf {
    let real = |folder: &Path| folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    match (path.strip_prefix(real(&situation.workspace)), path.strip_prefix(real(&situation.home))) {
        (Ok(below), _) => below.to_owned(),
        (_, Ok(below)) => Path::new("~").join(below),
        _ => path.to_owned(),
    }
}
