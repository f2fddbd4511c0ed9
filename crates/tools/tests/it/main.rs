//! Tests the tools through the registry, as the loop uses them, on real files.
// A panic is a failed test, in shared helpers, too.
#![allow(missing_docs, clippy::unwrap_used)]

mod archives;
mod atomic;
mod build_output;
mod calls;
mod code;
mod decided;
mod documents;
mod draft;
mod moving;
mod organize;
mod patch;
mod races;
mod recovery;
mod ruled;
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
