//! One simple command judged in one folder.

use super::effects::{self, effects};
use super::paths;
use super::words::Argv;
use super::wrappers::{self, Inner, SHELLS};
use super::{environment, git, hints, reveal, tracked};
use crate::Situation;
use crate::floor::floor;
use crate::shell::quote::quoted;
use crate::shell::script::Simple;
use crate::table::{self, Kind, Touch};
use deputy_protocol::{Confinement, Decision, Part, PartKind, Risk};
use std::path::Path;

/// What came of one simple command.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    /// The command itself first, then the paths it touches.
    pub(crate) parts: Vec<Part>,
    /// What it would run in its turn.
    pub(crate) inner: Option<Inner>,
    /// How wide the walls must be for it to work.
    pub(crate) needs: Confinement,
    /// Whether it is known to open nothing but what its words name: what of the table is not harmless only tells the
    /// kind of a secret.
    pub(crate) is_known: bool,
}

/// What is known about the place of a command beside its words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings {
    /// Whether it is the only command of the text.
    pub(crate) alone: bool,
    /// Whether a person's rule or grant allows exactly this command.
    pub(crate) allowed_by_rule: bool,
}

/// Judges the words of a simple command in folder `cwd`.
pub(crate) fn judge(
    situation: &Situation,
    simple: &Simple,
    argv: &Argv,
    cwd: &Path,
    around: Surroundings,
) -> Judged {
    let normal = effects::normal(&argv.words);
    let text = if argv.literal || argv.doubts.is_empty() {
        quoted(&argv.words)
    } else {
        crate::shell::characters::escaped(&simple.words.join(" "))
    };
    let part = |decision, risk, reason: String| Part {
        kind: PartKind::Command,
        text: text.clone(),
        decision,
        risk,
        reason,
    };
    let inner = wrappers::inner(&normal);
    let mut needs = Confinement::ReadOnly;

    // Who removes all that is in a folder removes the folder but for its name.
    let mut floored = normal.clone();
    floored.splice(1.min(floored.len()).., argv.emptied.iter().chain(normal.iter().skip(1)).cloned());
    if argv.good_guess
        && let Some(reason) = floor(situation, &floored, cwd)
    {
        return Judged {
            parts: vec![part(Decision::Deny, Risk::High, reason)],
            inner,
            needs: Confinement::Open,
            is_known: false,
        };
    }
    let known = if argv.doubts.is_empty() {
        known_harmless(situation, argv, cwd, around)
    } else {
        Err(worst(&argv.doubts))
    };
    match known {
        Ok(touches) => {
            let about =
                table::lookup(&argv.words).map_or("tells about itself", |(entry, _)| entry.about.as_str());
            let mut parts = vec![part(
                Decision::Allow,
                Risk::Low,
                format!("{}: {about}.", argv.words.first().map_or("", String::as_str)),
            )];
            parts.extend(touches.iter().filter_map(|touch| paths::touched(situation, cwd, touch)));
            parts.extend(argv.folders.iter().filter_map(|folder| paths::globbed(situation, cwd, folder)));
            if let Some(worst) =
                parts.iter_mut().find(|part| part.decision == Decision::Ask && part.risk < Risk::High)
                && let Some(hint) = hints::hint(&text)
            {
                worst.risk = Risk::High;
                worst.reason = format!("{}. {hint}", worst.reason);
            }
            let tells_kinds = touches.iter().all(|touch| touch.kind == Kind::Magic);
            let is_known = tells_kinds || parts.iter().all(|part| part.decision == Decision::Allow);
            Judged { parts, inner: None, needs, is_known }
        }
        Err((mismatch_risk, mismatch)) => {
            let secrets = paths::secrets_named(situation, cwd, &argv.words);
            let (risk, reason, wanted) =
                assess(situation, simple, argv, &normal, cwd, (mismatch_risk, mismatch));
            needs = needs.max(wanted);
            let lifted = around.allowed_by_rule && risk < Risk::High;
            let decision = if lifted { Decision::Allow } else { Decision::Ask };
            let mut parts = vec![part(decision, risk, reason)];
            parts.extend(secrets);
            Judged { parts, inner, needs, is_known: reveal::only_writes(simple, argv, cwd) }
        }
    }
}

