//! Tests of regular operation: plans, streams, parallel requests, cancellation, shutdown.

use crate::support::{backend, is_alive, plan, played, played_with, request, silent, summary, until};
use deputy_planner::{Embedder, Planner, ProgressSink};
use deputy_protocol::{CompleteRequest, EmbedRequest, PlanErrorCode};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

const ALL_METHODS: &str = r#"
greet()
def answer(request):
    method, params = request["method"], request["params"]
    if method == "inference.plan":
        send(method="progress", params={"id": request["id"], "text": "thin"})
        send(method="progress", params={"id": request["id"] + 1000, "text": "somebody else's"})
        send(method="progress", params={"id": request["id"], "text": "king"})
        plan(request, params["messages"][0]["text"])
    elif method == "inference.complete":
        send(id=request["id"], result={"text": params["prompt"].upper()})
    elif method == "inference.embed":
        send(id=request["id"], result={"model": "m", "dimension": 2, "vectors": "AAAAPwAAgD8AAAA/AACAPw=="})
    elif method == "model.list":
        send(id=request["id"], result={"models": [params["backend"]["name"]]})
serve(answer)
"#;

#[tokio::test]
async fn every_method_is_answered() {
    let played = played(ALL_METHODS);
    let hello = played.sidecar.warm().await.unwrap();
    assert_eq!((hello.version.as_str(), hello.backends.len()), ("0.1.0", 1));
    let text = Arc::new(Mutex::new(String::new()));
    let progress: ProgressSink = {
        let text = text.clone();
        Arc::new(move |piece: &str| text.lock().unwrap().push_str(piece))
    };
    let reply = played.sidecar.plan(request("hello"), progress, CancellationToken::new()).await;
    assert_eq!(summary(reply), "hello");
    assert_eq!(*text.lock().unwrap(), "thinking");
    let complete = CompleteRequest { backend: backend(), system: String::new(), prompt: "loud".to_owned() };
    assert_eq!(played.sidecar.complete(complete).await.unwrap().text, "LOUD");
    let embed = EmbedRequest { backend: backend(), texts: vec!["a".to_owned(), "b".to_owned()] };
    assert_eq!(played.sidecar.embed(embed).await.unwrap().vectors, [[0.5, 1.0], [0.5, 1.0]]);
    assert_eq!(played.sidecar.models(backend()).await.unwrap().models, ["offline"]);
    assert_eq!(played.sidecar.crashes_within(Duration::from_secs(60)), 0);
}

/// Answers the second request first.
const SWAPPED: &str = r#"
greet()
first, second = read(), read()
for request in (second, first):
    plan(request, request["params"]["messages"][0]["text"])
serve()
"#;

#[tokio::test]
async fn answers_find_their_requests_in_any_order() {
    let played = played(SWAPPED);
    let (one, two) = tokio::join!(played.plan("one"), played.plan("two"));
    assert_eq!((summary(one).as_str(), summary(two).as_str()), ("one", "two"));
}

/// Fills its output before it reads on: a client that only writes would wait forever.
const CHATTY: &str = r#"
greet()
def answer(request):
    for _ in range(64):
        send(method="progress", params={"id": request["id"], "text": "x" * 65536})
    plan(request, str(len(request["params"]["messages"][0]["text"])))
serve(answer)
"#;

#[tokio::test]
async fn long_transcripts_and_long_answers_pass_each_other() {
    let played = played(CHATTY);
    let text = "y".repeat(4 * 1024 * 1024);
    let (one, two) = tokio::join!(played.plan(&text), played.plan(&text));
    assert_eq!((summary(one), summary(two)), ("4194304".to_owned(), "4194304".to_owned()));
}

#[tokio::test]
async fn a_conversation_over_the_limit_is_refused_and_harms_nobody() {
    let played = played("greet()\nserve()");
    let error = played.plan(&"y".repeat(17 * 1024 * 1024)).await.unwrap_err();
    assert_eq!(error.code, PlanErrorCode::ContextOverflow);
    assert_eq!(summary(played.plan("short").await), "done");
}

/// Never answers a plan, and records the ids that it is asked to cancel.
const STUBBORN: &str = r#"
greet()
open(HERE + "/started.pid", "w").write(str(os.getpid()))
while True:
    request = read()
    if request["method"] == "$/cancel":
        sys.stderr.write("told to cancel %d\n" % request["params"]["id"])
        sys.stderr.flush()
    elif request["method"] == "inference.complete":
        send(id=request["id"], result={"text": "alive"})
    elif request["method"] == "health.ping":
        send(id=request["id"], result={})
    else:
        sys.stderr.write("got %d\n" % request["id"])
        sys.stderr.flush()
"#;

