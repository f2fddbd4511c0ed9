//! Pairing: a one-time code, a number that a person compares, and a key that the device proves to have.
//!
//! The device scans a link, and sends the code and its public keys. Both sides show six digits, which each computes
//! from what it has received. The person confirms on both sides, and only then is the device stored.

use super::{Channel, Gate, Refusal, key, signature};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use deputy_messages::Phrase;
use deputy_messages::server as say;
use deputy_protocol::{
    Device, DeviceScope, PairingAnswer, PairingClaim, PairingClaimed, PairingDone, PairingFinish,
    PairingOver, PairingStage, PairingWaiting,
};
use deputy_store::PairedDevice;
use ring::digest::{SHA256, digest};
use std::sync::PoisonError;

/// How long a pairing can take, in milliseconds.
const PAIRING_MS: i64 = 10 * 60 * 1000;
/// The number of wrong codes and signatures that ends a pairing.
const MAX_TRIES: u32 = 5;
/// The maximum length of a name, in characters.
const MAX_NAME_CHARS: usize = 60;

/// A pairing in progress.
pub(super) struct Pairing {
    code: String,
    link: String,
    fingerprint: String,
    scopes: Vec<DeviceScope>,
    expires_at_ms: i64,
    tries: u32,
    stage: Stage,
}

enum Stage {
    Waiting,
    Claimed {
        claim: PairingClaim,
        sign_key: Vec<u8>,
        seal_key: Option<Vec<u8>>,
        number: String,
        confirmed: bool,
    },
    Paired {
        device: Device,
        sign_key: Vec<u8>,
        number: String,
    },
    Over(Phrase),
}

impl Pairing {
    fn answer(&self) -> PairingAnswer {
        PairingAnswer {
            link: self.link.clone(),
            fingerprint: self.fingerprint.clone(),
            expires_at_ms: self.expires_at_ms,
            stage: self.stage(),
        }
    }

    fn stage(&self) -> PairingStage {
        match &self.stage {
            Stage::Waiting => PairingStage::Waiting(PairingWaiting {}),
            Stage::Claimed { claim, number, confirmed, .. } => PairingStage::Claimed(PairingClaimed {
                name: claim.name.clone(),
                number: number.clone(),
                confirmed: *confirmed,
            }),
            Stage::Paired { device, .. } => PairingStage::Paired(PairingDone { device: device.clone() }),
            Stage::Over(reason) => PairingStage::Over(PairingOver { reason: reason.clone() }),
        }
    }

    /// Checks that a message belongs to this pairing, and counts those that do not.
    fn admit(&mut self, is_right: bool, now_ms: i64) -> Result<(), Refusal> {
        self.expire(now_ms);
        if let Stage::Over(_) = self.stage {
            return Err(Refusal::Pairing);
        }
        if is_right {
            return Ok(());
        }
        self.tries += 1;
        if self.tries >= MAX_TRIES && !matches!(self.stage, Stage::Paired { .. }) {
            self.stage = Stage::Over(say::somebody_tried_wrong_codes());
        }
        Err(Refusal::Pairing)
    }

    fn expire(&mut self, now_ms: i64) {
        if now_ms >= self.expires_at_ms && !matches!(self.stage, Stage::Paired { .. } | Stage::Over(_)) {
            self.stage = Stage::Over(say::ten_minutes_are_over());
        }
    }
}

impl Gate {
    /// Begins to pair a device. Ends any earlier pairing.
    pub(crate) fn start_pairing(
        &self,
        address: &str,
        mut scopes: Vec<DeviceScope>,
        now_ms: i64,
    ) -> Result<PairingAnswer, Refusal> {
        // Every device may monitor.
        scopes.push(DeviceScope::Monitor);
        scopes.sort_unstable();
        scopes.dedup();
        let code = URL_SAFE_NO_PAD.encode(key::secret().map_err(|_| Refusal::NoRandomness)?);
        let fingerprint = self.fingerprint().to_owned();
        let link = format!("https://{address}/m/#pair={code}&pin={fingerprint}");
        let expires_at_ms = now_ms + PAIRING_MS;
        let pairing =
            Pairing { code, link, fingerprint, scopes, expires_at_ms, tries: 0, stage: Stage::Waiting };
        let answer = pairing.answer();
        *self.pairing.lock().unwrap_or_else(PoisonError::into_inner) = Some(pairing);
        Ok(answer)
    }

    /// Returns the state of the pairing.
    pub(crate) fn pairing(&self, now_ms: i64) -> Result<PairingAnswer, Refusal> {
        let mut pairing = self.pairing.lock().unwrap_or_else(PoisonError::into_inner);
        let pairing = pairing.as_mut().ok_or(Refusal::NoPairing)?;
        pairing.expire(now_ms);
        Ok(pairing.answer())
    }

