//! Reads every tree and commit of a pack once, in the format that gitformat-pack(5) documents.
//!
//! Objects are read in the order of their deltas, so that nothing is unpacked twice. Any deviation from the format is
//! an error: the caller then knows nothing about the repository, and asks.

use super::Unknown;
use super::object::{Kind, MOST_OBJECT_BYTES, Unpacker};
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::rc::Rc;

/// The maximum number of objects of a pack that are read.
const MOST_OBJECTS: usize = 1_000_000;
/// No object of the pack.
const NONE: u32 = u32::MAX;

/// Receives an object's id, type and bytes.
type Show<'a> = dyn FnMut(&[u8], Kind, &[u8]) -> Result<(), Unknown> + 'a;

/// The position of an object's data, its unpacked size, and its type.
#[derive(Clone, Copy)]
struct Entry {
    data_at: u64,
    bytes: usize,
    what: What,
}

#[derive(Clone, Copy)]
enum What {
    Whole(Kind),
    /// A delta against another object of the pack.
    Delta(u32),
}

/// An open pack.
pub(super) struct Pack {
    file: File,
    hash: usize,
    /// The ids of the objects, in the order of the index.
    ids: Vec<u8>,
    /// The offset of each object, in the same order.
    offsets: Vec<u64>,
    /// The indices of objects, sorted by offset.
    in_order: Vec<u32>,
    /// The end of the last object.
    end: u64,
}

impl Pack {
    /// Opens the pack whose index is `index`.
    pub(super) fn open(index: &Path) -> Result<Self, Unknown> {
        let pack = index.with_extension("pack");
        let file = regular(&pack)?;
        let size = file.metadata().map_err(Unknown::unreadable(&pack))?.len();
        let bytes = index_bytes(index)?;
        let whole = [20, 32].map(|hash| Self::indexed(&bytes, hash));
        let (hash, ids, offsets) = whole.into_iter().flatten().next().ok_or(Unknown::NotUnderstood)?;
        let end = size.checked_sub(hash as u64).ok_or(Unknown::NotUnderstood)?;
        let mut in_order: Vec<u32> = (0..offsets.len() as u32).collect();
        in_order.sort_unstable_by_key(|at| offsets[*at as usize]);
        let is_sane = offsets.iter().all(|offset| (12..end).contains(offset));
        if !is_sane {
            return Err(Unknown::NotUnderstood);
        }
        Ok(Self { file, hash, ids, offsets, in_order, end })
    }

    /// Parses the ids and offsets of objects, if the index contains exactly ids of `hash` bytes.
    fn indexed(bytes: &[u8], hash: usize) -> Option<(usize, Vec<u8>, Vec<u64>)> {
        const HEAD: usize = 8 + 256 * 4;
        if !bytes.starts_with(b"\xfftOc\0\0\0\x02") {
            return None;
        }
        let count = word(bytes, HEAD - 4)? as usize;
        let ids = bytes.get(HEAD..HEAD + count.checked_mul(hash)?)?;
        let small_at = HEAD + count * (hash + 4);
        let large_at = small_at + count * 4;
        let mut larges = 0;
        let mut offsets = Vec::with_capacity(count);
        for at in 0..count {
            let offset = word(bytes, small_at + at * 4)?;
            offsets.push(if offset & 0x8000_0000 == 0 {
                u64::from(offset)
            } else {
                larges += 1;
                let at = large_at + (offset & 0x7fff_ffff) as usize * 8;
                u64::from(word(bytes, at)?) << 32 | u64::from(word(bytes, at + 4)?)
            });
        }
        let is_all = bytes.len() == large_at + larges * 8 + 2 * hash;
        is_all.then(|| (hash, ids.to_vec(), offsets))
    }

    /// Returns the number of objects.
    pub(super) fn len(&self) -> usize {
        self.offsets.len()
    }

    fn id(&self, at: u32) -> &[u8] {
        let from = at as usize * self.hash;
        &self.ids[from..from + self.hash]
    }

