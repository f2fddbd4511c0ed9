//! Memories: what tasks said, as later tasks may be given it.

use crate::web::body::{Body, Params, Place};
use crate::web::failure::Failure;
use crate::web::peer::By;
use crate::web::serve::Web;
use axum::Json;
use axum::extract::State;
use deputy_protocol::{
    Command, CommandEnvelope, CommandOutcome, EditMemoryCommand, ForgetMemoryCommand, MemoriesQuery,
    PromoteMemoryCommand, Query, QueryAnswer, RestoreMemoryCommand, TaskId,
};
use serde::Deserialize;

/// Which memories.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    /// Only those with all of these words; the last may be the beginning of one.
    search: Option<String>,
    /// Only those of this task.
    task: Option<String>,
    /// Only those of tasks in this folder.
    workspace: Option<String>,
    /// Only what was said before this event: `next` of the page before.
    before: Option<u64>,
    /// At most so many, at most 100.
    #[serde(default = "usual_limit")]
    limit: u32,
}

fn usual_limit() -> u32 {
    50
}

/// Memories, newest first, a page at a time.
#[utoipa::path(get, path = "/api/v1/memories", tag = "memories", params(Which),
    responses((status = 200, description = "Memories.", body = ref("#/components/schemas/QueryAnswer"))))]
pub(super) async fn list(
    State(web): State<Web>,
    by: By,
    Params(which): Params<Which>,
) -> Result<Json<QueryAnswer>, Failure> {
    let Which { search, task, workspace, before, limit } = which;
    let query = MemoriesQuery { search, task: task.map(TaskId::new), workspace, before, limit };
    Ok(Json(web.mirror.query(&by.0, Query::Memories(query)).await?))
}

/// Other words.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    /// The words.
    text: String,
}

/// Put other words in a memory's place.
#[utoipa::path(patch, path = "/api/v1/memories/{memory}", tag = "memories",
    params(("memory" = u64, Path, description = "Which.")), request_body = Words,
    responses((status = 200, description = "What came of it.", body = ref("#/components/schemas/CommandOutcome"))))]
pub(super) async fn edit(
    State(web): State<Web>,
    by: By,
    Place(memory): Place<u64>,
    Body(words): Body<Words>,
) -> Result<Json<CommandOutcome>, Failure> {
    tell(&web, &by, Command::EditMemory(EditMemoryCommand { memory, text: words.text })).await
}

/// Forget a memory, and whatever says the very same.
#[utoipa::path(delete, path = "/api/v1/memories/{memory}", tag = "memories",
    params(("memory" = u64, Path, description = "Which.")),
    responses((status = 200, description = "How many were forgotten.", body = ref("#/components/schemas/CommandOutcome"))))]
pub(super) async fn forget(
    State(web): State<Web>,
    by: By,
    Place(memory): Place<u64>,
) -> Result<Json<CommandOutcome>, Failure> {
    tell(&web, &by, Command::ForgetMemory(ForgetMemoryCommand { memory })).await
}

/// Let a memory leave the folder that it comes from.
#[utoipa::path(post, path = "/api/v1/memories/{memory}/promote", tag = "memories",
    params(("memory" = u64, Path, description = "Which.")),
    responses((status = 200, description = "How many were promoted.", body = ref("#/components/schemas/CommandOutcome"))))]
pub(super) async fn promote(
    State(web): State<Web>,
    by: By,
    Place(memory): Place<u64>,
) -> Result<Json<CommandOutcome>, Failure> {
    tell(&web, &by, Command::PromoteMemory(PromoteMemoryCommand { memory })).await
}

/// Bring back a memory that was forgotten, and whatever was forgotten with it.
#[utoipa::path(post, path = "/api/v1/memories/{memory}/restore", tag = "memories",
    params(("memory" = u64, Path, description = "Which.")),
    responses((status = 200, description = "How many came back.", body = ref("#/components/schemas/CommandOutcome"))))]
pub(super) async fn restore(
    State(web): State<Web>,
    by: By,
    Place(memory): Place<u64>,
) -> Result<Json<CommandOutcome>, Failure> {
    tell(&web, &by, Command::RestoreMemory(RestoreMemoryCommand { memory })).await
}

/// Each of these may be sent again and comes to the same, so the command needs no id of the caller's.
async fn tell(web: &Web, by: &By, command: Command) -> Result<Json<CommandOutcome>, Failure> {
    let envelope = CommandEnvelope { id: deputy_agent::new_command_id(), command };
    Ok(Json(web.mirror.command(&by.0, envelope).await?))
}
