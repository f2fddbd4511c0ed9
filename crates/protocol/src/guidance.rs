//! The user's guidance from files: `AGENTS.md` and skills in folders that the user trusts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Folders with guidance files were found that the user has not decided on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GuidanceFound {
    /// The folders.
    pub folders: Vec<GuidanceFolder>,
}

/// A folder with guidance files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GuidanceFolder {
    /// The real path of the folder.
    pub folder: String,
    /// The guidance files in the folder: `AGENTS.md`, and skills by name.
    pub files: Vec<String>,
}

/// The user's guidance that the planner is given, as it was when the task started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Guided {
    /// The texts, most general first.
    pub texts: Vec<GuidanceText>,
    /// The skills that the planner may ask for.
    #[serde(default)]
    pub skills: Vec<Skill>,
}

/// The text of a guidance file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GuidanceText {
    /// The path of the file.
    pub path: String,
    /// The content of the file.
    pub text: String,
}

/// A skill. Every request to the model includes its description; its text is only included after the planner asks for
/// it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Skill {
    /// The name of the skill.
    pub name: String,
    /// What the skill is for.
    pub description: String,
    /// The path of its `SKILL.md`.
    pub path: String,
}
