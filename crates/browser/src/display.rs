//! The X display that a browser window opens on. The browser never sees its socket: Deputy listens on a port in the
//! browser's own network and forwards connections to the real display while the window is open.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use tokio::net::{TcpListener, UnixStream};
use tokio::task::JoinSet;

/// The folder with the sockets of local X servers.
const SOCKETS: &str = "/tmp/.X11-unix";
/// The port of display number 0. Other displays use the following ports.
const FIRST_PORT: u16 = 6000;
/// The authentication protocol that every X server accepts.
const COOKIE: &[u8] = b"MIT-MAGIC-COOKIE-1";
/// Address families of a key file: this machine by name, and any display.
const THIS_MACHINE: u16 = 256;
const ANY: u16 = 0xffff;
/// The maximum size of a key file, in bytes.
const MOST_KEY_BYTES: u64 = 1024 * 1024;

/// An X display of this machine. Wayland desktops provide one, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Display {
    socket: PathBuf,
    /// The authentication cookie, if the display requires one.
    cookie: Option<Vec<u8>>,
}

impl Display {
    /// Returns the display of the desktop that started this process, if any.
    pub fn of_this_process() -> Option<Self> {
        Self::named_by(|name| std::env::var_os(name))
    }

    /// Returns the display named by an environment if its socket is on this machine. Network displays are not
    /// supported.
    pub fn named_by(variable: impl Fn(&str) -> Option<OsString>) -> Option<Self> {
        let name = variable("DISPLAY")?;
        let number: String =
            name.to_str()?.strip_prefix(':')?.chars().take_while(char::is_ascii_digit).collect();
        let socket = Path::new(SOCKETS).join(format!("X{number}"));
        let in_home = || Some(Path::new(&variable("HOME")?).join(".Xauthority"));
        let keys = variable("XAUTHORITY").map(PathBuf::from).or_else(in_home);
        let cookie = keys.and_then(|file| cookie(&read(&file)?, &number));
        socket.exists().then_some(Self { socket, cookie })
    }

    /// Returns the environment variables with which a program in the browser's network finds the display. Writes its
    /// key to `folder`.
    pub(crate) fn environment(&self, port: u16, folder: &Path) -> std::io::Result<[(OsString, OsString); 2]> {
        let keys = folder.join("display-keys");
        let entry = self.cookie.as_ref().map(|cookie| entry(ANY, b"", b"", cookie));
        std::fs::write(&keys, entry.unwrap_or_default())?;
        let name = format!("127.0.0.1:{}", port.saturating_sub(FIRST_PORT));
        Ok([("DISPLAY".into(), name.into()), ("XAUTHORITY".into(), keys.into())])
    }

    /// Forwards the listener's connections to the display until dropped.
    pub(crate) async fn pass_on(self, listener: TcpListener) {
        let mut connections = JoinSet::new();
        while let Ok((mut program, _)) = listener.accept().await {
            let socket = self.socket.clone();
            connections.spawn(async move {
                if let Ok(mut server) = UnixStream::connect(socket).await {
                    // Either side may close the connection at any time.
                    let _ = tokio::io::copy_bidirectional(&mut program, &mut server).await;
                }
            });
            while connections.try_join_next().is_some() {}
        }
    }
}

fn read(file: &Path) -> Option<Vec<u8>> {
    let is_small = file.metadata().is_ok_and(|meta| meta.is_file() && meta.len() <= MOST_KEY_BYTES);
    if is_small { std::fs::read(file).ok() } else { None }
}

/// Formats an entry of a key file: a family and four fields with their lengths.
fn entry(family: u16, address: &[u8], number: &[u8], cookie: &[u8]) -> Vec<u8> {
    let mut entry = family.to_be_bytes().to_vec();
    for field in [address, number, COOKIE, cookie] {
        entry.extend(u16::try_from(field.len()).unwrap_or_default().to_be_bytes());
        entry.extend(field);
    }
    entry
}

/// Returns the cookie of a local display, preferably the one for the current host name.
fn cookie(keys: &[u8], display: &str) -> Option<Vec<u8>> {
    let name = rustix::system::uname();
    let mut rest = keys;
    let mut found = None;
    while let Some((family, after)) = rest.split_first_chunk::<2>() {
        rest = after;
        let [address, number, kind, data] =
            [field(&mut rest)?, field(&mut rest)?, field(&mut rest)?, field(&mut rest)?];
        let family = u16::from_be_bytes(*family);
        let is_it = kind == COOKIE && (number.is_empty() || number == display.as_bytes());
        if is_it && (family == ANY || family == THIS_MACHINE && address == name.nodename().to_bytes()) {
            return Some(data.to_vec());
        }
        if is_it && family == THIS_MACHINE {
            found = Some(data.to_vec());
        }
    }
    found
}

fn field<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, after) = rest.split_first_chunk::<2>()?;
    let (field, after) = after.split_at_checked(u16::from_be_bytes(*length).into())?;
    *rest = after;
    Some(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_is_that_of_the_display_on_this_machine() {
        let name = rustix::system::uname();
        let here = name.nodename().to_bytes();
        let keys = [
            entry(0, &[10, 0, 0, 1], b"0", b"elsewhere"),
            entry(THIS_MACHINE, b"its-former-name", b"0", b"former"),
            entry(THIS_MACHINE, here, b"1", b"one"),
            entry(THIS_MACHINE, here, b"0", b"zero"),
        ];
        assert_eq!(cookie(&keys.concat(), "0"), Some(b"zero".to_vec()));
        assert_eq!(cookie(&keys.concat(), "1"), Some(b"one".to_vec()));
        assert_eq!(cookie(&keys[..2].concat(), "0"), Some(b"former".to_vec()));
        assert_eq!(cookie(&keys.concat(), "7"), None);
        // A truncated file.
        for end in 0..keys[3].len() {
            assert_eq!(cookie(&keys[3][..end], "0"), None);
        }
    }

    #[test]
    fn a_display_elsewhere_is_none() {
        for name in ["localhost:10.0", ":98765", "", "/private/socket:0"] {
            let named = Display::named_by(|variable| (variable == "DISPLAY").then(|| name.into()));
            assert_eq!(named, None, "{name}");
        }
    }
}
