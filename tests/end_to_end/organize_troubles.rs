//! Organizing where something stands against it: shut folders, what a scan cannot see, plan files that are not what they
//! should be.

use crate::organize::{age, exists, job};
use crate::support::{World, value};
use deputy_testkit::Finished;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// Runs a command whose process must heed the modes of files, also where the tests run as root.
pub(crate) fn heeding_modes(world: &World, args: &[&str]) -> Finished {
    let mut command = world.home.deputy().unwrap();
    if rustix::process::geteuid().is_root() {
        let inner = command;
        command = std::process::Command::new("setpriv");
        command.args(["--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all", "--"]);
        command.arg(inner.get_program());
        command.env_clear();
        command.envs(inner.get_envs().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned()))));
        command.current_dir(world.home.workspace());
    }
    command.args(args);
    Finished::of(command).unwrap()
}

#[test]
fn a_job_that_a_shut_folder_stops_is_told_as_it_is_and_fails() {
    let world = World::new([]);
    world.home.write("a.mp3", "a").unwrap();
    world.home.write("shut/b.mp3", "b").unwrap();
    age(&world);
    let root = world.home.workspace();
    let shut = root.join("shut");
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o555)).unwrap();
    let file = world.home.user().join("plan.json");
    let plan = json!({"scope": [root], "operations": [
        {"id": "o1", "action": {"kind": "create_folder", "path": root.join("Music")}, "risk": "low", "reason": ""},
        {"id": "o2", "action": {"kind": "move", "path": root.join("a.mp3"), "destination": root.join("Music/a.mp3")},
         "risk": "medium", "reason": ""},
        {"id": "o3", "action": {"kind": "move", "path": shut.join("b.mp3"), "destination": root.join("Music/b.mp3")},
         "risk": "medium", "reason": ""},
        {"id": "o4", "action": {"kind": "create_folder", "path": root.join("Later")}, "risk": "low", "reason": ""},
    ]});
    fs::write(&file, plan.to_string()).unwrap();
    let apply = ["organize", "--apply", file.to_str().unwrap(), "--yes", "medium"];
    // It said "Done", and that nothing was changed: "Permission denied" was taken for a person's no.
    let run = heeding_modes(&world, &apply);
    let id = job(&world)["job"].as_str().unwrap().to_owned();
    let short = &id[..5];
    assert_eq!(run.code, Some(1), "{run:?}");
    for told in [
        "2 of 4 steps are done",
        "o3",
        "Permission denied",
        &format!("`deputy jobs resume {short}`, `deputy jobs resume {short} --skip`, `deputy undo {short}`"),
    ] {
        assert!(run.stdout.contains(told), "{told} is missing in {}", run.stdout);
    }
    for untrue in ["Nothing was changed", "✓ Done"] {
        assert!(!run.stdout.contains(untrue), "{}", run.stdout);
    }
    assert!(exists(&world, "Music/a.mp3") && exists(&world, "shut/b.mp3"));
    assert_eq!(world.json(&["follow", "last"]).code, Some(1), "who follows it later is told the same");

    // Nobody has to remember it.
    let ways = format!("deputy jobs resume {short} | deputy undo {short}");
    for command in ["status", "doctor"] {
        let said = world.say(&[command]);
        assert!(said.stdout.contains(&ways), "{command}: {said:?}");
    }
    assert_eq!(value(&world.json(&["status"]))["interrupted_jobs"][0]["job"], json!(id));

    // Its folder is blocked meanwhile, and anyone who is refused there is told so too.
    let second = world.json(&apply);
    assert_ne!(second.code, Some(0), "{second:?}");

    fs::set_permissions(&shut, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(world.json(&["undo", &id]).code, Some(0));
    assert!(exists(&world, "a.mp3") && !exists(&world, "Music"));
}

#[test]
fn what_a_scan_left_out_is_counted() {
    let world = World::new([]);
    for path in ["song.mp3", ".hidden", ".also/hidden.txt", "shut/inside.txt"] {
        world.home.write(path, path).unwrap();
    }
    age(&world);
    std::os::unix::fs::symlink("song.mp3", world.home.workspace().join("link")).unwrap();
    let shut = world.home.workspace().join("shut");
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o000)).unwrap();
    let shown = heeding_modes(&world, &["organize", ".", "--plan-only"]);
    let told = heeding_modes(&world, &["--json", "organize", ".", "--plan-only"]);
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(shown.code, Some(0), "{shown:?}");
    for words in
        ["left out: 2 hidden or secret, 1 links or special, 1 unreadable", "could not be read: ", "shut"]
    {
        assert!(shown.stdout.contains(words), "{words} is missing in {}", shown.stdout);
    }
    let left = &value(&told)["left_out"];
    assert_eq!(
        (&left["hidden"], &left["special"], &left["unreadable"]),
        (&json!(2), &json!(1), &json!(1)),
        "{left}"
    );
}

#[test]
fn a_plan_file_is_read_strictly_and_its_words_steer_no_terminal() {
    let world = World::new([]);
    world.home.write("song.mp3", "la").unwrap();
    let root = world.home.workspace();
    let file = world.home.user().join("plan.json");
    let apply = |plan: Value| {
        fs::write(&file, plan.to_string()).unwrap();
        world.say(&["organize", "--apply", file.to_str().unwrap()])
    };
    let action = json!({"kind": "trash", "path": "song.mp3"});
    let operation = json!({"id": "o1", "action": action, "risk": "high"});
    for place in ["", "/operations/0", "/operations/0/action"] {
        let mut plan = json!({"scope": [root], "operations": [operation]});
        plan.pointer_mut(place).unwrap()["overwrite"] = json!(true);
        let refused = apply(plan);
        assert_eq!(refused.code, Some(2), "{place}: {refused:?}");
        assert!(refused.stderr.contains("overwrite"), "{place}: {refused:?}");
    }
    // It named no operation, of however many.
    let shred = json!({"id": "o7", "action": {"kind": "shred", "path": "song.mp3"}, "risk": "high"});
    let refused = apply(json!({"scope": [root], "operations": [operation, shred]}));
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("operation o7: unknown variant `shred`"), "{refused:?}");
    let evil = "\u{1b}[2Jgone";
    let named = json!({"id": evil, "action": {"kind": "trash", "path": "missing"}, "risk": "high"});
    for plan in [
        json!({"scope": [root], "operations": [named]}),
        json!({"scope": [format!("/{evil}")], "operations": []}),
    ] {
        let refused = apply(plan);
        assert_eq!(refused.code, Some(1), "{refused:?}");
        assert!(refused.stderr.contains("gone") && !refused.stderr.contains('\u{1b}'), "{refused:?}");
    }
}
