//! The folder that a repository's `core.hooksPath` names. Its files run at the next commit.
//!
//! Git's configuration is not parsed the way git does it. Every line that could set the key counts, in any spelling.

use super::resolve::real_folder;
use super::roots::Roots;
use deputy_messages::policy as say;
use deputy_protocol::Phrase;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The size of the largest configuration file that is read, in bytes.
const MAX_BYTES: u64 = 256 * 1024;
/// The maximum number of parent folders of a path that are searched for a repository.
const MAX_FOLDERS: usize = 64;

/// The folders of hooks that were found, by the work tree whose repository names them.
#[derive(Default)]
pub(super) struct Hooks(Mutex<HashMap<PathBuf, Vec<PathBuf>>>);

impl Hooks {
    /// Returns the reason if a path is in a folder of hooks that a surrounding repository names.
    pub(super) fn hold(&self, roots: &Roots, real: &Path) -> Option<Phrase> {
        let Ok(mut found) = self.0.lock() else {
            return Some(say::may_lie_folder_git());
        };
        let is_in = real.ancestors().skip(1).take(MAX_FOLDERS).any(|folder| {
            if !found.contains_key(folder) {
                found.insert(folder.to_owned(), of_repository(roots, folder));
            }
            found.get(folder).is_some_and(|hooks| hooks.iter().any(|hooks| real.starts_with(hooks)))
        });
        is_in.then(say::lies_folder_git_hooks)
    }
}

/// Returns the folders that the configuration of the repository at a work tree may name.
fn of_repository(roots: &Roots, folder: &Path) -> Vec<PathBuf> {
    let Some(git) = git_folder(folder) else { return Vec::new() };
    let common =
        fs::read_to_string(git.join("commondir")).ok().map(|text| git.join(text.trim()).join("config"));
    let configs = [Some(git.join("config")), Some(git.join("config.worktree")), common];
    let texts = configs.into_iter().flatten().filter_map(|config| settings(&config));
    texts
        .flat_map(|text| named(&text).filter_map(|named| hooks(roots, folder, &named)).collect::<Vec<_>>())
        .collect()
}

/// Returns the folder of the repository whose work tree is at `folder`.
fn git_folder(folder: &Path) -> Option<PathBuf> {
    let git = folder.join(".git");
    let metadata = git.metadata().ok()?;
    if metadata.is_dir() {
        return Some(git);
    }
    let text = settings(&git)?;
    let target = text.strip_prefix("gitdir:")?.trim();
    Some(folder.join(target))
}

fn settings(file: &Path) -> Option<String> {
    file.metadata().ok().filter(|it| it.is_file() && it.len() <= MAX_BYTES)?;
    fs::read(file).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the possible values of the key in a configuration.
fn named(text: &str) -> impl Iterator<Item = String> + '_ {
    text.lines().filter_map(|line| {
        let at = line.to_ascii_lowercase().find("hookspath")?;
        let (_, value) = line[at..].split_once('=')?;
        let value = value.split([';', '#']).next().unwrap_or(value).trim().trim_matches('"').trim();
        (!value.is_empty()).then(|| value.replace("\\\\", "\\"))
    })
}

fn hooks(roots: &Roots, folder: &Path, named: &str) -> Option<PathBuf> {
    let named = match named.strip_prefix("~/") {
        Some(rest) => roots.home().join(rest),
        None => folder.join(named),
    };
    let hooks = real_folder(&named);
    // A value that names the work tree itself, or a folder above it, would guard everything.
    (!folder.starts_with(&hooks)).then_some(hooks)
}
