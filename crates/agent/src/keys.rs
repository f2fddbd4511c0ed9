//! Finds the API key of a backend. Keys are sent to the sidecar in `initialize` and nowhere else.

use crate::config::Config;
use crate::keyring::{self, KeyringError};
use deputy_protocol::{KeyPlace, KeyPlaceKind};
use std::collections::BTreeMap;

/// The sources of keys. Functions, so that tests do not have to change the environment of the process.
pub struct Places<'a> {
    /// Returns an environment variable by name.
    pub env: &'a dyn Fn(&str) -> Option<String>,
    /// Returns a keyring entry by name.
    pub keyring: &'a dyn Fn(&str) -> Result<Option<String>, KeyringError>,
}

/// The environment of the process and the desktop's keyring.
pub const REAL: Places<'static> = Places { env: &|name| std::env::var(name).ok(), keyring: &keyring::get };

/// The location of a backend's key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// An environment variable: the configured one, or the provider's usual one.
    Variable(String),
    /// An entry of the keyring.
    Keyring(String),
}

impl From<Source> for KeyPlace {
    fn from(source: Source) -> Self {
        match source {
            Source::Variable(name) => Self { kind: KeyPlaceKind::Variable, name },
            Source::Keyring(name) => Self { kind: KeyPlaceKind::Keyring, name },
        }
    }
}

/// Returns the keys of the configured backends, for those that have one.
pub fn collect(config: &Config, places: &Places<'_>) -> BTreeMap<String, String> {
    let key = |name: &String| {
        find(config, name, places).unwrap_or_else(|error| {
            tracing::warn!("the key of {name} is missing: {error}");
            None
        })
    };
    config.backends.keys().filter_map(|name| Some((name.clone(), key(name)?))).collect()
}

/// Returns where a backend's key is read from: the configured variable, else the keyring if a key was stored there,
/// else the provider's usual variable. `None` if no key is expected.
pub fn source(config: &Config, backend: &str) -> Option<Source> {
    let settings = config.backends.get(backend)?;
    if let Some(name) = settings.get("api_key_env").and_then(|v| v.as_str()) {
        return Some(Source::Variable(name.to_owned()));
    }
    if settings.get(IN_KEYRING).and_then(|v| v.as_bool()) == Some(true) {
        return Some(Source::Keyring(entry(config, backend)));
    }
    let host = host(config, backend)?;
    // A user's own backend file only gets a key that is explicitly named for it, whatever it declares.
    let usual = crate::backends::shipped(backend)?.usual_keys.iter().find(|usual| usual.host == host)?;
    Some(Source::Variable(usual.variable.clone()))
}

/// The setting of a backend that indicates that its key is in the keyring.
pub const IN_KEYRING: &str = "api_key_in_keyring";

/// Returns the name of a backend's keyring entry. The name includes the host, so that a different address has no key.
pub fn entry(config: &Config, backend: &str) -> String {
    match host(config, backend) {
        Some(host) => format!("{backend} at {host}"),
        None => backend.to_owned(),
    }
}

/// Returns the key of a backend, if it exists.
pub fn find(config: &Config, backend: &str, places: &Places<'_>) -> Result<Option<String>, KeyringError> {
    let key = match source(config, backend) {
        None => None,
        Some(Source::Variable(name)) => (places.env)(&name),
        Some(Source::Keyring(entry)) => (places.keyring)(&entry)?,
    };
    let key = key.map(|key| key.trim().to_owned()).filter(|key| !key.is_empty());
    // From now on, the key is redacted in everything that is written or shown.
    key.iter().for_each(|key| crate::redact::learn(key));
    Ok(key)
}

fn host(config: &Config, backend: &str) -> Option<String> {
    let address = crate::backends::address(config, backend)?;
    let host = address.split_once("://").map_or(address.as_str(), |(_, rest)| rest);
    host.split(['/', ':']).next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> Config {
        toml::from_str(text).unwrap()
    }

    const PLACES: Places<'static> = Places {
        env: &|name| matches!(name, "OPENAI_API_KEY" | "MINE").then(|| format!("key of {name}\n")),
        keyring: &|entry| {
            let is_there = entry == "openai_compatible at api.openai.com";
            Ok(is_there.then(|| "key in the keyring".to_owned()))
        },
    };

    #[test]
    fn the_named_variable_comes_first_then_the_providers_own() {
        let named = config(
            "[backends.openai_compatible]\nbase_url='https://api.openai.com/v1'\napi_key_env='MINE'\n",
        );
        assert_eq!(collect(&named, &PLACES)["openai_compatible"], "key of MINE");
        let usual = config("[backends.openai_compatible]\nbase_url='https://api.openai.com/v1'\n");
        assert_eq!(collect(&usual, &PLACES)["openai_compatible"], "key of OPENAI_API_KEY");
    }

    #[test]
    fn a_backend_without_an_address_has_the_key_of_its_own_provider_and_a_users_file_none_by_itself() {
        let own = config(
            "[backends.openai_compatible]\nmodel='m'\n[backends.mine]\nbase_url='https://api.openai.com/v1'\n",
        );
        assert_eq!(collect(&own, &PLACES).into_keys().collect::<Vec<_>>(), ["openai_compatible"]);
    }

    #[test]
    fn a_key_in_the_keyring_comes_before_the_usual_one_and_belongs_to_its_host() {
        let at = |host: &str| {
            let text = format!("base_url='https://{host}/v1'\napi_key_in_keyring=true\n");
            config(&format!("[backends.openai_compatible]\n{text}"))
        };
        assert_eq!(collect(&at("api.openai.com"), &PLACES)["openai_compatible"], "key in the keyring");
        assert!(collect(&at("evil.example"), &PLACES).is_empty());
        let locked = |_: &str| Err(KeyringError::Silent);
        let places = Places { keyring: &locked, ..PLACES };
        assert!(find(&at("api.openai.com"), "openai_compatible", &places).is_err());
        assert!(collect(&at("api.openai.com"), &places).is_empty(), "no other key is taken instead");
    }

    #[test]
    fn a_usual_key_never_goes_to_another_host() {
        for url in [
            "http://localhost:11434/v1",
            "https://api.openai.com.evil.example/v1",
            "https://evil.example/api.openai.com",
        ] {
            let other = config(&format!("[backends.openai_compatible]\nbase_url='{url}'\n"));
            assert!(collect(&other, &PLACES).is_empty(), "{url}");
        }
    }
}
