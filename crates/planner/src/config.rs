//! The configuration of the sidecar.

use deputy_protocol::LogLevel;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Receives every line that the sidecar logs, with keys redacted, in addition to `tracing`.
pub type LogSink = Arc<dyn Fn(LogLevel, &str) + Send + Sync>;

/// Redacts secrets by their shape.
pub type Redact = for<'a> fn(&'a str) -> Cow<'a, str>;

/// The configuration of the sidecar.
#[derive(Clone)]
pub struct SidecarConfig {
    /// The program and its arguments, e.g. `python -m deputy_sidecar`. A program with a `/` is a path; any other is
    /// looked up in the system's folders. It starts in the root folder, so that no module of a workspace is ever
    /// imported.
    pub argv: Vec<OsString>,
    /// The folder with the user's own backend files; absolute.
    pub backends_dir: PathBuf,
    /// The API keys by backend name; sent in `initialize` and nowhere else.
    pub keys: BTreeMap<String, String>,
    /// The secret from which the marks around untrusted data are made; sent in `initialize` and nowhere else. If empty,
    /// the sidecar makes its own.
    pub marks: String,
    /// The timeout of a request, including the start of the sidecar.
    pub request_timeout: Duration,
    /// Receives what the sidecar logs, in addition to `tracing`.
    pub log: Option<LogSink>,
    /// Redacts secrets other than the keys from its logs and its crash reports.
    pub redact: Redact,
}

impl fmt::Debug for SidecarConfig {
    /// Lists the backends that have a key, but no keys.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SidecarConfig")
            .field("argv", &self.argv)
            .field("backends_dir", &self.backends_dir)
            .field("keys_of", &self.keys.keys().collect::<Vec<_>>())
            .field("request_timeout", &self.request_timeout)
            .finish_non_exhaustive()
    }
}

/// A key, and the address that it may be sent to.
#[derive(Clone)]
pub struct BoundKey {
    /// The key; empty if there is none.
    pub key: String,
    /// The `base_url` of the backend when the key was collected.
    pub base_url: Option<String>,
}

impl fmt::Debug for BoundKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoundKey").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}
