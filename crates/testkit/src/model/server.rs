//! The server: HTTP/1.1 on loopback, on a separate thread.

use super::arrivals::{Arrival, Arrivals, Moment};
use super::body::Pieces;
use super::dialect::{self, Frame, Saying, Wish};
use super::script::{Script, Turn};
use http_body_util::BodyExt;
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The options of the request log.
#[derive(Clone, Debug, Default)]
pub struct StartOptions {
    /// The log file, which gets a line of JSON per request.
    pub log: Option<PathBuf>,
    /// Whether the lines include the request bodies.
    pub log_bodies: bool,
}

/// A running server. It ends when dropped.
pub struct ScriptedModel {
    url: String,
    shared: Arc<Shared>,
    stop: CancellationToken,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    script: Script,
    arrivals: Arrivals,
}

impl ScriptedModel {
    /// Starts a server on a free port on loopback. It runs on a separate thread, so the clock of an asynchronous test
    /// may be paused.
    pub fn start(script: Script) -> io::Result<Self> {
        Self::start_with(script, StartOptions::default())
    }

    /// Like [`Self::start`], with a log.
    pub fn start_with(script: Script, options: StartOptions) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let url = format!("http://{}/v1", listener.local_addr()?);
        let arrivals = Arrivals::new(options.log.as_deref(), options.log_bodies)?;
        let shared = Arc::new(Shared { script, arrivals });
        let stop = CancellationToken::new();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = std::thread::spawn({
            let (shared, stop) = (shared.clone(), stop.clone());
            move || {
                runtime.block_on(stop.run_until_cancelled(serve(listener, shared)));
            }
        });
        Ok(Self { url, shared, stop, thread: Some(thread) })
    }

    /// Returns the base address, e.g. `http://127.0.0.1:40123/v1`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the name of the model.
    pub fn name(&self) -> &str {
        &self.shared.script.model
    }

    /// Returns the completion requests so far. They have no body during `steps`.
    pub fn requests(&self) -> Vec<Arrival> {
        self.shared.arrivals.all()
    }

    /// Blocks until `count` requests have arrived. Returns `false` if they do not arrive within a minute.
    pub fn wait_for_requests(&self, count: usize) -> bool {
        self.shared.arrivals.wait_for(count)
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
        return;
    };
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            continue;
        };
        // Measurements must not include the delays of Nagle's algorithm.
        let _ = stream.set_nodelay(true);
        let shared = shared.clone();
        tokio::spawn(async move {
            let service = service_fn(move |request| answer(shared.clone(), request));
            // A client that disconnects and a turn that closes the connection are errors here. Both are expected.
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

type Answer = Result<Response<Pieces>, io::Error>;

async fn answer(shared: Arc<Shared>, request: Request<Incoming>) -> Answer {
    let at = Moment::now();
    if let Some(key) = &shared.script.api_key {
        let sent = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        if sent != Some(&format!("Bearer {key}")) {
            let body = dialect::error(
                "invalid_request_error",
                Some("invalid_api_key"),
                "Incorrect API key provided",
            );
            return respond(StatusCode::UNAUTHORIZED, body);
        }
    }
    match (request.method(), request.uri().path()) {
        (&Method::POST, "/v1/chat/completions") => {
            let body = request.into_body().collect().await.map_err(io::Error::other)?.to_bytes();
            complete(&shared, at, &body).await
        }
        (&Method::GET, "/v1/models") => respond(StatusCode::OK, dialect::models(&shared.script.model)),
        (_, path) => {
            let message = format!("Unknown request URL: {path}");
            respond(StatusCode::NOT_FOUND, dialect::error("invalid_request_error", None, &message))
        }
    }
}

async fn complete(shared: &Shared, at: Moment, body: &Bytes) -> Answer {
    let Shared { script, arrivals } = shared;
    // The number is only known after the request is recorded, but what to record depends on it. Turns end before steps
    // begin, and a task sends one request at a time, so the count so far tells which it is.
    let is_turn = script.by_conversation || arrivals.count() < script.turns.len() || script.steps.is_none();
    let request: Option<Value> =
        if is_turn || arrivals.wants_bodies() { serde_json::from_slice(body).ok() } else { None };
    let wish = request.as_ref().map_or_else(|| Wish::scan(body), Wish::of);
    let refusal = match &request {
        Some(request) if is_turn => dialect::check(request, &script.model).err(),
        None if is_turn => Some("the body is not JSON".to_owned()),
        _ => None,
    };
    let answered = request.as_ref().filter(|_| script.by_conversation).map(answers_in);
    let turns = request.as_ref().and_then(|request| turns_of(script, request)).unwrap_or(&script.turns);
    let repeats = script.turns.iter().any(|turn| matches!(turn, Turn::Repeat(_)));
    let given = request.as_ref().filter(|_| repeats).map(users_words).unwrap_or_default();
    let n = arrivals.add(at, body, request)?;
    if let Some(why) = refusal {
        return respond(StatusCode::BAD_REQUEST, dialect::error("invalid_request_error", None, &why));
    }
    let frame = Frame { n, model: &script.model, request_bytes: body.len(), given, wish };
    let index = answered.unwrap_or_else(|| usize::try_from(n - 1).unwrap_or(usize::MAX));
    if let Some(turn) = turns.get(index) {
        return play(turn, &frame).await;
    }
    if let Some(steps) = &script.steps {
        let step = n - script.turns.len() as u64;
        let call = [steps.call(step)];
        let saying = if step <= steps.count {
            Saying { text: None, calls: &call, fragment: false }
        } else {
            Saying { text: Some(&steps.then), calls: &[], fragment: false }
        };
        return respond_in(&frame, Pieces::new(frame.answer(&saying)));
    }
    match script.turns.last().filter(|_| script.repeat_last) {
        Some(turn) => play(turn, &frame).await,
        None => {
            let why =
                format!("the script is over after {} turns, and this is request {n}", script.turns.len());
            respond(StatusCode::BAD_REQUEST, dialect::error("invalid_request_error", None, &why))
        }
    }
}

/// Returns the number of model answers in the conversation of a request.
fn answers_in(request: &Value) -> usize {
    let messages = request["messages"].as_array().map_or(&[][..], Vec::as_slice);
    messages.iter().filter(|message| message["role"] == "assistant").count()
}

/// Returns the turns of a request's conversation, if it has its own.
fn turns_of<'a>(script: &'a Script, request: &Value) -> Option<&'a Vec<Turn>> {
    let messages = request["messages"].as_array()?;
    let first = messages.iter().find(|message| message["role"] == "user")?["content"].as_str()?;
    script.turns_of.iter().find(|(text, _)| first.contains(text.as_str())).map(|(_, turns)| turns)
}

