//! Notes: what earlier tasks know that this one may need, in the form that the planner gets it.
//!
//! They contain facts and preferences that were remembered, passages of documents, and an entry for each earlier task of
//! the folder. Notes are taken for the goal, for each message of the user, and when the topic of the work has changed. Those
//! for the goal come directly after it. Later notes, and corrections if an earlier task is undone meanwhile, are appended to the
//! conversation, so that the beginning stays the same from plan to plan and the provider's cache stays valid. Notes are
//! enclosed in data markers, like the results of tools, and are never part of the system message.

mod entry;

pub(super) use entry::in_full;

use super::journal::TaskJournal;
use crate::core::Core;
use crate::documents::{RecallBounds, passage_in_words};
use crate::lineage::relatives;
use crate::machine::{Machine, STOP, lets_continue};
use deputy_protocol::{
    MemoriesQuery, Memory, MemoryKind, MemoryOrigin, Message, Noted, NotedTask, TaskEvent, TaskId, TaskSpec,
    TaskState,
};
use deputy_store::{EndedTask, LONGEST_PASSAGE_CHARS, Ranking, Recollection};
use std::collections::HashSet;
use std::sync::Arc;

/// The number of memories that are looked at for the goal, and the length of each, in characters.
const FIRST: usize = 60;
const NOTE_CHARS: usize = 400;
/// The total length of the notes for the goal, in characters; the part of it that facts and preferences get at least; and
/// the length of passages of documents, which come in addition.
const FIRST_CHARS: usize = 1_500;
const KEPT_CHARS: usize = 600;
const DOCUMENT_CHARS: usize = 3_000;
/// The number of earlier tasks that are looked at.
const TASKS: u32 = 20;
/// The limits of later notes: their number, and their total length.
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
    /// The earlier tasks of the conversation. The planner gets them as turns, which do not say what was undone.
    conversation: Vec<TaskId>,
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
        if let Some(text) = core.changed_scratchpad(journal.machine().spec()) {
            let head = "Your scratchpad of this task, as the user may have changed it:";
            add(journal, &format!("{head}\n{text}"), false, Vec::new());
        }
        if !self.is_begun {
            core.keep_profile_files(&journal.machine().spec().profile).await;
            self.conversation = conversation(core, journal.machine().spec());
            if !journal.machine().is_noted() {
                self.begin(core, journal).await;
            }
        }
        self.is_begun = true;
        self.correct(core, journal);
        self.take_later(core, journal).await;
    }

    /// Adds the notes for the goal.
    async fn begin(&mut self, core: &Arc<Core>, journal: &mut TaskJournal) {
        let spec = journal.machine().spec().clone();
        let found = self.recalled(core, journal.machine(), &spec.goal).await;
        let mut kept: Vec<(u64, String)> = found
            .iter()
            .filter(|note| note.document.is_none() && Kept::from(*note).holds_in(&spec))
            .map(|note| (note.memory, Kept::from(note).line(&spec)))
            .collect();
        for (memory, line) in newest_kept(core, &spec) {
            if !kept.iter().any(|(known, _)| *known == memory) {
                kept.push((memory, line));
            }
        }
        let of_kept = kept.iter().map(|(_, line)| line.chars().count() + 1).sum::<usize>();
        let mut left = FIRST_CHARS - of_kept.min(KEPT_CHARS);
        let mut entries = self.entries(core, &spec, journal.machine(), &found);
        entries.retain(|(_, line)| fits(line, &mut left));
        left += of_kept.min(KEPT_CHARS);
        kept.retain(|(_, line)| fits(line, &mut left));
        self.given.extend(kept.iter().map(|(memory, _)| *memory));
        let mut left_for_documents = DOCUMENT_CHARS;
        let documents = found.iter().filter(|note| note.document.is_some());
        let documents: Vec<(u64, String)> = documents
            .filter_map(|note| Some((note.memory, document_line(note)?)))
            .filter(|(_, line)| fits(line, &mut left_for_documents))
            .collect();
        self.given.extend(documents.iter().map(|(memory, _)| *memory));
        // As it happened: the oldest first.
        entries.reverse();
        entries.sort_by_key(|(ended, _)| ended.task.created_at_ms);
        let lines = kept.into_iter().map(|(_, line)| line);
        let lines = lines.chain(entries.iter().map(|(_, line)| line.clone()));
        let lines: Vec<String> = lines.chain(documents.into_iter().map(|(_, line)| line)).collect();
        if !lines.is_empty() {
            let mut head = "Notes from earlier tasks. They may be out of date.".to_owned();
            if !entries.is_empty() {
                head.push_str(" memory_task reads an earlier task in full.");
            }
            let about = entries.iter().map(|(ended, _)| noted(ended)).collect();
            add(journal, &format!("{head}\n{}", lines.join("\n")), true, about);
        }
    }

    /// Returns the entries of the earlier tasks of the folder that the planner does not know: those of the recalled
    /// memories first, then the newest.
    fn entries(
        &self,
        core: &Core,
        spec: &TaskSpec,
        machine: &Machine,
        found: &[Recollection],
    ) -> Vec<(EndedTask, String)> {
        let mut ended = core.store.ended_in(&spec.workspace, TASKS).unwrap_or_else(|error| {
            tracing::warn!("earlier tasks cannot be read, the plan goes without: {error}");
            Vec::new()
        });
        ended.retain(|ended| {
            let id = &ended.task.id;
            *id != spec.id && !self.conversation.contains(id) && !machine.noted_tasks().contains_key(id)
        });
        let rank = |id: &TaskId| found.iter().position(|note| note.task == *id).unwrap_or(usize::MAX);
        // The order of equal ranks stays: the newest first.
        ended.sort_by_key(|ended| rank(&ended.task.id));
        let lines = ended.into_iter().filter_map(|ended| entry::line(&ended).map(|line| (ended, line)));
        lines.collect()
    }

    /// Corrects notes about earlier tasks that were undone or redone since.
    fn correct(&self, core: &Core, journal: &mut TaskJournal) {
        let noted = journal.machine().noted_tasks();
        let of_conversation = self.conversation.iter().filter(|task| !noted.contains_key(*task));
        let all = of_conversation.map(|task| (task.clone(), false));
        let all: Vec<(TaskId, bool)> =
            all.chain(noted.iter().map(|(task, undone)| (task.clone(), *undone))).collect();
        for (task, undone) in all {
            let Some(now) = core.store.task(&task).ok().flatten() else { continue };
            let is_undone = matches!(&now.state, TaskState::Stopped(stopped) if stopped.undone);
            if is_undone != undone {
                // Without what the user made Deputy forget.
                let goal = core.store.ended(&task).ok().flatten().and_then(|ended| ended.goal);
                let goal = goal.map(|goal| format!(" ({})", one_line(&goal, NOTE_CHARS))).unwrap_or_default();
                let text = match is_undone {
                    true => format!("The user has undone everything that task {task} changed{goal}."),
                    false => format!("The user has redone what task {task} changed{goal}."),
                };
                add(journal, &text, false, vec![NotedTask { task, undone: is_undone }]);
            }
        }
    }

    /// Adds notes for what the user said since, or for a new topic.
    async fn take_later(&mut self, core: &Arc<Core>, journal: &mut TaskJournal) {
        let iteration = journal.machine().iteration();
        let text = if !self.heard.is_empty() {
            std::mem::take(&mut self.heard).join("\n")
        } else if iteration >= self.looked_at + PLANS_BETWEEN
            && let Some(text) = last_plan(journal.machine()).filter(|text| self.is_new(text))
        {
            text
        } else {
            return;
        };
        let spec = journal.machine().spec().clone();
        let mut found = self.recalled(core, journal.machine(), &text).await;
        found.retain(|note| {
            note.found_by.contains(&Ranking::FullText)
                || note.similarity.is_some_and(|near| near >= NEAR_ENOUGH)
        });
        let mut entries = self.entries(core, &spec, journal.machine(), &found);
        entries.retain(|(ended, _)| found.iter().any(|note| note.task == ended.task.id));
        let (mut left, mut lines, mut about) = (LATER_CHARS, Vec::new(), Vec::new());
        for note in &found {
            let (line, of_task) = match &note.document {
                Some(_) => (document_line(note), None),
                None if Kept::from(note).holds_in(&spec) => (Some(Kept::from(note).line(&spec)), None),
                None => {
                    let at = entries.iter().position(|(ended, _)| ended.task.id == note.task);
                    let entry = at.map(|at| entries.remove(at));
                    entry.map_or((None, None), |(ended, line)| (Some(line), Some(noted(&ended))))
                }
            };
            if let Some(line) = line.filter(|line| lines.len() < LATER && fits(line, &mut left)) {
                self.given.insert(note.memory);
                about.extend(of_task);
                lines.push(line);
            }
        }
        if !lines.is_empty() {
            let head = "More notes from earlier tasks, for what was just said.";
            add(journal, &format!("{head}\n{}", lines.join("\n")), false, about);
        }
    }

    /// Recalls memories of other tasks for a text, without those that this task was already given.
    async fn recalled(&mut self, core: &Arc<Core>, machine: &Machine, text: &str) -> Vec<Recollection> {
        self.asked.extend(words(text));
        self.looked_at = machine.iteration();
        let spec = machine.spec();
        let budget_chars = FIRST * NOTE_CHARS;
        let bounds = RecallBounds { limit: FIRST, budget_chars, most_chars_each: NOTE_CHARS };
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
}

