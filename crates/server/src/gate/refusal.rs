//! Why somebody is not let in, with the code that clients branch on.

use deputy_protocol::{ErrorBody, ErrorCode};

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
    /// The challenge was not given out, was used, or is too old.
    Challenge,
    /// The device is not known or was revoked.
    Device,
    /// The device was revoked while it was connected.
    Revoked,
    /// The signature is not the device's over just this.
    Signature,
    /// A device's answer without its signature.
    Unsigned,
    /// The caller may not do that.
    Scope,
    /// Only the host's own user may do that.
    LocalOnly,
    /// The code or the signature of a pairing is wrong, or the pairing is over.
    Pairing,
    /// No pairing was begun.
    NoPairing,
    /// A public key is none.
    Key,
    /// This address failed too often.
    TooManyAttempts,
    /// The journal does not answer.
    Store,
    /// The system gives no randomness.
    NoRandomness,
}

impl Refusal {
    /// The error as clients get it.
    pub(crate) fn body(self) -> ErrorBody {
        let (code, message, hint) = match self {
            Self::NoProof => (
                ErrorCode::NoProof,
                "Nothing was done: the message carried no proof of who sends it.",
                "`deputy open` opens the page with a fresh link; a phone pairs with `deputy devices pair`.",
            ),
            Self::Link => (
                ErrorCode::BadLink,
                "This link does not open Deputy: it was used before, or its time is over.",
                "`deputy open` makes a new one.",
            ),
            Self::Session => (
                ErrorCode::BadSession,
                "This session is not known here.",
                "`deputy open` makes a new link; a device connects again.",
            ),
            Self::SessionOver => (
                ErrorCode::SessionOver,
                "This session has ended.",
                "`deputy open` makes a new link; a device connects again.",
            ),
            Self::Challenge => (
                ErrorCode::BadChallenge,
                "This challenge is not open: it was used before, or its minute is over.",
                "Ask for a new one.",
            ),
            Self::Device => (
                ErrorCode::UnknownDevice,
                "This device is not paired with this host, or is not any more.",
                "Pair it with `deputy devices pair`.",
            ),
            Self::Revoked => (
                ErrorCode::Revoked,
                "This device was revoked.",
                "Pair it again with `deputy devices pair`, if it is yours.",
            ),
            Self::Signature => (
                ErrorCode::BadSignature,
                "The signature is not this device's over just this.",
                "Sign what docs/protocol.md says, with the key that was paired.",
            ),
            Self::Unsigned => (
                ErrorCode::Unsigned,
                "A device's answer has to be signed by it.",
                "Sign what docs/protocol.md says, with the key that was paired.",
            ),
            Self::Scope => (
                ErrorCode::NotAllowed,
                "This device may not do that.",
                "`deputy devices list` shows what each device may do; pair it anew to change that.",
            ),
            Self::LocalOnly => (
                ErrorCode::NotAllowed,
                "Only the desktop itself may do that.",
                "Do it at the desktop: on its page, or with the command `deputy`.",
            ),
            Self::Pairing => (
                ErrorCode::BadPairing,
                "This does not belong to a pairing that is open.",
                "Begin again with `deputy devices pair`.",
            ),
            Self::NoPairing => {
                (ErrorCode::NoPairing, "No pairing was begun.", "Begin one with `deputy devices pair`.")
            }
            Self::Key => (
                ErrorCode::BadKey,
                "A public key is not a point of P-256 in its uncompressed form, in base64url.",
                "Send the 65 bytes that begin with 4.",
            ),
            Self::TooManyAttempts => {
                (ErrorCode::TooManyAttempts, "Too much from this address has failed.", "Wait a minute.")
            }
            Self::Store => (
                ErrorCode::Store,
                "The journal does not answer, without which nobody can be let in.",
                "`deputy doctor` says what is wrong with it.",
            ),
            Self::NoRandomness => (
                ErrorCode::NoRandomness,
                "The system gave no random numbers, without which no secret can be made.",
                "Try again; if it stays, the system's random device is missing.",
            ),
        };
        ErrorBody::new(code, message, hint)
    }
}

impl From<Refusal> for ErrorBody {
    fn from(refusal: Refusal) -> Self {
        refusal.body()
    }
}
