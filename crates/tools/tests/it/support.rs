//! A workspace in a temporary folder, and a keeper that stores in memory.

use async_trait::async_trait;
use deputy_policy::{Execution, Situation};
use deputy_protocol::{
    AbsentFile, CallId, Confinement, Digest, Facts, FileChange, FileState, KeptFile, KeptFolder, ToolResult,
};
use deputy_tools::{Blobs, CallContext, InvalidCall, KeepError, Keeper, NoGroups, Place, Registry};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// A workspace `ws` next to a home `home`, in a temporary folder that is removed with it.
pub(crate) struct Desk {
    _folder: TempDir,
    pub(crate) place: Place,
    pub(crate) keeper: Arc<MemoryKeeper>,
    pub(crate) cx: CallContext,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().canonicalize().unwrap();
        let place =
            Place { workspace: real.join("ws"), home: real.join("home"), temporary: None, names: None };
        fs::create_dir(&place.workspace).unwrap();
        fs::create_dir(&place.home).unwrap();
        let keeper = Arc::new(MemoryKeeper::default());
        let cx = CallContext {
            call: CallId::new("t-1-1"),
            task: deputy_protocol::TaskId::new("t"),
            ended: CancellationToken::new(),
            place: place.clone(),
            execution: None::<Execution>,
            programs: None,
            guard: None,
            last_page: None,
            gate: Arc::new(NoWeb),
            configuring: Vec::new(),
            confinement: Confinement::Workspace,
            readable: Vec::new(),
            writable: vec![place.workspace.clone()],
            caches: Vec::new(),
            scratch: None,
            environment: deputy_sandbox::Environment::default(),
            situation: Arc::new(Situation::new(
                place.home.clone(),
                place.workspace.clone(),
                real.join("deputy"),
            )),
            hidden: Vec::new(),
            masked: Vec::new(),
            frozen: Vec::new(),
            output_chars: 12_000,
            cwd: place.workspace.clone(),
            limits: deputy_protocol::Limits::default(),
            look_timeout: std::time::Duration::from_secs(30),
            network: None,
            commands: Arc::new(deputy_tools::NoCommands),
            skills: Arc::new(deputy_tools::NoSkills),
            groups: Arc::new(NoGroups),
            delegates: Arc::new(deputy_tools::NoDelegates),
            memories: Arc::new(deputy_tools::NoMemories),
            cancel: CancellationToken::new(),
            progress: Arc::new(|_| {}),
            job: Arc::new(|_| {}),
            keeper: keeper.clone(),
        };
        Self { _folder: folder, place, keeper, cx }
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.place.workspace.join(below)
    }

    /// Writes a file below the workspace and creates its parent folders.
    pub(crate) fn put(&self, below: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn text(&self, below: &str) -> String {
        fs::read_to_string(self.path(below)).unwrap()
    }

    pub(crate) async fn run(&self, tool: &str, parameters: Value) -> ToolResult {
        let registry = Registry::standard();
        registry.get(tool).unwrap().run(&parameters, &self.cx).await
    }

    pub(crate) fn facts(&self, tool: &str, parameters: Value) -> Result<Facts, InvalidCall> {
        Registry::standard().get(tool).unwrap().facts(&parameters, &self.place)
    }

    /// Returns the result for a snapshot, without the path of this machine's folder.
    pub(crate) async fn shown(&self, tool: &str, parameters: Value) -> String {
        let result = self.run(tool, parameters).await;
        let status = serde_json::to_value(result.status).unwrap();
        self.neutral(&format!("{}\n{}", status.as_str().unwrap(), result.content))
    }

    pub(crate) fn neutral(&self, text: &str) -> String {
        let here = self.place.workspace.parent().unwrap().to_str().unwrap();
        text.replace(here, "~tmp")
    }

    /// Returns the names of everything in a folder, including hidden entries.
    pub(crate) fn names(&self, below: &str) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.path(below))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

/// Sets the modification time to noon UTC of a day. For a link, sets the time of the link itself.
pub(crate) fn set_date(path: &Path, date: &str) {
    let time = format!("{date}T12:00:00Z").parse::<jiff::Timestamp>().unwrap();
    let time = rustix::fs::Timespec { tv_sec: time.as_second(), tv_nsec: 0 };
    let times = rustix::fs::Timestamps { last_access: time, last_modification: time };
    let flags = rustix::fs::AtFlags::SYMLINK_NOFOLLOW;
    rustix::fs::utimensat(rustix::fs::CWD, path, &times, flags).unwrap();
}

pub(crate) fn digest(content: &[u8]) -> Digest {
    Digest::new(blake3::hash(content).to_hex().as_str())
}

