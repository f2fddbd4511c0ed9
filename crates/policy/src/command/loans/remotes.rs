//! Reads the git settings that determine which addresses a command talks to. A misread setting lends for an address
//! that git does not request, so the command fails; it never lends for an address that was not shown.

use crate::command::git_config::{self, Setting};
use std::path::{Path, PathBuf};

/// The maximum depth of included files.
const MOST_DEPTH: usize = 8;

/// The settings that apply in a folder, in the order in which git reads them.
pub(super) struct Settings {
    /// The settings of the user and of the machine.
    pub(super) of_person: Vec<Setting>,
    /// The settings of the repository.
    of_repository: Vec<Setting>,
    /// The branch that is checked out.
    branch: Option<String>,
}

impl Settings {
    /// Reads the settings. `None` if the repository's settings are not plain.
    pub(super) fn read(home: &Path, cwd: &Path) -> Option<Self> {
        let mut of_person = Vec::new();
        for file in [
            PathBuf::from("/etc/gitconfig"),
            PathBuf::from("/usr/local/etc/gitconfig"),
            home.join(".config/git/config"),
            home.join(".gitconfig"),
        ] {
            read(&file, true, home, 0, &mut of_person)?;
        }
        let mut of_repository = Vec::new();
        let mut branch = None;
        if let Some((own, common)) = repository(cwd) {
            read(&common.join("config"), false, home, 0, &mut of_repository)?;
            read(&own.join("config.worktree"), false, home, 0, &mut of_repository)?;
            let head = std::fs::read_to_string(own.join("HEAD")).unwrap_or_default();
            branch = head.trim_end().strip_prefix("ref: refs/heads/").map(str::to_owned);
        }
        Some(Self { of_person, of_repository, branch })
    }

    /// Returns the repository's setting that may redirect connections.
    pub(super) fn leading_connections(&self) -> Option<&Setting> {
        self.of_repository.iter().find(|setting| setting.leads_connections())
    }

    fn all(&self) -> impl DoubleEndedIterator<Item = &Setting> {
        self.of_person.iter().chain(&self.of_repository)
    }

    /// Returns the effective value of a setting.
    pub(super) fn last(&self, key: &str) -> Option<&str> {
        self.all().rev().find(|setting| setting.key == key).and_then(|setting| setting.value.as_deref())
    }

    /// Whether a setting is on.
    pub(super) fn is_on(&self, key: &str) -> bool {
        let is_on = |value: &str| matches!(value.to_ascii_lowercase().as_str(), "true" | "yes" | "on" | "1");
        self.last(key).is_some_and(is_on)
    }

    /// Returns every value of a setting.
    fn values(&self, key: &str) -> Vec<&str> {
        let found = self.all().filter(|setting| setting.key == key);
        found.filter_map(|setting| setting.value.as_deref()).filter(|value| !value.is_empty()).collect()
    }

