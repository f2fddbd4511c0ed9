//! Jobs whose process is killed repeatedly by SIGKILL lose nothing. Kills a large job at random moments, and a small
//! job before every single call that changes the disk.
//!
//! The killed process is this test binary, which runs the test [`child`]. `CRASH_RUNS` is the number of large jobs,
//! `SEED` the seed of the first.

use crate::plans::{Dice, copy, create, relocate, rename, trash};
use crate::world::{Stands, World, quiet};
use deputy_organize::{Bounds, ConflictChoice, Jobs, preview};
use deputy_protocol::OrganizeAction;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

const JOBS: &str = "CRASH_CHILD_JOBS";
const JOB: &str = "CRASH_CHILD_JOB";

/// Calls that change the disk or make a change durable.
const CALLS: [&str; 13] = [
    "renameat2",
    "renameat",
    "unlinkat",
    "mkdirat",
    "mkdir",
    "fdatasync",
    "fsync",
    "syncfs",
    "write",
    "ftruncate",
    "fchmod",
    "utimensat",
    "fadvise64",
];

/// Does nothing unless another test starts it as the process to kill.
#[test]
fn child() {
    let (Some(jobs), Ok(id)) = (std::env::var_os(JOBS), std::env::var(JOB)) else { return };
    let tell = |_, _| std::io::stderr().write_all(b".").unwrap();
    let mut job = Jobs::open(Path::new(&jobs)).unwrap().resume(&id).unwrap();
    let report = job.run(&mut quiet(&mut { tell })).unwrap();
    assert_eq!(report.stopped, None);
}

