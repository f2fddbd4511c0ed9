//! The warden: a thread for each command that answers those of its system calls that the kernel stops for it.
//!
//! A command's processes wear a filter that hands some of their calls to a listener, which the first of them sent to
//! Deputy. Each such call waits until the warden has decided. What starts a program is let through or refused; what
//! opens or changes a file the warden carries out itself and hands the result over, because a process could change the
//! path between the warden's look and the kernel's. Where the warden is gone the kernel fails every such call.
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

/// What the child sets upon itself so that the warden hears of its calls.
pub(crate) struct Summons {
    pub(crate) filter: Arc<[sock_filter]>,
    /// Where the child sends its listener.
    pub(crate) socket: OwnedFd,
}

/// A warden that has not begun.
pub(crate) struct Post {
    socket: OwnedFd,
    duty: Duty,
}

/// What is decided about calls.
pub(crate) struct Duty {
    /// The only programs that may be started. `None`: any.
    pub(crate) programs: Option<Programs>,
    /// The program that Deputy itself starts, once, where that is not the command's.
    pub(crate) wrapper: Option<(u64, u64)>,
    /// What the command may do with paths. `None`: other walls see to it.
    pub(crate) bounds: Option<Bounds>,
    /// The largest file that the command may have.
    pub(crate) file_bytes: u64,
    /// What its sockets may reach, where it has no network of its own. `None`: other walls see to it.
    pub(crate) loopback: Option<Loopback>,
    /// Whether it may know what is mounted.
    pub(crate) tells_mounts: bool,
}

impl Post {
    /// A post and the child's part of it.
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

    /// Begins. The warden ends when nobody is left who could make a call.
    pub(crate) fn begin(self, refusals: Arc<Refusals>, answers: Arc<Answers>) -> io::Result<JoinHandle<()>> {
        let warden = move || {
            // Without the listener nobody answers, and the kernel fails the calls.
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

/// Gives this thread a mask for new files of its own, and takes root's powers from it but for the one that commands
/// have: what it does for a process must not be more than the process could do.
fn become_like_a_command() -> bool {
    // SAFETY: it parts this thread from the others, and touches no memory.
    if unsafe { libc::unshare(libc::CLONE_FS) } != 0 {
        return false;
    }
    rustix::process::umask(Mode::empty());
    // SAFETY: it changes this thread alone.
    unsafe { crate::child::drop_capabilities() }.is_ok()
}

/// How often to look whether processes that wait for a person are still there.
const ANSWER_LOOK_MS: u16 = 200;

struct Warden {
    listener: Arc<Listener>,
    duty: Duty,
    refusals: Arc<Refusals>,
    /// Programs that are to be started before the command itself runs: until then it is Deputy's own doing.
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
            // A mark of a place, by which nothing is read or changed, whatever the path; the flags cannot change any more,
            // and the kernel passes no marks.
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

    /// Has a socket lead where it may.
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

    /// A fact about the machine, where a process opens one; anything else the other walls decide.
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

    /// Whether a program may be started. The kernel looks its name up once more afterwards; what a process can gain by
    /// changing it in between is to run another program where it runs already, behind the same walls, and Landlock's
    /// list of programs, where there is one, knows nothing of names.
    fn start(&mut self, notification: Notification, call: Call) -> Result<(), Errno> {
        // This is a process of the command's, and not one of the wrapper's, whose root is another.
        let root = root_of(&mut self.root, &self.listener, notification)?;
        let (Some(programs), Call::Start { at, follow }) = (&self.duty.programs, call) else { return Ok(()) };
        let target = Target::new(&self.listener, notification, root.as_fd());
        let path = target.string(at.path)?;
        let found = target.find(at, &path, follow)?;
        let stat = fstat(&found)?;
        // The words are behind the path.
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

/// The root of the command's file system, found once.
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
