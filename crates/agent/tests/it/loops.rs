//! Tests of the loop end to end: plans, calls, permissions, questions, pause, stop, steer, undo, queue.

use crate::world::{World, allow_once, change, deny};
use deputy_planner::PlanError;
use deputy_protocol::ErrorCode;
use deputy_protocol::*;
use deputy_testkit::{Answer, ScriptedPlanner, TempHome, calls, done, question};
use serde_json::json;
use std::sync::Arc;

fn write(path: &str, content: &str) -> AgentPlan {
    calls([("code", json!({"action": "write", "path": path, "content": content}))])
}

#[tokio::test]
async fn a_task_reads_writes_and_is_done() {
    let planner = ScriptedPlanner::new([
        calls([("search", json!({"action": "ls"})), ("code", json!({"action": "read", "path": "a.txt"}))]),
        write("out.txt", "hello\n"),
        done("Written."),
    ]);
    let mut world = World::new(planner).await;
    world.home.write("a.txt", "some text").unwrap();
    let task = world.start(world.start_command()).await;
    let end = world.ended().await;
    assert_eq!((end.reason, end.summary.as_str()), (StopReason::Completed, "Written."));
    assert_eq!(world.home.read("out.txt").unwrap(), "hello\n");

    // The journal has everything in order, and each call once.
    let events = world.events_of(&task);
    let started = events.iter().filter(|e| matches!(e, TaskEvent::ToolStarted(_))).count();
    assert_eq!(started, 3);
    let kept = events.iter().position(|e| matches!(e, TaskEvent::FileKept(_))).unwrap();
    assert!(matches!(&events[kept + 1], TaskEvent::ToolFinished(f) if f.result.status == CallStatus::Ok));

    let undone = world.command(HostCommand::Undo(UndoCommand::all(task.clone()))).await;
    assert!(
        matches!(undone.unwrap(), CommandOutcome::Undone(u) if u.files.len() == 1 && u.files[0].restored)
    );
    assert!(world.home.read("out.txt").is_err());
    let again = world.command(HostCommand::Undo(UndoCommand::all(task))).await;
    assert!(
        matches!(again.unwrap(), CommandOutcome::Undone(u) if u.files.is_empty()),
        "nothing is undone twice"
    );
}

/// Calls beside a question used to be dropped without a word.
#[tokio::test]
async fn calls_beside_a_question_run_before_it_and_the_answer_follows_their_results() {
    let read = ("code", json!({"action": "read", "path": "a.txt"}));
    let write = ("code", json!({"action": "write", "path": "b.txt", "content": "b"}));
    let asks = AgentPlan { question: Some("Red or blue?".into()), ..calls([read, write]) };
    let planner = Arc::new(ScriptedPlanner::new([asks, done("Painted.")]));
    let mut world = World::open(TempHome::new().unwrap(), planner.clone()).await;
    world.home.write("a.txt", "the word is PLOVER\n").unwrap();
    let start = StartCommand { standing_consent: None, ..world.start_command() };
    let task = world.start(start).await;
    let request = world.requested().await;
    let asked = |event: &TaskEvent| matches!(event, TaskEvent::QuestionAsked(_));
    assert!(!world.events_of(&task).iter().any(asked), "a call waits for its permission first");
    world.decide(&request, allow_once()).await.unwrap();
    let question = world.asked().await;
    assert_eq!((question.text.as_str(), world.home.read("b.txt").unwrap().as_str()), ("Red or blue?", "b"));
    world.answer(&question, "blue").await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    let last = planner.requests().pop().unwrap();
    let told: Vec<&str> = last
        .messages
        .iter()
        .map(|message| match message {
            Message::Tool(result) if result.content.contains("PLOVER") => "read",
            Message::Tool(_) => "written",
            Message::User(user) if user.text.contains("blue") => "blue",
            Message::User(_) => "goal",
            Message::Assistant(_) => "plan",
        })
        .collect();
    assert_eq!(told, ["goal", "plan", "read", "written", "blue"]);
}

