//! Makes plans without a model: by kind, by date, by the content of documents, and by a naming convention.
//!
//! Files that a person sorted stay sorted: only loose files directly in a scanned folder are moved to other folders.
//! Files in subfolders are only renamed, if a convention is requested, or trashed, if they are copies. Everything in a
//! project, and files that are open or were just changed, are left alone.

mod duplicates;
mod place;
mod text;

pub(crate) use text::pdf_strings;
mod topics;

use crate::check::MOST_OPERATIONS;
use crate::scan::{DateSource, FileId, FolderId, Scan, ScannedFile};
use crate::suggest::Convention;
use crate::together::Names;
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use deputy_protocol::{
    CreateFolderAction, MoveFileAction, OrganizeAction, OrganizeOperation, OrganizePlan, RenameAction,
    TrashAction,
};
use place::Placement;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The criterion of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// All criteria: copies, projects, screenshots, installers, content of documents, photographs by year, kinds.
    #[default]
    Everything,
    /// The kinds of files.
    Kind,
    /// The year and month.
    Date,
    /// Projects only.
    Project,
    /// The content of documents.
    Content,
    /// Copies only.
    Duplicates,
    /// Names only.
    Names,
}

/// The requested kind of plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// The criterion.
    pub by: By,
    /// The naming convention.
    pub convention: Option<Convention>,
}

/// A plan, and what it leaves out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proposal {
    /// The plan. It has no operations if there is nothing to do.
    pub plan: OrganizePlan,
    /// Loose files that are left alone, each with the reason. At most 10,000.
    pub left_alone: Vec<(PathBuf, Phrase)>,
    /// The number of further files that are left alone.
    pub more_left_alone: usize,
    /// The number of operations that did not fit into the plan. Another plan can follow.
    pub too_many: usize,
}

/// Makes a plan for the result of a scan.
pub fn propose(scan: &Scan, wishes: &Wishes) -> Proposal {
    let mut draft = Draft::new(scan);
    let by = wishes.by;
    if matches!(by, By::Everything | By::Duplicates) {
        draft.throw_away(duplicates::surplus(scan));
    }
    if matches!(by, By::Everything | By::Project) {
        draft.gather_projects();
    }
    let topics = match by {
        By::Everything | By::Content => place::topics(scan, &draft.is_thrown),
        _ => HashMap::new(),
    };
    let mut names: Option<(FolderId, Names<'_>)> = None;
    for (id, file) in (0_u32..).zip(&scan.files) {
        if draft.is_thrown.contains(&id) {
            continue;
        }
        let is_loose = draft.is_loose(file);
        let (_, names) = match names.take().filter(|(folder, _)| *folder == file.folder) {
            Some(known) => names.insert(known),
            None => {
                names.insert((file.folder, Names::new(scan.names_in(file.folder).map(|name| (name, false)))))
            }
        };
        if names.is_unfinished(&file.name) {
            if is_loose {
                draft.leave_alone(id, say::unfinished_download);
            }
            continue;
        }
        // The check adds what belongs to the files of the plan.
        if names.main_of(&file.name).is_some() {
            continue;
        }
        if file.is_busy {
            if is_loose {
                draft.leave_alone(id, say::busy);
            }
            continue;
        }
        let placement = if is_loose { place::of(id, file, by, &topics) } else { None };
        if is_loose && placement.is_none() && matches!(by, By::Everything | By::Kind) {
            draft.leave_alone(id, say::unknown_kind);
        }
        draft.put(id, file, placement, wishes.convention.as_ref());
    }
    draft.finish(by, wishes.convention.as_ref())
}

/// The maximum number of files to list as left alone. For a million files, the list would take most of the memory.
const MOST_LEFT_ALONE: usize = 10_000;

/// A plan under construction.
struct Draft<'a> {
    scan: &'a Scan,
    folders: BTreeSet<PathBuf>,
    trash: Vec<OrganizeOperation>,
    moves: Vec<OrganizeOperation>,
    is_thrown: BTreeSet<FileId>,
    /// The number of files that have or will have each folded name in a folder.
    taken: HashMap<PathBuf, HashMap<String, usize>>,
    left_alone: Vec<(PathBuf, Phrase)>,
    more_left_alone: usize,
    /// The number of operations that did not fit into the plan.
    too_many: usize,
}

