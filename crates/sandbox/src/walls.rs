//! What the machine offers to confine a process with.
#![allow(unsafe_code)]

use crate::environment::{SYSTEM_PATH, resolve_program};
use crate::warden::listener;
use deputy_protocol::Confinement;
use std::ffi::c_long;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::ptr;
use std::sync::OnceLock;

/// The first Landlock version (Linux 6.12) that confines all it is needed for here: files with truncation and device
/// controls, abstract sockets, and signals to processes outside.
pub(crate) const LANDLOCK_ABI: u32 = 6;

/// What the machine offers to confine a process with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walls {
    /// Version of Landlock in the kernel; `None` where there is none or it is off.
    pub landlock_abi: Option<u32>,
    /// Whether the kernel filters system calls.
    pub seccomp: bool,
    /// Whether the kernel lets a supervisor answer system calls: then only the programs that were judged can
    /// start, and what a guard keeps is kept by path.
    pub notification: bool,
    /// A bubblewrap that was seen working.
    pub bubblewrap: Option<PathBuf>,
}

/// What this machine offers. Found out once (with a trial run of bubblewrap, some 15 ms), then remembered.
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
    /// Whether a confinement can be enforced here, as far as that can be known without the command. A command that
    /// hides or freezes something inside a granted folder may still need bubblewrap.
    pub fn can_confine(&self, confinement: Confinement) -> bool {
        confinement == Confinement::Open
            || (self.seccomp && (self.has_landlock() || self.bubblewrap.is_some()))
    }

    /// What is missing and what to do about it, a sentence each; empty where everything is there.
    pub fn describe(&self) -> Vec<String> {
        let mut missing = Vec::new();
        if !self.seccomp {
            missing.push("The kernel has no seccomp filters: no command can be confined, so every command asks. Run a kernel built with CONFIG_SECCOMP_FILTER.".into());
        }
        if !self.has_landlock() {
            let found = self.landlock_abi.map_or("none".into(), |abi| format!("version {abi}"));
            missing.push(format!("Landlock version {LANDLOCK_ABI} is needed, the kernel has {found}: confined commands start in bubblewrap, some 10 ms slower. Run Linux 6.12 or newer with `landlock` among its `lsm=` modules."));
        }
        if !self.notification {
            missing.push("The kernel has no seccomp user notification that Deputy can use: what keeps commands that run unasked from starting other programs is Landlock alone, or nothing where that is missing too; in approved commands mounts cover secrets and git's settings, and such a cover is gone once another program saves the file by rename. Run Linux 5.19 or newer, outside of containers that supervise system calls themselves.".into());
        }
        if self.bubblewrap.is_none() {
            if self.notification && self.has_landlock() {
                missing.push(format!("No working bubblewrap in {SYSTEM_PATH}: approved commands run by Landlock and the supervisor of their calls; they have no processes, `/proc` and `/tmp` of their own, and cannot set attributes of files beside modes and times. Install the package `bubblewrap`, and allow unprivileged user namespaces; on Ubuntu 24.04 and newer the package of Deputy brings an AppArmor profile that does, and without the package `scripts/deb/apparmor` goes to `/etc/apparmor.d/deputy`, loaded by `apparmor_parser -r`."));
            } else {
                missing.push(format!("No working bubblewrap in {SYSTEM_PATH}: commands that may change a folder run only where nothing in it must stay hidden or frozen, and cannot change file modes. Install the package `bubblewrap`, and allow unprivileged user namespaces; on Ubuntu 24.04 and newer the package of Deputy brings an AppArmor profile that does, and without the package `scripts/deb/apparmor` goes to `/etc/apparmor.d/deputy`, loaded by `apparmor_parser -r`."));
            }
        }
        if !self.can_confine(Confinement::ReadOnly) {
            missing.push(
                "Commands cannot be confined on this machine: none runs without being asked for.".into(),
            );
        }
        missing
    }

    pub(crate) fn has_landlock(&self) -> bool {
        self.landlock_abi.is_some_and(|abi| abi >= LANDLOCK_ABI)
    }
}

fn landlock_abi() -> Option<u32> {
    const VERSION: c_long = 1;
    // SAFETY: asking for the version passes no memory.
    let abi =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, ptr::null::<u8>(), 0 as c_long, VERSION) };
    u32::try_from(abi).ok().filter(|abi| *abi > 0)
}

fn has_seccomp() -> bool {
    let action: u32 = libc::SECCOMP_RET_ERRNO;
    // SAFETY: the kernel reads one number.
    unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) == 0 }
}

/// Whether bubblewrap can make its namespaces: some systems forbid that to ordinary users.
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
