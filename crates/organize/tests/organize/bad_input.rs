//! Bad plans and names. Each is rejected with an error that names the operation, or works.

use crate::plans::{copy, create, relocate, rename, trash};
use crate::world::{World, plan_of};
use deputy_organize::{Bounds, CheckError, ConflictChoice, MOST_OPERATIONS, Stop, Wrong, check};
use deputy_protocol::OrganizeAction;
use std::fs;
use std::os::unix::fs::{FileExt, MetadataExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::process::Command;

/// Returns what is wrong with a plan, by operation, and checks that nothing was changed.
fn wrong(world: &World, actions: Vec<OrganizeAction>) -> Vec<(String, Wrong)> {
    let before = world.snapshot();
    let error = world.check(&world.plan(actions)).unwrap_err();
    assert_eq!(world.snapshot(), before);
    match error {
        CheckError::Problems(problems) => {
            assert!(problems[0].to_string().starts_with(&format!("operation {}: ", problems[0].operation)));
            problems.into_iter().map(|problem| (problem.operation, problem.wrong)).collect()
        }
        other => panic!("{other}"),
    }
}

fn only_wrong(world: &World, action: OrganizeAction) -> Wrong {
    let mut all = wrong(world, vec![create(world.root.join("fine")), action]);
    assert_eq!((all.len(), all[0].0.as_str()), (1, "o1"));
    all.remove(0).1
}

#[test]
fn paths_that_lead_out_are_refused() {
    let world = World::new();
    let file = world.file("a.txt", "a");
    symlink("/etc", world.root.join("link")).unwrap();
    let outside = "/etc/passwd";
    for (action, expected) in [
        (relocate(outside, world.root.join("x")), "outside"),
        (relocate(&file, "/etc/x"), "outside"),
        (copy(&file, world.base.join("x")), "outside"),
        (trash(format!("{}/../x", world.root.display())), "`..` leads out"),
        (trash(&world.root), "only what is in it"),
        (trash(world.root.parent().unwrap()), "outside"),
        (rename(&file, "../b"), "has no folder in it"),
        (rename(&file, ".."), "has no folder in it"),
        (rename(&file, ""), "has no folder in it"),
        (create("relative"), "relative"),
        (create(""), "empty"),
        (create(world.root.join("a\0b")), "NUL"),
        (relocate(&file, world.root.join("link/x")), "not a folder"),
        (trash(world.root.join("link")), "left alone"),
        (trash(world.root.join("link/passwd")), "nothing is at"),
        (trash(world.root.join("none")), "nothing is at"),
        (create(world.root.join("a.txt/b")), "not a folder"),
    ] {
        let said = only_wrong(&world, action.clone()).to_string();
        assert!(said.contains(expected), "{action:?}: {said}");
    }
}

#[test]
fn links_sockets_pipes_and_devices_are_left_alone() {
    let world = World::new();
    symlink("nowhere", world.root.join("link")).unwrap();
    let _socket = UnixListener::bind(world.root.join("socket")).unwrap();
    assert!(Command::new("mkfifo").arg(world.root.join("pipe")).status().unwrap().success());
    let mut names = vec!["link", "socket", "pipe"];
    // The null device. Only root can create devices.
    let device = Command::new("mknod").arg(world.root.join("device")).args(["c", "1", "3"]).output().unwrap();
    names.extend(device.status.success().then_some("device"));
    for name in names {
        let path = world.root.join(name);
        for action in [trash(&path), rename(&path, "x"), copy(&path, world.root.join("x"))] {
            assert_eq!(only_wrong(&world, action), Wrong::NotAFile(path.clone()));
        }
    }
    // If their folder is moved as a whole, they move with it.
    let folder = world.root.join("folder");
    fs::create_dir(&folder).unwrap();
    symlink("nowhere", folder.join("link")).unwrap();
    let (_, report) = world.run(vec![rename(&folder, "other")]);
    assert_eq!((report.done, report.stopped), (1, None));
    assert_eq!(fs::read_link(world.root.join("other/link")).unwrap(), PathBuf::from("nowhere"));
}

#[test]
fn a_link_that_takes_a_folders_place_after_the_check_is_not_followed() {
    let world = World::new();
    let file = world.file("in/a.txt", "a");
    fs::create_dir(world.root.join("out")).unwrap();
    let job = world.job(vec![relocate(&file, world.root.join("out/a.txt"))]);
    fs::remove_dir(world.root.join("out")).unwrap();
    symlink(&world.away, world.root.join("out")).unwrap();
    let report = world.run_job(job);
    let Some(Stop::Failed { operation, reason }) = report.stopped else { panic!("{report:?}") };
    assert!(operation == "o0" && reason.contains("link"), "{reason}");
    assert!(file.exists() && fs::read_dir(&world.away).unwrap().next().is_none());
}

#[test]
fn history_settings_and_trashes_are_never_touched_and_projects_not_taken_apart() {
    let world = World::new();
    let file = world.file("a.txt", "a");
    let main = world.file("project/src/main.rs", "main");
    world.file("project/Cargo.toml", "[package]");
    world.file("project/.git/config", "[core]");
    world.file(".Trash-1000/files/x", "x");
    for action in [
        trash(world.root.join("project/.git")),
        relocate(&file, world.root.join("project/.git/hooks/pre-commit")),
        relocate(&file, world.root.join("project/.GIT/hooks/pre-commit")),
        copy(&file, world.root.join("project/.vscode/tasks.json")),
        relocate(world.root.join(".Trash-1000/files/x"), world.root.join("x")),
    ] {
        assert!(matches!(only_wrong(&world, action), Wrong::Protected { .. }));
    }
    let apart = only_wrong(&world, relocate(&main, world.root.join("main.rs")));
    assert!(
        matches!(apart, Wrong::TakesProjectApart { project, .. } if project == world.root.join("project"))
    );
    let thrown = only_wrong(&world, trash(&main));
    assert!(matches!(thrown, Wrong::TakesProjectApart { .. }), "{thrown:?}");
    // Moving a file inside its project, or only copying it, keeps the project whole.
    let bounds = Bounds { protected: &|_| None, trash: &world.trash() };
    for action in
        [relocate(&main, world.root.join("project/tests/main.rs")), copy(&main, world.root.join("main.rs"))]
    {
        check(&world.plan(vec![action]), &bounds).unwrap();
    }
    let protected = |path: &std::path::Path| (path == file).then(|| "a test says so".to_owned());
    let bounds = Bounds { protected: &protected, trash: &world.trash() };
    let refused = check(&world.plan(vec![trash(&file)]), &bounds).unwrap_err();
    assert!(refused.to_string().contains("a test says so"), "{refused}");
    let scope = plan_of(&[&world.root.join("project")], vec![trash(main)]);
    assert!(matches!(world.check(&scope), Err(CheckError::Scope { .. })));
    // The project may be moved as a whole.
    let (_, report) = world.run(vec![relocate(world.root.join("project"), world.root.join("code/project"))]);
    assert_eq!(report.stopped, None);
    assert!(world.root.join("code/project/.git/config").exists());
}

#[test]
fn plans_that_contradict_themselves_are_refused() {
    let world = World::new();
    let file = world.file("a.txt", "a");
    let folder = world.root.join("folder");
    fs::create_dir(&folder).unwrap();
    let into = only_wrong(&world, relocate(&folder, folder.join("deeper/folder")));
    assert_eq!(into, Wrong::IntoItself(folder.clone()));
    assert_eq!(only_wrong(&world, copy(&folder, world.root.join("x"))), Wrong::CopiesFolder(folder.clone()));
    assert_eq!(only_wrong(&world, relocate(&folder, world.away.join("x"))), Wrong::FolderCrosses(folder));
    let twice = wrong(&world, vec![trash(&file), trash(&file)]);
    assert_eq!(twice, [("o1".to_owned(), Wrong::Missing(file.clone()))]);
    let mut same = world.plan(vec![trash(&file), create(world.root.join("x"))]);
    same.operations[1].id = same.operations[0].id.clone();
    assert!(world.check(&same).unwrap_err().to_string().contains("same id"));
    let many = world.plan((0..50_000).map(|n| create(world.root.join(n.to_string()))).collect());
    let refused = world.check(&many).unwrap_err();
    assert_eq!(refused, CheckError::TooMany { count: 50_000, most: MOST_OPERATIONS });
    for scope in [vec![], vec!["relative"], vec!["/none/there"], vec!["/"]] {
        let plan = plan_of(&scope.iter().map(std::path::Path::new).collect::<Vec<_>>(), vec![]);
        assert!(matches!(world.check(&plan), Err(CheckError::Scope { .. })), "{scope:?}");
    }
}

#[test]
fn an_unknown_kind_is_no_plan() {
    let text = r#"{"scope": ["/tmp"], "operations": [{"id": "o1", "action": {"kind": "shred", "path": "a"}, "risk": "low"}]}"#;
    let error = serde_json::from_str::<deputy_protocol::OrganizePlan>(text).unwrap_err();
    assert!(error.to_string().contains("shred"), "{error}");
}

#[test]
fn strange_names_come_through_and_back() {
    let world = World::new();
    let longest = format!("{}.txt", "é".repeat(125));
    let names =
        ["-rf", "new\nline", "\"quoted\" 'name'", "🌊 wave.txt", " leading", "trailing.", &longest, "a\\b"];
    let files: Vec<_> = names.iter().map(|name| world.file(&format!("in/{name}"), name)).collect();
    let before = world.snapshot();
    let moves = files.iter().zip(names).map(|(file, name)| relocate(file, world.root.join("out").join(name)));
    let (id, report) = world.run(moves.collect());
    assert_eq!((report.done, report.stopped), (names.len() + 1, None));
    for name in names {
        // An unchanged name is preserved, and a taken name is not shortened to another.
        assert_eq!(fs::read_to_string(world.root.join("out").join(name)).unwrap(), name);
    }
    world.undo(&id, ConflictChoice::Skip);
    assert_eq!(world.snapshot(), before);
    // The longest name is taken. Its numbered version still fits.
    let (_, report) =
        world.run(vec![copy(&files[6], world.root.join("in").join(&longest)), trash(&files[6])]);
    assert_eq!(report.stopped, None);
    world.assert_trash_is_whole();
}

#[test]
fn names_that_are_no_text_stay_where_they_are_or_go_with_their_folder() {
    use std::os::unix::ffi::OsStrExt;
    let world = World::new();
    let folder = world.root.join("folder");
    fs::create_dir(&folder).unwrap();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9");
    fs::write(folder.join(name), "x").unwrap();
    let refused = only_wrong(&world, trash(folder.join("caf\u{fffd}")));
    assert!(matches!(refused, Wrong::Missing(_)));
    let (_, report) = world.run(vec![rename(&folder, "other")]);
    assert_eq!(report.stopped, None);
    assert_eq!(fs::read_to_string(world.root.join("other").join(name)).unwrap(), "x");
}

#[test]
fn names_that_differ_in_case_alone_never_meet() {
    let world = World::new();
    let (one, other) = (world.file("one/Report.txt", "1"), world.file("two/report.TXT", "2"));
    let (_, report) = world.run(vec![
        relocate(one, world.root.join("all/Report.txt")),
        relocate(other, world.root.join("ALL/report.TXT")),
    ]);
    assert_eq!(report.stopped, None);
    let mut names: Vec<_> =
        fs::read_dir(world.root.join("all")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["Report.txt", "report (2).TXT"]);
}

#[test]
fn hard_links_stay_links_and_do_not_cross() {
    let world = World::new();
    let file = world.file("a.txt", "a");
    let link = world.root.join("b.txt");
    fs::hard_link(&file, &link).unwrap();
    let crosses = only_wrong(&world, relocate(&file, world.away.join("a.txt")));
    assert_eq!(crosses, Wrong::LinkedCrosses(file.clone()));
    let (_, report) = world.run(vec![relocate(&file, world.root.join("in/a.txt"))]);
    assert_eq!(report.stopped, None);
    let inodes = [world.root.join("in/a.txt"), link].map(|path| fs::metadata(path).unwrap().ino());
    assert_eq!(inodes[0], inodes[1]);
}

#[test]
fn a_sparse_file_stays_sparse_across_devices() {
    let world = World::new();
    let path = world.root.join("sparse");
    let file = fs::File::create(&path).unwrap();
    file.set_len(64 << 20).unwrap();
    file.write_at(b"end", (32 << 20) + 5).unwrap();
    let before = world.snapshot();
    let (id, report) = world.run(vec![relocate(&path, world.away.join("sparse"))]);
    assert_eq!(report.stopped, None);
    assert!(fs::metadata(world.away.join("sparse")).unwrap().blocks() * 512 < 8 << 20);
    world.undo(&id, ConflictChoice::Skip);
    assert_eq!(world.snapshot(), before);
}
