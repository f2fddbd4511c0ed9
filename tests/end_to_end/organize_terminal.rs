//! Organizing at a terminal: a convention is picked, or none, and the plan is approved there.

use crate::organize::{age, exists};
use crate::support::World;
use crate::terminal::Person;

const CONVENTION: &str = "Enter to keep names > ";
const PROMPT: &str = "[?] > ";

fn untidy() -> World {
    let world = World::new([]);
    for name in ["My First Song.mp3", "My Second Song.mp3", "Old_table.csv"] {
        world.home.write(name, name).unwrap();
    }
    age(&world);
    world
}

#[test]
fn a_convention_is_picked_by_its_number_or_by_an_example() {
    for (typed, expected) in [("2", None), ("lower_case", Some("Audio/my_first_song.mp3"))] {
        let world = untidy();
        let mut person = Person::at(&world, &["organize", ".", "--backend", "offline"]);
        let shown = person.sees(CONVENTION);
        let second = shown.lines().find_map(|line| line.trim().strip_prefix("2  ")).unwrap().to_owned();
        for wrong in ["7", "camelCase"] {
            person.types(wrong);
            let told = person.sees(CONVENTION);
            assert!(told.contains(&format!("{wrong:?}")), "{told}");
        }
        person.types(typed);
        person.sees(PROMPT);
        person.presses("y");
        let (rest, code) = person.leaves();
        assert_eq!(code, 0, "{rest}");
        match expected {
            Some(path) => assert!(exists(&world, path), "{path}"),
            None => {
                // `PATTERN  BEFORE -> AFTER  (...)`: the example came true.
                let after = second.split(" -> ").nth(1).unwrap().split("  (").next().unwrap().trim();
                let found = ["Audio", "Spreadsheets"].map(|kind| exists(&world, &format!("{kind}/{after}")));
                assert!(found.contains(&true), "{after} of {second}");
            }
        }
        assert!(!exists(&world, "My First Song.mp3"));
    }
}

#[test]
fn enter_keeps_names_and_scripts_are_not_asked() {
    let world = untidy();
    let mut person = Person::at(&world, &["organize", ".", "--backend", "offline"]);
    person.sees(CONVENTION);
    person.types("");
    person.sees(PROMPT);
    person.presses("y");
    assert_eq!(person.leaves().1, 0);
    assert!(exists(&world, "Audio/My First Song.mp3") && exists(&world, "Spreadsheets/Old_table.csv"));

    let world = untidy();
    let mut person = Person::at(&world, &["organize", ".", "--backend", "offline", "--convention", "none"]);
    let shown = person.sees(PROMPT);
    assert!(!shown.contains("Names could follow"), "{shown}");
    person.presses("n");
    person.sees("Why not?");
    person.types("");
    assert_eq!(person.leaves().1, 3);
    assert!(exists(&world, "My First Song.mp3"));

    let run = world.say(&["organize", ".", "--backend", "offline", "--yes", "medium"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(exists(&world, "Audio/My First Song.mp3"), "{run:?}");
}
