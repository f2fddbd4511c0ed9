//! A filtering proxy. It is the only way to the network for a browser, and judges each request.
//!
//! It speaks the proxy protocol of browsers: full addresses for plain HTTP, and `CONNECT` for everything else, of which
//! it only sees host and port. Names are resolved here, and the connection uses exactly the network address that was
//! judged.

use crate::dial::{Dialer, Resolve, shown_host, system_resolver};
use crate::get::Gate;
use bytes::Bytes;
use deputy_messages::Phrase;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{CONNECTION, CONTENT_TYPE, HeaderMap, HeaderName, PROXY_AUTHENTICATE, TE, TRAILER};
use hyper::header::{PROXY_AUTHORIZATION, TRANSFER_ENCODING, UPGRADE};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode, Uri, Version};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use url::Url;

/// The maximum number of concurrent connections. A browser uses a few dozen.
const MOST_CONNECTIONS: usize = 256;
/// The time limit for connecting to a server, and for the beginning of its answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// The header with the mark of a request. The proxy removes it.
pub const MARK: &str = "x-deputy-mark";

type Body = BoxBody<Bytes, hyper::Error>;

/// The proxy. It runs as long as [`Proxy::serve`] is polled.
pub struct Proxy {
    dialer: Dialer,
    gate: Arc<dyn Gate>,
}

impl Proxy {
    /// Creates a proxy that forwards the requests that a gate allows.
    pub fn new(gate: Arc<dyn Gate>) -> Self {
        Self::resolving(gate, system_resolver())
    }

    /// Creates a proxy with the given resolver.
    pub fn resolving(gate: Arc<dyn Gate>, resolve: Resolve) -> Self {
        Self { dialer: Dialer::new(resolve), gate }
    }

    /// Serves connections until it is dropped. Dropping it closes all of them.
    pub async fn serve(self: Arc<Self>, listener: TcpListener) {
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) if connections.len() < MOST_CONNECTIONS => {
                        connections.spawn(Arc::clone(&self).converse(stream));
                    }
                    // Too many connections: close this one.
                    Ok(_) => {}
                    Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
                },
                Some(_) = connections.join_next() => {}
            }
        }
    }

    async fn converse(self: Arc<Self>, stream: TcpStream) {
        // Tunnels end with their connection, which ends with the proxy.
        let tunnels = Arc::new(tokio::sync::Mutex::new(JoinSet::new()));
        let service = service_fn({
            let tunnels = Arc::clone(&tunnels);
            move |request| {
                let (proxy, tunnels) = (Arc::clone(&self), Arc::clone(&tunnels));
                async move { Ok::<_, Infallible>(proxy.answer(request, &tunnels).await) }
            }
        });
        let serving = hyper::server::conn::http1::Builder::new()
            .preserve_header_case(true)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        // The browser retries broken connections itself.
        let _ = serving.await;
        let mut tunnels = tunnels.lock().await;
        while tunnels.join_next().await.is_some() {}
    }

    async fn answer(
        &self,
        request: Request<Incoming>,
        tunnels: &tokio::sync::Mutex<JoinSet<()>>,
    ) -> Response<Body> {
        let answered = match *request.method() {
            Method::CONNECT => match self.tunnel(&request).await {
                Ok(server) => {
                    tunnels.lock().await.spawn(join(request, server));
                    return Response::new(said(""));
                }
                Err(refusal) => Err(refusal),
            },
            _ => self.forward(request).await,
        };
        answered.unwrap_or_else(Refusal::response)
    }

    /// Connects to a host and port. The content of the tunnel is not visible, so only the origin is judged.
    async fn tunnel(&self, request: &Request<Incoming>) -> Result<TcpStream, Refusal> {
        let authority = request.uri().authority().ok_or_else(|| Refusal::bad("it names no host"))?;
        let secure = format!("https://{authority}/");
        let plain = format!("http://{authority}/");
        // Unencrypted WebSockets also use a tunnel.
        let admitted = match self.gate.admits(&secure) {
            Ok(()) => secure,
            Err(why) if authority.port_u16() == Some(443) => return Err(Refusal::forbidden(why)),
            Err(_) => match self.gate.admits_marked(&plain, None) {
                Ok(()) => plain,
                Err(why) => return Err(Refusal::forbidden(why)),
            },
        };
        let url = Url::parse(&admitted).map_err(Refusal::bad)?;
        self.reach(&url).await
    }

    async fn reach(&self, url: &Url) -> Result<TcpStream, Refusal> {
        let reached = tokio::time::timeout(PATIENCE, self.dialer.reach(self.gate.as_ref(), url)).await;
        reached.map_err(|_| Refusal::silent(url))?.map_err(Refusal::unreachable)
    }

    /// Forwards a request with a full address and returns the answer.
    async fn forward(&self, mut request: Request<Incoming>) -> Result<Response<Body>, Refusal> {
        let address = request.uri().to_string();
        if request.uri().scheme_str() != Some("http") {
            return Err(Refusal::bad("only http:// addresses are forwarded"));
        }
        let mark = request.headers_mut().remove(MARK);
        let mark = mark.as_ref().and_then(|mark| mark.to_str().ok());
        self.gate.admits_marked(&address, mark).map_err(Refusal::forbidden)?;
        let url = Url::parse(&address).map_err(Refusal::bad)?;
        let answered = self.ask(request, &url).await;
        answered.inspect_err(|refusal| self.gate.failed(url.as_str(), &refusal.why))
    }

    /// Sends a request to the host of its address.
    async fn ask(&self, mut request: Request<Incoming>, url: &Url) -> Result<Response<Body>, Refusal> {
        let stream = self.reach(url).await?;
        let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
        *request.uri_mut() = path.parse::<Uri>().map_err(Refusal::bad)?;
        *request.version_mut() = Version::HTTP_11;
        // Replace the browser's host header with the host that was judged.
        let host = match url.port() {
            Some(port) => format!("{}:{port}", shown_host(url)),
            None => shown_host(url),
        };
        let host = host.parse().map_err(|_| Refusal::bad("its host is no header"))?;
        request.headers_mut().insert(hyper::header::HOST, host);
        drop_hop_headers(request.headers_mut());
        let silent = |_| Refusal::silent(url);
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(silent)?;
        let connection = tokio::spawn(connection);
        let sent = tokio::time::timeout(PATIENCE, sender.send_request(request)).await;
        let mut response = match sent {
            Ok(Ok(response)) => response,
            _ => {
                connection.abort();
                return Err(Refusal::silent(url));
            }
        };
        drop_hop_headers(response.headers_mut());
        Ok(response.map(|body| body.boxed()))
    }
}

