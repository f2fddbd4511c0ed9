//! Persistent storage of `organize`: the journals of jobs, drafts of plans, and the trash.

use crate::text::reason;
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use deputy_organize::{
    Bounds, CheckError, CheckedPlan, Jobs, JobsError, TrashPlaces, check, make_private_folder,
};
use deputy_policy::Situation;
use deputy_policy::path::{SecretPattern, Secrets, system_place};
use deputy_protocol::{CallId, OrganizePlan};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The maximum number of stored drafts. Older ones are deleted.
const MOST_DRAFTS: usize = 50;

/// The folders of the persistent storage.
#[derive(Clone, Debug)]
pub struct OrganizeHome {
    deputy_home: PathBuf,
    user_home: PathBuf,
    folder: PathBuf,
    trash: TrashPlaces,
    listed: Vec<SecretPattern>,
}

/// Why a draft is not available.
#[derive(Debug, thiserror::Error)]
pub enum DraftError {
    /// There is no draft with this id.
    Unknown(String),
    /// The draft cannot be written or read.
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
}

impl DraftError {
    /// Returns the message for people.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Unknown(draft) => say::unknown_draft(draft),
            Self::Io { path, source } => say::cannot_use_draft(path.display(), reason(source)),
        }
    }
}

deputy_messages::said_by_phrase!(DraftError);

impl OrganizeHome {
    /// Creates the storage below Deputy's own folder, with the trash of the user whose home folder is given.
    pub fn of(deputy_home: &Path, user_home: &Path) -> Self {
        let folder = deputy_home.join("organize");
        let data_home = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from);
        let trash = TrashPlaces::of(data_home.as_deref(), user_home, &folder.join("quarantine"));
        let (deputy_home, user_home) = (deputy_home.to_owned(), user_home.to_owned());
        Self { deputy_home, user_home, folder, trash, listed: Vec::new() }
    }

    /// Adds the user's own list of secrets.
    pub fn keeping(self, listed: Vec<SecretPattern>) -> Self {
        Self { listed, ..self }
    }

    /// Opens the jobs.
    pub fn jobs(&self) -> Result<Jobs, JobsError> {
        Jobs::open(&self.folder.join("jobs"))
    }

    /// Checks a plan on a model of the tree. Does not decide what the plan may touch; policy does that for each step.
    pub fn check(&self, plan: &OrganizePlan) -> Result<CheckedPlan, CheckError> {
        check(plan, &self.bounds())
    }

    /// Returns the secrets of a workspace. Policy would deny a whole plan that named one.
    pub fn secrets(&self, workspace: &Path) -> Secrets {
        Secrets::of(&Situation {
            secrets: self.listed.clone(),
            ..Situation::new(self.user_home.clone(), workspace.to_owned(), self.deputy_home.clone())
        })
    }

    /// Returns the bounds that plans are checked against.
    pub fn bounds(&self) -> Bounds<'_> {
        Bounds { protected: &protected, trash: &self.trash }
    }

    /// Returns the id of the job that a call starts. It is the same after a crash.
    pub fn job_of(call: &CallId) -> String {
        format!("j{}", &blake3::hash(call.as_str().as_bytes()).to_hex()[..12])
    }

    /// Stores a plan under the digest that a request for it shows and that the approval binds to. A plan that cannot be
    /// executed has no such digest and is identified by its content.
    pub fn keep_draft(&self, plan: &OrganizePlan) -> Result<String, DraftError> {
        match self.check(plan) {
            Ok(checked) => self.keep_checked(&checked),
            Err(_) => self.keep_as(plan, None),
        }
    }

    /// Like [`Self::keep_draft`], for a plan that was just checked.
    pub fn keep_checked(&self, checked: &CheckedPlan) -> Result<String, DraftError> {
        self.keep_as(&checked.plan, Some(checked.digest()))
    }

    fn keep_as(&self, plan: &OrganizePlan, digest: Option<String>) -> Result<String, DraftError> {
        let fail = |source| DraftError::Io { path: self.drafts(), source };
        let content = serde_json::to_vec(plan).map_err(|error| fail(error.into()))?;
        let id = digest.unwrap_or_else(|| blake3::hash(&content).to_hex().to_string());
        let path = self.draft_path(&id);
        keep(&self.drafts(), &path, &marked(&content)).map_err(|source| DraftError::Io { path, source })?;
        forget_old(&self.drafts(), MOST_DRAFTS);
        Ok(id)
    }

    /// Returns the complete plan with this id.
    pub fn draft(&self, id: &str) -> Result<OrganizePlan, DraftError> {
        let unknown = || DraftError::Unknown(id.to_owned());
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(unknown());
        }
        let path = self.draft_path(id);
        let content = match std::fs::read(&path) {
            Ok(content) => content,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(unknown()),
            Err(source) => return Err(DraftError::Io { path, source }),
        };
        // A file that was modified holds a different plan than the one that was approved.
        let content = unmarked(&content).ok_or_else(unknown)?;
        serde_json::from_slice(content).map_err(|error| DraftError::Io { path, source: error.into() })
    }

    fn drafts(&self) -> PathBuf {
        self.folder.join("drafts")
    }

    fn draft_path(&self, id: &str) -> PathBuf {
        self.drafts().join(format!("{id}.json"))
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Writes a file atomically and durably. The file is private, because file names reveal much about their owner. Folders
/// that this creates are as private as any other part of the storage.
pub(super) fn keep(folder: &Path, path: &Path, content: &[u8]) -> std::io::Result<()> {
    make_private_folder(folder)?;
    let part = path.with_extension(format!("{}.part", std::process::id()));
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&part)?;
    file.write_all(content).and_then(|()| file.sync_all())?;
    std::fs::rename(&part, path)?;
    std::fs::File::open(folder)?.sync_all()
}

