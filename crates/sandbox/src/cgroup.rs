//! A process limit for root that the kernel enforces: a control group for each command, if possible.
//!
//! `RLIMIT_NPROC` applies to every user except root. If Deputy runs as root, usually in a container, it can often
//! create control groups, and `pids.max` applies to every member of a group. If it cannot, nothing fails: `run` counts
//! the processes instead, but it may react late on a machine under heavy load.

use crate::launch::above_stdio;
use std::fs::{self, OpenOptions};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The control group of a command. It is removed when this is dropped, at which point it must have no members.
#[derive(Debug)]
pub(crate) struct Group {
    folder: PathBuf,
    /// The descriptor of the member list. A process that writes `0` to it moves into the group, together with
    /// everything that it starts.
    pub(crate) members: OwnedFd,
}

/// The number of bubblewrap processes between the keeper and the program.
const WRAPPERS: u64 = 2;

impl Group {
    /// Creates a group for this number of processes and threads. `None` for ordinary users, who need no group, and if
    /// no group can be created.
    pub(crate) fn new(most: u64) -> Option<Self> {
        static PLACE: OnceLock<Option<PathBuf>> = OnceLock::new();
        if !rustix::process::geteuid().is_root() {
            return None;
        }
        let place = PLACE.get_or_init(|| {
            let place = places().into_iter().find(|place| Self::within(place, most).is_ok())?;
            remove_abandoned(&place);
            Some(place)
        });
        Self::within(place.as_ref()?, most).ok()
    }

    fn within(place: &Path, most: u64) -> io::Result<Self> {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let name = format!("{PREFIX}{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let folder = place.join(name);
        fs::create_dir(&folder)?;
        let members = fs::write(folder.join("pids.max"), most.saturating_add(WRAPPERS).to_string())
            .and_then(|()| OpenOptions::new().write(true).open(folder.join("cgroup.procs")))
            .and_then(|file| above_stdio(file.into()));
        match members {
            Ok(members) => Ok(Self { folder, members }),
            Err(error) => {
                let _ = fs::remove_dir(&folder);
                Err(error)
            }
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // If a process hangs in the kernel, the group remains and is removed by the next Deputy.
        let _ = fs::remove_dir(&self.folder);
    }
}

const PREFIX: &str = "deputy-";

/// Returns where this process's own group may be, for both versions of control groups. In a container, the path is
/// often the one outside, and the group itself is the root of the file system.
fn places() -> Vec<PathBuf> {
    let lines = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let mut places = Vec::new();
    for line in lines.lines() {
        // The format is `number:controllers:path`.
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        let root = match controllers {
            "" => "/sys/fs/cgroup",
            some if some.split(',').any(|name| name == "pids") => "/sys/fs/cgroup/pids",
            _ => continue,
        };
        // Never use a sibling, where the limits of this process would not apply to its commands.
        let own = Path::new(root).join(path.trim_start_matches('/'));
        places.push(if own.is_dir() { own } else { root.into() });
    }
    places
}

/// Removes the groups left by Deputy processes that were killed.
fn remove_abandoned(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner =
            name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('-').next()?.parse::<u32>().ok());
        if owner.is_some_and(|pid| !Path::new("/proc").join(pid.to_string()).exists()) {
            // A group with members cannot be removed.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::process::Command;

    /// Joins the group and prints how many children it could create.
    const FORKS: &str = "
import os, signal, sys
open(sys.argv[1], 'w').write('0')
children = []
try:
    while len(children) < 100:
        child = os.fork()
        if child == 0: signal.pause()
        children.append(child)
except OSError: pass
for child in children: os.kill(child, signal.SIGKILL), os.waitpid(child, 0)
print(len(children))";

    #[test]
    fn a_group_binds_whoever_moves_in_and_goes_with_its_owner() {
        let Some(group) = Group::new(3) else {
            let is_root = rustix::process::geteuid().is_root();
            assert!(!is_root || places().iter().all(|place| Group::within(place, 3).is_err()));
            return;
        };
        let folder = group.folder.clone();
        let said =
            Command::new("python3").args(["-c", FORKS]).arg(folder.join("cgroup.procs")).output().unwrap();
        // The script itself is one of the five processes.
        assert_eq!(String::from_utf8_lossy(&said.stdout), "4\n", "{}", String::from_utf8_lossy(&said.stderr));
        drop(group);
        assert!(!folder.exists());
    }

    #[test]
    fn what_a_killed_deputy_left_is_removed_and_nothing_else() {
        let place = std::env::temp_dir().join(format!("groups-{}", std::process::id()));
        let gone = {
            let mut child = Command::new("true").spawn().unwrap();
            child.wait().unwrap();
            child.id()
        };
        let abandoned = place.join(format!("deputy-{gone}-0"));
        let mine = place.join(format!("deputy-{}-0", std::process::id()));
        let foreign = place.join("system.slice");
        for folder in [&abandoned, &mine, &foreign] {
            fs::create_dir_all(folder).unwrap();
        }
        write!(fs::File::create(foreign.join("file")).unwrap(), "x").unwrap();
        remove_abandoned(&place);
        assert!(!abandoned.exists() && mine.exists() && foreign.exists());
        fs::remove_dir_all(&place).unwrap();
    }
}
