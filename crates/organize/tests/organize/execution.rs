//! Running, stopping and undoing jobs.

use crate::plans::{copy, create, relocate, rename, trash};
use crate::world::{World, quiet};
use deputy_organize::{ConflictChoice, ConflictReason, Control, JobState, JobsError, Stop};
use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn a_ring_of_names_turns_and_turns_back() {
    let world = World::new();
    let files: Vec<_> = (0..4).map(|n| world.file(&format!("{n}.txt"), &n.to_string())).collect();
    let before = world.snapshot();
    let (id, report) = world.run((0..4).map(|n| relocate(&files[n], &files[(n + 1) % 4])).collect());
    assert_eq!(report.stopped, None);
    for n in 0..4 {
        assert_eq!(fs::read_to_string(&files[(n + 1) % 4]).unwrap(), n.to_string());
    }
    world.undo(&id, ConflictChoice::Skip);
    assert_eq!(world.snapshot(), before);
}

#[test]
fn case_alone_can_change() {
    let world = World::new();
    let file = world.file("readme.md", "x");
    let (_, report) = world.run(vec![rename(&file, "README.md")]);
    assert_eq!(report.stopped, None);
    assert!(world.root.join("README.md").exists() && !file.exists());
}

#[test]
fn what_changed_after_the_check_is_left_out_and_said() {
    let world = World::new();
    let (changed, gone, fine) =
        (world.file("changed", "1"), world.file("gone", "2"), world.file("fine", "3"));
    let job = world.job(vec![rename(&changed, "a"), trash(&gone), rename(&fine, "c")]);
    fs::write(&changed, "1, and more").unwrap();
    fs::remove_file(&gone).unwrap();
    let report = world.run_job(job);
    assert_eq!((report.done, report.stopped), (1, None));
    let skipped: Vec<_> = report.skipped.iter().map(|(id, why)| (id.as_str(), why.as_str())).collect();
    assert_eq!(skipped, [("o0", "it has changed since it was checked"), ("o1", "it is gone")]);
    assert!(changed.exists() && world.root.join("c").exists());
}

#[test]
fn a_destination_that_was_taken_since_gets_a_number_and_undo_takes_back_that_name() {
    let world = World::new();
    let file = world.file("in/a.txt", "mine");
    fs::create_dir(world.root.join("out")).unwrap();
    let job = world.job(vec![relocate(&file, world.root.join("out/a.txt"))]);
    let id = job.id.clone();
    let theirs = world.file("out/a.txt", "theirs");
    assert_eq!(world.run_job(job).done, 1);
    assert_eq!(fs::read_to_string(&theirs).unwrap(), "theirs");
    assert_eq!(fs::read_to_string(world.root.join("out/a (2).txt")).unwrap(), "mine");
    world.undo(&id, ConflictChoice::Skip);
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    assert!(theirs.exists() && !world.root.join("out/a (2).txt").exists());
}

#[test]
fn a_job_is_stopped_and_goes_on() {
    let world = World::new();
    let files: Vec<_> = (0..10).map(|n| world.file(&n.to_string(), "x")).collect();
    let job = world.job(files.iter().map(trash).collect());
    let id = job.id.clone();
    let asked = Cell::new(0);
    let mut told = Vec::new();
    let report = world
        .jobs()
        .start(job)
        .unwrap()
        .run(&mut Control {
            is_cancelled: &|| asked.replace(asked.get() + 1) == 4,
            progress: &mut |done, all| told.push((done, all)),
            skip_failed: false,
        })
        .unwrap();
    assert_eq!((report.done, report.remaining, report.stopped), (4, 6, Some(Stop::Cancelled)));
    assert_eq!(told, [(1, 10), (2, 10), (3, 10), (4, 10)]);
    assert_eq!(world.jobs().find(&id).unwrap().unwrap().state, JobState::Interrupted);
    let report = world.jobs().resume(&id).unwrap().run(&mut quiet(&mut |_, _| {})).unwrap();
    assert_eq!((report.done, report.stopped), (10, None));
    world.assert_trash_is_whole();
}

