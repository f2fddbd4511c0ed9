//! Which requests of a running call may leave: those that policy allows, and those that the person agreed to.

use crate::driver::judge::Judged;
use deputy_policy::{Situation, url};
use deputy_protocol::{Access, Decision, Effect, Facts, Risk, UrlAccess};
use deputy_web::Gate;
use std::net::IpAddr;

/// The gate of one call.
pub(super) struct CallGate {
    situation: Situation,
    /// Origins that a person agreed to with this call, or with an earlier one whose page is still open.
    agreed: Vec<String>,
}

/// The origins that a person agrees to with a call.
pub(super) fn agreed(judged: &Judged) -> Vec<String> {
    let origins = judged.facts.accesses.iter().filter_map(|access| match access {
        Access::Url(access) => url::origin(&access.url),
        _ => None,
    });
    if judged.ruling.by_person { origins.collect() } else { Vec::new() }
}

impl CallGate {
    pub(super) fn new(situation: &Situation, agreed: Vec<String>) -> Self {
        Self { situation: situation.clone(), agreed }
    }

    /// Holds an address against policy; where that asks, `is_agreed` says whether a person has agreed already.
    fn judge(&self, text: &str, subresource: bool, is_agreed: impl FnOnce() -> bool) -> Result<(), String> {
        let facts = Facts {
            effect: Effect::ReadOnly,
            accesses: vec![Access::Url(UrlAccess { url: text.to_owned(), subresource })],
            summary: String::new().into(),
            diff: None,
            plan: None,
            risk: Risk::Low,
        };
        let verdict = deputy_policy::decide(&self.situation, &facts).verdict;
        match verdict.decision {
            Decision::Allow => Ok(()),
            Decision::Ask if is_agreed() => Ok(()),
            Decision::Ask => {
                Err("nobody has allowed this address; call the tool with it to ask for it".to_owned())
            }
            Decision::Deny => Err(verdict.reasons.first().map(ToString::to_string).unwrap_or_default()),
        }
    }

    fn has_agreed(&self, text: &str) -> bool {
        url::origin(text).is_some_and(|origin| self.is_agreed(&origin))
    }

    /// Whether the person's agreement covers an address: the same origin, or the same host over TLS where they saw it without.
    fn is_agreed(&self, origin: &str) -> bool {
        let plain = origin.strip_prefix("https://").map(|host| format!("http://{host}"));
        self.agreed
            .iter()
            .any(|agreed| agreed == origin || plain.as_ref() == Some(agreed) && !has_port(origin))
    }
}

fn has_port(origin: &str) -> bool {
    origin.rsplit(']').next().unwrap_or_default().matches(':').count() > usize::from(!origin.contains(']'))
}

impl Gate for CallGate {
    fn admits(&self, text: &str) -> Result<(), String> {
        self.judge(text, false, || self.has_agreed(text))
    }

    fn admits_part(&self, page: &str, text: &str) -> Result<(), String> {
        self.judge(text, true, || self.has_agreed(text) || url::is_same_site(page, text))
    }

    fn connects(&self, text: &str, to: IpAddr) -> Result<(), String> {
        // What a person agreed to was shown to them by its origin, which then names what it may resolve to.
        let entry = url::entry_for(&self.situation, text).map(str::to_owned).or_else(|| url::origin(text));
        url::judge_address(&entry.unwrap_or_default(), to).map_err(Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agreement_covers_its_origin_and_the_same_host_over_tls_on_the_usual_port() {
        let gate = CallGate {
            situation: Situation::new("/home/u", "/home/u/w", "/home/u/.deputy"),
            agreed: vec!["http://example.org".into(), "http://[::1]".into(), "http://a.test:8000".into()],
        };
        for origin in ["http://example.org", "https://example.org", "https://[::1]", "http://a.test:8000"] {
            assert!(gate.is_agreed(origin), "{origin}");
        }
        for origin in [
            "https://example.org:8443",
            "https://a.test:8000",
            "http://www.example.org",
            "https://a.test",
            "https://[::1]:1",
        ] {
            assert!(!gate.is_agreed(origin), "{origin}");
        }
    }
}
