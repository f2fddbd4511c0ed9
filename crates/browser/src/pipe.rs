//! The DevTools protocol over a socket between this process and the browser: sends commands, and receives answers and
//! events.

use crate::BrowserError;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{mpsc, oneshot};

/// The maximum size of a message, in bytes. The outline of a huge page takes a few megabytes.
const LONGEST_MESSAGE: usize = 128 * 1024 * 1024;
/// How long to wait for an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// An answer of the browser.
pub(crate) type Answer = Result<Value, BrowserError>;

/// The connection to a browser. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Pipe {
    inner: Arc<Inner>,
}

struct Inner {
    next: AtomicU64,
    /// The number of events that were received.
    received: AtomicU64,
    out: mpsc::UnboundedSender<Vec<u8>>,
    waiting: Mutex<Option<HashMap<u64, oneshot::Sender<Answer>>>>,
}

/// An event in the browser.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) method: String,
    /// The session of the target. Empty for events of the browser itself.
    pub(crate) session: String,
    pub(crate) params: Value,
}

impl Pipe {
    /// Uses a connected socket. Returns the receiver of events, which ends when the browser ends.
    pub(crate) fn new(socket: UnixStream) -> (Self, mpsc::UnboundedReceiver<Event>) {
        let (read, write) = socket.into_split();
        let (out, to_write) = mpsc::unbounded_channel();
        let (events, happened) = mpsc::unbounded_channel();
        let inner = Arc::new(Inner {
            next: AtomicU64::new(1),
            received: AtomicU64::new(0),
            out,
            waiting: Mutex::new(Some(HashMap::new())),
        });
        tokio::spawn(write_all(write, to_write));
        let pipe = Self { inner };
        tokio::spawn(pipe.clone().read_all(read, events));
        (pipe, happened)
    }

    /// Sends a command to the session of a target, or to the browser if `session` is empty, and waits for the answer.
    pub(crate) async fn call(&self, session: &str, method: &str, params: Value) -> Answer {
        self.call_within(PATIENCE, session, method, params).await
    }

    /// Like [`Pipe::call`], with another time limit.
    pub(crate) async fn call_within(
        &self,
        limit: Duration,
        session: &str,
        method: &str,
        params: Value,
    ) -> Answer {
        within(limit, self.send(session, method, params)?).await
    }

    /// Sends one command for many items at once and returns the answers in order.
    pub(crate) async fn call_each(
        &self,
        session: &str,
        method: &str,
        each: impl Iterator<Item = Value>,
    ) -> Vec<Answer> {
        let sent: Vec<_> = each.map(|params| self.send(session, method, params)).collect();
        let mut answers = Vec::with_capacity(sent.len());
        for sent in sent {
            answers.push(match sent {
                Ok(answer) => within(PATIENCE, answer).await,
                Err(error) => Err(error),
            });
        }
        answers
    }

    /// Sends a command without waiting for an answer.
    pub(crate) fn tell(&self, session: &str, method: &str, params: Value) {
        // If the browser is gone, the end of its events reports that.
        let _ = self.send(session, method, params);
    }

    /// Returns the number of events that were received. It includes all that the browser sent before an answer that has
    /// been received.
    pub(crate) fn received(&self) -> u64 {
        self.inner.received.load(Ordering::SeqCst)
    }

    /// Sends a command. The receiver gets the answer.
    pub(crate) fn send(
        &self,
        session: &str,
        method: &str,
        params: Value,
    ) -> Result<oneshot::Receiver<Answer>, BrowserError> {
        let id = self.inner.next.fetch_add(1, Ordering::Relaxed);
        let mut message = json!({"id": id, "method": method, "params": params});
        if !session.is_empty() {
            message["sessionId"] = session.into();
        }
        let (answer, answered) = oneshot::channel();
        let mut waiting = self.inner.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.as_mut().ok_or(BrowserError::Gone)?.insert(id, answer);
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.inner.out.send(bytes).map_err(|_| BrowserError::Gone)?;
        Ok(answered)
    }

    async fn read_all(self, mut read: OwnedReadHalf, events: mpsc::UnboundedSender<Event>) {
        let mut gathered: Vec<u8> = Vec::new();
        let mut chunk = vec![0; 64 * 1024];
        while let Ok(length @ 1..) = read.read(&mut chunk).await {
            let mut rest = &chunk[..length];
            while let Some(end) = rest.iter().position(|byte| *byte == 0) {
                gathered.extend_from_slice(&rest[..end]);
                self.take(&gathered, &events);
                gathered.clear();
                rest = &rest[end + 1..];
            }
            gathered.extend_from_slice(rest);
            if gathered.len() > LONGEST_MESSAGE {
                break;
            }
        }
        // Dropping the senders tells everyone who waits that no answer will arrive.
        *self.inner.waiting.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn take(&self, message: &[u8], events: &mpsc::UnboundedSender<Event>) {
        let Ok(mut message) = serde_json::from_slice::<Value>(message) else { return };
        let Some(id) = message["id"].as_u64() else {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let (method, session) = (text(&message["method"]), text(&message["sessionId"]));
            self.inner.received.fetch_add(1, Ordering::SeqCst);
            // The receiver may be gone if the browser is being closed.
            let _ = events.send(Event { method, session, params: message["params"].take() });
            return;
        };
        let mut waiting = self.inner.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(answer) = waiting.as_mut().and_then(|waiting| waiting.remove(&id)) else { return };
        let refused = message["error"]["message"].as_str().map(str::to_owned);
        // The caller may have stopped waiting.
        let _ = answer.send(match refused {
            Some(why) => Err(BrowserError::refused(why)),
            None => Ok(message["result"].take()),
        });
    }
}

async fn within(limit: Duration, answer: oneshot::Receiver<Answer>) -> Answer {
    match tokio::time::timeout(limit, answer).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => Err(BrowserError::Gone),
        Err(_) => Err(BrowserError::Silent(limit)),
    }
}

async fn write_all(mut write: OwnedWriteHalf, mut messages: mpsc::UnboundedReceiver<Vec<u8>>) {
    while let Some(message) = messages.recv().await {
        if write.write_all(&message).await.is_err() {
            return;
        }
    }
}
