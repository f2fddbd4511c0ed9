//! What a connection speaks through: lines over the Unix socket, frames over the WebSocket. The conversation is the same.

use axum::extract::ws::Utf8Bytes;
use deputy_protocol::ErrorBody;
use futures_util::{SinkExt, StreamExt};
use std::time::Duration;
use tokio::net::UnixStream;
use tokio_util::codec::{Framed, LinesCodec};

/// A client that takes nothing for this long is let go; it can resume.
pub(crate) const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// The connection is over.
#[derive(Debug)]
pub(crate) struct Gone;

/// What came in.
pub(crate) enum Received {
    /// A message's text.
    Text(Utf8Bytes),
    /// Something that ends the connection, after this error.
    Fault(ErrorBody),
    /// The other side left.
    End,
}

/// A way to exchange messages.
pub(crate) trait Wire: Send {
    /// The next message. May be dropped while it waits; nothing is lost.
    fn receive(&mut self) -> impl Future<Output = Received> + Send;
    /// Sends messages, in one write where they fit. Who takes nothing for long is gone.
    fn send(&mut self, texts: &[Utf8Bytes]) -> impl Future<Output = Result<(), Gone>> + Send;
    /// Called now and then: asks whether the other side is still there. Who has not answered is gone.
    fn keep_alive(&mut self) -> impl Future<Output = Result<(), Gone>> + Send;
    /// Says goodbye.
    fn close(self) -> impl Future<Output = ()> + Send;
}

/// One message a line over the Unix socket.
pub(crate) struct Lines(Framed<UnixStream, LinesCodec>);

impl Lines {
    pub(crate) fn new(stream: UnixStream) -> Self {
        Self(Framed::new(stream, LinesCodec::new_with_max_length(crate::MAX_LINE_BYTES)))
    }
}

impl Wire for Lines {
    async fn receive(&mut self) -> Received {
        match self.0.next().await {
            Some(Ok(line)) => Received::Text(line.into()),
            Some(Err(error)) => Received::Fault(ErrorBody::new(
                "bad_message",
                format!("A line could not be read: {error}."),
                "Send one JSON message a line.",
            )),
            None => Received::End,
        }
    }

    async fn send(&mut self, texts: &[Utf8Bytes]) -> Result<(), Gone> {
        let sending = async {
            for text in texts {
                self.0.feed(text.as_str()).await?;
            }
            SinkExt::<&str>::flush(&mut self.0).await
        };
        match tokio::time::timeout(SEND_TIMEOUT, sending).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Gone),
        }
    }

    async fn keep_alive(&mut self) -> Result<(), Gone> {
        // The system says when a process at the other end of a Unix socket is gone.
        Ok(())
    }

    async fn close(mut self) {
        // Whoever is gone needs no goodbye.
        let _ = tokio::time::timeout(SEND_TIMEOUT, SinkExt::<&str>::close(&mut self.0)).await;
    }
}
