//! The home directory as a whole: the paths that stay hidden when a command that the user agreed to may read it.

use super::protected::{HEAVY_FOLDERS, secret};
use super::resolve::real_folder;
use super::roots::Roots;
use crate::Situation;
use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

/// The maximum number of entries of the home directory that are checked. Anything deeper stays hidden.
const MOST_ENTRIES: usize = 20_000;
/// The maximum number of paths that are hidden individually. Above it, their parent folders are hidden.
const MOST_HIDDEN: usize = 300;

/// Returns the files and folders below the home directory that are secret by name or location, and the folders that
/// were not searched. The paths are sorted, and none of them contains another.
pub fn hidden_in_home(situation: &Situation) -> Vec<PathBuf> {
    let home = real_folder(&situation.home);
    hidden(&home, &Roots::of(situation), MOST_ENTRIES, MOST_HIDDEN)
}

fn hidden(home: &Path, roots: &Roots, most_entries: usize, most_hidden: usize) -> Vec<PathBuf> {
    let mut found = BTreeSet::new();
    let mut left = most_entries;
    let mut waiting = VecDeque::from([home.to_owned()]);
    'folders: while let Some(folder) = waiting.pop_front() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let Some(fewer) = left.checked_sub(1) else {
                // The home directory itself is always listed completely, because it contains the well-known places.
                if folder != home {
                    found.insert(folder);
                    break 'folders;
                }
                left = 1;
                continue;
            };
            left = fewer;
            let path = entry.path();
            let Ok(kind) = entry.file_type() else { continue };
            let name = entry.file_name().to_string_lossy().to_lowercase();
            if roots.readable().contains(&path) {
                // The task's own folders are searched separately.
                continue;
            }
            if secret(roots, &path).is_some() || is_socket(kind) {
                found.insert(path);
            } else if kind.is_dir()
                && !HEAVY_FOLDERS.contains(&name.as_str())
                && name != ".git"
                && !is_of_tools(home, &path)
            {
                waiting.push_back(path);
            }
        }
    }
    found.extend(waiting);
    let mut found = outermost(found);
    while found.len() > most_hidden {
        let deepest = found.iter().map(|path| path.components().count()).max().unwrap_or_default();
        let fewer: BTreeSet<PathBuf> = found
            .iter()
            .map(|path| match path.parent().filter(|_| path.components().count() == deepest) {
                Some(above) if above != home => above.to_owned(),
                _ => path.clone(),
            })
            .collect();
        let fewer = outermost(fewer);
        if fewer.len() == found.len() && fewer == found {
            break;
        }
        found = fewer;
    }
    // A task's own folder is never hidden together with the folders around it.
    found.retain(|path| !roots.readable().iter().any(|root| root.starts_with(path)));
    found
}

fn is_socket(kind: fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_socket()
}

/// Whether a folder contains third-party programs and packages, in which names such as `test.key` are not
/// significant.
pub fn is_of_tools(home: &Path, path: &Path) -> bool {
    const PLACES: &[&str] = &[
        ".cargo/registry",
        ".cargo/git",
        ".rustup/toolchains",
        ".nvm/versions",
        ".pyenv/versions",
        ".local/lib",
        ".local/pipx",
        ".local/share/uv",
        ".local/share/pipx",
        ".local/share/pnpm",
        ".local/share/mise",
        "go/pkg",
        ".m2/repository",
        ".gradle/caches",
        ".npm/_cacache",
        ".sdkman/candidates",
        ".volta/tools",
        ".bun/install",
        ".rbenv/versions",
        ".asdf/installs",
        ".ghcup",
        ".opam",
        ".nuget/packages",
        ".conda",
    ];
    path.strip_prefix(home).is_ok_and(|below| PLACES.iter().any(|place| below.starts_with(place)))
}

fn outermost(paths: BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = paths.into_iter().collect();
    paths.dedup_by(|inner, outer| inner.starts_with(outer));
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home(files: &[&str]) -> (tempfile::TempDir, Situation) {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().canonicalize().unwrap();
        for file in files {
            let path = home.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        let situation = Situation::new(&home, home.join("work"), home.join(".deputy"));
        (place, situation)
    }

    fn found(situation: &Situation, most_entries: usize, most_hidden: usize) -> Vec<String> {
        let found = hidden(&situation.home, &Roots::of(situation), most_entries, most_hidden);
        found.iter().map(|path| path.strip_prefix(&situation.home).unwrap().display().to_string()).collect()
    }

    #[test]
    fn secrets_are_found_wherever_they_lie_and_other_files_are_not() {
        let (_place, situation) = home(&[
            ".ssh/id_rsa",
            "notes.txt",
            "other/.env",
            "other/deep/server.key",
            "other/readme.md",
            ".cargo/registry/src/a/test.key",
            "work/.env",
            "Downloads/x",
        ]);
        assert_eq!(found(&situation, 1_000, 100), [".ssh", "other/.env", "other/deep/server.key"]);
    }

    #[test]
    fn what_was_not_looked_into_stays_hidden() {
        let (_place, situation) = home(&["a/b/c/.env", "d/e/f/x", "y"]);
        let found = found(&situation, 4, 100);
        assert!(!found.is_empty());
        for file in ["a/b/c/.env", "d/e/f/x"] {
            assert!(found.iter().any(|hidden| Path::new(file).starts_with(hidden)), "{file}: {found:?}");
        }
    }

    #[test]
    fn many_secrets_are_hidden_with_their_folders_and_the_work_stays_open() {
        let files: Vec<String> =
            (0..20).map(|n| format!("keys/{n}/.env")).chain(["work/a".into(), "z/.env".into()]).collect();
        let (_place, situation) = home(&files.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(found(&situation, 1_000, 3), ["keys", "z"]);
    }
}
