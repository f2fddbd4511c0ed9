//! A tab's state, built from the browser's events.

use serde_json::Value;
use std::collections::VecDeque;

/// The address of a tab's first document.
pub(crate) const EMPTY: &str = "about:blank";
/// How many loads of a tab are remembered: a page may redirect before its load is looked up.
pub(crate) const MOST_LOADS: usize = 16;

/// An open tab.
#[derive(Clone, Debug)]
pub(crate) struct Tab {
    pub(crate) number: u32,
    pub(crate) session: String,
    /// The target id, which is also the id of its main frame.
    pub(crate) frame: String,
    pub(crate) url: String,
    pub(crate) title: String,
    /// The number of documents it has shown.
    pub(crate) document: u64,
    /// The browser's ids of the last loads that became a document here, the newest last.
    pub(crate) loads: VecDeque<String>,
    /// Whether its first, empty document has yet to be reported. That document has a separate process, whose events can
    /// arrive after those of the document that replaced it.
    awaits_first: bool,
    /// Whether further events of that document are outdated.
    is_late: bool,
    /// The origin of its page, if a call acted on that page. A tab that a page opened takes this from its opener until
    /// it shows a page of its own.
    pub(crate) acted_on: Option<String>,
    /// Whether its page answered a POST form. Reloading it would send the form again.
    pub(crate) is_posted: bool,
    pub(crate) is_loading: bool,
    pub(crate) is_parsed: bool,
    pub(crate) is_idle: bool,
    pub(crate) is_crashed: bool,
    /// Whether it did not answer in time. A script may be stuck in a loop.
    pub(crate) is_stuck: bool,
    /// Whether its process has applied its setup. Navigating before that can crash it.
    pub(crate) is_prepared: bool,
}

impl Tab {
    /// Creates the state of a tab that the browser has opened.
    pub(crate) fn new(number: u32, session: &str, target: &str, info: &Value) -> Self {
        Self {
            number,
            session: session.to_owned(),
            frame: target.to_owned(),
            url: info["url"].as_str().unwrap_or_default().to_owned(),
            title: String::new(),
            document: 0,
            loads: VecDeque::new(),
            awaits_first: true,
            is_late: false,
            acted_on: None,
            is_posted: false,
            is_loading: false,
            is_parsed: true,
            is_idle: true,
            is_crashed: false,
            is_stuck: false,
            is_prepared: false,
        }
    }

    /// Records a new document. Returns `false` if it is the first, empty one, reported after the one that replaced it.
    pub(crate) fn shows(&mut self, url: &str, load: String) -> bool {
        if url == EMPTY && std::mem::take(&mut self.awaits_first) && !self.loads.is_empty() {
            self.is_late = true;
            return false;
        }
        url.clone_into(&mut self.url);
        // The empty page belongs to the page that opened it.
        if url != EMPTY {
            self.acted_on = None;
        }
        self.title.clear();
        self.document += 1;
        self.loads.push_back(load);
        if self.loads.len() > MOST_LOADS {
            self.loads.pop_front();
        }
        (self.is_parsed, self.is_idle, self.is_crashed, self.is_loading) = (false, false, false, true);
        true
    }

    /// Records that a call acts on its page.
    pub(crate) fn is_acted_on(&mut self) {
        if self.url != EMPTY || self.acted_on.is_none() {
            let origin = url::Url::parse(&self.url).map(|url| url.origin().ascii_serialization());
            self.acted_on = Some(origin.unwrap_or_default());
        }
    }

    /// Records that a document has finished loading. Returns `false` if it is the first, empty one, reported late.
    pub(crate) fn stops_loading(&mut self) -> bool {
        if std::mem::take(&mut self.is_late) {
            return false;
        }
        (self.is_loading, self.is_parsed) = (false, true);
        true
    }

    /// Returns whether a load belongs to the current document. Before the first document, every load does.
    pub(crate) fn is_of(&self, load: &Value) -> bool {
        self.loads.back().is_none_or(|shown| load == shown.as_str())
    }

    /// Returns whether a load became a document here, even if another has replaced it since.
    pub(crate) fn has_shown(&self, load: &str) -> bool {
        self.loads.iter().any(|shown| shown == load)
    }
}
