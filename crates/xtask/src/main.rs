//! Maintenance tasks of the workspace: code generation and the tidy check.

mod codegen;
mod tidy;

use clap::{Parser, Subcommand};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Maintenance tasks of the workspace.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Write the JSON Schema, the TypeScript and the Python models of the protocol's types.
    Codegen {
        /// Write nothing. Fail and name the files that differ from what would be written.
        #[arg(long)]
        check: bool,
    },
    /// Check the invariants of the repository: dependencies between crates, opening comments and lengths of files.
    Tidy,
}

fn main() -> ExitCode {
    let root = workspace_root();
    let outcome: Result<(), Box<dyn Error>> = match Arguments::parse().chore {
        Chore::Codegen { check: true } => codegen::check(&root).map_err(Into::into),
        Chore::Codegen { check: false } => codegen::write(&root).map_err(Into::into),
        Chore::Tidy => tidy::run(&root).map_err(Into::into),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the root of the repository: two folders above this crate.
fn workspace_root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).unwrap_or(own).to_path_buf()
}
