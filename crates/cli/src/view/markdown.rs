//! A conversation as Markdown, to keep or to hand on.

use super::text::{capital, goal_words, printable, state_words, when};
use deputy_protocol::{CallId, EventRecord, TaskEvent, TaskStatus};
use std::collections::HashMap;

/// The text while events are added to it.
pub(crate) struct Markdown {
    parts: Vec<String>,
    summaries: HashMap<CallId, String>,
    status: TaskStatus,
}

impl Markdown {
    pub(crate) fn new(title: &str) -> Self {
        let title = goal_words(title);
        let line = title.lines().next().unwrap_or_default();
        Self { parts: vec![format!("# {line}")], summaries: HashMap::new(), status: TaskStatus::default() }
    }

    /// Adds what an event says; most say nothing that is kept.
    pub(crate) fn add(&mut self, record: &EventRecord) {
        if let TaskEvent::Created(_) = &record.event {
            self.status = TaskStatus::default();
        }
        self.status.apply(&record.event);
        match &record.event {
            TaskEvent::Created(created) => self.said("You", record.at_ms, &goal_words(&created.spec.goal)),
            TaskEvent::Steered(steered) => self.said("You", record.at_ms, &printable(&steered.text)),
            TaskEvent::Planned(planned) if !planned.plan.is_complete => {
                self.part(printable(planned.plan.reasoning.trim()));
            }
            TaskEvent::CallDecided(decided) => {
                self.summaries.insert(decided.call.clone(), printable(&decided.summary));
            }
            TaskEvent::ToolFinished(finished) => {
                if let Some(summary) = self.summaries.remove(&finished.call) {
                    self.part(format!("**{}**", summary.trim_end_matches('.')));
                }
                let content = printable(finished.result.content.trim_end());
                if !content.is_empty() {
                    self.part(fenced(&content));
                }
            }
            TaskEvent::QuestionAsked(asked) => {
                self.part(format!("**Question:** {}", printable(&asked.question.text)));
            }
            TaskEvent::QuestionAnswered(answered) => {
                self.said("You", record.at_ms, &printable(&answered.text));
            }
            TaskEvent::Stopped(stopped) => {
                self.part(format!("**{}**", capital(&state_words(&self.status.state()))));
                self.part(printable(stopped.summary.trim()));
            }
            _ => {}
        }
    }

    /// The whole text.
    pub(crate) fn done(self) -> String {
        format!("{}\n", self.parts.join("\n\n"))
    }

    fn said(&mut self, who: &str, at_ms: i64, text: &str) {
        self.part(format!("## {who} · {}", when(at_ms)));
        self.part(text.to_owned());
    }

    fn part(&mut self, text: String) {
        if !text.is_empty() {
            self.parts.push(text);
        }
    }
}

/// A block of code; its fence is longer than any in it.
fn fenced(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_output_ends_its_block() {
        assert_eq!(fenced("a"), "```\na\n```");
        assert_eq!(fenced("````\nb"), "`````\n````\nb\n`````");
    }
}
