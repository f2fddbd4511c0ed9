//! The parsed form of a shell text: its simple commands in order, and the constructs around them.

use super::unknown::{self, Unknown};
use deputy_protocol::{Phrase, Risk};
use std::iter::Peekable;
use std::str::Chars;

/// A parsed shell text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    /// Every simple command in order, including those inside substitutions and functions.
    pub(crate) commands: Vec<Simple>,
    /// Every construct that cannot be judged by its simple commands alone.
    pub(crate) constructs: Vec<Construct>,
    /// Every `for` loop over words, in order.
    pub(crate) loops: Vec<Loop>,
    /// Whether commands are in groups, conditions or loops that are judged by their commands.
    pub(crate) is_grouped: bool,
    /// The loops over lines that are read from a pipe, each with the index of its pipeline.
    pub(crate) reads: Vec<(usize, usize)>,
    /// The reason why the text as a whole is not understood. If set, nothing in the text is allowed.
    pub(crate) refusal: Option<Construct>,
    /// The names of the functions that the text defines, and whether each calls itself.
    pub(crate) functions: Vec<(String, bool)>,
}

/// A construct that always requires the user's consent.
#[derive(Clone, Debug)]
pub(crate) struct Construct {
    /// The text of the construct, or its beginning.
    pub(crate) text: String,
    /// How much harm it can hide.
    pub(crate) risk: Risk,
    /// The reason in plain words.
    pub(crate) reason: Phrase,
}

/// A `for` loop over words in the text. Its commands are judged once for each word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Loop {
    /// The loop variable.
    pub(crate) name: String,
    /// The raw words.
    pub(crate) values: Vec<String>,
}

/// A simple command as written in the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Simple {
    /// The raw words. The command's name is first.
    pub(crate) words: Vec<String>,
    /// The byte offset in the text at which each word ends. Empty for commands that are not read word by word.
    pub(crate) ends: Vec<usize>,
    /// The leading assignments: names and raw values.
    pub(crate) assignments: Vec<(String, String)>,
    /// The redirects.
    pub(crate) redirects: Vec<Redirect>,
    /// The indices of the enclosing loops in the script, the outermost first.
    pub(crate) loops: Vec<usize>,
    /// How the command depends on the previous command of the same list.
    pub(crate) joint: Joint,
    /// The pipeline of the command. A standalone command has a separate pipeline.
    pub(crate) pipeline: usize,
    /// Whether the standard input is another command's output.
    pub(crate) reads_pipe: bool,
    /// Whether the standard input is text from the command line.
    pub(crate) reads_inline: bool,
    /// The raw words of such texts, if they are on the command line.
    pub(crate) fed: Vec<String>,
    /// Whether the command is directly in a list of the text: not in a group, a condition, a pipe or a substitution.
    pub(crate) plain_place: bool,
    /// Whether it runs in each round of the innermost loop that it is in: not in a group, a condition or a pipe there.
    pub(crate) each_round: bool,
}

/// How a command follows the previous one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Joint {
    /// Runs regardless of the previous command's result.
    #[default]
    Always,
    /// Runs only if the previous command succeeded.
    AfterSuccess,
    /// Runs only if the previous commands failed.
    AfterFailure,
}

/// A redirect.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Redirect {
    /// `<`, `>`, `>>`, `&>`, `>&`, `<&`, `>|`, ...
    pub(crate) operator: String,
    /// The raw word after the operator.
    pub(crate) target: String,
}

/// Returns the value of a variable about which nothing is known, in a loop over input.
pub(crate) fn read_value() -> String {
    unknown::mark(Unknown::Text, 0).map(String::from).unwrap_or_default()
}

/// Returns the variables into which the head of a loop reads a line: `read -r a b`, `IFS=, read -r a`. `None` for all
/// other heads.
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

/// Returns a command that only evaluates the raw word of a `case`. The shell does not split this word.
pub(crate) fn does_nothing(raw: &str) -> Vec<String> {
    let is_quoted = raw.contains(['\'', '"', '\\']);
    vec![":".to_owned(), if is_quoted { raw.to_owned() } else { format!("\"{raw}\"") }]
}

/// Splits `[[ … ]]` at `&&` and `||` into conditions, each as the words of an equivalent `[ … ]` and with its joint.
/// `None` if the conditions contain anything other than plain words and variables.
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

/// Converts a condition. The shell neither splits nor globs its words.
fn as_test(words: Vec<String>) -> Option<Vec<String>> {
    if words.is_empty() {
        return None;
    }
    // The right side is a pattern or a regular expression, which is only matched.
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
            // A partly quoted word would be a pattern in part.
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

/// Reads the regular expression after `=~` that begins here, without quotes and variables. `None` if there is no such
/// expression.
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

/// Whether a variable with this name has no meaning to the shell and to programs: its name is in lower case, or is
/// among those that scripts commonly use.
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

/// Returns the delimiter of a here-document, and whether its text is literal. `None` if the delimiter is not plain.
pub(crate) fn here_mark(raw: &str) -> Option<(String, bool)> {
    let quoted = ["'", "\""].iter().find_map(|quote| raw.strip_prefix(quote)?.strip_suffix(quote));
    let mark = quoted.or_else(|| raw.strip_prefix('\\')).unwrap_or(raw);
    let is_plain = !mark.is_empty() && mark.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_plain.then(|| (mark.to_owned(), mark != raw))
}
