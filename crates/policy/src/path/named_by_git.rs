//! What the configuration of a repository names: programs, included files, and the folder of hooks. Git runs or reads
//! them at the next `status`, `diff` or commit by hand.
//!
//! Git's configuration is not parsed the way git does it, and there is no list of its keys: every word of a value that
//! could be a path counts, wherever git or a shell would look for it.

use super::fold;
use super::resolve::real_folder;
use super::roots::Roots;
use deputy_messages::policy as say;
use deputy_protocol::Phrase;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

/// The size of the largest configuration file that is read, in bytes.
const MAX_BYTES: u64 = 256 * 1024;
/// The maximum number of configuration files of a repository that are read, with the files that they include.
const MAX_FILES: usize = 64;
/// The maximum number of parent folders of a path that are searched for a repository.
const MAX_FOLDERS: usize = 64;

/// What was found so far, by the work tree whose repository names it.
#[derive(Default)]
pub(super) struct NamedByGit(Mutex<HashMap<PathBuf, Option<Named>>>);

/// What one repository names. Names are folded.
#[derive(Default)]
struct Named {
    files: HashSet<Vec<String>>,
    /// The folders above these files. A link in the place of one would lead to another file.
    above: HashSet<Vec<String>>,
    hooks: Vec<PathBuf>,
}

impl NamedByGit {
    /// Returns the reason if a surrounding repository names the path, the folder of hooks that it is in, or something
    /// below it that a file or link in its place would replace.
    pub(super) fn hold(&self, roots: &Roots, real: &Path, is_folder: bool) -> Option<Phrase> {
        let Ok(mut found) = self.0.lock() else {
            return Some(say::may_lie_folder_git());
        };
        let mut parts = None;
        for folder in real.ancestors().skip(1).take(MAX_FOLDERS) {
            if !found.contains_key(folder) {
                found.insert(folder.to_owned(), of_repository(roots, folder));
            }
            let Some(Some(named)) = found.get(folder) else { continue };
            if named.hooks.iter().any(|hooks| real.starts_with(hooks)) {
                return Some(say::lies_folder_git_hooks());
            }
            let parts = parts.get_or_insert_with(|| fold::path(real));
            if !is_folder && (named.files.contains(parts) || named.above.contains(parts)) {
                return Some(say::named_by_git_configuration());
            }
        }
        None
    }
}

/// Returns what the configuration of the repository at a work tree may name.
fn of_repository(roots: &Roots, folder: &Path) -> Option<Named> {
    let git = git_folder(folder)?;
    let common =
        fs::read_to_string(git.join("commondir")).ok().map(|text| git.join(text.trim()).join("config"));
    let mut configs = vec![git.join("config"), git.join("config.worktree")];
    configs.extend(common);
    configs.extend([".gitconfig", ".config/git/config"].map(|file| roots.home().join(file)));
    configs.push("/etc/gitconfig".into());
    let mut named = Named::default();
    let mut at = 0;
    while let Some(config) = configs.get(at).filter(|_| at < MAX_FILES).cloned() {
        at += 1;
        let Some(text) = settings(&config) else { continue };
        for Value { key, text } in values(&text) {
            if key.ends_with("hookspath") {
                named.hooks.extend(hooks(roots, folder, text));
                continue;
            }
            let beside = (key == "path").then(|| config.parent()).flatten();
            let found = words(&key, text).into_iter().flat_map(|word| places(roots, folder, beside, word));
            for place in found {
                named.add(folder, &place);
                if beside.is_some() && !configs.contains(&place) {
                    configs.push(place);
                }
            }
        }
    }
    Some(named)
}

impl Named {
    /// Adds a file by its name and by its real path. Folders contain much that git does not run.
    fn add(&mut self, folder: &Path, place: &Path) {
        if place.is_dir() {
            return;
        }
        let real =
            place.parent().map(real_folder).zip(place.file_name()).map(|(above, name)| above.join(name));
        let target = place.canonicalize().ok();
        for path in [Some(place.to_owned()), real, target].into_iter().flatten() {
            let inside = |above: &&Path| above.starts_with(folder) && *above != folder;
            self.above.extend(path.ancestors().skip(1).take_while(inside).map(fold::path));
            self.files.insert(fold::path(&path));
        }
    }
}

/// A value, or a further line of one, which has an empty key.
struct Value<'a> {
    key: String,
    text: &'a str,
}

fn values(text: &str) -> impl Iterator<Item = Value<'_>> {
    text.lines().filter_map(|line| match line.split_once('=') {
        Some((key, text)) => {
            let key = key.rsplit([']', ' ', '\t']).find(|part| !part.is_empty()).unwrap_or_default();
            Some(Value { key: key.to_ascii_lowercase(), text })
        }
        None if line.trim_start().starts_with('[') => None,
        None => Some(Value { key: String::new(), text: line }),
    })
}

