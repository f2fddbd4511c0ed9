//! Faulty disks: full, read-only, inaccessible, damaged, or with concurrent changes. The job stops with an error that
//! names the operation, and the files are unchanged.

use crate::plans::{create, relocate, rename, trash};
use crate::world::{World, plan_of, quiet};
use deputy_organize::{CheckError, ConflictChoice, JobState, Jobs, JobsError, RunError, Stop, TrashPlaces};
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::PathBuf;
use std::process::{Command, Stdio};

#[test]
fn a_folder_that_is_moved_away_while_the_plan_waits_stops_the_job_before_it_begins() {
    let world = World::new();
    let file = world.file("a.txt", "a");
    let job = world.job(vec![trash(&file)]);
    fs::rename(&world.root, world.base.join("moved away")).unwrap();
    let id = job.id.clone();
    let error = world.jobs().start(job).unwrap().run(&mut quiet(&mut |_, _| {})).unwrap_err();
    assert!(matches!(error, RunError::ScopeGone(folder) if folder == world.root));
    assert_eq!(fs::read_to_string(world.base.join("moved away/a.txt")).unwrap(), "a");
    // The job does not block its folders forever.
    let report = world.jobs().give_up(&id).unwrap();
    assert_eq!((report.done, report.remaining), (0, 0));
    assert_eq!(world.jobs().find(&id).unwrap().unwrap().state, JobState::Done);
}

#[test]
fn a_second_job_on_a_folder_is_refused_with_the_id_of_the_first() {
    let world = World::new();
    let (one, other) = (world.file("in/a.txt", "a"), world.file("b.txt", "b"));
    let first = world.jobs().start(world.job(vec![trash(&one)])).unwrap();
    let id = first.history().job.id.clone();
    assert_eq!(world.jobs().find(&id).unwrap().unwrap().state, JobState::Running);
    for is_held in [true, false] {
        let inner = plan_of(&[&world.root.join("in")], vec![create("x")]);
        for plan in [world.plan(vec![trash(&other)]), inner] {
            let job = world.check(&plan).unwrap().job(&world.jobs().new_id());
            let refused = world.jobs().start(job).unwrap_err();
            assert!(
                matches!(&refused, JobsError::Overlap { other, .. } if *other == id),
                "{refused} {is_held}"
            );
        }
    }
    drop(first);
    assert_eq!(world.jobs().find(&id).unwrap().unwrap().state, JobState::Interrupted);
    world.jobs().resume(&id).unwrap().run(&mut quiet(&mut |_, _| {})).unwrap();
    assert_eq!(world.run(vec![trash(&other)]).1.stopped, None);
}

#[test]
fn a_hundred_thousand_files_in_one_folder_are_no_trouble() {
    let world = World::new();
    let full = world.away.join("full");
    fs::create_dir(&full).unwrap();
    (0..100_000).for_each(|number| drop(fs::File::create(full.join(format!("f{number}"))).unwrap()));
    let plan = plan_of(&[&world.away], vec![rename(full.join("f1"), "F2"), rename(full.join("f3"), "g")]);
    let job = world.check(&plan).unwrap().job(&world.jobs().new_id());
    assert_eq!(world.run_job(job).done, 2);
    assert!(full.join("F2 (2)").exists() && full.join("g").exists());
}

/// Set if this machine does not allow tests to mount anything. If it is not set, a test that cannot mount fails.
const WITHOUT_MOUNTS: &str = "DEPUTY_TEST_WITHOUT_MOUNTS";

/// Runs this test again in a separate mount namespace, in which `root` is on a separate file system.
fn alone(name: &str, mount: &str) -> bool {
    alone_as(name, mount, &["--user", "--map-root-user"])
}

/// Like [`alone`], but with the rights of the machine's own root if possible. Only that user can mount images.
fn alone_as_root(name: &str, mount: &str) -> bool {
    match rustix::process::getuid().is_root() {
        true => alone_as(name, mount, &[]),
        false => alone(name, mount),
    }
}

