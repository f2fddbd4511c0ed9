//! What a task changed overall: each path from before its first change to after its last one, without what was undone
//! since.

use deputy_protocol::{CallId, CallStatus, Digest, FileChange, FileState, TaskEvent};
use deputy_tools::OrganizeHome;
use deputy_tools::organize::is_submit;
use deputy_tools::tree::is_gits;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

/// The changes of a task and its sub-tasks.
#[derive(Default)]
pub(crate) struct Gathered {
    paths: BTreeMap<String, Change>,
    /// The repositories that calls changed by their folders: the call with the blob of its states, oldest first.
    pub(super) repositories: BTreeMap<PathBuf, Vec<(CallId, Digest)>>,
    /// The jobs of plans that were carried out, undone or not.
    pub(super) jobs: Vec<String>,
    submits: HashSet<CallId>,
    /// Commands that run, before whose start everything that they could change was kept. The results of calls that were
    /// copied from another task have no such start.
    begun: HashSet<CallId>,
}

struct Change {
    before: FileState,
    after: FileState,
    /// Whether a tool changed it that was given its path, and not a command.
    is_named: bool,
}

/// The overall change of a path.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Net {
    pub(super) path: String,
    /// Where it was before, if it was moved.
    pub(super) from: Option<String>,
    pub(super) before: FileState,
    pub(super) after: FileState,
    /// Whether a tool changed it that was given its path, and not a command.
    pub(super) is_named: bool,
}

impl Gathered {
    /// Records an event of a task or a sub-task. Must be called in the order of their journals.
    pub(crate) fn hear(&mut self, event: &TaskEvent) {
        match event {
            TaskEvent::Planned(planned) => {
                let submitted = planned.plan.tool_calls.iter().filter(|call| is_submit(call));
                self.submits.extend(submitted.map(|call| call.id.clone()));
            }
            TaskEvent::FileKept(kept) => self.changed(&kept.change, true),
            TaskEvent::TreeKept(kept) => drop(self.begun.insert(kept.call.clone())),
            TaskEvent::ToolFinished(end) => {
                if self.begun.remove(&end.call) {
                    end.result.changes.iter().for_each(|change| self.changed(change, false));
                    for repository in &end.result.repositories {
                        self.moved(&repository.folder, &end.call, &repository.states);
                    }
                }
                if end.result.status == CallStatus::Ok && self.submits.remove(&end.call) {
                    self.jobs.push(OrganizeHome::job_of(&end.call));
                }
            }
            TaskEvent::BackgroundEnded(end) => {
                end.changes.iter().for_each(|change| self.changed(change, false));
                for repository in &end.repositories {
                    self.moved(&repository.folder, &end.call, &repository.states);
                }
            }
            TaskEvent::Undone(undone) => {
                for file in undone.files.iter().filter(|file| file.restored) {
                    self.turned(&file.change.path, &file.change.before);
                }
                for repository in undone.repositories.iter().filter(|repository| repository.is_restored()) {
                    if let Some(calls) = self.repositories.get_mut(Path::new(&repository.folder)) {
                        calls.retain(|(call, _)| !repository.calls.contains(call));
                    }
                }
            }
            TaskEvent::Redone(redone) => {
                for file in redone.files.iter().filter(|file| file.restored) {
                    self.turned(&file.change.path, &file.change.after);
                }
            }
            _ => {}
        }
    }

    fn changed(&mut self, change: &FileChange, is_named: bool) {
        let FileChange { path, before, after, .. } = change.clone();
        let known = self.paths.entry(path).or_insert(Change { before, after: after.clone(), is_named });
        known.after = after;
        known.is_named |= is_named;
    }

    fn turned(&mut self, path: &str, now: &FileState) {
        if let Some(known) = self.paths.get_mut(path) {
            known.after = now.clone();
        }
    }

    fn moved(&mut self, folder: &str, call: &CallId, states: &Digest) {
        self.repositories.entry(PathBuf::from(folder)).or_default().push((call.clone(), states.clone()));
    }

    /// Returns the folders with build output that changed, each with the number of files in it that changed since the
    /// task began.
    pub(super) fn output(&self) -> BTreeMap<PathBuf, u32> {
        let files = |state: &FileState| match state {
            FileState::Folder(folder) => folder.output.as_ref().map(|output| output.files),
            _ => None,
        };
        let changed = self.paths.iter().filter(|(_, change)| change.before != change.after);
        let all = changed.filter_map(|(path, change)| Some((PathBuf::from(path), files(&change.after)?)));
        all.filter(|(_, files)| *files > 0).collect()
    }

