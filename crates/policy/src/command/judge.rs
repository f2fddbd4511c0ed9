//! A whole shell text judged: every simple command, every construct, and what they do together.

use super::effects::normal;
use super::environment::is_hijack;
use super::simple::{self, Surroundings};
use super::words::{self, Argv};
use super::wrappers::{Inner, SHELLS, interpreter};
use super::{hints, paths};
use crate::floor;
use crate::path::{self, Operation};
use crate::rules;
use crate::shell::characters::escaped;
use crate::shell::parse::parse;
use crate::shell::script::{Joint, Loop, Script, Simple};
use crate::shell::tokens;
use crate::subject::Subject;
use crate::{SHELL_TOOL, Situation};
use deputy_protocol::{Confinement, Decision, GrantId, Part, PartKind, Risk};
use std::collections::HashSet;
use std::path::PathBuf;

/// Deepest nesting of text that a command hands to another shell.
const MOST_TEXTS: usize = 8;
/// Most folders that `cd` may leave open at once.
const MOST_FOLDERS: usize = 4;

/// Most values that the loops of a text may have together, each counted for every command in its loop.
const MOST_LOOPED: usize = 256;

/// What came of a shell text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judgement {
    /// Every simple command with its paths, every construct.
    pub(crate) parts: Vec<Part>,
    /// How wide the walls must be for it to work.
    pub(crate) needs: Option<Confinement>,
    /// The words, where the text is one simple command of literal words and nothing else.
    pub(crate) argv: Option<Vec<String>>,
    /// Every argv in it.
    pub(crate) argvs: Vec<Vec<String>>,
    /// Whether it means the same whenever and wherever it runs: literal words and files, and no other construct.
    pub(crate) is_steady: bool,
    /// The grant that allowed a part of it.
    pub(crate) grant: Option<GrantId>,
    /// Whether a person's rule or grant allowed a part of it.
    pub(crate) by_person: bool,
    /// The confinement that a person's rule asks for.
    pub(crate) ruled: Option<Confinement>,
}

/// Judges a text that bash would get.
pub(crate) fn judge(situation: &Situation, text: &str) -> Judgement {
    let judgement = Judgement { is_steady: true, ..Judgement::default() };
    let mut judge = Judge { situation, judgement, depth: 0, values: Vec::new(), rounds_left: MOST_LOOPED };
    judge.text(text, std::slice::from_ref(&situation.cwd));
    judge.judgement
}

struct Judge<'a> {
    situation: &'a Situation,
    judgement: Judgement,
    depth: usize,
    /// The variables of the loops around a command, the outermost first, with the values it is judged for.
    values: Vec<(String, String)>,
    /// How many more values of loops are looked at in the whole text.
    rounds_left: usize,
}

