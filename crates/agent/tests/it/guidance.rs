//! Tests of the planner's input besides the conversation: the user's guidance from trusted folders, and how it is
//! shown.

use crate::world::World;
use deputy_agent::machine::{FOLLOW, IGNORE};
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, TempHome, calls, done};
use serde_json::{Value, json};
use std::fs::{create_dir_all, write};
use std::sync::Arc;

const RULE: &str = "Always write in lower case.";
const HOW: &str = "First run the tests, then tag.";

/// Creates a home with a model, and a workspace with guidance.
fn guided() -> TempHome {
    let home = TempHome::new().unwrap();
    let config = "backend = \"openai_compatible\"\n[backends.openai_compatible]\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\n";
    write(home.path().join("config.toml"), config).unwrap();
    let workspace = home.workspace();
    write(workspace.join("AGENTS.md"), RULE).unwrap();
    create_dir_all(workspace.join(".agents/skills/release")).unwrap();
    let skill = format!("---\nname: release\ndescription: Cuts a release.\n---\n{HOW}");
    write(workspace.join(".agents/skills/release/SKILL.md"), skill).unwrap();
    home
}

fn texts(request: &PlanRequest) -> Vec<(bool, String)> {
    let text = |message: &Message| match message {
        Message::User(message) => (true, message.text.clone()),
        Message::Assistant(message) => (false, message.text.clone()),
        Message::Tool(message) => (false, message.content.clone()),
    };
    request.messages.iter().map(text).collect()
}

fn has_tool(request: &PlanRequest, name: &str) -> bool {
    request.tools.iter().any(|tool| tool.name == name)
}

#[tokio::test]
async fn guidance_is_asked_about_once_and_given_as_the_users_words() {
    let skill = calls([("skill", json!({"name": "release"}))]);
    let planner = Arc::new(ScriptedPlanner::new([skill, done("one"), done("two")]));
    let mut world = World::open(guided(), planner.clone()).await;
    world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let question = world.asked().await;
    assert!(question.text.contains("AGENTS.md, skill release"), "{}", question.text);
    assert_eq!(
        (question.choices.as_slice(), planner.requests().len()),
        ([FOLLOW.into(), IGNORE.into()].as_slice(), 0)
    );
    world.answer(&question, FOLLOW).await.unwrap();
    assert_eq!(world.ended().await.summary, "one");
    let requests = planner.requests();
    let first = texts(&requests[0]);
    assert!(first[2].0 && first[2].1.contains(RULE) && first[2].1.contains("- release: Cuts a release."));
    assert!(!requests[0].system.contains(RULE), "it is no part of Deputy's own rules");
    assert!(
        !first[2].1.contains(HOW) && has_tool(&requests[0], "skill"),
        "a skill's text comes when it is asked for"
    );
    let second = texts(&requests[1]);
    assert!(second.last().unwrap().0 && second.last().unwrap().1.contains(HOW));
    assert!(!second.iter().any(|(is_user, text)| !is_user && text.contains(HOW)));

    world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    assert_eq!(world.ended().await.summary, "two", "nobody is asked twice");
    assert!(texts(planner.requests().last().unwrap())[2].1.contains(RULE));
}

#[tokio::test]
async fn guidance_of_a_folder_that_is_not_trusted_is_never_sent() {
    let planner = Arc::new(ScriptedPlanner::new([done("one"), done("two")]));
    let mut world = World::open(guided(), planner.clone()).await;
    for (summary, is_asked) in [("one", true), ("two", false)] {
        world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
        if is_asked {
            let question = world.asked().await;
            world.answer(&question, IGNORE).await.unwrap();
        }
        assert_eq!(world.ended().await.summary, summary);
    }
    for request in planner.requests() {
        let all = serde_json::to_string(&request).unwrap();
        assert!(!all.contains(RULE) && !all.contains("Cuts a release") && !has_tool(&request, "skill"));
    }
}

#[tokio::test]
async fn a_task_of_some_files_and_one_without_a_model_read_no_guidance() {
    let planner = Arc::new(ScriptedPlanner::new([done("one"), done("two")]));
    let mut world = World::open(guided(), planner.clone()).await;
    let file = world.home.workspace().join("AGENTS.md");
    let scope = Scope { only_files: vec![file.to_str().unwrap().to_owned()], ..Scope::default() };
    world.start(StartCommand { scope, ..world.start_command() }).await;
    assert_eq!(world.ended().await.summary, "one");
    world.start(StartCommand { backend: Some("offline".into()), ..world.start_command() }).await;
    assert_eq!(world.ended().await.summary, "two");
    assert!(planner.requests().iter().all(|request| !serde_json::to_string(request).unwrap().contains(RULE)));
}

