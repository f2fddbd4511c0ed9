//! Programs whose purpose is to run another program, and what they would run.

/// What a wrapper would run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Inner {
    /// These words.
    Argv(Vec<String>),
    /// This shell text.
    Text(String),
}

/// The syntax of a wrapper's own options.
struct Wrapper {
    name: &'static str,
    /// Options that take the next word.
    with_value: &'static [&'static str],
    /// The number of operands before the program.
    operands: usize,
}

const WRAPPERS: &[Wrapper] = &[
    Wrapper { name: "nice", with_value: &["-n", "--adjustment"], operands: 0 },
    Wrapper { name: "nohup", with_value: &[], operands: 0 },
    Wrapper { name: "timeout", with_value: &["-k", "-s", "--kill-after", "--signal"], operands: 1 },
    Wrapper { name: "stdbuf", with_value: &["-i", "-o", "-e"], operands: 0 },
    Wrapper { name: "ionice", with_value: &["-c", "-n", "-p"], operands: 0 },
    Wrapper { name: "chrt", with_value: &["-T", "-P", "-D"], operands: 1 },
    Wrapper { name: "taskset", with_value: &["-p"], operands: 1 },
    Wrapper { name: "setsid", with_value: &[], operands: 0 },
    Wrapper { name: "time", with_value: &["-f", "-o"], operands: 0 },
    Wrapper {
        name: "xargs",
        with_value: &[
            "-a",
            "-n",
            "-I",
            "-P",
            "-d",
            "-L",
            "-s",
            "-E",
            "--arg-file",
            "--max-args",
            "--max-procs",
            "--delimiter",
        ],
        operands: 0,
    },
    Wrapper { name: "flock", with_value: &["-w", "-E"], operands: 1 },
    Wrapper {
        name: "sudo",
        with_value: &["-u", "-g", "-h", "-p", "-C", "-D", "-R", "-r", "-t", "-T", "-U"],
        operands: 0,
    },
    Wrapper { name: "doas", with_value: &["-u", "-C"], operands: 0 },
    Wrapper { name: "pkexec", with_value: &["--user"], operands: 0 },
    Wrapper { name: "command", with_value: &[], operands: 0 },
    Wrapper { name: "builtin", with_value: &[], operands: 0 },
    Wrapper { name: "exec", with_value: &["-a"], operands: 0 },
    Wrapper { name: "busybox", with_value: &[], operands: 0 },
    Wrapper { name: "toybox", with_value: &[], operands: 0 },
    Wrapper { name: "strace", with_value: &["-o", "-e", "-p", "-s", "-u"], operands: 0 },
    Wrapper { name: "ltrace", with_value: &["-o", "-e", "-p"], operands: 0 },
    Wrapper { name: "chroot", with_value: &["--userspec", "--groups"], operands: 1 },
    Wrapper { name: "unshare", with_value: &["-S", "-G", "-R", "-w"], operands: 0 },
    Wrapper { name: "nsenter", with_value: &["-t", "--target", "-S", "-G"], operands: 0 },
    Wrapper { name: "systemd-run", with_value: &["-p", "--unit", "-u", "-M", "-H", "-E"], operands: 0 },
    Wrapper { name: "parallel", with_value: &["-j", "-a", "-n", "-I"], operands: 0 },
    Wrapper { name: "setarch", with_value: &[], operands: 1 },
    Wrapper { name: "unbuffer", with_value: &[], operands: 0 },
    Wrapper { name: "caffeinate", with_value: &["-t", "-w"], operands: 0 },
    Wrapper { name: "xvfb-run", with_value: &["-n", "-s", "-e", "-f", "-w"], operands: 0 },
    Wrapper { name: "dbus-run-session", with_value: &[], operands: 0 },
    Wrapper { name: "firejail", with_value: &[], operands: 0 },
    Wrapper { name: "proot", with_value: &["-r", "-b", "-w"], operands: 0 },
    Wrapper { name: "catchsegv", with_value: &[], operands: 0 },
    Wrapper { name: "hyperfine", with_value: &["-w", "-r"], operands: 0 },
    Wrapper { name: "entr", with_value: &[], operands: 0 },
    Wrapper { name: "ssh-agent", with_value: &["-t"], operands: 0 },
    Wrapper { name: "start-stop-daemon", with_value: &["-p"], operands: 0 },
    Wrapper { name: "!", with_value: &[], operands: 0 },
    Wrapper { name: "coproc", with_value: &[], operands: 0 },
];

