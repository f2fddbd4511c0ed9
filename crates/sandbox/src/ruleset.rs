//! Landlock: the rule set that lets a process open only what its view shows.
//!
//! Landlock grants whole folders and cannot exclude anything inside them. To hide a file inside a readable folder, its
//! siblings are granted individually. A folder cannot be hidden that way, because the right to list a folder applies to
//! everything below it. Nothing inside a writable folder can be hidden either. These cases require bubblewrap.

use crate::view::{SYSTEM_FACTS, SYSTEM_FOLDERS, View, is_inside, private_settings};
use crate::warden::programs::Programs;
use deputy_messages::sandbox as say;
use deputy_protocol::Phrase;
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Why a rule set could not be created.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RulesetFailure {
    /// Landlock cannot express it.
    Inexpressible { path: PathBuf },
    /// The kernel rejected it.
    Kernel {
        #[from]
        source: RulesetError,
    },
    /// A granted path could not be opened.
    Path { path: PathBuf, source: io::Error },
}

impl RulesetFailure {
    /// Returns the message for people.
    pub(crate) fn phrase(&self) -> Phrase {
        match self {
            Self::Inexpressible { path } => say::landlock_cannot_hide(path.display()),
            Self::Kernel { source } => say::no_ruleset(source),
            Self::Path { path, source } => say::rule_not_opened(path.display(), source),
        }
    }
}

deputy_messages::said_by_phrase!(RulesetFailure);

/// Returns the rule set for a view. It is cached as long as the folders do not change.
pub(crate) fn ruleset(view: &View, network: bool) -> Result<Arc<OwnedFd>, RulesetFailure> {
    let key = Key { view: view.clone(), network, private: private_settings(), is_lent: false };
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let entry = match taken(&mut kept, &key) {
        Some(entry) => entry,
        None => Entry::new(key)?,
    };
    let ruleset = Arc::clone(&entry.ruleset);
    keep(&mut kept, entry);
    Ok(ruleset)
}

/// A rule set for a single command, which grants a private folder in addition to the view.
///
/// A rule set has about a hundred rules, which cannot be removed, but rules for a deleted folder grant nothing.
/// Therefore a rule set is lent to a command. It is reused for the next command if the folder is known to be deleted
/// when the loan ends.
pub(crate) struct Lent {
    pub(crate) ruleset: Arc<OwnedFd>,
    entry: Option<Entry>,
    own: OwnedFd,
}

/// Lends the rule set for a view and an additional folder. The folder must outlive the command, but not the loan.
pub(crate) fn lend(view: &View, network: bool, own: &Path) -> Result<Lent, RulesetFailure> {
    let key = Key { view: view.clone(), network, private: private_settings(), is_lent: true };
    let taken = taken(&mut KEPT.lock().unwrap_or_else(PoisonError::into_inner), &key);
    let mut entry = match taken {
        Some(entry) => entry,
        None => Entry::new(key)?,
    };
    let failed = |source| RulesetFailure::Path { path: own.into(), source };
    let path = PathFd::new(own).map_err(|error| failed(io::Error::other(error)))?;
    let kept = path.as_fd().try_clone_to_owned().map_err(failed)?;
    entry.created.try_clone().map_err(failed)?.add_rule(PathBeneath::new(path, writing()))?;
    entry.loans += 1;
    Ok(Lent { ruleset: Arc::clone(&entry.ruleset), entry: Some(entry), own: kept })
}

impl Drop for Lent {
    fn drop(&mut self) {
        // A folder without links cannot be opened by anybody or get a new link, even if it had been moved.
        let is_gone = rustix::fs::fstat(&self.own).is_ok_and(|stat| stat.st_nlink == 0);
        if let Some(entry) = self.entry.take().filter(|entry| is_gone && entry.loans < MOST_LOANS) {
            keep(&mut KEPT.lock().unwrap_or_else(PoisonError::into_inner), entry);
        }
    }
}

/// The cached entries, least recently used first.
static KEPT: Mutex<Vec<Entry>> = Mutex::new(Vec::new());
const KEPT_AT_MOST: usize = 8;
/// The maximum number of loans of a rule set. The kernel keeps data about each granted folder as long as the rule set
/// exists.
const MOST_LOANS: usize = 256;

/// Removes the entry of a key from the cache and returns it, unless something that it depends on has changed.
fn taken(kept: &mut Vec<Entry>, key: &Key) -> Option<Entry> {
    let entry = kept.remove(kept.iter().position(|entry| entry.key == *key)?);
    entry.stamps.iter().all(Stamp::is_current).then_some(entry)
}

fn keep(kept: &mut Vec<Entry>, entry: Entry) {
    if kept.len() == KEPT_AT_MOST {
        kept.remove(0);
    }
    kept.push(entry);
}

