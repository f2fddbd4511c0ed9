//! `archive`: lists, packs and unpacks ZIP and tar archives, in this process and by handle.
//!
//! Archives are untrusted. Before anything is written, the whole archive is checked: every name must stay below the
//! target, links and special files are refused, and the unpacked size is limited. Existing files are never overwritten,
//! and every file is journaled before it is written, so that undo can remove it.

mod entries;
mod pack;
mod unpack;

use crate::budget::Budget;
use crate::code::{CodeError, may_change};
use crate::files::{FileError, Files};
use crate::parameters::{JsonObject, actions};
use crate::search::Filter;
use crate::text::{Lines, failed, reason, shown, size};
use crate::tool::{CallContext, InvalidCall, Place, TypedTool};
use deputy_messages::Phrase;
use deputy_messages::archive as say;
use deputy_protocol::{Access, Effect, Facts, ListAccess, ReadAccess, Risk, ToolResult, WriteAccess};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;

/// The tool that lists, packs and unpacks archives.
pub(crate) struct Archive;

/// Parameters of `list`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListParameters {
    /// The ZIP or tar archive.
    pub(crate) path: String,
}

/// Parameters of `pack`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PackParameters {
    /// The files and folders to pack.
    pub(crate) paths: Vec<String>,
    /// The new archive, ending in .zip, .tar, .tar.gz or .tgz.
    pub(crate) to: String,
    /// Conditions, as in select_files.
    #[serde(default)]
    #[schemars(with = "JsonObject")]
    pub(crate) r#where: Box<Filter>,
}

/// Parameters of `unpack`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UnpackParameters {
    /// The ZIP or tar archive.
    pub(crate) path: String,
    /// The folder to extract to. Default: a new one next to the archive.
    #[serde(default)]
    pub(crate) to: Option<String>,
}

actions! {
    /// A call of `archive`.
    pub(crate) enum ArchiveCall {
        "list" => List(ListParameters),
        "pack" => Pack(PackParameters),
        "unpack" => Unpack(UnpackParameters),
    }
}

/// Why a call of `archive` failed. The text is for the model.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArchiveError {
    File(#[from] FileError),
    Code(#[from] CodeError),
    Call(#[from] InvalidCall),
    Unreadable { path: String, source: std::io::Error },
    Refused { path: String, reason: Phrase },
    Taken { path: String },
    NotPacked { path: String, reason: Phrase },
}

impl ArchiveError {
    /// Returns the message for people.
    fn phrase(&self) -> Phrase {
        match self {
            Self::File(error) => error.phrase(),
            Self::Code(error) => error.phrase(),
            Self::Call(error) => error.phrase(),
            Self::Unreadable { path, source } => say::unreadable(path, reason(source)),
            Self::Refused { path, reason } => say::refused(path, reason),
            Self::Taken { path } => say::taken(path),
            Self::NotPacked { path, reason } => say::not_packed(path, reason),
        }
    }
}

deputy_messages::said_by_phrase!(ArchiveError);

impl Archive {
    fn call_paths(call: &ArchiveCall) -> Vec<&str> {
        match call {
            ArchiveCall::List(call) => vec![&call.path],
            ArchiveCall::Pack(call) => call.paths.iter().chain([&call.to]).map(String::as_str).collect(),
            ArchiveCall::Unpack(call) => {
                [Some(&call.path), call.to.as_ref()].into_iter().flatten().map(String::as_str).collect()
            }
        }
    }
}

impl TypedTool for Archive {
    const NAME: &'static str = "archive";
    type Parameters = ArchiveCall;

    fn facts(&self, call: &ArchiveCall, place: &Place) -> Result<Facts, InvalidCall> {
        let paths = Self::call_paths(call);
        if paths.is_empty() || paths.iter().any(|path| path.is_empty() || path.contains('\0')) {
            return Err(InvalidCall::parameter(Self::NAME, "path", deputy_messages::tools::expected_path()));
        }
        let read = |path: &str| Access::Read(ReadAccess { path: place.named(path) });
        let list = |path: &str| Access::List(ListAccess { path: place.named(path) });
        let write = |path: &str| Access::Write(WriteAccess { path: place.named(path) });
        let (effect, accesses, summary) = match call {
            ArchiveCall::List(call) => {
                (Effect::ReadOnly, vec![read(&call.path)], say::list(shown(call.path.as_ref())))
            }
            ArchiveCall::Pack(call) => {
                if call.paths.is_empty() {
                    return Err(InvalidCall::parameter(Self::NAME, "paths", say::expected_path()));
                }
                entries::Format::of(&call.to)
                    .map_err(|problem| InvalidCall::parameter(Self::NAME, "to", problem))?;
                call.r#where.conditions()?;
                let mut accesses: Vec<Access> =
                    call.paths.iter().flat_map(|path| [list(path), read(path)]).collect();
                accesses.push(write(&call.to));
                let what = crate::text::one_line(&call.paths.join(", "), 200);
                (Effect::Mutating, accesses, say::pack(shown(call.to.as_ref()), what))
            }
            ArchiveCall::Unpack(call) => {
                let to = unpack::folder(call);
                let summary = say::unpack(shown(call.path.as_ref()), shown(to.as_ref()));
                (Effect::Mutating, vec![read(&call.path), write(&to)], summary)
            }
        };
        Ok(Facts { effect, accesses, summary, diff: None, plan: None, risk: Risk::Low })
    }

    async fn run(&self, call: ArchiveCall, cx: &CallContext) -> ToolResult {
        let result = match call {
            ArchiveCall::List(call) => blocking(cx, move |files, cx| list(&call, files, cx)).await,
            ArchiveCall::Pack(call) => pack::pack(call, cx).await,
            ArchiveCall::Unpack(call) => unpack::unpack(call, cx).await,
        };
        result.unwrap_or_else(failed)
    }
}

fn list(call: &ListParameters, files: &Files, cx: &CallContext) -> Result<ToolResult, ArchiveError> {
    let budget = Budget::of(cx);
    let file = files.find(&call.path)?.file()?;
    let mut lines = Lines::new(cx.output_chars);
    let (mut number, mut folders, mut bytes) = (0_u64, 0_u64, 0);
    entries::each(&call.path, &file, &budget, &mut |entry, _| {
        let kind = entry.kind.name();
        let is_file = entry.kind == entries::Kind::File;
        let size = if is_file { entry.bytes.to_string() } else { "-".to_owned() };
        let path = shown(entry.name.as_ref());
        lines.push(&format!("{path}\t{kind}\t{size}\t{}", entry.changed.as_deref().unwrap_or("unknown")));
        number += u64::from(is_file);
        folders += u64::from(entry.kind == entries::Kind::Folder);
        bytes += entry.bytes;
        Ok(())
    })?;
    let figures = say::listed(number, folders, size(bytes));
    Ok(lines.finish(deputy_messages::series([Some(figures), budget.note()].into_iter().flatten())))
}

async fn blocking<T: Send + 'static>(
    cx: &CallContext,
    work: impl FnOnce(&Files, &CallContext) -> Result<T, ArchiveError> + Send + 'static,
) -> Result<T, ArchiveError> {
    let cx = cx.clone();
    tokio::task::spawn_blocking(move || work(&Files::of(&cx)?, &cx)).await.map_err(CodeError::from)?
}

fn allowed(path: &str, cx: &CallContext) -> Result<(), ArchiveError> {
    Ok(may_change(path, cx)?)
}

/// Converts a path to text as in results and calls.
fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