fn alone_as(name: &str, mount: &str, user: &[&str]) -> bool {
    if std::env::var_os("ALONE").is_some() {
        return true;
    }
    let script = format!("set -e; d=$(mktemp -d); {mount}; ALONE=$d exec \"$@\"");
    let program = std::env::current_exe().unwrap();
    let output = Command::new("unshare")
        .args(user)
        .args(["--mount", "sh", "-c", &script, "sh"])
        .arg(program)
        .args(["--exact", &format!("bad_disks::{name}"), "--test-threads=1", "--nocapture"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if said.contains("unshare failed") || said.contains("Operation not permitted") && said.contains("mount:")
    {
        assert!(
            std::env::var_os(WITHOUT_MOUNTS).is_some(),
            "this test needs a mount space of its own (`unshare --user --mount`), which this machine forbids; set \
             {WITHOUT_MOUNTS}=1 to leave it out: {said}"
        );
        println!("LEFT OUT, since {WITHOUT_MOUNTS} is set: nothing was mounted");
        return false;
    }
    assert!(output.status.success(), "{}{said}", String::from_utf8_lossy(&output.stdout));
    said.lines().filter(|line| line.starts_with("NOT RUN")).for_each(|line| eprintln!("{name}: {line}"));
    false
}

fn alone_folder() -> PathBuf {
    PathBuf::from(std::env::var_os("ALONE").unwrap())
}

#[test]
fn a_full_disk_stops_the_job_and_the_files_are_as_they_were() {
    if !alone(
        "a_full_disk_stops_the_job_and_the_files_are_as_they_were",
        "mount -t tmpfs -o size=1m tmpfs $d",
    ) {
        return;
    }
    let world = World::new();
    let small = alone_folder();
    let big = world.file("big.bin", &"x".repeat(2 << 20));
    let scope = [world.root.as_path(), small.as_path()];
    // The plan fails if the lack of space is known in advance.
    let plan = plan_of(&scope, vec![relocate(&big, small.join("big.bin"))]);
    assert!(matches!(world.check(&plan), Err(CheckError::NoRoom { .. })));
    // If the disk fills up later, the job stops.
    let big = world.file("big.bin", &"x".repeat(700 << 10));
    let before = world.snapshot();
    let actions = vec![relocate(&big, small.join("big.bin")), create(world.root.join("later"))];
    let job = world.check(&plan_of(&scope, actions)).unwrap().job(&world.jobs().new_id());
    let id = job.id.clone();
    fs::write(small.join("other"), "y".repeat(600 << 10)).unwrap();
    let report = world.run_job(job);
    assert!(
        matches!(&report.stopped, Some(Stop::Failed { operation, .. }) if operation == "o0"),
        "{report:?}"
    );
    assert_eq!((report.done, report.remaining), (0, 2));
    assert_eq!(world.snapshot(), before);
    assert_eq!(fs::read_dir(&small).unwrap().count(), 1);
    // Retry once there is space.
    fs::remove_file(small.join("other")).unwrap();
    let report = world.jobs().resume(&id).unwrap().run(&mut quiet(&mut |_, _| {})).unwrap();
    assert_eq!((report.done, report.stopped), (2, None));
    world.undo(&id, ConflictChoice::Skip);
    assert_eq!(world.snapshot(), before);
}

#[test]
fn a_full_disk_under_the_journal_stops_the_job_and_it_goes_on_later() {
    let name = "a_full_disk_under_the_journal_stops_the_job_and_it_goes_on_later";
    if !alone(name, "mount -t tmpfs -o size=400k tmpfs $d") {
        return;
    }
    let world = World::new();
    let jobs = Jobs::open(&alone_folder().join("jobs")).unwrap();
    let files: Vec<_> = (0..300).map(|number| world.file(&format!("f{number}"), "x")).collect();
    let before = world.snapshot();
    let job = world.job(
        files
            .iter()
            .map(|file| rename(file, &format!("{}x", file.display().to_string().rsplit('/').next().unwrap())))
            .collect(),
    );
    let id = job.id.clone();
    let mut open = jobs.start(job).unwrap();
    let filler = alone_folder().join("filler");
    fs::write(&filler, vec![0; 1 << 20]).unwrap_err();
    let error = open.run(&mut quiet(&mut |_, _| {})).unwrap_err();
    assert!(matches!(error, RunError::Ledger(_)), "{error}");
    drop(open);
    fs::remove_file(filler).unwrap();
    let report = jobs.resume(&id).unwrap().run(&mut quiet(&mut |_, _| {})).unwrap();
    assert_eq!((report.done, report.stopped), (300, None));
    let reversal = jobs.reverse(&id, ConflictChoice::Skip).unwrap();
    jobs.start(reversal.job).unwrap().run(&mut quiet(&mut |_, _| {})).unwrap();
    assert_eq!(world.snapshot(), before);
}

#[test]
fn a_read_only_file_system_stops_the_job() {
    let name = "a_read_only_file_system_stops_the_job";
    if !alone(name, "mount -t tmpfs tmpfs $d; echo a > $d/a; mkdir $d/in; mount -o remount,ro $d") {
        return;
    }
    let (world, folder) = (World::new(), alone_folder());
    let plan = plan_of(&[&folder], vec![relocate("a", "in/a")]);
    let job = world.check(&plan).unwrap().job(&world.jobs().new_id());
    let id = job.id.clone();
    let report = world.run_job(job);
    let Some(Stop::Failed { operation, reason }) = report.stopped else { panic!("{report:?}") };
    assert!(operation == "o0" && reason.contains("Read-only file system"), "{reason}");
    assert!(folder.join("a").exists());
    // Regression test: removing something that did not exist used to fail on such a file system, and the folder stayed
    // blocked.
    let (reversal, report) = world.undo(&id, ConflictChoice::Skip);
    assert_eq!((reversal.job.steps, reversal.conflicts), (vec![], vec![]));
    assert_eq!((report.stopped, world.jobs().interrupted().unwrap()), (None, vec![]));
}

#[test]
fn case_alone_changes_where_case_does_not_count() {
    let name = "case_alone_changes_where_case_does_not_count";
    let image = "truncate -s 16M $d.img && mkfs.ext4 -q -O casefold -E encoding=utf8 $d.img && mount -o loop $d.img $d";
    let mount = format!(
        "mount -t tmpfs -o casefold tmpfs $d || {{ {image}; }} || true; rm -f $d.img; mkdir $d/in; chattr +F $d/in || true"
    );
    if !alone_as_root(name, &mount) {
        return;
    }
    let (world, folder) = (World::new(), alone_folder());
    fs::write(folder.join("in/readme.md"), "x").unwrap();
    if !folder.join("in/README.md").exists() {
        eprintln!("NOT RUN: this kernel mounts neither tmpfs nor ext4 so that case does not count");
        return;
    }
    let plan = plan_of(&[&folder], vec![rename("in/readme.md", "README.md")]);
    let job = world.check(&plan).unwrap().job(&world.jobs().new_id());
    let id = job.id.clone();
    let report = world.run_job(job);
    assert_eq!((report.done, report.stopped), (1, None));
    let listed = || fs::read_dir(folder.join("in")).unwrap().next().unwrap().unwrap().file_name();
    assert_eq!(listed(), "README.md");
    assert_eq!(world.undo(&id, ConflictChoice::Skip).0.conflicts, Vec::new());
    assert_eq!(listed(), "readme.md");
}

#[test]
fn a_folder_that_may_not_be_written_stops_the_job_with_its_choices() {
    // Root may write anywhere, so run this as another user.
    if rustix::process::getuid().is_root() {
        if std::env::var_os("ALONE").is_some() {
            return;
        }
        let base = tempfile::tempdir().unwrap();
        std::os::unix::fs::chown(base.path(), Some(65534), Some(65534)).unwrap();
        let name = "bad_disks::a_folder_that_may_not_be_written_stops_the_job_with_its_choices";
        let program = base.path().join("test");
        fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
        let output = Command::new("setpriv")
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .arg(program)
            .args(["--exact", name, "--nocapture"])
            .env("TMPDIR", base.path())
            .current_dir("/")
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    let shut = world.root.join("shut");
    let (one, other) = (world.file("one", "1"), world.file("shut/other", "2"));
    let far = world.file("shut/far", "3");
    let mode = |mode| fs::set_permissions(&shut, fs::Permissions::from_mode(mode)).unwrap();
    mode(0o555);
    let before = world.snapshot();
    let job = world.job(vec![
        rename(&one, "first"),
        relocate(&other, world.root.join("second")),
        relocate(&far, world.away.join("third")),
        create(world.root.join("fourth")),
    ]);
    let id = job.id.clone();
    let report = world.run_job(job);
    let Some(Stop::Failed { operation, reason }) = &report.stopped else { panic!("{report:?}") };
    assert!(operation == "o1" && reason.contains("Permission denied"), "{reason}");
    assert_eq!((report.done, report.remaining), (1, 3));
    let go_on = |skip| {
        let mut tell = |_, _| {};
        let mut control = quiet(&mut tell);
        control.skip_failed = skip;
        world.jobs().resume(&id).unwrap().run(&mut control).unwrap()
    };
    // A retry fails in the same way. Skipping continues with the next operation, whose source cannot be removed after
    // copying.
    assert_eq!(go_on(false).stopped, report.stopped);
    let report = go_on(true);
    assert!(
        matches!(&report.stopped, Some(Stop::Failed { operation, .. }) if operation == "o2"),
        "{report:?}"
    );
    assert!(far.exists() && fs::read_dir(&world.away).unwrap().next().is_none());
    // Retry once it is allowed. The skipped operation is reported.
    mode(0o755);
    let report = go_on(false);
    assert_eq!((report.done, report.stopped, report.skipped.len()), (3, None, 1));
    // The third choice is to undo.
    let (reversal, _) = world.undo(&id, ConflictChoice::Skip);
    assert_eq!(reversal.conflicts, Vec::new());
    mode(0o555);
    assert_eq!(world.snapshot(), before);
    mode(0o755);
}

#[test]
fn a_trash_that_is_a_link_to_elsewhere_is_the_users_own_and_a_file_in_its_place_stops_the_job() {
    let world = World::new();
    let file = world.file("a.txt", "a");
    let real = world.base.join("real trash");
    fs::create_dir(&real).unwrap();
    symlink(&real, world.base.join("Trash")).unwrap();
    let (id, report) = world.run(vec![trash(&file)]);
    assert_eq!(report.stopped, None);
    assert!(real.join("files/a.txt").exists());
    world.undo(&id, ConflictChoice::Skip);
    fs::remove_file(world.base.join("Trash")).unwrap();
    fs::write(world.base.join("Trash"), "no folder").unwrap();
    let (_, report) = world.run(vec![trash(&file)]);
    assert!(matches!(report.stopped, Some(Stop::Failed { .. })), "{report:?}");
    assert!(file.exists());
}

#[test]
fn where_no_trash_can_be_the_quarantine_takes_it_across_devices() {
    let world = World::new();
    let file = world.away.join("a.txt");
    fs::write(&file, "a").unwrap();
    let before = world.snapshot();
    // A file occupies the name of our trash at the top of that device.
    let places = TrashPlaces { home: world.base.join("Trash"), quarantine: world.base.join("quarantine") };
    let device = fs::metadata(&file).unwrap().dev();
    let chosen = places.for_path(&file, device);
    assert!(chosen.starts_with("/dev/shm"), "{}", chosen.display());
    let mut job = world.check(&world.plan(vec![trash(&file)])).unwrap().job(&world.jobs().new_id());
    job.steps[0].act =
        deputy_organize::Act::Trash(deputy_organize::TwoPaths { from: file.clone(), to: places.quarantine });
    let id = job.id.clone();
    assert_eq!(world.run_job(job).stopped, None);
    assert_eq!(fs::read_to_string(world.base.join("quarantine/files/a.txt")).unwrap(), "a");
    assert!(!file.exists());
    let (reversal, _) = world.undo(&id, ConflictChoice::Skip);
    assert_eq!(reversal.conflicts, Vec::new());
    assert_eq!(world.snapshot(), before);
}

#[test]
fn a_damaged_journal_is_said_and_others_go_on() {
    let world = World::new();
    let (one, other) = (world.file("a.txt", "a"), world.file("b.txt", "b"));
    let (id, _) = world.run(vec![trash(&one)]);
    let path = world.base.join("jobs").join(format!("{id}.journal"));
    let mut bytes = fs::read(&path).unwrap();
    let second = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 30;
    bytes[second] ^= 1;
    fs::write(&path, bytes).unwrap();
    assert_eq!(world.jobs().find(&id).unwrap().unwrap().state, JobState::Damaged);
    assert!(matches!(world.jobs().reverse(&id, ConflictChoice::Skip), Err(JobsError::Journal(_))));
    assert_eq!(world.run(vec![trash(&other)]).1.stopped, None);
    assert!(matches!(world.jobs().resume("../etc"), Err(JobsError::Unknown(_))));
    assert!(matches!(world.jobs().reverse("jnone", ConflictChoice::Skip), Err(JobsError::Unknown(_))));
}
