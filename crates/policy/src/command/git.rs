//! Checks whether git, in a given folder, would follow a configuration that names programs or files elsewhere.

use super::git_config::{self, Setting};
use deputy_messages::policy as say;
use deputy_protocol::Phrase;
use std::path::{Path, PathBuf};

/// Returns the reason why git is not known to be harmless in a folder, or `None` if its configuration contains
/// nothing that runs.
pub(crate) fn danger(cwd: &Path, home: &Path) -> Option<Phrase> {
    let mut check = Check { home, files: 0, found: None, alias: None };
    for file in [
        PathBuf::from("/etc/gitconfig"),
        PathBuf::from("/usr/local/etc/gitconfig"),
        home.join(".config/git/config"),
        home.join(".gitconfig"),
    ] {
        check.file(&file, true, 0);
    }
    match discover(cwd) {
        Ok(repositories) => repositories.iter().for_each(|folder| check.repository(folder)),
        Err(why) => return Some(why),
    }
    check.found
}

/// Returns the reason why a sub-command that does more than read would run a program that the repository names,
/// either in its own configuration or because the sub-command is an alias. `None` for other programs.
pub(crate) fn planted(normal: &[String], cwd: &Path, home: &Path) -> Option<Phrase> {
    let [name, arguments @ ..] = normal else { return None };
    if name != "git" {
        return None;
    }
    let alias = arguments.iter().find(|word| !word.starts_with('-')).map(|word| format!("alias.{word}"));
    let mut check = Check { home, files: 0, found: None, alias };
    for folder in discover(cwd).ok()? {
        check.file(&folder.join("config"), false, 0);
        check.file(&folder.join("config.worktree"), false, 0);
    }
    check.found
}

/// Returns the `.git` folders of the repositories to which git may assign a folder.
pub(crate) fn repositories(cwd: &Path) -> Vec<PathBuf> {
    discover(cwd).unwrap_or_default()
}

/// Finds the repositories that git may find from a folder upwards. If it is not certain that git uses the first one,
/// those above it are included. The error says why git may find a repository of a different form.
fn discover(cwd: &Path) -> Result<Vec<PathBuf>, Phrase> {
    let mut found = Vec::new();
    for folder in cwd.ancestors() {
        let dot_git = folder.join(".git");
        match dot_git.symlink_metadata() {
            Ok(meta) if meta.is_dir() => {
                let is_certain = is_repository(&dot_git);
                found.push(dot_git);
                if is_certain {
                    break;
                }
            }
            Ok(_) => return Err(say::leads_repository_somewhere_else(dot_git.display())),
            Err(_) => {}
        }
        let has = |name: &str| folder.join(name).symlink_metadata().is_ok();
        if has("HEAD") && (has("objects") || has("refs") || has("commondir") || has("config")) {
            return Err(say::looks_like_repository_own(folder.display()));
        }
    }
    Ok(found)
}

/// Returns the repository in a folder, or in its `.git` folder.
pub(crate) fn repository_at(folder: &Path) -> Option<PathBuf> {
    [folder.to_owned(), folder.join(".git")].into_iter().find(|folder| is_repository(folder))
}

/// Whether git certainly takes a folder for a repository.
pub fn is_repository(folder: &Path) -> bool {
    let head = folder.join("HEAD");
    let is_file = head.symlink_metadata().is_ok_and(|meta| meta.is_file() && meta.len() < 1024);
    let text = is_file.then(|| std::fs::read_to_string(head).ok()).flatten().unwrap_or_default();
    let text = text.trim_end_matches('\n');
    let is_hash = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_folder = |name: &str| folder.join(name).symlink_metadata().is_ok_and(|meta| meta.is_dir());
    let is_reference = text.strip_prefix("ref:").is_some_and(|name| name.trim_start().starts_with("refs/"));
    (is_hash || is_reference) && is_folder("objects") && is_folder("refs")
}

struct Check<'a> {
    home: &'a Path,
    files: usize,
    found: Option<Phrase>,
    /// The key of the alias that the sub-command would be.
    alias: Option<String>,
}

