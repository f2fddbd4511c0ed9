//! Threads that open named pipes on behalf of processes. Such an open blocks until another process opens the other end.

use super::carry::reopen;
use super::listener::Listener;
use rustix::io::Errno;
use std::ffi::c_int;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The opens that are blocked.
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
    /// The maximum number of blocked opens. Further ones fail with `EMFILE`.
    const MOST: usize = 64;

    pub(crate) fn new(listener: Arc<Listener>) -> Self {
        Self { listener, opens: Vec::new() }
    }

    /// Opens the pipe in a separate thread, which answers the call.
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

    /// Returns the number of milliseconds after which to check for processes that are gone. `None` if no open is
    /// blocked.
    pub(crate) fn look_again_ms(&self) -> Option<u16> {
        const OFTEN_ENOUGH: u16 = 200;
        (!self.opens.is_empty()).then_some(OFTEN_ENOUGH)
    }

    /// Ends the opens of processes that are gone.
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
    /// Briefly opens both ends of the pipe, so that a blocked open continues.
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
