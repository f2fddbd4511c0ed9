//! A lenient parser for text that is not plain. It finds every simple command that the text may contain, so that the
//! denials can be applied.
//!
//! It never fails and never allows anything. It interprets words, quotes, separators, redirects, here-documents,
//! groups and loops as bash does if the text is valid shell, and as closely as possible otherwise.

use super::captures::arithmetic;
use super::script::{Joint, Loop, Redirect, Script, Simple};
use std::iter::Peekable;
use std::str::Chars;

/// The maximum number of simple commands that are collected.
const MOST_COMMANDS: usize = 65_536;
/// Represents the output of a command in a word.
const PRINTED: &str = "$(:)";
/// The maximum number of open brackets. The content of further brackets is still read.
const MOST_FRAMES: usize = 256;
/// The maximum number of loops around a command, and of functions that are being defined at the same time.
const MOST_AROUND: usize = 16;
/// The maximum number of characters that are searched for the end of arithmetic.
const MOST_ARITHMETIC: usize = 256;
/// The maximum number of unterminated here-documents that are searched for. Each requires a pass to the end of the
/// text.
const MOST_ENDLESS: usize = 2;

/// Returns the simple commands, loops and functions that a text may contain.
pub(crate) fn read(text: &str) -> Script {
    let mut reader = Reader {
        rest: text.chars().peekable(),
        script: Script::default(),
        frame: Frame::default(),
        frames: Vec::new(),
        loops: Vec::new(),
        further_loops: 0,
        braces: 0,
        functions: Vec::new(),
        here: Vec::new(),
        endless: 0,
    };
    while reader.script.commands.len() < MOST_COMMANDS && reader.step() {}
    loop {
        reader.end_word();
        reader.end_command();
        match reader.frames.pop() {
            Some(outer) => reader.frame = outer,
            None => return reader.script,
        }
    }
}

/// The construct that a bracket or a backtick opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Opened {
    #[default]
    Group,
    /// `$(`, `<(`, `>(`.
    Substitution,
    Backtick,
    /// The second of two parentheses: most likely arithmetic.
    Arithmetic,
    /// `name=(`.
    List,
}

/// The meaning of the words at the start of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Head {
    #[default]
    Command,
    For,
    Case,
    Function,
    Coprocess,
    /// A pattern of `case`, up to its bracket.
    Pattern,
    /// `[[`, up to `]]`.
    Test,
}

/// A command that is being read, and its context.
#[derive(Debug, Default)]
struct Frame {
    opened: Opened,
    simple: Simple,
    head: Head,
    word: String,
    in_double: bool,
    /// The redirect whose target comes next.
    operator: Option<String>,
    /// The number of open `case` constructs.
    cases: usize,
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    script: Script,
    frame: Frame,
    frames: Vec<Frame>,
    /// The open loops. `Some` contains the index in the script of a loop over known words.
    loops: Vec<Option<usize>>,
    /// The number of further open loops.
    further_loops: usize,
    /// The number of open braces.
    braces: usize,
    /// The functions that are being defined: the index in the script, and the numbers of braces and frames that were
    /// open.
    functions: Vec<(usize, usize, usize)>,
    /// The delimiters of here-documents that begin at the next line end.
    here: Vec<String>,
    /// The number of unterminated here-documents.
    endless: usize,
}

