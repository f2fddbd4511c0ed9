//! The warden: a thread per command that answers the system calls that the kernel suspends for it.
//!
//! The processes of a command have a filter that sends notifications of some calls to a listener, which the first
//! process sent to Deputy. Each of these calls waits until the warden has decided. The warden allows or refuses calls
//! that start a program. It performs calls that open or change a file itself and passes on the result, because a
//! process could change the path between the warden's check and the kernel's. If the warden is gone, the kernel fails
//! all these calls.
#![allow(unsafe_code)]

pub(crate) mod asking;
pub(crate) mod calls;
mod carry;
pub(crate) mod facts;
pub(crate) mod guard;
pub(crate) mod listener;
pub(crate) mod loopback;
mod opening;
pub(crate) mod programs;
mod target;
mod waiting;
mod walk;
mod walks;
pub(crate) mod watched;

use crate::outcome::{Attempt, Refusals, Refused};
use asking::{Answers, Asking};
use calls::{At, Call, SocketCall};
use carry::{Carrier, Done};
use guard::{Bounds, Fence, Made};
use listener::{Listener, Notification, Waited};
use loopback::{Carried, Loopback};
use programs::Programs;
use rustix::fs::{Mode, fstat};
use rustix::io::Errno;
use seccompiler::sock_filter;
use std::cell::Cell;
use std::ffi::c_int;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::thread::JoinHandle;
use target::{Target, real_path};
use waiting::Waiting;

/// What the child applies to itself so that the warden is notified of its calls.
pub(crate) struct Summons {
    pub(crate) filter: Arc<[sock_filter]>,
    /// The socket through which the child sends its listener.
    pub(crate) socket: OwnedFd,
}

/// A warden that has not started yet.
pub(crate) struct Post {
    socket: OwnedFd,
    duty: Duty,
}

/// The decisions to make about calls.
pub(crate) struct Duty {
    /// The only programs that may be started. `None` for any.
    pub(crate) programs: Option<Programs>,
    /// The wrapper that Deputy itself starts once, if any, by device and inode.
    pub(crate) wrapper: Option<(u64, u64)>,
    /// The restrictions on paths. `None` if other mechanisms enforce them.
    pub(crate) bounds: Option<Bounds>,
    /// The maximum size of a file that the command may create, in bytes.
    pub(crate) file_bytes: u64,
    /// What sockets may reach if the command has no private network. `None` if other mechanisms enforce it.
    pub(crate) loopback: Option<Loopback>,
    /// Whether the command may read what is mounted.
    pub(crate) tells_mounts: bool,
}

impl Post {
    /// Creates a warden and the child's part of it.
    pub(crate) fn new(duty: Duty) -> io::Result<(Self, Summons)> {
        let (own, childs) = UnixStream::pair()?;
        let childs = crate::launch::above_stdio(childs.into())?;
        let mut watched = watched::STARTING.to_vec();
        match &duty.bounds {
            Some(bounds) => {
                watched.extend(calls::CHANGING);
                watched.extend(bounds.fence.iter().flat_map(|_| calls::KEEPING));
                let is_led = duty.loopback.is_some();
                watched.extend((!is_led).then_some(calls::BINDING).into_iter().flatten());
            }
            None => watched.extend(duty.tells_mounts.then_some(calls::OPENING).into_iter().flatten()),
        }
        watched.extend(duty.loopback.iter().flat_map(|_| calls::LEADING));
        Ok((Self { socket: own.into(), duty }, Summons { filter: watched::filter(&watched), socket: childs }))
    }

    /// Starts the warden. It ends when no process is left that could make a call.
    pub(crate) fn begin(self, refusals: Arc<Refusals>, answers: Arc<Answers>) -> io::Result<JoinHandle<()>> {
        let warden = move || {
            // Without a listener, the kernel fails the calls.
            if !become_like_a_command() {
                return;
            }
            let Some(listener) = Listener::take(&self.socket) else { return };
            let starts_to_come = if self.duty.wrapper.is_some() { 2 } else { 1 };
            let listener = Arc::new(listener);
            let waiting = Waiting::new(Arc::clone(&listener));
            Warden {
                listener,
                duty: self.duty,
                refusals,
                starts_to_come,
                root: None,
                waiting,
                asking: Asking::new(answers),
                made: Made::default(),
            }
            .serve();
        };
        std::thread::Builder::new().name("warden".into()).spawn(warden)
    }
}

