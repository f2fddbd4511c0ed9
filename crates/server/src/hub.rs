//! The event hub: receives the journal and the progress once, encodes each message once, and sends the same bytes to
//! every client.

use crate::console::Consoles;
use crate::screens::Screens;
use axum::extract::ws::Utf8Bytes;
use deputy_agent::Host;
use deputy_protocol::{
    CallId, Console, EventMessage, EventRecord, EventsAnswer, JobProgress, Progress, ServerMessage,
    TaskEvent, TaskId,
};
use deputy_store::MirroredEvent;
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::time::Instant;

/// The number of batches that a client may lag behind. A slower client is disconnected, and can resume.
const BATCHES: usize = 256;
/// With more clients than this, events are sent in batches: one write for each client instead of one for each event.
const FEW_CLIENTS: usize = 16;
/// How long a batch collects events in that case. This is the maximum additional delay of an event.
const GATHER: Duration = Duration::from_millis(20);
/// The interval of streamed text. At each interval, the text of the writer that has waited longest is sent: at most 20
/// messages a second, regardless of the speed and the number of writers.
const TEXT_GATHER: Duration = Duration::from_millis(50);
/// The maximum size of collected streamed text, in bytes. The rest is in the journal when the call or the plan ends.
const MAX_TEXT: usize = 32 * 1024;
/// The length from which texts are shortened for remote clients, in bytes. They fetch the full event when it is opened.
const LONG_TEXT: usize = 8 * 1024;
/// The length that is kept at the beginning and at the end of a shortened text, in bytes.
const KEPT_TEXT: usize = 2 * 1024;

/// An encoded event.
#[derive(Clone, Debug)]
pub(crate) struct Encoded {
    pub(crate) seq: u64,
    pub(crate) task: TaskId,
    /// The full message.
    pub(crate) full: Utf8Bytes,
    /// The message with long texts shortened, or the same bytes if there are none.
    pub(crate) short: Utf8Bytes,
}

/// Messages that are sent together.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// Streamed text, notices and the progress of jobs, each with its task, if any. They are older than the events of
    /// the batch.
    pub(crate) progress: Vec<(Option<TaskId>, Utf8Bytes)>,
    /// Events in the order of the journal.
    pub(crate) events: Vec<Encoded>,
}

/// The hub. It lives as long as the host's journal.
pub(crate) struct Hub {
    batches: broadcast::Sender<Arc<Batch>>,
    consoles: Mutex<Consoles>,
}

impl Hub {
    /// Starts the hub.
    pub(crate) fn start(host: &Host, screens: &Screens) -> Arc<Self> {
        let hub = Arc::new(Self { batches: broadcast::channel(BATCHES).0, consoles: Mutex::default() });
        // Subscribes here and not in the task, so that nothing is missed.
        let hearing = Hearing {
            hub: hub.clone(),
            events: host.events(),
            progress: host.progress(),
            jobs: host.job_progress(),
            texts: VecDeque::new(),
            text_due: None,
        };
        screens.spawn(hearing.run());
        hub
    }

    /// Subscribes to all new messages.
    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Arc<Batch>> {
        self.batches.subscribe()
    }

    /// Sends a message that is not journalled to every client.
    pub(crate) fn tell(&self, task: &TaskId, message: &ServerMessage) {
        let batch = Batch { progress: vec![(Some(task.clone()), text(message))], events: Vec::new() };
        // Without a receiver, sending fails; this is not an error.
        let _ = self.batches.send(Arc::new(batch));
    }

    /// Returns the output of a task's running calls so far.
    pub(crate) fn console(&self, task: &TaskId) -> Console {
        self.consoles.lock().unwrap_or_else(PoisonError::into_inner).of(task)
    }
}

/// Encodes an event.
pub(crate) fn encode(event: MirroredEvent) -> Encoded {
    let MirroredEvent { record, update } = event;
    let (seq, task) = (record.seq, record.task.clone());
    // A person decides based on the content of a request, so it is never shortened.
    let is_whole = matches!(record.event, TaskEvent::PermissionRequested(_));
    let message =
        ServerMessage::Event(Box::new(EventMessage { record, update: Some(update), shortened: false }));
    let full = text(&message);
    let short = match is_whole || full.len() <= LONG_TEXT {
        true => full.clone(),
        false => shortened(&message).unwrap_or_else(|| full.clone()),
    };
    Encoded { seq, task, full, short }
}

