//! The table `usage`: the sums of tokens and cost of plans by quarter of an hour, task, backend and model.

use crate::error::Fault;
use crate::rows;
use deputy_protocol::{EventRecord, TaskId, Usage, UsageRow};
use rusqlite::{Connection, params};

const QUARTER_MS: i64 = 15 * 60_000;
/// The maximum of a sum. An implausible number from a backend must not prevent the journal from being written.
const MOST: u64 = 9_000_000_000_000_000_000;

/// The backend and the model that were asked, and the number of plans.
#[derive(Clone, Copy, Debug)]
pub(crate) struct By<'a> {
    pub(crate) backend: &'a str,
    pub(crate) model: Option<&'a str>,
    pub(crate) plans: u32,
}

/// Adds the usage of a model.
pub(crate) fn add(
    conn: &Connection,
    record: &EventRecord,
    by: By<'_>,
    usage: Usage,
    cost_micros: Option<u64>,
) -> Result<(), Fault> {
    if (usage.input_tokens, usage.output_tokens) == (0, 0) {
        return Ok(());
    }
    let bounded = |count: u64| count.min(MOST) as i64;
    conn.prepare_cached(
        "INSERT INTO usage VALUES (?1, ?2, ?3, ?4, ?11, ?5, ?6, ?7, ?8, ?9)
         ON CONFLICT DO UPDATE SET plans = plans + excluded.plans,
                                   input_tokens = min(input_tokens + excluded.input_tokens, ?10),
                                   output_tokens = min(output_tokens + excluded.output_tokens, ?10),
                                   cached_tokens = min(cached_tokens + excluded.cached_tokens, ?10),
                                   reasoning_tokens = min(reasoning_tokens + excluded.reasoning_tokens, ?10),
                                   cost_micros = min(ifnull(cost_micros + excluded.cost_micros,
                                                            ifnull(cost_micros, excluded.cost_micros)), ?10)",
    )?
    .execute(params![
        quarter(record.at_ms),
        record.task.as_str(),
        by.backend,
        by.model.unwrap_or_default(),
        bounded(usage.input_tokens),
        bounded(usage.output_tokens),
        bounded(usage.cached_tokens),
        bounded(usage.reasoning_tokens),
        cost_micros.map(bounded),
        MOST as i64,
        by.plans,
    ])?;
    Ok(())
}

/// Returns the usage since a time, in whole quarters of an hour, oldest first. The cost depends on the size of the
/// result, and not on the length of the journal.
pub(crate) fn since(conn: &Connection, since_ms: i64) -> Result<Vec<UsageRow>, Fault> {
    rows::all(conn, SINCE, [quarter(since_ms)], |row| {
        let count = |column| row.get::<_, i64>(column).map(|count| u64::try_from(count).unwrap_or_default());
        Ok(UsageRow {
            at_ms: row.get(0)?,
            task: TaskId::new(row.get::<_, String>(1)?),
            goal: row.get(2)?,
            backend: row.get(3)?,
            model: Some(row.get::<_, String>(4)?).filter(|model| !model.is_empty()),
            plans: count(5)?,
            input_tokens: count(6)?,
            output_tokens: count(7)?,
            cached_tokens: count(8)?,
            reasoning_tokens: count(9)?,
            cost_micros: row.get::<_, Option<i64>>(10)?.map(|cost| u64::try_from(cost).unwrap_or_default()),
        })
    })
}

const SINCE: &str =
    "SELECT quarter_ms, task, substr(goal, 1, 200), usage.backend, usage.model, plans, input_tokens, output_tokens,
            cached_tokens, reasoning_tokens, usage.cost_micros
    FROM usage JOIN tasks ON tasks.id = task WHERE quarter_ms >= ?1
    ORDER BY quarter_ms, task, usage.backend, usage.model";

