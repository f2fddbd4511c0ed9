//! The keeper: a small process between Deputy and each command that kills everything that the command started.
//!
//! The keeper starts the program and waits for two events: the end of the program, and the end of its lifeline, a pipe
//! that only Deputy holds. The lifeline breaks when Deputy closes it and when Deputy is killed. In both cases, the
//! keeper kills everything that is left. The keeper is the subreaper of all these processes: every process that a
//! program leaves, no matter how it detached itself, becomes a child of the keeper. When the keeper has no children
//! left, the whole tree is gone.
//!
//! Before it kills what the program left, it notes what that is, so that nobody takes it to be running still. Inside
//! bubblewrap, the rest is killed by the kernel the moment bubblewrap ends. So the keeper traces bubblewrap, whose end
//! then waits until the keeper has looked.
//!
//! It runs in Deputy's memory, on a separate stack, while the thread that started it is suspended (`CLONE_VM |
//! CLONE_VFORK`), so no page is ever copied. Therefore it may only use what that thread passed to it, and the
//! thread-local `errno`. It makes system calls, but no allocation, no lock and no panic. It is nevertheless a separate
//! process, with its own descriptors, signals and exit. `docs/decisions` explains this design.
#![allow(unsafe_code)]

use crate::child::{self, Order, close_all_from};
use crate::launch::{Launch, Report, Step};
use crate::processes::{self, Left};
use std::ffi::{c_int, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

/// The process id of a keeper, once it exists. The kernel writes it before the keeper runs.
#[derive(Debug, Default)]
pub(crate) struct Number(AtomicI32);

impl Number {
    pub(crate) fn get(&self) -> Option<i32> {
        Some(self.0.load(Ordering::Acquire)).filter(|number| *number > 0)
    }
}

/// A keeper that has ended, together with everything it kept. It is reaped when this is dropped. Until then, its
/// process id cannot be reused.
#[derive(Debug)]
pub(crate) struct Gone {
    keeper: Option<i32>,
    /// `None` if the keeper was killed.
    pub(crate) report: Option<Report>,
    /// What the program left running when it ended by itself.
    pub(crate) left: Left,
}

impl Drop for Gone {
    fn drop(&mut self) {
        let Some(keeper) = self.keeper else { return };
        // SAFETY: a plain system call. `__WALL` is needed because the end of the keeper sends no signal.
        unsafe { libc::waitpid(keeper, ptr::null_mut(), libc::__WALL) };
    }
}

/// Starts the keeper, which starts the program. The calling thread is suspended until all processes are gone. Only the
/// death of this process ends the wait earlier.
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
        left: Left::default(),
    };

    let blocked = BlockedSignals::block();
    // SAFETY: the keeper gets a separate stack and this `task`, which this frame owns. This thread is suspended until
    // the keeper has left the shared memory (`CLONE_VFORK`). The keeper sends no signal when it ends.
    let pid = unsafe {
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PARENT_SETTID;
        libc::clone(enter, top(&mut keepers_stack), flags, (&raw mut task).cast(), number.0.as_ptr())
    };
    let failure = errno();
    drop(blocked);
    if pid < 0 {
        return Gone {
            keeper: None,
            report: Some(Report::Failed(Step::Clone, failure)),
            left: Left::default(),
        };
    }
    // The keeper has left the memory and is exiting. Its descriptors are closed a moment later.
    // SAFETY: the kernel writes into one structure.
    unsafe {
        let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
        let how = libc::WEXITED | libc::WNOWAIT | libc::__WALL;
        libc::waitid(libc::P_PID, pid as libc::id_t, info.as_mut_ptr(), how);
    }
    // A keeper that was killed may leave a child in this memory. That child is about to execute, or to die because of
    // the keeper's death.
    while task.child.load(Ordering::Acquire) != 0 {
        std::thread::sleep(CHILD_IS_LEAVING);
    }
    Gone { keeper: Some(pid), report: task.report, left: task.left }
}

/// The data of the keeper, created before it starts.
struct Task<'a> {
    launch: &'a Launch,
    childs_stack: *mut c_void,
    /// The descriptors that the keeper needs, in ascending order.
    kept: &'a [RawFd],
    lifeline: RawFd,
    /// The process id of the child, as long as it is in this memory. The kernel writes and clears it.
    child: AtomicI32,
    /// The final report of the keeper.
    report: Option<Report>,
    /// What the program left running.
    left: Left,
}

const CHILD_IS_LEAVING: Duration = Duration::from_millis(1);

