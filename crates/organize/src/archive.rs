//! Opens archives within fixed limits on time and memory, whatever their content.

use std::fs::File;
use std::io::BufReader;
use zip::ZipArchive;

/// The maximum number of entries. An archive with more is not opened.
const MOST_ENTRIES: u64 = 20_000;

/// The minimum size of an entry in the archive's directory, in bytes. With it, the size of the directory limits the
/// number of entries.
const LEAST_ENTRY: u64 = 46;

/// Opens a ZIP archive for reading. `None` if the file is not a ZIP archive, is damaged, or has too many entries.
pub fn open(file: &File) -> Option<ZipArchive<BufReader<File>>> {
    if directory_bytes(file)? > MOST_ENTRIES * (LEAST_ENTRY + 100) {
        return None;
    }
    let own = file.try_clone().ok()?;
    let archive = ZipArchive::new(BufReader::new(own)).ok()?;
    (archive.len() as u64 <= MOST_ENTRIES).then_some(archive)
}

/// Returns the size of the directory at the end of the archive, according to the last record.
fn directory_bytes(file: &File) -> Option<u64> {
    use std::os::unix::fs::FileExt;
    /// The size of the record and of the longest comment that may follow it, in bytes.
    const MOST_TAIL: u64 = 22 + 65_535;
    let size = file.metadata().ok()?.len();
    let start = size.saturating_sub(MOST_TAIL);
    let mut tail = vec![0; usize::try_from(size - start).ok()?];
    file.read_exact_at(&mut tail, start).ok()?;
    let record = tail.windows(22).rposition(|window| window.starts_with(b"PK\x05\x06"))?;
    let bytes = tail.get(record + 12..record + 16)?;
    Some(u64::from(u32::from_le_bytes(bytes.try_into().ok()?)))
}
