//! Errors of a browser and its pages.

use deputy_messages::Phrase;
use deputy_messages::browser as say;
use std::fmt::Display;
use std::io;
use std::time::Duration;

/// An error of a browser or its pages.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BrowserError {
    /// No browser is installed.
    NotInstalled,
    /// The sandbox cannot be set up, so nothing may run.
    NoWalls(Phrase),
    /// The browser did not start.
    NotStarted(Phrase),
    /// The browser is gone.
    Gone,
    /// The process of the page is gone.
    Crashed,
    /// The process of the page was killed because the browser exceeded its memory limit, in bytes.
    Overgrown(u64),
    /// Pages kept opening tabs, so all tabs were closed.
    Flooded,
    /// The browser did not answer in time.
    Silent(Duration),
    /// The browser refused a request.
    Refused(Phrase),
    /// A page was not opened.
    NotOpened(Phrase),
    /// No page is open.
    NoPage,
    /// A reference is no longer valid.
    Stale(String),
    /// An element is not the approved one or does not support the action.
    Unfit(Phrase),
}

impl BrowserError {
    /// Creates an error from a message of the browser or the system.
    pub fn refused(why: impl Display) -> Self {
        Self::Refused(why.to_string().into())
    }

    pub(crate) fn starting(words: fn(io::Error) -> Phrase, error: io::Error) -> Self {
        Self::NotStarted(words(error))
    }

    /// Returns the message for people and for the model.
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
