//! Redacts secrets by their shape, and distinguishes them from text that only looks similar.

use super::REDACTED;
use super::shapes::{ASSIGNED, INSIDE, LOGINS, PHRASES, PRIVATE_KEY, TOGETHER, WHOLE};
use super::{coded, known};
use regex::{Captures, Regex, RegexSet, SetMatches};
use std::borrow::Cow;
use std::sync::LazyLock;

static SHAPES: LazyLock<Shapes> = LazyLock::new(Shapes::new);

struct Shapes {
    whole: Option<Regex>,
    inside: Vec<Shape>,
    assigned: Vec<Shape>,
    phrases: Vec<Shape>,
    logins: Vec<Shape>,
    /// The shapes that are searched for in one pass.
    together: Option<RegexSet>,
}

/// Compiles a shape with ASCII letters, digits, blanks and word boundaries. Unicode shapes cannot be searched for in
/// one pass: with them, a single `é` makes a text take seventy times as long, and their programs take 20 MB instead of
/// 3 MB. The additional matches of Unicode shapes would be next to a letter that no secret contains.
pub(super) fn compiled(shape: &str) -> Option<Regex> {
    Regex::new(&in_ascii(shape)).ok()
}

fn in_ascii(shape: &str) -> String {
    // A bracket inside brackets is a nested class.
    const IN_ASCII: [(&str, &str); 5] = [
        (r"\b", r"(?-u:\b)"),
        (r"\w", "[0-9A-Za-z_]"),
        (r"\d", "[0-9]"),
        (r"\s", r"[ \t\r\n\x0b\x0c]"),
        (r"\S", r"[^ \t\r\n\x0b\x0c]"),
    ];
    IN_ASCII.iter().fold(shape.to_owned(), |shape, (any, ascii)| shape.replace(any, ascii))
}

/// A shape, and its index among those that are searched for in one pass.
struct Shape {
    shape: Regex,
    together: Option<usize>,
}

impl Shapes {
    fn new() -> Self {
        let whole = WHOLE.iter().chain([&PRIVATE_KEY]).map(|shape| format!("(?:{shape})"));
        // A test compiles each of them.
        let compile = |shapes: &[&str]| {
            let compiled = |text: &&str| {
                let together = TOGETHER.iter().position(|other| other == text);
                compiled(text).map(|shape| Shape { shape, together })
            };
            shapes.iter().filter_map(compiled).collect()
        };
        Self {
            whole: compiled(&whole.collect::<Vec<_>>().join("|")),
            inside: compile(INSIDE),
            assigned: compile(ASSIGNED),
            phrases: compile(PHRASES),
            logins: compile(LOGINS),
            together: RegexSet::new(TOGETHER.iter().map(|shape| in_ascii(shape))).ok(),
        }
    }
}

/// Redacts the secrets that are recognizable by their shape, including encoded ones.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    let plain = plain(text);
    match coded::without(&plain) {
        Some(told) => Cow::Owned(told),
        None => plain,
    }
}

/// Redacts the secrets that are not encoded.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    let shapes = &*SHAPES;
    if let Some(known) = known::search() {
        replace(&mut text, &known, |_| REDACTED.to_owned());
    }
    if let Some(whole) = &shapes.whole {
        replace(&mut text, whole, |_| REDACTED.to_owned());
    }
    let found = shapes.together.as_ref().map(|together| together.matches(&text));
    let mut search = Search { found, text };
    search.each(&shapes.inside, |found| !is_placeholder(&found["secret"]));
    search.each(&shapes.assigned, |found| {
        is_secret_value(&found["secret"]) && !names_something_else(&found["before"])
    });
    search.each(&shapes.phrases, |found| {
        is_phrase(&found["secret"]) && !names_something_else(&found["before"])
    });
    search.each(&shapes.logins, |found| coded::is_login(&found["secret"]));
    search.text
}

