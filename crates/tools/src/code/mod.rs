//! `code`: reads, writes and patches files, one file per call, in this process and by handle.

mod change;
mod compared;
mod patch;
mod preview;
mod read;
mod stored;

pub use compared::{Compared, LARGEST_COMPARED};

pub(crate) use change::{make_folder, replace_text, write_new};

use crate::files::{FileError, Files};
use crate::parameters::actions;
use crate::search::{self, LsParameters};
use crate::text::{cancelled, failed};
use crate::tool::{CallContext, InvalidCall, Place, TypedTool};
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_protocol::{
    Access, Confinement, Effect, Facts, ListAccess, ReadAccess, Risk, ToolResult, WriteAccess,
};
use schemars::JsonSchema;
use serde::Deserialize;

/// The tool that reads and changes files.
pub(crate) struct Code;

/// Parameters of `read`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadParameters {
    /// Path of the file.
    path: String,
    /// Number of the first line to read. Default: 1.
    #[serde(default)]
    start_line: Option<u64>,
    /// Number of lines to read. Default: as many as fit.
    #[serde(default)]
    lines: Option<u64>,
}

/// Parameters of `write`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WriteParameters {
    /// Path of the file.
    path: String,
    /// The whole new content of the file.
    content: String,
}

/// Parameters of `patch`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PatchParameters {
    /// Path of the file.
    path: String,
    /// The exact text to replace. It must occur once, unless replace_all is set.
    old: String,
    /// The text that replaces it. Empty: delete it.
    new: String,
    /// Replace every occurrence.
    #[serde(default)]
    replace_all: bool,
}

/// Parameters of `create_dir`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateDirParameters {
    /// Path of the new folder.
    path: String,
}

actions! {
    /// A call of `code`.
    pub(crate) enum CodeCall {
        "read" => Read(ReadParameters),
        "write" => Write(WriteParameters),
        "patch" => Patch(PatchParameters),
        "list" => List(LsParameters),
        "create_dir" => CreateDir(CreateDirParameters),
    }
}

impl TypedTool for Code {
    const NAME: &'static str = "code";
    type Parameters = CodeCall;

    fn facts(&self, call: &CodeCall, place: &Place) -> Result<Facts, InvalidCall> {
        let path = place.named(call.path());
        if path.is_empty() || path.contains('\0') {
            return Err(InvalidCall::parameter(Self::NAME, "path", say::expected_path()));
        }
        Ok(match call {
            CodeCall::Read(call) => Facts {
                effect: Effect::ReadOnly,
                accesses: vec![Access::Read(ReadAccess { path })],
                summary: say::read(crate::text::shown(call.path.as_ref())),
                diff: None,
                plan: None,
                risk: Risk::Low,
            },
            CodeCall::List(call) => {
                search::check_list(call)?;
                Facts {
                    effect: Effect::ReadOnly,
                    accesses: vec![Access::List(ListAccess { path })],
                    summary: say::list(crate::text::shown(call.path.as_ref())),
                    diff: None,
                    plan: None,
                    risk: Risk::Low,
                }
            }
            CodeCall::Write(call) => {
                let preview = preview::write(&call.path, &call.content, place);
                Facts {
                    effect: Effect::Idempotent,
                    accesses: vec![Access::Write(WriteAccess { path })],
                    summary: preview.summary,
                    diff: preview.diff,
                    plan: None,
                    risk: Risk::Low,
                }
            }
            CodeCall::Patch(call) => {
                if call.old.is_empty() {
                    return Err(InvalidCall::parameter(Self::NAME, "old", say::expected_old()));
                }
                if call.old == call.new {
                    return Err(InvalidCall::parameter(Self::NAME, "new", say::same_as_old()));
                }
                let preview = preview::patch(call, place);
                Facts {
                    effect: Effect::Mutating,
                    accesses: vec![
                        Access::Read(ReadAccess { path: path.clone() }),
                        Access::Write(WriteAccess { path }),
                    ],
                    summary: preview.summary,
                    diff: preview.diff,
                    plan: None,
                    risk: Risk::Low,
                }
            }
            CodeCall::CreateDir(call) => Facts {
                effect: Effect::Idempotent,
                accesses: vec![Access::Write(WriteAccess { path })],
                summary: say::create_folder(crate::text::shown(call.path.as_ref())),
                diff: None,
                plan: None,
                risk: Risk::Low,
            },
        })
    }

    fn would_fail(&self, call: &CodeCall, place: &Place) -> Option<Phrase> {
        preview::would_fail(call, place).err().map(|error| error.phrase())
    }

    async fn run(&self, call: CodeCall, cx: &CallContext) -> ToolResult {
        if cx.cancel.is_cancelled() {
            return cancelled();
        }
        let result = match call {
            CodeCall::Read(call) => blocking(cx, move |files, cx| read::read(&call, files, cx)).await,
            CodeCall::List(call) => return search::list(call, cx).await,
            CodeCall::Write(call) => change::write(call, cx).await,
            CodeCall::Patch(call) => patch::patch(call, cx).await,
            CodeCall::CreateDir(call) => change::create_folder(&call.path, cx).await,
        };
        result.unwrap_or_else(failed)
    }
}

impl CodeCall {
    fn path(&self) -> &str {
        match self {
            Self::Read(call) => &call.path,
            Self::Write(call) => &call.path,
            Self::Patch(call) => &call.path,
            Self::List(call) => &call.path,
            Self::CreateDir(call) => &call.path,
        }
    }
}

/// Why a call of `code` failed. The text is for the model.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CodeError {
    File(#[from] FileError),
    Keep(#[from] crate::keeper::KeepError),
    Patch(#[from] patch::PatchError),
    ReadOnly { path: String },
    Changed { path: String },
    Damaged { path: String },
    NoSuchCharacter { path: String, encoding: &'static str, character: char },
    Broken(#[from] tokio::task::JoinError),
}

impl CodeError {
    /// Returns the message for people.
    pub(crate) fn phrase(&self) -> Phrase {
        match self {
            Self::File(error) => error.phrase(),
            Self::Keep(error) => error.phrase(),
            Self::Patch(error) => error.phrase(),
            Self::ReadOnly { path } => say::may_only_read(path),
            Self::Changed { path } => say::changed_while_patched(path),
            Self::Damaged { path } => say::damaged_document(path),
            Self::NoSuchCharacter { path, encoding, character } => {
                say::encoding_lacks_character(character.escape_debug().to_string(), *encoding, path)
            }
            Self::Broken(error) => say::file_work_broke_off(error),
        }
    }
}

deputy_messages::said_by_phrase!(CodeError);

/// Runs blocking file operations on a separate thread.
async fn blocking<T: Send + 'static>(
    cx: &CallContext,
    work: impl FnOnce(&Files, &CallContext) -> Result<T, CodeError> + Send + 'static,
) -> Result<T, CodeError> {
    let cx = cx.clone();
    tokio::task::spawn_blocking(move || work(&Files::of(&cx)?, &cx)).await?
}

/// Fails if the call is confined to reading. A change needs more than the confinement of calls that run without asking.
pub(crate) fn may_change(path: &str, cx: &CallContext) -> Result<(), CodeError> {
    if cx.confinement == Confinement::ReadOnly {
        return Err(CodeError::ReadOnly { path: crate::text::shown(path.as_ref()) });
    }
    Ok(())
}
