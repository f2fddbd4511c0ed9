//! The child process and its three pipes.

use crate::SidecarConfig;
use crate::lines::{Line, LineReader};
use crate::relay::Relay;
use crate::wire::MAX_LINE_BYTES;
use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::{Duration, Instant, sleep_until, timeout};

/// The maximum length of a line of stderr, in bytes; the rest of the line is discarded.
const MAX_STDERR_LINE_BYTES: usize = 8 * 1024;
/// The size of the stdin pipe, in bytes. It fits a whole conversation, so that one write is enough. This is the maximum
/// for an ordinary user.
const STDIN_BYTES: usize = 1024 * 1024;
/// How long an ending process may write its last output.
const LAST_WORDS_GRACE: Duration = Duration::from_secs(1);
/// The search path for programs, independent of the user's shell.
const SYSTEM_PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// The only variables that the sidecar inherits: folders, language, certificates, and proxies.
const INHERITED: [&str; 11] = [
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NO_PROXY",
    "no_proxy",
    "TZ",
];
/// Proxy variables, inherited unless they contain a password.
const INHERITED_PROXIES: [&str; 6] =
    ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];

/// An event of the child process.
pub(crate) enum LinkEvent {
    /// A line of stdout.
    Line(Vec<u8>),
    /// A line of stderr; `true` if its end was cut off.
    Stderr(Vec<u8>, bool),
    /// The pipes are closed.
    Closed,
    /// A line is longer than the limit.
    LineTooLong,
}

struct Outgoing {
    /// The id of a request, so that it can be withdrawn.
    id: Option<u64>,
    bytes: Vec<u8>,
}

/// A running sidecar. Dropping it ends the process and everything that it started.
pub(crate) struct Link {
    child: Child,
    group: Group,
    stdin: Option<ChildStdin>,
    stdout: LineReader<ChildStdout>,
    stderr: Option<LineReader<ChildStderr>>,
    outgoing: VecDeque<Outgoing>,
    /// The number of bytes of the first entry of `outgoing` that are written.
    written: usize,
    /// Whether stdin is closed once `outgoing` is written.
    is_closing: bool,
    exited: bool,
    /// Set once the process has exited or stopped reading. Until then, the rest of its output is read.
    ends_at: Option<Instant>,
}

