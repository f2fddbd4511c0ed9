//! The published cases of shell commands, and what they plant; shared by policy's own tests and the security suite.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// One case.
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

/// What is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Class {
    Safe,
    NeedsApproval,
    Dangerous,
    /// Of the further cases: asked or denied, however bad it is.
    NotAllowed,
}

/// What a case plants in its workspace, which lies at `project` below the home.
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

/// The published cases.
pub(crate) fn published() -> Vec<Case> {
    read(include_str!("commands.open.jsonl"))
}

/// More cases of the same kinds, written without a look at how they are judged.
pub(crate) fn more() -> Vec<Case> {
    read(include_str!("commands.more.jsonl"))
}

fn read(text: &str) -> Vec<Case> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A text of a case with its home replaced by another one.
pub(crate) fn here(home: &Path, text: &str) -> String {
    text.replace("/home/dev", home.to_str().unwrap())
}

/// A file with the folders it lies in.
pub(crate) fn write(path: &Path, content: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

impl Setup {
    /// Whether nothing is planted.
    pub(crate) fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// Plants folders, files and links in the workspace below a home; git's configuration is the ground's matter.
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
