//! Checks that no other user can write to Deputy's home or to a folder above it. A user who can write there controls
//! the rules, the settings and the backends that this user's tasks use.

use deputy_messages::agent as say;
use deputy_protocol::Phrase;
use std::fs::Metadata;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The entries of the home that determine what runs, and how.
const DECIDING: [&str; 4] = ["config.toml", "rules.toml", "backends", "profiles"];
/// The maximum number of entries checked in each of those folders.
const MOST_ENTRIES: usize = 1_000;
/// The permission bits for writing by the group, and by others.
const GROUP_WRITES: u32 = 0o020;
const OTHERS_WRITE: u32 = 0o002;
/// The sticky bit: in such a folder users cannot remove or rename the files of other users.
const STICKY: u32 = 0o1000;

/// The reason why a home is not used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsafe {
    /// It is owned by another user.
    Foreign {
        /// The path.
        path: PathBuf,
        /// The user id of its owner.
        owner: u32,
    },
    /// Other users can write to it.
    Writable {
        /// The path.
        path: PathBuf,
        /// Whether it is meant to be shared, as `/tmp` is.
        shared: bool,
    },
}

impl Unsafe {
    /// Returns the message that says how to fix it.
    pub fn mend(&self) -> Phrase {
        match self {
            Self::Foreign { .. } => say::use_folder_of_your_own(),
            Self::Writable { path, shared: true } => say::home_is_shared(path.display()),
            Self::Writable { path, shared: false } => say::take_permission_away(path.display()),
        }
    }

    /// Returns the message for this error.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Foreign { path, owner } => say::home_belongs_to_another(owner, path.display()),
            Self::Writable { path, .. } => say::home_writable_by_others(path.display()),
        }
    }
}

deputy_messages::said_by_phrase!(Unsafe);

/// The user who runs the check.
struct User {
    uid: u32,
    gid: u32,
    /// The id under which users outside of this namespace appear. Their files cannot be attributed.
    unmapped: Option<u32>,
}

/// Checks a home, the entries in it that determine what runs, and the folders above it. Paths that do not exist yet are
/// fine.
///
/// # Errors
/// The first path that another user could change.
pub fn check(home: &Path) -> Result<(), Unsafe> {
    let user = User {
        uid: rustix::process::geteuid().as_raw(),
        gid: rustix::process::getegid().as_raw(),
        unmapped: unmapped(),
    };
    // Both the folders in the path, and those that the path resolves to if one of them is a link.
    let real = home.ancestors().find_map(|above| std::fs::canonicalize(above).ok());
    let own = std::fs::canonicalize(home).ok();
    for start in [Some(home), real.as_deref()].into_iter().flatten() {
        for above in start.ancestors() {
            user.may_trust(above, above == home || Some(above) == own.as_deref())?;
        }
    }
    for name in DECIDING {
        let path = home.join(name);
        user.may_trust(&path, true)?;
        let entries = std::fs::read_dir(&path).into_iter().flatten().flatten().take(MOST_ENTRIES);
        for entry in entries {
            user.may_trust(&entry.path(), true)?;
        }
    }
    Ok(())
}

impl User {
    /// Returns an error if another user can change the path. `is_own` is stricter: then the sticky bit does not make a
    /// folder safe.
    fn may_trust(&self, path: &Path, is_own: bool) -> Result<(), Unsafe> {
        let stat = match std::fs::metadata(path) {
            Ok(stat) => stat,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            // What this user cannot read, it cannot use either; that error is reported when it is used.
            Err(_) => return Ok(()),
        };
        let is_known = stat.uid() == self.uid || stat.uid() == 0 || Some(stat.uid()) == self.unmapped;
        if !is_known {
            return Err(Unsafe::Foreign { path: path.to_owned(), owner: stat.uid() });
        }
        let shared = stat.is_dir() && stat.mode() & STICKY != 0;
        if self.others_write(&stat) && (is_own || !shared) {
            return Err(Unsafe::Writable { path: path.to_owned(), shared });
        }
        Ok(())
    }

