//! Checks that devices have enough free space for what a plan copies.

use crate::problem::CheckError;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The number of bytes needed on each device, with a path on the device.
#[derive(Default)]
pub(crate) struct Room {
    needed: HashMap<u64, (PathBuf, u64)>,
}

impl Room {
    /// Adds the size of a file.
    pub(crate) fn need(&mut self, device: u64, path: &Path, bytes: u64) {
        let needed = self.needed.entry(device).or_insert_with(|| (path.to_owned(), 0));
        needed.1 = needed.1.saturating_add(bytes);
    }

    /// Fails if a device has too little free space. If the free space is unknown, the check passes and writing may
    /// fail.
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
