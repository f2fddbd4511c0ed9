//! Recognizes certificates by their content. Certificates are public, but files with the same names can contain
//! private keys.
//!
//! A file is recognized only if all of its content is: PEM blocks of public kinds, and short plain text around them.

use super::content;
use rustix::fs::OFlags;
use std::fs::OpenOptions;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The size of the largest file that is read, in bytes. A bundle of all certificate authorities is smaller.
const MOST_BYTES: u64 = 512 * 1024;
/// The kinds of PEM blocks that are public.
const PUBLIC: &[&str] = &[
    "CERTIFICATE",
    "CERTIFICATE REQUEST",
    "DH PARAMETERS",
    "NEW CERTIFICATE REQUEST",
    "PUBLIC KEY",
    "RSA PUBLIC KEY",
    "TRUSTED CERTIFICATE",
    "X509 CERTIFICATE",
    "X509 CRL",
];

/// Whether a file's extension is used for both certificates and private keys.
pub(super) fn may_be_named(name: &str) -> bool {
    name.ends_with(".pem")
}

/// Whether a file contains nothing but certificates and other public PEM blocks.
pub(super) fn is_certificate(path: &Path) -> bool {
    // Opening a pipe could block forever. A link is judged by its target.
    let flags = OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(path);
    let Ok(file) = opened else { return false };
    let is_small = file.metadata().is_ok_and(|meta| meta.is_file() && meta.len() <= MOST_BYTES);
    let mut text = String::new();
    is_small
        && file.take(MOST_BYTES).read_to_string(&mut text).is_ok()
        && is_public(&text)
        && !content::is_credential(path, text.as_bytes())
}

fn is_public(text: &str) -> bool {
    let mut block: Option<&str> = None;
    let (mut blocks, mut lines_of_block) = (0, 0);
    for line in text.lines() {
        let line = line.trim_end();
        let marked = |mark: &str| line.strip_prefix(mark).and_then(|rest| rest.strip_suffix("-----"));
        match (block, marked("-----BEGIN "), marked("-----END ")) {
            (None, Some(kind), _) if PUBLIC.contains(&kind) => (block, lines_of_block) = (Some(kind), 0),
            (Some(kind), _, Some(ended)) if ended == kind && lines_of_block > 0 => {
                block = None;
                blocks += 1;
            }
            (Some(_), None, None) if is_encoded(line, lines_of_block == 0) => lines_of_block += 1,
            (None, None, None) if is_remark(line) => {}
            _ => return false,
        }
    }
    block.is_none() && blocks > 0
}

/// Whether a line is base64, as in a PEM block. The first line of a block starts with `M`: DER starts with a
/// SEQUENCE, whose tag determines the first base64 letter.
fn is_encoded(line: &str, is_first: bool) -> bool {
    const LONGEST: usize = 80;
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
    !line.is_empty()
        && line.len() <= LONGEST
        && line.chars().all(is_letter)
        && (!is_first || line.starts_with('M'))
}

/// Whether a line is plain text between blocks, as tools add it: names, dates, and numbers with colons, but no word
/// that is long enough to be another key.
fn is_remark(line: &str) -> bool {
    const LONGEST: usize = 400;
    const LONGEST_WORD: usize = 20;
    let is_long = |word: &str| word.len() > LONGEST_WORD && word.chars().any(|c| c.is_ascii_digit());
    let words = line.split(|c: char| !(c.is_alphanumeric() || "+/=_-".contains(c)));
    line.len() <= LONGEST
        && !line.starts_with("-----")
        && !line.chars().any(|c| c.is_control() && c != '\t')
        && !words.into_iter().any(is_long)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CERTIFICATE: &str =
        "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQx\nAbCd+/==\n-----END CERTIFICATE-----\n";

    #[test]
    fn certificates_are_known_with_what_tools_write_around_them() {
        for text in [
            CERTIFICATE.to_owned(),
            format!("{CERTIFICATE}\n# the authority\n{CERTIFICATE}"),
            format!("subject=CN = example.test\nSerial Number:\n    1a:2b:3c:4d:5e:6f\n{CERTIFICATE}"),
            CERTIFICATE.replace("CERTIFICATE", "PUBLIC KEY"),
            CERTIFICATE.replace('\n', "\r\n"),
        ] {
            assert!(is_public(&text), "{text}");
        }
    }

    #[test]
    fn anything_else_in_a_file_makes_it_a_secret() {
        let key = CERTIFICATE.replace("CERTIFICATE", "PRIVATE KEY");
        for text in [
            String::new(),
            "no blocks\n".to_owned(),
            key.clone(),
            format!("{CERTIFICATE}{key}"),
            format!("{CERTIFICATE}token: a1b2c3d4e5f6a7b8c9d0e1f2\n"),
            CERTIFICATE.replace("MIIB", "AIIB"),
            CERTIFICATE.replace("AbCd", "Ab Cd"),
            CERTIFICATE.replace("-----END CERTIFICATE-----\n", ""),
            format!("-----BEGIN CERTIFICATE-----\n{CERTIFICATE}"),
            "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n".to_owned(),
        ] {
            assert!(!is_public(&text), "{text}");
        }
    }
}
