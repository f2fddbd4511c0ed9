//! How a command ended and what it printed.

use deputy_messages::Phrase;
pub use deputy_protocol::AttemptKind as Attempt;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What came of a command.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub ended: Ended,
    /// Its standard output.
    pub stdout: Captured,
    /// Its standard error.
    pub stderr: Captured,
    /// From before the start until everything it had started was gone.
    pub duration: Duration,
    /// What the warden refused, each kind of attempt on a path once, the first of them.
    pub refused: Vec<Refused>,
}

/// An attempt that the walls refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What the command tried.
    pub operation: Attempt,
    /// On what, by its real path.
    pub path: PathBuf,
    /// Why not.
    pub why: Phrase,
}

/// Collects what was refused, within bounds.
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
    /// By itself, with this code. Inside bubblewrap a signal `n` shows as `128 + n`, as in a shell.
    Exited(i32),
    /// By this signal, which was neither the time-out nor a cancellation.
    Signalled(i32),
    /// It took longer than its limit.
    TimedOut,
    /// One of its processes had more memory in use than its limit.
    OutOfMemory,
    /// The caller took it back.
    Cancelled,
}

/// One output stream: its beginning and its end; what lay between is only counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The first bytes.
    pub head: Vec<u8>,
    /// The last bytes; empty while everything fits into `head`.
    pub tail: Vec<u8>,
    /// Bytes between the two.
    pub omitted_bytes: u64,
}

impl Captured {
    /// As text for people and planners: bytes that are not UTF-8 become `U+FFFD`, what is left out is said.
    pub fn text(&self) -> String {
        if self.omitted_bytes == 0 {
            let whole = [self.head.as_slice(), self.tail.as_slice()].concat();
            return String::from_utf8_lossy(&whole).into_owned();
        }
        format!(
            "{}\n[... {} bytes omitted ...]\n{}",
            String::from_utf8_lossy(trim_cut_end(&self.head)),
            self.omitted_bytes,
            String::from_utf8_lossy(trim_cut_start(&self.tail)),
        )
    }
}

/// Leaves out a character that the cut halved, so that the cut itself shows no replacement character.
fn trim_cut_end(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        _ => bytes,
    }
}

/// Leaves out the rest of a character that the cut halved.
fn trim_cut_start(bytes: &[u8]) -> &[u8] {
    let is_rest = |byte: &&u8| (0x80..0xC0).contains(*byte);
    &bytes[bytes.iter().take(3).take_while(is_rest).count()..]
}

/// Collects one stream within its bounds.
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
        assert_eq!(captured(2, 2, &["aé---éb".as_bytes()]).text(), "a\n[... 5 bytes omitted ...]\nb");
    }
}
