//! Properties that are checked for any text, whether it comes from the smoke test in this folder or from a fuzzer in
//! `fuzz/`.

use deputy_policy::path::{Operation, judge};
use deputy_policy::{Rules, Situation, decide, url};
use deputy_protocol::{Access, Confinement, Decision, Effect, Facts, Risk, ShellAccess, UrlAccess};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A workspace with some files, in which texts are judged.
pub(crate) struct Place {
    folder: TempDir,
    situation: Situation,
}

impl Place {
    /// Creates a workspace that is removed on drop.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        let workspace = home.join("project");
        fs::create_dir_all(workspace.join("src")).unwrap();
        for name in ["README.md", "a.txt", ".env", "src/main.rs"] {
            fs::write(workspace.join(name), "text\n").unwrap();
        }
        std::os::unix::fs::symlink("..", workspace.join("up")).unwrap();
        let situation = Situation {
            allow_hosts: vec![
                "example.com".into(),
                "*.example.org:8443".into(),
                "http://localhost:3000".into(),
            ],
            walls: true,
            ..Situation::new(home.clone(), workspace, home.join(".deputy"))
        };
        Self { folder, situation }
    }

    /// Checks a text for the shell.
    pub(crate) fn shell(&self, text: &str) {
        let access = Access::Shell(ShellAccess { command: text.to_owned() });
        let facts = Facts {
            effect: Effect::Mutating,
            accesses: vec![access],
            summary: String::new().into(),
            diff: None,
            plan: None,
            risk: Risk::Low,
        };
        let ruling = decide(&self.situation, &facts);
        if ruling.verdict.decision == Decision::Allow {
            assert!(!text.chars().any(is_treacherous), "allowed: {text:?}");
            assert!(text.len() <= 64 * 1024, "allowed with {} bytes", text.len());
            assert_eq!(ruling.verdict.confinement, Confinement::ReadOnly, "{text:?}");
            assert!(ruling.execution.is_some(), "{text:?}");
        }
    }

    /// Checks a path for each operation.
    pub(crate) fn path(&self, text: &str) {
        for operation in
            [Operation::Read, Operation::List, Operation::Write, Operation::Delete, Operation::Create]
        {
            let is_allowed = judge(&self.situation, operation, text).decision == Decision::Allow;
            assert!(!(is_allowed && operation.is_change()), "a change is allowed: {text:?}");
            if is_allowed && let Ok(there) = self.situation.workspace.join(text).canonicalize() {
                let there_is_inside = there.starts_with(&self.situation.workspace);
                assert!(there_is_inside && !there.ends_with(".env"), "{text:?} leads to {}", there.display());
            }
        }
    }

    /// Checks an address, and a redirect to it.
    pub(crate) fn url(&self, text: &str) {
        let access = UrlAccess { url: text.to_owned(), subresource: false };
        let is_allowed = url::judge(&self.situation, &access).decision == Decision::Allow;
        if is_allowed && !text.trim().eq_ignore_ascii_case("about:blank") {
            let origin = url::origin(text).unwrap_or_default();
            let is_named = origin == "https://example.com"
                || origin == "http://localhost:3000"
                || origin.starts_with("https://") && origin.ends_with(".example.org:8443");
            assert!(is_named, "{text:?} is allowed as {origin:?}");
        }
        if let Ok(next) = url::follow("https://example.com/a/b", text) {
            assert!(!next.chars().any(char::is_control), "{text:?} leads to {next:?}");
        }
    }

    /// Checks a rules file.
    pub(crate) fn rules(&self, text: &str) {
        let path: PathBuf = self.folder.path().join("rules.toml");
        fs::write(&path, text).unwrap();
        match Rules::load(&path) {
            Ok(rules) => assert_eq!(rules.describe().len(), rules.len(), "{text:?}"),
            Err(error) => assert!(error.to_string().contains("rules.toml"), "{error}"),
        }
    }
}

/// Whether a character is invisible, or changes the direction of other text.
fn is_treacherous(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t'
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}
