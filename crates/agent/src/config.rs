//! The configuration in `config.toml` under the home: defaults, limits, and the settings of each backend.

mod error;

pub use error::ConfigError;

use crate::backends::Unfit;
use crate::browser_settings::BrowserSettings;
pub use crate::limits::LimitOverrides;
pub use crate::prices::TokenPrice;
pub use crate::routing::Roles;
pub use crate::searching::SearchSettings;
use deputy_messages::agent as say;
use deputy_policy::path::SecretPattern;
use deputy_protocol::{BackendRef, Phrase};
use deputy_tools::tree::TreeLimits;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The usual ports of local model servers.
const USUAL_SERVERS: &[(&str, u16)] = &[("Ollama", 11434), ("LM Studio", 1234), ("llama.cpp", 8080)];

/// The whole configuration. Every part has a default, so an absent file is a valid configuration.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The backend that plans for tasks that do not name one.
    pub backend: String,
    /// The fallbacks if that backend, or the task's own, fails: `backend` or `backend/model`, tried in this order.
    pub fallbacks: Vec<String>,
    /// The models used for work other than planning.
    pub roles: Roles,
    /// The profile of tasks that do not name one.
    pub profile: String,
    /// The number of tasks that run at the same time; further tasks are queued.
    pub max_concurrent_tasks: usize,
    /// Hosts that can be requested without asking.
    pub allow_hosts: Vec<String>,
    /// Files and folders that are secret in addition to the built-in list.
    pub secrets: Vec<SecretPattern>,
    /// The local model servers to look for, in this order.
    pub local_servers: Vec<LocalPort>,
    /// Limits that differ from the built-in ones.
    pub limits: LimitOverrides,
    /// The settings of each backend, passed to it unchanged.
    pub backends: BTreeMap<String, BTreeMap<String, serde_json::Value>>,
    /// The environment of commands that a person approved.
    pub shell: ShellSettings,
    /// How the sidecar is started.
    pub sidecar: SidecarSettings,
    /// The search service used by `web_search`.
    pub search: SearchSettings,
    /// The browser that tasks use.
    pub browser: BrowserSettings,
    /// How memories are found.
    pub memory: MemorySettings,
    /// How much is saved before a command runs, so that undo covers it.
    pub undo: UndoSettings,
    /// The addresses on which clients are served.
    pub server: ServerSettings,
    /// How the user is notified that something is waiting.
    pub notify: NotifySettings,
    /// The price of a million tokens, by the name of the model or the backend.
    pub prices: BTreeMap<String, TokenPrice>,
    /// The currency of the prices.
    pub currency: String,
}

/// A port on loopback at which a model server may listen.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LocalPort {
    /// The name of the server.
    pub name: String,
    /// Its port on 127.0.0.1.
    pub port: u16,
}

/// How the user is notified that something is waiting.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NotifySettings {
    /// The local hours without notifications, e.g. `22:00-07:00`. What is still waiting is announced afterwards.
    pub quiet: Option<String>,
    /// A command with its arguments. The text of the notification is appended as the last argument.
    pub command: Vec<String>,
    /// The address of a topic on an ntfy server. Each device gets its own topic below it, and messages are encrypted
    /// with the device's key.
    pub ntfy: Option<String>,
}

/// The addresses on which clients are served.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ServerSettings {
    /// The address of the desktop page, on loopback. Port 9120 of 127.0.0.1 if absent.
    pub listen: Option<SocketAddr>,
    /// The address that paired devices connect to through TLS. Port 9121 of every address if absent.
    pub devices: Option<SocketAddr>,
    /// Additional names of this machine that requests may use. Devices use the first.
    pub names: Vec<String>,
}

/// How much is saved before a command runs.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct UndoSettings {
    /// The maximum number of files; see [`TreeLimits::default`].
    pub max_files: Option<u64>,
    /// The maximum number of bytes over all files.
    pub max_bytes: Option<u64>,
}

impl UndoSettings {
    /// Returns the resulting limits.
    pub fn limits(self) -> TreeLimits {
        let usual = TreeLimits::default();
        TreeLimits {
            max_files: self.max_files.unwrap_or(usual.max_files),
            max_bytes: self.max_bytes.unwrap_or(usual.max_bytes),
        }
    }
}

/// The part of the person's environment that approved commands get.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ShellSettings {
    /// The search path for programs, separated by colons. The login shell's `PATH` if absent.
    pub path: Option<String>,
    /// The names of additional login shell variables that commands get.
    pub variables: Vec<String>,
}

/// How the sidecar is started.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SidecarSettings {
    /// The Python interpreter to run it with. If absent, the one it was installed with.
    pub python: Option<PathBuf>,
    /// The seconds after which a plan without an answer counts as failed.
    pub timeout_secs: Option<u64>,
}

