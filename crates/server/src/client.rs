//! The client of a host, used by every command except the host itself.

use crate::line::{LineReceiver, LineSender, open_line};
use deputy_protocol::{
    ClientCommand, ClientMessage, ClientQuery, Command, CommandEnvelope, CommandId, CommandOutcome,
    ErrorBody, Hello, PROTOCOL_VERSION, Query, QueryAnswer, ServerMessage,
};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// The reason why communication with a host fails.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The socket cannot be connected to.
    #[error("the host of {} cannot be reached: {source}", home.display())]
    Connect {
        /// The home.
        home: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The host ended during the operation.
    #[error("the host went away; what it was doing is in the journal and the next host continues it")]
    Gone,
    /// The host refused the operation.
    #[error("{}", .0.message)]
    Refused(ErrorBody),
}

/// A connection to a host.
pub struct Client {
    sender: LineSender,
    receiver: LineReceiver,
    /// Messages that arrived before the expected answer.
    early: VecDeque<ServerMessage>,
}

impl Client {
    /// Connects to the host of a home. `None` if no host is running.
    ///
    /// With `follow`, [`Client::next`] returns the snapshot (or the events after `resume_from`) and everything that
    /// happens afterwards.
    pub async fn connect(
        home: &Path,
        resume_from: Option<u64>,
        follow: bool,
    ) -> Result<Option<Self>, ClientError> {
        let hello = Hello { protocol: PROTOCOL_VERSION, resume_from, follow, brief: false, proof: None };
        Self::say_hello(home, hello).await
    }

    /// Connects like [`Client::connect`] with `follow`, but gets long texts shortened.
    pub async fn connect_brief(home: &Path) -> Result<Option<Self>, ClientError> {
        let hello =
            Hello { protocol: PROTOCOL_VERSION, resume_from: None, follow: true, brief: true, proof: None };
        Self::say_hello(home, hello).await
    }

    async fn say_hello(home: &Path, hello: Hello) -> Result<Option<Self>, ClientError> {
        let Some((sender, receiver)) = open_line(home).await? else { return Ok(None) };
        let mut client = Self { sender, receiver, early: VecDeque::new() };
        let greeted = match client.send(&ClientMessage::Hello(hello)).await {
            Ok(()) => client.receive().await,
            Err(error) => Err(error),
        };
        match greeted {
            Ok(ServerMessage::Welcome(_)) => Ok(Some(client)),
            Ok(ServerMessage::Error(error)) => Err(ClientError::Refused(error.error)),
            // It ended after the connection was made.
            Err(ClientError::Gone) => Ok(None),
            Ok(_) => Err(ClientError::Gone),
            Err(error) => Err(error),
        }
    }

    /// Executes a command with a new id.
    pub async fn command(&mut self, command: Command) -> Result<CommandOutcome, ClientError> {
        self.command_as(deputy_agent::new_command_id(), command).await
    }

    /// Executes a command, or gets its outcome if this or an earlier host has executed the command with this id.
    pub async fn command_as(
        &mut self,
        id: CommandId,
        command: Command,
    ) -> Result<CommandOutcome, ClientError> {
        let envelope = CommandEnvelope { id: id.clone(), command };
        self.send(&ClientMessage::Command(ClientCommand { envelope })).await?;
        match self.reply(&id, None).await? {
            ServerMessage::CommandReply(reply) => Ok(reply.outcome),
            _ => Err(ClientError::Gone),
        }
    }

    /// Executes a command that takes a while, and passes the messages before its answer to `watch`.
    pub async fn command_watched(
        &mut self,
        command: Command,
        watch: &mut (dyn FnMut(ServerMessage) + Send),
    ) -> Result<CommandOutcome, ClientError> {
        let id = deputy_agent::new_command_id();
        let envelope = CommandEnvelope { id: id.clone(), command };
        self.send(&ClientMessage::Command(ClientCommand { envelope })).await?;
        match self.reply(&id, Some(watch)).await? {
            ServerMessage::CommandReply(reply) => Ok(reply.outcome),
            _ => Err(ClientError::Gone),
        }
    }

    /// Executes a query.
    pub async fn query(&mut self, query: Query) -> Result<QueryAnswer, ClientError> {
        let id = deputy_agent::new_command_id();
        self.send(&ClientMessage::Query(ClientQuery { id: id.clone(), query })).await?;
        match self.reply(&id, None).await? {
            ServerMessage::QueryReply(reply) => Ok(reply.answer),
            _ => Err(ClientError::Gone),
        }
    }

    /// Returns the next message that is not an answer. Cancel safe.
    pub async fn next(&mut self) -> Result<ServerMessage, ClientError> {
        match self.early.pop_front() {
            Some(message) => Ok(message),
            None => self.receive().await,
        }
    }

    /// Waits for the answer with this id. Earlier messages are passed to `watch` or kept.
    async fn reply(
        &mut self,
        id: &CommandId,
        mut watch: Option<&mut (dyn FnMut(ServerMessage) + Send)>,
    ) -> Result<ServerMessage, ClientError> {
        loop {
            let message = self.receive().await?;
            match &message {
                ServerMessage::CommandReply(reply) if reply.id == *id => return Ok(message),
                ServerMessage::QueryReply(reply) if reply.id == *id => return Ok(message),
                ServerMessage::Error(error) if error.id.as_ref() == Some(id) => {
                    return Err(ClientError::Refused(error.error.clone()));
                }
                _ => match &mut watch {
                    Some(watch) => watch(message),
                    None => self.early.push_back(message),
                },
            }
        }
    }

    async fn receive(&mut self) -> Result<ServerMessage, ClientError> {
        let line = self.receiver.receive().await?;
        serde_json::from_str(&line).map_err(|_| ClientError::Gone)
    }

    async fn send(&mut self, message: &ClientMessage) -> Result<(), ClientError> {
        let line = serde_json::to_string(message).map_err(|_| ClientError::Gone)?;
        self.sender.send(line).await
    }
}