    fn find(&self, id: &[u8]) -> Option<u32> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.id(middle as u32).cmp(id) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle as u32),
            }
        }
        None
    }

    fn at_offset(&self, offset: u64) -> Option<u32> {
        let found = self.in_order.binary_search_by_key(&offset, |at| self.offsets[*at as usize]).ok()?;
        self.in_order.get(found).copied()
    }

    /// Calls `show` with the id and bytes of each tree and commit.
    pub(super) fn each(&self, unpacker: &mut Unpacker, show: &mut Show<'_>) -> Result<(), Unknown> {
        let entries = self.entries()?;
        // For each object, the first delta against it; for each delta, the next delta against the same object.
        let (mut first, mut next) = (vec![NONE; entries.len()], vec![NONE; entries.len()]);
        for (at, entry) in entries.iter().enumerate() {
            if let What::Delta(base) = entry.what {
                next[at] = std::mem::replace(&mut first[base as usize], at as u32);
            }
        }
        let mut left: Vec<(u32, Rc<Vec<u8>>)> = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            let What::Whole(kind @ (Kind::Tree | Kind::Commit)) = entry.what else { continue };
            let bytes = self.unpack(at as u32, entry, unpacker)?;
            show(self.id(at as u32), kind, &bytes)?;
            let push = |left: &mut Vec<_>, of: u32, bytes: Vec<u8>| {
                let bytes = Rc::new(bytes);
                let mut child = first[of as usize];
                while child != NONE {
                    left.push((child, Rc::clone(&bytes)));
                    child = next[child as usize];
                }
            };
            push(&mut left, at as u32, bytes);
            while let Some((child, base)) = left.pop() {
                let delta = self.unpack(child, &entries[child as usize], unpacker)?;
                let bytes = applied(&base, &delta).ok_or(Unknown::NotUnderstood)?;
                unpacker.spend(bytes.len())?;
                show(self.id(child), kind, &bytes)?;
                push(&mut left, child, bytes);
            }
        }
        Ok(())
    }

    /// Returns the headers of all objects, in the order of the index.
    fn entries(&self) -> Result<Vec<Entry>, Unknown> {
        let mut entries = vec![Entry { data_at: 0, bytes: 0, what: What::Whole(Kind::Blob) }; self.len()];
        let mut window = Window::new(&self.file, self.end);
        for at in &self.in_order {
            let entry = self.entry(self.offsets[*at as usize], &mut window);
            entries[*at as usize] = entry.ok_or(Unknown::NotUnderstood)?;
        }
        Ok(entries)
    }

    fn entry(&self, offset: u64, window: &mut Window<'_>) -> Option<Entry> {
        let head = window.at(offset)?;
        let mut at = 0;
        let mut byte = *head.first()?;
        let kind = (byte >> 4) & 7;
        let (mut bytes, mut shift) = (u64::from(byte & 15), 4);
        while byte & 0x80 != 0 {
            at += 1;
            byte = *head.get(at)?;
            bytes |= u64::from(byte & 0x7f).checked_shl(shift).filter(|_| shift < 57)?;
            shift += 7;
        }
        at += 1;
        let what = match kind {
            1 => What::Whole(Kind::Commit),
            2 => What::Whole(Kind::Tree),
            3 => What::Whole(Kind::Blob),
            4 => What::Whole(Kind::Tag),
            6 => {
                let (back, next) = back(head, at)?;
                at = next;
                What::Delta(self.at_offset(offset.checked_sub(back).filter(|_| back > 0)?)?)
            }
            7 => {
                let base = self.find(head.get(at..at + self.hash)?)?;
                at += self.hash;
                What::Delta(base)
            }
            _ => return None,
        };
        Some(Entry { data_at: offset + at as u64, bytes: usize::try_from(bytes).ok()?, what })
    }

    fn unpack(&self, at: u32, entry: &Entry, unpacker: &mut Unpacker) -> Result<Vec<u8>, Unknown> {
        let offset = self.offsets[at as usize];
        let after = self.in_order.partition_point(|at| self.offsets[*at as usize] <= offset);
        let end = self.in_order.get(after).map_or(self.end, |at| self.offsets[*at as usize]);
        let packed = end.checked_sub(entry.data_at).ok_or(Unknown::NotUnderstood)?;
        if packed > MOST_OBJECT_BYTES as u64 || entry.bytes > MOST_OBJECT_BYTES {
            return Err(Unknown::TooLarge);
        }
        let mut bytes = vec![0; packed as usize];
        self.file.read_exact_at(&mut bytes, entry.data_at).map_err(|_| Unknown::NotUnderstood)?;
        unpacker.whole(&bytes, entry.bytes)
    }
}

