//! A socket of Deputy's that answers while somebody holds it, and not a moment longer.

use super::error::LoanError;
use std::future::Future;
use std::path::Path;
use tokio::net::{UnixListener, UnixStream};
use tokio::task::{AbortHandle, JoinSet};

/// Most connections that are open at the same time.
const MOST_CONNECTIONS: usize = 64;

/// A socket being served; dropping it ends every connection.
pub(super) struct Serving(AbortHandle);

impl Drop for Serving {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Serves each connection to a socket that is made at a path.
pub(super) fn serve<F>(
    path: &Path,
    each: impl Fn(UnixStream) -> F + Send + 'static,
) -> Result<Serving, LoanError>
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = UnixListener::bind(path).map_err(LoanError::Listen)?;
    let accepting = tokio::spawn(async move {
        // With this task they end as well.
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
