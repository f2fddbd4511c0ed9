//! Devices, and the desktop's side of pairing; for the desktop itself only.

use crate::web::body::{Body, Place};
use crate::web::failure::Failure;
use crate::web::peer::By;
use crate::web::serve::Web;
use axum::Json;
use axum::extract::State;
use deputy_protocol::{
    ConfirmPairingQuery, DeviceId, DevicesQuery, PairingQuery, Query, QueryAnswer, RenameDeviceQuery,
    RevokeDeviceQuery, StartPairingQuery,
};
use serde::Deserialize;

async fn ask(web: &Web, by: &By, query: Query) -> Result<Json<QueryAnswer>, Failure> {
    Ok(Json(web.mirror.query(&by.0, query).await?))
}

/// All devices.
#[utoipa::path(get, path = "/api/v1/devices", tag = "devices",
    responses((status = 200, description = "Devices.", body = ref("#/components/schemas/QueryAnswer"))))]
pub(super) async fn list(State(web): State<Web>, by: By) -> Result<Json<QueryAnswer>, Failure> {
    ask(&web, &by, Query::Devices(DevicesQuery {})).await
}

/// Another name.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Name {
    /// The name.
    name: String,
}

/// Give a device another name.
#[utoipa::path(patch, path = "/api/v1/devices/{device}", tag = "devices",
    params(("device" = String, Path, description = "Its id.")), request_body = Name,
    responses((status = 200, description = "Devices.", body = ref("#/components/schemas/QueryAnswer"))))]
pub(super) async fn rename(
    State(web): State<Web>,
    by: By,
    Place(device): Place<String>,
    Body(name): Body<Name>,
) -> Result<Json<QueryAnswer>, Failure> {
    let rename = RenameDeviceQuery { device: DeviceId::new(device), name: name.name };
    ask(&web, &by, Query::RenameDevice(rename)).await
}

/// End a device; its connections are cut at once.
#[utoipa::path(delete, path = "/api/v1/devices/{device}", tag = "devices",
    params(("device" = String, Path, description = "Its id.")),
    responses((status = 200, description = "Devices.", body = ref("#/components/schemas/QueryAnswer"))))]
pub(super) async fn revoke(
    State(web): State<Web>,
    by: By,
    Place(device): Place<String>,
) -> Result<Json<QueryAnswer>, Failure> {
    ask(&web, &by, Query::RevokeDevice(RevokeDeviceQuery { device: DeviceId::new(device) })).await
}

/// Begin to pair a device.
#[utoipa::path(post, path = "/api/v1/devices/pairing", tag = "devices",
    request_body = ref("#/components/schemas/StartPairingQuery"),
    responses((status = 200, description = "What the device scans.", body = ref("#/components/schemas/QueryAnswer"))))]
pub(super) async fn start_pairing(
    State(web): State<Web>,
    by: By,
    Body(start): Body<StartPairingQuery>,
) -> Result<Json<QueryAnswer>, Failure> {
    ask(&web, &by, Query::StartPairing(start)).await
}

/// Where the pairing stands.
#[utoipa::path(get, path = "/api/v1/devices/pairing", tag = "devices",
    responses((status = 200, description = "The pairing.", body = ref("#/components/schemas/QueryAnswer"))))]
pub(super) async fn pairing(State(web): State<Web>, by: By) -> Result<Json<QueryAnswer>, Failure> {
    ask(&web, &by, Query::Pairing(PairingQuery {})).await
}

/// The person's word on the number that both sides show.
#[utoipa::path(post, path = "/api/v1/devices/pairing/confirm", tag = "devices",
    request_body = ref("#/components/schemas/ConfirmPairingQuery"),
    responses((status = 200, description = "The pairing.", body = ref("#/components/schemas/QueryAnswer"))))]
pub(super) async fn confirm_pairing(
    State(web): State<Web>,
    by: By,
    Body(confirm): Body<ConfirmPairingQuery>,
) -> Result<Json<QueryAnswer>, Failure> {
    ask(&web, &by, Query::ConfirmPairing(confirm)).await
}
