//! Memories are pruned with a preview and come back from the journal, and are taken from one home to another.

use crate::support::World;
use deputy_protocol::*;
use deputy_testkit::Turn;
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
    assert!(preview.stdout.contains("1 that you said") && preview.stdout.contains("| The plumber is Meyer."));
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
        r#"{"outcome":"imported","imported":5,"present":0}"#,
        r#"{"outcome":"imported","imported":0,"present":5}"#,
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
        (format!("{head}\n{}\n", good.replace("\"a\"", "\" \"")), Some("without words")),
        (format!("{head}\n{}\n", good.replace("\"a\"", "\"a\\u0000\"")), Some("NUL")),
        // Far behind what is sent at once.
        (long_file(head, good, 700, 650), Some("Memory 650 of the import cannot be one")),
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
