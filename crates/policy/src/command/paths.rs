//! The paths that a command touches: those of an allowed one judged, those of another one looked at for secrets.

use crate::Situation;
use crate::path::{self, Operation};
use crate::table::{Kind, Touch};
use deputy_protocol::{Decision, Part, PartKind, Risk};
use std::path::{Path, PathBuf};

/// Files of the system that tell nothing about the person.
const PUBLIC_FILES: &[&str] = &[
    "/proc/version", "/proc/loadavg", "/proc/uptime", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/filesystems", "/proc/swaps",
    "/proc/vmstat", "/proc/sys/kernel/osrelease", "/proc/sys/kernel/hostname", "/etc/os-release", "/etc/debian_version", "/etc/hostname", "/etc/lsb-release", "/etc/issue",
    "/etc/timezone", "/etc/shells", "/usr/lib/os-release", "/dev/null",
];

/// Most files that are looked at below a folder whose content is read.
const MOST_FILES: usize = 20_000;

/// The part for a path that an otherwise allowed command touches.
pub(crate) fn touched(situation: &Situation, cwd: &Path, touch: &Touch) -> Option<Part> {
    let text = match touch.kind {
        Kind::Revision => return revision(situation, cwd, &touch.text),
        _ => touch.text.as_str(),
    };
    // A file of check sums names the files that are read, so a person looks at it unless it is in the workspace.
    if text == "-" || PUBLIC_FILES.contains(&text) {
        return None;
    }
    let operation = match touch.kind {
        Kind::List => Operation::List,
        _ => Operation::Read,
    };
    let part = path::judge_from(situation, cwd, operation, text);
    if part.decision != Decision::Allow {
        return Some(outside(situation, cwd, text, part));
    }
    let real = path::real(situation, cwd, text)?;
    if touch.kind == Kind::Sums {
        return listed_in_sums(situation, cwd, &real);
    }
    if matches!(touch.kind, Kind::Content | Kind::Visible) && real.is_dir() {
        return Some(below(situation, &real, touch.kind == Kind::Content).unwrap_or(part));
    }
    Some(part)
}

/// A refused path as a command names it: a walk through the home is a search for secrets, and what the kernel tells
/// about the machine as a whole is asked rather than denied.
fn outside(situation: &Situation, cwd: &Path, text: &str, mut part: Part) -> Part {
    const OF_PROCESSES: &[&str] = &["/proc/self", "/proc/thread-self", "/proc/kcore", "/proc/kmsg", "/proc/keys", "/proc/sysrq-trigger"];
    let of_machine = text.starts_with("/proc/") || text.starts_with("/sys/");
    let of_process = OF_PROCESSES.iter().any(|place| text.starts_with(place)) || text.strip_prefix("/proc/").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == '*'));
    if of_machine && !of_process && !text.contains("..") {
        part.decision = Decision::Ask;
        part.risk = Risk::Medium;
    }
    if path::real(situation, cwd, text).is_some_and(|real| holds_the_home(situation, &real)) {
        part.risk = Risk::High;
        part.reason = "It goes through the whole home folder, where passwords and keys are kept.".to_owned();
    }
    part
}

/// Whether the user's home lies below a folder, or is it.
pub(crate) fn holds_the_home(situation: &Situation, real: &Path) -> bool {
    let home = situation.home.canonicalize().unwrap_or_else(|_| situation.home.clone());
    home.starts_with(real)
}

/// What git would take for a path. Branches with slashes are no paths: they do not exist as files.
fn revision(situation: &Situation, cwd: &Path, text: &str) -> Option<Part> {
    let (before, inside) = text.split_once(':').map_or((text, None), |(before, inside)| (before, Some(inside)));
    if let Some(inside) = inside.filter(|inside| !inside.is_empty()) {
        let part = path::judge_from(situation, cwd, Operation::Read, inside);
        if part.decision != Decision::Allow {
            return Some(part);
        }
    }
    let is_path = before.starts_with(['/', '~']) || before.split('/').any(|name| name == "..") || cwd.join(before).symlink_metadata().is_ok();
    if !is_path || before.is_empty() {
        return None;
    }
    let folder = cwd.join(before).is_dir();
    Some(path::judge_from(situation, cwd, if folder { Operation::List } else { Operation::Read }, before))
}

fn ask(text: &Path, risk: Risk, reason: &str) -> Part {
    let text = crate::shell::characters::escaped(&text.to_string_lossy());
    Part { kind: PartKind::Read, text, decision: Decision::Ask, risk, reason: reason.to_owned() }
}

/// A part that asks when a secret lies below a folder whose content is read. Links are not followed by these programs.
fn below(situation: &Situation, folder: &Path, hidden_too: bool) -> Option<Part> {
    let secrets = path::Secrets::of(situation);
    let mut waiting = vec![folder.to_path_buf()];
    let mut budget = MOST_FILES;
    while let Some(folder) = waiting.pop() {
        let Ok(entries) = folder.read_dir() else { continue };
        for entry in entries.flatten() {
            budget = match budget.checked_sub(1) {
                Some(left) => left,
                None => return Some(ask(&folder, Risk::Medium, "Reads more files than can be checked for secrets.")),
            };
            if !hidden_too && entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                waiting.push(entry.path());
            } else if kind.is_file() && secrets.holds(&entry.path()) {
                return Some(ask(&entry.path(), Risk::High, "Reads a folder that holds a file with secrets."));
            }
        }
    }
    None
}