/// The deepest calls hold a page of directory entries and little else.
const STACK_BYTES: usize = 64 * 1024;

/// Returns the initial stack pointer: the end of the stack, aligned for calls.
fn top(stack: &mut [MaybeUninit<u8>]) -> *mut c_void {
    let end = stack.as_mut_ptr_range().end;
    end.wrapping_sub(end.addr() & 15).cast()
}

/// Blocks signals, so that handlers of this process do not run in the child before it resets them. Unblocks them when
/// dropped.
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
        // SAFETY: the set is the one that `block` saved.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, ptr::null_mut()) };
    }
}

/// The main function of the keeper. Returning ends the process, without running any cleanup code of Deputy.
extern "C" fn enter(task: *mut c_void) -> c_int {
    // SAFETY: the starting thread lends its `Task` as long as this process is in its memory.
    let task = unsafe { &mut *task.cast::<Task<'_>>() };
    task.report = Some(match detach(task).and_then(|signals| Ok((signals, spawn(task)?))) {
        Err(failure) => failure,
        Ok((signals, program)) => watch(program, signals, task),
    });
    0
}

/// Leaves Deputy's process group and closes its descriptors, so that the keeper keeps none of them open and receives no
/// signals meant for Deputy. Blocks the signals that a terminal sends.
///
/// The session stays Deputy's: the kernel gives each session its own share of processor time, and on a busy machine a
/// new session waits for milliseconds. The program gets its own session. Returns a descriptor that reports when
/// children end.
fn detach(task: &Task<'_>) -> Result<RawFd, Report> {
    let failed = |step| Report::Failed(step, errno());
    // SAFETY: plain system calls on an initialized set.
    unsafe {
        if libc::setpgid(0, 0) < 0 || libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0 {
            return Err(failed(Step::Clone));
        }
        close_all_from(0, task.kept.iter().copied()).map_err(|()| failed(Step::Descriptors))?;
        // Otherwise a handler of Deputy's could decide which changes of children are signalled.
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        let mut child_ended = std::mem::zeroed();
        libc::sigemptyset(&raw mut child_ended);
        libc::sigaddset(&raw mut child_ended, libc::SIGCHLD);
        match libc::signalfd(-1, &raw const child_ended, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) {
            signals if signals >= 0 => Ok(signals),
            _ => Err(failed(Step::Descriptors)),
        }
    }
}

/// Starts the program and releases what was only needed for that.
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
    if task.launch.is_wrapped {
        // Bubblewrap has begun. If it cannot be traced, what it leaves is not noted.
        // SAFETY: a plain system call on a child that is not reaped.
        unsafe { libc::ptrace(libc::PTRACE_SEIZE, program, 0, libc::PTRACE_O_TRACEEXIT) };
    }
    // This process keeps its copies of the program's descriptors until it ends. Deputy closes its own copies when its
    // thread continues, so the output ends when everything is gone. The process also does not make itself unreadable to
    // the user's other processes (`PR_SET_DUMPABLE`), because that is a property of the memory, which is Deputy's.
    Ok(program)
}

/// Waits for the end of the program or of the lifeline, and then until no process is left.
fn watch(program: c_int, signals: RawFd, task: &mut Task<'_>) -> Report {
    // The report if the program could not be waited for; it was killed in that case.
    let mut report = Report::Signalled(libc::SIGKILL);
    let mut ending = false;
    loop {
        if task.launch.is_wrapped && is_at_end(program) {
            if !ending && let Some(first) = processes::first_child(program) {
                // The first process inside, which all that are left have as their parent.
                task.left = linger(|| Left::by(first, 0));
            }
            // SAFETY: a plain system call on a child that is not reaped.
            unsafe { libc::ptrace(libc::PTRACE_DETACH, program, 0, 0) };
        }
        let mut look = || {
            if !ending && !task.launch.is_wrapped {
                // SAFETY: a plain system call.
                let me = unsafe { libc::getpid() };
                task.left = linger(|| Left::by(me, program));
            }
        };
        match reap(program, &mut look) {
            Reaped::Program(its) => {
                report = its;
                ending = true;
            }
            Reaped::Other => {}
            Reaped::NobodyEnded if ending => {
                processes::kill_children();
                wait(signals, -1, RETRY_MS);
            }
            Reaped::NobodyEnded => ending = wait(signals, task.lifeline, FOREVER_MS),
            Reaped::NobodyLeft => return report,
        }
    }
}

