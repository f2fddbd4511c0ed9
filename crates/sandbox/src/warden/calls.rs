//! Decodes what a notified call asks for, independently of which variant of the system call was used.

use super::listener::Notification;
use std::ffi::{c_int, c_long};

/// The location of a path argument: the folder that it is relative to, and the argument number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct At {
    pub(crate) folder: c_int,
    pub(crate) path: usize,
}

/// A call that names files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Start {
        at: At,
        follow: bool,
    },
    Open {
        at: At,
        flags: c_int,
        mode: u32,
    },
    Truncate {
        at: At,
        length: u64,
    },
    MakeFolder {
        at: At,
        mode: u32,
    },
    MakeNode {
        at: At,
        mode: u32,
    },
    Remove {
        at: At,
        is_folder: bool,
    },
    Rename {
        from: At,
        to: At,
        flags: u32,
    },
    Link {
        from: At,
        to: At,
        follow: bool,
    },
    Symlink {
        text: usize,
        at: At,
    },
    Mode {
        at: At,
        mode: u32,
        follow: bool,
    },
    ModeOf {
        fd: c_int,
        mode: u32,
    },
    /// Without a path, it applies to the descriptor itself.
    Times {
        at: At,
        has_path: bool,
        times: u64,
        follow: bool,
    },
    Owner {
        at: At,
        owner: u32,
        group: u32,
        follow: bool,
    },
    /// Changes attributes other than modes. The warden does not perform these.
    Attribute,
    OwnerOf {
        fd: c_int,
        owner: u32,
        group: u32,
    },
    Socket(SocketCall),
}

/// A call that determines where a socket leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SocketCall {
    Bind { fd: c_int, address: u64, length: u64 },
    Listen { fd: c_int, backlog: c_int },
    Connect { fd: c_int, address: u64, length: u64 },
}

/// Calls that open a file.
#[rustfmt::skip]
pub(crate) const OPENING: &[c_long] = &[
    libc::SYS_openat,
    #[cfg(target_arch = "x86_64")] libc::SYS_open,
];

/// Calls that open or change files, but do not start programs, by their numbers on this machine.
#[rustfmt::skip]
pub(crate) const CHANGING: &[c_long] = &[
    libc::SYS_openat, libc::SYS_truncate, libc::SYS_mkdirat, libc::SYS_unlinkat, libc::SYS_renameat, libc::SYS_renameat2,
    libc::SYS_linkat, libc::SYS_symlinkat, libc::SYS_mknodat, libc::SYS_fchmod, libc::SYS_fchmodat, libc::SYS_fchmodat2,
    #[cfg(target_arch = "x86_64")] libc::SYS_open,
    #[cfg(target_arch = "x86_64")] libc::SYS_creat,
    #[cfg(target_arch = "x86_64")] libc::SYS_mkdir,
    #[cfg(target_arch = "x86_64")] libc::SYS_rmdir,
    #[cfg(target_arch = "x86_64")] libc::SYS_unlink,
    #[cfg(target_arch = "x86_64")] libc::SYS_rename,
    #[cfg(target_arch = "x86_64")] libc::SYS_link,
    #[cfg(target_arch = "x86_64")] libc::SYS_symlink,
    #[cfg(target_arch = "x86_64")] libc::SYS_mknod,
    #[cfg(target_arch = "x86_64")] libc::SYS_chmod,
];

/// Changes of times and owners. Only some mechanisms leave them to the warden.
#[rustfmt::skip]
pub(crate) const KEEPING: &[c_long] = &[
    libc::SYS_utimensat, libc::SYS_fchown, libc::SYS_fchownat,
    #[cfg(target_arch = "x86_64")] libc::SYS_chown,
    #[cfg(target_arch = "x86_64")] libc::SYS_lchown,
    libc::SYS_setxattr, libc::SYS_lsetxattr, libc::SYS_fsetxattr, libc::SYS_removexattr, libc::SYS_lremovexattr, libc::SYS_fremovexattr,
];

/// Calls that create a file as a side effect: a socket that gets a name.
pub(crate) const BINDING: &[c_long] = &[libc::SYS_bind];

/// Calls that determine where sockets lead. Only some mechanisms leave them to the warden.
pub(crate) const LEADING: &[c_long] = &[libc::SYS_bind, libc::SYS_listen, libc::SYS_connect];

