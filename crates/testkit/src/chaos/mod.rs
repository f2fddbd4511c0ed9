//! A misbehaving network between a client and a server. Controlled by a seed, it cuts, delays, duplicates and reorders.
//!
//! Encrypted connections (TLS) can only be cut and delayed. They can also be replayed as a whole over another
//! connection, or wait while others go first. In an unencrypted WebSocket, single messages of the client are also
//! duplicated and reordered. Messages of the server are never duplicated or reordered: no network does that within a
//! connection, and a client that counts events would rightly report an error.

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

/// How long something waits to be overtaken. Possibly nothing else arrives.
const PATIENCE: Duration = Duration::from_millis(5);

/// The probability of each fault, from 0 to 1, for each piece of data, message or connection.
#[derive(Clone, Copy, Debug)]
pub struct Odds {
    /// The connection breaks in the middle of a piece.
    pub cut: f64,
    /// Other tasks go first.
    pub delay: f64,
    /// A message or connection is duplicated.
    pub double: f64,
    /// A message or connection arrives after the following one.
    pub reorder: f64,
}

/// The counts of the faults so far.
#[derive(Debug, Default, Serialize)]
pub struct Tally {
    /// The number of connections that were cut.
    pub cuts: AtomicU64,
    /// The number of pieces that were delayed.
    pub delays: AtomicU64,
    /// The number of duplicated messages.
    pub doubled_messages: AtomicU64,
    /// The number of messages that were overtaken.
    pub reordered_messages: AtomicU64,
    /// The number of connections that were replayed over another one.
    pub doubled_connections: AtomicU64,
    /// The number of connections that were overtaken by a later one.
    pub reordered_connections: AtomicU64,
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// Carries every connection of `listener` to `target`, until it is dropped.
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
