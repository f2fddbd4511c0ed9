//! What the desktop's own screen asks of a host alongside its tasks: choices, settings, keys, checks, rules, usage.

use crate::{BackendForm, ErrorBody, Limits, Phrase, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// What a new task may be given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChoicesQuery {}

/// What a new task may be given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChoicesAnswer {
    /// As the host has it now.
    pub choices: Choices,
}

/// What a new task may be given, and what it gets when it names nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Choices {
    /// The backend of tasks that name none.
    pub backend: String,
    /// The profile of tasks that name none.
    pub profile: String,
    /// All backends: the shipped ones, then the user's own.
    pub backends: Vec<BackendChoice>,
    /// All profiles: the shipped ones, then the user's own.
    pub profiles: Vec<ProfileChoice>,
    /// Limits as configured; a profile may narrow them.
    pub limits: Limits,
    /// Folders of the user's that are there and that people keep their files in.
    pub folders: Vec<String>,
}

/// A backend that a task may name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackendChoice {
    /// Its name.
    pub name: String,
    /// The configured model, where there is one.
    #[serde(default)]
    pub model: Option<String>,
    /// What is missing before it can be asked; a key in the keyring is not looked for.
    #[serde(default)]
    pub problem: Option<ErrorBody>,
}

/// A profile that a task may name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProfileChoice {
    /// Its name.
    pub name: String,
    /// One line for lists; empty where its file cannot be read.
    pub description: Phrase,
}

/// The settings; for local clients only, as all that follows but the choices.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SettingsQuery {}

/// The settings of a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Settings {
    /// The file they are in.
    pub path: String,
    /// As the host has them now.
    pub choices: Choices,
    /// What is known of each backend, in the order of the choices.
    pub backends: Vec<BackendSettings>,
    /// Tasks that work at the same time.
    pub max_concurrent_tasks: u32,
    /// How the user is notified that something is waiting.
    pub notify: NotifyChannels,
    /// Web search.
    pub search: WebSearchSettings,
    /// Settings that were changed and hold from the next start on.
    pub after_restart: Vec<String>,
}

/// What is known of a backend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackendSettings {
    /// Its name.
    pub name: String,
    /// Whether it came with Deputy; the others are files of the user's own.
    pub shipped: bool,
    /// What its file declares; absent where it declares nothing.
    #[serde(default)]
    pub form: Option<BackendForm>,
    /// What is set of the settings that a screen may change, by their names.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    /// Address of its server.
    #[serde(default)]
    pub base_url: Option<String>,
    /// Its model.
    #[serde(default)]
    pub model: Option<String>,
    /// Where its key is looked for; absent where none is expected.
    #[serde(default)]
    pub key: Option<KeyPlace>,
}

/// Where a key is looked for. The key itself never goes to a screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeyPlace {
    /// What kind of place.
    pub kind: KeyPlaceKind,
    /// The variable's or the keyring entry's name.
    pub name: String,
}

/// A kind of place for a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyPlaceKind {
    /// A variable of the environment that the host was started in.
    Variable,
    /// The desktop's keyring.
    Keyring,
}

/// How the user is notified that something is waiting.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotifyChannels {
    /// Local hours in which nobody is disturbed, e.g. `22:00-07:00`.
    #[serde(default)]
    pub quiet: Option<String>,
    /// A command that gets each notice; changed in the file alone, since it runs as the user.
    pub command: Vec<String>,
    /// Address of a topic of a relay.
    #[serde(default)]
    pub ntfy: Option<String>,
}

/// Change settings: all of them or, where one is not valid, none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeSettingsCommand {
    /// The changes.
    pub changes: Vec<SettingChange>,
}

/// One setting, by its key in the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SettingChange {
    /// E.g. `limits.max_iterations`.
    pub key: String,
    /// Its value as text; absent takes the setting out, so that the default holds.
    #[serde(default)]
    pub value: Option<String>,
}

/// Put a backend's key into the desktop's keyring, or take it out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SetKeyCommand {
    /// The backend.
    pub backend: String,
    /// The key; absent takes it out.
    #[serde(default)]
    pub key: Option<Secret>,
}

/// A text that is shown to nobody and is in no log.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Ask a backend's provider, now, which models it has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckBackendQuery {
    /// The backend.
    pub backend: String,
}

/// What came of asking a backend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackendCheck {
    /// The backend.
    pub backend: String,
    /// Why it cannot be used, if so.
    #[serde(default)]
    pub problem: Option<ErrorBody>,
    /// The models that it offers.
    pub models: Vec<String>,
    /// How long it took to answer.
    pub took_ms: u64,
}

/// Web search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WebSearchSettings {
    /// The provider that is asked; absent where none is set.
    #[serde(default)]
    pub provider: Option<String>,
    /// Where it is, if not at its own address.
    #[serde(default)]
    pub address: Option<String>,
    /// All providers: the shipped ones, then the user's own.
    pub providers: Vec<SearchChoice>,
}

/// A search provider that can be set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchChoice {
    /// Its name.
    pub name: String,
    /// As people call it.
    pub label: String,
    /// Its own address; one without needs to be given one.
    #[serde(default)]
    pub address: Option<String>,
    /// Whether it needs a key.
    pub takes_key: bool,
    /// Whether it came with Deputy; the others are files of the user's own.
    pub shipped: bool,
    /// Where its key is looked for; absent where none is expected or nothing names one.
    #[serde(default)]
    pub key: Option<KeyPlace>,
    /// What is missing before it can be asked; a key in the keyring is not looked for.
    #[serde(default)]
    pub problem: Option<Phrase>,
}

/// Put a search provider's key into the desktop's keyring, or take it out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SetSearchKeyCommand {
    /// The provider.
    pub provider: String,
    /// The key; absent takes it out.
    #[serde(default)]
    pub key: Option<Secret>,
}

/// Search the web once, now, with the provider that is set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckSearchQuery {}

/// What came of searching once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchCheck {
    /// The provider; empty where none is set.
    pub provider: String,
    /// Why it cannot be used, if so.
    #[serde(default)]
    pub problem: Option<ErrorBody>,
    /// Results that it gave.
    pub results: u32,
    /// How long it took to answer.
    pub took_ms: u64,
}

/// Look for model servers on this machine: the host asks the usual loopback ports.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FindServersQuery {}

/// Model servers on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LocalServers {
    /// Those that answered.
    pub servers: Vec<LocalServer>,
}

/// A model server on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LocalServer {
    /// What usually listens there, e.g. `Ollama`.
    pub name: String,
    /// The backend that speaks to it.
    #[serde(default)]
    pub backend: String,
    /// What to set as `base_url`.
    pub base_url: String,
    /// The models that it offers.
    pub models: Vec<String>,
}

/// Look at everything that a host needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DoctorQuery {}

/// What was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DoctorAnswer {
    /// In the order of looking.
    pub findings: Vec<Finding>,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// What.
    pub name: String,
    /// Whether it is well.
    pub ok: bool,
    /// What was found and, where it is not well, what to do.
    pub message: Phrase,
}

/// What would be decided on a shell text, and why. Nothing is run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExplainQuery {
    /// The text.
    pub command: String,
    /// The folder that a task would work in.
    pub workspace: String,
}

/// What would be decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Explanation {
    /// The decision, its reasons and its parts. Grants that hold in the folder are counted in.
    pub verdict: Verdict,
}
