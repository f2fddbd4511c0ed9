//! seccomp: what a confined process may not ask of the kernel. It closes what Landlock and namespaces leave open.
//!
//! What is denied answers `EPERM`, and what this list cannot know (calls newer than it) answers `ENOSYS`, so that
//! programs take the way they take on older kernels.

use seccompiler::{BackendError, BpfProgram, SeccompAction, SeccompFilter, SeccompRule, sock_filter};
use std::collections::{BTreeMap, BTreeSet};
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

fn assemble(shape: Shape) -> Result<BpfProgram, BackendError> {
    let rules = crate::denied::rules(shape)?;
    let (always, sometimes): (Vec<_>, Vec<_>) =
        rules.into_iter().partition(|(_, conditions)| conditions.is_empty());
    let always: BTreeSet<u32> = always.into_iter().map(|(call, _)| call as u32).collect();
    let sometimes: BTreeMap<c_long, Vec<SeccompRule>> = sometimes.into_iter().collect();
    let arch = std::env::consts::ARCH.try_into()?;
    let filter =
        SeccompFilter::new(sometimes, SeccompAction::Allow, SeccompAction::Errno(libc::EPERM as u32), arch)?;
    let mut program = denied_by_number(&always);
    program.extend(BpfProgram::try_from(filter)?);
    Ok(program)
}

/// The newest call that was looked at for this list (`mseal`, Linux 6.10). Newer ones change attributes under new names.
const LAST_KNOWN_CALL: u32 = 462;

/// The first instructions. They deny what is denied whatever its arguments, and answer that there are no calls that are
/// newer than the list, or whose arguments lie in memory, which a filter cannot read.
///
/// The numbers are compared in blocks, with a jump over each block that lies below the call's number: when a filter is
/// set the kernel runs it for every number there is, which makes its length felt at each start.
fn denied_by_number(denied: &BTreeSet<u32>) -> BpfProgram {
    const LOAD_WORD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    const JUMP_GREATER: u16 = (libc::BPF_JMP | libc::BPF_JGT | libc::BPF_K) as u16;
    const JUMP_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    const JUMP: u16 = (libc::BPF_JMP | libc::BPF_JA) as u16;
    const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
    const ANSWER: u32 = libc::SECCOMP_RET_ERRNO;
    const BLOCK: usize = 12;
    let op = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    let mut program = vec![
        op(LOAD_WORD, 0, 0, 0), // the call's number is the first word of `struct seccomp_data`
        op(JUMP_GREATER, 2, 0, LAST_KNOWN_CALL),
        op(JUMP_EQUAL, 1, 0, libc::SYS_clone3 as u32),
        op(JUMP_EQUAL, 0, 1, libc::SYS_openat2 as u32),
        op(RETURN, 0, 0, ANSWER | libc::ENOSYS as u32),
    ];
    let denied: Vec<u32> = denied.iter().copied().collect();
    for block in denied.chunks(BLOCK) {
        let length = block.len() as u8;
        // Behind the comparisons stand a jump over the answer, and the answer.
        program.push(op(JUMP_GREATER, length + 2, 0, block[block.len() - 1]));
        program.extend((1..=length).zip(block).map(|(at, call)| op(JUMP_EQUAL, length - at + 1, 0, *call)));
        program.push(op(JUMP, 0, 0, 1));
        program.push(op(RETURN, 0, 0, ANSWER | libc::EPERM as u32));
    }
    program
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

    /// Runs the part that looks at numbers: `None` where it leaves the call to what follows.
    fn answer(program: &[sock_filter], call: u32) -> Option<u32> {
        let mut at = 1;
        while let Some(op) = program.get(at) {
            let taken = match u32::from(op.code) {
                libc::BPF_RET => return Some(op.k & 0xffff),
                code if code == libc::BPF_JMP | libc::BPF_JA => op.k,
                code if code == libc::BPF_JMP | libc::BPF_JGT => {
                    u32::from(if call > op.k { op.jt } else { op.jf })
                }
                _ => u32::from(if call == op.k { op.jt } else { op.jf }),
            };
            at += 1 + taken as usize;
        }
        assert_eq!(at, program.len(), "a jump leads past what follows");
        None
    }

    #[test]
    fn exactly_the_denied_numbers_are_denied() {
        for count in [0, 1, 11, 12, 13, 24, 100] {
            let denied: BTreeSet<u32> = (0..count).map(|n| n * 4 + 3).collect();
            let program = denied_by_number(&denied);
            for call in 0..600 {
                let no_such_call = call > LAST_KNOWN_CALL
                    || i64::from(call) == libc::SYS_clone3
                    || i64::from(call) == libc::SYS_openat2;
                let expected = if no_such_call {
                    Some(libc::ENOSYS as u32)
                } else {
                    denied.contains(&call).then_some(libc::EPERM as u32)
                };
                assert_eq!(answer(&program, call), expected, "call {call} of {count}");
            }
        }
    }
}
