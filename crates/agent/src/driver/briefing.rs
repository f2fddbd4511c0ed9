//! The planner's input besides the conversation, stored so that every prompt can be shown as it was sent.

use crate::core::Core;
use deputy_protocol::{Briefed, EarlierTask, PlanRequest, ToolSpec};
use deputy_store::StoreError;
use deputy_tools::Group;
use std::sync::Arc;

/// The rules, tools and earlier tasks.
type Given = (String, Arc<Vec<ToolSpec>>, Arc<Vec<EarlierTask>>);

/// What was stored last, so that identical input is not stored again.
#[derive(Default)]
pub(super) struct Briefing {
    last: Option<Given>,
}

impl Briefing {
    /// Returns the event to journal before a request is sent. `None` if the journal already has the same input.
    pub(super) fn of(
        &mut self,
        core: &Core,
        request: &PlanRequest,
        groups: &[Group],
        journalled: Option<&Briefed>,
    ) -> Option<Briefed> {
        let is_same =
            |last: &Given| last.0 == request.system && last.1 == request.tools && last.2 == request.earlier;
        if self.last.as_ref().is_some_and(is_same) {
            return None;
        }
        match keep(core, request, groups) {
            Ok(briefed) => {
                self.last = Some((request.system.clone(), request.tools.clone(), request.earlier.clone()));
                (Some(&briefed) != journalled).then_some(briefed)
            }
            Err(error) => {
                // The task can continue without it.
                tracing::warn!("what the planner is given cannot be kept, so it cannot be shown: {error}");
                None
            }
        }
    }
}

fn keep(core: &Core, request: &PlanRequest, groups: &[Group]) -> Result<Briefed, StoreError> {
    // The types of the protocol always serialize to JSON.
    let json = |value: serde_json::Result<Vec<u8>>| value.unwrap_or_default();
    let earlier = match request.earlier.as_slice() {
        [] => None,
        earlier => Some(core.store.keep_blob(&json(serde_json::to_vec(earlier)))?.digest),
    };
    Ok(Briefed {
        system: core.store.keep_blob(request.system.as_bytes())?.digest,
        tools: core.store.keep_blob(&json(serde_json::to_vec(&request.tools)))?.digest,
        earlier,
        groups: Some(groups.iter().map(|group| group.name().to_owned()).collect()),
    })
}
