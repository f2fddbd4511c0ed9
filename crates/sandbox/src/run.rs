//! Runs one command to its end: starts it, collects its output, ends it when its time is up.

use crate::bubblewrap;
use crate::enclosure::Leftovers;
use crate::keeper::{self, Gone};
use crate::launch::{Launch, Report, Step, path_of, pipe};
use crate::limits::{memory_in_use, running_now};
use crate::outcome::{Capture, Refusals};
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

/// Sees output as it comes: standard output and standard error in the order in which they arrive.
pub type OutputSink = Arc<dyn Fn(&[u8]) + Send + Sync>;

/// How long to wait for processes that were killed. Longer only where one hangs in the kernel, on a lost network disk.
const KILLED_PATIENCE: Duration = Duration::from_secs(5);

/// Runs a command under its confinement until it and everything it started is gone.
///
/// When the time is up, or `cancel` is cancelled, all its processes get `SIGTERM`, and `SIGKILL` after
/// `limits.grace`. Dropping the future ends them too, at once; so does the death of this process, however it dies.
///
/// # Errors
/// [`SandboxError`], and then nothing ran.
pub async fn run(
    spec: ChildSpec,
    cancel: CancellationToken,
    on_output: Option<OutputSink>,
) -> Result<Outcome, SandboxError> {
    run_with(walls(), spec, cancel, on_output).await
}

