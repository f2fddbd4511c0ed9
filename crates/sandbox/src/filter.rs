//! seccomp: denies system calls to a confined process. It covers what Landlock and namespaces leave open.
//!
//! Denied calls return `EPERM`. Calls that are newer than this list return `ENOSYS`, so that programs fall back to what
//! they do on older kernels.

use seccompiler::{BackendError, BpfProgram, SeccompAction, SeccompFilter, SeccompRule, sock_filter};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_long;
use std::sync::{Arc, Mutex, PoisonError};

/// The parameters of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Which Internet sockets may be created.
    pub(crate) sockets: Sockets,
    /// Whether Unix sockets may be created, too, because no other process's sockets are visible.
    pub(crate) unix: bool,
    /// Whether modes, times and attributes of files may be changed, because everything protected is mounted read-only.
    pub(crate) modes: bool,
    /// Whether a warden performs changes of modes, times and owners, and decides for which files. Used if `modes` is
    /// false.
    pub(crate) carried: bool,
    /// Whether the process has its own namespaces. In these, no other processes and shared memory are visible, and
    /// everything ends with the namespace.
    pub(crate) namespaces: bool,
}

/// Which Internet sockets may be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sockets {
    None,
    /// TCP sockets whose connections a warden controls. Nothing is sent before it allows a connection.
    Led,
    /// All sockets: the command has a network, or an isolated one.
    All,
}

/// Returns the program for a shape. Programs are cached.
pub(crate) fn filter(shape: Shape) -> Result<Arc<[sock_filter]>, FilterError> {
    static MADE: Mutex<Vec<(Shape, Arc<[sock_filter]>)>> = Mutex::new(Vec::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, program)) = made.iter().find(|(its, _)| *its == shape) {
        return Ok(Arc::clone(program));
    }
    let program: Arc<[sock_filter]> = assemble(shape)?.into();
    made.push((shape, Arc::clone(&program)));
    Ok(program)
}

/// Converts a program to the format that bubblewrap reads from a file.
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

/// Why a program could not be built.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FilterError {
    /// The conditions on arguments could not be expressed, or the architecture is unknown.
    #[error("{source}")]
    Conditions {
        #[from]
        source: BackendError,
    },
    /// A jump can skip at most 255 instructions.
    #[error("its list of calls is too long")]
    TooLong,
}

fn assemble(shape: Shape) -> Result<BpfProgram, FilterError> {
    let rules = crate::denied::rules(shape)?;
    let (always, sometimes): (Vec<_>, Vec<_>) =
        rules.into_iter().partition(|(_, conditions)| conditions.is_empty());
    let always: BTreeSet<u32> = always.into_iter().map(|(call, _)| call as u32).collect();
    let sometimes: BTreeMap<c_long, Vec<SeccompRule>> = sometimes.into_iter().collect();
    let conditional: BTreeSet<u32> = sometimes.keys().map(|call| *call as u32).collect();
    let arch = std::env::consts::ARCH.try_into()?;
    let filter =
        SeccompFilter::new(sometimes, SeccompAction::Allow, SeccompAction::Errno(libc::EPERM as u32), arch)?;
    let mut program = by_number(&always, &conditional)?;
    program.extend(BpfProgram::try_from(filter)?);
    Ok(program)
}

/// The newest call that this list takes into account (`mseal`, Linux 6.10). Newer calls change attributes under new
/// names.
const LAST_KNOWN_CALL: u32 = 462;

/// The kernel's constant for this architecture: `EM_X86_64` or `EM_AARCH64`, 64-bit, little-endian.
const ARCHITECTURE: u32 = 0xc000_0000 | if cfg!(target_arch = "aarch64") { 183 } else { 62 };

/// The answer to a call by its number alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Allowed,
    Denied,
    /// The call is newer than the list, or its arguments are in memory, which a filter cannot read. The call appears
    /// not to exist.
    Unknown,
    /// The answer depends on the arguments, which the following instructions check.
    Depends,
}

fn answer(call: u32, denied: &BTreeSet<u32>, conditional: &BTreeSet<u32>) -> Answer {
    let in_memory = [libc::SYS_clone3, libc::SYS_openat2].contains(&c_long::from(call));
    match () {
        () if call > LAST_KNOWN_CALL || in_memory => Answer::Unknown,
        () if denied.contains(&call) => Answer::Denied,
        () if conditional.contains(&call) => Answer::Depends,
        () => Answer::Allowed,
    }
}

