//! Text that the shell itself cannot read: it goes back to the planner, and nobody is asked about it. The shell checks it
//! in the sandbox without running anything.

use super::judge::Judged;
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_policy::Execution;
use deputy_protocol::{Confinement, Decision};
use deputy_sandbox::{ChildLimits, ChildSpec, Ended, run};
use std::path::Path;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The time that the shell has to read a text.
const PATIENCE: Duration = Duration::from_secs(5);
/// The maximum number of bytes of its complaint.
const MOST_BYTES: usize = 2_000;
/// The exit code for text that it cannot read.
const UNREADABLE: i32 = 2;

/// Returns the shell's complaint about the text of a call that asks. `None` if it can be read, or if that is not known.
pub(super) async fn complaint(judged: &Judged) -> Option<Phrase> {
    if judged.ruling.verdict.decision != Decision::Ask {
        return None;
    }
    let Some(Execution::Bash(text)) = &judged.ruling.execution else { return None };
    // With extended patterns, which the text may switch on itself, the shell reads more and not less.
    let argv = ["bash", "--noprofile", "--norc", "-O", "extglob", "-n", "-c", text].map(Into::into).into();
    let limits =
        ChildLimits { timeout: PATIENCE, head_bytes: MOST_BYTES, tail_bytes: 0, ..ChildLimits::default() };
    let spec = ChildSpec { limits, ..ChildSpec::new(argv, Path::new("/").to_owned(), Confinement::ReadOnly) };
    let outcome = run(spec, CancellationToken::new(), None).await.ok()?;
    let complaint = String::from_utf8_lossy(&outcome.stderr.head).trim().to_owned();
    let is_unreadable = outcome.ended == Ended::Exited(UNREADABLE) && !complaint.is_empty();
    is_unreadable.then(|| say::shell_cannot_read(complaint))
}
