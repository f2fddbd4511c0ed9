//! The keyboard of a terminal: single keys where one letter answers, whole lines where words are typed.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};
use std::io::stdin;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use tokio::sync::mpsc;

/// What was typed: a line, or the keys that were pressed since the last time.
pub(super) struct Typed {
    /// When it was read.
    pub(super) at: Instant,
    pub(super) text: String,
}

impl Typed {
    /// The first key of it, in lower case. Keys that come as a sequence, such as arrows, are none that answer anything.
    pub(super) fn key(&self) -> Option<char> {
        let mut text = self.text.as_str();
        while let Some(sequence) = SEQUENCE.iter().find_map(|begin| text.strip_prefix(begin)) {
            let end = sequence.find(|letter| matches!(letter, '@'..='~'))?;
            text = &sequence[end + 1..];
        }
        let first = text.chars().next()?;
        Some(first.to_lowercase().next().unwrap_or(first))
    }
}

pub(super) const ESCAPE: char = '\u{1b}';
/// What a key begins with that is not a letter; it goes to the first letter after it.
const SEQUENCE: [&str; 2] = ["\u{1b}[", "\u{1b}O"];

/// Held while something is read, and while what was typed before is dropped. So whatever was typed before is dropped, or
/// has been read with the time at which it was: it never passes for an answer to what is asked next.
static READING: Mutex<()> = Mutex::new(());

/// The terminal's own way of reading, which comes back when this is dropped.
pub(super) struct Keyboard {
    usual: Option<Termios>,
}

impl Keyboard {
    pub(super) fn new() -> Self {
        Self { usual: tcgetattr(stdin()).ok() }
    }

    /// Reads single keys from here on, without showing them. What was typed before is dropped.
    pub(super) fn keys(&self) {
        let Some(usual) = &self.usual else { return };
        let _turn = READING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut keys = usual.clone();
        keys.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
        keys.special_codes[SpecialCodeIndex::VMIN] = 1;
        keys.special_codes[SpecialCodeIndex::VTIME] = 0;
        let _ = tcsetattr(stdin(), OptionalActions::Flush, &keys);
    }

    /// Reads lines from here on. What was typed before is dropped.
    pub(super) fn lines(&self) {
        let Some(usual) = &self.usual else { return };
        let _turn = READING.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = tcsetattr(stdin(), OptionalActions::Flush, usual);
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        self.lines();
    }
}

/// What is typed from here on. Reading blocks, so a thread of its own does it, until the process ends.
pub(super) fn typed() -> mpsc::UnboundedReceiver<Typed> {
    /// A terminal gives no longer line.
    const LONGEST_LINE: usize = 4096;
    let (sender, receiver) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        let mut bytes = [0; LONGEST_LINE];
        loop {
            // Waits without the lock, and then looks again: what has come may have been dropped meanwhile.
            if !has_come(None) {
                break;
            }
            let turn = READING.lock().unwrap_or_else(PoisonError::into_inner);
            if !has_come(Some(&Timespec::default())) {
                continue;
            }
            let text = match rustix::io::read(stdin(), &mut bytes) {
                Ok(0) => break,
                Ok(count) => String::from_utf8_lossy(&bytes[..count]).into_owned(),
                Err(rustix::io::Errno::INTR) => continue,
                Err(_) => break,
            };
            let at = Instant::now();
            drop(turn);
            if sender.send(Typed { at, text }).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Whether there is something to read, or the end of it. Without a limit it waits, and only fails if nothing can come.
fn has_come(limit: Option<&Timespec>) -> bool {
    let input = stdin();
    loop {
        match poll(&mut [PollFd::new(&input, PollFlags::IN)], limit) {
            Err(rustix::io::Errno::INTR) => {}
            found => return found.is_ok_and(|count| count > 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_answers_nothing_and_a_capital_letter_is_its_key() {
        let key = |text: &str| Typed { at: Instant::now(), text: text.to_owned() }.key();
        assert_eq!([key("Y\n"), key("\u{1b}[A"), key("\u{1b}[1;5C"), key("")], [Some('y'), None, None, None]);
        assert_eq!([key("\u{1b}"), key("\u{1b}[A?")], [Some(ESCAPE), Some('?')]);
    }
}
