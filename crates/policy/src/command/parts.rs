//! Tracks the known properties of the parts of a text whose values are known only at run time: its variables, and the
//! output of its commands.

use super::handed::{Handing, Names};
use super::printed::{Printed, prints_commits};
use super::simple::Hardening;
use super::words::{self, Argv};
use crate::Situation;
use crate::shell::captures::{self, Capture, Form};
use crate::shell::characters::escaped;
use crate::shell::script::{Joint, Loop, Script, Simple, is_own_name, read_into, read_value};
use crate::shell::unknown::{self, Unknown};
use crate::shell::word;
use crate::table::Touch;
use std::collections::HashMap;

/// The maximum number of commands within words that are checked in a text, for all values of the surrounding loops.
const MOST_LOOKS: usize = 64;
/// The maximum number of loop values for which a command within words is checked.
const MOST_ROUNDS: usize = 16;

/// Variables in which the shell itself keeps numbers; a text that sets one asks.
const GIVEN_NUMBERS: [&str; 4] = ["EPOCHSECONDS", "RANDOM", "SECONDS", "UID"];

/// Variables with their values, or marks where these are not known.
type Values = Vec<(String, String)>;

/// A variable that the text itself sets.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    value: String,
    /// The loops in which the variable is set in each round; it is known in the rest of them.
    loops: Vec<usize>,
}

/// The known properties of the parts of a text that are only known at run time.
#[derive(Clone, Debug)]
pub(super) struct UnknownParts {
    /// Variables that the text itself sets.
    variables: Vec<Variable>,
    /// The loops around the command that is being checked.
    around: Vec<usize>,
    /// Variables that replace commands within words.
    captured: Values,
    /// What loops read, by the index of the loop.
    read: HashMap<usize, String>,
    /// The file names that a part represents, by the index of the part.
    names: HashMap<usize, Names>,
    /// The source text of each part.
    sources: Vec<String>,
    looks_left: usize,
}

impl Default for UnknownParts {
    fn default() -> Self {
        Self {
            variables: Vec::new(),
            around: Vec::new(),
            captured: Vec::new(),
            read: HashMap::new(),
            names: HashMap::new(),
            sources: vec!["…".to_owned()],
            looks_left: MOST_LOOKS,
        }
    }
}

impl UnknownParts {
    /// Starts checking a command within these loops.
    pub(super) fn enter(&mut self, loops: &[usize]) {
        self.around = loops.to_vec();
    }

    /// The variables that are certainly set where that command is.
    fn variables(&self) -> Values {
        let is_set = |variable: &&Variable| self.around.starts_with(&variable.loops);
        let pair = |variable: &Variable| (variable.name.clone(), variable.value.clone());
        self.variables.iter().filter(is_set).map(pair).collect()
    }

    pub(super) fn may_look_further(&mut self) -> bool {
        let may = self.looks_left > 0;
        self.looks_left = self.looks_left.saturating_sub(1);
        may
    }

    /// Returns the state inside a word, for a single value of each surrounding loop.
    pub(super) fn inside(&self, round: &Values) -> Self {
        let known = self.variables().into_iter().chain(round.iter().cloned());
        let variables = known.map(|(name, value)| Variable { name, value, loops: Vec::new() }).collect();
        Self { variables, around: Vec::new(), captured: Vec::new(), read: HashMap::new(), ..self.clone() }
    }

    /// Takes over what was learned inside a word, except for its variables, which are local to it.
    pub(super) fn take_back(&mut self, inside: Self) {
        self.names = inside.names;
        self.sources = inside.sources;
        self.looks_left = inside.looks_left;
    }

    /// Returns the values, for each round, of the loops to which a text refers.
    pub(super) fn rounds(
        &self,
        situation: &Situation,
        script: &Script,
        loops: &[usize],
        text: &str,
    ) -> Option<Vec<Values>> {
        let mut rounds: Vec<Values> = vec![Vec::new()];
        for index in loops {
            let each = script.loops.get(*index)?;
            if !speaks(text, &each.name) {
                continue;
            }
            let values = self.of_loop(situation, &situation.cwd, *index, &each.values)?;
            let next = rounds.iter().flat_map(|round| {
                values.iter().map(|value| [round.as_slice(), &[(each.name.clone(), value.clone())]].concat())
            });
            rounds = next.take(MOST_ROUNDS + 1).collect();
        }
        (rounds.len() <= MOST_ROUNDS).then_some(rounds)
    }

