//! Typed parameters: the JSON Schema that a model reads and the check of what it sends, both derived from the same
//! types.

use crate::tool::InvalidCall;
use deputy_messages::tools as say;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// An object whose fields are described by another schema.
pub(crate) type JsonObject = Map<String, Value>;

/// The parameters of a tool.
pub(crate) trait Parameters: Sized + Send + Sync {
    /// Returns the JSON Schema: one object without unions at the top level.
    fn schema() -> Value;

    /// Parses and checks the parameters that a model sent.
    fn parse(tool: &str, parameters: &Value) -> Result<Self, InvalidCall>;
}

/// Implements [`Parameters`] for an enum whose variants are the actions of a tool.
///
/// On the wire, the action is the parameter `action` next to the parameters of the variant, and the schema is one flat
/// object, because most providers reject a union at the top of a schema.
macro_rules! actions {
    ($(#[$doc:meta])* $visibility:vis enum $name:ident { $($action:literal => $variant:ident($parameters:ty)),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        $visibility enum $name {
            $($variant($parameters)),+
        }

        impl $crate::parameters::Parameters for $name {
            fn schema() -> serde_json::Value {
                $crate::parameters::flat_schema(vec![
                    $(($action, $crate::parameters::object_schema::<$parameters>())),+
                ])
            }

            fn parse(tool: &str, parameters: &serde_json::Value) -> Result<Self, $crate::tool::InvalidCall> {
                let known = [$($action),+];
                let (action, rest) = $crate::parameters::split_action(tool, parameters, &known)?;
                match action.as_str() {
                    $($action => Ok(Self::$variant($crate::parameters::parse_object(tool, rest)?)),)+
                    _ => Err($crate::parameters::unknown_action(tool, &action, &known)),
                }
            }
        }
    };
}
pub(crate) use actions;

/// Implements [`Parameters`] for a struct, for a tool with a single action. The schema has no description, because the
/// description of the tool covers it.
macro_rules! one_action {
    ($name:ident) => {
        impl $crate::parameters::Parameters for $name {
            fn schema() -> serde_json::Value {
                let mut schema = $crate::parameters::object_schema::<Self>();
                schema.remove("description");
                serde_json::Value::Object(schema)
            }

            fn parse(tool: &str, parameters: &serde_json::Value) -> Result<Self, $crate::tool::InvalidCall> {
                $crate::parameters::parse_object(tool, parameters.clone())
            }
        }
    };
}
pub(crate) use one_action;

/// Returns the schema of one struct, simplified for small models: no property is nullable; optional ones are left out.
pub(crate) fn object_schema<T: JsonSchema>() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    let mut object = schema.as_object().cloned().unwrap_or_default();
    object.remove("title");
    // Parsing rejects unknown parameters by name. Stating it in every schema would cost tokens in every request.
    object.remove("additionalProperties");
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.values_mut().for_each(simplify);
    }
    object
}

fn simplify(property: &mut Value) {
    let Value::Object(object) = property else { return };
    object.remove("format");
    if let Some(Value::String(text)) = object.get_mut("description") {
        without_last_stop(text);
    }
    // Descriptions mention a default only if it is not the obvious one.
    object.remove("default");
    if object.get("minimum") == Some(&json!(0)) {
        object.remove("minimum");
    }
    if object.get("additionalProperties").is_some() {
        object.remove("additionalProperties");
    }
    if let Some(items) = object.get_mut("items") {
        simplify(items);
    }
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.values_mut().for_each(simplify);
    }
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|t| t != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|v| !v.is_null());
    }
}

/// Removes the full stop at the end of a description, which would cost a token in every request.
fn without_last_stop(text: &mut String) {
    if text.ends_with('.') && !text.ends_with("..") {
        text.pop();
    }
}

