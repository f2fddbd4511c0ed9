//! Asking a person: the request or the question, a standing consent, and the clock that ends the waiting.

use super::edits;
use super::line::why;
use super::net::Net;
use super::rule::Judged;
use super::{Driver, DriverError};
use crate::ids;
use crate::machine::Need;
use crate::redact;
use deputy_policy::Situation;
use deputy_protocol::{
    Access, AllowChoice, Answerer, CallId, Choice, Decision, DenyChoice, ExpiryAnswerer, PauseReason, Paused,
    PermissionAnswer, PermissionAnswered, PermissionRequest, PermissionRequested, Question, QuestionAsked,
    RequestDetails, RequestId, StandingAnswerer, TaskEvent, ToolCall,
};
use deputy_store::{Answered, Place, StoreError};

/// The folder of the task, where a call runs in another one.
fn away_from(situation: &Situation) -> Option<String> {
    let usual = &situation.workspace;
    let is_real = usual.canonicalize().is_ok_and(|real| real == situation.cwd);
    (situation.cwd != *usual && !is_real).then(|| usual.to_string_lossy().into_owned())
}

/// What came of asking.
pub(super) enum Asking {
    /// It was asked, or needs no asking any more.
    Done,
    /// There is no place for it now.
    NoPlace(Place),
}

impl Driver {
    /// Parks a call for a person, or until there is a place where a person can be asked.
    pub(super) async fn ask_permission(&mut self, id: &CallId) -> Result<(), DriverError> {
        let asking = match self.core.line.is_standing() && !self.has_consent() {
            true => Asking::NoPlace(Place::Full),
            false => self.ask(id, Vec::new()).await?,
        };
        self.line_up(asking, PauseReason::Permission).await
    }

    /// Asks the user something, or parks the task until there is a place for it.
    pub(super) async fn ask_question(&mut self, need: &Need) -> Result<(), DriverError> {
        let asking = match self.core.question_line.is_standing() {
            true => Asking::NoPlace(Place::Full),
            false => self.question(need, Vec::new()).await?,
        };
        self.line_up(asking, PauseReason::Question).await
    }

    /// Parks the task where it found no place.
    async fn line_up(&mut self, asking: Asking, reason: PauseReason) -> Result<(), DriverError> {
        if let Asking::NoPlace(place) = asking {
            self.emit(TaskEvent::Paused(Paused { reason, message: why(&place, reason) }));
            self.commit().await?;
        }
        Ok(())
    }

    /// Asks a question, all at once with the events before. Where there is no place nothing is written.
    pub(super) async fn question(
        &mut self,
        need: &Need,
        before: Vec<TaskEvent>,
    ) -> Result<Asking, DriverError> {
        let question = Question {
            id: RequestId(ids::fresh('q')),
            task: self.task.clone(),
            text: need.text(),
            choices: need.choices(),
            created_at_ms: self.core.now_ms(),
        };
        let mut events = before;
        events.push(TaskEvent::QuestionAsked(QuestionAsked { question }));
        self.write_or_leave(events).await
    }

    /// Asks about a call, all at once with the events before. Where there is no place nothing is written.
    pub(super) async fn ask(&mut self, id: &CallId, before: Vec<TaskEvent>) -> Result<Asking, DriverError> {
        let Some(call) = self.call(id) else { return Ok(Asking::Done) };
        self.know_programs(id).await;
        let Ok(judged) = self.judge(&call) else {
            before.into_iter().for_each(|event| self.emit(event));
            // What it was about is gone since it was decided; deciding again says so.
            self.decide(id);
            return Ok(Asking::Done);
        };
        // The request shows what holds now; should that have changed since the decision, it is journalled too.
        let journalled = self.machine.call(id).and_then(|progress| progress.stage.ruled());
        let mut events = before;
        events.extend(judged.news(id, journalled));
        if judged.ruling.verdict.decision == Decision::Ask {
            let mut request = self.request(id, &call, &judged).await;
            let others = self.edits_behind(id, &judged);
            events.extend(others.iter().filter_map(|other| self.news_of(other)));
            if !others.is_empty() {
                request = edits::together(request, &judged, &others);
            }
            let answer = self.consented(&request);
            events.push(TaskEvent::PermissionRequested(PermissionRequested { request }));
            events.extend(answer.map(TaskEvent::PermissionAnswered));
        }
        self.write_or_leave(events).await
    }

