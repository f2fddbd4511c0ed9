//! Documents in folders that the user made recallable: which exist, when they were read, and their passages.
//!
//! The files are the source of truth. This data is not in the journal, and can be rebuilt from the files.

use crate::embeddings;
use crate::error::Fault;
use crate::rows;
use rusqlite::{Connection, params};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// The lowest number of a passage. Event numbers never reach it.
pub(crate) const FIRST_PASSAGE: i64 = 1 << 40;

/// Returns whether a recalled item is a passage of a document.
pub fn is_passage(memory: u64) -> bool {
    memory >= FIRST_PASSAGE as u64
}

/// A folder whose documents can be recalled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentFolder {
    /// The number of the folder.
    pub id: i64,
    /// Its path, with symbolic links resolved.
    pub path: String,
    /// Whether tasks in every folder may use its passages.
    pub is_everywhere: bool,
    /// When it was last scanned completely; 0 if never.
    pub looked_at_ms: i64,
    /// The number of documents that have passages.
    pub documents: u64,
    /// The number of their passages.
    pub passages: u64,
    /// The number of passages that can be found by meaning.
    pub embedded: u64,
    /// The number of documents without readable text.
    pub unreadable: u64,
}

/// The state of a file when it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentStamp {
    /// Its size in bytes.
    pub size: u64,
    /// Its modification time, in nanoseconds.
    pub changed_ns: i64,
}

/// A piece of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The line at which it begins, from 1.
    pub line: u32,
    /// Its text.
    pub text: String,
}

/// A document that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadDocument {
    /// Its path below the folder.
    pub path: String,
    /// The state of the file.
    pub stamp: DocumentStamp,
    /// Its passages, or the reason why there are none.
    pub content: Result<Vec<Passage>, String>,
}

/// A passage with its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) folder: String,
    pub(crate) is_everywhere: bool,
    pub(crate) path: PathBuf,
    pub(crate) stamp: DocumentStamp,
    pub(crate) line: u32,
    pub(crate) text: String,
}

impl Placed {
    /// Returns whether a task that may read below these folders may use the passage.
    pub(crate) fn may_go_to(&self, folders: &[String]) -> bool {
        self.is_everywhere || folders.iter().any(|folder| self.path.starts_with(folder))
    }
}

/// Makes a folder recallable, and returns its number. For an existing folder, updates whether it is available
/// everywhere.
pub(crate) fn add_folder(conn: &Connection, path: &str, is_everywhere: bool) -> Result<i64, Fault> {
    let sql = "INSERT INTO document_folders (path, is_everywhere) VALUES (?1, ?2)
               ON CONFLICT (path) DO UPDATE SET is_everywhere = ?2 RETURNING id";
    Ok(conn.prepare_cached(sql)?.query_row(params![path, is_everywhere], |row| row.get(0))?)
}

/// Deletes a folder and everything read from it. Returns whether it existed.
pub(crate) fn drop_folder(conn: &Connection, path: &str) -> Result<bool, Fault> {
    let sql = "SELECT id FROM document_folders WHERE path = ?1";
    let Some(folder) = rows::first(conn, sql, [path], |row| Ok(row.get::<_, i64>(0)?))? else {
        return Ok(false);
    };
    let sql = "SELECT id FROM documents WHERE folder = ?1";
    for document in rows::all(conn, sql, [folder], |row| Ok(row.get::<_, i64>(0)?))? {
        drop_document(conn, document)?;
    }
    conn.execute("DELETE FROM document_folders WHERE id = ?1", [folder])?;
    Ok(true)
}