/// Shells, whose text is parsed again.
pub(crate) const SHELLS: &[&str] = &[
    "sh",
    "bash",
    "dash",
    "zsh",
    "ksh",
    "ash",
    "fish",
    "rbash",
    "mksh",
    "csh",
    "tcsh",
    "yash",
    "busybox-sh",
];

/// Interpreters of other languages, each with the options that take code.
pub(crate) const INTERPRETERS: &[(&str, &[&str])] = &[
    ("python", &["-c"]),
    ("pypy", &["-c"]),
    ("perl", &["-e", "-E", "-n", "-p"]),
    ("ruby", &["-e"]),
    ("node", &["-e", "-p", "--eval", "--print"]),
    ("nodejs", &["-e", "-p", "--eval", "--print"]),
    ("deno", &["eval"]),
    ("bun", &["-e", "--eval"]),
    ("php", &["-r", "-B", "-R", "-E"]),
    ("lua", &["-e"]),
    ("luajit", &["-e"]),
    ("tclsh", &["-"]),
    ("R", &["-e"]),
    ("Rscript", &["-e"]),
    ("julia", &["-e", "-E"]),
    ("ghci", &["-e"]),
    ("runghc", &["-e"]),
    ("osascript", &["-e"]),
    ("groovy", &["-e"]),
    ("scala", &["-e"]),
    ("elixir", &["-e"]),
    ("erl", &["-eval"]),
    ("sbcl", &["--eval"]),
    ("guile", &["-c"]),
    ("racket", &["-e"]),
    ("swipl", &["-g"]),
    ("ocaml", &["-e"]),
    ("emacs", &["--eval", "-eval", "--batch"]),
    ("vim", &["-c"]),
    ("pwsh", &["-c", "-Command", "-enc"]),
    ("awk", &[]),
    ("gawk", &[]),
    ("mawk", &[]),
    ("nawk", &[]),
    ("expect", &["-c"]),
    ("gdb", &["-ex"]),
    ("jshell", &["-"]),
    ("java", &["-jar"]),
];

/// Returns the language of a program by its name, without the version: `python3.11` is `python`.
pub(crate) fn interpreter(name: &str) -> Option<&'static (&'static str, &'static [&'static str])> {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    INTERPRETERS.iter().find(|(known, _)| *known == bare || *known == name)
}

/// Returns what a command in normal form would itself run.
pub(crate) fn inner(argv: &[String]) -> Option<Inner> {
    let name = argv.first()?.as_str();
    let args = &argv[1..];
    if SHELLS.contains(&name) {
        let at = args
            .iter()
            .position(|arg| arg.starts_with('-') && !arg.starts_with("--") && arg.contains('c'))?;
        return args[at + 1..].iter().find(|arg| !arg.starts_with(['-', '+'])).cloned().map(Inner::Text);
    }
    match name {
        "eval" | "watch" | "ssh" => return words_as_text(name, args),
        "trap" => return args.iter().find(|arg| !arg.starts_with('-')).cloned().map(Inner::Text),
        "su" | "script" | "runuser" => return after(args, &["-c", "--command"]).map(Inner::Text),
        "env" => return env(args),
        "find" | "fd" | "fdfind" => return executed(args),
        name if name.starts_with("ld-linux") || name.starts_with("ld.so") || name.starts_with("ld-musl") => {
            return Some(Inner::Argv(args.iter().skip_while(|arg| arg.starts_with('-')).cloned().collect()));
        }
        _ => {}
    }
    if name == "flock"
        && let Some(text) = after(args, &["-c", "--command"])
    {
        return Some(Inner::Text(text));
    }
    let wrapper = WRAPPERS.iter().find(|wrapper| wrapper.name == name)?;
    let mut at = options(args, wrapper.with_value);
    at += wrapper.operands;
    let rest = args.get(at..)?;
    (!rest.is_empty()).then(|| Inner::Argv(rest.to_vec()))
}

