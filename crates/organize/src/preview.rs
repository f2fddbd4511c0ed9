//! Shows people what a plan would do: the tree before and after, and a table of operations.

use crate::check::{Bounds, CheckedPlan, simulate};
use crate::disk::DiskError;
use crate::model::{Id, Model};
use crate::names::is_hidden;
use crate::problem::{CheckError, Problem, Wrong};
use crate::standing::Kind;
use deputy_protocol::{OrganizeAction, OrganizePlan, Risk};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// An entry of a tree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct PreviewEntry {
    /// The absolute path. In JSON, invalid UTF-8 is replaced.
    #[serde(serialize_with = "as_text")]
    pub path: PathBuf,
    /// Whether it is a folder.
    pub is_folder: bool,
}

fn as_text<S: serde::Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// The trees before and after a plan.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Preview {
    /// The plan as it would be executed.
    pub checked: CheckedPlan,
    /// Everything in the scope before the plan, with each folder before its content.
    pub before: Vec<PreviewEntry>,
    /// Everything in the scope after the plan.
    pub after: Vec<PreviewEntry>,
}

/// Tries a plan and lists the trees before and after it.
pub fn preview(plan: &OrganizePlan, bounds: &Bounds<'_>) -> Result<Preview, CheckError> {
    let (checked, mut model) = simulate(plan, bounds)?;
    let before = list(&mut Model::new(), &checked.job.scope)?;
    let after = list(&mut model, &checked.job.scope)?;
    Ok(Preview { checked, before, after })
}

fn list(model: &mut Model, scope: &[PathBuf]) -> Result<Vec<PreviewEntry>, CheckError> {
    let mut entries = Vec::new();
    for folder in scope {
        if let Some(node) = model.find(folder).map_err(unreadable)? {
            below(model, node, &mut entries).map_err(unreadable)?;
        }
    }
    Ok(entries)
}

fn unreadable(error: DiskError) -> CheckError {
    CheckError::Problems(vec![Problem {
        operation: "preview".to_owned(),
        wrong: Wrong::Disk(error.phrase()),
    }])
}

fn below(model: &mut Model, folder: Id, entries: &mut Vec<PreviewEntry>) -> Result<(), DiskError> {
    let mut waiting = vec![(folder, true)];
    while let Some((node, is_start)) = waiting.pop() {
        let is_folder = model.kind(node) == Kind::Folder;
        if !is_start {
            entries.push(PreviewEntry { path: model.path(node), is_folder });
        }
        if is_folder {
            // The content of an unreadable folder is not shown. No plan can refer to it either.
            for name in model.names(node).unwrap_or_default().iter().rev() {
                if let Some(child) = model.child(node, name)? {
                    waiting.push((child, false));
                }
            }
        }
    }
    Ok(())
}

/// Formats a tree as text: folders first, at most `most` entries per folder, and the number of the others.
pub fn tree(root: &Path, entries: &[PreviewEntry], most: usize) -> String {
    let mut children: HashMap<&Path, Vec<&PreviewEntry>> = HashMap::new();
    for entry in entries {
        children.entry(entry.path.parent().unwrap_or(root)).or_default().push(entry);
    }
    for entries in children.values_mut() {
        entries.sort_by_key(|entry| (!entry.is_folder, &entry.path));
    }
    let mut text = format!("{}\n", shown(&root.to_string_lossy()));
    branch(root, &children, most, "", &mut text);
    text
}

fn branch(
    folder: &Path,
    children: &HashMap<&Path, Vec<&PreviewEntry>>,
    most: usize,
    indent: &str,
    text: &mut String,
) {
    let entries = children.get(folder).map_or(&[][..], Vec::as_slice);
    let hidden = entries.len().saturating_sub(most);
    let last = entries.len().min(most);
    for (index, entry) in entries.iter().take(most).enumerate() {
        let is_last = index + 1 == last && hidden == 0;
        let name = shown(&entry.path.file_name().unwrap_or_default().to_string_lossy());
        let slash = if entry.is_folder { "/" } else { "" };
        let _ = writeln!(text, "{indent}{}{name}{slash}", if is_last { "└── " } else { "├── " });
        if entry.is_folder {
            let indent = format!("{indent}{}", if is_last { "    " } else { "│   " });
            branch(&entry.path, children, most, &indent, text);
        }
    }
    if hidden > 0 {
        let _ = writeln!(text, "{indent}└── ... and {hidden} more");
    }
}

/// Formats the operations as a table: id, risk, action and reason.
pub fn table(checked: &CheckedPlan) -> String {
    let mut text = String::new();
    let mut notes: HashMap<&str, Vec<&str>> = HashMap::new();
    for (id, note) in &checked.notes {
        notes.entry(id).or_default().push(note);
    }
    for operation in &checked.plan.operations {
        let risk = match operation.risk {
            Risk::Low => "low",
            Risk::Medium => "medium",
            Risk::High => "high",
        };
        let (kind, to) = match &operation.action {
            OrganizeAction::CreateFolder(_) => ("create", ""),
            OrganizeAction::Move(action) => ("move", action.destination.as_str()),
            OrganizeAction::Rename(action) => ("rename", action.name.as_str()),
            OrganizeAction::Copy(action) => ("copy", action.destination.as_str()),
            OrganizeAction::Trash(_) => ("trash", ""),
        };
        let path = shown(operation.action.path());
        let arrow = if to.is_empty() { String::new() } else { format!(" -> {}", shown(to)) };
        let _ = write!(text, "{:<6} {risk:<6} {kind:<6} {path}{arrow}", operation.id.as_str());
        if !operation.reason.is_empty() {
            let _ = write!(text, "  ({})", shown(&operation.reason));
        }
        text.push('\n');
        for note in notes.get(operation.id.as_str()).into_iter().flatten() {
            let _ = writeln!(text, "       note: {}", shown(note));
        }
    }
    text
}

/// Escapes characters that control the terminal or change the direction of text.
fn shown(text: &str) -> String {
    let steers = |letter: char| letter.is_control() || is_hidden(letter);
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        if steers(letter) {
            safe.extend(letter.escape_unicode());
        } else {
            safe.push(letter);
        }
    }
    safe
}
