//! Tests of the functions that models call: what the journal keeps of a call, what a model reads again, and which
//! functions it is offered.

use crate::world::World;
use deputy_protocol::*;
use deputy_testkit::{Answer, ScriptedPlanner, TempHome, calls, done, question};
use serde_json::json;
use std::sync::Arc;

const MODEL: &str = "backend = \"openai_compatible\"\n[backends.openai_compatible]\n\
                     base_url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\n";

/// Returns a home whose tasks are planned by a model.
pub(crate) fn with_model() -> TempHome {
    let home = TempHome::new().unwrap();
    std::fs::create_dir_all(home.path()).unwrap();
    std::fs::write(home.path().join("config.toml"), MODEL).unwrap();
    home
}

fn names(request: &PlanRequest) -> Vec<String> {
    request.tools.iter().map(|tool| tool.name.clone()).collect()
}

fn has(request: &PlanRequest, name: &str) -> bool {
    request.tools.iter().any(|tool| tool.name == name)
}

/// Returns the results in a request.
fn results(request: &PlanRequest) -> Vec<&str> {
    fn content(message: &Message) -> Option<&str> {
        match message {
            Message::Tool(result) => Some(&result.content),
            _ => None,
        }
    }
    request.messages.iter().filter_map(content).collect()
}

fn planned(world: &World, task: &TaskId) -> Vec<ToolCall> {
    let records = world.host.store().task_events(task, 0, 1_000).unwrap();
    let of = |record: EventRecord| match record.event {
        TaskEvent::Planned(planned) => planned.plan.tool_calls,
        _ => Vec::new(),
    };
    records.into_iter().flat_map(of).collect()
}

/// Returns the calls and results in a request, as the model reads them.
fn read_again(request: &PlanRequest) -> Vec<String> {
    let of = |message: &Message| match message {
        Message::Assistant(said) => {
            said.tool_calls.iter().map(|call| format!("{} {}", call.tool, call.parameters)).collect()
        }
        Message::Tool(result) => vec![format!("-> {}", result.tool)],
        Message::User(_) => Vec::new(),
    };
    request.messages.iter().flat_map(of).collect()
}

#[tokio::test]
async fn the_journal_knows_tools_and_the_model_reads_what_it_wrote() {
    let wrote = [
        ("edit_file", json!({"path": "a.txt", "old_string": "one", "new_string": "two"})),
        ("read_file", json!({"path": "a.txt", "limit": "1"})),
        ("Glob", json!({"pattern": "*.txt"})),
        ("code", json!({"action": "read", "path": "a.txt"})),
    ];
    let planner = ScriptedPlanner::new([calls(wrote.clone()), done("ok")]);
    let planner = Arc::new(planner);
    let mut world = World::open(with_model(), planner.clone()).await;
    world.home.write("a.txt", "one\n").unwrap();
    let start = StartCommand { standing_consent: Some(Risk::Medium), ..world.start_command() };
    let task = world.start(start).await;
    assert_eq!(world.ended().await.reason, StopReason::Completed);

    let known: Vec<String> =
        planned(&world, &task).iter().map(|call| format!("{} {}", call.tool, call.parameters)).collect();
    assert_eq!(
        known,
        [
            r#"code {"action":"patch","new":"two","old":"one","path":"a.txt"}"#,
            r#"code {"action":"read","lines":1,"numbered":true,"path":"a.txt"}"#,
            r#"search {"action":"find","pattern":"*.txt"}"#,
            r#"code {"action":"read","path":"a.txt"}"#,
        ]
    );
    let expected = wrote.iter().map(|(name, arguments)| format!("{name} {arguments}"));
    let expected = expected.chain(wrote.iter().map(|(name, _)| format!("-> {name}")));
    assert_eq!(read_again(&planner.requests()[1]), expected.collect::<Vec<_>>());
    assert_eq!(std::fs::read_to_string(world.home.workspace().join("a.txt")).unwrap(), "two\n");
}