/// The embedder that runs on this machine and needs no settings.
pub const ON_DEVICE: &str = "on_device";
/// No embedder: memories are found by their words only.
pub const NO_EMBEDDER: &str = "none";

/// How memories are found.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MemorySettings {
    /// The embedder: `on_device`, `none`, or the name of a backend that supports embedding.
    pub embedder: String,
}

impl Default for MemorySettings {
    fn default() -> Self {
        Self { embedder: ON_DEVICE.to_owned() }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            backend: "offline".to_owned(),
            fallbacks: Vec::new(),
            roles: Roles::default(),
            profile: "general".to_owned(),
            max_concurrent_tasks: 1,
            allow_hosts: Vec::new(),
            secrets: Vec::new(),
            local_servers: USUAL_SERVERS
                .iter()
                .map(|(name, port)| LocalPort { name: (*name).to_owned(), port: *port })
                .collect(),
            limits: LimitOverrides::default(),
            backends: BTreeMap::new(),
            shell: ShellSettings::default(),
            sidecar: SidecarSettings::default(),
            search: SearchSettings::default(),
            browser: BrowserSettings::default(),
            memory: MemorySettings::default(),
            undo: UndoSettings::default(),
            server: ServerSettings::default(),
            notify: NotifySettings::default(),
            prices: BTreeMap::new(),
            currency: "USD".to_owned(),
        }
    }
}

impl Config {
    /// Reads `config.toml` under the home.
    pub fn load(home: &Path) -> Result<Self, ConfigError> {
        let path = path(home);
        let text = read(&path)?;
        toml::from_str(&text).map_err(|error| {
            let message = wrong_secret(&text).unwrap_or_else(|| error.to_string().into());
            ConfigError::Invalid { path, message }
        })
    }

    /// Returns a reference to a backend with its settings, without those that belong to the core.
    pub fn backend(&self, name: &str) -> BackendRef {
        let mut settings = self.backends.get(name).cloned().unwrap_or_default();
        settings.remove("api_key_env");
        settings.remove(crate::keys::IN_KEYRING);
        BackendRef { name: name.to_owned(), settings }
    }
}

/// Returns the error in an entry of `secrets`, with the line of the entry. The parser only knows the line of the whole
/// list.
fn wrong_secret(text: &str) -> Option<Phrase> {
    #[derive(Deserialize)]
    struct Listed {
        secrets: Vec<Spanned<String>>,
    }
    let entries = toml::from_str::<Listed>(text).ok()?.secrets;
    entries.iter().find_map(|entry| {
        let error = SecretPattern::parse(entry.get_ref()).err()?;
        let line = 1 + text.get(..entry.span().start)?.matches('\n').count();
        Some(deputy_messages::policy::line_is_wrong(line, error))
    })
}

/// Returns a setting as text. `None` if it is not set.
pub fn get(home: &Path, key: &str) -> Result<Option<String>, ConfigError> {
    let path = path(home);
    let document = parse(&path)?;
    let mut item = document.as_item();
    for part in key.split('.') {
        match item.get(part) {
            Some(next) => item = next,
            None => return Ok(None),
        }
    }
    Ok(Some(match item.as_str() {
        Some(text) => text.to_owned(),
        None => item.to_string().trim().to_owned(),
    }))
}

/// Returns the settings in the file by their dotted keys, in the order of the file, each as TOML.
pub fn entries(home: &Path) -> Result<Vec<(String, String)>, ConfigError> {
    fn gather(table: &dyn toml_edit::TableLike, above: &str, found: &mut Vec<(String, String)>) {
        for (key, item) in table.iter() {
            let key = format!("{above}{key}");
            match item.as_table_like() {
                Some(table) => gather(table, &format!("{key}."), found),
                None => found.push((key, item.to_string().trim().to_owned())),
            }
        }
    }
    let mut found = Vec::new();
    gather(parse(&path(home))?.as_table(), "", &mut found);
    Ok(found)
}

/// Sets one setting and leaves the rest of the file unchanged, including comments. A setting that would make the file
/// invalid is refused, and nothing is written.
pub fn set(home: &Path, key: &str, value: &str) -> Result<(), ConfigError> {
    let value = match backend_setting(key) {
        Some((backend, name)) => crate::backends::value(home, backend, name, value).map_err(|error| {
            let (key, message) = (key.to_owned(), error.phrase());
            match error {
                Unfit::Unknown(_) => ConfigError::UnknownKey { key, message },
                Unfit::Kind(_) => ConfigError::WrongValue { key, message },
            }
        })?,
        // Numbers, booleans and lists are parsed; everything else is text, so that users do not need to quote twice.
        None => value.parse::<toml_edit::Value>().unwrap_or_else(|_| value.into()),
    };
    change(home, &[(key.to_owned(), Some(value))])
}

