//! Single objects of a repository: unpacks them, and parses trees and commits.

use super::Unknown;
use flate2::{Decompress, FlushDecompress, Status};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The size of the largest tree or commit that is read, in bytes.
pub(super) const MOST_OBJECT_BYTES: usize = 64 * 1024 * 1024;

/// The type of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Commit,
    Tree,
    Blob,
    Tag,
}

/// Unpacks objects until its byte budget is used up.
pub(super) struct Unpacker {
    stream: Decompress,
    left: usize,
}

impl Unpacker {
    /// Creates an unpacker for at most this many bytes in total.
    pub(super) fn new(most_bytes: usize) -> Self {
        Self { stream: Decompress::new(true), left: most_bytes }
    }

    /// Subtracts unpacked bytes from the budget.
    pub(super) fn spend(&mut self, bytes: usize) -> Result<(), Unknown> {
        self.left = self.left.checked_sub(bytes).ok_or(Unknown::TooLarge)?;
        Ok(())
    }

    /// Unpacks data whose unpacked size is known.
    pub(super) fn whole(&mut self, packed: &[u8], bytes: usize) -> Result<Vec<u8>, Unknown> {
        self.spend(bytes)?;
        self.stream.reset(true);
        // The extra byte ensures that the end of the stream is reached, and not only the end of the buffer.
        let mut made = Vec::with_capacity(bytes + 1);
        let status = self.stream.decompress_vec(packed, &mut made, FlushDecompress::Finish);
        match status {
            Ok(Status::StreamEnd) if made.len() == bytes => Ok(made),
            _ => Err(Unknown::NotUnderstood),
        }
    }

    /// Reads a loose tree or commit. `None` for other objects.
    pub(super) fn loose(&mut self, path: &Path) -> Result<Option<(Kind, Vec<u8>)>, Unknown> {
        const HEAD: usize = 4 * 1024;
        let unreadable = Unknown::unreadable(path);
        if !path.symlink_metadata().map_err(unreadable)?.is_file() {
            return Err(Unknown::NotUnderstood);
        }
        let mut file = File::open(path).map_err(unreadable)?;
        let mut packed = Vec::with_capacity(HEAD);
        file.by_ref().take(HEAD as u64).read_to_end(&mut packed).map_err(unreadable)?;
        self.stream.reset(true);
        let mut head = Vec::with_capacity(32);
        self.stream
            .decompress_vec(&packed, &mut head, FlushDecompress::None)
            .map_err(|_| Unknown::NotUnderstood)?;
        let end = head.iter().position(|byte| *byte == 0).ok_or(Unknown::NotUnderstood)?;
        let text = std::str::from_utf8(&head[..end]).map_err(|_| Unknown::NotUnderstood)?;
        let (kind, size) = text.split_once(' ').ok_or(Unknown::NotUnderstood)?;
        let kind = match kind {
            "commit" => Kind::Commit,
            "tree" => Kind::Tree,
            "blob" | "tag" => return Ok(None),
            _ => return Err(Unknown::NotUnderstood),
        };
        let bytes: usize = size.parse().map_err(|_| Unknown::NotUnderstood)?;
        if bytes > MOST_OBJECT_BYTES {
            return Err(Unknown::NotUnderstood);
        }
        file.take(MOST_OBJECT_BYTES as u64).read_to_end(&mut packed).map_err(unreadable)?;
        let mut whole = self.whole(&packed, end + 1 + bytes)?;
        whole.drain(..=end);
        Ok(Some((kind, whole)))
    }
}

/// Calls `show` with the entries of a tree: the name, whether it is a folder, and the object's id. `None` if the data
/// is not a tree.
pub(super) fn each_entry<'a>(
    tree: &'a [u8],
    hash: usize,
    mut show: impl FnMut(&'a [u8], bool, &'a [u8]),
) -> Option<()> {
    let mut rest = tree;
    while !rest.is_empty() {
        let blank = rest.iter().take(8).position(|byte| *byte == b' ')?;
        let (mode, behind) = (&rest[..blank], &rest[blank + 1..]);
        let end = behind.iter().position(|byte| *byte == 0)?;
        let id = behind.get(end + 1..end + 1 + hash)?;
        match mode {
            b"40000" | b"040000" => show(&behind[..end], true, id),
            // A submodule, which is not part of this repository.
            b"160000" => {}
            _ => show(&behind[..end], false, id),
        }
        rest = &behind[end + 1 + hash..];
    }
    Some(())
}

/// Returns the tree of a commit.
pub(super) fn tree_of(commit: &[u8]) -> Option<Vec<u8>> {
    let line = commit.strip_prefix(b"tree ")?.split(|byte| *byte == b'\n').next()?;
    let text = std::str::from_utf8(line).ok().filter(|text| matches!(text.len(), 40 | 64))?;
    unhex(text)
}

/// Decodes hexadecimal digits.
pub(super) fn unhex(text: &str) -> Option<Vec<u8>> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok()).collect()
}
