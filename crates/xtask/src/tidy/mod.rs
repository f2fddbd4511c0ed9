//! Checks the repository against the invariants that docs/architecture.md states as absences.

mod dependencies;
mod desktop;
mod house;
mod layout;
mod messages;
mod page_words;
mod processes;
mod prose;
mod tree;

use std::path::Path;
use tree::Tree;

/// A violation of an invariant, and the file that contains it.
#[derive(Debug, PartialEq)]
struct Finding {
    path: String,
    message: String,
}

impl Finding {
    fn new(path: &str, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), message: message.into() }
    }
}

/// An invariant: checks the whole tree and returns the violations.
type Invariant = fn(&Tree) -> Vec<Finding>;

const INVARIANTS: [Invariant; 21] = [
    dependencies::nothing_reaches_the_desktop,
    dependencies::only_server_names_axum,
    dependencies::only_store_opens_a_database,
    dependencies::policy_needs_no_runtime,
    dependencies::arrows_run_one_way,
    processes::only_sandbox_starts_programs,
    processes::policy_has_no_async,
    layout::no_python_function_is_too_long,
    layout::every_module_says_what_it_is_for,
    house::no_registry_is_named,
    house::lock_files_hold_no_addresses,
    house::no_test_is_switched_off,
    house::every_decision_is_listed,
    messages::every_message_is_said,
    page_words::no_words_outside_the_catalogues,
    prose::no_code_branches_on_prose,
    prose::every_error_code_is_sent,
    desktop::the_shell_is_thin,
    desktop::the_shell_starts_nothing,
    desktop::the_page_is_held,
    desktop::the_page_calls_what_it_may,
];

/// What is worth a look and fails nothing.
const WARNINGS: [Invariant; 1] = [layout::long_source_files];

/// Why the tree is not tidy.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TidyError {
    #[error(transparent)]
    Read {
        #[from]
        source: tree::TreeError,
    },
    #[error("{count} places are not tidy; each line above says what to change")]
    Untidy { count: usize },
}

/// Prints one line per finding, and fails if there are any besides warnings.
pub(crate) fn run(root: &Path) -> Result<(), TidyError> {
    let tree = Tree::read(root)?;
    for warning in WARNINGS.iter().flat_map(|warning| warning(&tree)) {
        println!("warning: {}: {}", warning.path, warning.message);
    }
    let findings: Vec<_> = INVARIANTS.iter().flat_map(|invariant| invariant(&tree)).collect();
    for finding in &findings {
        println!("{}: {}", finding.path, finding.message);
    }
    if findings.is_empty() { Ok(()) } else { Err(TidyError::Untidy { count: findings.len() }) }
}
