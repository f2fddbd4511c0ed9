//! Converts the raw words of a simple command into the argv that the program receives.

use crate::Situation;
use crate::shell::characters;
use crate::shell::expand::{expand, plain};
use crate::shell::script::Simple;
use crate::shell::unknown;
use crate::shell::word::{Dynamic, Unit, Word, lex};
use deputy_messages::policy as say;
use deputy_protocol::{Phrase, Risk};
use std::path::Path;

/// An argv and its uncertainties.
#[derive(Clone, Debug, Default)]
pub(crate) struct Argv {
    /// The words. Only a best guess if `doubts` is not empty.
    pub(crate) words: Vec<String>,
    /// The reasons why the words are uncertain.
    pub(crate) doubts: Vec<(Risk, Phrase)>,
    /// Whether the words are what will run or, at worst, differ by variables whose values are known.
    pub(crate) good_guess: bool,
    /// Folders in which names were looked up for patterns.
    pub(crate) folders: Vec<String>,
    /// Folders in which a `*` matches everything.
    pub(crate) emptied: Vec<String>,
    /// Whether every word is literally in the text, without any expansion.
    pub(crate) literal: bool,
}

/// Variables with known values: those of the loops around a command, the outermost first.
pub(crate) type Values = [(String, String)];

/// Returns the argv of a simple command in the folder `cwd`.
pub(crate) fn argv(situation: &Situation, simple: &Simple, cwd: &Path, values: &Values) -> Argv {
    let mut argv = Argv { good_guess: true, literal: true, ..Argv::default() };
    let mut values = values.to_vec();
    if simple.words.first().is_some_and(|name| name == "echo") {
        values.extend(PRINTED.map(|(name, like)| (name.to_owned(), like.to_owned())));
    }
    for (at, raw) in simple.words.iter().enumerate() {
        add(situation, cwd, raw, at == 0, &values, &mut argv);
    }
    argv
}

/// Variables that count as known if they are only printed, because their values change nothing there, each with a
/// typical value: the status of the last command, and the variables of the user's environment that every command
/// receives.
const PRINTED: [(&str, &str); 7] = [
    ("?", "0"),
    ("LANG", "C.UTF-8"),
    ("LOGNAME", "name"),
    ("PATH", "/usr/bin"),
    ("SHELL", "/bin/sh"),
    ("TERM", "dumb"),
    ("USER", "name"),
];

/// Whether the shell and every command receive a variable with that name, whose value no text can set.
pub(super) fn is_given(name: &str) -> bool {
    matches!(name, "HOME" | "PWD") || PRINTED.iter().any(|(printed, _)| *printed == name)
}

/// Characters that have no meaning to the shell if a variable expands to them.
pub(crate) fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_./-".contains(c)
}

/// Whether it is certain how the shell treats a character of a variable's value.
fn is_certain(c: char) -> bool {
    is_plain(c) || unknown::of(c).is_some()
}

/// Converts a single raw word, with its doubts: the value of an assignment or the target of a redirect.
pub(crate) fn single(situation: &Situation, cwd: &Path, raw: &str) -> Argv {
    single_with(situation, cwd, raw, &[])
}

/// Like [`single`], with the values of the surrounding loops.
pub(crate) fn single_with(situation: &Situation, cwd: &Path, raw: &str, values: &Values) -> Argv {
    let mut argv = Argv { good_guess: true, literal: true, ..Argv::default() };
    add(situation, cwd, raw, false, values, &mut argv);
    argv
}

