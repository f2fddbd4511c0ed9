//! What a person lends to a command: sockets that it may connect to, and the variables that lead to them. The loan ends
//! when its last holder is dropped, which is when the command and everything it started is gone.

use std::any::Any;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

/// What is lent to a command.
#[derive(Default)]
pub struct Lent {
    /// Environment variables that refer to it. They contain paths, never secrets.
    pub variables: Vec<(OsString, OsString)>,
    /// git settings that override those in its configuration files.
    pub git: Vec<(String, String)>,
    /// Sockets on which other processes listen, which the command may see and connect to. They are in folders that it
    /// may read.
    pub sockets: Vec<PathBuf>,
    /// What serves the sockets and keeps the files while the command runs.
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
