//! `deputy config`: settings.

use super::Context;
use crate::args::ConfigCommand;
use crate::failure::{End, Failure};
use crate::view::{self, Screen};
use deputy_agent::config;

/// Reads or changes a setting.
pub(crate) fn execute(cx: &Context, command: ConfigCommand) -> Result<End, Failure> {
    match command {
        ConfigCommand::Get { key } => {
            let Some(value) = config::get(&cx.homes.deputy, &key)? else {
                let message = format!("`{key}` is not set.");
                return Err(Failure::new(
                    "not_set",
                    message,
                    "docs/configuration.md lists the settings and their defaults.",
                ));
            };
            if cx.json {
                view::print_json(&serde_json::json!({"key": key, "value": value}));
            } else {
                Screen::new().line(&value);
            }
        }
        ConfigCommand::Set { key, value } => {
            if key.ends_with("api_key") {
                let hint =
                    format!("Name the variable that holds it: `deputy config set {key}_env VARIABLE`.");
                return Err(Failure::usage("A key does not belong into a file that others may read.", hint));
            }
            config::set(&cx.homes.deputy, &key, &value)?;
        }
    }
    Ok(End::Done)
}
