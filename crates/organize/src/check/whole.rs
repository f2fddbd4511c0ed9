//! Projects stay whole: nothing is taken out of one, and nothing in one is thrown away.

use super::Check;
use crate::model::Id;
use crate::problem::Wrong;
use crate::projects::is_marker;
use std::path::Path;

impl Check<'_> {
    /// Whether the projects above a thing stay whole when it goes to `to`; absent where it stays where it is.
    pub(super) fn leaves_projects_whole(
        &mut self,
        path: &Path,
        node: Id,
        to: Option<&Path>,
    ) -> Result<(), Wrong> {
        let mut above = self.model.parent(node);
        while let Some(folder) = above {
            let folder_path = self.model.path(folder);
            if self.scope.holds_itself(&folder_path) {
                break;
            }
            let leaves = to.is_some_and(|to| !to.starts_with(&folder_path));
            if leaves && self.is_project(folder)? {
                return Err(Wrong::TakesProjectApart { path: path.to_owned(), project: folder_path });
            }
            above = self.model.parent(folder);
        }
        Ok(())
    }

    fn is_project(&mut self, folder: Id) -> Result<bool, Wrong> {
        if let Some(known) = self.projects.get(&folder) {
            return Ok(*known);
        }
        // What the plan itself makes is not a project, whatever it puts there.
        let is_project = match self.model.origin(folder) {
            None => false,
            Some(_) => self.model.names(folder)?.iter().any(|name| is_marker(name)),
        };
        self.projects.insert(folder, is_project);
        Ok(is_project)
    }
}
