//! Tests addresses in addition to the published cases: entries, resolved addresses, and random texts.

use crate::ground::Ground;
use deputy_policy::Situation;
use deputy_policy::check::{CheckDecision, case};
use deputy_policy::url::{follow, judge, judge_address, loopback_port, origin};
use deputy_protocol::{Decision, UrlAccess};
use proptest::prelude::*;
use serde_json::json;

fn situation(entries: &[&str]) -> Situation {
    let ground = Ground::new(&serde_json::Map::new());
    Situation { allow_hosts: entries.iter().map(|&entry| entry.to_owned()).collect(), ..ground.situation() }
}

fn is_allowed(entries: &[&str], url: &str) -> bool {
    let access = UrlAccess { url: url.to_owned(), subresource: false };
    judge(&situation(entries), &access).decision == Decision::Allow
}

#[test]
fn a_server_of_the_task_is_named_by_literal_hosts_and_ports_on_which_it_listens() {
    let own = Situation { own_ports: [80, 8000].into(), ..situation(&[]) };
    let decision = |url: &str| judge(&own, &UrlAccess { url: url.to_owned(), subresource: false }).decision;
    for url in [
        "http://127.0.0.1:8000/x",
        "https://127.0.0.1:8000/",
        "http://localhost:8000/",
        "http://[::1]:8000/",
        "http://127.0.0.1/",
    ] {
        assert_eq!(decision(url), Decision::Allow, "{url}");
        assert!(loopback_port(url).is_some(), "{url}");
    }
    for url in [
        "http://127.0.0.1:8001/",
        "https://127.0.0.1/",
        "http://127.0.0.2:8000/",
        "http://0.0.0.0:8000/",
        "http://own.localhost:8000/",
        "http://localtest.me:8000/",
        "http://[::ffff:127.0.0.1]:8000/",
        "http://user@127.0.0.1:8000/",
        "http://2130706433:8000/",
    ] {
        assert_ne!(decision(url), Decision::Allow, "{url}");
    }
    assert_eq!(loopback_port("http://own.localhost:8000/"), None);
    assert_eq!(loopback_port("file:///etc/passwd"), None);
}

#[test]
fn entries_name_what_they_say_and_no_more() {
    for (entry, url) in [
        ("example.com", "https://example.com:443/x"),
        ("Example.COM", "https://example.com/"),
        ("https://example.com", "https://example.com/x"),
        ("https://example.com/", "https://example.com/x"),
        ("https://example.com/app/", "https://example.com/app/x?y=../z"),
        ("https://example.com/app/", "https://example.com/app/a/../100%25//x"),
        ("http://example.com", "http://example.com/"),
        ("*.example.com", "https://a.b.example.com/"),
        ("*.example.com:8443", "https://a.example.com:8443/"),
        ("evil.github.io", "https://evil.github.io/"),
        ("localhost:3000", "https://localhost:3000/"),
        ("10.0.0.5", "https://10.0.0.5/"),
        ("nothing", "about:blank"),
    ] {
        assert!(is_allowed(&[entry], url), "{entry} names {url}");
    }
    for (entry, url) in [
        ("*", "https://example.com/"),
        ("*.com", "https://example.com/"),
        ("*.co.uk", "https://example.co.uk/"),
        ("co.uk", "https://co.uk/"),
        ("github.io", "https://github.io/"),
        ("*.example", "https://a.example/"),
        ("*.localhost", "https://a.localhost/"),
        ("a.*.example.com", "https://a.b.example.com/"),
        ("*.*.example.com", "https://a.b.example.com/"),
        ("*.example.com", "https://example.com/"),
        ("example.com/", "https://example.com/"),
        ("example.com.", "https://example.com/"),
        ("", "https://example.com/"),
        ("user@example.com", "https://example.com/"),
        ("https://example.com?x", "https://example.com/"),
        ("http://*.example.com", "http://a.example.com/"),
        ("ftp://example.com", "ftp://example.com/"),
        ("http://example.com", "https://example.com/"),
        ("https://example.com/app/", "https://example.com/application"),
        ("https://example.com/app/", "https://example.com/app/..%2fadmin"),
        ("https://example.com/app/", "https://example.com/app/%252e%252e/admin"),
        ("http://127.0.0.1:8080", "http://127.1:8080/"),
        ("http://127.0.0.1:8080", "http://0x7f000001:8080/"),
        ("bücher.example", "https://bu\u{308}cher.example/"),
        ("fish.example", "https://\u{fb01}sh.example/"),
    ] {
        assert!(!is_allowed(&[entry], url), "{entry} does not name {url}");
    }
}

#[test]
fn only_public_addresses_are_connected_to_but_for_named_local_hosts() {
    let judged = |entry: &str, address: &str| judge_address(entry, address.parse().unwrap()).is_ok();
    for address in ["93.184.216.34", "1.1.1.1", "2606:4700::1111"] {
        assert!(judged("example.com", address), "{address}");
    }
    for address in [
        "0.0.0.0",
        "10.0.0.1",
        "100.64.0.1",
        "127.0.0.1",
        "169.254.169.254",
        "172.31.0.1",
        "192.168.1.1",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "168.63.129.16",
        "::",
        "::1",
        "fe80::1",
        "fc00::1",
        "ff02::1",
        "::ffff:1.1.1.1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2001::1",
        "2001:db8::1",
        "::7f00:1",
        "100::1",
        "fd00:ec2::254",
    ] {
        assert!(!judged("example.com", address), "{address}");
    }
    assert!(judged("http://localhost:3000", "127.0.0.1"));
    assert!(judged("http://localhost:3000", "::1"));
    assert!(!judged("http://localhost:3000", "10.0.0.1"));
    assert!(judged("http://10.0.0.5", "10.0.0.5"));
    assert!(!judged("http://10.0.0.5", "10.0.0.6"));
    assert!(judged("http://printer.local", "192.168.1.9"));
    assert!(!judged("http://metadata.google.internal", "169.254.169.254"));
    assert!(!judged("*.example.com", "127.0.0.1"));
}

