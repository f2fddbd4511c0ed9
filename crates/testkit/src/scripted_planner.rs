//! A planner that answers from a list.

use async_trait::async_trait;
use deputy_planner::{PlanError, Planner, ProgressSink};
use deputy_protocol::{
    AgentPlan, CallId, CompleteReply, CompleteRequest, Message, PlanErrorCode, PlanReply, PlanRequest,
    ToolCall, Usage,
};
use serde_json::Value;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

type AnswerFn = Box<dyn FnOnce(&PlanRequest) -> Result<PlanReply, PlanError> + Send>;

type CompleteFn = Box<dyn Fn(&CompleteRequest) -> Option<Result<CompleteReply, PlanError>> + Send>;

/// An answer of the list.
pub enum Answer {
    /// A plan with its cost.
    Reply(PlanReply),
    /// A failure.
    Error(PlanError),
    /// No answer until the request is cancelled.
    Hang,
    /// The result of a function of the request.
    With(AnswerFn),
}

impl Answer {
    /// Creates an answer from a function of the request.
    pub fn with(answer: impl FnOnce(&PlanRequest) -> Result<PlanReply, PlanError> + Send + 'static) -> Self {
        Self::With(Box::new(answer))
    }
}

impl From<AgentPlan> for Answer {
    fn from(plan: AgentPlan) -> Self {
        Self::Reply(PlanReply {
            plan,
            usage: Usage { input_tokens: 100, output_tokens: 10, ..Usage::default() },
        })
    }
}

impl From<PlanError> for Answer {
    fn from(error: PlanError) -> Self {
        Self::Error(error)
    }
}

/// Creates a plan with these calls, in order.
pub fn calls<const N: usize>(calls: [(&str, Value); N]) -> AgentPlan {
    let call = |(index, (tool, parameters)): (usize, (&str, Value))| ToolCall {
        id: CallId::new(format!("call_{}", index + 1)),
        tool: tool.to_owned(),
        parameters,
        problem: None,
        written: None,
    };
    AgentPlan { tool_calls: calls.into_iter().enumerate().map(call).collect(), ..AgentPlan::default() }
}

/// Creates the plan that ends a task.
pub fn done(summary: &str) -> AgentPlan {
    AgentPlan { is_complete: true, summary: Some(summary.to_owned()), ..AgentPlan::default() }
}

/// Creates the plan that asks the user a question.
pub fn question(text: &str) -> AgentPlan {
    AgentPlan { question: Some(text.to_owned()), ..AgentPlan::default() }
}

/// Answers from a list, one answer per request, and records every request.
#[derive(Default)]
pub struct ScriptedPlanner {
    answers: Mutex<VecDeque<Answer>>,
    /// The answers to tasks with a certain goal, which are used before the list.
    of_goals: Mutex<HashMap<String, VecDeque<Answer>>>,
    requests: Mutex<Vec<PlanRequest>>,
    completion: Mutex<Option<Result<CompleteReply, PlanError>>>,
    /// Answers completions, before everything else. `None` means no answer, ever.
    completing: Mutex<Option<CompleteFn>>,
    hangs_completions: AtomicBool,
    completions: Mutex<Vec<CompleteRequest>>,
}

impl ScriptedPlanner {
    /// Answers with these, in order. When they are used up, every request fails.
    pub fn new<A: Into<Answer>>(answers: impl IntoIterator<Item = A>) -> Self {
        let planner = Self::default();
        lock(&planner.answers).extend(answers.into_iter().map(Into::into));
        planner
    }

    /// Answers each task by its goal, in order, however the tasks interleave.
    pub fn by_goal(all: Vec<(&str, Vec<Answer>)>) -> Self {
        let planner = Self::default();
        lock(&planner.of_goals)
            .extend(all.into_iter().map(|(goal, answers)| (goal.to_owned(), answers.into())));
        planner
    }

    /// Takes the next answer for a request.
    fn next(&self, request: &PlanRequest) -> Option<Answer> {
        let goal = request.messages.iter().find_map(|message| match message {
            Message::User(user) => Some(user.text.as_str()),
            _ => None,
        });
        match goal.and_then(|goal| lock(&self.of_goals).get_mut(goal)?.pop_front()) {
            Some(answer) => Some(answer),
            None => lock(&self.answers).pop_front(),
        }
    }

    /// Appends an answer.
    pub fn push(&self, answer: impl Into<Answer>) {
        lock(&self.answers).push_back(answer.into());
    }

    /// Returns the requests so far.
    pub fn requests(&self) -> Vec<PlanRequest> {
        lock(&self.requests).clone()
    }

