//! Authentication and authorization: one-time links, paired devices, sessions, and the permissions of each caller.

mod attempts;
mod caller;
mod certificate;
mod challenges;
mod key;
mod links;
mod pairing;
mod refusal;
mod session;
mod signature;

pub(crate) use caller::{Caller, Channel, Who};
pub(crate) use key::secret;
pub(crate) use refusal::Refusal;

use crate::ServeError;
use attempts::Attempts;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use certificate::Identity;
use challenges::Challenges;
use deputy_messages::server as say;
use deputy_protocol::{
    Answerer, Device, DeviceId, DeviceResponder, LinkOutcome, PermissionAnswer, Proof, Responder, Session,
    SessionRequest,
};
use deputy_store::{PairedDevice, Store};
use key::Key;
use links::Links;
use pairing::Pairing;
use session::Sessions;
use std::collections::HashMap;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tokio_util::sync::CancellationToken;

/// The duration of a session of the desktop page, in milliseconds.
const PAGE_SESSION_MS: i64 = 12 * 60 * 60 * 1000;
/// The duration of a device's session, in milliseconds. Afterwards the device signs another challenge.
const DEVICE_SESSION_MS: i64 = 15 * 60 * 1000;
/// The subject of a session of the desktop page.
const PAGE: &str = "page";

/// The gate of a host, which authenticates callers.
pub(crate) struct Gate {
    store: Store,
    links: Links,
    challenges: Challenges,
    sessions: Sessions,
    identity: Identity,
    attempts: Attempts,
    pairing: Mutex<Option<Pairing>>,
    /// The tokens that cut the connections of each connected device.
    live: Mutex<HashMap<DeviceId, CancellationToken>>,
}

impl Gate {
    /// Opens the gate of a home, and creates missing keys.
    pub(crate) fn open(home: &Path, store: Store) -> Result<Self, ServeError> {
        let gate = Self {
            store,
            links: Links::default(),
            challenges: Challenges::default(),
            sessions: Sessions::new(Key::load(home)?),
            identity: Identity::load(home)?,
            attempts: Attempts::default(),
            pairing: Mutex::default(),
            live: Mutex::default(),
        };
        if gate.identity.is_new && gate.has_devices() {
            tracing::warn!("{}", say::key_that_devices_know());
        }
        Ok(gate)
    }

    /// Returns the TLS configuration.
    pub(crate) fn tls(&self) -> Arc<rustls::ServerConfig> {
        self.identity.tls.clone()
    }

    /// Returns the SHA-256 hash of the server's public key, in base64url.
    pub(crate) fn fingerprint(&self) -> &str {
        &self.identity.fingerprint
    }

    /// Returns a random challenge for a single connection.
    pub(crate) fn challenge(&self) -> Result<String, Refusal> {
        Ok(URL_SAFE_NO_PAD.encode(secret().map_err(|_| Refusal::NoRandomness)?))
    }

    /// Returns a challenge for opening a session over HTTP. It can be used once, within a minute.
    pub(crate) fn session_challenge(&self, now_ms: i64) -> Result<String, Refusal> {
        let challenge = self.challenge()?;
        self.challenges.keep(challenge.clone(), now_ms);
        Ok(challenge)
    }

    /// Returns a one-time link to the page at `address`.
    pub(crate) fn link(&self, address: &str, now_ms: i64) -> Result<LinkOutcome, Refusal> {
        let (token, expires_at_ms) = self.links.make(now_ms)?;
        Ok(LinkOutcome { url: format!("http://{address}/#token={token}"), expires_at_ms })
    }

    /// Opens a session over HTTP.
    pub(crate) async fn open_session(
        &self,
        request: &SessionRequest,
        channel: &Channel,
        now_ms: i64,
    ) -> Result<Session, Refusal> {
        self.attempts.check(channel, now_ms)?;
        let opened = match request {
            // The desktop page can only be opened on the desktop.
            SessionRequest::Link(link) if !channel.is_remote() && self.links.take(&link.token, now_ms) => {
                Ok((PAGE.to_owned(), now_ms + PAGE_SESSION_MS, caller::everything()))
            }
            SessionRequest::Link(_) => Err(Refusal::Link),
            SessionRequest::Device(proof) if self.challenges.take(&proof.challenge, now_ms) => {
                let proved =
                    self.device(&proof.device, &proof.challenge, &proof.signature, channel, now_ms).await;
                proved.map(|device| (device.id.0, now_ms + DEVICE_SESSION_MS, device.scopes))
            }
            SessionRequest::Device(_) => Err(Refusal::Challenge),
        };
        let (subject, expires_at_ms, scopes) =
            opened.inspect_err(|_| self.attempts.failed(channel, now_ms))?;
        Ok(Session { session: self.sessions.sign(&subject, expires_at_ms), expires_at_ms, scopes })
    }

