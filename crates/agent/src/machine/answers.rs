//! The effect of a person's answer to a question: the task ends, retries, or passes the answer to the planner.

use super::{Machine, Need, Phase, STOP, lets_continue};
use deputy_protocol::{QuestionAnswered, StopReason};

impl Machine {
    pub(super) fn on_question_answered(&mut self, answered: &QuestionAnswered) {
        let Some(asked) = self.asked.as_ref().filter(|asked| asked.id == answered.request) else { return };
        match &asked.need {
            Some(Need::Trust { .. }) => return self.on_trust_answered(&answered.text),
            Some(Need::Planner { text }) => self.lasting.answered(text, &answered.text),
            _ if !lets_continue(&answered.text) && answered.text.trim() != STOP => {
                self.lasting.said(&answered.text)
            }
            _ => {}
        }
        self.on_answered(&answered.text);
    }

    fn on_answered(&mut self, text: &str) {
        let Some(asked) = self.asked.take() else { return };
        let Some(need) = asked.need else {
            self.said.push(text.to_owned());
            return;
        };
        if !matches!(need, Need::Planner { .. }) && text.trim().eq_ignore_ascii_case(STOP) {
            let reason = match need {
                Need::PlanFailed { .. } => StopReason::Error,
                _ => StopReason::ManualStop,
            };
            let summary = match need {
                Need::PlanFailed { message, .. } => message,
                _ => deputy_messages::agent::stopped_by_user(),
            };
            self.phase = Phase::Ending { reason, summary };
        } else if matches!(need, Need::PlanFailed { .. }) {
            self.plan_failures = 0;
            if !lets_continue(text) {
                self.transcript.push_user(self.status.iteration(), text);
            }
        } else if !lets_continue(text) || matches!(need, Need::Planner { .. }) {
            self.said.push(text.to_owned());
        }
    }
}
