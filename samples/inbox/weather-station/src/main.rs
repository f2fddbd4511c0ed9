//! Sums the rain of a file of readings.

use std::io::{self, BufRead};

/// Millimetres of rain in one line, or nothing if the line is the head of the table.
fn rain(line: &str) -> Option<f64> {
    line.rsplit(',').next()?.trim().parse().ok()
}

fn main() -> io::Result<()> {
    let mut sum = 0.0;
    for line in io::stdin().lock().lines() {
        sum += rain(&line?).unwrap_or(0.0);
    }
    println!("{sum:.1} mm");
    Ok(())
}
