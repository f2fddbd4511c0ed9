//! A person's answers to requests and questions. The first one counts.

use super::HostError;
use super::drivers::Drivers;
use crate::core::Core;
use deputy_protocol::{
    AnswerPermissionCommand, AnswerQuestionCommand, Answerer, Choice, CommandId, DoneOutcome, ErrorBody,
    ErrorCode, Performs, RequestId,
};
use deputy_store::Answered;
use std::sync::Arc;

/// Takes answers.
pub(super) struct Answering {
    pub(super) core: Arc<Core>,
    pub(super) drivers: Arc<Drivers>,
}

impl Performs<AnswerQuestionCommand> for Answering {
    async fn perform(&self, _: &CommandId, command: AnswerQuestionCommand) -> Result<DoneOutcome, ErrorBody> {
        let AnswerQuestionCommand { request, text } = command;
        let answered = self.core.store.answer_question(&request, &text, self.core.now_ms()).await;
        self.settle_answer(&request, answered.map_err(HostError::from)?).await
    }
}

impl Performs<AnswerPermissionCommand> for Answering {
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

impl Answering {
    async fn settle_answer(&self, id: &RequestId, answered: Answered) -> Result<DoneOutcome, ErrorBody> {
        let refused = |code: ErrorCode, message: String, hint: &str| Err(ErrorBody::new(code, message, hint));
        match answered {
            Answered::Accepted(record) => {
                self.drivers.journalled(record).await;
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

/// An answer in one line, as far as it helps to recognise it.
fn quoted(text: &str) -> String {
    const MOST_CHARS: usize = 120;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("“{}…”", &line[..end]),
        None => format!("“{line}”"),
    }
}
