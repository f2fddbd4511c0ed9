//! The process tree, read from `/proc` without allocating, because the keeper reads it, too.
#![allow(unsafe_code)]

use std::ffi::c_char;
use std::ops::ControlFlow;

/// A process as described by `/proc/PID/stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: i32,
    pub(crate) parent: i32,
    pub(crate) group: i32,
    pub(crate) session: i32,
}

/// Kills every child of the calling process, and the child's whole process group unless it is the caller's own.
///
/// All groups found here are in sessions that the command created, so they contain no other processes. To kill a group,
/// the kernel visits each of its members. A fork bomb of 32,000 processes in a group would take minutes if the group
/// were killed for each process, so a group is killed once per round. Processes that appear to have ended are still
/// killed, because other threads of a process can outlive its first thread.
pub(crate) fn kill_children() {
    const REMEMBERED: usize = 1024;
    // SAFETY: plain system calls.
    let (me, my_group) = unsafe { (libc::getpid(), libc::getpgrp()) };
    // The groups are stored at the index given by their number. The most recent group wins.
    let mut killed = [0; REMEMBERED];
    each_process(|process| {
        if process.parent != me {
            return ControlFlow::Continue(());
        }
        let is_group_new = std::mem::replace(&mut killed[process.group as usize % REMEMBERED], process.group)
            != process.group;
        // SAFETY: a child that is not reaped keeps its process id.
        unsafe {
            libc::kill(process.pid, libc::SIGKILL);
            if is_group_new && process.group > 1 && process.group != my_group {
                libc::kill(-process.group, libc::SIGKILL);
            }
        }
        ControlFlow::Continue(())
    });
}

/// Returns whether more than `most` processes are below a keeper. Counts the processes in the session of its command
/// first, and only up to that number: counting all processes of a growing fork bomb would take longer than it takes to
/// double.
pub(crate) fn is_crowded(keeper: i32, most: u64) -> bool {
    // SAFETY: a plain system call.
    let my_session = unsafe { libc::getsid(0) };
    let (mut session, mut count) = (None, 0);
    each_process(|process| {
        if process.parent == keeper && process.session != my_session {
            session.get_or_insert(process.session);
        }
        count += u64::from(session == Some(process.session));
        if count > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    count > most || descendants(keeper).len() as u64 > most
}

/// Returns all descendants of a process, children before grandchildren, each with its depth (1 for a child).
pub(crate) fn descendants(ancestor: i32) -> Vec<(Process, usize)> {
    let mut all = Vec::new();
    each_process(|process| {
        all.push(process);
        ControlFlow::Continue(())
    });
    all.sort_unstable_by_key(|process| process.parent);
    let children = |parent| {
        let first = all.partition_point(|process| process.parent < parent);
        all[first..].iter().take_while(move |process| process.parent == parent)
    };
    let mut found: Vec<(Process, usize)> = children(ancestor).map(|child| (*child, 1)).collect();
    let mut next = 0;
    // Entries are read one after another, so parents may form a cycle if a process id was reused in the meantime.
    while let Some((process, depth)) = found.get(next).copied().filter(|_| found.len() <= all.len()) {
        found.extend(children(process.pid).map(|child| (*child, depth + 1)));
        next += 1;
    }
    found
}

/// Returns whether any descendant of `ancestor` uses more than `most` bytes of private memory, including swap.
pub(crate) fn is_overgrown(ancestor: i32, most: u64) -> bool {
    descendants(ancestor).iter().any(|(process, _)| memory_bytes(process.pid) > most)
}

/// Returns the descendant of `ancestor` with the most private memory, if all descendants together use more than `most`
/// bytes.
pub(crate) fn largest_beyond(ancestor: i32, most: u64) -> Option<i32> {
    let used: Vec<(u64, i32)> =
        descendants(ancestor).iter().map(|(process, _)| (memory_bytes(process.pid), process.pid)).collect();
    let sum: u64 = used.iter().map(|(bytes, _)| bytes).sum();
    if sum <= most { None } else { used.into_iter().max().map(|(_, pid)| pid) }
}

/// Returns the private memory that a process has in use, in bytes. 0 if it is gone.
fn memory_bytes(pid: i32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let kib = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().trim_end_matches(" kB").parse::<u64>().ok()
    };
    ["RssAnon:", "VmSwap:"].into_iter().filter_map(kib).sum::<u64>().saturating_mul(1024)
}

/// Calls `call` for every visible process of the machine until it breaks.
fn each_process(mut call: impl FnMut(Process) -> ControlFlow<()>) {
    const ENTRIES_BYTES: usize = 8192;
    /// The offset of the record length in `struct linux_dirent64`, and that of the name.
    const LENGTH_AT: usize = 16;
    const NAME_AT: usize = 19;
    let mut entries = [0_u8; ENTRIES_BYTES];
    // SAFETY: a constant path. The buffer has the given length, and records are read within what the kernel has filled.
    unsafe {
        let proc = libc::open(c"/proc".as_ptr(), libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC);
        if proc < 0 {
            return;
        }
        'all: loop {
            let filled = libc::syscall(libc::SYS_getdents64, proc, entries.as_mut_ptr(), ENTRIES_BYTES);
            if filled <= 0 {
                break;
            }
            let mut at = 0;
            while at + NAME_AT < filled as usize {
                let length = u16::from_ne_bytes([entries[at + LENGTH_AT], entries[at + LENGTH_AT + 1]]);
                if let Some(process) = number(&entries[at + NAME_AT..]).and_then(look)
                    && call(process).is_break()
                {
                    break 'all;
                }
                at += usize::from(length.max(1));
            }
        }
        libc::close(proc);
    }
}

