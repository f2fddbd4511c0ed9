//! `memory`: finds what earlier tasks said and what was remembered, and remembers more.
//!
//! What a model remembers is limited to the task's folder and marked as the model's. Remembering something for every
//! folder, and forgetting, require a person's approval each time, because the text does not say who wrote it.

use crate::parameters::actions;
use crate::text::{Lines, failed, one_line};
use crate::tool::{CallContext, InvalidCall, Place, TypedTool};
use async_trait::async_trait;
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_protocol::{Access, CallId, Effect, Facts, MemoryAccess, MemoryDeed, Risk, ToolResult};
use schemars::JsonSchema;
use serde::Deserialize;

/// The maximum length of a memory, in characters.
const LONGEST_CHARS: usize = 2_000;
const LONGEST_SUBJECT_CHARS: usize = 80;
/// The default number of memories shown, and the maximum.
const USUAL: u32 = 10;
const MOST: u32 = 50;
/// The maximum length of the notes that a task keeps for itself, in characters.
const LONGEST_SCRATCHPAD_CHARS: usize = 8_000;
/// The maximum length of a memory in a result, in characters.
const SHOWN_CHARS: usize = 600;

/// A memory as shown to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownMemory {
    /// Its number.
    pub memory: u64,
    /// Its author, place and time, as text.
    pub from: String,
    /// The text.
    pub text: String,
}

/// Something to remember.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMemory {
    /// The text.
    pub text: String,
    /// The subject, if it is a preference.
    pub about: Option<String>,
    /// Whether a person agreed that tasks in every folder may receive it.
    pub is_promoted: bool,
}

/// Why memories could not be used. The text is for the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// There is no memory here.
    None,
    /// The memory is unknown, was forgotten, or belongs to another folder.
    Unknown {
        /// Its number.
        memory: u64,
    },
    /// There is no earlier task of this folder with this id that has ended.
    UnknownTask {
        /// Its id.
        task: String,
    },
    /// The text of the memory differs from the text in the call.
    Different {
        /// Its number.
        memory: u64,
    },
    /// The store failed.
    Failed {
        /// The reason.
        reason: Phrase,
    },
}

impl MemoryError {
    /// Returns the message for people.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::None => say::no_memory_here(),
            Self::Unknown { memory } => say::unknown_memory(memory),
            Self::UnknownTask { task } => say::unknown_earlier_task(one_line(task, SHOWN_CHARS)),
            Self::Different { memory } => say::different_memory(memory),
            Self::Failed { reason } => say::memory_failed(reason),
        }
    }
}

deputy_messages::said_by_phrase!(MemoryError);

/// The memories that a task may use, for the tool.
#[async_trait]
pub trait Memories: Send + Sync {
    /// Finds the memories that are relevant to a text, best first.
    async fn recall(&self, text: &str, limit: usize) -> Result<Vec<KnownMemory>, MemoryError>;

    /// Returns what was explicitly remembered, newest first.
    fn list(&self, limit: usize) -> Result<Vec<KnownMemory>, MemoryError>;

    /// Remembers something and returns its number.
    async fn remember(&self, call: &CallId, new: NewMemory) -> Result<u64, MemoryError>;

    /// Finds a memory that the task may see.
    fn find(&self, memory: u64) -> Result<KnownMemory, MemoryError>;

    /// Forgets a memory and all others with exactly the same text. Returns how many were forgotten.
    async fn forget(&self, memory: u64) -> Result<u64, MemoryError>;

    /// Returns the task's own notes. Empty if it has none.
    fn scratchpad(&self) -> Result<String, MemoryError>;

    /// Replaces the task's own notes.
    async fn note(&self, text: &str) -> Result<(), MemoryError>;

    /// Returns everything that is known of an earlier task of the folder.
    fn task(&self, id: &str) -> Result<String, MemoryError>;
}

/// The [`Memories`] of a tool that runs outside of a task: nothing is remembered.
pub struct NoMemories;

#[async_trait]
impl Memories for NoMemories {
    async fn recall(&self, _: &str, _: usize) -> Result<Vec<KnownMemory>, MemoryError> {
        Err(MemoryError::None)
    }

    fn list(&self, _: usize) -> Result<Vec<KnownMemory>, MemoryError> {
        Err(MemoryError::None)
    }

    async fn remember(&self, _: &CallId, _: NewMemory) -> Result<u64, MemoryError> {
        Err(MemoryError::None)
    }

    fn find(&self, memory: u64) -> Result<KnownMemory, MemoryError> {
        Err(MemoryError::Unknown { memory })
    }

    async fn forget(&self, _: u64) -> Result<u64, MemoryError> {
        Err(MemoryError::None)
    }

