//! The frames: JSON-RPC 2.0, one object for each line.

use crate::PlanError;
use crate::redact::Redactor;
use deputy_messages::planner as say;
use deputy_protocol::{LogParams, Phrase, PlanErrorCode, PlanErrorData, ProgressParams};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The maximum length of a line in either direction, in bytes. It fits a transcript of millions of tokens; a longer
/// line is an error.
pub(crate) const MAX_LINE_BYTES: usize = 16 * 1024 * 1024;
/// The code of the error that refuses `inference.plan_more`.
const NOT_HELD: i64 = -32001;
/// The maximum length of an error message, in bytes.
const MESSAGE_BYTES: usize = 2_000;
/// The longest wait that an error may request, in seconds.
const MAX_RETRY_AFTER_SECS: f64 = 366.0 * 24.0 * 3600.0;

#[derive(Serialize)]
struct Frame<'a, P> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    method: &'a str,
    params: &'a P,
}

/// Returns a frame as bytes: a request or, without an id, a notification.
pub(crate) fn frame<P: Serialize>(id: Option<u64>, method: &str, params: &P) -> Result<Vec<u8>, PlanError> {
    let mut line = serde_json::to_vec(&Frame { jsonrpc: "2.0", id, method, params })
        .map_err(|error| PlanError::new(PlanErrorCode::Internal, say::request_not_json(error, method)))?;
    line.push(b'\n');
    if line.len() > MAX_LINE_BYTES {
        return Err(PlanError::new(
            PlanErrorCode::ContextOverflow,
            say::request_too_long(line.len(), method, MAX_LINE_BYTES),
        ));
    }
    Ok(line)
}

/// A line of the sidecar, classified.
pub(crate) enum Incoming {
    /// The answer to the request with this id, a result or an error.
    Answer(u64),
    Progress(ProgressParams),
    Log(LogParams),
    /// Not part of the protocol: stray output, or a misbehaving sidecar.
    Noise,
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(default)]
    id: Option<u64>,
    #[serde(default)]
    method: Option<String>,
    #[serde(default, borrow)]
    params: Option<&'a RawValue>,
}

/// Parses as much of a line as is needed to route it.
pub(crate) fn read(line: &[u8]) -> Incoming {
    // Without this check an array would be accepted as an object, with its items as the fields.
    let head = line.trim_ascii_start().starts_with(b"{").then(|| serde_json::from_slice::<Head<'_>>(line));
    let Some(Ok(head)) = head else {
        return Incoming::Noise;
    };
    let known = match (head.id, head.method.as_deref(), head.params) {
        (Some(id), None, None) => Some(Incoming::Answer(id)),
        (None, Some("progress"), Some(params)) => {
            serde_json::from_str(params.get()).ok().map(Incoming::Progress)
        }
        (None, Some("log"), Some(params)) => serde_json::from_str(params.get()).ok().map(Incoming::Log),
        _ => None,
    };
    known.unwrap_or(Incoming::Noise)
}

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(default, borrow)]
    result: Option<&'a RawValue>,
    #[serde(default)]
    error: Option<RpcError>,
}

#[derive(Deserialize)]
struct RpcError {
    #[serde(default)]
    code: i64,
    #[serde(default)]
    message: String,
    #[serde(default)]
    data: Option<serde_json::Value>,
}

/// Returns the result of an answer, or its error.
pub(crate) fn result<R: DeserializeOwned>(line: &[u8], redactor: &Redactor) -> Result<R, PlanError> {
    let answer: Answer<'_> = serde_json::from_slice(line).map_err(|error| bad_answer(&error, redactor))?;
    match (answer.result, answer.error) {
        (Some(result), None) => {
            serde_json::from_str(result.get()).map_err(|error| bad_answer(&error, redactor))
        }
        (None, Some(error)) => Err(plan_error(error, redactor)),
        _ => Err(PlanError::bad_answer("it holds neither just a result nor just an error")),
    }
}

/// Returns whether an answer says that the sidecar does not hold the conversation that a request extends.
pub(crate) fn is_not_held(line: &[u8]) -> bool {
    let answer: Option<Answer<'_>> = serde_json::from_slice(line).ok();
    answer.and_then(|answer| answer.error).is_some_and(|error| error.code == NOT_HELD)
}

