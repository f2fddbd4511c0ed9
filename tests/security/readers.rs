//! Sees whether anybody reads a file, whatever becomes of its content.

use rustix::fs::inotify::{CreateFlags, Reader, WatchFlags, add_watch, init};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// Watches files.
pub(crate) struct Readers {
    inotify: OwnedFd,
    files: BTreeMap<i32, PathBuf>,
}

impl Readers {
    /// Watches these files.
    pub(crate) fn of<'a>(files: impl IntoIterator<Item = &'a Path>) -> Self {
        let inotify = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).unwrap();
        let files = files
            .into_iter()
            .map(|file| (add_watch(&inotify, file, WatchFlags::ACCESS).unwrap(), file.to_owned()))
            .collect();
        Self { inotify, files }
    }

    /// The files that were read since it was last asked.
    pub(crate) fn seen(&self) -> Vec<&Path> {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut reader = Reader::new(&self.inotify, &mut buffer);
        let mut seen = Vec::new();
        loop {
            match reader.next() {
                Ok(event) => seen.extend(self.files.get(&event.wd()).map(PathBuf::as_path)),
                Err(Errno::AGAIN) => break,
                Err(error) => panic!("{error}"),
            }
        }
        seen.sort();
        seen.dedup();
        seen
    }
}