#[test]
fn a_job_that_is_not_done_is_taken_back_and_does_not_go_on() {
    let world = World::new();
    let files: Vec<_> = (0..10).map(|n| world.file(&format!("in/{n}"), "x")).collect();
    let before = world.snapshot();
    let job = world.job(
        files
            .iter()
            .map(|file| relocate(file, world.root.join("out").join(file.file_name().unwrap())))
            .collect(),
    );
    let id = job.id.clone();
    let asked = Cell::new(0);
    let is_cancelled = || asked.replace(asked.get() + 1) == 4;
    let mut open = world.jobs().start(job).unwrap();
    open.run(&mut Control { is_cancelled: &is_cancelled, progress: &mut |_, _| {}, skip_failed: false })
        .unwrap();
    // A job cannot be undone while it is running.
    assert!(matches!(world.jobs().reverse(&id, ConflictChoice::Skip), Err(JobsError::Journal(_))));
    drop(open);
    let (reversal, _) = world.undo(&id, ConflictChoice::Skip);
    assert_eq!(world.snapshot(), before);
    assert_eq!(world.jobs().find(&id).unwrap().unwrap().state, JobState::Undone(reversal.job.id.clone()));
    let again = world.jobs().reverse(&id, ConflictChoice::Skip).unwrap_err();
    assert!(matches!(again, JobsError::AlreadyUndone { by, .. } if by == reversal.job.id));
    let report = world.jobs().resume(&id).unwrap().run(&mut quiet(&mut |_, _| {})).unwrap();
    assert_eq!((report.done, report.remaining), (4, 0));
    assert_eq!(world.snapshot(), before);
}

#[test]
fn a_job_whose_trash_was_emptied_does_not_count_as_taken_back() {
    let world = World::new();
    let (one, two) = (world.file("one", "1"), world.file("two", "2"));
    let (id, _) = world.run(vec![relocate(&one, world.root.join("new/one")), trash(&two)]);
    let found = world.jobs().history(&id).unwrap().unwrap();
    let trashed = found.steps.iter().zip(&found.job.steps).find_map(|(state, step)| match state {
        deputy_organize::StepState::Done(trace) if matches!(step.act, deputy_organize::Act::Trash(_)) => {
            Some(trace.to(&step.act).to_owned())
        }
        _ => None,
    });
    let trashed = trashed.unwrap();
    let kept = world.base.join("kept");
    fs::rename(&trashed, &kept).unwrap();
    let (reversal, _) = world.undo(&id, ConflictChoice::Skip);
    assert_eq!(reversal.conflicts.len(), 1);
    assert!(one.exists() && !two.exists());
    let partly = JobState::PartlyUndone(reversal.job.id);
    assert_eq!(world.jobs().find(&id).unwrap().unwrap().state, partly);
    // The missing file was put back into the trash, so the rest can be undone.
    fs::rename(&kept, &trashed).unwrap();
    let (rest, _) = world.undo(&id, ConflictChoice::Skip);
    assert_eq!(rest.conflicts, [], "what was undone before is not in conflict with itself");
    assert_eq!(fs::read_to_string(&two).unwrap(), "2");
    assert_eq!(world.jobs().find(&id).unwrap().unwrap().state, JobState::Undone(rest.job.id));
}

#[test]
fn undo_is_taken_back_too() {
    let world = World::new();
    let (one, two, three) = (world.file("one", "1"), world.file("two", "2"), world.file("three", "3"));
    let (id, _) = world.run(vec![
        relocate(&one, world.root.join("new/one")),
        trash(&two),
        copy(&three, world.root.join("new/three")),
        relocate(&three, world.away.join("three")),
    ]);
    let after: Vec<_> = world.snapshot().into_keys().collect();
    let contents = world.contents();
    let (undo, _) = world.undo(&id, ConflictChoice::Skip);
    let (redo, report) = world.undo(&undo.job.id, ConflictChoice::Skip);
    assert_eq!((redo.conflicts, report.stopped, report.skipped), (Vec::new(), None, Vec::new()));
    assert_eq!(world.snapshot().into_keys().collect::<Vec<_>>(), after);
    assert_eq!(world.contents(), contents);
    assert_eq!(world.jobs().find(&id).unwrap().unwrap().state, JobState::Done);
}

