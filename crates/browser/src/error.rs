//! What goes wrong with a browser or its pages.

use deputy_messages::Phrase;
use deputy_messages::browser as say;
use std::fmt::Display;
use std::io;
use std::time::Duration;

/// What goes wrong.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BrowserError {
    /// There is none.
    NotInstalled,
    /// Nothing may run.
    NoWalls(Phrase),
    /// It did not come up.
    NotStarted(Phrase),
    /// It is gone.
    Gone,
    /// The page's process is gone.
    Crashed,
    /// The page's process was killed because the browser exceeded its memory limit, in bytes.
    Overgrown(u64),
    /// Pages kept opening tabs, so all tabs were closed.
    Flooded,
    /// No answer in time.
    Silent(Duration),
    /// The browser refuses a request.
    Refused(Phrase),
    /// A page was not opened.
    NotOpened(Phrase),
    /// Nothing is open.
    NoPage,
    /// A reference means nothing any more.
    Stale(String),
    /// An element is not what was asked about, or not for what is asked.
    Unfit(Phrase),
}

impl BrowserError {
    /// What the browser or the system refuses, in its own words.
    pub fn refused(why: impl Display) -> Self {
        Self::Refused(why.to_string().into())
    }

    pub(crate) fn starting(words: fn(io::Error) -> Phrase, error: io::Error) -> Self {
        Self::NotStarted(words(error))
    }

    /// What it says to people and to the model.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::NotInstalled => say::not_installed(),
            Self::NoWalls(why) => say::no_walls(why),
            Self::NotStarted(why) => say::not_started(why),
            Self::Gone => say::gone(),
            Self::Crashed => say::crashed(),
            Self::Overgrown(most) => say::overgrown(most / (1024 * 1024)),
            Self::Flooded => say::flooded(),
            Self::Silent(limit) => say::silent(limit.as_secs()),
            Self::Refused(why) => say::refused(why),
            Self::NotOpened(why) | Self::Unfit(why) => why.clone(),
            Self::NoPage => say::no_page(),
            Self::Stale(reference) => say::stale(reference),
        }
    }
}

deputy_messages::said_by_phrase!(BrowserError);
