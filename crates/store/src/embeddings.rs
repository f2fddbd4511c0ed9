//! The tables of embeddings: the queue of texts to embed, the vectors, and the models that they belong to.
//!
//! A new or edited memory is queued in the same transaction, and stays in the queue until its vector is stored. All
//! vectors can be recomputed from the memories, so this is the only part of the store that can be deleted safely.

use crate::codes;
use crate::documents::{self, FIRST_PASSAGE};
use crate::error::Fault;
use crate::{memories, rows};
use deputy_messages::store as say;
use deputy_protocol::TaskId;
use rusqlite::{Connection, params};
use std::ops::Range;

/// The number of failed attempts after which a text is not tried again until the index is rebuilt.
const MOST_ATTEMPTS: i64 = 3;
/// The number of vectors from which a search uses codes. With fewer, it reads all vectors.
pub(crate) const CODED_FROM: i64 = 1_024;

/// The model whose vectors are searched.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Model {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) dimension: usize,
    /// Embeddings up to this id must be recomputed.
    pub(crate) outdated_to: i64,
    /// The center that codes are relative to. `None` while there are too few vectors.
    pub(crate) center: Option<Vec<f32>>,
}

/// A memory in the queue for embedding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingEmbedding {
    /// The number of the memory.
    pub memory: u64,
    /// The task that it comes from. `None` for a passage of a document.
    pub task: Option<TaskId>,
    /// The text of the memory.
    pub text: String,
}

/// A memory with its new vector.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEmbedding {
    /// What was embedded. The vector is stored only if the memory still has this text.
    pub of: PendingEmbedding,
    /// The vector, of any length but zero.
    pub vector: Vec<f32>,
}

/// Statistics about embeddings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EmbeddingCounts {
    /// The name and the dimension of the model. `None` before the first vector.
    pub model: Option<(String, usize)>,
    /// The number of memories.
    pub memories: u64,
    /// Memories with a vector of the model.
    pub embedded: u64,
    /// Memories that are queued for embedding.
    pub pending: u64,
    /// Memories whose vector must be recomputed. Until then it is used if it belongs to the model.
    pub outdated: u64,
    /// Memories that could not be embedded.
    pub failed: u64,
    /// Memories that are found by their words only.
    pub words_only: u64,
    /// Memories that were forgotten or pruned, and can be restored.
    pub forgotten: u64,
    /// Passages of documents.
    pub passages: u64,
    /// Passages with a vector of the model.
    pub passages_embedded: u64,
    /// Passages that could not be embedded.
    pub passages_failed: u64,
}

/// Queues a memory for embedding. Text from tools is left out: it is long, and seldom searched for in other words.
pub(crate) fn want(conn: &Connection, memory: i64) -> Result<(), Fault> {
    let sql = "INSERT OR REPLACE INTO pending_embeddings (memory)
               SELECT id FROM memories WHERE id = ?1 AND role <> 'tool'";
    conn.prepare_cached(sql)?.execute([memory])?;
    Ok(())
}

/// Deletes everything derived from a memory's text.
pub(crate) fn drop_of(conn: &Connection, memory: i64) -> Result<(), Fault> {
    let vector = "DELETE FROM embedding_vectors WHERE id = (SELECT id FROM embeddings WHERE memory = ?1)";
    for sql in [
        vector,
        "DELETE FROM embeddings WHERE memory = ?1",
        "DELETE FROM pending_embeddings WHERE memory = ?1",
    ] {
        conn.prepare_cached(sql)?.execute([memory])?;
    }
    Ok(())
}

/// Returns the model whose vectors are searched. `None` before the first vector.
pub(crate) fn current(conn: &Connection) -> Result<Option<Model>, Fault> {
    let sql = "SELECT id, name, dimension, outdated_to, center FROM embedding_models WHERE is_current = 1";
    rows::first(conn, sql, [], |row| {
        let center = row.get_ref(4)?.as_blob_or_null().map_err(rusqlite::Error::from)?;
        Ok(Model {
            id: row.get(0)?,
            name: row.get(1)?,
            dimension: row.get::<_, i64>(2)? as usize,
            outdated_to: row.get(3)?,
            center: center.map(unpacked),
        })
    })
}

