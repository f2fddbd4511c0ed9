//! Scans, naming conventions and offline plans on real folders.

mod scanning;
mod world;
