//! Tests of `browser` through the whole loop, with a real Chromium and a site on loopback: what asks, what runs, and
//! what ends with the task.

use crate::fetch::results;
use crate::world::{World, allow_once, deny};
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, calls, done, page, site};
use serde_json::{Value, json};

fn browser(call: Value) -> AgentPlan {
    calls([("browser", call)])
}

const FORM: &str = "<title>Pears</title><h1>Pears</h1><form action=/order><input aria-label=Name name=name>\
    <input type=password aria-label=Secret name=secret><button>Order</button></form>\
    <form action={away}/collect method=post><input name=what value=mine><button>Away</button></form>";

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_asked_for_once_and_what_gives_something_away_each_time() {
    let (away, sent) = site(|_| page("<h1>Collected</h1>")).unwrap();
    let away = format!("http://127.0.0.1:{away}");
    let form = FORM.replace("{away}", &away);
    let (port, asked) = site(move |_| page(&form)).unwrap();
    let url = format!("http://127.0.0.1:{port}");
    let planner = ScriptedPlanner::new([
        browser(json!({"action": "navigate", "url": format!("{url}/pears?ripe=yes")})),
        browser(json!({"action": "fill", "ref": "e1", "text": "Ada"})),
        browser(json!({"action": "fill", "ref": "e2", "text": "open sesame"})),
        browser(json!({"action": "click", "ref": "e3"})),
        browser(json!({"action": "evaluate", "script": "1 + 1"})),
        browser(json!({"action": "evaluate", "script": "document.title", "only_reads": true})),
        browser(json!({"action": "click", "ref": "e10"})),
        browser(json!({"action": "navigate", "url": format!("{away}/more")})),
        browser(json!({"action": "navigate", "url": format!("{url}/again")})),
        browser(json!({"action": "extract_text"})),
        done("ok"),
    ]);
    let mut world = World::new(planner).await;
    let task = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let mut shown = Vec::new();
    for number in 0..6 {
        let request = world.requested().await;
        shown.push((request.summary.to_string(), request.details.parts[0].text.clone()));
        let only_once = request.offered.iter().all(|offer| matches!(offer.lifetime, Lifetime::Once(_)));
        assert!(only_once && request.risk == Risk::High, "{request:#?}");
        let answer = if number == 4 { deny("no") } else { allow_once() };
        world.decide(&request, answer).await.unwrap();
    }
    world.ended().await;
    let on = |what: &str| format!("{what} on {url}");
    assert_eq!(
        shown,
        [
            (format!("Open {url}/pears?ripe=yes in the browser"), url.clone()),
            (format!("Fill {}", on("textbox \"Secret\"")), on("textbox \"Secret\"") + ": open sesame"),
            (format!("Run a script on {url}: 1 + 1"), format!("{url}: 1 + 1")),
            (
                format!("Click {}, which sends a form to {away}", on("button \"Away\"")),
                on("button \"Away\"") + &format!(" → {away}: what=mine")
            ),
            // The approval of the form was for the form only.
            (format!("Open {away}/more in the browser"), away.clone()),
            // The page that is requested a second time is open in the browser already, and is asked about anyway.
            (format!("Open {url}/again in the browser"), url.clone()),
        ]
    );
    let results = results(&world.events_of(&task));
    let contents: Vec<&str> = results.iter().map(|result| result.content.as_str()).collect();
    let statuses: Vec<CallStatus> = results.iter().map(|result| result.status).collect();
    use CallStatus::{Denied, Ok};
    assert_eq!(statuses, [Ok, Ok, Ok, Ok, Ok, Ok, Ok, Denied, Ok, Ok], "{contents:#?}");
    assert!(
        contents[0].contains("# Pears\ntextbox \"Name\" e1\ntextbox \"Secret\" e2\nbutton \"Order\" e3"),
        "{}",
        contents[0]
    );
    assert!(contents[1].contains("+ textbox \"Name\" e1 = \"Ada\""), "{}", contents[1]);
    assert!(contents[3].contains("/order?name=Ada&secret=[redacted by Deputy]"), "{}", contents[3]);
    assert!(contents[4].starts_with("It came to: 2\n"), "{}", contents[4]);
    // A script that only reads was not asked about.
    assert!(contents[5].starts_with("It came to: "), "{}", contents[5]);
    assert!(contents[6].contains("# Collected") && !contents[6].contains("Not loaded"), "{}", contents[6]);
    assert!(contents[9].contains("# Pears"), "{}", contents[9]);
    let sent: Vec<String> =
        sent.lock().unwrap().iter().filter(|target| *target != "/favicon.ico").cloned().collect();
    assert_eq!(sent, ["/collect"]);
    assert!(asked.lock().unwrap().iter().any(|target| target.starts_with("/order?name=Ada")), "{asked:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn hosts_that_a_page_needs_are_asked_for_together() {
    let (other, loaded) = site(|_| page("x")).unwrap();
    let (third, also) = site(|_| page("x")).unwrap();
    let (port, _) = site(move |_| {
        page(&format!("<img src='http://127.0.0.1:{other}/a'><img src='http://127.0.0.1:{third}/b'>"))
    })
    .unwrap();
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
    let told = &results[0].content;
    assert!(told.contains("Not loaded, as nobody has allowed it"), "{told}");
    for named in [&origin(other), &origin(third), "ask with `browser_allow`"] {
        assert!(told.contains(named), "{named} is missing in {told}");
    }
    assert!(!results[1].content.contains("Not loaded"), "{}", results[1].content);
    assert_eq!(
        (loaded.lock().unwrap().as_slice(), also.lock().unwrap().as_slice()),
        (&["/a".to_owned()][..], &["/b".to_owned()][..])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_read_on_one_origin_is_not_carried_to_another_unasked() {
    const MAIL: &str = "<title>Mail</title><p>Your code is 493771.</p><p>The launch is planned for the second week of March.</p>";
    let (mail, _) = site(|_| page(MAIL)).unwrap();
    let (other, asked) = site(|_| page("<input aria-label=Search>")).unwrap();
    let origin = |port: u16| format!("http://127.0.0.1:{port}");
    let to = |path: &str| browser(json!({"action": "navigate", "url": format!("{}{path}", origin(other))}));
    let planner = ScriptedPlanner::new([
        browser(json!({"action": "navigate", "url": origin(mail)})),
        to("/search?q=pears"),
        browser(json!({"action": "fill", "ref": "e1", "text": "pears 2026"})),
        browser(json!({"action": "fill", "ref": "e1", "text": "planned for the second week"})),
        to("/?c=493771"),
        done("ok"),
    ]);
    let mut world = World::new(planner).await;
    let task = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let mut asked_about = Vec::new();
    for choice in [allow_once(), allow_once(), deny("no"), deny("no")] {
        let request = world.requested().await;
        asked_about.push(request.details.parts.last().unwrap().text.clone());
        world.decide(&request, choice).await.unwrap();
    }
    world.ended().await;
    let (mail, other) = (origin(mail), origin(other));
    assert_eq!(
        asked_about,
        [
            mail.clone(),
            other.clone(),
            format!("{mail} → textbox \"Search\" on {other}: planned for the second week"),
            format!("{mail} → {other}/?c=493771"),
        ]
    );
    let statuses: Vec<CallStatus> =
        results(&world.events_of(&task)).iter().map(|result| result.status).collect();
    use CallStatus::{Denied, Ok};
    assert_eq!(statuses, [Ok, Ok, Ok, Denied, Denied]);
    let asked = asked.lock().unwrap();
    assert!(!asked.iter().any(|target| target.contains("493771")), "{asked:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_frame_of_another_origin_shows_is_not_typed_into_the_page_around_it_unasked() {
    let (mail, _) =
        site(|_| page("<title>Mail</title><p>Your code is 493771.</p><input aria-label=Reply>")).unwrap();
    let mail = format!("http://127.0.0.1:{mail}");
    let around = format!(
        "<title>Around</title><p>The offer ends on 2031-05-17.</p><input aria-label=Name><iframe src={mail}></iframe>"
    );
    let (port, _) = site(move |_| page(&around)).unwrap();
    let origin = format!("http://127.0.0.1:{port}");
    let planner = ScriptedPlanner::new([
        browser(json!({"action": "navigate", "url": origin})),
        browser(json!({"action": "allow", "origins": [mail]})),
        browser(json!({"action": "fill", "ref": "input", "text": "493771"})),
        browser(json!({"action": "fill", "ref": "e2", "text": "493771"})),
        browser(json!({"action": "fill", "ref": "e3", "text": "2031-05-17"})),
        done("ok"),
    ]);
    let mut world = World::new(planner).await;
    let task = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let mut asked_about = Vec::new();
    let next = |event: &TaskEvent| match event {
        TaskEvent::PermissionRequested(asked) => Some(Some(asked.request.clone())),
        TaskEvent::Stopped(_) => Some(None),
        _ => None,
    };
    while let Some(request) = world.wait(next).await {
        asked_about.push(request.details.parts.last().unwrap().text.clone());
        // Three denials in a row would make Deputy ask whether to continue.
        let answer = if matches!(asked_about.len(), 3 | 4) { deny("no") } else { allow_once() };
        world.decide(&request, answer).await.unwrap();
    }
    let contents: Vec<String> =
        results(&world.events_of(&task)).into_iter().map(|result| result.content).collect();
    assert_eq!(
        asked_about[2..],
        [
            format!("{mail} → input on {origin}: 493771"),
            format!("{mail} → textbox \"Name\" on {origin}: 493771"),
            format!("{origin} → textbox \"Reply\" on {mail}: 2031-05-17"),
        ],
        "{contents:#?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_saved_as_new_ones_and_handed_over_when_a_person_agrees() {
    const PAGE: &str = "<title>Files</title><a href=/report.csv download>Report</a><a href=/empty>Nothing</a>\
        <form action=/photos method=post enctype=multipart/form-data><input type=file aria-label=Photos name=photos multiple>\
        <p id=chosen></p></form><script>document.querySelector('input').onchange = async (event) => {\
        const texts = await Promise.all([...event.target.files].map(async (file) => file.name + ': ' + await file.text()));\
        document.querySelector('#chosen').textContent = texts.join(', '); };</script>";
    const REPORT: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\nconnection: close\r\n\
        content-disposition: attachment; filename=\"../../report.csv\"\r\ncontent-length: 4\r\n\r\na,b\n";
    let (port, _) =
        site(|target| if target == "/report.csv" { REPORT.to_owned() } else { page(PAGE) }).unwrap();
    let url = format!("http://127.0.0.1:{port}");
    let save = |reference: &str, to: &str| browser(json!({"action": "download", "ref": reference, "to": to}));
    let planner = ScriptedPlanner::new([
        browser(json!({"action": "navigate", "url": url})),
        save("e1", "got/report.csv"),
        save("e1", "got/report.csv"),
        save("e3", "x.csv"),
        browser(json!({"action": "upload", "ref": "e3", "paths": ["a.txt", "b/a.txt"]})),
        browser(json!({"action": "upload", "ref": "e1", "paths": ["a.txt"]})),
        done("ok"),
    ]);
    let mut world = World::new(planner).await;
    let folder = world.home.workspace().to_owned();
    std::fs::create_dir_all(folder.join("b")).unwrap();
    std::fs::write(folder.join("a.txt"), "one").unwrap();
    std::fs::write(folder.join("b/a.txt"), "two").unwrap();
    let task =
        world.start(StartCommand { standing_consent: Some(Risk::Medium), ..world.start_command() }).await;
    let mut asked = Vec::new();
    let next = |event: &TaskEvent| match event {
        TaskEvent::PermissionRequested(asked) => Some(Some(asked.request.clone())),
        TaskEvent::QuestionAsked(asked) => panic!("{}", asked.question.text),
        TaskEvent::Stopped(_) => Some(None),
        _ => None,
    };
    while let Some(request) = world.wait(next).await {
        asked.push((request.risk, request.summary.to_string()));
        world.decide(&request, allow_once()).await.unwrap();
    }
    let photos = format!("button \"Photos\" on {url}");
    let report = format!("link \"Report\" on {url}");
    asked.retain(|(_, summary)| summary.starts_with("Upload"));
    assert_eq!(
        asked,
        [
            (Risk::High, format!("Upload a.txt, b/a.txt to {photos}")),
            (Risk::High, format!("Upload a.txt to {report}")),
        ]
    );
    let results = results(&world.events_of(&task));
    let of = |index: usize| (results[index].status, results[index].content.as_str());
    let (status, content) = of(1);
    assert!(status == CallStatus::Ok && content.starts_with("Saved got/report.csv (4 bytes)"), "{content}");
    assert_eq!(std::fs::read_to_string(folder.join("got/report.csv")).unwrap(), "a,b\n");
    assert!(of(2).0 == CallStatus::Failed && of(2).1.contains("already exists"), "{}", of(2).1);
    assert!(of(3).0 == CallStatus::Failed && of(3).1.contains("takes files"), "{}", of(3).1);
    assert!(of(4).0 == CallStatus::Ok && of(4).1.contains("a.txt: one, a.txt: two"), "{}", of(4).1);
    assert!(of(5).0 == CallStatus::Failed && of(5).1.contains("takes no files"), "{}", of(5).1);
}
