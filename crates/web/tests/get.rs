//! Requests over real sockets: what the server receives, what is returned, and that nothing is sent that the gate
//! refuses.

#![allow(clippy::unwrap_used, clippy::expect_used)] // A panic in a test helper is a failed test.

use deputy_web::{Bounds, Client, FetchError, Gate};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// A server that answers each request with a function of its target and head, and records its requests.
struct Site {
    at: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Site {
    async fn new(answer: impl Fn(&str, &str) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (at, asked) = (listener.local_addr().unwrap(), Arc::<Mutex<Vec<String>>>::default());
        let (answer, heard) = (Arc::new(answer), asked.clone());
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (answer, heard) = (answer.clone(), heard.clone());
                heard.lock().unwrap().push("(connected)".to_owned());
                tokio::spawn(async move {
                    let mut head = Vec::new();
                    while !head.ends_with(b"\r\n\r\n") {
                        let Ok(byte) = stream.read_u8().await else { return };
                        head.push(byte);
                    }
                    let head = String::from_utf8_lossy(&head).into_owned();
                    let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
                    heard.lock().unwrap().push(target.clone());
                    let _ = stream.write_all(&answer(&target, &head)).await;
                    let _ = stream.shutdown().await;
                });
            }
        });
        Self { at, asked }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.at)
    }

    fn targets(&self) -> Vec<String> {
        self.asked.lock().unwrap().iter().filter(|asked| *asked != "(connected)").cloned().collect()
    }

    fn connections(&self) -> usize {
        self.asked.lock().unwrap().iter().filter(|asked| *asked == "(connected)").count()
    }
}

/// Allows addresses with one of these prefixes, and connections to loopback if `local` is set.
#[derive(Clone)]
struct Only {
    begins: Vec<String>,
    local: bool,
}

impl Gate for Only {
    fn admits(&self, url: &str) -> Result<(), deputy_messages::Phrase> {
        if self.begins.iter().any(|begin| url.starts_with(begin.as_str())) {
            Ok(())
        } else {
            Err("not on the list".into())
        }
    }

    fn admits_part(&self, _: &str, url: &str) -> Result<(), deputy_messages::Phrase> {
        self.admits(url)
    }

    fn connects(&self, _: &str, to: IpAddr) -> Result<(), deputy_messages::Phrase> {
        if self.local || !to.is_loopback() {
            Ok(())
        } else {
            Err(format!("{to} is not a public address").into())
        }
    }

    fn by_hand(&self) -> Arc<dyn Gate> {
        Arc::new(self.clone())
    }
}

const BOUNDS: Bounds = Bounds { body_bytes: 1_000, timeout: Duration::from_secs(60) };

fn page(headers: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let mut answer =
        format!("HTTP/1.1 200 OK\r\n{headers}content-length: {}\r\n\r\n", body.len()).into_bytes();
    answer.extend_from_slice(body);
    answer
}

fn redirect(to: &str) -> Vec<u8> {
    format!("HTTP/1.1 302 Found\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n").into_bytes()
}

