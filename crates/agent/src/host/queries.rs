//! Queries: what screens ask the host.

use super::{Host, HostError};
use deputy_protocol::{
    ActiveAgent, AgentState, ErrorBody, EventsAnswer, GrantsAnswer, IdleAgent, Query, QueryAnswer, Snapshot,
    StateAnswer, TasksAnswer,
};

impl Host {
    /// Answers a query.
    pub async fn query(&self, query: Query) -> Result<QueryAnswer, ErrorBody> {
        let store = &self.core.store;
        Ok(match query {
            Query::State(_) => QueryAnswer::State(StateAnswer { snapshot: self.snapshot()? }),
            Query::Tasks(tasks) => {
                let tasks = store.tasks(tasks.limit).map_err(HostError::from)?;
                QueryAnswer::Tasks(TasksAnswer { tasks })
            }
            Query::Events(events) => {
                let events =
                    store.task_events(&events.task, events.after, events.limit).map_err(HostError::from)?;
                QueryAnswer::Events(EventsAnswer { events })
            }
            Query::Grants(_) => QueryAnswer::Grants(self.grants()?),
            Query::PreviewGrant(preview) => QueryAnswer::GrantPreview(self.preview_grant(&preview)?),
            Query::RevokeGrant(revoke) => {
                let found =
                    store.revoke_grant(&revoke.grant, self.core.now_ms()).await.map_err(HostError::from)?;
                if !found {
                    let message = format!("There is no grant `{}`.", revoke.grant);
                    return Err(ErrorBody::new(
                        "unknown_grant",
                        message,
                        "`deputy policy grants` lists them.",
                    ));
                }
                QueryAnswer::Grants(self.grants()?)
            }
        })
    }

    /// The state that every screen shows.
    pub fn snapshot(&self) -> Result<Snapshot, HostError> {
        let store = &self.core.store;
        // The number first: what happens meanwhile is then told twice rather than never.
        let seq = store.last_seq()?;
        let tasks = store.unfinished()?;
        let state = if tasks.is_empty() {
            AgentState::Idle(IdleAgent {})
        } else {
            let (requests, questions) = (store.open_requests()?, store.open_questions()?);
            AgentState::Active(ActiveAgent { tasks, requests, questions })
        };
        Ok(Snapshot { seq, state })
    }

    fn grants(&self) -> Result<GrantsAnswer, HostError> {
        Ok(GrantsAnswer { grants: self.core.store.grants(None, self.core.now_ms())? })
    }
}
