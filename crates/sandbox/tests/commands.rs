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
    let out =
        outcome(spec(&["bash", "-c", "setsid sleep 1000 & (sleep 1000 &) ; echo x; exit 3"])).await.unwrap();
    assert_eq!((out.ended, out.stdout.text().as_str()), (Ended::Exited(3), "x\n"));
}

#[tokio::test]
async fn timeout() {
    let mut s = spec(&["bash", "-c", "trap 'echo got it; exit 1' TERM; sleep 1000"]);
    s.limits.timeout = Duration::from_millis(200);
    let out = outcome(s).await.unwrap();
    assert_eq!((out.ended, out.stdout.text().as_str()), (Ended::TimedOut, "got it\n"));
}

#[tokio::test]
async fn levels() {
    let dir = tempfile::tempdir().unwrap();
    for level in [Confinement::ReadOnly, Confinement::Workspace, Confinement::WorkspaceNet] {
        let mut s = spec(&[
            "bash",
            "-c",
            "ls -la; echo hi > x; cat x; id; cat /etc/shadow | head -1; exec 3<>/dev/tcp/127.0.0.1/22; git status; touch /usr/x; echo $TMPDIR; ls -la / /dev",
        ]);
        s.confinement = level;
        s.cwd = dir.path().into();
        s.readable = vec![dir.path().into()];
        s.writable = vec![dir.path().into()];
        let out = outcome(s).await.unwrap();
        println!(
            "{level:?} {:?} {:?}\n{}\n{}",
            out.ended,
            out.duration,
            out.stdout.text(),
            out.stderr.text()
        );
    }
}
