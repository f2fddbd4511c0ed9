//! Tests of opening a home: for the first time, again, and if it is damaged.

use crate::support::*;
use deputy_store::{Store, StoreError};
use rusqlite::Connection;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Creates a home with one task, and overwrites the beginning of its database.
async fn damaged() -> tempfile::TempDir {
    let (folder, store) = home();
    start(&store, "t").await;
    drop(store);
    let database = folder.path().join("deputy.db");
    let mut content = fs::read(&database).unwrap();
    content[..100].fill(b'x');
    fs::write(database, content).unwrap();
    folder
}

#[tokio::test]
async fn only_the_owner_can_read_what_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a/b");
    let store = Store::open(&path).unwrap();
    start(&store, "t").await;
    store.keep_blob(b"secret").unwrap();
    let mut folders = vec![path.clone()];
    while let Some(folder) = folders.pop() {
        assert_eq!(mode(&folder), 0o700, "{}", folder.display());
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else {
                assert_eq!(mode(&entry.path()), 0o600, "{}", entry.path().display());
            }
        }
    }
    drop(store);
    fs::set_permissions(path.join("deputy.db"), Permissions::from_mode(0o644)).unwrap();
    drop(Store::open(&path).unwrap());
    assert_eq!(mode(&path.join("deputy.db")), 0o600, "a widened mode is tightened");
}

#[test]
fn one_process_owns_a_home() {
    let (folder, store) = home();
    let second = Store::open(folder.path()).err();
    assert!(matches!(second, Some(StoreError::InUse { .. })), "{second:?}");
    drop(store);
    Store::open(folder.path()).unwrap();
}

#[test]
fn a_newer_format_is_left_alone() {
    let (folder, store) = home();
    drop(store);
    let database = folder.path().join("deputy.db");
    Connection::open(&database).unwrap().pragma_update(None, "user_version", 22).unwrap();
    let before = fs::read(&database).unwrap();
    let refused = Store::open(folder.path()).err().unwrap();
    assert!(matches!(refused, StoreError::NewerFormat { found: 22, supported: 21, .. }), "{refused:?}");
    let message = refused.to_string();
    assert!(
        message.contains("format 22") && message.contains("up to 21") && message.contains("update"),
        "{message}"
    );
    assert_eq!(fs::read(&database).unwrap(), before);
}

/// The home of a version that did not store how many requests of a task were denied.
#[tokio::test]
async fn tasks_of_an_older_format_say_what_was_denied() {
    let (folder, store) = home();
    let mut states = Vec::new();
    for (name, request_id) in [("ended", "r"), ("open", "s")] {
        let id = start(&store, name).await;
        store.append(&id, 10, vec![iteration(1), asked(request(request_id, &id))]).await.unwrap();
        store.answer_permission(answer(request_id, deny("no")), 20).await.unwrap();
        if name == "ended" {
            store.append(&id, 30, vec![stopped()]).await.unwrap();
        }
        states.push((id.clone(), store.task(&id).unwrap().unwrap().state));
    }
    drop(store);
    let conn = Connection::open(folder.path().join("deputy.db")).unwrap();
    conn.execute_batch(WITHOUT_REFUSALS).unwrap();
    conn.execute_batch(
        "UPDATE tasks SET state = json_remove(state, '$.denied', '$.undone') WHERE finished = 1;
         UPDATE tasks SET status = json_remove(status, '$.Open.denied') WHERE finished = 0;
         DROP INDEX tasks_by_parent;
         ALTER TABLE tasks DROP COLUMN parent_task;
         ALTER TABLE tasks DROP COLUMN parent_call;
         PRAGMA user_version = 16;",
    )
    .unwrap();
    drop(conn);
    let store = Store::open(folder.path()).unwrap();
    for (id, state) in states {
        assert_eq!(store.task(&id).unwrap().unwrap().state, state);
    }
    store.check_integrity().unwrap();
}

#[test]
fn somebody_elses_database_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("deputy.db");
    Connection::open(&database).unwrap().execute_batch("CREATE TABLE cats (name)").unwrap();
    let before = fs::read(&database).unwrap();
    let refused = Store::open(folder.path()).err();
    assert!(matches!(refused, Some(StoreError::Corrupt { .. })), "{refused:?}");
    assert_eq!(fs::read(&database).unwrap(), before);
}

