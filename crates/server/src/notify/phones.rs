//! Notices for phones in standby, encrypted with the device's key: sent to the device's push server, or else to its
//! topic on a relay that speaks ntfy's protocol.

use super::{Channel, NotifyError};
use crate::notify::seal::seal;
use async_trait::async_trait;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use bytes::Bytes;
use deputy_messages::Phrase;
use deputy_messages::server as say;
use deputy_protocol::{DeviceId, Notice};
use deputy_store::{PairedDevice, Store};
use http_body_util::Full;
use hyper::Request;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::OnceCell;
use tokio_rustls::TlsConnector;
use url::{Position, Url};

/// The timeout of a request.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How long a push server keeps a notice for a phone that is off, in seconds. The same as the lifetime of a request.
const KEPT: &str = "86400";
/// The maximum length of a push server's address, in bytes.
pub(crate) const MAX_ENDPOINT_BYTES: usize = 1_000;

/// Returns whether an address of a device is valid for push messages. Only servers with TLS are accepted.
pub(crate) fn takes_pushes(endpoint: &str) -> bool {
    let is_plain =
        |url: &Url| url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    endpoint.len() <= MAX_ENDPOINT_BYTES
        && Url::parse(endpoint).is_ok_and(|url| url.scheme() == "https" && url.has_host() && is_plain(&url))
}

/// Parses the base topic. Each device has its own topic below it.
pub(super) fn topic(address: &str) -> Result<Url, NotifyError> {
    let failed = |why: Phrase| NotifyError::Ntfy { address: address.to_owned(), why };
    let topic = Url::parse(address).map_err(|error| failed(error.to_string().into()))?;
    if topic.host_str().is_none() || topic.path().len() < 2 {
        return Err(failed(say::has_to_look_like_https()));
    }
    match topic.scheme() {
        "https" | "http" => Ok(topic),
        other => Err(failed(say::is_neither_https_nor_http(other))),
    }
}

/// The channel to devices that are not connected.
pub(super) struct Phones {
    topic: Option<Url>,
    store: Store,
    /// Created on first use: most hosts have neither a relay nor a device with push.
    tls: OnceCell<TlsConnector>,
    /// Phones that got a notice while others could not be reached, so that they do not get it twice.
    reached: Mutex<HashSet<(String, bool, DeviceId)>>,
}

impl Phones {
    pub(super) fn new(topic: Option<Url>, store: Store) -> Self {
        Self { topic, store, tls: OnceCell::new(), reached: Mutex::default() }
    }

    /// Returns the address for a device's notices.
    fn address(&self, device: &PairedDevice) -> Option<Url> {
        if let Some(endpoint) = &device.endpoint {
            return Url::parse(endpoint).ok();
        }
        // Each device has its own topic. The relay learns that there is a notice, and nothing else.
        let mut topic = self.topic.clone()?;
        topic.set_path(&format!("{}-{}", topic.path(), device.device.id));
        Some(topic)
    }

    async fn send(&self, address: &Url, key: &[u8], notice: &Notice) -> Result<(), String> {
        let text = serde_json::to_vec(notice).map_err(|error| error.to_string())?;
        let sealed = seal(key, &text).map_err(|_| "the device's key cannot be sealed to".to_owned())?;
        let host = address.host_str().unwrap_or_default();
        let port = address.port_or_known_default().unwrap_or(443);
        let stream = TcpStream::connect((host, port)).await.map_err(|error| error.to_string())?;
        let request = Request::post(&address[Position::BeforePath..Position::AfterQuery])
            .header("host", &address[Position::BeforeHost..Position::AfterPort])
            .header("title", "Deputy")
            .header("ttl", KEPT)
            .body(Full::new(Bytes::from(URL_SAFE_NO_PAD.encode(sealed))))
            .map_err(|error| error.to_string())?;
        if address.scheme() == "http" {
            return post(stream, request).await;
        }
        let tls = self.tls.get_or_try_init(|| async { connector() }).await?;
        let name = ServerName::try_from(host.to_owned()).map_err(|error| error.to_string())?;
        post(tls.connect(name, stream).await.map_err(|error| error.to_string())?, request).await
    }
}

#[async_trait]
impl Channel for Phones {
    fn name(&self) -> &'static str {
        "push and relay"
    }

    async fn show(&self, notice: &Notice) -> Result<(), String> {
        let devices = self.store.devices().map_err(|error| error.to_string())?;
        let mut failed = None;
        for device in devices.iter().filter(|device| device.device.revoked_at_ms.is_none()) {
            let (Some(key), Some(address)) = (&device.seal_key, self.address(device)) else { continue };
            let this = (notice.id.clone(), notice.withdrawn, device.device.id.clone());
            if self.reached().contains(&this) {
                continue;
            }
            match tokio::time::timeout(TIMEOUT, self.send(&address, key, notice)).await {
                Ok(Ok(())) => drop(self.reached().insert(this)),
                Ok(Err(error)) => failed = Some(error),
                Err(_) => failed = Some(format!("no answer within {} seconds", TIMEOUT.as_secs())),
            }
        }
        if failed.is_none() || notice.withdrawn {
            self.reached().retain(|(id, withdrawn, _)| *id != notice.id || *withdrawn && failed.is_some());
        }
        failed.map_or(Ok(()), Err)
    }
}

impl Phones {
    fn reached(&self) -> MutexGuard<'_, HashSet<(String, bool, DeviceId)>> {
        self.reached.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn post<S>(stream: S, request: Request<Full<Bytes>>) -> Result<(), String>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (mut sender, connection) =
        http1::handshake(TokioIo::new(stream)).await.map_err(|error| error.to_string())?;
    let driving = tokio::spawn(connection);
    let response = sender.send_request(request).await.map_err(|error| error.to_string());
    driving.abort();
    let status = response?.status();
    if status.is_success() { Ok(()) } else { Err(format!("the relay answered {status}")) }
}

/// Returns a TLS connector with the system's root certificates.
fn connector() -> Result<TlsConnector, String> {
    let mut roots = rustls::RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}
