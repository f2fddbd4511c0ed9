//! Carries a single connection in both directions, with faults.

use super::frames::{Piece, Splitter};
use super::{Odds, PATIENCE, Tally, count};
use crate::dice::Dice;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

/// The maximum number of bytes of a connection that can be replayed.
const MOST_SAID: usize = 1024 * 1024;
/// The numbers of bytes to carry at once, chosen at random.
const SIZES: [usize; 3] = [16, 200, 65_536];

/// The end of a direction.
struct Over;

/// Carries a connection until either side or a random fault ends it. Returns what the client sent.
pub(super) async fn both_ways(
    client: TcpStream,
    server: TcpStream,
    mut dice: Dice,
    odds: Odds,
    tally: &Tally,
) -> Vec<u8> {
    let mut said = Vec::new();
    let mut first = [0; 4];
    // Unencrypted traffic begins with a request.
    let is_clear = matches!(client.peek(&mut first).await, Ok(4)) && &first == b"GET ";
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let mut up = Way { from: from_client, to: to_server, dice: dice.split(), odds, tally };
    let mut down = Way { from: from_server, to: to_client, dice: dice.split(), odds, tally };
    // The first direction to end also ends the other, like a lost network.
    tokio::select! {
        () = up.carry_said(is_clear, &mut said) => {}
        () = down.carry_bytes() => {}
    }
    said
}

/// Sends the recorded bytes again over a new connection, and reads the answer.
pub(super) async fn play_again(said: &[u8], target: SocketAddr) {
    let Ok(mut server) = TcpStream::connect(target).await else { return };
    let mut answer = vec![0; 4096];
    if server.write_all(said).await.is_ok() {
        let hear = async { while server.read(&mut answer).await.is_ok_and(|count| count > 0) {} };
        // If the server keeps the connection open, close it after a while.
        let _ = tokio::time::timeout(PATIENCE * 20, hear).await;
    }
}

/// One direction of a connection.
struct Way<'a> {
    from: OwnedReadHalf,
    to: OwnedWriteHalf,
    dice: Dice,
    odds: Odds,
    tally: &'a Tally,
}

impl Way<'_> {
    async fn carry_bytes(&mut self) {
        let mut buffer = vec![0; SIZES[2]];
        while let Some(count) = self.read(&mut buffer).await {
            if self.write(&buffer[..count]).await.is_err() {
                return;
            }
        }
    }

    /// Carries what the client sends, as whole messages if they are visible.
    async fn carry_said(&mut self, is_clear: bool, said: &mut Vec<u8>) {
        let mut splitter = Splitter::default();
        let mut buffer = vec![0; SIZES[2]];
        // A message that waits to be overtaken by another.
        let mut held: Option<Vec<u8>> = None;
        loop {
            let count = match &held {
                None => self.read(&mut buffer).await,
                Some(_) => match tokio::time::timeout(PATIENCE, self.read(&mut buffer)).await {
                    Ok(count) => count,
                    // No other message arrived.
                    Err(_) => match self.write(&held.take().unwrap_or_default()).await {
                        Ok(()) => continue,
                        Err(Over) => return,
                    },
                },
            };
            let Some(count) = count else { return };
            if said.len() < MOST_SAID {
                said.extend_from_slice(&buffer[..count]);
            }
            let pieces = match is_clear {
                true => splitter.take_in(&buffer[..count]),
                false => vec![Piece::Other(buffer[..count].to_vec())],
            };
            for piece in pieces {
                if self.say(piece, &mut held).await.is_err() {
                    return;
                }
            }
        }
    }

    async fn say(&mut self, piece: Piece, held: &mut Option<Vec<u8>>) -> Result<(), Over> {
        let bytes = match piece {
            Piece::Message(bytes) if held.is_none() && self.dice.hits(self.odds.reorder) => {
                *held = Some(bytes);
                return Ok(());
            }
            Piece::Message(bytes) => {
                if self.dice.hits(self.odds.double) {
                    count(&self.tally.doubled_messages);
                    self.write(&bytes).await?;
                }
                bytes
            }
            Piece::Other(bytes) => bytes,
        };
        self.write(&bytes).await?;
        match held.take() {
            None => Ok(()),
            Some(overtaken) => {
                count(&self.tally.reordered_messages);
                self.write(&overtaken).await
            }
        }
    }

    async fn read(&mut self, buffer: &mut [u8]) -> Option<usize> {
        let most = SIZES[self.dice.below(SIZES.len())].min(buffer.len());
        self.from.read(&mut buffer[..most]).await.ok().filter(|count| *count > 0)
    }

    async fn write(&mut self, bytes: &[u8]) -> Result<(), Over> {
        if self.dice.hits(self.odds.delay) {
            count(&self.tally.delays);
            // Yield a few times, so that others can overtake without using a clock.
            for _ in 0..self.dice.below(50) {
                tokio::task::yield_now().await;
            }
        }
        if self.dice.hits(self.odds.cut) {
            count(&self.tally.cuts);
            let cut = self.dice.below(bytes.len());
            // The connection is cut in any case.
            let _ = self.to.write_all(&bytes[..cut]).await;
            return Err(Over);
        }
        self.to.write_all(bytes).await.map_err(|_| Over)
    }
}
