//! Describes what a command at high risk could destroy, for its permission request: how many files it could delete or
//! change, how many of them are in no commit, and how many undo could not restore.
//!
//! The files are counted on the disk, before the command: those that it names, or all that it could change if it names
//! none. Nothing is concluded from the name of its program. The commits are known by git, which runs inside the sandbox,
//! because a repository can make git start other programs. If git gives no answer, that is said.

use crate::core::Core;
use crate::git::{Git, GitCall};
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_tools::tree::{AtStake, is_below, is_gits, outermost};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time that git has for a repository.
const PATIENCE: Duration = Duration::from_secs(10);
/// The maximum number of paths that git is asked about. With more it is asked about the whole repository.
const MOST_PATHS: usize = 200;

/// Whether files are in a commit as they are now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Commits {
    /// They are in no repository.
    NoRepository,
    /// Git gave no answer.
    Unknown,
    /// The number of files that are in no commit.
    Without(u64),
}

/// Describes what is at stake. `named` has the paths that the command names, and `folders` what it could change. `None` if
/// there is no file.
pub(super) async fn told(
    core: &Core,
    at_stake: &AtStake,
    named: &[PathBuf],
    folders: &[PathBuf],
) -> Option<Phrase> {
    let files = at_stake.files.len() as u64;
    if files == 0 {
        return None;
    }
    let count = match at_stake.and_more {
        true => say::at_least_files(files),
        false => say::all_files(files),
    };
    let stake = match commits(core, &at_stake.files, named, folders).await {
        Commits::NoRepository => say::could_delete(&count),
        Commits::Unknown => say::could_delete_commits_unknown(&count),
        Commits::Without(0) => say::could_delete_all_in_commits(&count, files),
        Commits::Without(without) => say::could_delete_in_no_commit(&count, files, without),
    };
    let undo = match (at_stake.not_kept, at_stake.and_more) {
        (0, false) => say::undo_restores_all(files),
        (0, true) => say::undo_restores_counted(files),
        (not_kept, _) if not_kept == files => say::undo_restores_none(files),
        (not_kept, _) => say::undo_does_not_restore(not_kept),
    };
    Some(deputy_messages::sentences([stake, undo]))
}

/// Asks git about files.
async fn commits(core: &Core, files: &[PathBuf], named: &[PathBuf], folders: &[PathBuf]) -> Commits {
    let tops = if named.is_empty() { folders } else { named };
    let mut repositories: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for top in outermost(tops) {
        // A repository that is deleted as a whole loses its commits, so only one above counts.
        let above = top.ancestors().skip(usize::from(!named.is_empty()));
        let repository = above.into_iter().find(|folder| folder.join(".git").symlink_metadata().is_ok());
        if let Some(repository) = repository {
            repositories.entry(repository.to_owned()).or_default().push(top);
        }
    }
    if repositories.is_empty() {
        return Commits::NoRepository;
    }
    let mut with = 0;
    for (repository, tops) in repositories {
        let Some(without) = ask_git(core, &repository, &tops).await else { return Commits::Unknown };
        let is_asked = |file: &&PathBuf| is_below(file, &tops) && !is_gits(file);
        with += files.iter().filter(is_asked).filter(|file| !without.holds(file)).count();
    }
    Commits::Without((files.len() - with) as u64)
}

/// The paths that are in no commit as they are now.
#[derive(Debug, Default, PartialEq, Eq)]
struct Uncommitted {
    /// Sorted.
    files: Vec<PathBuf>,
    /// Everything inside is in no commit. Sorted and outside each other.
    folders: Vec<PathBuf>,
}

impl Uncommitted {
    /// Reads the output of `git status --porcelain -z --no-renames`: a line ends with NUL and begins with two letters and
    /// a space, and a folder ends with a slash.
    fn read(repository: &Path, output: &[u8]) -> Self {
        let mut read = Self::default();
        for line in output.split(|byte| *byte == 0) {
            let Some(name) = line.get(3..) else { continue };
            let path = repository.join(OsStr::from_bytes(name));
            if name.ends_with(b"/") { read.folders.push(path) } else { read.files.push(path) }
        }
        read.files.sort();
        read.folders = outermost(&read.folders);
        read
    }

    fn holds(&self, file: &Path) -> bool {
        let found = self.files.binary_search_by(|known| known.as_path().cmp(file));
        found.is_ok() || is_below(file, &self.folders)
    }
}

/// Asks git for what is in no commit at or below some paths of a repository. It can read the repository, change nothing,
/// reach no network and start no other program. `None` if it gives no answer.
async fn ask_git(core: &Core, repository: &Path, tops: &[PathBuf]) -> Option<Uncommitted> {
    let arguments = [
        "--literal-pathspecs",
        "status",
        "--porcelain=v1",
        "-z",
        "--no-renames",
        "--untracked-files=all",
        "--ignored=matching",
        "--",
    ];
    let mut arguments: Vec<OsString> = arguments.map(OsString::from).into();
    if tops.len() <= MOST_PATHS {
        arguments.extend(tops.iter().map(|top| top.as_os_str().to_owned()));
    }
    let call = GitCall {
        arguments,
        cwd: repository.to_owned(),
        readable: vec![repository.to_owned()],
        patience: PATIENCE,
        ..GitCall::default()
    };
    let output = Git::find(core)?.run(call).await.ok()?.success().ok()?;
    Some(Uncommitted::read(repository, &output))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_of_git_is_read_by_path() {
        let output = b" M changed.txt\0?? a b\n.txt\0!! build/\0A  sub/new.txt\0\0";
        let read = Uncommitted::read(Path::new("/r"), output);
        for file in ["/r/changed.txt", "/r/a b\n.txt", "/r/build/x/y.o", "/r/sub/new.txt"] {
            assert!(read.holds(Path::new(file)), "{file:?}");
        }
        for file in ["/r/same.txt", "/r/builds/x", "/r/a b", "/r"] {
            assert!(!read.holds(Path::new(file)), "{file:?}");
        }
        assert_eq!(Uncommitted::read(Path::new("/r"), b""), Uncommitted::default());
    }
}