    /// Returns whether other users can write. Many systems give each user a private group with write permission, which
    /// no other user belongs to.
    fn others_write(&self, stat: &Metadata) -> bool {
        let own_group = stat.gid() == self.gid || Some(stat.gid()) == self.unmapped;
        stat.mode() & OTHERS_WRITE != 0 || (stat.mode() & GROUP_WRITES != 0 && !own_group)
    }
}

/// Returns the user id under which unmapped users appear. `None` if every user is mapped.
fn unmapped() -> Option<u32> {
    let map = std::fs::read_to_string("/proc/self/uid_map").ok()?;
    let is_whole = map.split_whitespace().eq(["0", "0", "4294967295"]);
    if is_whole {
        return None;
    }
    std::fs::read_to_string("/proc/sys/kernel/overflowuid").ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn set(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    /// Creates a home with all entries that are checked, in a folder that its owner controls.
    fn home() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap().join("above/home");
        fs::create_dir_all(home.join("backends")).unwrap();
        for name in ["config.toml", "rules.toml", "backends/mine.py"] {
            fs::write(home.join(name), "").unwrap();
            set(&home.join(name), 0o644);
        }
        for folder in ["", "..", "backends"] {
            set(&home.join(folder), 0o755);
        }
        (folder, home)
    }

    #[test]
    fn what_others_can_write_is_named_with_how_to_mend_it() {
        for (below, mode) in [
            ("", 0o777),
            ("", 0o1777),
            ("..", 0o757),
            ("config.toml", 0o666),
            ("rules.toml", 0o646),
            ("backends", 0o777),
            ("backends/mine.py", 0o666),
        ] {
            let (_folder, home) = home();
            assert_eq!(check(&home), Ok(()));
            let path = home.join(below).canonicalize().unwrap();
            set(&path, mode);
            let found = check(&home).unwrap_err();
            let shared = mode & STICKY != 0;
            assert_eq!(found, Unsafe::Writable { path: path.clone(), shared }, "{below}");
            // The advice never suggests removing the permissions that `/tmp` needs.
            assert_ne!(found.mend().ends_with(&format!("chmod go-w '{}'", path.display())), shared);
            set(&path, mode & !0o022);
            assert_eq!(check(&home), Ok(()), "{below}");
        }
    }

    #[test]
    fn a_folder_that_is_not_there_yet_and_one_below_tmp_are_fine() {
        let (folder, home) = home();
        assert_eq!(check(&home.join("not/yet")), Ok(()));
        set(folder.path(), 0o1777);
        assert_eq!(check(&home), Ok(()), "as /tmp: nobody else can rename what is in it");
        assert_eq!(check(&folder.path().join("new")), Ok(()), "one that is made there is its owner's");
        assert_eq!(check(folder.path()).unwrap_err().mend().split(" can ").next(), Some("Anyone"));
        set(folder.path(), 0o777);
        assert!(check(&home.join("not/yet")).is_err());
    }

    #[test]
    fn a_link_is_followed_to_what_it_leads_to() {
        let (folder, home) = home();
        let link = folder.path().join("link");
        symlink(&home, &link).unwrap();
        assert_eq!(check(&link), Ok(()));
        set(home.parent().unwrap(), 0o777);
        assert!(check(&link).is_err());
        set(home.parent().unwrap(), 0o755);
        fs::remove_file(home.join("rules.toml")).unwrap();
        let open = folder.path().join("open.toml");
        fs::write(&open, "").unwrap();
        set(&open, 0o666);
        symlink(&open, home.join("rules.toml")).unwrap();
        assert!(check(&home).is_err());
    }

    /// Only root can change the owner of a folder.
    #[test]
    fn another_users_is_refused() {
        let (_folder, home) = home();
        if rustix::process::geteuid().is_root() {
            std::os::unix::fs::chown(home.join("rules.toml"), Some(4_711), None).unwrap();
            assert_eq!(check(&home), Err(Unsafe::Foreign { path: home.join("rules.toml"), owner: 4_711 }));
        }
    }
}
