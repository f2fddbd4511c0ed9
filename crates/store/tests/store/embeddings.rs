//! Tests of embeddings of memories, and of searches by meaning.

use crate::support::*;
use deputy_protocol::*;
use deputy_store::{
    CommitHook, CommitMoment, Hooks, NewEmbedding, QueryVector, Ranking, RecallQuery, Recalled, Store,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

const DIMENSION: usize = 64;

/// Pseudo-random numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    /// Returns a vector in one of a few clusters and far from the origin, like those of sentence models.
    fn vector(&mut self, cluster: u64) -> Vec<f32> {
        let mut center = Numbers(cluster * 7_919 + 1);
        (0..DIMENSION).map(|_| 0.8 + center.next() * 0.5 + self.next() * 0.4).collect()
    }
}

/// Creates a task whose user says texts. Events are numbered from 1, and so are memories.
async fn said(store: &Store, name: &str, texts: &[&str]) {
    let mut events = vec![created(name, name, texts[0])];
    events.extend(texts[1..].iter().map(|text| steered(text)));
    store.append(&task(name), 1, events).await.unwrap();
}

/// Embeds everything that waits.
async fn embed(store: &Store, model: &str, mut vector: impl FnMut(&str) -> Vec<f32>) {
    loop {
        let waiting = store.pending_embeddings(500).unwrap();
        if waiting.is_empty() {
            return;
        }
        let made =
            waiting.into_iter().map(|of| NewEmbedding { vector: vector(&of.text), of }).collect::<Vec<_>>();
        let dimension = made[0].vector.len();
        store.keep_embeddings(model, dimension, made).await.unwrap();
    }
}

fn near(store: &Store, model: &str, vector: Vec<f32>, limit: usize) -> Recalled {
    let session = SessionId::new("elsewhere");
    let vector = QueryVector { model: model.to_owned(), vector };
    store.recall(&RecallQuery { vector: Some(&vector), ..query(&session, "/elsewhere", "", limit) }).unwrap()
}

fn texts(recalled: &Recalled) -> Vec<&str> {
    recalled.items.iter().map(|item| item.text.as_str()).collect()
}

fn unit(axis: usize) -> Vec<f32> {
    (0..DIMENSION).map(|at| if at == axis { 1.0 } else { 0.0 }).collect()
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    dot(one, other) / (dot(one, one) * dot(other, other)).sqrt()
}

#[tokio::test]
async fn what_means_the_same_is_found_without_a_shared_word() {
    let (_folder, store) = home();
    said(&store, "old", &["my sister cannot eat peanuts", "the car needs winter tires"]).await;
    assert_eq!(store.pending_embeddings(10).unwrap().len(), 2, "from the transaction that said them");
    assert!(!store.has_embeddings().unwrap());
    embed(&store, "m", |text| unit(usize::from(text.contains("car")))).await;
    let recalled = near(&store, "m", unit(0), 1);
    assert_eq!(texts(&recalled), ["my sister cannot eat peanuts"]);
    assert_eq!(recalled.items[0].found_by, [Ranking::Meaning]);
    assert!((recalled.items[0].similarity.unwrap() - 1.0).abs() < 1e-5);
}

#[tokio::test]
async fn the_nearest_of_many_are_those_that_comparing_all_finds() {
    let (_folder, store) = home();
    let mut numbers = Numbers(42);
    let all: Vec<Vec<f32>> = (0..6_000).map(|number| numbers.vector(number % 40)).collect();
    for (chunk, vectors) in all.chunks(1_000).enumerate() {
        let name = format!("t{chunk}");
        let lines: Vec<String> =
            (0..vectors.len()).map(|line| format!("word{} x{chunk}y{line}", chunk * 1_000 + line)).collect();
        said(&store, &name, &lines.iter().map(String::as_str).collect::<Vec<_>>()).await;
        // The index is read while it grows, from few vectors without codes to many with codes.
        embed(&store, "m", |text| all[number_in(text)].clone()).await;
        near(&store, "m", numbers.vector(3), 1);
    }
    let (mut found, mut wanted) = (0, 0);
    for cluster in 0..40 {
        let query = numbers.vector(cluster);
        let mut exact: Vec<usize> = (0..all.len()).collect();
        let near: Vec<f32> = all.iter().map(|vector| cosine(vector, &query)).collect();
        exact.sort_by(|a, b| near[*b].total_cmp(&near[*a]));
        let exact: BTreeSet<usize> = exact.into_iter().take(10).collect();
        // Events are numbered from 1; each task says a thousand things.
        let nearest = store.nearest(&QueryVector { model: "m".to_owned(), vector: query }, 10).unwrap();
        assert_eq!(nearest.len(), 10);
        found += nearest.iter().filter(|(memory, _)| exact.contains(&(*memory as usize - 1))).count();
        wanted += 10;
    }
    assert!(found * 100 >= wanted * 97, "{found} of {wanted}");
}

