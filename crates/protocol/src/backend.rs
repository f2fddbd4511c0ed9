//! Backend forms: what the file of a backend declares, for everything that lists, checks or configures the backend.

use crate::Phrase;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a backend declares in its file. The file is the only source of this information.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackendForm {
    /// The display name of the backend.
    pub label: Phrase,
    /// The description of the backend, in one sentence.
    #[serde(default)]
    pub summary: Phrase,
    /// Whether the backend can use a key.
    #[serde(default)]
    pub takes_key: bool,
    /// The environment variables that usually contain keys, each with the host that its key is for.
    #[serde(default)]
    pub usual_keys: Vec<UsualKey>,
    /// What a check asks the backend. If absent, a check only loads the backend with its settings.
    #[serde(default)]
    pub probe: Option<Probe>,
    /// The address of the backend's server on the local machine, with `{port}` as a placeholder. Deputy looks for
    /// such servers. Absent if the backend does not run locally.
    #[serde(default)]
    pub local_address: Option<String>,
    /// Addresses that are commonly used.
    #[serde(default)]
    pub presets: Vec<Preset>,
    /// The settings of the backend, in the order in which to ask for them.
    #[serde(default)]
    pub settings: Vec<BackendSetting>,
}

/// The environment variable that usually contains the key for a host. The key is only sent to that host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UsualKey {
    /// The host that the key is for.
    pub host: String,
    /// The name of the environment variable.
    pub variable: String,
}

/// What a check asks a backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Probe {
    /// The list of models that the provider offers.
    Models,
}

/// An address that is commonly used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Preset {
    /// The display name of the provider at the address.
    pub label: String,
    /// The address.
    pub address: String,
}

/// A setting of a backend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackendSetting {
    /// The name of the setting in `config.toml`.
    pub name: String,
    /// The display name of the setting.
    pub label: Phrase,
    /// The type of the value.
    pub kind: SettingKind,
    /// The value that applies if the setting is not set. Absent if there is no default.
    #[serde(default)]
    pub default: Option<serde_json::Value>,
    /// Whether the backend only works after the setting is set.
    #[serde(default)]
    pub required: bool,
    /// Whether the setting can only be changed in the file or with `deputy config set`.
    #[serde(default)]
    pub advanced: bool,
    /// The possible values. Only used for the kind `choice`.
    #[serde(default)]
    pub choices: Vec<String>,
    /// A hint for people about the setting.
    #[serde(default)]
    pub hint: Phrase,
}

/// The type of a setting's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SettingKind {
    /// A line of text.
    Text,
    /// The address of a server. The backend's key belongs to this address.
    Address,
    /// The name of a model. A check can list the possible models.
    Model,
    /// A number.
    Number,
    /// On or off.
    Switch,
    /// One of several words.
    Choice,
    /// A table of names with texts.
    Table,
}
