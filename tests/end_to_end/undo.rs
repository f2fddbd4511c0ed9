//! `deputy undo`: the whole task or one call, from what was executed, and never over somebody else's change.

use crate::support::{World, agreed, questions, shell, value, write};
use deputy_testkit::{Script, Turn};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A task that changed a file, then made another.
fn changed() -> World {
    let world = World::new([
        Turn::call("code", json!({"action": "patch", "path": "a.txt", "old": "old", "new": "new"})),
        write("deep/b.txt", "made\n"),
        Turn::text("Done."),
    ]);
    world.home.write("a.txt", "old text\n").unwrap();
    let run = world.json(&["run", "change", "--yes", "low"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(world.home.read("a.txt").unwrap(), "new text\n");
    assert_eq!(world.home.read("deep/b.txt").unwrap(), "made\n");
    world
}

fn files(value: &Value) -> Vec<(PathBuf, bool)> {
    let files = value["files"].as_array().unwrap();
    let file = |file: &Value| {
        (PathBuf::from(file["change"]["path"].as_str().unwrap()), file["restored"].as_bool().unwrap())
    };
    files.iter().map(file).collect()
}

#[test]
fn a_dry_run_says_what_it_would_do_and_does_nothing() {
    let world = changed();
    let plan = world.json(&["undo", "last", "--dry-run"]);
    assert_eq!(plan.code, Some(0), "{plan:?}");
    assert!(files(&value(&plan)).iter().any(|(path, _)| path.ends_with("a.txt")));
    assert_eq!(world.home.read("a.txt").unwrap(), "new text\n");
    assert_eq!(world.home.read("deep/b.txt").unwrap(), "made\n");
}

#[test]
fn a_whole_task_is_taken_back_once() {
    let world = changed();
    let undo = world.json(&["undo", "last"]);
    assert_eq!(undo.code, Some(0), "{undo:?}");
    assert!(files(&value(&undo)).iter().all(|(_, restored)| *restored));
    assert_eq!(world.home.read("a.txt").unwrap(), "old text\n");
    assert!(!world.home.workspace().join("deep").exists(), "the folder that was made for the file goes too");
    let again = world.say(&["undo", "last"]);
    assert_eq!(again.code, Some(0));
    assert!(again.stdout.contains("Nothing to undo."), "{}", again.stdout);
    assert!(world.say(&["show", "last"]).stdout.contains("↶"), "the journal tells of it");
}

#[test]
fn undo_of_a_missing_workspace_fails_and_works_later() {
    for puts in [None, Some("an empty folder"), Some("a file")] {
        let world = changed();
        let (folder, away) = (world.home.workspace(), world.home.root().join("away"));
        fs::rename(&folder, &away).unwrap();
        match puts {
            Some("a file") => fs::write(&folder, "x").unwrap(),
            Some(_) => fs::create_dir(&folder).unwrap(),
            None => {}
        }
        let inside = world.home.root();
        for command in [&["undo", "last"][..], &["undo", "last", "--dry-run"]] {
            let undo = world.home.deputy().unwrap().args(command).current_dir(inside).output().unwrap();
            let said = String::from_utf8_lossy(&undo.stderr).into_owned();
            assert!(!undo.status.success(), "{puts:?} {command:?}");
            assert!(said.contains("Nothing was changed") && said.contains("Bring the folder back"), "{said}");
        }
        drop(fs::remove_dir(&folder).or_else(|_| fs::remove_file(&folder)));
        fs::rename(&away, &folder).unwrap();
        assert_eq!(world.say(&["undo", "last"]).code, Some(0));
        assert_eq!(world.home.read("a.txt").unwrap(), "old text\n");
        assert!(!folder.join("deep").exists());

        fs::rename(&folder, &away).unwrap();
        let redo = world.home.deputy().unwrap().args(["redo", "last"]).current_dir(inside).output().unwrap();
        assert!(!redo.status.success(), "{puts:?}");
        fs::rename(&away, &folder).unwrap();
        assert_eq!(world.say(&["redo", "last"]).code, Some(0));
        assert_eq!(world.home.read("deep/b.txt").unwrap(), "made\n");
    }
}

#[test]
fn one_call_is_taken_back_alone() {
    let world = changed();
    let call = format!("{}-1-1", world.task().id);
    assert_eq!(world.json(&["undo", &call]).code, Some(0));
    assert_eq!(world.home.read("a.txt").unwrap(), "old text\n");
    assert_eq!(world.home.read("deep/b.txt").unwrap(), "made\n");
    let unknown = world.say(&["undo", &format!("{}-9-9", world.task().id)]);
    assert_eq!(unknown.code, Some(1), "a call that never was is no success: {unknown:?}");
    assert!(unknown.stderr.contains("-9-9"), "{}", unknown.stderr);
}

#[test]
fn what_was_changed_since_is_left_alone_and_said() {
    let world = changed();
    world.home.write("a.txt", "mine now\n").unwrap();
    let undo = world.json(&["undo", "last"]);
    assert_eq!(undo.code, Some(1), "{undo:?}");
    let files = files(&value(&undo));
    assert!(files.iter().any(|(path, restored)| path.ends_with("a.txt") && !restored), "{files:?}");
    assert_eq!(world.home.read("a.txt").unwrap(), "mine now\n");
    assert!(!world.home.workspace().join("deep/b.txt").exists(), "the others are taken back");
}

/// Everything below a folder: links as what they say, files with their permissions and content, folders with nothing.
fn tree(folder: &Path) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let (path, meta) = (entry.path(), entry.path().symlink_metadata().unwrap());
        let content = if meta.is_symlink() {
            fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
        } else if meta.is_dir() {
            found.extend(tree(&path));
            Vec::new()
        } else {
            fs::read(&path).unwrap()
        };
        found.insert(path, (meta.permissions().mode(), content));
    }
    found
}

