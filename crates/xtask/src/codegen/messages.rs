//! Generates a Python function for each message of the sidecar, from the English catalogue.

use super::CodegenError;
use fluent_syntax::ast::{Expression, InlineExpression, Pattern, PatternElement, Variant, VariantKey};
use std::fmt::Write;

#[path = "../../../messages/build/catalogue.rs"]
#[allow(dead_code, reason = "the build of the messages uses the rest")]
mod catalogue;

use catalogue::{Message, Type};

const AREA: &str = "sidecar";

const HEADER: &str = r#""""What the sidecar says to people: a function for each message of its catalogue.

Written by `cargo xtask codegen` from crates/messages/en/sidecar.ftl; do not edit.
"""

from deputy_sidecar.said import Said, argument
"#;

/// Returns the content of the file. The catalogue is a source like the types, so it is always read from this workspace.
pub(super) fn render() -> Result<String, CodegenError> {
    let failed = |problem: String| CodegenError::Messages { problem };
    let messages = catalogue::read(&crate::workspace_root().join("crates/messages"), "en", AREA)
        .map_err(|error| failed(error.to_string()))?;
    let mut file = String::from(HEADER);
    for message in &messages {
        file.push_str(&function(message).map_err(failed)?);
    }
    Ok(file)
}

fn function(message: &Message) -> Result<String, String> {
    let name = catalogue::name_of(&message.id, AREA)?;
    let parameters = message.arguments.iter().map(|(name, kind)| match kind {
        Type::Text => format!("{name}: object"),
        Type::Number => format!("{name}: int"),
        Type::Message => format!("{name}: str"),
    });
    let parameters: Vec<String> = parameters.collect();
    let star = if parameters.is_empty() { "" } else { "*, " };
    let arguments = message.arguments.iter().map(|(name, kind)| match kind {
        Type::Text => format!("{name:?}: str({name})"),
        Type::Number => format!("{name:?}: {name}"),
        Type::Message => format!("{name:?}: argument({name})"),
    });
    let arguments: Vec<String> = arguments.collect();
    let mut choices = String::new();
    let english =
        words(&message.pattern, &mut choices).map_err(|problem| format!("{}: {problem}", message.id))?;
    let mut function = format!("\n\ndef {name}({star}{}) -> Said:\n{choices}", parameters.join(", "));
    let _ = writeln!(function, "    return Said({:?}, {{{}}}, {english})", message.id, arguments.join(", "));
    Ok(function)
}

/// Returns the expression that formats a pattern in English. Statements that must come before it are added to
/// `choices`.
fn words(pattern: &Pattern<String>, choices: &mut String) -> Result<String, String> {
    let mut format = String::new();
    for element in &pattern.elements {
        match element {
            PatternElement::TextElement { value }
            | PatternElement::Placeable {
                expression: Expression::Inline(InlineExpression::StringLiteral { value }),
            } => format.push_str(&value.replace('{', "{{").replace('}', "}}")),
            PatternElement::Placeable {
                expression: Expression::Inline(InlineExpression::VariableReference { id }),
            } => {
                let _ = write!(format, "{{{}}}", id.name);
            }
            PatternElement::Placeable {
                expression:
                    Expression::Select { selector: InlineExpression::VariableReference { id }, variants },
            } => {
                let (one, other) =
                    counted(variants).ok_or("only `[one]` and `*[other]` are chosen from here")?;
                let (one, other) = (words(one, choices)?, words(other, choices)?);
                let _ = writeln!(choices, "    said_{0} = {one} if {0} == 1 else {other}", id.name);
                let _ = write!(format, "{{said_{}}}", id.name);
            }
            PatternElement::Placeable { .. } => return Err("it has a place of another kind".to_owned()),
        }
    }
    let prefix = if format.contains(['{', '}']) { "f" } else { "" };
    Ok(format!("{prefix}{format:?}"))
}

fn counted(variants: &[Variant<String>]) -> Option<(&Pattern<String>, &Pattern<String>)> {
    let [one, other] = variants else { return None };
    let is_one = matches!(&one.key, VariantKey::Identifier { name } if name == "one");
    (is_one && other.default).then_some((&one.value, &other.value))
}
