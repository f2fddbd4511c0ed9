//! That a task works in its folder without asking: said once, when it is watched or when somebody answers so.

use super::Watcher;
use crate::failure::Failure;
use crate::view::folder_yes::words;
use deputy_protocol::{Choice, Grant, GrantId, GrantsQuery, Lifetime, Query, QueryAnswer};
use std::collections::HashSet;

/// What has been said of the grants that let the task work in its folder.
#[derive(Default)]
pub(super) struct FolderYes {
    told: HashSet<GrantId>,
    /// Whether an answer may have made another one.
    pub(super) is_stale: bool,
}

impl FolderYes {
    /// Nothing has been said, and grants may be there already.
    pub(super) fn new() -> Self {
        Self { is_stale: true, ..Self::default() }
    }
}

impl Watcher<'_> {
    /// Says which answer lets the task work in its folder, once for each, and how to take it back. Returns whether anything
    /// was said.
    pub(super) async fn tell_folder_yes(&mut self) -> Result<bool, Failure> {
        if !std::mem::take(&mut self.folder_yes.is_stale) || self.how.json {
            return Ok(false);
        }
        let QueryAnswer::Grants(answer) = self.session.client.query(Query::Grants(GrantsQuery {})).await?
        else {
            return Ok(false);
        };
        let new = |grant: &&Grant| self.is_of_this(grant) && !self.folder_yes.told.contains(&grant.id);
        let mut told = HashSet::new();
        for grant in answer.grants.iter().filter(new) {
            if let Some((says, command)) = words(grant) {
                self.screen.hint(&format!("  {says}; `deputy {command}` takes it back"));
                told.insert(grant.id.clone());
            }
        }
        let has_news = !told.is_empty();
        self.folder_yes.told.extend(told);
        Ok(has_news)
    }

    /// Whether a grant is for the task, its conversation in its folder, or one of its sub-tasks.
    fn is_of_this(&self, grant: &Grant) -> bool {
        match (&grant.lifetime, &self.spec) {
            (Lifetime::Task(lifetime), _) => lifetime.task == self.task || self.parts.has(&lifetime.task),
            (Lifetime::Session(lifetime), Some(spec)) => {
                lifetime.session == spec.session && grant.workspace == spec.workspace
            }
            _ => false,
        }
    }
}

/// Whether an answer holds for more than its own call.
pub(super) fn is_remembered(choice: &Choice) -> bool {
    matches!(choice, Choice::Allow(allow) if !allow.lifetime.is_one_call())
}
