//! Why somebody is not let in, with the code that clients branch on.

use deputy_messages::server as say;
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
            Self::NoProof => {
                (ErrorCode::NoProof, say::nothing_was_done_message_carried(), say::deputy_open_opens_page())
            }
            Self::Link => {
                (ErrorCode::BadLink, say::this_link_does_not_open(), say::deputy_open_makes_new_one())
            }
            Self::Session => {
                (ErrorCode::BadSession, say::this_session_is_not_known(), say::deputy_open_makes_new_link())
            }
            Self::SessionOver => {
                (ErrorCode::SessionOver, say::this_session_has_ended(), say::deputy_open_makes_new_link())
            }
            Self::Challenge => {
                (ErrorCode::BadChallenge, say::this_challenge_is_not_open(), say::ask_for_new_one())
            }
            Self::Device => (
                ErrorCode::UnknownDevice,
                say::this_device_is_not_paired(),
                say::pair_with_deputy_devices_pair(),
            ),
            Self::Revoked => {
                (ErrorCode::Revoked, say::this_device_was_revoked(), say::pair_again_with_deputy_devices())
            }
            Self::Signature => (
                ErrorCode::BadSignature,
                say::signature_is_not_this_device(),
                say::sign_what_docs_protocol_md(),
            ),
            Self::Unsigned => (ErrorCode::Unsigned, say::device_answer(), say::sign_what_docs_protocol_md()),
            Self::Scope => {
                (ErrorCode::NotAllowed, say::this_device_may_not_do(), say::deputy_devices_list_shows_what())
            }
            Self::LocalOnly => {
                (ErrorCode::NotAllowed, say::only_desktop_itself_may_do(), say::do_at_desktop_on_page())
            }
            Self::Pairing => {
                (ErrorCode::BadPairing, say::this_does_not_belong(), say::begin_again_with_deputy_devices())
            }
            Self::NoPairing => {
                (ErrorCode::NoPairing, say::no_pairing_was_begun(), say::begin_one_with_deputy_devices())
            }
            Self::Key => (ErrorCode::BadKey, say::public_key_is_not_point(), say::send_bytes_that_begin()),
            Self::TooManyAttempts => {
                (ErrorCode::TooManyAttempts, say::too_much_from_this_address(), say::wait_minute())
            }
            Self::Store => {
                (ErrorCode::Store, say::journal_does_not_answer_without(), say::deputy_doctor_says_what())
            }
            Self::NoRandomness => (
                ErrorCode::NoRandomness,
                say::system_gave_no_random_numbers(),
                say::try_again_if_stays_system(),
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
