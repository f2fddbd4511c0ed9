//! Tests of a task's `/tmp`: one folder for commands and tools, written without a question, kept through a restart, and
//! gone with the task.

use crate::world::{World, allow_once, deny};
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, calls, done, question};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

fn shell(command: &str) -> AgentPlan {
    calls([("shell", json!({"command": command}))])
}

fn code(parameters: serde_json::Value) -> AgentPlan {
    calls([("code", parameters)])
}

/// A command that starts a task which asks about everything that a person decides.
fn asking(world: &World) -> StartCommand {
    StartCommand { standing_consent: None, ..world.start_command() }
}

/// A command that starts a task whose requests are all approved, so that a test can count them.
fn consenting(world: &World) -> StartCommand {
    StartCommand { standing_consent: Some(Risk::High), ..world.start_command() }
}

/// Returns the text of each result, by call.
fn texts(events: &[TaskEvent]) -> Vec<String> {
    let text = |event: &TaskEvent| match event {
        TaskEvent::ToolFinished(finished) => Some(finished.result.content.clone()),
        _ => None,
    };
    events.iter().filter_map(text).collect()
}

fn requests(events: &[TaskEvent]) -> usize {
    events.iter().filter(|event| matches!(event, TaskEvent::PermissionRequested(_))).count()
}

#[tokio::test]
async fn commands_and_tools_share_one_folder_and_nobody_is_asked() {
    let name = format!("deputy-test-{}", std::process::id());
    let at = |file: &str| format!("/tmp/{name}/{file}");
    let planner = ScriptedPlanner::new([
        code(json!({"action": "write", "path": at("numbers"), "content": "3\n1\n2\n"})),
        shell(&format!("sort {} > {}", at("numbers"), at("sorted"))),
        shell(&format!(
            "cd /tmp/{name} && head -n 1 sorted; cat numbers >> sorted; wc -l < /var{}",
            at("sorted")
        )),
        code(json!({"action": "patch", "path": at("sorted"), "old": "1\n2\n3\n3", "new": "all\n3"})),
        code(json!({"action": "read", "path": at("sorted")})),
        calls([("search", json!({"action": "ls", "path": format!("/tmp/{name}")}))]),
        shell("ls /tmp"),
        done("Done."),
    ]);
    let mut world = World::new(planner).await;
    let task = world.start(consenting(&world)).await;
    let stopped = world.ended().await;
    let events = world.events_of(&task);
    let texts = texts(&events);
    assert_eq!(requests(&events), 0, "{texts:#?}");
    assert!(texts[2].contains("1\n6"), "{texts:#?}");
    assert!(texts[4].contains("all\n3\n1\n2"), "{texts:#?}");
    assert!(texts[5].contains("numbers") && texts[5].contains("sorted"), "{texts:#?}");
    // The other name is that of the folder with the workspace.
    assert!(texts[6].contains(&name) && texts[6].lines().count() <= 3, "only this task's: {texts:#?}");
    assert!(!Path::new(&format!("/tmp/{name}")).exists(), "the machine's own folder is untouched");
    assert!(!events.iter().any(|event| matches!(event, TaskEvent::FileKept(_))), "nothing for undo");
    assert_eq!(stopped.report.unwrap().changed.len(), 0);
    let home = world.end().await;
    assert_eq!(std::fs::read_dir(home.path().join("tmp")).unwrap().count(), 0, "it goes with the task");
}

#[tokio::test]
async fn temporary_files_are_kept_through_a_restart() {
    let planner = ScriptedPlanner::new([shell("echo kept > /tmp/note"), question("Go on?")]);
    let mut world = World::new(planner).await;
    let task = world.start(asking(&world)).await;
    let asked = world.asked().await;
    let home = world.end().await;
    std::fs::create_dir_all(home.path().join("tmp/of-a-task-that-ended")).unwrap();

    let planner = ScriptedPlanner::new([shell("cat /tmp/note"), done("Done.")]);
    let mut world = World::open(home, Arc::new(planner)).await;
    world.answer(&asked, "yes").await.unwrap();
    world.ended().await;
    let texts = texts(&world.events_of(&task));
    assert!(texts.last().unwrap().contains("kept"), "{texts:#?}");
    let home = world.end().await;
    assert_eq!(std::fs::read_dir(home.path().join("tmp")).unwrap().count(), 0);
}

