//! The search provider of `web_search`: a form that comes with Deputy or is in the home, combined with the person's
//! settings.

use crate::config::Config;
use crate::keyring::{self, KeyringError};
use crate::keys::Source;
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_protocol::{ErrorBody, ErrorCode, KeyPlace, SearchChoice, WebSearchSettings};
use deputy_tools::{SearchForm, SearchKey, SearchProvider, Searching};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The forms that come with Deputy.
const SHIPPED: &[(&str, &str)] = &[
    ("searxng", include_str!("searxng.toml")),
    ("brave", include_str!("brave.toml")),
    ("tavily", include_str!("tavily.toml")),
];

/// Reads an entry of a keyring.
type Keyring = fn(&str) -> Result<Option<String>, KeyringError>;

/// The search service used by `web_search`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchSettings {
    /// The name of a provider: `searxng`, `brave`, `tavily`, or a form in the home's folder `search`.
    pub provider: Option<String>,
    /// The address of the provider, if it differs from the default.
    pub address: Option<String>,
    /// The environment variable with its key. The provider's usual variable if absent.
    pub api_key_env: Option<String>,
    /// Providers with a key in the desktop's keyring.
    pub keys_in_keyring: Vec<String>,
}

/// The setting that lists providers with a key in the desktop's keyring.
pub const KEYS_IN_KEYRING: &str = "search.keys_in_keyring";

/// Returns a function that looks up the provider with the current settings at each call.
pub fn searching(home: &Path) -> Searching {
    let home = home.to_owned();
    Arc::new(move || {
        let config = Config::load(&home).map_err(|error| error.phrase())?;
        configured(&home, &config)
    })
}

/// Returns the configured provider, which reads its key when it is needed.
///
/// # Errors
/// A message that says what is missing.
pub fn configured(home: &Path, config: &Config) -> Result<SearchProvider, Phrase> {
    provider(home, config, |name| std::env::var(name).ok(), keyring::get)
}

/// Returns the web search settings for clients: the configured provider, and what each provider needs.
pub fn shown(home: &Path, config: &Config) -> WebSearchSettings {
    let choice = |name: String| {
        let form = form(home, &name);
        let is_set = config.search.provider.as_deref() == Some(&name);
        let problem = match &form {
            Err(error) => Some(error.clone()),
            Ok(_) if is_set => configured(home, config).err(),
            Ok(_) => None,
        };
        let form = form.ok();
        let key = form.as_ref().and_then(|form| source(config, &name, form)).map(KeyPlace::from);
        SearchChoice {
            label: form.as_ref().map_or_else(|| name.clone(), |form| form.label.clone()),
            address: form.as_ref().and_then(|form| form.address.clone()),
            takes_key: form.is_some_and(|form| form.key_variable.is_some()),
            shipped: shipped(&name).is_some(),
            key,
            problem,
            name,
        }
    };
    WebSearchSettings {
        provider: config.search.provider.clone(),
        address: config.search.address.clone(),
        providers: names(home).into_iter().map(choice).collect(),
    }
}

/// Returns the keyring entry of a provider's key. It includes the host, so that a new address has no key.
///
/// # Errors
/// No provider has that name, or it has no address yet.
pub fn entry(home: &Path, config: &Config, name: &str) -> Result<String, ErrorBody> {
    let form = known(home, name)?;
    let entry = entry_of(config, name, &form).ok_or_else(|| {
        let message = say::search_address_first(&form.label);
        ErrorBody::new(ErrorCode::BadSetting, message, say::set_search_address())
    })?;
    Ok(entry)
}

/// Returns the form of a known provider.
///
/// # Errors
/// No form has that name, or it cannot be read.
pub fn known(home: &Path, name: &str) -> Result<SearchForm, ErrorBody> {
    form(home, name).map_err(|why| {
        ErrorBody::new(ErrorCode::UnknownSearchProvider, why, say::web_search_list_shows_them())
    })
}

/// Checks that a text is valid as a provider's address.
///
/// # Errors
/// The reason why it is not valid.
pub fn is_address(key: &str, address: &str) -> Result<(), ErrorBody> {
    let refused = |message: Phrase, hint: Phrase| Err(ErrorBody::new(ErrorCode::BadSetting, message, hint));
    if address.contains('@') {
        return refused(say::address_with_password(key), say::put_search_key_into_keyring_instead());
    }
    match deputy_policy::url::origin(address) {
        Some(origin) if origin.starts_with("http") => Ok(()),
        _ => refused(say::not_a_web_address(key), say::web_address_begins()),
    }
}

