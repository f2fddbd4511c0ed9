//! The browser of a task, as people see it and take it over.

use crate::TaskId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The browser of a task as it is now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BrowserQuery {
    /// The task.
    pub task: TaskId,
}

/// The browser of a task as it is now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BrowserAnswer {
    /// Who uses it.
    pub used_by: BrowserUser,
    /// The address of its page.
    #[serde(default)]
    pub url: Option<String>,
    /// Whether the host runs on a desktop, where a window can be opened.
    pub has_display: bool,
}

/// Who uses a browser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BrowserUser {
    /// None is open.
    #[default]
    Nobody,
    /// The task.
    Task,
    /// A person, in a window; the task's calls wait.
    Person,
}

/// Open a task's browser in a window on the host's desktop. The task's calls of it wait until it is returned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TakeBrowserCommand {
    /// The task.
    pub task: TaskId,
}

/// Close the window, and let the task continue with the same profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReturnBrowserCommand {
    /// The task.
    pub task: TaskId,
}
