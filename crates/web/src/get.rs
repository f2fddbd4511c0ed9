//! Sends a GET request and follows its redirects. Every hop is judged, and size, time and number of hops are limited.

use crate::cache::{Cache, Kept};
use crate::dial::{Dialer, Resolve, shown_host, system_resolver};
use bytes::{Bytes, BytesMut};
use deputy_messages::Phrase;
use deputy_messages::web as say;
use flate2::read::{GzDecoder, ZlibDecoder};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, CONNECTION, CONTENT_ENCODING, CONTENT_TYPE, HOST, LOCATION, USER_AGENT,
};
use hyper::http::request::Builder;
use hyper::{HeaderMap, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use std::io::{self, Read};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpSocket;
use url::Url;

/// Decides which requests may be sent.
pub trait Gate: Send + Sync {
    /// Decides whether an address may be requested. The error is the reason why not.
    fn admits(&self, url: &str) -> Result<(), Phrase>;

    /// Decides whether an allowed page may request an address as a subresource. The error is the reason why not.
    fn admits_part(&self, page: &str, url: &str) -> Result<(), Phrase>;

    /// Like [`Gate::admits`], for a plain-text request through the proxy, with the mark of the request.
    fn admits_marked(&self, url: &str, mark: Option<&str>) -> Result<(), Phrase> {
        let _ = mark;
        self.admits(url)
    }

    /// Decides whether to connect to the host of an allowed address at the IP address that its name resolves to. The
    /// error is the reason why not.
    fn connects(&self, url: &str, to: IpAddr) -> Result<(), Phrase>;

    /// Records that an allowed address gave no answer.
    fn failed(&self, url: &str, why: &str) {
        let _ = (url, why);
    }

    /// Returns a socket that connects to an address in a network of its own. `None` if this gate leads to the machine's network.
    fn dials(&self, to: SocketAddr) -> Option<io::Result<TcpSocket>> {
        let _ = to;
        None
    }

    /// Returns the gate to the servers that the task started, which leads nowhere else. `None` if there are none.
    fn own_servers(&self) -> Option<Arc<dyn Gate>> {
        None
    }

    /// Returns the gate for what a person does by hand in the task's browser, which needs no approval.
    fn by_hand(&self) -> Arc<dyn Gate>;
}

/// The limits of a request.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The maximum number of bytes to read from an answer. The rest is dropped.
    pub body_bytes: usize,
    /// The time limit for the whole request.
    pub timeout: Duration,
}

/// A request to a service.
#[derive(Clone, Default)]
pub struct Ask {
    /// The address, including the query.
    pub url: String,
    /// The headers. They may contain a key.
    pub headers: Vec<(String, String)>,
    /// The JSON body to post. Without it, the request is a GET.
    pub json: Option<String>,
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The final address after all redirects.
    pub url: String,
    /// The HTTP status.
    pub status: u16,
    /// The media type from the server, with parameters. May be empty.
    pub media_type: String,
    /// The body.
    pub body: Bytes,
    /// Whether the answer is longer than the part that was read.
    pub is_cut: bool,
    /// Whether the answer is from the cache and the server confirmed that it is still valid.
    pub is_unchanged: bool,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The address may not be requested, or its host may not be connected to.
    Refused {
        /// The address.
        url: String,
        /// The reason.
        why: Phrase,
    },
    /// A redirect leads to an address that is not allowed.
    Redirected {
        /// The address that redirects.
        from: String,
        /// The target of the redirect.
        to: String,
        /// The reason.
        why: Phrase,
    },
    /// There are too many redirects.
    TooManyRedirects {
        /// The requested address.
        url: String,
        /// The maximum number of redirects.
        most: usize,
    },
    /// The connection failed.
    Unreachable {
        /// The host.
        host: String,
        /// The reason.
        why: Phrase,
    },
    /// The server did not prove its identity.
    Insecure {
        /// The host.
        host: String,
        /// The reason.
        why: Phrase,
    },
    /// The answer is not valid HTTP.
    BadAnswer {
        /// The host.
        host: String,
        /// The reason.
        why: Phrase,
    },
    /// The request took too long.
    TooSlow {
        /// The requested address.
        url: String,
        /// The time limit, in seconds.
        secs: u64,
    },
}

