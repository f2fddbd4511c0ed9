//! The keeper: a small process between Deputy and each command that ends everything the command started.
//!
//! It starts the program and waits for two things: the program's end, and the end of its lifeline, a pipe that only
//! Deputy holds. The lifeline breaks when Deputy lets go of it and also when Deputy is killed. In both cases the keeper
//! kills what is left. It is the sub-reaper of all of it: whatever a program leaves behind, however it detached itself,
//! becomes the keeper's child, so having no child left proves that the tree is gone.
//!
//! It runs in Deputy's memory, on a stack of its own, while the thread that started it is suspended (`CLONE_VM |
//! CLONE_VFORK`): no page is copied, then or later. So it may use what that thread lent it, and the thread's own
//! storage (`errno`), and nothing else: it makes system calls, and no allocation, no lock and no panic. It is another
//! process all the same, with descriptors, signals and an end of its own. `docs/decisions` says why it is made so.
#![allow(unsafe_code)]

use crate::child::{self, Order, close_all_from};
use crate::launch::{Launch, Report, Step};
use crate::processes;
use std::ffi::{c_int, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

/// The number of a keeper, as soon as there is one. The kernel writes it before the keeper's first step.
#[derive(Debug, Default)]
pub(crate) struct Number(AtomicI32);

impl Number {
    pub(crate) fn get(&self) -> Option<i32> {
        Some(self.0.load(Ordering::Acquire)).filter(|number| *number > 0)
    }
}

/// A keeper that has ended, and with it all that it kept. It is buried when this is dropped: until then its number
/// cannot come to mean another process.
#[derive(Debug)]
pub(crate) struct Gone {
    keeper: Option<i32>,
    /// None where the keeper was killed.
    pub(crate) report: Option<Report>,
}

impl Drop for Gone {
    fn drop(&mut self) {
        let Some(keeper) = self.keeper else { return };
        // SAFETY: a plain system call. `__WALL` because its end sends no signal.
        unsafe { libc::waitpid(keeper, ptr::null_mut(), libc::__WALL) };
    }
}

/// Starts the keeper, and it the program; the calling thread is suspended until all of it is gone. Only the death of
/// this process ends the wait sooner.
pub(crate) fn keep(launch: &Launch, lifeline: &OwnedFd, number: &Number) -> Gone {
    let [mut keepers_stack, mut childs_stack] = [(); 2].map(|()| Box::new_uninit_slice(STACK_BYTES));
    let mut kept: Vec<RawFd> = launch.stdio.iter().chain(&launch.passed).map(AsRawFd::as_raw_fd).collect();
    kept.extend(launch.walls.rulesets.iter().map(|ruleset| ruleset.as_raw_fd()));
    kept.extend(launch.walls.summons.as_ref().map(|summons| summons.socket.as_raw_fd()));
    kept.extend(launch.group.as_ref().map(|group| group.members.as_raw_fd()));
    kept.extend(launch.network.iter().flat_map(crate::Network::descriptors));
    kept.push(lifeline.as_raw_fd());
    kept.sort_unstable();
    let mut task = Task {
        launch,
        childs_stack: top(&mut childs_stack),
        kept: &kept,
        lifeline: lifeline.as_raw_fd(),
        child: AtomicI32::new(0),
        report: None,
    };

    let blocked = BlockedSignals::block();
    // SAFETY: the keeper gets a stack of its own and this `task`, all of which this frame owns; this thread is suspended
    // until the keeper has left the memory they share (`CLONE_VFORK`). It sends no signal at its end.
    let pid = unsafe {
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PARENT_SETTID;
        libc::clone(enter, top(&mut keepers_stack), flags, (&raw mut task).cast(), number.0.as_ptr())
    };
    let failure = errno();
    drop(blocked);
    if pid < 0 {
        return Gone { keeper: None, report: Some(Report::Failed(Step::Clone, failure)) };
    }
    // It has left the memory, and is on its way out: its descriptors go a moment later.
    // SAFETY: the kernel writes into one structure.
    unsafe {
        let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
        let how = libc::WEXITED | libc::WNOWAIT | libc::__WALL;
        libc::waitid(libc::P_PID, pid as libc::id_t, info.as_mut_ptr(), how);
    }
    // A keeper that was killed may leave a child in this memory, which is about to execute or to die of the keeper's death.
    while task.child.load(Ordering::Acquire) != 0 {
        std::thread::sleep(CHILD_IS_LEAVING);
    }
    Gone { keeper: Some(pid), report: task.report }
}

/// What the keeper works with, all of it made before there is one.
struct Task<'a> {
    launch: &'a Launch,
    childs_stack: *mut c_void,
    /// Descriptors that the keeper needs, ascending.
    kept: &'a [RawFd],
    lifeline: RawFd,
    /// The child's number, for as long as it is in this memory. The kernel writes it and takes it away.
    child: AtomicI32,
    /// The keeper's last word.
    report: Option<Report>,
}

