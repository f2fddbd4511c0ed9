//! The wider of two offers: taken at the command line and at the prompt, shown before, remembered as far as it says.

use crate::support::{World, requests, shell, value};
use crate::terminal::Person;
use deputy_protocol::{GrantRule, PermissionRequest};
use deputy_testkit::{Finished, Turn};

const PROMPT: &str = "[?] > ";

/// Tasks of one command each.
fn world(commands: &[&str]) -> World {
    World::new(commands.iter().flat_map(|command| [shell(command), Turn::text("Done.")]))
}

fn asked(run: &Finished) -> PermissionRequest {
    assert_eq!(run.code, Some(4), "{run:?}");
    requests(&run.events().unwrap()).remove(0)
}

#[test]
fn approve_wider_remembers_plain_words_and_no_option() {
    let commands = ["touch a.txt", "touch b.txt docs/c.txt", "touch -r a.txt d.txt", "touch ../e.txt"];
    let world = world(&[&commands[..], &["touch f.txt"]].concat());
    world.home.write("docs/readme", "").unwrap();
    let request = asked(&world.json(&["run", "first"]));
    let wider = request.offered.iter().find(|offer| offer.wider).expect("a wider one is offered");
    assert!(matches!(&wider.rule, Some(GrantRule::Argv(rule)) if rule.prefix && rule.argv == ["touch"]));

    let approve = world.json(&["approve", request.id.as_str(), "--for", "always", "--wider"]);
    assert_eq!(approve.code, Some(0), "{approve:?}");
    assert_eq!(world.json(&["follow", "last"]).code, Some(0));
    assert!(world.home.read("a.txt").is_ok());

    let run = world.json(&["run", "second"]);
    assert_eq!(run.code, Some(0), "further names run unasked: {run:?}");
    assert!(requests(&run.events().unwrap()).is_empty());
    assert!(world.home.read("b.txt").is_ok() && world.home.read("docs/c.txt").is_ok());

    for goal in ["third", "fourth"] {
        let request = asked(&world.json(&["run", goal]));
        assert_eq!(world.say(&["deny", request.id.as_str()]).code, Some(0));
        world.say(&["follow", "last"]);
    }
    assert!(world.home.read("d.txt").is_err() && world.home.read("../e.txt").is_err());

    let grant = value(&world.json(&["policy", "grants"]));
    let revoked = world.say(&["policy", "grants", "revoke", grant["id"].as_str().unwrap()]);
    assert_eq!(revoked.code, Some(0), "{revoked:?}");
    assert_eq!(asked(&world.json(&["run", "fifth"])).details.command.as_deref(), Some("touch f.txt"));
}

#[test]
fn wider_is_refused_where_nothing_wider_is_offered() {
    let world = world(&["python3 x.py"]);
    world.home.write("x.py", "").unwrap();
    let request = asked(&world.json(&["run", "it"]));
    assert!(request.offered.iter().all(|offer| !offer.wider), "{request:#?}");
    for lifetime in ["once", "task", "always"] {
        let approve = world.say(&["approve", request.id.as_str(), "--for", lifetime, "--wider"]);
        assert!(approve.code != Some(0) && approve.stderr.contains("--wider"), "{approve:?}");
    }
    assert_eq!(world.say(&["approve", request.id.as_str()]).code, Some(0), "it still waits");
}

#[test]
fn what_more_is_offered_at_the_prompt_is_shown_asked_again_and_remembered() {
    let world = world(&["mkdir a", "mkdir b", "mkdir -m 700 c"]);
    let mut person = Person::at(&world, &["run", "first"]);
    person.sees(PROMPT);
    person.presses("a");
    let offers = person.sees("or Esc > ");
    let wide =
        offers.lines().find(|line| line.contains("any further names") && line.trim().ends_with("always"));
    let key = wide.unwrap_or_else(|| panic!("{offers}")).trim()[..1].to_owned();
    person.presses(&key);
    person.sees("In the last 30 days");
    person.sees("Save this answer?");
    person.presses("n");
    person.sees("Nothing was saved");
    person.sees(PROMPT);
    person.presses("a");
    person.sees("or Esc > ");
    person.presses(&key);
    person.sees("Save this answer?");
    person.presses("y");
    let (rest, code) = person.leaves();
    assert_eq!(code, 0, "{rest}");

    let (rest, code) = Person::at(&world, &["run", "second"]).leaves();
    assert!(code == 0 && !rest.contains("Approve?"), "{rest}");
    assert!(world.home.workspace().join("b").is_dir());

    let mut person = Person::at(&world, &["run", "third"]);
    person.sees(PROMPT);
    person.presses("n");
    person.sees("Why not?");
    person.types("");
    assert_eq!(person.leaves().1, 3);
    assert!(!world.home.workspace().join("c").exists());
}
