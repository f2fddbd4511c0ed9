//! What a machine has, what is missing, and what to do about it.

use crate::backends;
use crate::config::{Config, ConfigError};
use deputy_messages::agent as say;
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
        Ok(_) => well("configuration", say::valid()),
        Err(error) => ill("configuration", error),
    }
}

/// Whether the user's own rules can be used.
pub fn rules(home: &Path) -> Finding {
    let path = home.join("rules.toml");
    if !path.exists() {
        return well("rules", say::no_rules_of_your_own());
    }
    match Rules::load(&path) {
        Ok(_) => well("rules", say::rules_are_valid()),
        Err(error) => ill("rules", error),
    }
}

/// Whether the home is this user's alone.
pub fn surroundings(home: &Path) -> Finding {
    match crate::surroundings::check(home) {
        Ok(()) => well("surroundings", say::home_is_yours_alone()),
        Err(found) => ill("surroundings", say::home_is_unsafe(&found, found.mend())),
    }
}

/// Whether commands can be confined.
pub fn walls() -> Finding {
    let walls = deputy_sandbox::walls();
    if walls.can_confine(Confinement::ReadOnly) {
        let notes = walls.describe();
        let kind =
            walls.landlock_abi.map_or_else(|| "bubblewrap".to_owned(), |abi| format!("Landlock ABI {abi}"));
        let said = std::iter::once(say::commands_are_confined(kind)).chain(notes);
        return well("walls", deputy_messages::series(said));
    }
    ill("walls", say::commands_cannot_be_confined(deputy_messages::series(walls.describe())))
}

/// Which browser tasks use, and whether it can be kept from the network.
pub fn browser() -> Finding {
    match (deputy_tools::installed_browser(), deputy_sandbox::walls().bubblewrap.is_some()) {
        (Some((name, program)), true) => well("browser", say::tasks_use_browser(name, program.display())),
        (Some((name, _)), false) => ill("browser", say::browser_without_bubblewrap(name)),
        // Nothing is wrong with a computer without one.
        (None, _) => well("browser", say::no_browser()),
    }
}

/// A job that was cut off blocks its folder until somebody decides about it.
pub fn jobs(home: &Path, user_home: &Path) -> Finding {
    match OrganizeHome::of(home, user_home).jobs().and_then(|jobs| jobs.interrupted()) {
        Err(error) => ill("jobs", error),
        Ok(found) => {
            if found.is_empty() {
                return well("jobs", say::no_job_interrupted());
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
        Ok(()) => well("backend", say::backend_is_ready(&config.backend)),
        Err(error) => {
            ill("backend", deputy_messages::sentences([error.message].into_iter().chain(error.hints)))
        }
    }
}
