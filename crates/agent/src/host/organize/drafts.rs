//! Drafts with a person's changes, tried on a model of the tree.

use super::aside;
use crate::host::{Host, place};
use deputy_organize::{CheckError, PreviewEntry, preview, with, without};
use deputy_protocol::{DraftAnswer, DraftQuery, DraftTrees, ErrorBody, OperationNote, OrganizePlan};
use deputy_tools::OrganizeHome;
use std::path::{Path, PathBuf};

/// Things in the folders up to which trees are drawn.
const MOST_IN_TREES: usize = 20_000;
/// Problems that are told at once.
const MOST_PROBLEMS: usize = 200;

impl Host {
    /// Tries a draft with changes, and keeps the changed plan where that is wanted and nothing is wrong with it.
    pub(in crate::host) async fn draft(&self, query: DraftQuery) -> Result<DraftAnswer, ErrorBody> {
        let (home, own) = (self.organize_home(), self.core.home.clone());
        aside("trying the draft", move || {
            let plan = changed(&home, &query)?;
            for folder in &plan.scope {
                place::workspace(folder, &own)?;
            }
            try_out(&home, plan, query.keep)
        })
        .await
    }
}

/// The plan that a draft and the changes to it come to.
fn changed(home: &OrganizeHome, query: &DraftQuery) -> Result<OrganizePlan, ErrorBody> {
    let wrong = |message: String| ErrorBody::new("draft", message, "Scan again; nothing was changed.");
    let plan = home.draft(&query.draft).map_err(|error| wrong(format!("{error}.")))?;
    let plan = with(&plan, &query.edited).map_err(|error| wrong(format!("{error}.")))?;
    without(&plan, &query.without).map_err(|error| wrong(format!("{error}.")))
}

fn try_out(home: &OrganizeHome, plan: OrganizePlan, keep: bool) -> Result<DraftAnswer, ErrorBody> {
    let scope: Vec<PathBuf> = plan.scope.iter().map(PathBuf::from).collect();
    let found = if is_small(&scope) {
        preview(&plan, &home.bounds()).map(|shown| {
            let trees = DraftTrees { before: lines(&shown.before), after: lines(&shown.after) };
            (shown.checked, Some(trees))
        })
    } else {
        home.check(&plan).map(|checked| (checked, None))
    };
    let (checked, trees) = match found {
        Ok(found) => found,
        Err(error) => return Ok(refused(plan, &error)),
    };
    let draft = if keep && !checked.plan.operations.is_empty() {
        let kept = home.keep_checked(&checked);
        Some(kept.map_err(|error| ErrorBody::new("draft", format!("{error}."), super::NO_DRAFT))?)
    } else {
        None
    };
    let notes = checked.notes.into_iter().map(|(operation, text)| OperationNote { operation, text });
    Ok(DraftAnswer { draft, notes: notes.collect(), problems: Vec::new(), trees, plan: checked.plan })
}

/// What is wrong with a plan, by operation where it is one's.
fn refused(plan: OrganizePlan, error: &CheckError) -> DraftAnswer {
    let problems = match error {
        CheckError::Problems(problems) => problems
            .iter()
            .take(MOST_PROBLEMS)
            .map(|problem| OperationNote {
                operation: problem.operation.clone(),
                text: problem.wrong.to_string(),
            })
            .collect(),
        error => vec![OperationNote { operation: String::new(), text: error.to_string() }],
    };
    DraftAnswer { draft: None, plan, notes: Vec::new(), problems, trees: None }
}

fn lines(entries: &[PreviewEntry]) -> Vec<String> {
    let line = |entry: &PreviewEntry| {
        let slash = if entry.is_folder { "/" } else { "" };
        format!("{}{slash}", entry.path.to_string_lossy())
    };
    entries.iter().map(line).collect()
}

/// Whether folders hold no more than trees are drawn of.
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
