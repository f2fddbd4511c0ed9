//! The listener for devices: TLS on an address that other machines can reach, opened once a device is paired or about
//! to be.

use super::serve::{WebSettings, serve};
use crate::mirror::{Door, Mirror};
use deputy_messages::server as say;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

/// The default port for devices.
const DEVICES_PORT: u16 = 9121;
/// The delay before a failed address is retried.
const RETRY: Duration = Duration::from_secs(2);

/// Listens when it is needed, and serves until `end` is cancelled. Until then the host only listens on loopback.
pub async fn serve_devices(
    mirror: Mirror,
    address: Option<SocketAddr>,
    settings: WebSettings,
    end: CancellationToken,
) {
    let address = address.unwrap_or(SocketAddr::from((Ipv4Addr::UNSPECIFIED, DEVICES_PORT)));
    let mut wanted = mirror.door().subscribe();
    loop {
        tokio::select! {
            () = end.cancelled() => return,
            wanted = wanted.wait_for(|door| *door == Door::Wanted) => if wanted.is_err() { return },
        }
        match TcpListener::bind(address).await {
            Ok(listener) => {
                let port = listener.local_addr().map_or(address.port(), |bound| bound.port());
                let reached = reached_at(address.ip(), port, &settings.names);
                tracing::info!("devices connect at {reached}");
                mirror.door().send_replace(Door::Open(reached));
                let tls = TlsAcceptor::from(mirror.gate().tls());
                serve(listener, Some(tls), settings, mirror, end).await;
                return;
            }
            Err(error) => {
                let why = say::cannot_be_listened(address, error);
                tracing::warn!("{why}");
                mirror.door().send_replace(Door::Stuck(why));
                // The address may become available; devices retry as well.
                tokio::select! {
                    () = end.cancelled() => return,
                    () = tokio::time::sleep(RETRY) => {}
                }
                mirror.door().send_if_modified(|door| {
                    let is_stuck = matches!(door, Door::Stuck(_)) && mirror.gate().has_devices();
                    if is_stuck {
                        *door = Door::Wanted;
                    }
                    is_stuck
                });
            }
        }
    }
}

/// Returns the address for devices: a name that the user configured, or the machine's address in its network.
fn reached_at(ip: IpAddr, port: u16, names: &[String]) -> String {
    if let Some(name) = names.first() {
        return format!("{name}:{port}");
    }
    let ip = if ip.is_unspecified() { own_address().unwrap_or(ip) } else { ip };
    SocketAddr::new(ip, port).to_string()
}

/// Returns the address from which this machine sends. Connecting a datagram socket sends nothing; the target address is
/// reserved for documentation.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}
