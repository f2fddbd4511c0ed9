//! Formats a model's Markdown for a terminal: headings, lists, tables and code, wrapped to its width.

mod fill;
mod table;

use self::fill::{Piece, Style, fill, painted};
use console::measure_text_width;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::iter::Peekable;
use std::ops::Range;
use std::vec::IntoIter;

/// The minimum width, in columns. Text is not wrapped any narrower.
const FEWEST_COLUMNS: usize = 10;

/// A part of the text that can be shown once it is complete: a paragraph, a heading, a list item and so on.
pub(super) struct Block {
    pub lines: Vec<String>,
    /// The offset in the source after the block's last line break.
    pub end: usize,
    /// Whether an empty line precedes the block.
    pub is_apart: bool,
    /// Whether no later text can change the block, even if no other block follows.
    pub is_closed: bool,
}

/// Returns the blocks of a text, with lines that fit into the columns. Control characters are escaped.
pub(super) fn blocks(text: &str, columns: usize) -> Vec<Block> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let events: Vec<_> = Parser::new_ext(text, options).into_offset_iter().collect();
    let mut reader = Reader { text, events: events.into_iter().peekable(), read_to: 0 };
    let columns = columns.max(FEWEST_COLUMNS);
    let (mut blocks, mut list) = (Vec::new(), None);
    while let Some((event, range)) = reader.next() {
        match event {
            // Each list item is a separate block, so that a long list appears while it arrives.
            Event::Start(Tag::List(first)) => list = Some(first),
            Event::End(TagEnd::List(_)) => list = None,
            event => {
                let is_paragraph = matches!(event, Event::Start(Tag::Paragraph));
                let is_heading = matches!(event, Event::Start(Tag::Heading { .. }));
                let before = blocks.last().map_or(0, |block: &Block| block.end);
                let is_apart =
                    is_heading || text.get(before..range.start).is_some_and(|gap| gap.contains('\n'));
                let lines = match (&mut list, &event) {
                    (Some(number), Event::Start(Tag::Item)) => reader.item(number, columns),
                    _ => reader.block(event, range.clone(), columns),
                };
                let end = end_of_line(text, range.end);
                let is_closed = is_heading || (is_paragraph && text[end..].starts_with('\n'));
                blocks.push(Block { lines, end, is_apart, is_closed });
            }
        }
    }
    blocks
}

/// Returns the offset after the line break of the line that contains `end`.
fn end_of_line(text: &str, end: usize) -> usize {
    let end = text[..end].trim_end().len();
    text[end..].find('\n').map_or(text.len(), |at| end + at + 1)
}

