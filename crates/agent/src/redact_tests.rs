//! Forty shapes of secrets go, and what looks like them stays.

use super::*;
use deputy_protocol::CallStatus;
use deputy_testkit::secrets::{letters, shapes};

#[test]
fn every_shape_of_secret_goes_and_what_stands_around_it_stays() {
    let secrets = shapes();
    assert!(secrets.len() >= 40);
    for (shown, secret) in &secrets {
        // As it is, between others, and as `grep` and a reader that numbers lines show it.
        let named = shown.replace('\n', "\nlogs/app.log:12:");
        let numbered = shown.replace('\n', "\n  12\t");
        for shown in [
            shown.clone(),
            format!("first line\n{shown}\nlast line"),
            format!("first line\nlogs/app.log:11:{named}"),
            format!("first line\n  11\t{numbered}"),
        ] {
            let redacted = text(&shown);
            assert!(
                !redacted.contains(secret.as_str()) && redacted.contains(REDACTED),
                "{shown}\n-> {redacted}"
            );
            // Not the longer half of it either.
            assert!(!redacted.contains(&secret[secret.len() / 2..]), "{shown}\n-> {redacted}");
            assert_eq!(text(&redacted), redacted, "again changes nothing");
            if shown.starts_with("first") {
                assert!(redacted.starts_with("first line\n"), "{redacted}");
            }
        }
    }
}

#[test]
fn what_looks_like_a_secret_stays() {
    let harmless = [
        "commit 3f2504e04f8941d39a0c0305e82c3301b0e1f2a3".to_owned(),
        "a blake3 digest af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262".into(),
        "id 3f2504e0-4f89-41d3-9a0c-0305e82c3301".into(),
        "integrity sha512-YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXoxMjM0NTY3ODkwYWJjZGVmZ2hpamtsbW5vcA==".into(),
        format!("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{} me@host", letters(43)),
        format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----", letters(64)),
        format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----", letters(64)),
        "let token = parser.next_token();".into(),
        "fn password(&self) -> Option<&str>".into(),
        "    password: String,".into(),
        "let secret = \"\";".into(),
        "token: self.tokens[index1],".into(),
        "PASSWORD=$1".into(),
        "API_KEY=${API_KEY_2}".into(),
        "API_KEY=<your-key-1>".into(),
        "api_key_env = \"OPENAI_API_KEY\"".into(),
        "max_tokens = 200000".into(),
        "the password is asked for at the prompt".into(),
        "Password: ".into(),
        "https://example.org:8080/a@b".into(),
        "https://user@example.org/repo.git".into(),
        "git@github.com:owner/repo.git".into(),
        "http://127.0.0.1:9120/approve".into(),
        "class=\"sk-circle-fade-dot-one sk-chase\"".into(),
        "scikit-learn sk-learn task-12345678901234567890".into(),
        "2026-11-21T23:14:42.123456789Z 192.168.10.20:5432".into(),
        "/usr/share/doc/libgnutls30/changelog.Debian.gz".into(),
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk".into(),
        "eyJ is how many tokens begin".into(),
        "AKIA is how access keys begin, ghp_ and sk- are others".into(),
        "bearer of good news".into(),
        "checksum = \"0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0\"".into(),
        "Bearer token authentication".into(),
        "TOKEN_COUNT=12345678".into(),
        "tokenizer = \"cl100k_base\"".into(),
        "\"token_url\": \"https://example.org/oauth2/token\"".into(),
        "private_key_path: \"~/keys/deploy-1\"".into(),
        "DATABASE_URL=postgres://app:${DB_PASSWORD}@db/app".into(),
        "proxy = \"http://%s:%s@proxy\"".into(),
        "\"@types/js-tokens\": \"^10.11.12\",".into(),
        "index 3f2504e..af1349b 100644".into(),
        "f47ac10b-58cc-4372-a567-0e02b2c3d479.lock".into(),
        format!("-----BEGIN PGP SIGNATURE-----\n\n{}\n-----END PGP SIGNATURE-----", letters(64)),
        format!("{}+/{}==", letters(400), letters(38)),
    ];
    for shown in harmless {
        assert_eq!(text(&shown), shown);
    }
}

#[test]
fn every_shape_compiles() {
    for shape in WHOLE.iter().chain([&PRIVATE_KEY]).chain(INSIDE).chain(ASSIGNED) {
        assert!(Regex::new(shape).is_ok(), "{shape}");
    }
    assert!(SHAPES.whole.is_some() && SHAPES.inside.len() == INSIDE.len());
    assert_eq!(SHAPES.assigned.len(), ASSIGNED.len());
}

#[test]
fn both_texts_of_a_result_are_redacted() {
    let secret = format!("ghp_{}", letters(36));
    let shown = ToolResult {
        summary: format!("found {secret}"),
        ..ToolResult::new(CallStatus::Ok, format!("1: {secret}"))
    };
    let redacted = result(shown);
    assert_eq!(
        (redacted.content.as_str(), redacted.summary.as_str()),
        ("1: [redacted by Deputy]", "found [redacted by Deputy]")
    );
}

#[test]
fn the_mark_is_read_and_searched_for_but_not_written() {
    let write = serde_json::json!({"action": "write", "content": [format!("a\npassword={REDACTED}\n")]});
    assert!(would_write_mark(&write, Effect::ReadOnly).is_none());
    for effect in [Effect::Idempotent, Effect::Mutating] {
        assert!(would_write_mark(&write, effect).is_some());
        assert!(would_write_mark(&serde_json::json!({"content": "[redacted]"}), effect).is_none());
    }
}

#[test]
fn a_difference_shows_what_a_call_brings_and_not_what_the_file_held() {
    for (shown, secret) in shapes() {
        let held: String = shown.lines().map(|line| format!(" {line}\n")).collect();
        let removed: String = shown.lines().map(|line| format!("-{line}\n")).collect();
        for before in [held, removed] {
            let diff = format!("--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n colour\n{before}-old\n+new\n");
            let told = difference(&diff);
            let line = secret.lines().max_by_key(|line| line.len()).unwrap();
            assert!(!told.contains(line) && told.contains(REDACTED), "{diff}\n-> {told}");
            assert!(told.starts_with("--- a/x\n+++ b/x\n") && told.ends_with("-old\n+new\n"), "{told}");
        }
    }
    // A line is changed around a secret that stays: it came from the file.
    let around = "-api_key = \"Zq8rT2vXw9LmN4pK\" # old\n+api_key = \"Zq8rT2vXw9LmN4pK\" # new\n";
    assert_eq!(
        difference(around),
        format!("-api_key = \"{REDACTED}\" # old\n+api_key = \"{REDACTED}\" # new\n")
    );
    let brought = "-api_key = \"\"\n+api_key = \"Zq8rT2vXw9LmN4pK\"\n";
    assert_eq!(difference(brought), brought, "what the person is asked about is shown");
    let two = " a_token = \"Zq8rT2vXw9LmN4pK\"\n b_token = \"Hx7mK3pQ9sW2vB5n\"\n-x\n+y\n";
    assert_eq!(difference(two), format!(" a_token = \"{REDACTED}\"\n b_token = \"{REDACTED}\"\n-x\n+y\n"));
}
