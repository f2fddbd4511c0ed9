//! Events as Server-Sent Events: the same messages as over the socket, one on each `data:` line, with the event's
//! number as its id.

use crate::gate::Caller;
use crate::web::body::Place;
use crate::web::failure::Failure;
use crate::web::peer::By;
use crate::web::serve::Web;
use crate::wire::{Gone, Received, Wire};
use axum::body::Body;
use axum::extract::State;
use axum::extract::ws::Utf8Bytes;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use deputy_protocol::{ErrorBody, ErrorCode, Query, TaskId, TaskQuery};
use tokio::sync::mpsc;

/// The number of chunks queued for a reader. A reader that does not read for a while is disconnected, and can resume.
const PIECES: usize = 16;

/// Stream all events and the progress. `Last-Event-ID` resumes; without it a snapshot comes first.
#[utoipa::path(get, path = "/api/v1/events", tag = "events",
    params(("Last-Event-ID" = Option<u64>, Header, description = "The last event that the client has.")),
    responses((status = 200, description = "A stream of ServerMessage.", content_type = "text/event-stream", body = String)))]
pub(super) async fn of_all(State(web): State<Web>, by: By, headers: HeaderMap) -> Result<Response, Failure> {
    stream(web, by.0, &headers, None)
}

/// Stream the events and the progress of a task. `Last-Event-ID` resumes; without it the history comes first.
#[utoipa::path(get, path = "/api/v1/tasks/{task}/events", tag = "events",
    params(("task" = String, Path, description = "Its id."),
        ("Last-Event-ID" = Option<u64>, Header, description = "The last event that the client has.")),
    responses((status = 200, description = "A stream of ServerMessage.", content_type = "text/event-stream", body = String)))]
pub(super) async fn of_task(
    State(web): State<Web>,
    by: By,
    Place(task): Place<String>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let task = TaskId::new(task);
    web.mirror.query(&by.0, Query::Task(TaskQuery { task: task.clone() })).await?;
    stream(web, by.0, &headers, Some(task))
}

fn stream(web: Web, caller: Caller, headers: &HeaderMap, task: Option<TaskId>) -> Result<Response, Failure> {
    web.mirror.may_follow(&caller)?;
    let resume_from = match headers.get("last-event-id") {
        None => None,
        Some(id) => Some(id.to_str().ok().and_then(|id| id.parse().ok()).ok_or_else(|| {
            ErrorBody::new(
                ErrorCode::BadEventId,
                "The header `Last-Event-ID` holds no number of an event.",
                "Send the id of the last event you have, or nothing.",
            )
        })?),
    };
    let (sender, receiver) = mpsc::channel(PIECES);
    let wire = EventStream { sender };
    tokio::spawn(crate::connection::stream(wire, web.mirror, caller, resume_from, task, web.end));
    let pieces = futures_util::stream::unfold(receiver, |mut receiver| async move {
        let piece: Bytes = receiver.recv().await?;
        Some((Ok::<_, std::convert::Infallible>(piece), receiver))
    });
    let headers =
        [(header::CONTENT_TYPE, "text/event-stream; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, Body::from_stream(pieces)).into_response())
}

/// A client of Server-Sent Events, which only listens.
struct EventStream {
    sender: mpsc::Sender<Bytes>,
}

impl EventStream {
    async fn put(&mut self, text: String) -> Result<(), Gone> {
        // If the client does not read, its connection is closed, and with it the receiver of this channel.
        self.sender.send(Bytes::from(text)).await.map_err(|_| Gone)
    }
}

impl Wire for EventStream {
    async fn receive(&mut self) -> Received {
        self.sender.closed().await;
        Received::End
    }

    async fn send(&mut self, texts: &[Utf8Bytes]) -> Result<(), Gone> {
        let mut piece = String::with_capacity(texts.iter().map(|text| text.len() + 40).sum());
        for text in texts {
            // JSON contains no line feed. The number is directly after the type of the message.
            if let Some(seq) = text.strip_prefix(r#"{"type":"event","record":{"seq":"#) {
                let digits = seq.split(',').next().unwrap_or_default();
                piece.push_str(&format!("id: {digits}\n"));
            }
            piece.push_str("data: ");
            piece.push_str(text);
            piece.push_str("\n\n");
        }
        if piece.is_empty() { Ok(()) } else { self.put(piece).await }
    }

    async fn keep_alive(&mut self) -> Result<(), Gone> {
        self.put(": still here\n\n".to_owned()).await
    }

    async fn close(self) {}
}
