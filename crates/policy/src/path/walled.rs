//! What the walls block for an approved command inside the folders that are open to it. The decision depends only on
//! the path, so it applies to existing and new files.

use super::guarded::{Guards, at_home};
use super::names;
use super::protected::{secret, secret_place};
use super::roots::Roots;
use super::{Operation, fold};
use crate::rules::Objections;
use crate::{Refusal, Refusals, Situation};
use deputy_messages::policy as say;
use deputy_protocol::Phrase;
use std::path::Path;
use std::sync::Arc;

/// Folders of installed packages and build results, which nobody opens as a project.
const PACKAGES: &[&str] = &["node_modules", "site-packages", "target", ".venv", "venv", "__pycache__"];

/// Folders of a repository that contain others, whose names may contain slashes.
const INNER: &[&str] = &["modules", "worktrees"];

/// The places that are blocked for commands. They are resolved once for many paths.
pub struct Walled {
    roots: Roots,
    guards: Guards,
    refused: Arc<Refusals>,
    objections: Objections,
}

/// Whether a real path is, or is in, a folder in which git keeps the commits that it has yet to replay.
pub fn is_yet_to_replay(real: &Path) -> bool {
    const FOLDERS: &[&str] = &["rebase-merge", "rebase-apply", "sequencer"];
    let parts = fold::path(real);
    // Only the part after the last `.git` counts: a repository inside it, or in a folder with one of these names, is
    // not affected.
    let at = parts.iter().rposition(|part| part == ".git").map_or(parts.len(), |at| at + 1);
    match parts.get(at..).unwrap_or_default() {
        [inner, _, rest @ ..] if inner == "worktrees" => rest.first(),
        rest => rest.first(),
    }
    .is_some_and(|part| FOLDERS.contains(&part.as_str()))
}

impl Walled {
    /// Creates the check for the folders of a situation.
    pub fn of(situation: &Situation) -> Self {
        Self {
            roots: Roots::of(situation),
            guards: Guards::of(situation),
            refused: Arc::clone(&situation.refused),
            objections: Objections::of(situation),
        }
    }

    /// Returns the reason why the real path, which may or may not exist, must not be read: it is a credential,
    /// private, or Deputy's own, or a rule of the user's names it. Content of third-party packages is judged by its location and not by its name,
    /// because certificates also end in `.pem`.
    pub fn secret(&self, real: &Path) -> Option<Phrase> {
        let secret = match self.is_of_a_package(real) {
            true => secret_place(&self.roots, &fold::path(real)),
            false => secret(&self.roots, real),
        };
        secret.or_else(|| self.ruled(&[Operation::Read], real))
    }

    /// Returns what a rule or an answer of the user's says against operations on a real path.
    fn ruled(&self, operations: &[Operation], real: &Path) -> Option<Phrase> {
        let found = operations.iter().find_map(|operation| self.objections.against(*operation, real));
        found.map(|standing| standing.reason)
    }

    /// Returns the refusal of a change of the real path in this task, with everything in it if `is_tree` is true.
    pub fn refused(&self, real: &Path, is_tree: bool) -> Option<&Refusal> {
        if is_tree { self.refused.against_tree(real) } else { self.refused.against(real) }
    }

    /// Returns the reason if a change of the real path, which may or may not exist, makes other programs run code, or if a
    /// rule of the user's names it. If
    /// `.git` is a file, it refers to the repository and counts; if it is a folder, only parts of it count.
    pub fn starts_programs(&self, real: &Path, is_folder: bool) -> Option<Phrase> {
        if let Some(reason) = self.ruled(&[Operation::Write, Operation::Delete], real) {
            return Some(reason);
        }
        let below = fold::path(self.roots.below_root(real));
        let is_git = |part: &String| part == ".git" || part == "git~1";
        let is_in_git = below.iter().any(is_git);
        if is_folder && below.last().is_some_and(is_git) || !is_in_git && self.is_of_a_package(real) {
            return None;
        }
        let at = below.iter().position(is_git).map_or(below.len(), |at| at + 1);
        match below.get(at..).unwrap_or_default() {
            // The data of submodules and work trees. Git writes most of it all the time.
            [inner, rest @ ..] if INNER.contains(&inner.as_str()) && at_home(&self.roots, real).is_none() => {
                let git = &names::guarded().git;
                let decides = (1..rest.len()).any(|from| {
                    let rest = &rest[from..];
                    !INNER.contains(&rest[0].as_str()) && git.at_start(rest).is_some()
                });
                decides.then(say::makes_git_run_code)
            }
            _ => self.guards.stop(real, is_folder),
        }
    }

