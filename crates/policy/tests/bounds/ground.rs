//! Real folders for a case: a home directory, a workspace in it, and a folder next to the workspace.

use deputy_policy::Situation;
use deputy_protocol::{AlwaysLifetime, Decision, Grant, GrantId, GrantRule, Lifetime};
use serde_json::{Map, Value};
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A home directory with a workspace and a folder outside it, with the setup of a case.
pub(crate) struct Ground {
    _folder: TempDir,
    pub(crate) home: PathBuf,
}

impl Ground {
    pub(crate) fn new(setup: &Map<String, Value>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(folder.path()).unwrap().join("home");
        let ground = Self { _folder: folder, home };
        fs::create_dir_all(ground.workspace()).unwrap();
        fs::create_dir_all(ground.home.join("other")).unwrap();
        let list = |name: &str| setup.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
        let text = |value: &Value| ground.fill(value.as_str().unwrap());
        for dir in list("dirs") {
            fs::create_dir_all(ground.at(&text(&dir))).unwrap();
        }
        for (path, content) in setup.get("files").and_then(Value::as_object).into_iter().flatten() {
            let path = ground.at(&ground.fill(path));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content.as_str().unwrap()).unwrap();
        }
        for pair in list("symlinks") {
            let link = ground.at(&text(&pair[0]));
            fs::create_dir_all(link.parent().unwrap()).unwrap();
            symlink(text(&pair[1]), link).unwrap();
        }
        for pair in list("hardlinks") {
            fs::hard_link(ground.at(&text(&pair[1])), ground.at(&text(&pair[0]))).unwrap();
        }
        if let Some(pipe) = setup.get("fifo") {
            let pipe = ground.at(&text(pipe));
            rustix::fs::mkfifoat(rustix::fs::CWD, pipe, rustix::fs::Mode::RUSR).unwrap();
        }
        if let Some(socket) = setup.get("socket") {
            UnixListener::bind(ground.at(&text(socket))).unwrap();
        }
        ground
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.home.join("project")
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.workspace().join(path)
    }

    pub(crate) fn fill(&self, text: &str) -> String {
        let shown = |path: &Path| path.to_str().unwrap().to_owned();
        text.replace("{W}", &shown(&self.workspace()))
            .replace("{H}", &shown(&self.home))
            .replace("{O}", &shown(&self.home.join("other")))
    }

    /// Returns the value with every placeholder filled in.
    pub(crate) fn fill_all(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.fill(text).into(),
            Value::Array(values) => values.iter().map(|value| self.fill_all(value)).collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(name, value)| (name.clone(), self.fill_all(value)))
                .collect::<Map<_, _>>()
                .into(),
            other => other.clone(),
        }
    }

    /// Returns the situation of a task in this workspace.
    pub(crate) fn situation(&self) -> Situation {
        Situation {
            walls: true,
            ..Situation::new(self.home.clone(), self.workspace(), self.home.join(".deputy"))
        }
    }
}

/// An answer for the workspace that never expires.
pub(crate) fn grant(ground: &Ground, decision: Decision, rule: GrantRule) -> Grant {
    Grant {
        id: GrantId::new("g1"),
        decision,
        rule,
        lifetime: Lifetime::Always(AlwaysLifetime {}),
        workspace: ground.workspace().to_str().unwrap().to_owned(),
        request: None,
        created_at_ms: 0,
        expires_at_ms: None,
        revoked_at_ms: None,
    }
}
