//! Packed files, judged by their unpacked content: `zcat secrets.gz` prints a secret like `cat secrets`, and `cat
//! backup.tar` prints every file in the archive.

mod kept;
mod source;
mod tar;
mod zstd;

use super::content::is_worth_a_look;
use super::fold;
use super::protected::is_secret_file;
use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use lzma_rust2::{LzmaReader, XzReader};
use source::{Counted, Source};
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use zip::ZipArchive;
use zstd::Frames;

pub(super) use kept::holds_secret_still;
pub(crate) use source::begin;

/// The number of bytes that are checked of each file in a packed file.
const MAX_CONTENT: usize = 4 * 1024;
/// The maximum memory of an unpacker, in KiB. `xz -9` needs 65 MB.
const MAX_MEMORY: u32 = 96 * 1024;
/// The maximum number of layers of packing that are unpacked.
const MAX_DEPTH: u32 = 5;
/// The number of files in an archive whose content is checked regardless of their names. The content of later files
/// is checked only if their names hint at credentials.
const MAX_LOOKS: u32 = 64;
/// The size of the largest archive inside another packed file that is checked, in bytes.
const MAX_INNER: u64 = 1024 * 1024;
/// The number of bytes at the end of a file that are searched for the directory of a zip archive. The archive may
/// have other data before it.
const TAIL: u64 = 4 * 1024;

/// Judges a file by its name and the beginning of its content.
pub(super) type Judge = fn(&Path, &[u8]) -> bool;

/// Whether a packed file contains a secret, or cannot be unpacked far enough to tell. `None` if the file is not
/// packed.
fn holds_secret(path: &Path, mut file: &File, is_secret: Judge) -> Option<bool> {
    // The format of a file must be determined even if the allowance for unpacking is used up.
    let mut head = Vec::new();
    file.take(MAX_CONTENT as u64).read_to_end(&mut head).ok()?;
    let format = match Format::of(&head) {
        Some(format) => format,
        None if ends_as_zip(file) => Format::Zip,
        None => return None,
    };
    let is_at_start = file.seek(SeekFrom::Start(0)).is_ok();
    Some(!is_at_start || Looking { is_secret, depth: MAX_DEPTH }.within(path, format, Source::File(file)))
}

/// Whether the end of a file contains the directory of a zip archive.
fn ends_as_zip(mut file: &File) -> bool {
    let mut tail = Vec::new();
    let begin = file.metadata().map_or(0, |metadata| metadata.len().saturating_sub(TAIL));
    let read = file.seek(SeekFrom::Start(begin)).and_then(|_| file.take(TAIL).read_to_end(&mut tail));
    read.is_ok() && tail.windows(4).any(|four| four == b"PK\x05\x06")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Gzip,
    Bzip2,
    Xz,
    /// The older format of the xz tools.
    Lzma,
    Zstd,
    Zip,
    Tar,
    /// A format that the tools unpack but Deputy does not.
    Other,
}

impl Format {
    fn of(head: &[u8]) -> Option<Self> {
        Some(match head {
            [b'P', b'K', 3, 4, ..] => Self::Zip,
            [0x1f, 0x8b, ..] => Self::Gzip,
            [b'B', b'Z', b'h', ..] => Self::Bzip2,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            // `compress`, `pack` and `lzh`, which gzip unpacks; lzip; LZ4 and older Zstandard, which zstd unpacks.
            [0x1f, 0x9d | 0x9e | 0x1e | 0xa0, ..]
            | [b'L', b'Z', b'I', b'P', ..]
            | [0x04, 0x22, 0x4d, 0x18, ..]
            | [0x02, 0x21, 0x4c, 0x18, ..]
            | [0x1e..=0x27, 0xb5, 0x2f, 0xfd, ..] => Self::Other,
            _ if is_lzma(head) => Self::Lzma,
            _ if tar::begins(head) => Self::Tar,
            _ => return None,
        })
    }
}

