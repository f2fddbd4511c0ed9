//! Jobs that a person continues with or undoes by hand: by the host where one runs, under the rules of the day, and
//! with exit codes that say whether all of it was done.

use crate::hosts::serve;
use crate::organize::{age, exists, job};
use crate::organize_troubles::heeding_modes;
use crate::support::{World, value};
use deputy_protocol::ErrorCode;
use deputy_testkit::Finished;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// A workspace with a job that a shut folder stopped at its second operation of three; gives the job's id.
fn stopped_job(world: &World) -> String {
    for path in ["a.mp3", "shut/b.mp3", "c.mp3"] {
        world.home.write(path, path).unwrap();
    }
    age(world);
    let root = world.home.workspace();
    let to = |from: &str, name: &str| {
        json!({"id": name, "action": {"kind": "move", "path": root.join(from), "destination": root.join("Music").join(name)},
               "risk": "medium", "reason": ""})
    };
    let plan = json!({"scope": [root], "operations": [to("a.mp3", "a.mp3"), to("shut/b.mp3", "b.mp3"), to("c.mp3", "c.mp3")]});
    let file = world.home.user().join("plan.json");
    fs::write(&file, plan.to_string()).unwrap();
    shut(world, 0o555);
    let run = heeding_modes(world, &["organize", "--apply", file.to_str().unwrap(), "--yes", "medium"]);
    shut(world, 0o755);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(exists(world, "Music/a.mp3") && exists(world, "shut/b.mp3") && exists(world, "c.mp3"));
    job(world)["job"].as_str().unwrap().to_owned()
}

fn shut(world: &World, mode: u32) {
    let folder = world.home.workspace().join("shut");
    fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
}

fn last_line(finished: &Finished) -> Value {
    serde_json::from_str(finished.stdout.lines().last().unwrap_or_else(|| panic!("{finished:?}"))).unwrap()
}

#[test]
fn a_stopped_job_goes_on_and_comes_back_beside_a_running_host() {
    let world = World::new([]);
    let id = stopped_job(&world);
    let host = serve(&world);
    let resumed = world.json(&["jobs", "resume", &id]);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    let told = value(&resumed);
    assert_eq!((&told["is_whole"], &told["done"], &told["steps"]), (&json!(true), &json!(4), &json!(4)));
    assert!(exists(&world, "Music/b.mp3") && exists(&world, "Music/c.mp3"));
    assert_eq!(world.json(&["undo", &id]).code, Some(0));
    assert!(exists(&world, "a.mp3") && exists(&world, "shut/b.mp3") && !exists(&world, "Music"));
    let over = world.say(&["jobs", "resume", &id]);
    assert_eq!(over.code, Some(1), "{over:?}");
    assert!(over.stderr.contains("was already undone by the job j"), "{over:?}");
    drop(host);
}

/// It said "done", with exit code 0.
#[test]
fn what_a_resumed_job_leaves_out_is_told_and_counts_as_a_failure() {
    let world = World::new([]);
    let id = stopped_job(&world);
    world.home.write("c.mp3", "another song by now").unwrap();
    let resumed = world.say(&["jobs", "resume", &id]);
    assert_eq!(resumed.code, Some(1), "{resumed:?}");
    for told in [
        "left out: c.mp3",
        "/c.mp3: it has changed since it was checked",
        "3 of 4 steps are done, 1 were left out",
    ] {
        assert!(resumed.stdout.contains(told), "{told} is missing in {resumed:?}");
    }
    assert!(exists(&world, "Music/b.mp3"));
    assert_eq!(world.home.read("c.mp3").unwrap(), "another song by now");
    // What is over can be asked for again, and is told the same.
    let again = world.json(&["jobs", "resume", &id]);
    assert_eq!(again.code, Some(1), "{again:?}");
    let told = value(&again);
    assert_eq!(told["skipped"][0]["reason"]["text"], "it has changed since it was checked");
    assert!(told["skipped"][0]["path"].as_str().unwrap().ends_with("/c.mp3"), "{told}");
}

