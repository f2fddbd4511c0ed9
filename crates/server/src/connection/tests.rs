//! Tests of the conversation with misbehaving clients, over a wire that the test controls.

use super::*;
use crate::test_world::World;
use deputy_protocol::{Notice, NoticeKind};
use std::sync::Mutex;
use tokio::sync::{Semaphore, mpsc};

/// A wire that only sends when the test allows it.
struct Held {
    incoming: mpsc::UnboundedReceiver<String>,
    sent: Arc<Mutex<Vec<String>>>,
    may_send: Arc<Semaphore>,
}

impl Wire for Held {
    async fn receive(&mut self) -> Received {
        match self.incoming.recv().await {
            Some(text) => Received::Text(text.into()),
            None => Received::End,
        }
    }

    async fn send(&mut self, texts: &[Utf8Bytes]) -> Result<(), Gone> {
        self.may_send.acquire().await.map_err(|_| Gone)?.forget();
        self.sent.lock().unwrap().extend(texts.iter().map(ToString::to_string));
        Ok(())
    }

    async fn keep_alive(&mut self) -> Result<(), Gone> {
        Ok(())
    }

    async fn close(self) {}
}

#[tokio::test]
async fn a_client_that_takes_nothing_is_let_go_and_nobody_waits_for_it() {
    let world = World::new().await;
    let mirror = world.mirror();
    let (say, incoming) = mpsc::unbounded_channel();
    let (sent, may_send) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Semaphore::new(2)));
    let wire = Held { incoming, sent: sent.clone(), may_send: may_send.clone() };
    let entrance = Entrance::Known(Caller::local("terminal", None));
    let serving = tokio::spawn(serve(wire, mirror.clone(), entrance, CancellationToken::new()));
    say.send(r#"{"type":"hello","protocol":1,"follow":true}"#.to_owned()).unwrap();
    // The welcome and the snapshot are received, and nothing after them.
    while may_send.available_permits() > 0 {
        tokio::task::yield_now().await;
    }
    let notice = Notice {
        id: "n".to_owned(),
        task: TaskId::new("t"),
        kind: NoticeKind::Ended,
        text: "x".to_owned(),
        withdrawn: false,
    };
    // More than a client may lag behind. Sending never waits: this is not an async function.
    for _ in 0..1_000 {
        mirror.hub().tell(&notice.task, &ServerMessage::Notice(notice.clone()));
        tokio::task::yield_now().await;
    }
    may_send.add_permits(Semaphore::MAX_PERMITS / 2);
    serving.await.unwrap();
    let last = sent.lock().unwrap().last().cloned().unwrap();
    assert!(last.contains(r#""code":"too_slow""#), "{last}");
    assert!(sent.lock().unwrap().len() < 300, "it was not made to catch up");
}
