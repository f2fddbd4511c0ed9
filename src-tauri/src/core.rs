//! The way to the host: the one that runs, else this process becomes it.

use deputy_cli::{Failure, Homes, OwnHost, Tasks, serve_page};
use deputy_protocol::{ErrorBody, ErrorCode};
use deputy_server::{Client, ClientError, LineReceiver, LineSender, open_line};
use std::path::Path;
use std::time::Duration;
use tokio::sync::Mutex;

/// A host that is just ending or starting holds the lock without listening: a few short tries bridge that.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(100);

/// The way to the host of a home.
pub(crate) struct Core {
    homes: Homes,
    state: Mutex<State>,
}

enum State {
    /// Another process is the host, as far as is known.
    Elsewhere,
    /// This process is.
    Here(Box<OwnHost>),
    /// The window is closing: no host is begun any more.
    Over,
}

impl Core {
    pub(crate) fn new(homes: Homes) -> Self {
        Self { homes, state: Mutex::new(State::Elsewhere) }
    }

    /// The folder that the host and the window keep their things in.
    pub(crate) fn home(&self) -> &Path {
        &self.homes.deputy
    }

    /// Opens a line for the page.
    pub(crate) async fn line(&self) -> Result<(LineSender, LineReceiver), ErrorBody> {
        self.reach(|| open_line(&self.homes.deputy)).await
    }

    /// Connects a client that gets everything.
    pub(crate) async fn client(&self) -> Result<Client, ErrorBody> {
        self.reach(|| Client::connect_brief(&self.homes.deputy)).await
    }

    /// Has the planner start, where this process is the host.
    pub(crate) async fn warm(&self) {
        if let State::Here(own) = &*self.state.lock().await {
            own.warm();
        }
    }

    /// Connects to the host, after becoming it if there is none.
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

    /// Ends the host where this process is it; tasks stay as the journal has them and continue with the next one.
    pub(crate) async fn close(&self) {
        let before = std::mem::replace(&mut *self.state.lock().await, State::Over);
        if let State::Here(own) = before {
            own.close().await;
        }
    }
}

/// Serves what `deputy serve` would: the page for browsers, the door for phones, notifications. The window works without.
async fn serve(own: &OwnHost) {
    if let Err(failure) = serve_page(own, None).await {
        tracing::warn!("browsers and phones cannot connect: {}", failure.error.message);
    }
}
