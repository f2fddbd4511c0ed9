//! Judges a whole shell text: every simple command, every construct, and their combined effects.

use super::effects::normal;
use super::environment::is_hijack;
use super::handed::Names;
use super::loans::Loan;
use super::mentioned::mentioned;
use super::outside::Reached;
use super::parts::{self, UnknownParts};
use super::rewriting::Rewriting;
use super::simple::{self, Surroundings};
use super::whatever;
use super::words::{self, Argv};
use super::wrappers::Inner;
use super::{paths, reveal};
use crate::floor::floor;
use crate::path;
use crate::rules;
use crate::shell::characters::escaped;
use crate::shell::loose;
use crate::shell::parse::{MOST_BYTES, parse};
use crate::shell::script::{Joint, Loop, Script, Simple};
use crate::shell::tokens;
use crate::subject::Subject;
use crate::{SHELL_TOOL, Situation};
use deputy_messages::policy as say;
use deputy_protocol::{Confinement, Decision, GrantId, Part, PartKind, Phrase, Risk};
use std::collections::HashSet;
use std::path::PathBuf;

/// The maximum nesting of texts that a command passes to another shell.
const MOST_TEXTS: usize = 8;
/// The maximum number of possible working folders after `cd` commands.
const MOST_FOLDERS: usize = 4;

/// The maximum number of values of all loops of a text, counted for each command in a loop.
const MOST_LOOPED: usize = 256;

/// The maximum number of words of a lenient parse that are checked closely for denials.
const MOST_CLOSE: usize = 256;

/// The judgment of a shell text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judgement {
    /// Every simple command with its paths, and every construct.
    pub(crate) parts: Vec<Part>,
    /// How wide the walls must be for the text to work.
    pub(crate) needs: Option<Confinement>,
    /// The words, if the text is exactly one simple command of literal words.
    pub(crate) argv: Option<Vec<String>>,
    /// Every argv in the text.
    pub(crate) argvs: Vec<Vec<String>>,
    /// Whether the text means the same at any time and place: literal words and files, without other constructs.
    pub(crate) is_steady: bool,
    /// The grant that allowed a part of the text.
    pub(crate) grant: Option<GrantId>,
    /// Whether the user's rule or grant allowed a part of the text.
    pub(crate) by_person: bool,
    /// The confinement that the user's rule requires.
    pub(crate) ruled: Option<Confinement>,
    /// Whether every command is known to open only what its words name.
    pub(crate) is_known: bool,
    /// The paths outside the workspace that are opened to the call.
    pub(crate) reached: Reached,
    /// The words of each command that had some of its words looked up. They are shown as they were at that time.
    pub(crate) looked_up: Vec<Vec<String>>,
    /// Whether the parts include hooks of a repository that git runs.
    pub(crate) runs_hooks: bool,
    /// The project's secrets that are unhidden if the user agrees to their change.
    pub(crate) revealed: Vec<PathBuf>,
    /// The user's own resources that are lent to the call.
    pub(crate) lends: Vec<Loan>,
    /// How the text is rewritten before it runs.
    pub(crate) rewriting: Rewriting,
    /// The reasons of parts whose risk remains even if the text can only change the folder, without a network.
    pub(crate) beyond: Vec<Phrase>,
    /// Whether a rule of the user's names a command of the text, or a path in it, and asks about it or denies it.
    pub(crate) named_by_rule: bool,
    /// Whether a command of the text is meant to remove or overwrite files.
    pub(crate) removes: bool,
}

/// Judges a text that is passed to bash.
pub(crate) fn judge(situation: &Situation, text: &str) -> Judgement {
    let mut judge = Judge::new(situation);
    judge.text(text, std::slice::from_ref(&situation.cwd));
    let mut judgement = judge.judgement;
    let strictest = judgement.parts.iter().map(|part| part.decision).max();
    if strictest == Some(Decision::Ask)
        && let Some(harmless) = whatever::harmless(situation, text)
    {
        return harmless;
    }
    judgement.revealed = reveal::reveal(situation, &mut judgement);
    let outside = judgement.revealed.iter().filter(|real| !path::may_read(situation, real));
    judgement.reached.reads.extend(outside.cloned());
    if !judgement.lends.is_empty() && judgement.argvs.len() > 1 {
        // The walls apply to the call, not to a single command in it.
        judgement.parts.push(Part {
            kind: PartKind::Loan,
            text: String::new(),
            decision: Decision::Ask,
            risk: Risk::High,
            reason: say::what_lent_lent_every(),
        });
    }
    judgement
}

