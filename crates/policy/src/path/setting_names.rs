//! Settings files, such as `.env`: what is left of one when all its values are masked.
//!
//! A text counts only if every line of it is understood. A value over several lines, or any other format, is not masked
//! in part: there is nothing to show of it.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The size of the largest settings file, in bytes.
const MOST_BYTES: u64 = 64 * 1024;
/// The longest name of a setting, in bytes. A longer one may be a value itself.
const LONGEST_NAME: usize = 64;
/// What is shown in place of a value.
const MASK: &str = "<hidden>";

/// Returns the content of a settings file with every value masked. `None` if it is anything else.
pub fn setting_names(file: File) -> Option<String> {
    let metadata = file.metadata().ok()?;
    if !metadata.is_file() || metadata.len() > MOST_BYTES {
        return None;
    }
    let mut text = String::new();
    file.take(MOST_BYTES + 1).read_to_string(&mut text).ok()?;
    (text.len() as u64 <= MOST_BYTES).then(|| masked(&text)).flatten()
}

/// Whether a file has the name of a settings file. Its content is not looked at before a person agrees.
pub(crate) fn is_settings_file(real: &Path) -> bool {
    real.file_name().is_some_and(|name| name.to_string_lossy().split('.').any(|part| part == "env"))
}

fn masked(text: &str) -> Option<String> {
    let mut settings = 0;
    let mut shown = String::new();
    for line in text.strip_prefix('\u{feff}').unwrap_or(text).lines() {
        match Line::of(line.trim())? {
            Line::Blank => {}
            // A comment may be a setting that somebody switched off.
            Line::Comment => shown.push_str("# <hidden>"),
            Line::Setting { name, is_set } => {
                settings += 1;
                shown.push_str(name);
                shown.push('=');
                shown.push_str(if is_set { MASK } else { "" });
            }
        }
        shown.push('\n');
    }
    (settings > 0).then_some(shown)
}

/// A line of a settings file.
enum Line<'a> {
    Blank,
    Comment,
    /// `NAME=value`, with or without `export`. The name is as written, with `export`.
    Setting {
        name: &'a str,
        is_set: bool,
    },
}

impl<'a> Line<'a> {
    /// Recognizes a line without the space around it.
    fn of(line: &'a str) -> Option<Self> {
        if line.is_empty() {
            return Some(Self::Blank);
        }
        if line.starts_with('#') {
            return Some(Self::Comment);
        }
        let (name, value) = line.split_once('=')?;
        let (name, value) = (name.trim_end(), value.trim_start());
        let bare = name.strip_prefix("export ").unwrap_or(name).trim_start();
        let is_set = !value.is_empty();
        (is_name(bare) && is_whole(value) && (is_set || is_one_case(bare)))
            .then_some(Self::Setting { name, is_set })
    }
}

fn is_name(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    name.len() <= LONGEST_NAME
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(is_part)
}

/// Whether a name is not mixed of capital and small letters, as base64 is, which may end in an equals sign.
fn is_one_case(name: &str) -> bool {
    !(name.chars().any(|c| c.is_ascii_uppercase()) && name.chars().any(|c| c.is_ascii_lowercase()))
}

/// Whether a value ends on its line. A quote that the line does not close continues on the next one, and so does a line
/// that ends in a backslash. A second equals sign belongs to base64.
fn is_whole(value: &str) -> bool {
    let quotes = |quote: char| value.chars().filter(|c| *c == quote).count();
    let is_closed = ['"', '\'', '`'].into_iter().all(|quote| quotes(quote) % 2 == 0);
    is_closed && !value.ends_with('\\') && !value.starts_with('=')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_settings_file_keeps_its_names_and_loses_its_values() {
        let text = "# old: TOKEN=abc\n\nDATABASE_URL=postgres://u:p@h/d\nexport API_KEY = 'k=1 # x'\nEMPTY=\n\
                    log.level=info\r\n";
        let names =
            "# <hidden>\n\nDATABASE_URL=<hidden>\nexport API_KEY=<hidden>\nEMPTY=\nlog.level=<hidden>\n";
        assert_eq!(masked(text).as_deref(), Some(names));
    }

    #[test]
    fn a_settings_file_is_known_by_its_name() {
        for name in [".env", ".env.local", "production.env", "app.env.bak"] {
            assert!(is_settings_file(&Path::new("/w").join(name)), "{name}");
        }
        for name in [".envrc", "env.py/key.pem", "environment", ".netrc", "id_rsa", ".."] {
            assert!(!is_settings_file(&Path::new("/w").join(name)), "{name}");
        }
    }

    #[test]
    fn anything_else_is_not_shown_in_part() {
        for text in [
            "",
            "# only a comment\n",
            "KEY=\"-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\"\n",
            "KEY='a\nb=c'\n",
            "KEY=a\\\nSECRET=b\n",
            "machine example.com login me password s3cret\n",
            "{\"key\": \"value=1\"}\n",
            "A=1\nhunter2\n",
            "[default]\nA=1\n",
            "dGhpcyBpcyBhIHNlY3JldCBvZiBtb3JlIHRoYW4gNjQgYnl0ZXMgYW5kIG5vIG5hbWU=\n",
            "dGhpcyBpcyBhIHNlY3JldA==\nA=1\n",
            "dGhpcyBpcyBhIHNlY3JldHM=\nA=1\n",
        ] {
            assert_eq!(masked(text), None, "{text}");
        }
    }
}