/// Returns the next texts to embed: memories without a vector, newest first, then memories whose vector must be
/// recomputed, then passages in the same order.
pub(crate) fn next(conn: &Connection, limit: usize) -> Result<Vec<PendingEmbedding>, Fault> {
    let read = |row: &rusqlite::Row<'_>| {
        Ok(PendingEmbedding {
            memory: row.get::<_, i64>(0)? as u64,
            task: row.get::<_, Option<String>>(1)?.map(TaskId),
            text: row.get(2)?,
        })
    };
    let outdated_to = current(conn)?.map_or(0, |model| model.outdated_to);
    let mut found = Vec::new();
    for sql in [
        "SELECT memory, task, text FROM pending_embeddings JOIN memories ON memories.id = memory
         WHERE attempts < ?1 AND memory < ?3 AND ?4 IS NOT NULL ORDER BY memory DESC LIMIT ?2",
        "SELECT memory, task, text FROM embeddings JOIN memories ON memories.id = memory
         WHERE embeddings.id <= ?4 AND ?1 IS NOT NULL AND ?3 IS NOT NULL
             AND memory NOT IN (SELECT memory FROM pending_embeddings)
         ORDER BY embeddings.id DESC LIMIT ?2",
        // Documents are numerous, and come after memories.
        "SELECT memory, NULL, text FROM pending_embeddings JOIN passages ON passages.id = memory
         WHERE attempts < ?1 AND memory >= ?3 AND ?4 IS NOT NULL ORDER BY memory LIMIT ?2",
        "SELECT memory, NULL, text FROM embeddings JOIN passages ON passages.id = memory
         WHERE embeddings.id <= ?4 AND ?1 IS NOT NULL AND ?3 IS NOT NULL
             AND memory NOT IN (SELECT memory FROM pending_embeddings)
         ORDER BY embeddings.id LIMIT ?2",
    ] {
        let rest = limit - found.len();
        if rest == 0 {
            break;
        }
        let values = params![MOST_ATTEMPTS, rest as i64, FIRST_PASSAGE, outdated_to];
        found.extend(rows::all(conn, sql, values, read)?);
    }
    Ok(found)
}

/// Returns whether the current model has a vector.
pub(crate) fn any(conn: &Connection) -> Result<bool, Fault> {
    let sql = "SELECT EXISTS (SELECT 1 FROM embeddings JOIN embedding_models ON embedding_models.id = model
                              WHERE is_current = 1)";
    Ok(conn.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
}

/// Stores vectors of one model, which becomes the current model. A memory whose text has changed stays queued, a
/// forgotten memory is skipped, and a vector without a direction counts as a failed attempt.
pub(crate) fn keep(
    conn: &Connection,
    (name, dimension): (&str, usize),
    made: &[NewEmbedding],
) -> Result<(), Fault> {
    let model = choose(conn, name, dimension)?;
    for new in made {
        let memory = new.of.memory as i64;
        let Some(vector) = normalized(&new.vector, dimension) else {
            failed(conn, &[new.of.memory])?;
            continue;
        };
        let text = match memory < FIRST_PASSAGE {
            true => memories::text_of(conn, memory)?,
            false => documents::text_of(conn, memory)?,
        };
        if text.as_ref() != Some(&new.of.text) {
            continue;
        }
        drop_of(conn, memory)?;
        let code = model.center.as_ref().map(|center| codes::encode(&vector, center));
        conn.prepare_cached("INSERT INTO embeddings (memory, model, code) VALUES (?1, ?2, ?3)")?
            .execute(params![memory, model.id, code])?;
        conn.prepare_cached("INSERT INTO embedding_vectors (id, vector) VALUES (?1, ?2)")?
            .execute(params![conn.last_insert_rowid(), packed(&vector)])?;
    }
    if model.center.is_none() {
        write_codes_of_enough(conn, &model)?;
    }
    Ok(())
}

/// Records that memories could not be embedded.
pub(crate) fn failed(conn: &Connection, memories: &[u64]) -> Result<(), Fault> {
    for memory in memories {
        // A memory whose vector was to be recomputed keeps the old vector, if that is still usable.
        let sql = "INSERT INTO pending_embeddings (memory, attempts) VALUES (?1, 1)
                   ON CONFLICT (memory) DO UPDATE SET attempts = attempts + 1";
        conn.prepare_cached(sql)?.execute([*memory as i64])?;
    }
    Ok(())
}

