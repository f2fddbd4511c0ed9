"""What the source files hold: a script here and there, a small project, a web page."""

FIX_NAMES = '''#!/usr/bin/env python3
"""Lists file names with spaces, and what they could be called instead."""

from pathlib import Path


def proposal(name: str) -> str:
    return "_".join(name.lower().split())


for path in sorted(Path(".").iterdir()):
    if " " in path.name:
        print(f"{path.name} -> {proposal(path.name)}")
'''

BACKUP = """#!/bin/sh
# Copies the documents to the second disk, newest first.
set -eu
source_folder="${1:?folder to copy}"
target="/mnt/second/$(date +%Y-%m-%d)"
mkdir -p "$target"
cp -a "$source_folder/." "$target/"
echo "copied to $target"
"""

PRIMES = """fn main() {
    let limit: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(50);
    let mut composite = vec![false; limit + 1];
    for number in 2..=limit {
        if !composite[number] {
            println!("{number}");
            for multiple in (number * number..=limit).step_by(number) {
                composite[multiple] = true;
            }
        }
    }
}
"""

QUERY = """-- How much each plot used last year.
SELECT plot, MAX(reading) - MIN(reading) AS used
FROM water
WHERE taken BETWEEN '2025-01-01' AND '2025-12-31'
GROUP BY plot
ORDER BY used DESC;
"""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Elderbrook allotments</title>
  <link rel="stylesheet" href="style.css">
</head>
<body>
  <h1>Elderbrook allotments</h1>
  <p>64 plots between the brook and the railway. Plum festival on 12 September.</p>
  <script src="greeting.js"></script>
</body>
</html>
"""

STYLE = """body {
  font-family: sans-serif;
  margin: 2rem auto;
  max-width: 40rem;
  color: #20302a;
}
h1 { color: #2f6b3a; }
"""

GREETING = """const hour = new Date().getHours();
const greeting = hour < 12 ? "Good morning" : hour < 18 ? "Good afternoon" : "Good evening";
document.querySelector("h1").insertAdjacentText("beforebegin", greeting + " at");
"""

WEBSITE = {"index.html": PAGE, "style.css": STYLE, "greeting.js": GREETING}

STATION_README = """# Weather station

Reads temperature and rain once an hour and draws a chart.

    python3 plot.py data/readings.csv

The sensor is described in `docs/sketch.svg`.
"""

STATION_CARGO = """[package]
name = "weather-station"
version = "0.2.0"
edition = "2021"
"""

STATION_MAIN = """//! Sums the rain of a file of readings.

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
"""

STATION_PLOT = '''"""Draws the temperatures of a file of readings as a line of characters."""

import csv
import sys

BARS = " .:-=+*#%@"


def main(path: str) -> None:
    with open(path, newline="") as file:
        values = [float(row["temperature_c"]) for row in csv.DictReader(file)]
    low, high = min(values), max(values)
    scale = (len(BARS) - 1) / ((high - low) or 1)
    print("".join(BARS[int((value - low) * scale)] for value in values[::6]))


if __name__ == "__main__":
    main(sys.argv[1])
'''

STATION_TEST = '''"""Tests of the weather station's script."""

import plot


def test_bars_grow() -> None:
    assert plot.BARS[0] == " "
    assert plot.BARS[-1] == "@"
'''

STATION_SKETCH = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200" width="200" height="200">
  <title>Sensor on its post</title>
  <path d="M100 190 V70" stroke="#664" stroke-width="10"/>
  <rect x="70" y="40" width="60" height="34" fill="#dde" stroke="#334" stroke-width="3"/>
  <path d="M76 40 L124 40 L110 16 L90 16 Z" fill="none" stroke="#334" stroke-width="3"/>
</svg>
"""
