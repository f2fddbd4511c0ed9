//! `browser` through the whole loop, with a real Chromium and a site on loopback: what asks, what runs, and what ends with the task.

use crate::fetch::{page, results, site};
use crate::world::{World, allow_once};
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, calls, done};
use serde_json::{Value, json};

fn browser(call: Value) -> AgentPlan {
    calls([("browser", call)])
}

const FORM: &str = "<title>Pears</title><h1>Pears</h1><form action=/order><input aria-label=Name name=name>\
    <input type=password aria-label=Secret name=secret><button>Order</button></form>\
    <form action=http://127.0.0.1:9/collect><input name=what value=mine><button>Away</button></form>";

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_asked_for_once_and_what_gives_something_away_each_time() {
    let (port, asked) = site(|_| page(FORM));
    let url = format!("http://127.0.0.1:{port}");
    let planner = ScriptedPlanner::new([
        browser(json!({"action": "navigate", "url": format!("{url}/pears?ripe=yes")})),
        browser(json!({"action": "fill", "ref": "e1", "text": "Ada"})),
        browser(json!({"action": "fill", "ref": "e2", "text": "open sesame"})),
        browser(json!({"action": "click", "ref": "e5"})),
        browser(json!({"action": "click", "ref": "e3"})),
        browser(json!({"action": "evaluate", "script": "1 + 1"})),
        browser(json!({"action": "navigate", "url": format!("{url}/again")})),
        browser(json!({"action": "extract_text"})),
        done("ok"),
    ]);
    let mut world = World::new(planner).await;
    let task = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let mut shown = Vec::new();
    for _ in 0..5 {
        let request = world.requested().await;
        shown.push((request.summary.to_string(), request.details.parts[0].text.clone()));
        let only_once = request.offered.iter().all(|offer| matches!(offer.lifetime, Lifetime::Once(_)));
        assert!(only_once && request.risk == Risk::High, "{request:#?}");
        world.decide(&request, allow_once()).await.unwrap();
    }
    world.ended().await;
    let on = |what: &str| format!("{what} on {url}");
    assert_eq!(
        shown,
        [
            (format!("Open {url}/pears?ripe=yes in the browser"), url.clone()),
            (format!("Fill {}", on("textbox \"Secret\"")), on("textbox \"Secret\"") + ": open sesame"),
            (
                format!("Click {}, which sends a form to http://127.0.0.1:9", on("button \"Away\"")),
                on("button \"Away\"") + " sends to http://127.0.0.1:9: what=mine"
            ),
            (format!("Run a script on {url}: 1 + 1"), format!("{url}: 1 + 1")),
            // The page that is asked for a second time is open to the browser already, and is asked for all the same.
            (format!("Open {url}/again in the browser"), url.clone()),
        ]
    );
    let results = results(&world.events_of(&task));
    let contents: Vec<&str> = results.iter().map(|result| result.content.as_str()).collect();
    assert!(results.iter().all(|result| result.status == CallStatus::Ok), "{contents:#?}");
    assert!(
        contents[0].contains("# Pears\ntextbox \"Name\" e1\ntextbox \"Secret\" e2\nbutton \"Order\" e3"),
        "{}",
        contents[0]
    );
    assert!(contents[1].contains("+ textbox \"Name\" e1 = \"Ada\""), "{}", contents[1]);
    // A yes to the form is none to the address it goes to.
    assert!(
        contents[3].contains("Not loaded, as nobody has allowed it: http://127.0.0.1:9"),
        "{}",
        contents[3]
    );
    assert!(contents[4].contains("/order?name=Ada&secret=[redacted by Deputy]"), "{}", contents[4]);
    assert!(contents[5].starts_with("It came to: 2\n"), "{}", contents[5]);
    assert!(contents[7].contains("# Pears"), "{}", contents[7]);
    assert!(asked.lock().unwrap().iter().any(|target| target.starts_with("/order?name=Ada")), "{asked:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn hosts_that_a_page_needs_are_asked_for_together() {
    let (other, loaded) = site(|_| page("x"));
    let (third, also) = site(|_| page("x"));
    let (port, _) = site(move |_| {
        page(&format!("<img src='http://127.0.0.1:{other}/a'><img src='http://127.0.0.1:{third}/b'>"))
    });
    let origin = |port: u16| format!("http://127.0.0.1:{port}");
    let planner = ScriptedPlanner::new([
        browser(json!({"action": "navigate", "url": origin(port)})),
        browser(json!({"action": "allow", "origins": [origin(other), origin(third)]})),
        done("ok"),
    ]);
    let mut world = World::new(planner).await;
    let task = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let request = world.requested().await;
    world.decide(&request, allow_once()).await.unwrap();
    let request = world.requested().await;
    assert_eq!(request.summary, format!("Let the page load from {}, {}", origin(other), origin(third)));
    assert!(loaded.lock().unwrap().is_empty() && also.lock().unwrap().is_empty());
    world.decide(&request, allow_once()).await.unwrap();
    world.ended().await;
    let results = results(&world.events_of(&task));
    assert!(results[0].content.contains("Not loaded, as nobody has allowed it"), "{}", results[0].content);
    assert!(!results[1].content.contains("Not loaded"), "{}", results[1].content);
    assert_eq!(
        (loaded.lock().unwrap().as_slice(), also.lock().unwrap().as_slice()),
        (&["/a".to_owned()][..], &["/b".to_owned()][..])
    );
}
