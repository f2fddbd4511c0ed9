//! What the text of a path alone says, before the file system is looked at.

use super::Refused;
use crate::unseen::{escape, is_unseen, piles_marks};
use deputy_protocol::Risk;

/// The longest path that the kernel takes, in bytes, without the closing NUL (`PATH_MAX` of Linux).
const MAX_BYTES: usize = 4095;
/// The longest name of a file or folder, in bytes (`NAME_MAX`).
const MAX_NAME_BYTES: usize = 255;

/// Refuses texts that name no file at all, or that a person would not expect to be taken literally.
pub(super) fn impossible(text: &str) -> Option<Refused> {
    let reason = if text.is_empty() {
        "an empty path names nothing; use `.` for the working directory".to_owned()
    } else if text.contains('\0') {
        "a path cannot hold a NUL character".to_owned()
    } else if text.len() > MAX_BYTES {
        format!("a path may have at most {MAX_BYTES} bytes, this one has {}", text.len())
    } else if text.split('/').any(|name| name.len() > MAX_NAME_BYTES) {
        format!("a name in a path may have at most {MAX_NAME_BYTES} bytes")
    } else if text.starts_with('~') {
        "`~` is not expanded here; write the path out from `/`".to_owned()
    } else if text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("file:")) {
        "`file:` addresses are not paths; write the path itself".to_owned()
    } else {
        return None;
    };
    Some(Refused::deny(Risk::Low, reason))
}

/// Asks about characters that a person would not see.
pub(super) fn unseen(text: &str) -> Option<Refused> {
    (text.chars().any(is_unseen) || piles_marks(text)).then(|| {
        Refused::ask(Risk::High, format!("the path holds characters that do not show: {}", escape(text)))
    })
}

/// Names that Windows reads as something else: another drive, a stream, a device, or a name without its tail.
pub(crate) fn windows_meaning(text: &str) -> Option<&'static str> {
    let bytes = text.as_bytes();
    if text.contains('\\') {
        return Some("a backslash separates folders on Windows");
    }
    if bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' {
        return Some("a letter and a colon name a drive on Windows");
    }
    if text.contains("::$") {
        return Some("`::$` names a stream on Windows");
    }
    text.split('/').filter(|name| !matches!(*name, "" | "." | "..")).find_map(windows_name)
}

fn windows_name(name: &str) -> Option<&'static str> {
    if name.ends_with(['.', ' ']) {
        return Some("Windows drops dots and blanks at the end of a name");
    }
    let stem = name.split(['.', ':']).next().unwrap_or(name).trim_end().to_ascii_lowercase();
    let numbered = |device: &str| {
        stem.strip_prefix(device)
            .is_some_and(|n| n.chars().count() == 1 && n.contains(|c: char| "0123456789¹²³".contains(c)))
    };
    let device = matches!(stem.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$" | "clock$");
    (device || numbered("com") || numbered("lpt")).then_some("the name is a device on Windows")
}
