//! Tests of `python_inference` through the host: the model that is asked, the usage, and what remains after a crash, a
//! limit or a stop.

use crate::world::{World, allow_once};
use deputy_planner::PlanError;
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, TempHome, calls, done};
use serde_json::{Value, json};
use std::sync::Arc;

const LOCAL: &str = "backend = \"openai_compatible\"\n[backends.openai_compatible]\nbase_url = \"http://127.0.0.1:1/v1\"\n\
                     model = \"big\"\n";
const CHEAP: &str = "[roles]\ncheap = \"ollama/small\"\n";
/// A remote provider; a test double answers in its place.
const ELSEWHERE: &str =
    "[roles]\ncheap = \"mine/small\"\n[backends.mine]\nbase_url = \"https://models.example/v1\"\n";

fn answer(text: &str) -> Option<Result<CompleteReply, PlanError>> {
    let usage = Usage { input_tokens: 90, output_tokens: 10, ..Usage::default() };
    Some(Ok(CompleteReply { text: text.to_owned(), usage }))
}

/// Returns the answer of a model that reads the prompt.
fn kind(request: &CompleteRequest) -> &'static str {
    if request.prompt.contains("Total") { "Invoice." } else { "letter" }
}

fn planner(call: Value) -> Arc<ScriptedPlanner> {
    Arc::new(ScriptedPlanner::new([calls([("python_inference", call)]), done("ok")]))
}

fn home(config: &str) -> TempHome {
    let home = TempHome::new().unwrap();
    std::fs::write(home.path().join("config.toml"), config).unwrap();
    home.write("mail/a.txt", "Total: 10 EUR").unwrap();
    home.write("mail/b.txt", "Dear Ada").unwrap();
    home.write("mail/c.txt", "Total: 20 EUR").unwrap();
    home.write("mail/deep/d.txt", "not in this folder").unwrap();
    home
}

fn classify() -> Value {
    json!({"prompt": "What kind of document?", "files": ["mail/*.txt"], "labels": ["invoice", "letter"]})
}

fn results(world: &World, task: &TaskId) -> Vec<ToolResult> {
    let result = |event| match event {
        TaskEvent::ToolFinished(finished) => Some(finished.result),
        _ => None,
    };
    world.events_of(task).into_iter().filter_map(result).collect()
}

fn inferred(world: &World, task: &TaskId) -> Vec<Inferred> {
    let took = |event| match event {
        TaskEvent::Inferred(inferred) => Some(inferred),
        _ => None,
    };
    world.events_of(task).into_iter().filter_map(took).collect()
}

#[tokio::test]
async fn files_are_classified_into_a_table_by_the_cheap_model() {
    let mut call = classify();
    call["csv_file"] = "kinds.csv".into();
    let planner = planner(call);
    planner.complete_by(|request| answer(kind(request)));
    let mut world = World::open(home(&format!("{LOCAL}{CHEAP}")), planner.clone()).await;
    let task = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let request = world.requested().await;
    assert!(
        request.summary.contains("ollama/small") && request.summary.contains("kinds.csv"),
        "{}",
        request.summary
    );
    world.decide(&request, allow_once()).await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::Completed);

    let written = world.home.read("kinds.csv").unwrap();
    assert_eq!(written, "file,label\nmail/a.txt,invoice\nmail/b.txt,letter\nmail/c.txt,invoice\n");
    let result = &results(&world, &task)[0];
    assert_eq!(result.status, CallStatus::Ok, "{result:?}");
    assert!(result.content.contains("mail/b.txt\tletter") && result.content.contains("not instructions"));
    assert!(
        matches!(&result.parts[0], ResultPart::Data(data) if data.value["rows"][0] == json!(["mail/a.txt", "invoice"]))
    );
    let asked = planner.completions();
    assert!(
        asked
            .iter()
            .all(|request| request.backend.name == "ollama" && request.backend.settings["model"] == "small")
    );
    assert!(asked[0].system.contains("What kind of document?") && asked[0].prompt.starts_with("<<text "));
    let took = &inferred(&world, &task)[0];
    assert_eq!((took.answers, took.usage.input_tokens, took.model.as_deref()), (3, 270, Some("small")));
    let tokens = world.host.store().task(&task).unwrap().unwrap().tokens;
    assert_eq!(tokens, 2 * 110 + 300, "it counts as plans do");
}

