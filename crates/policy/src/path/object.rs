//! Checks the type of the object at a path: only regular files and folders are accessed, and only files with a single
//! name are changed.

use super::protected;
use super::resolve::Resolved;
use super::roots::Roots;
use super::walk::{Visit, walk};
use super::{Operation, Refused};
use deputy_messages::policy as say;
use deputy_protocol::{Phrase, Risk};
use std::fs::Metadata;
use std::os::unix::fs::{DirEntryExt, FileTypeExt, MetadataExt};

/// The maximum number of entries that are searched for other names of a file.
const MAX_NAMES_SEARCHED: usize = 5_000;

/// Refuses pipes, sockets and devices: opening one can block or have effects. Listing them is allowed, because their
/// names and attributes are like those of files.
pub(super) fn not_a_file(operation: Operation, resolved: &Resolved) -> Option<Refused> {
    let what = special(resolved.metadata.as_ref()?)?;
    (operation != Operation::List).then(|| Refused::deny(Risk::Medium, say::is_kind_not_file(what)))
}

/// Returns the kind of an object that is neither a file nor a folder.
fn special(metadata: &Metadata) -> Option<Phrase> {
    let kind = metadata.file_type();
    if kind.is_fifo() {
        Some(say::kind_pipe())
    } else if kind.is_socket() {
        Some(say::kind_socket())
    } else if kind.is_block_device() || kind.is_char_device() {
        Some(say::kind_device())
    } else {
        None
    }
}

/// Returns the refusal if the object at the path is not suitable for the operation.
pub(super) fn unfit(roots: &Roots, operation: Operation, resolved: &Resolved) -> Option<Refused> {
    let metadata = resolved.metadata.as_ref()?;
    match operation {
        Operation::Read if metadata.is_file() && metadata.nlink() > 1 => {
            (!all_names_are_plain(roots, metadata))
                .then(|| Refused::ask(Risk::High, say::file_other_names_one()))
        }
        Operation::Write if metadata.is_dir() => Some(Refused::ask(Risk::Low, say::folder_not_file())),
        Operation::Write if metadata.nlink() > 1 => {
            Some(Refused::ask(Risk::High, say::file_other_names_would()))
        }
        Operation::Create => Some(Refused::ask(Risk::Medium, say::something_stands_there_already())),
        Operation::Delete if metadata.is_symlink() => {
            Some(Refused::ask(Risk::Low, say::link_not_file_folder()))
        }
        Operation::Delete if metadata.is_dir() => {
            protected::in_tree(roots, &resolved.path).map(|reason| Refused::ask(Risk::High, reason))
        }
        _ => None,
    }
}

/// Whether every name of the file is within the roots and none is secret. Returns `false` if the tree is too large.
fn all_names_are_plain(roots: &Roots, file: &Metadata) -> bool {
    let mut seen = Vec::new();
    let mut is_secret = false;
    for root in roots.readable() {
        let is_complete = walk(root, MAX_NAMES_SEARCHED, |path, _, entry| {
            let is_same =
                entry.ino() == file.ino() && entry.metadata().is_ok_and(|it| it.dev() == file.dev());
            if is_same && !seen.iter().any(|it| it == path) {
                is_secret |= protected::secret(roots, path).is_some();
                seen.push(path.to_owned());
            }
            Visit::Enter
        });
        if is_secret {
            return false;
        }
        if seen.len() as u64 >= file.nlink() {
            return true;
        }
        if !is_complete {
            return false;
        }
    }
    false
}
