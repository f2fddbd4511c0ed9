//! How much of a long test is done.

/// Whether tests run at full length: with `DEPUTY_TESTS=all`, as `make test-all` sets it. Otherwise long ones do a
/// part, chosen by [`crate::seed`], so that a change can land after minutes.
pub fn is_full() -> bool {
    std::env::var("DEPUTY_TESTS").is_ok_and(|tests| tests == "all")
}