/// Parses a null-terminated name as a number.
fn number(name: &[u8]) -> Option<i32> {
    let digits = name.iter().position(|byte| *byte == 0)?;
    name[..digits]
        .iter()
        .try_fold(0_i32, |sum, byte| match byte {
            b'0'..=b'9' => sum.checked_mul(10)?.checked_add(i32::from(byte - b'0')),
            _ => None,
        })
        .filter(|pid| *pid > 0)
}

/// Reads the stat line of a process. `None` if it is gone.
fn look(pid: i32) -> Option<Process> {
    let mut line = [0_u8; 512];
    let read = read(&ProcPath::of(pid).with(b"/stat"), &mut line)?;
    parse(pid, line.get(..read)?)
}

/// Reads the beginning of a file. `None` if it cannot be read.
fn read(path: &ProcPath, buffer: &mut [u8]) -> Option<usize> {
    // SAFETY: a null-terminated path and a buffer of the length given.
    let read = unsafe {
        let file = libc::open(path.bytes.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
        if file < 0 {
            return None;
        }
        let read = libc::read(file, buffer.as_mut_ptr().cast(), buffer.len());
        libc::close(file);
        read
    };
    usize::try_from(read).ok()
}

/// The processes that a command left running: their number and the names of the first. Of a fixed size, because the
/// keeper fills it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Left {
    pub(crate) count: usize,
    names: [[u8; NAME_BYTES]; Left::MOST_NAMES],
}

/// The size of the name of a process, including the final zero byte (`TASK_COMM_LEN`).
const NAME_BYTES: usize = 16;

impl Left {
    const MOST_NAMES: usize = 4;

    /// Finds the children of a process that have not ended, except for one. Finds none if the kernel does not list
    /// children (`CONFIG_PROC_CHILDREN`).
    pub(crate) fn by(parent: i32, except: i32) -> Self {
        Self::settled(|| Self::listed(parent, except))
    }

    /// Looks until something is running, or until two looks in a row find the same number of ended processes. A daemon's
    /// starter that ends after the children were listed, and before it is looked at, leaves its daemon to the keeper:
    /// one look would find neither.
    fn settled(mut look: impl FnMut() -> (Self, usize)) -> Self {
        const LOOKS: usize = 10;
        let mut ended_before = 0;
        for _ in 0..LOOKS {
            let (left, ended) = look();
            if left.count > 0 || ended == ended_before {
                return left;
            }
            ended_before = ended;
        }
        Self::default()
    }

    /// Finds the children that are running, and how many have ended.
    fn listed(parent: i32, except: i32) -> (Self, usize) {
        let (mut left, mut ended) = (Self::default(), 0);
        each_child(parent, |child| {
            if child == except {
                return;
            }
            let mut line = [0_u8; 512];
            let read = read(&ProcPath::of(child).with(b"/stat"), &mut line).unwrap_or(0);
            let line = &line[..read];
            if has_ended(line) {
                ended += 1;
                return;
            }
            if let Some(place) = left.names.get_mut(left.count) {
                let name = name(line);
                place.iter_mut().zip(name).for_each(|(place, byte)| *place = *byte);
            }
            left.count += 1;
        });
        (left, ended)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        self.names.iter().take(self.count).map(|name| {
            let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
            String::from_utf8_lossy(&name[..end]).into_owned()
        })
    }
}

/// Returns the first child of a process.
pub(crate) fn first_child(parent: i32) -> Option<i32> {
    let mut first = None;
    each_child(parent, |child| {
        first.get_or_insert(child);
    });
    first
}

/// Calls `call` for every child of a process with a single thread, of at most some thousand.
fn each_child(parent: i32, mut call: impl FnMut(i32)) {
    let mut children = [0_u8; 16 * 1024];
    let path = ProcPath::of(parent).with(b"/task/").with_number(parent).with(b"/children");
    let read = read(&path, &mut children).unwrap_or(0);
    let numbers = children[..read].split(|byte| *byte == b' ').map(|text| std::str::from_utf8(text).ok());
    numbers.filter_map(|number| number?.parse().ok()).for_each(&mut call);
}

