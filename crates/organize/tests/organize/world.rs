//! A temporary world: folders on two devices, a trash and jobs, and helpers to inspect them.

use deputy_organize::{
    Bounds, CheckError, CheckedPlan, ConflictChoice, Control, Job, Jobs, Report, Reversal, TrashPlaces, check,
};
use deputy_protocol::{OrganizeAction as Action, OrganizeOperation, OrganizePlan};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The state of a path: mode, time, and digest of the content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stands {
    pub(crate) mode: u32,
    pub(crate) modified: (i64, i64),
    pub(crate) content: Option<String>,
}

pub(crate) struct World {
    _holder: TempDir,
    _other: TempDir,
    pub(crate) base: PathBuf,
    /// The folder of the plans.
    pub(crate) root: PathBuf,
    /// A second folder, on another device.
    pub(crate) away: PathBuf,
}

impl World {
    pub(crate) fn new() -> Self {
        let holder = tempfile::tempdir().unwrap();
        let other = tempfile::tempdir_in("/dev/shm").unwrap();
        let base = holder.path().canonicalize().unwrap();
        let away = other.path().canonicalize().unwrap();
        let devices = [&base, &away].map(|folder| fs::metadata(folder).unwrap().dev());
        assert_ne!(devices[0], devices[1], "the temporary folder and /dev/shm must be different devices");
        let root = base.join("root");
        fs::create_dir(&root).unwrap();
        Self { _holder: holder, _other: other, base, root, away }
    }

    pub(crate) fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn trash(&self) -> TrashPlaces {
        TrashPlaces { home: self.base.join("Trash"), quarantine: self.base.join("quarantine") }
    }

    pub(crate) fn jobs(&self) -> Jobs {
        Jobs::open(&self.base.join("jobs")).unwrap()
    }

    pub(crate) fn plan(&self, actions: Vec<Action>) -> OrganizePlan {
        plan_of(&[&self.root, &self.away], actions)
    }

    pub(crate) fn check(&self, plan: &OrganizePlan) -> Result<CheckedPlan, CheckError> {
        check(plan, &Bounds { protected: &|_| None, trash: &self.trash() })
    }

    pub(crate) fn job(&self, actions: Vec<Action>) -> Job {
        self.check(&self.plan(actions)).unwrap().job(&self.jobs().new_id())
    }

    /// Checks a plan with these operations and runs it until it ends.
    pub(crate) fn run(&self, actions: Vec<Action>) -> (String, Report) {
        let job = self.job(actions);
        let id = job.id.clone();
        (id, self.run_job(job))
    }

    pub(crate) fn run_job(&self, job: Job) -> Report {
        self.jobs().start(job).unwrap().run(&mut quiet(&mut |_, _| {})).unwrap()
    }

    pub(crate) fn undo(&self, id: &str, choice: ConflictChoice) -> (Reversal, Report) {
        let reversal = self.jobs().reverse(id, choice).unwrap();
        let report = self.run_job(reversal.job.clone());
        (reversal, report)
    }

    /// Returns everything below the two folders.
    pub(crate) fn snapshot(&self) -> BTreeMap<PathBuf, Stands> {
        let mut found = BTreeMap::new();
        for folder in [&self.root, &self.away] {
            walk(folder, &mut found);
        }
        found
    }

    /// Checks that the trash has a note for each entry and an entry for each note, and that there are no incomplete
    /// files.
    pub(crate) fn assert_trash_is_whole(&self) {
        let names = |folder: &str| -> BTreeSet<String> {
            let entries = fs::read_dir(self.base.join("Trash").join(folder));
            entries
                .into_iter()
                .flatten()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect()
        };
        let noted: BTreeSet<_> =
            names("info").iter().map(|name| name.strip_suffix(".trashinfo").unwrap().to_owned()).collect();
        assert_eq!(names("files"), noted);
        let ours = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with(".deputy-");
        assert_eq!(self.snapshot().into_keys().find(ours), None);
    }

    /// Counts each content, including the trash and the quarantine.
    pub(crate) fn contents(&self) -> BTreeMap<String, usize> {
        let mut found = self.snapshot();
        for trash in [self.base.join("Trash/files"), self.base.join("quarantine/files")] {
            if trash.exists() {
                walk(&trash, &mut found);
            }
        }
        let mut counts = BTreeMap::new();
        for content in found.into_values().filter_map(|stands| stands.content) {
            *counts.entry(content).or_insert(0) += 1;
        }
        counts
    }
}

pub(crate) fn quiet<'a>(progress: &'a mut dyn FnMut(usize, usize)) -> Control<'a> {
    Control { is_cancelled: &|| false, progress, skip_failed: false }
}

pub(crate) fn plan_of(scope: &[&Path], actions: Vec<Action>) -> OrganizePlan {
    let operations = actions.into_iter().enumerate();
    OrganizePlan {
        scope: scope.iter().map(|folder| folder.to_str().unwrap().to_owned()).collect(),
        reasoning: Default::default(),
        operations: operations
            .map(|(index, action)| OrganizeOperation::new(format!("o{index}"), action, "a test"))
            .collect(),
    }
}

fn walk(folder: &Path, found: &mut BTreeMap<PathBuf, Stands>) {
    let metadata = fs::symlink_metadata(folder).unwrap();
    let content = if metadata.is_file() {
        Some(blake3::hash(&fs::read(folder).unwrap()).to_hex().to_string())
    } else if metadata.is_symlink() {
        Some(format!("-> {}", fs::read_link(folder).unwrap().display()))
    } else {
        None
    };
    let stands = Stands {
        mode: metadata.permissions().mode(),
        modified: (metadata.mtime(), metadata.mtime_nsec()),
        content,
    };
    found.insert(folder.to_owned(), stands);
    if metadata.is_dir() {
        for entry in fs::read_dir(folder).unwrap() {
            walk(&entry.unwrap().path(), found);
        }
    }
}