    /// Returns the values of a loop's variable. `None` if a value is doubtful.
    pub(super) fn of_loop(
        &self,
        situation: &Situation,
        folder: &std::path::Path,
        index: usize,
        raws: &[String],
    ) -> Option<Vec<String>> {
        if let Some(read) = self.read.get(&index) {
            return Some(vec![read.clone()]);
        }
        let known = self.values();
        let mut values = Vec::new();
        for raw in raws {
            let argv = words::single_with(situation, folder, raw, &known);
            argv.doubts.is_empty().then_some(())?;
            values.extend(argv.words.iter().map(|word| of_loop(word)));
        }
        Some(values)
    }

    /// Records the output of a command within words.
    pub(super) fn add(&mut self, situation: &Situation, capture: &Capture, prints: Printed) -> Option<()> {
        if capture.form == Form::Pipe {
            return self.push(capture, Unknown::Pipe);
        }
        match prints {
            Printed::Known(value) => {
                self.captured.push((capture.name.clone(), value));
                Some(())
            }
            // A number could name a file.
            Printed::Number if holds_numbers(&situation.cwd) => self.push(capture, Unknown::Text),
            Printed::Number => self.push(capture, Unknown::Number),
            Printed::Stamp => self.push(capture, Unknown::Stamp),
            Printed::Commit => self.push(capture, Unknown::Commit),
            Printed::Commits => self.push(capture, Unknown::Commits),
            Printed::Text => self.push(capture, Unknown::Text),
            Printed::Names(names) => {
                self.names.insert(self.sources.len(), names);
                self.push(capture, Unknown::Names)
            }
        }
    }

