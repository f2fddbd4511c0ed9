//! `scripted-model --script FILE.json [--log FILE] [--log-bodies]`: serves a script on loopback until stdin closes.

use deputy_testkit::model::{Script, ScriptedModel, StartOptions};
use std::error::Error;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "usage: scripted-model --script FILE.json [--log FILE] [--log-bodies]";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("scripted-model: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let (script, options) = arguments()?;
    let text =
        std::fs::read(&script).map_err(|error| format!("cannot read `{}`: {error}", script.display()))?;
    let script: Script = serde_json::from_slice(&text)
        .map_err(|error| format!("`{}` is no script: {error}", script.display()))?;
    let model = ScriptedModel::start_with(script, options)?;
    println!("{}", model.url());
    std::io::stdout().flush()?;
    // The parent process holds the other end of stdin, so this ends with it.
    let mut stdin = std::io::stdin().lock();
    let mut buffer = [0; 1024];
    while stdin.read(&mut buffer)? > 0 {}
    Ok(())
}

fn arguments() -> Result<(PathBuf, StartOptions), Box<dyn Error>> {
    let mut script = None;
    let mut options = StartOptions::default();
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().map(PathBuf::from).ok_or(USAGE);
        match argument.to_str() {
            Some("--script") => script = Some(value()?),
            Some("--log") => options.log = Some(value()?),
            Some("--log-bodies") => options.log_bodies = true,
            _ => return Err(USAGE.into()),
        }
    }
    Ok((script.ok_or(USAGE)?, options))
}
