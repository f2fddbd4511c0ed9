//! Runs a command until it ends: starts it, collects its output, and ends it when its time is up.

use crate::bubblewrap;
use crate::enclosure::Leftovers;
use crate::keeper::{self, Gone};
use crate::launch::{Launch, Report, Step, path_of, pipe};
use crate::limits::{memory_in_use, running_now};
use crate::outcome::{Capture, LeftRunning, Refusals};
use crate::plan::{Plan, plan};
use crate::warden::Post;
use crate::warden::asking::Answers;
use crate::{Captured, ChildLimits, ChildSpec, Ended, Outcome, SandboxError, Walls, processes, walls};
use deputy_messages::sandbox as say;
use std::convert::Infallible;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::sync::{oneshot, watch};
use tokio_util::sync::CancellationToken;

/// Receives output as it arrives, standard output and standard error in order of arrival.
pub type OutputSink = Arc<dyn Fn(&[u8]) + Send + Sync>;

/// How long to wait for killed processes. It only takes longer if a process hangs in the kernel, e.g. on a lost network
/// drive.
const KILLED_PATIENCE: Duration = Duration::from_secs(5);

/// Runs a command under its confinement until it and everything it started is gone.
///
/// When the time is up or `cancel` is cancelled, all processes of the command receive `SIGTERM`, and `SIGKILL` after
/// `limits.grace`. Dropping the future kills them immediately, and so does the death of this process, for any reason.
///
/// # Errors
///
/// [`SandboxError`]; in that case nothing ran.
pub async fn run(
    spec: ChildSpec,
    cancel: CancellationToken,
    on_output: Option<OutputSink>,
) -> Result<Outcome, SandboxError> {
    run_with(walls(), spec, cancel, on_output).await
}

/// Like [`run`], with other mechanisms than this machine's, for testing what happens if some are missing.
///
/// # Errors
///
/// [`SandboxError`]; in that case nothing ran.
pub async fn run_with(
    walls: &Walls,
    spec: ChildSpec,
    cancel: CancellationToken,
    on_output: Option<OutputSink>,
) -> Result<Outcome, SandboxError> {
    let begun = Instant::now();
    if cancel.is_cancelled() {
        return Ok(Outcome {
            ended: Ended::Cancelled,
            stdout: Captured::default(),
            stderr: Captured::default(),
            duration: begun.elapsed(),
            refused: Vec::new(),
            left_running: LeftRunning::default(),
        });
    }
    let spec = Arc::new(spec);
    let limits = &spec.limits;
    let (ready, is_ready) = oneshot::channel();
    let mut gone = tokio::task::spawn_blocking({
        let (walls, spec) = (walls.clone(), Arc::clone(&spec));
        move || keep(&walls, &spec, ready)
    });
    // The thread always sends a result, unless it panics.
    let lost = |error| Err(cannot_start(Path::new(""), "waiting for the start", io::Error::other(error)));
    let mut started = is_ready.await.unwrap_or_else(lost)?;

    let mut stdout = Capture::new(limits.head_bytes, limits.tail_bytes);
    let mut stderr = Capture::new(limits.head_bytes, limits.tail_bytes);
    let is_wrapped = started.status.is_some();
    let early = {
        let end = async {
            tokio::join!(
                collect(&mut started.stdout, &mut stdout, on_output.as_ref()),
                collect(&mut started.stderr, &mut stderr, on_output.as_ref()),
                &mut gone,
            )
            .2
        };
        tokio::pin!(end);
        let early = tokio::select! {
            biased;
            gone = &mut end => Err(gone.ok().flatten()),
            () = cancel.cancelled() => Ok(Ended::Cancelled),
            () = time_is_up(limits.timeout, started.answers.waiting()) => Ok(Ended::TimedOut),
            () = crowded(&started.keeper, limits.processes) => Ok(Ended::Signalled(libc::SIGKILL)),
            () = overgrown(&started.keeper, limits) => Ok(Ended::OutOfMemory),
            () = overfull(spec.scratch.as_deref(), limits) => Ok(Ended::TemporaryFilesFull),
            never = share_memory(&started.keeper, limits) => match never {},
        };
        if let Ok(early) = &early {
            match started.keeper.get() {
                // If there are too many processes, do not signal them individually. If memory or disk space runs out, do
                // not give the command time to use more.
                Some(keeper) if matches!(early, Ended::TimedOut | Ended::Cancelled) => {
                    terminate(keeper, is_wrapped);
                }
                // If the keeper does not exist yet, there is no process to signal.
                _ => drop(started.lifeline.take()),
            }
            if tokio::time::timeout(limits.grace, &mut end).await.is_err() {
                drop(started.lifeline.take());
                if tokio::time::timeout(KILLED_PATIENCE, &mut end).await.is_err() {
                    tracing::warn!(program = %started.program.display(), "processes of a command were killed and have not gone yet");
                }
            }
        }
        early
    };
    let (stdout, stderr) = (stdout.finish(), stderr.finish());
    let mut left_running = LeftRunning::default();
    let ended = match early {
        Ok(ended) => ended,
        Err(gone) => {
            let report = gone.as_ref().and_then(|gone| gone.report);
            if let Some(left) = gone.map(|gone| gone.left) {
                left_running = LeftRunning { count: left.count, names: left.names().collect() };
            }
            let errors = if spec.is_merged { &stdout } else { &stderr };
            started.refuse_where_bubblewrap_failed(&spec, report, errors).await?;
            verdict(&started.program, is_wrapped, &spec, report)?
        }
    };
    let refused = started.refusals.take();
    let duration = begun.elapsed().saturating_sub(started.answers.waited());
    Ok(Outcome { ended, stdout, stderr, duration, refused, left_running })
}

