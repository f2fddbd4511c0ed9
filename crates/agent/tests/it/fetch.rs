//! Tests of `fetch` through the whole loop with a server on loopback: what asks, what is sent, and what the planner
//! reads.

use crate::world::{World, allow_once, deny};
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, calls, done, page, site};
use serde_json::json;

fn fetch(url: &str) -> AgentPlan {
    calls([("fetch", json!({"url": url}))])
}

pub(crate) fn results(events: &[TaskEvent]) -> Vec<ToolResult> {
    let result = |event: &TaskEvent| match event {
        TaskEvent::ToolFinished(finished) => Some(finished.result.clone()),
        _ => None,
    };
    events.iter().filter_map(result).collect()
}

#[tokio::test]
async fn a_host_is_asked_for_and_a_redirect_to_another_origin_is_not_followed() {
    let (foreign, stolen) = site(|_| page("foreign")).unwrap();
    let (port, asked) = site(move |target| match target {
        "/away" => format!(
            "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:{foreign}/x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
        ),
        _ => page("<title>Pears</title><main><h1>Pears</h1><p>They are <b>green</b>.</p></main>"),
    })
    .unwrap();
    let url = format!("http://127.0.0.1:{port}");
    let planner =
        ScriptedPlanner::new([fetch(&format!("{url}/pears")), fetch(&format!("{url}/away")), done("ok")]);
    let mut world = World::new(planner).await;
    let task = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    for target in ["/pears", "/away"] {
        let request = world.requested().await;
        assert!(
            !asked.lock().unwrap().iter().any(|asked| asked == target),
            "nothing leaves before the answer"
        );
        assert_eq!(request.summary, format!("Fetch {url}{target}"));
        assert_eq!(request.risk, Risk::High, "a service of this machine that nobody has named");
        world.decide(&request, allow_once()).await.unwrap();
    }
    world.ended().await;
    let results = results(&world.events_of(&task));
    assert_eq!(results[0].status, CallStatus::Ok, "{results:#?}");
    assert!(results[0].content.ends_with("# Pears\n\nThey are **green**."), "{}", results[0].content);
    assert_eq!(results[1].status, CallStatus::Failed);
    assert!(results[1].content.contains("this address is not allowed yet"), "{}", results[1].content);
    assert_eq!(*asked.lock().unwrap(), ["/pears", "/away"]);
    assert!(stolen.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_no_and_an_address_that_is_refused_send_nothing() {
    let (port, asked) = site(|_| page("x")).unwrap();
    let url = format!("http://127.0.0.1:{port}/");
    let hidden = format!("http://user:secret@127.0.0.1:{port}/");
    let planner = ScriptedPlanner::new([fetch(&url), fetch(&hidden), done("ok")]);
    let mut world = World::new(planner).await;
    let task = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let request = world.requested().await;
    world.decide(&request, deny("no")).await.unwrap();
    world.ended().await;
    let results = results(&world.events_of(&task));
    assert!(results.iter().all(|result| result.status == CallStatus::Denied), "{results:#?}");
    assert_eq!(results.len(), 2);
    assert!(asked.lock().unwrap().is_empty());
}
