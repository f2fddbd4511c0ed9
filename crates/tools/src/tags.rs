//! `tags`: gives files and folders the tags that desktops show, and takes them away (`user.xdg.tags`).
//!
//! A tag is not a content: nothing is kept for undo, and the call that says the opposite takes it back. A task whose scope is
//! made of tags may not call this, since it would widen its own scope.

use crate::files::{FileError, Files};
use crate::parameters::{Parameters, object_schema, parse_object};
use crate::text::{Lines, failed, one_line, shown};
use crate::tool::{CallContext, InvalidCall, Place, TypedTool};
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_policy::path::TAGS_ATTRIBUTE;
use deputy_protocol::{Access, Effect, Facts, Risk, ToolResult, WriteAccess};
use rustix::fs::{FileType, XattrFlags, fremovexattr, fsetxattr};
use rustix::io::Errno;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::os::fd::AsFd;

/// More files than this are no call that a person reads.
const MOST_PATHS: usize = 2_000;
const LONGEST_TAG: usize = 64;
/// Bytes of all tags of a file.
const MOST_BYTES: usize = 2_000;

/// Sets tags.
pub(crate) struct Tags;

// Models get no more than the names of these: they say it all.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TagsParameters {
    paths: Vec<String>,
    #[serde(default)]
    add: Vec<String>,
    #[serde(default)]
    remove: Vec<String>,
}

impl Parameters for TagsParameters {
    fn schema() -> Value {
        Value::Object(object_schema::<Self>())
    }

    fn parse(tool: &str, parameters: &Value) -> Result<Self, InvalidCall> {
        parse_object(tool, parameters.clone())
    }
}

/// Why tags could not be set; the text is for the model.
#[derive(Debug, thiserror::Error)]
enum TagError {
    File(#[from] FileError),
    NotSet { path: String, reason: Phrase, done: usize },
    Scoped,
}

impl TagError {
    /// What it says to people.
    fn phrase(&self) -> Phrase {
        match self {
            Self::File(error) => error.phrase(),
            Self::NotSet { path, reason, done } => say::tags_not_set(*done, path, reason),
            Self::Scoped => say::tags_scoped(),
        }
    }
}

deputy_messages::said_by_phrase!(TagError);

impl TypedTool for Tags {
    const NAME: &'static str = "tags";
    const DESCRIPTION: &'static str = "Adds and removes tags of files and folders; `search` finds by them.";
    type Parameters = TagsParameters;

    fn facts(&self, call: &TagsParameters, place: &Place) -> Result<Facts, InvalidCall> {
        let wrong = |name: &str, why: Phrase| Err(InvalidCall::parameter(Self::NAME, name, why));
        if call.paths.is_empty() || call.paths.len() > MOST_PATHS {
            return wrong("paths", say::expected_paths(MOST_PATHS));
        }
        if call.paths.iter().any(|path| path.is_empty() || path.contains('\0')) {
            return wrong("paths", say::expected_path());
        }
        if call.add.is_empty() && call.remove.is_empty() {
            return wrong("add", say::expected_tag());
        }
        for tag in call.add.iter().chain(&call.remove) {
            let is_plain = !tag.contains(',') && !tag.chars().any(char::is_control) && tag.trim() == tag;
            if tag.is_empty() || tag.chars().count() > LONGEST_TAG || !is_plain {
                return wrong("add", say::expected_tags(LONGEST_TAG));
            }
        }
        let accesses =
            call.paths.iter().map(|path| Access::Write(WriteAccess { path: place.named(path) })).collect();
        let tags = |tags: &[String]| one_line(&tags.join(", "), 100);
        let on = match call.paths.as_slice() {
            [one] => shown(one.as_ref()),
            several => one_line(&several.join(", "), 200),
        };
        let summary = match (call.add.is_empty(), call.remove.is_empty()) {
            (_, true) => say::add_tags(tags(&call.add), on),
            (true, false) => say::remove_tags(on, tags(&call.remove)),
            (false, false) => say::change_tags(tags(&call.add), on, tags(&call.remove)),
        };
        // The same call twice leaves the same tags.
        Ok(Facts { effect: Effect::Idempotent, accesses, summary, diff: None, plan: None, risk: Risk::Low })
    }

    async fn run(&self, call: TagsParameters, cx: &CallContext) -> ToolResult {
        let own = cx.clone();
        match tokio::task::spawn_blocking(move || set(&call, &own)).await {
            Ok(Ok(result)) => result,
            Ok(Err(error)) => failed(error),
            Err(error) => failed(say::tags_broke_off(error)),
        }
    }
}

fn set(call: &TagsParameters, cx: &CallContext) -> Result<ToolResult, TagError> {
    if !cx.scope.only_tags.is_empty() {
        return Err(TagError::Scoped);
    }
    let files = Files::of(cx)?;
    // All are looked up before the first is changed.
    let mut found = Vec::new();
    for path in &call.paths {
        let entry = files.find(path)?;
        // What may not be written has no tags set either.
        files.target(&entry.real().to_string_lossy())?;
        found.push(entry);
    }
    let mut lines = Lines::new(cx.output_chars);
    let mut changed = 0_u64;
    for (at, entry) in found.iter().enumerate() {
        let before = deputy_policy::path::tags(entry.real());
        let mut tags: Vec<String> = before.iter().filter(|tag| !call.remove.contains(tag)).cloned().collect();
        for tag in &call.add {
            if !tags.contains(tag) {
                tags.push(tag.clone());
            }
        }
        let text = tags.join(",");
        if tags != before {
            let done = if entry.kind() == FileType::Directory {
                entry.folder().map(|folder| write(folder.as_fd(), &text))
            } else {
                entry.file().map(|file| write(file.as_fd(), &text))
            };
            done?.map_err(|reason| TagError::NotSet {
                path: shown(entry.given().as_ref()),
                reason,
                done: at,
            })?;
            changed += 1;
        }
        lines.push(&format!("{}\t{}", shown(entry.given().as_ref()), shown(text.as_ref())));
    }
    Ok(lines.finish(say::tags_changed(changed)))
}

/// Writes all tags of what is open; none at all leaves no attribute behind.
fn write(open: std::os::fd::BorrowedFd<'_>, tags: &str) -> Result<(), Phrase> {
    if tags.len() > MOST_BYTES {
        return Err(say::tags_too_long(MOST_BYTES));
    }
    let done = if tags.is_empty() {
        match fremovexattr(open, TAGS_ATTRIBUTE) {
            Err(Errno::NODATA) => Ok(()),
            other => other,
        }
    } else {
        fsetxattr(open, TAGS_ATTRIBUTE, tags.as_bytes(), XattrFlags::empty())
    };
    done.map_err(|errno| match errno {
        Errno::NOTSUP => say::disk_keeps_no_tags(),
        other => other.to_string().into(),
    })
}