#[test]
fn killed_in_the_middle_of_a_command_its_changes_are_taken_back_all_the_same() {
    const COMMAND: &str = "echo changed > a.txt; rm b.txt; chmod 755 c.txt; mv d e; rm link; mkdir -p new/deep; \
        echo made > new/deep/f.txt; : > ready; sleep 600";
    let turns = [shell(COMMAND), Turn::text("All done.")];
    let world = World::of(Script { by_conversation: true, ..Script::turns(turns) });
    for (path, text) in
        [("a.txt", "a\n"), ("b.txt", "b\n"), ("c.txt", "c\n"), ("d/d.txt", "d\n"), ("d/x/y.txt", "y\n")]
    {
        world.home.write(path, text).unwrap();
    }
    let workspace = world.home.workspace();
    std::os::unix::fs::symlink("a.txt", workspace.join("link")).unwrap();
    let before = tree(&workspace);

    let host = world.start(&["run", "work", "--yes", "medium"]);
    while !workspace.join("ready").exists() {
        std::thread::yield_now();
    }
    host.signal(Signal::KILL).unwrap();
    assert_eq!(host.wait().unwrap(), None, "it was killed");
    assert_ne!(tree(&workspace), before, "the command was in the middle of its work");

    let follow = world.json(&["follow", "last"]);
    assert_eq!(follow.code, Some(4), "whoever comes next asks how to go on: {follow:?}");
    let question = questions(&follow.events().unwrap()).pop().unwrap();
    assert!(question.text.contains("echo changed"), "{question:?}");
    assert_eq!(world.json(&["answer", question.id.as_str(), "go on"]).code, Some(0));
    let follow = world.json(&["follow", "last"]);
    assert_eq!(follow.code, Some(0), "{follow:?}");

    let undo = world.json(&["undo", "last"]);
    assert_eq!(undo.code, Some(0), "{undo:?}");
    assert_eq!(tree(&workspace), before, "every change is taken back");
}

#[test]
fn the_story_names_the_files_that_each_command_changed() {
    let world = World::new([
        shell("printf x > one.txt"),
        shell("mkdir deep && touch deep/1 deep/2 deep/3 deep/4 deep/5 deep/6 deep/7"),
        shell("cat one.txt"),
        Turn::text("All done."),
    ]);
    world.json(&["run", "work", "--yes", "medium"]);
    let show = world.say(&["show", "last"]).stdout;
    let changed: Vec<&str> = show.lines().filter_map(|line| line.trim().strip_prefix("changed ")).collect();
    assert_eq!(changed, ["one.txt", "deep/1, deep/2, deep/3, deep/4, deep/5 and 2 more"], "{show}");
}

