//! Planning: builds the request with the recalled notes, retries failed requests, and normalizes the answer.

use super::briefing::Briefing;
use super::earlier;
use super::guiding::Guiding;
use super::journal::TaskJournal;
use super::notes::{Notes, one_line};
use super::pictures;
use crate::core::Core;
use crate::machine::{Machine, SKILL_TOOL};
use crate::profile::Profile;
use crate::routing::Route;
use deputy_messages::agent as say;
use deputy_organize::suggest::Convention;
use deputy_planner::{PlanError, ProgressSink};
use deputy_protocol::{
    AgentPlan, CallId, EarlierTask, PlanErrorCode, PlanFailed, PlanReply, PlanRequest, Planned, SpentInVain,
    TaskEvent, TaskId, TaskSpec, ToolSpec, Usage,
};
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// The longest wait requested by a provider that is honored without asking a person, in seconds.
const LONGEST_WAIT_SECS: f64 = 120.0;
/// A wait shorter than this is better than switching to another backend, in seconds.
const SHORT_WAIT_SECS: f64 = 5.0;
/// The maximum number of attempts if a provider's connection breaks during answers.
const MOST_BREAKS: u32 = 5;

/// Plans for one task.
pub(super) struct Planning {
    core: Arc<Core>,
    notes: Notes,
    guiding: Guiding,
    /// The earlier tasks of the conversation, once they were loaded.
    earlier: Option<Arc<Vec<EarlierTask>>>,
    tools: Option<Tools>,
    briefing: Briefing,
}

/// The tools offered to the planner. They stay the same from step to step, until the profile changes or skills become
/// available.
struct Tools {
    profile: Arc<Profile>,
    has_skills: bool,
    specs: Arc<Vec<ToolSpec>>,
}

/// A request to a planner.
pub(super) struct Asked {
    pub(super) answer: Pin<Box<dyn Future<Output = Result<PlanReply, PlanError>> + Send>>,
    /// Cancels the request.
    pub(super) cancel: CancellationToken,
    since: Instant,
    model: Option<String>,
    route: Route,
}

impl Planning {
    pub(super) fn new(core: Arc<Core>) -> Self {
        Self {
            core,
            notes: Notes::default(),
            guiding: Guiding::default(),
            earlier: None,
            tools: None,
            briefing: Briefing::default(),
        }
    }

    /// Records what the user says.
    pub(super) fn hear(&mut self, event: &TaskEvent) {
        self.notes.hear(event);
    }

    /// Asks the planner, after a delay. The request makes progress while the answer is polled.
    pub(super) fn ask(&self, spec: &TaskSpec, route: Route, request: PlanRequest, delay_ms: u64) -> Asked {
        let task = &spec.id;
        let model = request.backend.settings.get("model").and_then(|model| model.as_str()).map(str::to_owned);
        let cancel = CancellationToken::new();
        let planner = self.core.planner.clone();
        let (progress, token) = (self.progress(task), cancel.clone());
        let answer = Box::pin(async move {
            // Even the shortest sleep takes one timer tick, a millisecond.
            if delay_ms > 0 {
                tokio::select! {
                    () = token.cancelled() => return Err(PlanError::cancelled()),
                    () = tokio::time::sleep(Duration::from_millis(delay_ms)) => {}
                }
            }
            planner.plan(request, progress, token).await
        });
        Asked { answer, cancel, since: Instant::now(), model, route }
    }

    /// Journals the planner's answer.
    pub(super) fn take(&self, journal: &mut TaskJournal, asked: Asked, answer: Result<PlanReply, PlanError>) {
        match answer {
            Ok(PlanReply { plan, usage }) => {
                self.core.routing.answered(&asked.route);
                let model = asked.model;
                let backend = asked.route.backend;
                let cost_micros = self.core.config().cost_micros(&backend, model.as_deref(), &usage);
                let backend = (backend != journal.machine().route().0).then_some(backend);
                let plan = normalise(plan, journal.task(), journal.machine().iteration());
                let duration_ms = u64::try_from(asked.since.elapsed().as_millis()).unwrap_or(u64::MAX);
                let planned = Planned { plan, usage, duration_ms, model, backend, cost_micros };
                journal.emit(TaskEvent::Planned(planned));
            }
            Err(_) if journal.machine().is_stopping() => {}
            Err(error) => self.failed(journal, error, Some(&asked)),
        }
    }

