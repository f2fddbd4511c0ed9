//! The secret from which the sidecar makes the marks around untrusted data. Each call has its own mark, which depends on
//! the secret and on the call's id: no content can contain it, and after a restart it is still the same, so that what is
//! sent to a provider stays as it was sent before.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The size of the secret in hexadecimal digits.
const DIGITS: usize = 32;

/// Returns the secret of a home, and creates it if necessary. Empty if the system has no randomness.
pub fn secret(home: &Path) -> String {
    let path = home.join("marks.key");
    if let Ok(kept) = std::fs::read_to_string(&path)
        && kept.len() == DIGITS
    {
        return kept;
    }
    let mut bytes = [0u8; DIGITS / 2];
    if getrandom::fill(&mut bytes).is_err() {
        return String::new();
    }
    let mut made = String::with_capacity(DIGITS);
    for byte in bytes {
        let _ = write!(made, "{byte:02x}");
    }
    if let Err(error) = keep(&path, &made) {
        tracing::warn!(path = %path.display(), %error, "the secret of data marks is not kept; providers' caches do not survive a restart");
    }
    made
}

/// Replaces the file as a whole, so that another process never reads a part.
fn keep(path: &Path, secret: &str) -> io::Result<()> {
    let unfinished = path.with_extension("new");
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished)?;
    file.write_all(secret.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(&unfinished, path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_home_keeps_its_secret_and_only_its_owner_reads_it() {
        let (home, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let made = secret(home.path());
        assert_eq!((made.len(), secret(home.path())), (DIGITS, made.clone()));
        assert_ne!(secret(other.path()), made);
        let file = home.path().join("marks.key");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::write(&file, "cut").unwrap();
        assert_eq!(secret(home.path()).len(), DIGITS);
    }
}
