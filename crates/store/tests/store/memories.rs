//! Tests of the list of memories for the user, and of editing and forgetting.

use crate::support::*;
use deputy_protocol::*;
use deputy_store::{Changed, Store, StoreError};
use tempfile::TempDir;

const SECRET: &str = "the xylophone code is 4711";

/// Creates a task in its own folder that said these things and ended.
async fn said(store: &Store, name: &str, workspace: &str, texts: &[&str]) -> TaskId {
    let spec = TaskSpec { workspace: workspace.to_owned(), ..spec(name, &format!("s-{name}"), texts[0]) };
    let mut events = vec![TaskEvent::Created(Created { spec, notice: None, named: Vec::new() })];
    events.extend(texts[1..].iter().map(|text| steered(text)));
    events.push(stopped());
    store.append(&task(name), 1, events).await.unwrap();
    task(name)
}

fn all() -> MemoriesQuery {
    MemoriesQuery {
        search: None,
        task: None,
        workspace: None,
        only_kept: false,
        best: false,
        before: None,
        limit: 100,
    }
}

fn holding(words: &str) -> MemoriesQuery {
    MemoriesQuery { search: Some(words.to_owned()), ..all() }
}

fn texts(store: &Store, query: &MemoriesQuery) -> Vec<String> {
    store.memories(query).unwrap().memories.into_iter().map(|memory| memory.text).collect()
}

#[tokio::test]
async fn tasks_are_found_by_what_was_said_in_them() {
    let (_home, store) = home();
    said(
        &store,
        "t1",
        "/w",
        &["Write to the bank", "the landlord is called Grünwald", "Grünwald wrote again"],
    )
    .await;
    said(&store, "t2", "/v", &["Pay the landlord"]).await;
    let found = |words: &str| {
        let places = store.said(words).unwrap();
        places.into_iter().map(|place| (place.task.to_string(), place.text)).collect::<Vec<_>>()
    };
    let one = |task: &str, text: &str| (task.to_owned(), text.to_owned());
    assert_eq!(
        found("LANDLORD"),
        [one("t2", "Pay the landlord"), one("t1", "the landlord is called Grünwald")],
        "the newest first"
    );
    assert_eq!(found("grunw"), [one("t1", "Grünwald wrote again")], "one place of each task, the newest");
    assert_eq!(found("landlord gru").len(), 1, "all of the words");
    for nothing in ["", "\"", "* OR", "bank landlord", "NOT x"] {
        assert_eq!(found(nothing), [], "{nothing}");
    }
    let long = format!("{} needle {}", "before ".repeat(100), "after ".repeat(100));
    said(&store, "t3", "/w", &[&long]).await;
    let (_, excerpt) = found("needle").remove(0);
    assert!(excerpt.contains("before  needle after") && excerpt.len() < 200, "{excerpt}");
    store.forget_memory(id_of(&store, "Pay the landlord"), 2).await.unwrap();
    assert_eq!(found("landlord").len(), 1, "what was forgotten is not found");
}

fn id_of(store: &Store, text: &str) -> u64 {
    let found = store.memories(&all()).unwrap().memories;
    found.iter().find(|memory| memory.text == text).unwrap_or_else(|| panic!("{text}: {found:?}")).memory
}

/// Returns all text in the database outside of the journal and of the rows about the task itself.
fn left_behind(folder: &TempDir) -> String {
    let conn = rusqlite::Connection::open(folder.path().join("deputy.db")).unwrap();
    conn.execute_batch("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, memories_text, row)").unwrap();
    let mut out = String::new();
    for sql in [
        "SELECT term FROM temp.words",
        "SELECT text FROM memories",
        "SELECT quote(block) FROM memories_text_data",
        "SELECT concat_ws(' ', id, session, task, workspace, role, at_ms, edited_at_ms, forgotten_by) FROM forgotten_memories",
        "SELECT outcome FROM commands",
        "SELECT text FROM notices",
    ] {
        let mut statement = conn.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        rows.for_each(|row| out.push_str(&(row.unwrap() + "\n")));
    }
    out
}