    /// Journals why planning failed, and which backend is asked instead.
    pub(super) fn failed(&self, journal: &mut TaskJournal, error: PlanError, asked: Option<&Asked>) {
        let attempt = journal.machine().plan_failures() + 1;
        let mut retry_in_ms = retry_in_ms(&error, attempt);
        let next = asked.and_then(|asked| self.instead(journal.machine(), &asked.route, &error, attempt));
        let spent = asked.zip(error.usage).map(|(asked, usage)| self.spent_in_vain(asked, usage));
        if next.is_some() {
            retry_in_ms = Some(0);
        }
        let next_backend = next.map(|route| route.to_string());
        let mut message = error.message;
        // If the retry has no delay, the message does not mention a waiting time.
        let asked_for = error.retry_after_secs.filter(|secs| *secs >= 1.0);
        if let Some(secs) = asked_for.filter(|_| retry_in_ms.is_none()) {
            message = say::wait_asked_for(message, format!("{secs:.0}"));
        }
        let failed = PlanFailed { code: error.code, message, attempt, retry_in_ms, next_backend, spent };
        journal.emit(TaskEvent::PlanFailed(failed));
    }

    fn spent_in_vain(&self, asked: &Asked, usage: Usage) -> SpentInVain {
        let (backend, model) = (asked.route.backend.clone(), asked.model.clone());
        let cost_micros = self.core.config().cost_micros(&backend, model.as_deref(), &usage);
        SpentInVain { backend, model, usage, cost_micros }
    }

    /// Returns a fallback for a backend that failed. After a transient error, the same backend is asked again first.
    fn instead(&self, machine: &Machine, failed: &Route, error: &PlanError, attempt: u32) -> Option<Route> {
        let (config, now_ms) = (self.core.config(), self.core.now_ms());
        let is_stumble = match error.code {
            PlanErrorCode::BadResponse => attempt < 3,
            PlanErrorCode::Network => error.retry_after_secs.is_some() && attempt < 2,
            PlanErrorCode::RateLimited => error.retry_after_secs.is_some_and(|secs| secs <= SHORT_WAIT_SECS),
            PlanErrorCode::Auth | PlanErrorCode::ModelMissing | PlanErrorCode::BadSettings => false,
            _ => return None,
        };
        if is_stumble {
            return None;
        }
        self.core.routing.failed(failed, error, now_ms);
        self.core.routing.instead(&Route::all_of(machine, &config), failed, now_ms).cloned()
    }

    /// Gives the user's guidance to the planner. Returns `false` if the user must be asked about it first.
    pub(super) async fn guide(&mut self, journal: &mut TaskJournal) -> bool {
        self.guiding.prepare(&self.core, journal).await
    }

