//! The page's connection to the host: forwards the messages unchanged in both directions.
//!
//! The page pulls messages instead of receiving them. A page that falls behind is disconnected by the host and
//! resumes, like any other client, so no messages pile up here.

use crate::core::Core;
use deputy_cli::Failure;
use deputy_protocol::{ErrorBody, ErrorCode};
use deputy_server::{ClientError, LineReceiver, LineSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tauri::ipc::Response;
use tauri::{AppHandle, Manager, State};
use tokio::sync::{Mutex as AsyncMutex, watch};

/// The delay before the planner starts, because starting it while the page is drawn would delay the page.
const DRAWN: Duration = Duration::from_secs(1);

/// When this process started. Used to measure the time until the page is connected.
pub(crate) struct Started(pub(crate) Instant);

/// The page's line. A newer line ends the previous one, for example after a reload.
#[derive(Default)]
pub(crate) struct Lines(Mutex<Option<Arc<Line>>>);

struct Line {
    id: u32,
    sender: AsyncMutex<LineSender>,
    receiver: AsyncMutex<LineReceiver>,
    /// Dropped or changed when the line ends.
    over: watch::Sender<bool>,
}

impl Lines {
    fn replace(&self, line: Option<Arc<Line>>) {
        let before = std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), line);
        if let Some(before) = before {
            before.over.send_replace(true);
        }
    }

    fn find(&self, id: u32) -> Result<Arc<Line>, ErrorBody> {
        let current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        current.as_ref().filter(|line| line.id == id).cloned().ok_or_else(gone)
    }

    fn next_id(&self) -> u32 {
        let current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        current.as_ref().map_or(1, |line| line.id.wrapping_add(1))
    }
}

/// Opens a line and returns its number.
#[tauri::command]
pub(crate) async fn line_open(
    app: AppHandle,
    core: State<'_, Core>,
    lines: State<'_, Lines>,
    started: State<'_, Started>,
) -> Result<u32, ErrorBody> {
    let opened = core.line().await;
    let (sender, receiver) =
        opened.inspect_err(|error| tracing::warn!("the page cannot reach a host: {}", error.message))?;
    let id = lines.next_id();
    let line = Line {
        id,
        sender: AsyncMutex::new(sender),
        receiver: AsyncMutex::new(receiver),
        over: watch::Sender::new(false),
    };
    lines.replace(Some(Arc::new(line)));
    tracing::info!("the page's line stands {} ms after the start", started.0.elapsed().as_millis());
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(DRAWN).await;
        app.state::<Core>().warm().await;
    });
    Ok(id)
}

/// Waits for messages and returns those that have arrived, as a JSON array.
#[tauri::command]
pub(crate) async fn line_next(lines: State<'_, Lines>, line: u32) -> Result<Response, ErrorBody> {
    let line = lines.find(line)?;
    let mut over = line.over.subscribe();
    let mut receiver = line.receiver.lock().await;
    let texts = tokio::select! {
        _ = over.wait_for(|over| *over) => return Err(gone()),
        texts = receiver.receive_some() => texts.map_err(|_| gone())?,
    };
    Ok(Response::new(format!("[{}]", texts.join(","))))
}

/// Sends a message.
#[tauri::command]
pub(crate) async fn line_send(lines: State<'_, Lines>, line: u32, text: String) -> Result<(), ErrorBody> {
    // A message is a single line, whatever the page sends.
    if text.contains('\n') {
        return Err(ErrorBody::new(
            ErrorCode::BadMessage,
            "A message is one line.",
            "Send JSON without line breaks.",
        ));
    }
    let line = lines.find(line)?;
    let mut sender = line.sender.lock().await;
    sender.send(text).await.map_err(|_| gone())
}

/// Ends a line.
#[tauri::command]
pub(crate) fn line_close(lines: State<'_, Lines>, line: u32) {
    if lines.find(line).is_ok() {
        lines.replace(None);
    }
}

fn gone() -> ErrorBody {
    Failure::from(ClientError::Gone).error
}
