//! Tests of the machine alone, with random lives of a task and random invalid events.

use deputy_agent::machine::{Action, Machine, Stage, Waiting};
use deputy_protocol::*;
use proptest::prelude::*;
use std::collections::HashMap;

fn spec() -> TaskSpec {
    TaskSpec {
        id: TaskId::new("t1"),
        session: SessionId::new("s1"),
        goal: "goal".into(),
        profile: "general".into(),
        backend: "offline".into(),
        model: None,
        workspace: "/w".into(),
        scope: Scope::default(),
        limits: Limits { max_iterations: 6, ..Limits::default() },
        standing_consent: None,
        parent: None,
        terminal: None,
    }
}

/// Responds to the machine's actions with choices from a list of random numbers.
pub(crate) struct Life {
    machine: Machine,
    pub(crate) events: Vec<TaskEvent>,
    choices: Vec<u8>,
    asked: u32,
    backgrounds: u32,
}

impl Life {
    pub(crate) fn new(choices: Vec<u8>) -> Self {
        let created = Created { spec: spec(), notice: None, named: Vec::new() };
        Self {
            machine: Machine::new(&created),
            events: vec![TaskEvent::Created(created)],
            choices,
            asked: 0,
            backgrounds: 0,
        }
    }

    fn choose(&mut self, of: u8) -> Option<u8> {
        self.choices.pop().map(|n| n % of)
    }

    fn happen(&mut self, event: TaskEvent) {
        self.machine.apply(&event);
        self.events.push(event);
    }

    /// Performs one random step. `None` when the random numbers are used up.
    #[expect(clippy::too_many_lines, reason = "an arm for each step")]
    pub(crate) fn step(&mut self) -> Option<()> {
        match self.choose(24)? {
            4 => self.happen(TaskEvent::QueueMoved(QueueMoved { rank: QueueRank::new("81") })),
            0 => self.happen(TaskEvent::Steered(Steered { text: "also".into(), named: Vec::new() })),
            1 => self.happen(TaskEvent::Paused(Paused {
                reason: PauseReason::ByUser,
                message: String::new().into(),
                budget: None,
            })),
            2 => self.happen(TaskEvent::Interrupted(Interrupted {})),
            5 => {
                self.backgrounds += 1;
                let background = self.background();
                self.happen(TaskEvent::BackgroundStarted(BackgroundStarted {
                    background,
                    call: CallId::new("t1-1-1"),
                    command: "serve".into(),
                    cwd: "/w".into(),
                    confinement: Confinement::Workspace,
                    own_network: true,
                    manifest: None,
                }));
            }
            6 => self.end_background(BackgroundEnd::Exited),
            3 if self.choose(4)? == 0 => self.happen(TaskEvent::StopRequested(StopRequested {})),
            _ => {}
        }
        match self.machine.next() {
            Action::Wait(Waiting::ToStart) => self.begin(1),
            Action::Wait(
                Waiting::ToContinue | Waiting::Provider(_) | Waiting::Inbox(_) | Waiting::Resume(_),
            ) => self.happen(TaskEvent::Resumed(Resumed {})),
            Action::BeginIteration(n) => self.begin(n),
            Action::Plan { .. } => self.plan()?,
            Action::Decide(call) => self.decide(call)?,
            Action::AskPermission(_) if self.choose(4)? == 0 => self.happen(TaskEvent::Paused(Paused {
                reason: PauseReason::Permission,
                message: String::new().into(),
                budget: None,
            })),
            Action::AskPermission(call) if self.choose(6)? == 0 => {
                self.happen(TaskEvent::RefusalShared(RefusalShared {
                    call,
                    digest: Digest::new("d"),
                    request: RequestId::new("r-of-another"),
                    asked_by: TaskId::new("t2"),
                    reason: Default::default(),
                    by: Answerer::Local(LocalAnswerer { screen: "terminal".into() }),
                }));
            }
            Action::AskPermission(call) => self.ask(call)?,
            Action::Refuse { call, .. } => self.finish(call, CallStatus::Denied),
            Action::LeaveOut(call) => self.finish(call, CallStatus::Cancelled),
            Action::Run(calls) => self.run(calls)?,
            Action::Settle(call) => {
                let status = if self.choose(2)? == 0 { CallStatus::Ok } else { CallStatus::Unknown };
                self.finish(call, status);
            }
            Action::AskQuestion(_) if self.choose(4)? == 0 => self.happen(TaskEvent::Paused(Paused {
                reason: PauseReason::Question,
                message: String::new().into(),
                budget: None,
            })),
            Action::AskQuestion(need) => {
                self.asked += 1;
                self.happen(TaskEvent::QuestionAsked(QuestionAsked {
                    question: Question {
                        id: RequestId(format!("q{}", self.asked)),
                        task: TaskId::new("t1"),
                        text: need.text(),
                        choices: need.choices(),
                        created_at_ms: 0,
                    },
                }));
            }
            Action::Pause(reached) => self.happen(TaskEvent::Paused(Paused {
                reason: PauseReason::Budget,
                message: String::new().into(),
                budget: Some(reached),
            })),
            Action::Wait(Waiting::Question(request)) => {
                let text = ["continue", "stop", "do otherwise"][usize::from(self.choose(3)?)].to_owned();
                self.happen(TaskEvent::QuestionAnswered(QuestionAnswered {
                    request,
                    text,
                    by: None,
                    named: Vec::new(),
                }));
            }
            Action::Wait(Waiting::Permission(request)) => self.answer(request)?,
            Action::EndBackground => {
                let running: Vec<BackgroundId> =
                    self.machine.backgrounds().running().iter().map(|one| one.background.clone()).collect();
                running.into_iter().for_each(|one| self.ended(one, BackgroundEnd::TaskEnded));
            }
            Action::Compact(compacted) => self.happen(TaskEvent::Compacted(compacted)),
            Action::Stop { reason, summary } => {
                self.happen(TaskEvent::Stopped(Stopped { reason, summary, report: None }))
            }
            Action::Ended => return None,
        }
        Some(())
    }

