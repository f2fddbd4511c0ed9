//! How far the user's guidance from files is: looked for, asked about, given.

use super::{Asked, Machine, Need};
use deputy_protocol::{GuidanceFolder, Guided, Skill};

/// The answer that has a folder's guidance followed, and the one that has it ignored.
pub const FOLLOW: &str = "follow them";
/// See [`FOLLOW`].
pub const IGNORE: &str = "ignore them";

/// The tool that a skill is asked for with.
pub const SKILL_TOOL: &str = "skill";

/// How far the user's guidance is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum GuidanceStage {
    /// Nobody has looked, or there is none.
    #[default]
    Unknown,
    /// The user is to be asked, or was and has not answered.
    Asked,
    /// The user decided on these folders.
    Decided {
        /// The folders.
        folders: Vec<String>,
        /// Whether their guidance is followed.
        is_trusted: bool,
    },
    /// The planner has it.
    Given,
}

impl Machine {
    /// How far the user's guidance is.
    pub fn guidance(&self) -> &GuidanceStage {
        &self.guidance
    }

    /// Skills that the planner may ask for.
    pub fn skills(&self) -> &[Skill] {
        &self.skills
    }

    pub(super) fn on_guidance_found(&mut self, folders: &[GuidanceFolder]) {
        if self.guidance == GuidanceStage::Unknown {
            self.guidance = GuidanceStage::Asked;
            self.need = Some(Need::Trust { folders: folders.to_vec() });
        }
    }

    /// Takes in the answer about the folders.
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

/// The guidance as the planner reads it. It is the user's, and no part of the rules that Deputy itself gives.
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
