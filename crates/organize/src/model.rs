//! A model of the tree on disk. It is read lazily, and operations are tried on it before they are executed.

use crate::disk::{self, DiskAction, DiskError};
use crate::names::fold;
use crate::standing::{Fingerprint, Kind, Moment, Standing};
use rustix::io::Errno;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

/// A node of the model.
pub(crate) type Id = usize;

const ROOT: Id = 0;

struct Node {
    parent: Option<Id>,
    name: OsString,
    standing: Standing,
    /// The folder on disk that contains its children. `None` for files and for entries that do not exist yet.
    origin: Option<PathBuf>,
    /// The children that were read or changed. `None` for a name that is known to be free.
    children: HashMap<OsString, Option<Id>>,
    /// The names with each fold, once loaded.
    folds: Option<HashMap<String, Vec<OsString>>>,
    /// The number at which the search for the next free name starts, by fold.
    numbers: HashMap<String, u32>,
}

/// The tree as it would be.
pub(crate) struct Model {
    nodes: Vec<Node>,
    keeps_inodes: HashMap<u64, bool>,
}

impl Model {
    pub(crate) fn new() -> Self {
        let fingerprint =
            Fingerprint { kind: Kind::Folder, inode: None, size_bytes: 0, modified: Moment::UNKNOWN };
        let standing = Standing { fingerprint, device: 0, links: 1, blocks: 0 };
        let root = Node::new(None, OsString::new(), standing, Some(PathBuf::from("/")));
        Self { nodes: vec![root], keeps_inodes: HashMap::new() }
    }

    /// Finds the node at an absolute path. Does not follow links, so a link has no children.
    pub(crate) fn find(&mut self, path: &Path) -> Result<Option<Id>, DiskError> {
        let mut node = ROOT;
        for part in path.components() {
            if let Component::Normal(name) = part {
                match self.child(node, name)? {
                    Some(child) => node = child,
                    None => return Ok(None),
                }
            }
        }
        Ok(Some(node))
    }

    /// Returns the child with exactly this name.
    pub(crate) fn child(&mut self, folder: Id, name: &OsStr) -> Result<Option<Id>, DiskError> {
        if let Some(known) = self.nodes[folder].children.get(name) {
            return Ok(*known);
        }
        if self.standing(folder).fingerprint.kind != Kind::Folder {
            return Ok(None);
        }
        let Some(path) = self.nodes[folder].origin.as_ref().map(|origin| origin.join(name)) else {
            return Ok(None);
        };
        let child = match rustix::fs::lstat(&path) {
            Ok(stat) => {
                let mut standing = Standing::of(&stat);
                if !self.keeps_inodes(standing.device, &path) {
                    standing.fingerprint = standing.fingerprint.copied();
                }
                let origin = (standing.fingerprint.kind == Kind::Folder).then_some(path);
                self.nodes.push(Node::new(Some(folder), name.to_owned(), standing, origin));
                Some(self.nodes.len() - 1)
            }
            // A name that is too long for the file system does not exist.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::NAMETOOLONG | Errno::INVAL) => None,
            Err(error) => return Err(DiskError::new(DiskAction::LookAt, &path, error)),
        };
        self.nodes[folder].children.insert(name.to_owned(), child);
        Ok(child)
    }

    /// Returns whether inodes identify entries on this device.
    fn keeps_inodes(&mut self, device: u64, path: &Path) -> bool {
        let known = &mut self.keeps_inodes;
        *known.entry(device).or_insert_with(|| {
            let folder = path.parent().unwrap_or(path);
            disk::open_folder(folder, rustix::fs::OFlags::PATH).is_ok_and(|it| disk::keeps_inodes(&it))
        })
    }

    pub(crate) fn standing(&self, node: Id) -> &Standing {
        &self.nodes[node].standing
    }

    pub(crate) fn kind(&self, node: Id) -> Kind {
        self.nodes[node].standing.fingerprint.kind
    }

    pub(crate) fn parent(&self, node: Id) -> Option<Id> {
        self.nodes[node].parent
    }

    pub(crate) fn name(&self, node: Id) -> &OsStr {
        &self.nodes[node].name
    }

    /// Returns the original folder on disk. `None` for files and for new entries.
    pub(crate) fn origin(&self, node: Id) -> Option<&Path> {
        self.nodes[node].origin.as_deref()
    }

    /// Returns the current path.
    pub(crate) fn path(&self, node: Id) -> PathBuf {
        let mut names = Vec::new();
        let mut above = Some(node);
        while let Some(node) = above {
            names.push(&self.nodes[node].name);
            above = self.nodes[node].parent;
        }
        let mut path = PathBuf::from("/");
        path.extend(names.into_iter().rev().filter(|name| !name.is_empty()));
        path
    }

    /// Returns whether `node` is `other` or below it.
    pub(crate) fn is_within(&self, node: Id, other: Id) -> bool {
        let mut above = Some(node);
        while let Some(node) = above {
            if node == other {
                return true;
            }
            above = self.nodes[node].parent;
        }
        false
    }

