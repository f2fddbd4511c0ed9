//! Checks a plan by trying it on a model of the tree, and converts it to steps.
//!
//! The rules are each implemented in one place:
//! - Missing folders above a destination are created first.
//! - A folder whose name differs only in case is the same folder.
//! - A new name becomes one that is legal on every system.
//! - A name that is taken on any system gets the first free number.
//! - If the holder of a name leaves later in the plan, the new file waits next to it under a temporary name. This also
//!   resolves cycles.
//!
//! Nothing is overwritten, and no link is followed.

mod together;
mod whole;

use crate::disk::DiskError;
use crate::guard::guard;
use crate::job::{Act, IfTaken, Job, Step};
use crate::model::{Id, Model};
use crate::names;
use crate::problem::{CheckError, Problem, Wrong};
use crate::room::Room;
use crate::scope::ScopeFolders;
use crate::standing::{Fingerprint, Kind, Moment, Standing};
use crate::trash::TrashPlaces;
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use deputy_protocol::{OrganizeAction, OrganizePlan};
use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use together::Bond;

/// The maximum number of operations in a plan.
pub const MOST_OPERATIONS: usize = 20_000;

/// The maximum length of a path on this system, in bytes, including the terminating null byte.
const LONGEST_PATH: usize = 4096;

/// What a plan is checked against in addition to its own scope.
pub struct Bounds<'a> {
    /// Returns why a path must not be touched, or `None` if it may. Also called for whole folders.
    pub protected: &'a dyn Fn(&Path) -> Option<String>,
    /// The trash folders.
    pub trash: &'a TrashPlaces,
}

/// A plan that can be executed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct CheckedPlan {
    /// The plan, with the risk of each operation derived from its kind.
    pub plan: OrganizePlan,
    /// The job to execute, without its id.
    pub job: Job,
    /// Where the job differs from the plan, by operation.
    pub notes: Vec<(String, Phrase)>,
}

impl CheckedPlan {
    /// Returns the job with an id, ready to start.
    pub fn job(&self, id: &str) -> Job {
        Job { id: id.to_owned(), ..self.job.clone() }
    }

    /// Returns the digest that an approval binds to: the plan, every step that results from it, and every note about
    /// it. It does not cover the state of the files, which is checked when each step is executed.
    pub fn digest(&self) -> String {
        let acts: Vec<_> = self.job.steps.iter().map(|step| (&step.operation, &step.act)).collect();
        let bytes = serde_json::to_vec(&(&self.plan, &self.job.scope, acts, &self.notes));
        // Paths in plans are text, so serialization cannot fail.
        bytes.map_or_else(|_| String::new(), |bytes| blake3::hash(&bytes).to_hex().to_string())
    }
}

/// Checks a plan on a model of the tree. Reads the disk and changes nothing.
pub fn check(plan: &OrganizePlan, bounds: &Bounds<'_>) -> Result<CheckedPlan, CheckError> {
    Ok(simulate(plan, bounds)?.0)
}

