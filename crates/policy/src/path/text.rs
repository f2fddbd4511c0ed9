//! Checks of a path's text, before the file system is accessed.

use super::Refused;
use crate::unseen::{escape, is_unseen, piles_marks};
use deputy_messages::policy as say;
use deputy_protocol::{Phrase, Risk};

/// The maximum length of a path in the kernel, in bytes, without the closing NUL (`PATH_MAX` of Linux).
const MAX_BYTES: usize = 4095;
/// The maximum length of the name of a file or folder, in bytes (`NAME_MAX`).
const MAX_NAME_BYTES: usize = 255;

/// Refuses texts that cannot name a file, or that people would not expect to be taken literally.
pub(super) fn impossible(text: &str) -> Option<Refused> {
    let reason = if text.is_empty() {
        say::empty_path_names_nothing()
    } else if text.contains('\0') {
        say::path_cannot_hold_nul()
    } else if text.len() > MAX_BYTES {
        say::path_may_have_most(MAX_BYTES, text.len())
    } else if text.split('/').any(|name| name.len() > MAX_NAME_BYTES) {
        say::name_path_may_have(MAX_NAME_BYTES)
    } else if text.starts_with('~') {
        say::not_expanded_here_write()
    } else if text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("file:")) {
        say::file_addresses_not_paths()
    } else {
        return None;
    };
    Some(Refused::deny(Risk::Low, reason))
}

/// Asks about invisible characters.
pub(super) fn unseen(text: &str) -> Option<Refused> {
    (text.chars().any(is_unseen) || piles_marks(text))
        .then(|| Refused::ask(Risk::High, say::path_holds_characters_do(escape(text))))
}

/// Whether a path can be shown to a person exactly as it is.
pub(crate) fn can_be_shown(text: &str) -> bool {
    impossible(text).is_none() && unseen(text).is_none()
}

/// Returns the reason if Windows interprets the name differently: as another drive, a stream, a device, or a name
/// without its trailing characters.
pub(crate) fn windows_meaning(text: &str) -> Option<Phrase> {
    let bytes = text.as_bytes();
    if text.contains('\\') {
        return Some(say::backslash_separates_folders_windows());
    }
    if bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' {
        return Some(say::letter_colon_name_drive());
    }
    if text.contains("::$") {
        return Some(say::names_stream_windows());
    }
    text.split('/').filter(|name| !matches!(*name, "" | "." | "..")).find_map(windows_name)
}

fn windows_name(name: &str) -> Option<Phrase> {
    if name.ends_with(['.', ' ']) {
        return Some(say::windows_drops_dots_blanks());
    }
    let stem = name.split(['.', ':']).next().unwrap_or(name).trim_end().to_ascii_lowercase();
    let numbered = |device: &str| {
        stem.strip_prefix(device)
            .is_some_and(|n| n.chars().count() == 1 && n.contains(|c: char| "0123456789¹²³".contains(c)))
    };
    let device = matches!(stem.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$" | "clock$");
    (device || numbered("com") || numbered("lpt")).then_some(say::name_device_windows())
}
