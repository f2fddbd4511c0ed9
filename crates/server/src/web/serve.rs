//! Listens, and serves each connection with limits on time and size.

use super::crowd::{Crowd, Room};
use super::guard::{self, Guard};
use super::pages::{self, Pages};
use super::peer::Peer;
use super::{api, socket};
use crate::gate::Channel;
use crate::mirror::Mirror;
use crate::wire::patient;
use axum::extract::{DefaultBodyLimit, FromRef};
use axum::response::Response;
use axum::routing::{any, get};
use axum::{Router, middleware};
use deputy_messages::Phrase;
use deputy_messages::server as say;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The maximum size of a body, in bytes.
const MAX_BODY_BYTES: usize = 256 * 1024;
/// The maximum size of a request's head, in bytes. It is the smallest limit that the HTTP library supports.
const MAX_HEAD_BYTES: usize = 8 * 1024;
/// The timeout for a request's head, which also applies to the next request on the same connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// The maximum number of connections. A connection is only a stranger until its first message is read, so a few places
/// are enough for many clients.
const ROOM: Room = Room { strangers: 512, known: 4_096 };
/// How long a response in progress may take when the host ends.
const FAREWELL: Duration = Duration::from_secs(2);

/// The settings of the web server.
#[derive(Clone, Debug, Default)]
pub struct WebSettings {
    /// The folder of the built UI. If absent, a plain page explains how to build it.
    pub ui: Option<PathBuf>,
    /// Additional names of this machine that requests may use.
    pub names: Vec<String>,
}

/// The reason why the web server does not start.
#[derive(Debug, thiserror::Error)]
pub enum WebError {
    /// Without TLS, only loopback is allowed.
    NotLoopback(SocketAddr),
    /// Another program uses the address.
    InUse(SocketAddr),
    /// The system does not allow it.
    Listen {
        /// The address.
        address: SocketAddr,
        /// The cause.
        source: std::io::Error,
    },
}

impl WebError {
    /// Returns the message for this error.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::NotLoopback(address) => say::not_loopback(address),
            Self::InUse(address) => say::address_in_use(address),
            Self::Listen { address, source } => say::cannot_be_listened(address, source),
        }
    }
}

deputy_messages::said_by_phrase!(WebError);

/// A web server that is listening.
#[derive(Debug)]
pub struct WebServer {
    listener: TcpListener,
    address: SocketAddr,
    settings: WebSettings,
}

/// The state passed to every handler.
#[derive(Clone)]
pub(super) struct Web {
    pub(super) mirror: Mirror,
    pub(super) pages: Pages,
    pub(super) end: CancellationToken,
}

impl FromRef<Web> for Pages {
    fn from_ref(web: &Web) -> Self {
        web.pages.clone()
    }
}

impl WebServer {
    /// Listens at a loopback address. Port 0 selects a free port.
    pub async fn bind(address: SocketAddr, settings: WebSettings) -> Result<Self, WebError> {
        if !address.ip().is_loopback() {
            return Err(WebError::NotLoopback(address));
        }
        let failed = |source: std::io::Error| match source.kind() {
            std::io::ErrorKind::AddrInUse => WebError::InUse(address),
            _ => WebError::Listen { address, source },
        };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { listener, address, settings })
    }

    /// Returns the address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `end` is cancelled.
    pub async fn serve(self, mirror: Mirror, end: CancellationToken) {
        serve(self.listener, None, self.settings, mirror, end).await;
    }
}

/// Serves a listener, with TLS if given, until `end` is cancelled.
pub(super) async fn serve(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    settings: WebSettings,
    mirror: Mirror,
    end: CancellationToken,
) {
    let serving = accept(listener, tls, settings, mirror.clone(), ROOM, end);
    mirror.screens().speak(serving).await;
}

async fn accept(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    settings: WebSettings,
    mirror: Mirror,
    room: Room,
    end: CancellationToken,
) {
    let guard = Guard { scheme: if tls.is_some() { "https" } else { "http" }, names: settings.names };
    let fingerprint = mirror.gate().fingerprint().to_owned();
    let pages = Pages(Arc::new(settings.ui));
    let router = router(Web { mirror, pages, end: end.clone() }, guard);
    let connections = TaskTracker::new();
    let crowd = Crowd::new(room);
    loop {
        let accepted = tokio::select! {
            () = end.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        let (stream, from) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!("a connection could not be taken: {error}");
                crowd.make_room();
                // For example, no file descriptors are left. Without a pause this would be a busy loop.
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let Ok(at) = stream.local_addr() else { continue };
        let place = crowd.enter(from.ip());
        // Events are small, and must be sent immediately.
        let _ = stream.set_nodelay(true);
        let (router, end) = (router.clone(), end.clone());
        match tls.clone() {
            None => {
                let peer = Peer { at, channel: Channel::Loopback, place };
                connections.spawn(serve_connection(stream, peer, router, end));
            }
            Some(tls) => {
                let channel = Channel::Tls { fingerprint: fingerprint.clone(), from: from.ip() };
                connections.spawn(async move {
                    let cut = place.cut();
                    let shaken = tokio::select! {
                        shaken = tokio::time::timeout(HEAD_TIMEOUT, tls.accept(stream)) => shaken,
                        () = cut.cancelled() => return,
                    };
                    if let Ok(Ok(stream)) = shaken {
                        serve_connection(stream, Peer { at, channel, place }, router, end).await;
                    }
                });
            }
        }
    }
    connections.close();
    // An event stream does not end on its own.
    let _ = tokio::time::timeout(FAREWELL, connections.wait()).await;
}

fn router(web: Web, guard: Guard) -> Router {
    Router::new()
        .route("/ws", any(socket::upgrade))
        .merge(api::routes())
        .fallback(get(pages::page))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(middleware::from_fn_with_state(Arc::new(guard), guard::check))
        .with_state(web)
}

async fn serve_connection(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    peer: Peer,
    router: Router,
    end: CancellationToken,
) {
    let cut = peer.place.cut();
    let service = Known { peer, routes: TowerToHyperService::new(router) };
    let mut connection = std::pin::pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIMEOUT)
            .max_buf_size(MAX_HEAD_BYTES)
            .serve_connection(TokioIo::new(patient(stream)), service)
            .with_upgrades()
    );
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        // A newcomer needs the place.
        () = cut.cancelled() => return,
        () = end.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!("a connection ended early: {error}");
    }
}

