//! Plans that wait for approval, stored as they were checked and shown. What is approved is what is executed, step by
//! step, however long it waits. If files change in the meantime, the affected operations are left out individually.

use super::home::{OrganizeHome, forget_old, keep, marked, unmarked};
use super::words::{plan_text, trees};
use deputy_organize::{CheckedPlan, Preview, PreviewEntry};
use deputy_protocol::{CallId, DraftTrees};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The number of stored plans; twice the number that can wait at a time.
const MOST: usize = 40;

/// A checked plan, and the text that a person sees.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Sealed {
    pub(super) checked: CheckedPlan,
    pub(super) shown: String,
    /// The trees before and after, for screens that draw them.
    #[serde(default)]
    pub(super) trees: Option<DraftTrees>,
}

impl OrganizeHome {
    /// Stores the plan of a call as it is shown. Failing to store it is harmless: the plan is then checked again, and
    /// approval is requested again if the result differs.
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

    /// Returns the plan of a call as it was shown. `None` if it was not shown or its file was modified.
    pub(super) fn sealed(&self, call: &CallId) -> Option<Sealed> {
        let content = std::fs::read(self.seal_path(call)).ok()?;
        serde_json::from_slice(unmarked(&content)?).ok()
    }

    /// Deletes the stored plan of a call. Its job has a journal by then.
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

/// Formats both trees for screens: one path per line, folders with a trailing slash.
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