/// The prompt is reconstructed from the journal only, and matches what the planner got.
#[tokio::test]
async fn a_prompt_is_shown_as_it_was_sent_without_secrets() {
    let secret = "ghp_0123456789abcdefABCDEF0123456789abcd";
    let read = calls([("code", json!({"action": "read", "path": "a.txt"}))]);
    let planner = Arc::new(ScriptedPlanner::new([read, done("one")]));
    let mut world = World::open(guided(), planner.clone()).await;
    write(world.home.workspace().join("a.txt"), "plain words\n").unwrap();
    let goal = format!("use {secret}");
    let task = world.start(StartCommand { goal, standing_consent: None, ..world.start_command() }).await;
    let question = world.asked().await;
    world.answer(&question, FOLLOW).await.unwrap();
    world.ended().await;
    for step in [1, 2] {
        let query = HostQuery::Prompt(PromptQuery { task: task.clone(), step, offset: 0 });
        let QueryAnswer::Prompt(answer) = world.host.query(query).await.unwrap() else { panic!() };
        assert_eq!(answer.next, None);
        assert!(!answer.text.contains(secret));
        let shown: Value = serde_json::from_str(&answer.text).unwrap();
        let sent = &planner.requests()[step as usize - 1];
        let without = |text: String| text.replace(secret, "");
        let words = |value: &Value| value.to_string().matches("plain words").count();
        assert_eq!(shown["sent"]["messages"].as_array().unwrap().len(), sent.messages.len());
        assert_eq!(shown["sent"]["system"], sent.system.as_str());
        assert_eq!(shown["sent"]["tools"], serde_json::to_value(&sent.tools).unwrap());
        assert_eq!(words(&shown["sent"]["messages"]), words(&serde_json::to_value(&sent.messages).unwrap()));
        assert!(without(answer.text).contains(RULE));
        assert_eq!(shown["received"][0]["type"], "planned");
    }
    let beyond = HostQuery::Prompt(PromptQuery { task, step: 9, offset: 0 });
    assert_eq!(world.host.query(beyond).await.unwrap_err().code, ErrorCode::BadQuery);
}

#[tokio::test]
async fn a_to_do_list_is_progress_on_every_screen_and_another_model_goes_on() {
    let list = |one: &str, two: &str| {
        let steps = json!([{"title": "Look", "state": one}, {"title": "Write", "state": two}]);
        calls([("todo", json!({"steps": steps}))])
    };
    let home = guided();
    std::fs::remove_file(home.workspace().join("AGENTS.md")).unwrap();
    std::fs::remove_dir_all(home.workspace().join(".agents")).unwrap();
    let asks = deputy_testkit::question("Which?");
    let planner =
        Arc::new(ScriptedPlanner::new([list("active", "pending"), asks, list("done", "active"), done("ok")]));
    let mut world = World::open(home, planner.clone()).await;
    let task = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let question = world.asked().await;
    let summary = || world.host.store().task(&task).unwrap().unwrap();
    assert_eq!(summary().todo, Some(TodoProgress { done: 0, total: 2, current: Some("Look".into()) }));
    let (backend, model) = (Some("ollama".to_owned()), Some("qwen3".to_owned()));
    let switch = SwitchModelCommand { task: task.clone(), backend, model };
    world.command(HostCommand::SwitchModel(switch)).await.unwrap();
    let wrong = SwitchModelCommand { task: task.clone(), backend: Some("nobody".into()), model: None };
    let refused = world.command(HostCommand::SwitchModel(wrong)).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::UnknownBackend);
    world.answer(&question, "the second").await.unwrap();
    world.ended().await;
    let by: Vec<String> = planner.requests().iter().map(|request| request.backend.name.clone()).collect();
    assert_eq!(by, ["openai_compatible", "openai_compatible", "ollama", "ollama"]);
    assert_eq!(planner.requests()[3].backend.settings["model"], "qwen3");
    let task = world.host.store().task(&task).unwrap().unwrap();
    assert_eq!((task.backend.as_str(), task.model.as_deref()), ("ollama", Some("qwen3")));
    // The last answer closes the list.
    assert_eq!(task.todo.unwrap(), TodoProgress { done: 2, total: 2, current: None });
}
