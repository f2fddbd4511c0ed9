//! Load for `make bench-mirror`: a host whose task produces events at a fixed rate, and many WebSocket clients.
//!
//! `mirror_load serve HOME RATE` prints its link, then reads commands from standard input: `run SECONDS` produces
//! events and prints how long each took to write, `fill COUNT` writes that many at once. `mirror_load crowd LINK
//! CLIENTS` connects, prints `ready`, and on `end` prints what the clients received. `mirror_load away LINK FROM`
//! resumes once.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a tool for measuring: what fails ends it")]

use deputy_agent::{Host, HostParts, config::Config, system_clock};
use deputy_protocol::*;
use deputy_server::{Mirror, WebServer, WebSettings};
use deputy_store::Store;
use deputy_testkit::ScriptedPlanner;
use deputy_tools::Registry;
use futures_util::{SinkExt, StreamExt};
use std::io::{BufRead, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::{Message, client::IntoClientRequest, protocol::WebSocketConfig};
use tokio_util::sync::CancellationToken;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["serve", home, rate] => runtime.block_on(serve(home.into(), rate.parse().unwrap())),
        ["crowd", link, clients] => runtime.block_on(crowd(link, clients.parse().unwrap())),
        ["away", link, from] => runtime.block_on(away(link, from.parse().unwrap())),
        _ => panic!("see the top of the file"),
    }
    runtime.shutdown_background();
}

async fn serve(home: PathBuf, rate: u32) {
    let store = Store::open(&home).unwrap();
    let host = Host::new(HostParts {
        user_home: home.join("user"),
        config: Config::load(&home).unwrap(),
        store: store.clone(),
        planner: Arc::new(ScriptedPlanner::new(Vec::<AgentPlan>::new())),
        embedder: Arc::new(deputy_planner::NoEmbedder),
        registry: Registry::standard(),
        clock: system_clock(),
        home: home.clone(),
    });
    let mirror = Mirror::of(host, &home).unwrap();
    let web = WebServer::bind("127.0.0.1:0".parse().unwrap(), WebSettings::default()).await.unwrap();
    mirror.page_is_at(web.address());
    tokio::spawn(web.serve(mirror.clone(), CancellationToken::new()));
    let task = TaskId::new("tbenchmark0");
    let spec = TaskSpec {
        id: task.clone(),
        session: SessionId::new("sbenchmark0"),
        goal: "make events".to_owned(),
        profile: "general".to_owned(),
        backend: "offline".to_owned(),
        model: None,
        workspace: home.display().to_string(),
        scope: Scope::default(),
        limits: Limits::default(),
        standing_consent: None,
        parent: None,
        terminal: None,
    };
    store
        .append(&task, now_ms(), vec![TaskEvent::Created(Created { spec, notice: None, named: Vec::new() })])
        .await
        .unwrap();
    say(&mirror.link().unwrap().url);
    let (sender, mut receiver) = tokio::sync::mpsc::channel(1);
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    while let Some(line) = receiver.recv().await {
        match line.split_once(' ') {
            Some(("run", seconds)) => {
                let count = rate * seconds.parse::<u32>().unwrap();
                // In a task of the host's runtime, as drivers do.
                let mut took = tokio::spawn(written(store.clone(), task.clone(), rate, count)).await.unwrap();
                took.sort_unstable();
                let mean = took.iter().sum::<u64>() / took.len() as u64;
                let (median, p99) = (took[took.len() / 2], took[took.len() * 99 / 100]);
                say(&format!("{{\"mean_us\":{mean},\"median_us\":{median},\"p99_us\":{p99}}}"));
            }
            Some(("fill", count)) => {
                let count: u32 = count.parse().unwrap();
                for first in (0..count).step_by(1_000) {
                    let events = (first..count.min(first + 1_000)).map(event).collect();
                    store.append(&task, now_ms(), events).await.unwrap();
                }
                say(&format!("{{\"last\":{}}}", store.last_seq().unwrap()));
            }
            _ if line == "link" => say(&mirror.link().unwrap().url),
            _ => return,
        }
    }
}

/// Writes events at a rate. Returns the duration of each write, in microseconds.
async fn written(store: Store, task: TaskId, rate: u32, count: u32) -> Vec<u64> {
    let mut tick = tokio::time::interval(Duration::from_secs(1) / rate);
    let mut took = Vec::new();
    for number in 0..count {
        tick.tick().await;
        let began = Instant::now();
        store.append(&task, now_ms(), vec![event(number)]).await.unwrap();
        took.push(began.elapsed().as_micros() as u64);
    }
    took
}

