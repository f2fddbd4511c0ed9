//! What every command gets and how it ends, whatever its confinement.

use deputy_protocol::Confinement;
use deputy_sandbox::{ChildLimits, ChildSpec, Ended, Outcome, SandboxError, run};
use std::path::PathBuf;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

fn spec(argv: &[&str]) -> ChildSpec {
    ChildSpec {
        argv: argv.iter().map(Into::into).collect(),
        cwd: PathBuf::from("/"),
        stdin: None,
        confinement: Confinement::Open,
        readable: Vec::new(),
        writable: Vec::new(),
        hidden: Vec::new(),
        frozen: Vec::new(),
        env: Vec::new(),
        limits: ChildLimits::default(),
    }
}

async fn outcome(spec: ChildSpec) -> Result<Outcome, SandboxError> {
    run(spec, CancellationToken::new(), None).await
}

#[tokio::test]
async fn echo() {
    let out = outcome(spec(&["echo", "hello"])).await.unwrap();
    assert_eq!((out.ended, out.stdout.text().as_str()), (Ended::Exited(0), "hello\n"));
}

#[tokio::test]
async fn left_behind() {
    let out = outcome(spec(&["bash", "-c", "setsid sleep 1000 & (sleep 1000 &) ; echo x; exit 3"])).await.unwrap();
    assert_eq!((out.ended, out.stdout.text().as_str()), (Ended::Exited(3), "x\n"));
}

#[tokio::test]
async fn timeout() {
    let mut s = spec(&["bash", "-c", "trap 'echo got it; exit 1' TERM; sleep 1000"]);
    s.limits.timeout = Duration::from_millis(200);
    let out = outcome(s).await.unwrap();
    assert_eq!((out.ended, out.stdout.text().as_str()), (Ended::TimedOut, "got it\n"));
}
