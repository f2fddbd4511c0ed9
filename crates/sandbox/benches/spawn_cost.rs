//! Measures the cost of starting `/bin/echo`: without a sandbox, and with each confinement and mechanism. Prints the
//! median and tenth percentile of many starts, and the page faults of this process, most of which are for pages that a
//! fork had made shared.

use deputy_protocol::Confinement;
use deputy_sandbox::{ChildSpec, Walls, run_with, walls};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

const STARTS: usize = 200;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Use as much memory as the desktop does, because a fork copies the page tables.
    let ballast: Vec<u8> = (0..BALLAST_BYTES).map(|at| at as u8).collect();
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join(".env"), "TOKEN=x")?;
    let here = walls();
    println!(
        "{STARTS} starts of /bin/echo, output collected, {} MiB in use; walls: {here:?}",
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
    let mut bare = Cost::default();
    let mut through_tokio = Cost::default();
    let mut confined: Vec<Cost> = cases.iter().map(|_| Cost::default()).collect();
    // Alternate, so that other load on the machine affects all of them equally.
    for _ in 0..STARTS {
        // Not counted: the kernel is still removing the namespaces of the last round, and the next control group waits
        // for that.
        run_with(here, spec(folder.path(), Confinement::Open, Vec::new()), CancellationToken::new(), None)
            .await?;
        let begun = Begun::now()?;
        std::process::Command::new("/bin/echo").arg("hello").output()?;
        bare.add(&begun)?;
        let begun = Begun::now()?;
        tokio::process::Command::new("/bin/echo").arg("hello").output().await?;
        through_tokio.add(&begun)?;
        for ((_, walls, confinement, hidden), cost) in cases.iter().zip(&mut confined) {
            let spec = spec(folder.path(), *confinement, hidden.clone());
            let begun = Begun::now()?;
            if run_with(walls, spec, CancellationToken::new(), None).await.is_ok() {
                cost.add(&begun)?;
            }
        }
    }
    println!("{:40}    median       10 %   faults", "");
    bare.print("bare (standard library)");
    through_tokio.print("bare (tokio)");
    for ((name, ..), cost) in cases.iter().zip(confined) {
        cost.print(name);
    }
    drop(ballast);
    Ok(())
}

fn spec(folder: &Path, confinement: Confinement, hidden: Vec<PathBuf>) -> ChildSpec {
    ChildSpec {
        readable: vec![folder.into()],
        writable: vec![folder.to_path_buf()],
        hidden,
        ..ChildSpec::new(["/bin/echo", "hello"].map(Into::into).into(), folder.into(), confinement)
    }
}

const BALLAST_BYTES: usize = 32 << 20;

/// The cost of many starts of a kind.
#[derive(Default)]
struct Cost {
    times: Vec<Duration>,
    faults: Vec<u64>,
}

/// The time and this process's page faults at the start.
struct Begun(Instant, u64);

impl Begun {
    fn now() -> Result<Self, Box<dyn std::error::Error>> {
        let faults = page_faults()?;
        Ok(Self(Instant::now(), faults))
    }
}

impl Cost {
    fn add(&mut self, begun: &Begun) -> Result<(), Box<dyn std::error::Error>> {
        self.times.push(begun.0.elapsed());
        self.faults.push(page_faults()? - begun.1);
        Ok(())
    }

    fn print(mut self, name: &str) {
        self.times.sort_unstable();
        self.faults.sort_unstable();
        let (half, tenth) = (self.times.len() / 2, self.times.len() / 10);
        match (self.times.get(half), self.times.get(tenth), self.faults.get(half)) {
            (Some(median), Some(best), Some(faults)) => {
                let [median, best] = [median, best].map(|time| time.as_secs_f64() * 1e3);
                println!("{name:40} {median:6.2} ms  {best:6.2} ms  {faults:7}");
            }
            _ => println!("{name:40} refused"),
        }
    }
}

/// Returns the page faults of this process that needed no disk access: the tenth field of its line, counted from the
/// end of the name.
fn page_faults() -> Result<u64, Box<dyn std::error::Error>> {
    let line = std::fs::read_to_string("/proc/self/stat")?;
    let after_name = line.rsplit(')').next().unwrap_or_default();
    let field = after_name.split_whitespace().nth(7).ok_or("the line is short")?;
    Ok(field.parse()?)
}
