//! A task's to-do list as it moves on.

use super::screen::{Screen, Tone};
use super::text::{money, number, printable};
use deputy_protocol::{
    Inferred, ModelSwitched, SubtasksEnded, SubtasksStarted, TodoProgress, TodoState, TodoStep,
};

/// The list when it is put down; afterwards the step that is being worked on, above its calls.
pub(super) fn todo(screen: &Screen, before: &[TodoStep], steps: &[TodoStep]) {
    let titles = |steps: &[TodoStep]| steps.iter().map(|step| step.title.clone()).collect::<Vec<_>>();
    let Some(progress) = TodoProgress::of(steps) else { return };
    if titles(before) != titles(steps) {
        screen.line("");
        for step in steps {
            let (mark, tone) = match step.state {
                TodoState::Pending => ("○", Tone::Quiet),
                TodoState::Active => ("●", Tone::Strong),
                TodoState::Done => ("✓", Tone::Good),
                TodoState::Dropped => ("–", Tone::Quiet),
            };
            screen.line(&format!("  {} {}", screen.paint(tone, mark), printable(&step.title)));
        }
    }
    let TodoProgress { done, total, current } = progress;
    let head = match current {
        Some(current) => format!("▸ Step {} of {total}: {}", (done + 1).min(total), printable(&current)),
        None => format!("▸ {done} of {total} steps done"),
    };
    screen.line("");
    screen.line(&screen.paint(Tone::Strong, &head));
}

/// Another model continues.
pub(super) fn switched(screen: &Screen, switched: &ModelSwitched) {
    let model = switched.model.as_ref().map(|model| format!("/{model}")).unwrap_or_default();
    let line = format!("  ⇄ Continues with {}{}", printable(&switched.backend), printable(&model));
    screen.line(&screen.paint(Tone::Quiet, &line));
}

/// What a person did with the task's browser, and the page that it was on.
pub(super) fn browser(screen: &Screen, done: &str, url: &Option<String>) {
    let at = url.as_ref().map(|url| format!(": {}", printable(url))).unwrap_or_default();
    screen.line(&screen.paint(Tone::Quiet, &format!("  ⇄ {done}{at}")));
}

/// Tokens and their cost, for a line's end.
pub(crate) fn spent(tokens: u64, cost_micros: Option<u64>, currency: Option<&str>) -> String {
    let cost = cost_micros.map(|cost| format!(" · {}", money(cost, currency))).unwrap_or_default();
    format!("{} tokens{cost}", number(tokens))
}

/// Tells what a model that a call asked took.
pub(super) fn inferred(screen: &Screen, inferred: &Inferred) {
    let tokens = inferred.usage.input_tokens.saturating_add(inferred.usage.output_tokens);
    let by = inferred.model.as_deref().unwrap_or(&inferred.backend);
    let answers = match inferred.answers {
        1 => "1 answer".to_owned(),
        count => format!("{} answers", number(count)),
    };
    let spent = super::spent(tokens, inferred.cost_micros, None);
    screen.line(&screen.paint(Tone::Quiet, &format!("  ↳ {answers} of {} · {spent}", printable(by))));
}

/// Tells how many sub-tasks a call waits for.
pub(super) fn awaiting(screen: &Screen, started: &SubtasksStarted) {
    let waits = match started.tasks.len() {
        1 => "  ↳ Waiting for a sub-task".to_owned(),
        count => format!("  ↳ Waiting for {count} sub-tasks"),
    };
    screen.line(&screen.paint(Tone::Quiet, &waits));
}

/// Tells what the sub-tasks of a call took and changed.
pub(super) fn subtasks(screen: &Screen, ended: &SubtasksEnded) {
    let files = match ended.files.len() {
        0 => String::new(),
        1 => " · 1 file changed".to_owned(),
        count => format!(" · {count} files changed"),
    };
    let spent = super::spent(ended.tokens, ended.cost_micros, None);
    screen.line(&screen.paint(Tone::Quiet, &format!("  ↳ Sub-tasks ended · {spent}{files}")));
}
