//! Profiles: the kinds of agent. A profile is a TOML file; the user's own are in `profiles/` under the home.

use crate::config::LimitOverrides;
use crate::routing::Roles;
use deputy_messages::agent as say;
use deputy_protocol::Phrase;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// A kind of agent.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// One line for lists.
    pub description: String,
    /// Names of the tools it may call.
    pub tools: Vec<String>,
    /// Profiles that its tasks may hand parts to although they have more tools.
    #[serde(default)]
    pub delegates: Vec<String>,
    /// What the planner sees.
    pub prompt: String,
    /// The backend of its tasks, where a task names none; the configured one when absent.
    #[serde(default)]
    pub backend: Option<String>,
    /// The model of its tasks, likewise.
    #[serde(default)]
    pub model: Option<String>,
    /// Models for other work of its tasks; an empty name is nobody.
    #[serde(default)]
    pub roles: Roles,
    /// Limits that differ from the configured ones.
    #[serde(default)]
    pub limits: LimitOverrides,
}

impl Profile {
    /// Its description: a message, where it is that of a profile that comes with Deputy.
    pub fn described(&self, name: &str) -> Phrase {
        let known = deputy_messages::fixed(&format!("agent-profile-{name}"));
        known.filter(|known| *known == self.description).unwrap_or_else(|| self.description.as_str().into())
    }
}

/// Why a profile cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// There is none of that name.
    Unknown {
        /// The name.
        name: String,
        /// Names that exist.
        known: Vec<String>,
    },
    /// Its file cannot be read.
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Its file is not a profile.
    Invalid {
        /// The file.
        path: PathBuf,
        /// Why, with the line.
        source: Box<toml::de::Error>,
    },
}

impl ProfileError {
    /// What to say about it.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Unknown { name, known } => say::there_is_no_profile(known.join(", "), name),
            Self::Read { path, source } => say::profile_unreadable(path.display(), source),
            Self::Invalid { path, source } => say::profile_not_valid(path.display(), source),
        }
    }
}

deputy_messages::said_by_phrase!(ProfileError);

/// Profiles that come with Deputy.
const SHIPPED: &[(&str, &str)] = &[
    ("general", include_str!("../profiles/general.toml")),
    ("organizer", include_str!("../profiles/organizer.toml")),
];

/// Names of all profiles: the shipped ones, then the user's own.
pub fn names(home: &Path) -> Vec<String> {
    let mut names: Vec<String> = SHIPPED.iter().map(|(name, _)| (*name).to_owned()).collect();
    let mut own: Vec<String> = std::fs::read_dir(folder(home))
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".toml").map(str::to_owned))
        .filter(|name| !names.contains(name))
        .collect();
    own.sort();
    names.append(&mut own);
    names
}

/// The profile of that name; the user's own file wins over a shipped one.
pub fn load(home: &Path, name: &str) -> Result<Profile, ProfileError> {
    let unknown = || ProfileError::Unknown { name: name.to_owned(), known: names(home) };
    // A name is a file's stem and nothing else: it must not lead out of the folder.
    if name.is_empty() || name.contains(['/', '\\', '.']) {
        return Err(unknown());
    }
    let path = folder(home).join(format!("{name}.toml"));
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(source) if source.kind() == std::io::ErrorKind::NotFound => {
            let shipped = SHIPPED.iter().find(|(shipped, _)| *shipped == name);
            shipped.map(|(_, text)| (*text).to_owned()).ok_or_else(unknown)?
        }
        Err(source) => return Err(ProfileError::Read { path, source }),
    };
    toml::from_str(&text).map_err(|source| ProfileError::Invalid { path, source: Box::new(source) })
}

/// The profiles of a home as they are now, each parsed anew only when its file has changed.
pub(crate) struct Profiles {
    home: PathBuf,
    loaded: Mutex<HashMap<String, (Stamp, Arc<Profile>)>>,
}

/// When a file was last written and how long it is; none where there is no file.
type Stamp = Option<(SystemTime, u64)>;

impl Profiles {
    pub(crate) fn new(home: PathBuf) -> Self {
        Self { home, loaded: Mutex::default() }
    }

    /// As [`load`].
    pub(crate) fn current(&self, name: &str) -> Result<Arc<Profile>, ProfileError> {
        let file = std::fs::metadata(folder(&self.home).join(name).with_extension("toml"));
        let stamp: Stamp = file.and_then(|meta| Ok((meta.modified()?, meta.len()))).ok();
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        match loaded.get(name) {
            Some((known, profile)) if *known == stamp => Ok(profile.clone()),
            _ => {
                let profile = Arc::new(load(&self.home, name)?);
                loaded.insert(name.to_owned(), (stamp, profile.clone()));
                Ok(profile)
            }
        }
    }
}

fn folder(home: &Path) -> PathBuf {
    home.join("profiles")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profiles_that_come_with_deputy_are_described_by_messages() {
        let home = tempfile::tempdir().unwrap();
        for (name, _) in SHIPPED {
            let described = load(home.path(), name).unwrap().described(name);
            assert!(described.id().is_some(), "{name}: {described}");
        }
    }

    #[test]
    fn the_shipped_profiles_are_valid() {
        let home = tempfile::tempdir().unwrap();
        for (name, _) in SHIPPED {
            assert!(!load(home.path(), name).unwrap().tools.is_empty());
        }
    }

    #[test]
    fn an_own_profile_is_found_and_wins() {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join("profiles")).unwrap();
        let own = "description = 'mine'\ntools = ['search']\nprompt = 'p'\n[limits]\nmax_iterations = 7\n";
        std::fs::write(home.path().join("profiles/general.toml"), own).unwrap();
        std::fs::write(home.path().join("profiles/other.toml"), own).unwrap();
        assert_eq!(names(home.path()), ["general", "organizer", "other"]);
        assert_eq!(load(home.path(), "general").unwrap().limits.max_iterations, Some(7));
    }

    #[test]
    fn a_profile_that_changes_is_read_again() {
        let home = tempfile::tempdir().unwrap();
        let profiles = Profiles::new(home.path().to_owned());
        let shipped = profiles.current("general").unwrap();
        assert!(Arc::ptr_eq(&shipped, &profiles.current("general").unwrap()));
        std::fs::create_dir(home.path().join("profiles")).unwrap();
        let own = home.path().join("profiles/general.toml");
        std::fs::write(&own, "description = 'mine'\ntools = ['search']\nprompt = 'p'\n").unwrap();
        assert_eq!(profiles.current("general").unwrap().description, "mine");
        std::fs::write(&own, "description = 'mine'\ntools = ").unwrap();
        assert!(profiles.current("general").is_err());
        std::fs::remove_file(&own).unwrap();
        assert_eq!(profiles.current("general").unwrap().description, shipped.description);
    }

    #[test]
    fn an_unknown_name_lists_the_known_and_a_path_is_no_name() {
        let home = tempfile::tempdir().unwrap();
        let error = load(home.path(), "nobody").unwrap_err().to_string();
        assert!(error.contains("`nobody`") && error.contains("general"), "{error}");
        assert!(matches!(load(home.path(), "../general"), Err(ProfileError::Unknown { .. })));
    }

    #[test]
    fn a_mistake_names_file_and_line() {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join("profiles")).unwrap();
        std::fs::write(home.path().join("profiles/bad.toml"), "description = 'x'\ntoolz = []\n").unwrap();
        let error = load(home.path(), "bad").unwrap_err().to_string();
        assert!(error.contains("bad.toml") && error.contains("line 2"), "{error}");
    }
}