fn quarter(at_ms: i64) -> i64 {
    at_ms / QUARTER_MS * QUARTER_MS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrations;
    use deputy_protocol::{AgentPlan, Planned, TaskEvent};
    use rusqlite::StatementStatus;

    fn plan(at_ms: i64, model: Option<&str>, tokens: u64) -> (EventRecord, Planned) {
        let planned = Planned {
            plan: AgentPlan::default(),
            usage: Usage { input_tokens: tokens, output_tokens: 1, ..Usage::default() },
            duration_ms: 1,
            model: model.map(str::to_owned),
            backend: None,
            cost_micros: None,
        };
        let event = TaskEvent::Planned(planned.clone());
        (EventRecord { seq: 0, task: TaskId::new("t"), at_ms, event }, planned)
    }

    fn add_plan(conn: &Connection, record: &EventRecord, planned: &Planned) -> Result<(), Fault> {
        let backend = planned.backend.as_deref().unwrap_or("b");
        let by = By { backend, model: planned.model.as_deref(), plans: 1 };
        add(conn, record, by, planned.usage, planned.cost_micros)
    }

    fn database(steps: &[&str]) -> Connection {
        let conn = Connection::open_in_memory().unwrap();
        steps.iter().for_each(|step| conn.execute_batch(step).unwrap());
        let task =
            "INSERT INTO tasks (id, session, goal, profile, backend, workspace, state, finished, tokens,
                                       created_at_ms, updated_at_ms)
                    VALUES ('t', 's', 'goal', 'p', 'b', '/', '{}', 0, 0, 0, 0)";
        conn.execute(task, []).unwrap();
        conn
    }

    /// Regression test: each query read the whole journal.
    #[test]
    fn an_answer_costs_the_same_in_a_journal_of_100_000_events() {
        let steps_taken = |conn: &Connection| {
            let mut statement = conn.prepare(SINCE).unwrap();
            let answered = statement.query_map([0], |row| row.get::<_, i64>(6)).unwrap().count();
            (answered, statement.get_status(StatementStatus::VmStep))
        };
        let conn = database(migrations::ALL);
        for n in 0..50 {
            let (record, planned) = plan(n * QUARTER_MS, Some("m"), 7);
            add_plan(&conn, &record, &planned).unwrap();
        }
        let short = steps_taken(&conn);
        assert_eq!(short.0, 50);
        let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
                    INSERT INTO events SELECT i, 't', i, 'planned', '{}', x'00' FROM n";
        assert_eq!(conn.execute(many, []).unwrap(), 100_000);
        assert_eq!(steps_taken(&conn), short);
        for _ in 0..1_000 {
            let (record, planned) = plan(1, Some("m"), 7);
            add_plan(&conn, &record, &planned).unwrap();
        }
        assert_eq!(steps_taken(&conn), short, "plans of one quarter are one row");
        assert_eq!(since(&conn, 0).unwrap()[0].input_tokens, 7 * 1_001);
    }

    /// A journal from before the table existed gets the same rows as new plans.
    #[test]
    fn what_was_used_before_there_was_the_table_is_in_it() {
        let (old, new) = (database(&migrations::ALL[..4]), database(migrations::ALL));
        let plans = [
            plan(1, Some("m"), 5),
            plan(QUARTER_MS - 1, Some("m"), 6),
            plan(QUARTER_MS, Some("m"), 7),
            plan(2, None, 8),
            plan(3, Some("other"), 9),
        ];
        for (number, (record, planned)) in plans.iter().enumerate() {
            let event = serde_json::to_string(&record.event).unwrap();
            old.execute(
                "INSERT INTO events VALUES (?1, 't', ?2, 'planned', ?3, x'00')",
                params![number as i64 + 1, record.at_ms, event],
            )
            .unwrap();
            add_plan(&new, record, planned).unwrap();
        }
        migrations::ALL[4..].iter().for_each(|step| old.execute_batch(step).unwrap());
        let rows = since(&new, 0).unwrap();
        assert_eq!(since(&old, 0).unwrap(), rows);
        let sums: Vec<_> =
            rows.iter().map(|row| (row.at_ms, row.model.as_deref(), row.input_tokens)).collect();
        assert_eq!(
            sums,
            [(0, None, 8), (0, Some("m"), 11), (0, Some("other"), 9), (QUARTER_MS, Some("m"), 7)]
        );
        assert_eq!(since(&new, QUARTER_MS + 5).unwrap().len(), 1, "the quarter it falls into is whole");
    }

    #[test]
    fn what_plans_cost_is_added_up_by_the_backend_that_answered() {
        let conn = database(migrations::ALL);
        let (record, own) = plan(1, Some("m"), 100);
        let usage = Usage { cached_tokens: 40, reasoning_tokens: 3, ..own.usage };
        let priced = |cost_micros| Planned { usage, cost_micros, ..own.clone() };
        let elsewhere = Planned { backend: Some("other".into()), ..priced(Some(5)) };
        for planned in [priced(None), priced(Some(20)), priced(Some(1)), elsewhere] {
            add_plan(&conn, &record, &planned).unwrap();
        }
        let rows = since(&conn, 0).unwrap();
        let told: Vec<_> =
            rows.iter().map(|row| (row.backend.as_str(), row.plans, row.cost_micros)).collect();
        assert_eq!(told, [("b", 3, Some(21)), ("other", 1, Some(5))]);
        assert_eq!((rows[0].cached_tokens, rows[0].reasoning_tokens), (120, 9));
    }

    #[test]
    fn no_claim_of_a_backend_is_too_much_to_be_written_down() {
        let conn = database(migrations::ALL);
        for _ in 0..3 {
            let (record, planned) = plan(1, None, u64::MAX);
            add_plan(&conn, &record, &planned).unwrap();
        }
        assert_eq!(since(&conn, 0).unwrap()[0].input_tokens, MOST);
    }
}
