//! Organizing for clients: selecting folders, scans, drafts, and the jobs of the home. A plan itself is carried out by
//! a task, so that the policy judges it and a person approves it.

mod by_hand;
mod drafts;
mod folders;
mod jobs;
mod scans;

pub(super) use by_hand::JobsByHand;
pub(super) use drafts::Drafts;
pub(super) use folders::Folders;
pub(super) use jobs::JobList;
pub(super) use scans::Scans;

use crate::core::Core;
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_protocol::{ErrorBody, ErrorCode};
use deputy_tools::OrganizeHome;
use std::path::PathBuf;

/// Returns the paths used for organizing, with the user's own list of secrets.
fn organize_home(core: &Core) -> OrganizeHome {
    OrganizeHome::of(&core.home, &core.user_home).keeping(core.config().secrets.clone())
}

/// Expands `~` in a path typed by a person.
fn typed(core: &Core, text: &str) -> PathBuf {
    match text.strip_prefix('~') {
        Some("") => core.user_home.clone(),
        Some(rest) if rest.starts_with('/') => core.user_home.join(rest.trim_start_matches('/')),
        _ => PathBuf::from(text),
    }
}

/// Runs slow work on a blocking thread. `broke_off` builds the error message if it panics.
async fn aside<T: Send + 'static>(
    broke_off: fn(tokio::task::JoinError) -> Phrase,
    work: impl FnOnce() -> Result<T, ErrorBody> + Send + 'static,
) -> Result<T, ErrorBody> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(ErrorBody::new(ErrorCode::Host, broke_off(error), say::try_again())))
}

/// Converts a count to the type used on the wire.
fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
