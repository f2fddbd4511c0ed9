//! A network that misbehaves between a client and a server, by one seed: it cuts, delays, doubles and reorders.
//!
//! What it carries sealed (TLS) it can only cut and delay, and, as a whole, play again over another connection or let
//! wait while others go first. In a WebSocket in the clear it also doubles and reorders single messages of the client.
//! Nothing that the server says is doubled or reordered: no network does that within a connection, and a client that
//! counts events would rightly call it a fault.

mod carry;
mod frames;

use crate::dice::Dice;
use serde::Serialize;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// What waits to be overtaken waits no longer than this: nobody may come.
const PATIENCE: Duration = Duration::from_millis(5);

/// How often things go wrong, each from 0 to 1, for each piece of data, message or connection.
#[derive(Clone, Copy, Debug)]
pub struct Odds {
    /// The connection breaks off in the middle of what it carries.
    pub cut: f64,
    /// Others go first.
    pub delay: f64,
    /// It comes twice.
    pub double: f64,
    /// It comes after the one behind it.
    pub reorder: f64,
}

/// What went wrong so far.
#[derive(Debug, Default, Serialize)]
pub struct Tally {
    /// Connections that broke off.
    pub cuts: AtomicU64,
    /// Pieces that waited.
    pub delays: AtomicU64,
    /// Messages that came twice.
    pub doubled_messages: AtomicU64,
    /// Messages that were overtaken.
    pub reordered_messages: AtomicU64,
    /// Connections of which everything was played again over another.
    pub doubled_connections: AtomicU64,
    /// Connections that were overtaken by a later one.
    pub reordered_connections: AtomicU64,
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// Carries every connection of `listener` to `target` until it is dropped.
pub async fn carry_all(listener: TcpListener, target: SocketAddr, seed: u64, odds: Odds, tally: Arc<Tally>) {
    let next = Arc::new(Notify::new());
    let mut connections = 0;
    while let Ok((client, _)) = listener.accept().await {
        connections += 1;
        next.notify_waiters();
        let mut dice = Dice::new(seed.wrapping_add(connections));
        let (next, tally) = (next.clone(), tally.clone());
        tokio::spawn(async move {
            if dice.hits(odds.reorder) && tokio::time::timeout(PATIENCE, next.notified()).await.is_ok() {
                count(&tally.reordered_connections);
            }
            let is_doubled = dice.hits(odds.double);
            let Ok(server) = TcpStream::connect(target).await else { return };
            let said = carry::both_ways(client, server, dice, odds, &tally).await;
            if is_doubled {
                count(&tally.doubled_connections);
                carry::play_again(&said, target).await;
            }
        });
    }
}
