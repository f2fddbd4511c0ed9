//! Collects the paths that files have or had in a repository, from the trees in the order in which they are found.

use super::Unknown;
use super::object::{Kind, each_entry, tree_of};
use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// A prefix of an object's id, which is enough to distinguish objects.
type Id = [u8; 16];
/// The top of the repository, as a folder.
const TOP: u32 = 0;
/// The maximum number of paths that are kept.
const MOST_PATHS: usize = 2_000_000;

/// The content of trees whose location is not known yet.
#[derive(Default)]
pub(super) struct Batch {
    trees: HashMap<Id, Tree>,
    /// The trees of commits.
    roots: Vec<Id>,
}

struct Tree {
    /// The index of the list of its files. Most versions of a folder have the same list.
    files: u32,
    folders: Box<[(u32, Id)]>,
}

/// Every path of a file in any tree, with its parent folders. Folders, names and lists of names are represented by
/// numbers.
#[derive(Default)]
pub(super) struct Paths {
    names: Interned<Box<[u8]>>,
    lists: Interned<Box<[u32]>>,
    /// The folders, by parent folder and name. The top has no parent.
    folders: Interned<(u32, u32)>,
    /// The folders in which each tree was found.
    trees: HashMap<Id, Vec<u32>>,
    /// Folders whose tree was not found yet.
    missing: HashMap<Id, Vec<u32>>,
    lists_in: HashSet<(u32, u32)>,
    files: Interned<(u32, u32)>,
}

impl Paths {
    /// Adds an object that was found.
    pub(super) fn add(
        &mut self,
        batch: &mut Batch,
        id: &[u8],
        kind: Kind,
        bytes: &[u8],
    ) -> Result<(), Unknown> {
        match kind {
            Kind::Commit => {
                let tree = tree_of(bytes).ok_or(Unknown::NotUnderstood)?;
                batch.roots.push(short(&tree).ok_or(Unknown::NotUnderstood)?);
            }
            Kind::Tree => {
                let (mut files, mut folders) = (Vec::new(), Vec::new());
                let understood = each_entry(bytes, id.len(), |name, is_folder, id| {
                    let name = self.names.number(name, |name| name.into());
                    match short(id).filter(|_| is_folder) {
                        Some(id) => folders.push((name, id)),
                        None => files.push(name),
                    }
                });
                understood.ok_or(Unknown::NotUnderstood)?;
                let files = self.lists.number(files.as_slice(), |files| files.into());
                let id = short(id).ok_or(Unknown::NotUnderstood)?;
                batch.trees.insert(id, Tree { files, folders: folders.into() });
            }
            Kind::Blob | Kind::Tag => {}
        }
        Ok(())
    }

    /// Adds the paths that result from the new objects.
    pub(super) fn join(&mut self, batch: &Batch) -> Result<(), Unknown> {
        if self.folders.len() == 0 {
            self.folders.pair((TOP, u32::MAX));
        }
        for root in &batch.roots {
            self.walk(batch, *root, TOP)?;
        }
        for id in batch.trees.keys() {
            for folder in self.missing.remove(id).unwrap_or_default() {
                self.walk(batch, *id, folder)?;
            }
        }
        // Git can still show a tree by its id that no commit refers to any more.
        for id in batch.trees.keys() {
            if !self.trees.contains_key(id) {
                self.walk(batch, *id, TOP)?;
            }
        }
        Ok(())
    }

    fn walk(&mut self, batch: &Batch, root: Id, folder: u32) -> Result<(), Unknown> {
        let mut left = vec![(root, folder)];
        while let Some((id, folder)) = left.pop() {
            let found = self.trees.get(&id);
            if found.is_some_and(|folders| folders.contains(&folder)) {
                continue;
            }
            if let Some(tree) = batch.trees.get(&id) {
                self.trees.entry(id).or_default().push(folder);
                if self.lists_in.insert((folder, tree.files)) {
                    let Self { lists, files, .. } = self;
                    lists.value(tree.files).iter().for_each(|name| {
                        files.pair((folder, *name));
                    });
                }
                for (name, id) in &tree.folders {
                    left.push((*id, self.folders.pair((folder, *name))));
                }
            } else if let Some(elsewhere) = found.and_then(|folders| folders.first().copied()) {
                self.trees.entry(id).or_default().push(folder);
                self.copy(elsewhere, folder);
            } else {
                let waiting = self.missing.entry(id).or_default();
                if !waiting.contains(&folder) {
                    waiting.push(folder);
                }
            }
            if self.files.len() > MOST_PATHS || self.folders.len() > MOST_PATHS {
                return Err(Unknown::TooLarge);
            }
        }
        Ok(())
    }

    /// Adds everything that was ever in a folder to another folder as well, because a tree that was already read is
    /// also there.
    fn copy(&mut self, from: u32, to: u32) {
        let mut copies = HashMap::from([(from, to)]);
        // Folders have higher numbers than their parents.
        for number in 0..self.folders.len() as u32 {
            let (above, name) = *self.folders.value(number);
            if number != TOP
                && let Some(copy) = copies.get(&above).copied()
            {
                let copy = self.folders.pair((copy, name));
                copies.entry(number).or_insert(copy);
            }
        }
        for number in 0..self.files.len() as u32 {
            let (folder, name) = *self.files.value(number);
            if let Some(copy) = copies.get(&folder) {
                self.files.pair((*copy, name));
            }
        }
    }

    /// Returns the number of paths.
    pub(super) fn len(&self) -> usize {
        self.files.len()
    }

    /// Calls `show` with the paths from the given number on.
    pub(super) fn each_from(&self, from: usize, mut show: impl FnMut(&str)) {
        let mut path = Vec::new();
        for number in from..self.files.len() {
            let (mut folder, name) = *self.files.value(number as u32);
            let mut parts = vec![name];
            while folder != TOP {
                let (above, name) = *self.folders.value(folder);
                parts.push(name);
                folder = above;
            }
            path.clear();
            for (at, part) in parts.iter().rev().enumerate() {
                if at > 0 {
                    path.push(b'/');
                }
                path.extend_from_slice(self.names.value(*part));
            }
            show(&String::from_utf8_lossy(&path));
        }
    }
}

fn short(id: &[u8]) -> Option<Id> {
    id.first_chunk().copied()
}

/// Values that are stored once and identified by a number.
struct Interned<T> {
    numbers: HashMap<T, u32>,
    values: Vec<T>,
}

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Self { numbers: HashMap::new(), values: Vec::new() }
    }
}

impl<T: Clone + Eq + Hash> Interned<T> {
    fn number<Q: ?Sized + Eq + Hash>(&mut self, value: &Q, own: impl FnOnce(&Q) -> T) -> u32
    where
        T: Borrow<Q>,
    {
        if let Some(number) = self.numbers.get(value) {
            return *number;
        }
        let number = self.values.len() as u32;
        let value = own(value);
        self.numbers.insert(value.clone(), number);
        self.values.push(value);
        number
    }

    fn pair(&mut self, value: T) -> u32 {
        self.number(&value, T::clone)
    }

    fn value(&self, number: u32) -> &T {
        &self.values[number as usize]
    }

    fn len(&self) -> usize {
        self.values.len()
    }
}