/// Returns the text of all user messages.
fn users_words(request: &Value) -> String {
    let messages = request["messages"].as_array().map_or(&[][..], Vec::as_slice);
    let users = messages.iter().filter(|message| message["role"] == "user");
    users.filter_map(|message| message["content"].as_str()).collect::<Vec<_>>().join("\n")
}

async fn play(turn: &Turn, frame: &Frame<'_>) -> Answer {
    let text = |text| Pieces::new(frame.answer(&Saying { text: Some(text), calls: &[], fragment: false }));
    match turn {
        Turn::Text(turn) => respond_in(frame, text(&turn.text)),
        Turn::Repeat(_) => respond_in(frame, text(&frame.given)),
        Turn::ToolCalls(turn) => {
            let saying = Saying { text: turn.text.as_deref(), calls: &turn.calls, fragment: turn.fragment };
            respond_in(frame, Pieces::new(frame.answer(&saying)))
        }
        Turn::Status(turn) => {
            let body = match &turn.body {
                Some(Value::String(body)) => body.clone().into(),
                Some(body) => body.to_string().into(),
                None => dialect::error("scripted_error", None, &format!("The script says {}", turn.code)),
            };
            let status = StatusCode::from_u16(turn.code).map_err(io::Error::other)?;
            let mut response = respond(status, body)?;
            if let Some(secs) = turn.retry_after {
                let value = secs.to_string().parse().map_err(io::Error::other)?;
                response.headers_mut().insert(RETRY_AFTER, value);
            }
            Ok(response)
        }
        Turn::Hang(_) => std::future::pending().await,
        Turn::Slow(turn) => {
            respond_in(frame, text(&turn.text).with_pause(Duration::from_millis(turn.ms_per_chunk)))
        }
        Turn::Cut(turn) => {
            let saying = Saying { text: Some(&turn.text), calls: &turn.calls, fragment: false };
            respond_in(frame, Pieces::new(frame.answer(&saying)).cut_after(turn.after_bytes))
        }
        Turn::Garbage(turn) => respond_in(frame, Pieces::new([garbage(turn.bytes)])),
        Turn::Huge(turn) => respond_in(frame, text(&counting(turn.bytes))),
        Turn::Close(_) => Err(io::Error::other("closed by the script")),
    }
}

/// Returns a text of this many bytes without repetitions, which would make a client stop early: `0 1 2 3 ...`.
fn counting(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 20);
    for number in 0.. {
        if text.len() >= bytes {
            break;
        }
        text += &format!("{number} ");
    }
    text.truncate(bytes);
    text
}

/// Returns meaningless bytes that are the same in every run, from a linear congruential generator with Knuth's
/// constants.
fn garbage(count: usize) -> Bytes {
    let mut state: u64 = 1;
    let byte = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    };
    std::iter::repeat_with(byte).take(count).collect()
}

/// Returns a success response, as an object or a stream as requested.
fn respond_in(frame: &Frame<'_>, body: Pieces) -> Answer {
    let kind = if frame.wish.stream { "text/event-stream; charset=utf-8" } else { "application/json" };
    Response::builder().header(CONTENT_TYPE, kind).body(body).map_err(io::Error::other)
}

fn respond(status: StatusCode, body: Bytes) -> Answer {
    Response::builder()
        .status(status)
        .header(CONTENT_TYPE, "application/json")
        .body(Pieces::new([body]))
        .map_err(io::Error::other)
}
