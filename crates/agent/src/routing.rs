//! Chooses the backend: the task's own, or a fallback while that one is suspended after a failure.

use deputy_planner::PlanError;
use deputy_protocol::{BackendRef, PlanErrorCode};
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::backends::WITHOUT_MODEL;
use crate::config::Config;
use crate::machine::Machine;

/// How long a route is suspended if only a person can fix the problem.
const AFTER_REFUSAL_MS: i64 = 10 * 60_000;
/// How long a route is suspended after a failure of the network or the provider. Doubled for each consecutive failure,
/// up to the maximum.
const AFTER_FAILURE_MS: i64 = 30_000;
const LONGEST_MS: i64 = 10 * 60_000;
/// The longest suspension that a provider can request, in seconds.
const LONGEST_ASKED_SECS: f64 = 3_600.0;

/// The models for work other than planning, as `backend` or `backend/model`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Roles {
    /// Answers questions about many texts (`python_inference`). If absent, the model that plans the task is used.
    pub cheap: Option<String>,
    /// Reviews calls that were allowed in advance, and can require that a person is asked instead. If absent, calls are
    /// not reviewed.
    pub review: Option<String>,
}

/// A backend and one of its models.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Route {
    pub(crate) backend: String,
    /// The model. The configured model if `None`.
    pub(crate) model: Option<String>,
}

impl Route {
    /// Parses `backend` or `backend/model`. The name of a model may contain slashes.
    pub(crate) fn parse(text: &str) -> Self {
        match text.split_once('/') {
            Some((backend, model)) if !model.is_empty() => {
                Self { backend: backend.to_owned(), model: Some(model.to_owned()) }
            }
            _ => Self { backend: text.trim_end_matches('/').to_owned(), model: None },
        }
    }

    /// Returns the routes of a task, in the order in which they are tried.
    pub(crate) fn all_of(machine: &Machine, config: &Config) -> Vec<Self> {
        let (backend, model) = machine.route();
        let own = Self { backend: backend.to_owned(), model: model.map(str::to_owned) };
        // Without a model nothing is sent over the network, and a fallback must not change that.
        let others = config.fallbacks.iter().filter(|_| own.backend != WITHOUT_MODEL);
        let mut routes = vec![own.clone()];
        routes.extend(others.map(|text| Self::parse(text)).filter(|route| *route != own));
        routes
    }

    /// Returns the backend in the form that the planner expects.
    pub(crate) fn to_backend(&self, config: &Config) -> BackendRef {
        let mut backend = config.backend(&self.backend);
        if let Some(model) = &self.model {
            backend.settings.insert("model".to_owned(), model.as_str().into());
        }
        backend
    }
}

impl std::fmt::Display for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.model {
            Some(model) => write!(f, "{}/{model}", self.backend),
            None => f.write_str(&self.backend),
        }
    }
}

/// The suspended routes, shared by all tasks, so that one task's failure saves the others the wait.
#[derive(Debug, Default)]
pub(crate) struct Routing {
    resting: Mutex<HashMap<Route, Rest>>,
}

#[derive(Clone, Copy, Debug)]
struct Rest {
    failures: u32,
    until_ms: i64,
}

impl Routing {
    /// Returns the first route that is not suspended, or the first if all are.
    pub(crate) fn choose<'a>(&self, routes: &'a [Route], now_ms: i64) -> Option<&'a Route> {
        routes.iter().find(|route| !self.rests(route, now_ms)).or(routes.first())
    }

    /// Returns another route that can be asked in place of a failed one.
    pub(crate) fn instead<'a>(&self, routes: &'a [Route], failed: &Route, now_ms: i64) -> Option<&'a Route> {
        routes.iter().find(|route| *route != failed && !self.rests(route, now_ms))
    }

    /// Suspends a route if its failure indicates that it would fail again.
    pub(crate) fn failed(&self, route: &Route, error: &PlanError, now_ms: i64) {
        let mut resting = self.lock();
        let failures = resting.get(route).map_or(0, |rest| rest.failures).saturating_add(1);
        let doubled = AFTER_FAILURE_MS.saturating_mul(1 << (failures - 1).min(5)).min(LONGEST_MS);
        let wait_ms = match error.code {
            PlanErrorCode::Auth | PlanErrorCode::ModelMissing | PlanErrorCode::BadSettings => {
                AFTER_REFUSAL_MS
            }
            PlanErrorCode::RateLimited => error
                .retry_after_secs
                .filter(|secs| (0.0..=LONGEST_ASKED_SECS).contains(secs))
                // The bounds were just checked, so the cast cannot lose anything that matters.
                .map_or(doubled, |secs| (secs * 1000.0) as i64),
            PlanErrorCode::Network | PlanErrorCode::BadResponse => doubled,
            PlanErrorCode::ContextOverflow
            | PlanErrorCode::Cancelled
            | PlanErrorCode::Sidecar
            | PlanErrorCode::Internal => return,
        };
        resting.insert(route.clone(), Rest { failures, until_ms: now_ms.saturating_add(wait_ms) });
    }

    /// Ends the suspension of a route that answered.
    pub(crate) fn answered(&self, route: &Route) {
        self.lock().remove(route);
    }

    fn rests(&self, route: &Route, now_ms: i64) -> bool {
        self.lock().get(route).is_some_and(|rest| rest.until_ms > now_ms)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Route, Rest>> {
        self.resting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(code: PlanErrorCode, retry_after_secs: Option<f64>) -> PlanError {
        PlanError { code, message: Default::default(), retry_after_secs, usage: None }
    }

    #[test]
    fn a_route_that_failed_rests_longer_each_time_and_is_asked_again_after_that() {
        let routes = [Route::parse("anthropic"), Route::parse("ollama/library/qwen3")];
        assert_eq!(routes[1].model.as_deref(), Some("library/qwen3"));
        let routing = Routing::default();
        let chosen = |now_ms| routing.choose(&routes, now_ms).unwrap().to_string();
        assert_eq!(chosen(0), "anthropic");
        routing.failed(&routes[0], &error(PlanErrorCode::Network, None), 0);
        assert_eq!((chosen(29_999), chosen(30_000)), ("ollama/library/qwen3".into(), "anthropic".into()));
        routing.failed(&routes[0], &error(PlanErrorCode::Network, None), 30_000);
        assert_eq!((chosen(89_999), chosen(90_000)), ("ollama/library/qwen3".into(), "anthropic".into()));
        routing.failed(&routes[0], &error(PlanErrorCode::RateLimited, Some(7.0)), 90_000);
        assert_eq!((chosen(96_999), chosen(97_000)), ("ollama/library/qwen3".into(), "anthropic".into()));
        routing.failed(&routes[0], &error(PlanErrorCode::Auth, None), 0);
        routing.failed(&routes[1], &error(PlanErrorCode::Auth, None), 0);
        assert_eq!(chosen(1), "anthropic", "where all rest, the task's own says why");
        assert_eq!(routing.instead(&routes, &routes[0], 1), None);
        routing.answered(&routes[1]);
        assert_eq!(routing.instead(&routes, &routes[0], 1), Some(&routes[1]));
    }

    #[test]
    fn what_another_backend_cannot_help_with_lets_nothing_rest() {
        let route = Route::parse("anthropic");
        let routing = Routing::default();
        for code in [PlanErrorCode::ContextOverflow, PlanErrorCode::Cancelled, PlanErrorCode::Sidecar] {
            routing.failed(&route, &error(code, None), 0);
        }
        assert!(!routing.rests(&route, 0));
    }
}