/// Gives this thread a private umask and drops root's capabilities except for the one that commands have. What the
/// warden does for a process must not exceed what the process could do.
fn become_like_a_command() -> bool {
    // SAFETY: it separates this thread from the others and touches no memory.
    if unsafe { libc::unshare(libc::CLONE_FS) } != 0 {
        return false;
    }
    rustix::process::umask(Mode::empty());
    // SAFETY: it changes only this thread.
    unsafe { crate::child::drop_capabilities() }.is_ok()
}

/// How often to check whether processes that wait for a person still exist, in milliseconds.
const ANSWER_LOOK_MS: u16 = 200;

struct Warden {
    listener: Arc<Listener>,
    duty: Duty,
    refusals: Arc<Refusals>,
    /// The number of programs that are still to be started before the command itself runs. Until then, Deputy itself
    /// starts programs.
    starts_to_come: u32,
    /// The root of the command's file system. None of its processes can change it.
    root: Option<OwnedFd>,
    waiting: Waiting,
    asking: Asking,
    made: Made,
}

impl Warden {
    fn serve(mut self) {
        loop {
            let look_again_ms = match self.asking.is_waiting() {
                true => Some(ANSWER_LOOK_MS),
                false => self.waiting.look_again_ms(),
            };
            match self.listener.wait(self.asking.bell(), look_again_ms) {
                Waited::Ready => {
                    if let Some(notification) = self.listener.receive() {
                        self.decide(notification);
                    }
                }
                Waited::Rung => {
                    for notification in self.asking.answered() {
                        self.decide(notification);
                    }
                }
                Waited::TimeOut => {
                    self.waiting.let_go();
                    self.asking.let_go(|id| self.listener.still_waits(id));
                }
                Waited::Gone => return,
            }
        }
    }

    fn decide(&mut self, notification: Notification) {
        let id = notification.id;
        let call = calls::decode(&notification);
        let is_start = matches!(call, Some(Call::Start { .. }));
        if self.starts_to_come > u32::from(is_start) {
            self.starts_to_come -= u32::from(is_start);
            return self.listener.proceed(id);
        }
        let done = match call {
            Some(call @ Call::Start { .. }) => {
                let may = self.start(notification, call);
                self.starts_to_come = 0;
                return match may {
                    Ok(()) => self.listener.proceed(id),
                    Err(error) => self.listener.answer(id, Err(error)),
                };
            }
            // An `O_PATH` handle allows neither reading nor changing, whatever the path. Its flags cannot be changed
            // later, and the kernel does not pass such handles.
            Some(Call::Open { flags, .. }) if flags & libc::O_PATH != 0 => return self.listener.proceed(id),
            Some(Call::Open { at, flags, .. }) if self.duty.bounds.is_none() => {
                match self.tell(notification, at, flags) {
                    Ok(Some(fd)) => Ok(Done::Opened { fd, closes_on_exec: flags & libc::O_CLOEXEC != 0 }),
                    Ok(None) => return self.listener.proceed(id),
                    Err(error) => Err(error),
                }
            }
            Some(Call::Socket(call)) if self.duty.loopback.is_some() => return self.lead(notification, call),
            Some(call) => self.carry_out(notification, call),
            None => Err(Errno::NOSYS),
        };
        if let Some(bounds) = &self.duty.bounds
            && self.asking.wait(&bounds.guard, notification)
        {
            return;
        }
        match done {
            Ok(Done::Value(value)) => self.listener.answer(id, Ok(value)),
            Ok(Done::Opened { fd, closes_on_exec }) => {
                self.listener.hand_over(id, fd.as_fd(), closes_on_exec);
            }
            Ok(Done::Waits { held, flags }) => self.waiting.add(id, held, flags),
            Ok(Done::LeftToKernel) => self.listener.proceed(id),
            Err(error) => self.listener.answer(id, Err(error)),
        }
    }

