//! Folders that hold only what programs make, such as build output and caches.

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::{Match, WalkBuilder};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

#[derive(Deserialize)]
struct Names {
    caches: HashSet<String>,
    outputs: HashSet<String>,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    // A test reads the file.
    let none = Names { caches: HashSet::new(), outputs: HashSet::new() };
    toml::from_str(include_str!("built.toml")).unwrap_or(none)
});

fn name_of(folder: &Path) -> Option<&str> {
    folder.file_name().and_then(|name| name.to_str())
}

/// Returns whether a folder holds only what programs make, wherever it is.
pub fn is_cache(folder: &Path) -> bool {
    name_of(folder).is_some_and(|name| NAMES.caches.contains(name))
}

/// Returns whether a folder has a name that is usual for what programs make.
fn has_usual_name(folder: &Path) -> bool {
    is_cache(folder) || name_of(folder).is_some_and(|name| NAMES.outputs.contains(name))
}

/// What the repositories of a task ignored when the task began. A command that changes the ignore rules, or commits such
/// a change, does not change what is kept for undo.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BuildOutput {
    /// When the task began, in milliseconds since 1970.
    pub since_ms: u64,
    /// The repositories by their working folders, at the commit that was checked out.
    pub repositories: BTreeMap<PathBuf, Committed>,
}

/// What a commit says about ignored files.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Committed {
    /// The contents of the `.gitignore` files by their folders, relative to the working folder.
    pub ignore_files: BTreeMap<PathBuf, String>,
    /// Folders with a usual name that hold committed files, relative to the working folder.
    pub committed_in: BTreeSet<PathBuf>,
}

impl Committed {
    /// Records a committed file by its path relative to the working folder.
    pub fn add(&mut self, file: &Path) {
        self.committed_in
            .extend(file.ancestors().skip(1).filter(|folder| has_usual_name(folder)).map(Path::to_owned));
    }

    /// Returns whether a folder, or one around it, is ignored. For each, the nearest ignore file with a rule decides, as
    /// in git.
    fn ignores(&self, folder: &Path) -> bool {
        let around: Vec<&Path> = folder.ancestors().filter(|path| !path.as_os_str().is_empty()).collect();
        around.into_iter().rev().any(|one| {
            let decided = one.ancestors().skip(1).find_map(|above| {
                match rules(above, self.ignore_files.get(above)?).matched(one, true) {
                    Match::None => None,
                    Match::Ignore(_) => Some(true),
                    Match::Whitelist(_) => Some(false),
                }
            });
            decided.unwrap_or(false)
        })
    }
}

fn rules(folder: &Path, content: &str) -> Gitignore {
    let mut builder = GitignoreBuilder::new(folder);
    for line in content.lines() {
        // Skip lines that are not valid patterns, like git.
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

impl BuildOutput {
    /// Returns whether a folder is build output: it has a usual name, was ignored when the task began, and held no
    /// committed file. The files in it are not a person's work.
    pub fn has(&self, folder: &Path) -> bool {
        has_usual_name(folder)
            && self.committed_around(folder).is_some_and(|(committed, inside)| {
                !committed.committed_in.contains(inside) && committed.ignores(inside)
            })
    }

    /// Returns whether a folder was ignored when the task began, whatever its name.
    pub fn ignored(&self, folder: &Path) -> bool {
        self.committed_around(folder).is_some_and(|(committed, inside)| committed.ignores(inside))
    }

    /// Returns what is known of the repository around a folder, and the folder's path in it. A repository between them
    /// has rules of its own, which are not known.
    fn committed_around<'a>(&self, folder: &'a Path) -> Option<(&Committed, &'a Path)> {
        let is_repository = |above: &&Path| {
            self.repositories.contains_key(*above) || above.join(".git").symlink_metadata().is_ok()
        };
        let root = folder.ancestors().skip(1).find(is_repository)?;
        Some((self.repositories.get(root)?, folder.strip_prefix(root).ok()?))
    }
}

/// How far the clock of a file system may be behind, in milliseconds.
const SLACK_MS: u64 = 20;

/// The files in a folder with build output. Blocks while it lists them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Changed {
    /// How many of them changed since the task began.
    pub(super) files: u32,
    /// Whether anything changed since the command began.
    pub(super) by_command: bool,
}

impl Changed {
    /// Looks at the folder. Both times are in milliseconds since 1970.
    pub(super) fn of(folder: &Path, task_began_ms: u64, command_began_ms: u64) -> Self {
        let mut changed = Self::default();
        for (_, is_file, at_ms) in entries(folder) {
            changed.files += u32::from(is_file && at_ms + SLACK_MS >= task_began_ms);
            changed.by_command |= at_ms + SLACK_MS >= command_began_ms;
        }
        changed
    }
}

/// Returns something in a folder with build output that changed later than a time in milliseconds since 1970, except for
/// the paths in `but`. A folder counts too: files that are moved with their folder do not change themselves. Blocks while
/// it lists the folder.
pub(crate) fn changed_after(folder: &Path, time_ms: u64, but: &BTreeSet<PathBuf>) -> Option<PathBuf> {
    let mut later = entries(folder).filter(|(.., at_ms)| *at_ms > time_ms).map(|(path, ..)| path);
    later.find(|path| !but.contains(path))
}

