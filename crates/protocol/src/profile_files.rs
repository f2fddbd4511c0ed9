//! Profile files: each profile's scratchpad, conversation history and preferences, as files for people.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kind of a profile file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProfileFileKind {
    /// `scratchpad.md`: the notes of running tasks.
    Scratchpad,
    /// `conversation_history.json`: the conversations of the latest tasks.
    History,
    /// `learned_preferences.toml`: the current preferences.
    Preferences,
}

/// Asks for the files of all profiles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProfileFilesQuery {}

/// A list of profile files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProfileFilesAnswer {
    /// The files that exist, sorted by profile.
    pub files: Vec<ProfileFile>,
}

/// A file of a profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProfileFile {
    /// The name of the profile.
    pub profile: String,
    /// The kind of file.
    pub kind: ProfileFileKind,
    /// The path of the file.
    pub path: String,
    /// The content of the file. Empty if it cannot be read.
    pub text: String,
    /// Why changes in the file cannot be applied. Until then, Deputy does not write to the file. Absent if there is
    /// no problem.
    #[serde(default)]
    pub problem: Option<String>,
}
