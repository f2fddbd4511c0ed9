//! Handles a person's answers to requests and questions. The first answer counts.

use super::drivers::Drivers;
use super::{HostError, existing};
use crate::core::Core;
use crate::driver::Signal;
use crate::named_paths;
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_protocol::{
    AnswerPermissionCommand, AnswerQuestionCommand, Answerer, Choice, CommandId, DenyChoice, DoneOutcome,
    ErrorBody, ErrorCode, ExpiryAnswerer, PauseReason, Performs, PermissionAnswer, PermissionRequest,
    QuestionAnswered, RequestId, TaskState,
};
use deputy_store::Answered;
use std::path::Path;
use std::sync::Arc;

/// Handles answers.
pub(super) struct Answering {
    pub(super) core: Arc<Core>,
    pub(super) drivers: Arc<Drivers>,
}

impl Performs<AnswerQuestionCommand> for Answering {
    async fn perform(&self, _: &CommandId, command: AnswerQuestionCommand) -> Result<DoneOutcome, ErrorBody> {
        let AnswerQuestionCommand { request, text, by } = command;
        let open = self.core.store.open_questions().map_err(HostError::from)?;
        let question = open.iter().find(|question| question.id == request);
        let task = question.map(|question| existing(&self.core, &question.task)).transpose()?;
        let folder = task.as_ref().map(|task| Path::new(&task.workspace));
        let named = named_paths::named(&text, &self.core.user_home, folder);
        let answer = QuestionAnswered { request: request.clone(), text, by, named };
        let answered = self.core.store.answer_question(answer, self.core.now_ms()).await;
        self.settle_answer(&request, answered.map_err(HostError::from)?).await
    }
}

impl Performs<AnswerPermissionCommand> for Answering {
    async fn perform(
        &self,
        _: &CommandId,
        mut command: AnswerPermissionCommand,
    ) -> Result<DoneOutcome, ErrorBody> {
        if let Choice::Deny(deny) = &mut command.answer.choice {
            // A person's own words are not a message of the catalogue.
            deny.reason = String::from(std::mem::take(&mut deny.reason)).into();
            if deny.change && deny.reason.trim().is_empty() {
                let hint = say::say_the_change_or_deny();
                return Err(ErrorBody::new(ErrorCode::NotOffered, say::change_without_words(), hint));
            }
        }
        let request = command.answer.request.clone();
        let answered = self.core.store.answer_permission(command.answer, self.core.now_ms()).await;
        self.settle_answer(&request, answered.map_err(HostError::from)?).await
    }
}

impl Answering {
    async fn settle_answer(&self, id: &RequestId, answered: Answered) -> Result<DoneOutcome, ErrorBody> {
        let refused =
            |code: ErrorCode, message: Phrase, hint: Phrase| Err(ErrorBody::new(code, message, hint));
        match answered {
            Answered::Accepted(record) => {
                self.drivers.journalled(record).await;
                Ok(DoneOutcome {})
            }
            Answered::AlreadyTheSame => Ok(DoneOutcome {}),
            Answered::AlreadyOther { by, choice } => {
                let who = match by {
                    Answerer::Local(local) => say::at_screen(match local.screen.as_str() {
                        "desktop" => say::desktop(),
                        "terminal" => say::terminal(),
                        "command line" => say::command_line(),
                        other => other.into(),
                    }),
                    Answerer::Device(device) => say::on_device(device.name),
                    Answerer::Standing(_) => say::by_standing_consent(),
                    Answerer::Expiry(_) => say::by_expiry(),
                    Answerer::Instruction(_) => say::by_instruction(),
                };
                let said = match choice {
                    Choice::Allow(_) => say::request_allowed_before(id, who),
                    Choice::Deny(deny) if deny.change => say::request_change_asked_before(id, who),
                    Choice::Deny(_) => say::request_denied_before(id, who),
                };
                refused(ErrorCode::AlreadyAnswered, said, say::first_answer_counts())
            }
            Answered::AlreadySaid { text } => refused(
                ErrorCode::AlreadyAnswered,
                say::question_answered(quoted(&text)),
                say::first_answer_counts(),
            ),
            Answered::NoLongerAsked => {
                refused(ErrorCode::Expired, say::asking_task_ended(), say::start_task_again_or_continue())
            }
            Answered::Unknown => refused(
                ErrorCode::UnknownRequest,
                say::nothing_waits_under_id(id),
                say::deputy_status_lists_what_waits(),
            ),
            Answered::WrongDigest => {
                refused(ErrorCode::Changed, say::request_changed(id), say::look_at_again_with_deputy())
            }
            Answered::NotOffered => refused(
                ErrorCode::NotOffered,
                say::answer_not_offered(id),
                say::deputy_status_lists_what_offers(),
            ),
            Answered::CannotDrop => {
                refused(ErrorCode::CannotDrop, say::calls_not_droppable(id), say::leave_out_some_of_calls())
            }
            Answered::NotAllowed => refused(
                ErrorCode::NotAllowed,
                say::device_may_not_answer(id),
                say::deputy_devices_list_shows_what(),
            ),
            Answered::SignatureOver => {
                refused(ErrorCode::SignatureOver, say::signature_over(id), say::sign_new_one_by_clock())
            }
            Answered::Replayed => {
                refused(ErrorCode::Replayed, say::signature_replayed(id), say::sign_new_one_with_fresh())
            }
            Answered::Expired(request) => match self.ask_again(*request).await? {
                true => {
                    let hint = say::deputy_status_lists_what_waits();
                    refused(ErrorCode::Expired, say::request_expired(id), hint)
                }
                false => {
                    let hint = say::start_task_again_or_continue();
                    refused(ErrorCode::Expired, say::asking_task_ended(), hint)
                }
            },
        }
    }
}

impl Answering {
    /// Lets the task of an expired request ask again, because a person is there now. Returns `false` if the task has
    /// ended.
    async fn ask_again(&self, request: PermissionRequest) -> Result<bool, ErrorBody> {
        // The task may not have noticed yet that the request expired.
        let (task, choice) = (
            request.task,
            Choice::Deny(DenyChoice { reason: say::nobody_answered(), ..DenyChoice::default() }),
        );
        let by = Answerer::Expiry(ExpiryAnswerer {});
        let expiry = PermissionAnswer { request: request.id, digest: request.digest, choice, by };
        let expired = self.core.store.answer_permission(expiry, self.core.now_ms()).await;
        if let Answered::Accepted(record) = expired.map_err(HostError::from)? {
            self.drivers.journalled(record).await;
        }
        let state = existing(&self.core, &task)?.state;
        if matches!(&state, TaskState::Paused(paused) if paused.reason == PauseReason::Expired) {
            self.drivers.signal(&task, Signal::Resume).await?;
        }
        Ok(!matches!(state, TaskState::Stopped(_)))
    }
}

/// Quotes an answer on one line, shortened but recognizable.
fn quoted(text: &str) -> String {
    const MOST_CHARS: usize = 120;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("“{}…”", &line[..end]),
        None => format!("“{line}”"),
    }
}
