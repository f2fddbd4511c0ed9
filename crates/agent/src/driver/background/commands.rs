//! The background commands of one task, shared by its driver and its calls. Calls start, read and stop them.

use crate::core::Core;
use crate::driver::journal::look_through;
use crate::redact;
use async_trait::async_trait;
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_protocol::{
    BackgroundEnd, BackgroundId, BackgroundStarted, CallId, Confinement, Digest, KeptOutput, TaskEvent,
    TaskId,
};
use deputy_sandbox::{Network, OutputSink};
use deputy_tools::{
    CallContext, Commands, Listed, OutputPiece, RanInBackground, ToStart, WaitFor, Work, without_escapes,
};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

const MIB: u64 = 1024 * 1024;
/// The maximum length of escape sequences inside a text that is waited for, in bytes.
const ESCAPES: u64 = 64;

/// The background commands of one task, shared by its driver and its calls.
pub(in crate::driver) struct Backgrounds {
    core: Arc<Core>,
    task: TaskId,
    inner: Mutex<Inner>,
    ended: mpsc::UnboundedSender<Gone>,
}

#[derive(Default)]
struct Inner {
    /// Dropping this ends all commands: they never outlive their driver.
    at_work: JoinSet<()>,
    commands: BTreeMap<u32, Running>,
    /// Commands started by a call whose end is not journalled yet.
    fresh: Vec<(CallId, u32)>,
    /// The private network of the task, once something listens there.
    network: Option<Network>,
    /// The number of the last command that was started.
    last: u32,
}

/// A background command, running or ended.
struct Running {
    command: String,
    cwd: String,
    confinement: Confinement,
    own_network: bool,
    started: Instant,
    cancel: CancellationToken,
    /// Why it is being stopped. `None` if it ends on its own.
    why: Option<BackgroundEnd>,
    written: watch::Sender<Written>,
    /// The offset up to which the model has read.
    read_to: u64,
}

/// The output of a command, as far as it is kept, and how it ended.
#[derive(Default)]
struct Written {
    tail: VecDeque<u8>,
    /// The total number of bytes ever written.
    total: u64,
    /// A line about how it ended, once it has.
    end: Option<Phrase>,
}

impl Written {
    /// Returns the offset of the first byte that is still kept.
    fn first(&self) -> u64 {
        self.total - self.tail.len() as u64
    }

    /// Returns up to `most` bytes from an offset as text, with the start and end offsets of the piece.
    fn piece(&self, from: u64, most: usize) -> (String, u64, u64) {
        let from = from.clamp(self.first(), self.total);
        let skipped = usize::try_from(from - self.first()).unwrap_or(usize::MAX);
        let mut bytes: Vec<u8> = self.tail.iter().skip(skipped).take(most).copied().collect();
        let has_more = from + (bytes.len() as u64) < self.total || self.end.is_none();
        // A character that is cut in half at the end belongs to the next piece.
        if let Err(error) = std::str::from_utf8(&bytes)
            && error.error_len().is_none()
            && has_more
            && error.valid_up_to() > 0
        {
            bytes.truncate(error.valid_up_to());
        }
        let to = from + bytes.len() as u64;
        (without_escapes(&String::from_utf8_lossy(&bytes)).into_owned(), from, to)
    }
}

/// A background command that has ended and must be journalled.
pub(in crate::driver) struct Gone {
    pub(super) number: u32,
    pub(super) ended: Result<RanInBackground, String>,
}

pub(super) fn id(number: u32) -> BackgroundId {
    BackgroundId(format!("b{number}"))
}