/// Returns the backend and the setting of a key of the form `backends.NAME.SETTING`.
pub(crate) fn backend_setting(key: &str) -> Option<(&str, &str)> {
    key.strip_prefix("backends.")?.split_once('.').filter(|(_, setting)| !setting.contains('.'))
}

/// Sets some settings, and removes those without a value: all of them or none. Otherwise like [`set`].
pub fn change(home: &Path, changes: &[(String, Option<toml_edit::Value>)]) -> Result<(), ConfigError> {
    // An error that is already in the file is reported as such, not as an error of the change.
    Config::load(home)?;
    let path = path(home);
    let mut document = parse(&path)?;
    for (key, value) in changes {
        put(document.as_table_mut(), key, value.clone())
            .map_err(|message| ConfigError::UnknownKey { key: key.clone(), message })?;
    }
    let text = document.to_string();
    toml::from_str::<Config>(&text).map_err(|error| {
        let keys: Vec<&str> = changes.iter().map(|(key, _)| key.as_str()).collect();
        let (key, message) = (keys.join("`, `"), error.message().to_owned());
        let is_unknown = message.starts_with("unknown field");
        let message = Phrase::from(message);
        if is_unknown {
            ConfigError::UnknownKey { key, message }
        } else {
            ConfigError::WrongValue { key, message }
        }
    })?;
    write(&path, &text)
}

fn put(table: &mut toml_edit::Table, key: &str, value: Option<toml_edit::Value>) -> Result<(), Phrase> {
    let parts: Vec<&str> = key.split('.').collect();
    let Some((last, tables)) = parts.split_last().filter(|_| parts.iter().all(|part| !part.is_empty()))
    else {
        return Err(say::key_is_words_and_dots());
    };
    let mut table = table;
    for part in tables {
        if value.is_none() && !table.contains_key(part) {
            return Ok(());
        }
        let fresh = || {
            let mut fresh = toml_edit::Table::new();
            fresh.set_implicit(true);
            fresh.into()
        };
        table = table.entry(part).or_insert_with(fresh).as_table_mut().ok_or_else(say::part_is_no_table)?;
    }
    match value {
        // Replacing the value in place keeps the comment next to it.
        Some(mut value) => match table.get_mut(last).and_then(toml_edit::Item::as_value_mut) {
            Some(old) => {
                *value.decor_mut() = old.decor().clone();
                *old = value;
            }
            None => {
                table.insert(last, value.into());
            }
        },
        None => {
            table.remove(last);
        }
    }
    Ok(())
}

fn path(home: &Path) -> PathBuf {
    home.join("config.toml")
}

fn read(path: &Path) -> Result<String, ConfigError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(source) if source.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(source) => Err(ConfigError::Io { path: path.to_owned(), source }),
    }
}

fn parse(path: &Path) -> Result<toml_edit::DocumentMut, ConfigError> {
    read(path)?.parse().map_err(|error: toml_edit::TomlError| ConfigError::Invalid {
        path: path.to_owned(),
        message: error.to_string().into(),
    })
}