/// Like [`check`], and also returns the model after the plan.
pub(crate) fn simulate(plan: &OrganizePlan, bounds: &Bounds<'_>) -> Result<(CheckedPlan, Model), CheckError> {
    let scope = ScopeFolders::of(&plan.scope)?;
    for folder in scope.folders() {
        if let Some(reason) = (bounds.protected)(folder) {
            return Err(CheckError::Scope { folder: folder.display().to_string(), reason: reason.into() });
        }
    }
    let is_short = |plan: &OrganizePlan| match plan.operations.len() {
        0..=MOST_OPERATIONS => Ok(()),
        count => Err(CheckError::TooMany { count, most: MOST_OPERATIONS }),
    };
    is_short(plan)?;
    let mut plan = plan.clone();
    let mut check = Check::new(bounds, &scope);
    check.bonds = check
        .keep_together(&mut plan)
        .map_err(|wrong| CheckError::Problems(vec![Problem { operation: String::new(), wrong }]))?;
    is_short(&plan)?;
    let mut ids = HashSet::new();
    for (index, operation) in plan.operations.iter_mut().enumerate() {
        operation.risk = operation.action.risk();
        check.operation = operation.id.to_string();
        if !ids.insert(operation.id.clone()) {
            check.problem(Wrong::SameId);
        }
        match paths_of(&operation.action, &scope) {
            Ok((source, destination)) => check.read.push(Read { source, destination }),
            Err(wrong) => {
                check.read.push(Read::default());
                check.problem(wrong);
            }
        }
        if !matches!(operation.action, OrganizeAction::CreateFolder(_) | OrganizeAction::Copy(_)) {
            check.leaves.insert(check.read[index].source.clone(), index);
        }
    }
    if check.problems.is_empty() {
        for (index, operation) in plan.operations.iter().enumerate() {
            check.operation = operation.id.to_string();
            if let Err(wrong) = check.apply(index, &operation.action) {
                check.problem(wrong);
            }
        }
        if let Err(wrong) = check.settle_waiting(None) {
            check.problem(wrong);
        }
    }
    if !check.problems.is_empty() {
        return Err(CheckError::Problems(check.problems));
    }
    check.room.check()?;
    let mut folders: Vec<_> = check.folders.into_iter().collect();
    folders.sort();
    let job = Job {
        id: String::new(),
        scope: scope.folders().to_vec(),
        undoes: None,
        call: None,
        if_taken: IfTaken::Number,
        steps: check.steps,
        folders,
        restore_times: Vec::new(),
    };
    Ok((CheckedPlan { plan, job, notes: check.notes }, check.model))
}

/// Returns the source and destination of an operation, absolute and within the scope.
fn paths_of(action: &OrganizeAction, scope: &ScopeFolders) -> Result<(PathBuf, PathBuf), Wrong> {
    let source = scope.resolve(action.path())?;
    let destination = match action {
        OrganizeAction::Move(action) => scope.resolve(&action.destination)?,
        OrganizeAction::Copy(action) => scope.resolve(&action.destination)?,
        OrganizeAction::Rename(action) => {
            if action.name.contains('/') || matches!(action.name.as_str(), "" | "." | "..") {
                let reason = say::bad_new_name();
                return Err(Wrong::BadPath { path: action.name.clone(), reason });
            }
            source.with_file_name(&action.name)
        }
        OrganizeAction::CreateFolder(_) | OrganizeAction::Trash(_) => source.clone(),
    };
    Ok((source, destination))
}

#[derive(Default)]
struct Read {
    source: PathBuf,
    destination: PathBuf,
}

/// A file or folder that keeps a temporary name until the holder of its name has left.
struct Waiting {
    /// The index of its operation in the plan.
    index: usize,
    node: Id,
    folder: Id,
    name: String,
    operation: String,
}

struct Check<'a> {
    bounds: &'a Bounds<'a>,
    scope: &'a ScopeFolders,
    model: Model,
    read: Vec<Read>,
    /// For each path, the index of the last operation that removes something from it.
    leaves: HashMap<PathBuf, usize>,
    /// The entries that wait, by the holder of their name.
    waiting: HashMap<Id, Vec<Waiting>>,
    steps: Vec<Step>,
    folders: HashSet<PathBuf>,
    room: Room,
    notes: Vec<(String, Phrase)>,
    problems: Vec<Problem>,
    operation: String,
    projects: HashMap<Id, bool>,
    /// What a file has to do with others, by its path before the plan.
    bonds: HashMap<PathBuf, Bond>,
    /// Where files are after the plan, by their path before it.
    settled: HashMap<PathBuf, PathBuf>,
}

impl<'a> Check<'a> {
    fn new(bounds: &'a Bounds<'a>, scope: &'a ScopeFolders) -> Self {
        Self {
            bounds,
            scope,
            model: Model::new(),
            read: Vec::new(),
            leaves: HashMap::new(),
            waiting: HashMap::new(),
            steps: Vec::new(),
            folders: HashSet::new(),
            room: Room::default(),
            notes: Vec::new(),
            problems: Vec::new(),
            operation: String::new(),
            projects: HashMap::new(),
            bonds: HashMap::new(),
            settled: HashMap::new(),
        }
    }

