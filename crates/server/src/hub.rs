//! The event hub: hears the journal and the progress once, encodes each message once, and hands the same bytes to
//! every client.

use crate::console::Consoles;
use axum::extract::ws::Utf8Bytes;
use deputy_agent::Host;
use deputy_protocol::{
    CallId, Console, EventMessage, EventRecord, EventsAnswer, Progress, ServerMessage, TaskEvent, TaskId,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::time::Instant;

/// Batches that a client may lag behind; then it is dropped and resumes.
const BATCHES: usize = 256;
/// With more clients than this events travel in batches: one write a client instead of one an event.
const FEW_CLIENTS: usize = 16;
/// How long a batch gathers then; a client waits at most so much longer for an event.
const GATHER: Duration = Duration::from_millis(20);
/// Streamed text is gathered so long: 20 messages a second for a piece of work, however fast it is written.
const TEXT_GATHER: Duration = Duration::from_millis(50);
/// Streamed text that gathers meanwhile; the rest is in the journal when the call or the plan ends.
const MAX_TEXT: usize = 32 * 1024;
/// Texts longer than this are cut for remote screens, which fetch the event in full when it is looked at.
const LONG_TEXT: usize = 8 * 1024;
/// What stays of a cut text at its beginning and at its end.
const KEPT_TEXT: usize = 2 * 1024;

/// An event as it goes to clients.
#[derive(Clone, Debug)]
pub(crate) struct Encoded {
    pub(crate) seq: u64,
    pub(crate) task: TaskId,
    /// The whole message.
    pub(crate) full: Utf8Bytes,
    /// The message with long texts cut; the same bytes where there are none.
    pub(crate) short: Utf8Bytes,
}

/// What goes out at once.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// Streamed text and notices, which are older than the events beside them.
    pub(crate) progress: Vec<(TaskId, Utf8Bytes)>,
    /// Events in the journal's order.
    pub(crate) events: Vec<Encoded>,
}

/// The hub; lives as long as the host's journal.
pub(crate) struct Hub {
    batches: broadcast::Sender<Arc<Batch>>,
    consoles: Mutex<Consoles>,
}

impl Hub {
    /// Starts to hear the host.
    pub(crate) fn start(host: &Host) -> Arc<Self> {
        let hub = Arc::new(Self { batches: broadcast::channel(BATCHES).0, consoles: Mutex::default() });
        // Subscribed here and not in the task: nothing may fall in between.
        let hearing = Hearing {
            hub: hub.clone(),
            events: host.events(),
            progress: host.progress(),
            texts: BTreeMap::new(),
            text_since: None,
        };
        tokio::spawn(hearing.run());
        hub
    }

    /// Everything from now on.
    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Arc<Batch>> {
        self.batches.subscribe()
    }

    /// Tells every client something that is not journalled.
    pub(crate) fn tell(&self, task: &TaskId, message: &ServerMessage) {
        let batch = Batch { progress: vec![(task.clone(), text(message))], events: Vec::new() };
        // Nobody listening is no error.
        let _ = self.batches.send(Arc::new(batch));
    }

    /// What a task's running calls have said so far.
    pub(crate) fn console(&self, task: &TaskId) -> Console {
        self.consoles.lock().unwrap_or_else(PoisonError::into_inner).of(task)
    }
}

/// Encodes an event.
pub(crate) fn encode(record: EventRecord) -> Encoded {
    let (seq, task) = (record.seq, record.task.clone());
    // A person decides on what a request shows, so nothing of it is left out.
    let is_whole = matches!(record.event, TaskEvent::PermissionRequested(_));
    let message = ServerMessage::Event(EventMessage { record, shortened: false });
    let full = text(&message);
    let short = match is_whole || full.len() <= LONG_TEXT {
        true => full.clone(),
        false => shortened(&message).unwrap_or_else(|| full.clone()),
    };
    Encoded { seq, task, full, short }
}

/// Cuts the long texts of events that were asked for, as live ones have them.
pub(crate) fn briefly(answer: EventsAnswer) -> EventsAnswer {
    let mut shortened = answer.shortened;
    let brief = |record: EventRecord| {
        let is_whole = matches!(record.event, TaskEvent::PermissionRequested(_));
        let is_long = |record| serde_json::to_string(record).is_ok_and(|text| text.len() > LONG_TEXT);
        if is_whole || !is_long(&record) {
            return record;
        }
        let Ok(mut value) = serde_json::to_value(&record) else { return record };
        if !cut(&mut value) {
            return record;
        }
        shortened.push(record.seq);
        serde_json::from_value(value).unwrap_or(record)
    };
    let events = answer.events.into_iter().map(brief).collect();
    EventsAnswer { events, shortened }
}

