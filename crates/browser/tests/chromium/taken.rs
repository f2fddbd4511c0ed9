//! A person takes over the browser: the same profile in a window on a virtual display, and back.

use crate::site::{Only, Site, answer, html};
use deputy_browser::{Browser, Display, Until};
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use tempfile::NamedTempFile;

/// A virtual display for a test. Its key file must outlive the server, which reads it again whenever its last client
/// disconnects, and which without a key accepts every program of this account.
struct Desktop(Child, Display, #[expect(dead_code, reason = "kept for the server")] NamedTempFile);

impl Drop for Desktop {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Desktop {
    fn new() -> Self {
        let mut server = Command::new("Xvfb");
        let keys = NamedTempFile::new().unwrap();
        // Family `any`, no address, no number, and the cookie. Each test has its own cookie, because another test's
        // server may reuse the number of a display that ended.
        let cookie = u128::from(std::process::id()).to_ne_bytes();
        let entry = [b"\xff\xff\0\0\0\0\0\x12MIT-MAGIC-COOKIE-1\0\x10".as_slice(), &cookie].concat();
        std::fs::write(keys.path(), entry).unwrap();
        server
            .args(["-displayfd", "1", "-screen", "0", "1300x950x24", "-nolisten", "tcp", "-auth"])
            .arg(keys.path());
        let mut server =
            server.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("Xvfb is installed");
        let (mut number, mut byte) = (String::new(), [0]);
        let mut says = server.stdout.take().unwrap();
        while says.read(&mut byte).unwrap() == 1 && byte != *b"\n" {
            number.push(byte[0].into());
        }
        let name = format!(":{number}");
        let display = Display::named_by(|variable| match variable {
            "DISPLAY" => Some(name.clone().into()),
            "XAUTHORITY" => Some(keys.path().into()),
            _ => None,
        });
        Self(server, display.expect("its socket is there"), keys)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_signed_in_in_the_window_is_signed_in_afterwards() {
    const COOKIES: &str = "set-cookie: session=1; Path=/\r\nset-cookie: lasting=2; Path=/; Max-Age=3600\r\ncontent-type: text/html\r\n";
    const STORES: &str = "<title>In</title><script>localStorage.kept = 'yes'</script>";
    let site = Site::new(|target| match target {
        "/in" => Some(answer("200 OK", COOKIES, STORES)),
        "/who" => {
            Some(html("<p id=p></p><script>p.textContent = [document.cookie, localStorage.kept]</script>"))
        }
        _ => None,
    })
    .await;
    let gate = || Arc::new(Only(vec![site.origin()]));
    let desktop = Desktop::new();
    let browser = Browser::open(gate()).await.unwrap();
    browser.navigate(&site.url("/about.html"), Until::Loaded).await.unwrap();
    let left = browser.leave().await;
    assert!(browser.is_gone());
    drop(browser);

    let window = Browser::open_again(&left, gate(), Some(&desktop.1)).await.unwrap();
    assert_eq!(window.url(), Some(site.url("/about.html")));
    // The window is visible on the display.
    let (value, _) = window.evaluate("[document.visibilityState, outerWidth > 500]", false).await.unwrap();
    assert_eq!(value, r#"["visible",true]"#);
    // The person signs in.
    window.navigate(&site.url("/in"), Until::Loaded).await.unwrap();
    let left = window.leave().await;
    drop(window);

    let browser = Browser::open_again(&left, gate(), None).await.unwrap();
    assert_eq!(browser.url(), Some(site.url("/in")));
    let who = browser.navigate(&site.url("/who"), Until::Loaded).await.unwrap();
    let line = who.now.lines.join(" ");
    for kept in ["session=1", "lasting=2", "yes"] {
        assert!(line.contains(kept), "{line}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_the_person_closes_leaves_what_they_did() {
    let site = Site::new(|target| {
        let closes = "set-cookie: session=1\r\ncontent-type: text/html\r\n";
        (target == "/in").then(|| answer("200 OK", closes, "<title>In</title>"))
    })
    .await;
    let gate = || Arc::new(Only(vec![site.origin()]));
    let desktop = Desktop::new();
    let browser = Browser::open(gate()).await.unwrap();
    browser.navigate(&site.url("/about.html"), Until::Loaded).await.unwrap();
    let window = Browser::open_again(&browser.leave().await, gate(), Some(&desktop.1)).await.unwrap();
    window.navigate(&site.url("/in"), Until::Loaded).await.unwrap();
    window.close(1).await.unwrap();
    window.closed_by_person().await;
    let left = window.leave().await;
    assert_eq!(left.url, Some(site.url("/in")));
    let browser = Browser::open_again(&left, gate(), None).await.unwrap();
    let (cookies, _) = browser.evaluate("document.cookie", false).await.unwrap();
    assert_eq!(cookies, "session=1");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_display_that_is_private_to_another_is_an_error_and_the_profile_stays() {
    let site = Site::new(|_| None).await;
    let gate = || Arc::new(Only(vec![site.origin()]));
    let mut desktop = Desktop::new();
    desktop.0.kill().unwrap();
    desktop.0.wait().unwrap();
    let browser = Browser::open(gate()).await.unwrap();
    browser.navigate(&site.url("/about.html"), Until::Loaded).await.unwrap();
    let left = browser.leave().await;
    let failed = Browser::open_again(&left, gate(), Some(&desktop.1)).await.err().unwrap().to_string();
    assert!(failed.contains("did not start"), "{failed}");
    let browser = Browser::open_again(&left, gate(), None).await.unwrap();
    assert_eq!(browser.url(), Some(site.url("/about.html")));
}
