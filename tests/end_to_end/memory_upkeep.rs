//! Memories are pruned with a preview and come back from the journal, and are taken from one home to another; wherever that is cut off,
//! nothing is lost.

use crate::support::{World, processes_below};
use deputy_protocol::*;
use deputy_store::Store;
use deputy_testkit::{Fate, Turn, crash_at_every_commit, run_to};
use std::fs;

fn listed(world: &World) -> Vec<Memory> {
    let list = world.json(&["memory", "list", "--limit", "1000"]);
    list.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A task that said things, and facts that were put down.
fn lived() -> World {
    let world = World::new([Turn::text("The plumber is Meyer."), Turn::text("Done.")]);
    assert_eq!(world.json(&["run", "Find the plumber"]).code, Some(0));
    for (text, about) in [("Write English reports.", "language"), ("Write German reports.", "language")] {
        assert_eq!(world.json(&["memory", "add", text, "--about", about]).code, Some(0));
    }
    assert_eq!(world.json(&["memory", "add", "Peanuts make Anna sick 🥜."]).code, Some(0));
    world
}

#[test]
fn a_prune_shows_first_what_it_would_forget_and_each_comes_back() {
    let world = lived();
    let before = listed(&world);
    let preview = world.say(&["memory", "prune", "--older-than", "0d"]);
    assert!(preview.stdout.contains("This would prune 2 memories."), "{preview:?}");
    assert!(preview.stdout.contains("said by you: 1") && preview.stdout.contains("| The plumber is Meyer."));
    assert_eq!(listed(&world), before, "a preview changes nothing");
    let none = world.say(&["memory", "prune", "--older-than", "1d", "--apply"]);
    assert!(none.stdout.contains("Pruned 0 memories."), "{none:?}");

    let pruned = world.json(&["memory", "prune", "--older-than", "0d", "--apply"]);
    assert_eq!(pruned.stdout.trim(), r#"{"outcome":"memories","memories":2}"#);
    let kept = listed(&world);
    assert_eq!(kept.len(), before.len() - 2, "what was put down stays unless it is named");
    let doctor = world.say(&["doctor"]);
    assert!(doctor.stdout.contains("the database is sound"), "{doctor:?}");
    let story = world.say(&["show", "last"]);
    assert!(story.stdout.contains("The plumber is Meyer."), "the journal keeps it: {story:?}");

    for gone in before.iter().filter(|memory| !kept.contains(memory)) {
        let restored = world.json(&["memory", "restore", &gone.memory.to_string()]);
        assert_eq!(restored.stdout.trim(), r#"{"outcome":"memories","memories":1}"#, "one by one");
    }
    assert_eq!(listed(&world), before);

    let newest = world.json(&["memory", "prune", "--kind", "preferences", "--keep", "1", "--apply"]);
    assert_eq!(newest.stdout.trim(), r#"{"outcome":"memories","memories":1}"#);
    let texts: Vec<String> = listed(&world).into_iter().map(|memory| memory.text).collect();
    assert!(texts.iter().any(|text| text.contains("German")), "{texts:?}");
    assert!(!texts.iter().any(|text| text.contains("English")), "{texts:?}");
    for wrong in [&["--older-than", "x"][..], &["--older-than", "5"], &["--kind", "all"], &[]] {
        assert_eq!(world.say(&[&["memory", "prune"], wrong].concat()).code, Some(2), "{wrong:?}");
    }
}

#[test]
fn what_is_exported_is_imported_elsewhere_once_and_means_the_same_to_tasks() {
    let world = lived();
    let file = world.home.root().join("memories.jsonl");
    let file = file.to_str().unwrap();
    assert_eq!(world.say(&["memory", "export", file]).code, Some(0));
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    let again = world.say(&["memory", "export", file]);
    assert!(again.code == Some(1) && again.stderr.contains("not there yet"), "{again:?}");

    let other = World::new([Turn::text("Done.")]);
    for imported in [
        r#"{"outcome":"imported","imported":5,"present":0,"task":null}"#,
        r#"{"outcome":"imported","imported":0,"present":5,"task":null}"#,
    ] {
        let done = other.json(&["memory", "import", file]);
        assert_eq!(done.stdout.trim(), imported, "{done:?}");
    }
    let strip = |memory: Memory| {
        (memory.text, memory.at_ms, memory.origin, memory.kind, memory.about, memory.is_replaced)
    };
    let there: Vec<_> = listed(&other).into_iter().map(strip).collect();
    assert_eq!(there, listed(&world).into_iter().map(strip).collect::<Vec<_>>());
    other.json(&["run", "Sort the pictures"]);
    let told = other.told(1);
    assert!(told.contains("[the user prefers] Write German reports.") && !told.contains("English"), "{told}");
    assert!(!told.contains("Meyer"), "what a planner said stays in its folder: {told}");
    assert!(other.say(&["doctor"]).stdout.contains("the database is sound"));
}

/// This many memories, one of which has no words.
fn long_file(head: &str, good: &str, size: usize, bad: usize) -> String {
    let text = |number: usize| if number == bad { " ".to_owned() } else { format!("fact {number}") };
    let lines = (1..=size).map(|number| good.replace("\"a\"", &format!("\"{}\"", text(number))));
    std::iter::once(head.to_owned()).chain(lines).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_file_with_a_mistake_is_refused_whole_and_its_line_is_named() {
    let world = World::new([]);
    let file = world.home.root().join("bad.jsonl");
    let head = r#"{"format":"deputy-memory","version":1}"#;
    let good = r#"{"text":"a","at_ms":1,"origin":"person","kind":"fact"}"#;
    let newer = head.replace(":1}", ":3}");
    let long = format!("{head}\n{}", "x".repeat(300_000));
    for (text, says) in [
        (String::new(), None),
        ("no JSON".to_owned(), Some("Line 1")),
        (newer, Some("Line 1")),
        (format!("{head}\n{good}\n{{}}\n"), Some("Line 3")),
        (long, Some("longer than a memory")),
        (format!("{head}\n{good}\n{}\n", good.replace("fact", "rule")), Some("Line 3")),
        (format!("{head}\n{}\n", good.replace("\"a\"", "\" \"")), Some("be empty")),
        (format!("{head}\n{}\n", good.replace("\"a\"", "\"a\\u0000\"")), Some("NUL")),
        // Far behind what is sent at once.
        (long_file(head, good, 700, 650), Some("Memory 650 of the import can't be used")),
    ] {
        fs::write(&file, &text).unwrap();
        let done = world.say(&["memory", "import", file.to_str().unwrap()]);
        match says {
            Some(says) => assert!(done.code == Some(1) && done.stderr.contains(says), "{text:.80}: {done:?}"),
            None => assert_eq!(done.code, Some(0), "{done:?}"),
        }
        assert!(listed(&world).is_empty(), "{text:.80}");
    }
}

fn stats(world: &World) -> MemoryStatsAnswer {
    let stats = world.json(&["memory", "stats"]);
    serde_json::from_str(&stats.stdout).unwrap_or_else(|error| panic!("{error}: {stats:?}"))
}

/// Everything that was said has a vector, waits for one, could not get one, or is found by words alone; and the tables are what the
/// journal says.
fn assert_no_hole(world: &World, at: &dyn std::fmt::Display) {
    let stats = stats(world);
    let known = stats.embedded + stats.pending + stats.failed + stats.words_only;
    assert_eq!(known, stats.memories, "{at}: {stats:?}");
    let sound = Store::open(&world.home.path()).unwrap().check_integrity();
    sound.unwrap_or_else(|error| panic!("{at}: {error}"));
}

#[test]
fn killed_anywhere_in_adding_pruning_importing_or_rebuilding_nothing_is_lost() {
    let commands: [&[&str]; 4] = [
        &["memory", "add", "Bruno is allergic to strawberries."],
        &["memory", "prune", "--kind", "said", "--kind", "facts", "--keep", "0", "--apply"],
        &["memory", "import", "other.jsonl"],
        &["memory", "rebuild", "--wait"],
    ];
    for command in commands {
        let points = crash_at_every_commit(|point| {
            let world = World::new([]);
            world.home.write("here.jsonl", HERE)?;
            world.home.write("other.jsonl", OTHER_HOME)?;
            assert_eq!(world.json(&["memory", "import", "here.jsonl"]).code, Some(0));
            let mut first = world.home.deputy()?;
            first.arg("--json").args(command);
            let fate = run_to(point, first)?;
            let at = format!("{command:?} {point}");
            assert_no_hole(&world, &at);
            let there = listed(&world);
            let count =
                |mark: &str| there.iter().filter(|memory| memory.text.starts_with(mark)).count() as u64;
            assert_eq!(count("Here") + stats(&world).forgotten, 4, "{at}");
            assert!([0, 2].contains(&count("There")), "{at}: all or none of an import: {there:?}");
            if let Fate::Killed = fate {
                let again = world.json(command);
                assert_eq!(again.code, Some(0), "{at}: {again:?}");
                assert_no_hole(&world, &at);
            }
            Ok(fate)
        });
        let points = points.unwrap();
        println!("figure: {command:?}: {points} crash points");
        assert!(points > 0, "{command:?}");
    }
}

/// Exports of two homes.
const HERE: &str = r#"{"format":"deputy-memory","version":2}
{"text":"Here: the plumber is Meyer.","at_ms":1,"origin":"person","kind":"said"}
{"text":"Here: the roof is of slate.","at_ms":2,"origin":"planner","kind":"said"}
{"text":"Here: peanuts make Anna sick.","at_ms":3,"origin":"person","kind":"fact"}
{"text":"Here: write German reports.","at_ms":4,"origin":"person","kind":"preference","about":"language"}
"#;
const OTHER_HOME: &str = r#"{"format":"deputy-memory","version":2}
{"text":"There: one.","at_ms":1,"origin":"person","kind":"fact"}
{"text":"There: two.","at_ms":2,"origin":"person","kind":"fact"}
"#;

#[test]
fn an_embedder_that_is_killed_again_and_again_leaves_no_hole() {
    let world = World::new([]);
    let file = world.home.root().join("many.jsonl");
    let line = |number: usize| {
        format!(
            r#"{{"text":"House {number} has {number} windows.","at_ms":1,"origin":"person","kind":"fact"}}"#
        )
    };
    let lines: Vec<String> = (0..200).map(line).collect();
    let head = r#"{"format":"deputy-memory","version":2}"#;
    fs::write(&file, format!("{head}\n{}\n", lines.join("\n"))).unwrap();
    assert_eq!(world.json(&["memory", "import", file.to_str().unwrap()]).code, Some(0));
    for kills in 1..=4 {
        let rebuild = world.start(&["memory", "rebuild", "--wait"]);
        let mut killed = Vec::new();
        while killed.len() < kills {
            // What it has just been given is lost with it. After one that dies whatever it is given, the rest waits.
            let is_over =
                std::fs::read_to_string(format!("/proc/{}/stat", rebuild.id())).unwrap().contains(") Z");
            let embedder = processes_below(rebuild.id(), "deputy_sidecar");
            match embedder.into_iter().find(|embedder| !killed.contains(embedder)) {
                Some(embedder) => {
                    let _ = rustix::process::kill_process(embedder, rustix::process::Signal::KILL);
                    killed.push(embedder);
                }
                None if is_over => break,
                None => std::thread::yield_now(),
            }
        }
        assert!(!killed.is_empty());
        assert_eq!(rebuild.wait().unwrap(), Some(0));
        assert_no_hole(&world, &kills);
        assert_eq!(stats(&world).memories, 200);
    }
    let rebuilt = world.json(&["memory", "rebuild", "--wait"]);
    let after: MemoryStatsAnswer = serde_json::from_str(&rebuilt.stdout).unwrap();
    assert_eq!((after.embedded, after.pending, after.failed, after.outdated), (200, 0, 0, 0), "{after:?}");
}
