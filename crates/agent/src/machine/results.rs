//! The effect of the end of a call: the facts about the task, the brakes, and the planner's next input.

use super::{Machine, Need, Phase, Ruled, SKILL_TOOL, Stage};
use deputy_protocol::{
    CallId, CallStatus, Confinement, Effect, FileChange, Message, MessagePicture, PicturePart, ResultPart,
    ToolMessage, ToolResult,
};
use deputy_tools::{Group, OPEN_TOOLS};

/// The content of the result of a call that read a skill.
const SKILL_FOLLOWS: &str = "The skill follows, as the user's guidance.";

impl Machine {
    pub(super) fn on_finished(&mut self, id: &CallId, result: &ToolResult) {
        let Some(progress) = self.calls.get_mut(id) else { return };
        if matches!(progress.stage, Stage::Finished(_)) {
            return;
        }
        if result.status == CallStatus::Unknown
            && let Stage::CutOff(ruled) | Stage::Started(ruled) = &progress.stage
        {
            self.need = Some(Need::OutcomeUnknown { call: ruled.summary.clone() });
        }
        if let Stage::Started(ruled) = &progress.stage
            && result.status == CallStatus::Ok
            && may_have_changed(ruled, &progress.kept, result)
        {
            self.lasting.ran(ruled.summary.as_str());
        }
        let mut pages = result.parts.iter().filter_map(|part| match part {
            ResultPart::Web(web) => web.page.clone(),
            _ => None,
        });
        self.last_page = pages.next_back().or(self.last_page.take());
        // What the call saved before its changes is in the journal only, and is not passed to a running machine.
        result.changes.iter().for_each(|change| self.lasting.changed(&change.path));
        // The call was never decided: the tool does not exist, the arguments do not fit, or the folder is gone.
        let is_unusable = matches!(progress.stage, Stage::Planned) && result.status == CallStatus::Failed;
        let is_no = matches!(progress.stage, Stage::Refused { counts: true, .. });
        let has_begun = matches!(progress.stage, Stage::Started(_) | Stage::CutOff(_));
        let is_left_out = result.status == CallStatus::Cancelled && !has_begun;
        let is_news = is_no || !is_left_out && !matches!(progress.stage, Stage::Refused { .. });
        if progress.call.tool == OPEN_TOOLS && result.status == CallStatus::Ok {
            self.opened.extend(progress.call.parameters["group"].as_str().and_then(Group::named));
        }
        progress.stage = Stage::Finished(result.clone());
        if is_no {
            self.brakes.refused(self.spec.limits.brake_after);
        }
        if is_news {
            self.was_denied = result.status == CallStatus::Denied;
            self.brakes.note(&progress.call, result, is_unusable, self.spec.limits.brake_after);
        }
        if self.calls.are_finished() {
            self.close_calls();
        }
    }

    /// Ends the step after all calls of the plan have ended. The planner gets the results in the order of the plan.
    fn close_calls(&mut self) {
        let all_ok = self.calls.are_ok();
        let iteration = self.status.iteration();
        let mut guidance = Vec::new();
        for progress in std::mem::take(&mut self.calls).iter() {
            if let Stage::Finished(result) = &progress.stage {
                // The output of tools is data. A skill is the user's guidance, and follows the results as such.
                let is_skill = progress.call.tool == SKILL_TOOL && result.status == CallStatus::Ok;
                if is_skill {
                    guidance.push(result.content.clone());
                }
                let content = if is_skill { SKILL_FOLLOWS.to_owned() } else { result.content.clone() };
                self.transcript.push(
                    iteration,
                    Message::Tool(ToolMessage {
                        call: progress.call.id.clone(),
                        tool: progress.call.written_name().to_owned(),
                        content,
                        ok: result.status == CallStatus::Ok,
                        pictures: result.parts.iter().filter_map(picture).collect(),
                    }),
                );
            }
        }
        guidance.iter().for_each(|text| self.transcript.push_user(iteration, text));
        // A plan that was marked complete before a call failed has to be reconsidered.
        match &mut self.phase {
            Phase::Calling { completing } if all_ok => {
                let completing = completing.take();
                self.complete(completing);
            }
            _ => self.go_on_with(Phase::Ready),
        }
    }
}

/// Returns whether a call changed something, as far as is known. A command that could write only to the folder changed
/// nothing if nothing in it is different.
fn may_have_changed(ruled: &Ruled, kept: &[FileChange], result: &ToolResult) -> bool {
    if !kept.is_empty() || !result.changes.is_empty() || !result.repositories.is_empty() {
        return true;
    }
    let is_command = result.output.is_some();
    let is_confined = matches!(ruled.confinement, Confinement::ReadOnly | Confinement::Workspace);
    ruled.effect == Effect::Mutating && !(is_command && is_confined)
}

/// Converts a picture for the planner. Its bytes are added when a plan is requested.
fn picture(part: &ResultPart) -> Option<MessagePicture> {
    let ResultPart::Picture(picture) = part else { return None };
    let PicturePart { digest, media_type, alt, .. } = picture.clone();
    Some(MessagePicture { media_type, alt: alt.into(), base64: None, digest })
}
