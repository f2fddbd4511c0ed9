//! The settings as the desktop page shows and changes them. Every change is checked before it is written to the file.
//! Keys are written to the keyring and are never sent to a client.

use super::HostError;
use crate::config::{self, Config};
use crate::core::Core;
use crate::keys;
use crate::{backends, doctor, keyring, profile, searching};
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_planner::BoundKey;
use deputy_protocol::{
    Answers, BackendCheck, BackendChoice, BackendRef, BackendSetting, BackendSettings, ChangeSettingsCommand,
    CheckBackendQuery, Choices, ChoicesAnswer, ChoicesQuery, CommandId, DoctorAnswer, DoctorQuery,
    DoneOutcome, ErrorBody, ErrorCode, FindServersQuery, KeyPlace, Limits, LocalServer, LocalServers,
    NotifyChannels, Performs, ProfileChoice, Secret, SetKeyCommand, SettingChange, SettingKind, Settings,
    SettingsQuery,
};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;

/// The timeout for listing the models of a provider.
const CHECK_TIMEOUT: Duration = Duration::from_secs(20);
/// The timeout of a connection on loopback.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(300);
/// The usual folders of files to tidy or read.
const USUAL_FOLDERS: &[&str] = &["Downloads", "Documents", "Desktop"];
/// Text settings that a client may change.
const TEXTS: &[&str] = &["backend", "profile", "notify.quiet", "notify.ntfy", "currency"];
/// Number settings that a client may change.
const NUMBERS: &[&str] = &[
    "max_concurrent_tasks",
    "limits.max_iterations",
    "limits.max_wall_secs",
    "limits.max_tokens",
    "limits.max_cost_cents",
    "limits.day_tokens",
    "limits.day_cost_cents",
    "limits.inference_tokens",
    "limits.tool_output_chars",
    "limits.context_tokens",
    "limits.request_expiry_secs",
    "limits.brake_after",
    "limits.parallel_calls",
    "limits.command_secs",
    "limits.command_default_secs",
    "limits.command_cpu_secs",
    "limits.command_memory_mib",
    "limits.command_processes",
    "limits.command_file_mib",
    "limits.command_output_mib",
    "limits.background_commands",
    "limits.background_secs",
];

/// The settings of a home.
pub(super) struct SettingsFile {
    pub(super) core: Arc<Core>,
}

impl SettingsFile {
    /// Returns the choices for a new task.
    fn choices(&self) -> Choices {
        let config = self.core.config();
        let home = &self.core.home;
        let backend = |name: String| BackendChoice {
            model: text(&config, &name, "model"),
            problem: backends::check_quickly(home, &config, &name).err(),
            name,
        };
        let profile = |name: String| ProfileChoice {
            description: profile::load(home, &name).map(|own| own.described(&name)).unwrap_or_default(),
            name,
        };
        Choices {
            backend: config.backend.clone(),
            profile: config.profile.clone(),
            backends: backends::names(home).into_iter().map(backend).collect(),
            profiles: profile::names(home).into_iter().map(profile).collect(),
            limits: config.limits.over(Limits::default()),
            folders: USUAL_FOLDERS
                .iter()
                .map(|name| self.core.user_home.join(name))
                .filter(|folder| folder.is_dir())
                .filter_map(|folder| folder.into_os_string().into_string().ok())
                .collect(),
        }
    }

    /// Returns the settings.
    fn settings(&self) -> Settings {
        let config = self.core.config();
        let at_start = &self.core.at_start;
        let choices = self.choices();
        let backend = |name: &str| BackendSettings {
            name: name.to_owned(),
            shipped: backends::shipped(name).is_some(),
            // An error in a declaration is reported as the problem of the choice.
            form: backends::form(&self.core.home, name).ok().flatten(),
            values: values(&config, name, &self.core.home),
            base_url: text(&config, name, "base_url"),
            model: text(&config, name, "model"),
            key: keys::source(&config, name).map(KeyPlace::from),
        };
        let mut after_restart = Vec::new();
        if config.max_concurrent_tasks != at_start.max_concurrent_tasks {
            after_restart.push("max_concurrent_tasks".to_owned());
        }
        for (name, is_other) in [
            ("notify", config.notify != at_start.notify),
            ("server", config.server != at_start.server),
            ("sidecar", config.sidecar != at_start.sidecar),
        ] {
            if is_other {
                after_restart.push(name.to_owned());
            }
        }
        Settings {
            path: self.core.home.join("config.toml").display().to_string(),
            backends: choices.backends.iter().map(|choice| backend(&choice.name)).collect(),
            choices,
            max_concurrent_tasks: u32::try_from(config.max_concurrent_tasks).unwrap_or(u32::MAX),
            notify: NotifyChannels {
                quiet: config.notify.quiet.clone(),
                command: config.notify.command.clone(),
                ntfy: config.notify.ntfy.clone(),
            },
            search: searching::shown(&self.core.home, &config),
            after_restart,
        }
    }
}

