//! Markdown as a terminal shows it: a model's words with headings, lists, tables and code, fitted to the width.

mod fill;
mod table;

use self::fill::{Piece, Style, fill, painted};
use console::measure_text_width;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::iter::Peekable;
use std::ops::Range;
use std::vec::IntoIter;

/// Narrower than this, text is not broken any further.
const FEWEST_COLUMNS: usize = 10;

/// A paragraph, a heading, one item of a list, ...: what can be shown once it is complete.
pub(super) struct Block {
    pub lines: Vec<String>,
    /// Where its text ends in the source, after the line break.
    pub end: usize,
    /// Whether an empty line separates it from the text before it.
    pub is_apart: bool,
    /// Whether text that follows cannot change it, even if no other block follows.
    pub is_closed: bool,
}

/// The blocks of a text, of which each line fits into the columns. Control characters in the text are written out.
pub(super) fn blocks(text: &str, columns: usize) -> Vec<Block> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let events: Vec<_> = Parser::new_ext(text, options).into_offset_iter().collect();
    let mut reader = Reader { text, events: events.into_iter().peekable(), read_to: 0 };
    let columns = columns.max(FEWEST_COLUMNS);
    let (mut blocks, mut list) = (Vec::new(), None);
    while let Some((event, range)) = reader.next() {
        match event {
            // Each item of a list is a block of its own, so that a long list appears as it comes.
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

/// The end of the line on which the text before `end` ends, with its line break.
fn end_of_line(text: &str, end: usize) -> usize {
    let end = text[..end].trim_end().len();
    text[end..].find('\n').map_or(text.len(), |at| end + at + 1)
}

struct Reader<'a> {
    text: &'a str,
    events: Peekable<IntoIter<(Event<'a>, Range<usize>)>>,
    /// Where the last event ends in the source.
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

    /// The lines of the block that begins with this event.
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
            // Text without a paragraph around it, as in the items of a tight list.
            other => fill(&self.inline(Style::default(), Some((other, range))), columns),
        }
    }

    /// One item of a list: its mark, and its text at the side of the mark.
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

    /// Blocks below each other up to the end of what contains them.
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

    /// An empty line where the source has one between two blocks.
    fn gap(&self, before: usize, range: &Range<usize>, lines: &mut Vec<String>) {
        let gap = self.text.get(before..range.start);
        if !lines.is_empty() && gap.is_some_and(|gap| gap.contains('\n')) {
            lines.push(String::new());
        }
    }

    /// Text with its emphasis, up to the end of its block; `first` is an event that was taken already.
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
                        // Where a link leads is shown: nobody can point at it here.
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
            // Bare text ends where a block begins or its item ends, which the caller reads.
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

    /// A block of code, a little to the right; the lines of a diff in its colors.
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

    /// The lines up to the end of a block, as they are.
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

    /// The rows of a table, its head first.
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

/// The width of a line that may be colored.
fn width(line: &str) -> usize {
    measure_text_width(line)
}

#[cfg(test)]
mod tests;