/// Marks every vector for recomputation, and resets failed attempts. The old vectors are used until then.
pub(crate) fn rebuild(conn: &Connection) -> Result<(), Fault> {
    outdate(conn)?;
    conn.execute("UPDATE pending_embeddings SET attempts = 0", [])?;
    Ok(())
}

pub(crate) fn counts(conn: &Connection) -> Result<EmbeddingCounts, Fault> {
    let model = current(conn)?;
    let (id, outdated_to) = model.as_ref().map_or((0, 0), |model| (model.id, model.outdated_to));
    let all = |sql: &str, value: i64| -> Result<u64, Fault> {
        let values = [value, FIRST_PASSAGE];
        let count: i64 = conn.prepare_cached(sql)?.query_row(values, |row| row.get(0))?;
        Ok(count as u64)
    };
    let pending = "SELECT count(*) FROM pending_embeddings WHERE attempts < ?1 AND memory < ?2";
    let failed = "SELECT count(*) FROM pending_embeddings WHERE attempts >= ?1 AND memory < ?2";
    Ok(EmbeddingCounts {
        model: model.map(|model| (model.name, model.dimension)),
        memories: all("SELECT count(*) FROM memories WHERE ?1 + ?2 IS NOT NULL", 0)?,
        embedded: all("SELECT count(*) FROM embeddings WHERE model = ?1 AND memory < ?2", id)?,
        pending: all(pending, MOST_ATTEMPTS)?,
        outdated: all("SELECT count(*) FROM embeddings WHERE id <= ?1 AND memory < ?2", outdated_to)?,
        failed: all(failed, MOST_ATTEMPTS)?,
        words_only: all("SELECT count(*) FROM memories WHERE role = 'tool' AND ?1 + ?2 IS NOT NULL", 0)?,
        forgotten: all("SELECT count(*) FROM forgotten_memories WHERE ?1 + ?2 IS NOT NULL", 0)?,
        passages: all("SELECT count(*) FROM passages WHERE ?1 + ?2 IS NOT NULL", 0)?,
        passages_embedded: all("SELECT count(*) FROM embeddings WHERE model = ?1 AND memory >= ?2", id)?,
        passages_failed: all(&failed.replace("memory <", "memory >="), MOST_ATTEMPTS)?,
    })
}

fn count(conn: &Connection, sql: &str, value: i64) -> Result<i64, Fault> {
    Ok(conn.prepare_cached(sql)?.query_row([value], |row| row.get(0))?)
}

/// Makes the model of this name and dimension the current one. If the model changes, all existing vectors are outdated.
fn choose(conn: &Connection, name: &str, dimension: usize) -> Result<Model, Fault> {
    let now = current(conn)?;
    if let Some(model) = now.filter(|model| model.name == name && model.dimension == dimension) {
        return Ok(model);
    }
    conn.execute("UPDATE embedding_models SET is_current = 0 WHERE is_current = 1", [])?;
    let sql = "INSERT INTO embedding_models (name, dimension, is_current, outdated_to) VALUES (?1, ?2, 1, 0)
               ON CONFLICT (name, dimension) DO UPDATE SET is_current = 1";
    conn.execute(sql, params![name, dimension as i64])?;
    outdate(conn)?;
    current(conn)?.ok_or_else(|| Fault::Corrupt(say::no_embedding_model()))
}

fn outdate(conn: &Connection) -> Result<(), Fault> {
    let sql = "UPDATE embedding_models SET outdated_to = (SELECT coalesce(max(id), 0) FROM embeddings)
               WHERE is_current = 1";
    conn.execute(sql, [])?;
    Ok(())
}

/// Computes missing codes of the current model's vectors, if there are enough vectors: a database of an older version
/// has none.
pub(crate) fn write_missing_codes(conn: &mut Connection) -> Result<(), Fault> {
    let Some(model) = current(conn)?.filter(|model| model.center.is_none()) else { return Ok(()) };
    let transaction = conn.transaction()?;
    write_codes_of_enough(&transaction, &model)?;
    Ok(transaction.commit()?)
}

