//! The hooks of a repository that a git command runs. The request has to name these programs.

use super::git::repositories;
use super::git_config::setting;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Returns the names of the hooks that a sub-command may run.
fn of_verb(verb: &str) -> &'static [&'static str] {
    const COMMIT: &[&str] = &[
        "pre-commit",
        "prepare-commit-msg",
        "commit-msg",
        "post-commit",
        "post-rewrite",
        "post-index-change",
        "reference-transaction",
    ];
    const MERGE: &[&str] = &[
        "pre-merge-commit",
        "prepare-commit-msg",
        "commit-msg",
        "post-merge",
        "post-checkout",
        "pre-commit",
        "post-commit",
        "post-rewrite",
        "post-index-change",
        "reference-transaction",
    ];
    const REBASE: &[&str] = &[
        "pre-rebase",
        "prepare-commit-msg",
        "commit-msg",
        "post-commit",
        "post-checkout",
        "post-rewrite",
        "pre-commit",
        "post-merge",
        "post-index-change",
        "reference-transaction",
    ];
    const CHECKOUT: &[&str] = &["post-checkout", "post-index-change", "reference-transaction"];
    const AM: &[&str] = &[
        "applypatch-msg",
        "pre-applypatch",
        "post-applypatch",
        "post-rewrite",
        "post-index-change",
        "reference-transaction",
    ];
    const PUSH: &[&str] = &["pre-push", "reference-transaction"];
    const REFERENCES: &[&str] = &["reference-transaction", "post-index-change"];
    match verb {
        "commit" | "cherry-pick" | "revert" => COMMIT,
        "merge" | "pull" => MERGE,
        "rebase" => REBASE,
        "checkout" | "switch" | "worktree" | "submodule" | "restore" => CHECKOUT,
        "am" => AM,
        "push" => PUSH,
        "gc" => &["pre-auto-gc", "reference-transaction"],
        "branch" | "tag" | "fetch" | "reset" | "stash" | "add" | "rm" | "mv" | "update-ref" | "notes" => {
            REFERENCES
        }
        _ => &[],
    }
}

/// Returns the absolute paths of the hooks that an argv in normal form runs in a folder.
pub(crate) fn run_by(normal: &[String], cwd: &Path, home: &Path) -> Vec<PathBuf> {
    let [program, args @ ..] = normal else { return Vec::new() };
    let Some(verb) = args.iter().find(|arg| !arg.starts_with('-')).filter(|_| program == "git") else {
        return Vec::new();
    };
    let names = of_verb(verb);
    let skips = args.iter().any(|arg| arg == "--no-verify") && verb == "push";
    let Some(repository) = repositories(cwd).into_iter().next().filter(|_| !names.is_empty() && !skips)
    else {
        return Vec::new();
    };
    let files = [repository.join("config"), home.join(".gitconfig"), home.join(".config/git/config")];
    let set = files.iter().find_map(|file| setting(file, "core.hookspath"));
    let folder = match set {
        // It is uncertain which hooks are meant, so none are named and none run.
        Some(None) => return Vec::new(),
        Some(Some(set)) => match set.strip_prefix("~/") {
            Some(rest) => home.join(rest),
            None => repository.parent().unwrap_or(cwd).join(set),
        },
        None => repository.join("hooks"),
    };
    let is_program = |hook: &PathBuf| {
        hook.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    };
    names.iter().map(|name| folder.join(name)).filter(is_program).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn hooks(place: &Path, command: &str) -> Vec<String> {
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        let found = run_by(&words, &place.join("project"), &place.join("home"));
        found.iter().map(|hook| hook.strip_prefix(place).unwrap().display().to_string()).collect()
    }

    fn hook(path: &Path, mode: u32) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_command_runs_the_hooks_of_its_own_kind_that_are_programs() {
        let place = tempfile::tempdir().unwrap();
        let git = place.path().join("project/.git");
        fs::create_dir_all(&git).unwrap();
        hook(&git.join("hooks/pre-commit"), 0o755);
        hook(&git.join("hooks/pre-push"), 0o755);
        hook(&git.join("hooks/commit-msg"), 0o644);
        hook(&git.join("hooks/post-commit.sample"), 0o755);
        assert_eq!(hooks(place.path(), "git commit -m x"), ["project/.git/hooks/pre-commit"]);
        assert_eq!(hooks(place.path(), "git push"), ["project/.git/hooks/pre-push"]);
        assert!(hooks(place.path(), "git status").is_empty());
        hook(&place.path().join("project/.husky/pre-commit"), 0o755);
        fs::write(git.join("config"), "[core]\n\thooksPath = .husky\n").unwrap();
        assert_eq!(hooks(place.path(), "git commit -m x"), ["project/.husky/pre-commit"]);
        assert!(hooks(place.path(), "git push").is_empty());
    }
}
