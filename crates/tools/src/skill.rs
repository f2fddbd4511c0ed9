//! `skill`: the text of a skill that the task was offered. The planner receives it as guidance from the user.

use crate::parameters::one_action;
use crate::text::{failed, one_line};
use crate::tool::{CallContext, InvalidCall, Place, TypedTool};
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_protocol::{Access, CallStatus, Effect, Facts, OwnAccess, Risk, ToolResult};
use schemars::JsonSchema;
use serde::Deserialize;

/// The skills that a task may ask for. Errors are sentences for the model.
pub trait Skills: Send + Sync {
    /// Returns the text of a skill.
    fn text(&self, name: &str) -> Result<String, Phrase>;
}

/// A [`Skills`] without any skills.
pub struct NoSkills;

impl Skills for NoSkills {
    fn text(&self, name: &str) -> Result<String, Phrase> {
        Err(say::no_skill_here(name))
    }
}

/// The tool that returns skills.
pub(crate) struct SkillTool;

/// Parameters of `skill`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SkillCall {
    /// Name of the skill.
    name: String,
}

one_action!(SkillCall);

impl TypedTool for SkillTool {
    const NAME: &'static str = "skill";
    type Parameters = SkillCall;

    fn facts(&self, call: &SkillCall, _: &Place) -> Result<Facts, InvalidCall> {
        let name = one_line(&call.name, 60);
        Ok(Facts {
            effect: Effect::ReadOnly,
            accesses: vec![Access::Own(OwnAccess { what: format!("skill {name}") })],
            summary: say::get_skill(name),
            diff: None,
            plan: None,
            risk: Risk::Low,
        })
    }

    async fn run(&self, call: SkillCall, cx: &CallContext) -> ToolResult {
        match cx.skills.text(&call.name) {
            Ok(text) => ToolResult {
                summary: say::skill(one_line(&call.name, 60)),
                ..ToolResult::new(CallStatus::Ok, text)
            },
            Err(error) => failed(error),
        }
    }
}
