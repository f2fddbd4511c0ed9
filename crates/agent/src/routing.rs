//! Which backend is asked: the task's own, or a fall-back while that one rests after it failed.

use deputy_planner::PlanError;
use deputy_protocol::{BackendRef, PlanErrorCode};
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::backends::WITHOUT_MODEL;
use crate::config::Config;
use crate::machine::Machine;

/// What only a person can correct is tried again after this.
const AFTER_REFUSAL_MS: i64 = 10 * 60_000;
/// After a failure of the network or the provider, doubled with each in a row.
const AFTER_FAILURE_MS: i64 = 30_000;
const LONGEST_MS: i64 = 10 * 60_000;
/// A wait that a provider asks for, at most.
const LONGEST_ASKED_SECS: f64 = 3_600.0;

/// Models for other work than planning, as `backend` or `backend/model`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Roles {
    /// Answers about many texts, one after the other (`python_inference`); what plans the task when absent.
    pub cheap: Option<String>,
    /// Looks at calls that were allowed beforehand and can have a person asked instead; nobody when absent.
    pub review: Option<String>,
}

/// A backend with one of its models.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Route {
    pub(crate) backend: String,
    /// The model that is configured, where it names none.
    pub(crate) model: Option<String>,
}

impl Route {
    /// `backend` or `backend/model`; a model's name may have slashes of its own.
    pub(crate) fn parse(text: &str) -> Self {
        match text.split_once('/') {
            Some((backend, model)) if !model.is_empty() => {
                Self { backend: backend.to_owned(), model: Some(model.to_owned()) }
            }
            _ => Self { backend: text.trim_end_matches('/').to_owned(), model: None },
        }
    }

    /// Those of a task, in the order in which they are tried.
    pub(crate) fn all_of(machine: &Machine, config: &Config) -> Vec<Self> {
        let (backend, model) = machine.route();
        let own = Self { backend: backend.to_owned(), model: model.map(str::to_owned) };
        // Without a model nothing is sent anywhere, and a fall-back must not change that.
        let others = config.fallbacks.iter().filter(|_| own.backend != WITHOUT_MODEL);
        let mut routes = vec![own.clone()];
        routes.extend(others.map(|text| Self::parse(text)).filter(|route| *route != own));
        routes
    }

    /// The backend as it is named to the planner.
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

/// Which routes rest, over all tasks: what one task found out spares the others the wait.
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
    /// The first that does not rest; where all do, the first.
    pub(crate) fn choose<'a>(&self, routes: &'a [Route], now_ms: i64) -> Option<&'a Route> {
        routes.iter().find(|route| !self.rests(route, now_ms)).or(routes.first())
    }

    /// Another one that can be asked in the place of a route that failed so that asking elsewhere may help.
    pub(crate) fn instead<'a>(&self, routes: &'a [Route], failed: &Route, now_ms: i64) -> Option<&'a Route> {
        routes.iter().find(|route| *route != failed && !self.rests(route, now_ms))
    }

    /// Lets a route rest, where its failure says that it would fail again.
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
                // A bound checked just before, so the cast cannot lose anything that matters.
                .map_or(doubled, |secs| (secs * 1000.0) as i64),
            PlanErrorCode::Network | PlanErrorCode::BadResponse => doubled,
            PlanErrorCode::ContextOverflow
            | PlanErrorCode::Cancelled
            | PlanErrorCode::Sidecar
            | PlanErrorCode::Internal => return,
        };
        resting.insert(route.clone(), Rest { failures, until_ms: now_ms.saturating_add(wait_ms) });
    }

    /// A route that answers rests no more.
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
