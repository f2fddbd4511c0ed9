//! The form of a backend: what its file declares of itself, for everything that lists, checks or sets it up.

use crate::Phrase;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a backend declares in its file. Nothing but the file knows more of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackendForm {
    /// What people call it.
    pub label: Phrase,
    /// What it is, in a sentence.
    #[serde(default)]
    pub summary: Phrase,
    /// Whether it can be given a key.
    #[serde(default)]
    pub takes_key: bool,
    /// Where keys usually are, by the host that each is meant for.
    #[serde(default)]
    pub usual_keys: Vec<UsualKey>,
    /// What a check asks it; absent where it only loads it with its settings.
    #[serde(default)]
    pub probe: Option<Probe>,
    /// Where its server is when it runs on this machine, with `{port}` in it; such servers are looked for.
    #[serde(default)]
    pub local_address: Option<String>,
    /// Addresses that many people have.
    #[serde(default)]
    pub presets: Vec<Preset>,
    /// What can be set, in the order to ask for it.
    #[serde(default)]
    pub settings: Vec<BackendSetting>,
}

/// The environment variable in which people keep a host's key. It is sent to that host alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UsualKey {
    /// The host.
    pub host: String,
    /// The variable.
    pub variable: String,
}

/// What a check asks a backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Probe {
    /// Which models its provider has.
    Models,
}

/// An address that many people have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Preset {
    /// Whose.
    pub label: String,
    /// The address.
    pub address: String,
}

/// One setting of a backend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackendSetting {
    /// Its name in `config.toml`.
    pub name: String,
    /// What people call it.
    pub label: Phrase,
    /// What it is.
    pub kind: SettingKind,
    /// What holds where it is not set; absent where nothing does.
    #[serde(default)]
    pub default: Option<serde_json::Value>,
    /// Whether the backend works only once it is set.
    #[serde(default)]
    pub required: bool,
    /// Whether it is changed in the file or by `deputy config set` alone.
    #[serde(default)]
    pub advanced: bool,
    /// What it can be, where its kind is `choice`.
    #[serde(default)]
    pub choices: Vec<String>,
    /// What to know before setting it.
    #[serde(default)]
    pub hint: Phrase,
}

/// What a setting is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SettingKind {
    /// A line of text.
    Text,
    /// The address of a server. The key belongs to it.
    Address,
    /// The name of a model; a check may list them.
    Model,
    /// A number.
    Number,
    /// Yes or no.
    Switch,
    /// One of several words.
    Choice,
    /// Names with texts.
    Table,
}
