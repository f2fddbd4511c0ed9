//! Checks the length of source files and their opening comments.

use super::Finding;
use super::tree::Tree;

/// The maximum number of lines. A longer file contains more than one concept.
const MOST_LINES: usize = 500;

const SOURCE_ENDINGS: [&str; 5] = ["rs", "py", "ts", "tsx", "java"];

/// Folders with generated files or data.
const NOT_WRITTEN: [&str; 2] = ["/generated/", "/data/"];

/// A source file must not have more than 500 lines unless it is data or generated.
pub(super) fn no_source_file_is_too_long(tree: &Tree) -> Vec<Finding> {
    let written =
        tree.sources(&SOURCE_ENDINGS).filter(|(path, _)| !NOT_WRITTEN.iter().any(|part| path.contains(part)));
    let counted = written.map(|(path, text)| (path, text.lines().count()));
    counted
        .filter(|(_, lines)| *lines > MOST_LINES)
        .map(|(path, lines)| {
            Finding::new(path, format!("{lines} lines; over {MOST_LINES} there are two concepts in it"))
        })
        .collect()
}

/// Every Rust and Python module must begin with a sentence about its purpose.
pub(super) fn every_module_says_what_it_is_for(tree: &Tree) -> Vec<Finding> {
    let modules =
        tree.sources(&["rs", "py"]).filter(|(_, text)| !text.trim().is_empty() && !has_opening(text));
    modules.map(|(path, _)| Finding::new(path, "opens without a sentence that says what it is for")).collect()
}

fn has_opening(text: &str) -> bool {
    let first =
        text.lines().find(|line| !line.starts_with("#!") && !line.trim().is_empty()).unwrap_or_default();
    let opening = first.strip_prefix("//! ").or_else(|| first.strip_prefix("\"\"\""));
    opening.is_some_and(|sentence| sentence.split_whitespace().count() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_found_unless_they_are_data() {
        let long = "x\n".repeat(501);
        let tree = Tree::of(&[
            ("crates/a/src/long.rs", &long),
            ("crates/a/src/short.rs", &long[2..]),
            ("crates/a/generated/a.ts", &long),
            ("crates/a/data/a.py", &long),
            ("samples/inbox/a.py", &long),
            ("docs/a.md", &long),
        ]);
        let found = no_source_file_is_too_long(&tree);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path, "crates/a/src/long.rs");
    }

    #[test]
    fn a_module_needs_an_opening_sentence() {
        let tree = Tree::of(&[
            ("a.rs", "//! Says what it is for.\n"),
            ("b.rs", "use std::fmt;\n"),
            ("c.rs", "//! Word\n"),
            ("d.py", "#!/usr/bin/env python3\n\"\"\"Says what it is for.\"\"\"\n"),
            ("e.py", "import os\n"),
            ("f/__init__.py", ""),
            ("samples/inbox/g.py", "print(1)\n"),
        ]);
        let found: Vec<_> =
            every_module_says_what_it_is_for(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(found, ["b.rs", "c.rs", "e.py"]);
    }
}
