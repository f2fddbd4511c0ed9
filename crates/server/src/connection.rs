//! The conversation with one client over any transport: a hello, then commands and queries in, and events and answers
//! out.

#[cfg(test)]
mod tests;

use crate::gate::{Caller, Channel, Refusal};
use crate::hub::{Batch, Encoded, encode, text};
use crate::mirror::{Mirror, TERMINAL};
use crate::strict::refuse_unknown;
use crate::wire::{Gone, Received, Wire};
use axum::extract::ws::Utf8Bytes;
use deputy_agent::HostError;
use deputy_messages::server as say;
use deputy_protocol::{
    Challenge, ClientCommand, ClientMessage, ClientQuery, CommandId, CommandReply, ErrorBody, ErrorCode,
    ErrorMessage, Hello, PROTOCOL_VERSION, Pace, QueryReply, ServerMessage, SnapshotMessage, TaskId, Welcome,
};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio::sync::mpsc::{self, Sender};
use tokio_util::sync::CancellationToken;

/// How long to wait for the hello of a client before it is disconnected.
const HELLO_TIMEOUT: Duration = Duration::from_secs(5);
/// The interval at which a silent client is pinged.
const KEEP_ALIVE: Duration = Duration::from_secs(25);
/// The number of events read from the journal at once.
const PAGE: u32 = 500;
/// A client that missed more events than this gets a new snapshot, which is smaller and available immediately.
const MAX_RESUME: u64 = 5_000;

/// The number of slow queries of one client that are processed at the same time.
const LATE: usize = 4;

/// How a client authenticates.
pub(crate) enum Entrance {
    /// By its transport: the Unix socket.
    Known(Caller),
    /// By a proof in its hello.
    Proof(Channel),
}

/// Serves one client until it disconnects or the host ends.
pub(crate) async fn serve<W: Wire>(wire: W, mirror: Mirror, entrance: Entrance, end: CancellationToken) {
    let is_whole = matches!(entrance, Entrance::Known(_));
    let by = match &entrance {
        Entrance::Known(caller) => caller.name().to_owned(),
        Entrance::Proof(_) => "a stranger".to_owned(),
    };
    let mut connection =
        Connection { wire, mirror, by, sent: 0, is_whole, task: None, late: mpsc::channel(LATE) };
    // However a client disconnects, the host continues.
    let _ = connection.run(entrance, &end).await;
    connection.wire.close().await;
}

/// Serves a client that only listens, to all events or to those of one task.
pub(crate) async fn stream<W: Wire>(
    wire: W,
    mirror: Mirror,
    caller: Caller,
    resume_from: Option<u64>,
    task: Option<TaskId>,
    end: CancellationToken,
) {
    // A new listener of a task needs the history of the task, and not a snapshot of everything.
    let resume_from = resume_from.or(task.as_ref().map(|_| 0));
    let by = caller.name().to_owned();
    let mut connection =
        Connection { wire, mirror, by, sent: 0, is_whole: false, task, late: mpsc::channel(LATE) };
    let hello = Hello { protocol: PROTOCOL_VERSION, resume_from, follow: true, brief: true, proof: None };
    let _ = connection.converse(&hello, &caller, &end).await;
    connection.wire.close().await;
}

struct Connection<W> {
    wire: W,
    mirror: Mirror,
    /// The name of the client, for the log.
    by: String,
    /// The number of the last event that the client has.
    sent: u64,
    /// Whether it gets long texts in full: it uses the Unix socket, and did not ask for short ones.
    is_whole: bool,
    /// The only task whose events it gets. `None` for all tasks.
    task: Option<TaskId>,
    /// Answers to slow queries, which do not block anything else.
    late: (Sender<ServerMessage>, mpsc::Receiver<ServerMessage>),
}

