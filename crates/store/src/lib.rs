//! SQLite behind the words of the domain: journal, recall, grants, requests, blobs.
//!
//! The journal (`events`) is the only truth about a task. The tables of tasks, requests, grants and memories are readable
//! projections of it, written in the same transaction as the event they come from. What is not a task's has tables of its own:
//! devices, commands that were done, notices, and which grants were revoked. One thread writes, and commits whatever is queued as one
//! durable transaction; a few read connections stand alongside it. Nothing in the public face speaks of SQL.

mod answers;
mod blobs;
mod chain;
mod codes;
mod commands;
mod devices;
mod documents;
mod embeddings;
mod error;
mod events;
mod full_text;
mod grants;
mod home;
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
pub use embeddings::{EmbeddingCounts, NewEmbedding, PendingEmbedding};
pub use error::{Doing, StoreError};
pub use events::MirroredEvent;
pub use home::SetAside;
pub use memories::LONGEST_MEMORY_CHARS;
pub use notices::DueNotice;
pub use permission_requests::{Asked, MAX_OPEN_REQUESTS, Place, Refusal};
pub use questions::MAX_OPEN_QUESTIONS;
pub use queue::Moved;
pub use recall::{
    LONGEST_PASSAGE_CHARS, QueryVector, Ranking, RecallQuery, Recalled, RecalledDocument, Recollection,
};
pub use remembered::Changed;
pub use store::Store;
pub use writer::{CommitHook, CommitMoment, Hooks};