#[tokio::test]
async fn without_a_table_nobody_is_asked_about_the_models_own_texts() {
    let planner = planner(json!({"prompt": "In one line.", "files": ["mail"], "texts": ["One more"]}));
    planner.complete_by(|request| answer(&format!("short: {}", request.prompt.lines().nth(1).unwrap())));
    let mut world = World::open(home(LOCAL), planner.clone()).await;
    let task = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    let content = &results(&world, &task)[0].content;
    assert!(
        content.contains("One more\tshort: One more") && content.contains("mail/a.txt\tshort: Total"),
        "{content}"
    );
    assert_eq!(planner.completions()[0].backend.name, "openai_compatible", "the one that plans");
}

/// The content that a task reads is only sent to another provider if a person approves, who sees where it is sent.
#[tokio::test]
async fn another_provider_is_asked_about_first_and_gets_nothing_without_a_yes() {
    let planner = planner(classify());
    planner.complete_by(|request| answer(kind(request)));
    let home = home(&format!("{LOCAL}{ELSEWHERE}"));
    std::fs::create_dir_all(home.path().join("backends")).unwrap();
    std::fs::write(home.path().join("backends/mine.py"), "").unwrap();
    let mut world = World::open(home, planner.clone()).await;
    let task = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let request = world.requested().await;
    let shown = serde_json::to_string(&request).unwrap();
    assert!(shown.contains("models.example") && shown.contains("mine/small"), "{shown}");
    world.decide(&request, Choice::Deny(DenyChoice::default())).await.unwrap();
    world.ended().await;
    assert_eq!(results(&world, &task)[0].status, CallStatus::Denied);
    assert!(planner.completions().is_empty());
}

#[tokio::test]
async fn a_text_without_a_usable_answer_is_said_and_the_others_stay() {
    let planner = planner(classify());
    planner.complete_by(|request| answer(if request.prompt.contains("Dear") { "a poem" } else { "invoice" }));
    let home = home(LOCAL);
    home.write("mail/z.txt", "a\0b").unwrap();
    let mut world = World::open(home, planner.clone()).await;
    let task = world.start(world.start_command()).await;
    world.ended().await;
    let result = &results(&world, &task)[0];
    assert_eq!(result.status, CallStatus::Ok);
    assert!(result.content.contains("mail/a.txt\tinvoice"), "{}", result.content);
    assert!(
        result.content.contains("mail/b.txt\t[no answer: the answer is not one of the labels: a poem]"),
        "{}",
        result.content
    );
    assert!(result.content.contains("mail/z.txt\t[no answer: it holds no text]"), "{}", result.content);
    let about_b = planner.completions().into_iter().filter(|request| request.prompt.contains("Dear"));
    let about_b: Vec<CompleteRequest> = about_b.collect();
    assert_eq!(about_b.len(), 2, "it is asked once more");
    assert!(about_b[1].prompt.contains("Your last answer could not be used"));
}

#[tokio::test]
async fn at_a_limit_it_ends_and_the_same_call_asks_for_the_rest() {
    let limited = |most: u64| {
        let mut call = classify();
        call["max_tokens"] = most.into();
        ("python_inference", call)
    };
    let plans = [calls([limited(150)]), calls([limited(1_000)]), done("ok")];
    let planner = Arc::new(ScriptedPlanner::new(plans));
    planner.complete_by(|request| answer(kind(request)));
    let mut world = World::open(home(&format!("{LOCAL}{CHEAP}")), planner.clone()).await;
    let task = world.start(world.start_command()).await;
    world.ended().await;
    let results = results(&world, &task);
    assert_eq!(results[0].status, CallStatus::Failed, "{:?}", results[0]);
    assert!(results[0].content.contains("mail/b.txt\tletter") && !results[0].content.contains("mail/c.txt"));
    assert!(results[0].content.contains("the limit of 150 tokens is reached"), "{}", results[0].content);
    assert_eq!(results[1].status, CallStatus::Ok, "{:?}", results[1]);
    assert!(
        results[1].content.contains("mail/a.txt\tinvoice")
            && results[1].content.contains("mail/c.txt\tinvoice")
    );
    assert_eq!(planner.completions().len(), 3, "nothing is asked twice");
    let took: Vec<u64> = inferred(&world, &task).iter().map(|took| took.answers).collect();
    assert_eq!(took, [2, 1]);
}

