//! Checks which crates may depend on which, using the manifests and the lock file.

use super::Finding;
use super::tree::{Tree, crate_of};
use std::collections::{BTreeMap, BTreeSet};
use toml::Table;

/// Name prefixes of crates that draw windows.
const DESKTOP: [&str; 4] = ["tauri", "webkit", "wry", "tao"];

const DATABASES: [&str; 5] = ["rusqlite", "libsqlite3-sys", "sqlx", "diesel", "sqlite-vec"];

const RUNTIMES: [&str; 5] = ["tokio", "tokio-util", "async-trait", "futures", "async-std"];

/// Our crates from the lowest layer up. Each may only depend on lower layers.
const LAYERS: [&[&str]; 9] = [
    &["protocol"],
    &["messages"],
    &["policy", "sandbox", "store", "planner", "organize"],
    &["web"],
    &["browser"],
    &["tools"],
    &["agent"],
    &["server"],
    &["cli"],
];

/// Crates that are not part of the product. They may use every layer, but layers may only use them in tests.
const AROUND: [&str; 2] = ["testkit", "xtask"];

/// The name prefix of our crates.
const PREFIX: &str = "deputy-";

/// Returns the name, path and manifest of each crate under crates/.
fn manifests(tree: &Tree) -> Vec<(&str, &str, Table)> {
    tree.files()
        .filter(|(path, _)| path.ends_with("/Cargo.toml"))
        .filter_map(|(path, text)| Some((crate_of(path)?, path, text.parse().ok()?)))
        .collect()
}

/// Returns the names in one kind of dependency table, for all platforms.
fn named<'a>(manifest: &'a Table, kind: &str) -> BTreeSet<&'a str> {
    let platforms = manifest.get("target").and_then(|target| target.as_table());
    let of_platforms =
        platforms.into_iter().flat_map(Table::values).filter_map(|platform| platform.get(kind));
    let tables = manifest.get(kind).into_iter().chain(of_platforms);
    tables.filter_map(|table| table.as_table()).flat_map(Table::keys).map(String::as_str).collect()
}

/// Returns the names in every kind of dependency table.
pub(super) fn all_named(manifest: &Table) -> BTreeSet<&str> {
    ["dependencies", "dev-dependencies", "build-dependencies"]
        .iter()
        .flat_map(|kind| named(manifest, kind))
        .collect()
}

/// Returns a finding for each crate other than `owner` that depends on one of `names`.
fn only(tree: &Tree, owner: &str, names: &[&str]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (own, path, manifest) in manifests(tree) {
        for name in all_named(&manifest).into_iter().filter(|name| own != owner && names.contains(name)) {
            findings.push(Finding::new(path, format!("only crates/{owner} may depend on {name}")));
        }
    }
    findings
}

/// Nothing under crates/ may depend on a window library, even indirectly.
pub(super) fn nothing_reaches_the_desktop(tree: &Tree) -> Vec<Finding> {
    let lock = tree.text("Cargo.lock").and_then(|text| text.parse::<Table>().ok()).unwrap_or_default();
    let mut needs: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in lock.get("package").and_then(|packages| packages.as_array()).into_iter().flatten() {
        let dependencies =
            package.get("dependencies").and_then(|names| names.as_array()).into_iter().flatten();
        let dependencies = dependencies.filter_map(|name| name.as_str()?.split(' ').next());
        let name = package.get("name").and_then(|name| name.as_str()).unwrap_or_default();
        needs.entry(name).or_default().extend(dependencies);
    }
    let mut findings = Vec::new();
    for (_, path, manifest) in manifests(tree) {
        let mut waiting: Vec<_> = all_named(&manifest).into_iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(name) = waiting.pop() {
            if !seen.insert(name) {
                continue;
            }
            if draws_windows(name) {
                findings
                    .push(Finding::new(path, format!("reaches {name}; only src-tauri may need a window")));
            }
            waiting.extend(needs.get(name).into_iter().flatten());
        }
    }
    findings
}

/// Returns whether a crate draws windows, e.g. `tauri-build` or `webkit2gtk`, but not `taocp`.
fn draws_windows(name: &str) -> bool {
    let rest_of = |word: &&str| name.strip_prefix(*word);
    DESKTOP
        .iter()
        .filter_map(rest_of)
        .any(|rest| !rest.starts_with(|letter: char| letter.is_ascii_lowercase()))
}

/// Only `server` may depend on the HTTP framework.
pub(super) fn only_server_names_axum(tree: &Tree) -> Vec<Finding> {
    only(tree, "server", &["axum"])
}