#[tokio::test]
async fn a_person_says_yes_no_and_something_else() {
    let planner = ScriptedPlanner::new([
        Answer::from(write("one.txt", "1")),
        Answer::from(write("two.txt", "2")),
        Answer::with(|request| {
            let messages: Vec<_> = request.messages.iter().collect();
            let [.., Message::Tool(last), Message::User(said)] = &messages[..] else {
                panic!("{:?}", request.messages)
            };
            assert!(!last.ok && last.content.contains("The user said no"), "{}", last.content);
            // The user's own words do not stand among the results of tools.
            assert_eq!(said.text, "(about what I just denied) not that one");
            Ok(PlanReply { plan: done("One of two."), usage: Usage::default() })
        }),
    ]);
    let mut world = World::new(planner).await;
    let start = StartCommand { standing_consent: None, ..world.start_command() };
    let task = world.start(start).await;

    let first = world.requested().await;
    assert!(first.details.diff.as_deref().unwrap().contains("+1"), "the change is shown");
    assert_eq!(first.offered.iter().filter(|offer| matches!(offer.lifetime, Lifetime::Once(_))).count(), 1);
    assert!(world.home.read("one.txt").is_err(), "nothing happens before the answer");
    world.decide(&first, allow_once()).await.unwrap();
    world.decide(&first, allow_once()).await.expect("the same answer again is a success");
    let second = world.requested().await;
    world.decide(&second, deny("not that one")).await.unwrap();
    let late = world.decide(&second, allow_once()).await.unwrap_err();
    assert_eq!(late.code, ErrorCode::AlreadyAnswered);

    // Its last call was denied, and the planner could not complete the task without it.
    assert_eq!(world.ended().await.reason, StopReason::Denied);
    assert_eq!(world.home.read("one.txt").unwrap(), "1");
    assert!(world.home.read("two.txt").is_err());
    let answers =
        world.events_of(&task).iter().filter(|e| matches!(e, TaskEvent::PermissionAnswered(_))).count();
    assert_eq!(answers, 2);
}

#[tokio::test]
async fn a_call_that_a_person_wants_changed_comes_back_changed() {
    let planner = ScriptedPlanner::new([
        Answer::from(write("a-very-long-name.txt", "1")),
        Answer::with(|request| {
            let messages: Vec<_> = request.messages.iter().collect();
            let [.., Message::Tool(last), Message::User(said)] = &messages[..] else {
                panic!("{:?}", request.messages)
            };
            let told = "Not run: the user wants it changed. Submit it again, changed like this: shorter";
            assert!(!last.ok && last.content.contains(told), "{}", last.content);
            assert_eq!(said.text, "(about what I want changed) shorter");
            Ok(PlanReply { plan: write("a-very-long-name.txt", "2"), usage: Usage::default() })
        }),
        done("As you wished.").into(),
    ]);
    let mut world = World::new(planner).await;
    let start = StartCommand { standing_consent: None, ..world.start_command() };
    world.start(start).await;

    let first = world.requested().await;
    let wordless = world.decide(&first, change("  ")).await.unwrap_err();
    assert_eq!(wordless.code, ErrorCode::NotOffered);
    world.decide(&first, change("shorter")).await.unwrap();
    let denied_too = world.decide(&first, deny("no")).await.unwrap_err();
    assert!(denied_too.message.contains("sent back for a change"), "{denied_too:?}");
    // What it touches was not refused: the changed call is a request like the first.
    let second = world.requested().await;
    assert_eq!((second.risk, second.offered.len()), (first.risk, first.offered.len()), "{second:?}");
    assert_eq!(second.reasons, first.reasons);
    world.decide(&second, allow_once()).await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    assert_eq!(world.home.read("a-very-long-name.txt").unwrap(), "2");
}

