//! The record of what a task did, from its journal and those of its sub-tasks: the report at its end, and `deputy diff`.
//!
//! A person's own files are listed; what programs made is counted by folder. Git is asked inside the sandbox what it
//! ignores, and for the new commits. If it gives no answer, these are missing.

mod built;
mod commits;
mod gathered;
mod lasting;

use crate::blobs::StoreBlobs;
use crate::core::Core;
use crate::driver::look_through;
use crate::lineage::below;
use crate::machine::Machine;
use crate::redact;
use built::Sorted;
use commits::Made;
use deputy_protocol::{
    AbsentFile, BuiltFolder, ChangedFile, FileDeed, FileDifference, FileState, KeptFile, LastingChanges,
    Report, TaskDifference, TaskId,
};
use deputy_store::StoreError;
use deputy_tools::{Compared, LARGEST_COMPARED, OrganizeHome};
use gathered::{Gathered, Net};
use rustix::fs::{Mode, OFlags};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The maximum number of files that a report names, and of commits.
const MOST_FILES: usize = 50;
const MOST_COMMITS: usize = 20;
/// The maximum number of files that are named, of those whose differences are shown, and the size of all differences,
/// in bytes.
const MOST_NAMED: usize = 20_000;
const MOST_COMPARED: usize = 1_000;
const MOST_DIFF_BYTES: usize = 1_000_000;

/// Returns the report for the end of a task.
pub(crate) async fn report(core: &Arc<Core>, machine: &Machine) -> Report {
    let report = machine.report();
    if !machine.changed_something() {
        return report;
    }
    match with_changes(core, &machine.spec().id, report.clone()).await {
        Ok(report) => report,
        Err(error) => {
            tracing::warn!("the report of {} has no changes: {error}", machine.spec().id);
            report
        }
    }
}

async fn with_changes(core: &Arc<Core>, task: &TaskId, report: Report) -> Result<Report, StoreError> {
    let Whole { files, built, made, lasting } = whole(core, task).await?;
    let (moved, rest): (Vec<Net>, Vec<Net>) = files.into_iter().partition(|net| net.from.is_some());
    let more_files = rest.len().saturating_sub(MOST_FILES);
    let blobs = StoreBlobs(core.store.clone());
    let compare = move || rest.iter().take(MOST_FILES).map(|net| changed_file(net, &blobs).0).collect();
    let changed: Vec<ChangedFile> = tokio::task::spawn_blocking(compare).await.unwrap_or_default();
    Ok(Report {
        changed,
        more_files: as_count(more_files),
        moved: as_count(moved.len()),
        built,
        more_commits: as_count(made.commits.len().saturating_sub(MOST_COMMITS)),
        commits: made.commits.into_iter().take(MOST_COMMITS).collect(),
        branches: made.branches,
        lasting,
        ..report
    })
}

/// Returns everything that a task changed, with the differences of texts.
pub(crate) async fn difference(core: &Arc<Core>, task: &TaskId) -> Result<TaskDifference, StoreError> {
    let Whole { files, built, made, lasting } = whole(core, task).await?;
    let more_files = files.len().saturating_sub(MOST_NAMED);
    let blobs = StoreBlobs(core.store.clone());
    let compare = move || {
        let mut left = MOST_DIFF_BYTES;
        let told = files.iter().take(MOST_NAMED).enumerate().map(|(at, net)| {
            if at >= MOST_COMPARED {
                return FileDifference { file: named(net), diff: None };
            }
            let (file, compared) = changed_file(net, &blobs);
            let diff =
                compared.map(|compared| redact::difference(&compared.diff(net.path.trim_start_matches('/'))));
            let diff = diff.filter(|diff| diff.len() <= left);
            left -= diff.as_ref().map_or(0, String::len);
            FileDifference { file, diff }
        });
        told.collect()
    };
    let files: Vec<FileDifference> = tokio::task::spawn_blocking(compare).await.unwrap_or_default();
    let (commits, branches) = (made.commits, made.branches);
    Ok(TaskDifference { files, more_files: as_count(more_files), built, commits, branches, lasting })
}

/// Everything that a task changed.
struct Whole {
    files: Vec<Net>,
    built: Vec<BuiltFolder>,
    made: Made,
    lasting: Option<LastingChanges>,
}

