//! Keeps files together that belong together, in every plan: what belongs to a file goes where the file goes, under the
//! same new name, and stays where it is if the file stays. Unfinished downloads stay where they are.

use super::{Check, paths_of};
use crate::disk::{DiskAction, DiskError};
use crate::guard::guard;
use crate::problem::Wrong;
use crate::standing::Kind;
use crate::together::{Names, renamed};
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use deputy_protocol::{
    MoveFileAction, OperationId, OrganizeAction, OrganizeOperation, OrganizePlan, RenameAction,
};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

/// What an operation has to do with other files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Bond {
    /// The file goes where another one goes.
    Follows { main: PathBuf },
    /// The file stays where it is.
    Stays(Phrase),
}

/// The folders of a plan, by what belongs together in them.
#[derive(Default)]
struct Folders(HashMap<PathBuf, Folder>);

struct Folder {
    /// The names of what belongs to each file, and whether it is a folder.
    belonging: BTreeMap<String, Vec<(String, bool)>>,
    mains: HashMap<String, String>,
    unfinished: HashSet<String>,
}

impl Check<'_> {
    /// Adds what belongs to the files of a plan to the plan, and puts it behind them. Returns the bonds by path.
    pub(super) fn keep_together(&mut self, plan: &mut OrganizePlan) -> Result<HashMap<PathBuf, Bond>, Wrong> {
        let mut bonds = HashMap::new();
        let mut folders = Folders::default();
        let moved: HashMap<PathBuf, usize> = (0..)
            .zip(&plan.operations)
            .filter(|(_, operation)| goes_elsewhere(&operation.action))
            .filter_map(|(index, operation)| Some((paths_of(&operation.action, self.scope).ok()?.0, index)))
            .collect();
        let trashed: HashSet<PathBuf> = plan
            .operations
            .iter()
            .filter(|operation| matches!(operation.action, OrganizeAction::Trash(_)))
            .filter_map(|operation| Some(paths_of(&operation.action, self.scope).ok()?.0))
            .collect();
        let mut behind: HashMap<usize, Vec<OrganizeOperation>> = HashMap::new();
        let mut taken: HashSet<usize> = HashSet::new();
        let mut ids: HashSet<OperationId> =
            plan.operations.iter().map(|operation| operation.id.clone()).collect();
        let mut ordered: Vec<(&PathBuf, usize)> = moved.iter().map(|(path, index)| (path, *index)).collect();
        ordered.sort_by_key(|(_, index)| *index);
        for (path, index) in &ordered {
            let Some((folder, name)) = parent_and_name(path) else { continue };
            let Some(known) = folders.get(self, folder)? else { continue };
            if known.unfinished.contains(name) {
                bonds.insert((*path).clone(), Bond::Stays(say::unfinished_download()));
                continue;
            }
            if let Some(main) = known.mains.get(name) {
                let main_path = folder.join(main);
                let leaves = moved.contains_key(&main_path) && !known.unfinished.contains(main);
                let bond = match leaves {
                    true => Bond::Follows { main: main_path },
                    false => Bond::Stays(say::stays_with(main)),
                };
                bonds.insert((*path).clone(), bond);
                continue;
            }
            let main = &plan.operations[*index];
            for (other, is_folder) in known.belonging.get(name).into_iter().flatten() {
                let other_path = folder.join(other);
                if let Some(own) = moved.get(&other_path) {
                    behind.entry(*index).or_default().push(plan.operations[*own].clone());
                    taken.insert(*own);
                    continue;
                }
                let is_renamed_folder = *is_folder && matches!(main.action, OrganizeAction::Rename(_));
                if is_renamed_folder
                    || trashed.contains(&other_path)
                    || guard(&other_path, self.scope, self.bounds).is_err()
                {
                    continue;
                }
                let id = fresh(&main.id, &mut ids);
                let action = following(&main.action, other, *is_folder, name);
                let reason = say::belongs_to(name);
                behind.entry(*index).or_default().push(OrganizeOperation::new(id.as_str(), action, reason));
                bonds.insert(other_path, Bond::Follows { main: (*path).clone() });
            }
        }
        if behind.is_empty() {
            return Ok(bonds);
        }
        let operations = std::mem::take(&mut plan.operations);
        for (index, operation) in operations.into_iter().enumerate() {
            if !taken.contains(&index) {
                plan.operations.push(operation);
            }
            plan.operations.extend(behind.remove(&index).into_iter().flatten());
        }
        Ok(bonds)
    }

    /// Returns where a file goes that is meant for `destination`: elsewhere if it follows another file. `None` if it stays,
    /// which is noted.
    pub(super) fn bound_for(
        &mut self,
        source: &Path,
        destination: PathBuf,
    ) -> Result<Option<PathBuf>, Wrong> {
        let (main, reason) = match self.bonds.remove(source) {
            None => return Ok(Some(destination)),
            Some(Bond::Stays(reason)) => (None, reason),
            Some(Bond::Follows { main }) => {
                let reason = say::stays_with(text(&main));
                (Some(main), reason)
            }
        };
        let Some(node) = self.model.find(source)? else { return Err(Wrong::Missing(source.to_owned())) };
        let is_folder = self.model.kind(node) == Kind::Folder;
        let beside = main.and_then(|main| {
            let now = self.settled.get(&main)?;
            Some(now.with_file_name(renamed(&text(source), is_folder, &text(&main), &text(now))))
        });
        if beside.as_ref() != Some(&destination) {
            self.note(reason);
        }
        Ok(beside)
    }
}

