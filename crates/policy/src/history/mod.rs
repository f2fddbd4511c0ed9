//! Secrets in a repository's history: the paths of all trees in its object store, regardless of the current branches.
//!
//! No program is run. Stored objects never change, so each pack and each loose object is read once, and its paths are
//! kept in memory; a later call reads only what is new. Reading is bounded: unreadable or excessive data is an error,
//! and the caller then asks. All stored trees count, reachable or not, because git shows both.

mod object;
mod pack;
mod paths;

use crate::Situation;
use crate::path::Secrets;
use deputy_messages::policy as say;
use deputy_protocol::Phrase;
use object::{Unpacker, unhex};
use pack::Pack;
use paths::{Batch, Paths};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsString;
use std::fs::Metadata;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// The maximum number of bytes to which trees and commits are unpacked in a call.
const MOST_BYTES: usize = 768 * 1024 * 1024;
/// The maximum number of loose objects.
const MOST_LOOSE: usize = 100_000;
/// The maximum number of packs, and of objects in all of them.
const MOST_PACKS: usize = 512;
const MOST_PACKED: usize = 1_000_000;
/// The maximum number of repositories whose paths are kept in memory.
const MOST_KEPT: usize = 16;

/// The reason why a history cannot be determined.
#[derive(Debug)]
pub(crate) enum Unknown {
    /// The operating system does not allow reading it.
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// The data does not conform to git's format.
    NotUnderstood,
    /// Reading would take too long.
    TooLarge,
}

impl Unknown {
    /// The reason in plain words.
    pub(crate) fn reason(&self) -> Phrase {
        match self {
            Self::Unreadable { path, error } => say::history_unreadable(error, path.display()),
            Self::NotUnderstood => say::history_not_understood(),
            Self::TooLarge => say::history_too_large(),
        }
    }

    fn unreadable(path: &Path) -> impl Fn(std::io::Error) -> Self + Copy + '_ {
        move |error| Self::Unreadable { path: path.to_owned(), error }
    }
}

static KEPT: LazyLock<Mutex<HashMap<PathBuf, Arc<Mutex<History>>>>> = LazyLock::new(Mutex::default);

/// Returns the secrets among the paths that files have or had in a repository, relative to its top. The error says
/// why they cannot be determined.
pub(crate) fn secrets(
    situation: &Situation,
    secrets: &Secrets,
    repository: &Path,
) -> Result<Arc<Vec<String>>, Unknown> {
    let objects = repository.join("objects");
    let history = {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST_KEPT && !kept.contains_key(&objects) {
            kept.clear();
        }
        Arc::clone(kept.entry(objects.clone()).or_default())
    };
    let mut history = history.lock().unwrap_or_else(PoisonError::into_inner);
    if let Err(why) = history.refresh(&objects) {
        // The paths that were read are incomplete, so none of them counts.
        *history = History::default();
        return Err(why);
    }
    let top = repository.parent().unwrap_or(repository);
    Ok(history.secrets(situation, secrets, top))
}

/// The state of a file or folder at the time when it was read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    device: u64,
    inode: u64,
    bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    pub(crate) fn of(meta: &Metadata) -> Self {
        Self {
            device: meta.dev(),
            inode: meta.ino(),
            bytes: meta.len(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            changed: (meta.ctime(), meta.ctime_nsec()),
        }
    }
}

/// The known content of an object store.
#[derive(Default)]
struct History {
    packs: BTreeMap<OsString, Stamp>,
    folders: HashMap<u8, Stamp>,
    loose: HashSet<(u8, OsString)>,
    paths: Paths,
    /// The secrets among the first paths, and the criteria for secrets at that time.
    judged: Option<(String, usize, Arc<Vec<String>>)>,
}

impl History {
    /// Reads what was added since the last call.
    fn refresh(&mut self, objects: &Path) -> Result<(), Unknown> {
        let packs = packs(&objects.join("pack"))?;
        // If packs were removed, their content may be gone too, so everything is read again.
        if self.packs.iter().any(|(name, stamp)| packs.get(name) != Some(stamp)) {
            *self = Self::default();
        }
        let mut unpacker = Unpacker::new(MOST_BYTES);
        let mut batch = Batch::default();
        let mut packed = 0;
        for name in packs.keys().filter(|name| !self.packs.contains_key(*name)) {
            let pack = Pack::open(&objects.join("pack").join(name))?;
            packed += pack.len();
            if packed > MOST_PACKED {
                return Err(Unknown::TooLarge);
            }
            let paths = &mut self.paths;
            pack.each(&mut unpacker, &mut |id, kind, bytes| paths.add(&mut batch, id, kind, bytes))?;
        }
        self.packs = packs;
        self.read_loose(objects, &mut unpacker, &mut batch)?;
        self.paths.join(&batch)
    }

