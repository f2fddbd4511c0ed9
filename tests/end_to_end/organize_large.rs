//! Organizing very many files, in a bounded memory.

use crate::organize::exists;
use crate::support::{World, value};
use deputy_testkit::Finished;
use std::fs::File;
use std::io::Write;
use std::time::{Duration, SystemTime};

/// How many files; `DEPUTY_TEST_FILES=1000000` for a million.
const FILES: &str = "DEPUTY_TEST_FILES";

/// What one plan takes at most.
const MOST_OPERATIONS: usize = 20_000;

/// Memory for this many files, in KiB: that of any command, and half a KiB a file; 100,000 files stay below 200 MB.
fn bound(files: usize) -> usize {
    100 * 1024 + files / 2
}

/// Runs `deputy --json ARGS` in a process that gets no more memory for its data.
fn bounded(world: &World, kib: usize, args: &[&str]) -> Finished {
    let inner = world.home.deputy().unwrap();
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -d \"$0\" && exec \"$@\"", &kib.to_string()]).arg(inner.get_program());
    command.env_clear();
    command.envs(inner.get_envs().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned()))));
    command.current_dir(world.home.workspace()).arg("--json").args(args);
    Finished::of(command).unwrap()
}

#[test]
fn a_folder_of_very_many_files_is_planned_in_bounded_memory_and_what_one_plan_has_no_room_for_is_said() {
    let files = std::env::var(FILES).map_or(MOST_OPERATIONS + 500, |text| text.parse().unwrap());
    let world = World::new([]);
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_715_000_000);
    let root = world.home.workspace();
    for number in 0..files {
        // All of one size, so that each has to be told from the others by its content.
        let mut file = File::create(root.join(format!("a note {number:07}.txt"))).unwrap();
        write!(file, "{number:07}").unwrap();
        file.set_modified(time).unwrap();
    }
    let shown = bounded(&world, bound(files), &["organize", ".", "--by", "kind", "--plan-only"]);
    assert_eq!(shown.code, Some(0), "{:.2000}", shown.stderr);
    let plan = value(&shown);
    assert_eq!(plan["plan"]["operations"].as_array().unwrap().len(), MOST_OPERATIONS);
    // The folder that they go to is made by one of the operations.
    assert_eq!(plan["too_many"], files + 1 - MOST_OPERATIONS);
    assert!(exists(&world, "a note 0000000.txt"), "a plan that is shown changes nothing");
}
