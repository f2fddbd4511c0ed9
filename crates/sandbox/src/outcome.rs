//! How a command ended and what it printed.

use deputy_messages::Phrase;
pub use deputy_protocol::AttemptKind as Attempt;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The result of running a command.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How the command ended.
    pub ended: Ended,
    /// The standard output.
    pub stdout: Captured,
    /// The standard error.
    pub stderr: Captured,
    /// The time from before the start until everything that the command started was gone, without the time in which it
    /// waited for a person.
    pub duration: Duration,
    /// The first attempts that the warden refused. Each kind of attempt on a path is listed once.
    pub refused: Vec<Refused>,
    /// What the command left running when it ended by itself. It was killed then.
    pub left_running: LeftRunning,
}

/// Processes that a command left running.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftRunning {
    /// Their number, without processes that they started themselves. 0 if the machine does not tell.
    pub count: usize,
    /// The names of the first, as the kernel has them (up to 15 bytes). They can be anything.
    pub names: Vec<String>,
}

/// An attempt that the sandbox refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What the command tried.
    pub operation: Attempt,
    /// The real path.
    pub path: PathBuf,
    /// The reason.
    pub why: Phrase,
}

/// Collects refused attempts, up to a limit.
#[derive(Debug, Default)]
pub(crate) struct Refusals(Mutex<Vec<Refused>>);

impl Refusals {
    pub(crate) fn add(&self, refused: Refused) {
        const MOST: usize = 32;
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() < MOST && !all.contains(&refused) {
            all.push(refused);
        }
    }

    pub(crate) fn take(&self) -> Vec<Refused> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It exited with this code. Inside bubblewrap, a signal `n` is reported as `128 + n`, as in a shell.
    Exited(i32),
    /// It was killed by this signal, not because of a timeout or cancellation.
    Signalled(i32),
    /// It exceeded its time limit.
    TimedOut,
    /// One of its processes exceeded its memory limit.
    OutOfMemory,
    /// Killed because its temporary files used more disk space than they may.
    TemporaryFilesFull,
    /// The caller cancelled it.
    Cancelled,
}

/// An output stream: its beginning and its end. The bytes in between are only counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The first bytes.
    pub head: Vec<u8>,
    /// The last bytes. Empty if everything fits into `head`.
    pub tail: Vec<u8>,
    /// The number of bytes between the two.
    pub omitted_bytes: u64,
}

impl Captured {
    /// Returns the stream as text for people and planners. Invalid UTF-8 becomes `U+FFFD`, and the number of omitted
    /// bytes is stated.
    pub fn text(&self) -> String {
        match self.parts() {
            (whole, 0, _) => whole,
            (head, omitted, tail) => format!("{head}\n[... {omitted} bytes omitted ...]\n{tail}"),
        }
    }

    /// Returns the beginning as text, the number of bytes after it that are not kept, and the end. Invalid UTF-8 becomes
    /// `U+FFFD`, and a character of which a part is missing counts as not kept. If everything is kept, it is all in the
    /// beginning.
    pub fn parts(&self) -> (String, u64, String) {
        if self.omitted_bytes == 0 {
            let whole = [self.head.as_slice(), self.tail.as_slice()].concat();
            return (String::from_utf8_lossy(&whole).into_owned(), 0, String::new());
        }
        let (head, tail) = (trim_cut_end(&self.head), trim_cut_start(&self.tail));
        let trimmed = self.head.len() - head.len() + self.tail.len() - tail.len();
        let omitted = self.omitted_bytes + trimmed as u64;
        (String::from_utf8_lossy(head).into_owned(), omitted, String::from_utf8_lossy(tail).into_owned())
    }
}

/// Removes an incomplete character at the end, so that the cut does not produce a replacement character.
fn trim_cut_end(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        _ => bytes,
    }
}

/// Removes the rest of an incomplete character at the start.
fn trim_cut_start(bytes: &[u8]) -> &[u8] {
    let is_rest = |byte: &&u8| (0x80..0xC0).contains(*byte);
    &bytes[bytes.iter().take(3).take_while(is_rest).count()..]
}

/// Collects a stream within its limits.
#[derive(Debug)]
pub(crate) struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    head_bytes: usize,
    tail_bytes: usize,
    omitted_bytes: u64,
}

impl Capture {
    pub(crate) fn new(head_bytes: usize, tail_bytes: usize) -> Self {
        Self { head: Vec::new(), tail: VecDeque::new(), head_bytes, tail_bytes, omitted_bytes: 0 }
    }

    pub(crate) fn push(&mut self, chunk: &[u8]) {
        let into_head = chunk.len().min(self.head_bytes - self.head.len());
        let (head, rest) = chunk.split_at(into_head);
        self.head.extend_from_slice(head);
        let skipped = rest.len().saturating_sub(self.tail_bytes);
        let rest = &rest[skipped..];
        let displaced = (self.tail.len() + rest.len()).saturating_sub(self.tail_bytes);
        self.tail.drain(..displaced);
        self.tail.extend(rest);
        self.omitted_bytes += (skipped + displaced) as u64;
    }

    pub(crate) fn finish(self) -> Captured {
        Captured { head: self.head, tail: self.tail.into(), omitted_bytes: self.omitted_bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(head: usize, tail: usize, chunks: &[&[u8]]) -> Captured {
        let mut capture = Capture::new(head, tail);
        chunks.iter().for_each(|chunk| capture.push(chunk));
        capture.finish()
    }

    #[test]
    fn what_fits_is_whole() {
        let all = captured(4, 4, &[b"abc", b"def", b"gh"]);
        assert_eq!((all.text().as_str(), all.omitted_bytes), ("abcdefgh", 0));
    }

    #[test]
    fn the_middle_is_counted() {
        for chunks in [
            &[b"abcdefghijkl".as_slice()] as &[&[u8]],
            &[b"abcde", b"fghij", b"kl"],
            &[b"a", b"bcdefghijk", b"l"],
        ] {
            let cut = captured(3, 2, chunks);
            assert_eq!(
                (cut.head.as_slice(), cut.tail.as_slice(), cut.omitted_bytes),
                (&b"abc"[..], &b"kl"[..], 7)
            );
            assert_eq!(cut.text(), "abc\n[... 7 bytes omitted ...]\nkl");
        }
    }

    #[test]
    fn nothing_kept_is_all_counted() {
        let none = captured(0, 0, &[b"abc", b"de"]);
        assert_eq!((none.head.len(), none.tail.len(), none.omitted_bytes), (0, 0, 5));
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced_and_halved_characters_left_out() {
        assert_eq!(captured(9, 9, &[b"a\xffb"]).text(), "a\u{fffd}b");
        assert_eq!(captured(2, 2, &["aé---éb".as_bytes()]).text(), "a\n[... 7 bytes omitted ...]\nb");
    }
}
