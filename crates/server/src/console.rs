//! The live console of each task, for clients that connect while it runs: the output of its planner and its running
//! calls so far, and the files that they touch.

use crate::hub::keep_end;
use deputy_protocol::{
    CallDecided, CallId, Console, ConsoleBackground, ConsoleCall, EventRecord, PartKind, Phrase, Progress,
    TaskEvent, TaskId, TouchedFile,
};
use std::collections::HashMap;

/// The maximum size of the output that is kept for a call, in bytes.
const MAX_OUTPUT: usize = 64 * 1024;
/// The maximum number of files that are kept for a task.
const MAX_FILES: usize = 50;

/// The consoles of the running tasks.
#[derive(Debug, Default)]
pub(crate) struct Consoles {
    tasks: HashMap<TaskId, Live>,
}

#[derive(Debug, Default)]
struct Live {
    console: Console,
    /// Calls that were decided and have not started.
    decided: HashMap<CallId, (Phrase, Vec<String>)>,
}

impl Consoles {
    /// Returns the console of a task. Empty for a task that is not running.
    pub(crate) fn of(&self, task: &TaskId) -> Console {
        self.tasks.get(task).map(|live| live.console.clone()).unwrap_or_default()
    }

    /// Adds a piece of text.
    pub(crate) fn progress(&mut self, piece: &Progress) {
        let Some(live) = self.tasks.get_mut(&piece.task) else { return };
        let text = match &piece.call {
            None => Some(&mut live.console.planning),
            Some(id) => {
                let console = &mut live.console;
                let call =
                    console.calls.iter_mut().find(|call| call.call == *id).map(|call| &mut call.output);
                let behind = console.backgrounds.iter_mut().find(|one| one.call == *id);
                call.or(behind.map(|one| &mut one.output))
            }
        };
        if let Some(text) = text {
            text.push_str(&piece.text);
            keep_end(text, MAX_OUTPUT);
        }
    }

    /// Applies an event.
    pub(crate) fn event(&mut self, record: &EventRecord) {
        if let TaskEvent::Stopped(_) = record.event {
            self.tasks.remove(&record.task);
            return;
        }
        if record.event.is_afterword() {
            return;
        }
        let live = self.tasks.entry(record.task.clone()).or_default();
        match &record.event {
            TaskEvent::Planned(_) | TaskEvent::PlanFailed(_) => live.console.planning.clear(),
            TaskEvent::IterationStarted(_) => {
                live.console.planning.clear();
                live.decided.clear();
            }
            TaskEvent::CallDecided(decided) => {
                live.decided.insert(decided.call.clone(), (decided.summary.clone(), paths(decided)));
            }
            TaskEvent::ToolStarted(started) => {
                let (summary, paths) = live.decided.remove(&started.call).unwrap_or_default();
                live.console.calls.push(ConsoleCall {
                    call: started.call.clone(),
                    summary,
                    started_at_ms: record.at_ms,
                    output: String::new(),
                });
                paths.into_iter().for_each(|path| live.touch(path, &started.call));
            }
            TaskEvent::BackgroundStarted(started) => {
                // Output before its start was journalled was recorded as output of the call.
                let call = live.console.calls.iter_mut().find(|call| call.call == started.call);
                live.console.backgrounds.push(ConsoleBackground {
                    background: started.background.clone(),
                    call: started.call.clone(),
                    command: started.command.clone(),
                    started_at_ms: record.at_ms,
                    output: call.map(|call| std::mem::take(&mut call.output)).unwrap_or_default(),
                });
            }
            TaskEvent::BackgroundEnded(ended) => {
                live.console.backgrounds.retain(|one| one.background != ended.background);
            }
            TaskEvent::FileKept(kept) => live.touch(kept.change.path.clone(), &kept.call),
            TaskEvent::ToolFinished(finished) => {
                live.console.calls.retain(|call| call.call != finished.call);
                for change in &finished.result.changes {
                    live.touch(change.path.clone(), &finished.call);
                }
                let of_call = live.console.files.iter_mut().filter(|file| file.call == finished.call);
                of_call.for_each(|file| file.now = false);
            }
            TaskEvent::Interrupted(_) => *live = Live::default(),
            _ => {}
        }
    }
}

impl Live {
    fn touch(&mut self, path: String, call: &CallId) {
        let files = &mut self.console.files;
        files.retain(|file| file.path != path);
        files.insert(0, TouchedFile { path, call: call.clone(), now: true });
        files.truncate(MAX_FILES);
    }
}

/// Returns the paths that a call will touch.
fn paths(decided: &CallDecided) -> Vec<String> {
    let parts = decided.verdict.parts.iter();
    let is_path = |kind: PartKind| matches!(kind, PartKind::Read | PartKind::Write);
    parts.filter(|part| is_path(part.kind)).map(|part| part.text.clone()).collect()
}
