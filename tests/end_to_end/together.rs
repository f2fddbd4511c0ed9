//! The calls of a plan that ask are one request, through the built binary: dropped singly at the command line and at the
//! prompt, judged again one by one, waiting together after the host was killed.

use crate::hosts::serve;
use crate::support::{World, requests, results, stopped, write};
use crate::terminal::Person;
use deputy_protocol::{CallStatus, PermissionRequest, StopReason};
use deputy_testkit::{Finished, Script, Turn};
use rustix::process::Signal;
use serde_json::{Value, json};

fn edit(path: &str) -> (&'static str, Value) {
    ("code", json!({"action": "write", "path": path, "content": format!("new {path}\n")}))
}

fn patch(path: &str) -> (&'static str, Value) {
    ("code", json!({"action": "patch", "path": path, "old": "old", "new": "patched"}))
}

/// A plan of three patches and a new file.
fn four() -> World {
    let plan = Turn::calls([patch("a.txt"), patch("b.txt"), patch("sub/c.txt"), edit("d.txt")]);
    let world = World::of(Script { by_conversation: true, ..Script::turns([plan, Turn::text("Done.")]) });
    for name in ["a.txt", "b.txt", "sub/c.txt"] {
        world.home.write(name, "old\n").unwrap();
    }
    world
}

fn asked(run: &Finished) -> PermissionRequest {
    assert_eq!(run.code, Some(4), "{run:?}");
    let mut asked = requests(&run.events().unwrap());
    assert_eq!(asked.len(), 1, "one request for all: {asked:#?}");
    asked.remove(0)
}

fn read(world: &World) -> [String; 4] {
    ["a.txt", "b.txt", "sub/c.txt", "d.txt"].map(|name| world.home.read(name).unwrap_or_default())
}

#[test]
fn four_edits_are_asked_about_once_and_two_are_left_out() {
    let world = four();
    let request = asked(&world.json(&["run", "patch them"]));
    assert_eq!(request.summary, "4 edits: a.txt, b.txt, sub/c.txt and 1 more");
    let status = world.say(&["status"]).stdout;
    for shown in ["1. Patch a.txt", "2. Patch b.txt", "3. Patch sub/c.txt", "4. Write d.txt", "+new d.txt"] {
        assert!(status.contains(shown), "{shown}: {status}");
    }
    let id = request.id.as_str();
    for (dropped, problem) in [("5", "has no step `5`"), ("x.txt", "has no step `x.txt`")] {
        let refused = world.say(&["approve", id, "--drop", dropped]);
        assert!(refused.code != Some(0) && refused.stderr.contains(problem), "{refused:?}");
    }
    let all = ["approve", id, "--drop", "1", "--drop", "2", "--drop", "3", "--drop", "4"];
    assert!(world.say(&all).stderr.contains("deny the request"));
    assert_eq!(read(&world), ["old\n", "old\n", "old\n", ""]);

    let approve = world.say(&["approve", id, "--drop", "sub/c.txt", "--drop", "1"]);
    assert!(approve.stdout.contains("Allowed 2 of 4. Left out: Patch a.txt"), "{approve:?}");
    let follow = world.json(&["follow", "last"]);
    assert_eq!(follow.code, Some(0), "{follow:?}");
    assert_eq!(stopped(&follow.events().unwrap()).reason, StopReason::Completed);
    assert_eq!(read(&world), ["old\n", "patched\n", "old\n", "new d.txt\n"]);
    assert_eq!(world.told(2).matches("left this one out").count(), 2, "{}", world.told(2));
    let show = world.say(&["show", "last"]).stdout;
    assert!(show.contains("but for: Patch a.txt (1 place, line 1); Patch sub/c.txt"), "{show}");

    assert_eq!(world.say(&["undo", "last"]).code, Some(0));
    assert_eq!(read(&world), ["old\n", "old\n", "old\n", ""]);
}

#[test]
fn a_file_that_changed_since_is_asked_about_again_and_the_others_land() {
    let world = four();
    let request = asked(&world.json(&["run", "patch them"]));
    world.home.write("b.txt", "old and mine\n").unwrap();
    assert_eq!(world.say(&["approve", request.id.as_str()]).code, Some(0));
    let follow = world.json(&["follow", "last"]);
    let again = asked(&Finished { stdout: later(&follow, &request), ..follow });
    assert!(again.details.steps.is_empty() && again.summary.starts_with("Patch b.txt"), "{again:#?}");
    assert_eq!(world.say(&["deny", again.id.as_str()]).code, Some(0));
    world.json(&["follow", "last"]);
    assert_eq!(read(&world), ["patched\n", "old and mine\n", "patched\n", "new d.txt\n"]);
}

