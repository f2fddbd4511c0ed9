//! Replays the orders in which Chromium 156 reports navigations.

use super::*;
use serde_json::json;

/// Processes an event about the frame `f`, written as a name, an address and a detail.
fn take(navigations: &mut Navigations, event: &str) {
    let mut words = event.split(' ');
    let mut word = || words.next().unwrap_or_default();
    let (name, url, detail) = (word(), word(), word());
    let url = url.replace("own", "http://site.test/own").replace("next", "http://site.test/next");
    let params = json!({"frameId": "f", "url": url, "frame": {"id": "f"}, "delay": detail.parse().unwrap_or(0),
        "disposition": if detail == "newTab" { detail } else { "currentTab" }, "navigationType": detail});
    match name {
        "judged" => navigations.judged("f"),
        name => {
            let method = format!("Page.{name}");
            navigations.take(&Event { method, session: "s".to_owned(), params });
        }
    }
}

const REQUESTED: &str = "frameRequestedNavigation own";
const SCHEDULED: &str = "frameScheduledNavigation own";
const STARTED: &str = "frameStartedNavigating own differentDocument";
const CLEARED: &str = "frameClearedScheduledNavigation";
const STOPPED: &str = "frameStoppedLoading";

#[test]
fn a_navigation_is_open_until_it_is_judged_or_over() {
    let form = [REQUESTED, SCHEDULED, STARTED, CLEARED];
    for (what, events, is_open) in [
        ("a form that was submitted", &form[..1], true),
        ("a form whose request is not there", &form[..], true),
        ("a form whose request is judged", &[&form[..], &["judged"]].concat()[..], false),
        ("a form that the page forbids", &[&form[..3], &[STOPPED]].concat(), false),
        ("a frame that is removed", &[&form[..], &["frameDetached"]].concat(), false),
        ("a page that the cache has", &[STARTED, "frameNavigated"], false),
        ("an earlier load that stops", &[REQUESTED, STOPPED], true),
        ("an earlier address in the page", &[REQUESTED, "navigatedWithinDocument own"], true),
        ("a form after a link", &[STARTED, CLEARED, REQUESTED, STOPPED], true),
        ("a place in the page", &[SCHEDULED, "navigatedWithinDocument own", STOPPED, CLEARED], false),
        ("a place, reported as started", &["frameStartedNavigating own sameDocument"], false),
        ("a place in the history", &["frameStartedNavigating own historySameDocument"], false),
        ("a script in an address", &["frameScheduledNavigation javascript:0", CLEARED], false),
        ("a program", &["frameRequestedNavigation mailto:a@b.c"], false),
        ("a page that loads again later", &["frameScheduledNavigation own 5"], false),
        ("a link to a new tab", &["frameRequestedNavigation own newTab"], false),
        ("a load that never starts", &[SCHEDULED, CLEARED], false),
    ] {
        let mut navigations = Navigations::default();
        events.iter().for_each(|event| take(&mut navigations, event));
        assert_eq!(navigations.is_open(navigations.last()), is_open, "{what}");
    }
}

#[test]
fn later_navigations_are_not_waited_for() {
    let mut navigations = Navigations::default();
    take(&mut navigations, REQUESTED);
    let last = navigations.last();
    take(&mut navigations, "judged");
    take(&mut navigations, REQUESTED);
    assert!(!navigations.is_open(last) && navigations.is_open(navigations.last()));
    navigations.ended("s");
    assert!(!navigations.is_open(navigations.last()));
}

#[test]
fn a_tab_counts_only_if_it_loads_something() {
    let mut navigations = Navigations::default();
    for (url, is_open) in [("about:blank", false), ("own", true)] {
        take(&mut navigations, &format!("windowOpen {url}"));
        navigations.opened("s", "f");
        assert_eq!(navigations.is_open(navigations.last()), is_open, "{url}");
    }
}