impl Answers<ChoicesQuery> for SettingsFile {
    async fn answer(&self, _: ChoicesQuery) -> Result<ChoicesAnswer, ErrorBody> {
        Ok(ChoicesAnswer { choices: self.choices() })
    }
}

impl Answers<SettingsQuery> for SettingsFile {
    async fn answer(&self, _: SettingsQuery) -> Result<Settings, ErrorBody> {
        Ok(self.settings())
    }
}

impl Performs<ChangeSettingsCommand> for SettingsFile {
    async fn perform(&self, _: &CommandId, change: ChangeSettingsCommand) -> Result<DoneOutcome, ErrorBody> {
        let _changing = self.core.changing.lock().await;
        let config = self.core.config();
        let changes = change
            .changes
            .iter()
            .map(|change| self.checked(&config, change))
            .collect::<Result<Vec<_>, _>>()?;
        // Without changes, the file was edited by hand or with `deputy config set`, and is only read again.
        if !changes.is_empty() {
            config::change(&self.core.home, &changes).map_err(HostError::from)?;
        }
        self.take_up_settings().await?;
        Ok(DoneOutcome {})
    }
}

impl Performs<SetKeyCommand> for SettingsFile {
    async fn perform(&self, _: &CommandId, set: SetKeyCommand) -> Result<DoneOutcome, ErrorBody> {
        let _changing = self.core.changing.lock().await;
        let SetKeyCommand { backend, key } = set;
        backends::known(&self.core.home, &backend)?;
        let entry = keys::entry(&self.core.config(), &backend);
        let is_kept = keep_key(entry, key, || say::name_variable_that_holds_key(&backend)).await?;
        let setting = (format!("backends.{backend}.{}", keys::IN_KEYRING), Some(is_kept.into()));
        config::change(&self.core.home, &[setting]).map_err(HostError::from)?;
        self.take_up_settings().await?;
        Ok(DoneOutcome {})
    }
}

impl SettingsFile {
    /// Reads the file again, and passes the keys to the planner. The keys come first and are bound to their addresses:
    /// a plan between the two steps is requested again, and no key is ever sent to a different address.
    pub(super) async fn take_up_settings(&self) -> Result<(), ErrorBody> {
        let config = Arc::new(Config::load(&self.core.home).map_err(HostError::from)?);
        let loaded = config.clone();
        let collected = tokio::task::spawn_blocking(move || {
            let mut keys = keys::collect(&loaded, &keys::REAL);
            // Listed even without a key, so that the sidecar loads the dependencies of this backend before the first
            // plan.
            keys.entry(loaded.backend.clone()).or_default();
            keys
        });
        let bind = |(name, key): (String, String)| {
            let base_url = text(&config, &name, "base_url");
            (name, BoundKey { key, base_url })
        };
        let keys = collected.await.map_err(failed)?.into_iter().map(bind).collect();
        self.core.planner.take_keys(keys);
        *self.core.settings.write().unwrap_or_else(PoisonError::into_inner) = config;
        Ok(())
    }

