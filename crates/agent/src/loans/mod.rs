//! Loans: the person's own credentials, lent to a single call that the person approved.
//!
//! If possible, the credential itself stays outside the sandbox: a socket of Deputy's filters the requests to the agent
//! and only allows what the person was shown, and a credential helper runs outside and its answer is only sent to the
//! named address. Everything is removed when the call ends.

mod error;
mod git_login;
mod gpg;
mod known_hosts;
mod outside;
mod serving;
mod socket;
mod ssh;
mod ssh_agent;
mod token;
mod verify;
mod wire;

pub(crate) use error::LoanError;
pub use gpg::answer_git;

use crate::user_shell::Surroundings;
use deputy_policy::Loan;
use deputy_sandbox::Lent;
use outside::Outside;
use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The loans prepared for a call.
#[derive(Default)]
pub(crate) struct Prepared {
    /// What the command needs to find them, and the guards that keep them available.
    pub(crate) lent: Lent,
    /// Files and folders that the command may read for the loans.
    pub(crate) readable: Vec<PathBuf>,
    /// Those of them that are otherwise hidden as secrets.
    pub(crate) revealed: Vec<PathBuf>,
    /// What could not be lent, and why.
    pub(crate) missing: Vec<LoanError>,
}

/// Prepares the loans of a call.
pub(crate) async fn prepare(loans: &[Loan], home: &Path, surroundings: &Surroundings) -> Prepared {
    let mut prepared = Prepared::default();
    if loans.is_empty() {
        return prepared;
    }
    let place = match Place::new() {
        Ok(place) => place,
        Err(error) => {
            prepared.missing.push(LoanError::Folder(error));
            return prepared;
        }
    };
    let outside = Outside::new(home, surroundings);
    // Logins and signatures share one agent socket.
    let mut agent = ssh::Agent::default();
    for loan in loans {
        let done = match loan {
            Loan::Ssh(loan) => agent.sign_in(loan, &outside).await,
            Loan::Signature(loan) if loan.format == "openpgp" => {
                gpg::lend(loan, &outside, &place, &mut prepared)
            }
            Loan::Signature(loan) => agent.sign(loan, &outside, &place, &mut prepared).await,
            Loan::GitLogin(loan) => git_login::lend(loan, &outside, &place, &mut prepared),
            Loan::Socket(loan) => socket::lend(loan, home, &place, &mut prepared),
            Loan::Token(loan) => token::lend(loan, &outside, &place, &mut prepared).await,
            Loan::File(loan) => {
                prepared.readable.push(loan.path.clone());
                prepared.revealed.push(loan.path.clone());
                Ok(())
            }
        };
        if let Err(why) = done {
            prepared.missing.push(why);
        }
    }
    if let Err(why) = agent.lend(&outside, &place, &mut prepared).await {
        prepared.missing.push(why);
    }
    prepared.readable.push(place.shown.clone());
    prepared.lent.held.push(Box::new(place));
    prepared
}

/// Returns what stays hidden if single files are revealed: for a folder that contains one, everything else in it.
pub(crate) fn but_for(hidden: Vec<PathBuf>, revealed: &[PathBuf]) -> Vec<PathBuf> {
    let mut left = hidden;
    let mut kept = Vec::new();
    while let Some(path) = left.pop() {
        if revealed.contains(&path) {
            continue;
        }
        match path.read_dir() {
            Ok(entries) if revealed.iter().any(|file| file.starts_with(&path)) => {
                left.extend(entries.flatten().map(|entry| entry.path()));
            }
            _ => kept.push(path),
        }
    }
    kept.sort();
    kept
}

/// The in-memory file system.
const MEMORY: &str = "/dev/shm";
/// The prefix of the names of loan folders. The id of the process that created the folder follows.
const PREFIX: &str = "deputy-loan-";

/// Removes folders left behind by a Deputy that was killed.
fn sweep() {
    for entry in Path::new(MEMORY).read_dir().into_iter().flatten().flatten() {
        let name = entry.file_name();
        let maker =
            name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('-').next()?.parse::<u32>().ok());
        if maker.is_some_and(|maker| !Path::new("/proc").join(maker.to_string()).exists()) {
            // Removing another user's folder fails.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// A folder for loans, in memory if possible.
pub(super) struct Place {
    _folder: TempDir,
    /// The part that the command can see.
    shown: PathBuf,
    /// The part that it cannot see.
    own: PathBuf,
}

impl Place {
    fn new() -> io::Result<Self> {
        sweep();
        let private = Permissions::from_mode(0o700);
        let prefix = format!("{PREFIX}{}-", std::process::id());
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).permissions(private);
        let folder = builder.tempdir_in(MEMORY).or_else(|_| builder.tempdir())?;
        let real = folder.path().canonicalize()?;
        let (shown, own) = (real.join("lent"), real.join("own"));
        std::fs::create_dir(&shown)?;
        std::fs::create_dir(&own)?;
        Ok(Self { _folder: folder, shown, own })
    }

    /// Writes a file that the command may read.
    fn write(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        use std::io::Write;
        use std::os::unix::fs::OpenOptionsExt;
        let path = self.shown.join(name);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        file.write_all(text.as_bytes())?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_comes_out_of_hiding_alone() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        std::fs::create_dir_all(at(".ssh/more")).unwrap();
        for name in [".ssh/config", ".ssh/id", ".ssh/more/known", ".ssh/more/key", ".netrc"] {
            std::fs::write(at(name), "").unwrap();
        }
        let hidden = vec![at(".ssh"), at(".netrc")];
        assert_eq!(but_for(hidden.clone(), &[]), [at(".netrc"), at(".ssh")]);
        let revealed = [at(".ssh/config"), at(".ssh/more/known")];
        assert_eq!(but_for(hidden.clone(), &revealed), [at(".netrc"), at(".ssh/id"), at(".ssh/more/key")]);
        assert_eq!(but_for(hidden, &[at(".netrc")]), [at(".ssh")]);
    }
}
