//! Packed files, judged by what they hold: `zcat secrets.gz` prints what `cat secrets` would.

use super::fold;
use super::protected::is_secret_file;
use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use lzma_rust2::{LzmaReader, XzReader};
use ruzstd::decoding::StreamingDecoder;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use zip::ZipArchive;

/// How much of each file in a packed one is unpacked, in bytes.
const MAX_CONTENT: u64 = 4 * 1024;
/// The most memory that one unpacker may take, in KiB; `xz -9` needs 65 MB.
const MAX_MEMORY: u32 = 96 * 1024;
/// How often a file may be packed again and still be judged.
const MAX_DEPTH: u32 = 3;

/// Whether a packed file holds a secret, or cannot be unpacked far enough to tell. `None` where it is not packed.
/// `is_secret` judges one file in it by its name and by the beginning of its content.
pub(super) fn holds_secret(path: &Path, packed: &[u8], is_secret: fn(&Path, &[u8]) -> bool) -> Option<bool> {
    below(path, packed, is_secret, MAX_DEPTH)
}

fn below(path: &Path, packed: &[u8], is_secret: fn(&Path, &[u8]) -> bool, depth: u32) -> Option<bool> {
    let judge = |path: &Path, content: &[u8]| {
        let Some(depth) = depth.checked_sub(1) else { return true };
        below(path, content, is_secret, depth).unwrap_or_else(|| is_secret(path, content))
    };
    if packed.starts_with(b"PK\x03\x04") {
        return Some(in_archive(packed, judge).unwrap_or(true));
    }
    let content = match packed {
        [0x1f, 0x8b, ..] => beginning(MultiGzDecoder::new(packed)),
        [b'B', b'Z', b'h', ..] => beginning(MultiBzDecoder::new(packed)),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => beginning(XzReader::new_mem_limit(packed, true, MAX_MEMORY)),
        // The older format of the same tools, with its usual properties.
        [0x5d, 0, 0, ..] => LzmaReader::new_mem_limit(packed, MAX_MEMORY, None).and_then(beginning),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => {
            StreamingDecoder::new(packed).map_err(io::Error::other).and_then(beginning)
        }
        _ => return None,
    };
    Some(content.map_or(true, |content| judge(&path.with_extension(""), &content)))
}

/// The beginning of what an unpacker gives. A file that is cut off or damaged counts as far as it can be unpacked, as the
/// tools print it; an error means that nothing of it could be.
fn beginning(unpacked: impl Read) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    match unpacked.take(MAX_CONTENT).read_to_end(&mut content) {
        Err(error) if content.is_empty() => Err(error),
        _ => Ok(content),
    }
}

/// Whether a file in a zip archive is secret by its name or content.
fn in_archive(packed: &[u8], judge: impl Fn(&Path, &[u8]) -> bool) -> io::Result<bool> {
    let mut archive = ZipArchive::new(Cursor::new(packed))?;
    for at in 0..archive.len() {
        let entry = archive.by_index(at)?;
        let path = PathBuf::from(entry.name()?.as_ref());
        let name = path.file_name().map(|name| fold::name(&name.to_string_lossy())).unwrap_or_default();
        if is_secret_file(&name) || judge(&path, &beginning(entry)?) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lzma_rust2::{LzmaOptions, LzmaWriter, XzOptions, XzWriter};
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use std::io::Write;
    use zip::write::SimpleFileOptions;

    const TOKEN: &str = "token=ghp_a1B2c3D4e5a1B2c3D4e5a1B2c3D4e5a1B2c3D4e5\n";

    fn holds(name: &str, packed: &[u8]) -> Option<bool> {
        holds_secret(Path::new(name), packed, crate::path::content::is_credential)
    }

    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(content).unwrap();
        gzip.finish().unwrap()
    }

    fn bzip2(content: &[u8]) -> Vec<u8> {
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
        bzip2.write_all(content).unwrap();
        bzip2.finish().unwrap()
    }

    fn xz(content: &[u8]) -> Vec<u8> {
        let mut xz = XzWriter::new(Vec::new(), XzOptions::with_preset(6)).unwrap();
        xz.write_all(content).unwrap();
        xz.finish().unwrap()
    }

    fn lzma(content: &[u8]) -> Vec<u8> {
        let mut lzma = LzmaWriter::new_use_header(Vec::new(), &LzmaOptions::with_preset(6), None).unwrap();
        lzma.write_all(content).unwrap();
        lzma.finish().unwrap()
    }

    fn zstd(content: &[u8]) -> Vec<u8> {
        compress_to_vec(content, CompressionLevel::Fastest)
    }

    fn zip(entries: &[(&str, &str)]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in entries {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(content.as_bytes()).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    /// `zcat secrets.gz`, then `bzcat`, `xzcat`, `zstdcat` and `unzip -p` ran unasked.
    #[test]
    fn a_packed_file_is_judged_by_what_it_holds() {
        for pack in [gzip, bzip2, xz, lzma, zstd] {
            assert_eq!(holds("notes", &pack(TOKEN.as_bytes())), Some(true));
            assert_eq!(holds("log", &pack(b"2026-11-25 started\n")), Some(false));
            // What unpacks to very much is not unpacked beyond what is looked at.
            assert_eq!(holds("large", &pack(&vec![b' '; 500_000])), Some(false));
        }
        let settings = gzip(b"{\"refresh_token\": \"1//0gLk3jH5sPq9Zx8Wv7\"}");
        assert_eq!(holds("settings.json.gz", &settings), Some(true));
        assert_eq!(holds("a.zip", &zip(&[("a.txt", "text"), ("b/c.txt", TOKEN)])), Some(true));
        assert_eq!(holds("a.zip", &zip(&[("app/.env", "A=1")])), Some(true));
        assert_eq!(holds("a.zip", &zip(&[("a.txt", "text")])), Some(false));
        assert_eq!(holds("plain", TOKEN.as_bytes()), None);
    }

    #[test]
    fn a_file_that_was_packed_twice_is_judged_and_what_lies_deeper_counts_as_secret() {
        assert_eq!(holds("a.gz.gz", &gzip(&gzip(TOKEN.as_bytes()))), Some(true));
        assert_eq!(holds("a.gz.gz", &gzip(&gzip(b"text"))), Some(false));
        let deep = (0..MAX_DEPTH + 2).fold(b"text".to_vec(), |content, _| gzip(&content));
        assert_eq!(holds("deep.gz", &deep), Some(true));
    }

    #[test]
    fn damaged_files_count_as_far_as_they_unpack_and_those_that_do_not_unpack_as_secret() {
        let whole = gzip(TOKEN.repeat(100).as_bytes());
        assert_eq!(holds("cut.gz", &whole[..whole.len() - 8]), Some(true));
        assert_eq!(holds("cut.gz", &whole[..12]), Some(true));
        assert_eq!(holds("large.xz", &with_large_dictionary(xz(b"text"))), Some(true));
    }

    /// The same file with a dictionary of 3 GB, which `xzcat` would allocate.
    fn with_large_dictionary(mut xz: Vec<u8>) -> Vec<u8> {
        let header = 12;
        let sum = header + usize::from(xz[header]) * 4;
        let filter = (header..sum).find(|at| xz[*at..].starts_with(&[0x21, 1])).unwrap();
        xz[filter + 2] = 39;
        let mut crc = flate2::Crc::new();
        crc.update(&xz[header..sum]);
        xz[sum..sum + 4].copy_from_slice(&crc.sum().to_le_bytes());
        xz
    }
}
