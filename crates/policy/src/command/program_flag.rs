//! Flags that run a program, recognized by name.

use deputy_messages::policy as say;
use deputy_protocol::Phrase;

/// Returns the reason if a flag's name indicates that it runs a program.
pub(super) fn program_flag(normal: &[String]) -> Option<Phrase> {
    const SPEAKING: &[&str] = &[
        "command",
        "program",
        "exec",
        "shell",
        "rsh",
        "eval",
        "hook",
        "plugin",
        "preload",
        "require",
        "wrapper",
        "pager",
        "editor",
        "upload-pack",
        "receive-pack",
        "filter",
        "script",
        "run-as",
        "sudo",
        "loader",
        "callback",
        "trigger",
        "launch",
        "post-",
        "pre=",
        "config-env",
        "askpass",
        "engine",
        "module-path",
    ];
    let args = normal.get(1..)?;
    let flag = args.iter().find(|arg| {
        let name = arg.split('=').next().unwrap_or(arg);
        // `--no-pager` keeps a program from being run.
        let is_negated = name == arg.as_str() && name.starts_with("--no-");
        arg.starts_with("--")
            && !is_negated
            && name.len() > 4
            && SPEAKING.iter().any(|word| {
                name.contains(word.trim_end_matches('=')) && !matches!(*word, "pre=")
                    || (*word == "pre=" && name == "--pre")
            })
    });
    flag.map(|flag| say::run_another_program(crate::shell::characters::escaped(flag)))
}