impl<W: Wire> Connection<W> {
    async fn run(&mut self, entrance: Entrance, end: &CancellationToken) -> Result<(), Gone> {
        let (hello, caller) = self.hello(entrance).await?;
        self.is_whole &= !hello.brief;
        caller.name().clone_into(&mut self.by);
        self.converse(&hello, &caller, end).await
    }

    /// Handles the conversation after the hello.
    async fn converse(
        &mut self,
        hello: &Hello,
        caller: &Caller,
        end: &CancellationToken,
    ) -> Result<(), Gone> {
        // Subscribes before anything is read, so that no event is missed.
        let mut batches = hello.follow.then(|| self.mirror.hub().subscribe());
        self.welcome(hello, caller).await?;
        let mut keep_alive = tokio::time::interval(KEEP_ALIVE);
        let mirror = self.mirror.clone();
        let over = mirror.after(caller.until_ms);
        // Created once: otherwise a thousand clients would queue for the host's token after each batch.
        let (ended, cut) = (end.cancelled(), caller.cut.cancelled());
        tokio::pin!(over, ended, cut);
        loop {
            tokio::select! {
                // Checked only between messages, so that a client whose command ends the host, such as stopping the
                // last task, gets its answer.
                () = &mut ended => return Err(Gone),
                () = &mut cut => return self.fault(Refusal::Revoked.body()).await,
                () = &mut over => return self.fault(Refusal::SessionOver.body()).await,
                _ = keep_alive.tick() => self.wire.keep_alive().await?,
                received = self.wire.receive() => match received {
                    Received::Text(text) => self.message(&text, caller).await?,
                    Received::Fault(error) => return self.fault(error).await,
                    Received::End => return Err(Gone),
                },
                Some(answer) = self.late.1.recv() => self.send(&answer).await?,
                batch = next_batch(&mut batches) => match batch {
                    Some(batch) => self.batch(&batch).await?,
                    None => return self.fault(too_slow()).await,
                },
            }
        }
    }

    /// Waits for the hello, and authenticates the client.
    async fn hello(&mut self, entrance: Entrance) -> Result<(Hello, Caller), Gone> {
        let challenge = match &entrance {
            Entrance::Known(_) => String::new(),
            Entrance::Proof(_) => match self.mirror.gate().challenge() {
                Ok(challenge) => challenge,
                Err(refusal) => return self.fault(refusal.body()).await,
            },
        };
        if let Entrance::Proof(_) = entrance {
            let now_ms = self.mirror.now_ms();
            self.send(&ServerMessage::Challenge(Challenge { challenge: challenge.clone(), now_ms })).await?;
        }
        let text = match tokio::time::timeout(HELLO_TIMEOUT, self.wire.receive()).await {
            Ok(Received::Text(text)) => text,
            Ok(Received::Fault(error)) => return self.fault(error).await,
            Ok(Received::End) => return Err(Gone),
            Err(_) => {
                let message = say::no_hello_came_within_seconds(HELLO_TIMEOUT.as_secs());
                return self
                    .fault(ErrorBody::new(ErrorCode::NoHello, message, say::send_hello_first()))
                    .await;
            }
        };
        let Ok(ClientMessage::Hello(hello)) = serde_json::from_str(&text) else {
            let message = say::first_message_was_not_hello();
            return self.fault(ErrorBody::new(ErrorCode::NoHello, message, say::send_hello_first())).await;
        };
        if hello.protocol != PROTOCOL_VERSION {
            let message = say::this_host_speaks_protocol_client(hello.protocol, PROTOCOL_VERSION);
            let hint = say::use_same_version_of_deputy();
            return self.fault(ErrorBody::new(ErrorCode::Protocol, message, hint)).await;
        }
        let caller = match entrance {
            Entrance::Known(caller) => Ok(caller),
            Entrance::Proof(channel) => {
                let now_ms = self.mirror.now_ms();
                self.mirror.gate().prove(hello.proof.as_ref(), &challenge, &channel, now_ms).await
            }
        };
        match caller {
            Ok(caller) => {
                self.wire.let_in();
                Ok((hello, caller))
            }
            Err(refusal) => self.fault(refusal.body()).await,
        }
    }

