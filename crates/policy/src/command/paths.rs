//! Judges the paths that a command touches. All paths of an allowed command are judged; those of other commands are
//! only checked for secrets.

use super::below::{Reading, below};
use crate::Situation;
use crate::path::{self, Operation};
use crate::table::{Kind, Touch};
use deputy_messages::policy as say;
use deputy_protocol::{Decision, Part, PartKind, Phrase, Risk};
use std::path::{Component, Path, PathBuf};

/// System files that disclose nothing about the user.
const PUBLIC_FILES: &[&str] = &[
    "/proc/version",
    "/proc/loadavg",
    "/proc/uptime",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/filesystems",
    "/proc/swaps",
    "/proc/vmstat",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/hostname",
    "/etc/os-release",
    "/etc/debian_version",
    "/etc/hostname",
    "/etc/lsb-release",
    "/etc/issue",
    "/etc/timezone",
    "/etc/shells",
    "/etc/hosts",
    "/etc/resolv.conf",
    "/etc/services",
    "/etc/protocols",
    "/etc/nsswitch.conf",
    "/usr/lib/os-release",
    "/dev/null",
];

/// Devices that contain nothing.
const HARMLESS_DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/urandom", "/dev/random", "/dev/full"];

/// The standard input and output of a command.
const INPUT: &[&str] = &["/dev/stdin", "/dev/fd/0"];
const OUTPUT: &[&str] = &["/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2"];

/// Whether a path is the standard input.
pub(crate) fn is_input(text: &str) -> bool {
    INPUT.contains(&text)
}

/// Whether a path is the standard output or standard error.
pub(crate) fn is_output(text: &str) -> bool {
    OUTPUT.contains(&text)
}

/// Whether a path is a system file or device that every command may read.
pub(crate) fn is_public(text: &str) -> bool {
    PUBLIC_FILES.contains(&text) || HARMLESS_DEVICES.contains(&text)
}

/// Returns the part for a path that an otherwise allowed command touches.
pub(crate) fn touched(situation: &Situation, cwd: &Path, touch: &Touch) -> Option<Part> {
    let text = match touch.kind {
        Kind::Revision => return revision(situation, cwd, &touch.text),
        Kind::Member => return member(situation, cwd, &touch.text),
        _ => touch.text.as_str(),
    };
    // A file of checksums names the files that are read, so the user is asked unless it is in the workspace.
    if text == "-" || is_public(text) || is_input(text) && touch.kind != Kind::Sums {
        return None;
    }
    // If the program does not expect a value in this position, the word is a file name.
    if touch.kind == Kind::Number && cwd.join(text).symlink_metadata().is_err() {
        return None;
    }
    let operation = match touch.kind {
        Kind::List | Kind::Archive => Operation::List,
        _ => Operation::Read,
    };
    let part = path::judge_from(situation, cwd, operation, text);
    if part.decision != Decision::Allow {
        if touch.kind == Kind::List && shows_own_secret(situation, cwd, text) {
            let reason = say::looks_file_outside_reads();
            return Some(Part { decision: Decision::Allow, risk: Risk::Low, reason, ..part });
        }
        if touch.kind == Kind::Magic
            && let Some(real) = path::real(situation, cwd, text).filter(|real| can_tell_kind(situation, real))
        {
            let reason = say::would_tell_kind(part.reason);
            let text = crate::unseen::escape(&real.to_string_lossy());
            return Some(Part { text, decision: Decision::Ask, risk: Risk::High, reason, ..part });
        }
        return Some(outside(situation, cwd, touch.kind, text, part));
    }
    let real = path::real(situation, cwd, text)?;
    if touch.kind == Kind::Sums {
        return listed_in_sums(situation, cwd, &real);
    }
    // Comparing two folders reads their files, with or without recursion.
    if matches!(touch.kind, Kind::Content | Kind::Visible | Kind::Read) && real.is_dir() {
        let reading = match touch.kind {
            Kind::Visible => Reading::visible(situation, &real, &touch.selected),
            _ => Reading::All,
        };
        return Some(below(situation, &real, reading, touch.follows_links).unwrap_or(part));
    }
    Some(part)
}

