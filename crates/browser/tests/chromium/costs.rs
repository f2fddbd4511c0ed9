//! The costs of a page for a model and for Deputy: the length of outlines compared to the page's HTML, and memory use
//! over many actions.

use crate::site::{Only, Site, html, reference, shop};
use deputy_browser::{Browser, Info, Until};
use std::sync::Arc;

#[tokio::test(flavor = "multi_thread")]
async fn an_outline_is_at_most_a_tenth_of_the_html() {
    let page = shop(2000);
    let served = page.clone();
    let site = Site::new(move |target| (target == "/shop").then(|| html(&served))).await;
    let browser = Browser::open(Arc::new(Only(vec![site.origin()]))).await.unwrap();
    let shown = browser.navigate(&site.url("/shop"), Until::Loaded).await.unwrap();
    let outline = shown.now.lines.join("\n");
    assert!(outline.contains("Pear 249") && outline.contains("button \"Add pear 249\""), "{outline:.2000}");
    println!("{} characters of outline, {} of HTML", outline.len(), page.len());
    assert!(outline.len() * 10 <= page.len(), "{} of {}", outline.len(), page.len());
}

/// Returns the resident memory of this process, in bytes.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    statm.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_actions_take_no_more_memory_than_the_first_ones() {
    const COUNTER: &str = "<input aria-label=Name><button onclick='n.textContent=+n.textContent+1'>More</button><p id=n>0</p>\
        <button onclick='this.replaceWith(this.cloneNode(true))'>Renew</button>";
    let site = Site::new(|target| (target == "/count").then(|| html(COUNTER))).await;
    let browser = Browser::open(Arc::new(Only(vec![site.origin()]))).await.unwrap();
    let page = browser.navigate(&site.url("/count"), Until::Loaded).await.unwrap();
    let (name, more) = (reference(&page, "\"Name\""), reference(&page, "\"More\""));
    let none = Info::default();
    let mut now = page;
    let mut after_first = 0;
    for round in 0..75 {
        browser.fill(&name, &format!("Ada {round}"), &none).await.unwrap();
        now = browser.click(&reference(&now, "\"Renew\""), &none).await.unwrap();
        browser.click(&more, &none).await.unwrap();
        if round == 8 {
            after_first = resident();
        }
    }
    assert!(browser.snapshot().await.unwrap().lines.iter().any(|line| line == "75"));
    let grown = resident().saturating_sub(after_first);
    println!("{grown} bytes more after 198 actions than after 27");
    // The allocator's own memory varies by a few pages. A leak per action would show up 170 times.
    assert!(grown < 2 * 1024 * 1024, "{grown} bytes more");
}
