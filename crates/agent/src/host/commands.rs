//! Commands: what screens tell the host to do. Each is idempotent by the id that its client made.

use super::{Host, HostError, place};
use crate::config::LimitOverrides;
use crate::driver::{DriverError, Signal, load_machine};
use crate::{backends, ids};
use deputy_protocol::{
    AnswerPermissionCommand, AnswerQuestionCommand, Answerer, Choice, CommandId, CommandOutcome, Created,
    DoneOutcome, ErrorBody, ErrorCode, HostCommand, Limits, OperationEffect, PauseCommand, Performs,
    RequestId, ResumeCommand, RevokeGrantCommand, Scope, SessionId, StartCommand, StartedOutcome,
    SteerCommand, StopBackgroundCommand, StopCommand, TaskEvent, TaskId, TaskSpec, TaskState, TaskSummary,
};
use deputy_store::Answered;
use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A goal longer than this is a file, not a goal.
const MAX_GOAL_BYTES: usize = 64 * 1024;

impl From<HostError> for ErrorBody {
    fn from(error: HostError) -> Self {
        let (code, hint) = match &error {
            HostError::Store(_) => (
                ErrorCode::Store,
                "Nothing was lost; mend what it names and try again. `deputy doctor` helps.",
            ),
            HostError::Config(_) => {
                (ErrorCode::Config, "Mend the file, or set the value with `deputy config set`.")
            }
            HostError::Task(_) => (ErrorCode::Task, "See `deputy tasks`."),
        };
        Self::new(code, error.to_string(), hint)
    }
}

/// Secret outcomes that are remembered; the oldest goes first.
const MOST_SECRETS: usize = 64;

/// What keeps a command from being done twice, beside the journal.
#[derive(Default)]
pub(super) struct Commands {
    /// Commands that are being done, each with what the same command waits for.
    turns: Mutex<HashMap<CommandId, Arc<tokio::sync::Mutex<()>>>>,
    /// What came of commands and is never written down.
    secrets: Mutex<VecDeque<(CommandId, CommandOutcome)>>,
}

impl Commands {
    fn secret(&self, id: &CommandId) -> Option<CommandOutcome> {
        let secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        secrets.iter().find(|(known, _)| known == id).map(|(_, outcome)| outcome.clone())
    }

    fn keep_secret(&self, id: &CommandId, outcome: &CommandOutcome) {
        let mut secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        if secrets.len() == MOST_SECRETS {
            secrets.pop_front();
        }
        secrets.push_back((id.clone(), outcome.clone()));
    }
}

impl Host {
    /// Does a command of the host's, or says what came of it when it was sent before.
    pub async fn command(&self, id: &CommandId, command: HostCommand) -> Result<CommandOutcome, ErrorBody> {
        let effect = command.info().effect;
        self.once(id, effect, async move { command.performed_by(id, self).await }).await
    }

    /// Does what a command asks for, or says what came of it when it was sent before.
    ///
    /// The same command may come twice at the same time, from a client that connects again: the second waits for the first.
    pub async fn once(
        &self,
        id: &CommandId,
        effect: OperationEffect,
        doing: impl Future<Output = Result<CommandOutcome, ErrorBody>>,
    ) -> Result<CommandOutcome, ErrorBody> {
        let turn = {
            let mut turns = self.commands.turns.lock().unwrap_or_else(PoisonError::into_inner);
            turns.entry(id.clone()).or_default().clone()
        };
        let done = {
            let _turn = turn.lock().await;
            self.in_turn(id, effect, doing).await
        };
        let mut turns = self.commands.turns.lock().unwrap_or_else(PoisonError::into_inner);
        // This one's and the map's: nobody else waits.
        if Arc::strong_count(&turn) == 2 {
            turns.remove(id);
        }
        done
    }

