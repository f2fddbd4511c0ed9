//! Asking during a call: a running command needs something that its confinement refuses, waits, and a person is asked
//! about exactly that.
//!
//! The request is bound to the running call by a separate digest. It always ends with an answer in the journal: by a
//! person, by the timeout, or a denial by the host if the call ended, the task was stopped or the host died.

use super::{Asker, expires_at_ms, refused_at_ms, texts};
use crate::driver::DriverError;
use crate::driver::folder_walls::FolderWalls;
use crate::driver::journal::TaskJournal;
use crate::driver::judge::Judged;
use crate::ids;
use deputy_messages::agent as say;
use deputy_policy::Situation;
use deputy_policy::path::{Openable, openable};
use deputy_protocol::{
    CallId, Choice, Confinement, Decision, Digest, Lifetime, Offer, OnceLifetime, Part, PartKind,
    PermissionAnswered, PermissionRequest, PermissionRequested, Phrase, RequestDetails, RequestId, TaskEvent,
    TaskSpec, WantedAccess,
};
use deputy_sandbox::{Attempt, Reply, Wanted};
use deputy_store::StoreError;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// The connection from the confinement of a running call to its driver.
#[derive(Clone)]
pub(in crate::driver) struct Door {
    call: Arc<AskingCall>,
    wishes: Wishes,
}

/// The channel for the wishes of running calls.
pub(in crate::driver) type Wishes = mpsc::UnboundedSender<Wish>;

/// A running call, as it was approved.
struct AskingCall {
    id: CallId,
    tool: String,
    digest: Digest,
    summary: Phrase,
    confinement: Confinement,
    situation: Situation,
    walls: Option<Arc<FolderWalls>>,
}

impl AskingCall {
    /// Returns the consequences of opening a path to the call, or `None` if nobody may be asked.
    fn openable(&self, real: &Path, changes: bool, is_outside: bool) -> Option<Openable> {
        let opened = openable(&self.situation, real, changes, is_outside);
        opened.or_else(|| self.walls.as_ref().filter(|_| changes)?.openable(real))
    }
}

/// What a call wants, and where to send the answer.
pub(in crate::driver) struct Wish {
    call: Arc<AskingCall>,
    wanted: Wanted,
    reply: Reply,
}

impl Door {
    pub(in crate::driver) fn new(
        id: &CallId,
        tool: &str,
        judged: &Judged,
        walls: Option<Arc<FolderWalls>>,
        wishes: Wishes,
    ) -> Self {
        let call = AskingCall {
            id: id.clone(),
            tool: tool.to_owned(),
            digest: judged.digest.clone(),
            summary: judged.facts.summary.clone(),
            confinement: judged.ruling.verdict.confinement,
            situation: judged.situation.clone(),
            walls,
        };
        Self { call: Arc::new(call), wishes }
    }

    pub(in crate::driver) fn may_ask(&self, operation: Attempt, real: &Path, is_outside: bool) -> bool {
        let changes = operation == Attempt::Write;
        operation != Attempt::Execute && self.call.openable(real, changes, is_outside).is_some()
    }

    pub(in crate::driver) fn ask(&self, wanted: Wanted, reply: Reply) {
        // If the call has ended, the reply is dropped with the wish, which counts as a denial.
        let _ = self.wishes.send(Wish { call: Arc::clone(&self.call), wanted, reply });
    }
}

/// An open request of a running call.
struct OpenMidway {
    request: PermissionRequest,
    wanted: Wanted,
    reply: Reply,
    since: Instant,
}

/// The state of the requests that a task makes during its calls.
#[derive(Default)]
pub(super) struct Midway {
    open: Option<OpenMidway>,
    /// What a person denied. It is not asked again in this task.
    refused: Vec<(PathBuf, Attempt, PathBuf)>,
    /// How long the running calls have waited.
    waited: Duration,
}

impl Midway {
    fn has_refused(&self, wanted: &Wanted) -> bool {
        let same = |(program, operation, path): &(PathBuf, Attempt, PathBuf)| {
            (program, *operation, path) == (&wanted.program, wanted.operation, &wanted.path)
        };
        self.refused.iter().any(same)
    }

    fn take(&mut self) -> Option<OpenMidway> {
        let open = self.open.take()?;
        self.waited += open.since.elapsed();
        Some(open)
    }
}

