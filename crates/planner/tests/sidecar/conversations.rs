//! Tests of conversations that the sidecar holds: a plan is only used if it is for what the core sent, whatever the
//! sidecar forgets, mixes up or invents.

use crate::support::{Played, backend, played, request, silent, until};
use deputy_planner::{PlanError, Planner};
use deputy_protocol::{Message, PlanErrorCode, PlanRequest, ToolSpec, UserMessage};
use std::collections::BTreeMap;
use tokio_util::sync::CancellationToken;

/// Keeps conversations according to the protocol. A plan reports how it was requested, the number of messages, and
/// their texts.
const KEEPING: &str = r#"
import hashlib
held = {}
def text(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
def mark(state):
    inner = ",".join(text(message) for message in state["messages"]).encode()
    head = "".join(text(state[part]) + "\n" for part in ("system", "tools", "earlier")).encode()
    return {"bytes": len(inner), "sha256": hashlib.sha256(head + inner).hexdigest()}
def refuse(request):
    send(id=request["id"], error={"code": -32001, "message": "not held", "data": {"code": "internal"}})
def state_of(request):
    sent = request["params"]
    if request["method"] == "inference.plan":
        state = {part: sent[part] for part in ("system", "tools", "earlier", "messages")}
    else:
        state = held.get(sent["conversation"])
        if state is None or mark(state) != sent["base"]:
            return None
        state = {**state, "messages": state["messages"] + sent["messages"]}
    if sent["conversation"] is not None:
        held[sent["conversation"]] = state
    return state
def told(request, state):
    about = "|".join(message["text"][:20] for message in state["messages"])
    return "%s %d: %s" % (request["method"][10:], len(request["params"]["messages"]), about)
def keep(request, change=lambda kept: kept):
    state = state_of(request)
    if state is None:
        return refuse(request)
    kept = mark(state) if request["params"]["conversation"] is not None else None
    plan = {"is_complete": True, "summary": told(request, state)}
    send(id=request["id"], result={"plan": plan, "kept": change(kept)})
def last(request):
    return request["params"]["messages"][-1]["text"] if request["params"]["messages"] else ""
greet()
"#;

fn keeping(program: &str) -> Played {
    played(&format!("{KEEPING}{program}"))
}

/// Returns a conversation of these texts with a name.
fn talk(name: &str, texts: &[&str]) -> PlanRequest {
    let message = |text: &&str| Message::User(UserMessage { text: (*text).to_owned() });
    PlanRequest {
        messages: texts.iter().map(message).collect(),
        conversation: Some(name.to_owned()),
        ..request("")
    }
}

async fn plan(played: &Played, request: PlanRequest) -> Result<String, PlanError> {
    let reply = played.sidecar.plan(request, silent(), CancellationToken::new()).await?;
    Ok(reply.plan.summary.unwrap())
}

async fn said(played: &Played, name: &str, texts: &[&str]) -> String {
    plan(played, talk(name, texts)).await.unwrap()
}

#[tokio::test]
async fn what_is_new_is_all_that_is_sent() {
    let played = keeping("serve(keep)");
    assert_eq!(said(&played, "t1", &["a"]).await, "plan 1: a");
    assert_eq!(said(&played, "t1", &["a", "b", "c"]).await, "plan_more 2: a|b|c");
    assert_eq!(said(&played, "t1", &["a", "b", "c", "ä\"\n"]).await, "plan_more 1: a|b|c|ä\"\n");
    assert_eq!(
        said(&played, "t1", &["a", "b", "c", "ä\"\n"]).await,
        "plan_more 0: a|b|c|ä\"\n",
        "asked again"
    );
    assert_eq!(said(&played, "t2", &["a", "b"]).await, "plan 2: a|b", "another one with the same beginning");
}

#[tokio::test]
async fn another_past_or_other_rules_tools_and_tasks_before_it_are_sent_whole() {
    let played = keeping("serve(keep)");
    said(&played, "t1", &["a", "b", "c"]).await;
    assert_eq!(said(&played, "t1", &["a", "summary", "c"]).await, "plan 3: a|summary|c");
    assert_eq!(said(&played, "t1", &["a", "summary"]).await, "plan 2: a|summary", "it lost its end");
    assert_eq!(said(&played, "t1", &[]).await, "plan 0: ");
    said(&played, "t1", &["a"]).await;
    let with_system = PlanRequest { system: "Be brief.".into(), ..talk("t1", &["a", "b"]) };
    assert_eq!(plan(&played, with_system.clone()).await.unwrap(), "plan 2: a|b");
    let tool =
        ToolSpec { name: "search".into(), description: String::new(), parameters: serde_json::json!({}) };
    let with_tool = PlanRequest { tools: vec![tool].into(), ..with_system };
    assert_eq!(plan(&played, with_tool.clone()).await.unwrap(), "plan 2: a|b");
    assert_eq!(plan(&played, with_tool).await.unwrap(), "plan_more 0: a|b");
}

#[tokio::test]
async fn the_backend_may_change_between_two_plans() {
    let played = keeping("serve(keep)");
    said(&played, "t1", &["a"]).await;
    let mut other = talk("t1", &["a", "b"]);
    other.backend = deputy_protocol::BackendRef { name: "gemini".into(), settings: BTreeMap::new() };
    assert_ne!(other.backend, backend());
    assert_eq!(plan(&played, other).await.unwrap(), "plan_more 1: a|b");
}

#[tokio::test]
async fn what_has_no_name_or_is_very_long_is_not_kept() {
    let played = keeping("serve(keep)");
    for texts in [&["a"][..], &["a", "b"]] {
        let nameless = PlanRequest { conversation: None, ..talk("", texts) };
        assert!(plan(&played, nameless).await.unwrap().starts_with("plan "));
    }
    let long = "x".repeat(5_000_000);
    said(&played, "t1", &["a"]).await;
    for _ in 0..2 {
        assert_eq!(said(&played, "t1", &["a", &long]).await, format!("plan 2: a|{}", &long[..20]));
    }
    assert_eq!(said(&played, "t1", &["a"]).await, "plan 1: a");
}

#[tokio::test]
async fn only_the_newest_conversations_are_kept() {
    let played = keeping("serve(keep)");
    let names: Vec<String> = (0..9).map(|n| format!("t{n}")).collect();
    for name in &names {
        said(&played, name, &["a"]).await;
    }
    assert_eq!(said(&played, "t0", &["a", "b"]).await, "plan 2: a|b");
    assert_eq!(said(&played, "t8", &["a", "b"]).await, "plan_more 1: a|b");
}

#[tokio::test]
async fn one_that_forgot_died_or_was_replaced_is_sent_the_whole_conversation() {
    let played = keeping(
        r#"
def answer(request):
    if last(request) == "forget":
        held.clear()
    if last(request) == "die" and held:
        os._exit(1)
    keep(request)
serve(answer)
"#,
    );
    said(&played, "t1", &["a"]).await;
    assert_eq!(said(&played, "t1", &["a", "forget"]).await, "plan 2: a|forget");
    assert_eq!(said(&played, "t1", &["a", "forget", "b"]).await, "plan_more 1: a|forget|b");
    let died = plan(&played, talk("t1", &["a", "forget", "b", "die"])).await.unwrap_err();
    assert_eq!(died.code, PlanErrorCode::Sidecar);
    assert_eq!(said(&played, "t1", &["a", "forget", "b", "die"]).await, "plan 4: a|forget|b|die");
    assert_eq!(said(&played, "t1", &["a", "forget", "b", "die", "c"]).await, "plan_more 1: a|forget|b|die|c");
    played.sidecar.take_keys(BTreeMap::new());
    let replaced = said(&played, "t1", &["a", "forget", "b", "die", "c", "d"]).await;
    assert_eq!(replaced, "plan 6: a|forget|b|die|c|d");
}

#[tokio::test]
async fn one_that_never_holds_anything_is_sent_everything_once_for_each_plan() {
    let played = keeping(
        r#"
asked = 0
def answer(request):
    global asked
    asked += 1
    if request["method"] == "inference.plan_more":
        return refuse(request)
    keep(request, lambda kept: {**kept, "asked": asked})
    sys.stderr.write("asked %d\n" % asked)
serve(answer)
"#,
    );
    assert_eq!(said(&played, "t1", &["a"]).await, "plan 1: a");
    assert_eq!(said(&played, "t1", &["a", "b"]).await, "plan 2: a|b");
    until("it was asked three times", || played.logged("asked 3")).await;
    assert!(!played.logged("asked 4"));
}

/// False values of `kept` for a conversation of which only the rest was sent.
const LIES: [&str; 8] = [
    "None",
    "{**kept, 'bytes': kept['bytes'] + 1}",
    "{**kept, 'bytes': 0}",
    "{**kept, 'sha256': '0' * 64}",
    "{**kept, 'sha256': ''}",
    "{**kept, 'sha256': kept['sha256'].upper()}",
    "first",
    "mark({'system': '', 'tools': [], 'earlier': [], 'messages': []})",
];

#[tokio::test]
async fn a_plan_for_another_conversation_is_asked_for_again_with_the_whole_one() {
    for lie in LIES {
        let played = keeping(&format!(
            r#"
first = None
def lie(kept):
    global first
    first = first or kept
    return {lie}
def answer(request):
    if request["method"] == "inference.plan_more":
        keep(request, lie)
    else:
        keep(request, lambda kept: lie(kept) and kept)
serve(answer)
"#
        ));
        if lie == "None" {
            // This sidecar keeps nothing, not even what it was sent completely.
            said(&played, "t1", &["a"]).await;
            assert_eq!(said(&played, "t1", &["a", "b"]).await, "plan 2: a|b");
            continue;
        }
        assert_eq!(said(&played, "t1", &["a"]).await, "plan 1: a", "{lie}");
        assert_eq!(said(&played, "t1", &["a", "b"]).await, "plan 2: a|b", "{lie}");
    }
}

#[tokio::test]
async fn a_plan_for_another_conversation_than_the_whole_one_is_not_used() {
    for lie in &LIES[1..] {
        let played = keeping(&format!(
            r#"
first = {{"bytes": 7, "sha256": "f" * 64}}
def answer(request):
    keep(request, lambda kept: {lie})
serve(answer)
"#
        ));
        let error = plan(&played, talk("t1", &["a"])).await.unwrap_err();
        assert_eq!(error.code, PlanErrorCode::BadResponse, "{lie}");
    }
}

/// Values of `kept` that are not a valid mark.
#[tokio::test]
async fn a_place_that_is_none_makes_the_answer_unusable() {
    for nonsense in ["7", "[]", "'x'", "{}", "{'bytes': -1, 'sha256': ''}", "{'bytes': 1.5, 'sha256': ''}"] {
        let played = keeping(&format!("serve(lambda request: keep(request, lambda kept: {nonsense}))"));
        let error = plan(&played, talk("t1", &["a"])).await.unwrap_err();
        assert_eq!(error.code, PlanErrorCode::BadResponse, "{nonsense}");
    }
}

#[tokio::test]
async fn a_refusal_of_the_whole_conversation_is_a_failure_and_not_asked_again() {
    let played = keeping("serve(refuse)");
    let error = plan(&played, talk("t1", &["a"])).await.unwrap_err();
    assert_eq!(error.code, PlanErrorCode::Internal);
}

#[tokio::test]
async fn a_plan_that_failed_is_asked_for_again_from_the_same_place() {
    let played = keeping(
        r#"
failed = False
def answer(request):
    global failed
    if last(request) == "b" and not failed:
        failed = True
        # It was added here, and the provider is down.
        before = dict(held)
        state_of(request)
        held.update(before)
        return send(id=request["id"], error={"code": -32000, "message": "down", "data": {"code": "network"}})
    keep(request)
serve(answer)
"#,
    );
    said(&played, "t1", &["a"]).await;
    let error = plan(&played, talk("t1", &["a", "b"])).await.unwrap_err();
    assert_eq!(error.code, PlanErrorCode::Network);
    assert_eq!(said(&played, "t1", &["a", "b"]).await, "plan_more 1: a|b");
}

#[tokio::test]
async fn a_plan_that_was_taken_back_leaves_no_trace() {
    let played = keeping(
        r#"
def answer(request):
    if last(request) == "never":
        state_of(request)
        sys.stderr.write("it waits\n")
        sys.stderr.flush()
        return
    keep(request)
serve(answer)
"#,
    );
    said(&played, "t1", &["a"]).await;
    let cancel = CancellationToken::new();
    let asked = played.sidecar.plan(talk("t1", &["a", "never"]), silent(), cancel.clone());
    let (answer, ()) = tokio::join!(asked, async {
        until("it was asked", || played.logged("it waits")).await;
        cancel.cancel();
    });
    assert_eq!(answer.unwrap_err().code, PlanErrorCode::Cancelled);
    assert_eq!(said(&played, "t1", &["a", "else"]).await, "plan 2: a|else", "it holds more than it answered");
}

#[tokio::test]
async fn conversations_that_are_planned_at_the_same_time_are_never_mixed() {
    let played = keeping("serve(keep)");
    let tasks = (0..6).map(|n| {
        let played = &played;
        async move {
            let name = format!("t{n}");
            let texts: Vec<String> = (0..40).map(|step| format!("{name}-{step}")).collect();
            for step in 1..=texts.len() {
                let told: Vec<&str> = texts[..step].iter().map(String::as_str).collect();
                let answer = said(played, &name, &told).await;
                assert!(answer.ends_with(&format!(": {}", told.join("|"))), "{answer}");
            }
        }
    });
    futures_of(tasks.collect()).await;
}

/// Waits for all futures at once.
async fn futures_of<F: Future<Output = ()>>(all: Vec<F>) {
    let mut all: Vec<_> = all.into_iter().map(Box::pin).collect();
    std::future::poll_fn(|cx| {
        all.retain_mut(|one| one.as_mut().poll(cx).is_pending());
        if all.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
}