#[tokio::test]
async fn a_damaged_database_is_left_as_it_is_and_the_advice_works() {
    let folder = damaged().await;
    let database = folder.path().join("deputy.db");
    let before = fs::read(&database).unwrap();
    let Some(StoreError::Corrupt { path, advice, .. }) = Store::open(folder.path()).err() else { panic!() };
    assert_eq!(path, fs::canonicalize(&database).unwrap());
    assert_eq!(fs::read(&database).unwrap(), before);
    let command = advice.lines().find_map(|line| line.strip_prefix("  ")).unwrap();
    let ended = Command::new("sh").args(["-ec", command]).status().unwrap();
    assert!(ended.success(), "{command}");
    assert_eq!(Store::open(folder.path()).unwrap().last_seq().unwrap(), 0);
    let aside = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let aside = aside.into_iter().find(|path| path.display().to_string().contains("damaged-")).unwrap();
    assert_eq!(fs::read(aside.join("deputy.db")).unwrap(), before);
}

#[tokio::test]
async fn the_newest_backup_is_offered_first() {
    let (folder, store) = home();
    start(&store, "t").await;
    drop(store);
    let database = folder.path().join("deputy.db");
    let backups = folder.path().join("backups");
    fs::create_dir(&backups).unwrap();
    fs::write(backups.join("format-1-20200101T000000.000Z.db"), "an old one").unwrap();
    fs::copy(&database, backups.join("format-1-20250101T000000.000Z.db")).unwrap();
    fs::write(&database, "this is no database, it is a letter to a friend").unwrap();
    let Some(StoreError::Corrupt { advice, .. }) = Store::open(folder.path()).err() else { panic!() };
    let command = advice.lines().find_map(|line| line.strip_prefix("  ")).unwrap();
    assert!(Command::new("sh").args(["-ec", command]).status().unwrap().success(), "{command}");
    assert_eq!(Store::open(folder.path()).unwrap().last_seq().unwrap(), 1);
}

#[tokio::test]
async fn starting_fresh_keeps_every_damaged_file() {
    let folder = damaged().await;
    fs::write(folder.path().join("deputy.db-wal"), "half a log").unwrap();
    let before = fs::read(folder.path().join("deputy.db")).unwrap();
    let (store, aside) = Store::set_aside_and_start_fresh(folder.path()).unwrap();
    assert_eq!(store.last_seq().unwrap(), 0);
    assert_eq!(aside.files.len(), 2);
    assert_eq!(fs::read(&aside.files[0]).unwrap(), before);
    assert_eq!(fs::read(&aside.files[1]).unwrap(), b"half a log");
    start(&store, "t").await;
}

#[test]
fn a_log_without_its_database_is_not_thrown_away() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("deputy.db-wal");
    fs::write(&log, "the newest events").unwrap();
    let refused = Store::open(folder.path()).err();
    assert!(matches!(refused, Some(StoreError::Corrupt { .. })), "{refused:?}");
    assert_eq!(fs::read(&log).unwrap(), b"the newest events");
}

#[tokio::test]
async fn damage_in_the_middle_is_reported_when_it_is_met() {
    let (folder, store) = home();
    let id = start(&store, "t").await;
    store.append(&id, 2, (0..500).map(|number| steered(&format!("text {number}"))).collect()).await.unwrap();
    drop(store);
    let database = folder.path().join("deputy.db");
    let mut content = fs::read(&database).unwrap();
    let page = 4_096;
    // Every page except the first, which holds the schema, and the next two.
    content[3 * page..].fill(0xEE);
    fs::write(database, content).unwrap();
    let met = Store::open(folder.path()).and_then(|store| store.check_integrity()).err();
    assert!(matches!(met, Some(StoreError::Corrupt { .. })), "{met:?}");
}

#[test]
fn a_home_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o500)).unwrap();
    let path = folder.path().to_path_buf();
    let refused = std::thread::spawn(move || {
        // The superuser may write everywhere, so this thread drops its capabilities.
        let nothing = rustix::thread::CapabilitySet::empty();
        let sets =
            rustix::thread::CapabilitySets { effective: nothing, permitted: nothing, inheritable: nothing };
        rustix::thread::set_capabilities(None, sets).unwrap();
        Store::open(&path).err()
    });
    let refused = refused.join().unwrap();
    assert!(matches!(refused, Some(StoreError::ReadOnly { .. })), "{refused:?}");
    let message = refused.unwrap().to_string();
    assert!(message.contains(&*folder.path().to_string_lossy()) && message.contains("--home"), "{message}");
}
