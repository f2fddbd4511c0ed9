//! Functions: what a model sees of the tools. Each action of a tool is a function of its own, with only its own
//! parameters and the names that models know.
//!
//! A call is translated as soon as it arrives ([`Functions::translate`]). From then on Deputy knows it only as a tool, an
//! action and parameters; journal, digests, rules and grants never see a function. What the model wrote is kept with the
//! call, and is what the model reads again.

mod groups;
mod other_names;
mod table;

pub use groups::{Group, NoGroups, OPEN_TOOLS, OpensGroups};
pub(crate) use groups::{OpenTools, opening, text_of};

use crate::parameters::Shape;
use crate::tool::{InvalidCall, Tool};
use deputy_messages::tools as say;
use deputy_protocol::{Limits, ToolCall, ToolSpec, WrittenCall};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use table::{FUNCTIONS, NOT_OFFERED, Row};

/// The similarity from which a name counts as a misspelling of another.
const SIMILAR: f32 = 0.6;

/// A function: one action of one tool.
#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// `None` for a tool that does not come with Deputy, which is always offered.
    pub(crate) group: Option<Group>,
    pub(crate) tool: String,
    pub(crate) action: Option<&'static str>,
    description: String,
    /// The parameters as JSON Schema, under the names that the model sees.
    parameters: Value,
    renamed: &'static [(&'static str, &'static str)],
    /// A switch that every call turns on.
    on: Option<&'static str>,
    is_offered: bool,
    /// Writes a task's limits into the parameters.
    of: Arc<dyn Tool>,
    place: usize,
}

impl Function {
    /// Returns the function for the planner, with the task's limits applied.
    pub(crate) fn spec(&self, limits: &Limits) -> ToolSpec {
        let mut parameters = self.parameters.clone();
        self.of.bound(&mut parameters, limits);
        ToolSpec { name: self.name.clone(), description: self.description.clone(), parameters }
    }

    /// Returns whether a list of tools contains the function: its tool, or its action as `tool.action`.
    pub(crate) fn is_in(&self, allowed: &[String]) -> bool {
        allowed.iter().any(|one| match (one.split_once('.'), self.action) {
            (None, _) => *one == self.tool,
            (Some((tool, action)), Some(own)) => tool == self.tool && action == own,
            (Some(_), None) => false,
        })
    }

    /// Returns the right form of a call, such as `edit_file(path: string, replace_all?: boolean)`.
    pub(crate) fn signature(&self) -> String {
        let required = |name: &str| self.required().any(|one| one == name);
        let of = |name: &str, schema: &Value| {
            let kind = schema["type"].as_str().unwrap_or("any").to_owned();
            let choices = schema["enum"].as_array().map(|all| {
                let all: Vec<String> = all.iter().map(Value::to_string).collect();
                all.join("|")
            });
            let optional = if required(name) { "" } else { "?" };
            format!("{name}{optional}: {}", choices.unwrap_or(kind))
        };
        let mut all: Vec<_> = self.properties().into_iter().flatten().collect();
        all.sort_by_key(|(name, _)| (!required(name), *name != "path"));
        let all: Vec<String> = all.into_iter().map(|(name, schema)| of(name, schema)).collect();
        format!("{}({})", self.name, all.join(", "))
    }

    fn properties(&self) -> Option<&Map<String, Value>> {
        self.parameters["properties"].as_object()
    }

    fn required(&self) -> impl Iterator<Item = &str> {
        self.parameters["required"].as_array().into_iter().flatten().filter_map(Value::as_str)
    }

    /// Checks that arguments have all required parameters and no unknown ones.
    fn fits(&self, arguments: &Value) -> Result<(), InvalidCall> {
        let Some(given) = arguments.as_object() else { return Err(self.wrong("", say::expected_object())) };
        let known = |name: &str| self.properties().is_some_and(|all| all.contains_key(name));
        if let Some(unknown) = given.keys().find(|name| !known(name)) {
            return Err(self.wrong(unknown, say::no_such_parameter()));
        }
        let is_missing = |name: &&str| given.get(*name).is_none_or(Value::is_null);
        match self.required().find(is_missing) {
            Some(missing) => Err(self.wrong(missing, say::parameter_is_missing())),
            None => Ok(()),
        }
    }

    fn wrong(&self, path: &str, problem: deputy_messages::Phrase) -> InvalidCall {
        InvalidCall::WrongArgument {
            function: self.name.clone(),
            path: path.to_owned(),
            problem,
            right: self.signature(),
        }
    }

    /// Converts an error about the tool's parameters to one about the function's.
    fn in_its_words(&self, error: InvalidCall) -> InvalidCall {
        let InvalidCall::WrongParameter { path, problem, .. } = error else { return error };
        let end = path.find(['.', '[']).unwrap_or(path.len());
        let (first, rest) = path.split_at(end);
        let renamed = self.renamed.iter().find(|(own, _)| *own == first);
        self.wrong(&format!("{}{rest}", renamed.map_or(first, |(_, name)| name)), problem)
    }

