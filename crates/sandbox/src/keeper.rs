//! The keeper: a small process between Deputy and each command that ends everything the command started.
//!
//! It is a fork of Deputy that starts the program and waits for two things: the program's end, and the end of its
//! lifeline, a pipe that only Deputy holds. The lifeline breaks when Deputy lets go of it and also when Deputy is
//! killed. In both cases the keeper kills what is left. It is the sub-reaper of all of it: whatever a program leaves
//! behind, however it detached itself, becomes the keeper's child, so having no child left proves that the tree is gone.
//!
//! Only system calls are made here: it is a fork of a process with many threads.
#![allow(unsafe_code)]

use crate::child::{self, Order, close_all_from};
use crate::launch::{Launch, Report, Step, owned, pipe};
use crate::processes;
use std::ffi::{c_int, c_long, c_void};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::ptr;

/// A keeper that runs.
pub(crate) struct Keeper {
    pub(crate) pid: i32,
    /// Readable when the keeper is gone.
    pub(crate) pidfd: OwnedFd,
    /// One [`Report`], then its end.
    pub(crate) report: OwnedFd,
    /// Dropping it ends the command and all it started.
    pub(crate) lifeline: OwnedFd,
}

/// Starts the keeper, and it the program.
pub(crate) fn start(launch: &Launch) -> io::Result<Keeper> {
    let (report, report_end) = pipe()?;
    let (lifeline_end, lifeline) = pipe()?;
    let mut stack = vec![0_u8; CHILD_STACK_BYTES];
    let mut kept: Vec<RawFd> = launch.stdio.iter().chain(&launch.passed).map(AsRawFd::as_raw_fd).collect();
    kept.extend(launch.walls.ruleset.as_ref().map(|ruleset| ruleset.as_raw_fd()));
    kept.extend([lifeline_end.as_raw_fd(), report_end.as_raw_fd()]);
    kept.sort_unstable();
    let mut task = Task {
        launch,
        stack: &mut stack,
        kept: &kept,
        lifeline: lifeline_end.as_raw_fd(),
        report: report_end.as_raw_fd(),
    };

    let blocked = BlockedSignals::block();
    let mut pidfd: c_int = -1;
    // SAFETY: without `CLONE_VM` this is a fork: the child has its own copy of this stack and only calls `keep`, which never returns.
    let pid = unsafe {
        let flags = (libc::CLONE_PIDFD | libc::SIGCHLD) as c_long;
        libc::syscall(libc::SYS_clone, flags, 0 as c_long, &raw mut pidfd, 0 as c_long, 0 as c_long)
    };
    if pid == 0 {
        keep(&mut task);
    }
    let failure = io::Error::last_os_error();
    drop(blocked);
    if pid < 0 {
        return Err(failure);
    }
    Ok(Keeper { pid: pid as i32, pidfd: owned(pidfd), report, lifeline })
}

/// What the keeper works with, all of it made before the fork.
struct Task<'a> {
    launch: &'a Launch,
    stack: &'a mut [u8],
    /// Descriptors that the keeper needs, ascending.
    kept: &'a [RawFd],
    lifeline: RawFd,
    report: RawFd,
}

const CHILD_STACK_BYTES: usize = 64 * 1024;

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

/// The keeper's whole life.
fn keep(task: &mut Task<'_>) -> ! {
    let last = match detach(task).and_then(|signals| Ok((signals, spawn(task)?))) {
        Err(failure) => failure,
        Ok((signals, program)) => watch(program, signals, task.lifeline),
    };
    let bytes = last.to_bytes();
    // SAFETY: a buffer of the length given; then this process ends without running anything of Deputy's.
    unsafe {
        libc::write(task.report, bytes.as_ptr().cast::<c_void>(), bytes.len());
        libc::_exit(0)
    }
}

/// Leaves Deputy's session, terminal and descriptors, so that none of them is held open and no signal meant for Deputy
/// arrives. Gives a descriptor that tells of children's ends.
fn detach(task: &Task<'_>) -> Result<RawFd, Report> {
    let failed = |step| Report::Failed(step, errno());
    // SAFETY: plain system calls on an initialised set.
    unsafe {
        if libc::setsid() < 0 || libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0 {
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
fn spawn(task: &mut Task<'_>) -> Result<c_int, Report> {
    let mut order = Order { launch: task.launch, failure: None };
    // SAFETY: the child runs on its own stack, in this memory, while this process stands still (`CLONE_VFORK`).
    let program = unsafe {
        let top = task.stack.as_mut_ptr().add(task.stack.len() & !15);
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
        libc::clone(child::enter, top.cast(), flags, (&raw mut order).cast())
    };
    if program < 0 {
        return Err(Report::Failed(Step::Clone, errno()));
    }
    if let Some((step, errno)) = order.failure {
        return Err(Report::Failed(step, errno));
    }
    let launch = task.launch;
    for fd in launch.stdio.iter().chain(&launch.passed) {
        // SAFETY: this process never uses them again; it holding them would keep the output pipes from ending.
        unsafe { libc::close(fd.as_raw_fd()) };
    }
    // SAFETY: a plain system call. This process holds a copy of Deputy's memory, which nobody else is to read.
    unsafe { libc::prctl(libc::PR_SET_DUMPABLE, 0, 0, 0, 0) };
    Ok(program)
}

/// Waits for the program's end or the lifeline's, then until nothing is left.
fn watch(program: c_int, signals: RawFd, lifeline: RawFd) -> Report {
    // What is told when the program itself could not be waited for; it was killed then.
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
