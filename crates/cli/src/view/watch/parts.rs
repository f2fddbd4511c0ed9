//! Sub-tasks of the watched task: what they ask is asked here, and a line tells when one starts and ends.

use super::{Watcher, is_remembered, print_record};
use crate::failure::{End, Failure};
use crate::view::asked::{self, Extent};
use crate::view::prompt::Prompt;
use crate::view::screen::{Screen, Tone};
use crate::view::steps::names_only;
use crate::view::story::answerer;
use crate::view::text::{printable, stop_words};
use deputy_protocol::{
    ActiveAgent, AgentState, Choice, EventRecord, PermissionRequest, RequestId, Risk, TaskEvent, TaskId,
    TaskState, TaskSummary,
};
use std::collections::HashMap;

impl Watcher<'_> {
    /// Takes in the sub-tasks that there are already.
    pub(super) async fn take_up_parts(&mut self) -> Result<Option<End>, Failure> {
        let AgentState::Active(active) = self.session.state().await? else { return Ok(None) };
        let screen = (!self.how.json).then_some(&self.screen);
        self.parts.take_up(&self.task, self.consent, &active, screen);
        Ok(self.turn_to_part())
    }

    /// Tells what a sub-task asks, and says whether to leave where it does.
    pub(super) fn part_event(&mut self, record: &EventRecord) -> Option<End> {
        let screen = (!self.how.json).then_some(&self.screen);
        if !self.parts.event(&self.task, record, screen) {
            return None;
        }
        if let TaskEvent::PermissionAnswered(answered) = &record.event {
            self.folder_yes.is_stale |= is_remembered(&answered.choice);
        }
        if self.how.json && !matches!(record.event, TaskEvent::Stopped(_)) {
            print_record(record);
        }
        self.turn_to_part()
    }

    /// After a change of what sub-tasks ask: the task's own request comes first.
    fn turn_to_part(&mut self) -> Option<End> {
        if self.asked.is_some() || self.is_paused() {
            return None;
        }
        self.in_vain = self.parts.wanted_by_a_call().filter(|_| self.is_in_vain());
        self.turn_to_person();
        self.parked()
    }
}

/// The sub-tasks that have not ended, and what waits for a person in them.
#[derive(Default)]
pub(super) struct Parts {
    open: HashMap<TaskId, Part>,
    /// Oldest first, at most one a sub-task.
    asked: Vec<(TaskId, Prompt)>,
}

struct Part {
    goal: String,
    /// Up to this risk the host answers without asking.
    consent: Option<Risk>,
}

impl Parts {
    /// The prompt that is next, where there is one.
    pub(super) fn next(&self) -> Option<Prompt> {
        self.asked.first().map(|(_, prompt)| prompt.clone())
    }

    /// Whether a task is one of the open sub-tasks.
    pub(super) fn has(&self, task: &TaskId) -> bool {
        self.open.contains_key(task)
    }

    /// Whether there are open sub-tasks and all of them wait for a person.
    pub(super) fn all_wait(&self) -> bool {
        !self.open.is_empty() && self.asked.len() == self.open.len()
    }

    /// Takes in what there is when the watching begins, and shows what they ask.
    pub(super) fn take_up(
        &mut self,
        root: &TaskId,
        consent: Option<Risk>,
        active: &ActiveAgent,
        screen: Option<&Screen>,
    ) {
        let is_below = |parts: &Self, task: &TaskSummary| {
            task.parent
                .as_ref()
                .is_some_and(|parent| parent.task == *root || parts.open.contains_key(&parent.task))
        };
        // A sub-task may have sub-tasks, and lists come in any order: as many rounds as there are levels.
        loop {
            let known = self.open.len();
            for task in &active.tasks {
                if is_below(self, task) && !matches!(task.state, TaskState::Stopped(_)) {
                    let part = Part { goal: task.goal.clone(), consent };
                    self.open.entry(task.id.clone()).or_insert(part);
                }
            }
            if self.open.len() == known {
                break;
            }
        }
        for request in &active.requests {
            self.ask(&request.task, Prompt::Permission(Box::new(request.clone())), screen);
        }
        for question in &active.questions {
            self.ask(&question.task, Prompt::Question(question.clone()), screen);
        }
    }

