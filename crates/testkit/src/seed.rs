//! The seed of random tests.

/// From the variable `SEED`, else a new one. Printed, so that a test that fails can be repeated.
///
/// # Panics
/// Where `SEED` is set and is not a number.
pub fn seed() -> u64 {
    seed_or(std::time::UNIX_EPOCH.elapsed().map_or(0, |now| now.as_nanos() as u64))
}

/// The same for a test that makes the same choices each time unless it is told otherwise.
///
/// # Panics
/// As [`seed`].
pub fn seed_or(usual: u64) -> u64 {
    let seed = match std::env::var("SEED") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("SEED={text}: it is a whole number of 64 bits")),
        Err(_) => usual,
    };
    println!("SEED={seed}");
    seed
}
