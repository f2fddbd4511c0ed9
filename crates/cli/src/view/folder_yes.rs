//! The yes for a folder that a task works by: said in a line, with the command that takes it back.

use super::ids;
use super::text::place;
use deputy_protocol::{Decision, Grant, GrantRule, Lifetime, TaskSummary};

/// Returns the words for a grant that lets tasks work in a folder, and the command that takes it back. `None` for any
/// other grant.
pub(crate) fn words(grant: &Grant) -> Option<(String, String)> {
    let GrantRule::Folder(folder) = &grant.rule else { return None };
    let until = match &grant.lifetime {
        _ if grant.decision != Decision::Allow => return None,
        Lifetime::Task(_) => "for this task",
        Lifetime::Session(_) => "for this conversation",
        Lifetime::Once(_) | Lifetime::Names(_) | Lifetime::Minutes(_) | Lifetime::Always(_) => return None,
    };
    ids::know([&grant.id]);
    let says = format!("works in {} without asking, {until}", place(&folder.path));
    Some((says, format!("policy grants revoke {}", grant.id)))
}

/// Whether a grant is for a task: for itself, or for its conversation in the same folder.
pub(crate) fn is_of(grant: &Grant, task: &TaskSummary) -> bool {
    match &grant.lifetime {
        Lifetime::Task(lifetime) => lifetime.task == task.id,
        Lifetime::Session(lifetime) => {
            lifetime.session == task.session && grant.workspace == task.workspace && task.parent.is_none()
        }
        Lifetime::Once(_) | Lifetime::Names(_) | Lifetime::Minutes(_) | Lifetime::Always(_) => false,
    }
}
