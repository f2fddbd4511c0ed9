//! The environment a command starts with: made new, never inherited.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Where programs come from. Fixed, so that no setting and no folder of the user's decides what a name means.
pub const SYSTEM_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Settings that keep a planted repository from making git run its programs or rewrite its index.
const GIT_SETTINGS: [(&str, &str); 4] = [
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("log.showSignature", "false"),
    ("diff.autoRefreshIndex", "false"),
];

/// The environment of every command: a fixed `PATH`, who and where the user is, a plain terminal, a hardened git.
/// It holds no credentials, because nothing of Deputy's own environment but the user's name goes into it.
pub fn clean_env(home: &Path) -> Vec<(OsString, OsString)> {
    let fixed = [
        ("PATH", SYSTEM_PATH),
        ("LANG", "C.UTF-8"),
        ("TERM", "dumb"),
        ("PAGER", "cat"),
        ("GIT_PAGER", "cat"),
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_TERMINAL_PROMPT", "0"),
    ];
    let mut env: Vec<(OsString, OsString)> = fixed.map(|(name, value)| (name.into(), value.into())).into();
    env.push(("HOME".into(), home.into()));
    env.push(("USER".into(), user_name()));
    env.push(("GIT_CONFIG_COUNT".into(), GIT_SETTINGS.len().to_string().into()));
    for (index, (key, value)) in GIT_SETTINGS.into_iter().enumerate() {
        env.push((format!("GIT_CONFIG_KEY_{index}").into(), key.into()));
        env.push((format!("GIT_CONFIG_VALUE_{index}").into(), value.into()));
    }
    env
}

/// Where a bare program name leads to within [`SYSTEM_PATH`].
pub fn resolve_program(name: &str) -> Option<PathBuf> {
    if name.is_empty() || name.contains('/') {
        return None;
    }
    SYSTEM_PATH.split(':').map(|folder| Path::new(folder).join(name)).find(|path| is_executable(path))
}

/// Whether a path is a regular file that someone may execute.
pub(crate) fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// The home folder that commands are told of.
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
    fn only_bare_names_of_programs_resolve() {
        assert!(resolve_program("sh").is_some_and(|path| path.is_absolute()));
        for name in ["", "/bin/sh", "../bin/sh", "./sh", "no-such-program-here"] {
            assert_eq!(resolve_program(name), None, "{name}");
        }
    }
}
