//! A copy of an earlier state of a repository, for git to read. It has the files that determine HEAD, the index, the stash
//! and references, and borrows the objects of the real repository.

use deputy_protocol::FileState;
use deputy_tools::Blobs;
use deputy_tools::tree::RepositoryState;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Writes a copy of a state into an empty folder, with the objects of `folders`. Fails if something is not known or does
/// not fit into such a copy.
pub(crate) fn copy(
    state: &RepositoryState,
    real: &Path,
    folders: &[PathBuf],
    blobs: &dyn Blobs,
    into: &Path,
) -> io::Result<()> {
    for folder in ["refs", "objects/info"] {
        std::fs::create_dir_all(into.join(folder))?;
    }
    let mut borrowed = String::new();
    for folder in folders {
        let objects = folder.to_str().filter(|path| !path.contains('\n'));
        borrowed += objects.ok_or_else(|| unfit("the path of the repository"))?;
        borrowed.push('\n');
    }
    std::fs::write(into.join("objects/info/alternates"), borrowed)?;
    for (name, state) in state {
        write(name, state, blobs, into)?;
    }
    if !state.contains_key("config") {
        std::fs::copy(real.join("config"), into.join("config"))?;
    }
    Ok(())
}

/// Writes a file of an earlier state.
pub(crate) fn write(name: &str, state: &FileState, blobs: &dyn Blobs, into: &Path) -> io::Result<()> {
    let FileState::File(file) = state else { return Err(unfit(name)) };
    let content = blobs.read(file).map_err(|error| io::Error::other(error.to_string()))?;
    let is_inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let path = into.join(name);
    let Some(folder) = path.parent().filter(|_| is_inside) else { return Err(unfit(name)) };
    std::fs::create_dir_all(folder)?;
    std::fs::write(path, content)
}

fn unfit(what: &str) -> io::Error {
    io::Error::other(format!("{what} is not a plain file"))
}