/// Returns the folders whose documents can be recalled.
pub(crate) fn folders(conn: &Connection) -> Result<Vec<DocumentFolder>, Fault> {
    let model = embeddings::current(conn)?.map_or(0, |model| model.id);
    let sql = "SELECT id, path, is_everywhere, looked_at_ms,
                   (SELECT count(*) FROM documents WHERE folder = document_folders.id AND problem IS NULL),
                   (SELECT count(*) FROM documents WHERE folder = document_folders.id AND problem IS NOT NULL),
                   (SELECT count(*) FROM documents JOIN passages ON document = documents.id WHERE folder = document_folders.id),
                   (SELECT count(*) FROM documents JOIN passages ON document = documents.id
                        JOIN embeddings ON memory = passages.id AND model = ?1 WHERE folder = document_folders.id)
               FROM document_folders ORDER BY path";
    rows::all(conn, sql, [model], |row| {
        Ok(DocumentFolder {
            id: row.get(0)?,
            path: row.get(1)?,
            is_everywhere: row.get(2)?,
            looked_at_ms: row.get(3)?,
            documents: row.get::<_, i64>(4)? as u64,
            unreadable: row.get::<_, i64>(5)? as u64,
            passages: row.get::<_, i64>(6)? as u64,
            embedded: row.get::<_, i64>(7)? as u64,
        })
    })
}

/// Returns the state of the documents of a folder, by path.
pub(crate) fn stamps(conn: &Connection, folder: i64) -> Result<HashMap<String, DocumentStamp>, Fault> {
    let sql = "SELECT path, size, changed_ns FROM documents WHERE folder = ?1";
    let read = |row: &rusqlite::Row<'_>| {
        let stamp = DocumentStamp { size: row.get::<_, i64>(1)? as u64, changed_ns: row.get(2)? };
        Ok((row.get(0)?, stamp))
    };
    Ok(rows::all(conn, sql, [folder], read)?.into_iter().collect())
}

/// Stores documents that were read. A passage with unchanged text keeps its vector.
pub(crate) fn keep(conn: &Connection, folder: i64, documents: &[ReadDocument]) -> Result<(), Fault> {
    // The folder may have been removed while it was read.
    let sql = "SELECT 1 FROM document_folders WHERE id = ?1";
    if rows::first(conn, sql, [folder], |_| Ok(()))?.is_none() {
        return Ok(());
    }
    for ReadDocument { path, stamp, content } in documents {
        let sql = "INSERT INTO documents (folder, path, size, changed_ns, problem) VALUES (?1, ?2, ?3, ?4, ?5)
                   ON CONFLICT (folder, path) DO UPDATE SET size = ?3, changed_ns = ?4, problem = ?5 RETURNING id";
        let values = params![folder, path, stamp.size as i64, stamp.changed_ns, content.as_ref().err()];
        let document: i64 = conn.prepare_cached(sql)?.query_row(values, |row| row.get(0))?;
        let passages = content.as_deref().unwrap_or_default();
        let mut there = passages_of(conn, document)?;
        for passage in passages {
            match there.iter().position(|(_, text)| *text == passage.text) {
                Some(at) => {
                    let (id, _) = there.swap_remove(at);
                    conn.prepare_cached("UPDATE passages SET line = ?2 WHERE id = ?1 AND line <> ?2")?
                        .execute(params![id, passage.line])?;
                }
                None => add_passage(conn, document, passage)?,
            }
        }
        for (id, text) in there {
            drop_passage(conn, id, &text)?;
        }
    }
    Ok(())
}

/// Deletes documents that no longer exist in a folder.
pub(crate) fn gone(conn: &Connection, folder: i64, paths: &[String]) -> Result<(), Fault> {
    for path in paths {
        let sql = "SELECT id FROM documents WHERE folder = ?1 AND path = ?2";
        if let Some(document) = rows::first(conn, sql, params![folder, path], |row| Ok(row.get(0)?))? {
            drop_document(conn, document)?;
        }
    }
    Ok(())
}

/// Records when a folder was scanned.
pub(crate) fn looked_at(conn: &Connection, folder: i64, at_ms: i64) -> Result<(), Fault> {
    conn.prepare_cached("UPDATE document_folders SET looked_at_ms = ?2 WHERE id = ?1")?
        .execute(params![folder, at_ms])?;
    Ok(())
}

fn passages_of(conn: &Connection, document: i64) -> Result<Vec<(i64, String)>, Fault> {
    let sql = "SELECT id, text FROM passages WHERE document = ?1 ORDER BY id";
    rows::all(conn, sql, [document], |row| Ok((row.get(0)?, row.get(1)?)))
}

