//! Offline plans: what they propose, that they can be executed, and that nothing is left to do afterwards.

use crate::world::World;
use deputy_organize::plan::{By, Proposal, Wishes, propose};
use deputy_organize::suggest::{Convention, suggest};
use deputy_organize::{Bounds, ConflictChoice, Control, Jobs, TrashPlaces, check};
use deputy_protocol::{OrganizeAction as Action, OrganizePlan};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Summarizes a plan: the source and destination of each operation.
fn told(plan: &OrganizePlan) -> Vec<String> {
    let operation = |action: &Action| match action {
        Action::CreateFolder(action) => format!("create {}", action.path),
        Action::Move(action) => format!("{} -> {}", action.path, action.destination),
        Action::Rename(action) => format!("{} => {}", action.path, action.name),
        Action::Copy(action) => format!("copy {} -> {}", action.path, action.destination),
        Action::Trash(action) => format!("trash {}", action.path),
    };
    plan.operations.iter().map(|planned| operation(&planned.action)).collect()
}

fn by(by: By) -> Wishes {
    Wishes { by, convention: None }
}

fn named(pattern: &str, by: By) -> Wishes {
    Wishes { by, convention: Some(Convention::parse(pattern).unwrap()) }
}

fn trash(world: &World) -> TrashPlaces {
    let base = world.root.parent().unwrap();
    TrashPlaces { home: base.join("Trash"), quarantine: base.join("quarantine") }
}

fn jobs(world: &World) -> Jobs {
    Jobs::open(&world.root.parent().unwrap().join("jobs")).unwrap()
}

fn execute(world: &World, proposal: &Proposal) -> String {
    let trash = trash(world);
    let checked = check(&proposal.plan, &Bounds { protected: &|_| None, trash: &trash });
    let checked = checked.unwrap_or_else(|error| panic!("{error}\n{:#?}", told(&proposal.plan)));
    let id = jobs(world).new_id();
    run(world, checked.job(&id));
    id
}

fn run(world: &World, job: deputy_organize::Job) {
    let mut control = Control { is_cancelled: &|| false, progress: &mut |_, _| {}, skip_failed: false };
    let report = jobs(world).start(job).unwrap().run(&mut control).unwrap();
    assert_eq!((report.stopped, report.skipped.len()), (None, 0));
}

/// Mode, time and content.
type Stands = (u32, i64, i64, Option<Vec<u8>>);

/// Returns the state of each path below a folder.
fn snapshot(folder: &Path) -> BTreeMap<PathBuf, Stands> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let stat = fs::symlink_metadata(&path).unwrap();
            let content = stat.is_file().then(|| fs::read(&path).unwrap());
            if stat.is_dir() {
                waiting.push(path.clone());
            }
            found.insert(path, (stat.permissions().mode(), stat.mtime(), stat.mtime_nsec(), content));
        }
    }
    found
}

#[test]
fn what_belongs_to_a_file_is_proposed_with_it() {
    let world = World::with(&[
        "film.mkv",
        "film.en.srt",
        "IMG_1.HEIC",
        "IMG_1.MOV",
        "song.mp3",
        "song.lrc",
        "setup.exe",
        "setup.exe.sha256",
        "other.srt",
        "big.iso",
        "big.iso.part",
        "tool.zip.crdownload",
    ]);
    let proposal = propose(&world.scan(), &by(By::Kind));
    let left_alone: Vec<String> = proposal
        .left_alone
        .iter()
        .map(|(path, reason)| format!("{}: {reason}", world.relative(path)))
        .collect();
    assert_eq!(
        left_alone,
        [
            "big.iso: it is not downloaded completely",
            "big.iso.part: it is not downloaded completely",
            "other.srt: its kind is not known",
            "tool.zip.crdownload: it is not downloaded completely",
        ]
    );
    execute(&world, &proposal);
    let files: Vec<String> = snapshot(&world.root)
        .into_iter()
        .filter(|(_, stands)| stands.3.is_some())
        .map(|(path, _)| world.relative(&path))
        .collect();
    assert_eq!(
        files,
        [
            "Audio/song.lrc",
            "Audio/song.mp3",
            "Installers/setup.exe",
            "Installers/setup.exe.sha256",
            "Pictures/IMG_1.HEIC",
            "Pictures/IMG_1.MOV",
            "Videos/film.en.srt",
            "Videos/film.mkv",
            "big.iso",
            "big.iso.part",
            "other.srt",
            "tool.zip.crdownload",
        ]
    );
}