/// Runs git without the settings of this machine.
fn git(world: &World, args: &[&str]) -> String {
    let mut git = std::process::Command::new("git");
    git.args(args).current_dir(world.home.workspace()).env("HOME", world.home.user());
    let run = git.output().unwrap();
    assert!(run.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8_lossy(&run.stdout).into_owned()
}

/// Creates a repository of Ada's in the workspace, and commits `a.txt`.
fn commit_first(world: &World) {
    for args in [
        &["init", "-q", "-b", "main"][..],
        &["config", "user.name", "Ada"],
        &["config", "user.email", "ada@example.org"],
        &["add", "a.txt"],
        &["commit", "-qm", "first"],
    ] {
        git(world, args);
    }
}

#[test]
fn a_branch_a_commit_and_a_stash_are_undone_and_redone_and_the_repository_is_whole() {
    let world = World::of(Script {
        by_conversation: true,
        ..Script::turns([
            shell("git checkout -qb fix && echo x >> a.txt && git add a.txt && git commit -qm fix"),
            shell("echo y >> a.txt && git stash -q"),
            Turn::text("Done."),
        ])
    });
    world.home.write("a.txt", "one\n").unwrap();
    commit_first(&world);
    world.home.write("notes.txt", "the person's own\n").unwrap();
    let look = || {
        let asked = [
            &["fsck", "--strict", "--no-dangling"][..],
            &["status", "--porcelain=v2", "--branch"],
            &["branch", "-v", "--no-color"],
            &["stash", "list"],
            &["log", "--all", "--format=%H %s"],
        ];
        let files = ["a.txt", "notes.txt"].map(|name| world.home.read(name).unwrap());
        (asked.map(|args| git(&world, args)), files)
    };
    let before = look();
    let (_, results) = agreed(|args| world.json(args));
    assert!(results.iter().all(|result| result.exit_code == Some(0)), "{results:#?}");
    let after = look();
    assert!(after.0[1].contains("branch.head fix") && after.0[3].contains("stash@{0}"), "{after:#?}");
    for (command, state) in [("undo", &before), ("redo", &after), ("undo", &before)] {
        let done = world.say(&[command, "last"]);
        assert_eq!(done.code, Some(0), "{done:?}");
        assert_eq!(look(), *state, "after {command}");
    }
}

#[test]
fn an_undo_below_a_commit_of_the_persons_changes_nothing_and_the_files_can_be_undone_alone() {
    let world = World::of(Script {
        by_conversation: true,
        ..Script::turns([shell("echo x > b.txt && git add b.txt && git commit -qm two"), Turn::text("Done.")])
    });
    world.home.write("a.txt", "one\n").unwrap();
    commit_first(&world);
    agreed(|args| world.json(args));
    world.home.write("mine.txt", "mine\n").unwrap();
    git(&world, &["add", "mine.txt"]);
    git(&world, &["commit", "-qm", "three"]);

    for (command, code, end) in [
        (&["undo", "last", "--dry-run"][..], 0, "Nothing would be undone. "),
        (&["undo", "last"], 1, "Nothing was undone. "),
    ] {
        let undo = world.say(command);
        assert!(undo.stdout.contains(end) && !undo.stdout.contains("b.txt"), "{undo:?}");
        let says = "You committed on top of main. The commit of the task stays; `git revert` takes it back.";
        assert!(undo.stdout.contains(says), "{undo:?}");
        assert_eq!(undo.code, Some(code), "{undo:?}");
        assert_eq!(git(&world, &["log", "--format=%s"]), "three\ntwo\nfirst\n");
        assert_eq!(git(&world, &["status", "--porcelain"]), "");
    }
    let files = world.say(&["undo", "last", "--files"]);
    assert_eq!(files.code, Some(0), "{files:?}");
    assert_eq!(git(&world, &["status", "--porcelain"]), " D b.txt\n");
    git(&world, &["fsck", "--strict"]);
    assert_eq!(world.say(&["redo", "last"]).code, Some(0));
    assert_eq!(git(&world, &["status", "--porcelain"]), "");
}