    async fn in_turn(
        &self,
        id: &CommandId,
        effect: OperationEffect,
        doing: impl Future<Output = Result<CommandOutcome, ErrorBody>>,
    ) -> Result<CommandOutcome, ErrorBody> {
        let before = match self.commands.secret(id) {
            Some(outcome) => Some(outcome),
            None => self.core.store.command_seen(id).await.map_err(HostError::from)?,
        };
        if let Some(outcome) = before {
            return Ok(outcome);
        }
        let outcome = doing.await?;
        if effect == OperationEffect::ChangesInSecret {
            self.commands.keep_secret(id, &outcome);
        } else {
            let now_ms = self.core.now_ms();
            self.core.store.remember_command(id, &outcome, now_ms).await.map_err(HostError::from)?;
        }
        Ok(outcome)
    }

    async fn start(&self, command: &CommandId, start: StartCommand) -> Result<TaskSummary, ErrorBody> {
        // The command's id makes the task's: sent again after a crash it finds the task that it made.
        let id = TaskId(ids::derived('t', command.as_str()));
        if let Some(task) = self.core.store.task(&id).map_err(HostError::from)? {
            if !matches!(task.state, TaskState::Stopped(_)) {
                self.drive(&id).await?;
            }
            return self.existing(&id);
        }
        let spec = self.spec(id.clone(), start)?;
        let notice = place::notice(Path::new(&spec.workspace), &self.core.user_home);
        let created = TaskEvent::Created(Created { spec, notice });
        self.core.store.append(&id, self.core.now_ms(), vec![created]).await.map_err(HostError::from)?;
        self.drive(&id).await?;
        self.existing(&id)
    }

    /// The task that a start command asks for, with every default filled in and everything checked that can be.
    fn spec(&self, id: TaskId, start: StartCommand) -> Result<TaskSpec, ErrorBody> {
        if start.goal.trim().is_empty() {
            return Err(ErrorBody::new(
                ErrorCode::EmptyGoal,
                "The task is empty.",
                "Say what is to be done.",
            ));
        }
        if start.goal.len() > MAX_GOAL_BYTES {
            let message =
                format!("The task is {} bytes long; at most {MAX_GOAL_BYTES} fit.", start.goal.len());
            return Err(ErrorBody::new(
                ErrorCode::GoalTooLong,
                message,
                "Put the text into a file and name the file.",
            ));
        }
        let config = &*self.core.config();
        let name = start.profile.unwrap_or_else(|| config.profile.clone());
        let profile = self.core.profiles.current(&name).map_err(|error| {
            ErrorBody::new(ErrorCode::Profile, format!("{error}."), "`deputy profiles list` shows all.")
        })?;
        let backend = start.backend.unwrap_or_else(|| config.backend.clone());
        backends::check(&self.core.home, config, &backend)?;
        let own = LimitOverrides {
            max_iterations: start.max_iterations,
            max_wall_secs: start.max_wall_secs,
            max_tokens: start.max_tokens,
            ..LimitOverrides::default()
        };
        let (session, scope) = self.session_and_scope(start.after, start.session, start.scope)?;
        let limits = own.over(profile.limits.over(config.limits.over(Limits::default())));
        Ok(TaskSpec {
            id,
            session,
            goal: start.goal,
            profile: name,
            backend,
            workspace: place::workspace(&start.workspace, &self.core.home)?,
            scope,
            limits,
            standing_consent: start.standing_consent,
        })
    }

