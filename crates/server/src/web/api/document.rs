//! The OpenAPI document, and a small page to try the API with.

use axum::Json;
use axum::http::header;
use axum::response::IntoResponse;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;
use utoipa::OpenApi;

/// The paths; the shapes come from the protocol's own JSON Schema.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Deputy",
        description = "One live state on every screen. Commands and queries are those of the socket; docs/protocol.md tells the rest."
    ),
    paths(
        super::access::health,
        super::access::open_session,
        super::access::challenge,
        super::access::claim_pairing,
        super::access::finish_pairing,
        super::look::state,
        super::look::requests,
        super::look::tasks,
        super::look::task,
        super::look::history,
        super::look::console,
        super::look::event,
        super::look::command,
        super::look::grants,
        super::look::revoke_grant,
        super::organize::folders,
        super::organize::start_scan,
        super::organize::scan,
        super::organize::stop_scan,
        super::organize::draft,
        super::organize::jobs,
        super::stream::of_all,
        super::stream::of_task,
        super::memories::list,
        super::memories::edit,
        super::memories::forget,
        super::memories::promote,
        super::memories::restore,
        super::devices::list,
        super::devices::rename,
        super::devices::revoke,
        super::devices::start_pairing,
        super::devices::pairing,
        super::devices::confirm_pairing,
    ),
    components(schemas(super::devices::Name, super::memories::Words))
)]
struct Paths;

static DOCUMENT: LazyLock<Value> = LazyLock::new(document);

/// The document of the whole API, OpenAPI 3.1.
pub(super) async fn openapi() -> Json<&'static Value> {
    Json(&DOCUMENT)
}

fn document() -> Value {
    let mut document = serde_json::to_value(Paths::openapi()).unwrap_or_default();
    // Schemas of OpenAPI 3.1 are JSON Schema; only the place that they refer to is another.
    let schemas = deputy_protocol::JSON_SCHEMA.replace("#/$defs/", "#/components/schemas/");
    let mut schemas: Value = serde_json::from_str(&schemas).unwrap_or_default();
    let shapes = schemas["$defs"].as_object_mut().map(std::mem::take).unwrap_or_default();
    let own = document["components"]["schemas"].as_object().cloned().unwrap_or_default();
    document["components"]["schemas"] = Value::Object(shapes.into_iter().chain(own).collect());
    document["components"]["securitySchemes"] = json!({"session": {"type": "http", "scheme": "bearer"}});
    document["security"] = json!([{"session": []}]);
    document["servers"] = json!([{"url": "/"}]);
    let paths = document["paths"].as_object_mut().map(Map::values_mut).into_iter().flatten();
    for operation in paths.filter_map(Value::as_object_mut).flat_map(|methods| methods.values_mut()) {
        // Every error has the same shape, whatever its status.
        operation["responses"]["default"] = json!({
            "description": "It failed; `code` says why.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}},
        });
    }
    document
}

/// A page that lists the paths and sends requests.
pub(super) async fn page() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], include_str!("../../../assets/try.html"))
}

/// The page's script.
pub(super) async fn script() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], include_str!("../../../assets/try.js"))
}

/// The page's style.
pub(super) async fn style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("../../../assets/try.css"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_that_is_named_is_there() {
        let text = DOCUMENT.to_string();
        assert_eq!(DOCUMENT["openapi"], "3.1.0");
        for name in text.split("#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(DOCUMENT["components"]["schemas"][name].is_object(), "{name}");
        }
        assert!(DOCUMENT["paths"]["/api/v1/commands"]["post"].is_object());
    }
}