    fn read_loose(
        &mut self,
        objects: &Path,
        unpacker: &mut Unpacker,
        batch: &mut Batch,
    ) -> Result<(), Unknown> {
        for number in 0..=u8::MAX {
            let folder = objects.join(format!("{number:02x}"));
            let meta = match folder.metadata() {
                Ok(meta) => meta,
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) => return Err(Unknown::unreadable(&folder)(error)),
            };
            let stamp = Stamp::of(&meta);
            if self.folders.get(&number) == Some(&stamp) {
                continue;
            }
            let unreadable = Unknown::unreadable(&folder);
            for entry in folder.read_dir().map_err(unreadable)? {
                let name = entry.map_err(unreadable)?.file_name();
                let text = name.to_string_lossy();
                let is_object =
                    matches!(text.len(), 38 | 62) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
                if !is_object || self.loose.contains(&(number, name.clone())) {
                    continue;
                }
                let id = unhex(&format!("{number:02x}{text}")).unwrap_or_default();
                if let Some((kind, bytes)) = unpacker.loose(&folder.join(&name))? {
                    self.paths.add(batch, &id, kind, &bytes)?;
                }
                if self.loose.len() >= MOST_LOOSE {
                    return Err(Unknown::TooLarge);
                }
                self.loose.insert((number, name));
            }
            // The clock is coarse: an addition right now may not change the folder's time.
            if is_settled(&meta) {
                self.folders.insert(number, stamp);
            }
        }
        Ok(())
    }

    /// Returns the secrets among the paths. Only the paths that were added since the last call are judged.
    fn secrets(&mut self, situation: &Situation, secrets: &Secrets, top: &Path) -> Arc<Vec<String>> {
        let by = what_counts(situation, top);
        let (from, known) = match self.judged.take() {
            Some((judged_by, count, known)) if judged_by == by => (count, known),
            _ => (0, Arc::default()),
        };
        let mut known = known;
        self.paths.each_from(from, |path| {
            if secrets.holds_inside(top, path) {
                Arc::make_mut(&mut known).push(path.to_owned());
            }
        });
        self.judged = Some((by, self.paths.len(), Arc::clone(&known)));
        known
    }
}

/// Returns the criteria for which names below a folder are secrets, as a text that can be compared.
pub(crate) fn what_counts(situation: &Situation, top: &Path) -> String {
    let listed: Vec<&str> = situation.secrets.iter().map(crate::path::SecretPattern::text).collect();
    format!("{listed:?} {:?} {top:?}", situation.home)
}

/// Whether a folder's last change is old enough that the next change will have a different time.
pub(crate) fn is_settled(meta: &Metadata) -> bool {
    const COARSE: Duration = Duration::from_secs(2);
    let changed =
        Duration::new(meta.ctime().try_into().unwrap_or(0), meta.ctime_nsec().try_into().unwrap_or(0));
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH + changed).is_ok_and(|age| age > COARSE)
}

/// Returns the current indexes of packs.
fn packs(folder: &Path) -> Result<BTreeMap<OsString, Stamp>, Unknown> {
    let unreadable = Unknown::unreadable(folder);
    let entries = match folder.read_dir() {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(unreadable(error)),
    };
    let (mut found, mut packs) = (BTreeMap::new(), 0);
    for entry in entries {
        let path = entry.map_err(unreadable)?.path();
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("pack") => packs += 1,
            Some("idx") => {
                let meta = path.metadata().map_err(unreadable)?;
                found.insert(path.file_name().unwrap_or_default().to_owned(), Stamp::of(&meta));
            }
            _ => {}
        }
        if found.len() > MOST_PACKS {
            return Err(Unknown::TooLarge);
        }
    }
    // A pack without an index may be covered by a multi-pack index.
    match found.len() == packs {
        true => Ok(found),
        false => Err(Unknown::NotUnderstood),
    }
}
