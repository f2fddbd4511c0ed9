//! The tables of embeddings: what waits to be embedded, the vectors that were made, and of which model they are.
//!
//! A memory that was said or edited waits from the same transaction on, and does so until its vector is kept. All vectors can be
//! made again from the memories, so this is the one part of the store that may be thrown away.

use crate::codes;
use crate::documents::{self, FIRST_PASSAGE};
use crate::error::Fault;
use crate::{memories, rows};
use deputy_messages::store as say;
use deputy_protocol::TaskId;
use rusqlite::{Connection, params};
use std::ops::Range;

/// A text that could not be embedded so often is not tried again until the index is rebuilt.
const MOST_ATTEMPTS: i64 = 3;
/// With fewer vectors than this a search reads all of them, and needs no codes.
pub(crate) const CODED_FROM: i64 = 1_024;

/// The model whose vectors are searched.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Model {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) dimension: usize,
    /// Embeddings up to this id are to be made again.
    pub(crate) outdated_to: i64,
    /// What codes are taken against; absent while there are too few vectors.
    pub(crate) center: Option<Vec<f32>>,
}

/// A memory that waits to be embedded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingEmbedding {
    /// Its number.
    pub memory: u64,
    /// The task that it comes from; absent for a passage of a document.
    pub task: Option<TaskId>,
    /// What it says.
    pub text: String,
}

/// A memory with its vector.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEmbedding {
    /// What was embedded: the vector is kept only if the memory still says this.
    pub of: PendingEmbedding,
    /// Its vector; any length but zero.
    pub vector: Vec<f32>,
}

/// How much of the memories has been embedded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EmbeddingCounts {
    /// The model, where there is one yet, and the numbers of its vectors.
    pub model: Option<(String, usize)>,
    /// Memories.
    pub memories: u64,
    /// Those that have a vector of the model.
    pub embedded: u64,
    /// Those that wait for one.
    pub pending: u64,
    /// Those whose vector is to be made again; meanwhile it serves if it is of the model.
    pub outdated: u64,
    /// Those that could not be embedded.
    pub failed: u64,
    /// Those that are found by their words alone.
    pub words_only: u64,
    /// What was forgotten or pruned, and can be brought back.
    pub forgotten: u64,
    /// Passages of documents.
    pub passages: u64,
    /// Those that have a vector of the model.
    pub passages_embedded: u64,
    /// Those that could not be embedded.
    pub passages_failed: u64,
}

/// Has a memory wait to be embedded. What tools said is not: it is much, and rarely what somebody looks for in other words.
pub(crate) fn want(conn: &Connection, memory: i64) -> Result<(), Fault> {
    let sql = "INSERT OR REPLACE INTO pending_embeddings (memory)
               SELECT id FROM memories WHERE id = ?1 AND role <> 'tool'";
    conn.prepare_cached(sql)?.execute([memory])?;
    Ok(())
}

/// Takes away what was made of a memory's words.
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

/// The model whose vectors are searched; none before the first vector.
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

/// The next to embed: memories without a vector, newest first, then those whose is to be made again; then the same for passages.
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
        // Documents are many, and come after what was said.
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

/// Whether there is a vector of the current model.
pub(crate) fn any(conn: &Connection) -> Result<bool, Fault> {
    let sql = "SELECT EXISTS (SELECT 1 FROM embeddings JOIN embedding_models ON embedding_models.id = model
                              WHERE is_current = 1)";
    Ok(conn.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
}

/// Keeps vectors of one model, which is the current one from now on. A memory that says something else by now keeps waiting, one
/// that is forgotten is passed over, and a vector without a direction counts as a failed attempt.
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

/// Notes that memories could not be embedded.
pub(crate) fn failed(conn: &Connection, memories: &[u64]) -> Result<(), Fault> {
    for memory in memories {
        // One that was to be made again keeps the vector that it has, if that still serves.
        let sql = "INSERT INTO pending_embeddings (memory, attempts) VALUES (?1, 1)
                   ON CONFLICT (memory) DO UPDATE SET attempts = attempts + 1";
        conn.prepare_cached(sql)?.execute([*memory as i64])?;
    }
    Ok(())
}

/// Has every vector made again, and what failed tried again. The old ones serve until then.
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

/// The model of this name and dimension as the current one. Where it was another, all there is is outdated by that.
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

/// Gives codes to the vectors of the current model where it has none yet but enough vectors: one of an older version.
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
    // Nobody holds codes of this model in memory before it has a center, so they may come under the ids they have.
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

/// The next vectors of a model with their ids, of which there are never too many for memory.
fn next_vectors(conn: &Connection, model: &Model, after: i64) -> Result<Vec<(i64, Vec<f32>)>, Fault> {
    let sql = "SELECT embeddings.id, vector FROM embeddings JOIN embedding_vectors USING (id)
               WHERE model = ?1 AND embeddings.id > ?2 ORDER BY embeddings.id LIMIT ?3";
    rows::all(conn, sql, [model.id, after, CODED_FROM], |row| {
        Ok((row.get(0)?, unpacked(row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?)))
    })
}

/// The newest embedding of a model, or 0.
pub(crate) fn newest(conn: &Connection, model: i64) -> Result<i64, Fault> {
    count(conn, "SELECT coalesce(max(id), 0) FROM embeddings WHERE model = ?1", model)
}

/// Every vector of a model for memories of a range: id, memory and vector. Only for few.
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

/// Reads the vector of one embedding into a place of its length. `false` where it is gone by now.
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

/// The vector of a memory by a model; none where it has none.
pub(crate) fn vector_of(conn: &Connection, model: &Model, memory: i64) -> Result<Option<Vec<f32>>, Fault> {
    let sql =
        "SELECT vector FROM embeddings JOIN embedding_vectors USING (id) WHERE memory = ?1 AND model = ?2";
    rows::first(conn, sql, [memory, model.id], |row| {
        Ok(unpacked(row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?))
    })
}

/// The vector at length 1; none where it has no direction, or another dimension.
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