/// Only `store` may open a database.
pub(super) fn only_store_opens_a_database(tree: &Tree) -> Vec<Finding> {
    only(tree, "store", &DATABASES)
}

/// `policy` is pure and must not depend on an async runtime.
pub(super) fn policy_needs_no_runtime(tree: &Tree) -> Vec<Finding> {
    let policy = manifests(tree).into_iter().filter(|(own, ..)| *own == "policy");
    let mut findings = Vec::new();
    for (_, path, manifest) in policy {
        for name in all_named(&manifest).into_iter().filter(|name| RUNTIMES.contains(name)) {
            findings.push(Finding::new(
                path,
                format!("policy is pure and synchronous; it may not depend on {name}"),
            ));
        }
    }
    findings
}

/// Our crates may only depend on lower layers.
pub(super) fn arrows_run_one_way(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (own, path, manifest) in manifests(tree) {
        if AROUND.contains(&own) {
            continue;
        }
        let Some(layer) = layer_of(own) else {
            findings
                .push(Finding::new(path, format!("{own} has no layer; name it in xtask's list of layers")));
            continue;
        };
        for other in named(&manifest, "dependencies").into_iter().filter_map(|name| name.strip_prefix(PREFIX))
        {
            if layer_of(other).is_none_or(|lower| lower >= layer) {
                findings.push(Finding::new(
                    path,
                    format!("{own} may not depend on {other}: it is no lower layer"),
                ));
            }
        }
    }
    findings
}

fn layer_of(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SERVER: (&str, &str) =
        ("crates/server/Cargo.toml", "[dependencies]\naxum = '1'\ndeputy-agent = {}\n");

    fn paths(findings: &[Finding]) -> Vec<&str> {
        findings.iter().map(|finding| finding.path.as_str()).collect()
    }

    #[test]
    fn a_window_is_found_behind_another_crate() {
        let lock =
            "[[package]]\nname = 'tray'\ndependencies = ['tauri 2.0.0']\n[[package]]\nname = 'tauri'\n";
        let cli = "[target.'cfg(unix)'.dependencies]\ntray = '1'\n";
        let tree = Tree::of(&[("Cargo.lock", lock), ("crates/cli/Cargo.toml", cli), SERVER]);
        assert_eq!(paths(&nothing_reaches_the_desktop(&tree)), ["crates/cli/Cargo.toml"]);
    }

    #[test]
    fn axum_is_the_servers() {
        let tree = Tree::of(&[SERVER, ("crates/cli/Cargo.toml", "[dev-dependencies]\naxum = '1'\n")]);
        assert_eq!(paths(&only_server_names_axum(&tree)), ["crates/cli/Cargo.toml"]);
    }

    #[test]
    fn the_database_is_the_stores() {
        let rusqlite = "[dependencies]\nrusqlite.workspace = true\n";
        let tree = Tree::of(&[("crates/store/Cargo.toml", rusqlite), ("crates/agent/Cargo.toml", rusqlite)]);
        assert_eq!(paths(&only_store_opens_a_database(&tree)), ["crates/agent/Cargo.toml"]);
    }

    #[test]
    fn policy_may_not_have_a_runtime() {
        let tokio = "[dependencies]\ntokio = '1'\n";
        let tree = Tree::of(&[("crates/policy/Cargo.toml", tokio), ("crates/sandbox/Cargo.toml", tokio)]);
        assert_eq!(paths(&policy_needs_no_runtime(&tree)), ["crates/policy/Cargo.toml"]);
    }

    #[test]
    fn arrows_upwards_sideways_and_to_the_testkit_are_found() {
        let store = "[dependencies]\ndeputy-policy = {}\n[dev-dependencies]\ndeputy-testkit = {}\n";
        let agent = "[dependencies]\ndeputy-server = {}\ndeputy-tools = {}\ndeputy-testkit = {}\n";
        let files = [("crates/store/Cargo.toml", store), ("crates/agent/Cargo.toml", agent), SERVER];
        let found = arrows_run_one_way(&Tree::of(&files));
        let path = "crates/agent/Cargo.toml";
        assert_eq!(paths(&found), [path, path, "crates/store/Cargo.toml"]);
    }

    #[test]
    fn a_new_crate_needs_a_layer() {
        let tree = Tree::of(&[("crates/novelty/Cargo.toml", "[package]\nname = 'novelty'\n")]);
        assert_eq!(paths(&arrows_run_one_way(&tree)), ["crates/novelty/Cargo.toml"]);
    }
}
