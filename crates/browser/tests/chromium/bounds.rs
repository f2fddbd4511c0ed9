//! Pages that keep opening tabs or allocating memory.

use crate::site::{Only, Site, html, reference};
use deputy_browser::{Browser, BrowserError, Info, Until};
use std::sync::Arc;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_opens_windows_without_end_gets_a_few_and_the_next_page_opens() {
    // Each page opens more pages, which do the same. The browser itself allows a few per click.
    const OPENS: &str = "<button onclick='for (let i = 0; i < 200; i++) window.open(location.href)'>Go</button>\
        <script>if (opener) for (let i = 0; i < 200; i++) window.open(location.href)</script>";
    let site = Site::new(|target| (target == "/popups").then(|| html(OPENS))).await;
    let browser = Browser::open(Arc::new(Only(vec![site.origin()]))).await.unwrap();
    for _ in 0..3 {
        let page = browser.navigate(&site.url("/popups"), Until::Loaded).await.unwrap();
        let _ = browser.click(&reference(&page, "\"Go\""), &Info::default()).await;
        assert!(browser.tabs().len() <= 8, "{:?}", browser.tabs());
    }
    let next = browser.navigate(&site.url("/about.html"), Until::Loaded).await.unwrap();
    assert_eq!(next.now.title, "About");
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
