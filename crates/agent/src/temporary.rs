//! The folders for temporary files of the tasks: `tmp/TASK` in Deputy's home. The commands of a task see it as `/tmp`,
//! and Deputy's tools resolve `/tmp` to it. It is kept through restarts, until the task ends.

use deputy_protocol::TaskId;
use std::collections::HashSet;
use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

fn all(home: &Path) -> PathBuf {
    home.join("tmp")
}

/// Returns the real path of a task's folder, if the folder exists.
pub(crate) fn folder(home: &Path, task: &TaskId) -> Option<PathBuf> {
    all(home).join(task.as_str()).canonicalize().ok()
}

/// Creates the folder of a task before its first call, or prepares the one from before a restart. Without a folder, the
/// task's commands cannot write temporary files that last.
pub(crate) fn prepare(home: &Path, task: &TaskId) {
    let folder = all(home).join(task.as_str());
    if let Err(error) = deputy_sandbox::lasting_scratch(&folder) {
        tracing::warn!(path = %folder.display(), %error, "a folder for temporary files could not be made");
    }
}

/// Returns the folders that exist.
pub(crate) fn folders(home: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(all(home)).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// Returns the folders of tasks that ended without removing them. The folders must have been listed before the
/// unfinished tasks: a task may start in between.
pub(crate) fn of_ended(mut folders: Vec<PathBuf>, unfinished: &HashSet<TaskId>) -> Vec<PathBuf> {
    let is_needed = |name: &str| unfinished.contains(&TaskId::new(name));
    folders.retain(|folder| !folder.file_name().and_then(|name| name.to_str()).is_some_and(is_needed));
    folders
}

/// Removes the folder of a task that has ended.
pub(crate) fn remove(folder: &Path) {
    let removed = std::fs::remove_dir_all(folder).or_else(|_| {
        // Some tools, such as Go, make folders that even their owner cannot change.
        open_up(folder)?;
        std::fs::remove_dir_all(folder)
    });
    if let Err(error) = removed
        && error.kind() != io::ErrorKind::NotFound
    {
        tracing::warn!(path = %folder.display(), %error, "a folder for temporary files could not be removed");
    }
}

/// Makes every folder below a folder writable to its owner. Follows no links. Nothing else uses the folder any more.
fn open_up(folder: &Path) -> io::Result<()> {
    if !folder.symlink_metadata()?.is_dir() {
        return Ok(());
    }
    std::fs::set_permissions(folder, Permissions::from_mode(0o700))?;
    std::fs::read_dir(folder)?.try_for_each(|entry| open_up(&entry?.path()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_last_until_their_task_ends() {
        let home = tempfile::tempdir().unwrap();
        let [ended, running] = ["t1", "t2"].map(TaskId::new);
        for task in [&ended, &running] {
            assert_eq!(folder(home.path(), task), None);
            prepare(home.path(), task);
            let made = folder(home.path(), task).unwrap();
            assert_eq!(made.metadata().unwrap().permissions().mode() & 0o777, 0o700);
            std::fs::create_dir_all(made.join("go/pkg")).unwrap();
            std::fs::write(made.join("go/pkg/a"), "x").unwrap();
            std::os::unix::fs::symlink("/", made.join("go/link")).unwrap();
            std::fs::set_permissions(made.join("go/pkg"), Permissions::from_mode(0o500)).unwrap();
        }
        let unfinished = HashSet::from([running.clone()]);
        of_ended(folders(home.path()), &unfinished).iter().for_each(|folder| remove(folder));
        assert_eq!(folder(home.path(), &ended), None);
        prepare(home.path(), &running);
        assert!(folder(home.path(), &running).unwrap().join("go/pkg/a").exists(), "kept through a restart");
        let made = folder(home.path(), &running).unwrap();
        remove(&made);
        assert_eq!(folder(home.path(), &running), None);
        remove(&made);
    }
}
