//! The order of results, and the part of them that is shown.

use crate::files::kind_name;
use crate::text::{Lines, moment};
use deputy_messages::Phrase;
use deputy_messages::search as say;
use rustix::fs::{FileType, Stat};
use schemars::JsonSchema;
use serde::Deserialize;
use std::cmp::{Ordering, Reverse};
use std::path::PathBuf;

/// The number of rows to hold in addition to those to be shown, before the rest is dropped.
const SLACK: usize = 4_096;

// Orders of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Order {
    Name,
    Largest,
    Smallest,
    Newest,
    Oldest,
}

/// A result.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The path as shown in results.
    pub(crate) path: PathBuf,
    /// The type of the file.
    pub(crate) kind: FileType,
    /// The size of a file in bytes. 0 for anything else.
    pub(crate) bytes: u64,
    /// The modification time: seconds and nanoseconds since the Unix epoch.
    pub(crate) changed: (i64, i64),
}

impl Row {
    pub(crate) fn of(path: PathBuf, kind: FileType, stat: Option<&Stat>) -> Self {
        let is_file = kind == FileType::RegularFile;
        let bytes = stat.filter(|_| is_file).map_or(0, |stat| u64::try_from(stat.st_size).unwrap_or(0));
        let changed =
            stat.map_or((0, 0), |stat| (stat.st_mtime, i64::try_from(stat.st_mtime_nsec).unwrap_or(0)));
        Self { path, kind, bytes, changed }
    }

    /// Formats the row as `PATH<tab>KIND<tab>BYTES<tab>TIME`.
    pub(crate) fn line(&self) -> String {
        let bytes = if self.kind == FileType::RegularFile { self.bytes.to_string() } else { "-".to_owned() };
        let path = super::entry_name(self.path.as_os_str(), self.kind);
        format!("{path}\t{}\t{bytes}\t{}", kind_name(self.kind), moment(self.changed.0))
    }
}

impl Order {
    pub(crate) fn compare(self, one: &Row, other: &Row) -> Ordering {
        let name = |row: &Row| {
            let text = row.path.to_string_lossy();
            (deputy_organize::fold(&text), row.path.clone())
        };
        let first = match self {
            Self::Name => return name(one).cmp(&name(other)),
            Self::Largest => Reverse(one.bytes).cmp(&Reverse(other.bytes)),
            Self::Smallest => one.bytes.cmp(&other.bytes),
            Self::Newest => Reverse(one.changed).cmp(&Reverse(other.changed)),
            Self::Oldest => one.changed.cmp(&other.changed),
        };
        first.then_with(|| one.path.cmp(&other.path))
    }
}

/// The part of an ordered list that is shown. Rows beyond it are counted and dropped, so that memory use is bounded.
pub(crate) struct Shown {
    order: Option<Order>,
    offset: u64,
    limit: Option<u64>,
    rows: Vec<Row>,
    /// The number of rows, from the first one on, that can be shown at all.
    most: usize,
    seen: u64,
}

impl Shown {
    /// Creates the list for `limit` rows after `offset` in at most `output_chars` characters.
    pub(crate) fn new(order: Option<Order>, offset: u64, limit: Option<u64>, output_chars: usize) -> Self {
        // A line has at least four characters, so no more rows can fit.
        let fitting = output_chars as u64 / 4;
        let most = offset.saturating_add(limit.unwrap_or(fitting).min(fitting));
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        Self { order, offset, limit, rows: Vec::new(), most, seen: 0 }
    }

    pub(crate) fn push(&mut self, row: Row) {
        self.seen += 1;
        match self.order {
            None if self.rows.len() >= self.most => {}
            None => self.rows.push(row),
            Some(order) => {
                self.rows.push(row);
                if self.rows.len() >= self.most.saturating_mul(2).saturating_add(SLACK) {
                    self.rows.sort_unstable_by(|one, other| order.compare(one, other));
                    self.rows.truncate(self.most);
                }
            }
        }
    }

    /// Returns the rows in order, starting with the first one to be shown.
    pub(crate) fn rows(mut self) -> (Vec<Row>, Window) {
        if let Some(order) = self.order {
            self.rows.sort_unstable_by(|one, other| order.compare(one, other));
        }
        let from = usize::try_from(self.offset).unwrap_or(usize::MAX).min(self.rows.len());
        let behind = self.seen.saturating_sub(self.offset);
        let wanted = self.limit.map_or(behind, |limit| limit.min(behind));
        let mut rows = self.rows.split_off(from);
        rows.truncate(usize::try_from(wanted).unwrap_or(usize::MAX));
        (rows, Window { offset: self.offset, wanted, all: self.seen })
    }
}

/// The requested part of all rows.
pub(crate) struct Window {
    offset: u64,
    wanted: u64,
    all: u64,
}

impl Window {
    /// Counts the requested rows that were not shown.
    pub(crate) fn count_rest(&self, shown: usize, lines: &mut Lines) {
        lines.left_out(self.wanted.saturating_sub(shown as u64));
    }

    /// Describes the requested part. `None` if it is everything.
    pub(crate) fn note(&self) -> Option<Phrase> {
        if self.wanted == self.all {
            return None;
        }
        let (from, to, all) = (self.offset + 1, self.offset + self.wanted, self.all);
        Some(match self.wanted {
            0 => say::none_shown(all),
            _ if self.offset == 0 => say::first_shown(all, to),
            _ => say::some_shown(all, from, to),
        })
    }
}
