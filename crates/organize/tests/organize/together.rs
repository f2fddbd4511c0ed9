//! Files that belong together: whatever a plan says, they end up in one folder under one name.

use crate::plans::{create, relocate, rename, trash};
use crate::world::World;
use deputy_organize::ConflictChoice;
use deputy_protocol::OrganizeAction as Action;

/// Returns the files below the root, relative to it.
fn files(world: &World) -> Vec<String> {
    let all = world.snapshot().into_iter().filter(|(_, stands)| stands.content.is_some());
    let near =
        |path: std::path::PathBuf| path.strip_prefix(&world.root).unwrap().to_str().unwrap().to_owned();
    all.map(|(path, _)| near(path)).collect()
}

/// Returns a world with these files, each with its own name as content.
fn world(names: &[&str]) -> World {
    let world = World::new();
    for name in names {
        world.file(name, name);
    }
    world
}

/// Runs a plan, and checks that undo restores everything. Returns the files after the plan.
fn after(world: &World, plan: Vec<Action>) -> Vec<String> {
    let before = world.snapshot();
    let (id, report) = world.run(plan);
    assert_eq!((report.stopped, report.skipped.len()), (None, 0));
    let after = files(world);
    world.undo(&id, ConflictChoice::Skip);
    assert_eq!(world.snapshot(), before);
    after
}

#[test]
fn what_belongs_to_a_file_goes_with_it() {
    type Names = &'static [&'static str];
    type Plan = fn(&World) -> Vec<Action>;
    let cases: [(Names, Plan, Names); 10] = [
        // Only the film is named.
        (
            &["film.mkv", "film.en.srt", "film.nfo", "other.srt"],
            |world| vec![relocate(world.root.join("film.mkv"), world.root.join("Videos/film.mkv"))],
            &["Videos/film.en.srt", "Videos/film.mkv", "Videos/film.nfo", "other.srt"],
        ),
        // Each goes to its own kind, the subtitles first.
        (
            &["film.mkv", "film.srt"],
            |world| {
                vec![
                    relocate(world.root.join("film.srt"), world.root.join("Documents/film.srt")),
                    relocate(world.root.join("film.mkv"), world.root.join("Videos/film.mkv")),
                ]
            },
            &["Videos/film.mkv", "Videos/film.srt"],
        ),
        // Only the subtitles are named.
        (
            &["film.mkv", "film.srt"],
            |world| vec![relocate(world.root.join("film.srt"), world.root.join("Documents/film.srt"))],
            &["film.mkv", "film.srt"],
        ),
        // A new name.
        (
            &["IMG_1.CR2", "IMG_1.xmp", "IMG_1.CR2.dop", "IMG_1.jpg"],
            |world| vec![rename(world.root.join("IMG_1.CR2"), "2026-05-01 beach.CR2")],
            &[
                "2026-05-01 beach.CR2",
                "2026-05-01 beach.CR2.dop",
                "2026-05-01 beach.jpg",
                "2026-05-01 beach.xmp",
            ],
        ),
        // The new name is taken, so the number is the same for both.
        (
            &["film.mkv", "film.srt", "Videos/film.mkv"],
            |world| vec![relocate(world.root.join("film.mkv"), world.root.join("Videos/film.mkv"))],
            &["Videos/film (2).mkv", "Videos/film (2).srt", "Videos/film.mkv"],
        ),
        // A page and its folder. The page is renamed and refers to the folder, which keeps its name.
        (
            &["Page.html", "Page_files/a.css"],
            |world| vec![relocate(world.root.join("Page.html"), world.root.join("Documents/page.html"))],
            &["Documents/Page_files/a.css", "Documents/page.html"],
        ),
        (
            &["Page.html", "Page_files/a.css"],
            |world| vec![rename(world.root.join("Page.html"), "page.html")],
            &["Page_files/a.css", "page.html"],
        ),
        // Unfinished downloads, with the file that the browser keeps beside them.
        (
            &["a.iso", "a.iso.part", "b.zip.crdownload", "c.zip"],
            |world| {
                let to = |name: &str| relocate(world.root.join(name), world.root.join("Archives").join(name));
                vec![to("a.iso"), to("a.iso.part"), to("b.zip.crdownload"), to("c.zip")]
            },
            &["Archives/c.zip", "a.iso", "a.iso.part", "b.zip.crdownload"],
        ),
        // Two films swap their names, and so do their subtitles.
        (
            &["a.mkv", "a.srt", "b.mkv", "b.srt"],
            |world| {
                vec![rename(world.root.join("a.mkv"), "b.mkv"), rename(world.root.join("b.mkv"), "a.mkv")]
            },
            &["a.mkv", "a.srt", "b.mkv", "b.srt"],
        ),
        // What is in the trash does not follow.
        (
            &["film.mkv", "film.srt"],
            |world| {
                vec![
                    create(world.root.join("Videos")),
                    trash(world.root.join("film.srt")),
                    relocate(world.root.join("film.mkv"), world.root.join("Videos/film.mkv")),
                ]
            },
            &["Videos/film.mkv"],
        ),
    ];
    for (names, plan, expected) in cases {
        let world = world(names);
        assert_eq!(after(&world, plan(&world)), expected, "{names:?}");
    }
}

#[test]
fn what_goes_or_stays_with_a_file_is_noted() {
    let world = world(&["film.mkv", "film.srt", "film.nfo", "song.lrc", "song.mp3", "a.zip.crdownload"]);
    let to = |name: &str, folder: &str| relocate(world.root.join(name), world.root.join(folder).join(name));
    let plan = world.plan(vec![
        to("film.srt", "Documents"),
        to("film.mkv", "Videos"),
        to("song.lrc", "Documents"),
        to("a.zip.crdownload", "Archives"),
    ]);
    let checked = world.check(&plan).unwrap();
    let notes: Vec<(&str, &str)> =
        checked.notes.iter().map(|(operation, note)| (operation.as_str(), note.as_str())).collect();
    assert_eq!(
        notes,
        [
            ("o0", "it stays with film.mkv"),
            ("o2", "it stays with song.mp3"),
            ("o3", "it is not downloaded completely"),
        ]
    );
    let added = checked.plan.operations.iter().find(|operation| operation.id.as_str() == "o1.1").unwrap();
    assert_eq!(added.reason.as_str(), "belongs to film.mkv");
    // The plan that was checked means the same when it is checked again.
    let again = world.check(&checked.plan).unwrap();
    assert_eq!(again.plan, checked.plan);
    assert_eq!(again.job.steps, checked.job.steps);
}

#[test]
fn an_ending_that_a_new_name_drops_is_noted() {
    for (old, new, is_noted) in [
        ("IMG_1.jpg", "Cat", true),
        ("IMG_1.jpg", "Dr. Cat", true),
        ("backup.tar.gz", "backup", true),
        ("notes.txt", "notes v1.2", true),
        ("IMG_1.jpg", "Cat.JPG", false),
        ("IMG_1.jpg", "Cat.png", false),
        ("README", "Read me", false),
        ("v1.2", "version", false),
    ] {
        let world = world(&[old]);
        let checked = world.check(&world.plan(vec![rename(world.root.join(old), new)])).unwrap();
        let has_note = checked.notes.iter().any(|(_, note)| note.contains("has no ending"));
        assert_eq!(has_note, is_noted, "{old} => {new}: {:?}", checked.notes);
    }
}
