//! Resolves links and `..` in paths the way the kernel does it at this moment.
//!
//! Nothing is opened. The path can change afterwards; the tools guard against that with directory handles.

use super::temporary::{is_shared, leads_in};
use deputy_messages::policy as say;
use deputy_protocol::Phrase;
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// The maximum number of links in a path, as in Linux (`MAXSYMLINKS`).
const MAX_LINKS: usize = 40;
/// Folders that the kernel generates. Their entries are not ordinary files.
const KERNEL_FOLDERS: [&str; 3] = ["/proc", "/dev", "/sys"];

/// How to treat a link at the end of the path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Last {
    /// Follows the link, as opening a file does.
    Follow,
    /// Keeps the link itself, as removing and renaming do. The link is still followed if the path ends in a slash.
    Keep,
}

/// A resolved path.
pub(crate) struct Resolved {
    /// The absolute path, without `.`, `..` and links, except for a last link that is kept.
    pub(crate) path: PathBuf,
    /// The metadata of the path, without following a link. `None` if the path does not exist.
    pub(crate) metadata: Option<fs::Metadata>,
}

/// The reason why a path cannot be resolved.
#[derive(Debug)]
pub(crate) enum Unresolved {
    Kernel { path: PathBuf },
    Loop,
    NotFolder { path: PathBuf },
    UpFromNothing { path: PathBuf },
    TooLong,
    Unreadable { path: PathBuf, source: io::Error },
}

impl Unresolved {
    /// The reason in plain words.
    pub(crate) fn reason(&self) -> Phrase {
        match self {
            Self::Kernel { path } => say::path_kernel(path.display()),
            Self::Loop => say::path_loop(MAX_LINKS),
            Self::NotFolder { path } => say::path_not_folder(path.display()),
            Self::UpFromNothing { path } => say::path_up_from_nothing(path.display()),
            Self::TooLong => say::path_too_long(),
            Self::Unreadable { path, source } => say::path_unreadable(path.display(), source),
        }
    }
}

/// Resolves `text` against `cwd`, which must be absolute. `temporary` is the folder that the task's commands see as
/// `/tmp`.
pub(crate) fn resolve(
    cwd: &Path,
    text: &Path,
    last: Last,
    temporary: Option<&Path>,
) -> Result<Resolved, Unresolved> {
    let mut ahead: VecDeque<OsString> = VecDeque::new();
    if !text.is_absolute() {
        ahead.extend(names(cwd));
    }
    ahead.extend(names(text));
    let mut ends_in_folder = wants_folder(text);
    let mut path = PathBuf::from("/");
    let mut metadata = fs::symlink_metadata("/").ok();
    let mut links = 0;
    // The folder above `/tmp`, after a path has led from there into the task's folder.
    let mut above = None;
    while let Some(name) = ahead.pop_front() {
        let Some(here) = &metadata else {
            if name == ".." {
                return Err(Unresolved::UpFromNothing { path });
            }
            path.push(name);
            continue;
        };
        if !here.is_dir() {
            return Err(Unresolved::NotFolder { path });
        }
        if name == ".." {
            match above.take_if(|_| Some(path.as_path()) == temporary) {
                Some(folder) => path = folder,
                None => drop(path.pop()),
            }
            metadata = look(&path)?;
            continue;
        }
        let parent = path.clone();
        path.push(&name);
        if KERNEL_FOLDERS.iter().any(|folder| path == Path::new(folder)) {
            return Err(Unresolved::Kernel { path });
        }
        if let Some(folder) = temporary
            && is_shared(&path)
            && leads_in(folder, &path, ahead.front().map(OsString::as_os_str))
        {
            (path, above) = (folder.to_owned(), Some(parent));
            metadata = look(&path)?;
            continue;
        }
        metadata = look(&path)?;
        let is_link = metadata.as_ref().is_some_and(fs::Metadata::is_symlink);
        let is_last = ahead.is_empty() && !ends_in_folder;
        if is_link && !(is_last && last == Last::Keep) {
            links += 1;
            if links > MAX_LINKS {
                return Err(Unresolved::Loop);
            }
            let target = fs::read_link(&path)
                .map_err(|source| Unresolved::Unreadable { path: path.clone(), source })?;
            path = if target.is_absolute() { PathBuf::from("/") } else { parent };
            above.take_if(|_| target.is_absolute());
            metadata = look(&path)?;
            ends_in_folder |= ahead.is_empty() && wants_folder(&target);
            for name in names(&target).into_iter().rev() {
                ahead.push_front(name);
            }
        }
    }
    if ends_in_folder && metadata.as_ref().is_some_and(|it| !it.is_dir()) {
        return Err(Unresolved::NotFolder { path });
    }
    if path.as_os_str().len() > 4095 {
        return Err(Unresolved::TooLong);
    }
    Ok(Resolved { path, metadata })
}

/// Returns the real path of a folder that the situation names, or the folder as given if it cannot be resolved.
pub(crate) fn real_folder(folder: &Path) -> PathBuf {
    match resolve(Path::new("/"), folder, Last::Follow, None) {
        Ok(resolved) => resolved.path,
        Err(_) => folder.to_owned(),
    }
}

fn look(path: &Path) -> Result<Option<fs::Metadata>, Unresolved> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Unresolved::Unreadable { path: path.to_owned(), source }),
    }
}

/// Returns the names of a path, without `.` and doubled slashes, which the kernel ignores.
fn names(path: &Path) -> Vec<OsString> {
    path.components()
        .filter_map(|component| match component {
            Component::Normal(name) => Some(name.to_owned()),
            Component::ParentDir => Some(OsStr::new("..").to_owned()),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
        })
        .collect()
}

/// Whether the text indicates a folder: it ends in a slash or a dot.
fn wants_folder(path: &Path) -> bool {
    let bytes = path.as_os_str().as_bytes();
    bytes.ends_with(b"/") || bytes.ends_with(b"/.") || bytes == b"." || bytes.ends_with(b"/..")
}
