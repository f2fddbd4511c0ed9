//! The child between `clone` and `execve`: everything it does to itself before the program runs.
//!
//! It runs in the keeper's memory, which is Deputy's, while the keeper is suspended (`CLONE_VM | CLONE_VFORK`), so that
//! no page is copied. It only makes system calls: no allocation, no lock, no panic.
#![allow(unsafe_code)]

use crate::launch::{Launch, Step};
use crate::warden::Summons;
use crate::warden::listener::{LISTENER_FLAGS, send_descriptor};
use std::ffi::{c_int, c_void};
use std::os::fd::{AsRawFd, RawFd};
use std::ptr;

/// The input of the child, and the field in which it stores the reason for a failure. The keeper reads it afterwards.
pub(crate) struct Order<'a> {
    pub(crate) launch: &'a Launch,
    pub(crate) failure: Option<(Step, c_int)>,
}

/// The entry point for `clone`. Returns only if the program could not be executed.
pub(crate) extern "C" fn enter(order: *mut c_void) -> c_int {
    // SAFETY: the keeper passes its `Order`, and is suspended until this process is gone or has executed.
    let order = unsafe { &mut *order.cast::<Order<'_>>() };
    order.failure = Some(become_program(order.launch));
    127
}

/// Performs all steps. Returns the one that failed.
fn become_program(launch: &Launch) -> (Step, c_int) {
    match prepare(launch) {
        Err(step) => (step, errno()),
        Ok(()) => {
            // SAFETY: null-terminated strings and lists that live in `launch`.
            unsafe { libc::execve(launch.program.as_ptr(), launch.argv.as_ptr(), launch.envp.as_ptr()) };
            (Step::Execute, errno())
        }
    }
}

fn prepare(launch: &Launch) -> Result<(), Step> {
    // SAFETY: plain system calls on numbers and on strings that live in `launch`.
    unsafe {
        // A new session has no terminal, and a process group that the keeper can kill in one call.
        check(libc::setsid(), Step::Descriptors)?;
        if let Some(network) = &launch.network {
            check(network.join(), Step::Network)?;
        }
        // If the keeper is killed, the program is killed as well.
        check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL), Step::Descriptors)?;
        for (target, fd) in launch.stdio.iter().enumerate() {
            check(libc::dup2(fd.as_raw_fd(), target as c_int), Step::Descriptors)?;
        }
        for fd in &launch.passed {
            check(libc::fcntl(fd.as_raw_fd(), libc::F_SETFD, 0), Step::Descriptors)?;
        }
        check(libc::chdir(launch.cwd.as_ptr()), Step::WorkingDirectory)?;
        volunteer_for_the_memory_killer();
        join_group(launch);
        for (resource, limit) in &launch.limits {
            check(libc::setrlimit(*resource as _, limit), Step::Limits)?;
        }
        check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), Step::NoNewPrivileges)?;
        let walls = &launch.walls;
        if walls.drop_capabilities {
            drop_capabilities()?;
        }
        for ruleset in &walls.rulesets {
            let restricted = libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0);
            check(restricted as c_int, Step::Landlock)?;
        }
        if let Some(summons) = &walls.summons {
            summon(summons)?;
        }
        close_all_from(3, launch.passed.iter().map(AsRawFd::as_raw_fd)).map_err(|()| Step::Descriptors)?;
        default_signals();
        if let Some(filter) = &walls.filter {
            let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr() as *mut _ };
            let set = libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program);
            check(set as c_int, Step::Seccomp)?;
        }
    }
    Ok(())
}