    /// Builds the next request to the planner, including notes from earlier tasks, and chooses its route.
    pub(super) async fn request(
        &mut self,
        journal: &mut TaskJournal,
    ) -> Result<(Route, PlanRequest), PlanError> {
        self.notes.take(&self.core, journal).await;
        let machine = journal.machine();
        let spec = machine.spec();
        // The user may change the profile while the task runs.
        let profile = self
            .core
            .profiles
            .current(&spec.profile)
            .map_err(|error| PlanError::new(PlanErrorCode::BadSettings, say::fix_the_profile(error)))?;
        let system = format!(
            "{}\nThe folder you work in is {}. Relative paths are relative to it. The system is {}.{}",
            profile.prompt.trim_end(),
            // The name of a folder may contain anything, so it is reduced to one line.
            one_line(&spec.workspace, usize::MAX),
            std::env::consts::OS,
            naming(spec.scope.names.as_deref()),
        );
        let config = self.core.config();
        let routes = Route::all_of(machine, &config);
        let route = self.core.routing.choose(&routes, self.core.now_ms()).unwrap_or(&routes[0]).clone();
        let backend = route.to_backend(&config);
        let has_skills = !machine.skills().is_empty();
        let tools = match &self.tools {
            Some(of) if Arc::ptr_eq(&of.profile, &profile) && of.has_skills == has_skills => of.specs.clone(),
            _ => {
                let mut specs = self.core.registry.specs(&profile.tools, &spec.limits);
                specs.retain(|tool| has_skills || tool.name != SKILL_TOOL);
                self.tools
                    .insert(Tools { profile: profile.clone(), has_skills, specs: specs.into() })
                    .specs
                    .clone()
            }
        };
        let mut messages = machine.messages();
        pictures::fill(&self.core, &backend, &mut messages);
        let earlier = self.earlier.get_or_insert_with(|| earlier::tasks(&self.core, spec).into()).clone();
        let conversation = Some(spec.id.to_string());
        let request = PlanRequest { backend, system, messages, tools, earlier, conversation };
        if let Some(briefed) = self.briefing.of(&self.core, &request, machine.briefed()) {
            journal.emit(TaskEvent::Briefed(briefed));
        }
        Ok((route, request))
    }

    fn progress(&self, task: &TaskId) -> ProgressSink {
        let (core, task) = (self.core.clone(), task.clone());
        Arc::new(move |text: &str| core.show(&task, None, text))
    }
}

/// Describes the naming convention that the user chose, for the planner.
fn naming(names: Option<&str>) -> String {
    let Some(convention) = names.and_then(|names| Convention::parse(names).ok()) else {
        return String::new();
    };
    let (before, after) = convention.example();
    format!(
        "\nThe user chose how files are named: {} ({}). For example, `{before}` becomes `{after}`. A plan that leaves a \
         file with another name is refused. Folders are named freely.",
        convention.pattern(),
        convention.description(),
    )
}

/// Returns the milliseconds until the planner is asked again automatically. `None` if only a person can help.
fn retry_in_ms(error: &PlanError, attempt: u32) -> Option<u64> {
    match error.code {
        // The supervisor has its own backoff; three crashes are enough to know.
        PlanErrorCode::Sidecar if attempt < 3 => Some(250 << attempt),
        PlanErrorCode::RateLimited if attempt < 6 => {
            let secs = error.retry_after_secs.unwrap_or(f64::from(1 << attempt));
            // The bounds were just checked, so the cast cannot lose anything that matters.
            (0.0..=LONGEST_WAIT_SECS).contains(&secs).then_some((secs * 1000.0) as u64)
        }
        // The provider was reachable, and the answer broke off. Most such requests succeed on the next attempt. No call
        // of an incomplete plan was made, so none is repeated.
        PlanErrorCode::Network if error.retry_after_secs.is_some() && attempt < MOST_BREAKS => {
            Some(500 << attempt.min(4))
        }
        PlanErrorCode::Network if attempt < 2 => Some(2_000),
        PlanErrorCode::BadResponse | PlanErrorCode::Internal if attempt < 3 => Some(500),
        // Each attempt halves the transcript.
        PlanErrorCode::ContextOverflow if attempt < 5 => Some(0),
        _ => None,
    }
}

