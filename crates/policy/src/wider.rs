//! What may be remembered beyond exactly what was asked: further plain words of a known command, or a file's folder.

use crate::Situation;
use crate::path::real_folder;
use crate::rules::is_plain;
use crate::shell::quote::quoted;
use deputy_protocol::{Access, ArgvRule, Facts, GrantRule, PathOperation, PathRule};
use std::path::Path;

/// Beginnings of commands whose further plain words only choose what of the project is built, tested, noted or made.
/// Programs that run what a word names, that fetch, or that take words for code are not among them.
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

/// The wider rule beside the exact one, and in words; `None` where nothing wider is safe to remember.
pub(crate) fn wider(situation: &Situation, facts: &Facts, exact: &GrantRule) -> Option<(GrantRule, String)> {
    match exact {
        GrantRule::Argv(rule) => command(&rule.argv),
        GrantRule::Path(rule) => {
            // What was asked about is a file; for a folder the exact rule says what there is to say.
            let is_file = matches!(facts.accesses.as_slice(), [Access::Read(_) | Access::Write(_)]);
            is_file.then(|| folder(situation, rule)).flatten()
        }
        GrantRule::Call(_) | GrantRule::Origin(_) => None,
    }
}

/// The longest known beginning, where what follows in the command itself is plain too.
fn command(argv: &[String]) -> Option<(GrantRule, String)> {
    let begins =
        |known: &&&[&str]| argv.len() >= known.len() && argv.iter().zip(**known).all(|(a, b)| a == b);
    let known = MAY_GROW.iter().filter(begins).max_by_key(|known| known.len())?;
    let (words, rest) = argv.split_at(known.len());
    if !rest.iter().all(|word| is_plain(word)) {
        return None;
    }
    let what =
        format!("`{}` with any further names and paths below the folder, but no options,", quoted(words));
    Some((GrantRule::Argv(ArgvRule { argv: words.to_vec(), prefix: true }), what))
}

/// The folder of a file: one inside the workspace, or for reading one inside the home that is not hidden.
fn folder(situation: &Situation, rule: &PathRule) -> Option<(GrantRule, String)> {
    let folder = Path::new(&rule.path).parent()?;
    let is_below = |root: &Path| {
        let below = folder.strip_prefix(root).ok().filter(|below| !below.as_os_str().is_empty());
        below.is_some_and(|below| below.iter().all(|name| !name.as_encoded_bytes().starts_with(b".")))
    };
    let is_own = is_below(&real_folder(&situation.workspace));
    let verb = match rule.operation {
        PathOperation::Write if is_own => "Write",
        PathOperation::Read if is_own || is_below(&real_folder(&situation.home)) => "Read",
        _ => return None,
    };
    let path = folder.to_str()?.to_owned();
    let what = format!("{verb} anything below {path}");
    Some((GrantRule::Path(PathRule { operation: rule.operation, path, below: true }), what))
}
