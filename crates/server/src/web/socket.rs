//! The WebSocket transport: frames as a wire, with limits on their size and number.

use super::crowd::Place;
use super::peer::Peer;
use super::serve::Web;
use crate::connection::{Entrance, serve};
use crate::wire::{Gone, Received, Wire};
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use bytes::Bytes;
use deputy_messages::Phrase;
use deputy_messages::server as say;
use deputy_protocol::{ErrorBody, ErrorCode};
use futures_util::SinkExt;
use std::time::Duration;
use tokio::time::Instant;

/// The maximum size of a frame, in bytes.
const MAX_FRAME_BYTES: usize = 64 * 1024;
/// The maximum size of a message, over all of its frames, in bytes.
const MAX_MESSAGE_BYTES: usize = 256 * 1024;
/// The size of the read buffer, which each of a thousand idle clients holds.
const READ_BUFFER_BYTES: usize = 4 * 1024;
/// The number of frames that a client may send at once, and the rate after that.
const FRAMES: f64 = 400.0;
const FRAMES_A_SECOND: f64 = 100.0;
/// How long a client may be silent, without even answering a ping, before it is disconnected.
const SILENCE: Duration = Duration::from_secs(75);

/// Upgrades a request to a connection of the mirror.
pub(super) async fn upgrade(State(web): State<Web>, peer: Peer, upgrade: WebSocketUpgrade) -> Response {
    upgrade
        .max_frame_size(MAX_FRAME_BYTES)
        .max_message_size(MAX_MESSAGE_BYTES)
        .read_buffer_size(READ_BUFFER_BYTES)
        .on_upgrade(move |socket| async move {
            let Peer { channel, place, .. } = peer;
            let cut = place.cut();
            let conversation =
                serve(Frames::new(socket, place), web.mirror, Entrance::Proof(channel), web.end);
            tokio::select! {
                () = conversation => {}
                () = cut.cancelled() => {}
            }
        })
}

/// The frames of a WebSocket.
struct Frames {
    socket: WebSocket,
    /// The number of frames that may still arrive now.
    left: f64,
    counted: Instant,
    heard: Instant,
    place: Place,
}

impl Frames {
    fn new(socket: WebSocket, place: Place) -> Self {
        let now = Instant::now();
        Self { socket, left: FRAMES, counted: now, heard: now, place }
    }

    /// Counts a frame. Returns `false` if there are too many.
    fn count(&mut self) -> bool {
        let now = Instant::now();
        self.left = (self.left + (now - self.counted).as_secs_f64() * FRAMES_A_SECOND).min(FRAMES) - 1.0;
        (self.counted, self.heard) = (now, now);
        self.left >= 0.0
    }
}

impl Wire for Frames {
    fn let_in(&mut self) {
        self.place.let_in();
    }

    async fn receive(&mut self) -> Received {
        loop {
            let Some(received) = self.socket.recv().await else { return Received::End };
            let fault = |code: ErrorCode, message: Phrase, hint: Phrase| {
                Received::Fault(ErrorBody::new(code, message, hint))
            };
            if !self.count() {
                let hint = say::wait_between_messages_events_come();
                return fault(ErrorCode::TooManyMessages, say::this_client_sends_faster_than(), hint);
            }
            return match received {
                Ok(Message::Text(text)) => Received::Text(text),
                Ok(Message::Binary(_)) => {
                    fault(ErrorCode::BadMessage, say::binary_frame_came(), say::send_json_messages_as_text())
                }
                Ok(Message::Ping(_) | Message::Pong(_)) => continue,
                Ok(Message::Close(_)) => Received::End,
                Err(error) => {
                    let message = say::frame_could_not_be_read(error);
                    let hint = say::frame_holds_at_most_kib();
                    Received::Fault(ErrorBody::new(ErrorCode::BadFrame, message, hint))
                }
            };
        }
    }

    async fn send(&mut self, texts: &[Utf8Bytes]) -> Result<(), Gone> {
        let began = Instant::now();
        for text in texts {
            self.socket.feed(Message::Text(text.clone())).await.map_err(|_| Gone)?;
        }
        self.socket.flush().await.map_err(|_| Gone)?;
        // Nothing is read while something is sent, so this does not count as silence of the client.
        self.heard += began.elapsed();
        Ok(())
    }

    async fn keep_alive(&mut self) -> Result<(), Gone> {
        if self.heard.elapsed() > SILENCE {
            return Err(Gone);
        }
        self.socket.send(Message::Ping(Bytes::new())).await.map_err(|_| Gone)
    }

    async fn close(mut self) {
        let goodbye = CloseFrame { code: close_code::NORMAL, reason: Utf8Bytes::from_static("") };
        // The client may be gone already.
        let _ = self.socket.send(Message::Close(Some(goodbye))).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::patient;
    use axum::Router;
    use axum::routing::any;
    use futures_util::StreamExt;
    use hyper::server::conn::http1;
    use hyper_util::rt::TokioIo;
    use hyper_util::service::TowerToHyperService;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::sync::mpsc;

    /// Forwards what a client is sent, one piece per second.
    async fn slowly(host: tokio::io::DuplexStream) -> tokio::io::DuplexStream {
        let (client, line) = tokio::io::duplex(1024 * 1024);
        let (mut from_client, mut to_client) = tokio::io::split(line);
        let (mut from_host, mut to_host) = tokio::io::split(host);
        tokio::spawn(async move { tokio::io::copy(&mut from_client, &mut to_host).await });
        tokio::spawn(async move {
            let mut piece = vec![0; 4 * 1024];
            while let Ok(taken @ 1..) = from_host.read(&mut piece).await {
                tokio::time::sleep(Duration::from_secs(1)).await;
                to_client.write_all(&piece[..taken]).await.unwrap();
            }
        });
        client
    }

    #[tokio::test(start_paused = true)]
    async fn who_takes_a_message_for_minutes_is_not_silent() {
        let (client, host) = tokio::io::duplex(4 * 1024);
        let (tell, mut told) = mpsc::unbounded_channel();
        let route = any(move |upgrade: WebSocketUpgrade| async move {
            upgrade.on_upgrade(move |socket| async move {
                let mut frames = Frames::new(socket, crate::web::crowd::one_place());
                let began = Instant::now();
                let sent = frames.send(&["x".repeat(1024 * 1024).into()]).await.is_ok();
                let stays = frames.keep_alive().await.is_ok();
                tell.send((sent, stays, began.elapsed())).unwrap();
            })
        });
        let service = TowerToHyperService::new(Router::new().route("/ws", route));
        tokio::spawn(
            http1::Builder::new().serve_connection(TokioIo::new(patient(host)), service).with_upgrades(),
        );
        let line = slowly(client).await;
        let (mut socket, _) = tokio_tungstenite::client_async("ws://here/ws", line).await.unwrap();
        let message = socket.next().await.unwrap().unwrap();
        assert_eq!(message.len(), 1024 * 1024);
        let (sent, stays, took) = told.recv().await.unwrap();
        assert!(sent && stays && took > SILENCE, "sent: {sent}, stays: {stays}, after {took:?}");
    }
}