struct Reader<'a> {
    text: &'a str,
    events: Peekable<IntoIter<(Event<'a>, Range<usize>)>>,
    /// The offset in the source at which the last event ends.
    read_to: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<(Event<'a>, Range<usize>)> {
        let next = self.events.next();
        if let Some((_, range)) = &next {
            self.read_to = range.end;
        }
        next
    }

    /// Returns the lines of the block that begins with this event.
    fn block(&mut self, first: Event<'a>, range: Range<usize>, columns: usize) -> Vec<String> {
        match first {
            Event::Start(Tag::Heading { .. }) => {
                fill(&self.inline(Style { strong: true, ..Style::default() }, None), columns)
            }
            Event::Start(Tag::CodeBlock(kind)) => self.code(&kind),
            Event::Start(Tag::BlockQuote(_)) => {
                let inner = self.flow(columns.saturating_sub(2));
                let bar = painted(Style { quiet: true, ..Style::default() }, "│");
                inner.into_iter().map(|line| format!("{bar} {line}").trim_end().to_owned()).collect()
            }
            Event::Start(Tag::List(mut number)) => {
                let mut lines = Vec::new();
                loop {
                    let before = end_of_line(self.text, self.read_to);
                    match self.next() {
                        Some((Event::Start(Tag::Item), range)) => {
                            self.gap(before, &range, &mut lines);
                            lines.extend(self.item(&mut number, columns));
                        }
                        _ => break,
                    }
                }
                lines
            }
            Event::Start(Tag::Table(alignments)) => {
                let rows = self.rows();
                table::table(&alignments, &rows, columns)
            }
            Event::Start(Tag::HtmlBlock) => self.literal(),
            Event::Start(_) => fill(&self.inline(Style::default(), None), columns),
            Event::Rule => {
                vec![painted(Style { quiet: true, ..Style::default() }, &"─".repeat(columns.min(40)))]
            }
            // Text outside a paragraph, as in the items of a tight list.
            other => fill(&self.inline(Style::default(), Some((other, range))), columns),
        }
    }

    /// Returns the lines of a list item: its mark, and its text indented by the mark.
    fn item(&mut self, number: &mut Option<u64>, columns: usize) -> Vec<String> {
        let mark = match number {
            Some(number) => {
                let mark = format!("{number}. ");
                *number = number.saturating_add(1);
                mark
            }
            None => "• ".to_owned(),
        };
        let indent = " ".repeat(mark.chars().count());
        let inner = self.flow(columns.saturating_sub(indent.len()));
        let mut lines = Vec::with_capacity(inner.len().max(1));
        for (place, line) in inner.iter().enumerate() {
            let begin = if place == 0 { &mark } else { &indent };
            lines.push(format!("{begin}{line}").trim_end().to_owned());
        }
        if lines.is_empty() {
            lines.push(mark.trim_end().to_owned());
        }
        lines
    }

    /// Returns the lines of consecutive blocks, up to the end of their container.
    fn flow(&mut self, columns: usize) -> Vec<String> {
        let columns = columns.max(FEWEST_COLUMNS);
        let mut lines = Vec::new();
        loop {
            let before = end_of_line(self.text, self.read_to);
            match self.next() {
                None | Some((Event::End(_), _)) => break,
                Some((event, range)) => {
                    self.gap(before, &range, &mut lines);
                    lines.extend(self.block(event, range, columns));
                }
            }
        }
        lines
    }

    /// Adds an empty line if the source has one between two blocks.
    fn gap(&self, before: usize, range: &Range<usize>, lines: &mut Vec<String>) {
        let gap = self.text.get(before..range.start);
        if !lines.is_empty() && gap.is_some_and(|gap| gap.contains('\n')) {
            lines.push(String::new());
        }
    }

    /// Returns the styled text up to the end of its block. `first` is an event that was already consumed.
    fn inline(&mut self, base: Style, first: Option<(Event<'a>, Range<usize>)>) -> Vec<Piece> {
        let is_bare = first.is_some();
        let (mut pieces, mut styles, mut links) = (Vec::new(), vec![base], Vec::new());
        let mut next = first.or_else(|| self.next());
        while let Some((event, _)) = next {
            let style = styles.last().copied().unwrap_or(base);
            let mut text = |style, text: &str| pieces.push(Piece::Text(style, text.to_owned()));
            match event {
                Event::Text(words) | Event::InlineHtml(words) | Event::Html(words) => text(style, &words),
                Event::Code(code) => text(Style { code: true, ..style }, &code),
                Event::SoftBreak => text(style, " "),
                Event::HardBreak => pieces.push(Piece::Break),
                Event::TaskListMarker(is_done) => text(style, if is_done { "[x] " } else { "[ ] " }),
                Event::Start(Tag::Strong) => styles.push(Style { strong: true, ..style }),
                Event::Start(Tag::Emphasis) => styles.push(Style { emphasis: true, ..style }),
                Event::Start(Tag::Strikethrough) => styles.push(Style { struck: true, ..style }),
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    styles.push(Style { link: true, ..style });
                    links.push((dest_url, pieces.len()));
                }
                Event::End(TagEnd::Link | TagEnd::Image) => {
                    styles.pop();
                    if let Some((address, from)) = links.pop() {
                        let shown: String = pieces[from..].iter().map(Piece::text).collect();
                        // Show the address, because a terminal has no tooltips.
                        if shown != *address && format!("mailto:{shown}") != *address {
                            let quiet = Style { quiet: true, ..Style::default() };
                            pieces.push(Piece::Text(quiet, format!(" ({address})")));
                        }
                    }
                }
                Event::End(TagEnd::Strong | TagEnd::Emphasis | TagEnd::Strikethrough) => {
                    styles.pop();
                }
                Event::End(_) => break,
                _ => {}
            }
            // Bare text ends before the next block or the end of its item, which the caller reads.
            let is_inline = |event: &Event<'_>| match event {
                Event::Start(tag) => matches!(
                    tag,
                    Tag::Strong | Tag::Emphasis | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
                ),
                Event::End(_) => styles.len() > 1,
                Event::Rule => false,
                _ => true,
            };
            if is_bare && !self.events.peek().is_some_and(|(event, _)| is_inline(event)) {
                break;
            }
            next = self.next();
        }
        pieces
    }

    /// Returns an indented block of code. The lines of a diff are colored.
    fn code(&mut self, kind: &CodeBlockKind<'_>) -> Vec<String> {
        let is_diff =
            matches!(kind, CodeBlockKind::Fenced(language) if matches!(&**language, "diff" | "patch"));
        let paint = |line: &str| {
            let style = match line.as_bytes().first() {
                Some(b'+') if is_diff => Style { added: true, ..Style::default() },
                Some(b'-') if is_diff => Style { removed: true, ..Style::default() },
                _ if is_diff => Style::default(),
                _ => Style { code: true, ..Style::default() },
            };
            format!("  {}", painted(style, line)).trim_end().to_owned()
        };
        self.literal().iter().map(|line| paint(line)).collect()
    }

    /// Returns the unchanged lines up to the end of a block.
    fn literal(&mut self) -> Vec<String> {
        let mut whole = String::new();
        while let Some((event, _)) = self.next() {
            match event {
                Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => whole.push_str(&text),
                Event::End(_) => break,
                _ => {}
            }
        }
        whole.trim_end_matches('\n').split('\n').map(|line| painted(Style::default(), line)).collect()
    }

    /// Returns the rows of a table, its header first.
    fn rows(&mut self) -> Vec<Vec<Vec<Piece>>> {
        let mut rows: Vec<Vec<Vec<Piece>>> = Vec::new();
        while let Some((event, _)) = self.next() {
            match event {
                Event::Start(Tag::TableHead | Tag::TableRow) => rows.push(Vec::new()),
                Event::Start(Tag::TableCell) => {
                    let style = Style { strong: rows.len() == 1, ..Style::default() };
                    let cell = self.inline(style, None);
                    if let Some(row) = rows.last_mut() {
                        row.push(cell);
                    }
                }
                Event::End(TagEnd::Table) => break,
                _ => {}
            }
        }
        rows
    }
}

/// Returns the width of a line, without its color codes.
fn width(line: &str) -> usize {
    measure_text_width(line)
}

#[cfg(test)]
mod tests;
