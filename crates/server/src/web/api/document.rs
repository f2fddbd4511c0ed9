//! The OpenAPI document, and a small page for trying the API.

use super::operations::{described, routed};
use axum::Json;
use axum::http::header;
use axum::response::IntoResponse;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;
use utoipa::OpenApi;

/// The endpoints that are not operations. Operations are described by their declarations, and the schemas come from the
/// protocol's JSON Schema.
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
        super::commands::requests,
        super::commands::command,
        super::stream::of_all,
        super::stream::of_task,
    )
)]
struct Paths;

static DOCUMENT: LazyLock<Value> = LazyLock::new(document);

/// Returns the OpenAPI 3.1 document of the whole API.
pub(super) async fn openapi() -> Json<&'static Value> {
    Json(&DOCUMENT)
}

fn document() -> Value {
    let mut document = serde_json::to_value(Paths::openapi()).unwrap_or_default();
    for (info, route) in routed() {
        let path = format!("/api/v1{}", route.path);
        document["paths"][path][route.method.name().to_lowercase()] = described(info, route);
    }
    let schema: Value = serde_json::from_str(deputy_protocol::JSON_SCHEMA).unwrap_or_default();
    document["components"]["schemas"] = schema["$defs"].clone();
    document["components"]["securitySchemes"] = json!({"session": {"type": "http", "scheme": "bearer"}});
    document["security"] = json!([{"session": []}]);
    document["servers"] = json!([{"url": "/"}]);
    let paths = document["paths"].as_object_mut().map(Map::values_mut).into_iter().flatten();
    for operation in paths.filter_map(Value::as_object_mut).flat_map(|methods| methods.values_mut()) {
        // Every error has the same schema, regardless of its status.
        operation["responses"]["default"] = json!({
            "description": "It failed; `code` says why.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}},
        });
    }
    // Schemas of OpenAPI 3.1 are JSON Schema; only the location of definitions differs.
    let text = document.to_string().replace("#/$defs/", "#/components/schemas/");
    serde_json::from_str(&text).unwrap_or_default()
}

/// Returns the page that lists the paths and sends requests.
pub(super) async fn page() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], include_str!("../../../assets/try.html"))
}

/// Returns the page's script.
pub(super) async fn script() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], include_str!("../../../assets/try.js"))
}

/// Returns the page's style.
pub(super) async fn style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("../../../assets/try.css"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_shape_that_is_named_is_there() {
        let text = DOCUMENT.to_string();
        assert_eq!(DOCUMENT["openapi"], "3.1.0");
        for name in text.split("#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(DOCUMENT["components"]["schemas"][name].is_object(), "{name}");
        }
    }

    #[test]
    fn the_paths_are_those_of_the_operations_and_a_few_by_hand() {
        let by_hand = [
            "GET /health",
            "POST /session",
            "POST /session/challenge",
            "POST /pairing",
            "POST /pairing/finish",
            "GET /requests",
            "POST /commands",
            "GET /events",
            "GET /tasks/{task}/events",
        ];
        let declared = routed().map(|(_, route)| format!("{} {}", route.method.name(), route.path));
        let expected: BTreeSet<String> = by_hand.into_iter().map(str::to_owned).chain(declared).collect();
        let paths = DOCUMENT["paths"].as_object().unwrap().iter();
        let described = paths.flat_map(|(path, methods)| {
            let path = path.strip_prefix("/api/v1").unwrap();
            methods.as_object().unwrap().keys().map(move |method| format!("{} {path}", method.to_uppercase()))
        });
        assert_eq!(described.collect::<BTreeSet<_>>(), expected);
    }
}
