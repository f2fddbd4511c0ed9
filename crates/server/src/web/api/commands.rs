//! Any command in one request, and the list of what waits for a person.

use crate::web::body::Strict;
use crate::web::failure::Failure;
use crate::web::peer::By;
use crate::web::serve::Web;
use axum::Json;
use axum::extract::State;
use deputy_protocol::{
    ActiveAgent, AgentState, CommandEnvelope, CommandReply, Query, QueryAnswer, StateQuery,
};

/// Execute any command, in the format of the socket. A repeated id is the same command.
#[utoipa::path(post, path = "/api/v1/commands", tag = "commands",
    request_body = ref("#/components/schemas/CommandEnvelope"),
    responses((status = 200, description = "What came of it.", body = ref("#/components/schemas/CommandReply"))))]
pub(super) async fn command(
    State(web): State<Web>,
    by: By,
    Strict(envelope): Strict<CommandEnvelope>,
) -> Result<Json<CommandReply>, Failure> {
    let id = envelope.id.clone();
    let outcome = web.mirror.command(&by.0, envelope).await?;
    Ok(Json(CommandReply { id, outcome }))
}

/// List what waits for a person, with the tasks that it belongs to: a part of the state.
#[utoipa::path(get, path = "/api/v1/requests", tag = "state",
    responses((status = 200, description = "Requests and questions.", body = ref("#/components/schemas/ActiveAgent"))))]
pub(super) async fn requests(State(web): State<Web>, by: By) -> Result<Json<ActiveAgent>, Failure> {
    let nothing = ActiveAgent { tasks: Vec::new(), requests: Vec::new(), questions: Vec::new() };
    let QueryAnswer::State(answer) = web.mirror.query(&by.0, Query::State(StateQuery {})).await? else {
        return Ok(Json(nothing));
    };
    Ok(Json(match answer.snapshot.state {
        AgentState::Active(active) => active,
        AgentState::Idle(_) => nothing,
    }))
}