#[tokio::test]
async fn what_was_approved_is_exactly_what_runs() {
    // The file changes between the question and the answer, so the approved change is no longer current.
    let patch = calls([("code", json!({"action": "patch", "path": "a.txt", "old": "x", "new": "y"}))]);
    let mut world = World::new(ScriptedPlanner::new([patch, done("ok")])).await;
    world.home.write("a.txt", "x").unwrap();
    world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let first = world.requested().await;
    world.home.write("a.txt", "something else and x").unwrap();
    world.decide(&first, allow_once()).await.unwrap();
    let second = world.requested().await;
    assert_ne!(first.digest, second.digest);
    assert!(second.details.diff.as_deref().unwrap().contains("something else and y"));
    world.decide(&second, allow_once()).await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    assert_eq!(world.home.read("a.txt").unwrap(), "something else and y");
}

#[tokio::test]
async fn an_answer_for_another_digest_or_an_option_not_offered_decides_nothing() {
    let mut world = World::new(ScriptedPlanner::new([write("a.txt", "1"), done("ok")])).await;
    world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let request = world.requested().await;
    let forged = PermissionRequest { digest: Digest::new("0".repeat(64)), ..request.clone() };
    assert_eq!(world.decide(&forged, allow_once()).await.unwrap_err().code, ErrorCode::Changed);
    let wide = Choice::Allow(AllowChoice {
        lifetime: Lifetime::Session(SessionLifetime { session: SessionId::new("other") }),
        wider: false,
        dropped: Vec::new(),
    });
    assert_eq!(world.decide(&request, wide).await.unwrap_err().code, ErrorCode::NotOffered);
    let unknown = PermissionRequest { id: RequestId::new("r0"), ..request.clone() };
    assert_eq!(world.decide(&unknown, allow_once()).await.unwrap_err().code, ErrorCode::UnknownRequest);
    assert!(world.home.read("a.txt").is_err());
    world.decide(&request, allow_once()).await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::Completed);
}

#[tokio::test]
async fn nobody_answers_in_time() {
    let mut world = World::new(ScriptedPlanner::new([write("a.txt", "1")])).await;
    let task = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    world.requested().await;
    world.clock.advance(std::time::Duration::from_secs(25 * 3600));
    // The driver checks its clock when it wakes up, and a command wakes it. It may have seen the time before.
    let switch = SwitchModelCommand { task: task.clone(), backend: None, model: None };
    world.command(HostCommand::SwitchModel(switch)).await.unwrap();
    assert!(matches!(world.answered().await.by, Answerer::Expiry(_)));
    let state = world.host.store().task(&task).unwrap().unwrap().state;
    assert!(matches!(state, TaskState::Paused(paused) if paused.reason == PauseReason::Expired));
    assert!(world.home.read("a.txt").is_err());
}

#[tokio::test]
async fn a_question_waits_for_its_answer() {
    let planner = ScriptedPlanner::new([
        Answer::from(question("Which colour?")),
        Answer::with(|request| {
            assert!(matches!(request.messages.last(), Some(Message::User(user)) if user.text == "green"));
            Ok(PlanReply { plan: done("Green."), usage: Usage::default() })
        }),
    ]);
    let mut world = World::new(planner).await;
    world.start(world.start_command()).await;
    let asked = world.asked().await;
    assert_eq!(asked.text, "Which colour?");
    world.answer(&asked, "green").await.unwrap();
    assert_eq!(world.ended().await.summary, "Green.");
    let late = world.answer(&asked, "red").await.unwrap_err();
    assert_eq!(late.code, ErrorCode::AlreadyAnswered, "the first answer counts");
    // Regression test: it was reported as a permission given by another client.
    assert_eq!(late.message, "This question was already answered: “green”");
}

