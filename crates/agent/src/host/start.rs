//! Starts tasks: fills in every default of the start command, and checks everything that can be checked.

use super::drivers::Drivers;
use super::{HostError, existing, place};
use crate::config::LimitOverrides;
use crate::core::Core;
use crate::driver::DriverError;
use crate::{backends, ids, named_paths};
use deputy_messages::agent as say;
use deputy_protocol::{
    CommandId, Created, ErrorBody, ErrorCode, Limits, Performs, Scope, SessionId, StartCommand,
    StartedOutcome, TaskEvent, TaskId, TaskSpec, TaskState, TaskSummary, Terminal,
};
use std::path::Path;
use std::sync::Arc;

/// The maximum length of a goal, in bytes. Longer texts belong in a file.
const MAX_GOAL_BYTES: usize = 64 * 1024;

/// The maximum length of a terminal's `PATH`, in bytes. A longer one is ignored.
const MAX_PATH_BYTES: usize = 64 * 1024;

/// What a new task has in common with its conversation.
struct Continued {
    session: SessionId,
    scope: Scope,
    terminal: Option<Terminal>,
}

/// Starts tasks.
pub(super) struct Starting {
    pub(super) core: Arc<Core>,
    pub(super) drivers: Arc<Drivers>,
}

impl Performs<StartCommand> for Starting {
    async fn perform(&self, id: &CommandId, start: StartCommand) -> Result<StartedOutcome, ErrorBody> {
        Ok(StartedOutcome { task: self.start(id, start).await? })
    }
}

impl Starting {
    async fn start(&self, command: &CommandId, start: StartCommand) -> Result<TaskSummary, ErrorBody> {
        // The task's id is derived from the command's id: a command that is sent again after a crash finds the task
        // that it created.
        let id = TaskId(ids::derived('t', command.as_str()));
        if let Some(task) = self.core.store.task(&id).map_err(HostError::from)? {
            if !matches!(task.state, TaskState::Stopped(_)) {
                self.drivers.drive(&id).await?;
            }
            return existing(&self.core, &id);
        }
        let spec = self.spec(id.clone(), start)?;
        let notice = place::notice(Path::new(&spec.workspace), &self.core.user_home);
        let named = named_paths::named(&spec.goal, &self.core.user_home, Some(Path::new(&spec.workspace)));
        let created = TaskEvent::Created(Created { spec, notice, named });
        self.core.store.append(&id, self.core.now_ms(), vec![created]).await.map_err(HostError::from)?;
        self.drivers.drive(&id).await?;
        existing(&self.core, &id)
    }

    /// Returns the specification of a task, with every default filled in and everything checked that can be checked.
    fn spec(&self, id: TaskId, start: StartCommand) -> Result<TaskSpec, ErrorBody> {
        if start.goal.trim().is_empty() {
            return Err(ErrorBody::new(ErrorCode::EmptyGoal, say::task_is_empty(), say::say_what_to_do()));
        }
        if start.goal.len() > MAX_GOAL_BYTES {
            let message = say::task_too_long(start.goal.len(), MAX_GOAL_BYTES);
            return Err(ErrorBody::new(ErrorCode::GoalTooLong, message, say::put_text_into_file()));
        }
        let config = &*self.core.config();
        let name = start.profile.unwrap_or_else(|| config.profile.clone());
        let profile = self.core.profiles.current(&name).map_err(|error| {
            ErrorBody::new(ErrorCode::Profile, format!("{error}."), say::deputy_profiles_list_shows_all())
        })?;
        // A named model belongs to the backend that is named with it.
        let of_profile = profile.backend.clone().filter(|_| start.backend.is_none());
        let model = start.model.or_else(|| profile.model.clone().filter(|_| start.backend.is_none()));
        let backend = start.backend.or(of_profile).unwrap_or_else(|| config.backend.clone());
        let mut checked = config.clone();
        if let Some(model) = &model {
            let settings = checked.backends.entry(backend.clone()).or_default();
            settings.insert("model".to_owned(), model.as_str().into());
        }
        backends::check(&self.core.home, &checked, &backend)?;
        let own = LimitOverrides {
            max_iterations: start.max_iterations,
            max_wall_secs: start.max_wall_secs,
            max_tokens: start.max_tokens,
            max_cost_cents: start.max_cost_cents,
            ..LimitOverrides::default()
        };
        let terminal = start.terminal.filter(|terminal| terminal.path.len() <= MAX_PATH_BYTES);
        let Continued { session, scope, terminal } =
            self.continued(start.after, start.session, start.scope, terminal)?;
        let limits = own.over(profile.limits.over(config.limits.over(Limits::default())));
        Ok(TaskSpec {
            id,
            session,
            goal: start.goal,
            profile: name,
            backend,
            model,
            workspace: place::workspace(&start.workspace, &self.core.home)?,
            scope,
            limits,
            standing_consent: start.standing_consent,
            parent: None,
            terminal,
        })
    }

    /// Returns what a new task has in common with its conversation. A task that continues another one has the same
    /// scope, and the same terminal unless it is started in another one.
    fn continued(
        &self,
        after: Option<TaskId>,
        session: Option<SessionId>,
        named: Scope,
        terminal: Option<Terminal>,
    ) -> Result<Continued, ErrorBody> {
        let is_named = named != Scope::default();
        let (before, session) = match (after, session) {
            (Some(after), session) => {
                let before = existing(&self.core, &after)?;
                if is_named || session.is_some_and(|session| session != before.session) {
                    let message = say::continued_task_keeps_scope(after);
                    let hint = say::name_no_files_and_folders();
                    return Err(ErrorBody::new(ErrorCode::Scope, message, hint));
                }
                (Some(after), before.session)
            }
            (None, Some(session)) => {
                let newest = self.core.store.newest_of(&session).map_err(HostError::from)?;
                (newest, session)
            }
            (None, None) => (None, SessionId(ids::fresh('s'))),
        };
        let Some(before) = before else {
            return Ok(Continued { session, scope: place::scope(named, &self.core.home)?, terminal });
        };
        let first = self.core.store.task_events(&before, 0, 1).map_err(HostError::from)?;
        let Some(TaskEvent::Created(created)) = first.into_iter().next().map(|record| record.event) else {
            return Err(HostError::from(DriverError::NoBeginning { task: before }).into());
        };
        let scope = match is_named {
            true => place::scope(named, &self.core.home)?,
            // Used as it was approved there: paths that no longer exist still limit it.
            false => created.spec.scope,
        };
        Ok(Continued { session, scope, terminal: terminal.or(created.spec.terminal) })
    }
}
