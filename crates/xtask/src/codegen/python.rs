//! Generates Python: a msgspec struct for every struct, a type alias for every union and enum.

use super::shape::{Field, Kind, Shape, Shapes, Tag, UnknownShape, ValueType};
use super::text::wrapped;
use serde_json::Value;
use std::fmt::Write;

/// The maximum line length, which is ruff's default.
const WIDTH: usize = 88;

const HEADER: &str = r#""""The words of Deputy as types.

Written by `cargo xtask codegen` from crates/protocol; do not edit.
"""

from typing import Any, Literal

import msgspec

"#;

const BASE: &str = r#"

class Wire(msgspec.Struct, frozen=True):
    """What all structs have in common: they never change, and are written whole."""
"#;

/// Returns the content of the file.
pub(super) fn render(shapes: &Shapes) -> Result<String, UnknownShape> {
    let mut file = String::from(HEADER);
    let mut names: Vec<_> = shapes.0.iter().map(|shape| shape.name.as_str()).chain(["Wire"]).collect();
    names.sort_unstable();
    // Writing to a `String` cannot fail.
    let _ = writeln!(file, "__all__ = [\n    \"PROTOCOL_VERSION\",");
    for name in names {
        let _ = writeln!(file, "    {name:?},");
    }
    let _ = writeln!(file, "]\n\nPROTOCOL_VERSION = {}", deputy_protocol::PROTOCOL_VERSION);
    file.push_str(BASE);
    for shape in &shapes.0 {
        match &shape.kind {
            Kind::Struct { tag, fields } => {
                file.push_str("\n\n");
                file.push_str(&head(&shape.name, tag.as_ref()));
                file.push_str(&docstring(&shape.documentation));
                for (index, field) in fields.iter().enumerate() {
                    let first = if index == 0 { "\n" } else { "" };
                    let default = default(shape, field, shapes)?;
                    let _ = write!(file, "{first}{}", comment("    ", &field.documentation));
                    let _ = writeln!(file, "    {}: {}{default}", field.name, type_of(&field.value));
                }
            }
            Kind::Union { variants } => {
                let _ = write!(file, "\n\n{}{} = (\n", comment("", &shape.documentation), shape.name);
                for (index, variant) in variants.iter().enumerate() {
                    let bar = if index == 0 { "" } else { "| " };
                    let documentation = comment("    ", &variant.documentation);
                    let _ = writeln!(file, "{documentation}    {bar}{}", variant.name);
                }
                file.push_str(")\n");
            }
            Kind::Either { values } => {
                let values: Vec<_> = values.iter().map(type_of).collect();
                let documentation = comment("", &shape.documentation);
                let _ = writeln!(file, "\n\n{documentation}{} = {}", shape.name, values.join(" | "));
            }
            Kind::Names { names } => {
                let _ = write!(file, "\n\n{}{} = Literal[\n", comment("", &shape.documentation), shape.name);
                for name in names {
                    let documentation = comment("    ", &name.documentation);
                    let _ = writeln!(file, "{documentation}    {:?},", name.name);
                }
                file.push_str("]\n");
            }
        }
    }
    Ok(file)
}

/// Returns the line that opens a class. All fields are keyword-only, because fields with a default may come before
/// others.
fn head(name: &str, tag: Option<&Tag>) -> String {
    let mut arguments = "Wire, frozen=True, kw_only=True".to_owned();
    if let Some(Tag { field, value }) = tag {
        let _ = write!(arguments, ", tag_field={field:?}, tag={value:?}");
    }
    let line = format!("class {name}({arguments}):\n");
    if line.len() <= WIDTH + 1 { line } else { format!("class {name}(\n    {arguments}\n):\n") }
}

fn docstring(documentation: &str) -> String {
    let line = format!("    \"\"\"{documentation}\"\"\"\n");
    if line.chars().count() <= WIDTH + 1 {
        return line;
    }
    let lines = wrapped(documentation, WIDTH - 7);
    format!("    \"\"\"{}\n    \"\"\"\n", lines.join("\n    "))
}

fn comment(indent: &str, documentation: &str) -> String {
    let lines = wrapped(documentation, WIDTH - indent.len() - 2);
    lines.iter().map(|line| format!("{indent}# {line}\n")).collect()
}

fn type_of(value: &ValueType) -> String {
    match value {
        ValueType::Any => "Any".to_owned(),
        ValueType::Boolean => "bool".to_owned(),
        ValueType::Integer => "int".to_owned(),
        ValueType::Float => "float".to_owned(),
        ValueType::Text => "str".to_owned(),
        ValueType::List(item) => format!("list[{}]", type_of(item)),
        ValueType::Map(item) => format!("dict[str, {}]", type_of(item)),
        ValueType::Optional(item) => format!("{} | None", type_of(item)),
        ValueType::Reference(name) => name.clone(),
    }
}

/// Returns ` = ...` if the field has a default.
fn default(shape: &Shape, field: &Field, shapes: &Shapes) -> Result<String, UnknownShape> {
    let Some(default) = &field.default else { return Ok(String::new()) };
    let literal = match (default, &field.value) {
        (Value::Null, _) => "None".to_owned(),
        (Value::Bool(true), _) => "True".to_owned(),
        (Value::Bool(false), _) => "False".to_owned(),
        (Value::Number(number), _) => number.to_string(),
        (Value::String(text), ValueType::Text | ValueType::Reference(_)) => format!("{text:?}"),
        (Value::Array(items), _) if items.is_empty() => "[]".to_owned(),
        (Value::Object(entries), ValueType::Map(_)) if entries.is_empty() => "{}".to_owned(),
        (Value::Object(_), ValueType::Reference(name)) if *default == defaults_of(name, shapes) => {
            format!("msgspec.field(default_factory={name})")
        }
        _ => {
            let problem = format!("cannot write the default {default} of the field {}", field.name);
            return Err(UnknownShape { name: shape.name.clone(), problem });
        }
    };
    Ok(format!(" = {literal}"))
}

/// Returns the struct `name` with every field at its default.
fn defaults_of(name: &str, shapes: &Shapes) -> Value {
    let fields = shapes.0.iter().filter(|shape| shape.name == name).flat_map(|shape| match &shape.kind {
        Kind::Struct { fields, .. } => fields.as_slice(),
        Kind::Union { .. } | Kind::Names { .. } | Kind::Either { .. } => &[],
    });
    let defaults = fields.map(|field| (field.name.clone(), field.default.clone().unwrap_or_default()));
    Value::Object(defaults.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::shape::Named;
    use serde_json::json;

    fn field(name: &str, value: ValueType, default: Option<Value>) -> Field {
        Field { name: name.to_owned(), documentation: "Why.".to_owned(), value, default }
    }

    fn structure(name: &str, tag: Option<Tag>, fields: Vec<Field>) -> Shape {
        let documentation = format!("A {name}.");
        Shape { name: name.to_owned(), documentation, kind: Kind::Struct { tag, fields } }
    }

    #[test]
    fn every_kind_is_declared() {
        let tag = Tag { field: "kind".to_owned(), value: "cost".to_owned() };
        let cost = structure("Cost", Some(tag), vec![field("cents", ValueType::Integer, Some(json!(0)))]);
        let by_default = json!({"cents": 0});
        let bill = structure(
            "Bill",
            None,
            vec![field("cost", ValueType::Reference("Cost".to_owned()), Some(by_default))],
        );
        let named = |name: &str| Named { name: name.to_owned(), documentation: "It is.".to_owned() };
        let shape =
            |name: &str, kind| Shape { name: name.to_owned(), documentation: "Any.".to_owned(), kind };
        let union = shape("Item", Kind::Union { variants: vec![named("Cost"), named("Bill")] });
        let names = shape("Level", Kind::Names { names: vec![named("low")] });

        let file = render(&Shapes(vec![cost, bill, union, names])).unwrap();
        let declared = [
            "class Cost(Wire, frozen=True, kw_only=True, tag_field=\"kind\", tag=\"cost\"):\n    \"\"\"A Cost.\"\"\"\n\n    # Why.\n    cents: int = 0\n",
            "    cost: Cost = msgspec.field(default_factory=Cost)\n",
            "# Any.\nItem = (\n    # It is.\n    Cost\n    # It is.\n    | Bill\n)\n",
            "# Any.\nLevel = Literal[\n    # It is.\n    \"low\",\n]\n",
        ];
        for wanted in declared {
            assert!(file.contains(wanted), "{wanted}\nis not in\n{file}");
        }
    }

    #[test]
    fn a_default_that_python_would_read_differently_is_refused() {
        let cost = structure("Cost", None, vec![field("cents", ValueType::Integer, Some(json!(0)))]);
        let other = json!({"cents": 7});
        let bill = structure(
            "Bill",
            None,
            vec![field("cost", ValueType::Reference("Cost".to_owned()), Some(other))],
        );
        assert_eq!(render(&Shapes(vec![cost, bill])).unwrap_err().name, "Bill");
    }
}