#[tokio::test]
async fn redirects_are_judged_one_by_one_and_none_is_followed_off_the_list() {
    let foreign = Site::new(|_, _| page("", "secret")).await;
    let to = foreign.url("/stolen");
    let port = foreign.at.port();
    let ways = [
        to.clone(),
        to.replace("http://", "//"),
        format!("http://localhost:{port}/"),
        format!("http://127.1:{port}/"),
        format!("http://2130706433:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        format!("http://user:pass@127.0.0.1:{port}/"),
        format!("\\\\127.0.0.1:{port}/"),
        format!("http:\\\\127.0.0.1:{port}\\x"),
        format!("https://127.0.0.1:{port}/"),
        "file:///etc/hostname".to_owned(),
        "data:text/html,x".to_owned(),
        "javascript:alert(1)".to_owned(),
        format!("ftp://127.0.0.1:{port}/"),
        format!("/\t/127.0.0.1:{port}/"),
    ];
    for way in ways {
        let there = way.clone();
        let site = Site::new(move |_, _| redirect(&there)).await;
        let gate = Only { begins: vec![site.url("/")], local: true };
        let error = Client::default().get(&gate, &site.url("/begin"), BOUNDS).await.unwrap_err();
        assert!(
            matches!(error, FetchError::Redirected { .. } | FetchError::BadAnswer { .. }),
            "{way}: {error}"
        );
        assert!(site.targets().len() <= 1, "{way}: {:?}", site.targets());
    }
    assert_eq!(foreign.connections(), 0);
}

#[tokio::test]
async fn the_address_that_was_judged_is_the_one_connected_to() {
    let site = Site::new(|_, _| page("content-type: text/plain\r\n", "here")).await;
    let ip = site.at.ip();
    let looked_up = Arc::new(Mutex::new(0));
    let count = looked_up.clone();
    let client = Client::resolving(Arc::new(move |_| {
        *count.lock().unwrap() += 1;
        Box::pin(async move { Ok(vec![ip]) })
    }));
    let url = format!("http://rebinds.example:{}/", site.at.port());
    let gate = |local| Only { begins: vec![url.clone()], local };
    let error = client.get(&gate(false), &url, BOUNDS).await.unwrap_err();
    assert!(matches!(&error, FetchError::Refused { why, .. } if why.contains("not a public")), "{error}");
    assert_eq!((site.connections(), *looked_up.lock().unwrap()), (0, 1));
    let got = client.get(&gate(true), &url, BOUNDS).await.unwrap();
    assert_eq!(
        (&got.body[..], *looked_up.lock().unwrap()),
        (&b"here"[..], 2),
        "looked up once for each request"
    );
}

#[tokio::test]
async fn redirects_without_end_are_given_up_and_nothing_else_is_asked() {
    let site = Site::new(|target, _| redirect(&format!("{target}x"))).await;
    let gate = Only { begins: vec![site.url("/")], local: true };
    let error = Client::default().get(&gate, &site.url("/"), BOUNDS).await.unwrap_err();
    assert!(matches!(error, FetchError::TooManyRedirects { most: 20, .. }), "{error}");
    assert_eq!(site.targets().len(), 21);
}

#[tokio::test]
async fn what_is_read_is_bounded_also_unpacked() {
    use std::io::Write;
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(&vec![b'a'; 50_000_000]).unwrap();
    let bomb = packed.finish().unwrap();
    let whole = Bounds { body_bytes: bomb.len() + 1, ..BOUNDS };
    let site = Site::new(move |target, _| match target {
        "/bomb" => page("content-encoding: gzip\r\n", &bomb),
        "/odd" => page("content-encoding: br\r\n", "x"),
        "/exact" => page("", [b'x'; 1_000]),
        _ => page("", [b'x'; 1_001]),
    })
    .await;
    let gate = Only { begins: vec![site.url("/")], local: true };
    let client = Client::default();
    let bomb = client.get(&gate, &site.url("/bomb"), whole).await.unwrap();
    assert_eq!((bomb.body.len(), bomb.is_cut), (whole.body_bytes, true));
    let exact = client.get(&gate, &site.url("/exact"), BOUNDS).await.unwrap();
    let longer = client.get(&gate, &site.url("/longer"), BOUNDS).await.unwrap();
    assert_eq!((exact.body.len(), exact.is_cut), (1_000, false));
    assert_eq!((longer.body.len(), longer.is_cut), (1_000, true));
    let error = client.get(&gate, &site.url("/odd"), BOUNDS).await.unwrap_err();
    assert!(matches!(error, FetchError::BadAnswer { .. }), "{error}");
}

#[tokio::test]
async fn a_server_that_never_ends_is_given_up_in_time() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let gate = Only { begins: vec![url.clone()], local: true };
    let bounds = Bounds { timeout: Duration::from_millis(50), ..BOUNDS };
    let error = Client::default().get(&gate, &url, bounds).await.unwrap_err();
    assert!(matches!(error, FetchError::TooSlow { .. }), "{error}");
}

#[tokio::test]
async fn an_answer_is_used_again_only_where_its_server_says_that_it_holds() {
    let site = Site::new(|target, head| match target {
        "/kept" if head.contains("if-none-match: \"v1\"") => {
            b"HTTP/1.1 304 Not Modified\r\netag: \"v1\"\r\n\r\n".to_vec()
        }
        "/kept" => page("etag: \"v1\"\r\ncontent-type: text/plain\r\n", "kept"),
        _ => {
            assert!(!head.contains("if-none-match"), "{head}");
            page("etag: \"v1\"\r\ncache-control: no-store\r\n", "fresh")
        }
    })
    .await;
    let gate = Only { begins: vec![site.url("/")], local: true };
    let client = Client::default();
    let mut seen = Vec::new();
    for path in ["/kept", "/kept", "/fresh", "/fresh"] {
        let got = client.get(&gate, &site.url(path), BOUNDS).await.unwrap();
        assert_eq!(got.status, 200);
        seen.push((String::from_utf8(got.body.to_vec()).unwrap(), got.is_unchanged));
    }
    let expected = [("kept", false), ("kept", true), ("fresh", false), ("fresh", false)];
    assert_eq!(seen, expected.map(|(body, same)| (body.to_owned(), same)));
}

#[tokio::test]
async fn a_request_says_nothing_of_who_asks() {
    let site = Site::new(|_, head| page("set-cookie: id=1\r\n", head)).await;
    let gate = Only { begins: vec![site.url("/")], local: true };
    let client = Client::default();
    for _ in 0..2 {
        let got = client.get(&gate, &format!("{}#place", site.url("/a?b=c")), BOUNDS).await.unwrap();
        let head = String::from_utf8(got.body.to_vec()).unwrap();
        assert!(head.starts_with("GET /a?b=c HTTP/1.1\r\n"), "{head}");
        for never in ["cookie", "referer", "authorization", "place"] {
            assert!(!head.to_ascii_lowercase().contains(never), "{head}");
        }
    }
}
