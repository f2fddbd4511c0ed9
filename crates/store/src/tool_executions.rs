//! The table `tool_executions`: every planned call, the decision, and the result.

use crate::error::Fault;
use deputy_protocol::{AgentPlan, CallDecided, EventRecord, ToolFinished, ToolStarted};
use rusqlite::{Connection, params};
use serde::Serialize;

/// Creates a row for each call of a plan.
pub(crate) fn planned(conn: &Connection, record: &EventRecord, plan: &AgentPlan) -> Result<(), Fault> {
    for call in &plan.tool_calls {
        conn.prepare_cached(
            "INSERT INTO tool_executions (call, task, tool, planned_at_ms) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (call) DO NOTHING",
        )?
        .execute(params![call.id.as_str(), record.task.as_str(), call.tool, record.at_ms])?;
    }
    Ok(())
}

/// Records the decision. If a call is decided again, the newest decision counts.
pub(crate) fn decided(conn: &Connection, decided: &CallDecided) -> Result<(), Fault> {
    conn.prepare_cached(
        "UPDATE tool_executions SET effect = ?2, decision = ?3, risk = ?4, summary = ?5, digest = ?6 WHERE call = ?1",
    )?
    .execute(params![
        decided.call.as_str(),
        word(&decided.effect)?,
        word(&decided.verdict.decision)?,
        word(&decided.verdict.risk)?,
        decided.summary.as_str(),
        decided.digest.as_str(),
    ])?;
    Ok(())
}

/// Records that a call is about to run.
pub(crate) fn started(conn: &Connection, at_ms: i64, started: &ToolStarted) -> Result<(), Fault> {
    conn.prepare_cached("UPDATE tool_executions SET started_at_ms = ?2 WHERE call = ?1")?
        .execute(params![started.call.as_str(), at_ms])?;
    Ok(())
}

/// Records how a call ended.
pub(crate) fn finished(conn: &Connection, at_ms: i64, finished: &ToolFinished) -> Result<(), Fault> {
    conn.prepare_cached(
        "UPDATE tool_executions
         SET finished_at_ms = ?2, duration_ms = ?3, status = ?4, exit_code = ?5, result = ?6 WHERE call = ?1",
    )?
    .execute(params![
        finished.call.as_str(),
        at_ms,
        i64::try_from(finished.duration_ms).unwrap_or(i64::MAX),
        word(&finished.result.status)?,
        finished.result.exit_code,
        one_line(finished),
    ])?;
    Ok(())
}

/// Returns the result as a single line.
pub(crate) fn one_line(finished: &ToolFinished) -> &str {
    let result = &finished.result;
    let text: &str = if result.summary.is_empty() { &result.content } else { &result.summary };
    text.lines().next().unwrap_or_default()
}

/// Returns the name of a unit variant as on the wire.
fn word(value: &impl Serialize) -> Result<Option<String>, Fault> {
    Ok(serde_json::to_value(value)?.as_str().map(str::to_owned))
}
