//! How the sidecar is started.

use deputy_protocol::LogLevel;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Gets every line that the sidecar logs, keys taken out, alongside `tracing`.
pub type LogSink = Arc<dyn Fn(LogLevel, &str) + Send + Sync>;

/// Takes out of a text what has the shape of a secret.
pub type Redact = for<'a> fn(&'a str) -> Cow<'a, str>;

/// How the sidecar is started.
#[derive(Clone)]
pub struct SidecarConfig {
    /// The program and its arguments, e.g. `python -m deputy_sidecar`. A program with a `/` in it is a path, another
    /// one is looked for in the system's folders. It starts in the root folder, so that no module of a workspace
    /// is ever imported.
    pub argv: Vec<OsString>,
    /// Folder with the user's own backend files; absolute.
    pub backends_dir: PathBuf,
    /// Backend name to API key; sent in `initialize` and nowhere else.
    pub keys: BTreeMap<String, String>,
    /// How long a request may take, the start of the sidecar included.
    pub request_timeout: Duration,
    /// Gets what the sidecar logs, alongside `tracing`.
    pub log: Option<LogSink>,
    /// Takes other secrets than the keys out of its logs and its crash reports.
    pub redact: Redact,
}

impl fmt::Debug for SidecarConfig {
    /// Names the backends that have a key, never a key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SidecarConfig")
            .field("argv", &self.argv)
            .field("backends_dir", &self.backends_dir)
            .field("keys_of", &self.keys.keys().collect::<Vec<_>>())
            .field("request_timeout", &self.request_timeout)
            .finish_non_exhaustive()
    }
}

/// A key, and the address that it is meant for.
#[derive(Clone)]
pub struct BoundKey {
    /// The key; empty if there is none.
    pub key: String,
    /// The backend's `base_url` as it was set then.
    pub base_url: Option<String>,
}

impl fmt::Debug for BoundKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoundKey").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}
