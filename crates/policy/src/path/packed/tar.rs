//! Reads the files in a tar archive, in the formats that tar(5) documents.

use super::source::Source;
use std::io::{self, Read, Take};

const BLOCK: usize = 512;
/// The maximum length of a name or an extended header, in bytes.
const MAX_EXTENDED: u64 = 64 * 1024;

/// A file or folder in an archive.
pub(super) struct Entry {
    /// All names that the archive gives the entry.
    pub(super) names: Vec<String>,
    pub(super) is_file: bool,
}

/// The entries of an archive, in order.
pub(super) struct Entries<'a> {
    source: Source<'a>,
    /// The remaining bytes of the previous entry's content, and its padding.
    left: u64,
    fill: u64,
}

/// Whether a file begins like an archive: the first block has a valid checksum.
pub(super) fn begins(head: &[u8]) -> bool {
    head.first_chunk::<BLOCK>().is_some_and(|block| block.iter().any(|byte| *byte != 0) && is_header(block))
}

fn is_header(block: &[u8; BLOCK]) -> bool {
    let Some(sum) = number(&block[148..156]) else { return false };
    let byte = |(at, byte): (usize, &u8)| if (148..156).contains(&at) { b' ' } else { *byte };
    let unsigned: u64 = block.iter().enumerate().map(|it| u64::from(byte(it))).sum();
    let signed: i64 = block.iter().enumerate().map(|it| i64::from(byte(it).cast_signed())).sum();
    sum == unsigned || i64::try_from(sum) == Ok(signed)
}

impl<'a> Entries<'a> {
    pub(super) fn new(source: Source<'a>) -> Self {
        Self { source, left: 0, fill: 0 }
    }

    /// Returns the content of the last entry.
    pub(super) fn content(&mut self) -> Content<'_, 'a> {
        let left = self.left;
        Content { inner: (&mut self.source).take(left), left: &mut self.left }
    }

    /// Returns the next entry, or `None` at the end. Returns an error if the rest cannot be parsed.
    pub(super) fn next(&mut self) -> io::Result<Option<Entry>> {
        let mut names = Vec::new();
        let mut size_in_words = None;
        loop {
            self.source.pass_over(self.left.saturating_add(self.fill))?;
            (self.left, self.fill) = (0, 0);
            let Some(block) = self.block()? else { return Ok(None) };
            let size = number(&block[124..136]).ok_or_else(strange)?;
            match block[156] {
                b'L' => names.push(until_zero(&self.extended(size)?)),
                b'K' | b'g' => drop(self.extended(size)?),
                b'x' | b'X' => {
                    for (key, value) in records(&self.extended(size)?) {
                        match key.as_str() {
                            "size" => size_in_words = Some(value.parse().map_err(io::Error::other)?),
                            "path" | "GNU.sparse.name" => names.push(value),
                            _ => {}
                        }
                    }
                }
                kind => {
                    let name = until_zero(&block[..100]);
                    let prefix = until_zero(&block[345..500]);
                    let is_posix = block[257..].starts_with(b"ustar\0");
                    names.insert(
                        0,
                        if is_posix && !prefix.is_empty() { format!("{prefix}/{name}") } else { name },
                    );
                    // Links, folders and devices have no content, regardless of the size in their header.
                    let is_file = !matches!(kind, b'1'..=b'6');
                    self.left = if is_file { size_in_words.unwrap_or(size) } else { 0 };
                    self.fill = filling(self.left);
                    return Ok(Some(Entry { names, is_file }));
                }
            }
        }
    }

    /// Returns the next block that is not all zeros.
    fn block(&mut self) -> io::Result<Option<[u8; BLOCK]>> {
        loop {
            let mut block = Vec::new();
            (&mut self.source).take(BLOCK as u64).read_to_end(&mut block)?;
            // The tools do not unpack a truncated entry either.
            let Ok(block) = <[u8; BLOCK]>::try_from(block) else { return Ok(None) };
            if block.iter().any(|byte| *byte != 0) {
                return if is_header(&block) { Ok(Some(block)) } else { Err(strange()) };
            }
        }
    }

    fn extended(&mut self, size: u64) -> io::Result<Vec<u8>> {
        if size > MAX_EXTENDED {
            return Err(strange());
        }
        let mut content = Vec::new();
        (&mut self.source).take(size).read_to_end(&mut content)?;
        self.source.pass_over(filling(size))?;
        Ok(content)
    }
}

/// The content of an entry.
pub(super) struct Content<'e, 'a> {
    inner: Take<&'e mut Source<'a>>,
    left: &'e mut u64,
}

impl Read for Content<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        *self.left = self.inner.limit();
        Ok(read)
    }
}

fn filling(size: u64) -> u64 {
    (BLOCK as u64 - size % BLOCK as u64) % BLOCK as u64
}

fn strange() -> io::Error {
    io::Error::other("the archive is not understood")
}

/// Parses a number in octal digits, or in binary if it is too large for them.
fn number(field: &[u8]) -> Option<u64> {
    if let [first, rest @ ..] = field
        && *first & 0x80 != 0
    {
        let high = u64::from(first & 0x7f);
        return rest.iter().try_fold(high, |sum, byte| sum.checked_mul(256)?.checked_add((*byte).into()));
    }
    let text = until_zero(field);
    let text = text.trim_matches(' ');
    if text.is_empty() { Some(0) } else { u64::from_str_radix(text, 8).ok() }
}

fn until_zero(bytes: &[u8]) -> String {
    let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(text).into_owned()
}

/// Parses lines of `LENGTH KEY=VALUE`.
fn records(mut bytes: &[u8]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    while let Some(blank) = bytes.iter().position(|byte| *byte == b' ') {
        let length = std::str::from_utf8(&bytes[..blank]).ok().and_then(|text| text.parse::<usize>().ok());
        let Some(record) = length.and_then(|length| bytes.get(blank + 1..length)) else { break };
        let record = String::from_utf8_lossy(record);
        if let Some((key, value)) = record.trim_end_matches('\n').split_once('=') {
            found.push((key.to_owned(), value.to_owned()));
        }
        bytes = &bytes[length.unwrap_or(bytes.len())..];
    }
    found
}
