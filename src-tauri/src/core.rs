//! The connection to the host. If no host is running, this process becomes the host.

use deputy_cli::{Failure, Homes, OwnHost, Tasks, serve_page};
use deputy_protocol::{ErrorBody, ErrorCode};
use deputy_server::{Client, ClientError, LineReceiver, LineSender, open_line};
use std::path::Path;
use std::time::Duration;
use tokio::sync::Mutex;

/// A host that is starting or ending holds the lock without listening. This many short attempts bridge that.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(100);

/// The connection to the host of a home.
pub(crate) struct Core {
    homes: Homes,
    state: Mutex<State>,
}

enum State {
    /// Another process is the host, as far as known.
    Elsewhere,
    /// This process is the host.
    Here(Box<OwnHost>),
    /// The window is closing, so no host is started any more.
    Over,
}

impl Core {
    pub(crate) fn new(homes: Homes) -> Self {
        Self { homes, state: Mutex::new(State::Elsewhere) }
    }

    /// Returns the folder in which the host and the window store their files.
    pub(crate) fn home(&self) -> &Path {
        &self.homes.deputy
    }

    /// Opens a line for the page.
    pub(crate) async fn line(&self) -> Result<(LineSender, LineReceiver), ErrorBody> {
        self.reach(|| open_line(&self.homes.deputy)).await
    }

    /// Connects a client that receives all messages.
    pub(crate) async fn client(&self) -> Result<Client, ErrorBody> {
        self.reach(|| Client::connect_brief(&self.homes.deputy)).await
    }

    /// Starts the planner, if this process is the host.
    pub(crate) async fn warm(&self) {
        if let State::Here(own) = &*self.state.lock().await {
            own.warm();
        }
    }

    /// Connects to the host. If there is none, becomes it first.
    async fn reach<T, F>(&self, connect: impl Fn() -> F) -> Result<T, ErrorBody>
    where
        F: Future<Output = Result<Option<T>, ClientError>>,
    {
        let mut state = self.state.lock().await;
        for _ in 0..TRIES {
            if matches!(*state, State::Over) {
                break;
            }
            if let Some(connected) = connect().await.map_err(|error| Failure::from(error).error)? {
                return Ok(connected);
            }
            match OwnHost::start(&self.homes, Tasks::Resume).await.map_err(|failure| failure.error)? {
                Some(own) => {
                    serve(&own).await;
                    *state = State::Here(Box::new(own));
                }
                None => tokio::time::sleep(PAUSE).await,
            }
        }
        let message = format!("Another process holds {} but does not answer.", self.homes.deputy.display());
        Err(ErrorBody::new(
            ErrorCode::Host,
            message,
            "Wait for it to end, or end it; nothing it was doing is lost.",
        ))
    }

    /// Ends the host, if this process is it. Tasks stay in the journal and continue with the next host.
    pub(crate) async fn close(&self) {
        let before = std::mem::replace(&mut *self.state.lock().await, State::Over);
        if let State::Here(own) = before {
            own.close().await;
        }
    }
}

/// Serves what `deputy serve` does: the page for browsers, the listener for phones, notifications. All are optional.
async fn serve(own: &OwnHost) {
    if let Err(failure) = serve_page(own, None).await {
        tracing::warn!("browsers and phones cannot connect: {}", failure.error.message);
    }
}
