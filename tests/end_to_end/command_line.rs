//! What is typed, and how it ends: mistakes that programs can read, output that nobody reads, settings under a host.

use crate::hosts::serve;
use crate::support::{World, questions, requests, shell, stopped, write};
use deputy_protocol::{ErrorCode, TaskEvent};
use deputy_testkit::{Finished, Turn};
use rustix::process::Signal;
use std::process::Command;

/// `deputy ARGS` in a shell, as `"$0" ARGS`, with what a terminal's user would put around it.
fn in_a_shell(world: &World, script: &str) -> Finished {
    let deputy = world.home.deputy().unwrap();
    let mut command = Command::new("/bin/bash");
    command.args(["-c", script]).arg(deputy.get_program());
    command.env_clear().envs(deputy.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.current_dir(world.home.workspace());
    Finished::of(command).unwrap()
}

#[test]
fn what_was_typed_wrong_is_an_error_like_every_other_for_programs() {
    let world = World::new([]);
    for args in [&["--json", "run"][..], &["run", "--json", "x", "--bogus"], &["--json", "frobnicate"]] {
        let run = world.say(args);
        assert_eq!((run.code, run.stderr.as_str()), (Some(2), ""), "{run:?}");
        let error = run.error().unwrap();
        assert_eq!(error.code, ErrorCode::Usage);
        assert!(!error.message.starts_with("error"), "{error:?}");
        assert!(error.hints[0].contains("--help"), "{error:?}");
    }
    let words = world.say(&["run", "--backend", "offline", "--", "--json"]);
    // Without a model it means nothing, and the task says that it needs one.
    assert!(
        words.code == Some(5) && words.stdout.contains("\n  --json\n"),
        "what follows `--` is the task: {words:?}"
    );
    let people = world.say(&["run", "x", "--bogus"]);
    assert_eq!((people.code, people.stdout.as_str()), (Some(2), ""), "{people:?}");
    assert!(people.stderr.contains("--bogus"), "{people:?}");
    assert_eq!(world.json(&["run", "x", "--read", "/nowhere/at/all"]).code, Some(2));
    let listen = world.say(&["serve", "--listen", "nowhere"]);
    assert!(listen.code == Some(2) && listen.stderr.contains("127.0.0.1:9120"), "{listen:?}");
}

/// They printed their help.
#[test]
fn what_can_be_listed_is_listed_without_another_word() {
    let world = World::new([]);
    assert_eq!(world.say(&["memory", "add", "The office key hangs in the kitchen."]).code, Some(0));
    assert_eq!(world.say(&["config", "set", "limits.max_tokens", "70000"]).code, Some(0));
    for (group, part) in [
        ("memory", "office key"),
        ("backends", "offline"),
        ("profiles", "general"),
        ("devices", "No devices paired"),
        ("config", "limits.max_tokens = 70000"),
    ] {
        let (short, long) = (world.say(&[group]), world.say(&[group, "list"]));
        assert!(short.code == Some(0) && short.stdout.contains(part), "{group}: {short:?}");
        assert_eq!(short.stdout, long.stdout, "{group}");
    }
    let settings = world.json(&["config"]).stdout;
    assert!(settings.contains(r#"{"key":"limits.max_tokens","value":"70000"}"#), "{settings}");
    for name in ["list", "ls"] {
        assert_eq!(world.say(&[name]).stdout, world.say(&["tasks"]).stdout);
    }
}

#[test]
fn deputy_alone_says_what_waits_and_what_can_be_done() {
    let world = World::new([write("a.txt", "a"), Turn::text("Done.")]);
    let first = world.say(&[]);
    assert!(first.code == Some(0) && first.stdout.contains("deputy run"), "{first:?}");
    let run = world.json(&["run", "write it"]);
    assert_eq!(run.code, Some(4), "{run:?}");
    let request = requests(&run.events().unwrap()).remove(0).id.to_string();
    let waits = world.say(&[]);
    // IDs are shown short, and can be cut shorter as long as they name one thing.
    assert!(
        waits.stdout.contains(&format!(
            "deputy approve {0}\n  deputy change {0} \"...\"\n  deputy deny {0}\n",
            &request[..5]
        )),
        "{waits:?}"
    );
    let short: String = request.chars().take(4).collect();
    let approve = world.say(&["approve", &short]);
    assert_eq!(approve.code, Some(0), "{approve:?}");
}

#[test]
fn output_that_nobody_reads_ends_a_command_quietly_and_output_that_is_lost_does_not() {
    let world = World::new([Turn::text("Done.")]);
    assert_eq!(world.json(&["run", "do it"]).code, Some(0));
    // More than a pipe holds, so that writing meets the closed end.
    let cut = in_a_shell(&world, "set -o pipefail; \"$0\" completions bash | head -n 1");
    assert_eq!((cut.code, cut.stderr.as_str()), (Some(0), ""), "a panic reached the user: {cut:?}");
    for args in ["--json show last", "tasks", "completions bash"] {
        let full = in_a_shell(&world, &format!("\"$0\" {args} > /dev/full"));
        assert_eq!(full.code, Some(1), "{args} ended as if all had been said: {full:?}");
        assert!(full.stderr.contains("output could not be written"), "{full:?}");
    }
    let deaf = in_a_shell(&world, "\"$0\" show nope 2> /dev/full");
    assert_eq!(deaf.code, Some(1), "{deaf:?}");
}

#[test]
fn a_setting_that_is_wrong_is_said_to_be_and_a_broken_file_is_named() {
    let world = World::new([]);
    let unknown = world.json(&["config", "set", "max_iterations", "5"]);
    let error = unknown.error().unwrap();
    assert_eq!((unknown.code, error.code), (Some(2), ErrorCode::Usage), "{error:?}");
    assert!(error.message.contains("there is no setting `max_iterations`"), "{error:?}");
    let wrong = world.json(&["config", "set", "limits.max_iterations", "ten"]);
    let error = wrong.error().unwrap();
    assert_eq!(wrong.code, Some(2), "{error:?}");
    assert!(!error.message.contains("no setting") && error.message.contains("ten"), "{error:?}");
    let nobody = world.json(&["config", "set", "backend", "nobody"]);
    let error = nobody.error().unwrap();
    assert_eq!(nobody.code, Some(2), "{error:?}");
    assert!(error.message.contains("`nobody`") && error.message.contains("offline"), "{error:?}");

    let file = world.home.path().join("config.toml");
    std::fs::write(&file, "bakend = \"offline\"\n").unwrap();
    let broken = world.json(&["config", "set", "backend", "offline"]);
    let error = broken.error().unwrap();
    assert_eq!((broken.code, error.code), (Some(1), ErrorCode::Config), "{error:?}");
    assert!(error.message.contains("bakend") && error.hints[0].contains("editor"), "{error:?}");
}

#[test]
fn a_host_that_runs_takes_up_what_the_command_line_sets() {
    let mut world = World::new([Turn::text("Back again.")]);
    let url = world.model.url().to_owned();
    world.home.set("server.listen", "127.0.0.1:0").unwrap();
    world.home.set("backends.openai_compatible.base_url", "http://127.0.0.1:9/v1").unwrap();
    let _host = serve(&world);
    let run = world.json(&["run", "do it"]);
    assert_eq!(run.code, Some(4), "{run:?}");
    let question = questions(&run.events().unwrap()).remove(0);
    // As the question says.
    let set = world.say(&["config", "set", "backends.openai_compatible.base_url", &url]);
    assert_eq!((set.code, set.stdout.as_str()), (Some(0), ""), "{set:?}");
    assert_eq!(world.say(&["answer", question.id.as_str(), "go on"]).code, Some(0));
    let follow = world.json(&["follow", "last"]);
    assert_eq!(stopped(&follow.events().unwrap()).summary, "Back again.");
    let later = world.say(&["config", "set", "server.names", "[\"box.example\"]"]);
    assert!(later.code == Some(0) && later.stdout.contains("when Deputy starts again"), "{later:?}");
}

#[test]
fn an_answer_that_is_not_offered_is_refused_with_those_that_are() {
    let world = World::new([write("a.txt", "x\n"), Turn::text("Done.")]);
    let run = world.json(&["run", "write"]);
    let request = requests(&run.events().unwrap()).remove(0);
    for wanted in ["45m", "for ever"] {
        let refused = world.say(&["approve", request.id.as_str(), "--for", wanted]);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        for offer in ["--for once", "--for task", "--for 30m", "--for always"] {
            assert!(refused.stderr.contains(offer), "{offer} is missing: {refused:?}");
        }
    }
    assert_eq!(world.say(&["approve", request.id.as_str(), "--for", "30m"]).code, Some(0));
}

#[test]
fn a_backend_that_names_no_models_is_well_all_the_same() {
    let world = World::new([]);
    let check = world.say(&["backends", "check", "offline"]);
    assert_eq!(
        (check.code, check.stdout.as_str()),
        (Some(0), "offline loads with its settings.\n"),
        "{check:?}"
    );
}

#[test]
fn checking_a_backend_tries_whether_its_model_can_call_tools() {
    let word = serde_json::json!({"word": "lighthouse"});
    let written = format!("<tool_call>\n{{\"name\": \"note_word\", \"arguments\": {word}}}\n</tool_call>");
    let cases = [
        (Turn::call("note_word", word), Some(0), "The model can call tools."),
        (Turn::text(&written), Some(0), "The model can call tools."),
        (Turn::text("I would call note_word."), Some(1), "answered in words instead of calling the tool"),
        (Turn::call("note_word", serde_json::json!({})), Some(1), "without the word that it was given"),
    ];
    for (turn, code, told) in cases {
        let world = World::new([turn]);
        let check = world.say(&["backends", "check"]);
        assert_eq!(check.code, code, "{check:?}");
        assert!(check.stdout.contains(told), "{check:?}");
        let json = World::new([Turn::text("No.")]).say(&["backends", "check", "--json"]);
        assert!(json.stdout.contains("\"ok\":false"), "{json:?}");
    }
}

#[test]
fn a_model_that_the_server_does_not_list_is_noticed() {
    let world = World::new([]);
    assert_eq!(world.say(&["config", "set", "backends.openai_compatible.model", "other"]).code, Some(0));
    let check = world.say(&["backends", "check"]);
    assert_eq!(check.code, Some(1), "{check:?}");
    assert!(check.stdout.contains("The configured model `other` is not among them."), "{check:?}");
}

/// It may use no model at all, so it is not asked for a call.
#[test]
fn checking_a_backend_of_your_own_only_loads_it() {
    let world = World::new([]);
    let file = "from deputy_sidecar.backend import AgentPlan, PlanReply\n\n\nclass Echo:\n    name = \"echo\"\n\n    \
                def configure(self, settings):\n        pass\n\n    async def plan(self, request):\n        \
                yield PlanReply(plan=AgentPlan(is_complete=True, summary=\"echo\"))\n";
    let folder = world.home.path().join("backends");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("echo.py"), file).unwrap();
    let check = world.say(&["backends", "check", "echo"]);
    assert_eq!(
        (check.code, check.stdout.as_str()),
        (Some(0), "echo loads with its settings.\n"),
        "{check:?}"
    );
}

#[test]
fn a_call_that_never_ran_is_told_by_its_tool() {
    let world = World::new([Turn::call("teleport", serde_json::json!({"to": "Mars"})), Turn::text("No.")]);
    let run = world.say(&["run", "do it"]);
    assert!(run.stdout.contains("✗ teleport → there is no function `teleport`"), "{run:?}");
}

#[test]
fn a_task_whose_process_died_is_not_said_to_run() {
    let world = World::new([shell("sleep 60"), Turn::text("Done.")]);
    let mut run = world.start(&["run", "do it"]);
    run.wait_for_event(|event| matches!(event, TaskEvent::ToolStarted(_))).unwrap();
    run.signal(Signal::KILL).unwrap();
    assert_eq!(run.wait().unwrap(), None);
    for look in ["tasks", "status"] {
        let said = world.say(&[look]).stdout;
        assert!(said.contains("interrupted at step 1") && !said.contains("running, step"), "{said}");
    }
}
