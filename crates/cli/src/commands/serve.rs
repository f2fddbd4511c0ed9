//! `deputy serve`: keeps tasks running in the background until it is told to end.

use super::Context;
use crate::failure::{End, Failure};
use crate::session::{OwnHost, Tasks};
use crate::view::{self, Screen};
use deputy_protocol::{PROTOCOL_VERSION, ServerMessage, Welcome};
use tokio::signal::unix::{SignalKind, signal};

/// Serves until Ctrl-C or a request to end.
pub(crate) async fn execute(cx: &Context) -> Result<End, Failure> {
    let Some(own) = OwnHost::start(&cx.homes, Tasks::Resume).await? else {
        let message = format!("Another process serves {} already.", cx.homes.deputy.display());
        return Err(Failure::new(
            "already_served",
            message,
            "Use it: every command finds it. `deputy status` shows what it does.",
        ));
    };
    let mut terminate = signal(SignalKind::terminate()).map_err(|error| {
        Failure::new("signal", format!("Signals cannot be heard: {error}."), "Try again.")
    })?;
    if cx.json {
        // Programs that started this wait for it: from now on the socket answers.
        let seq = own.host.store().last_seq()?;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        view::print_json(&ServerMessage::Welcome(Welcome { protocol: PROTOCOL_VERSION, version, seq }));
    } else {
        Screen::new().line(&format!(
            "Serving {}. Ctrl-C ends it; tasks go on with the next start.",
            cx.homes.deputy.display()
        ));
    }
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
    own.close().await;
    Ok(End::Done)
}