impl Link {
    /// Starts the process in its own process group.
    pub(crate) fn spawn(config: &SidecarConfig) -> io::Result<Self> {
        let (program, arguments) =
            config.argv.split_first().ok_or_else(|| io::Error::other("its command line is empty"))?;
        // The child starts in another folder, so a relative path must be made absolute here.
        let program = if Path::new(program).components().count() > 1 {
            std::path::absolute(program)?.into_os_string()
        } else {
            program.clone()
        };
        let mut command = Command::new(program);
        command.args(arguments).env_clear().env("PATH", SYSTEM_PATH).env("PYTHONUTF8", "1").current_dir("/");
        for name in INHERITED {
            command.envs(std::env::var_os(name).map(|value| (name, value)));
        }
        for name in INHERITED_PROXIES {
            let proxy = std::env::var(name).ok().filter(|value| !value.contains('@'));
            command.envs(proxy.map(|value| (name, value)));
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.process_group(0).kill_on_drop(true);
        let mut child = command.spawn()?;
        let group = Group(child.id().and_then(|id| Pid::from_raw(id.cast_signed())));
        let stdin = child.stdin.take();
        if let Some(stdin) = &stdin {
            // Without the larger pipe, a conversation is written in several pieces.
            let _ = rustix::pipe::fcntl_setpipe_size(stdin, STDIN_BYTES);
        }
        let stdout = child.stdout.take().ok_or_else(|| io::Error::other("it has no standard output"))?;
        let stderr = child.stderr.take().map(|stderr| LineReader::new(stderr, MAX_STDERR_LINE_BYTES));
        Ok(Self {
            child,
            group,
            stdin,
            stdout: LineReader::new(stdout, MAX_LINE_BYTES),
            stderr,
            outgoing: VecDeque::new(),
            written: 0,
            is_closing: false,
            exited: false,
            ends_at: None,
        })
    }

    /// Queues a line; [`Self::event`] writes it.
    pub(crate) fn send(&mut self, id: Option<u64>, bytes: Vec<u8>) {
        self.outgoing.push_back(Outgoing { id, bytes });
    }

    /// Removes a request that has not been written yet. `false` if the sidecar may have seen it.
    pub(crate) fn withdraw(&mut self, id: u64) -> bool {
        let Some(place) = self.outgoing.iter().position(|line| line.id == Some(id)) else {
            return false;
        };
        if place == 0 && self.written > 0 {
            return false;
        }
        self.outgoing.remove(place);
        true
    }

    /// Writes queued lines and waits for the next event. Cancel safe.
    pub(crate) async fn event(&mut self) -> LinkEvent {
        loop {
            tokio::select! {
                line = self.stdout.next() => return match line {
                    Ok(Some(Line::Whole(line))) => LinkEvent::Line(line),
                    Ok(Some(Line::Cut(_))) => LinkEvent::LineTooLong,
                    Ok(None) | Err(_) => LinkEvent::Closed,
                },
                line = next_line(&mut self.stderr) => match line {
                    Some(Line::Whole(line)) => return LinkEvent::Stderr(line, false),
                    Some(Line::Cut(line)) => return LinkEvent::Stderr(line, true),
                    None => self.stderr = None,
                },
                written = write_some(&mut self.stdin, &self.outgoing, self.written) => match written {
                    Ok(count) => self.advance(count),
                    Err(_) => {
                        self.stdin = None;
                        self.end_soon();
                    }
                },
                _ = self.child.wait(), if !self.exited => {
                    self.exited = true;
                    // Processes that it started may hold the pipes open.
                    self.group.kill();
                    self.end_soon();
                },
                () = sleep_until(self.ends_at.unwrap_or_else(Instant::now)), if self.ends_at.is_some() => {
                    return LinkEvent::Closed;
                }
            }
        }
    }

    fn advance(&mut self, count: usize) {
        self.written += count;
        if self.outgoing.front().is_some_and(|line| self.written >= line.bytes.len()) {
            self.outgoing.pop_front();
            self.written = 0;
        }
        self.close_stdin_if_done();
    }

    fn close_stdin_if_done(&mut self) {
        if self.is_closing && self.outgoing.is_empty() {
            self.stdin = None;
        }
    }

    fn end_soon(&mut self) {
        self.ends_at.get_or_insert_with(|| Instant::now() + LAST_WORDS_GRACE);
    }

    /// Ends the process and its group, and reads its last output. Returns the status if it exited on its own.
    pub(crate) async fn finish(mut self, is_closed: bool, relay: &mut Relay) -> Option<ExitStatus> {
        self.stdin = None;
        let mut status = None;
        if is_closed {
            status = timeout(LAST_WORDS_GRACE, self.child.wait()).await.ok().and_then(Result::ok);
        }
        self.group.kill();
        // After the kill, only a process that left the group can hold the pipe open.
        let _ = timeout(LAST_WORDS_GRACE, async {
            while let Some(stderr) = &mut self.stderr {
                match stderr.next().await {
                    Ok(Some(Line::Whole(line))) => relay.stderr(&line, false),
                    Ok(Some(Line::Cut(line))) => relay.stderr(&line, true),
                    Ok(None) | Err(_) => self.stderr = None,
                }
            }
        })
        .await;
        let _ = timeout(LAST_WORDS_GRACE, self.child.wait()).await;
        status
    }

    /// Writes what is queued, closes stdin and waits for the process to exit, at most `grace`; then ends it.
    pub(crate) async fn close(mut self, grace: Duration, relay: &mut Relay) {
        self.is_closing = true;
        self.close_stdin_if_done();
        let _ = timeout(grace, async {
            loop {
                match self.event().await {
                    LinkEvent::Stderr(line, is_cut) => relay.stderr(&line, is_cut),
                    LinkEvent::Line(_) => {}
                    LinkEvent::Closed | LinkEvent::LineTooLong => break,
                }
            }
        })
        .await;
        self.finish(true, relay).await;
    }
}

/// Returns the next line of stderr. Waits forever once it is closed.
async fn next_line(stderr: &mut Option<LineReader<ChildStderr>>) -> Option<Line> {
    match stderr {
        Some(stderr) => stderr.next().await.ok().flatten(),
        None => std::future::pending().await,
    }
}

/// Writes as much of the first line as the pipe accepts. Waits forever if there is nothing to write.
async fn write_some(
    stdin: &mut Option<ChildStdin>,
    outgoing: &VecDeque<Outgoing>,
    written: usize,
) -> io::Result<usize> {
    match (stdin, outgoing.front()) {
        (Some(stdin), Some(line)) => stdin.write(&line.bytes[written..]).await,
        _ => std::future::pending().await,
    }
}

/// The process group of a child; killed when dropped.
struct Group(Option<Pid>);

impl Group {
    fn kill(&mut self) {
        // Only once: afterwards the id may belong to another group.
        if let Some(group) = self.0.take() {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}