/// The routes, for the requests of one connection.
struct Known {
    peer: Peer,
    routes: TowerToHyperService<Router>,
}

impl Service<Request<Incoming>> for Known {
    type Response = Response;
    type Error = Infallible;
    type Future = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Future;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(self.peer.clone());
        self.routes.call(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_world::World;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;
    use tokio::time::timeout;

    /// The clock only advances while all tasks wait, so the hour passes immediately if the client is not disconnected.
    #[tokio::test(start_paused = true)]
    async fn who_asks_for_much_and_takes_nothing_is_let_go() {
        let (mut client, host) = tokio::io::duplex(4 * 1024);
        let much = || async { vec![b'x'; 1024 * 1024] };
        let peer = Peer {
            at: SocketAddr::from(([127, 0, 0, 1], 1)),
            channel: Channel::Loopback,
            place: crate::web::crowd::one_place(),
        };
        let routes = Router::new().route("/", get(much));
        client.write_all(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n").await.unwrap();
        let serving = serve_connection(host, peer, routes, CancellationToken::new());
        timeout(Duration::from_secs(3_600), serving).await.unwrap();
    }

    /// Returns the response on this connection, up to its body. Empty if the connection was cut.
    async fn answer(stream: &mut TcpStream, request: &str) -> String {
        let mut answer = Vec::new();
        if stream.write_all(request.as_bytes()).await.is_ok() {
            while !answer.windows(4).any(|end| end == b"\r\n\r\n") {
                match stream.read_buf(&mut answer).await {
                    Ok(1..) => {}
                    _ => break,
                }
            }
        }
        String::from_utf8(answer).unwrap()
    }

    #[tokio::test]
    async fn slow_bodies_shut_nobody_out() {
        let world = World::new().await;
        let mirror = world.mirror();
        let server =
            WebServer::bind(SocketAddr::from(([127, 0, 0, 1], 0)), WebSettings::default()).await.unwrap();
        let (at, end) = (server.address(), CancellationToken::new());
        let room = Room { strangers: 16, known: 4 };
        let serving =
            tokio::spawn(accept(server.listener, None, server.settings, mirror.clone(), room, end.clone()));
        // The page, which is authenticated, on a connection that it keeps open.
        let link = mirror.gate().link("here", mirror.now_ms()).unwrap();
        let token = link.url.split_once("token=").unwrap().1;
        let body = format!(r#"{{"by":"link","token":"{token}"}}"#);
        let head = format!("Host: {at}\r\nOrigin: http://{at}\r\nContent-Type: application/json\r\n");
        let open =
            format!("POST /api/v1/session HTTP/1.1\r\n{head}Content-Length: {}\r\n\r\n{body}", body.len());
        let mut page = TcpStream::connect(at).await.unwrap();
        let mut answered = Vec::new();
        page.write_all(open.as_bytes()).await.unwrap();
        let session: deputy_protocol::Session = loop {
            assert_ne!(page.read_buf(&mut answered).await.unwrap(), 0);
            let text = String::from_utf8_lossy(&answered);
            let body = text.split_once("\r\n\r\n").map(|(_, body)| body.to_owned());
            if let Some(session) = body.and_then(|body| serde_json::from_str(&body).ok()) {
                break session;
            }
        };
        let state = format!(
            "GET /api/v1/grants HTTP/1.1\r\nHost: {at}\r\nAuthorization: Bearer {}\r\n\r\n",
            session.session
        );
        assert!(answer(&mut page, &state).await.starts_with("HTTP/1.1 200"));
        // Each announces a large body, and sends one byte of it.
        let slow = format!("POST /api/v1/session HTTP/1.1\r\n{head}Content-Length: 9000\r\n\r\n{{");
        let mut held = Vec::new();
        for _ in 0..4 * room.strangers {
            let mut stream = TcpStream::connect(at).await.unwrap();
            stream.write_all(slow.as_bytes()).await.unwrap();
            held.push(stream);
            let mut newcomer = TcpStream::connect(at).await.unwrap();
            let health = format!("GET /api/v1/health HTTP/1.1\r\nHost: {at}\r\n\r\n");
            let health = answer(&mut newcomer, &health).await;
            assert!(health.starts_with("HTTP/1.1 200"), "{} are slow: {health}", held.len());
        }
        // The rest of the previous response comes first.
        assert!(answer(&mut page, &state).await.contains("HTTP/1.1 200"), "a client that was let in stays");
        end.cancel();
        serving.await.unwrap();
    }
}