const CHILD_IS_LEAVING: Duration = Duration::from_millis(1);

/// The deepest calls here hold a page of directory entries and little else.
const STACK_BYTES: usize = 64 * 1024;

/// Where a stack begins: at its end, aligned as calls want it.
fn top(stack: &mut [MaybeUninit<u8>]) -> *mut c_void {
    let end = stack.as_mut_ptr_range().end;
    end.wrapping_sub(end.addr() & 15).cast()
}

/// Keeps handlers of this process from running in the child before it has its own ways; undone when dropped.
struct BlockedSignals(libc::sigset_t);

impl BlockedSignals {
    fn block() -> Self {
        // SAFETY: both sets are written before they are read.
        unsafe {
            let mut all = std::mem::zeroed();
            let mut before = std::mem::zeroed();
            libc::sigfillset(&raw mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
            Self(before)
        }
    }
}

impl Drop for BlockedSignals {
    fn drop(&mut self) {
        // SAFETY: the set is what `block` was given.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, ptr::null_mut()) };
    }
}

/// The keeper's whole life. Returning ends it, and nothing of Deputy's is run at its end.
extern "C" fn enter(task: *mut c_void) -> c_int {
    // SAFETY: the starting thread lends its `Task` for as long as this process is in its memory.
    let task = unsafe { &mut *task.cast::<Task<'_>>() };
    task.report = Some(match detach(task).and_then(|signals| Ok((signals, spawn(task)?))) {
        Err(failure) => failure,
        Ok((signals, program)) => watch(program, signals, task.lifeline),
    });
    0
}

/// Leaves Deputy's process group and descriptors, so that none of them is held open and no signal meant for Deputy
/// arrives; what a terminal sends is blocked. The session stays Deputy's: the kernel gives each session a share of the
/// processors of its own, and on a busy machine a new one waits milliseconds for its turn. The program gets its own.
/// Gives a descriptor that tells of children's ends.
fn detach(task: &Task<'_>) -> Result<RawFd, Report> {
    let failed = |step| Report::Failed(step, errno());
    // SAFETY: plain system calls on an initialized set.
    unsafe {
        if libc::setpgid(0, 0) < 0 || libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0 {
            return Err(failed(Step::Clone));
        }
        close_all_from(0, task.kept.iter().copied()).map_err(|()| failed(Step::Descriptors))?;
        let mut child_ended = std::mem::zeroed();
        libc::sigemptyset(&raw mut child_ended);
        libc::sigaddset(&raw mut child_ended, libc::SIGCHLD);
        match libc::signalfd(-1, &raw const child_ended, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) {
            signals if signals >= 0 => Ok(signals),
            _ => Err(failed(Step::Descriptors)),
        }
    }
}

/// Starts the program and lets go of what was only for it.
fn spawn(task: &Task<'_>) -> Result<c_int, Report> {
    let mut order = Order { launch: task.launch, failure: None };
    // SAFETY: the child runs on its own stack, in this memory, while this process is suspended (`CLONE_VFORK`).
    let program = unsafe {
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
        let told = libc::CLONE_PARENT_SETTID | libc::CLONE_CHILD_CLEARTID;
        let no_storage = ptr::null_mut::<c_void>();
        let (stack, order, number) = (task.childs_stack, (&raw mut order).cast(), task.child.as_ptr());
        libc::clone(child::enter, stack, flags | told, order, number, no_storage, number)
    };
    if program < 0 {
        return Err(Report::Failed(Step::Clone, errno()));
    }
    if let Some((step, errno)) = order.failure {
        return Err(Report::Failed(step, errno));
    }
    // This process keeps its copies of the program's descriptors: they go with it, and Deputy's own when its thread
    // continues, so the output ends when all is gone. It does not make itself unreadable to the user's other processes
    // either (`PR_SET_DUMPABLE`): that is a mark of the memory, which is Deputy's.
    Ok(program)
}

/// Waits for the program's end or the lifeline's, then until nothing is left.
fn watch(program: c_int, signals: RawFd, lifeline: RawFd) -> Report {
    // What is reported when the program itself could not be waited for; it was killed then.
    let mut report = Report::Signalled(libc::SIGKILL);
    let mut ending = false;
    loop {
        match reap(program) {
            Reaped::Program(its) => {
                report = its;
                ending = true;
            }
            Reaped::Other => {}
            Reaped::NobodyEnded if ending => {
                processes::kill_children();
                wait(signals, -1, RETRY_MS);
            }
            Reaped::NobodyEnded => ending = wait(signals, lifeline, FOREVER_MS),
            Reaped::NobodyLeft => return report,
        }
    }
}

const FOREVER_MS: c_int = -1;
/// A killed process may take a while to go; looking again is cheap.
const RETRY_MS: c_int = 5;

/// Waits for a child's end, the lifeline's end (then it is true) or the time to pass.
fn wait(signals: RawFd, lifeline: RawFd, timeout_ms: c_int) -> bool {
    let mut watched = [signals, lifeline].map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 });
    let mut drained = [0_u8; size_of::<libc::signalfd_siginfo>()];
    // SAFETY: both buffers are as long as said; a negative descriptor is passed over by `poll`.
    unsafe {
        libc::poll(watched.as_mut_ptr(), 2, timeout_ms);
        libc::read(signals, drained.as_mut_ptr().cast(), drained.len());
    }
    watched[1].revents != 0
}