/// Decodes a notification. `None` if the call is not one of those that are watched.
pub(crate) fn decode(notification: &Notification) -> Option<Call> {
    let args = notification.args;
    let number = |at: usize| args[at] as c_int;
    let here = |path| At { folder: libc::AT_FDCWD, path };
    let at = |folder: usize| At { folder: args[folder] as c_int, path: folder + 1 };
    Some(match notification.call {
        libc::SYS_execve => Call::Start { at: here(0), follow: true },
        libc::SYS_execveat => Call::Start { at: at(0), follow: number(4) & libc::AT_SYMLINK_NOFOLLOW == 0 },
        libc::SYS_openat => Call::Open { at: at(0), flags: number(2), mode: args[3] as u32 },
        libc::SYS_truncate => Call::Truncate { at: here(0), length: args[1] },
        libc::SYS_mkdirat => Call::MakeFolder { at: at(0), mode: args[2] as u32 },
        libc::SYS_mknodat => Call::MakeNode { at: at(0), mode: args[2] as u32 },
        libc::SYS_unlinkat => Call::Remove { at: at(0), is_folder: number(2) & libc::AT_REMOVEDIR != 0 },
        libc::SYS_renameat => Call::Rename { from: at(0), to: at(2), flags: 0 },
        libc::SYS_renameat2 => Call::Rename { from: at(0), to: at(2), flags: args[4] as u32 },
        libc::SYS_linkat => {
            Call::Link { from: at(0), to: at(2), follow: number(4) & libc::AT_SYMLINK_FOLLOW != 0 }
        }
        libc::SYS_symlinkat => Call::Symlink { text: 0, at: at(1) },
        libc::SYS_fchmod => Call::ModeOf { fd: number(0), mode: args[1] as u32 },
        libc::SYS_fchmodat => Call::Mode { at: at(0), mode: args[2] as u32, follow: true },
        libc::SYS_fchmodat2 => {
            let follow = number(3) & libc::AT_SYMLINK_NOFOLLOW == 0;
            Call::Mode { at: at(0), mode: args[2] as u32, follow }
        }
        libc::SYS_utimensat => {
            let follow = number(3) & libc::AT_SYMLINK_NOFOLLOW == 0;
            Call::Times { at: at(0), has_path: args[1] != 0, times: args[2], follow }
        }
        libc::SYS_fchown => Call::OwnerOf { fd: number(0), owner: args[1] as u32, group: args[2] as u32 },
        libc::SYS_fchownat if number(4) & libc::AT_EMPTY_PATH != 0 => {
            Call::OwnerOf { fd: number(0), owner: args[2] as u32, group: args[3] as u32 }
        }
        libc::SYS_fchownat => {
            let follow = number(4) & libc::AT_SYMLINK_NOFOLLOW == 0;
            Call::Owner { at: at(0), owner: args[2] as u32, group: args[3] as u32, follow }
        }
        libc::SYS_setxattr
        | libc::SYS_lsetxattr
        | libc::SYS_fsetxattr
        | libc::SYS_removexattr
        | libc::SYS_lremovexattr
        | libc::SYS_fremovexattr => Call::Attribute,
        libc::SYS_bind => Call::Socket(SocketCall::Bind { fd: number(0), address: args[1], length: args[2] }),
        libc::SYS_listen => Call::Socket(SocketCall::Listen { fd: number(0), backlog: number(1) }),
        libc::SYS_connect => {
            Call::Socket(SocketCall::Connect { fd: number(0), address: args[1], length: args[2] })
        }
        #[cfg(target_arch = "x86_64")]
        libc::SYS_chown | libc::SYS_lchown => {
            let follow = notification.call == libc::SYS_chown;
            Call::Owner { at: here(0), owner: args[1] as u32, group: args[2] as u32, follow }
        }
        #[cfg(target_arch = "x86_64")]
        libc::SYS_open => Call::Open { at: here(0), flags: number(1), mode: args[2] as u32 },
        #[cfg(target_arch = "x86_64")]
        libc::SYS_creat => {
            let flags = libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC;
            Call::Open { at: here(0), flags, mode: args[1] as u32 }
        }
        #[cfg(target_arch = "x86_64")]
        libc::SYS_mkdir => Call::MakeFolder { at: here(0), mode: args[1] as u32 },
        #[cfg(target_arch = "x86_64")]
        libc::SYS_mknod => Call::MakeNode { at: here(0), mode: args[1] as u32 },
        #[cfg(target_arch = "x86_64")]
        libc::SYS_rmdir => Call::Remove { at: here(0), is_folder: true },
        #[cfg(target_arch = "x86_64")]
        libc::SYS_unlink => Call::Remove { at: here(0), is_folder: false },
        #[cfg(target_arch = "x86_64")]
        libc::SYS_rename => Call::Rename { from: here(0), to: here(1), flags: 0 },
        #[cfg(target_arch = "x86_64")]
        libc::SYS_link => Call::Link { from: here(0), to: here(1), follow: false },
        #[cfg(target_arch = "x86_64")]
        libc::SYS_symlink => Call::Symlink { text: 0, at: here(1) },
        #[cfg(target_arch = "x86_64")]
        libc::SYS_chmod => Call::Mode { at: here(0), mode: args[1] as u32, follow: true },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_watched_call_is_known() {
        for call in CHANGING
            .iter()
            .chain(KEEPING)
            .chain(LEADING)
            .chain(BINDING)
            .chain(super::super::watched::STARTING)
        {
            let notification = Notification { id: 0, thread: 1, call: *call, args: [0; 6] };
            assert!(decode(&notification).is_some(), "call {call}");
        }
    }
}
