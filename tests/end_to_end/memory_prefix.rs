//! What is recalled while a task works is added behind the conversation: what was sent before stays the same, byte for byte.

use crate::hosts::serve;
use crate::support::{World, ask, questions};
use deputy_protocol::TaskEvent;
use deputy_testkit::Turn;

#[test]
fn what_is_recalled_later_leaves_everything_before_it_as_it_was() {
    let turns =
        [ask("Who comes to the party?"), ask("Anything else?"), Turn::text("Done."), Turn::text("Done.")];
    let world = World::new(turns);
    // By words alone, so that the goal finds neither, and there is room only for what was remembered later.
    world.say(&["config", "set", "memory.embedder", "none"]);
    let later =
        (0..24).map(|number| format!("Shelf {number} in the {}", "cellar of the old house ".repeat(3)));
    let facts = ["Peanuts make Anna sick.", "Bruno is allergic to strawberries."]
        .map(|fact| format!("{fact} {}", "Everybody in town has known that for years. ".repeat(2)));
    for fact in facts.into_iter().chain(later) {
        assert_eq!(world.say(&["memory", "add", &fact]).code, Some(0));
    }
    let host = serve(&world);
    assert_eq!(world.json(&["run", "Plan the birthday", "--detach"]).code, Some(0));
    let mut follow = world.start(&["follow", "last"]);
    for answer in ["Anna comes, and she likes peanuts.", "Bruno too, with strawberries."] {
        let asked = follow.wait_for_event(|event| matches!(event, TaskEvent::QuestionAsked(_))).unwrap();
        assert_eq!(world.say(&["answer", questions(&[asked])[0].id.as_str(), answer]).code, Some(0));
    }
    assert_eq!(follow.wait().unwrap(), Some(0));
    drop(host);

    let sent: Vec<serde_json::Value> =
        world.model.requests()[0..3].iter().map(|request| request.body.clone().unwrap()).collect();
    let as_sent = |value: &serde_json::Value| serde_json::to_string(value).unwrap();
    for pair in sent.windows(2) {
        let (before, after) =
            (pair[0]["messages"].as_array().unwrap(), pair[1]["messages"].as_array().unwrap());
        assert!(after.len() > before.len());
        for (one, other) in before.iter().zip(after) {
            assert_eq!(as_sent(one), as_sent(other));
        }
        assert_eq!(as_sent(&pair[0]["tools"]), as_sent(&pair[1]["tools"]));
    }
    let (second, third) = (world.told(2), world.told(3));
    assert!(second.contains("Peanuts make Anna sick.") && !as_sent(&sent[0]).contains("sick"), "{second}");
    assert!(third.contains("Bruno is allergic") && !second.contains("allergic"), "{third}");
}
