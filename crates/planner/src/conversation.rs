//! The conversations that the sidecar holds, so that only new messages are sent for a plan.
//!
//! Both sides count and hash the bytes of a conversation. The sidecar appends only if it holds exactly what the core
//! expects, and reports what it planned on. The core discards a plan for any other conversation.

use crate::PlanError;
use deputy_messages::planner as say;
use deputy_protocol::{
    BackendRef, ConversationMark, EarlierTask, Message, Messages, PlanErrorCode, PlanRequest, ToolSpec,
};
use ring::digest::{Context, SHA256};
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::VecDeque;
use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const PLAN: &str = "inference.plan";
const PLAN_MORE: &str = "inference.plan_more";
/// The maximum number of conversations that are tracked; the same as in the sidecar.
const MOST_KEPT: usize = 8;
/// The maximum size of a conversation that is kept, in bytes. A longer one, with pictures in it, is sent completely
/// each time.
const MOST_KEPT_BYTES: u64 = 4 * 1024 * 1024;

/// The conversations that the sidecar is expected to hold, the most recently used last.
#[derive(Default)]
pub(crate) struct Conversations {
    held: Mutex<VecDeque<Held>>,
}

/// A conversation up to the last answer of the sidecar.
struct Held {
    name: String,
    head: Arc<Head>,
    messages: Messages,
    sent: Sent,
}

/// The parts of a request besides its messages.
#[derive(PartialEq)]
struct Head {
    system: String,
    tools: Arc<Vec<ToolSpec>>,
    earlier: Arc<Vec<EarlierTask>>,
}

/// The size and the hash of a conversation.
#[derive(Clone)]
struct Sent {
    bytes: u64,
    hash: Context,
}

/// A request in the form in which it is sent.
pub(crate) struct Outgoing {
    /// The method, and its parameters as JSON.
    pub(crate) method: &'static str,
    pub(crate) params: Box<RawValue>,
    /// What the sidecar holds after its answer. `None` if the conversation is not kept.
    then: Option<Held>,
}

impl Outgoing {
    /// Returns whether it contains only new messages.
    pub(crate) fn is_more(&self) -> bool {
        self.method == PLAN_MORE
    }
}

/// The parameters of `inference.plan` for a conversation that is kept. Its parts are hashed before they are sent.
#[derive(Serialize)]
struct Whole<'a> {
    backend: &'a BackendRef,
    system: Box<RawValue>,
    messages: Box<RawValue>,
    tools: Box<RawValue>,
    earlier: Box<RawValue>,
    conversation: Option<&'a str>,
}

/// The parameters of `inference.plan_more`.
#[derive(Serialize)]
struct More<'a> {
    backend: &'a BackendRef,
    conversation: &'a str,
    base: ConversationMark,
    messages: Box<RawValue>,
}

impl Conversations {
    /// Returns a request with the messages since the last answer. `None` if the conversation differs, or is not held.
    pub(crate) fn more(&self, request: &PlanRequest) -> Result<Option<Outgoing>, PlanError> {
        let Some(name) = &request.conversation else { return Ok(None) };
        let mut all = self.lock();
        let Some(at) = all.iter().position(|held| held.name == *name) else { return Ok(None) };
        let held = &all[at];
        let new = held.head.is_of(request).then(|| request.messages.after(&held.messages)).flatten();
        // This includes a conversation without new messages: an answer that could not be used is requested again.
        let Some(new) = new else { return Ok(None) };
        let (base, mut sent) = (held.sent.mark(), held.sent.clone());
        let messages = sent.messages(new)?;
        if sent.bytes > MOST_KEPT_BYTES {
            all.remove(at);
            return Ok(None);
        }
        let params = raw(&More { backend: &request.backend, conversation: name, base, messages })?;
        let (name, head) = (name.clone(), held.head.clone());
        let then = Some(Held { name, head, messages: request.messages.clone(), sent });
        Ok(Some(Outgoing { method: PLAN_MORE, params, then }))
    }

    /// Returns a request with the whole conversation.
    pub(crate) fn whole(&self, request: &PlanRequest) -> Result<Outgoing, PlanError> {
        let (system, tools) = (raw(&request.system)?, raw(&request.tools)?);
        let earlier = raw(&request.earlier)?;
        let mut sent = Sent::after_head([&system, &tools, &earlier]);
        let all: Vec<Arc<Message>> = request.messages.shared().cloned().collect();
        let messages = sent.messages(&all)?;
        let name = request.conversation.as_deref().filter(|_| sent.bytes <= MOST_KEPT_BYTES);
        let then = name.map(|name| Held {
            name: name.to_owned(),
            head: Arc::new(Head::of(request)),
            messages: request.messages.clone(),
            sent,
        });
        let whole = Whole { backend: &request.backend, system, messages, tools, earlier, conversation: name };
        Ok(Outgoing { method: PLAN, params: raw(&whole)?, then })
    }

    /// Records the answer to a request. Returns whether the sidecar planned on what it was sent.
    pub(crate) fn answered(&self, outgoing: Outgoing, kept: Option<&ConversationMark>) -> bool {
        let is_more = outgoing.is_more();
        let Some(then) = outgoing.then else { return true };
        let mut held = self.lock();
        held.retain(|held| held.name != then.name);
        match kept {
            // A sidecar that keeps nothing was sent everything.
            None => !is_more,
            Some(kept) if *kept != then.sent.mark() => false,
            Some(_) => {
                held.push_back(then);
                while held.len() > MOST_KEPT {
                    held.pop_front();
                }
                true
            }
        }
    }

    /// Records that the sidecar does not hold a conversation.
    pub(crate) fn forget(&self, name: Option<&str>) {
        self.lock().retain(|held| Some(held.name.as_str()) != name);
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Held>> {
        // No code panics while holding the lock.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Head {
    fn of(request: &PlanRequest) -> Self {
        Self {
            system: request.system.clone(),
            tools: request.tools.clone(),
            earlier: request.earlier.clone(),
        }
    }

    fn is_of(&self, request: &PlanRequest) -> bool {
        self.system == request.system && self.tools == request.tools && self.earlier == request.earlier
    }
}

impl Sent {
    fn after_head(parts: [&RawValue; 3]) -> Self {
        let mut hash = Context::new(&SHA256);
        for part in parts {
            hash.update(part.get().as_bytes());
            hash.update(b"\n");
        }
        Self { bytes: 0, hash }
    }

    /// Adds messages, and returns them as a JSON array.
    fn messages(&mut self, messages: &[Arc<Message>]) -> Result<Box<RawValue>, PlanError> {
        let array = raw(messages)?;
        let inner = &array.get().as_bytes()[1..array.get().len() - 1];
        if !inner.is_empty() {
            if self.bytes > 0 {
                self.add(b",");
            }
            self.add(inner);
        }
        Ok(array)
    }

    fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.hash.update(bytes);
    }

    fn mark(&self) -> ConversationMark {
        let digest = self.hash.clone().finish();
        let mut sha256 = String::with_capacity(64);
        for byte in digest.as_ref() {
            // Writing to a string cannot fail.
            let _ = write!(sha256, "{byte:02x}");
        }
        ConversationMark { bytes: self.bytes, sha256 }
    }
}

fn raw<T: Serialize + ?Sized>(value: &T) -> Result<Box<RawValue>, PlanError> {
    serde_json::value::to_raw_value(value)
        .map_err(|error| PlanError::new(PlanErrorCode::Internal, say::request_not_json(error, PLAN)))
}
