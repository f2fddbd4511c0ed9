//! The reasons for refusing access, with the error codes that clients use.

use deputy_messages::server as say;
use deputy_protocol::{ErrorBody, ErrorCode};

/// The reason for refusing access. The messages help the owner of a lost key but not an attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// No proof was sent.
    NoProof,
    /// The link's token is unknown, used or expired.
    Link,
    /// The session was not signed by this host.
    Session,
    /// The session has ended.
    SessionOver,
    /// The challenge was not given out, was used, or is expired.
    Challenge,
    /// The device is unknown or revoked.
    Device,
    /// The device was revoked while it was connected.
    Revoked,
    /// The signature was not made by the device over exactly this text.
    Signature,
    /// A device's answer has no signature.
    Unsigned,
    /// The caller lacks the permission.
    Scope,
    /// Only the host's own user may do that.
    LocalOnly,
    /// The code or the signature of a pairing is wrong, or the pairing has ended.
    Pairing,
    /// No pairing is in progress.
    NoPairing,
    /// A public key is invalid.
    Key,
    /// There were too many failures from this address.
    TooManyAttempts,
    /// The journal cannot be used.
    Store,
    /// The system provides no randomness.
    NoRandomness,
}

impl Refusal {
    /// Returns the error for clients.
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
