//! The TLS identity of the server: a key in a file, which devices pin, and a certificate that is generated from it at
//! each start.

use super::key::write_private;
use crate::ServeError;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use deputy_messages::Phrase;
use deputy_messages::server as say;
use rcgen::PublicKeyData;
use ring::digest::{SHA256, digest};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

/// A key, and the certificate generated from it.
pub(super) struct Identity {
    /// The TLS configuration.
    pub(super) tls: Arc<rustls::ServerConfig>,
    /// The SHA-256 hash of the public key, in base64url. It stays the same when the certificate changes.
    pub(super) fingerprint: String,
    /// Whether the key was just created.
    pub(super) is_new: bool,
}

impl Identity {
    /// Loads the key of a home, or creates it. If the old key is lost, every device must be paired again.
    pub(super) fn load(home: &Path) -> Result<Self, ServeError> {
        let path = home.join("tls.key");
        let failed = |source| ServeError { path: path.clone(), source };
        let other = |error: Phrase| failed(std::io::Error::other(String::from(error)));
        let mut is_new = false;
        let key = match std::fs::read_to_string(&path) {
            Ok(text) => rcgen::KeyPair::from_pem(&text)
                .map_err(|error| other(say::holds_no_key_remove_then(error)))?,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let key = rcgen::KeyPair::generate().map_err(|error| other(error.to_string().into()))?;
                write_private(&path, key.serialize_pem().as_bytes()).map_err(failed)?;
                is_new = true;
                key
            }
            Err(error) => return Err(failed(error)),
        };
        let fingerprint = URL_SAFE_NO_PAD.encode(digest(&SHA256, &key.subject_public_key_info()));
        let tls = config(&key).map_err(|error| other(error.into()))?;
        Ok(Self { tls: Arc::new(tls), fingerprint, is_new })
    }
}

fn config(key: &rcgen::KeyPair) -> Result<rustls::ServerConfig, String> {
    let said = |error: rcgen::Error| error.to_string();
    let mut params = rcgen::CertificateParams::new(vec!["deputy.local".to_owned()]).map_err(said)?;
    params.distinguished_name.push(rcgen::DnType::CommonName, "Deputy");
    // Devices check the key and not the dates, and a wrong clock must not lock anyone out.
    params.not_before = rcgen::date_time_ymd(2025, 1, 1);
    params.not_after = rcgen::date_time_ymd(2045, 1, 1);
    let certificate = params.self_signed(key).map_err(said)?;
    let private = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut tls = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| {
            builder.with_no_client_auth().with_single_cert(vec![certificate.der().clone()], private)
        })
        .map_err(|error| error.to_string())?;
    tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(tls)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn the_key_is_private_and_the_fingerprint_stays() {
        let home = tempfile::tempdir().unwrap();
        let first = Identity::load(home.path()).unwrap().fingerprint;
        let file = home.path().join("tls.key");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(Identity::load(home.path()).unwrap().fingerprint, first);
        std::fs::remove_file(&file).unwrap();
        assert_ne!(Identity::load(home.path()).unwrap().fingerprint, first, "a lost key is a new identity");
        std::fs::write(&file, "nonsense").unwrap();
        let error = Identity::load(home.path()).err().unwrap().to_string();
        assert!(error.contains("tls.key") && error.contains("pair"), "{error}");
    }
}