/// Decisions bind to the tool and its parameters, so that a function's name makes no difference.
#[tokio::test]
async fn a_function_and_its_tool_have_the_same_digest() {
    let planner = ScriptedPlanner::new([
        calls([
            ("tail_file", json!({"path": "a.txt", "lines": 2})),
            ("search", json!({"action": "tail", "path": "a.txt", "lines": 2})),
        ]),
        done("ok"),
    ]);
    let mut world = World::new(planner).await;
    world.home.write("a.txt", "one\ntwo\n").unwrap();
    let task = world.start(world.start_command()).await;
    world.ended().await;
    let records = world.host.store().task_events(&task, 0, 1_000).unwrap();
    let of = |record: &EventRecord| match &record.event {
        TaskEvent::CallDecided(decided) => Some(decided.digest.clone()),
        _ => None,
    };
    let digests: Vec<Digest> = records.iter().filter_map(of).collect();
    assert_eq!(digests.len(), 2);
    assert_eq!(digests[0], digests[1]);
}

#[tokio::test]
async fn what_functions_change_is_undone() {
    let patch =
        "*** Begin Patch\n*** Add File: new/d.txt\n+d\n*** Update File: c.txt\n@@\n-c\n+C\n*** End Patch";
    let planner = ScriptedPlanner::new([
        calls([
            ("move_file", json!({"source": "a.txt", "destination": "moved/a.txt"})),
            ("delete_file", json!({"path": "b.txt"})),
            ("apply_patch", json!({"input": patch})),
        ]),
        done("ok"),
    ]);
    let mut world = World::open(with_model(), Arc::new(planner)).await;
    for name in ["a", "b", "c"] {
        world.home.write(&format!("{name}.txt"), format!("{name}\n")).unwrap();
    }
    let start = StartCommand { standing_consent: Some(Risk::Medium), ..world.start_command() };
    let task = world.start(start).await;
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    assert_eq!(world.home.read("moved/a.txt").unwrap(), "a\n");
    assert_eq!(world.home.read("c.txt").unwrap(), "C\n");
    assert_eq!(world.home.read("new/d.txt").unwrap(), "d\n");
    let there = |name: &str| world.home.workspace().join(name).exists();
    assert!(!there("a.txt") && !there("b.txt"));
    let undo = UndoCommand::all(task);
    let CommandOutcome::Undone(undone) = world.command(HostCommand::Undo(undo)).await.unwrap() else {
        panic!()
    };
    assert!(undone.files.iter().all(|file| file.restored), "{undone:#?}");
    for name in ["a", "b", "c"] {
        assert_eq!(world.home.read(format!("{name}.txt")).unwrap(), format!("{name}\n"));
    }
    let there = |name: &str| world.home.workspace().join(name).exists();
    assert!(!there("moved") && !there("new"));
}

#[tokio::test]
async fn the_kept_output_of_a_call_is_searched() {
    let search = |request: &PlanRequest| {
        let result = results(request)[0];
        assert!(result.contains("\n1\n2\n") && result.contains("\n399999\n400000"), "{result}");
        let id = result.split('`').nth(1).unwrap().to_owned();
        let grep = |pattern: &str, id: &str| ("grep", json!({"pattern": pattern, "output_id": id}));
        let plan = calls([grep("^31415.$", &id), grep("x", "nobody")]);
        Ok(PlanReply { plan, usage: Usage::default() })
    };
    let planner = Arc::new(ScriptedPlanner::new([
        calls([("shell", json!({"command": "seq 1 400000"}))]).into(),
        Answer::with(search),
        done("ok").into(),
    ]));
    let mut world = World::open(with_model(), planner.clone()).await;
    let start = StartCommand { standing_consent: Some(Risk::Medium), ..world.start_command() };
    let task = world.start(start).await;
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    let requests = planner.requests();
    let found = results(&requests[2]);
    let id = CallId::of(&task, 1, 1);
    let lines: Vec<String> = (314_150..314_160).map(|n| format!("{id}:{n}:{n}")).collect();
    assert!(lines.iter().all(|line| found[1].lines().any(|one| one == line)), "{}", found[1]);
    assert!(found[1].contains("10 matches") && found[2].contains("nobody"), "{} {}", found[1], found[2]);
}

