//! `deputy run --json` without a person: messages on standard output, and an exit code for each way to end.

use crate::support::{World, ask, requests, results, shell, stopped, value, write};
use crate::terminal::Person;
use deputy_protocol::{CallStatus, ErrorCode, ServerMessage, StopReason, TaskEvent, TaskState};
use deputy_testkit::Turn;
use serde_json::json;

#[test]
fn a_task_that_is_done_ends_0_and_every_line_is_a_message() {
    let world = World::new([
        Turn::call("search", json!({"action": "ls"})),
        shell("cat a.txt"),
        write("b.txt", "made\n"),
        Turn::text("All done."),
    ]);
    world.home.write("a.txt", "content of a\n").unwrap();
    let run = world.json(&["run", "look around", "--yes", "low"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.messages().unwrap().iter().all(|message| matches!(message, ServerMessage::Event(_))));
    let events = run.events().unwrap();
    assert!(matches!(&events[0], TaskEvent::Created(created) if created.spec.goal == "look around"));
    let results = results(&events);
    assert!(results.iter().all(|result| result.status == CallStatus::Ok), "{results:?}");
    assert!(results[0].content.contains("a.txt"), "{:?}", results[0]);
    assert!(results[1].content.contains("content of a"), "{:?}", results[1]);
    assert_eq!(world.home.read("b.txt").unwrap(), "made\n");
    let stopped = stopped(&events);
    assert_eq!((stopped.reason, stopped.summary.as_str()), (StopReason::Completed, "All done."));
    assert!(world.told(4).contains("content of a"), "the planner reads what a call gave back");
    assert_eq!(run.stderr, "", "nothing went wrong, so nothing is logged");
}

#[test]
fn sequence_numbers_rise_without_gaps_and_show_tells_the_same() {
    let world = World::new([shell("ls"), Turn::text("Done.")]);
    let run = world.json(&["run", "list"]);
    let seqs: Vec<u64> = run
        .messages()
        .unwrap()
        .into_iter()
        .map(|message| match message {
            ServerMessage::Event(event) => event.record.seq,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
    let show = world.json(&["show", "last"]);
    assert_eq!((show.code, show.stdout), (Some(0), run.stdout));
}

#[test]
fn a_task_over_its_limit_of_steps_answers_with_what_it_has_and_ends_1() {
    let world = World::new([shell("ls"), shell("pwd"), Turn::text("This is what I have.")]);
    let run = world.json(&["run", "go on and on", "--max-iterations", "2"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let end = stopped(&run.events().unwrap());
    assert_eq!(end.reason, StopReason::IterationLimit);
    assert!(end.summary.starts_with("This is what I have."), "{}", end.summary);
    assert_eq!(world.model.requests().len(), 3);
}

#[test]
fn what_is_typed_wrong_ends_2_with_a_next_step() {
    let world = World::new([]);
    let cases: [(&[&str], &str, &str); 6] = [
        (&["run", "x", "--profile", "nobody"], "nobody", "general"),
        (&["run", "x", "--backend", "nobody"], "nobody", "openai_compatible"),
        (&["run", "x", "--in", "not/there"], "not/there", "--in DIR"),
        (&["run", "  "], "empty", "what you want done"),
        (&["run", "x", "--colour"], "--colour", "--help"),
        (&["run", "x", "--yes", "high"], "high", "low, medium"),
    ];
    for (args, what, next) in cases {
        let plain = world.say(args);
        assert_eq!(plain.code, Some(2), "{args:?}: {plain:?}");
        assert!(plain.stderr.contains(what) && plain.stderr.contains(next), "{args:?}: {}", plain.stderr);
        assert_eq!(plain.stdout, "", "{args:?}");
    }
    for (args, code) in [
        (&["run", "x", "--backend", "nobody"], ErrorCode::UnknownBackend),
        (&["run", "x", "--profile", "nobody"], ErrorCode::Profile),
    ] {
        let error = world.json(args).error().unwrap();
        assert_eq!(error.code, code);
        assert!(error.hints.iter().any(|hint| !hint.is_empty()), "{error:?}");
    }
    assert_eq!(world.json(&["tasks"]).stdout, "", "nothing was started");
}

#[test]
fn a_task_that_needs_a_person_parks_and_ends_4() {
    let world = World::new([write("new.txt", "text\n"), Turn::text("Wrote it.")]);
    let run = world.json(&["run", "write"]);
    assert_eq!(run.code, Some(4), "{run:?}");
    let request = requests(&run.events().unwrap()).remove(0);
    assert_eq!(request.details.diff.as_deref(), Some("--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+text\n"));
    assert!(world.home.read("new.txt").is_err(), "nothing is written before the answer");
    assert!(matches!(world.task().state, TaskState::Paused(_)));

    let plain = world.say(&["status"]);
    assert!(
        plain.stdout.contains(&format!("  deputy approve {}\n", &request.id.as_str()[..5])),
        "{}",
        plain.stdout
    );
    assert!(plain.stdout.contains("+text"), "{}", plain.stdout);
}

#[test]
fn a_question_without_a_person_parks_and_ends_4() {
    let world = World::new([ask("Which folder?"), Turn::text("Thanks.")]);
    let run = world.say(&["run", "ask me"]);
    assert_eq!(run.code, Some(4), "{run:?}");
    assert!(run.stdout.contains("Which folder?") && run.stdout.contains("deputy answer q"), "{}", run.stdout);
}

#[test]
fn commands_name_what_they_do_not_find() {
    let world = World::new([]);
    for args in [
        ["show", "t0"],
        ["stop", "t0"],
        ["follow", "t0"],
        ["undo", "t0"],
        ["pause", "last"],
        ["approve", "r0"],
    ] {
        let plain = world.say(&args);
        assert_eq!(plain.code, Some(1), "{args:?}: {plain:?}");
        assert!(
            plain.stderr.contains(args[1]) && plain.stderr.lines().count() > 1,
            "{args:?}: {}",
            plain.stderr
        );
    }
    let error = world.json(&["answer", "q0", "yes"]).error().unwrap();
    assert_eq!(error.code, ErrorCode::UnknownRequest);
    assert_eq!(value(&world.json(&["status"])), json!({"agent": "idle"}));
}

#[test]
fn what_only_a_model_can_do_is_handed_to_the_connected_one_by_a_key() {
    let world = World::new([Turn::text("Zuerst die Eier.")]);
    world.home.write("recipes.txt", "2 eggs\n").unwrap();
    let goal = "translate recipes.txt into German";
    let alone = world.say(&["run", "--backend", "offline", goal]);
    assert_eq!(alone.code, Some(5), "nobody is asked where nobody is: {alone:?}");
    let mut person = Person::at(&world, &["run", "--backend", "offline", goal]);
    person.sees("[m] to ask ");
    person.presses("\r");
    assert_eq!(person.leaves().1, 5);
    let mut person = Person::at(&world, &["run", "--backend", "offline", goal]);
    person.sees("[m] to ask ");
    person.presses("m");
    person.sees("Zuerst die Eier.");
    assert_eq!(person.leaves().1, 0);
}
