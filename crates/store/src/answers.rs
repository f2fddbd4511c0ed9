//! Answers as compare-and-set: the first answer wins, and every later caller learns which one won.

use crate::error::Fault;
use crate::permission_requests::{self, Standing};
use crate::writer::Batch;
use crate::{devices, events, grants, questions, tasks};
use deputy_protocol::{
    AllowChoice, Answerer, Choice, Decision, DeviceAnswerer, DeviceScope, EventRecord, Grant, GrantId,
    Lifetime, Offer, PermissionAnswer, PermissionAnswered, PermissionRequest, QuestionAnswered, RequestId,
    Risk, TaskEvent,
};
use rusqlite::Connection;

const MINUTE_MS: i64 = 60_000;

/// The outcome of an answer.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "one is made for each answer of a person, and not kept")]
pub enum Answered {
    /// It is the first answer; this is its event.
    Accepted(EventRecord),
    /// The same answer was given before: a success that changes nothing.
    AlreadyTheSame,
    /// A different answer was given before.
    AlreadyOther {
        /// The author of the first answer.
        by: Answerer,
        /// The choice of the first answer.
        choice: Choice,
    },
    /// It is a question, and a different answer was given before.
    AlreadySaid {
        /// The answer that counts.
        text: String,
    },
    /// The task has ended without an answer.
    NoLongerAsked,
    /// The request does not exist.
    Unknown,
    /// The digest of the answer differs from that of the request: the person saw something else.
    WrongDigest,
    /// The answer is not one of those that this answerer may give.
    NotOffered,
    /// The list of left-out calls is invalid: it contains something that is not a call of the request, all of its
    /// calls, or it belongs to an answer that is remembered.
    CannotDrop,
    /// The answer came too late: this request expired.
    Expired(Box<PermissionRequest>),
    /// The device is unknown, revoked, or not allowed to answer.
    NotAllowed,
    /// The two minutes of the signed answer are over, or begin in the future.
    SignatureOver,
    /// The signed answer was used before.
    Replayed,
}

/// How long a signed answer is valid.
const SIGNED_ANSWER_MS: i64 = 2 * MINUTE_MS;

/// Answers a permission request, and remembers the answer if requested.
pub(crate) fn permission(
    batch: &mut Batch<'_>,
    answer: PermissionAnswer,
    now_ms: i64,
) -> Result<Answered, Fault> {
    let Some((request, standing)) = permission_requests::find(batch.conn, &answer.request)? else {
        return Ok(Answered::Unknown);
    };
    if answer.digest != request.digest {
        return Ok(Answered::WrongDigest);
    }
    if let Answerer::Device(by) = &answer.by
        && let Some(refusal) = refuse(batch, by, &standing, now_ms)?
    {
        return Ok(refusal);
    }
    let is_expiry = matches!(answer.by, Answerer::Expiry(_));
    let is_hosts = matches!(answer.by, Answerer::Expiry(_) | Answerer::Instruction(_));
    match standing {
        Standing::Open => {}
        Standing::Withdrawn => return Ok(Answered::NoLongerAsked),
        // A late answer is refused whether or not the task has noticed the expiry, even if it is also a denial.
        Standing::Answered { by: Answerer::Expiry(_), .. } if !is_expiry => {
            return Ok(Answered::Expired(request.into()));
        }
        Standing::Answered { choice, .. } if is_same(&choice, &answer.choice) => {
            return Ok(Answered::AlreadyTheSame);
        }
        Standing::Answered { choice, by } => return Ok(Answered::AlreadyOther { by, choice }),
    }
    let offer = match &answer.choice {
        Choice::Deny(_) => None,
        Choice::Allow(allow) if !can_drop(&request, allow) => return Ok(Answered::CannotDrop),
        Choice::Allow(allow) => match offer(&request, allow, &answer.by) {
            Some(offer) => Some(offer),
            None => return Ok(Answered::NotOffered),
        },
    };
    if request.expires_at_ms <= now_ms && !is_hosts {
        return Ok(Answered::Expired(request.into()));
    }
    if let Some(grant) = offer.map(|offer| grant(batch.conn, &request, offer, now_ms)).transpose()?.flatten()
    {
        grants::insert(batch.conn, &grant)?;
    }
    if let Answerer::Device(by) = &answer.by {
        devices::use_up(batch.conn, by, &answer.request, now_ms)?;
    }
    let event = TaskEvent::PermissionAnswered(PermissionAnswered {
        request: answer.request,
        call: request.call.clone(),
        digest: answer.digest,
        choice: answer.choice,
        by: answer.by,
    });
    accepted(events::append(batch, &request.task, now_ms, vec![event])?)
}

