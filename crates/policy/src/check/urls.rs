//! Cases about addresses: the address itself, its redirects, the requests of a page, and the resolution of names.

use super::Outcome;
use super::case::{Case, Malformed};
use crate::Situation;
use crate::url::{MAX_REDIRECTS, entry_for, follow, judge, judge_address};
use deputy_protocol::{Decision, Risk, UrlAccess};
use serde_json::Value;
use std::net::IpAddr;

pub(super) fn outcome(case: &Case) -> Result<Outcome, Malformed> {
    let situation = case.placeless()?;
    let subresource = match case.get("context") {
        None => false,
        Some(_) => match case.text("context")? {
            "navigate" => false,
            "subresource" => true,
            other => return Err(Malformed::Unknown { what: "context", value: other.to_owned() }),
        },
    };
    let input = case.text("input")?;
    let journey = Journey { situation: &situation, case, subresource };
    let mut outcomes = vec![journey.address(input)];
    let mut here = input.to_owned();
    let redirects = case.texts("redirects")?;
    if redirects.len() > MAX_REDIRECTS {
        let reason = format!("it redirects more than {MAX_REDIRECTS} times");
        outcomes.push(Outcome::new(Decision::Deny, Risk::Medium, reason));
    }
    for location in &redirects {
        match follow(&here, location) {
            Ok(next) => {
                outcomes.push(journey.address(&next));
                here = next;
            }
            Err(reason) => {
                outcomes.push(Outcome::new(Decision::Deny, Risk::Medium, reason));
                break;
            }
        }
    }
    for location in navigations(case.get("then"))? {
        outcomes.push(match follow(&here, location) {
            Ok(next) => journey.address(&next),
            Err(reason) => Outcome::new(Decision::Deny, Risk::Medium, reason),
        });
    }
    Ok(Outcome::strictest(outcomes))
}

/// Returns the addresses to which a page navigates on its own, by any means.
fn navigations(then: Option<&Value>) -> Result<Vec<&str>, Malformed> {
    let malformed = Malformed::Field { field: "then", expected: "texts" };
    let texts: Option<Vec<&str>> = match then {
        None => Some(Vec::new()),
        Some(Value::String(text)) => Some(vec![text]),
        Some(Value::Array(values)) => values.iter().map(Value::as_str).collect(),
        Some(Value::Object(ways)) => ways.values().map(Value::as_str).collect(),
        Some(_) => None,
    };
    texts.ok_or(malformed)
}

struct Journey<'a> {
    situation: &'a Situation,
    case: &'a Case,
    subresource: bool,
}

impl Journey<'_> {
    fn address(&self, text: &str) -> Outcome {
        let part = judge(self.situation, &UrlAccess { url: text.to_owned(), subresource: self.subresource });
        let is_allowed = part.decision == Decision::Allow;
        let resolved = is_allowed.then(|| self.resolved(text)).flatten();
        Outcome::strictest([Some(part.into()), resolved].into_iter().flatten())
    }

    /// Judges the case's answers of the resolver for the host. Every answer of every lookup must be an allowed
    /// address.
    fn resolved(&self, text: &str) -> Option<Outcome> {
        let refuse = |reason: &str| Some(Outcome::new(Decision::Deny, Risk::High, reason));
        let resolver = self.case.get("resolver")?;
        let entry = entry_for(self.situation, text)?;
        let url = url::Url::parse(text).ok()?;
        let Some(url::Host::Domain(host)) = url.host() else { return None };
        let Some(lookups) = resolver.get(host).and_then(Value::as_array) else {
            return refuse("the name does not resolve");
        };
        let answers: Vec<&Value> = lookups
            .iter()
            .flat_map(|lookup| {
                lookup.as_array().map_or_else(|| vec![lookup], |answers| answers.iter().collect())
            })
            .collect();
        let is_empty = lookups.iter().any(|lookup| lookup.as_array().is_some_and(Vec::is_empty));
        if answers.is_empty() || is_empty {
            return refuse("the name does not resolve");
        }
        for answer in answers {
            let Some(address) = answer.as_str().and_then(|text| text.parse::<IpAddr>().ok()) else {
                return refuse("the name resolves to something that is not an address");
            };
            if let Err(reason) = judge_address(entry, address) {
                return refuse(&reason);
            }
        }
        None
    }
}