fn worst(doubts: &[(Risk, String)]) -> (Risk, String) {
    doubts
        .iter()
        .max_by_key(|(risk, _)| *risk)
        .cloned()
        .unwrap_or((Risk::Medium, "Is not certain.".to_owned()))
}

/// The paths a command of the table touches, or why it is not known to be harmless.
fn known_harmless(
    situation: &Situation,
    argv: &Argv,
    cwd: &Path,
    around: Surroundings,
) -> Result<Vec<Touch>, (Risk, String)> {
    let name = argv.words.first().map_or("", String::as_str);
    if table::is_about_itself(&argv.words) {
        return Ok(Vec::new());
    }
    let Some((entry, used)) = table::lookup(&argv.words) else {
        return Err((Risk::Medium, format!("`{name}` is not among the commands known to be harmless.")));
    };
    let touches = table::check(entry, argv.words.get(used..).unwrap_or_default())
        .map_err(|why| (why.risk, why.reason))?;
    if entry.alone && !around.alone {
        return Err((
            Risk::Medium,
            format!("`{name}` is harmless alone; joined to other commands it is how injected text probes."),
        ));
    }
    if entry.git
        && let Some(why) = git::danger(cwd, &situation.home)
    {
        return Err((Risk::High, why));
    }
    if entry.git
        && let Some(why) = tracked::shown(situation, &argv.words, cwd)
    {
        return Err((Risk::High, why));
    }
    if let Some(file) =
        entry.unless_present.iter().find(|file| cwd.ancestors().any(|folder| folder.join(file).exists()))
    {
        return Err((Risk::High, format!("The file {file} decides which program `{name}` runs.")));
    }
    Ok(touches)
}

/// How bad a command that asks may be, why, and how wide its walls must be.
fn assess(
    situation: &Situation,
    simple: &Simple,
    argv: &Argv,
    normal: &[String],
    cwd: &Path,
    mismatch: (Risk, String),
) -> (Risk, String, Confinement) {
    let mut needs = Confinement::Workspace;
    let mut worst = mismatch;
    let mut raise = |risk: Risk, reason: String| {
        if risk > worst.0 || (risk == worst.0 && worst.1.contains("not among the commands")) {
            worst = (risk, reason);
        }
    };
    for effect in effects(normal) {
        raise(effect.risk, effect.reason.clone());
        needs = needs.max(effect.needs.unwrap_or(Confinement::ReadOnly));
    }
    if let Some(reason) = code(simple, normal) {
        raise(Risk::High, reason);
    }
    if normal.first().is_some_and(|name| {
        matches!(
            name.as_str(),
            "env" | "export" | "declare" | "typeset" | "readonly" | "local" | "unset" | "set"
        )
    }) && let Some(set) =
        normal.iter().skip(1).find(|word| environment::is_hijack(word.split('=').next().unwrap_or(word)))
    {
        raise(Risk::High, format!("Sets `{set}`, which changes what programs run or load."));
    }
    if let Some(reason) = git::planted(normal, cwd, &situation.home) {
        raise(Risk::High, reason);
    }
    if let Some(reason) = program_flag(normal) {
        raise(Risk::High, reason);
    }
    if let Some(reason) = spreading(situation, normal, cwd) {
        raise(Risk::High, reason);
    }
    if let Some((risk, reason)) = paths::writes_named(situation, cwd, argv.words.get(1..).unwrap_or_default())
    {
        raise(risk, reason);
    }
    if let Some(reason) = hints::hint(&argv.words.join(" ")).or_else(|| hints::hint(&simple.words.join(" ")))
    {
        raise(Risk::High, reason.to_owned());
    }
    if paths::leaves_workspace(situation, cwd, argv.words.get(1..).unwrap_or_default()) {
        needs = Confinement::Open;
    }
    (worst.0, worst.1, needs)
}

