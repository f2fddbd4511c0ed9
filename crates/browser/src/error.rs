//! What goes wrong with a browser or its pages. The texts are for the model.

use std::io;
use std::time::Duration;

/// What goes wrong.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BrowserError {
    /// There is none.
    #[error("no browser is installed; {}", crate::find::HOW_TO_GET)]
    NotInstalled,
    /// Nothing may run.
    #[error("the browser was not started: {0}")]
    NoWalls(String),
    /// It did not come up.
    #[error("the browser did not start: {0}")]
    NotStarted(String),
    /// It is gone.
    #[error("the browser has ended; `navigate` starts a new one")]
    Gone,
    /// The page's process is gone.
    #[error("the page crashed; `navigate` loads it again")]
    Crashed,
    /// No answer in time.
    #[error("the page did not answer within {} s; it may be busy with a script without end. `navigate` elsewhere, or close the tab", .0.as_secs())]
    Silent(Duration),
    /// The browser refuses a request.
    #[error("the browser could not do it: {0}")]
    Refused(String),
    /// A page was not opened.
    #[error("{0}")]
    NotOpened(String),
    /// Nothing is open.
    #[error("no page is open; open one with `navigate`")]
    NoPage,
    /// A reference means nothing any more.
    #[error("there is no {0} on this page (any more); take a new `snapshot`")]
    Stale(String),
    /// The element is not what was asked about.
    #[error("{0}")]
    Unfit(String),
}

impl BrowserError {
    pub(crate) fn starting(what: &str, error: io::Error) -> Self {
        Self::NotStarted(format!("{what} failed ({error})"))
    }
}
