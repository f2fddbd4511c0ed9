//! Every message of the catalogue is said somewhere.

use super::Finding;
use super::tree::{Tree, crate_of};

/// Where the English catalogue is.
const ENGLISH: &str = "crates/messages/en/";

/// A message is said by a call of its function, here or in the sidecar, or named by its id: in data, or by code that puts
/// one together from a name.
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
            // Behind its area there is more than the name alone.
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

/// The id of a message that begins in this line.
fn id_of(line: &str) -> Option<&str> {
    let (id, _) = line.split_once(" =")?;
    let is_id = id.starts_with(|first: char| first.is_ascii_lowercase())
        && id.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    is_id.then_some(id)
}

/// Whether a source names the function, called or handed on.
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
