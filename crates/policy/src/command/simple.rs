//! Judges a simple command in a folder.

use super::below::holds_secrets_below;
use super::code::{code, runs_project};
use super::effects::{self, effects};
use super::forms::Form;
use super::handed::{self, Handing, Names};
use super::loans::{self, Loan};
use super::outside::{Reached, reached};
use super::parts::{self, UnknownParts};
use super::paths;
use super::words::Argv;
use super::wrappers::{self, Inner};
use super::{
    environment, fetches, git, hooks, loopback, mentioned, programs, python_environment, reveal, ruled,
    tracked,
};
use crate::Situation;
use crate::floor::floor;
use crate::path;
use crate::shell::quote::quoted;
use crate::shell::script::Simple;
use crate::table::{self, Fit, Kind, Touch};
use deputy_messages::policy as say;
use deputy_protocol::{Confinement, Decision, Part, PartKind, Phrase, Risk};
use std::path::Path;

/// The judgment of a simple command.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    /// The command itself, followed by the paths that it touches.
    pub(crate) parts: Vec<Part>,
    /// What the command itself would run.
    pub(crate) inner: Option<Inner>,
    /// How wide the walls must be for the command to work.
    pub(crate) needs: Confinement,
    /// Whether the command is known to open only what its words name. A command of the table may still ask, if it
    /// only discloses the type of a secret.
    pub(crate) is_known: bool,
    /// How to run the command if nobody is asked. `Some` if the table lists it as harmless.
    pub(crate) hardening: Option<Hardening>,
    /// The paths outside the workspace that are opened to the command.
    pub(crate) reached: Reached,
    /// Whether every word is certain, so that exactly these words may run.
    pub(crate) is_certain: bool,
    /// Whether the parts include hooks of the repository that the command runs.
    pub(crate) runs_hooks: bool,
    /// The user's own resources that the command requires. Each is among the parts.
    pub(crate) lends: Vec<Loan>,
    /// The reason for the command's risk, if the risk remains whatever the walls are.
    pub(crate) beyond: Option<Phrase>,
    /// Whether the command is meant to remove or overwrite files.
    pub(crate) removes: bool,
    /// Whether a rule of the user's names a path among the words.
    pub(crate) named_by_rule: bool,
}

/// The additions to a command that runs without asking, so that it can do no more than was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hardening {
    /// The number of words that name the command. The additions follow them.
    pub(crate) named_by: usize,
    /// The words to add.
    pub(crate) adds: Vec<String>,
    /// Other programs that the command starts to do what was judged.
    pub(crate) starts: Vec<&'static str>,
}

impl Hardening {
    /// Returns the words to run.
    pub(crate) fn of(&self, argv: &[String]) -> Vec<String> {
        let (name, rest) = argv.split_at(self.named_by.min(argv.len()));
        [name, &self.adds, rest].concat()
    }
}

/// The context of a command besides its words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings<'a> {
    /// Whether it is the only command of the text.
    pub(crate) alone: bool,
    /// Whether the user's rule or grant allows exactly this command.
    pub(crate) allowed_by_rule: bool,
    /// Whether that rule specifies the walls, and can therefore remove them.
    pub(crate) walls_by_rule: bool,
    /// The names that come through the pipe, if known.
    pub(super) names: Option<&'a Names>,
    /// Whether the standard input is another command's output.
    pub(super) reads_pipe: bool,
    /// The texts from the command line that are fed to the command.
    pub(super) fed: &'a [String],
    /// The known properties of words whose values are known only at run time.
    pub(super) unknown: Option<&'a UnknownParts>,
}

