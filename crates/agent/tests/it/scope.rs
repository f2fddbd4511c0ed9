//! Tests of scopes: the limits of a task, enforced by the policy for tools and by the sandbox for commands.

use crate::world::{World, allow_once, deny};
use deputy_protocol::ErrorCode;
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, TempHome, calls, done, question};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::sync::Arc;

fn shell(command: String) -> AgentPlan {
    calls([("shell", json!({"command": command}))])
}

fn read(path: &Path) -> AgentPlan {
    calls([("code", json!({"action": "read", "path": path}))])
}

fn write(path: &Path) -> AgentPlan {
    calls([("code", json!({"action": "write", "path": path, "content": "new"}))])
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// Runs a task with a scope, with consent to everything that may be asked, and returns the result of each call.
async fn ends(world: &mut World, scope: Scope) -> Vec<ToolResult> {
    let start = StartCommand { scope, standing_consent: Some(Risk::High), ..world.start_command() };
    let task = world.start(start).await;
    world.ended().await;
    results(world, &task)
}

fn results(world: &World, task: &TaskId) -> Vec<ToolResult> {
    let result = |event: TaskEvent| match event {
        TaskEvent::ToolFinished(finished) => Some(finished.result),
        _ => None,
    };
    world.events_of(task).into_iter().filter_map(result).collect()
}

fn statuses(results: &[ToolResult]) -> Vec<CallStatus> {
    results.iter().map(|result| result.status).collect()
}

/// Creates a folder next to the workspace with one file.
fn beside(folder: &Path) -> std::path::PathBuf {
    let beside = folder.canonicalize().unwrap().parent().unwrap().join("beside");
    fs::create_dir_all(&beside).unwrap();
    fs::write(beside.join("b.txt"), "beside").unwrap();
    beside
}

async fn world(plans: impl FnOnce(&Path, &Path) -> Vec<AgentPlan>) -> (World, std::path::PathBuf) {
    let mut home = deputy_testkit::TempHome::new().unwrap();
    // These tests need many denials in a row.
    home.set("limits.brake_after", 0).unwrap();
    home.write("a.txt", "inside").unwrap();
    let beside = beside(&home.workspace());
    let mut plans = plans(&home.workspace().canonicalize().unwrap(), &beside);
    plans.push(done("ok"));
    let planner = std::sync::Arc::new(ScriptedPlanner::new(plans));
    (World::open(home, planner).await, beside)
}

#[tokio::test]
async fn a_folder_to_read_is_read_and_not_changed() {
    let (mut world, beside) = world(|_, beside| {
        let file = text(&beside.join("b.txt"));
        vec![
            read(&beside.join("b.txt")),
            shell(format!("cat {file}")),
            shell(format!("echo more > a.txt; echo changed > {file}")),
        ]
    })
    .await;
    let scope = Scope { read: vec![text(&beside)], ..Scope::default() };
    let start = StartCommand { scope, standing_consent: None, ..world.start_command() };
    let task = world.start(start).await;
    // Reading was not asked about, but a change is, as anywhere outside of the workspace.
    let request = world.requested().await;
    assert_eq!(
        (request.risk, request.summary.contains("echo changed")),
        (Risk::Medium, true),
        "{request:#?}"
    );
    world.decide(&request, crate::world::deny("no")).await.unwrap();
    world.ended().await;
    let results = results(&world, &task);
    assert_eq!(statuses(&results), [CallStatus::Ok, CallStatus::Ok, CallStatus::Denied], "{results:#?}");
    assert!(results[1].content.contains("beside"), "{results:#?}");
}

#[tokio::test]
async fn changes_stay_in_the_folders_to_write() {
    let (mut world, beside) = world(|inside, beside| {
        vec![
            write(&beside.join("new.txt")),
            write(&inside.join("a.txt")),
            shell(format!("echo changed > {}", text(&beside.join("b.txt")))),
            shell("echo changed > a.txt".into()),
        ]
    })
    .await;
    let scope = Scope { write: vec![text(&beside)], ..Scope::default() };
    let results = ends(&mut world, scope).await;
    assert_eq!(statuses(&results)[..2], [CallStatus::Ok, CallStatus::Denied], "{results:#?}");
    assert_eq!(world.home.read("a.txt").unwrap(), "inside");
    assert_eq!(fs::read_to_string(beside.join("new.txt")).unwrap(), "new");
}

#[tokio::test]
async fn of_listed_files_alone_something_is_seen_or_changed() {
    let (mut world, _) = world(|inside, _| {
        fs::write(inside.join("other.txt"), "other").unwrap();
        vec![
            read(&inside.join("a.txt")),
            read(&inside.join("other.txt")),
            write(&inside.join("a.txt")),
            write(&inside.join("other.txt")),
            shell("for f in *.txt; do cat \"$f\"; echo changed > \"$f\"; done".into()),
        ]
    })
    .await;
    let only = text(&world.home.workspace().join("a.txt"));
    let results = ends(&mut world, Scope { only_files: vec![only], ..Scope::default() }).await;
    let wanted = [CallStatus::Ok, CallStatus::Denied, CallStatus::Ok, CallStatus::Denied];
    assert_eq!(statuses(&results)[..4], wanted, "{results:#?}");
    assert!(!results[4].content.contains("other\n"), "{results:#?}");
    assert_eq!(world.home.read("other.txt").unwrap(), "other");
}

#[tokio::test]
async fn of_tagged_files_alone_something_is_seen_or_changed() {
    let (mut world, _) = world(|inside, _| {
        fs::write(inside.join("other.txt"), "other").unwrap();
        vec![read(&inside.join("a.txt")), read(&inside.join("other.txt")), write(&inside.join("other.txt"))]
    })
    .await;
    let flags = rustix::fs::XattrFlags::empty();
    let tagged = world.home.workspace().join("a.txt");
    rustix::fs::setxattr(&tagged, "user.xdg.tags", b"work,holiday", flags).unwrap();
    let results = ends(&mut world, Scope { only_tags: vec!["work".into()], ..Scope::default() }).await;
    assert_eq!(statuses(&results), [CallStatus::Ok, CallStatus::Denied, CallStatus::Denied], "{results:#?}");
    assert_eq!(world.home.read("other.txt").unwrap(), "other");
}

#[tokio::test]
async fn a_scope_that_cannot_be_meant_is_refused_at_once() {
    let (world, beside) = world(|_, _| Vec::new()).await;
    let scopes = [
        Scope { read: vec![text(&beside.join("missing"))], ..Scope::default() },
        Scope { write: vec![text(&beside.join("b.txt"))], ..Scope::default() },
        Scope { read: vec![text(&world.home.path())], ..Scope::default() },
        Scope { only_files: vec![text(&beside)], ..Scope::default() },
        Scope { only_tags: vec!["a,b".into()], ..Scope::default() },
    ];
    for scope in scopes {
        let start = StartCommand { scope: scope.clone(), ..world.start_command() };
        let error = world.command(HostCommand::Start(start)).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::Scope, "{scope:?}");
    }
}

