//! A task's events as a story: the planner's thought, each call with what came of it, what was asked, the end.

use super::asked::{Extent, question, remedies, request, risk_word};
use super::organized::Organized;
use super::screen::{Screen, Tone};
use super::steps::names_only;
use super::stream::Stream;
use super::text::{
    capital, denied_words, duration, goal_words, number, own_words, place, place_in, printable, stop_words,
    until,
};
use super::{progress, report};
use crate::failure::End;
use deputy_protocol::{
    Answerer, AttemptKind, BackgroundEnd, BackgroundEnded, CallId, CallStatus, Choice, Decision, FileChange,
    FileState, PauseReason, Phrase, PlanFailed, ProviderWait, Risk, StopReason, TaskEvent, TaskState,
    TaskStatus, TodoStep, ToolFinished, UndoneFile, UndoneRepository,
};
use deputy_tools::OrganizeHome;
use deputy_tools::tree::is_gits;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Lines of a command's output that are shown under its call.
const OUTPUT_LINES: usize = 6;

/// The profile of tasks that name none.
const USUAL_PROFILE: &str = "general";
/// A call that was faster took no time that a person would notice.
const WORTH_SAYING_MS: u64 = 50;
/// A wait for a provider from which it is said that it is long.
const LONG_WAIT_MS: i64 = 3_600_000;

/// Tells events as lines.
#[derive(Default)]
pub(crate) struct Story {
    summaries: HashMap<CallId, String>,
    /// Calls whose denial was just shown.
    refused: HashSet<CallId>,
    organized: Organized,
    status: TaskStatus,
    /// What the planner is saying.
    stream: Stream,
    /// Which backend plans.
    backend: String,
    /// The task's folder.
    workspace: String,
    /// Up to this risk it was agreed to beforehand.
    consent: Option<Risk>,
    /// The last plan that failed for good, until it is shown; mostly the question that follows says why.
    failure: Option<PlanFailed>,
    /// Whether the next answer or instruction was typed here, so that it is on the screen.
    is_typed_here: bool,
    steps: u32,
    todo: Vec<TodoStep>,
}

/// Until when a task waits for its provider, and what helps if that is long.
fn waiting(wait: &ProviderWait) -> String {
    let words = format!("waiting until {} for {}", until(wait.until_ms), printable(&wait.backend));
    let left_ms = wait.until_ms.saturating_sub(jiff::Timestamp::now().as_millisecond());
    match left_ms > LONG_WAIT_MS {
        true => words + ", more than an hour; `deputy switch` asks another model",
        false => words,
    }
}

/// What a consent up to medium risk means.
const RUNS_ANY_CODE: &str = "  --yes medium: runs any code in this folder without asking, without a network; the rest of your \
                             home stays closed to it.";

impl Story {
    /// Takes in what the planner, or a call, says while it is at work.
    pub(crate) fn hear(&mut self, screen: &Screen, is_of_call: bool, piece: &str) {
        if !is_of_call {
            self.stream.hear(screen, piece);
        } else if let Some(line) = piece.lines().rfind(|line| !line.trim().is_empty()) {
            screen.say(&printable(line.trim()));
        }
    }

    /// The next answer or instruction is on the screen already.
    pub(crate) fn typed_here(&mut self) {
        self.is_typed_here = true;
    }