/// The lines of an output behind a request.
fn later(finished: &Finished, request: &PermissionRequest) -> String {
    let is_request =
        |line: &&str| !(line.contains("permission_requested") && line.contains(request.id.as_str()));
    let lines: Vec<&str> = finished.stdout.lines().filter(is_request).collect();
    lines.join("\n") + "\n"
}

#[test]
fn a_host_that_is_killed_meanwhile_asks_no_other_request() {
    let world = four();
    let host = serve(&world);
    assert_eq!(world.json(&["run", "patch them", "--detach"]).code, Some(0));
    let mut follow = world.start(&["follow", "last"]);
    let event = follow
        .wait_for_event(|event| matches!(event, deputy_protocol::TaskEvent::PermissionRequested(_)))
        .unwrap();
    let request = requests(&[event]).remove(0);
    host.signal(Signal::KILL).unwrap();
    host.wait().unwrap();

    let _host = serve(&world);
    let approve = world.say(&["approve", request.id.as_str(), "--drop", "2"]);
    assert_eq!(approve.code, Some(0), "{approve:?}");
    let told = world.json(&["follow", "last"]);
    assert_eq!(requests(&told.events().unwrap()).len(), 1, "{told:?}");
    let ends: Vec<CallStatus> = results(&told.events().unwrap()).iter().map(|end| end.status).collect();
    assert_eq!(ends, [CallStatus::Ok, CallStatus::Denied, CallStatus::Ok, CallStatus::Ok]);
    assert_eq!(read(&world), ["patched\n", "old\n", "patched\n", "new d.txt\n"]);
}

#[test]
fn a_consent_beforehand_covers_them_all() {
    let world = four();
    let run = world.json(&["run", "patch them", "--yes", "medium"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(read(&world), ["patched\n", "patched\n", "patched\n", "new d.txt\n"]);
}

#[test]
fn at_the_prompt_edits_are_left_out_by_their_numbers() {
    let world = four();
    let mut person = Person::at(&world, &["run", "patch them"]);
    let shown = person.sees("[?] > ");
    assert!(shown.contains("3. Patch sub/c.txt") && shown.contains("[l]eave some out"), "{shown}");
    for (typed, answer) in [("9", "has no step `9`"), ("1 2 3 4", "deny the request"), ("", "")] {
        person.presses("l");
        person.sees("Numbers to leave out");
        person.types(typed);
        person.sees(answer);
        person.sees("[?] > ");
    }
    person.presses("l");
    person.sees("Numbers to leave out");
    person.types("2, 4");
    person.sees("but for: Patch b.txt");
    assert_eq!(person.leaves().1, 0);
    assert_eq!(read(&world), ["patched\n", "old\n", "patched\n", ""]);
}

#[test]
fn one_edit_alone_has_nothing_to_leave_out() {
    let world = World::new([write("a.txt", "1\n"), Turn::text("Done.")]);
    let request = asked(&world.json(&["run", "write it"]));
    assert!(request.details.steps.is_empty() && request.details.diff.is_some());
    let refused = world.say(&["approve", request.id.as_str(), "--drop", "1"]);
    assert!(refused.code != Some(0) && refused.stderr.contains("has no step `1`"), "{refused:?}");
}

/// Commands and edits of one answer are one card, which shows each as it would be shown alone.
#[test]
fn commands_and_edits_are_asked_about_once() {
    let run = |command: &str| ("shell", json!({ "command": command }));
    let plan = Turn::calls([
        edit("a.txt"),
        run("python3 -c 'print(1)' > b.txt"),
        run("sort a.txt > c.txt\nwc -l c.txt"),
    ]);
    let world = World::new([plan, Turn::text("Done.")]);
    let mut person = Person::at(&world, &["run", "work"]);
    let shown = person.sees("[?] > ");
    for text in [
        "1. Write a.txt",
        "2. $ python3 -c",
        "3. $ sort a.txt > c.txt",
        "wc -l c.txt",
        "[w]ork in this folder",
    ] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    assert!(shown.contains("writes here, offline"), "a command's reach is said: {shown}");
    person.presses("y");
    let (rest, code) = person.leaves();
    assert_eq!(code, 0, "{rest}");
    assert_eq!(world.home.read("b.txt").unwrap(), "1\n");
    assert_eq!(world.home.read("c.txt").unwrap(), "new a.txt\n");
}
