//! Checks house rules that a program can verify.

use super::Finding;
use super::tree::Tree;

/// Hosts of package registries. Each machine configures its own. The names are split so that this file does not match
/// itself.
const REGISTRIES: [&str; 7] = [
    concat!("crates", ".io"),
    concat!("pypi", ".org"),
    concat!("pythonhosted", ".org"),
    concat!("npmjs", ".org"),
    concat!("npmjs", ".com"),
    concat!("maven", ".org"),
    concat!("maven.apache", ".org"),
];

fn is_lock(path: &str) -> bool {
    path.ends_with(".lock") || path.ends_with("package-lock.json")
}

/// Only documentation and lock files may name a package registry.
pub(super) fn no_registry_is_named(tree: &Tree) -> Vec<Finding> {
    let files = tree.files().filter(|(path, _)| !path.ends_with(".md") && !is_lock(path));
    files
        .filter_map(|(path, text)| Some((path, REGISTRIES.iter().find(|host| text.contains(**host))?)))
        .map(|(path, host)| {
            Finding::new(path, format!("names {host}; leave the registry to the machine's settings"))
        })
        .collect()
}

/// Lock files may contain versions and hashes, but no download addresses, which would bind every machine to one mirror.
pub(super) fn lock_files_hold_no_addresses(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.files().filter(|(path, _)| is_lock(path)) {
        if let Some(index) = text.lines().position(|line| holds_address(path, line)) {
            findings.push(Finding::new(path, format!("line {} holds a download address", index + 1)));
        }
    }
    findings
}

fn holds_address(path: &str, line: &str) -> bool {
    let line = line.trim();
    if path.ends_with("Cargo.lock") {
        // Cargo writes the name of the default registry into every lock file. Anything else is an address.
        let index = concat!("registry+https://github.com/rust-lang/crates", ".io-index");
        return line.starts_with("source = ") && line != format!("source = \"{index}\"");
    }
    if path.ends_with("package-lock.json") {
        return line.starts_with("\"resolved\": \"http");
    }
    !line.starts_with('#') && (line.contains("://") || line.contains("--index-url"))
}

/// No test may be disabled.
pub(super) fn no_test_is_switched_off(tree: &Tree) -> Vec<Finding> {
    let off = |line: &str| {
        let line = line.trim_start();
        ["#[ignore", "@pytest.mark.skip", "@pytest.mark.xfail", "pytest.skip("]
            .iter()
            .any(|way| line.starts_with(way))
    };
    let mut findings = Vec::new();
    for (path, text) in tree.sources(&["rs", "py"]) {
        if let Some(index) = text.lines().position(off) {
            findings.push(Finding::new(
                path,
                format!("line {} switches a test off; mend or remove it", index + 1),
            ));
        }
    }
    findings
}

/// Every decision must be in the list of decisions, in numerical order.
pub(super) fn every_decision_is_listed(tree: &Tree) -> Vec<Finding> {
    const FOLDER: &str = "docs/decisions/";
    const LIST: &str = "docs/decisions/README.md";
    let list = tree.text(LIST).unwrap_or_default();
    let out_of_order = (!list.lines().filter(|line| line.starts_with("| 0")).is_sorted())
        .then(|| Finding::new(LIST, "the rows are not in the order of their numbers"));
    let decisions = tree.files().filter_map(|(path, _)| Some((path, path.strip_prefix(FOLDER)?)));
    decisions
        .filter(|(_, name)| name.starts_with(|first: char| first.is_ascii_digit()))
        .filter(|(_, name)| !list.contains(&format!("]({name})")))
        .map(|(path, _)| Finding::new(path, "docs/decisions/README.md does not list it"))
        .chain(out_of_order)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registries_are_named_in_documentation_only() {
        let text = REGISTRIES[1];
        let tree =
            Tree::of(&[("Makefile", text), ("README.md", text), ("Cargo.lock", text), ("a.rs", "//! A b.")]);
        let found = no_registry_is_named(&tree);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path, "Makefile");
    }

    #[test]
    fn addresses_in_lock_files_are_found() {
        let index = concat!("source = \"registry+https://github.com/rust-lang/crates", ".io-index\"\n");
        let tree = Tree::of(&[
            ("Cargo.lock", index),
            ("tests/Cargo.lock", "source = \"git+https://example.org/a\"\n"),
            ("package-lock.json", "  \"resolved\": \"https://example.org/a.tgz\",\n"),
            ("ui/package-lock.json", "  \"funding\": { \"url\": \"https://example.org\" }\n"),
            ("requirements.lock", "# via https://example.org\na==1 --hash=sha256:00\n"),
            ("dev.lock", "--index-url=https://example.org\n"),
        ]);
        let found: Vec<_> =
            lock_files_hold_no_addresses(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(found, ["dev.lock", "package-lock.json", "tests/Cargo.lock"]);
    }

    #[test]
    fn switched_off_tests_are_found() {
        let tree = Tree::of(&[
            ("a.rs", "#[test]\n    #[ignore = \"slow\"]\nfn a() {}\n"),
            ("b.py", "@pytest.mark.skip\ndef test_b(): ...\n"),
            ("c.rs", "// #[ignore] is not used here\n"),
        ]);
        let found: Vec<_> = no_test_is_switched_off(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(found, ["a.rs", "b.py"]);
    }

    #[test]
    fn a_decision_that_is_not_listed_is_found() {
        let tree = Tree::of(&[
            ("docs/decisions/README.md", "| 0001 | [A](0001-a.md) | B. |\n"),
            ("docs/decisions/0001-a.md", "# A\n"),
            ("docs/decisions/0002-b.md", "# B\n"),
        ]);
        let found: Vec<_> = every_decision_is_listed(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(found, ["docs/decisions/0002-b.md"]);
    }

    #[test]
    fn a_list_of_decisions_that_is_not_in_order_is_found() {
        let list = "| 0002 | [B](0002-b.md) | C. |\n| 0001 | [A](0001-a.md) | B. |\n";
        let found = every_decision_is_listed(&Tree::of(&[("docs/decisions/README.md", list)]));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path, "docs/decisions/README.md");
    }
}
