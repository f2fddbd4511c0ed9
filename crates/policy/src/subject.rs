//! The subject of a rule or grant: a single canonical thing, never a raw line of shell.

use deputy_protocol::{Digest, PathOperation};
use std::path::PathBuf;

/// A canonical thing that rules and grants are matched with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A simple command: its literal argv, without quoting and harmless wrappers.
    Command {
        /// The words.
        argv: Vec<String>,
    },
    /// A path, with links resolved.
    Path {
        /// The operation on the path.
        operation: PathOperation,
        /// The real absolute path.
        real: PathBuf,
    },
    /// A web origin in canonical form.
    Origin {
        /// `scheme://host[:port]`.
        origin: String,
    },
    /// A whole call, identified by its digest.
    Call {
        /// The digest.
        digest: Digest,
    },
}