/// Judges the words of a simple command in the folder `cwd`.
#[expect(clippy::too_many_lines, reason = "one check after another, in the order in which they hold")]
pub(crate) fn judge(
    situation: &Situation,
    simple: &Simple,
    argv: &Argv,
    cwd: &Path,
    around: Surroundings<'_>,
) -> Judged {
    let normal = effects::normal(&argv.words);
    let text = if argv.literal || argv.doubts.is_empty() {
        quoted(&argv.words)
    } else {
        crate::shell::characters::escaped(&simple.words.join(" "))
    };
    let part = |decision, risk, reason: Phrase| Part {
        kind: PartKind::Command,
        text: text.clone(),
        decision,
        risk,
        reason,
    };
    let inner = wrappers::inner(&normal);
    let mut needs = Confinement::ReadOnly;

    // Removing everything in a folder is treated like removing the folder.
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
            hardening: None,
            reached: Reached::default(),
            is_certain: false,
            runs_hooks: false,
            lends: Vec::new(),
            beyond: None,
            removes: false,
            named_by_rule: false,
        };
    }
    let is_certain = argv.doubts.is_empty();
    let mut reached = if is_certain { reached(situation, cwd, &argv.words) } else { Reached::default() };
    let own =
        argv.words.first().filter(|_| argv.doubts.is_empty()).and_then(|name| programs::own(situation, name));
    let known = if argv.doubts.is_empty() {
        known_harmless(situation, argv, cwd, around)
    } else {
        Err(worst(&argv.doubts))
    };
    match known {
        // Without asking, the program would not be found: programs from the user's own folders do not start without
        // consent.
        Ok(_) if programs::are_only_own(situation, &argv.words) => {
            let (risk, reason) = match &own {
                Some(own) if own.is_of_task => (Risk::High, of_task(own)),
                _ => (Risk::Low, say::program_your_own_never()),
            };
            let lifted = around.allowed_by_rule && risk < Risk::High;
            let decision = if lifted { Decision::Allow } else { Decision::Ask };
            let parts = vec![Part { text: shown(&text, own.as_ref(), argv), ..part(decision, risk, reason) }];
            let needs = Confinement::ReadOnly;
            reached.writes.clear();
            Judged {
                parts,
                inner,
                needs,
                is_known: false,
                hardening: None,
                reached,
                is_certain,
                runs_hooks: false,
                lends: Vec::new(),
                beyond: None,
                removes: false,
                named_by_rule: false,
            }
        }
        Ok((touches, hardening)) => {
            let handed = || Handing::of(&argv.words).and_then(|handing| table::lookup(&handing.other));
            let about = table::lookup(&argv.words)
                .or_else(handed)
                .map_or(say::tells_about_itself(), |(entry, _)| entry.about.clone());
            let mut parts = vec![part(
                Decision::Allow,
                Risk::Low,
                say::about_program(about, argv.words.first().map_or("", String::as_str)),
            )];
            parts.extend(touches.iter().filter_map(|touch| paths::touched(situation, cwd, touch)));
            parts.extend(argv.folders.iter().filter_map(|folder| paths::globbed(situation, cwd, folder)));
            let tells_kinds = touches.iter().all(|touch| touch.kind == Kind::Magic);
            let is_known = tells_kinds || parts.iter().all(|part| part.decision == Decision::Allow);
            // The commands of the table write nothing.
            reached.writes.clear();
            let lends = Vec::new();
            Judged {
                parts,
                inner: None,
                needs,
                is_known,
                hardening,
                reached,
                is_certain,
                runs_hooks: false,
                lends,
                beyond: None,
                removes: false,
                named_by_rule: false,
            }
        }
        Err(mismatch) => {
            let secrets = paths::secrets_named(situation, cwd, &argv.words);
            let Assessed { mut worst, needs: wanted, removes } =
                assess(situation, simple, argv, &normal, cwd, around.fed, mismatch);
            if let Some(own) = own.as_ref().filter(|own| own.is_of_task) {
                worst.raise((Risk::High, of_task(own)).into());
            }
            needs = needs.max(wanted);
            if reached.needs_open {
                needs = Confinement::Open;
            }
            if reached.reads_home {
                worst.raise(Mismatch::beyond(say::goes_through_whole_home_folder()));
            }
            let Mismatch { mut risk, reason, is_beyond, .. } = worst;
            let beyond = is_beyond.then(|| reason.clone());
            // Without walls nothing confines the command, so it is always high-risk.
            if needs == Confinement::Open && !around.walls_by_rule {
                risk = Risk::High;
            }
            let lifted = around.allowed_by_rule && risk < Risk::High && !reached.is_led;
            let decision = if lifted { Decision::Allow } else { Decision::Ask };
            let mut parts =
                vec![Part { text: shown(&text, own.as_ref(), argv), ..part(decision, risk, reason) }];
            parts.extend(secrets);
            let ruled = ruled::ruled_out(situation, cwd, &argv.words);
            let named_by_rule = !ruled.is_empty();
            parts.extend(ruled);
            parts.extend(reached.parts(decision));
            let hooks = hooks::run_by(&normal, cwd, &situation.home);
            parts.extend(hooks.iter().map(|hook| {
                let text = crate::unseen::escape(&hook.to_string_lossy());
                Part { text, ..part(decision, Risk::Medium, say::git_runs_hook()) }
            }));
            let runs_hooks = !hooks.is_empty();
            let lends = if is_certain { loans::loans(situation, &normal, cwd) } else { Vec::new() };
            parts.extend(lends.iter().map(Loan::part));
            let withheld = loans::withheld(situation, &normal, cwd).filter(|_| is_certain);
            parts.extend(
                withheld.map(|(text, reason)| Part { text, ..part(Decision::Ask, Risk::High, reason) }),
            );
            let is_known = reveal::only_writes(simple, argv, cwd);
            Judged {
                parts,
                inner,
                needs,
                is_known,
                hardening: None,
                reached,
                is_certain,
                runs_hooks,
                lends,
                beyond,
                removes,
                named_by_rule,
            }
        }
    }
}

