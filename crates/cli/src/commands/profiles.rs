//! `deputy profiles`: lists the kinds of agents.

use super::Context;
use crate::failure::{End, Failure};
use crate::view::{self, Screen};
use deputy_agent::profile;

/// Lists the profiles.
pub(crate) fn list(cx: &Context) -> Result<End, Failure> {
    for name in profile::names(&cx.homes.deputy) {
        let description = match profile::load(&cx.homes.deputy, &name) {
            Ok(profile) => profile.description,
            Err(error) => error.to_string(),
        };
        if cx.json {
            view::print_json(&serde_json::json!({"name": name, "description": description}));
        } else {
            Screen::new().line(&format!("{name:16} {description}"));
        }
    }
    Ok(End::Done)
}
