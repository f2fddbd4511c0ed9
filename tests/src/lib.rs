//! End-to-end tests through the built binary, in a temporary home.