    /// Tells one event.
    #[expect(clippy::too_many_lines, reason = "an arm for each event")]
    pub(crate) fn tell(&mut self, screen: &Screen, event: &TaskEvent) {
        let failure = self.failure.take();
        if let (Some(failed), false) = (&failure, matches!(event, TaskEvent::QuestionAsked(_))) {
            warning(screen, &failed.message);
        }
        self.organized.note(event);
        self.status.apply(event);
        match event {
            TaskEvent::Created(created) => {
                let spec = &created.spec;
                self.backend.clone_from(&spec.backend);
                self.workspace.clone_from(&spec.workspace);
                self.consent = spec.standing_consent;
                let model = spec.model.as_deref().unwrap_or(&spec.backend);
                // The default profile is not news.
                let profile = Some(spec.profile.as_str()).filter(|profile| *profile != USUAL_PROFILE);
                let folder = place(&spec.workspace);
                let facts: Vec<String> =
                    profile.into_iter().chain([model]).map(printable).chain([folder]).collect();
                screen.line(&format!(
                    "{} {}",
                    screen.paint(Tone::Strong, &format!("Task {}", spec.id)),
                    screen.paint(Tone::Quiet, &format!("· {}", facts.join(" · ")))
                ));
                screen.line(&format!("  {}", goal_words(&spec.goal)));
                if spec.standing_consent.is_some_and(|up_to| up_to >= Risk::Medium) {
                    screen.line(&screen.paint(Tone::Quiet, RUNS_ANY_CODE));
                }
                if let Some(notice) = &created.notice {
                    warning(screen, &notice.clone().into());
                }
            }
            TaskEvent::IterationStarted(started) => {
                self.steps = started.iteration;
                self.stream.begin();
                screen.busy("Thinking…");
            }
            TaskEvent::Planned(planned) if !planned.plan.is_complete => {
                // Until it is decided, or if it never is, a call is shown by its tool.
                self.summaries = planned
                    .plan
                    .tool_calls
                    .iter()
                    .map(|call| (call.id.clone(), printable(&call.tool)))
                    .collect();
                self.stream.tell_rest(screen, &planned.plan.reasoning);
                self.stream.begin();
            }
            TaskEvent::Planned(_) => {}
            TaskEvent::PlanFailed(failed) => {
                self.stream.begin();
                if failed.next_backend.is_none() && failed.retry_in_ms.is_none() && failed.wait.is_none() {
                    self.failure = Some(failed.clone());
                    return;
                }
                warning(screen, &failed.message);
                if let Some(next) = &failed.next_backend {
                    screen
                        .line(&screen.paint(Tone::Quiet, &format!("    asking {} instead", printable(next))));
                } else if let Some(ms) = failed.retry_in_ms {
                    screen.line(&screen.paint(Tone::Quiet, &format!("    trying again in {}", duration(ms))));
                } else if let Some(wait) = &failed.wait {
                    screen.line(&screen.paint(Tone::Quiet, &format!("    {}", waiting(wait))));
                }
            }
            TaskEvent::Compacted(compacted) => {
                let line =
                    format!("  ≡ Summarized the steps up to {} to save room", compacted.through_iteration);
                screen.line(&screen.paint(Tone::Quiet, &line));
            }
            TaskEvent::TodoChanged(changed) => {
                progress::todo(screen, &self.todo, &changed.steps);
                self.todo.clone_from(&changed.steps);
            }
            TaskEvent::ModelSwitched(switched) => {
                self.backend.clone_from(&switched.backend);
                progress::switched(screen, switched);
            }
            TaskEvent::BrowserTaken(by) => progress::browser(screen, "You took over the browser", &by.url),
            TaskEvent::BrowserReturned(by) => progress::browser(screen, "Browser given back", &by.url),
            TaskEvent::Guided(guided) => {
                let texts = guided.texts.iter().map(|text| text.path.as_str());
                let skills = guided.skills.iter().map(|skill| skill.path.as_str());
                for path in texts.chain(skills) {
                    screen.line(&screen.paint(Tone::Quiet, &format!("  ≡ Follows {}", place(path))));
                }
            }
            // What it wants a person to look at, the request says.
            TaskEvent::Reviewed(reviewed) => {
                if !reviewed.asks && !reviewed.reason.is_empty() {
                    let by = reviewed.model.as_deref().unwrap_or(&reviewed.backend);
                    let line = format!("  ? {}: {}", printable(by), printable(&reviewed.reason));
                    screen.line(&screen.paint(Tone::Quiet, &line));
                }
            }
            TaskEvent::Inferred(inferred) => progress::inferred(screen, inferred),
            TaskEvent::SubtasksStarted(started) => progress::awaiting(screen, started),
            TaskEvent::SubtasksEnded(ended) => progress::subtasks(screen, ended),
            // The question says what was found; what else the planner is given, `show --prompt` shows.
            TaskEvent::GuidanceFound(_)
            | TaskEvent::Briefed(_)
            | TaskEvent::Oriented(_)
            | TaskEvent::Noted(_) => {}
            TaskEvent::CallDecided(decided) => {
                self.summaries.insert(decided.call.clone(), printable(&decided.summary));
                if decided.verdict.decision == Decision::Allow {
                    screen.busy(&printable(&decided.summary));
                }
            }
            TaskEvent::PermissionRequested(asked) => {
                request(screen, &asked.request, self.consent, Extent::Short);
            }
            TaskEvent::PermissionAnswered(answered) => {
                let by = answerer(&answered.by);
                let line = match &answered.choice {
                    _ if matches!(answered.by, Answerer::Expiry(_)) => {
                        screen.paint(Tone::Quiet, "  expired without an answer")
                    }
                    _ if matches!(answered.by, Answerer::Instruction(_)) => {
                        screen.paint(Tone::Quiet, "  no longer needed: you gave an instruction")
                    }
                    Choice::Allow(allow) => {
                        let left_out = allow.dropped.iter().filter_map(|call| self.summaries.get(call));
                        let left_out: Vec<&str> = left_out.map(String::as_str).collect();
                        let but = if left_out.is_empty() { "" } else { ", but for: " };
                        format!(
                            "  {} {}{}{but}{}",
                            screen.paint(Tone::Good, "allowed"),
                            screen.paint(Tone::Quiet, &by),
                            names_only(allow),
                            left_out.join("; ")
                        )
                    }
                    Choice::Deny(deny) => {
                        self.refused.insert(answered.call.clone());
                        let reason = printable(&deny.reason);
                        let colon = if reason.is_empty() { "" } else { ": " };
                        let deed = if deny.change {
                            screen.paint(Tone::Warn, "change wanted")
                        } else {
                            screen.paint(Tone::Bad, "denied")
                        };
                        format!("  {deed} {}{colon}{reason}", screen.paint(Tone::Quiet, &by),)
                    }
                };
                screen.line(&line);
            }
            TaskEvent::RefusalShared(shared) => screen.line(&format!(
                "  {} {} {}",
                screen.paint(Tone::Bad, "denied"),
                screen.paint(
                    Tone::Quiet,
                    &format!("{}, to the same call as {}", answerer(&shared.by), shared.request)
                ),
                printable(&shared.reason)
            )),
            TaskEvent::ToolStarted(started) => {
                if let Some(summary) = self.summaries.get(&started.call) {
                    screen.busy(summary);
                }
            }
            TaskEvent::ToolFinished(finished) => {
                super::ids::know([OrganizeHome::job_of(&finished.call)]);
                let summary = self.summaries.remove(&finished.call).unwrap_or_else(|| "Call".to_owned());
                let is_refused = self.refused.remove(&finished.call);
                result(screen, &summary, finished, is_refused);
                // Other calls name their file.
                if finished.result.exit_code.is_some() {
                    changed(screen, &self.workspace, &finished.result.changes);
                }
            }
            TaskEvent::QuestionAsked(asked) => {
                question(screen, &asked.question);
                if let Some(failed) = failure {
                    remedies(screen, failed.code, &self.backend, &asked.question.task);
                }
            }
            TaskEvent::QuestionAnswered(answered) => self.said(screen, &answered.text),
            TaskEvent::Paused(paused) => {
                let by_user = paused.reason == PauseReason::ByUser;
                let (words, why) = match by_user {
                    true => ("Paused by you", String::new()),
                    false => ("Paused:", format!(" {}", own_words(&paused.message))),
                };
                screen.prose(&format!("  {}{why}", screen.paint(Tone::Warn, words)));
            }
            TaskEvent::QueueMoved(_) => screen.line(&screen.paint(Tone::Quiet, "  moved in the queue")),
            TaskEvent::Renamed(renamed) => {
                let line = match &renamed.title {
                    Some(title) => format!("  renamed to {}", printable(title)),
                    None => "  has its first title again".to_owned(),
                };
                screen.line(&screen.paint(Tone::Quiet, &line));
            }
            TaskEvent::Archived(archived) => {
                let line = if archived.archived { "  archived" } else { "  moved out of the archive" };
                screen.line(&screen.paint(Tone::Quiet, line));
            }
            TaskEvent::Resumed(_) => screen.line(&screen.paint(Tone::Quiet, "  resumed")),
            TaskEvent::Steered(steered) => self.said(screen, &steered.text),
            TaskEvent::StopRequested(_) => {
                screen.line(&screen.paint(Tone::Warn, "  stopping; the current call may finish"))
            }
            TaskEvent::Interrupted(_) => {
                screen.line(&screen.paint(Tone::Warn, "  interrupted; continuing where it was"))
            }
            TaskEvent::Stopped(stopped) => {
                screen.rest();
                // An answer that was read while it came is not said again.
                let summary = stopped.summary.trim();
                let rest = self.stream.rest(summary);
                let is_told = rest.len() < summary.len();
                if is_told {
                    self.stream.tell_rest(screen, summary);
                }
                let words = stop_words(stopped.reason);
                let (mark, tone, words) = match (stopped.reason, self.organized.end_of(stopped.reason)) {
                    (StopReason::Completed, End::Done) => ("✓", Tone::Good, words),
                    (StopReason::Completed, _) => ("✗", Tone::Bad, "plan not carried out in full; ended"),
                    (StopReason::Error, _) => ("✗", Tone::Bad, words),
                    _ => ("■", Tone::Warn, words),
                };
                screen.line("");
                let steps =
                    if self.steps == 1 { "1 step".to_owned() } else { format!("{} steps", self.steps) };
                let denied = match self.status.state() {
                    TaskState::Stopped(stopped) => denied_words(&stopped),
                    _ => String::new(),
                };
                let head = format!("{mark} {} after {steps}{denied}", capital(words));
                screen.line(&screen.paint(tone, &head));
                // A stop has been said in the line above.
                let is_news = !is_told && stopped.reason != StopReason::ManualStop;
                if !summary.is_empty() && is_news {
                    screen.words(&own_words(&stopped.summary), "  ");
                }
                if let Some(report) = &stopped.report {
                    report::report(screen, &self.workspace, report);
                }
            }
            TaskEvent::Undone(undone) => {
                turned_repositories(screen, &undone.repositories, "↶");
                turned(screen, (&undone.files, undone.operations), "↶", "undone");
            }
            TaskEvent::Redone(redone) => {
                turned_repositories(screen, &redone.repositories, "↷");
                turned(screen, (&redone.files, redone.operations), "↷", "redone");
            }
            TaskEvent::Remembered(remembered) => {
                let line = format!("  ✎ Remembered for later tasks: {}", printable(&remembered.text));
                screen.line(&screen.paint(Tone::Quiet, &line));
            }
            // What was edited or forgotten is not said again: it is for later tasks alone.
            TaskEvent::MemoryEdited(edited) => said_of(screen, edited.memory, "edited"),
            TaskEvent::MemoryForgotten(forgotten) => said_of(screen, forgotten.memory, "forgotten"),
            TaskEvent::MemoryPromoted(promoted) => said_of(screen, promoted.memory, "promoted"),
            TaskEvent::MemoriesPruned(_) => {
                screen.line(&screen.paint(Tone::Quiet, "  Memories were pruned."))
            }
            TaskEvent::MemoryImported(imported) => {
                let line = format!("  ✎ Imported for later tasks: {}", printable(&imported.memory.text));
                screen.line(&screen.paint(Tone::Quiet, &line));
            }
            TaskEvent::MemoryRestored(restored) => said_of(screen, restored.memory, "restored"),
            TaskEvent::BackgroundStarted(started) => {
                let line = format!("  ▸ {} runs in the background", started.background);
                screen.line(&format!(
                    "{}: {}",
                    screen.paint(Tone::Strong, &line),
                    printable(&started.command)
                ));
            }
            TaskEvent::BackgroundEnded(ended) => background_ended(screen, ended),
            TaskEvent::FileKept(_) | TaskEvent::TreeKept(_) => {}
        }
    }
}

