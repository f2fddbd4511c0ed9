//! One host a home: `deputy serve` in the background, other processes as its clients, its end and its return.

use crate::support::{World, ask, questions, requests, stopped, write};
use deputy_protocol::{AgentState, ErrorCode, ServerMessage, StopReason, TaskEvent, TaskState};
use deputy_testkit::{Background, Turn};
use rustix::process::Signal;

/// Starts `deputy serve` and waits until it says that its socket answers.
pub(crate) fn serve(world: &World) -> Background {
    let mut host = world.start(&["serve"]);
    let welcome: ServerMessage = host.lines.read().unwrap().unwrap();
    assert!(matches!(welcome, ServerMessage::Welcome(_)), "{welcome:?}");
    host
}

#[test]
fn commands_find_the_host_and_it_drives_their_tasks() {
    let world = World::new([write("new.txt", "text\n"), ask("Good?"), Turn::text("Done.")]);
    let host = serve(&world);
    let detached = world.json(&["run", "write", "--detach"]);
    assert_eq!(detached.code, Some(0), "{detached:?}");
    let mut follow = world.start(&["follow", "last"]);
    let asked = follow.wait_for_event(|event| matches!(event, TaskEvent::PermissionRequested(_))).unwrap();
    let approve = world.say(&["approve", requests(&[asked])[0].id.as_str()]);
    assert_eq!(approve.code, Some(0), "{approve:?}");
    assert!(!approve.stdout.contains("takes effect with"), "the host is up: {}", approve.stdout);
    let asked = follow.wait_for_event(|event| matches!(event, TaskEvent::QuestionAsked(_))).unwrap();
    assert_eq!(world.home.read("new.txt").unwrap(), "text\n");
    assert_eq!(world.say(&["answer", questions(&[asked])[0].id.as_str(), "yes"]).code, Some(0));
    assert_eq!(follow.wait().unwrap(), Some(0), "whoever follows sees it end");
    assert_eq!(world.state(), AgentState::Idle(Default::default()));

    let second = world.json(&["serve"]);
    assert_eq!((second.code, second.error().unwrap().code), (Some(1), ErrorCode::AlreadyServed));
    host.signal(Signal::TERM).unwrap();
    assert_eq!(host.wait().unwrap(), Some(0), "told to end, it ends well");
}

/// A command such as `deputy status` is the host of a home for a moment if there is none. It holds the same lock.
#[test]
fn a_command_that_only_looks_does_not_keep_the_host_from_starting() {
    let world = World::new([Turn::text("Done.")]);
    assert_eq!(world.say(&["status"]).code, Some(0));
    let lock = std::fs::File::options().write(true).open(world.home.path().join("host.lock")).unwrap();
    lock.try_lock().unwrap();
    let mut host = world.start(&["serve"]);
    // The host makes this file when it finds the lock taken.
    let has_found_it = world.home.path().join("tasks.lock");
    while !has_found_it.exists() {
        std::thread::yield_now();
    }
    drop(lock);
    let welcome: ServerMessage = host.lines.read().unwrap().unwrap();
    assert!(matches!(welcome, ServerMessage::Welcome(_)), "{welcome:?}");
    assert_eq!(world.say(&["run", "do it"]).code, Some(0));
}

#[test]
fn the_second_process_on_a_home_talks_to_the_first() {
    let world = World::new([ask("First?"), Turn::text("one"), Turn::text("two")]);
    let host = serve(&world);
    let first = world.json(&["run", "first"]);
    assert_eq!(first.code, Some(4), "{first:?}");
    let AgentState::Active(active) = world.state() else { panic!("a task waits") };
    assert_eq!((active.tasks.len(), active.questions.len()), (1, 1));
    let question = active.questions[0].id.to_string();
    let mut follow = world.start(&["follow", active.tasks[0].id.as_str()]);
    follow.wait_for_event(|event| matches!(event, TaskEvent::QuestionAsked(_))).unwrap();
    assert_eq!(world.say(&["answer", &question, "yes"]).code, Some(0));
    assert_eq!(follow.wait().unwrap(), Some(0));
    let second = world.json(&["run", "second"]);
    assert_eq!(second.code, Some(0), "{second:?}");
    assert_eq!(stopped(&second.events().unwrap()).summary, "two");
    drop(host);
}

#[test]
fn a_run_stays_the_host_while_a_task_of_another_process_works() {
    let mut world = World::new([Turn::Hang(Default::default()), Turn::text("second")]);
    world.home.set("max_concurrent_tasks", 2).unwrap();
    let first = world.start(&["run", "first"]);
    assert!(world.model.wait_for_requests(1));
    let first_task = world.task().id;
    let second = world.json(&["run", "second"]);
    assert_eq!(second.code, Some(0), "{second:?}");
    assert_eq!(stopped(&second.events().unwrap()).summary, "second");
    let stop = world.say(&["stop", first_task.as_str()]);
    assert_eq!(stop.code, Some(0), "{stop:?}");
    assert_eq!(first.wait().unwrap(), Some(3));
}

/// The first is the host of the others, and ends when no task is left.
#[test]
fn each_of_several_runs_ends_with_its_own_task() {
    for round in 0..4 {
        let world = World::new([Turn::text("Ok."), Turn::text("Ok."), Turn::text("Ok.")]);
        let runs = ["first", "second", "third"].map(|goal| world.start(&["run", goal]));
        for mut run in runs {
            let said: Vec<ServerMessage> = std::iter::from_fn(|| run.lines.read().unwrap()).collect();
            assert_eq!(run.wait().unwrap(), Some(0), "round {round}: {said:?}");
        }
    }
}

