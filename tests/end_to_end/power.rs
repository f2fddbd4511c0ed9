//! Loss of power: tasks are recorded once with every change of the disk, and cut off at random; what was not durable at
//! the cut is lost, whole or in part. Anyone who starts on what is left ends the task as if nothing had been, or asks.
//!
//! `DEPUTY_POWER_STARTS` says on how many cuts of each recording Deputy is started, `DEPUTY_POWER_LOOKS` how many more are
//! looked at, `SEED` with which seed they begin.

use crate::organize::{age, job};
use crate::support::{World, questions, requests, results, shell, stopped, write};
use deputy_protocol::{CallStatus, ErrorCode, FileKept, FileState, StopReason, TaskEvent};
use deputy_store::Store;
use deputy_testkit::power::{Cut, Recording};
use deputy_testkit::{Finished, Script, Turn, seed};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().unwrap())
}

/// Cuts a recording this many times. On what some cuts leave Deputy is started, and what it makes of it is held; of the others
/// what is left is looked at as it is.
fn cuts(
    world: &World,
    recording: &Recording,
    look: impl Fn(&World, &Cut),
    hold: impl Fn(&World, &Cut, &str),
) {
    let (starts, looks) = (number("DEPUTY_POWER_STARTS", 4), number("DEPUTY_POWER_LOOKS", 60));
    println!("{} moments", recording.moments());
    let first = seed();
    for seed in first..first + starts + looks {
        let cut = recording.cut(seed);
        println!("{cut}");
        let inodes = recording.restore(&cut).unwrap();
        after_the_start(&world.home.path().join("organize"), &inodes);
        look(world, &cut);
        let said = recording.said(&cut);
        if seed < first + starts {
            hold(world, &cut, &said);
        }
        let last = is_sound(world, &cut);
        assert!(last >= told(&said), "{cut}: {} was told and {last} is the last that is known", told(&said));
        holds_whole_blobs(&world.home.path().join("blobs"), &cut);
    }
    println!("figure: J2 {starts} cuts started on, {looks} more looked at");
}

/// The database as a whole, the journal's chain of hashes, the tables that are made from it, and what it says is kept.
/// Gives the last event.
pub(crate) fn is_sound(world: &World, cut: &Cut) -> u64 {
    let store = Store::open(&world.home.path()).unwrap_or_else(|error| panic!("{cut}: {error}"));
    store.check_integrity().unwrap_or_else(|error| panic!("{cut}: {error}"));
    for record in store.events_since(0, u32::MAX).unwrap() {
        if let TaskEvent::FileKept(FileKept { change, .. }) = record.event
            && let FileState::File(kept) = change.before
        {
            assert!(store.blob(&kept.digest).is_ok(), "{cut}: {} is said to be kept", change.path);
        }
    }
    store.last_seq().unwrap()
}

/// The files that were put back have other inodes, and the machine has not really been started again: what organizing
/// wrote down is changed accordingly. Lines and files that are not whole stay as they are.
fn after_the_start(organize: &Path, inodes: &HashMap<u64, u64>) {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let translated = |json: &str| {
        let mut parts = json.split("\"inode\":");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (number, rest) = part.split_at(digits(part));
            let known = number.parse().ok().and_then(|inode: u64| inodes.get(&inode)).map(u64::to_string);
            text += &format!("\"inode\":{}{rest}", known.as_deref().unwrap_or(number));
        }
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
        text.replace(boot.trim(), "the one before")
    };
    let digest = |json: &str, length: usize| blake3::hash(json.as_bytes()).to_hex()[..length].to_owned();
    for path in files(&organize.join("jobs"))
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "journal"))
    {
        let bytes = fs::read(&path).unwrap();
        let lines = bytes.split_inclusive(|byte| *byte == b'\n').map(|line| {
            let whole =
                std::str::from_utf8(line).ok().and_then(|line| line.strip_suffix('\n')?.split_once(' '));
            match whole.filter(|(sum, json)| digest(json, 16) == *sum) {
                Some((_, json)) => {
                    let json = translated(json);
                    format!("{} {json}\n", digest(&json, 16)).into_bytes()
                }
                None => line.to_vec(),
            }
        });
        let lines: Vec<u8> = lines.flatten().collect();
        fs::write(&path, lines).unwrap();
    }
    for path in files(&organize.join("waiting")) {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        let is_whole = |json: &str| serde_json::from_str::<Value>(json).is_ok();
        if let Some((mark, json)) = text.split_once('\n').filter(|(_, json)| is_whole(json)) {
            assert_eq!(mark, digest(json, 64), "{}: it is marked in another way", path.display());
            let json = translated(json);
            fs::write(&path, format!("{}\n{json}", digest(&json, 64))).unwrap();
        }
    }
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let below = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    entries.flatten().flat_map(|entry| below(entry.path())).collect()
}