#[test]
fn loose_files_go_by_what_they_are_and_sorted_ones_stay() {
    let world = World::with(&[
        "song.mp3",
        "film.mkv",
        "Screenshot 2026-05-02.png",
        "setup.exe",
        "letters/old.txt",
        "app/Cargo.toml",
        "strange.zzz",
        "meeting.ics",
    ]);
    let proposal = propose(&world.scan(), &by(By::Everything));
    let expected = [
        "create Audio",
        "create Calendar",
        "create Installers",
        "create Pictures/Screenshots",
        "create Projects",
        "create Videos",
        "app -> Projects/app",
        "Screenshot 2026-05-02.png -> Pictures/Screenshots/Screenshot 2026-05-02.png",
        "film.mkv -> Videos/film.mkv",
        "meeting.ics -> Calendar/meeting.ics",
        "setup.exe -> Installers/setup.exe",
        "song.mp3 -> Audio/song.mp3",
    ];
    assert_eq!(told(&proposal.plan), expected);
    let left_alone: Vec<_> =
        proposal.left_alone.iter().map(|(path, reason)| (path, reason.as_str())).collect();
    assert_eq!(left_alone, [(&world.root.join("strange.zzz"), "its kind is not known")]);
    let ids: Vec<_> = proposal.plan.operations.iter().map(|operation| operation.id.to_string()).collect();
    assert_eq!(ids[0..2], ["o1", "o2"]);
}

#[test]
fn of_copies_the_best_name_stays_then_the_oldest_and_busy_ones_all_stay() {
    let world = World::new();
    world.file("Report (1).pdf", "report");
    world.file_of("Report.pdf", "report", 1_716_000_000);
    world.file("old/copy of Report.pdf", "report");
    world.file("letter one.txt", "letter");
    world.file_of("letter two.txt", "letter", 1_716_000_000);
    world.file("IMG_0001.jpg", "picture");
    world.file_of("evening at the sea.jpg", "picture", 1_716_000_000);
    world.file("busy.txt", "busy");
    fs::write(world.root.join("busy copy.txt"), "busy").unwrap();
    let proposal = propose(&world.scan(), &by(By::Duplicates));
    assert_eq!(
        told(&proposal.plan),
        [
            "trash IMG_0001.jpg",
            "trash Report (1).pdf",
            "trash letter two.txt",
            "trash old/copy of Report.pdf"
        ]
    );
    assert!(proposal.plan.operations[1].reason.contains("Report.pdf"));
}

#[test]
fn dates_make_years_and_months_and_content_makes_topics() {
    let world = World::new();
    world.file("notes 2026-03-14.txt", "a");
    world.file("plain.txt", "b");
    let plan = propose(&world.scan(), &by(By::Date)).plan;
    assert_eq!(
        told(&plan)[2..],
        ["notes 2026-03-14.txt -> 2026/2026-03/notes 2026-03-14.txt", "plain.txt -> 2024/2024-05/plain.txt"]
    );

    let world = World::new();
    let invoice =
        |number: u32| format!("Invoice {number}\namount payable by the customer until {number} May");
    for (name, content) in [
        ("a.txt", invoice(1)),
        ("b.txt", invoice(2)),
        ("c.txt", invoice(3)),
        ("bread.txt", "flour water salt".to_owned()),
        ("poem.txt", "roses violets sugar".to_owned()),
        ("talk.txt", "agenda speaker stage".to_owned()),
        ("tour.txt", "mountain lake hut".to_owned()),
    ] {
        world.file(name, content);
    }
    let plan = propose(&world.scan(), &by(By::Content)).plan;
    let told_plan = told(&plan);
    assert_eq!(told_plan.len(), 4, "{told_plan:?}");
    assert!(told_plan[0].starts_with("create Documents/"), "{told_plan:?}");
    // If similar documents are already sorted into a folder, the others follow.
    world.file("Bills/d.txt", invoice(4));
    world.file("Bills/e.txt", invoice(5));
    let plan = propose(&world.scan(), &by(By::Content)).plan;
    assert_eq!(told(&plan), ["a.txt -> Bills/a.txt", "b.txt -> Bills/b.txt", "c.txt -> Bills/c.txt"]);
}

#[test]
fn names_follow_the_convention_and_only_names_where_that_is_asked() {
    let world = World::with(&[
        "My Notes.txt",
        "sub/Other Notes.txt",
        "fine-already.txt",
        "app/.git/HEAD",
        "app/A B.txt",
    ]);
    let proposal = propose(&world.scan(), &named("lower-case", By::Names));
    assert_eq!(
        told(&proposal.plan),
        ["My Notes.txt => my-notes.txt", "sub/Other Notes.txt => other-notes.txt"]
    );
    let proposal = propose(&world.scan(), &named("lower-case", By::Kind));
    assert!(told(&proposal.plan).contains(&"My Notes.txt -> Documents/my-notes.txt".to_owned()));
}

#[test]
fn a_name_that_changes_only_in_case_gets_no_number() {
    for (file, pattern, renamed) in [
        ("Photo.jpg", "lower-case", "photo.jpg"),
        ("Photo.jpg", "UPPER-CASE", "PHOTO.jpg"),
        ("ÜBERSICHT.txt", "lower_case", "übersicht.txt"),
        ("my notes.txt", "Title Case", "My Notes.txt"),
    ] {
        let world = World::with(&[file]);
        let proposal = propose(&world.scan(), &named(pattern, By::Names));
        assert_eq!(told(&proposal.plan), [format!("{file} => {renamed}")]);
        execute(&world, &proposal);
        assert!(world.root.join(renamed).exists() && !world.root.join(file).exists());
    }
    let world = World::with(&["Photo.jpg", "photo.jpg", "PHOTO.JPG"]);
    let proposal = propose(&world.scan(), &named("lower-case", By::Names));
    assert_eq!(told(&proposal.plan), ["PHOTO.JPG => photo-2.JPG", "Photo.jpg => photo-3.jpg"]);
    execute(&world, &proposal);
}

