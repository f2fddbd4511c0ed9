//! Selects what to store before a command runs, without reading any file.

use super::walk::{Entry, Found, Kind, outermost, walk};
use super::{Ground, TreeLimits};
use crate::text::{shown, size};
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_protocol::NotKept;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The number of entries to list for each file that may be stored. Beyond that, folders are skipped as a whole.
const LOOKED_AT_PER_FILE: u64 = 4;
/// The number of examples of what is not stored.
const EXAMPLES: usize = 5;

/// The content of a command's folders, divided into what will be stored and what will not.
pub struct Survey {
    pub(super) kept: Vec<Entry>,
    pub(super) left: Vec<Left>,
    pub(super) unseen: Vec<PathBuf>,
    /// Secrets that the command cannot reach. Only their existence is recorded.
    pub(super) secrets: Vec<Entry>,
    /// Folders with build output.
    pub(super) output: Vec<PathBuf>,
    /// What is stored first.
    pub(super) first: Vec<PathBuf>,
    roots: Vec<PathBuf>,
}

/// The files that a command could delete or change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AtStake {
    /// Files and links, as real paths.
    pub files: Vec<PathBuf>,
    /// How many of them undo could not restore.
    pub not_kept: u64,
    /// Whether there are more files, in folders that were not listed.
    pub and_more: bool,
}

/// An entry that will not be stored.
pub(super) struct Left {
    pub(super) entry: Entry,
    why: Phrase,
}

impl Survey {
    /// Lists the folders. What is at or below the paths in `first` is stored before everything else. Blocks while it
    /// lists.
    pub fn of(ground: &Ground<'_>, limits: TreeLimits, first: &[PathBuf]) -> Self {
        let most = usize::try_from(limits.max_files.saturating_mul(LOOKED_AT_PER_FILE)).unwrap_or(usize::MAX);
        let first = outermost(first);
        let Found { entries, unseen, output } =
            walk(ground, most, &HashSet::new(), &first, &|folder| ground.output.has(folder));
        let mut survey = Self {
            kept: Vec::new(),
            left: Vec::new(),
            unseen,
            secrets: Vec::new(),
            output,
            first: first.clone(),
            roots: ground.roots.clone(),
        };
        let (before, after): (Vec<Entry>, Vec<Entry>) =
            entries.into_iter().partition(|entry| is_below(&entry.path, &first));
        let (mut files, mut bytes) = (0, 0);
        for entry in before.into_iter().chain(after) {
            let why = match &entry.kind {
                Kind::Secret { .. } if !(ground.is_open)(&entry.path) => {
                    survey.secrets.push(entry);
                    continue;
                }
                Kind::Secret { .. } => Some(say::secret_not_copied()),
                _ if entry.path.to_str().is_none() => Some(say::name_not_utf_8()),
                Kind::Special { .. } => Some(say::no_file_at_all()),
                Kind::Link { target } if std::str::from_utf8(target).is_err() => Some(say::link_not_utf_8()),
                Kind::File { is_readable: false } => Some(say::not_readable()),
                Kind::File { .. } if entry.stamp.size > limits.max_bytes => Some(say::larger_than_kept()),
                Kind::File { .. } if files >= limits.max_files => Some(say::beyond_number_kept()),
                Kind::File { .. } if bytes + entry.stamp.size > limits.max_bytes => {
                    Some(say::beyond_size_kept())
                }
                Kind::File { .. } => {
                    files += 1;
                    bytes += entry.stamp.size;
                    None
                }
                Kind::Folder | Kind::Link { .. } => None,
            };
            match why {
                None => survey.kept.push(entry),
                Some(why) => survey.left.push(Left { entry, why }),
            }
        }
        // A folder comes before its content.
        survey.kept.sort_by(|one, other| one.path.cmp(&other.path));
        survey
    }

    /// Returns the files at or below the paths in `named`. If it is empty, returns all files without those in which git
    /// keeps its data.
    pub fn at_stake(&self, named: &[PathBuf]) -> AtStake {
        let named = outermost(named);
        let is_meant = |path: &Path| match named.is_empty() {
            true => !is_gits(path),
            false => is_below(path, &named),
        };
        let is_file = |entry: &&Entry| !matches!(entry.kind, Kind::Folder) && is_meant(&entry.path);
        let kept = self.kept.iter().filter(is_file);
        let left = self.left.iter().map(|left| &left.entry).filter(is_file);
        let not_kept = left.clone().count() as u64;
        AtStake {
            files: kept.chain(left).map(|entry| entry.path.clone()).collect(),
            not_kept,
            and_more: self
                .unseen
                .iter()
                .any(|unseen| is_meant(unseen) || named.iter().any(|one| one.starts_with(unseen))),
        }
    }

    /// Returns the paths that undo could not restore, sorted and outside each other.
    pub fn not_kept_paths(&self) -> Vec<PathBuf> {
        let left = self.left.iter().map(|left| left.entry.path.clone());
        outermost(&left.chain(self.unseen.iter().cloned()).collect::<Vec<_>>())
    }

    /// Returns what undo could not restore, for the person who is asked. `None` if undo covers everything.
    pub fn not_kept(&self) -> Option<NotKept> {
        if self.left.is_empty() && self.unseen.is_empty() {
            return None;
        }
        let named = |path: &PathBuf| {
            let below = self.roots.iter().find_map(|root| path.strip_prefix(root).ok()).unwrap_or(path);
            shown(below.as_os_str())
        };
        // List the largest files first, which a person would miss most.
        let mut left: Vec<&Left> = self.left.iter().collect();
        left.sort_by_key(|left| std::cmp::Reverse(left.entry.stamp.size));
        let folders = self.unseen.iter().map(|path| say::not_looked_into(named(path)));
        let files = left
            .iter()
            .map(|left| say::left_of_undo(named(&left.entry.path), size(left.entry.stamp.size), &left.why));
        Some(NotKept {
            files: (self.left.len() + self.unseen.len()) as u64,
            bytes: self.left.iter().map(|left| left.entry.stamp.size).sum(),
            and_more: !self.unseen.is_empty(),
            examples: folders.take(EXAMPLES - 1).chain(files).take(EXAMPLES).collect(),
        })
    }
}

/// Returns whether a path is at or below one of the paths, which are sorted and outside each other.
pub fn is_below(path: &Path, tops: &[PathBuf]) -> bool {
    let at = tops.partition_point(|top| top.as_path() <= path);
    at > 0 && path.starts_with(&tops[at - 1])
}

/// Returns whether git keeps its own data there.
pub fn is_gits(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == ".git")
}
