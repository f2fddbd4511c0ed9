//! Model calls of `python_inference`: which model is asked for a task, within which limits, and the usage.

mod record;

use crate::backends::{self, WITHOUT_MODEL};
use crate::config::{Config, ON_DEVICE};
use crate::core::Core;
use crate::driver::load_machine;
use crate::redact;
use crate::routing::Route;
use async_trait::async_trait;
use deputy_messages::Phrase;
use deputy_messages::inference as say;
use deputy_planner::PlanError;
use deputy_protocol::{
    AgentPlan, BackendRef, CompleteRequest, Message, PlanErrorCode, PlanRequest, TaskId, Usage, UserMessage,
};
use deputy_tools::{
    Accepts, Asking, CallContext, DELEGATE, Does, Models, PYTHON_INFERENCE, Unanswered, Whom,
};
use record::{Line, Record};
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

pub(crate) use record::took;

/// The longest wait requested by a provider that is honored, in seconds.
const LONGEST_WAIT_SECS: f64 = 120.0;
/// The maximum number of attempts if a retry can help.
const MOST_ATTEMPTS: u32 = 4;
/// Millionths of the currency unit in one hundredth.
const MICROS_PER_CENT: u64 = 10_000;
/// The assumed length of a token, if a provider does not report usage.
const CHARS_PER_TOKEN: usize = 4;

/// The models of a host.
pub(crate) struct HostModels {
    core: Weak<Core>,
}

impl HostModels {
    pub(crate) fn of(core: &Arc<Core>) -> Self {
        Self { core: Arc::downgrade(core) }
    }

    fn core(&self) -> Result<Arc<Core>, Phrase> {
        self.core.upgrade().ok_or_else(say::no_models_here)
    }
}

impl Models for HostModels {
    fn whom(&self, task: &TaskId, does: Does, name: Option<&str>) -> Result<Whom, Phrase> {
        let core = self.core()?;
        let config = core.config();
        let task = core.store.task(task)?.ok_or_else(say::no_models_here)?;
        if does == Does::Embed {
            let backend = core.at_start.memory.embedder.clone();
            let address = if backend == ON_DEVICE { None } else { backends::address(&config, &backend) };
            let is_own = backend == task.backend;
            return Ok(Whom { backend, model: None, address, is_own });
        }
        let profile = core.profiles.current(&task.profile).map_err(|error| error.phrase())?;
        let by_role = profile.roles.cheap.clone().or_else(|| config.roles.cheap.clone());
        let by_role = by_role.filter(|name| !name.is_empty());
        let route = match name.map(Route::parse).or_else(|| by_role.as_deref().map(Route::parse)) {
            Some(route) => route,
            None => Route { backend: task.backend.clone(), model: task.model.clone() },
        };
        if route.backend == WITHOUT_MODEL {
            return Err(say::no_model_for_texts());
        }
        let mut checked = config.as_ref().clone();
        if let Some(model) = &route.model {
            let settings = checked.backends.entry(route.backend.clone()).or_default();
            settings.insert("model".to_owned(), model.as_str().into());
        }
        backends::check_quickly(&core.home, &checked, &route.backend).map_err(|error| error.message)?;
        let address = backends::address(&config, &route.backend);
        let is_own = route.backend == task.backend;
        let is_known = address.is_some() || backends::shipped(&route.backend).is_some();
        if name.is_some() && !is_own && !is_known {
            return Err(say::only_a_person_chooses(&route.backend));
        }
        let model = model_of(&route.to_backend(&config));
        Ok(Whom { backend: route.backend, model, address, is_own })
    }

    fn ready(
        &self,
        cx: &CallContext,
        whom: &Whom,
        max_tokens: Option<u64>,
    ) -> Result<Arc<dyn Asking>, Phrase> {
        let core = self.core()?;
        let config = core.config();
        let machine = load_machine(&core, &cx.task)?.ok_or_else(say::no_models_here)?;
        let left = machine.left();
        let day = core.day_spent(&config)?;
        let left_today = |most: u64, spent: u64| (most > spent).then(|| most - spent);
        let bounds = [
            Some(cx.limits.inference_tokens).filter(|most| *most > 0),
            max_tokens,
            left.tokens,
            left_today(day.max_tokens, day.tokens),
        ];
        let of_day = left_today(day.max_cost_cents.saturating_mul(MICROS_PER_CENT), day.cost_micros);
        let of_task = left.cost_cents.map(|cents| cents.saturating_mul(MICROS_PER_CENT));
        let profile = core.profiles.current(&machine.spec().profile).map_err(|error| error.phrase())?;
        let mut tools = profile.tools.clone();
        tools.retain(|tool| ![PYTHON_INFERENCE, DELEGATE].contains(&tool.split('.').next().unwrap_or(tool)));
        let route = Route { backend: whom.backend.clone(), model: whom.model.clone() };
        let record = Record::open(&core.home, &cx.task, &cx.call).map_err(say::no_record)?;
        Ok(Arc::new(TaskAsking {
            backend: route.to_backend(&config),
            whom: whom.clone(),
            most_tokens: bounds.into_iter().flatten().min(),
            most_cost: [of_day, of_task].into_iter().flatten().min(),
            tools,
            cx: cx.clone(),
            record,
            config,
            core,
        }))
    }
}

fn model_of(backend: &BackendRef) -> Option<String> {
    backend.settings.get("model").and_then(|model| model.as_str()).map(str::to_owned)
}

