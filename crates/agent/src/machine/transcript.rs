//! The transcript: the part of the conversation that the planner sees, a window over its messages that stays within a
//! budget.

use deputy_protocol::{Message, Messages, UserMessage};
use std::sync::Arc;

/// The characters in one token, a conservative rule of thumb for English and code.
const CHARS_PER_TOKEN: usize = 4;
/// The measured overhead of a message on the wire, in characters: for a message, its role and names; for a call, its id
/// and quoting; for a tool result, its id and the text that marks it as data.
const AROUND_MESSAGE: usize = 30;
const AROUND_CALL: usize = 90;
const AROUND_RESULT: usize = 130;
/// The minimum length of a shortened result, and the space in it for the note about what is left out, in bytes.
const SHORTEST_RESULT: usize = 600;
const LEFT_OUT_CHARS: usize = 300;
/// The minimum size of the window, in tokens.
const LEAST_TOKENS: usize = 500;

/// The window of messages.
///
/// When it exceeds its budget, a summary replaces whole turns until half of the room is free again. Rare, large cuts
/// keep the beginning of the conversation the same from plan to plan, which benefits from providers' prompt caches.
#[derive(Clone, Debug)]
pub(super) struct Transcript {
    goal: Arc<Message>,
    /// The start block.
    beginning: Option<Arc<Message>>,
    /// The user's guidance from files.
    guidance: Option<Arc<Message>>,
    /// Notes of earlier tasks for the goal.
    note: Option<Arc<Message>>,
    /// The summary of the turns that were removed.
    summary: Option<Arc<Message>>,
    /// The other messages, each with its iteration.
    messages: Vec<(u32, Arc<Message>)>,
    chars: usize,
    window_tokens: usize,
    /// The tokens of a request outside of the transcript, such as rules and tools. Known once a provider has reported
    /// usage.
    around_tokens: usize,
}

impl Transcript {
    /// Creates an empty transcript for a goal, for requests of at most `context_tokens`.
    pub(super) fn new(goal: &str, context_tokens: u32) -> Self {
        let goal = user(goal);
        Self {
            chars: chars(&goal),
            goal,
            beginning: None,
            guidance: None,
            note: None,
            summary: None,
            messages: Vec::new(),
            window_tokens: (context_tokens as usize).max(LEAST_TOKENS),
            around_tokens: 0,
        }
    }

    /// Adds a message of an iteration.
    pub(super) fn push(&mut self, iteration: u32, message: Message) {
        self.chars += chars(&message);
        self.messages.push((iteration, Arc::new(message)));
    }

    /// Adds a message of the user.
    pub(super) fn push_user(&mut self, iteration: u32, text: &str) {
        self.push(iteration, said(text));
    }

    /// Sets or removes the user's guidance after the goal.
    pub(super) fn guide(&mut self, text: Option<&str>) {
        self.guidance = text.map(user);
        self.count();
    }

    /// Sets the start block.
    pub(super) fn orient(&mut self, text: &str) {
        self.beginning = Some(user(text));
        self.count();
    }

    /// Returns whether the conversation has its start block.
    pub(super) fn is_oriented(&self) -> bool {
        self.beginning.is_some()
    }

    /// Sets the notes of earlier tasks after the goal.
    pub(super) fn note(&mut self, text: &str) {
        self.note = Some(user(text));
        self.count();
    }

    /// Returns whether there are notes for the goal.
    pub(super) fn is_noted(&self) -> bool {
        self.note.is_some()
    }

    fn count(&mut self) {
        self.chars = self.head().map(|message| chars(message)).sum::<usize>()
            + self.messages.iter().map(|(_, m)| chars(m)).sum::<usize>();
    }

    /// Returns the messages before the window. The goal comes first, and the rest only adds to it.
    fn head(&self) -> impl Iterator<Item = &Arc<Message>> {
        std::iter::once(&self.goal)
            .chain(&self.beginning)
            .chain(&self.guidance)
            .chain(&self.note)
            .chain(&self.summary)
    }

    /// Records the input tokens that the provider reported for the last request. The difference to the size of the
    /// transcript is overhead.
    pub(super) fn measure(&mut self, input_tokens: u64) {
        if input_tokens > 0 {
            let counted = usize::try_from(input_tokens).unwrap_or(usize::MAX);
            self.around_tokens = counted.saturating_sub(self.sent_chars() / CHARS_PER_TOKEN);
        }
    }

    /// Halves the window, after the provider rejected the conversation as too long. The next request is shorter than the
    /// rejected one, however large the window was.
    pub(super) fn halve(&mut self) {
        let sent = self.sent_chars() / CHARS_PER_TOKEN + self.around_tokens;
        self.window_tokens = (self.window_tokens.min(sent) / 2).max(LEAST_TOKENS);
    }

    /// Returns the maximum length of what is sent, in characters.
    fn most_chars(&self) -> usize {
        self.window_tokens.saturating_sub(self.around_tokens).max(self.window_tokens / 5) * CHARS_PER_TOKEN
    }

