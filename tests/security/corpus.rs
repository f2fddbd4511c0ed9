//! The published cases of shell commands, as policy's own tests know them.

#[path = "../../crates/policy/tests/corpus/cases.rs"]
#[expect(dead_code, reason = "policy's tests use what the walls do not decide")]
mod cases;

pub(crate) use cases::{Case, Class, Setup, here, write};

/// The cases of a class.
pub(crate) fn cases(class: Class) -> Vec<Case> {
    cases::published().into_iter().filter(|case| case.class == class).collect()
}

/// The harmless ones, with those that were added to the published ones.
pub(crate) fn harmless() -> Vec<String> {
    let all = cases::published().into_iter().chain(cases::more());
    all.filter(|case| case.class == Class::Safe && case.setup.is_plain()).map(|case| case.command).collect()
}