    /// Handles a device that sends the code.
    pub(crate) fn claim_pairing(
        &self,
        mut claim: PairingClaim,
        channel: &Channel,
        now_ms: i64,
    ) -> Result<PairingStage, Refusal> {
        self.attempts.check(channel, now_ms)?;
        let mut pairing = self.pairing.lock().unwrap_or_else(PoisonError::into_inner);
        let pairing = pairing.as_mut().ok_or(Refusal::Pairing)?;
        let is_right = is_same(&claim.code, &pairing.code);
        pairing.admit(is_right, now_ms).inspect_err(|_| self.attempts.failed(channel, now_ms))?;
        let sign_key = signature::public_key(&claim.sign_key).ok_or(Refusal::Key)?;
        let seal_key = match &claim.seal_key {
            Some(key) => Some(signature::public_key(key).ok_or(Refusal::Key)?),
            None => None,
        };
        let name: String =
            claim.name.chars().filter(|letter| !letter.is_control()).take(MAX_NAME_CHARS).collect();
        claim.name = if name.trim().is_empty() { "A device".to_owned() } else { name.trim().to_owned() };
        match &pairing.stage {
            Stage::Waiting => {}
            // The same device asks again because it did not get the answer.
            Stage::Claimed { claim: first, .. } if *first == claim => {
                return Ok(pairing.stage());
            }
            // Two devices know the code, so one of them must be an attacker's.
            Stage::Claimed { .. } => {
                pairing.stage = Stage::Over(say::second_device_came_with_same());
                return Err(Refusal::Pairing);
            }
            Stage::Paired { .. } | Stage::Over(_) => return Err(Refusal::Pairing),
        }
        let number = number(&pairing.fingerprint, &claim);
        pairing.stage = Stage::Claimed { claim, sign_key, seal_key, number, confirmed: false };
        Ok(pairing.stage())
    }

    /// Handles the confirmation at the desktop, after the person has compared the numbers.
    pub(crate) fn confirm_pairing(
        &self,
        given: &str,
        accept: bool,
        now_ms: i64,
    ) -> Result<PairingAnswer, Refusal> {
        let mut pairing = self.pairing.lock().unwrap_or_else(PoisonError::into_inner);
        let pairing = pairing.as_mut().ok_or(Refusal::NoPairing)?;
        pairing.expire(now_ms);
        let is_same = match &mut pairing.stage {
            Stage::Claimed { number, confirmed, .. } => {
                *confirmed = accept && number == given;
                *confirmed
            }
            _ => return Ok(pairing.answer()),
        };
        if !is_same {
            pairing.stage = Stage::Over(say::numbers_were_not_same());
        }
        Ok(pairing.answer())
    }

    /// Handles the confirmation at the device, with the proof of its key. The pairing is done once the desktop has
    /// confirmed too.
    pub(crate) async fn finish_pairing(
        &self,
        finish: &PairingFinish,
        channel: &Channel,
        now_ms: i64,
    ) -> Result<PairingStage, Refusal> {
        self.attempts.check(channel, now_ms)?;
        let paired = {
            let mut pairing = self.pairing.lock().unwrap_or_else(PoisonError::into_inner);
            let pairing = pairing.as_mut().ok_or(Refusal::Pairing)?;
            let is_right = is_same(&finish.code, &pairing.code) && pairing.is_signed(&finish.signature);
            pairing.admit(is_right, now_ms).inspect_err(|_| self.attempts.failed(channel, now_ms))?;
            match pairing.accept(now_ms) {
                Some(paired) => paired,
                None => return Ok(pairing.stage()),
            }
        };
        let done = PairingStage::Paired(PairingDone { device: paired.device.clone() });
        if let Err(error) = self.store.insert_device(paired).await {
            tracing::error!("a device could not be remembered: {error}");
            if let Some(pairing) = &mut *self.pairing.lock().unwrap_or_else(PoisonError::into_inner) {
                pairing.stage = Stage::Over(say::could_not_be_written_down());
            }
            return Err(Refusal::Store);
        }
        Ok(done)
    }
}

impl Pairing {
    fn is_signed(&self, signed: &str) -> bool {
        let (Stage::Claimed { sign_key, number, .. } | Stage::Paired { sign_key, number, .. }) = &self.stage
        else {
            return false;
        };
        let text = format!("deputy-pair-1\n{}\n{}\n{number}", self.fingerprint, self.code);
        signature::is_valid(sign_key, &text, signed)
    }

    /// Creates the device if both sides have confirmed.
    fn accept(&mut self, now_ms: i64) -> Option<PairedDevice> {
        let Stage::Claimed { claim, sign_key, seal_key, number, confirmed: true } = &self.stage else {
            return None;
        };
        let device = Device {
            id: deputy_agent::new_device_id(),
            name: claim.name.clone(),
            scopes: self.scopes.clone(),
            paired_at_ms: now_ms,
            last_seen_ms: None,
            revoked_at_ms: None,
        };
        let (sign_key, seal_key, number) = (sign_key.clone(), seal_key.clone(), number.clone());
        self.stage = Stage::Paired { device: device.clone(), sign_key: sign_key.clone(), number };
        Some(PairedDevice { device, sign_key, seal_key, endpoint: None })
    }
}

/// Computes six digits that match on both sides only if both saw the same server, code and keys.
fn number(fingerprint: &str, claim: &PairingClaim) -> String {
    let seal_key = claim.seal_key.as_deref().unwrap_or_default();
    let text = format!("deputy-number-1\n{fingerprint}\n{}\n{}\n{seal_key}", claim.code, claim.sign_key);
    let digest = digest(&SHA256, text.as_bytes());
    let first = digest.as_ref().iter().take(4).fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
    format!("{:06}", first % 1_000_000)
}

/// Compares digests, so that the duration reveals nothing about the code.
fn is_same(given: &str, code: &str) -> bool {
    digest(&SHA256, given.as_bytes()).as_ref() == digest(&SHA256, code.as_bytes()).as_ref()
}
