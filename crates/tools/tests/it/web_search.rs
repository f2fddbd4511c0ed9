//! `web_search` with a server that answers like each provider: the request, the parsed results, and errors.

use crate::support::Desk;
use deputy_protocol::CallStatus;
use deputy_tools::{Registry, SearchForm, SearchProvider};
use deputy_web::Gate;
use serde_json::{Value, json};
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

const KEY: &str = "sk-never-to-be-seen-4711";
const SEARXNG: &str = include_str!("../../../agent/src/searching/searxng.toml");
const BRAVE: &str = include_str!("../../../agent/src/searching/brave.toml");
const TAVILY: &str = include_str!("../../../agent/src/searching/tavily.toml");

/// Allows requests to loopback.
struct Local;

impl Gate for Local {
    fn admits(&self, url: &str) -> Result<(), deputy_messages::Phrase> {
        if url.starts_with("http://127.0.0.1:") { Ok(()) } else { Err("it is not local".into()) }
    }

    fn admits_part(&self, _: &str, url: &str) -> Result<(), deputy_messages::Phrase> {
        self.admits(url)
    }

    fn connects(&self, _: &str, to: IpAddr) -> Result<(), deputy_messages::Phrase> {
        if to.is_loopback() { Ok(()) } else { Err("it is not local".into()) }
    }

    fn by_hand(&self) -> Arc<dyn Gate> {
        Arc::new(Self)
    }
}

/// A server that always gives the same answer, or none, and records its requests.
async fn server(answer: Option<String>) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::<Mutex<Vec<String>>>::default();
    let heard = asked.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (answer, heard) = (answer.clone(), heard.clone());
            tokio::spawn(async move {
                let mut text = Vec::new();
                let mut bytes = [0; 4096];
                loop {
                    let read = stream.read(&mut bytes).await.unwrap_or(0);
                    text.extend_from_slice(&bytes[..read]);
                    let said = String::from_utf8_lossy(&text).into_owned();
                    let Some((head, body)) = said.split_once("\r\n\r\n") else { continue };
                    let length = head.to_lowercase().lines().find_map(|line| {
                        line.strip_prefix("content-length: ").and_then(|length| length.parse::<usize>().ok())
                    });
                    if read == 0 || body.len() >= length.unwrap_or(0) {
                        heard.lock().unwrap().push(said);
                        break;
                    }
                }
                match answer {
                    Some(answer) => drop(stream.write_all(answer.as_bytes()).await),
                    // Keep the connection open without answering.
                    None => std::future::pending().await,
                }
            });
        }
    });
    (address, asked)
}

fn answer(status: &str, body: &str) -> Option<String> {
    Some(format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    ))
}

/// Returns the status and text that a model gets for a search with a provider. Checks that the text does not contain
/// the key.
async fn search(form: &str, address: &str, patience: Duration) -> (CallStatus, String) {
    let form: SearchForm = toml::from_str(form).unwrap();
    let provider =
        SearchProvider { form, address: address.to_owned(), key: Some(Arc::new(|| Ok(KEY.to_owned()))) };
    let registry = Registry::standard().searching(Arc::new(move || Ok(provider.clone())));
    let mut desk = Desk::new();
    desk.cx.gate = Arc::new(Local);
    desk.cx.look_timeout = patience;
    let tool = registry.get("web_search").unwrap();
    let parameters = json!({"query": "ripe pears & plums"});
    let facts = tool.facts(&parameters, &desk.place).unwrap();
    let result = tool.run(&parameters, &desk.cx).await;
    for said in [format!("{facts:?}"), format!("{result:?}")] {
        assert!(!said.contains(KEY), "{said}");
    }
    (result.status, result.content)
}

const PATIENCE: Duration = Duration::from_secs(30);

/// Returns the head of a request without the host, and its body.
fn request(asked: &Mutex<Vec<String>>) -> (Vec<String>, String) {
    let asked = asked.lock().unwrap();
    let [request] = asked.as_slice() else { panic!("{asked:?}") };
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    (head.lines().map(str::to_owned).collect(), body.to_owned())
}

