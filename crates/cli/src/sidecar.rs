//! Finds the Python sidecar: in the package that contains the executable, or in the checkout it was built in.

use crate::home::Homes;
use deputy_agent::config::{Config, NO_EMBEDDER, ON_DEVICE};
use deputy_agent::{backends, keys};
use deputy_planner::{Embedder, EmbedderProcess, NoEmbedder, Sidecar, SidecarConfig};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Runs the package from its folder in isolated mode, so that the user's site packages and PYTHON variables have no
/// effect.
const START: &str =
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from deputy_sidecar.__main__ import main; main()";
/// A plan may take long on a small machine with a large model.
const REQUEST_TIMEOUT_SECS: u64 = 600;
/// A batch of texts takes seconds on a small machine.
const EMBED_TIMEOUT_SECS: u64 = 120;

/// The location of the sidecar and its Python.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) package: PathBuf,
    pub(crate) python: PathBuf,
}

/// Finds the package and its Python. Searches upwards from the executable for `lib/deputy/sidecar` of an installed
/// package, then for `sidecar` with `.venv` of a checkout.
pub(crate) fn find(config: &Config) -> Option<Found> {
    let exe = std::env::current_exe().ok()?.canonicalize().ok()?;
    exe.ancestors().skip(1).find_map(|folder| {
        let installed = folder.join("lib/deputy");
        [(installed.join("sidecar"), installed.join("venv")), (folder.join("sidecar"), folder.join(".venv"))]
            .into_iter()
            .find(|(package, _)| package.join("deputy_sidecar/__main__.py").is_file())
            .map(|(package, venv)| Found { package, python: python(config, &venv) })
    })
}

fn python(config: &Config, venv: &Path) -> PathBuf {
    config.sidecar.python.clone().unwrap_or_else(|| venv.join("bin/python"))
}

/// Creates the sidecar, which starts on first use.
pub(crate) fn make(homes: &Homes, config: &Config) -> Sidecar {
    let mut keys = keys::collect(config, &keys::REAL);
    // The configured backend is included even without a key, so that the sidecar loads its dependencies before the
    // first plan.
    keys.entry(config.backend.clone()).or_default();
    let marks = deputy_agent::marks::secret(&homes.deputy);
    Sidecar::new(SidecarConfig { keys, marks, ..set_up(homes, config) })
}

/// Creates the configured embedder. `planning` is the sidecar that plans.
pub(crate) fn embedder(homes: &Homes, config: &Config, planning: &Sidecar) -> Arc<dyn Embedder> {
    match config.memory.embedder.as_str() {
        NO_EMBEDDER => Arc::new(NoEmbedder),
        ON_DEVICE => {
            let request_timeout = Duration::from_secs(EMBED_TIMEOUT_SECS);
            let mut set_up = SidecarConfig { request_timeout, ..set_up(homes, config) };
            // Confined, because the embedder processes untrusted texts from files and pages with native code.
            set_up.argv.push("--confined".into());
            Arc::new(EmbedderProcess::new(set_up))
        }
        // The backend's model is elsewhere, and using it requires the key, which the planning sidecar has.
        _ => Arc::new(planning.clone()),
    }
}

/// Returns how to start the sidecar, without keys and marks.
fn set_up(homes: &Homes, config: &Config) -> SidecarConfig {
    let argv: Vec<OsString> = match find(config) {
        Some(found) => {
            vec![found.python.into(), "-I".into(), "-c".into(), START.into(), found.package.into()]
        }
        // Starting it then fails with this name in the message, and `deputy doctor` explains what to do.
        None => vec!["deputy-sidecar".into()],
    };
    let timeout = config.sidecar.timeout_secs.unwrap_or(REQUEST_TIMEOUT_SECS);
    SidecarConfig {
        argv,
        backends_dir: backends::folder(&homes.deputy),
        keys: BTreeMap::new(),
        marks: String::new(),
        request_timeout: Duration::from_secs(timeout),
        log: None,
        redact: deputy_agent::without_secrets,
    }
}
