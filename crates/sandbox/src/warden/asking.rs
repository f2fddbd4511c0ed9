//! Calls that wait for a person: what the command wants, the answers, and a limit on the number of questions.
//!
//! An answer applies to one kind of access to one path, for the rest of the command. When the answer arrives, a waiting
//! call is judged again from the beginning, so that a yes never allows more than what was asked.

use super::guard::Guard;
use super::listener::Notification;
use super::walks::Walks;
use crate::outcome::Attempt;
use deputy_messages::Phrase;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The maximum number of questions to a person during a command. Further attempts are refused without asking.
pub(crate) const MOST_ASKED: u32 = 5;

/// An access that a command wants and the sandbox refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The kind of access.
    pub operation: Attempt,
    /// The real path.
    pub path: PathBuf,
    /// The program that attempts it.
    pub program: PathBuf,
}

/// An answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    /// The reason is for the reader of the result.
    No(Phrase),
}

/// The key of a question. The path alone does not identify a file, because folders can be swapped before the answer.
type Key = (Attempt, PathBuf, Identity);

/// The device and inode in question: those of the file if it is read, or of its folder if it is changed. Many programs
/// save a file by replacing it with a new one.
pub(crate) type Identity = Option<(u64, u64)>;

/// Receives the answer to a question. Dropping it means no.
#[derive(Debug)]
pub struct Reply {
    answers: Arc<Answers>,
    key: Key,
    is_given: bool,
}

impl Reply {
    /// Allows exactly what was asked, for the rest of the command.
    pub fn allow(mut self) {
        self.give(Answer::Yes);
    }

    /// Refuses. The command gets the same result as if nobody were asked.
    pub fn refuse(mut self, why: impl Into<Phrase>) {
        self.give(Answer::No(why.into()));
    }

    fn give(&mut self, answer: Answer) {
        self.is_given = true;
        self.answers.put(self.key.clone(), answer);
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        if !self.is_given {
            self.give(Answer::No(Phrase::default()));
        }
    }
}

/// Answers on their way to the warden, and the number of its calls that wait for one.
#[derive(Debug)]
pub(crate) struct Answers {
    given: Mutex<Vec<(Key, Answer)>>,
    /// A socket pair with one byte for each answer.
    bell: [UnixStream; 2],
    waiting: watch::Sender<usize>,
    waited: Mutex<Waited>,
}

/// How long calls have waited for a person.
#[derive(Debug, Default)]
struct Waited {
    before: Duration,
    /// Since when at least one call waits.
    since: Option<Instant>,
}

impl Answers {
    pub(crate) fn new() -> io::Result<Arc<Self>> {
        let (rung, heard) = UnixStream::pair()?;
        rung.set_nonblocking(true)?;
        heard.set_nonblocking(true)?;
        Ok(Arc::new(Self {
            given: Mutex::default(),
            bell: [rung, heard],
            waiting: watch::channel(0).0,
            waited: Mutex::default(),
        }))
    }