    fn scratchpad(&self) -> Result<String, MemoryError> {
        Err(MemoryError::None)
    }

    async fn note(&self, _: &str) -> Result<(), MemoryError> {
        Err(MemoryError::None)
    }

    fn task(&self, id: &str) -> Result<String, MemoryError> {
        Err(MemoryError::UnknownTask { task: id.to_owned() })
    }
}

/// The tool that uses memories.
pub(crate) struct Memory;

/// Parameters of `remember`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RememberParameters {
    /// What to remember, in one sentence.
    text: String,
    /// For a preference: its subject in a word or two.
    #[serde(default)]
    about: Option<String>,
    /// Use it in every folder, not only in this one; the user is asked.
    #[serde(default)]
    everywhere: bool,
}

/// Parameters of `recall`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecallParameters {
    /// What to look for, in words.
    query: String,
    /// Maximum number of memories, up to 50. Default: 10.
    #[serde(default)]
    limit: Option<u32>,
}

/// Parameters of `list`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListParameters {
    /// Maximum number of memories, up to 50. Default: 10.
    #[serde(default)]
    limit: Option<u32>,
}

/// Parameters of `forget`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ForgetParameters {
    /// Number of the memory, from memory_list or memory_recall.
    memory: u64,
    /// The text of that memory, exactly as shown.
    text: String,
}

/// Parameters of `task`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TaskParameters {
    /// Id of an earlier task in this folder.
    task: String,
}

/// Parameters of `scratchpad`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScratchpadParameters {
    /// All of the new notes, replacing the old ones. Without it: read the notes.
    #[serde(default)]
    text: Option<String>,
}

actions! {
    /// The actions on memories.
    pub(crate) enum MemoryParameters {
        "recall" => Recall(RecallParameters),
        "list" => List(ListParameters),
        "remember" => Remember(RememberParameters),
        "forget" => Forget(ForgetParameters),
        "scratchpad" => Scratchpad(ScratchpadParameters),
        "task" => Task(TaskParameters),
    }
}

impl TypedTool for Memory {
    const NAME: &'static str = "memory";
    type Parameters = MemoryParameters;

    fn facts(&self, call: &MemoryParameters, _: &Place) -> Result<Facts, InvalidCall> {
        let (does, text, summary) = match call {
            MemoryParameters::Recall(recall) => {
                let text = checked("query", &recall.query, LONGEST_CHARS)?;
                (MemoryDeed::Look, text, say::recall(one_line(text, SHOWN_CHARS)))
            }
            MemoryParameters::List(_) => (MemoryDeed::Look, "", say::list_memories()),
            MemoryParameters::Task(TaskParameters { task }) => {
                let task = checked("task", task, LONGEST_SUBJECT_CHARS)?;
                (MemoryDeed::Look, task, say::read_earlier_task(one_line(task, LONGEST_SUBJECT_CHARS)))
            }
            MemoryParameters::Remember(new) => {
                let text = checked("text", &new.text, LONGEST_CHARS)?;
                let about = match &new.about {
                    Some(about) => Some(checked("about", about, LONGEST_SUBJECT_CHARS)?),
                    None => None,
                };
                let does = if new.everywhere { MemoryDeed::KeepEverywhere } else { MemoryDeed::KeepHere };
                let said = one_line(text, LONGEST_CHARS);
                let about = about.map(|about| one_line(about, LONGEST_SUBJECT_CHARS));
                let summary = match (new.everywhere, about) {
                    (true, None) => say::remember_everywhere(said),
                    (false, None) => say::remember_here(said),
                    (true, Some(about)) => say::remember_everywhere_about(about, said),
                    (false, Some(about)) => say::remember_here_about(about, said),
                };
                (does, text, summary)
            }
            MemoryParameters::Forget(forget) => {
                let text = checked("text", &forget.text, LONGEST_CHARS)?;
                let summary = say::forget(forget.memory, one_line(text, LONGEST_CHARS));
                (MemoryDeed::Forget, text, summary)
            }
            MemoryParameters::Scratchpad(ScratchpadParameters { text: None }) => {
                (MemoryDeed::Scratchpad, "", say::read_scratchpad())
            }
            MemoryParameters::Scratchpad(ScratchpadParameters { text: Some(text) }) => {
                let text = checked("text", text, LONGEST_SCRATCHPAD_CHARS)?;
                let summary = say::note(one_line(text, SHOWN_CHARS));
                (MemoryDeed::Scratchpad, text, summary)
            }
        };
        let effect = match does {
            MemoryDeed::Look => Effect::ReadOnly,
            MemoryDeed::Scratchpad if text.is_empty() => Effect::ReadOnly,
            // Remembering the same text twice stores it once.
            MemoryDeed::KeepHere
            | MemoryDeed::KeepEverywhere
            | MemoryDeed::Forget
            | MemoryDeed::Scratchpad => Effect::Idempotent,
        };
        let accesses = vec![Access::Memory(MemoryAccess { does, text: text.to_owned() })];
        Ok(Facts { effect, accesses, summary, diff: None, plan: None, risk: Risk::Low })
    }