fn write_codes_of_enough(conn: &Connection, model: &Model) -> Result<(), Fault> {
    let first = next_vectors(conn, model, 0)?;
    if (first.len() as i64) < CODED_FROM {
        return Ok(());
    }
    let mut center = vec![0.0; model.dimension];
    for (_, vector) in &first {
        for (sum, number) in center.iter_mut().zip(vector) {
            *sum += number / first.len() as f32;
        }
    }
    conn.execute(
        "UPDATE embedding_models SET center = ?2 WHERE id = ?1",
        params![model.id, packed(&center)],
    )?;
    // Codes of this model are not in memory before it has a center, so the ids can stay the same.
    let mut some = first;
    while let Some((last, _)) = some.last() {
        let last = *last;
        for (id, vector) in &some {
            conn.prepare_cached("UPDATE embeddings SET code = ?2 WHERE id = ?1")?
                .execute(params![id, codes::encode(vector, &center)])?;
        }
        some = next_vectors(conn, model, last)?;
    }
    Ok(())
}

/// Returns the next vectors of a model with their ids, in a batch that fits into memory.
fn next_vectors(conn: &Connection, model: &Model, after: i64) -> Result<Vec<(i64, Vec<f32>)>, Fault> {
    let sql = "SELECT embeddings.id, vector FROM embeddings JOIN embedding_vectors USING (id)
               WHERE model = ?1 AND embeddings.id > ?2 ORDER BY embeddings.id LIMIT ?3";
    rows::all(conn, sql, [model.id, after, CODED_FROM], |row| {
        Ok((row.get(0)?, unpacked(row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?)))
    })
}

/// Returns the id of the newest embedding of a model, or 0.
pub(crate) fn newest(conn: &Connection, model: i64) -> Result<i64, Fault> {
    count(conn, "SELECT coalesce(max(id), 0) FROM embeddings WHERE model = ?1", model)
}

/// Returns all vectors of a model for a range of memories: id, memory and vector. Only for small numbers of vectors.
pub(crate) fn vectors_of(
    conn: &Connection,
    model: &Model,
    of: &Range<i64>,
) -> Result<Vec<(i64, i64, Vec<f32>)>, Fault> {
    let sql = "SELECT embeddings.id, memory, vector FROM embeddings JOIN embedding_vectors USING (id)
               WHERE model = ?1 AND memory >= ?2 AND memory < ?3 ORDER BY embeddings.id";
    rows::all(conn, sql, [model.id, of.start, of.end], |row| {
        Ok((row.get(0)?, row.get(1)?, unpacked(row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?)))
    })
}

/// Reads the vector of an embedding into a slice of its length. `false` if it no longer exists.
pub(crate) fn read_vector(conn: &Connection, id: i64, into: &mut [f32]) -> Result<bool, Fault> {
    let mut statement = conn.prepare_cached("SELECT vector FROM embedding_vectors WHERE id = ?1")?;
    let mut rows = statement.query([id])?;
    let Some(row) = rows.next()? else { return Ok(false) };
    let (numbers, _) = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?.as_chunks();
    if numbers.len() != into.len() {
        return Err(Fault::Corrupt(say::embedding_of_another_size(id, numbers.len())));
    }
    for (number, bytes) in into.iter_mut().zip(numbers) {
        *number = f32::from_le_bytes(*bytes);
    }
    Ok(true)
}

/// Returns the vector of a memory by a model. `None` if it has none.
pub(crate) fn vector_of(conn: &Connection, model: &Model, memory: i64) -> Result<Option<Vec<f32>>, Fault> {
    let sql =
        "SELECT vector FROM embeddings JOIN embedding_vectors USING (id) WHERE memory = ?1 AND model = ?2";
    rows::first(conn, sql, [memory, model.id], |row| {
        Ok(unpacked(row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?))
    })
}

/// Normalizes the vector to length 1. `None` if it has no direction, or another dimension.
pub(crate) fn normalized(vector: &[f32], dimension: usize) -> Option<Vec<f32>> {
    let length = vector.iter().map(|number| f64::from(*number).powi(2)).sum::<f64>().sqrt();
    let is_one = vector.len() == dimension && length.is_finite() && length > 1e-12;
    is_one.then(|| vector.iter().map(|number| (f64::from(*number) / length) as f32).collect())
}

fn packed(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn unpacked(bytes: &[u8]) -> Vec<f32> {
    let (numbers, _) = bytes.as_chunks();
    numbers.iter().copied().map(f32::from_le_bytes).collect()
}
