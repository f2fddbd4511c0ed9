//! Tests of the lists for clients: tasks, the state of the agent, executed commands.

use crate::support::*;
use deputy_protocol::*;

#[tokio::test]
async fn tasks_are_listed_newest_first_and_unfinished_ones_oldest_first() {
    let (_folder, store) = home();
    for name in ["ab1", "ab2", "b_3", "b%4"] {
        start(&store, name).await;
    }
    store.append(&task("ab2"), 7, vec![stopped()]).await.unwrap();
    let names = |tasks: Vec<TaskSummary>| tasks.into_iter().map(|task| task.id.0).collect::<Vec<_>>();
    assert_eq!(names(store.tasks(3).unwrap()), ["b%4", "b_3", "ab2"]);
    assert_eq!(names(store.unfinished().unwrap()), ["ab1", "b_3", "b%4"]);
    let found = |prefix| store.find_task(prefix).unwrap().into_iter().map(|id| id.0).collect::<Vec<_>>();
    assert_eq!(found("ab"), ["ab1", "ab2"]);
    assert_eq!(found("b_"), ["b_3"], "an underscore is only itself");
    assert_eq!(found("b%"), ["b%4"]);
    assert_eq!(found("' OR 1=1 --"), [""; 0]);
    assert_eq!(store.task(&task("ab")).unwrap(), None);
}

#[tokio::test]
async fn the_state_stands_at_one_event() {
    let (_folder, store) = home();
    assert_eq!(store.snapshot().unwrap(), Snapshot { seq: 0, state: AgentState::Idle(IdleAgent {}) });
    let id = start(&store, "t").await;
    store.append(&id, 10, vec![asked(request("r", &id))]).await.unwrap();
    let Snapshot { seq: 2, state: AgentState::Active(active) } = store.snapshot().unwrap() else { panic!() };
    assert_eq!(active.requests, [request("r", &id)]);
    assert_eq!(active.tasks, store.unfinished().unwrap());
    store.append(&id, 11, vec![stopped()]).await.unwrap();
    assert_eq!(store.snapshot().unwrap(), Snapshot { seq: 3, state: AgentState::Idle(IdleAgent {}) });
}

#[tokio::test]
async fn the_first_outcome_of_a_command_is_remembered() {
    let (_folder, store) = home();
    let id = CommandId::new("c1");
    assert_eq!(store.command_seen(&id).await.unwrap(), None);
    let done = CommandOutcome::Done(DoneOutcome {});
    store.remember_command(&id, &done, 1).await.unwrap();
    store
        .remember_command(
            &id,
            &CommandOutcome::Undone(UndoneOutcome { applied: true, ..UndoneOutcome::default() }),
            2,
        )
        .await
        .unwrap();
    assert_eq!(store.command_seen(&id).await.unwrap(), Some(done));
}
