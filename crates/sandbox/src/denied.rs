//! The system calls that a confined process is denied, grouped by what they would do.

use crate::filter::{Shape, Sockets};
use seccompiler::{
    BackendError, SeccompCmpArgLen::Dword, SeccompCmpOp, SeccompCmpOp::Eq, SeccompCmpOp::MaskedEq,
    SeccompCmpOp::Ne, SeccompCondition, SeccompRule,
};
use std::ffi::{c_int, c_long};

/// Returns the denied calls with their rules. A call without rules is always denied.
pub(crate) fn rules(shape: Shape) -> Result<Vec<(c_long, Vec<SeccompRule>)>, BackendError> {
    let mut denied = Denied::default();
    denied.always(NEVER);
    denied.new_namespaces()?;
    denied.set_id_bits(shape.modes || shape.carried)?;
    denied.sockets(shape)?;
    denied.tracing(shape)?;
    if !shape.modes {
        let carried = |call: &c_long| shape.carried && crate::warden::calls::KEEPING.contains(call);
        let by_name = |call: &c_long| shape.carried && crate::warden::calls::CHANGING.contains(call);
        let denied_modes: Vec<c_long> =
            MODES.iter().copied().filter(|call| !carried(call) && !by_name(call)).collect();
        denied.always(&denied_modes);
        denied.unknown_controls()?;
    }
    if !shape.namespaces {
        denied.always(SHARED_MEMORY);
        denied.always(LEAVING_THE_GROUP);
        denied.other_processes()?;
    }
    Ok(denied.0)
}

/// Calls that access other processes or the machine, or that bypass the other mechanisms.
#[rustfmt::skip]
const NEVER: &[c_long] = &[
    // Other processes.
    libc::SYS_process_vm_readv, libc::SYS_process_vm_writev, libc::SYS_kcmp, libc::SYS_pidfd_getfd,
    libc::SYS_process_madvise, libc::SYS_process_mrelease, libc::SYS_perf_event_open, libc::SYS_migrate_pages, libc::SYS_move_pages,
    // Mounts and namespaces.
    libc::SYS_mount, libc::SYS_umount2, libc::SYS_pivot_root, libc::SYS_chroot, libc::SYS_unshare, libc::SYS_setns,
    libc::SYS_open_tree, libc::SYS_move_mount, libc::SYS_fsopen, libc::SYS_fsconfig, libc::SYS_fsmount, libc::SYS_fspick,
    libc::SYS_mount_setattr, libc::SYS_open_by_handle_at,
    // Other kernel interfaces.
    libc::SYS_bpf, libc::SYS_userfaultfd, libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register,
    libc::SYS_add_key, libc::SYS_request_key, libc::SYS_keyctl, libc::SYS_fanotify_init, libc::SYS_fanotify_mark,
    // The machine.
    libc::SYS_reboot, libc::SYS_kexec_load, libc::SYS_kexec_file_load, libc::SYS_init_module, libc::SYS_finit_module,
    libc::SYS_delete_module, libc::SYS_swapon, libc::SYS_swapoff, libc::SYS_acct, libc::SYS_settimeofday, libc::SYS_clock_settime,
    libc::SYS_clock_adjtime, libc::SYS_adjtimex, libc::SYS_sethostname, libc::SYS_setdomainname, libc::SYS_quotactl,
    libc::SYS_quotactl_fd, libc::SYS_syslog, libc::SYS_vhangup,
    #[cfg(target_arch = "x86_64")] libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")] libc::SYS_ioperm,
];

/// Modes, owners, times and attributes of files. Landlock does not restrict them for any file.
#[rustfmt::skip]
const MODES: &[c_long] = &[
    libc::SYS_fchmod, libc::SYS_fchmodat, libc::SYS_fchmodat2, libc::SYS_fchown, libc::SYS_fchownat, libc::SYS_utimensat,
    libc::SYS_setxattr, libc::SYS_lsetxattr, libc::SYS_fsetxattr, libc::SYS_removexattr, libc::SYS_lremovexattr, libc::SYS_fremovexattr,
    #[cfg(target_arch = "x86_64")] libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")] libc::SYS_chown,
    #[cfg(target_arch = "x86_64")] libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")] libc::SYS_utime,
    #[cfg(target_arch = "x86_64")] libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")] libc::SYS_futimesat,
];

/// Shared memory, semaphores and queues, which outlive processes and are shared with all processes of the user.
#[rustfmt::skip]
const SHARED_MEMORY: &[c_long] = &[
    libc::SYS_shmget, libc::SYS_shmat, libc::SYS_shmctl, libc::SYS_semget, libc::SYS_semop, libc::SYS_semtimedop, libc::SYS_semctl,
    libc::SYS_msgget, libc::SYS_msgsnd, libc::SYS_msgrcv, libc::SYS_msgctl, libc::SYS_mq_open, libc::SYS_mq_unlink,
];