/// Deletes all but the newest files of a folder. They are cheap to recreate, so a failed deletion is harmless.
pub(super) fn forget_old(folder: &Path, most: usize) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut kept: Vec<_> =
        entries.filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect();
    kept.sort_by(|one, other| other.cmp(one));
    for (_, path) in kept.into_iter().skip(most) {
        let _ = std::fs::remove_file(path);
    }
}

/// Prepends a line with the digest of the content, which reveals later changes.
pub(super) fn marked(content: &[u8]) -> Vec<u8> {
    [blake3::hash(content).to_hex().as_bytes(), b"\n", content].concat()
}

/// Returns the content after the digest line. `None` if the content does not match the digest.
pub(super) fn unmarked(file: &[u8]) -> Option<&[u8]> {
    let (mark, content) = file.split_at_checked(file.iter().position(|byte| *byte == b'\n')?)?;
    let content = content.get(1..)?;
    (blake3::hash(content).to_hex().as_bytes() == mark).then_some(content)
}

/// Returns why the system needs this path unchanged, in English.
fn protected(real: &Path) -> Option<String> {
    system_place(real).map(String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_is_read_back_by_its_id_and_a_changed_one_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let home = OrganizeHome::of(folder.path(), folder.path());
        let plan = OrganizePlan { scope: vec!["/a".to_owned()], ..OrganizePlan::default() };
        let id = home.keep_draft(&plan).unwrap();
        assert_eq!(home.draft(&id).unwrap(), plan);
        let path = home.draft_path(&id);
        let changed = std::fs::read_to_string(&path).unwrap().replace("/a", "/b");
        std::fs::write(&path, changed).unwrap();
        for id in [id.as_str(), "../drafts/x", "", "0123"] {
            assert!(matches!(home.draft(id), Err(DraftError::Unknown(_))), "{id}");
        }
    }

    #[test]
    fn what_is_kept_is_for_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let deputy = folder.path().join("deputy");
        let home = OrganizeHome::of(&deputy, folder.path());
        let id = home.keep_draft(&OrganizePlan::default()).unwrap();
        home.jobs().unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        for folder in [deputy.clone(), deputy.join("organize"), home.drafts(), deputy.join("organize/jobs")] {
            assert_eq!(mode(&folder), 0o700, "{}", folder.display());
        }
        assert_eq!(mode(&home.draft_path(&id)), 0o600);
    }

    #[test]
    fn folders_of_the_system_are_never_tidied() {
        let folder = tempfile::tempdir().unwrap();
        let home = OrganizeHome::of(folder.path(), folder.path());
        let plan = |scope: &str, path: &str| {
            let plan = serde_json::json!({"scope": [scope], "operations": [
                {"id": "o1", "action": {"kind": "rename", "path": path, "name": "other"}, "risk": "low"},
            ]});
            serde_json::from_value::<OrganizePlan>(plan).unwrap()
        };
        // Only check these plans, never execute them: as root with consent to medium risk, the first was executed.
        for (scope, path) in [
            ("/etc", "/etc/hostname"),
            ("/etc", "hostname"),
            ("/usr/share", "/usr/share/doc"),
            ("/var/lib", "/var/lib/misc"),
            ("/var", "/var/lib"),
        ] {
            let error = home.check(&plan(scope, path)).unwrap_err().to_string();
            assert!(error.contains("belongs to the system"), "{scope} {path}: {error}");
        }
    }

    #[test]
    fn only_the_newest_drafts_stay() {
        let folder = tempfile::tempdir().unwrap();
        let home = OrganizeHome::of(folder.path(), folder.path());
        for index in 0..MOST_DRAFTS + 5 {
            home.keep_draft(&OrganizePlan { reasoning: index.to_string().into(), ..OrganizePlan::default() })
                .unwrap();
        }
        assert_eq!(std::fs::read_dir(home.drafts()).unwrap().count(), MOST_DRAFTS);
    }
}
