//! Copies the history of a task as the beginning of another task: what was said and done, without what is valid for the
//! original task only. Grants, answers to permission requests, data that undo could apply twice, and tokens that were
//! already paid for are not copied.

use crate::machine::Machine;
use deputy_messages::agent as say;
use deputy_protocol::{
    CallId, Created, FileChange, PauseReason, Paused, QuestionAnswered, RequestId, Steered, StopReason,
    Stopped, SubtasksEnded, TaskEvent, TaskId, TaskSpec, TodoChanged, ToolResult, Usage,
};
use std::collections::{HashMap, HashSet};

/// How much of a history is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All of it, including its end.
    Whole,
    /// Up to the end of a step, from which the copy is to continue.
    Through(u32),
}

/// The origin of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// This journal: the files and pictures that it refers to are available.
    Here,
    /// An imported file: the files and pictures that it refers to may be missing.
    File,
}

impl Source {
    /// Returns the paths that the copy may read of those that the user named. A file may claim any.
    fn named(self, named: &[String]) -> Vec<String> {
        match self {
            Self::Here => named.to_vec(),
            Self::File => Vec::new(),
        }
    }
}

/// The state of copying a history.
struct Copying {
    spec: TaskSpec,
    source: Source,
    /// The copy so far, and the state machine that results from it.
    events: Vec<TaskEvent>,
    machine: Machine,
    calls: HashMap<CallId, CallId>,
    questions: HashMap<RequestId, RequestId>,
    /// Files that a call saved before it changed them.
    kept: HashMap<CallId, Vec<FileChange>>,
}

/// Copies a history for the task described by `spec`. `None` if the copy is to end with a step that has not ended.
pub(crate) fn copied(
    story: &[TaskEvent],
    spec: TaskSpec,
    extent: Extent,
    source: Source,
) -> Option<Vec<TaskEvent>> {
    let answered: HashSet<&RequestId> = story
        .iter()
        .filter_map(|event| match event {
            TaskEvent::QuestionAnswered(answered) => Some(&answered.request),
            _ => None,
        })
        .collect();
    let named = match story.first() {
        Some(TaskEvent::Created(created)) => source.named(&created.named),
        _ => Vec::new(),
    };
    let created = Created { spec: spec.clone(), notice: None, named };
    let mut copying = Copying {
        machine: Machine::new(&created),
        events: vec![TaskEvent::Created(created)],
        spec,
        source,
        calls: HashMap::new(),
        questions: HashMap::new(),
        kept: HashMap::new(),
    };
    let mut reached = 0;
    for event in story {
        match (event, extent) {
            (TaskEvent::IterationStarted(started), Extent::Through(last)) if started.iteration > last => {
                break;
            }
            (TaskEvent::IterationStarted(started), _) => reached = started.iteration,
            (TaskEvent::Stopped(_), Extent::Through(_)) => break,
            (TaskEvent::QuestionAsked(asked), _) if !answered.contains(&asked.question.id) => continue,
            _ => {}
        }
        let is_last = extent == Extent::Through(reached);
        copying.take(event, is_last);
    }
    match extent {
        Extent::Whole => copying.end(),
        Extent::Through(last) if reached == last && copying.machine.is_between_steps() => {}
        Extent::Through(_) => return None,
    }
    Some(copying.events)
}

/// Returns the events that make a copy continue with a new message, once it is resumed.
pub(crate) fn continuing(from: &TaskId, step: u32, said: Steered) -> [TaskEvent; 2] {
    let message = say::forked_from(step, from);
    [
        TaskEvent::Steered(said),
        TaskEvent::Paused(Paused { reason: PauseReason::ByUser, message, budget: None }),
    ]
}

impl Copying {
    fn happen(&mut self, event: TaskEvent) {
        self.machine.apply(&event);
        self.events.push(event);
    }

    fn call(&self, of: &CallId) -> CallId {
        self.calls.get(of).unwrap_or(of).clone()
    }