/// Calls that leave the process group, which the keeper kills in one call.
const LEAVING_THE_GROUP: &[c_long] = &[libc::SYS_setsid, libc::SYS_setpgid];

#[derive(Default)]
struct Denied(Vec<(c_long, Vec<SeccompRule>)>);

impl Denied {
    fn always(&mut self, calls: &[c_long]) {
        self.0.extend(calls.iter().map(|call| (*call, Vec::new())));
    }

    /// Denies a call if all conditions of any list hold. A condition is an argument number, a comparison and a value.
    fn when(&mut self, call: c_long, any_of: &[&[(u8, SeccompCmpOp, u64)]]) -> Result<(), BackendError> {
        let condition = |(argument, comparison, value): &(u8, SeccompCmpOp, u64)| {
            SeccompCondition::new(*argument, Dword, comparison.clone(), *value)
        };
        let rule = |all_of: &&[_]| SeccompRule::new(all_of.iter().map(condition).collect::<Result<_, _>>()?);
        self.0.push((call, any_of.iter().map(rule).collect::<Result<_, _>>()?));
        Ok(())
    }

    /// Denies new namespaces, in which a process would regain the rights to mount and to create sockets.
    fn new_namespaces(&mut self) -> Result<(), BackendError> {
        let namespaces = [
            libc::CLONE_NEWNS,
            libc::CLONE_NEWCGROUP,
            libc::CLONE_NEWUTS,
            libc::CLONE_NEWIPC,
            libc::CLONE_NEWUSER,
            libc::CLONE_NEWPID,
            libc::CLONE_NEWNET,
        ];
        let rules = namespaces.map(|flag| [has_bits(0, flag)]);
        self.when(libc::SYS_clone, &rules.each_ref().map(|rule| rule.as_slice()))
    }

    /// Denies setuid and setgid bits in calls that change modes (if modes may change) and in calls that create files.
    fn set_id_bits(&mut self, modes: bool) -> Result<(), BackendError> {
        let set_id = [libc::S_ISUID, libc::S_ISGID].map(|bit| bit as c_int);
        let by_mode: &[(c_long, u8)] = &[
            #[cfg(target_arch = "x86_64")]
            (libc::SYS_chmod, 1),
            (libc::SYS_fchmod, 1),
            (libc::SYS_fchmodat, 2),
            (libc::SYS_fchmodat2, 2),
            #[cfg(target_arch = "x86_64")]
            (libc::SYS_creat, 1),
            #[cfg(target_arch = "x86_64")]
            (libc::SYS_mknod, 1),
            (libc::SYS_mknodat, 2),
        ];
        for (call, mode) in by_mode.iter().filter(|(call, _)| modes || !MODES.contains(call)) {
            self.when(*call, &[&[has_bits(*mode, set_id[0])], &[has_bits(*mode, set_id[1])]])?;
        }
        // The mode only matters if the call may create a file.
        const MAKES_UNNAMED: c_int = libc::O_TMPFILE & !libc::O_DIRECTORY;
        let by_open: &[(c_long, u8)] = &[
            #[cfg(target_arch = "x86_64")]
            (libc::SYS_open, 1),
            (libc::SYS_openat, 2),
        ];
        for (call, flags) in by_open {
            let rules = [libc::O_CREAT, MAKES_UNNAMED]
                .map(|makes| set_id.map(|bit| [has_bits(*flags, makes), has_bits(flags + 1, bit)]));
            self.when(*call, &[&rules[0][0], &rules[0][1], &rules[1][0], &rules[1][1]])?;
        }
        Ok(())
    }

    /// Restricts tracing. Debuggers and sanitizers trace processes that they started. An approved command in its own
    /// namespaces only sees its own processes and the first process, which is bubblewrap and has no filter.
    fn tracing(&mut self, shape: Shape) -> Result<(), BackendError> {
        const FIRST: u64 = 1;
        match shape.namespaces && shape.modes {
            true => self.when(libc::SYS_ptrace, &[&[(1, Eq, FIRST)]])?,
            false => self.always(&[libc::SYS_ptrace]),
        }
        Ok(())
    }

