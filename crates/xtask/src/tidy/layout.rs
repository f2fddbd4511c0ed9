//! Checks the length of source files and their opening comments.

use super::Finding;
use super::tree::Tree;

/// The number of lines over which a file is worth a look: it may hold more than one concept. An explanation is never
/// shortened for it, so this is a warning.
const MANY_LINES: usize = 800;

/// The maximum number of lines of a Python function; Clippy and Biome count those of Rust and TypeScript.
const MOST_LINES_OF_FUNCTION: usize = 80;

/// Functions that may be longer, because they are a list and not a course of events, by file and name.
const LONG_FUNCTIONS: [(&str, &str); 9] = [
    ("sidecar/deputy_sidecar/offline/jobs/question_reading.py", "read_words"),
    ("sidecar/deputy_sidecar/offline/referring.py", "tied"),
    ("sidecar/deputy_sidecar/offline/things.py", "_unknown"),
    ("tests/sessions/chores.py", "data"),
    ("tests/sessions/chores.py", "documents"),
    ("tests/sessions/chores.py", "history"),
    ("tests/sessions/pages.py", "node"),
    ("tests/sessions/projects.py", "compiled"),
    ("tests/sessions/projects.py", "python"),
];

const SOURCE_ENDINGS: [&str; 5] = ["rs", "py", "ts", "tsx", "java"];

/// Folders with generated files or data.
const NOT_WRITTEN: [&str; 2] = ["/generated/", "/data/"];

/// Returns the long source files, unless they are data or generated.
pub(super) fn long_source_files(tree: &Tree) -> Vec<Finding> {
    let written =
        tree.sources(&SOURCE_ENDINGS).filter(|(path, _)| !NOT_WRITTEN.iter().any(|part| path.contains(part)));
    let counted = written.map(|(path, text)| (path, text.lines().count()));
    counted
        .filter(|(_, lines)| *lines > MANY_LINES)
        .map(|(path, lines)| {
            Finding::new(path, format!("{lines} lines; over {MANY_LINES} there may be two concepts in it"))
        })
        .collect()
}

/// A Python function must not have more than 80 lines, except those that are named here.
pub(super) fn no_python_function_is_too_long(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for (path, text) in tree.sources(&["py"]) {
        let lines: Vec<&str> = text.lines().collect();
        for (index, line) in lines.iter().enumerate() {
            let Some(name) = defined(line) else { continue };
            let long = length(&lines[index..]);
            if long > MOST_LINES_OF_FUNCTION && !LONG_FUNCTIONS.contains(&(path, name)) {
                let message = format!("{name} has {long} lines; over {MOST_LINES_OF_FUNCTION} it holds two");
                found.push(Finding::new(path, message));
            }
        }
    }
    found
}

/// Returns the name of the Python function that a line begins.
fn defined(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = line.strip_prefix("async ").unwrap_or(line);
    line.strip_prefix("def ")?.split('(').next()
}

/// Returns the number of lines of the Python function that begins with the first line. It ends before the next line
/// that is indented no deeper, other than the end of its own signature.
fn length(lines: &[&str]) -> usize {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let depth = indent(lines[0]);
    let rest = lines.iter().enumerate().skip(1);
    let mut last = 0;
    for (index, line) in rest.filter(|(_, line)| !line.trim().is_empty()) {
        if indent(line) <= depth && !line.trim_start().starts_with(')') {
            break;
        }
        last = index;
    }
    last + 1
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
        let long = "x\n".repeat(801);
        let tree = Tree::of(&[
            ("crates/a/src/long.rs", &long),
            ("crates/a/src/short.rs", &long[2..]),
            ("crates/a/generated/a.ts", &long),
            ("crates/a/data/a.py", &long),
            ("samples/inbox/a.py", &long),
            ("docs/a.md", &long),
        ]);
        let found = long_source_files(&tree);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path, "crates/a/src/long.rs");
    }

    #[test]
    fn long_python_functions_are_found_unless_they_are_named() {
        let body = "        x = 1\n\n".repeat(45);
        let long = format!(
            "class A:\n    def f(\n        self,\n    ) -> None:\n{body}\n    def g(self):\n        pass\n"
        );
        let named = format!("async def data():\n{body}def other():\n{}", "    y()\n".repeat(79));
        let tree = Tree::of(&[("a.py", &long), ("tests/sessions/chores.py", &named)]);
        let found = no_python_function_is_too_long(&tree);
        let messages: Vec<_> = found.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(messages, ["f has 92 lines; over 80 it holds two"]);
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
