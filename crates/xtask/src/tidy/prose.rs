//! Checks that code branches on codes and fields, never on the text of a message. Texts are for people and can change.

use super::Finding;
use super::tree::{Tree, crate_of};
use deputy_protocol::{ErrorCode, ErrorCodeInfo};

/// Allowed exceptions, because there is no alternative: texts of other programs, and a mark inside texts. Each has its
/// reason.
const ALLOWED: [(&str, &str, &str); 7] = [
    ("crates/agent/src/config.rs", "unknown field", "toml says in words alone that a setting is not known"),
    (
        "crates/agent/src/redact.rs",
        "[redacted by Deputy]",
        "our own mark where a secret was: part of a text, as data",
    ),
    ("crates/cli/src/lib.rs", "error: ", "clap opens its messages so, and prints them whole"),
    ("crates/planner/src/relay.rs", "PRIVATE KEY", "the first and the last line of a key in PEM"),
    ("crates/policy/src/command/loans/remotes.rs", "gitdir: ", "git's own file format"),
    ("crates/policy/src/command/loans/remotes.rs", "ref: refs/heads/", "git's own file format"),
    ("crates/sandbox/src/bubblewrap.rs", "bwrap: ", "how bubblewrap marks its own lines on standard error"),
];

/// Methods that split a text or search in it.
const LOOKING: [&str; 22] = [
    "contains",
    "ends_with",
    "find",
    "rfind",
    "rsplit_once",
    "split",
    "split_once",
    "starts_with",
    "strip_prefix",
    "strip_suffix",
    "trim_end_matches",
    "trim_start_matches",
    "endsWith",
    "includes",
    "indexOf",
    "lastIndexOf",
    "match",
    "matchAll",
    "replace",
    "replaceAll",
    "search",
    "startsWith",
];

/// Code must not branch on prose.
pub(super) fn no_code_branches_on_prose(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut met = Vec::new();
    for (path, text) in tree.sources(&["rs", "ts", "tsx"]).filter(|(path, _)| is_product(path)) {
        for (number, literal) in looked_for(text).into_iter().filter(|(_, literal)| is_prose(literal)) {
            match ALLOWED.iter().find(|(file, words, _)| *file == path && *words == literal) {
                Some(allowed) => met.push(allowed),
                None => findings.push(Finding::new(
                    path,
                    format!("line {number} branches on the words {literal:?}; carry what they say as a code or a field"),
                )),
            }
        }
    }
    let gone = ALLOWED.iter().filter(|allowed| tree.text(allowed.0).is_some() && !met.contains(allowed));
    findings.extend(gone.map(|(path, words, _)| {
        Finding::new(path, format!("does not read {words:?} any more; take it off the list in xtask"))
    }));
    findings
}

/// Every error code must be sent somewhere.
pub(super) fn every_error_code_is_sent(tree: &Tree) -> Vec<Finding> {
    const TABLE: &str = "crates/protocol/src/error_code.rs";
    if tree.text(TABLE).is_none() {
        return Vec::new();
    }
    let product =
        || tree.sources(&["rs", "ts", "tsx"]).filter(|(path, _)| is_product(path) && *path != TABLE);
    let is_sent = |info: &ErrorCodeInfo| {
        let (in_rust, on_the_page) =
            (format!("ErrorCode::{:?}", info.code), format!("code: {:?}", info.name));
        let is_whole = |rest: &str| !rest.starts_with(char::is_alphanumeric);
        product().any(|(_, text)| text.split(&in_rust).skip(1).any(is_whole) || text.contains(&on_the_page))
    };
    let unsent = ErrorCode::all().filter(|info| !is_sent(info));
    unsent.map(|info| Finding::new(TABLE, format!("nobody sends `{}`; take it out", info.name))).collect()
}

/// Returns whether a file is part of the product, as opposed to tests and maintenance tasks.
fn is_product(path: &str) -> bool {
    let is_page = path.starts_with("src/") && !path.contains(".test.") && !path.ends_with("/testing.ts");
    let is_chore = crate_of(path).is_some_and(|name| name == "xtask" || name == "testkit");
    let is_test = path.contains("/tests/") || path.ends_with("tests.rs");
    let is_rust = path.ends_with(".rs") && path.contains("/src/") && !is_chore && !is_test;
    is_page || (is_rust && (crate_of(path).is_some() || path.starts_with("src-tauri/")))
}

/// Returns each literal that code searches for, with its line.
fn looked_for(text: &str) -> Vec<(usize, String)> {
    let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let mut found = Vec::new();
    for (at, _) in code.match_indices(['(', '=', '/']) {
        let (before, here) = code.split_at(at);
        let line = before.rsplit('\n').next().unwrap_or_default();
        if line.trim_start().starts_with("//") || line.trim_start().starts_with('*') {
            continue;
        }
        let literal = if let Some(argument) = here.strip_prefix('(') {
            let name = before
                .rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .next()
                .unwrap_or_default();
            let is_method = before[..before.len() - name.len()].ends_with('.');
            if is_method && LOOKING.contains(&name) { literal(argument, code) } else { None }
        } else if let Some(other) = here.strip_prefix("= ").filter(|_| before.ends_with(['!', '='])) {
            literal(other, code)
        } else {
            pattern(here)
                .filter(|(_, rest)| [".test(", ".exec("].iter().any(|call| rest.starts_with(call)))
                .map(|(it, _)| it)
        };
        found.extend(literal.map(|literal| (before.matches('\n').count() + 1, literal)));
    }
    found
}

