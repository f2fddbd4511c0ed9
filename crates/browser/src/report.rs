//! Reports about a page: its current state, and what changed since the last report.

use crate::aim::Aimed;
use crate::{Browser, BrowserError};
use deputy_messages::Phrase;
use similar::{Algorithm, ChangeTag, capture_diff_slices};
use std::collections::BTreeMap;

/// The state of a page at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Glance {
    /// The number of the tab.
    pub tab: u32,
    /// The address.
    pub url: String,
    /// The title.
    pub title: String,
    /// Whether the page is still loading.
    pub is_loading: bool,
    /// The lines of the outline.
    pub lines: Vec<String>,
    /// The origins of frames, each with a line of the outline that comes from it.
    pub framed: Vec<(String, String)>,
    pub(crate) document: u64,
}

/// The result of an action.
#[derive(Clone, Debug)]
pub struct Changes {
    /// The current state of the page.
    pub now: Glance,
    /// The removed (`-`) and added (`+`) lines. `None` if the document is a new one.
    pub lines: Option<Vec<String>>,
    /// What happened without being requested: dialogs, new tabs, downloads.
    pub notes: Vec<Phrase>,
    /// The refused origins, with the reasons.
    pub blocked: BTreeMap<String, Phrase>,
    /// A picture of the page right before the action with the place of the action, for people.
    pub aimed: Option<Aimed>,
}

impl Browser {
    /// Returns the current state, and what changed since the last report.
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
