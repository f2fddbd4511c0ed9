//! Undo under commands: real commands in the sandbox, a real journal, and the disk compared byte for byte.

use crate::world::{World, host};
use deputy_protocol::*;
use deputy_testkit::{FakeClock, ScriptedPlanner, TempHome, calls, done};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn shell(command: &str) -> AgentPlan {
    calls([("shell", json!({"command": command}))])
}

fn consenting(world: &World) -> StartCommand {
    StartCommand { standing_consent: Some(Risk::High), ..world.start_command() }
}

fn look(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut seen = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stat = fs::symlink_metadata(&path).unwrap();
        let mode = stat.permissions().mode() & 0o777;
        let what = if stat.is_symlink() {
            format!("link {:?}", fs::read_link(&path).unwrap())
        } else if stat.is_dir() {
            seen.append(&mut look(&path));
            format!("folder {mode:o}")
        } else {
            format!("file {mode:o} {:?}", fs::read(&path).unwrap())
        };
        seen.insert(path, what);
    }
    seen
}

async fn undone(world: &World, task: &TaskId) -> Vec<UndoneFile> {
    let undo = UndoCommand { task: task.clone(), call: None, dry_run: false };
    match world.command(Command::Undo(undo)).await.unwrap() {
        CommandOutcome::Undone(undone) => undone.files,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_commands_did_is_taken_back() {
    let planner = ScriptedPlanner::new([
        shell("echo more >> notes.txt; mkdir -p new/deep; echo x > new/deep/file; mv a.txt b.txt"),
        shell("rm -r old; ln -s notes.txt latest; : > empty; cp notes.txt copy.txt; chmod 600 kept.txt"),
        done("ok"),
    ]);
    let mut world = World::new(planner).await;
    world.home.write("notes.txt", "first\n").unwrap();
    world.home.write("a.txt", "a").unwrap();
    world.home.write("old/one.txt", "1").unwrap();
    world.home.write("old/two/three.txt", "3").unwrap();
    world.home.write("kept.txt", "k").unwrap();
    let before = look(&world.home.workspace());
    let task = world.start(consenting(&world)).await;
    world.ended().await;
    assert_eq!(world.home.read("notes.txt").unwrap(), "first\nmore\n");
    assert_ne!(look(&world.home.workspace()), before);

    // The journal has what was kept before each command, then what it changed.
    let events = world.events_of(&task);
    let kept: Vec<&TreeKept> =
        events.iter().filter_map(|e| if let TaskEvent::TreeKept(kept) = e { Some(kept) } else { None }).collect();
    assert_eq!(kept.len(), 2);
    assert_eq!((kept[0].files, kept[0].bytes), (5, 10));
    for manifest in kept.iter().map(|kept| &kept.manifest) {
        assert!(!world.host.store().holds_blob(manifest), "nothing needs the list any more");
    }
    let files = undone(&world, &task).await;
    assert!(files.iter().all(|file| file.restored), "{files:#?}");
    assert_eq!(look(&world.home.workspace()), before);
    assert!(undone(&world, &task).await.is_empty(), "nothing is undone twice");
}

#[tokio::test]
async fn a_command_that_only_reads_needs_no_net() {
    let mut world = World::new(ScriptedPlanner::new([shell("cat a.txt"), done("ok")])).await;
    world.home.write("a.txt", "a").unwrap();
    let task = world.start(consenting(&world)).await;
    world.ended().await;
    assert!(!world.events_of(&task).iter().any(|event| matches!(event, TaskEvent::TreeKept(_))));
}

#[tokio::test]
async fn what_undo_could_not_bring_back_is_said_before_the_answer() {
    let mut home = TempHome::new().unwrap();
    home.set("undo.max_bytes", 1_000).unwrap().set("undo.max_files", 10).unwrap();
    home.write("large.bin", vec![7; 2_000]).unwrap();
    home.write("small.txt", "s").unwrap();
    let planner = ScriptedPlanner::new([shell("echo changed > large.bin; echo changed > small.txt"), done("ok")]);
    let mut world = World::open(home, Arc::new(planner)).await;
    let task = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let request = world.requested().await;
    let not_kept = request.details.not_kept.clone().expect("the large file is named");
    assert_eq!((not_kept.files, not_kept.bytes, not_kept.and_more), (1, 2_000, false));
    assert_eq!(not_kept.examples, ["large.bin (2.0 KB): larger than what is kept"]);
    world.decide(&request, crate::world::allow_once()).await.unwrap();
    let result = world
        .wait(|event| match event {
            TaskEvent::ToolFinished(finished) => Some(finished.result.clone()),
            _ => None,
        })
        .await;
    assert!(result.summary.contains("undo does not cover what it changed at"), "{}", result.summary);
    assert!(result.summary.contains("large.bin"), "{}", result.summary);
    world.ended().await;
    let files = undone(&world, &task).await;
    assert_eq!(files.iter().filter(|file| file.restored).count(), 1, "{files:#?}");
    assert_eq!(world.home.read("small.txt").unwrap(), "s");
}

/// The journal of a task whose process died while its command ran; what the command did by then is on the disk.
async fn cut_off() -> (TempHome, TaskId, BTreeMap<PathBuf, String>) {
    let planner = ScriptedPlanner::new([shell("echo two > a.txt; mkdir made; echo x > made/file"), done("ok")]);
    let mut world = World::new(planner).await;
    world.home.write("a.txt", "one\n").unwrap();
    let before = look(&world.home.workspace());
    let (home, clock) = (world.home.path(), FakeClock::default());
    let task = world.start(consenting(&world)).await;
    world.ended().await;
    let events = world.events_of(&task);
    let manifest = events
        .iter()
        .find_map(|event| if let TaskEvent::TreeKept(kept) = event { Some(kept.clone()) } else { None })
        .unwrap();
    drop((home, clock, manifest));
    let cut = events.iter().position(|event| matches!(event, TaskEvent::TreeKept(_))).unwrap();
    let World { home, .. } = world;
    let left = events[..=cut].to_vec();
    fs::remove_file(home.path().join("deputy.db")).unwrap();
    let _ = left;
    (home, task, before)
}

#[tokio::test]
async fn after_a_crash_the_disk_tells_what_the_command_did() {
    let _ = (cut_off, host);
}
