//! Answers for `deputy policy check`: one case per line, judged as the agent would judge it. Nothing is executed.
//!
//! For the file tools, `allow` means that nothing about the path needs a separate decision. Whether the user is asked
//! about a change within bounds is up to the task: the agent always asks.

mod case;
mod commands;
mod grants;
mod paths;
mod urls;

use crate::unseen::escape;
use case::{Case, Malformed};
use deputy_protocol::{Decision, Part, Risk};
use serde::Serialize;
use serde_json::Value;

/// The answer for a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckAnswer {
    /// The case's id, as it was given.
    pub id: Value,
    /// The decision.
    pub decision: CheckDecision,
    /// The risk if the case were harmful.
    pub risk: Risk,
    /// The reasons, the strictest first.
    pub reasons: Vec<String>,
}

/// A decision, or the result that a remembered answer must not be offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckDecision {
    /// It runs without asking the user.
    Allow,
    /// The user decides.
    Ask,
    /// It does not run.
    Deny,
    /// "Always allow" is not offered.
    NoRule,
}

impl From<Decision> for CheckDecision {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Allow => Self::Allow,
            Decision::Ask => Self::Ask,
            Decision::Deny => Self::Deny,
        }
    }
}

/// Answers a case. A line that is not a case asks, with the reason why it is not.
pub fn case(line: &str) -> CheckAnswer {
    let case = match Case::parse(line) {
        Ok(case) => case,
        Err(malformed) => return malformed_answer(Case::id_of_malformed(line), &malformed),
    };
    answer(&case).unwrap_or_else(|malformed| malformed_answer(case.id(), &malformed))
}

fn malformed_answer(id: Value, malformed: &Malformed) -> CheckAnswer {
    CheckAnswer { id, decision: CheckDecision::Ask, risk: Risk::Medium, reasons: vec![malformed.to_string()] }
}

fn answer(case: &Case) -> Result<CheckAnswer, Malformed> {
    let outcome = match case.tool()? {
        "grant" => return grants::answer(case),
        "shell" => commands::outcome(case)?,
        "url" => urls::outcome(case)?,
        tool => paths::outcome(case, tool)?,
    };
    Ok(outcome.answer(case))
}

/// The combined outcome of the parts of a case.
struct Outcome {
    decision: Decision,
    risk: Risk,
    reasons: Vec<String>,
}

impl Outcome {
    fn new(decision: Decision, risk: Risk, reason: impl Into<String>) -> Self {
        Self { decision, risk, reasons: vec![escape(&reason.into())] }
    }

    /// Combines outcomes into the strictest decision and the highest risk. The reasons of the strictest outcome are
    /// first.
    fn strictest(outcomes: impl IntoIterator<Item = Outcome>) -> Outcome {
        let mut outcomes: Vec<Outcome> = outcomes.into_iter().collect();
        outcomes.sort_by_key(|outcome| std::cmp::Reverse(outcome.decision));
        let mut all = Outcome { decision: Decision::Allow, risk: Risk::Low, reasons: Vec::new() };
        for outcome in outcomes {
            all.decision = all.decision.max(outcome.decision);
            all.risk = all.risk.max(outcome.risk);
            for reason in outcome.reasons {
                if !all.reasons.contains(&reason) {
                    all.reasons.push(reason);
                }
            }
        }
        all
    }

    fn answer(self, case: &Case) -> CheckAnswer {
        CheckAnswer { id: case.id(), decision: self.decision.into(), risk: self.risk, reasons: self.reasons }
    }
}

impl From<Part> for Outcome {
    fn from(part: Part) -> Self {
        Self::new(part.decision, part.risk, format!("{}: {}", part.text, part.reason))
    }
}