/// Whether the user may be asked to disclose the type of a project's own file of credentials.
fn can_tell_kind(situation: &Situation, real: &Path) -> bool {
    is_own_secret(situation, real)
        && real.is_file()
        && path::in_scope(situation, Operation::Read, real).is_ok()
}

/// Whether a path whose name and attributes are read is a project's own file of credentials. Listing its folder
/// discloses the same. The folder must be one that may be listed, both as written and as its real path.
fn shows_own_secret(situation: &Situation, cwd: &Path, text: &str) -> bool {
    let Some(real) = path::real(situation, cwd, text).filter(|real| !real.is_dir()) else { return false };
    let lists = |folder: Option<&Path>| {
        let folder = folder.map(Path::to_string_lossy).filter(|folder| !folder.is_empty());
        let folder = folder.as_deref().unwrap_or(".");
        path::judge_from(situation, cwd, Operation::List, folder).decision == Decision::Allow
    };
    path::is_secret_by_name_only(situation, &real)
        && lists(Path::new(text).parent())
        && lists(real.parent())
        && path::in_scope(situation, Operation::List, &real).is_ok()
        && !text.chars().any(crate::unseen::is_unseen)
}

/// Adjusts a refused path of a command: a walk through the home directory is a search for secrets, and the kernel's
/// information about the machine as a whole is asked about instead of denied.
fn outside(situation: &Situation, cwd: &Path, kind: Kind, text: &str, mut part: Part) -> Part {
    const OF_PROCESSES: &[&str] = &[
        "/proc/self",
        "/proc/thread-self",
        "/proc/kcore",
        "/proc/kmsg",
        "/proc/keys",
        "/proc/sysrq-trigger",
    ];
    let of_machine = text.starts_with("/proc/") || text.starts_with("/sys/");
    let of_process = OF_PROCESSES.iter().any(|place| text.starts_with(place))
        || text
            .strip_prefix("/proc/")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == '*'));
    if of_machine && !of_process && !text.contains("..") {
        part.decision = Decision::Ask;
        part.risk = Risk::Medium;
    }
    let walks = matches!(kind, Kind::Content | Kind::Visible);
    if walks && path::real(situation, cwd, text).is_some_and(|real| holds_the_home(situation, &real)) {
        part.risk = Risk::High;
        part.reason = say::goes_through_whole_home();
    }
    part
}

/// Whether the user's home directory is the folder or is below it.
pub(crate) fn holds_the_home(situation: &Situation, real: &Path) -> bool {
    let home = situation.home.canonicalize().unwrap_or_else(|_| situation.home.clone());
    home.starts_with(real)
}

/// Judges a name inside an archive as if the file were in the folder `cwd`.
fn member(situation: &Situation, cwd: &Path, text: &str) -> Option<Part> {
    let is_secret = path::is_secret(situation, &cwd.join(text.trim_start_matches('/')));
    is_secret.then(|| ask(Path::new(text), Risk::High, say::reads_folder_holds_file()))
}

/// Judges a word that git would take for a path. Branches with slashes are not paths: they do not exist as files.
fn revision(situation: &Situation, cwd: &Path, text: &str) -> Option<Part> {
    let (before, inside) =
        text.split_once(':').map_or((text, None), |(before, inside)| (before, Some(inside)));
    // `:2:name` is the name in a stage of the index.
    let last = text.rsplit(':').next().filter(|_| inside.is_some());
    for inside in [inside, last].into_iter().flatten().filter(|inside| !inside.is_empty()) {
        // `:/name` is a commit whose message contains the text, or the name relative to the top of the repository.
        let from_top = inside.strip_prefix('/').filter(|_| before.is_empty());
        let top = || cwd.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(cwd);
        let part = match from_top {
            Some(inside) => path::judge_from(situation, top(), Operation::Read, inside),
            None => path::judge_from(situation, cwd, Operation::Read, inside),
        };
        if part.decision != Decision::Allow {
            return Some(part);
        }
    }
    let is_path = before.starts_with(['/', '~'])
        || before.split('/').any(|name| name == "..")
        || cwd.join(before).symlink_metadata().is_ok();
    if !is_path || before.is_empty() {
        return None;
    }
    let folder = cwd.join(before).is_dir();
    Some(path::judge_from(situation, cwd, if folder { Operation::List } else { Operation::Read }, before))
}