/// As [`run`], with walls other than this machine's: to see what happens where some are missing.
///
/// # Errors
/// [`SandboxError`], and then nothing ran.
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
        });
    }
    let spec = Arc::new(spec);
    let limits = &spec.limits;
    let (ready, is_ready) = oneshot::channel();
    let mut gone = tokio::task::spawn_blocking({
        let (walls, spec) = (walls.clone(), Arc::clone(&spec));
        move || keep(&walls, &spec, ready)
    });
    // It says something, but where it panics.
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
            gone = &mut end => Err(gone.ok().flatten().and_then(|gone| gone.report)),
            () = cancel.cancelled() => Ok(Ended::Cancelled),
            () = time_is_up(limits.timeout, started.answers.waiting()) => Ok(Ended::TimedOut),
            () = crowded(&started.keeper, limits.processes) => Ok(Ended::Signalled(libc::SIGKILL)),
            () = overgrown(&started.keeper, limits) => Ok(Ended::OutOfMemory),
            never = share_memory(&started.keeper, limits) => match never {},
        };
        if let Ok(early) = &early {
            match started.keeper.get() {
                // Too many are not asked one by one, and what takes all the memory is not given time for more.
                Some(keeper) if !matches!(early, Ended::Signalled(_) | Ended::OutOfMemory) => {
                    terminate(keeper, is_wrapped);
                }
                // Nor is anybody where there is nobody to ask yet; there will be nobody.
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
    let ended = match early {
        Ok(ended) => ended,
        Err(report) => {
            started.refuse_where_bubblewrap_failed(&spec, report, &stderr).await?;
            verdict(&started.program, is_wrapped, &spec, report)?
        }
    };
    let refused = started.refusals.take();
    Ok(Outcome { ended, stdout, stderr, duration: begun.elapsed(), refused })
}

/// A command that runs, or is about to.
struct Started {
    program: PathBuf,
    stdout: Receiver,
    stderr: Receiver,
    /// Bubblewrap's.
    status: Option<Receiver>,
    keeper: Arc<keeper::Number>,
    /// Dropping it kills what still runs.
    lifeline: Option<OwnedFd>,
    refusals: Arc<Refusals>,
    /// Of a person, to calls that wait for one.
    answers: Arc<Answers>,
}

/// The blocking half: makes everything ready, says so, and then waits until the command is gone.
fn keep(walls: &Walls, spec: &ChildSpec, ready: Ready) -> Option<Gone> {
    let made = plan(walls, spec).and_then(|plan| prepare(plan, spec));
    let (started, kept) = match made {
        Ok((started, kept)) => (Ok(started), Some(kept)),
        Err(error) => (Err(error), None),
    };
    // Anyone who wanted the command may have gone meanwhile; then nothing runs.
    ready.send(started).ok()?;
    let Kept { launch, number, lifeline_end, leftovers, warden } = kept?;
    let gone = keeper::keep(&launch, &lifeline_end, &number);
    // The output ends where nobody can write to it any more, and this side's copies are the last.
    drop(launch);
    if let Some(warden) = warden {
        // It has nobody left to answer; that it panicked was the end of every call it would have answered.
        let _ = warden.join();
    }
    drop(leftovers);
    Some(gone)
}

type Ready = oneshot::Sender<Result<Started, SandboxError>>;

/// What the blocking half holds until the command is gone.
struct Kept {
    launch: Launch,
    number: Arc<keeper::Number>,
    lifeline_end: OwnedFd,
    leftovers: Leftovers,
    warden: Option<JoinHandle<()>>,
}

/// Gives each half its part.
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
    /// Bubblewrap ends with code 1 both when it fails and when the command does; what it says alongside tells the two apart.
    async fn refuse_where_bubblewrap_failed(
        &mut self,
        spec: &ChildSpec,
        report: Option<Report>,
        stderr: &Captured,
    ) -> Result<(), SandboxError> {
        let (Some(status), Some(Report::Exited(_))) = (&mut self.status, report) else { return Ok(()) };
        let mut words = Vec::new();
        // Whatever cannot be read was not said.
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

/// Waits until a command has run as long as it may. While one of its calls waits for a person its time stands still.
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

/// Reads a stream to its end.
async fn collect(stream: &mut Receiver, capture: &mut Capture, sink: Option<&OutputSink>) {
    let mut chunk = vec![0; 32 * 1024];
    while let Ok(length @ 1..) = stream.read(&mut chunk).await {
        capture.push(&chunk[..length]);
        if let Some(sink) = sink {
            sink(&chunk[..length]);
        }
    }
}

/// Waits until a command has more processes than it may. The kernel sees to that for ordinary users; root it lets do
/// as it likes.
async fn crowded(keeper: &keeper::Number, most: u64) {
    const LOOK_EVERY: Duration = Duration::from_millis(25);
    if !rustix::process::geteuid().is_root() {
        return std::future::pending().await;
    }
    let before = running_now();
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        // Counting all is cheap, and only where it has grown is it worth asking whose they are.
        let has_grown = running_now() > before.saturating_add(most);
        if has_grown && keeper.get().is_some_and(|keeper| processes::is_crowded(keeper, most)) {
            return;
        }
    }
}

/// Waits until a process of a command has more memory in use than it may, where that is what counts.
async fn overgrown(keeper: &keeper::Number, limits: &ChildLimits) {
    const LOOK_EVERY: Duration = Duration::from_millis(200);
    if !limits.counts_memory_in_use || limits.memory_bytes == u64::MAX {
        return std::future::pending().await;
    }
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        // No process has more than the whole machine; to know that costs nothing.
        if memory_in_use() > limits.memory_bytes
            && keeper.get().is_some_and(|keeper| processes::is_overgrown(keeper, limits.memory_bytes))
        {
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

/// Asks everything below the keeper to end. Bubblewrap itself is two processes deep, and would end the command at once.
fn terminate(keeper: i32, is_wrapped: bool) {
    use rustix::process::{Pid, Signal, kill_process};
    let passed_over = if is_wrapped { 2 } else { 0 };
    for (process, depth) in processes::descendants(keeper) {
        if let Some(pid) = Pid::from_raw(process.pid).filter(|_| depth > passed_over) {
            // It may be gone already.
            let _ = kill_process(pid, Signal::TERM);
        }
    }
}

/// What a command that ended by itself came to.
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

/// Why the program never ran.
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