fn number_in(text: &str) -> usize {
    text.strip_prefix("word").unwrap().split(' ').next().unwrap().parse().unwrap()
}

/// Tests vectors of two kinds, each pointing in one direction, like statements and questions. The nearest vector to a
/// question is another question; what it shares only with its answer is small.
#[tokio::test]
async fn what_only_two_have_in_common_outweighs_what_all_of_a_kind_have() {
    let kind = |(way, far): (usize, f32), own: usize, common: f32| {
        let mut vector = vec![0.0; DIMENSION];
        (vector[0], vector[way]) = (3.0, far);
        vector[10 + own] = common;
        vector
    };
    let (_folder, store) = home();
    let lines: Vec<String> = (0..40).map(|line| format!("line{line}")).collect();
    said(&store, "old", &lines.iter().map(String::as_str).collect::<Vec<_>>()).await;
    embed(&store, "m", |text| {
        let number: usize = text.trim_start_matches("line").parse().unwrap();
        if number == 0 { kind((1, 0.3), 0, 1.5) } else { kind((2, 1.0), number, 0.8) }
    })
    .await;
    let question = kind((2, 1.0), 0, 0.8);
    let nearest = store.nearest(&QueryVector { model: "m".to_owned(), vector: question.clone() }, 1).unwrap();
    assert_ne!(nearest[0].0, 1, "the nearest is a question");
    assert_eq!(texts(&near(&store, "m", question, 1)), ["line0"]);
}

/// The in-memory index follows changes of the data that it was read from.
#[tokio::test]
async fn most_of_what_was_found_may_be_gone_at_the_next_search() {
    let (folder, store) = home();
    let mut numbers = Numbers(7);
    let all: Vec<Vec<f32>> = (0..3_000).map(|number| numbers.vector(number % 3)).collect();
    let lines: Vec<String> = (0..all.len()).map(|line| format!("word{line}")).collect();
    said(&store, "old", &lines.iter().map(String::as_str).collect::<Vec<_>>()).await;
    embed(&store, "m", |text| all[number_in(text)].clone()).await;
    let query = numbers.vector(1);
    let nearest = |store: &Store| {
        let query = QueryVector { model: "m".to_owned(), vector: query.clone() };
        let near = store.nearest(&query, 10).unwrap();
        near.into_iter().map(|(memory, _)| memory).collect::<Vec<_>>()
    };
    for _ in 0..60 {
        let found = nearest(&store);
        assert_eq!(found.len(), 10);
        for memory in found {
            store.forget_memory(memory, 5).await.unwrap();
        }
    }
    let of_one_that_follows = nearest(&store);
    store.drop_idle_codes(Duration::ZERO);
    assert_eq!(of_one_that_follows, nearest(&store), "read again after they were dropped");
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(of_one_that_follows, nearest(&store));
}

/// A home of a version whose codes had one bit for each number.
#[tokio::test]
async fn codes_of_an_older_version_are_made_again() {
    let (folder, store) = home();
    let mut numbers = Numbers(11);
    let all: Vec<Vec<f32>> = (0..1_500).map(|number| numbers.vector(number % 3)).collect();
    let lines: Vec<String> = (0..all.len()).map(|line| format!("word{line}")).collect();
    said(&store, "old", &lines.iter().map(String::as_str).collect::<Vec<_>>()).await;
    embed(&store, "m", |text| all[number_in(text)].clone()).await;
    let query = QueryVector { model: "m".to_owned(), vector: numbers.vector(1) };
    let before = store.nearest(&query, 10).unwrap();
    drop(store);
    let conn = rusqlite::Connection::open(folder.path().join("deputy.db")).unwrap();
    conn.execute("UPDATE embeddings SET code = zeroblob(8)", []).unwrap();
    conn.execute_batch(WITHOUT_REFUSALS).unwrap();
    conn.pragma_update(None, "user_version", 18).unwrap();
    drop(conn);
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.nearest(&query, 10).unwrap(), before);
    drop(store);
    let conn = rusqlite::Connection::open(folder.path().join("deputy.db")).unwrap();
    let sql = "SELECT count(*) FROM embeddings WHERE length(code) = ?1";
    let made: i64 = conn.query_row(sql, [DIMENSION as i64 / 2 + 8], |row| row.get(0)).unwrap();
    assert_eq!(made, 1_500, "all of them, when the home was opened");
}