/// Returns the setting's new value after this provider's key was stored or removed: all providers with a key in the
/// keyring.
pub fn with_key(config: &Config, name: &str, is_kept: bool) -> Option<toml_edit::Value> {
    let others = config.search.keys_in_keyring.iter().filter(|other| *other != name).cloned();
    let names: toml_edit::Array = others.chain(is_kept.then(|| name.to_owned())).collect();
    (!names.is_empty()).then_some(names.into())
}

fn folder(home: &Path) -> PathBuf {
    home.join("search")
}

/// Returns the names of all forms: the shipped ones, then the user's own.
fn names(home: &Path) -> Vec<String> {
    let own = std::fs::read_dir(folder(home)).into_iter().flatten().flatten();
    let own = own.filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".toml").map(str::to_owned));
    let mut own: Vec<String> = own.filter(|name| SHIPPED.iter().all(|(other, _)| other != name)).collect();
    own.sort();
    SHIPPED.iter().map(|(name, _)| (*name).to_owned()).chain(own).collect()
}

fn shipped(name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(other, _)| *other == name).map(|(_, text)| *text)
}

fn form(home: &Path, name: &str) -> Result<SearchForm, Phrase> {
    let text = match shipped(name) {
        Some(text) => text.to_owned(),
        // A name is not a path.
        None if names(home).iter().any(|known| known == name) => {
            let path = folder(home).join(format!("{name}.toml"));
            std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?
        }
        None => {
            let known = names(home).join(", ");
            return Err(say::unknown_search_provider(known, name));
        }
    };
    toml::from_str(&text).map_err(|error| say::search_provider_unusable(error.message(), name))
}

/// Returns a provider's address: the configured one if the provider is in use, otherwise its own.
fn address(config: &Config, name: &str, form: &SearchForm) -> Option<String> {
    let is_set = config.search.provider.as_deref() == Some(name);
    let own = if is_set { config.search.address.clone() } else { None };
    own.or_else(|| form.address.clone())
}

fn entry_of(config: &Config, name: &str, form: &SearchForm) -> Option<String> {
    let address = address(config, name, form)?;
    Some(format!("web search {name} at {}", deputy_policy::url::origin(&address)?))
}

/// Returns where a provider's key is read from: the configured variable, then the keyring if it holds one, then the
/// provider's usual variable. `None` if the provider takes no key.
fn source(config: &Config, name: &str, form: &SearchForm) -> Option<Source> {
    let is_set = config.search.provider.as_deref() == Some(name);
    if let Some(variable) = config.search.api_key_env.clone().filter(|_| is_set) {
        return Some(Source::Variable(variable));
    }
    if config.search.keys_in_keyring.iter().any(|kept| kept == name) {
        return entry_of(config, name, form).map(Source::Keyring);
    }
    // The usual variable's key is sent only to the provider's own address, never to a user's own form.
    let is_its_own = shipped(name).is_some() && form.address == address(config, name, form);
    form.key_variable.clone().filter(|_| is_its_own).map(Source::Variable)
}

/// Returns the key of a keyring entry.
fn kept(entry: &str, keyring: Keyring) -> Result<String, Phrase> {
    let key = keyring(entry).map_err(|error| error.phrase())?.map(|key| key.trim().to_owned());
    let key = key.filter(|key| !key.is_empty()).ok_or_else(|| say::keyring_has_no_entry(entry))?;
    // From now on, the key is redacted in everything that is written or shown.
    crate::redact::learn(&key);
    Ok(key)
}

