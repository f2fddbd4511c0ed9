//! Signatures and keys of devices: P-256 as browsers and phones write it.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

/// Bytes of an uncompressed point.
const POINT_BYTES: usize = 65;

/// A public key that a device sent; `None` for what is none.
pub(super) fn public_key(text: &str) -> Option<Vec<u8>> {
    let point = URL_SAFE_NO_PAD.decode(text).ok()?;
    (point.len() == POINT_BYTES && point[0] == 4).then_some(point)
}

/// Whether a text was signed by the owner of a key.
pub(super) fn is_valid(key: &[u8], text: &str, signature: &str) -> bool {
    let Ok(signature) = URL_SAFE_NO_PAD.decode(signature) else { return false };
    UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, key).verify(text.as_bytes(), &signature).is_ok()
}
