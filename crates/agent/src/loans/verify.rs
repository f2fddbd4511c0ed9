//! Verifies that a server's key made a signature. This is the only proof of what a client reports about its connection.

use super::wire::{Reader, unsigned};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256,
    RSA_PKCS1_2048_8192_SHA512, RsaPublicKeyComponents, UnparsedPublicKey,
};

/// Returns whether `signature` over `signed` was made with `key`. `false` for unknown types of keys.
pub(super) fn is_signed_by(key: &[u8], signature: &[u8], signed: &[u8]) -> bool {
    verified(key, signature, signed).is_some()
}

fn verified(key: &[u8], signature: &[u8], signed: &[u8]) -> Option<()> {
    let (mut key, mut signature) = (Reader(key), Reader(signature));
    let (kind, method) = (key.text()?, signature.text()?);
    let made = signature.string().filter(|_| signature.is_empty())?;
    let checked = match (kind, method) {
        ("ssh-ed25519", "ssh-ed25519") => {
            UnparsedPublicKey::new(&ED25519, key.string()?).verify(signed, made)
        }
        ("ecdsa-sha2-nistp256", "ecdsa-sha2-nistp256") => {
            let point = curve(&mut key)?;
            UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(signed, &fixed(made, 32)?)
        }
        ("ecdsa-sha2-nistp384", "ecdsa-sha2-nistp384") => {
            let point = curve(&mut key)?;
            UnparsedPublicKey::new(&ECDSA_P384_SHA384_FIXED, point).verify(signed, &fixed(made, 48)?)
        }
        ("ssh-rsa", "rsa-sha2-256" | "rsa-sha2-512") => {
            let (e, n) = (unsigned(key.string()?), unsigned(key.string()?));
            let way = if method.ends_with("256") {
                &RSA_PKCS1_2048_8192_SHA256
            } else {
                &RSA_PKCS1_2048_8192_SHA512
            };
            RsaPublicKeyComponents { n, e }.verify(way, signed, made)
        }
        _ => return None,
    };
    checked.ok()
}

/// Returns the curve point of a key, after the name of the curve.
fn curve<'a>(key: &mut Reader<'a>) -> Option<&'a [u8]> {
    key.string()?;
    key.string()
}

/// Encodes two numbers with a fixed number of bytes each.
fn fixed(made: &[u8], bytes: usize) -> Option<Vec<u8>> {
    let mut made = Reader(made);
    let mut both = Vec::with_capacity(2 * bytes);
    for _ in 0..2 {
        let number = unsigned(made.string()?);
        both.resize(both.len() + bytes.checked_sub(number.len())?, 0);
        both.extend_from_slice(number);
    }
    Some(both)
}
