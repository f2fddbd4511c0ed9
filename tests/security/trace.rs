//! Runs this test program under a system-call trace, and reads from the trace what each command did.

use crate::ground::Ground;
use deputy_policy::Execution;
use deputy_policy::path::secrets;
use deputy_protocol::Confinement;
use deputy_sandbox::{ChildLimits, ChildSpec, Environment};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;
use std::sync::LazyLock;
use tokio_util::sync::CancellationToken;

/// A path that is looked up, and found missing, before command `index` runs.
pub(crate) fn marker(index: usize) -> String {
    format!("/deputy-test-marker/{index}")
}

/// What was traced.
pub(crate) struct Traced {
    pub(crate) calls: Calls,
    pub(crate) commands: Vec<Judged>,
}

/// A text that policy allows, how it is to run, and each simple command in it as it was judged.
pub(crate) struct Judged {
    pub(crate) text: String,
    pub(crate) execution: Execution,
    pub(crate) commands: Vec<String>,
}

/// The system calls in their order in time, and where among them each command begins.
pub(crate) struct Calls {
    lines: Vec<String>,
    begins: BTreeMap<usize, usize>,
}

/// The system calls of one command that count.
pub(crate) struct CallsOfOne {
    /// Programs that were started: path and arguments as the trace writes them.
    pub(crate) started: Vec<(String, String)>,
    sockets: Vec<String>,
    secrets: Vec<String>,
    writes: Vec<String>,
}

/// The calls that are traced: what starts programs, connects, opens, and changes files by their names.
const WATCHED: &str = "execve,execveat,socket,connect,openat,open,creat,stat,statx,newfstatat,mkdir,mkdirat,rmdir,unlink,\
    unlinkat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,truncate,chmod,fchmodat,chown,lchown,fchownat,\
    mknod,mknodat,utimensat,setxattr,lsetxattr,removexattr";

/// Runs the test again under `strace`, with the seed in its environment.
pub(crate) fn run_this_test(name: &str, variable: &str, seed: u64) -> Traced {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    // Appending (`-A`), because process ids come again, and a second process must not take the first one's trace away.
    let output = Command::new("/usr/bin/strace")
        .args(["-ff", "-A", "-ttt", "-qq", "--seccomp-bpf", "-s", "100000", "-e", "signal=none"])
        .args(["-e", &format!("trace={WATCHED}"), "-o"])
        .arg(&log)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(variable, seed.to_string())
        .output()
        .expect("this test needs the package `strace`");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let commands = text.lines().filter_map(|line| line.strip_prefix("command: ")).map(parse).collect();
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let text = fs::read(entry.unwrap().path()).unwrap();
        lines.extend(String::from_utf8_lossy(&text).lines().map(str::to_owned));
    }
    // Each line begins with its time, in digits of equal number.
    lines.sort();
    let marker = Regex::new(r#""/deputy-test-marker/([0-9]+)""#).unwrap();
    let begins = lines
        .iter()
        .enumerate()
        .filter_map(|(at, line)| Some((marker.captures(line)?[1].parse().unwrap(), at)));
    let begins = begins.collect();
    Traced { calls: Calls { lines, begins }, commands }
}

/// Tells the tracing process about a command.
pub(crate) fn print_command(ground: &Ground, Judged { text, execution, commands }: &Judged) {
    let (argv, bash) = match execution {
        Execution::Argv(argv) => (Some(argv), None),
        Execution::Bash(text) => {
            assert_eq!(text, &ground.here(text), "the text that runs is the text that was judged");
            (None, Some(text))
        }
    };
    // The test's name may be before it, without an end of line.
    println!("\ncommand: {}", serde_json::json!([text, argv, bash, commands]));
}

fn parse(line: &str) -> Judged {
    type Line = (String, Option<Vec<String>>, Option<String>, Vec<String>);
    let (text, argv, bash, commands): Line = serde_json::from_str(line).unwrap();
    let execution = argv.map_or_else(|| Execution::Bash(bash.unwrap()), Execution::Argv);
    Judged { text, execution, commands }
}