/// Code that a shell or another interpreter would run: on the command line, from a pipe, or a text given to it.
fn code(simple: &Simple, normal: &[String]) -> Option<String> {
    let name = normal.first()?.as_str();
    let args = &normal[1..];
    let script = args.iter().find(|arg| !arg.starts_with('-'));
    if SHELLS.contains(&name) {
        return Some(match script {
            Some(file) if !args.iter().any(|arg| arg.starts_with('-') && arg.contains('c')) => {
                format!("Runs {file} as shell code.")
            }
            Some(_) => "Runs text on the command line as shell code.".to_owned(),
            None => "Runs whatever it is given on its standard input as shell code.".to_owned(),
        });
    }
    if matches!(name, "source" | ".") {
        return Some(format!("Runs {} as shell code.", script.map_or("a file", String::as_str)));
    }
    if matches!(
        name,
        "ed" | "ex" | "vi" | "vim" | "red" | "make" | "gdb" | "sqlite3" | "psql" | "mysql" | "ftp"
    ) && (simple.reads_pipe || simple.reads_inline)
    {
        return Some(format!("Runs whatever it is given on its standard input with {name}."));
    }
    let (_, options) = wrappers::interpreter(name)?;
    if args.iter().any(|arg| {
        options.iter().any(|option| {
            arg == option
                || (option.len() == 2
                    && arg.starts_with('-')
                    && !arg.starts_with("--")
                    && arg.contains(&option[1..]))
        })
    }) {
        return Some(format!("Runs code on the command line with {name}."));
    }
    let from_input = script.is_none_or(|script| script == "-" || script.starts_with("/dev/"));
    (from_input && (simple.reads_pipe || simple.reads_inline))
        .then(|| format!("Runs whatever it is given on its standard input with {name}."))
}

/// A flag whose name says that it runs a program.
fn program_flag(normal: &[String]) -> Option<String> {
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
    flag.map(|flag| format!("`{}` has it run another program.", crate::shell::characters::escaped(flag)))
}

/// Deletes or walks more than the workspace's own folders.
fn spreading(situation: &Situation, normal: &[String], cwd: &Path) -> Option<String> {
    let name = normal.first()?.as_str();
    let args = &normal[1..];
    let flags: String =
        args.iter().filter(|arg| arg.starts_with('-') && !arg.starts_with("--")).cloned().collect();
    let recursive = flags.contains(['r', 'R']) || args.iter().any(|arg| arg.starts_with("--rec"));
    let workspace = situation.workspace.canonicalize().unwrap_or_else(|_| situation.workspace.clone());
    let outside = |arg: &&String| {
        crate::path::real(situation, cwd, arg)
            .is_none_or(|real| !real.starts_with(&workspace) || real == workspace)
    };
    let operands: Vec<&String> = args.iter().filter(|arg| !arg.starts_with('-')).collect();
    match name {
        "rm" | "mv" | "rmdir" | "unlink" | "truncate" if operands.iter().any(outside) => Some(format!(
            "Removes or moves {}, which is outside of the workspace or all of it.",
            operands.iter().find(|arg| outside(arg)).map_or("", |arg| arg.as_str())
        )),
        "rm" if recursive
            && (args.iter().any(|arg| {
                arg.contains(['*', '?']) || arg == "." || arg == ".." || arg.starts_with(".git")
            }) || operands.len() > 8) =>
        {
            Some("Deletes many files and folders at once.".to_owned())
        }
        "grep" | "egrep" | "fgrep" | "rg" | "find" | "fd" | "tree" | "du" | "ls" | "cp" | "tar" | "zip"
        | "rsync" | "scp" | "strings"
            if operands.iter().any(|arg| {
                crate::path::real(situation, cwd, arg)
                    .is_some_and(|real| paths::holds_the_home(situation, &real))
            }) =>
        {
            Some("Goes through the whole home folder, where passwords and keys are kept.".to_owned())
        }
        _ => None,
    }
}
