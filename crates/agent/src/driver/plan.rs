//! Planning: builds the request with the recalled notes, retries failed requests, and normalizes the answer.

use super::briefing::Briefing;
use super::earlier;
use super::guiding::Guiding;
use super::journal::TaskJournal;
use super::notes::{Notes, one_line};
use super::offer::Offer;
use super::pictures;
use super::start_block;
use crate::core::Core;
use crate::machine::Machine;
use crate::routing::Route;
use deputy_messages::agent as say;
use deputy_organize::suggest::Convention;
use deputy_planner::{PlanError, ProgressSink};
use deputy_protocol::{
    AgentPlan, CallId, EarlierTask, PlanErrorCode, PlanFailed, PlanReply, PlanRequest, Planned, ProviderWait,
    SpentInVain, TaskEvent, TaskId, TaskSpec, Usage,
};
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// The longest wait requested by a provider that is honored without asking a person, in seconds.
const LONGEST_WAIT_SECS: f64 = 24.0 * 3600.0;
/// A wait up to this is better than switching to another backend or giving the slot to another task, in seconds.
const SHORT_WAIT_SECS: f64 = 5.0;
/// The number of attempts after which a provider that only asks for short waits is asked less often, and one that names
/// no time no longer without a person.
const MOST_LIMITED: u32 = 6;
/// The shortest wait from then on, in seconds.
const REPEATED_WAIT_SECS: f64 = 60.0;
/// The maximum number of attempts if a provider's connection breaks during answers.
const MOST_BREAKS: u32 = 5;

/// Plans for one task.
pub(super) struct Planning {
    core: Arc<Core>,
    notes: Notes,
    guiding: Guiding,
    /// The earlier tasks of the conversation, once they were loaded.
    earlier: Option<Arc<Vec<EarlierTask>>>,
    offer: Offer,
    briefing: Briefing,
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
            offer: Offer::default(),
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
                let mut plan = normalise(plan, journal.task(), journal.machine().iteration());
                plan.tool_calls.iter_mut().for_each(|call| self.core.registry.translate(call));
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
        let next = asked.and_then(|asked| self.instead(journal.machine(), &asked.route, &error, attempt));
        let spent = asked.zip(error.usage).map(|(asked, usage)| self.spent_in_vain(asked, usage));
        let again = if next.is_some() { Again::Soon { delay_ms: 0 } } else { again(&error, attempt) };
        let next_backend = next.map(|route| route.to_string());
        let (mut retry_in_ms, mut wait) = (None, None);
        let mut message = error.message;
        match (again, asked) {
            (Again::Soon { delay_ms }, _) => retry_in_ms = Some(delay_ms),
            (Again::Later { secs }, Some(asked)) => {
                let until_ms = self.core.now_ms().saturating_add((secs * 1000.0).ceil() as i64);
                wait = Some(ProviderWait { until_ms, backend: asked.route.to_string() });
            }
            (Again::Later { secs } | Again::IfAsked { wait_secs: Some(secs) }, _) => {
                message = say::wait_asked_for((secs / 3600.0).ceil() as u64, message);
            }
            (Again::IfAsked { wait_secs: None }, _) => {}
        }
        let code = error.code;
        let failed = PlanFailed { code, message, attempt, retry_in_ms, next_backend, spent, wait };
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
            PlanErrorCode::Network => {
                error.retry_after_secs.is_some_and(|secs| secs <= SHORT_WAIT_SECS) && attempt < 2
            }
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
        start_block::add(&self.core, journal).await;
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
            profile.prompt_of(spec),
            // The name of a folder may contain anything, so it is reduced to one line.
            one_line(&spec.workspace, usize::MAX),
            std::env::consts::OS,
            naming(spec.scope.names.as_deref()),
        );
        let config = self.core.config();
        let routes = Route::all_of(machine, &config);
        let route = self.core.routing.choose(&routes, self.core.now_ms()).unwrap_or(&routes[0]).clone();
        let backend = route.to_backend(&config);
        let tools = self.offer.tools(&self.core, machine, &profile, &backend.name);
        let mut messages = machine.messages();
        pictures::fill(&self.core, &backend, &mut messages);
        let earlier = self.earlier.get_or_insert_with(|| earlier::tasks(&self.core, spec).into()).clone();
        let conversation = Some(spec.id.to_string());
        let request = PlanRequest { backend, system, messages, tools, earlier, conversation };
        if let Some(briefed) = self.briefing.of(&self.core, &request, self.offer.first(), machine.briefed()) {
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

/// When the planner is asked again after a failure.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Again {
    /// After a short delay, in which the task keeps its slot.
    Soon { delay_ms: u64 },
    /// After a wait that the provider asks for, in which other tasks may work.
    Later { secs: f64 },
    /// When a person says so. The provider asks for this wait, if any.
    IfAsked { wait_secs: Option<f64> },
}

