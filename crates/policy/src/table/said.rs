//! The messages of the tables: each `about` and `reason` in `data` is the id of a message in
//! `crates/messages/en/commands.ftl`.

use deputy_protocol::Phrase;
use serde::{Deserialize, Deserializer, de};

/// Deserializes a message id into its message.
pub(crate) fn said<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Phrase, D::Error> {
    let id = String::deserialize(deserializer)?;
    deputy_messages::fixed(&id)
        .ok_or_else(|| de::Error::custom(format_args!("there is no message {id} without arguments")))
}
