//! Tests of pruning, importing and documents in the store, and of misuse of memories.

use crate::support::*;
use deputy_protocol::*;
use deputy_store::{
    CommitHook, CommitMoment, DocumentStamp, Hooks, NewEmbedding, Passage, ReadDocument, Store,
};
use std::path::Path;
use std::sync::Arc;

const DIMENSION: usize = 64;

fn results(keep: u64) -> PruneRule {
    PruneRule { kinds: vec![PruneKind::Results], before_ms: None, keep }
}

/// Creates a task whose calls returned this many lines.
async fn gave_back(store: &Store, name: &str, lines: usize) {
    let mut events = vec![created(name, name, &format!("goal of {name}"))];
    events.extend((1..=lines).map(|line| {
        let call = CallId::of(&task(name), 1, line);
        finished(&call, &format!("line {line} of {name}"))
    }));
    store.append(&task(name), 1, events).await.unwrap();
}

async fn embed(store: &Store, mut vector: impl FnMut(&str) -> Vec<f32>) {
    loop {
        let waiting = store.pending_embeddings(100).unwrap();
        if waiting.is_empty() {
            return;
        }
        let made = waiting.into_iter().map(|of| NewEmbedding { vector: vector(&of.text), of }).collect();
        store.keep_embeddings("m", DIMENSION, made).await.unwrap();
    }
}

fn unit(axis: usize) -> Vec<f32> {
    (0..DIMENSION).map(|at| if at == axis { 1.0 } else { 0.0 }).collect()
}

fn document(path: &str, texts: &[&str]) -> ReadDocument {
    let passages = texts.iter().zip(1..).map(|(text, line)| Passage { line, text: (*text).to_owned() });
    ReadDocument {
        path: path.to_owned(),
        stamp: DocumentStamp { size: 1, changed_ns: texts.len() as i64 },
        content: Ok(passages.collect()),
    }
}

/// Opens a store that panics before the commit with this number, as if the process had died there.
fn cut_off_at(folder: &Path, at: u64) -> Store {
    let hook: CommitHook = Arc::new(move |moment, number| {
        assert!(moment == CommitMoment::After || number != at, "the commit of this number is cut off");
    });
    Store::open_with(folder, Hooks { around_commit: Some(hook) }).unwrap()
}

#[tokio::test]
async fn a_prune_that_is_killed_anywhere_loses_nothing_and_is_finished_by_the_next() {
    for at in 1..=6 {
        let (folder, store) = home();
        gave_back(&store, "a", 1_300).await;
        drop(store);
        let store = cut_off_at(folder.path(), at);
        let _cut_off = store.prune(&results(10), 5).await;
        drop(store);
        let store = Store::open(folder.path()).unwrap();
        let counts = store.embedding_counts().unwrap();
        assert_eq!(counts.memories + counts.forgotten, 1_301, "cut off at {at}: {counts:?}");
        store.check_integrity().unwrap();
        let preview = store.preview_prune(&results(10)).unwrap();
        assert_eq!(store.prune(&results(10), 6).await.unwrap(), preview.memories);
        let counts = store.embedding_counts().unwrap();
        assert_eq!((counts.memories, counts.forgotten), (11, 1_290), "cut off at {at}");
        assert_eq!(store.preview_prune(&results(10)).unwrap().memories, 0);
        store.check_integrity().unwrap();
    }
}

#[tokio::test]
async fn the_journal_of_what_was_pruned_is_as_it_was() {
    let (_folder, store) = home();
    gave_back(&store, "a", 700).await;
    let before = store.task_events(&task("a"), 0, 10_000).unwrap();
    assert_eq!(store.prune(&results(0), 5).await.unwrap(), 700);
    assert_eq!(store.task_events(&task("a"), 0, 10_000).unwrap(), before);
    let none = PruneRule { kinds: Vec::new(), before_ms: None, keep: 0 };
    assert_eq!(store.prune(&none, 5).await.unwrap(), 0, "no kind is none");
}