impl Story {
    /// What a person said to the task, unless it was typed on this screen.
    fn said(&mut self, screen: &Screen, text: &str) {
        if !std::mem::take(&mut self.is_typed_here) {
            screen.prose(&format!("  > {}", printable(text)));
        }
    }
}

fn warning(screen: &Screen, text: &Phrase) {
    screen.prose(&format!("  {} {}", screen.paint(Tone::Warn, "!"), own_words(text)));
}

/// Where or how somebody answered.
pub(super) fn answerer(by: &Answerer) -> String {
    match by {
        Answerer::Local(local) => format!("at the {}", local.screen),
        Answerer::Device(device) => format!("on {}", printable(&device.name)),
        Answerer::Standing(standing) => format!("beforehand, up to {} risk", risk_word(standing.up_to)),
        Answerer::Expiry(_) => "because its time ran out".to_owned(),
        Answerer::Instruction(_) => "because of your instruction".to_owned(),
    }
}

/// Why a background command ended, and the last that it wrote where it ended by itself.
fn background_ended(screen: &Screen, ended: &BackgroundEnded) {
    let message = printable(&ended.message);
    let why = match ended.why {
        BackgroundEnd::Exited | BackgroundEnd::TimeLimit => message,
        BackgroundEnd::StoppedByTask => format!("the task stopped it; {message}"),
        BackgroundEnd::StoppedByUser => format!("you stopped it; {message}"),
        BackgroundEnd::TaskEnded => format!("it ended with the task; {message}"),
        BackgroundEnd::HostRestarted => "Deputy was restarted, which ended it".to_owned(),
    };
    screen.line(&format!("  {} {why}", screen.paint(Tone::Warn, &format!("◂ {} ended:", ended.background))));
    for refused in ended.refused.iter().take(OUTPUT_LINES) {
        let what = match refused.operation {
            AttemptKind::Execute => "start",
            AttemptKind::Read => "read",
            AttemptKind::Write => "change",
        };
        let (path, why) = (place(&refused.path), printable(&refused.why));
        screen.line(&format!("      The sandbox refused: {what} {path} ({why})"));
    }
    if ended.why == BackgroundEnd::Exited {
        let lines: Vec<&str> = ended.tail.lines().collect();
        for line in &lines[lines.len().saturating_sub(OUTPUT_LINES)..] {
            screen.line(&screen.paint(Tone::Quiet, &format!("      {}", printable(line))));
        }
    }
}

