//! The kernel interface of the warden: notifications of system calls that wait for an answer.
#![allow(unsafe_code)]

use rustix::io::Errno;
use std::ffi::c_ulong;
use std::io;
use std::mem::{MaybeUninit, zeroed};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

/// Creates a filter with a listener. Once a notification was received, only a fatal signal ends the wait, so that no
/// call is performed twice.
pub(crate) const LISTENER_FLAGS: c_ulong =
    libc::SECCOMP_FILTER_FLAG_NEW_LISTENER | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;

/// The source of notifications.
#[derive(Debug)]
pub(crate) struct Listener(OwnedFd);

/// A system call that waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Notification {
    pub(crate) id: u64,
    /// The thread that made the call, as numbered in this process's namespace.
    pub(crate) thread: i32,
    pub(crate) call: i64,
    pub(crate) args: [u64; 6],
}

/// The result of waiting for a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waited {
    Ready,
    /// An answer of a person arrived.
    Rung,
    /// No process is left that could make a call.
    Gone,
    TimeOut,
}

impl Listener {
    /// Receives the listener that a child sends. `None` if the child ended before it had one.
    pub(crate) fn take(socket: &OwnedFd) -> Option<Self> {
        let mut word = [0_u8; 1];
        let mut vector = libc::iovec { iov_base: word.as_mut_ptr().cast(), iov_len: word.len() };
        let mut control = ControlBuffer::default();
        // SAFETY: the message's parts live to the end of this function, and the lengths are theirs.
        unsafe {
            let mut message: libc::msghdr = zeroed();
            message.msg_iov = &raw mut vector;
            message.msg_iovlen = 1;
            message.msg_control = (&raw mut control).cast();
            message.msg_controllen = size_of::<ControlBuffer>() as _;
            let got = loop {
                let got = libc::recvmsg(socket.as_raw_fd(), &raw mut message, libc::MSG_CMSG_CLOEXEC);
                if got >= 0 || io::Error::last_os_error().raw_os_error() != Some(libc::EINTR) {
                    break got;
                }
            };
            let header = libc::CMSG_FIRSTHDR(&raw const message);
            if got <= 0 || header.is_null() || (*header).cmsg_type != libc::SCM_RIGHTS {
                return None;
            }
            let fd = libc::CMSG_DATA(header).cast::<i32>().read_unaligned();
            let listener = Self(OwnedFd::from_raw_fd(fd));
            listener.wake_on_the_same_processor();
            Some(listener)
        }
    }

    /// Makes the kernel run the warden on the caller's processor, and then the caller again. Neither has anything else
    /// to do in the meantime, and a call takes less than half as long. Kernels before 6.6 do not support this.
    fn wake_on_the_same_processor(&self) {
        /// `SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP`.
        const SYNC_WAKE_UP: libc::c_ulong = 1;
        // SAFETY: the kernel takes a number.
        unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SET_FLAGS, SYNC_WAKE_UP) };
    }

    /// Waits for a call or for the bell, at most `millis` milliseconds if given.
    pub(crate) fn wait(&self, bell: BorrowedFd<'_>, millis: Option<u16>) -> Waited {
        let fds = [self.0.as_raw_fd(), bell.as_raw_fd()];
        let mut watched = fds.map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 });
        // SAFETY: two structures.
        let got = unsafe { libc::poll(watched.as_mut_ptr(), 2, millis.map_or(-1, i32::from)) };
        match watched.map(|fd| fd.revents) {
            // The time is up, or a signal arrived.
            _ if got <= 0 => Waited::TimeOut,
            [calls, _] if calls & libc::POLLIN != 0 => Waited::Ready,
            [0, _] => Waited::Rung,
            _ => Waited::Gone,
        }
    }

    /// Receives the next call. `None` if its caller is gone.
    pub(crate) fn receive(&self) -> Option<Notification> {
        // SAFETY: the kernel expects zeros and writes the structure.
        let notification = unsafe {
            let mut notification: libc::seccomp_notif = zeroed();
            let got = libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut notification);
            (got == 0).then_some(notification)?
        };
        Some(Notification {
            id: notification.id,
            thread: notification.pid as i32,
            call: i64::from(notification.data.nr),
            args: notification.data.args,
        })
    }

    /// Returns whether the call still waits. If so, the thread id has not been reused.
    pub(crate) fn still_waits(&self, id: u64) -> bool {
        // SAFETY: the kernel reads one number.
        unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_ID_VALID, &raw const id) == 0 }
    }

    /// Makes the kernel perform the call itself.
    pub(crate) fn proceed(&self, id: u64) {
        let flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32;
        self.send(libc::seccomp_notif_resp { id, val: 0, error: 0, flags });
    }

    /// Answers the call instead of the kernel.
    pub(crate) fn answer(&self, id: u64, result: Result<i64, Errno>) {
        let (val, error) = match result {
            Ok(value) => (value, 0),
            Err(error) => (0, -error.raw_os_error()),
        };
        self.send(libc::seccomp_notif_resp { id, val, error, flags: 0 });
    }

    fn send(&self, mut response: libc::seccomp_notif_resp) {
        // SAFETY: the kernel reads the structure. It is not an error if the caller is gone.
        unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut response) };
    }

    /// Copies a descriptor into the caller's table and answers with its number there, atomically.
    pub(crate) fn hand_over(&self, id: u64, fd: BorrowedFd<'_>, closes_on_exec: bool) {
        let mut order = libc::seccomp_notif_addfd {
            id,
            flags: libc::SECCOMP_ADDFD_FLAG_SEND as u32,
            srcfd: fd.as_raw_fd() as u32,
            newfd: 0,
            newfd_flags: if closes_on_exec { libc::O_CLOEXEC as u32 } else { 0 },
        };
        // SAFETY: the kernel reads the structure.
        let done =
            unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_ADDFD, &raw mut order) };
        if done < 0 {
            // The caller's table is full. If the caller is gone, the answer has no effect.
            let error = Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(Errno::MFILE);
            self.answer(id, Err(error));
        }
    }
}

