//! The queue through the command line: seen, changed, kept over a host that is killed, and told to anyone who looks on.

use crate::hosts::serve;
use crate::support::World;
use deputy_protocol::*;
use deputy_store::Store;
use deputy_testkit::Turn;
use rustix::process::Signal;

/// The ids of the queued tasks, as `deputy queue` lists them.
fn listed(world: &World) -> Vec<TaskId> {
    let queue = world.json(&["queue"]);
    assert_eq!(queue.code, Some(0), "{queue:?}");
    queue.stdout.lines().map(|line| serde_json::from_str::<TaskSummary>(line).unwrap().id).collect()
}

/// Hands a task over and leaves it to the host.
fn hand_over(world: &World, goal: &str) -> TaskId {
    let detached = world.json(&["run", goal, "--detach"]);
    assert_eq!(detached.code, Some(0), "{detached:?}");
    world.task().id
}

fn moved(world: &World, args: &[&str]) -> String {
    let moved = world.say(&[&["queue"], args].concat());
    assert_eq!(moved.code, Some(0), "{moved:?}");
    moved.stdout
}

fn refused(world: &World, args: &[&str]) -> (Option<i32>, ErrorCode) {
    let refused = world.json(&[&["queue"], args].concat());
    (refused.code, refused.error().unwrap().code)
}

#[test]
fn the_order_is_changed_kept_when_the_host_is_killed_and_held_to() {
    let hang = || Turn::Hang(Default::default());
    let world = World::new([hang(), hang(), Turn::text("a"), Turn::text("b"), Turn::text("c")]);
    let host = serve(&world);
    let works = hand_over(&world, "works");
    assert!(world.model.wait_for_requests(1));
    let [one, two, three] = ["one", "two", "three"].map(|goal| hand_over(&world, goal));
    assert_eq!(listed(&world), [one.clone(), two.clone(), three.clone()]);
    let said = moved(&world, &["first", three.as_str()]);
    assert!(said.contains("starts next") && !said.contains("takes effect with"), "{said}");
    assert_eq!(listed(&world), [three.clone(), one.clone(), two.clone()]);
    let AgentState::Active(active) = world.state() else { panic!("tasks wait") };
    let shown: Vec<TaskId> = active.tasks.into_iter().map(|task| task.id).collect();
    assert_eq!(shown, [works.clone(), three.clone(), one.clone(), two.clone()]);

    let works_id = works.as_str();
    assert_eq!(refused(&world, &["first", works_id]), (Some(1), ErrorCode::NotQueued));
    let before_works = ["move", one.as_str(), "--before", works_id];
    assert_eq!(refused(&world, &before_works), (Some(1), ErrorCode::NotQueued));
    let before_itself = ["move", one.as_str(), "--before", one.as_str()];
    assert_eq!(refused(&world, &before_itself), (Some(1), ErrorCode::BeforeItself));
    assert_eq!(refused(&world, &["last", "nobody"]), (Some(1), ErrorCode::UnknownTask));

    host.signal(Signal::KILL).unwrap();
    assert_eq!(host.wait().unwrap(), None);
    assert_eq!(listed(&world), [three.clone(), one.clone(), two.clone()], "nobody serves, and it is there");
    let said = moved(&world, &["move", two.as_str(), "--before", one.as_str()]);
    assert!(said.contains("takes effect with"), "{said}");

    let host = serve(&world);
    // What had begun continues first.
    assert!(world.model.wait_for_requests(2));
    let order = [three, two, one];
    assert_eq!(listed(&world), order);
    assert_eq!(world.say(&["stop", works.as_str()]).code, Some(0));
    for task in &order {
        let follow = world.json(&["follow", task.as_str()]);
        assert_eq!(follow.code, Some(0), "{follow:?}");
    }
    assert!(world.say(&["queue"]).stdout.contains("The queue is empty."));
    host.signal(Signal::TERM).unwrap();
    assert_eq!(host.wait().unwrap(), Some(0));
    let store = Store::open(&world.home.path()).unwrap();
    let starts = store.events_since(0, 10_000).unwrap().into_iter().filter_map(|record| match record.event {
        TaskEvent::IterationStarted(begun) if begun.iteration == 1 => Some(record.task),
        _ => None,
    });
    assert_eq!(starts.skip(1).collect::<Vec<_>>(), order);
    store.check_integrity().unwrap();
}
