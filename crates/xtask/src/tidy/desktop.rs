//! Checks that the desktop shell is thin, starts no programs, and lets its page call only its own commands.

use super::Finding;
use super::dependencies::all_named;
use super::processes::starts_a_program;
use super::tree::Tree;
use std::collections::BTreeSet;
use toml::Table;

/// The maximum number of lines of a thin shell.
const MOST_LINES: usize = 1_500;

/// Our crates that the shell may use: to start a host, to talk to it, and for the protocol types.
const OURS: [&str; 3] = ["deputy-cli", "deputy-protocol", "deputy-server"];

const MANIFEST: &str = "src-tauri/Cargo.toml";
const WINDOW: &str = "src-tauri/tauri.conf.json";

fn sources(tree: &Tree) -> impl Iterator<Item = (&str, &str)> {
    tree.sources(&["rs"]).filter(|(path, _)| path.starts_with("src-tauri/"))
}

/// The shell must be small and must not depend on any layer below the host.
pub(super) fn the_shell_is_thin(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let lines: usize = sources(tree).map(|(_, text)| text.lines().count()).sum();
    if lines > MOST_LINES {
        let message = format!("{lines} lines of the shell; over {MOST_LINES} it is not thin any more");
        findings.push(Finding::new("src-tauri", message));
    }
    let manifest = tree.text(MANIFEST).and_then(|text| text.parse::<Table>().ok()).unwrap_or_default();
    let named = all_named(&manifest).into_iter();
    for name in named.filter(|name| name.starts_with("deputy-") && !OURS.contains(name)) {
        findings.push(Finding::new(MANIFEST, format!("the shell may not depend on {name}; it has no logic")));
    }
    findings
}

/// The shell must not start programs. Programs are started by tasks.
pub(super) fn the_shell_starts_nothing(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in sources(tree) {
        for (index, _) in text.lines().enumerate().filter(|(_, line)| starts_a_program(line)) {
            findings.push(Finding::new(path, format!("line {} starts a program", index + 1)));
        }
    }
    findings
}

/// Every capability may only grant commands of the shell itself, never those of a plugin, and the page may only run its
/// own scripts.
pub(super) fn the_page_is_held(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.files().filter(|(path, _)| path.starts_with("src-tauri/capabilities/")) {
        let file: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
        let permissions = file["permissions"].as_array().cloned().unwrap_or_default();
        if permissions.is_empty() || file.get("remote").is_some() {
            findings.push(Finding::new(path, "grants something to other pages, or is not read"));
        }
        for permission in permissions {
            if !permission.as_str().is_some_and(|name| name.starts_with("allow-")) {
                let message = format!("grants {permission}; only commands of the shell itself are granted");
                findings.push(Finding::new(path, message));
            }
        }
    }
    if let Some(text) = tree.text(WINDOW) {
        let file: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
        let security = &file["app"]["security"];
        let policy = security["csp"].to_string();
        let is_strict = policy.contains("\"default-src\":\"'none'\"") && !policy.contains("unsafe");
        if !is_strict || policy.contains('*') {
            findings.push(Finding::new(WINDOW, "the content policy is not strict"));
        }
        if file["app"]["withGlobalTauri"] == true
            || security.get("dangerousDisableAssetCspModification").is_some()
        {
            findings.push(Finding::new(WINDOW, "opens the shell to every script"));
        }
    }
    findings
}

/// The part of the page that calls the shell's commands.
const CALLERS: &str = "src/transport/";
const INVOKE: &str = "invoke";

/// The window may call exactly what its page calls. Unused capabilities are not allowed.
pub(super) fn the_page_calls_what_it_may(tree: &Tree) -> Vec<Finding> {
    let pages = tree.sources(&["ts", "tsx"]).filter(|(path, _)| path.starts_with(CALLERS));
    let called: BTreeSet<String> = pages.flat_map(|(_, text)| invoked(text)).collect();
    let (mut granted, mut findings) = (BTreeSet::new(), Vec::new());
    for (path, text) in tree.files().filter(|(path, _)| path.starts_with("src-tauri/capabilities/")) {
        let file: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
        let named = file["permissions"].as_array().cloned().unwrap_or_default();
        let names = named.iter().filter_map(|name| name.as_str()?.strip_prefix("allow-"));
        for name in names.map(|name| name.replace('-', "_")) {
            if !called.contains(&name) {
                findings.push(Finding::new(path, format!("grants {name}, which the page never calls")));
            }
            granted.insert(name);
        }
    }
    let refused = called.difference(&granted);
    findings.extend(refused.map(|name| Finding::new(CALLERS, format!("calls {name}, which is not granted"))));
    findings
}