    /// Sets the answer to all further completions.
    pub fn complete_with(&self, answer: Result<CompleteReply, PlanError>) {
        *lock(&self.completion) = Some(answer);
    }

    /// Sets a function that answers all further completions. If it returns `None`, there is no answer.
    pub fn complete_by(
        &self,
        answer: impl Fn(&CompleteRequest) -> Option<Result<CompleteReply, PlanError>> + Send + 'static,
    ) {
        *lock(&self.completing) = Some(Box::new(answer));
    }

    /// Stops answering completions.
    pub fn hang_completions(&self) {
        self.hangs_completions.store(true, Ordering::Relaxed);
    }

    /// Returns the completion requests so far.
    pub fn completions(&self) -> Vec<CompleteRequest> {
        lock(&self.completions).clone()
    }

    /// Returns the number of answers left.
    pub fn left(&self) -> usize {
        lock(&self.answers).len()
    }
}

#[async_trait]
impl Planner for ScriptedPlanner {
    async fn plan(
        &self,
        request: PlanRequest,
        progress: ProgressSink,
        cancel: CancellationToken,
    ) -> Result<PlanReply, PlanError> {
        let answer = self.next(&request);
        lock(&self.requests).push(request.clone());
        if cancel.is_cancelled() {
            return Err(PlanError::cancelled());
        }
        let reply = match answer {
            Some(Answer::Reply(reply)) => reply,
            Some(Answer::Error(error)) => return Err(error),
            Some(Answer::With(answer)) => answer(&request)?,
            Some(Answer::Hang) => {
                cancel.cancelled().await;
                return Err(PlanError::cancelled());
            }
            None => {
                return Err(PlanError::new(
                    PlanErrorCode::Internal,
                    "The script of the planner is over; the test asked for more plans than it wrote.",
                ));
            }
        };
        if !reply.plan.reasoning.is_empty() {
            progress(&reply.plan.reasoning);
        }
        Ok(reply)
    }

    async fn complete(&self, request: CompleteRequest) -> Result<CompleteReply, PlanError> {
        lock(&self.completions).push(request.clone());
        let made = lock(&self.completing).as_ref().map(|answer| answer(&request));
        match made {
            Some(Some(answer)) => return answer,
            Some(None) => std::future::pending().await,
            None => {}
        }
        if self.hangs_completions.load(Ordering::Relaxed) {
            std::future::pending::<()>().await;
        }
        lock(&self.completion).clone().unwrap_or_else(|| {
            Err(PlanError::new(PlanErrorCode::Internal, "The test wrote no answer to single texts."))
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_protocol::BackendRef;
    use serde_json::json;
    use std::sync::Arc;

    fn request(system: &str) -> PlanRequest {
        let backend = BackendRef { name: "scripted".to_owned(), settings: Default::default() };
        PlanRequest {
            backend,
            system: system.to_owned(),
            messages: Default::default(),
            tools: Default::default(),
            earlier: Default::default(),
            conversation: None,
        }
    }

    #[tokio::test]
    async fn answers_come_in_order_and_requests_are_kept() {
        let planner = ScriptedPlanner::new([calls([("shell", json!({"command": "ls"}))]), done("all done")]);
        planner.push(PlanError::new(PlanErrorCode::Network, "no route"));
        planner.push(Answer::with(|request| {
            Ok(PlanReply { plan: done(&request.system), usage: Usage::default() })
        }));
        planner.push(Answer::Hang);
        let ask = async |system: &str, cancel: CancellationToken| {
            planner.plan(request(system), Arc::new(|_: &str| ()), cancel).await
        };
        let token = CancellationToken::new;
        assert_eq!(ask("1", token()).await.unwrap().plan.tool_calls[0].tool, "shell");
        assert_eq!(ask("2", token()).await.unwrap().plan, done("all done"));
        assert_eq!(ask("3", token()).await.unwrap_err().code, PlanErrorCode::Network);
        assert_eq!(ask("4", token()).await.unwrap().plan, done("4"));
        let cancel = token();
        let (hung, ()) = tokio::join!(ask("5", cancel.clone()), async { cancel.cancel() });
        assert_eq!(hung.unwrap_err().code, PlanErrorCode::Cancelled);
        assert_eq!(ask("6", token()).await.unwrap_err().code, PlanErrorCode::Internal);
        let systems: Vec<String> = planner.requests().into_iter().map(|request| request.system).collect();
        assert_eq!(systems, ["1", "2", "3", "4", "5", "6"]);
        assert_eq!(planner.left(), 0);
    }
}
