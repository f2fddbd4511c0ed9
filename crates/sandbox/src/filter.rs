//! seccomp: what a confined process may not ask of the kernel. It closes what Landlock and namespaces leave open.
//!
//! What is denied answers `EPERM`, and what this list cannot know (calls newer than it) answers `ENOSYS`, so that
//! programs take the way they take on older kernels.

use seccompiler::{BackendError, BpfProgram, SeccompAction, SeccompFilter, SeccompRule, sock_filter};
use std::collections::BTreeMap;
use std::ffi::c_long;
use std::sync::{Arc, Mutex, PoisonError};

/// What a filter depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Whether Internet sockets may be made: there is a network, or a private one that leads nowhere.
    pub(crate) sockets: bool,
    /// Whether modes, times and attributes of files may be changed: what must not change is mounted read-only.
    pub(crate) modes: bool,
    /// Whether the process has namespaces of its own, in which nobody else's processes and shared memory are seen, and
    /// whose end is the end of everything in it.
    pub(crate) namespaces: bool,
}

/// The program for a shape; made once.
pub(crate) fn filter(shape: Shape) -> Result<Arc<[sock_filter]>, BackendError> {
    static MADE: Mutex<Vec<(Shape, Arc<[sock_filter]>)>> = Mutex::new(Vec::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, program)) = made.iter().find(|(its, _)| *its == shape) {
        return Ok(Arc::clone(program));
    }
    let program: Arc<[sock_filter]> = assemble(shape)?.into();
    made.push((shape, Arc::clone(&program)));
    Ok(program)
}

/// As bubblewrap reads it from a file.
pub(crate) fn to_bytes(program: &[sock_filter]) -> Vec<u8> {
    let bytes = |op: &sock_filter| {
        let mut bytes = [0; 8];
        bytes[..2].copy_from_slice(&op.code.to_ne_bytes());
        bytes[2..4].copy_from_slice(&[op.jt, op.jf]);
        bytes[4..].copy_from_slice(&op.k.to_ne_bytes());
        bytes
    };
    program.iter().flat_map(bytes).collect()
}

type Rules = BTreeMap<c_long, Vec<SeccompRule>>;

fn assemble(shape: Shape) -> Result<BpfProgram, BackendError> {
    let mut rules: Rules = crate::denied::rules(shape)?.into_iter().collect();
    rules.retain(|call, _| *call <= LAST_KNOWN_CALL);
    let arch = std::env::consts::ARCH.try_into()?;
    let filter =
        SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(libc::EPERM as u32), arch)?;
    let mut program = unknown_calls();
    program.extend(BpfProgram::try_from(filter)?);
    Ok(program)
}

/// The newest call that was looked at for this list (`mseal`, Linux 6.10). Newer ones change attributes under new names.
const LAST_KNOWN_CALL: c_long = 462;

/// The first instructions: calls that are newer than the list, or whose arguments lie in memory, which a filter cannot
/// read. Programs have to be ready for kernels without them.
fn unknown_calls() -> BpfProgram {
    const LOAD_WORD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    const JUMP_GREATER: u16 = (libc::BPF_JMP | libc::BPF_JGT | libc::BPF_K) as u16;
    const JUMP_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
    const NO_SUCH_CALL: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
    let op = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    vec![
        op(LOAD_WORD, 0, 0, 0), // the call's number is the first word of `struct seccomp_data`
        op(JUMP_GREATER, 2, 0, LAST_KNOWN_CALL as u32),
        op(JUMP_EQUAL, 1, 0, libc::SYS_clone3 as u32),
        op(JUMP_EQUAL, 0, 1, libc::SYS_openat2 as u32),
        op(RETURN, 0, 0, NO_SUCH_CALL),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_assembles_within_the_kernels_bounds() {
        const MOST_INSTRUCTIONS: usize = 4096;
        for bits in 0..8 {
            let shape = Shape { sockets: bits & 1 != 0, modes: bits & 2 != 0, namespaces: bits & 4 != 0 };
            let program = filter(shape).unwrap();
            assert!(program.len() < MOST_INSTRUCTIONS, "{shape:?}: {}", program.len());
            assert_eq!(to_bytes(&program).len(), program.len() * 8);
        }
    }
}