/// A command that only looks is the host for a moment, but runs no task.
#[test]
fn runs_and_commands_that_only_look_can_begin_at_the_same_time() {
    for round in 0..4 {
        let world = World::new([Turn::text("Ok.")]);
        let all =
            [["status", "--json"], ["run", "do it"], ["tasks", "--json"]].map(|args| world.start(&args));
        for command in all {
            assert_eq!(command.wait().unwrap(), Some(0), "round {round}");
        }
    }
}

#[test]
fn two_homes_do_not_see_each_other() {
    let (one, other) = (World::new([ask("One?")]), World::new([Turn::text("other done")]));
    let (_first, _second) = (serve(&one), serve(&other));
    assert_eq!(one.json(&["run", "one"]).code, Some(4));
    assert_eq!(other.json(&["run", "other"]).code, Some(0));
    assert_eq!(one.task().goal, "one");
    assert_eq!(other.state(), AgentState::Idle(Default::default()));
}

#[test]
fn detach_starts_a_host_where_there_is_none() {
    let world = World::new([ask("Good?"), Turn::text("Done.")]);
    let detached = world.json(&["run", "ask", "--detach"]);
    assert_eq!(detached.code, Some(0), "{detached:?}");
    let mut follow = world.start(&["follow", "last"]);
    let asked = follow.wait_for_event(|event| matches!(event, TaskEvent::QuestionAsked(_))).unwrap();
    assert_eq!(world.say(&["answer", questions(&[asked])[0].id.as_str(), "yes"]).code, Some(0));
    assert_eq!(follow.wait().unwrap(), Some(0));
    crate::support::end_host_of(&world);
}

#[test]
fn a_host_that_is_ended_and_started_again_goes_on_with_its_tasks() {
    let world = World::new([write("new.txt", "text\n"), Turn::text("Done.")]);
    let host = serve(&world);
    let run = world.json(&["run", "write"]);
    assert_eq!(run.code, Some(4), "{run:?}");
    let request = requests(&run.events().unwrap()).remove(0).id.to_string();
    host.signal(Signal::TERM).unwrap();
    assert_eq!(host.wait().unwrap(), Some(0));

    let host = serve(&world);
    let mut follow = world.start(&["follow", "last"]);
    follow.wait_for_event(|event| matches!(event, TaskEvent::PermissionRequested(_))).unwrap();
    assert_eq!(world.say(&["approve", &request]).code, Some(0), "the same request still waits");
    let end = follow.wait_for_event(|event| matches!(event, TaskEvent::Stopped(_))).unwrap();
    assert_eq!(stopped(&[end]).reason, StopReason::Completed);
    assert_eq!(world.home.read("new.txt").unwrap(), "text\n");
    assert_eq!(world.model.requests().len(), 2);
    drop(host);
}

#[test]
fn a_task_in_the_middle_of_a_plan_goes_on_after_the_host_was_ended() {
    let world = World::new([Turn::Hang(Default::default()), Turn::text("Done.")]);
    let host = serve(&world);
    assert_eq!(world.json(&["run", "think", "--detach"]).code, Some(0));
    assert!(world.model.wait_for_requests(1));
    host.signal(Signal::TERM).unwrap();
    assert_eq!(host.wait().unwrap(), Some(0));
    let state = world.task().state;
    assert!(matches!(state, TaskState::Running(_)), "nothing is written that did not happen: {state:?}");

    let _host = serve(&world);
    let follow = world.json(&["follow", "last"]);
    assert_eq!(follow.code, Some(0), "{follow:?}");
    let events = follow.events().unwrap();
    assert!(events.iter().any(|event| matches!(event, TaskEvent::Interrupted(_))));
}

#[test]
fn a_client_whose_host_is_killed_says_so_and_nothing_is_lost() {
    let world = World::new([Turn::Hang(Default::default()), Turn::text("Done.")]);
    let host = serve(&world);
    assert_eq!(world.json(&["run", "think", "--detach"]).code, Some(0));
    let mut follow = world.start(&["follow", "last"]);
    // One that came after the end would take the task up itself.
    follow.wait_for_event(|event| matches!(event, TaskEvent::Created(_))).unwrap();
    assert!(world.model.wait_for_requests(1));
    host.signal(Signal::KILL).unwrap();
    assert_eq!(host.wait().unwrap(), None);
    assert_eq!(follow.wait().unwrap(), Some(1));
    assert_eq!(world.json(&["follow", "last"]).code, Some(0), "the next process takes it up");
}

#[test]
fn steer_pause_resume_and_stop_reach_a_working_task() {
    let world = World::new([Turn::Hang(Default::default())]);
    let host = serve(&world);
    assert_eq!(world.json(&["run", "think", "--detach"]).code, Some(0));
    assert!(world.model.wait_for_requests(1));
    let mut follow = world.start(&["follow", "last"]);
    for (args, name) in [
        (&["steer", "last", "be brief"][..], "steered"),
        (&["pause", "last"], "paused"),
        (&["resume", "last"], "resumed"),
        (&["stop", "last"], "stop_requested"),
    ] {
        assert_eq!(world.say(args).code, Some(0), "{name}");
        let is_it = |event: &TaskEvent| serde_json::to_value(event).unwrap()["type"] == name;
        follow.wait_for_event(is_it).unwrap();
    }
    // It hangs in its plan; stop takes the question back.
    assert_eq!(follow.wait().unwrap(), Some(3));
    drop(host);
}
