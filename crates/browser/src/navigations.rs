//! The navigations that pages have announced and whose requests are not yet judged.

use crate::pipe::Event;
use std::collections::HashMap;

/// The open navigations, at most one for each frame.
#[derive(Default)]
pub(crate) struct Navigations {
    open: HashMap<String, Navigation>,
    /// The number of the last navigation.
    last: u64,
    /// Whether the tab that a page opens next loads something.
    opens: bool,
}

struct Navigation {
    number: u64,
    /// The session that announced it.
    session: String,
    url: String,
    stage: Stage,
}

/// How far a navigation has come. For a form, Chromium reports these stages in order, then that nothing is scheduled any
/// more, and then its request. Events about something else in the same frame may come in between, so each event ends
/// only the stages that it can belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Requested,
    Scheduled,
    Started,
}

impl Navigations {
    /// Processes an event of the browser.
    pub(crate) fn take(&mut self, event: &Event) {
        let params = &event.params;
        let text = |name: &str| params[name].as_str().unwrap_or_default();
        let (frame, url) = (text("frameId"), text("url"));
        match event.method.as_str() {
            "Page.windowOpen" => self.opens = is_requested(url),
            "Page.frameRequestedNavigation" if text("disposition") == "currentTab" => {
                self.reach(Stage::Requested, event, frame, url);
            }
            "Page.frameScheduledNavigation" if params["delay"].as_f64() == Some(0.0) => {
                self.reach(Stage::Scheduled, event, frame, url);
            }
            "Page.frameStartedNavigating" if !text("navigationType").ends_with("ameDocument") => {
                self.reach(Stage::Started, event, frame, url);
            }
            "Page.frameClearedScheduledNavigation" => self.end(frame, |open| open.stage == Stage::Scheduled),
            "Page.navigatedWithinDocument" => {
                self.end(frame, |open| open.stage == Stage::Scheduled && open.url == url);
            }
            "Page.frameStoppedLoading" => self.end(frame, |open| open.stage == Stage::Started),
            "Page.frameDetached" => self.judged(frame),
            "Page.frameNavigated" => self.judged(params["frame"]["id"].as_str().unwrap_or_default()),
            _ => {}
        }
    }

    fn reach(&mut self, stage: Stage, event: &Event, frame: &str, url: &str) {
        if !is_requested(url) {
            return;
        }
        let number = self.last + 1;
        let open = self.open.entry(frame.to_owned()).or_insert_with(|| Navigation {
            number,
            session: event.session.clone(),
            url: String::new(),
            stage,
        });
        self.last = self.last.max(open.number);
        url.clone_into(&mut open.url);
        // A script may navigate in two steps, the first of which is reported as scheduled before it is requested.
        if (open.stage, stage) != (Stage::Scheduled, Stage::Requested) {
            open.stage = stage;
        }
    }

    fn end(&mut self, frame: &str, is_it: impl FnOnce(&Navigation) -> bool) {
        if self.open.get(frame).is_some_and(is_it) {
            self.open.remove(frame);
        }
    }

    /// Records that a page has opened a tab.
    pub(crate) fn opened(&mut self, session: &str, frame: &str) {
        if std::mem::take(&mut self.opens) {
            self.last += 1;
            let (session, url) = (session.to_owned(), String::new());
            let open = Navigation { number: self.last, session, url, stage: Stage::Requested };
            self.open.insert(frame.to_owned(), open);
        }
    }

    /// Records that a frame's navigation has been judged, or is over.
    pub(crate) fn judged(&mut self, frame: &str) {
        self.open.remove(frame);
    }

    /// Records that a session has ended, or that its process has died.
    pub(crate) fn ended(&mut self, session: &str) {
        self.open.retain(|_, open| open.session != session);
    }

    /// Gives up the navigations up to this number.
    pub(crate) fn forget(&mut self, last: u64) {
        self.open.retain(|_, open| open.number > last);
    }

    /// Returns the number of the last navigation.
    pub(crate) fn last(&self) -> u64 {
        self.last
    }

    /// Returns whether a navigation up to this number is open.
    pub(crate) fn is_open(&self, last: u64) -> bool {
        self.open.values().any(|open| open.number <= last)
    }
}

/// Returns whether opening an address makes a request that is judged.
fn is_requested(url: &str) -> bool {
    url.starts_with("http")
}

#[cfg(test)]
mod tests;