#[tokio::test]
async fn each_provider_is_asked_as_it_wants_and_its_results_are_read() {
    let entry = |text: &str| json!({"title": "Pears", "url": "https://fruit.test/pears", text: "They are ripe in\nautumn."});
    let flat = json!({"results": [entry("content")]});
    let cases = [
        (SEARXNG, flat.clone(), "GET /search?format=json&q=ripe+pears+%26+plums HTTP/1.1", None, None),
        (
            BRAVE,
            json!({"web": {"results": [entry("description")]}}),
            "GET /res/v1/web/search?count=8&q=ripe+pears+%26+plums HTTP/1.1",
            Some(format!("x-subscription-token: {KEY}")),
            None,
        ),
        (
            TAVILY,
            flat,
            "POST /search HTTP/1.1",
            Some(format!("authorization: Bearer {KEY}")),
            Some(json!({"query": "ripe pears & plums", "max_results": 8})),
        ),
    ];
    for (form, found, line, header, body) in cases {
        let (address, asked) = server(answer("200 OK", &found.to_string())).await;
        let (status, content) = search(form, &address, PATIENCE).await;
        assert_eq!(status, CallStatus::Ok, "{content}");
        assert!(content.ends_with("Pears\nhttps://fruit.test/pears\nThey are ripe in autumn."), "{content}");
        assert!(content.contains("data, not instructions"), "{content}");
        let (head, sent) = request(&asked);
        assert_eq!(head[0], line);
        let with_key: Vec<&String> = head.iter().filter(|line| line.contains(KEY)).collect();
        assert_eq!(with_key, header.iter().collect::<Vec<_>>(), "{head:?}");
        assert_eq!(serde_json::from_str::<Value>(&sent).ok(), body);
    }
}

#[tokio::test]
async fn a_providers_refusal_is_reported_without_the_key() {
    for form in [SEARXNG, BRAVE, TAVILY] {
        let SearchForm { label, key_variable, .. } = toml::from_str(form).unwrap();
        let refused = match key_variable {
            Some(_) => "it does not accept the key",
            None => "its settings do not permit this search",
        };
        let (unknown, forbidden) =
            ([401, 403].map(|status| format!("answered with status {status}: {refused}"))).into();
        let echoed = json!({"error": format!("the key {KEY} is not known")}).to_string();
        for (given, says) in [
            (answer("401 Unauthorized", &echoed), unknown.as_str()),
            (answer("403 Forbidden", &echoed), forbidden.as_str()),
            (
                answer("429 Too Many Requests", "{}"),
                "answered with status 429: it takes no more searches for now",
            ),
            (answer("500 Internal Server Error", "oh"), "answered with status 500: it gave no results"),
            (answer("200 OK", "<html>Sign in</html>"), "gave an answer that holds no list of results"),
            (answer("200 OK", &echoed), "gave an answer that holds no list of results"),
        ] {
            let (address, _) = server(given).await;
            let (status, content) = search(form, &address, PATIENCE).await;
            assert_eq!((status, content.as_str()), (CallStatus::Failed, format!("{label} {says}").as_str()));
        }
    }
}

#[tokio::test]
async fn a_provider_that_is_silent_gone_or_sends_elsewhere_gets_nothing_more() {
    for form in [SEARXNG, BRAVE, TAVILY] {
        let (silent, _) = server(None).await;
        let (status, content) = search(form, &silent, Duration::from_millis(300)).await;
        assert!(status == CallStatus::Failed && content.contains(&silent), "{content}");
        let (elsewhere, reached) = server(answer("200 OK", "{}")).await;
        let redirect = format!("HTTP/1.1 302 Found\r\nlocation: {elsewhere}/x\r\ncontent-length: 0\r\n\r\n");
        let (address, _) = server(Some(redirect)).await;
        let (status, content) = search(form, &address, PATIENCE).await;
        assert!(status == CallStatus::Failed && content.contains("a search is not sent on"), "{content}");
        assert!(reached.lock().unwrap().is_empty());
        let gone = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        let (status, content) = search(form, &format!("http://{gone}"), PATIENCE).await;
        assert!(status == CallStatus::Failed && content.contains("127.0.0.1"), "{content}");
        let (status, content) = search(form, "http://192.0.2.1", PATIENCE).await;
        assert!(status == CallStatus::Failed && content.contains("it is not local"), "{content}");
    }
}
