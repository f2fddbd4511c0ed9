//! `archive`: packing and unpacking, and attacks by malicious archives.

use crate::support::Desk;
use deputy_protocol::{CallId, CallStatus, FileState};
use deputy_tools::{UndoMode, undo};
use serde_json::json;
use std::fs;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;

fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Creates an archive with exactly the given names, which the library itself would reject.
fn tarred(entries: &[(&str, tar::EntryType, &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, kind, content) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(*kind);
        header.set_mode(0o777);
        let is_link = matches!(kind, tar::EntryType::Symlink | tar::EntryType::Link);
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        if is_link {
            header.set_link_name_literal(content).unwrap();
        }
        let content = if is_link { "" } else { content };
        header.set_size(content.len() as u64);
        header.set_cksum();
        builder.append(&header, content.as_bytes()).unwrap();
    }
    builder.into_inner().unwrap()
}

fn nothing_was_written(desk: &Desk) {
    assert!(desk.keeper.changes.lock().unwrap().is_empty());
    let outside: Vec<_> = fs::read_dir(desk.place.workspace.parent().unwrap()).unwrap().collect();
    assert_eq!(outside.len(), 2, "{outside:?}");
}

#[tokio::test]
async fn what_is_packed_is_unpacked_again_and_taken_back() {
    for name in ["a.zip", "a.tar", "a.tar.gz", "a.tgz"] {
        let desk = Desk::new();
        desk.put("photos/sea.jpg", "x".repeat(100_000));
        desk.put("photos/deep/Ärger.txt", "hidden things");
        desk.put("photos/.env", "KEY=1");
        desk.put("note.txt", "");
        std::os::unix::fs::symlink("/etc/passwd", desk.path("photos/link")).unwrap();
        let call = json!({"action": "pack", "paths": ["photos", "note.txt"], "to": name});
        let packed = desk.run("archive", call.clone()).await;
        assert_eq!(packed.status, CallStatus::Ok, "{name}: {}", packed.content);
        assert!(
            packed.summary.starts_with("packed 3 files, 2 folders (100.0 KB) into "),
            "{}",
            packed.summary
        );
        assert!(packed.summary.ends_with("; 2 left out (links, hidden or secret)"), "{}", packed.summary);
        let again = desk.run("archive", call).await;
        assert!(again.status == CallStatus::Failed && again.content.contains("already exists"));

        let list = desk.run("archive", json!({"action": "list", "path": name})).await;
        assert!(list.content.contains("photos/sea.jpg\tfile\t100000\t20"), "{}", list.content);
        assert_eq!(list.summary, "3 files, 2 folders, 100.0 KB unpacked");

        let unpacked = desk.run("archive", json!({"action": "unpack", "path": name})).await;
        assert_eq!(unpacked.summary, "unpacked 3 files, 2 folders (100.0 KB) into a", "{}", unpacked.content);
        assert_eq!(desk.text("a/photos/deep/Ärger.txt"), "hidden things");
        assert_eq!(desk.text("a/photos/sea.jpg").len(), 100_000);
        let taken = desk.run("archive", json!({"action": "unpack", "path": name})).await;
        assert!(taken.status == CallStatus::Failed && taken.content.contains("already exists"));

        let changes: Vec<_> =
            unpacked.changes.iter().rev().map(|change| (CallId::new("c"), change.clone())).collect();
        assert!(changes.iter().all(|(_, change)| matches!(change.before, FileState::Absent(_))));
        let undone = undo(&changes, desk.keeper.as_ref(), UndoMode::Apply);
        assert!(undone.iter().all(|file| file.restored), "{undone:?}");
        assert!(!desk.path("a").exists() && desk.path("photos/sea.jpg").exists());
    }
}

