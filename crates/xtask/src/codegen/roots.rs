//! The root types of the protocol, from which all others are reached.

use deputy_protocol as protocol;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// The side of the wire that a schema is for.
#[derive(Clone, Copy)]
pub(super) enum Side {
    /// The reader: fields with a default may be absent.
    Reader,
    /// The writer: every field is present, and `required` lists the fields in the order of declaration.
    Writer,
}

/// Returns the schema of every type by name.
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
        // The mirror, including tasks, events, commands and grants.
        ClientMessage,
        ServerMessage,
        // Sessions and pairing over HTTP.
        SessionRequest,
        Session,
        Health,
        PairingClaim,
        PairingFinish,
        // The data that policy decides on.
        Facts,
        // The data that organizes files.
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

    /// Returns the names of the structs and enums that the source of the protocol declares. Ids come from a macro and
    /// are inlined, like every type that only wraps a text.
    fn declared() -> BTreeSet<String> {
        let folder = crate::workspace_root().join("crates/protocol/src");
        let mut names = BTreeSet::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let source = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            // Types that cross the wire have a schema. The others describe operations only in Rust.
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
        // These are created by macros from the tables of operations and error codes, and a phrase writes its own
        // schema.
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
