//! Tests of the inbox under a flood of requests: at most twenty are open, the same call is asked about once, and the
//! others wait. Nothing is dropped, and nothing runs without being allowed.

use crate::world::{World, allow_once, deny};
use async_trait::async_trait;
use deputy_planner::{PlanError, Planner, ProgressSink};
use deputy_protocol::ErrorCode;
use deputy_protocol::*;
use deputy_store::{MAX_OPEN_QUESTIONS, MAX_OPEN_REQUESTS};
use deputy_testkit::{ScriptedPlanner, TempHome, calls, done};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// A planner that runs the task's goal as a command once, and then ends. A goal of several lines is several commands,
/// one for each plan.
struct Obedient;

#[async_trait]
impl Planner for Obedient {
    async fn plan(
        &self,
        request: PlanRequest,
        _: ProgressSink,
        _: CancellationToken,
    ) -> Result<PlanReply, PlanError> {
        let goal = request.messages.iter().find_map(|message| match message {
            Message::User(user) => Some(user.text.clone()),
            _ => None,
        });
        let ran = request.messages.iter().filter(|message| matches!(message, Message::Tool(_))).count();
        let plan = match goal.unwrap_or_default().lines().nth(ran) {
            Some(line) if line.starts_with("write ") => {
                let path = line.trim_start_matches("write ");
                calls([("code", json!({"action": "write", "path": path, "content": "mark\n"}))])
            }
            Some(command) => calls([("shell", json!({ "command": command }))]),
            None => done("ok"),
        };
        Ok(PlanReply { plan, usage: Usage::default() })
    }
}

/// Returns how many tasks ask at the same time. The documented limit is 5,000.
fn all() -> usize {
    std::env::var("DEPUTY_REQUESTS").map_or(60, |count| count.parse().unwrap())
}

async fn world() -> World {
    let mut home = TempHome::new().unwrap();
    home.set("max_concurrent_tasks", 4).unwrap();
    World::open(home, Arc::new(Obedient)).await
}

async fn start(world: &World, goal: &str) -> TaskId {
    world.start(StartCommand { goal: goal.into(), standing_consent: None, ..world.start_command() }).await
}

fn open(world: &World) -> Vec<PermissionRequest> {
    world.host.store().open_requests().unwrap()
}

/// Waits until that many requests are open and every other task is parked or has ended.
async fn settled(world: &mut World, wanted: usize) {
    loop {
        let tasks = world.host.store().unfinished().unwrap();
        let parked = TaskState::Paused(PausedTask { reason: PauseReason::Permission, iteration: 1 });
        if open(world).len() == wanted && tasks.iter().all(|task| task.state == parked) {
            return;
        }
        world.wait(|_| Some(())).await;
    }
}

async fn answer(world: &World, choice: impl Fn(&PermissionRequest) -> Choice) -> Vec<PermissionRequest> {
    let requests = open(world);
    for request in &requests {
        world.decide(request, choice(request)).await.unwrap();
    }
    requests
}

/// Returns the files that the commands created. The sandbox may leave an empty `.git` behind.
fn made(world: &World) -> BTreeSet<String> {
    let entries = std::fs::read_dir(world.home.workspace()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name != ".git").collect()
}