pub(super) fn ask(text: &Path, risk: Risk, reason: Phrase) -> Part {
    let text = crate::shell::characters::escaped(&text.to_string_lossy());
    Part { kind: PartKind::Read, text, decision: Decision::Ask, risk, reason }
}

/// Returns the part for a folder in which the shell looks up names, if it is not allowed.
pub(crate) fn globbed(situation: &Situation, cwd: &Path, folder: &str) -> Option<Part> {
    let part = path::judge_from(situation, cwd, Operation::List, folder);
    (part.decision != Decision::Allow).then_some(part)
}

/// Judges the files that a file of checksums names. Each must be readable, and each line must be unambiguous.
fn listed_in_sums(situation: &Situation, cwd: &Path, sums: &Path) -> Option<Part> {
    const MOST_BYTES: u64 = 1024 * 1024;
    const MOST_LINES: usize = 10_000;
    let unclear = || Some(ask(sums, Risk::High, say::lists_files_form_not()));
    let is_small = sums.metadata().is_ok_and(|meta| meta.is_file() && meta.len() <= MOST_BYTES);
    let text = is_small.then(|| std::fs::read_to_string(sums).ok()).flatten();
    let Some(text) = text.filter(|text| text.lines().count() <= MOST_LINES) else { return unclear() };
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let Some(name) = summed(line) else { return unclear() };
        let part = path::judge_from(situation, cwd, Operation::Read, name);
        if part.decision != Decision::Allow {
            return Some(part);
        }
    }
    None
}

/// Returns the file name in a line of checksums: `0a1b  name`, `0a1b *name` or `NAME (name) = 0a1b`.
fn summed(line: &str) -> Option<&str> {
    let is_sum = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let first = |line: &'_ str| line.split(' ').next().map(str::len);
    let (head, rest) = line.split_at(first(line)?);
    if is_sum(head) {
        return rest
            .strip_prefix("  ")
            .or_else(|| rest.strip_prefix(" *"))
            .filter(|name| is_plain_name(name));
    }
    let is_algorithm = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let name = rest.strip_prefix(" (").filter(|_| head.chars().all(is_algorithm))?;
    let (name, sum) = name.split_once(") = ")?;
    (is_plain_name(name) && is_sum(sum)).then_some(name)
}

fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with(['\\', ' ', '(']) && !name.contains([')', '\\', '\r', '\t'])
}

/// Programs that can still read what is gone from the folder.
const HISTORIES: &[&str] = &["git", "hg", "svn", "jj", "fossil", "bzr", "borg", "restic"];

/// Finds credentials among the words of a command that is not known to be harmless. Each is denied like reading it
/// would be, or asked about if it is only created, written or removed.
pub(crate) fn secrets_named(situation: &Situation, cwd: &Path, argv: &[String]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let args = argv.iter().enumerate().skip(1);
    for (at, text) in
        args.flat_map(|(at, arg)| candidates(situation, arg).into_iter().map(move |text| (at, text)))
    {
        let Some(real) = path::real(situation, cwd, &text) else { continue };
        if !path::is_secret(situation, &real) {
            continue;
        }
        // A missing file cannot be read: a command that names it will create it, and the walls hide it once it
        // exists.
        let keeps_history = argv.first().is_some_and(|name| HISTORIES.contains(&name.as_str()));
        let is_new = !keeps_history && is_own_secret(situation, &real) && real.symlink_metadata().is_err();
        let operation = if is_new || only_writes(argv, at) {
            Operation::Write
        } else if only_deletes(argv, at) {
            Operation::Delete
        } else {
            Operation::Read
        };
        let part = written(situation, operation, &real, path::judge_from(situation, cwd, operation, &text));
        if part.decision != Decision::Allow && !parts.iter().any(|old| old.text == part.text) {
            parts.push(part);
        }
    }
    parts
}

/// Adjusts the part for a project's own file of credentials. If the file is written or removed but not read, the user
/// decides.
pub(crate) fn written(situation: &Situation, operation: Operation, real: &Path, part: Part) -> Part {
    let would = match operation {
        Operation::Write => say::would_change,
        Operation::Delete if !real.is_dir() => say::would_remove,
        _ => return part,
    };
    let in_scope = path::in_scope(situation, operation, real).is_ok();
    if part.decision != Decision::Deny || !in_scope || !is_own_secret(situation, real) {
        return part;
    }
    let reason = would(part.reason);
    // Shows the real path, like for every other path.
    let text = crate::unseen::escape(&real.to_string_lossy());
    Part { text, decision: Decision::Ask, risk: Risk::High, reason, ..part }
}