#[tokio::test]
async fn a_group_that_the_model_opens_is_appended_and_stays_through_a_restart() {
    let planner = ScriptedPlanner::new([
        calls([("open_tools", json!({"group": "browser"}))]),
        question("Go on?"),
        done("ok"),
    ]);
    let planner = Arc::new(planner);
    let mut world = World::open(with_model(), planner.clone()).await;
    std::fs::create_dir(world.home.workspace().join(".git")).unwrap();
    world.start(world.start_command()).await;
    let asked = world.asked().await;
    let mut world = World::open(world.end().await, planner.clone()).await;
    world.answer(&asked, "yes").await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    let [first, second, third] = planner.requests().try_into().unwrap();
    assert!(!has(&first, "browser_click") && has(&second, "browser_click"));
    assert_eq!(second.tools[..first.tools.len()], first.tools[..], "the beginning stays the same");
    assert_eq!(third.tools, second.tools);
    assert!(results(&second).last().unwrap().contains("browser_click(ref: string)"));
}

#[tokio::test]
async fn a_task_begins_with_the_functions_that_its_folder_likely_needs() {
    let planner = ScriptedPlanner::new([question("Go on?"), done("ok")]);
    let planner = Arc::new(planner);
    let mut world = World::open(with_model(), planner.clone()).await;
    world.start(world.start_command()).await;
    let asked = world.asked().await;
    // What was decided at the start stays.
    std::fs::create_dir(world.home.workspace().join(".git")).unwrap();
    world.answer(&asked, "yes").await.unwrap();
    world.ended().await;
    let [first, second] = planner.requests().try_into().unwrap();
    assert!(has(&first, "organize_scan") && has(&first, "query_table") && !has(&first, "browser_click"));
    assert_eq!(names(&first), names(&second));

    let planner = ScriptedPlanner::new([done("ok")]);
    let planner = Arc::new(planner);
    let mut world = World::open(world.end().await, planner.clone()).await;
    world.start(world.start_command()).await;
    world.ended().await;
    let first = &planner.requests()[0];
    assert!(has(first, "edit_file") && has(first, "shell") && !has(first, "organize_scan"), "a repository");
    assert!(has(first, "open_tools"));
}

#[tokio::test]
async fn a_known_function_that_is_not_offered_runs_if_its_arguments_fit() {
    let planner = ScriptedPlanner::new([
        Answer::from(calls([
            ("count_lines", json!({"path": "a.txt"})),
            ("count_lines", json!({"file": "a.txt"})),
            ("open_tools", json!({"group": "nothing"})),
        ])),
        Answer::with(|request| {
            assert!(!has(request, "count_lines"));
            let told = results(request);
            assert!(told[0].contains("a.txt"), "{}", told[0]);
            assert!(told[1].contains("count_lines(path?: string"), "{}", told[1]);
            assert!(told[2].contains("browser") && told[2].contains("organize"), "{}", told[2]);
            Ok(PlanReply { plan: done("ok"), usage: Usage::default() })
        }),
    ]);
    let mut world = World::open(with_model(), Arc::new(planner)).await;
    world.home.write("a.txt", "one\n").unwrap();
    world.start(world.start_command()).await;
    assert_eq!(world.ended().await.reason, StopReason::Completed);
}

/// The planner that works without a model knows the tools, also if a model planned before.
#[tokio::test]
async fn a_task_that_continues_without_a_model_offers_tools() {
    let planner = Arc::new(ScriptedPlanner::new([question("Continue?"), done("ok")]));
    let mut world = World::open(with_model(), planner.clone()).await;
    let task = world.start(world.start_command()).await;
    let asked = world.asked().await;
    let switch = SwitchModelCommand { task, backend: Some("offline".into()), model: None };
    world.command(HostCommand::SwitchModel(switch)).await.unwrap();
    world.answer(&asked, "yes").await.unwrap();
    world.ended().await;
    let [first, second] = planner.requests().try_into().unwrap();
    assert!(has(&first, "grep") && !has(&first, "search"));
    assert!(has(&second, "search") && !has(&second, "grep"));
}

/// A sidecar cannot make the journal say that the model wrote something else than what runs.
#[tokio::test]
async fn only_the_core_says_what_a_call_was_written_as() {
    let mut plan = calls([("search", json!({"action": "ls"}))]);
    plan.tool_calls[0].written = Some(WrittenCall { name: "read_file".into(), arguments: None });
    let mut world = World::new(ScriptedPlanner::new([plan, done("ok")])).await;
    let task = world.start(world.start_command()).await;
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    assert_eq!(planned(&world, &task)[0].written, None);
}