    /// Returns the files that are not as they were before, without what git writes for itself. A file that disappeared at
    /// one path and appeared at another was moved.
    pub(super) fn net(&self) -> Vec<Net> {
        let is_gits_own =
            |path: &Path| is_gits(path) || self.repositories.keys().any(|folder| path.starts_with(folder));
        let is_file = |state: &FileState| !matches!(state, FileState::Folder(_) | FileState::Absent(_));
        let mut net: Vec<Net> = self
            .paths
            .iter()
            .filter(|(_, change)| change.before != change.after)
            .filter(|(_, change)| is_file(&change.before) || is_file(&change.after))
            .filter(|(path, _)| !is_gits_own(Path::new(path.as_str())))
            .map(|(path, change)| Net {
                path: path.clone(),
                from: None,
                before: change.before.clone(),
                after: change.after.clone(),
                is_named: change.is_named,
            })
            .collect();
        let mut gone: HashMap<&Digest, Vec<usize>> = HashMap::new();
        for (at, one) in net.iter().enumerate() {
            if let (Some(digest), FileState::Absent(_)) = (content(&one.before), &one.after) {
                gone.entry(digest).or_default().push(at);
            }
        }
        let mut pairs = Vec::new();
        for (at, one) in net.iter().enumerate() {
            if let (FileState::Absent(_), Some(digest)) = (&one.before, content(&one.after))
                && let Some(from) = gone.get_mut(digest).and_then(Vec::pop)
            {
                pairs.push((from, at));
            }
        }
        let moved: HashSet<usize> = pairs.iter().map(|(from, _)| *from).collect();
        for (from, to) in pairs {
            let path = net[from].path.clone();
            net[to].from = Some(path);
        }
        let mut at = 0;
        net.retain(|_| {
            at += 1;
            !moved.contains(&(at - 1))
        });
        net
    }
}

/// Returns the content of a file by its digest. `None` if it is empty: empty files are all alike.
fn content(state: &FileState) -> Option<&Digest> {
    match state {
        FileState::File(file) if file.size_bytes > 0 => Some(&file.digest),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_protocol::{AbsentFile, FileKept, KeptFile};

    fn file(content: &str) -> FileState {
        let digest = Digest::new(content);
        FileState::File(KeptFile { digest, size_bytes: content.len() as u64, mode: 0o644 })
    }

    fn absent() -> FileState {
        FileState::Absent(AbsentFile {})
    }

    fn gathered(changes: &[(&str, FileState, FileState)]) -> Vec<Net> {
        let mut gathered = Gathered::default();
        for (path, before, after) in changes.iter().cloned() {
            let change = FileChange { path: path.to_owned(), before, after, before_modified: None };
            gathered.hear(&TaskEvent::FileKept(FileKept { call: CallId::new("c"), change }));
        }
        gathered.net()
    }

    #[test]
    fn a_path_counts_once_from_before_its_first_change_to_after_its_last_one() {
        let net = gathered(&[
            ("/w/a", file("1"), file("2")),
            ("/w/passing", absent(), file("x")),
            ("/w/a", file("2"), file("3")),
            ("/w/passing", file("x"), absent()),
            ("/w/.git/HEAD", file("1"), file("2")),
        ]);
        assert_eq!(net.len(), 1, "{net:?}");
        assert_eq!((net[0].before.clone(), net[0].after.clone()), (file("1"), file("3")));
    }

    #[test]
    fn a_file_that_appears_elsewhere_was_moved() {
        let net = gathered(&[
            ("/w/a", file("same"), absent()),
            ("/w/b/a", absent(), file("same")),
            ("/w/b/copy", absent(), file("same")),
            ("/w/empty", file(""), absent()),
            ("/w/other", absent(), file("")),
        ]);
        let told: Vec<_> = net.iter().map(|net| (net.path.as_str(), net.from.as_deref())).collect();
        let expected =
            [("/w/b/a", Some("/w/a")), ("/w/b/copy", None), ("/w/empty", None), ("/w/other", None)];
        assert_eq!(told, expected);
    }
}