#[tokio::test]
async fn pause_steer_resume_stop() {
    let planner = ScriptedPlanner::new([
        Answer::from(question("Ready?")),
        Answer::with(|request| {
            let said: Vec<&str> = request
                .messages
                .iter()
                .filter_map(|message| match message {
                    Message::User(user) => Some(user.text.as_str()),
                    _ => None,
                })
                .collect();
            assert_eq!(said, ["do it", "use blue", "yes"]);
            Ok(PlanReply { plan: question("More?"), usage: Usage::default() })
        }),
    ]);
    let mut world = World::new(planner).await;
    let task = world.start(world.start_command()).await;
    let asked = world.asked().await;
    world
        .command(HostCommand::Steer(SteerCommand { task: task.clone(), text: "use blue".into() }))
        .await
        .unwrap();
    world.command(HostCommand::Pause(PauseCommand { task: task.clone() })).await.unwrap();
    world.answer(&asked, "yes").await.unwrap();
    let state = world.host.store().task(&task).unwrap().unwrap().state;
    assert!(
        matches!(state, TaskState::Paused(p) if p.reason == PauseReason::ByUser),
        "an answer does not end a pause"
    );
    world.command(HostCommand::Resume(ResumeCommand { task: task.clone() })).await.unwrap();
    world.asked().await;
    world.command(HostCommand::Stop(StopCommand { task: task.clone() })).await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::ManualStop);
    let late = world.command(HostCommand::Pause(PauseCommand { task })).await.unwrap_err();
    assert_eq!(late.code, ErrorCode::TaskEnded);
}

#[tokio::test]
async fn stop_takes_a_plan_back() {
    let mut world = World::new(ScriptedPlanner::new([Answer::Hang])).await;
    let task = world.start(world.start_command()).await;
    world.wait(|event| matches!(event, TaskEvent::IterationStarted(_)).then_some(())).await;
    world.command(HostCommand::Stop(StopCommand { task })).await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::ManualStop);
}

#[tokio::test]
async fn a_planner_that_fails_parks_the_task_and_says_why() {
    let auth = || PlanError::new(PlanErrorCode::Auth, "The key was refused.");
    let planner =
        ScriptedPlanner::new([Answer::from(auth()), Answer::from(auth()), Answer::from(done("At last."))]);
    let mut world = World::new(planner).await;
    world.start(world.start_command()).await;
    for _ in 0..2 {
        let asked = world.asked().await;
        assert!(asked.text.contains("The key was refused."), "{}", asked.text);
        world.answer(&asked, "go on").await.unwrap();
    }
    assert_eq!(world.ended().await.summary, "At last.");
}

#[tokio::test]
async fn a_wrong_call_is_told_to_the_planner() {
    let planner = ScriptedPlanner::new([
        Answer::from(calls([
            ("shel", json!({"command": "ls"})),
            ("code", json!({"action": "read", "pth": "a"})),
        ])),
        Answer::with(|request| {
            let told: Vec<&str> = request
                .messages
                .iter()
                .filter_map(|message| match message {
                    Message::Tool(tool) => Some(tool.content.as_str()),
                    _ => None,
                })
                .collect();
            assert!(told[0].contains("shell(command"), "{}", told[0]);
            assert!(told[1].contains("pth"), "{}", told[1]);
            Ok(PlanReply { plan: done("ok"), usage: Usage::default() })
        }),
    ]);
    let mut world = World::new(planner).await;
    world.start(world.start_command()).await;
    assert_eq!(world.ended().await.reason, StopReason::Completed);
}

#[tokio::test]
async fn one_task_at_a_time_and_a_waiting_one_gives_way() {
    let planner = ScriptedPlanner::new([question("First?"), done("second"), done("first")]);
    let mut world = World::new(planner).await;
    let first = world.start(world.start_command()).await;
    let asked = world.asked().await;
    world.start(world.start_command()).await;
    assert_eq!(world.ended().await.summary, "second", "a task that waits for a person holds nobody up");
    world.answer(&asked, "yes").await.unwrap();
    assert_eq!(world.ended().await.summary, "first");
    assert!(matches!(world.host.store().task(&first).unwrap().unwrap().state, TaskState::Stopped(_)));
}