    fn background(&self) -> BackgroundId {
        BackgroundId(format!("b{}", self.backgrounds))
    }

    /// Ends the newest background command, if it is running.
    fn end_background(&mut self, why: BackgroundEnd) {
        let newest = self.background();
        if self.machine.backgrounds().get(&newest).is_some() {
            self.ended(newest, why);
        }
    }

    fn ended(&mut self, background: BackgroundId, why: BackgroundEnd) {
        self.happen(TaskEvent::BackgroundEnded(BackgroundEnded {
            refused: Vec::new(),
            background,
            call: CallId::new("t1-1-1"),
            why,
            exit_code: None,
            message: "ended".into(),
            tail: String::new(),
            kept: None,
            repositories: Vec::new(),
            changes: vec![],
        }));
    }

    fn begin(&mut self, iteration: u32) {
        self.happen(TaskEvent::IterationStarted(IterationStarted { iteration }));
    }

    fn plan(&mut self) -> Option<()> {
        let kind = self.choose(8)?;
        if kind == 0 {
            let (retry_in_ms, wait) = match self.choose(3)? {
                0 => (Some(10), None),
                1 => (None, None),
                _ => (None, Some(ProviderWait { until_ms: 10, backend: "a".into() })),
            };
            let code = PlanErrorCode::Network;
            let failed = PlanFailed {
                code,
                message: "down".into(),
                attempt: 1,
                retry_in_ms,
                next_backend: None,
                spent: None,
                wait,
            };
            self.happen(TaskEvent::PlanFailed(failed));
            return Some(());
        }
        let count = if kind == 1 { 0 } else { usize::from(self.choose(4)?) };
        let iteration = self.machine.iteration();
        let mut tool_calls = Vec::new();
        for index in 1..=count {
            let id = CallId::of(&TaskId::new("t1"), iteration, index);
            let parameters = serde_json::json!({"n": self.choose(3)?});
            tool_calls.push(ToolCall { id, tool: "shell".into(), parameters, problem: None, written: None });
        }
        let question = (kind == 1).then(|| "Which?".to_owned());
        let is_complete = question.is_none() && (kind == 2 || tool_calls.is_empty());
        let plan = AgentPlan { tool_calls, question, is_complete, ..AgentPlan::default() };
        self.happen(TaskEvent::Planned(Planned {
            plan,
            usage: Usage::default(),
            duration_ms: 1,
            model: None,
            backend: None,
            cost_micros: None,
        }));
        Some(())
    }