/// A command that is running or about to run.
struct Started {
    program: PathBuf,
    stdout: Receiver,
    stderr: Receiver,
    /// The status pipe of bubblewrap.
    status: Option<Receiver>,
    keeper: Arc<keeper::Number>,
    /// Dropping it kills all remaining processes.
    lifeline: Option<OwnedFd>,
    refusals: Arc<Refusals>,
    /// A person's answers to calls that wait for them.
    answers: Arc<Answers>,
}

/// The blocking part: prepares everything, signals that it is ready, and waits until the command is gone.
fn keep(walls: &Walls, spec: &ChildSpec, ready: Ready) -> Option<Gone> {
    let made = plan(walls, spec).and_then(|plan| prepare(plan, spec));
    let (started, kept) = match made {
        Ok((started, kept)) => (Ok(started), Some(kept)),
        Err(error) => (Err(error), None),
    };
    // If the receiver is gone in the meantime, do not run anything.
    ready.send(started).ok()?;
    let Kept { launch, number, lifeline_end, leftovers, warden } = kept?;
    let gone = keeper::keep(&launch, &lifeline_end, &number);
    // The output ends when no process can write to it. The copies on this side are the last ones.
    drop(launch);
    if let Some(warden) = warden {
        // The warden has no calls left to answer. If it panicked, its calls have failed already.
        let _ = warden.join();
    }
    drop(leftovers);
    Some(gone)
}

type Ready = oneshot::Sender<Result<Started, SandboxError>>;

/// What the blocking part holds until the command is gone.
struct Kept {
    launch: Launch,
    number: Arc<keeper::Number>,
    lifeline_end: OwnedFd,
    leftovers: Leftovers,
    warden: Option<JoinHandle<()>>,
}

/// Splits a plan into the parts for both sides.
fn prepare(plan: Plan, spec: &ChildSpec) -> Result<(Started, Kept), SandboxError> {
    let Plan { launch, stdout, stderr, enclosure } = plan;
    let program = path_of(&launch.program);
    let failed = |source| cannot_start(&program, "making a pipe", source);
    let receiver = |fd| Receiver::from_owned_fd(fd).map_err(failed);
    let (stdout, stderr) = (receiver(stdout)?, receiver(stderr)?);
    let status = enclosure.status.map(receiver).transpose()?;
    let (lifeline_end, lifeline) = pipe().map_err(failed)?;
    let number = Arc::<keeper::Number>::default();
    let refusals = Arc::<Refusals>::default();
    let confinement = spec.confinement;
    let no_warden =
        |error: io::Error| SandboxError::NoWalls { confinement, why: say::no_supervisor_thread(error) };
    let answers = Answers::new().map_err(no_warden)?;
    let begin = |post: Post| post.begin(Arc::clone(&refusals), Arc::clone(&answers)).map_err(no_warden);
    let warden = enclosure.post.map(begin).transpose()?;
    let leftovers = enclosure.leftovers;
    let kept = Kept { launch, number: Arc::clone(&number), lifeline_end, leftovers, warden };
    let lifeline = Some(lifeline);
    Ok((Started { program, stdout, stderr, status, keeper: number, lifeline, refusals, answers }, kept))
}

