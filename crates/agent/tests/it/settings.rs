//! Tests of the page's operations besides tasks: settings are checked before they are written, and commands can be
//! tried.

use crate::world::World;
use deputy_protocol::ErrorCode;
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, done};

fn change(key: &str, value: Option<&str>) -> SettingChange {
    SettingChange { key: key.to_owned(), value: value.map(str::to_owned) }
}

async fn changed(world: &World, changes: Vec<SettingChange>) -> Result<Settings, ErrorBody> {
    world.command(HostCommand::ChangeSettings(ChangeSettingsCommand { changes })).await?;
    match world.host.query(HostQuery::Settings(SettingsQuery {})).await? {
        QueryAnswer::Settings(settings) => Ok(settings),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn changes_are_all_written_or_none_hold_at_once_and_never_reach_further_than_a_screen_may() {
    let world = World::new(ScriptedPlanner::new([done("ok")])).await;
    let file = world.home.path().join("config.toml");
    std::fs::write(&file, "# mine\nprofile = \"general\" # why\n").unwrap();
    let url = "backends.openai_compatible.base_url";
    let model = "backends.openai_compatible.model";
    let settings = changed(
        &world,
        vec![
            change(url, Some("http://127.0.0.1:11434/v1")),
            change(model, Some("7")),
            change("backend", Some("openai_compatible")),
            change("limits.max_iterations", Some("40")),
            change("max_concurrent_tasks", Some("2")),
        ],
    )
    .await
    .unwrap();
    assert_eq!(settings.choices.backend, "openai_compatible");
    assert_eq!(settings.choices.limits.max_iterations, 40);
    let own = settings.backends.iter().find(|backend| backend.name == "openai_compatible").unwrap();
    assert_eq!(own.model.as_deref(), Some("7"), "a model's name is text");
    assert_eq!(settings.after_restart, ["max_concurrent_tasks"]);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# mine\nprofile = \"general\" # why\n"), "{text}");
    for bad in [
        change("notify.command", Some("sh")),
        change("sidecar.python", Some("/tmp/evil")),
        change("secrets", Some("[]")),
        change("allow_hosts", Some("[\"evil.example\"]")),
        change("server.listen", Some("0.0.0.0:1")),
        change("backends.openai_compatible.api_key_env", Some("HOME")),
        change("backends.openai_compatible.extra_headers", Some("{}")),
        change("backends.mine.base_url", Some("http://evil.example")),
        change(url, Some("http://user@evil.example/v1")),
        change("limits.max_iterations", Some("-1")),
        change("limits.max_iterations", Some("many")),
        change("backend", Some("../evil")),
        change("profile", Some("nowhere")),
        change("profile", Some("a\nbackend = \"x\"")),
    ] {
        let error = changed(&world, vec![change("limits.brake_after", Some("9")), bad.clone()]).await;
        assert!(error.is_err(), "{bad:?}");
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "nothing was written");
    let settings = changed(&world, vec![change("limits.max_iterations", None)]).await.unwrap();
    assert_eq!(settings.choices.limits.max_iterations, Limits::default().max_iterations);
}

#[tokio::test]
async fn a_variables_key_never_follows_an_address_that_a_screen_gives() {
    let world = World::new(ScriptedPlanner::new([done("ok")])).await;
    let text = "[backends.openai_compatible]\nbase_url = \"https://api.example.org/v1\"\nmodel = \"m\"\n\
                api_key_env = \"MY_KEY\"\n";
    std::fs::write(world.home.path().join("config.toml"), text).unwrap();
    changed(&world, vec![change("limits.brake_after", Some("4"))]).await.unwrap();
    for address in [Some("https://evil.example/v1"), None] {
        let error = changed(&world, vec![change("backends.openai_compatible.base_url", address)]).await;
        assert_eq!(error.unwrap_err().code, ErrorCode::BadSetting);
    }
    let settings =
        changed(&world, vec![change("backends.openai_compatible.model", Some("n"))]).await.unwrap();
    let own = settings.backends.iter().find(|backend| backend.name == "openai_compatible").unwrap();
    let key = own.key.as_ref().unwrap();
    assert_eq!((key.kind, key.name.as_str()), (KeyPlaceKind::Variable, "MY_KEY"));
}

#[tokio::test]
async fn a_key_shows_in_no_debug_output() {
    let set = SetKeyCommand { backend: "x".to_owned(), key: Some(Secret("sk-hidden".to_owned())) };
    assert!(!format!("{:?}", HostCommand::SetKey(set)).contains("sk-hidden"));
}

#[tokio::test]
async fn a_command_is_tried_by_the_rules_that_hold_and_nothing_is_run() {
    let world = World::new(ScriptedPlanner::new([done("ok")])).await;
    let rules = "[[rule]]\neffect = \"deny\"\ntool = \"shell\"\nargv = [\"make\", \"*\"]\n";
    std::fs::write(world.home.path().join("rules.toml"), rules).unwrap();
    let workspace = world.home.workspace().display().to_string();
    let explain = async |command: &str| {
        let query = ExplainQuery { command: command.to_owned(), workspace: workspace.clone() };
        match world.host.query(HostQuery::Explain(query)).await.unwrap() {
            QueryAnswer::Explanation(explanation) => explanation.verdict,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(explain("ls").await.decision, Decision::Allow);
    assert_eq!(explain("touch made").await.decision, Decision::Ask);
    assert_eq!(explain("ls && make all").await.decision, Decision::Deny);
    assert!(!world.home.workspace().join("made").exists());
    let QueryAnswer::Rules(answer) = world.host.query(HostQuery::Rules(RulesQuery {})).await.unwrap() else {
        panic!("rules were asked for")
    };
    assert_eq!(answer.rules.len(), 1);
    assert_eq!((answer.rules[0].line, answer.rules[0].effect), (1, Decision::Deny));
    assert!(answer.rules[0].text.contains("make") && !answer.rules[0].text.contains("line"), "{answer:?}");
}

#[tokio::test]
async fn usage_is_added_up_by_model_and_the_newest_events_come_first() {
    let mut world = World::new(ScriptedPlanner::new([done("ok")])).await;
    let task = world.start(world.start_command()).await;
    world.ended().await;
    let QueryAnswer::Usage(usage) =
        world.host.query(HostQuery::Usage(UsageQuery { since_ms: 0 })).await.unwrap()
    else {
        panic!("usage was asked for")
    };
    let counted: u64 = usage.rows.iter().map(|row| row.input_tokens + row.output_tokens).sum();
    let planned: u64 = world
        .events_of(&task)
        .iter()
        .map(|event| match event {
            TaskEvent::Planned(planned) => planned.usage.input_tokens + planned.usage.output_tokens,
            _ => 0,
        })
        .sum();
    assert_eq!(counted, planned);
    let query = EventsQuery { task: task.clone(), after: 0, limit: 2, newest: true, brief: false };
    let QueryAnswer::Events(answer) = world.host.query(HostQuery::Events(query)).await.unwrap() else {
        panic!("events were asked for")
    };
    let all = world.host.store().task_events(&task, 0, 1_000).unwrap();
    assert_eq!(answer.events, all[all.len() - 2..]);
}