    fn problem(&mut self, wrong: Wrong) {
        self.problems.push(Problem { operation: self.operation.clone(), wrong });
    }

    fn note(&mut self, note: Phrase) {
        self.notes.push((self.operation.clone(), note));
    }

    fn apply(&mut self, index: usize, action: &OrganizeAction) -> Result<(), Wrong> {
        let Read { source, mut destination } = std::mem::take(&mut self.read[index]);
        if let OrganizeAction::CreateFolder(_) = action {
            return self.folder_at(&source).map(|_| ());
        }
        if matches!(action, OrganizeAction::Move(_) | OrganizeAction::Rename(_)) {
            match self.bound_for(&source, destination)? {
                Some(bound_for) => destination = bound_for,
                None => return Ok(()),
            }
        }
        // A copy leaves its source unchanged.
        let to = match action {
            OrganizeAction::Copy(_) => None,
            OrganizeAction::Trash(_) => Some(Path::new("")),
            _ => Some(destination.as_path()),
        };
        let node = self.source(&source, to)?;
        match action {
            OrganizeAction::Trash(_) => {
                self.trash(node, &source)?;
                self.settle_waiting(Some(node))
            }
            OrganizeAction::Copy(_) => self.copy(node, &destination),
            _ => {
                self.relocate(index, node, &source, &destination)?;
                self.settle_waiting(Some(node))
            }
        }
    }

    /// Returns the file or folder that an operation applies to, if it may be touched. Nothing may leave a project: if
    /// the entry is moved, `to` must be in the same project.
    fn source(&mut self, path: &Path, to: Option<&Path>) -> Result<Id, Wrong> {
        guard(path, self.scope, self.bounds)?;
        if [&self.bounds.trash.home, &self.bounds.trash.quarantine]
            .iter()
            .any(|trash| trash.starts_with(path))
        {
            return Err(Wrong::Protected { path: path.to_owned(), reason: say::holds_trash() });
        }
        let node = self.model.find(path)?.ok_or_else(|| Wrong::Missing(path.to_owned()))?;
        if !matches!(self.model.kind(node), Kind::File | Kind::Folder) {
            return Err(Wrong::NotAFile(path.to_owned()));
        }
        self.leaves_projects_whole(path, node, to)?;
        Ok(node)
    }

    /// Returns the folder at a path. Adds steps that create missing folders first.
    fn folder_at(&mut self, path: &Path) -> Result<Id, Wrong> {
        let root = self.scope.folder_of(path).ok_or_else(|| Wrong::OutsideScope(path.to_owned()))?.to_owned();
        let mut folder = self.model.find(&root)?.ok_or_else(|| Wrong::Missing(root.clone()))?;
        let names: Vec<OsString> =
            path.strip_prefix(&root).unwrap_or(path).iter().map(OsStr::to_owned).collect();
        for name in names {
            folder = self.folder_in(folder, &name)?;
        }
        Ok(folder)
    }

    fn folder_in(&mut self, folder: Id, name: &OsStr) -> Result<Id, Wrong> {
        if let Some(found) = self.model.child(folder, name)? {
            return match self.model.kind(found) {
                Kind::Folder => Ok(found),
                _ => Err(Wrong::NotAFolder(self.model.path(found))),
            };
        }
        let wanted = name.to_string_lossy();
        let legal = names::legal(&wanted);
        if let Some(found) = self.model.folder_like(folder, &legal)? {
            self.note(say::folder_used(self.model.path(found).display()));
            return Ok(found);
        }
        let free = self.model.free_name(folder, &legal)?;
        if free != wanted {
            self.note(say::folder_becomes(format!("{free:?}"), format!("{wanted:?}")));
        }
        let path = self.model.path(folder).join(&free);
        self.reach(&path)?;
        self.touch(folder);
        self.push(Act::CreateFolder(Act::folder(path)), None);
        Ok(self.model.add(folder, OsStr::new(&free), new_folder()))
    }

    fn reach(&self, path: &Path) -> Result<(), Wrong> {
        guard(path, self.scope, self.bounds)?;
        if path.as_os_str().len() >= LONGEST_PATH {
            return Err(Wrong::TooLong(path.to_owned()));
        }
        Ok(())
    }