/// The model calls of one tool call.
struct TaskAsking {
    core: Arc<Core>,
    config: Arc<Config>,
    backend: BackendRef,
    whom: Whom,
    most_tokens: Option<u64>,
    most_cost: Option<u64>,
    /// The tools that a plan may use.
    tools: Vec<String>,
    cx: CallContext,
    record: Record,
}

impl TaskAsking {
    /// Returns an error if the call has reached its limits.
    fn within_limits(&self) -> Result<(), Unanswered> {
        let (tokens, cost) = self.record.spent();
        match (self.most_tokens, self.most_cost) {
            (Some(most), _) if tokens >= most => Err(Unanswered::All(say::token_limit(most))),
            (_, Some(most)) if cost >= most => Err(Unanswered::All(say::cost_limit())),
            _ => Ok(()),
        }
    }

    /// Asks a model, and retries if that can help.
    async fn again<T, F: Future<Output = Result<T, PlanError>>>(
        &self,
        ask: impl Fn() -> F,
    ) -> Result<T, Unanswered> {
        let mut attempt = 1;
        loop {
            self.within_limits()?;
            let error = match ask().await {
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            };
            if let Some(usage) = error.usage {
                self.keep(String::new(), 0, "", false, usage)?;
            }
            match wait(&error, attempt) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(unanswered(error)),
            }
            attempt += 1;
        }
    }

    /// Records an answer and its usage.
    fn keep(
        &self,
        key: String,
        asked: usize,
        text: &str,
        accepted: bool,
        usage: Usage,
    ) -> Result<(), Unanswered> {
        let cost_micros = self.config.cost_micros(&self.whom.backend, self.whom.model.as_deref(), &usage);
        let told = usage.input_tokens.saturating_add(usage.output_tokens);
        let tokens = if told > 0 { told } else { ((asked + text.len()) / CHARS_PER_TOKEN) as u64 };
        let line = Line {
            key,
            call: self.cx.call.clone(),
            backend: self.whom.backend.clone(),
            model: self.whom.model.clone(),
            text: accepted.then(|| text.to_owned()),
            usage,
            tokens,
            cost_micros,
        };
        self.record.add(line).map_err(|error| Unanswered::All(say::no_record(error)))
    }
}

#[async_trait]
impl Asking for TaskAsking {
    async fn complete(&self, system: &str, prompt: &str, accepts: Accepts<'_>) -> Result<String, Unanswered> {
        // Redacted in the same way as a tool result with the same text.
        let prompt = redact::text(prompt).into_owned();
        let key = record::key(&self.whom, system, &prompt);
        if let Some(text) = self.record.answer(&key).filter(|text| accepts(text)) {
            return Ok(text);
        }
        let request = CompleteRequest {
            backend: self.backend.clone(),
            system: system.to_owned(),
            prompt: prompt.clone(),
        };
        let reply = self.again(|| self.core.planner.complete(request.clone())).await?;
        let accepted = accepts(&reply.text);
        self.keep(key, system.len() + prompt.len(), &reply.text, accepted, reply.usage)?;
        Ok(reply.text)
    }

    async fn plan(&self, goal: &str) -> Result<AgentPlan, Unanswered> {
        let goal = redact::text(goal).into_owned();
        let system = format!(
            "You lay out the steps of a plan for a goal. Nothing of it is carried out now. The folder is {}.",
            self.cx.place.workspace.display()
        );
        let key = record::key(&self.whom, &system, &goal);
        let groups = self.core.registry.groups(&self.tools);
        let request = PlanRequest {
            backend: self.backend.clone(),
            system,
            messages: vec![Message::User(UserMessage { text: goal.clone() })].into(),
            tools: self.core.registry.specs(&self.tools, &groups, &[], &self.cx.limits).into(),
            earlier: Default::default(),
            conversation: None,
        };
        let cancel = CancellationToken::new();
        let _taken_back_when_dropped = cancel.clone().drop_guard();
        let quiet: deputy_planner::ProgressSink = Arc::new(|_: &str| {});
        let ask = || self.core.planner.plan(request.clone(), quiet.clone(), cancel.clone());
        let reply = self.again(ask).await?;
        self.keep(key, goal.len(), "", false, reply.usage)?;
        Ok(reply.plan)
    }

    async fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, Unanswered> {
        let texts = texts.iter().map(|text| redact::text(text).into_owned()).collect();
        let embedded = self.core.embed_texts(texts).await.map_err(unanswered)?;
        Ok(embedded.vectors)
    }
}

/// Returns how long to wait before a retry. `None` if a retry would not help.
fn wait(error: &PlanError, attempt: u32) -> Option<Duration> {
    use PlanErrorCode::*;
    let backs_off = Duration::from_millis(500 << attempt.min(6));
    match error.code {
        RateLimited => match error.retry_after_secs {
            Some(secs) if !(0.0..=LONGEST_WAIT_SECS).contains(&secs) => None,
            Some(secs) if attempt < MOST_ATTEMPTS => Some(Duration::from_secs_f64(secs)),
            None if attempt < MOST_ATTEMPTS => Some(backs_off),
            _ => None,
        },
        Network | Sidecar | Internal | BadResponse if attempt < 3 => Some(backs_off),
        _ => None,
    }
}

/// Returns whether a failure affects only this text, or all remaining texts.
fn unanswered(error: PlanError) -> Unanswered {
    match error.code {
        PlanErrorCode::ContextOverflow | PlanErrorCode::BadResponse | PlanErrorCode::Internal => {
            Unanswered::ThisOne(error.message)
        }
        _ => Unanswered::All(error.message),
    }
}
