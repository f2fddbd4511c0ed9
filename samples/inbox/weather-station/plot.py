"""Draws the temperatures of a file of readings as a line of characters."""

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