    fn decide(&mut self, call: CallId) -> Option<()> {
        let decision =
            [Decision::Allow, Decision::Allow, Decision::Ask, Decision::Deny][usize::from(self.choose(4)?)];
        let effect = if self.choose(2)? == 0 { Effect::ReadOnly } else { Effect::Mutating };
        self.decided(call, decision, effect);
        Some(())
    }

    fn decided(&mut self, call: CallId, decision: Decision, effect: Effect) {
        let verdict = Verdict {
            decision,
            risk: Risk::Low,
            reasons: vec![],
            confinement: Confinement::ReadOnly,
            parts: vec![],
        };
        let digest = Digest::new("d");
        let decided = CallDecided { call, verdict, effect, summary: "it".into(), digest, grant: None };
        self.happen(TaskEvent::CallDecided(decided));
    }

    /// Asks about a call, alone or together with some of the calls after it.
    fn ask(&mut self, call: CallId) -> Option<()> {
        let is_undone = |stage: &Stage| matches!(stage, Stage::Planned | Stage::Decided(_));
        let behind = self.machine.calls_behind(&call).iter().take_while(|one| is_undone(&one.stage));
        let behind: Vec<CallId> = behind.map(|one| one.call.id.clone()).collect();
        let together = usize::from(self.choose(3)?).min(behind.len());
        for one in &behind[..together] {
            self.decided(one.clone(), Decision::Ask, Effect::Mutating);
        }
        self.request(call, &behind[..together], None);
        Some(())
    }

    fn request(&mut self, call: CallId, behind: &[CallId], wanted: Option<WantedAccess>) {
        self.asked += 1;
        let step = |call: &CallId| RequestedStep {
            call: call.clone(),
            summary: "it".into(),
            command: None,
            path: Some(format!("/w/{call}")),
            diff: Some("+".into()),
            parts: Vec::new(),
            risk: Risk::Low,
            digest: Digest::new("d"),
        };
        let steps: Vec<RequestedStep> = match behind {
            [] => Vec::new(),
            behind => std::iter::once(&call).chain(behind).map(step).collect(),
        };
        let details = RequestDetails {
            cwd: "/w".into(),
            command: None,
            parts: vec![],
            background: false,
            diff: None,
            steps,
            plan: None,
            confinement: Confinement::ReadOnly,
            not_kept: None,
            refused_at_ms: None,
            away_from: None,
            time_limit_secs: None,
            wanted: wanted.map(Box::new),
        };
        let request = PermissionRequest {
            id: RequestId(format!("r{}", self.asked)),
            task: TaskId::new("t1"),
            session: SessionId::new("s1"),
            call,
            tool: "shell".into(),
            summary: "it".into(),
            details,
            risk: Risk::Low,
            reasons: vec![],
            digest: Digest::new("d"),
            offered: vec![],
            created_at_ms: 0,
            expires_at_ms: 1,
        };
        self.happen(TaskEvent::PermissionRequested(PermissionRequested { request, touches: Vec::new() }));
    }

