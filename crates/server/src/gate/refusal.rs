//! Why somebody is not let in, with the code that clients branch on.

use axum::http::StatusCode;
use deputy_protocol::ErrorBody;

/// Why somebody is not let in. What it says helps the owner of a lost key and not a guesser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// No proof came along.
    NoProof,
    /// The link's token is unknown, used or too old.
    Link,
    /// The session is not one of this host's.
    Session,
    /// The session has ended.
    SessionOver,
    /// The system gives no randomness.
    NoRandomness,
}

impl Refusal {
    /// The error as clients get it.
    pub(crate) fn body(self) -> ErrorBody {
        let (code, message, hint) = match self {
            Self::NoProof => (
                "no_proof",
                "Nothing was done: the message carried no proof of who sends it.",
                "`deputy open` opens the page with a fresh link; a phone pairs with `deputy devices pair`.",
            ),
            Self::Link => (
                "bad_link",
                "This link does not open Deputy: it was used before, or its time is over.",
                "`deputy open` makes a new one.",
            ),
            Self::Session => (
                "bad_session",
                "This session is not known here.",
                "`deputy open` makes a new link; a device connects again.",
            ),
            Self::SessionOver => (
                "session_over",
                "This session has ended.",
                "`deputy open` makes a new link; a device connects again.",
            ),
            Self::NoRandomness => (
                "no_randomness",
                "The system gave no random numbers, without which no secret can be made.",
                "Try again; if it stays, the system's random device is missing.",
            ),
        };
        ErrorBody::new(code, message, hint)
    }

    /// The status of an HTTP answer.
    pub(crate) fn status(self) -> StatusCode {
        match self {
            Self::NoRandomness => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::UNAUTHORIZED,
        }
    }
}
