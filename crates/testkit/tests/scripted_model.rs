//! The scripted model over plain HTTP: details that client packages hide, the binary, and the steps.

// Test helpers may unwrap like the tests themselves: a panic here is a failed test.
#![allow(clippy::unwrap_used)]

use deputy_testkit::JsonLines;
use deputy_testkit::model::{
    Arrival, CloseTurn, GarbageTurn, HangTurn, HugeTurn, Script, ScriptedModel, SlowTurn, Turn,
};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A keep-alive connection.
struct Client {
    stream: BufReader<TcpStream>,
}

struct Reply {
    status: u16,
    body: Vec<u8>,
}

impl Client {
    fn to(url: &str) -> Self {
        let address = url.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/v1")).unwrap();
        Self { stream: BufReader::new(TcpStream::connect(address).unwrap()) }
    }

    fn send(&mut self, body: &str) {
        let head =
            "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
        let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
        self.stream.get_mut().write_all(request.as_bytes()).unwrap();
    }

    /// Reads the status and body of an answer. `None` if the connection is closed first.
    fn receive(&mut self) -> Option<Reply> {
        let mut line = String::new();
        self.stream.read_line(&mut line).ok().filter(|count| *count > 0)?;
        let status = line.split(' ').nth(1)?.parse().ok()?;
        let mut length = 0;
        let mut chunked = false;
        loop {
            line.clear();
            self.stream.read_line(&mut line).ok()?;
            let lower = line.trim_end().to_lowercase();
            if lower.is_empty() {
                break;
            }
            chunked |= lower == "transfer-encoding: chunked";
            if let Some(value) = lower.strip_prefix("content-length: ") {
                length = value.parse().ok()?;
            }
        }
        assert!(!chunked, "these answers are of known length");
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).ok()?;
        Some(Reply { status, body })
    }

    fn ask(&mut self, body: &Value) -> Reply {
        self.send(&body.to_string());
        self.receive().unwrap()
    }
}

fn question() -> Value {
    json!({"model": "scripted", "messages": [{"role": "user", "content": "hi"}]})
}

fn message(reply: &Reply) -> Value {
    assert_eq!(reply.status, 200);
    serde_json::from_slice::<Value>(&reply.body).unwrap()["choices"][0]["message"].take()
}

#[test]
fn steps_repeat_the_call_then_end_over_one_connection() {
    let model =
        ScriptedModel::start(Script::steps("shell", json!({"command": "echo step"}), 3, "done")).unwrap();
    let mut client = Client::to(model.url());
    for n in 1..=3 {
        let message = message(&client.ask(&question()));
        assert_eq!(message["tool_calls"][0]["function"]["arguments"], r#"{"command":"echo step"}"#);
        assert_eq!(message["tool_calls"][0]["id"], format!("call_{n}_1"));
    }
    for _ in 0..2 {
        assert_eq!(message(&client.ask(&question()))["content"], "done");
    }
    // Requests of steps are counted and not parsed, so even these bytes count as a step.
    client.send("not json");
    assert_eq!(message(&client.receive().unwrap())["content"], "done");
    let requests = model.requests();
    assert_eq!(requests.len(), 6);
    assert!(requests.iter().all(|request| request.body.is_none()));
    assert_eq!(requests[5].bytes, 8);
}

#[test]
fn steps_stream_when_asked_to() {
    let model = ScriptedModel::start(Script::steps("shell", json!({}), 1, "done")).unwrap();
    let mut client = Client::to(model.url());
    let mut request = question();
    request["stream"] = json!(true);
    let body = String::from_utf8(client.ask(&request).body).unwrap();
    assert!(body.starts_with("data: {") && body.ends_with("data: [DONE]\n\n"), "{body}");
    assert!(body.contains("\"name\":\"shell\""), "{body}");
}

#[test]
fn odd_turns_are_played_as_written() {
    let slow = SlowTurn { ms_per_chunk: 1, text: "slowly".to_owned() };
    let turns = [
        Turn::status(503),
        Turn::Garbage(GarbageTurn { bytes: 1_000 }),
        Turn::Huge(HugeTurn { bytes: 3_000_000 }),
        Turn::Slow(slow),
        Turn::Close(CloseTurn {}),
    ];
    let model = ScriptedModel::start(Script { repeat_last: true, ..Script::turns(turns) }).unwrap();
    let mut client = Client::to(model.url());
    assert_eq!(client.ask(&question()).status, 503);
    let garbage = client.ask(&question());
    assert_eq!((garbage.status, garbage.body.len()), (200, 1_000));
    assert!(serde_json::from_slice::<Value>(&garbage.body).is_err());
    assert_eq!(message(&client.ask(&question()))["content"].as_str().map(str::len), Some(3_000_000));
    assert_eq!(message(&client.ask(&question()))["content"], "slowly");
    for _ in 0..2 {
        let mut client = Client::to(model.url());
        client.send(&question().to_string());
        assert!(client.receive().is_none());
    }
}

#[test]
fn a_hanging_turn_holds_the_request_and_lets_the_next_one_through() {
    let model = ScriptedModel::start(Script::turns([Turn::Hang(HangTurn {}), Turn::text("next")])).unwrap();
    let mut hanging = Client::to(model.url());
    hanging.send(&question().to_string());
    assert!(model.wait_for_requests(1));
    assert_eq!(message(&Client::to(model.url()).ask(&question()))["content"], "next");
    hanging.stream.get_ref().set_nonblocking(true).unwrap();
    let waits = hanging.stream.read(&mut [0; 1]).unwrap_err();
    assert_eq!(waits.kind(), std::io::ErrorKind::WouldBlock);
}

#[test]
fn the_binary_serves_a_file_logs_arrivals_and_ends_with_its_stdin() {
    let folder = tempfile::tempdir().unwrap();
    let (script, log) = (folder.path().join("script.json"), folder.path().join("log.jsonl"));
    let text = r#"{"turns": [{"type": "text", "text": "hello"}],
                   "steps": {"tool": "shell", "arguments": {"command": "true"}, "count": 1, "then": "bye"}}"#;
    std::fs::write(&script, text).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_scripted-model"))
        .arg("--script")
        .arg(&script)
        .arg("--log")
        .arg(&log)
        .arg("--log-bodies")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut url = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let mut client = Client::to(url.trim_end());
    let before = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
    assert_eq!(message(&client.ask(&question()))["content"], "hello");
    assert_eq!(message(&client.ask(&question()))["tool_calls"][0]["function"]["name"], "shell");
    assert_eq!(message(&client.ask(&question()))["content"], "bye");
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());

    let log = BufReader::new(std::fs::File::open(log).unwrap());
    let arrivals: Vec<Arrival> = JsonLines::new(log).rest().unwrap();
    assert_eq!(arrivals.iter().map(|arrival| arrival.n).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(arrivals.iter().all(|arrival| arrival.body == Some(question())));
    assert!(arrivals.windows(2).all(|pair| pair[0].at_ns < pair[1].at_ns));
    assert!(Duration::from_nanos(arrivals[0].at_unix_ns) >= before);
}

#[test]
fn the_binary_names_what_is_wrong_with_its_arguments() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script.json");
    std::fs::write(&script, r#"{"turns": [{"type": "txet"}]}"#).unwrap();
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_scripted-model")).args(arguments).output().unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(run(&[]).contains("usage"));
    assert!(run(&["--script"]).contains("usage"));
    assert!(run(&["--script", "/nonexistent.json"]).contains("/nonexistent.json"));
    assert!(run(&["--script", script.to_str().unwrap()]).contains("txet"));
}