fn cannot_start(program: &Path, step: &'static str, source: io::Error) -> SandboxError {
    SandboxError::Start { program: program.into(), step, source }
}

impl Started {
    /// Fails if bubblewrap could not run the command. Bubblewrap exits with code 1 both if it fails itself and if the
    /// command does; its status output distinguishes the two.
    async fn refuse_where_bubblewrap_failed(
        &mut self,
        spec: &ChildSpec,
        report: Option<Report>,
        stderr: &Captured,
    ) -> Result<(), SandboxError> {
        let (Some(status), Some(Report::Exited(_))) = (&mut self.status, report) else { return Ok(()) };
        let mut words = Vec::new();
        // Treat an unreadable status as empty.
        let _ = status.read_to_end(&mut words).await;
        match bubblewrap::has_run(&words) {
            true => Ok(()),
            false => Err(SandboxError::NoWalls {
                confinement: spec.confinement,
                why: bubblewrap::complaint(&stderr.head),
            }),
        }
    }
}

/// Waits until a command has used its time. The time does not pass while one of its calls waits for a person.
async fn time_is_up(limit: Duration, mut waiting: watch::Receiver<usize>) {
    let mut left = limit;
    loop {
        if *waiting.borrow_and_update() > 0 {
            if waiting.changed().await.is_err() {
                return tokio::time::sleep(left).await;
            }
            continue;
        }
        let begun = Instant::now();
        tokio::select! {
            () = tokio::time::sleep(left) => return,
            changed = waiting.changed() => match changed {
                Ok(()) => left = left.saturating_sub(begun.elapsed()),
                Err(_) => return tokio::time::sleep(left.saturating_sub(begun.elapsed())).await,
            },
        }
    }
}

/// Reads a stream until its end.
async fn collect(stream: &mut Receiver, capture: &mut Capture, sink: Option<&OutputSink>) {
    let mut chunk = vec![0; 32 * 1024];
    while let Ok(length @ 1..) = stream.read(&mut chunk).await {
        capture.push(&chunk[..length]);
        if let Some(sink) = sink {
            sink(&chunk[..length]);
        }
    }
}

/// Waits until a command exceeds its limit of processes. The kernel enforces the limit for ordinary users, but not for
/// root.
async fn crowded(keeper: &keeper::Number, most: u64) {
    const LOOK_EVERY: Duration = Duration::from_millis(25);
    if !rustix::process::geteuid().is_root() {
        return std::future::pending().await;
    }
    let before = running_now();
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        // Counting all processes is cheap. Only check whose they are if their number has grown.
        let has_grown = running_now() > before.saturating_add(most);
        if has_grown && keeper.get().is_some_and(|keeper| processes::is_crowded(keeper, most)) {
            return;
        }
    }
}

/// Waits until a process of a command exceeds its memory limit, if memory in use is what counts.
async fn overgrown(keeper: &keeper::Number, limits: &ChildLimits) {
    const LOOK_EVERY: Duration = Duration::from_millis(200);
    if !limits.counts_memory_in_use || limits.memory_bytes == u64::MAX {
        return std::future::pending().await;
    }
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        // No process uses more memory than the whole machine, which is cheap to read.
        if memory_in_use() > limits.memory_bytes
            && keeper.get().is_some_and(|keeper| processes::is_overgrown(keeper, limits.memory_bytes))
        {
            return;
        }
    }
}

/// Waits until the temporary files use more disk space than they may while free space shrinks: a command that makes room
/// is not killed.
async fn overfull(folder: Option<&Path>, limits: &ChildLimits) {
    const LOOK_EVERY: Duration = Duration::from_millis(500);
    /// How much less space may be free before the folder is measured again.
    const WORTH_LOOKING: u64 = 64 * 1024 * 1024;
    let Some(folder) = folder.filter(|_| limits.temporary_bytes < u64::MAX) else {
        return std::future::pending().await;
    };
    // Reading the free space is cheap; measuring the folder is not.
    let free =
        || rustix::fs::statvfs(folder).map_or(0, |found| found.f_bavail.saturating_mul(found.f_frsize));
    let mut looked_at = free();
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let now = free();
        looked_at = looked_at.max(now);
        if looked_at - now < WORTH_LOOKING.min(limits.temporary_bytes) {
            continue;
        }
        looked_at = now;
        let folder = folder.to_owned();
        let used =
            tokio::task::spawn_blocking(move || crate::scratch::space_used(&folder)).await.unwrap_or(0);
        if used > limits.temporary_bytes {
            return;
        }
    }
}