    /// Restricts sockets. Through Unix sockets, a command could make the user's other programs act with the user's
    /// rights. If sockets of other processes are visible, only pairs may be created, which are connected from the
    /// start. Datagram sockets can choose a new target for each message, and are always denied.
    fn sockets(&mut self, shape: Shape) -> Result<(), BackendError> {
        const TYPE: u64 = 0xf;
        let not_a_stream_pair: &[&[_]] = &[
            &[(0, Ne, libc::AF_UNIX as u64)],
            &[(1, MaskedEq(TYPE), libc::SOCK_DGRAM as u64)],
            &[(1, MaskedEq(TYPE), libc::SOCK_RAW as u64)], // for Unix sockets, an alias of the datagram type
        ];
        self.when(libc::SYS_socketpair, not_a_stream_pair)?;
        if shape.sockets == Sockets::None {
            self.always(&[
                libc::SYS_socket,
                libc::SYS_connect,
                libc::SYS_bind,
                libc::SYS_listen,
                libc::SYS_accept,
                libc::SYS_accept4,
            ]);
            return Ok(());
        }
        if shape.sockets == Sockets::Led {
            return self.led_sockets();
        }
        let [internet, internet6, unix, netlink] =
            [libc::AF_INET, libc::AF_INET6, libc::AF_UNIX, libc::AF_NETLINK].map(|family| family as u64);
        // If Unix sockets are denied, repeat an Internet family instead.
        let local = if shape.unix { unix } else { internet };
        self.when(
            libc::SYS_socket,
            &[
                &[(0, Ne, internet), (0, Ne, internet6), (0, Ne, netlink), (0, Ne, local)],
                &[(0, Ne, netlink), (1, MaskedEq(TYPE), libc::SOCK_RAW as u64)],
                &[(0, Eq, unix), (1, MaskedEq(TYPE), libc::SOCK_DGRAM as u64)],
                // Name resolution only asks for the list of network interfaces.
                &[(0, Eq, netlink), (2, Ne, libc::NETLINK_ROUTE as u64)],
            ],
        )
    }

    /// Allows only TCP sockets, and no data in the first packet, which would be sent before the warden was asked.
    fn led_sockets(&mut self) -> Result<(), BackendError> {
        const TYPE: u64 = 0xf;
        let [internet, internet6] = [libc::AF_INET, libc::AF_INET6].map(|family| family as u64);
        let other_types = (0..=TYPE).filter(|kind| *kind != libc::SOCK_STREAM as u64);
        let mut rules = vec![
            vec![(0, Ne, internet), (0, Ne, internet6)],
            vec![(2, Ne, libc::IPPROTO_IP as u64), (2, Ne, libc::IPPROTO_TCP as u64)],
        ];
        rules.extend(other_types.map(|kind| vec![(1, MaskedEq(TYPE), kind)]));
        self.when(libc::SYS_socket, &rules.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
        for (call, flags) in [(libc::SYS_sendto, 3), (libc::SYS_sendmsg, 2), (libc::SYS_sendmmsg, 3)] {
            self.when(call, &[&[has_bits(flags, libc::MSG_FASTOPEN)]])?;
        }
        Ok(())
    }

    /// Denies unknown controls of open files. Allows those that query terminals, pipes and files. The rest includes
    /// attributes, snapshots and versions of files that were only opened for reading.
    fn unknown_controls(&mut self) -> Result<(), BackendError> {
        const GET_FLAGS: u64 = 0x8008_6601;
        const GET_VERSION: u64 = 0x8008_7601;
        const GET_ATTRIBUTES: u64 = 0x801c_581f;
        const MAP_EXTENTS: u64 = 0xc020_660b;
        let asking = [
            libc::TCGETS,
            libc::TIOCGWINSZ,
            libc::TIOCGPGRP,
            libc::FIONREAD,
            libc::FIONBIO,
            libc::FIOCLEX,
            libc::FIONCLEX,
            GET_FLAGS,
            GET_VERSION,
            GET_ATTRIBUTES,
            MAP_EXTENTS,
        ];
        self.when(libc::SYS_ioctl, &[&asking.map(|control| (1, Ne, control))])
    }

    /// Denies changing priorities and limits of other processes. Allows signals to the whole group, which `timeout`
    /// sends if it could not create its own group.
    fn other_processes(&mut self) -> Result<(), BackendError> {
        for (call, who) in [
            (libc::SYS_prlimit64, 0),
            (libc::SYS_sched_setaffinity, 0),
            (libc::SYS_sched_setattr, 0),
            (libc::SYS_sched_setparam, 0),
            (libc::SYS_sched_setscheduler, 0),
            (libc::SYS_setpriority, 1),
            (libc::SYS_ioprio_set, 1),
        ] {
            self.when(call, &[&[(who, Ne, 0)]])?;
        }
        self.when(libc::SYS_kill, &[&[(0, Eq, 0)]])
    }
}

fn has_bits(argument: u8, bits: c_int) -> (u8, SeccompCmpOp, u64) {
    let bits = bits as u32 as u64;
    (argument, MaskedEq(bits), bits)
}
