//! Redacts what looks like a secret from the results of tools, before they are journalled and sent to the model.
//!
//! The policy protects secrets in known locations. This module handles the others: a token in a log, a password in an
//! address. It only finds secrets with a known shape.
//!
//! A model that has read a redacted file must not write the redaction back: a call that contains the marker and may
//! change something is not run.

mod coded;
mod known;
mod plain;
mod shapes;

pub(crate) use known::{learn, learn_environment};
pub(crate) use plain::text;

use deputy_protocol::{Effect, InnerPicture, ResultPart, ToolResult};
use serde_json::Value;
use std::borrow::Cow;

/// The marker that replaces a secret. It does not occur in ordinary text.
const REDACTED: &str = "[redacted by Deputy]";

/// Redacts a result before it is journalled and sent to the model.
pub(crate) fn result(mut result: ToolResult) -> ToolResult {
    if let Cow::Owned(redacted) = text(&result.content) {
        result.content = redacted;
    }
    result.parts.iter_mut().for_each(part);
    // The arguments of the message are dropped, because they contain the secret as well.
    if let Cow::Owned(redacted) = text(&result.summary) {
        result.summary = redacted.into();
    }
    result
}

/// Redacts the texts of a part. The pixels of a picture are not changed.
fn part(part: &mut ResultPart) {
    let told = |field: &mut String| {
        if let Cow::Owned(redacted) = text(field) {
            *field = redacted;
        }
    };
    match part {
        ResultPart::Text(part) => told(&mut part.text),
        ResultPart::Picture(part) => {
            if let Cow::Owned(redacted) = text(&part.alt) {
                part.alt = redacted.into();
            }
        }
        ResultPart::File(_) => {}
        ResultPart::Web(part) => {
            part.page.iter_mut().for_each(told);
            if let Some(InnerPicture::Picture(picture)) = part.aimed.as_mut().map(|aimed| &mut aimed.picture)
                && let Cow::Owned(redacted) = text(&picture.alt)
            {
                picture.alt = redacted.into();
            }
        }
        ResultPart::Data(part) => each_text(&mut part.value, &told),
    }
}

/// Calls a function for every text in a JSON value.
fn each_text(value: &mut Value, told: &impl Fn(&mut String)) {
    match value {
        Value::String(text) => told(text),
        Value::Array(items) => items.iter_mut().for_each(|item| each_text(item, told)),
        Value::Object(fields) => fields.values_mut().for_each(|field| each_text(field, told)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Redacts the secrets in a diff that the file contained before. Secrets that the call itself adds are kept, so that
/// the person who is asked sees what would be written.
pub(crate) fn difference(diff: &str) -> String {
    let before = |diff: &str| {
        let lines: Vec<&str> = diff.lines().filter_map(|line| line.strip_prefix([' ', '-'])).collect();
        lines.join("\n")
    };
    let mut told = diff.to_owned();
    for secret in taken_out(&before(diff)) {
        told = told.replace(&secret, REDACTED);
    }
    // If a secret remains, none of the file's content is shown.
    if text(&before(&told)) != before(&told) {
        let lines = told.lines().map(|line| match line.chars().next() {
            Some(sign @ (' ' | '-')) => format!("{sign}{REDACTED}\n"),
            _ => format!("{line}\n"),
        });
        told = lines.collect();
    }
    told
}

/// Returns the secrets of a text, longest first. Secrets of several lines are returned line by line.
fn taken_out(before: &str) -> Vec<String> {
    // Shorter lines of a secret reveal nothing, and occur in many texts.
    const SHORTEST_LINE: usize = 6;
    let redacted = text(before);
    let Some((first, others)) = redacted.split_once(REDACTED) else { return Vec::new() };
    let (others, last) = others.rsplit_once(REDACTED).unwrap_or(("", others));
    let inside = before.strip_prefix(first).and_then(|rest| rest.strip_suffix(last));
    let mut rest = inside.unwrap_or(before);
    let mut found = Vec::new();
    // Blanks between two secrets may also be part of a secret, so both are treated as one.
    for kept in others.split(REDACTED).filter(|kept| !kept.trim().is_empty()) {
        if let Some((secret, behind)) = rest.split_once(kept) {
            found.push(secret);
            rest = behind;
        }
    }
    found.push(rest);
    let lines = found.into_iter().flat_map(str::lines).filter(|line| line.len() >= SHORTEST_LINE);
    let mut lines: Vec<String> = lines.map(str::to_owned).collect();
    lines.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    lines.dedup();
    lines
}

/// Returns why a call is not run: it would write the marker in place of a secret.
pub(crate) fn would_write_mark(parameters: &Value, effect: Effect) -> Option<String> {
    (effect != Effect::ReadOnly && holds_mark(parameters)).then(|| {
        format!(
            "Nothing was changed: the arguments hold `{REDACTED}`, which stands where a secret was taken out of what you \
             were shown, and writing it would destroy the secret. Change the lines around it with `patch`, or ask the user."
        )
    })
}

fn holds_mark(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains(REDACTED),
        Value::Array(values) => values.iter().any(holds_mark),
        Value::Object(fields) => fields.values().any(holds_mark),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
#[path = "redact_tests.rs"]
mod tests;