    /// Performs a socket call if the target is allowed.
    fn lead(&mut self, notification: Notification, call: SocketCall) {
        let id = notification.id;
        let carried = self.carry_out_of_socket(notification, call);
        let answer =
            move |result: Result<(), Errno>, listener: &Listener| listener.answer(id, result.map(|()| 0));
        match carried {
            Ok(Carried::Done) => answer(Ok(()), &self.listener),
            Ok(Carried::Connects(connection)) => {
                let listener = Arc::clone(&self.listener);
                let connects = move || answer(connection.make(), &listener);
                if std::thread::Builder::new().name("warden-connect".into()).spawn(connects).is_err() {
                    answer(Err(Errno::AGAIN), &self.listener);
                }
            }
            Err(error) => answer(Err(error), &self.listener),
        }
    }

    fn carry_out_of_socket(
        &mut self,
        notification: Notification,
        call: SocketCall,
    ) -> Result<Carried, Errno> {
        let root = root_of(&mut self.root, &self.listener, notification)?;
        let target = Target::new(&self.listener, notification, root.as_fd());
        self.duty.loopback.as_mut().ok_or(Errno::NOSYS)?.carry_out(&target, call)
    }

    /// Returns a fact about the machine if a process opens one. Other mechanisms decide about everything else.
    fn tell(&mut self, notification: Notification, at: At, flags: c_int) -> Result<Option<OwnedFd>, Errno> {
        let root = root_of(&mut self.root, &self.listener, notification)?;
        let path = Target::new(&self.listener, notification, root.as_fd()).string(at.path)?;
        facts::opened(&path, flags).transpose()
    }

    fn carry_out(&mut self, notification: Notification, call: Call) -> Result<Done, Errno> {
        let Some(bounds) = &self.duty.bounds else { return Err(Errno::NOSYS) };
        let root = root_of(&mut self.root, &self.listener, notification)?;
        let shared_memory = bounds.fence.as_ref().map(Fence::shared_memory);
        let target = Target::new(&self.listener, notification, root.as_fd()).sharing(shared_memory);
        let (refusals, file_bytes) = (&*self.refusals, self.duty.file_bytes);
        let (made, asking) = (&self.made, &self.asking);
        let names = Cell::new((At { folder: libc::AT_FDCWD, path: 0 }, false));
        Carrier { target: &target, bounds, made, refusals, asking, names, file_bytes }.carry_out(call)
    }

    /// Decides whether a program may be started. The kernel looks up the name again afterwards. A process that changes
    /// it in between can only run another program with the same restrictions, and Landlock's list of programs, if used,
    /// does not depend on names.
    fn start(&mut self, notification: Notification, call: Call) -> Result<(), Errno> {
        // This is a process of the command, not of the wrapper, which has a different root.
        let root = root_of(&mut self.root, &self.listener, notification)?;
        let (Some(programs), Call::Start { at, follow }) = (&self.duty.programs, call) else { return Ok(()) };
        let target = Target::new(&self.listener, notification, root.as_fd());
        let path = target.string(at.path)?;
        let found = target.find(at, &path, follow)?;
        let stat = fstat(&found)?;
        // The argument list follows the path.
        let called = || target.first_of_list(at.path + 1).ok().flatten();
        if programs.holds(stat.st_dev, stat.st_ino)
            && programs.may_be_called(stat.st_dev, stat.st_ino, called)
        {
            return Ok(());
        }
        let path = real_path(&found).unwrap_or(path);
        self.refusals.add(Refused {
            operation: Attempt::Execute,
            path,
            why: deputy_messages::sandbox::only_judged_programs(),
        });
        Err(Errno::ACCESS)
    }
}

/// Returns the root of the command's file system. It is looked up once.
fn root_of<'a>(
    known: &'a mut Option<OwnedFd>,
    listener: &Listener,
    notification: Notification,
) -> Result<&'a OwnedFd, Errno> {
    if known.is_none() {
        let root = target::root(notification.thread)?;
        if !listener.still_waits(notification.id) {
            return Err(Errno::SRCH);
        }
        *known = Some(root);
    }
    known.as_ref().ok_or(Errno::SRCH)
}