    /// Sends the events that the client missed, or a snapshot.
    async fn welcome(&mut self, hello: &Hello, caller: &Caller) -> Result<(), Gone> {
        let snapshot = match self.mirror.host().snapshot() {
            Ok(snapshot) => snapshot,
            Err(error) => return self.fault(error.into()).await,
        };
        let version = env!("CARGO_PKG_VERSION").to_owned();
        self.send(&ServerMessage::Welcome(Welcome {
            protocol: PROTOCOL_VERSION,
            version,
            seq: snapshot.seq,
            scopes: caller.scopes.clone(),
            local: caller.is_local(),
        }))
        .await?;
        match hello.resume_from {
            Some(seq) if seq <= snapshot.seq && (snapshot.seq - seq <= MAX_RESUME || self.task.is_some()) => {
                self.sent = seq;
                self.catch_up(snapshot.seq).await
            }
            _ => {
                self.sent = snapshot.seq;
                self.send(&ServerMessage::Snapshot(SnapshotMessage { snapshot })).await
            }
        }
    }

    async fn message(&mut self, text: &str, caller: &Caller) -> Result<(), Gone> {
        match serde_json::from_str(text) {
            Ok(ClientMessage::Command(command)) => {
                let id = command.envelope.id.clone();
                let understood = ClientMessage::Command(command.clone());
                if let Err(error) = refuse_unknown(text, &understood) {
                    return self.error(Some(id), error).await;
                }
                let (mirror, caller) = (self.mirror.clone(), caller.clone());
                let is_long = command.envelope.command.info().pace == Pace::Slow;
                let answering = async move { obeyed(&mirror, &caller, command).await };
                self.answer(answering, is_long).await
            }
            Ok(ClientMessage::Query(query)) => {
                let (mirror, caller) = (self.mirror.clone(), caller.clone());
                let is_long = query.query.info().pace == Pace::Slow;
                let answering = async move { answered(&mirror, &caller, query).await };
                self.answer(answering, is_long).await
            }
            Ok(ClientMessage::Hello(_)) => {
                self.error(
                    None,
                    ErrorBody::new(ErrorCode::BadMessage, say::second_hello(), say::say_hello_once()),
                )
                .await
            }
            Err(error) => {
                let message = say::message_is_none(error);
                self.error(
                    None,
                    ErrorBody::new(ErrorCode::BadMessage, message, say::docs_protocol_md_lists_messages()),
                )
                .await
            }
        }
    }

    /// Sends an answer: immediately, or for a slow query when it is ready, without blocking anything else.
    async fn answer(
        &mut self,
        answering: impl Future<Output = ServerMessage> + Send + 'static,
        is_long: bool,
    ) -> Result<(), Gone> {
        if !is_long {
            return self.send(&answering.await).await;
        }
        let late = self.late.0.clone();
        tokio::spawn(async move {
            // Reserves space first: a client that asks for more than it reads waits before its query is processed.
            if let Ok(room) = late.reserve().await {
                room.send(answering.await);
            }
        });
        Ok(())
    }

    /// Sends the new part of a batch in one write.
    async fn batch(&mut self, batch: &Batch) -> Result<(), Gone> {
        if let Some(first) = batch.events.iter().find(|event| event.seq > self.sent)
            && first.seq != self.sent + 1
        {
            // Events are missing; they are in the journal.
            self.catch_up(first.seq - 1).await?;
        }
        let progress = batch
            .progress
            .iter()
            .filter(|(task, _)| self.hears_of(task.as_ref()))
            .map(|(_, text)| text.clone());
        let events = batch.events.iter().filter(|event| event.seq > self.sent && self.hears(&event.task));
        let texts: Vec<Utf8Bytes> = progress.chain(events.map(|event| self.pick(event))).collect();
        self.sent = batch.events.last().map_or(self.sent, |last| last.seq.max(self.sent));
        self.wire.send(&texts).await
    }

