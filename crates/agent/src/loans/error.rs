//! The reasons why a loan fails. The texts are for the planner and for people.

use std::io;
use std::path::PathBuf;

/// The reason why one loan, or all loans of a call, cannot be prepared.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoanError {
    #[error("nothing could be lent: making a folder for it failed ({0})")]
    Folder(io::Error),
    #[error("making a socket for it failed ({0})")]
    Listen(io::Error),
    #[error("there is no socket at {0}")]
    NoSocket(String),
    #[error("`{0}` has no token to lend; sign in with it first")]
    NoToken(String),
    #[error("writing the token of `{program}` failed ({source})")]
    WriteToken { program: String, source: io::Error },
    #[error("`{command} -G` does not say how it would sign in to {host}")]
    UnknownServer { command: String, host: String },
    #[error("signatures of the kind {0} are not lent yet")]
    SignatureKind(String),
    #[error("git's setting user.signingKey names no key")]
    NoSigningKey,
    #[error("{} is no public key", .0.display())]
    NoPublicKey(PathBuf),
    #[error("lending the key failed ({0})")]
    WriteKey(io::Error),
    #[error("lending the signing key failed: {what} ({source})")]
    SigningDoor { what: &'static str, source: io::Error },
    #[error("there is no SSH agent with a key, and no key file that needs no passphrase")]
    NoKey,
    #[error("starting an SSH agent failed")]
    AgentNotStarted,
}