    fn answer(&mut self, request: RequestId) -> Option<()> {
        let calls: Vec<CallId> = self.events.iter().rev().find_map(|event| match event {
            TaskEvent::PermissionRequested(asked) if asked.request.id == request => {
                Some(asked.request.calls().into_iter().cloned().collect())
            }
            _ => None,
        })?;
        let waits = |life: &Self, call: &CallId| {
            let stage = life.machine.call(call).map(|progress| progress.stage.clone());
            matches!(stage, Some(Stage::Parked(_, of)) if of == request)
        };
        let is_midway = !waits(self, &calls[0]);
        let mut dropped = Vec::new();
        let kind = self.choose(4)?;
        let is_expiry = kind == 3;
        let choice = match kind {
            0 => Choice::Allow(AllowChoice::once()),
            1 | 3 => Choice::Deny(DenyChoice::default()),
            _ => {
                let left_in = usize::from(self.choose(4)?) % calls.len();
                let others = calls.iter().enumerate().filter(|(place, _)| *place != left_in);
                dropped.extend(others.map(|(_, call)| call.clone()));
                Choice::Allow(AllowChoice { dropped: dropped.clone(), ..AllowChoice::once() })
            }
        };
        assert!(is_midway || calls.iter().all(|call| waits(self, call)), "one answer is waited for by all");
        let by = match is_expiry {
            true if self.machine.is_overtaken() => Answerer::Instruction(InstructionAnswerer {}),
            true => Answerer::Expiry(ExpiryAnswerer {}),
            false => Answerer::Local(LocalAnswerer { screen: "terminal".into() }),
        };
        let digest = Digest::new("d");
        let answered = PermissionAnswered {
            request: request.clone(),
            call: calls[0].clone(),
            digest,
            choice: choice.clone(),
            by,
        };
        self.happen(TaskEvent::PermissionAnswered(answered));
        for call in calls.iter().filter(|_| !is_midway) {
            let may_run = matches!(choice, Choice::Allow(_)) && !dropped.contains(call);
            let stage = self.machine.call(call).map(|progress| progress.stage.clone());
            assert_eq!(matches!(stage, Some(Stage::Approved(_))), may_run, "{stage:?}");
            assert_eq!(matches!(stage, Some(Stage::Refused { .. })), !may_run && !is_expiry, "{stage:?}");
            assert_eq!(matches!(stage, Some(Stage::Decided(_))), is_expiry, "{stage:?}");
        }
        Some(())
    }

    /// Starts calls, and finishes them in any order, unless the process dies in between.
    fn run(&mut self, mut calls: Vec<CallId>) -> Option<()> {
        for call in &calls {
            let effect = if calls.len() > 1 { Effect::ReadOnly } else { Effect::Mutating };
            let digest = Digest::new("d");
            self.happen(TaskEvent::ToolStarted(ToolStarted { call: call.clone(), digest, effect }));
        }
        if self.choose(6)? == 0 {
            let (call, tasks) = (calls[0].clone(), vec![TaskId::new("p")]);
            self.happen(TaskEvent::SubtasksStarted(SubtasksStarted { call, tasks }));
        }
        while !calls.is_empty() {
            if self.choose(12)? == 0 {
                self.happen(TaskEvent::Interrupted(Interrupted {}));
                return Some(());
            }
            if self.choose(6)? == 0 {
                self.ask_midway(calls[0].clone())?;
            }
            let at = usize::from(self.choose(5)?) % calls.len();
            let status = [CallStatus::Ok, CallStatus::Failed][usize::from(self.choose(2)?)];
            self.finish(calls.swap_remove(at), status);
        }
        Some(())
    }

    /// A running call asks, and continues after any answer. It may end before the answer.
    fn ask_midway(&mut self, call: CallId) -> Option<()> {
        let before = self.machine.clone();
        let waits = PausedTask { reason: PauseReason::Permission, iteration: before.iteration() };
        if before.state() == TaskState::Paused(waits.clone()) {
            return Some(()); // Only one asks at a time.
        }
        let wanted = WantedAccess {
            program: "/bin/touch".into(),
            operation: AttemptKind::Write,
            path: "/a".into(),
            of: "it".into(),
        };
        self.request(call.clone(), &[], Some(wanted));
        let is_held = !matches!(before.state(), TaskState::Running(_) | TaskState::AwaitingSubtasks(_));
        assert!(is_held || self.machine.state() == TaskState::Paused(waits));
        assert_eq!(self.machine.call(&call), before.call(&call), "it runs on");
        if self.choose(2)? == 0 {
            self.answer(RequestId(format!("r{}", self.asked)))?;
            assert_eq!(self.machine.state(), before.state());
            assert_eq!(self.machine.call(&call), before.call(&call), "it runs on");
        }
        Some(())
    }

