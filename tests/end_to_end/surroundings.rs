//! Bad surroundings.
