//! `chaos-proxy --to ADDRESS --seed N [--cut P] [--delay P] [--double P] [--reorder P]`: simulates a bad network on
//! loopback. Prints its address on a line, and the counts of what it did on another once stdin closes.

use deputy_testkit::chaos::{Odds, Tally, carry_all};
use std::error::Error;
use std::io::Read;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::sync::Arc;

const USAGE: &str =
    "usage: chaos-proxy --to ADDRESS --seed N [--cut P] [--delay P] [--double P] [--reorder P]";

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("chaos-proxy: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Box<dyn Error>> {
    let (to, seed, odds) = arguments()?;
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    println!("{}", listener.local_addr()?);
    let tally = Arc::new(Tally::default());
    let carrying = tokio::spawn(carry_all(listener, to, seed, odds, tally.clone()));
    // The parent process holds the other end of stdin, so this ends with it.
    tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new())).await??;
    carrying.abort();
    println!("{}", serde_json::to_string(&*tally)?);
    Ok(())
}

fn arguments() -> Result<(SocketAddr, u64, Odds), Box<dyn Error>> {
    let (mut to, mut seed) = (None, 0);
    let mut odds = Odds { cut: 0.01, delay: 0.1, double: 0.1, reorder: 0.1 };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let value = arguments.next().ok_or(USAGE)?;
        match argument.as_str() {
            "--to" => to = Some(value.parse()?),
            "--seed" => seed = value.parse()?,
            "--cut" => odds.cut = value.parse()?,
            "--delay" => odds.delay = value.parse()?,
            "--double" => odds.double = value.parse()?,
            "--reorder" => odds.reorder = value.parse()?,
            _ => return Err(USAGE.into()),
        }
    }
    Ok((to.ok_or(USAGE)?, seed, odds))
}