#[test]
fn redirects_lead_to_the_text_that_is_judged_next() {
    let next = |location| follow("https://example.com/a/b", location);
    assert_eq!(next("c").unwrap(), "https://example.com/a/c");
    assert_eq!(next("//evil.example/x").unwrap(), "https://evil.example/x");
    assert_eq!(next("javascript:x").unwrap(), "javascript:x");
    for location in ["/\\evil.example", "\\\\evil.example", "/x\ny", " /x"] {
        assert!(next(location).is_err(), "{location:?}");
    }
}

#[test]
fn a_chain_of_redirects_ends_and_every_look_up_counts() {
    let decision = |setup: serde_json::Value| {
        let line = json!({"id": 1, "tool": "url", "input": "https://example.com/", "allow_hosts": ["example.com"],
            "setup": setup});
        case(&line.to_string()).decision
    };
    let hops = |count: usize| vec!["/x"; count];
    assert_eq!(decision(json!({"redirects": hops(20)})), CheckDecision::Allow);
    assert_eq!(decision(json!({"redirects": hops(21)})), CheckDecision::Deny);
    assert_eq!(
        decision(json!({"resolver": {"example.com": [["1.1.1.1"], ["2606:4700::1111"]]}})),
        CheckDecision::Allow
    );
    assert_eq!(
        decision(json!({"resolver": {"example.com": [["1.1.1.1"], ["127.0.0.1"]]}})),
        CheckDecision::Deny
    );
    assert_eq!(decision(json!({"resolver": {"example.com": [["1.1.1.1", "::1"]]}})), CheckDecision::Deny);
    assert_eq!(decision(json!({"resolver": {}})), CheckDecision::Deny);
    assert_eq!(decision(json!({"then": {"a": "about:blank", "b": "/x"}})), CheckDecision::Allow);
    assert_eq!(decision(json!({"then": {"a": "blob:https://example.com/1"}})), CheckDecision::Deny);
    assert_eq!(decision(json!({"context": "elsewhere"})), CheckDecision::Ask);
}

#[test]
fn a_password_is_not_shown() {
    let access = UrlAccess { url: "https://me:hunter2@example.com/".to_owned(), subresource: false };
    let part = judge(&situation(&["example.com"]), &access);
    assert_eq!(part.decision, Decision::Deny);
    assert!(!format!("{part:?}").contains("hunter2"));
}

#[test]
fn lines_that_are_no_cases_ask_and_never_crash() {
    for line in [
        "",
        "null",
        "[]",
        "{}",
        "{\"id\":7}",
        "{\"tool\":1}",
        "{\"tool\":\"read\"}",
        "\u{0}",
        "{\"tool\":\"fly\"}",
    ] {
        assert_eq!(case(line).decision, CheckDecision::Ask, "{line}");
    }
    for line in [r#"{"id": 7, "tool": "read"}"#, r#"{"id": 7, "tool": "read", "input": "\udc00"}"#] {
        assert_eq!(case(line).id, json!(7));
        assert_eq!(case(line).decision, CheckDecision::Ask);
    }
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => proptest::sample::select(vec![
            "https", "http", "://", ":", "/", "//", "\\", "@", "?", "#", ".", "..", "%2e", "%00", "example.com",
            "evil.example", "docs.", "www", "443", "8443", ":8443", "127.0.0.1", "[::1]", "localhost", "\t", "\n", " ",
            "\u{3002}", "\u{ff0e}", "\u{ad}", "\u{200b}", "*", "app", "user", "xn--", "ｅ",
        ])
        .prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop_oneof![
        proptest::collection::vec(piece.clone(), 0..10).prop_map(|pieces| pieces.concat()),
        // A single piece inserted anywhere into an allowed address.
        (0..20_usize, piece).prop_map(|(place, piece)| {
            let mut text = "https://example.com/".to_owned();
            text.insert_str(place, &piece);
            text
        }),
    ]
}

#[test]
fn no_text_is_allowed_that_leads_to_another_origin() {
    let situation = situation(&["example.com", "*.docs.example.com"]);
    let config = ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(text in text(), subresource in any::<bool>())| {
        let part = judge(&situation, &UrlAccess { url: text.clone(), subresource });
        if part.decision == Decision::Allow && !text.eq_ignore_ascii_case("about:blank") {
            let url = url::Url::parse(&text).unwrap();
            let host = url.host_str().unwrap();
            prop_assert_eq!(url.scheme(), "https");
            prop_assert_eq!(url.port(), None);
            prop_assert!(host == "example.com" || host.ends_with(".docs.example.com"));
            prop_assert!(url.username().is_empty() && url.password().is_none());
            prop_assert_eq!(origin(&text), Some(format!("https://{host}")));
        }
        let _ = follow("https://example.com/", &text);
    });
}
