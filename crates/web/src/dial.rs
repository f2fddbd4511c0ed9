//! A connection to the network address that was judged: names are looked up here, and nowhere else again.

use crate::get::{FetchError, Gate};
use deputy_messages::Phrase;
use deputy_messages::web as say;
use futures_util::future::BoxFuture;
use rustls::pki_types::ServerName;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, OnceLock};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use url::{Host, Url};

/// Looks a host name up.
pub type Resolve = Arc<dyn Fn(String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> + Send + Sync>;

/// The system's own look-up.
pub fn system_resolver() -> Resolve {
    Arc::new(|name| {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    })
}

/// Something to speak HTTP over.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// Makes connections.
pub(crate) struct Dialer {
    resolve: Resolve,
    /// Made for the first secure connection: reading the system's authorities takes milliseconds and memory that a task
    /// without the web does not owe.
    tls: OnceLock<Option<TlsConnector>>,
}

impl Dialer {
    pub(crate) fn new(resolve: Resolve) -> Self {
        Self { resolve, tls: OnceLock::new() }
    }

    /// Connects to the host of an address, over TLS where its scheme says so.
    pub(crate) async fn connect(&self, gate: &dyn Gate, url: &Url) -> Result<Box<dyn Stream>, FetchError> {
        let stream = self.reach(gate, url).await?;
        self.secured(url, stream).await
    }

    /// Connects to the host of an address, at the first of its network addresses that may be connected to and answers.
    pub(crate) async fn reach(&self, gate: &dyn Gate, url: &Url) -> Result<TcpStream, FetchError> {
        let failed = |why: Phrase| FetchError::Unreachable { host: shown_host(url), why };
        let port = url.port_or_known_default().ok_or_else(|| failed(say::no_port()))?;
        let mut refused = None;
        let mut unreachable = None;
        for ip in self.addresses(url).await.map_err(|error| failed(error.to_string().into()))? {
            if let Err(why) = gate.connects(url.as_str(), ip) {
                refused = Some(why);
                continue;
            }
            match TcpStream::connect(SocketAddr::new(ip, port)).await {
                Ok(stream) => return Ok(stream),
                Err(error) => unreachable = Some(error),
            }
        }
        Err(match (unreachable, refused) {
            (Some(error), _) => failed(error.to_string().into()),
            (None, Some(why)) => FetchError::Refused { url: url.to_string(), why },
            (None, None) => failed(say::no_address()),
        })
    }

    async fn addresses(&self, url: &Url) -> io::Result<Vec<IpAddr>> {
        match url.host() {
            Some(Host::Ipv4(ip)) => Ok(vec![ip.into()]),
            Some(Host::Ipv6(ip)) => Ok(vec![ip.into()]),
            Some(Host::Domain(name)) => (self.resolve)(name.to_owned()).await,
            None => Ok(Vec::new()),
        }
    }

    async fn secured(&self, url: &Url, stream: TcpStream) -> Result<Box<dyn Stream>, FetchError> {
        if url.scheme() == "http" {
            return Ok(Box::new(stream));
        }
        let failed = |why: Phrase| FetchError::Insecure { host: shown_host(url), why };
        let tls = self.tls.get_or_init(connector).as_ref().ok_or_else(|| failed(say::no_authorities()))?;
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let name = ServerName::try_from(host).map_err(|error| failed(error.to_string().into()))?;
        let stream = tls.connect(name, stream).await.map_err(|error| failed(error.to_string().into()))?;
        Ok(Box::new(stream))
    }
}

/// A host as errors name it.
pub(crate) fn shown_host(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

/// TLS against the system's own authorities.
fn connector() -> Option<TlsConnector> {
    let mut roots = rustls::RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .ok()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Some(TlsConnector::from(Arc::new(config)))
}