    /// Copies an event if it belongs to the history. `is_last` is true in the step that the copy continues from.
    #[expect(clippy::too_many_lines, reason = "one step after another, of which each needs the last")]
    fn take(&mut self, event: &TaskEvent, is_last: bool) {
        match event {
            TaskEvent::Steered(steered) => {
                let named = self.source.named(&steered.named);
                self.happen(TaskEvent::Steered(Steered { named, ..steered.clone() }));
            }
            TaskEvent::IterationStarted(_)
            | TaskEvent::PlanFailed(_)
            | TaskEvent::Compacted(_)
            | TaskEvent::Noted(_) => self.happen(event.clone()),
            TaskEvent::Planned(planned) => {
                let mut planned = planned.clone();
                let iteration = self.machine.iteration();
                for (index, call) in planned.plan.tool_calls.iter_mut().enumerate() {
                    let new = CallId::of(&self.spec.id, iteration, index + 1);
                    self.calls.insert(call.id.clone(), new.clone());
                    call.id = new;
                }
                // The plan was paid for in the original task.
                (planned.usage, planned.cost_micros, planned.duration_ms) = (Usage::default(), None, 0);
                if self.source == Source::File {
                    planned.plan.provider_state = None;
                }
                if is_last {
                    // The user continues the conversation, so the plan was not the end, and its question is not open.
                    let plan = &mut planned.plan;
                    let said = plan.question.take().or(plan.summary.take().filter(|_| plan.is_complete));
                    let all = [Some(std::mem::take(&mut plan.reasoning)), said];
                    let all: Vec<String> =
                        all.into_iter().flatten().filter(|text| !text.is_empty()).collect();
                    plan.reasoning = all.join("\n\n");
                    (plan.is_complete, plan.needs_model) = (false, false);
                }
                self.happen(TaskEvent::Planned(planned));
            }
            TaskEvent::CallDecided(decided) => {
                let mut decided = decided.clone();
                (decided.call, decided.grant) = (self.call(&decided.call), None);
                self.happen(TaskEvent::CallDecided(decided));
            }
            TaskEvent::ToolStarted(started) => {
                let mut started = started.clone();
                started.call = self.call(&started.call);
                self.happen(TaskEvent::ToolStarted(started));
            }
            TaskEvent::FileKept(kept) => {
                self.kept.entry(kept.call.clone()).or_default().push(kept.change.clone());
            }
            TaskEvent::ToolFinished(finished) => {
                let mut finished = finished.clone();
                let kept = self.kept.remove(&finished.call).unwrap_or_default();
                finished.result = self.result(finished.result, kept);
                (finished.call, finished.duration_ms) = (self.call(&finished.call), 0);
                self.happen(TaskEvent::ToolFinished(finished));
            }
            TaskEvent::TodoChanged(changed) => {
                let (call, steps) = (self.call(&changed.call), changed.steps.clone());
                self.happen(TaskEvent::TodoChanged(TodoChanged { call, steps }));
            }
            // The sub-tasks were paid for in the original task.
            TaskEvent::SubtasksEnded(ended) => {
                let call = self.call(&ended.call);
                self.happen(TaskEvent::SubtasksEnded(SubtasksEnded {
                    call,
                    files: ended.files.clone(),
                    tokens: 0,
                    cost_micros: None,
                    is_unpriced: false,
                    active_ms: 0,
                }));
            }
            // Only a question that the copy reaches as well: otherwise its answer would refer to something else.
            TaskEvent::QuestionAsked(asked) if self.machine.question().is_some() => {
                let mut asked = asked.clone();
                let new = RequestId(crate::ids::fresh('q'));
                self.questions.insert(asked.question.id.clone(), new.clone());
                (asked.question.id, asked.question.task) = (new, self.spec.id.clone());
                self.happen(TaskEvent::QuestionAsked(asked));
            }
            TaskEvent::QuestionAnswered(answered) => {
                if let Some(request) = self.questions.get(&answered.request).cloned() {
                    let text = answered.text.clone();
                    self.happen(TaskEvent::QuestionAnswered(QuestionAnswered {
                        request,
                        text,
                        by: None,
                        named: self.source.named(&answered.named),
                    }));
                }
            }
            TaskEvent::Stopped(stopped) => {
                let report = stopped.report.clone().filter(|_| self.source == Source::Here);
                self.happen(TaskEvent::Stopped(Stopped { report, ..stopped.clone() }));
            }
            // Decisions by a person, data for undo, additional input of the planner, and events that concern one task
            // only are not copied.
            _ => {}
        }
    }

