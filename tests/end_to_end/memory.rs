//! What a person tells one task, and another knows weeks later: everything is restarted between the two.

use crate::support::World;
use deputy_protocol::*;
use deputy_store::Store;
use deputy_testkit::Turn;

/// What was said before, as by a task of weeks ago in another folder.
async fn said_before(world: &World, texts: &[&str]) {
    let store = Store::open(&world.home.path()).unwrap();
    let id = TaskId::new("t-before");
    let spec = TaskSpec {
        id: id.clone(),
        session: SessionId::new("s-before"),
        goal: "a talk".to_owned(),
        profile: "general".to_owned(),
        backend: "openai_compatible".to_owned(),
        workspace: "/elsewhere".to_owned(),
        scope: Scope::default(),
        limits: Limits::default(),
        standing_consent: None,
    };
    let mut events = vec![TaskEvent::Created(Created { spec, notice: None })];
    events.extend(texts.iter().map(|text| TaskEvent::Steered(Steered { text: (*text).to_owned() })));
    events.push(TaskEvent::Stopped(Stopped { reason: StopReason::Completed, summary: String::new() }));
    store.append(&id, 1, events).await.unwrap();
}

/// What somebody says of other things; in words that the questions below do not have.
const OTHER: [&str; 24] = [
    "Invoices go to accounting as PDF.",
    "Four spaces indent Python code.",
    "Colleagues meet every Tuesday at nine.",
    "A passport expires in March 2029.",
    "Printers jam with thick paper.",
    "Customers get formal letters.",
    "Frankfurt hosts our production database.",
    "Kids swim on Thursday.",
    "Twelve thousand euros pay for new kitchens.",
    "Answer briefly.",
    "Mrs. Brandt next door keeps a spare key.",
    "Port 8443 serves web pages.",
    "Photos are sorted by year.",
    "Lighthouse names a meeting room.",
    "Last summer a blue bicycle was sold.",
    "Taxes are filed by July.",
    "Gyms open at six.",
    "Red books hold wifi passwords.",
    "Quarters end without deployments.",
    "Graz teaches chemistry.",
    "Washing machines are loud.",
    "Dates begin with days.",
    "Tom leads designers.",
    "Trains to Vienna leave from platform seven.",
];

#[tokio::test]
async fn what_one_task_was_told_is_known_to_the_next_in_other_words() {
    let world = World::new([Turn::text("Noted."), Turn::text("I will keep that in mind.")]);
    said_before(&world, &OTHER).await;
    let told = world.json(&["run", "Peanuts make Anna sick."]);
    assert_eq!(told.code, Some(0), "{told:?}");
    // Each run is a host and a sidecar of its own, so everything has been started anew.
    let asked = world.json(&["run", "Which nibbles would harm her at tonight's party?"]);
    assert_eq!(asked.code, Some(0), "{asked:?}");
    let told = world.told(2);
    assert!(told.contains("from memory>>"), "{told}");
    assert!(told.contains("[the user said in this folder] Peanuts make Anna sick."), "{told}");
    let notes = told.matches("[the user said").count();
    assert!(notes <= 20, "{notes} notes: {told}");
    let stats = world.say(&["memory", "stats"]);
    assert!(stats.stdout.contains("found by their meaning too, with multilingual-e5-small-q4."), "{stats:?}");
    let rebuilt = world.json(&["memory", "rebuild"]);
    assert_eq!(rebuilt.code, Some(0), "{rebuilt:?}");
    let after: MemoryStatsAnswer = serde_json::from_str(&world.json(&["memory", "stats"]).stdout).unwrap();
    assert_eq!(after.outdated, after.embedded, "{after:?}");
    assert!(after.embedded > 0, "{after:?}");
    let words = world.json(&["memory", "search", "peanuts"]);
    assert!(words.stdout.contains("Peanuts make Anna sick."), "{words:?}");
}

#[tokio::test]
async fn without_an_embedder_words_find_what_they_can() {
    let world = World::new([Turn::text("Noted."), Turn::text("Done."), Turn::text("Done.")]);
    let set = world.say(&["config", "set", "memory.embedder", "none"]);
    assert_eq!(set.code, Some(0), "{set:?}");
    said_before(&world, &OTHER).await;
    world.json(&["run", "Peanuts make Anna sick."]);
    world.json(&["run", "Which nibbles would harm her at tonight's party?"]);
    assert!(!world.told(2).contains("Peanuts"), "{}", world.told(2));
    world.json(&["run", "Who is sick of peanuts?"]);
    assert!(world.told(3).contains("Peanuts make Anna sick."), "{}", world.told(3));
    let stats = world.say(&["memory", "stats"]);
    assert!(stats.stdout.contains("`memory.embedder` is `none`, so nothing is embedded."), "{stats:?}");
}