/// Adds a note to the conversation.
fn add(journal: &mut TaskJournal, text: &str, at_start: bool, about: Vec<NotedTask>) {
    journal.emit(TaskEvent::Noted(Noted { text: marked("memory", text), at_start, about }));
}

/// Returns whether a line fits, and takes its length off.
fn fits(line: &str, left: &mut usize) -> bool {
    let chars = line.chars().count() + 1;
    let fits = chars <= *left;
    *left -= if fits { chars } else { 0 };
    fits
}

/// Returns the earlier tasks of the conversation.
fn conversation(core: &Core, spec: &TaskSpec) -> Vec<TaskId> {
    super::earlier::tasks(core, spec).into_iter().map(|task| task.id).collect()
}

fn noted(ended: &EndedTask) -> NotedTask {
    let undone = matches!(&ended.task.state, TaskState::Stopped(stopped) if stopped.undone);
    NotedTask { task: ended.task.id.clone(), undone }
}

/// Returns the newest facts and preferences for the folder of a task.
fn newest_kept(core: &Core, spec: &TaskSpec) -> Vec<(u64, String)> {
    let query = MemoriesQuery {
        search: None,
        task: None,
        workspace: None,
        only_kept: true,
        best: false,
        before: None,
        limit: 100,
    };
    let (Ok(page), Ok(relatives)) = (core.store.memories(&query), relatives(core, spec)) else {
        return Vec::new();
    };
    let is_of_others = |memory: &Memory| memory.task != spec.id && !relatives.contains(&memory.task);
    let kept = page.memories.iter().filter(|memory| !memory.is_replaced && is_of_others(memory));
    let kept = kept.map(|memory| (memory.memory, Kept::from(memory)));
    kept.filter(|(_, kept)| kept.holds_in(spec)).map(|(memory, kept)| (memory, kept.line(spec))).collect()
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

/// A memory that gets its own line in the notes.
struct Kept<'a> {
    origin: MemoryOrigin,
    kind: MemoryKind,
    /// The folder that it comes from. Empty if it was stored by hand.
    workspace: &'a str,
    is_promoted: bool,
    text: &'a str,
}

