//! Tests of the queue: which task starts next, and how a person changes it.

use crate::world::World;
use deputy_agent::new_command_id;
use deputy_protocol::ErrorCode;
use deputy_protocol::*;
use deputy_testkit::{Answer, ScriptedPlanner, calls, done, question};
use serde_json::json;
use std::sync::Arc;

impl World {
    async fn queue_up(&self, goal: &str) -> TaskId {
        self.start(StartCommand { goal: goal.to_owned(), ..self.start_command() }).await
    }

    /// Waits until a task works, so that tasks submitted afterwards are queued.
    async fn begun(&mut self) {
        self.wait(|event| matches!(event, TaskEvent::IterationStarted(_)).then_some(())).await;
    }

    async fn put(&self, task: &TaskId, to: QueuePlace) -> Result<CommandOutcome, ErrorBody> {
        self.command(HostCommand::MoveInQueue(MoveInQueueCommand { task: task.clone(), to })).await
    }

    async fn stop(&self, task: &TaskId) {
        self.command(HostCommand::Stop(StopCommand { task: task.clone() })).await.unwrap();
    }

    /// Returns the queued tasks in the order that clients see.
    fn queue(&self) -> Vec<TaskId> {
        let queued = |task: &TaskSummary| matches!(task.state, TaskState::Queued(_));
        self.host.store().unfinished().unwrap().into_iter().filter(queued).map(|task| task.id).collect()
    }

    /// Returns the tasks in the order in which they began, from the journal.
    fn starts(&self) -> Vec<TaskId> {
        let first = |record: &EventRecord| matches!(&record.event, TaskEvent::IterationStarted(i) if i.iteration == 1);
        self.host.store().events_since(0, 10_000).unwrap().into_iter().filter(first).map(|r| r.task).collect()
    }

    async fn all_ended(&mut self, count: usize) {
        for _ in 0..count {
            self.ended().await;
        }
    }
}

fn first() -> QueuePlace {
    QueuePlace::First(FirstPlace {})
}

fn before(task: &TaskId) -> QueuePlace {
    QueuePlace::Before(BeforePlace { task: task.clone() })
}

/// Returns a planner with one task that works until it is stopped, and this many that end immediately.
fn hangs_then(count: usize) -> ScriptedPlanner {
    let planner = ScriptedPlanner::new([Answer::Hang]);
    (0..count).for_each(|number| planner.push(done(&number.to_string())));
    planner
}

#[tokio::test]
async fn tasks_start_in_the_order_that_a_person_gave_them() {
    let mut world = World::new(hangs_then(3)).await;
    let works = world.queue_up("works").await;
    world.begun().await;
    let mut tasks = Vec::new();
    for goal in ["one", "two", "three"] {
        tasks.push(world.queue_up(goal).await);
    }
    let [one, two, three] = &tasks[..] else { panic!("{tasks:?}") };
    assert_eq!(world.queue(), tasks);
    world.put(three, first()).await.unwrap();
    world.put(two, before(one)).await.unwrap();
    let order = [three, two, one].map(Clone::clone);
    assert_eq!(world.queue(), order);
    world.stop(&works).await;
    world.all_ended(4).await;
    assert_eq!(world.starts()[1..], order);
    // A move is an event of the moved task only.
    let moves = |task| world.events_of(task).iter().filter(|e| matches!(e, TaskEvent::QueueMoved(_))).count();
    assert_eq!([one, two, three].map(moves), [0, 1, 1]);
    world.host.store().check_integrity().unwrap();
}

#[tokio::test]
async fn the_order_outlives_the_process() {
    let mut world = World::new(hangs_then(0)).await;
    let works = world.queue_up("works").await;
    world.begun().await;
    let mut tasks = Vec::new();
    for number in 0..20 {
        tasks.push(world.queue_up(&number.to_string()).await);
    }
    tasks.reverse();
    for task in tasks.iter().rev() {
        world.put(task, first()).await.unwrap();
    }
    assert_eq!(world.queue(), tasks);
    let home = world.end().await;
    // The task that had begun continues before the others start, and is then stopped.
    let planner = Arc::new(hangs_then(20));
    let mut world = World::open(home, planner).await;
    world.wait(|event| matches!(event, TaskEvent::Resumed(_)).then_some(())).await;
    assert_eq!(world.queue(), tasks, "nothing starts before what had begun");
    world.stop(&works).await;
    world.all_ended(21).await;
    assert_eq!(world.starts()[1..], tasks);
}

