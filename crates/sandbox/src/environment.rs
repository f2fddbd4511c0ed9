//! The environment of a command. It is created from scratch and never inherited.

use crate::Lent;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The fixed search path for programs. No setting and no folder of the user can change the meaning of a name.
pub const SYSTEM_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Settings that prevent a planted repository from making git run its programs or rewrite its index.
const GIT_SETTINGS: [(&str, &str); 4] =
    [NO_MONITOR, NO_HOOKS, ("log.showSignature", "false"), ("diff.autoRefreshIndex", "false")];
const NO_MONITOR: (&str, &str) = ("core.fsmonitor", "false");
const NO_HOOKS: (&str, &str) = ("core.hooksPath", "/dev/null");
/// An empty helper makes git ignore the credential helpers in its configuration files, which provide passwords.
const NO_HELPERS: (&str, &str) = ("credential.helper", "");
/// Git removes objects that nothing refers to only when it is asked to.
const NO_CLEANING: [(&str, &str); 2] = [("gc.auto", "0"), ("maintenance.auto", "false")];

/// The environment in which a command starts. Neither variant contains credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Environment {
    /// Nobody approved this exact command: a fixed `PATH`, and a git that runs and writes nothing.
    Hardened {
        /// A file that git reads instead of the person's own settings, which are hidden.
        git_settings: Option<PathBuf>,
    },
    /// A person approved the command. It finds the same programs as in their terminal.
    Person(PersonEnvironment),
}

/// The parts of the person's own environment that a command receives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PersonEnvironment {
    /// Absolute folders, separated by colons.
    pub path: OsString,
    /// Variables without secrets, such as the locations of toolchains.
    pub variables: Vec<(OsString, OsString)>,
    /// Whether git runs the hooks of the repository, as stated in the approval.
    pub runs_hooks: bool,
    /// What the person agreed to lend to this exact command.
    pub lent: Option<Arc<Lent>>,
}

impl Default for Environment {
    fn default() -> Self {
        Self::Hardened { git_settings: None }
    }
}

impl Environment {
    /// Returns the search path for program names.
    pub(crate) fn path(&self) -> OsString {
        match self {
            Self::Person(person) if !person.path.is_empty() => person.path.clone(),
            _ => SYSTEM_PATH.into(),
        }
    }

    /// Returns all variables.
    pub(crate) fn variables(&self, home: &Path) -> Vec<(OsString, OsString)> {
        let Self::Person(person) = self else { return clean_env(home) };
        let mut env = common(home);
        env.push(("PATH".into(), self.path()));
        env.extend(person.variables.iter().cloned());
        let hooks = (!person.runs_hooks).then_some(NO_HOOKS);
        let lent = person.lent.as_deref();
        env.extend(lent.into_iter().flat_map(|lent| lent.variables.iter().cloned()));
        let settings = lent.into_iter().flat_map(|lent| &lent.git);
        let settings = settings.map(|(key, value)| (key.as_str(), value.as_str()));
        git_settings(
            &mut env,
            [NO_MONITOR, NO_HELPERS].into_iter().chain(NO_CLEANING).chain(hooks).chain(settings),
        );
        env
    }

    /// Returns the sockets of other processes that the command may connect to.
    pub(crate) fn sockets(&self) -> &[PathBuf] {
        match self {
            Self::Person(PersonEnvironment { lent: Some(lent), .. }) => &lent.sockets,
            _ => &[],
        }
    }
}

/// Returns the environment of every command: a fixed `PATH`, the user and home folder, a plain terminal, and a hardened
/// git. It contains no credentials, because nothing of Deputy's own environment except the user name is copied.
pub fn clean_env(home: &Path) -> Vec<(OsString, OsString)> {
    let mut env = common(home);
    env.push(("PATH".into(), SYSTEM_PATH.into()));
    env.push(("GIT_OPTIONAL_LOCKS".into(), "0".into()));
    git_settings(&mut env, GIT_SETTINGS.into_iter());
    env
}

fn common(home: &Path) -> Vec<(OsString, OsString)> {
    let fixed = [
        ("LANG", "C.UTF-8"),
        ("TERM", "dumb"),
        ("PAGER", "cat"),
        ("GIT_PAGER", "cat"),
        ("GIT_TERMINAL_PROMPT", "0"),
    ];
    let mut env: Vec<(OsString, OsString)> = fixed.map(|(name, value)| (name.into(), value.into())).into();
    env.push(("HOME".into(), home.into()));
    env.push(("USER".into(), user_name()));
    env
}

