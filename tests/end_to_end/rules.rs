//! `rules.toml` and what was remembered, through the built binary: read by the host, read again, explained and ended.

use crate::hosts::serve;
use crate::support::{World, requests, results, shell, value, verdicts, write};
use deputy_protocol::{CallStatus, Decision, Grant};
use deputy_testkit::{Finished, TempHome, Turn};
use serde_json::{Value, json};

/// A rule that allows one command that nobody knows.
const ALLOWS: &str = "[[rule]]\neffect = \"allow\"\nargv = [\"touch\", \"a.txt\"]\n";

fn set_rules(home: &TempHome, text: &str) {
    std::fs::write(home.path().join("rules.toml"), text).unwrap();
}

fn lines(finished: &Finished) -> Vec<Value> {
    finished.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn explain_holds_a_rule_against_the_time_and_the_folder_and_knows_the_hosts() {
    let world = World::new([]);
    let decision = || {
        let explained = world.json(&["policy", "explain", "touch a.txt"]);
        assert_eq!(explained.code, Some(0), "{explained:?}");
        value(&explained)["decision"].clone()
    };
    set_rules(&world.home, ALLOWS);
    assert_eq!(decision(), "allow");
    set_rules(&world.home, &format!("{ALLOWS}expires = 2020-01-01\n"));
    assert_eq!(decision(), "ask", "a rule that is over allows nothing");
    set_rules(&world.home, &format!("{ALLOWS}expires = 2999-01-01\nwithin = \"/elsewhere\"\n"));
    assert_eq!(decision(), "ask");
    set_rules(&world.home, "[[rule]]\n");
    assert_eq!(decision(), "ask");

    std::fs::remove_file(world.home.path().join("rules.toml")).unwrap();
    let words = world.say(&["policy", "explain", "rm -rf ~; ls"]);
    assert_eq!(words.code, Some(0), "{words:?}");
    assert!(words.stdout.starts_with("deny, risk high") && words.stdout.contains("  allow ls"), "{words:?}");
    let wrong = world.json(&["policy", "explain", "ls", "--in", "not-there"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

#[test]
fn rules_are_listed_and_checked_one_a_line() {
    let world = World::new([]);
    let none = world.json(&["policy", "rules"]);
    assert_eq!((none.code, none.stdout.as_str()), (Some(0), ""));
    assert!(world.say(&["policy", "rules"]).stdout.contains("No rules yet"));

    let text = format!("{ALLOWS}[[rule]]\neffect = \"deny\"\ntool = \"url\"\npattern = \"http://.*\"\n");
    set_rules(&world.home, &text);
    let file = world.home.path().join("rules.toml");
    for args in [&["policy", "rules"][..], &["policy", "rules", "test", file.to_str().unwrap()]] {
        let listed = lines(&world.json(args));
        assert_eq!(
            listed,
            [
                json!({"line": 1, "effect": "allow", "tool": "shell", "argv": ["touch", "a.txt"]}),
                json!({"line": 4, "effect": "deny", "tool": "url", "pattern": "^(?:http://.*)$"}),
            ]
        );
        let told = world.say(args).stdout;
        assert!(told.contains("line 1: allow shell touch") && told.contains("2 rules"), "{told}");
    }

    set_rules(&world.home, &format!("{ALLOWS}examples = {{ match = [\"touch b\"] }}\n"));
    let broken = world.say(&["policy", "rules"]);
    assert_eq!(broken.code, Some(1), "{broken:?}");
    assert!(broken.stderr.contains("rules.toml:1: the rule should match `touch b`"), "{}", broken.stderr);
    assert_eq!(world.say(&["policy", "rules", "test", "/not/there.toml"]).code, Some(2));
}

#[test]
fn the_rules_of_a_home_hold_in_the_host_and_a_broken_file_makes_everything_ask() {
    let world = World::new([shell("touch a.txt"), shell("ls"), Turn::text("Done.")]);
    set_rules(&world.home, &format!("{ALLOWS}[[rule]]\neffect = \"deny\"\nargv = [\"ls\"]\n"));
    let run = world.json(&["run", "count"]);
    let events = run.events().unwrap();
    let statuses: Vec<CallStatus> = results(&events).iter().map(|result| result.status).collect();
    assert_eq!(statuses, [CallStatus::Ok, CallStatus::Denied], "{run:?}");
    assert_eq!(requests(&events), []);

    let world = World::new([shell("ls"), Turn::text("Done.")]);
    set_rules(&world.home, "[[rule]]\neffect = \"perhaps\"\n");
    let run = world.json(&["run", "look"]);
    assert_eq!(run.code, Some(4), "{run:?}");
    let verdict = verdicts(&run.events().unwrap()).remove(0);
    assert_eq!(verdict.decision, Decision::Ask);
    assert!(
        verdict.reasons.iter().any(|reason| reason.contains("The rules file is not valid")),
        "{verdict:?}"
    );
}

#[test]
fn a_host_that_runs_reads_the_rules_again_when_they_change() {
    let world = World::new([
        shell("touch a.txt"),
        Turn::text("Done."),
        shell("touch a.txt"),
        Turn::text("Done."),
        shell("touch a.txt"),
    ]);
    let host = serve(&world);
    let statuses = |run: &Finished| -> Vec<CallStatus> {
        results(&run.events().unwrap()).iter().map(|result| result.status).collect()
    };
    set_rules(&world.home, ALLOWS);
    let allowed = world.json(&["run", "count"]);
    assert_eq!(statuses(&allowed), [CallStatus::Ok], "{allowed:?}");
    set_rules(&world.home, &ALLOWS.replace("allow", "deny"));
    let denied = world.json(&["run", "count"]);
    assert_eq!(statuses(&denied), [CallStatus::Denied], "{denied:?}");
    std::fs::remove_file(world.home.path().join("rules.toml")).unwrap();
    let asked = world.json(&["run", "count"]);
    assert_eq!(asked.code, Some(4), "{asked:?}");
    host.signal(rustix::process::Signal::TERM).unwrap();
    host.wait().unwrap();
}

#[test]
fn what_was_remembered_is_listed_and_ended_also_when_its_folder_is_gone() {
    let world = World::new([
        write("a.txt", "1\n"),
        Turn::text("Done."),
        write("a.txt", "2\n"),
        Turn::text("Done."),
        write("a.txt", "3\n"),
    ]);
    let folder = world.home.workspace().join("sub");
    std::fs::create_dir(&folder).unwrap();
    let count = || world.json(&["run", "count", "--in", folder.to_str().unwrap()]);
    let run = count();
    let request = requests(&run.events().unwrap()).remove(0);
    assert_eq!(world.say(&["approve", request.id.as_str(), "--for", "always"]).code, Some(0));
    assert_eq!(world.json(&["follow", "last"]).code, Some(0));
    let again = count();
    assert_eq!(requests(&again.events().unwrap()), [], "it is remembered");

    let listed = world.json(&["policy", "grants"]);
    let grant: Grant = serde_json::from_str(listed.stdout.trim()).unwrap();
    assert!(world.say(&["policy", "grants"]).stdout.contains("a.txt"));
    // A folder that is gone keeps nobody from ending what was remembered for it.
    std::fs::remove_dir_all(&folder).unwrap();
    let gone = count();
    assert!(gone.code != Some(0) && gone.stdout.contains("error"), "{gone:?}");
    let revoked = world.say(&["policy", "grants", "revoke", grant.id.as_str()]);
    assert_eq!(revoked.code, Some(0), "{revoked:?}");
    assert!(world.say(&["policy", "grants"]).stdout.contains("No saved permissions"));
    std::fs::create_dir(&folder).unwrap();
    assert_eq!(count().code, Some(4), "it is asked again");
}