#[tokio::test]
async fn a_page_is_the_newest_first_and_says_where_each_comes_from() {
    let (_folder, store) = home();
    said(&store, "one", "/home/ada/inbox", &["tidy my inbox", "be careful"]).await;
    said(&store, "two", "/home/ada/garden", &["plan the garden"]).await;
    let first = store.memories(&MemoriesQuery { limit: 2, ..all() }).unwrap();
    let [garden, careful] = &first.memories[..] else { panic!("{first:?}") };
    assert_eq!((garden.text.as_str(), garden.goal.as_str()), ("plan the garden", "plan the garden"));
    assert_eq!((careful.memory, careful.at_ms, careful.role), (2, 1, MemoryRole::User));
    assert_eq!((&careful.task, careful.workspace.as_str()), (&task("one"), "/home/ada/inbox"));
    assert_eq!((careful.goal.as_str(), careful.edited_at_ms), ("tidy my inbox", None));
    let rest = store.memories(&MemoriesQuery { before: first.next, limit: 2, ..all() }).unwrap();
    assert_eq!((rest.memories.len(), rest.next), (1, None));
    assert_eq!(rest.memories[0].text, "tidy my inbox");
    let of_one = MemoriesQuery { task: Some(task("one")), ..all() };
    assert_eq!(texts(&store, &of_one), ["be careful", "tidy my inbox"]);
    let in_garden = MemoriesQuery { workspace: Some("/home/ada/garden".to_owned()), ..all() };
    assert_eq!(texts(&store, &in_garden), ["plan the garden"]);
    let both = MemoriesQuery { task: Some(task("one")), ..in_garden };
    assert!(texts(&store, &both).is_empty());
    let huge = MemoriesQuery { before: Some(u64::MAX), limit: 0, ..all() };
    assert_eq!(texts(&store, &huge).len(), 1, "no page is empty because of its limit");
}

#[tokio::test]
async fn a_search_finds_all_words_and_the_beginning_of_the_last() {
    let (_folder, store) = home();
    said(&store, "a", "/a", &["invoices of the plumber", "invoices of the baker"]).await;
    said(&store, "b", "/b", &["the plumber sends invoices late"]).await;
    let found = ["the plumber sends invoices late", "invoices of the plumber"];
    for words in ["plumber invoices", "invoices plum", "  INVOICES   pl ", "plümber, invoices!"] {
        assert_eq!(texts(&store, &holding(words)), found, "{words}");
    }
    assert!(texts(&store, &holding("plumb invoices")).is_empty(), "only the last word is a beginning");
    let in_a = MemoriesQuery { workspace: Some("/a".to_owned()), ..holding("plumber") };
    assert_eq!(texts(&store, &in_a), ["invoices of the plumber"]);
    let of_b = MemoriesQuery { task: Some(task("b")), ..holding("invoices") };
    assert_eq!(texts(&store, &of_b), ["the plumber sends invoices late"]);
    let page = store.memories(&MemoriesQuery { limit: 2, ..holding("invoices") }).unwrap();
    let next = store.memories(&MemoriesQuery { before: page.next, ..holding("invoices") }).unwrap();
    assert_eq!((page.memories.len(), next.memories.len(), next.next), (2, 1, None));
    for hostile in [
        "\"",
        "plumber OR",
        "NOT plumber",
        "text:plumber",
        "plumber*",
        "(",
        "'; DROP TABLE memories; --",
        "—",
        "\0",
    ] {
        store.memories(&holding(hostile)).unwrap_or_else(|error| panic!("{hostile:?}: {error}"));
    }
    assert!(texts(&store, &holding("—")).is_empty(), "what holds no word finds nothing");
    assert_eq!(texts(&store, &holding("  ")).len(), 3, "and nothing is everything");
}

#[tokio::test]
async fn what_is_forgotten_comes_up_nowhere_and_leaves_no_word_behind() {
    let (folder, store) = home();
    said(&store, "a", "/a", &["remember this", SECRET, "xylophone lessons on Monday"]).await;
    said(&store, "b", "/b", &[SECRET]).await;
    let row = store.task(&task("a")).unwrap();
    let forgotten = store.forget_memory(id_of(&store, SECRET), 7).await.unwrap();
    assert_eq!(forgotten, Changed::Done { memories: 2 }, "the other task said the very same");
    let again = store.forget_memory(2, 8).await.unwrap();
    assert_eq!(again, Changed::Already);
    assert_eq!(store.edit_memory(2, "x", 8).await.unwrap(), Changed::Forgotten);
    assert_eq!(store.task(&task("a")).unwrap(), row, "the task itself is as it was");
    assert_eq!(texts(&store, &holding("xylophone")), ["xylophone lessons on Monday"]);
    assert!(!texts(&store, &all()).contains(&SECRET.to_owned()));
    for session in ["s-a", "s-b", "s-new"] {
        let recalled =
            store.recall(&query(&SessionId::new(session), "/a", "xylophone code 4711", 30)).unwrap();
        assert!(recalled.items.iter().all(|item| item.text != SECRET), "{recalled:?}");
    }
    store.check_integrity().unwrap();
    drop(store);
    let left = left_behind(&folder);
    for word in ["4711", "code"] {
        let hex: String = word.bytes().map(|byte| format!("{byte:02X}")).collect();
        assert!(!left.contains(word) && !left.contains(&hex), "`{word}` is left: {left}");
    }
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(texts(&store, &holding("xylophone")).len(), 1, "nor does it come back with a restart");
    let told = serde_json::to_string(&store.task_events(&task("a"), 0, 100).unwrap()).unwrap();
    assert!(told.contains(SECRET), "the journal keeps what the task said, as the documents say");
}

