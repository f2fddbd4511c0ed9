//! Organizing with a model: the `organizer` profile, whose plan is checked, fixed, approved, executed and undone.

use crate::organize::{age, exists, job};
use crate::support::{World, requests, results, stopped};
use deputy_protocol::{CallStatus, Risk, StopReason, TaskEvent};
use deputy_testkit::Turn;
use serde_json::{Value, json};
use std::fs;

fn submit(operations: Value) -> Turn {
    Turn::call(
        "organize",
        json!({"action": "submit_plan", "operations": operations, "reasoning": "Songs by the band."}),
    )
}

#[test]
fn a_bad_plan_is_refused_by_operation_and_the_mended_one_approved_executed_and_taken_back() {
    let outside = json!([
        {"id": "band", "type": "create_folder", "path": "Band"},
        {"id": "away", "type": "copy", "path": "list.txt", "to": "/tmp/list.txt"},
        {"id": "up", "type": "move", "path": "song.mp3", "to": "Band/../../song.mp3"},
    ]);
    let contradicts = json!([
        {"id": "band", "type": "create_folder", "path": "Band"},
        {"id": "song", "type": "move", "path": "sonG.mp3", "to": "Band/song.mp3"},
        {"id": "gone", "type": "trash", "path": "list.txt"},
        {"id": "ring", "type": "rename", "path": "list.txt", "to": "x.txt"},
    ]);
    let good = json!([
        {"id": "band", "type": "create_folder", "path": "Band"},
        {"id": "song", "type": "move", "path": "song.mp3", "to": "Band/song.mp3", "reason": "it is by the band"},
        {"id": "list", "type": "copy", "path": "list.txt", "to": "Band/list.txt"},
        {"id": "old", "type": "trash", "path": "list old.txt"},
    ]);
    let world = World::new([
        Turn::call("organize", json!({"action": "scan"})),
        Turn::call("organize", json!({"action": "suggest_conventions"})),
        submit(outside),
        submit(contradicts),
        submit(good),
        Turn::text("The songs are in Band."),
    ]);
    for path in ["song.mp3", "list.txt", "list old.txt"] {
        world.home.write(path, path).unwrap();
    }
    age(&world);
    let run = world.json(&["organize", "."]);
    assert_eq!(run.code, Some(4), "{run:?}");
    let events = run.events().unwrap();
    let refused = &results(&events)[2..];
    let wrong = [
        &["away", "/tmp/list.txt", "outside", "operation up", ".."][..],
        &["operation song", "sonG.mp3", "operation ring", "list.txt"],
    ];
    for (result, wrong) in refused.iter().zip(wrong) {
        assert_eq!(result.status, CallStatus::Failed);
        for words in ["nothing was changed"].iter().chain(wrong) {
            assert!(result.content.contains(words), "{words} is missing in {}", result.content);
        }
        assert!(!result.content.contains("operation band"), "that can be done: {}", result.content);
    }
    let asked = requests(&events);
    assert_eq!(asked.len(), 1, "nobody is asked about the bad ones");
    assert_eq!(asked[0].risk, Risk::High);
    let shown = asked[0].details.diff.as_deref().unwrap();
    for words in ["Songs by the band.", "it is by the band", "trash  list old.txt", "After:", "Before:"] {
        assert!(shown.contains(words), "{words} is missing in {shown}");
    }
    assert!(!exists(&world, "Band"));

    assert_eq!(world.json(&["approve", asked[0].id.as_str()]).code, Some(0));
    let end = world.json(&["follow", "last"]);
    assert_eq!(end.code, Some(0), "{end:?}");
    assert!(exists(&world, "Band/song.mp3") && exists(&world, "Band/list.txt") && exists(&world, "list.txt"));
    assert!(!exists(&world, "list old.txt"));
    let id = job(&world)["job"].as_str().unwrap().to_owned();
    assert_eq!(world.json(&["undo", &id]).code, Some(0));
    for path in ["song.mp3", "list.txt", "list old.txt"] {
        assert_eq!(world.home.read(path).unwrap(), path);
    }
    assert!(!exists(&world, "Band"));
}

