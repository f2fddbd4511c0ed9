//! Asked in the middle of a call, through the built binary: a program wants what its walls keep from it, waits, and gets
//! exactly what a person allows.

use crate::hosts::serve;
use crate::support::{World, requests, results, shell, stopped};
use deputy_protocol::{
    Answerer, AttemptKind, CallStatus, Choice, PauseReason, PermissionRequest, Risk, StopReason, TaskEvent,
    TaskState,
};
use deputy_testkit::{Background, Script, Turn};
use rustix::process::Signal;

/// A program that needs the credentials of a cloud, as its command-line tool does.
const DEPLOY: &str = "import configparser, os\n\
    known = configparser.ConfigParser()\n\
    known.read(os.path.expanduser('~/.aws/credentials'))\n\
    print('key', known.get('default', 'key', fallback='none'))\n";

fn deploying(script: Script) -> World {
    let world = World::of(script);
    world.home.write("deploy.py", DEPLOY).unwrap();
    let aws = world.home.user().join(".aws");
    std::fs::create_dir_all(&aws).unwrap();
    std::fs::write(aws.join("credentials"), "[default]\nkey = the-word\n").unwrap();
    std::fs::write(aws.join("config"), "[default]\nregion = x\n").unwrap();
    world
}

fn once(turns: impl IntoIterator<Item = Turn>) -> Script {
    Script { by_conversation: true, ..Script::turns(turns) }
}

/// Waits for a request in the middle of a call.
fn wanted(follow: &mut Background) -> PermissionRequest {
    let is_midway = |event: &TaskEvent| matches!(event, TaskEvent::PermissionRequested(asked) if asked.request.details.wanted.is_some());
    requests(&[follow.wait_for_event(is_midway).unwrap()]).remove(0)
}

fn finished(follow: &mut Background) -> deputy_protocol::ToolResult {
    let event = follow.wait_for_event(|event| matches!(event, TaskEvent::ToolFinished(_))).unwrap();
    results(&[event]).remove(0)
}

#[test]
fn a_program_reads_its_credentials_once_a_person_allows_it() {
    let world = deploying(once([shell("python3 deploy.py"), Turn::text("Done.")]));
    let _host = serve(&world);
    assert_eq!(world.json(&["run", "deploy", "--yes", "medium", "--detach"]).code, Some(0));
    let mut follow = world.start(&["follow", "last"]);
    let request = wanted(&mut follow);
    let details = request.details.wanted.as_ref().unwrap();
    assert!(details.program.contains("python3"), "{request:#?}");
    assert!(details.path.ends_with("/.aws/credentials"), "{request:#?}");
    assert_eq!((details.operation, request.risk), (AttemptKind::Read, Risk::High));
    assert!(request.summary.ends_with("wants to read ~/.aws/credentials"), "{}", request.summary);
    assert_eq!(request.offered.len(), 1);
    assert!(
        matches!(world.task().state, TaskState::Paused(paused) if paused.reason == PauseReason::Permission)
    );
    let status = world.say(&["status"]);
    assert!(status.stdout.contains("wants to read"), "{status:?}");
    let shown = status.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("approving allows only this, until the command ends"), "{shown}");

    let approve = world.say(&["approve", request.id.as_str()]);
    assert_eq!(approve.code, Some(0), "{approve:?}");
    let result = finished(&mut follow);
    assert!(result.content.contains("key the-word"), "{result:#?}");
    assert_eq!((result.status, result.refused), (CallStatus::Ok, vec![]));
    assert_eq!(follow.wait().unwrap(), Some(0));
}

#[test]
fn a_no_gives_the_program_what_it_gets_without_asking() {
    let world = deploying(once([shell("python3 deploy.py"), Turn::text("Done.")]));
    let _host = serve(&world);
    assert_eq!(world.json(&["run", "deploy", "--yes", "medium", "--detach"]).code, Some(0));
    let mut follow = world.start(&["follow", "last"]);
    let request = wanted(&mut follow);
    let deny = world.say(&["deny", request.id.as_str(), "use the test account"]);
    assert_eq!(deny.code, Some(0), "{deny:?}");
    let result = finished(&mut follow);
    assert!(!result.content.contains("the-word"), "{result:#?}");
    assert!(
        result.content.contains("use the test account"),
        "the model does not get the reason: {result:#?}"
    );
    assert_eq!(result.refused.len(), 1, "{result:#?}");
    assert_eq!(follow.wait().unwrap(), Some(0));
}