#[tokio::test]
async fn what_is_read_of_documents_is_all_or_nothing_and_keeps_the_vectors_that_still_hold() {
    for at in 1..=5 {
        let (folder, store) = home();
        drop(store);
        let store = cut_off_at(folder.path(), at);
        if let Ok(id) = store.add_document_folder("/notes", true).await {
            let _ = store.keep_documents(id, vec![document("a.md", &["one", "two"])]).await;
            let _ = store.keep_documents(id, vec![document("a.md", &["one", "three", "four"])]).await;
            let _ = store.looked_through(id, vec!["a.md".to_owned()], 5).await;
        }
        drop(store);
        let store = Store::open(folder.path()).unwrap();
        let counts = store.embedding_counts().unwrap();
        assert!([0, 2, 3].contains(&counts.passages), "cut off at {at}: {counts:?}");
        assert_eq!(store.pending_embeddings(10).unwrap().len() as u64, counts.passages, "cut off at {at}");
        store.check_integrity().unwrap();
    }
    let (_folder, store) = home();
    let id = store.add_document_folder("/notes", false).await.unwrap();
    store.keep_documents(id, vec![document("a.md", &["one", "two"])]).await.unwrap();
    embed(&store, |_| unit(0)).await;
    store.keep_documents(id, vec![document("a.md", &["zero", "one", "three"])]).await.unwrap();
    let waiting = store.pending_embeddings(10).unwrap();
    let waiting: Vec<&str> = waiting.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(waiting, ["zero", "three"]);
    assert_eq!(store.embedding_counts().unwrap().passages_embedded, 1);
    store.keep_documents(9_999, vec![document("a.md", &["of no folder"])]).await.unwrap();
    assert!(store.drop_document_folder("/notes").await.unwrap());
    let counts = store.embedding_counts().unwrap();
    assert_eq!((counts.passages, counts.passages_embedded), (0, 0));
    assert!(store.pending_embeddings(10).unwrap().is_empty(), "nothing of it is left");
}

#[tokio::test]
async fn a_vector_of_no_use_is_counted_and_its_text_is_found_by_its_words() {
    let (_folder, store) = home();
    store.append(&task("a"), 1, vec![created("a", "a", "the zeppelin flies at noon")]).await.unwrap();
    let bad = [vec![f32::NAN; DIMENSION], vec![f32::INFINITY; DIMENSION], vec![1.0; 3]];
    for vector in bad {
        let waiting = store.pending_embeddings(10).unwrap();
        assert_eq!(waiting.len(), 1);
        let made = vec![NewEmbedding { of: waiting[0].clone(), vector }];
        store.keep_embeddings("m", DIMENSION, made).await.unwrap();
    }
    let counts = store.embedding_counts().unwrap();
    assert_eq!((counts.memories, counts.embedded, counts.pending, counts.failed), (1, 0, 0, 1));
    let found = store.recall(&query(&SessionId::new("e"), "/e", "zeppelin", 9)).unwrap();
    assert_eq!(found.items.len(), 1);
    store.rebuild_embeddings().await.unwrap();
    embed(&store, |_| unit(0)).await;
    assert_eq!(store.embedding_counts().unwrap().embedded, 1);
}

#[tokio::test]
async fn whatever_a_text_is_it_is_kept_within_bounds_and_found() {
    let (_folder, store) = home();
    let huge = format!("gigantic {}", "x".repeat(10_000_000));
    let texts = ["", " \n", "nul\0zeppelin", "Привет 🌙 мир", "日本語のテキスト", "\u{202e}שלום", &huge];
    let mut events = vec![created("a", "a", "goal")];
    events.extend(texts.iter().map(|text| steered(text)));
    store.append(&task("a"), 1, events).await.unwrap();
    let counts = store.embedding_counts().unwrap();
    assert_eq!(counts.memories, 6, "what says nothing is no memory");
    for word in ["zeppelin", "мир", "日本語のテキスト", "שלום", "gigantic"] {
        let found = store.recall(&query(&SessionId::new("e"), "/e", word, 9)).unwrap();
        assert_eq!(found.items.len(), 1, "{word}");
        assert!(found.items[0].text.chars().count() <= 2_000);
        assert!(!found.items[0].text.contains('\0'));
    }
    store.check_integrity().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_hundred_writers_at_once_lose_nothing() {
    let (_folder, store) = home();
    let folder = store.add_document_folder("/notes", true).await.unwrap();
    let writers = (0..100).map(|writer| {
        let store = store.clone();
        tokio::spawn(async move {
            let name = format!("t{writer}");
            gave_back(&store, &name, 5).await;
            let fact = store.remember(&format!("fact {writer}"), None, 2).await.unwrap();
            store.forget_memory(fact, 3).await.unwrap();
            store.restore_memory(fact, 4).await.unwrap();
            let path = format!("{writer}.md");
            store.keep_documents(folder, vec![document(&path, &["one", "two"])]).await.unwrap();
            let waiting = store.pending_embeddings(3).unwrap();
            let made = waiting.into_iter().map(|of| NewEmbedding { of, vector: unit(1) }).collect();
            store.keep_embeddings("m", DIMENSION, made).await.unwrap();
            store.prune(&PruneRule { before_ms: Some(0), ..results(0) }, 5).await.unwrap();
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    let counts = store.embedding_counts().unwrap();
    // A goal, five results and a fact each.
    assert_eq!((counts.memories, counts.forgotten, counts.passages), (700, 0, 200));
    assert_eq!(counts.embedded + counts.pending + counts.words_only, 700, "{counts:?}");
    embed(&store, |_| unit(1)).await;
    let counts = store.embedding_counts().unwrap();
    assert_eq!((counts.embedded, counts.pending, counts.passages_embedded), (200, 0, 200));
    store.check_integrity().unwrap();
}
