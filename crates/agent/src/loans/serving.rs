//! Sockets that are served as long as a guard is held.

use super::error::LoanError;
use std::future::Future;
use std::path::Path;
use tokio::net::{UnixListener, UnixStream};
use tokio::task::{AbortHandle, JoinSet};

/// The maximum number of open connections.
const MOST_CONNECTIONS: usize = 64;

/// A socket that is being served. Dropping it closes every connection.
pub(super) struct Serving(AbortHandle);

impl Drop for Serving {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Creates a socket at a path, and serves each connection.
pub(super) fn serve<F>(
    path: &Path,
    each: impl Fn(UnixStream) -> F + Send + 'static,
) -> Result<Serving, LoanError>
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = UnixListener::bind(path).map_err(LoanError::Listen)?;
    let accepting = tokio::spawn(async move {
        // The connections end with this task.
        let mut connections = JoinSet::new();
        while let Ok((stream, _)) = listener.accept().await {
            while connections.try_join_next().is_some() {}
            if connections.len() < MOST_CONNECTIONS {
                connections.spawn(each(stream));
            }
        }
    });
    Ok(Serving(accepting.abort_handle()))
}
