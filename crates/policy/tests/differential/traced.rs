//! Runs allowed commands under `strace`, without walls, and determines from the trace what they did.

use crate::world::{CANARY, World};
use deputy_policy::{Execution, Ruling};
use deputy_protocol::PartKind;
use regex::Regex;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// The traced system calls: those that start programs, connect, open files, and change files by name.
const WATCHED: &str = "execve,execveat,socket,connect,openat,open,creat,mkdir,mkdirat,rmdir,unlink,unlinkat,rename,renameat,\
    renameat2,link,linkat,symlink,symlinkat,truncate,ftruncate,chmod,fchmodat,chown,lchown,fchownat,mknod,mknodat,utimensat,\
    setxattr,lsetxattr,removexattr,ptrace,kill,mount";

/// Settings that the sandbox passes to git. Its other settings only make git stricter.
const GIT: [(&str, &str); 4] = [
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("log.showSignature", "false"),
    ("diff.autoRefreshIndex", "false"),
];

/// Programs that are small scripts or start other programs to do their work, with the programs that they start.
const HANDED_OVER: &[(&str, &[&str])] = &[
    ("tar", &["gzip", "bzip2", "xz", "zstd", "lzip", "lzma", "lzop", "compress"]),
    ("zcat", &["gzip"]),
    ("egrep", &["grep"]),
    ("fgrep", &["grep"]),
];

static STARTED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"^execve(?:at)?\((?:[^"]*, )?"((?:[^"\\]|\\.)*)""#).unwrap());
static OPENED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^open(?:at)?\(.* = \d+<([^>]*)>").unwrap());
static CHANGED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^(?:creat|mk(?:dir|nod)(?:at)?|rmdir|unlink(?:at)?|rename(?:at2?)?|(?:sym)?link(?:at)?|f?truncate|chmod|fchmodat|l?chown|fchownat|utimensat|l?setxattr|removexattr|mount|ptrace|kill)\(.* = \d+",
    )
    .unwrap()
});

/// Returns what an allowed command did besides reading readable files and printing them.
pub(crate) fn harms(world: &World, ruling: &Ruling) -> Vec<String> {
    let execution = ruling.execution.as_ref().unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let log = scratch.path().join("log");
    let printed = scratch.path().join("printed");
    run(world, execution, &log, &printed);
    let mut harms = Vec::new();
    let programs = programs(ruling, execution);
    for entry in fs::read_dir(scratch.path()).unwrap().flatten().filter(|entry| entry.path() != printed) {
        let text = fs::read(entry.path()).unwrap();
        for line in String::from_utf8_lossy(&text).lines() {
            harms.extend(harm(world, &programs, line));
        }
    }
    let printed = fs::read(printed).unwrap();
    if printed.windows(CANARY.len()).any(|window| window == CANARY.as_bytes()) {
        harms.push("printed a secret".to_owned());
    }
    harms
}

fn run(world: &World, execution: &Execution, log: &Path, printed: &Path) {
    let mut command = Command::new("prlimit");
    // A program that does not end, or prints endlessly, is stopped by limits on its CPU time and on the size of its
    // output.
    command.args(["--cpu=2", "--fsize=4000000", "--", "strace", "-ff", "-qq", "-y", "-s", "4096"]);
    command.args(["-e", "signal=none", "-e", &format!("trace={WATCHED}"), "-o"]).arg(log).arg("--");
    match execution {
        Execution::Argv(argv) => command.args(argv),
        Execution::Bash(text) => command.args(["bash", "--noprofile", "--norc", "-c", text]),
    };
    command.env_clear().env("PATH", World::path()).env("LANG", "C.UTF-8");
    command.env("HOME", &world.home).env("GIT_PAGER", "cat").env("GIT_OPTIONAL_LOCKS", "0");
    command.env("GIT_CONFIG_COUNT", GIT.len().to_string());
    for (index, (key, value)) in GIT.into_iter().enumerate() {
        command.env(format!("GIT_CONFIG_KEY_{index}"), key).env(format!("GIT_CONFIG_VALUE_{index}"), value);
    }
    let out = File::create(printed).unwrap();
    let errors = out.try_clone().unwrap();
    let done = command.current_dir(&world.workspace).stdin(Stdio::null()).stdout(out).stderr(errors).status();
    done.expect("this test needs the packages `strace` and `util-linux`");
}

/// Returns the names of the programs that may start.
fn programs(ruling: &Ruling, execution: &Execution) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    names.extend(matches!(execution, Execution::Bash(_)).then(|| "bash".to_owned()));
    for part in ruling.verdict.parts.iter().filter(|part| part.kind == PartKind::Command) {
        let name = part.text.split(' ').next().unwrap_or_default();
        let handed = HANDED_OVER.iter().find(|(from, _)| *from == name).map_or(&[][..], |(_, to)| to);
        names.extend(handed.iter().copied().chain([name]).map(str::to_owned));
    }
    names
}

fn harm(world: &World, programs: &BTreeSet<String>, line: &str) -> Option<String> {
    if let Some(found) = STARTED.captures(line) {
        let name = found[1].rsplit('/').next().unwrap_or_default();
        return (!programs.contains(name)).then(|| format!("started {line}"));
    }
    if let Some(found) = OPENED.captures(line) {
        let path = &found[1];
        // Git reads a tracked file to determine whether it has changed if the timestamps are inconclusive.
        let is_compared = programs.contains("git") && path.ends_with("/project/.env");
        if !is_compared && world.secrets.iter().any(|secret| Path::new(path) == secret) {
            return Some(format!("opened {path}"));
        }
        let writes = ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"].iter().any(|flag| line.contains(flag));
        return (writes && !path.starts_with("/dev/null") && !path.starts_with("/dev/tty"))
            .then(|| format!("wrote {line}"));
    }
    let connects = line.starts_with("connect(") || (line.starts_with("socket(") && !line.contains("AF_UNIX"));
    // The C library asks the name service's daemon for user names; this fails if there is no such daemon. Git records
    // the use of the shared part of an index; the walls refuse this, and git continues.
    let notes_use = line.starts_with("utimensat(") && line.contains(".git/sharedindex.");
    let is_harm = (CHANGED.is_match(line) && !notes_use) || (connects && !line.contains("/nscd/socket"));
    is_harm.then(|| format!("wrote or connected: {line}"))
}
