//! What a machine has, what is missing, and what to do about it.

use crate::backends;
use crate::config::{Config, ConfigError};
use deputy_policy::Rules;
use deputy_protocol::{Confinement, Finding, Phrase};
use deputy_tools::OrganizeHome;
use deputy_tools::organize::job_line;
use std::path::Path;

/// Something that is well.
pub fn well(name: &str, message: impl Into<Phrase>) -> Finding {
    Finding { name: name.to_owned(), ok: true, message: message.into() }
}

/// Something that wants fixing; the message says how.
pub fn ill(name: &str, message: impl Into<Phrase>) -> Finding {
    Finding { name: name.to_owned(), ok: false, message: message.into() }
}

/// Whether `config.toml` can be used.
pub fn configuration(config: &Result<Config, ConfigError>) -> Finding {
    match config {
        Ok(_) => well("configuration", "valid"),
        Err(error) => ill("configuration", error.to_string()),
    }
}

/// Whether the user's own rules can be used.
pub fn rules(home: &Path) -> Finding {
    let path = home.join("rules.toml");
    if !path.exists() {
        return well("rules", "none of your own");
    }
    match Rules::load(&path) {
        Ok(_) => well("rules", "are valid, and their examples hold"),
        Err(error) => ill("rules", error.to_string()),
    }
}

/// Whether the home is this user's alone.
pub fn surroundings(home: &Path) -> Finding {
    match crate::surroundings::check(home) {
        Ok(()) => well("surroundings", "nobody else can change what tasks run by"),
        Err(found) => ill("surroundings", format!("{found}. {}", found.mend())),
    }
}

/// Whether commands can be confined.
pub fn walls() -> Finding {
    let walls = deputy_sandbox::walls();
    if walls.can_confine(Confinement::ReadOnly) {
        let notes = walls.describe();
        let kind =
            walls.landlock_abi.map_or_else(|| "bubblewrap".to_owned(), |abi| format!("Landlock ABI {abi}"));
        return well("walls", [vec![format!("commands are confined by {kind}")], notes].concat().join("; "));
    }
    let missing = walls.describe().join("; ");
    ill("walls", format!("commands cannot be confined, so each of them asks: {missing}"))
}

/// Which browser tasks use, and whether it can be kept from the network.
pub fn browser() -> Finding {
    match (deputy_tools::installed_browser(), deputy_sandbox::walls().bubblewrap.is_some()) {
        (Some((name, program)), true) => {
            well("browser", format!("tasks use {name} at {path}", path = program.display()))
        }
        (Some((name, _)), false) => ill(
            "browser",
            format!(
                "{name} cannot be kept from the network without bubblewrap, so tasks do not use it. Install bubblewrap."
            ),
        ),
        // Nothing is wrong with a computer without one.
        (None, _) => well(
            "browser",
            "none is installed, so tasks read pages by `fetch` alone. Install Chromium, Google Chrome or Microsoft Edge.",
        ),
    }
}

/// A job that was cut off blocks its folder until somebody decides about it.
pub fn jobs(home: &Path, user_home: &Path) -> Finding {
    match OrganizeHome::of(home, user_home).jobs().and_then(|jobs| jobs.interrupted()) {
        Err(error) => ill("jobs", format!("{error}.")),
        Ok(found) => {
            if found.is_empty() {
                return well("jobs", "none interrupted");
            }
            let line = |job: &deputy_organize::JobSummary| {
                let id = &job.id;
                format!("{}; deputy jobs resume {id} | deputy undo {id}", job_line(job))
            };
            ill("jobs", found.iter().map(line).collect::<Vec<_>>().join("; "))
        }
    }
}

/// Whether the backend of tasks that name none can be asked.
pub fn backend(home: &Path, config: &Config) -> Finding {
    match backends::check(home, config, &config.backend) {
        Ok(()) => well("backend", format!("ready: {}", config.backend)),
        Err(error) => {
            ill("backend", deputy_messages::sentences([error.message].into_iter().chain(error.hints)))
        }
    }
}
