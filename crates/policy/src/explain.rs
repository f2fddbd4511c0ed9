//! Formats the parts of a shell text for people.

use crate::{Situation, decide};
use deputy_protocol::{Access, Decision, Effect, Facts, PartKind, Risk, ShellAccess, Verdict};
use std::fmt::Write;

/// Returns the verdict on a shell text, with its parts: each simple command, path and construct.
pub fn verdict(situation: &Situation, command: &str) -> Verdict {
    let facts = Facts {
        effect: Effect::Mutating,
        accesses: vec![Access::Shell(ShellAccess { command: command.to_owned() })],
        summary: String::new().into(),
        diff: None,
        plan: None,
        risk: Risk::Low,
    };
    decide(situation, &facts).verdict
}

/// Formats the tree of parts of a shell text, with the decision and the reason for each part.
pub fn explain(verdict: &Verdict) -> String {
    let mut text = format!(
        "{}, risk {}, runs {}\n",
        name(verdict.decision),
        risk(verdict.risk),
        confined(verdict.confinement)
    );
    for part in &verdict.parts {
        let indent =
            if part.kind == PartKind::Command || part.kind == PartKind::Construct { "  " } else { "    " };
        let _ = writeln!(
            text,
            "{indent}{:<5} {}",
            name(part.decision),
            crate::shell::characters::escaped(&part.text)
        );
        let _ = writeln!(text, "{indent}      {}", part.reason);
    }
    text
}

fn name(decision: Decision) -> &'static str {
    match decision {
        Decision::Allow => "allow",
        Decision::Ask => "ask",
        Decision::Deny => "deny",
    }
}

fn risk(risk: Risk) -> &'static str {
    match risk {
        Risk::Low => "low",
        Risk::Medium => "medium",
        Risk::High => "high",
    }
}

fn confined(confinement: deputy_protocol::Confinement) -> &'static str {
    use deputy_protocol::Confinement::{Open, ReadOnly, Workspace, WorkspaceNet};
    match confinement {
        ReadOnly => "without writing and without the network",
        Workspace => "with the workspace writable",
        WorkspaceNet => "with the workspace writable and the network",
        Open => "with all the rights of the user",
    }
}