/// Returns the command as it is shown. If its program is the user's own, it includes the path from which it is
/// started.
fn shown(text: &str, own: Option<&programs::OwnProgram>, argv: &Argv) -> String {
    match (own, argv.words.split_first()) {
        (Some(own), Some((_, rest))) => {
            let program = own.path.to_string_lossy().into_owned();
            quoted(&[&[program], rest].concat())
        }
        _ => text.to_owned(),
    }
}

/// Returns the reason why a program cannot be trusted by its name.
fn of_task(own: &programs::OwnProgram) -> Phrase {
    let name = own.path.file_name().unwrap_or_default().to_string_lossy();
    let folder = own.path.parent().unwrap_or(&own.path).display();
    say::found_where_task_can(folder, name)
}

/// The reason why a command is not known to be harmless.
struct Mismatch {
    risk: Risk,
    reason: Phrase,
    /// Whether the only reason is that the command is not in the table. Any other reason is more specific.
    is_unlisted: bool,
    /// Whether the risk remains if the command can only change the folder, without a network.
    is_beyond: bool,
}

impl Mismatch {
    /// A high risk that remains whatever the walls are.
    fn beyond(reason: Phrase) -> Self {
        Self { is_beyond: true, ..(Risk::High, reason).into() }
    }

    /// Replaces the reason by one that weighs more.
    fn raise(&mut self, other: Self) {
        let (own, new) = ((self.is_beyond, self.risk), (other.is_beyond, other.risk));
        if new > own || new == own && self.is_unlisted {
            *self = other;
        }
    }
}

impl From<(Risk, Phrase)> for Mismatch {
    fn from((risk, reason): (Risk, Phrase)) -> Self {
        Self { risk, reason, is_unlisted: false, is_beyond: false }
    }
}

fn worst(doubts: &[(Risk, Phrase)]) -> Mismatch {
    let worst = doubts.iter().max_by_key(|(risk, _)| *risk).cloned();
    worst.unwrap_or((Risk::Medium, say::not_certain())).into()
}

