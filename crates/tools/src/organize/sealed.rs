//! Plans that wait for their approval, each as it was checked and shown: what is approved is what is executed, step by
//! step, however long it waits. What changes meanwhile is left out then, one operation at a time.

use super::home::{OrganizeHome, forget_old, keep, marked, unmarked};
use super::words::{plan_text, trees};
use deputy_organize::{CheckedPlan, Preview, PreviewEntry};
use deputy_protocol::{CallId, DraftTrees};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Plans that are kept for their answer; twice as many as may wait at a time.
const MOST: usize = 40;

/// A checked plan, and what a person is shown of it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Sealed {
    pub(super) checked: CheckedPlan,
    pub(super) shown: String,
    /// Both trees, for screens that draw them.
    #[serde(default)]
    pub(super) trees: Option<DraftTrees>,
}

impl OrganizeHome {
    /// The plan of a call as it was shown; where it was not yet, as it was just checked. That it cannot be kept harms
    /// nothing: it is checked again then, and asked about again if it came to something else.
    pub(super) fn seal(&self, call: &CallId, checked: CheckedPlan) -> Sealed {
        let found = trees(self, &checked);
        let shown = plan_text(&checked, found.as_ref());
        let sealed = Sealed { shown, trees: found.as_ref().map(tree_lines), checked };
        if let Ok(content) = serde_json::to_vec(&sealed) {
            let _ = keep(&self.seals(), &self.seal_path(call), &marked(&content));
            forget_old(&self.seals(), MOST);
        }
        sealed
    }

    /// The plan of a call as it was shown; nothing where it was not, or where its file is not what was written.
    pub(super) fn sealed(&self, call: &CallId) -> Option<Sealed> {
        let content = std::fs::read(self.seal_path(call)).ok()?;
        serde_json::from_slice(unmarked(&content)?).ok()
    }

    /// Forgets the plan of a call, whose job has a journal now.
    pub(super) fn unseal(&self, call: &CallId) {
        let _ = std::fs::remove_file(self.seal_path(call));
    }

    fn seals(&self) -> PathBuf {
        self.folder().join("waiting")
    }

    fn seal_path(&self, call: &CallId) -> PathBuf {
        self.seals().join(format!("{}.json", Self::job_of(call)))
    }
}

/// Both trees as screens get them: a path a line, a folder's with a slash at its end.
pub fn tree_lines(trees: &Preview) -> DraftTrees {
    let line = |entry: &PreviewEntry| {
        let slash = if entry.is_folder { "/" } else { "" };
        format!("{}{slash}", entry.path.to_string_lossy())
    };
    let lines = |entries: &[PreviewEntry]| entries.iter().map(line).collect();
    DraftTrees { before: lines(&trees.before), after: lines(&trees.after) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_protocol::OrganizePlan;

    #[test]
    fn a_plan_waits_as_it_was_shown_and_a_changed_one_does_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("inbox");
        std::fs::create_dir(&root).unwrap();
        std::fs::write(root.join("a.txt"), "a").unwrap();
        let home = OrganizeHome::of(&folder.path().join("deputy"), folder.path());
        let plan = serde_json::json!({"scope": [root], "operations": [
            {"id": "o1", "action": {"kind": "rename", "path": "a.txt", "name": "b.txt"}, "risk": "low"},
        ]});
        let plan: OrganizePlan = serde_json::from_value(plan).unwrap();
        let call = CallId::new("t1-1-0");
        assert!(home.sealed(&call).is_none());
        let shown = home.seal(&call, home.check(&plan).unwrap());
        std::fs::write(root.join("a.txt"), "another content").unwrap();
        let waiting = home.sealed(&call).unwrap();
        assert_eq!(
            (waiting.checked, &waiting.shown, &waiting.trees),
            (shown.checked, &shown.shown, &shown.trees)
        );
        assert!(home.sealed(&CallId::new("t1-1-1")).is_none(), "each call has its own");

        let path = home.seal_path(&call);
        let changed = std::fs::read_to_string(&path).unwrap().replace("b.txt", "c.txt");
        std::fs::write(&path, changed).unwrap();
        assert!(home.sealed(&call).is_none());
        home.seal(&call, home.check(&plan).unwrap());
        home.unseal(&call);
        assert!(home.sealed(&call).is_none());
    }
}
