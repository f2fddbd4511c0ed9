//! Tests of what the result of a command says besides its output, with real commands in the sandbox.

use crate::world::{World, allow_once, deny};
use deputy_agent::machine::Machine;
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, calls, done};
use serde_json::json;

/// Runs commands one after another, every one approved, and returns their results.
async fn run(world: impl FnOnce(&World), commands: &[&str]) -> Vec<String> {
    let plans = commands.iter().map(|command| calls([("shell", json!({"command": command}))]));
    let mut opened = World::new(ScriptedPlanner::new(plans.chain([done("Done.")]))).await;
    world(&opened);
    let start = StartCommand { standing_consent: Some(Risk::High), ..opened.start_command() };
    let task = opened.start(start).await;
    opened.ended().await;
    opened.events_of(&task).into_iter().filter_map(result).collect()
}

fn result(event: TaskEvent) -> Option<String> {
    match event {
        TaskEvent::ToolFinished(finished) => Some(finished.result.content),
        _ => None,
    }
}

#[tokio::test]
async fn a_part_of_the_last_pipeline_that_failed_is_said() {
    const FAILED: &str = "of the last pipeline failed";
    let results = run(
        |world| drop(world.home.write("a.txt", "b\na\n").unwrap()),
        &[
            "sort missing.txt | wc -l",
            "cat a.txt | python3 -c 'import sys; sys.exit(3)' | wc -l",
            "python3 -c 'import os; os.kill(os.getpid(), 9)' | cat",
            "grep nothing a.txt | wc -l",
            "yes | head -n 1",
            "sort a.txt | wc -l",
            "echo 'a | b' )",
        ],
    )
    .await;
    assert!(results[0].contains(&format!("Part 1 of 2 {FAILED} with exit code 2")), "{results:#?}");
    assert!(results[1].contains(&format!("Part 2 of 3 {FAILED} with exit code 3")), "{results:#?}");
    assert!(results[2].contains(&format!("Part 1 of 2 {FAILED} with exit code 137")), "{results:#?}");
    assert!(results[3..].iter().all(|result| !result.contains(FAILED)), "{results:#?}");
    assert!(results[6].contains("`echo 'a | b' )'") && !results[6].contains("trap"), "{results:#?}");
}

#[tokio::test]
async fn a_secret_is_never_an_empty_file_and_is_named() {
    let world = |world: &World| drop(world.home.write(".env", "KEY=value\n").unwrap());
    let results = run(world, &["grep -r KEY .", "grep -r KEY . > /tmp/found; cat /tmp/found"]).await;
    for result in &results {
        assert!(result.contains("Permission denied") && result.contains("Protected: .env"), "{results:#?}");
        assert!(!result.contains("KEY=value"), "{results:#?}");
    }
}

#[tokio::test]
async fn a_secret_that_a_person_does_not_open_to_a_program_is_no_empty_file() {
    let planner =
        ScriptedPlanner::new([calls([("shell", json!({"command": "python3 read.py"}))]), done("Done.")]);
    let mut world = World::new(planner).await;
    world.home.write(".env", "KEY=value\n").unwrap();
    world.home.write("read.py", "print(len(open('.env').read()))\n").unwrap();
    let start = StartCommand { standing_consent: Some(Risk::Medium), ..world.start_command() };
    let task = world.start(start).await;
    let midway = world
        .wait(|event| match event {
            TaskEvent::PermissionRequested(asked) if asked.request.details.wanted.is_some() => {
                Some(asked.request.clone())
            }
            _ => None,
        })
        .await;
    world.decide(&midway, deny("not that")).await.unwrap();
    world.ended().await;
    let result = world.events_of(&task).into_iter().find_map(result).unwrap();
    assert!(result.contains("PermissionError"), "{result}");
    assert!(result.contains("Protected: .env was not read") && result.contains("not that"), "{result}");
}

