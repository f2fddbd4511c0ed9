//! The API dialect: checks requests as strictly as the real provider, and formats answers in its format.

use super::script::ScriptedCall;
use hyper::body::Bytes;
use serde_json::{Value, json};

/// The number of characters of text in a piece of a stream.
const TEXT_PIECE: usize = 16;
/// The number of characters of arguments in a piece, if they are streamed. It is small enough to split names and
/// numbers.
const ARGUMENT_PIECE: usize = 5;
/// The length from which a text is streamed in larger pieces, because the frames would be much larger than the text.
const LONG_TEXT: usize = 64 * 1024;

/// The answer format that a request asks for.
#[derive(Clone, Copy)]
pub(crate) struct Wish {
    pub(crate) stream: bool,
    pub(crate) usage: bool,
}

impl Wish {
    pub(crate) fn of(request: &Value) -> Self {
        Self { stream: request["stream"] == true, usage: request["stream_options"]["include_usage"] == true }
    }

    /// Scans the raw bytes. Quotes inside a JSON string would be escaped, so a match is a key.
    pub(crate) fn scan(body: &[u8]) -> Self {
        let text = std::str::from_utf8(body).unwrap_or_default();
        let is_set = |compact: &str, spaced: &str| text.contains(compact) || text.contains(spaced);
        Self {
            stream: is_set("\"stream\":true", "\"stream\": true"),
            usage: is_set("\"include_usage\":true", "\"include_usage\": true"),
        }
    }
}

/// The content of an answer.
pub(crate) struct Saying<'a> {
    pub(crate) text: Option<&'a str>,
    pub(crate) calls: &'a [ScriptedCall],
    pub(crate) fragment: bool,
}

/// The frame of an answer.
pub(crate) struct Frame<'a> {
    pub(crate) n: u64,
    pub(crate) model: &'a str,
    pub(crate) request_bytes: usize,
    /// The text of the request's user messages, for turns that repeat it.
    pub(crate) given: String,
    pub(crate) wish: Wish,
}

