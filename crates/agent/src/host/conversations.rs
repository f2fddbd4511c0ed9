//! Operations on whole conversations: their titles, and whether they are archived. Both are events of a task of the
//! conversation.

use super::{HostError, existing};
use crate::core::Core;
use deputy_messages::agent as say;
use deputy_protocol::{
    ArchiveCommand, Archived, CommandId, DoneOutcome, ErrorBody, ErrorCode, Performs, RenameCommand, Renamed,
    TaskEvent, TaskId,
};
use deputy_store::StoreError;
use std::sync::Arc;

/// The maximum length of a title, which is shown on one line of a list.
const LONGEST_TITLE_CHARS: usize = 200;

/// The conversations of a home.
pub(super) struct Conversations {
    pub(super) core: Arc<Core>,
}

impl Performs<RenameCommand> for Conversations {
    async fn perform(&self, _: &CommandId, rename: RenameCommand) -> Result<DoneOutcome, ErrorBody> {
        let title = rename.title.as_deref().map(measured).transpose()?;
        let session = existing(&self.core, &rename.task)?.session;
        let first = self.core.store.first_of(&session).map_err(HostError::from)?.unwrap_or(rename.task);
        if existing(&self.core, &first)?.title != title {
            self.note(&first, TaskEvent::Renamed(Renamed { title })).await?;
        }
        Ok(DoneOutcome {})
    }
}

impl Performs<ArchiveCommand> for Conversations {
    async fn perform(&self, _: &CommandId, archive: ArchiveCommand) -> Result<DoneOutcome, ErrorBody> {
        let ArchiveCommand { task, archived } = archive;
        let session = existing(&self.core, &task)?.session;
        let newest = self.core.store.newest_of(&session).map_err(HostError::from)?.unwrap_or(task);
        if existing(&self.core, &newest)?.archived != archived {
            self.note(&newest, TaskEvent::Archived(Archived { archived })).await?;
        }
        Ok(DoneOutcome {})
    }
}

impl Conversations {
    async fn note(&self, task: &TaskId, event: TaskEvent) -> Result<(), ErrorBody> {
        let noted = self.core.store.append(task, self.core.now_ms(), vec![event]).await;
        noted.map(drop).map_err(|error: StoreError| HostError::from(error).into())
    }
}

/// Returns a valid title, without surrounding spaces.
fn measured(title: &str) -> Result<String, ErrorBody> {
    let title = title.trim();
    if title.is_empty() || title.chars().any(char::is_control) {
        return Err(ErrorBody::new(ErrorCode::BadText, say::title_is_one_line(), say::leave_title_out()));
    }
    let chars = title.chars().count();
    if chars > LONGEST_TITLE_CHARS {
        let message = say::title_too_long(chars, LONGEST_TITLE_CHARS);
        return Err(ErrorBody::new(ErrorCode::BadText, message, say::say_shorter()));
    }
    Ok(crate::redact::text(title).into_owned())
}
