//! Tasks and their events as the journal has them, and what commands wrote, piece by piece.

use super::{HostError, existing};
use crate::core::Core;
use crate::driver::kept_output;
use deputy_protocol::{
    Answers, ErrorBody, ErrorCode, EventQuery, EventsAnswer, EventsQuery, OutputAnswer, OutputQuery,
    StateAnswer, StateQuery, TaskAnswer, TaskQuery, TasksAnswer, TasksQuery,
};
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

/// Bytes of one piece.
const PIECE_BYTES: u64 = 256 * 1024;

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
        Ok(TasksAnswer { tasks: self.core.store.tasks(query.limit).map_err(HostError::from)? })
    }
}

impl Answers<TaskQuery> for Journal {
    async fn answer(&self, query: TaskQuery) -> Result<TaskAnswer, ErrorBody> {
        Ok(TaskAnswer { task: existing(&self.core, &query.task)? })
    }
}

impl Answers<EventsQuery> for Journal {
    /// Long texts are cut by the server, as those of live events are.
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
            let message = format!("There is no event {}.", query.seq);
            return Err(ErrorBody::new(ErrorCode::UnknownEvent, message, "The snapshot names the newest."));
        }
        Ok(EventsAnswer { events, shortened: Vec::new() })
    }
}

impl Answers<OutputQuery> for Journal {
    async fn answer(&self, query: OutputQuery) -> Result<OutputAnswer, ErrorBody> {
        let kept = kept_output(&self.core, &query.task, &query.call).map_err(HostError::from)?;
        let Some(kept) = kept else {
            let message = format!("Nothing more than its result is kept of call `{}`.", query.call);
            return Err(ErrorBody::new(ErrorCode::UnknownOutput, message, "Its result shows all of it."));
        };
        let mut file = self.core.store.blob_file(&kept.digest).map_err(HostError::from)?;
        let offset = query.offset.min(kept.size_bytes);
        let mut bytes = Vec::new();
        let read =
            file.seek(SeekFrom::Start(offset)).and_then(|_| file.take(PIECE_BYTES).read_to_end(&mut bytes));
        read.map_err(|error| HostError::Task(format!("the kept output could not be read: {error}")))?;
        let mut next = offset + bytes.len() as u64;
        // A character that the end halves belongs to the next piece.
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
