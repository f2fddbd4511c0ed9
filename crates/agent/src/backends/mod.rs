//! The available backends, their declarations, and whether they can be used.

use crate::config::Config;
use crate::keys::{self, Places, Source};
use deputy_messages::agent as say;
use deputy_protocol::{BackendForm, ErrorBody, ErrorCode, SettingKind};
use std::path::{Path, PathBuf};
use toml_edit::Value;

mod form;
mod trial;

pub use form::FormError;
pub(crate) use form::Unfit;
pub use trial::tool_trial;

/// The backend without a model. It sends nothing over the network, has no context window that could fill up, and needs
/// every result.
pub(crate) const WITHOUT_MODEL: &str = "offline";

/// The backend that lets a model call only what is offered to it, by a grammar.
pub(crate) const CONSTRAINED: &str = "local_gguf";

/// Returns the folder of the user's own backend files.
pub fn folder(home: &Path) -> PathBuf {
    home.join("backends")
}

/// Returns the declaration of a backend that comes with Deputy.
pub fn shipped(name: &str) -> Option<&'static BackendForm> {
    form::SHIPPED.iter().find(|(other, _)| *other == name).map(|(_, form)| form)
}

/// Returns all backends that come with Deputy, in the order of lists.
pub(crate) fn all_shipped() -> impl Iterator<Item = (&'static str, &'static BackendForm)> {
    form::SHIPPED.iter().map(|(name, form)| (*name, form))
}

/// Returns the declaration of a backend. `None` for a user's file without a declaration.
pub fn form(home: &Path, name: &str) -> Result<Option<BackendForm>, FormError> {
    match shipped(name) {
        Some(form) => Ok(Some(form.clone())),
        None => form::read(&folder(home).join(format!("{name}.py"))),
    }
}

/// Converts the text of a backend setting to a configuration value. The value stays a string if the backend declares it
/// as text, even if it looks like a number. Refuses a setting that the backend does not declare, and a value that the
/// setting cannot take.
pub(crate) fn value(home: &Path, name: &str, key: &str, text: &str) -> Result<Value, Unfit> {
    let parsed = text.parse::<Value>().unwrap_or_else(|_| text.into());
    let declared = if is_cores(key) { None } else { form(home, name).ok().flatten() };
    let Some(declared) = declared else { return Ok(parsed) };
    let setting = form::setting(&declared, key)?;
    let value = match setting.kind {
        SettingKind::Text | SettingKind::Model | SettingKind::Address => {
            Value::from(parsed.as_str().unwrap_or(text))
        }
        _ => parsed,
    };
    form::fits(setting, &value)?;
    Ok(value)
}

/// Returns whether a setting below a backend's name belongs to the core: the settings that locate its key.
fn is_cores(key: &str) -> bool {
    matches!(key, "api_key_env" | keys::IN_KEYRING)
}

/// Returns the address that is set for a backend, or its default address.
pub(crate) fn address(config: &Config, name: &str) -> Option<String> {
    let set = |key: &str| setting(config, name, key).map(str::to_owned);
    let Some(form) = shipped(name) else { return set("base_url") };
    let declared = form.settings.iter().find(|setting| setting.kind == SettingKind::Address)?;
    set(&declared.name).or_else(|| declared.default.as_ref()?.as_str().map(str::to_owned))
}

/// Returns the names of all backends: the shipped ones, then the user's own.
pub fn names(home: &Path) -> Vec<String> {
    let mut own: Vec<String> = std::fs::read_dir(folder(home))
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".py").map(str::to_owned))
        .filter(|name| !name.starts_with(['_', '.']) && shipped(name).is_none())
        .collect();
    own.sort();
    form::SHIPPED.iter().map(|(name, _)| (*name).to_owned()).chain(own).collect()
}

/// Returns an error that lists the known backends if a name is unknown.
pub fn known(home: &Path, name: &str) -> Result<(), ErrorBody> {
    let known = names(home);
    if known.iter().any(|other| other == name) {
        return Ok(());
    }
    let message = say::there_is_no_backend(known.join(", "), name);
    let hint = say::put_your_own_backend(folder(home).display(), name);
    Err(ErrorBody::new(ErrorCode::UnknownBackend, message, hint))
}

/// Checks that a backend can be used, and reports what is missing before anything is started.
pub fn check(home: &Path, config: &Config, name: &str) -> Result<(), ErrorBody> {
    check_in(home, config, name, &keys::REAL)
}

/// Like [`check`], but without reading the keyring, which may ask the user for a password.
pub fn check_quickly(home: &Path, config: &Config, name: &str) -> Result<(), ErrorBody> {
    let places = Places { keyring: &|_| Ok(Some("perhaps".to_owned())), ..keys::REAL };
    check_in(home, config, name, &places)
}

