//! Pages that take more than their share: tabs without end, and memory without end.

use crate::site::{Only, Site, html, reference};
use deputy_browser::{Browser, BrowserError, Info, Until};
use std::sync::Arc;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_open_tabs_without_end_are_all_closed_and_the_next_page_opens() {
    // Each of them opens more, also those that are opened.
    const OPENS: &str = "<button onclick='for (let i = 0; i < 200; i++) window.open(location.href)'>Go</button>\
        <script>if (opener) for (let i = 0; i < 200; i++) window.open(location.href)</script>";
    let site = Site::new(|target| (target == "/popups").then(|| html(OPENS))).await;
    let browser = Browser::open(Arc::new(Only(vec![site.origin()]))).await.unwrap();
    let page = browser.navigate(&site.url("/popups"), Until::Loaded).await.unwrap();
    // How far it gets until the click is over is the page's affair.
    let _ = browser.click(&reference(&page, "\"Go\""), &Info::default()).await;
    let flooded = async {
        while !matches!(browser.snapshot().await, Err(BrowserError::Flooded)) {
            assert!(browser.tabs().len() <= 8, "{:?}", browser.tabs());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), flooded).await.expect("all tabs are closed");
    let told = browser.snapshot().await.unwrap_err().to_string();
    assert!(told.contains("opened tabs without end, so all of them were closed"), "{told}");
    let next = browser.navigate(&site.url("/about.html"), Until::Loaded).await.unwrap();
    assert_eq!(next.now.title, "About");
    assert_eq!(browser.tabs().len(), 1, "{:?}", browser.tabs());
    // A page may still open a few.
    let opened = browser.click(&reference(&next, "Shop in a new tab"), &Info::default()).await.unwrap();
    assert_eq!(opened.now.title, "The Orchard");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_eats_memory_is_ended_and_the_browser_is_not() {
    const EATS: &str = "<button onclick='const all = []; setInterval(() => all.push(new Uint8Array(1 << 27).fill(1)), 1)'>Eat</button>";
    let site = Site::new(|target| (target == "/eats").then(|| html(EATS))).await;
    let browser = Browser::open(Arc::new(Only(vec![site.origin()]))).await.unwrap();
    let page = browser.navigate(&site.url("/eats"), Until::Loaded).await.unwrap();
    let _ = browser.click(&reference(&page, "\"Eat\""), &Info::default()).await;
    let eaten = async {
        loop {
            match browser.snapshot().await {
                Err(BrowserError::Silent(_)) | Ok(_) => tokio::time::sleep(Duration::from_millis(20)).await,
                Err(error) => return error.to_string(),
            }
        }
    };
    let told = tokio::time::timeout(Duration::from_secs(120), eaten).await.expect("it is ended");
    assert!(told.contains("of memory, so this page was ended"), "{told}");
    assert!(!browser.is_gone());
    let next = browser.navigate(&site.url("/about.html"), Until::Loaded).await.unwrap();
    assert_eq!(next.now.title, "About");
}