#[tokio::test]
async fn forgotten_and_edited_words_are_not_found_by_what_they_meant() {
    let (_folder, store) = home();
    said(&store, "old", &["one", "two", "three"]).await;
    let axis = |text: &str| match text {
        "one" => 0,
        "two" => 1,
        _ => 2,
    };
    embed(&store, "m", |text| unit(axis(text))).await;
    let waiting = store.pending_embeddings(10).unwrap();
    assert!(waiting.is_empty());
    store.forget_memory(1, 2).await.unwrap();
    store.edit_memory(2, "another text", 2).await.unwrap();
    assert_eq!(texts(&near(&store, "m", unit(0), 9)), ["three"]);
    let waiting = store.pending_embeddings(10).unwrap();
    assert_eq!(waiting.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), ["another text"]);

    // A vector of the previous text is not stored, and the memory still waits.
    let mut stale = waiting[0].clone();
    stale.text = "two".to_owned();
    store.keep_embeddings("m", DIMENSION, vec![NewEmbedding { of: stale, vector: unit(5) }]).await.unwrap();
    assert_eq!(store.pending_embeddings(10).unwrap(), waiting);
    store.restore_memory(1, 3).await.unwrap();
    assert_eq!(store.pending_embeddings(10).unwrap().len(), 2, "what came back waits too");
    store.check_integrity().unwrap();
}

#[tokio::test]
async fn another_model_begins_anew_and_words_serve_meanwhile() {
    let (folder, store) = home();
    said(&store, "old", &["the zeppelin flies at noon", "two"]).await;
    embed(&store, "m", |text| unit(text.len() % 2)).await;
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    // Nothing is near for a model without vectors here, or for another dimension.
    assert!(near(&store, "another", unit(0), 9).items.is_empty());
    assert!(near(&store, "m", vec![1.0; 3], 9).items.is_empty());

    let first = store.pending_embeddings(1).unwrap();
    assert!(first.is_empty());
    store.rebuild_embeddings().await.unwrap();
    let first = store.pending_embeddings(1).unwrap();
    let made = vec![NewEmbedding { vector: vec![1.0, 0.0, 0.0], of: first[0].clone() }];
    store.keep_embeddings("another", 3, made).await.unwrap();
    let counts = store.embedding_counts().unwrap();
    assert_eq!(counts.model, Some(("another".to_owned(), 3)));
    assert_eq!((counts.memories, counts.embedded, counts.outdated), (2, 1, 1));
    assert!(near(&store, "m", unit(0), 9).items.is_empty(), "vectors of two models are never compared");
    let words = store.recall(&query(&SessionId::new("e"), "/e", "when does the zeppelin fly", 9)).unwrap();
    assert_eq!(texts(&words), ["the zeppelin flies at noon"]);
    embed(&store, "another", |_| vec![1.0, 0.0, 0.0]).await;
    assert_eq!(near(&store, "another", vec![1.0, 0.0, 0.0], 9).items.len(), 2);
    let counts = store.embedding_counts().unwrap();
    assert_eq!((counts.embedded, counts.outdated, counts.pending), (2, 0, 0));
}

#[tokio::test]
async fn a_rebuild_goes_on_where_it_was_and_the_old_vectors_serve_until_then() {
    let (folder, store) = home();
    let lines: Vec<String> = (0..40).map(|line| format!("line{line}")).collect();
    said(&store, "old", &lines.iter().map(String::as_str).collect::<Vec<_>>()).await;
    embed(&store, "m", |_| unit(0)).await;
    store.rebuild_embeddings().await.unwrap();
    let part = store.pending_embeddings(15).unwrap();
    let made = part.into_iter().map(|of| NewEmbedding { of, vector: unit(0) }).collect();
    store.keep_embeddings("m", DIMENSION, made).await.unwrap();
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    let counts = store.embedding_counts().unwrap();
    assert_eq!((counts.embedded, counts.outdated), (40, 25), "each batch stays done");
    assert_eq!(near(&store, "m", unit(0), 10).items.len(), 10);
    embed(&store, "m", |_| unit(0)).await;
    assert_eq!(store.embedding_counts().unwrap().outdated, 0);
}

