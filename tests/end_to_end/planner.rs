//! A planner in trouble: each fault of a model server has its own clear words, and the task waits instead of ending.

use crate::support::{World, processes_below, questions, results, stopped};
use deputy_protocol::{CallStatus, ErrorCode, PlanErrorCode, PlanFailed, StopReason, TaskEvent, TaskState};
use deputy_testkit::model::{CutTurn, GarbageTurn, HugeTurn, StatusTurn};
use deputy_testkit::{Script, Turn};
use rustix::process::{Signal, kill_process};
use serde_json::json;

/// The failed plans, in order.
fn failures(events: &[TaskEvent]) -> Vec<PlanFailed> {
    let failure = |event: &TaskEvent| match event {
        TaskEvent::PlanFailed(failed) => Some(failed.clone()),
        _ => None,
    };
    events.iter().filter_map(failure).collect()
}

/// Runs a task that ends in a question about the planner, and gives back the failures with the question.
fn asked_about(world: &World) -> (Vec<PlanFailed>, String) {
    let run = world.json(&["run", "do it"]);
    assert_eq!(run.code, Some(4), "the task waits: {run:?}");
    let events = run.events().unwrap();
    let question = questions(&events).pop().expect("a question");
    assert_eq!(question.choices, ["continue", "stop"]);
    (failures(&events), question.text.into())
}

#[track_caller]
fn says(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{word:?} is missing in {text:?}");
    }
}

#[test]
fn a_server_that_is_down_is_named_and_going_on_tries_again() {
    let mut world = World::new([Turn::text("Back again.")]);
    let url = world.model.url().to_owned();
    world.home.set("backends.openai_compatible.base_url", "http://127.0.0.1:9/v1").unwrap();
    let (failed, question) = asked_about(&world);
    assert!(failed.iter().all(|failed| failed.code == PlanErrorCode::Network), "{failed:?}");
    assert_eq!(failed.len(), 2, "it is tried again once by itself");
    says(&question, &["127.0.0.1:9"]);

    world.home.set("backends.openai_compatible.base_url", url.as_str()).unwrap();
    let question = questions(&world.json(&["show", "last"]).events().unwrap()).remove(0);
    assert_eq!(world.say(&["answer", question.id.as_str(), "go on"]).code, Some(0));
    let follow = world.json(&["follow", "last"]);
    assert_eq!(follow.code, Some(0), "{follow:?}");
    assert_eq!(stopped(&follow.events().unwrap()).summary, "Back again.");
}

#[test]
fn a_server_that_is_too_slow_is_said_to_be() {
    let mut world =
        World::of(Script { repeat_last: true, ..Script::turns([Turn::Hang(Default::default())]) });
    world.home.set("backends.openai_compatible.timeout_secs", 1).unwrap();
    let (failed, question) = asked_about(&world);
    assert!(failed.iter().all(|failed| failed.code == PlanErrorCode::Network), "{failed:?}");
    says(&question, &["after 2 tries", "timeout_secs = 1"]);
}