    fn sent_chars(&self) -> usize {
        self.fitted().iter().map(chars).sum()
    }

    /// Returns the maximum length of the conversation, in characters: four fifths of the window, so that the next
    /// results fit, minus the overhead. It has a lower bound, so that not every step causes a summary.
    pub(super) fn room_chars(&self) -> usize {
        let most = self.window_tokens * 4 / 5;
        most.saturating_sub(self.around_tokens).max(self.window_tokens / 5) * CHARS_PER_TOKEN
    }

    /// Returns the last iteration to summarize, if the room is used up. The newest turn is always kept, however long it
    /// is: without it the planner would repeat it.
    pub(super) fn outgrown(&self, current: u32) -> Option<u32> {
        let room = self.room_chars();
        if self.chars <= room {
            return None;
        }
        let (mut left, mut through) = (self.chars, None);
        for (iteration, message) in &self.messages {
            if left <= room / 2 && through != Some(*iteration) || *iteration + 1 >= current {
                break;
            }
            left -= chars(message);
            through = Some(*iteration);
        }
        through
    }

    /// Returns the number of messages up to and including an iteration.
    pub(super) fn count_through(&self, iteration: u32) -> usize {
        self.messages.iter().take_while(|(of, _)| *of <= iteration).count()
    }

    /// Replaces the messages up to and including an iteration with a summary.
    pub(super) fn replace_through(&mut self, iteration: u32, summary: &str) {
        self.messages.retain(|(of, _)| *of > iteration);
        self.summary = Some(user(summary));
        self.count();
    }

    /// Returns the messages: the goal, the start block, the user's guidance, notes, the summary of removed turns, and the window.
    pub(super) fn messages(&self) -> Messages {
        self.all().cloned().collect()
    }

    /// Returns the messages for a model. If they are too long together, the longest results are shortened.
    pub(super) fn fitted(&self) -> Messages {
        match self.longest_result() {
            None => self.messages(),
            Some(most) => self.all().map(|message| shortened(message, most)).collect(),
        }
    }

    fn all(&self) -> impl Iterator<Item = &Arc<Message>> {
        self.head().chain(self.messages.iter().map(|(_, message)| message))
    }

    /// Returns the length to which results have to be shortened. `None` if everything fits.
    fn longest_result(&self) -> Option<usize> {
        let mut over = self.chars.checked_sub(self.most_chars()).filter(|over| *over > 0)?;
        let result = |message: &Arc<Message>| match message.as_ref() {
            Message::Tool(result) => Some(result.content.len()),
            Message::User(_) | Message::Assistant(_) => None,
        };
        let mut lengths: Vec<usize> =
            self.messages.iter().filter_map(|(_, message)| result(message)).collect();
        lengths.sort_unstable_by_key(|length| std::cmp::Reverse(*length));
        // Shorten the longest to the length of the next, then both to that of the third, and so on.
        for (index, length) in lengths.iter().enumerate() {
            let next = lengths.get(index + 1).copied().unwrap_or(0).max(SHORTEST_RESULT).min(*length);
            let gained = (length - next) * (index + 1);
            if gained >= over {
                return Some(length - over.div_ceil(index + 1));
            }
            over -= gained;
        }
        Some(SHORTEST_RESULT)
    }
}

/// Returns a message with its result shortened to a length: its beginning and its end, and between them how much is left
/// out.
fn shortened(message: &Arc<Message>, most: usize) -> Arc<Message> {
    match message.as_ref() {
        Message::Tool(result) if result.content.len() > most => {
            let content = beginning_and_end(&result.content, most);
            Arc::new(Message::Tool(deputy_protocol::ToolMessage { content, ..result.clone() }))
        }
        _ => message.clone(),
    }
}

fn beginning_and_end(text: &str, most: usize) -> String {
    let room = most.saturating_sub(LEFT_OUT_CHARS);
    let head = whole_lines(&text[..text.floor_char_boundary(room * 2 / 3)]);
    let tail_at = text.ceil_char_boundary(text.len() - room / 3);
    let tail = match text[tail_at..].split_once('\n') {
        Some((_, rest)) if !rest.is_empty() => rest,
        _ => &text[tail_at..],
    };
    let between = &text[head.len()..text.len() - tail.len()];
    let lines = between.lines().count();
    format!(
        "{head}\n[{lines} lines ({} characters) of this result are left out, because all results together are too long \
         for the model. To read them, make the call for a part: fewer lines from a later one, a narrower search, or a \
         command that prints less]\n{tail}",
        between.chars().count()
    )
}

/// Returns the whole lines of a text, or all of it if it has only one.
fn whole_lines(text: &str) -> &str {
    text.rsplit_once('\n').map_or(text, |(lines, _)| lines)
}

fn user(text: &str) -> Arc<Message> {
    Arc::new(said(text))
}

