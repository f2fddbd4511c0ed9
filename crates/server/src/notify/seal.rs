//! Encrypts a text with a device's public key, so that a relay cannot read it.
//!
//! An ephemeral P-256 key and the device's key agree on a secret. HKDF-SHA256 (salt: both public keys, info:
//! `deputy-notice-1`) derives an AES-256-GCM key, which is used once with an all-zero nonce. The result is the
//! ephemeral public key followed by the ciphertext.

use ring::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::error::Unspecified;
use ring::hkdf::{HKDF_SHA256, Salt};
use ring::rand::SystemRandom;

const INFO: &[u8] = b"deputy-notice-1";

/// Encrypts `text` for the owner of `key`.
pub(super) fn seal(key: &[u8], text: &[u8]) -> Result<Vec<u8>, Unspecified> {
    let ephemeral = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new())?;
    let public = ephemeral.compute_public_key()?;
    let salt = [public.as_ref(), key].concat();
    let theirs = UnparsedPublicKey::new(&ECDH_P256, key);
    let sealing = agree_ephemeral(ephemeral, &theirs, |secret| {
        let expanded = Salt::new(HKDF_SHA256, &salt).extract(secret);
        let key: UnboundKey = expanded.expand(&[INFO], &AES_256_GCM)?.into();
        Ok::<_, Unspecified>(LessSafeKey::new(key))
    })??;
    let mut sealed = text.to_vec();
    sealing.seal_in_place_append_tag(Nonce::assume_unique_for_key([0; 12]), Aad::empty(), &mut sealed)?;
    Ok([public.as_ref(), &sealed].concat())
}
