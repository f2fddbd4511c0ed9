//! Generates TypeScript: an interface for every struct, a union type for every union.

use super::shape::{Kind, Shape, Shapes, ValueType};
use deputy_protocol::ErrorCode;
use std::fmt::Write;

const HEADER: &str = "\
/** The words of Deputy as types. Written by `cargo xtask codegen` from crates/protocol; do not edit. */

/** Version of every protocol; peers with another one are refused with a clear error. */
export const PROTOCOL_VERSION = ";

/// Returns the content of the file.
pub(super) fn render(shapes: &Shapes) -> String {
    let mut file = format!("{HEADER}{};\n", deputy_protocol::PROTOCOL_VERSION);
    for shape in &shapes.0 {
        // Writing to a `String` cannot fail.
        let _ = declare(&mut file, shape);
    }
    file.push_str(&final_errors());
    file
}

/// Returns the errors that end a connection for good.
fn final_errors() -> String {
    let names = ErrorCode::all().filter(|info| info.is_final).map(|info| format!("  {:?},\n", info.name));
    let names: String = names.collect();
    format!(
        "\n/** Errors of a connection that connecting again does not mend. */\n\
         export const FINAL_ERRORS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([\n{names}]);\n"
    )
}

fn declare(file: &mut String, shape: &Shape) -> std::fmt::Result {
    writeln!(file, "\n/** {} */", shape.documentation)?;
    match &shape.kind {
        Kind::Struct { tag, fields } => {
            writeln!(file, "export interface {} {{", shape.name)?;
            if let Some(tag) = tag {
                writeln!(file, "  {}: {:?};", tag.field, tag.value)?;
            }
            for field in fields {
                writeln!(file, "  /** {} */", field.documentation)?;
                writeln!(file, "  {}: {};", field.name, type_of(&field.value))?;
            }
            writeln!(file, "}}")
        }
        Kind::Union { variants } => {
            write!(file, "export type {} =", shape.name)?;
            for variant in variants {
                write!(file, "\n  /** {} */\n  | {}", variant.documentation, variant.name)?;
            }
            writeln!(file, ";")
        }
        Kind::Either { values } => {
            let values: Vec<_> = values.iter().map(type_of).collect();
            writeln!(file, "export type {} = {};", shape.name, values.join(" | "))
        }
        Kind::Names { names } => {
            write!(file, "export type {} =", shape.name)?;
            for name in names {
                write!(file, "\n  /** {} */\n  | {:?}", name.documentation, name.name)?;
            }
            writeln!(file, ";")
        }
    }
}

fn type_of(value: &ValueType) -> String {
    match value {
        ValueType::Any => "unknown".to_owned(),
        ValueType::Boolean => "boolean".to_owned(),
        ValueType::Integer | ValueType::Float => "number".to_owned(),
        ValueType::Text => "string".to_owned(),
        ValueType::List(item) => match **item {
            ValueType::Optional(_) => format!("({})[]", type_of(item)),
            _ => format!("{}[]", type_of(item)),
        },
        ValueType::Map(item) => format!("Record<string, {}>", type_of(item)),
        ValueType::Optional(item) => format!("{} | null", type_of(item)),
        ValueType::Reference(name) => name.clone(),
    }
}
