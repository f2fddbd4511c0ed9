//! Shows requests with their parts, questions, and the commands that help after a model failed.

use super::diff;
use super::edits;
use super::prompt::folder_offer;
use super::screen::{Screen, Tone};
use super::text::{capital, indent, own_words, place, places, printable};
use deputy_protocol::{
    Confinement, Decision, Part, PermissionRequest, Phrase, PlanErrorCode, Question, Risk, TaskId,
};

/// Lines of a diff that are shown before the rest is counted.
const DIFF_LINES: usize = 20;

/// A question, as it is asked.
pub(crate) fn question(screen: &Screen, question: &Question) {
    screen.line("");
    super::ids::know([&question.id]);
    screen.prose(&format!("{} {}", screen.paint(Tone::Warn, "?"), own_words(&question.text)));
}

/// A request: its risk, its summary, the folder and confinement, then the command or the changes. `consent` is the risk up
/// to which the task's person agreed beforehand.
pub(super) fn request(screen: &Screen, request: &PermissionRequest, consent: Option<Risk>) {
    screen.rest();
    let tone = match request.risk {
        Risk::Low => Tone::Strong,
        Risk::Medium => Tone::Warn,
        Risk::High => Tone::Bad,
    };
    screen.line("");
    super::ids::know([&request.id]);
    let head = format!("? Approve? {} risk", capital(risk_word(request.risk)));
    screen.line(&format!("{} {}", screen.paint(tone, &head), screen.paint(Tone::Quiet, request.id.as_str())));
    let is_plan = request.details.plan.is_some();
    let summary = if is_plan { places(&request.summary) } else { request.summary.to_string() };
    screen.line(&format!("  {}", screen.paint(Tone::Strong, &printable(&summary))));
    match &request.details.wanted {
        Some(wanted) => {
            screen.line(&format!("  paused until you answer: {}", printable(&wanted.of)));
            screen.line(
                "  approving allows only this, until the command ends; if you deny, it continues without it",
            );
        }
        None => {
            screen.prose(&format!("  in {} · {}", place(&request.details.cwd), reach(request, consent)));
        }
    }
    if let Some(usual) = &request.details.away_from {
        let line = format!("  ! not in the task's folder, {}", place(usual));
        screen.line(&screen.paint(Tone::Warn, &line));
    }
    if let Some(secs) = request.details.time_limit_secs {
        screen.line(&format!("  time limit: {secs} s"));
    }
    if request.details.background {
        screen.line("  keeps running until it is stopped or the task ends");
    }
    let parts = &request.details.parts;
    let is_part =
        |reason: &Phrase| request.details.command.is_some() && parts.iter().any(|p| p.reason == *reason);
    for reason in request.reasons.iter().filter(|reason| !is_part(reason)) {
        screen.prose(&format!("  · {}", printable(reason)));
    }
    if let Some(command) = &request.details.command {
        // A short one is the headline already.
        if !request.summary.contains(command.as_str()) {
            screen.line(&indent(&printable(command), "    $ "));
        }
        for (part, times) in counted(parts) {
            let mark = match part.decision {
                Decision::Allow => screen.paint(Tone::Good, "✓"),
                Decision::Ask => screen.paint(Tone::Warn, "?"),
                Decision::Deny => screen.paint(Tone::Bad, "✗"),
            };
            let inside = part.text.strip_prefix(&request.details.cwd).and_then(|path| path.strip_prefix('/'));
            let often = if times > 1 { format!(" ({times} times)") } else { String::new() };
            screen.prose(&format!(
                "    {mark} {}{often}  {}",
                printable(inside.unwrap_or(&part.text)),
                screen.paint(Tone::Quiet, &printable(&part.reason))
            ));
        }
    }
    if let Some(not_kept) = &request.details.not_kept {
        edits::not_kept(screen, not_kept);
    }
    if let Some(diff) = &request.details.diff {
        let shown = if is_plan { places(diff) } else { diff.clone() };
        diff::diff(screen, &shown, DIFF_LINES);
    }
    edits::show(screen, &request.details.edits, DIFF_LINES);
}

/// The parts of a command in their order, equal ones once, with how often they are in it: a loop has many.
fn counted(parts: &[Part]) -> Vec<(&Part, usize)> {
    let mut counted: Vec<(&Part, usize)> = Vec::new();
    for part in parts {
        match counted.iter_mut().find(|(seen, _)| *seen == part) {
            Some((_, times)) => *times += 1,
            None => counted.push((part, 1)),
        }
    }
    counted
}

/// What the operating system will let it do. A consent has the walls of a yes for the folder, where that fits: the home is
/// absent then.
fn reach(request: &PermissionRequest, consent: Option<Risk>) -> &'static str {
    let details = &request.details;
    let is_home_absent = consent >= Some(Risk::Medium) && folder_offer(&request.offered).is_some();
    match details.confinement {
        Confinement::ReadOnly if details.command.is_none() => "may read, nothing else",
        Confinement::Workspace | Confinement::WorkspaceNet if details.command.is_none() => {
            "writes in this folder"
        }
        Confinement::ReadOnly if is_home_absent => "reads here, offline; the rest of your home is closed",
        Confinement::Workspace if is_home_absent => {
            "reads and writes here, offline; the rest of your home is closed"
        }
        Confinement::ReadOnly => "reads your home, offline",
        Confinement::Workspace => "reads your home, writes here, offline",
        Confinement::WorkspaceNet => "writes here, with network",
        Confinement::Open => "runs with your full permissions",
    }
}

pub(super) fn risk_word(risk: Risk) -> &'static str {
    match risk {
        Risk::Low => "low",
        Risk::Medium => "medium",
        Risk::High => "high",
    }
}

/// The commands for what the page's buttons do after a model failed.
pub(super) fn remedies(screen: &Screen, code: PlanErrorCode, backend: &str, task: &TaskId) {
    let backend = printable(backend);
    let lines = match code {
        PlanErrorCode::Auth => [
            (format!("deputy backends key {backend}"), "stores a key in the desktop's keyring"),
            (
                format!("deputy config set backends.{backend}.api_key_env VARIABLE"),
                "names an environment variable with the key",
            ),
        ],
        PlanErrorCode::ModelMissing => [
            (format!("deputy backends check {backend}"), "lists the models of this provider"),
            (format!("deputy switch {task} --model MODEL"), "uses another one for this task"),
        ],
        PlanErrorCode::BadSettings | PlanErrorCode::Network => [
            (format!("deputy backends check {backend}"), "tests the connection"),
            (format!("deputy config set backends.{backend}.base_url ADDRESS"), "changes the address"),
        ],
        _ => return,
    };
    for (command, does) in lines {
        screen.hint(&format!("  `{command}` {does}"));
    }
}