#[tokio::test]
async fn a_workspace_that_vanishes_ends_nothing_but_the_call() {
    let planner =
        ScriptedPlanner::new([question("Go?"), calls([("search", json!({"action": "ls"}))]), done("gone")]);
    let mut world = World::new(planner).await;
    let task = world.start(world.start_command()).await;
    let asked = world.asked().await;
    std::fs::remove_dir_all(world.home.workspace()).unwrap();
    world.answer(&asked, "go").await.unwrap();
    assert_eq!(world.ended().await.summary, "gone");
    let failed = world.events_of(&task).into_iter().any(|event| {
        matches!(event, TaskEvent::ToolFinished(f) if f.result.status == CallStatus::Failed && f.result.content.contains("is gone"))
    });
    assert!(failed);
}

#[tokio::test]
async fn the_same_command_twice_is_done_once() {
    let world = World::new(ScriptedPlanner::new([question("?"), question("?")])).await;
    let (id, command) = (CommandId::new("m1"), HostCommand::Start(world.start_command()));
    let first = world.host.command(&id, command.clone()).await.unwrap();
    let second = world.host.command(&id, command).await.unwrap();
    let id = |outcome: &CommandOutcome| match outcome {
        CommandOutcome::Started(started) => started.task.id.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(id(&first), id(&second));
    assert_eq!(world.host.store().tasks(10).unwrap().len(), 1);
}

#[tokio::test]
async fn bad_starts_are_refused_with_the_next_step() {
    let world = World::new(ScriptedPlanner::new([done("")])).await;
    let good = world.start_command();
    let cases = [
        (StartCommand { goal: " ".into(), ..good.clone() }, ErrorCode::EmptyGoal),
        (StartCommand { goal: "x".repeat(100_000), ..good.clone() }, ErrorCode::GoalTooLong),
        (StartCommand { profile: Some("nobody".into()), ..good.clone() }, ErrorCode::Profile),
        (StartCommand { backend: Some("nothing".into()), ..good.clone() }, ErrorCode::UnknownBackend),
        (
            StartCommand { backend: Some("openai_compatible".into()), ..good.clone() },
            ErrorCode::BackendSettings,
        ),
        (StartCommand { workspace: "/no/such/folder".into(), ..good.clone() }, ErrorCode::Workspace),
        (
            StartCommand { workspace: world.home.path().to_str().unwrap().into(), ..good.clone() },
            ErrorCode::Workspace,
        ),
    ];
    for (start, code) in cases {
        let error = world.command(HostCommand::Start(start)).await.unwrap_err();
        assert_eq!(error.code, code);
        assert!(!error.hints[0].is_empty(), "{code} says what to do next");
    }
    assert!(world.host.store().tasks(10).unwrap().is_empty());
}

#[tokio::test]
async fn a_denied_call_keeps_no_other_call_of_its_plan_from_running() {
    let touch = |file: &str| ("shell", json!({"command": format!("touch {file}")}));
    let planner = ScriptedPlanner::new([
        Answer::from(calls([touch("one"), touch("two"), ("search", json!({"action": "ls"}))])),
        Answer::with(|request| {
            let results = request.messages.iter().filter_map(|message| match message {
                Message::Tool(result) => Some(result.ok),
                _ => None,
            });
            assert_eq!(results.collect::<Vec<_>>(), [false, true, true]);
            Ok(PlanReply { plan: done("Two of three."), usage: Usage::default() })
        }),
    ]);
    let mut world = World::new(planner).await;
    world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let request = world.requested().await;
    assert_eq!(request.summary, "2 steps: touch one, touch two");
    let dropped = vec![request.details.steps[0].call.clone()];
    let without_one = Choice::Allow(AllowChoice { dropped, ..AllowChoice::once() });
    world.decide(&request, without_one).await.unwrap();
    assert_eq!(world.ended().await.summary.as_str(), "Two of three.");
    assert!(world.home.read("one").is_err() && world.home.read("two").is_ok());
}
