//! The transport of a connection: lines over the Unix socket, or frames over the WebSocket. The conversation is the
//! same.

use axum::extract::ws::Utf8Bytes;
use deputy_protocol::{ErrorBody, ErrorCode};
use futures_util::{SinkExt, StreamExt};
use std::pin::Pin;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::UnixStream;
use tokio_io_timeout::TimeoutStream;
use tokio_util::codec::{Framed, LinesCodec};

/// How long a client may not read before it is disconnected. It can resume.
const PATIENCE: Duration = Duration::from_secs(10);

/// A stream to a client. Writing fails if the client has read nothing for [`PATIENCE`]. A client that reads a long
/// message slowly, such as a snapshot over a poor network, is not disconnected.
pub(crate) type Patient<S> = Pin<Box<TimeoutStream<S>>>;

/// Limits how long to wait for a client that does not read.
pub(crate) fn patient<S: AsyncRead + AsyncWrite>(stream: S) -> Patient<S> {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(PATIENCE));
    Box::pin(stream)
}

/// The connection has ended.
#[derive(Debug)]
pub(crate) struct Gone;

/// A received message or event.
pub(crate) enum Received {
    /// The text of a message.
    Text(Utf8Bytes),
    /// An error that ends the connection.
    Fault(ErrorBody),
    /// The other side has disconnected.
    End,
}

/// A transport for messages.
pub(crate) trait Wire: Send {
    /// Called when the other side is authenticated.
    fn let_in(&mut self) {}
    /// Receives the next message. Cancel safe.
    fn receive(&mut self) -> impl Future<Output = Received> + Send;
    /// Sends messages, in one write if they fit. Fails if the other side does not read for too long.
    fn send(&mut self, texts: &[Utf8Bytes]) -> impl Future<Output = Result<(), Gone>> + Send;
    /// Called from time to time to check that the other side is alive. Fails if it has not answered.
    fn keep_alive(&mut self) -> impl Future<Output = Result<(), Gone>> + Send;
    /// Closes the connection.
    fn close(self) -> impl Future<Output = ()> + Send;
}

/// The Unix socket transport, with one message on each line.
pub(crate) struct Lines(Framed<Patient<UnixStream>, LinesCodec>);

impl Lines {
    pub(crate) fn new(stream: UnixStream) -> Self {
        Self(Framed::new(patient(stream), LinesCodec::new_with_max_length(crate::MAX_LINE_BYTES)))
    }
}

impl Wire for Lines {
    async fn receive(&mut self) -> Received {
        match self.0.next().await {
            Some(Ok(line)) => Received::Text(line.into()),
            Some(Err(error)) => Received::Fault(ErrorBody::new(
                ErrorCode::BadMessage,
                format!("A line could not be read: {error}."),
                "Send one JSON message a line.",
            )),
            None => Received::End,
        }
    }

    async fn send(&mut self, texts: &[Utf8Bytes]) -> Result<(), Gone> {
        for text in texts {
            self.0.feed(text.as_str()).await.map_err(|_| Gone)?;
        }
        SinkExt::<&str>::flush(&mut self.0).await.map_err(|_| Gone)
    }

    async fn keep_alive(&mut self) -> Result<(), Gone> {
        // The system reports when a process at the other end of a Unix socket is gone.
        Ok(())
    }

    async fn close(mut self) {
        // The client may be gone already.
        let _ = SinkExt::<&str>::close(&mut self.0).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    const MESSAGE: usize = 1024 * 1024;

    #[tokio::test(start_paused = true)]
    async fn who_takes_a_long_message_slowly_gets_it_whole() {
        let (mut client, host) = tokio::io::duplex(4 * 1024);
        let mut host = patient(host);
        let sending = tokio::spawn(async move { host.write_all(&vec![b'x'; MESSAGE]).await });
        let began = tokio::time::Instant::now();
        let mut taken = 0;
        let mut piece = vec![0; 16 * 1024];
        while taken < MESSAGE {
            tokio::time::sleep(PATIENCE / 2).await;
            taken += client.read(&mut piece).await.unwrap();
        }
        sending.await.unwrap().unwrap();
        assert!(taken == MESSAGE && began.elapsed() > 10 * PATIENCE);
    }

    #[tokio::test(start_paused = true)]
    async fn who_takes_nothing_is_let_go() {
        let (_client, host) = tokio::io::duplex(4 * 1024);
        let began = tokio::time::Instant::now();
        let error = patient(host).write_all(&vec![b'x'; MESSAGE]).await.unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::TimedOut);
        assert!(began.elapsed() >= PATIENCE);
    }
}
