//! Parses a unified diff into rows: each line's number in both files, and its changed characters.

use super::asked::{Extent, gap};
use super::screen::{Screen, Tone};
use super::text::{ends, printable};
use std::ops::Range;

/// The name of the other side of a file that is new or gone.
const NO_FILE: &str = "/dev/null";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Added,
    Removed,
    Same,
    /// A remark, or a mark for omitted lines.
    Note,
}

struct Row {
    kind: Kind,
    text: String,
    before: Option<usize>,
    after: Option<usize>,
    /// The part that differs from the replaced line.
    changed: Range<usize>,
}

/// Prints both ends of a diff, or all of it.
pub(super) fn diff(screen: &Screen, diff: &str, extent: Extent) {
    let rows = rows(diff);
    let number = |row: &Row| row.before.max(row.after);
    let digits = rows.iter().filter_map(number).max().map_or(0, |most| most.to_string().len());
    let (head, left_out, tail) = ends(&rows, extent);
    let print = |row: &Row| screen.line(format!("    {}", shown(screen, row, digits)).trim_end());
    head.iter().for_each(print);
    if left_out > 0 {
        screen.line(&format!("    {}", gap(screen, left_out)));
    }
    tail.iter().for_each(print);
}

/// Returns the number of lines that the whole of a diff takes.
pub(super) fn lines(diff: &str) -> usize {
    rows(diff).len()
}

/// Returns the number of added and removed lines of a diff, such as `+3 −1`.
pub(super) fn counts(screen: &Screen, diff: &str) -> String {
    let rows = rows(diff);
    let count = |kind| rows.iter().filter(|row| row.kind == kind).count();
    let counted = [(Kind::Added, "+", Tone::Good), (Kind::Removed, "−", Tone::Bad)];
    let parts = counted.into_iter().filter_map(|(kind, sign, tone)| match count(kind) {
        0 => None,
        many => Some(screen.paint(tone, &format!("{sign}{many}"))),
    });
    parts.collect::<Vec<_>>().join(" ")
}

fn shown(screen: &Screen, row: &Row, digits: usize) -> String {
    let gutter = |number: Option<usize>| match number {
        Some(number) => format!("{number:>digits$} "),
        None if digits > 0 => " ".repeat(digits + 1),
        None => String::new(),
    };
    let gutter = screen.paint(Tone::Quiet, &format!("{}{}", gutter(row.before), gutter(row.after)));
    let (sign, tone, strong) = match row.kind {
        Kind::Added => ("+", Tone::Good, Tone::GoodPart),
        Kind::Removed => ("-", Tone::Bad, Tone::BadPart),
        Kind::Same | Kind::Note => (if digits > 0 { " " } else { "" }, Tone::Quiet, Tone::Quiet),
    };
    let part = |range: Range<usize>| row.text.get(range).map(printable).unwrap_or_default();
    let paint = |tone, text: String| if text.is_empty() { text } else { screen.paint(tone, &text) };
    if row.changed.is_empty() {
        return gutter + &paint(tone, format!("{sign}{}", printable(&row.text)));
    }
    let Range { start, end } = row.changed.clone();
    let head = paint(tone, format!("{sign}{}", part(0..start)));
    format!("{gutter}{head}{}{}", paint(strong, part(start..end)), paint(tone, part(end..row.text.len())))
}

/// Returns the rows of a diff. Lines that are not in the unified format have no numbers.
fn rows(diff: &str) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut at: Option<(usize, usize)> = None;
    // The lines of the hunk that are still to come, in both files. Between hunks, a file begins.
    let mut left = (0_usize, 0_usize);
    let mut files: Vec<usize> = Vec::new();
    let note = |text: &str| Row {
        kind: Kind::Note,
        text: text.to_owned(),
        before: None,
        after: None,
        changed: 0..0,
    };
    for line in diff.lines() {
        let header = |sign: &str| line.strip_prefix(sign).filter(|_| left == (0, 0));
        if let Some(path) = header("--- ") {
            files.push(rows.len());
            rows.push(note(path.get(2..).unwrap_or_default()));
            continue;
        }
        if let Some(path) = header("+++ ") {
            if let Some(row) = files.last().and_then(|file| rows.get_mut(*file))
                && path != NO_FILE
            {
                path.get(2..).unwrap_or_default().clone_into(&mut row.text);
            }
            continue;
        }
        if let Some((begins, lengths)) = hunk(line) {
            // The line numbers already show where the first hunk of a file begins.
            if at.is_some() && files.last().is_none_or(|file| file + 1 != rows.len()) {
                rows.push(note("⋯"));
            }
            (at, left) = (Some(begins), lengths);
            continue;
        }
        let Some(rest) = line.get(1..).filter(|_| at.is_some() || line.starts_with(['+', '-'])) else {
            rows.push(note(line));
            continue;
        };
        let (kind, steps) = match line.as_bytes()[0] {
            b'+' => (Kind::Added, (0, 1)),
            b'-' => (Kind::Removed, (1, 0)),
            b'\\' => {
                rows.push(note(rest.trim_start()));
                continue;
            }
            _ => (Kind::Same, (1, 1)),
        };
        let before = at.map(|(before, _)| before).filter(|_| steps.0 == 1);
        let after = at.map(|(_, after)| after).filter(|_| steps.1 == 1);
        rows.push(Row { kind, text: rest.to_owned(), before, after, changed: 0..0 });
        at = at.map(|(before, after)| (before + steps.0, after + steps.1));
        left = (left.0.saturating_sub(steps.0), left.1.saturating_sub(steps.1));
    }
    // The name of an only file is already on the screen.
    if let [only] = files.as_slice() {
        rows.remove(*only);
    }
    mark(&mut rows);
    rows
}