    fn push(&mut self, act: Act, expects: Option<Fingerprint>) {
        self.steps.push(Step { operation: self.operation.clone(), act, expects, trash: None });
    }

    /// Records that an entry is added to or removed from a folder.
    fn touch(&mut self, folder: Id) {
        if let Some(origin) = self.model.origin(folder)
            && !self.folders.contains(origin)
        {
            self.folders.insert(origin.to_owned());
        }
    }

    fn trash(&mut self, node: Id, path: &Path) -> Result<(), Wrong> {
        let standing = *self.model.standing(node);
        let trash = self.bounds.trash.for_path(path, standing.device);
        let device = crate::trash::device_above(&trash).unwrap_or(standing.device);
        self.crossing(&standing, device, path, &trash)?;
        if let Some(folder) = self.model.parent(node) {
            self.touch(folder);
        }
        let mut expects = standing.fingerprint;
        if self.model.origin(node).is_some_and(|origin| self.folders.contains(origin)) {
            expects.modified = Moment::UNKNOWN;
        }
        self.model.detach(node);
        self.push(Act::Trash(Act::between(path, trash)), Some(expects));
        Ok(())
    }

    /// Returns whether something moves to another device. Only files can.
    fn crossing(&mut self, standing: &Standing, device: u64, path: &Path, to: &Path) -> Result<bool, Wrong> {
        if standing.device == device {
            return Ok(false);
        }
        if standing.fingerprint.kind == Kind::Folder {
            return Err(Wrong::FolderCrosses(path.to_owned()));
        }
        if standing.links > 1 {
            return Err(Wrong::LinkedCrosses(path.to_owned()));
        }
        self.room.need(device, to, standing.fingerprint.size_bytes);
        Ok(true)
    }

    fn copy(&mut self, node: Id, destination: &Path) -> Result<(), Wrong> {
        let source = self.model.path(node);
        if self.model.kind(node) == Kind::Folder {
            return Err(Wrong::CopiesFolder(source));
        }
        let folder = self.folder_at(destination.parent().unwrap_or(destination))?;
        let name = self.new_name(node, destination);
        let name = self.model.free_name(folder, &name)?;
        let to = self.model.path(folder).join(&name);
        self.tell_name(destination, &to);
        self.reach(&to)?;
        let standing = *self.model.standing(node);
        let device = self.model.standing(folder).device;
        self.room.need(device, &to, standing.fingerprint.size_bytes);
        self.touch(folder);
        let trash = self.bounds.trash.for_path(&to, device);
        self.push(Act::Copy(Act::between(source, to)), Some(standing.fingerprint));
        if let Some(step) = self.steps.last_mut() {
            step.trash = Some(trash);
        }
        self.model.add(folder, OsStr::new(&name), standing);
        Ok(())
    }

    /// Returns the name at the destination. An unchanged name is preserved; a new one must be legal on every system.
    fn new_name(&self, node: Id, destination: &Path) -> String {
        let wanted = destination.file_name().unwrap_or_default();
        let text = wanted.to_string_lossy();
        if wanted == self.model.name(node) { text.into_owned() } else { names::legal(&text) }
    }

    fn tell_name(&mut self, wanted: &Path, to: &Path) {
        if wanted.file_name() != to.file_name() {
            let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            self.note(say::name_becomes(format!("{:?}", name(to)), format!("{:?}", name(wanted))));
        }
    }

    /// Notes if a new name has no ending, although the old one has: programs may no longer open the file.
    fn tell_ending(&mut self, source: &Path, name: &str) {
        let old = source.file_name().unwrap_or_default().to_string_lossy();
        let ending = names::split(&old).1;
        if names::is_ending(ending) && !names::is_ending(names::split(name).1) {
            self.note(say::ending_dropped(ending));
        }
    }