#[test]
fn an_operation_that_is_skipped_by_wish_is_told_too() {
    let world = World::new([]);
    let id = stopped_job(&world);
    shut(&world, 0o555);
    let again = heeding_modes(&world, &["--json", "jobs", "resume", &id]);
    assert_eq!(again.code, Some(1), "{again:?}");
    assert!(value(&again)["stopped"]["text"].as_str().unwrap().contains("Permission denied"), "{again:?}");
    let skipped = heeding_modes(&world, &["--json", "jobs", "resume", &id, "--skip"]);
    shut(&world, 0o755);
    assert_eq!(skipped.code, Some(1), "{skipped:?}");
    let told = value(&skipped);
    assert_eq!((&told["done"], &told["stopped"]), (&json!(3), &Value::Null));
    assert_eq!(told["skipped"][0]["operation"], "b.mp3");
    assert!(exists(&world, "shut/b.mp3") && exists(&world, "Music/c.mp3"));
}

/// Both acted on the files whatever the rules said.
#[test]
fn todays_rules_hold_for_jobs_that_are_resumed_or_taken_back() {
    let world = World::new([]);
    let id = stopped_job(&world);
    let rules = world.home.path().join("rules.toml");
    let within = world.home.workspace().join("Music");
    let deny = |tool: &str| {
        let text = format!(
            "[[rule]]\neffect = \"deny\"\ntool = \"{tool}\"\npattern = \"{}/.*\"\n",
            within.display()
        );
        fs::write(&rules, text).unwrap();
    };
    let host = serve(&world);
    deny("write");
    let refused = world.say(&["jobs", "resume", &id]);
    assert_eq!(refused.code, Some(3), "{refused:?}");
    assert!(
        refused.stderr.contains("was left as it is")
            && refused.stderr.contains("Music/b.mp3: your rule in line 1"),
        "{refused:?}"
    );
    assert!(exists(&world, "shut/b.mp3") && exists(&world, "c.mp3"), "nothing went on");
    deny("delete");
    for args in [&["undo", &id][..], &["undo", &id, "--dry-run"], &["undo", "last"]] {
        let refused = world.json(args);
        assert_eq!(refused.code, Some(3), "{args:?}: {refused:?}");
        assert_eq!(refused.error().unwrap().code, ErrorCode::Denied, "{refused:?}");
        assert!(exists(&world, "Music/a.mp3"), "{args:?}");
    }
    fs::remove_file(&rules).unwrap();
    assert_eq!(world.json(&["undo", &id]).code, Some(0));
    assert!(exists(&world, "a.mp3") && !exists(&world, "Music"));
    drop(host);
}

#[test]
fn a_second_job_on_the_folder_is_refused_with_the_id_of_the_first() {
    let world = World::new([]);
    let id = stopped_job(&world);
    for folder in [".", "shut"] {
        world.home.write(&format!("{folder}/loose.csv"), format!("{folder},b\n")).unwrap();
        age(&world);
        let second = world.json(&["organize", folder, "--backend", "offline", "--yes", "medium"]);
        assert_eq!(second.code, Some(1), "{folder}: {second:?}");
        let told = format!("the job {id} works on ");
        assert!(second.stdout.contains(&told), "{folder}: {told} is missing in {}", second.stdout);
        assert!(exists(&world, &format!("{folder}/loose.csv")), "{folder}");
    }
    assert_eq!(world.json(&["jobs"]).stdout.lines().count(), 1, "the second never began");
    // Elsewhere work continues.
    assert_eq!(world.json(&["undo", &id]).code, Some(0));
    assert_eq!(world.json(&["organize", ".", "--backend", "offline", "--yes", "medium"]).code, Some(0));
    assert!(exists(&world, "Spreadsheets/loose.csv"));
}