    /// Whether the path is in a folder of packages.
    fn is_of_a_package(&self, real: &Path) -> bool {
        let below = fold::path(self.roots.below_root(real));
        let above = below.len().saturating_sub(1);
        below[..above].iter().any(|part| PACKAGES.contains(&part.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walled() -> Walled {
        Walled::of(&Situation::new("/home/u", "/work/p", "/home/u/.deputy"))
    }

    #[test]
    fn what_makes_git_run_programs_in_every_repository() {
        let walled = walled();
        for place in [
            ".git/config",
            ".git/config.worktree",
            ".git/commondir",
            ".git/hooks",
            ".git/hooks/pre-commit",
            ".git/info/attributes",
            ".git/objects/info/alternates",
            ".git/rebase-merge/git-rebase-todo",
            ".git/worktrees/w/commondir",
            ".git/worktrees/w/gitdir",
            ".git/worktrees/w/config.worktree",
            ".git/modules/a/b/config",
            ".git/modules/a/hooks/post-checkout",
            "deep/er/.GIT/Config",
            "lib/.git/modules/x/worktrees/y/commondir",
            "node_modules/x/.git/config",
        ] {
            assert!(walled.starts_programs(&Path::new("/work/p").join(place), false).is_some(), "{place}");
        }
        assert!(
            walled.starts_programs(Path::new("/work/p/x/.git"), false).is_some(),
            "it names a repository"
        );
        for place in [
            ".git",
            ".git/index",
            ".git/index.lock",
            ".git/config.lock",
            ".git/HEAD",
            ".git/worktrees/w",
            ".git/refs/heads/config",
            ".git/logs/refs/heads/hooks",
            ".git/objects/ab/cdef",
            ".git/info/exclude",
            ".git/worktrees/w/HEAD",
            ".git/modules/a/index",
            ".gitignore",
            "src/config",
            "hooks/useThing.ts",
        ] {
            assert_eq!(walled.starts_programs(&Path::new("/work/p").join(place), true), None, "{place}");
        }
    }

    #[test]
    fn a_folder_that_git_takes_for_a_repository_has_the_same_guards_by_any_name() {
        let place = tempfile::tempdir().unwrap();
        let top = place.path().canonicalize().unwrap();
        let walled = Walled::of(&Situation::new("/home/u", &top, "/home/u/.deputy"));
        let stops = |path: &str| walled.starts_programs(&top.join(path), false).is_some();
        for folder in ["whole/objects", "whole/refs", "planted/hooks", "planted/refs", "split", "src/hooks"] {
            std::fs::create_dir_all(top.join(folder)).unwrap();
        }
        for file in ["whole/HEAD", "planted/HEAD", "split/commondir"] {
            std::fs::write(top.join(file), "ref: refs/heads/main\n").unwrap();
        }
        for path in ["whole/config", "whole/hooks/update", "whole/info/attributes", "whole/commondir"] {
            assert!(stops(path), "{path}");
        }
        for path in ["planted/objects", "split/HEAD"] {
            assert!(stops(path), "{path} would complete a repository that runs programs");
        }
        for path in [
            "whole/HEAD",
            "whole/objects/ab/cdef",
            "whole/refs/heads/main",
            "planted/config",
            "src/hooks/use.ts",
            "src/config",
            "new/HEAD",
        ] {
            assert!(!stops(path), "{path}");
        }
    }

    #[test]
    fn what_is_yet_to_be_replayed_is_known_by_its_place() {
        for place in [
            "p/.git/rebase-merge",
            "p/.git/rebase-merge/git-rebase-todo",
            "p/.git/worktrees/w/sequencer/todo",
        ] {
            assert!(is_yet_to_replay(&Path::new("/work").join(place)), "{place}");
        }
        for place in [
            "p/.git/config",
            "p/rebase-merge/x",
            "p/.git/rebase-merge/.git/config",
            "p/.git/worktrees/rebase-merge",
            "p/.git/modules/m/rebase-merge",
        ] {
            assert!(!is_yet_to_replay(&Path::new("/work").join(place)), "{place}");
        }
    }

    #[test]
    fn editors_and_start_up_files_anywhere_but_in_packages() {
        let walled = walled();
        for place in [
            "/work/p/.vscode/tasks.json",
            "/work/p/a/b/.envrc",
            "/work/p/x/.husky/pre-commit",
            "/home/u/.local/bin/ls",
        ] {
            assert!(walled.starts_programs(Path::new(place), false).is_some(), "{place}");
        }
        assert_eq!(
            walled.starts_programs(Path::new("/work/p/node_modules/x/.vscode/settings.json"), false),
            None
        );
        for place in ["/work/p/.env", "/work/p/a/server.key", "/home/u/.ssh/id_rsa", "/home/u/.deputy/db"] {
            assert!(walled.secret(Path::new(place)).is_some(), "{place}");
        }
        assert_eq!(walled.secret(Path::new("/work/p/node_modules/certs/ca.pem")), None);
        assert_eq!(walled.secret(Path::new("/work/p/notes.txt")), None);
    }
}
