//! Tests of background commands, working directories and long output, with real commands in the sandbox and the
//! journal.

use crate::world::{World, allow_once};
use deputy_protocol::ErrorCode;
use deputy_protocol::*;
use deputy_testkit::{Answer, ScriptedPlanner, calls, done, question};
use serde_json::json;
use std::sync::Arc;

const SERVE: &str = "python3 -u -m http.server 8000 --bind 127.0.0.1";

fn start(command: &str) -> AgentPlan {
    calls([("background", json!({"action": "start", "command": command}))])
}

fn output(id: &str) -> AgentPlan {
    calls([("background", json!({"action": "output", "id": id, "wait_secs": 60}))])
}

fn shell(command: &str) -> AgentPlan {
    calls([("shell", json!({"command": command}))])
}

fn consenting(world: &World) -> StartCommand {
    StartCommand { standing_consent: Some(Risk::High), ..world.start_command() }
}

fn results(events: &[TaskEvent]) -> Vec<ToolResult> {
    let result = |event: &TaskEvent| match event {
        TaskEvent::ToolFinished(finished) => Some(finished.result.clone()),
        _ => None,
    };
    events.iter().filter_map(result).collect()
}

fn ends(events: &[TaskEvent]) -> Vec<BackgroundEnded> {
    let end = |event: &TaskEvent| match event {
        TaskEvent::BackgroundEnded(ended) => Some(ended.clone()),
        _ => None,
    };
    events.iter().filter_map(end).collect()
}

/// Returns whether a process with this argument is running on the machine.
fn runs(word: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter_map(|process| std::fs::read(process.path().join("cmdline")).ok())
        .any(|line| line.split(|byte| *byte == 0).any(|each| each == word.as_bytes()))
}

async fn started(world: &mut World) -> BackgroundStarted {
    world
        .wait(|event| match event {
            TaskEvent::BackgroundStarted(started) => Some(started.clone()),
            _ => None,
        })
        .await
}

/// The first output, such as a warning, does not end the wait, and neither do escape sequences hide the text.
#[tokio::test]
async fn output_is_waited_for_until_it_has_a_text() {
    let wait = |until: &str, wait_secs: u64| {
        let arguments = json!({"id": "b1", "until": until, "wait_secs": wait_secs});
        calls([("background_output", arguments)])
    };
    let planner = ScriptedPlanner::new([
        start("echo warn; sleep 0.3; printf 'lis\\033[1mten'; sleep 0.3; echo 'ing on 8000'; sleep 600"),
        wait("listening on", 60),
        wait("never said", 1),
        calls([("background", json!({"action": "stop", "id": "b1"}))]),
        done("ok"),
    ]);
    let mut world = World::new(planner).await;
    let task = world.start(consenting(&world)).await;
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    let results = results(&world.events_of(&task));
    assert!(results[1].content.contains("warn\nlistening on 8000"), "{}", results[1].content);
    assert!(results[2].content.contains("running"), "{}", results[2].content);
}

#[tokio::test]
async fn a_server_is_started_asked_over_loopback_and_stopped() {
    let planner = ScriptedPlanner::new([
        start(SERVE),
        output("b1"),
        shell("curl -s http://127.0.0.1:8000/notes.txt"),
        calls([("background", json!({"action": "list"}))]),
        calls([("background", json!({"action": "stop", "id": "b1"}))]),
        shell("curl -s --max-time 5 http://127.0.0.1:8000/notes.txt"),
        done("ok"),
    ]);
    let mut world = World::new(planner).await;
    world.home.write("notes.txt", "hello from the server\n").unwrap();
    let task = world.start(consenting(&world)).await;
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    let events = world.events_of(&task);
    let results = results(&events);
    assert!(results[0].content.starts_with("started as b1"), "{results:#?}");
    assert!(results[1].content.contains("Serving HTTP"), "{results:#?}");
    assert!(results[2].content.contains("hello from the server"), "{results:#?}");
    assert!(results[3].content.contains("b1\trunning for "), "{results:#?}");
    assert_ne!(results[5].exit_code, Some(0), "{results:#?}");
    let ended = ends(&events);
    assert_eq!((ended.len(), ended[0].why), (1, BackgroundEnd::StoppedByTask));
    assert!(ended[0].tail.contains("GET /notes.txt"), "{ended:#?}");
}