    /// The session of a new task, and what it may touch: a task that continues another one is held to the same.
    fn session_and_scope(
        &self,
        after: Option<TaskId>,
        session: Option<SessionId>,
        named: Scope,
    ) -> Result<(SessionId, Scope), ErrorBody> {
        let is_named = named != Scope::default();
        let (before, session) = match (after, session) {
            (Some(after), session) => {
                let before = self.existing(&after)?;
                if is_named || session.is_some_and(|session| session != before.session) {
                    let message =
                        format!("A task that continues {after} is held to the same files and folders.");
                    let hint = "Name no files and folders, or start a task of its own.";
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
        let Some(before) = before.filter(|_| !is_named) else {
            return Ok((session, place::scope(named, &self.core.home)?));
        };
        // Taken as it was approved there: what is gone since then still bounds it.
        let first = self.core.store.task_events(&before, 0, 1).map_err(HostError::from)?;
        match first.into_iter().next().map(|record| record.event) {
            Some(TaskEvent::Created(created)) => Ok((session, created.spec.scope)),
            _ => Err(HostError::from(DriverError::NoBeginning { task: before }).into()),
        }
    }

    async fn tell(&self, task: &TaskId, signal: Signal) -> Result<DoneOutcome, ErrorBody> {
        let summary = self.existing(task)?;
        if let TaskState::Stopped(_) = summary.state {
            let message = format!("Task {task} has ended already.");
            return Err(ErrorBody::new(
                ErrorCode::TaskEnded,
                message,
                format!("`deputy show {task}` tells how."),
            ));
        }
        self.signal(task, signal).await?;
        Ok(DoneOutcome {})
    }

    /// Refuses to stop what does not run.
    fn running_background(&self, stop: &StopBackgroundCommand) -> Result<(), ErrorBody> {
        self.existing(&stop.task)?;
        let StopBackgroundCommand { task, background } = stop;
        let machine = load_machine(&self.core, task).map_err(HostError::from)?;
        let running = machine.map(|machine| machine.backgrounds().running().to_vec()).unwrap_or_default();
        if running.iter().any(|one| one.background == *background) {
            return Ok(());
        }
        let named: Vec<&str> = running.iter().map(|one| one.background.as_str()).collect();
        let message = format!("No background command `{background}` of task {task} is running.");
        let hint = match named.as_slice() {
            [] => "Nothing of this task runs in the background.".to_owned(),
            named => format!("These run: {}.", named.join(", ")),
        };
        Err(ErrorBody::new(ErrorCode::UnknownBackground, message, hint))
    }

    pub(super) fn existing(&self, task: &TaskId) -> Result<TaskSummary, ErrorBody> {
        let found = self.core.store.task(task).map_err(HostError::from)?;
        found.ok_or_else(|| {
            ErrorBody::new(
                ErrorCode::UnknownTask,
                format!("There is no task `{task}`."),
                "`deputy tasks` lists them.",
            )
        })
    }

    async fn settle_answer(&self, id: &RequestId, answered: Answered) -> Result<DoneOutcome, ErrorBody> {
        let refused = |code: ErrorCode, message: String, hint: &str| Err(ErrorBody::new(code, message, hint));
        match answered {
            Answered::Accepted(record) => {
                self.journalled(record).await;
                Ok(DoneOutcome {})
            }
            Answered::AlreadyTheSame => Ok(DoneOutcome {}),
            Answered::AlreadyOther { by, choice } => {
                let verb = if matches!(choice, Choice::Allow(_)) { "allowed" } else { "denied" };
                let who = match by {
                    Answerer::Local(local) => format!("at the {}", local.screen),
                    Answerer::Device(device) => format!("on {}", device.name),
                    Answerer::Standing(_) => "by the task's standing consent".to_owned(),
                    Answerer::Expiry(_) => "because its time ran out".to_owned(),
                };
                refused(
                    ErrorCode::AlreadyAnswered,
                    format!("Request {id} was {verb} {who} before."),
                    "The first answer counts.",
                )
            }
            Answered::AlreadySaid { text } => refused(
                ErrorCode::AlreadyAnswered,
                format!("This question was already answered: {}", quoted(&text)),
                "The first answer counts.",
            ),
            Answered::NoLongerAsked => refused(
                ErrorCode::Expired,
                "The task that asked this has ended, so the answer goes nowhere.".to_owned(),
                "Start the task again, or continue it with a new one.",
            ),
            Answered::Unknown => refused(
                ErrorCode::UnknownRequest,
                format!("Nothing waits under the id `{id}`."),
                "`deputy status` lists what waits.",
            ),
            Answered::WrongDigest => refused(
                ErrorCode::Changed,
                format!("Request {id} is not about what this answer names."),
                "Look at it again with `deputy status`, then answer.",
            ),
            Answered::NotOffered => refused(
                ErrorCode::NotOffered,
                format!("Request {id} does not offer that answer."),
                "`deputy status` lists what it offers; `--for once` always is.",
            ),
            Answered::CannotDrop => refused(
                ErrorCode::CannotDrop,
                format!("Request {id} cannot be allowed without what this answer leaves out."),
                "Leave out some of its edits, in its order, and allow the others once; to leave out all, deny it.",
            ),
            Answered::NotAllowed => refused(
                ErrorCode::NotAllowed,
                format!("This device may not answer request {id}."),
                "`deputy devices list` shows what each device may do.",
            ),
            Answered::SignatureOver => refused(
                ErrorCode::SignatureOver,
                format!("The signed answer to request {id} is not good now: it holds for two minutes."),
                "Sign a new one by the clock that the challenge names.",
            ),
            Answered::Replayed => refused(
                ErrorCode::Replayed,
                format!("The answer to request {id} carries a signature that was used before."),
                "Sign a new one with a fresh nonce.",
            ),
            Answered::Expired => refused(
                ErrorCode::Expired,
                format!("Request {id} waited too long and counts as denied."),
                "Start the task again.",
            ),
        }
    }
}

impl Performs<StartCommand> for Host {
    async fn perform(&self, id: &CommandId, start: StartCommand) -> Result<StartedOutcome, ErrorBody> {
        Ok(StartedOutcome { task: self.start(id, start).await? })
    }
}

impl Performs<StopCommand> for Host {
    async fn perform(&self, _: &CommandId, stop: StopCommand) -> Result<DoneOutcome, ErrorBody> {
        self.tell(&stop.task, Signal::Stop).await
    }
}

impl Performs<PauseCommand> for Host {
    async fn perform(&self, _: &CommandId, pause: PauseCommand) -> Result<DoneOutcome, ErrorBody> {
        self.tell(&pause.task, Signal::Pause).await
    }
}

impl Performs<ResumeCommand> for Host {
    async fn perform(&self, _: &CommandId, resume: ResumeCommand) -> Result<DoneOutcome, ErrorBody> {
        self.tell(&resume.task, Signal::Resume).await
    }
}

impl Performs<SteerCommand> for Host {
    async fn perform(&self, _: &CommandId, steer: SteerCommand) -> Result<DoneOutcome, ErrorBody> {
        self.tell(&steer.task, Signal::Steer(steer.text)).await
    }
}

impl Performs<StopBackgroundCommand> for Host {
    async fn perform(&self, _: &CommandId, stop: StopBackgroundCommand) -> Result<DoneOutcome, ErrorBody> {
        self.running_background(&stop)?;
        self.tell(&stop.task, Signal::StopBackground(stop.background)).await
    }
}

impl Performs<AnswerQuestionCommand> for Host {
    async fn perform(&self, _: &CommandId, command: AnswerQuestionCommand) -> Result<DoneOutcome, ErrorBody> {
        let AnswerQuestionCommand { request, text } = command;
        let answered = self.core.store.answer_question(&request, &text, self.core.now_ms()).await;
        self.settle_answer(&request, answered.map_err(HostError::from)?).await
    }
}

impl Performs<AnswerPermissionCommand> for Host {
    async fn perform(
        &self,
        _: &CommandId,
        command: AnswerPermissionCommand,
    ) -> Result<DoneOutcome, ErrorBody> {
        let request = command.answer.request.clone();
        let answered = self.core.store.answer_permission(command.answer, self.core.now_ms()).await;
        self.settle_answer(&request, answered.map_err(HostError::from)?).await
    }
}

impl Performs<RevokeGrantCommand> for Host {
    async fn perform(&self, _: &CommandId, revoke: RevokeGrantCommand) -> Result<DoneOutcome, ErrorBody> {
        let found = self.core.store.revoke_grant(&revoke.grant, self.core.now_ms()).await;
        if found.map_err(HostError::from)? {
            return Ok(DoneOutcome {});
        }
        let message = format!("There is no grant `{}`.", revoke.grant);
        Err(ErrorBody::new(ErrorCode::UnknownGrant, message, "`deputy policy grants` lists them."))
    }
}

/// An answer in one line, as far as it helps to recognise it.
fn quoted(text: &str) -> String {
    const MOST_CHARS: usize = 120;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("“{}…”", &line[..end]),
        None => format!("“{line}”"),
    }
}
