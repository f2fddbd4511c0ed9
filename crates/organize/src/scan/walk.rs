//! Walks folders with one thread per core (at most 8). A thread that reads a big folder shares its names with the
//! others.

use super::sniff::{Found, HEAD, look};
use super::{
    LeftOut, MOST_FILES, MOST_REASONS, Scan, ScanError, ScanPhase, ScanProgress, ScannedFile, ScannedFolder,
    Watch,
};
use crate::disk::open_folder;
use crate::parallel::threads;
use crate::projects::is_marker;
use jiff::tz::TimeZone;
use rustix::fs::OFlags;
use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// The number of names that a thread processes at once.
const CHUNK: usize = 512;

/// A unit of work.
enum Work {
    Folder(PathBuf),
    Names { folder: u32, opened: Arc<OwnedFd>, names: Vec<OsString>, path: Arc<PathBuf> },
}

/// The state shared by the threads.
struct Shared<'a> {
    queue: Mutex<Queue>,
    changed: Condvar,
    found: Mutex<Scan>,
    files: AtomicUsize,
    zone: TimeZone,
    watch: &'a Watch<'a>,
}

#[derive(Default)]
struct Queue {
    work: Vec<Work>,
    at_work: usize,
    broken: Option<ScanError>,
}

/// Finds every folder and file below real paths.
pub(super) fn walk(roots: Vec<PathBuf>, watch: &Watch<'_>) -> Result<Scan, ScanError> {
    for root in &roots {
        std::fs::read_dir(root)
            .map_err(|error| ScanError::Root { folder: root.clone(), reason: error.to_string().into() })?;
    }
    let work = roots.iter().rev().cloned().map(Work::Folder).collect();
    let shared = Shared {
        queue: Mutex::new(Queue { work, ..Queue::default() }),
        changed: Condvar::new(),
        found: Mutex::new(Scan { roots, ..Scan::default() }),
        files: AtomicUsize::new(0),
        zone: TimeZone::system(),
        watch,
    };
    std::thread::scope(|scope| {
        for _ in 0..threads() {
            scope.spawn(|| shared.work());
        }
    });
    if let Some(error) = shared.queue.into_inner().unwrap_or_else(PoisonError::into_inner).broken {
        return Err(error);
    }
    let mut scan = shared.found.into_inner().unwrap_or_else(PoisonError::into_inner);
    sort(&mut scan);
    Ok(scan)
}

/// Sorts folders and files by path, regardless of the thread that found them.
fn sort(scan: &mut Scan) {
    let mut order: Vec<u32> = (0..).take(scan.folders.len()).collect();
    order.sort_by(|one, other| scan.folders[*one as usize].path.cmp(&scan.folders[*other as usize].path));
    let mut places = vec![0_u32; order.len()];
    for (place, folder) in (0_u32..).zip(&order) {
        places[*folder as usize] = place;
    }
    for file in &mut scan.files {
        file.folder = places[file.folder as usize];
    }
    scan.folders.sort_by(|one, other| one.path.cmp(&other.path));
    scan.files.sort_unstable_by(|one, other| (one.folder, &one.name).cmp(&(other.folder, &other.name)));
    scan.files.shrink_to_fit();
    scan.left_out.reasons.sort();
}

impl Shared<'_> {
    fn queue(&self) -> std::sync::MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn found(&self) -> std::sync::MutexGuard<'_, Scan> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        let mut head = Box::new([0; HEAD]);
        while let Some(work) = self.next() {
            if (self.watch.is_cancelled)() {
                self.queue().broken.get_or_insert(ScanError::Cancelled);
            } else {
                match work {
                    Work::Folder(path) => self.folder(path, &mut head),
                    Work::Names { folder, opened, names, path } => {
                        self.names(folder, &opened, &names, &path, &mut head);
                    }
                }
            }
            let mut queue = self.queue();
            queue.at_work -= 1;
            drop(queue);
            self.changed.notify_all();
        }
    }

    /// Returns the next unit of work. `None` if all work is done or the scan failed.
    fn next(&self) -> Option<Work> {
        let mut queue = self.queue();
        loop {
            if queue.broken.is_some() {
                return None;
            }
            if let Some(work) = queue.work.pop() {
                queue.at_work += 1;
                return Some(work);
            }
            if queue.at_work == 0 {
                return None;
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn push(&self, work: Work) {
        self.queue().work.push(work);
        self.changed.notify_one();
    }

    fn unreadable(&self, path: PathBuf, error: &std::io::Error) {
        let left_out = &mut self.found().left_out;
        left_out.unreadable += 1;
        if left_out.reasons.len() < MOST_REASONS {
            left_out.reasons.push((path, error.to_string()));
        }
    }

    /// Reads a folder. For a project, only the folder itself is recorded.
    fn folder(&self, path: PathBuf, head: &mut [u8; HEAD]) {
        let names = match read_names(&path) {
            Ok(names) => names,
            Err(error) => return self.unreadable(path, &error),
        };
        let is_root = self.found().roots.contains(&path);
        let is_project = !is_root && names.iter().any(|name| is_marker(name));
        let folder = {
            let mut found = self.found();
            found.folders.push(ScannedFolder { path: path.clone().into_boxed_path(), is_project });
            found.folders.len() - 1
        };
        if is_project {
            return;
        }
        let opened = match open_folder(&path, OFlags::RDONLY) {
            Ok(opened) => Arc::new(opened),
            Err(error) => return self.unreadable(path, &error.into()),
        };
        let folder = u32::try_from(folder).unwrap_or(u32::MAX);
        let mut rest = names;
        let path = Arc::new(path);
        while rest.len() > CHUNK {
            let names = rest.split_off(rest.len() - CHUNK);
            self.push(Work::Names { folder, opened: opened.clone(), names, path: path.clone() });
        }
        self.names(folder, &opened, &rest, &path, head);
    }

    fn names(&self, folder: u32, opened: &OwnedFd, names: &[OsString], path: &Path, head: &mut [u8; HEAD]) {
        let mut files: Vec<ScannedFile> = Vec::with_capacity(names.len());
        let mut left_out = LeftOut::default();
        for name in names {
            let Some(text) = name.to_str() else {
                left_out.unnameable += 1;
                continue;
            };
            if text.starts_with('.') || (self.watch.passes_by)(&path.join(name)) {
                left_out.hidden += 1;
                continue;
            }
            match look(opened, name, text, &self.zone, head) {
                Ok(Found::File(file)) => files.push(ScannedFile { folder, ..*file }),
                Ok(Found::Folder) => self.push(Work::Folder(path.join(name))),
                Ok(Found::Special) => left_out.special += 1,
                // Deleted after the folder was read.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => self.unreadable(path.join(name), &error),
            }
        }
        let done = self.files.fetch_add(files.len(), Ordering::Relaxed) + files.len();
        if done > MOST_FILES {
            self.queue().broken.get_or_insert(ScanError::TooMany);
        }
        let mut found = self.found();
        found.files.append(&mut files);
        found.left_out.unnameable += left_out.unnameable;
        found.left_out.hidden += left_out.hidden;
        found.left_out.special += left_out.special;
        drop(found);
        (self.watch.progress)(ScanProgress { phase: ScanPhase::Looking, done, total: None });
    }
}

fn read_names(path: &Path) -> std::io::Result<Vec<OsString>> {
    std::fs::read_dir(path)?.map(|entry| Ok(entry?.file_name())).collect()
}