#[test]
fn what_stands_against_taking_a_task_back_is_told_and_chosen() {
    let world = World::new([]);
    let id = stopped_job(&world);
    assert_eq!(world.json(&["jobs", "resume", &id]).code, Some(0));
    world.home.write("Music/c.mp3", "changed since").unwrap();
    world.home.write("a.mp3", "taken since").unwrap();
    let abort = world.say(&["undo", "last", "--on-conflict", "abort"]);
    assert_eq!(abort.code, Some(1), "{abort:?}");
    assert!(abort.stdout.contains("a.mp3: something else is at its old path"), "{abort:?}");
    assert!(abort.stdout.contains("c.mp3: it has changed since the job"), "{abort:?}");
    assert!(exists(&world, "Music/b.mp3"), "nothing was changed");
    let both = world.json(&["undo", "last", "--on-conflict", "keep-both"]);
    assert_eq!(both.code, Some(0), "{both:?}");
    assert_eq!(last_line(&both)["outcome"], "undone");
    assert_eq!(world.home.read("a.mp3").unwrap(), "taken since");
    assert_eq!(world.home.read("a (2).mp3").unwrap(), "a.mp3");
    assert_eq!(world.home.read("c.mp3").unwrap(), "changed since");
    assert!(exists(&world, "shut/b.mp3") && !exists(&world, "Music"));
}

/// What somebody who follows hears of jobs while a command is done, and its report.
fn followed(world: &World, command: &Value) -> (Vec<Value>, Value) {
    let line = UnixStream::connect(world.home.path().join("host.sock")).unwrap();
    line.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    let envelope = json!({"id": format!("c-{}", command["command"]), "command": command});
    for message in [
        json!({"type": "hello", "protocol": deputy_protocol::PROTOCOL_VERSION, "follow": true}),
        json!({"type": "command", "envelope": envelope}),
    ] {
        writeln!(&line, "{message}").unwrap();
    }
    let (mut heard, mut report) = (Vec::new(), None);
    let is_last = |message: &Value| message["done"] == message["steps"];
    for text in BufReader::new(line).lines() {
        let message: Value = serde_json::from_str(&text.unwrap()).unwrap();
        match message["type"].as_str().unwrap() {
            "job" => heard.push(message),
            "command_reply" => report = Some(message["outcome"]["report"].clone()),
            "error" => panic!("{message}"),
            _ => {}
        }
        // Answers and what is told live come by ways of their own: either may be first.
        if let Some(report) = report.take_if(|_| heard.last().is_some_and(is_last)) {
            return (heard, report);
        }
    }
    panic!("the host went away after {heard:?}");
}

/// Only the answer at the end said anything of a job that a person let continue or took back.
#[test]
fn whoever_follows_hears_how_far_a_job_got_that_is_worked_on_by_hand() {
    let world = World::new([]);
    let id = stopped_job(&world);
    let host = serve(&world);
    let steps =
        |heard: &[Value]| -> Vec<u64> { heard.iter().map(|told| told["done"].as_u64().unwrap()).collect() };
    let (heard, report) = followed(&world, &json!({"command": "resume_job", "job": id, "skip": false}));
    assert_eq!((&report["done"], &report["is_whole"]), (&json!(4), &json!(true)), "{report}");
    assert_eq!(steps(&heard), [2, 3, 4], "{heard:?}");
    assert!(heard.iter().all(|told| told["job"] == json!(id) && told["undoes"].is_null()), "{heard:?}");

    let undo = json!({"command": "undo_job", "job": id, "dry_run": false, "on_conflict": "skip"});
    let (heard, report) = followed(&world, &undo);
    assert_eq!(steps(&heard), [0, 1, 2, 3, 4], "{heard:?}");
    let is_its = |told: &Value| told["job"] == report["job"] && told["undoes"] == json!(id);
    assert!(heard.iter().all(is_its), "{heard:?} {report}");
    drop(host);
}
