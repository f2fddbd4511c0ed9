//! The readable tables say what the journal says.

use crate::support::*;
use deputy_protocol::*;
use deputy_store::{Store, next_state};
use proptest::prelude::*;
use std::collections::HashSet;

fn paused(reason: PauseReason) -> TaskEvent {
    TaskEvent::Paused(Paused { reason, message: String::new() })
}

fn resumed() -> TaskEvent {
    TaskEvent::Resumed(Resumed {})
}

fn planned(tokens: u64) -> TaskEvent {
    let usage = Usage { input_tokens: tokens, output_tokens: 1 };
    let plan = AgentPlan { reasoning: "First I look around.".to_owned(), ..AgentPlan::default() };
    TaskEvent::Planned(Planned { plan, usage, duration_ms: 1, model: None })
}

fn running(iteration: u32) -> TaskState {
    TaskState::Running(RunningTask { iteration })
}

fn waiting(reason: PauseReason, iteration: u32) -> TaskState {
    TaskState::Paused(PausedTask { reason, iteration })
}

#[test]
fn states_follow_events() {
    use PauseReason::{ByUser, Permission};
    let queued = TaskState::Queued(QueuedTask {});
    let id = task("t");
    let answered = TaskEvent::PermissionAnswered(PermissionAnswered {
        request: RequestId::new("r"),
        call: CallId::of(&id, 1, 1),
        digest: digest('a'),
        choice: deny("no"),
        by: terminal(),
    });
    let over = TaskState::Stopped(StoppedTask { reason: StopReason::Completed, summary: "done".to_owned() });
    let interrupted = TaskState::Interrupted(InterruptedTask { iteration: 2 });
    let cases = [
        (queued.clone(), iteration(1), running(1)),
        (queued.clone(), paused(ByUser), waiting(ByUser, 0)),
        (waiting(ByUser, 0), resumed(), queued.clone()),
        (running(2), planned(1), running(2)),
        (running(2), asked(request("r", &id)), waiting(Permission, 2)),
        (waiting(Permission, 2), answered.clone(), running(2)),
        (waiting(ByUser, 2), answered, waiting(ByUser, 2)),
        (waiting(ByUser, 2), resumed(), running(2)),
        (running(2), TaskEvent::StopRequested(StopRequested {}), running(2)),
        (running(2), TaskEvent::Interrupted(Interrupted {}), interrupted.clone()),
        (interrupted, resumed(), running(2)),
        (running(2), stopped(), over.clone()),
        (over.clone(), resumed(), over),
    ];
    for (before, event, after) in cases {
        assert_eq!(next_state(&before, &event, None), after, "{before:?} then {event:?}");
    }
    // Resuming answers nothing: what waits for a person still does.
    for (before, open, after) in [
        (waiting(ByUser, 2), Some(Permission), waiting(Permission, 2)),
        (waiting(ByUser, 2), Some(PauseReason::Question), waiting(PauseReason::Question, 2)),
        (waiting(Permission, 2), Some(Permission), waiting(Permission, 2)),
    ] {
        assert_eq!(next_state(&before, &resumed(), open), after, "{before:?} while {open:?} is open");
    }
}

/// Any event that a task may get at any time; `turn` makes ids unique.
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
        // No two about the same call: the inbox refuses that.
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
            let start = TaskState::Queued(QueuedTask {});
            let mut open = HashSet::new();
            let state = records.iter().fold(start, |state, record| {
                match &record.event {
                    TaskEvent::PermissionRequested(asked) => drop(open.insert(asked.request.id.clone())),
                    TaskEvent::PermissionAnswered(answered) => drop(open.remove(&answered.request)),
                    _ => {}
                }
                let waits = (!open.is_empty()).then_some(PauseReason::Permission);
                next_state(&state, &record.event, waits)
            });
            let tokens = records.iter().map(|record| match &record.event {
                TaskEvent::Planned(planned) => planned.usage.input_tokens + planned.usage.output_tokens,
                _ => 0,
            });
            let row = store.task(&id).unwrap().unwrap();
            assert_eq!(row.state, state);
            assert_eq!(row.tokens, tokens.sum::<u64>());
            assert_eq!(row.updated_at_ms, records.last().unwrap().at_ms);
            assert_eq!(store.unfinished().unwrap().len(), usize::from(!ends));
        });
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
        summary: "List files".to_owned(),
        digest: digest('a'),
        grant: None,
    });
    let started = ToolStarted { call: call.clone(), digest: digest('a'), effect: Effect::ReadOnly };
    let planned = Planned { plan, usage: Usage::default(), duration_ms: 1, model: None };
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