/// Looks at what a program left until nothing is left, for a moment: processes that are about to end by themselves are
/// not what it left running.
fn linger(look: impl Fn() -> Left) -> Left {
    const LOOKS: usize = 10;
    let mut left = look();
    for _ in 0..LOOKS {
        if left.count == 0 {
            break;
        }
        // SAFETY: `poll` without descriptors only waits.
        unsafe { libc::poll(ptr::null_mut(), 0, RETRY_MS) };
        left = look();
    }
    left
}

/// Returns whether the traced program has stopped at its end. If it has stopped for any other reason, e.g. because a
/// signal was sent to it, it continues as if it were not traced.
fn is_at_end(program: c_int) -> bool {
    const AT_END: c_int = libc::SIGTRAP | libc::PTRACE_EVENT_EXIT << 8;
    loop {
        // SAFETY: the structure is written by the kernel before it is read.
        let stopped = unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let how = libc::WSTOPPED | libc::WNOHANG;
            let found = libc::waitid(libc::P_PID, program as libc::id_t, &raw mut info, how);
            if found < 0 || info.si_pid() == 0 {
                return false;
            }
            info.si_status()
        };
        if stopped == AT_END {
            return true;
        }
        let signal = if stopped >> 8 == 0 { stopped } else { 0 };
        // SAFETY: a plain system call on a child that is not reaped.
        unsafe { libc::ptrace(libc::PTRACE_CONT, program, 0, signal) };
    }
}

const FOREVER_MS: c_int = -1;
/// The time between retries in milliseconds. Killed processes may take a while to exit, and checking again is cheap.
const RETRY_MS: c_int = 5;

/// Waits for the end of a child, the end of the lifeline, or the timeout. Returns whether the lifeline ended.
fn wait(signals: RawFd, lifeline: RawFd, timeout_ms: c_int) -> bool {
    let mut watched = [signals, lifeline].map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 });
    let mut drained = [0_u8; size_of::<libc::signalfd_siginfo>()];
    // SAFETY: both buffers have the given length. `poll` ignores a negative descriptor.
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

/// Reaps one child that has ended. If it is the program, calls `look` before anything that it left is killed.
fn reap(program: c_int, look: &mut dyn FnMut()) -> Reaped {
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
        // The kernel reports stops to a tracer even if it waits for ends only. If a stop were reaped here, `is_at_end`
        // would not see it, and bubblewrap would stay stopped forever.
        if !matches!(info.si_code, libc::CLD_EXITED | libc::CLD_KILLED | libc::CLD_DUMPED) {
            return Reaped::Other;
        }
        if ended == program {
            look();
            // As long as the group leader is not reaped, the group id cannot be reused. A single call kills the whole
            // group atomically.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_stop_of_the_traced_program_is_not_taken_for_its_end() {
        let mut child = std::process::Command::new("/bin/sleep").arg("600").spawn().unwrap();
        let program = child.id() as c_int;
        let nothing = ptr::null_mut::<c_void>();
        let mut looks = 0;
        // SAFETY: plain system calls on a child that is not reaped.
        let (heard, is_still_told) = unsafe {
            assert_eq!(libc::ptrace(libc::PTRACE_SEIZE, program, 0, libc::PTRACE_O_TRACEEXIT), 0);
            assert_eq!(libc::ptrace(libc::PTRACE_INTERRUPT, program, 0, 0), 0);
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let stopped = libc::WSTOPPED | libc::WNOWAIT;
            assert_eq!(libc::waitid(libc::P_PID, program as libc::id_t, &raw mut info, stopped), 0);
            let heard = reap(program, &mut || looks += 1);
            let stopped = stopped | libc::WNOHANG;
            info = std::mem::zeroed();
            libc::waitid(libc::P_PID, program as libc::id_t, &raw mut info, stopped);
            libc::ptrace(libc::PTRACE_DETACH, program, nothing, nothing);
            (heard, info.si_pid() == program)
        };
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(matches!(heard, Reaped::Other) && is_still_told && looks == 0);
    }

    #[test]
    fn what_is_about_to_end_was_not_left_running() {
        let looks = Cell::new(0);
        let left_for = |most: usize| {
            looks.set(0);
            linger(|| {
                looks.set(looks.get() + 1);
                let mut left = Left::default();
                left.count = usize::from(looks.get() <= most);
                left
            })
        };
        assert_eq!((left_for(0).count, looks.get()), (0, 1));
        assert_eq!((left_for(3).count, looks.get()), (0, 4));
        assert_eq!(left_for(usize::MAX).count, 1);
    }
}
