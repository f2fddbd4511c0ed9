//! The tools as the loop sees them: through the registry, on real files.
// In the helpers of tests a panic is a failed test, too.
#![allow(missing_docs, clippy::unwrap_used)]

mod atomic;
mod calls;
mod code;
mod patch;
mod races;
mod recovery;
mod search;
mod search_content;
mod search_large;
mod shell;
mod support;
mod undo;