impl Judge<'_> {
    fn part(
        &mut self,
        kind: PartKind,
        text: String,
        decision: Decision,
        risk: Risk,
        reason: impl Into<String>,
    ) {
        self.judgement.parts.push(Part { kind, text, decision, risk, reason: reason.into() });
    }

    fn construct(&mut self, text: &str, risk: Risk, reason: impl Into<String>) {
        self.judgement.is_steady = false;
        self.part(PartKind::Construct, escaped(text), Decision::Ask, risk, reason);
    }

    fn text(&mut self, text: &str, folders: &[PathBuf]) {
        let script = parse(text);
        self.judgement.is_steady &= !script.is_grouped;
        let is_plain = script.refusal.is_none() && script.constructs.is_empty();
        if is_plain && !tokens::agrees(text, &script) {
            let reason = "The text may be split into words in more than one way.";
            self.construct(text, Risk::High, reason);
        }
        if let Some(refusal) = &script.refusal {
            let hint = hints::hint(text).filter(|_| refusal.risk < Risk::High);
            let risk = if hint.is_some() { Risk::High } else { refusal.risk };
            let reason =
                hint.map_or_else(|| refusal.reason.clone(), |hint| format!("{} {hint}", refusal.reason));
            self.construct(&refusal.text, risk, reason);
        }
        if script.refusal.is_some() && script.commands.is_empty() {
            self.denied_in_words(text);
        }
        for construct in &script.constructs {
            self.construct(&construct.text, construct.risk, construct.reason.clone());
        }
        if let Some((name, _)) = script.functions.iter().find(|(_, calls_itself)| *calls_itself) {
            self.part(
                PartKind::Construct,
                escaped(name),
                Decision::Deny,
                Risk::High,
                "Starts itself again and again until the machine stops (a fork bomb).",
            );
        }
        if script.commands.is_empty() && script.refusal.is_none() && script.constructs.is_empty() {
            self.construct(text, Risk::Low, "There is no command in it.");
        }
        for (name, value) in &self.situation.env {
            if is_hijack(name) {
                self.construct(
                    &format!("{name}={value}"),
                    Risk::High,
                    format!("The environment sets {name}, which changes what programs run or load."),
                );
            }
        }
        self.commands(&script, folders);
        self.together(&script, text);
    }

    /// What was not parsed is asked, but a person's refusal still wins: it is held against the bare words.
    fn denied_in_words(&mut self, text: &str) {
        const MOST_SEGMENTS: usize = 65_536;
        const MOST_WORDS: usize = 16;
        if self.situation.grants.is_empty() && self.situation.rules.is_empty() {
            return;
        }
        let mut seen = HashSet::new();
        for segment in text.split([';', '|', '&', '\n', '(', ')', '`']).take(MOST_SEGMENTS) {
            if !seen.insert(segment) {
                continue;
            }
            let argv: Vec<String> = segment
                .split_whitespace()
                .take(MOST_WORDS)
                .map(|word| word.replace(['\'', '"', '\\'], ""))
                .collect();
            if argv.is_empty() {
                continue;
            }
            let text = crate::shell::quote::quoted(&argv);
            let standing = rules::standing(self.situation, SHELL_TOOL, &Subject::Command { argv });
            if let Some(standing) = standing.filter(|standing| standing.decision == Decision::Deny) {
                return self.part(PartKind::Command, text, Decision::Deny, Risk::High, standing.reason);
            }
        }
    }

    fn commands(&mut self, script: &Script, folders: &[PathBuf]) {
        let mut folders = folders.to_vec();
        let is_bare = script.constructs.is_empty() && !script.is_grouped;
        let alone = script.commands.len() == 1 && is_bare && self.depth == 0;
        for (at, simple) in script.commands.iter().enumerate() {
            let after_cd = at > 0 && simple.joint == Joint::AfterSuccess;
            if after_cd && folders.len() > 1 && is_cd(&script.commands[at - 1]) {
                // The change of folder succeeded, so only the newest one is possible.
                folders.drain(..folders.len() - 1);
            }
            for folder in folders.clone() {
                self.in_loops(simple, &folder, alone, script);
            }
            if is_cd(simple) {
                self.change_folder(simple, &mut folders);
            }
        }
    }

    fn change_folder(&mut self, simple: &Simple, folders: &mut Vec<PathBuf>) {
        let from = folders.last().cloned().unwrap_or_else(|| self.situation.cwd.clone());
        let argv = words::argv(self.situation, simple, &from, &[]);
        let target = argv.words.iter().skip(1).find(|word| !word.starts_with('-'));
        let entered = target
            .filter(|_| argv.doubts.is_empty())
            .and_then(|target| paths::entered(self.situation, &from, target));
        match entered {
            Some(folder) if simple.plain_place && folders.len() < MOST_FOLDERS => folders.push(folder),
            // Where the folder is not there yet or not certain, later relative paths are judged where they stand and asked.
            _ => self.construct("cd", Risk::Low, "Changes the folder in a way that is not followed."),
        }
    }

    /// A command once for each value of the loops it stands in; where these are not certain, as it stands.
    fn in_loops(&mut self, simple: &Simple, folder: &std::path::Path, alone: bool, script: &Script) {
        const MOST_ROUNDS: usize = 64;
        let loops: Vec<&Loop> = simple.loops.iter().filter_map(|at| script.loops.get(*at)).collect();
        let looked_up: usize = loops.iter().map(|each| each.values.len()).sum();
        if looked_up > self.rounds_left {
            self.construct("for", Risk::Medium, "Goes through more words than are checked.");
            return self.simple(simple, folder, alone, script);
        }
        let mut rounds: Vec<Vec<(String, String)>> = vec![Vec::new()];
        for each in loops {
            let mut values = Vec::new();
            for raw in &each.values {
                let argv = words::single(self.situation, folder, raw);
                let plain = |value: &String| value.chars().all(words::is_plain);
                if !argv.doubts.is_empty() || !argv.words.iter().all(plain) {
                    self.construct(raw, Risk::Medium, "Goes through words that are not certain.");
                }
                values.extend(argv.words);
            }
            let next = rounds.iter().flat_map(|round| {
                values.iter().map(|value| [round.as_slice(), &[(each.name.clone(), value.clone())]].concat())
            });
            rounds = next.take(MOST_ROUNDS + 1).collect();
        }
        // Commands outside of loops have one round, which costs nothing.
        self.rounds_left = self.rounds_left.saturating_sub(looked_up.max(rounds.len().saturating_sub(1)));
        if rounds.len() > MOST_ROUNDS || self.rounds_left == 0 {
            self.construct("for", Risk::Medium, "Goes through more words than are checked.");
            rounds.truncate(1);
        }
        if rounds.is_empty() {
            self.construct("for", Risk::Medium, "Goes through words that vanish.");
            rounds.push(Vec::new());
        }
        for round in rounds {
            self.values = round;
            self.simple(simple, folder, alone, script);
        }
        self.values.clear();
    }

    fn simple(&mut self, simple: &Simple, folder: &std::path::Path, alone: bool, script: &Script) {
        self.assignments(simple, folder);
        self.redirects(simple, folder);
        if simple.words.is_empty() {
            return;
        }
        let argv = words::argv(self.situation, simple, folder, &self.values);
        if argv.words.is_empty() {
            self.construct(
                &simple.words.join(" "),
                Risk::High,
                "The words of the command vanish when it runs.",
            );
            return;
        }
        if is_cd(simple) && alone {
            self.part(
                PartKind::Command,
                crate::shell::quote::quoted(&argv.words),
                Decision::Ask,
                Risk::Low,
                "Changes the folder for later commands.",
            );
            return;
        }
        let standing = self.standing(simple, &argv);
        let around = Surroundings { alone, allowed_by_rule: standing == Some(Decision::Allow) };
        let judged = simple::judge(self.situation, simple, &argv, folder, around);
        let mut parts = judged.parts;
        if standing >= Some(Decision::Ask)
            && let Some(first) = parts.first_mut()
            && first.decision < standing.unwrap_or(Decision::Allow)
        {
            first.decision = standing.unwrap_or(Decision::Ask);
            first.reason = self.situation.rules.objection(first.decision).to_owned();
        }
        self.judgement.parts.extend(parts);
        self.judgement.needs = self.judgement.needs.max(Some(judged.needs));
        self.remember_argv(simple, argv, alone, script);
        if let Some(inner) = judged.inner {
            self.judgement.is_steady = false;
            self.inner(inner, simple, folder);
        }
    }

    /// What rules and grants say: those that allow speak of exactly these words, the others of the normal form too.
    fn standing(&mut self, simple: &Simple, argv: &Argv) -> Option<Decision> {
        let exact = argv.doubts.is_empty()
            && simple.assignments.is_empty()
            && !argv.words.is_empty()
            && self.depth == 0;
        let mut decision = None;
        if exact
            && let Some(standing) =
                rules::standing(self.situation, SHELL_TOOL, &Subject::Command { argv: argv.words.clone() })
        {
            if standing.decision == Decision::Allow {
                self.judgement.grant = standing.grant.or(self.judgement.grant.take());
                self.judgement.by_person = true;
                self.judgement.ruled = self.judgement.ruled.max(standing.confinement);
            }
            decision = Some(standing.decision);
        }
        let normal = Subject::Command { argv: normal(&argv.words) };
        let strict = rules::standing(self.situation, SHELL_TOOL, &normal)
            .map(|standing| standing.decision)
            .filter(|decision| *decision > Decision::Allow);
        decision.max(strict)
    }

    fn inner(&mut self, inner: Inner, outer: &Simple, folder: &std::path::Path) {
        if self.depth >= MOST_TEXTS {
            return self.construct(
                "",
                Risk::High,
                "Hands text from shell to shell deeper than can be checked.",
            );
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
        let bare = simple.redirects.is_empty() && simple.assignments.is_empty() && script.refusal.is_none();
        if alone && bare && argv.literal && self.depth == 0 {
            self.judgement.argv = Some(argv.words);
        }
    }

    fn assignments(&mut self, simple: &Simple, folder: &std::path::Path) {
        for (name, raw) in &simple.assignments {
            let value = words::single_with(self.situation, folder, raw, &self.values);
            let plain = |c: char| c.is_ascii_alphanumeric() || "_-.,".contains(c);
            let tame = raw.is_empty()
                || (value.doubts.is_empty() && value.words.iter().all(|word| word.chars().all(plain)));
            let zone = name == "TZ"
                && value.literal
                && raw.chars().all(|c| c.is_ascii_alphanumeric() || "_+-/".contains(c))
                && !raw.starts_with('/')
                && !raw.contains("..");
            let locale = zone
                || (name == "LANG" || name == "LC_ALL" || name.starts_with("LC_")) && tame && value.literal;
            if locale && !simple.words.is_empty() {
                continue;
            }
            let shown = format!("{name}={raw}");
            if is_hijack(name) {
                self.construct(
                    &shown,
                    Risk::High,
                    format!("Sets {name}, which changes what programs run or load."),
                );
            } else if let Some((risk, reason)) = value.doubts.iter().max_by_key(|(risk, _)| *risk) {
                self.construct(&shown, *risk, reason.clone());
            } else if let Some(hint) = hints::hint(&value.words.join(" ")) {
                self.construct(&shown, Risk::High, hint);
            } else {
                let risk = if tame { Risk::Medium } else { Risk::High };
                self.construct(&shown, risk, format!("Sets {name}, which may change what programs do."));
            }
        }
    }

    fn redirects(&mut self, simple: &Simple, folder: &std::path::Path) {
        for redirect in &simple.redirects {
            let argv = words::single_with(self.situation, folder, &redirect.target, &self.values);
            let operator = redirect.operator.as_str();
            let [target] = argv.words.as_slice() else {
                self.construct(
                    &redirect.target,
                    Risk::Medium,
                    "Redirects to something that is not one file.",
                );
                continue;
            };
            self.judgement.is_steady &= argv.literal;
            let duplicates = matches!(operator, ">&" | "<&")
                && target.bytes().all(|byte| byte.is_ascii_digit())
                && !target.is_empty();
            let writes = operator.contains('>');
            if let Some((risk, reason)) = argv.doubts.iter().max_by_key(|(risk, _)| *risk) {
                self.construct(&format!("{operator} {}", redirect.target), *risk, reason.clone());
            } else if target == "/dev/null" || (duplicates && writes) {
                continue;
            }
            if target.starts_with("/dev/tcp") || target.starts_with("/dev/udp") {
                self.construct(
                    target,
                    Risk::High,
                    "Opens a connection to another machine through the shell.",
                );
            } else if floor::is_raw_disk(target) && writes {
                self.part(
                    PartKind::Write,
                    escaped(target),
                    Decision::Deny,
                    Risk::High,
                    format!("Writes to the raw disk {target}."),
                );
            } else {
                let operation = if writes { Operation::Write } else { Operation::Read };
                let mut part = path::judge_from(self.situation, folder, operation, target);
                if let Some(real) = path::real(self.situation, folder, target) {
                    part = paths::written(self.situation, operation, &real, part);
                }
                // A rule speaks of the command, never of a file that the shell writes beside it.
                if writes {
                    if let Some(reason) = paths::raised(self.situation, &part) {
                        part.risk = Risk::High;
                        part.reason = reason;
                    }
                    part.decision = part.decision.max(Decision::Ask);
                    let outside =
                        paths::leaves_workspace(self.situation, folder, std::slice::from_ref(target));
                    self.judgement.needs = self.judgement.needs.max(Some(if outside {
                        Confinement::Open
                    } else {
                        Confinement::Workspace
                    }));
                }
                self.judgement.parts.push(part);
            }
        }
    }

    /// What single commands do not show: a fetch that ends in an interpreter, output that leaves the machine.
    fn together(&mut self, script: &Script, text: &str) {
        let named: Vec<(usize, &Simple, String)> = script
            .commands
            .iter()
            .filter_map(|simple| {
                Some((simple.pipeline, simple, simple.words.first()?.rsplit('/').next()?.to_owned()))
            })
            .collect();
        let runs = |name: &str| SHELLS.contains(&name) || interpreter(name).is_some();
        let mut found = None;
        let shows_environment = named.iter().any(|(_, _, name)| {
            matches!(name.as_str(), "env" | "printenv" | "set" | "export" | "declare" | "compgen")
        });
        let takes_names = named
            .iter()
            .any(|(_, simple, name)| simple.reads_pipe && matches!(name.as_str(), "xargs" | "parallel"));
        if takes_names && hints::hint(text).is_some() {
            found = Some("Hands names to a command that may be those of secrets.");
        }
        if shows_environment
            && hints::hint(&text.to_uppercase().replace("GREP", "")).or(hints::hint(text)).is_some()
        {
            found = Some("Looks for secrets in the environment.");
        }
        for (pipeline, simple, name) in &named {
            let fetched = named
                .iter()
                .any(|(other, _, first)| other == pipeline && hints::FETCHERS.contains(&first.as_str()));
            if simple.reads_pipe && runs(name) && fetched {
                found = Some("Fetches a program from the network and runs it.");
            } else if simple.reads_pipe && hints::SENDERS.contains(&name.as_str()) && name != "xargs" {
                found = found.or(Some("Sends the output of another command to the network."));
            }
        }
        let fetches =
            named.iter().any(|(_, _, name)| hints::FETCHERS.contains(&name.as_str()) && name != "git");
        let runs_file = named.iter().any(|(_, simple, name)| {
            runs(name)
                || matches!(name.as_str(), "chmod" | "source" | ".")
                || simple.words.first().is_some_and(|first| {
                    first.contains('/') && !first.starts_with("/usr/") && !first.starts_with("/bin/")
                })
        });
        if fetches && runs_file {
            found = Some("Fetches a program from the network and runs it.");
        }
        if let Some(reason) = found {
            self.construct(&text.chars().take(200).collect::<String>(), Risk::High, reason);
        }
    }
}

fn is_cd(simple: &Simple) -> bool {
    simple.words.first().is_some_and(|name| name == "cd") && simple.assignments.is_empty()
}
