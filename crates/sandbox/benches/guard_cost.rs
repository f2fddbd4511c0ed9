//! Measures the cost of the guard: the same workloads without a sandbox, in bubblewrap, and in bubblewrap with a guard
//! that allows everything. Prints the best of a few alternating rounds. An argument selects the workloads whose names
//! contain it.

use deputy_protocol::Confinement;
use deputy_sandbox::{ChildSpec, Ended, Guard, run_with, walls};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

const ROUNDS: usize = 5;

#[derive(Debug)]
struct Lenient;

impl Guard for Lenient {
    fn secret(&self, _: &Path) -> Option<deputy_messages::Phrase> {
        None
    }

    fn starts_programs(&self, _: &Path, _: bool) -> Option<deputy_messages::Phrase> {
        None
    }
}

const WORKLOADS: &[(&str, &str)] = &[
    (
        "50,000 opens by one process",
        "python3 -c \"import os\nfor _ in range(50000): os.close(os.open('f', 0))\"",
    ),
    (
        "10,000 files written and removed",
        "python3 -c \"import os\nfor i in range(10000): open(f'n{i}', 'w').close()\nfor i in range(10000): os.unlink(f'n{i}')\"",
    ),
    ("grep over 10,000 files", "grep -rl needle tree | wc -l"),
    (
        "git add and commit of 10,000 files",
        "rm -rf .git && git init -q && git add tree && git -c user.name=n -c user.email=e commit -qm m",
    ),
    ("git status of 10,000 files", "git status --short | wc -l"),
    (
        "python with 30 modules",
        "python3 -c 'import json, email.message, http.client, sqlite3, xml.dom.minidom, unittest, asyncio, ssl, logging.config, decimal'",
    ),
    (
        "tar of 10,000 files and back",
        "tar cf t.tar tree && mkdir out && tar xf t.tar -C out && rm -rf out t.tar",
    ),
    ("200 processes", "for i in $(seq 200); do /bin/true; done"),
    ("a C program of 30 files", "make -s -C c clean all"),
];

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let work = folder.path().canonicalize()?;
    std::fs::write(work.join("f"), "x")?;
    for at in 0..10_000 {
        let inner = work.join(format!("tree/{}", at / 100));
        std::fs::create_dir_all(&inner)?;
        std::fs::write(inner.join(at.to_string()), format!("some text {at}\n").repeat(20))?;
    }
    std::fs::create_dir(work.join("c"))?;
    for at in 0..30 {
        let text = format!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint f{at}(void) {{ return {at}; }}\n"
        );
        std::fs::write(work.join(format!("c/f{at}.c")), text)?;
    }
    let makefile = "O=$(patsubst %.c,%.o,$(wildcard *.c))\nall: lib.a\nlib.a: $O\n\tar rc $@ $O\nclean:\n\trm -f *.o lib.a\n";
    std::fs::write(work.join("c/Makefile"), makefile)?;

    println!("{:36} {:>10} {:>10} {:>10}", "ms", "bare", "walls", "guard");
    let picked = std::env::args().nth(1).unwrap_or_default();
    for (name, script) in WORKLOADS.iter().filter(|(name, _)| name.contains(&picked)) {
        let mut times: [Vec<Duration>; 3] = Default::default();
        for _ in 0..ROUNDS {
            for (way, times) in times.iter_mut().enumerate() {
                let guard: Option<Arc<dyn Guard>> = (way == 2).then(|| Arc::new(Lenient) as Arc<dyn Guard>);
                let spec = ChildSpec {
                    readable: vec![work.clone()],
                    writable: vec![work.clone()],
                    guard,
                    ..ChildSpec::new(
                        ["bash", "-c", script].map(Into::into).into(),
                        work.clone(),
                        if way == 0 { Confinement::Open } else { Confinement::Workspace },
                    )
                };
                let begun = Instant::now();
                let outcome = run_with(walls(), spec, CancellationToken::new(), None).await?;
                times.push(begun.elapsed());
                if outcome.ended != Ended::Exited(0) {
                    println!("{name}: {:?} {}", outcome.ended, outcome.stderr.text());
                }
            }
        }
        let least = times.map(|mut times| {
            times.sort_unstable();
            times.first().map_or(0.0, |time| time.as_secs_f64() * 1e3)
        });
        println!("{name:36} {:>10.1} {:>10.1} {:>10.1}", least[0], least[1], least[2]);
    }
    Ok(())
}