    /// Sends everything in the journal after the last event that the client has, if that is before `to`. The tasks are
    /// sent in their current state, so no older live event may follow, because it would show an earlier state.
    async fn catch_up(&mut self, to: u64) -> Result<(), Gone> {
        if self.sent >= to {
            return Ok(());
        }
        loop {
            let store = self.mirror.host().store();
            let page = match &self.task {
                None => store.mirrored_since(self.sent, PAGE),
                Some(task) => store.mirrored_of_task(task, self.sent, PAGE),
            };
            let page = match page {
                Ok(page) => page,
                Err(error) => return self.fault(HostError::from(error).into()).await,
            };
            let is_all = page.len() < PAGE as usize;
            self.sent = page.last().map_or(self.sent, |last| last.record.seq);
            let texts: Vec<_> = page.into_iter().map(|event| self.pick(&encode(event))).collect();
            self.wire.send(&texts).await?;
            if is_all {
                self.sent = self.sent.max(to);
                return Ok(());
            }
        }
    }

    fn hears(&self, task: &TaskId) -> bool {
        self.task.as_ref().is_none_or(|own| own == task)
    }

    /// Messages that belong to no task are sent to clients that follow all tasks.
    fn hears_of(&self, task: Option<&TaskId>) -> bool {
        task.map_or(self.task.is_none(), |task| self.hears(task))
    }

    fn pick(&self, event: &Encoded) -> Utf8Bytes {
        if self.is_whole { event.full.clone() } else { event.short.clone() }
    }

    async fn error(&mut self, id: Option<CommandId>, error: ErrorBody) -> Result<(), Gone> {
        let message = refused(&self.by, id, error);
        self.send(&message).await
    }

    /// Sends an error, and ends the connection.
    async fn fault<T>(&mut self, error: ErrorBody) -> Result<T, Gone> {
        self.error(None, error).await?;
        Err(Gone)
    }

    async fn send(&mut self, message: &ServerMessage) -> Result<(), Gone> {
        self.wire.send(&[text(message)]).await
    }
}

async fn obeyed(mirror: &Mirror, caller: &Caller, command: ClientCommand) -> ServerMessage {
    let id = command.envelope.id.clone();
    match mirror.command(caller, command.envelope).await {
        Ok(outcome) => ServerMessage::CommandReply(CommandReply { id, outcome }),
        Err(error) => refused(caller.name(), Some(id), error),
    }
}

/// Builds an error message for the client. Only its code is logged, because the input may contain anything.
fn refused(by: &str, id: Option<CommandId>, error: ErrorBody) -> ServerMessage {
    let code = error.code;
    match by {
        // A user at a terminal sees the error there.
        TERMINAL => tracing::info!("{by} was refused: {code}"),
        _ => tracing::warn!("{by} was refused: {code}"),
    }
    ServerMessage::Error(ErrorMessage { id, error })
}

async fn answered(mirror: &Mirror, caller: &Caller, query: ClientQuery) -> ServerMessage {
    match mirror.query(caller, query.query).await {
        Ok(answer) => ServerMessage::QueryReply(QueryReply { id: query.id, answer }),
        Err(error) => refused(caller.name(), Some(query.id), error),
    }
}

/// Returns the next batch. `None` for a client that fell behind; it can resume over a new connection.
async fn next_batch(batches: &mut Option<Receiver<Arc<Batch>>>) -> Option<Arc<Batch>> {
    let Some(batches) = batches else { return std::future::pending().await };
    match batches.recv().await {
        Ok(batch) => Some(batch),
        Err(RecvError::Lagged(_)) => None,
        Err(RecvError::Closed) => std::future::pending().await,
    }
}

fn too_slow() -> ErrorBody {
    ErrorBody::new(ErrorCode::TooSlow, say::this_client_took_events_more(), say::connect_again_and_resume())
}
