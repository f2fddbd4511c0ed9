//! Tests of what is recalled, and in which order.

use crate::support::*;
use deputy_protocol::*;
use deputy_store::{Changed, Ranking, Recalled, Store, StoreError};

/// The folder of all tasks except one.
const WORKSPACE: &str = "/home/me/project";

async fn said(store: &Store, name: &str, session: &str, texts: &[&str]) {
    let id = task(name);
    let mut events = vec![created(name, session, texts[0])];
    events.extend(texts[1..].iter().map(|text| steered(text)));
    store.append(&id, 1, events).await.unwrap();
}

fn texts(recalled: &Recalled) -> Vec<&str> {
    recalled.items.iter().map(|item| item.text.as_str()).collect()
}

fn session(name: &str) -> SessionId {
    SessionId::new(name)
}

fn recall(
    store: &Store,
    name: &str,
    workspace: &str,
    text: &str,
    limit: usize,
) -> Result<Recalled, StoreError> {
    store.recall(&query(&session(name), workspace, text, limit))
}

#[tokio::test]
async fn what_is_recent_and_fits_comes_first_and_once() {
    let (_folder, store) = home();
    said(&store, "old", "other", &["invoices of the plumber are in Finance", "the cat sleeps"]).await;
    said(&store, "new", "mine", &["sort my invoices", "and the photos", "be quick"]).await;
    let recalled = recall(&store, "mine", WORKSPACE, "Where are the plumber's invoices?", 10).unwrap();
    assert_eq!(recalled.items[0].text, "sort my invoices", "found both ways");
    assert_eq!(recalled.items[0].found_by, [Ranking::Recent, Ranking::FullText]);
    assert_eq!(recalled.items.iter().filter(|item| item.text == "sort my invoices").count(), 1);
    let plumber = recalled.items.iter().find(|item| item.text.contains("plumber")).unwrap();
    assert_eq!(plumber.session, session("other"));
    assert_eq!(plumber.found_by, [Ranking::FullText]);
    assert!(recalled.items.is_sorted_by(|one, next| one.score >= next.score));
    assert_eq!(recall(&store, "mine", WORKSPACE, "invoices", 2).unwrap().items.len(), 2);
}

