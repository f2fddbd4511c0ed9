//! Secrets that a repository tracks: what git prints of files may be theirs, whatever stands in the folder now.

use super::git;
use crate::Situation;
use crate::path::Secrets;
use std::path::Path;

/// The largest index that is read.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// Flags that have only names, counts or kinds of changes shown.
const WITHOUT_CONTENT: &[&str] = &[
    "--stat",
    "--shortstat",
    "--numstat",
    "--name-only",
    "--name-status",
    "--raw",
    "--summary",
    "--compact-summary",
    "--no-patch",
    "--quiet",
    "-s",
    "-q",
];
/// Flags that have lines of files shown where only commits would be; longer and shorter forms count too.
const WITH_CONTENT: &[&str] = &[
    "--patch",
    "--unified",
    "--cc",
    "--diff-merges",
    "--remerge-diff",
    "--word-diff",
    "--color-words",
    "--function-context",
    "--check",
    "--binary",
];

/// Why a sub-command of git that only reads may print a secret that the repository tracks.
pub(super) fn shown(situation: &Situation, words: &[String], cwd: &Path) -> Option<String> {
    let at = words.iter().skip(1).position(|word| !word.starts_with('-'))? + 1;
    let (name, mut arguments) = (words[at].as_str(), &words[at + 1..]);
    let mut is_diff = name == "diff";
    if name == "stash" {
        is_diff = arguments.first().is_some_and(|next| next == "show");
        arguments = arguments.get(1..).unwrap_or_default();
    }
    let certain = |at: usize| at == 0 || is_certain(&arguments[at - 1]);
    let end = arguments.iter().enumerate().position(|(at, word)| word == "--" && certain(at));
    let before = &arguments[..end.unwrap_or(arguments.len())];
    let operands: Vec<&str> =
        before.iter().map(String::as_str).filter(|word| !word.starts_with('-')).collect();
    let is_short = || {
        let means = |at: usize, word: &String| WITHOUT_CONTENT.contains(&word.as_str()) && certain(at);
        before.iter().enumerate().any(|(at, word)| means(at, word))
            && !arguments.iter().any(|word| has_content(word))
    };
    let shows = match name {
        "grep" | "blame" | "annotate" => true,
        "cat-file" => {
            let has = |flag: &str| arguments.iter().any(|word| word == flag);
            has("-p") || !(has("-t") || has("-s") || has("-e"))
        }
        "status" => arguments.iter().any(|word| {
            word.starts_with("--v")
                || (!word.starts_with("--") && word.starts_with('-') && word.contains('v'))
        }),
        "show" => !is_short() || operands.iter().any(|operand| may_be_a_file(operand)),
        _ if is_diff => !is_short(),
        "log" | "reflog" | "stash" | "rev-list" | "shortlog" | "whatchanged" | "diff-tree" | "diff-index"
        | "diff-files" => arguments.iter().any(|word| has_content(word)),
        _ => false,
    };
    if !shows {
        return None;
    }
    let secrets = Secrets::of(situation);
    let named = |text: &&str| secrets.holds_inside(cwd, text.rsplit(':').next().unwrap_or(text));
    let paths = end.map(|end| &arguments[end + 1..]).unwrap_or_default();
    if let Some(named) = operands.iter().copied().chain(paths.iter().map(String::as_str)).find(named) {
        return Some(format!("Shows {}, which holds secrets.", crate::shell::characters::escaped(named)));
    }
    // Each of these is held against the path rules already.
    let is_inside = |operand: &&str| operand.split_once(':').is_some_and(|(_, inside)| !inside.is_empty());
    if matches!(name, "show" | "cat-file") && !operands.is_empty() && operands.iter().all(is_inside) {
        return None;
    }
    // And these show no other file than those that they name.
    if matches!(name, "blame" | "annotate") && !(operands.is_empty() && paths.is_empty()) {
        return None;
    }
    let folder = git::repository(cwd)?;
    let top = folder.parent()?;
    let of_blobs = operands.iter().any(|operand| may_be_a_file(operand));
    let follows = arguments.iter().any(|word| word.starts_with("--fo"));
    let below_top = cwd.strip_prefix(top).ok().filter(|_| !of_blobs && !follows);
    let only = below_top.and_then(|below_top| limits(below_top, paths));
    match secret_in_index(&folder.join("index"), &secrets, top, only.as_deref()) {
        Ok(None) => None,
        Ok(Some(file)) => Some(format!(
            "May show {}, which the repository tracks and which holds secrets.",
            crate::shell::characters::escaped(&file)
        )),
        Err(why) => Some(format!("May show secrets that the repository tracks: {why}.")),
    }
}

/// Whether the word after this one is a flag where it looks like one, and not a value.
fn is_certain(word: &str) -> bool {
    const ALONE: &[&str] = &["--oneline", "--graph", "--all", "--cached", "--staged", "-p", "--patch", "-u"];
    !word.starts_with('-') || WITHOUT_CONTENT.contains(&word) || ALONE.contains(&word)
}