fn said(text: &str) -> Message {
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

/// Estimates the length of a value as JSON, without serializing it.
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

    fn turn(transcript: &mut Transcript, n: u32, result_chars: usize) {
        let text = format!("step {n}");
        let plan = AssistantMessage { text, tool_calls: Vec::new(), provider_state: None };
        transcript.push(n, Message::Assistant(plan));
        transcript.push(
            n,
            Message::Tool(ToolMessage {
                call: CallId::new(format!("t-{n}-1")),
                tool: "shell".into(),
                content: "x".repeat(result_chars),
                ok: true,
                pictures: Vec::new(),
            }),
        );
    }

    #[test]
    fn turns_give_way_as_a_whole_and_the_newest_stays() {
        let mut transcript = Transcript::new("the goal", 1_000);
        let mut summaries = 0;
        for n in 1..=1_000 {
            turn(&mut transcript, n, 100);
            if let Some(through) = transcript.outgrown(n + 1) {
                transcript.replace_through(through, "so far");
                summaries += 1;
                assert!(transcript.chars <= transcript.room_chars() / 2 + 400);
            }
            assert!(transcript.chars <= 3_200);
        }
        let messages = transcript.messages();
        assert!((50..300).contains(&summaries), "rarely and much: {summaries}");
        assert_eq!((&messages[0], &messages[1]), (&said("the goal"), &said("so far")));
        assert!(matches!(&messages[2], Message::Assistant(_)), "a window never opens with a result");
        assert!(matches!(messages.last(), Some(Message::Tool(m)) if m.call.as_str() == "t-1000-1"));
    }

    #[test]
    fn one_huge_turn_stays_and_is_not_summarized_again_and_again() {
        let mut transcript = Transcript::new("goal", 500);
        turn(&mut transcript, 1, 100);
        turn(&mut transcript, 2, 9_000);
        assert_eq!(transcript.outgrown(3), Some(1));
        transcript.replace_through(1, "so far");
        assert_eq!(transcript.outgrown(3), None);
        assert_eq!(transcript.messages().len(), 4, "goal, summary, the newest");
    }

    fn result(content: String) -> Message {
        let call = CallId::new("t-1-1");
        Message::Tool(ToolMessage { call, tool: "code".into(), content, ok: true, pictures: Vec::new() })
    }

    fn contents(transcript: &Transcript) -> Vec<String> {
        let result = |message: &Message| match message {
            Message::Tool(result) => Some(result.content.clone()),
            _ => None,
        };
        transcript.fitted().iter().filter_map(result).collect()
    }

    #[test]
    fn results_that_are_too_long_together_are_shortened_until_they_fit() {
        let mut transcript = Transcript::new("goal", 4_000);
        let lines = |count: usize| (1..=count).map(|n| format!("line {n} äöü\n")).collect::<String>();
        let all = [lines(1_000), lines(10), lines(800), "x".repeat(20_000)];
        for content in &all {
            transcript.push(1, result(content.clone()));
        }
        transcript.push_user(1, "leave the folder alone");
        assert!(transcript.chars > 16_000);
        let sent = transcript.fitted();
        assert!(sent.iter().map(chars).sum::<usize>() <= 16_000);
        assert!(sent.iter().any(|message| *message == said("leave the folder alone")));
        let shown = contents(&transcript);
        assert_eq!(shown[1], all[1], "a short result stays whole");
        for (shown, whole) in [(&shown[0], 1_000), (&shown[2], 800)] {
            assert!(shown.starts_with("line 1 äöü\nline 2 äöü\n"), "{shown}");
            assert!(shown.ends_with(&format!("line {whole} äöü\n")), "{shown}");
            assert!(shown.contains("of this result are left out"));
        }
        let longest = shown.iter().map(String::len).max().unwrap();
        assert!(shown[0].len() > longest - 700 && shown[2].len() > longest - 700, "they share the room");
        assert_eq!(contents(&transcript), shown, "the same each time");
    }

    #[test]
    fn after_a_rejection_the_next_request_is_at_most_half_as_long() {
        let mut transcript = Transcript::new("goal", 100_000);
        for _ in 0..5 {
            transcript.push(1, result("some words\n".repeat(1_500)));
        }
        let mut length = transcript.sent_chars();
        while length > 6_000 {
            transcript.halve();
            let next = transcript.sent_chars();
            assert!(next <= length / 2 + 4, "{next} of {length}");
            length = next;
        }
    }

    #[test]
    fn what_the_provider_counts_beyond_the_conversation_takes_room_but_never_all_of_it() {
        let mut transcript = Transcript::new("goal", 10_000);
        assert_eq!(transcript.room_chars(), 32_000);
        transcript.measure(3_000);
        assert!((20_000..21_000).contains(&transcript.room_chars()));
        transcript.measure(1_000_000);
        assert_eq!(transcript.room_chars(), 8_000);
        transcript.measure(0);
        assert_eq!(transcript.room_chars(), 8_000, "a provider that says nothing changes nothing");
    }
}