    fn finish(&mut self, call: CallId, status: CallStatus) {
        let result = ToolResult::new(status, "result");
        self.happen(TaskEvent::ToolFinished(ToolFinished { call, result, duration_ms: 1 }));
    }
}

/// Checks that a mutating call starts at most once, unless its outcome was examined in between.
fn assert_no_double_start(events: &[TaskEvent]) {
    let mut running: HashMap<&CallId, bool> = HashMap::new();
    for event in events {
        match event {
            TaskEvent::ToolStarted(started) => {
                let before = running.insert(&started.call, true);
                assert_ne!(before, Some(true), "{} started twice", started.call);
            }
            TaskEvent::ToolFinished(finished) => {
                running.insert(&finished.call, false);
            }
            _ => {}
        }
    }
}

/// Checks that no call starts after an instruction of the user, until there is a new plan.
fn assert_instructions_end_plans(events: &[TaskEvent]) {
    let mut is_overtaken = false;
    for event in events {
        match event {
            TaskEvent::Steered(_) => is_overtaken = true,
            TaskEvent::Planned(_) => is_overtaken = false,
            TaskEvent::ToolStarted(started) => assert!(!is_overtaken, "{} starts", started.call),
            _ => {}
        }
    }
}

/// Checks that every tool message follows the message that requested it, in the order of the plan.
fn assert_well_formed(messages: &Messages) {
    let mut expected: Vec<CallId> = Vec::new();
    for message in messages.iter() {
        match message {
            Message::Tool(tool) => {
                assert!(!expected.is_empty(), "a result that nobody asked for: {}", tool.call);
                assert_eq!(expected.remove(0), tool.call, "results out of order");
            }
            Message::Assistant(assistant) => {
                assert!(expected.is_empty(), "a plan before the results of the one before it");
                expected = assistant.tool_calls.iter().map(|call| call.id.clone()).collect();
            }
            Message::User(_) => assert!(expected.is_empty(), "the user between a plan and its results"),
        }
    }
}

proptest! {
    #[test]
    fn any_life_replays_to_the_same_machine(choices in prop::collection::vec(any::<u8>(), 0..600)) {
        let mut life = Life::new(choices);
        while life.step().is_some() {
            let replayed = Machine::replay(&life.events).unwrap();
            prop_assert_eq!(replayed.next(), life.machine.next());
            prop_assert_eq!(replayed.state(), life.machine.state());
            prop_assert_eq!(replayed.messages(), life.machine.messages());
            if matches!(life.machine.next(), Action::Plan { .. }) {
                let messages = life.machine.messages();
                assert_well_formed(&messages);
                prop_assert!(!matches!(messages.last(), Some(Message::Assistant(_))));
            }
        }
        assert_no_double_start(&life.events);
        assert_instructions_end_plans(&life.events);
    }

    #[test]
    fn what_does_not_fit_changes_nothing_and_breaks_nothing(
        choices in prop::collection::vec(any::<u8>(), 0..300),
        order in prop::collection::vec(any::<prop::sample::Index>(), 0..200),
    ) {
        let mut life = Life::new(choices);
        while life.step().is_some() {}
        let mut machine = Machine::new(&Created { spec: spec(), notice: None, named: Vec::new() });
        for index in order {
            machine.apply(index.get(&life.events));
            let _ = (machine.next(), machine.state());
        }
    }

    #[test]
    fn a_task_that_goes_on_ends(choices in prop::collection::vec(any::<u8>(), 4000)) {
        let mut life = Life::new(choices);
        while life.step().is_some() {}
        prop_assert!(matches!(life.machine.next(), Action::Ended), "six iterations do not take 4,000 choices");
    }
}

#[test]
fn a_journal_that_does_not_begin_is_no_task() {
    assert!(Machine::replay(&[]).is_none());
    assert!(Machine::replay(&[TaskEvent::Resumed(Resumed {})]).is_none());
}
