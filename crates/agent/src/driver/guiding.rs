//! The user's guidance in a task: loaded before the first plan, confirmed by the user if necessary, and passed to the
//! planner once.

use super::journal::TaskJournal;
use crate::backends::WITHOUT_MODEL;
use crate::core::Core;
use crate::guidance::{self, Decisions, Found};
use crate::machine::GuidanceStage;
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_protocol::{GuidanceFound, Guided, Skill, TaskEvent};
use deputy_tools::Skills;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Provides the guidance for one task.
#[derive(Default)]
pub(super) struct Guiding {
    is_looked_for: bool,
}

impl Guiding {
    /// Makes sure that the planner has the guidance that the user trusts. Returns `false` if the user must be asked
    /// first.
    pub(super) async fn prepare(&mut self, core: &Arc<Core>, journal: &mut TaskJournal) -> bool {
        let machine = journal.machine();
        let spec = machine.spec();
        let is_narrow = !spec.scope.only_files.is_empty() || !spec.scope.only_tags.is_empty();
        // Without a model nothing reads the guidance, and a task that is limited to certain files reads no others.
        if self.is_looked_for || machine.route().0 == WITHOUT_MODEL || is_narrow {
            return true;
        }
        let decided = match machine.guidance() {
            GuidanceStage::Asked => return true,
            GuidanceStage::Given => {
                self.is_looked_for = true;
                return true;
            }
            GuidanceStage::Decided { folders, is_trusted } => Some((folders.clone(), *is_trusted)),
            GuidanceStage::Unknown => None,
        };
        let (home, user, workspace) =
            (core.home.clone(), core.user_home.clone(), PathBuf::from(&spec.workspace));
        let may_ask = decided.is_none();
        let look = move || look(&home, &user, &workspace, decided);
        let looked = tokio::task::spawn_blocking(look).await.unwrap_or_default();
        if may_ask && !looked.undecided.is_empty() {
            let folders = looked.undecided.iter().map(Found::in_short).collect();
            journal.emit(TaskEvent::GuidanceFound(GuidanceFound { folders }));
            return false;
        }
        self.is_looked_for = true;
        let (mut texts, mut skills) = (Vec::new(), Vec::<Skill>::new());
        for found in looked.trusted {
            let (text, more) = found.read();
            texts.extend(text);
            // If several skills have the same name, the nearest wins.
            skills.retain(|known| more.iter().all(|one| one.name != known.name));
            skills.extend(more);
        }
        if !texts.is_empty() || !skills.is_empty() {
            journal.emit(TaskEvent::Guided(Guided { texts, skills }));
        }
        true
    }
}

/// The guidance that was found, by the user's decision.
#[derive(Default)]
struct Looked {
    /// Trusted guidance, the most general first.
    trusted: Vec<Found>,
    undecided: Vec<Found>,
}

/// Searches the folders for guidance, after storing the user's latest decision about them.
fn look(home: &Path, user: &Path, workspace: &Path, decided: Option<(Vec<String>, bool)>) -> Looked {
    let own = guidance::of_user(home);
    let decisions = Decisions::load(home);
    let decisions = match (decisions, decided) {
        (Ok(decisions), Some((folders, is_trusted))) => {
            decisions.keep(home, &folders, is_trusted).and_then(|()| Decisions::load(home))
        }
        (decisions, _) => decisions,
    };
    let decisions = match decisions {
        Ok(decisions) => decisions,
        Err(error) => {
            // What cannot be read or stored is not trusted, and asking again would not help.
            tracing::warn!("{error}; the task goes without guidance from its folders");
            return Looked { trusted: own.into_iter().collect(), undecided: Vec::new() };
        }
    };
    let mut looked = Looked { trusted: own.into_iter().collect(), undecided: Vec::new() };
    for found in guidance::around(workspace, user) {
        match decisions.of(&found.folder) {
            Some(true) => looked.trusted.push(found),
            Some(false) => {}
            None => looked.undecided.push(found),
        }
    }
    looked
}

/// The skills that a task was offered, for the tool.
pub(super) struct TaskSkills(pub(super) Vec<Skill>);

impl Skills for TaskSkills {
    fn text(&self, name: &str) -> Result<String, Phrase> {
        let Some(skill) = self.0.iter().find(|skill| skill.name == name) else {
            let names: Vec<&str> = self.0.iter().map(|skill| skill.name.as_str()).collect();
            return Err(say::no_skill(names.join(", "), name));
        };
        guidance::skill_text(skill).map_err(|error| say::cannot_be_read(error, &skill.path))
    }
}
