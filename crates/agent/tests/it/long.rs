//! Tests of tasks with many steps in a small window: the request fits, keeps what matters, and begins like the request
//! before it.

use crate::world::World;
use deputy_agent::machine::{Action, Machine};
use deputy_planner::{PlanError, Planner, ProgressSink};
use deputy_protocol::*;
use deputy_testkit::{Answer, ScriptedPlanner, TempHome, calls, done};
use serde_json::json;
use std::sync::{Arc, Mutex};
use tokio_util::sync::CancellationToken;

const WINDOW_TOKENS: usize = 32_000;
/// The provider's token count for rules and tools.
const AROUND_TOKENS: usize = 5_000;
const STEPS: u32 = 1_000;

fn spec(goal: &str) -> TaskSpec {
    TaskSpec {
        id: TaskId::new("t1"),
        session: SessionId::new("s1"),
        goal: goal.to_owned(),
        profile: "general".into(),
        backend: "anthropic".into(),
        model: None,
        workspace: "/w".into(),
        scope: Scope::default(),
        limits: Limits {
            max_iterations: 0,
            max_wall_secs: 0,
            context_tokens: WINDOW_TOKENS as u32,
            brake_after: 0,
            ..Limits::default()
        },
        standing_consent: None,
        parent: None,
        terminal: None,
    }
}

/// A machine with its events, the last request, and the number of summaries.
struct Long {
    machine: Machine,
    events: Vec<TaskEvent>,
    before: Messages,
    compactions: u32,
    largest_tokens: usize,
}

impl Long {
    fn new(goal: &str) -> Self {
        let created = Created { spec: spec(goal), notice: None, named: Vec::new() };
        let machine = Machine::new(&created);
        let events = vec![TaskEvent::Created(created)];
        Self { machine, events, before: Messages::default(), compactions: 0, largest_tokens: 0 }
    }

    fn happen(&mut self, event: TaskEvent) {
        self.machine.apply(&event);
        self.events.push(event);
    }

    /// Builds the request for the next plan, and checks the invariants of each request.
    fn request(&mut self, must_say: &[&str]) -> usize {
        let mut is_compacted = false;
        while let Action::Compact(compacted) = self.machine.next() {
            assert!(!is_compacted, "once is enough");
            is_compacted = true;
            self.compactions += 1;
            self.happen(TaskEvent::Compacted(compacted));
        }
        let messages = self.machine.messages();
        if !is_compacted {
            assert!(messages.after(&self.before).is_some(), "it begins as the one before it");
        }
        let text = serde_json::to_string(&messages).unwrap();
        for words in must_say {
            assert!(text.contains(words), "{words} is gone at step {}", self.machine.iteration());
        }
        self.before = messages;
        let tokens = text.len() / 4 + AROUND_TOKENS;
        self.largest_tokens = self.largest_tokens.max(tokens);
        tokens
    }

    fn step(&mut self, iteration: u32, must_say: &[&str]) {
        self.happen(TaskEvent::IterationStarted(IterationStarted { iteration }));
        let tokens = self.request(must_say);
        let id = CallId::of(&TaskId::new("t1"), iteration, 1);
        let parameters = json!({"action": "write", "path": format!("/w/{}.txt", iteration % 50)});
        let call = ToolCall { id: id.clone(), tool: "code".into(), parameters, problem: None, written: None };
        let reasoning = format!("Step {iteration}: I write the next file.");
        let plan = AgentPlan { reasoning, tool_calls: vec![call], ..AgentPlan::default() };
        let usage = Usage { input_tokens: tokens as u64, output_tokens: 50, ..Usage::default() };
        self.happen(TaskEvent::Planned(Planned {
            plan,
            usage,
            duration_ms: 1,
            model: None,
            backend: None,
            cost_micros: None,
        }));
        let verdict = Verdict {
            decision: Decision::Allow,
            risk: Risk::Low,
            reasons: vec![],
            confinement: Confinement::Workspace,
            parts: vec![],
        };
        self.happen(TaskEvent::CallDecided(CallDecided {
            call: id.clone(),
            verdict,
            effect: Effect::Mutating,
            summary: format!("Write file {}", iteration % 50).into(),
            digest: Digest::new("d"),
            grant: None,
        }));
        self.happen(TaskEvent::ToolStarted(ToolStarted {
            call: id.clone(),
            digest: Digest::new("d"),
            effect: Effect::Mutating,
        }));
        let path = format!("/w/{}.txt", iteration % 50);
        let absent = || FileState::Absent(AbsentFile {});
        let change = FileChange { path, before: absent(), after: absent(), before_modified: None };
        self.happen(TaskEvent::FileKept(FileKept { call: id.clone(), change }));
        // From time to time, a result of the maximum size.
        let chars = if iteration.is_multiple_of(7) { 12_000 } else { 400 };
        let result = ToolResult::new(CallStatus::Ok, format!("wrote it: {}", "x".repeat(chars)));
        self.happen(TaskEvent::ToolFinished(ToolFinished { call: id, result, duration_ms: 1 }));
    }
}

