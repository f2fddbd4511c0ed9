//! `deputy serve`: runs tasks in the background and serves the page, until it is stopped.

use super::{Context, jobs};
use crate::args::ServeArgs;
use crate::failure::{End, Failure};
use crate::session::OwnHost;
use crate::ui::serve_page;
use crate::view::{self, Screen};
use deputy_protocol::{ErrorCode, PROTOCOL_VERSION, ServerMessage, Welcome};
use std::io::IsTerminal;
use tokio::signal::unix::{SignalKind, signal};

/// Serves until Ctrl-C or a termination signal.
pub(crate) async fn execute(cx: &Context, args: ServeArgs) -> Result<End, Failure> {
    let Some(own) = OwnHost::start_for_tasks(&cx.homes).await? else {
        let message = format!("Another process serves {} already.", cx.homes.deputy.display());
        return Err(Failure::new(
            ErrorCode::AlreadyServed,
            message,
            "Use it: every command finds it. `deputy status` shows what it does.",
        ));
    };
    own.warm();
    let link = match serve_page(&own, args.listen).await {
        Ok(link) => link,
        Err(failure) => {
            own.close().await;
            return Err(failure);
        }
    };
    let mut terminate = signal(SignalKind::terminate()).map_err(|error| {
        Failure::new(ErrorCode::Runtime, format!("Signals cannot be heard: {error}."), "Try again.")
    })?;
    if cx.json {
        // Programs that started this process wait for this line: the socket now answers.
        let seq = own.host.store().last_seq()?;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        view::print_json(&ServerMessage::Welcome(Welcome {
            protocol: PROTOCOL_VERSION,
            version,
            seq,
            scopes: Vec::new(),
            local: true,
        }));
    } else {
        let screen = Screen::new();
        screen.line(&format!(
            "Serving {}. Ctrl-C stops; tasks continue at the next start.",
            cx.homes.deputy.display()
        ));
        // Anyone with the link can open the page as this user, so it is only printed on a terminal, never to a log.
        if std::io::stdout().is_terminal() {
            screen.line(&format!("Open once: {}", link.url));
            screen.hint("`deputy open` makes another link.");
        } else {
            screen.hint("`deputy open` makes a link to the page.");
        }
        // A journal that cannot be read does not stop the host from running tasks; `deputy doctor` reports it.
        let cut_off = jobs::interrupted(cx).unwrap_or_default();
        jobs::interrupted_lines(&cut_off).iter().for_each(|line| screen.line(line));
    }
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
    own.close().await;
    Ok(End::Done)
}
