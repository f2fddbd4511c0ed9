//! The desktop that a window of the browser opens on. The browser never sees its socket: it finds a display in its own
//! network, which Deputy passes on to the real one for as long as the window is open.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use tokio::net::{TcpListener, UnixStream};
use tokio::task::JoinSet;

/// Where X servers of this machine listen.
const SOCKETS: &str = "/tmp/.X11-unix";
/// The port of the display with the number 0; the others follow.
const FIRST_PORT: u16 = 6000;
/// How a program proves that it may use a display, as every X server takes it.
const COOKIE: &[u8] = b"MIT-MAGIC-COOKIE-1";
/// A key file's families of addresses: this machine by its name, and any display.
const THIS_MACHINE: u16 = 256;
const ANY: u16 = 0xffff;
/// Bytes of a file with keys that are read.
const MOST_KEY_BYTES: u64 = 1024 * 1024;

/// An X display of this machine, which Wayland desktops have too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Display {
    socket: PathBuf,
    /// The cookie that lets a program in, where the display wants one.
    cookie: Option<Vec<u8>>,
}

impl Display {
    /// The desktop that this process runs on, where it runs on one.
    pub fn of_this_process() -> Option<Self> {
        Self::named_by(|name| std::env::var_os(name))
    }

    /// The display that an environment names, where its socket is on this machine. One behind a network is none.
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

    /// What a program in a network needs to find the display behind a listener there; the key is written into a folder.
    pub(crate) fn environment(&self, port: u16, folder: &Path) -> std::io::Result<[(OsString, OsString); 2]> {
        let keys = folder.join("display-keys");
        let entry = self.cookie.as_ref().map(|cookie| entry(ANY, b"", b"", cookie));
        std::fs::write(&keys, entry.unwrap_or_default())?;
        let name = format!("127.0.0.1:{}", port.saturating_sub(FIRST_PORT));
        Ok([("DISPLAY".into(), name.into()), ("XAUTHORITY".into(), keys.into())])
    }

    /// Passes on what comes to a listener, until it is dropped.
    pub(crate) async fn pass_on(self, listener: TcpListener) {
        let mut connections = JoinSet::new();
        while let Ok((mut program, _)) = listener.accept().await {
            let socket = self.socket.clone();
            connections.spawn(async move {
                if let Ok(mut server) = UnixStream::connect(socket).await {
                    // Either side may end it at any time.
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

/// An entry of a file with keys: a family, and four fields with their lengths.
fn entry(family: u16, address: &[u8], number: &[u8], cookie: &[u8]) -> Vec<u8> {
    let mut entry = family.to_be_bytes().to_vec();
    for field in [address, number, COOKIE, cookie] {
        entry.extend(u16::try_from(field.len()).unwrap_or_default().to_be_bytes());
        entry.extend(field);
    }
    entry
}

/// The cookie of a display of this machine, preferably under the name that the machine has now.
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
        // A file that breaks off.
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
