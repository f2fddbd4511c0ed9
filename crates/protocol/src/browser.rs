//! A task's browser, as shown to people and taken over by them.

use crate::TaskId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks for the current state of a task's browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BrowserQuery {
    /// The id of the task.
    pub task: TaskId,
}

/// The current state of a task's browser.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BrowserAnswer {
    /// Who is using the browser.
    pub used_by: BrowserUser,
    /// The address of the page that is open. Absent if there is none.
    #[serde(default)]
    pub url: Option<String>,
    /// Whether the host runs on a desktop, so that a window can be opened.
    pub has_display: bool,
}

/// Who is using a browser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BrowserUser {
    /// No browser is open.
    #[default]
    Nobody,
    /// The task is using the browser.
    Task,
    /// A person is using the browser in a window. The task's browser calls wait.
    Person,
}

/// Opens a task's browser in a window on the host's desktop. The task's browser calls wait until it is returned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TakeBrowserCommand {
    /// The id of the task.
    pub task: TaskId,
}

/// Closes the window of a task's browser. The task continues with the same browser profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReturnBrowserCommand {
    /// The id of the task.
    pub task: TaskId,
}
