//! What is at a path: enough of it to see later whether it is still the same thing.

use rustix::fs::{FileType, Stat};
use serde::{Deserialize, Serialize};

/// What kind of thing is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link; never followed.
    Link,
    /// A socket, a pipe or a device.
    Special,
}

/// A time as the file system keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Moment {
    /// Seconds since the Unix epoch.
    pub secs: i64,
    /// Nanoseconds on top.
    pub nanos: u32,
}

/// What a thing is recognized by. The device is left out: its number may differ after a restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Its kind.
    pub kind: Kind,
    /// Its inode; unknown for what a job has yet to make, such as a copy.
    pub inode: Option<u64>,
    /// Size in bytes; 0 for folders.
    pub size_bytes: u64,
    /// When its content last changed.
    pub modified: Moment,
}

/// A thing on the disk at this moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// What it is recognized by.
    pub fingerprint: Fingerprint,
    /// The device it is on.
    pub device: u64,
    /// Names that lead to it.
    pub links: u64,
    /// Blocks of 512 bytes that it takes.
    pub blocks: u64,
}

impl Moment {
    /// For what is not known, as of a folder that a job itself will have changed by then.
    pub(crate) const UNKNOWN: Self = Self { secs: 0, nanos: 0 };
}

impl Fingerprint {
    /// Whether `now` is the same thing, unchanged. A folder stays the same whatever comes into it or goes.
    pub fn is_same(&self, now: &Fingerprint) -> bool {
        let same_inode = match (self.inode, now.inode) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        };
        self.kind == now.kind
            && same_inode
            && (self.kind == Kind::Folder
                || (self.size_bytes == now.size_bytes && self.modified == now.modified))
    }

    /// The same content and time under an inode that is not known yet, as a copy has it.
    pub fn copied(self) -> Self {
        Self { inode: None, ..self }
    }
}

impl Standing {
    /// Reads off what the kernel says.
    pub(crate) fn of(stat: &Stat) -> Self {
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Folder,
            FileType::Symlink => Kind::Link,
            _ => Kind::Special,
        };
        // The widths of these fields differ from system to system; none of the values is negative or too large.
        #[allow(clippy::unnecessary_cast, reason = "the widths differ from system to system")]
        Self {
            fingerprint: Fingerprint {
                kind,
                inode: Some(stat.st_ino as u64),
                size_bytes: if kind == Kind::Folder { 0 } else { stat.st_size as u64 },
                modified: Moment { secs: stat.st_mtime as i64, nanos: stat.st_mtime_nsec as u32 },
            },
            device: stat.st_dev as u64,
            links: stat.st_nlink as u64,
            blocks: stat.st_blocks as u64,
        }
    }
}
