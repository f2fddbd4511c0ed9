//! Answers and commands that are noted down without a host, and take effect with `deputy follow`.

use crate::support::{World, ask, questions, requests, results, shell, stopped, write};
use deputy_protocol::{CallStatus, ErrorCode, PauseReason, StopReason, TaskEvent, TaskState};
use deputy_testkit::Turn;

/// A task that waits for a permission, and the request's id.
fn parked(turns: impl IntoIterator<Item = Turn>) -> (World, String) {
    let world = World::new(turns);
    let run = world.json(&["run", "do it"]);
    assert_eq!(run.code, Some(4), "{run:?}");
    let request = requests(&run.events().unwrap()).remove(0).id.to_string();
    (world, request)
}

#[test]
fn an_approval_is_noted_down_and_follow_ends_the_task() {
    let (world, request) = parked([write("new.txt", "text\n"), Turn::text("Wrote it.")]);
    let approve = world.say(&["approve", &request]);
    assert_eq!(approve.code, Some(0), "{approve:?}");
    assert!(
        approve.stdout.contains("Write new.txt") && approve.stdout.contains("takes effect with"),
        "{approve:?}"
    );
    assert!(world.home.read("new.txt").is_err(), "approve itself runs nothing");

    let follow = world.json(&["follow", "last"]);
    assert_eq!(follow.code, Some(0), "{follow:?}");
    assert_eq!(world.home.read("new.txt").unwrap(), "text\n");
    let events = follow.events().unwrap();
    assert_eq!(stopped(&events).reason, StopReason::Completed);
    assert_eq!(requests(&events).len(), 1, "it is asked once");

    let again = world.say(&["approve", &request]);
    assert_eq!(again.code, Some(1));
    assert!(again.stderr.contains("answered elsewhere"), "{}", again.stderr);
}

#[test]
fn following_in_words_does_not_send_anybody_to_an_answered_request() {
    let (world, request) = parked([write("new.txt", "text\n"), Turn::text("Wrote it.")]);
    world.say(&["approve", &request]);
    let follow = world.say(&["follow", "last"]);
    assert_eq!(follow.code, Some(0), "{follow:?}");
    assert!(!follow.stdout.contains("needs your"), "{}", follow.stdout);
}

#[test]
fn a_denial_is_read_by_the_planner_and_the_task_ends_3() {
    let (world, request) = parked([write("new.txt", "text\n"), Turn::text("I may not, so I leave it.")]);
    let deny = world.say(&["deny", &request, "--reason", "wrong folder, use the other"]);
    assert_eq!(deny.code, Some(0), "{deny:?}");
    let follow = world.json(&["follow", "last"]);
    assert_eq!(follow.code, Some(3), "{follow:?}");
    let events = follow.events().unwrap();
    assert_eq!(results(&events)[0].status, CallStatus::Denied);
    assert_eq!(stopped(&events).reason, StopReason::Denied);
    assert!(world.told(2).contains("wrong folder, use the other"));
    assert!(world.home.read("new.txt").is_err());
}

#[test]
fn follow_without_an_answer_still_waits_and_says_how_to_answer() {
    let (world, request) = parked([write("new.txt", "text\n"), Turn::text("Wrote it.")]);
    for _ in 0..2 {
        let follow = world.say(&["follow", "last"]);
        assert_eq!(follow.code, Some(4), "{follow:?}");
        assert!(follow.stdout.contains(&format!("`deputy approve {}`", &request[..5])), "{}", follow.stdout);
    }
    assert_eq!(world.model.requests().len(), 1, "the plan that waits is not made again");
}

