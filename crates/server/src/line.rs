//! A line to a host as it is: texts out, texts in. Anyone who understands them makes more of it.

use crate::{ClientError, MAX_LINE_BYTES, socket};
use futures_util::{FutureExt, SinkExt, StreamExt, stream};
use std::path::Path;
use tokio::net::UnixStream;
use tokio_util::codec::{Framed, LinesCodec};

/// Texts that wait are taken together up to this size.
const BATCH_BYTES: usize = 256 * 1024;

type Socket = Framed<UnixStream, LinesCodec>;

/// The end of a line that speaks.
pub struct LineSender(stream::SplitSink<Socket, String>);

/// The end of a line that hears.
pub struct LineReceiver(stream::SplitStream<Socket>);

/// Opens a line to the host of a home; `None` if there is none. Each text is one JSON message of the mirror.
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
    /// The next message. May be dropped while it waits; nothing is lost.
    pub async fn receive(&mut self) -> Result<String, ClientError> {
        self.0.next().await.ok_or(ClientError::Gone)?.map_err(|_| ClientError::Gone)
    }

    /// The next message, and those that have come after it already, as far as they are not too much at once.
    pub async fn receive_some(&mut self) -> Result<Vec<String>, ClientError> {
        let mut texts = vec![self.receive().await?];
        let mut size = texts.iter().map(String::len).sum::<usize>();
        while size < BATCH_BYTES {
            // A line that has just ended tells so the next time.
            let Some(Ok(text)) = self.receive().now_or_never() else { break };
            size += text.len();
            texts.push(text);
        }
        Ok(texts)
    }
}