/// The headers of objects, read in file order: several at once if objects are small.
struct Window<'a> {
    file: &'a File,
    end: u64,
    from: u64,
    bytes: Vec<u8>,
}

impl<'a> Window<'a> {
    const BYTES: usize = 4 * 1024;
    /// Longer than the header of any object.
    const HEAD: usize = 64;

    fn new(file: &'a File, end: u64) -> Self {
        Self { file, end, from: 0, bytes: Vec::new() }
    }

    fn at(&mut self, offset: u64) -> Option<&[u8]> {
        let length = usize::try_from(self.end.checked_sub(offset)?).ok()?;
        let wanted = length.min(Self::HEAD);
        let is_here = offset >= self.from && offset + wanted as u64 <= self.from + self.bytes.len() as u64;
        if !is_here {
            self.bytes.resize(length.min(Self::BYTES), 0);
            self.file.read_exact_at(&mut self.bytes, offset).ok()?;
            self.from = offset;
        }
        self.bytes.get((offset - self.from) as usize..)
    }
}

/// Parses the distance to the base object of a delta. Returns it with the position after the number.
fn back(head: &[u8], mut at: usize) -> Option<(u64, usize)> {
    let mut byte = *head.get(at)?;
    let mut value = u64::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        at += 1;
        byte = *head.get(at)?;
        value = value.checked_add(1)?.checked_mul(128)?.checked_add(u64::from(byte & 0x7f))?;
    }
    Some((value, at + 1))
}

/// Applies a delta to its base object.
fn applied(base: &[u8], delta: &[u8]) -> Option<Vec<u8>> {
    let mut at = 0;
    let mut size = || {
        let (mut value, mut shift) = (0_usize, 0);
        loop {
            let byte = *delta.get(at)?;
            at += 1;
            value |= usize::from(byte & 0x7f).checked_shl(shift).filter(|_| shift < 57)?;
            shift += 7;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
    };
    let (from, to) = (size()?, size()?);
    if from != base.len() || to > MOST_OBJECT_BYTES {
        return None;
    }
    let mut made = Vec::with_capacity(to);
    while let Some(&order) = delta.get(at) {
        at += 1;
        if order & 0x80 == 0 {
            let bytes = delta.get(at..at + usize::from(order)).filter(|_| order != 0)?;
            made.extend_from_slice(bytes);
            at += usize::from(order);
        } else {
            let mut number = |bits: std::ops::Range<u8>| {
                let mut value = 0;
                for (byte, bit) in bits.enumerate() {
                    if order & (1 << bit) != 0 {
                        value |= usize::from(*delta.get(at)?) << (8 * byte);
                        at += 1;
                    }
                }
                Some(value)
            };
            let (from, length) = (number(0..4)?, number(4..7)?);
            let length = if length == 0 { 0x10000 } else { length };
            made.extend_from_slice(base.get(from..from.checked_add(length)?)?);
        }
        if made.len() > to {
            return None;
        }
    }
    (made.len() == to).then_some(made)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    Some(u32::from_be_bytes(bytes))
}

fn index_bytes(index: &Path) -> Result<Vec<u8>, Unknown> {
    let mut file = regular(index)?;
    let size = file.metadata().map_err(Unknown::unreadable(index))?.len();
    if size > (MOST_OBJECTS * 44) as u64 {
        return Err(Unknown::TooLarge);
    }
    let mut bytes = Vec::with_capacity(size as usize);
    file.read_to_end(&mut bytes).map_err(Unknown::unreadable(index))?;
    Ok(bytes)
}

/// Opens a regular file. Refuses pipes, which could block.
fn regular(path: &Path) -> Result<File, Unknown> {
    let is_file = path.metadata().map_err(Unknown::unreadable(path))?.is_file();
    match is_file {
        true => File::open(path).map_err(Unknown::unreadable(path)),
        false => Err(Unknown::NotUnderstood),
    }
}
