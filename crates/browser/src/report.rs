//! What is reported about a page: what it is now, and what changed since the last report.

use crate::aim::Aimed;
use crate::{Browser, BrowserError};
use deputy_messages::Phrase;
use similar::{Algorithm, ChangeTag, capture_diff_slices};
use std::collections::BTreeMap;

/// A page as it was at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Glance {
    /// Number of the tab.
    pub tab: u32,
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Whether it still loads.
    pub is_loading: bool,
    /// The outline.
    pub lines: Vec<String>,
    /// Origins of frames, each with a line that the outline has from it.
    pub framed: Vec<(String, String)>,
    pub(crate) document: u64,
}

/// What came of an action.
#[derive(Clone, Debug)]
pub struct Changes {
    /// The page as it is now.
    pub now: Glance,
    /// The lines that went (`-`) and came (`+`); none where it is another page than before.
    pub lines: Option<Vec<String>>,
    /// What happened by itself: dialogs, new tabs, downloads.
    pub notes: Vec<Phrase>,
    /// Origins that were refused, and why.
    pub blocked: BTreeMap<String, Phrase>,
    /// The page right before the action, with the place that it acts on, for people.
    pub aimed: Option<Aimed>,
}

impl Browser {
    /// What is there now, and what changed since the last report.
    pub(crate) async fn changes(&self) -> Result<Changes, BrowserError> {
        let before = self.take_last();
        let now = self.glance().await?;
        self.keep_last(&now);
        let is_same = |before: &Glance| before.tab == now.tab && before.document == now.document;
        let lines = before.filter(is_same).map(|before| difference(&before, &now));
        let (notes, blocked) = (self.world.take_notes(), self.world.door.take_blocked());
        Ok(Changes { now, lines, notes, blocked, aimed: None })
    }
}

fn difference(before: &Glance, now: &Glance) -> Vec<String> {
    let mut lines = Vec::new();
    if before.url != now.url {
        lines.push(format!("address: {}", now.url));
    }
    if before.title != now.title {
        lines.push(format!("title: {}", now.title));
    }
    for change in capture_diff_slices(Algorithm::Myers, &before.lines, &now.lines)
        .iter()
        .flat_map(|op| op.iter_changes(&before.lines, &now.lines))
    {
        match change.tag() {
            ChangeTag::Delete => lines.push(format!("- {}", change.value().trim_start())),
            ChangeTag::Insert => lines.push(format!("+ {}", change.value().trim_start())),
            ChangeTag::Equal => {}
        }
    }
    lines
}
