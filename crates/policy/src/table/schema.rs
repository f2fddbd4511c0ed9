//! JSON Schemas of the data files, for editors and for authors of entries. They are generated from the types that
//! parse the data.

use super::entry::{Kind, Operands, Source, Words};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;
use std::borrow::Cow;

/// Returns the schemas of the table of commands, of effects, of secrets, of guarded places and of loans.
pub fn schemas() -> [Value; 5] {
    [
        schemars::schema_for!(Source).to_value(),
        schemars::schema_for!(crate::command::effects::Source).to_value(),
        schemars::schema_for!(crate::path::SecretSource).to_value(),
        schemars::schema_for!(crate::path::GuardedSource).to_value(),
        schemars::schema_for!(crate::command::loans::Source).to_value(),
    ]
}

impl JsonSchema for Words {
    fn schema_name() -> Cow<'static, str> {
        "Words".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": "Words separated by blanks." })
    }
}

impl JsonSchema for Operands {
    fn schema_name() -> Cow<'static, str> {
        "Operands".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let pattern = format!(r"^(?:{})?(?:\.\.\.)?$", kinds());
        json_schema!({
            "type": "string",
            "description": "Kinds of the operands in order, separated by blanks; `...` behind the last: any number of it.",
            "pattern": pattern,
        })
    }
}

/// Returns the schema of `values`: kinds of values, and the flags that have them.
pub(super) fn values(generator: &mut SchemaGenerator) -> Schema {
    let flags = generator.subschema_for::<Words>();
    json_schema!({
        "type": "object",
        "propertyNames": { "pattern": format!(r"^{}\??$", kinds()) },
        "additionalProperties": flags,
    })
}

/// Returns a pattern for one or more kinds.
fn kinds() -> String {
    let names = Kind::ALL.map(|kind| format!("{kind:?}").to_uppercase()).join("|");
    format!("(?:{names})(?: (?:{names}))*")
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex::Regex;

    /// Collects everything in a value that the schema does not allow, for the features that these schemas use.
    fn wrong(schema: &Value, root: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
        if let Some(name) = schema["$ref"].as_str() {
            return wrong(&root["$defs"][name.trim_start_matches("#/$defs/")], root, value, at, found);
        }
        let matches = |pattern: &Value, text: &str| {
            pattern.as_str().is_none_or(|pattern| Regex::new(pattern).unwrap().is_match(text))
        };
        match value {
            Value::Object(fields) => {
                for required in schema["required"].as_array().into_iter().flatten() {
                    if !fields.contains_key(required.as_str().unwrap()) {
                        found.push(format!("{at}: no {required}"));
                    }
                }
                for (name, value) in fields {
                    let below = match schema["properties"].get(name) {
                        Some(known) => known,
                        None if schema["additionalProperties"].is_object() => &schema["additionalProperties"],
                        None => {
                            found.push(format!("{at}: {name} is unknown"));
                            continue;
                        }
                    };
                    if !matches(&schema["propertyNames"]["pattern"], name) {
                        found.push(format!("{at}: {name} is no key"));
                    }
                    wrong(below, root, value, &format!("{at}.{name}"), found);
                }
            }
            Value::Array(values) => {
                values.iter().for_each(|value| wrong(&schema["items"], root, value, at, found));
            }
            Value::String(text) if !matches(&schema["pattern"], text) => found.push(format!("{at}: {text}")),
            _ => {}
        }
    }

    #[test]
    fn the_data_is_what_the_schemas_say_and_a_mistake_is_not() {
        let [commands, effects, secrets, guarded, loans] = schemas();
        let check = |schema: &Value, text: &str| {
            let value: Value = toml::from_str(text).unwrap();
            let mut found = Vec::new();
            wrong(schema, schema, &value, "", &mut found);
            found
        };
        for source in super::super::entry::SOURCES {
            assert_eq!(check(&commands, source), Vec::<String>::new());
        }
        assert_eq!(check(&effects, include_str!("../../data/effects.toml")), Vec::<String>::new());
        assert_eq!(check(&secrets, include_str!("../../data/secrets.toml")), Vec::<String>::new());
        assert_eq!(check(&guarded, include_str!("../../data/guarded.toml")), Vec::<String>::new());
        assert_eq!(check(&loans, include_str!("../../data/loans.toml")), Vec::<String>::new());
        for (mistake, said) in [
            ("name = 'x'\nabout = 'y'\nsafe = []\nnot_safe = []\nflag = '-x'", "flag is unknown"),
            ("name = 'x'\nabout = 'y'\nsafe = []", "not_safe"),
            ("name = 'x'\nabout = 'y'\nsafe = []\nnot_safe = []\noperands = 'READS'", "READS"),
            ("name = 'x'\nabout = 'y'\nsafe = []\nnot_safe = []\nvalues = { FILE = '-o' }", "FILE is no key"),
        ] {
            let found = check(&commands, &format!("[[command]]\n{mistake}\n")).join("\n");
            assert!(found.contains(said), "{mistake}: {found}");
        }
    }
}