    /// Takes in an event of another task; says whether it changes what waits for a person.
    pub(super) fn event(&mut self, root: &TaskId, record: &EventRecord, screen: Option<&Screen>) -> bool {
        let task = &record.task;
        match &record.event {
            TaskEvent::Created(created) => {
                let Some(parent) = &created.spec.parent else { return false };
                if parent.task != *root && !self.open.contains_key(&parent.task) {
                    return false;
                }
                let (goal, consent) = (created.spec.goal.clone(), created.spec.standing_consent);
                if self.open.insert(task.clone(), Part { goal, consent }).is_none() {
                    self.tell(task, "started", screen);
                }
                false
            }
            _ if !self.open.contains_key(task) => false,
            TaskEvent::PermissionRequested(asked) => {
                self.ask(task, Prompt::Permission(Box::new(asked.request.clone())), screen)
            }
            TaskEvent::QuestionAsked(asked) => {
                self.ask(task, Prompt::Question(asked.question.clone()), screen)
            }
            TaskEvent::PermissionAnswered(answered) => {
                let is_asked = self.answered(task);
                let (what, how) = match &answered.choice {
                    Choice::Allow(allow) => ("allowed", names_only(allow)),
                    Choice::Deny(_) => ("not allowed", ""),
                };
                // Otherwise a prompt that was answered elsewhere would look open.
                if is_asked {
                    self.tell(task, &format!("{what} {}{how}", answerer(&answered.by)), screen);
                }
                is_asked
            }
            TaskEvent::QuestionAnswered(answered) => {
                let is_asked = self.answered(task);
                if is_asked {
                    self.tell(task, &format!("answered: {}", printable(&answered.text)), screen);
                }
                is_asked
            }
            TaskEvent::Stopped(stopped) => {
                self.tell(task, stop_words(stopped.reason), screen);
                self.open.remove(task);
                self.answered(task)
            }
            _ => false,
        }
    }

    /// The request that waits in a running call, where it is the one that is next.
    pub(super) fn wanted_by_a_call(&self) -> Option<Box<PermissionRequest>> {
        match self.asked.first() {
            Some((_, Prompt::Permission(request))) if request.details.wanted.is_some() => {
                Some(request.clone())
            }
            _ => None,
        }
    }

    fn ask(&mut self, task: &TaskId, prompt: Prompt, screen: Option<&Screen>) -> bool {
        let Some(part) = self.open.get(task) else { return false };
        let is_answered =
            |request: &PermissionRequest| part.consent.is_some_and(|up_to| request.risk <= up_to);
        if matches!(&prompt, Prompt::Permission(request) if is_answered(request)) {
            return false;
        }
        if self.asked.iter().any(|(_, known)| id_of(known) == id_of(&prompt)) {
            return false;
        }
        if let Some(screen) = screen {
            screen.line("");
            screen.line(&screen.paint(Tone::Quiet, &format!("↳ {}", printable(&part.goal))));
            match &prompt {
                Prompt::Permission(request) => asked::request(screen, request, part.consent, Extent::Short),
                Prompt::Question(question) => asked::question(screen, question),
                _ => {}
            }
        }
        self.answered(task);
        self.asked.push((task.clone(), prompt));
        true
    }

    fn answered(&mut self, task: &TaskId) -> bool {
        let before = self.asked.len();
        self.asked.retain(|(of, _)| of != task);
        self.asked.len() != before
    }

    fn tell(&self, task: &TaskId, what: &str, screen: Option<&Screen>) {
        if let (Some(screen), Some(part)) = (screen, self.open.get(task)) {
            screen.line(&screen.paint(Tone::Quiet, &format!("  ↳ {}: {what}", printable(&part.goal))));
        }
    }
}

fn id_of(prompt: &Prompt) -> Option<&RequestId> {
    match prompt {
        Prompt::Permission(request) => Some(&request.id),
        Prompt::Question(question) => Some(&question.id),
        _ => None,
    }
}
