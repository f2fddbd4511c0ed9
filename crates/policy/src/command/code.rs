//! Checks whether a command runs code that is not in a file of the project: text on the command line, code from a
//! pipe, or an arbitrary module.

use super::effects;
use super::wrappers::{self, SHELLS};
use crate::Situation;
use crate::shell::script::Simple;
use deputy_messages::policy as say;
use deputy_protocol::Phrase;
use std::io::Read;
use std::path::Path;

/// Returns the reason if a shell or another interpreter would run code from the command line, from a pipe, or from a
/// text that is passed to it.
pub(crate) fn code(situation: &Situation, simple: &Simple, normal: &[String], cwd: &Path) -> Option<Phrase> {
    let name = normal.first()?.as_str();
    let args = &normal[1..];
    let script = args.iter().find(|arg| !arg.starts_with('-'));
    if SHELLS.contains(&name) {
        return match script {
            Some(file) if is_own_script(situation, cwd, args, file) => None,
            script => Some(match script {
                Some(file) if !args.iter().any(|arg| arg.starts_with('-') && arg.contains('c')) => {
                    say::runs_shell_code(file)
                }
                Some(_) => say::runs_text_command_line(),
                None => say::runs_whatever_given_standard(),
            }),
        };
    }
    if matches!(name, "source" | ".") {
        return Some(say::runs_shell_code(script.map_or("a file", String::as_str)));
    }
    if matches!(
        name,
        "ed" | "ex" | "vi" | "vim" | "red" | "make" | "gdb" | "sqlite3" | "psql" | "mysql" | "ftp"
    ) && (simple.reads_pipe || simple.reads_inline)
    {
        return Some(say::runs_whatever_given_standard_input(name));
    }
    let (_, options) = wrappers::interpreter(name)?;
    if let Some(module) = module(args).filter(|_| is_python(name) && !effects::is_named(normal, 3)) {
        return Some(say::runs_module(crate::shell::characters::escaped(module), name));
    }
    if args.iter().any(|arg| {
        options.iter().any(|option| {
            arg == option
                || (option.len() == 2
                    && arg.starts_with('-')
                    && !arg.starts_with("--")
                    && arg.contains(&option[1..]))
        })
    }) {
        return Some(say::runs_code_command_line(name));
    }
    let from_input = script.is_none_or(|script| script == "-" || script.starts_with("/dev/"));
    (from_input && (simple.reads_pipe || simple.reads_inline))
        .then(|| say::runs_whatever_given_standard_input(name))
}

/// Whether a shell or Python runs code of the project, as `./script.sh` and `pytest` do.
pub(crate) fn runs_project(situation: &Situation, normal: &[String], cwd: &Path) -> bool {
    let Some((name, args)) = normal.split_first() else { return false };
    let script = args.iter().find(|arg| !arg.starts_with('-'));
    let is_shell = SHELLS.contains(&name.as_str());
    is_shell && script.is_some_and(|file| is_own_script(situation, cwd, args, file))
        || is_python(name) && module(args).is_some() && effects::is_named(normal, 3)
}

fn is_python(name: &str) -> bool {
    wrappers::interpreter(name).is_some_and(|(language, _)| matches!(*language, "python" | "pypy"))
}

/// Whether a shell runs a script of the workspace without further options. A file that does not look like a script
/// does not count (`sh README.md`).
fn is_own_script(situation: &Situation, cwd: &Path, args: &[String], file: &str) -> bool {
    const ENDINGS: &[&str] = &["sh", "bash", "zsh", "ksh", "fish"];
    let plain_options = args.iter().take_while(|arg| *arg != file).all(|arg| {
        arg.strip_prefix('-').is_some_and(|letters| letters.chars().all(|letter| "eux".contains(letter)))
    });
    let Some(real) = crate::path::real(situation, cwd, file).filter(|_| plain_options) else { return false };
    let is_own = real.starts_with(crate::path::real_folder(&situation.workspace)) && real.is_file();
    let is_named = real.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known));
    is_own && (is_named || begins_as_script(&real))
}

/// Whether a file's first line names a shell.
fn begins_as_script(file: &Path) -> bool {
    let mut start = Vec::new();
    let read = std::fs::File::open(file).and_then(|file| file.take(80).read_to_end(&mut start));
    let line = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    read.is_ok() && line.starts_with(b"#!") && line.ends_with(b"sh")
}

/// Returns the module that Python runs (`-m name`, `-mname`, `-Im name`), if any.
fn module(args: &[String]) -> Option<&str> {
    let mut words = args.iter();
    while let Some(letters) = words.next()?.strip_prefix('-') {
        match letters.find(['m', 'c', 'W', 'X']) {
            Some(at) if letters[at..].starts_with('m') => {
                let attached = &letters[at + 1..];
                return if attached.is_empty() { words.next().map(String::as_str) } else { Some(attached) };
            }
            // The option's value is the next word.
            Some(at) if at + 1 == letters.len() => {
                words.next();
            }
            _ => {}
        }
    }
    None
}
