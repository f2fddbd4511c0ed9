//! Queries: what screens ask the host.

use super::{Host, HostError};
use deputy_protocol::{
    ChoicesAnswer, ErrorBody, EventsAnswer, EventsQuery, GrantsAnswer, Query, QueryAnswer, Snapshot,
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
                let EventsQuery { task, after, limit, newest, brief: _ } = events;
                let events = match newest {
                    true => store.newest_task_events(&task, after, limit),
                    false => store.task_events(&task, after, limit),
                };
                QueryAnswer::Events(EventsAnswer {
                    events: events.map_err(HostError::from)?,
                    shortened: Vec::new(),
                })
            }
            Query::Event(event) => {
                let events = store.events_since(event.seq.saturating_sub(1), 1).map_err(HostError::from)?;
                let events: Vec<_> = events.into_iter().filter(|record| record.seq == event.seq).collect();
                if events.is_empty() {
                    let message = format!("There is no event {}.", event.seq);
                    return Err(ErrorBody::new("unknown_event", message, "The snapshot names the newest."));
                }
                QueryAnswer::Events(EventsAnswer { events, shortened: Vec::new() })
            }
            Query::Choices(_) => QueryAnswer::Choices(ChoicesAnswer { choices: self.choices() }),
            Query::Settings(_) => QueryAnswer::Settings(self.settings()),
            Query::ChangeSettings(query) => QueryAnswer::Settings(self.change_settings(query).await?),
            Query::SetKey(query) => QueryAnswer::Settings(self.set_key(query).await?),
            Query::CheckBackend(query) => QueryAnswer::BackendCheck(self.check_backend(query.backend).await?),
            Query::FindServers(_) => QueryAnswer::LocalServers(self.find_servers().await),
            Query::Doctor(_) => QueryAnswer::Doctor(self.doctor().await?),
            Query::Explain(query) => QueryAnswer::Explanation(self.explain(&query)?),
            Query::Rules(_) => QueryAnswer::Rules(self.user_rules()),
            Query::Usage(query) => QueryAnswer::Usage(self.usage(query.since_ms)?),
            Query::Folders(folders) => QueryAnswer::Folders(self.folders(folders).await?),
            Query::StartScan(start) => QueryAnswer::Scan(self.start_scan(start).await?),
            Query::Scan(scan) => QueryAnswer::Scan(self.scans.stand(&scan.scan)?),
            Query::StopScan(stop) => QueryAnswer::Scan(self.scans.stop(&stop.scan)?),
            Query::Draft(draft) => QueryAnswer::Draft(self.draft(draft).await?),
            Query::Jobs(jobs) => QueryAnswer::Jobs(self.jobs(jobs).await?),
            Query::Memories(query) => QueryAnswer::Memories(store.memories(&query).map_err(HostError::from)?),
            Query::Output(query) => QueryAnswer::Output(self.output(&query)?),
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
            // What only the server knows: who looks on, and what is not journalled. Its list names every query.
            _ => {
                let message = "This is the server's to answer, not the host's.";
                return Err(ErrorBody::new("not_here", message, "Ask over the socket."));
            }
        })
    }

    /// The state that every screen shows.
    pub fn snapshot(&self) -> Result<Snapshot, HostError> {
        Ok(self.core.store.snapshot()?)
    }

    fn grants(&self) -> Result<GrantsAnswer, HostError> {
        Ok(GrantsAnswer { grants: self.core.store.grants(None, self.core.now_ms())? })
    }
}
