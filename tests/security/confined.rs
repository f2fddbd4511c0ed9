//! Runs a text in the sandbox, as the shell tool would run it, and looks at what it did.

use crate::ground::{Ground, RAN};
use deputy_policy::path::{frozen, secrets};
use deputy_policy::{Execution, Ruling};
use deputy_protocol::Confinement;
use deputy_sandbox::{ChildLimits, ChildSpec, Ended, Environment, Outcome, SandboxError};
use std::path::PathBuf;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// What a command did that it must not.
#[derive(Debug, Default)]
pub(crate) struct Harm {
    /// Changes outside of what it may change.
    pub(crate) changes: Vec<String>,
    /// Secrets whose files were read or whose words were printed.
    pub(crate) secrets: Vec<String>,
    /// Connections and datagrams that arrived.
    pub(crate) arrivals: usize,
}

impl Harm {
    /// Whether it did nothing of that.
    pub(crate) fn is_none(&self) -> bool {
        self.changes.is_empty() && self.secrets.is_empty() && self.arrivals == 0
    }
}

/// A command that was run, what it printed and did.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) printed: String,
    /// How it ended, as a shell says it.
    pub(crate) code: Option<i32>,
    pub(crate) harm: Harm,
    /// Whether the planted program ran; in the sandbox that alone does no harm.
    pub(crate) planted_ran: bool,
}

/// Runs an execution under a confinement. There is no way to say `Open` that gets past the assertion.
pub(crate) async fn run(
    ground: &Ground,
    execution: &Execution,
    confinement: Confinement,
    limits: ChildLimits,
) -> Result<Run, SandboxError> {
    run_with(ground, execution, confinement, limits, None, &[]).await
}

/// Runs what is allowed without a person as the agent would: only the programs that were judged start, and they see the facts
/// about the machine that they are for telling.
pub(crate) async fn run_unasked(ground: &Ground, ruling: &Ruling) -> Result<Run, SandboxError> {
    let execution = ruling.execution.as_ref().unwrap();
    let programs = ruling.programs.clone();
    assert!(programs.is_some(), "it runs unasked");
    let limits = ChildLimits::default();
    run_with(ground, execution, Confinement::ReadOnly, limits, programs, &ruling.facts).await
}

async fn run_with(
    ground: &Ground,
    execution: &Execution,
    confinement: Confinement,
    limits: ChildLimits,
    programs: Option<Vec<PathBuf>>,
    facts: &[PathBuf],
) -> Result<Run, SandboxError> {
    assert!(matches!(confinement, Confinement::ReadOnly | Confinement::Workspace), "never with fewer walls");
    let situation = ground.situation();
    let workspace = ground.workspace();
    let frozen = if confinement == Confinement::ReadOnly { Vec::new() } else { frozen(&workspace) };
    // As `read_only` nothing may change. Where the workspace may, what is frozen in it must not.
    let free = if confinement == Confinement::ReadOnly { Vec::new() } else { vec![workspace.clone()] };
    let before = ground.image(&free);
    let frozen_before: Vec<_> = frozen.iter().map(|path| crate::image::Image::of(path, &[])).collect();
    ground.readers.seen();
    ground.listeners.arrivals();

    let outcome = deputy_sandbox::run(
        ChildSpec {
            argv: match execution {
                Execution::Argv(argv) => argv.iter().map(Into::into).collect(),
                Execution::Bash(text) => {
                    ["bash", "--noprofile", "--norc", "-c", text].iter().map(Into::into).collect()
                }
            },
            cwd: workspace.clone(),
            stdin: deputy_sandbox::Input::Nothing,
            is_merged: true,
            confinement,
            readable: [std::slice::from_ref(&workspace), facts].concat(),
            writable: if free.is_empty() { Vec::new() } else { vec![workspace.clone()] },
            hidden: secrets(&situation),
            frozen: frozen.clone(),
            programs,
            guard: None,
            configuring: Vec::new(),
            environment: Environment::default(),
            scratch: None,
            env: std::iter::once(("HOME".into(), ground.home().into()))
                .chain(ground.env().iter().map(|(name, value)| (name.into(), value.into())))
                .collect(),
            network: None,
            limits,
        },
        CancellationToken::new(),
        None,
    )
    .await?;
    let printed = text_of(&outcome);
    let mut read: Vec<String> =
        ground.readers.seen().into_iter().map(|path| format!("{} was read", path.display())).collect();
    read.extend(ground.shown_in(&printed).into_iter().map(|name| format!("{name} was printed")));
    let mut changes = before.changes_to(&ground.image(&free));
    for (path, before) in frozen.iter().zip(&frozen_before) {
        changes.extend(before.changes_to(&crate::image::Image::of(path, &[])));
    }
    let harm = Harm { changes, secrets: read, arrivals: ground.listeners.arrivals() };
    let code = match outcome.ended {
        Ended::Exited(code) => Some(code),
        _ => None,
    };
    Ok(Run { planted_ran: printed.contains(RAN), printed, code, harm })
}

fn text_of(outcome: &Outcome) -> String {
    format!("{}\n{}", outcome.stdout.text(), outcome.stderr.text())
}

/// Bounds for commands that mean harm.
pub(crate) fn tight() -> ChildLimits {
    const MIB: u64 = 1024 * 1024;
    ChildLimits {
        timeout: Duration::from_secs(4),
        grace: Duration::from_millis(100),
        memory_bytes: 512 * MIB,
        counts_memory_in_use: false,
        shared_memory: None,
        processes: 48,
        file_bytes: 16 * MIB,
        temporary_bytes: 4096 * MIB,
        cpu_secs: 4,
        head_bytes: 256 * 1024,
        tail_bytes: 256 * 1024,
    }
}

/// Runs a future; a runtime of its own, because a test may be run again in another process.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
        .block_on(future)
}
