//! Code shared by `shell` and `background`: builds a command as policy decided it, with its folder and limits.

use crate::text::one_line;
use crate::tool::{CallContext, InvalidCall, Place};
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_policy::Execution;
use deputy_protocol::{Access, Confinement, Effect, Facts, KeptOutput, Limits, Risk, ShellAccess};
use deputy_sandbox::{ChildLimits, ChildSpec};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The minimum number of bytes that is captured of each end of the output.
const LEAST_CAPTURE: usize = 4096;
const MIB: u64 = 1024 * 1024;
/// Stands in for "no time limit"; longer than any machine runs.
const FOREVER: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

/// Rejects text that cannot be a command.
pub(crate) fn check_text<'a>(tool: &str, command: &'a str) -> Result<&'a str, InvalidCall> {
    if command.trim().is_empty() {
        return Err(InvalidCall::parameter(tool, "command", say::expected_command()));
    }
    if command.contains('\0') {
        return Err(InvalidCall::parameter(tool, "command", say::holds_nul()));
    }
    Ok(command)
}

/// Returns the real path of the folder that a call names. `None` if it names none.
pub(crate) fn folder(tool: &str, given: Option<&str>, place: &Place) -> Result<Option<PathBuf>, InvalidCall> {
    let Some(given) = given else { return Ok(None) };
    let wrong = |problem: Phrase| Err(InvalidCall::parameter(tool, "working_dir", problem));
    if given.is_empty() || given.contains('\0') {
        return wrong(say::expected_folder());
    }
    let shown = crate::text::shown(given.as_ref());
    match place.absolute(given).canonicalize() {
        Ok(real) if real.is_dir() => Ok(Some(real)),
        Ok(_) => wrong(say::no_folder(shown)),
        Err(_) => wrong(say::folder_not_found(shown)),
    }
}

/// Returns what running a command touches.
pub(crate) fn facts(command: &str, summary: fn(String) -> Phrase) -> Facts {
    Facts {
        effect: Effect::Mutating,
        accesses: vec![Access::Shell(ShellAccess { command: command.to_owned() })],
        summary: summary(one_line(command, 240)),
        diff: None,
        plan: None,
        risk: Risk::Low,
    }
}

/// Builds the command to run. `None` if no decision says how to run it.
pub(crate) fn spec(cx: &CallContext, timeout: Duration) -> Option<ChildSpec> {
    let argv = match cx.execution.as_ref()? {
        Execution::Argv(argv) => argv.iter().map(Into::into).collect(),
        Execution::Bash(text) => {
            ["bash", "--noprofile", "--norc", "-c", text].iter().map(Into::into).collect()
        }
    };
    let mut readable = vec![cx.place.workspace.clone()];
    readable.extend(cx.readable.iter().cloned());
    let writable = match cx.confinement {
        Confinement::ReadOnly => Vec::new(),
        _ => cx.writable.iter().chain(&cx.caches).cloned().collect(),
    };
    let capture = cx.output_chars.max(LEAST_CAPTURE);
    Some(ChildSpec {
        argv,
        cwd: cx.cwd.clone(),
        stdin: deputy_sandbox::Input::Nothing,
        is_merged: true,
        confinement: cx.confinement,
        readable,
        writable,
        hidden: cx.hidden.clone(),
        frozen: cx.frozen.clone(),
        programs: cx.programs.clone(),
        guard: cx.guard.clone(),
        configuring: cx.configuring.clone(),
        environment: cx.environment.clone(),
        scratch: cx.scratch.clone(),
        // Bash must expand `~` to the same folder as policy did.
        env: vec![("HOME".into(), cx.place.home.clone().into())],
        network: cx.network.clone(),
        // A command that a person agreed to may map as much memory as in their terminal. For a command that runs
        // without asking, the kernel limits mapped memory.
        limits: ChildLimits {
            counts_memory_in_use: cx.programs.is_none(),
            ..child_limits(&cx.limits, timeout, capture)
        },
    })
}

/// Returns the limits of one command. A setting of 0 means no limit.
fn child_limits(limits: &Limits, timeout: Duration, capture: usize) -> ChildLimits {
    let or_none = |limit: u64| if limit == 0 { u64::MAX } else { limit };
    ChildLimits {
        timeout,
        head_bytes: capture,
        tail_bytes: capture,
        memory_bytes: or_none(limits.command_memory_mib).saturating_mul(MIB),
        processes: or_none(limits.command_processes),
        file_bytes: or_none(limits.command_file_mib).saturating_mul(MIB),
        temporary_bytes: or_none(limits.command_file_mib).saturating_mul(MIB),
        cpu_secs: or_none(limits.command_cpu_secs),
        ..ChildLimits::default()
    }
}

/// Converts a setting in seconds. 0 means no limit.
pub(crate) fn seconds_or_forever(secs: u64) -> Duration {
    if secs == 0 { FOREVER } else { Duration::from_secs(secs) }
}

/// The number of bytes of output that is stored for a command.
pub(crate) fn most_output(limits: &Limits) -> usize {
    usize::try_from(limits.command_output_mib.saturating_mul(MIB)).unwrap_or(usize::MAX)
}

/// The whole output of a command, up to a limit. Bytes beyond the limit are only counted.
#[derive(Clone, Default)]
pub(crate) struct Whole {
    inner: Arc<Mutex<Gathered>>,
}

#[derive(Default)]
struct Gathered {
    bytes: Vec<u8>,
    omitted: u64,
}

impl Whole {
    pub(crate) fn push(&self, bytes: &[u8], most: usize) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let room = most.saturating_sub(inner.bytes.len()).min(bytes.len());
        inner.bytes.extend_from_slice(&bytes[..room]);
        inner.omitted += (bytes.len() - room) as u64;
    }

    /// Stores the output next to the journal. `None` if that fails; the result then says what was left out.
    pub(crate) async fn keep(self, cx: &CallContext) -> Option<KeptOutput> {
        let Gathered { bytes, omitted } =
            std::mem::take(&mut *self.inner.lock().unwrap_or_else(PoisonError::into_inner));
        let keeper = cx.keeper.clone();
        let kept = tokio::task::spawn_blocking(move || keeper.keep_output(&bytes)).await;
        match kept {
            Ok(Ok(file)) => {
                Some(KeptOutput { digest: file.digest, size_bytes: file.size_bytes, omitted_bytes: omitted })
            }
            // The result still says what was left out.
            Ok(Err(_)) | Err(_) => None,
        }
    }
}
