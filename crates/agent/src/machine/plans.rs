//! The effect of a plan, or of a failed plan, on the conversation, the calls and the end of the task.

use super::calls::Calls;
use super::{Machine, Need, Phase};
use crate::backends::WITHOUT_MODEL;
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_protocol::{
    AssistantMessage, Compacted, Message, PlanErrorCode, PlanFailed, Planned, StopReason, TodoChanged,
    TodoState, ToolCall, Usage,
};

/// The message to the planner when a limit is reached.
const LAST_TURN: &str = "Note from Deputy, not from the user: the limit of steps is reached, and no further call is made. Answer \
                         now, for the user, with what you have: what was done, what was found, and what is left to do.";

impl Machine {
    /// Returns the summary that must replace older steps before the next plan, if any.
    pub(super) fn compaction(&self) -> Option<Compacted> {
        if self.route.0 == WITHOUT_MODEL {
            return None;
        }
        let through = self.transcript.outgrown(self.status.iteration())?;
        let messages = self.transcript.count_through(through);
        // A third of the size to which the conversation is reduced.
        let todo = self.todo.as_ref().map_or(&[][..], |todo| &todo.steps);
        let summary = self.lasting.summary(through, messages, self.transcript.room_chars() / 6, todo);
        let messages = u32::try_from(messages).unwrap_or(u32::MAX);
        Some(Compacted { through_iteration: through, messages, summary })
    }

    /// Returns whether this iteration is after the last allowed one: the planner may answer once more, without calls.
    pub(super) fn is_last_turn(&self) -> bool {
        let most = self.spec.limits.max_iterations;
        most > 0 && self.status.iteration() > most
    }

    pub(super) fn limit_in_words(&self) -> Phrase {
        say::stopped_after(self.spec.limits.max_iterations)
    }

    pub(super) fn on_iteration(&mut self) {
        for text in std::mem::take(&mut self.said) {
            self.transcript.push_user(self.status.iteration(), &text);
        }
        if self.is_last_turn() {
            self.transcript.push_user(self.status.iteration(), LAST_TURN);
        }
        self.go_on_with(Phase::Planning { delay_ms: 0 });
    }

    pub(super) fn on_planned(&mut self, planned: &Planned) {
        let plan = &planned.plan;
        self.plan_failures = 0;
        self.spend(planned.usage, planned.cost_micros);
        self.transcript.measure(planned.usage.input_tokens);
        self.active_ms += planned.duration_ms;
        let said = plan.question.as_ref().or(plan.summary.as_ref().filter(|_| plan.is_complete));
        let text = [Some(&plan.reasoning), said].into_iter().flatten().filter(|t| !t.is_empty());
        let text = text.map(String::as_str).collect::<Vec<_>>().join("\n\n");
        let message = AssistantMessage {
            text,
            tool_calls: plan.tool_calls.iter().map(ToolCall::as_written).collect(),
            provider_state: plan.provider_state.clone(),
        };
        let iteration = self.status.iteration();
        self.lasting.planned(iteration, &message.text);
        self.transcript.push(iteration, Message::Assistant(message));

        if self.is_last_turn() {
            let answer =
                plan.summary.as_ref().or(plan.question.as_ref()).filter(|_| plan.tool_calls.is_empty());
            let limit = self.limit_in_words();
            let said = answer.map(|answer| Phrase::from(answer.as_str())).into_iter().chain([limit]);
            let summary = Phrase::joined("\n\n", said);
            self.go_on_with(Phase::Ending { reason: StopReason::IterationLimit, summary });
            return;
        }
        self.need = plan.question.clone().map(|text| Need::Planner { text });
        self.calls = Calls::new(&plan.tool_calls);
        let summary = || plan.summary.clone().unwrap_or_else(|| plan.reasoning.clone());
        let completing = plan.is_complete.then(summary);
        match plan.tool_calls.is_empty() {
            true if plan.needs_model && completing.is_some() => self.go_on_with(Phase::Ending {
                reason: StopReason::NeedsModel,
                summary: completing.unwrap_or_default().into(),
            }),
            true => self.complete(completing),
            false => self.go_on_with(Phase::Calling { completing }),
        }
    }

    /// Adds the usage of a model to the task's totals.
    pub(super) fn spend(&mut self, usage: Usage, cost_micros: Option<u64>) {
        let used = usage.input_tokens.saturating_add(usage.output_tokens);
        self.tokens = self.tokens.saturating_add(used);
        match cost_micros {
            Some(cost) => self.cost_micros = Some(self.cost_micros.unwrap_or(0).saturating_add(cost)),
            None => self.is_unpriced |= used > 0,
        }
    }

    /// Ends the task if its plan was complete. A task that ends directly after a denial counts as denied; its summary
    /// says what is missing.
    pub(super) fn complete(&mut self, completing: Option<String>) {
        let reason = if self.was_denied { StopReason::Denied } else { StopReason::Completed };
        self.go_on_with(match completing {
            Some(summary) => Phase::Ending { reason, summary: summary.into() },
            None => Phase::Ready,
        });
    }

    /// Returns the to-do list as it is when the task is done: the step that was in progress is done, too. `None` if
    /// nothing changes. So the planner needs no request of its own to close its list.
    pub(crate) fn closed_todo(&self) -> Option<TodoChanged> {
        let mut closed = self.todo.clone()?;
        let active = closed.steps.iter_mut().filter(|step| step.state == TodoState::Active);
        let count = active.map(|step| step.state = TodoState::Done).count();
        (count > 0).then_some(closed)
    }

    pub(super) fn on_plan_failed(&mut self, failed: &PlanFailed) {
        self.plan_failures = failed.attempt;
        if let Some(spent) = &failed.spent {
            self.spend(spent.usage, spent.cost_micros);
        }
        if failed.code == PlanErrorCode::ContextOverflow {
            self.transcript.halve();
        }
        match failed.retry_in_ms {
            Some(delay_ms) => self.go_on_with(Phase::Planning { delay_ms }),
            None if failed.wait.is_some() => self.go_on_with(Phase::Planning { delay_ms: 0 }),
            None if self.is_last_turn() => {
                let summary = self.limit_in_words();
                self.go_on_with(Phase::Ending { reason: StopReason::IterationLimit, summary });
            }
            None => {
                self.go_on_with(Phase::Planning { delay_ms: 0 });
                self.need = Some(Need::PlanFailed {
                    code: failed.code,
                    message: failed.message.clone(),
                    attempts: failed.attempt,
                });
            }
        }
    }
}
