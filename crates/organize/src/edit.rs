//! Changes to a plan before it is approved: single operations dropped or replaced. The result is checked again.

use deputy_protocol::{OperationId, OrganizeOperation, OrganizePlan};

/// The plan has no such operation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the plan has no operation {0}; its preview lists them")]
pub struct NoSuchOperation(pub String);

/// The plan without some of its operations. What relied on them shows when the plan is checked.
pub fn without(plan: &OrganizePlan, dropped: &[OperationId]) -> Result<OrganizePlan, NoSuchOperation> {
    for id in dropped {
        position(plan, id)?;
    }
    let mut plan = plan.clone();
    plan.operations.retain(|operation| !dropped.contains(&operation.id));
    Ok(plan)
}

/// The plan with an operation in the place of the one that has its id.
pub fn with(plan: &OrganizePlan, edited: OrganizeOperation) -> Result<OrganizePlan, NoSuchOperation> {
    let position = position(plan, &edited.id)?;
    let mut plan = plan.clone();
    let risk = edited.action.risk();
    plan.operations[position] = OrganizeOperation { risk, ..edited };
    Ok(plan)
}

fn position(plan: &OrganizePlan, id: &OperationId) -> Result<usize, NoSuchOperation> {
    let found = plan.operations.iter().position(|operation| &operation.id == id);
    found.ok_or_else(|| NoSuchOperation(id.to_string()))
}