#[test]
fn a_task_of_1000_steps_fits_a_window_of_32_000_tokens_and_forgets_nothing_that_matters() {
    let goal = "Write all the files, and keep the folder Taxes as it is.";
    let said = "Never use the word synergy in any file. This is important to me.";
    let answer = "The blue one, as always.";
    let mut long = Long::new(goal);
    for iteration in 1..=STEPS {
        let must: &[&str] = match iteration {
            ..=10 => &[goal],
            11..=20 => &[goal, said],
            _ => &[goal, said, answer],
        };
        long.step(iteration, must);
        if iteration == 10 {
            long.happen(TaskEvent::Steered(Steered { text: said.into(), named: Vec::new() }));
        }
        if iteration == 20 {
            long.happen(TaskEvent::Steered(Steered { text: answer.into(), named: Vec::new() }));
        }
    }
    assert!(long.compactions >= 3, "{} summaries", long.compactions);
    assert!(long.compactions < STEPS / 10, "rarely and much: {}", long.compactions);
    assert!(long.largest_tokens <= WINDOW_TOKENS, "{} tokens", long.largest_tokens);
    // Every changed file is still known, from the record and not from the model's claims.
    long.happen(TaskEvent::IterationStarted(IterationStarted { iteration: STEPS + 1 }));
    let files: Vec<String> = (0..50).map(|n| format!("- /w/{n}.txt")).collect();
    long.request(&files.iter().map(String::as_str).collect::<Vec<_>>());
    // The journal alone results in the same conversation.
    let again = Machine::replay(&long.events).unwrap();
    assert_eq!(again.messages(), long.machine.messages());
}

/// The offline backend replays a request from its beginning each time, and would repeat every call whose result is
/// missing.
#[test]
fn what_plans_without_a_model_keeps_every_result() {
    let mut long = Long::new("goal");
    let mut created = Created { spec: spec("goal"), notice: None, named: Vec::new() };
    created.spec.backend = "offline".into();
    long.machine = Machine::new(&created);
    (1..=100).for_each(|iteration| long.step(iteration, &["goal"]));
    assert_eq!((long.compactions, long.machine.messages().len()), (0, 201));
}

fn reply(plan: AgentPlan) -> Answer {
    plan.into()
}

fn two_backends() -> TempHome {
    let home = TempHome::new().unwrap();
    let config = "backend = \"openai_compatible\"\nfallbacks = [\"ollama/second\"]\n[backends.openai_compatible]\n\
                  base_url = \"http://127.0.0.1:1/v1\"\nmodel = \"first\"\n";
    std::fs::write(home.path().join("config.toml"), config).unwrap();
    home
}

fn asked(planner: &ScriptedPlanner) -> Vec<(String, String)> {
    let model = |request: &PlanRequest| request.backend.settings["model"].as_str().unwrap().to_owned();
    planner.requests().iter().map(|request| (request.backend.name.clone(), model(request))).collect()
}

