//! Folders whose files are read: checks whether there is a secret among the files below the folder that the program
//! reads.

use super::paths::ask;
use crate::Situation;
use crate::path::{self, Operation};
use deputy_messages::policy as say;
use deputy_protocol::{Decision, Part, Risk};
use globset::{GlobBuilder, GlobMatcher};
use std::ffi::OsStr;
use std::fs::DirEntry;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The maximum number of files that are checked below a folder whose content is read.
const MOST_FILES: usize = 20_000;
/// The maximum number of files whose beginnings are read. Opening all of them would take longer than a decision may.
const MOST_LOOKS: usize = 64;

/// The files in which a folder lists what searches skip.
const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", ".rgignore"];

/// Which files below a folder are read.
pub(super) enum Reading {
    /// Every file.
    All,
    /// Files that are not hidden, and hidden files that a pattern selects.
    Visible(Selection),
}

/// Patterns of hidden files and folders that are read nevertheless.
#[derive(Default)]
pub(super) struct Selection {
    patterns: Vec<Pattern>,
    /// Whether a pattern was not understood. In that case every file counts.
    is_unclear: bool,
}

struct Pattern {
    matcher: GlobMatcher,
    /// Whether the pattern matches only folders.
    of_folders: bool,
}

impl Reading {
    /// Returns what a search reads that skips hidden files, except for those that its options select or that an
    /// ignore file re-includes.
    pub(super) fn visible(situation: &Situation, root: &Path, options: &[String]) -> Self {
        let mut selection = Selection::default();
        options.iter().for_each(|pattern| selection.add(pattern.trim_start_matches('/'), false));
        selection.take_back(&situation.home.join(".config/git/ignore"));
        root.ancestors().skip(1).for_each(|folder| selection.enter(folder));
        Self::Visible(selection)
    }

    /// Reads the ignore files of a folder.
    fn enter(&mut self, folder: &Path) {
        if let Self::Visible(selection) = self {
            selection.enter(folder);
        }
    }

    fn enters(&self, name: &OsStr) -> bool {
        match self {
            Self::Visible(selection) => {
                !is_hidden(name) || selection.is_unclear || !selection.patterns.is_empty()
            }
            Self::All => true,
        }
    }

    fn reads(&self, root: &Path, file: &Path) -> bool {
        let Self::Visible(selection) = self else { return true };
        let inside = file.strip_prefix(root).unwrap_or(file);
        let hidden = inside.components().any(|part| is_hidden(part.as_os_str()));
        !hidden || selection.is_unclear || selection.patterns.iter().any(|pattern| pattern.selects(inside))
    }
}

impl Selection {
    fn enter(&mut self, folder: &Path) {
        for name in IGNORE_FILES {
            self.take_back(&folder.join(name));
        }
        self.take_back(&folder.join(".git/info/exclude"));
    }

    /// Adds the names that a file's lines re-include, regardless of their position in the file.
    fn take_back(&mut self, file: &Path) {
        const MOST_BYTES: u64 = 64 * 1024;
        let Ok(meta) = file.metadata() else { return };
        let is_small = meta.is_file() && meta.len() <= MOST_BYTES;
        let Some(bytes) = is_small.then(|| std::fs::read(file).ok()).flatten() else {
            self.is_unclear = true;
            return;
        };
        let text = String::from_utf8_lossy(&bytes);
        for line in text.lines().filter_map(|line| line.trim_start_matches('\u{feff}').strip_prefix('!')) {
            let line = line.trim_end();
            let name = line.trim_end_matches('/');
            self.add(name.rsplit('/').next().unwrap_or(name), line.ends_with('/'));
        }
    }

    fn add(&mut self, pattern: &str, of_folders: bool) {
        // In brackets, other programs support named classes and escapes. This matcher takes them for literal
        // characters.
        let is_other = ["[:", "[=", "[."].iter().any(|class| pattern.contains(class));
        self.is_unclear |= is_other || pattern.contains('[') && pattern.contains('\\');
        match GlobBuilder::new(pattern).case_insensitive(true).literal_separator(false).build() {
            Ok(glob) => self.patterns.push(Pattern { matcher: glob.compile_matcher(), of_folders }),
            Err(_) => self.is_unclear = true,
        }
    }
}