/// Kills the largest process of a command while all of them together exceed the memory limit.
async fn share_memory(keeper: &keeper::Number, limits: &ChildLimits) -> Infallible {
    use rustix::process::{Pid, Signal, kill_process};
    const LOOK_EVERY: Duration = Duration::from_millis(200);
    /// How much the machine's memory use may grow, and how many checks may pass, before processes are scanned again.
    const WORTH_LOOKING: u64 = 64 * 1024 * 1024;
    const MOST_PASSED_OVER: u32 = 25;
    let Some(shared) = &limits.shared_memory else { return std::future::pending().await };
    let (mut looked_at, mut passed_over) = (0, 0);
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        // Reading the machine's total is cheap; scanning all processes is not.
        let in_use = memory_in_use();
        passed_over += 1;
        let has_grown = in_use > looked_at + WORTH_LOOKING || passed_over > MOST_PASSED_OVER;
        if in_use <= shared.most_bytes || !has_grown {
            looked_at = looked_at.min(in_use);
            continue;
        }
        (looked_at, passed_over) = (in_use, 0);
        let largest = keeper.get().and_then(|keeper| processes::largest_beyond(keeper, shared.most_bytes));
        if let Some(pid) = largest.and_then(Pid::from_raw) {
            shared.ended.fetch_add(1, Ordering::SeqCst);
            let _ = kill_process(pid, Signal::KILL);
            // The rest may still exceed the limit.
            looked_at = 0;
        }
    }
}

/// Sends `SIGTERM` to everything below the keeper. Skips bubblewrap itself, which is two processes deep and would kill
/// the command at once.
fn terminate(keeper: i32, is_wrapped: bool) {
    use rustix::process::{Pid, Signal, kill_process};
    let passed_over = if is_wrapped { 2 } else { 0 };
    for (process, depth) in processes::descendants(keeper) {
        if let Some(pid) = Pid::from_raw(process.pid).filter(|_| depth > passed_over) {
            // The process may already be gone.
            let _ = kill_process(pid, Signal::TERM);
        }
    }
}

/// Returns how a command ended that was not stopped.
fn verdict(
    program: &Path,
    is_wrapped: bool,
    spec: &ChildSpec,
    report: Option<Report>,
) -> Result<Ended, SandboxError> {
    let Some(report) = report else {
        return Ok(Ended::Signalled(libc::SIGKILL));
    };
    match report {
        Report::Exited(code) => Ok(Ended::Exited(code)),
        Report::Signalled(signal) => Ok(Ended::Signalled(signal)),
        Report::Failed(Step::Execute, errno) if is_wrapped => {
            let source = io::Error::from_raw_os_error(errno);
            let why = say::could_not_be_executed(program.display(), source);
            Err(SandboxError::NoWalls { confinement: spec.confinement, why })
        }
        Report::Failed(step, errno) => Err(failure(program, spec, step, io::Error::from_raw_os_error(errno))),
    }
}

/// Returns the error for a program that never ran.
fn failure(program: &Path, spec: &ChildSpec, step: Step, source: io::Error) -> SandboxError {
    match (step, source.raw_os_error()) {
        (Step::WorkingDirectory, _) => SandboxError::WorkingDirectory { path: spec.cwd.clone(), source },
        (Step::Execute, Some(libc::E2BIG)) => SandboxError::ArgumentsTooLong { program: program.into() },
        (Step::Execute, Some(libc::ENOMEM | libc::EAGAIN)) => cannot_start(program, step.name(), source),
        (Step::Execute, _) => SandboxError::NotExecutable { program: program.into(), source },
        (Step::Landlock | Step::Summons | Step::Seccomp | Step::Capabilities | Step::NoNewPrivileges, _) => {
            SandboxError::NoWalls {
                confinement: spec.confinement,
                why: say::step_failed(source, step.name()),
            }
        }
        _ => cannot_start(program, step.name(), source),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    #[tokio::test]
    async fn the_time_of_a_command_stands_still_while_a_person_is_asked() {
        let (waiting, told) = watch::channel(1);
        let mut up = pin!(time_is_up(Duration::ZERO, told));
        let mut cx = Context::from_waker(Waker::noop());
        assert_eq!(up.as_mut().poll(&mut cx), Poll::Pending, "somebody waits");
        waiting.send_replace(0);
        up.await;
    }
}