#[tokio::test]
async fn the_last_twenty_of_the_session_and_ten_matches_are_candidates() {
    let (_folder, store) = home();
    let lines: Vec<String> = (0..30).map(|number| format!("line{number}")).collect();
    said(&store, "mine", "mine", &lines.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let lines: Vec<String> = (0..30).map(|number| format!("harbour{number} zeppelin")).collect();
    said(&store, "other", "other", &lines.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let recalled = recall(&store, "mine", WORKSPACE, "zeppelin", 100).unwrap();
    let recent = recalled.items.iter().filter(|item| item.found_by == [Ranking::Recent]).count();
    let matches = recalled.items.iter().filter(|item| item.found_by == [Ranking::FullText]).count();
    assert_eq!((recent, matches), (20, 10));
    assert!(texts(&recalled).contains(&"line29") && !texts(&recalled).contains(&"line9"));
}

#[tokio::test]
async fn the_same_text_is_recalled_once_however_often_it_was_said() {
    let (_folder, store) = home();
    said(&store, "a", "a", &vec!["permission denied: zeppelin"; 40]).await;
    said(&store, "b", "b", &["the zeppelin flies at noon"]).await;
    let recalled = recall(&store, "c", WORKSPACE, "zeppelin", 10).unwrap();
    assert_eq!(recalled.items.len(), 2, "{recalled:?}");
}

#[tokio::test]
async fn rare_words_decide_and_common_ones_alone_still_find() {
    let (_folder, store) = home();
    let lines: Vec<String> = (0..1_500).map(|number| format!("the report number{number}")).collect();
    said(&store, "a", "a", &lines.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let rare = recall(&store, "b", WORKSPACE, "the report number7", 10).unwrap();
    assert_eq!(texts(&rare), ["the report number7"]);
    let common = recall(&store, "b", WORKSPACE, "the report", 10).unwrap();
    assert_eq!(common.items.len(), 10);
    assert_eq!(common.items[0].text, "the report number1499", "the newest first");
}

#[tokio::test]
async fn a_query_is_words_and_never_syntax() {
    let (_folder, store) = home();
    said(&store, "a", "a", &["near the house or not"]).await;
    let hostile = [
        "\"",
        "\"\"\"",
        "'; DROP TABLE memories; --",
        "house AND",
        "NOT house",
        "text:house",
        "NEAR(house near, 1)",
        "house*",
        "^house",
        "{text} : house",
        "(house",
        "house\0near",
        "- + ^ * : ( ) { }",
        "",
        "   ",
        "𝔥𝔬𝔲𝔰𝔢 \u{202e}house",
    ];
    for query in hostile {
        let found =
            recall(&store, "b", WORKSPACE, query, 10).unwrap_or_else(|error| panic!("{query:?}: {error}"));
        let holds_a_word = ["house", "near"].iter().any(|word| query.contains(word)) || query == "NOT house";
        assert_eq!(!found.items.is_empty(), holds_a_word, "{query:?}");
    }
    let long = "house ".repeat(100_000);
    assert_eq!(recall(&store, "b", WORKSPACE, &long, 10).unwrap().items.len(), 1);
}

#[tokio::test]
async fn plans_answers_and_results_are_remembered_shortened() {
    let (_folder, store) = home();
    let id = start(&store, "t").await;
    let plan = AgentPlan {
        reasoning: "I open the drawer.".to_owned(),
        summary: Some("The drawer is open.".to_owned()),
        ..AgentPlan::default()
    };
    let planned = Planned {
        plan,
        usage: Usage::default(),
        duration_ms: 1,
        model: None,
        backend: None,
        cost_micros: None,
    };
    let result = "ü".repeat(5_000);
    let events = vec![TaskEvent::Planned(planned), finished(&CallId::of(&id, 1, 1), &result)];
    store.append(&id, 2, events).await.unwrap();
    let recalled = recall(&store, "s", WORKSPACE, "", 10).unwrap();
    let said: Vec<_> = recalled.items.iter().map(|item| (item.role, item.text.chars().count())).collect();
    // A person counts more than a planner, and a planner more than a tool.
    assert_eq!(said, [(MemoryRole::User, 9), (MemoryRole::Assistant, 38), (MemoryRole::Tool, 2_000)]);
}

/// Regression test: the content of a file became part of the system message of a task in another folder.
#[tokio::test]
async fn what_is_no_persons_stays_in_its_folder_until_a_person_promotes_it() {
    let (_folder, store) = home();
    let id = start(&store, "t").await;
    let workspace = store.task(&id).unwrap().unwrap().workspace;
    let call = |number: usize, tool: &str| ToolCall {
        id: CallId::of(&id, 1, number),
        tool: tool.to_owned(),
        parameters: serde_json::json!({}),
        problem: None,
        written: None,
    };
    let tools = ["shell", "code", "search", "organize", "web", "strange"];
    let plan = AgentPlan {
        reasoning: "zeppelin by the planner".to_owned(),
        tool_calls: tools.iter().enumerate().map(|(at, tool)| call(at + 1, tool)).collect(),
        ..AgentPlan::default()
    };
    let planned = Planned {
        plan,
        usage: Usage::default(),
        duration_ms: 1,
        model: None,
        backend: None,
        cost_micros: None,
    };
    let mut events = vec![TaskEvent::Planned(planned), steered("zeppelin by a person")];
    for (at, tool) in tools.iter().enumerate() {
        events.push(finished(&CallId::of(&id, 1, at + 1), &format!("zeppelin by {tool}")));
    }
    store.append(&id, 2, events).await.unwrap();
    let recalled = |workspace: &str| {
        let items = recall(&store, "elsewhere", workspace, "zeppelin", 20).unwrap().items;
        let mut found: Vec<_> = items.into_iter().map(|item| (item.text, item.origin)).collect();
        found.sort_by(|one, other| one.0.cmp(&other.0));
        found
    };
    let person = ("zeppelin by a person".to_owned(), MemoryOrigin::Person);
    assert_eq!(recalled("/elsewhere"), vec![person.clone()]);
    let own = recalled(&workspace);
    let origins: Vec<MemoryOrigin> = own.iter().map(|(_, origin)| *origin).collect();
    use MemoryOrigin::{Command, File, Page, Person, Planner, Tool};
    assert_eq!(origins, [Person, File, File, File, Command, Tool, Planner, Page], "{own:?}");

    let page = MemoriesQuery {
        search: Some("zeppelin code".to_owned()),
        task: None,
        workspace: None,
        only_kept: false,
        best: false,
        before: None,
        limit: 5,
    };
    let read = store.memories(&page).unwrap().memories.remove(0);
    assert_eq!((read.origin, read.promoted_at_ms), (File, None));
    assert_eq!(store.promote_memory(read.memory, 7).await.unwrap(), Changed::Done { memories: 1 });
    assert_eq!(store.promote_memory(read.memory, 8).await.unwrap(), Changed::Already);
    assert_eq!(recalled("/elsewhere"), [person, ("zeppelin by code".to_owned(), File)]);
    // The promotion is kept when the memory is forgotten and restored.
    store.forget_memory(read.memory, 9).await.unwrap();
    assert_eq!(store.promote_memory(read.memory, 9).await.unwrap(), Changed::Forgotten);
    store.restore_memory(read.memory, 10).await.unwrap();
    let back = store.memories(&page).unwrap().memories.remove(0);
    assert_eq!((back.origin, back.promoted_at_ms), (File, Some(7)));
    store.check_integrity().unwrap();
}