fn add(situation: &Situation, cwd: &Path, raw: &str, is_name: bool, values: &Values, argv: &mut Argv) {
    let known = |name: &str| match name {
        "HOME" => Some(situation.home.to_string_lossy().into_owned()),
        "PWD" => Some(cwd.to_string_lossy().into_owned()),
        _ => values.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.clone()),
    };
    let Some(mut word) = lex(raw, &known) else {
        argv.doubt(Risk::Medium, say::not_plain_word(characters::escaped(raw)));
        argv.good_guess = false;
        argv.words.push(raw.to_owned());
        return;
    };
    for unit in word.units.iter_mut().filter(|unit| !unit.quoted) {
        unit.c = unknown::split(unit.c);
    }
    if let Some(dynamic) = word.dynamic {
        argv.literal = false;
        // The clean environment or a loop sets these variables, so their values are certain if they contain no
        // special characters.
        let plain_value = |name: &String| {
            known(name).is_some_and(|value| !value.is_empty() && value.chars().all(is_certain))
        };
        let certain = word.variables.iter().all(plain_value) && !chooses_names(&word);
        if is_name || dynamic != Dynamic::Variable || !certain {
            dynamic_doubt(dynamic, &word, is_name, argv);
        }
        argv.good_guess &= dynamic == Dynamic::Encoded
            || (dynamic <= Dynamic::Operator && word.variables.iter().all(|name| known(name).is_some()));
    }
    let folder = looked_up(&word, &situation.home);
    if let [.., Unit { c: '*', quoted: false }] = word.units.as_slice() {
        let before = word.units.get(word.units.len().wrapping_sub(2)).map(|unit| unit.c);
        match before {
            None => argv.emptied.push(".".to_owned()),
            Some('/') => argv.emptied.extend(folder.clone()),
            Some(_) => {}
        }
    }
    argv.folders.extend(folder);
    let before = argv.words.len();
    match expand(&word, cwd, &situation.home) {
        Ok(words) => argv.words.extend(words),
        Err(why) => {
            argv.doubt(Risk::Medium, say::word_is(characters::escaped(raw), why.reason()));
            argv.good_guess = false;
            argv.words.push(plain(&word.units));
        }
    }
    let added = argv.words[before..].to_vec();
    argv.literal &=
        word.dynamic.is_none() && matches!(added.as_slice(), [only] if *only == plain(&word.units));
    if added.iter().any(|word| characters::mixes_scripts(word)) {
        argv.doubt(Risk::High, say::mixes_letters_several_scripts(raw));
    }
    if is_name && !added.first().is_some_and(|name| name.is_ascii()) && !added.is_empty() {
        argv.doubt(Risk::High, say::program_name_letters_look(characters::escaped(raw)));
    }
    // A name that is built from quotes or braces conceals what it is.
    if is_name && (raw.contains(['\'', '"', '\\', '{', '*', '?', '[', '~'])) {
        let plain_bracket = matches!(raw, "[" | "{");
        if !plain_bracket {
            argv.doubt(Risk::High, say::program_name_written_hides(characters::escaped(raw)));
        }
    }
}

/// Whether a value that is known only at run time determines which file names a pattern matches.
fn chooses_names(word: &Word) -> bool {
    let pattern = |unit: &Unit| !unit.quoted && matches!(unit.c, '*' | '?' | '[' | '{');
    let is_printed = |name: &String| PRINTED.iter().any(|(printed, _)| name == printed);
    let is_unknown = word.units.iter().any(|unit| unknown::of(unit.c).is_some());
    (is_unknown || word.variables.iter().any(is_printed)) && word.units.iter().any(pattern)
}

/// Returns the folder in which a pattern is looked up, if it is not the working directory.
fn looked_up(word: &Word, home: &Path) -> Option<String> {
    let pattern =
        word.units.iter().position(|unit| !unit.quoted && matches!(unit.c, '*' | '?' | '[' | '{'))?;
    let text: String = word.units[..pattern].iter().map(|unit| unit.c).collect();
    let (folder, _) = text.rsplit_once('/')?;
    let folder = match folder.strip_prefix('~') {
        Some(rest) if !word.units[0].quoted => format!("{}{rest}", home.display()),
        _ => folder.to_owned(),
    };
    Some(if folder.is_empty() { "/".to_owned() } else { folder })
}

fn dynamic_doubt(dynamic: Dynamic, word: &Word, is_name: bool, argv: &mut Argv) {
    let (risk, reason) = match dynamic {
        Dynamic::Encoded => (Risk::Medium, say::word_encoded_form()),
        Dynamic::Variable => (Risk::Medium, say::depends_variables(word.variables.join(", "))),
        Dynamic::Operator => (Risk::Medium, say::depends_what_shell_makes()),
        Dynamic::Arithmetic => (Risk::High, say::evaluates_text_arithmetic_code()),
        Dynamic::Substitution => (Risk::High, say::runs_command_inside_word()),
    };
    argv.doubt(risk, reason);
    if is_name {
        argv.doubt(Risk::High, say::program_name_known_only());
    }
    let secret = |name: &String| {
        let name = name.to_uppercase();
        ["SECRET", "TOKEN", "PASS", "KEY", "CREDENTIAL", "AUTH"].iter().any(|part| name.contains(part))
    };
    if word.variables.iter().any(secret) {
        argv.doubt(Risk::High, say::reads_variable_holds_secret());
    }
}

impl Argv {
    fn doubt(&mut self, risk: Risk, reason: Phrase) {
        self.literal = false;
        self.doubts.push((risk, reason));
    }
}