#[tokio::test]
async fn a_path_that_exists_where_the_command_does_not_see_it_is_named() {
    let outside = tempfile::tempdir_in("/var/tmp").unwrap();
    std::fs::write(outside.path().join("data.csv"), "1\n").unwrap();
    let path = outside.path().join("data.csv");
    let script = format!("print(open('{}').read())\n", path.display());
    let results = run(
        |world| drop(world.home.write("read.py", script).unwrap()),
        &["python3 read.py", "python3 -c \"open('/nothing/there')\"", "seq 1000; python3 read.py"],
    )
    .await;
    let named = format!("{} exists, but this command could not see it", path.display());
    assert!(results[0].contains(&named) && results[2].contains(&named), "{results:#?}");
    assert!(!results[1].contains("exists"), "{results:#?}");
}

#[tokio::test]
async fn text_that_the_shell_cannot_read_goes_back_to_the_model_and_nobody_is_asked() {
    let shell = |command: &str| calls([("shell", json!({"command": command}))]);
    for unreadable in [
        "echo 'no end",
        "touch a.txt; if true; then echo x",
        "python3 - <<'END'\nprint(1)\nEND\n)",
        "for f in *; do echo $f",
    ] {
        let mut world = World::new(ScriptedPlanner::new([shell(unreadable), done("ok")])).await;
        let task = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
        world.ended().await;
        let events = world.events_of(&task);
        assert!(
            !events.iter().any(|event| matches!(event, TaskEvent::PermissionRequested(_))),
            "{unreadable}"
        );
        let said = events.into_iter().find_map(result).unwrap();
        assert!(said.contains("bash cannot read the command") && said.contains("line"), "{said}");
        assert!(!world.home.workspace().join("a.txt").exists(), "not even the part before");
    }
    let readable = "shopt -s extglob\nls !(*.txt) > listed; echo done > made.txt";
    let mut world = World::new(ScriptedPlanner::new([shell(readable), done("ok")])).await;
    world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let request = world.requested().await;
    world.decide(&request, deny("no")).await.unwrap();
    world.ended().await;
}

#[tokio::test]
async fn a_part_that_refuses_a_whole_command_is_named_alone() {
    let results = run(
        |world| drop(world.home.write("a.txt", "a\n").unwrap()),
        &["touch made.txt; sudo id; rm -f old.txt", "sudo id", "cat a.txt"],
    )
    .await;
    let denied = &results[0];
    assert!(denied.starts_with("Denied: `sudo id`: "), "{denied}");
    assert!(denied.ends_with("Leave that out: nothing else in the call was refused."), "{denied}");
    assert!(!denied.contains("Creates, changes or removes files"), "{denied}");
    assert!(results[1].contains("`sudo id`: ") && !results[2].contains("Denied"), "{results:#?}");
}