    /// Writes events and applies them; where the inbox refuses them, nothing has happened.
    pub(super) async fn write(&mut self, events: Vec<TaskEvent>) -> Result<(), StoreError> {
        self.finish_commit().await?;
        let all = self.pending.iter().chain(&events).cloned().collect();
        self.core.store.append(&self.task, self.core.now_ms(), all).await?;
        self.pending.clear();
        events.iter().for_each(|event| self.machine.apply(event));
        // Nothing is left to write, but manifests to let go of.
        self.drop_spent()
    }

    /// As [`Driver::write`]; says where there is no place for it.
    async fn write_or_leave(&mut self, events: Vec<TaskEvent>) -> Result<Asking, DriverError> {
        match self.write(events).await {
            Ok(()) => Ok(Asking::Done),
            Err(StoreError::InboxFull { .. }) => Ok(Asking::NoPlace(Place::Full)),
            Err(StoreError::AskedAlready { request }) => Ok(Asking::NoPlace(Place::Equal(request))),
            Err(error) => Err(error.into()),
        }
    }

    /// What a person is asked.
    async fn request(&mut self, id: &CallId, call: &ToolCall, judged: &Judged) -> PermissionRequest {
        let spec = self.machine.spec();
        let verdict = &judged.ruling.verdict;
        let now_ms = self.core.now_ms();
        let expiry_ms =
            i64::try_from(spec.limits.request_expiry_secs.saturating_mul(1000)).unwrap_or(i64::MAX / 2);
        let command = judged.facts.accesses.iter().find_map(|access| match access {
            Access::Shell(shell) => Some(deputy_policy::visible(&shell.command)),
            _ => None,
        });
        let not_kept = match Net::under(&self.core, judged) {
            Some(net) => net.not_kept().await,
            None => None,
        };
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
                edits: Vec::new(),
                confinement: verdict.confinement,
                not_kept: not_kept.map(Box::new),
                away_from: away_from(&judged.situation),
                time_limit_secs: deputy_tools::unusual_time_limit_secs(call, &spec.limits),
                wanted: None,
            },
            risk: verdict.risk,
            reasons: verdict.reasons.clone(),
            digest: judged.digest.clone(),
            offered: deputy_policy::offers(&judged.situation, &judged.facts, verdict, &judged.digest),
            created_at_ms: now_ms,
            expires_at_ms: now_ms.saturating_add(expiry_ms),
        }
    }

    /// The answer that the user gave to a request beforehand, where they did.
    pub(super) fn consented(&self, request: &PermissionRequest) -> Option<PermissionAnswered> {
        let up_to = self.machine.spec().standing_consent.filter(|up_to| request.risk <= *up_to)?;
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

    /// Whether the user has consented to anything beforehand.
    fn has_consent(&self) -> bool {
        self.machine.spec().standing_consent.is_some()
    }

    /// The waiting is over: nobody answered, so it is denied.
    pub(super) async fn expire(&mut self, request: &PermissionRequest) -> Result<(), DriverError> {
        let choice = Choice::Deny(DenyChoice { reason: "nobody answered in time".to_owned() });
        self.answer(request, choice, Answerer::Expiry(ExpiryAnswerer {})).await
    }

    /// Answers by the same compare-and-set as every screen; where somebody was faster, their answer is on its way.
    pub(super) async fn answer(
        &mut self,
        request: &PermissionRequest,
        choice: Choice,
        by: Answerer,
    ) -> Result<(), DriverError> {
        let answer =
            PermissionAnswer { request: request.id.clone(), digest: request.digest.clone(), choice, by };
        if let Answered::Accepted(record) =
            self.core.store.answer_permission(answer, self.core.now_ms()).await?
        {
            self.machine.apply(&record.event);
        }
        Ok(())
    }
}
