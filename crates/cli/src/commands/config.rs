//! `deputy config`: shows and changes settings.

use super::Context;
use crate::args::ConfigCommand;
use crate::failure::{End, Failure};
use crate::view::{self, Screen, printable};
use deputy_agent::{backends, config};
use deputy_protocol::{ChangeSettingsCommand, Command, ErrorCode, Limits, Query, QueryAnswer, SettingsQuery};
use deputy_server::Client;

/// Lists the settings in the file, or reads or changes one.
pub(crate) async fn execute(cx: &Context, command: ConfigCommand) -> Result<End, Failure> {
    match command {
        ConfigCommand::List => {
            let settings = config::entries(&cx.homes.deputy)?;
            let screen = Screen::new();
            for (key, value) in &settings {
                match cx.json {
                    true => view::print_json(&serde_json::json!({"key": key, "value": value})),
                    false => screen.line(&printable(&format!("{key} = {value}"))),
                }
            }
            if settings.is_empty() && !cx.json {
                screen.hint("Every setting has its default. `deputy config set KEY VALUE` changes one.");
            }
        }
        ConfigCommand::Get { key } => {
            let set = config::get(&cx.homes.deputy, &key)?;
            let Some(value) = set.map_or_else(|| limit_in_force(cx, &key), |value| Ok(Some(value)))? else {
                let message = format!("`{key}` is not set.");
                return Err(Failure::new(
                    ErrorCode::NotSet,
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
                return Err(Failure::usage("Keys do not belong in a file that others can read.", hint));
            }
            if key == "backend" {
                backends::known(&cx.homes.deputy, &value)?;
            }
            config::set(&cx.homes.deputy, &key, &value)?;
            take_up(cx, &key).await?;
        }
    }
    Ok(End::Done)
}

/// Returns the value in effect of a limit that is not set.
fn limit_in_force(cx: &Context, key: &str) -> Result<Option<String>, Failure> {
    let Some(name) = key.strip_prefix("limits.") else { return Ok(None) };
    let limits = config::Config::load(&cx.homes.deputy)?.limits.over(Limits::default());
    let limits = serde_json::to_value(limits).unwrap_or_default();
    Ok(limits.get(name).map(ToString::to_string))
}

/// Makes a running host reload the file, and reports whether the setting only takes effect after a restart.
pub(super) async fn take_up(cx: &Context, key: &str) -> Result<(), Failure> {
    let Some(mut client) = Client::connect(&cx.homes.deputy, None, false).await? else { return Ok(()) };
    let nothing_more = ChangeSettingsCommand { changes: Vec::new() };
    client.command(Command::ChangeSettings(nothing_more)).await?;
    let answer = client.query(Query::Settings(SettingsQuery {})).await?;
    let QueryAnswer::Settings(settings) = answer else { return Ok(()) };
    let waits = |name: &String| {
        key == name || key.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('.'))
    };
    if !cx.json && settings.after_restart.iter().any(waits) {
        Screen::new().line(&format!("`{key}` takes effect when Deputy starts again."));
    }
    Ok(())
}
