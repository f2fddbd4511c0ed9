//! Tests of a misbehaving sidecar: noise, wrong ids, endless lines, invalid answers. It must not gain anything.

use crate::support::{played, request, silent, summary};
use deputy_planner::Planner;
use deputy_protocol::PlanErrorCode;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn stray_output_is_left_out_and_said_once() {
    let played = played(
        r#"
print("Loading model... 100%", flush=True)
greet()
def answer(request):
    print("some library's progress bar", flush=True)
    print("", flush=True)
    plan(request)
serve(answer)
"#,
    );
    for _ in 0..3 {
        assert_eq!(summary(played.plan("x").await), "done");
    }
    let hints = played.log.lock().unwrap().iter().filter(|line| line.contains("standard output")).count();
    assert_eq!(hints, 1);
    assert_eq!(played.sidecar.crashes_within(MINUTE), 0);
}

/// The same bytes in every run; the seed is in the program.
const FUZZ: &str = r#"
import random
greet()
random.seed(20261121)
SHAPES = [
    lambda: random.randbytes(random.randrange(200)).replace(b"\n", b" "),
    lambda: json.dumps({"id": random.choice([0, -1, 2**64, "3", None, 1.5, [], random.randrange(10**6)]),
                        "result": random.choice([None, 1, [], {}, {"plan": 1}])}).encode(),
    lambda: json.dumps({"method": random.choice(["progress", "log", "tool.run", "$/cancel", 7]),
                        "params": random.choice([None, [], {"id": 2, "text": 5}, {"level": "info"}])}).encode(),
    lambda: b"[" * random.randrange(300),
    lambda: b'{"id":' * random.randrange(200),
    lambda: json.dumps({"id": random.randrange(10**9), "method": "initialize", "params": {}}).encode(),
]
def answer(request):
    mine = request["id"]
    for _ in range(100000):
        line = random.choice(SHAPES)()
        if b'"id": %d,' % mine not in line:
            sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()
    plan(request, "survived")
serve(answer)
"#;

#[tokio::test]
async fn a_hundred_thousand_random_lines_change_nothing() {
    let played = played(FUZZ);
    assert_eq!(summary(played.plan("x").await), "survived");
    assert_eq!(played.sidecar.crashes_within(MINUTE), 0);
}

#[tokio::test]
async fn a_second_answer_and_an_answer_in_advance_are_left_out() {
    let played = played(
        r#"
greet()
def answer(request):
    for ahead in range(1, 50):
        send(id=request["id"] + ahead, result={"plan": {"is_complete": True, "summary": "forged"}})
    plan(request, "first")
    plan(request, "second")
serve(answer)
"#,
    );
    for _ in 0..3 {
        assert_eq!(summary(played.plan("x").await), "first");
    }
}

#[tokio::test]
async fn answers_that_do_not_fit_are_bad_responses() {
    let played = played(
        r#"
greet()
RESULTS = iter([
    '"result": null', '"result": 5', '"result": {"plan": {"tool_calls": [{"id": 1}]}}', '"result": {"usage": {}}',
    '"result": {"plan": {}}, "error": {"message": "both"}', '"error": 5',
])
def answer(request):
    sys.stdout.write('{"id": %d, %s}\n' % (request["id"], next(RESULTS)))
    sys.stdout.flush()
serve(answer)
"#,
    );
    for _ in 0..6 {
        assert_eq!(played.plan("x").await.unwrap_err().code, PlanErrorCode::BadResponse);
    }
    assert_eq!(played.sidecar.crashes_within(MINUTE), 0);
}

#[tokio::test]
async fn it_cannot_say_that_the_user_cancelled() {
    let played = played(
        r#"
greet()
serve(lambda request: send(id=request["id"], error={"code": 1, "message": "no", "data": {"code": "cancelled"}}))
"#,
    );
    assert_eq!(played.plan("x").await.unwrap_err().code, PlanErrorCode::Internal);
}

/// Returns the memory that this process uses, in bytes.
fn resident_bytes() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

#[tokio::test]
async fn an_endless_line_ends_the_process_and_not_the_memory() {
    let before = resident_bytes();
    let played = played(
        r#"
greet()
read()
while True:
    sys.stdout.buffer.write(b"x" * 1048576)
"#,
    );
    let error = played.plan("x").await.unwrap_err();
    assert_eq!(error.code, PlanErrorCode::Sidecar);
    assert!(error.message.contains("16777216"), "{}", error.message);
    let grown = resident_bytes().saturating_sub(before);
    assert!(grown < 200 * 1024 * 1024, "grew by {grown} bytes");
}

#[tokio::test]
async fn endless_output_that_nobody_wants_ends_the_process() {
    let kinds = [
        r#"b"x" * 1048575"#,
        r#"json.dumps({"method": "progress", "params": {"id": 999, "text": "x" * 1048576}}).encode()"#,
        r#"json.dumps({"method": "progress", "params": {"id": mine, "text": "x" * 1048576}}).encode()"#,
        r#"json.dumps({"method": "log", "params": {"level": "debug", "message": "x" * 65536}}).encode()"#,
        r#"json.dumps({"id": 999, "result": "x" * 1048576}).encode()"#,
    ];
    for kind in kinds {
        let flood = format!("line = {kind} + b'\\n'\nwhile True: sys.stdout.buffer.write(line)");
        let played = played(&format!("greet()\nmine = read()['id']\n{flood}"));
        let error = played.plan("x").await.unwrap_err();
        assert_eq!(error.code, PlanErrorCode::Sidecar);
        assert!(error.message.contains("stray output"), "{}", error.message);
    }
}

#[tokio::test]
async fn endless_stderr_does_not_stop_an_answer() {
    let played = played(
        r#"
greet()
def answer(request):
    sys.stderr.write("e" * 5000000)
    for _ in range(20000):
        sys.stderr.write("\nw")
    sys.stderr.flush()
    plan(request)
serve(answer)
"#,
    );
    assert_eq!(summary(played.plan("x").await), "done");
    let log = played.log.lock().unwrap();
    assert!(log.len() <= 600, "{} lines", log.len());
    assert!(log.iter().all(|line| line.len() < 3_000));
}

#[tokio::test]
async fn requests_that_are_never_read_do_not_pile_up() {
    let played = played("greet()\nwhile True: time.sleep(1000)");
    played.sidecar.warm().await.unwrap();
    let text = "y".repeat(4 * 1024 * 1024);
    let before = resident_bytes();
    for _ in 0..30 {
        let cancel = CancellationToken::new();
        let (reply, ()) =
            tokio::join!(played.sidecar.plan(request(&text), silent(), cancel.clone()), async {
                tokio::task::yield_now().await;
                cancel.cancel();
            });
        assert_eq!(reply.unwrap_err().code, PlanErrorCode::Cancelled);
    }
    let grown = resident_bytes().saturating_sub(before);
    assert!(grown < 80 * 1024 * 1024, "grew by {grown} bytes");
    assert_eq!(played.sidecar.crashes_within(MINUTE), 0);
}
