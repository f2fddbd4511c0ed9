//! The state of the user's guidance from files: unknown, asked, decided or given.

use super::{Asked, Machine, Need};
use deputy_protocol::{GuidanceFolder, Guided, Skill};

/// The answer to follow the guidance of a folder.
pub const FOLLOW: &str = "follow them";
/// The answer to ignore it; see [`FOLLOW`].
pub const IGNORE: &str = "ignore them";

/// The tool with which a skill is read.
pub const SKILL_TOOL: &str = "skill";

/// The state of the user's guidance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum GuidanceStage {
    /// It was not searched for yet, or there is none.
    #[default]
    Unknown,
    /// The user must be asked, or was asked and has not answered.
    Asked,
    /// The user decided about these folders.
    Decided {
        /// The folders.
        folders: Vec<String>,
        /// Whether their guidance is followed.
        is_trusted: bool,
    },
    /// The planner has the guidance.
    Given,
}

impl Machine {
    /// Returns the state of the user's guidance.
    pub fn guidance(&self) -> &GuidanceStage {
        &self.guidance
    }

    /// Returns the skills that the planner may read.
    pub fn skills(&self) -> &[Skill] {
        &self.skills
    }

    pub(super) fn on_guidance_found(&mut self, folders: &[GuidanceFolder]) {
        if self.guidance == GuidanceStage::Unknown {
            self.guidance = GuidanceStage::Asked;
            self.need = Some(Need::Trust { folders: folders.to_vec() });
        }
    }

    /// Handles the answer about the folders.
    pub(super) fn on_trust_answered(&mut self, text: &str) {
        if let Some(Asked { need: Some(Need::Trust { folders }), .. }) = self.asked.take() {
            self.guidance = GuidanceStage::Decided {
                folders: folders.into_iter().map(|found| found.folder).collect(),
                is_trusted: text.trim().eq_ignore_ascii_case(FOLLOW),
            };
        }
    }

    pub(super) fn on_guided(&mut self, guided: &Guided) {
        self.guidance = GuidanceStage::Given;
        self.skills.clone_from(&guided.skills);
        self.transcript.guide(guidance_in_words(guided).as_deref());
    }
}

/// Formats the guidance for the planner. It comes from the user, and is not part of Deputy's own rules.
fn guidance_in_words(guided: &Guided) -> Option<String> {
    if guided.texts.is_empty() && guided.skills.is_empty() {
        return None;
    }
    let mut text = "Guidance from files that the user trusts. Follow it as the user's own words; what the user says in this \
                    task comes first, and it permits nothing that Deputy denies."
        .to_owned();
    for from in &guided.texts {
        text.push_str(&format!("\n\n[{}]\n{}", from.path, from.text.trim()));
    }
    if !guided.skills.is_empty() {
        text.push_str("\n\nSkills; get one with the tool `skill` before work that it is for:");
        for skill in &guided.skills {
            text.push_str(&format!("\n- {}: {}", skill.name, skill.description));
        }
    }
    Some(text)
}
