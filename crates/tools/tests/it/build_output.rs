//! Build output is neither stored before commands nor compared after them. Undo removes what a command created.

use crate::tree::Tree;
use deputy_protocol::{CallId, FileChange, FileState, KeptFolder, UndoneFile};
use deputy_tools::tree::{BuildOutput, Committed, Differences};
use deputy_tools::{UndoMode, redo, undo};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A repository that ignores `target/` and `dist/`, with a source file.
fn project() -> Tree {
    let mut tree = Tree::new();
    tree.put("src/main.rs", "fn main() {}");
    tree.put("notes.txt", "mine");
    let mut committed = Committed::default();
    committed.ignore_files.insert(PathBuf::new(), "/target\n/dist\n".into());
    committed.add(Path::new("src/main.rs"));
    tree.output = BuildOutput { since_ms: 0, repositories: [(tree.root.clone(), committed)].into() };
    tree
}

/// Returns the changes of a command.
fn command(tree: &Tree, work: impl FnOnce(&Tree)) -> Differences {
    let manifest = tree.keep();
    work(tree);
    tree.differences(&manifest)
}

fn summary(found: &Differences, tree: &Tree) -> Vec<String> {
    let state = |state: &FileState| match state {
        FileState::Absent(_) => "absent".to_owned(),
        FileState::Folder(KeptFolder { output: Some(output), .. }) => format!("output({})", output.files),
        FileState::Folder(_) => "folder".to_owned(),
        FileState::File(_) => "file".to_owned(),
        other => format!("{other:?}"),
    };
    let below = |path: &str| path.strip_prefix(tree.root.to_str().unwrap()).unwrap().to_owned();
    let told = |change: &FileChange| {
        format!("{}: {} to {}", below(&change.path), state(&change.before), state(&change.after))
    };
    found
        .changes
        .iter()
        .map(told)
        .chain(found.uncovered.iter().map(|path| format!("{}: uncovered", below(path))))
        .collect()
}

/// Undoes calls, given oldest first.
fn undone(tree: &Tree, calls: &[Differences], mode: UndoMode) -> Vec<UndoneFile> {
    let mut changes: Vec<(CallId, FileChange)> = Vec::new();
    for (number, call) in calls.iter().enumerate() {
        let id = CallId::new(format!("t-{number}-1"));
        changes.extend(call.clone().told().map(|change| (id.clone(), change)));
    }
    changes.reverse();
    undo(&changes, &tree.memory.keeper, mode)
}

/// How far the file system's clock may be behind, in milliseconds.
const SLACK_MS: i64 = 20;

/// Repeats some work on a path until the file system's clock shows a later time than that of a build.
fn until_later_than(build: &Differences, path: &Path, work: impl Fn()) {
    let FileState::Folder(KeptFolder { output: Some(output), .. }) = &build.changes[0].after else {
        panic!()
    };
    let at_ms = i64::try_from(output.at_ms).unwrap();
    let changed_ms = || {
        let stat = fs::symlink_metadata(path).unwrap();
        stat.ctime() * 1_000 + stat.ctime_nsec() / 1_000_000
    };
    work();
    while changed_ms() <= at_ms + SLACK_MS {
        work();
    }
}

/// Makes a folder that is younger than a file by the file system's clock.
fn make_later_than(file: &Path, folder: &Path) {
    let born = |path: &Path| fs::symlink_metadata(path).unwrap().created().unwrap();
    fs::create_dir(folder).unwrap();
    while born(folder) <= born(file) {
        fs::remove_dir(folder).unwrap();
        fs::create_dir(folder).unwrap();
    }
}

fn stores(tree: &Tree, content: &str) -> bool {
    tree.memory.keeper.blobs.lock().unwrap().values().any(|blob| blob == content.as_bytes())
}

#[test]
fn a_build_is_one_change_whose_files_are_not_stored() {
    let tree = project();
    let before = tree.look();
    let first = command(&tree, |tree| {
        tree.put("target/debug/app", "binary");
        tree.put("target/debug/deps/app", "binary");
        tree.put("src/main.rs", "fn main() { run() }");
    });
    let expected = ["/src/main.rs: file to file", "/target: absent to output(2)"];
    assert_eq!(summary(&first, &tree), expected);
    let second = command(&tree, |tree| tree.put("target/debug/app", "binary 2"));
    assert_eq!(summary(&second, &tree), ["/target: output(0) to output(2)"]);
    let clock = tree.root.parent().unwrap().join("clock");
    until_later_than(&second, &clock, || fs::write(&clock, "").unwrap());
    let third = command(&tree, |tree| tree.put("notes.txt", "mine, longer"));
    assert_eq!(summary(&third, &tree), ["/notes.txt: file to file"]);
    assert!(!stores(&tree, "binary") && !stores(&tree, "binary 2"));
    assert_eq!(tree.survey("", |_, survey| survey.not_kept()), None, "nothing to warn about");
    let undone = undone(&tree, &[first, second, third], UndoMode::Apply);
    assert!(undone.iter().all(|file| file.restored), "{undone:?}");
    assert_eq!(tree.look(), before);
}

