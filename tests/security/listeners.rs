//! Listeners on loopback TCP, UDP and Unix sockets that count who comes.

use std::io::{ErrorKind, Read};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// One listener of each kind.
pub(crate) struct Listeners {
    tcp: TcpListener,
    udp: UdpSocket,
    unix: UnixListener,
    unnamed: UnixListener,
    path: PathBuf,
    name: String,
}

impl Listeners {
    /// Listens; the Unix socket lies at `path`.
    pub(crate) fn at(path: &Path) -> Self {
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        tcp.set_nonblocking(true).unwrap();
        let udp = UdpSocket::bind(("127.0.0.1", tcp.local_addr().unwrap().port())).unwrap();
        udp.set_nonblocking(true).unwrap();
        let unix = UnixListener::bind(path).unwrap();
        unix.set_nonblocking(true).unwrap();
        let name = path.display().to_string();
        let unnamed = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
        unnamed.set_nonblocking(true).unwrap();
        Self { tcp, udp, unix, unnamed, path: path.to_owned(), name }
    }

    /// The port of TCP and UDP.
    pub(crate) fn port(&self) -> u16 {
        self.tcp.local_addr().unwrap().port()
    }

    /// How many came since it was last asked.
    pub(crate) fn arrivals(&self) -> usize {
        let mut count = 0;
        while self.tcp.accept().is_ok() {
            count += 1;
        }
        while self.unix.accept().is_ok() {
            count += 1;
        }
        while self.unnamed.accept().is_ok() {
            count += 1;
        }
        let mut buffer = [0; 64];
        loop {
            match self.udp.recv(&mut buffer) {
                Ok(_) => count += 1,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return count,
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// Comes to each of them, to see that they count.
    pub(crate) fn visit_each(&self) -> usize {
        let mut tcp = TcpStream::connect(("127.0.0.1", self.port())).unwrap();
        let _unix = UnixStream::connect(&self.path).unwrap();
        let _unnamed =
            UnixStream::connect_addr(&SocketAddr::from_abstract_name(&self.name).unwrap()).unwrap();
        let sender = UdpSocket::bind("127.0.0.1:0").unwrap();
        sender.send_to(b"x", ("127.0.0.1", self.port())).unwrap();
        let arrived = self.arrivals();
        // The other end has been accepted and dropped: this waits until that is known, not for a time.
        let _ = tcp.read(&mut [0; 1]);
        arrived
    }
}
