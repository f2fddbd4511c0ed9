//! Where a backend's API key comes from. Keys go to the sidecar in `initialize` and nowhere else.

use crate::config::Config;
use std::collections::BTreeMap;

/// Hosts whose usual variable is known: that variable's key is only ever sent to that host.
const USUAL: &[(&str, &str)] = &[
    ("api.openai.com", "OPENAI_API_KEY"),
    ("openrouter.ai", "OPENROUTER_API_KEY"),
    ("api.groq.com", "GROQ_API_KEY"),
    ("api.mistral.ai", "MISTRAL_API_KEY"),
    ("api.deepseek.com", "DEEPSEEK_API_KEY"),
];

/// Environment variables by name; a function, so that tests need not change the process's own.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The key of each configured backend, for those that have one.
pub fn collect(config: &Config, env: Environment<'_>) -> BTreeMap<String, String> {
    let found = config.backends.keys().filter_map(|name| Some((name.clone(), find(config, name, env)?)));
    found.collect()
}

/// The variable that a backend's key is read from: the configured one, else the provider's usual one.
pub fn variable(config: &Config, backend: &str) -> Option<String> {
    let settings = config.backends.get(backend)?;
    if let Some(name) = settings.get("api_key_env").and_then(|v| v.as_str()) {
        return Some(name.to_owned());
    }
    let base_url = settings.get("base_url").and_then(|v| v.as_str())?;
    let host = base_url.split_once("://").map_or(base_url, |(_, rest)| rest);
    let host = host.split(['/', ':']).next().unwrap_or_default();
    USUAL.iter().find(|(usual, _)| *usual == host).map(|(_, variable)| (*variable).to_owned())
}

fn find(config: &Config, backend: &str, env: Environment<'_>) -> Option<String> {
    env(&variable(config, backend)?).map(|key| key.trim().to_owned()).filter(|key| !key.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> Config {
        toml::from_str(text).unwrap()
    }

    fn env(name: &str) -> Option<String> {
        matches!(name, "OPENAI_API_KEY" | "MINE").then(|| format!("key of {name}\n"))
    }

    #[test]
    fn the_named_variable_comes_first_then_the_providers_own() {
        let named = config(
            "[backends.openai_compatible]\nbase_url='https://api.openai.com/v1'\napi_key_env='MINE'\n",
        );
        assert_eq!(collect(&named, &env)["openai_compatible"], "key of MINE");
        let usual = config("[backends.openai_compatible]\nbase_url='https://api.openai.com/v1'\n");
        assert_eq!(collect(&usual, &env)["openai_compatible"], "key of OPENAI_API_KEY");
    }

    #[test]
    fn a_usual_key_never_goes_to_another_host() {
        for url in [
            "http://localhost:11434/v1",
            "https://api.openai.com.evil.example/v1",
            "https://evil.example/api.openai.com",
        ] {
            let other = config(&format!("[backends.openai_compatible]\nbase_url='{url}'\n"));
            assert!(collect(&other, &env).is_empty(), "{url}");
        }
    }
}
