//! Edits a plan before it is approved: drops or replaces single operations. The result has to be checked again.

use deputy_messages::Phrase;
use deputy_messages::organize as say;
use deputy_protocol::{OperationId, OrganizeOperation, OrganizePlan};
use std::collections::{HashMap, HashSet};

/// The plan has no operation with this id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct NoSuchOperation(pub String);

impl NoSuchOperation {
    /// Returns the message for people.
    pub fn phrase(&self) -> Phrase {
        say::unknown_operation(&self.0)
    }
}

deputy_messages::said_by_phrase!(NoSuchOperation);

/// Returns the plan without some of its operations. Operations that depended on them fail when the plan is checked.
pub fn without(plan: &OrganizePlan, dropped: &[OperationId]) -> Result<OrganizePlan, NoSuchOperation> {
    let places = places(plan);
    if let Some(unknown) = dropped.iter().find(|id| !places.contains_key(*id)) {
        return Err(NoSuchOperation(unknown.to_string()));
    }
    let mut plan = plan.clone();
    let dropped: HashSet<&OperationId> = dropped.iter().collect();
    plan.operations.retain(|operation| !dropped.contains(&operation.id));
    Ok(plan)
}

/// Returns the plan with operations replaced by those of the same id. If several have one id, the last wins.
pub fn with(plan: &OrganizePlan, edited: &[OrganizeOperation]) -> Result<OrganizePlan, NoSuchOperation> {
    let places = places(plan);
    let mut plan = plan.clone();
    for operation in edited {
        let place = places.get(&operation.id).ok_or_else(|| NoSuchOperation(operation.id.to_string()))?;
        plan.operations[*place] = OrganizeOperation { risk: operation.action.risk(), ..operation.clone() };
    }
    Ok(plan)
}

/// Returns the index of the operation with each id. If an invalid plan has several, the first counts.
fn places(plan: &OrganizePlan) -> HashMap<OperationId, usize> {
    let mut places = HashMap::with_capacity(plan.operations.len());
    for (place, operation) in plan.operations.iter().enumerate() {
        places.entry(operation.id.clone()).or_insert(place);
    }
    places
}