/// The same checks as in xz: plausible properties, a common dictionary size, and a size that is unknown or small.
fn is_lzma(head: &[u8]) -> bool {
    let Some((head, _)) = head.split_first_chunk::<13>() else { return false };
    let [properties, dictionary @ .., _, _, _, _, _, _, _, _] = *head;
    let dictionary = u32::from_le_bytes(dictionary);
    let size = head[5..].iter().rev().fold(0_u64, |size, byte| size << 8 | u64::from(*byte));
    let rounded = (dictionary >> 1).checked_next_power_of_two();
    properties < 9 * 5 * 5
        && properties % 9 + properties / 9 % 5 <= 4
        && dictionary >= 4096
        && (dictionary.is_power_of_two()
            || dictionary == u32::MAX
            || rounded.is_some_and(|half| half / 2 * 3 == dictionary || half + half / 2 == dictionary))
        && (size == u64::MAX || size < 1 << 38)
}

#[derive(Clone, Copy)]
struct Looking {
    is_secret: Judge,
    depth: u32,
}

impl Looking {
    /// Whether a packed file unpacks to something secret. A file that cannot be unpacked counts as secret.
    fn within(self, path: &Path, format: Format, source: Source<'_>) -> bool {
        let Some(depth) = self.depth.checked_sub(1) else { return true };
        let deeper = Self { depth, ..self };
        let inside = path.with_extension("");
        let unpacked: io::Result<Box<dyn Read + '_>> = match format {
            Format::Other => return true,
            Format::Tar => return deeper.tar(source).unwrap_or(true),
            Format::Zip => return deeper.zip(source).unwrap_or(true),
            Format::Gzip => Ok(Box::new(MultiGzDecoder::new(source))),
            Format::Bzip2 => Ok(Box::new(MultiBzDecoder::new(source))),
            Format::Xz => Ok(Box::new(XzReader::new_mem_limit(source, true, MAX_MEMORY))),
            Format::Lzma => LzmaReader::new_mem_limit(source, MAX_MEMORY, None).map(|it| Box::new(it) as _),
            Format::Zstd => Ok(Box::new(Frames::new(Box::new(source)))),
        };
        unpacked.map_or(true, |unpacked| deeper.stream(&inside, unpacked))
    }

    /// Whether the content of a stream is secret. A truncated or damaged stream is checked as far as it can be read,
    /// because the tools print that part. A stream that fails immediately counts as secret.
    fn stream(self, path: &Path, stream: Box<dyn Read + '_>) -> bool {
        let mut source = Source::Stream(stream);
        let Ok(head) = source.head() else { return true };
        match Format::of(&head) {
            Some(format) => self.within(path, format, source.behind(head)),
            None => (self.is_secret)(path, &head),
        }
    }

    /// Whether a file in an archive is secret by its name.
    fn is_named_secret(path: &Path) -> bool {
        let name = path.file_name().map(|name| fold::name(&name.to_string_lossy())).unwrap_or_default();
        is_secret_file(&name)
    }

    fn zip(self, source: Source<'_>) -> io::Result<bool> {
        match source {
            Source::File(file) => self.zip_in(Counted(file)),
            Source::Stream(stream) => {
                let mut packed = Vec::new();
                stream.take(MAX_INNER + 1).read_to_end(&mut packed)?;
                if packed.len() as u64 > MAX_INNER {
                    return Ok(true);
                }
                self.zip_in(Cursor::new(packed))
            }
        }
    }

    fn zip_in(self, packed: impl Read + Seek) -> io::Result<bool> {
        let mut archive = ZipArchive::new(packed)?;
        let mut looks = MAX_LOOKS;
        for at in 0..archive.len() {
            let entry = archive.by_index(at)?;
            let path = PathBuf::from(entry.name()?.as_ref());
            if Self::is_named_secret(&path)
                || is_looked_at(&path, &mut looks) && self.stream(&path, Box::new(entry))
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn tar(self, source: Source<'_>) -> io::Result<bool> {
        let mut looks = MAX_LOOKS;
        let mut archive = tar::Entries::new(source);
        while let Some(entry) = archive.next()? {
            let paths = entry.names.iter().map(PathBuf::from).collect::<Vec<_>>();
            let Some(path) = paths.last().filter(|_| entry.is_file) else { continue };
            if paths.iter().any(|path| Self::is_named_secret(path)) {
                return Ok(true);
            }
            if is_looked_at(path, &mut looks) && self.stream(path, Box::new(archive.content())) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether to check the content of a file in an archive: true for the first files, and for those whose names hint at
/// credentials.
fn is_looked_at(path: &Path, looks: &mut u32) -> bool {
    let is_early = *looks > 0;
    *looks = looks.saturating_sub(1);
    is_early || is_worth_a_look(path)
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
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(packed).unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        begin();
        holds_secret(Path::new(name), &file, crate::path::content::is_credential)
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

    /// Regression test: `zcat secrets.gz` and the same with `bzcat`, `xzcat`, `zstdcat` and `unzip -p` ran without
    /// asking.
    #[test]
    fn a_packed_file_is_judged_by_what_it_holds() {
        for pack in [gzip, bzip2, xz, lzma, zstd] {
            assert_eq!(holds("notes", &pack(TOKEN.as_bytes())), Some(true));
            assert_eq!(holds("log", &pack(b"2026-11-25 started\n")), Some(false));
            // A file that unpacks to a huge size is unpacked only as far as it is checked.
            assert_eq!(holds("large", &pack(&vec![b' '; 500_000])), Some(false));
        }
        let settings = gzip(b"{\"refresh_token\": \"1//0gLk3jH5sPq9Zx8Wv7\"}");
        assert_eq!(holds("settings.json.gz", &settings), Some(true));
        assert_eq!(holds("a.zip", &zip(&[("a.txt", "text"), ("b/c.txt", TOKEN)])), Some(true));
        assert_eq!(holds("a.zip", &zip(&[("app/.env", "A=1")])), Some(true));
        assert_eq!(holds("a.zip", &zip(&[("a.txt", "text")])), Some(false));
        assert_eq!(holds("plain", TOKEN.as_bytes()), None);
    }

    /// Returns an archive in the format that `tar` writes.
    fn tar(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = Vec::new();
        for (name, content) in entries {
            let mut header = [0_u8; 512];
            header[..name.len()].copy_from_slice(name.as_bytes());
            header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
            header[156] = b'0';
            header[257..265].copy_from_slice(b"ustar\x0000");
            header[148..156].copy_from_slice(b"        ");
            let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
            header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
            archive.extend_from_slice(&header);
            archive.extend_from_slice(content);
            archive.resize(archive.len().div_ceil(512) * 512, 0);
        }
        archive.resize(archive.len() + 1024, 0);
        archive
    }

    /// Regression test: `tar xOf backup.tgz`, `zcat backup.tgz` and `cat backup.tar` printed the `.env` in the
    /// archive.
    #[test]
    fn an_archive_of_tar_is_judged_by_the_files_in_it() {
        let large = vec![b'x'; 200_000];
        for pack in [|content: &[u8]| content.to_vec(), gzip, bzip2, xz, lzma, zstd] {
            for (archive, is_secret) in [
                (tar(&[("a.txt", b"text"), ("app/.env", b"A=1")]), true),
                (tar(&[("a.bin", &large), ("b/id_rsa", b"A")]), true),
                (tar(&[("a.bin", &large), ("notes", TOKEN.as_bytes())]), true),
                (tar(&[("a.bin", &large), ("notes.gz", &gzip(TOKEN.as_bytes()))]), true),
                (tar(&[("a.bin", &large), ("inner.zip", &zip(&[(".env", "A=1")]))]), true),
                (tar(&[("a.bin", &large), ("notes", b"text"), ("app/.env.example", b"A=")]), false),
            ] {
                assert_eq!(holds("a.tar", &pack(&archive)), Some(is_secret));
            }
        }
        let whole = tar(&[("a.txt", b"text"), ("b.txt", b"text")]);
        assert_eq!(holds("a.tar", &whole[..700]), Some(false));
        let strange = [whole.as_slice(), &[b'x'; 512]].concat();
        assert_eq!(holds("a.tar", &strange), Some(true));
    }

    /// Regression test: the padded size of an entry of 2^64 - 1 bytes overflowed.
    #[test]
    fn an_archive_with_an_impossible_size_counts_as_secret() {
        let mut archive = tar(&[("a.txt", b"text")]);
        archive.truncate(512);
        archive[124..136].copy_from_slice(b"\x80\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff");
        archive[148..156].fill(b' ');
        let sum: u32 = archive.iter().map(|byte| u32::from(*byte)).sum();
        archive[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        assert_eq!(holds("a.tar", &archive), Some(true));
    }

    /// `unzip -p` accepts archives of any size, and archives that are appended to a program.
    #[test]
    fn large_archives_and_those_with_something_in_front_are_judged() {
        let large = "line\n".repeat(100_000);
        let stored = zip(&[("a.txt", &large), ("b/.env", "A=1")]);
        assert_eq!(holds("a.zip", &stored), Some(true));
        let many: Vec<(String, String)> =
            (0..300).map(|at| (format!("{at}.txt"), "text".to_owned())).collect();
        let mut many: Vec<(&str, &str)> =
            many.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        assert_eq!(holds("a.zip", &zip(&many)), Some(false));
        many.push(("my-token", TOKEN));
        assert_eq!(holds("a.zip", &zip(&many)), Some(true));
        let behind = [b"#!/bin/sh\n".as_slice(), &zip(&[("b/.env", "A=1")])].concat();
        assert_eq!(holds("install", &behind), Some(true));
    }

    /// The tools unpack all frames: `zstdcat` skips empty frames and continues after the first one.
    #[test]
    fn every_frame_and_every_format_of_the_tools_counts() {
        let skipped = b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd";
        let hello = zstd(b"hello\n");
        assert_eq!(holds("a.zst", &[skipped, zstd(TOKEN.as_bytes()).as_slice()].concat()), Some(true));
        assert_eq!(
            holds("a.zst", &[&hello, skipped.as_slice(), &zstd(TOKEN.as_bytes())].concat()),
            Some(true)
        );
        assert_eq!(holds("a.zst", &[&hello, skipped.as_slice(), &hello].concat()), Some(false));
        for unknown in [
            b"\x04\x22\x4d\x18rest of it".as_slice(),
            b"\x1f\x9drest of it",
            b"LZIP\x01rest of it",
            b"\x25\xb5\x2f\xfdrest of it",
        ] {
            assert_eq!(holds("a", unknown), Some(true));
        }
        let mut options = LzmaOptions::with_preset(6);
        (options.lc, options.lp, options.pb) = (1, 2, 0);
        let mut lzma = LzmaWriter::new_use_header(Vec::new(), &options, None).unwrap();
        lzma.write_all(TOKEN.as_bytes()).unwrap();
        assert_eq!(holds("a.lzma", &lzma.finish().unwrap()), Some(true));
    }

    /// An archive that unpacks to more than is checked may contain anything.
    #[test]
    fn what_is_beyond_the_look_counts_as_secret() {
        let huge = vec![0; 20_000_000];
        assert_eq!(holds("a.tgz", &gzip(&tar(&[("a.bin", &huge)]))), Some(true));
        assert_eq!(holds("a.tar", &tar(&[("a.bin", &huge)])), Some(false));
        assert_eq!(holds("log.gz", &gzip(&huge)), Some(false));
    }

    /// Regression test: after a decision had used up its allowance, it took a packed file for an unpacked one.
    #[test]
    fn a_packed_file_is_known_as_one_however_much_was_unpacked_before() {
        assert_eq!(holds("a.tgz", &gzip(&tar(&[("a.bin", &vec![0; 20_000_000])]))), Some(true));
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&gzip(b"text")).unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        let is_secret = holds_secret(Path::new("a.gz"), &file, crate::path::content::is_credential);
        assert_eq!(is_secret, Some(true));
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

    /// Returns the same file with a dictionary of 3 GB, which `xzcat` would allocate.
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