/// Returns the literal of an argument, or of the constant in this file that the argument names.
fn literal(argument: &str, code: &str) -> Option<String> {
    let argument = argument.trim_start().trim_start_matches('&');
    let argument = argument.strip_prefix("format!(").unwrap_or(argument).trim_start();
    let argument = argument.strip_prefix('r').filter(|rest| rest.starts_with('"')).unwrap_or(argument);
    if let Some((pattern, _)) = pattern(argument) {
        return Some(pattern);
    }
    let quote = argument.chars().next()?;
    if matches!(quote, '"' | '`') {
        return quoted(&argument[1..], quote).map(str::to_owned);
    }
    let name: String =
        argument.chars().take_while(|letter| letter.is_ascii_uppercase() || *letter == '_').collect();
    if name.len() < 2 {
        return None;
    }
    let (_, rest) = code.split_once(&format!("const {name}"))?;
    let (_, value) = rest.split_once('=').filter(|(kind, _)| !kind.contains([';', '(']))?;
    let value = value.trim_start();
    quoted(value.strip_prefix('"')?, '"').map(str::to_owned)
}

/// Returns the text before the next unescaped `quote`.
fn quoted(text: &str, quote: char) -> Option<&str> {
    let mut is_escaped = false;
    let end = text.find(|letter| {
        let ends = letter == quote && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        ends
    })?;
    Some(&text[..end])
}

/// Returns the TypeScript regular expression at the beginning of a text, and the text after it.
fn pattern(text: &str) -> Option<(String, &str)> {
    let rest = text.strip_prefix('/').filter(|rest| !rest.starts_with(['/', '*', ' ', '>', '\n']))?;
    let inner = quoted(rest, '/').filter(|inner| !inner.contains('\n'))?;
    let after = rest[inner.len() + 1..].trim_start_matches(|letter: char| letter.is_ascii_lowercase());
    Some((inner.to_owned(), after))
}

/// Returns whether a literal is part of a sentence: it contains a space and either two words or a single word followed
/// by a colon.
fn is_prose(literal: &str) -> bool {
    let mut words = 0;
    let mut rest = literal;
    while let Some(start) = rest.find(|letter: char| letter.is_alphabetic() || letter == '{') {
        let word = &rest[start..];
        let end = match word.strip_prefix('{') {
            Some(hole) => hole.find('}').map_or(word.len(), |end| end + 2),
            None => word.find(|letter: char| !letter.is_alphabetic()).unwrap_or(word.len()),
        };
        words += usize::from(end >= 2);
        rest = &word[end..];
    }
    let is_label = literal.trim_end().ends_with(':') && literal.ends_with(' ');
    literal.contains(' ') && (words >= 2 || (words == 1 && is_label))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branching_on_words_is_found_in_rust_and_on_the_page() {
        let rust = "//! A.\nfn a(text: &str) -> bool {\n    text.ends_with(\" left out\")\n        || text == \"It is done\"\n        || text\n            .contains(\n                \"not among\"\n            )\n}\n";
        let named =
            "//! A.\nconst END: &str = \" left out\";\nfn a(text: &str) -> bool { text.ends_with(END) }\n";
        let hole = "//! A.\nfn a(text: &str) { text.strip_prefix(&format!(\"line {}: \", 1)); }\n";
        let page =
            "/** A. */\nconst a = said.replace(/^Denied: /, \"\");\nconst b = /was denied/i.test(said);\n";
        let tree = Tree::of(&[
            ("crates/a/src/hole.rs", hole),
            ("crates/a/src/lib.rs", rust),
            ("crates/a/src/named.rs", named),
            ("src/a.ts", page),
        ]);
        let found: Vec<_> = no_code_branches_on_prose(&tree)
            .into_iter()
            .map(|finding| format!("{} {}", finding.path, finding.message.split_once(" branches").unwrap().0))
            .collect();
        assert_eq!(
            found,
            [
                "crates/a/src/hole.rs line 2",
                "crates/a/src/lib.rs line 3",
                "crates/a/src/lib.rs line 4",
                "crates/a/src/lib.rs line 6",
                "crates/a/src/named.rs line 3",
                "src/a.ts line 2",
                "src/a.ts line 3",
            ]
        );
    }

    #[test]
    fn formats_tests_and_comments_are_no_branching() {
        let rust = "//! A.\n// text.contains(\"two words\")\nfn a(text: &str) {\n    text.strip_prefix(\"Bearer \");\n    text.split(\", \");\n    let said = \"two words\";\n    push(\"two words\");\n}\n\n#[cfg(test)]\nmod tests {\n    fn b(text: &str) { assert!(text.contains(\"two words\")); }\n}\n";
        let tree = Tree::of(&[
            ("crates/a/src/lib.rs", rust),
            ("crates/a/tests/it.rs", "//! A.\nfn a(text: &str) { text.contains(\"two words\"); }\n"),
            ("src/a.test.ts", "/** A. */\nsaid.includes(\"two words\");\n"),
        ]);
        assert_eq!(no_code_branches_on_prose(&tree), []);
    }

    #[test]
    fn what_another_program_says_is_listed_as_long_as_it_is_read() {
        let (path, words, _) = ALLOWED[0];
        let reads = format!("//! A.\nfn a(text: &str) {{ text.starts_with({words:?}); }}\n");
        assert_eq!(no_code_branches_on_prose(&Tree::of(&[(path, &reads)])), []);
        let found = no_code_branches_on_prose(&Tree::of(&[(path, "//! A.\n")]));
        assert!(found[0].message.contains("any more"), "{found:?}");
    }
}