/// Returns the commands that a script calls: `invoke("name"`, with or without a type parameter.
fn invoked(text: &str) -> impl Iterator<Item = String> {
    text.match_indices(INVOKE).filter_map(|(at, _)| {
        let (kind, rest) = text[at + INVOKE.len()..].split_once('(')?;
        let is_call = kind.is_empty() || (kind.starts_with('<') && kind.ends_with('>'));
        let name = rest.trim_start().strip_prefix('"')?.split('"').next()?;
        is_call.then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_with_logic_is_found() {
        let long = "//! A b.\n".repeat(MOST_LINES + 1);
        let manifest = "[dependencies]\ndeputy-cli = {}\ndeputy-store = {}\ntauri = '2'\n";
        let tree = Tree::of(&[("src-tauri/src/a.rs", &long), (MANIFEST, manifest)]);
        let found = the_shell_is_thin(&tree);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[1].message.contains("deputy-store"));
    }

    #[test]
    fn a_shell_that_starts_programs_is_found() {
        let starting = concat!("//! A b.\nuse std::", "process::Command;\n");
        let tree = Tree::of(&[("src-tauri/src/a.rs", starting), ("src-tauri/src/b.rs", "//! A b.\n")]);
        assert_eq!(the_shell_starts_nothing(&tree).len(), 1);
    }

    #[test]
    fn a_page_that_may_more_is_found() {
        let own = r#"{"permissions": ["allow-line-open"]}"#;
        let strict = r#"{"app": {"security": {"csp": {"default-src": "'none'"}}}}"#;
        let file = "src-tauri/capabilities/a.json";
        assert_eq!(the_page_is_held(&Tree::of(&[(file, own), (WINDOW, strict)])), []);
        for (capability, window) in [
            (r#"{"permissions": ["core:default"]}"#, strict),
            (r#"{"permissions": [{"identifier": "fs:allow-read"}]}"#, strict),
            (r#"{"permissions": ["allow-a"], "remote": {"urls": ["https://example.org"]}}"#, strict),
            ("not read", strict),
            (
                own,
                r#"{"app": {"security": {"csp": {"default-src": "'none'", "script-src": "'unsafe-inline'"}}}}"#,
            ),
            (own, r#"{"app": {"security": {}}}"#),
            (own, r#"{"app": {"withGlobalTauri": true, "security": {"csp": {"default-src": "'none'"}}}}"#),
        ] {
            let tree = Tree::of(&[(file, capability), (WINDOW, window)]);
            assert_eq!(the_page_is_held(&tree).len(), 1, "{capability} {window}");
        }
    }

    #[test]
    fn a_grant_that_nobody_calls_and_a_call_that_is_not_granted_are_found() {
        let file = "src-tauri/capabilities/a.json";
        let page = "src/transport/ipc.ts";
        let script =
            "import { invoke } from 'x';\ninvoke<Message[]>(\n  \"line_next\", {});\ninvoke(\"line_open\")";
        let granting = |names: &str| format!(r#"{{"permissions": [{names}]}}"#);
        let cases = [
            (r#""allow-line-open", "allow-line-next""#, 0),
            (r#""allow-line-open", "allow-line-next", "allow-pick-files""#, 1),
            (r#""allow-line-open""#, 1),
        ];
        for (names, count) in cases {
            let capability = granting(names);
            let tree = Tree::of(&[(file, capability.as_str()), (page, script)]);
            assert_eq!(the_page_calls_what_it_may(&tree).len(), count, "{names}");
        }
    }
}