/// Returns a typical event of a task: a text of a few hundred bytes.
fn event(number: u32) -> TaskEvent {
    TaskEvent::Steered(Steered {
        text: format!("line {number} {}", "of a command's output ".repeat(20)),
        named: Vec::new(),
    })
}

fn now_ms() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    now.as_millis() as i64
}

fn say(line: &str) {
    println!("{line}");
    std::io::stdout().flush().unwrap();
}

/// Returns the address and a session for a link.
fn open(link: &str) -> (String, String) {
    let (base, token) = link.split_once("/#token=").unwrap();
    let address = base.strip_prefix("http://").unwrap();
    let body = format!("{{\"by\":\"link\",\"token\":\"{token}\"}}");
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    write!(
        stream,
        "POST /api/v1/session HTTP/1.1\r\nHost: {address}\r\nOrigin: {base}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let session: Session =
        serde_json::from_str(&answer[answer.find('{').unwrap()..=answer.rfind('}').unwrap()]).unwrap();
    (address.to_owned(), session.session)
}

type Socket = tokio_tungstenite::WebSocketStream<tokio::net::TcpStream>;

async fn join(address: &str, session: &str, resume_from: Option<u64>) -> Socket {
    let mut request = format!("ws://{address}/ws").into_client_request().unwrap();
    request.headers_mut().insert("origin", format!("http://{address}").parse().unwrap());
    let stream = tokio::net::TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    // The default buffer is 128 KiB and is zeroed for each read, which is a tenth of this side's work.
    let config = WebSocketConfig::default().read_buffer_size(16 * 1024);
    let opened = tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await;
    let (mut socket, _) = opened.unwrap();
    let proof = Some(Proof::Session(SessionProof { session: session.to_owned() }));
    let hello = ClientMessage::Hello(Hello {
        protocol: PROTOCOL_VERSION,
        resume_from,
        follow: true,
        brief: false,
        proof,
    });
    socket.send(Message::text(serde_json::to_string(&hello).unwrap())).await.unwrap();
    socket
}

async fn crowd(link: &str, clients: usize) {
    let (address, session) = open(link);
    // A histogram of the milliseconds from an event's time to its arrival. Index 1000 counts everything slower.
    let late: Arc<Vec<AtomicU64>> = Arc::new((0..=1_000).map(|_| AtomicU64::new(0)).collect());
    for _ in 0..clients {
        let mut socket = join(&address, &session, None).await;
        let late = late.clone();
        tokio::spawn(async move {
            while let Some(Ok(message)) = socket.next().await {
                let Message::Text(text) = message else { continue };
                // Parsing the whole message would measure this side's JSON parser.
                let Some(at) = text.find("\"at_ms\":") else { continue };
                let at: i64 = text[at + 8..].split(',').next().unwrap().parse().unwrap();
                let took = usize::try_from(now_ms() - at).unwrap_or(0).min(1_000);
                late[took].fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    say("ready");
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    let counts: Vec<u64> = late.iter().map(|count| count.load(Ordering::Relaxed)).collect();
    let all: u64 = counts.iter().sum();
    let at = |share: f64| {
        let mut left = (all as f64 * share) as u64;
        counts.iter().position(|count| {
            let is_here = left < *count;
            left = left.saturating_sub(*count);
            is_here
        })
    };
    let (median, p99, worst) = (at(0.5), at(0.99), counts.iter().rposition(|count| *count > 0));
    let shown = |ms: Option<usize>| ms.map_or_else(|| "null".to_owned(), |ms| ms.to_string());
    say(&format!(
        "{{\"messages\":{all},\"median_ms\":{},\"p99_ms\":{},\"worst_ms\":{}}}",
        shown(median),
        shown(p99),
        shown(worst)
    ));
}

async fn away(link: &str, from: u64) {
    let (address, session) = open(link);
    let began = Instant::now();
    let mut socket = join(&address, &session, Some(from)).await;
    let mut newest = None;
    let (mut got, mut last) = ("events", 0);
    while let Some(Ok(message)) = socket.next().await {
        let Message::Text(text) = message else { continue };
        match serde_json::from_str(&text).unwrap() {
            ServerMessage::Welcome(welcome) => newest = Some(welcome.seq),
            ServerMessage::Snapshot(snapshot) => (got, last) = ("snapshot", snapshot.snapshot.seq),
            ServerMessage::Event(event) => last = event.record.seq,
            _ => {}
        }
        if newest == Some(last) {
            break;
        }
    }
    let took = began.elapsed().as_micros();
    say(&format!("{{\"got\":\"{got}\",\"us\":{took}}}"));
}