struct Entry {
    key: Key,
    stamps: Vec<Stamp>,
    created: RulesetCreated,
    /// A copy of the rule set for children.
    ruleset: Arc<OwnedFd>,
    /// The number of private folders that were granted in addition to the view.
    loans: usize,
}

impl Entry {
    fn new(key: Key) -> Result<Self, RulesetFailure> {
        let grants = Grants::collect(&key)?;
        let created = create(&grants.rules, key.network)?;
        let missing = |source| RulesetFailure::Path { path: PathBuf::new(), source };
        let made: Option<OwnedFd> = created.try_clone().map_err(missing)?.into();
        let ruleset = made.ok_or_else(|| missing(io::Error::other("the kernel gave no rule set")))?;
        Ok(Self { key, stamps: grants.stamps, created, ruleset: Arc::new(ruleset), loans: 0 })
    }
}

#[derive(PartialEq, Eq)]
struct Key {
    view: View,
    network: bool,
    private: Arc<[PathBuf]>,
    /// Whether the rule set is for one command at a time. Commands must never share the additional folder.
    is_lent: bool,
}

/// The state of a path when its rule was created. Rules apply to the file that existed then, not to what the path means
/// later.
struct Stamp {
    path: PathBuf,
    identity: (u64, u64),
    /// For folders whose entries were granted individually: the modification time.
    changed: Option<(i64, i64)>,
}

impl Stamp {
    fn new(path: &Path, has_split: bool) -> io::Result<Self> {
        let meta = path.metadata()?;
        let changed = has_split.then(|| (meta.mtime(), meta.mtime_nsec()));
        Ok(Self { path: path.into(), identity: (meta.dev(), meta.ino()), changed })
    }

    fn is_current(&self) -> bool {
        Self::new(&self.path, self.changed.is_some())
            .is_ok_and(|now| now.identity == self.identity && now.changed == self.changed)
    }
}

const USED_ABI: ABI = ABI::V6;

fn reading() -> BitFlags<AccessFs> {
    AccessFs::from_read(USED_ABI)
}

/// All rights except creating devices and device controls.
fn writing() -> BitFlags<AccessFs> {
    AccessFs::from_all(USED_ABI) & !(AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev)
}

/// The rules to create, and the paths that they depend on.
struct Grants {
    rules: Vec<(PathBuf, BitFlags<AccessFs>)>,
    stamps: Vec<Stamp>,
}

impl Grants {
    fn collect(key: &Key) -> Result<Self, RulesetFailure> {
        let view = &key.view;
        let out_of_reach =
            view.hidden.iter().chain(&view.frozen).find(|path| is_inside(path, &view.writable));
        if let Some(path) = out_of_reach {
            return Err(RulesetFailure::Inexpressible { path: path.clone() });
        }
        let mut grants = Self { rules: Vec::new(), stamps: Vec::new() };
        for folder in SYSTEM_FOLDERS.map(Path::new).into_iter().filter(|folder| folder.exists()) {
            // Private files in `/etc` are not readable. It is harmless that the names of their folders are visible.
            let hidden: Vec<&Path> = view.hidden.iter().chain(&*key.private).map(PathBuf::as_path).collect();
            grants.read(folder, &hidden)?;
        }
        for (device, access) in [
            ("/dev/null", AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate),
            ("/dev/zero", AccessFs::ReadFile.into()),
            ("/dev/full", AccessFs::ReadFile.into()),
            ("/dev/random", AccessFs::ReadFile.into()),
            ("/dev/urandom", AccessFs::ReadFile.into()),
        ] {
            grants.rules.push((device.into(), access));
        }
        for fact in SYSTEM_FACTS {
            grants.rules.push((fact.into(), reading()));
        }
        if key.network {
            // The file often links to a place outside of `/etc`, to which the resolver writes.
            grants.rules.extend(Path::new("/etc/resolv.conf").canonicalize().map(|path| (path, reading())));
        }
        for folder in &view.readable {
            let hidden: Vec<&Path> = view.hidden.iter().map(PathBuf::as_path).collect();
            if let Some(path) = hidden.iter().find(|path| path.starts_with(folder) && path.is_dir()) {
                return Err(RulesetFailure::Inexpressible { path: path.to_path_buf() });
            }
            grants.read(folder, &hidden)?;
        }
        for path in &view.writable {
            grants.stamp(path, false)?;
            grants.rules.push((path.clone(), writing()));
        }
        Ok(grants)
    }

    /// Grants reading a path, except for what is hidden inside it.
    fn read(&mut self, path: &Path, hidden: &[&Path]) -> Result<(), RulesetFailure> {
        let inside: Vec<&Path> = hidden.iter().copied().filter(|hidden| hidden.starts_with(path)).collect();
        self.stamp(path, !inside.is_empty())?;
        if inside.is_empty() {
            self.rules.push((path.into(), reading()));
            return Ok(());
        }
        if inside.contains(&path) {
            return Ok(());
        }
        self.rules.push((path.into(), AccessFs::ReadDir.into()));
        let entries = path.read_dir().map_err(|source| RulesetFailure::Path { path: path.into(), source })?;
        for entry in entries.flatten() {
            let entry = entry.path();
            if inside.iter().any(|hidden| hidden.starts_with(&entry)) {
                self.read(&entry, &inside)?;
            } else if !entry.is_symlink() {
                self.rules.push((entry, reading()));
            }
        }
        Ok(())
    }

