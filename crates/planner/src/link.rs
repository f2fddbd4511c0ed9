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

/// Bytes of a line of stderr that are read; the rest of the line is dropped.
const MAX_STDERR_LINE_BYTES: usize = 8 * 1024;
/// Room for a whole conversation, so that handing it over takes one write: what an ordinary user may ask for.
const STDIN_BYTES: usize = 1024 * 1024;
/// How long a process that is ending gets to say its last words.
const LAST_WORDS_GRACE: Duration = Duration::from_secs(1);
/// Where programs are looked for, whatever the user's own shell says.
const SYSTEM_PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// The only variables the sidecar inherits: places, language, certificates, and the way out of the network.
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
/// Inherited unless they hold a password.
const INHERITED_PROXIES: [&str; 6] =
    ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];

/// What happened at the other end.
pub(crate) enum LinkEvent {
    /// A line of stdout.
    Line(Vec<u8>),
    /// A line of stderr; `true` when its end is missing.
    Stderr(Vec<u8>, bool),
    /// There will be no more lines.
    Closed,
    /// A line is longer than the limit.
    LineTooLong,
}

struct Outgoing {
    /// Of a request, so that it can be withdrawn.
    id: Option<u64>,
    bytes: Vec<u8>,
}

/// A running sidecar. Dropping it ends the process and all that it started.
pub(crate) struct Link {
    child: Child,
    group: Group,
    stdin: Option<ChildStdin>,
    stdout: LineReader<ChildStdout>,
    stderr: Option<LineReader<ChildStderr>>,
    outgoing: VecDeque<Outgoing>,
    /// Bytes of the first of `outgoing` that are in the pipe.
    written: usize,
    /// Whether stdin is closed once `outgoing` is written.
    is_closing: bool,
    exited: bool,
    /// Set once the process has exited or stopped reading: what is still in its pipes is read until then.
    ends_at: Option<Instant>,
}

impl Link {
    /// Starts the process in a group of its own.
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
            // Without it a conversation is passed in several pieces, as before.
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

    /// Takes a request back of which nothing is written yet. `false` when the sidecar may have seen it.
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

    /// Writes what is queued and waits for the next event. May be dropped and called again: nothing is lost.
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
                    // What it started may hold the pipes open.
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

    /// Ends the process and its group and reads its last words. The status when it exited by itself.
    pub(crate) async fn finish(mut self, is_closed: bool, relay: &mut Relay) -> Option<ExitStatus> {
        self.stdin = None;
        let mut status = None;
        if is_closed {
            status = timeout(LAST_WORDS_GRACE, self.child.wait()).await.ok().and_then(Result::ok);
        }
        self.group.kill();
        // After the kill only a process that left the group can hold the pipe open.
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

/// The next line of stderr; waits for ever once it is closed.
async fn next_line(stderr: &mut Option<LineReader<ChildStderr>>) -> Option<Line> {
    match stderr {
        Some(stderr) => stderr.next().await.ok().flatten(),
        None => std::future::pending().await,
    }
}

/// Writes as much of the first line as the pipe takes; waits for ever when there is nothing to write.
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
        // Only once: afterwards the number may be another group's.
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
