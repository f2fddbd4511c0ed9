//! Tables: aligned columns, or a list of rows if the terminal is too narrow.

use super::fill::{Piece, Style, fill, painted};
use super::width;
use pulldown_cmark::Alignment;

/// The gap between two columns.
const GAP: usize = 2;
/// The minimum width of a column.
const FEWEST: usize = 8;

/// Returns the lines of a table. The first row is its header.
pub(super) fn table(alignments: &[Alignment], rows: &[Vec<Vec<Piece>>], columns: usize) -> Vec<String> {
    let count = alignments.len();
    let natural: Vec<usize> = (0..count)
        .map(|at| rows.iter().filter_map(|row| row.get(at)).map(|cell| widest(&fill(cell, usize::MAX))).max())
        .map(Option::unwrap_or_default)
        .collect();
    let Some(widths) = fitted(&natural, columns) else { return records(rows, columns) };
    let mut lines = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let cells: Vec<Vec<String>> =
            (0..count).map(|at| row.get(at).map(|cell| fill(cell, widths[at])).unwrap_or_default()).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or_default().max(1);
        for level in 0..height {
            let parts: Vec<String> = (0..count)
                .map(|at| {
                    aligned(cells[at].get(level).map_or("", String::as_str), widths[at], alignments[at])
                })
                .collect();
            lines.push(parts.join(&" ".repeat(GAP)).trim_end().to_owned());
        }
        if place == 0 {
            let rules: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
            lines.push(painted(Style { quiet: true, ..Style::default() }, &rules.join(&" ".repeat(GAP))));
        }
    }
    lines
}

/// Returns the widths of the columns: the widest shrink first. `None` if the columns would become too narrow.
fn fitted(natural: &[usize], columns: usize) -> Option<Vec<usize>> {
    let available = columns.checked_sub(GAP * natural.len().saturating_sub(1))?;
    let mut widths = natural.to_vec();
    while widths.iter().sum::<usize>() > available {
        let widest = widths.iter_mut().max()?;
        if *widest <= FEWEST {
            return None;
        }
        *widest -= 1;
    }
    Some(widths)
}

/// Returns each row as lines with a label and its value.
fn records(rows: &[Vec<Vec<Piece>>], columns: usize) -> Vec<String> {
    let Some((head, rows)) = rows.split_first() else { return Vec::new() };
    let mut lines = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        if place > 0 {
            lines.push(String::new());
        }
        for (label, cell) in head.iter().zip(row) {
            let label = fill(label, usize::MAX).concat();
            let value = fill(cell, columns.saturating_sub(2));
            match value.as_slice() {
                [] => {}
                [one] if width(&label) + 2 + width(one) <= columns => lines.push(format!("{label}: {one}")),
                many => {
                    lines.push(format!("{label}:"));
                    lines.extend(many.iter().map(|line| format!("  {line}")));
                }
            }
        }
    }
    lines
}

fn widest(lines: &[String]) -> usize {
    lines.iter().map(|line| width(line)).max().unwrap_or_default()
}

fn aligned(text: &str, columns: usize, alignment: Alignment) -> String {
    let free = columns.saturating_sub(width(text));
    let before = match alignment {
        Alignment::Right => free,
        Alignment::Center => free / 2,
        Alignment::Left | Alignment::None => 0,
    };
    format!("{}{text}{}", " ".repeat(before), " ".repeat(free - before))
}
