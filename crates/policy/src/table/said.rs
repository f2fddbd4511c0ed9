//! What the data says in words: each text in `data` is the id of a message in `crates/messages/en/commands.ftl`.

use deputy_protocol::Phrase;
use serde::{Deserialize, Deserializer, de};

/// Reads the id of a message as the message.
pub(crate) fn said<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Phrase, D::Error> {
    let id = String::deserialize(deserializer)?;
    deputy_messages::fixed(&id)
        .ok_or_else(|| de::Error::custom(format_args!("there is no message {id} without arguments")))
}
