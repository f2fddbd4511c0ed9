//! The file `scratchpad.md`: the notes of running tasks of a profile, one section each. The file is authoritative: a
//! person may change it, and the task gets the changes before its next plan.

use super::folder::{FileProblem, ProfileFolder};
use crate::core::Core;
use deputy_protocol::{ProfileFileKind, TaskId, TaskSpec, TaskState};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

const KIND: ProfileFileKind = ProfileFileKind::Scratchpad;
/// The maximum length of a section, in characters. Only a person can make it longer, and the rest is not passed to the
/// task.
pub(crate) const LONGEST_SCRATCHPAD_CHARS: usize = 8_000;
const HEAD: &str = "<!-- What Deputy's running tasks note down for themselves. Change anything: the task is given it before its next step. -->";
const GOAL_CHARS: usize = 120;

/// The content of its section that each task knows.
#[derive(Default)]
pub(crate) struct Scratchpads(Mutex<HashMap<TaskId, String>>);

impl Scratchpads {
    /// Records what a task knows now. Returns what it knew before.
    fn learn(&self, task: &TaskId, text: &str) -> Option<String> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(task.clone(), text.to_owned())
    }
}

/// A section: the task, its heading, and its notes.
#[derive(Debug, PartialEq)]
struct Section {
    task: TaskId,
    heading: String,
    text: String,
}

/// Splits a file into the text before the first section, and the sections. A heading begins a section only if it names
/// a task.
fn sections(file: &str, is_task: impl Fn(&TaskId) -> bool) -> (String, Vec<Section>) {
    let (mut above, mut sections) = (String::new(), Vec::<Section>::new());
    // The first line explains the file, unless a person removed it.
    let intro = file.lines().next().is_some_and(|line| line.starts_with("<!--"));
    for line in file.lines().skip(usize::from(intro)) {
        let named = line.strip_prefix("## ").and_then(|rest| rest.split_whitespace().next()).map(TaskId::new);
        if let Some(task) = named.filter(|task| is_task(task)) {
            sections.push(Section { task, heading: line.to_owned(), text: String::new() });
            continue;
        }
        let text = sections.last_mut().map_or(&mut above, |section| &mut section.text);
        text.push_str(line);
        text.push('\n');
    }
    for section in &mut sections {
        section.text = section.text.trim().to_owned();
    }
    (above.trim().to_owned(), sections)
}

fn written(above: &str, sections: &[Section]) -> String {
    let mut file = format!("{HEAD}\n");
    if !above.is_empty() {
        file.push_str(&format!("\n{above}\n"));
    }
    for section in sections {
        file.push_str(&format!("\n{}\n{}\n", section.heading, section.text));
    }
    file
}

impl Core {
    fn is_at_work(&self, task: &TaskId) -> bool {
        let task = self.store.task(task).ok().flatten();
        task.is_some_and(|task| !matches!(task.state, TaskState::Stopped(_)))
    }

    /// Replaces the notes of a task. Sections of tasks that have ended are removed.
    pub(crate) async fn write_scratchpad(&self, spec: &TaskSpec, text: &str) -> Result<(), FileProblem> {
        let _one = self.profile_files.working.lock().await;
        let folder = ProfileFolder::of(&self.home, &spec.profile);
        let before = folder.read(KIND)?;
        let (above, mut all) = sections(before.as_deref().unwrap_or_default(), |task| {
            self.store.task(task).is_ok_and(|task| task.is_some())
        });
        all.retain(|section| section.task != spec.id && self.is_at_work(&section.task));
        let goal: String = spec.goal.lines().next().unwrap_or_default().chars().take(GOAL_CHARS).collect();
        let heading = format!("## {} {goal}", spec.id.as_str());
        // No line of the text can begin another task's section.
        let text: Vec<String> = text
            .lines()
            .map(|line| if line.starts_with("## ") { format!("#{line}") } else { line.to_owned() })
            .collect();
        let text = text.join("\n").trim().to_owned();
        self.profile_files.scratchpads.learn(&spec.id, &text);
        all.push(Section { task: spec.id.clone(), heading, text });
        folder.write(KIND, before.as_deref(), &written(&above, &all))
    }

    /// Returns the notes of a task from the file. A file without sections was written by a person, for the running
    /// task.
    pub(crate) fn scratchpad(&self, spec: &TaskSpec) -> Result<Option<String>, FileProblem> {
        let Some(file) = ProfileFolder::of(&self.home, &spec.profile).read(KIND)? else { return Ok(None) };
        let (above, all) = sections(&file, |task| self.store.task(task).is_ok_and(|task| task.is_some()));
        let is_by_hand = all.is_empty();
        let text = all.into_iter().find(|section| section.task == spec.id).map(|section| section.text);
        let text = text.or_else(|| is_by_hand.then_some(above)).filter(|text| !text.is_empty());
        Ok(text.map(|text| text.chars().take(LONGEST_SCRATCHPAD_CHARS).collect()))
    }

    /// Returns the notes of a task if they differ from what the task knows.
    pub(crate) fn changed_scratchpad(&self, spec: &TaskSpec) -> Option<String> {
        let text = match self.scratchpad(spec) {
            Ok(text) => text?,
            Err(problem) => {
                tracing::warn!("{problem}");
                return None;
            }
        };
        let before = self.profile_files.scratchpads.learn(&spec.id, &text);
        (before.as_ref() != Some(&text)).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_as_it_was_written_and_only_tasks_begin_sections() {
        let section = |task: &str, text: &str| Section {
            task: TaskId::new(task),
            heading: format!("## {task} sort it"),
            text: text.to_owned(),
        };
        let all = vec![section("t1", "one\n## two\nthree"), section("t2", "")];
        let file = written("by hand", &all);
        let is_task = |task: &TaskId| task.as_str().starts_with('t') && task.as_str() != "two";
        assert_eq!(sections(&file, is_task), ("by hand".to_owned(), all));
        assert_eq!(sections("free\n## words\n", is_task), ("free\n## words".to_owned(), Vec::new()));
    }
}