impl Reader<'_> {
    /// Reads a token or a character. Returns `false` at the end.
    fn step(&mut self) -> bool {
        let Some(c) = self.rest.next() else { return false };
        match c {
            '\\' => match self.rest.next() {
                Some('\n') => {}
                Some(escaped) => self.frame.word.extend(['\\', escaped]),
                None => self.frame.word.push('\\'),
            },
            '`' if self.frame.opened == Opened::Backtick => self.close(),
            '`' => self.open(Opened::Backtick),
            '$' if self.rest.next_if_eq(&'(').is_some() => {
                if !self.skip_arithmetic() {
                    self.open_one_or_two(Opened::Substitution);
                }
            }
            '"' => {
                self.frame.word.push(c);
                self.frame.in_double = !self.frame.in_double;
            }
            c if self.frame.in_double => self.frame.word.push(c),
            '$' if self.rest.peek() == Some(&'\'') => {
                self.rest.next();
                self.frame.word.push_str("$'");
                self.quoted(true);
            }
            '\'' => {
                self.frame.word.push(c);
                self.quoted(false);
            }
            ' ' | '\t' => self.end_word(),
            '#' if self.frame.word.is_empty() => while self.rest.next_if(|c| *c != '\n').is_some() {},
            ';' => {
                self.end_word();
                self.end_command();
                if self.rest.next_if(|c| matches!(c, ';' | '&')).is_some() {
                    self.rest.next_if_eq(&'&');
                    self.frame.head = if self.frame.cases > 0 { Head::Pattern } else { Head::Command };
                }
            }
            '\n' => {
                self.end_word();
                self.end_command();
                self.skip_here_documents();
            }
            '<' | '>' | '&' | '|' | '(' | ')' if self.frame.head == Head::Test => self.frame.word.push(c),
            '<' | '>' => self.angle(c),
            '&' if self.rest.peek() == Some(&'>') => {
                self.end_word();
                self.rest.next();
                self.rest.next_if_eq(&'>');
                self.frame.operator = Some("&>".to_owned());
            }
            '|' if self.frame.head == Head::Pattern => self.end_word(),
            '&' | '|' => {
                self.end_word();
                self.end_command();
                self.rest.next_if_eq(&c);
            }
            '(' => self.parenthesis(),
            ')' => self.close(),
            c => self.frame.word.push(c),
        }
        true
    }

    /// Reads up to the end of an open quote.
    fn quoted(&mut self, has_escapes: bool) {
        while let Some(c) = self.rest.next() {
            self.frame.word.push(c);
            match c {
                '\'' => return,
                '\\' if has_escapes => self.frame.word.extend(self.rest.next()),
                _ => {}
            }
        }
    }

    fn angle(&mut self, c: char) {
        if self.rest.next_if_eq(&'(').is_some() {
            return self.open(Opened::Substitution);
        }
        // A descriptor belongs to the redirect.
        let word = &self.frame.word;
        if word.bytes().all(|byte| byte.is_ascii_digit()) || (word.starts_with('{') && word.ends_with('}')) {
            self.frame.word.clear();
        }
        self.end_word();
        let mut operator = String::from(c);
        while let Some(next) = self.rest.next_if(|next| matches!(next, '<' | '>' | '&' | '|')) {
            operator.push(next);
        }
        if operator == "<<" {
            self.rest.next_if_eq(&'-');
        }
        self.frame.operator = Some(operator);
    }

    fn parenthesis(&mut self) {
        if self.frame.head == Head::Pattern {
            return;
        }
        if self.frame.word.ends_with('=') {
            return self.open(Opened::List);
        }
        self.end_word();
        while self.rest.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
        if self.rest.next_if_eq(&')').is_some() {
            return self.function();
        }
        self.end_command();
        self.open_one_or_two(Opened::Group);
    }

    fn open_one_or_two(&mut self, opened: Opened) {
        self.open(opened);
        if self.rest.next_if_eq(&'(').is_some() {
            self.open(Opened::Arithmetic);
        }
    }

    /// Skips plain arithmetic after `$(`. In arithmetic, `*` is not a pattern and words are not commands.
    fn skip_arithmetic(&mut self) -> bool {
        let ahead: String = self.rest.clone().take(MOST_ARITHMETIC).collect();
        let Some(length) = ahead.strip_prefix('(').and_then(arithmetic) else { return false };
        // The text is all ASCII.
        self.rest.by_ref().take("(".len() + length + "))".len()).for_each(drop);
        self.frame.word.push_str(PRINTED);
        true
    }

    /// Starts a function: the preceding words are its name, and its body follows.
    fn function(&mut self) {
        let name = self.frame.simple.words.last().cloned().unwrap_or_default();
        self.frame.simple = Simple::default();
        self.frame.head = Head::Command;
        if self.functions.len() < MOST_AROUND {
            self.functions.push((self.script.functions.len(), self.braces, self.frames.len()));
            self.script.functions.push((name, false));
        }
    }

    fn open(&mut self, opened: Opened) {
        if self.frames.len() == MOST_FRAMES {
            self.end_word();
            return self.end_command();
        }
        let frame = std::mem::take(&mut self.frame);
        self.frames.push(frame);
        self.frame.opened = opened;
    }

    fn close(&mut self) {
        self.end_word();
        match self.frame.head {
            Head::Pattern => {
                self.frame.simple = Simple::default();
                self.frame.head = Head::Command;
                return;
            }
            _ => self.end_command(),
        }
        let Some(outer) = self.frames.pop() else { return };
        let closed = std::mem::replace(&mut self.frame, outer);
        match closed.opened {
            Opened::Substitution | Opened::Backtick => self.frame.word.push_str(PRINTED),
            // The body of a function may be a group of this kind.
            _ => self.end_functions(self.frames.len()),
        }
    }

    /// Ends the functions whose body has just been closed.
    fn end_functions(&mut self, frames: usize) {
        let braces = self.braces;
        self.functions.retain(|(_, at, within)| *at < braces || *within < frames);
    }

    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.frame.word);
        if word.is_empty() {
            return;
        }
        if let Some(operator) = self.frame.operator.take() {
            match operator.as_str() {
                "<<" if self.frame.opened == Opened::Arithmetic => {}
                "<<" => self.here.push(word.replace(['\'', '"', '\\'], "")),
                "<<<" => {}
                _ => self.frame.simple.redirects.push(Redirect { operator, target: word }),
            }
            return;
        }
        let is_first = self.frame.simple.words.is_empty();
        if word == "{" || is_first && self.frame.head == Head::Command {
            return self.first_word(word);
        }
        match (self.frame.head, word.as_str()) {
            (Head::Case, "in") => {
                self.frame.simple.words.clear();
                self.frame.cases += 1;
                self.frame.head = Head::Pattern;
            }
            (Head::Pattern, "esac") if is_first => self.first_word(word),
            (Head::Function, _) => {
                self.frame.simple.words.push(word);
                self.function();
            }
            // `coproc NAME` before a group.
            (Head::Coprocess, _) if self.frame.simple.words.len() <= 1 && opens(&word) => {
                self.frame.simple.words.clear();
                self.first_word(word);
            }
            (Head::Test, "]]") => self.frame.head = Head::Command,
            _ => self.frame.simple.words.push(word),
        }
    }

    /// Handles a word at the start of a command.
    fn first_word(&mut self, word: String) {
        let frame = &mut self.frame;
        match word.as_str() {
            "!" | "if" | "then" | "elif" | "else" | "do" | "fi" => frame.head = Head::Command,
            "while" | "until" => {
                frame.head = Head::Command;
                self.enter_loop(None);
            }
            "{" => {
                self.end_command();
                self.braces += 1;
            }
            "}" => {
                self.braces = self.braces.saturating_sub(1);
                self.end_functions(0);
            }
            "done" if self.further_loops > 0 => self.further_loops -= 1,
            "done" => drop(self.loops.pop()),
            "esac" => {
                frame.cases = frame.cases.saturating_sub(1);
                frame.head = Head::Command;
            }
            "for" | "select" => frame.head = Head::For,
            "case" => frame.head = Head::Case,
            "function" => frame.head = Head::Function,
            "coproc" => frame.head = Head::Coprocess,
            "[[" => {
                frame.head = Head::Test;
                frame.simple.words.push(word);
            }
            // `time -p` takes words; `time` before a group has no effect.
            "time" => {
                frame.head = Head::Coprocess;
                frame.simple.words.push(word);
            }
            _ => match word.split_once('=').filter(|(name, _)| is_name(name)) {
                Some((name, value)) => {
                    frame.simple.assignments.push((name.trim_end_matches('+').to_owned(), value.to_owned()));
                }
                None => frame.simple.words.push(word),
            },
        }
    }

    fn end_command(&mut self) {
        let head = std::mem::take(&mut self.frame.head);
        self.frame.operator = None;
        if head == Head::Pattern && self.frame.cases > 0 {
            // There may be empty lines between patterns.
            self.frame.head = Head::Pattern;
        }
        let mut simple = std::mem::take(&mut self.frame.simple);
        if head == Head::For {
            return self.for_each(simple.words);
        }
        let is_empty =
            simple.words.is_empty() && simple.redirects.is_empty() && simple.assignments.is_empty();
        if is_empty || self.frame.opened == Opened::List || matches!(head, Head::Case | Head::Pattern) {
            return;
        }
        for (at, ..) in &self.functions {
            if let Some((name, calls_itself)) = self.script.functions.get_mut(*at) {
                *calls_itself |= simple.words.first() == Some(name);
            }
        }
        simple.pipeline = self.script.commands.len();
        simple.joint = Joint::Always;
        simple.plain_place = true;
        simple.loops = self.loops.iter().flatten().copied().collect();
        self.script.commands.push(simple);
    }

    /// Handles `NAME in WORDS`. A loop without words has no known values.
    fn for_each(&mut self, mut words: Vec<String>) {
        let values =
            if words.get(1).is_some_and(|word| word == "in") { words.split_off(2) } else { Vec::new() };
        let name = words.into_iter().next();
        self.enter_loop(name.filter(|_| !values.is_empty()).map(|name| Loop { name, values }));
    }

    fn enter_loop(&mut self, known: Option<Loop>) {
        if self.loops.len() == MOST_AROUND {
            self.further_loops += 1;
            return;
        }
        self.loops.push(known.as_ref().map(|_| self.script.loops.len()));
        self.script.loops.extend(known);
    }

    /// Skips the texts of terminated here-documents. An unterminated document is read as commands.
    fn skip_here_documents(&mut self) {
        for mark in std::mem::take(&mut self.here) {
            if self.endless > MOST_ENDLESS {
                return;
            }
            let mut rest = self.rest.clone();
            loop {
                let mut line = String::new();
                let mut is_last = true;
                for c in rest.by_ref() {
                    if c == '\n' {
                        is_last = false;
                        break;
                    }
                    line.push(c);
                }
                if line.trim_start_matches('\t') == mark {
                    self.rest = rest;
                    break;
                }
                if is_last {
                    self.endless += 1;
                    break;
                }
            }
        }
    }
}

/// Whether a word begins a compound command.
fn opens(word: &str) -> bool {
    matches!(word, "!" | "{" | "if" | "while" | "until" | "for" | "select" | "case" | "[[" | "time")
}

/// Whether the text can be the name in an assignment, before the `=`.
fn is_name(name: &str) -> bool {
    let name = name.trim_end_matches('+');
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests;