/// A message as text. Every message is a plain tree of strings and numbers, of which none fails.
pub(crate) fn text(message: &ServerMessage) -> Utf8Bytes {
    Utf8Bytes::from(serde_json::to_string(message).unwrap_or_default())
}

/// The message with its long texts cut; `None` where there are none.
fn shortened(message: &ServerMessage) -> Option<Utf8Bytes> {
    let mut value = serde_json::to_value(message).ok()?;
    if !cut(&mut value) {
        return None;
    }
    *value.get_mut("shortened")? = Value::Bool(true);
    Some(Utf8Bytes::from(value.to_string()))
}

/// Cuts long texts out of their middle; says whether there were any.
fn cut(value: &mut Value) -> bool {
    match value {
        Value::String(text) if text.len() > LONG_TEXT => {
            let (head, tail) = (boundary(text, KEPT_TEXT), boundary(text, text.len() - KEPT_TEXT));
            *text = format!("{}\n[... {} bytes ...]\n{}", &text[..head], tail - head, &text[tail..]);
            true
        }
        Value::Array(items) => items.iter_mut().fold(false, |any, item| cut(item) | any),
        Value::Object(fields) => fields.values_mut().fold(false, |any, field| cut(field) | any),
        _ => false,
    }
}

/// Where a text can be cut, at `at` or just before.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|place| text.is_char_boundary(*place)).unwrap_or(0)
}

/// Keeps the end of a text that grows too long.
pub(crate) fn keep_end(text: &mut String, max: usize) {
    if text.len() > max {
        text.drain(..boundary(text, text.len() - max));
    }
}

/// The hub's own task.
struct Hearing {
    hub: Arc<Hub>,
    events: broadcast::Receiver<EventRecord>,
    progress: broadcast::Receiver<Progress>,
    /// Text that gathers, by what writes it.
    texts: BTreeMap<(TaskId, Option<CallId>), String>,
    /// Since when.
    text_since: Option<Instant>,
}

impl Hearing {
    async fn run(mut self) {
        loop {
            let text_due = self.text_since.map(|since| since + TEXT_GATHER);
            let mut batch = Batch::default();
            tokio::select! {
                event = self.events.recv() => match event {
                    Ok(record) => self.event(&mut batch, record),
                    // What was missed is in the journal; clients see the gap and read it there.
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return,
                },
                piece = self.progress.recv() => {
                    match piece {
                        Ok(piece) => self.piece(piece),
                        Err(RecvError::Lagged(_)) => {}
                        Err(RecvError::Closed) => return,
                    }
                    continue;
                }
                () = sleep_until(text_due) => self.flush_text(&mut batch),
            }
            while let Ok(record) = self.events.try_recv() {
                self.event(&mut batch, record);
            }
            if batch.events.is_empty() && batch.progress.is_empty() {
                continue;
            }
            let has_events = !batch.events.is_empty();
            // Nobody listening is no error.
            let clients = self.hub.batches.send(Arc::new(batch)).unwrap_or(0);
            if has_events && clients > FEW_CLIENTS {
                tokio::time::sleep(GATHER).await;
            }
        }
    }

    fn event(&mut self, batch: &mut Batch, record: EventRecord) {
        // What was written before the event comes before it.
        self.flush_text(batch);
        self.hub.consoles.lock().unwrap_or_else(PoisonError::into_inner).event(&record);
        batch.events.push(encode(record));
    }

    fn piece(&mut self, piece: Progress) {
        self.hub.consoles.lock().unwrap_or_else(PoisonError::into_inner).progress(&piece);
        let text = self.texts.entry((piece.task, piece.call)).or_default();
        text.push_str(&piece.text);
        keep_end(text, MAX_TEXT);
        self.text_since.get_or_insert_with(Instant::now);
    }

    fn flush_text(&mut self, batch: &mut Batch) {
        self.text_since = None;
        for ((task, call), piece) in std::mem::take(&mut self.texts) {
            let message = ServerMessage::Progress(Progress { task: task.clone(), call, text: piece });
            batch.progress.push((task, text(&message)));
        }
    }
}

async fn sleep_until(due: Option<Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due).await,
        None => std::future::pending().await,
    }
}