#[tokio::test]
async fn a_text_that_cannot_be_embedded_is_given_up_and_counted() {
    let (_folder, store) = home();
    said(&store, "old", &["good", "bad"]).await;
    for _ in 0..3 {
        assert_eq!(store.pending_embeddings(10).unwrap().len(), 2);
        store.embedding_failed(vec![2]).await.unwrap();
    }
    // A vector without a direction counts as a failure as well, and does not block the others.
    let waiting = store.pending_embeddings(10).unwrap();
    assert_eq!(waiting.iter().map(|one| one.memory).collect::<Vec<_>>(), [1]);
    let made = vec![NewEmbedding { of: waiting[0].clone(), vector: vec![0.0; DIMENSION] }];
    store.keep_embeddings("m", DIMENSION, made).await.unwrap();
    let counts = store.embedding_counts().unwrap();
    assert_eq!((counts.failed, counts.pending, counts.embedded), (1, 1, 0));
    store.rebuild_embeddings().await.unwrap();
    assert_eq!(store.pending_embeddings(10).unwrap().len(), 2, "a rebuild tries them again");
}

#[tokio::test]
async fn what_tools_said_is_found_by_its_words_alone() {
    let (_folder, store) = home();
    said(&store, "old", &["look for it"]).await;
    let result = finished(&CallId::new("old-1-1"), "the output of a tool");
    store.append(&task("old"), 2, vec![result]).await.unwrap();
    let waiting = store.pending_embeddings(10).unwrap();
    assert!(waiting.iter().all(|one| one.text != "the output of a tool"), "{waiting:?}");
    assert_eq!(store.embedding_counts().unwrap().words_only, 1);
}

#[tokio::test]
async fn the_newer_of_two_that_are_much_alike_comes_first() {
    let (_folder, store) = home();
    said(&store, "a", &["I like tea in the morning"]).await;
    said(&store, "b", &["I like coffee in the morning now"]).await;
    let alike =
        |shift: f32| (0..DIMENSION).map(|at| 1.0 + if at < 8 { shift } else { 0.0 }).collect::<Vec<_>>();
    embed(&store, "m", |text| alike(if text.contains("tea") { 0.0 } else { 1.0 })).await;
    let recalled = near(&store, "m", alike(0.0), 9);
    assert_eq!(texts(&recalled), ["I like coffee in the morning now", "I like tea in the morning"]);
    assert!(recalled.items.is_sorted_by(|one, next| one.score >= next.score));
}

#[tokio::test]
async fn recall_keeps_to_its_budget() {
    let (_folder, store) = home();
    let lines: Vec<String> = (0..9).map(|line| format!("{line}{}", "x".repeat(99))).collect();
    said(&store, "old", &lines.iter().map(String::as_str).collect::<Vec<_>>()).await;
    embed(&store, "m", |_| unit(0)).await;
    let session = SessionId::new("e");
    let vector = QueryVector { model: "m".to_owned(), vector: unit(0) };
    let whole = RecallQuery { vector: Some(&vector), ..query(&session, "/e", "", 9) };
    let count = |budget_chars, most_chars_each| {
        store.recall(&RecallQuery { budget_chars, most_chars_each, ..whole }).unwrap().items.len()
    };
    assert_eq!(count(usize::MAX, usize::MAX), 9);
    assert_eq!(count(350, usize::MAX), 3);
    assert_eq!(count(350, 50), 7, "what is cut counts as it is shown");
    assert_eq!(count(0, 50), 0);
}

/// Tests every commit: each memory is stored, and has a vector or waits for one.
#[tokio::test]
async fn killed_at_any_commit_nothing_is_without_a_vector_that_does_not_wait() {
    for at in 1..12 {
        let (folder, store) = home();
        drop(store);
        let hook: CommitHook = Arc::new(move |moment, number| {
            // A transaction that panics before its commit is equivalent to a process that dies there.
            assert!(moment == CommitMoment::After || number != at, "the commit of this number is cut off");
        });
        let store = Store::open_with(folder.path(), Hooks { around_commit: Some(hook) }).unwrap();
        for round in 0..3 {
            let name = format!("t{round}");
            let events =
                vec![created(&name, &name, &format!("one of {round}")), steered(&format!("two of {round}"))];
            if store.append(&task(&name), 1, events).await.is_err() {
                break;
            }
            let waiting = store.pending_embeddings(10).unwrap();
            let made = waiting.into_iter().map(|of| NewEmbedding { of, vector: unit(0) }).collect();
            if store.keep_embeddings("m", DIMENSION, made).await.is_err()
                || store.rebuild_embeddings().await.is_err()
            {
                break;
            }
        }
        drop(store);
        let store = Store::open(folder.path()).unwrap();
        let counts = store.embedding_counts().unwrap();
        assert_eq!(counts.memories, counts.embedded + counts.pending, "cut off at {at}: {counts:?}");
        embed(&store, "m", |_| unit(0)).await;
        let counts = store.embedding_counts().unwrap();
        assert_eq!((counts.pending, counts.outdated), (0, 0), "cut off at {at}");
        assert_eq!(counts.memories, counts.embedded, "cut off at {at}");
        store.check_integrity().unwrap();
    }
}
