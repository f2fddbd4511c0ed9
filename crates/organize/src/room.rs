//! Whether the devices have room for what a plan copies.

use crate::problem::CheckError;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Bytes that are needed on each device, with a path there.
#[derive(Default)]
pub(crate) struct Room {
    needed: HashMap<u64, (PathBuf, u64)>,
}

impl Room {
    /// Adds what one file needs.
    pub(crate) fn need(&mut self, device: u64, path: &Path, bytes: u64) {
        let needed = self.needed.entry(device).or_insert_with(|| (path.to_owned(), 0));
        needed.1 = needed.1.saturating_add(bytes);
    }

    /// Fails where a device has less than is needed. Where that cannot be known, writing will show.
    pub(crate) fn check(&self) -> Result<(), CheckError> {
        for (path, needed) in self.needed.values() {
            let Some(folder) = path.ancestors().find(|above| above.is_dir()) else { continue };
            let Ok(device) = rustix::fs::statvfs(folder) else { continue };
            let free = device.f_bavail.saturating_mul(device.f_frsize);
            if *needed > free {
                return Err(CheckError::NoRoom { folder: folder.to_owned(), needed: *needed, free });
            }
        }
        Ok(())
    }
}
