//! What a scan finds and what it leaves out.

use crate::world::{World, quiet};
use deputy_organize::scan::{DateSource, FileKind, ScanError, ScanProgress, Watch, scan};
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn the_same_content_is_found_whatever_its_length_and_hard_links_are_no_copies() {
    let world = World::new();
    let long = "0123456789abcdef".repeat(10_000);
    let other_end = format!("{}!", &long[..long.len() - 1]);
    world.file("a.txt", "same");
    world.file("sub/b.txt", "same");
    world.file("c.txt", "diff");
    world.file("long one.bin", &long);
    world.file("long two.bin", &long);
    world.file("long three.bin", other_end);
    world.file("empty one", "");
    world.file("empty two", "");
    let linked = world.file("linked.txt", "linked");
    fs::hard_link(&linked, world.root.join("link.txt")).unwrap();

    let scan = world.scan();
    let groups: Vec<_> = scan.duplicates.iter().map(|group| world.names(&scan, group)).collect();
    assert_eq!(groups, [vec!["a.txt", "sub/b.txt"], vec!["long one.bin", "long two.bin"]]);
}

#[test]
fn projects_are_one_thing_and_hidden_special_and_unnameable_things_are_left_out() {
    let world =
        World::with(&["a.txt", "app/Cargo.toml", "app/src/main.rs", "site/.git/HEAD", "site/index.html"]);
    world.file(".hidden", "x");
    std::os::unix::fs::symlink("/etc", world.root.join("link")).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        world.root.join("pipe"),
        rustix::fs::FileType::Fifo,
        0o600.into(),
        0,
    )
    .unwrap();
    fs::write(world.root.join(std::ffi::OsStr::from_bytes(b"bad\xff.txt")), "x").unwrap();

    let scan = world.scan();
    assert_eq!(scan.files.len(), 1, "{:?}", scan.files);
    let projects: Vec<_> = scan
        .folders
        .iter()
        .filter(|folder| folder.is_project)
        .map(|folder| world.relative(&folder.path))
        .collect();
    assert_eq!(projects, ["app", "site"]);
    let left = &scan.left_out;
    assert_eq!((left.hidden, left.special, left.unnameable, left.unreadable), (1, 2, 1, 0), "{left:?}");
}

#[test]
fn what_is_to_be_passed_by_is_not_looked_at() {
    let world = World::with(&["a.txt", "keys/b.txt", "sub/secret.txt", "sub/c.txt"]);
    let passes_by = |path: &Path| path.ends_with("keys") || path.ends_with("secret.txt");
    let watch = Watch { passes_by: &passes_by, ..quiet() };
    let found = scan(std::slice::from_ref(&world.root), &watch).unwrap();
    assert_eq!(world.names(&found, &[0, 1]), ["a.txt", "sub/c.txt"]);
    assert_eq!((found.files.len(), found.left_out.hidden), (2, 2));
}

#[test]
fn a_project_itself_is_refused_and_so_is_what_is_no_folder() {
    let world = World::with(&[".git/HEAD", "a.txt"]);
    assert!(matches!(world.try_scan(), Err(ScanError::IsProject(_))));
    for path in [world.root.join("a.txt"), world.root.join("nothing")] {
        let error = scan(std::slice::from_ref(&path), &quiet()).unwrap_err();
        assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
    }
}

#[test]
fn what_is_open_or_has_just_changed_is_busy() {
    let world = World::with(&["old.txt", "open.txt"]);
    fs::write(world.root.join("new.txt"), "new").unwrap();
    // Another process keeps the file open until its input ends.
    let file = File::open(world.root.join("open.txt")).unwrap();
    let mut holder = std::process::Command::new("cat")
        .arg("-")
        .arg("/dev/fd/2")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .stderr(file)
        .spawn()
        .unwrap();
    let scan = world.scan();
    let busy: Vec<_> = scan.files.iter().filter(|file| file.is_busy).map(|file| &*file.name).collect();
    drop(holder.stdin.take());
    holder.wait().unwrap();
    assert_eq!(busy, ["new.txt", "open.txt"]);
}

