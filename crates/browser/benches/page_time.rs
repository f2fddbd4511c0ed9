//! Measures Deputy's own time on a page with 2,000 elements: to open and read it, to read it again, and to act on it,
//! without the time that the browser needs to load it. Prints the median and the tenth percentile.
#![allow(clippy::unwrap_used, clippy::expect_used, dead_code)] // A bench that fails ends.

#[path = "../tests/chromium/site.rs"]
mod site;

use deputy_browser::{Browser, Info, Until};
use site::{Only, Site, html, reference, shop};
use std::sync::Arc;
use std::time::{Duration, Instant};

const ROUNDS: usize = 20;
/// The load time that the page itself reports.
const LOAD: &str = "{ const [n] = performance.getEntriesByType('navigation'); n.loadEventEnd - n.startTime }";

#[tokio::main]
async fn main() {
    let page = shop(2000);
    let site = Site::new(move |target| (target == "/shop").then(|| html(&page))).await;
    let begun = Instant::now();
    let browser = Browser::open(Arc::new(Only(vec![site.origin()]))).await.unwrap();
    println!("started in {:.0} ms", begun.elapsed().as_secs_f64() * 1e3);
    let (mut opened, mut loaded, mut read, mut acted) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        let shown = browser.navigate(&site.url("/shop"), Until::Loaded).await.unwrap();
        let took = begun.elapsed();
        let begun = Instant::now();
        browser.snapshot().await.unwrap();
        let snapshot = begun.elapsed();
        let (load, _) = browser.evaluate(LOAD, false).await.unwrap();
        let load = Duration::from_secs_f64(load.parse::<f64>().unwrap() / 1e3);
        opened.push((took + snapshot).saturating_sub(load));
        loaded.push(load);
        read.push(snapshot);
        let begun = Instant::now();
        browser.click(&reference(&shown, "\"Add pear 7\""), &Info::default()).await.unwrap();
        acted.push(begun.elapsed());
    }
    print("the browser's own load", loaded);
    print("navigate and snapshot, beyond that", opened);
    print("snapshot", read);
    print("click, with what changed", acted);
}

fn print(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let ms = |at: usize| times[at].as_secs_f64() * 1e3;
    println!("{what:40} {:8.1} ms {:8.1} ms", ms(times.len() / 2), ms(times.len() / 10));
}