/// Whether the path is one of the workspace's own files of credentials, which is a secret only because of its name.
pub(crate) fn is_own_secret(situation: &Situation, real: &Path) -> bool {
    real.starts_with(path::real_folder(&situation.workspace)) && path::is_secret_by_name_only(situation, real)
}

/// Whether a command only writes the file that the word at `at` names.
fn only_writes(argv: &[String], at: usize) -> bool {
    let is_flag = |word: &String| word.starts_with('-');
    match argv.first().map(String::as_str) {
        Some("touch") => {
            !is_flag(&argv[at]) && !argv.iter().any(|word| word.starts_with("-r") || word.contains("--ref"))
        }
        Some("cp" | "mv" | "install") => {
            let targets = |word: &String| word.starts_with("--t") || (is_flag(word) && word.contains('t'));
            at + 1 == argv.len() && argv.len() > 2 && !is_flag(&argv[at]) && !argv.iter().any(targets)
        }
        _ => false,
    }
}

/// Whether a command only removes the file that the word at `at` names.
fn only_deletes(argv: &[String], at: usize) -> bool {
    matches!(argv[0].as_str(), "rm" | "unlink") && !argv[at].starts_with('-')
}

/// Returns the reason if writing to a path among the words is high-risk, for commands that write.
pub(crate) fn writes_named(situation: &Situation, cwd: &Path, args: &[String]) -> Option<Phrase> {
    let looks_like_a_path = |text: &String| text.contains('/') || text.starts_with('.');
    args.iter()
        .flat_map(|arg| candidates(situation, arg))
        .filter(looks_like_a_path)
        .filter(|text| !HARMLESS_DEVICES.contains(&text.as_str()) && !is_output(text))
        .map(|text| path::judge_from(situation, cwd, Operation::Write, &text))
        .find_map(|part| raised(situation, &part).map(|reason| say::touches(reason, part.text)))
}

/// Returns the reason why a write is high-risk, or `None` if it is not.
pub(crate) fn raised(situation: &Situation, part: &Part) -> Option<Phrase> {
    const SYSTEM: &[&str] = &[
        "/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/opt", "/proc", "/root", "/sbin", "/sys", "/usr",
        "/var",
    ];
    if part.risk == Risk::High || part.decision == Decision::Deny {
        return Some(part.reason.clone());
    }
    let is_own = Path::new(&part.text).starts_with(path::real_folder(&situation.workspace));
    if !is_own && SYSTEM.iter().any(|folder| Path::new(&part.text).starts_with(folder)) {
        return Some(say::belongs_system());
    }
    is_settings(situation, &part.text).then(say::programs_keep_their_settings)
}

/// Whether a real path is in a folder of the home directory whose name begins with a dot.
fn is_settings(situation: &Situation, real: &str) -> bool {
    let home = situation.home.canonicalize().unwrap_or_else(|_| situation.home.clone());
    Path::new(real).strip_prefix(home).is_ok_and(|rest| rest.to_string_lossy().starts_with('.'))
}

pub(super) fn from_tilde(situation: &Situation, text: &str) -> String {
    match text.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            format!("{}{rest}", situation.home.display())
        }
        _ => text.to_owned(),
    }
}

/// Returns the texts in a word that a program may take for a path.
pub(super) fn candidates(situation: &Situation, arg: &str) -> Vec<String> {
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

/// Returns the folder to which `cd` leads, if it is literal and may be listed.
pub(crate) fn entered(situation: &Situation, cwd: &Path, text: &str) -> Option<PathBuf> {
    let real = path::real(situation, cwd, text).filter(|real| real.is_dir())?;
    // After following a link, bash and the kernel disagree about the meaning of a later `..`.
    let mut plain = PathBuf::new();
    for part in path::real_folder(cwd).join(text).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    let plain =
        situation.temporary.as_ref().and_then(|folder| path::temporary(folder, &plain)).unwrap_or(plain);
    (plain == real).then_some(real)
}