/// Returns the paths that a command of the table touches and how to run it, or the reason why it is not known to be
/// harmless.
fn known_harmless(
    situation: &Situation,
    argv: &Argv,
    cwd: &Path,
    around: Surroundings<'_>,
) -> Result<(Vec<Touch>, Option<Hardening>), Mismatch> {
    if let Some(handed) = around.unknown.and_then(|unknown| unknown.handed(&argv.words)) {
        return Ok(handed);
    }
    let as_commits;
    let argv = match around.unknown {
        Some(_) if argv.words.first().is_some_and(|name| name == "git") => {
            as_commits = parts::with_commits(argv);
            &as_commits
        }
        _ => argv,
    };
    let name = argv.words.first().map_or("", String::as_str);
    if table::is_about_itself(&argv.words) {
        // `egrep --version` prints the version of `grep`.
        let entry = table::lookup(&argv.words[..1]).map(|(entry, _)| entry);
        let starts = entry.map(|entry| entry.starts.iter().collect()).unwrap_or_default();
        return Ok((Vec::new(), Some(Hardening { named_by: 1, adds: Vec::new(), starts })));
    }
    if let Some(handing) = Handing::of(&argv.words)
        && let Some(known) = handed::harmlessly(&handing, around)
    {
        return Ok(known);
    }
    let Some((entry, used)) = table::lookup(&argv.words) else {
        let reason = say::not_among_commands_known(name);
        return Err(Mismatch { is_unlisted: true, ..(Risk::Medium, reason).into() });
    };
    if let Some(kind) = entry.fed
        && let Some(problem) = around.fed.iter().find_map(|text| table::problem(kind, text))
    {
        return Err((Risk::High, say::operand_of(name, problem, "<<")).into());
    }
    let Fit { touches, adds } = table::check(entry, argv.words.get(used..).unwrap_or_default())
        .map_err(|why| (why.risk, why.reason))?;
    if entry.alone && !around.alone {
        return Err((Risk::Medium, say::harmless_alone_joined_other(name)).into());
    }
    if entry.git
        && let Some(why) = git::danger(cwd, &situation.home)
    {
        return Err((Risk::High, why).into());
    }
    if entry.tells_settings
        && git::repositories(cwd).iter().any(|folder| path::holds_credentials(&folder.join("config")))
    {
        return Err(Mismatch::beyond(say::what_looks_like_credential()));
    }
    if entry.git
        && let Some(why) = tracked::shown(situation, &argv.words, cwd)
    {
        return Err(Mismatch::beyond(why));
    }
    if let Some(file) =
        entry.unless_present.iter().find(|file| cwd.ancestors().any(|folder| folder.join(file).exists()))
    {
        return Err((Risk::High, say::file_decides_program_runs(file, name)).into());
    }
    if entry.loads_from_home && paths::holds_the_home(situation, &path::real_folder(&situation.workspace)) {
        let reason = say::workspace_holds_home_loads(name);
        return Err((Risk::High, reason).into());
    }
    let touches = if entry.git { names_alone(situation, &argv.words, cwd, touches) } else { touches };
    Ok((touches, Some(Hardening { named_by: used, adds, starts: entry.starts.iter().collect() })))
}

/// Adjusts what a sub-command of git touches. If it prints no file content, a secret counts only by its name. `git
/// diff` is not such a sub-command: it can compare two files outside a repository.
fn names_alone(situation: &Situation, words: &[String], cwd: &Path, mut touches: Vec<Touch>) -> Vec<Touch> {
    const OF_NAMES: [&str; 4] = ["check-ignore", "log", "ls-files", "status"];
    let is_of_names =
        |form: Form<'_>| OF_NAMES.contains(&form.name) && form.prints_no_content(&git::repositories(cwd));
    if Form::of(words).is_some_and(is_of_names) {
        let is_secret = |text: &str| !text.contains(':') && path::is_secret(situation, &cwd.join(text));
        touches
            .iter_mut()
            .filter(|touch| touch.kind == Kind::Revision && is_secret(&touch.text))
            .for_each(|touch| touch.kind = Kind::List);
    }
    touches
}

/// Why a command asks.
struct Assessed {
    worst: Mismatch,
    /// How wide its walls must be.
    needs: Confinement,
    /// Whether it is meant to remove or overwrite files.
    removes: bool,
}