fn replace(text: &mut Cow<'_, str>, shape: &Regex, with: impl Fn(&Captures<'_>) -> String) {
    if let Cow::Owned(replaced) = shape.replace_all(text, with) {
        *text = Cow::Owned(replaced);
    }
}

/// A text from which secrets are removed, shape by shape.
struct Search<'a> {
    text: Cow<'a, str>,
    /// The shapes of the one-pass search that the text contains. `None` once something was redacted.
    found: Option<SetMatches>,
}

impl Search<'_> {
    /// Redacts the matches of shapes that are accepted as secrets.
    fn each(&mut self, shapes: &[Shape], is_secret: impl Fn(&Captures<'_>) -> bool) {
        for Shape { shape, together } in shapes {
            let is_absent = |(found, at): (&SetMatches, usize)| !found.matched(at);
            if self.found.as_ref().zip(*together).is_some_and(is_absent) {
                continue;
            }
            let mut is_changed = false;
            let replaced = shape.replace_all(&self.text, |found: &Captures<'_>| {
                let is_secret = is_secret(found);
                is_changed |= is_secret;
                let shown = if is_secret { REDACTED } else { &found["secret"] };
                format!("{}{shown}{}", &found["before"], &found["after"])
            });
            if is_changed {
                self.text = Cow::Owned(replaced.into_owned());
                self.found = None;
            }
        }
    }
}

/// Returns whether a value is a passphrase, as opposed to a message of a program or an identifier.
fn is_phrase(value: &str) -> bool {
    const SAID: &[&str] = &[
        "passw",
        "passphrase",
        "secret",
        "token",
        "enter",
        "your",
        "please",
        "must",
        "required",
        "invalid",
        "forgot",
        "reset",
        "change",
        "confirm",
        "cannot",
        "wrong",
        "incorrect",
        "missing",
        "should",
        "field",
        "string",
        "the ",
        "this ",
        "here",
        "example",
        "optional",
        "null",
        "undefined",
        "none",
    ];
    let lower = value.to_ascii_lowercase();
    let is_plain = value.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '!'));
    let ends = value.ends_with(|c: char| c.is_alphanumeric() || c == '!');
    let words = value.split([' ', '-']).count();
    // Two words are usually a label, and a word with an inner capital is an identifier.
    let is_one = words == 1 && value.len() >= 16 && lower == value;
    !is_placeholder(value)
        && is_plain
        && ends
        && (words >= 4 || is_one)
        && !SAID.iter().any(|word| lower.contains(word))
}

/// Returns whether an assigned value is a secret, as opposed to code, a placeholder or the name of a variable.
fn is_secret_value(value: &str) -> bool {
    let is_place = value.contains("://") || ["./", "../", "~/"].iter().any(|start| value.starts_with(start));
    let is_code = value.contains(['(', ')', '{', '}', '[', ']', ';']);
    let has_digit = value.chars().any(|c| c.is_ascii_digit());
    let has_mark = value.chars().any(|c| "!@#$%^&*+/=~?".contains(c));
    let has_letter = value.chars().any(char::is_alphabetic);
    !is_placeholder(value) && !is_place && !is_code && has_letter && (has_digit || has_mark)
}

/// Returns whether a value is a placeholder for a value from elsewhere.
fn is_placeholder(value: &str) -> bool {
    ["$", "<", "{", "%", "[redacted", "...", "***", "xxx", "&", "*"]
        .iter()
        .any(|start| value.starts_with(start))
}

/// Returns whether a name only refers to a secret: its location, its name, or the tokens of a text.
fn names_something_else(before: &str) -> bool {
    const ENDINGS: &[&str] = &["url", "uri", "endpoint", "path", "file", "name", "type", "env", "header"];
    let name = before.trim_end_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
    name.contains("tokeniz") || ENDINGS.iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
pub(super) fn counts() -> (bool, [usize; 4]) {
    let shapes = &*SHAPES;
    let lists = [&shapes.inside, &shapes.assigned, &shapes.phrases, &shapes.logins];
    (shapes.whole.is_some(), lists.map(Vec::len))
}
