//! Detects which confinement mechanisms the machine supports.
#![allow(unsafe_code)]

use crate::environment::{SYSTEM_PATH, resolve_program};
use crate::warden::listener;
use deputy_messages::sandbox as say;
use deputy_protocol::{Confinement, Phrase};
use std::ffi::c_long;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::ptr;
use std::sync::OnceLock;

/// The first Landlock version (Linux 6.12) with everything that is needed: files with truncation and device controls,
/// abstract sockets, and signals to processes outside.
pub(crate) const LANDLOCK_ABI: u32 = 6;

/// The confinement mechanisms of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walls {
    /// The Landlock version of the kernel. `None` if Landlock is missing or disabled.
    pub landlock_abi: Option<u32>,
    /// Whether the kernel filters system calls.
    pub seccomp: bool,
    /// Whether the kernel lets a supervisor answer system calls. It is required for allowing only approved programs to
    /// start, and for guarding paths.
    pub notification: bool,
    /// A bubblewrap that works.
    pub bubblewrap: Option<PathBuf>,
}

/// Returns the mechanisms of this machine. They are detected once and cached. Detection includes a trial run of
/// bubblewrap, which takes about 15 ms.
pub fn walls() -> &'static Walls {
    static WALLS: OnceLock<Walls> = OnceLock::new();
    WALLS.get_or_init(|| Walls {
        landlock_abi: landlock_abi(),
        seccomp: has_seccomp(),
        notification: listener::is_available(),
        bubblewrap: resolve_program("bwrap").filter(|path| bubblewrap_works(path)),
    })
}

impl Walls {
    /// Returns whether a confinement can be enforced here, as far as that is known without the command. A command that
    /// hides or freezes something inside a granted folder may still need bubblewrap.
    pub fn can_confine(&self, confinement: Confinement) -> bool {
        confinement == Confinement::Open
            || (self.seccomp && (self.has_landlock() || self.bubblewrap.is_some()))
    }

    /// Returns whether a guard can decide by path what a command reads and changes.
    pub fn has_guard(&self) -> bool {
        self.notification && self.can_confine(Confinement::Workspace)
    }

    /// Describes what is missing and how to fix it, one sentence each. Empty if everything is available.
    pub fn describe(&self) -> Vec<Phrase> {
        let mut missing = Vec::new();
        if !self.seccomp {
            missing.push(say::no_seccomp_asks());
        }
        match self.landlock_abi {
            None => missing.push(say::no_landlock_slower(LANDLOCK_ABI)),
            Some(found) if found < LANDLOCK_ABI => {
                missing.push(say::old_landlock_slower(found, LANDLOCK_ABI));
            }
            Some(_) => {}
        }
        if !self.notification {
            missing.push(say::no_notification());
        }
        if self.bubblewrap.is_none() {
            missing.push(match self.notification && self.has_landlock() {
                true => say::no_bubblewrap_carried(SYSTEM_PATH),
                false => say::no_bubblewrap(SYSTEM_PATH),
            });
        }
        if !self.can_confine(Confinement::ReadOnly) {
            missing.push(say::cannot_confine_here());
        }
        missing
    }

    /// Returns a note for people about restrictions on approved commands that this machine enforces less strictly than
    /// others.
    pub fn weaker(&self, confinement: Confinement) -> Option<Phrase> {
        let may_write = matches!(confinement, Confinement::Workspace | Confinement::WorkspaceNet);
        // Covers protect only existing files. Files that make git run programs mostly do not exist yet.
        (may_write && !self.notification && self.bubblewrap.is_some()).then(say::weaker_guard)
    }

    pub(crate) fn has_landlock(&self) -> bool {
        self.landlock_abi.is_some_and(|abi| abi >= LANDLOCK_ABI)
    }
}

fn landlock_abi() -> Option<u32> {
    const VERSION: c_long = 1;
    // SAFETY: querying the version passes no memory.
    let abi =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, ptr::null::<u8>(), 0 as c_long, VERSION) };
    u32::try_from(abi).ok().filter(|abi| *abi > 0)
}

fn has_seccomp() -> bool {
    let action: u32 = libc::SECCOMP_RET_ERRNO;
    // SAFETY: the kernel reads one number.
    unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) == 0 }
}

/// Returns whether bubblewrap can create its namespaces. Some systems do not allow ordinary users to do so.
fn bubblewrap_works(path: &Path) -> bool {
    let mut trial = Command::new(path);
    trial.args([
        "--unshare-all",
        "--die-with-parent",
        "--ro-bind",
        "/",
        "/",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "/bin/true",
    ]);
    trial.env_clear().stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    trial.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Walls = Walls { landlock_abi: None, seccomp: false, notification: false, bubblewrap: None };

    #[test]
    fn what_can_be_confined_by_what() {
        let bubblewrap = Some(PathBuf::from("/usr/bin/bwrap"));
        let cases = [
            (NONE, false),
            (Walls { seccomp: true, ..NONE }, false),
            (Walls { landlock_abi: Some(LANDLOCK_ABI), ..NONE }, false),
            (Walls { bubblewrap: bubblewrap.clone(), ..NONE }, false),
            (Walls { landlock_abi: Some(LANDLOCK_ABI - 1), seccomp: true, ..NONE }, false),
            (Walls { landlock_abi: Some(LANDLOCK_ABI), seccomp: true, ..NONE }, true),
            (Walls { seccomp: true, bubblewrap, ..NONE }, true),
        ];
        for (walls, can) in cases {
            assert_eq!(walls.can_confine(Confinement::ReadOnly), can, "{walls:?}");
            assert!(walls.can_confine(Confinement::Open));
            assert!(!walls.describe().is_empty(), "{walls:?} lacks something");
        }
    }

    #[test]
    fn a_request_says_where_the_guard_is_weaker() {
        let mut walls = Walls { seccomp: true, bubblewrap: Some("/usr/bin/bwrap".into()), ..NONE };
        let asked =
            [Confinement::ReadOnly, Confinement::Workspace, Confinement::WorkspaceNet, Confinement::Open];
        assert_eq!(asked.map(|level| walls.weaker(level).is_some()), [false, true, true, false]);
        walls.notification = true;
        assert!(asked.iter().all(|level| walls.weaker(*level).is_none()));
    }

    #[test]
    fn a_machine_that_has_everything_lacks_nothing() {
        let all = Walls {
            landlock_abi: Some(LANDLOCK_ABI + 3),
            seccomp: true,
            notification: true,
            bubblewrap: Some("/usr/bin/bwrap".into()),
        };
        assert!(all.describe().is_empty());
    }
}