impl Frame<'_> {
    /// Returns the body of the answer in pieces: a single piece for an object, one per event for a stream.
    pub(crate) fn answer(&self, saying: &Saying<'_>) -> Vec<Bytes> {
        if self.wish.stream { self.events(saying) } else { vec![self.object(saying)] }
    }

    fn object(&self, saying: &Saying<'_>) -> Bytes {
        let mut message = json!({"role": "assistant", "content": saying.text, "refusal": null});
        if !saying.calls.is_empty() {
            let call = |(index, call)| self.call(index, call, arguments(call));
            message["tool_calls"] = saying.calls.iter().enumerate().map(call).collect();
        }
        let choice =
            json!({"index": 0, "message": message, "logprobs": null, "finish_reason": finish_reason(saying)});
        let mut object = self.envelope("chat.completion");
        object["choices"] = json!([choice]);
        object["usage"] = self.usage(saying);
        object.to_string().into()
    }

    fn events(&self, saying: &Saying<'_>) -> Vec<Bytes> {
        let mut events = vec![self.event(&json!({"role": "assistant", "content": ""}), None)];
        let text = saying.text.unwrap_or_default();
        let piece_chars = if text.len() > LONG_TEXT { LONG_TEXT / 4 } else { TEXT_PIECE };
        events.extend(pieces(text, piece_chars).map(|piece| self.event(&json!({"content": piece}), None)));
        for (index, call) in saying.calls.iter().enumerate() {
            let arguments = arguments(call);
            let (first, rest) =
                if saying.fragment { (String::new(), arguments.as_str()) } else { (arguments.clone(), "") };
            let mut head = self.call(index, call, first);
            head["index"] = json!(index);
            events.push(self.event(&json!({"tool_calls": [head]}), None));
            events.extend(pieces(rest, ARGUMENT_PIECE).map(|piece| {
                self.event(&json!({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}), None)
            }));
        }
        events.push(self.event(&json!({}), Some(finish_reason(saying))));
        if self.wish.usage {
            let mut last = self.envelope("chat.completion.chunk");
            last["choices"] = json!([]);
            last["usage"] = self.usage(saying);
            events.push(server_sent(&last.to_string()));
        }
        events.push(server_sent("[DONE]"));
        events
    }

    fn event(&self, delta: &Value, finish_reason: Option<&str>) -> Bytes {
        let mut chunk = self.envelope("chat.completion.chunk");
        chunk["choices"] =
            json!([{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish_reason}]);
        if self.wish.usage {
            chunk["usage"] = Value::Null;
        }
        server_sent(&chunk.to_string())
    }

    fn envelope(&self, object: &str) -> Value {
        // A fixed time, so that answers are the same in every run.
        json!({"id": format!("chatcmpl-{}", self.n), "object": object, "created": 1_780_000_000, "model": self.model})
    }

    fn call(&self, index: usize, call: &ScriptedCall, arguments: String) -> Value {
        json!({"id": format!("call_{}_{}", self.n, index + 1), "type": "function",
               "function": {"name": call.name, "arguments": arguments}})
    }

    /// Estimates usage as four bytes per token, a common rule of thumb.
    fn usage(&self, saying: &Saying<'_>) -> Value {
        let said: usize = saying.calls.iter().map(|call| arguments(call).len()).sum();
        let (prompt, completion) =
            (self.request_bytes.div_ceil(4), (said + saying.text.map_or(0, str::len)).div_ceil(4));
        json!({"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion})
    }
}

fn finish_reason(saying: &Saying<'_>) -> &'static str {
    if saying.calls.is_empty() { "stop" } else { "tool_calls" }
}

fn arguments(call: &ScriptedCall) -> String {
    match &call.arguments {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

fn server_sent(data: &str) -> Bytes {
    format!("data: {data}\n\n").into()
}

fn pieces(text: &str, chars: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.char_indices().nth(chars).map_or(rest.len(), |(index, _)| index);
        let (piece, after) = rest.split_at(end);
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Returns the body of an error.
pub(crate) fn error(kind: &str, code: Option<&str>, message: &str) -> Bytes {
    json!({"error": {"message": message, "type": kind, "param": null, "code": code}}).to_string().into()
}

/// Returns the list of models.
pub(crate) fn models(model: &str) -> Bytes {
    json!({"object": "list", "data": [{"id": model, "object": "model", "created": 0, "owned_by": "scripted"}]})
        .to_string()
        .into()
}

/// Rejects what the real provider rejects, especially tool results without a call and calls without a result.
pub(crate) fn check(request: &Value, model: &str) -> Result<(), String> {
    if request["model"] != model {
        return Err(format!("the model {} does not exist", request["model"]));
    }
    let messages = request["messages"].as_array().ok_or("'messages' is not an array")?;
    if messages.is_empty() {
        return Err("'messages' is empty".to_owned());
    }
    let mut unanswered: Vec<&str> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let role = message["role"].as_str().unwrap_or_default();
        if role == "tool" {
            let id = message["tool_call_id"].as_str().unwrap_or_default();
            let place = unanswered.iter().position(|open| *open == id);
            unanswered.remove(place.ok_or_else(|| format!("messages[{index}] answers no call ('{id}')"))?);
            continue;
        }
        if let Some(id) = unanswered.first() {
            return Err(format!("messages[{index}] comes before the result of call '{id}'"));
        }
        match role {
            "system" | "developer" | "user" if !message["content"].is_null() => {}
            "assistant" => {
                unanswered = call_ids(message).map_err(|why| format!("messages[{index}]: {why}"))?
            }
            _ => return Err(format!("messages[{index}] has no known role or no content")),
        }
    }
    if let Some(id) = unanswered.first() {
        return Err(format!("call '{id}' has no result"));
    }
    for tool in request["tools"].as_array().into_iter().flatten() {
        let function = &tool["function"];
        if tool["type"] != "function"
            || !function["name"].is_string()
            || function["parameters"]["type"] != "object"
        {
            return Err(format!("a tool is not a function with an object of parameters: {tool}"));
        }
    }
    Ok(())
}

fn call_ids(message: &Value) -> Result<Vec<&str>, &'static str> {
    let calls = message["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
    if calls.is_empty() && message["content"].is_null() {
        return Err("an assistant message without content or calls");
    }
    let id = |call: &'_ Value| {
        let is_call = call["type"] == "function"
            && call["function"]["name"].is_string()
            && call["function"]["arguments"].is_string();
        is_call.then_some(())
    };
    calls
        .iter()
        .map(|call| id(call).and(call["id"].as_str()).ok_or("a call without id, name or arguments as text"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_found_in_raw_bytes_and_not_in_strings() {
        let scan = |text: &str| {
            let wish = Wish::scan(text.as_bytes());
            (wish.stream, wish.usage)
        };
        assert_eq!(scan(r#"{"stream":true,"stream_options":{"include_usage":true}}"#), (true, true));
        assert_eq!(scan(r#"{"stream": true}"#), (true, false));
        let quoting = json!({"messages": [{"content": "{\"stream\":true}"}], "stream": false}).to_string();
        assert_eq!(scan(&quoting), (false, false));
    }

    #[test]
    fn conversations_that_the_provider_refuses_are_refused() {
        let call = json!({"role": "assistant", "content": null, "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "shell", "arguments": "{}"}}]});
        let result = json!({"role": "tool", "tool_call_id": "c1", "content": "out"});
        let user = json!({"role": "user", "content": "hi"});
        let ask = |messages: &[&Value]| check(&json!({"model": "m", "messages": messages}), "m");
        assert_eq!(ask(&[&user, &call, &result, &user]), Ok(()));
        for (messages, why) in [
            (&[][..], "empty"),
            (&[&user, &result][..], "answers no call"),
            (&[&user, &call][..], "no result"),
            (&[&user, &call, &user, &result][..], "before the result"),
            (&[&user, &call, &result, &result][..], "answers no call"),
            (&[&json!({"role": "robot", "content": "x"})][..], "no known role"),
            (&[&json!({"role": "assistant"})][..], "without content"),
        ] {
            let refusal = ask(messages).unwrap_err();
            assert!(refusal.contains(why), "{refusal}");
        }
        assert!(check(&json!({"model": "other", "messages": [user]}), "m").is_err());
    }

    #[test]
    fn texts_are_cut_at_characters() {
        assert_eq!(pieces("äöü", 2).collect::<Vec<_>>(), ["äö", "ü"]);
        assert_eq!(pieces("", 2).count(), 0);
    }
}