/// Returns when the planner is asked again.
fn again(error: &PlanError, attempt: u32) -> Again {
    let soon = |delay_ms| Again::Soon { delay_ms };
    // A time in the past counts as now.
    let wait_secs = error.retry_after_secs.filter(|secs| *secs > 0.0);
    match (error.code, wait_secs) {
        (PlanErrorCode::RateLimited | PlanErrorCode::Network, Some(secs)) => match secs {
            _ if secs > LONGEST_WAIT_SECS => Again::IfAsked { wait_secs },
            // The bounds were just checked, so the cast cannot lose anything that matters.
            _ if secs <= SHORT_WAIT_SECS && attempt < MOST_LIMITED => soon((secs * 1000.0) as u64),
            _ if attempt < MOST_LIMITED => Again::Later { secs },
            // The provider names a time again and again.
            _ => Again::Later { secs: secs.max(REPEATED_WAIT_SECS) },
        },
        // The supervisor has its own backoff; three crashes are enough to know.
        (PlanErrorCode::Sidecar, _) if attempt < 3 => soon(250 << attempt),
        (PlanErrorCode::RateLimited, _) if error.retry_after_secs.is_some() && attempt == 1 => soon(0),
        (PlanErrorCode::RateLimited, _) if attempt < MOST_LIMITED => soon(1000 << attempt),
        // The provider was reachable, and the answer broke off. Most such requests succeed on the next attempt. No call
        // of an incomplete plan was made, so none is repeated.
        (PlanErrorCode::Network, _) if error.retry_after_secs.is_some() && attempt < MOST_BREAKS => {
            soon(500 << attempt.min(4))
        }
        (PlanErrorCode::Network, _) if attempt < 2 => soon(2_000),
        (PlanErrorCode::BadResponse | PlanErrorCode::Internal, _) if attempt < 3 => soon(500),
        // Each attempt halves the transcript.
        (PlanErrorCode::ContextOverflow, _) if attempt < 5 => soon(0),
        _ => Again::IfAsked { wait_secs: None },
    }
}

/// Makes a plan unambiguous: ids are unique across all tasks, a plan with a question is not complete, and one that
/// requests nothing is.
fn normalise(mut plan: AgentPlan, task: &TaskId, iteration: u32) -> AgentPlan {
    if plan.question.as_ref().is_some_and(|q| q.trim().is_empty()) {
        plan.question = None;
    }
    if plan.question.is_some() {
        plan.is_complete = false;
    }
    if plan.tool_calls.is_empty() && plan.question.is_none() && !plan.is_complete {
        plan.is_complete = true;
    }
    for (index, call) in plan.tool_calls.iter_mut().enumerate() {
        call.id = CallId::of(task, iteration, index + 1);
        // Only the core says what a call was written as.
        call.written = None;
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
        let soon = |delay_ms| Again::Soon { delay_ms };
        let never = Again::IfAsked { wait_secs: None };
        let cases = [
            (Sidecar, None, 1, soon(500)),
            (Sidecar, None, 3, never),
            (RateLimited, None, 1, soon(2_000)),
            (RateLimited, None, 6, never),
            (Network, None, 1, soon(2_000)),
            (Network, None, 2, never),
            (Network, Some(0.0), 4, soon(8_000)),
            (Network, Some(0.0), 5, never),
            (Auth, None, 1, never),
            (Auth, Some(60.0), 1, never),
            (ModelMissing, None, 1, never),
            (ContextOverflow, None, 4, soon(0)),
            (ContextOverflow, None, 5, never),
        ];
        for (code, after, attempt, expected) in cases {
            assert_eq!(again(&error(code, after), attempt), expected, "{code:?} {after:?} {attempt}");
        }
    }

    #[test]
    fn a_time_that_a_provider_names_is_waited_for() {
        use PlanErrorCode::{Network, RateLimited};
        let (soon, later) = (|delay_ms| Again::Soon { delay_ms }, |secs| Again::Later { secs });
        let day = 24.0 * 3600.0;
        for code in [RateLimited, Network] {
            let cases = [
                (4.5, 1, soon(4_500)),
                (4.5, 6, later(60.0)),
                (90.0, 1, later(90.0)),
                (90.0, 40, later(90.0)),
                (5_400.0, 1, later(5_400.0)),
                (day, 1, later(day)),
                (day + 1.0, 1, Again::IfAsked { wait_secs: Some(day + 1.0) }),
            ];
            for (secs, attempt, expected) in cases {
                assert_eq!(again(&error(code, Some(secs)), attempt), expected, "{code:?} {secs} {attempt}");
            }
        }
        // In the past.
        assert_eq!(again(&error(RateLimited, Some(0.0)), 1), soon(0));
        assert_eq!(again(&error(RateLimited, Some(0.0)), 2), soon(4_000));
    }

    #[test]
    fn ids_are_the_cores_and_a_plan_with_a_question_is_not_complete() {
        let call = ToolCall {
            id: CallId::new("x"),
            tool: "shell".into(),
            parameters: serde_json::json!({}),
            problem: None,
            written: None,
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
        assert!(fixed.tool_calls.len() == 1 && !fixed.is_complete, "calls beside a question run before it");
        assert!(
            normalise(AgentPlan::default(), &TaskId::new("t1"), 1).is_complete,
            "nothing to do is the end"
        );
    }
}