#[test]
fn a_build_that_a_person_made_later_is_left() {
    let tree = project();
    let build = command(&tree, |tree| tree.put("target/app", "binary"));
    let mine = tree.root.join("target/mine");
    until_later_than(&build, &mine, || tree.put("target/mine", "built by hand"));
    for mode in [UndoMode::DryRun, UndoMode::Apply] {
        let undone = undone(&tree, std::slice::from_ref(&build), mode);
        assert!(!undone[0].restored);
        let message = undone[0].message.to_string();
        assert!(message.starts_with("changed since: ") && message.contains("build output"), "{message}");
    }
    assert!(tree.root.join("target/app").exists() && tree.root.join("target/mine").exists());
}

#[test]
fn build_output_that_was_there_is_left_as_it_is() {
    let tree = project();
    tree.put("target/app", "old");
    let build = command(&tree, |tree| tree.put("target/app", "new"));
    assert_eq!(summary(&build, &tree), ["/target: output(0) to output(1)"]);
    let clean = command(&tree, |tree| fs::remove_dir_all(tree.root.join("target")).unwrap());
    assert_eq!(summary(&clean, &tree), ["/target: output(0) to absent"]);
    assert_eq!(undone(&tree, &[build, clean], UndoMode::Apply), []);
    assert!(!stores(&tree, "old"));
}

#[test]
fn what_a_command_names_in_build_output_is_stored() {
    let mut tree = project();
    tree.put("target/release/app", "released");
    tree.put("target/debug/app", "binary");
    let before = tree.look();
    tree.first = vec![tree.root.join("target/release")];
    let removed = command(&tree, |tree| fs::remove_dir_all(tree.root.join("target/release")).unwrap());
    let expected = [
        "/target/release/app: file to absent",
        "/target/release: folder to absent",
        "/target: output(0) to output(1)",
    ];
    let mut told = summary(&removed, &tree);
    told.sort_by_key(|line| expected.iter().position(|expected| line == expected));
    assert_eq!(told, expected);
    assert!(stores(&tree, "released") && !stores(&tree, "binary"));
    assert_eq!(tree.undo(&[removed]), Vec::<String>::new());
    assert_eq!(tree.look(), before);
    tree.first = vec![tree.root.join("target/release/app")];
    let changed = command(&tree, |tree| tree.put("target/release/app", "other"));
    assert_eq!(tree.undo(&[changed]), Vec::<String>::new());
    assert_eq!(tree.look(), before);
    tree.first = vec![tree.root.join("target")];
    let removed = command(&tree, |tree| fs::remove_dir_all(tree.root.join("target")).unwrap());
    assert!(stores(&tree, "binary"));
    assert_eq!(tree.undo(&[removed]), Vec::<String>::new());
    assert_eq!(tree.look(), before);
}

#[test]
fn a_folder_that_may_hold_something_that_was_not_stored_is_never_removed() {
    let mut tree = project();
    tree.limits.max_bytes = 1_000;
    tree.put("data.bin", &"x".repeat(2_000));
    let made = command(&tree, |tree| tree.put("dist/app", "binary"));
    let moved = command(&tree, |tree| {
        fs::rename(tree.root.join("data.bin"), tree.root.join("dist/data.bin")).unwrap();
    });
    assert_eq!(summary(&moved, &tree), ["/data.bin: uncovered", "/dist: uncovered"]);
    let later = command(&tree, |tree| tree.put("dist/app", "binary 2"));
    let undone = undone(&tree, &[made, moved, later], UndoMode::Apply);
    assert!(undone.iter().all(|file| !file.restored), "{undone:?}");
    assert!(tree.root.join("dist/data.bin").exists());

    let tree = project();
    let into_new = command(&tree, |tree| {
        make_later_than(&tree.root.join("src/main.rs"), &tree.root.join("dist"));
        fs::rename(tree.root.join("src"), tree.root.join("dist/src")).unwrap();
    });
    // What is stored comes back, and the folder with the older file is left and named.
    let left = tree.undo(&[into_new]);
    assert!(left.len() == 1 && left[0].contains("src/main.rs was changed or moved there"), "{left:?}");
    assert_eq!(fs::read_to_string(tree.root.join("src/main.rs")).unwrap(), "fn main() {}");

    let mut tree = project();
    tree.limits.max_files = 1;
    (0..20).for_each(|number| tree.put(&format!("many/{number}"), "x"));
    let made = command(&tree, |tree| fs::rename(tree.root.join("many"), tree.root.join("dist")).unwrap());
    assert!(summary(&made, &tree).contains(&"/dist: uncovered".to_owned()), "it was not listed before");

    let mut tree = project();
    tree.is_walled = false;
    let made = command(&tree, |tree| tree.put("dist/app", "binary"));
    assert_eq!(summary(&made, &tree), ["/dist: uncovered"], "it may come from elsewhere");
}

