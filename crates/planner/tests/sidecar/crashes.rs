//! Tests of a sidecar that dies during a request, dies at every start, hangs, or is of another version.

use crate::support::{is_alive, plan, played, played_with, summary, until};
use deputy_protocol::PlanErrorCode;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);

/// Dies on the text `die`, after it has read a second request.
const MORTAL: &str = r#"
greet()
def answer(request):
    if request["params"]["messages"][0]["text"] == "die":
        sys.stderr.write("Traceback: it was the heart\n")
        os._exit(7)
    if request["params"]["messages"][0]["text"] != "wait":
        plan(request)
serve(answer)
"#;

#[tokio::test]
async fn a_crash_fails_everything_in_flight_and_says_why_and_the_next_request_starts_it_again() {
    let played = played(MORTAL);
    let (one, two) = tokio::join!(played.plan("wait"), played.plan("die"));
    for error in [one.unwrap_err(), two.unwrap_err()] {
        assert_eq!(error.code, PlanErrorCode::Sidecar);
        assert!(error.message.contains("exit status: 7"), "{}", error.message);
        assert!(error.message.contains("it was the heart"), "{}", error.message);
    }
    assert_eq!(played.sidecar.crashes_within(MINUTE), 1);
    assert_eq!(summary(played.plan("live").await), "done");
    assert_eq!(played.sidecar.crashes_within(MINUTE), 1);
}

#[tokio::test]
async fn the_last_answer_before_a_death_still_counts() {
    let played = played("greet()\nplan(read(), 'last')\nos._exit(1)");
    assert_eq!(summary(played.plan("x").await), "last");
    until("the crash is counted", || played.sidecar.crashes_within(MINUTE) == 1).await;
}

#[tokio::test]
async fn a_killed_one_is_told_from_one_that_exits() {
    let played = played("greet()\nread()\nos.kill(os.getpid(), 9)");
    let error = played.plan("x").await.unwrap_err();
    assert!(error.message.contains("SIGKILL"), "{}", error.message);
}

#[tokio::test]
async fn a_crash_loop_is_counted_and_each_crash_says_why() {
    let played = played("sys.stderr.write('no module\\n')\nsys.exit(1)");
    for crashes in 1..=4 {
        let error = played.sidecar.warm().await.unwrap_err();
        assert_eq!(error.code, PlanErrorCode::Sidecar);
        assert!(error.message.contains("no module"), "{}", error.message);
        assert_eq!(played.sidecar.crashes_within(MINUTE), crashes);
    }
}

#[tokio::test(start_paused = true)]
async fn starts_that_fail_are_tried_after_longer_and_longer_pauses() {
    let played = played_with("", |config| config.argv = vec!["/nonexistent/python".into()]);
    let mut pauses = Vec::new();
    for _ in 0..8 {
        let before = tokio::time::Instant::now();
        played.sidecar.warm().await.unwrap_err();
        pauses.push(before.elapsed().as_millis());
    }
    // The paused clock only advances during the pauses. It counts whole milliseconds, rounded up.
    let pauses: Vec<u128> = pauses.into_iter().map(|pause| pause / 100 * 100).collect();
    assert_eq!(pauses, [0, 200, 400, 800, 1600, 3200, 6400, 10_000]);
}

/// Stops reading and answering once it has started.
const HANGING: &str = r#"
greet()
open("%s/%d.pid" % (HERE, os.getpid()), "w").write(str(os.getpid()))
while True:
    time.sleep(1000)
"#;

#[tokio::test]
async fn one_that_hangs_is_ended_once_it_does_not_even_answer_a_ping() {
    let played = played(HANGING);
    played.sidecar.warm().await.unwrap();
    until("it wrote its id", || played.pids().len() == 1).await;
    let pid = played.pids()[0];
    // From here on nothing real is awaited, so timeouts expire immediately.
    tokio::time::pause();
    let error = played.plan("x").await.unwrap_err();
    assert_eq!(error.code, PlanErrorCode::Network);
    let error = played.plan(&"x".repeat(1024 * 1024)).await.unwrap_err();
    assert!(matches!(error.code, PlanErrorCode::Network | PlanErrorCode::Sidecar), "{error:?}");
    tokio::time::resume();
    until("the crash is counted", || played.sidecar.crashes_within(MINUTE) >= 1).await;
    until("it is gone", || !is_alive(pid)).await;
    assert!(played.logged("did not answer a ping"));
}

#[tokio::test]
async fn one_that_never_greets_is_given_up() {
    let played = played("while True: time.sleep(1000)");
    tokio::time::pause();
    let error = played.sidecar.warm().await.unwrap_err();
    assert_eq!(error.code, PlanErrorCode::Sidecar);
    assert!(error.message.contains("did not start up"), "{}", error.message);
}

#[tokio::test]
async fn another_version_of_the_protocol_is_refused() {
    let played = played("greet(protocol=2)\nserve()");
    for error in [played.sidecar.warm().await.unwrap_err(), plan(&played.sidecar, "x").await.unwrap_err()] {
        assert_eq!(error.code, PlanErrorCode::Sidecar);
        assert!(error.message.contains("uses version 2"), "{}", error.message);
    }
}

#[tokio::test]
async fn its_own_refusal_to_start_is_passed_on() {
    let played = played(
        r#"
request = read()
send(id=request["id"], error={"code": -32000, "message": "I speak version 9", "data": {"code": "bad_settings"}})
serve()
"#,
    );
    let error = played.sidecar.warm().await.unwrap_err();
    assert_eq!(error.code, PlanErrorCode::Sidecar);
    assert!(error.message.contains("I speak version 9"), "{}", error.message);
}

#[tokio::test]
async fn one_that_closes_its_output_and_lives_is_replaced() {
    let played = played(
        r#"
greet()
open("%s/%d.pid" % (HERE, os.getpid()), "w").write(str(os.getpid()))
read()
os.close(1)
while True: time.sleep(1000)
"#,
    );
    let error = played.plan("x").await.unwrap_err();
    assert!(error.message.contains("closed its output"), "{}", error.message);
    let pids = played.pids();
    until("it is gone", || !pids.iter().any(|pid| is_alive(*pid))).await;
}
