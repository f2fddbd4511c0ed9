//! What a rule or a grant can speak about: one canonical thing, never a raw line of shell.

use deputy_protocol::{Digest, PathOperation};
use std::path::PathBuf;

/// One canonical thing that a rule or grant is held against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A simple command: its literal argv after quoting is undone and harmless wrappers are taken off.
    Command {
        /// The words.
        argv: Vec<String>,
    },
    /// A path after links are resolved.
    Path {
        /// What would be done to it.
        operation: PathOperation,
        /// Real absolute path.
        real: PathBuf,
    },
    /// A web origin in canonical form.
    Origin {
        /// `scheme://host[:port]`.
        origin: String,
    },
    /// A whole call by its digest.
    Call {
        /// The digest.
        digest: Digest,
    },
}