impl<'a> Draft<'a> {
    fn new(scan: &'a Scan) -> Self {
        Self {
            scan,
            folders: BTreeSet::new(),
            trash: Vec::new(),
            moves: Vec::new(),
            is_thrown: BTreeSet::new(),
            taken: HashMap::new(),
            left_alone: Vec::new(),
            more_left_alone: 0,
            too_many: 0,
        }
    }

    fn is_full(&self) -> bool {
        self.trash.len() + self.moves.len() >= MOST_OPERATIONS
    }

    fn leave_alone(&mut self, id: FileId, reason: fn() -> Phrase) {
        if self.left_alone.len() < MOST_LEFT_ALONE {
            self.left_alone.push((self.scan.path(id), reason()));
        } else {
            self.more_left_alone += 1;
        }
    }

    /// Returns a path as written in the plan: relative if the plan is about a single folder.
    fn written(&self, path: &Path) -> String {
        let path = match self.scan.roots.as_slice() {
            [only] => path.strip_prefix(only).unwrap_or(path),
            _ => path,
        };
        path.to_string_lossy().into_owned()
    }

    fn is_loose(&self, file: &ScannedFile) -> bool {
        self.scan.roots.iter().any(|root| *root == *self.scan.folders[file.folder as usize].path)
    }

    /// Returns the target folder inside a root. Leaves out its first component if the root has the same name.
    fn folder_in(&self, root: &Path, folder: &Path) -> PathBuf {
        let own = root.file_name().map(|name| crate::names::fold(&name.to_string_lossy()));
        let mut parts = folder.components();
        let first = parts.next().map(|part| crate::names::fold(&part.as_os_str().to_string_lossy()));
        if own.is_some() && own == first { root.join(parts.as_path()) } else { root.join(folder) }
    }

    fn throw_away(&mut self, surplus: Vec<duplicates::Surplus>) {
        for duplicates::Surplus { file, kept } in surplus {
            self.is_thrown.insert(file);
            if self.is_full() {
                self.too_many += 1;
                continue;
            }
            let path = self.written(&self.scan.path(file));
            let reason = say::same_content_as(self.written(&self.scan.path(kept)));
            self.trash.push(operation(OrganizeAction::Trash(TrashAction { path }), reason));
        }
    }

    /// Moves projects that are directly in a root to one folder, each as a whole.
    fn gather_projects(&mut self) {
        for folder in self.scan.folders.iter().filter(|folder| folder.is_project) {
            let (Some(parent), Some(name)) = (folder.path.parent(), folder.path.file_name()) else {
                continue;
            };
            let Some(root) = self.scan.roots.iter().find(|root| *root == parent) else { continue };
            let place = self.folder_in(root, Path::new("Projects"));
            if place == *parent || name.to_str().is_none() {
                continue;
            }
            let destination = self.written(&place.join(name));
            let path = self.written(&folder.path);
            let action = OrganizeAction::Move(MoveFileAction { path, destination });
            self.moves.push(operation(action, say::project_whole()));
            self.folders.insert(place);
        }
    }

    fn put(
        &mut self,
        id: FileId,
        file: &ScannedFile,
        placement: Option<Placement>,
        convention: Option<&Convention>,
    ) {
        let path = self.scan.path(id);
        let Some(folder) = path.parent() else { return };
        let told = matches!(file.dated.source, DateSource::Exif | DateSource::Document | DateSource::Tag);
        let date = told.then_some(file.dated.date);
        let name =
            convention.map_or_else(|| file.name.to_string(), |convention| convention.apply(&file.name, date));
        let target = match &placement {
            Some(Placement::In { folder: below, .. }) => self.folder_in(folder, below),
            Some(Placement::With { folder: there, .. }) => there.clone(),
            None => folder.to_owned(),
        };
        if target == folder && *name == *file.name {
            return;
        }
        if self.is_full() {
            self.too_many += 1;
            return;
        }
        let written = self.written(&path);
        if target == folder {
            let name = self.free_name(&target, &name, Some(&file.name), convention);
            let action = OrganizeAction::Rename(RenameAction { path: written, name });
            self.moves.push(operation(action, say::named_by_convention()));
            return;
        }
        let name = self.free_name(&target, &name, None, convention);
        let destination = self.written(&target.join(&name));
        let reason = placement.map(Placement::reason).unwrap_or_default();
        self.moves
            .push(operation(OrganizeAction::Move(MoveFileAction { path: written, destination }), reason));
        self.folders.insert(target);
    }

