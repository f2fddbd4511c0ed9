//! Reports about a page: its current state, and what changed since the last report.

use crate::aim::Aimed;
use crate::{Browser, BrowserError};
use deputy_messages::Phrase;
use similar::{Algorithm, ChangeTag, capture_diff_slices};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::Instant;

/// How long, and how often, a page is looked at that has not changed after an action.
const LOOKING: Duration = Duration::from_secs(1);
const LOOK_EVERY: Duration = Duration::from_millis(150);

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
        Ok(self.report(before.as_ref(), now))
    }

    /// Returns the changes of the page after an action. Pages react late, for example after an animation, so a page
    /// that has not changed is looked at again for a while.
    pub(crate) async fn changes_of_action(&self) -> Result<Changes, BrowserError> {
        let begun = Instant::now();
        let before = self.take_last();
        loop {
            let now = self.glance().await?;
            let is_unchanged =
                before.as_ref().and_then(|before| lines(before, &now)).is_some_and(|all| all.is_empty());
            if !is_unchanged || begun.elapsed() > LOOKING {
                return Ok(self.report(before.as_ref(), now));
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    fn report(&self, before: Option<&Glance>, now: Glance) -> Changes {
        self.keep_last(&now);
        let lines = before.and_then(|before| lines(before, &now));
        let (notes, blocked) = (self.world.take_notes(), self.world.door.take_blocked());
        Changes { now, lines, notes, blocked, aimed: None }
    }
}

/// Returns the lines that changed. `None` if another document is shown.
fn lines(before: &Glance, now: &Glance) -> Option<Vec<String>> {
    let is_same = before.tab == now.tab && before.document == now.document;
    is_same.then(|| difference(before, now))
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
