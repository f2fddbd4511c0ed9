//! Asking a person: permission requests and questions, standing consent, room in the inbox, and the expiry of requests.

mod at_stake;
mod inbox;
mod midway;
mod together;

pub(crate) use inbox::Line;
pub(super) use midway::{Door, Wish, Wishes};

use super::DriverError;
use super::journal::TaskJournal;
use super::judge::{Judge, Judged};
use super::review;
use super::run::UndoSnapshot;
use crate::core::Core;
use crate::ids;
use crate::machine::{Machine, Need};
use crate::redact;
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_policy::{Refusal, Situation};
use deputy_protocol::{
    Access, AllowChoice, Answerer, CallId, Choice, Decision, DenyChoice, ExpiryAnswerer, InstructionAnswerer,
    PauseReason, Paused, PermissionAnswer, PermissionAnswered, PermissionRequest, PermissionRequested,
    Question, QuestionAsked, RequestDetails, RequestId, Risk, StandingAnswerer, TaskEvent, TaskSpec,
    ToolCall, Verdict,
};
use deputy_store::{Answered, Place, StoreError};
use inbox::why;
use midway::Midway;
use std::cmp::Reverse;
use std::path::PathBuf;
use std::sync::Arc;
use together::Joined;

/// The maximum number of earlier refusals that are shown with a command.
const MOST_REFUSALS_TOLD: usize = 3;

/// Asks for one task.
pub(super) struct Asker {
    core: Arc<Core>,
    /// The requests of running calls.
    midway: Midway,
}

/// The outcome of asking.
pub(super) enum Asking {
    /// It was asked, or does not need to be asked any more.
    Done,
    /// The inbox has no room now.
    NoPlace(Place),
}

impl Asker {
    pub(super) fn new(core: Arc<Core>) -> Self {
        Self { core, midway: Midway::default() }
    }

    /// Parks a call until a person answers, or until there is room to ask.
    pub(super) async fn ask_permission(
        &self,
        journal: &mut TaskJournal,
        judge: &mut Judge,
        id: &CallId,
    ) -> Result<(), DriverError> {
        let has_consent = journal.machine().spec().standing_consent.is_some();
        let asking = match self.core.line.is_standing() && !has_consent {
            true => Asking::NoPlace(Place::Full),
            false => self.ask(journal, judge, id, Vec::new()).await?,
        };
        self.park(journal, asking, PauseReason::Permission).await
    }

    /// Asks the user a question, or parks the task until there is room.
    pub(super) async fn ask_question(
        &self,
        journal: &mut TaskJournal,
        need: &Need,
    ) -> Result<(), DriverError> {
        let asking = match self.core.question_line.is_standing() {
            true => Asking::NoPlace(Place::Full),
            false => self.question(journal, need, Vec::new()).await?,
        };
        self.park(journal, asking, PauseReason::Question).await
    }

    /// Parks the task if there was no room.
    async fn park(
        &self,
        journal: &mut TaskJournal,
        asking: Asking,
        reason: PauseReason,
    ) -> Result<(), DriverError> {
        if let Asking::NoPlace(place) = asking {
            let message = why(&place, reason);
            journal.emit(TaskEvent::Paused(Paused { reason, message, budget: None }));
            journal.commit().await?;
        }
        Ok(())
    }

    /// Asks a question in one transaction with the events before. If there is no room, nothing is written.
    async fn question(
        &self,
        journal: &mut TaskJournal,
        need: &Need,
        before: Vec<TaskEvent>,
    ) -> Result<Asking, DriverError> {
        let question = Question {
            id: RequestId(ids::fresh('q')),
            task: journal.task().clone(),
            text: need.text(),
            choices: need.choices(),
            created_at_ms: self.core.now_ms(),
        };
        let mut events = before;
        events.push(TaskEvent::QuestionAsked(QuestionAsked { question }));
        write_or_leave(journal, events).await
    }