/// Returns a file in a folder that is older than the folder itself, and has no other name: it was moved there, so it is
/// not build output. Blocks while it lists the folder.
pub(crate) fn moved_in(folder: &Path) -> Option<PathBuf> {
    // A file system that knows no such times answers with an error.
    let born =
        |path: &Path| path.symlink_metadata().and_then(|stat| Ok((stat.created()?, stat.nlink()))).ok();
    let (begun, _) = born(folder)?;
    let mut files = entries(folder).filter(|(_, is_file, _)| *is_file).map(|(path, ..)| path);
    files.find(|path| born(path).is_some_and(|(at, names)| at < begun && names == 1))
}

/// Returns everything in a folder: the path, whether it is no folder, and its change time in milliseconds since 1970.
/// Programs cannot set that time.
fn entries(folder: &Path) -> impl Iterator<Item = (PathBuf, bool, u64)> {
    let all = WalkBuilder::new(folder).standard_filters(false).follow_links(false).build();
    all.flatten().filter_map(|entry| {
        let stat = entry.path().symlink_metadata().ok()?;
        let at_ms = stat.ctime().saturating_mul(1_000).saturating_add(stat.ctime_nsec() / 1_000_000);
        Some((entry.into_path(), !stat.is_dir(), u64::try_from(at_ms).unwrap_or(0)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn names_are_read_from_the_file() {
        assert!(is_cache(Path::new("/w/src/__pycache__")) && is_cache(Path::new("node_modules")));
        assert!(!is_cache(Path::new("/w/src")) && !is_cache(Path::new("/")) && !is_cache(Path::new("build")));
        assert!(has_usual_name(Path::new("build")) && !has_usual_name(Path::new("src")));
    }

    fn output(ignore_files: &[(&str, &str)], files: &[&str]) -> BuildOutput {
        let mut committed = Committed::default();
        for (folder, content) in ignore_files {
            committed.ignore_files.insert(PathBuf::from(folder), (*content).to_owned());
        }
        files.iter().for_each(|file| committed.add(Path::new(file)));
        BuildOutput { since_ms: 0, repositories: [(PathBuf::from("/none/w"), committed)].into() }
    }

    #[test]
    fn a_folder_is_build_output_if_it_has_a_usual_name_and_was_ignored_and_held_no_committed_file() {
        let output = output(
            &[
                ("", "/target\nbuild/\n!docs/build/\nnotes/\nsecret/\n*.log\n[bad\n"),
                ("web", "node_modules\n/dist/\n"),
                ("web/kept", "!node_modules\n"),
            ],
            &["src/main.rs", "tools/build/run.sh", "web/app.ts"],
        );
        let is = |folder: &str| output.has(&Path::new("/none/w").join(folder));
        for folder in ["target", "build", "a/b/build", "web/node_modules", "web/dist", "web/x/node_modules"] {
            assert!(is(folder), "{folder}");
        }
        for folder in [
            "src",
            "notes",
            "sub/target",
            "docs/build",
            "tools/build",
            "node_modules",
            "web/x/dist",
            "web/kept/node_modules",
            "",
        ] {
            assert!(!is(folder), "{folder}");
        }
        assert!(is("notes/venv"), "ignored with the folder around it");
        assert!(!output.has(Path::new("/none/target")), "outside of the repository");
    }

    #[test]
    fn a_file_that_is_older_than_its_folder_was_moved_there() {
        let around = tempfile::tempdir().unwrap();
        let older = around.path().join("older");
        fs::write(&older, "x").unwrap();
        let folder = around.path().join("dist");
        let made = || fs::symlink_metadata(&folder).unwrap().created().unwrap();
        fs::create_dir(&folder).unwrap();
        while made() <= fs::symlink_metadata(&older).unwrap().created().unwrap() {
            fs::remove_dir(&folder).unwrap();
            fs::create_dir(&folder).unwrap();
        }
        fs::write(folder.join("made"), "x").unwrap();
        fs::hard_link(&older, folder.join("linked")).unwrap();
        assert_eq!(moved_in(&folder), None);
        fs::remove_file(folder.join("linked")).unwrap();
        fs::rename(&older, folder.join("moved")).unwrap();
        assert_eq!(moved_in(&folder), Some(folder.join("moved")));
    }

    #[test]
    fn only_files_that_changed_later_count() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("deps")).unwrap();
        fs::write(folder.path().join("deps/app"), "x").unwrap();
        let stat = fs::metadata(folder.path().join("deps/app")).unwrap();
        let at_ms = u64::try_from(stat.ctime() * 1_000 + stat.ctime_nsec() / 1_000_000).unwrap();
        let (earlier, later) = (at_ms - 1_000, at_ms + 1_000);
        let changed = |files, by_command| Changed { files, by_command };
        assert_eq!(Changed::of(folder.path(), earlier, earlier), changed(1, true));
        assert_eq!(Changed::of(folder.path(), earlier, later), changed(1, false));
        assert_eq!(Changed::of(folder.path(), later, later), changed(0, false));
        let after = |time_ms, but: &[&str]| {
            changed_after(folder.path(), time_ms, &but.iter().map(|path| folder.path().join(path)).collect())
        };
        assert!(after(earlier, &[]).is_some());
        assert_eq!(after(earlier, &["", "deps"]), Some(folder.path().join("deps/app")));
        assert_eq!(after(earlier, &["", "deps", "deps/app"]), None);
        assert_eq!(after(later, &[]), None);
    }
}
