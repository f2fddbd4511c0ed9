//! What a shell text consists of: simple commands in order, and the constructs around them.

use super::unknown::{self, Unknown};
use deputy_protocol::{Phrase, Risk};
use std::iter::Peekable;
use std::str::Chars;

/// A shell text taken apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    /// Every simple command, in order, those inside of substitutions and functions too.
    pub(crate) commands: Vec<Simple>,
    /// Every construct that is not judged by the simple commands in it alone.
    pub(crate) constructs: Vec<Construct>,
    /// Every `for` over words in the text, in order.
    pub(crate) loops: Vec<Loop>,
    /// Whether commands are in groups, conditions or loops that are judged by the commands in them.
    pub(crate) is_grouped: bool,
    /// The loops over lines that are read from a pipe, each with the pipeline it is in.
    pub(crate) reads: Vec<(usize, usize)>,
    /// Why the text as a whole is not understood; then nothing in it is allowed.
    pub(crate) refusal: Option<Construct>,
    /// Names of the functions that the text defines, each with whether it calls itself.
    pub(crate) functions: Vec<(String, bool)>,
}

/// A construct that needs a person whatever is in it.
#[derive(Clone, Debug)]
pub(crate) struct Construct {
    /// The text of the construct, or its beginning.
    pub(crate) text: String,
    /// How much it can hide.
    pub(crate) risk: Risk,
    /// In plain words.
    pub(crate) reason: Phrase,
}

/// A `for` over words that are in the text: its commands are judged once for each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Loop {
    /// The variable that it sets.
    pub(crate) name: String,
    /// The raw words.
    pub(crate) values: Vec<String>,
}

/// One simple command as it is in the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Simple {
    /// Raw words, the command's name first.
    pub(crate) words: Vec<String>,
    /// Where each of them ends in the text; empty for those that are not read word by word.
    pub(crate) ends: Vec<usize>,
    /// Assignments in front: name and raw value.
    pub(crate) assignments: Vec<(String, String)>,
    /// Redirects.
    pub(crate) redirects: Vec<Redirect>,
    /// The loops it is in, the outermost first, by their places in the script.
    pub(crate) loops: Vec<usize>,
    /// How the previous command of the same list leads here.
    pub(crate) joint: Joint,
    /// Which pipeline it belongs to; commands that stand alone have their own.
    pub(crate) pipeline: usize,
    /// Whether its standard input is another command's output.
    pub(crate) reads_pipe: bool,
    /// Whether its standard input is text from the command line itself.
    pub(crate) reads_inline: bool,
    /// The raw words of such texts, where they are on the command line.
    pub(crate) fed: Vec<String>,
    /// Whether it stands directly in a list of the text: not in a group, a condition, a pipe or a substitution.
    pub(crate) plain_place: bool,
    /// Whether it runs in each round of the innermost loop that it is in: not in a group, a condition or a pipe there.
    pub(crate) each_round: bool,
}

/// How a command follows the one before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Joint {
    /// It runs whatever came of the one before.
    #[default]
    Always,
    /// It runs only when the one before succeeded.
    AfterSuccess,
    /// It runs only when what came before failed.
    AfterFailure,
}

/// One redirect.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Redirect {
    /// `<`, `>`, `>>`, `&>`, `>&`, `<&`, `>|`, ...
    pub(crate) operator: String,
    /// The raw word behind it.
    pub(crate) target: String,
}

/// The value that a variable has of which nothing is known, in a loop over what is read.
pub(crate) fn read_value() -> String {
    unknown::mark(Unknown::Text, 0).map(String::from).unwrap_or_default()
}

/// The variables that a head of a loop reads a line into: `read -r a b`, `IFS=, read -r a`. `None` for all others.
pub(crate) fn read_into(words: &[&str]) -> Option<Vec<String>> {
    const SPLITTERS: [&str; 9] =
        ["IFS=", "IFS=,", "IFS=:", "IFS==", "IFS='|'", "IFS=';'", "IFS='='", "IFS=''", "IFS=$'\\t'"];
    let words = words.strip_prefix(&["read"]).or_else(|| match words {
        [splitter, "read", rest @ ..] if SPLITTERS.contains(splitter) => Some(rest),
        _ => None,
    })?;
    // `-d ''` sets the delimiter to a zero byte, which `find -print0` writes after each name.
    const ENDS: [[&str; 2]; 3] = [["-d", "''"], ["-d", "\"\""], ["-d", "$'\\0'"]];
    let names = words.strip_prefix(&["-r"]).unwrap_or(words);
    let names = ENDS.iter().find_map(|end| names.strip_prefix(end)).unwrap_or(names);
    let names = names.strip_prefix(&["-r"]).unwrap_or(names);
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    (!names.is_empty() && names.iter().all(|name| is_own_name(name))).then_some(names)
}

/// A command that does nothing but look at a raw word, which the shell does not split: the word of a `case`.
pub(crate) fn does_nothing(raw: &str) -> Vec<String> {
    let is_quoted = raw.contains(['\'', '"', '\\']);
    vec![":".to_owned(), if is_quoted { raw.to_owned() } else { format!("\"{raw}\"") }]
}