/// Runs an execution as it is allowed, and looks at nothing: anyone who opens a secret now is the command.
pub(crate) async fn run_only(ground: &Ground, execution: &Execution) {
    let workspace = ground.workspace();
    let spec = ChildSpec {
        argv: match execution {
            Execution::Argv(argv) => argv.iter().map(Into::into).collect(),
            Execution::Bash(text) => {
                ["bash", "--noprofile", "--norc", "-c", text].iter().map(Into::into).collect()
            }
        },
        cwd: workspace.clone(),
        stdin: deputy_sandbox::Input::Nothing,
        is_merged: true,
        confinement: Confinement::ReadOnly,
        readable: vec![workspace],
        writable: Vec::new(),
        hidden: secrets(&ground.situation()),
        frozen: Vec::new(),
        programs: None,
        guard: None,
        configuring: Vec::new(),
        environment: Environment::default(),
        scratch: None,
        env: vec![("HOME".into(), ground.home().into())],
        network: None,
        limits: ChildLimits::default(),
    };
    deputy_sandbox::run(spec, CancellationToken::new(), None).await.unwrap();
}

/// Nowhere, and what the sandbox sets for each child before the command starts.
const OF_NO_ACCOUNT: [&str; 2] = ["\"/dev/null\"", "\"/proc/self/oom_score_adj\""];

/// A file opened for writing, or changed by its name; calls that were refused end in an error, not in a number.
static WRITTEN: LazyLock<Regex> = LazyLock::new(|| {
    let opened = r"open(?:at)?\(.*O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND).* = [0-9]+$";
    let changed = r"(?:creat|mk(?:dir|nod)(?:at)?|rmdir|unlink(?:at)?|rename(?:at2?)?|(?:sym)?link(?:at)?|truncate|chmod|fchmodat|l?chown|fchownat|utimensat|l?setxattr|removexattr)\(.* = [0-9]+$";
    Regex::new(&format!(" (?:{opened}|{changed})")).unwrap()
});