#[test]
fn an_archive_and_the_folder_that_it_was_extracted_to_are_twins() {
    let world = World::new();
    let archive = |name: &str, files: &[(&str, &str)]| {
        let mut zip = zip::ZipWriter::new(File::create(world.root.join(name)).unwrap());
        for (path, content) in files {
            zip.start_file(*path, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(content.as_bytes()).unwrap();
        }
        zip.finish().unwrap();
    };
    archive("site.zip", &[("index.html", "<p>"), ("deep/a.css", "b{}")]);
    archive("packed.zip", &[("holiday/one.txt", "1"), ("holiday/two.txt", "22")]);
    archive("changed.zip", &[("a.txt", "longer than what stands there")]);
    archive("evil.zip", &[("../inbox/x.txt", "x")]);
    for (name, content) in [
        ("site/index.html", "<p>"),
        ("site/deep/a.css", "b{}"),
        ("holiday/one.txt", "1"),
        ("holiday/two.txt", "22"),
        ("changed/a.txt", "short"),
        ("x.txt", "x"),
    ] {
        world.file(name, content);
    }
    let scan = world.scan();
    let twins: Vec<_> = scan
        .twins
        .iter()
        .map(|twin| (&*scan.files[twin.archive as usize].name, world.relative(&twin.folder)))
        .collect();
    assert_eq!(twins, [("packed.zip", "holiday".to_owned()), ("site.zip", "site".to_owned())]);
}

#[test]
fn the_samples_tell_their_kinds_and_dates() {
    let samples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples/inbox");
    let scan = scan(&[samples], &quiet()).unwrap();
    let file = |name: &str| scan.files.iter().find(|file| &*file.name == name).unwrap();
    for (name, kind, date, source) in [
        ("IMG_20260711_210450.jpg", FileKind::Image, "2026-07-11", DateSource::Exif),
        ("DSC00412.JPG", FileKind::Image, "2026-07-12", DateSource::Exif),
        ("letzter abend.jpg", FileKind::Image, "2026-07-17", DateSource::Exif),
        ("invoice_05-01-2026.pdf", FileKind::Document, "2026-01-05", DateSource::Name),
        ("recording 2026-04-01.wav", FileKind::Audio, "2026-04-01", DateSource::Name),
    ] {
        let found = file(name);
        assert_eq!((found.kind, found.dated.source), (kind, source), "{name}");
        assert_eq!(found.dated.date.to_string(), date, "{name}");
    }
    assert_eq!(file("CV draft v2.docx").kind, FileKind::Document);
    assert_eq!(scan.duplicates.len(), 8, "{:?}", scan.duplicates);
    assert_eq!(scan.twins.len(), 1);
}

#[test]
fn a_thousand_names_in_one_folder_and_a_deep_tree_are_all_found_once() {
    let world = World::new();
    for index in 0..1_500 {
        world.file(&format!("flat/{index}.txt"), index.to_string());
    }
    let mut deep = String::new();
    for level in 0..60 {
        deep.push_str(&format!("{level}/"));
        world.file(&format!("{deep}file.txt"), format!("level {level}"));
    }
    let told = AtomicUsize::new(0);
    let progress = |progress: ScanProgress| _ = told.fetch_max(progress.done, Ordering::Relaxed);
    let watch = Watch { progress: &progress, ..quiet() };
    let found = scan(std::slice::from_ref(&world.root), &watch).unwrap();
    assert_eq!((found.files.len(), told.into_inner()), (1_560, 1_560));
    let paths: Vec<_> = (0..1_560).map(|id| found.path(id)).collect();
    assert!(paths.iter().all(|path| path.is_file()));
    for (id, file) in (0..).zip(&found.files) {
        assert_eq!(found.file(file.folder, (*file.name).as_ref()), Some(id));
    }
    let stopped = scan(std::slice::from_ref(&world.root), &Watch { is_cancelled: &|| true, ..quiet() });
    assert!(matches!(stopped, Err(ScanError::Cancelled)));
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_is_found() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::with(&["a.txt", "locked/b.txt"]);
    let locked = world.root.join("locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    let is_root = fs::read_dir(&locked).is_ok();
    let scan = world.scan();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
    if !is_root {
        assert_eq!(scan.left_out.reasons[0].0, locked);
        assert_eq!(scan.files.len(), 1);
    }
}
