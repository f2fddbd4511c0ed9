//! Keeps projects whole: nothing is moved out of a project, and nothing inside one is trashed.

use super::Check;
use crate::model::Id;
use crate::problem::Wrong;
use crate::projects::is_marker;
use std::path::Path;

impl Check<'_> {
    /// Checks that the projects above an entry stay whole when it moves to `to`. `to` is `None` if the entry stays in
    /// place.
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
        // A folder that the plan creates is not a project, whatever it contains.
        let is_project = match self.model.origin(folder) {
            None => false,
            Some(_) => self.model.names(folder)?.iter().any(|name| is_marker(name)),
        };
        self.projects.insert(folder, is_project);
        Ok(is_project)
    }
}