/// Merges the schemas of actions into one object. The description of `action` says for each action what it does, needs
/// and takes, except for the parameters that all actions take.
pub(crate) fn flat_schema(actions: Vec<(&str, Map<String, Value>)>) -> Value {
    // Actions with the same parameters and description share a line.
    let mut about: Vec<(Vec<&str>, String)> = Vec::new();
    let mut merged = Map::new();
    let mut required: Option<Vec<Value>> = None;
    let takes = |schema: &Map<String, Value>, name: &str| {
        schema.get("properties").is_some_and(|all| all.get(name).is_some())
    };
    let all_take = |name: &str| actions.len() > 1 && actions.iter().all(|(_, schema)| takes(schema, name));
    for (action, schema) in &actions {
        let properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
        let needs = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let is_needed = |name: &&String| needs.iter().any(|needed| needed == *name);
        let optional = properties
            .keys()
            .filter(|name| !is_needed(name) && !all_take(name))
            .map(|name| format!("{name}?"));
        let takes: Vec<String> = properties.keys().filter(is_needed).cloned().chain(optional).collect();
        let mut what = schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
        without_last_stop(&mut what);
        let what = format!("({}): {what}", takes.join(", "));
        match about.iter_mut().find(|(_, said)| *said == what) {
            Some((actions, _)) => actions.push(action),
            None => about.push((vec![action], what)),
        }
        for (name, property) in properties {
            merged.entry(name).or_insert(property);
        }
        required = Some(match required {
            None => needs,
            Some(so_far) => so_far.into_iter().filter(|name| needs.contains(name)).collect(),
        });
    }
    let about = about.iter().map(|(actions, what)| format!("{}{what}", actions.join(", ")));
    let names: Vec<&str> = actions.iter().map(|(action, _)| *action).collect();
    let mut properties = Map::new();
    properties.insert(
        "action".to_owned(),
        json!({"type": "string", "enum": names, "description": about.collect::<Vec<_>>().join("\n")}),
    );
    properties.extend(merged);
    let mut all_required = vec![json!("action")];
    all_required.extend(required.unwrap_or_default());
    json!({"type": "object", "properties": properties, "required": all_required})
}

/// Removes the action from the parameters that a model sent, and returns both.
pub(crate) fn split_action(
    tool: &str,
    parameters: &Value,
    known: &[&str],
) -> Result<(String, Value), InvalidCall> {
    let Value::Object(object) = parameters else {
        return Err(InvalidCall::parameter(tool, "", say::expected_object()));
    };
    let mut rest = object.clone();
    match rest.remove("action") {
        Some(Value::String(action)) => Ok((action, Value::Object(rest))),
        Some(_) => Err(InvalidCall::parameter(tool, "action", say::expected_text())),
        None => Err(InvalidCall::parameter(tool, "action", say::no_action(known.join(", ")))),
    }
}

pub(crate) fn unknown_action(tool: &str, action: &str, known: &[&str]) -> InvalidCall {
    InvalidCall::parameter(tool, "action", say::unknown_action(action, known.join(", ")))
}

/// Parses one object. The error names the wrong parameter.
pub(crate) fn parse_object<T: DeserializeOwned>(tool: &str, object: Value) -> Result<T, InvalidCall> {
    if !object.is_object() {
        return Err(InvalidCall::parameter(tool, "", say::expected_object()));
    }
    serde_path_to_error::deserialize(object.clone()).map_err(|error| {
        let path = error.path().to_string();
        let problem = error.into_inner().to_string();
        let path = if path == "." { culprit::<T>(&object) } else { path };
        InvalidCall::parameter(tool, &path, problem)
    })
}

/// Returns the parameter whose removal makes the error disappear. Serde does not report the path within flattened
/// structs.
fn culprit<T: DeserializeOwned>(object: &Value) -> String {
    let mut names = object.as_object().into_iter().flat_map(Map::keys);
    let is_it = |name: &&String| {
        let mut without = object.clone();
        if let Some(object) = without.as_object_mut() {
            object.remove(*name);
        }
        serde_json::from_value::<T>(without).is_ok()
    };
    names.find(is_it).cloned().unwrap_or_default()
}
