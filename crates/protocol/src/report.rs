//! The report of a task: what it did according to its journal, shown next to the model's own summary.

use crate::TaskId;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// What a task did, according to Deputy's own record. A summary by the model cannot claim anything that did not
/// happen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// The number of steps.
    pub steps: u32,
    /// The files that the task created, changed or removed, in order of their paths. Only the first ones if there are
    /// many.
    #[serde(default, alias = "files", deserialize_with = "of_any_age")]
    pub changed: Vec<ChangedFile>,
    /// The number of further files.
    #[serde(default)]
    pub more_files: u32,
    /// The number of files that were moved or renamed, and of those that plans moved, copied or put into the trash.
    #[serde(default)]
    pub moved: u32,
    /// What was written into folders that hold only what programs make, such as `target`.
    #[serde(default)]
    pub built: Vec<BuiltFolder>,
    /// The commits that the task made, newest first. Only the first ones if there are many.
    #[serde(default)]
    pub commits: Vec<NewCommit>,
    /// The number of further commits.
    #[serde(default)]
    pub more_commits: u32,
    /// The branches that the task created.
    #[serde(default)]
    pub branches: Vec<String>,
    /// What may matter after the task. Absent if there is nothing.
    #[serde(default)]
    pub lasting: Option<LastingChanges>,
    /// The successful calls that changed something, in order. Only the newest ones if there are many.
    #[serde(default)]
    pub calls: Vec<String>,
    /// The number of earlier calls that are not listed.
    #[serde(default)]
    pub earlier_calls: u32,
    /// What the user said while the task ran, in full, each with the question that it answered. Only the newest texts if there are many.
    #[serde(default)]
    pub answers: Vec<String>,
    /// The number of tokens that the task used.
    #[serde(default)]
    pub tokens: u64,
    /// The cost of the tokens, in millionths of the currency. Absent if no price is known.
    #[serde(default)]
    pub cost_micros: Option<u64>,
}

impl Report {
    /// Returns whether there is nothing to report except the steps.
    pub fn is_empty(&self) -> bool {
        !self.changed_something() && self.calls.is_empty() && self.answers.is_empty()
    }

    /// Returns whether the task changed files or repositories.
    pub fn changed_something(&self) -> bool {
        !self.changed.is_empty()
            || self.moved > 0
            || !self.built.is_empty()
            || !self.commits.is_empty()
            || !self.branches.is_empty()
            || self.lasting.is_some()
    }
}

/// What a task did to a file, from before its first change to after its last one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedFile {
    /// The absolute path.
    pub path: String,
    /// What was done.
    pub deed: FileDeed,
    /// The absolute path from which it was moved. Absent if it was not moved.
    #[serde(default)]
    pub moved_from: Option<String>,
    /// The number of lines that were added and removed. Absent if it is not a text, or is too long.
    #[serde(default)]
    pub lines: Option<ChangedLines>,
}

/// What was done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileDeed {
    /// It did not exist before.
    Created,
    /// It has another content or mode.
    Changed,
    /// It does not exist any more.
    Removed,
    /// It has another path and the same content.
    Moved,
}

/// The lines of a changed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedLines {
    /// The number of lines that were added.
    pub added: u32,
    /// The number of lines that were removed.
    pub removed: u32,
}

/// A folder with what programs make, such as build output and caches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BuiltFolder {
    /// Its absolute path.
    pub folder: String,
    /// The number of files in it that changed.
    pub files: u32,
}

/// A commit that a task made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NewCommit {
    /// The beginning of its name.
    pub id: String,
    /// The first line of its message.
    pub subject: String,
}

/// Asks for everything that a task and its sub-tasks changed, as far as it was not undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DifferenceQuery {
    /// The id of the task.
    pub task: TaskId,
}

/// Everything that a task changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskDifference {
    /// The files: those that calls changed, in order of their paths, then those that plans moved.
    pub files: Vec<FileDifference>,
    /// The number of further files.
    pub more_files: u32,
    /// What was written into folders that hold only what programs make.
    pub built: Vec<BuiltFolder>,
    /// The commits that the task made, newest first.
    pub commits: Vec<NewCommit>,
    /// The branches that the task created.
    pub branches: Vec<String>,
    /// What may matter after the task. Absent if there is nothing.
    #[serde(default)]
    pub lasting: Option<LastingChanges>,
}

/// Changes of a task that may matter after it. Only the first ones of each kind if there are many.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LastingChanges {
    /// The full names of the references of git that were moved or removed, and of new ones other than branches.
    pub references: Vec<String>,
    /// The absolute paths of changed files that other programs may run, such as build scripts.
    pub run_later: Vec<String>,
    /// The symbolic links that lead out of the task's folder.
    pub links_out: Vec<OutwardLink>,
}

/// A symbolic link that leads out of the task's folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutwardLink {
    /// The absolute path of the link.
    pub path: String,
    /// The path that it contains.
    pub target: String,
}

/// The change of a file with its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileDifference {
    /// What was done.
    pub file: ChangedFile,
    /// The unified diff, without the secrets that the file had before. Absent if it is not a text, is too long, or has
    /// changed again since.
    pub diff: Option<String>,
}

/// Reads files as older journals have them, too: as paths alone.
fn of_any_age<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ChangedFile>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OfAnyAge {
        Path(String),
        File(ChangedFile),
    }
    let files = Vec::<OfAnyAge>::deserialize(deserializer)?;
    let read = |file| match file {
        OfAnyAge::Path(path) => ChangedFile { path, deed: FileDeed::Changed, moved_from: None, lines: None },
        OfAnyAge::File(file) => file,
    };
    Ok(files.into_iter().map(read).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_an_older_report_are_read() {
        let report: Report =
            serde_json::from_str(r#"{"steps": 2, "files": ["/w/a.txt"], "more_files": 1}"#).unwrap();
        assert_eq!(
            (report.changed[0].path.as_str(), report.changed[0].deed),
            ("/w/a.txt", FileDeed::Changed)
        );
        let again: Report = serde_json::from_str(&serde_json::to_string(&report).unwrap()).unwrap();
        assert_eq!(again, report);
    }
}
