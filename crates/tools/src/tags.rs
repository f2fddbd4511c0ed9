//! `tags`: adds and removes the tags of files and folders that desktops show (`user.xdg.tags`).
//!
//! Tags are not content, so nothing is stored for undo; the opposite call reverts a change. A task whose scope is
//! defined by tags may not call this tool, because it could widen its scope.

use crate::files::{FileError, Files};
use crate::parameters::{Parameters, Shape, parse_object};
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

/// The maximum number of files in a call. Nobody reviews longer lists.
const MOST_PATHS: usize = 2_000;
const LONGEST_TAG: usize = 64;
/// The maximum size of all tags of a file, in bytes.
const MOST_BYTES: usize = 2_000;

/// The tool that sets tags.
pub(crate) struct Tags;

// Models see only the names of these parameters, which are self-explanatory.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TagsParameters {
    /// The files and folders.
    paths: Vec<String>,
    /// Tags to add, without commas.
    #[serde(default)]
    add: Vec<String>,
    /// Tags to remove.
    #[serde(default)]
    remove: Vec<String>,
}

impl Parameters for TagsParameters {
    fn shapes() -> Vec<Shape> {
        vec![Shape::of::<Self>(None)]
    }

    fn parse(tool: &str, parameters: &Value) -> Result<Self, InvalidCall> {
        parse_object(tool, parameters.clone())
    }
}

/// Why tags could not be set. The text is for the model.
#[derive(Debug, thiserror::Error)]
enum TagError {
    File(#[from] FileError),
    NotSet { path: String, reason: Phrase, done: usize },
    Scoped,
}

impl TagError {
    /// Returns the message for people.
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
        // Repeating the call leaves the same tags.
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
    if !cx.situation.scope.only_tags.is_empty() {
        return Err(TagError::Scoped);
    }
    let files = Files::of(cx)?;
    // Look up all files before changing the first.
    let mut found = Vec::new();
    for path in &call.paths {
        let entry = files.find(path)?;
        // A file that may not be written may not be tagged either.
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

/// Writes all tags of an open file. If there are no tags, removes the attribute.
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
