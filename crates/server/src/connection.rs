//! One client: hello, then commands and queries in, events and answers out.

use crate::MAX_LINE_BYTES;
use deputy_agent::{Host, HostError};
use deputy_protocol::{
    ClientMessage, CommandReply, ErrorBody, ErrorMessage, EventMessage, EventRecord, Hello, PROTOCOL_VERSION,
    Progress, QueryReply, ServerMessage, SnapshotMessage, Welcome,
};
use futures_util::{SinkExt, StreamExt};
use std::time::Duration;
use tokio::net::UnixStream;
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio_util::codec::{Framed, LinesCodec};
use tokio_util::sync::CancellationToken;

/// A client that says no hello in this time is let go.
const HELLO_TIMEOUT: Duration = Duration::from_secs(5);
/// A client that takes nothing for this long is let go; it can resume.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);
/// Events that are fetched from the journal at once.
const PAGE: u32 = 500;

type Lines = Framed<UnixStream, LinesCodec>;

/// The connection is over.
struct Gone;

/// Serves one client until it leaves or the host ends.
pub(crate) async fn serve(stream: UnixStream, host: Host, end: CancellationToken) {
    let lines = Framed::new(stream, LinesCodec::new_with_max_length(MAX_LINE_BYTES));
    let mut connection = Connection { lines, host, sent: 0 };
    // Whichever way a client leaves, the host goes on.
    let _ = connection.run(&end).await;
}

struct Connection {
    lines: Lines,
    host: Host,
    /// The last event that the client has.
    sent: u64,
}

impl Connection {
    async fn run(&mut self, end: &CancellationToken) -> Result<(), Gone> {
        // Subscribed before anything is read, so that nothing falls in between.
        let mut events = self.host.events();
        let mut progress = self.host.progress();
        let hello = self.hello().await?;
        self.welcome(&hello).await?;
        loop {
            tokio::select! {
                // Heard only between messages: whoever asked for the end, say by stopping the last task, hears of it.
                () = end.cancelled() => return Err(Gone),
                line = self.lines.next() => match line {
                    Some(Ok(line)) => self.message(&line).await?,
                    Some(Err(error)) => {
                        let hint = "Send one JSON message a line.";
                        self.error(None, ErrorBody::new("bad_message", error.to_string(), hint)).await?;
                        return Err(Gone);
                    }
                    None => return Err(Gone),
                },
                event = next_event(&mut events), if hello.follow => self.event(event).await?,
                piece = next_progress(&mut progress), if hello.follow => {
                    self.send(&ServerMessage::Progress(piece)).await?;
                }
            }
        }
    }

    async fn hello(&mut self) -> Result<Hello, Gone> {
        let line = tokio::time::timeout(HELLO_TIMEOUT, self.lines.next()).await.map_err(|_| Gone)?;
        let Some(Ok(line)) = line else { return Err(Gone) };
        match serde_json::from_str(&line) {
            Ok(ClientMessage::Hello(hello)) if hello.protocol == PROTOCOL_VERSION => return Ok(hello),
            Ok(ClientMessage::Hello(hello)) => {
                let message =
                    format!("This host speaks protocol {PROTOCOL_VERSION}, the client {}.", hello.protocol);
                self.error(
                    None,
                    ErrorBody::new("protocol", message, "Use the same version of Deputy for both."),
                )
                .await?;
            }
            _ => {
                let message = "The first message was not a hello.";
                self.error(None, ErrorBody::new("no_hello", message, "Send a hello first.")).await?;
            }
        }
        Err(Gone)
    }