    async fn run(&self, call: MemoryParameters, cx: &CallContext) -> ToolResult {
        let (found, nothing) = match call {
            MemoryParameters::Recall(recall) => {
                (cx.memories.recall(&recall.query, limit(recall.limit)).await, say::nothing_known())
            }
            MemoryParameters::List(list) => (cx.memories.list(limit(list.limit)), say::nothing_remembered()),
            MemoryParameters::Remember(new) => return remember(new, cx).await,
            MemoryParameters::Forget(forget) => return forgotten(&forget, cx).await,
            MemoryParameters::Scratchpad(scratchpad) => return noted(scratchpad, cx).await,
            MemoryParameters::Task(TaskParameters { task }) => return earlier_task(task.trim(), cx),
        };
        let found = match found {
            Ok(found) => found,
            Err(error) => return failed(error),
        };
        let mut lines = Lines::new(cx.output_chars);
        for memory in &found {
            let text = one_line(&memory.text, SHOWN_CHARS);
            lines.push(&format!("{} [{}] {text}", memory.memory, memory.from));
        }
        lines.finish(if found.is_empty() { nothing } else { say::memories(found.len()) })
    }
}

/// Checks a text of a call and trims it.
fn checked<'a>(name: &str, text: &'a str, most: usize) -> Result<&'a str, InvalidCall> {
    let text = text.trim();
    let chars = text.chars().count();
    if text.is_empty() || text.contains('\0') {
        return Err(InvalidCall::parameter(Memory::NAME, name, say::expected_words()));
    }
    if chars > most {
        return Err(InvalidCall::parameter(Memory::NAME, name, say::too_many_characters(chars, most)));
    }
    Ok(text)
}

fn limit(asked: Option<u32>) -> usize {
    asked.unwrap_or(USUAL).clamp(1, MOST) as usize
}

async fn remember(new: RememberParameters, cx: &CallContext) -> ToolResult {
    let RememberParameters { text, about, everywhere } = new;
    let about = about.map(|about| about.trim().to_owned());
    let new = NewMemory { text: text.trim().to_owned(), about, is_promoted: everywhere };
    match cx.memories.remember(&cx.call, new).await {
        Ok(memory) => {
            let summary = match everywhere {
                true => say::remembered_everywhere(memory),
                false => say::remembered_here(memory),
            };
            Lines::new(cx.output_chars).finish(summary)
        }
        Err(error) => failed(error),
    }
}

fn earlier_task(task: &str, cx: &CallContext) -> ToolResult {
    match cx.memories.task(task) {
        Ok(text) => {
            let mut lines = Lines::new(cx.output_chars);
            text.lines().for_each(|line| lines.push(line));
            lines.finish(say::earlier_task(one_line(task, LONGEST_SUBJECT_CHARS)))
        }
        Err(error) => failed(error),
    }
}

async fn noted(scratchpad: ScratchpadParameters, cx: &CallContext) -> ToolResult {
    let mut lines = Lines::new(cx.output_chars);
    match scratchpad.text {
        Some(text) => match cx.memories.note(&text).await {
            Ok(()) => lines.finish(say::noted()),
            Err(error) => failed(error),
        },
        None => match cx.memories.scratchpad() {
            Ok(text) if text.is_empty() => lines.finish(say::scratchpad_empty()),
            Ok(text) => {
                text.lines().for_each(|line| lines.push(line));
                lines.finish(say::scratchpad())
            }
            Err(error) => failed(error),
        },
    }
}

/// Returns whether `text` is the memory as the model was shown it: the whole, or its beginning and end.
fn is_shown_as(memory: &str, text: &str) -> bool {
    memory.trim() == text || one_line(memory, SHOWN_CHARS) == text
}

async fn forgotten(forget: &ForgetParameters, cx: &CallContext) -> ToolResult {
    let memory = forget.memory;
    // The person agreed to the text in the call, so the memory must have that text.
    let done = match cx.memories.find(memory) {
        Ok(known) if is_shown_as(&known.text, forget.text.trim()) => cx.memories.forget(memory).await,
        Ok(_) => Err(MemoryError::Different { memory }),
        Err(error) => Err(error),
    };
    match done {
        Ok(_) => Lines::new(cx.output_chars).finish(say::forgot(memory)),
        Err(error) => failed(error),
    }
}