/// What has the name of a content is that content.
fn holds_whole_blobs(folder: &Path, cut: &Cut) {
    for path in files(folder) {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let digest = blake3::hash(&fs::read(&path).unwrap()).to_hex().to_string();
        assert!(
            path.starts_with(folder.join("unfinished")) || name == digest,
            "{cut}: {} is torn",
            path.display()
        );
    }
}

/// The newest event that was told of before the cut.
fn told(said: &str) -> u64 {
    let seq = |line: &str| serde_json::from_str::<Value>(line).ok()?["record"]["seq"].as_u64();
    said.lines().filter_map(seq).max().unwrap_or(0)
}

/// What was told is in the journal.
fn nothing_told_is_lost(end: &Finished, cut: &Cut, said: &str) {
    let last = told(&end.stdout);
    assert!(last >= told(said), "{cut}: {} was told and {last} is the last that is known", told(said));
}

/// Takes the task up until it ends; where nothing of it was written down, and nobody was told of it, it is handed over
/// again. Questions are answered, and a request that was not durable is answered again.
fn finish(world: &World, run: &[&str], cut: &Cut, said: &str) -> Finished {
    let mut end = world.json(&["follow", "last"]);
    if end.code == Some(1) && end.error().is_ok_and(|error| error.code == ErrorCode::UnknownTask) {
        assert_eq!(told(said), 0, "{cut}: a task that was told of is lost");
        end = world.json(run);
    }
    for _ in 0..3 {
        if end.code != Some(4) {
            break;
        }
        let events = end.events().unwrap();
        let answer =
            match events.iter().rev().find(|event| {
                matches!(event, TaskEvent::QuestionAsked(_) | TaskEvent::PermissionRequested(_))
            }) {
                Some(TaskEvent::PermissionRequested(asked)) => {
                    world.json(&["approve", asked.request.id.as_str()])
                }
                Some(TaskEvent::QuestionAsked(asked)) => {
                    world.json(&["answer", asked.question.id.as_str(), "go on"])
                }
                _ => panic!("{cut}: it waits for nothing: {end:?}"),
            };
        assert_eq!(answer.code, Some(0), "{cut}: {answer:?}");
        end = world.json(&["follow", "last"]);
    }
    assert_eq!(end.code, Some(0), "{cut}: {end:?}");
    nothing_told_is_lost(&end, cut, said);
    let stopped = stopped(&end.events().unwrap());
    assert_eq!(stopped.reason, StopReason::Completed, "{cut}: {stopped:?}");
    end
}

const RUN: [&str; 4] = ["run", "work", "--yes", "medium"];

fn recorded(world: &World, arguments: &[&str]) -> Recording {
    let mut command = world.home.deputy().unwrap();
    command.arg("--json").args(arguments);
    let recording = Recording::of(&world.home.root().canonicalize().unwrap(), &command).unwrap();
    assert!(recording.output.status.success(), "{:?}", recording.output);
    recording
}

#[test]
fn a_task_that_loses_power_at_any_moment_ends_the_same_or_asks() {
    let turns = [
        write("notes/a.txt", "one\ntwo\n"),
        Turn::call("code", json!({"action": "patch", "path": "notes/a.txt", "old": "two", "new": "2"})),
        shell("echo line >> log.txt; sync log.txt ."),
        Turn::call("code", json!({"action": "patch", "path": "old.txt", "old": "before", "new": "after"})),
        Turn::text("All done."),
    ];
    let world = World::of(Script { by_conversation: true, ..Script::turns(turns) });
    world.home.write("old.txt", format!("before {}\n", "x".repeat(5_000))).unwrap();
    let before = world.home.read("old.txt").unwrap();
    let recording = recorded(&world, &RUN);
    let old_or_new = |world: &World, cut: &Cut| {
        let text = world.home.read("old.txt").unwrap_or_else(|error| panic!("{cut}: {error}"));
        assert!(text == before || text == before.replace("before", "after"), "{cut}: mixed: {text}");
    };
    cuts(&world, &recording, old_or_new, |world, cut, said| {
        let end = finish(world, &RUN, cut, said);
        let events = end.events().unwrap();
        assert_eq!(world.home.read("notes/a.txt").unwrap(), "one\n2\n", "{cut}");
        assert_eq!(world.home.read("old.txt").unwrap(), before.replace("before", "after"), "{cut}");
        for folder in ["notes", "."] {
            let left = files(&world.home.workspace().join(folder));
            let half =
                left.iter().find(|path| path.file_name().unwrap().to_str().unwrap().ends_with(".part"));
            assert_eq!(half, None, "{cut}: half-made files are left");
        }
        runs_once(world, cut, &events);
        let undo = world.json(&["undo", "last"]);
        assert_eq!(undo.code, Some(0), "{cut}: {undo:?}");
        assert_eq!(world.home.read("old.txt").unwrap(), before, "{cut}: taken back");
        assert!(!world.home.workspace().join("notes").exists(), "{cut}: taken back");
    });
}