async fn whole(core: &Arc<Core>, task: &TaskId) -> Result<Whole, StoreError> {
    let gathered = gathered(core, task)?;
    let Sorted { mut own, built } = built::sort(core, task, gathered.net(), gathered.output()).await?;
    own.extend(tidied(core, &gathered.jobs));
    let mut made = commits::made(core, &gathered.repositories).await;
    let references = std::mem::take(&mut made.references);
    let lasting = lasting::of(core, task, &own, references);
    Ok(Whole { files: own, built, made, lasting })
}

/// Reads the journals of a task and its sub-tasks.
fn gathered(core: &Core, task: &TaskId) -> Result<Gathered, StoreError> {
    let mut gathered = Gathered::default();
    look_through(core, task, |event| gathered.hear(&event))?;
    for part in below(core, task)? {
        look_through(core, &part.id, |event| gathered.hear(&event))?;
    }
    Ok(gathered)
}

/// Describes the change of a file, without its lines.
fn named(net: &Net) -> ChangedFile {
    let deed = match (&net.before, &net.after) {
        _ if net.from.is_some() => FileDeed::Moved,
        (FileState::Absent(_), _) => FileDeed::Created,
        (_, FileState::Absent(_)) => FileDeed::Removed,
        _ => FileDeed::Changed,
    };
    ChangedFile { path: net.path.clone(), deed, moved_from: net.from.clone(), lines: None }
}

/// Describes the change of a file, and compares its contents if they are short enough.
fn changed_file(net: &Net, blobs: &StoreBlobs) -> (ChangedFile, Option<Compared>) {
    let compared = if net.from.is_none() { compared(net, blobs) } else { None };
    let lines = compared.as_ref().map(Compared::lines);
    (ChangedFile { lines, ..named(net) }, compared)
}

/// Compares the content before the task with the one after it. `None` if one of them is not known any more or no text.
fn compared(net: &Net, blobs: &StoreBlobs) -> Option<Compared> {
    let is_short = |size: u64| size <= LARGEST_COMPARED;
    let before = match &net.before {
        FileState::Absent(_) => None,
        FileState::File(file) if is_short(file.size_bytes) => Some(blobs.blob(&file.digest)?),
        _ => return None,
    };
    let after = match &net.after {
        FileState::Absent(_) => None,
        FileState::File(file) if is_short(file.size_bytes) => Some(match blobs.blob(&file.digest) {
            Some(content) => content,
            None => content_now(Path::new(&net.path), file)?,
        }),
        _ => return None,
    };
    Compared::of(before.as_deref(), after.as_deref())
}

/// Returns the content of a file if it is what the task left. The digest is that of the bytes that were read, so it does not
/// matter what another program puts at the path meanwhile.
fn content_now(path: &Path, left: &KeptFile) -> Option<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty()).ok()?);
    let mut content = Vec::new();
    file.take(LARGEST_COMPARED + 1).read_to_end(&mut content).ok()?;
    (blake3::hash(&content).to_hex().as_str() == left.digest.as_str()).then_some(content)
}

/// Returns what the plans of a task moved, renamed, copied or put into the trash, without plans that were undone.
fn tidied(core: &Core, jobs: &[String]) -> Vec<Net> {
    if jobs.is_empty() {
        return Vec::new();
    }
    let Ok(known) = OrganizeHome::of(&core.home, &core.user_home).jobs() else { return Vec::new() };
    let stands = |job: &&String| {
        let plan = known.plan(job).ok().flatten();
        plan.is_some_and(|plan| plan.turns.last().is_none_or(|turn| turn.is_redo))
    };
    let done = jobs.iter().filter(stands).filter_map(|job| known.history(job).ok().flatten());
    let pairs: Vec<_> = done.flat_map(|history| history.moved()).collect();
    let absent = FileState::Absent(AbsentFile {});
    let net = |(from, to): (PathBuf, PathBuf)| Net {
        path: to.to_string_lossy().into_owned(),
        from: Some(from.to_string_lossy().into_owned()),
        before: absent.clone(),
        after: absent.clone(),
        is_named: true,
    };
    pairs.into_iter().map(net).collect()
}

fn as_count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