/// The repositories that an undo or a redo changed.
fn turned_repositories(screen: &Screen, repositories: &[UndoneRepository], done: &str) {
    for repository in repositories.iter().filter(|repository| !repository.message.is_empty()) {
        let (path, message) = (place(&repository.folder), printable(&repository.message));
        screen.line(&format!("  {} {path}: {message}", screen.paint(Tone::Good, done)));
    }
}

/// What an undo took back, or a redo made again.
fn turned(screen: &Screen, (files, operations): (&[UndoneFile], u64), done: &str, words: &str) {
    if operations > 0 {
        screen.line(&format!("  {} {operations} changes {words}", screen.paint(Tone::Good, done)));
    }
    for file in files {
        let mark = match file.restored {
            true => screen.paint(Tone::Good, done),
            false => screen.paint(Tone::Bad, "✗"),
        };
        let (path, message) = (place(&file.change.path), printable(&file.message));
        screen.line(&format!("  {mark} {path}: {message}"));
    }
}

/// One line on what became of something that the task said.
fn said_of(screen: &Screen, memory: u64, what: &str) {
    let line = format!("  A memory of this task ({memory}) was {what}.");
    screen.line(&screen.paint(Tone::Quiet, &line));
}

/// One line a call, and under it the beginning of what a command said.
/// Names the first files that a command changed, as seen from the task's folder.
fn changed(screen: &Screen, workspace: &str, changes: &[FileChange]) {
    const MOST: usize = 5;
    let is_folder = |state: &FileState| matches!(state, FileState::Folder(_));
    let files = changes.iter().filter(|change| !is_folder(&change.before) && !is_folder(&change.after));
    let (gits, files): (Vec<&str>, Vec<&str>) =
        files.map(|change| change.path.as_str()).partition(|path| is_gits(Path::new(path)));
    if files.is_empty() {
        if !gits.is_empty() {
            screen.line(&screen.paint(Tone::Quiet, "      changed the git repository"));
        }
        return;
    }
    let names: Vec<String> = files.iter().take(MOST).map(|path| place_in(workspace, path)).collect();
    let more = match files.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {} more", number(more as u64)),
    };
    screen.line(&screen.paint(Tone::Quiet, &format!("      changed {}{more}", names.join(", "))));
}