fn add_passage(conn: &Connection, document: i64, passage: &Passage) -> Result<(), Fault> {
    conn.prepare_cached("INSERT INTO passages (document, line, text) VALUES (?1, ?2, ?3)")?
        .execute(params![document, passage.line, passage.text])?;
    let id = conn.last_insert_rowid();
    conn.prepare_cached("INSERT INTO passages_text (rowid, text) VALUES (?1, ?2)")?
        .execute(params![id, passage.text])?;
    conn.prepare_cached("INSERT INTO pending_embeddings (memory) VALUES (?1)")?.execute([id])?;
    Ok(())
}

fn drop_passage(conn: &Connection, id: i64, text: &str) -> Result<(), Fault> {
    conn.prepare_cached("INSERT INTO passages_text (passages_text, rowid, text) VALUES ('delete', ?1, ?2)")?
        .execute(params![id, text])?;
    embeddings::drop_of(conn, id)?;
    conn.prepare_cached("DELETE FROM passages WHERE id = ?1")?.execute([id])?;
    Ok(())
}

fn drop_document(conn: &Connection, document: i64) -> Result<(), Fault> {
    for (id, text) in passages_of(conn, document)? {
        drop_passage(conn, id, &text)?;
    }
    conn.prepare_cached("DELETE FROM documents WHERE id = ?1")?.execute([document])?;
    Ok(())
}

/// Returns the approximate number of passages that have existed.
pub(crate) fn newest(conn: &Connection) -> Result<i64, Fault> {
    let sql = "SELECT coalesce(max(id), ?1 - 1) - ?1 + 1 FROM passages";
    Ok(conn.prepare_cached(sql)?.query_row([FIRST_PASSAGE], |row| row.get(0))?)
}

/// Returns the text of a passage.
pub(crate) fn text_of(conn: &Connection, id: i64) -> Result<Option<String>, Fault> {
    rows::first(conn, "SELECT text FROM passages WHERE id = ?1", [id], |row| Ok(row.get(0)?))
}

/// Returns a passage with its location.
pub(crate) fn find(conn: &Connection, id: i64) -> Result<Option<Placed>, Fault> {
    let sql = "SELECT document_folders.path, is_everywhere, documents.path, size, changed_ns, line, text
               FROM passages JOIN documents ON documents.id = document JOIN document_folders ON document_folders.id = folder
               WHERE passages.id = ?1";
    rows::first(conn, sql, [id], |row| {
        let folder: String = row.get(0)?;
        Ok(Placed {
            path: Path::new(&folder).join(row.get::<_, String>(2)?),
            folder,
            is_everywhere: row.get(1)?,
            stamp: DocumentStamp { size: row.get::<_, i64>(3)? as u64, changed_ns: row.get(4)? },
            line: row.get(5)?,
            text: row.get(6)?,
        })
    })
}

/// Checks whether a task may use passages. Caches the result for each document.
pub(crate) struct Reachable<'a> {
    folders: &'a [String],
    documents: HashMap<i64, bool>,
}

impl<'a> Reachable<'a> {
    /// Creates a check for a task that may read below these folders.
    pub(crate) fn of(folders: &'a [String]) -> Self {
        Self { folders, documents: HashMap::new() }
    }

    /// Returns whether the task may use a passage.
    pub(crate) fn holds(&mut self, conn: &Connection, passage: i64) -> Result<bool, Fault> {
        let sql = "SELECT document FROM passages WHERE id = ?1";
        let Some(document) = rows::first(conn, sql, [passage], |row| Ok(row.get::<_, i64>(0)?))? else {
            return Ok(false);
        };
        if let Some(known) = self.documents.get(&document) {
            return Ok(*known);
        }
        let may = find(conn, passage)?.is_some_and(|placed| placed.may_go_to(self.folders));
        self.documents.insert(document, may);
        Ok(may)
    }
}

/// Returns the first few passages that a task may use, each text once.
pub(crate) fn first_reachable(
    conn: &Connection,
    passages: impl IntoIterator<Item = i64>,
    folders: &[String],
    limit: usize,
) -> Result<Vec<i64>, Fault> {
    let (mut reachable, mut said, mut found) = (Reachable::of(folders), HashSet::new(), Vec::new());
    for id in passages {
        if reachable.holds(conn, id)? && said.insert(text_of(conn, id)?) {
            found.push(id);
        }
        if found.len() == limit {
            break;
        }
    }
    Ok(found)
}
