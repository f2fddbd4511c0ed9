//! The binary `deputy`.

use std::process::ExitCode;

fn main() -> ExitCode {
    deputy_cli::main()
}