    /// Asks about a call in one transaction with the events before. If there is no room, nothing is written.
    async fn ask(
        &self,
        journal: &mut TaskJournal,
        judge: &mut Judge,
        id: &CallId,
        before: Vec<TaskEvent>,
    ) -> Result<Asking, DriverError> {
        let Some(call) = journal.call(id) else { return Ok(Asking::Done) };
        let Ok(judged) = judge.before_asking(journal.machine(), &call).await else {
            before.into_iter().for_each(|event| journal.emit(event));
            // The target has changed since the decision. Judging the call again reports this, or the next step asks.
            judge.look_at(journal, id).await;
            return Ok(Asking::Done);
        };
        // The request shows the current verdict. If it differs from the decision, it is journalled too.
        let journalled = journal.machine().call(id).and_then(|progress| progress.stage.ruled());
        let mut events = before;
        events.extend(judged.news(id, journalled));
        if judged.ruling.verdict.decision == Decision::Ask {
            let spec = journal.machine().spec();
            let mut request = self.request(spec, id, &call, &judged).await;
            let others = self.joined(journal.machine(), judge, &request, &judged).await;
            events.extend(others.iter().filter_map(|other| other.news(journal.machine())));
            let mut touches = judged.touches().to_vec();
            if !others.is_empty() {
                touches.extend(others.iter().flat_map(Joined::touches).cloned());
                request = together::together(request, &judged, others);
            }
            request.details.refused_at_ms = refused_at_ms(&judged.situation, &touches);
            tell_refusals(&mut request, &judged.situation, &touches);
            let answer = self.consented(journal.machine(), &request);
            events.push(TaskEvent::PermissionRequested(PermissionRequested {
                request,
                touches: texts(&touches),
            }));
            events.extend(answer.map(TaskEvent::PermissionAnswered));
        }
        write_or_leave(journal, events).await
    }

    /// Returns the calls after the one that asks that are asked about together with it. A person's consent
    /// covers all of them or none, and a reviewer looks at each by itself.
    async fn joined(
        &self,
        machine: &Machine,
        judge: &Judge,
        first: &PermissionRequest,
        judged: &Judged,
    ) -> Vec<Joined> {
        let spec = machine.spec();
        let is_reviewed = spec.standing_consent.and(review::reviewer(&self.core, machine)).is_some();
        let is_covered = |request: &PermissionRequest| spec.standing_consent >= Some(request.risk);
        let mut joined = Vec::new();
        if is_reviewed || !together::is_plain(first) {
            return joined;
        }
        for (call, other) in together::behind(machine, judge, &first.call, judged).await {
            let request = self.request(spec, &call.id, &call, &other).await;
            if is_covered(&request) != is_covered(first) || !together::is_like(&request, first) {
                break;
            }
            joined.push(Joined { request, judged: other });
        }
        joined
    }