    /// Returns the parameters of the tool for arguments. Values that a model wrote as text are read as what they should
    /// be, and optional parameters without a value are dropped.
    fn parameters_of(&self, arguments: &Value) -> Value {
        let Value::Object(given) = arguments else { return arguments.clone() };
        let mut parameters = Map::new();
        for (name, value) in given {
            let schema = self.properties().and_then(|all| all.get(name));
            if value.is_null() && schema.is_some() {
                continue;
            }
            let own =
                self.renamed.iter().find(|(_, other)| other == name).map_or(name.as_str(), |(own, _)| own);
            parameters
                .insert(own.to_owned(), schema.map_or_else(|| value.clone(), |schema| meant(value, schema)));
        }
        if let Some(action) = self.action {
            parameters.insert("action".to_owned(), json!(action));
        }
        if let Some(on) = self.on {
            parameters.insert(on.to_owned(), json!(true));
        }
        Value::Object(parameters)
    }
}

/// Returns the value that is meant by one of another type: `"5"` where the schema wants a number, and 5 where it wants a
/// text.
fn meant(value: &Value, schema: &Value) -> Value {
    let Some(wanted) = schema["type"].as_str() else { return value.clone() };
    match value {
        Value::String(text) => {
            let read = serde_json::from_str::<Value>(text).ok().filter(|read| match wanted {
                "integer" => read.is_u64() || read.is_i64(),
                "number" => read.is_number(),
                "boolean" => read.is_boolean(),
                "array" => read.is_array(),
                "object" => read.is_object(),
                _ => false,
            });
            read.map_or_else(|| value.clone(), |read| meant(&read, schema))
        }
        Value::Number(_) | Value::Bool(_) if wanted == "string" => Value::String(value.to_string()),
        Value::Array(all) => all.iter().map(|one| meant(one, &schema["items"])).collect(),
        Value::Object(all) => {
            let one = |(name, value): (&String, &Value)| {
                (name.clone(), meant(value, &schema["properties"][name.as_str()]))
            };
            all.iter().map(one).collect::<Map<_, _>>().into()
        }
        _ => value.clone(),
    }
}

/// All functions, in the order in which models see them.
#[derive(Clone, Default)]
pub(crate) struct Functions {
    all: Vec<Function>,
}

impl Functions {
    /// Adds the functions of a tool. Replaces those of a tool with the same name.
    pub(crate) fn add(&mut self, tool: &Arc<dyn Tool>) {
        self.all.retain(|function| function.tool != tool.name());
        for Shape { action, schema } in tool.shapes() {
            let of = (tool.name(), action.unwrap_or_default());
            if !NOT_OFFERED.contains(&of) {
                let mut rows = FUNCTIONS.iter().enumerate().filter(|(_, row)| row.of == of).peekable();
                if rows.peek().is_none() {
                    self.all.push(function(tool, action, &schema, None));
                }
                self.all.extend(rows.map(|row| function(tool, action, &schema, Some(row))));
            }
        }
        self.all.sort_by_key(|function| function.place);
    }

    /// Returns the functions that models are offered.
    pub(crate) fn offered(&self) -> impl Iterator<Item = &Function> {
        self.all.iter().filter(|function| function.is_offered)
    }

    /// Finds a function by its name, or by a name that other agents use for it, with the names of its parameters there.
    fn find(&self, name: &str) -> Option<(&Function, other_names::Parameters)> {
        let named = |name: &str| self.all.iter().find(|function| function.name == name);
        match named(name) {
            Some(function) => Some((function, other_names::Parameters::default())),
            None => {
                let other = other_names::of(name)?;
                Some((named(&other.is)?, other.parameters.clone()))
            }
        }
    }

    /// Translates a call of a function to the call of a tool. Leaves a call alone that names no function, such as one that
    /// names a tool.
    pub(crate) fn translate(&self, call: &mut ToolCall) {
        if call.problem.is_some() || call.written.is_some() {
            return;
        }
        let Some((function, other)) = self.find(&call.tool) else { return };
        let parameters = function.parameters_of(&other.renamed(&call.parameters));
        if function.tool == call.tool && parameters == call.parameters {
            return;
        }
        let name = std::mem::replace(&mut call.tool, function.tool.clone());
        let arguments = std::mem::replace(&mut call.parameters, parameters);
        call.written = Some(WrittenCall::new(name, arguments, &call.parameters));
    }

    /// Returns the function that a call was written as. `None` if it was written as the call of a tool.
    pub(crate) fn written(&self, call: &ToolCall) -> Option<&Function> {
        let written = call.written.as_ref()?;
        self.find(&written.name).map(|(function, _)| function)
    }

    /// Checks the arguments of a call that was written as the call of a function.
    pub(crate) fn check(&self, call: &ToolCall) -> Result<(), InvalidCall> {
        let Some(written) = &call.written else { return Ok(()) };
        let Some((function, other)) = self.find(&written.name) else { return Ok(()) };
        function.fits(&other.renamed(&call.as_written().parameters))
    }