#[tokio::test]
async fn a_task_that_continues_another_is_held_to_the_same() {
    // Regression test: the page sent no scope for the next task, so it had none.
    let mut world = World::new(ScriptedPlanner::new([done("one"), done("two"), done("three")])).await;
    world.home.write("a.txt", "inside").unwrap();
    let file = text(&world.home.workspace().canonicalize().unwrap().join("a.txt"));
    let scope = Scope { only_files: vec![file.clone()], ..Scope::default() };
    let first = world.start(StartCommand { scope: scope.clone(), ..world.start_command() }).await;
    world.ended().await;
    // A path that no longer exists still limits the scope.
    fs::remove_file(&file).unwrap();
    let spec = |world: &World, task: &TaskId| match world.events_of(task).swap_remove(0) {
        TaskEvent::Created(created) => created.spec,
        other => panic!("{other:?}"),
    };
    let session = spec(&world, &first).session;

    let second = world.start(StartCommand { after: Some(first.clone()), ..world.start_command() }).await;
    world.ended().await;
    let third = world.start(StartCommand { session: Some(session.clone()), ..world.start_command() }).await;
    world.ended().await;
    for task in [&second, &third] {
        let spec = spec(&world, task);
        assert_eq!((&spec.scope, &spec.session), (&scope, &session), "{task}");
    }

    let wider = Scope { read: vec!["/usr".to_owned()], ..Scope::default() };
    let start = StartCommand { after: Some(first.clone()), scope: wider, ..world.start_command() };
    assert_eq!(world.command(HostCommand::Start(start)).await.unwrap_err().code, ErrorCode::Scope);
    let elsewhere = Some(SessionId::new("other"));
    let start = StartCommand { after: Some(first), session: elsewhere, ..world.start_command() };
    assert_eq!(world.command(HostCommand::Start(start)).await.unwrap_err().code, ErrorCode::Scope);
    let start = StartCommand { after: Some(TaskId::new("t0")), ..world.start_command() };
    assert_eq!(world.command(HostCommand::Start(start)).await.unwrap_err().code, ErrorCode::UnknownTask);
}

/// What the user names in the goal, in an instruction or in an answer may be read, by tools and by the programs of a
/// command, and nothing beside it.
#[tokio::test]
async fn what_the_user_names_is_read_by_every_tool() {
    let home = TempHome::new().unwrap();
    let at = |name: &str| home.root().canonicalize().unwrap().join("elsewhere").join(name);
    fs::create_dir_all(at("")).unwrap();
    for name in ["goal.log", "answer.log", "other.log", "id_rsa"] {
        fs::write(at(name), format!("line of {name}\n")).unwrap();
    }
    let plans = [
        read(&at("goal.log")),
        shell(format!("wc -l {}", at("goal.log").display())),
        shell(format!("bash -c 'cat {} > copy.txt'", at("goal.log").display())),
        question("Which one?"),
        read(&at("answer.log")),
        read(&at("other.log")),
        read(&at("id_rsa")),
        done("ok"),
    ];
    let goal = at("goal.log");
    let secret = at("id_rsa");
    let mut world = World::open(home, Arc::new(ScriptedPlanner::new(plans))).await;
    let goal = format!("Count the lines of {}, and see {}.", goal.display(), secret.display());
    let task = world.start(StartCommand { goal, standing_consent: None, ..world.start_command() }).await;
    let request = world.requested().await;
    assert!(request.summary.contains("copy.txt"), "{request:#?}");
    world.decide(&request, allow_once()).await.unwrap();
    let question = world.asked().await;
    world.answer(&question, "../elsewhere/answer.log, please").await.unwrap();
    for wanted in ["other.log", "id_rsa"] {
        let request = world.requested().await;
        assert!(request.summary.contains(wanted), "{request:#?}");
        world.decide(&request, deny("no")).await.unwrap();
    }
    world.ended().await;
    assert_eq!(world.home.read("copy.txt").unwrap(), "line of goal.log\n");
    let texts = world.events_of(&task).into_iter().filter_map(|event| match event {
        TaskEvent::ToolFinished(finished) => Some(finished.result.content),
        _ => None,
    });
    let texts = texts.collect::<Vec<_>>().join("\n");
    assert!(texts.contains("line of answer.log"), "{texts}");
    assert!(!texts.contains("line of id_rsa"), "a secret that is named stays one: {texts}");
}