    /// Records `$((…))`. The result is a number if each name in it is a variable that contains a number.
    pub(super) fn number(&mut self, capture: &Capture, rounds: &[Values]) -> Option<()> {
        let is_name = |name: &&str| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        // The digits of a number follow its base.
        let names = capture
            .inner
            .split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '#'))
            .flat_map(|word| word.split_once('#').map_or(Some(word), |_| None))
            .filter(is_name);
        let variables = self.variables();
        for name in names.filter(|name| !GIVEN_NUMBERS.contains(name)) {
            for round in rounds {
                let value =
                    round.iter().chain(&variables).chain(&self.captured).find(|(known, _)| known == name);
                is_number(&value?.1).then_some(())?;
            }
        }
        self.push(capture, Unknown::Computed)
    }

    /// Records `${name%pattern}` and similar.
    pub(super) fn expanded(&mut self, capture: &Capture, rounds: &[Values]) -> Option<()> {
        let name = captures::expanded(&capture.inner)?;
        let variables = self.variables();
        let is_known = |round: &Values| round.iter().chain(&variables).any(|(known, _)| known == name);
        (words::is_given(name) || rounds.iter().all(is_known)).then_some(())?;
        let is_length = capture.inner.starts_with('#');
        self.push(capture, if is_length { Unknown::Computed } else { Unknown::Text })
    }

    fn push(&mut self, capture: &Capture, unknown: Unknown) -> Option<()> {
        let value = unknown::mark(unknown, self.sources.len())?.to_string();
        let inner = escaped(&capture.inner);
        self.sources.push(match capture.form {
            Form::Output => format!("$({inner})"),
            Form::Pipe => format!("<({inner})"),
            Form::Arithmetic => format!("$(({inner}))"),
            Form::Expansion => format!("${{{inner}}}"),
        });
        self.captured.push((capture.name.clone(), value));
        Some(())
    }

    /// Records the variables that a command without words certainly sets before the text uses them, or in each round
    /// of a loop. A variable that is set again holds a number each time, or anything.
    pub(super) fn define(&mut self, situation: &Situation, script: &Script, at: usize) -> Option<()> {
        let Some(simple) = script.commands.get(at) else { return Some(()) };
        let read = read_by(simple).unwrap_or_default().into_iter().map(|name| (name, None));
        let set = simple.assignments.iter().filter(|_| simple.words.is_empty());
        let set = set.map(|(name, raw)| (name.clone(), Some(raw)));
        for (name, raw) in set.chain(read) {
            let value = match raw {
                Some(raw) => {
                    let rounds = self.rounds(situation, script, &simple.loops, raw)?;
                    self.assigned(situation, raw, &rounds)?
                }
                None => read_value(),
            };
            let (name, raw) = (&name, raw.map_or("", String::as_str));
            if let Some((_, held)) = self.variables().iter().rev().find(|(known, _)| known == name) {
                (is_anything(held) || is_mark_of_number(held) && is_number(&value)).then_some(())?;
                continue;
            }
            let is_placed = if simple.loops.is_empty() { simple.plain_place } else { simple.each_round };
            let is_certain = is_placed && simple.joint == Joint::Always;
            let shares = |other: &Simple| other.loops.starts_with(&simple.loops);
            let is_head = |(index, each): (usize, &Loop)| {
                script.commands[..=at].iter().any(|before| before.loops.contains(&index))
                    && each.values.iter().any(|raw| speaks(raw, name))
            };
            let is_used_before =
                script.commands[..at].iter().any(|before| shares(before) && speaks_of(before, name))
                    || script.loops.iter().enumerate().any(is_head)
                    || speaks(raw, name);
            let is_free = script.loops.iter().all(|each| each.name != *name)
                && situation.env.iter().all(|(known, _)| known != name);
            (is_certain && is_free && !is_used_before && is_own_name(name)).then_some(())?;
            let is_set_again =
                script.commands[at + 1..].iter().any(|later| shares(later) && sets(later, name));
            let value = match is_set_again {
                true if is_number(&value) => number()?,
                true => read_value(),
                false => value,
            };
            self.variables.push(Variable { name: name.clone(), value, loops: simple.loops.clone() });
        }
        Some(())
    }

    /// The value of an assignment, which the shell does not split: the same in all rounds, a number, or anything.
    fn assigned(&self, situation: &Situation, raw: &str, rounds: &[Values]) -> Option<String> {
        if raw.is_empty() {
            return Some(read_value());
        }
        (!raw.contains(['*', '?', '[', '~', '('])).then_some(())?;
        let mut values = Vec::new();
        for round in rounds {
            let known = [self.values().as_slice(), round].concat();
            let argv = words::single_with(situation, &situation.cwd, raw, &known);
            let [word] = argv.words.as_slice() else { return None };
            let is_pipe = unknown::marks(word).any(|mark| mark.unknown == Unknown::Pipe);
            (argv.doubts.is_empty() && !is_pipe).then_some(())?;
            values.push(of_word(word));
        }
        values.dedup();
        match values.as_slice() {
            [value] => Some(value.clone()),
            [] => None,
            values if values.iter().all(|value| is_number(value)) => number(),
            _ => Some(read_value()),
        }
    }

    /// Records what a loop over a pipe's lines reads. `at` is the index of the loop's first command.
    pub(super) fn read_from_pipe(&mut self, situation: &Situation, script: &Script, index: usize, at: usize) {
        let pipeline = script.reads.iter().find(|(known, _)| *known == index).map(|(_, pipeline)| *pipeline);
        let (Some(pipeline), false) = (pipeline, self.read.contains_key(&index)) else { return };
        let is_before = |simple: &&Simple| simple.pipeline == pipeline;
        let before: Vec<&Simple> = script.commands[..at].iter().filter(is_before).collect();
        let known = self.values();
        let literal = |simple: &Simple| {
            let argv = words::argv(situation, simple, &situation.cwd, &known);
            (argv.doubts.is_empty() && !argv.words.iter().any(|word| unknown::holds(word)))
                .then_some(argv.words)
        };
        let is_plain = before.iter().all(|simple| simple.loops.is_empty() && simple.assignments.is_empty());
        let names = Names::of_pipeline(&before, &situation.cwd, literal).filter(|_| is_plain);
        let are_commits = || match before.as_slice() {
            [only] if is_plain => literal(only).is_some_and(|argv| prints_commits(situation, &argv)),
            _ => false,
        };
        let number = self.sources.len();
        let unknown = match names {
            Some(names) => {
                self.names.insert(number, names);
                Unknown::Names
            }
            None if are_commits() => Unknown::Commit,
            None => return,
        };
        let read = script.loops.get(index).map(|each| each.name.clone());
        if let (Some(read), Some(mark)) = (read, unknown::mark(unknown, number)) {
            self.sources.push(format!("${read}"));
            self.read.insert(index, mark.to_string());
        }
    }

    /// Handles a loop through many names that one pattern matches: it goes through names that a search finds.
    pub(super) fn match_many(&mut self, situation: &Situation, script: &Script, index: usize) {
        let Some([raw]) = script.loops.get(index).map(|each| each.values.as_slice()) else { return };
        let (folder, pattern) = raw.rsplit_once('/').unwrap_or((".", raw));
        let is_pattern = |c: char| words::is_plain(c) || matches!(c, '*' | '?');
        let is_one =
            !folder.is_empty() && folder.chars().all(words::is_plain) && pattern.chars().all(is_pattern);
        if self.read.contains_key(&index) || !is_one || !pattern.contains(['*', '?']) {
            return;
        }
        let argv = words::single_with(situation, &situation.cwd, raw, &[]);
        let number = self.sources.len();
        if argv.doubts.is_empty()
            && argv.words.len() > MOST_ROUNDS
            && let Some(mark) = unknown::mark(Unknown::Names, number)
        {
            self.names.insert(number, Names::matching(folder, pattern));
            self.sources.push(raw.clone());
            self.read.insert(index, mark.to_string());
        }
    }

    pub(super) fn values(&self) -> Values {
        [self.variables().as_slice(), &self.captured].concat()
    }

    /// Returns what is touched if the shell opens a name from a search as the input of a command. Some commands are
    /// known to disclose nothing of its content.
    pub(super) fn read(&self, words: &[String], target: &str) -> Option<Vec<Touch>> {
        let reads = |words: &[String]| self.handed(&[words, &[target.to_owned()]].concat());
        let is_literal = words.iter().all(|raw| raw.chars().all(words::is_plain));
        let known = is_literal.then(|| reads(words)).flatten();
        let (touches, _) = known.or_else(|| reads(&["cat".to_owned()]))?;
        Some(touches)
    }

    /// Whether a variable is set by the text before the command that is checked.
    pub(super) fn defines(&self, name: &str) -> bool {
        self.variables().iter().any(|(known, _)| known == name)
    }

    /// Returns what a command touches whose last words are the names of a search, if it is harmless for any names.
    pub(super) fn handed(&self, argv: &[String]) -> Option<(Vec<Touch>, Option<Hardening>)> {
        let only = |word: &String| {
            let last = word.chars().next_back()?;
            let folder = word.strip_suffix(last).filter(|folder| folder.chars().all(words::is_plain))?;
            self.names.get(&unknown::of(last)?.index).filter(|names| names.are_of(folder))
        };
        let at = argv.iter().position(|word| unknown::holds(word))?;
        let (other, handed) = argv.split_at(at);
        let names: Vec<&Names> = handed.iter().map(only).collect::<Option<_>>()?;
        // In quotes, each is one word.
        let or_none = handed.iter().all(|word| unknown::marks(word).all(|mark| mark.is_split));
        let mut touches = Vec::new();
        let mut starts = Vec::new();
        for names in names {
            let (touched, started) = Handing::of_names(other, or_none).touches(&[], Some(names))?;
            touches.extend(touched);
            starts.extend(started);
        }
        Some((touches, Some(Hardening { named_by: 1, adds: Vec::new(), starts })))
    }

    /// Whether every variable that may be in the text has a value that is known or set by the text itself.
    pub(super) fn knows_all_variables(&self, text: &str, script: &Script) -> bool {
        text.match_indices('$').all(|(at, _)| {
            let rest = text[at + 1..].trim_start_matches('{');
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let name = &rest[..length];
            !word::is_name(name)
                || words::is_given(name)
                || self.values().iter().any(|(known, _)| known == name)
                || script.loops.iter().any(|each| each.name == name)
        })
    }

    /// Formats a text for people, with the parts as they are in the whole text.
    pub(super) fn shown(&self, text: &str) -> String {
        let mut shown = String::with_capacity(text.len());
        for c in text.chars() {
            match unknown::of(c) {
                Some(mark) => shown.push_str(self.sources.get(mark.index).map_or("…", String::as_str)),
                None => shown.push(c),
            }
        }
        shown
    }
}

