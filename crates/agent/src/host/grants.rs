//! Grants: lists them, revokes them, and previews which past calls a grant would have allowed, before it is given.

use super::HostError;
use crate::core::Core;
use deputy_messages::agent as say;
use deputy_policy::Situation;
use deputy_protocol::{
    Access, AlwaysLifetime, Answers, CommandId, Decision, DoneOutcome, Effect, ErrorBody, ErrorCode, Facts,
    Grant, GrantId, GrantPreview, GrantRule, GrantsAnswer, GrantsQuery, Lifetime, ListAccess, Part, PartKind,
    Performs, PermissionRequest, PreviewGrantQuery, PreviewedCall, ReadAccess, RevokeGrantCommand, Risk,
    ShellAccess, TaskSummary, UrlAccess, WriteAccess,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The number of days of the past that are examined.
const DAYS: u32 = 30;
const DAY_MS: i64 = 24 * 3_600_000;
/// The maximum number of past requests that are checked against the grant, the newest first.
const MOST_REQUESTS: u32 = 1_000;
/// The number of covered requests that are shown.
const SAMPLES: usize = 5;

/// The grants of a home.
pub(super) struct Grants {
    pub(super) core: Arc<Core>,
}

impl Answers<GrantsQuery> for Grants {
    async fn answer(&self, _: GrantsQuery) -> Result<GrantsAnswer, ErrorBody> {
        let grants = self.core.store.grants(None, self.core.now_ms()).map_err(HostError::from)?;
        Ok(GrantsAnswer { grants })
    }
}

impl Performs<RevokeGrantCommand> for Grants {
    async fn perform(&self, _: &CommandId, revoke: RevokeGrantCommand) -> Result<DoneOutcome, ErrorBody> {
        let found = self.core.store.revoke_grant(&revoke.grant, self.core.now_ms()).await;
        if found.map_err(HostError::from)? {
            return Ok(DoneOutcome {});
        }
        let message = say::there_is_no_grant(revoke.grant);
        Err(ErrorBody::new(ErrorCode::UnknownGrant, message, say::deputy_policy_grants_lists_them()))
    }
}

impl Answers<PreviewGrantQuery> for Grants {
    /// Checks an offer of a request against the past requests in the same folder.
    async fn answer(&self, query: PreviewGrantQuery) -> Result<GrantPreview, ErrorBody> {
        let store = &self.core.store;
        let now_ms = self.core.now_ms();
        let request = store.request(&query.request).map_err(HostError::from)?.ok_or_else(|| {
            let message = say::nothing_waits_under_id(&query.request);
            ErrorBody::new(ErrorCode::UnknownRequest, message, say::deputy_status_lists_what_waits())
        })?;
        let offer = request
            .offered
            .iter()
            .find(|offer| (&offer.lifetime, offer.wider) == (&query.lifetime, query.wider))
            .ok_or_else(|| {
                let message = say::answer_not_offered(query.request);
                ErrorBody::new(ErrorCode::NotOffered, message, say::deputy_status_lists_what_offers_2())
            })?;
        let mut preview = GrantPreview {
            label: offer.label.clone(),
            days: DAYS,
            calls: 0,
            refused: 0,
            and_more: false,
            samples: Vec::new(),
        };
        let (Some(rule), Some(task)) = (&offer.rule, store.task(&request.task).map_err(HostError::from)?)
        else {
            return Ok(preview);
        };
        let situation = self.with_only(rule, &task, now_ms);
        let since_ms = now_ms - i64::from(DAYS) * DAY_MS;
        let asked = store.asked_since(&task.workspace, since_ms, MOST_REQUESTS).map_err(HostError::from)?;
        preview.and_more = asked.len() == MOST_REQUESTS as usize;
        let past = asked.iter().filter(|past| past.request.id != request.id);
        for past in past.filter(|past| covers(&situation, rule, &past.request)) {
            preview.calls += 1;
            preview.refused += u32::from(past.was_refused);
            if preview.samples.len() < SAMPLES {
                preview.samples.push(PreviewedCall {
                    task: past.request.task.clone(),
                    summary: past.request.summary.clone(),
                    at_ms: past.request.created_at_ms,
                    refused: past.was_refused,
                });
            }
        }
        Ok(preview)
    }
}

impl Grants {
    /// Returns a situation in which only this rule is granted, and no rule of the user's own decides.
    fn with_only(&self, rule: &GrantRule, task: &TaskSummary, now_ms: i64) -> Situation {
        let grant = Grant {
            id: GrantId::new("preview"),
            decision: Decision::Allow,
            rule: rule.clone(),
            lifetime: Lifetime::Always(AlwaysLifetime {}),
            workspace: task.workspace.clone(),
            request: None,
            created_at_ms: now_ms,
            expires_at_ms: None,
            revoked_at_ms: None,
        };
        Situation {
            allow_hosts: Vec::new(),
            rules: Arc::new(deputy_policy::Rules::empty()),
            ..self.core.situation(PathBuf::from(&task.workspace), vec![grant])
        }
    }
}

/// Returns whether the rule would have allowed a past call. The decision is made again in the given situation.
fn covers(situation: &Situation, rule: &GrantRule, past: &PermissionRequest) -> bool {
    if let GrantRule::Call(rule) = rule {
        return rule.digest == past.digest;
    }
    let accesses = accesses(past);
    let facts = Facts {
        effect: Effect::Mutating,
        accesses,
        summary: String::new().into(),
        diff: None,
        plan: None,
        risk: Risk::Low,
    };
    let ruling = deputy_policy::decide(situation, &facts);
    ruling.verdict.decision == Decision::Allow && ruling.grant.is_some()
}

/// Returns what a past call would have accessed, based on its request. Empty if any part cannot be described as an
/// access: the call is then not known to be covered.
fn accesses(past: &PermissionRequest) -> Vec<Access> {
    let details = &past.details;
    let steps = details.steps.iter().map(|step| accesses_of(step.command.as_ref(), &step.parts));
    let all: Option<Vec<Vec<Access>>> =
        std::iter::once(accesses_of(details.command.as_ref(), &details.parts)).chain(steps).collect();
    all.unwrap_or_default().concat()
}

fn accesses_of(command: Option<&String>, parts: &[Part]) -> Option<Vec<Access>> {
    if let Some(command) = command {
        return Some(vec![Access::Shell(ShellAccess { command: command.clone() })]);
    }
    let access = |part: &Part| {
        let text = part.text.clone();
        match part.kind {
            PartKind::Write => Some(Access::Write(WriteAccess { path: text })),
            PartKind::Read if Path::new(&text).is_dir() => Some(Access::List(ListAccess { path: text })),
            PartKind::Read => Some(Access::Read(ReadAccess { path: text })),
            PartKind::Host => Some(Access::Url(UrlAccess { url: text, subresource: false })),
            PartKind::Command | PartKind::Construct | PartKind::Loan => None,
        }
    };
    parts.iter().map(access).collect()
}
