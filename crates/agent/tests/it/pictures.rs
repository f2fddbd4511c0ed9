//! Tests of pictures in results: sent to clients that request them, and to planners that support them.

use crate::world::World;
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, calls, done};
use serde_json::json;
use std::sync::Arc;

const GIF: &[u8] = b"GIF89a\x03\0\x02\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x01D\0;";

#[tokio::test]
async fn a_picture_is_handed_out_by_the_call_that_gave_it_back_and_by_no_other_name() {
    let read = calls([("code", json!({"action": "read", "path": "a.gif"}))]);
    let planner = Arc::new(ScriptedPlanner::new([read, done("ok")]));
    let mut world = World::open(deputy_testkit::TempHome::new().unwrap(), planner.clone()).await;
    std::fs::write(world.home.workspace().join("a.gif"), GIF).unwrap();
    let task = world.start(world.start_command()).await;
    world.ended().await;
    let events = world.events_of(&task);
    let result = events.iter().find_map(|event| match event {
        TaskEvent::ToolFinished(finished) => Some(&finished.result),
        _ => None,
    });
    let Some([ResultPart::Picture(part)]) = result.map(|result| result.parts.as_slice()) else {
        panic!("{result:#?}")
    };
    let call = CallId::of(&task, 1, 1);
    let asked = |call: &CallId, digest: &Digest, offset| {
        HostQuery::Picture(PictureQuery {
            task: task.clone(),
            call: call.clone(),
            digest: digest.clone(),
            offset,
        })
    };
    let QueryAnswer::Picture(whole) = world.host.query(asked(&call, &part.digest, 0)).await.unwrap() else {
        panic!()
    };
    assert_eq!((whole.media_type, whole.next, whole.size_bytes), (PictureType::Gif, None, GIF.len() as u64));
    assert!(whole.base64.starts_with("R0lGODlh"));
    // Not past its end, not for another call, and no other content of the store by its digest.
    let QueryAnswer::Picture(end) = world.host.query(asked(&call, &part.digest, 1 << 40)).await.unwrap()
    else {
        panic!()
    };
    assert_eq!((end.base64.as_str(), end.next), ("", None));
    let other = Digest::new("ab".repeat(32));
    for refused in [asked(&CallId::of(&task, 1, 2), &part.digest, 0), asked(&call, &other, 0)] {
        let error = world.host.query(refused).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::UnknownOutput);
    }
    let requests = planner.requests();
    let told = requests[1].messages.iter().find_map(|message| match message {
        Message::Tool(message) => message.pictures.first(),
        _ => None,
    });
    let told = told.unwrap();
    assert_eq!((&told.digest, &told.base64), (&part.digest, &None), "the backend did not ask for pictures");
}