/// Returns the name in a stat line. It may contain anything, including parentheses.
fn name(line: &[u8]) -> &[u8] {
    let begin = line.iter().position(|byte| *byte == b'(').map_or(0, |at| at + 1);
    let end = line.iter().rposition(|byte| *byte == b')').unwrap_or(0);
    line.get(begin..end).unwrap_or_default()
}

/// Returns whether the process of a stat line is gone, or ended and only waits to be reaped.
fn has_ended(line: &[u8]) -> bool {
    let state = line.iter().rposition(|byte| *byte == b')').and_then(|at| line.get(at + 2));
    matches!(state, None | Some(b'Z' | b'X'))
}

/// A null-terminated path below `/proc`, built without allocating.
struct ProcPath {
    bytes: [c_char; 48],
    length: usize,
}

impl ProcPath {
    /// Returns the path of a process.
    fn of(pid: i32) -> Self {
        Self { bytes: [0; 48], length: 0 }.with(b"/proc/").with_number(pid)
    }

    fn with(mut self, text: &[u8]) -> Self {
        let room = &mut self.bytes[self.length..47];
        room.iter_mut().zip(text).for_each(|(place, byte)| *place = *byte as c_char);
        self.length = (self.length + text.len()).min(47);
        self
    }

    fn with_number(self, number: i32) -> Self {
        let mut digits = [0_u8; 10];
        let mut first = digits.len();
        let mut rest = number;
        while rest > 0 && first > 0 {
            first -= 1;
            digits[first] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        self.with(&digits[first..])
    }
}

/// Parses `pid (name) state parent group session ...`. The name may contain anything, so the fields are counted from
/// the last parenthesis.
fn parse(pid: i32, line: &[u8]) -> Option<Process> {
    let after_name = line.iter().rposition(|byte| *byte == b')')? + 2;
    let mut fields = line.get(after_name..)?.split(|byte| *byte == b' ').skip(1);
    let mut number = || std::str::from_utf8(fields.next()?).ok()?.parse().ok();
    Some(Process { pid, parent: number()?, group: number()?, session: number()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_confuse_the_parser() {
        let line = b"7 (a) b) 1 (2) S 3 4 5 0 -1";
        assert_eq!(parse(7, line), Some(Process { pid: 7, parent: 3, group: 4, session: 5 }));
        assert_eq!(parse(7, b"7 (cut off"), None);
    }

    #[test]
    fn a_child_is_found_below_its_parent() {
        let mut child = std::process::Command::new("/bin/sleep").arg("600").spawn().unwrap();
        let me = std::process::id() as i32;
        let below = descendants(me);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(below.iter().any(|(process, depth)| process.pid == child.id() as i32 && *depth == 1));
        assert!(descendants(child.id() as i32).is_empty());
    }

    #[test]
    fn a_daemon_is_found_whose_starter_ends_during_the_look() {
        let found = |looks: &[(usize, usize)]| {
            let mut looks = looks.iter();
            let left = Left::settled(|| {
                let (count, ended) = *looks.next().unwrap();
                (Left { count, ..Left::default() }, ended)
            });
            (left.count, looks.len())
        };
        assert_eq!(found(&[(0, 1), (1, 1)]), (1, 0), "the starter, and then its daemon");
        assert_eq!(found(&[(0, 2), (0, 2)]), (0, 0), "processes that wait to be reaped");
        assert_eq!(found(&[(0, 0)]), (0, 0));
        assert_eq!(found(&[(2, 1)]), (2, 0));
    }

    #[test]
    fn a_crowd_is_told_from_a_few() {
        let script = "for n in $(seq 50); do sleep 600 & done; echo ready; wait";
        let mut command = std::process::Command::new("setsid");
        let mut child =
            command.args(["bash", "-c", script]).stdout(std::process::Stdio::piped()).spawn().unwrap();
        let mut ready = [0; 6];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut ready).unwrap();
        let me = std::process::id() as i32;
        let found = (is_crowded(me, 40), is_crowded(me, 1_000));
        // SAFETY: a plain system call. The child leads its group and is not reaped.
        unsafe { libc::kill(-(child.id() as i32), libc::SIGKILL) };
        child.wait().unwrap();
        assert_eq!(found, (true, false));
    }

    #[test]
    fn paths_of_processes() {
        for pid in [1, 42, i32::MAX] {
            let path = ProcPath::of(pid).with(b"/task/").with_number(pid).with(b"/children");
            let bytes: Vec<u8> = path.bytes.iter().map(|c| *c as u8).take_while(|b| *b != 0).collect();
            assert_eq!(bytes, format!("/proc/{pid}/task/{pid}/children").into_bytes());
        }
        assert_eq!(name(b"7 (a) b) 1 (2) S 3 4"), b"a) b) 1 (2");
        assert!(!has_ended(b"7 (a) S 3") && has_ended(b"7 (a) S) Z 3") && has_ended(b""));
        assert_eq!(number(b"123\0"), Some(123));
        assert_eq!(number(b"12a\0"), None);
    }
}
