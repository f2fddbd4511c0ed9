//! What a person's answer to a question changes: the task ends, tries again, or tells the planner.

use super::{GO_ON, Machine, Need, Phase, STOP};
use deputy_protocol::{QuestionAnswered, StopReason};

impl Machine {
    pub(super) fn on_question_answered(&mut self, answered: &QuestionAnswered) {
        let Some(asked) = self.asked.as_ref().filter(|asked| asked.id == answered.request) else { return };
        match &asked.need {
            Some(Need::Trust { .. }) => return self.on_trust_answered(&answered.text),
            Some(Need::Planner { text }) => self.lasting.answered(text, &answered.text),
            _ if ![GO_ON, STOP].contains(&answered.text.trim()) => self.lasting.said(&answered.text),
            _ => {}
        }
        self.on_answered(&answered.text);
    }

    fn on_answered(&mut self, text: &str) {
        let Some(asked) = self.asked.take() else { return };
        let is_choice = |choice: &str| text.trim().eq_ignore_ascii_case(choice);
        let Some(need) = asked.need else {
            self.said.push(text.to_owned());
            return;
        };
        if !matches!(need, Need::Planner { .. }) && is_choice(STOP) {
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
            if !is_choice(GO_ON) {
                self.transcript.push_user(self.status.iteration(), text);
            }
        } else if !is_choice(GO_ON) || matches!(need, Need::Planner { .. }) {
            self.said.push(text.to_owned());
        }
    }
}