impl FetchError {
    /// Returns the message for people.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Refused { url, why } => say::not_requested(url, why),
            Self::Redirected { from, to, why } => say::redirects_to(from, to, why),
            Self::TooManyRedirects { url, most } => say::too_many_redirects(*most, url),
            Self::Unreachable { host, why } => say::unreachable(host, why),
            Self::Insecure { host, why } => say::insecure(host, why),
            Self::BadAnswer { host, why } => say::bad_answer(host, why),
            Self::TooSlow { url, secs } => say::too_slow(*secs, url),
        }
    }
}

deputy_messages::said_by_phrase!(FetchError);

/// Sends requests without cookies, logins or anything else that identifies the sender.
pub struct Client {
    dialer: Dialer,
    cache: Cache,
}

impl Default for Client {
    fn default() -> Self {
        Self::resolving(system_resolver())
    }
}

impl Client {
    /// Creates a client with the given resolver.
    pub fn resolving(resolve: Resolve) -> Self {
        Self { dialer: Dialer::new(resolve), cache: Cache::default() }
    }

    /// Requests an address and follows its redirects.
    ///
    /// # Errors
    ///
    /// [`FetchError`]. An answer with an error status (404, 500) is not an error.
    pub async fn get(&self, gate: &dyn Gate, url: &str, bounds: Bounds) -> Result<Fetched, FetchError> {
        let got = tokio::time::timeout(bounds.timeout, self.follow(gate, url, bounds)).await;
        got.unwrap_or_else(|_| {
            Err(FetchError::TooSlow { url: url.to_owned(), secs: bounds.timeout.as_secs() })
        })
    }

    async fn follow(&self, gate: &dyn Gate, url: &str, bounds: Bounds) -> Result<Fetched, FetchError> {
        let refused = |url: &str, why: Phrase| FetchError::Refused { url: url.to_owned(), why };
        gate.admits(url).map_err(|why| refused(url, why))?;
        let mut current = url.to_owned();
        for _ in 0..=deputy_policy::url::MAX_REDIRECTS {
            let mut parsed =
                Url::parse(&current).map_err(|error| refused(&current, error.to_string().into()))?;
            parsed.set_fragment(None);
            let kept = self.cache.get(parsed.as_str());
            let response = self.request(gate, &parsed, kept.as_ref()).await?;
            let (status, headers) = (response.status(), response.headers().clone());
            if let Some(kept) = kept.filter(|_| status == StatusCode::NOT_MODIFIED) {
                let (media_type, body) = (kept.media_type, kept.body);
                let status = StatusCode::OK.as_u16();
                return Ok(Fetched {
                    url: current,
                    status,
                    media_type,
                    body,
                    is_cut: false,
                    is_unchanged: true,
                });
            }
            let to = headers.get(LOCATION).filter(|_| is_redirect(status));
            let Some(to) = to else {
                return self.read(current, &parsed, response, bounds, true).await;
            };
            let redirected =
                |to: &str, why| FetchError::Redirected { from: current.clone(), to: to.to_owned(), why };
            let said = String::from_utf8_lossy(to.as_bytes());
            let next =
                deputy_policy::url::follow(parsed.as_str(), &said).map_err(|why| redirected(&said, why))?;
            gate.admits(&next).map_err(|why| redirected(&next, why))?;
            current = next;
        }
        Err(FetchError::TooManyRedirects { url: url.to_owned(), most: deputy_policy::url::MAX_REDIRECTS })
    }

    async fn request(
        &self,
        gate: &dyn Gate,
        url: &Url,
        kept: Option<&Kept>,
    ) -> Result<Response<Incoming>, FetchError> {
        let mut request = Request::get(target(url))
            .header(ACCEPT, "text/html, text/*, application/json, application/pdf, */*;q=0.5");
        if let Some((name, value)) = kept.map(Kept::question) {
            request = request.header(name, value);
        }
        self.send(gate, url, request, Bytes::new()).await
    }