/// Regression test: refusals by the sandbox were not reported for background commands.
#[tokio::test]
async fn what_the_walls_refused_is_in_its_end() {
    let planner = ScriptedPlanner::new([
        start("python3 look.py"),
        // The program reports the error itself after the refusal.
        output("b1"),
        done("ok"),
    ]);
    let mut world = World::new(planner).await;
    world.home.write(".env", "KEY=1\n").unwrap();
    world.home.write("look.py", "open('.env').read()\n").unwrap();
    let task = world.start(consenting(&world)).await;
    world.ended().await;
    let ended = ends(&world.events_of(&task)).remove(0);
    let refused = ended.refused.iter().find(|refused| refused.path.ends_with("/.env"));
    assert_eq!(refused.map(|refused| refused.operation), Some(AttemptKind::Read), "{ended:#?}");
}

#[tokio::test]
async fn what_runs_ends_with_its_task_and_before_it() {
    let mut world = World::new(ScriptedPlanner::new([start("exec sleep 86391"), done("ok")])).await;
    let task = world.start(consenting(&world)).await;
    world.ended().await;
    let events = world.events_of(&task);
    let place = |wanted: fn(&TaskEvent) -> bool| events.iter().position(wanted).unwrap();
    let ended = place(|event| matches!(event, TaskEvent::BackgroundEnded(_)));
    assert!(ended < place(|event| matches!(event, TaskEvent::Stopped(_))));
    assert_eq!(ends(&events)[0].why, BackgroundEnd::TaskEnded);
    assert!(!runs("86391"));
}

#[tokio::test]
async fn a_person_stops_one_and_the_planner_is_told() {
    let planner = ScriptedPlanner::new([start("exec sleep 86392"), question("And now?"), done("ok")]);
    let mut world = World::new(planner).await;
    let task = world.start(consenting(&world)).await;
    let background = started(&mut world).await.background;
    let asked = world.asked().await;
    let unknown = StopBackgroundCommand { task: task.clone(), background: BackgroundId::new("b9") };
    let error = world.command(HostCommand::StopBackground(unknown)).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::UnknownBackground);
    assert!(error.message.contains("`b9`") && error.hints[0].contains("b1"), "{error:?}");
    let stop = StopBackgroundCommand { task: task.clone(), background };
    world.command(HostCommand::StopBackground(stop)).await.unwrap();
    let ended = world
        .wait(|event| match event {
            TaskEvent::BackgroundEnded(ended) => Some(ended.clone()),
            _ => None,
        })
        .await;
    assert_eq!(ended.why, BackgroundEnd::StoppedByUser);
    assert!(!runs("86392"));
    world.answer(&asked, "go on").await.unwrap();
    world.ended().await;
}

#[tokio::test]
async fn a_restart_ends_what_ran_and_says_so() {
    let planner =
        ScriptedPlanner::new([start("sh -c 'echo made > made.txt; exec sleep 86393'"), question("And now?")]);
    let mut world = World::new(planner).await;
    let task = world.start(consenting(&world)).await;
    started(&mut world).await;
    let asked = world.asked().await;
    let home = world.end().await;
    assert!(!runs("86393"), "it ended with its host");
    let planner = Arc::new(ScriptedPlanner::new([done("ok")]));
    let mut world = World::open(home, planner.clone()).await;
    let ended = ends(&world.events_of(&task));
    assert_eq!((ended.len(), ended[0].why), (1, BackgroundEnd::HostRestarted));
    world.answer(&asked, "go on").await.unwrap();
    world.ended().await;
    let told = format!("{:?}", planner.requests());
    assert!(told.contains("b1") && told.contains("Deputy was restarted"), "{told}");
}