#[tokio::test]
async fn two_screens_move_at_the_same_moment() {
    let mut world = World::new(hangs_then(4)).await;
    let works = world.queue_up("works").await;
    world.begun().await;
    let (a, b) = (world.queue_up("a").await, world.queue_up("b").await);
    let (c, d) = (world.queue_up("c").await, world.queue_up("d").await);
    let (one, two) = tokio::join!(world.put(&c, first()), world.put(&d, first()));
    one.unwrap();
    two.unwrap();
    // Both moves succeeded in some order: the later one is first, and all clients see the same order.
    let order = world.queue();
    assert!(order[..2] == [c.clone(), d.clone()] || order[..2] == [d, c], "{order:?}");
    assert_eq!(order[2..], [a, b]);
    world.stop(&works).await;
    world.all_ended(5).await;
    assert_eq!(world.starts()[1..], order);
}

#[tokio::test]
async fn what_waits_no_more_is_neither_moved_nor_a_place_to_move_to() {
    let mut world = World::new(hangs_then(2)).await;
    let works = world.queue_up("works").await;
    world.begun().await;
    let (one, two) = (world.queue_up("one").await, world.queue_up("two").await);
    for (task, to, code) in [
        (&works, first(), ErrorCode::NotQueued),
        (&one, before(&works), ErrorCode::NotQueued),
        (&one, before(&one), ErrorCode::BeforeItself),
        (&TaskId::new("t0"), first(), ErrorCode::UnknownTask),
        (&one, before(&TaskId::new("t0")), ErrorCode::UnknownTask),
    ] {
        assert_eq!(world.put(task, to).await.unwrap_err().code, code);
    }
    assert_eq!(world.queue(), [one.clone(), two.clone()]);
    world.stop(&works).await;
    world.all_ended(3).await;
    assert_eq!(world.starts(), [works, one, two]);
}

#[tokio::test]
async fn the_same_command_moves_once() {
    let mut world = World::new(hangs_then(2)).await;
    let works = world.queue_up("works").await;
    world.begun().await;
    let (one, two) = (world.queue_up("one").await, world.queue_up("two").await);
    let id = new_command_id();
    let command = HostCommand::MoveInQueue(MoveInQueueCommand { task: two.clone(), to: first() });
    world.host.command(&id, command.clone()).await.unwrap();
    world.put(&one, first()).await.unwrap();
    // Sent again by a client that did not get the answer, it does not revert later moves.
    world.host.command(&id, command).await.unwrap();
    assert_eq!(world.queue(), [one, two]);
    world.stop(&works).await;
    world.all_ended(3).await;
}

#[tokio::test]
async fn a_task_that_ends_while_it_is_moved_is_moved_before_or_not_at_all() {
    let mut world = World::new(hangs_then(8)).await;
    let works = world.queue_up("works").await;
    world.begun().await;
    let stays = world.queue_up("stays").await;
    for number in 0..8 {
        let task = world.queue_up(&number.to_string()).await;
        let stop = HostCommand::Stop(StopCommand { task: task.clone() });
        let (stopped, moved) = tokio::join!(world.command(stop), world.put(&task, first()));
        stopped.unwrap();
        let events = world.events_of(&task);
        let at = |is: fn(&TaskEvent) -> bool| events.iter().position(is);
        let (move_at, end_at) =
            (at(|e| matches!(e, TaskEvent::QueueMoved(_))), at(|e| matches!(e, TaskEvent::Stopped(_))));
        match moved {
            Ok(_) => assert!(move_at.is_some() && (end_at.is_none() || move_at < end_at), "{events:?}"),
            Err(refused) => {
                assert!(refused.code == ErrorCode::NotQueued && move_at.is_none(), "{refused:?} {events:?}")
            }
        }
    }
    world.all_ended(8).await;
    assert_eq!(world.queue(), std::slice::from_ref(&stays));
    world.stop(&works).await;
    world.all_ended(2).await;
    // The slot skipped all tasks that were stopped.
    assert_eq!(world.starts(), [works, stays]);
}

