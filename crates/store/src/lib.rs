//! The SQLite storage of Deputy: the journal, recall, grants, permission requests and blobs.
//!
//! The journal (`events`) is the only source of truth about a task. The tables of tasks, requests, grants and memories
//! are projections of the journal; each row is written in the same transaction as its event. Data that does not belong
//! to a task has its own tables: devices, completed commands, notices and revoked grants. A single thread writes, and
//! commits everything that is queued as one durable transaction. A few other connections serve reads. The public API
//! does not expose SQL.

mod answers;
mod blobs;
mod chain;
mod codes;
mod commands;
mod devices;
mod documents;
mod earlier;
mod embeddings;
mod error;
mod events;
mod full_text;
mod grants;
mod home;
mod lost;
mod memories;
mod migrations;
mod notices;
mod permission_requests;
mod projection;
mod questions;
mod queue;
mod readers;
mod recall;
mod remembered;
mod replay;
mod rows;
mod said;
mod search;
mod sessions;
mod state;
mod store;
mod tasks;
mod tool_executions;
mod upkeep;
mod usage;
mod vectors;
mod writer;

pub use answers::Answered;
pub use devices::PairedDevice;
pub use documents::{DocumentFolder, DocumentStamp, Passage, ReadDocument, is_passage};
pub use earlier::EndedTask;
pub use embeddings::{EmbeddingCounts, NewEmbedding, PendingEmbedding};
pub use error::{Doing, StoreError};
pub use events::MirroredEvent;
pub use home::SetAside;
pub use lost::LostCopy;
pub use memories::LONGEST_MEMORY_CHARS;
pub use notices::DueNotice;
pub use permission_requests::{AnsweredPaths, Asked, MAX_OPEN_REQUESTS, Place, Refusal};
pub use questions::MAX_OPEN_QUESTIONS;
pub use queue::Moved;
pub use recall::{
    LONGEST_PASSAGE_CHARS, QueryVector, Ranking, RecallQuery, Recalled, RecalledDocument, Recollection,
};
pub use remembered::Changed;
pub use store::Store;
pub use writer::{CommitHook, CommitMoment, Hooks};
