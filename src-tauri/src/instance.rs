//! A single window per home: a second start sends its link to the first window and ends.

use deputy_server::{HomeLock, LockError, connect_at, listen_at};
use std::path::Path;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixListener;

const LOCK: &str = "window.lock";
const SOCKET: &str = "window.sock";
/// The maximum length of a link, in bytes.
const MAX_LINE_BYTES: u64 = 4096;
/// How often a start retries while the first window is starting or ending.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(100);

/// The result of a start.
pub(crate) enum Start {
    /// This is the first window.
    First(Instance),
    /// The first window received the link.
    HandedOver,
}

/// The first window of a home.
pub(crate) struct Instance {
    listener: UnixListener,
    _lock: HomeLock,
}

/// The error if a window cannot be started.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error("the window's socket cannot be used: {0}")]
    Socket(#[from] std::io::Error),
    #[error("another window is open but does not answer; end it and try again")]
    Silent,
}

/// Becomes the first window, or sends `link` to it.
pub(crate) async fn start(home: &Path, link: &str) -> Result<Start, StartError> {
    for _ in 0..TRIES {
        if let Some(lock) = HomeLock::try_take_named(home, LOCK)? {
            let listener = listen_at(home, SOCKET)?;
            return Ok(Start::First(Instance { listener, _lock: lock }));
        }
        if let Some(mut first) = connect_at(home, SOCKET).await? {
            first.write_all(format!("{link}\n").as_bytes()).await?;
            // The first window answers once it has understood the link. An older process that is ending does not.
            let mut answer = [0; 1];
            if first.read(&mut answer).await.is_ok_and(|read| read == 1) {
                return Ok(Start::HandedOver);
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
    Err(StartError::Silent)
}

impl Instance {
    /// Calls `heard` with the links of later starts, until this process ends.
    pub(crate) async fn serve(self, heard: impl Fn(&str)) {
        loop {
            let Ok((stream, _)) = self.listener.accept().await else {
                // For example, there are no file descriptors left. Without a pause, this would be a busy loop.
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            let mut stream = BufReader::new(stream);
            let mut line = String::new();
            let reading = (&mut stream).take(MAX_LINE_BYTES).read_line(&mut line).await;
            if reading.is_ok() && line.ends_with('\n') {
                heard(line.trim_end());
                let _ = stream.write_all(b"\n").await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::mpsc;

    #[tokio::test]
    async fn a_second_start_hands_its_link_to_the_first() {
        let home = tempfile::tempdir().unwrap();
        let Start::First(first) = start(home.path(), "").await.unwrap() else { panic!("nobody was there") };
        let (tell, mut told) = mpsc::unbounded_channel();
        let serving = tokio::spawn(first.serve(move |link| tell.send(link.to_owned()).unwrap()));
        for link in ["deputy://task/t1", ""] {
            assert!(matches!(start(home.path(), link).await.unwrap(), Start::HandedOver));
            assert_eq!(told.recv().await.unwrap(), link);
        }
        serving.abort();
        let _ = serving.await;
        assert!(matches!(start(home.path(), "").await.unwrap(), Start::First(_)));
    }
}