#[test]
fn an_answer_reaches_the_planner() {
    let world = World::new([ask("Which folder?"), Turn::text("Thanks.")]);
    let run = world.json(&["run", "ask me"]);
    let question = questions(&run.events().unwrap()).remove(0);
    assert_eq!(question.text, "Which folder?");
    let answer = world.say(&["answer", question.id.as_str(), "the blue one"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let follow = world.json(&["follow", "last"]);
    assert_eq!(follow.code, Some(0), "{follow:?}");
    assert!(world.told(2).contains("the blue one"));
}

#[test]
fn what_is_steered_while_it_waits_withdraws_the_request_and_is_told_with_the_next_plan() {
    let (world, _) = parked([write("new.txt", "text\n"), Turn::text("Done.")]);
    assert_eq!(world.say(&["steer", "last", "and be brief"]).code, Some(0));
    let follow = world.say(&["follow", "last"]);
    assert_eq!(follow.code, Some(0), "{follow:?}");
    assert!(follow.stdout.contains("no longer needed: you gave an instruction"), "{follow:?}");
    assert!(!world.home.workspace().join("new.txt").exists(), "it was not run");
    assert!(world.told(2).contains("and be brief"));
}

#[test]
fn a_paused_task_waits_until_it_is_resumed() {
    let (world, request) = parked([write("new.txt", "text\n"), Turn::text("Done.")]);
    assert_eq!(world.say(&["pause", "last"]).code, Some(0));
    world.say(&["approve", &request]);
    assert!(matches!(world.task().state, TaskState::Paused(paused) if paused.reason == PauseReason::ByUser));
    let follow = world.say(&["follow", "last"]);
    assert_eq!(follow.code, Some(4), "{follow:?}");
    assert!(follow.stdout.contains("deputy resume"), "{}", follow.stdout);
    assert!(world.home.read("new.txt").is_err(), "paused means that nothing runs");
    assert_eq!(world.say(&["resume", "last"]).code, Some(0));
    assert_eq!(world.say(&["follow", "last"]).code, Some(0));
    assert_eq!(world.home.read("new.txt").unwrap(), "text\n");
}

#[test]
fn resuming_what_waits_for_an_answer_says_so() {
    let (world, request) = parked([write("new.txt", "text\n"), Turn::text("Done.")]);
    let resumed = world.say(&["resume", "last"]);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    assert!(resumed.stdout.contains(&request[..5]), "{}", resumed.stdout);
    assert!(
        matches!(world.task().state, TaskState::Paused(paused) if paused.reason == PauseReason::Permission)
    );
}

#[test]
fn a_stopped_task_is_over() {
    let (world, request) = parked([write("new.txt", "text\n"), Turn::text("Done.")]);
    assert_eq!(world.say(&["stop", "last"]).code, Some(0));
    let follow = world.json(&["follow", "last"]);
    assert_eq!(follow.code, Some(3), "{follow:?}");
    assert_eq!(stopped(&follow.events().unwrap()).reason, StopReason::ManualStop);
    assert_eq!(world.say(&["approve", &request]).code, Some(1), "its request went with it");
    for command in ["pause", "resume", "stop"] {
        let error = world.json(&[command, "last"]).error().unwrap();
        assert_eq!(error.code, ErrorCode::TaskEnded, "{command}");
    }
}

#[test]
fn for_this_task_covers_the_same_again_and_nothing_else() {
    let world = World::new([
        write("new.txt", "one\n"),
        write("new.txt", "two\n"),
        write("other.txt", "three\n"),
        Turn::text("Done."),
    ]);
    let run = world.json(&["run", "write twice"]);
    let request = requests(&run.events().unwrap()).remove(0).id.to_string();
    assert_eq!(world.say(&["approve", &request, "--for", "task"]).code, Some(0));
    let follow = world.json(&["follow", "last"]);
    assert_eq!(follow.code, Some(4), "{follow:?}");
    assert_eq!(world.home.read("new.txt").unwrap(), "two\n");
    let asked = requests(&follow.events().unwrap());
    assert_eq!(asked.len(), 2);
    assert!(asked[1].summary.contains("other.txt"), "{}", asked[1].summary);
    let grants = world.say(&["policy", "grants"]);
    assert!(grants.stdout.contains("new.txt"), "{}", grants.stdout);
}

#[test]
fn what_is_not_offered_is_refused_and_names_the_offers() {
    // What an interpreter is told can be anything: it is never remembered.
    let (world, request) = parked([shell("python3 -c 'print(1)'"), Turn::text("Done.")]);
    let approve = world.say(&["approve", &request, "--for", "always"]);
    assert_eq!(approve.code, Some(2), "{approve:?}");
    assert!(approve.stderr.contains("Once"), "{}", approve.stderr);
    let nonsense = world.say(&["approve", &request, "--for", "a while"]);
    assert_eq!(nonsense.code, Some(2), "{nonsense:?}");
    assert!(matches!(world.task().state, TaskState::Paused(_)));
}

#[test]
fn a_file_that_changed_while_the_request_waited_is_asked_about_again() {
    let (world, request) = {
        let world = World::new([
            Turn::call(
                "code",
                serde_json::json!({"action": "patch", "path": "a.txt", "old": "two", "new": "2"}),
            ),
            Turn::text("Done."),
        ]);
        world.home.write("a.txt", "one\ntwo\nthree\n").unwrap();
        let run = world.json(&["run", "patch"]);
        let request = requests(&run.events().unwrap()).remove(0).id.to_string();
        (world, request)
    };
    world.home.write("a.txt", "zero\none\ntwo\nthree\n").unwrap();
    world.say(&["approve", &request]);
    let follow = world.json(&["follow", "last"]);
    assert_eq!(follow.code, Some(4), "what was approved is not what would run: {follow:?}");
    assert_eq!(world.home.read("a.txt").unwrap(), "zero\none\ntwo\nthree\n");
    let events = follow.events().unwrap();
    let asked = requests(&events);
    assert_eq!(asked.len(), 2);
    assert!(asked[1].details.diff.as_deref().unwrap_or_default().contains("zero"));
    assert!(!events.iter().any(|event| matches!(event, TaskEvent::ToolStarted(_))));
    world.say(&["approve", asked[1].id.as_str()]);
    assert_eq!(world.say(&["follow", "last"]).code, Some(0));
    assert_eq!(world.home.read("a.txt").unwrap(), "zero\none\n2\nthree\n");
}

/// A review undoes a yes that was given beforehand: the command that waits ends as it does where nobody can answer.
#[test]
fn what_the_review_doubts_waits_for_a_person_although_it_was_consented_to() {
    let doubt = Turn::text("{\"ask\": true, \"reason\": \"Nobody asked for that file.\"}");
    let fine = Turn::text("{\"ask\": false}");
    let mut world = World::new([write("a.txt", "x"), doubt, write("b.txt", "y"), fine, Turn::text("Done.")]);
    world.home.set("roles.review", "openai_compatible/scripted").unwrap();
    let run = world.json(&["run", "do it", "--yes", "medium"]);
    assert_eq!(run.code, Some(4), "{run:?}");
    let request = requests(&run.events().unwrap()).remove(0);
    assert!(
        request.reasons.iter().any(|reason| reason.contains("Nobody asked for that file.")),
        "{request:?}"
    );
    assert!(world.home.read("a.txt").is_err());
    assert_eq!(world.say(&["approve", request.id.as_str()]).code, Some(0));
    assert_eq!(world.json(&["follow", "last"]).code, Some(0));
    assert_eq!(
        (world.home.read("a.txt").unwrap(), world.home.read("b.txt").unwrap()),
        ("x".into(), "y".into())
    );
    let sent = world.model.requests()[1].body.clone().unwrap();
    assert!(sent["tools"].is_null() && sent["messages"].to_string().contains("Request: do it"), "{sent}");
}