    /// Returns the name, or the name with the first number that is free in the folder, formatted like all other names.
    /// `own` is the current name of a file that stays in the folder. It does not count as taken, so the new name may
    /// differ from it only in case.
    fn free_name(
        &mut self,
        folder: &Path,
        name: &str,
        own: Option<&str>,
        convention: Option<&Convention>,
    ) -> String {
        let scan = self.scan;
        let taken = self.taken.entry(folder.to_owned()).or_insert_with(|| names_in(scan, folder));
        let own = own.map(crate::names::fold);
        let numbered = (2..).map(|number| {
            let name = crate::names::numbered(name, number);
            convention.map_or_else(|| name.clone(), |convention| convention.apply(&name, None))
        });
        let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
        let free = candidates.find(|candidate| {
            let folded = crate::names::fold(candidate);
            let is_own = own.as_ref() == Some(&folded);
            let others = taken.entry(folded).or_default();
            // The file's own name is counted once.
            let is_free = *others == usize::from(is_own);
            *others += usize::from(is_free && !is_own);
            is_free
        });
        free.unwrap_or_else(|| name.to_owned())
    }

    fn finish(self, by: By, convention: Option<&Convention>) -> Proposal {
        let scope = self.scan.roots.iter().map(|root| root.to_string_lossy().into_owned()).collect();
        let missing = self.folders.iter().filter(|folder| self.scan.folder(folder).is_none());
        let folders: Vec<OrganizeOperation> = missing
            .map(|folder| {
                let action = OrganizeAction::CreateFolder(CreateFolderAction { path: self.written(folder) });
                operation(action, Phrase::default())
            })
            .collect();
        let reasoning = reasoning(by, convention, &self);
        let mut operations: Vec<OrganizeOperation> =
            folders.into_iter().chain(self.trash).chain(self.moves).collect();
        let too_many = self.too_many + operations.len().saturating_sub(MOST_OPERATIONS);
        operations.truncate(MOST_OPERATIONS);
        for (number, operation) in (1..).zip(&mut operations) {
            operation.id = deputy_protocol::OperationId::new(format!("o{number}"));
        }
        let plan = OrganizePlan { scope, reasoning, operations };
        Proposal { plan, left_alone: self.left_alone, more_left_alone: self.more_left_alone, too_many }
    }
}

/// Returns the number of files of a scanned folder with each folded name.
fn names_in(scan: &Scan, folder: &Path) -> HashMap<String, usize> {
    let mut names = HashMap::new();
    let Some(folder) = scan.folder(folder) else { return names };
    for name in scan.names_in(folder) {
        *names.entry(crate::names::fold(name)).or_default() += 1;
    }
    names
}

/// Creates an operation without an id, which is assigned at the end.
fn operation(action: OrganizeAction, reason: Phrase) -> OrganizeOperation {
    OrganizeOperation::new("", action, reason)
}

fn reasoning(by: By, convention: Option<&Convention>, draft: &Draft<'_>) -> Phrase {
    let what = match by {
        By::Everything => say::by_everything(),
        By::Kind => say::by_kind(),
        By::Date => say::by_date(),
        By::Project => say::by_project(),
        By::Content => say::by_content(),
        By::Duplicates => say::by_duplicates(),
        By::Names => say::by_names(),
    };
    let stays = by == By::Everything && !draft.trash.is_empty();
    let names = convention.map(|convention| say::names_look_like(convention.pattern()));
    let said = [Some(what), stays.then(say::best_name_stays), names];
    deputy_messages::sentences(said.into_iter().flatten())
}
