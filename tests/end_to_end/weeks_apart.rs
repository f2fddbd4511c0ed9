//! Forty pairs of tasks, weeks apart: the second can only be done right with what the first was told, and asks in other words.
//!
//! The model knows nothing but what it is given: it repeats the notes of earlier tasks as its answer.

use crate::support::{World, stopped};
use deputy_protocol::*;
use deputy_store::Store;
use deputy_testkit::Turn;
use std::time::{SystemTime, UNIX_EPOCH};

const WEEKS_MS: i64 = 5 * 7 * 24 * 3600 * 1000;

/// What the first task was told, what the second asks, and what its answer has to hold.
const PAIRS: [(&str, &str, &str); 40] = [
    ("Peanuts make Anna sick.", "Which nibbles would harm her at tonight's party?", "Peanuts"),
    (
        "Invoices go to accounting as PDF.",
        "Send this month's bills to the finance people in the right format.",
        "PDF",
    ),
    ("Four spaces indent Python code.", "Tidy the layout of my scripts the way I like it.", "Four spaces"),
    ("My colleagues meet every Tuesday at nine.", "When is our weekly team gathering?", "Tuesday"),
    ("My passport expires in March 2029.", "Until when can I travel with my papers?", "2029"),
    ("The printer jams with thick paper.", "Why would cardboard be a bad idea for the handouts?", "jams"),
    (
        "Customers get formal letters, signed with my full name.",
        "Draft a reply to a client in the usual tone.",
        "formal",
    ),
    (
        "Our production database is hosted in Frankfurt.",
        "In which city do our live records lie?",
        "Frankfurt",
    ),
    (
        "The kids swim on Thursday afternoon.",
        "On which weekday do the children have their sport in the pool?",
        "Thursday",
    ),
    (
        "We can spend twelve thousand euros on the new kitchen.",
        "What is the budget for renovating where we cook?",
        "twelve thousand",
    ),
    (
        "Mrs. Brandt next door keeps our spare key.",
        "We are locked out of the house; who can let us in?",
        "Brandt",
    ),
    (
        "The web server listens on port 8443.",
        "Which number do I type behind the address of our site?",
        "8443",
    ),
    ("Photos are sorted by year and then by month.", "Put the new pictures where they belong.", "by year"),
    (
        "Lighthouse is the meeting room with the projector.",
        "Where can we show slides on a big screen?",
        "Lighthouse",
    ),
    ("I sold the blue bicycle last summer.", "Do I still own the bike?", "sold"),
    (
        "Our tax adviser wants all receipts by the end of June.",
        "What is the deadline for handing in the papers for the revenue office?",
        "June",
    ),
    ("The gym opens at six in the morning.", "How early can I work out?", "six"),
    (
        "The wifi password is written in the red notebook.",
        "How do guests get onto the internet here?",
        "red notebook",
    ),
    (
        "Nothing is deployed in the last week of a quarter.",
        "May we release on the thirtieth of September?",
        "quarter",
    ),
    (
        "My brother teaches chemistry in Graz.",
        "Who in the family could explain this reaction to us?",
        "chemistry",
    ),
    (
        "The washing machine is too loud to run at night.",
        "Is midnight a good time to do the laundry?",
        "loud",
    ),
    (
        "Dates are written with the day first.",
        "How do I format the fifth of November in the table?",
        "day first",
    ),
    ("Tom leads the design team.", "Who decides about the look of the new app?", "Tom"),
    (
        "The train to Vienna leaves from platform seven.",
        "Where do I board when I go to the Austrian capital by rail?",
        "seven",
    ),
    (
        "Grandmother's birthday is on the second of May.",
        "When do we need a present for granny?",
        "second of May",
    ),
    (
        "The car needs winter tires from October on.",
        "What has to be changed on the vehicle before it gets cold?",
        "winter tires",
    ),
    ("Milk gives me a stomach ache.", "Which ingredient should this dessert not have for my sake?", "Milk"),
    ("The landlord is called Kovacs and prefers email.", "How do I reach the owner of our flat?", "Kovacs"),
    (
        "Backups run every night at two to the disk in the cellar.",
        "Where are copies of my files kept in case the laptop dies?",
        "cellar",
    ),
    (
        "Never work on the main branch; open a pull request.",
        "How should I bring my changes into the repository?",
        "pull request",
    ),
    (
        "Our dog Bruno is afraid of fireworks.",
        "What should we think of for the pet on New Year's Eve?",
        "afraid",
    ),
    ("The boiler is serviced by Ms. Okafor.", "Who repairs the heating?", "Okafor"),
    ("The alarm code of the office is in the safe.", "How do I switch off the siren at work?", "safe"),
    ("Die Oma wohnt im dritten Stock.", "Auf welcher Etage lebt die Großmutter?", "dritten"),
    ("Der Müll wird am Mittwoch abgeholt.", "Wann muss die Tonne an die Straße?", "Mittwoch"),
    ("Unser Zahnarzt heißt Dr. Petrovic.", "Wer kümmert sich um die Zähne der Familie?", "Petrovic"),
    ("Das Auto steht in der Garage hinter dem Haus.", "Wo ist der Wagen geparkt?", "Garage"),
    (
        "Die Rechnung vom Klempner zahlt die Versicherung.",
        "Wer kommt für die Reparatur der Rohre auf?",
        "Versicherung",
    ),
    ("Lea lernt seit zwei Jahren Geige.", "Welches Instrument spielt das Mädchen?", "Geige"),
    ("Reports are read by Ms. Silva before they go out.", "Who has to check the summary first?", "Silva"),
];

/// Each was told in a task of its own, in another folder.
async fn told_weeks_ago(world: &World) {
    let store = Store::open(&world.home.path()).unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64;
    for (number, (said, ..)) in PAIRS.iter().enumerate() {
        let id = TaskId::new(format!("t-then-{number}"));
        let spec = TaskSpec {
            id: id.clone(),
            session: SessionId::new(format!("s-then-{number}")),
            goal: (*said).to_owned(),
            profile: "general".to_owned(),
            backend: "openai_compatible".to_owned(),
            model: None,
            workspace: format!("/elsewhere/{number}"),
            scope: Scope::default(),
            limits: Limits::default(),
            standing_consent: None,
        };
        let created = TaskEvent::Created(Created { spec, notice: None });
        let ended = TaskEvent::Stopped(Stopped { reason: StopReason::Completed, summary: String::new() });
        store.append(&id, now - WEEKS_MS, vec![created, ended]).await.unwrap();
    }
}

#[tokio::test]
async fn what_was_told_weeks_ago_is_known_when_it_is_needed() {
    let world = World::new((0..PAIRS.len()).map(|_| Turn::recite()));
    told_weeks_ago(&world).await;
    let embedded = world.say(&["memory", "rebuild", "--wait"]);
    assert_eq!(embedded.code, Some(0), "{embedded:?}");
    let mut missed = Vec::new();
    for (number, (said, asked, holds)) in PAIRS.iter().enumerate() {
        // Each in a folder of its own: what the model repeats stays there, and answers no other question.
        let folder = world.home.root().join(format!("now-{number}"));
        std::fs::create_dir(&folder).unwrap();
        let run = world.json(&["run", asked, "--in", folder.to_str().unwrap()]);
        let answer = stopped(&run.events().unwrap()).summary;
        if !answer.contains(holds) {
            missed.push(format!("{said} / {asked}: {answer}"));
        }
    }
    assert!(missed.is_empty(), "{} of {}: {missed:#?}", missed.len(), PAIRS.len());
}
