//! Checks that every message of the catalogue is used.

use super::Finding;
use super::tree::{Tree, crate_of};

/// The path of the English catalogue.
const ENGLISH: &str = "crates/messages/en/";

/// Every message must be used: by a call of its function, here or in the sidecar, or by its id, in data or in code that
/// builds ids.
pub(super) fn every_message_is_said(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let product = |path: &str| crate_of(path).is_some_and(|name| name != "messages");
    let sources: Vec<&str> =
        tree.sources(&["rs"]).filter(|(path, _)| product(path)).map(|(_, text)| text).collect();
    let data: Vec<&str> = tree
        .files()
        .filter(|(path, _)| product(path) && path.ends_with(".toml"))
        .map(|(_, text)| text)
        .collect();
    let python: Vec<&str> = tree
        .sources(&["py"])
        .filter(|(path, _)| path.starts_with("sidecar/deputy_sidecar/") && !path.contains("/generated/"))
        .map(|(_, text)| text)
        .collect();
    for (path, text) in tree.files().filter(|(path, _)| path.starts_with(ENGLISH)) {
        for id in text.lines().filter_map(id_of) {
            let name = id.split_once('-').map_or(id, |(_, name)| name).replace('-', "_");
            let is_called = sources.iter().any(|source| calls(source, "::", &name))
                || python.iter().any(|source| calls(source, "say.", &name));
            // A built id must include more than the area.
            let ends = id.match_indices('-').skip(1).map(|(at, _)| format!("\"{}{{", &id[..=at]));
            let is_put_together =
                ends.into_iter().any(|literal| sources.iter().any(|source| source.contains(&literal)));
            if !is_called && !is_put_together && !data.iter().any(|data| data.contains(&format!("\"{id}\"")))
            {
                findings.push(Finding::new(path, format!("nothing says the message {id}")));
            }
        }
    }
    findings
}

/// Returns the id of a message that begins on this line.
fn id_of(line: &str) -> Option<&str> {
    let (id, _) = line.split_once(" =")?;
    let is_id = id.starts_with(|first: char| first.is_ascii_lowercase())
        && id.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    is_id.then_some(id)
}

/// Returns whether a source mentions the function, as a call or as a value.
fn calls(source: &str, by: &str, name: &str) -> bool {
    let wanted = format!("{by}{name}");
    source.match_indices(&wanted).any(|(at, _)| {
        let behind = source[at + wanted.len()..].chars().next();
        behind.is_none_or(|letter| !letter.is_alphanumeric() && letter != '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_nothing_says_is_found() {
        let catalogue =
            "a-one = One\na-one-more = More\na-two = { $n ->\n    [one] x\n   *[other] y\n }\na-three = 3\n";
        let tree = Tree::of(&[
            ("crates/messages/en/a.ftl", catalogue),
            ("crates/b/src/lib.rs", "fn f() { say::one_more(); map(say::two) }"),
            ("crates/b/data/b.toml", "reason = \"a-three\"\n"),
        ]);
        let found = every_message_is_said(&tree);
        assert_eq!(found.len(), 1);
        assert!(format!("{found:?}").contains("a-one"));
    }
}
