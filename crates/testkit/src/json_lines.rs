//! Reads the output of `deputy --json`: one JSON object per line.

use serde::de::DeserializeOwned;
use std::io::{self, BufRead};

/// A stream of objects.
pub struct JsonLines<R> {
    stream: R,
    line: String,
}

impl<R: BufRead> JsonLines<R> {
    /// Reads from `stream`, e.g. the buffered standard output of a child.
    pub fn new(stream: R) -> Self {
        Self { stream, line: String::new() }
    }

    /// Reads the next object. `None` at the end of the stream. A line that is not a `T` is an error that quotes the
    /// line.
    pub fn read<T: DeserializeOwned>(&mut self) -> io::Result<Option<T>> {
        self.line.clear();
        if self.stream.read_line(&mut self.line)? == 0 {
            return Ok(None);
        }
        serde_json::from_str(&self.line).map(Some).map_err(|error| {
            io::Error::new(
                io::ErrorKind::InvalidData,
                format!("{error} in the line: {}", self.line.trim_end()),
            )
        })
    }

    /// Reads objects until `wanted` accepts one, and returns it. Fails if the stream ends first.
    pub fn wait_for<T: DeserializeOwned>(&mut self, mut wanted: impl FnMut(&T) -> bool) -> io::Result<T> {
        while let Some(object) = self.read()? {
            if wanted(&object) {
                return Ok(object);
            }
        }
        Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the output ended before the awaited line"))
    }

    /// Reads until the end of the stream and discards the content.
    pub fn drain(&mut self) -> io::Result<()> {
        io::copy(&mut self.stream, &mut io::sink()).map(drop)
    }

    /// Reads all objects until the end of the stream.
    pub fn rest<T: DeserializeOwned>(&mut self) -> io::Result<Vec<T>> {
        std::iter::from_fn(|| self.read().transpose()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn objects_come_one_by_one_and_bad_lines_are_quoted() {
        let mut lines = JsonLines::new(&b"{\"a\":1}\n{\"a\":2}\n{\"a\":3}\nnot json\n"[..]);
        let second: Value = lines.wait_for(|object: &Value| object["a"] == 2).unwrap();
        assert_eq!(second, json!({"a": 2}));
        assert_eq!(lines.read::<Value>().unwrap(), Some(json!({"a": 3})));
        assert!(lines.read::<Value>().unwrap_err().to_string().contains("not json"));
        assert_eq!(lines.wait_for::<Value>(|_| true).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(JsonLines::new(&b"1\n2\n"[..]).rest::<u32>().unwrap(), [1, 2]);
    }
}
