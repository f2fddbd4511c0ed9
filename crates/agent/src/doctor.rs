//! Checks the machine: what is available, what is missing, and how to fix it.

use crate::backends;
use crate::config::{Config, ConfigError};
use deputy_messages::agent as say;
use deputy_policy::Rules;
use deputy_protocol::{Confinement, Finding, Phrase};
use deputy_store::Store;
use deputy_tools::OrganizeHome;
use deputy_tools::organize::job_line;
use std::path::Path;

/// The maximum number of files that a finding names.
const MOST_NAMED: usize = 5;

/// Creates a finding without a problem.
pub fn well(name: &str, message: impl Into<Phrase>) -> Finding {
    Finding { name: name.to_owned(), ok: true, message: message.into() }
}

/// Creates a finding with a problem. The message says how to fix it.
pub fn ill(name: &str, message: impl Into<Phrase>) -> Finding {
    Finding { name: name.to_owned(), ok: false, message: message.into() }
}

/// Checks that `config.toml` is valid.
pub fn configuration(config: &Result<Config, ConfigError>) -> Finding {
    match config {
        Ok(_) => well("configuration", say::valid()),
        Err(error) => ill("configuration", error),
    }
}

/// Checks that the user's own rules are valid.
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

/// Checks that other users have no access to the home.
pub fn surroundings(home: &Path) -> Finding {
    match crate::surroundings::check(home) {
        Ok(()) => well("surroundings", say::home_is_yours_alone()),
        Err(found) => ill("surroundings", say::home_is_unsafe(&found, found.mend())),
    }
}

/// Checks that commands can be confined.
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

/// Checks which browser tasks use, and whether it can be isolated from the network.
pub fn browser() -> Finding {
    match (deputy_tools::installed_browser(), deputy_sandbox::walls().bubblewrap.is_some()) {
        (Some((name, program)), true) => well("browser", say::tasks_use_browser(name, program.display())),
        (Some((name, _)), false) => ill("browser", say::browser_without_bubblewrap(name)),
        // A computer without a browser is not a problem.
        (None, _) => well("browser", say::no_browser()),
    }
}

/// Checks for interrupted jobs. An interrupted job blocks its folder until the user decides about it.
pub fn jobs(home: &Path, user_home: &Path) -> Finding {
    match OrganizeHome::of(home, user_home).jobs().and_then(|jobs| jobs.interrupted()) {
        Err(error) => ill("jobs", error),
        Ok(found) => {
            if found.is_empty() {
                return well("jobs", say::no_job_interrupted());
            }
            let line = |plan: &deputy_organize::PlanSummary| {
                let id = &plan.latest().id;
                format!("{}; deputy jobs resume {id} | deputy undo {id}", job_line(plan))
            };
            ill("jobs", found.iter().map(line).collect::<Vec<_>>().join("; "))
        }
    }
}

/// Checks that the copies of files that undo needs are there, in their full size. Reads all events.
pub fn copies(store: &Store, home: &Path) -> Finding {
    match store.lost_copies() {
        Err(error) => ill("copies", error.to_string()),
        Ok(lost) if lost.is_empty() => well("copies", say::copies_are_there()),
        Ok(lost) => {
            let named = lost
                .iter()
                .take(MOST_NAMED)
                .map(|copy| say::lost_copy(deputy_policy::visible(&copy.path), &copy.task));
            let more = (lost.len() > MOST_NAMED).then(|| Phrase::from("..."));
            let named = deputy_messages::list(named.chain(more));
            ill("copies", say::copies_lost(lost.len() as u64, home.join("blobs").display(), named))
        }
    }
}

/// Checks that the default backend can be used.
pub fn backend(home: &Path, config: &Config) -> Finding {
    match backends::check(home, config, &config.backend) {
        Ok(()) => well("backend", say::backend_is_ready(&config.backend)),
        Err(error) => {
            ill("backend", deputy_messages::sentences([error.message].into_iter().chain(error.hints)))
        }
    }
}
