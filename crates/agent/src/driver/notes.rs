//! Notes: memories of earlier tasks that are relevant to this one, in the form that the planner gets them.
//!
//! Memories are recalled for the goal, for each message of the user, and when the topic of the work has changed. Notes
//! for the goal come directly after it. Later notes are appended to the conversation, so that the beginning stays the
//! same from plan to plan and the provider's cache stays valid. Notes are enclosed in data markers, like the results of
//! tools, and are never part of the system message.

use super::journal::TaskJournal;
use crate::core::Core;
use crate::documents::{RecallBounds, passage_in_words};
use crate::machine::{Machine, STOP, lets_continue};
use deputy_protocol::{MemoryKind, MemoryOrigin, Message, Noted, TaskEvent, TaskId, TaskSpec, TaskState};
use deputy_store::{LONGEST_PASSAGE_CHARS, Ranking, Recollection};
use std::collections::HashSet;
use std::sync::Arc;

/// The limits of the notes for the goal: their number, the length of each, and the total length, in characters.
const FIRST: usize = 20;
const NOTE_CHARS: usize = 400;
const FIRST_CHARS: usize = 6_000;
/// The limits of later notes.
const LATER: usize = 5;
const LATER_CHARS: usize = 1_500;
/// The number of plans without a recall after which it is checked whether the topic has changed.
const PLANS_BETWEEN: u32 = 5;
/// The topic has changed if at most this share of the words of the last plan was already searched for.
const MOST_KNOWN: f64 = 1.0 / 3.0;
/// A plan with fewer words than this says too little about its topic.
const FEWEST_WORDS: usize = 6;
/// The cosine that a later note needs unless it also shares words with the query. Without this, something would always
/// be nearest.
const NEAR_ENOUGH: f32 = 0.86;

/// The notes that a task was given.
#[derive(Default)]
pub(super) struct Notes {
    /// Whether the recall for the goal is done.
    is_begun: bool,
    /// What the user said since the last recall.
    heard: Vec<String>,
    /// The memories that the task was given.
    given: HashSet<u64>,
    /// The words that were searched for.
    asked: HashSet<String>,
    /// The iteration of the last recall.
    looked_at: u32,
}

impl Notes {
    /// Records what the user says.
    pub(super) fn hear(&mut self, event: &TaskEvent) {
        let text = match event {
            TaskEvent::Steered(steered) => &steered.text,
            TaskEvent::QuestionAnswered(answered) => &answered.text,
            _ => return,
        };
        if !lets_continue(text) && !text.trim().eq_ignore_ascii_case(STOP) {
            self.heard.push(text.clone());
        }
    }

    /// Returns whether a plan is about something that was not searched for yet.
    fn is_new(&self, text: &str) -> bool {
        let words = words(text);
        let known = words.intersection(&self.asked).count() as f64;
        words.len() >= FEWEST_WORDS && known <= MOST_KNOWN * words.len() as f64
    }
}

impl Notes {
    /// Recalls memories for the next plan, if there is a reason to.
    pub(super) async fn take(&mut self, core: &Arc<Core>, journal: &mut TaskJournal) {
        let iteration = journal.machine().iteration();
        if let Some(text) = core.changed_scratchpad(journal.machine().spec()) {
            let head = "Your scratchpad of this task, as the user may have changed it:";
            journal
                .emit(TaskEvent::Noted(Noted { text: marked(&format!("{head}\n{text}")), at_start: false }));
        }
        if !self.is_begun {
            core.keep_profile_files(&journal.machine().spec().profile).await;
        }
        if !self.is_begun && !journal.machine().is_noted() {
            let goal = journal.machine().spec().goal.clone();
            let found = self.recalled(core, journal.machine(), &goal).await;
            let head = "Notes from earlier tasks. They may be out of date.";
            if let Some(text) = self.note(core, journal.machine().spec(), head, found) {
                journal.emit(TaskEvent::Noted(Noted { text, at_start: true }));
            }
        }
        self.is_begun = true;
        let text = if !self.heard.is_empty() {
            std::mem::take(&mut self.heard).join("\n")
        } else if iteration >= self.looked_at + PLANS_BETWEEN
            && let Some(text) = last_plan(journal.machine()).filter(|text| self.is_new(text))
        {
            text
        } else {
            return;
        };
        let mut found = self.recalled(core, journal.machine(), &text).await;
        found.retain(|note| note.found_by != [Ranking::Recent]);
        found.retain(|note| {
            note.found_by.contains(&Ranking::FullText)
                || note.similarity.is_some_and(|near| near >= NEAR_ENOUGH)
        });
        let mut left = LATER_CHARS;
        found.truncate(LATER);
        found.retain(|note| {
            let chars = note.text.chars().take(longest(note)).count();
            let fits = chars <= left;
            left -= if fits { chars } else { 0 };
            fits
        });
        let head = "More notes from earlier tasks, for what was just said.";
        if let Some(text) = self.note(core, journal.machine().spec(), head, found) {
            journal.emit(TaskEvent::Noted(Noted { text, at_start: false }));
        }
    }

