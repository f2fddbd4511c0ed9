//! The checks for paths that a call does not name but finds, for instance while it walks a folder. A person approved the
//! folder, not everything in it, so secrets, rules and the task's scope are checked for each path.

use super::protected::Secrets;
use super::scope::Scoped;
use super::{Operation, OutOfScope};
use crate::rules::Standing;
use crate::{Refusals, Situation};
use deputy_protocol::Decision;
use std::path::Path;
use std::sync::Arc;

/// The bounds of a call, prepared for checking many paths.
pub struct Bounds {
    secrets: Secrets,
    scoped: Scoped,
    refused: Arc<Refusals>,
}

impl Bounds {
    /// Returns the bounds of a call in a situation.
    pub fn of(situation: &Situation) -> Self {
        Self {
            secrets: Secrets::of(situation),
            scoped: Scoped::of(situation),
            refused: Arc::clone(&situation.refused),
        }
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
    /// about it, or the refusal of the path in this task. A rule that asks also excludes a path that a call finds, because nobody was asked about that path.
    pub fn ruled_out(&self, operation: Operation, real: &Path) -> Option<Standing> {
        let refused = || {
            let refusal = operation.is_change().then(|| self.refused.against(real)).flatten()?;
            Some(Standing {
                decision: Decision::Ask,
                reason: refusal.reason(),
                grant: None,
                confinement: None,
            })
        };
        self.secrets.standing(operation, real).or_else(refused)
    }
}