fn has_content(word: &str) -> bool {
    if word.starts_with("--") {
        let name = word.split('=').next().unwrap_or(word);
        return name.len() > 3
            && WITH_CONTENT.iter().any(|flag| name.starts_with(flag) || flag.starts_with(name));
    }
    let Some(letters) = word.strip_prefix('-') else { return false };
    // Behind these letters stands a value.
    !letters.starts_with(['S', 'G', 'n', 'M', 'C', 'B']) && letters.contains(['p', 'u', 'U', 'c', 'm', 'W'])
}

/// Whether an operand may name the content of a file instead of a commit.
fn may_be_a_file(operand: &str) -> bool {
    operand.contains(':') || (operand.len() >= 4 && operand.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The files and folders, from the top of the repository, that a command is limited to; `None` where that is unknown.
fn limits(below_top: &Path, paths: &[String]) -> Option<Vec<String>> {
    if paths.is_empty() {
        return None;
    }
    let limit = |path: &String| {
        let is_plain = !path.starts_with(['/', '~', '-'])
            && !path.contains(['*', '?', '[', ':', '\\', '^', '!'])
            && !path.split('/').any(|name| name == "..");
        let joined = below_top.join(path);
        let names = joined.components().map(|name| name.as_os_str().to_string_lossy().to_ascii_lowercase());
        is_plain.then(|| names.filter(|name| name != ".").collect::<Vec<_>>().join("/"))
    };
    paths.iter().map(limit).collect()
}

/// A secret that an index lists, of those below `only`; why that cannot be known otherwise.
fn secret_in_index(
    index: &Path,
    secrets: &Secrets,
    top: &Path,
    only: Option<&[String]>,
) -> Result<Option<String>, String> {
    let meta = match index.metadata() {
        Ok(meta) => meta,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("its index cannot be read ({error})")),
    };
    if meta.len() > MOST_BYTES || !meta.is_file() {
        return Err("its index is too large to be looked through".to_owned());
    }
    let bytes = std::fs::read(index).map_err(|error| format!("its index cannot be read ({error})"))?;
    if bytes.is_empty() {
        return Ok(None);
    }
    // Names of objects are as long as their hash: that of SHA-1 or of SHA-256. Only one way to read it fits.
    for hash in [20, 32] {
        let mut found = None;
        let understood = each_name(&bytes, hash, |name| {
            let name = String::from_utf8_lossy(name);
            if found.is_none() && is_within(&name, only) && secrets.holds_inside(top, &name) {
                found = Some(name.into_owned());
            }
        });
        if understood.is_some() {
            return Ok(found);
        }
    }
    Err("its index is not understood".to_owned())
}

fn is_within(name: &str, only: Option<&[String]>) -> bool {
    only.is_none_or(|only| {
        let name = name.to_ascii_lowercase();
        only.iter().any(|limit| {
            limit.is_empty()
                || name
                    .strip_prefix(limit.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    })
}

/// Shows every name that an index lists; `None` where it is not understood to its end, as one that is split or lists
/// folders instead of their files.
fn each_name(bytes: &[u8], hash: usize, mut show: impl FnMut(&[u8])) -> Option<()> {
    let word =
        |at: usize| bytes.get(at..at + 4)?.try_into().ok().map(|bytes: [u8; 4]| u32::from_be_bytes(bytes));
    let version = word(4)?;
    if !bytes.starts_with(b"DIRC") || !(2..=4).contains(&version) {
        return None;
    }
    let end = bytes.len().checked_sub(hash)?;
    let mut at = 12;
    let mut name = Vec::new();
    for _ in 0..word(8)? {
        const FOLDER: u32 = 0o040_000;
        if word(at + 24)? & 0o170_000 == FOLDER {
            return None;
        }
        let flags_at = at + 40 + hash;
        let flags = u16::from_be_bytes(bytes.get(flags_at..flags_at + 2)?.try_into().ok()?);
        let mut start = flags_at + if flags & 0x4000 == 0 { 2 } else { 4 };
        if version == 4 {
            let (cut, next) = offset(bytes, start)?;
            name.truncate(name.len().checked_sub(cut)?);
            start = next;
        } else {
            name.clear();
        }
        let length = bytes.get(start..end)?.iter().position(|byte| *byte == 0)?;
        name.extend_from_slice(&bytes[start..start + length]);
        if usize::from(flags & 0xfff) != name.len().min(0xfff) {
            return None;
        }
        show(&name);
        at = if version == 4 { start + length + 1 } else { at + (start - at + length + 8) / 8 * 8 };
    }
    while at < end {
        // What begins with a small letter changes the meaning of the rest, as a split index does.
        if bytes.get(at)?.is_ascii_lowercase() {
            return None;
        }
        at = at.checked_add(8)?.checked_add(word(at + 4)? as usize)?;
    }
    (at == end).then_some(())
}

/// A number of the compressed form, and where it ends.
fn offset(bytes: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let mut byte = *bytes.get(at)?;
    let mut value = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        at += 1;
        byte = *bytes.get(at)?;
        value = value.checked_add(1)?.checked_mul(128)? + usize::from(byte & 0x7f);
    }
    Some((value, at + 1))
}