/// A command whose fate nobody knows is asked about and not run again; any other ran once.
fn runs_once(world: &World, cut: &Cut, events: &[TaskEvent]) {
    let unknown = results(events).iter().filter(|result| result.status == CallStatus::Unknown).count();
    assert_eq!(questions(events).len(), unknown, "{cut}");
    let begun = |event: &&TaskEvent| matches!(event, TaskEvent::TreeKept(_));
    assert_eq!(events.iter().filter(begun).count(), 1, "{cut}: the command is not run again");
    let lines = world.home.read("log.txt").unwrap_or_default().lines().filter(|line| *line == "line").count();
    match unknown {
        0 => assert_eq!(lines, 1, "{cut}: {:?}", results(events)),
        _ => assert!(unknown == 1 && lines <= 1, "{cut}: {lines} lines, {unknown} unknown"),
    }
    assert_eq!(results(events).len(), 4, "{cut}: every call has one result");
}

/// How often each content is there, the trash included.
fn contents(world: &World) -> BTreeMap<Vec<u8>, usize> {
    let mut counts = BTreeMap::new();
    let trash = world.home.user().join(".local/share/Trash/files");
    for path in files(&world.home.workspace()).into_iter().chain(files(&trash)) {
        *counts.entry(fs::read(path).unwrap()).or_insert(0) += 1;
    }
    counts
}

#[test]
fn a_job_that_loses_power_at_any_moment_loses_no_file() {
    let world = World::new([]);
    for (path, content) in [
        ("Report.pdf", "%PDF-1.4 report"),
        ("Report (1).pdf", "%PDF-1.4 report"),
        ("song.mp3", "la la"),
        ("table.csv", "a,b\n1,2\n"),
        ("app/Cargo.toml", "[package]\n"),
        ("app/src/main.rs", "fn main() {}\n"),
        ("letters/old.txt", "Dear you\n"),
    ] {
        world.home.write(path, content).unwrap();
    }
    age(&world);
    let (before, held) = (tree(&world), contents(&world));
    let organize = ["organize", ".", "--backend", "offline"];
    let asked = world.json(&organize);
    assert_eq!(asked.code, Some(4), "{asked:?}");
    let request = requests(&asked.events().unwrap()).remove(0);
    assert_eq!(world.json(&["approve", request.id.as_str()]).code, Some(0));
    let recording = recorded(&world, &["follow", "last"]);
    let after = tree(&world);
    assert_ne!(after, before);
    let nothing_is_lost = |world: &World, cut: &Cut| {
        assert_eq!(contents(world), held, "{cut}: lost, doubled or changed, before anybody mended anything");
    };
    cuts(&world, &recording, nothing_is_lost, |world, cut, said| {
        finish(world, &organize, cut, said);
        assert_eq!((tree(world), contents(world)), (after.clone(), held.clone()), "{cut}");
        let info = world.home.user().join(".local/share/Trash/info/Report (1).pdf.trashinfo");
        assert!(fs::read_to_string(info).unwrap().contains("DeletionDate="), "{cut}");
        let job = job(world);
        assert_eq!((job["state"].as_str(), &job["done"]), (Some("done"), &job["steps"]), "{cut}");
        let undo = world.json(&["undo", job["job"].as_str().unwrap()]);
        assert_eq!(undo.code, Some(0), "{cut}: {undo:?}");
        assert_eq!(tree(world), before, "{cut}: taken back");
    });
}

/// What is at each path of the workspace.
fn tree(world: &World) -> BTreeMap<PathBuf, Vec<u8>> {
    files(&world.home.workspace()).into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

#[test]
fn settings_that_are_changed_while_the_power_goes_are_the_old_or_the_new_ones() {
    let mut world = World::new([]);
    world.home.set("limits.max_iterations", 7).unwrap();
    let recording = recorded(&world, &["config", "set", "limits.max_iterations", "9"]);
    let folder = world.home.path();
    let old_or_new = |_: &World, cut: &Cut| {
        let text = fs::read_to_string(folder.join("config.toml")).unwrap();
        let (is_new, is_old) = (text.contains("max_iterations = 9"), text.contains("max_iterations = 7"));
        let is_done = cut.moment == recording.moments();
        assert!(is_new || (is_old && !is_done), "{cut}: {text}");
    };
    cuts(&world, &recording, old_or_new, |world, cut, _| {
        assert_eq!(world.say(&["config", "get", "limits.max_iterations"]).code, Some(0), "{cut}");
    });
    for seed in 0..12 {
        let end = recording.cut(seed).at(recording.moments());
        recording.restore(&end).unwrap();
        assert_eq!(world.say(&["config", "get", "limits.max_iterations"]).stdout.trim(), "9", "{end}");
    }
}