    fn relocate(&mut self, index: usize, node: Id, source: &Path, destination: &Path) -> Result<(), Wrong> {
        if source == destination {
            self.note(say::there_already());
            return Ok(());
        }
        if destination.starts_with(source) {
            return Err(Wrong::IntoItself(source.to_owned()));
        }
        let folder = self.folder_at(destination.parent().unwrap_or(destination))?;
        if self.model.is_within(folder, node) {
            return Err(Wrong::IntoItself(source.to_owned()));
        }
        let name = self.new_name(node, destination);
        if self.model.parent(node) == Some(folder) && self.model.name(node) == OsStr::new(&name) {
            self.note(say::name_fits_already());
            return Ok(());
        }
        if self.model.kind(node) == Kind::File {
            self.tell_ending(source, &name);
        }
        // The list of names is needed in any case, so the disk is only asked about names in it.
        let holder = match self.model.is_free(folder, &name)? {
            true => None,
            false => self.model.child(folder, OsStr::new(&name))?.filter(|holder| *holder != node),
        };
        let leaves = holder.is_some_and(|holder| {
            self.leaves.get(&self.model.path(holder)).is_some_and(|leaving| *leaving > index)
        });
        match holder.filter(|_| leaves) {
            None => {
                let to = self.place(node, folder, &name)?;
                self.tell_name(destination, &to);
                self.settled.insert(source.to_owned(), to);
                Ok(())
            }
            Some(holder) => {
                self.place(node, folder, &names::waiting(index))?;
                self.settled.insert(source.to_owned(), self.model.path(folder).join(&name));
                let waiting = Waiting { index, node, folder, name, operation: self.operation.clone() };
                self.waiting.entry(holder).or_default().push(waiting);
                Ok(())
            }
        }
    }

    /// Moves a node into a folder, under this name or the next free one.
    fn place(&mut self, node: Id, folder: Id, name: &str) -> Result<PathBuf, Wrong> {
        let from = self.model.path(node);
        if !self.model.is_rooted(folder) || !self.model.is_rooted(node) {
            // It waited in a folder that was trashed in the meantime.
            return Err(Wrong::Missing(from));
        }
        let standing = *self.model.standing(node);
        let device = self.model.standing(folder).device;
        let (old_folder, old_name) = (self.model.parent(node), self.model.name(node).to_owned());
        // Detach the node first, so that its own name is not in its way. Otherwise a change of case alone would fail.
        self.model.detach(node);
        let name = self.model.free_name(folder, name)?;
        let to = self.model.path(folder).join(&name);
        let crosses = self.reach(&to).and_then(|()| self.crossing(&standing, device, &from, &to));
        let crosses = match (crosses, old_folder) {
            (Err(wrong), Some(old_folder)) => {
                self.model.attach(node, old_folder, &old_name);
                return Err(wrong);
            }
            (crosses, _) => crosses?,
        };
        if let Some(old_folder) = old_folder {
            self.touch(old_folder);
        }
        self.touch(folder);
        self.model.attach(node, folder, OsStr::new(&name));
        if crosses {
            self.model.cross(node, device);
        }
        self.push(Act::Move(Act::between(from, to.clone())), Some(standing.fingerprint));
        Ok(to)
    }

    /// Gives the final names to the entries that waited for `left` to leave, or to all entries at the end.
    fn settle_waiting(&mut self, left: Option<Id>) -> Result<(), Wrong> {
        let ready = match left {
            Some(left) => self.waiting.remove(&left).unwrap_or_default(),
            None => {
                let mut all: Vec<Waiting> = self.waiting.drain().flat_map(|(_, waiting)| waiting).collect();
                all.sort_by_key(|waiting| waiting.index);
                all
            }
        };
        for one in ready {
            let operation = std::mem::replace(&mut self.operation, one.operation);
            let placed = self.place(one.node, one.folder, &one.name);
            self.operation = operation;
            placed?;
        }
        Ok(())
    }
}

/// Returns the state of a folder that does not exist yet.
fn new_folder() -> Standing {
    let modified = Moment::UNKNOWN;
    let fingerprint = Fingerprint { kind: Kind::Folder, inode: None, size_bytes: 0, modified };
    Standing { fingerprint, device: 0, links: 1, blocks: 0 }
}

impl From<DiskError> for Wrong {
    fn from(error: DiskError) -> Self {
        Self::Disk(error.phrase())
    }
}