/// Space for a descriptor in a message, aligned for its header.
#[derive(Clone, Copy, Default)]
#[repr(C, align(8))]
pub(crate) struct ControlBuffer([u8; 32]);

/// Sends a descriptor. Makes only system calls, because a child calls it between `clone` and `execve`.
///
/// # Safety
///
/// Both numbers must be descriptors of the calling process.
pub(crate) unsafe fn send_descriptor(socket: i32, fd: i32) -> i32 {
    let mut word = [1_u8; 1];
    let mut vector = libc::iovec { iov_base: word.as_mut_ptr().cast(), iov_len: word.len() };
    let mut control = ControlBuffer::default();
    // SAFETY: the parts of the message live until the end of this function, and the lengths are correct. The buffer
    // holds one header with one number.
    unsafe {
        let mut message: libc::msghdr = zeroed();
        message.msg_iov = &raw mut vector;
        message.msg_iovlen = 1;
        message.msg_control = (&raw mut control).cast();
        message.msg_controllen = libc::CMSG_SPACE(size_of::<i32>() as u32) as _;
        let header = libc::CMSG_FIRSTHDR(&raw const message);
        if header.is_null() {
            return -1;
        }
        (*header).cmsg_level = libc::SOL_SOCKET;
        (*header).cmsg_type = libc::SCM_RIGHTS;
        (*header).cmsg_len = libc::CMSG_LEN(size_of::<i32>() as u32) as _;
        libc::CMSG_DATA(header).cast::<i32>().write_unaligned(fd);
        libc::sendmsg(socket, &raw const message, libc::MSG_NOSIGNAL) as i32
    }
}

/// Returns whether the kernel supports everything that is needed: a listener, waits that only a kill ends, and passed
/// descriptors. Another listener above this process, as in some containers, makes it unavailable.
pub(crate) fn is_available() -> bool {
    // A filter belongs to a thread and ends with it.
    let trial = std::thread::Builder::new().name("warden-trial".into()).spawn(|| {
        let allow = [seccompiler::sock_filter {
            code: (libc::BPF_RET | libc::BPF_K) as u16,
            jt: 0,
            jf: 0,
            k: libc::SECCOMP_RET_ALLOW,
        }];
        let program = libc::sock_fprog { len: 1, filter: allow.as_ptr() as *mut _ };
        let mut sizes = MaybeUninit::<libc::seccomp_notif_sizes>::zeroed();
        // SAFETY: plain system calls on structures that live here; only this thread is changed.
        unsafe {
            if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
                || libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_NOTIF_SIZES, 0, sizes.as_mut_ptr()) != 0
            {
                return false;
            }
            let sizes = sizes.assume_init();
            if usize::from(sizes.seccomp_notif) != size_of::<libc::seccomp_notif>()
                || usize::from(sizes.seccomp_notif_resp) != size_of::<libc::seccomp_notif_resp>()
            {
                return false;
            }
            let mode = libc::SECCOMP_SET_MODE_FILTER;
            let fd = libc::syscall(libc::SYS_seccomp, mode, LISTENER_FLAGS, &raw const program);
            let Ok(fd) = i32::try_from(fd) else { return false };
            if fd < 0 {
                return false;
            }
            drop(OwnedFd::from_raw_fd(fd));
            true
        }
    });
    trial.is_ok_and(|trial| trial.join().unwrap_or(false))
}