    /// Returns whether the node is still in the tree.
    pub(crate) fn is_rooted(&self, node: Id) -> bool {
        self.is_within(node, ROOT)
    }

    /// Returns whether no name in the folder is equal to this one on any system.
    pub(crate) fn is_free(&mut self, folder: Id, name: &str) -> Result<bool, DiskError> {
        self.load_folds(folder)?;
        let folds = self.nodes[folder].folds.as_ref();
        Ok(folds.is_none_or(|folds| !folds.contains_key(&fold(name))))
    }

    /// Returns the folder whose name differs from this one at most in case and Unicode composition.
    pub(crate) fn folder_like(&mut self, folder: Id, name: &str) -> Result<Option<Id>, DiskError> {
        if self.is_free(folder, name)? {
            return Ok(None);
        }
        let alike = self.nodes[folder].folds.as_ref().and_then(|folds| folds.get(&fold(name))).cloned();
        // A name that is not valid UTF-8 only matches by its replacement characters, and is never intended.
        for other in alike.unwrap_or_default().iter().filter(|other| other.to_str().is_some()) {
            if let Some(found) = self.child(folder, other)?
                && self.kind(found) == Kind::Folder
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Returns the name itself, or the name with the first number that makes it free.
    pub(crate) fn free_name(&mut self, folder: Id, name: &str) -> Result<String, DiskError> {
        if self.is_free(folder, name)? {
            return Ok(name.to_owned());
        }
        let folded = fold(name);
        let mut number = self.nodes[folder].numbers.get(&folded).copied().unwrap_or(2);
        loop {
            let numbered = crate::names::numbered(name, number);
            number += 1;
            if self.is_free(folder, &numbered)? {
                self.nodes[folder].numbers.insert(folded, number);
                return Ok(numbered);
            }
        }
    }

    /// Returns the names in a folder, sorted.
    pub(crate) fn names(&mut self, folder: Id) -> Result<Vec<OsString>, DiskError> {
        let node = &self.nodes[folder];
        let mut names: Vec<OsString> = Vec::new();
        if let (Some(origin), Kind::Folder) = (&node.origin, node.standing.fingerprint.kind) {
            let fail = |source| DiskError::new(DiskAction::List, origin, source as std::io::Error);
            for entry in std::fs::read_dir(origin).map_err(fail)? {
                let name = entry.map_err(fail)?.file_name();
                if !node.children.contains_key(&name) {
                    names.push(name);
                }
            }
        }
        names.extend(node.children.iter().filter(|(_, child)| child.is_some()).map(|(name, _)| name.clone()));
        names.sort();
        Ok(names)
    }

    fn load_folds(&mut self, folder: Id) -> Result<(), DiskError> {
        if self.nodes[folder].folds.is_none() {
            let mut folds: HashMap<String, Vec<OsString>> = HashMap::new();
            for name in self.names(folder)? {
                folds.entry(fold(&name.to_string_lossy())).or_default().push(name);
            }
            self.nodes[folder].folds = Some(folds);
        }
        Ok(())
    }

    /// Removes a node from its folder. The node keeps its children.
    pub(crate) fn detach(&mut self, node: Id) {
        let Some(folder) = self.nodes[node].parent.take() else { return };
        let name = self.nodes[node].name.clone();
        if let Some(folds) = &mut self.nodes[folder].folds
            && let Entry::Occupied(mut alike) = folds.entry(fold(&name.to_string_lossy()))
        {
            alike.get_mut().retain(|other| *other != name);
            if alike.get().is_empty() {
                alike.remove();
            }
        }
        self.nodes[folder].children.insert(name, None);
    }

    /// Inserts a detached node into a folder under a free name.
    pub(crate) fn attach(&mut self, node: Id, folder: Id, name: &OsStr) {
        self.nodes[node].parent = Some(folder);
        self.nodes[node].name = name.to_owned();
        if let Some(folds) = &mut self.nodes[folder].folds {
            folds.entry(fold(&name.to_string_lossy())).or_default().push(name.to_owned());
        }
        self.nodes[folder].children.insert(name.to_owned(), Some(node));
    }

    /// Creates a new entry in a folder with the given state, on the device of the folder and with an unknown inode.
    pub(crate) fn add(&mut self, folder: Id, name: &OsStr, standing: Standing) -> Id {
        let device = self.standing(folder).device;
        let standing = Standing { fingerprint: standing.fingerprint.copied(), device, ..standing };
        self.nodes.push(Node::new(None, name.to_owned(), standing, None));
        let node = self.nodes.len() - 1;
        self.attach(node, folder, name);
        node
    }

    /// Marks a file as moved to another device: same content, different inode.
    pub(crate) fn cross(&mut self, node: Id, device: u64) {
        let standing = &mut self.nodes[node].standing;
        standing.device = device;
        standing.fingerprint = standing.fingerprint.copied();
    }
}

impl Node {
    fn new(parent: Option<Id>, name: OsString, standing: Standing, origin: Option<PathBuf>) -> Self {
        Self {
            parent,
            name,
            standing,
            origin,
            children: HashMap::new(),
            folds: None,
            numbers: HashMap::new(),
        }
    }
}