#[tokio::test]
async fn forgetting_is_taken_back_with_all_that_went_along() {
    let (folder, store) = home();
    said(&store, "a", "/a", &["remember this", SECRET]).await;
    said(&store, "b", "/b", &[SECRET]).await;
    let before = store.memories(&all()).unwrap();
    store.forget_memory(2, 7).await.unwrap();
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.restore_memory(2, 8).await.unwrap(), Changed::Done { memories: 2 });
    assert_eq!(store.restore_memory(2, 9).await.unwrap(), Changed::Already);
    assert_eq!(store.memories(&all()).unwrap(), before);
    assert_eq!(texts(&store, &holding("xylophone")).len(), 2);
    store.check_integrity().unwrap();
}

#[tokio::test]
async fn an_edited_memory_is_found_by_its_new_words_alone() {
    let (_folder, store) = home();
    let id = said(&store, "a", "/a", &["the plumber is Meyer"]).await;
    assert_eq!(
        store.edit_memory(1, "the plumber is Schulz", 9).await.unwrap(),
        Changed::Done { memories: 1 }
    );
    assert_eq!(store.edit_memory(1, "the plumber is Schulz", 9).await.unwrap(), Changed::Already);
    assert!(texts(&store, &holding("meyer")).is_empty());
    assert_eq!(texts(&store, &holding("schulz")), ["the plumber is Schulz"]);
    assert_eq!(store.memories(&all()).unwrap().memories[0].edited_at_ms, Some(9));
    let recalled = store.recall(&query(&SessionId::new("s-new"), "/a", "who is the plumber", 10)).unwrap();
    assert_eq!(recalled.items[0].text, "the plumber is Schulz");
    // A restored memory has its last text, and not its first.
    store.forget_memory(1, 10).await.unwrap();
    store.restore_memory(1, 11).await.unwrap();
    assert_eq!(texts(&store, &all()), ["the plumber is Schulz"]);
    assert_eq!(store.task(&id).unwrap().unwrap().goal, "the plumber is Meyer", "the task's goal is its own");
    store.check_integrity().unwrap();
}

#[tokio::test]
async fn what_never_said_anything_is_no_memory() {
    let (_folder, store) = home();
    said(&store, "a", "/a", &["one"]).await;
    for nothing in [0, 2, 99, u64::MAX] {
        assert_eq!(store.edit_memory(nothing, "x", 9).await.unwrap(), Changed::Unknown);
        assert_eq!(store.forget_memory(nothing, 9).await.unwrap(), Changed::Unknown);
        assert_eq!(store.restore_memory(nothing, 9).await.unwrap(), Changed::Unknown);
    }
    assert_eq!(store.last_seq().unwrap(), 2, "nothing was journalled");
}

#[tokio::test]
async fn memories_that_were_changed_behind_the_journal_are_found() {
    let (folder, store) = home();
    said(&store, "a", "/a", &["feed the cat"]).await;
    drop(store);
    let conn = rusqlite::Connection::open(folder.path().join("deputy.db")).unwrap();
    conn.execute("UPDATE memories SET text = 'send the keys'", []).unwrap();
    conn.close().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let found = store.check_integrity();
    assert!(
        matches!(&found, Err(StoreError::Corrupt { detail, .. }) if detail.contains("memories")),
        "{found:?}"
    );
}

#[tokio::test]
async fn a_connection_that_searched_before_takes_the_index_for_no_damaged_one() {
    let (_folder, store) = home();
    said(&store, "one", "/home/ada/inbox", &["do it"]).await;
    said(&store, "two", "/home/ada/inbox", &["which one?"]).await;
    let found = store.memories(&holding("which one")).unwrap().memories;
    store.forget_memory(found[0].memory, 5).await.unwrap();
    store.check_integrity().unwrap();
}
