//! Compares requests with forms byte by byte.

use super::*;
use serde_json::json;

fn form(method: &str, enctype: &str) -> Elsewhere {
    Elsewhere {
        to: "http://shop.test".into(),
        action: "http://shop.test/pay?old=1".into(),
        method: method.into(),
        enctype: enctype.into(),
        fields: Vec::new(),
        entries: Entries(vec![
            ("name".into(), Some("Ada & Bo".into())),
            ("note \"x\"".into(), Some("one\ntwo".into())),
            ("where.x".into(), None),
        ]),
        submits: true,
    }
}

fn request(method: &str, url: &str, kind: &str, body: &str) -> Request {
    let bytes = base64::engine::general_purpose::STANDARD.encode(body);
    let request = json!({"url": url, "method": method, "headers": {"Content-Type": kind, "Origin": "http://page.test"},
                         "postDataEntries": [{"bytes": bytes}]});
    Request::of(&json!({"request": request, "requestId": "r"})).unwrap()
}

const PLAIN: &str = "application/x-www-form-urlencoded";
const PARTS: &str = "--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nAda & Bo\r\n--b\r\n\
    Content-Disposition: form-data; name=\"note %22x%22\"\r\n\r\none\r\ntwo\r\n--b\r\n\
    Content-Disposition: form-data; name=\"where.x\"\r\n\r\n12\r\n--b--\r\n";

#[test]
fn a_request_is_the_form_in_each_way_that_forms_are_written() {
    let encoded = "name=Ada+%26+Bo&note+%22x%22=one%0D%0Atwo&where.x=12";
    let query = format!("http://shop.test/pay?{encoded}#part");
    assert!(request("GET", &query, "", "").sends(&form("get", PLAIN)));
    let to = "http://shop.test/pay?old=1";
    assert!(request("POST", to, PLAIN, encoded).sends(&form("post", PLAIN)));
    let kind = "multipart/form-data; boundary=b";
    assert!(request("POST", to, kind, PARTS).sends(&form("post", "multipart/form-data")));
    let lines = "name=Ada & Bo\r\nnote \"x\"=one\r\ntwo\r\n";
    let mut plain = form("post", "text/plain");
    plain.entries.0.pop();
    assert!(request("POST", to, "text/plain", lines).sends(&plain));
    assert!(!request("POST", to, "text/plain", &lines.replace("two", "two\r\nmail=secret")).sends(&plain));
}

#[test]
fn any_difference_is_another_request() {
    let encoded = "name=Ada+%26+Bo&note+%22x%22=one%0D%0Atwo&where.x=12";
    let to = "http://shop.test/pay?old=1";
    for (method, url, kind, body) in [
        ("GET", to, "", ""),
        ("POST", "http://shop.test/pay?old=2", PLAIN, encoded),
        ("POST", "http://shop.test/steal?old=1", PLAIN, encoded),
        ("POST", "https://shop.test/pay?old=1", PLAIN, encoded),
        ("POST", "http://shop.test:81/pay?old=1", PLAIN, encoded),
        ("POST", to, "multipart/form-data; boundary=b", PARTS),
        ("POST", to, PLAIN, "name=Eve&note+%22x%22=one%0D%0Atwo&where.x=12"),
        ("POST", to, PLAIN, "name=Ada+%26+Bo&note+%22x%22=one%0D%0Atwo&where.x=all"),
        ("POST", to, PLAIN, "name=Ada+%26+Bo&note+%22x%22=one%0D%0Atwo&where.x=12&mail=secret"),
        ("POST", to, PLAIN, "name=Ada+%26+Bo&where.x=12"),
        ("POST", to, PLAIN, ""),
    ] {
        assert!(
            !request(method, url, kind, body).sends(&form("post", PLAIN)),
            "{method} {url} {kind} {body}"
        );
    }
    let more = PARTS.replace("--b--", "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\ny\r\n--b--");
    assert!(
        !request("POST", to, "multipart/form-data; boundary=b", &more)
            .sends(&form("post", "multipart/form-data"))
    );
}

#[test]
fn a_file_is_sent_by_its_name() {
    let body = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n\r\n--b--\r\n";
    let to = "http://shop.test/pay?old=1";
    let files = |name: &str| Elsewhere {
        entries: Entries(vec![("f".into(), Some(name.into()))]),
        ..form("post", "multipart/form-data")
    };
    let sent = request("POST", to, "multipart/form-data; boundary=b", body);
    assert!(sent.sends(&files("a.txt")) && !sent.sends(&files("b.txt")));
}

#[test]
fn values_are_not_shown() {
    let shown = format!("{:?}", form("post", PLAIN));
    assert!(!shown.contains("Ada") && shown.contains("3 entries"), "{shown}");
}