#[test]
fn a_plan_has_one_state_and_a_history() {
    let world = World::new();
    let (one, two) = (world.file("one", "1"), world.file("two", "2"));
    let (one_new, two_new) = (world.root.join("new/one"), world.root.join("new/two"));
    let (id, _) = world.run(vec![relocate(&one, &one_new), relocate(&two, &two_new)]);
    let (other, _) = world.run(vec![create(world.root.join("only"))]);
    let state = |id: &str| world.jobs().plan(id).unwrap().unwrap().state().clone();
    let turn = |id: &str| world.undo(id, ConflictChoice::Skip).0.job.id;
    assert_eq!(state(&id), JobState::Done);
    let undo = turn(&id);
    assert_eq!(state(&id), JobState::Undone(undo.clone()));
    let redo = turn(&undo);
    assert_eq!(state(&id), JobState::Done);
    let second = turn(&id);
    assert_eq!(state(&id), JobState::Undone(second.clone()));
    // A redo of which a part is in conflict leaves the plan undone in part, by the same undo.
    world.file("new/one", "in the way");
    let part = turn(&second);
    assert_eq!(state(&id), JobState::PartlyUndone(second.clone()));
    assert!(one.exists() && !two.exists() && two_new.exists());
    fs::remove_file(&one_new).unwrap();
    let rest = turn(&second);
    assert_eq!(state(&id), JobState::Done);
    assert!(!one.exists() && one_new.exists());

    // One plan, whichever of its jobs is named, with its undos and redos in order.
    let plans = world.jobs().plans(10).unwrap();
    assert_eq!(plans.iter().map(|plan| &plan.job.id).collect::<Vec<_>>(), [&other, &id]);
    let turns: Vec<_> = plans[1].turns.iter().map(|turn| (&turn.job.id, turn.is_redo)).collect();
    assert_eq!(turns, [(&undo, false), (&redo, true), (&second, false), (&part, true), (&rest, true)]);
    assert_eq!(world.jobs().plan(&rest).unwrap().unwrap(), plans[1]);

    // A plan that only makes folders is undone and redone as often as others.
    let undo = turn(&other);
    assert_eq!(state(&other), JobState::Undone(undo.clone()));
    turn(&undo);
    assert_eq!(state(&other), JobState::Done);
    let undo = turn(&other);
    assert_eq!(state(&other), JobState::Undone(undo));
}

#[test]
fn a_plan_is_interrupted_while_its_undo_is() {
    let world = World::new();
    let files = ["one", "two", "three"].map(|name| world.file(name, name));
    let before = world.snapshot();
    let to = |file: &PathBuf| relocate(file, world.root.join("new").join(file.file_name().unwrap()));
    let (id, _) = world.run(files.iter().map(to).collect());
    let reversal = world.jobs().reverse(&id, ConflictChoice::Skip).unwrap();
    let asked = Cell::new(0);
    let is_cancelled = || asked.replace(asked.get() + 1) == 1;
    let mut control = Control { is_cancelled: &is_cancelled, progress: &mut |_, _| {}, skip_failed: false };
    world.jobs().start(reversal.job.clone()).unwrap().run(&mut control).unwrap();
    let plan = world.jobs().plan(&id).unwrap().unwrap();
    assert_eq!((plan.state(), &plan.latest().id), (&JobState::Interrupted, &reversal.job.id));
    world.jobs().resume(&reversal.job.id).unwrap().run(&mut quiet(&mut |_, _| {})).unwrap();
    let plan = world.jobs().plan(&id).unwrap().unwrap();
    assert_eq!(plan.state(), &JobState::Undone(reversal.job.id));
    assert_eq!(world.snapshot(), before);
}