/// Returns the number of leading words that are options and their values.
fn options(args: &[String], with_value: &[&str]) -> usize {
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        if arg == "--" {
            return at + 1;
        }
        if !arg.starts_with('-') || arg == "-" {
            break;
        }
        at += if with_value.contains(&arg.as_str()) { 2 } else { 1 };
    }
    at
}

fn words_as_text(name: &str, args: &[String]) -> Option<Inner> {
    let skip = match name {
        "watch" => options(args, &["-n", "--interval"]),
        // The host precedes the remote command.
        "ssh" => options(args, &["-p", "-i", "-o", "-l", "-F", "-J", "-L", "-R", "-D"]) + 1,
        _ => 0,
    };
    let text = args.get(skip..)?.join(" ");
    (!text.is_empty()).then_some(Inner::Text(text))
}

/// Returns the text after an option, including an option at the end of a bundle: `-qc`.
fn after(args: &[String], names: &[&str]) -> Option<String> {
    let bundle = |arg: &str| arg.starts_with('-') && !arg.starts_with("--") && arg.ends_with('c');
    let at = args.iter().position(|arg| names.contains(&arg.as_str()) || bundle(arg))?;
    args.get(at + 1).cloned()
}

fn env(args: &[String]) -> Option<Inner> {
    if let Some(at) = args.iter().position(|arg| arg == "-S" || arg == "--split-string") {
        return Some(Inner::Text(args.get(at + 1..)?.join(" ")));
    }
    if let Some(text) =
        args.iter().find_map(|arg| arg.strip_prefix("-S").or_else(|| arg.strip_prefix("--split-string=")))
    {
        return Some(Inner::Text(text.to_owned()));
    }
    let at = options(args, &["-u", "-C", "--unset", "--chdir"]);
    let rest: Vec<String> = args.get(at..)?.iter().skip_while(|arg| arg.contains('=')).cloned().collect();
    (!rest.is_empty()).then_some(Inner::Argv(rest))
}

/// Returns the command after `-exec` and similar options.
fn executed(args: &[String]) -> Option<Inner> {
    let at = args.iter().position(|arg| {
        matches!(
            arg.as_str(),
            "-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "-X" | "--exec" | "--exec-batch"
        )
    })?;
    let words: Vec<String> =
        args[at + 1..].iter().take_while(|arg| !matches!(arg.as_str(), ";" | "+")).cloned().collect();
    (!words.is_empty()).then_some(Inner::Argv(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[&str]) -> Option<Inner> {
        inner(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    fn argv(words: &[&str]) -> Option<Inner> {
        Some(Inner::Argv(words.iter().map(|word| (*word).to_owned()).collect()))
    }

    #[test]
    fn what_would_run_is_found_behind_options() {
        assert_eq!(
            of(&["timeout", "-k", "1", "-s", "KILL", "5", "rm", "-rf", "x"]),
            argv(&["rm", "-rf", "x"])
        );
        assert_eq!(of(&["env", "-i", "A=1", "ls"]), argv(&["ls"]));
        assert_eq!(of(&["find", ".", "-exec", "rm", "{}", ";"]), argv(&["rm", "{}"]));
        assert_eq!(of(&["bash", "-lc", "id"]), Some(Inner::Text("id".to_owned())));
        assert_eq!(of(&["watch", "-n", "1", "rm -rf x"]), Some(Inner::Text("rm -rf x".to_owned())));
        assert_eq!(of(&["script", "-qc", "id", "/dev/null"]), Some(Inner::Text("id".to_owned())));
        assert_eq!(of(&["bash", "run.sh"]), None);
        assert_eq!(of(&["ls"]), None);
    }
}
