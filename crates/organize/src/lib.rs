//! Organises files and never loses one.
