//! Checks that the page's texts are in its catalogues (`src/text`). A sentence in a component would lack a German
//! translation.

use super::Finding;
use super::tree::Tree;

/// Attributes that people read or hear.
const READ: [&str; 8] = [
    "alt",
    "aria-description",
    "aria-label",
    "aria-roledescription",
    "hint",
    "label",
    "placeholder",
    "title",
];

/// Elements whose text is the same in every language, such as commands and keys. Also applies to components of these
/// names.
const NO_WORDS: [&str; 4] = ["code", "kbd", "samp", "var"];

/// Components must not contain text for people.
pub(super) fn no_words_outside_the_catalogues(tree: &Tree) -> Vec<Finding> {
    let is_page = |path: &str| {
        (path.starts_with("src/") || path.starts_with("mobile/app/")) && !path.contains(".test.")
    };
    let mut findings = Vec::new();
    for (path, text) in tree.sources(&["tsx"]).filter(|(path, _)| is_page(path)) {
        for (number, words) in words_of(text) {
            findings.push(Finding::new(
                path,
                format!(
                    "line {number} has the words {words:?}; put them into src/text, and say them with `t`"
                ),
            ));
        }
    }
    findings
}

/// Returns the texts in a component's elements and attributes, each with its line.
fn words_of(text: &str) -> Vec<(usize, String)> {
    let code = without_comments(text);
    let mut found = Vec::new();
    for (at, _) in code.match_indices(['>', '"']) {
        let (before, rest) = (&code[..at], &code[at + 1..]);
        let words = match code.as_bytes()[at] {
            b'>' => text_of_element(before, rest),
            _ => attribute(before, rest),
        };
        if let Some(words) = words.map(str::trim).filter(|words| are_words(words)) {
            let begin = at + 1 + rest.find(words).unwrap_or_default();
            found.push((code[..begin].matches('\n').count() + 1, words.to_owned()));
        }
    }
    found
}

/// Returns the text after the end of a tag, up to the next tag or expression.
fn text_of_element<'a>(before: &str, rest: &'a str) -> Option<&'a str> {
    let line = before.rsplit('\n').next().unwrap_or_default();
    // The `>` of an arrow, a comparison or a type parameter has other characters before it.
    let is_tag = line.trim().is_empty()
        || before.ends_with(['"', '/', '}'])
        || before.ends_with(char::is_alphanumeric);
    let tag = before.rsplit_once('<').map(|(_, tag)| tag).unwrap_or_default();
    let name = tag.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    let words = &rest[..rest.find(['<', '{'])?];
    let is_code = words.contains(['}', '(', ')', ';', '=']);
    let is_key = NO_WORDS.iter().any(|other| other.eq_ignore_ascii_case(name));
    (is_tag && !is_code && !is_key).then_some(words)
}

/// Returns the value of an attribute that people read.
fn attribute<'a>(before: &str, rest: &'a str) -> Option<&'a str> {
    let name = before.strip_suffix('=')?.rsplit(char::is_whitespace).next()?;
    let value = &rest[..rest.find('"')?];
    READ.contains(&name).then_some(value)
}

/// Returns whether a text is for people: it begins with a capital letter, unlike commands and their examples.
fn are_words(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase)
}

/// Blanks the comments of the code, keeping line breaks.
fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("/*") {
        code.push_str(&rest[..at]);
        let length = rest[at..].find("*/").map_or(rest.len() - at, |end| end + 2);
        code.extend(rest[at..at + length].chars().filter(|letter| *letter == '\n'));
        rest = &rest[at + length..];
    }
    code.push_str(rest);
    let line = |line: &str| if line.trim_start().starts_with("//") { String::new() } else { line.to_owned() };
    code.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(component: &str) -> Vec<String> {
        let tree = Tree::of(&[("src/A.tsx", component)]);
        let words = |finding: Finding| {
            finding.message.split_once("; ").map(|(words, _)| words.to_owned()).unwrap_or_default()
        };
        no_words_outside_the_catalogues(&tree).into_iter().map(words).collect()
    }

    #[test]
    fn words_of_elements_and_attributes_are_found() {
        let component = "/** A. */\nexport const A = () => (\n  <p title=\"Try again\">\n    Nothing here yet.\n    <b>Save</b> {t(\"a\")} <i className=\"x\"\n    >\n      Later on\n    </i>\n  </p>\n);\n";
        assert_eq!(
            found(component),
            [
                "line 3 has the words \"Try again\"",
                "line 4 has the words \"Nothing here yet.\"",
                "line 5 has the words \"Save\"",
                "line 7 has the words \"Later on\"",
            ]
        );
    }

    #[test]
    fn code_commands_keys_and_comments_are_no_words() {
        let component = "/** Says <b>Hello</b>. */\n// <b>Hello</b>\nconst [a, set] = useState<string>(\"\");\nconst f = (x: number) => Math.max(x > Limit ? 1 : 2, 3);\nexport const A = () => (\n  <p className=\"Wide\" title={t(\"a\")}>\n    <code>Cargo build</code>\n    <kbd>Esc</kbd> <Kbd>Ctrl</Kbd>\n    <input placeholder=\"npm test\" />\n    {t(\"b\")}\n  </p>\n);\n";
        assert_eq!(found(component), Vec::<String>::new());
    }
}
