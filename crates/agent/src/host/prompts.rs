//! The prompt that was sent to the model in a step and the response, reconstructed from the journal in the same way as
//! the original request.

use super::{HostError, existing};
use crate::core::Core;
use crate::machine::Machine;
use deputy_messages::agent as say;
use deputy_protocol::{
    Answers, ErrorBody, ErrorCode, Messages, PromptAnswer, PromptQuery, TaskEvent, TaskId,
};
use deputy_store::StoreError;
use serde_json::{Value, json};
use std::sync::Arc;

/// The size of one piece, in bytes.
const PIECE_BYTES: usize = 192 * 1024;

/// Shows prompts.
pub(super) struct Prompts {
    pub(super) core: Arc<Core>,
}

impl Answers<PromptQuery> for Prompts {
    async fn answer(&self, query: PromptQuery) -> Result<PromptAnswer, ErrorBody> {
        existing(&self.core, &query.task)?;
        let prompt = self.prompt(&query.task, query.step).map_err(HostError::from)?;
        let Some(prompt) = prompt else {
            let message = say::asked_no_model(query.step, &query.task);
            let hint = say::deputy_show_lists_steps(&query.task);
            return Err(ErrorBody::new(ErrorCode::BadQuery, message, hint));
        };
        Ok(piece(&without_secrets(prompt).to_string(), query.offset))
    }
}

impl Prompts {
    /// Returns the last request of a step and its responses. `None` if no request was sent.
    fn prompt(&self, task: &TaskId, step: u32) -> Result<Option<Value>, StoreError> {
        const PAGE: u32 = 1_000;
        let (mut machine, mut sent, mut received) = (None::<Machine>, None, Vec::new());
        let mut after = 0;
        loop {
            let page = self.core.store.task_events(task, after, PAGE)?;
            for record in &page {
                after = record.seq;
                let machine = match (&mut machine, &record.event) {
                    (Some(machine), _) => machine,
                    (none, TaskEvent::Created(created)) => none.insert(Machine::new(created)),
                    (None, _) => return Ok(None),
                };
                if machine.iteration() > step {
                    return self.told(sent, received);
                }
                let is_answer = matches!(record.event, TaskEvent::Planned(_) | TaskEvent::PlanFailed(_));
                if is_answer && machine.iteration() == step {
                    sent = Some((machine.clone(), machine.messages()));
                    received.push(record.event.clone());
                }
                machine.apply(&record.event);
            }
            if page.len() < PAGE as usize {
                return self.told(sent, received);
            }
        }
    }

    fn told(
        &self,
        sent: Option<(Machine, Messages)>,
        received: Vec<TaskEvent>,
    ) -> Result<Option<Value>, StoreError> {
        let Some((machine, messages)) = sent else { return Ok(None) };
        let (backend, model) = machine.route();
        let (mut system, mut tools, mut earlier) = (Value::Null, Value::Null, json!([]));
        if let Some(briefed) = machine.briefed() {
            let read = |digest| self.core.store.blob(digest);
            system = String::from_utf8_lossy(&read(&briefed.system)?).into();
            tools = serde_json::from_slice(&read(&briefed.tools)?).unwrap_or_default();
            if let Some(digest) = &briefed.earlier {
                earlier = serde_json::from_slice(&read(digest)?).unwrap_or_default();
            }
        }
        Ok(Some(json!({
            "sent": {
                "backend": backend,
                "model": model,
                "system": system,
                "messages": messages,
                "tools": tools,
                "earlier": earlier,
            },
            "received": received,
        })))
    }
}

/// Redacts the secrets in every text of a value.
fn without_secrets(value: Value) -> Value {
    match value {
        Value::String(text) => crate::redact::text(&text).into_owned().into(),
        Value::Array(items) => items.into_iter().map(without_secrets).collect(),
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(name, value)| (name, without_secrets(value))).collect())
        }
        other => other,
    }
}

/// Returns a piece of a text from a byte offset, cut between characters.
fn piece(text: &str, offset: u64) -> PromptAnswer {
    let floor = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let from = floor(usize::try_from(offset).unwrap_or(usize::MAX));
    let to = floor(from.saturating_add(PIECE_BYTES));
    PromptAnswer { text: text[from..to].to_owned(), next: (to < text.len()).then_some(to as u64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_the_whole() {
        let text = "äö€".repeat(70_000);
        let (mut whole, mut offset) = (String::new(), Some(0));
        while let Some(from) = offset {
            let next = piece(&text, from);
            whole.push_str(&next.text);
            offset = next.next;
        }
        assert_eq!(whole, text);
        assert_eq!(piece("ab", 9).text, "");
    }
}