impl Backgrounds {
    /// Creates the state without running commands. The numbers continue from those in the journal.
    pub(in crate::driver) fn new(
        core: Arc<Core>,
        task: TaskId,
        last: u32,
    ) -> (Arc<Self>, mpsc::UnboundedReceiver<Gone>) {
        let (ended, receiver) = mpsc::unbounded_channel();
        let inner = Mutex::new(Inner { last, ..Inner::default() });
        (Arc::new(Self { core, task, inner, ended }), receiver)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the network that the task's commands share. `None` while nothing listens there.
    pub(in crate::driver) fn network(&self) -> Option<Network> {
        let inner = self.inner();
        let listens = |one: &Running| one.own_network && one.written.borrow().end.is_none();
        inner.network.clone().filter(|_| inner.commands.values().any(listens))
    }

    /// Returns the command that a call has started. Each is returned once.
    pub(in crate::driver) fn started_by(
        &self,
        call: &CallId,
        manifest: Option<Digest>,
    ) -> Option<BackgroundStarted> {
        let mut inner = self.inner();
        let at = inner.fresh.iter().position(|(by, _)| by == call)?;
        let (_, number) = inner.fresh.remove(at);
        let running = inner.commands.get(&number)?;
        Some(BackgroundStarted {
            background: id(number),
            call: call.clone(),
            command: redact::text(&deputy_policy::visible(&running.command)).into_owned(),
            cwd: running.cwd.clone(),
            confinement: running.confinement,
            own_network: running.own_network,
            manifest,
        })
    }

    /// Ends a command. The first reason counts.
    pub(in crate::driver) fn end(&self, background: &BackgroundId, why: BackgroundEnd) {
        let mut inner = self.inner();
        let named = inner.commands.iter_mut().find(|(number, _)| id(**number) == *background);
        if let Some((_, running)) = named {
            running.why.get_or_insert(why);
            running.cancel.cancel();
        }
    }

    /// Returns whether a call that has not ended yet started this command.
    pub(super) fn is_fresh(&self, number: u32) -> bool {
        self.inner().fresh.iter().any(|(_, fresh)| *fresh == number)
    }

    /// Returns why it is being stopped, the kept output, and the total size of the output.
    pub(super) fn left_by(&self, number: u32) -> (Option<BackgroundEnd>, Vec<u8>, u64) {
        let inner = self.inner();
        let Some(running) = inner.commands.get(&number) else { return (None, Vec::new(), 0) };
        let written = running.written.borrow();
        (running.why, written.tail.iter().copied().collect(), written.total)
    }

    /// Returns all commands that were started here, running or ended.
    pub(super) fn all(&self) -> Vec<BackgroundId> {
        self.inner().commands.keys().copied().map(id).collect()
    }

    /// Returns whether a command is known here, running or ended.
    pub(super) fn knows(&self, background: &BackgroundId) -> bool {
        self.inner().commands.keys().any(|number| id(*number) == *background)
    }

    fn find<T>(&self, asked: &str, look: impl FnOnce(&mut Running) -> T) -> Result<T, Phrase> {
        let mut inner = self.inner();
        let known: Vec<String> = inner.commands.keys().map(|number| id(*number).0).collect();
        let named = inner.commands.iter_mut().find(|(number, _)| id(**number).as_str() == asked);
        match named {
            Some((_, running)) => Ok(look(running)),
            None if known.is_empty() => Err(say::no_background_yet(asked)),
            None => Err(say::unknown_background(asked, known.join(", "))),
        }
    }

    /// Returns a piece of the output that was kept for a call's command.
    fn kept(&self, asked: &str, offset: u64, most: usize) -> Result<Option<OutputPiece>, Phrase> {
        let core = &self.core;
        let Some(kept) = kept_output(core, &self.task, &CallId::new(asked)).map_err(Phrase::from)? else {
            return Ok(None);
        };
        let bytes = core.store.blob(&kept.digest).map_err(Phrase::from)?;
        let written = Written { total: bytes.len() as u64, tail: bytes.into(), end: Some(Phrase::default()) };
        let (text, from, to) = written.piece(offset, most);
        let standing = match kept.omitted_bytes {
            0 => say::background_all_kept(),
            omitted => say::background_cut(omitted),
        };
        Ok(Some(OutputPiece { text, from, to, written: written.total, standing }))
    }
}

/// Returns the output that was kept for a call's command, from the journal of its task.
pub(crate) fn kept_output(
    core: &Core,
    task: &TaskId,
    call: &CallId,
) -> Result<Option<KeptOutput>, deputy_store::StoreError> {
    let mut found = None;
    look_through(core, task, |event| match event {
        TaskEvent::ToolFinished(end) if end.call == *call => {
            let kept = end.result.output.and_then(|output| output.kept);
            found = kept.or(found.take());
        }
        TaskEvent::BackgroundEnded(end) if end.call == *call => found = end.kept.or(found.take()),
        _ => {}
    })?;
    Ok(found)
}

#[async_trait]
impl Commands for Backgrounds {
    async fn start(&self, cx: &CallContext, mut start: ToStart) -> Result<BackgroundId, Phrase> {
        let most = cx.limits.background_commands;
        let mut inner = self.inner();
        let running = inner.commands.values().filter(|one| one.written.borrow().end.is_none()).count();
        if running >= most as usize {
            return Err(say::too_many_background(running));
        }
        let (mut own_network, mut cwd) = (false, cx.cwd.clone());
        if let Work::Command(spec) = &mut start.work {
            cwd.clone_from(&spec.cwd);
            if cx.confinement == Confinement::Workspace && deputy_sandbox::walls().bubblewrap.is_some() {
                if inner.network.is_none() {
                    inner.network = Network::new()
                        .inspect_err(|error| tracing::warn!("a task gets no network of its own: {error}"))
                        .ok();
                }
                spec.network = inner.network.clone();
                own_network = spec.network.is_some();
            }
        }
        inner.last += 1;
        let number = inner.last;
        let cancel = CancellationToken::new();
        let written = watch::Sender::new(Written::default());
        let running = Running {
            command: start.command.clone(),
            cwd: cwd.to_string_lossy().into_owned(),
            confinement: cx.confinement,
            own_network,
            started: Instant::now(),
            cancel: cancel.clone(),
            why: None,
            written: written.clone(),
            read_to: 0,
        };
        let (progress, sink) = (cx.progress.clone(), written.clone());
        let kept = usize::try_from(cx.limits.command_output_mib.saturating_mul(MIB)).unwrap_or(usize::MAX);
        let live: OutputSink = Arc::new(move |bytes| {
            sink.send_modify(|written| {
                written.total += bytes.len() as u64;
                written.tail.extend(bytes);
                let surplus = written.tail.len().saturating_sub(kept);
                written.tail.drain(..surplus);
            });
            progress(&without_escapes(&String::from_utf8_lossy(bytes)));
        });
        inner.commands.insert(number, running);
        inner.fresh.push((cx.call.clone(), number));
        let ended = self.ended.clone();
        inner.at_work.spawn(async move {
            let end = start.run(cancel, live).await.map_err(|error| error.to_string());
            let line = match &end {
                Ok(ran) => ran.line.clone(),
                Err(error) => say::background_did_not_start(error),
            };
            written.send_modify(|written| written.end = Some(line));
            // Fails if the driver has ended.
            let _ = ended.send(Gone { number, ended: end });
        });
        Ok(id(number))
    }

