//! Files that a profile keeps for people: what tasks note down, what was said, and what is preferred.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProfileFileKind {
    /// `scratchpad.md`: what running tasks note down for themselves.
    Scratchpad,
    /// `conversation_history.json`: what was said in the last tasks.
    History,
    /// `learned_preferences.toml`: the preferences that hold.
    Preferences,
}

/// The files that profiles keep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProfileFilesQuery {}

/// Files, by profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProfileFilesAnswer {
    /// The files that there are.
    pub files: Vec<ProfileFile>,
}

/// A file of a profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProfileFile {
    /// The profile.
    pub profile: String,
    /// Which file it is.
    pub kind: ProfileFileKind,
    /// Its path.
    pub path: String,
    /// What it holds; empty where it cannot be read.
    pub text: String,
    /// Why changes in it cannot be taken up. It is left as it is until they can.
    #[serde(default)]
    pub problem: Option<String>,
}
