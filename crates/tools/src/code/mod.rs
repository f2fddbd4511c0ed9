//! `code`: reads, writes, patches, moves and deletes files, in this process and by handle.

mod apply_patch;
mod change;
mod compared;
mod moving;
mod patch;
mod preview;
mod read;
mod stored;

pub use compared::{Compared, LARGEST_COMPARED};

pub(crate) use change::{make_folder, replace_text, write_new};

use crate::files::{FileError, Files};
use crate::parameters::actions;
use crate::search::{self, LsParameters};
use crate::text::{cancelled, failed, shown};
use crate::tool::{CallContext, InvalidCall, Place, TypedTool};
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_protocol::{
    Access, Confinement, DeleteAccess, Effect, Facts, ListAccess, MoveAccess, ReadAccess, Risk, ToolResult,
    WriteAccess,
};
use schemars::JsonSchema;
use serde::Deserialize;

/// The tool that reads and changes files.
pub(crate) struct Code;

/// Parameters of `read`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadParameters {
    path: String,
    /// Number of the first line to read.
    #[serde(default)]
    start_line: Option<u64>,
    /// Number of lines to read. Default: as many as fit.
    #[serde(default)]
    lines: Option<u64>,
    /// Put its number and a tab before each line.
    #[serde(default)]
    numbered: bool,
}

/// Parameters of `write`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WriteParameters {
    path: String,
    /// The whole new content of the file.
    content: String,
}

/// Parameters of `patch`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PatchParameters {
    path: String,
    /// The exact text to replace.
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
    path: String,
}

/// Parameters of `move`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveParameters {
    from: String,
    /// Its new path, with its name; missing folders are created.
    to: String,
}

/// Parameters of `delete`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeleteParameters {
    path: String,
}

/// Parameters of `apply_patch`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ApplyPatchParameters {
    /// The patch, from `*** Begin Patch` to `*** End Patch`.
    patch: String,
}

actions! {
    /// A call of `code`.
    pub(crate) enum CodeCall {
        "read" => Read(ReadParameters),
        "write" => Write(WriteParameters),
        "patch" => Patch(PatchParameters),
        "list" => List(LsParameters),
        "create_dir" => CreateDir(CreateDirParameters),
        "move" => Move(MoveParameters),
        "delete" => Delete(DeleteParameters),
        "apply_patch" => ApplyPatch(ApplyPatchParameters),
    }
}

impl TypedTool for Code {
    const NAME: &'static str = "code";
    type Parameters = CodeCall;

    fn facts(&self, call: &CodeCall, place: &Place) -> Result<Facts, InvalidCall> {
        let named = |name: &str, path: &str| match place.named(path) {
            path if path.is_empty() || path.contains('\0') => {
                Err(InvalidCall::parameter(Self::NAME, name, say::expected_path()))
            }
            path => Ok(path),
        };
        let path = match call {
            CodeCall::ApplyPatch(_) => String::new(),
            CodeCall::Move(call) => named("from", &call.from)?,
            call => named("path", call.path())?,
        };
        let looks = |access, summary| facts(Effect::ReadOnly, vec![access], summary);
        Ok(match call {
            CodeCall::Read(call) => {
                looks(Access::Read(ReadAccess { path }), say::read(shown(call.path.as_ref())))
            }
            CodeCall::List(call) => {
                search::check_list(call)?;
                looks(Access::List(ListAccess { path }), say::list(shown(call.path.as_ref())))
            }
            CodeCall::Write(call) => {
                let preview = preview::write(&call.path, &call.content, place);
                let writes = vec![Access::Write(WriteAccess { path })];
                Facts { diff: preview.diff, ..facts(Effect::Idempotent, writes, preview.summary) }
            }
            CodeCall::Patch(call) => {
                if call.old.is_empty() {
                    return Err(InvalidCall::parameter(Self::NAME, "old", say::expected_old()));
                }
                if call.old == call.new {
                    return Err(InvalidCall::parameter(Self::NAME, "new", say::same_as_old()));
                }
                let preview = preview::patch(call, place);
                let accesses = vec![
                    Access::Read(ReadAccess { path: path.clone() }),
                    Access::Write(WriteAccess { path }),
                ];
                Facts { diff: preview.diff, ..facts(Effect::Mutating, accesses, preview.summary) }
            }
            CodeCall::Move(call) => {
                let moves = Access::Move(MoveAccess { path, dest: named("to", &call.to)? });
                let summary = say::move_to(shown(call.from.as_ref()), shown(call.to.as_ref()));
                facts(Effect::Mutating, vec![moves], summary)
            }
            CodeCall::Delete(call) => {
                let deletes = vec![Access::Delete(DeleteAccess { path })];
                facts(Effect::Mutating, deletes, say::delete(shown(call.path.as_ref())))
            }
            CodeCall::ApplyPatch(call) => {
                let preview = apply_patch::preview(call, place)
                    .map_err(|error| InvalidCall::parameter(Self::NAME, "patch", error.phrase()))?;
                for access in &preview.accesses {
                    if let Access::Write(WriteAccess { path }) | Access::Delete(DeleteAccess { path }) =
                        access
                    {
                        named("patch", path)?;
                    }
                }
                let facts = facts(Effect::Mutating, preview.accesses, preview.summary);
                Facts { diff: preview.diff, ..facts }
            }
            CodeCall::CreateDir(call) => {
                let writes = vec![Access::Write(WriteAccess { path })];
                facts(Effect::Idempotent, writes, say::create_folder(shown(call.path.as_ref())))
            }
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
            CodeCall::Move(call) => moving::move_file(call, cx).await,
            CodeCall::Delete(call) => moving::delete(call, cx).await,
            CodeCall::ApplyPatch(call) => apply_patch::run(call, cx).await,
        };
        result.unwrap_or_else(failed)
    }
}

fn facts(effect: Effect, accesses: Vec<Access>, summary: Phrase) -> Facts {
    Facts { effect, accesses, summary, diff: None, plan: None, risk: Risk::Low }
}

impl CodeCall {
    /// Returns the path of the only file that the call is about. Empty for a patch of several files.
    fn path(&self) -> &str {
        match self {
            Self::Read(call) => &call.path,
            Self::Write(call) => &call.path,
            Self::Patch(call) => &call.path,
            Self::List(call) => &call.path,
            Self::CreateDir(call) => &call.path,
            Self::Move(call) => &call.from,
            Self::Delete(call) => &call.path,
            Self::ApplyPatch(_) => "",
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
    NotEmpty { path: String },
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
            Self::NotEmpty { path } => say::folder_not_empty(path),
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
        return Err(CodeError::ReadOnly { path: shown(path.as_ref()) });
    }
    Ok(())
}
