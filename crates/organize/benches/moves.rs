//! Measures 10,000 moves, planned, checked, journaled and executed, compared to a plain loop of renames with one fsync
//! of a journal per 100, on the same file system. The first argument is the folder to work in.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a measurement that fails has no figure")]

use deputy_organize::{Bounds, Control, Jobs, TrashPlaces, check};
use deputy_protocol::{MoveFileAction, OrganizeAction, OrganizeOperation, OrganizePlan};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const FILES: usize = 10_000;
const FOLDERS: usize = 40;
const ROUNDS: usize = 7;

fn main() {
    let base = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let mut pairs = Vec::new();
    for round in 0..ROUNDS {
        let folder = base.join(format!("deputy-moves-{}-{round}", std::process::id()));
        // The order alternates between rounds.
        let (bare, ours) = if round % 2 == 0 {
            let bare = bare_loop(&grow(&folder.join("bare")));
            (bare, job(&grow(&folder.join("ours"))))
        } else {
            let ours = job(&grow(&folder.join("ours")));
            (bare_loop(&grow(&folder.join("bare"))), ours)
        };
        fs::remove_dir_all(&folder).unwrap();
        println!(
            "bare loop {:4} ms   planned {:4} ms  checked {:4} ms  begun {:4} ms  executed {:4} ms   ratio {:.2}",
            bare.as_millis(),
            ours[0].as_millis(),
            ours[1].as_millis(),
            ours[2].as_millis(),
            ours[3].as_millis(),
            ratio(bare, &ours)
        );
        pairs.push((bare, ours));
    }
    pairs.sort_by(|(bare, ours), (other, others)| ratio(*bare, ours).total_cmp(&ratio(*other, others)));
    let (bare, ours) = &pairs[ROUNDS / 2];
    println!(
        "{FILES} moves: {:.2} times the bare loop (median of {ROUNDS}, at most 3.00)",
        ratio(*bare, ours)
    );
}

fn ratio(bare: Duration, ours: &[Duration; 4]) -> f64 {
    ours.iter().sum::<Duration>().as_secs_f64() / bare.as_secs_f64()
}

fn grow(folder: &Path) -> PathBuf {
    let root = folder.join("root");
    (0..FOLDERS).for_each(|number| fs::create_dir_all(root.join(format!("to{number}"))).unwrap());
    for number in 0..FILES {
        fs::write(root.join(format!("document number {number}.txt")), "x").unwrap();
    }
    // Creating the files counts for neither of the two.
    rustix::fs::syncfs(File::open(&root).unwrap()).unwrap();
    root.canonicalize().unwrap()
}

fn moves(root: &Path) -> impl Iterator<Item = (PathBuf, PathBuf)> {
    (0..FILES).map(move |number| {
        let name = format!("document number {number}.txt");
        (root.join(&name), root.join(format!("to{}", number % FOLDERS)).join(name))
    })
}

fn bare_loop(root: &Path) -> Duration {
    let start = Instant::now();
    let mut journal = File::create(root.with_file_name("journal")).unwrap();
    for (number, (from, to)) in moves(root).enumerate() {
        writeln!(journal, "{} {}", from.display(), to.display()).unwrap();
        if number % 100 == 0 {
            journal.sync_data().unwrap();
        }
        fs::rename(from, to).unwrap();
    }
    start.elapsed()
}

fn job(root: &Path) -> [Duration; 4] {
    let start = Instant::now();
    let text = |path: PathBuf| path.into_os_string().into_string().unwrap();
    let operations = moves(root).enumerate().map(|(number, (from, to))| {
        let action = MoveFileAction { path: text(from), destination: text(to) };
        OrganizeOperation::new(format!("o{number}"), OrganizeAction::Move(action), "by number")
    });
    let plan = OrganizePlan {
        scope: vec![text(root.to_owned())],
        reasoning: Default::default(),
        operations: operations.collect(),
    };
    let planned = start.elapsed();
    let trash =
        TrashPlaces { home: root.with_file_name("Trash"), quarantine: root.with_file_name("quarantine") };
    let checked = check(&plan, &Bounds { protected: &|_| None, trash: &trash }).unwrap();
    let tried = start.elapsed();
    let jobs = Jobs::open(&root.with_file_name("jobs")).unwrap();
    let mut open = jobs.start(checked.job(&jobs.new_id())).unwrap();
    let begun = start.elapsed();
    let mut control = Control { is_cancelled: &|| false, progress: &mut |_, _| {}, skip_failed: false };
    let report = open.run(&mut control).unwrap();
    assert_eq!((report.done, report.stopped), (FILES, None));
    let executed = start.elapsed();
    [planned, tried - planned, begun - tried, executed - begun]
}