#[tokio::test]
async fn cancelling_needs_no_consent_and_the_sidecar_is_told() {
    let played = played(STUBBORN);
    played.sidecar.warm().await.unwrap();
    let cancel = CancellationToken::new();
    let (error, ()) = tokio::join!(played.sidecar.plan(request("x"), silent(), cancel.clone()), async {
        until("the request arrived", || played.logged("got")).await;
        cancel.cancel();
    });
    assert_eq!(error.unwrap_err().code, PlanErrorCode::Cancelled);
    until("the sidecar was told", || played.logged("told to cancel")).await;
    let complete = CompleteRequest { backend: backend(), system: String::new(), prompt: String::new() };
    assert_eq!(played.sidecar.complete(complete).await.unwrap().text, "alive");
    assert_eq!(played.sidecar.crashes_within(Duration::from_secs(60)), 0);
}

#[tokio::test]
async fn a_dropped_request_is_cancelled_too() {
    let played = played(STUBBORN);
    tokio::select! {
        _ = played.plan("x") => panic!("it never answers"),
        () = until("the request arrived", || played.logged("got")) => {}
    }
    until("the sidecar was told", || played.logged("told to cancel")).await;
}

#[tokio::test]
async fn a_request_that_times_out_fails_and_a_sidecar_that_still_pings_lives_on() {
    let played = played(STUBBORN);
    played.sidecar.warm().await.unwrap();
    tokio::time::pause();
    let error = played.plan("x").await.unwrap_err();
    tokio::time::resume();
    assert_eq!(error.code, PlanErrorCode::Network);
    assert!(error.message.contains("60 s"), "{}", error.message);
    until("the sidecar was told", || played.logged("told to cancel")).await;
    let complete = CompleteRequest { backend: backend(), system: String::new(), prompt: String::new() };
    assert_eq!(played.sidecar.complete(complete).await.unwrap().text, "alive");
}

/// Starts a child process that would outlive it.
const WITH_CHILD: &str = r#"
import subprocess
greet()
child = subprocess.Popen(["sleep", "1000"])
for pid in (os.getpid(), child.pid):
    open("%s/%d.pid" % (HERE, pid), "w").write(str(pid))
serve()
"#;

#[tokio::test]
async fn everything_ends_with_the_last_handle() {
    let played = played(WITH_CHILD);
    assert_eq!(summary(plan(&played.sidecar.clone(), "x").await), "done");
    let pids = played.pids();
    assert_eq!(pids.len(), 2);
    assert!(pids.iter().all(|pid| is_alive(*pid)));
    let folder = played.folder;
    drop(played.sidecar);
    until("both are gone", || !pids.iter().any(|pid| is_alive(*pid))).await;
    drop(folder);
}

#[tokio::test]
async fn shutting_down_lets_it_end_by_itself_and_takes_requests_back() {
    let played = played(
        r#"
greet()
def answer(request):
    sys.stderr.write("got %d\n" % request["id"])
    sys.stderr.flush()
try:
    serve(answer)
except SystemExit:
    open(HERE + "/goodbye", "w").write("")
"#,
    );
    let (reply, ()) = tokio::join!(played.plan("x"), async {
        until("the request arrived", || played.logged("got")).await;
        played.sidecar.shutdown().await;
    });
    assert_eq!(reply.unwrap_err().code, PlanErrorCode::Cancelled);
    assert!(played.folder.path().join("goodbye").exists());
    assert_eq!(played.plan("y").await.unwrap_err().code, PlanErrorCode::Cancelled);
    assert_eq!(played.sidecar.crashes_within(Duration::from_secs(60)), 0);
}

#[tokio::test]
async fn shutting_down_ends_one_that_will_not_go() {
    let played = played(
        r#"
greet()
open("%s/%d.pid" % (HERE, os.getpid()), "w").write(str(os.getpid()))
request = read()
plan(request)
while True: time.sleep(1000)
"#,
    );
    assert_eq!(summary(played.plan("x").await), "done");
    let pid = played.pids()[0];
    tokio::time::pause();
    played.sidecar.shutdown().await;
    tokio::time::resume();
    until("it is gone", || !is_alive(pid)).await;
}

#[tokio::test]
async fn a_program_that_is_not_there_is_named() {
    let played = played_with("", |config| config.argv = vec!["deputy-has-no-such-program".into()]);
    let error = played.sidecar.warm().await.unwrap_err();
    assert_eq!(error.code, PlanErrorCode::Sidecar);
    assert!(error.message.contains("deputy-has-no-such-program"), "{}", error.message);
    assert!(error.message.contains("deputy doctor"), "{}", error.message);
    let empty = played_with("", |config| config.argv.clear());
    assert_eq!(empty.sidecar.warm().await.unwrap_err().code, PlanErrorCode::Sidecar);
}
