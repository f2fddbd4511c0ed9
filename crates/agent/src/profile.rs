//! Profiles: the kinds of agents. A profile is a TOML file; the user's own profiles are in `profiles/` under the home.

use crate::config::LimitOverrides;
use crate::routing::Roles;
use deputy_messages::agent as say;
use deputy_protocol::{Phrase, TaskSpec};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// A kind of agent.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// A description on one line, for lists.
    pub description: String,
    /// The tools that it may call, by name, or single actions of them as `tool.action`.
    pub tools: Vec<String>,
    /// The profiles to which its tasks may delegate parts, even if they have more tools.
    #[serde(default)]
    pub delegates: Vec<String>,
    /// The instructions for the planner.
    pub prompt: String,
    /// The instructions for the planner of a sub-task. Those of any other task if absent.
    #[serde(default)]
    pub subtask_prompt: Option<String>,
    /// The backend of tasks that do not name one. The configured backend if absent.
    #[serde(default)]
    pub backend: Option<String>,
    /// The model of tasks that do not name one. The configured model if absent.
    #[serde(default)]
    pub model: Option<String>,
    /// The models for other work of its tasks. An empty name disables the role.
    #[serde(default)]
    pub roles: Roles,
    /// Limits that differ from the configured ones.
    #[serde(default)]
    pub limits: LimitOverrides,
}

impl Profile {
    /// Returns whether it may call a tool, or an action named as `tool.action`.
    pub fn has_tool(&self, name: &str) -> bool {
        let of = name.split('.').next().unwrap_or(name);
        self.tools.iter().any(|own| own == name || own == of)
    }

    /// Returns the instructions for the planner of a task.
    pub fn prompt_of(&self, spec: &TaskSpec) -> &str {
        let of_subtask = self.subtask_prompt.as_ref().filter(|_| spec.parent.is_some());
        of_subtask.unwrap_or(&self.prompt).trim_end()
    }

    /// Returns its description, as a message if the profile comes with Deputy.
    pub fn described(&self, name: &str) -> Phrase {
        let known = deputy_messages::fixed(&format!("agent-profile-{name}"));
        known.filter(|known| *known == self.description).unwrap_or_else(|| self.description.as_str().into())
    }
}

/// The reason why a profile cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// The profile does not exist.
    Unknown {
        /// The name.
        name: String,
        /// The names that exist.
        known: Vec<String>,
    },
    /// Its file cannot be read.
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// Its file is not a valid profile.
    Invalid {
        /// The file.
        path: PathBuf,
        /// The cause, with the line.
        source: Box<toml::de::Error>,
    },
}

impl ProfileError {
    /// Returns the message for this error.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Unknown { name, known } => say::there_is_no_profile(known.join(", "), name),
            Self::Read { path, source } => say::profile_unreadable(path.display(), source),
            Self::Invalid { path, source } => say::profile_not_valid(path.display(), source),
        }
    }
}

deputy_messages::said_by_phrase!(ProfileError);

/// The profiles that come with Deputy.
const SHIPPED: &[(&str, &str)] = &[
    ("general", include_str!("../profiles/general.toml")),
    ("organizer", include_str!("../profiles/organizer.toml")),
];

/// Returns the names of all profiles: the shipped ones, then the user's own.
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

/// Loads the profile of a name. The user's own file has priority over a shipped one.
pub fn load(home: &Path, name: &str) -> Result<Profile, ProfileError> {
    let unknown = || ProfileError::Unknown { name: name.to_owned(), known: names(home) };
    // A name is only the stem of a file name, so that it cannot point outside of the folder.
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

/// The current profiles of a home. A profile is parsed again only when its file has changed.
pub(crate) struct Profiles {
    home: PathBuf,
    loaded: Mutex<HashMap<String, (Stamp, Arc<Profile>)>>,
}

/// The modification time and the size of a file. `None` if it does not exist.
type Stamp = Option<(SystemTime, u64)>;

impl Profiles {
    pub(crate) fn new(home: PathBuf) -> Self {
        Self { home, loaded: Mutex::default() }
    }

    /// Loads a profile like [`load`], from the cache if its file has not changed.
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
    fn the_prompt_is_short_and_names_no_function_that_its_tasks_lack() {
        let home = tempfile::tempdir().unwrap();
        let organize = deputy_tools::OrganizeHome::of(home.path(), home.path());
        let registry = deputy_tools::Registry::standard().organizing(organize);
        let functions = |tools: &[String]| {
            let specs =
                registry.specs(tools, &registry.groups(tools), &[], &deputy_protocol::Limits::default());
            specs.into_iter().map(|spec| spec.name).collect::<Vec<_>>()
        };
        let all = functions(&registry.names());
        for (name, _) in SHIPPED {
            let profile = load(home.path(), name).unwrap();
            assert!(profile.prompt.len() < 1_900, "{name}: {} bytes", profile.prompt.len());
            let of_subtask = profile.subtask_prompt.as_deref().unwrap_or_default();
            assert!(of_subtask.len() < 900, "{name}: {} bytes", of_subtask.len());
            let own = functions(&profile.tools);
            let texts = [profile.prompt.as_str(), of_subtask];
            for named in texts.iter().flat_map(|text| text.split('`').skip(1).step_by(2)) {
                assert!(
                    own.iter().any(|own| own == named) || !all.iter().any(|one| one == named),
                    "{name}: {named}"
                );
                assert!(
                    named == "todo" || registry.get(named).is_none(),
                    "{name}: {named} is not what models call"
                );
            }
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
