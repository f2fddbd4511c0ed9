//! Queries and commands of the desktop's page beyond tasks: choices, settings, keys, checks and explanations.

use crate::{BackendForm, ErrorBody, Limits, Phrase, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Asks for the choices for a new task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChoicesQuery {}

/// The choices for a new task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChoicesAnswer {
    /// The host's current choices.
    pub choices: Choices,
}

/// The choices for a new task, and the defaults.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Choices {
    /// The backend of a task that does not name one.
    pub backend: String,
    /// The profile of a task that does not name one.
    pub profile: String,
    /// All backends: the built-in ones, then the user's own.
    pub backends: Vec<BackendChoice>,
    /// All profiles: the built-in ones, then the user's own.
    pub profiles: Vec<ProfileChoice>,
    /// The configured limits. A profile may lower them.
    pub limits: Limits,
    /// The existing folders in which people usually keep their files.
    pub folders: Vec<String>,
}

/// A backend that a task may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackendChoice {
    /// The name of the backend.
    pub name: String,
    /// The configured model. Absent if none is configured.
    #[serde(default)]
    pub model: Option<String>,
    /// What is missing before the backend can be used. The keyring is not searched for a key. Absent if nothing is
    /// known to be missing.
    #[serde(default)]
    pub problem: Option<ErrorBody>,
}

/// A profile that a task may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProfileChoice {
    /// The name of the profile.
    pub name: String,
    /// A description in one line, for lists. Empty if the profile's file cannot be read.
    pub description: Phrase,
}

/// Asks for the settings of the host. For local clients only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SettingsQuery {}

/// The settings of a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Settings {
    /// The path of the settings file.
    pub path: String,
    /// The host's current choices for new tasks.
    pub choices: Choices,
    /// The settings of each backend, in the order of the choices.
    pub backends: Vec<BackendSettings>,
    /// The maximum number of tasks that run at the same time.
    pub max_concurrent_tasks: u32,
    /// How the user is notified when something is waiting.
    pub notify: NotifyChannels,
    /// The settings of web search.
    pub search: WebSearchSettings,
    /// The names of changed settings that take effect after a restart.
    pub after_restart: Vec<String>,
}

/// The settings of a backend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackendSettings {
    /// The name of the backend.
    pub name: String,
    /// Whether the backend is built in. Otherwise it is a file of the user.
    pub shipped: bool,
    /// What the backend's file declares. Absent if it declares nothing.
    #[serde(default)]
    pub form: Option<BackendForm>,
    /// The values that are set, by the name of the setting. Only settings that a screen may change are included.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    /// The address of the backend's server. Absent if it is not set.
    #[serde(default)]
    pub base_url: Option<String>,
    /// The model of the backend. Absent if it is not set.
    #[serde(default)]
    pub model: Option<String>,
    /// Where the backend's key is looked up. Absent if no key is expected.
    #[serde(default)]
    pub key: Option<KeyPlace>,
}

/// The place where a key is looked up. The key itself is never sent to a screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeyPlace {
    /// The kind of place.
    pub kind: KeyPlaceKind,
    /// The name of the environment variable or the keyring entry.
    pub name: String,
}

/// A kind of place for a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyPlaceKind {
    /// An environment variable of the host's process.
    Variable,
    /// The desktop's keyring.
    Keyring,
}

/// How the user is notified when something is waiting.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotifyChannels {
    /// Local hours without notifications, e.g. `22:00-07:00`. Absent if there are none.
    #[serde(default)]
    pub quiet: Option<String>,
    /// A command that receives each notice. It can only be changed in the file, because it runs as the user.
    pub command: Vec<String>,
    /// The address of a topic on a relay. Absent if no relay is used.
    #[serde(default)]
    pub ntfy: Option<String>,
}

/// Changes settings: all of them, or none if one of the values is not valid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeSettingsCommand {
    /// The changes.
    pub changes: Vec<SettingChange>,
}

/// A change of one setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SettingChange {
    /// The key of the setting in the file, e.g. `limits.max_iterations`.
    pub key: String,
    /// The new value, as text. If absent, the setting is removed, so that the default applies.
    #[serde(default)]
    pub value: Option<String>,
}

