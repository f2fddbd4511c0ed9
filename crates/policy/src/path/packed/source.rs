//! Sources of packed data, and the limit on how much a decision may unpack.

use super::MAX_CONTENT;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};

/// The maximum number of bytes that a decision unpacks. Everything beyond that counts as secret.
const MAX_UNPACKED: u64 = 16 * 1024 * 1024;

thread_local! {
    static LEFT: Cell<u64> = const { Cell::new(MAX_UNPACKED) };
}

/// Starts a decision with the full allowance.
pub(crate) fn begin() {
    LEFT.set(MAX_UNPACKED);
}

/// Whether nothing has been unpacked yet.
pub(super) fn has_all() -> bool {
    LEFT.get() == MAX_UNPACKED
}

/// Whether the allowance is used up.
pub(super) fn is_spent() -> bool {
    LEFT.get() == 0
}

fn spend(bytes: u64) -> io::Result<()> {
    let left = LEFT.get().checked_sub(bytes);
    LEFT.set(left.unwrap_or(0));
    left.map(drop).ok_or_else(|| io::Error::other("more is packed than is looked at"))
}

/// A seekable file, or the output of an unpacker.
pub(super) enum Source<'a> {
    File(&'a File),
    Stream(Box<dyn Read + 'a>),
}

impl<'a> Source<'a> {
    /// Returns the beginning, as far as it can be read. Returns an error if nothing can be read.
    pub(super) fn head(&mut self) -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        match self.take(MAX_CONTENT as u64).read_to_end(&mut head) {
            Err(error) if head.is_empty() => Err(error),
            _ => Ok(head),
        }
    }

    /// Returns the same source with `head` put back at its beginning.
    pub(super) fn behind(self, head: Vec<u8>) -> Self {
        match self {
            Self::File(_) => self,
            Self::Stream(rest) => Self::Stream(Box::new(Cursor::new(head).chain(rest))),
        }
    }

    pub(super) fn pass_over(&mut self, bytes: u64) -> io::Result<()> {
        match self {
            Self::File(file) => {
                let bytes = i64::try_from(bytes).map_err(io::Error::other)?;
                file.seek(SeekFrom::Current(bytes)).map(drop)
            }
            Self::Stream(_) => io::copy(&mut self.take(bytes), &mut io::sink()).map(drop),
        }
    }
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match self {
            Self::File(file) => file.read(buffer),
            Self::Stream(stream) => stream.read(buffer),
        }?;
        spend(read as u64)?;
        Ok(read)
    }
}

/// A file that counts each byte read.
pub(super) struct Counted<'a>(pub(super) &'a File);

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        spend(read as u64)?;
        Ok(read)
    }
}

impl Seek for Counted<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}