impl Pattern {
    fn selects(&self, inside: &Path) -> bool {
        inside.ancestors().skip(usize::from(self.of_folders)).any(|part| {
            self.matcher.is_match(part) || part.file_name().is_some_and(|name| self.matcher.is_match(name))
        })
    }
}

fn is_ignore_file(name: &OsStr) -> bool {
    IGNORE_FILES.iter().any(|known| name == *known)
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Returns a part that asks if there is a secret below a folder whose content is read. Most programs do not follow
/// links in the folder; if the program does, each link must lead to a readable path.
pub(super) fn below(
    situation: &Situation,
    root: &Path,
    mut reading: Reading,
    follows_links: bool,
) -> Option<Part> {
    let mut waiting = vec![root.to_path_buf()];
    let secrets = path::Secrets::of(situation);
    let mut budget = MOST_FILES;
    let mut looks = MOST_LOOKS;
    while let Some(folder) = waiting.pop() {
        let Ok(entries) = folder.read_dir() else { continue };
        let entries: Vec<DirEntry> = entries.flatten().collect();
        if entries.iter().any(|entry| entry.file_name() == ".git" || is_ignore_file(&entry.file_name())) {
            reading.enter(&folder);
        }
        for entry in entries {
            budget = match budget.checked_sub(1) {
                Some(left) => left,
                None => {
                    return Some(ask(&folder, Risk::Medium, say::reads_more_files_can()));
                }
            };
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                if reading.enters(&entry.file_name()) {
                    waiting.push(entry.path());
                }
            } else if kind.is_symlink() && follows_links && reading.reads(root, &entry.path()) {
                let link = entry.path();
                let target = path::judge_from(situation, &folder, Operation::Read, &link.to_string_lossy());
                if target.decision != Decision::Allow {
                    return Some(ask(&link, Risk::High, say::follows_link_what_may()));
                }
            } else if kind.is_file() && reading.reads(root, &entry.path()) {
                if let Some(rule) = secrets.standing(Operation::Read, &entry.path()) {
                    let decision = rule.decision;
                    return Some(Part { decision, ..ask(&entry.path(), Risk::Medium, rule.reason) });
                }
                if holds_secrets(situation, &secrets, &entry) {
                    let reason = say::reads_folder_holds_file();
                    return Some(ask(&entry.path(), Risk::High, reason));
                }
                if looks > 0 && path::is_worth_a_look(&entry.path()) {
                    looks -= 1;
                    if path::holds_credentials(&entry.path()) {
                        let reason = say::reads_folder_file_looks();
                        return Some(ask(&entry.path(), Risk::High, reason));
                    }
                }
            }
        }
    }
    None
}

/// Whether there is a secret below any of the folders that the words name. If there are patterns, the secret's name
/// must match a pattern.
pub(super) fn holds_secrets_below(
    situation: &Situation,
    cwd: &Path,
    words: &[&String],
    patterns: &[&str],
) -> bool {
    let mut wanted = Selection::default();
    patterns.iter().for_each(|pattern| wanted.add(pattern, false));
    let is_wanted = |part: &Part| {
        let name = Path::new(&part.text).file_name().map(Path::new);
        wanted.is_unclear
            || wanted.patterns.is_empty()
            || name.is_none_or(|name| wanted.patterns.iter().any(|pattern| pattern.selects(name)))
    };
    words
        .iter()
        .filter_map(|word| path::real(situation, cwd, word).filter(|real| real.is_dir()))
        .filter_map(|folder| below(situation, &folder, Reading::All, false))
        .any(|part| part.risk == Risk::High && is_wanted(&part))
}

/// Whether a file is a secret by its name, or by another name of the same file.
fn holds_secrets(situation: &Situation, secrets: &path::Secrets, entry: &DirEntry) -> bool {
    let path = entry.path();
    let other_names = || entry.metadata().is_ok_and(|meta| meta.nlink() > 1);
    secrets.holds(&path)
        || (other_names()
            && path::judge_from(situation, Path::new("/"), Operation::Read, &path.to_string_lossy()).decision
                != Decision::Allow)
}