/// Returns an unknown number.
fn number() -> Option<String> {
    unknown::mark(Unknown::Number, 0).map(String::from)
}

/// Whether a value is completely unknown.
fn is_anything(value: &str) -> bool {
    value == read_value()
}

fn is_mark_of_number(value: &str) -> bool {
    let mut marks = unknown::marks(value);
    value.chars().count() == 1
        && marks.next().is_some_and(|mark| matches!(mark.unknown, Unknown::Number | Unknown::Computed))
}

fn is_number(value: &str) -> bool {
    let is_literal = !value.is_empty() && value.len() < 16 && value.bytes().all(|byte| byte.is_ascii_digit());
    is_literal || is_mark_of_number(value)
}

/// Whether a folder contains a file whose name is a number.
fn holds_numbers(folder: &std::path::Path) -> bool {
    let is_number = |name: std::ffi::OsString| name.as_encoded_bytes().iter().all(u8::is_ascii_digit);
    folder.read_dir().map_or(true, |mut entries| {
        entries.any(|entry| entry.map_or(true, |entry| is_number(entry.file_name())))
    })
}

/// Returns the value of a variable that is set to a word: the word, the same part unsplit, or an unknown text.
fn of_word(word: &str) -> String {
    let is_literal = !word.is_empty() && word.chars().all(words::is_plain);
    let mut marks = unknown::marks(word);
    match (marks.next(), word.chars().count()) {
        _ if is_literal => word.to_owned(),
        (Some(mark), 1) => unknown::mark(mark.unknown, mark.index).map_or_else(read_value, String::from),
        _ => read_value(),
    }
}

