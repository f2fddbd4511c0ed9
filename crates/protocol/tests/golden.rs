//! The samples in `tests/golden` are what the wire looks like: Rust reads each and writes the same value back,
//! and together they show every type, every variant and every name that the protocol has.

#![allow(clippy::unwrap_used, reason = "a panic here is a failed test")]

use deputy_protocol as protocol;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A sample: the name of a type of the protocol, and a value of it.
#[derive(serde::Deserialize)]
struct Sample {
    r#type: String,
    value: Value,
}

fn samples() -> Vec<(PathBuf, Sample)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let sample =
                serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            (path, sample)
        })
        .collect()
}

fn read_and_write<T: Serialize + DeserializeOwned>(value: &Value) -> serde_json::Result<Value> {
    serde_json::to_value(serde_json::from_str::<T>(&value.to_string())?)
}

/// Reads the value as the type called `name` and writes it back.
fn through_rust(name: &str, value: &Value) -> serde_json::Result<Value> {
    macro_rules! by_name {
        ($($known:ident),* $(,)?) => {
            match name {
                $(stringify!($known) => read_and_write::<protocol::$known>(value),)*
                other => panic!("no sample may have the type {other}; name it here first"),
            }
        };
    }
    by_name!(
        CancelParams,
        ClientMessage,
        CommandEnvelope,
        CompleteReply,
        CompleteRequest,
        EmbedReply,
        EmbedRequest,
        EventRecord,
        Facts,
        Health,
        InitializeParams,
        InitializeResult,
        LogParams,
        ModelListReply,
        ModelListRequest,
        OrganizePlan,
        PairingClaim,
        PairingFinish,
        PlanErrorData,
        PlanAnswer,
        PlanMore,
        PlanReply,
        PlanRequest,
        ProgressParams,
        ServerMessage,
        Session,
        SessionRequest,
        Verdict,
    )
}

#[test]
fn rust_writes_what_it_reads() {
    for (path, sample) in samples() {
        let written = through_rust(&sample.r#type, &sample.value)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(written, sample.value, "{}", path.display());
    }
}

/// Walks a value beside its schema and notes each type, variant and name it meets.
struct Walk<'a> {
    definitions: &'a Value,
    met: BTreeSet<String>,
}

impl Walk<'_> {
    fn named(&mut self, name: &str, value: &Value) {
        self.met.insert(name.to_owned());
        let definitions = self.definitions;
        let schema = &definitions[name];
        match schema["oneOf"].as_array() {
            None => self.inside(schema, value),
            Some(choices) => {
                let choice = choices.iter().find(|choice| fits(choice, value));
                let choice = choice.unwrap_or_else(|| panic!("{value} is no variant of {name}"));
                self.met.insert(label(name, choice));
                if let Some(variant) = reference(choice) {
                    self.named(variant, value);
                }
            }
        }
    }

    fn inside(&mut self, schema: &Value, value: &Value) {
        if let Some(name) = reference(schema) {
            return self.named(name, value);
        }
        for choice in schema["anyOf"].as_array().into_iter().flatten() {
            if !value.is_null() && reference(choice).is_some() {
                self.inside(choice, value);
            }
        }
        for (field, of_field) in schema["properties"].as_object().into_iter().flatten() {
            if let Some(value) = value.get(field) {
                self.inside(of_field, value);
            }
        }
        for item in value.as_array().into_iter().flatten() {
            self.inside(&schema["items"], item);
        }
    }
}

fn reference(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix("#/$defs/")
}

/// Whether the value is this name, or carries this variant's tag.
fn fits(choice: &Value, value: &Value) -> bool {
    match choice["properties"].as_object() {
        Some(tag) => tag.iter().all(|(field, tag)| value[field] == tag["const"]),
        None => *value == choice["const"],
    }
}

/// `Union::variant` or `Enum::name`.
fn label(name: &str, choice: &Value) -> String {
    let tag = choice["properties"].as_object().and_then(|tag| tag.values().next());
    format!("{name}::{}", tag.unwrap_or(choice)["const"].as_str().unwrap())
}

#[test]
fn every_type_variant_and_name_occurs() {
    let schema: Value = serde_json::from_str(include_str!("../generated/protocol.schema.json")).unwrap();
    let definitions = &schema["$defs"];
    let mut walk = Walk { definitions, met: BTreeSet::new() };
    for (_, sample) in samples() {
        walk.named(&sample.r#type, &sample.value);
    }
    let mut wanted = BTreeSet::new();
    for (name, definition) in definitions.as_object().unwrap() {
        wanted.insert(name.clone());
        let choices = definition["oneOf"].as_array().into_iter().flatten();
        // Each error code is written and read beside the table that declares them all.
        if name != "ErrorCode" {
            wanted.extend(choices.map(|choice| label(name, choice)));
        }
    }
    let missing: Vec<_> = wanted.difference(&walk.met).collect();
    assert!(missing.is_empty(), "no sample in tests/golden shows {missing:?}");
}
