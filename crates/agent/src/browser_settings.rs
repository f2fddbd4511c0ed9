//! The settings of the browser that tasks use.

use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The settings of the browser that tasks use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BrowserSettings {
    /// The name of a persistent profile, with its cookies and logins. If absent, each task gets a fresh profile.
    pub profile: Option<ProfileName>,
}

/// A name that is valid as a folder name: letters, digits, `-` and `_`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct ProfileName(String);

impl TryFrom<String> for ProfileName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        match (1..=40).contains(&name.len()) && name.chars().all(fits) {
            true => Ok(Self(name)),
            false => Err("expected a name of 1 to 40 letters, digits, `-` and `_`".to_owned()),
        }
    }
}

impl ProfileName {
    /// Returns the folder in which the browser keeps the profile.
    pub fn folder(&self, home: &Path) -> PathBuf {
        home.join("browser").join(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use crate::config::Config;

    #[test]
    fn the_name_of_a_kept_profile_is_no_path() {
        let named = |name: &str| toml::from_str::<Config>(&format!("[browser]\nprofile = '{name}'\n"));
        let folder = named("my-bank_2").unwrap().browser.profile.unwrap().folder("/home/ada/deputy".as_ref());
        assert_eq!(folder.to_str(), Some("/home/ada/deputy/browser/my-bank_2"));
        for bad in ["", "..", "a/b", "a b", "ä"] {
            let error = named(bad).unwrap_err().to_string();
            assert!(error.contains("letters, digits"), "{bad}: {error}");
        }
    }
}
