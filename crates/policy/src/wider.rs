//! Grants that cover more than exactly what was asked: further plain words of a known command, or a file's folder.

use crate::Situation;
use crate::offers::only;
use crate::path::real_folder;
use crate::rules::is_plain;
use crate::shell::quote::quoted;
use deputy_messages::policy as say;
use deputy_protocol::{
    Access, ArgvRule, Facts, GrantRule, Lifetime, PathOperation, PathRule, Phrase, TaskLifetime,
};
use std::path::Path;

/// The beginnings of commands whose further plain words only select which parts of the project are built, tested,
/// staged or created. Programs that run what a word names, that fetch, or that interpret words as code are not
/// included.
const MAY_GROW: &[&[&str]] = &[
    &["cargo", "bench"],
    &["cargo", "build"],
    &["cargo", "check"],
    &["cargo", "clippy"],
    &["cargo", "doc"],
    &["cargo", "test"],
    &["git", "add"],
    &["mkdir"],
    &["mkdir", "-p"],
    &["npm", "test"],
    &["pnpm", "test"],
    &["touch"],
    &["yarn", "test"],
];

/// Returns the wider rule that is offered in addition to the exact rule, and its description. `None` if nothing wider
/// is safe to remember.
pub(crate) fn wider(situation: &Situation, facts: &Facts, exact: &GrantRule) -> Option<(GrantRule, Phrase)> {
    match exact {
        GrantRule::Argv(rule) => command(&rule.argv),
        GrantRule::Path(rule) => {
            // The user was asked about a file. For a folder, the exact rule is sufficient.
            let is_file = matches!(only(facts), Some(Access::Read(_) | Access::Write(_)));
            is_file.then(|| folder(situation, rule)).flatten()
        }
        GrantRule::Call(_) | GrantRule::Origin(_) => None,
    }
}

/// Returns a rule for every edit in the task's folder until the task ends, and in a repository also for `git add` and
/// `git commit`. Otherwise a user who wants the task done would be asked about each file. As with all grants,
/// guarded, secret and high-risk files are not covered. The rule is not offered for a folder that contains more than
/// the task's files: the home directory or a folder above it.
pub(crate) fn edits(
    situation: &Situation,
    facts: &Facts,
    exact: &GrantRule,
) -> Option<(Lifetime, GrantRule, Phrase)> {
    let (Some(task), Some(Access::Write(_))) = (&situation.task, only(facts)) else { return None };
    let GrantRule::Path(PathRule { operation: PathOperation::Write, path, .. }) = exact else { return None };
    let workspace = real_folder(&situation.workspace);
    let below = Path::new(path).strip_prefix(&workspace).ok()?;
    let is_plain = !below.as_os_str().is_empty() && !is_hidden(below);
    if !is_plain || real_folder(&situation.home).starts_with(&workspace) {
        return None;
    }
    let path = workspace.to_str().filter(|path| !path.contains(char::is_control))?.to_owned();
    let shown = crate::shell::characters::escaped(&path);
    let commits = workspace.join(".git").exists();
    let label = match commits {
        true => say::edits_commits_them_task(shown),
        false => say::edits_task(shown),
    };
    let rule = GrantRule::Path(PathRule { operation: PathOperation::Write, path, below: true, commits });
    Some((Lifetime::Task(TaskLifetime { task: task.clone() }), rule, label))
}

fn is_hidden(below: &Path) -> bool {
    below.iter().any(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Returns a rule for the longest known beginning, if the remaining words of the command are plain too.
fn command(argv: &[String]) -> Option<(GrantRule, Phrase)> {
    let begins =
        |known: &&&[&str]| argv.len() >= known.len() && argv.iter().zip(**known).all(|(a, b)| a == b);
    let known = MAY_GROW.iter().filter(begins).max_by_key(|known| known.len())?;
    let (words, rest) = argv.split_at(known.len());
    if !rest.iter().all(|word| is_plain(word)) {
        return None;
    }
    let what = say::any_further_names_paths(quoted(words));
    Some((GrantRule::Argv(ArgvRule { argv: words.to_vec(), prefix: true }), what))
}

/// Returns a rule for the folder of a file. The folder is inside the workspace or, for reading, inside the home
/// directory and not hidden.
fn folder(situation: &Situation, rule: &PathRule) -> Option<(GrantRule, Phrase)> {
    let folder = Path::new(&rule.path).parent()?;
    let is_below = |root: &Path| {
        let below = folder.strip_prefix(root).ok().filter(|below| !below.as_os_str().is_empty());
        below.is_some_and(|below| !is_hidden(below))
    };
    let is_own = is_below(&real_folder(&situation.workspace));
    let anything: fn(String) -> Phrase = match rule.operation {
        PathOperation::Write if is_own => say::write_anything_below,
        PathOperation::Read if is_own || is_below(&real_folder(&situation.home)) => say::read_anything_below,
        _ => return None,
    };
    let path = folder.to_str()?.to_owned();
    let what = anything(path.clone());
    let rule = PathRule { operation: rule.operation, path, below: true, commits: false };
    Some((GrantRule::Path(rule), what))
}
