//! Checks whether the file names in a plan follow the naming convention that a person chose.

use crate::suggest::Convention;
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use deputy_protocol::{OperationId, OrganizeAction, OrganizePlan};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A file whose name after the plan does not follow the convention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misnamed {
    /// The operation that affects the file.
    pub operation: OperationId,
    /// The name after the operation.
    pub name: String,
    /// The name according to the convention.
    pub wanted: String,
}

impl Misnamed {
    /// Returns the message for people, and for a model that must correct the name.
    pub fn phrase(&self) -> Phrase {
        say::misnamed(format!("{:?}", self.name), &self.operation, format!("{:?}", self.wanted))
    }
}

/// Finds the files that a plan moves, renames or copies to names that do not follow the convention.
///
/// Folders may have any name, because a project is known by its name. Reads from the disk which entries are folders.
pub fn misnamed(plan: &OrganizePlan, convention: &Convention) -> Vec<Misnamed> {
    let at =
        |path: &str| -> PathBuf { plan.scope.first().map(Path::new).unwrap_or(Path::new("/")).join(path) };
    let mut folders: BTreeSet<PathBuf> = BTreeSet::new();
    let mut found = Vec::new();
    for operation in &plan.operations {
        let source = at(operation.action.path());
        let destination = match &operation.action {
            OrganizeAction::CreateFolder(_) => {
                folders.insert(source);
                continue;
            }
            OrganizeAction::Trash(_) => continue,
            OrganizeAction::Move(action) => at(&action.destination),
            OrganizeAction::Copy(action) => at(&action.destination),
            OrganizeAction::Rename(action) => source.with_file_name(&action.name),
        };
        if folders.contains(&source) || source.is_dir() {
            folders.insert(destination);
            continue;
        }
        let Some(name) = destination.file_name().and_then(|name| name.to_str()) else { continue };
        let wanted = convention.apply(name, None);
        if wanted != name {
            found.push(Misnamed { operation: operation.id.clone(), name: name.to_owned(), wanted });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_protocol::{
        CopyFileAction, CreateFolderAction, MoveFileAction, OrganizeOperation, RenameAction,
    };

    fn go(path: &str, destination: &str) -> OrganizeAction {
        OrganizeAction::Move(MoveFileAction { path: path.into(), destination: destination.into() })
    }

    fn found(folder: &Path, pattern: &str, actions: &[OrganizeAction]) -> Vec<(String, String)> {
        let number = |(at, action): (usize, &OrganizeAction)| {
            OrganizeOperation::new((at + 1).to_string(), action.clone(), "")
        };
        let plan = OrganizePlan {
            scope: vec![folder.to_str().unwrap().to_owned()],
            reasoning: "".into(),
            operations: actions.iter().enumerate().map(number).collect(),
        };
        let convention = Convention::parse(pattern).unwrap();
        misnamed(&plan, &convention).into_iter().map(|one| (one.operation.to_string(), one.wanted)).collect()
    }

    #[test]
    fn names_are_held_against_the_convention_wherever_a_plan_gives_or_keeps_one() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path();
        std::fs::write(folder.join("Old Name.pdf"), "").unwrap();
        std::fs::create_dir(folder.join("My Project")).unwrap();
        let rename = |path: &str, name: &str| {
            OrganizeAction::Rename(RenameAction { path: path.into(), name: name.into() })
        };
        let copy = |path: &str, destination: &str| {
            OrganizeAction::Copy(CopyFileAction { path: path.into(), destination: destination.into() })
        };
        let make = |path: &str| OrganizeAction::CreateFolder(CreateFolderAction { path: path.into() });
        let pair = |operation: &str, wanted: &str| (operation.to_owned(), wanted.to_owned());
        let keeps = [make("Big Folder"), go("Old Name.pdf", "Big Folder/Old Name.pdf")];
        assert_eq!(found(folder, "lower-case", &keeps), [pair("2", "old-name.pdf")]);
        let mended = [make("Big Folder"), go("Old Name.pdf", "Big Folder/old-name.pdf")];
        assert_eq!(found(folder, "lower-case", &mended), []);
        let many = [
            rename("Old Name.pdf", "new_name.pdf"),
            copy("new_name.pdf", "Copy.pdf"),
            go("My Project", "Code/My Project"),
            rename("Code/My Project", "Another Project"),
        ];
        assert_eq!(found(folder, "lower-case", &many), [pair("1", "new-name.pdf"), pair("2", "copy.pdf")]);
        assert_eq!(found(folder, "Title Case", &many), [pair("1", "New Name.pdf")]);
        let absolute = folder.join("2026 05 01 Scan.pdf");
        let dated = [go("Old Name.pdf", absolute.to_str().unwrap()), rename("Old Name.pdf", "scan.pdf")];
        assert_eq!(found(folder, "yyyy-mm-dd_lower_case", &dated), [pair("1", "2026-05-01_scan.pdf")]);
    }
}
