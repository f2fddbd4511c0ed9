//! The protocol's types from which every other one is reached.

use deputy_protocol as protocol;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// Which side of the wire a schema is for.
#[derive(Clone, Copy)]
pub(super) enum Side {
    /// What a reader accepts: fields with a default may be absent.
    Reader,
    /// What a writer writes: every field is there, `required` names them in the order of declaration.
    Writer,
}

/// The schema of every type by its name.
pub(super) fn definitions(side: Side) -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12();
    let settings = match side {
        Side::Reader => settings.for_deserialize(),
        Side::Writer => settings.for_serialize(),
    };
    let mut generator = settings.into_generator();
    macro_rules! add {
        ($($root:ident),* $(,)?) => {
            $(generator.subschema_for::<protocol::$root>();)*
        };
    }
    add!(
        // The mirror, with tasks, events, commands and grants below it.
        ClientMessage,
        ServerMessage,
        // Sessions and pairing over HTTP.
        SessionRequest,
        Session,
        Health,
        PairingClaim,
        PairingFinish,
        // What policy decides on.
        Facts,
        // What organizes files.
        OrganizePlan,
        // The sidecar's requests, replies, notifications and errors.
        InitializeParams,
        InitializeResult,
        PlanRequest,
        PlanReply,
        PlanMore,
        PlanAnswer,
        CompleteRequest,
        CompleteReply,
        EmbedRequest,
        EmbedReply,
        ModelListRequest,
        ModelListReply,
        CancelParams,
        ProgressParams,
        LogParams,
        PlanErrorData,
    );
    generator.take_definitions(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Names of the structs and enums that the protocol's source declares; ids come from a macro and are inlined, as
    /// everything is that only wraps a text.
    fn declared() -> BTreeSet<String> {
        let folder = crate::workspace_root().join("crates/protocol/src");
        let mut names = BTreeSet::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let source = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            // What crosses the wire has a schema; the rest is said about operations in Rust alone.
            let mut is_on_wire = false;
            for line in source.lines().filter(|line| !line.ends_with("(pub String);")) {
                is_on_wire |= line.contains("JsonSchema") && !line.starts_with("use ");
                let Some(rest) = line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub enum "))
                else {
                    continue;
                };
                if std::mem::take(&mut is_on_wire) {
                    let name = rest.split(|letter: char| !letter.is_alphanumeric()).next();
                    names.insert(name.unwrap().to_owned());
                }
            }
        }
        // These are made by macros from the tables of operations and of error codes, and a phrase writes its schema itself.
        names.extend(
            ["Query", "Command", "QueryAnswer", "CommandOutcome", "ErrorCode", "Phrase"].map(str::to_owned),
        );
        names
    }

    #[test]
    fn every_public_type_is_reached() {
        let reached: BTreeSet<_> = definitions(Side::Reader).keys().cloned().collect();
        assert_eq!(declared(), reached);
    }
}
