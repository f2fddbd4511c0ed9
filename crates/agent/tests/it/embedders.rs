//! Tests of embedders that return wrong data, die and recover: nothing is lost, and the statistics report what is
//! missing and why.

use crate::world::World;
use async_trait::async_trait;
use deputy_planner::{Embedded, Embedder, PlanError};
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, done};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// The behavior of an embedder for a request.
type Deed = Box<dyn Fn(usize, &[String]) -> Result<Embedded, PlanError> + Send>;

struct Scripted {
    calls: AtomicUsize,
    deed: Mutex<Deed>,
}

#[async_trait]
impl Embedder for Scripted {
    async fn embed(&self, request: EmbedRequest) -> Result<Embedded, PlanError> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        self.deed.lock().unwrap()(call, &request.texts)
    }
}

fn of(model: &str, dimension: usize, vectors: Vec<Vec<f32>>) -> Embedded {
    Embedded { model: model.to_owned(), dimension, vectors }
}

fn good(texts: &[String]) -> Embedded {
    of("m", 3, texts.iter().map(|text| vec![1.0, text.len() as f32, 0.5]).collect())
}

fn died() -> PlanError {
    PlanError::new(PlanErrorCode::BadResponse, "the sidecar died")
}

async fn world(deed: impl Fn(usize, &[String]) -> Result<Embedded, PlanError> + Send + 'static) -> World {
    let embedder = Scripted { calls: AtomicUsize::new(0), deed: Mutex::new(Box::new(deed)) };
    let planner = Arc::new(ScriptedPlanner::new([done("done")]));
    let world = World::embedding(planner, Arc::new(embedder)).await;
    for number in 0..20 {
        let text = format!("fact number {number}");
        world.command(HostCommand::Remember(RememberCommand { text, about: None })).await.unwrap();
    }
    world
}

async fn embed(world: &World, times: usize) -> MemoryStatsAnswer {
    for _ in 0..times {
        world.command(HostCommand::EmbedMemories(EmbedMemoriesCommand {})).await.unwrap();
    }
    match world.host.query(HostQuery::MemoryStats(MemoryStatsQuery {})).await.unwrap() {
        QueryAnswer::MemoryStats(stats) => stats,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn one_that_dies_in_the_middle_of_a_batch_loses_nothing() {
    // The embedder dies on batches, and embeds each text separately.
    let world = world(|_, texts| if texts.len() > 1 { Err(died()) } else { Ok(good(texts)) }).await;
    let stats = embed(&world, 2).await;
    assert_eq!((stats.memories, stats.embedded, stats.pending, stats.failed), (20, 20, 0, 0), "{stats:?}");
}

#[tokio::test]
async fn one_that_always_dies_is_said_and_everything_waits() {
    let world = world(|_, _| Err(died())).await;
    let stats = embed(&world, 3).await;
    assert_eq!((stats.embedded, stats.pending + stats.failed), (0, 20), "{stats:?}");
    assert_eq!(stats.problem.as_deref(), Some("the sidecar died"));
    let found = MemoriesQuery {
        search: Some("number 7".to_owned()),
        task: None,
        workspace: None,
        only_kept: false,
        best: true,
        before: None,
        limit: 9,
    };
    let QueryAnswer::Memories(found) = world.host.query(HostQuery::Memories(found)).await.unwrap() else {
        panic!("no memories");
    };
    assert_eq!(found.memories[0].text, "fact number 7", "by its words");
}

#[tokio::test]
async fn one_that_gives_no_numbers_or_other_dimensions_is_counted_not_kept() {
    let lies: [fn(&[String]) -> Embedded; 3] = [
        |texts| of("m", 3, texts.iter().map(|_| vec![f32::NAN; 3]).collect()),
        |texts| of("m", 3, texts.iter().map(|_| vec![1.0; 5]).collect()),
        |texts| of("m", 3, texts.iter().map(|_| vec![0.0; 3]).collect()),
    ];
    for lie in lies {
        let world = world(move |_, texts| Ok(lie(texts))).await;
        let stats = embed(&world, 8).await;
        assert_eq!((stats.embedded, stats.pending + stats.failed), (0, 20), "{stats:?}");
        assert!(stats.failed > 0, "{stats:?}");
        world.host.store().check_integrity().unwrap();
    }
}

#[tokio::test]
async fn one_of_another_model_begins_anew_while_words_serve() {
    let world = world(|call, texts| {
        if call < 2 {
            Ok(good(texts))
        } else {
            Ok(of("n", 2, texts.iter().map(|_| vec![1.0, 0.5]).collect()))
        }
    })
    .await;
    let stats = embed(&world, 2).await;
    assert_eq!((stats.model.as_deref(), stats.embedded), (Some("m"), 20), "{stats:?}");
    world.command(HostCommand::RebuildMemory(RebuildMemoryCommand {})).await.unwrap();
    let stats = embed(&world, 1).await;
    assert_eq!((stats.model.as_deref(), stats.embedded, stats.outdated), (Some("n"), 16, 4), "{stats:?}");
    let stats = embed(&world, 1).await;
    assert_eq!((stats.embedded, stats.outdated, stats.pending), (20, 0, 0), "{stats:?}");
}
