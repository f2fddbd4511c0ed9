//! A model of a disk as the kernel has it in memory: numbered entries, and all changes to them in order.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

/// The number of a file, folder or link. It does not depend on its names.
pub(super) type Node = usize;

/// The root folder.
pub(super) const ROOT: Node = 0;

/// The content of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    File(Vec<u8>),
    Folder(BTreeMap<String, Node>),
    Link(PathBuf),
}

/// An entry on the disk.
#[derive(Clone, Debug)]
pub(super) struct Thing {
    pub(super) content: Content,
    pub(super) mode: u32,
    /// The mode with which it was created.
    pub(super) first_mode: u32,
    pub(super) modified: (i64, i64),
    /// The inode at the time of the recording, if known.
    pub(super) inode: Option<u64>,
}

/// A change. It reaches the disk completely or not at all, except for a write, which may be kept in part.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Link { folder: Node, name: String, node: Node },
    Unlink { folder: Node, name: String, node: Node },
    Rename { from: (Node, String), to: (Node, String), node: Node },
    Write { node: Node, offset: usize, data: Vec<u8> },
    Length { node: Node, length: usize },
    Mode { node: Node, mode: u32 },
    Time { node: Node, modified: (i64, i64) },
}

impl Change {
    /// Returns the entry whose `fsync` makes the change durable. For a rename, this is the target folder, because a
    /// rename is atomic.
    pub(super) fn needs(&self) -> Node {
        match self {
            Self::Link { folder, .. } | Self::Unlink { folder, .. } => *folder,
            Self::Rename { to, .. } => to.0,
            Self::Write { node, .. }
            | Self::Length { node, .. }
            | Self::Mode { node, .. }
            | Self::Time { node, .. } => *node,
        }
    }
}

/// Everything below a folder.
#[derive(Clone, Debug, Default)]
pub(super) struct Disk {
    pub(super) things: HashMap<Node, Thing>,
    next: Node,
}

impl Disk {
    /// Reads everything below a folder. Skips sockets and the like.
    pub(super) fn read(root: &Path) -> io::Result<Self> {
        let mut disk = Self::default();
        disk.read_one(root)?;
        Ok(disk)
    }

    fn read_one(&mut self, path: &Path) -> io::Result<Option<Node>> {
        let meta = fs::symlink_metadata(path)?;
        if !(meta.is_file() || meta.is_dir() || meta.is_symlink()) {
            return Ok(None);
        }
        let node = self.number();
        let content = if meta.is_file() {
            Content::File(fs::read(path)?)
        } else if meta.is_symlink() {
            Content::Link(fs::read_link(path)?)
        } else {
            let mut names = BTreeMap::new();
            for entry in fs::read_dir(path)? {
                let entry = entry?;
                let name =
                    entry.file_name().into_string().map_err(|_| io::Error::other("a name is not UTF-8"))?;
                if let Some(node) = self.read_one(&entry.path())? {
                    names.insert(name, node);
                }
            }
            Content::Folder(names)
        };
        let modified = (meta.mtime(), meta.mtime_nsec());
        let mode = meta.mode() & 0o7777;
        let inode = Some(meta.ino());
        self.things.insert(node, Thing { content, mode, first_mode: mode, modified, inode });
        Ok(Some(node))
    }

    fn number(&mut self) -> Node {
        self.next += 1;
        self.next - 1
    }

    /// Creates an entry without a name.
    pub(super) fn create(&mut self, content: Content, mode: u32, modified: (i64, i64)) -> Node {
        let node = self.number();
        self.things.insert(node, Thing { content, mode, first_mode: mode, modified, inode: None });
        node
    }

    /// Finds the entry at a path below the root.
    pub(super) fn find(&self, path: &Path) -> Option<Node> {
        path.components().try_fold(ROOT, |folder, part| match part {
            Component::Normal(name) => self.names(folder)?.get(name.to_str()?).copied(),
            Component::CurDir => Some(folder),
            _ => None,
        })
    }

    /// Returns the names in a folder.
    pub(super) fn names(&self, folder: Node) -> Option<&BTreeMap<String, Node>> {
        match &self.things.get(&folder)?.content {
            Content::Folder(names) => Some(names),
            _ => None,
        }
    }

