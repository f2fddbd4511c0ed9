//! Operations over HTTP: each operation that is declared with a route is served and described accordingly.
//!
//! The fields of an operation's input come from the path, the query string, or a JSON body. Together they form the same
//! message as over a socket, and are processed in the same way.

use crate::strict::refuse_unknown;
use crate::web::body::{Body, Params, Place, unusable};
use crate::web::failure::Failure;
use crate::web::peer::By;
use crate::web::serve::Web;
use axum::extract::{FromRequest, FromRequestParts, Request, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, on};
use axum::{Json, Router};
use deputy_messages::server as say;
use deputy_protocol::{
    Command, CommandEnvelope, CommandId, ErrorBody, ErrorCode, Method, OperationEffect, OperationInfo, Query,
    Route, TaskId, TaskQuery, all_operations,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The maximum number of tasks or events on one page.
const MAX_LIMIT: u64 = 500;
/// The header with a command's id, if the body is not the whole command.
const ID_HEADER: &str = "idempotency-key";

/// The schemas of the protocol by name.
static SHAPES: LazyLock<Value> = LazyLock::new(|| {
    let mut schema: Value = serde_json::from_str(deputy_protocol::JSON_SCHEMA).unwrap_or_default();
    schema["$defs"].take()
});

/// Returns every operation that has a route, with the route.
pub(super) fn routed() -> impl Iterator<Item = (&'static OperationInfo, Route)> {
    all_operations().filter_map(|info| Some((info, info.route?)))
}

/// Adds the routes of the operations.
pub(super) fn add_to(router: Router<Web>) -> Router<Web> {
    routed().fold(router, |router, (info, route)| {
        let method = match route.method {
            Method::Get => MethodFilter::GET,
            Method::Post => MethodFilter::POST,
            Method::Patch => MethodFilter::PATCH,
            Method::Delete => MethodFilter::DELETE,
        };
        let serve =
            move |State(web): State<Web>, by: By, request: Request| serve(info, route, web, by, request);
        router.route(route.path, on(method, serve))
    })
}

async fn serve(
    info: &'static OperationInfo,
    route: Route,
    web: Web,
    by: By,
    request: Request,
) -> Result<Response, Failure> {
    let id = command_id(request.headers())?;
    let input = Input::of(info, route, request).await?;
    // An address below a task does not exist if the task does not exist.
    if let Some(task) = input.task.filter(|_| info.name != "task") {
        web.mirror.query(&by.0, Query::Task(TaskQuery { task: TaskId::new(task) })).await?;
    }
    Ok(if info.effect == OperationEffect::Reads {
        let query: Query = input.message.read("query", info)?;
        Json(web.mirror.query(&by.0, query).await?).into_response()
    } else {
        let command: Command = input.message.read("command", info)?;
        Json(web.mirror.command(&by.0, CommandEnvelope { id, command }).await?).into_response()
    })
}

/// Returns the id that identifies a command: the client's, or a new one.
fn command_id(headers: &HeaderMap) -> Result<CommandId, Failure> {
    let Some(id) = headers.get(ID_HEADER) else { return Ok(deputy_agent::new_command_id()) };
    Ok(CommandId::new(id.to_str().map_err(|_| {
        ErrorBody::new(
            ErrorCode::BadMessage,
            "The header `Idempotency-Key` is no text.",
            say::make_short_random_one(),
        )
    })?))
}

/// A part of a request, with the error code for it.
type Part = (ErrorCode, &'static str);

/// The parsed input of a request.
struct Input {
    /// The task in the path.
    task: Option<String>,
    message: Message,
}

/// The fields of an operation's input.
struct Message {
    fields: Map<String, Value>,
    /// The part of the request that most of them come from.
    part: Part,
}

impl Input {
    async fn of(info: &OperationInfo, route: Route, request: Request) -> Result<Self, Failure> {
        let fields = Fields::of(info, route);
        let (mut parts, body) = request.into_parts();
        let Place(places) = Place::<HashMap<String, String>>::from_request_parts(&mut parts, &()).await?;
        let task = places.get("task").cloned();
        let (said, part) = if route.method == Method::Get {
            let Params(params) =
                Params::<HashMap<String, String>>::from_request_parts(&mut parts, &()).await?;
            let part = (ErrorCode::BadQuery, "query");
            (fields.typed(params, fields.rest(), part)?, part)
        } else {
            let part = (ErrorCode::BadBody, "body");
            let said = if fields.rest().next().is_some() {
                Body::<Map<String, Value>>::from_request(Request::from_parts(parts, body), &()).await?.0
            } else {
                Map::new()
            };
            if let Some(twice) = said.keys().find(|name| places.contains_key(*name)) {
                let (code, part) = part;
                return Err(unusable(code, part, &format!("`{twice}` is in the address")).into());
            }
            (said, part)
        };
        let in_path = (ErrorCode::BadPath, "address");
        let mut all = fields.typed(places, fields.in_path(), in_path)?;
        all.extend(said);
        Ok(Self { task, message: Message { fields: all, part } })
    }
}

impl Message {
    /// Parses the message as it would come over a socket. Unknown fields are refused.
    fn read<T: DeserializeOwned + Serialize>(
        mut self,
        tag: &str,
        info: &OperationInfo,
    ) -> Result<T, Failure> {
        self.fields.insert(tag.to_owned(), info.name.into());
        let said = Value::Object(self.fields);
        let (code, part) = self.part;
        let read: T =
            serde_json::from_value(said.clone()).map_err(|error| unusable(code, part, &error.to_string()))?;
        refuse_unknown(&said.to_string(), &read)?;
        Ok(read)
    }
}

/// The fields of an operation's input by their part of the request.
struct Fields {
    path: &'static str,
    shape: &'static Value,
}

impl Fields {
    fn of(info: &OperationInfo, route: Route) -> Self {
        Self { path: route.path, shape: &SHAPES[info.input] }
    }

    fn all(&self) -> impl Iterator<Item = (&'static str, &'static Value)> {
        let fields = self.shape["properties"].as_object();
        fields.into_iter().flatten().map(|(name, shape)| (name.as_str(), shape))
    }

    fn is_in_path(&self, name: &str) -> bool {
        self.path
            .split('/')
            .any(|part| part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) == Some(name))
    }

    fn in_path(&self) -> impl Iterator<Item = (&'static str, &'static Value)> {
        self.all().filter(|(name, _)| self.is_in_path(name))
    }

    fn rest(&self) -> impl Iterator<Item = (&'static str, &'static Value)> {
        self.all().filter(|(name, _)| !self.is_in_path(name))
    }

    fn is_required(&self, name: &str) -> bool {
        self.shape["required"].as_array().is_some_and(|required| required.iter().any(|each| each == name))
    }

    /// Converts texts to the values that they represent.
    fn typed(
        &self,
        texts: HashMap<String, String>,
        known: impl Iterator<Item = (&'static str, &'static Value)>,
        (code, part): Part,
    ) -> Result<Map<String, Value>, Failure> {
        let known: HashMap<_, _> = known.collect();
        let value = |(name, text): (String, String)| {
            let wrong = |why: &str| unusable(code, part, &format!("`{name}` {why}"));
            let shape = known.get(name.as_str()).ok_or_else(|| wrong("is not known"))?;
            let value = if is_of(shape, "integer") {
                let number: u64 = text.parse().map_err(|_| wrong("is no number"))?;
                Value::from(if name == "limit" { number.min(MAX_LIMIT) } else { number })
            } else if is_of(shape, "boolean") {
                Value::from(text.parse::<bool>().map_err(|_| wrong("is neither true nor false"))?)
            } else {
                Value::from(text)
            };
            Ok((name, value))
        };
        texts.into_iter().map(value).collect()
    }
}

/// Returns whether a schema has this type, or is a nullable variant of it.
fn is_of(shape: &Value, kind: &str) -> bool {
    match &shape["type"] {
        Value::String(own) => own == kind,
        Value::Array(each) => each.iter().any(|own| own == kind),
        _ => false,
    }
}

/// Describes an operation for OpenAPI.
pub(super) fn described(info: &OperationInfo, route: Route) -> Value {
    let fields = Fields::of(info, route);
    let subject = route.path.split('/').nth(1).unwrap_or_default();
    let parameter = |place: &str, name: &str, shape: &Value, required: bool| json!({"name": name, "in": place, "required": required, "schema": shape, "description": shape["description"]});
    let mut parameters: Vec<Value> =
        fields.in_path().map(|(name, shape)| parameter("path", name, shape, true)).collect();
    let outcome = if info.effect == OperationEffect::Reads {
        "QueryAnswer"
    } else {
        let about = json!({"type": "string", "description":
            "The id under which the command is done once, however often it is sent; a fresh one where it is absent."});
        parameters.push(parameter("header", "Idempotency-Key", &about, false));
        "CommandOutcome"
    };
    let mut operation = json!({
        "operationId": info.name,
        "tags": [subject],
        "summary": info.about,
        "responses": {"200": {
            "description": "What came of it.",
            "content": {"application/json": {"schema": {"$ref": format!("#/$defs/{outcome}")}}},
        }},
    });
    if route.method == Method::Get {
        let in_query = |(name, shape)| parameter("query", name, shape, fields.is_required(name));
        parameters.extend(fields.rest().map(in_query));
    } else if fields.rest().next().is_some() {
        let shape = if fields.in_path().next().is_none() {
            json!({"$ref": format!("#/$defs/{}", info.input)})
        } else {
            let required: Vec<&str> =
                fields.rest().map(|(name, _)| name).filter(|name| fields.is_required(name)).collect();
            let properties: Map<String, Value> =
                fields.rest().map(|(name, shape)| (name.to_owned(), shape.clone())).collect();
            json!({"type": "object", "required": required, "properties": properties})
        };
        operation["requestBody"] =
            json!({"required": true, "content": {"application/json": {"schema": shape}}});
    }
    operation["parameters"] = parameters.into();
    operation
}