    fn stamp(&mut self, path: &Path, has_split: bool) -> Result<(), RulesetFailure> {
        let stamp = Stamp::new(path, has_split);
        self.stamps.push(stamp.map_err(|source| RulesetFailure::Path { path: path.into(), source })?);
        Ok(())
    }
}

/// Creates the rule set under which only these programs and their loaders can be executed. It restricts nothing else.
pub(crate) fn only_these(programs: &Programs) -> Result<Arc<OwnedFd>, RulesetFailure> {
    let mut created: RulesetCreated = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::Execute)?
        .create()?;
    for path in programs.executable() {
        // A program that no longer exists cannot be started either.
        let Ok(opened) = PathFd::new(path) else { continue };
        created = created.add_rule(PathBeneath::new(opened, AccessFs::Execute))?;
    }
    let made: Option<OwnedFd> = created.into();
    let none = || io::Error::other("the kernel gave no rule set");
    let made = made.ok_or_else(|| RulesetFailure::Path { path: PathBuf::new(), source: none() })?;
    Ok(Arc::new(made))
}

fn create(rules: &[(PathBuf, BitFlags<AccessFs>)], network: bool) -> Result<RulesetCreated, RulesetFailure> {
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(USED_ABI))?;
    if !network {
        ruleset = ruleset.handle_access(AccessNet::from_all(USED_ABI))?;
    }
    let mut created: RulesetCreated = ruleset.scope(Scope::from_all(USED_ABI))?.create()?;
    for (path, access) in rules {
        // A path that no longer exists, or is not on this machine, needs no rule.
        let Ok(opened) = PathFd::new(path) else { continue };
        let of_files = AccessFs::from_file(USED_ABI);
        let access = if path.is_dir() { *access } else { *access & of_files };
        if !access.is_empty() {
            created = created.add_rule(PathBeneath::new(opened, access))?;
        }
    }
    Ok(created)
}

/// Creates a rule set that does not restrict files and ports, but limits abstract names of Unix sockets to its own
/// processes.
pub(crate) fn own_abstract_names() -> Result<Arc<OwnedFd>, RulesetFailure> {
    static MADE: Mutex<Option<Arc<OwnedFd>>> = Mutex::new(None);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(ruleset) = &*made {
        return Ok(Arc::clone(ruleset));
    }
    let created = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .scope(Scope::AbstractUnixSocket)?
        .create()?;
    let none = || RulesetFailure::Path {
        path: PathBuf::new(),
        source: io::Error::other("the kernel gave no rule set"),
    };
    let ruleset: Option<OwnedFd> = created.into();
    let ruleset = Arc::new(ruleset.ok_or_else(none)?);
    *made = Some(Arc::clone(&ruleset));
    Ok(ruleset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view() -> (tempfile::TempDir, View) {
        let place = tempfile::tempdir().unwrap();
        let writable = vec![place.path().canonicalize().unwrap()];
        (place, View { writable, ..View::default() })
    }

    #[test]
    fn a_rule_set_is_lent_again_once_the_folder_beside_it_is_gone() {
        let (_place, view) = view();
        let mut sets = Vec::new();
        for _ in 0..3 {
            let own = tempfile::tempdir().unwrap();
            let lent = lend(&view, false, own.path()).unwrap();
            sets.push(Arc::clone(&lent.ruleset));
            drop(own);
            drop(lent);
        }
        assert!(sets.iter().all(|set| Arc::ptr_eq(set, &sets[0])));
    }

    #[test]
    fn a_rule_set_whose_folder_is_still_there_is_let_go() {
        let (place, view) = view();
        let own = tempfile::tempdir().unwrap();
        let lent = lend(&view, false, own.path()).unwrap();
        // The folder must not be reused under another name either.
        std::fs::rename(own.path(), place.path().join("moved")).unwrap();
        drop(lent);
        let key = Key { view, network: false, private: private_settings(), is_lent: true };
        assert!(KEPT.lock().unwrap().iter().all(|entry| entry.key != key));
    }

    #[test]
    fn no_two_commands_share_what_is_lent_and_no_other_gets_it() {
        let (_place, view) = view();
        let own = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let lent = [0, 1].map(|at: usize| lend(&view, false, own[at].path()).unwrap());
        let shared = ruleset(&view, false).unwrap();
        assert!(!Arc::ptr_eq(&lent[0].ruleset, &lent[1].ruleset));
        assert!(lent.iter().all(|lent| !Arc::ptr_eq(&lent.ruleset, &shared)));
    }
}
