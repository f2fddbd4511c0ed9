//! The operating system's walls: runs a child process under a confinement.
//!
//! Temporary: the contract's types only.
#![allow(missing_docs)]

use deputy_protocol::Confinement;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

pub type OutputSink = Arc<dyn Fn(&[u8]) + Send + Sync>;
pub struct ChildSpec {
    pub argv: Vec<OsString>,
    pub cwd: PathBuf,
    pub stdin: Option<Vec<u8>>,
    pub confinement: Confinement,
    pub readable: Vec<PathBuf>,
    pub writable: Vec<PathBuf>,
    pub hidden: Vec<PathBuf>,
    pub frozen: Vec<PathBuf>,
    pub env: Vec<(OsString, OsString)>,
    pub limits: ChildLimits,
}
pub struct ChildLimits {
    pub timeout: Duration,
    pub grace: Duration,
    pub head_bytes: usize,
    pub tail_bytes: usize,
    pub memory_bytes: u64,
    pub processes: u64,
    pub file_bytes: u64,
    pub cpu_secs: u64,
}
impl Default for ChildLimits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(120),
            grace: Duration::from_secs(10),
            head_bytes: 65536,
            tail_bytes: 65536,
            memory_bytes: 1 << 32,
            processes: 512,
            file_bytes: 1 << 34,
            cpu_secs: 600,
        }
    }
}
pub enum Ended {
    Exited(i32),
    Signalled(i32),
    TimedOut,
    Cancelled,
}
pub struct Captured {
    pub head: Vec<u8>,
    pub tail: Vec<u8>,
    pub omitted_bytes: u64,
}
impl Captured {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.head).into_owned() + &String::from_utf8_lossy(&self.tail)
    }
}
pub struct Outcome {
    pub ended: Ended,
    pub stdout: Captured,
    pub stderr: Captured,
    pub duration: Duration,
}
#[derive(Debug)]
pub enum SandboxError {
    NoWalls { why: String },
}
impl std::fmt::Display for SandboxError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}
impl std::error::Error for SandboxError {}
pub async fn run(
    spec: ChildSpec,
    cancel: CancellationToken,
    on_output: Option<OutputSink>,
) -> Result<Outcome, SandboxError> {
    let _ = (spec, cancel, on_output);
    Err(SandboxError::NoWalls { why: "not merged".to_owned() })
}
