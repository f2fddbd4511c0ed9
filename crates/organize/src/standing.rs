//! The state of a path, with enough detail to recognize later whether it is still the same entry.

use rustix::fs::{FileType, Stat};
use serde::{Deserialize, Serialize};

/// The type of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, which is never followed.
    Link,
    /// A socket, a pipe or a device.
    Special,
}

/// A file system time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Moment {
    /// Seconds since the Unix epoch.
    pub secs: i64,
    /// The nanoseconds in addition to `secs`.
    pub nanos: u32,
}

/// The properties that identify an entry. The device is not included, because its number may differ after a reboot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// The type.
    pub kind: Kind,
    /// The inode. `None` for an entry that a job has yet to create, such as a copy.
    pub inode: Option<u64>,
    /// The size in bytes. 0 for folders.
    pub size_bytes: u64,
    /// The modification time.
    pub modified: Moment,
}

/// The current state of an entry on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The properties that identify it.
    pub fingerprint: Fingerprint,
    /// The device that it is on.
    pub device: u64,
    /// The number of hard links.
    pub links: u64,
    /// The number of 512-byte blocks that it occupies.
    pub blocks: u64,
}

impl Moment {
    /// An unknown time, such as that of a folder that a job itself will have changed by then.
    pub(crate) const UNKNOWN: Self = Self { secs: 0, nanos: 0 };
}

impl Fingerprint {
    /// Returns whether `now` is the same entry, unchanged. Adding or removing entries does not change a folder.
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

    /// Returns the fingerprint of a copy: the same content and time with an unknown inode.
    pub fn copied(self) -> Self {
        Self { inode: None, ..self }
    }
}

impl Standing {
    /// Converts the result of `stat`.
    pub(crate) fn of(stat: &Stat) -> Self {
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Folder,
            FileType::Symlink => Kind::Link,
            _ => Kind::Special,
        };
        // The widths of these fields differ between systems. No value is negative or too large.
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