    /// Returns a result with the files that its call changed, which the summary of a long conversation lists. The files
    /// of another home are unknown here, so they are left out.
    fn result(&self, mut result: ToolResult, kept: Vec<FileChange>) -> ToolResult {
        result.repositories.clear();
        match self.source {
            Source::Here => {
                let is_new = |change: &FileChange| !kept.iter().any(|other| other.path == change.path);
                result.changes.retain(is_new);
                result.changes.extend(kept);
            }
            Source::File => {
                result.changes.clear();
                result.parts.clear();
                result.output = None;
            }
        }
        result
    }

    /// Ends a history that had not ended.
    fn end(&mut self) {
        if !self.machine.has_ended() {
            let summary = say::had_not_ended();
            self.happen(TaskEvent::Stopped(Stopped {
                reason: StopReason::ManualStop,
                summary,
                report: None,
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_protocol::*;
    use serde_json::json;

    fn spec(id: &str) -> TaskSpec {
        TaskSpec {
            id: TaskId::new(id),
            session: SessionId::new(format!("s-{id}")),
            goal: "Write it.".into(),
            profile: "general".into(),
            backend: "anthropic".into(),
            model: None,
            workspace: "/w".into(),
            scope: Scope::default(),
            limits: Limits::default(),
            standing_consent: None,
            parent: None,
            terminal: None,
        }
    }

    fn planned(iteration: u32, plan: AgentPlan) -> [TaskEvent; 2] {
        let usage = Usage { input_tokens: 1_000, ..Usage::default() };
        let (duration_ms, model, backend, cost_micros) = (1, None, None, Some(7));
        [
            TaskEvent::IterationStarted(IterationStarted { iteration }),
            TaskEvent::Planned(Planned { plan, usage, duration_ms, model, backend, cost_micros }),
        ]
    }

    fn story() -> Vec<TaskEvent> {
        let call = CallId::of(&TaskId::new("t1"), 1, 1);
        let parameters = json!({"action": "write", "path": "a.txt", "content": "x"});
        let tool_calls = vec![ToolCall {
            id: call.clone(),
            tool: "code".into(),
            parameters,
            problem: None,
            written: None,
        }];
        let absent = || FileState::Absent(AbsentFile {});
        let change =
            FileChange { path: "/w/a.txt".into(), before: absent(), after: absent(), before_modified: None };
        let mut story = vec![TaskEvent::Created(Created {
            spec: spec("t1"),
            notice: None,
            named: vec!["/a.txt".into()],
        })];
        story.extend(planned(
            1,
            AgentPlan { reasoning: "I write.".into(), tool_calls, ..AgentPlan::default() },
        ));
        let digest = Digest::new("d");
        story.extend([
            TaskEvent::CallDecided(CallDecided {
                call: call.clone(),
                verdict: Verdict {
                    decision: Decision::Ask,
                    risk: Risk::Low,
                    reasons: vec![],
                    confinement: Confinement::Workspace,
                    parts: vec![],
                },
                effect: Effect::Idempotent,
                summary: "Write a.txt".into(),
                digest: digest.clone(),
                grant: Some(GrantId::new("g1")),
            }),
            TaskEvent::ToolStarted(ToolStarted { call: call.clone(), digest, effect: Effect::Idempotent }),
            TaskEvent::FileKept(FileKept { call: call.clone(), change }),
            TaskEvent::ToolFinished(ToolFinished {
                call,
                result: ToolResult::new(CallStatus::Ok, "written"),
                duration_ms: 5,
            }),
        ]);
        let done =
            AgentPlan { is_complete: true, summary: Some("It is written.".into()), ..AgentPlan::default() };
        story.extend(planned(2, done));
        story.push(TaskEvent::Stopped(Stopped {
            reason: StopReason::Completed,
            summary: "It is written.".to_owned().into(),
            report: None,
        }));
        story
    }

    fn texts(machine: &Machine) -> Vec<String> {
        let text = |message: &Message| match message {
            Message::User(message) => message.text.clone(),
            Message::Assistant(message) => message.text.clone(),
            Message::Tool(message) => message.content.clone(),
        };
        machine.messages().iter().map(text).collect()
    }

    #[test]
    fn a_copy_through_a_step_reads_the_same_and_continues_with_the_new_words() {
        let mut copy = copied(&story(), spec("t2"), Extent::Through(2), Source::Here).unwrap();
        let said = Steered { text: "Now b.txt.".into(), named: vec!["/b.txt".into()] };
        copy.extend(continuing(&TaskId::new("t1"), 2, said));
        copy.extend([
            TaskEvent::Resumed(Resumed {}),
            TaskEvent::IterationStarted(IterationStarted { iteration: 3 }),
        ]);
        let machine = Machine::replay(&copy).unwrap();
        assert_eq!(texts(&machine), ["Write it.", "I write.", "written", "It is written.", "Now b.txt."]);
        assert_eq!(machine.named(), ["/a.txt", "/b.txt"], "what the user named is still open");
        assert!(machine.changed_something(), "a summary still names it");
        assert_eq!(machine.report().tokens, 0, "it was paid for before");
        let undoable = |event: &&TaskEvent| matches!(event, TaskEvent::FileKept(_) | TaskEvent::TreeKept(_));
        assert_eq!(copy.iter().filter(undoable).count(), 0);
        let of_first = serde_json::to_string(&copy).unwrap();
        assert!(!of_first.contains("t1-1-1") && !of_first.contains("g1"), "{of_first}");
    }

    #[test]
    fn a_copy_ends_with_a_whole_step_only() {
        let story = story();
        assert!(copied(&story, spec("t2"), Extent::Through(1), Source::Here).is_some());
        assert!(copied(&story[..4], spec("t2"), Extent::Through(1), Source::Here).is_none());
        assert!(copied(&story, spec("t2"), Extent::Through(3), Source::Here).is_none());
    }

    #[test]
    fn what_comes_from_a_file_names_no_files_of_this_machine_and_has_an_end() {
        let whole = copied(&story()[..7], spec("t2"), Extent::Whole, Source::File).unwrap();
        let Some(TaskEvent::Stopped(stopped)) = whole.last() else { panic!("{whole:?}") };
        assert_eq!((stopped.reason, &stopped.report), (StopReason::ManualStop, &None));
        let changes = whole.iter().filter_map(|event| match event {
            TaskEvent::ToolFinished(finished) => Some(finished.result.changes.len()),
            _ => None,
        });
        assert_eq!(changes.sum::<usize>(), 0);

        let mut claims = story()[..7].to_vec();
        let (text, named) = ("Go on.".to_owned(), vec!["/home/ada/private".to_owned()]);
        claims.push(TaskEvent::Steered(Steered { text, named }));
        let whole = copied(&claims, spec("t2"), Extent::Whole, Source::File).unwrap();
        let machine = Machine::replay(&whole).unwrap();
        assert_eq!(machine.named(), Vec::<String>::new(), "a file opens nothing");
    }
}