    /// Recalls memories of other tasks for a text, without those that this task was already given.
    async fn recalled(&mut self, core: &Arc<Core>, machine: &Machine, text: &str) -> Vec<Recollection> {
        self.asked.extend(words(text));
        self.looked_at = machine.iteration();
        let spec = machine.spec();
        let bounds = RecallBounds { limit: FIRST, budget_chars: FIRST_CHARS, most_chars_each: NOTE_CHARS };
        match core.recall_for(spec, text, bounds).await {
            Ok(recalled) => {
                let is_new = |note: &Recollection| note.task != spec.id && !self.given.contains(&note.memory);
                recalled.into_iter().filter(is_new).collect()
            }
            Err(error) => {
                tracing::warn!("recall failed, the plan goes without: {error}");
                Vec::new()
            }
        }
    }

    /// Formats the notes as text. `None` if there are none.
    fn note(&mut self, core: &Core, spec: &TaskSpec, head: &str, found: Vec<Recollection>) -> Option<String> {
        self.given.extend(found.iter().map(|note| note.memory));
        let tasks: HashSet<&TaskId> = found.iter().map(|note| &note.task).collect();
        let undone = tasks.into_iter().filter(|task| is_undone(core, task)).cloned().collect();
        data(spec, head, &found, &undone)
    }
}

/// Returns whether everything that a task changed was undone.
fn is_undone(core: &Core, task: &TaskId) -> bool {
    let found = core.store.task(task).ok().flatten();
    found.is_some_and(|task| matches!(task.state, TaskState::Stopped(stopped) if stopped.undone))
}

/// Returns the text of the last plan.
fn last_plan(machine: &Machine) -> Option<String> {
    machine.messages().iter().rev().find_map(|message| match message {
        Message::Assistant(message) => Some(message.text.clone()),
        _ => None,
    })
}

fn words(text: &str) -> HashSet<String> {
    // Short words occur in every text.
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 3);
    words.map(str::to_lowercase).collect()
}

/// Formats notes as one block of data, one line each, with their origin. No call was made for them, and providers
/// accept no result without a call, so they are a separate message.
fn data(spec: &TaskSpec, head: &str, notes: &[Recollection], undone: &HashSet<TaskId>) -> Option<String> {
    let mut content = head.to_owned();
    for note in notes {
        let text = one_line(&note.text, longest(note));
        if let Some(document) = &note.document {
            let from = one_line(&passage_in_words(&document.path), NOTE_CHARS);
            content.push_str(&format!("\n- [{from}] {text}"));
            continue;
        }
        let place = match &note.workspace {
            // Stored by hand, without a folder.
            folder if folder.is_empty() => String::new(),
            folder if *folder == spec.workspace => " in this folder".to_owned(),
            folder => format!(" in {}", one_line(folder, NOTE_CHARS)),
        };
        let promoted = if note.is_promoted { ", kept for all folders by the user" } else { "" };
        // A fact or a preference holds whatever became of the task.
        let is_undone = note.kind == MemoryKind::Said && undone.contains(&note.task);
        let undone = if is_undone { "; the user undid everything that this task changed" } else { "" };
        let who = origin_in_words(note.origin, note.kind);
        content.push_str(&format!("\n- [{who}{place}{promoted}{undone}] {text}"));
    }
    (!notes.is_empty()).then(|| marked(&content))
}

/// Encloses a text in data markers. The marker is random, so a text of an earlier task cannot contain it and end the
/// data early.
fn marked(content: &str) -> String {
    let mark = crate::ids::fresh('m');
    format!("<<data {mark} from memory>>\n{content}\n<<end {mark}>>")
}

/// The maximum length of a note, in characters.
fn longest(note: &Recollection) -> usize {
    if note.document.is_some() { LONGEST_PASSAGE_CHARS } else { NOTE_CHARS }
}

/// Describes who said or stored a memory.
pub(super) fn origin_in_words(origin: MemoryOrigin, kind: MemoryKind) -> &'static str {
    match (origin, kind) {
        (MemoryOrigin::Person, MemoryKind::Fact) => return "the user asked to remember",
        (MemoryOrigin::Person, MemoryKind::Preference) => return "the user prefers",
        (_, MemoryKind::Fact | MemoryKind::Preference) => return "the assistant noted",
        (_, MemoryKind::Said) => {}
    }
    match origin {
        MemoryOrigin::Person => "the user said",
        MemoryOrigin::Planner => "the assistant said",
        MemoryOrigin::Tool => "a tool said",
        MemoryOrigin::Command => "a command printed",
        MemoryOrigin::File => "from files",
        MemoryOrigin::Page => "from a page",
    }
}

/// Returns the beginning of a text as a single line, so that a note cannot imitate another one.
pub(super) fn one_line(text: &str, most: usize) -> String {
    let is_break = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    text.chars().take(most).map(|c| if is_break(c) { ' ' } else { c }).collect()
}
