//! The undo snapshot of a command that may write: what it could change is saved and journalled before it starts, and
//! its changes are determined afterwards.

use crate::core::Core;
use crate::driver::judge::Judged;
use crate::repositories::build_output::TaskBuildOutput;
use deputy_messages::agent as say;
use deputy_policy::Situation;
use deputy_policy::path::Secrets;
use deputy_protocol::{
    CallId, ChangedRepository, Confinement, Digest, KeptFile, NotKept, Phrase, TaskEvent, TaskSpec,
    ToolResult, TreeKept,
};
use deputy_store::{Store, StoreError};
use deputy_tools::KeepError;
use deputy_tools::tree::{self, AtStake, BuildOutput, Contents, Differences, Ground, Manifest, Survey};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The maximum number of paths named that undo does not cover.
const NAMED: usize = 5;

/// The snapshot for one command.
#[derive(Clone)]
pub(in crate::driver) struct UndoSnapshot {
    core: Arc<Core>,
    situation: Situation,
    writable: Vec<PathBuf>,
    confinement: Confinement,
    /// Secrets that are open to this one call.
    revealed: Vec<PathBuf>,
    /// What the command names. It is saved before everything else.
    named: Vec<PathBuf>,
}

/// Stores contents in the store.
struct StoreContents(Store);

impl Contents for StoreContents {
    fn keep(&self, file: &File) -> Result<KeptFile, KeepError> {
        self.0.keep_open(file).map_err(|error| blob_error("of a file", error))
    }

    fn holds(&self, file: &KeptFile) -> bool {
        self.0.holds_blob(file)
    }

    fn sync(&self) -> Result<(), KeepError> {
        self.0.sync_blobs().map_err(|error| blob_error("of files", error))
    }
}

fn blob_error(digest: &str, reason: impl Into<Phrase>) -> KeepError {
    KeepError::Blob { digest: digest.to_owned(), reason: reason.into() }
}

impl UndoSnapshot {
    /// Returns the snapshot for a call. `None` if the call runs no command, or if its command may not write.
    pub(in crate::driver) fn of(core: &Arc<Core>, judged: &Judged) -> Option<Self> {
        let confinement = judged.ruling.verdict.confinement;
        if judged.ruling.execution.is_none() || confinement < Confinement::Workspace {
            return None;
        }
        let mut writable = judged.reach.writable.clone();
        writable.extend(judged.ruling.writes.iter().cloned());
        let revealed = judged.ruling.revealed.clone();
        Some(Self {
            core: core.clone(),
            situation: judged.situation.clone(),
            writable,
            confinement,
            revealed,
            named: judged.touches().to_vec(),
        })
    }

    /// Returns the files and folders that the command may change.
    pub(in crate::driver) fn writable(&self) -> &[PathBuf] {
        &self.writable
    }

    /// Returns what undo could not restore, and what the command names, or if it names nothing, everything that it could
    /// change. Both are for the person who is asked.
    pub(in crate::driver) async fn at_stake(&self, spec: &TaskSpec) -> (Option<NotKept>, AtStake) {
        let one = self.clone();
        let built = self.build_output(spec).await.unwrap_or_default();
        let look = move || {
            one.on_ground(&built.output, |ground| {
                let survey = one.survey(ground);
                (survey.not_kept(), survey.at_stake(&one.named))
            })
        };
        tokio::task::spawn_blocking(look).await.unwrap_or_default()
    }

    /// Saves everything that the command could change, and journals that. Durable on return. Also returns what could not
    /// be saved, sorted and outside each other.
    pub(super) async fn take(
        &self,
        spec: &TaskSpec,
        call: &CallId,
    ) -> Result<(Digest, Vec<PathBuf>), KeepError> {
        let (one, id) = (self.clone(), call.clone());
        let built =
            self.build_output(spec).await.map_err(|error| blob_error("of files", error.to_string()))?;
        let heads = built.heads.clone();
        let keep = move || {
            let manifest = one.on_ground(&built.output, |ground| {
                let survey = one.survey(ground);
                let not_kept = survey.not_kept_paths();
                let contents = StoreContents(one.core.store.clone());
                tree::keep(&id, ground, survey, &contents, &one.core.known).map(|kept| (kept, not_kept))
            });
            let (manifest, not_kept) = manifest?;
            let kept = one.core.store.keep_blob(&manifest.to_bytes()?);
            let kept = kept.map_err(|error| blob_error("of a list of files", error))?;
            Ok((kept.digest, manifest.size(), not_kept))
        };
        let kept = tokio::task::spawn_blocking(keep).await;
        let (manifest, (files, bytes), not_kept) =
            kept.map_err(|error| blob_error("of files", error.to_string()))??;
        // Appended directly to the journal, for the same reason as `FileKept`.
        let event = TaskEvent::TreeKept(TreeKept {
            call: call.clone(),
            manifest: manifest.clone(),
            files,
            bytes,
            heads,
        });
        let appended = self.core.store.append(&spec.id, self.core.now_ms(), vec![event]).await;
        appended.map_err(|error| blob_error(manifest.as_str(), error))?;
        Ok((manifest, not_kept))
    }