    /// Builds the permission request for a call.
    async fn request(
        &self,
        spec: &TaskSpec,
        id: &CallId,
        call: &ToolCall,
        judged: &Judged,
    ) -> PermissionRequest {
        let verdict = &judged.ruling.verdict;
        let now_ms = self.core.now_ms();
        let command = judged.facts.accesses.iter().find_map(|access| match access {
            Access::Shell(shell) => Some(deputy_policy::visible(&shell.command)),
            _ => None,
        });
        let (mut reasons, mut risk) = (reasons(judged), verdict.risk);
        let mut not_kept = None;
        if let Some(snapshot) = UndoSnapshot::of(&self.core, judged) {
            let at_stake;
            (not_kept, at_stake) = snapshot.at_stake(spec).await;
            // The policy assumes that undo restores what a command changes.
            if judged.ruling.removes && at_stake.not_kept > 0 {
                risk = Risk::High;
            }
            if risk == Risk::High || judged.ruling.removes {
                let told = at_stake::told(&self.core, &at_stake, judged.touches(), snapshot.writable()).await;
                reasons.splice(0..0, told);
            }
        }
        PermissionRequest {
            id: RequestId(ids::fresh('r')),
            task: spec.id.clone(),
            session: spec.session.clone(),
            call: id.clone(),
            tool: call.tool.clone(),
            summary: judged.facts.summary.clone(),
            details: RequestDetails {
                cwd: judged.situation.cwd.to_string_lossy().into_owned(),
                background: call.tool == deputy_tools::BACKGROUND && command.is_some(),
                command,
                parts: verdict.parts.clone(),
                diff: judged.facts.diff.as_deref().map(redact::difference),
                steps: Vec::new(),
                plan: judged.facts.plan.as_ref().map(|plan| Box::new(plan.shown.clone())),
                confinement: verdict.confinement,
                not_kept: not_kept.map(Box::new),
                away_from: away_from(&judged.situation),
                time_limit_secs: deputy_tools::unusual_time_limit_secs(call, &spec.limits),
                refused_at_ms: None,
                wanted: None,
            },
            risk,
            reasons,
            digest: judged.digest.clone(),
            offered: deputy_policy::offers(
                &judged.situation,
                &judged.facts,
                &Verdict { risk, ..verdict.clone() },
                &judged.digest,
            ),
            created_at_ms: now_ms,
            expires_at_ms: expires_at_ms(spec, now_ms),
        }
    }

    /// Returns the answer that the user's standing consent gives to a request, if any.
    fn consented(&self, machine: &Machine, request: &PermissionRequest) -> Option<PermissionAnswered> {
        let review = machine.call(&request.call).and_then(|progress| progress.review.as_ref());
        if review.is_some_and(|review| review.asks) || request.details.refused_at_ms.is_some() {
            return None;
        }
        let up_to = machine.spec().standing_consent.filter(|up_to| request.risk <= *up_to)?;
        let choice = AllowChoice::once();
        let is_offered = request.offered.iter().any(|offer| offer.lifetime == choice.lifetime);
        (is_offered && request.expires_at_ms > self.core.now_ms()).then(|| PermissionAnswered {
            request: request.id.clone(),
            call: request.call.clone(),
            digest: request.digest.clone(),
            choice: Choice::Allow(choice),
            by: Answerer::Standing(StandingAnswerer { up_to }),
        })
    }

    /// Returns the request that the task waits for. If the user's standing consent covers it, it is answered instead; if
    /// an instruction of the user overtook it, it is withdrawn.
    pub(super) async fn open_request(
        &self,
        journal: &mut TaskJournal,
        id: &RequestId,
    ) -> Result<Open, DriverError> {
        let Some(request) = self.core.store.request(id)? else { return Ok(Open::Unknown) };
        if journal.machine().is_overtaken() {
            let choice =
                Choice::Deny(DenyChoice { reason: say::not_run_instruction(), ..DenyChoice::default() });
            let by = Answerer::Instruction(InstructionAnswerer {});
            if self.answer(journal, &request, choice, by).await? {
                return Ok(Open::Answered);
            }
        }
        if let Some(given) = self.consented(journal.machine(), &request) {
            self.answer(journal, &request, given.choice, given.by).await?;
            return Ok(Open::Answered);
        }
        Ok(Open::Waits(Box::new(request)))
    }

    /// Closes a request that expired without an answer. The task then waits until a person resumes it.
    pub(super) async fn expire(
        &self,
        journal: &mut TaskJournal,
        request: &PermissionRequest,
    ) -> Result<(), DriverError> {
        self.deny(journal, request, say::nobody_answered()).await
    }

    /// Denies a request on behalf of the host, with a reason.
    async fn deny(
        &self,
        journal: &mut TaskJournal,
        request: &PermissionRequest,
        why: Phrase,
    ) -> Result<(), DriverError> {
        let choice = Choice::Deny(DenyChoice { reason: why, ..DenyChoice::default() });
        self.answer(journal, request, choice, Answerer::Expiry(ExpiryAnswerer {})).await.map(drop)
    }

