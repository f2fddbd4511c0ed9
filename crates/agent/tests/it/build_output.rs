//! Tests of build output with real git: what was ignored when the task began is neither kept nor warned about.

use crate::report::git;
use crate::world::World;
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, calls, done, question};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A repository that ignores `/target`. Its folder `dist` is neither committed nor ignored.
fn repository(world: &World) -> PathBuf {
    let folder = world.home.workspace();
    git(&folder, &["init", "--quiet", "--initial-branch", "main"]);
    fs::write(folder.join(".gitignore"), "/target\n").unwrap();
    fs::write(folder.join("a.txt"), "one\n").unwrap();
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "--quiet", "--message", "first"]);
    fs::create_dir(folder.join("dist")).unwrap();
    fs::write(folder.join("dist/notes.txt"), "written by hand\n").unwrap();
    folder
}

fn head(folder: &Path) -> String {
    git(folder, &["rev-parse", "HEAD"]).trim().to_owned()
}

fn shell(command: &str) -> AgentPlan {
    calls([("shell", json!({"command": command}))])
}

fn consenting(world: &World) -> StartCommand {
    StartCommand { standing_consent: Some(Risk::High), ..world.start_command() }
}

const COMMIT_IGNORE: &str = "mkdir target; echo 1 > target/app; echo /dist >> .gitignore; \
    git -c user.name=B -c user.email=b@example.org commit --quiet -am ignore";

#[tokio::test]
async fn a_task_that_changes_what_is_ignored_still_has_every_file_kept() {
    let ask = ScriptedPlanner::new([shell(COMMIT_IGNORE), question("Should I clean up?")]);
    let mut world = World::new(ask).await;
    let folder = repository(&world);
    let first = head(&folder);
    let task = world.start(consenting(&world)).await;
    let asked = world.asked().await;

    // After a restart, HEAD is another commit.
    let home = world.end().await;
    let clean = "rm -r dist; echo 2 > target/app; echo 2 > target/other";
    let rest = ScriptedPlanner::new([shell(clean), done("Cleaned.")]);
    let mut world = World::open(home, Arc::new(rest)).await;
    world.answer(&asked, "yes").await.unwrap();
    let report = world.ended().await.report.unwrap();
    assert!(!folder.join("dist").exists());
    let target = BuiltFolder { folder: folder.join("target").display().to_string(), files: 2 };
    assert_eq!(report.built, [target]);
    let heads: Vec<Vec<RepositoryHead>> = world
        .events_of(&task)
        .into_iter()
        .filter_map(|event| match event {
            TaskEvent::TreeKept(kept) => Some(kept.heads),
            _ => None,
        })
        .collect();
    let began_at = RepositoryHead { folder: folder.display().to_string(), commit: first.clone() };
    assert_eq!(heads, [vec![began_at.clone()], vec![began_at]]);

    let outcome = world.command(HostCommand::Undo(UndoCommand::all(task))).await.unwrap();
    let CommandOutcome::Undone(undone) = outcome else { panic!() };
    assert!(undone.files.iter().all(|file| file.restored), "{:?}", undone.files);
    assert_eq!(fs::read_to_string(folder.join("dist/notes.txt")).unwrap(), "written by hand\n");
    assert_eq!(head(&folder), first);
    assert!(!folder.join("target").exists(), "the task made it");
    assert_eq!(git(&folder, &["status", "--porcelain"]), "?? dist/\n");
}

#[tokio::test]
async fn a_large_build_is_neither_stored_nor_warned_about_and_undo_is_whole() {
    let planner = ScriptedPlanner::new([
        shell("sh build.sh"),
        shell("sh build.sh; echo two > a.txt; echo log > target/log.txt"),
        shell("rm -r target; echo three > a.txt"),
        done("Built."),
    ]);
    let mut world = World::new(planner).await;
    let folder = repository(&world);
    let build =
        "mkdir -p target/debug; for i in 1 2 3; do head -c 3000000 /dev/urandom > target/debug/$i; done";
    fs::write(folder.join("build.sh"), build).unwrap();
    let task = world.start(consenting(&world)).await;
    world.ended().await;
    let events = world.events_of(&task);
    let sizes: Vec<u64> = events
        .iter()
        .filter_map(|event| match event {
            TaskEvent::TreeKept(kept) => Some(kept.bytes / 1_000_000),
            _ => None,
        })
        .collect();
    assert_eq!(sizes, [0, 0, 9], "the last one names the folder");
    let warned = events.iter().filter_map(|event| match event {
        TaskEvent::PermissionRequested(requested) => requested.request.details.not_kept.as_ref(),
        _ => None,
    });
    assert_eq!(warned.count(), 0);
    let outcome = world.command(HostCommand::Undo(UndoCommand::all(task))).await.unwrap();
    let CommandOutcome::Undone(undone) = outcome else { panic!() };
    assert!(undone.files.iter().all(|file| file.restored), "{:?}", undone.files);
    assert!(!folder.join("target").exists());
    assert_eq!(fs::read_to_string(folder.join("a.txt")).unwrap(), "one\n");
}

/// A source had the content of a build result that is gone: its own earlier content comes back all the same.
#[tokio::test]
async fn a_source_is_restored_whatever_became_of_a_build_result_with_its_content() {
    let build = "mkdir -p target && cp a.txt target/app";
    let plans = [
        shell(build),
        shell(&format!("sed -i s/one/two/ a.txt && {build} && cat target/app")),
        shell("rm -r target"),
        shell(&format!("sed -i s/two/three/ a.txt && {build}")),
        done("Built."),
    ];
    let mut world = World::new(ScriptedPlanner::new(plans)).await;
    let folder = repository(&world);
    let task = world.start(consenting(&world)).await;
    world.ended().await;
    assert_eq!(fs::read_to_string(folder.join("a.txt")).unwrap(), "three\n");

    let outcome = world.command(HostCommand::Undo(UndoCommand::all(task))).await.unwrap();
    let CommandOutcome::Undone(undone) = outcome else { panic!() };
    assert_eq!(fs::read_to_string(folder.join("a.txt")).unwrap(), "one\n", "{:#?}", undone.files);
}
