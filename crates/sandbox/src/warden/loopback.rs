//! A loopback for commands without a private network: the warden performs `bind`, `listen` and `connect` for their
//! sockets, and connects them only to sockets on which the command itself listens.
//!
//! The filter only allows TCP sockets, so that nothing is sent without a connection. A socket that is bound to all
//! addresses is bound to the loopback instead, so that it is unreachable from the network.

use super::calls::SocketCall;
use super::target::Target;
use rustix::fs::fstat;
use rustix::io::Errno;
use rustix::net::{AddressFamily, bind, connect, getsockname, listen, sockopt};
use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::OwnedFd;

/// The sockets on which the command listens, by inode number.
#[derive(Default)]
pub(crate) struct Loopback {
    listening: BTreeSet<u64>,
}

/// The result of a call.
pub(super) enum Carried {
    Done,
    /// The connection may block until it is accepted, so a separate thread makes it.
    Connects(Connection),
}

/// A connection that is allowed.
pub(super) struct Connection {
    socket: OwnedFd,
    to: SocketAddr,
}

impl Connection {
    pub(super) fn make(&self) -> Result<(), Errno> {
        connect(&self.socket, &self.to)
    }
}

impl Loopback {
    pub(super) fn carry_out(&mut self, target: &Target<'_>, call: SocketCall) -> Result<Carried, Errno> {
        match call {
            SocketCall::Bind { fd, address, length } => {
                let socket = internet_socket(target, fd)?;
                let address = target.socket_address(address, length)?;
                let address = own_address(address, &socket).ok_or(Errno::ADDRNOTAVAIL)?;
                bind(&socket, &address).map(|()| Carried::Done)
            }
            SocketCall::Listen { fd, backlog } => {
                let socket = internet_socket(target, fd)?;
                let bound = SocketAddr::try_from(getsockname(&socket)?)?;
                if bound.port() == 0 {
                    let address = own_address(bound, &socket).ok_or(Errno::ADDRNOTAVAIL)?;
                    bind(&socket, &address)?;
                }
                listen(&socket, backlog)?;
                self.listening.insert(fstat(&socket)?.st_ino);
                Ok(Carried::Done)
            }
            SocketCall::Connect { fd, address, length } => {
                let socket = internet_socket(target, fd)?;
                let wanted = target.socket_address(address, length)?;
                let to = self.reached(wanted)?;
                Ok(Carried::Connects(Connection { socket, to }))
            }
        }
    }

    /// Returns the address that the command may connect to, if any.
    fn reached(&self, wanted: SocketAddr) -> Result<SocketAddr, Errno> {
        let ip = match wanted.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
            ip => ip,
        };
        if !ip.to_canonical().is_loopback() {
            return Err(Errno::NETUNREACH);
        }
        let listeners = listeners(wanted.port());
        let to = SocketAddr::new(ip, wanted.port());
        if self.is_own(&listeners, to) {
            return Ok(to);
        }
        // A socket that should be bound to all addresses is bound to the IPv4 loopback. This is how an IPv6 socket
        // reaches it.
        let mapped = SocketAddr::new(IpAddr::V6(Ipv4Addr::LOCALHOST.to_ipv6_mapped()), wanted.port());
        let reaches = ip == IpAddr::V6(Ipv6Addr::LOCALHOST) && self.is_own(&listeners, mapped);
        if reaches { Ok(mapped) } else { Err(Errno::CONNREFUSED) }
    }

    /// Returns whether all sockets that could answer at an address belong to the command. Sockets can share an address.
    fn is_own(&self, listeners: &[Listener], to: SocketAddr) -> bool {
        let mut answering = listeners.iter().filter(|listener| listener.answers(to.ip())).peekable();
        answering.peek().is_some() && answering.all(|listener| self.listening.contains(&listener.socket))
    }
}

/// Returns a socket of the process if it is an Internet socket.
fn internet_socket(target: &Target<'_>, fd: i32) -> Result<OwnedFd, Errno> {
    let socket = target.socket(fd)?;
    match sockopt::socket_domain(&socket)? {
        AddressFamily::INET | AddressFamily::INET6 => Ok(socket),
        _ => Err(Errno::PERM),
    }
}

/// Returns the loopback address to use instead of the address that a socket is bound to.
fn own_address(wanted: SocketAddr, socket: &OwnedFd) -> Option<SocketAddr> {
    let ip = match wanted.ip() {
        ip if ip.to_canonical().is_loopback() => ip,
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() && sockopt::ipv6_v6only(socket).unwrap_or(true) => {
            Ipv6Addr::LOCALHOST.into()
        }
        // Both IPv4 and IPv6 clients reach it.
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.to_ipv6_mapped().into(),
        _ => return None,
    };
    Some(SocketAddr::new(ip, wanted.port()))
}