#[test]
fn a_run_with_nobody_to_answer_ends_as_without_asking() {
    let world = deploying(once([shell("python3 deploy.py"), Turn::text("Done.")]));
    let run = world.json(&["run", "deploy", "--yes", "medium"]);
    let events = run.events().unwrap();
    assert_eq!(stopped(&events).reason, StopReason::Completed, "{run:?}");
    let result = results(&events).remove(0);
    assert!(!result.content.contains("the-word"), "{result:#?}");
    assert!(result.content.contains("nobody was here to answer"), "{result:#?}");
}

#[test]
fn a_host_that_is_killed_while_a_call_waits_leaves_nothing_open() {
    let world = deploying(once([shell("python3 deploy.py"), Turn::text("Done.")]));
    let host = serve(&world);
    assert_eq!(world.json(&["run", "deploy", "--yes", "medium", "--detach"]).code, Some(0));
    let mut follow = world.start(&["follow", "last"]);
    let request = wanted(&mut follow);
    host.signal(Signal::KILL).unwrap();
    host.wait().unwrap();

    let _host = serve(&world);
    let mut follow = world.start(&["follow", "last"]);
    let answered = |event: &TaskEvent| match event {
        TaskEvent::PermissionAnswered(answered) => answered.request == request.id,
        _ => false,
    };
    let Ok(TaskEvent::PermissionAnswered(answered)) = follow.wait_for_event(answered) else { panic!() };
    assert!(matches!((answered.choice, answered.by), (Choice::Deny(_), Answerer::Expiry(_))));
    let asked = follow.wait_for_event(|event| matches!(event, TaskEvent::QuestionAsked(_))).unwrap();
    let TaskEvent::QuestionAsked(asked) = asked else { unreachable!() };
    assert!(asked.question.text.contains("may or may not have happened"), "{asked:?}");
    let late = world.say(&["approve", request.id.as_str()]);
    assert_ne!(late.code, Some(0), "{late:?}");
}

#[test]
fn a_stop_ends_the_waiting() {
    let world = deploying(once([shell("python3 deploy.py"), Turn::text("Done.")]));
    let _host = serve(&world);
    assert_eq!(world.json(&["run", "deploy", "--yes", "medium", "--detach"]).code, Some(0));
    let mut follow = world.start(&["follow", "last"]);
    wanted(&mut follow);
    assert_eq!(world.say(&["stop", "last"]).code, Some(0));
    let result = finished(&mut follow);
    assert!(!result.content.contains("the-word"), "{result:#?}");
    follow.wait().unwrap();
}

#[test]
fn a_hook_of_a_commit_reads_the_projects_secrets_once_allowed() {
    let commit = "git commit -qm one && echo committed";
    let world = World::of(once([shell(commit), Turn::text("Done.")]));
    let workspace = world.home.workspace();
    let git = |args: &[&str]| {
        let mut git = std::process::Command::new("git");
        let git = git.args(args).current_dir(&workspace).env("HOME", world.home.user());
        assert!(git.status().unwrap().success(), "{args:?}");
    };
    git(&["init", "-q"]);
    git(&["config", "--global", "user.name", "n"]);
    git(&["config", "--global", "user.email", "e@e"]);
    world.home.write(".env", "TOKEN=right\n").unwrap();
    world.home.write("a.txt", "a\n").unwrap();
    git(&["add", "a.txt"]);
    let hook =
        world.home.write(".git/hooks/pre-commit", "#!/bin/sh\n. ./.env\ntest \"$TOKEN\" = right\n").unwrap();
    std::fs::set_permissions(hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let _host = serve(&world);
    assert_eq!(world.json(&["run", "commit", "--detach"]).code, Some(0));
    let mut follow = world.start(&["follow", "last"]);
    let first = follow.wait_for_event(|event| matches!(event, TaskEvent::PermissionRequested(_))).unwrap();
    assert_eq!(world.say(&["approve", requests(&[first])[0].id.as_str()]).code, Some(0));
    let request = wanted(&mut follow);
    assert!(request.summary.ends_with("wants to read .env"), "{}", request.summary);
    assert_eq!(world.say(&["approve", request.id.as_str()]).code, Some(0));
    let result = finished(&mut follow);
    assert!(result.content.contains("committed"), "{result:#?}");
    assert_eq!(follow.wait().unwrap(), Some(0));
}
