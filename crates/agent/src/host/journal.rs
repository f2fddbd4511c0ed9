//! Tasks and their events from the journal, and the output of commands in pieces.

use super::{HostError, existing};
use crate::core::Core;
use crate::driver::{kept_output, result_of};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use deputy_messages::agent as say;
use deputy_protocol::{
    AimedPicture, Answers, Digest, ErrorBody, ErrorCode, EventQuery, EventsAnswer, EventsQuery, InnerPicture,
    OutputAnswer, OutputQuery, PictureAnswer, PictureQuery, ResultPart, StateAnswer, StateQuery, TaskAnswer,
    TaskQuery, TasksAnswer, TasksQuery,
};
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

/// The size of one piece, in bytes. A multiple of three, so that pieces in base64 can be joined.
const PIECE_BYTES: u64 = 255 * 1024;

/// The journal of a home.
pub(super) struct Journal {
    pub(super) core: Arc<Core>,
}

impl Answers<StateQuery> for Journal {
    async fn answer(&self, _: StateQuery) -> Result<StateAnswer, ErrorBody> {
        Ok(StateAnswer { snapshot: self.core.store.snapshot().map_err(HostError::from)? })
    }
}

impl Answers<TasksQuery> for Journal {
    async fn answer(&self, query: TasksQuery) -> Result<TasksAnswer, ErrorBody> {
        let store = &self.core.store;
        let said =
            query.said.as_deref().map(|words| store.said(words)).transpose().map_err(HostError::from)?;
        let tasks = store.tasks(query.limit).map_err(HostError::from)?;
        Ok(TasksAnswer { tasks, said: said.unwrap_or_default() })
    }
}

impl Answers<TaskQuery> for Journal {
    async fn answer(&self, query: TaskQuery) -> Result<TaskAnswer, ErrorBody> {
        Ok(TaskAnswer { task: existing(&self.core, &query.task)? })
    }
}

impl Answers<EventsQuery> for Journal {
    /// Long texts are cut by the server, as in live events.
    async fn answer(&self, query: EventsQuery) -> Result<EventsAnswer, ErrorBody> {
        let EventsQuery { task, after, limit, newest, brief: _ } = query;
        let store = &self.core.store;
        let events = if newest {
            store.newest_task_events(&task, after, limit)
        } else {
            store.task_events(&task, after, limit)
        };
        Ok(EventsAnswer { events: events.map_err(HostError::from)?, shortened: Vec::new() })
    }
}

impl Answers<EventQuery> for Journal {
    async fn answer(&self, query: EventQuery) -> Result<EventsAnswer, ErrorBody> {
        let events = self.core.store.events_since(query.seq.saturating_sub(1), 1).map_err(HostError::from)?;
        let events: Vec<_> = events.into_iter().filter(|record| record.seq == query.seq).collect();
        if events.is_empty() {
            let message = say::there_is_no_event(query.seq);
            return Err(ErrorBody::new(ErrorCode::UnknownEvent, message, say::snapshot_names_newest()));
        }
        Ok(EventsAnswer { events, shortened: Vec::new() })
    }
}

impl Answers<PictureQuery> for Journal {
    /// Only returns content that a result of the task names as a picture; other content cannot be requested by its
    /// digest.
    async fn answer(&self, query: PictureQuery) -> Result<PictureAnswer, ErrorBody> {
        let result = result_of(&self.core, &query.task, &query.call).map_err(HostError::from)?;
        let parts = result.into_iter().flat_map(|result| result.parts);
        let pictures = parts.filter_map(|part| match part {
            ResultPart::Picture(picture) => Some(picture),
            ResultPart::Web(web) => {
                web.aimed.map(|AimedPicture { picture: InnerPicture::Picture(part), .. }| part)
            }
            _ => None,
        });
        let mut pictures = pictures.filter(|picture| picture.digest == query.digest);
        let Some(picture) = pictures.next() else {
            let message = say::no_such_picture(query.call);
            return Err(ErrorBody::new(ErrorCode::UnknownOutput, message, say::result_names_pictures()));
        };
        let (bytes, offset) = self.piece(&picture.digest, query.offset.min(picture.size_bytes))?;
        let next = offset + bytes.len() as u64;
        Ok(PictureAnswer {
            media_type: picture.media_type,
            base64: STANDARD.encode(bytes),
            next: (next < picture.size_bytes).then_some(next),
            size_bytes: picture.size_bytes,
        })
    }
}

impl Journal {
    /// Returns a piece of stored content and its offset.
    fn piece(&self, digest: &Digest, offset: u64) -> Result<(Vec<u8>, u64), ErrorBody> {
        let mut file = self.core.store.blob_file(digest).map_err(HostError::from)?;
        let mut bytes = Vec::new();
        let read =
            file.seek(SeekFrom::Start(offset)).and_then(|_| file.take(PIECE_BYTES).read_to_end(&mut bytes));
        read.map_err(|error| HostError::Task(say::kept_content_unreadable(error)))?;
        Ok((bytes, offset))
    }
}

impl Answers<OutputQuery> for Journal {
    async fn answer(&self, query: OutputQuery) -> Result<OutputAnswer, ErrorBody> {
        let kept = kept_output(&self.core, &query.task, &query.call).map_err(HostError::from)?;
        let Some(kept) = kept else {
            let message = say::no_more_output(query.call);
            return Err(ErrorBody::new(ErrorCode::UnknownOutput, message, say::result_shows_all()));
        };
        let (mut bytes, offset) = self.piece(&kept.digest, query.offset.min(kept.size_bytes))?;
        let mut next = offset + bytes.len() as u64;
        // A character that is cut in half at the end belongs to the next piece.
        if let Err(error) = std::str::from_utf8(&bytes)
            && error.error_len().is_none()
            && next < kept.size_bytes
        {
            bytes.truncate(error.valid_up_to());
            next = offset + bytes.len() as u64;
        }
        Ok(OutputAnswer {
            text: String::from_utf8_lossy(&bytes).into_owned(),
            offset,
            next: (next < kept.size_bytes).then_some(next),
            size_bytes: kept.size_bytes,
        })
    }
}