/// Names only: the call sees the names of the settings, also after a restart, and nothing else is opened.
#[tokio::test]
async fn the_names_of_settings_are_allowed_without_their_values() {
    let read = |path: &str| calls([("code", json!({"action": "read", "path": path}))]);
    let grep = calls([("search", json!({"action": "grep", "pattern": "KEY|s3cret", "path": ".env"}))]);
    let script = calls([("shell", json!({"command": "python3 read.py"}))]);
    let plans = [script.clone(), read(".env"), grep, read(".env"), read("id_rsa"), script, done("Done.")];
    let mut world = World::new(ScriptedPlanner::new(plans)).await;
    world.home.write(".env", "# token s3cret1\nAPI_KEY=s3cret2\nEMPTY=\n").unwrap();
    world.home.write("id_rsa", "A=1\n-----BEGIN OPENSSH PRIVATE KEY-----\n").unwrap();
    world.home.write("read.py", "print(open('.env').read())\n").unwrap();
    let task =
        world.start(StartCommand { standing_consent: Some(Risk::Medium), ..world.start_command() }).await;
    let names = || {
        let lifetime = Lifetime::Names(NamesLifetime {});
        Choice::Allow(AllowChoice { lifetime, ..AllowChoice::once() })
    };
    let answers = [deny("no"), names(), names(), names(), deny("no")];
    for (at, choice) in answers.into_iter().enumerate() {
        let request = world.requested_at(Risk::High).await;
        let offered: Vec<_> = request.offered.iter().map(|offer| &offer.lifetime).collect();
        let (once, names) = (Lifetime::Once(OnceLifetime {}), Lifetime::Names(NamesLifetime {}));
        let is_settings = (1..4).contains(&at);
        assert_eq!(offered, if is_settings { vec![&once, &names] } else { vec![&once] }, "{request:#?}");
        if at == 3 {
            // It changes after it was asked about, so that there is nothing to show of it.
            world.home.write(".env", "API_KEY=s3cret2\ns3cret3\n").unwrap();
        }
        world.decide(&request, choice).await.unwrap();
    }
    world.ended().await;
    let events = world.events_of(&task);
    let allowed = events.iter().position(
        |event| matches!(event, TaskEvent::PermissionAnswered(answered) if answered.choice == names()),
    );
    let TaskEvent::PermissionAnswered(answered) = &events[allowed.unwrap()] else { unreachable!() };
    let restarted = Machine::replay(&events[..=allowed.unwrap()]).unwrap();
    let stage = &restarted.call(&answered.call).unwrap().stage;
    assert!(stage.ruled().unwrap().names_only, "a restart shows no more: {stage:?}");
    let results: Vec<String> = events.into_iter().filter_map(result).collect();
    assert!(results[1].contains("# <hidden>\nAPI_KEY=<hidden>\nEMPTY="), "{results:#?}");
    assert!(results[1].contains("the user allowed only the names"), "{results:#?}");
    assert!(results[2].contains("API_KEY=<hidden>") && results[3].contains("not every line"), "{results:#?}");
    assert!(results[5].contains("denied before"), "names do not lift a no to all of it: {results:#?}");
    assert!(!results.iter().any(|text| text.contains("s3cret")), "{results:#?}");
}

/// A secret is listed, every way to read it asks, and a yes to a request that names it lifts an earlier no.
#[tokio::test]
async fn a_secret_is_listed_and_every_way_to_read_it_asks() {
    let shell = |command: &str| calls([("shell", json!({"command": command}))]);
    let plans = [
        calls([("search", json!({"action": "ls"}))]),
        shell("python3 read.py"),
        shell("python3 read.py"),
        calls([("code", json!({"action": "read", "path": ".env"}))]),
        shell("cut -d= -f2 .env"),
        shell("python3 read.py"),
        done("Done."),
    ];
    let mut world = World::new(ScriptedPlanner::new(plans)).await;
    world.home.write(".env", "KEY=value\n").unwrap();
    world.home.write("read.py", "print(len(open('.env').read()))\n").unwrap();
    let task =
        world.start(StartCommand { standing_consent: Some(Risk::Medium), ..world.start_command() }).await;
    for (wanted, choice) in [
        ("read.py", deny("not yet")),
        ("Read .env", allow_once()),
        ("cut -d= -f2 .env", allow_once()),
        ("read.py", allow_once()),
    ] {
        let request = world.requested_at(Risk::High).await;
        let is_midway = request.details.wanted.is_some();
        assert!(request.summary.contains(wanted) || wanted == "read.py" && is_midway, "{request:#?}");
        world.decide(&request, choice).await.unwrap();
    }
    world.ended().await;
    let results: Vec<String> = world.events_of(&task).into_iter().filter_map(result).collect();
    assert!(results[0].contains("protected: .env"), "{results:#?}");
    assert!(results[1].contains("not yet") && results[2].contains("denied before"), "{results:#?}");
    assert!(results[3].contains("KEY="), "{results:#?}");
    assert!(results[4].contains("value"), "{results:#?}");
    assert!(results[5].contains("10"), "{results:#?}");
}