#[tokio::test]
async fn undo_covers_what_a_background_command_changed() {
    let planner = ScriptedPlanner::new([
        start("echo one > a.txt; echo ready; exec sleep 86394"),
        output("b1"),
        calls([("code", json!({"action": "write", "path": "a.txt", "content": "two\n"}))]),
        done("ok"),
    ]);
    let mut world = World::new(planner).await;
    world.home.write("a.txt", "zero\n").unwrap();
    let task = world.start(consenting(&world)).await;
    world.ended().await;
    assert_eq!(world.home.read("a.txt").unwrap(), "two\n");
    let undo = UndoCommand::all(task);
    let CommandOutcome::Undone(undone) = world.command(HostCommand::Undo(undo)).await.unwrap() else {
        panic!()
    };
    assert!(undone.files.iter().all(|file| file.restored), "{undone:#?}");
    assert_eq!(world.home.read("a.txt").unwrap(), "zero\n");
}

#[tokio::test]
async fn nothing_of_a_long_output_is_lost() {
    let planner = Arc::new(ScriptedPlanner::new([shell("seq 1 400000"), done("ok")]));
    let mut world = World::open(deputy_testkit::TempHome::new().unwrap(), planner).await;
    let task = world.start(consenting(&world)).await;
    world.ended().await;
    let events = world.events_of(&task);
    let result = &results(&events)[0];
    let whole: String = (1..=400_000).map(|n| format!("{n}\n")).collect();
    let output = result.output.as_ref().unwrap();
    let kept = output.kept.as_ref().unwrap();
    assert_eq!((kept.size_bytes, kept.omitted_bytes), (whole.len() as u64, 0));
    assert!(result.content.contains("\n1\n2\n") && !output.is_empty);
    let (mut read, mut next) = (String::new(), Some(0));
    let call = CallId::of(&task, 1, 1);
    while let Some(offset) = next {
        let query = OutputQuery { task: task.clone(), call: call.clone(), offset };
        let QueryAnswer::Output(piece) = world.host.query(HostQuery::Output(query)).await.unwrap() else {
            panic!()
        };
        read.push_str(&piece.text);
        next = piece.next;
    }
    assert!(read == whole, "{} bytes of {}", read.len(), whole.len());
}

#[tokio::test]
async fn a_command_runs_in_the_folder_that_it_names() {
    let in_folder =
        |folder: &str| calls([("shell", json!({"command": "touch here; pwd", "working_dir": folder}))]);
    let planner = ScriptedPlanner::new([in_folder("sub"), in_folder("gone"), in_folder("/usr"), done("ok")]);
    let mut world = World::new(planner).await;
    world.home.write("sub/x", "x").unwrap();
    let folder = world.home.workspace().canonicalize().unwrap().join("sub");
    let task = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let request = world.requested().await;
    assert_eq!(request.details.cwd, folder.to_str().unwrap());
    assert_eq!(request.details.away_from.as_deref(), world.home.workspace().to_str());
    world.decide(&request, allow_once()).await.unwrap();
    world.ended().await;
    let results = results(&world.events_of(&task));
    assert!(results[0].content.contains(folder.to_str().unwrap()), "{results:#?}");
    assert!(folder.join("here").exists());
    assert!(results[1].content.contains("there is no folder `gone`"), "{results:#?}");
    assert!(results[2].content.contains("is outside the folders of this task"), "{results:#?}");
}