/// Returns why a command asks.
fn assess(
    situation: &Situation,
    simple: &Simple,
    argv: &Argv,
    normal: &[String],
    cwd: &Path,
    fed: &[String],
    mut worst: Mismatch,
) -> Assessed {
    let normal = &*python_environment::without_module(normal);
    let (mut needs, mut removes) = (Confinement::Workspace, false);
    if worst.risk <= Risk::Medium && runs_project(situation, normal, cwd) {
        worst = (Risk::Medium, say::runs_code_project()).into();
    }
    let stays_inside = situation.own_network && loopback::alone(normal);
    if stays_inside {
        worst.raise((Risk::Medium, say::asks_what_task_runs()).into());
    }
    for effect in
        effects(normal, &argv.words, cwd).into_iter().filter(|effect| !(stays_inside && effect.outward))
    {
        worst.raise(Mismatch { is_beyond: effect.beyond, ..(effect.risk, effect.reason.clone()).into() });
        needs = needs.max(effect.needs.unwrap_or(Confinement::ReadOnly));
        removes |= effect.removes;
    }
    if let Some(reason) = code(situation, simple, normal, cwd) {
        worst.raise((Risk::High, reason).into());
        let texts = argv.words.iter().skip(1).chain(fed);
        let protected = texts.filter_map(|text| mentioned::mentioned(situation, cwd, text));
        protected.for_each(|reason| worst.raise(Mismatch::beyond(reason)));
    }
    if normal.first().is_some_and(|name| {
        matches!(
            name.as_str(),
            "env" | "export" | "declare" | "typeset" | "readonly" | "local" | "unset" | "set"
        )
    }) && let Some(set) = normal.iter().skip(1).find(|word| {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        environment::is_hijack(name) || environment::names_code(name, value)
    }) {
        worst.raise((Risk::High, say::sets_changes_what_programs_run(set)).into());
    }
    if let Some(reason) = git::planted(normal, cwd, &situation.home) {
        worst.raise((Risk::High, reason).into());
    }
    if let Some(mismatch) = spreading(situation, normal, cwd) {
        worst.raise(mismatch);
    }
    if let Some(reason) = paths::writes_named(situation, cwd, argv.words.get(1..).unwrap_or_default()) {
        worst.raise(Mismatch::beyond(reason));
    }
    if fetches::fetches(situation, normal, cwd) {
        needs = needs.max(Confinement::WorkspaceNet);
    }
    Assessed { worst, needs, removes }
}

/// Returns the reason if a command deletes or walks more than the workspace's own folders.
fn spreading(situation: &Situation, normal: &[String], cwd: &Path) -> Option<Mismatch> {
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
        "rm" | "mv" | "rmdir" | "unlink" | "truncate" if operands.iter().any(outside) => {
            let named = operands.iter().find(|arg| outside(arg)).map_or("", |arg| arg.as_str());
            Some(Mismatch::beyond(say::removes_moves_outside_workspace(named)))
        }
        "rm" if recursive
            && (args.iter().any(|arg| {
                arg.contains(['*', '?']) || arg == "." || arg == ".." || arg.starts_with(".git")
            }) || operands.len() > 8) =>
        {
            Some((Risk::High, say::deletes_many_files_folders()).into())
        }
        "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" | "ugrep" | "zgrep" | "cp" | "tar" | "zip"
        | "7z" | "rsync" | "scp" | "strings" | "cat" | "xxd" | "base64"
            if holds_secrets_below(situation, cwd, &operands, &[]) =>
        {
            Some((Risk::High, say::reads_folder_holds_file()).into())
        }
        "grep" | "egrep" | "fgrep" | "rg" | "find" | "fd" | "tree" | "du" | "ls" | "cp" | "tar" | "zip"
        | "rsync" | "scp" | "strings"
            if operands.iter().any(|arg| {
                crate::path::real(situation, cwd, arg)
                    .is_some_and(|real| paths::holds_the_home(situation, &real))
            }) =>
        {
            Some(Mismatch::beyond(say::goes_through_whole_home_folder()))
        }
        _ => None,
    }
}
