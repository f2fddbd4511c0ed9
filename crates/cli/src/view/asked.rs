//! Shows requests with their parts, questions, and the commands that help after a model failed.

use super::asking::{self, Asked};
use super::diff;
use super::prompt::folder_offer;
use super::screen::{Screen, Tone};
use super::steps;
use super::text::{MOST_LINES, capital, ends, own_words, place, places, printable};
use deputy_protocol::{
    Confinement, PermissionRequest, Phrase, PlanErrorCode, Question, RequestDetails, Risk, TaskId,
};

/// A question, as it is asked.
pub(crate) fn question(screen: &Screen, question: &Question) {
    screen.line("");
    super::ids::know([&question.id]);
    screen.prose(&format!("{} {}", screen.paint(Tone::Warn, "?"), own_words(&question.text)));
}

/// How much of a request is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Both ends of what is long.
    Short,
    Whole,
}

/// A request: its risk, the command or the change itself, what asks in it, what is at stake, and how far it reaches.
/// `consent` is the risk up to which the task's person agreed beforehand.
pub(super) fn request(screen: &Screen, request: &PermissionRequest, consent: Option<Risk>, extent: Extent) {
    screen.rest();
    let details = &request.details;
    let tone = match request.risk {
        Risk::Low => Tone::Strong,
        Risk::Medium => Tone::Warn,
        Risk::High => Tone::Bad,
    };
    screen.line("");
    super::ids::know([&request.id]);
    let head = format!("? Approve? {} risk", capital(risk_word(request.risk)));
    screen.line(&format!("{} {}", screen.paint(tone, &head), screen.paint(Tone::Quiet, request.id.as_str())));
    thing(screen, request, extent);
    let others = other_reasons(request);
    if is_command(request) {
        asking::show(screen, Asked::only(request), most_parts(request, extent));
        for reason in &others {
            screen.prose(&format!("    · {reason}"));
        }
    } else if !others.is_empty() {
        screen.prose(&format!("  · {}", others.join(" · ")));
    }
    if let Some(not_kept) = &details.not_kept {
        steps::not_kept(screen, not_kept, request.risk == Risk::High || extent == Extent::Whole);
    }
    if let Some(wanted) = &details.wanted {
        screen.line(&format!("  paused until you answer: {}", printable(&wanted.of)));
        screen.line(
            "  approving allows only this, until the command ends; if you deny, it continues without it",
        );
    } else {
        screen.prose(&format!("  in {} · {}", place(&details.cwd), reach(request, consent)));
    }
    if let Some(usual) = &details.away_from {
        let line = format!("  ! not in the task's folder, {}", place(usual));
        screen.line(&screen.paint(Tone::Warn, &line));
    }
    if let Some(secs) = details.time_limit_secs {
        screen.line(&format!("  time limit: {secs} s"));
    }
    if details.background {
        screen.line("  keeps running until it is stopped or the task ends");
    }
}

/// All of the command or the change, and every part that asks.
pub(super) fn whole(screen: &Screen, request: &PermissionRequest) {
    thing(screen, request, Extent::Whole);
    if is_command(request) {
        asking::show(screen, Asked::only(request), usize::MAX);
    }
    if let Some(not_kept) = &request.details.not_kept {
        steps::not_kept(screen, not_kept, true);
    }
}

/// Whether `request` leaves out something that `whole` shows.
pub(crate) fn is_cut(request: &PermissionRequest) -> bool {
    let details = &request.details;
    let is_long = |lines: usize| lines > MOST_LINES;
    is_command(request)
        && (is_long(details.command.as_deref().unwrap_or_default().lines().count())
            || asking::is_cut(Asked::only(request), most_parts(request, Extent::Short)))
        || details.diff.as_deref().is_some_and(|text| is_long(diff::lines(text)))
        || details.steps.iter().any(|step| steps::is_cut(step, &details.cwd))
        || request.risk != Risk::High && details.not_kept.as_ref().is_some_and(|lost| lost.examples.len() > 1)
}

/// What would run or change: the command as it is typed, or the change in a sentence with its diff.
fn thing(screen: &Screen, request: &PermissionRequest, extent: Extent) {
    let details = &request.details;
    if let Some(text) = &details.command {
        return command(screen, "  $ ", text, extent);
    }
    // Each of several calls is shown by itself.
    if !details.steps.is_empty() {
        return steps::show(screen, details, extent);
    }
    let is_plan = details.plan.is_some();
    let summary = if is_plan { places(&request.summary) } else { request.summary.to_string() };
    screen.line(&format!("  {}", screen.paint(Tone::Strong, &printable(&summary))));
    if let Some(diff) = &details.diff {
        let shown = if is_plan { places(diff) } else { diff.clone() };
        diff::diff(screen, &shown, extent);
    }
}

/// A command as it is typed, behind a lead.
pub(super) fn command(screen: &Screen, lead: &str, text: &str, extent: Extent) {
    let lines: Vec<String> = printable(text.trim_end()).lines().map(str::to_owned).collect();
    let (head, left_out, tail) = ends(&lines, extent);
    let below = " ".repeat(lead.len());
    for (place, line) in head.iter().enumerate() {
        let before = if place == 0 { lead } else { &below };
        screen.line(&format!("{before}{}", screen.paint(Tone::Strong, line)));
    }
    if left_out > 0 {
        screen.line(&format!("{below}{}", gap(screen, left_out)));
    }
    for line in tail {
        screen.line(&format!("{below}{}", screen.paint(Tone::Strong, line)));
    }
}

/// The line that replaces the middle of a long text.
pub(super) fn gap(screen: &Screen, lines: usize) -> String {
    screen.paint(Tone::Quiet, &format!("… {lines} lines …"))
}

/// Whether it is a command that is asked about.
fn is_command(request: &PermissionRequest) -> bool {
    request.details.command.is_some()
}

/// Whether a command would run, by itself or with other calls.
fn runs_command(details: &RequestDetails) -> bool {
    details.command.is_some() || details.steps.iter().any(|step| step.command.is_some())
}

/// The reasons that are not those of a part of a command, which are shown below it.
fn other_reasons(request: &PermissionRequest) -> Vec<String> {
    let RequestDetails { parts, steps, command, .. } = &request.details;
    let of_command = parts.iter().filter(|_| command.is_some());
    let of_steps = steps.iter().filter(|step| step.command.is_some()).flat_map(|step| &step.parts);
    let shown: Vec<&Phrase> = of_command.chain(of_steps).map(|part| &part.reason).collect();
    request.reasons.iter().filter(|reason| !shown.contains(reason)).map(|reason| printable(reason)).collect()
}

/// The lines that the parts may take: with the heading, the walls, the offer and the prompt six, but at high risk all.
fn most_parts(request: &PermissionRequest, extent: Extent) -> usize {
    if request.risk == Risk::High || extent == Extent::Whole {
        return usize::MAX;
    }
    let others = other_reasons(request).len() + usize::from(request.details.not_kept.is_some());
    2_usize.saturating_sub(others).max(1)
}

/// What the operating system will let it do. A consent has the walls of a yes for the folder, where that fits: the home is
/// absent then.
fn reach(request: &PermissionRequest, consent: Option<Risk>) -> &'static str {
    let details = &request.details;
    let is_home_absent = consent >= Some(Risk::Medium) && folder_offer(&request.offered).is_some();
    match details.confinement {
        Confinement::ReadOnly if !runs_command(details) => "may read, nothing else",
        Confinement::Workspace | Confinement::WorkspaceNet if !runs_command(details) => {
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