/// Removes hop-by-hop headers.
fn drop_hop_headers(headers: &mut HeaderMap) {
    const PROXY_CONNECTION: HeaderName = HeaderName::from_static("proxy-connection");
    const KEEP_ALIVE: HeaderName = HeaderName::from_static("keep-alive");
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    let always = [
        CONNECTION,
        KEEP_ALIVE,
        PROXY_AUTHENTICATE,
        PROXY_AUTHORIZATION,
        PROXY_CONNECTION,
        TE,
        TRAILER,
        TRANSFER_ENCODING,
        UPGRADE,
    ];
    for name in named.into_iter().chain(always) {
        headers.remove(name);
    }
}

async fn join(request: Request<Incoming>, mut server: TcpStream) {
    let Ok(upgraded) = hyper::upgrade::on(request).await else { return };
    // Either side may close the connection at any time.
    let _ = tokio::io::copy_bidirectional(&mut TokioIo::new(upgraded), &mut server).await;
}

fn said(text: impl Into<Bytes>) -> Body {
    Full::new(text.into()).map_err(|never| match never {}).boxed()
}

/// Why a request is not forwarded or answered.
struct Refusal {
    status: StatusCode,
    why: String,
}

impl Refusal {
    fn forbidden(why: Phrase) -> Self {
        Self { status: StatusCode::FORBIDDEN, why: why.into() }
    }

    fn bad(why: impl ToString) -> Self {
        Self { status: StatusCode::BAD_REQUEST, why: why.to_string() }
    }

    fn unreachable(error: crate::FetchError) -> Self {
        let status = match error {
            crate::FetchError::Refused { .. } => StatusCode::FORBIDDEN,
            _ => StatusCode::BAD_GATEWAY,
        };
        Self { status, why: error.to_string() }
    }

    fn silent(url: &Url) -> Self {
        Self { status: StatusCode::BAD_GATEWAY, why: format!("{} gave no answer", shown_host(url)) }
    }

    fn response(self) -> Response<Body> {
        let mut response = Response::new(said(format!("Deputy let nothing through: {}\n", self.why)));
        *response.status_mut() = self.status;
        response.headers_mut().insert(CONTENT_TYPE, hyper::header::HeaderValue::from_static("text/plain"));
        response
    }
}