/// There was one queued task before it when it was answered. The order of the queue changes which one, but not the
/// number.
#[tokio::test]
async fn a_task_that_comes_back_from_a_person_has_as_many_before_it_as_when_it_came() {
    let planner =
        ScriptedPlanner::new([Answer::from(question("Which?")), Answer::Hang, done("first").into()]);
    planner.push(done("answered"));
    planner.push(done("late"));
    planner.push(done("last"));
    let mut world = World::new(planner).await;
    let asks = world.queue_up("asks").await;
    let question = world.asked().await;
    let works = world.queue_up("works").await;
    world.begun().await;
    let one = world.queue_up("one").await;
    world.answer(&question, "This.").await.unwrap();
    // A message is handled once the task is in line, so tasks that are queued afterwards are after it.
    let told = HostCommand::Steer(SteerCommand { task: asks.clone(), text: "and be quick".to_owned() });
    world.command(told).await.unwrap();
    let (late, last) = (world.queue_up("late").await, world.queue_up("last").await);
    world.put(&last, first()).await.unwrap();
    assert_eq!(world.queue(), [last.clone(), one.clone(), late.clone()]);
    world.stop(&works).await;
    world.all_ended(5).await;
    let ends: Vec<TaskId> = world
        .host
        .store()
        .events_since(0, 10_000)
        .unwrap()
        .into_iter()
        .filter(|record| matches!(record.event, TaskEvent::Stopped(_)))
        .map(|record| record.task)
        .collect();
    assert_eq!(ends, [works, last, asks, one, late]);
}

#[tokio::test]
async fn a_task_keeps_its_place_while_it_is_told_something() {
    let mut world = World::new(hangs_then(2)).await;
    let works = world.queue_up("works").await;
    world.begun().await;
    let (one, two) = (world.queue_up("one").await, world.queue_up("two").await);
    for _ in 0..3 {
        let told = HostCommand::Steer(SteerCommand { task: one.clone(), text: "more".to_owned() });
        world.command(told).await.unwrap();
    }
    world.stop(&works).await;
    world.all_ended(3).await;
    assert_eq!(world.starts(), [works, one, two]);
}

#[tokio::test]
async fn a_person_may_wait_and_the_queue_goes_on() {
    let read = calls([("code", json!({"action": "write", "path": "a", "content": "1"}))]);
    let planner =
        ScriptedPlanner::new([Answer::from(read), Answer::from(done("other")), Answer::from(done("ok"))]);
    let mut world = World::new(planner).await;
    let asks = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let request = world.requested().await;
    let other = world.queue_up("other").await;
    world.all_ended(1).await;
    assert_eq!(world.starts(), [asks, other]);
    world.decide(&request, crate::world::allow_once()).await.unwrap();
    world.all_ended(1).await;
}

/// Polls a future once. Returns whether it is not ready yet.
async fn waits(future: &mut (impl Future + Unpin)) -> bool {
    tokio::select! {
        biased;
        _ = future => false,
        () = std::future::ready(()) => true,
    }
}

#[tokio::test]
async fn a_host_ends_after_its_last_task_and_then_refuses_commands() {
    let mut world = World::new(hangs_then(1)).await;
    let works = world.queue_up("works").await;
    world.begun().await;
    world.queue_up("next").await;
    let host = world.host.clone();
    let mut idle = Box::pin(host.refuse_when_idle());
    assert!(waits(&mut idle).await);
    world.stop(&works).await;
    idle.await.unwrap();
    world.all_ended(2).await;
    let start = HostCommand::Start(world.start_command());
    assert_eq!(world.command(start).await.unwrap_err().code, ErrorCode::HostEnding);
    assert_eq!(world.host.store().tasks(10).unwrap().len(), 2);
}

#[tokio::test]
async fn a_host_does_not_end_while_a_command_is_in_progress() {
    let world = World::new(hangs_then(0)).await;
    let (begin, began) = tokio::sync::oneshot::channel();
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    let host = world.host.clone();
    let command = tokio::spawn(async move {
        let doing = async {
            begin.send(()).unwrap();
            ended.await.unwrap();
            Ok(CommandOutcome::Done(DoneOutcome {}))
        };
        host.once(&new_command_id(), OperationEffect::Changes, doing).await
    });
    began.await.unwrap();
    let mut idle = Box::pin(world.host.refuse_when_idle());
    assert!(waits(&mut idle).await);
    end.send(()).unwrap();
    idle.await.unwrap();
    assert!(command.await.unwrap().is_ok());
}
