//! `deputy open`: prints a new link to the page.

use super::Context;
use crate::failure::{End, Failure};
use crate::view::{self, Screen};
use deputy_protocol::{Command, CommandOutcome, ErrorCode, LinkCommand};
use deputy_server::Client;

/// Prints a link that opens the page of the running host once.
pub(crate) async fn execute(cx: &Context) -> Result<End, Failure> {
    let Some(mut client) = Client::connect(&cx.homes.deputy, None, false).await? else {
        return Err(Failure::new(
            ErrorCode::NoHost,
            format!("Nothing serves {}.", cx.homes.deputy.display()),
            "Start `deputy serve`; it prints a link.",
        ));
    };
    let CommandOutcome::Link(link) = client.command(Command::Link(LinkCommand {})).await? else {
        return Err(Failure::new(
            ErrorCode::Host,
            "The host's answer does not fit.",
            "Use the same version for both.",
        ));
    };
    if cx.json {
        view::print_json(&CommandOutcome::Link(link));
    } else {
        Screen::new().line(&link.url);
    }
    Ok(End::Done)
}
