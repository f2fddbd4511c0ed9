//! The environment a command starts with: made new, never inherited.

use crate::Lent;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where programs come from. Fixed, so that no setting and no folder of the user's decides what a name means.
pub const SYSTEM_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Settings that keep a planted repository from making git run its programs or rewrite its index.
const GIT_SETTINGS: [(&str, &str); 4] =
    [NO_MONITOR, NO_HOOKS, ("log.showSignature", "false"), ("diff.autoRefreshIndex", "false")];
const NO_MONITOR: (&str, &str) = ("core.fsmonitor", "false");
const NO_HOOKS: (&str, &str) = ("core.hooksPath", "/dev/null");
/// An empty helper makes git forget those that its files name: they hand out passwords.
const NO_HELPERS: (&str, &str) = ("credential.helper", "");

/// Whose surroundings a command starts in. Neither holds credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Environment {
    /// Nobody agreed to this very command: a fixed `PATH`, and a git that runs and writes nothing.
    Hardened {
        /// A file that git reads in place of the person's own, which are out of sight.
        git_settings: Option<PathBuf>,
    },
    /// A person agreed to it: it finds what it finds in their terminal.
    Person(PersonEnvironment),
}

/// What a command gets of the person's own environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PersonEnvironment {
    /// Absolute folders, joined by colons.
    pub path: OsString,
    /// Variables without secrets, such as where toolchains lie.
    pub variables: Vec<(OsString, OsString)>,
    /// Whether git runs the hooks of the repository, as the request said.
    pub runs_hooks: bool,
    /// What they agreed to lend to this very command.
    pub lent: Option<Arc<Lent>>,
}

impl Default for Environment {
    fn default() -> Self {
        Self::Hardened { git_settings: None }
    }
}

impl Environment {
    /// Where bare names of programs are looked up.
    pub(crate) fn path(&self) -> OsString {
        match self {
            Self::Person(person) if !person.path.is_empty() => person.path.clone(),
            _ => SYSTEM_PATH.into(),
        }
    }

    /// Every variable.
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
        git_settings(&mut env, [NO_MONITOR, NO_HELPERS].into_iter().chain(hooks).chain(settings));
        env
    }

    /// The sockets of others that it may connect to.
    pub(crate) fn sockets(&self) -> &[PathBuf] {
        match self {
            Self::Person(PersonEnvironment { lent: Some(lent), .. }) => &lent.sockets,
            _ => &[],
        }
    }
}

/// The environment of every command: a fixed `PATH`, who and where the user is, a plain terminal, a hardened git.
/// It holds no credentials, because nothing of Deputy's own environment but the user's name goes into it.
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

/// Settings that are stronger than git's files.
fn git_settings<'a>(env: &mut Vec<(OsString, OsString)>, settings: impl Iterator<Item = (&'a str, &'a str)>) {
    let mut count = 0;
    for (key, value) in settings {
        env.push((format!("GIT_CONFIG_KEY_{count}").into(), key.into()));
        env.push((format!("GIT_CONFIG_VALUE_{count}").into(), value.into()));
        count += 1;
    }
    env.push(("GIT_CONFIG_COUNT".into(), count.to_string().into()));
}

/// Where a bare program name leads to within [`SYSTEM_PATH`].
pub fn resolve_program(name: &str) -> Option<PathBuf> {
    resolve_program_in(OsStr::new(SYSTEM_PATH), name)
}

/// Where a bare program name leads to within the absolute folders of a `PATH`.
pub fn resolve_program_in(path: &OsStr, name: &str) -> Option<PathBuf> {
    if name.is_empty() || name.contains('/') {
        return None;
    }
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|path| is_executable(path))
}

/// Whether a path is a regular file that someone may execute.
pub(crate) fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// The home folder that commands see.
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
        assert_eq!(settings(&env), ["core.fsmonitor", "credential.helper", "core.hooksPath"]);
        let hooked = Environment::Person(PersonEnvironment { runs_hooks: true, ..person });
        let env = hooked.variables(Path::new("/home/u"));
        assert_eq!(settings(&env), ["core.fsmonitor", "credential.helper"]);
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
