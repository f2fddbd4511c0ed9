//! A task's private network: commands that join it reach each other, and nothing else reaches them.

#![allow(clippy::unwrap_used, reason = "a panic here is a failed test")]

mod support;

use deputy_protocol::Confinement;
use deputy_sandbox::{ChildSpec, Ended, Network, run, walls};
use std::io::Read;
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use support::Place;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// Prints the port that it listens on, and then answers every connection.
const SERVER: &str = "
import socket
s = socket.create_server(('127.0.0.1', 0))
print(s.getsockname()[1], flush=True)
while True:
    c, _ = s.accept()
    c.sendall(b'here')
    c.close()";

fn client(port: u16) -> String {
    format!("import socket; print(socket.create_connection(('127.0.0.1', {port}), 5).recv(9).decode())")
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_of_one_network_reach_each_other_and_nobody_else_does() {
    if walls().bubblewrap.is_none() {
        return;
    }
    let desk = Place::new();
    let network = Network::new().unwrap();
    let joining = |script: &str, network: &Network| ChildSpec {
        network: Some(network.clone()),
        ..desk.python(Confinement::Workspace, script)
    };
    let (said, heard) = (Arc::new(Mutex::new(String::new())), Arc::new(Notify::new()));
    let cancel = CancellationToken::new();
    let server = tokio::spawn(run(joining(SERVER, &network), cancel.clone(), {
        let (said, heard) = (said.clone(), heard.clone());
        Some(Arc::new(move |bytes: &[u8]| {
            said.lock().unwrap().push_str(&String::from_utf8_lossy(bytes));
            heard.notify_one();
        }))
    }));
    heard.notified().await;
    let port: u16 = said.lock().unwrap().trim().parse().unwrap();

    let (code, out, err) = support::outcome(walls(), joining(&client(port), &network)).await;
    assert_eq!((code, out.trim()), (0, "here"), "{err}");

    // That server is not reachable in the network of another task, in a command's private network, or on the machine.
    let other = Network::new().unwrap();
    let (code, _, err) = support::outcome(walls(), joining(&client(port), &other)).await;
    assert!(code != 0 && err.contains("refused"), "{err}");
    let alone = desk.python(Confinement::Workspace, &client(port));
    assert_ne!(support::outcome(walls(), alone).await.0, 0);
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());

    // The network contains only a loopback.
    let look = "import os; print(sorted(os.listdir('/sys/class/net')) if os.path.exists('/sys/class/net') else open('/proc/net/dev').read())";
    let (_, out, _) = support::outcome(walls(), joining(look, &network)).await;
    assert!(out.contains("lo") && !out.contains("eth"), "{out}");

    // Deputy sees what listens there, and gets in by a socket that leads nowhere else.
    assert_eq!(network.listening().unwrap(), [port].into());
    assert!(other.listening().unwrap().is_empty());
    let connect = |network: &Network, port: u16| {
        let address = rustix::net::SocketAddrV4::new(std::net::Ipv4Addr::LOCALHOST, port);
        let socket = network.socket(false).unwrap();
        rustix::net::connect(&socket, &address).map(|()| socket)
    };
    let mut answer = String::new();
    connect(&network, port).unwrap().read_to_string(&mut answer).unwrap();
    assert_eq!(answer, "here");
    connect(&other, port).unwrap_err();
    let machine = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    connect(&network, machine.local_addr().unwrap().port()).unwrap_err();
    assert!(network.socket(true).unwrap().peer_addr().is_err());

    cancel.cancel();
    assert_eq!(server.await.unwrap().unwrap().ended, Ended::Cancelled);
}
