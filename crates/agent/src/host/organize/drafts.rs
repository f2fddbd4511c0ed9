//! Drafts with a person's changes, checked against a model of the tree.

use super::{aside, organize_home};
use crate::core::Core;
use crate::host::place;
use deputy_messages::agent as say;
use deputy_messages::{Phrase, sentence};
use deputy_organize::{CheckError, preview, with, without};
use deputy_protocol::{
    Answers, CommandId, DraftAnswer, DraftKeptOutcome, DraftQuery, ErrorBody, ErrorCode, KeepDraftCommand,
    OperationId, OperationNote, OrganizeOperation, OrganizePlan, Performs,
};
use deputy_tools::OrganizeHome;
use deputy_tools::organize::tree_lines;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The maximum number of entries in the folders for which trees are drawn.
const MOST_IN_TREES: usize = 20_000;
/// The maximum number of problems reported at once.
const MOST_PROBLEMS: usize = 200;

/// The drafts of a home.
pub(in crate::host) struct Drafts {
    pub(in crate::host) core: Arc<Core>,
}

impl Answers<DraftQuery> for Drafts {
    async fn answer(&self, query: DraftQuery) -> Result<DraftAnswer, ErrorBody> {
        let (home, own) = (organize_home(&self.core), self.core.home.clone());
        aside(say::trying_draft_broke_off, move || {
            let DraftQuery { draft, without, edited } = query;
            Ok(try_out(&home, changed(&home, &own, &draft, &without, &edited)?))
        })
        .await
    }
}

impl Performs<KeepDraftCommand> for Drafts {
    async fn perform(&self, _: &CommandId, keep: KeepDraftCommand) -> Result<DraftKeptOutcome, ErrorBody> {
        let (home, own) = (organize_home(&self.core), self.core.home.clone());
        aside(say::keeping_draft_broke_off, move || {
            let KeepDraftCommand { draft, without, edited } = keep;
            let checked = home
                .check(&changed(&home, &own, &draft, &without, &edited)?)
                .map_err(|error| wrong(sentence(error)))?;
            if checked.plan.operations.is_empty() {
                return Err(wrong(say::plan_has_nothing_left()));
            }
            let kept = home.keep_checked(&checked);
            let draft = kept
                .map_err(|error| ErrorBody::new(ErrorCode::Draft, sentence(error), say::is_there_room()))?;
            Ok(DraftKeptOutcome { draft })
        })
        .await
    }
}

fn wrong(message: Phrase) -> ErrorBody {
    ErrorBody::new(ErrorCode::Draft, message, say::scan_again_nothing_changed())
}

/// Returns the plan that results from a draft and the changes to it.
fn changed(
    home: &OrganizeHome,
    own: &Path,
    draft: &str,
    dropped: &[OperationId],
    edited: &[OrganizeOperation],
) -> Result<OrganizePlan, ErrorBody> {
    let plan = home.draft(draft).map_err(|error| wrong(sentence(error)))?;
    let plan = with(&plan, edited).map_err(|error| wrong(sentence(error)))?;
    let plan = without(&plan, dropped).map_err(|error| wrong(sentence(error)))?;
    for folder in &plan.scope {
        place::workspace(folder, own)?;
    }
    Ok(plan)
}

fn try_out(home: &OrganizeHome, plan: OrganizePlan) -> DraftAnswer {
    let scope: Vec<PathBuf> = plan.scope.iter().map(PathBuf::from).collect();
    let found = if is_small(&scope) {
        preview(&plan, &home.bounds()).map(|shown| {
            let trees = tree_lines(&shown);
            (shown.checked, Some(trees))
        })
    } else {
        home.check(&plan).map(|checked| (checked, None))
    };
    let (checked, trees) = match found {
        Ok(found) => found,
        Err(error) => return refused(plan, &error),
    };
    let notes = checked.notes.into_iter().map(|(operation, text)| OperationNote { operation, text });
    DraftAnswer { notes: notes.collect(), problems: Vec::new(), trees, plan: checked.plan }
}

/// Returns the problems of a plan, with the operation that causes each, if any.
fn refused(plan: OrganizePlan, error: &CheckError) -> DraftAnswer {
    let problems = match error {
        CheckError::Problems(problems) => problems
            .iter()
            .take(MOST_PROBLEMS)
            .map(|problem| OperationNote {
                operation: problem.operation.clone(),
                text: problem.wrong.phrase(),
            })
            .collect(),
        error => vec![OperationNote { operation: String::new(), text: error.phrase() }],
    };
    DraftAnswer { plan, notes: Vec::new(), problems, trees: None }
}

/// Returns whether the folders are small enough for trees to be drawn.
fn is_small(folders: &[PathBuf]) -> bool {
    let mut waiting: Vec<PathBuf> = folders.to_vec();
    let mut seen = 0;
    while let Some(folder) = waiting.pop() {
        for entry in entries(&folder) {
            seen += 1;
            if seen > MOST_IN_TREES {
                return false;
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                waiting.push(entry.path());
            }
        }
    }
    true
}

fn entries(folder: &Path) -> impl Iterator<Item = std::fs::DirEntry> {
    std::fs::read_dir(folder).into_iter().flatten().flatten()
}
