//! Tests with a planner that misbehaves at random, and of tasks whose next step is only known from what survives
//! summaries.

use crate::world::World;
use deputy_agent::machine::{Action, Machine};
use deputy_planner::PlanError;
use deputy_protocol::*;
use deputy_testkit::{Answer, Dice, ScriptedPlanner, TempHome, calls, done, seed};
use serde_json::json;
use std::collections::HashSet;
use std::sync::Arc;

const RUNS: u64 = 20;
const STEPS: usize = 7;

/// Returns a random failure of a provider. All of them are retried automatically.
fn misbehaves(dice: &mut Dice) -> Answer {
    let error = |code, retry_after_secs| {
        Answer::Error(PlanError { code, message: "a bad day".into(), retry_after_secs, usage: None })
    };
    match dice.below(4) {
        0 => error(PlanErrorCode::Network, Some(0.0)),
        1 => error(PlanErrorCode::RateLimited, Some(0.0)),
        2 => error(PlanErrorCode::BadResponse, Some(0.0)),
        _ => calls([("no_such_tool", json!({"n": dice.below(1_000_000)}))]).into(),
    }
}

/// Runs a task that writes some files, in which about every third request fails.
async fn run(seed: u64) {
    let mut dice = Dice::new(seed);
    let mut script = Vec::new();
    let mut unusable = 0;
    for step in 0..STEPS {
        let mut in_a_row = 0;
        while dice.below(3) == 0 {
            in_a_row += 1;
            let bad = misbehaves(&mut dice);
            unusable += usize::from(matches!(bad, Answer::Reply(_)));
            // Three unusable calls in a row would ask the user, which is not tested here.
            if unusable < 3 || !matches!(bad, Answer::Reply(_)) {
                script.push(bad);
            }
            // More failures in a row would ask the user, which is not tested here either.
            if in_a_row == 2 {
                break;
            }
        }
        let path = format!("{step}.txt");
        script.push(calls([("code", json!({"action": "write", "path": path, "content": "x"}))]).into());
        unusable = 0;
    }
    script.push(done("made it").into());
    let mut world = World::open(TempHome::new().unwrap(), Arc::new(ScriptedPlanner::new(script))).await;
    let task = world.start(world.start_command()).await;
    let end = world.ended().await;
    assert_eq!((end.reason, end.summary.as_str()), (StopReason::Completed, "made it"), "seed {seed}");
    let mut started = HashSet::new();
    let mut written = 0;
    for event in world.events_of(&task) {
        if let TaskEvent::ToolStarted(event) = event {
            assert!(started.insert(event.call.clone()), "{} ran twice, seed {seed}", event.call);
            written += 1;
        }
    }
    assert_eq!(written, STEPS, "seed {seed}");
    assert_eq!(end.report.unwrap().changed.len(), STEPS, "seed {seed}");
}

#[tokio::test]
async fn runs_with_a_provider_on_its_bad_days_all_end_and_no_call_is_made_twice() {
    let seed = seed();
    let runs: Vec<_> = (0..RUNS).map(|run| tokio::spawn(self::run(seed.wrapping_add(run)))).collect();
    for run in runs {
        run.await.unwrap();
    }
}

/// A machine that works on a to-do list in a small window.
struct Long {
    machine: Machine,
    compactions: u32,
}

impl Long {
    fn new(steps: usize) -> Self {
        let limits =
            Limits { max_iterations: 0, max_wall_secs: 0, context_tokens: 4_000, ..Limits::default() };
        let spec = TaskSpec {
            id: TaskId::new("t1"),
            session: SessionId::new("s1"),
            goal: format!("Work through all {steps} items."),
            profile: "general".into(),
            backend: "anthropic".into(),
            model: None,
            workspace: "/w".into(),
            scope: Scope::default(),
            limits: Limits { brake_after: 0, ..limits },
            standing_consent: None,
            parent: None,
            terminal: None,
        };
        Self { machine: Machine::new(&Created { spec, notice: None, named: Vec::new() }), compactions: 0 }
    }