#[test]
fn a_folder_that_was_moved_into_build_output_later_is_left() {
    let tree = project();
    let elsewhere = tempfile::tempdir_in(tree.root.parent().unwrap()).unwrap();
    fs::create_dir(elsewhere.path().join("photos")).unwrap();
    fs::write(elsewhere.path().join("photos/one.jpg"), "a photo").unwrap();
    let build = command(&tree, |tree| tree.put("dist/app", "binary"));
    let (from, to) = (elsewhere.path().join("photos"), tree.root.join("dist/photos"));
    until_later_than(&build, &to, || {
        let _ = fs::rename(&to, &from);
        fs::rename(&from, &to).unwrap();
    });
    assert_eq!(tree.undo(&[build]).len(), 1);
    assert!(tree.root.join("dist/photos/one.jpg").exists());
}

#[test]
fn a_file_that_something_else_moved_into_build_output_between_two_calls_is_left() {
    let tree = project();
    let mine = tree.root.parent().unwrap().join("thesis.txt");
    fs::write(&mine, "years of work").unwrap();
    let first = command(&tree, |tree| {
        make_later_than(&mine, &tree.root.join("dist"));
        tree.put("dist/app", "binary");
    });
    fs::rename(&mine, tree.root.join("dist/thesis.txt")).unwrap();
    let second = command(&tree, |tree| tree.put("dist/app", "binary 2"));
    let left = tree.undo(&[first, second]);
    assert!(left.len() == 1 && left[0].contains("thesis.txt"), "{left:?}");
    assert!(tree.root.join("dist/thesis.txt").exists());
}

#[test]
fn a_redo_does_not_bring_build_output_back_and_says_so() {
    let tree = project();
    let build = command(&tree, |tree| {
        tree.put("target/app", "binary");
        tree.put("notes.txt", "more");
    });
    let undone = undone(&tree, std::slice::from_ref(&build), UndoMode::Apply);
    let redone = redo(&undone, &tree.memory.keeper);
    assert!(redone.iter().all(|file| file.restored) && redone.len() == 2, "{redone:?}");
    assert!(redone.iter().any(|file| file.message.to_string().contains("next build")), "{redone:?}");
    assert!(!tree.root.join("target").exists());
    assert_eq!(fs::read_to_string(tree.root.join("notes.txt")).unwrap(), "more");
}

#[test]
fn a_repository_that_a_command_makes_or_removes_changes_nothing_about_folders_that_existed() {
    let tree = project();
    tree.put("target/app", "old");
    let begun = command(&tree, |tree| tree.put("target/.git/HEAD", "ref: refs/heads/main"));
    assert_eq!(summary(&begun, &tree), ["/target: output(0) to output(2)"]);
    fs::remove_dir_all(tree.root.join("target")).unwrap();
    tree.put("sub/.git/HEAD", "ref: refs/heads/main");
    tree.put("sub/dist/mine.txt", "kept");
    let mut outer = project();
    outer
        .output
        .repositories
        .values_mut()
        .next()
        .unwrap()
        .ignore_files
        .insert(PathBuf::new(), "dist\n".into());
    outer.put("sub/.git/HEAD", "ref: refs/heads/main");
    outer.put("sub/dist/mine.txt", "kept");
    let before = outer.look();
    let removed = command(&outer, |outer| {
        fs::remove_dir_all(outer.root.join("sub/.git")).unwrap();
        outer.put("sub/dist/mine.txt", "changed");
    });
    assert!(summary(&removed, &outer).contains(&"/sub/dist/mine.txt: file to file".to_owned()));
    assert!(outer.undo(&[removed]).is_empty());
    assert_eq!(outer.look(), before);
}
