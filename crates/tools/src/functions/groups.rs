//! Groups of functions. A task begins with the groups that it likely needs; a model opens the others with `open_tools`.

use super::Function;
use crate::parameters::one_action;
use crate::text::failed;
use crate::tool::{CallContext, InvalidCall, Place, TypedTool};
use deputy_messages::tools as say;
use deputy_messages::{Phrase, tools};
use deputy_protocol::{Access, CallStatus, Effect, Facts, OwnAccess, Risk, ToolResult};
use schemars::JsonSchema;
use serde::Deserialize;

/// The name of the tool that opens groups.
pub const OPEN_TOOLS: &str = "open_tools";

/// A group of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Reading, searching and changing files.
    Files,
    /// Commands.
    Shell,
    /// Commands that keep running.
    Background,
    /// Searching and reading the web.
    Web,
    /// What earlier tasks know.
    Memory,
    /// Managing what is known.
    Remembered,
    /// The to-do list.
    Todo,
    /// The user's skills. Offered if there are any.
    Skills,
    /// Further ways to look at files and folders.
    Look,
    /// Plans for tidying folders.
    Organize,
    /// Archives.
    Archive,
    /// Tables.
    Table,
    /// Documents and pictures.
    Documents,
    /// The browser.
    Browser,
    /// Sub-tasks.
    Subtasks,
    /// Questions about many texts.
    Texts,
    /// Opening groups. Offered if there is a group to open.
    Groups,
}

impl Group {
    /// The groups of a task that works in a repository.
    pub const OF_REPOSITORY: &[Self] =
        &[Self::Files, Self::Shell, Self::Background, Self::Web, Self::Memory, Self::Todo];

    /// The groups of a sub-task.
    pub const OF_SUBTASK: &[Self] = &[Self::Files, Self::Shell];

    /// The groups of a task that works in any other folder.
    pub const OF_FOLDER: &[Self] = &[
        Self::Files,
        Self::Shell,
        Self::Background,
        Self::Web,
        Self::Memory,
        Self::Todo,
        Self::Organize,
        Self::Archive,
        Self::Table,
        Self::Documents,
    ];

    /// All groups, with their names and what their functions are for.
    #[rustfmt::skip]
    const ALL: &[(Self, &str, &str)] = &[
        (Self::Files, "files", "Read, search and change files."),
        (Self::Shell, "shell", "Run commands."),
        (Self::Background, "background", "Start commands that keep running, such as a server, and read their output."),
        (Self::Web, "web", "Search the web and read pages."),
        (Self::Memory, "memory", "Recall what earlier tasks learned, and remember more."),
        (Self::Remembered, "remembered", "List or forget memories, read an earlier task in full, keep notes for this task."),
        (Self::Todo, "todo", "Keep a to-do list that the user sees."),
        (Self::Skills, "skills", "Read the user's skills."),
        (Self::Look, "look", "List a tree, create a folder, read the end of a file, count lines, compare two folders."),
        (Self::Organize, "organize", "Tidy folders, or move, rename and trash many files, by one plan that the user approves and can undo."),
        (Self::Archive, "archive", "List, create and extract ZIP and tar archives."),
        (Self::Table, "table", "Filter, sort, group and sum the rows of a CSV file."),
        (Self::Documents, "documents", "Get facts about documents and pictures, find duplicates, see what takes the space, tag files."),
        (Self::Browser, "browser", "Use a real browser for pages that need clicks, forms or scripts."),
        (Self::Subtasks, "subtasks", "Hand independent parts of a large task to sub-tasks."),
        (Self::Texts, "texts", "Ask a model the same about many texts, or rank them by meaning."),
        (Self::Groups, "groups", "Open further groups."),
    ];

    /// Returns its name in the journal and for models.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Returns what its functions are for, as a sentence for models.
    pub fn says(self) -> &'static str {
        self.row().2
    }

    /// Returns the group with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, one, _)| *one == name).map(|(group, ..)| *group)
    }

    /// Returns whether a model opens it. The others are offered by what a task has.
    pub(crate) fn can_be_opened(self) -> bool {
        !matches!(self, Self::Groups | Self::Skills)
    }

    fn row(self) -> &'static (Self, &'static str, &'static str) {
        // Every group is in the table, in the order of the enum (a test checks it).
        &Self::ALL[self as usize]
    }
}

/// Returns the groups that a task can open, with the text of their functions.
pub trait OpensGroups: Send + Sync {
    /// Returns the text of a group's functions.
    ///
    /// # Errors
    ///
    /// A sentence for the model if there is no such group.
    fn open(&self, group: &str) -> Result<String, Phrase>;
}

/// The [`OpensGroups`] of a tool that runs outside of a task: there are no groups.
pub struct NoGroups;

impl OpensGroups for NoGroups {
    fn open(&self, group: &str) -> Result<String, Phrase> {
        Err(say::unknown_group(String::new(), group))
    }
}

/// Returns what a model reads about the functions of a group that it has opened.
pub(crate) fn text_of<'a>(functions: impl Iterator<Item = &'a Function>) -> String {
    let lines = functions.map(|function| format!("{}: {}", function.signature(), function.description));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the description of `open_tools`: a line for each group.
pub(crate) fn opening(groups: &[Group]) -> String {
    let lines = groups.iter().map(|group| format!("{}: {}", group.name(), group.says()));
    format!(
        "Opens a group of further functions, which you can call from then on.\n{}",
        lines.collect::<Vec<_>>().join("\n")
    )
}

/// The tool that opens groups.
pub(crate) struct OpenTools;

/// Parameters of `open_tools`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpenCall {
    group: String,
}

one_action!(OpenCall);

impl TypedTool for OpenTools {
    const NAME: &'static str = OPEN_TOOLS;
    type Parameters = OpenCall;

    fn facts(&self, call: &OpenCall, _: &Place) -> Result<Facts, InvalidCall> {
        let group = crate::text::one_line(&call.group, 40);
        Ok(Facts {
            effect: Effect::ReadOnly,
            accesses: vec![Access::Own(OwnAccess { what: format!("functions {group}") })],
            summary: tools::open_group(group),
            diff: None,
            plan: None,
            risk: Risk::Low,
        })
    }

    async fn run(&self, call: OpenCall, cx: &CallContext) -> ToolResult {
        match cx.groups.open(&call.group) {
            Ok(text) => ToolResult {
                summary: tools::opened_group(crate::text::one_line(&call.group, 40)),
                ..ToolResult::new(CallStatus::Ok, text)
            },
            Err(error) => failed(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_a_name_and_a_sentence() {
        for (at, (group, name, says)) in Group::ALL.iter().enumerate() {
            assert_eq!(*group as usize, at);
            assert_eq!(Group::named(name), Some(*group));
            assert!(says.ends_with('.'), "{says}");
        }
    }
}