/// Stores a backend's key in the desktop's keyring, or removes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SetKeyCommand {
    /// The name of the backend.
    pub backend: String,
    /// The key. If absent, the stored key is removed.
    #[serde(default)]
    pub key: Option<Secret>,
}

/// A text that is never shown or logged.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Asks a backend's provider for its models.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckBackendQuery {
    /// The name of the backend.
    pub backend: String,
}

/// The result of checking a backend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackendCheck {
    /// The name of the backend.
    pub backend: String,
    /// Why the backend cannot be used. Absent if it can.
    #[serde(default)]
    pub problem: Option<ErrorBody>,
    /// The models that the provider offers.
    pub models: Vec<String>,
    /// Whether the configured model can call tools. Absent if no model is used or the backend cannot be used.
    #[serde(default)]
    pub tools: Option<Finding>,
    /// How long the answer took, in milliseconds.
    pub took_ms: u64,
}

/// The settings of web search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WebSearchSettings {
    /// The configured provider. Absent if there is none.
    #[serde(default)]
    pub provider: Option<String>,
    /// The address of the provider. Absent if it is the provider's own address.
    #[serde(default)]
    pub address: Option<String>,
    /// All providers: the built-in ones, then the user's own.
    pub providers: Vec<SearchChoice>,
}

/// A search provider that can be configured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchChoice {
    /// The name of the provider.
    pub name: String,
    /// The display name of the provider.
    pub label: String,
    /// The provider's own address. If absent, an address has to be configured.
    #[serde(default)]
    pub address: Option<String>,
    /// Whether the provider needs a key.
    pub takes_key: bool,
    /// Whether the provider is built in. Otherwise it is a file of the user.
    pub shipped: bool,
    /// Where the provider's key is looked up. Absent if no key is expected or no place is known.
    #[serde(default)]
    pub key: Option<KeyPlace>,
    /// What is missing before the provider can be used. The keyring is not searched for a key. Absent if nothing is
    /// known to be missing.
    #[serde(default)]
    pub problem: Option<Phrase>,
}

/// Stores a search provider's key in the desktop's keyring, or removes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SetSearchKeyCommand {
    /// The name of the provider.
    pub provider: String,
    /// The key. If absent, the stored key is removed.
    #[serde(default)]
    pub key: Option<Secret>,
}

/// Searches the web once with the configured provider, to check it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckSearchQuery {}

/// The result of checking the search provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchCheck {
    /// The name of the provider. Empty if none is configured.
    pub provider: String,
    /// Why the provider cannot be used. Absent if it can.
    #[serde(default)]
    pub problem: Option<ErrorBody>,
    /// The number of results.
    pub results: u32,
    /// How long the answer took, in milliseconds.
    pub took_ms: u64,
}

/// Looks for model servers on this machine. The host tries the usual loopback ports.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FindServersQuery {}

/// The model servers on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LocalServers {
    /// The servers that answered.
    pub servers: Vec<LocalServer>,
}

/// A model server on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LocalServer {
    /// The name of the program that usually uses this port, e.g. `Ollama`.
    pub name: String,
    /// The backend for this server.
    #[serde(default)]
    pub backend: String,
    /// The value to set as `base_url`.
    pub base_url: String,
    /// The models that the server offers.
    pub models: Vec<String>,
}

/// Runs the checks of `deputy doctor`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DoctorQuery {}

/// The results of the checks of `deputy doctor`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DoctorAnswer {
    /// The results, in the order of the checks.
    pub findings: Vec<Finding>,
}

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The name of the check.
    pub name: String,
    /// Whether the check passed.
    pub ok: bool,
    /// What was found and, if the check failed, what to do.
    pub message: Phrase,
}

/// Asks for the decision on a shell command, and the reasons. Nothing is run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExplainQuery {
    /// The command.
    pub command: String,
    /// The folder that a task would work in.
    pub workspace: String,
}

/// The decision on a shell command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Explanation {
    /// The decision with its reasons and parts. It includes grants that apply in the folder.
    pub verdict: Verdict,
}