static STARTED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"execve(?:at)?\("([^"]*)", (\[.*\]), 0x.* = 0$"#).unwrap());

/// A secret of the ground, opened.
static OPENED: LazyLock<Regex> = LazyLock::new(|| {
    let names = r"id_rsa|credentials|\.netrc|hosts\.yml|Cookies|0\.key|\.env|\.npmrc|server\.key|\.kube/config|\.docker/config\.json";
    Regex::new(&format!(r#"open(?:at)?\(.*"(?:[^"]*/)?(?:{names})".* = [0-9]+$"#)).unwrap()
});

impl Calls {
    /// The calls between the marker of a command and the next.
    pub(crate) fn of(&self, index: usize) -> CallsOfOne {
        let mut calls =
            CallsOfOne { started: Vec::new(), sockets: Vec::new(), secrets: Vec::new(), writes: Vec::new() };
        for line in &self.lines[self.begins[&index]..self.begins[&(index + 1)]] {
            if let Some(found) = STARTED.captures(line) {
                calls.started.push((found[1].to_owned(), found[2].to_owned()));
            } else if line.contains(" socket(") || line.contains(" connect(") {
                // Refused by the walls; that it was tried at all counts just as much unless libc does it by itself.
                calls.sockets.push(line.clone());
            } else if OPENED.is_match(line) {
                calls.secrets.push(line.clone());
            } else if WRITTEN.is_match(line) && !OF_NO_ACCOUNT.iter().any(|path| line.contains(path)) {
                calls.writes.push(line.clone());
            }
        }
        calls
    }
}

impl CallsOfOne {
    /// What the command did beyond what was judged. Where a shell runs, each program it starts must have been started
    /// with exactly the words of one of the simple commands that were judged.
    pub(crate) fn harms(&self, judged: &Judged) -> Vec<String> {
        let mut harms: Vec<String> = self.secrets.iter().chain(&self.writes).cloned().collect();
        harms.extend(self.sockets.iter().filter(|line| !is_refused(line)).cloned());
        let expected: BTreeSet<String> = match &judged.execution {
            Execution::Argv(argv) => {
                // The first is the program itself, also where it hands over to another of its name.
                let further = self.started.iter().skip(1);
                let others = further.filter(|(path, words)| !judged.hands_over_to(path, words)).count();
                if self.started.is_empty() || others > 0 {
                    harms.push(format!("started {} programs instead of one", self.started.len()));
                }
                BTreeSet::from([as_traced(argv)])
            }
            Execution::Bash(text) => {
                let shell = ["bash", "--noprofile", "--norc", "-c", text].map(str::to_owned);
                let words = judged.commands.iter().map(|command| as_traced(&words_of(command)));
                words.chain([as_traced(&shell)]).collect()
            }
        };
        let others = self.started.iter().filter(|(program, arguments)| {
            !expected.contains(arguments)
                && !judged.hands_over_to(program, arguments)
                && !judged.hands_names_to(arguments)
        });
        harms.extend(others.map(|(program, arguments)| format!("started {program} {arguments}")));
        harms
    }
}

/// Programs of the system that are small scripts, or hand their work over: to which program.
const HANDED_OVER: [(&str, &str); 8] = [
    ("zcat", "gzip"),
    ("gunzip", "gzip"),
    ("uncompress", "gzip"),
    ("egrep", "grep"),
    ("fgrep", "grep"),
    ("dpkg", "dpkg-query"),
    // By its first line, as a script of that program's.
    ("npm", "node"),
    // The one of the newest version that is installed.
    ("psql", "psql"),
];

impl Judged {
    /// Whether a program was started by one of those that hand over, and got no operand but those that were judged.
    fn hands_over_to(&self, program: &str, arguments: &str) -> bool {
        let argvs = match &self.execution {
            Execution::Argv(argv) => vec![argv.clone()],
            Execution::Bash(_) => self.commands.iter().map(|command| words_of(command)).collect(),
        };
        let given: Vec<String> = serde_json::from_str(arguments).unwrap_or_default();
        argvs.iter().any(|argv| {
            let helper = HANDED_OVER.iter().find(|(name, _)| argv.first().is_some_and(|first| first == name));
            helper.is_some_and(|(name, helper)| {
                let is_itself = |word: &String| *word == format!("/usr/bin/{name}");
                program.ends_with(&format!("/{helper}"))
                    && given
                        .iter()
                        .skip(1)
                        .all(|word| word.starts_with('-') || argv.contains(word) || is_itself(word))
            })
        })
    }
}

impl Judged {
    /// Whether a program was started by a search or by `xargs`, with the words that these were given for it and, behind
    /// them, nothing but names below the workspace.
    fn hands_names_to(&self, arguments: &str) -> bool {
        let given: Vec<String> = serde_json::from_str(arguments).unwrap_or_default();
        let is_name =
            |word: &String| !word.starts_with(['-', '/']) && !word.split('/').any(|part| part == "..");
        self.commands.iter().map(|command| words_of(command)).any(|argv| {
            let hands = argv.first().is_some_and(|name| ["xargs", "find", "fd"].contains(&name.as_str()));
            hands
                && (1..argv.len()).any(|at| {
                    let other: Vec<&String> =
                        argv[at..].iter().take_while(|word| *word != "{}" && *word != "+").collect();
                    !other.is_empty()
                        && given.len() >= other.len()
                        && given.iter().zip(&other).all(|(given, other)| given == *other)
                        && given[other.len()..].iter().all(is_name)
                })
        })
    }
}

/// The words of a command as people are shown it: plain, or in single quotes.
fn words_of(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut chars) = (Vec::new(), String::new(), false, command.chars());
    while let Some(char) = chars.next() {
        match char {
            '\'' => quoted = !quoted,
            '\\' if !quoted => word.extend(chars.next()),
            ' ' if !quoted => words.push(std::mem::take(&mut word)),
            char => word.push(char),
        }
    }
    words.push(word);
    words
}

/// The C library asks the name service's daemon for names of users and groups; the walls refuse it the socket.
fn is_refused(line: &str) -> bool {
    line.contains("AF_UNIX") && line.contains("= -1 ")
}

/// A list of arguments as the trace writes it.
fn as_traced(argv: &[String]) -> String {
    let quoted = argv.iter().map(|argument| {
        let mut text = String::from("\"");
        for byte in argument.bytes() {
            match byte {
                b'"' => text.push_str("\\\""),
                b'\\' => text.push_str("\\\\"),
                b'\n' => text.push_str("\\n"),
                b'\t' => text.push_str("\\t"),
                byte => text.push(byte as char),
            }
        }
        text + "\""
    });
    format!("[{}]", quoted.collect::<Vec<_>>().join(", "))
}