    /// Sends a request with the given headers, and with JSON if there is a body, to a service. The content is only
    /// meant for this address: redirects are not followed, and nothing is cached.
    ///
    /// # Errors
    ///
    /// [`FetchError`]. An answer with an error status is not an error.
    pub async fn ask(&self, gate: &dyn Gate, ask: &Ask, bounds: Bounds) -> Result<Fetched, FetchError> {
        let refused = |why: Phrase| FetchError::Refused { url: ask.url.clone(), why };
        let asking = async {
            gate.admits(&ask.url).map_err(refused)?;
            let url = Url::parse(&ask.url).map_err(|error| refused(error.to_string().into()))?;
            let mut request = match ask.json {
                Some(_) => Request::post(target(&url)).header(CONTENT_TYPE, "application/json"),
                None => Request::get(target(&url)),
            };
            request = request.header(ACCEPT, "application/json");
            for (name, value) in &ask.headers {
                request = request.header(name, value);
            }
            let body = ask.json.clone().unwrap_or_default();
            let response = self.send(gate, &url, request, body.into()).await?;
            let redirected = |to: &str| FetchError::Redirected {
                from: ask.url.clone(),
                to: to.to_owned(),
                why: say::search_not_sent_on(),
            };
            match response.headers().get(LOCATION).filter(|_| is_redirect(response.status())) {
                Some(to) => Err(redirected(&String::from_utf8_lossy(to.as_bytes()))),
                None => self.read(ask.url.clone(), &url, response, bounds, false).await,
            }
        };
        let asked = tokio::time::timeout(bounds.timeout, asking).await;
        asked.unwrap_or_else(|_| {
            Err(FetchError::TooSlow { url: ask.url.clone(), secs: bounds.timeout.as_secs() })
        })
    }

    async fn send(
        &self,
        gate: &dyn Gate,
        url: &Url,
        request: Builder,
        body: Bytes,
    ) -> Result<Response<Incoming>, FetchError> {
        let bad = |error: String| FetchError::BadAnswer { host: shown_host(url), why: error.into() };
        let stream = self.dialer.connect(gate, url).await?;
        let host = match url.port() {
            Some(port) => format!("{}:{port}", shown_host(url)),
            None => shown_host(url),
        };
        let request = request
            .header(HOST, host)
            .header(USER_AGENT, concat!("Deputy/", env!("CARGO_PKG_VERSION")))
            .header(ACCEPT_ENCODING, "gzip, deflate")
            .header(CONNECTION, "close")
            .body(Full::new(body))
            .map_err(|error| bad(error.to_string()))?;
        let (mut sender, connection) =
            http1::handshake(TokioIo::new(stream)).await.map_err(|error| bad(error.to_string()))?;
        // Ends with the body, or with the sender if this call is dropped.
        tokio::spawn(connection);
        sender.send_request(request).await.map_err(|error| bad(error.to_string()))
    }

    async fn read(
        &self,
        address: String,
        url: &Url,
        response: Response<Incoming>,
        bounds: Bounds,
        keeps: bool,
    ) -> Result<Fetched, FetchError> {
        let bad = |error: hyper::Error| FetchError::BadAnswer {
            host: shown_host(url),
            why: error.to_string().into(),
        };
        let (parts, mut incoming) = response.into_parts();
        let mut body = BytesMut::new();
        let mut is_cut = false;
        while let Some(frame) = incoming.frame().await {
            let frame = frame.map_err(bad)?;
            let Ok(data) = frame.into_data() else { continue };
            let room = bounds.body_bytes - body.len();
            body.extend_from_slice(&data[..data.len().min(room)]);
            is_cut = data.len() > room;
            if is_cut {
                break;
            }
        }
        let (body, grew) = unpacked(&parts.headers, body.freeze(), bounds.body_bytes)
            .map_err(|why| FetchError::BadAnswer { host: shown_host(url), why })?;
        is_cut |= grew;
        if keeps
            && parts.status == StatusCode::OK
            && !is_cut
            && let Some(kept) = Kept::of(url.as_str(), &parts.headers, &body)
        {
            self.cache.put(kept);
        }
        let media_type = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let (status, media_type) = (parts.status.as_u16(), media_type.unwrap_or_default().to_owned());
        Ok(Fetched { url: address, status, media_type, body, is_cut, is_unchanged: false })
    }
}

fn target(url: &Url) -> String {
    match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    }
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// Decompresses a body. Returns it with whether it was cut.
fn unpacked(headers: &HeaderMap, body: Bytes, most: usize) -> Result<(Bytes, bool), Phrase> {
    let packing = headers.get(CONTENT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut out = Vec::new();
    let room = most as u64 + 1;
    let read = match packing.trim().to_ascii_lowercase().as_str() {
        "" | "identity" => return Ok((body, false)),
        "gzip" | "x-gzip" => GzDecoder::new(&body[..]).take(room).read_to_end(&mut out),
        "deflate" => ZlibDecoder::new(&body[..]).take(room).read_to_end(&mut out),
        other => return Err(say::packed_otherwise(other)),
    };
    // A body that was cut ends in the middle of the compressed data. Use what was decompressed.
    if let Err(error) = read
        && out.is_empty()
    {
        return Err(say::not_unpacked(error));
    }
    let is_cut = out.len() > most;
    out.truncate(most);
    Ok((out.into(), is_cut))
}
