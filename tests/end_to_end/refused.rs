//! Machines that forbid what walls are made of: the first commands of a task work all the same, or nothing runs and the
//! request and `deputy doctor` say what is missing. Each refusal really happens, by a filter around Deputy and all it starts.

use crate::support::{World, requests, results, shell};
use deputy_protocol::CallStatus;
use deputy_testkit::Turn;
use deputy_testkit::refused::{FEATURES, refuse};

const REFUSED: &str = "DEPUTY_TEST_REFUSED";
const EPERM: i32 = 1;
const ENOSYS: i32 = 38;

/// In a process of its own, which takes the refusals with it.
fn a_first_task(refused: &str) {
    let (features, errno) = refused.split_once(' ').unwrap();
    let errno = errno.parse().unwrap();
    features.split('+').for_each(|feature| refuse(feature, errno).unwrap());
    let has = |feature: &str| features.split('+').any(|refused| refused == feature);
    let has_mounts = !has("namespaces") && !has("mounts");
    let may_read = has_mounts || !has("landlock");
    let may_write = has_mounts || !has("landlock") && !has("notification");

    let world = World::new([shell("cat notes.txt"), shell("sh check.sh"), Turn::text("All done.")]);
    let check = "echo works > made.txt\ncat .env\necho '[evil]' >> .git/config\ntrue\n";
    for (path, text) in [
        ("notes.txt", "hello\n"),
        ("check.sh", check),
        (".env", "KEY=the-secret-word\n"),
        (".git/config", "[core]\n"),
    ] {
        world.home.write(path, text).unwrap();
    }
    let end = world.json(&["run", "work", "--yes", "medium"]);
    let doctor = world.json(&["doctor"]).stdout;
    let told = format!("{refused}: {end:?}\n{doctor}");
    let events = end.events().unwrap();
    let [cat, check] = results(&events).try_into().unwrap_or_else(|_| panic!("{told}"));

    assert_eq!(cat.content.contains("hello"), may_read, "{told}");
    assert_eq!(check.status == CallStatus::Ok, may_write, "{told}");
    assert_eq!(world.home.read("made.txt").is_ok(), may_write, "{told}");
    // Whatever ran, ran behind walls.
    assert!(!end.stdout.contains("the-secret-word"), "{told}");
    assert_eq!(world.home.read(".git/config").unwrap(), "[core]\n", "{told}");
    // What did not run says why, and what to look at.
    for result in [&cat, &check] {
        let is_told = result.content.contains("nothing was run") && result.content.contains("deputy doctor");
        assert!(result.status == CallStatus::Ok || is_told, "{told}");
    }
    // Where nothing is left, even what is harmless asks, with the reason.
    let asked = requests(&events);
    let reason =
        asked.iter().flat_map(|request| &request.reasons).any(|reason| reason.contains("has no sandbox"));
    assert_eq!(reason, !may_read, "{told}");
    // Covers keep less than the warden does, and the request of what writes says so.
    let said = |request: &deputy_protocol::PermissionRequest| {
        request
            .reasons
            .iter()
            .any(|reason| reason.contains("could create files that make git run other code"))
    };
    let is_weaker = has_mounts && has("notification");
    assert_eq!(asked.iter().filter(|request| said(request)).count(), usize::from(is_weaker), "{told}");
    for (feature, word) in [
        ("landlock", "Landlock"),
        ("notification", "notification"),
        ("namespaces", "bubblewrap"),
        ("mounts", "bubblewrap"),
    ] {
        assert!(!has(feature) || doctor.contains(word), "{told}");
    }
}

#[test]
fn a_machine_without_some_walls_works_or_says_what_is_missing() {
    const TEST: &str = "refused::a_machine_without_some_walls_works_or_says_what_is_missing";
    if let Ok(refused) = std::env::var(REFUSED) {
        return a_first_task(&refused);
    }
    let all = FEATURES.join("+");
    let pairs = ["namespaces+notification", "landlock+notification", "namespaces+landlock", &all];
    for features in FEATURES.iter().copied().chain(pairs) {
        for errno in [EPERM, ENOSYS] {
            let mut again = std::process::Command::new(std::env::current_exe().unwrap());
            again.args(["--exact", TEST, "--nocapture"]).env(REFUSED, format!("{features} {errno}"));
            let output = again.output().unwrap();
            let told = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && told.contains("1 passed"), "{told}");
        }
    }
}