/// Check sums name files; each must be one that may be read.
fn listed_in_sums(situation: &Situation, cwd: &Path, sums: &Path) -> Option<Part> {
    let Ok(text) = std::fs::read_to_string(sums) else { return None };
    for line in text.lines().take(1000) {
        let name = line.split_once([' ', '(']).map_or("", |(_, rest)| rest).trim_start_matches([' ', '*']);
        let name = name.split_once(") = ").map_or(name, |(name, _)| name);
        if name.is_empty() {
            continue;
        }
        let part = path::judge_from(situation, cwd, Operation::Read, name);
        if part.decision != Decision::Allow {
            return Some(part);
        }
    }
    None
}

/// Credentials among the words of a command that is not known to be harmless: each is denied as reading it would be.
pub(crate) fn secrets_named(situation: &Situation, cwd: &Path, args: &[String]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for text in args.iter().flat_map(|arg| candidates(situation, arg)) {
        let Some(real) = path::real(situation, cwd, &text) else { continue };
        if !path::is_secret(situation, &real) {
            continue;
        }
        let part = path::judge_from(situation, cwd, Operation::Read, &text);
        if part.decision == Decision::Deny && !parts.iter().any(|old| old.text == part.text) {
            parts.push(part);
        }
    }
    parts
}

/// How bad a write would be to each path among the words, for commands that write.
pub(crate) fn writes_named(situation: &Situation, cwd: &Path, args: &[String]) -> Option<(Risk, String)> {
    let looks_like_a_path = |text: &String| text.contains('/') || text.starts_with('.');
    args.iter()
        .flat_map(|arg| candidates(situation, arg))
        .filter(looks_like_a_path)
        .map(|text| path::judge_from(situation, cwd, Operation::Write, &text))
        .find_map(|part| {
            let bad = part.risk == Risk::High || part.decision == Decision::Deny;
            let settings = is_settings(situation, &part.text);
            (bad || settings).then(|| {
                let reason = if bad { part.reason } else { "programs keep their settings there".to_owned() };
                (Risk::High, format!("Touches {}: {reason}.", part.text))
            })
        })
}

/// Whether a real path lies in a folder of the home that begins with a point.
fn is_settings(situation: &Situation, real: &str) -> bool {
    let home = situation.home.canonicalize().unwrap_or_else(|_| situation.home.clone());
    Path::new(real).strip_prefix(home).is_ok_and(|rest| rest.to_string_lossy().starts_with('.'))
}

/// Whether a path among the words lies outside of the workspace.
pub(crate) fn leaves_workspace(situation: &Situation, cwd: &Path, args: &[String]) -> bool {
    let workspace = situation.workspace.canonicalize().unwrap_or_else(|_| situation.workspace.clone());
    args.iter().any(|arg| {
        (arg.starts_with(['/', '~']) || arg.contains("../") || arg == "..")
            && path::real(situation, cwd, &from_tilde(situation, arg)).is_none_or(|real| !real.starts_with(&workspace))
    })
}

fn from_tilde(situation: &Situation, text: &str) -> String {
    match text.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{}{rest}", situation.home.display()),
        _ => text.to_owned(),
    }
}

/// The texts in a word that a program may take for a path.
fn candidates(situation: &Situation, arg: &str) -> Vec<String> {
    const LONGEST: usize = 4096;
    if arg.len() > LONGEST || arg.contains('\n') {
        return Vec::new();
    }
    let mut texts: Vec<&str> = vec![arg];
    texts.extend(arg.split_once('=').map(|(_, value)| value));
    texts.extend(arg.split_once(':').map(|(_, value)| value));
    texts.extend(arg.split_once('@').map(|(_, value)| value));
    texts.extend(arg.split_once("file://").map(|(_, value)| value));
    if arg.starts_with('-') && !arg.starts_with("--") && arg.is_char_boundary(2) {
        texts.push(&arg[2..]);
    }
    if arg.contains([',', ':']) {
        texts.extend(arg.split([',', ':']));
    }
    let mut found: Vec<String> = texts
        .into_iter()
        .map(|text| text.trim_start_matches(['@', '<', '>', '|', ' ']))
        .filter(|text| !text.is_empty() && !text.starts_with('-'))
        .map(|text| from_tilde(situation, text))
        .collect();
    found.dedup();
    found
}

/// The folder that `cd` leads to, when it is a literal one that may be listed.
pub(crate) fn entered(situation: &Situation, cwd: &Path, text: &str) -> Option<PathBuf> {
    path::real(situation, cwd, text).filter(|real| real.is_dir())
}
