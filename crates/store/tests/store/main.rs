//! The store against real SQLite files in temporary homes.

#[cfg(test)]
mod journal;
#[cfg(test)]
mod support;