fn text(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl Folders {
    /// Returns what belongs together in a folder. `None` if it does not exist.
    fn get(&mut self, check: &mut Check<'_>, path: &Path) -> Result<Option<&Folder>, Wrong> {
        if !self.0.contains_key(path) {
            let Some(folder) = check.model.find(path)? else { return Ok(None) };
            let all = match check.model.origin(folder) {
                Some(origin) => names_in(origin)?,
                None => return Ok(None),
            };
            let names = Names::new(all.iter().map(|(name, is_folder)| (name.as_str(), *is_folder)));
            let mut known =
                Folder { belonging: BTreeMap::new(), mains: HashMap::new(), unfinished: HashSet::new() };
            for (name, is_folder) in &all {
                if names.is_unfinished(name) {
                    known.unfinished.insert(name.clone());
                }
                if let Some(main) = names.main_of(name) {
                    known.mains.insert(name.clone(), main.to_owned());
                    known.belonging.entry(main.to_owned()).or_default().push((name.clone(), *is_folder));
                }
            }
            self.0.insert(path.to_owned(), known);
        }
        Ok(self.0.get(path))
    }
}

/// Returns the names of the files and folders in a folder.
fn names_in(folder: &Path) -> Result<Vec<(String, bool)>, Wrong> {
    let fail = |error| DiskError::new(DiskAction::List, folder, error);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let kind = entry.file_type().map_err(fail)?;
        if let (Ok(name), true) = (entry.file_name().into_string(), kind.is_file() || kind.is_dir()) {
            names.push((name, kind.is_dir()));
        }
    }
    names.sort();
    Ok(names)
}

fn goes_elsewhere(action: &OrganizeAction) -> bool {
    matches!(action, OrganizeAction::Move(_) | OrganizeAction::Rename(_))
}

fn parent_and_name(path: &Path) -> Option<(&Path, &str)> {
    Some((path.parent()?, path.file_name()?.to_str()?))
}

/// Returns an id that no other operation has.
fn fresh(main: &OperationId, ids: &mut HashSet<OperationId>) -> OperationId {
    let mut number = 1_u32;
    loop {
        let id = OperationId::new(format!("{main}.{number}"));
        if ids.insert(id.clone()) {
            return id;
        }
        number += 1;
    }
}

/// Returns the action for what belongs to a file, written like the file's own.
fn following(main: &OrganizeAction, name: &str, is_folder: bool, main_name: &str) -> OrganizeAction {
    let beside = |path: &str| Path::new(path).with_file_name(name).to_string_lossy().into_owned();
    match main {
        OrganizeAction::Move(action) => {
            let to = Path::new(&action.destination);
            let new_main = to.file_name().unwrap_or_default().to_string_lossy();
            let new = renamed(name, is_folder, main_name, &new_main);
            let destination = to.with_file_name(new).to_string_lossy().into_owned();
            OrganizeAction::Move(MoveFileAction { path: beside(&action.path), destination })
        }
        OrganizeAction::Rename(action) => OrganizeAction::Rename(RenameAction {
            path: beside(&action.path),
            name: renamed(name, is_folder, main_name, &action.name),
        }),
        other => other.clone(),
    }
}