impl Asker {
    /// Resets the waiting time when other calls begin. `revealed` has the secrets that a person opened to them: what was
    /// refused of these before may be asked again.
    pub(in crate::driver) fn begin_calls<'a>(&mut self, revealed: impl Iterator<Item = &'a PathBuf>) {
        self.midway.waited = Duration::ZERO;
        for opened in revealed {
            self.midway.refused.retain(|(_, _, path)| path != opened);
        }
    }

    /// Returns whether a running call waits for a person.
    pub(in crate::driver) fn is_asking_midway(&self) -> bool {
        self.midway.open.is_some()
    }

    /// Returns when the open request of a running call expires.
    pub(in crate::driver) fn midway_expires_at_ms(&self) -> Option<i64> {
        self.midway.open.as_ref().map(|open| open.request.expires_at_ms)
    }

    /// Asks a person about what a running call wants. If it is not possible to ask, the call is refused.
    pub(in crate::driver) async fn ask_midway(
        &mut self,
        journal: &mut TaskJournal,
        wish: Wish,
    ) -> Result<(), DriverError> {
        let Wish { call, wanted, reply } = wish;
        let is_stopping = journal.machine().is_stopping();
        if is_stopping || self.midway.has_refused(&wanted) {
            reply.refuse(if is_stopping { say::task_being_stopped() } else { say::refused_before() });
            return Ok(());
        }
        let spec = journal.machine().spec();
        let Some(mut request) = midway_request(spec, &call, &wanted, self.core.now_ms()) else {
            return Ok(());
        };
        let changed = if wanted.operation == Attempt::Write { vec![wanted.path.clone()] } else { Vec::new() };
        request.details.refused_at_ms = refused_at_ms(&call.situation, &changed);
        let touches = texts(&changed);
        // No consent in advance covers what a program wants beyond its walls.
        let asked = PermissionRequested { request: request.clone(), touches };
        match journal.write(vec![TaskEvent::PermissionRequested(asked)]).await {
            Ok(()) => {
                let since = Instant::now();
                self.midway.open = Some(OpenMidway { request, wanted, reply, since });
            }
            Err(StoreError::InboxFull { .. }) => reply.refuse(say::too_many_requests()),
            Err(StoreError::AskedAlready { .. }) => reply.refuse(say::asked_already()),
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// Passes an answer to the waiting call.
    pub(in crate::driver) fn answered_midway(&mut self, answered: &PermissionAnswered) {
        if self.midway.open.as_ref().is_none_or(|open| open.request.id != answered.request) {
            return;
        }
        let Some(OpenMidway { wanted, reply, .. }) = self.midway.take() else { return };
        match &answered.choice {
            Choice::Allow(_) => reply.allow(),
            Choice::Deny(deny) => {
                reply.refuse(&deny.reason);
                self.midway.refused.push((wanted.program, wanted.operation, wanted.path));
            }
        }
    }

    /// Ends an open request without a person.
    pub(in crate::driver) async fn end_midway(
        &mut self,
        journal: &mut TaskJournal,
        why: Phrase,
    ) -> Result<(), DriverError> {
        let Some(OpenMidway { request, reply, .. }) = self.midway.take() else { return Ok(()) };
        reply.refuse(&why);
        self.close_request(journal, &request, why).await
    }

    /// Denies what a call that has ended still asks. Returns how long calls have waited for a person.
    pub(in crate::driver) async fn call_ended(
        &mut self,
        journal: &mut TaskJournal,
        call: &CallId,
    ) -> Result<Duration, DriverError> {
        if self.midway.open.as_ref().is_some_and(|open| open.request.call == *call) {
            self.end_midway(journal, say::command_ended_first()).await?;
        }
        Ok(self.midway.waited)
    }

    /// Closes the requests of calls that died with their process.
    pub(in crate::driver) async fn close_lost_midway(
        &mut self,
        journal: &mut TaskJournal,
    ) -> Result<(), DriverError> {
        self.midway.open = None;
        let task = journal.task().clone();
        let is_lost = |one: &PermissionRequest| one.task == task && one.details.wanted.is_some();
        for request in self.core.store.open_requests()?.into_iter().filter(is_lost) {
            self.close_request(journal, &request, say::cut_off_waiting()).await?;
        }
        Ok(())
    }

    async fn close_request(
        &self,
        journal: &mut TaskJournal,
        request: &PermissionRequest,
        why: Phrase,
    ) -> Result<(), DriverError> {
        journal.commit().await?;
        self.deny(journal, request, why).await
    }
}

/// Builds the request for a path that a running call wants.
fn midway_request(
    spec: &TaskSpec,
    call: &AskingCall,
    wanted: &Wanted,
    now_ms: i64,
) -> Option<PermissionRequest> {
    let changes = wanted.operation == Attempt::Write;
    // For what is protected individually, it makes no difference whether the path is outside.
    let openable = call.openable(&wanted.path, changes, !changes)?;
    let [program, path] = [&wanted.program, &wanted.path].map(|path| shown(path));
    let name = wanted.program.file_name().map_or_else(|| program.clone(), |name| shown(name.as_ref()));
    let near = shown(&shortened(&wanted.path, &call.situation));
    let summary = if changes { say::wants_to_change(near, name) } else { say::wants_to_read(near, name) };
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
        label: deputy_messages::policy::offer_once(),
    };
    Some(PermissionRequest {
        id: RequestId(ids::fresh('r')),
        task: spec.id.clone(),
        session: spec.session.clone(),
        call: call.id.clone(),
        tool: call.tool.clone(),
        summary,
        details: RequestDetails {
            cwd: call.situation.cwd.to_string_lossy().into_owned(),
            command: None,
            parts: vec![part],
            background: false,
            diff: None,
            steps: Vec::new(),
            plan: None,
            confinement: call.confinement,
            not_kept: None,
            away_from: None,
            time_limit_secs: None,
            refused_at_ms: None,
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
        expires_at_ms: expires_at_ms(spec, now_ms),
    })
}

/// Formats a path for display, with control characters escaped.
fn shown(path: &Path) -> String {
    deputy_policy::visible(&path.to_string_lossy())
}

/// Shortens a path below the workspace or the home for display.
fn shortened(path: &Path, situation: &Situation) -> PathBuf {
    let real = |folder: &Path| folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    match (path.strip_prefix(real(&situation.workspace)), path.strip_prefix(real(&situation.home))) {
        (Ok(below), _) => below.to_owned(),
        (_, Ok(below)) => Path::new("~").join(below),
        _ => path.to_owned(),
    }
}
