//! `refusing FEATURE[,FEATURE...] PROGRAM [ARGUMENT...]`: runs a program as on a machine that forbids certain sandbox
//! mechanisms.

use deputy_testkit::refused::{FEATURES, refuse};
use std::error::Error;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let Err(error) = run();
    eprintln!("refusing: {error}");
    ExitCode::FAILURE
}

fn run() -> Result<std::convert::Infallible, Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(features), Some(program)) = (arguments.next(), arguments.next()) else {
        return Err(format!(
            "usage: refusing FEATURE[,FEATURE...] PROGRAM [ARGUMENT...]\nfeatures: {}",
            FEATURES.join(", ")
        )
        .into());
    };
    for feature in features.to_string_lossy().split(',') {
        refuse(feature, libc::EPERM)?;
    }
    Err(Command::new(program).args(arguments).exec().into())
}