#[test]
fn undo_lists_conflicts_by_file_and_leaves_those_where_they_are_or_keeps_both() {
    for choice in [ConflictChoice::Skip, ConflictChoice::KeepBoth] {
        let world = World::new();
        let names = ["changed", "taken", "gone", "homeless", "fine"];
        let files: Vec<_> = names.iter().map(|name| world.file(&format!("{name}/in"), name)).collect();
        let to = |name: &str| world.root.join("out").join(name);
        let (id, _) =
            world.run(names.iter().zip(&files).map(|(name, file)| relocate(file, to(name))).collect());
        fs::write(to("changed"), "changed since").unwrap();
        fs::write(&files[1], "somebody else's").unwrap();
        fs::remove_file(to("gone")).unwrap();
        fs::remove_dir(world.root.join("homeless")).unwrap();
        let contents = world.contents();

        let reversal = world.jobs().reverse(&id, choice).unwrap();
        let mut found: Vec<_> = reversal
            .conflicts
            .iter()
            .map(|c| (c.path.file_name().unwrap().to_str().unwrap(), c.reason))
            .collect();
        found.sort_by_key(|(name, _)| *name);
        assert_eq!(
            found,
            [
                ("changed", ConflictReason::Changed),
                ("gone", ConflictReason::Gone),
                ("homeless", ConflictReason::FolderGone),
                ("taken", ConflictReason::Taken),
            ]
        );
        // Reversing changes nothing, so it can also be abandoned.
        assert_eq!(world.contents(), contents);
        let report = world.run_job(reversal.job);
        assert_eq!(report.stopped, None);
        assert_eq!(world.contents(), contents);
        assert_eq!(fs::read_to_string(&files[4]).unwrap(), "fine");
        assert_eq!(fs::read_to_string(&files[1]).unwrap(), "somebody else's");
        if choice == ConflictChoice::Skip {
            assert_eq!(fs::read_to_string(to("changed")).unwrap(), "changed since");
            assert!(to("taken").exists() && to("homeless").exists());
        } else {
            assert_eq!(fs::read_to_string(&files[0]).unwrap(), "changed since");
            assert_eq!(fs::read_to_string(world.root.join("taken/in (2)")).unwrap(), "taken");
            assert_eq!(fs::read_to_string(&files[3]).unwrap(), "homeless");
            assert!(!world.root.join("out").exists(), "the job made it, and it is empty");
        }
    }
}

/// Regression test: the job used to stop here, because a folder could not be created.
#[test]
fn what_came_from_a_folder_in_whose_place_a_file_is_stays_where_it_is() {
    let world = World::new();
    let file = world.file("sub/a", "a");
    let (id, _) = world.run(vec![relocate(&file, world.root.join("out/a"))]);
    fs::remove_dir(world.root.join("sub")).unwrap();
    fs::write(world.root.join("sub"), "a file now").unwrap();
    for choice in [ConflictChoice::Skip, ConflictChoice::KeepBoth] {
        let (reversal, report) = world.undo(&id, choice);
        assert_eq!(reversal.conflicts[0].reason, ConflictReason::FolderGone);
        assert_eq!(report.stopped, None);
        assert_eq!(fs::read_to_string(world.root.join("out/a")).unwrap(), "a");
        assert_eq!(fs::read_to_string(world.root.join("sub")).unwrap(), "a file now");
    }
}

#[test]
fn one_conflict_in_a_ring_leaves_the_ring_as_it_is() {
    let world = World::new();
    let files: Vec<_> = (0..3).map(|n| world.file(&format!("{n}.txt"), &n.to_string())).collect();
    let (id, _) = world.run((0..3).map(|n| relocate(&files[n], &files[(n + 1) % 3])).collect());
    fs::write(&files[1], "changed since").unwrap();
    let before = world.snapshot();
    let (reversal, report) = world.undo(&id, ConflictChoice::Skip);
    assert_eq!((reversal.conflicts.len(), report.done, report.stopped), (3, 0, None));
    assert_eq!(world.snapshot(), before);
    let (_, report) = world.undo(&reversal.job.id, ConflictChoice::Skip);
    assert_eq!(report.done, 0);
}

#[test]
fn a_folder_that_the_job_made_stays_with_what_others_put_there() {
    let world = World::new();
    let file = world.file("a.txt", "a");
    let (id, _) = world
        .run(vec![relocate(&file, world.root.join("new/deep/a.txt")), create(world.root.join("new/empty"))]);
    let theirs = world.file("new/theirs.txt", "theirs");
    let (reversal, report) = world.undo(&id, ConflictChoice::Skip);
    assert_eq!((reversal.conflicts, report.skipped.len()), (Vec::new(), 1));
    assert!(file.exists() && theirs.exists());
    assert!(!world.root.join("new/deep").exists() && !world.root.join("new/empty").exists());
}