/// Shortens the long texts of requested events in the same way as those of live events.
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

/// Serializes a message. Messages are plain trees of strings and numbers, so this cannot fail.
pub(crate) fn text(message: &ServerMessage) -> Utf8Bytes {
    Utf8Bytes::from(serde_json::to_string(message).unwrap_or_default())
}

/// Returns the message with its long texts shortened. `None` if there are none.
fn shortened(message: &ServerMessage) -> Option<Utf8Bytes> {
    let mut value = serde_json::to_value(message).ok()?;
    if !cut(&mut value) {
        return None;
    }
    // The output of a command is also in the content of its result; once is enough here.
    for stream in ["stdout", "stderr"] {
        if let Some(text) = value.pointer_mut(&format!("/record/event/result/output/{stream}")) {
            *text = Value::String(String::new());
        }
    }
    *value.get_mut("shortened")? = Value::Bool(true);
    Some(Utf8Bytes::from(value.to_string()))
}

/// Removes the middle of long texts. Returns whether there were any.
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

/// Returns the character boundary at or before `at`.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|place| text.is_char_boundary(*place)).unwrap_or(0)
}

/// Keeps the end of a text that is too long.
pub(crate) fn keep_end(text: &mut String, max: usize) {
    if text.len() > max {
        text.drain(..boundary(text, text.len() - max));
    }
}

/// The state of the hub's task.
struct Hearing {
    hub: Arc<Hub>,
    events: broadcast::Receiver<MirroredEvent>,
    progress: broadcast::Receiver<Progress>,
    jobs: broadcast::Receiver<JobProgress>,
    /// Collected text by writer. The writer that has waited longest comes first.
    texts: VecDeque<(Writer, String)>,
    /// When the next text is sent.
    text_due: Option<Instant>,
}

/// A writer of text: a call of a task, or its planner.
type Writer = (TaskId, Option<CallId>);