/// A listening socket on this machine.
#[derive(Debug, PartialEq, Eq)]
struct Listener {
    ip: IpAddr,
    socket: u64,
}

impl Listener {
    /// Returns whether this socket may answer a connection to an address.
    fn answers(&self, ip: IpAddr) -> bool {
        self.ip.is_unspecified() || self.ip.to_canonical() == ip.to_canonical()
    }
}

/// Returns all sockets that listen on a port.
fn listeners(port: u16) -> Vec<Listener> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"];
    let text = tables.map(|table| std::fs::read_to_string(table).unwrap_or_default());
    text.iter().flat_map(|text| text.lines()).filter_map(|line| listener(line, port)).collect()
}

/// Parses a line of the kernel's tables. `None` if it is not a socket that listens on this port.
fn listener(line: &str, port: u16) -> Option<Listener> {
    const LISTENING: &str = "0A";
    let mut words = line.split_ascii_whitespace();
    let (address, number) = words.nth(1)?.split_once(':')?;
    let is_meant = u16::from_str_radix(number, 16).ok()? == port && words.nth(1)? == LISTENING;
    let socket = words.nth(5)?.parse().ok()?;
    // The address consists of 32-bit words, each in the byte order of this machine.
    let word =
        |at: usize| Some(u32::from_str_radix(address.get(at * 8..at * 8 + 8)?, 16).ok()?.to_ne_bytes());
    let ip = match address.len() {
        8 => IpAddr::from(word(0)?),
        _ => {
            let mut bytes = [0; 16];
            for (at, chunk) in bytes.chunks_exact_mut(4).enumerate() {
                chunk.copy_from_slice(&word(at)?);
            }
            IpAddr::from(bytes)
        }
    };
    is_meant.then_some(Listener { ip, socket })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "   1: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0000000000000000 100 0 0 10 0";
    const LINE6: &str = "   0: 00000000000000000000000001000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4712 1 0000000000000000 100 0 0 10 0";

    #[test]
    fn the_kernels_tables_are_read() {
        let v4 = listener(LINE, 8080).unwrap();
        assert_eq!(v4, Listener { ip: Ipv4Addr::LOCALHOST.into(), socket: 4711 });
        let v6 = listener(LINE6, 8080).unwrap();
        assert_eq!(v6, Listener { ip: Ipv6Addr::LOCALHOST.into(), socket: 4712 });
        assert_eq!(listener(LINE, 8081), None);
        assert_eq!(listener(&LINE.replace(" 0A ", " 01 "), 8080), None);
        let real = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let found = listeners(real.local_addr().unwrap().port());
        assert_eq!(found[0].ip, IpAddr::from(Ipv4Addr::LOCALHOST));
        assert_eq!(found[0].socket, fstat(&real).unwrap().st_ino);
    }

    #[test]
    fn only_own_listeners_are_reached() {
        let [own, other] = [(); 2].map(|()| std::net::TcpListener::bind("127.0.0.1:0").unwrap());
        let loopback = Loopback { listening: BTreeSet::from([fstat(&own).unwrap().st_ino]) };
        let [own, other] = [own, other].map(|listener| (listener.local_addr().unwrap(), listener));
        assert_eq!(loopback.reached(own.0), Ok(own.0));
        let everywhere = SocketAddr::new(Ipv4Addr::UNSPECIFIED.into(), own.0.port());
        assert_eq!(loopback.reached(everywhere), Ok(own.0));
        let elsewhere = SocketAddr::new(Ipv4Addr::new(127, 0, 0, 2).into(), own.0.port());
        assert_eq!(loopback.reached(elsewhere), Err(Errno::CONNREFUSED));
        assert_eq!(loopback.reached(other.0), Err(Errno::CONNREFUSED));
        assert_eq!(loopback.reached("192.0.2.1:80".parse().unwrap()), Err(Errno::NETUNREACH));
        assert_eq!(loopback.reached("[2001:db8::1]:80".parse().unwrap()), Err(Errno::NETUNREACH));
    }

    #[test]
    fn somebody_who_shares_the_address_is_not_reached() {
        let shared = [1, 2].map(|socket| Listener { ip: Ipv4Addr::LOCALHOST.into(), socket });
        let loopback = Loopback { listening: BTreeSet::from([1]) };
        let to = "127.0.0.1:80".parse().unwrap();
        assert!(!loopback.is_own(&shared, to));
        assert!(loopback.is_own(&shared[..1], to));
        assert!(!loopback.is_own(&[], to));
    }
}