/// With up to five thousand requests (`DEPUTY_REQUESTS=5000`), at most twenty are open, and each is asked about and
/// answered once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_comes_through_twenty_places() {
    let all = all();
    let world = world().await;
    let mut tasks = Vec::new();
    for n in 0..all {
        tasks.push(start(&world, &format!("touch f{n}")).await);
    }
    let (mut answered, mut allowed) = (BTreeMap::new(), BTreeSet::new());
    let mut seen = 0;
    while answered.len() < all {
        let requests = open(&world);
        assert!(requests.len() <= MAX_OPEN_REQUESTS as usize);
        for request in requests {
            // Every third is denied.
            let choice = if answered.len() % 3 == 0 { deny("no") } else { allow_once() };
            if matches!(choice, Choice::Allow(_)) {
                allowed.insert(request.details.command.clone().unwrap().replace("touch ", ""));
            }
            world.decide(&request, choice.clone()).await.unwrap();
            assert!(answered.insert(request.id.clone(), choice).is_none(), "asked twice");
        }
        while open(&world).is_empty()
            && answered.len() < all
            && world.host.store().last_seq().unwrap() == seen
        {
            tokio::task::yield_now().await;
        }
        seen = world.host.store().last_seq().unwrap();
    }
    while !world.host.store().unfinished().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    let mut open_now: BTreeSet<RequestId> = BTreeSet::new();
    let (mut asked, mut commands, mut started, mut failed) =
        (0, BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
    let mut after = 0;
    loop {
        let page = world.host.store().events_since(after, 1_000).unwrap();
        let Some(last) = page.last() else { break };
        after = last.seq;
        for record in page {
            match record.event {
                TaskEvent::PermissionRequested(event) => {
                    asked += 1;
                    let name = event.request.details.command.clone().unwrap().replace("touch ", "");
                    commands.insert(event.request.call.clone(), name);
                    open_now.insert(event.request.id);
                    assert!(open_now.len() <= MAX_OPEN_REQUESTS as usize, "at event {}", record.seq);
                }
                TaskEvent::PermissionAnswered(event) => {
                    assert!(matches!(event.by, Answerer::Local(_)), "{event:?}");
                    assert_eq!(answered.get(&event.request), Some(&event.choice));
                    assert!(open_now.remove(&event.request));
                }
                TaskEvent::ToolStarted(event) => {
                    assert!(started.insert(commands[&event.call].clone()), "started twice");
                }
                TaskEvent::ToolFinished(event) if event.result.status != CallStatus::Ok => {
                    failed.insert(commands[&event.call].clone(), event.result.content);
                }
                _ => {}
            }
        }
    }
    assert_eq!((asked, open_now.len()), (all, 0), "each was asked, and answered");
    assert_eq!(started, allowed, "what started is what was allowed, once each");
    assert_eq!(made(&world), allowed, "what ran is what was allowed: {failed:?}");
    println!("{all} tasks asked, {} allowed", allowed.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_yes_counts_once_and_a_no_for_all_who_wait_to_ask_the_same() {
    let mut world = world().await;
    // Each creates a file, and all are the same call.
    for _ in 0..5 {
        start(&world, "write mark").await;
    }
    settled(&mut world, 1).await;
    let first = answer(&world, |_| allow_once()).await.remove(0);
    let second = loop {
        match open(&world).pop() {
            Some(request) if request.id != first.id => break request,
            _ => tokio::task::yield_now().await,
        }
    };
    assert_eq!(second.digest, first.digest);
    settled(&mut world, 1).await;
    assert_eq!(made(&world).len(), 1, "one was allowed");
    world.decide(&second, deny("not again")).await.unwrap();
    while !world.host.store().unfinished().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(made(&world).len(), 1);
    let (mut asked, mut shared) = (0, 0);
    for task in world.host.store().tasks(10).unwrap() {
        let events = world.events_of(&task.id);
        if events.iter().any(|event| matches!(event, TaskEvent::PermissionRequested(_))) {
            asked += 1;
            assert!(!events.iter().any(|event| matches!(event, TaskEvent::RefusalShared(_))));
            continue;
        }
        // Before the end of the call, its journal records the author, the request and the reason of the denial.
        let told = events.iter().position(|event| matches!(event, TaskEvent::RefusalShared(_))).unwrap();
        let (TaskEvent::RefusalShared(refusal), TaskEvent::ToolFinished(end)) =
            (&events[told], &events[told + 1])
        else {
            panic!("{:?}", &events[told..]);
        };
        assert_eq!((&refusal.request, &refusal.asked_by), (&second.id, &second.task));
        assert_eq!((refusal.reason.as_str(), &refusal.digest), ("not again", &second.digest));
        assert!(matches!(&refusal.by, Answerer::Local(_)), "{:?}", refusal.by);
        assert_eq!((&end.call, end.result.status), (&refusal.call, CallStatus::Denied));
        assert!(end.result.content.contains(second.id.as_str()), "{}", end.result.content);
        assert!(end.result.content.contains("not again"), "{}", end.result.content);
        shared += 1;
    }
    assert_eq!((asked, shared), (2, 3));
    world.host.store().check_integrity().unwrap();
}

/// A planner that asks a question, and ends once it is answered.
struct Curious;

#[async_trait]
impl Planner for Curious {
    async fn plan(
        &self,
        request: PlanRequest,
        _: ProgressSink,
        _: CancellationToken,
    ) -> Result<PlanReply, PlanError> {
        // Recalled text was not said by the user.
        let is_said =
            |message: &&Message| matches!(message, Message::User(user) if !user.text.starts_with("<<data "));
        let said = request.messages.iter().filter(is_said).count();
        let question = (said < 2).then(|| "What is meant?".to_owned());
        let plan = AgentPlan { is_complete: question.is_none(), question, ..AgentPlan::default() };
        Ok(PlanReply { plan, usage: Usage::default() })
    }
}

/// Regression test: the number of simultaneous questions was not limited. All tasks ask the same question here, and
/// each gets a separate answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn questions_come_through_twenty_places_too() {
    const ALL: usize = 27;
    let mut home = TempHome::new().unwrap();
    home.set("max_concurrent_tasks", 4).unwrap();
    let mut world = World::open(home, Arc::new(Curious)).await;
    for n in 0..ALL {
        start(&world, &format!("thing {n}")).await;
    }
    let parked = TaskState::Paused(PausedTask { reason: PauseReason::Question, iteration: 1 });
    let open = |world: &World| world.host.store().open_questions().unwrap();
    while open(&world).len() < MAX_OPEN_QUESTIONS as usize
        || world.host.store().unfinished().unwrap().iter().any(|task| task.state != parked)
    {
        world.wait(|_| Some(())).await;
    }
    let before = open(&world);
    assert_eq!(before.len(), MAX_OPEN_QUESTIONS as usize);

    let home = world.end().await;
    let world = World::open(home, Arc::new(Curious)).await;
    assert_eq!(open(&world), before, "the same ones wait after a restart");
    // A waiting task that is stopped never asks.
    let is_waiting = |task: &TaskSummary| !before.iter().any(|question| question.task == task.id);
    let stopped = world.host.store().unfinished().unwrap().into_iter().find(is_waiting).unwrap().id;
    world.command(HostCommand::Stop(StopCommand { task: stopped.clone() })).await.unwrap();
    let mut answered = BTreeSet::new();
    while answered.len() < ALL - 1 {
        let questions = open(&world);
        assert!(questions.len() <= MAX_OPEN_QUESTIONS as usize);
        for question in questions {
            world.answer(&question, &format!("this, for {}", question.task)).await.unwrap();
            assert!(answered.insert(question.task.clone()), "asked twice");
        }
        tokio::task::yield_now().await;
    }
    while !world.host.store().unfinished().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    assert!(!answered.contains(&stopped));
    for task in &answered {
        let events = world.events_of(task);
        let own = format!("this, for {task}");
        assert!(
            events
                .iter()
                .any(|event| matches!(event, TaskEvent::QuestionAnswered(answer) if answer.text == own))
        );
        assert!(
            matches!(events.last(), Some(TaskEvent::Stopped(end)) if end.reason == StopReason::Completed)
        );
    }
    world.host.store().check_integrity().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_yes_for_longer_lets_those_through_that_waited() {
    let mut world = world().await;
    for _ in 0..4 {
        start(&world, "write mark").await;
    }
    settled(&mut world, 1).await;
    answer(&world, |request| {
        let offer = request.offered.iter().find(|offer| matches!(offer.lifetime, Lifetime::Always(_)));
        Choice::Allow(AllowChoice {
            lifetime: offer.unwrap().lifetime.clone(),
            wider: false,
            dropped: Vec::new(),
        })
    })
    .await;
    for _ in 0..4 {
        assert_eq!(world.ended().await.reason, StopReason::Completed);
    }
    assert_eq!(made(&world), BTreeSet::from(["mark".to_owned()]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_line_is_there_again_after_a_restart() {
    const ALL: usize = 26;
    let mut world = world().await;
    for n in 0..ALL {
        start(&world, &format!("touch f{n}")).await;
    }
    settled(&mut world, MAX_OPEN_REQUESTS as usize).await;
    let before = open(&world);
    // A task with standing consent waits for no person, and therefore for no room.
    let hasty = StartCommand {
        goal: "mkdir hasty".into(),
        standing_consent: Some(Risk::Medium),
        ..world.start_command()
    };
    world.start(hasty).await;
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    assert_eq!(made(&world), BTreeSet::from(["hasty".to_owned()]));

    let home = world.end().await;
    let mut world = World::open(home, Arc::new(Obedient)).await;
    assert_eq!(open(&world), before, "the same ids, the same digests");
    // A waiting task that is stopped never asks.
    let waiting = world
        .host
        .store()
        .unfinished()
        .unwrap()
        .into_iter()
        .rev()
        .find(|task| !before.iter().any(|request| request.task == task.id));
    let stopped = waiting.unwrap().id;
    world.command(HostCommand::Stop(StopCommand { task: stopped.clone() })).await.unwrap();
    world.decide(&before[0], deny("")).await.unwrap();
    let next = world.requested().await;
    assert!(!before.contains(&next));
    // The waiting tasks ask as room becomes available, one after another or all at once.
    while !world.host.store().unfinished().unwrap().is_empty() {
        answer(&world, |_| allow_once()).await;
        tokio::task::yield_now().await;
    }
    assert_eq!(
        made(&world).len(),
        ALL - 2 + 1,
        "all but the refused and the stopped one, and the hasty one's"
    );
    let of_stopped = world.events_of(&stopped);
    assert!(!of_stopped.iter().any(|event| matches!(event, TaskEvent::PermissionRequested(_))));
}

/// A model that mixes harmless calls in between is braked anyway.
#[tokio::test]
async fn three_refusals_ask_whatever_ran_in_between() {
    let mut world = world().await;
    let goal = "touch a\nls\ntouch b\nls -a\ntouch c\nls -l\ntouch d\nls -R\ntouch e\nls -t";
    start(&world, goal).await;
    for choice in [deny(""), deny(""), allow_once(), deny(""), deny("")] {
        let request = world.requested().await;
        world.decide(&request, choice).await.unwrap();
    }
    assert_eq!(world.ended().await.reason, StopReason::Completed, "a yes in between begins anew");
    start(&world, goal).await;
    for _ in 0..3 {
        let request = world.requested().await;
        world.decide(&request, deny("")).await.unwrap();
    }
    let asked = world.asked().await;
    assert!(asked.text.contains("You said no 3 times"), "{}", asked.text);
    world.answer(&asked, "stop").await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::ManualStop);
    assert_eq!(made(&world), BTreeSet::from(["c".to_owned()]));
}

/// Returns the ids of the requests that a task made so far.
fn requests_of(world: &World, task: &TaskId) -> Vec<RequestId> {
    let id = |event: TaskEvent| match event {
        TaskEvent::PermissionRequested(asked) => Some(asked.request.id),
        _ => None,
    };
    world.events_of(task).into_iter().filter_map(id).collect()
}

/// The host's clock decides, regardless of whether the driver has noticed it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_answer_counts_for_nothing_and_the_task_asks_again() {
    let mut world = world().await;
    let task = start(&world, "touch late").await;
    let request = world.requested().await;
    let left = request.expires_at_ms - world.clock.now_ms();
    assert_eq!(left, 24 * 3_600_000);
    world.clock.set(request.expires_at_ms - 1);
    // Approval of a call other than the one shown is refused, in time or not.
    let other = PermissionRequest { digest: Digest::new("0".repeat(64)), ..request.clone() };
    assert_eq!(world.decide(&other, allow_once()).await.unwrap_err().code, ErrorCode::Changed);
    world.clock.set(request.expires_at_ms);
    assert_eq!(world.decide(&request, allow_once()).await.unwrap_err().code, ErrorCode::Expired);
    let fresh = world.requested().await;
    assert_eq!(fresh.digest, request.digest);
    // Setting the clock back does not make it valid again, and a second late answer makes no third request.
    world.clock.set(request.created_at_ms);
    for choice in [allow_once(), deny("too late")] {
        assert_eq!(world.decide(&request, choice).await.unwrap_err().code, ErrorCode::Expired);
    }
    assert_eq!(requests_of(&world, &task), [request.id, fresh.id.clone()]);
    let is_tool = |event: &TaskEvent| matches!(event, TaskEvent::ToolStarted(_) | TaskEvent::ToolFinished(_));
    assert!(!world.events_of(&task).iter().any(is_tool));
    world.decide(&fresh, allow_once()).await.unwrap();
    world.ended().await;
    assert_eq!(made(&world), BTreeSet::from(["late".to_owned()]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_expired_request_leaves_its_task_waiting_until_a_person_lets_it_ask_again() {
    let mut world = world().await;
    let task = start(&world, "touch late").await;
    let request = world.requested().await;
    let home = world.end().await;
    let planner = Arc::new(ScriptedPlanner::new([done("ok")]));
    let mut world = World::open_at(home, planner.clone(), request.expires_at_ms).await;
    let by = world.answered().await.by;
    assert_eq!(by, Answerer::Expiry(ExpiryAnswerer {}));
    let waits = TaskState::Paused(PausedTask { reason: PauseReason::Expired, iteration: 1 });
    assert_eq!(world.host.store().task(&task).unwrap().unwrap().state, waits);
    assert_eq!(world.host.store().open_requests().unwrap(), []);
    // Other tasks work meanwhile.
    world.start(world.start_command()).await;
    world.ended().await;
    assert_eq!(planner.requests().len(), 1, "the model of the waiting task hears nothing");

    planner.push(done("did it"));
    world.command(HostCommand::Resume(ResumeCommand { task: task.clone() })).await.unwrap();
    let fresh = world.requested().await;
    assert_ne!(fresh.id, request.id);
    world.decide(&fresh, allow_once()).await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    let TaskState::Stopped(stopped) = world.host.store().task(&task).unwrap().unwrap().state else {
        panic!("it ended")
    };
    assert_eq!(stopped.denied, 0, "nobody denied anything");
    assert_eq!(made(&world), BTreeSet::from(["late".to_owned()]));
}

#[tokio::test]
async fn a_task_can_be_stopped_after_its_request_expired() {
    let mut world = world().await;
    let task = start(&world, "touch late").await;
    let request = world.requested().await;
    let mut world = World::open_at(
        world.end().await,
        Arc::new(ScriptedPlanner::new([done("unused")])),
        request.expires_at_ms,
    )
    .await;
    world.answered().await;
    world.command(HostCommand::Stop(StopCommand { task })).await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::ManualStop);
    let late = world.decide(&request, allow_once()).await.unwrap_err();
    assert_eq!(late.code, ErrorCode::Expired);
    assert!(late.message.to_string().contains("has ended"), "{}", late.message);
}

#[tokio::test]
async fn resuming_a_task_that_waits_for_an_answer_answers_nothing() {
    // Regression test: every client showed the task as running while it was still waiting.
    let write = calls([("code", json!({"action": "write", "path": "a.txt", "content": "1"}))]);
    let mut world = World::new(ScriptedPlanner::new([write, done("ok")])).await;
    let task = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let request = world.requested().await;
    let waits = TaskState::Paused(PausedTask { reason: PauseReason::Permission, iteration: 1 });
    let state = |world: &World| world.host.store().task(&task).unwrap().unwrap().state;

    world.command(HostCommand::Resume(ResumeCommand { task: task.clone() })).await.unwrap();
    assert_eq!(state(&world), waits);
    let resumed = world.events_of(&task).iter().any(|event| matches!(event, TaskEvent::Resumed(_)));
    assert!(!resumed, "nothing was held, so nothing is announced");

    world.command(HostCommand::Pause(PauseCommand { task: task.clone() })).await.unwrap();
    world.command(HostCommand::Resume(ResumeCommand { task: task.clone() })).await.unwrap();
    assert_eq!(state(&world), waits);
    world.decide(&request, allow_once()).await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::Completed);
}
