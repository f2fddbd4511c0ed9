//! Checks of every request before it is processed: the host that it names, the page that sent it, and that no secret is
//! in its address. A foreign web page must never reach the agent.

use super::failure::{Code, Failure};
use super::pace::paced;
use super::peer::Peer;
use axum::body::HttpBody;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use deputy_messages::server as say;
use deputy_protocol::{ErrorBody, ErrorCode};
use std::sync::Arc;

/// The origin of the desktop window.
const WINDOW: &str = "tauri://localhost";
/// Names of parameters that would contain a secret.
const SECRETS: [&str; 7] = ["token", "session", "access_token", "proof", "key", "code", "authorization"];

/// The page only runs scripts from this server, and no other page can embed it in a frame.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The host names that a server accepts: its own addresses, and the names that the user has configured.
#[derive(Debug)]
pub(super) struct Guard {
    /// `https` or `http`.
    pub(super) scheme: &'static str,
    /// Additional host names, without a port.
    pub(super) names: Vec<String>,
}

/// Checks a request, and adds the common headers to its response.
pub(super) async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let has_body = !request.body().is_end_stream();
    let mut response = match guard.refusal(&request) {
        None => next.run(paced(request)).await,
        Some(error) => Failure::from(error).into_response(),
    };
    let is_error = response.status().is_client_error() || response.status().is_server_error();
    if is_error {
        // Only the code is logged, because the input may contain anything.
        match response.extensions().get::<Code>() {
            Some(Code(code)) => tracing::warn!("a request was refused: {code}"),
            None => tracing::info!("a request was refused: {}", response.status()),
        }
    }
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    if has_body && is_error {
        // A request may be refused before its body has arrived. The connection ends then, and the client must be
        // informed.
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

impl Guard {
    fn refusal(&self, request: &Request) -> Option<ErrorBody> {
        let peer = request.extensions().get::<Peer>()?;
        let headers = request.headers();
        let Some(host) = self.host(headers, peer) else {
            return Some(ErrorBody::new(
                ErrorCode::ForeignHost,
                say::request_names_host(),
                say::use_address_that_deputy_open(),
            ));
        };
        if has_secret(request.uri().query().unwrap_or_default()) {
            return Some(ErrorBody::new(
                ErrorCode::SecretInAddress,
                say::secret_stood_in_address_where(),
                say::send_in_body(),
            ));
        }
        let path = request.uri().path();
        let is_socket = path == "/ws";
        if !is_socket && !path.starts_with("/api/") {
            return None;
        }
        let is_own = match headers.get(header::ORIGIN) {
            Some(origin) => {
                let origin = origin.as_bytes();
                origin == format!("{}://{host}", self.scheme).as_bytes() || origin == WINDOW.as_bytes()
            }
            // A browser always sends the origin of a page that opens a WebSocket or changes something. Other programs
            // send the server's own; for reading, the header `Authorization` proves that no foreign page sent the
            // request.
            None => {
                !is_socket && (request.method() == Method::GET || headers.contains_key(header::AUTHORIZATION))
            }
        };
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        let is_foreign = matches!(site, Some(site) if site != b"same-origin" && site != b"none");
        if is_own && (!is_foreign || headers.get(header::ORIGIN).is_some_and(|o| o == WINDOW)) {
            return None;
        }
        Some(ErrorBody::new(
            ErrorCode::ForeignOrigin,
            say::request_comes_from_page(),
            format!("Programs that are no browser send `Origin: {}://{host}`.", self.scheme),
        ))
    }

    /// Returns the host that the request names, if it is this server.
    fn host<'a>(&self, headers: &'a HeaderMap, peer: &Peer) -> Option<&'a str> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return None };
        let host = host.to_str().ok()?;
        let port = peer.at.port();
        let name = host.strip_suffix(&format!(":{port}"))?;
        let is_address =
            name.trim_matches(['[', ']']).parse().is_ok_and(|ip: std::net::IpAddr| ip == peer.at.ip());
        let is_localhost = peer.at.ip().is_loopback() && name == "localhost";
        (is_address || is_localhost || self.names.iter().any(|own| own == name)).then_some(host)
    }
}

fn has_secret(query: &str) -> bool {
    url::form_urlencoded::parse(query.as_bytes())
        .any(|(name, _)| SECRETS.iter().any(|secret| name.eq_ignore_ascii_case(secret)))
}
