//! Compares two versions of a text file: the lines that were added and removed, and a unified diff of limited length.

use super::stored::Stored;
use crate::text::escaped;
use deputy_protocol::ChangedLines;
use similar::{ChangeTag, TextDiff};
use std::time::Duration;

/// The maximum size of a file to compare, in bytes.
pub const LARGEST_COMPARED: u64 = 1_000_000;
/// The maximum length of a diff, in lines and characters.
const DIFF_LINES: usize = 400;
const DIFF_CHARS: usize = 40_000;
/// The time after which the diff algorithm settles for a coarser result.
const DIFF_TIME: Duration = Duration::from_millis(200);

/// Two versions of a text.
pub struct Compared {
    /// `None` if the file did not exist.
    old: Option<String>,
    /// `None` if the file does not exist any more.
    new: Option<String>,
}

impl Compared {
    /// Decodes the contents of a file before and after a change. `None` if one is not a text, or is too long to compare.
    pub fn of(old: Option<&[u8]>, new: Option<&[u8]>) -> Option<Self> {
        let text = |bytes: Option<&[u8]>| match bytes {
            None => Some(None),
            Some(bytes) if bytes.len() as u64 > LARGEST_COMPARED => None,
            // A text with NUL bytes is in UTF-16, which begins with a byte order mark.
            Some(bytes) if bytes.contains(&0) && encoding_rs::Encoding::for_bom(bytes).is_none() => None,
            Some(bytes) => Stored::read(bytes).map(|stored| Some(stored.text)),
        };
        Some(Self { old: text(old)?, new: text(new)? })
    }

    /// Returns how many lines were added and removed.
    pub fn lines(&self) -> ChangedLines {
        let (old, new) = (self.old.as_deref().unwrap_or(""), self.new.as_deref().unwrap_or(""));
        let compared = TextDiff::configure().timeout(DIFF_TIME).diff_lines(old, new);
        let count = |tag: ChangeTag| {
            let changes = compared.iter_all_changes().filter(|change| change.tag() == tag);
            u32::try_from(changes.count()).unwrap_or(u32::MAX)
        };
        ChangedLines { added: count(ChangeTag::Insert), removed: count(ChangeTag::Delete) }
    }

    /// Returns a unified diff, cut to a limited length.
    pub fn diff(&self, path: &str) -> String {
        unified(path, self.old.as_deref(), self.new.as_deref())
    }
}

/// Returns a unified diff of a text that is to be written. `None` if it is too long to compare.
pub(super) fn diff(path: &str, old: Option<&str>, new: &str) -> Option<String> {
    (new.len() as u64 <= LARGEST_COMPARED).then(|| unified(path, old, Some(new)))
}

/// Returns one unified diff of several files, as path, old text and new text, cut to a limited length. A text that is too
/// long to compare is left out.
pub(super) fn diff_of_all<'a>(
    files: impl Iterator<Item = (&'a str, Option<&'a str>, Option<&'a str>)>,
) -> String {
    let is_short = |text: Option<&str>| text.is_none_or(|text| text.len() as u64 <= LARGEST_COMPARED);
    let short = files.filter(|(_, old, new)| is_short(*old) && is_short(*new));
    let diffs: Vec<String> = short.map(|(path, old, new)| whole(path, old, new)).collect();
    bounded(&diffs.concat())
}

fn unified(path: &str, old: Option<&str>, new: Option<&str>) -> String {
    bounded(&whole(path, old, new))
}

fn whole(path: &str, old: Option<&str>, new: Option<&str>) -> String {
    let (before, after) = (old.unwrap_or(""), new.unwrap_or(""));
    let compared = TextDiff::configure().timeout(DIFF_TIME).diff_lines(before, after);
    let named = |side: &str, text: Option<&str>| match text {
        Some(_) => format!("{side}/{path}"),
        None => "/dev/null".to_owned(),
    };
    compared.unified_diff().context_radius(3).header(&named("a", old), &named("b", new)).to_string()
}

/// Limits the diff to whole lines, and escapes characters that would hide text on a screen.
fn bounded(text: &str) -> String {
    let mut shown = String::new();
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        if at == DIFF_LINES || shown.len() + line.len() > DIFF_CHARS {
            shown.push_str(&format!("[... {} more lines of the diff]\n", lines.len() - at));
            break;
        }
        // Tabs are harmless, so they are not escaped.
        let parts: Vec<_> = line.split('\t').map(escaped).collect();
        shown.push_str(&parts.join("\t"));
        shown.push('\n');
    }
    shown
}