/// The messages of serde quote the invalid input.
fn bad_answer(error: &serde_json::Error, redactor: &Redactor) -> PlanError {
    PlanError::bad_answer(redactor.line(&error.to_string(), MESSAGE_BYTES))
}

fn plan_error(error: RpcError, redactor: &Redactor) -> PlanError {
    let data = error.data.and_then(|data| serde_json::from_value::<PlanErrorData>(data).ok());
    let code = match data.as_ref().map_or(PlanErrorCode::Internal, |data| data.code) {
        // Only the core knows that it cancelled a request or that the sidecar died.
        PlanErrorCode::Cancelled | PlanErrorCode::Sidecar => PlanErrorCode::Internal,
        code => code,
    };
    let message = match redactor.line(&error.message, MESSAGE_BYTES) {
        message if message.trim().is_empty() => say::failed_without_reason(),
        message => match data.as_ref().and_then(|data| data.said.clone()) {
            Some(said) => said.with_texts(|text| redactor.line(text, MESSAGE_BYTES)),
            None => Phrase::from(message),
        },
    };
    let usage = data.as_ref().and_then(|data| data.usage);
    // A wait that is not a finite number of seconds would panic when it is converted to a duration.
    let retry_after_secs = data
        .and_then(|data| data.retry_after_secs)
        .filter(|secs| secs.is_finite())
        .map(|secs| secs.clamp(0.0, MAX_RETRY_AFTER_SECS));
    PlanError { code, message, retry_after_secs, usage }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_protocol::InitializeResult;

    fn redactor() -> Redactor {
        Redactor::new(&["sk-0123456789".to_owned()], |text| text.into())
    }

    #[test]
    fn frames_are_one_line_each() {
        let line = frame(Some(7), "health.ping", &serde_json::json!({"text": "a\nb"})).unwrap();
        assert_eq!(
            String::from_utf8(line).unwrap(),
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"health.ping\",\"params\":{\"text\":\"a\\nb\"}}\n"
        );
    }

    #[test]
    fn a_message_of_the_sidecars_keeps_its_arguments_without_secrets_and_other_words_are_bare() {
        let error = |data: &str| {
            let line = format!(r#"{{"id":1,"error":{{"message":"asked sk-0123456789","data":{data}}}}}"#);
            result::<InitializeResult>(line.as_bytes(), &redactor()).unwrap_err().message
        };
        let own = error(r#"{"code":"network"}"#);
        assert_eq!((own.id(), own.as_str()), (None, "asked [redacted]"));
        let said = r#"{"id":"sidecar-x","args":{"why":"sk-0123456789"},"text":"asked sk-0123456789"}"#;
        let said = error(&format!(r#"{{"code":"network","said":{said}}}"#));
        assert_eq!((said.id(), said.as_str()), (Some("sidecar-x"), "asked [redacted]"));
        assert_eq!(serde_json::to_value(said).unwrap()["args"]["why"], "[redacted]");
    }

    #[test]
    fn a_request_over_the_limit_is_refused_before_it_is_sent() {
        let error = frame(Some(1), "inference.plan", &"x".repeat(MAX_LINE_BYTES)).unwrap_err();
        assert_eq!(error.code, PlanErrorCode::ContextOverflow);
    }

    #[test]
    fn only_lines_of_the_protocol_are_more_than_noise() {
        let is_noise = |line: &str| matches!(read(line.as_bytes()), Incoming::Noise);
        assert!(matches!(read(br#"{"id":3,"result":{}}"#), Incoming::Answer(3)));
        assert!(matches!(
            read(br#"{"method":"progress","params":{"id":1,"text":"x"}}"#),
            Incoming::Progress(_)
        ));
        assert!(matches!(
            read(br#"{"method":"log","params":{"level":"info","message":"x"}}"#),
            Incoming::Log(_)
        ));
        for line in [
            "",
            "hello",
            "[]",
            "[3]",
            "null",
            "{}",
            r#"{"id":"3","result":{}}"#,
            r#"{"id":-1,"result":{}}"#,
            r#"{"id":1.0,"result":{}}"#,
            r#"{"id":18446744073709551616,"result":{}}"#,
            r#"{"id":1,"id":2,"result":{}}"#,
            r#"{"id":1,"method":"tool.run","params":{}}"#,
            r#"{"method":"tool.run","params":{}}"#,
            r#"{"method":"progress","params":{"id":"1","text":"x"}}"#,
            r#"{"method":"log","params":{"level":"shout","message":"x"}}"#,
            "{\"id\":1,\"result\":\"\u{0}\"}",
        ] {
            assert!(is_noise(line), "{line}");
        }
        assert!(matches!(read(b"\xff\xfe"), Incoming::Noise));
        assert!(is_noise(&"[".repeat(100_000)));
    }

    #[test]
    fn errors_keep_their_code_and_lose_what_harms() {
        let read = |line: &str| result::<InitializeResult>(line.as_bytes(), &redactor()).unwrap_err();
        let limited = read(
            r#"{"id":1,"error":{"code":-32000,"message":"slow down, sk-0123456789","data":{"code":"rate_limited","retry_after_secs":2.5}}}"#,
        );
        assert_eq!(limited.code, PlanErrorCode::RateLimited);
        assert_eq!(limited.retry_after_secs, Some(2.5));
        assert_eq!(limited.message.as_str(), "slow down, [redacted]");
        for (secs, kept) in [("-5", 0.0), ("1e300", MAX_RETRY_AFTER_SECS)] {
            let line = format!(
                r#"{{"id":1,"error":{{"message":"m","data":{{"code":"network","retry_after_secs":{secs}}}}}}}"#
            );
            assert_eq!(read(&line).retry_after_secs, Some(kept));
        }
        for code in ["cancelled", "sidecar", "no_such_code"] {
            let line = format!(r#"{{"id":1,"error":{{"message":"","data":{{"code":"{code}"}}}}}}"#);
            assert_eq!(read(&line).code, PlanErrorCode::Internal, "{code}");
            assert!(!read(&line).message.is_empty());
        }
    }

    #[test]
    fn answers_that_are_no_answers_are_bad_responses() {
        for line in [
            r#"{"id":1}"#,
            r#"{"id":1,"result":null}"#,
            r#"{"id":1,"result":{},"error":{"message":"m"}}"#,
            r#"{"id":1,"result":{"protocol":"1"}}"#,
            r#"{"id":1,"result":{"protocol":"sk-0123456789"}}"#,
            r#"{"id":1,"error":7}"#,
        ] {
            let error = result::<InitializeResult>(line.as_bytes(), &redactor()).unwrap_err();
            assert_eq!(error.code, PlanErrorCode::BadResponse, "{line}");
            assert!(!error.message.contains("sk-0123456789"), "{}", error.message);
        }
    }

    /// Tests answers with bytes changed, duplicated and dropped at random.
    #[test]
    fn mangled_answers_never_panic() {
        const GOOD: &[u8] = br#"{"jsonrpc":"2.0","id":1,"result":{"plan":{"reasoning":"r","tool_calls":[{"id":"a","tool":"t","parameters":{"n":[1,2.5e3,null]}}],"is_complete":false},"usage":{"input_tokens":1}}}"#;
        const SEED: u64 = 20_261_121;
        println!("seed {SEED}");
        let mut state = SEED;
        // A linear congruential generator with Knuth's constants.
        let mut below = |bound: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % bound
        };
        let mut good = 0;
        for _ in 0..100_000 {
            let mut line = GOOD.to_vec();
            for _ in 0..below(4) {
                let place = below(line.len());
                match below(3) {
                    0 => line[place] = b"{}[]\":,0-e.\\\xff"[below(13)],
                    1 => drop(line.remove(place)),
                    _ => line.insert(place, line[place]),
                }
            }
            if let Incoming::Answer(_) = read(&line) {
                good += usize::from(result::<deputy_protocol::PlanReply>(&line, &redactor()).is_ok());
            }
        }
        assert!((20_000..100_000).contains(&good), "{good}");
    }
}
