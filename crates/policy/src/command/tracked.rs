//! Secrets that a repository tracks. The file content that git prints may be that of a secret, regardless of what is
//! in the folder now.

use super::forms::{self, Form};
use super::{git, index};
use crate::path::Secrets;
use crate::{Situation, history};
use deputy_messages::policy as say;
use deputy_protocol::Phrase;
use std::path::Path;

/// Returns the reason why a read-only sub-command of git may print a secret that the repository tracks, or answer
/// questions about it.
pub(super) fn shown(situation: &Situation, words: &[String], cwd: &Path) -> Option<Phrase> {
    let repositories = git::repositories(cwd);
    let form = Form::of(words)?;
    if form.prints_no_content(&repositories) {
        return None;
    }
    let Form { name, operands, paths, arguments, .. } = &form;
    let secrets = Secrets::of(situation);
    let tops: Vec<&Path> = repositories.iter().filter_map(|folder| folder.parent()).collect();
    let named = |text: &&str| {
        let inside = text.rsplit(':').next().unwrap_or(text);
        tops.iter().copied().chain([cwd]).any(|folder| secrets.holds_inside(folder, inside))
    };
    if let Some(named) = operands.iter().copied().chain(paths.iter().map(String::as_str)).find(named) {
        return Some(say::shows_holds_secrets(crate::shell::characters::escaped(named)));
    }
    // Each of these is already checked by the path rules.
    if matches!(*name, "show" | "cat-file")
        && !operands.is_empty()
        && operands.iter().all(|text| is_inside(text))
    {
        return None;
    }
    // These sub-commands print only the files that they name.
    if matches!(*name, "blame" | "annotate") && !(operands.is_empty() && paths.is_empty()) {
        return None;
    }
    let of_commits = operands.iter().all(|operand| forms::names_commits(operand, &repositories));
    let follows = arguments.iter().any(|word| word.starts_with("--fo"));
    let reads_history = form.reads_history(cwd, &repositories);
    repositories.iter().find_map(|folder| {
        let top = folder.parent()?;
        let below_top = cwd.strip_prefix(top).ok().filter(|_| of_commits && !follows);
        let only = below_top.and_then(|below_top| limits(below_top, paths));
        let escaped = crate::shell::characters::escaped;
        match index::secret(folder, situation, &secrets, top, only.as_deref()) {
            Ok(None) => {}
            Ok(Some(file)) => {
                let file = escaped(&file);
                return Some(say::may_show_repository_tracks(file));
            }
            Err(why) => return Some(say::may_show_secrets_repository(why)),
        }
        if !reads_history {
            return None;
        }
        match history::secrets(situation, &secrets, folder) {
            Ok(found) => {
                let file = escaped(found.iter().find(|name| is_within(name, only.as_deref()))?);
                Some(say::may_show_repository_history(file))
            }
            Err(why) => Some(say::may_show_secrets_repository_history(why.reason().with_texts(escaped))),
        }
    })
}

/// Whether an operand names a single file in a commit or in the index, and is not a pattern or a search.
fn is_inside(operand: &str) -> bool {
    operand.split_once(':').is_some_and(|(_, inside)| {
        let inside = inside
            .strip_prefix(['0', '1', '2', '3'])
            .and_then(|rest| rest.strip_prefix(':'))
            .unwrap_or(inside);
        inside.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_'))
    })
}

/// Returns the files and folders to which a command is limited, relative to the top of the repository. `None` if they
/// are unknown.
fn limits(below_top: &Path, paths: &[String]) -> Option<Vec<String>> {
    if paths.is_empty() {
        return None;
    }
    let limit = |path: &String| {
        let is_plain = !path.starts_with(['/', '~', '-'])
            && !path.contains(['*', '?', '[', ':', '\\', '^', '!'])
            && !path.split('/').any(|name| name == "..");
        let joined = below_top.join(path);
        let names = joined.components().map(|name| name.as_os_str().to_string_lossy().to_ascii_lowercase());
        is_plain.then(|| names.filter(|name| name != ".").collect::<Vec<_>>().join("/"))
    };
    paths.iter().map(limit).collect()
}

/// Whether a path is, or is below, a path to which a command is limited.
pub(super) fn is_within(name: &str, only: Option<&[String]>) -> bool {
    only.is_none_or(|only| {
        let name = name.to_ascii_lowercase();
        only.iter().any(|limit| {
            limit.is_empty()
                || name
                    .strip_prefix(limit.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    })
}
