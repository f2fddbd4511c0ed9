//! The published cases of shell commands and their setups. Shared by the tests of this crate and the security suite.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// A case.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) command: String,
    pub(crate) class: Class,
    #[serde(default)]
    pub(crate) assumes: Option<String>,
    #[serde(default)]
    pub(crate) setup: Setup,
}

/// The expected result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Class {
    Safe,
    NeedsApproval,
    Dangerous,
    /// For the additional cases: asked or denied, at any risk.
    NotAllowed,
}

/// The setup of a case's workspace, which is at `project` below the home directory.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct Setup {
    files: BTreeMap<String, String>,
    dirs: Vec<String>,
    symlinks: Vec<(String, String)>,
    pub(crate) hardlinks: Vec<(String, String)>,
    pub(crate) git_config: BTreeMap<String, String>,
    pub(crate) env: BTreeMap<String, String>,
}

/// Returns the published cases.
pub(crate) fn published() -> Vec<Case> {
    read(include_str!("commands.open.jsonl"))
}

/// Returns more cases of the same kinds, written without checking how they are judged.
pub(crate) fn more() -> Vec<Case> {
    read(include_str!("commands.more.jsonl"))
}

fn read(text: &str) -> Vec<Case> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns a text of a case with its home directory replaced by `home`.
pub(crate) fn here(home: &Path, text: &str) -> String {
    text.replace("/home/dev", home.to_str().unwrap())
}

/// Writes a file and creates its parent folders.
pub(crate) fn write(path: &Path, content: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

impl Setup {
    /// Whether the setup is empty.
    pub(crate) fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// Creates the folders, files and links in the workspace below a home directory. `Ground` applies git's
    /// configuration.
    pub(crate) fn plant(&self, home: &Path) {
        let at = |path: &str| -> PathBuf { home.join("project").join(here(home, path)) };
        for folder in &self.dirs {
            fs::create_dir_all(at(folder)).unwrap();
        }
        for (name, content) in &self.files {
            write(&at(name), &here(home, content));
        }
        for (link, target) in &self.symlinks {
            let link = at(link);
            let _ = fs::remove_file(&link);
            fs::create_dir_all(link.parent().unwrap()).unwrap();
            symlink(here(home, target), link).unwrap();
        }
        for (link, target) in &self.hardlinks {
            fs::hard_link(at(target), at(link)).unwrap();
        }
    }
}
