//! Folders on this machine that are git remotes: the words name the remote, and only the repository's settings
//! contain its path. Like paths among the words, they are opened to a call, if they are repositories.

use super::effects::normal;
use super::git::repository_at;
use super::loans::remote_addresses;
use super::outside::Reached;
use super::paths::holds_the_home;
use crate::Situation;
use crate::path;
use std::path::{Path, PathBuf};

/// Adds the folders of the remotes to what a command in a folder reaches.
pub(super) fn reach(reached: &mut Reached, situation: &Situation, cwd: &Path, argv: &[String]) {
    if argv.first().is_none_or(|name| name != "git") {
        return;
    }
    let (cwd, argv) = entered(cwd, argv);
    let normal = normal(&argv);
    let is_push = match normal.get(1).map(String::as_str) {
        Some("push") => true,
        Some("fetch" | "pull" | "ls-remote" | "archive") => false,
        Some("submodule") if normal.get(2).is_some_and(|verb| verb == "update") => false,
        Some("remote")
            if normal.get(2).is_some_and(|verb| ["update", "show", "prune"].contains(&verb.as_str())) =>
        {
            false
        }
        _ => return,
    };
    // Git changes to the top of the work tree before it resolves any path.
    let top = cwd.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(&cwd);
    for address in remote_addresses(situation, &normal, &cwd) {
        let Some(found) = local(&address).and_then(|text| repository(situation, top, text)) else { continue };
        let before = reached.count();
        if is_push {
            reached.write(situation, &found, false);
        } else {
            reached.read(situation, found);
        }
        reached.is_led |= reached.count() > before;
    }
}

/// Returns the folder to which a leading `-C` leads, and the words without it.
fn entered(cwd: &Path, argv: &[String]) -> (PathBuf, Vec<String>) {
    let mut folder = cwd.to_owned();
    let mut rest = argv.get(1..).unwrap_or_default();
    while let [option, into, more @ ..] = rest {
        if option != "-C" {
            break;
        }
        folder.push(into);
        rest = more;
    }
    (folder, argv.iter().take(1).chain(rest).cloned().collect())
}

/// Returns the path in an address that refers to this machine.
fn local(address: &str) -> Option<&str> {
    if let Some(path) = address.strip_prefix("file://") {
        // Addresses with a host or with percent-encoded characters are not supported.
        return Some(path).filter(|path| path.starts_with('/') && !path.contains('%'));
    }
    let first = address.split('/').next().unwrap_or(address);
    (!first.contains(':')).then_some(address)
}

/// Returns the real path of the repository or the bundle that git takes a path for. Excludes everything that contains
/// the home directory or the workspace: a setting only opens an existing folder from which git can fetch.
fn repository(situation: &Situation, top: &Path, text: &str) -> Option<PathBuf> {
    let found = [text.to_owned(), format!("{text}.git")]
        .into_iter()
        .filter_map(|text| path::real(situation, top, &text))
        .find(|real| real.exists())?;
    let found = if found.is_file() { found } else { repository_at(&found)? };
    let holds_more =
        holds_the_home(situation, &found) || path::real_folder(&situation.workspace).starts_with(&found);
    (!holds_more).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn bare(folder: &Path) {
        fs::create_dir_all(folder.join("objects")).unwrap();
        fs::create_dir_all(folder.join("refs")).unwrap();
        fs::write(folder.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    }

    struct Reaches {
        reads: Vec<String>,
        writes: Vec<String>,
    }

    /// Returns what a command reaches with these settings, relative to the folder around the workspace.
    fn reaches(settings: &str, cwd: &str, command: &str) -> Reaches {
        let place = tempfile::tempdir().unwrap();
        let base = place.path().canonicalize().unwrap();
        let work = base.join("home/work");
        fs::create_dir_all(work.join("sub")).unwrap();
        bare(&work.join(".git"));
        fs::write(work.join(".git/config"), settings.replace("{base}", &base.display().to_string())).unwrap();
        bare(&base.join("home/hub.git"));
        bare(&base.join("home/friend/.git"));
        fs::create_dir_all(base.join("home/plain")).unwrap();
        fs::write(base.join("home/all.bundle"), "# v2 git bundle\n").unwrap();
        let situation = Situation::new(base.join("home"), &work, base.join("deputy"));
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        let mut reached = Reached::default();
        reach(&mut reached, &situation, &work.join(cwd), &words);
        assert!(!reached.needs_open && !reached.reads_home, "{command}");
        let below = |paths: &[PathBuf]| {
            paths
                .iter()
                .map(|path| path.strip_prefix(base.join("home")).unwrap().display().to_string())
                .collect()
        };
        Reaches { reads: below(&reached.reads), writes: below(&reached.writes) }
    }

    fn origin(url: &str) -> String {
        format!("[remote \"origin\"]\n\turl = {url}\n")
    }

    #[test]
    fn the_folder_of_a_remote_is_opened_as_the_command_needs_it() {
        for (url, cwd, command, reads, writes) in [
            ("../hub.git", "", "git fetch", &["hub.git"] as &[&str], &[] as &[&str]),
            ("../hub.git", "", "git push -u origin main", &[], &["hub.git"]),
            ("../hub", "", "git pull", &["hub.git"], &[]),
            ("../hub.git", "sub", "git push", &[], &["hub.git"]),
            ("../hub.git", "", "git -C sub push", &[], &["hub.git"]),
            ("file://{base}/home/hub.git", "", "git ls-remote origin", &["hub.git"], &[]),
            ("{base}/home/friend", "", "git fetch --all", &["friend/.git"], &[]),
            ("../all.bundle", "", "git fetch", &["all.bundle"], &[]),
            ("../hub.git", "", "git remote update", &["hub.git"], &[]),
            ("../hub.git", "", "git remote set-url origin x", &[], &[]),
            ("../hub.git", "", "git status", &[], &[]),
            ("../hub.git", "", "git push elsewhere main", &[], &[]),
        ] {
            let found = reaches(&origin(url), cwd, command);
            assert_eq!(found.reads, reads, "{command} with {url}");
            assert_eq!(found.writes, writes, "{command} with {url}");
        }
    }

    #[test]
    fn a_setting_opens_nothing_that_is_no_repository_and_nothing_large() {
        for url in
            ["../plain", "..", "../..", "/", "/etc", "../missing", "host:hub.git", "ext::sh -c ../hub.git"]
        {
            for command in ["git fetch", "git push"] {
                let found = reaches(&origin(url), "", command);
                assert_eq!((found.reads.len(), found.writes.len()), (0, 0), "{command} with {url}");
            }
        }
    }
}