/// Makes a plan unambiguous: ids are unique across all tasks, a question comes without calls, and a plan that requests
/// nothing is complete.
fn normalise(mut plan: AgentPlan, task: &TaskId, iteration: u32) -> AgentPlan {
    if plan.question.as_ref().is_some_and(|q| q.trim().is_empty()) {
        plan.question = None;
    }
    if plan.question.is_some() {
        plan.tool_calls.clear();
        plan.is_complete = false;
    }
    if plan.tool_calls.is_empty() && plan.question.is_none() && !plan.is_complete {
        plan.is_complete = true;
    }
    for (index, call) in plan.tool_calls.iter_mut().enumerate() {
        call.id = CallId::of(task, iteration, index + 1);
    }
    plan
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::testing::Bench;
    use deputy_protocol::ToolCall;
    use deputy_testkit::{calls, done};
    use serde_json::json;

    #[tokio::test]
    async fn a_question_that_is_taken_back_in_the_pause_before_it_is_never_asked() {
        let bench = Bench::new();
        let plan = calls([("code", json!({"action": "read", "path": "a.txt"}))]);
        let mut journal = bench.task(bench.spec("t1"), plan).await;
        let mut planning = Planning::new(bench.core.clone());
        let (route, request) = planning.request(&mut journal).await.unwrap();
        let spec = journal.machine().spec().clone();
        let asked = planning.ask(&spec, route.clone(), request.clone(), 3_600_000);
        asked.cancel.cancel();
        assert_eq!(asked.answer.await.unwrap_err().code, PlanErrorCode::Cancelled);
        assert_eq!(bench.planner.requests().len(), 0);

        bench.planner.push(done("ok"));
        let mut asked = planning.ask(&spec, route, request, 0);
        let answer = (&mut asked.answer).await;
        planning.take(&mut journal, asked, answer);
        assert_eq!(bench.planner.requests().len(), 1);
        journal.commit().await.unwrap();
        let newest = bench.core.store.newest_task_events(journal.task(), 0, 1).unwrap();
        assert!(matches!(&newest[0].event, TaskEvent::Planned(planned) if planned.plan.is_complete));
    }

    fn error(code: PlanErrorCode, retry_after_secs: Option<f64>) -> PlanError {
        PlanError { code, message: Default::default(), retry_after_secs, usage: None }
    }

    #[test]
    fn a_failed_plan_is_asked_again_only_where_that_can_help() {
        use PlanErrorCode::*;
        let cases = [
            (Sidecar, None, 1, true),
            (Sidecar, None, 3, false),
            (RateLimited, Some(7.0), 1, true),
            (RateLimited, Some(3600.0), 1, false),
            (RateLimited, Some(f64::NAN), 1, false),
            (RateLimited, None, 6, false),
            (Network, None, 1, true),
            (Network, None, 2, false),
            (Network, Some(0.0), 4, true),
            (Network, Some(0.0), 5, false),
            (Auth, None, 1, false),
            (ModelMissing, None, 1, false),
            (ContextOverflow, None, 4, true),
            (ContextOverflow, None, 5, false),
        ];
        for (code, after, attempt, again) in cases {
            assert_eq!(
                retry_in_ms(&error(code, after), attempt).is_some(),
                again,
                "{code:?} {after:?} {attempt}"
            );
        }
        assert_eq!(retry_in_ms(&error(RateLimited, Some(7.0)), 1), Some(7_000));
    }

    #[test]
    fn ids_are_the_cores_and_a_question_comes_alone() {
        let call = ToolCall {
            id: CallId::new("x"),
            tool: "shell".into(),
            parameters: serde_json::json!({}),
            problem: None,
        };
        let plan = AgentPlan { tool_calls: vec![call.clone(), call.clone()], ..AgentPlan::default() };
        let fixed = normalise(plan, &TaskId::new("t1"), 4);
        assert_eq!(fixed.tool_calls.iter().map(|c| c.id.as_str()).collect::<Vec<_>>(), ["t1-4-1", "t1-4-2"]);

        let asks = AgentPlan {
            tool_calls: vec![call],
            question: Some("Which?".into()),
            is_complete: true,
            ..AgentPlan::default()
        };
        let fixed = normalise(asks, &TaskId::new("t1"), 1);
        assert!(fixed.tool_calls.is_empty() && !fixed.is_complete);
        assert!(
            normalise(AgentPlan::default(), &TaskId::new("t1"), 1).is_complete,
            "nothing to do is the end"
        );
    }
}
