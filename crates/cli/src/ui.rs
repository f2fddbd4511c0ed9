//! Finds the built UI, in the package that contains the executable or in the checkout it was built in, and serves it.

use crate::failure::Failure;
use crate::session::OwnHost;
use deputy_protocol::{ErrorCode, LinkOutcome};
use deputy_server::{DEFAULT_PORT, Notifier, WebError, WebServer, WebSettings};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// Finds the folder with the page's `index.html`. Searches upwards from the executable for `lib/deputy/ui` of an
/// installed package, then for `dist` of a checkout.
fn find() -> Option<PathBuf> {
    let exe = std::env::current_exe().ok()?.canonicalize().ok()?;
    let folders = exe.ancestors().skip(1);
    let mut places = folders
        .flat_map(|folder| [folder.join("lib/deputy/ui"), folder.join("dist"), folder.join("src/dist")]);
    places.find(|place| place.join("index.html").is_file())
}

/// Serves the page and creates the first link to it. If the default port is used by another home, any free port is
/// used. If a requested port is not available, this is an error.
pub async fn serve_page(own: &OwnHost, listen: Option<SocketAddr>) -> Result<LinkOutcome, Failure> {
    let settings = WebSettings { ui: find(), names: own.config.server.names.clone() };
    let asked = listen.or(own.config.server.listen);
    let address = asked.unwrap_or(SocketAddr::from((Ipv4Addr::LOCALHOST, DEFAULT_PORT)));
    let web = match WebServer::bind(address, settings.clone()).await {
        Err(WebError::InUse(_)) if asked.is_none() => {
            WebServer::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), settings.clone()).await
        }
        bound => bound,
    };
    let web = web.map_err(|error| {
        let (code, hint) = match error {
            WebError::NotLoopback(_) => {
                (ErrorCode::NotLoopback, "Other devices connect through pairing: `deputy devices pair`.")
            }
            WebError::InUse(_) => (
                ErrorCode::PortInUse,
                "Choose another port with --listen 127.0.0.1:PORT, or end that program.",
            ),
            WebError::Listen { .. } => (ErrorCode::Listen, "Choose another address with --listen."),
        };
        Failure::new(code, format!("The page cannot be served: {error}."), hint)
    })?;
    let notifier = Notifier::new(own.mirror.clone(), &own.config.notify).map_err(|error| {
        Failure::new(ErrorCode::Config, format!("{error}."), "Fix it with `deputy config set`.")
    })?;
    own.serve_web(web, settings, notifier);
    Ok(own.mirror.link()?)
}