#[test]
fn extended_attributes_cross_with_their_file() {
    let world = World::new();
    let file = world.away.join("a.txt");
    fs::write(&file, "a").unwrap();
    let set = |path: &Path| {
        let flags = rustix::fs::XattrFlags::empty();
        rustix::fs::setxattr(path, "user.deputy", b"kept", flags)
    };
    let to = world.root.join("a.txt");
    if set(&file).is_err() || set(&world.file("probe", "")).is_err() {
        eprintln!("not run: one of the file systems keeps no attributes");
        return;
    }
    world.run(vec![relocate(&file, &to)]);
    let mut value = [0; 16];
    let length = rustix::fs::getxattr(&to, "user.deputy", &mut value[..]).unwrap();
    assert_eq!(&value[..length], b"kept");
}

#[test]
fn notes_in_the_trash_are_as_the_specification_has_them() {
    let world = World::new();
    let files = [world.file("a b/ü%.txt", "1"), world.file("other/ü%.txt", "2")];
    let folder = world.root.join("folder");
    fs::create_dir(&folder).unwrap();
    world.run(vec![trash(&files[0]), trash(&files[1]), trash(&folder)]);
    world.assert_trash_is_whole();
    let info = world.base.join("Trash/info");
    let note = fs::read_to_string(info.join("ü%.txt.trashinfo")).unwrap();
    let lines: Vec<_> = note.lines().collect();
    assert_eq!(lines[0], "[Trash Info]");
    assert_eq!(lines[1], format!("Path={}/a%20b/%C3%BC%25.txt", world.root.display()));
    let date = lines[2].strip_prefix("DeletionDate=").unwrap();
    assert!(jiff::civil::DateTime::strptime("%Y-%m-%dT%H:%M:%S", date).is_ok(), "{date}");
    assert!(world.base.join("Trash/files/folder").is_dir());
}

#[test]
fn notes_in_the_trash_are_the_same_as_the_desktops_own() {
    let world = World::new();
    let name = "ü% a+b'(c)~&=;,@[1].txt";
    let path_line = |trash: &Path| {
        let note = fs::read_to_string(trash.join(format!("info/{name}.trashinfo"))).unwrap();
        note.lines().find(|line| line.starts_with("Path=")).unwrap().to_owned()
    };
    let file = world.file(name, "x");
    let data = world.base.join("data");
    let status = Command::new("gio").arg("trash").arg(&file).env("XDG_DATA_HOME", &data).status();
    if !status.is_ok_and(|status| status.success()) {
        eprintln!("not run: gio is not installed, or does not throw away what is in a temporary folder");
        return;
    }
    let theirs = path_line(&data.join("Trash"));
    world.run(vec![trash(world.file(name, "x"))]);
    assert_eq!(path_line(&world.base.join("Trash")), theirs);
}

#[test]
fn a_folder_that_something_came_into_since_is_not_thrown_away() {
    let world = World::new();
    let (old, new) = (world.file("old/a.txt", "a"), world.root.join("old/new.txt"));
    let other = world.file("other/b.txt", "b");
    let folder = |path: &Path| path.parent().unwrap().to_owned();
    // Changes that the plan itself makes to a folder do not count.
    let job = world.job(vec![trash(folder(&old)), rename(&other, "c.txt"), trash(folder(&other))]);
    fs::write(&new, "not seen when it was approved").unwrap();
    let report = world.run_job(job);
    assert_eq!((report.done, report.skipped.len()), (2, 1));
    assert!(old.exists() && new.exists() && !folder(&other).exists());
}

#[test]
fn what_is_done_can_be_taken_back_while_whoever_did_it_lets_go() {
    let world = World::new();
    let file = world.file("a.txt", "x");
    let (id, _) = world.run(vec![rename(&file, "b.txt")]);
    let held = world.jobs().resume(&id).unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| world.jobs().reverse(&id, ConflictChoice::Skip).map(|_| ()));
        // Listing does not wait for the two processes.
        assert_eq!(world.jobs().find(&id).unwrap().unwrap().state, JobState::Done);
        drop(held);
        waiting.join().unwrap().unwrap();
    });
}
