//! The home folder of the database: its lock, its permissions, and the handling of a damaged database.

use crate::embeddings;
use crate::error::{Doing, Fault, StoreError};
use crate::{migrations, tasks};
use deputy_messages::store as say;
use deputy_protocol::Phrase;
use rusqlite::{Connection, OpenFlags};
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

const DATABASE: &str = "deputy.db";
/// The suffixes of SQLite's files: the database, the log with the newest commits, and the index of the log.
const BESIDE: [&str; 3] = ["", "-wal", "-shm"];
/// How long to wait for another program's lock, such as a database browser's or a backup's.
const PATIENCE: Duration = Duration::from_secs(5);
/// The size of the statement cache, which fits every statement of the store.
const STATEMENTS: usize = 64;

/// The new location of the damaged files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// The files at their new location.
    pub files: Vec<PathBuf>,
}

/// The lock on a home, and the connection that writes to its database.
pub(crate) struct Home {
    pub(crate) path: PathBuf,
    pub(crate) conn: Connection,
    pub(crate) lock: Lock,
}

/// The lock on a home. It is released explicitly on drop, because a child process that is being started may hold a copy
/// of the file descriptor for a little longer.
pub(crate) struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        if let Err(error) = self.0.unlock() {
            tracing::warn!(%error, "the home's lock could not be given back; it ends with this process");
        }
    }
}

/// Locks the home and opens its database, migrated to the newest format.
pub(crate) fn open(home: &Path) -> Result<Home, StoreError> {
    private_folder(home)?;
    let path = fs::canonicalize(home).map_err(|error| StoreError::io(say::open_home, home, error))?;
    let lock = lock(&path)?;
    let database = path.join(DATABASE);
    private_file(&database)?;
    if is_empty(&database) && !is_empty(&path.join(format!("{DATABASE}-wal"))) {
        // SQLite would remove the log, which may be the only copy of the newest events.
        return Err(corrupt(&path, say::is_empty_but_log()));
    }
    let conn = (|| {
        let mut conn = Connection::open_with_flags(
            &database,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        conn.busy_timeout(PATIENCE)?;
        migrations::gate(&conn, &database, migrations::ALL)?;
        conn.pragma_update(None, "journal_mode", "WAL")?;
        conn.pragma_update(None, "synchronous", "FULL")?;
        set_up(&conn)?;
        migrations::apply(&mut conn, &path, migrations::ALL)?;
        tasks::derive_statuses(&mut conn)?;
        embeddings::write_missing_codes(&mut conn)?;
        Ok(conn)
    })()
    .map_err(|fault: Fault| fault.during(say::open_journal, &path))?;
    Ok(Home { path, conn, lock })
}

/// Opens a read-only connection.
pub(crate) fn reading(home: &Path) -> Result<Connection, Fault> {
    let conn = Connection::open_with_flags(
        home.join(DATABASE),
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    conn.busy_timeout(PATIENCE)?;
    set_up(&conn)?;
    Ok(conn)
}

/// Sets up a connection. SQLite's temporary data stays in memory, because a folder for temporary files may be
/// accessible to others.
fn set_up(conn: &Connection) -> Result<(), rusqlite::Error> {
    conn.set_prepared_statement_cache_capacity(STATEMENTS);
    conn.pragma_update(None, "temp_store", "MEMORY")
}

/// Moves the database and its additional files to a folder with a dated name. Nothing is overwritten or removed.
pub(crate) fn set_aside(home: &Path) -> Result<SetAside, StoreError> {
    const DOING: Doing = say::set_damaged_journal_aside;
    let home = fs::canonicalize(home).map_err(|error| StoreError::io(DOING, home, error))?;
    let _lock = lock(&home)?;
    let folder = dated(&home, "damaged");
    private_folder(&folder)?;
    let mut files = Vec::new();
    for suffix in BESIDE {
        let name = format!("{DATABASE}{suffix}");
        let (from, to) = (home.join(&name), folder.join(&name));
        match fs::rename(&from, &to) {
            Ok(()) => files.push(to),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(StoreError::io(DOING, &from, error)),
        }
    }
    sync_folder(&folder)?;
    sync_folder(&home)?;
    Ok(SetAside { files })
}

/// Returns the error for a database that SQLite cannot read, with the commands that help.
///
/// Opening fails instead of starting with an empty journal: that would look as if everything were lost, and the next
/// writes would make it true. The commands only move and copy, so each of them can be undone.
pub(crate) fn corrupt(home: &Path, detail: Phrase) -> StoreError {
    let database = home.join(DATABASE);
    let folder = dated(home, "damaged");
    let set_aside = format!("mkdir {0} && mv {1}* {0}/", quoted(&folder), quoted(&database));
    let advice = match newest_backup(home) {
        Some(backup) => say::begin_anew_or_from_backup(quoted(&backup), quoted(&database), set_aside),
        None => say::begin_anew(set_aside),
    };
    StoreError::Corrupt { path: database, detail, advice }
}

/// Returns the path `NAME-20261121T221500.123Z` in `parent`. The names sort by time.
pub(crate) fn dated(parent: &Path, name: &str) -> PathBuf {
    parent.join(format!("{name}-{}", jiff::Timestamp::now().strftime("%Y%m%dT%H%M%S.%3fZ")))
}

/// Returns the folder for backups before migrations.
pub(crate) fn backups(home: &Path) -> PathBuf {
    home.join("backups")
}

/// Creates a folder, and its parents, that only its owner can use, if it does not exist. Durable on return: if the name
/// of a folder is lost, everything in it is lost too.
pub(crate) fn private_folder(path: &Path) -> Result<(), StoreError> {
    let missing: Vec<&Path> = path.ancestors().take_while(|above| !above.exists()).collect();
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(|error| StoreError::io(say::create_folder, path, error))?;
    for above in missing.iter().filter_map(|made| made.parent()) {
        sync_folder(if above.as_os_str().is_empty() { Path::new(".") } else { above })?;
    }
    Ok(())
}

/// Makes renames into a folder durable.
pub(crate) fn sync_folder(path: &Path) -> Result<(), StoreError> {
    File::open(path)
        .and_then(|folder| folder.sync_all())
        .map_err(|error| StoreError::io(say::make_folder_durable, path, error))
}

/// Creates a file that only its owner can use, or restricts an existing one. SQLite's additional files get the mode of
/// this file.
pub(crate) fn private_file(path: &Path) -> Result<(), StoreError> {
    const DOING: Doing = say::open_file;
    let failed = |error| StoreError::io(DOING, path, error);
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path)
        .map_err(failed)?;
    let mode = file.metadata().map_err(failed)?.permissions().mode();
    if mode & 0o077 != 0 {
        file.set_permissions(Permissions::from_mode(0o600)).map_err(failed)?;
    }
    Ok(())
}

/// Locks the home for this process. The system releases the lock when the process ends, even after a crash.
fn lock(home: &Path) -> Result<Lock, StoreError> {
    const DOING: Doing = say::lock_home;
    let path = home.join("store.lock");
    private_file(&path)?;
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .open(&path)
        .map_err(|error| StoreError::io(DOING, &path, error))?;
    match file.try_lock() {
        Ok(()) => Ok(Lock(file)),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse { path: home.to_path_buf() }),
        Err(TryLockError::Error(error)) => Err(StoreError::io(DOING, &path, error)),
    }
}

/// Returns whether a file is absent or empty.
fn is_empty(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |metadata| metadata.len() == 0)
}

fn newest_backup(home: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(backups(home)).ok()?;
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension() == Some("db".as_ref()))
        .max()
}

/// Quotes a path for a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}