#[test]
fn several_folders_are_each_tidied_in_themselves_by_absolute_paths() {
    let world = World::with(&["one/a.mp3", "two/b.mp3"]);
    let roots = [world.root.join("one"), world.root.join("two")];
    let found = deputy_organize::scan::scan(&roots, &crate::world::quiet()).unwrap();
    let proposal = propose(&found, &by(By::Kind));
    let base = world.root.display();
    assert_eq!(
        told(&proposal.plan)[2..],
        [
            format!("{base}/one/a.mp3 -> {base}/one/Audio/a.mp3"),
            format!("{base}/two/b.mp3 -> {base}/two/Audio/b.mp3"),
        ]
    );
    execute(&world, &proposal);
    assert!(roots[1].join("Audio/b.mp3").exists());
}

#[test]
fn the_sample_inbox_is_tidied_and_comes_back_to_the_byte() {
    let world = World::new();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/inbox");
    for (path, (.., content)) in snapshot(&samples) {
        let name = path.strip_prefix(&samples).unwrap().to_str().unwrap().to_owned();
        if let Some(content) = content {
            world.file(&name, content);
        }
    }
    let before = snapshot(&world.root);
    let scan = world.scan();
    let suggestions = suggest(&scan);
    assert_eq!(suggestions.len(), 3);
    let wishes = named(&suggestions[0].pattern, By::Everything);
    let proposal = propose(&scan, &wishes);
    insta::assert_snapshot!(told(&proposal.plan).join("\n"));
    let id = execute(&world, &proposal);
    assert!(!told(&proposal.plan).is_empty() && snapshot(&world.root) != before);
    assert_eq!(told(&propose(&world.scan(), &wishes).plan), Vec::<String>::new(), "tidy is tidy");
    run(&world, jobs(&world).reverse(&id, ConflictChoice::Skip).unwrap().job);
    assert_eq!(snapshot(&world.root), before);
}

fn any_name() -> impl Strategy<Value = String> {
    let stem = prop_oneof![
        "[A-Za-z]{1,8}( |_|-)[a-z]{1,6}",
        "Screenshot 20(24|25)-0[1-9]-1[0-9]",
        "(report|Report|REPORT)( \\(1\\)|_v2| final| - Kopie)?",
        "\\PC{1,8}",
        "-rf|CON|aux|a:b|\\$HOME|~",
    ];
    let ending = prop_oneof![
        Just(""),
        Just(".pdf"),
        Just(".TXT"),
        Just(".txt"),
        Just(".jpg"),
        Just(".zip"),
        Just(".exe")
    ];
    let name = (stem, ending).prop_map(|(stem, ending)| format!("{stem}{ending}"));
    name.prop_filter("a usable name", |name| {
        !name.contains(['/', '\0']) && name.len() < 200 && !name.starts_with('.') && !name.trim().is_empty()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Every plan can be executed, loses nothing, leaves nothing to do, and can be undone exactly.
    #[test]
    fn plans_can_be_done_and_taken_back(
        files in proptest::collection::btree_map(
            (prop_oneof![Just(""), Just("sub/"), Just("Documents/"), Just("app/")], any_name()), 0_u8..6, 1..14
        ),
        is_project: bool,
        way in prop_oneof![
            Just(By::Everything), Just(By::Kind), Just(By::Date), Just(By::Content), Just(By::Duplicates), Just(By::Names)
        ],
        pattern in prop_oneof![
            Just(None), Just(Some("lower-case")), Just(Some("Title Case")), Just(Some("yyyy-mm-dd_UPPER_CASE"))
        ],
    ) {
        let world = World::new();
        for ((folder, name), content) in &files {
            let path = world.root.join(format!("{folder}{name}"));
            if !path.exists() {
                world.file(&format!("{folder}{name}"), format!("content {content}"));
            }
        }
        if is_project {
            world.file("app/Cargo.toml", "[package]");
        }
        for folder in ["sub", "Documents", "app"].map(|folder| world.root.join(folder)).iter().filter(|f| f.exists()) {
            fs::File::open(folder).unwrap().set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
        }
        let before = snapshot(&world.root);
        let convention = pattern.map(|pattern| Convention::parse(pattern).unwrap());
        let wishes = Wishes { by: way, convention };
        let proposal = propose(&world.scan(), &wishes);
        let id = execute(&world, &proposal);
        let project: Vec<_> = before.keys().filter(|path| is_project && path.starts_with(world.root.join("app"))).collect();
        let gone = project.iter().filter(|path| !path.exists()).count();
        prop_assert!(gone == 0 || gone == project.len(), "a project was taken apart");
        let again = propose(&world.scan(), &wishes);
        prop_assert_eq!(told(&again.plan), Vec::<String>::new());
        run(&world, jobs(&world).reverse(&id, ConflictChoice::Skip).unwrap().job);
        prop_assert_eq!(snapshot(&world.root), before);
    }
}
