//! The view: what a confined command sees of the file system, by real paths. It is independent of the mechanism.

use crate::{ChildSpec, SandboxError};
use deputy_protocol::Confinement;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// System folders that every command may read. Missing ones are ignored.
pub(crate) const SYSTEM_FOLDERS: [&str; 10] =
    ["/bin", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/opt", "/sbin", "/usr"];

/// Files below `/proc` and `/sys` that describe the machine, and reveal nothing about processes.
pub(crate) const SYSTEM_FACTS: [&str; 18] = [
    "/proc/cpuinfo",
    "/proc/devices",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/swaps",
    "/proc/sys/fs/file-max",
    "/proc/sys/kernel/hostname",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/ostype",
    "/proc/sys/kernel/pid_max",
    "/proc/sys/vm/overcommit_memory",
    "/proc/uptime",
    "/proc/version",
    "/proc/vmstat",
    "/sys/devices/system/cpu",
    "/sys/kernel/mm/transparent_hugepage",
];

/// Whether a path is in a folder that every command sees, either the machine's or a private version of it.
pub fn is_of_machine(path: &Path) -> bool {
    const GENERATED: [&str; 4] = ["/dev", "/proc", "/run", "/sys"];
    SYSTEM_FOLDERS.iter().chain(&GENERATED).any(|folder| path.starts_with(folder))
}

/// What a command sees in addition to the system. All paths are real paths. No list contains a path inside another path
/// of the same list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) readable: Vec<PathBuf>,
    pub(crate) writable: Vec<PathBuf>,
    /// Existing paths inside what is granted.
    pub(crate) hidden: Vec<PathBuf>,
    /// Paths inside what is writable. They may not exist.
    pub(crate) frozen: Vec<PathBuf>,
    /// Links that lead to granted paths but are outside of all granted folders: the link as given and its real path.
    pub(crate) aliases: Vec<(PathBuf, PathBuf)>,
}

impl View {
    pub(crate) fn new(spec: &ChildSpec) -> Result<Self, SandboxError> {
        let mut view = Self::default();
        let hidden: Vec<PathBuf> = spec.hidden.iter().map(|path| real_as_far_as_it_exists(path)).collect();
        let frozen: Vec<PathBuf> = spec.frozen.iter().map(|path| real_as_far_as_it_exists(path)).collect();
        // Process-specific files have no path before the process exists.
        for path in spec.readable.iter().filter(|path| !path.starts_with("/proc/self")) {
            if let Some(real) = view.real(path, Missing::IsPassedOver)? {
                view.readable.push(real);
            }
        }
        if spec.confinement >= Confinement::Workspace {
            for path in &spec.writable {
                if let Some(real) = view.real(path, Missing::IsAnError)? {
                    let is_frozen = frozen.iter().any(|frozen| real.starts_with(frozen));
                    if is_frozen { view.readable.push(real) } else { view.writable.push(real) }
                }
            }
        }
        let is_hidden = |path: &PathBuf| hidden.iter().any(|hidden| path.starts_with(hidden));
        view.readable.retain(|path| !is_hidden(path));
        view.writable.retain(|path| !is_hidden(path));
        view.writable = outermost(view.writable);
        // A readable path inside a writable folder is redundant.
        view.readable.retain(|path| !is_inside(path, &view.writable));
        view.readable = outermost(view.readable);
        let granted = |path: &Path| {
            is_inside(path, &view.readable) || is_inside(path, &view.writable) || is_system(path)
        };
        view.hidden = outermost(
            hidden.into_iter().filter(|path| granted(path) && path.symlink_metadata().is_ok()).collect(),
        );
        let aliases = std::mem::take(&mut view.aliases);
        view.aliases = aliases.into_iter().filter(|(link, _)| !view.shows(link)).collect();
        view.aliases.sort();
        view.aliases.dedup();
        view.frozen = outermost(frozen.into_iter().filter(|path| is_inside(path, &view.writable)).collect());
        Ok(view)
    }

    /// Returns whether the command could read this real path, if its mode allows it.
    pub(crate) fn shows(&self, path: &Path) -> bool {
        let granted = is_inside(path, &self.readable) || is_inside(path, &self.writable) || is_system(path);
        granted && !is_inside(path, &self.hidden)
    }

    fn real(&mut self, path: &Path, missing: Missing) -> Result<Option<PathBuf>, SandboxError> {
        let wrong = |source| SandboxError::Grant { path: path.into(), source };
        if !path.is_absolute() {
            return Err(wrong(io::Error::other("the path is relative")));
        }
        match path.canonicalize() {
            Ok(real) => {
                if real != path {
                    self.aliases.extend(links_on_the_way(path));
                }
                Ok(Some(real))
            }
            Err(error) if missing == Missing::IsPassedOver && error.kind() == io::ErrorKind::NotFound => {
                Ok(None)
            }
            Err(error) => Err(wrong(error)),
        }
    }
}

