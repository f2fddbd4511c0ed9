//! A tab's state, built from the browser's events.

use serde_json::Value;
use std::collections::VecDeque;

/// The address of a tab's first document.
pub(crate) const EMPTY: &str = "about:blank";
/// How many loads of a tab are remembered: a page may redirect before its load is looked up.
pub(crate) const MOST_LOADS: usize = 16;

/// A tab.
#[derive(Clone, Debug)]
pub(crate) struct Tab {
    pub(crate) number: u32,
    pub(crate) session: String,
    /// Its target, which is its main frame as well.
    pub(crate) frame: String,
    pub(crate) url: String,
    pub(crate) title: String,
    /// Counts the documents it has shown.
    pub(crate) document: u64,
    /// The browser's names of the last loads that became a document here; the newest is the last.
    pub(crate) loads: VecDeque<String>,
    /// Its first, empty document has not been reported yet. That document has its own process, whose events can arrive after
    /// those of the document that replaced it.
    awaits_first: bool,
    /// Further events of that document are outdated.
    is_late: bool,
    /// Its page answered a form that was posted; loading it again would post that once more.
    pub(crate) is_posted: bool,
    pub(crate) is_loading: bool,
    pub(crate) is_parsed: bool,
    pub(crate) is_idle: bool,
    pub(crate) is_crashed: bool,
    /// It did not answer in time; a script may be stuck in a loop.
    pub(crate) is_stuck: bool,
    /// Its process has applied its setup. Navigating before that can crash it.
    pub(crate) is_prepared: bool,
}

impl Tab {
    /// A tab that the browser has opened.
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
            is_posted: false,
            is_loading: false,
            is_parsed: true,
            is_idle: true,
            is_crashed: false,
            is_stuck: false,
            is_prepared: false,
        }
    }

    /// Records a new document; `false` if it is the first, empty one, reported after the one that replaced it.
    pub(crate) fn shows(&mut self, url: &str, load: String) -> bool {
        if url == EMPTY && std::mem::take(&mut self.awaits_first) && !self.loads.is_empty() {
            self.is_late = true;
            return false;
        }
        url.clone_into(&mut self.url);
        self.title.clear();
        self.document += 1;
        self.loads.push_back(load);
        if self.loads.len() > MOST_LOADS {
            self.loads.pop_front();
        }
        (self.is_parsed, self.is_idle, self.is_crashed, self.is_loading) = (false, false, false, true);
        true
    }

    /// A document has finished loading; `false` if it is the first, empty one, reported late.
    pub(crate) fn stops_loading(&mut self) -> bool {
        if std::mem::take(&mut self.is_late) {
            return false;
        }
        (self.is_loading, self.is_parsed) = (false, true);
        true
    }

    /// Whether a load belongs to the current document; before the first document every load does.
    pub(crate) fn is_of(&self, load: &Value) -> bool {
        self.loads.back().is_none_or(|shown| load == shown.as_str())
    }

    /// Whether a load became a document here, even if another has replaced it since.
    pub(crate) fn has_shown(&self, load: &str) -> bool {
        self.loads.iter().any(|shown| shown == load)
    }
}
