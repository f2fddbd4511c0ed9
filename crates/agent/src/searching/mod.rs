//! Which search provider `web_search` asks: a form that comes with Deputy or lies in the home, with the person's settings.

use crate::config::Config;
use crate::keys;
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_tools::{SearchForm, SearchProvider, Searching};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The forms that come with Deputy.
const SHIPPED: &[(&str, &str)] = &[
    ("searxng", include_str!("searxng.toml")),
    ("brave", include_str!("brave.toml")),
    ("tavily", include_str!("tavily.toml")),
];

/// What `web_search` asks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchSettings {
    /// The name of a provider: `searxng`, `brave`, `tavily`, or a form in the home's folder `search`.
    pub provider: Option<String>,
    /// Where it is, if not at its own address.
    pub address: Option<String>,
    /// The environment variable that holds its key; the provider's usual one when absent.
    pub api_key_env: Option<String>,
}

/// Gives the provider as the settings are at each call.
pub fn searching(home: &Path) -> Searching {
    let home = home.to_owned();
    Arc::new(move || {
        let config = Config::load(&home).map_err(|error| error.phrase())?;
        provider(&home, &config, keys::REAL.env)
    })
}

fn folder(home: &Path) -> PathBuf {
    home.join("search")
}

/// The names of all forms: the shipped ones, then the user's own.
fn names(home: &Path) -> Vec<String> {
    let own = std::fs::read_dir(folder(home)).into_iter().flatten().flatten();
    let own = own.filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".toml").map(str::to_owned));
    let mut own: Vec<String> = own.filter(|name| SHIPPED.iter().all(|(other, _)| other != name)).collect();
    own.sort();
    SHIPPED.iter().map(|(name, _)| (*name).to_owned()).chain(own).collect()
}

fn provider(
    home: &Path,
    config: &Config,
    env: &dyn Fn(&str) -> Option<String>,
) -> Result<SearchProvider, Phrase> {
    let settings = &config.search;
    let Some(name) = settings.provider.as_deref().filter(|name| !name.is_empty()) else {
        let known = names(home).join(", ");
        return Err(say::no_search_provider(known));
    };
    let shipped = SHIPPED.iter().find(|(other, _)| *other == name).map(|(_, text)| (*text).to_owned());
    let is_own = shipped.is_none();
    let text = match shipped {
        Some(text) => text,
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
    let form: SearchForm =
        toml::from_str(&text).map_err(|error| say::search_provider_unusable(error.message(), name))?;
    let address = settings
        .address
        .clone()
        .or_else(|| form.address.clone())
        .ok_or_else(|| say::search_needs_address(&form.label))?;
    // The usual key goes to the provider's own address alone, and to no form of a user's that nobody named a key for.
    let is_its_own = !is_own && form.address.as_ref() == Some(&address);
    let usual = form.key_variable.clone().filter(|_| is_its_own);
    let variable = settings.api_key_env.clone().or(usual);
    let key = variable.as_deref().and_then(env).map(|key| key.trim().to_owned());
    let key = key.filter(|key| !key.is_empty());
    if form.key_variable.is_some() && key.is_none() {
        let where_to = match variable {
            Some(variable) => say::variable_not_set(variable),
            None => say::search_names_no_variable(),
        };
        return Err(say::search_needs_key(form.label, where_to));
    }
    // What is written and shown from now on holds none of it.
    key.iter().for_each(|key| crate::redact::learn(key));
    Ok(SearchProvider { form, address, key })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(home: &Path, text: &str) -> Result<(String, String, Option<String>), String> {
        let env = |name: &str| {
            matches!(name, "BRAVE_API_KEY" | "MINE").then(|| format!("the key of {}", name.to_lowercase()))
        };
        let provider = provider(home, &toml::from_str(text).unwrap(), &env)?;
        Ok((provider.form.label, provider.address, provider.key))
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