enum Reaped {
    Program(Report),
    Other,
    NobodyEnded,
    NobodyLeft,
}

/// Buries one child that has ended.
fn reap(program: c_int) -> Reaped {
    // SAFETY: both structures are written by the kernel before they are read.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let looked =
            libc::waitid(libc::P_ALL, 0, &raw mut info, libc::WEXITED | libc::WNOHANG | libc::WNOWAIT);
        if looked < 0 {
            return if errno() == libc::ECHILD { Reaped::NobodyLeft } else { Reaped::Other };
        }
        let ended = info.si_pid();
        if ended == 0 {
            return Reaped::NobodyEnded;
        }
        if ended == program {
            // While its leader is not buried the group's number cannot mean anybody else. One call ends the whole group, atomically.
            libc::kill(-program, libc::SIGKILL);
        }
        let mut status = 0;
        libc::waitpid(ended, &raw mut status, libc::WNOHANG);
        match ended == program {
            false => Reaped::Other,
            true if libc::WIFSIGNALED(status) => Reaped::Program(Report::Signalled(libc::WTERMSIG(status))),
            true => Reaped::Program(Report::Exited(libc::WEXITSTATUS(status))),
        }
    }
}

fn errno() -> c_int {
    io::Error::last_os_error().raw_os_error().unwrap_or(0)
}
