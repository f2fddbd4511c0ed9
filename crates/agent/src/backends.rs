//! Which backends there are, as far as the core knows without asking the sidecar.

use crate::config::Config;
use crate::keys::{self, Places, Source};
use deputy_protocol::{ErrorBody, ErrorCode};
use std::path::{Path, PathBuf};

/// Backends that come with Deputy.
pub const SHIPPED: &[&str] = &["offline", "openai_compatible"];

/// The folder with the user's own backend files.
pub fn folder(home: &Path) -> PathBuf {
    home.join("backends")
}

/// Names of all backends: the shipped ones, then the user's own.
pub fn names(home: &Path) -> Vec<String> {
    let mut own: Vec<String> = std::fs::read_dir(folder(home))
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".py").map(str::to_owned))
        .filter(|name| !name.starts_with(['_', '.']) && !SHIPPED.contains(&name.as_str()))
        .collect();
    own.sort();
    SHIPPED.iter().map(|name| (*name).to_owned()).chain(own).collect()
}

/// Refuses a name that no backend has, and says which there are.
pub fn known(home: &Path, name: &str) -> Result<(), ErrorBody> {
    let known = names(home);
    if known.iter().any(|other| other == name) {
        return Ok(());
    }
    let message = format!("There is no backend `{name}`; there are: {}.", known.join(", "));
    let hint = format!("Put your own as `{name}.py` into {}.", folder(home).display());
    Err(ErrorBody::new(ErrorCode::UnknownBackend, message, hint))
}

/// Whether a task can be handed to a backend; says what is missing before anything is started.
pub fn check(home: &Path, config: &Config, name: &str) -> Result<(), ErrorBody> {
    check_in(home, config, name, &keys::REAL)
}

/// The same without a look into the keyring, which may first ask its user for a password.
pub fn check_quickly(home: &Path, config: &Config, name: &str) -> Result<(), ErrorBody> {
    let places = Places { keyring: &|_| Ok(Some("perhaps".to_owned())), ..keys::REAL };
    check_in(home, config, name, &places)
}

fn check_in(home: &Path, config: &Config, name: &str, places: &Places<'_>) -> Result<(), ErrorBody> {
    known(home, name)?;
    if name == "openai_compatible" && setting(config, name, "model").is_none() {
        let message = "The backend `openai_compatible` does not know which model to use.";
        let hint = "Set it, e.g. `deputy config set backends.openai_compatible.model MODEL`, and the server with \
                    `deputy config set backends.openai_compatible.base_url http://localhost:11434/v1`.";
        return Err(ErrorBody::new(ErrorCode::BackendSettings, message, hint));
    }
    let named = format!("`deputy config set backends.{name}.api_key_env VARIABLE`");
    let (why, hint) = match (keys::source(config, name), keys::find(config, name, places)) {
        (None, _) | (Some(_), Ok(Some(_))) => return Ok(()),
        (Some(Source::Variable(variable)), _) => (
            format!("the variable {variable} is not set"),
            format!(
                "Set {variable} in the environment that Deputy starts in, name another one with {named}, or put the \
                 key into the desktop's keyring with `deputy backends key {name}`."
            ),
        ),
        (Some(Source::Keyring(entry)), Ok(None)) => (
            format!("the desktop's keyring has no entry `{entry}`"),
            format!("Put it there with `deputy backends key {name}`."),
        ),
        (Some(Source::Keyring(_)), Err(error)) => (
            error.to_string(),
            format!("Unlock it and try again, or name the variable that holds the key with {named}."),
        ),
    };
    Err(ErrorBody::new(ErrorCode::MissingKey, format!("The backend `{name}` needs a key, and {why}."), hint))
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
        assert_eq!(names(home.path()), ["offline", "openai_compatible", "mine"]);
    }
}
