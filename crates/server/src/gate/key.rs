//! The host's secret key, which signs sessions, in a file that only its owner can read.

use crate::ServeError;
use ring::rand::{SecureRandom, SystemRandom};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The size of a key, and of every other secret that is generated here, in bytes.
pub(crate) const SECRET_BYTES: usize = 32;

/// The key that signs sessions. Deleting its file ends every session.
pub(crate) struct Key(pub(crate) ring::hmac::Key);

impl Key {
    /// Loads the key of a home, or creates it.
    pub(crate) fn load(home: &Path) -> Result<Self, ServeError> {
        let path = home.join("session.key");
        let failed = |source| ServeError { path: path.clone(), source };
        let mut bytes = Vec::new();
        match std::fs::File::open(&path) {
            Ok(file) => {
                file.take(1024).read_to_end(&mut bytes).map_err(failed)?;
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
        // A truncated file is replaced.
        if bytes.len() != SECRET_BYTES {
            bytes = secret().map_err(|_| failed(std::io::Error::other("no randomness")))?.to_vec();
            write_private(&path, &bytes).map_err(failed)?;
        }
        Ok(Self(ring::hmac::Key::new(ring::hmac::HMAC_SHA256, &bytes)))
    }
}

/// Returns new random bytes.
pub(crate) fn secret() -> Result<[u8; SECRET_BYTES], ring::error::Unspecified> {
    let mut bytes = [0; SECRET_BYTES];
    SystemRandom::new().fill(&mut bytes)?;
    Ok(bytes)
}

/// Atomically writes a file that only its owner can read. Durable on return.
pub(crate) fn write_private(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let unfinished = path.with_extension("new");
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished)?;
    file.write_all(content)?;
    file.sync_all()?;
    std::fs::rename(&unfinished, path)?;
    path.parent().map_or(Ok(()), |folder| std::fs::File::open(folder)?.sync_all())
}
