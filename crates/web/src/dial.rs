//! Connects to network addresses that were judged. Names are only resolved here.

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

/// Resolves a host name.
pub type Resolve = Arc<dyn Fn(String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> + Send + Sync>;

/// Returns the resolver of the operating system.
pub fn system_resolver() -> Resolve {
    Arc::new(|name| {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    })
}

/// A stream for HTTP.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// Establishes connections.
pub(crate) struct Dialer {
    resolve: Resolve,
    /// Created for the first secure connection. Loading the system's root certificates takes time and memory, which
    /// tasks without web access should not spend.
    tls: OnceLock<Option<TlsConnector>>,
}

impl Dialer {
    pub(crate) fn new(resolve: Resolve) -> Self {
        Self { resolve, tls: OnceLock::new() }
    }

    /// Connects to the host of an address, with TLS if its scheme requires it.
    pub(crate) async fn connect(&self, gate: &dyn Gate, url: &Url) -> Result<Box<dyn Stream>, FetchError> {
        let stream = self.reach(gate, url).await?;
        self.secured(url, stream).await
    }

    /// Connects to the host of an address, using the first of its network addresses that is allowed and answers.
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
            let to = SocketAddr::new(ip, port);
            let connected = match gate.dials(to) {
                Some(socket) => match socket {
                    Ok(socket) => socket.connect(to).await,
                    Err(error) => Err(error),
                },
                None => TcpStream::connect(to).await,
            };
            match connected {
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

/// Returns the host for error messages.
pub(crate) fn shown_host(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

/// Creates a TLS connector that uses the system's root certificates.
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
