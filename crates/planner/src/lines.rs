//! Reads lines of limited length from an untrusted stream.

use std::io;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// A line without its line feed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Whole(Vec<u8>),
    /// The beginning of a line that is longer than the limit; the rest is discarded.
    Cut(Vec<u8>),
}

/// Reads lines, and never holds more than `limit` bytes.
pub(crate) struct LineReader<R> {
    stream: BufReader<R>,
    line: Vec<u8>,
    limit: usize,
    /// Whether the rest of a long line is being discarded.
    dropping: bool,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    pub(crate) fn new(stream: R, limit: usize) -> Self {
        Self { stream: BufReader::new(stream), line: Vec::new(), limit, dropping: false }
    }

    /// Returns the next line. `None` at the end of the stream. Cancel safe.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let chunk = self.stream.fill_buf().await?;
            if chunk.is_empty() {
                let rest = std::mem::take(&mut self.line);
                return Ok((!rest.is_empty()).then_some(Line::Whole(rest)));
            }
            let feed = chunk.iter().position(|byte| *byte == b'\n');
            let piece = &chunk[..feed.unwrap_or(chunk.len())];
            let read = piece.len() + usize::from(feed.is_some());
            let room = self.limit - self.line.len();
            let too_long = !self.dropping && piece.len() > room;
            if !self.dropping {
                self.line.extend_from_slice(&piece[..piece.len().min(room)]);
            }
            self.stream.consume(read);
            let was_dropping = self.dropping;
            self.dropping = (was_dropping || too_long) && feed.is_none();
            if too_long {
                return Ok(Some(Line::Cut(std::mem::take(&mut self.line))));
            }
            if feed.is_some() && !was_dropping {
                return Ok(Some(Line::Whole(std::mem::take(&mut self.line))));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn lines(text: &[u8], limit: usize) -> Vec<Line> {
        let mut reader = LineReader::new(text, limit);
        let mut lines = Vec::new();
        while let Some(line) = reader.next().await.unwrap() {
            lines.push(line);
        }
        lines
    }

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    #[tokio::test]
    async fn lines_end_at_line_feeds_and_at_the_end() {
        assert_eq!(lines(b"a\n\nbc\nd", 8).await, [whole("a"), whole(""), whole("bc"), whole("d")]);
        assert_eq!(lines(b"", 8).await, []);
    }

    #[tokio::test]
    async fn a_long_line_is_cut_once_and_the_next_one_is_whole() {
        let cut = Line::Cut(b"abcd".to_vec());
        assert_eq!(lines(b"abcd\nabcde\nx\n", 4).await, [whole("abcd"), cut, whole("x")]);
        let mut endless = vec![b'y'; 100_000];
        endless.extend_from_slice(b"\nz");
        assert_eq!(lines(&endless, 4).await, [Line::Cut(b"yyyy".to_vec()), whole("z")]);
    }
}