    /// Returns the caller of a session.
    pub(crate) fn of_session(
        &self,
        session: &str,
        channel: &Channel,
        now_ms: i64,
    ) -> Result<Caller, Refusal> {
        let (subject, until_ms) = self.sessions.read(session).ok_or(Refusal::Session)?;
        if until_ms <= now_ms {
            return Err(Refusal::SessionOver);
        }
        if subject == PAGE {
            return match channel.is_remote() {
                false => Ok(Caller::local("desktop", Some(until_ms))),
                true => Err(Refusal::Session),
            };
        }
        let device = self.known(&DeviceId::new(subject))?;
        self.caller(device.device, Some(until_ms))
    }

    /// Returns the caller that a hello's proof authenticates.
    pub(crate) async fn prove(
        &self,
        proof: Option<&Proof>,
        challenge: &str,
        channel: &Channel,
        now_ms: i64,
    ) -> Result<Caller, Refusal> {
        self.attempts.check(channel, now_ms)?;
        let proved = match proof {
            None => Err(Refusal::NoProof),
            Some(Proof::Session(proof)) => self.of_session(&proof.session, channel, now_ms),
            Some(Proof::Device(proof)) => {
                let device = self.device(&proof.device, challenge, &proof.signature, channel, now_ms).await;
                device.and_then(|device| self.caller(device, None))
            }
        };
        proved.inspect_err(|_| self.attempts.failed(channel, now_ms))
    }

    /// Returns the device that signed a challenge.
    async fn device(
        &self,
        id: &DeviceId,
        challenge: &str,
        signature: &str,
        channel: &Channel,
        now_ms: i64,
    ) -> Result<Device, Refusal> {
        let known = self.known(id)?;
        // The fingerprint binds the signature to this server's channel, so that it cannot be relayed.
        let text = format!("deputy-connect-1\n{}\n{id}\n{challenge}", channel.name());
        if !signature::is_valid(&known.sign_key, &text, signature) {
            return Err(Refusal::Signature);
        }
        if let Err(error) = self.store.device_seen(id, now_ms).await {
            tracing::warn!("when device {id} was last seen could not be noted: {error}");
        }
        Ok(known.device)
    }

    /// Returns a device that is not revoked. Unknown and revoked devices are indistinguishable.
    fn known(&self, id: &DeviceId) -> Result<PairedDevice, Refusal> {
        let found = self.store.device(id).map_err(|error| {
            tracing::error!("device {id} cannot be looked up: {error}");
            Refusal::Store
        })?;
        found.filter(|device| device.device.revoked_at_ms.is_none()).ok_or(Refusal::Device)
    }

    fn caller(&self, device: Device, until_ms: Option<i64>) -> Result<Caller, Refusal> {
        let cut = {
            let mut live = self.live.lock().unwrap_or_else(PoisonError::into_inner);
            live.entry(device.id.clone()).or_default().clone()
        };
        // Checked again: from here on a revocation finds the token to cancel.
        self.known(&device.id)?;
        let who = Who::Device { id: device.id };
        Ok(Caller { who, scopes: device.scopes, until_ms, cut })
    }

    /// Checks the signature of a device's answer, and fills in the device's name.
    pub(crate) fn check_answer(&self, answer: &mut PermissionAnswer, id: &DeviceId) -> Result<(), Refusal> {
        let known = self.known(id)?;
        let Answerer::Device(by) = &answer.by else { return Err(Refusal::Unsigned) };
        let is_plain = by.nonce.bytes().all(|byte| byte.is_ascii_graphic());
        if by.device != *id || !is_plain || !(16..=128).contains(&by.nonce.len()) {
            return Err(Refusal::Signature);
        }
        if !signature::is_valid(&known.sign_key, &answer.signed_text(by), &by.signature) {
            return Err(Refusal::Signature);
        }
        if let Answerer::Device(by) = &mut answer.by {
            by.name = known.device.name;
        }
        Ok(())
    }

    /// Returns a device as the one that answers a question.
    pub(crate) fn responder(&self, id: &DeviceId) -> Result<Responder, Refusal> {
        let name = self.known(id)?.device.name;
        Ok(Responder::Device(DeviceResponder { device: id.clone(), name }))
    }

    /// Returns all devices.
    pub(crate) fn devices(&self) -> Result<Vec<Device>, deputy_store::StoreError> {
        Ok(self.store.devices()?.into_iter().map(|paired| paired.device).collect())
    }

    /// Returns whether any device may connect.
    pub(crate) fn has_devices(&self) -> bool {
        self.devices().is_ok_and(|devices| devices.iter().any(|device| device.revoked_at_ms.is_none()))
    }

    /// Revokes a device and cuts its connections.
    pub(crate) async fn revoke(&self, id: &DeviceId, now_ms: i64) -> Result<bool, deputy_store::StoreError> {
        let was_known = self.store.revoke_device(id, now_ms).await?;
        let cut = self.live.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        if let Some(cut) = cut {
            cut.cancel();
        }
        Ok(was_known)
    }
}

/// Returns the address by which attempts are counted, if they are.
fn counted(channel: &Channel) -> Option<IpAddr> {
    // Otherwise other programs of this user could lock out the desktop page.
    Some(channel.from()).filter(|ip| !ip.is_loopback())
}