fn result(screen: &Screen, summary: &str, finished: &ToolFinished, is_refused: bool) {
    let result = &finished.result;
    let (mark, tone) = match result.status {
        CallStatus::Ok => ("✓", Tone::Good),
        CallStatus::Failed => ("✗", Tone::Bad),
        CallStatus::Denied | CallStatus::Cancelled | CallStatus::Unknown => ("■", Tone::Warn),
    };
    let summary = summary.trim_end_matches('.');
    let first_line = result.content.lines().next().unwrap_or_default();
    let said = printable(match result.status {
        // The answer said why not.
        CallStatus::Denied if is_refused => "not run",
        // As the planner reads it: the summary has the reason alone.
        CallStatus::Denied => first_line,
        _ if result.summary.is_empty() => first_line,
        _ => &result.summary,
    });
    // The check mark shows success, so an outcome that only repeats the call with other punctuation is left out.
    let object = |text: &str| {
        let words = text.split_once(' ').map(|(_, object)| object.split(|c: char| !c.is_alphanumeric()));
        words.map(|words| words.filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>())
    };
    let is_news = match (result.status, result.exit_code) {
        (CallStatus::Ok, Some(0)) => false,
        (CallStatus::Ok, None) => object(&said).is_none() || object(&said) != object(summary),
        _ => true,
    };
    let outcome = if is_news { format!(" → {said}") } else { String::new() };
    // What a command says of a failure has its time in it.
    let is_timed = !is_news || result.exit_code.is_none();
    let time = if is_timed && finished.duration_ms >= WORTH_SAYING_MS {
        screen.paint(Tone::Quiet, &format!(" ({})", duration(finished.duration_ms)))
    } else {
        String::new()
    };
    screen.line(&format!("  {} {summary}{outcome}{time}", screen.paint(tone, mark)));
    if result.exit_code.is_some() {
        // The first line has been shown.
        let lines: Vec<&str> =
            result.content.lines().skip(usize::from(first_line.starts_with(&said))).collect();
        for line in lines.iter().take(OUTPUT_LINES) {
            screen.line(&screen.paint(Tone::Quiet, &format!("      {}", printable(line))));
        }
        if lines.len() > OUTPUT_LINES {
            let more = format!("      … {} more lines", lines.len() - OUTPUT_LINES);
            screen.line(&screen.paint(Tone::Quiet, &more));
        }
    }
}
