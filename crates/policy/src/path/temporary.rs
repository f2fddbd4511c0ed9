//! Temporary files. Each task has a folder of its own for them, which its commands see as `/tmp` and `/var/tmp`. A path
//! below these leads into that folder, for commands and tools alike.
//!
//! A name directly below `/tmp` that another program made there, and the task did not, stays what it is: reading it is
//! asked about like any path outside the workspace, and it is lent to the command.

use std::ffi::OsStr;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

/// The folders in which every program of a machine keeps temporary files.
const SHARED: [&str; 2] = ["/tmp", "/var/tmp"];

/// Returns where an absolute path below `/tmp` leads in a task with this folder for temporary files. `None` if the path
/// means what it says. `..` and links are not resolved.
pub fn temporary(folder: &Path, path: &Path) -> Option<PathBuf> {
    let (shared, below) =
        SHARED.iter().find_map(|shared| Some((Path::new(shared), path.strip_prefix(shared).ok()?)))?;
    match below.components().next() {
        Some(Component::Normal(name)) => leads_in(folder, shared, Some(name)).then(|| folder.join(below)),
        None => Some(folder.to_owned()),
        Some(_) => None,
    }
}

/// Returns the path by which a task's commands know a path in the task's folder for temporary files.
pub fn shown_as_temporary(folder: &Path, real: &Path) -> Option<PathBuf> {
    real.strip_prefix(folder).ok().map(|below| Path::new(SHARED[0]).join(below).components().collect())
}

/// Whether `name` in one of the shared folders is one of the task's own. `None` is the shared folder itself.
pub(super) fn leads_in(folder: &Path, shared: &Path, name: Option<&OsStr>) -> bool {
    let Some(name) = name.filter(|name| *name != "..") else { return true };
    is_own(&folder.join(name)) || shared.join(name).symlink_metadata().is_err()
}

/// Whether a path is one of the shared folders.
pub(super) fn is_shared(path: &Path) -> bool {
    SHARED.iter().any(|shared| path == Path::new(shared))
}

/// Whether the task made this. The sandbox marks the mount points of what is lent to a command with the sticky bit.
fn is_own(path: &Path) -> bool {
    const STICKY: u32 = 0o1000;
    path.symlink_metadata().is_ok_and(|found| found.is_symlink() || found.mode() & STICKY == 0)
}

#[cfg(test)]
mod tests {
    use super::super::{Operation, judge, secrets};
    use super::*;
    use crate::Situation;
    use deputy_protocol::Decision;

    #[test]
    fn paths_below_tmp_lead_into_the_folder_unless_they_are_another_programs() {
        let theirs = tempfile::tempdir_in("/tmp").unwrap();
        let folder = tempfile::tempdir_in("/var/tmp").unwrap();
        let leads = |path: &Path| temporary(folder.path(), path);
        let new = folder.path().file_name().unwrap();
        let below_tmp = |name: &OsStr| Path::new("/tmp").join(name);
        assert_eq!(leads(Path::new("/tmp")), Some(folder.path().to_owned()));
        assert_eq!(leads(&below_tmp(new).join("a/b")), Some(folder.path().join(new).join("a/b")));
        assert_eq!(leads(theirs.path()), None);
        for other in ["/tmp/..", "/tmpx", "/etc", "/var"] {
            assert_eq!(leads(Path::new(other)), None, "{other}");
        }

        let name = theirs.path().file_name().unwrap();
        std::fs::create_dir(folder.path().join(name)).unwrap();
        assert_eq!(leads(theirs.path()), Some(folder.path().join(name)), "the task has its own");
        let point = std::os::unix::fs::PermissionsExt::from_mode(0o1700);
        std::fs::set_permissions(folder.path().join(name), point).unwrap();
        assert_eq!(leads(theirs.path()), None, "a mount point");
        assert_eq!(shown_as_temporary(folder.path(), &folder.path().join("a")), Some("/tmp/a".into()));
        assert_eq!(shown_as_temporary(folder.path(), folder.path()), Some("/tmp".into()));
        assert_eq!(shown_as_temporary(folder.path(), Path::new("/etc")), None);
    }

    #[test]
    fn the_rest_of_deputys_own_folder_stays_closed_and_hidden() {
        let home = tempfile::tempdir_in("/var/tmp").unwrap();
        let [own, workspace] = ["deputy", "work"].map(|name| home.path().join(name));
        let [folder, others] = ["tmp/t1", "tmp/t2"].map(|name| own.join(name));
        for made in [&workspace, &folder, &others] {
            std::fs::create_dir_all(made).unwrap();
        }
        for workspace in [home.path(), &workspace] {
            let temporary = Some(folder.clone());
            let situation = Situation { temporary, ..Situation::new(home.path(), workspace, &own) };
            assert!(secrets(&situation).contains(&own), "{}", workspace.display());
            let decided = |operation, path: &Path| {
                let part = judge(&situation, operation, path.to_str().unwrap());
                (part.decision, part.text)
            };
            for operation in [Operation::Write, Operation::Delete, Operation::Read] {
                let allowed = (Decision::Allow, "/tmp/a".to_owned());
                assert_eq!(decided(operation, &folder.join("a")), allowed, "by its real path");
                assert_eq!(decided(operation, Path::new("/tmp/a")), allowed);
                for closed in [own.join("deputy.db"), others.join("a"), folder.join("../t2/a")] {
                    assert_eq!(decided(operation, &closed).0, Decision::Deny, "{}", closed.display());
                }
            }
            assert_eq!(decided(Operation::Delete, Path::new("/tmp")).0, Decision::Deny);
            assert_eq!(decided(Operation::Read, Path::new("/tmp/../etc/shadow")).0, Decision::Deny);
        }
    }
}
