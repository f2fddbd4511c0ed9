//! Grants that cover more than exactly what was asked: reading in the folder of a file.

use crate::Situation;
use crate::offers::only;
use crate::path::real_folder;
use deputy_messages::policy as say;
use deputy_protocol::{Access, Facts, GrantRule, PathOperation, PathRule, Phrase};
use std::path::Path;

/// Returns the wider rule that is offered in addition to the exact rule, and its description. `None` if nothing wider
/// is safe to remember.
pub(crate) fn wider(situation: &Situation, facts: &Facts, exact: &GrantRule) -> Option<(GrantRule, Phrase)> {
    match exact {
        // The user was asked about a file. For a folder, the exact rule is sufficient.
        GrantRule::Path(rule) => {
            matches!(only(facts), Some(Access::Read(_))).then(|| folder(situation, rule)).flatten()
        }
        GrantRule::Argv(_) | GrantRule::Call(_) | GrantRule::Origin(_) | GrantRule::Folder(_) => None,
    }
}

fn is_hidden(below: &Path) -> bool {
    below.iter().any(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Returns a rule for reading in the folder of a file. The folder is inside the workspace or the home directory and not
/// hidden.
fn folder(situation: &Situation, rule: &PathRule) -> Option<(GrantRule, Phrase)> {
    let folder = Path::new(&rule.path).parent()?;
    let is_below = |root: &Path| {
        let below = folder.strip_prefix(root).ok().filter(|below| !below.as_os_str().is_empty());
        below.is_some_and(|below| !is_hidden(below))
    };
    if rule.operation != PathOperation::Read
        || ![&situation.workspace, &situation.home].into_iter().any(|root| is_below(&real_folder(root)))
    {
        return None;
    }
    let path = folder.to_str()?.to_owned();
    let what = say::read_anything_below(path.clone());
    let rule = PathRule { operation: rule.operation, path, below: true, commits: false };
    Some((GrantRule::Path(rule), what))
}
