//! Typed parameters: the JSON Schema of each action and the check of what a model sends, both derived from the same
//! types.

use crate::tool::InvalidCall;
use deputy_messages::tools as say;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// An object whose fields are described by another schema.
pub(crate) type JsonObject = Map<String, Value>;

/// The parameters of one action of a tool.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The action. `None` for a tool that has only one.
    pub action: Option<&'static str>,
    /// The JSON Schema of the parameters: one object without unions at the top level.
    pub schema: Map<String, Value>,
}

impl Shape {
    /// Returns the parameters of an action as a Rust type describes them.
    pub(crate) fn of<T: JsonSchema>(action: Option<&'static str>) -> Self {
        Self { action, schema: object_schema::<T>() }
    }
}

/// The parameters of a tool.
pub(crate) trait Parameters: Sized + Send + Sync {
    /// Returns the parameters of each action.
    fn shapes() -> Vec<Shape>;

    /// Parses and checks the parameters that a model sent.
    fn parse(tool: &str, parameters: &Value) -> Result<Self, InvalidCall>;
}

/// Implements [`Parameters`] for an enum whose variants are the actions of a tool.
///
/// The action is the parameter `action` next to the parameters of the variant.
macro_rules! actions {
    ($(#[$doc:meta])* $visibility:vis enum $name:ident { $($action:literal => $variant:ident($parameters:ty)),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        $visibility enum $name {
            $($variant($parameters)),+
        }

        impl $crate::parameters::Parameters for $name {
            fn shapes() -> Vec<$crate::parameters::Shape> {
                vec![$($crate::parameters::Shape::of::<$parameters>(Some($action))),+]
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

/// Implements [`Parameters`] for a struct, for a tool with a single action.
macro_rules! one_action {
    ($name:ident) => {
        impl $crate::parameters::Parameters for $name {
            fn shapes() -> Vec<$crate::parameters::Shape> {
                vec![$crate::parameters::Shape::of::<Self>(None)]
            }

            fn parse(tool: &str, parameters: &serde_json::Value) -> Result<Self, $crate::tool::InvalidCall> {
                $crate::parameters::parse_object(tool, parameters.clone())
            }
        }
    };
}
pub(crate) use one_action;

/// Returns the schema of one struct, simplified for small models: no property is nullable; optional ones are left out.
fn object_schema<T: JsonSchema>() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    let mut object = schema.as_object().cloned().unwrap_or_default();
    object.remove("title");
    // What the action does is said by its function.
    object.remove("description");
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