    /// Returns a descriptor that becomes readable when there is an answer.
    pub(crate) fn bell(&self) -> BorrowedFd<'_> {
        self.bell[1].as_fd()
    }

    /// Returns the number of calls that wait for a person.
    pub(crate) fn waiting(&self) -> watch::Receiver<usize> {
        self.waiting.subscribe()
    }

    /// Returns how long at least one call waited for a person.
    pub(crate) fn waited(&self) -> Duration {
        let waited = self.waited.lock().unwrap_or_else(PoisonError::into_inner);
        waited.before + waited.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn set_waiting(&self, count: usize) {
        let mut waited = self.waited.lock().unwrap_or_else(PoisonError::into_inner);
        match count {
            0 => {
                let lately = waited.since.take().map_or(Duration::ZERO, |since| since.elapsed());
                waited.before += lately;
            }
            _ => {
                waited.since.get_or_insert_with(Instant::now);
            }
        }
        self.waiting.send_if_modified(|told| std::mem::replace(told, count) != count);
    }

    fn put(&self, key: Key, answer: Answer) {
        self.given.lock().unwrap_or_else(PoisonError::into_inner).push((key, answer));
        // If the pipe is full, the warden has already been notified.
        let _ = (&self.bell[0]).write(&[1]);
    }

    fn take(&self) -> Vec<(Key, Answer)> {
        // Drain before taking the answers, so that no answer is left without a notification.
        let _ = (&self.bell[1]).read(&mut [0; 64]);
        std::mem::take(&mut *self.given.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The result of an attempt that the sandbox refuses.
pub(crate) enum Fate {
    /// A person allowed it.
    Opened,
    /// The call waits for a person.
    Waits,
    /// It is refused. Holds the person's reason, if a person was asked.
    Refused(Option<Phrase>),
}

/// The questions of a command, and the calls that wait.
pub(crate) struct Asking {
    answers: Arc<Answers>,
    /// The questions, with the answers so far.
    asked: RefCell<BTreeMap<Key, Option<Answer>>>,
    waiting: RefCell<Vec<(Notification, Key)>>,
    /// The question of the call that is currently being performed.
    wish: RefCell<Option<(Wanted, Key)>>,
    count: Cell<u32>,
    pub(crate) walks: Walks,
}

/// An attempt, with the data that distinguishes a deliberate access from part of a walk.
pub(crate) struct Attempted<'a> {
    pub(crate) operation: Attempt,
    pub(crate) real: &'a Path,
    pub(crate) identity: Identity,
    /// Whether it is outside of all open folders.
    pub(crate) is_outside: bool,
    pub(crate) program: &'a dyn Fn() -> Option<PathBuf>,
    pub(crate) is_walk: &'a dyn Fn(&Walks) -> bool,
}

impl Asking {
    pub(crate) fn new(answers: Arc<Answers>) -> Self {
        Self {
            answers,
            asked: RefCell::default(),
            waiting: RefCell::default(),
            wish: RefCell::default(),
            count: Cell::new(0),
            walks: Walks::default(),
        }
    }

    /// Decides about an attempt that is refused unless a person allows it.
    pub(crate) fn fate(&self, guard: &dyn Guard, attempted: &Attempted<'_>) -> Fate {
        let key = (attempted.operation, attempted.real.to_owned(), attempted.identity);
        if let Some(answer) = self.asked.borrow().get(&key) {
            match answer {
                Some(Answer::Yes) => return Fate::Opened,
                Some(Answer::No(why)) => return Fate::Refused(Some(why.clone())),
                None => {}
            }
        }
        let is_asked = self.asked.borrow().contains_key(&key);
        if !is_asked
            && (self.count.get() >= MOST_ASKED
                || !guard.may_ask(attempted.operation, attempted.real, attempted.is_outside)
                || (attempted.is_walk)(&self.walks))
        {
            return Fate::Refused(None);
        }
        let Some(program) = (attempted.program)() else { return Fate::Refused(None) };
        let wish = Wanted { operation: attempted.operation, path: attempted.real.to_owned(), program };
        *self.wish.borrow_mut() = Some((wish, key));
        Fate::Waits
    }

    /// Makes a call wait if performing it raised a question. Asks the question unless it has been asked already.
    pub(crate) fn wait(&self, guard: &Arc<dyn Guard>, notification: Notification) -> bool {
        let Some((wanted, key)) = self.wish.borrow_mut().take() else { return false };
        self.waiting.borrow_mut().push((notification, key.clone()));
        let is_new = !self.asked.borrow().contains_key(&key);
        if is_new {
            self.asked.borrow_mut().insert(key.clone(), None);
            self.count.set(self.count.get() + 1);
        }
        self.tell();
        if is_new {
            guard.ask(wanted, Reply { answers: Arc::clone(&self.answers), key, is_given: false });
        }
        true
    }

    /// Takes the answers that have arrived, and returns the calls that no longer wait.
    pub(crate) fn answered(&self) -> Vec<Notification> {
        let mut ready = Vec::new();
        for (key, answer) in self.answers.take() {
            let is_of = |waiting: &mut (Notification, Key)| waiting.1 == key;
            ready.extend(
                self.waiting.borrow_mut().extract_if(.., is_of).map(|(notification, _)| notification),
            );
            self.asked.borrow_mut().insert(key, Some(answer));
        }
        self.tell();
        ready
    }

    /// Forgets calls whose process is gone.
    pub(crate) fn let_go(&self, still_waits: impl Fn(u64) -> bool) {
        self.waiting.borrow_mut().retain(|(notification, _)| still_waits(notification.id));
        self.tell();
    }

    pub(crate) fn is_waiting(&self) -> bool {
        !self.waiting.borrow().is_empty()
    }

    pub(crate) fn bell(&self) -> BorrowedFd<'_> {
        self.answers.bell()
    }

    fn tell(&self) {
        self.answers.set_waiting(self.waiting.borrow().len());
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.answers.set_waiting(0);
    }
}
