//! The event hub: hears the journal and the progress once, encodes each message once, and hands the same bytes to
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

/// Batches that a client may lag behind; then it is dropped and resumes.
const BATCHES: usize = 256;
/// With more clients than this events travel in batches: one write a client instead of one an event.
const FEW_CLIENTS: usize = 16;
/// How long a batch gathers then; a client waits at most so much longer for an event.
const GATHER: Duration = Duration::from_millis(20);
/// Streamed text is gathered so long, and then goes out for one piece of work, the one that has waited longest: 20
/// messages a second, however fast it is written and by however many.
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
    /// Streamed text, notices and how far jobs got, which are older than the events alongside them; with the task that they
    /// belong to, if to any.
    pub(crate) progress: Vec<(Option<TaskId>, Utf8Bytes)>,
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
    pub(crate) fn start(host: &Host, screens: &Screens) -> Arc<Self> {
        let hub = Arc::new(Self { batches: broadcast::channel(BATCHES).0, consoles: Mutex::default() });
        // Subscribed here and not in the task: nothing may fall in between.
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

    /// Everything from now on.
    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Arc<Batch>> {
        self.batches.subscribe()
    }

    /// Tells every client something that is not journalled.
    pub(crate) fn tell(&self, task: &TaskId, message: &ServerMessage) {
        let batch = Batch { progress: vec![(Some(task.clone()), text(message))], events: Vec::new() };
        // Nobody listening is not an error.
        let _ = self.batches.send(Arc::new(batch));
    }

    /// What a task's running calls have said so far.
    pub(crate) fn console(&self, task: &TaskId) -> Console {
        self.consoles.lock().unwrap_or_else(PoisonError::into_inner).of(task)
    }
}

/// Encodes an event.
pub(crate) fn encode(event: MirroredEvent) -> Encoded {
    let MirroredEvent { record, update } = event;
    let (seq, task) = (record.seq, record.task.clone());
    // A person decides on what a request shows, so nothing of it is left out.
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
    // What a command printed is in its result's content as well; once is enough here.
    for stream in ["stdout", "stderr"] {
        if let Some(text) = value.pointer_mut(&format!("/record/event/result/output/{stream}")) {
            *text = Value::String(String::new());
        }
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
    events: broadcast::Receiver<MirroredEvent>,
    progress: broadcast::Receiver<Progress>,
    jobs: broadcast::Receiver<JobProgress>,
    /// Text that gathers, by what writes it; first what has waited longest.
    texts: VecDeque<(Writer, String)>,
    /// When the first of it goes out.
    text_due: Option<Instant>,
}

/// What writes text: a call of a task, or its planner.
type Writer = (TaskId, Option<CallId>);

impl Hearing {
    async fn run(mut self) {
        loop {
            let text_due = self.text_due;
            let mut batch = Batch::default();
            tokio::select! {
                event = self.events.recv() => match event {
                    Ok(event) => self.event(&mut batch, event),
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
                job = self.jobs.recv() => match job {
                    // Each job says little of itself, so nothing of it is gathered.
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
            // Nobody listening is not an error.
            let clients = self.hub.batches.send(Arc::new(batch)).unwrap_or(0);
            if has_events && clients > FEW_CLIENTS {
                tokio::time::sleep(GATHER).await;
            }
        }
    }

    fn event(&mut self, batch: &mut Batch, event: MirroredEvent) {
        let record = &event.record;
        // What was written and has not gone out by the end is part of the end, or of no use after it.
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
        // Also where nothing is left: what comes next gathers first.
        self.text_due = (!self.texts.is_empty()).then(|| Instant::now() + TEXT_GATHER);
    }
}

/// Whether an event ends what a call, or the planner, writes.
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

    /// What goes out when the time has come.
    fn flush(hearing: &mut Hearing) -> Vec<String> {
        let mut batch = Batch::default();
        hearing.flush_text(&mut batch);
        batch.progress.iter().map(|(_, text)| text.to_string()).collect()
    }

    /// Every event once let out what had gathered, however young it was, and every writer had a rate of its own.
    #[test]
    fn text_goes_out_one_message_at_a_time_whatever_happens_beside_it() {
        let mut hearing = hearing();
        let mut batch = Batch::default();
        for n in 0..1_000 {
            write(&mut hearing, Some(&format!("c{}", n % 3)), "x");
            hearing.event(&mut batch, record(TaskEvent::Steered(Steered { text: "y".to_owned() })));
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