fn check_in(home: &Path, config: &Config, name: &str, places: &Places<'_>) -> Result<(), ErrorBody> {
    known(home, name)?;
    let form = form(home, name).map_err(|error| {
        let message = say::backend_unusable(error, name);
        ErrorBody::new(ErrorCode::BackendSettings, message, say::correct_backend_file())
    })?;
    let missing = form.iter().flat_map(|form| &form.settings).find(|declared| {
        declared.required && config.backends.get(name).and_then(|set| set.get(&declared.name)).is_none()
    });
    if let Some(declared) = missing {
        let key = format!("backends.{name}.{}", declared.name);
        let message = say::backend_needs_setting(name, &declared.name);
        let hint = say::set_it_or_on_page(key);
        return Err(ErrorBody::new(ErrorCode::BackendSettings, message, hint));
    }
    let (why, hint) = match (keys::source(config, name), keys::find(config, name, places)) {
        (None, _) | (Some(_), Ok(Some(_))) => return Ok(()),
        (Some(Source::Variable(variable)), _) => {
            (say::variable_not_set(&variable), say::set_variable(name, &variable))
        }
        (Some(Source::Keyring(entry)), Ok(None)) => {
            (say::keyring_has_no_entry(entry), say::put_key_there(name))
        }
        (Some(Source::Keyring(_)), Err(error)) => (error.phrase(), say::unlock_keyring(name)),
    };
    Err(ErrorBody::new(ErrorCode::MissingKey, say::backend_needs_key(name, why), hint))
}

fn setting<'a>(config: &'a Config, backend: &str, key: &str) -> Option<&'a str> {
    config.backends.get(backend)?.get(key)?.as_str().filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_backend_and_missing_settings_are_said_before_anything_starts() {
        let home = tempfile::tempdir().unwrap();
        let check = |text: &str, name: &str| {
            check(home.path(), &toml::from_str(text).unwrap(), name).map_err(|error| error.code)
        };
        assert_eq!(check("", "offline"), Ok(()));
        assert_eq!(check("", "mine"), Err(ErrorCode::UnknownBackend));
        assert_eq!(check("", "openai_compatible"), Err(ErrorCode::BackendSettings));
        let local = "[backends.openai_compatible]\nmodel='m'\nbase_url='http://127.0.0.1:1/v1'\n";
        assert_eq!(check(local, "openai_compatible"), Ok(()), "a local server needs no key");
        let keyed = format!("{local}api_key_env='DEPUTY_NO_SUCH_KEY'\n");
        assert_eq!(check(&keyed, "openai_compatible"), Err(ErrorCode::MissingKey));

        std::fs::create_dir(folder(home.path())).unwrap();
        std::fs::write(folder(home.path()).join("mine.py"), "").unwrap();
        assert_eq!(check("", "mine"), Ok(()));
        assert_eq!(names(home.path()).last().map(String::as_str), Some("mine"));
        assert_eq!(names(home.path())[0], "offline");
    }
    #[test]
    fn settings_are_checked_by_what_the_file_declares_a_users_own_too() {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder(home.path())).unwrap();
        let own = folder(home.path()).join("mine.py");
        std::fs::write(
            &own,
            "# /// deputy\n# label = \"Mine\"\n# settings = [{ name = \"tone\", label = \"Tone\", kind = \"text\", \
             required = true }]\n# ///\n",
        )
        .unwrap();
        let value = |backend: &str, key: &str, text: &str| {
            value(home.path(), backend, key, text).map(|value| value.to_string())
        };
        assert_eq!(value("openai_compatible", "model", "7").unwrap(), "\"7\"", "a model's name is text");
        assert_eq!(value("openai_compatible", "timeout_secs", "30").unwrap(), "30");
        assert!(value("openai_compatible", "timeout_secs", "long").is_err());
        assert!(value("openai_compatible", "modell", "m").unwrap_err().to_string().contains("base_url"));
        assert_eq!(value("openai_compatible", "api_key_env", "MINE").unwrap(), "\"MINE\"");
        assert_eq!(value("mine", "tone", "5").unwrap(), "\"5\"");
        assert!(value("mine", "other", "5").is_err());
        assert!(value("not_there_yet", "other", "5").is_ok());

        let check = |text: &str| {
            check(home.path(), &toml::from_str(text).unwrap(), "mine").map_err(|error| error.code)
        };
        assert_eq!(check(""), Err(ErrorCode::BackendSettings));
        assert_eq!(check("[backends.mine]\ntone='kind'\n"), Ok(()));
        std::fs::write(&own, "# /// deputy\n# label = 1\n# ///\n").unwrap();
        assert_eq!(check(""), Err(ErrorCode::BackendSettings));
    }
}