#[tokio::test]
async fn a_file_of_another_program_in_tmp_is_asked_about_and_stays_what_it_is() {
    let theirs = tempfile::NamedTempFile::new_in("/tmp").unwrap();
    std::fs::write(theirs.path(), "theirs\n").unwrap();
    let path = theirs.path().to_str().unwrap();
    let planner = ScriptedPlanner::new([
        shell(&format!("cat {path}")),
        code(json!({"action": "write", "path": path, "content": "mine\n"})),
        shell(&format!("cat {path}")),
        done("Done."),
    ]);
    let mut world = World::new(planner).await;
    let task = world.start(asking(&world)).await;
    let read = world.requested().await;
    world.decide(&read, allow_once()).await.unwrap();
    let write = world.requested().await;
    world.decide(&write, deny("no")).await.unwrap();
    let again = world.requested().await;
    world.decide(&again, allow_once()).await.unwrap();
    world.ended().await;
    let texts = texts(&world.events_of(&task));
    assert!(texts[0].contains("theirs") && texts[2].contains("theirs"), "{texts:#?}");
    assert_eq!(std::fs::read_to_string(theirs.path()).unwrap(), "theirs\n");
}

#[tokio::test]
async fn a_workspace_around_deputys_own_folder_shows_the_task_its_temporary_files_only() {
    let planner = ScriptedPlanner::new([
        code(json!({"action": "write", "path": "/tmp/note", "content": "mine\n"})),
        code(json!({"action": "read", "path": "/tmp/note"})),
        shell("cat /tmp/note"),
        shell("grep -rl \"\" ."),
        done("Done."),
    ]);
    let mut world = World::new(planner).await;
    world.home.write("a.txt", "a\n").unwrap();
    let workspace = world.home.root().to_str().unwrap().to_owned();
    let task = world.start(StartCommand { workspace, ..consenting(&world) }).await;
    let stopped = world.ended().await;
    let events = world.events_of(&task);
    let texts = texts(&events);
    assert!(texts[1].contains("mine") && texts[2].contains("mine"), "{texts:#?}");
    assert!(!texts[3].contains("deputy/") && texts[3].contains("workspace/a.txt"), "{texts:#?}");
    assert_eq!(stopped.report.unwrap().changed.len(), 0);
}

#[tokio::test]
async fn a_command_about_the_machine_tells_about_the_machine() {
    const MOUNTS: &str = "df --output=fstype,target | grep tmpfs";
    let mut world = World::new(ScriptedPlanner::new([shell(MOUNTS), done("Done.")])).await;
    let task = world.start(consenting(&world)).await;
    world.ended().await;
    let bare = std::process::Command::new("bash").args(["-c", MOUNTS]).output().unwrap();
    let bare = String::from_utf8(bare.stdout).unwrap();
    let texts = texts(&world.events_of(&task));
    assert!(!bare.is_empty() && texts[0].ends_with(bare.trim_end()), "{bare}: {texts:#?}");
}

#[tokio::test]
async fn a_link_in_tmp_opens_nothing() {
    let planner = ScriptedPlanner::new([
        shell(
            "python3 -c \"import os; os.symlink(os.path.expanduser('~/.ssh'), '/tmp/keys'); os.symlink('/etc', '/tmp/system')\"",
        ),
        code(json!({"action": "read", "path": "/tmp/keys/id_rsa"})),
        code(json!({"action": "write", "path": "/tmp/system/hosts.new", "content": "x"})),
        done("Done."),
    ]);
    let mut world = World::new(planner).await;
    std::fs::create_dir_all(world.home.user().join(".ssh")).unwrap();
    std::fs::write(world.home.user().join(".ssh/id_rsa"), "the key").unwrap();
    let task = world.start(asking(&world)).await;
    let link = world.requested().await;
    world.decide(&link, allow_once()).await.unwrap();
    let key = world.requested().await;
    assert!(key.reasons[0].contains("holds credentials"), "{key:#?}");
    world.decide(&key, deny("no")).await.unwrap();
    world.ended().await;
    let texts = texts(&world.events_of(&task));
    assert!(texts[1].contains("said no") && !texts.concat().contains("the key"), "{texts:#?}");
    assert!(texts[2].contains("symbolic link"), "{texts:#?}");
    assert!(!Path::new("/etc/hosts.new").exists());
}
