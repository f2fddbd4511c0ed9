//! Tests the declarations of every operation over a real socket: the required permissions, and that commands are not
//! executed twice.

use crate::connection::{Entrance, serve};
use crate::gate::{Caller, Who};
use crate::mirror::Mirror;
use crate::test_world::World;
use crate::wire::Lines;
use deputy_protocol::{
    Command, CommandId, CommandOutcome, DeviceId, DeviceScope, MemoriesOutcome, Needs, OperationEffect,
    OperationInfo, all_operations,
};
use serde_json::{Value, json};
use std::collections::HashMap;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines as Incoming};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio_util::sync::CancellationToken;

const EVERY: [DeviceScope; 3] = [DeviceScope::Monitor, DeviceScope::Approve, DeviceScope::Command];

/// The client side of a connection after the hello.
struct Screen {
    incoming: Incoming<BufReader<OwnedReadHalf>>,
    outgoing: OwnedWriteHalf,
}

impl Screen {
    async fn of(mirror: &Mirror, caller: Caller) -> Self {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let serving =
            serve(Lines::new(theirs), mirror.clone(), Entrance::Known(caller), CancellationToken::new());
        tokio::spawn(serving);
        let (incoming, outgoing) = ours.into_split();
        let mut screen = Self { incoming: BufReader::new(incoming).lines(), outgoing };
        screen.say(&json!({"type": "hello", "protocol": 1})).await;
        screen
    }

    async fn say(&mut self, message: &Value) {
        self.outgoing.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    /// Executes an operation with an id, and returns its answer.
    async fn answer(&mut self, info: &OperationInfo, id: &str, input: &Value) -> Value {
        self.say(&match info.effect {
            OperationEffect::Reads => json!({"type": "query", "id": id, "query": input}),
            _ => json!({"type": "command", "envelope": {"id": id, "command": input}}),
        })
        .await;
        loop {
            let line = self.incoming.next_line().await.unwrap().expect("the connection stands");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return message;
            }
        }
    }

    /// Returns the error code of an operation. `None` if it succeeded.
    async fn refusal(&mut self, info: &OperationInfo, input: &Value) -> Option<String> {
        let answer = self.answer(info, info.name, input).await;
        answer["error"]["code"].as_str().map(str::to_owned)
    }
}

fn device(scopes: &[DeviceScope]) -> Caller {
    Caller {
        who: Who::Device { id: DeviceId::new("d") },
        scopes: scopes.to_vec(),
        until_ms: None,
        cut: CancellationToken::new(),
    }
}

/// Returns an input for every operation, from the samples of wire messages.
fn inputs() -> HashMap<String, Value> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    let mut inputs = HashMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let sample: Value = serde_json::from_slice(&std::fs::read(entry.unwrap().path()).unwrap()).unwrap();
        for tag in ["query", "command"] {
            let input = &sample["value"][tag];
            if let Some(name) = input[tag].as_str() {
                inputs.insert(name.to_owned(), input.clone());
            }
        }
    }
    for info in all_operations() {
        assert!(inputs.contains_key(info.name), "no sample of {}", info.name);
    }
    inputs
}

#[tokio::test]
async fn every_operation_is_refused_without_its_scope() {
    let world = World::new().await;
    let mirror = world.mirror();
    let inputs = inputs();
    for needed in [Needs::Monitor, Needs::Approve, Needs::Command, Needs::LocalUser] {
        let others: Vec<_> =
            EVERY.into_iter().filter(|scope| needed.device_scope() != Some(*scope)).collect();
        let mut without = Screen::of(&mirror, device(&others)).await;
        for info in all_operations().filter(|info| info.needs == needed) {
            let refused = without.refusal(info, &inputs[info.name]).await;
            assert_eq!(refused.as_deref(), Some("not_allowed"), "{} without its scope", info.name);
        }
    }
}

#[tokio::test]
async fn no_operation_needs_more_than_its_scope() {
    let world = World::new().await;
    let mirror = world.mirror();
    let inputs = inputs();
    for scope in EVERY {
        let mut with = Screen::of(&mirror, device(&[scope])).await;
        for info in all_operations().filter(|info| info.needs.device_scope() == Some(scope)) {
            let refused = with.refusal(info, &inputs[info.name]).await;
            assert_ne!(refused.as_deref(), Some("not_allowed"), "{} with its scope", info.name);
        }
    }
}

/// An id with a recorded outcome returns that outcome for every command: nothing is executed again.
#[tokio::test]
async fn every_command_is_done_once_for_its_id() {
    let world = World::new().await;
    let mirror = world.mirror();
    let inputs = inputs();
    let mut screen = Screen::of(&mirror, Caller::local("test", None)).await;
    for info in Command::ALL {
        let before = CommandOutcome::Memories(MemoriesOutcome { memories: 4_242 });
        let (id, outcome) = (CommandId::new(info.name), before.clone());
        mirror.host().once(&id, info.effect, async { Ok(outcome) }).await.unwrap();
        let answer = screen.answer(info, info.name, &inputs[info.name]).await;
        assert_eq!(answer["outcome"], serde_json::to_value(&before).unwrap(), "{}: {answer}", info.name);
    }
}

#[tokio::test]
async fn a_link_is_the_same_for_its_id_and_is_never_written_down() {
    let world = World::new().await;
    let mirror = world.mirror();
    mirror.page_is_at(([127, 0, 0, 1], 9).into());
    let info = Command::ALL.iter().find(|info| info.name == "link").unwrap();
    let input = json!({"command": "link"});
    let mut screen = Screen::of(&mirror, Caller::local("test", None)).await;
    let first = screen.answer(info, "one", &input).await["outcome"]["url"].clone();
    assert!(first.as_str().unwrap().contains("#token="), "{first}");
    assert_eq!(screen.answer(info, "one", &input).await["outcome"]["url"], first);
    assert_ne!(screen.answer(info, "two", &input).await["outcome"]["url"], first);
    assert_eq!(world.host.store().command_seen(&CommandId::new("one")).await.unwrap(), None);
}
