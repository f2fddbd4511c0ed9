//! File filters: conditions on names, kinds, sizes, dates, tags and text, combined by and, or, not.
//!
//! All tools with a selection share these conditions. Conditions on text read the files. All others only use names and
//! metadata.

use super::walk::Entry;
use super::when::Moment;
use super::{NameGlob, Search, glob};
use crate::budget::Budget;
use crate::parameters::JsonObject;
use crate::tool::{InvalidCall, TypedTool};
use deputy_messages::Phrase;
use deputy_messages::search as say;
use deputy_organize::scan::{FileKind, is_screenshot, kind_by_name};
use rustix::fs::FileType;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;

/// The maximum nesting depth of conditions.
const DEEPEST: usize = 8;

/// The parameters that say which files are meant.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Filter {
    /// Glob for the name, or for the path if it has a slash: `*.pdf`, `docs/**/*.md`.
    #[serde(default)]
    pub(crate) pattern: Option<String>,
    /// Only files, folders or links.
    #[serde(default)]
    pub(crate) kind: Option<WantedKind>,
    /// Only these types of files, recognized by their names.
    #[serde(default)]
    pub(crate) types: Vec<WantedType>,
    /// Only these file extensions, separated by commas: jpg,png.
    #[serde(default)]
    pub(crate) extension: Option<String>,
    /// Minimum file size in bytes.
    #[serde(default)]
    pub(crate) min_bytes: Option<u64>,
    /// Maximum file size in bytes.
    #[serde(default)]
    pub(crate) max_bytes: Option<u64>,
    /// Changed since this date or age: 2026-01-31, 12h, 7d, 2w.
    #[serde(default)]
    pub(crate) newer_than: Option<Moment>,
    /// Last changed before this date or age: 2026-01-31, 12h, 7d, 2w.
    #[serde(default)]
    pub(crate) older_than: Option<Moment>,
    /// true: only empty files and folders. false: only non-empty ones.
    #[serde(default)]
    pub(crate) empty: Option<bool>,
    /// Maximum folder levels; 1 means direct entries. Default: all.
    #[serde(default)]
    pub(crate) depth: Option<u32>,
    /// Only with at least one of these tags.
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    /// Text that the file contains, ignoring case.
    #[serde(default)]
    pub(crate) text: Option<String>,
    /// List of conditions; at least one must hold: `[{"extension": "pdf"}, {"tags": ["tax"]}]`.
    #[serde(default)]
    #[schemars(with = "Vec<JsonObject>")]
    pub(crate) any: Vec<Filter>,
    /// List of conditions as in any; none may hold.
    #[serde(default)]
    #[schemars(with = "Vec<JsonObject>")]
    pub(crate) none: Vec<Filter>,
    /// Include names that begin with a dot.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Include what .gitignore leaves out.
    #[serde(default)]
    pub(crate) no_ignore: bool,
}

// Kinds of entries that can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WantedKind {
    File,
    Folder,
    Link,
}

// Common types of files, recognized by file name extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WantedType {
    Document,
    Spreadsheet,
    Presentation,
    Book,
    Mail,
    Contact,
    Calendar,
    Image,
    Screenshot,
    Video,
    Audio,
    Archive,
    Installer,
    Code,
    Data,
    Font,
}

impl WantedType {
    fn fits(self, name: &str) -> bool {
        let kind = match self {
            Self::Document => FileKind::Document,
            Self::Spreadsheet => FileKind::Spreadsheet,
            Self::Presentation => FileKind::Presentation,
            Self::Book => FileKind::Book,
            Self::Mail => FileKind::Mail,
            Self::Contact => FileKind::Contact,
            Self::Calendar => FileKind::Calendar,
            Self::Screenshot => return is_screenshot(name) && kind_by_name(name) == FileKind::Image,
            Self::Image => FileKind::Image,
            Self::Video => FileKind::Video,
            Self::Audio => FileKind::Audio,
            Self::Archive => FileKind::Archive,
            Self::Installer => FileKind::Installer,
            Self::Code => FileKind::Code,
            Self::Data => FileKind::Data,
            Self::Font => FileKind::Font,
        };
        kind_by_name(name) == kind
    }
}

/// Checked conditions, ready to be applied to entries.
pub(crate) struct Conditions {
    pattern: Option<NameGlob>,
    kind: Option<WantedKind>,
    types: Vec<WantedType>,
    extensions: Option<Vec<String>>,
    min_bytes: Option<u64>,
    max_bytes: Option<u64>,
    newer_than: Option<i64>,
    older_than: Option<i64>,
    empty: Option<bool>,
    depth: Option<usize>,
    tags: Vec<String>,
    text: Option<String>,
    any: Vec<Conditions>,
    none: Vec<Conditions>,
}

impl Filter {
    /// Checks and compiles the conditions.
    pub(crate) fn conditions(&self) -> Result<Conditions, InvalidCall> {
        self.inside(0)
    }