/// Makes the kernel kill the command rather than the desktop when memory runs out. This is a courtesy, so a failure is
/// ignored.
unsafe fn volunteer_for_the_memory_killer() {
    let worth = b"1000";
    // SAFETY: a constant path and a buffer of the length given.
    unsafe {
        let fd = libc::open(c"/proc/self/oom_score_adj".as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        if fd >= 0 {
            libc::write(fd, worth.as_ptr().cast(), worth.len());
            libc::close(fd);
        }
    }
}

/// Moves the process into the control group. A failure is ignored, because the processes are counted, too.
unsafe fn join_group(launch: &Launch) {
    let me = b"0";
    if let Some(group) = &launch.group {
        // SAFETY: a buffer of the length given.
        unsafe { libc::write(group.members.as_raw_fd(), me.as_ptr().cast(), me.len()) };
    }
}

/// Drops root's capabilities, now and after `execve`. Keeps the capability to bypass file modes, as root is used to,
/// for files that the sandbox lets it open.
pub(crate) unsafe fn drop_capabilities() -> Result<(), Step> {
    const NO_ROOT_LOCKED: c_int = 0b11;
    const NO_SETUID_FIXUP_LOCKED: c_int = 0b1100;
    const VERSION_3: u32 = 0x2008_0522;
    #[repr(C)]
    struct Header {
        version: u32,
        pid: c_int,
    }
    #[repr(C)]
    #[derive(Clone, Copy, Default)]
    struct Sets {
        effective: u32,
        permitted: u32,
        inheritable: u32,
    }
    const CAP_DAC_OVERRIDE: u32 = 1 << 1;
    let kept = CAP_DAC_OVERRIDE;
    let header = Header { version: VERSION_3, pid: 0 };
    let sets = [Sets { effective: kept, permitted: kept, inheritable: kept }, Sets::default()];
    // SAFETY: the structures have the kernel's layout for this version.
    unsafe {
        let mut now = [Sets::default(); 2];
        check(libc::syscall(libc::SYS_capget, &raw const header, &raw mut now) as c_int, Step::Capabilities)?;
        if now[0].permitted == 0 && now[1].permitted == 0 {
            return Ok(()); // An ordinary user, or root without capabilities.
        }
        // Requires `CAP_SETPCAP`. Root without it keeps the bits and loses the capabilities below.
        libc::prctl(libc::PR_SET_SECUREBITS, NO_ROOT_LOCKED | NO_SETUID_FIXUP_LOCKED, 0, 0, 0);
        let both = sets.map(|set| Sets {
            effective: set.effective & now[0].permitted,
            permitted: set.permitted & now[0].permitted,
            inheritable: set.inheritable & now[0].permitted,
        });
        check(
            libc::syscall(libc::SYS_capset, &raw const header, &raw const both) as c_int,
            Step::Capabilities,
        )?;
        // A program keeps ambient capabilities across `execve` when being root does not grant any.
        libc::prctl(
            libc::PR_CAP_AMBIENT,
            libc::PR_CAP_AMBIENT_RAISE,
            CAP_DAC_OVERRIDE.trailing_zeros(),
            0,
            0,
        );
    }
    Ok(())
}

/// Installs the filter whose notifications go to the warden, and sends the warden the listener.
unsafe fn summon(summons: &Summons) -> Result<(), Step> {
    // SAFETY: a filter that lives in `summons`, and descriptors of this process.
    unsafe {
        let program =
            libc::sock_fprog { len: summons.filter.len() as u16, filter: summons.filter.as_ptr() as *mut _ };
        let mode = libc::SECCOMP_SET_MODE_FILTER;
        let listener = libc::syscall(libc::SYS_seccomp, mode, LISTENER_FLAGS, &raw const program) as c_int;
        check(listener, Step::Summons)?;
        check(send_descriptor(summons.socket.as_raw_fd(), listener), Step::Summons)
    }
}

/// Closes all descriptors from `first` on except the given ones, which must be in ascending order.
pub(crate) fn close_all_from(mut first: RawFd, kept: impl Iterator<Item = RawFd>) -> Result<(), ()> {
    for fd in kept {
        close_range(first, fd - 1)?;
        first = fd + 1;
    }
    close_range(first, RawFd::MAX)
}

/// Closes the descriptors from `first` to `last`, inclusive. The range may be empty.
fn close_range(first: RawFd, last: RawFd) -> Result<(), ()> {
    if first > last {
        return Ok(());
    }
    // SAFETY: only this process's own table changes, and no code that owns a descriptor runs in it any more.
    match unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) } {
        0 => Ok(()),
        _ => Err(()),
    }
}

/// Resets the signals to the defaults that programs expect. Rust ignores `SIGPIPE`, and the program that started Deputy
/// may have ignored others.
unsafe fn default_signals() {
    /// The kernel's `struct sigaction` for `SIG_DFL`, which is all zeros. Used with the system call, because the C
    /// library's function may lock.
    const DEFAULT: [u64; 4] = [0; 4];
    const SET_BYTES: usize = 8;
    // SAFETY: a structure as long as the kernel reads, and an initialized set. Failures (`SIGKILL`, `SIGSTOP`) are
    // expected and ignored.
    unsafe {
        for signal in 1..32 {
            let none = ptr::null_mut::<u64>();
            libc::syscall(libc::SYS_rt_sigaction, signal, DEFAULT.as_ptr(), none, SET_BYTES);
        }
        let mut none = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut());
    }
}

fn check(result: c_int, step: Step) -> Result<(), Step> {
    if result < 0 { Err(step) } else { Ok(()) }
}

fn errno() -> c_int {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}