/// Returns why a device's answer is not accepted, independently of the request. Its signature was checked before. This
/// check is part of the transaction of the answer, so that a device that is revoked in the meantime is refused.
fn refuse(
    batch: &Batch<'_>,
    by: &DeviceAnswerer,
    standing: &Standing,
    now_ms: i64,
) -> Result<Option<Answered>, Fault> {
    let device = devices::find(batch.conn, &by.device)?;
    if !device.is_some_and(|device| device.may(DeviceScope::Approve)) {
        return Ok(Some(Answered::NotAllowed));
    }
    // If a client sends the winning answer again because it never got the reply, that is not a replay.
    let has_won = matches!(standing, Standing::Answered { by: Answerer::Device(won), .. } if won.nonce == by.nonce && won.device == by.device);
    if has_won {
        return Ok(None);
    }
    if devices::is_used(batch.conn, &by.nonce)? {
        return Ok(Some(Answered::Replayed));
    }
    let is_good = by.expires_at_ms > now_ms && by.expires_at_ms <= now_ms.saturating_add(SIGNED_ANSWER_MS);
    Ok((!is_good).then_some(Answered::SignatureOver))
}

/// Answers a question.
pub(crate) fn question(
    batch: &mut Batch<'_>,
    answered: QuestionAnswered,
    now_ms: i64,
) -> Result<Answered, Fault> {
    let Some((question, standing)) = questions::find(batch.conn, &answered.request)? else {
        return Ok(Answered::Unknown);
    };
    match standing {
        questions::Standing::Open => {}
        questions::Standing::Withdrawn => return Ok(Answered::NoLongerAsked),
        questions::Standing::Answered(other) if other == answered.text => {
            return Ok(Answered::AlreadyTheSame);
        }
        questions::Standing::Answered(text) => return Ok(Answered::AlreadySaid { text }),
    }
    let event = TaskEvent::QuestionAnswered(answered);
    accepted(events::append(batch, &question.task, now_ms, vec![event])?)
}

fn accepted(records: Vec<EventRecord>) -> Result<Answered, Fault> {
    // Exactly one event was written, so exactly one record is returned.
    let record = records.into_iter().next().ok_or(rusqlite::Error::QueryReturnedNoRows)?;
    Ok(Answered::Accepted(record))
}

/// Returns whether two choices are the same. Denials are the same regardless of their reasons, unless one asks for a
/// change.
fn is_same(one: &Choice, other: &Choice) -> bool {
    match (one, other) {
        (Choice::Deny(one), Choice::Deny(other)) => one.change == other.change,
        (one, other) => one == other,
    }
}

/// Returns whether the calls that an approval leaves out are valid: none, or some but not all of the request's calls,
/// in the same order. There is only one way to write them, so that equal answers always compare equal.
fn can_drop(request: &PermissionRequest, allow: &AllowChoice) -> bool {
    let AllowChoice { lifetime, dropped, .. } = allow;
    let steps = request.details.steps.iter().map(|step| &step.call);
    let is_once = matches!(lifetime, Lifetime::Once(_));
    let are_steps = steps.clone().filter(|call| dropped.contains(call)).eq(dropped);
    dropped.is_empty() || is_once && are_steps && dropped.len() < steps.len()
}

/// Returns the offer that matches this choice, if this answerer may choose it.
fn offer<'a>(request: &'a PermissionRequest, allow: &AllowChoice, by: &Answerer) -> Option<&'a Offer> {
    let may = match by {
        Answerer::Local(_) => true,
        // High-risk requests must be approved each time.
        Answerer::Device(_) => request.risk < Risk::High || allow.lifetime.is_one_call(),
        Answerer::Standing(standing) => {
            request.risk <= standing.up_to && matches!(allow.lifetime, Lifetime::Once(_))
        }
        // The host only denies.
        Answerer::Expiry(_) | Answerer::Instruction(_) => false,
    };
    request
        .offered
        .iter()
        .find(|offer| may && (&offer.lifetime, offer.wider) == (&allow.lifetime, allow.wider))
}

/// Returns the grant that was remembered when a request was allowed.
pub(crate) fn granted(
    conn: &Connection,
    id: &RequestId,
    allow: &AllowChoice,
    by: &Answerer,
    at_ms: i64,
) -> Result<Option<Grant>, Fault> {
    let Some((request, _)) = permission_requests::find(conn, id)? else { return Ok(None) };
    let Some(offer) = offer(&request, allow, by) else { return Ok(None) };
    grant(conn, &request, offer, at_ms)
}

/// Returns the grant of an accepted offer, if it is to be remembered.
fn grant(
    conn: &Connection,
    request: &PermissionRequest,
    offer: &Offer,
    now_ms: i64,
) -> Result<Option<Grant>, Fault> {
    let Some(rule) = &offer.rule else { return Ok(None) };
    let expires_at_ms = match &offer.lifetime {
        Lifetime::Once(_) | Lifetime::Names(_) => return Ok(None),
        Lifetime::Minutes(lifetime) => Some(now_ms + i64::from(lifetime.minutes) * MINUTE_MS),
        Lifetime::Task(_) | Lifetime::Session(_) | Lifetime::Always(_) => None,
    };
    let Some(task) = tasks::find(conn, &request.task)? else { return Ok(None) };
    Ok(Some(Grant {
        // A request is answered only once, so its id determines the id of the grant.
        id: GrantId(format!("g-{}", request.id)),
        decision: Decision::Allow,
        rule: rule.clone(),
        lifetime: offer.lifetime.clone(),
        workspace: task.workspace,
        request: Some(request.id.clone()),
        created_at_ms: now_ms,
        expires_at_ms,
        revoked_at_ms: None,
    }))
}
