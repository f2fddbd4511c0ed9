//! The filter that notifies the warden of certain system calls.

use seccompiler::sock_filter;
use std::ffi::c_long;
use std::sync::Arc;

/// Calls that start a program.
pub(crate) const STARTING: &[c_long] = &[libc::SYS_execve, libc::SYS_execveat];

/// Returns the program that notifies of these calls and allows all others. Another filter denies calls; its denials
/// take precedence.
pub(crate) fn filter(calls: &[c_long]) -> Arc<[sock_filter]> {
    const LOAD_WORD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    const JUMP_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
    let op = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    // Load the call number. The other filter kills processes that use calls of another architecture.
    let mut program = vec![op(LOAD_WORD, 0, 0, 0)];
    for call in calls {
        program.push(op(JUMP_EQUAL, 0, 1, *call as u32));
        program.push(op(RETURN, 0, 0, libc::SECCOMP_RET_USER_NOTIF));
    }
    program.push(op(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW));
    program.into()
}
