//! The checks for paths that a call does not name but finds, for instance while it walks a folder. A person approved the
//! folder, not everything in it, so secrets, rules and the task's scope are checked for each path.

use super::protected::Secrets;
use super::scope::Scoped;
use super::{Operation, OutOfScope};
use crate::Situation;
use crate::rules::Standing;
use std::path::Path;

/// The bounds of a call, prepared for checking many paths.
pub struct Bounds {
    secrets: Secrets,
    scoped: Scoped,
}

impl Bounds {
    /// Returns the bounds of a call in a situation.
    pub fn of(situation: &Situation) -> Self {
        Self { secrets: Secrets::of(situation), scoped: Scoped::of(situation) }
    }

    /// Whether the real path, which may or may not exist, is a credential, private, or Deputy's own.
    pub fn is_secret(&self, real: &Path) -> bool {
        self.secrets.holds(real)
    }

    /// Checks whether the task's scope covers `operation` on the real path.
    pub fn in_scope(&self, operation: Operation, real: &Path) -> Result<(), OutOfScope> {
        self.scoped.covers(operation, real)
    }

    /// Returns the strictest of the user's rules and remembered answers that deny `operation` on the real path or ask
    /// about it. A rule that asks also excludes a path that a call finds, because nobody was asked about that path.
    pub fn ruled_out(&self, operation: Operation, real: &Path) -> Option<Standing> {
        self.secrets.standing(operation, real)
    }
}
