//! Tests event orders that occur on busy machines and that real pages cannot reproduce reliably.

use super::*;
use crate::tab::MOST_LOADS;
use tokio::net::UnixStream;

fn event(method: &str, params: Value) -> Event {
    Event { method: method.to_owned(), session: "s".to_owned(), params }
}

/// Creates a world with one tab, and the browser's end of its socket.
fn world() -> (Arc<World>, UnixStream) {
    let (ours, its) = UnixStream::pair().unwrap();
    let world = Arc::new(World::new(Pipe::new(ours).0, Arc::default(), false, Arc::default()));
    let target = json!({"targetId": "t", "type": "page", "url": "about:blank"});
    world.take(&event("Target.attachedToTarget", json!({"sessionId": "s", "targetInfo": target})));
    (world, its)
}

fn navigated(load: &str, url: &str) -> Event {
    event("Page.frameNavigated", json!({"frame": {"id": "t", "loaderId": load, "url": url}}))
}

fn lifecycle(load: &str, name: &str) -> Event {
    event("Page.lifecycleEvent", json!({"frameId": "t", "loaderId": load, "name": name}))
}

#[tokio::test]
async fn a_late_document_is_not_taken_for_the_one_that_was_asked_for() {
    let (world, _its) = world();
    let before = world.tab().unwrap().document;
    // The tab's first document is reported only now, after `Page.navigate` returned the load `page`.
    world.take(&navigated("blank", "about:blank"));
    let tab = world.tab().unwrap();
    assert!(tab.document > before && !tab.has_shown("page"), "{tab:?}");
    world.take(&navigated("page", "http://site.test/"));
    // The first document reports that it is done. The page is not.
    for name in ["DOMContentLoaded", "load", "networkIdle"] {
        world.take(&lifecycle("blank", name));
    }
    let tab = world.tab().unwrap();
    assert!(tab.has_shown("page") && tab.is_loading && !tab.is_parsed && !tab.is_idle, "{tab:?}");
    world.take(&lifecycle("page", "load"));
    assert!(!world.tab().unwrap().is_loading);
}

#[tokio::test]
async fn a_page_that_redirects_at_once_has_been_shown() {
    let (world, _its) = world();
    for load in ["page", "next", "after"] {
        world.take(&navigated(load, "http://site.test/"));
    }
    assert!(world.tab().unwrap().has_shown("page"));
    for load in 0..100 {
        world.take(&navigated(&load.to_string(), "http://site.test/"));
    }
    assert_eq!(world.tab().unwrap().loads.len(), MOST_LOADS);
}

#[tokio::test]
async fn a_first_document_that_is_reported_last_changes_nothing() {
    let (world, _its) = world();
    world.take(&navigated("page", "http://site.test/"));
    let stopped = event("Page.frameStoppedLoading", json!({"frameId": "t"}));
    for late in [navigated("blank", "about:blank"), lifecycle("blank", "load"), stopped] {
        world.take(&late);
    }
    let tab = world.tab().unwrap();
    assert_eq!((tab.url.as_str(), tab.document), ("http://site.test/", 1));
    assert!(tab.is_loading && !tab.is_parsed, "{tab:?}");
    // A page that navigates to the empty page is empty.
    world.take(&navigated("empty", "about:blank"));
    assert_eq!(world.tab().unwrap().url, "about:blank");
}

#[tokio::test]
async fn tabs_without_end_are_all_closed_until_the_next_navigation() {
    let (world, _its) = world();
    let open = |name: &str, opener: Option<&str>| {
        let mut target = json!({"targetId": name, "type": "page", "url": "about:blank"});
        if let Some(opener) = opener {
            target["openerId"] = opener.into();
        }
        world.take(&event("Target.attachedToTarget", json!({"sessionId": name, "targetInfo": target})));
    };
    for number in 1..MOST_TABS {
        open(&format!("few{number}"), Some("t"));
    }
    assert_eq!(world.tabs().len(), MOST_TABS);
    for number in 0..MOST_SURPLUS {
        open(&format!("more{number}"), Some("t"));
    }
    assert_eq!(world.tabs().len(), MOST_TABS);
    open("last", Some("few1"));
    assert!(matches!(world.tab(), Err(BrowserError::Flooded)), "{:?}", world.tabs());
    // Pop-ups of closed tabs are closed too, until Deputy opens a tab itself.
    open("late", Some("few2"));
    assert!(world.tabs().is_empty());
    world.starts_over();
    world.expect_tab();
    open("late too", Some("few3"));
    assert!(world.tabs().is_empty());
    open("own", None);
    assert_eq!(world.tabs().len(), 1);
    open("popup", Some("own"));
    assert_eq!(world.tabs().len(), 2);
}
