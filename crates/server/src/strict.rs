//! Refuses unknown fields of a command. A client that sends one, such as a consent or a limit, must not believe that it
//! takes effect.

use deputy_messages::server as say;
use deputy_protocol::{ErrorBody, ErrorCode};
use serde::Serialize;
use serde_json::Value;

/// Returns an error that names the first field that was not understood, if any.
pub(crate) fn refuse_unknown(said: &str, understood: &impl Serialize) -> Result<(), ErrorBody> {
    let (Ok(said), Ok(understood)) = (serde_json::from_str(said), serde_json::to_value(understood)) else {
        return Ok(());
    };
    match unknown(&said, &understood) {
        None => Ok(()),
        Some(path) => Err(ErrorBody::new(
            ErrorCode::BadField,
            say::command_has_field(path),
            say::docs_protocol_md_and_api(),
        )),
    }
}

/// Returns the first field of the input that is missing from the parsed value. The parsed value is serialized with
/// every known field, including those that were left out of the input.
fn unknown(said: &Value, understood: &Value) -> Option<String> {
    match (said, understood) {
        (Value::Object(said), Value::Object(understood)) => said.iter().find_map(|(name, value)| {
            let short: String = name.chars().take(60).flat_map(char::escape_debug).collect();
            match understood.get(name) {
                None => Some(short),
                Some(known) => unknown(value, known).map(|below| format!("{short}.{below}")),
            }
        }),
        (Value::Array(said), Value::Array(understood)) => {
            said.iter().zip(understood).find_map(|(said, understood)| unknown(said, understood))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_protocol::CommandEnvelope;

    fn refused(said: &str) -> Option<String> {
        let understood: CommandEnvelope = serde_json::from_str(said).unwrap();
        refuse_unknown(said, &understood).err().map(|error| error.message.into())
    }

    #[test]
    fn unknown_fields_are_named_wherever_they_are() {
        let known =
            r#"{"id":"c","command":{"command":"start","goal":"g","workspace":"/w","scope":{"read":["/r"]}}}"#;
        assert_eq!(refused(known), None);
        for (said, field) in [
            (known.replace(r#""goal""#, r#""consent":"high","goal""#), "command.consent"),
            (known.replace(r#""read""#, r#""raed":[],"read""#), "command.scope.raed"),
            (known.replace(r#"{"id""#, r#"{"force\u001b":true,"id""#), "force\\u{1b}"),
        ] {
            let message = refused(&said).unwrap();
            assert_eq!(message, format!("The command has a field that this host does not know: {field}."));
        }
    }

    #[test]
    fn every_sample_of_a_command_is_understood_whole() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
        let mut seen = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if !path.file_name().unwrap().to_string_lossy().starts_with("command_") {
                continue;
            }
            let sample: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
            assert_eq!(refused(&sample["value"].to_string()), None, "{}", path.display());
            seen += 1;
        }
        assert!(seen > 10);
    }
}
