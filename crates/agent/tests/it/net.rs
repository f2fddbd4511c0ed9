//! Tests of undo for commands, with real commands in the sandbox, a real journal, and a byte-by-byte comparison of the
//! disk.

use crate::world::{World, host};
use deputy_protocol::*;
use deputy_store::Store;
use deputy_testkit::{FakeClock, ScriptedPlanner, TempHome, calls, done};
use deputy_tools::tree;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

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
    let undo = UndoCommand::all(task.clone());
    match world.command(HostCommand::Undo(undo)).await.unwrap() {
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
    let written = SystemTime::UNIX_EPOCH + Duration::new(1_700_000_000, 123_456_789);
    let folder = world.home.workspace();
    let modified = |path: &str| folder.join(path).metadata().unwrap().modified().unwrap();
    for path in ["notes.txt", "a.txt", "old/two/three.txt"] {
        let file = File::options().write(true).open(folder.join(path)).unwrap();
        file.set_modified(written).unwrap();
    }
    let before = look(&world.home.workspace());
    let task = world.start(consenting(&world)).await;
    world.ended().await;
    assert_eq!(world.home.read("notes.txt").unwrap(), "first\nmore\n");
    assert_ne!(look(&world.home.workspace()), before);

    // The journal has the snapshot before each command, followed by its changes.
    let events = world.events_of(&task);
    let kept: Vec<&TreeKept> = events
        .iter()
        .filter_map(|e| if let TaskEvent::TreeKept(kept) = e { Some(kept) } else { None })
        .collect();
    assert_eq!(kept.len(), 2);
    assert_eq!((kept[0].files, kept[0].bytes), (5, 10));
    for manifest in kept.iter().map(|kept| &kept.manifest) {
        assert!(world.host.store().blob(manifest).is_err(), "nothing needs the list any more");
    }
    let files = undone(&world, &task).await;
    assert!(files.iter().all(|file| file.restored), "{files:#?}");
    assert_eq!(look(&world.home.workspace()), before);
    assert_eq!((modified("a.txt"), modified("old/two/three.txt")), (written, written));
    assert!(modified("notes.txt") > written, "it is newer than what was built from the other content");
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
    let planner =
        ScriptedPlanner::new([shell("echo changed > large.bin; echo changed > small.txt"), done("ok")]);
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

/// Returns a home in the state after its process died while a command was running: the journal ends at `last`, and the
/// effects of the command are on the disk. Also returns the files before the command.
async fn cut_off(last: fn(&TaskEvent) -> bool) -> (TempHome, TaskId, BTreeMap<PathBuf, String>) {
    let command = "echo two > a.txt; mkdir made; echo x > made/file";
    let mut world = World::new(ScriptedPlanner::new([shell(command), done("ok")])).await;
    world.home.write("a.txt", "one\n").unwrap();
    let before = look(&world.home.workspace());
    let task = world.start(consenting(&world)).await;
    let events = {
        world.ended().await;
        world.events_of(&task)
    };
    let cut = events.iter().position(last).unwrap();

    // The manifest is deleted when the command ends, which is missing in this journal, so it is created again.
    let home = world.end().await;
    let manifest = {
        let changed = look(&home.workspace());
        fs::write(home.workspace().join("a.txt"), "one\n").unwrap();
        fs::remove_dir_all(home.workspace().join("made")).unwrap();
        let manifest = kept_by_hand(&home, &task);
        fs::write(home.workspace().join("a.txt"), "two\n").unwrap();
        fs::create_dir(home.workspace().join("made")).unwrap();
        fs::write(home.workspace().join("made/file"), "x\n").unwrap();
        assert_eq!(look(&home.workspace()), changed);
        manifest
    };
    for file in ["deputy.db", "deputy.db-wal", "deputy.db-shm"] {
        let _ = fs::remove_file(home.path().join(file));
    }
    let mut left = events[..=cut].to_vec();
    for event in &mut left {
        if let TaskEvent::TreeKept(kept) = event {
            kept.manifest = manifest.clone();
        }
    }
    Store::open(&home.path()).unwrap().append(&task, 1, left).await.unwrap();
    (home, task, before)
}

fn kept_by_hand(home: &TempHome, task: &TaskId) -> Digest {
    struct Contents(Store);
    impl tree::Contents for Contents {
        fn keep(&self, file: &fs::File) -> Result<KeptFile, deputy_tools::KeepError> {
            Ok(self.0.keep_open(file).unwrap())
        }
        fn holds(&self, file: &KeptFile) -> bool {
            self.0.holds_blob(file)
        }
        fn sync(&self) -> Result<(), deputy_tools::KeepError> {
            self.0.sync_blobs().unwrap();
            Ok(())
        }
    }
    let store = Store::open(&home.path()).unwrap();
    let roots = vec![home.workspace().canonicalize().unwrap()];
    let output = &tree::BuildOutput::default();
    let ground = tree::Ground { roots, is_secret: &|_| false, is_open: &|_| false, output, is_walled: true };
    let survey = tree::Survey::of(&ground, tree::TreeLimits::default(), &[]);
    let call = CallId::of(task, 1, 1);
    let kept = tree::keep(&call, &ground, survey, &Contents(store.clone()), &tree::KnownFiles::default());
    store.keep_blob(&kept.unwrap().to_bytes().unwrap()).unwrap().digest
}

#[tokio::test]
async fn after_a_crash_the_disk_tells_what_the_command_did() {
    let (home, task, before) = cut_off(|event| matches!(event, TaskEvent::TreeKept(_))).await;
    let mut world = World::open(home, Arc::new(ScriptedPlanner::new([done("ok")]))).await;
    let question = world.asked().await;
    assert!(question.text.contains("may or may not have happened"), "{}", question.text);
    let result = world.events_of(&task).into_iter().find_map(|event| match event {
        TaskEvent::ToolFinished(finished) => Some(finished.result),
        _ => None,
    });
    let result = result.unwrap();
    assert_eq!(result.status, CallStatus::Unknown);
    assert!(
        result.content.contains("3 files and folders have changed since it started"),
        "{}",
        result.content
    );
    let files = undone(&world, &task).await;
    assert!(files.len() == 3 && files.iter().all(|file| file.restored), "{files:#?}");
    assert_eq!(look(&world.home.workspace()), before);
    // The answer comes after the undo: nothing is undone twice.
    world.answer(&question, "go on").await.unwrap();
    world.ended().await;
    assert!(undone(&world, &task).await.is_empty());
}

#[tokio::test]
async fn undo_needs_no_driver_to_see_what_a_dead_command_did() {
    let (home, task, before) = cut_off(|event| matches!(event, TaskEvent::TreeKept(_))).await;
    let planner = Arc::new(ScriptedPlanner::new([done("ok")]));
    let host = host(&home, planner, &FakeClock::default());
    let undo = HostCommand::Undo(UndoCommand::all(task));
    let id = deputy_agent::new_command_id();
    let CommandOutcome::Undone(undone) = host.command(&id, undo).await.unwrap() else { panic!() };
    assert!(undone.files.len() == 3 && undone.files.iter().all(|file| file.restored), "{undone:#?}");
    assert_eq!(look(&home.workspace()), before);
}

#[tokio::test]
async fn a_command_that_was_not_kept_under_did_not_run_and_runs_now() {
    let (home, task, _) = cut_off(|event| matches!(event, TaskEvent::ToolStarted(_))).await;
    fs::remove_dir_all(home.workspace().join("made")).unwrap();
    fs::write(home.workspace().join("a.txt"), "one\n").unwrap();
    let mut world = World::open(home, Arc::new(ScriptedPlanner::new([done("ok")]))).await;
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    assert_eq!(world.home.read("a.txt").unwrap(), "two\n");
    assert_eq!(world.home.read("made/file").unwrap(), "x\n");
    let started = world.events_of(&task).iter().filter(|e| matches!(e, TaskEvent::ToolStarted(_))).count();
    assert_eq!(started, 2, "cut off once, run once");
}

/// Returns the finding of `deputy doctor` about the copies for undo.
async fn copies(world: &World) -> Finding {
    let store = world.host.store().clone();
    let home = world.home.path();
    tokio::task::spawn_blocking(move || deputy_agent::doctor::copies(&store, &home)).await.unwrap()
}

/// Something else emptied, cut, removed or overwrote copies in Deputy's home.
#[tokio::test]
async fn copies_that_are_lost_are_named_by_doctor_and_by_undo() {
    let command = "for f in empty cut gone other whole; do echo new > $f.txt; done";
    let mut world = World::new(ScriptedPlanner::new([shell(command), done("ok")])).await;
    let names = ["empty", "cut", "gone", "other", "whole"];
    for name in names {
        world.home.write(&format!("{name}.txt"), format!("the old {name}\n")).unwrap();
    }
    let task = world.start(consenting(&world)).await;
    world.ended().await;
    assert!(copies(&world).await.ok);
    let blob = |name: &str| {
        let digest = blake3::hash(format!("the old {name}\n").as_bytes()).to_hex().to_string();
        world.home.path().join("blobs").join(&digest[..2]).join(digest)
    };
    fs::write(blob("empty"), "").unwrap();
    fs::write(blob("cut"), "the o").unwrap();
    fs::remove_file(blob("gone")).unwrap();
    fs::write(blob("other"), "THE OLD OTHER\n").unwrap();

    let finding = copies(&world).await;
    assert!(!finding.ok);
    let told = finding.message.as_str();
    assert!(told.starts_with("3 copies that undo needs are missing or damaged"), "{told}");
    for name in ["empty.txt", "cut.txt", "gone.txt"] {
        assert!(told.contains(name), "{name}: {told}");
    }

    let dry = UndoCommand::all(task.clone()).dry();
    let CommandOutcome::Undone(dry) = world.command(HostCommand::Undo(dry)).await.unwrap() else { panic!() };
    let lost = |files: &[UndoneFile]| -> Vec<String> {
        let lost = files.iter().filter(|file| file.message.contains("its kept copy is missing or damaged"));
        let name = |file: &UndoneFile| file.change.path.rsplit('/').next().unwrap().to_owned();
        let mut names: Vec<String> = lost.map(name).collect();
        names.sort();
        names
    };
    assert_eq!(lost(&dry.files), ["cut.txt", "empty.txt", "gone.txt"]);
    let files = undone(&world, &task).await;
    // The size of the fourth is right, so only reading it shows the damage.
    assert_eq!(lost(&files), ["cut.txt", "empty.txt", "gone.txt", "other.txt"]);
    assert!(files.iter().all(|file| !file.message.contains("blobs")), "{files:#?}");
    assert_eq!(world.home.read("whole.txt").unwrap(), "the old whole\n");
    for name in ["empty", "cut", "gone", "other"] {
        assert_eq!(world.home.read(format!("{name}.txt")).unwrap(), "new\n", "it stays as it is");
    }
}
