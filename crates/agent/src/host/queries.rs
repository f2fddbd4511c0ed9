//! Queries: what screens ask the host. Each is answered where its subject is; here are those about the journal.

use super::{Host, HostError};
use deputy_protocol::{
    Answers, ErrorBody, ErrorCode, EventQuery, EventsAnswer, EventsQuery, GrantsAnswer, GrantsQuery,
    HostQuery, MemoriesAnswer, MemoriesQuery, MemoryStatsAnswer, MemoryStatsQuery, QueryAnswer, Snapshot,
    StateAnswer, StateQuery, TaskAnswer, TaskQuery, TasksAnswer, TasksQuery,
};

impl Host {
    /// Answers a query.
    pub async fn query(&self, query: HostQuery) -> Result<QueryAnswer, ErrorBody> {
        query.answered_by(self).await
    }

    /// The state that every screen shows.
    pub fn snapshot(&self) -> Result<Snapshot, HostError> {
        Ok(self.core.store.snapshot()?)
    }
}

impl Answers<StateQuery> for Host {
    async fn answer(&self, _: StateQuery) -> Result<StateAnswer, ErrorBody> {
        Ok(StateAnswer { snapshot: self.snapshot()? })
    }
}

impl Answers<TasksQuery> for Host {
    async fn answer(&self, query: TasksQuery) -> Result<TasksAnswer, ErrorBody> {
        Ok(TasksAnswer { tasks: self.core.store.tasks(query.limit).map_err(HostError::from)? })
    }
}

impl Answers<TaskQuery> for Host {
    async fn answer(&self, query: TaskQuery) -> Result<TaskAnswer, ErrorBody> {
        Ok(TaskAnswer { task: self.existing(&query.task)? })
    }
}

impl Answers<EventsQuery> for Host {
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

impl Answers<EventQuery> for Host {
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

impl Answers<GrantsQuery> for Host {
    async fn answer(&self, _: GrantsQuery) -> Result<GrantsAnswer, ErrorBody> {
        let grants = self.core.store.grants(None, self.core.now_ms()).map_err(HostError::from)?;
        Ok(GrantsAnswer { grants })
    }
}

impl Answers<MemoriesQuery> for Host {
    async fn answer(&self, query: MemoriesQuery) -> Result<MemoriesAnswer, ErrorBody> {
        Ok(self.core.store.memories(&query).map_err(HostError::from)?)
    }
}

impl Answers<MemoryStatsQuery> for Host {
    async fn answer(&self, _: MemoryStatsQuery) -> Result<MemoryStatsAnswer, ErrorBody> {
        let counts = self.core.store.embedding_counts().map_err(HostError::from)?;
        Ok(MemoryStatsAnswer {
            embedder: self.core.at_start.memory.embedder.clone(),
            problem: self.core.meaning.problem(),
            model: counts.model.map(|(model, _)| model),
            memories: counts.memories,
            embedded: counts.embedded,
            pending: counts.pending,
            outdated: counts.outdated,
            failed: counts.failed,
            words_only: counts.words_only,
        })
    }
}
