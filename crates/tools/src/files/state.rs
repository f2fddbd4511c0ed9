//! The current state of a path, including its content. Undo and recovery compare it with the journal.

use super::error::ResolveError;
use super::resolve::from_slash;
use super::{FileError, READ, kind_name};
use deputy_messages::tools as say;
use deputy_protocol::{AbsentFile, Digest, FileState, KeptFile, KeptFolder, KeptLink, SpecialFile};
use rustix::fs::{FileType, Mode, OFlags, openat};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The state of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// A state that a journaled change can describe.
    State(FileState),
    /// Any other kind of file, or a path that goes through a link.
    Other,
}

impl Standing {
    /// Returns whether this is the state in the journal. Compares only the content of files, not their modes.
    pub(crate) fn is(&self, state: &FileState) -> bool {
        match (self, state) {
            (Self::State(FileState::Folder(_)), FileState::Folder(_)) => true,
            (Self::State(FileState::File(stands)), FileState::File(state)) => stands.digest == state.digest,
            (_, FileState::Unkept(_)) => false,
            (Self::State(stands), state) => stands == state,
            (Self::Other, _) => false,
        }
    }
}

/// Returns the state of an absolute path. Does not follow links.
pub(crate) fn standing_at(path: &Path) -> Result<Standing, FileError> {
    let io = |e: Errno| FileError::io(say::cannot_look_at, path, e);
    let absent = Ok(Standing::State(FileState::Absent(AbsentFile {})));
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Ok(Standing::Other) };
    let folder = match from_slash(parent) {
        Ok(folder) => folder,
        Err(ResolveError::System(Errno::NOENT | Errno::NOTDIR)) => return absent,
        Err(ResolveError::System(errno)) => return Err(io(errno)),
        Err(ResolveError::Link | ResolveError::Outside) => return Ok(Standing::Other),
    };
    let stat = match rustix::fs::statat(&folder, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT | Errno::NOTDIR) => return absent,
        Err(errno) => return Err(io(errno)),
    };
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => {
            let mode = Some(stat.st_mode & 0o7777);
            Ok(Standing::State(FileState::Folder(KeptFolder { mode, output: None })))
        }
        FileType::Symlink => {
            let target = rustix::fs::readlinkat(&folder, name, Vec::new()).map_err(io)?;
            Ok(target
                .into_string()
                .map_or(Standing::Other, |target| Standing::State(FileState::Link(KeptLink { target }))))
        }
        FileType::RegularFile => {
            let file = openat(&folder, name, READ | OFlags::NOFOLLOW, Mode::empty()).map_err(io)?;
            let mut file = File::from(file);
            let kept = digest_of(&mut file).map_err(|e| FileError::io(say::cannot_read, path, e))?;
            Ok(Standing::State(FileState::File(KeptFile { mode: stat.st_mode & 0o777, ..kept })))
        }
        FileType::Unknown => Ok(Standing::Other),
        special => {
            Ok(Standing::State(FileState::Special(SpecialFile { what: kind_name(special).to_owned() })))
        }
    }
}

/// Returns the digest and size of some content. The mode is 0.
pub(crate) fn digest_of(content: &mut dyn Read) -> io::Result<KeptFile> {
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 256 * 1024];
    loop {
        match content.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => hasher.update(&buffer[..read]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
    }
    let digest = Digest::new(hasher.finalize().to_hex().as_str());
    Ok(KeptFile { digest, size_bytes: hasher.count(), mode: 0 })
}

/// Returns the name of the temporary file for writing content `digest` to `name`. It depends only on the change, so
/// that recovery finds the leftovers of a crash.
pub(crate) fn leftover_name(name: &std::ffi::OsStr, digest: &Digest) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(name.as_encoded_bytes()).update(b"/").update(digest.as_str().as_bytes());
    format!(".deputy-{}.part", &hasher.finalize().to_hex()[..16])
}