    async fn output(
        &self,
        asked: &str,
        offset: Option<u64>,
        most_bytes: usize,
        wait: &WaitFor,
    ) -> Result<OutputPiece, Phrase> {
        let found =
            self.find(asked, |running| (running.written.subscribe(), running.read_to, running.started));
        let (mut written, read_to, started) = match found {
            Ok(found) => found,
            Err(unknown) => {
                return self.kept(asked, offset.unwrap_or(0), most_bytes)?.ok_or(unknown);
            }
        };
        let from = offset.unwrap_or(read_to);
        // Where the text can still begin, so that no output is searched twice.
        let mut unsearched = from;
        let has_news = |written: &Written| {
            let is_there = match &wait.text {
                None => written.total > from,
                Some(wanted) => {
                    let (text, _, to) = written.piece(unsearched, usize::MAX);
                    unsearched = to.saturating_sub(wanted.len() as u64 + ESCAPES).max(unsearched);
                    text.contains(wanted)
                }
            };
            is_there || written.end.is_some()
        };
        // A timeout is not an error: it means that what was waited for did not come.
        let _ = tokio::time::timeout(wait.at_most, written.wait_for(has_news)).await;
        let (text, from, to, total, standing) = {
            let written = written.borrow();
            let (text, from, to) = written.piece(from, most_bytes);
            let standing = match &written.end {
                Some(line) => say::background_ended(line),
                None => say::background_running(started.elapsed().as_secs()),
            };
            (text, from, to, written.total, standing)
        };
        if offset.is_none() {
            self.find(asked, |running| running.read_to = to)?;
        }
        Ok(OutputPiece { text, from, to, written: total, standing })
    }

    async fn stop(&self, asked: &str) -> Result<Phrase, Phrase> {
        let mut written = self.find(asked, |running| {
            if running.written.borrow().end.is_none() {
                running.why.get_or_insert(BackgroundEnd::StoppedByTask);
            }
            running.cancel.cancel();
            running.written.subscribe()
        })?;
        let ended = written.wait_for(|written| written.end.is_some()).await;
        let line = ended.map_err(|_| say::background_gone())?.end.clone();
        Ok(line.unwrap_or_default())
    }

    fn list(&self) -> Vec<Listed> {
        let inner = self.inner();
        let listed = |(number, running): (&u32, &Running)| {
            let written = running.written.borrow();
            Listed {
                background: id(*number),
                command: running.command.clone(),
                standing: match &written.end {
                    Some(line) => say::background_ended(line),
                    None => say::background_running(running.started.elapsed().as_secs()),
                },
                written: written.total,
            }
        };
        inner.commands.iter().map(listed).collect()
    }
}