/// Returns the parts of a value that could be paths: its words, and the whole. A single word without a slash or a dot is
/// no path, except for keys whose values are paths.
fn words<'a>(key: &str, value: &'a str) -> Vec<&'a str> {
    let is_path = key.is_empty() || key.ends_with("path") || key.ends_with("file");
    let between = |c: char| c.is_whitespace() || "\"'`;|&<>(){}$=,!#\\".contains(c);
    let mut found: Vec<&str> = value.split(between).filter(|word| !word.is_empty()).collect();
    let is_single = found.len() < 2;
    found.push(value.trim().trim_matches('"'));
    found.retain(|word| is_path || !is_single || word.contains(['/', '.']));
    found
}

/// Returns where git or a shell would look for a word of a value. Included files are relative to the configuration file,
/// and everything else to the work tree.
fn places(roots: &Roots, folder: &Path, beside: Option<&Path>, word: &str) -> Vec<PathBuf> {
    if let Some(rest) = word.strip_prefix("~/") {
        return vec![roots.home().join(rest)];
    }
    // What follows a variable or a capture, such as `$(git rev-parse --show-toplevel)/tools/x`, is relative.
    let relative = word.trim_start_matches('/');
    let absolute = word.starts_with('/').then(|| PathBuf::from(word));
    let relative = [Some(folder), beside].into_iter().flatten().map(|above| above.join(relative));
    absolute.into_iter().chain(relative).map(|place| without_dots(&place)).collect()
}

/// Resolves `.` and `..` by name, for a path that may not exist.
pub fn without_dots(path: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                found.pop();
            }
            Component::CurDir => {}
            part => found.push(part),
        }
    }
    found
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

/// Returns the folder of hooks that a value names.
fn hooks(roots: &Roots, folder: &Path, value: &str) -> Option<PathBuf> {
    let value = value.split([';', '#']).next().unwrap_or(value).trim().trim_matches('"').trim();
    let named = value.replace("\\\\", "\\");
    let named = match named.strip_prefix("~/") {
        Some(rest) => roots.home().join(rest),
        None => folder.join(&named),
    };
    let hooks = real_folder(&named);
    // A value that names the work tree itself, or a folder above it, would guard everything.
    (!value.is_empty() && !folder.starts_with(&hooks)).then_some(hooks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Situation;

    #[test]
    fn what_the_settings_of_a_repository_name_is_closed_and_nothing_else() {
        let ground = tempfile::tempdir().unwrap();
        let top = ground.path().canonicalize().unwrap();
        let [home, tree] = ["home", "tree"].map(|name| top.join(name));
        for folder in
            [home.join(".config/git"), tree.join(".git/refs/heads"), tree.join("lib"), tree.join("real")]
        {
            fs::create_dir_all(folder).unwrap();
        }
        std::os::unix::fs::symlink("real", tree.join("linked")).unwrap();
        let config = r#"
            [core]
                fsmonitor = .git/watch
                pager = less -R
                attributesFile = attributes
            [include] path = ../.gitsettings
            [filter "a"] clean = "sh \"tools/clean me\" %f"
            [diff "b"]
                textconv = $(git rev-parse --show-toplevel)/tools/view
                command = python \
                    differ
            [merge "c"] driver = linked/merge.sh %O %A
            [remote "origin"]
                url = https://example.org/x/y.git
                fetch = +refs/heads/*:refs/remotes/origin/*
            [submodule "lib"] url = lib
            [branch "main"]
                remote = origin
                merge = refs/heads/main
        "#;
        fs::write(tree.join(".git/config"), config).unwrap();
        fs::write(tree.join(".gitsettings"), "[gpg]\n\tprogram = tools/sign\n[core]hooksPath = checks\n")
            .unwrap();
        fs::write(home.join(".config/git/config"), "[alias]\n\tx = !./tools/alias.sh\n").unwrap();
        let roots = Roots::of(&Situation::new(&home, &tree, home.join(".deputy")));
        let named = NamedByGit::default();
        let is_closed = |path: &str, is_folder| named.hold(&roots, &tree.join(path), is_folder).is_some();
        for path in [
            ".git/watch",
            "attributes",
            ".gitsettings",
            "tools/clean",
            "tools/view",
            "differ",
            "Linked/merge.sh",
            "real/merge.sh",
            "linked",
            "tools",
            "tools/sign",
            "tools/alias.sh",
            "checks/pre-commit",
        ] {
            assert!(is_closed(path, false), "{path}");
        }
        for path in [".git/refs/heads/main", "lib/x", "main", "origin", "real/x", "tools/other"] {
            assert!(!is_closed(path, false), "{path}");
        }
        assert!(!is_closed("tools", true), "the folder itself may be created");
    }
}