/// The conditions in `[[ … ]]`, which `&&` and `||` join, each as the words of the `[ … ]` that looks at the same, with how
/// it follows the one before. `None` where they are not plain words and variables.
pub(crate) fn as_tests(words: Vec<String>) -> Option<Vec<(Joint, Vec<String>)>> {
    let mut tests = Vec::new();
    let mut joint = Joint::default();
    let mut condition = Vec::new();
    for word in words {
        let next = match word.as_str() {
            "&&" => Joint::AfterSuccess,
            "||" => Joint::AfterFailure,
            _ => {
                condition.push(word);
                continue;
            }
        };
        tests.push((joint, as_test(std::mem::take(&mut condition))?));
        joint = next;
    }
    tests.push((joint, as_test(condition)?));
    Some(tests)
}

/// One condition; the shell neither splits nor expands words in it.
fn as_test(words: Vec<String>) -> Option<Vec<String>> {
    if words.is_empty() {
        return None;
    }
    // The right side is a pattern or an expression, which only matches.
    let is_pattern =
        |before: Option<&str>| before.is_some_and(|word| matches!(word, "=" | "==" | "!=" | "=~"));
    let mut within = vec!["[".to_owned()];
    let mut before: Option<String> = None;
    for raw in words {
        let is_operator =
            raw == "!" || raw.starts_with('-') && raw.bytes().skip(1).all(|byte| byte.is_ascii_lowercase());
        let signs = if is_pattern(before.as_deref()) { "_./:=*?,@%+-!{}$[]^~" } else { "_./:=*?,@%+-!{}$" };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || signs.contains(c);
        let word = match raw.contains(['\'', '"', '\\']) {
            _ if before.as_deref() == Some("=~") && is_expression(&raw) => format!("'{raw}'"),
            // What is quoted in part would be a pattern in part.
            true if raw.len() > 1 && raw.starts_with(['\'', '"']) && raw.ends_with(raw.chars().next()?) => {
                raw.clone()
            }
            true => return None,
            false if is_operator => raw.clone(),
            false if raw == "=~" && before.is_some() => "=".to_owned(),
            false if !raw.chars().all(is_plain) => return None,
            false if raw.contains('$') => format!("\"{raw}\""),
            false => format!("'{raw}'"),
        };
        within.push(word);
        before = Some(raw);
    }
    within.push("]".to_owned());
    Some(within)
}

/// The expression behind `=~` that begins here, without quotes and variables; `None` where it is not one.
pub(crate) fn expression(rest: &mut Peekable<Chars<'_>>) -> Option<String> {
    let ahead: String = rest.clone().take_while(|c| !matches!(c, ' ' | '\t' | '\n')).collect();
    is_expression(&ahead).then(|| rest.by_ref().take(ahead.chars().count()).collect())
}

fn is_expression(text: &str) -> bool {
    let mut open = 0_usize;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '(' => open += 1,
            ')' if open == 0 => return false,
            ')' => open -= 1,
            '\\' if chars.next().is_some_and(|c| !matches!(c, '\'' | '"')) => {}
            '$' if chars.peek().is_none_or(|c| matches!(c, ')' | '|')) => {}
            c if c.is_ascii_alphanumeric() || "_./:=*?,@%+-{}[]^|".contains(c) => {}
            _ => return false,
        }
    }
    open == 0 && !text.is_empty()
}

/// Whether a variable of that name means nothing to the shell and to programs: names of people's own are in small letters,
/// or among those that scripts use.
pub(crate) fn is_own_name(name: &str) -> bool {
    const CAPITALS: &[&str] = &[
        "A",
        "B",
        "BASE",
        "BRANCH",
        "COMMIT",
        "COUNT",
        "DATE",
        "DIR",
        "END",
        "FILE",
        "FILES",
        "HASH",
        "HEAD",
        "LAST_TAG",
        "NAME",
        "NOW",
        "PATTERN",
        "PREFIX",
        "REPO",
        "REPO_ROOT",
        "RESULT",
        "ROOT",
        "SHA",
        "SIZE",
        "SRC",
        "START",
        "TAG",
        "TODAY",
        "TOTAL",
        "VERSION",
    ];
    const SMALL: &[&str] =
        &["auto_resume", "histchars", "http_proxy", "https_proxy", "no_proxy", "all_proxy", "ftp_proxy"];
    let is_small = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    CAPITALS.contains(&name) || is_small && !SMALL.contains(&name)
}

/// The mark that ends a here-document, and whether its text is only text. `None` for a mark that is not plain.
pub(crate) fn here_mark(raw: &str) -> Option<(String, bool)> {
    let quoted = ["'", "\""].iter().find_map(|quote| raw.strip_prefix(quote)?.strip_suffix(quote));
    let mark = quoted.or_else(|| raw.strip_prefix('\\')).unwrap_or(raw);
    let is_plain = !mark.is_empty() && mark.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_plain.then(|| (mark.to_owned(), mark != raw))
}