/// The convention that a person chose goes to the model with an example, and holds for what the model sends: a plan with
/// another name comes back to it, and nobody is asked about it.
#[test]
fn a_plan_whose_names_do_not_follow_the_chosen_convention_is_mended_before_anybody_is_asked() {
    let plan = |to: &str| submit(json!([{"type": "move", "path": "Band Song 1.mp3", "to": to}]));
    let world = World::new([
        plan("Music/Band Song 1.mp3"),
        plan("Music/band_song_1.mp3"),
        plan("Music/band-song-1.mp3"),
        Turn::text("Moved."),
    ]);
    world.home.write("Band Song 1.mp3", "la").unwrap();
    age(&world);
    let run = world.json(&["organize", ".", "--convention", "lower-case"]);
    assert_eq!(run.code, Some(4), "{run:?}");
    let events = run.events().unwrap();
    let refused = results(&events);
    assert_eq!(refused.len(), 2);
    for result in &refused {
        assert_eq!(result.status, CallStatus::Failed);
        for words in ["nothing was changed", "lower-case", "operation o1", "band-song-1.mp3"] {
            assert!(result.content.contains(words), "{words} is missing in {}", result.content);
        }
    }
    let asked = requests(&events);
    assert_eq!(asked.len(), 1);
    let briefed = events.iter().find_map(|event| match event {
        TaskEvent::Created(created) => created.spec.scope.names.clone(),
        _ => None,
    });
    assert_eq!(briefed.as_deref(), Some("lower-case"));
    let system = world.told(1);
    assert!(system.contains("invoice-2026-04-12-acme.PDF"), "an example comes with it: {system}");
    assert_eq!(world.json(&["approve", asked[0].id.as_str()]).code, Some(0));
    assert_eq!(world.json(&["follow", "last"]).code, Some(0));
    assert!(exists(&world, "Music/band-song-1.mp3"));
}

#[test]
fn a_model_that_only_looks_is_stopped_after_fifteen_rounds() {
    let look = |n| Turn::call("organize", json!({"action": "scan", "paths": [format!("d{n}")]}));
    let world = World::new((0..20).map(look));
    (0..20).for_each(|n| drop(world.home.write(&format!("d{n}/a.txt"), "a").unwrap()));
    age(&world);
    let run = world.json(&["organize", "."]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let events = run.events().unwrap();
    assert_eq!(stopped(&events).reason, StopReason::IterationLimit);
    // The last one is its turn to say what it has.
    assert_eq!(events.iter().filter(|event| matches!(event, TaskEvent::Planned(_))).count(), 16);
    assert_eq!(world.json(&["jobs"]).stdout, "");
}

/// A job is undone by its journal alone: not by a clock, a list or a process that remembers it.
#[test]
fn a_job_is_taken_back_a_month_later() {
    let world = World::new([]);
    for path in ["song.mp3", "table.csv"] {
        world.home.write(path, path).unwrap();
    }
    age(&world);
    let run = world.json(&["organize", ".", "--backend", "offline", "--yes", "medium"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let id = job(&world)["job"].as_str().unwrap().to_owned();
    let jobs = world.home.path().join("organize/jobs");
    let month_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(31 * 86_400);
    for entry in fs::read_dir(&jobs).unwrap() {
        fs::File::options().write(true).open(entry.unwrap().path()).unwrap().set_modified(month_ago).unwrap();
    }
    fs::remove_file(jobs.join("index.json")).unwrap();
    for database in fs::read_dir(world.home.path()).unwrap().flatten() {
        // Also where the store was moved aside meanwhile.
        if database.file_name().to_string_lossy().contains(".db") {
            fs::remove_file(database.path()).unwrap();
        }
    }
    assert_eq!(job(&world)["state"], "done");
    let undo = world.json(&["undo", &id]);
    assert_eq!(undo.code, Some(0), "{undo:?}");
    assert!(exists(&world, "song.mp3") && exists(&world, "table.csv") && !exists(&world, "Audio"));
}
