//! Resource limits in the kernel's format.

use crate::ChildLimits;
use std::ffi::c_int;

/// Returns the resource limits of a command. Each applies to every process of the command, except for `processes`,
/// which applies to the user as a whole.
pub(crate) fn resource_limits(limits: &ChildLimits) -> Vec<(c_int, libc::rlimit)> {
    let wanted = [
        (libc::RLIMIT_CORE, 0),
        (libc::RLIMIT_CPU, limits.cpu_secs),
        // Private writable memory. `RLIMIT_AS` would not work: runtimes reserve terabytes of address space that they
        // never use.
        (libc::RLIMIT_DATA, if limits.counts_memory_in_use { u64::MAX } else { limits.memory_bytes }),
        (libc::RLIMIT_FSIZE, limits.file_bytes),
        // The kernel counts all processes of the user, who may already have hundreds. The number of processes on the
        // whole machine is an upper bound for that.
        (libc::RLIMIT_NPROC, running_now().saturating_add(limits.processes)),
    ];
    wanted.map(|(resource, value)| (resource as c_int, bounded(resource as c_int, value))).into()
}

/// Limits the value to the current hard limit.
fn bounded(resource: c_int, value: u64) -> libc::rlimit {
    let allowed = hard_limit(resource);
    let value = value.min(allowed);
    libc::rlimit { rlim_cur: value, rlim_max: value }
}

#[allow(unsafe_code)]
fn hard_limit(resource: c_int) -> u64 {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the kernel writes one structure.
    match unsafe { libc::getrlimit(resource as _, &raw mut limit) } {
        0 => limit.rlim_max,
        _ => u64::MAX,
    }
}

/// Returns the number of processes and threads on the machine.
pub(crate) fn running_now() -> u64 {
    u64::from(rustix::system::sysinfo().procs)
}

/// Returns the number of bytes of memory and swap in use on the machine.
pub(crate) fn memory_in_use() -> u64 {
    let now = rustix::system::sysinfo();
    let free = now.freeram.saturating_add(now.freeswap);
    now.totalram.saturating_add(now.totalswap).saturating_sub(free).saturating_mul(u64::from(now.mem_unit))
}