    /// Answers with the same compare-and-set as every client. If another answer was faster, it is on its way, and the
    /// result is `false`.
    async fn answer(
        &self,
        journal: &mut TaskJournal,
        request: &PermissionRequest,
        choice: Choice,
        by: Answerer,
    ) -> Result<bool, DriverError> {
        let answer =
            PermissionAnswer { request: request.id.clone(), digest: request.digest.clone(), choice, by };
        let answered = self.core.store.answer_permission(answer, self.core.now_ms()).await?;
        let Answered::Accepted(record) = answered else { return Ok(false) };
        journal.apply_written(&record.event);
        Ok(true)
    }
}

/// The state of the request that a parked task waits for.
pub(super) enum Open {
    /// The store does not know it.
    Unknown,
    /// The user's standing consent has just answered it.
    Answered,
    /// It waits for a person.
    Waits(Box<PermissionRequest>),
}

/// Writes events, and reports if the inbox has no room for them.
async fn write_or_leave(journal: &mut TaskJournal, events: Vec<TaskEvent>) -> Result<Asking, DriverError> {
    match journal.write(events).await {
        Ok(()) => Ok(Asking::Done),
        Err(StoreError::InboxFull { .. }) => Ok(Asking::NoPlace(Place::Full)),
        Err(StoreError::AskedAlready { request }) => Ok(Asking::NoPlace(Place::Equal(request))),
        Err(error) => Err(error.into()),
    }
}

/// Returns the reasons for asking, what the user refused in the task before, and any weakness of this machine's
/// confinement.
fn reasons(judged: &Judged) -> Vec<Phrase> {
    let verdict = &judged.ruling.verdict;
    let is_command = judged.ruling.execution.is_some();
    let weaker = is_command.then(|| deputy_sandbox::walls().weaker(verdict.confinement)).flatten();
    let mut reasons = verdict.reasons.clone();
    if is_command {
        let mut refusals: Vec<&Refusal> = judged.situation.refused.iter().collect();
        refusals.sort_by_key(|refusal| Reverse(refusal.at_ms));
        for told in refusals.into_iter().take(MOST_REFUSALS_TOLD).map(Refusal::told) {
            tell(&mut reasons, told);
        }
    }
    reasons.into_iter().chain(weaker).collect()
}

/// Returns when the newest refusal of what a call touches was given.
fn refused_at_ms(situation: &Situation, touches: &[PathBuf]) -> Option<i64> {
    let refusals = touches.iter().filter_map(|path| situation.refused.against_tree(path));
    refusals.map(|refusal| refusal.at_ms).max()
}

/// Adds what was refused of what a call touches to the reasons, as far as these do not say it.
fn tell_refusals(request: &mut PermissionRequest, situation: &Situation, touches: &[PathBuf]) {
    for refusal in touches.iter().filter_map(|path| situation.refused.against_tree(path)) {
        tell(&mut request.reasons, refusal.told());
    }
}

/// Adds a reason, unless another one contains it.
fn tell(reasons: &mut Vec<Phrase>, told: Phrase) {
    if !reasons.iter().any(|reason| reason.contains(told.as_str())) {
        reasons.push(told);
    }
}

/// Returns paths as the journal keeps them. A path that is not text cannot be shown, so nobody is asked about it.
fn texts(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().filter_map(|path| path.to_str().map(str::to_owned)).collect()
}

/// Returns when a request that is made now expires.
fn expires_at_ms(spec: &TaskSpec, now_ms: i64) -> i64 {
    let secs = spec.limits.request_expiry_secs;
    now_ms.saturating_add(i64::try_from(secs.saturating_mul(1000)).unwrap_or(i64::MAX / 2))
}

/// Returns the folder of the task if a call runs in another one.
fn away_from(situation: &Situation) -> Option<String> {
    let usual = &situation.workspace;
    let is_real = usual.canonicalize().is_ok_and(|real| real == situation.cwd);
    (situation.cwd != *usual && !is_real).then(|| usual.to_string_lossy().into_owned())
}
