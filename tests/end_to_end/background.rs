//! Commands in the background, through the built binary: a server that the next command asks, and a host that is killed.

use crate::support::{World, processes_with, results, shell, stopped};
use deputy_protocol::{BackgroundEnd, BackgroundEnded, StopReason, TaskEvent};
use deputy_testkit::{Script, Turn};
use serde_json::{Value, json};

fn background(parameters: Value) -> Turn {
    Turn::call("background", parameters)
}

fn ends(events: &[TaskEvent]) -> Vec<BackgroundEnded> {
    let end = |event: &TaskEvent| match event {
        TaskEvent::BackgroundEnded(ended) => Some(ended.clone()),
        _ => None,
    };
    events.iter().filter_map(end).collect()
}

#[test]
fn a_development_server_is_started_asked_and_stopped() {
    let serve = "python3 -u serve.py";
    let world = World::new([
        background(json!({"action": "start", "command": serve})),
        background(json!({"action": "output", "id": "b1", "wait_secs": 60})),
        shell("curl -s http://127.0.0.1:8000/page.html"),
        background(json!({"action": "stop", "id": "b1"})),
        Turn::text("All done."),
    ]);
    world.home.write("page.html", "<p>served</p>\n").unwrap();
    let script = "from http.server import HTTPServer, SimpleHTTPRequestHandler as Handler\n\
        server = HTTPServer(('127.0.0.1', 8000), Handler)\nprint('Serving HTTP')\nserver.serve_forever()\n";
    world.home.write("serve.py", script).unwrap();
    let end = world.json(&["run", "work", "--yes", "medium"]);
    let events = end.events().unwrap();
    assert_eq!(stopped(&events).reason, StopReason::Completed, "{end:?}");
    let results = results(&events);
    assert!(results[1].content.contains("Serving HTTP"), "{results:#?}");
    assert!(results[2].content.contains("<p>served</p>"), "{results:#?}");
    assert_eq!(ends(&events)[0].why, BackgroundEnd::StoppedByTask);
    let told = world.say(&["show", "last"]);
    assert!(told.stdout.contains("b1 runs in the background"), "{told:?}");
    assert!(told.stdout.contains("the task stopped it"), "{told:?}");
}

#[test]
fn a_killed_host_takes_what_ran_with_it_and_the_story_says_so() {
    let world = World::of(Script {
        by_conversation: true,
        ..Script::turns([
            background(json!({"action": "start", "command": "sleep 86405"})),
            // Nothing comes: it is at this when the host is killed.
            background(json!({"action": "output", "id": "b1", "wait_secs": 60})),
            Turn::text("All done."),
        ])
    });
    let mut first = world.start(&["run", "work", "--yes", "medium"]);
    first.wait_for_event(|event| matches!(event, TaskEvent::BackgroundStarted(_))).unwrap();
    first.signal(rustix::process::Signal::KILL).unwrap();
    first.wait().unwrap();
    while !processes_with("86405").is_empty() {
        std::thread::yield_now();
    }
    let end = world.json(&["follow", "last"]);
    let events = end.events().unwrap();
    assert_eq!(stopped(&events).reason, StopReason::Completed, "{end:?}");
    let ended = ends(&events);
    assert_eq!((ended.len(), ended[0].why), (1, BackgroundEnd::HostRestarted));
    let told = world.say(&["show", "last"]);
    assert!(told.stdout.contains("Deputy was restarted, which ended it"), "{told:?}");
}

#[test]
fn a_server_ends_with_its_task_and_the_story_says_so() {
    let world = World::new([
        background(json!({"action": "start", "command": "sleep 86406"})),
        Turn::text("All done."),
    ]);
    assert_eq!(world.json(&["run", "work", "--yes", "medium"]).code, Some(0));
    assert!(processes_with("86406").is_empty());
    let told = world.say(&["show", "last"]).stdout;
    assert!(told.contains("it ended with the task"), "{told}");
}
