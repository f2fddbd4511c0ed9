//! Opening a pipe that has a name waits for somebody at its other end: threads that wait in the place of processes.

use super::carry::reopen;
use super::listener::Listener;
use rustix::io::Errno;
use std::ffi::c_int;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The opens that wait.
pub(crate) struct Waiting {
    listener: Arc<Listener>,
    opens: Vec<Open>,
}

struct Open {
    id: u64,
    held: Arc<OwnedFd>,
    is_done: Arc<AtomicBool>,
}

impl Waiting {
    /// How many may wait at once; a process that wants more gets `EMFILE`.
    const MOST: usize = 64;

    pub(crate) fn new(listener: Arc<Listener>) -> Self {
        Self { listener, opens: Vec::new() }
    }

    /// Waits in a thread of its own, which answers.
    pub(crate) fn add(&mut self, id: u64, held: OwnedFd, flags: c_int) {
        self.let_go();
        let held = Arc::new(held);
        let is_done = Arc::new(AtomicBool::new(false));
        let waits = {
            let (listener, held, is_done) =
                (Arc::clone(&self.listener), Arc::clone(&held), Arc::clone(&is_done));
            move || {
                match reopen(&held, flags, 0) {
                    Ok(fd) => listener.hand_over(id, fd.as_fd(), flags & libc::O_CLOEXEC != 0),
                    Err(error) => listener.answer(id, Err(error)),
                }
                is_done.store(true, Ordering::Release);
            }
        };
        let begun = self.opens.len() < Self::MOST
            && std::thread::Builder::new().name("warden-pipe".into()).spawn(waits).is_ok();
        match begun {
            true => self.opens.push(Open { id, held, is_done }),
            false => self.listener.answer(id, Err(Errno::NFILE)),
        }
    }

    /// After how many milliseconds to look for processes that are gone.
    pub(crate) fn look_again_ms(&self) -> Option<u16> {
        const OFTEN_ENOUGH: u16 = 200;
        (!self.opens.is_empty()).then_some(OFTEN_ENOUGH)
    }

    /// Ends the waiting for processes that are gone.
    pub(crate) fn let_go(&mut self) {
        let listener = Arc::clone(&self.listener);
        self.opens.retain(|open| {
            if !open.is_done.load(Ordering::Acquire) && !listener.still_waits(open.id) {
                open.wake();
            }
            !open.is_done.load(Ordering::Acquire)
        });
    }
}

impl Open {
    /// Comes to both ends of the pipe for a moment, so that a process waiting at one of them continues.
    fn wake(&self) {
        drop(reopen(&self.held, libc::O_RDWR | libc::O_NONBLOCK, 0));
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        for open in &self.opens {
            while !open.is_done.load(Ordering::Acquire) {
                open.wake();
                std::thread::yield_now();
            }
        }
    }
}