/// The state while a text is judged.
pub(super) struct Judge<'a> {
    pub(super) situation: &'a Situation,
    pub(super) judgement: Judgement,
    pub(super) depth: usize,
    /// The variables of the loops around a command, the outermost first, with the values for which it is judged.
    pub(super) values: Vec<(String, String)>,
    /// The number of loop values that may still be checked in the whole text.
    pub(super) rounds_left: usize,
    /// The known properties of the unknown parts, if a text is judged regardless of them.
    pub(super) unknown: Option<UnknownParts>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(situation: &'a Situation) -> Self {
        Judge {
            situation,
            judgement: Judgement { is_steady: true, is_known: true, ..Judgement::default() },
            depth: 0,
            values: Vec::new(),
            rounds_left: MOST_LOOPED,
            unknown: None,
        }
    }
}

impl Judge<'_> {
    pub(super) fn part(
        &mut self,
        kind: PartKind,
        text: String,
        decision: Decision,
        risk: Risk,
        reason: impl Into<Phrase>,
    ) {
        self.judgement.parts.push(Part { kind, text, decision, risk, reason: reason.into() });
    }

    pub(super) fn construct(&mut self, text: &str, risk: Risk, reason: impl Into<Phrase>) {
        self.judgement.is_steady = false;
        self.part(PartKind::Construct, escaped(text), Decision::Ask, risk, reason);
    }

    fn text(&mut self, text: &str, folders: &[PathBuf]) {
        let script = parse(text);
        self.judgement.is_steady &= !script.is_grouped;
        let is_plain = script.refusal.is_none() && script.constructs.is_empty();
        let is_split = is_plain && !tokens::agrees(text, &script);
        if is_split {
            let reason = say::text_may_split_into();
            self.construct(text, Risk::High, reason);
        }
        if let Some(refusal) = &script.refusal {
            // Text that was not understood may do more than read.
            self.judgement.needs = self.judgement.needs.max(Some(Confinement::Workspace));
            let protected = mentioned(self.situation, &self.situation.cwd, text);
            if text.len() > MOST_BYTES || text.contains('\0') {
                // A person cannot see what runs.
                self.judgement.beyond.push(refusal.reason.clone());
            }
            self.construct(&refusal.text, refusal.risk, refusal.reason.clone());
            if let Some(reason) = protected {
                self.judgement.beyond.push(reason.clone());
                self.construct(&refusal.text, Risk::High, reason);
            }
        }
        if !is_plain || is_split {
            self.denied_in_words(text, &script, folders);
        }
        for construct in &script.constructs {
            self.construct(&construct.text, construct.risk, construct.reason.clone());
        }
        self.fork_bombs(&script);
        if script.commands.is_empty() && script.refusal.is_none() && script.constructs.is_empty() {
            self.construct(text, Risk::Low, say::there_no_command());
        }
        for (name, value) in &self.situation.env {
            if is_hijack(name) {
                self.construct(
                    &format!("{name}={value}"),
                    Risk::High,
                    say::environment_sets_changes_what(name),
                );
            }
        }
        self.commands(&script, folders);
        self.together(&script, text);
    }

    fn fork_bombs(&mut self, script: &Script) {
        if let Some((name, _)) = script.functions.iter().find(|(_, calls_itself)| *calls_itself) {
            self.part(
                PartKind::Construct,
                escaped(name),
                Decision::Deny,
                Risk::High,
                say::starts_itself_again_again(),
            );
        }
    }

    /// Checks text that was not parsed completely: it asks, unless a lenient parse of it is denied.
    fn denied_in_words(&mut self, text: &str, parsed: &Script, folders: &[PathBuf]) {
        // A zero byte cannot be passed to a shell. The text around it is still read.
        let mut script = loose::read(&text.replace('\0', " "));
        // The words of `[[` are only compared. The commands inside them are judged separately.
        for simple in
            script.commands.iter_mut().filter(|simple| simple.words.first().is_some_and(|name| name == "[["))
        {
            simple.words = vec![":".to_owned()];
        }
        // The grammar's commands are judged with the rest: nested texts would otherwise be judged twice at each level.
        let known: HashSet<&[String]> =
            parsed.commands.iter().map(|simple| simple.words.as_slice()).collect();
        let mut seen = HashSet::new();
        // The grammar may have missed a `cd`, and judged the following commands in a different folder.
        let moves = script.commands.iter().any(is_cd);
        script.commands.retain(|simple| {
            let has_more = moves || !simple.redirects.is_empty() || !simple.loops.is_empty();
            (has_more || !known.contains(simple.words.as_slice()))
                && seen.insert((simple.words.clone(), simple.redirects.clone(), simple.loops.clone()))
        });
        // Any word may be a pattern or a path to look up, so the budget counts words, and long words for more.
        let mut words = 0;
        let close = script.commands.iter().take_while(|simple| {
            let bytes: usize = simple.words.iter().map(String::len).sum();
            words +=
                1 + simple.words.len() + 4 * simple.redirects.len() + simple.assignments.len() + bytes / 64;
            words <= MOST_CLOSE
        });
        let close = close.count();
        let further = script.commands.split_off(close);
        let mut other =
            Judge { judgement: Judgement::default(), depth: self.depth, ..Judge::new(self.situation) };
        other.fork_bombs(&script);
        other.commands(&script, folders);
        other.further(&further);
        let mut parts = other.judgement.parts;
        parts.retain(|part| part.decision == Decision::Deny);
        self.judgement.parts.append(&mut parts);
    }

    /// Checks the remaining commands only by their bare words, against the floor and the user's denials.
    fn further(&mut self, commands: &[Simple]) {
        const MOST_FLOORED: usize = 1024;
        const MOST_WORDS: usize = 256;
        let mut floored = 0;
        for simple in commands {
            let words = simple.words.iter().take(MOST_WORDS);
            let argv: Vec<String> = words.map(|word| word.replace(['\'', '"', '\\'], "")).collect();
            if argv.is_empty() {
                continue;
            }
            let text = crate::shell::quote::quoted(&argv);
            floored += argv.len();
            let denied = (floored < MOST_FLOORED)
                .then(|| floor(self.situation, &normal(&argv), &self.situation.cwd))
                .flatten();
            let refused = || {
                rules::standing(self.situation, SHELL_TOOL, &Subject::Command { argv })
                    .filter(|standing| standing.decision == Decision::Deny)
                    .map(|standing| standing.reason)
            };
            if let Some(reason) = denied.or_else(refused) {
                return self.part(PartKind::Command, text, Decision::Deny, Risk::High, reason);
            }
        }
    }

    pub(super) fn commands(&mut self, script: &Script, folders: &[PathBuf]) {
        let mut folders = folders.to_vec();
        let is_bare = script.constructs.is_empty() && !script.is_grouped;
        let alone = script.commands.len() == 1 && is_bare && self.depth == 0;
        // The folders to which the previous command leads if it is a `cd`. Empty for any other command.
        let mut entered = Vec::new();
        for (at, simple) in script.commands.iter().enumerate() {
            let is_sure = |before: &Simple| before.plain_place && before.joint != Joint::AfterFailure;
            if simple.joint == Joint::AfterSuccess
                && !entered.is_empty()
                && at.checked_sub(1).and_then(|at| script.commands.get(at)).is_some_and(is_sure)
            {
                // The change of folder succeeded, so only its target is possible.
                folders = std::mem::take(&mut entered);
            }
            entered.clear();
            for folder in folders.clone() {
                self.in_loops(simple, &folder, alone, script);
            }
            if is_cd(simple) {
                entered = self.change_folder(simple, &mut folders);
            }
        }
    }

    /// Adds the folders to which a `cd` may lead, from each of the shell's possible folders. Later commands are
    /// judged in all of them, so it does not matter whether the `cd` runs, or runs in a subshell. Returns the added
    /// targets.
    fn change_folder(&mut self, simple: &Simple, folders: &mut Vec<PathBuf>) -> Vec<PathBuf> {
        let mut entered: Vec<PathBuf> = Vec::new();
        for from in folders.iter() {
            let argv = words::argv(self.situation, simple, from, &[]);
            let target = argv.words.iter().skip(1).find(|word| !word.starts_with('-'));
            let target = target.filter(|_| argv.doubts.is_empty());
            entered.extend(target.and_then(|target| paths::entered(self.situation, from, target)));
        }
        let mut all = folders.clone();
        all.extend(entered.iter().filter(|folder| !folders.contains(folder)).cloned());
        all.dedup();
        // In a loop, the `cd` would lead further each time.
        let is_certain = !entered.is_empty() && simple.loops.is_empty() && all.len() <= MOST_FOLDERS;
        if !is_certain {
            // Later relative paths are judged in the current and in the possible folders, and the text asks.
            self.construct("cd", Risk::Low, say::changes_folder_way_not());
            all.truncate(MOST_FOLDERS);
        }
        *folders = all;
        entered
    }

    fn known_values(&mut self, loops: &[usize]) -> Vec<(String, String)> {
        let Some(unknown) = &mut self.unknown else { return Vec::new() };
        unknown.enter(loops);
        unknown.values()
    }

    /// Judges a command once for each value of its loops, or as written if the values are uncertain.
    fn in_loops(&mut self, simple: &Simple, folder: &std::path::Path, alone: bool, script: &Script) {
        const MOST_ROUNDS: usize = 64;
        let loops: Vec<&Loop> = simple.loops.iter().filter_map(|at| script.loops.get(*at)).collect();
        let looked_up: usize = loops.iter().map(|each| each.values.len()).sum();
        if looked_up > self.rounds_left {
            self.construct("for", Risk::Medium, say::goes_through_more_words());
            return self.simple(simple, folder, alone, script);
        }
        let mut rounds: Vec<Vec<(String, String)>> = vec![Vec::new()];
        let known = self.known_values(&simple.loops);
        for (each, at) in loops.into_iter().zip(&simple.loops) {
            let mut values = Vec::new();
            if let Some(known) = self
                .unknown
                .as_ref()
                .and_then(|unknown| unknown.of_loop(self.situation, folder, *at, &each.values))
            {
                values.extend(known);
            }
            let is_plain = self.unknown.is_none();
            for raw in each.values.iter().filter(|_| is_plain) {
                let argv = words::single(self.situation, folder, raw);
                let plain = |value: &String| value.chars().all(words::is_plain);
                if !argv.doubts.is_empty() || !argv.words.iter().all(plain) {
                    self.construct(raw, Risk::Medium, say::goes_through_words_not());
                }
                values.extend(argv.words);
            }
            if values.is_empty() {
                // The loop may have no or other words when it runs. Its commands are judged without these values.
                self.construct("for", Risk::Medium, say::goes_through_words_vanish());
                continue;
            }
            let next = rounds.iter().flat_map(|round| {
                values.iter().map(|value| [round.as_slice(), &[(each.name.clone(), value.clone())]].concat())
            });
            rounds = next.take(MOST_ROUNDS + 1).collect();
        }
        // Commands outside loops have a single round, which costs nothing.
        self.rounds_left = self.rounds_left.saturating_sub(looked_up.max(rounds.len().saturating_sub(1)));
        if rounds.len() > MOST_ROUNDS || self.rounds_left == 0 {
            self.construct("for", Risk::Medium, say::goes_through_more_words());
            rounds.truncate(1);
        }
        for round in rounds {
            self.values = [known.as_slice(), &round].concat();
            self.simple(simple, folder, alone, script);
        }
        self.values = known;
    }

    fn simple(&mut self, simple: &Simple, folder: &std::path::Path, alone: bool, script: &Script) {
        self.fix(simple, folder, script);
        self.assignments(simple, folder);
        self.redirects(simple, folder);
        if simple.words.is_empty() {
            return;
        }
        let argv = words::argv(self.situation, simple, folder, &self.values);
        if argv.words.is_empty() {
            self.construct(&simple.words.join(" "), Risk::High, say::words_command_vanish_when());
            return;
        }
        if is_cd(simple) && alone {
            self.part(
                PartKind::Command,
                crate::shell::quote::quoted(&argv.words),
                Decision::Ask,
                Risk::Low,
                say::changes_folder_later_commands(),
            );
            return;
        }
        if let Some(names) = self.unknown.as_ref().and_then(|_| parts::read_by(simple)) {
            // The variables are known to contain anything.
            let text = crate::shell::quote::quoted(&argv.words);
            let about = say::about_program(say::reads_line_into(names.join(", ")), "read");
            return self.part(PartKind::Command, text, Decision::Allow, Risk::Low, about);
        }
        let standing = self.standing(simple, &argv, folder);
        let piped = argv.words.first().filter(|name| *name == "xargs").and_then(|_| {
            let words = |other: &Simple| {
                let argv = words::argv(self.situation, other, folder, &self.values);
                argv.doubts.is_empty().then_some(argv.words)
            };
            Names::piped(script, simple, folder, words)
        });
        let fed: Vec<String> = simple
            .fed
            .iter()
            .map(|raw| words::single_with(self.situation, folder, raw, &self.values).words.join(" "))
            .collect();
        let around = Surroundings {
            alone,
            reads_pipe: simple.reads_pipe,
            fed: &fed,
            names: piped.as_ref(),
            unknown: self.unknown.as_ref(),
            allowed_by_rule: standing == Some(Decision::Allow),
            walls_by_rule: self.judgement.ruled.is_some(),
        };
        let judged = simple::judge(self.situation, simple, &argv, folder, around);
        let mut parts = judged.parts;
        self.judgement.is_known &=
            judged.is_known && standing.is_none_or(|decision| decision > Decision::Allow);
        if standing >= Some(Decision::Ask)
            && let Some(first) = parts.first_mut()
            && first.decision < standing.unwrap_or(Decision::Allow)
        {
            first.decision = standing.unwrap_or(Decision::Ask);
            first.reason = self.situation.rules.objection(first.decision);
        }
        if let Some(hardening) = judged.hardening {
            self.harden(simple, &argv, folder, &hardening);
        }
        self.judgement.parts.extend(parts);
        self.judgement.needs = self.judgement.needs.max(Some(judged.needs));
        self.judgement.reached.extend(judged.reached);
        self.judgement.runs_hooks |= judged.runs_hooks;
        self.judgement.beyond.extend(judged.beyond);
        self.judgement.removes |= judged.removes;
        self.judgement.named_by_rule |= judged.named_by_rule || standing >= Some(Decision::Ask);
        for loan in judged.lends {
            if !self.judgement.lends.contains(&loan) {
                self.judgement.lends.push(loan);
            }
        }
        self.remember_argv(simple, argv, alone && judged.is_certain, script);
        if let Some(inner) = judged.inner {
            self.judgement.is_steady = false;
            self.inner(inner, simple, folder);
        }
    }

    fn inner(&mut self, inner: Inner, outer: &Simple, folder: &std::path::Path) {
        if self.depth >= MOST_TEXTS {
            return self.construct("", Risk::High, say::hands_text_shell_shell());
        }
        self.depth += 1;
        let from = self.judgement.parts.len();
        match inner {
            Inner::Text(text) => self.text(&text, &[folder.to_path_buf()]),
            Inner::Argv(words) => {
                let words = words
                    .iter()
                    .map(|word| crate::shell::quote::quoted(std::slice::from_ref(word)))
                    .collect();
                let simple = Simple {
                    words,
                    reads_pipe: outer.reads_pipe,
                    reads_inline: outer.reads_inline,
                    ..Simple::default()
                };
                self.simple(&simple, folder, false, &Script::default());
            }
        }
        self.depth -= 1;
        for part in &mut self.judgement.parts[from..] {
            part.decision = part.decision.max(Decision::Ask);
        }
    }

    fn remember_argv(&mut self, simple: &Simple, argv: Argv, alone: bool, script: &Script) {
        self.judgement.is_steady &= argv.literal;
        self.judgement.argvs.push(argv.words.clone());
        if !argv.literal {
            self.judgement.looked_up.push(argv.words.clone());
        }
        let bare = simple.redirects.is_empty() && simple.assignments.is_empty() && script.refusal.is_none();
        // A status is a number that only the shell knows, and a loop is more than a single command.
        let is_fixed = simple.loops.is_empty()
            && !simple.words.iter().any(|word| word.contains("$?") || word.contains("${?"));
        if alone && bare && is_fixed && self.depth == 0 {
            self.judgement.argv = Some(argv.words);
        }
    }
}

pub(super) fn is_cd(simple: &Simple) -> bool {
    simple.words.first().is_some_and(|name| name == "cd") && simple.assignments.is_empty()
}
