//! Signatures and keys of devices: P-256 in the encoding of browsers and phones.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

/// The size of an uncompressed point, in bytes.
const POINT_BYTES: usize = 65;

/// Decodes a public key of a device. `None` if it is invalid.
pub(super) fn public_key(text: &str) -> Option<Vec<u8>> {
    let point = URL_SAFE_NO_PAD.decode(text).ok()?;
    (point.len() == POINT_BYTES && point[0] == 4).then_some(point)
}

/// Returns whether a text was signed with a key.
pub(super) fn is_valid(key: &[u8], text: &str, signature: &str) -> bool {
    let Ok(signature) = URL_SAFE_NO_PAD.decode(signature) else { return false };
    UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, key).verify(text.as_bytes(), &signature).is_ok()
}