/// Atomically replaces a file in Deputy's folder: readers see the old content or the new content, never a part.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), ConfigError> {
    let io = |source| ConfigError::Io { path: path.to_owned(), source };
    let folder = path.parent().unwrap_or(Path::new("."));
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    std::fs::create_dir_all(folder).map_err(io)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = folder.join(format!(".{name}.new"));
    std::fs::write(&temporary, text).map_err(io)?;
    std::fs::File::open(&temporary).and_then(|file| file.sync_all()).map_err(io)?;
    std::fs::rename(&temporary, path).map_err(io)?;
    // Without this, a power failure could bring the old settings back.
    std::fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(io)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_file_gives_the_defaults() {
        let home = tempfile::tempdir().unwrap();
        let config = Config::load(home.path()).unwrap();
        assert_eq!((config.backend.as_str(), config.max_concurrent_tasks), ("offline", 1));
    }

    #[test]
    fn set_keeps_comments_and_types_and_refuses_what_is_not_a_setting() {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("config.toml"), "# mine\nprofile = \"general\" # why\n").unwrap();
        set(home.path(), "backend", "openai_compatible").unwrap();
        set(home.path(), "backends.openai_compatible.model", "m:7b").unwrap();
        set(home.path(), "backends.openai_compatible.timeout_secs", "30").unwrap();
        set(home.path(), "max_concurrent_tasks", "3").unwrap();
        let text = std::fs::read_to_string(home.path().join("config.toml")).unwrap();
        assert!(text.starts_with("# mine\nprofile = \"general\" # why\n"), "{text}");
        let config = Config::load(home.path()).unwrap();
        assert_eq!(config.max_concurrent_tasks, 3);
        let backend = config.backend("openai_compatible");
        assert_eq!(backend.settings["model"], "m:7b");
        assert_eq!(backend.settings["timeout_secs"], 30);
        assert_eq!(get(home.path(), "backend").unwrap().as_deref(), Some("openai_compatible"));
        assert_eq!(get(home.path(), "limits.max_tokens").unwrap(), None);

        set(home.path(), "profile", "organizer").unwrap();
        let text = std::fs::read_to_string(home.path().join("config.toml")).unwrap();
        assert!(text.starts_with("# mine\nprofile = \"organizer\" # why\n"), "{text}");
        let two = [("limits.max_tokens".to_owned(), Some(7.into())), ("backend".to_owned(), Some(7.into()))];
        assert!(change(home.path(), &two).is_err(), "all of them or none");
        change(home.path(), &[("limits.max_tokens".to_owned(), None)]).unwrap();
        change(home.path(), &[("max_concurrent_tasks".to_owned(), None)]).unwrap();
        assert_eq!(Config::load(home.path()).unwrap().max_concurrent_tasks, 1);
        change(home.path(), &[("max_concurrent_tasks".to_owned(), Some(3.into()))]).unwrap();

        let text = std::fs::read_to_string(home.path().join("config.toml")).unwrap();
        let error = set(home.path(), "max_concurent_tasks", "3").unwrap_err().to_string();
        assert!(error.contains("max_concurent_tasks") && error.contains("unknown field"), "{error}");
        assert!(set(home.path(), "max_concurrent_tasks", "many").is_err());
        assert_eq!(
            std::fs::read_to_string(home.path().join("config.toml")).unwrap(),
            text,
            "nothing was written"
        );
    }

    #[test]
    fn a_mistake_names_the_file_and_the_line() {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("config.toml"), "backend = \"x\"\nprofil = 1\n").unwrap();
        let error = Config::load(home.path()).unwrap_err().to_string();
        assert!(error.contains("config.toml") && error.contains("line 2"), "{error}");
    }

    #[test]
    fn a_secret_that_is_no_pattern_is_refused_with_its_own_line() {
        let home = tempfile::tempdir().unwrap();
        let text = "backend = \"offline\"\nsecrets = [\n  \"~/notes/private\",\n  \"notes\",\n]\n";
        std::fs::write(home.path().join("config.toml"), text).unwrap();
        let error = Config::load(home.path()).unwrap_err().to_string();
        assert!(error.contains("line 4") && error.contains("`notes` names no secrets"), "{error}");
        std::fs::write(home.path().join("config.toml"), text.replace("\"notes\"", "\"**/*.kdbx\"")).unwrap();
        assert_eq!(Config::load(home.path()).unwrap().secrets.len(), 2);
    }

    #[test]
    fn the_name_of_a_keys_variable_is_not_for_the_backend() {
        let config: Config = toml::from_str("[backends.x]\napi_key_env = 'K'\nmodel = 'm'\n").unwrap();
        assert_eq!(config.backend("x").settings.keys().collect::<Vec<_>>(), ["model"]);
    }

    /// Returns the fields that a table of the file may have, as listed in the parser's error message.
    fn fields(table: &str) -> Vec<String> {
        let error = toml::from_str::<Config>(&format!("{table}zzz = 1\n")).unwrap_err().to_string();
        let (_, known) = error.split_once("expected").unwrap_or_else(|| panic!("{error}"));
        known.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn the_page_about_the_configuration_names_every_setting_and_no_other() {
        let page = include_str!("../../../docs/configuration.md");
        let settings = page.split("## Settings").nth(1).unwrap().split("\n## ").next().unwrap();
        let tables = [
            "roles", "limits", "shell", "search", "browser", "memory", "undo", "sidecar", "server", "notify",
        ];
        let mut known: Vec<String> = fields("");
        known.retain(|name| {
            !tables.contains(&name.as_str()) && !["backends", "prices"].contains(&name.as_str())
        });
        for table in tables {
            known.extend(fields(&format!("[{table}]\n")).iter().map(|name| format!("{table}.{name}")));
        }
        assert_eq!(fields("[prices.a]\n"), ["input", "cached", "output"], "told as one line");
        let rows = settings.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
        let mut told: Vec<&str> = rows.collect();
        told.retain(|key| !key.starts_with("backends.") && !key.starts_with("prices."));
        known.sort();
        told.sort_unstable();
        assert_eq!(told, known);
    }
}
