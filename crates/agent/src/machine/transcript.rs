//! What the planner is told of the task so far: a window over its messages that stays within a budget.

use deputy_protocol::{Message, UserMessage};

/// Characters of ordinary text in one token, as a rule of thumb that errs on the safe side for English and code.
const CHARS_PER_TOKEN: usize = 4;
/// What stands around a message on the wire, as measured: roles and names; a call's id and quoting; and around a tool's
/// result its id and the words that mark it as data of somebody else's.
const AROUND_MESSAGE: usize = 30;
const AROUND_CALL: usize = 90;
const AROUND_RESULT: usize = 130;

/// The window of messages.
///
/// When it outgrows its budget the oldest turns go until half of it is free again: cutting rarely and much keeps
/// the beginning of the conversation the same from plan to plan, which providers' prompt caches reward.
#[derive(Clone, Debug)]
pub(super) struct Transcript {
    goal: Message,
    messages: Vec<Message>,
    chars: usize,
    budget_chars: usize,
    omitted: usize,
}

impl Transcript {
    /// An empty transcript for a goal, with room for about `context_tokens`.
    pub(super) fn new(goal: &str, context_tokens: u32) -> Self {
        Self {
            goal: user(goal),
            messages: Vec::new(),
            chars: 0,
            budget_chars: (context_tokens as usize).max(500) * CHARS_PER_TOKEN,
            omitted: 0,
        }
    }

    /// Adds a message and lets old turns go where the budget is outgrown.
    pub(super) fn push(&mut self, message: Message) {
        self.chars += chars(&message);
        self.messages.push(message);
        if self.chars > self.budget_chars {
            self.shrink_to(self.budget_chars / 2);
        }
    }

    /// Adds what the user said.
    pub(super) fn push_user(&mut self, text: &str) {
        self.push(user(text));
    }

    /// Halves the budget: the provider said that the conversation is too long.
    pub(super) fn halve(&mut self) {
        self.budget_chars /= 2;
        self.shrink_to(self.budget_chars / 2);
    }

    /// The messages to send: the goal, a word on what was left out, and the window.
    pub(super) fn messages(&self) -> Vec<Message> {
        let mut out = Vec::with_capacity(self.messages.len() + 2);
        out.push(self.goal.clone());
        if self.omitted > 0 {
            out.push(user(&format!(
                "[{} earlier messages were left out to save room; their effects are still in place.]",
                self.omitted
            )));
        }
        out.extend(self.messages.iter().cloned());
        out
    }

    /// Drops whole turns from the front: a tool's result never stays without the message that asked for it.
    fn shrink_to(&mut self, target: usize) {
        let mut cut = 0;
        let mut left = self.chars;
        while left > target && cut < self.messages.len() {
            let mut end = cut + 1;
            while matches!(self.messages.get(end), Some(Message::Tool(_))) {
                end += 1;
            }
            // The newest turn stays, however long it is: without it the planner would repeat it.
            if end >= self.messages.len() {
                break;
            }
            left -= self.messages[cut..end].iter().map(chars).sum::<usize>();
            cut = end;
        }
        self.messages.drain(..cut);
        self.chars = left;
        self.omitted += cut;
    }
}

fn user(text: &str) -> Message {
    Message::User(UserMessage { text: text.to_owned() })
}

fn chars(message: &Message) -> usize {
    match message {
        Message::User(m) => m.text.len() + AROUND_MESSAGE,
        Message::Tool(m) => m.content.len() + m.tool.len() + AROUND_RESULT,
        Message::Assistant(m) => {
            let call = |call: &deputy_protocol::ToolCall| {
                call.tool.len() + value_len(&call.parameters) + AROUND_CALL
            };
            let state = m.provider_state.as_ref().map_or(0, String::len);
            m.text.len() + m.tool_calls.iter().map(call).sum::<usize>() + state + AROUND_MESSAGE
        }
    }
}

/// About as long as its JSON text, without making that text.
fn value_len(value: &serde_json::Value) -> usize {
    match value {
        serde_json::Value::String(s) => s.len() + 2,
        serde_json::Value::Array(items) => items.iter().map(|v| value_len(v) + 1).sum::<usize>() + 2,
        serde_json::Value::Object(map) => {
            map.iter().map(|(k, v)| k.len() + value_len(v) + 4).sum::<usize>() + 2
        }
        _ => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_protocol::{AssistantMessage, CallId, ToolMessage};

    fn turn(transcript: &mut Transcript, n: usize) {
        transcript.push(Message::Assistant(AssistantMessage {
            text: format!("step {n}"),
            tool_calls: Vec::new(),
            provider_state: None,
        }));
        transcript.push(Message::Tool(ToolMessage {
            call: CallId::new(format!("t-{n}-1")),
            tool: "shell".into(),
            content: "x".repeat(100),
            ok: true,
            pictures: Vec::new(),
        }));
    }

    #[test]
    fn stays_within_its_budget_and_keeps_goal_and_newest_turn() {
        let mut transcript = Transcript::new("the goal", 1_000);
        for n in 0..1_000 {
            turn(&mut transcript, n);
            assert!(transcript.chars <= 4_000);
        }
        let messages = transcript.messages();
        assert_eq!(messages[0], user("the goal"));
        assert!(matches!(&messages[1], Message::User(m) if m.text.contains("left out")));
        assert!(matches!(&messages[2], Message::Assistant(_)), "a window never opens with a result");
        assert!(matches!(messages.last(), Some(Message::Tool(m)) if m.call.as_str() == "t-999-1"));
    }

    #[test]
    fn one_huge_turn_stays() {
        let mut transcript = Transcript::new("goal", 500);
        turn(&mut transcript, 1);
        transcript.push(Message::Assistant(AssistantMessage {
            text: "y".repeat(9_000),
            tool_calls: Vec::new(),
            provider_state: None,
        }));
        assert_eq!(transcript.messages().len(), 3, "goal, the word on what is gone, the newest");
    }
}
