//! The location of Deputy's home folder and the user's home folder.

use crate::failure::Failure;
use deputy_protocol::ErrorCode;
use std::path::{Path, PathBuf};

/// The folders from which all other paths are derived.
#[derive(Clone, Debug)]
pub struct Homes {
    /// Deputy's home folder.
    pub deputy: PathBuf,
    /// The user's home folder.
    pub user: PathBuf,
}

impl Homes {
    /// Determines the folders. Deputy's home is `--home`, or `DEPUTY_HOME` (which clap reads), or in the user's data
    /// folder.
    pub fn find(given: Option<&Path>) -> Result<Self, Failure> {
        let user = std::env::home_dir().filter(|home| home.is_absolute()).ok_or_else(|| {
            Failure::new(
                ErrorCode::NoHome,
                "The user's home folder is not known: HOME is not set.",
                "Set HOME, then try again.",
            )
        })?;
        let data = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        let default = data.unwrap_or_else(|| user.join(".local/share")).join("deputy");
        let deputy = std::path::absolute(given.unwrap_or(&default)).map_err(|error| {
            Failure::usage(
                format!("The folder given as home is not usable: {error}."),
                "Give another one with --home DIR.",
            )
        })?;
        Ok(Self { deputy, user })
    }

    /// Returns an error if other users can change the folder.
    pub fn check(&self) -> Result<(), Failure> {
        deputy_agent::surroundings::check(&self.deputy)
            .map_err(|found| Failure::new(ErrorCode::UnsafeHome, found.phrase(), found.mend()))
    }
}