    /// Returns the bytes of a file.
    pub(super) fn bytes(&self, file: Node) -> Option<&Vec<u8>> {
        match &self.things.get(&file)?.content {
            Content::File(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Applies a change. Does nothing if its entry does not exist.
    pub(super) fn apply(&mut self, change: &Change, time: (i64, i64)) {
        match change {
            Change::Link { folder, name, node } => self.in_folder(*folder, time, |names| {
                names.insert(name.clone(), *node);
            }),
            Change::Unlink { folder, name, node } => self.leave((*folder, name), *node, time),
            Change::Rename { from, to, node } => {
                self.leave((from.0, &from.1), *node, time);
                self.in_folder(to.0, time, |names| {
                    names.insert(to.1.clone(), *node);
                });
            }
            Change::Write { node, offset, data } => self.in_file(*node, time, |bytes| {
                if bytes.len() < offset + data.len() {
                    bytes.resize(offset + data.len(), 0);
                }
                bytes[*offset..offset + data.len()].copy_from_slice(data);
            }),
            Change::Length { node, length } => self.in_file(*node, time, |bytes| bytes.resize(*length, 0)),
            Change::Mode { node, mode } => {
                if let Some(thing) = self.things.get_mut(node) {
                    thing.mode = *mode;
                }
            }
            Change::Time { node, modified } => {
                if let Some(thing) = self.things.get_mut(node) {
                    thing.modified = *modified;
                }
            }
        }
    }

    /// Returns whether a change leaves all named entries reachable, which file systems ensure. A folder can only be
    /// removed if it is empty, and a move needs an existing target folder.
    pub(super) fn stays_whole(&self, change: &Change) -> bool {
        match change {
            Change::Unlink { node, .. } => self.names(*node).is_none_or(BTreeMap::is_empty),
            Change::Rename { to, node, .. } => {
                let replaced = self.names(to.0).and_then(|names| names.get(&to.1));
                let is_full = replaced.is_some_and(|old| {
                    old != node && self.names(*old).is_some_and(|names| !names.is_empty())
                });
                !is_full && self.is_reachable(to.0)
            }
            _ => true,
        }
    }

    fn is_reachable(&self, wanted: Node) -> bool {
        let mut waiting = vec![ROOT];
        while let Some(node) = waiting.pop() {
            if node == wanted {
                return true;
            }
            waiting.extend(self.names(node).into_iter().flat_map(BTreeMap::values));
        }
        false
    }

    fn leave(&mut self, (folder, name): (Node, &str), node: Node, time: (i64, i64)) {
        self.in_folder(folder, time, |names| {
            if names.get(name) == Some(&node) {
                names.remove(name);
            }
        });
    }

    fn in_folder(
        &mut self,
        folder: Node,
        time: (i64, i64),
        change: impl FnOnce(&mut BTreeMap<String, Node>),
    ) {
        if let Some(Thing { content: Content::Folder(names), modified, .. }) = self.things.get_mut(&folder) {
            change(names);
            *modified = time;
        }
    }

    fn in_file(&mut self, file: Node, time: (i64, i64), change: impl FnOnce(&mut Vec<u8>)) {
        if let Some(Thing { content: Content::File(bytes), modified, .. }) = self.things.get_mut(&file) {
            change(bytes);
            *modified = time;
        }
    }

    /// Writes everything to an empty folder. Returns a map from old to new inodes.
    pub(super) fn write(&self, root: &Path) -> io::Result<HashMap<u64, u64>> {
        let mut inodes = HashMap::new();
        let mut placed = HashMap::new();
        self.write_one(ROOT, root, &mut placed, &mut inodes)?;
        Ok(inodes)
    }

    fn write_one(
        &self,
        node: Node,
        path: &Path,
        placed: &mut HashMap<Node, PathBuf>,
        inodes: &mut HashMap<u64, u64>,
    ) -> io::Result<()> {
        use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};
        use std::os::unix::fs::PermissionsExt;
        let Some(thing) = self.things.get(&node) else { return Ok(()) };
        if let Some(first) = placed.get(&node) {
            return fs::hard_link(first, path);
        }
        placed.insert(node, path.to_owned());
        match &thing.content {
            Content::File(bytes) => fs::write(path, bytes)?,
            Content::Link(target) => std::os::unix::fs::symlink(target, path)?,
            Content::Folder(names) => {
                if node != ROOT {
                    fs::create_dir(path)?;
                }
                for (name, node) in names {
                    self.write_one(*node, &path.join(name), placed, inodes)?;
                }
            }
        }
        if !matches!(thing.content, Content::Link(_)) {
            fs::set_permissions(path, fs::Permissions::from_mode(thing.mode))?;
        }
        let time = Timespec { tv_sec: thing.modified.0, tv_nsec: thing.modified.1 };
        let times = Timestamps { last_access: time, last_modification: time };
        utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW)?;
        if let Some(inode) = thing.inode {
            inodes.insert(inode, fs::symlink_metadata(path)?.ino());
        }
        Ok(())
    }

    /// Copies the inodes of the entries at the same paths.
    pub(super) fn know_inodes(&mut self, real: &Self) {
        let mut waiting = vec![(ROOT, ROOT)];
        while let Some((ours, theirs)) = waiting.pop() {
            if let (Some(names), Some(others)) = (self.names(ours), real.names(theirs)) {
                waiting.extend(names.iter().filter_map(|(name, node)| Some((*node, *others.get(name)?))));
            }
            if let (Some(thing), Some(other)) = (self.things.get_mut(&ours), real.things.get(&theirs)) {
                thing.inode = other.inode;
            }
        }
    }

    /// Returns the paths at which two disks differ.
    pub(super) fn differences(&self, other: &Self, but: impl Fn(&Path) -> bool) -> Vec<String> {
        let (ours, theirs) = (self.paths(), other.paths());
        let all: std::collections::BTreeSet<_> =
            ours.keys().chain(theirs.keys()).filter(|path| !but(path)).collect();
        all.into_iter()
            .filter(|path| ours.get(*path) != theirs.get(*path))
            .map(|path| path.display().to_string())
            .collect()
    }

    /// Returns the content and mode at each path.
    fn paths(&self) -> BTreeMap<PathBuf, (Option<Content>, u32)> {
        let mut found = BTreeMap::new();
        let mut waiting = vec![(PathBuf::new(), ROOT)];
        while let Some((path, node)) = waiting.pop() {
            let Some(thing) = self.things.get(&node) else { continue };
            let content = match &thing.content {
                Content::Folder(names) => {
                    waiting.extend(names.iter().map(|(name, node)| (path.join(name), *node)));
                    None
                }
                other => Some(other.clone()),
            };
            // The mode of a link has no meaning.
            let mode = if matches!(content, Some(Content::Link(_))) { 0 } else { thing.mode };
            found.insert(path, (content, mode));
        }
        found
    }
}