#[derive(PartialEq)]
enum Missing {
    IsPassedOver,
    IsAnError,
}

pub(crate) fn is_inside(path: &Path, folders: &[PathBuf]) -> bool {
    folders.iter().any(|folder| path.starts_with(folder))
}

fn is_system(path: &Path) -> bool {
    SYSTEM_FOLDERS.iter().any(|folder| path.starts_with(folder))
}

/// Returns the paths, sorted, without those inside another.
fn outermost(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    paths.sort();
    paths.dedup_by(|inner, outer| inner.starts_with(outer));
    paths
}

/// Resolves the longest existing part of a path. The rest is unchanged.
fn real_as_far_as_it_exists(path: &Path) -> PathBuf {
    for ancestor in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (ancestor.canonicalize(), path.strip_prefix(ancestor)) {
            return if rest.as_os_str().is_empty() { real } else { real.join(rest) };
        }
    }
    path.into()
}

/// Returns the links that are followed when a path is looked up, each with its real location and its target.
fn links_on_the_way(path: &Path) -> Vec<(PathBuf, PathBuf)> {
    let mut links = Vec::new();
    let mut so_far = PathBuf::new();
    for part in path.components() {
        so_far.push(part);
        let Ok(real) = so_far.canonicalize() else { break };
        if so_far.is_symlink() {
            links.push((so_far, real.clone()));
        }
        so_far = real;
    }
    links
}

/// Returns the private files in `/etc`, which not every user may read: password hashes, host keys, saved networks. Root
/// could read them.
pub(crate) fn private_settings() -> Arc<[PathBuf]> {
    /// How long the result of a walk over `/etc` is valid. A walk takes milliseconds.
    const GOOD_FOR: Duration = Duration::from_secs(10);
    static LAST: Mutex<Option<(Instant, Arc<[PathBuf]>)>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    match &*last {
        Some((when, found)) if when.elapsed() < GOOD_FOR => Arc::clone(found),
        _ => {
            let mut found = Vec::new();
            find_private(Path::new("/etc"), &mut found);
            found.sort();
            let found: Arc<[PathBuf]> = found.into();
            *last = Some((Instant::now(), Arc::clone(&found)));
            found
        }
    }
}

/// Collects files that only the owner and group may read. Skips links, because their targets are found at their real
/// paths.
fn find_private(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let Ok(meta) = entry.metadata() else { continue };
        let mode = meta.permissions().mode();
        if meta.is_dir() && mode & 0o005 == 0o005 {
            find_private(&entry.path(), found);
        } else if !meta.is_symlink() && mode & 0o004 == 0 {
            found.push(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn nested_and_doubled_paths_become_one() {
        let paths = ["/b/c", "/a", "/b", "/a", "/bb"].map(PathBuf::from);
        assert_eq!(outermost(paths.into()), ["/a", "/b", "/bb"].map(PathBuf::from));
    }

    #[test]
    fn links_are_resolved_as_far_as_there_is_something() {
        let home = tempfile::tempdir().unwrap();
        let real = home.path().canonicalize().unwrap();
        fs::create_dir(real.join("there")).unwrap();
        std::os::unix::fs::symlink("there", real.join("link")).unwrap();
        assert_eq!(real_as_far_as_it_exists(&real.join("link/a/b")), real.join("there/a/b"));
        assert_eq!(real_as_far_as_it_exists(&real.join("link")), real.join("there"));
    }

    #[test]
    fn links_to_links_are_all_found() {
        let home = tempfile::tempdir().unwrap();
        let real = home.path().canonicalize().unwrap();
        fs::create_dir_all(real.join("there/deep")).unwrap();
        std::os::unix::fs::symlink("there", real.join("link")).unwrap();
        std::os::unix::fs::symlink("deep", real.join("there/inner")).unwrap();
        let found = links_on_the_way(&real.join("link/inner"));
        assert_eq!(
            found,
            [(real.join("link"), real.join("there")), (real.join("there/inner"), real.join("there/deep"))]
        );
    }

    #[test]
    fn private_is_what_others_may_not_read() {
        let etc = tempfile::tempdir().unwrap();
        let make = |name: &str, mode| {
            let path = etc.path().join(name);
            if name.ends_with('d') {
                fs::create_dir(&path).unwrap()
            } else {
                fs::write(&path, "").unwrap()
            }
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        };
        [
            ("passwd.txt", 0o644),
            ("shadow", 0o640),
            ("open.d", 0o755),
            ("closed.d", 0o700),
            ("open.d/key", 0o600),
        ]
        .into_iter()
        .for_each(|(name, mode)| make(name, mode));
        let mut found = Vec::new();
        find_private(etc.path(), &mut found);
        found.sort();
        assert_eq!(found, ["closed.d", "open.d/key", "shadow"].map(|name| etc.path().join(name)));
    }
}
