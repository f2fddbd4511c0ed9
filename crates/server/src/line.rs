//! A raw connection to a host: sends and receives texts without interpreting them.

use crate::{ClientError, MAX_LINE_BYTES, socket};
use futures_util::{FutureExt, SinkExt, StreamExt, stream};
use std::path::Path;
use tokio::net::UnixStream;
use tokio_util::codec::{Framed, LinesCodec};

/// Available texts are returned together up to this size, in bytes.
const BATCH_BYTES: usize = 256 * 1024;

type Socket = Framed<UnixStream, LinesCodec>;

/// The sending half of a connection.
pub struct LineSender(stream::SplitSink<Socket, String>);

/// The receiving half of a connection.
pub struct LineReceiver(stream::SplitStream<Socket>);

/// Connects to the host of a home. `None` if no host is running. Each text is one JSON message of the mirror.
pub async fn open_line(home: &Path) -> Result<Option<(LineSender, LineReceiver)>, ClientError> {
    let stream = socket::connect(home)
        .await
        .map_err(|source| ClientError::Connect { home: home.to_owned(), source })?;
    let Some(stream) = stream else { return Ok(None) };
    // Events may be much longer than commands.
    let lines = Framed::new(stream, LinesCodec::new_with_max_length(64 * MAX_LINE_BYTES));
    let (out, into) = lines.split();
    Ok(Some((LineSender(out), LineReceiver(into))))
}

impl LineSender {
    /// Sends one message.
    pub async fn send(&mut self, text: String) -> Result<(), ClientError> {
        self.0.send(text).await.map_err(|_| ClientError::Gone)
    }
}

impl LineReceiver {
    /// Receives the next message. Cancel safe.
    pub async fn receive(&mut self) -> Result<String, ClientError> {
        self.0.next().await.ok_or(ClientError::Gone)?.map_err(|_| ClientError::Gone)
    }

    /// Receives the next message, and those that are available after it, up to a size limit.
    pub async fn receive_some(&mut self) -> Result<Vec<String>, ClientError> {
        let mut texts = vec![self.receive().await?];
        let mut size = texts.iter().map(String::len).sum::<usize>();
        while size < BATCH_BYTES {
            // A connection that has just ended is reported by the next call.
            let Some(Ok(text)) = self.receive().now_or_never() else { break };
            size += text.len();
            texts.push(text);
        }
        Ok(texts)
    }
}