/// Parses the first line numbers of a hunk in both files, and the number of its lines in both: `@@ -3,7 +3,8 @@`.
fn hunk(line: &str) -> Option<((usize, usize), (usize, usize))> {
    let (ranges, _) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (before, after) = ranges.split_once(" +")?;
    let range = |range: &str| {
        let (first, lines) = range.split_once(',').unwrap_or((range, "1"));
        Some((first.parse::<usize>().ok()?.max(1), lines.parse::<usize>().ok()?))
    };
    let (before, after) = (range(before)?, range(after)?);
    Some(((before.0, after.0), (before.1, after.1)))
}

/// Compares each added line with the line that it replaces, if as many lines were added as removed.
fn mark(rows: &mut [Row]) {
    let mut at = 0;
    while at < rows.len() {
        let count = |kind, from: usize| rows[from..].iter().take_while(|row| row.kind == kind).count();
        let removed = count(Kind::Removed, at);
        let added = count(Kind::Added, at + removed);
        if removed == added {
            let (old, new) = rows[at..at + removed + added].split_at_mut(removed);
            for (old, new) in old.iter_mut().zip(new) {
                mark_pair(old, new);
            }
        }
        at += (removed + added).max(1);
    }
}

fn mark_pair(old: &mut Row, new: &mut Row) {
    let same = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| -> usize {
        a.zip(b).take_while(|(a, b)| a == b).map(|(letter, _)| letter.len_utf8()).sum()
    };
    let start = same(&mut old.text.chars(), &mut new.text.chars());
    let end = same(&mut old.text[start..].chars().rev(), &mut new.text[start..].chars().rev());
    // If two lines have nothing in common, marking all of both would not help.
    if start + end > 0 {
        old.changed = start..old.text.len() - end;
        new.changed = start..new.text.len() - end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "--- a/x\n+++ b/x\n@@ -9,3 +9,3 @@\n one\n-the old word\n+the new word\n three\n\
                        @@ -40 +40,2 @@ fn x\n end\n+--- a rule\n\\ No newline at end of file\n";

    fn lines(text: &str, colour: bool) -> Vec<String> {
        let screen = Screen::colored(colour);
        let rows = rows(text);
        rows.iter()
            .map(|row| {
                shown(&screen, row, if hunk(text.lines().nth(2).unwrap_or("")).is_some() { 2 } else { 0 })
            })
            .collect()
    }

    #[test]
    fn each_line_has_its_numbers_in_both_files() {
        assert_eq!(
            lines(DIFF, false),
            [
                " 9  9  one",
                "10    -the old word",
                "   10 +the new word",
                "11 11  three",
                "       ⋯",
                "40 40  end",
                "   41 +--- a rule",
                "       No newline at end of file",
            ]
        );
        assert_eq!(counts(&Screen::colored(false), DIFF), "+2 −1");
    }

    #[test]
    fn the_files_of_a_diff_of_several_are_named_and_no_line_is_read_as_a_name() {
        let diff = "--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n++++ b/no name\n--- a/moved from\n+++ b/moved to\n\
                    @@ -1,2 +1,1 @@\n--- no name\n same\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
        let rows: Vec<String> = rows(diff).iter().map(|row| format!("{:?} {}", row.kind, row.text)).collect();
        let expected = [
            "Note new",
            "Added +++ b/no name",
            "Note moved to",
            "Removed -- no name",
            "Same same",
            "Note gone",
            "Removed x",
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn changed_letters_are_marked() {
        let colored = lines(DIFF, true);
        assert!(
            colored[1].ends_with("\u{1b}[31m-the \u{1b}[0m\u{1b}[31;7mold\u{1b}[0m\u{1b}[31m word\u{1b}[0m"),
            "{colored:?}"
        );
        assert!(colored[2].contains("\u{1b}[32;7mnew\u{1b}[0m"), "{colored:?}");
        // Characters of several bytes are never split.
        let rows = rows("@@ -1 +1 @@\n-größe ä\n+größe ö\n");
        assert_eq!(&rows[0].text[rows[0].changed.clone()], "ä");
    }

    #[test]
    fn other_text_is_shown_as_it_is() {
        assert_eq!(lines("Before\n  a.txt\n+ Audio\n", false), ["Before", "  a.txt", "+ Audio"]);
        assert_eq!(lines("a\u{1b}[2J", false), ["a\\u{1b}[2J"]);
    }
}
