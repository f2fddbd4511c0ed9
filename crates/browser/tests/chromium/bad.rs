//! Faults of pages, servers and the browser itself. Each is a clear error, and the browser remains usable.

use crate::site::{Only, Site, html, reference};
use deputy_browser::{Browser, BrowserError, Info, Until};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// Returns the descendants of this process, with their commands.
fn below() -> Vec<(i32, String)> {
    let number = |text: &str| text.parse::<i32>().ok();
    let mut found = Vec::new();
    let mut parents = vec![std::process::id().to_string()];
    while let Some(parent) = parents.pop() {
        let threads = std::fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
        for children in threads.map(|thread| thread.path().join("children")) {
            for child in std::fs::read_to_string(children).unwrap_or_default().split_whitespace() {
                let command =
                    std::fs::read(PathBuf::from("/proc").join(child).join("cmdline")).unwrap_or_default();
                found.extend(
                    number(child).map(|id| (id, String::from_utf8_lossy(&command).replace('\0', " "))),
                );
                parents.push(child.to_owned());
            }
        }
    }
    found
}

/// Waits until a condition holds.
async fn until(what: &str, is_so: impl Fn() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), waiting).await.unwrap_or_else(|_| panic!("{what}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_without_end_is_told_and_the_next_page_opens_in_a_new_tab() {
    let site =
        Site::new(|target| (target == "/busy").then(|| html("<button onclick='for(;;);'>Hang</button>")))
            .await;
    let browser = Browser::open(Arc::new(Only(vec![site.origin()]))).await.unwrap();
    let page = browser.navigate(&site.url("/busy"), Until::Loaded).await.unwrap();
    let hung = browser.click(&reference(&page, "\"Hang\""), &Info::default()).await.unwrap_err().to_string();
    assert!(hung.contains("it may be busy with a script without end"), "{hung}");
    let next = browser.navigate(&site.url("/about.html"), Until::Loaded).await.unwrap();
    assert_eq!(next.now.title, "About");
    until("the tab that hangs stays", || browser.tabs().len() == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_element_that_was_replaced_is_stale_and_its_successor_is_not_clicked() {
    const BUTTON: &str = "<button onclick='document.title = 1'>Pay 1</button>";
    let site = Site::new(|target| (target == "/").then(|| html(BUTTON))).await;
    let browser = Browser::open(Arc::new(Only(vec![site.origin()]))).await.unwrap();
    let page = browser.navigate(&site.url("/"), Until::Loaded).await.unwrap();
    let old = reference(&page, "\"Pay 1\"");
    let replaced = "document.body.innerHTML = '<button onclick=\"document.title = 1000\">Pay 1000</button>'";
    let (_, now) = browser.evaluate(replaced, false).await.unwrap();
    let stale = browser.click(&old, &Info::default()).await.unwrap_err().to_string();
    assert!(stale.contains(&format!("there is no {old} on this page")), "{stale}");
    // If an element removes itself under the mouse, what takes its place is not clicked.
    let moves = "document.querySelector('button').onmousemove = e => { e.target.remove() }";
    browser.evaluate(moves, false).await.unwrap();
    let told =
        browser.click(&reference(&now, "\"Pay 1000\""), &Info::default()).await.unwrap_err().to_string();
    assert!(told.contains("was in its place, so the input was blocked"), "{told}");
    assert_eq!(browser.snapshot().await.unwrap().title, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_of_a_page_are_dismissed_and_told() {
    const ASKS: &str =
        "<button onclick='document.title = [confirm(\"Sure?\"), prompt(\"Who?\")]'>Ask</button>";
    let site = Site::new(|target| (target == "/").then(|| html(ASKS))).await;
    let browser = Browser::open(Arc::new(Only(vec![site.origin()]))).await.unwrap();
    let page = browser.navigate(&site.url("/"), Until::Loaded).await.unwrap();
    let asked = browser.click(&reference(&page, "\"Ask\""), &Info::default()).await.unwrap();
    assert_eq!(asked.now.title, "false,");
    let dismissed = ["confirm: \"Sure?\"", "prompt: \"Who?\""];
    assert_eq!(asked.notes, dismissed.map(|what| format!("The page asked by a {what}; it was dismissed")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_a_hundred_megabytes_is_an_answer_or_an_error_and_the_next_one_opens() {
    const LINE: &str = "<p>The same hundred characters again and again, so that it takes long to lay out, and longer to read.</p>\n";
    let site =
        Site::new(|target| (target == "/huge").then(|| html(LINE.repeat(100_000_000 / LINE.len())))).await;
    let gate = || Arc::new(Only(vec![site.origin()]));
    let mut browser = Browser::open(gate()).await.unwrap();
    if let Err(error) = browser.navigate(&site.url("/huge"), Until::Loaded).await {
        let (told, is_over) = (error.to_string(), browser.is_gone());
        assert!(
            ["did not answer", "did not open", "crashed", "has ended", "MB of memory, so"]
                .iter()
                .any(|says| told.contains(says)),
            "{told}"
        );
        if is_over {
            browser = Browser::open(gate()).await.unwrap();
        }
    }
    let next = browser.navigate(&site.url("/about.html"), Until::Loaded).await.unwrap();
    assert_eq!(next.now.title, "About");
}

/// Serves an endless file. Returns the address and the number of clients that are still reading.
async fn endless() -> (String, Arc<AtomicUsize>) {
    use std::sync::atomic::Ordering::SeqCst;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let open = Arc::<std::sync::atomic::AtomicUsize>::default();
    let count = open.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let count = count.clone();
            tokio::spawn(async move {
                let mut head = vec![0; 4096];
                let read = stream.read(&mut head).await.unwrap_or(0);
                if !head[..read].starts_with(b"GET /file") {
                    let page = "<a href=/file>Get</a>";
                    let answer = format!(
                        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{page}",
                        page.len()
                    );
                    let _ = stream.write_all(answer.as_bytes()).await;
                    return;
                }
                count.fetch_add(1, SeqCst);
                let head = b"HTTP/1.1 200 OK\r\ncontent-disposition: attachment; filename=endless.bin\r\nconnection: close\r\n\r\n";
                let chunk = vec![7; 1 << 20];
                if stream.write_all(head).await.is_ok() {
                    while stream.write_all(&chunk).await.is_ok() {}
                }
                count.fetch_sub(1, SeqCst);
            });
        }
    });
    (origin, open)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_download_without_end_is_ended_at_its_bound() {
    let (origin, open) = endless().await;
    let browser = Browser::open(Arc::new(Only(vec![origin.clone()]))).await.unwrap();
    let page = browser.navigate(&format!("{origin}/"), Until::Loaded).await.unwrap();
    let link = reference(&page, "\"Get\"");
    let error = browser.download(&link, &Info::default()).await.unwrap_err().to_string();
    assert_eq!(
        error,
        "the browser could not do it: endless.bin was not downloaded: it is larger than 100 MB"
    );
    until("the server still sends", || open.load(std::sync::atomic::Ordering::SeqCst) == 0).await;
    assert!(browser.snapshot().await.unwrap().lines.iter().any(|line| line.contains("Get")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_nobody_vouches_for_opens_nothing() {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let key = rustls::pki_types::PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    let config =
        rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key.into())
            .unwrap();
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("https://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move { acceptor.accept(stream).await.map(drop) });
        }
    });
    let browser = Browser::open(Arc::new(Only(vec![origin.clone()]))).await.unwrap();
    let error = browser.navigate(&format!("{origin}/"), Until::Loaded).await.unwrap_err().to_string();
    assert!(error.contains("its certificate is not trusted (net::ERR_CERT_AUTHORITY_INVALID)"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_is_killed_is_told_and_leaves_nothing() {
    let site = Site::new(|_| None).await;
    let browser = Browser::open(Arc::new(Only(vec![site.origin()]))).await.unwrap();
    browser.navigate(&site.url("/about.html"), Until::Loaded).await.unwrap();
    let is_it = |command: &str| command.contains("--user-data-dir=") && !command.contains("--type=");
    let chromium = below().into_iter().rfind(|(_, command)| is_it(command)).expect("it runs");
    let killed = rustix::process::Pid::from_raw(chromium.0).unwrap();
    rustix::process::kill_process(killed, rustix::process::Signal::KILL).unwrap();
    until("the browser is not seen to be gone", || browser.is_gone()).await;
    let told = browser.snapshot().await.unwrap_err().to_string();
    assert_eq!(told, "the browser has ended; `browser_navigate` starts a new one");
    drop(browser);
    until("something of it still runs", || below().iter().all(|(_, command)| !command.contains("chromium")))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_is_let_go_of_leaves_no_process_and_no_profile() {
    let site = Site::new(|_| None).await;
    let browser = Browser::open(Arc::new(Only(vec![site.origin()]))).await.unwrap();
    browser.navigate(&site.url("/about.html"), Until::Loaded).await.unwrap();
    let commands = below();
    let (_, command) = commands.iter().find(|(_, command)| command.contains("--user-data-dir=")).unwrap();
    let profile = command.split("--user-data-dir=").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    assert!(PathBuf::from(&profile).is_dir());
    drop(browser);
    until("something of it still runs", || below().iter().all(|(_, command)| !command.contains("chromium")))
        .await;
    assert!(!PathBuf::from(&profile).exists());
}

/// A page whose processes are killed while it loads: as often as `deaths`, at most.
async fn dying(deaths: usize) -> (Site, Arc<AtomicUsize>) {
    let loaded = Arc::new(AtomicUsize::new(0));
    let loads = loaded.clone();
    let site = Site::new(move |target| match target {
        "/dying" => Some(html("<title>Alive</title><p>Here</p><script src=/part></script>")),
        "/part" => {
            if loads.fetch_add(1, Ordering::SeqCst) < deaths {
                for (page, command) in below() {
                    if command.contains("--type=renderer") {
                        let page = rustix::process::Pid::from_raw(page).unwrap();
                        // Another one may have ended by itself.
                        let _ = rustix::process::kill_process(page, rustix::process::Signal::KILL);
                    }
                }
            }
            Some(html(""))
        }
        _ => None,
    })
    .await;
    (site, loaded)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_crashes_is_opened_once_more_and_no_oftener() {
    let (site, loaded) = dying(1).await;
    let browser = Browser::open(Arc::new(Only(vec![site.origin()]))).await.unwrap();
    let page = browser.navigate(&site.url("/dying"), Until::Loaded).await.unwrap();
    assert_eq!((page.now.title.as_str(), loaded.load(Ordering::SeqCst)), ("Alive", 2));
    drop(browser);

    let (site, loaded) = dying(usize::MAX).await;
    let browser = Browser::open(Arc::new(Only(vec![site.origin()]))).await.unwrap();
    let error = browser.navigate(&site.url("/dying"), Until::Loaded).await.unwrap_err();
    assert!(matches!(error, BrowserError::Crashed), "{error}");
    assert_eq!(loaded.load(Ordering::SeqCst), 2);
    // The browser still opens the next page.
    assert_eq!(browser.navigate(&site.url("/about.html"), Until::Loaded).await.unwrap().now.title, "About");
}