#[test]
fn an_answer_that_breaks_off_is_asked_for_again() {
    let cut = Turn::Cut(CutTurn { after_bytes: 300, text: "word ".repeat(200), calls: Vec::new() });
    let world = World::new([cut, Turn::text("Whole.")]);
    let run = world.json(&["run", "do it"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let events = run.events().unwrap();
    assert_eq!(stopped(&events).summary, "Whole.");
    let failed = failures(&events);
    assert_eq!((failed.len(), failed[0].code), (1, PlanErrorCode::Network), "{failed:?}");
    says(&failed[0].message, &["connection was lost"]);
}

#[test]
fn a_closed_connection_is_asked_again() {
    let world = World::new([Turn::Close(Default::default()), Turn::text("Whole.")]);
    let run = world.json(&["run", "do it"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(
        failures(&run.events().unwrap()),
        [],
        "nothing had begun, so the sidecar asked again by itself"
    );
    assert_eq!(world.model.requests().len(), 2);
}

#[test]
fn garbage_is_no_answer() {
    let garbage = Turn::Garbage(GarbageTurn { bytes: 4000 });
    let world = World::of(Script { repeat_last: true, ..Script::turns([garbage]) });
    let (failed, question) = asked_about(&world);
    says(&question, &["after 3 tries", "base_url"]);
    assert!(failed.iter().all(|failed| failed.code == PlanErrorCode::BadResponse), "{failed:?}");
    assert_eq!(failed.len(), 3);
}

#[test]
fn a_refused_key_is_not_tried_again() {
    let mut world = World::of(Script { api_key: Some("right".into()), ..Script::turns([Turn::text("In.")]) });
    world.home.set("backends.openai_compatible.api_key_env", "TEST_MODEL_KEY").unwrap();
    let missing = world.json(&["run", "do it"]);
    let error = missing.error().unwrap();
    assert_eq!((missing.code, error.code), (Some(1), ErrorCode::MissingKey), "{error:?}");
    says(&error.message, &["openai_compatible", "TEST_MODEL_KEY"]);
    says(&error.hints[0], &["Set TEST_MODEL_KEY", "api_key_env"]);
    assert_eq!(world.json(&["tasks"]).stdout, "", "nothing was started that cannot go on");

    let run = |key: &str, args: &[&str]| {
        let mut command = world.home.deputy().unwrap();
        command.arg("--json").args(args).env("TEST_MODEL_KEY", key);
        deputy_testkit::Finished::of(command).unwrap()
    };
    let wrong = run("wrong-secret", &["run", "do it"]);
    assert_eq!(wrong.code, Some(4), "{wrong:?}");
    let events = wrong.events().unwrap();
    let failed = failures(&events);
    assert_eq!((failed.len(), failed[0].code), (1, PlanErrorCode::Auth), "{failed:?}");
    says(&questions(&events)[0].text, &["the key was refused", "Enter a valid one"]);
    assert!(!wrong.stdout.contains("wrong-secret"), "a key is never shown");

    let question = questions(&events).remove(0);
    assert_eq!(run("right", &["answer", question.id.as_str(), "go on"]).code, Some(0));
    let right = run("right", &["follow", "last"]);
    assert_eq!(right.code, Some(0), "{right:?}");
}

#[test]
fn a_server_that_asks_for_patience_gets_it() {
    let busy = |secs| Turn::Status(StatusTurn { code: 429, body: None, retry_after: Some(secs) });
    let world = World::new([busy(0.1), Turn::text("At last.")]);
    let run = world.json(&["run", "do it"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(failures(&run.events().unwrap()), [], "the sidecar waits that long by itself");
    assert_eq!(world.model.requests().len(), 2);

    let mut world = World::new([busy(0.1), Turn::text("At last.")]);
    world.home.set("backends.openai_compatible.max_retries", 0).unwrap();
    let run = world.json(&["run", "do it"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let failed = failures(&run.events().unwrap()).remove(0);
    assert_eq!(failed.code, PlanErrorCode::RateLimited);
    assert_eq!(failed.retry_in_ms, Some(100), "as long as the server said");

    let world = World::new([busy(25.0 * 3600.0)]);
    let (failed, question) = asked_about(&world);
    assert_eq!(failed.len(), 1, "more than a day is not waited for without a person");
    says(&question, &["too many requests", "25 hours"]);
}

#[test]
fn a_missing_model_a_wrong_address_and_a_broken_server_are_told_apart() {
    let always = |turn| World::of(Script { repeat_last: true, ..Script::turns([turn]) });
    let mut world = always(Turn::text("Never."));
    world.home.set("backends.openai_compatible.model", "no-such-model").unwrap();
    let (failed, question) = asked_about(&world);
    assert_eq!((failed.len(), failed[0].code), (1, PlanErrorCode::ModelMissing), "{failed:?}");
    says(&question, &["no-such-model", "Choose another model"]);

    let (failed, question) = asked_about(&always(Turn::status(404)));
    assert_eq!((failed.len(), failed[0].code), (1, PlanErrorCode::BadSettings), "{failed:?}");
    says(&question, &["HTTP 404", "base_url"]);

    let (failed, question) = asked_about(&always(Turn::status(500)));
    assert!(failed.len() == 2 && failed[0].code == PlanErrorCode::Network, "{failed:?}");
    says(&question, &["HTTP 500", "Try again later"]);
}

#[test]
fn wrong_calls_are_told_to_the_model_which_mends_them() {
    let mut world = World::new([
        Turn::call("teleport", json!({"to": "Mars"})),
        Turn::call("shell", json!({"cmd": "ls"})),
        Turn::call("code", json!({"action": "write", "path": "a.txt"})),
        Turn::call("shell", json!("{\"command\": \"ls\"")),
        Turn::text("I give up."),
    ]);
    world.home.set("limits.brake_after", 0).unwrap();
    let run = world.json(&["run", "do it"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let results = results(&run.events().unwrap());
    assert_eq!(results.len(), 4);
    assert!(results.iter().take(3).all(|result| result.status == CallStatus::Failed), "{results:?}");
    says(&results[0].content, &["teleport", "shell"]);
    says(&results[1].content, &["cmd", "command"]);
    says(&results[2].content, &["content"]);
}

#[test]
fn a_model_whose_calls_cannot_run_three_times_is_stopped_by_a_question() {
    let wrong = |n: u32| Turn::call("teleport", json!({"to": n}));
    let world = World::new([wrong(1), wrong(2), wrong(3), wrong(4)]);
    let run = world.json(&["run", "do it"]);
    assert_eq!(run.code, Some(4), "{run:?}");
    let question = questions(&run.events().unwrap()).remove(0);
    says(question.text.as_ref(), &["3 calls in a row couldn't run"]);
}

#[test]
fn a_huge_answer_is_survived() {
    let world = World::new([Turn::Huge(HugeTurn { bytes: 20_000_000 }), Turn::text("Small.")]);
    let run = world.json(&["run", "do it"]);
    assert_eq!(run.code, Some(0), "{:?}", run.stderr);
    let failed = failures(&run.events().unwrap());
    assert_eq!((failed.len(), failed[0].code), (1, PlanErrorCode::BadResponse), "{failed:?}");
    says(&failed[0].message, &["longer than 8 MiB", "max_output_tokens"]);
    assert!(run.stdout.len() < 10_000, "what was not read is not kept: {} bytes", run.stdout.len());
}

#[test]
fn a_sidecar_that_is_killed_is_started_again_and_asked_again() {
    let world = World::new([Turn::Hang(Default::default()), Turn::text("Done.")]);
    let mut run = world.start(&["run", "do it"]);
    assert!(world.model.wait_for_requests(1));
    kill_process(sidecar_of(run.id()), Signal::KILL).unwrap();
    let failed = run.wait_for_event(|event| matches!(event, TaskEvent::PlanFailed(_))).unwrap();
    assert_eq!(failures(&[failed])[0].code, PlanErrorCode::Sidecar);
    let end = run.wait_for_event(|event| matches!(event, TaskEvent::Stopped(_))).unwrap();
    assert_eq!(stopped(&[end]).reason, StopReason::Completed);
    assert_eq!(run.wait().unwrap(), Some(0));
}

#[test]
fn a_sidecar_that_dies_again_and_again_pauses_the_task_and_says_why() {
    let hang = || Turn::Hang(Default::default());
    let world = World::new([hang(), hang(), hang(), Turn::text("Done.")]);
    let mut run = world.start(&["run", "do it"]);
    for n in 1..=3 {
        assert!(world.model.wait_for_requests(n), "request {n}");
        kill_process(sidecar_of(run.id()), Signal::KILL).unwrap();
        run.wait_for_event(|event| matches!(event, TaskEvent::PlanFailed(_))).unwrap();
    }
    let asked = run.wait_for_event(|event| matches!(event, TaskEvent::QuestionAsked(_))).unwrap();
    let question = questions(&[asked]).remove(0);
    says(&question.text, &["after 3 tries", "sidecar died", "deputy doctor"]);
    assert_eq!(run.wait().unwrap(), Some(4));
    assert!(matches!(world.task().state, TaskState::Paused(_)));
    assert_eq!(world.say(&["answer", question.id.as_str(), "go on"]).code, Some(0));
    assert_eq!(world.json(&["follow", "last"]).code, Some(0));
}

/// The Python process of a host.
fn sidecar_of(host: u32) -> rustix::process::Pid {
    processes_below(host, "deputy_sidecar").into_iter().next().expect("a sidecar runs")
}