/// Returns the process to kill. It reports each step on standard error.
fn child_of(world: &World, id: &str, before: &[&str]) -> Command {
    let program = std::env::current_exe().unwrap();
    let mut words = before.iter().map(PathBuf::from).chain([program]);
    let mut command = Command::new(words.next().unwrap());
    command.args(words).args(["--exact", "crash::child", "--test-threads=1", "--quiet"]);
    command.env(JOBS, world.base.join("jobs")).env(JOB, id).stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// Kills the process of a job at random moments, this many times, and then lets it finish.
fn run_with_kills(world: &World, id: &str, steps: usize, dice: &mut Dice) -> usize {
    for kills in 0.. {
        let mut child = child_of(world, id, &[]).stderr(Stdio::piped()).spawn().unwrap();
        let mut said = child.stderr.take().unwrap();
        if kills < 1 + dice.roll(3) {
            // Wait for a few steps, and then for a random part of the next ones.
            let mut wait = vec![0; 1 + dice.roll(steps)];
            let _ = said.read_exact(&mut wait);
            (0..dice.roll(200_000)).for_each(|turn| {
                std::hint::black_box(turn);
            });
            child.kill().unwrap();
        }
        let mut words = String::new();
        let _ = said.read_to_string(&mut words);
        let status = child.wait().unwrap();
        if status.success() {
            return kills;
        }
        assert_eq!(status.signal(), Some(9), "{words}");
    }
    unreachable!()
}

fn dress(path: &Path, dice: &mut Dice) {
    let modes = [0o644, 0o600, 0o755, 0o440];
    let is_folder = path.is_dir();
    let mode = if is_folder { [0o755, 0o700, 0o775][dice.roll(3)] } else { modes[dice.roll(4)] };
    let time =
        SystemTime::UNIX_EPOCH + Duration::new(1_000_000_000 + dice.roll(500_000_000) as u64, 123_456_789);
    fs::File::open(path).unwrap().set_modified(time).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Creates files and a plan of `count` operations on them: moves, renames (including cycles and changes of case),
/// copies, trashed files, new folders, and a move to another device.
pub(crate) fn grow(world: &World, count: usize, dice: &mut Dice) -> Vec<OrganizeAction> {
    let mut actions = Vec::new();
    for folder in ["in", "in/deep", "there", "ring"] {
        fs::create_dir(world.root.join(folder)).unwrap();
    }
    let far = world.file("in/far.bin", &format!("far {}", "x".repeat(300_000)));
    let ring: Vec<_> = (0..3).map(|n| world.file(&format!("ring/{n}.txt"), &format!("ring {n}"))).collect();
    for number in 0..count - 5 {
        // Some have equal content and must not be confused.
        let content = format!("content {}", number / 2);
        let file = world.file(&format!("{}/f{number}.txt", dice.pick(&["in", "in/deep", "there"])), &content);
        let folder = world.root.join(dice.pick(&["there", "new", "new/deeper", "in/deep/est"]));
        actions.push(match dice.roll(10) {
            0..=3 => relocate(&file, folder.join(format!("moved{number}.txt"))),
            4 => rename(&file, &format!("F{number}.TXT")),
            5 => rename(&file, "the same for many.txt"),
            6..=7 => copy(&file, folder.join("copy.txt")),
            8 => create(folder.join(format!("empty{number}"))),
            _ => trash(&file),
        });
    }
    actions.extend((0..3).map(|n| relocate(&ring[n], &ring[(n + 1) % 3])));
    actions.push(relocate(world.root.join("there"), world.root.join("elsewhere")));
    let at = dice.roll(actions.len());
    actions.insert(at, relocate(far, world.away.join("far.bin")));
    let mut found: Vec<_> = world.snapshot().into_keys().collect();
    // Folders last, so that their times are not changed by their new content.
    found.sort_by_key(|path| (path.is_dir(), path.clone()));
    found.iter().rev().filter(|path| !path.is_dir()).for_each(|path| dress(path, dice));
    found.iter().rev().filter(|path| path.is_dir()).for_each(|path| dress(path, dice));
    actions
}

/// Checks that every content exists as often as before, and copied content more often.
fn assert_nothing_lost(before: &BTreeMap<String, usize>, world: &World, copies: usize) {
    let now = world.contents();
    let more: usize = now.iter().map(|(content, count)| count - before.get(content).expect("made up")).sum();
    assert!(before.keys().all(|content| now.contains_key(content)), "a content is lost");
    assert_eq!(more, copies, "something is there too often or not often enough");
}

pub(crate) fn paths(snapshot: &BTreeMap<PathBuf, Stands>) -> BTreeSet<PathBuf> {
    snapshot.keys().cloned().collect()
}

/// Runs a job and undoes it, both in a process that `run` kills at will.
fn hold(world: &World, actions: Vec<OrganizeAction>, mut run: impl FnMut(&World, &str, usize)) {
    let copies = actions.iter().filter(|action| matches!(action, OrganizeAction::Copy(_))).count();
    let (before, contents) = (world.snapshot(), world.contents());
    let plan = world.plan(actions);
    let shown = preview(&plan, &Bounds { protected: &|_| None, trash: &world.trash() }).unwrap();
    let job = shown.checked.job(&world.jobs().new_id());
    let (id, steps) = (job.id.clone(), job.steps.len());
    drop(world.jobs().start(job).unwrap());

    run(world, &id, steps);
    let done = world.jobs().history(&id).unwrap().unwrap();
    assert!(done.is_finished() && done.done() == steps, "{:?}", deputy_organize::report(&done, None));
    let planned: BTreeSet<_> = shown.after.iter().map(|entry| entry.path.clone()).collect();
    let mut now = paths(&world.snapshot());
    now.retain(|path| *path != world.root && *path != world.away);
    assert_eq!(now, planned);
    assert_nothing_lost(&contents, world, copies);
    world.assert_trash_is_whole();

    let reversal = world.jobs().reverse(&id, ConflictChoice::Skip).unwrap();
    assert_eq!(reversal.conflicts, Vec::new());
    let undo = reversal.job.id.clone();
    drop(world.jobs().start(reversal.job).unwrap());
    run(world, &undo, steps);
    assert_eq!(world.snapshot(), before);
    assert_nothing_lost(&contents, world, copies);
    world.assert_trash_is_whole();
}

#[test]
fn a_large_job_killed_at_random_loses_nothing() {
    let number = |name, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let runs = number("CRASH_RUNS", 12);
    let first = deputy_testkit::seed_or(1);
    let mut kills = 0;
    for seed in first..first + runs {
        eprintln!("SEED={seed}, {kills} kills so far");
        let mut dice = Dice(seed);
        let world = World::new();
        let actions = grow(&world, 200, &mut dice);
        hold(&world, actions, |world, id, steps| kills += run_with_kills(world, id, steps, &mut dice));
    }
    eprintln!("{runs} jobs of 200 operations and their undoing, {kills} kills");
}

#[test]
fn where_the_file_system_cannot_refuse_to_replace_the_job_is_the_same() {
    if !has_strace() {
        return;
    }
    // Network file systems behave like this. A file then briefly has two names before the first is removed.
    let inject = ["strace", "-f", "-o", "/dev/null", "-e", "inject=renameat2:error=EINVAL"];
    for number in 0..8 {
        let world = World::new();
        let actions = grow(&world, 16, &mut Dice(number));
        hold(&world, actions, |world, id, _| {
            let kill = format!("inject=unlinkat:signal=SIGKILL:when={}", 1 + number);
            let killed = child_of(world, id, &[&inject[..], &["-e", &kill]].concat()).output().unwrap();
            if !killed.status.success() {
                let ended = child_of(world, id, &inject).output().unwrap();
                assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
            }
        });
    }
}

fn has_strace() -> bool {
    let found = Command::new("strace").arg("-V").stdout(Stdio::null()).status().is_ok();
    if !found {
        eprintln!("not run: strace is not installed; `make setup-dev` installs it");
    }
    found
}

/// Returns how often the process of a job makes each call.
fn calls(world: &World, id: &str) -> BTreeMap<String, usize> {
    let log = world.base.join("calls");
    let trace = format!("trace={}", CALLS.join(","));
    let log_text = log.to_str().unwrap().to_owned();
    let status = child_of(world, id, &["strace", "-f", "-e", &trace, "-o", &log_text])
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let mut counts: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for line in fs::read_to_string(log).unwrap().lines() {
        let (thread, rest) = line.split_once(char::is_whitespace).unwrap();
        let call = rest.trim_start().split_once('(').map(|(call, _)| call);
        if let Some(call) = call.filter(|call| CALLS.contains(call)) {
            *counts.entry(thread.to_owned()).or_default().entry(call.to_owned()).or_insert(0) += 1;
        }
    }
    // strace counts by thread, and the job runs in a single one.
    counts.into_values().max_by_key(|calls| calls.values().sum::<usize>()).unwrap()
}

#[test]
fn a_small_job_killed_before_each_call_that_changes_the_disk_loses_nothing() {
    if !has_strace() {
        return;
    }
    let small = |world: &World| grow(world, 16, &mut Dice(7));
    let counted = World::new();
    let mut points = Vec::new();
    let mut phase = 0;
    let actions = small(&counted);
    hold(&counted, actions, |world, id, _| {
        for (call, count) in calls(world, id) {
            points.extend((1..=count).map(|number| (phase, call.clone(), number)));
        }
        phase += 1;
    });
    // With `CRASH_RUNS` test all of them, otherwise a random selection.
    let mut dice = Dice(deputy_testkit::seed());
    let all = points.len();
    if std::env::var_os("CRASH_RUNS").is_none() {
        while points.len() > 25 {
            points.swap_remove(dice.roll(points.len()));
        }
    }
    for (wanted, call, number) in &points {
        eprintln!("killed before {call} number {number} of {}", ["the job", "its undoing"][*wanted]);
        let world = World::new();
        let mut phase = 0;
        let actions = small(&world);
        hold(&world, actions, |world, id, _| {
            if phase == *wanted {
                let inject = format!("inject={call}:signal=SIGKILL:when={number}");
                let traced = child_of(world, id, &["strace", "-f", "-o", "/dev/null", "-e", &inject])
                    .stderr(Stdio::null())
                    .status()
                    .unwrap();
                assert!(!traced.success(), "it was not killed");
            }
            let ended = child_of(world, id, &[]).stderr(Stdio::piped()).output().unwrap();
            assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
            phase += 1;
        });
    }
    eprintln!("{} of {all} moments", points.len());
}
