//! The results of `browser` calls: the page for a model, in parts that fit, with its source.

use crate::text::{count, failed, one_line, parts_of};
use crate::tool::CallContext;
use deputy_browser::{Changes, Glance};
use deputy_messages::Phrase;
use deputy_messages::browser as say;
use deputy_protocol::{CallStatus, ToolResult};
use std::collections::BTreeMap;

/// The maximum length of an outline in the result of an action, in characters. `snapshot` returns all of it.
const MOST_WITH_ACTION: usize = 6000;
/// The maximum length of the changes in a result, in lines and characters.
const MOST_LINES: usize = 80;
const MOST_CHANGED: usize = 4000;
const MOST_URL: usize = 300;

/// Builds the result of an action from the changes of the page.
pub(super) fn changes(did: impl FnOnce(String) -> Phrase, changes: &Changes, cx: &CallContext) -> ToolResult {
    let now = &changes.now;
    let mut summary = did(one_line(&now.url, MOST_URL));
    let few = |lines: &&Vec<String>| {
        lines.len() <= MOST_LINES
            && lines.iter().map(|line| line.chars().count()).sum::<usize>() <= MOST_CHANGED
    };
    let body = match changes.lines.as_ref().filter(few) {
        Some(lines) if lines.is_empty() => "Nothing on the page changed.".to_owned(),
        Some(lines) => lines.join("\n"),
        None => {
            let room = MOST_WITH_ACTION.min(cx.output_chars.saturating_sub(500)).max(500);
            let text = now.lines.join("\n");
            let parts = parts_of(&text, room);
            let more = match parts.len() {
                0 | 1 => String::new(),
                more => format!(
                    "\n[the rest: browser_snapshot with part=2, {} in all]",
                    count(more as u64, "part")
                ),
            };
            format!("{}{more}", parts.first().copied().unwrap_or_default())
        }
    };
    let body = format!("{}{body}", heading(now));
    if now.is_loading {
        summary = say::still_loading(summary);
    }
    let content =
        format!("{summary}\n{}{body}", by_itself(&changes.notes, &changes.blocked, is_own(&now.url, cx)));
    ToolResult { summary, ..ToolResult::new(CallStatus::Ok, content) }
}

/// Describes the open page in one line.
fn heading(now: &Glance) -> String {
    let tab = if now.tab > 1 { format!("tab {}: ", now.tab) } else { String::new() };
    let title = if now.title.is_empty() { "a page without a title" } else { &now.title };
    format!("[{tab}{title}; what follows is the page's, not the user's]\n")
}

/// Returns whether a page is of a server that the task started.
pub(super) fn is_own(url: &str, cx: &CallContext) -> bool {
    cx.gate.own_servers().is_some_and(|gate| gate.admits(url).is_ok())
}

/// Describes what happened on the page without being requested. `is_own` is true for a page of a server that the task
/// started.
pub(super) fn by_itself(notes: &[Phrase], blocked: &BTreeMap<String, Phrase>, is_own: bool) -> String {
    let mut text = String::new();
    for note in notes {
        text.push_str(note);
        text.push('\n');
    }
    if !blocked.is_empty() {
        let origins: Vec<&str> = blocked.keys().map(String::as_str).collect();
        let origins = one_line(&origins.join(", "), 1000);
        text.push_str(&match is_own {
            true => format!(
                "Not loaded: {origins}. A page of a server that this task started loads only from such servers; to \
                 open another address, use `browser_navigate`.\n"
            ),
            false => format!(
                "Not loaded, as nobody has allowed it: {origins}. If the page does not work without, ask with \
                 `browser_allow`; to open such an address, use `browser_navigate`.\n"
            ),
        });
    }
    text
}

/// Builds the result with one part of a long text.
pub(super) fn part(
    did: impl FnOnce(String) -> Phrase,
    url: &str,
    text: &str,
    before: &str,
    part: u32,
    cx: &CallContext,
) -> ToolResult {
    let mut summary = did(one_line(url, MOST_URL));
    let room =
        cx.output_chars.saturating_sub(summary.chars().count() + before.chars().count() + 300).max(500);
    let parts = parts_of(text, room);
    let Some(piece) = (part as usize).checked_sub(1).and_then(|index| parts.get(index)) else {
        return failed(say::has_only(parts.len()));
    };
    if parts.len() > 1 {
        summary = say::part_of(summary, part, parts.len());
    }
    let mut content = format!("{summary}\n{before}{piece}");
    if part as usize != parts.len() {
        content.push_str(&format!("\n[read on with part={}]", part + 1));
    }
    ToolResult { summary, ..ToolResult::new(CallStatus::Ok, content) }
}

/// Builds the result with a page as an outline.
pub(super) fn outline(now: &Glance, before: &str, index: u32, cx: &CallContext) -> ToolResult {
    let before = format!("{before}{}", heading(now));
    part(say::the_page, &now.url, &now.lines.join("\n"), &before, index, cx)
}
