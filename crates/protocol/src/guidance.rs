//! The user's guidance from files: `AGENTS.md` and skills, of folders that the user trusts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Folders with files of guidance were found that the user has not decided on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GuidanceFound {
    /// The folders.
    pub folders: Vec<GuidanceFolder>,
}

/// A folder with files of guidance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GuidanceFolder {
    /// Its real path.
    pub folder: String,
    /// What is there: `AGENTS.md`, and skills by their names.
    pub files: Vec<String>,
}

/// What the planner is given of the user's guidance, as it was when the task began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Guided {
    /// Texts, the most general first.
    pub texts: Vec<GuidanceText>,
    /// Skills that it may ask for.
    #[serde(default)]
    pub skills: Vec<Skill>,
}

/// A file of guidance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GuidanceText {
    /// Where it is from.
    pub path: String,
    /// What it says.
    pub text: String,
}

/// A skill: every request says what it is for; its text comes only once it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Skill {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Its `SKILL.md`.
    pub path: String,
}
