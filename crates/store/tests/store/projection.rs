//! Tests that the derived tables match the journal.

use crate::support::*;
use deputy_protocol::*;
use deputy_store::Store;
use proptest::prelude::*;

fn paused(reason: PauseReason) -> TaskEvent {
    TaskEvent::Paused(Paused { reason, message: String::new().into(), budget: None })
}

fn resumed() -> TaskEvent {
    TaskEvent::Resumed(Resumed {})
}

fn planned(tokens: u64) -> TaskEvent {
    let usage = Usage { input_tokens: tokens, output_tokens: 1, ..Usage::default() };
    let plan = AgentPlan { reasoning: "First I look around.".to_owned(), ..AgentPlan::default() };
    TaskEvent::Planned(Planned { plan, usage, duration_ms: 1, model: None, backend: None, cost_micros: None })
}

/// Returns any event that a task may get at any time. `turn` makes ids unique.
fn event(kind: u8, turn: usize, id: &TaskId) -> Vec<TaskEvent> {
    let request_id = format!("r{turn}");
    let answer = || {
        TaskEvent::PermissionAnswered(PermissionAnswered {
            request: RequestId::new(&request_id),
            call: CallId::of(id, 1, 1),
            digest: digest('a'),
            choice: deny("no"),
            by: terminal(),
        })
    };
    match kind {
        0 => vec![iteration(turn as u32 + 1)],
        1 => vec![planned(turn as u64)],
        // No two for the same call, because the inbox refuses that.
        2 => vec![asked(PermissionRequest {
            digest: Digest::new(format!("{turn:064}")),
            ..request(&request_id, id)
        })],
        3 => vec![asked(request(&request_id, id)), answer()],
        4 => vec![paused(PauseReason::ByUser)],
        5 => vec![paused(PauseReason::Budget)],
        6 => vec![resumed()],
        7 => vec![TaskEvent::Interrupted(Interrupted {})],
        8 => vec![steered("and this")],
        _ => vec![finished(&CallId::of(id, 1, turn), "some output")],
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_task_row_is_the_fold_of_its_events(kinds in prop::collection::vec(0u8..10, 0..20), ends in any::<bool>()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let (folder, store) = home();
            let mut live = store.subscribe();
            let id = start(&store, "t").await;
            for (turn, kind) in kinds.into_iter().enumerate() {
                store.append(&id, turn as i64 + 2, event(kind, turn, &id)).await.unwrap();
            }
            if ends {
                store.append(&id, 99, vec![stopped()]).await.unwrap();
            }
            drop(store);
            let store = Store::open(folder.path()).unwrap();
            let records = store.task_events(&id, 0, 1_000).unwrap();
            let mut told = Vec::new();
            while let Ok(event) = live.try_recv() {
                told.push(event);
            }
            assert_eq!(told.iter().map(|event| &event.record).collect::<Vec<_>>(), records.iter().collect::<Vec<_>>());
            let TaskEvent::Created(first) = &records[0].event else { panic!("{records:?}") };
            let mut fold = TaskFold::new(first, records[0].at_ms);
            for event in &told {
                fold.apply(&event.record);
                assert_eq!(event.update, fold.update());
            }
            let tokens = records.iter().map(|record| match &record.event {
                TaskEvent::Planned(planned) => planned.usage.input_tokens + planned.usage.output_tokens,
                _ => 0,
            });
            let row = store.task(&id).unwrap().unwrap();
            assert_eq!(row, *fold.summary());
            for late in store.mirrored_since(0, 1_000).unwrap() {
                assert_eq!(late.update, row.update(), "what is told late is told as it is by now");
            }
            assert_eq!(row.tokens, tokens.sum::<u64>());
            assert_eq!(row.updated_at_ms, records.last().unwrap().at_ms);
            assert_eq!(store.unfinished().unwrap().len(), usize::from(!ends));
            store.check_integrity().unwrap();
        });
    }
}

/// An older version showed a task that was resumed while its request was open as running, and stored no status.
#[tokio::test]
async fn open_tasks_of_an_older_version_are_derived_from_the_journal() {
    let (folder, store) = home();
    let (waits, queued, ended) =
        (start(&store, "waits").await, start(&store, "q").await, start(&store, "e").await);
    let events = vec![iteration(1), asked(request("r", &waits)), resumed()];
    store.append(&waits, 2, events).await.unwrap();
    store.append(&ended, 3, vec![iteration(1), stopped()]).await.unwrap();
    let tasks = store.tasks(10).unwrap();
    drop(store);
    let conn = rusqlite::Connection::open(folder.path().join("deputy.db")).unwrap();
    let older = r#"UPDATE tasks SET status = NULL;
        UPDATE tasks SET state = '{"state":"running","iteration":1}' WHERE id = 'waits'"#;
    conn.execute_batch(older).unwrap();
    drop(conn);
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.tasks(10).unwrap(), tasks);
    store.check_integrity().unwrap();
    for (task, event) in [(&waits, steered("more")), (&queued, iteration(1)), (&ended, stopped())] {
        assert_eq!(store.append(task, 4, vec![event]).await.is_ok(), *task != ended);
    }
}

#[tokio::test]
async fn every_call_has_a_readable_row() {
    let (folder, store) = home();
    let id = start(&store, "t").await;
    let call = CallId::of(&id, 1, 1);
    let plan = AgentPlan {
        tool_calls: vec![ToolCall {
            id: call.clone(),
            tool: "shell".to_owned(),
            parameters: serde_json::json!({}),
            problem: None,
            written: None,
        }],
        ..AgentPlan::default()
    };
    let decided = TaskEvent::CallDecided(CallDecided {
        call: call.clone(),
        verdict: Verdict {
            decision: Decision::Allow,
            risk: Risk::Low,
            reasons: Vec::new(),
            confinement: Confinement::ReadOnly,
            parts: Vec::new(),
        },
        effect: Effect::ReadOnly,
        summary: "List files".to_owned().into(),
        digest: digest('a'),
        grant: None,
    });
    let started = ToolStarted { call: call.clone(), digest: digest('a'), effect: Effect::ReadOnly };
    let planned = Planned {
        plan,
        usage: Usage::default(),
        duration_ms: 1,
        model: None,
        backend: None,
        cost_micros: None,
    };
    let events =
        vec![TaskEvent::Planned(planned), decided, TaskEvent::ToolStarted(started), finished(&call, "a\nb")];
    store.append(&id, 5, events).await.unwrap();
    let conn = rusqlite::Connection::open(folder.path().join("deputy.db")).unwrap();
    let row: String = conn
        .query_row(
            "SELECT concat_ws(' ', call, tool, effect, decision, risk, summary, started_at_ms, status, result)
             FROM tool_executions",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(row, "t-1-1 shell read_only allow low List files 5 ok a");
}
