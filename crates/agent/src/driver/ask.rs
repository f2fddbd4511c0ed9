//! Asking a person: the request, a standing consent, and the clock that ends the waiting.

use super::net::Net;
use super::{Driver, DriverError};
use crate::ids;
use crate::redact;
use deputy_protocol::{
    Access, AllowChoice, Answerer, CallId, Choice, DenyChoice, ExpiryAnswerer, Lifetime, OnceLifetime,
    PermissionAnswer, PermissionRequest, PermissionRequested, RequestDetails, RequestId, StandingAnswerer,
    TaskEvent,
};
use deputy_store::Answered;

impl Driver {
    /// Parks a call for a person.
    pub(super) async fn ask_permission(&mut self, id: &CallId) -> Result<(), DriverError> {
        let Some(call) = self.call(id) else { return Ok(()) };
        let Ok(judged) = self.judge(&call) else {
            // What it was about is gone since it was decided; deciding again says so.
            self.decide(id);
            return Ok(());
        };
        let spec = self.machine.spec();
        let verdict = &judged.ruling.verdict;
        let now_ms = self.core.now_ms();
        let expiry_ms =
            i64::try_from(spec.limits.request_expiry_secs.saturating_mul(1000)).unwrap_or(i64::MAX / 2);
        let command = judged.facts.accesses.iter().find_map(|access| match access {
            Access::Shell(shell) => Some(deputy_policy::visible(&shell.command)),
            _ => None,
        });
        let not_kept = match Net::under(&self.core, &judged) {
            Some(net) => net.not_kept().await,
            None => None,
        };
        let request = PermissionRequest {
            id: RequestId(ids::fresh('r')),
            task: spec.id.clone(),
            session: spec.session.clone(),
            call: id.clone(),
            tool: call.tool.clone(),
            summary: judged.facts.summary.clone(),
            details: RequestDetails {
                cwd: spec.workspace.clone(),
                command,
                parts: verdict.parts.clone(),
                diff: judged.facts.diff.as_deref().map(redact::difference),
                confinement: verdict.confinement,
                not_kept: not_kept.map(Box::new),
            },
            risk: verdict.risk,
            reasons: verdict.reasons.clone(),
            digest: judged.digest.clone(),
            offered: deputy_policy::offers(&judged.situation, &judged.facts, verdict, &judged.digest),
            created_at_ms: now_ms,
            expires_at_ms: now_ms.saturating_add(expiry_ms),
        };
        // The request shows what holds now; should that have changed since the decision, it is journalled too.
        let decided = judged.event(id);
        self.emit(decided);
        self.emit(TaskEvent::PermissionRequested(PermissionRequested { request }));
        Ok(self.commit().await?)
    }

    /// Answers a request that the user has consented to beforehand; says whether there was such a consent.
    pub(super) async fn consent(&mut self, request: &PermissionRequest) -> Result<bool, DriverError> {
        let consent = self.machine.spec().standing_consent.filter(|up_to| request.risk <= *up_to);
        let Some(up_to) = consent.filter(|_| request.expires_at_ms > self.core.now_ms()) else {
            return Ok(false);
        };
        let choice = Choice::Allow(AllowChoice { lifetime: Lifetime::Once(OnceLifetime {}), wider: false });
        self.answer(request, choice, Answerer::Standing(StandingAnswerer { up_to })).await?;
        Ok(true)
    }

    /// The waiting is over: nobody answered, so it is denied.
    pub(super) async fn expire(&mut self, request: &PermissionRequest) -> Result<(), DriverError> {
        let choice = Choice::Deny(DenyChoice { reason: "nobody answered in time".to_owned() });
        self.answer(request, choice, Answerer::Expiry(ExpiryAnswerer {})).await
    }

    /// Answers by the same compare-and-set as every screen; where somebody was faster, their answer is on its way.
    async fn answer(
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