fn provider(
    home: &Path,
    config: &Config,
    env: fn(&str) -> Option<String>,
    keyring: Keyring,
) -> Result<SearchProvider, Phrase> {
    let Some(name) = config.search.provider.as_deref().filter(|name| !name.is_empty()) else {
        let known = names(home).join(", ");
        return Err(say::no_search_provider(known));
    };
    let form = form(home, name)?;
    let address = address(config, name, &form).ok_or_else(|| say::search_needs_address(&form.label))?;
    let needs = |why: Phrase| Err(say::search_needs_key(form.label.clone(), why));
    let key: Option<SearchKey> = match source(config, name, &form) {
        None if form.key_variable.is_some() => return needs(say::search_names_no_variable()),
        None => None,
        Some(Source::Variable(variable)) => {
            let key = env(&variable).map(|key| key.trim().to_owned());
            match key.filter(|key| !key.is_empty()) {
                Some(key) => {
                    crate::redact::learn(&key);
                    Some(Arc::new(move || Ok(key.clone())))
                }
                None if form.key_variable.is_some() => return needs(say::variable_not_set(variable)),
                None => None,
            }
        }
        // The keyring may prompt its user, so it is read only for a search.
        Some(Source::Keyring(entry)) => {
            let label = form.label.clone();
            Some(Arc::new(move || {
                kept(&entry, keyring).map_err(|why| say::search_needs_key(label.clone(), why))
            }))
        }
    };
    Ok(SearchProvider { form, address, key })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(home: &Path, text: &str) -> Result<(String, String, Option<String>), String> {
        let env = |name: &str| {
            matches!(name, "BRAVE_API_KEY" | "MINE").then(|| format!("the key of {}", name.to_lowercase()))
        };
        let keyring = |entry: &str| {
            let is_there = entry == "web search tavily at https://api.tavily.com";
            Ok(is_there.then(|| "the key in the keyring\n".to_owned()))
        };
        let provider = provider(home, &toml::from_str(text).unwrap(), env, keyring)?;
        let key = provider.key.map(|key| key()).transpose()?;
        Ok((provider.form.label, provider.address, key))
    }

    #[test]
    fn each_shipped_form_can_be_read() {
        for (name, text) in SHIPPED {
            let form: SearchForm = toml::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(form.results.list.starts_with('/') && form.path.starts_with('/'), "{name}");
        }
    }

    #[test]
    fn what_is_missing_is_said_and_a_key_goes_to_its_own_provider_alone() {
        let home = tempfile::tempdir().unwrap();
        let say = |text: &str| of(home.path(), text).unwrap_err();
        assert!(say("").contains("no search provider is set"), "{}", say(""));
        assert!(say("").contains("searxng, brave, tavily"));
        assert!(say("[search]\nprovider='../brave'\n").contains("there is no search provider"));
        assert!(say("[search]\nprovider='searxng'\n").contains("needs its address"));
        assert!(say("[search]\nprovider='tavily'\n").contains("TAVILY_API_KEY is not set"));
        let elsewhere = "[search]\nprovider='brave'\naddress='https://evil.example'\n";
        assert!(say(elsewhere).contains("names no variable"), "{}", say(elsewhere));

        let of = |text: &str| of(home.path(), text).unwrap();
        let searxng = of("[search]\nprovider='searxng'\naddress='http://127.0.0.1:8888'\n");
        assert_eq!(searxng, ("SearXNG".into(), "http://127.0.0.1:8888".into(), None));
        assert_eq!(of("[search]\nprovider='brave'\n").2.unwrap(), "the key of brave_api_key");
        let named = format!("{elsewhere}api_key_env='MINE'\n");
        assert_eq!(of(&named).2.unwrap(), "the key of mine");
    }

    #[test]
    fn a_key_in_the_keyring_belongs_to_its_provider_and_its_address() {
        let home = tempfile::tempdir().unwrap();
        let kept = "[search]\nprovider='tavily'\nkeys_in_keyring=['tavily']\n";
        assert_eq!(of(home.path(), kept).unwrap().2.unwrap(), "the key in the keyring");
        let elsewhere = of(home.path(), &format!("{kept}address='https://evil.example'\n")).unwrap_err();
        assert!(elsewhere.contains("no entry `web search tavily at https://evil.example`"), "{elsewhere}");
        // Neither another provider's key nor its usual variable is used instead.
        let other = "[search]\nprovider='brave'\nkeys_in_keyring=['brave', 'tavily']\n";
        let missing = of(home.path(), other).unwrap_err();
        assert!(missing.contains("no entry `web search brave at https://api.search.brave.com`"), "{missing}");
        let config: Config = toml::from_str(kept).unwrap();
        assert_eq!(with_key(&config, "brave", true).unwrap().to_string(), "[\"tavily\", \"brave\"]");
        assert!(with_key(&config, "tavily", false).is_none());
        let shown = shown(home.path(), &config);
        let place = shown.providers.iter().find(|choice| choice.name == "tavily").unwrap().key.clone();
        assert_eq!(place.unwrap().name, "web search tavily at https://api.tavily.com");
        let error = entry(home.path(), &config, "searxng").unwrap_err();
        assert_eq!(error.code, ErrorCode::BadSetting);
        assert_eq!(known(home.path(), "../x").unwrap_err().code, ErrorCode::UnknownSearchProvider);
    }

    #[test]
    fn a_form_of_ones_own_is_found_by_name_and_gets_no_key_by_itself() {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder(home.path())).unwrap();
        let form = SHIPPED[1].1.replace("Brave Search", "Mine");
        std::fs::write(folder(home.path()).join("mine.toml"), form).unwrap();
        let set = "[search]\nprovider='mine'\n";
        assert!(of(home.path(), set).unwrap_err().contains("names no variable"));
        assert_eq!(of(home.path(), &format!("{set}api_key_env='MINE'\n")).unwrap().0, "Mine");
        std::fs::write(folder(home.path()).join("mine.toml"), "label = 1").unwrap();
        assert!(of(home.path(), set).unwrap_err().contains("cannot be used"));
    }
}