    fn inside(&self, level: usize) -> Result<Conditions, InvalidCall> {
        let wrong = |path: &str, problem: Phrase| Err(InvalidCall::parameter(Search::NAME, path, problem));
        if level > 0 && (self.hidden || self.no_ignore) {
            return wrong("any", say::outside_only());
        }
        if level > DEEPEST {
            return wrong("any", say::too_deep());
        }
        if self.text.as_ref().is_some_and(String::is_empty) {
            return wrong("text", say::expected_text());
        }
        let now = jiff::Timestamp::now();
        let inner = |filters: &[Self]| -> Result<Vec<Conditions>, InvalidCall> {
            filters.iter().map(|filter| filter.inside(level + 1)).collect()
        };
        let extensions = self.extension.as_ref().map(|text| {
            let each = text.split([',', ' ']).map(|one| one.trim_start_matches('.').to_lowercase());
            each.filter(|one| !one.is_empty()).collect()
        });
        Ok(Conditions {
            pattern: glob("pattern", self.pattern.as_deref())?,
            kind: self.kind,
            types: self.types.clone(),
            extensions,
            min_bytes: self.min_bytes,
            max_bytes: self.max_bytes,
            newer_than: self.newer_than.as_ref().map(|moment| moment.seconds(now)),
            older_than: self.older_than.as_ref().map(|moment| moment.seconds(now)),
            empty: self.empty,
            depth: self.depth.map(|depth| depth as usize),
            tags: self.tags.clone(),
            text: self.text.as_deref().map(deputy_organize::fold),
            any: inner(&self.any)?,
            none: inner(&self.none)?,
        })
    }

    /// Returns whether the conditions need the content of files.
    pub(crate) fn reads(&self) -> bool {
        self.text.is_some() || self.any.iter().chain(&self.none).any(Self::reads)
    }
}

impl Conditions {
    /// Returns whether an entry matches. An entry that cannot be read does not match.
    pub(crate) fn fits(&self, entry: &Entry<'_>, budget: &Budget) -> bool {
        self.fits_by_name(entry)
            && self.fits_by_stat(entry)
            && (self.any.is_empty() || self.any.iter().any(|one| one.fits(entry, budget)))
            && !self.none.iter().any(|one| one.fits(entry, budget))
            && self.text.as_ref().is_none_or(|text| holds(entry, text, budget))
    }

    fn fits_by_name(&self, entry: &Entry<'_>) -> bool {
        let kind = match entry.kind {
            FileType::RegularFile => Some(WantedKind::File),
            FileType::Directory => Some(WantedKind::Folder),
            FileType::Symlink => Some(WantedKind::Link),
            _ => None,
        };
        let files_only = self.extensions.is_some()
            || !self.types.is_empty()
            || self.min_bytes.is_some()
            || self.max_bytes.is_some()
            || self.text.is_some();
        if self.kind.is_some() && self.kind != kind || files_only && kind != Some(WantedKind::File) {
            return false;
        }
        if self.depth.is_some_and(|most| entry.depth > most) {
            return false;
        }
        if self.pattern.as_ref().is_some_and(|pattern| !pattern.fits(entry.name, entry.below)) {
            return false;
        }
        let name = entry.name.to_string_lossy();
        if !self.types.is_empty() && !self.types.iter().any(|wanted| wanted.fits(&name)) {
            return false;
        }
        self.extensions.as_ref().is_none_or(|wanted| {
            let lower = name.to_lowercase();
            // `tar.gz` is an extension, too.
            wanted.iter().any(|one| {
                lower.strip_suffix(one.as_str()).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
            })
        })
    }

    fn fits_by_stat(&self, entry: &Entry<'_>) -> bool {
        let is_free = self.min_bytes.is_none()
            && self.max_bytes.is_none()
            && self.newer_than.is_none()
            && self.older_than.is_none()
            && self.empty.is_none()
            && self.tags.is_empty();
        // Reading the metadata of each file takes as long as the rest of the walk.
        if is_free {
            return true;
        }
        let Ok(stat) = entry.stat() else { return false };
        let bytes = u64::try_from(stat.st_size).unwrap_or(0);
        let changed = stat.st_mtime;
        self.min_bytes.is_none_or(|least| bytes >= least)
            && self.max_bytes.is_none_or(|most| bytes <= most)
            && self.newer_than.is_none_or(|since| changed >= since)
            && self.older_than.is_none_or(|until| changed < until)
            && self.empty.is_none_or(|wanted| is_empty(entry, bytes) == Some(wanted))
            && (self.tags.is_empty() || entry.tags().iter().any(|tag| self.tags.contains(tag)))
    }
}

/// Returns whether a file or folder is empty. `None` for other kinds and for unreadable folders.
fn is_empty(entry: &Entry<'_>, bytes: u64) -> Option<bool> {
    match entry.kind {
        FileType::RegularFile => Some(bytes == 0),
        FileType::Directory => entry.is_empty_folder().ok(),
        _ => None,
    }
}

/// Returns whether the text of a file contains `wanted`, which must be case-folded.
fn holds(entry: &Entry<'_>, wanted: &str, budget: &Budget) -> bool {
    let Ok(file) = entry.open() else { return false };
    super::document::holds(&file, Path::new(entry.name), wanted, budget)
}
