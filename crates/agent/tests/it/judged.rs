//! Tests how often a call is judged: once for its decision, and again right before it runs if anything happened in
//! between.

use crate::world::{World, allow_once};
use async_trait::async_trait;
use deputy_protocol::*;
use deputy_testkit::{FakeClock, ScriptedPlanner, TempHome, calls, done};
use deputy_tools::{CallContext, InvalidCall, Left, Place, Registry, Shape, Tool};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// A tool that counts judgements: each one collects the facts of a call once.
struct Counted {
    tool: Arc<dyn Tool>,
    judged: Arc<Mutex<Vec<CallId>>>,
}

#[async_trait]
impl Tool for Counted {
    fn name(&self) -> &str {
        self.tool.name()
    }

    fn description(&self) -> &str {
        self.tool.description()
    }

    fn shapes(&self) -> Vec<Shape> {
        self.tool.shapes()
    }

    fn facts(&self, parameters: &Value, place: &Place) -> Result<Facts, InvalidCall> {
        self.tool.facts(parameters, place)
    }

    fn facts_of(&self, call: &CallId, parameters: &Value, place: &Place) -> Result<Facts, InvalidCall> {
        self.judged.lock().unwrap().push(call.clone());
        self.tool.facts_of(call, parameters, place)
    }

    fn would_fail(&self, parameters: &Value, place: &Place) -> Option<Phrase> {
        self.tool.would_fail(parameters, place)
    }

    fn working_dir(&self, parameters: &Value, place: &Place) -> Result<Option<PathBuf>, InvalidCall> {
        self.tool.working_dir(parameters, place)
    }

    fn bound(&self, schema: &mut Value, limits: &Limits) {
        self.tool.bound(schema, limits);
    }

    fn left(&self, call: &CallId, parameters: &Value) -> Left {
        self.tool.left(call, parameters)
    }

    async fn run(&self, parameters: &Value, cx: &CallContext) -> ToolResult {
        self.tool.run(parameters, cx).await
    }
}

/// Runs one plan to its end, allows its requests, and returns how often each of its calls was judged.
async fn judgements(plan: AgentPlan, asks: bool) -> Vec<usize> {
    let judged = Arc::new(Mutex::new(Vec::new()));
    let mut registry = Registry::standard();
    for name in ["shell", "code", "search"] {
        let tool = registry.get(name).unwrap().clone();
        registry.add(Arc::new(Counted { tool, judged: judged.clone() }));
    }
    let count = plan.tool_calls.len();
    let planner = Arc::new(ScriptedPlanner::new([plan, done("ok")]));
    let home = TempHome::new().unwrap();
    let mut world = World::open_with(home, planner, FakeClock::default(), registry).await;
    world.home.write("a.txt", "a\n").unwrap();
    let task = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    if asks {
        let request = world.requested().await;
        world.decide(&request, allow_once()).await.unwrap();
    }
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    let judged = judged.lock().unwrap();
    let times = |index| {
        let call = CallId::of(&task, 1, index);
        judged.iter().filter(|one| **one == call).count()
    };
    (1..=count).map(times).collect()
}

fn write(path: &str) -> (&'static str, Value) {
    ("code", json!({"action": "write", "path": path, "content": "b\n"}))
}

#[tokio::test]
async fn a_call_that_runs_right_after_its_decision_is_judged_once() {
    let plan = calls([("shell", json!({"command": "cat a.txt"}))]);
    assert_eq!(judgements(plan, false).await, [1]);
}

#[tokio::test]
async fn a_call_that_a_person_allows_is_judged_twice() {
    assert_eq!(judgements(calls([write("a.txt")]), true).await, [2]);
    let plan = calls([("shell", json!({"command": "touch b.txt"}))]);
    assert_eq!(judgements(plan, true).await, [2]);
}

#[tokio::test]
async fn edits_that_are_asked_about_together_are_judged_twice_each() {
    assert_eq!(judgements(calls([write("a.txt"), write("b.txt")]), true).await, [2, 2]);
}
