//! Small Python programs that act as the sidecar.

use deputy_planner::{LogSink, PlanError, Planner, ProgressSink, Sidecar, SidecarConfig};
use deputy_protocol::{BackendRef, Message, PlanReply, PlanRequest, UserMessage};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// The beginning of every program: reading, answering, greeting.
const PRELUDE: &str = r#"
import json, os, sys, time
def read():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)
def send(**message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()
def greet(protocol=1):
    request = read()
    assert request["method"] == "initialize", request
    send(id=request["id"], result={"protocol": protocol, "version": "0.1.0", "backends": ["offline"]})
    return request["params"]
def plan(request, summary="done"):
    send(id=request["id"], result={"plan": {"is_complete": True, "summary": summary}})
def serve(answer=plan):
    while True:
        request = read()
        if request["method"] == "lifecycle.shutdown":
            send(id=request["id"], result={})
            sys.exit(0)
        elif request["method"] == "health.ping":
            send(id=request["id"], result={})
        elif request["method"] != "$/cancel":
            answer(request)
"#;

/// A sidecar, its folder, and what it logged.
pub(crate) struct Played {
    pub(crate) sidecar: Sidecar,
    pub(crate) log: Arc<Mutex<Vec<String>>>,
    pub(crate) folder: TempDir,
}

/// Creates a sidecar, which starts on the first request.
pub(crate) fn played(program: &str) -> Played {
    played_with(program, |_| ())
}

pub(crate) fn played_with(program: &str, change: impl FnOnce(&mut SidecarConfig)) -> Played {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sidecar.py");
    let here = format!("HERE = {:?}\n", folder.path());
    std::fs::write(&path, format!("{PRELUDE}{here}{program}")).unwrap();
    let log = Arc::new(Mutex::new(Vec::new()));
    let sink: LogSink = {
        let log = log.clone();
        Arc::new(move |_, line: &str| log.lock().unwrap().push(line.to_owned()))
    };
    let mut config = SidecarConfig {
        argv: ["python3".into(), "-I".into(), path.into_os_string()].to_vec(),
        backends_dir: PathBuf::from("/nonexistent/backends"),
        keys: BTreeMap::new(),
        marks: String::new(),
        request_timeout: Duration::from_secs(60),
        log: Some(sink),
        redact: |text| text.into(),
    };
    change(&mut config);
    Played { sidecar: Sidecar::new(config), log, folder }
}

impl Played {
    pub(crate) async fn plan(&self, text: &str) -> Result<PlanReply, PlanError> {
        plan(&self.sidecar, text).await
    }

    pub(crate) fn logged(&self, part: &str) -> bool {
        self.log.lock().unwrap().iter().any(|line| line.contains(part))
    }

    /// Returns the process ids that the program wrote to files named `*.pid`.
    pub(crate) fn pids(&self) -> Vec<i32> {
        let files = std::fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        files
            .filter(|path| path.extension().is_some_and(|extension| extension == "pid"))
            // A file that is just being written is still empty.
            .filter_map(|path| std::fs::read_to_string(path).unwrap().trim().parse().ok())
            .collect()
    }
}

pub(crate) fn backend() -> BackendRef {
    BackendRef { name: "offline".to_owned(), settings: BTreeMap::new() }
}

pub(crate) fn request(text: &str) -> PlanRequest {
    let message = Message::User(UserMessage { text: text.to_owned() });
    PlanRequest {
        backend: backend(),
        system: String::new(),
        messages: vec![message].into(),
        tools: Default::default(),
        earlier: Default::default(),
        conversation: None,
    }
}

pub(crate) fn silent() -> ProgressSink {
    Arc::new(|_: &str| ())
}

pub(crate) async fn plan(sidecar: &Sidecar, text: &str) -> Result<PlanReply, PlanError> {
    sidecar.plan(request(text), silent(), CancellationToken::new()).await
}

pub(crate) fn summary(reply: Result<PlanReply, PlanError>) -> String {
    reply.unwrap().plan.summary.unwrap()
}

/// Returns whether the process exists and is not a zombie.
pub(crate) fn is_alive(pid: i32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.rsplit(") ").next().unwrap_or_default().starts_with('Z'))
}

/// Yields to the scheduler until `condition` is true. Fails after a minute.
pub(crate) async fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let patience = std::time::Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(std::time::Instant::now() < patience, "never came true: {what}");
        tokio::task::yield_now().await;
    }
}