    /// What the client missed, or a snapshot.
    async fn welcome(&mut self, hello: &Hello) -> Result<(), Gone> {
        let snapshot = match self.host.snapshot() {
            Ok(snapshot) => snapshot,
            Err(error) => {
                self.error(None, error.into()).await?;
                return Err(Gone);
            }
        };
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let welcome = Welcome { protocol: PROTOCOL_VERSION, version, seq: snapshot.seq };
        self.send(&ServerMessage::Welcome(welcome)).await?;
        match hello.resume_from {
            Some(seq) if seq <= snapshot.seq => {
                self.sent = seq;
                self.catch_up(snapshot.seq).await
            }
            _ => {
                self.sent = snapshot.seq;
                self.send(&ServerMessage::Snapshot(SnapshotMessage { snapshot })).await
            }
        }
    }

    async fn message(&mut self, line: &str) -> Result<(), Gone> {
        match serde_json::from_str(line) {
            Ok(ClientMessage::Command(command)) => {
                let id = command.envelope.id.clone();
                match self.host.command(command.envelope).await {
                    Ok(outcome) => {
                        self.send(&ServerMessage::CommandReply(CommandReply { id, outcome })).await
                    }
                    Err(error) => self.error(Some(id), error).await,
                }
            }
            Ok(ClientMessage::Query(query)) => match self.host.query(query.query).await {
                Ok(answer) => {
                    self.send(&ServerMessage::QueryReply(QueryReply { id: query.id, answer })).await
                }
                Err(error) => self.error(Some(query.id), error).await,
            },
            Ok(ClientMessage::Hello(_)) => {
                self.error(None, ErrorBody::new("bad_message", "A second hello.", "Say hello once.")).await
            }
            Err(error) => {
                let hint = "docs/architecture.md lists the messages.";
                self.error(None, ErrorBody::new("bad_message", error.to_string(), hint)).await
            }
        }
    }

    async fn event(&mut self, event: Option<EventRecord>) -> Result<(), Gone> {
        match event {
            Some(record) if record.seq <= self.sent => Ok(()),
            Some(record) if record.seq == self.sent + 1 => self.send_event(record).await,
            // Something was missed: the journal has it.
            Some(record) => self.catch_up(record.seq).await,
            None => {
                let newest = self.host.store().last_seq().map_err(HostError::from);
                match newest {
                    Ok(newest) => self.catch_up(newest).await,
                    Err(error) => self.error(None, error.into()).await,
                }
            }
        }
    }

    async fn catch_up(&mut self, to: u64) -> Result<(), Gone> {
        while self.sent < to {
            let page = match self.host.store().events_since(self.sent, PAGE) {
                Ok(page) => page,
                Err(error) => {
                    self.error(None, HostError::from(error).into()).await?;
                    return Err(Gone);
                }
            };
            if page.is_empty() {
                break;
            }
            for record in page {
                self.send_event(record).await?;
            }
        }
        Ok(())
    }

    async fn send_event(&mut self, record: EventRecord) -> Result<(), Gone> {
        self.sent = record.seq;
        self.send(&ServerMessage::Event(EventMessage { record })).await
    }

    async fn error(&mut self, id: Option<deputy_protocol::CommandId>, error: ErrorBody) -> Result<(), Gone> {
        self.send(&ServerMessage::Error(ErrorMessage { id, error })).await
    }

    async fn send(&mut self, message: &ServerMessage) -> Result<(), Gone> {
        // Every message is a plain tree of strings and numbers; this cannot fail for any of them.
        let line = serde_json::to_string(message).map_err(|_| Gone)?;
        match tokio::time::timeout(SEND_TIMEOUT, self.lines.send(line)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Gone),
        }
    }
}

/// The next event; `None` where the client was too slow and has to catch up.
async fn next_event(events: &mut Receiver<EventRecord>) -> Option<EventRecord> {
    match events.recv().await {
        Ok(record) => Some(record),
        Err(RecvError::Lagged(_)) => None,
        Err(RecvError::Closed) => std::future::pending().await,
    }
}

/// The next progress; what a slow client missed of it is gone.
async fn next_progress(progress: &mut Receiver<Progress>) -> Progress {
    loop {
        match progress.recv().await {
            Ok(piece) => return piece,
            Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return std::future::pending().await,
        }
    }
}
