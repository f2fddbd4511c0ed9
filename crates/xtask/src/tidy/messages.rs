//! Checks that every message of the catalogue is used.

use super::Finding;
use super::tree::{Tree, crate_of};
use std::collections::HashSet;

/// The path of the English catalogue.
const ENGLISH: &str = "crates/messages/en/";

/// Every message must be used: by a call of its function, here or in the sidecar, or by its id, in data or in code that
/// builds ids.
pub(super) fn every_message_is_said(tree: &Tree) -> Vec<Finding> {
    let said = Said::of(tree);
    let catalogues = tree.files().filter(|(path, _)| path.starts_with(ENGLISH));
    let messages =
        catalogues.flat_map(|(path, text)| text.lines().filter_map(id_of).map(move |id| (path, id)));
    messages
        .filter(|(_, id)| !said.says(id))
        .map(|(path, id)| Finding::new(path, format!("nothing says the message {id}")))
        .collect()
}

/// What the code and its data say of messages. Each file is read once, because there are thousands of messages.
#[derive(Default)]
struct Said<'a> {
    /// The names behind `::` in Rust and behind `say.` in Python.
    called: HashSet<&'a str>,
    /// The beginnings of ids that Rust code builds, up to the first part that varies.
    beginnings: HashSet<&'a str>,
    /// The texts in quotation marks in data.
    quoted: HashSet<&'a str>,
}

impl<'a> Said<'a> {
    fn of(tree: &'a Tree) -> Self {
        let mut said = Self::default();
        for (path, text) in tree.files() {
            let is_product = crate_of(path).is_some_and(|name| name != "messages");
            if is_product && path.ends_with(".rs") {
                said.called.extend(names(text, "::"));
                said.beginnings.extend(text.split('"').filter_map(|quoted| Some(quoted.split_once('{')?.0)));
            } else if is_product && path.ends_with(".toml") {
                said.quoted.extend(text.split('"'));
            } else if path.starts_with("sidecar/deputy_sidecar/")
                && path.ends_with(".py")
                && !path.contains("/generated/")
            {
                said.called.extend(names(text, "say."));
            }
        }
        said
    }

    fn says(&self, id: &str) -> bool {
        let name = id.split_once('-').map_or(id, |(_, name)| name).replace('-', "_");
        // A built id must include more than the area.
        let mut beginnings = id.match_indices('-').skip(1).map(|(at, _)| &id[..=at]);
        self.called.contains(name.as_str())
            || self.quoted.contains(id)
            || beginnings.any(|beginning| self.beginnings.contains(beginning))
    }
}

/// Returns the names that stand behind a mark.
fn names<'a>(text: &'a str, mark: &str) -> impl Iterator<Item = &'a str> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.split(mark)
        .skip(1)
        .map(move |rest| rest.find(|letter| !is_part(letter)).map_or(rest, |end| &rest[..end]))
}

/// Returns the id of a message that begins on this line.
fn id_of(line: &str) -> Option<&str> {
    let (id, _) = line.split_once(" =")?;
    let is_id = id.starts_with(|first: char| first.is_ascii_lowercase())
        && id.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    is_id.then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_nothing_says_is_found() {
        let catalogue = "a-one = One\na-one-more = More\na-two = { $n ->\n    [one] x\n   *[other] y\n }\na-three = 3\na-four = 4\na-kind-big = Big\n";
        let tree = Tree::of(&[
            ("crates/messages/en/a.ftl", catalogue),
            ("crates/b/src/lib.rs", "fn f() { say::one_more(); map(say::two) }"),
            ("crates/b/data/b.toml", "reason = \"a-three\"\n"),
            (
                "crates/b/src/built.rs",
                "fn g() { of(&format!(\"a-kind-{kind}\")); of(&format!(\"a-{kind}\")) }",
            ),
            ("sidecar/deputy_sidecar/c.py", "say.four(n=1)\n"),
        ]);
        let found = every_message_is_said(&tree);
        assert_eq!(found.len(), 1);
        assert!(format!("{found:?}").contains("a-one"));
    }
}