    /// Converts a change to a key and a value of the file. Settings that a client may not change are refused,
    /// regardless of their spelling.
    fn checked(
        &self,
        config: &Config,
        change: &SettingChange,
    ) -> Result<(String, Option<toml_edit::Value>), ErrorBody> {
        let SettingChange { key, value } = change;
        let refused =
            |message: Phrase, hint: Phrase| Err(ErrorBody::new(ErrorCode::BadSetting, message, hint));
        let text = value.as_deref().map(str::trim);
        if NUMBERS.contains(&key.as_str()) {
            let number = text.map(str::parse::<u32>).transpose();
            return match number {
                Ok(number) => Ok((key.clone(), number.map(|number| i64::from(number).into()))),
                Err(_) => refused(say::setting_is_whole_number(key), say::give_number_of_or_more()),
            };
        }
        if text.is_some_and(|text| text.is_empty() || text.chars().any(char::is_control)) {
            return refused(say::setting_is_one_line(key), say::take_out_to_go_back());
        }
        if let Some((backend, name)) = config::backend_setting(key) {
            return self.checked_for_backend(config, key, (backend, name), text);
        }
        match (key.as_str(), text) {
            ("backend", Some(name)) => {
                // Other missing settings may be part of the same changes; they are reported when the backend is shown.
                backends::known(&self.core.home, name)?;
            }
            ("profile", Some(name)) => {
                profile::load(&self.core.home, name).map_err(|error| {
                    ErrorBody::new(ErrorCode::Profile, format!("{error}."), say::deputy_profiles_list())
                })?;
            }
            ("search.provider" | "search.address", text) => self.checked_for_search(config, key, text)?,
            _ if TEXTS.contains(&key.as_str()) => {}
            _ => {
                return refused(say::setting_not_changed_here(key), say::deputy_config_set_does());
            }
        }
        Ok((key.clone(), text.map(Into::into)))
    }

    /// Checks a change of a backend's setting: the backend must declare it for clients, and the value must fit.
    fn checked_for_backend(
        &self,
        config: &Config,
        key: &str,
        (backend, name): (&str, &str),
        text: Option<&str>,
    ) -> Result<(String, Option<toml_edit::Value>), ErrorBody> {
        let refused =
            |message: Phrase, hint: Phrase| Err(ErrorBody::new(ErrorCode::BadSetting, message, hint));
        backends::known(&self.core.home, backend)?;
        let form = backends::form(&self.core.home, backend).ok().flatten().unwrap_or_default();
        let Some(setting) =
            form.settings.iter().find(|declared| declared.name == name && is_for_screens(declared))
        else {
            return refused(say::setting_not_changed_here(key), say::deputy_config_set_does());
        };
        if setting.kind == SettingKind::Address {
            if text.is_some_and(|address| address.contains('@')) {
                return refused(say::address_with_password(key), say::put_key_into_keyring_instead());
            }
            // A key in a variable was meant for the previous host, and must not be sent to another.
            let names_variable =
                config.backends.get(backend).is_some_and(|settings| settings.contains_key("api_key_env"));
            if names_variable && text != self::text(config, backend, name).as_deref() {
                return refused(say::key_of_this_backend_comes(), say::change_both_with_deputy_config());
            }
        }
        match text.map(|text| backends::value(&self.core.home, backend, name, text)).transpose() {
            Ok(value) => Ok((key.to_owned(), value)),
            Err(unfit) => refused(say::setting_does_not_fit(key, unfit), say::take_out_to_go_back()),
        }
    }

    async fn models(&self, backend: BackendRef) -> Result<Vec<String>, ErrorBody> {
        let hint = say::is_the_server_up();
        match tokio::time::timeout(CHECK_TIMEOUT, self.core.planner.models(backend)).await {
            Ok(Ok(models)) => Ok(models),
            Ok(Err(error)) => Err(ErrorBody::new(ErrorCode::Backend, error.message, hint)),
            Err(_) => {
                let message = say::no_answer_within(CHECK_TIMEOUT.as_secs());
                Err(ErrorBody::new(ErrorCode::Backend, message, hint))
            }
        }
    }
}

impl Answers<CheckBackendQuery> for SettingsFile {
    async fn answer(&self, query: CheckBackendQuery) -> Result<BackendCheck, ErrorBody> {
        let name = query.backend;
        let (home, config) = (self.core.home.clone(), self.core.config());
        let backend = config.backend(&name);
        let begun = Instant::now();
        let (asked, tried) = (name.clone(), backend.clone());
        let ready = tokio::task::spawn_blocking(move || backends::check(&home, &config, &asked));
        let models = match ready.await.map_err(failed)? {
            Ok(()) => self.models(backend).await,
            Err(problem) => Err(problem),
        };
        let took_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (models, problem) = match models {
            Ok(models) => (models, None),
            Err(problem) => (Vec::new(), Some(problem)),
        };
        let tools = match problem {
            None => backends::tool_trial(&self.core.home, self.core.planner.as_ref(), tried).await,
            Some(_) => None,
        };
        Ok(BackendCheck { backend: name, problem, models, tools, took_ms })
    }
}

