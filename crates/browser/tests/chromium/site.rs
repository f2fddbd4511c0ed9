//! A site on loopback for the tests: the pages of `tests/site`, and additional answers of each test.
#![allow(clippy::unwrap_used, clippy::expect_used, dead_code)] // A panic in a test helper is a failed test.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// Returns the raw bytes of the answer to a target, including the head.
type Answers = Arc<dyn Fn(&str) -> Option<Vec<u8>> + Send + Sync>;

/// A site that records its requests.
pub(crate) struct Site {
    pub(crate) at: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
    connections: Arc<AtomicUsize>,
}

impl Site {
    /// Serves the answers of a function, and otherwise `tests/site`.
    pub(crate) async fn new(more: impl Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let connections = Arc::<AtomicUsize>::default();
        let (more, heard, count): (Answers, _, _) = (Arc::new(more), asked.clone(), connections.clone());
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::Relaxed);
                let (more, heard) = (more.clone(), heard.clone());
                tokio::spawn(async move {
                    let mut head = Vec::new();
                    while !head.ends_with(b"\r\n\r\n") {
                        let Ok(byte) = stream.read_u8().await else { return };
                        head.push(byte);
                    }
                    let head = String::from_utf8_lossy(&head).into_owned();
                    let mut words = head.split(' ');
                    let (method, target) =
                        (words.next().unwrap_or_default(), words.next().unwrap_or_default());
                    let length = head.lines().find_map(|line| {
                        line.to_ascii_lowercase()
                            .strip_prefix("content-length: ")?
                            .trim()
                            .parse::<usize>()
                            .ok()
                    });
                    let mut body = vec![0; length.unwrap_or(0)];
                    if stream.read_exact(&mut body).await.is_err() {
                        return;
                    }
                    let body = String::from_utf8_lossy(&body).into_owned();
                    heard.lock().unwrap().push(format!("{method} {target} {body}").trim().to_owned());
                    let answer = more(target).unwrap_or_else(|| file(target));
                    let _ = stream.write_all(&answer).await;
                    let _ = stream.shutdown().await;
                });
            }
        });
        Self { at, asked, connections }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.at)
    }

    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.at)
    }

    /// Returns the number of connections.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }

    /// Returns the requests, without those that browsers make on their own.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().iter().filter(|asked| !asked.contains("favicon")).cloned().collect()
    }
}

/// Returns an answer with a status line, headers and a body.
pub(crate) fn answer(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let head =
        format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n", body.len());
    [head.as_bytes(), body].concat()
}

pub(crate) fn html(body: impl AsRef<[u8]>) -> Vec<u8> {
    answer("200 OK", "content-type: text/html; charset=utf-8\r\n", body)
}

fn file(target: &str) -> Vec<u8> {
    let name = target.split(['?', '#']).next().unwrap_or_default().trim_start_matches('/');
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/site").join(name);
    match std::fs::read(path) {
        Ok(body) if !name.contains("..") => html(body),
        _ => answer("404 Not Found", "content-type: text/plain\r\n", "no such page"),
    }
}

/// Allows the given origins, and the requests of their pages to these origins.
pub(crate) struct Only(pub(crate) Vec<String>);

impl deputy_web::Gate for Only {
    fn admits(&self, url: &str) -> Result<(), deputy_messages::Phrase> {
        let begins = |origin: &String| {
            url.strip_prefix(origin.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        if self.0.iter().any(begins) { Ok(()) } else { Err("it is not on the list".into()) }
    }

    fn admits_part(&self, _: &str, url: &str) -> Result<(), deputy_messages::Phrase> {
        self.admits(url)
    }

    fn connects(&self, _: &str, _: std::net::IpAddr) -> Result<(), deputy_messages::Phrase> {
        Ok(())
    }

    fn by_hand(&self) -> Arc<dyn deputy_web::Gate> {
        Arc::new(Self(self.0.clone()))
    }
}

/// Returns the reference on the line that contains a text.
pub(crate) fn reference(changes: &deputy_browser::Changes, named: &str) -> String {
    let lines = &changes.now.lines;
    let line = lines.iter().find(|line| line.contains(named));
    let line = line.unwrap_or_else(|| panic!("{named} is not in:\n{}", lines.join("\n")));
    let after = &line[line.find(named).unwrap() + named.len()..];
    let is_reference =
        |word: &&str| word.strip_prefix('e').is_some_and(|number| number.parse::<u32>().is_ok());
    after.split_whitespace().find(is_reference).unwrap_or_else(|| panic!("no reference on {line}")).to_owned()
}

/// Returns a page of a shop with this many elements, with markup like that of real shops.
pub(crate) fn shop(elements: usize) -> String {
    let card = |n: usize| {
        format!(
            "<li class=\"product-card product-card--wide js-product\" data-product-id=\"{n}\" data-position=\"{n}\" \
             data-tracking='{{\"list\":\"search\",\"index\":{n}}}'><a class=\"product-card__link\" \
             href=\"/products/pear-{n}?utm_source=list&amp;utm_campaign=autumn\"><span class=\"product-card__title\">\
             Pear {n}</span></a><div class=\"product-card__meta\"><span class=\"product-card__price price price--sale\" \
             data-currency=\"EUR\">{n}.99</span></div><button class=\"button button--primary product-card__add\" \
             type=\"button\" data-action=\"add-to-cart\" aria-label=\"Add pear {n}\"><i class=\"icon icon--cart\"></i>\
             <span class=\"button__label\">Add</span></button></li>"
        )
    };
    let cards: String = (0..elements / 8).map(card).collect();
    format!("<title>Pears</title><h1>Pears</h1><ul class=\"product-grid\">{cards}</ul>")
}
