//! The format of the database: the check that refuses newer formats, and the migrations from older ones.

use crate::error::{Doing, Fault, StoreError};
use crate::home;
use deputy_messages::store as say;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, TransactionBehavior};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

/// The migrations, oldest first. The number of the format is how many of them were applied. Never edited once released.
pub(crate) const ALL: &[&str] = &[
    include_str!("../../../migrations/0001_journal.sql"),
    include_str!("../../../migrations/0002_past_requests.sql"),
    include_str!("../../../migrations/0003_devices.sql"),
    include_str!("../../../migrations/0004_notices.sql"),
    include_str!("../../../migrations/0005_usage.sql"),
    include_str!("../../../migrations/0006_memories.sql"),
    include_str!("../../../migrations/0007_queue.sql"),
    include_str!("../../../migrations/0008_memory_origins.sql"),
    include_str!("../../../migrations/0009_answers.sql"),
    include_str!("../../../migrations/0010_task_status.sql"),
    include_str!("../../../migrations/0011_embeddings.sql"),
    include_str!("../../../migrations/0012_memory_kinds.sql"),
    include_str!("../../../migrations/0013_documents.sql"),
    include_str!("../../../migrations/0014_conversations.sql"),
    include_str!("../../../migrations/0015_money.sql"),
    include_str!("../../../migrations/0016_push.sql"),
    include_str!("../../../migrations/0017_endings.sql"),
    include_str!("../../../migrations/0018_subtasks.sql"),
    include_str!("../../../migrations/0020_codes.sql"),
    include_str!("../../../migrations/0021_refusals.sql"),
    include_str!("../../../migrations/0022_earlier_tasks.sql"),
];

/// Refuses a database that has a newer format or belongs to a different program.
pub(crate) fn gate(conn: &Connection, database: &Path, steps: &[&str]) -> Result<(), Fault> {
    let found = format(conn)?;
    let supported = u32::try_from(steps.len()).unwrap_or(u32::MAX);
    if found > supported {
        return Err(StoreError::NewerFormat { path: database.to_path_buf(), found, supported }.into());
    }
    let things: i64 = conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if found == 0 && things > 0 {
        return Err(Fault::Corrupt(say::is_database_but_not_deputy()));
    }
    Ok(())
}

/// Migrates the database to the newest format. Each migration is one transaction, so that a crash leaves either the old
/// format or the new one. A database with content is checked and backed up first.
pub(crate) fn apply(conn: &mut Connection, home: &Path, steps: &[&str]) -> Result<(), Fault> {
    let found = format(conn)? as usize;
    if found >= steps.len() {
        return Ok(());
    }
    if found > 0 {
        check_integrity(conn)?;
        back_up(conn, home, found)?;
    }
    for (number, step) in steps.iter().enumerate().skip(found) {
        let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "user_version", number as i64 + 1)?;
        transaction.commit()?;
    }
    Ok(())
}

/// Runs SQLite's own full check, which reads everything.
pub(crate) fn check_integrity(conn: &Connection) -> Result<(), Fault> {
    let found: String = conn.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if found == "ok" { Ok(()) } else { Err(Fault::Corrupt(found.into())) }
}

/// Copies the whole database to `backups/`. The copy is either complete and durable under its name, or does not exist.
fn back_up(conn: &Connection, home: &Path, format: usize) -> Result<(), Fault> {
    const DOING: Doing = say::back_up_journal_before_format;
    let folder = home::backups(home);
    home::private_folder(&folder)?;
    let unfinished = folder.join("unfinished");
    match std::fs::remove_file(&unfinished) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(StoreError::io(DOING, &unfinished, error).into());
        }
        _ => home::private_file(&unfinished)?,
    }
    let mut copy = Connection::open(&unfinished)?;
    // A step of -1 copies everything at once: the home is locked, so no other process writes.
    if Backup::new(conn, &mut copy)?.step(-1)? != StepResult::Done {
        return Err(StoreError::Busy { doing: DOING, path: home.to_path_buf() }.into());
    }
    copy.close().map_err(|(_, error)| error)?;
    let kept = home::dated(&folder, &format!("format-{format}")).with_extension("db");
    std::fs::File::open(&unfinished)
        .and_then(|file| file.sync_all())
        .and_then(|()| std::fs::rename(&unfinished, &kept))
        .map_err(|error| StoreError::io(DOING, &kept, error))?;
    copy_profiles(&home.join("profiles"), &kept.with_extension("profiles"))
        .map_err(|error| StoreError::io(DOING, &kept, error))?;
    home::sync_folder(&folder)?;
    Ok(())
}

