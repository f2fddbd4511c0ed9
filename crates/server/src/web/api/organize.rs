//! Organising: folders, scans, drafts of plans, and jobs. What carries a plan out, goes on with a job or takes one back is a
//! command, as everything that changes files.

use crate::web::body::{Body, Params, Place};
use crate::web::failure::Failure;
use crate::web::peer::By;
use crate::web::serve::Web;
use axum::Json;
use axum::extract::State;
use deputy_protocol::{
    CallId, DraftQuery, FoldersQuery, JobsQuery, Query, QueryAnswer, ScanQuery, StartScanQuery, StopScanQuery,
};
use serde::Deserialize;

async fn ask(web: &Web, by: &By, query: Query) -> Result<Json<QueryAnswer>, Failure> {
    Ok(Json(web.mirror.query(&by.0, query).await?))
}

/// A path that is being typed.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Typed {
    /// As typed: absolute, or below the home with `~`.
    path: String,
}

/// Folders that a path could go on with.
#[utoipa::path(get, path = "/api/v1/folders", tag = "organise", params(Typed),
    responses((status = 200, description = "Folders.", body = ref("#/components/schemas/QueryAnswer"))))]
pub(super) async fn folders(
    State(web): State<Web>,
    by: By,
    Params(typed): Params<Typed>,
) -> Result<Json<QueryAnswer>, Failure> {
    ask(&web, &by, Query::Folders(FoldersQuery { path: typed.path })).await
}

/// Begin to look through folders and to draft a plan for them. It answers at once; ask where the scan stands.
#[utoipa::path(post, path = "/api/v1/scans", tag = "organise",
    request_body = ref("#/components/schemas/StartScanQuery"),
    responses((status = 200, description = "The scan.", body = ref("#/components/schemas/QueryAnswer"))))]
pub(super) async fn start_scan(
    State(web): State<Web>,
    by: By,
    Body(start): Body<StartScanQuery>,
) -> Result<Json<QueryAnswer>, Failure> {
    ask(&web, &by, Query::StartScan(start)).await
}

/// Where a scan stands; once it is done, the draft and the conventions that names could follow.
#[utoipa::path(get, path = "/api/v1/scans/{scan}", tag = "organise",
    params(("scan" = String, Path, description = "Its id.")),
    responses((status = 200, description = "The scan.", body = ref("#/components/schemas/QueryAnswer"))))]
pub(super) async fn scan(
    State(web): State<Web>,
    by: By,
    Place(scan): Place<String>,
) -> Result<Json<QueryAnswer>, Failure> {
    ask(&web, &by, Query::Scan(ScanQuery { scan })).await
}

/// End a scan.
#[utoipa::path(delete, path = "/api/v1/scans/{scan}", tag = "organise",
    params(("scan" = String, Path, description = "Its id.")),
    responses((status = 200, description = "The scan as it stood.", body = ref("#/components/schemas/QueryAnswer"))))]
pub(super) async fn stop_scan(
    State(web): State<Web>,
    by: By,
    Place(scan): Place<String>,
) -> Result<Json<QueryAnswer>, Failure> {
    ask(&web, &by, Query::StopScan(StopScanQuery { scan })).await
}

/// Try a draft, with operations dropped or edited, on a model of the tree: what is wrong with it, and the trees before and
/// after. With `keep` the changed plan becomes a draft of its own. The command `start` has a draft carried out.
#[utoipa::path(post, path = "/api/v1/drafts/try", tag = "organise",
    request_body = ref("#/components/schemas/DraftQuery"),
    responses((status = 200, description = "The draft, tried.", body = ref("#/components/schemas/QueryAnswer"))))]
pub(super) async fn draft(
    State(web): State<Web>,
    by: By,
    Body(draft): Body<DraftQuery>,
) -> Result<Json<QueryAnswer>, Failure> {
    ask(&web, &by, Query::Draft(draft)).await
}

/// Which jobs.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    /// Only the one that this call of a task started.
    #[serde(default)]
    call: Option<String>,
}

/// Jobs, newest first. The commands `resume_job` and `undo_job` go on with one or take it back.
#[utoipa::path(get, path = "/api/v1/jobs", tag = "organise", params(Which),
    responses((status = 200, description = "Jobs.", body = ref("#/components/schemas/QueryAnswer"))))]
pub(super) async fn jobs(
    State(web): State<Web>,
    by: By,
    Params(which): Params<Which>,
) -> Result<Json<QueryAnswer>, Failure> {
    ask(&web, &by, Query::Jobs(JobsQuery { call: which.call.map(CallId::new) })).await
}