/// Returns the first instructions: calls of another architecture kill the process, and others branch by number.
///
/// The instructions are a binary search over ranges of numbers with equal answers. When a filter is installed, the
/// kernel runs it for every call number, so the length of its paths affects the start time of each command.
fn by_number(denied: &BTreeSet<u32>, conditional: &BTreeSet<u32>) -> Result<BpfProgram, FilterError> {
    const LOAD_WORD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    const JUMP_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    const JUMP_FROM: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
    const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
    // Offsets in `struct seccomp_data`.
    const NUMBER_AT: u32 = 0;
    const ARCHITECTURE_AT: u32 = 4;
    let op = |code, jt, jf, k| sock_filter { code, jt, jf, k };

    let mut ranges: Vec<(u32, Answer)> = Vec::new();
    for call in 0..=LAST_KNOWN_CALL + 1 {
        let answer = answer(call, denied, conditional);
        if ranges.last().is_none_or(|(_, last)| *last != answer) {
            ranges.push((call, answer));
        }
    }
    let mut forks = Vec::new();
    fork(&ranges, &mut forks);

    let mut program = vec![
        op(LOAD_WORD, 0, 0, ARCHITECTURE_AT),
        op(JUMP_EQUAL, 1, 0, ARCHITECTURE),
        op(RETURN, 0, 0, libc::SECCOMP_RET_KILL_PROCESS),
        op(LOAD_WORD, 0, 0, NUMBER_AT),
    ];
    for (at, its) in forks.iter().enumerate() {
        let offset = |way| {
            let target = match way {
                Way::Fork(index) => index,
                Way::Answer(Answer::Allowed) => forks.len(),
                Way::Answer(Answer::Denied) => forks.len() + 1,
                Way::Answer(Answer::Unknown) => forks.len() + 2,
                Way::Answer(Answer::Depends) => forks.len() + 3,
            };
            u8::try_from(target - at - 1).map_err(|_| FilterError::TooLong)
        };
        program.push(op(JUMP_FROM, offset(its.above)?, offset(its.below)?, its.from));
    }
    program.extend([
        op(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
        op(RETURN, 0, 0, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32),
        op(RETURN, 0, 0, libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
    ]);
    Ok(program)
}

/// A branch: numbers from `from` on go to `above`, smaller ones to `below`.
struct Fork {
    from: u32,
    below: Way,
    above: Way,
}

#[derive(Clone, Copy)]
enum Way {
    Fork(usize),
    Answer(Answer),
}

/// Lays out the branches that distinguish ranges. Each branch comes before those that it leads to.
fn fork(ranges: &[(u32, Answer)], forks: &mut Vec<Fork>) -> Way {
    let (below, above) = match ranges {
        [(_, answer)] => return Way::Answer(*answer),
        _ => ranges.split_at(ranges.len() / 2),
    };
    let index = forks.len();
    let answered = Way::Answer(Answer::Unknown);
    forks.push(Fork { from: above[0].0, below: answered, above: answered });
    forks[index].below = fork(below, forks);
    forks[index].above = fork(above, forks);
    Way::Fork(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_assembles_within_the_kernels_bounds() {
        const MOST_INSTRUCTIONS: usize = 4096;
        for bits in 0..96 {
            let shape = Shape {
                sockets: [Sockets::None, Sockets::All, Sockets::Led][bits % 3],
                modes: bits & 2 != 0,
                carried: bits & 8 != 0,
                namespaces: bits & 4 != 0,
                unix: bits & 16 != 0,
            };
            let program = filter(shape).unwrap();
            assert!(program.len() < MOST_INSTRUCTIONS, "{shape:?}: {}", program.len());
            assert_eq!(to_bytes(&program).len(), program.len() * 8);
        }
    }

    /// Runs the instructions that check the architecture and the number. `None` if the result depends on the
    /// instructions that follow.
    fn run(program: &[sock_filter], architecture: u32, call: u32) -> Option<u32> {
        let mut at = 0;
        let mut loaded = 0;
        while let Some(op) = program.get(at) {
            let taken = match u32::from(op.code) {
                libc::BPF_RET => return Some(op.k),
                code if code == libc::BPF_LD | libc::BPF_ABS => {
                    loaded = if op.k == 0 { call } else { architecture };
                    0
                }
                code if code == libc::BPF_JMP | libc::BPF_JGE => {
                    if loaded >= op.k {
                        op.jt
                    } else {
                        op.jf
                    }
                }
                _ => {
                    if loaded == op.k {
                        op.jt
                    } else {
                        op.jf
                    }
                }
            };
            at += 1 + usize::from(taken);
        }
        assert_eq!(at, program.len(), "a jump leads past what follows");
        None
    }

    #[test]
    fn exactly_the_denied_numbers_are_denied() {
        for count in [0, 1, 11, 12, 13, 24, 100] {
            let denied: BTreeSet<u32> = (0..count).map(|n| n * 4 + 3).collect();
            let conditional: BTreeSet<u32> = (0..count / 8).map(|n| n * 7 + 2).collect();
            let program = by_number(&denied, &conditional).unwrap();
            for call in (0..600).chain([0x4000_0000, u32::MAX]) {
                let no_such_call = call > LAST_KNOWN_CALL
                    || i64::from(call) == libc::SYS_clone3
                    || i64::from(call) == libc::SYS_openat2;
                let expected = if no_such_call {
                    Some(libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32)
                } else if denied.contains(&call) {
                    Some(libc::SECCOMP_RET_ERRNO | libc::EPERM as u32)
                } else {
                    (!conditional.contains(&call)).then_some(libc::SECCOMP_RET_ALLOW)
                };
                assert_eq!(run(&program, ARCHITECTURE, call), expected, "call {call} of {count}");
                assert_eq!(run(&program, ARCHITECTURE - 1, call), Some(libc::SECCOMP_RET_KILL_PROCESS));
            }
        }
    }

    #[test]
    fn a_list_that_is_too_long_is_an_error_and_no_wrong_filter() {
        let denied: BTreeSet<u32> = (0..LAST_KNOWN_CALL).step_by(2).collect();
        assert!(matches!(by_number(&denied, &BTreeSet::new()), Err(FilterError::TooLong)));
    }
}
