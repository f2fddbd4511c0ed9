//! The tools as the loop sees them: through the registry, on real files.
// A panic is a failed test, in the functions that tests share, too.
#![allow(missing_docs, clippy::unwrap_used)]

mod archives;
mod atomic;
mod calls;
mod code;
mod decided;
mod documents;
mod draft;
mod organize;
mod patch;
mod races;
mod recovery;
mod search;
mod search_content;
mod search_large;
mod select;
mod shell;
mod support;
mod table;
mod tags;
mod tree;
mod tree_special;
mod undo;
mod web_search;
