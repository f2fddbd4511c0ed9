//! What runs, what waits, and commands.

use crate::web::body::{Params, Place, Strict};
use crate::web::failure::Failure;
use crate::web::peer::By;
use crate::web::serve::Web;
use axum::Json;
use axum::extract::State;
use deputy_protocol::{
    ActiveAgent, AgentState, CommandEnvelope, CommandReply, ConsoleQuery, DeviceScope, ErrorBody, EventQuery,
    EventsQuery, GrantId, GrantsQuery, Query, QueryAnswer, RevokeGrantQuery, StateQuery, TaskId, TaskSummary,
    TasksQuery,
};
use serde::Deserialize;

/// Tasks or events that are listed at most.
const MAX_LIMIT: u32 = 500;

/// Which part of a list.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    /// Only what comes after this event.
    #[serde(default)]
    after: u64,
    /// At most so many, at most 500.
    #[serde(default = "usual_limit")]
    limit: u32,
}

fn usual_limit() -> u32 {
    100
}

async fn ask(web: &Web, by: &By, query: Query) -> Result<Json<QueryAnswer>, Failure> {
    Ok(Json(web.mirror.query(&by.0, query).await?))
}

/// What every screen shows.
#[utoipa::path(get, path = "/api/v1/state", tag = "tasks",
    responses((status = 200, description = "The state.", body = ref("#/components/schemas/QueryAnswer"))))]
pub(super) async fn state(State(web): State<Web>, by: By) -> Result<Json<QueryAnswer>, Failure> {
    ask(&web, &by, Query::State(StateQuery {})).await
}

/// What waits for a person, with the tasks it belongs to.
#[utoipa::path(get, path = "/api/v1/requests", tag = "answers",
    responses((status = 200, description = "Requests and questions.", body = ref("#/components/schemas/ActiveAgent"))))]
pub(super) async fn requests(State(web): State<Web>, by: By) -> Result<Json<ActiveAgent>, Failure> {
    by.0.may(DeviceScope::Monitor)?;
    let nothing = ActiveAgent { tasks: Vec::new(), requests: Vec::new(), questions: Vec::new() };
    Ok(Json(match web.mirror.host().snapshot().map_err(ErrorBody::from)?.state {
        AgentState::Idle(_) => nothing,
        AgentState::Active(active) => active,
    }))
}

/// The newest tasks.
#[utoipa::path(get, path = "/api/v1/tasks", tag = "tasks", params(Part),
    responses((status = 200, description = "Tasks.", body = ref("#/components/schemas/QueryAnswer"))))]
pub(super) async fn tasks(
    State(web): State<Web>,
    by: By,
    Params(part): Params<Part>,
) -> Result<Json<QueryAnswer>, Failure> {
    ask(&web, &by, Query::Tasks(TasksQuery { limit: part.limit.min(MAX_LIMIT) })).await
}

/// One task.
#[utoipa::path(get, path = "/api/v1/tasks/{task}", tag = "tasks", params(("task" = String, Path, description = "Its id.")),
    responses((status = 200, description = "The task.", body = ref("#/components/schemas/TaskSummary"))))]
pub(super) async fn task(
    State(web): State<Web>,
    by: By,
    Place(task): Place<String>,
) -> Result<Json<TaskSummary>, Failure> {
    by.0.may(DeviceScope::Monitor)?;
    Ok(Json(find(&web, &TaskId::new(task))?))
}

/// The task of an id.
pub(super) fn find(web: &Web, id: &TaskId) -> Result<TaskSummary, Failure> {
    let found = web
        .mirror
        .host()
        .store()
        .task(id)
        .map_err(|error| Failure::from(ErrorBody::from(deputy_agent::HostError::from(error))))?;
    Ok(found.ok_or_else(|| {
        ErrorBody::new("unknown_task", "There is no task of this id.", "/api/v1/tasks lists them.")
    })?)
}

/// A task's events, a page at a time.
#[utoipa::path(get, path = "/api/v1/tasks/{task}/history", tag = "tasks",
    params(("task" = String, Path, description = "Its id."), Part),
    responses((status = 200, description = "Events.", body = ref("#/components/schemas/QueryAnswer"))))]
pub(super) async fn history(
    State(web): State<Web>,
    by: By,
    Place(task): Place<String>,
    Params(part): Params<Part>,
) -> Result<Json<QueryAnswer>, Failure> {
    by.0.may(DeviceScope::Monitor)?;
    let task = find(&web, &TaskId::new(task))?.id;
    let limit = part.limit.min(MAX_LIMIT);
    ask(&web, &by, Query::Events(EventsQuery { task, after: part.after, limit, newest: false, brief: false }))
        .await
}

/// What a task's running calls have said so far, and the files that they touch.
#[utoipa::path(get, path = "/api/v1/tasks/{task}/console", tag = "tasks",
    params(("task" = String, Path, description = "Its id.")),
    responses((status = 200, description = "The console.", body = ref("#/components/schemas/QueryAnswer"))))]
pub(super) async fn console(
    State(web): State<Web>,
    by: By,
    Place(task): Place<String>,
) -> Result<Json<QueryAnswer>, Failure> {
    by.0.may(DeviceScope::Monitor)?;
    let task = find(&web, &TaskId::new(task))?.id;
    ask(&web, &by, Query::Console(ConsoleQuery { task })).await
}

/// One event in full.
#[utoipa::path(get, path = "/api/v1/events/{seq}", tag = "events",
    params(("seq" = u64, Path, description = "Its place in the stream.")),
    responses((status = 200, description = "The event.", body = ref("#/components/schemas/QueryAnswer"))))]
pub(super) async fn event(
    State(web): State<Web>,
    by: By,
    Place(seq): Place<u64>,
) -> Result<Json<QueryAnswer>, Failure> {
    ask(&web, &by, Query::Event(EventQuery { seq })).await
}

/// Do something: start, steer, pause, resume or stop a task, answer, undo, go on with a job or take one back. The same id twice is the same command.
#[utoipa::path(post, path = "/api/v1/commands", tag = "answers",
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

/// Grants that hold.
#[utoipa::path(get, path = "/api/v1/grants", tag = "answers",
    responses((status = 200, description = "Grants.", body = ref("#/components/schemas/QueryAnswer"))))]
pub(super) async fn grants(State(web): State<Web>, by: By) -> Result<Json<QueryAnswer>, Failure> {
    ask(&web, &by, Query::Grants(GrantsQuery {})).await
}

/// End a grant.
#[utoipa::path(delete, path = "/api/v1/grants/{grant}", tag = "answers",
    params(("grant" = String, Path, description = "Its id.")),
    responses((status = 200, description = "The grants that are left.", body = ref("#/components/schemas/QueryAnswer"))))]
pub(super) async fn revoke_grant(
    State(web): State<Web>,
    by: By,
    Place(grant): Place<String>,
) -> Result<Json<QueryAnswer>, Failure> {
    ask(&web, &by, Query::RevokeGrant(RevokeGrantQuery { grant: GrantId::new(grant) })).await
}