    /// Adds the changes of the command to its result.
    pub(super) async fn tell_changes(&self, manifest: &Digest, result: &mut ToolResult) {
        let (core, digest) = (self.core.clone(), manifest.clone());
        let found = tokio::task::spawn_blocking(move || changes_since(&core, &digest)).await;
        match found.map_err(|error| blob_error(manifest.as_str(), error.to_string())).and_then(|found| found)
        {
            Ok((found, repositories)) => {
                result.repositories.extend(repositories);
                if !found.uncovered.is_empty() {
                    add(result, uncovered(&found.uncovered));
                }
                result.changes.extend(found.told());
            }
            Err(error) => add(result, say::changes_not_known(error)),
        }
    }

    fn survey(&self, ground: &Ground<'_>) -> Survey {
        Survey::of(ground, self.core.config().undo.limits(), &self.named)
    }

    async fn build_output(&self, spec: &TaskSpec) -> Result<Arc<TaskBuildOutput>, StoreError> {
        self.core.build_output.of(&self.core, spec, &self.writable).await
    }

    fn on_ground<T>(&self, output: &BuildOutput, work: impl FnOnce(&Ground<'_>) -> T) -> T {
        let secrets = Secrets::of(&self.situation);
        let is_secret = |path: &Path| secrets.holds(path);
        let is_open = |secret: &Path| {
            self.confinement == Confinement::Open || self.revealed.iter().any(|open| open == secret)
        };
        let is_walled = self.confinement < Confinement::Open;
        let roots = self.writable.clone();
        work(&Ground { roots, is_secret: &is_secret, is_open: &is_open, output, is_walled })
    }
}

/// Returns the differences between a manifest and the current files.
pub(crate) fn differences(core: &Core, manifest: &Digest) -> Result<Differences, KeepError> {
    Ok(tree::differences(&manifest_of(core, manifest)?, core.config().undo.limits()))
}

/// Like [`differences`], with the repositories that changed. Stores their states.
pub(in crate::driver) fn changes_since(
    core: &Core,
    manifest: &Digest,
) -> Result<(Differences, Vec<ChangedRepository>), KeepError> {
    let manifest = manifest_of(core, manifest)?;
    let found = tree::differences(&manifest, core.config().undo.limits());
    let mut repositories = Vec::new();
    for (folder, states) in tree::changed_repositories(&manifest, &found, &StoreContents(core.store.clone()))
    {
        let kept = core.store.keep_blob(&states.to_bytes()?);
        let kept = kept.map_err(|error| blob_error("of the states of a repository", error))?;
        // A path that is not UTF-8 is not among the changes either.
        let folder = folder.to_string_lossy().into_owned();
        repositories.push(ChangedRepository { folder, states: kept.digest });
    }
    Ok((found, repositories))
}

fn manifest_of(core: &Core, manifest: &Digest) -> Result<Manifest, KeepError> {
    let bytes = core.store.blob(manifest).map_err(|error| blob_error(manifest.as_str(), error))?;
    Manifest::from_bytes(&bytes)
}

fn uncovered(paths: &[String]) -> Phrase {
    let named = paths.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match paths.len().saturating_sub(NAMED) {
        0 => say::undo_does_not_cover(named),
        more => say::undo_does_not_cover_more(more, named),
    }
}

fn add(result: &mut ToolResult, text: Phrase) {
    let first_line = result.content.lines().next().unwrap_or_default();
    let said = if result.summary.is_empty() {
        Phrase::from(first_line)
    } else {
        std::mem::take(&mut result.summary)
    };
    result.summary = deputy_messages::series([said, text]);
}
