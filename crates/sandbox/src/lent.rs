//! What of the person's own a command is lent: sockets that it may connect to, and where it finds them. A loan ends when
//! the last of those who hold it lets go, which is when the command and all that it started is gone.

use std::any::Any;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

/// What one command is lent.
#[derive(Default)]
pub struct Lent {
    /// Variables that lead to it. They hold paths, never secrets.
    pub variables: Vec<(OsString, OsString)>,
    /// Settings of git that are stronger than those of its files.
    pub git: Vec<(String, String)>,
    /// Sockets that others listen on, which the command may see and connect to; in folders that it may read.
    pub sockets: Vec<PathBuf>,
    /// What answers on the sockets and keeps the files, while the command runs.
    pub held: Vec<Box<dyn Any + Send + Sync>>,
}

impl fmt::Debug for Lent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Lent").field("sockets", &self.sockets).finish_non_exhaustive()
    }
}

impl PartialEq for Lent {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Lent {}
