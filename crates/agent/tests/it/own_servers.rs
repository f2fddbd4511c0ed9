//! Tests of servers that a task starts itself: `fetch` and `browser` reach them without a question, by a way that leads
//! nowhere else, with a real Chromium and real commands.

use crate::fetch::results;
use crate::world::World;
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, calls, done, page, site};
use serde_json::{Value, json};
use std::fs;

/// A server that writes down what it is asked for. `{machine}` is another server, outside of the task.
const SERVER: &str = r#"
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        with open("asked.txt", "a") as log:
            print(self.path, file=log)
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "{machine}/redirected")
            self.end_headers()
            return
        body = b"""<title>Own</title><h1>Own page</h1><a href="{machine}/linked">Away</a>
            <img src="{machine}/part"><iframe src="{machine}/frame"></iframe>
            <script>fetch("{machine}/fetched"); new WebSocket("{machine}/socket".replace("http", "ws"));
            document.cookie = "own=1"; open("{machine}/popup")</script>"""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *args): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
print("ready", flush=True)
server.serve_forever()
"#;

const PORT: u16 = 8123;

fn call(tool: &str, parameters: Value) -> AgentPlan {
    calls([(tool, parameters)])
}

fn own(path: &str) -> String {
    format!("http://127.0.0.1:{PORT}{path}")
}

/// Starts the server, and waits until it listens.
fn started() -> [AgentPlan; 2] {
    let command = format!("python3 -u server.py {PORT}");
    [
        call("background", json!({"action": "start", "command": command})),
        call("background", json!({"action": "output", "id": "b1", "wait_secs": 60})),
    ]
}

/// Returns the decision about each call.
fn decisions(world: &World, task: &TaskId) -> Vec<Decision> {
    let decided = |event: TaskEvent| match event {
        TaskEvent::CallDecided(decided) => Some(decided.verdict.decision),
        _ => None,
    };
    world.events_of(task).into_iter().filter_map(decided).collect()
}

/// A task in whose folder the server is, and what it asked the server outside for.
async fn world(plans: Vec<AgentPlan>, machine: u16) -> (World, TaskId) {
    let world = World::new(ScriptedPlanner::new(started().into_iter().chain(plans))).await;
    let server = SERVER.replace("{machine}", &format!("http://127.0.0.1:{machine}"));
    fs::write(world.home.workspace().join("server.py"), server).unwrap();
    let task =
        world.start(StartCommand { standing_consent: Some(Risk::High), ..world.start_command() }).await;
    (world, task)
}

fn asked(world: &World) -> Vec<String> {
    let log = fs::read_to_string(world.home.workspace().join("asked.txt")).unwrap_or_default();
    log.lines().filter(|line| *line != "/favicon.ico").map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn fetch_reaches_a_server_of_the_task_without_a_question_and_no_other_with_it() {
    let (machine, leaked) = site(|_| page("outside")).unwrap();
    let fetch = |url: String| call("fetch", json!({"url": url}));
    let plans = vec![
        fetch(own("/")),
        fetch(format!("http://localhost:{PORT}/by-name")),
        fetch(own("/away")),
        fetch(format!("http://own.localhost:{PORT}/")),
        fetch("http://127.0.0.1:8124/".into()),
        call("background", json!({"action": "stop", "id": "b1"})),
        fetch(own("/gone")),
        done("ok"),
    ];
    let (mut world, task) = world(plans, machine).await;
    world.ended().await;
    let results = results(&world.events_of(&task));
    let contents: Vec<&str> = results.iter().map(|result| result.content.as_str()).collect();
    use CallStatus::{Failed, Ok};
    let statuses: Vec<CallStatus> = results.iter().map(|result| result.status).collect();
    assert_eq!(statuses, [Ok, Ok, Ok, Ok, Failed, Failed, Failed, Ok, Failed], "{contents:#?}");
    assert!(contents[2].contains("# Own page"), "{}", contents[2]);
    assert!(contents[4].contains("no process of this task listens on port"), "{}", contents[4]);
    use Decision::{Allow, Ask};
    let decisions = decisions(&world, &task);
    assert_eq!(decisions[2..7], [Allow, Allow, Allow, Ask, Ask], "a name and another port ask");
    assert_eq!(decisions[8], Ask, "nothing of the task listens there any more");
    assert_eq!(asked(&world), ["/", "/by-name", "/away"]);
    assert!(leaked.lock().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_browser_opens_a_server_of_the_task_in_a_browser_of_its_own() {
    let (machine, leaked) = site(|_| {
        page(&format!(
            "<h1>Outside</h1><img src={0}/part><iframe src={0}/frame></iframe><script>fetch('{0}/fetched')</script>",
            own("/stolen")
        ))
    })
    .unwrap();
    let browser = |parameters: Value| call("browser", parameters);
    let navigate = |url: String| browser(json!({"action": "navigate", "url": url, "until": "networkidle"}));
    let plans = vec![
        navigate(own("/first")),
        browser(json!({"action": "click", "ref": "e1"})),
        navigate(own("/away")),
        navigate(format!("http://127.0.0.1:{machine}/outside")),
        browser(json!({"action": "evaluate", "script": "document.cookie + '.'", "only_reads": true})),
        navigate(own("/again")),
        browser(json!({"action": "evaluate", "script": "document.cookie + '.'", "only_reads": true})),
        call("background", json!({"action": "stop", "id": "b1"})),
        navigate(own("/gone")),
        done("ok"),
    ];
    let (mut world, task) = world(plans, machine).await;
    world.ended().await;
    let results = results(&world.events_of(&task));
    let contents: Vec<&str> = results.iter().map(|result| result.content.as_str()).collect();
    assert!(contents[2].contains("# Own page"), "{contents:#?}");
    assert!(contents[2].contains("loads only from such servers"), "{contents:#?}");
    assert_eq!(results[4].status, CallStatus::Failed, "a redirect that leads away: {contents:#?}");
    assert!(contents[5].contains("# Outside"), "{contents:#?}");
    assert!(contents[6].contains("It came to: .\n"), "no cookie of the other browser: {contents:#?}");
    assert!(contents[7].contains("# Own page"), "{contents:#?}");
    assert!(contents[8].contains("own=1"), "{contents:#?}");
    assert_eq!(results[10].status, CallStatus::Failed, "a page that did not load: {contents:#?}");
    let decisions = decisions(&world, &task);
    assert_eq!((decisions[2], decisions[5], decisions[7]), (Decision::Allow, Decision::Ask, Decision::Allow));
    let own_asked = asked(&world);
    assert!(own_asked.iter().all(|path| !path.starts_with("/stolen")), "{own_asked:?}");
    assert!(own_asked.contains(&"/first".to_owned()) && own_asked.contains(&"/again".to_owned()));
    let outside = leaked.lock().unwrap().clone();
    assert!(outside.iter().all(|path| path == "/outside" || path == "/favicon.ico"), "{outside:?}");
}