/// Copies the readable files of profiles, which belong to the content of the database at that time.
fn copy_profiles(from: &Path, to: &Path) -> std::io::Result<()> {
    let entries = match std::fs::read_dir(from) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(to)?;
    for entry in entries {
        let entry = entry?;
        let (kind, to) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            copy_profiles(&entry.path(), &to)?;
        } else if kind.is_file() {
            let content = std::fs::read(entry.path())?;
            let mut kept =
                std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(to)?;
            kept.write_all(&content)?;
            kept.sync_all()?;
        }
    }
    Ok(())
}

fn format(conn: &Connection) -> Result<u32, rusqlite::Error> {
    conn.query_row("PRAGMA user_version", [], |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::TempDir;

    const FIRST: &str = "CREATE TABLE cats (name TEXT) STRICT; INSERT INTO cats VALUES ('Tom')";
    const SECOND: &str = "ALTER TABLE cats ADD COLUMN age INTEGER";
    const BROKEN: &str = "CREATE TABLE dogs (name TEXT) STRICT; INSERT INTO nowhere VALUES (1)";

    fn database(steps: &[&str]) -> (TempDir, Connection) {
        let folder = tempfile::tempdir().unwrap();
        let mut conn = Connection::open(folder.path().join("deputy.db")).unwrap();
        apply(&mut conn, folder.path(), steps).unwrap();
        (folder, conn)
    }

    fn kept(folder: &TempDir) -> Vec<std::path::PathBuf> {
        let Ok(entries) = fs::read_dir(home::backups(folder.path())) else { return Vec::new() };
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    #[test]
    fn every_shipped_step_applies_to_an_empty_database_without_a_backup() {
        let (folder, conn) = database(ALL);
        assert_eq!(format(&conn).unwrap() as usize, ALL.len());
        assert!(kept(&folder).is_empty());
        check_integrity(&conn).unwrap();
    }

    #[test]
    fn what_waited_before_there_were_notices_was_told() {
        let (folder, mut conn) = database(&ALL[..3]);
        let request = r#"INSERT INTO permission_requests VALUES ('r', 't', 'c', '{"summary": "Run it"}', 5, 9, 'open', NULL, NULL, NULL)"#;
        conn.execute(request, []).unwrap();
        apply(&mut conn, folder.path(), &ALL[..4]).unwrap();
        let row = conn.query_row(
            "SELECT id || task || kind || text || at_ms || standing FROM notices",
            [],
            |row| row.get::<_, String>(0),
        );
        assert_eq!(row.unwrap(), "rtrequestRun it5told");
    }

    #[test]
    fn memories_get_the_name_of_their_event_and_are_found_by_their_words() {
        let (folder, mut conn) = database(&ALL[..5]);
        conn.execute_batch(
            "INSERT INTO tasks VALUES (1, 't', 's', 'g', 'p', 'b', '/w', '{}', 1, 0, 0, 0);
             INSERT INTO memories VALUES (1, 's', 't', 'user', 'sort the letters', 5), (2, 's', 't', 'tool', 'none', 6);
             INSERT INTO messages VALUES (10, 's', 1), (14, 's', 2);
             INSERT INTO memories_text (memories_text) VALUES ('rebuild');",
        )
        .unwrap();
        apply(&mut conn, folder.path(), &ALL[..6]).unwrap();
        check_integrity(&conn).unwrap();
        let sql = "SELECT group_concat(concat_ws(' ', id, session, task, workspace, role, at_ms, text), ', ') FROM memories";
        let rows: String = conn.query_row(sql, [], |row| row.get(0)).unwrap();
        assert_eq!(rows, "10 s t /w user 5 sort the letters, 14 s t /w tool 6 none");
        let sql = "SELECT rowid FROM memories_text WHERE memories_text MATCH 'letters'";
        assert_eq!(conn.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap(), 10);
    }

    #[test]
    fn memories_get_the_origin_that_the_journal_says() {
        let (folder, mut conn) = database(&ALL[..7]);
        conn.execute_batch(
            r#"INSERT INTO events (seq, task, at_ms, type, event, chain) VALUES
                   (3, 't', 0, 'tool_finished', '{"call":"a"}', x'00'), (4, 't', 0, 'tool_finished', '{"call":"b"}', x'00');
               INSERT INTO tool_executions (call, task, tool, planned_at_ms) VALUES ('a', 't', 'shell', 0), ('b', 't', 'code', 0);
               INSERT INTO memories (id, session, task, workspace, role, at_ms, text) VALUES
                   (1, 's', 't', '/w', 'user', 0, 'u'), (2, 's', 't', '/w', 'assistant', 0, 'p'), (3, 's', 't', '/w', 'tool', 0, 'c'),
                   (5, 's', 't', '/w', 'tool', 0, 'x');
               INSERT INTO forgotten_memories VALUES (4, 's', 't', '/w', 'tool', 0, NULL, 9);"#,
        )
        .unwrap();
        apply(&mut conn, folder.path(), &ALL[..8]).unwrap();
        check_integrity(&conn).unwrap();
        let sql = "SELECT group_concat(id || ' ' || origin, ', ') FROM
                   (SELECT id, origin FROM memories UNION ALL SELECT id, origin FROM forgotten_memories ORDER BY id)";
        let rows: String = conn.query_row(sql, [], |row| row.get(0)).unwrap();
        assert_eq!(rows, "1 person, 2 planner, 3 command, 4 file, 5 tool");
    }

    #[test]
    fn what_is_queued_gets_the_place_of_the_event_that_queued_it() {
        let (folder, mut conn) = database(&ALL[..6]);
        let task = |name: &str, state: &str, events: &[(i64, &str)]| {
            let sql =
                "INSERT INTO tasks (id, session, goal, profile, backend, workspace, state, finished, tokens,
                                          created_at_ms, updated_at_ms)
                       VALUES (?1, 's', 'g', 'p', 'b', '/w', ?2, 0, 0, 0, 0)";
            conn.execute(sql, [name, &format!(r#"{{"state":"{state}"}}"#)]).unwrap();
            for (seq, kind) in events {
                let sql = "INSERT INTO events (seq, task, at_ms, type, event, chain) VALUES (?1, ?2, 0, ?3, '{}', x'00')";
                conn.execute(sql, rusqlite::params![seq, name, kind]).unwrap();
            }
        };
        task(
            "went on",
            "queued",
            &[(1, "created"), (3, "paused"), (4, "paused"), (10, "resumed"), (11, "resumed")],
        );
        task("told", "queued", &[(2, "created"), (5, "resumed"), (6, "steered")]);
        task("runs", "running", &[(7, "created"), (8, "iteration_started")]);
        apply(&mut conn, folder.path(), &ALL[..7]).unwrap();
        check_integrity(&conn).unwrap();
        let sql = "SELECT group_concat(id || ' ' || coalesce(queue_rank, '-'), ', ') FROM tasks";
        let rows: String = conn.query_row(sql, [], |row| row.get(0)).unwrap();
        assert_eq!(rows, "went on 800000000000000a, told 8000000000000002, runs -");
    }

    #[test]
    fn a_backup_of_the_old_format_is_made_before_a_step() {
        let (folder, mut conn) = database(&[FIRST]);
        apply(&mut conn, folder.path(), &[FIRST, SECOND]).unwrap();
        assert_eq!(format(&conn).unwrap(), 2);
        let [backup] = &kept(&folder)[..] else { panic!("one backup: {:?}", kept(&folder)) };
        let old = Connection::open(backup).unwrap();
        assert_eq!(format(&old).unwrap(), 1);
        let name: String = old.query_row("SELECT name FROM cats", [], |row| row.get(0)).unwrap();
        assert_eq!(name, "Tom");
        apply(&mut conn, folder.path(), &[FIRST, SECOND]).unwrap();
        assert_eq!(kept(&folder).len(), 1, "nothing to do, nothing to back up");
    }

    #[test]
    fn a_step_that_fails_leaves_the_format_before_it() {
        let (folder, mut conn) = database(&[FIRST]);
        apply(&mut conn, folder.path(), &[FIRST, SECOND, BROKEN]).unwrap_err();
        assert_eq!(format(&conn).unwrap(), 2);
        let dogs: i64 = conn
            .query_row("SELECT count(*) FROM sqlite_schema WHERE name = 'dogs'", [], |row| row.get(0))
            .unwrap();
        assert_eq!(dogs, 0, "half a step");
    }

    #[test]
    fn a_damaged_database_is_neither_backed_up_nor_changed() {
        let (folder, conn) = database(&[FIRST, "CREATE INDEX cats_by_name ON cats (name)"]);
        // An index without its entries is well formed, but wrong.
        conn.execute_batch(
            "PRAGMA writable_schema = ON;
             UPDATE sqlite_schema SET sql = 'CREATE INDEX cats_by_name ON cats (name || name)' WHERE type = 'index';",
        )
        .unwrap();
        conn.close().unwrap();
        let mut conn = Connection::open(folder.path().join("deputy.db")).unwrap();
        let refused = apply(&mut conn, folder.path(), &[FIRST, SECOND, SECOND]);
        assert!(matches!(refused, Err(Fault::Corrupt(_))), "{refused:?}");
        assert_eq!((format(&conn).unwrap(), kept(&folder).len()), (2, 0));
    }
}
