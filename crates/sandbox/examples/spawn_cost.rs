//! What starting `/bin/echo` costs: bare, and at each confinement by each mechanism. Medians of many starts.

use deputy_protocol::Confinement;
use deputy_sandbox::{ChildLimits, ChildSpec, Walls, run_with, walls};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

const STARTS: usize = 200;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // As much memory as the desktop has in use, because a fork copies its page tables.
    let ballast: Vec<u8> = (0..BALLAST_BYTES).map(|at| at as u8).collect();
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join(".env"), "TOKEN=x")?;
    let here = walls();
    println!(
        "median of {STARTS} starts of /bin/echo, output collected, {} MiB in use; walls: {here:?}",
        BALLAST_BYTES >> 20
    );

    let only_bubblewrap = Walls { landlock_abi: None, ..here.clone() };
    let only_landlock = Walls { bubblewrap: None, ..here.clone() };
    let hidden = vec![folder.path().join(".env")];
    let nothing = Vec::new;
    let cases = [
        ("open", here, Confinement::Open, nothing()),
        ("read_only, Landlock", &only_landlock, Confinement::ReadOnly, nothing()),
        ("read_only, Landlock, a file hidden", &only_landlock, Confinement::ReadOnly, hidden.clone()),
        ("read_only, bubblewrap", &only_bubblewrap, Confinement::ReadOnly, nothing()),
        ("workspace, Landlock", &only_landlock, Confinement::Workspace, nothing()),
        ("workspace, bubblewrap", &only_bubblewrap, Confinement::Workspace, nothing()),
        ("workspace, bubblewrap, a file hidden", &only_bubblewrap, Confinement::Workspace, hidden),
        ("workspace_net, bubblewrap", &only_bubblewrap, Confinement::WorkspaceNet, nothing()),
    ];
    let mut bare = Vec::new();
    let mut through_tokio = Vec::new();
    let mut confined = vec![Vec::new(); cases.len()];
    // Turn by turn, so that whatever else the machine does falls on all of them alike.
    for _ in 0..STARTS {
        let begun = Instant::now();
        std::process::Command::new("/bin/echo").arg("hello").output()?;
        bare.push(begun.elapsed());
        let begun = Instant::now();
        tokio::process::Command::new("/bin/echo").arg("hello").output().await?;
        through_tokio.push(begun.elapsed());
        for ((_, walls, confinement, hidden), times) in cases.iter().zip(&mut confined) {
            let spec = ChildSpec {
                argv: ["/bin/echo", "hello"].map(Into::into).into(),
                cwd: folder.path().into(),
                stdin: None,
                confinement: *confinement,
                readable: vec![folder.path().into()],
                writable: vec![PathBuf::from(folder.path())],
                hidden: hidden.clone(),
                frozen: Vec::new(),
                env: Vec::new(),
                limits: ChildLimits::default(),
            };
            let begun = Instant::now();
            if run_with(walls, spec, CancellationToken::new(), None).await.is_ok() {
                times.push(begun.elapsed());
            }
        }
    }
    print("bare (standard library)", bare);
    print("bare (tokio)", through_tokio);
    for ((name, ..), times) in cases.iter().zip(confined) {
        print(name, times);
    }
    drop(ballast);
    Ok(())
}

const BALLAST_BYTES: usize = 32 << 20;

fn print(name: &str, mut times: Vec<Duration>) {
    times.sort();
    match times.get(times.len() / 2) {
        Some(median) => println!("{name:40} {:6.2} ms", median.as_secs_f64() * 1e3),
        None => println!("{name:40} refused"),
    }
}