impl Answers<FindServersQuery> for SettingsFile {
    /// Checks the configured loopback ports for model servers. Only this machine is contacted, and no key is sent.
    async fn answer(&self, _: FindServersQuery) -> Result<LocalServers, ErrorBody> {
        let mut servers = Vec::new();
        for config::LocalPort { name, port } in &self.core.config().local_servers {
            let connected = TcpStream::connect(("127.0.0.1", *port));
            if !matches!(tokio::time::timeout(CONNECT_TIMEOUT, connected).await, Ok(Ok(_))) {
                continue;
            }
            for (backend, form) in backends::all_shipped() {
                let Some(address) = &form.local_address else { continue };
                let base_url = address.replace("{port}", &port.to_string());
                let settings =
                    [("base_url".to_owned(), base_url.clone().into()), ("max_retries".to_owned(), 0.into())];
                let asked = BackendRef { name: backend.to_owned(), settings: settings.into() };
                let asked = self.core.planner.models_without_key(asked);
                if let Ok(Ok(models)) = tokio::time::timeout(CHECK_TIMEOUT, asked).await {
                    servers.push(LocalServer {
                        name: name.clone(),
                        backend: backend.to_owned(),
                        base_url,
                        models,
                    });
                    break;
                }
            }
        }
        Ok(LocalServers { servers })
    }
}

impl Answers<DoctorQuery> for SettingsFile {
    async fn answer(&self, _: DoctorQuery) -> Result<DoctorAnswer, ErrorBody> {
        let core = self.core.clone();
        let looked = tokio::task::spawn_blocking(move || {
            let config = Config::load(&core.home);
            let database = match core.store.check_integrity() {
                Ok(()) => doctor::well("home", say::database_is_sound(core.home.display())),
                Err(error) => doctor::ill("home", error.to_string()),
            };
            let mut findings = vec![
                doctor::configuration(&config),
                doctor::rules(&core.home),
                doctor::walls(),
                doctor::browser(),
                database,
                doctor::copies(&core.store, &core.home),
                doctor::jobs(&core.home, &core.user_home),
            ];
            findings.extend(config.ok().map(|config| doctor::backend(&core.home, &config)));
            findings
        });
        let mut findings = looked.await.map_err(failed)?;
        findings.push(match self.core.planner.hello().await {
            Ok(hello) => {
                doctor::well("sidecar", say::version_runs_backends(hello.backends.join(", "), hello.version))
            }
            Err(error) => doctor::ill("sidecar", error.message),
        });
        Ok(DoctorAnswer { findings })
    }
}

/// Stores a key in a keyring entry or removes it. Returns whether the entry has a key now.
pub(super) async fn keep_key(
    entry: String,
    key: Option<Secret>,
    without_keyring: impl FnOnce() -> Phrase,
) -> Result<bool, ErrorBody> {
    let key = key.map(|key| key.0.trim().to_owned());
    if key.as_deref().is_some_and(|key| key.is_empty() || key.chars().any(char::is_control)) {
        return Err(ErrorBody::new(
            ErrorCode::BadKey,
            say::not_a_key(),
            say::copy_again_from_provider_page(),
        ));
    }
    let is_kept = key.is_some();
    // The keyring may ask the user for a password first.
    let kept = tokio::task::spawn_blocking(move || match key {
        Some(key) => keyring::set(&entry, &key),
        None => keyring::remove(&entry),
    });
    kept.await
        .map_err(failed)?
        .map_err(|error| ErrorBody::new(ErrorCode::Keyring, format!("{error}."), without_keyring()))?;
    Ok(is_kept)
}

fn text(config: &Config, backend: &str, key: &str) -> Option<String> {
    config.backends.get(backend)?.get(key)?.as_str().map(str::to_owned)
}

pub(super) fn failed(error: tokio::task::JoinError) -> ErrorBody {
    ErrorBody::new(ErrorCode::Host, say::host_stumbled_over(error), say::try_again_deputy_doctor_helps())
}

/// Returns whether a client may change a setting. Tables, such as headers, may contain keys.
fn is_for_screens(setting: &BackendSetting) -> bool {
    !setting.advanced && setting.kind != SettingKind::Table
}

/// Returns the configured values of the settings that a client may change.
fn values(config: &Config, name: &str, home: &Path) -> BTreeMap<String, String> {
    let form = backends::form(home, name).ok().flatten().unwrap_or_default();
    let set = config.backends.get(name);
    let text = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    form.settings
        .iter()
        .filter(|setting| is_for_screens(setting))
        .filter_map(|setting| Some((setting.name.clone(), text(set?.get(&setting.name)?))))
        .collect()
}
