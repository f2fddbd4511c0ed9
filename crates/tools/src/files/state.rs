//! What is at a path right now, by its content: what undo and recovery compare with the journal.

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

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// What a change can speak of.
    State(FileState),
    /// Something that is none of these, or a way there that goes through a link.
    Other,
}

impl Standing {
    /// Whether this is what the journal says. Only the content of a file counts, and modes do not.
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

/// What is at an absolute path; no link on the way is followed.
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
            Ok(Standing::State(FileState::Folder(KeptFolder { mode })))
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

/// Digest and size of a content; the mode is left at 0.
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

/// Name of the temporary file in which `name` gets the content `digest`. It follows from the change alone, so that
/// recovery finds what a crash left over.
pub(crate) fn leftover_name(name: &std::ffi::OsStr, digest: &Digest) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(name.as_encoded_bytes()).update(b"/").update(digest.as_str().as_bytes());
    format!(".deputy-{}.part", &hasher.finalize().to_hex()[..16])
}
