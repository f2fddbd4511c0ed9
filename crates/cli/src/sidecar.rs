//! Finds the Python sidecar: beside the executable's package, or in the checkout it was built in.

use crate::home::Homes;
use deputy_agent::{backends, config::Config, keys};
use deputy_planner::{Sidecar, SidecarConfig};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Runs the package from its folder, isolated: neither the user's site nor PYTHON variables have a say.
const START: &str =
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from deputy_sidecar.__main__ import main; main()";
/// A plan may take long on a small machine with a large model.
const REQUEST_TIMEOUT_SECS: u64 = 600;

/// Where the sidecar and its Python are.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) package: PathBuf,
    pub(crate) python: PathBuf,
}

/// Looks for the package and its Python. Each place is tried from the executable upwards:
/// `lib/deputy/sidecar` of an installed package, then `sidecar` with `.venv` of a checkout.
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

/// The sidecar, ready to start on first use.
pub(crate) fn make(homes: &Homes, config: &Config) -> Sidecar {
    let argv: Vec<OsString> = match find(config) {
        Some(found) => {
            vec![found.python.into(), "-I".into(), "-c".into(), START.into(), found.package.into()]
        }
        // Its start then fails with this name in the message, and doctor says what to do.
        None => vec!["deputy-sidecar".into()],
    };
    let mut keys = keys::collect(config, &keys::REAL);
    // Named even without a key: the sidecar loads what this backend needs before the first plan asks for it.
    keys.entry(config.backend.clone()).or_default();
    let timeout = config.sidecar.timeout_secs.unwrap_or(REQUEST_TIMEOUT_SECS);
    Sidecar::new(SidecarConfig {
        argv,
        backends_dir: backends::folder(&homes.deputy),
        keys,
        request_timeout: Duration::from_secs(timeout),
        log: None,
        redact: deputy_agent::without_secrets,
    })
}