#[tokio::test]
async fn a_backend_that_fails_rests_and_the_fall_back_goes_on() {
    let look = || calls([("search", json!({"action": "ls", "path": "."}))]);
    let refused = Answer::Error(PlanError::new(PlanErrorCode::Auth, "The key was refused."));
    let planner = Arc::new(ScriptedPlanner::new([refused, reply(look()), reply(done("made it"))]));
    let mut world = World::open(two_backends(), planner.clone()).await;
    world.start(world.start_command()).await;
    let next = world.wait(|event| match event {
        TaskEvent::PlanFailed(failed) => Some(failed.next_backend.clone()),
        _ => None,
    });
    assert_eq!(next.await.as_deref(), Some("ollama/second"));
    let by = world.wait(|event| match event {
        TaskEvent::Planned(planned) => Some((planned.backend.clone(), planned.model.clone())),
        _ => None,
    });
    assert_eq!(by.await, (Some("ollama".to_owned()), Some("second".to_owned())));
    assert_eq!(world.ended().await.summary, "made it");
    let first = ("openai_compatible".to_owned(), "first".to_owned());
    let second = ("ollama".to_owned(), "second".to_owned());
    assert_eq!(asked(&planner), [first.clone(), second.clone(), second]);

    // Another task does not have to find out again. After the suspension its own backend is asked again.
    planner.push(done("again"));
    let start = StartCommand { model: Some("third".into()), ..world.start_command() };
    world.start(start).await;
    world.ended().await;
    assert_eq!(asked(&planner).last().unwrap().1, "third", "another model is another matter");
    planner.push(done("at last"));
    world.clock.advance(std::time::Duration::from_secs(600));
    world.start(world.start_command()).await;
    world.ended().await;
    assert_eq!(asked(&planner).last(), Some(&first));
}

#[tokio::test]
async fn where_there_is_no_fall_back_the_user_is_asked() {
    let refused = || Answer::Error(PlanError::new(PlanErrorCode::Auth, "The key was refused."));
    let planner = Arc::new(ScriptedPlanner::new([refused(), refused()]));
    let mut world = World::open(two_backends(), planner.clone()).await;
    world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let question = world.asked().await;
    assert!(question.text.contains("The key was refused."), "{}", question.text);
    assert_eq!(asked(&planner).len(), 2, "each of them once");
}

#[tokio::test]
async fn a_plan_that_breaks_off_is_asked_again_and_no_call_is_made_twice() {
    let breaks = || {
        let code = PlanErrorCode::Network;
        Answer::Error(PlanError {
            code,
            message: "broke off".into(),
            retry_after_secs: Some(0.0),
            usage: None,
        })
    };
    let look = |n: u32| reply(calls([("search", json!({"action": "find", "pattern": format!("{n}*")}))]));
    let script = [breaks(), look(1), breaks(), breaks(), look(2), look(3), breaks(), reply(done("made it"))];
    let planner = Arc::new(ScriptedPlanner::new(script));
    let mut world = World::open(TempHome::new().unwrap(), planner.clone()).await;
    let task = world.start(world.start_command()).await;
    assert_eq!(world.ended().await.summary, "made it");
    let events = world.host.store().task_events(&task, 0, 1_000).unwrap();
    let started: Vec<&CallId> = events
        .iter()
        .filter_map(|record| match &record.event {
            TaskEvent::ToolStarted(started) => Some(&started.call),
            _ => None,
        })
        .collect();
    assert_eq!(started.len(), 3);
}

#[tokio::test]
async fn the_next_task_of_a_conversation_is_told_of_the_ones_before() {
    let write = calls([("code", json!({"action": "write", "path": "a.txt", "content": "x"}))]);
    let planner = Arc::new(ScriptedPlanner::new([write, done("Wrote a.txt."), done("Yes.")]));
    let mut world = World::open(TempHome::new().unwrap(), planner.clone()).await;
    let consent = Some(Risk::High);
    let first = world.start(StartCommand { standing_consent: consent, ..world.start_command() }).await;
    world.ended().await;
    world.start(StartCommand { after: Some(first), ..world.start_command() }).await;
    world.ended().await;
    let requests = planner.requests();
    let told = &requests.last().unwrap().earlier[0];
    assert_eq!((told.goal.as_str(), told.summary.as_deref()), ("do it", Some("Wrote a.txt.")));
    assert!(told.changed_files[0].ends_with("/a.txt"), "{:?}", told.changed_files);
}