#[tokio::test]
async fn archives_that_lead_out_or_link_are_refused_before_anything_is_written() {
    use tar::EntryType::{Fifo, Link, Regular, Symlink};
    let attacks: Vec<(Vec<u8>, &str)> = vec![
        (zipped(&[("good.txt", b"x"), ("../../evil.txt", b"x")]), "leads out"),
        (zipped(&[("/etc/evil", b"x")]), "leads out"),
        (zipped(&[("..\\evil.txt", b"x")]), "characters"),
        (zipped(&[("a.txt", b"1"), ("A.TXT", b"2")]), "have this name"),
        (zipped(&[(".git/hooks/pre-commit", b"x")]), "programs run code"),
        (zipped(&[("sub/.env", b"x")]), "secrets"),
        (tarred(&[("good.txt", Regular, "x"), ("../evil", Regular, "x")]), "leads out"),
        (tarred(&[("link", Symlink, "/etc"), ("link/evil", Regular, "x")]), "a link"),
        (tarred(&[("hard", Link, "/etc/passwd")]), "a link"),
        (tarred(&[("pipe", Fifo, "")]), "special"),
        (b"PK\x03\x04 and nothing more".to_vec(), "not a readable archive"),
        (b"just text".to_vec(), "not a readable archive"),
    ];
    for (archive, reason) in attacks {
        let desk = Desk::new();
        desk.put("bad.archive", &archive);
        let result = desk.run("archive", json!({"action": "unpack", "path": "bad.archive"})).await;
        assert_eq!(result.status, CallStatus::Failed, "{reason}: {}", result.content);
        assert!(result.content.contains(reason), "{reason}: {}", result.content);
        nothing_was_written(&desk);
        assert_eq!(desk.names(""), ["bad.archive"]);
    }
}

#[tokio::test]
async fn a_bomb_is_refused_before_anything_is_written() {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("small.txt", SimpleFileOptions::default()).unwrap();
    writer.write_all(b"x").unwrap();
    writer.start_file("zeros", SimpleFileOptions::default()).unwrap();
    for _ in 0..300 {
        writer.write_all(&[0; 1_000_000]).unwrap();
    }
    let desk = Desk::new();
    desk.put("bomb.zip", writer.finish().unwrap().into_inner());
    let result = desk.run("archive", json!({"action": "unpack", "path": "bomb.zip"})).await;
    assert!(
        result.status == CallStatus::Failed && result.content.contains("unpacks to more than"),
        "{}",
        result.content
    );
    nothing_was_written(&desk);
}

#[tokio::test]
async fn nothing_is_overwritten_and_no_link_is_followed() {
    let desk = Desk::new();
    desk.put("a.zip", zipped(&[("new.txt", b"new"), ("there.txt", b"from the archive")]));
    desk.put("to/there.txt", "mine");
    let result = desk.run("archive", json!({"action": "unpack", "path": "a.zip", "to": "to"})).await;
    assert!(
        result.status == CallStatus::Failed && result.content.contains("there.txt"),
        "{}",
        result.content
    );
    assert_eq!((desk.text("to/there.txt").as_str(), desk.names("to").len()), ("mine", 1));
    std::os::unix::fs::symlink(&desk.place.home, desk.path("out")).unwrap();
    for to in ["out", "out/below"] {
        let result = desk.run("archive", json!({"action": "unpack", "path": "a.zip", "to": to})).await;
        assert_eq!(result.status, CallStatus::Failed, "{}", result.content);
    }
    assert_eq!(fs::read_dir(&desk.place.home).unwrap().count(), 0);
    let mut own = Desk::new();
    own.cx.confinement = deputy_protocol::Confinement::ReadOnly;
    own.put("a.zip", zipped(&[("new.txt", b"new")]));
    for call in [
        json!({"action": "unpack", "path": "a.zip"}),
        json!({"action": "pack", "paths": ["a.zip"], "to": "b.tar"}),
    ] {
        assert_eq!(own.run("archive", call).await.status, CallStatus::Failed);
    }
    assert_eq!(own.names(""), ["a.zip"]);
}

#[test]
fn what_a_call_touches_does_not_depend_on_what_the_archive_holds() {
    let desk = Desk::new();
    desk.put("a.zip", zipped(&[("secret name", b"x")]));
    let facts = desk.facts("archive", json!({"action": "unpack", "path": "a.zip"})).unwrap();
    let accesses = serde_json::to_string(&facts.accesses).unwrap();
    assert!(!accesses.contains("secret name") && accesses.contains("\"write\""), "{accesses}");
    let wrong = desk.facts("archive", json!({"action": "pack", "paths": ["x"], "to": "x.rar"}));
    assert!(wrong.unwrap_err().to_string().contains("`to`"));
}