/// Stores contents and changes in memory.
#[derive(Default)]
pub(crate) struct MemoryKeeper {
    pub(crate) blobs: Mutex<HashMap<String, Vec<u8>>>,
    pub(crate) changes: Mutex<Vec<FileChange>>,
    /// Refuses to store anything, like a full disk.
    pub(crate) is_full: bool,
    /// Called between storing and the change.
    pub(crate) before_change: Mutex<Option<Box<dyn FnOnce() + Send>>>,
    /// The only path at which `before_change` is called. Any if absent.
    pub(crate) before_change_of: Mutex<Option<PathBuf>>,
}

#[async_trait]
impl Keeper for MemoryKeeper {
    async fn keep(&self, path: &Path, after: FileState) -> Result<FileChange, KeepError> {
        if self.is_full {
            let reason = "no space left on device".into();
            return Err(KeepError::File { path: path.to_owned(), reason });
        }
        let before = match fs::symlink_metadata(path) {
            Err(_) => FileState::Absent(AbsentFile {}),
            Ok(stat) if stat.is_dir() => FileState::Folder(KeptFolder::default()),
            Ok(stat) => {
                let kept = self.keep_blob(&fs::read(path).map_err(|e| KeepError::File {
                    path: path.to_owned(),
                    reason: e.to_string().into(),
                })?)?;
                FileState::File(KeptFile { mode: stat.permissions().mode() & 0o777, ..kept })
            }
        };
        let change =
            FileChange { path: path.to_str().unwrap().to_owned(), before, after, before_modified: None };
        self.changes.lock().unwrap().push(change.clone());
        let is_here = self.before_change_of.lock().unwrap().as_ref().is_none_or(|one| one == path);
        let act = if is_here { self.before_change.lock().unwrap().take() } else { None };
        if let Some(act) = act {
            act();
        }
        Ok(change)
    }

    fn keep_blob(&self, content: &[u8]) -> Result<KeptFile, KeepError> {
        let digest = digest(content);
        self.blobs.lock().unwrap().insert(digest.to_string(), content.to_owned());
        Ok(KeptFile { digest, size_bytes: content.len() as u64, mode: 0o644 })
    }
}

impl Blobs for MemoryKeeper {
    fn read(&self, file: &KeptFile) -> Result<Vec<u8>, KeepError> {
        let digest = file.digest.to_string();
        let missing = || KeepError::Blob { digest: digest.clone(), reason: "there is no such blob".into() };
        self.blobs.lock().unwrap().get(&digest).cloned().ok_or_else(missing)
    }

    fn holds(&self, file: &KeptFile) -> bool {
        let blobs = self.blobs.lock().unwrap();
        blobs.get(file.digest.as_str()).is_some_and(|blob| blob.len() as u64 == file.size_bytes)
    }

    fn keep(&self, content: &[u8]) -> Result<KeptFile, KeepError> {
        self.keep_blob(content)
    }
}

/// Returns a picture of one pixel, with the camera's date if given, e.g. `2024:07:01 09:05:03`.
pub(crate) fn photo(taken: Option<&str>) -> Vec<u8> {
    let mut bytes = vec![0xff, 0xd8];
    if let Some(taken) = taken {
        let entry = |tag: u16, kind: u16, count: u32, value: u32| {
            let mut entry = [tag.to_be_bytes(), kind.to_be_bytes()].concat();
            entry.extend(count.to_be_bytes());
            entry.extend(value.to_be_bytes());
            entry
        };
        // A header, a directory with the offset of the camera's directory, that directory, and its text.
        let mut tiff = b"MM\0\x2a\0\0\0\x08".to_vec();
        for (tag, kind, count, value) in [(0x8769, 4, 1, 26), (0x9003, 2, 20, 44)] {
            tiff.extend(1_u16.to_be_bytes());
            tiff.extend(entry(tag, kind, count, value));
            tiff.extend(0_u32.to_be_bytes());
        }
        tiff.extend(taken.as_bytes());
        tiff.push(0);
        let body = [b"Exif\0\0".as_slice(), &tiff].concat();
        bytes.extend([0xff, 0xe1]);
        bytes.extend(u16::try_from(body.len() + 2).unwrap().to_be_bytes());
        bytes.extend(body);
    }
    // The frame contains the size.
    bytes.extend([0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xff, 0xd9]);
    bytes
}

/// A gate that allows no requests.
struct NoWeb;

impl deputy_web::Gate for NoWeb {
    fn admits(&self, _: &str) -> Result<(), deputy_messages::Phrase> {
        Err("there is no web here".into())
    }

    fn admits_part(&self, _: &str, url: &str) -> Result<(), deputy_messages::Phrase> {
        self.admits(url)
    }

    fn connects(&self, _: &str, _: std::net::IpAddr) -> Result<(), deputy_messages::Phrase> {
        Err("there is no web here".into())
    }

    fn by_hand(&self) -> Arc<dyn deputy_web::Gate> {
        Arc::new(Self)
    }
}