#[tokio::test]
async fn a_model_that_calls_nothing_that_fits_is_told_three_times_and_then_the_user_is_asked() {
    let wrong = |n: u32| calls([("no_such_tool", json!({ "n": n }))]);
    let mut world = World::new(ScriptedPlanner::new([wrong(1), wrong(2), wrong(3)])).await;
    world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let question = world.asked().await;
    assert!(question.text.starts_with("3 calls in a row couldn't run"), "{}", question.text);
}

#[tokio::test]
async fn at_its_limit_a_task_answers_with_what_it_has_and_calls_nothing_more() {
    let look = |n: u32| calls([("search", json!({"action": "find", "pattern": format!("{n}*")}))]);
    let planner = Arc::new(ScriptedPlanner::new([look(1), look(2), done("I found 2 of 3.")]));
    let mut world = World::open(TempHome::new().unwrap(), planner.clone()).await;
    world.start(StartCommand { max_iterations: Some(2), ..world.start_command() }).await;
    let end = world.ended().await;
    assert_eq!(end.reason, StopReason::IterationLimit);
    assert!(end.summary.starts_with("I found 2 of 3.\n\nStopped after 2 iterations"), "{}", end.summary);
    let requests = planner.requests();
    assert_eq!(requests.len(), 3);
    assert!(
        matches!(requests[2].messages.last(), Some(Message::User(m)) if m.text.contains("the limit of steps"))
    );
}

/// A model that accepts requests of up to a number of characters, and rejects longer ones.
struct Small {
    most_chars: usize,
    plans: ScriptedPlanner,
    rejected: Mutex<Vec<usize>>,
    accepted: Mutex<Vec<Messages>>,
}

#[async_trait::async_trait]
impl Planner for Small {
    async fn plan(
        &self,
        request: PlanRequest,
        progress: ProgressSink,
        cancel: CancellationToken,
    ) -> Result<PlanReply, PlanError> {
        let length = serde_json::to_string(&request.messages).unwrap().len();
        if length > self.most_chars {
            self.rejected.lock().unwrap().push(length);
            return Err(PlanError::new(PlanErrorCode::ContextOverflow, "too long"));
        }
        self.accepted.lock().unwrap().push(request.messages.clone());
        self.plans.plan(request, progress, cancel).await
    }
}

/// No single result is too long, but together they do not fit, whatever the window of the settings is.
#[tokio::test]
async fn results_that_are_too_long_together_are_shortened_for_the_model() {
    let read = |n: u32| ("code", json!({"action": "read", "path": format!("{n}.txt")}));
    for (count, line) in [(5, "nothing in particular is said here"), (2, "x"), (1, "ä ö ü")] {
        let reads = match count {
            5 => calls([read(0), read(1), read(2), read(3), read(4)]),
            2 => calls([read(0), read(1)]),
            _ => calls([read(0)]),
        };
        let small = Arc::new(Small {
            most_chars: 20_000 / (6 - count as usize),
            plans: ScriptedPlanner::new([reads, done("ok")]),
            rejected: Mutex::default(),
            accepted: Mutex::default(),
        });
        let mut world = World::open(two_backends(), small.clone()).await;
        for n in 0..count {
            let text: String = (0..3_000).map(|at| format!("{at} {line}\n")).collect();
            world.home.write(&format!("{n}.txt"), text).unwrap();
        }
        world.start(world.start_command()).await;
        let end = world.ended().await;
        assert_eq!(end.reason, StopReason::Completed, "{}", end.summary);
        let rejected = small.rejected.lock().unwrap().clone();
        assert!(rejected.len() <= 3, "{count}: {rejected:?}");
        assert!(rejected.windows(2).all(|pair| pair[1] < pair[0]), "never the same twice: {rejected:?}");
        let last = small.accepted.lock().unwrap().last().unwrap().clone();
        let results = last.iter().filter(|message| matches!(message, Message::Tool(_))).count();
        assert_eq!(results, count as usize, "each call has its result");
        let told = serde_json::to_string(&last).unwrap();
        assert!(told.contains("of this result are left out"), "{told}");
    }
}
