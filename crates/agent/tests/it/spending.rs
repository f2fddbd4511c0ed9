//! Tests of spending: the cost of plans, and the limits of a task and of a day, which pause a task and report the
//! spending and its results.

use crate::world::World;
use deputy_protocol::*;
use deputy_testkit::{Answer, ScriptedPlanner, TempHome, calls, done};
use serde_json::json;
use std::sync::Arc;

/// Creates a home with a backend whose model has a price: a plan of the script (100 tokens read, 10 written) costs
/// 1.50.
fn priced(more: &str) -> TempHome {
    let home = TempHome::new().unwrap();
    let config = format!(
        "backend = \"openai_compatible\"\n[backends.openai_compatible]\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\n\
         [prices.m]\ninput = 10000.0\noutput = 50000.0\n{more}"
    );
    std::fs::write(home.path().join("config.toml"), config).unwrap();
    home
}

fn write(n: u32) -> Answer {
    calls([("code", json!({"action": "write", "path": format!("{n}.txt"), "content": "x"}))]).into()
}

fn paused(event: &TaskEvent) -> Option<Paused> {
    match event {
        TaskEvent::Paused(paused) if paused.reason == PauseReason::Budget => Some(paused.clone()),
        _ => None,
    }
}

#[tokio::test]
async fn a_task_pauses_at_its_cost_and_says_what_it_bought() {
    let planner = Arc::new(ScriptedPlanner::new([write(1), write(2), done("made it").into()]));
    let mut world = World::open(priced(""), planner.clone()).await;
    let start = StartCommand { max_cost_cents: Some(300), ..world.start_command() };
    let task = world.start(start).await;
    let reached = world.wait(paused).await;
    let budget = reached.budget.unwrap();
    assert_eq!((budget.limit, budget.cost_micros), (BudgetLimit::Cost, 3_000_000));
    assert_eq!((budget.files, budget.calls, budget.steps), (2, 2, 2));
    let words = reached.message.as_str();
    assert!(words.contains("has cost 3.00 USD") && words.contains("changed 2 files"), "{words}");
    world.command(HostCommand::Resume(ResumeCommand { task: task.clone() })).await.unwrap();
    let end = world.ended().await;
    let report = end.report.unwrap();
    assert_eq!(report.cost_micros, Some(4_500_000));
    assert!(report.changed[0].path.ends_with("/1.txt") && report.calls.len() == 2, "{report:?}");
    let summary = world.host.store().task(&task).unwrap().unwrap();
    assert_eq!(summary.cost_micros, Some(4_500_000));
}

#[tokio::test]
async fn a_cost_limit_without_a_price_asks_once() {
    let planner = Arc::new(ScriptedPlanner::new([write(1), write(2), done("made it").into()]));
    let home = priced("");
    let config = home.path().join("config.toml");
    let text = std::fs::read_to_string(&config).unwrap().replace("[prices.m]", "[prices.other]");
    std::fs::write(&config, text).unwrap();
    let mut world = World::open(home, planner).await;
    let task = world.start(StartCommand { max_cost_cents: Some(1), ..world.start_command() }).await;
    let reached = world.wait(paused).await;
    assert_eq!(reached.budget.unwrap().limit, BudgetLimit::UnknownPrice);
    world.command(HostCommand::Resume(ResumeCommand { task })).await.unwrap();
    assert_eq!(world.ended().await.summary, "made it");
}

#[tokio::test]
async fn the_limit_of_a_day_counts_all_tasks_and_is_lifted_for_all() {
    let planner = Arc::new(ScriptedPlanner::new([done("one"), done("two"), done("three")]));
    let mut world = World::open(priced("[limits]\nday_tokens = 150\n"), planner.clone()).await;
    world.start(world.start_command()).await;
    assert_eq!(world.ended().await.summary, "one");
    world.start(world.start_command()).await;
    assert_eq!(world.ended().await.summary, "two", "110 of 150 are used");
    let third = world.start(world.start_command()).await;
    let reached = world.wait(paused).await.budget.unwrap();
    assert_eq!((reached.limit, reached.tokens), (BudgetLimit::DayTokens, 220));
    assert_eq!(planner.requests().len(), 2, "nothing is spent past the limit");
    world.command(HostCommand::Resume(ResumeCommand { task: third })).await.unwrap();
    assert_eq!(world.ended().await.summary, "three");
    let usage = world.host.query(HostQuery::Usage(UsageQuery { since_ms: 0 })).await.unwrap();
    let QueryAnswer::Usage(usage) = usage else { panic!("{usage:?}") };
    assert_eq!((usage.today.tokens, usage.today.max_tokens), (330, 150));
    assert_eq!(usage.rows.iter().map(|row| row.cost_micros.unwrap()).sum::<u64>(), 4_500_000);
    assert_eq!(usage.rows.iter().map(|row| row.plans).sum::<u64>(), 3);
}
