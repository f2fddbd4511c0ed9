//! A relay that speaks ntfy's protocol, for phones that sleep: what it carries is sealed to each device's key.

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
use tokio_rustls::TlsConnector;
use url::Url;

/// The relay has so long.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A topic of a relay.
pub(super) struct Ntfy {
    topic: Url,
    store: Store,
    tls: Option<TlsConnector>,
    /// Who has a notice already that others could not be sent: they are not told twice.
    reached: Mutex<HashSet<(String, bool, DeviceId)>>,
}

impl Ntfy {
    pub(super) fn new(address: &str, store: Store) -> Result<Self, NotifyError> {
        let failed = |why: Phrase| NotifyError::Ntfy { address: address.to_owned(), why };
        let topic = Url::parse(address).map_err(|error| failed(error.to_string().into()))?;
        if topic.host_str().is_none() || topic.path().len() < 2 {
            return Err(failed(say::has_to_look_like_https()));
        }
        let tls = match topic.scheme() {
            "https" => Some(connector().map_err(|error| failed(error.into()))?),
            "http" => None,
            other => return Err(failed(say::is_neither_https_nor_http(other))),
        };
        Ok(Self { topic, store, tls, reached: Mutex::default() })
    }

    async fn send(&self, device: &PairedDevice, key: &[u8], notice: &Notice) -> Result<(), String> {
        let text = serde_json::to_vec(notice).map_err(|error| error.to_string())?;
        let sealed = seal(key, &text).map_err(|_| "the device's key cannot be sealed to".to_owned())?;
        let host = self.topic.host_str().unwrap_or_default();
        let port = self.topic.port_or_known_default().unwrap_or(443);
        let stream = TcpStream::connect((host, port)).await.map_err(|error| error.to_string())?;
        // Each device listens at a topic of its own. The relay learns that there is something, and nothing else.
        let request = Request::post(format!("{}-{}", self.topic.path(), device.device.id))
            .header("host", host)
            .header("title", "Deputy")
            .body(Full::new(Bytes::from(URL_SAFE_NO_PAD.encode(sealed))))
            .map_err(|error| error.to_string())?;
        match &self.tls {
            None => post(stream, request).await,
            Some(tls) => {
                let name = ServerName::try_from(host.to_owned()).map_err(|error| error.to_string())?;
                post(tls.connect(name, stream).await.map_err(|error| error.to_string())?, request).await
            }
        }
    }
}

#[async_trait]
impl Channel for Ntfy {
    fn name(&self) -> &'static str {
        "notify.ntfy"
    }

    async fn show(&self, notice: &Notice) -> Result<(), String> {
        let devices = self.store.devices().map_err(|error| error.to_string())?;
        let mut failed = None;
        for device in devices.iter().filter(|device| device.device.revoked_at_ms.is_none()) {
            let Some(key) = &device.seal_key else { continue };
            let this = (notice.id.clone(), notice.withdrawn, device.device.id.clone());
            if self.reached().contains(&this) {
                continue;
            }
            match tokio::time::timeout(TIMEOUT, self.send(device, key, notice)).await {
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

impl Ntfy {
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

/// TLS against the system's own authorities.
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