    /// Converts an error about a tool's parameters to one about those of the function that was called.
    pub(crate) fn in_words_of(&self, call: &ToolCall, error: InvalidCall) -> InvalidCall {
        match self.written(call) {
            Some(function) => function.in_its_words(error),
            None => error,
        }
    }

    /// Returns the error for a call of something that is not in `allowed`: the functions that are, and the right call of
    /// the one with the most similar name.
    pub(crate) fn unknown(&self, name: &str, allowed: &[String]) -> InvalidCall {
        let known: Vec<&Function> = self.offered().filter(|function| function.is_in(allowed)).collect();
        let names: Vec<&str> = known.iter().map(|function| function.name.as_str()).collect();
        let nearest = similar::get_close_matches(name.to_lowercase().as_str(), &names, 1, SIMILAR);
        let nearest = known.iter().find(|function| nearest.first() == Some(&function.name.as_str()));
        InvalidCall::UnknownFunction {
            name: name.to_owned(),
            nearest: nearest.map(|function| function.signature()),
            known: names.into_iter().map(str::to_owned).collect(),
        }
    }
}

fn function(
    tool: &Arc<dyn Tool>,
    action: Option<&'static str>,
    schema: &Map<String, Value>,
    row: Option<(usize, &Row)>,
) -> Function {
    let mut properties = Map::new();
    let (renamed, left_out) = row.map_or((&[][..], &[][..]), |(_, row)| (row.renamed, row.left_out));
    let on = row.and_then(|(_, row)| row.on);
    let outside =
        |own: &str| renamed.iter().find(|(one, _)| *one == own).map_or(own, |(_, name)| *name).to_owned();
    for (own, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        if !left_out.contains(&own.as_str()) && on != Some(own.as_str()) {
            properties.insert(outside(own), property.clone());
        }
    }
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let required: Vec<String> = required.filter_map(Value::as_str).map(outside).collect();
    let mut parameters = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        parameters["required"] = json!(required);
    }
    let named = |action: &str| format!("{}_{action}", tool.name());
    Function {
        name: match row {
            Some((_, row)) => row.name.to_owned(),
            None => action.map_or_else(|| tool.name().to_owned(), named),
        },
        group: row.map(|(_, row)| row.group),
        tool: tool.name().to_owned(),
        action,
        description: row.map_or_else(|| tool.description().to_owned(), |(_, row)| row.says.to_owned()),
        parameters,
        renamed,
        on,
        is_offered: row.is_none_or(|(_, row)| row.is_offered),
        of: tool.clone(),
        place: row.map_or(FUNCTIONS.len(), |(at, _)| at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;
    use std::collections::BTreeSet;

    fn registry() -> Registry {
        let home = tempfile::tempdir().unwrap();
        Registry::standard().organizing(crate::OrganizeHome::of(home.path(), home.path()))
    }

    #[test]
    fn every_action_of_every_tool_is_a_function_or_is_not_offered() {
        let mut left: BTreeSet<(&str, &str)> = FUNCTIONS.iter().map(|row| row.of).collect();
        assert!(NOT_OFFERED.iter().all(|of| left.insert(*of)), "no function is not offered");
        let registry = registry();
        let names = registry.names();
        for name in &names {
            for shape in registry.get(name).unwrap().shapes() {
                let of = (name.as_str(), shape.action.unwrap_or_default());
                assert!(left.remove(&of), "{of:?} has no function");
            }
        }
        assert!(left.is_empty(), "there is no action {left:?}");
    }

    #[test]
    fn names_of_functions_are_unique_and_fit_every_provider() {
        let names: BTreeSet<&str> = FUNCTIONS.iter().map(|row| row.name).collect();
        assert_eq!(names.len(), FUNCTIONS.len());
        let is_plain =
            |name: &&str| name.len() <= 40 && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        assert!(names.iter().all(is_plain), "{names:?}");
        // The names of functions of others' servers.
        assert!(names.iter().all(|name| !name.contains("__")), "{names:?}");
    }

    #[test]
    fn a_function_with_the_name_of_a_tool_is_its_only_action() {
        for row in FUNCTIONS.iter().filter(|row| registry().get(row.name).is_some()) {
            assert_eq!(row.of, (row.name, ""), "a call of the tool would mean something else");
            assert!(row.renamed.is_empty() && row.left_out.is_empty(), "{}", row.name);
        }
    }

    #[test]
    fn renamed_and_left_out_parameters_exist() {
        let registry = registry();
        for row in FUNCTIONS {
            let shapes = registry.get(row.of.0).unwrap().shapes();
            let shape = shapes.iter().find(|shape| shape.action.unwrap_or_default() == row.of.1).unwrap();
            let Some(Value::Object(own)) = shape.schema.get("properties") else { continue };
            let named =
                row.renamed.iter().map(|(own, _)| *own).chain(row.left_out.iter().copied()).chain(row.on);
            for one in named {
                assert!(own.contains_key(one), "{} has no parameter {one}", row.name);
            }
            for (_, name) in row.renamed {
                assert!(!own.contains_key(*name), "{} has a parameter {name} already", row.name);
            }
        }
    }
}
