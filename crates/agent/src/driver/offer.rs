//! The functions offered to the planner: those of a few groups from the start, and those of the groups that it opened.
//!
//! What comes first is decided before the first step and journaled, and opened groups are appended, so that each request
//! begins like the one before it.

use crate::backends::{CONSTRAINED, WITHOUT_MODEL};
use crate::core::Core;
use crate::git;
use crate::machine::Machine;
use crate::profile::Profile;
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_protocol::ToolSpec;
use deputy_tools::{Group, OpensGroups};
use std::path::Path;
use std::sync::Arc;

/// The number of functions up to which a profile gets all of them from the start. More would confuse small models and
/// cost more than opening groups.
const FEW_FUNCTIONS: usize = 24;
/// The characters in one token.
const CHARS_PER_TOKEN: usize = 4;

/// What is offered to a task's planner.
#[derive(Default)]
pub(super) struct Offer {
    /// The groups that the planner has from the start, once they were decided.
    first: Vec<Group>,
    last: Option<Offered>,
}

/// The last offer, and what it depends on.
struct Offered {
    profile: Arc<Profile>,
    has_skills: bool,
    opened: usize,
    is_constrained: bool,
    specs: Arc<Vec<ToolSpec>>,
}

impl Offer {
    /// Returns the groups that the planner has from the start.
    pub(super) fn first(&self) -> &[Group] {
        &self.first
    }

    /// Returns the functions for the next request to a backend.
    pub(super) fn tools(
        &mut self,
        core: &Core,
        machine: &Machine,
        profile: &Arc<Profile>,
        backend: &str,
    ) -> Arc<Vec<ToolSpec>> {
        if backend == WITHOUT_MODEL {
            return core.registry.bare_specs(&profile.tools).into();
        }
        let (has_skills, opened) = (!machine.skills().is_empty(), machine.opened_groups());
        let is_constrained = backend == CONSTRAINED;
        if let Some(last) = &self.last
            && Arc::ptr_eq(&last.profile, profile)
            && (last.has_skills, last.opened, last.is_constrained)
                == (has_skills, opened.len(), is_constrained)
        {
            return last.specs.clone();
        }
        if self.first.is_empty() {
            self.first = journaled(machine).unwrap_or_else(|| decide(core, machine, profile));
        }
        let mut first = self.first.clone();
        if is_constrained && let Some(all) = all_that_fit(core, machine, profile) {
            first = all;
        }
        first.extend(has_skills.then_some(Group::Skills));
        let limits = &machine.spec().limits;
        let specs: Arc<Vec<ToolSpec>> = core.registry.specs(&profile.tools, &first, opened, limits).into();
        let last = Offered {
            profile: profile.clone(),
            has_skills,
            opened: opened.len(),
            is_constrained,
            specs: specs.clone(),
        };
        self.last = Some(last);
        specs
    }
}

/// Returns the groups that were decided when the task began.
fn journaled(machine: &Machine) -> Option<Vec<Group>> {
    let groups = machine.briefed()?.groups.as_ref()?;
    Some(groups.iter().filter_map(|name| Group::named(name)).collect())
}

/// Decides which groups a task has from the start.
fn decide(core: &Core, machine: &Machine, profile: &Profile) -> Vec<Group> {
    let mut all = core.registry.groups(&profile.tools);
    all.retain(|group| *group != Group::Skills);
    if core.registry.count(&profile.tools) <= FEW_FUNCTIONS {
        return all;
    }
    let spec = machine.spec();
    let usual = if spec.parent.is_some() {
        Group::OF_SUBTASK
    } else if git::repository_of(Path::new(&spec.workspace)).is_some() {
        Group::OF_REPOSITORY
    } else {
        Group::OF_FOLDER
    };
    all.retain(|group| usual.contains(group));
    all
}

/// Returns all groups, if their functions take at most half of the window: a grammar lets a model call only what is
/// offered to it, so that it could not call a function of a group that it has not opened.
fn all_that_fit(core: &Core, machine: &Machine, profile: &Profile) -> Option<Vec<Group>> {
    let limits = &machine.spec().limits;
    let mut all = core.registry.groups(&profile.tools);
    all.retain(|group| *group != Group::Skills);
    let specs = core.registry.specs(&profile.tools, &all, &[], limits);
    let chars = serde_json::to_string(&specs).map_or(usize::MAX, |json| json.len());
    (chars / CHARS_PER_TOKEN <= limits.context_tokens as usize / 2).then_some(all)
}

/// The groups that a task's planner can open, for the tool.
pub(super) struct TaskGroups(Vec<(Group, String)>);

impl TaskGroups {
    pub(super) fn of(core: &Core, machine: &Machine) -> Self {
        let Ok(profile) = core.profiles.current(&machine.spec().profile) else { return Self(Vec::new()) };
        let groups = core.registry.groups(&profile.tools).into_iter();
        let text = |group| Some((group, core.registry.text_of(group, &profile.tools)?));
        Self(groups.filter_map(text).collect())
    }
}

impl OpensGroups for TaskGroups {
    fn open(&self, group: &str) -> Result<String, Phrase> {
        let found = self.0.iter().find(|(known, _)| known.name() == group);
        found.map(|(_, text)| text.clone()).ok_or_else(|| {
            let known: Vec<&str> = self.0.iter().map(|(group, _)| group.name()).collect();
            say::unknown_group(group, known.join(", "))
        })
    }
}
