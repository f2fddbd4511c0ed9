//! Runs a command until it ends, or in the background while its output lines are read.

use crate::JsonLines;
use deputy_protocol::{ErrorBody, ServerMessage, TaskEvent};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long a child may run before it counts as hung. It is then killed, so that the test fails instead of hanging.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command that has ended.
#[derive(Debug)]
pub struct Finished {
    /// The exit code. `None` if a signal ended it.
    pub code: Option<i32>,
    /// The standard output, with invalid UTF-8 replaced.
    pub stdout: String,
    /// The standard error, with invalid UTF-8 replaced.
    pub stderr: String,
}

impl Finished {
    /// Runs a command until it ends, with empty standard input.
    pub fn of(command: Command) -> io::Result<Self> {
        Self::given(command, &[])
    }

    /// Runs a command until it ends, with `input` as its standard input.
    pub fn given(mut command: Command, input: &[u8]) -> io::Result<Self> {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let _watchdog = Watchdog::over(&child);
        let stdin = child.stdin.take();
        let output = std::thread::scope(|scope| {
            // Write in parallel with reading, because each side may have to wait for the other. A child may exit
            // without reading.
            scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
            child.wait_with_output()
        })?;
        Ok(Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }

    /// Parses the lines of `--json`. A line that is not a message is an error.
    pub fn messages(&self) -> io::Result<Vec<ServerMessage>> {
        JsonLines::new(self.stdout.as_bytes()).rest()
    }

    /// Returns the events among the messages.
    pub fn events(&self) -> io::Result<Vec<TaskEvent>> {
        let event = |message| match message {
            ServerMessage::Event(event) => Some(event.record.event),
            _ => None,
        };
        Ok(self.messages()?.into_iter().filter_map(event).collect())
    }

    /// Returns the error that the command ended with.
    pub fn error(&self) -> io::Result<ErrorBody> {
        match self.messages()?.pop() {
            Some(ServerMessage::Error(message)) => Ok(message.error),
            other => Err(io::Error::other(format!("The last line is no error: {other:?} ({})", self.stderr))),
        }
    }
}

/// A command in the background whose standard output is read as lines of JSON. It is killed when dropped.
pub struct Background {
    child: Child,
    /// The standard output.
    pub lines: JsonLines<BufReader<ChildStdout>>,
    _watchdog: Watchdog,
}

impl Background {
    /// Starts the command with empty standard input. Its standard error is inherited.
    pub fn start(mut command: Command) -> io::Result<Self> {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let stdout =
            child.stdout.take().ok_or_else(|| io::Error::other("the child has no standard output"))?;
        let watchdog = Watchdog::over(&child);
        Ok(Self { child, lines: JsonLines::new(BufReader::new(stdout)), _watchdog: watchdog })
    }

    /// Returns the process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for an event among the messages.
    pub fn wait_for_event(&mut self, mut wanted: impl FnMut(&TaskEvent) -> bool) -> io::Result<TaskEvent> {
        let is_wanted = |message: &ServerMessage| matches!(message, ServerMessage::Event(event) if wanted(&event.record.event));
        match self.lines.wait_for(is_wanted)? {
            ServerMessage::Event(event) => Ok(event.record.event),
            other => Err(io::Error::other(format!("not an event: {other:?}"))),
        }
    }

    /// Sends a signal to the process.
    pub fn signal(&self, signal: Signal) -> io::Result<()> {
        send(&self.child, signal)
    }

    /// Waits until the process exits. Returns the exit code, or `None` if a signal ended it.
    pub fn wait(mut self) -> io::Result<Option<i32>> {
        // Read the rest of the output, so that the process is not blocked from writing it.
        self.lines.drain()?;
        Ok(self.child.wait()?.code())
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // The process may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Kills a child that takes too long, unless it is dropped first.
struct Watchdog {
    calm: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    fn over(child: &Child) -> Self {
        let (calm, waiting) = mpsc::channel();
        let pid = pid(child);
        let thread = std::thread::spawn(move || {
            if waiting.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout)
                && let Ok(pid) = pid
            {
                let _ = kill_process(pid, Signal::KILL);
            }
        });
        Self { calm: Some(calm), thread: Some(thread) }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.calm.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn pid(child: &Child) -> io::Result<Pid> {
    let raw = i32::try_from(child.id()).map_err(io::Error::other)?;
    Pid::from_raw(raw).ok_or_else(|| io::Error::other("a child without a process id"))
}

fn send(child: &Child, signal: Signal) -> io::Result<()> {
    Ok(kill_process(pid(child)?, signal)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_protocol::ErrorCode;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(script);
        command
    }

    #[test]
    fn code_and_output_are_kept_and_lines_are_messages() {
        let finished = Finished::of(shell("echo out; echo err >&2; exit 4")).unwrap();
        assert_eq!((finished.code, &*finished.stdout, &*finished.stderr), (Some(4), "out\n", "err\n"));
        assert!(finished.messages().is_err());
        let input = "line\n".repeat(100_000);
        assert_eq!(Finished::given(shell("cat"), input.as_bytes()).unwrap().stdout, input);
        assert_eq!(Finished::given(shell("exit 3"), input.as_bytes()).unwrap().code, Some(3));
        let error = r#"{"type":"error","error":{"code":"usage","message":"m"}}"#;
        let finished = Finished::of(shell(&format!("echo '{error}'"))).unwrap();
        assert_eq!(finished.error().unwrap().code, ErrorCode::Usage);
    }

    #[test]
    fn a_background_child_is_read_signalled_and_ended() {
        let mut child =
            Background::start(shell("trap 'exit 7' TERM; echo 1; while :; do sleep 0.01; done")).unwrap();
        assert_eq!(child.lines.read::<u32>().unwrap(), Some(1));
        child.signal(Signal::TERM).unwrap();
        assert_eq!(child.wait().unwrap(), Some(7));
    }
}
