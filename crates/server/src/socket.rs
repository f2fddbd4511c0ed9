//! The Unix sockets of a home, which only its owner can open.

use crate::Mirror;
use crate::connection::{self, Entrance};
use crate::gate::Caller;
use crate::wire::Lines;
use deputy_messages::Phrase;
use deputy_messages::server as say;
use std::fs::{File, Permissions};
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::net::{UnixListener, UnixStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The name of the host's socket under the home.
const NAME: &str = "host.sock";
/// The maximum length of a path in the system's socket address, without the final NUL.
const MAX_ADDRESS: usize = 107;

/// How long a command in progress may take to be answered when the host ends.
const FAREWELL: Duration = Duration::from_secs(2);

/// The reason why the socket, or another file that the server needs, cannot be opened.
#[derive(Debug, thiserror::Error)]
pub struct ServeError {
    /// The socket or the file.
    pub path: PathBuf,
    /// The cause.
    pub source: std::io::Error,
}

impl ServeError {
    /// Returns the message for this error.
    pub fn phrase(&self) -> Phrase {
        say::cannot_be_opened(self.path.display(), &self.source)
    }
}

deputy_messages::said_by_phrase!(ServeError);

/// The open socket of a host. The caller must hold the home's lock, so any existing socket file belongs to a dead
/// process.
#[derive(Debug)]
pub struct Server {
    listener: UnixListener,
    path: PathBuf,
}

impl Server {
    /// Opens the socket of a home.
    pub fn bind(home: &Path) -> Result<Self, ServeError> {
        let path = home.join(NAME);
        match listen_at(home, NAME) {
            Ok(listener) => Ok(Self { listener, path }),
            Err(source) => Err(ServeError { path, source }),
        }
    }

    /// Serves until `end` is cancelled; a command in progress still gets its answer. Each client has a separate task
    /// and never slows the host.
    pub async fn serve(self, mirror: Mirror, end: CancellationToken) {
        let serving = self.accept(mirror.clone(), end);
        mirror.screens().speak(serving).await;
    }

    async fn accept(self, mirror: Mirror, end: CancellationToken) {
        let own = rustix::process::geteuid().as_raw();
        let clients = TaskTracker::new();
        loop {
            let accepted = tokio::select! {
                () = end.cancelled() => break,
                accepted = self.listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, _)) if is_owner(&stream, own) => {
                    let (mirror, end) = (mirror.clone(), end.clone());
                    clients.spawn(async move {
                        let too_late = async {
                            end.cancelled().await;
                            tokio::time::sleep(FAREWELL).await;
                        };
                        tokio::select! {
                            () = connection::serve(
                                Lines::new(stream),
                                mirror,
                                Entrance::Known(Caller::local(crate::mirror::TERMINAL, None)),
                                end.clone(),
                            ) => {}
                            () = too_late => {}
                        }
                    });
                }
                Ok(_) => tracing::warn!("refused a client of another user at {}", self.path.display()),
                Err(error) => {
                    tracing::warn!("a client could not be let in: {error}");
                    // For example, no file descriptors are left. Without a pause this would be a busy loop.
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
        clients.close();
        clients.wait().await;
        // The next host removes it too; this is for people who look at the folder.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Connects to the host of a home. `None` if no process listens.
pub(crate) async fn connect(home: &Path) -> std::io::Result<Option<UnixStream>> {
    connect_at(home, NAME).await
}

/// Opens a socket with this name in a home. The caller must hold a lock, so any existing socket file belongs to a dead
/// process.
pub fn listen_at(home: &Path, name: &str) -> std::io::Result<UnixListener> {
    let path = home.join(name);
    remove_stale(&path)?;
    let (address, _folder) = address(home, name)?;
    let listener = UnixListener::bind(address)?;
    std::fs::set_permissions(&path, Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// Connects to the socket with this name in a home. `None` if no process listens.
pub async fn connect_at(home: &Path, name: &str) -> std::io::Result<Option<UnixStream>> {
    use std::io::ErrorKind::{ConnectionRefused, ConnectionReset, NotFound};
    let connected = match address(home, name) {
        Ok((address, _folder)) => UnixStream::connect(address).await,
        Err(error) => Err(error),
    };
    match connected {
        Ok(stream) => Ok(Some(stream)),
        // It is reset if the host ends before it accepts the connection.
        Err(error) if matches!(error.kind(), NotFound | ConnectionRefused | ConnectionReset) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns a socket's address: its path, or if that is too long, the path through an open handle of the home.
fn address(home: &Path, name: &str) -> std::io::Result<(PathBuf, Option<File>)> {
    let path = home.join(name);
    if path.as_os_str().len() <= MAX_ADDRESS {
        return Ok((path, None));
    }
    let folder = File::open(home)?;
    Ok((PathBuf::from(format!("/proc/self/fd/{}/{name}", folder.as_raw_fd())), Some(folder)))
}

fn remove_stale(path: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The file's mode already keeps other users out; this check covers file systems that ignore modes.
fn is_owner(stream: &UnixStream, own: u32) -> bool {
    stream.peer_cred().is_ok_and(|peer| peer.uid() == own || peer.uid() == 0)
}