impl Hearing {
    async fn run(mut self) {
        loop {
            let text_due = self.text_due;
            let mut batch = Batch::default();
            tokio::select! {
                event = self.events.recv() => match event {
                    Ok(event) => self.event(&mut batch, event),
                    // Missed events are in the journal; clients detect the gap and read them there.
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
                job = self.jobs.recv() => match job {
                    // Progress messages of jobs are small, so they are not collected.
                    Ok(job) => batch.progress.push((None, text(&ServerMessage::Job(job)))),
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return,
                },
                () = sleep_until(text_due) => self.flush_text(&mut batch),
            }
            while let Ok(event) = self.events.try_recv() {
                self.event(&mut batch, event);
            }
            if batch.events.is_empty() && batch.progress.is_empty() {
                continue;
            }
            let has_events = !batch.events.is_empty();
            // Without a receiver, sending fails; this is not an error.
            let clients = self.hub.batches.send(Arc::new(batch)).unwrap_or(0);
            if has_events && clients > FEW_CLIENTS {
                tokio::time::sleep(GATHER).await;
            }
        }
    }

    fn event(&mut self, batch: &mut Batch, event: MirroredEvent) {
        let record = &event.record;
        // Text that was not sent before the end of its writer is part of the final event, or no longer needed.
        self.texts
            .retain(|((task, call), _)| *task != record.task || !is_end_of(call.as_ref(), &record.event));
        self.hub.consoles.lock().unwrap_or_else(PoisonError::into_inner).event(record);
        batch.events.push(encode(event));
    }

    fn piece(&mut self, piece: Progress) {
        self.hub.consoles.lock().unwrap_or_else(PoisonError::into_inner).progress(&piece);
        let writer = (piece.task, piece.call);
        match self.texts.iter_mut().find(|(by, _)| *by == writer) {
            Some((_, text)) => {
                text.push_str(&piece.text);
                keep_end(text, MAX_TEXT);
            }
            None => {
                let mut text = piece.text;
                keep_end(&mut text, MAX_TEXT);
                self.texts.push_back((writer, text));
            }
        }
        self.text_due.get_or_insert_with(|| Instant::now() + TEXT_GATHER);
    }

    fn flush_text(&mut self, batch: &mut Batch) {
        if let Some(((task, call), piece)) = self.texts.pop_front() {
            let message = ServerMessage::Progress(Progress { task: task.clone(), call, text: piece });
            batch.progress.push((Some(task), text(&message)));
        }
        // Set even if nothing is left, so that the next text is collected first.
        self.text_due = (!self.texts.is_empty()).then(|| Instant::now() + TEXT_GATHER);
    }
}

/// Returns whether an event ends the text of a call, or of the planner.
fn is_end_of(call: Option<&CallId>, event: &TaskEvent) -> bool {
    match event {
        TaskEvent::ToolFinished(finished) => call == Some(&finished.call),
        TaskEvent::Planned(_) | TaskEvent::PlanFailed(_) => call.is_none(),
        TaskEvent::Interrupted(_) | TaskEvent::Stopped(_) => true,
        _ => false,
    }
}

async fn sleep_until(due: Option<Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_protocol::{CallStatus, QueuedTask, Steered, TaskState, TaskUpdate, ToolFinished, ToolResult};

    fn hearing() -> Hearing {
        Hearing {
            hub: Arc::new(Hub { batches: broadcast::channel(1).0, consoles: Mutex::default() }),
            events: broadcast::channel(1).1,
            progress: broadcast::channel(1).1,
            jobs: broadcast::channel(1).1,
            texts: VecDeque::new(),
            text_due: None,
        }
    }

    fn record(event: TaskEvent) -> MirroredEvent {
        let record = EventRecord { seq: 1, task: TaskId::new("t"), at_ms: 0, event };
        let state = TaskState::Queued(QueuedTask {});
        MirroredEvent {
            record,
            update: TaskUpdate {
                state,
                tokens: 0,
                updated_at_ms: 0,
                queue_rank: None,
                backend: String::new(),
                model: None,
                cost_micros: None,
                todo: None,
                title: None,
                archived: false,
            },
        }
    }

    fn write(hearing: &mut Hearing, call: Option<&str>, text: &str) {
        let call = call.map(CallId::new);
        hearing.piece(Progress { task: TaskId::new("t"), call, text: text.to_owned() });
    }

    /// Returns the messages that are sent at the next interval.
    fn flush(hearing: &mut Hearing) -> Vec<String> {
        let mut batch = Batch::default();
        hearing.flush_text(&mut batch);
        batch.progress.iter().map(|(_, text)| text.to_string()).collect()
    }

    /// Regression test: every event caused all collected text to be sent early, and every writer had a separate rate.
    #[test]
    fn text_goes_out_one_message_at_a_time_whatever_happens_beside_it() {
        let mut hearing = hearing();
        let mut batch = Batch::default();
        for n in 0..1_000 {
            write(&mut hearing, Some(&format!("c{}", n % 3)), "x");
            hearing.event(
                &mut batch,
                record(TaskEvent::Steered(Steered { text: "y".to_owned(), named: Vec::new() })),
            );
        }
        assert_eq!((batch.progress.len(), batch.events.len()), (0, 1_000));
        for left in [true, true, false] {
            let before = Instant::now();
            assert_eq!(flush(&mut hearing).len(), 1);
            assert_eq!(hearing.text_due.is_some(), left);
            assert!(hearing.text_due.is_none_or(|due| due >= before + TEXT_GATHER));
        }
        let before = Instant::now();
        write(&mut hearing, None, "more");
        assert!(hearing.text_due.unwrap() >= before + TEXT_GATHER, "the next message waits as long");
    }

    #[test]
    fn what_had_not_gone_out_by_the_end_stands_in_the_end_and_comes_not_after_it() {
        let mut hearing = hearing();
        for (call, text) in [(Some("one"), "late"), (Some("two"), "early"), (None, "plan")] {
            write(&mut hearing, call, text);
        }
        let result = ToolResult::new(CallStatus::Ok, "late, and all of it".to_owned());
        let finished = ToolFinished { call: CallId::new("one"), result, duration_ms: 1 };
        hearing.event(&mut Batch::default(), record(TaskEvent::ToolFinished(finished)));
        let sent = [flush(&mut hearing), flush(&mut hearing), flush(&mut hearing)].concat();
        assert_eq!(sent.len(), 2, "{sent:?}");
        assert!(sent[0].contains("early") && sent[1].contains("plan"), "{sent:?}");
    }
}