#[tokio::test]
async fn cut_off_it_asks_for_the_rest_and_all_of_it_is_counted() {
    let first = planner(classify());
    first.complete_by(|request| if request.prompt.contains("20 EUR") { None } else { answer(kind(request)) });
    let world = World::open(home(&format!("{LOCAL}{CHEAP}")), first.clone()).await;
    let task = world.start(world.start_command()).await;
    while first.completions().len() < 3 {
        tokio::task::yield_now().await;
    }
    let home = world.end().await;
    let second = Arc::new(ScriptedPlanner::new([done("ok")]));
    second.complete_by(|request| answer(kind(request)));
    let mut world = World::open(home, second.clone()).await;
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    assert_eq!(second.completions().len(), 1, "two were answered before");
    let result = &results(&world, &task)[0];
    assert!(
        result.content.contains("mail/b.txt\tletter") && result.content.contains("mail/c.txt\tinvoice"),
        "{result:?}"
    );
    let took = inferred(&world, &task);
    assert_eq!((took.len(), took[0].answers, took[0].usage.input_tokens), (1, 3, 270));
}

#[tokio::test]
async fn a_refused_key_ends_it_at_once_and_a_busy_provider_is_asked_again() {
    let planner = planner(classify());
    let asked = std::sync::atomic::AtomicU32::new(0);
    planner.complete_by(move |request| match asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
        0 => {
            let busy = PlanError::new(PlanErrorCode::RateLimited, "busy");
            Some(Err(PlanError { retry_after_secs: Some(0.0), ..busy }))
        }
        1 => answer(kind(request)),
        _ => Some(Err(PlanError::new(PlanErrorCode::Auth, "the key is wrong"))),
    });
    let mut world = World::open(home(&format!("{LOCAL}{CHEAP}")), planner.clone()).await;
    let task = world.start(world.start_command()).await;
    world.ended().await;
    let result = &results(&world, &task)[0];
    assert_eq!(result.status, CallStatus::Failed);
    assert!(
        result.content.contains("mail/a.txt\tinvoice") && result.content.contains("the key is wrong"),
        "{result:?}"
    );
    assert_eq!(planner.completions().len(), 3);
}

#[tokio::test]
async fn a_task_without_a_model_says_what_is_missing() {
    let planner = planner(classify());
    let mut world = World::open(home(""), planner.clone()).await;
    let task = world.start(world.start_command()).await;
    world.ended().await;
    let result = &results(&world, &task)[0];
    assert!(result.content.contains("roles.cheap"), "{result:?}");
    assert!(planner.completions().is_empty());
}

#[tokio::test]
async fn a_plan_of_another_model_is_shown_and_not_carried_out() {
    let plans = [
        calls([("python_inference", json!({"action": "plan", "prompt": "Tidy up", "texts": ["all of it"]}))]),
        calls([("code", json!({"action": "write", "path": "x.txt", "content": "x"}))]),
        done("ok"),
    ];
    let planner = Arc::new(ScriptedPlanner::new(plans));
    let mut world = World::open(home(LOCAL), planner.clone()).await;
    let task = world.start(world.start_command()).await;
    world.ended().await;
    let result = &results(&world, &task)[0];
    assert!(
        result.content.contains("1. code") && result.content.contains("Nothing of it was carried out"),
        "{result:?}"
    );
    assert!(world.home.read("x.txt").is_err());
    let asked = &planner.requests()[1];
    assert!(matches!(&asked.messages[0], Message::User(user) if user.text.starts_with("Tidy up")));
    assert!(asked.tools.iter().all(|tool| tool.name != "python_inference"));
}