/// A person who approves a command knows how long and where it may run, and a call with another timeout is a different
/// call.
#[tokio::test]
async fn a_request_says_the_time_limit_that_a_call_names_where_it_is_not_the_usual_one() {
    let timed = |secs: Option<u64>| {
        let mut parameters = json!({"command": "touch here", "working_dir": "."});
        parameters.as_object_mut().unwrap().extend(secs.map(|secs| ("timeout_secs".to_owned(), json!(secs))));
        calls([("shell", parameters)])
    };
    let usual = Limits::default().command_default_secs;
    let mut digests = Vec::new();
    for (named, shown) in [(None, None), (Some(usual), None), (Some(7), Some(7)), (Some(8), Some(8))] {
        let mut world = World::new(ScriptedPlanner::new([timed(named), done("ok")])).await;
        world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
        let request = world.requested().await;
        assert_eq!(request.details.time_limit_secs, shown, "{named:?}");
        assert_eq!(request.details.away_from, None, "it runs in the folder of the task");
        digests.push(request.digest.clone());
        world.decide(&request, crate::world::deny("no")).await.unwrap();
        world.ended().await;
    }
    assert_ne!(digests[2], digests[3]);
}

/// Regression test: a search read files that require approval when they are named. A command that runs without asking
/// does not see their content.
#[tokio::test]
async fn a_search_that_nobody_is_asked_about_finds_nothing_in_files_that_likely_hold_secrets() {
    let search = calls([("shell", json!({"command": "grep -rn KEYWORD ."}))]);
    let planner = ScriptedPlanner::new([search, done("ok")]);
    let mut world = World::new(planner).await;
    world.home.write("main.tf", "# KEYWORD of the code\n").unwrap();
    world.home.write("prod.tfvars", "db = \"KEYWORD of the settings\"\n").unwrap();
    let task = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    let results = results(&world.events_of(&task));
    assert!(results[0].content.contains("main.tf:1:"), "{results:#?}");
    assert!(!results[0].content.contains("KEYWORD of the settings"), "{results:#?}");
}

#[tokio::test]
async fn the_end_of_a_background_command_is_told_as_a_note_from_deputy() {
    let planner = ScriptedPlanner::new([
        Answer::from(start("exit 3")),
        Answer::from(output("b1")),
        Answer::with(|request| {
            let notes = request.messages.iter().filter_map(|message| match message {
                Message::User(user) if user.text.contains("Note from Deputy, not from the user:") => {
                    Some(user.text.as_str())
                }
                _ => None,
            });
            let notes = notes.collect::<Vec<_>>().join("\n");
            assert!(notes.contains("b1") && notes.contains("exit code 3"), "{:?}", request.messages);
            Ok(PlanReply { plan: done("ok"), usage: Usage::default() })
        }),
    ]);
    let mut world = World::new(planner).await;
    let task = world.start(consenting(&world)).await;
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    assert_eq!(ends(&world.events_of(&task))[0].exit_code, Some(3));
}

#[tokio::test]
async fn the_model_reads_on_in_a_long_output_by_the_id_in_its_result() {
    let planner = ScriptedPlanner::new([
        Answer::from(shell("seq 1 400000")),
        Answer::with(|request| {
            let Some(Message::Tool(last)) = request.messages.last() else { panic!("{:?}", request.messages) };
            let id = last.content.split("id `").nth(1).and_then(|rest| rest.split('`').next());
            let id = id.unwrap_or_else(|| panic!("no id in {}", last.content)).to_owned();
            let read = json!({"action": "output", "id": id, "offset": 1_000_000});
            Ok(PlanReply { plan: calls([("background", read)]), usage: Usage::default() })
        }),
        Answer::from(done("ok")),
    ]);
    let mut world = World::new(planner).await;
    let task = world.start(consenting(&world)).await;
    world.ended().await;
    let whole: String = (1..=400_000).map(|n| format!("{n}\n")).collect();
    let read = &results(&world.events_of(&task))[1];
    let line = read.content.lines().find(|line| line.len() == 6 && line.parse::<u32>().is_ok()).unwrap();
    let at = whole.find(&format!("\n{line}\n")).unwrap();
    assert!((1_000_000..1_000_020).contains(&at), "{at}: {}", read.content);
}