/// Returns the value of a variable in a loop over a word.
fn of_loop(word: &str) -> String {
    match unknown::marks(word).next() {
        Some(mark) if mark.unknown == Unknown::Commits && word.chars().count() == 1 => {
            unknown::mark(Unknown::Commit, mark.index).map_or_else(read_value, String::from)
        }
        _ => of_word(word),
    }
}

/// Returns the words of a git command with the name of a commit in place of each hash.
pub(super) fn with_commits(argv: &Argv) -> Argv {
    let replaced = |word: &String| {
        let mut text = String::new();
        for c in word.chars() {
            match unknown::of(c).map(|mark| mark.unknown) {
                Some(Unknown::Commit) => text.push_str("HEAD"),
                _ => text.push(c),
            }
        }
        text
    };
    Argv { words: argv.words.iter().map(replaced).collect(), ..argv.clone() }
}

/// Whether a raw text mentions a variable.
fn speaks(raw: &str, name: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    raw.match_indices(name).any(|(at, _)| {
        let before = raw[..at].chars().next_back();
        ends(&raw[at + name.len()..]) && !before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

fn speaks_of(simple: &Simple, name: &str) -> bool {
    let is_named = |raw: &String| speaks(raw, name) && raw.contains('$');
    simple.words.iter().any(is_named)
        || simple.redirects.iter().any(|redirect| is_named(&redirect.target))
        || simple.assignments.iter().any(|(_, raw)| is_named(raw))
        || simple.fed.iter().any(is_named)
}

fn sets(simple: &Simple, name: &str) -> bool {
    simple.assignments.iter().any(|(known, _)| known == name)
        || read_by(simple).is_some_and(|names| names.iter().any(|known| known == name))
}

/// Returns the variables that `read` sets to a line of a file or a text. Input from a pipe does not count, because
/// `read` would then run in a different shell.
pub(super) fn read_by(simple: &Simple) -> Option<Vec<String>> {
    let words: Vec<&str> = simple.words.iter().map(String::as_str).collect();
    let is_own = simple.plain_place && simple.reads_inline && !simple.reads_pipe;
    let reads_only = simple.redirects.iter().all(|redirect| redirect.operator == "<");
    read_into(&words).filter(|_| is_own && reads_only && simple.assignments.is_empty())
}
