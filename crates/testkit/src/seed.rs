//! The seed of randomized tests.

/// Returns the seed from the variable `SEED`, or else a new one. Prints it, so that a failing test can be repeated.
///
/// # Panics
///
/// Panics if `SEED` is set and is not a number.
pub fn seed() -> u64 {
    seed_or(std::time::UNIX_EPOCH.elapsed().map_or(0, |now| now.as_nanos() as u64))
}

/// Like [`seed`], for a test that uses the seed `usual` unless `SEED` is set.
///
/// # Panics
///
/// Panics if `SEED` is set and is not a number.
pub fn seed_or(usual: u64) -> u64 {
    let seed = match std::env::var("SEED") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("SEED={text}: it is a whole number of 64 bits")),
        Err(_) => usual,
    };
    println!("SEED={seed}");
    seed
}