impl<'a> From<&'a Recollection> for Kept<'a> {
    fn from(note: &'a Recollection) -> Self {
        let Recollection { origin, kind, workspace, is_promoted, text, .. } = note;
        Self { origin: *origin, kind: *kind, workspace, is_promoted: *is_promoted, text }
    }
}

impl<'a> From<&'a Memory> for Kept<'a> {
    fn from(memory: &'a Memory) -> Self {
        let Memory { origin, kind, workspace, promoted_at_ms, text, .. } = memory;
        Self { origin: *origin, kind: *kind, workspace, is_promoted: promoted_at_ms.is_some(), text }
    }
}

impl Kept<'_> {
    /// Returns whether it applies in the folder of a task. A text that nobody asked to remember does not: the entry of its
    /// task covers it.
    fn holds_in(&self, spec: &TaskSpec) -> bool {
        let is_here = self.workspace.is_empty() || self.workspace == spec.workspace;
        match self.kind {
            _ if self.is_promoted => true,
            MemoryKind::Said => false,
            MemoryKind::Fact => is_here,
            MemoryKind::Preference => is_here || self.origin == MemoryOrigin::Person,
        }
    }

    /// Formats it as a line, with its origin.
    fn line(&self, spec: &TaskSpec) -> String {
        let place = match self.workspace {
            "" => String::new(),
            folder if folder == spec.workspace => " in this folder".to_owned(),
            folder => format!(" in {}", one_line(folder, NOTE_CHARS)),
        };
        let promoted = if self.is_promoted { ", kept for all folders by the user" } else { "" };
        let who = origin_in_words(self.origin, self.kind);
        format!("- [{who}{place}{promoted}] {}", one_line(self.text, NOTE_CHARS))
    }
}

/// Formats a passage of a document as a line, with its place.
fn document_line(note: &Recollection) -> Option<String> {
    let document = note.document.as_ref()?;
    let from = one_line(&passage_in_words(&document.path), NOTE_CHARS);
    Some(format!("- [{from}] {}", one_line(&note.text, LONGEST_PASSAGE_CHARS)))
}

/// Encloses a text in data markers. The marker is random, so a text of an earlier task cannot contain it and end the
/// data early.
pub(super) fn marked(from: &str, content: &str) -> String {
    let mark = crate::ids::fresh('m');
    format!("<<data {mark} from {from}>>\n{content}\n<<end {mark}>>")
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
