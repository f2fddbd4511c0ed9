//! Calls that wait for a person: what one wants, what was answered, and how often anybody is asked.
//!
//! An answer holds for one kind of access to one path, and for the rest of the command. A call that waits is judged
//! from its beginning once more when the answer comes, so that a yes never opens what was not asked about.

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
use tokio::sync::watch;

/// So often a person is asked during one command; what it wants beyond that is refused without asking.
pub(crate) const MOST_ASKED: u32 = 5;

/// What a command wants and the walls refuse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// What it tries.
    pub operation: Attempt,
    /// On what, by its real path.
    pub path: PathBuf,
    /// The program that tries it.
    pub program: PathBuf,
}

/// What was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    /// With the reason, for who reads the result.
    No(Phrase),
}

/// The path alone does not say which file it is: folders can change places while somebody thinks.
type Key = (Attempt, PathBuf, Identity);

/// Device and inode of what was asked about: of the file where it is read, of the folder around it where it is changed,
/// as many programs save by putting a new file in the old one's place.
pub(crate) type Identity = Option<(u64, u64)>;

/// Takes the answer to one question. Dropping it is a no.
#[derive(Debug)]
pub struct Reply {
    answers: Arc<Answers>,
    key: Key,
    is_given: bool,
}

impl Reply {
    /// Opens exactly what was asked about, to the rest of the command.
    pub fn allow(mut self) {
        self.give(Answer::Yes);
    }

    /// The command gets what it gets where nobody is asked.
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

/// Answers on their way to the warden, and how many of its calls wait for one.
#[derive(Debug)]
pub(crate) struct Answers {
    given: Mutex<Vec<(Key, Answer)>>,
    /// A byte in it for each answer.
    bell: [UnixStream; 2],
    waiting: watch::Sender<usize>,
}

impl Answers {
    pub(crate) fn new() -> io::Result<Arc<Self>> {
        let (rung, heard) = UnixStream::pair()?;
        rung.set_nonblocking(true)?;
        heard.set_nonblocking(true)?;
        Ok(Arc::new(Self { given: Mutex::default(), bell: [rung, heard], waiting: watch::channel(0).0 }))
    }

    /// Readable when there is an answer.
    pub(crate) fn bell(&self) -> BorrowedFd<'_> {
        self.bell[1].as_fd()
    }

    /// How many calls wait for a person.
    pub(crate) fn waiting(&self) -> watch::Receiver<usize> {
        self.waiting.subscribe()
    }

    fn put(&self, key: Key, answer: Answer) {
        self.given.lock().unwrap_or_else(PoisonError::into_inner).push((key, answer));
        // A full pipe is a bell that rings already.
        let _ = (&self.bell[0]).write(&[1]);
    }

    fn take(&self) -> Vec<(Key, Answer)> {
        // Before the answers are taken, so that none is left behind without a ring.
        let _ = (&self.bell[1]).read(&mut [0; 64]);
        std::mem::take(&mut *self.given.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What becomes of an attempt that the walls refuse.
pub(crate) enum Fate {
    /// A person opened it.
    Opened,
    /// Its call waits for a person.
    Waits,
    /// It is refused; with what a person said, where one was asked.
    Refused(Option<Phrase>),
}

/// What one command asked, and the calls that wait.
pub(crate) struct Asking {
    answers: Arc<Answers>,
    /// What was asked, and what was answered to it.
    asked: RefCell<BTreeMap<Key, Option<Answer>>>,
    waiting: RefCell<Vec<(Notification, Key)>>,
    /// What the call that is being carried out waits for.
    wish: RefCell<Option<(Wanted, Key)>>,
    count: Cell<u32>,
    pub(crate) walks: Walks,
}

/// An attempt, with what tells a deliberate one from one of a walk.
pub(crate) struct Attempted<'a> {
    pub(crate) operation: Attempt,
    pub(crate) real: &'a Path,
    pub(crate) identity: Identity,
    /// Whether it lies outside of what is open.
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

    /// What becomes of an attempt that is refused unless a person opens it.
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

    /// Has a call wait, where carrying it out came to a wish; asks, unless that is asked already.
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

    /// Takes the answers that have come, and gives the calls that need wait no longer.
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
        let waiting = self.waiting.borrow().len();
        self.answers.waiting.send_if_modified(|told| std::mem::replace(told, waiting) != waiting);
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.answers.waiting.send_replace(0);
    }
}