impl Check<'_> {
    fn repository(&mut self, folder: &Path) {
        if self.found.is_some() {
            return;
        }
        let has = |name: &str| folder.join(name).symlink_metadata().is_ok();
        if has("commondir") || has("objects/info/alternates") || has("objects/info/http-alternates") {
            self.found = Some(say::borrows_another_repository(folder.display()));
        }
        if let Some(link) = link_in(folder) {
            self.found = Some(say::leads_somewhere_else(link.display()));
        }
        self.file(&folder.join("config"), false, 0);
        self.file(&folder.join("config.worktree"), false, 0);
        if has("modules") || holds_submodules(folder) {
            self.found = Some(say::repository_submodules_whose_own());
        }
    }

    fn file(&mut self, path: &Path, of_person: bool, depth: usize) {
        const MOST_FILES: usize = 32;
        const MOST_BYTES: u64 = 256 * 1024;
        if self.found.is_some() {
            return;
        }
        let Ok(meta) = path.metadata() else { return };
        self.files += 1;
        if self.files > MOST_FILES || depth > 10 || meta.len() > MOST_BYTES || !meta.is_file() {
            self.found = Some(say::git_configuration_too_large());
            return;
        }
        let text = std::fs::read_to_string(path).ok();
        let Some(settings) = text.as_deref().and_then(|text| git_config::settings(text, of_person)) else {
            self.found = Some(say::git_configuration_not_understood(path.display()));
            return;
        };
        for setting in settings {
            if let Some(included) = setting.included() {
                self.include(path, included, of_person, depth);
            } else if setting.leads_elsewhere(of_person) || self.is_the_alias(&setting) {
                self.found = Some(say::git_configuration_sets_can(setting.key, path.display()));
            }
        }
    }

    fn is_the_alias(&self, setting: &Setting) -> bool {
        self.alias.as_ref() == Some(&setting.key) && setting.is_command()
    }

    /// Reads an included file. A repository's include must be a plain name of an existing file. The user's own files
    /// may also name a file that does not exist on this machine.
    fn include(&mut self, path: &Path, included: Option<&str>, of_person: bool, depth: usize) {
        let target = included.map(|text| match text.strip_prefix("~/") {
            Some(rest) => self.home.join(rest),
            None => path.parent().unwrap_or(Path::new("/")).join(text),
        });
        match target {
            Some(target) if of_person || target.is_file() => self.file(&target, of_person, depth + 1),
            _ => {
                self.found =
                    self.found.take().or_else(|| Some(say::git_configuration_includes_file(path.display())));
            }
        }
    }
}

/// Returns a link among a repository's own files, through which git would read somewhere else.
fn link_in(folder: &Path) -> Option<PathBuf> {
    let folders = [folder.to_path_buf(), folder.join("info"), folder.join("objects/info")];
    let entries = folders.iter().filter_map(|folder| folder.read_dir().ok()).flatten().flatten();
    let mut links = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()));
    links.next().map(|entry| entry.path())
}

/// Whether an index has an entry of mode `160000`, which is a nested repository, in any of the files over which it
/// may be split. A false positive only causes a question.
fn holds_submodules(folder: &Path) -> bool {
    const MOST_BYTES: u64 = 64 * 1024 * 1024;
    let Ok(entries) = folder.read_dir() else { return false };
    let is_index = |name: &str| name == "index" || name.starts_with("sharedindex.");
    entries.flatten().filter(|entry| is_index(&entry.file_name().to_string_lossy())).any(|entry| {
        let is_small = entry.metadata().is_ok_and(|meta| meta.len() <= MOST_BYTES);
        !is_small
            || std::fs::read(entry.path())
                .is_ok_and(|bytes| bytes.windows(4).any(|window| window == [0, 0, 0xe0, 0]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repository(config: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("project/.git")).unwrap();
        std::fs::write(folder.path().join("project/.git/config"), config).unwrap();
        folder
    }

    fn found(config: &str) -> Option<Phrase> {
        let folder = repository(config);
        danger(&folder.path().join("project"), folder.path())
    }

    #[test]
    fn an_ordinary_configuration_is_harmless() {
        let config = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote \"origin\"]\n\turl = https://example.com/a.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[user]\n\tname = \"Dev; One\" ; comment\n";
        assert_eq!(found(config), None);
    }

    #[test]
    fn programs_are_found_however_they_are_written() {
        for config in [
            "[core]\n\tfsmonitor = ./run.sh\n",
            "[CORE]\nFsMonitor=./run.sh",
            "[filter \"x\"]\n\tclean = ./run.sh\n",
            "[filter.x]\nclean = ./run.sh\n",
            "[diff \"a]b\"] textconv = ./run.sh\n",
            "[diff]\nexternal = ./run.sh\n",
            "[gpg]\nprogram = ./run.sh\n",
            "[gpg \"ssh\"]\nprogram = ./run.sh\n",
            "[log]\nshowSignature = true\n",
            "[core]\nfsmon\\\nitor = ./run.sh\n",
            "[core\nfsmonitor = x\n",
        ] {
            assert!(found(config).is_some(), "{config}");
        }
    }

    #[test]
    fn included_files_count() {
        let folder = repository("[include]\n\tpath = ../extra\n");
        std::fs::write(folder.path().join("project/extra"), "[diff]\nexternal = ./run.sh\n").unwrap();
        assert!(danger(&folder.path().join("project"), folder.path()).is_some());
    }

    #[test]
    fn a_planted_bare_repository_is_seen() {
        let folder = repository("");
        let bare = folder.path().join("project/docs");
        std::fs::create_dir_all(bare.join("objects")).unwrap();
        std::fs::create_dir_all(bare.join("refs")).unwrap();
        std::fs::write(bare.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        assert!(danger(&bare, folder.path()).is_some());
    }
}
