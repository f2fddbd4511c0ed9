//! Tries whether a model can call tools, by asking it for one call. A model that cannot is of no use for tasks.

use crate::doctor;
use deputy_messages::agent as say;
use deputy_planner::Planner;
use deputy_protocol::{BackendRef, Finding, Message, PlanRequest, Probe, ToolSpec, UserMessage};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long the model may take for the call.
const PATIENCE: Duration = Duration::from_secs(20);
const TOOL: &str = "note_word";
const WORD: &str = "lighthouse";

/// Asks the model of a backend to call a tool that does nothing. `None` if the backend does not declare that a provider
/// offers its models: it may use no model at all.
pub async fn tool_trial(home: &Path, planner: &dyn Planner, backend: BackendRef) -> Option<Finding> {
    super::form(home, &backend.name).ok().flatten().filter(|form| form.probe == Some(Probe::Models))?;
    let cancel = CancellationToken::new();
    let _ended = cancel.clone().drop_guard();
    let answer = planner.plan(request(backend), Arc::new(|_| {}), cancel);
    Some(match tokio::time::timeout(PATIENCE, answer).await {
        Err(_) => doctor::ill("tools", say::tools_not_known_in_time(PATIENCE.as_secs())),
        Ok(Err(error)) => doctor::ill("tools", say::tools_not_known(error.message)),
        Ok(Ok(reply)) => {
            let called = reply.plan.tool_calls.iter().find(|call| call.tool == TOOL);
            let word = called.and_then(|call| call.parameters.get("word")).and_then(|word| word.as_str());
            match (called, word) {
                (Some(_), Some(word)) if word.contains(WORD) => doctor::well("tools", say::calls_tools()),
                (Some(_), _) => doctor::ill("tools", say::calls_tools_wrongly()),
                (None, _) => doctor::ill("tools", say::calls_no_tools()),
            }
        }
    })
}

fn request(backend: BackendRef) -> PlanRequest {
    let text = format!("Call the tool `{TOOL}` once, with the word `{WORD}`. Say nothing else.");
    let tool = ToolSpec {
        name: TOOL.to_owned(),
        description: "Notes a word.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {"word": {"type": "string"}},
            "required": ["word"],
            "additionalProperties": false,
        }),
    };
    PlanRequest {
        backend,
        system: "You act by calling tools.".to_owned(),
        messages: vec![Message::User(UserMessage { text })].into(),
        tools: Arc::new(vec![tool]),
        earlier: Arc::default(),
        conversation: None,
    }
}