    /// Returns the names of all remotes.
    pub(super) fn remotes(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for setting in self.all() {
            let name = setting.key.strip_prefix("remote.").and_then(|rest| rest.strip_suffix(".url"));
            if let Some(name) = name.filter(|name| !names.iter().any(|known| known == name)) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// Returns the remote that git uses if none is named.
    pub(super) fn default_remote(&self, is_push: bool) -> String {
        let of_branch =
            |key: &str| self.branch.as_ref().and_then(|branch| self.last(&format!("branch.{branch}.{key}")));
        let pushed = || of_branch("pushremote").or_else(|| self.last("remote.pushdefault"));
        let named = if is_push { pushed() } else { None };
        if let Some(named) = named.or_else(|| of_branch("remote")) {
            return named.to_owned();
        }
        match self.remotes().as_slice() {
            [only] => only.clone(),
            _ => "origin".to_owned(),
        }
    }

    /// Returns the addresses of the submodules in git's settings.
    pub(super) fn submodules(&self) -> Vec<String> {
        let is_url = |key: &str| key.starts_with("submodule.") && key.ends_with(".url");
        self.all()
            .filter(|setting| is_url(&setting.key))
            .filter_map(|setting| setting.value.clone())
            .collect()
    }

    /// Returns the addresses of a remote after git's rewriting. A text that is not the name of a remote is treated as
    /// an address.
    pub(super) fn addresses(&self, remote: &str, is_push: bool) -> Vec<String> {
        let own = self.values(&format!("remote.{remote}.url"));
        let pushed = self.values(&format!("remote.{remote}.pushurl"));
        if is_push && !pushed.is_empty() {
            return pushed
                .into_iter()
                .map(|url| self.rewritten(url, "insteadof").unwrap_or(url.to_owned()))
                .collect();
        }
        let urls = if own.is_empty() { vec![remote] } else { own };
        let rewrite = |url: &str| {
            let pushed = if is_push { self.rewritten(url, "pushinsteadof") } else { None };
            pushed.or_else(|| self.rewritten(url, "insteadof")).unwrap_or_else(|| url.to_owned())
        };
        urls.into_iter().map(rewrite).collect()
    }

    /// Returns the address after replacing the longest prefix for which there is a rewrite rule.
    fn rewritten(&self, url: &str, rule: &str) -> Option<String> {
        let bases = self.all().filter_map(|setting| {
            let base = setting.key.strip_prefix("url.")?.strip_suffix(rule)?.strip_suffix('.')?;
            let beginning = setting.value.as_deref().filter(|beginning| url.starts_with(*beginning))?;
            Some((base, beginning))
        });
        let (base, beginning) = bases.max_by_key(|(_, beginning)| beginning.len())?;
        Some(format!("{base}{}", &url[beginning.len()..]))
    }
}

/// Returns the settings of the files in a home directory, in the order in which git reads them.
pub(in crate::command) fn of_person(home: &Path) -> Vec<Setting> {
    let mut found = Vec::new();
    for file in [home.join(".config/git/config"), home.join(".gitconfig")] {
        // All readable settings of the user's own files are used.
        let _ = read(&file, true, home, 0, &mut found);
    }
    found
}

/// Adds the settings of a file and of the files that it includes. `None` if a repository's settings are not plain.
fn read(file: &Path, of_person: bool, home: &Path, depth: usize, found: &mut Vec<Setting>) -> Option<()> {
    const MOST_BYTES: u64 = 256 * 1024;
    let is_read = file.metadata().is_ok_and(|meta| meta.is_file() && meta.len() <= MOST_BYTES);
    if !is_read || depth > MOST_DEPTH {
        return Some(());
    }
    let text = std::fs::read_to_string(file).unwrap_or_default();
    for setting in git_config::settings(&text, of_person)? {
        // Conditional includes may not apply, and a repository's own includes are not followed at all.
        if of_person && setting.key == "include.path" {
            if let Some(Some(path)) = setting.included() {
                let path = match path.strip_prefix("~/") {
                    Some(rest) => home.join(rest),
                    None => file.parent().unwrap_or(Path::new("/")).join(path),
                };
                read(&path, true, home, depth + 1, found)?;
            }
        } else {
            found.push(setting);
        }
    }
    Some(())
}

/// Returns the git folder of the repository that contains a folder, and the folder that it shares with other work
/// trees.
fn repository(cwd: &Path) -> Option<(PathBuf, PathBuf)> {
    let dot_git = cwd.ancestors().map(|folder| folder.join(".git")).find(|path| path.exists())?;
    let own = if dot_git.is_dir() {
        dot_git
    } else {
        let text = std::fs::read_to_string(&dot_git).ok()?;
        dot_git.parent()?.join(text.trim_end().strip_prefix("gitdir: ")?)
    };
    let common = std::fs::read_to_string(own.join("commondir")).ok();
    let common = common.map_or_else(|| own.clone(), |common| own.join(common.trim_end()));
    Some((own, common))
}