/// Adds settings that override git's configuration files.
fn git_settings<'a>(env: &mut Vec<(OsString, OsString)>, settings: impl Iterator<Item = (&'a str, &'a str)>) {
    let mut count = 0;
    for (key, value) in settings {
        env.push((format!("GIT_CONFIG_KEY_{count}").into(), key.into()));
        env.push((format!("GIT_CONFIG_VALUE_{count}").into(), value.into()));
        count += 1;
    }
    env.push(("GIT_CONFIG_COUNT".into(), count.to_string().into()));
}

/// Finds a program by name in [`SYSTEM_PATH`].
pub fn resolve_program(name: &str) -> Option<PathBuf> {
    resolve_program_in(OsStr::new(SYSTEM_PATH), name)
}

/// Finds a program by name in the absolute folders of a `PATH`.
pub fn resolve_program_in(path: &OsStr, name: &str) -> Option<PathBuf> {
    if name.is_empty() || name.contains('/') {
        return None;
    }
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|path| is_executable(path))
}

/// Returns whether a path is a regular file with any execute permission.
pub(crate) fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// Returns the home folder that commands see.
pub(crate) fn home() -> PathBuf {
    std::env::var_os("HOME").map_or_else(|| PathBuf::from("/nonexistent"), PathBuf::from)
}

fn user_name() -> OsString {
    let named = std::env::var_os("USER").or_else(|| std::env::var_os("LOGNAME"));
    named.unwrap_or_else(|| if rustix::process::geteuid().is_root() { "root".into() } else { "user".into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_is_fixed_but_for_home_and_user() {
        let env = clean_env(Path::new("/home/somebody"));
        let get = |name: &str| {
            env.iter().find(|(key, _)| key == name).map(|(_, value)| value.to_string_lossy().into_owned())
        };
        assert_eq!(get("HOME").as_deref(), Some("/home/somebody"));
        assert_eq!(get("PATH").as_deref(), Some(SYSTEM_PATH));
        let count: usize = get("GIT_CONFIG_COUNT").unwrap().parse().unwrap();
        let keys: Vec<_> = (0..count).filter_map(|i| get(&format!("GIT_CONFIG_KEY_{i}"))).collect();
        assert_eq!(keys, ["core.fsmonitor", "core.hooksPath", "log.showSignature", "diff.autoRefreshIndex"]);
        let known = ["PATH", "LANG", "TERM", "PAGER", "HOME", "USER"];
        assert!(
            env.iter()
                .all(|(key, _)| known.iter().any(|k| key == k) || key.to_string_lossy().starts_with("GIT_"))
        );
    }

    #[test]
    fn what_a_person_agreed_to_finds_their_tools_and_no_password() {
        let person = PersonEnvironment {
            path: "/home/u/.local/bin:/usr/bin".into(),
            variables: vec![("LANG".into(), "de_DE.UTF-8".into())],
            runs_hooks: false,
            lent: None,
        };
        let last = |env: &[(OsString, OsString)], name: &str| {
            let found = env.iter().rev().find(|(key, _)| key == name);
            found.map(|(_, value)| value.to_string_lossy().into_owned())
        };
        let settings = |env: &[(OsString, OsString)]| -> Vec<String> {
            let count: usize = last(env, "GIT_CONFIG_COUNT").unwrap().parse().unwrap();
            (0..count).filter_map(|i| last(env, &format!("GIT_CONFIG_KEY_{i}"))).collect()
        };
        let env = Environment::Person(person.clone()).variables(Path::new("/home/u"));
        assert_eq!(last(&env, "PATH").as_deref(), Some("/home/u/.local/bin:/usr/bin"));
        assert_eq!(last(&env, "LANG").as_deref(), Some("de_DE.UTF-8"));
        assert_eq!(last(&env, "GIT_OPTIONAL_LOCKS"), None);
        assert_eq!(
            settings(&env),
            ["core.fsmonitor", "credential.helper", "gc.auto", "maintenance.auto", "core.hooksPath"]
        );
        let hooked = Environment::Person(PersonEnvironment { runs_hooks: true, ..person });
        let env = hooked.variables(Path::new("/home/u"));
        assert_eq!(settings(&env), ["core.fsmonitor", "credential.helper", "gc.auto", "maintenance.auto"]);
    }

    #[test]
    fn folders_of_a_path_that_are_not_absolute_are_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let tool = folder.path().join("tool");
        std::fs::write(&tool, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!(".:bin::{}", folder.path().display());
        assert_eq!(resolve_program_in(OsStr::new(&path), "tool"), Some(tool));
        assert_eq!(resolve_program_in(OsStr::new(".:bin:"), "tool"), None);
    }

    #[test]
    fn only_bare_names_of_programs_resolve() {
        assert!(resolve_program("sh").is_some_and(|path| path.is_absolute()));
        for name in ["", "/bin/sh", "../bin/sh", "./sh", "no-such-program-here"] {
            assert_eq!(resolve_program(name), None, "{name}");
        }
    }
}