    /// Runs a successful call.
    fn call(&mut self, iteration: u32, tool: &str, parameters: serde_json::Value, content: String) {
        self.machine.apply(&TaskEvent::IterationStarted(IterationStarted { iteration }));
        while let Action::Compact(compacted) = self.machine.next() {
            self.compactions += 1;
            self.machine.apply(&TaskEvent::Compacted(compacted));
        }
        let call = CallId::of(&TaskId::new("t1"), iteration, 1);
        let planned =
            ToolCall { id: call.clone(), tool: tool.into(), parameters, problem: None, written: None };
        let plan = AgentPlan { tool_calls: vec![planned], ..AgentPlan::default() };
        self.machine.apply(&TaskEvent::Planned(Planned {
            plan,
            usage: Usage::default(),
            duration_ms: 1,
            model: None,
            backend: None,
            cost_micros: None,
        }));
        let result = ToolResult::new(CallStatus::Ok, content);
        self.machine.apply(&TaskEvent::ToolFinished(ToolFinished { call, result, duration_ms: 1 }));
    }

    /// Returns the active step, as a planner reads it that knows only its messages.
    fn read_active(&self) -> Option<String> {
        let mut active = None;
        for message in self.machine.messages().iter() {
            match message {
                Message::User(message) => {
                    let lines = message.text.lines();
                    let found = lines.filter_map(|line| line.strip_prefix("- [active] ")).next_back();
                    active = found.map(str::to_owned).or(active);
                }
                Message::Assistant(message) => {
                    for call in message.tool_calls.iter().filter(|call| call.tool == "todo") {
                        let steps = call.parameters["steps"].as_array().unwrap();
                        let found = steps.iter().find(|step| step["state"] == "active");
                        active = found.map(|step| step["title"].as_str().unwrap().to_owned());
                    }
                }
                Message::Tool(_) => {}
            }
        }
        active
    }
}

#[test]
fn after_three_summaries_tasks_continue_with_the_right_next_step() {
    let seed = seed();
    let mut right = 0;
    for run in 0..100 {
        let mut dice = Dice::new(seed.wrapping_add(run));
        let steps = 4 + dice.below(8);
        let mut long = Long::new(steps);
        let (mut iteration, mut at) = (0, 0);
        while long.compactions < 3 {
            let state = |step: usize| match step.cmp(&at) {
                std::cmp::Ordering::Less => TodoState::Done,
                std::cmp::Ordering::Equal => TodoState::Active,
                std::cmp::Ordering::Greater => TodoState::Pending,
            };
            let list: Vec<TodoStep> = (0..steps)
                .map(|step| TodoStep { title: format!("Item {step}"), state: state(step) })
                .collect();
            iteration += 1;
            long.call(iteration, "todo", json!({"steps": list}), "ok".into());
            let call = CallId::of(&TaskId::new("t1"), iteration, 1);
            long.machine.apply(&TaskEvent::TodoChanged(TodoChanged { call, steps: list }));
            for n in 0..5 + dice.below(20) {
                iteration += 1;
                let chars = 200 + dice.below(1_500);
                long.call(iteration, "search", json!({"action": "find", "pattern": n}), "x".repeat(chars));
            }
            at = (at + 1) % steps;
        }
        let active = (at + steps - 1) % steps;
        right += usize::from(long.read_active() == Some(format!("Item {active}")));
    }
    assert!(right >= 95, "{right} of 100, SEED={seed}");
}

/// A provider charges for an answer that broke off, too.
#[tokio::test]
async fn tokens_of_an_answer_that_broke_off_count() {
    let usage = Usage { input_tokens: 900, output_tokens: 70, ..Usage::default() };
    let broke_off = PlanError {
        retry_after_secs: Some(0.0),
        usage: Some(usage),
        ..PlanError::new(PlanErrorCode::Network, "broke off")
    };
    let planner = ScriptedPlanner::default();
    planner.push(broke_off);
    planner.push(done("ok"));
    let mut world = World::new(planner).await;
    let task = world.start(world.start_command()).await;
    assert_eq!(world.ended().await.report.unwrap().tokens, 970 + 110);
    assert_eq!(world.host.store().task(&task).unwrap().unwrap().tokens, 970 + 110);
    let rows = world.host.store().usage_since(0).unwrap();
    let of = |sum: fn(&UsageRow) -> u64| rows.iter().map(sum).sum::<u64>();
    assert_eq!(
        (of(|row| row.input_tokens), of(|row| row.output_tokens), of(|row| row.plans)),
        (1_000, 80, 1)
    );
}
