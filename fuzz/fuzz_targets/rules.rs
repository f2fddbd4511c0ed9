//! Fuzzes the policy's parsing of rules files. The properties are shared with the smoke test.
#![no_main]

#[allow(dead_code, clippy::unwrap_used, missing_docs)]
#[path = "../../crates/policy/tests/smoke/subjects.rs"]
mod subjects;

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static PLACE: LazyLock<subjects::Place> = LazyLock::new(subjects::Place::new);

fuzz_target!(|text: &str| PLACE.rules(text));
