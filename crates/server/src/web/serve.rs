//! Listens, and serves each connection with its limits on time and size.

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
use tokio::sync::Semaphore;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The largest body that is read.
const MAX_BODY_BYTES: usize = 256 * 1024;
/// The largest head of a request: the smallest that the HTTP library can be held to.
const MAX_HEAD_BYTES: usize = 8 * 1024;
/// A request's head has to be there in this time, and the next one on the same connection too.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// Connections at the same time.
const MAX_CONNECTIONS: usize = 4_096;
/// How long an answer that is under way when the host ends may take.
const FAREWELL: Duration = Duration::from_secs(2);

/// What the web server needs to know.
#[derive(Clone, Debug, Default)]
pub struct WebSettings {
    /// Folder of the built UI; a plain page says how to build it where there is none.
    pub ui: Option<PathBuf>,
    /// Further names of this machine that requests may use.
    pub names: Vec<String>,
}

/// Why the web server does not start.
#[derive(Debug, thiserror::Error)]
pub enum WebError {
    /// Only loopback is served without TLS.
    #[error("{0} is not an address of this machine alone; the page and the API are served on loopback only")]
    NotLoopback(SocketAddr),
    /// Something else listens there.
    #[error("{0} is in use by another program")]
    InUse(SocketAddr),
    /// The system does not allow it.
    #[error("{address} cannot be listened at: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
}

/// The listening web server.
#[derive(Debug)]
pub struct WebServer {
    listener: TcpListener,
    address: SocketAddr,
    settings: WebSettings,
}

/// What every handler gets.
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
    /// Listens at a loopback address; port 0 takes any that is free.
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

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until told to end.
    pub async fn serve(self, mirror: Mirror, end: CancellationToken) {
        serve(self.listener, None, self.settings, mirror, end).await;
    }
}

/// Serves what listens, through TLS where there is any, until told to end.
pub(super) async fn serve(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    settings: WebSettings,
    mirror: Mirror,
    end: CancellationToken,
) {
    let serving = accept(listener, tls, settings, mirror.clone(), end);
    mirror.screens().speak(serving).await;
}

async fn accept(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    settings: WebSettings,
    mirror: Mirror,
    end: CancellationToken,
) {
    let guard = Guard { scheme: if tls.is_some() { "https" } else { "http" }, names: settings.names };
    let fingerprint = mirror.gate().fingerprint().to_owned();
    let pages = Pages(Arc::new(settings.ui));
    let router = router(Web { mirror, pages, end: end.clone() }, guard);
    let connections = TaskTracker::new();
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let accepted = tokio::select! {
            () = end.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        let (stream, from) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!("a connection could not be taken: {error}");
                // Out of descriptors, say: without a breath this would spin.
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let (Ok(place), Ok(at)) = (places.clone().try_acquire_owned(), stream.local_addr()) else { continue };
        // Events are small and wanted at once.
        let _ = stream.set_nodelay(true);
        let (router, end) = (router.clone(), end.clone());
        match tls.clone() {
            None => {
                let peer = Peer { at, channel: Channel::Loopback };
                connections.spawn(async move {
                    serve_connection(stream, peer, router, end).await;
                    drop(place);
                });
            }
            Some(tls) => {
                let channel = Channel::Tls { fingerprint: fingerprint.clone(), from: from.ip() };
                connections.spawn(async move {
                    if let Ok(Ok(stream)) = tokio::time::timeout(HEAD_TIMEOUT, tls.accept(stream)).await {
                        serve_connection(stream, Peer { at, channel }, router, end).await;
                    }
                    drop(place);
                });
            }
        }
    }
    connections.close();
    // A stream of events has no end of its own.
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
        () = end.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!("a connection ended early: {error}");
    }
}

/// The routes, for requests of one connection.
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
    use tokio::io::AsyncWriteExt;
    use tokio::time::timeout;

    /// The clock stands still but for who waits, so the hour is over at once where nobody is let go.
    #[tokio::test(start_paused = true)]
    async fn who_asks_for_much_and_takes_nothing_is_let_go() {
        let (mut client, host) = tokio::io::duplex(4 * 1024);
        let much = || async { vec![b'x'; 1024 * 1024] };
        let peer = Peer { at: SocketAddr::from(([127, 0, 0, 1], 1)), channel: Channel::Loopback };
        let routes = Router::new().route("/", get(much));
        client.write_all(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n").await.unwrap();
        let serving = serve_connection(host, peer, routes, CancellationToken::new());
        timeout(Duration::from_secs(3_600), serving).await.unwrap();
    }
}
