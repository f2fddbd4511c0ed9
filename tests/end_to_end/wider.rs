//! The yes for the folder at the command line: taken by name, listed, ended, and refused where it is not offered.

use crate::support::{World, requests, shell, write};
use deputy_protocol::{GrantRule, PermissionRequest};
use deputy_testkit::{Finished, Turn};

fn asked(run: &Finished) -> PermissionRequest {
    assert_eq!(run.code, Some(4), "{run:?}");
    requests(&run.events().unwrap()).pop().unwrap()
}

#[test]
fn approve_for_folder_lets_the_task_work_until_it_is_taken_back() {
    let world = World::new([
        shell("for i in 1 2; do echo $i >> a.txt; done"),
        write("b.txt", "b\n"),
        shell("rm .env"),
        shell("cat <<'EOF' > c.txt\nc\nEOF"),
        Turn::text("Done."),
    ]);
    world.home.write(".env", "KEY=x").unwrap();
    let request = asked(&world.json(&["run", "work"]));
    let folder = |rule: &Option<GrantRule>| matches!(rule, Some(GrantRule::Folder(_)));
    assert!(request.offered.iter().any(|offer| folder(&offer.rule)), "{request:#?}");
    let narrow = world.say(&["approve", request.id.as_str(), "--for", "task"]);
    assert!(narrow.code == Some(2) && narrow.stderr.contains("--for folder: Work in"), "{narrow:?}");

    let approve = world.say(&["approve", request.id.as_str(), "--for", "folder"]);
    assert_eq!(approve.code, Some(0), "{approve:?}");
    let request = asked(&world.json(&["follow", "last"]));
    assert_eq!(request.details.command.as_deref(), Some("rm .env"));
    assert_eq!(world.home.read("a.txt").unwrap(), "1\n2\n");
    assert_eq!(world.home.read("b.txt").unwrap(), "b\n");
    let none = world.say(&["approve", request.id.as_str(), "--for", "folder"]);
    assert_eq!(none.code, Some(2), "a high risk asks each time: {none:?}");

    let listed = world.say(&["policy", "grants"]);
    assert!(listed.stdout.contains("work in"), "{listed:?}");
    let status = world.say(&["status"]).stdout;
    let says = format!("works in {} without asking, for this task", world.home.workspace().display());
    assert!(status.contains(&says), "{status}");
    assert!(world.say(&["follow", "last"]).stdout.contains("without asking, for this task"));
    // The command that is shown takes it back.
    let command = status.lines().find_map(|line| line.trim().strip_suffix("  takes it back")).unwrap();
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    assert_eq!(words[..3], ["policy", "grants", "revoke"], "{status}");
    let revoked = world.say(&words);
    assert_eq!(revoked.code, Some(0), "{revoked:?}");
    let status = world.say(&["status"]).stdout;
    assert!(!status.contains("without asking"), "{status}");
    assert_eq!(world.say(&["approve", request.id.as_str()]).code, Some(0));
    let request = asked(&world.json(&["follow", "last"]));
    assert!(request.details.command.unwrap().starts_with("cat <<"), "it was taken back");
}

#[test]
fn wider_is_refused_where_nothing_wider_is_offered() {
    let world = World::new([shell("rm .env"), Turn::text("Done.")]);
    world.home.write(".env", "KEY=x").unwrap();
    let request = asked(&world.json(&["run", "it"]));
    assert!(request.offered.iter().all(|offer| !offer.wider), "{request:#?}");
    for lifetime in ["once", "task", "always"] {
        let approve = world.say(&["approve", request.id.as_str(), "--for", lifetime, "--wider"]);
        assert!(approve.code != Some(0) && approve.stderr.contains("--wider"), "{approve:?}");
    }
    assert_eq!(world.say(&["approve", request.id.as_str()]).code, Some(0), "it still waits");
}
