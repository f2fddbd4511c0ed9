//! Relays the logs of the sidecar: keys are redacted, long lines are cut, and excess lines are dropped.

use crate::LogSink;
use crate::redact::Redactor;
use deputy_protocol::LogLevel;
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::time::{Duration, Instant};

/// The maximum length of a relayed line, in bytes.
const LINE_BYTES: usize = 2_000;
/// The maximum number of lines relayed in one `WINDOW`: more than a working backend writes, less than fills a disk.
const LINES_PER_WINDOW: usize = 500;
const WINDOW: Duration = Duration::from_secs(10);
/// The number of lines of stderr that an error quotes.
const LAST_WORDS: usize = 6;

pub(crate) struct Relay {
    redactor: Arc<Redactor>,
    sink: Option<LogSink>,
    window_began: Instant,
    lines_in_window: usize,
    left_out: usize,
    last_words: VecDeque<String>,
    /// Whether a private key is being written, line by line.
    in_private_key: bool,
}

impl Relay {
    pub(crate) fn new(redactor: Arc<Redactor>, sink: Option<LogSink>) -> Self {
        Self {
            redactor,
            sink,
            window_began: Instant::now(),
            lines_in_window: 0,
            left_out: 0,
            last_words: VecDeque::new(),
            in_private_key: false,
        }
    }

    /// Relays a `log` notification, or a message of the core. `false` if there were too many.
    pub(crate) fn log(&mut self, level: LogLevel, message: &str) -> bool {
        let line = self.redactor.line(message, LINE_BYTES);
        self.pass(level, &line)
    }

    /// Relays a line of stderr. `cut` is true if its end is missing.
    pub(crate) fn stderr(&mut self, bytes: &[u8], cut: bool) {
        let text = String::from_utf8_lossy(bytes);
        if self.is_of_private_key(&text) {
            return;
        }
        let line = if cut {
            self.redactor.cut_line(&text, LINE_BYTES)
        } else {
            self.redactor.line(&text, LINE_BYTES)
        };
        if line.is_empty() {
            return;
        }
        self.pass(LogLevel::Info, &line);
        if self.last_words.len() == LAST_WORDS {
            self.last_words.pop_front();
        }
        self.last_words.push_back(line);
    }

    /// Returns whether a line is part of a private key. Single lines of a key have no recognizable shape, so all of
    /// them are dropped, including the first and the last.
    fn is_of_private_key(&mut self, line: &str) -> bool {
        let is_mark = |word: &str| line.contains(word) && line.contains("PRIVATE KEY");
        let was_in = self.in_private_key;
        if is_mark("-----BEGIN") {
            self.in_private_key = !is_mark("-----END");
            // A key on a single line is handled by the redactor.
            return self.in_private_key;
        }
        if was_in {
            self.in_private_key = !is_mark("-----END");
        }
        was_in
    }

    /// Returns the last lines of stderr since the last call.
    pub(crate) fn take_last_words(&mut self) -> Vec<String> {
        self.last_words.drain(..).collect()
    }

    fn pass(&mut self, level: LogLevel, line: &str) -> bool {
        if self.window_began.elapsed() >= WINDOW {
            self.window_began = Instant::now();
            self.lines_in_window = 0;
            let left_out = std::mem::take(&mut self.left_out);
            if left_out > 0 {
                self.write(
                    LogLevel::Warning,
                    &format!("{left_out} lines of the sidecar's log were left out"),
                );
            }
        }
        if self.lines_in_window == LINES_PER_WINDOW {
            self.left_out += 1;
            return false;
        }
        self.lines_in_window += 1;
        self.write(level, line);
        true
    }

    fn write(&self, level: LogLevel, line: &str) {
        match level {
            LogLevel::Debug => tracing::debug!(target: "sidecar", "{line}"),
            LogLevel::Info => tracing::info!(target: "sidecar", "{line}"),
            LogLevel::Warning => tracing::warn!(target: "sidecar", "{line}"),
            LogLevel::Error => tracing::error!(target: "sidecar", "{line}"),
        }
        if let Some(sink) = &self.sink {
            sink(level, line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[tokio::test(start_paused = true)]
    async fn a_flood_is_left_out_and_said_to_be() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let sink: LogSink = {
            let seen = seen.clone();
            Arc::new(move |_, line: &str| seen.lock().unwrap().push(line.to_owned()))
        };
        let mut relay = Relay::new(Arc::new(Redactor::new([], |text| text.into())), Some(sink));
        for _ in 0..LINES_PER_WINDOW + 7 {
            relay.log(LogLevel::Info, "again");
        }
        assert_eq!(seen.lock().unwrap().len(), LINES_PER_WINDOW);
        tokio::time::advance(WINDOW).await;
        relay.log(LogLevel::Info, "later");
        let seen = seen.lock().unwrap();
        assert_eq!(
            seen[LINES_PER_WINDOW..],
            ["7 lines of the sidecar's log were left out".to_owned(), "later".to_owned()]
        );
    }

    #[test]
    fn a_private_key_is_left_out_line_by_line() {
        let mut relay = Relay::new(Arc::new(Redactor::new([], |text| text.into())), None);
        for line in ["a", "x -----BEGIN RSA PRIVATE KEY-----", "MIIE", "-----END RSA PRIVATE KEY-----", "b"] {
            relay.stderr(line.as_bytes(), false);
        }
        assert_eq!(relay.take_last_words(), ["a", "b"]);
    }

    #[test]
    fn last_words_are_the_last_lines_without_keys() {
        let mut relay =
            Relay::new(Arc::new(Redactor::new([&"secret-key-1".to_owned()], |text| text.into())), None);
        for index in 0..20 {
            relay.stderr(format!("line {index} secret-key-1").as_bytes(), false);
        }
        let words = relay.take_last_words();
        assert_eq!(words.len(), LAST_WORDS);
        assert_eq!(words[LAST_WORDS - 1], "line 19 [redacted]");
        assert!(relay.take_last_words().is_empty());
    }
}
