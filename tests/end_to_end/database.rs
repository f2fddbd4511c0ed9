//! A home that cannot be used as it is: read-only, full, damaged, or from a newer version. Nothing in it is harmed.

use crate::support::{World, ask, stopped};
use deputy_testkit::{Finished, Turn, deputy_binary};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// A home with one finished task, closed.
fn used(turns: &[&str]) -> World {
    let world = World::new(turns.iter().map(|text| Turn::text(text)));
    assert_eq!(world.json(&["run", "first"]).code, Some(0));
    world
}

/// The error of `deputy run`, as people read it: message and hints.
fn refused(world: &World) -> String {
    let run = world.say(&["run", "second"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{run:?}");
    run.stderr
}

fn sh(script: &str) {
    let done = Finished::of({
        let mut command = Command::new("/bin/sh");
        command.args(["-euc", script]);
        command
    });
    let done = done.unwrap();
    assert_eq!(done.code, Some(0), "{script}: {done:?}");
}

/// The commands of a message: its indented lines.
fn commands(message: &str) -> Vec<String> {
    let indented = message.lines().filter(|line| line.starts_with("  "));
    indented.map(|line| line.trim().to_owned()).filter(|line| line.starts_with("mkdir")).collect()
}

/// Every file that was set aside.
fn set_aside(home: &Path) -> Vec<Vec<u8>> {
    let folders = std::fs::read_dir(home).unwrap().flatten().map(|entry| entry.path());
    let damaged = folders.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with("damaged-"));
    damaged.filter_map(|folder| std::fs::read(folder.join("deputy.db")).ok()).collect()
}

#[test]
fn a_damaged_database_is_left_alone_and_the_commands_of_the_message_set_it_aside() {
    let world = used(&["one", "two", "three"]);
    let database = world.home.path().join("deputy.db");
    let sound = std::fs::read(&database).unwrap();
    let damaged = b"this is no database ".repeat(sound.len() / 20);
    std::fs::write(&database, &damaged).unwrap();

    let message = refused(&world);
    assert!(message.contains("is damaged") && message.contains("left exactly as it is"), "{message}");
    assert_eq!(refused(&world).matches("is damaged").count(), 1, "a second try changes nothing");
    assert_eq!(std::fs::read(&database).unwrap(), damaged);
    let [begin_empty] = &commands(&message)[..] else { panic!("one command: {message}") };
    sh(begin_empty);
    let run = world.json(&["run", "second"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(set_aside(&world.home.path()), std::slice::from_ref(&damaged), "kept aside as it was");

    // With a backup the first command continues from it.
    let backups = world.home.path().join("backups");
    std::fs::create_dir_all(&backups).unwrap();
    std::fs::write(backups.join("deputy.db-20260101.db"), &sound).unwrap();
    std::fs::write(&database, &damaged).unwrap();
    let message = refused(&world);
    let [restore, _] = &commands(&message)[..] else { panic!("two commands: {message}") };
    sh(restore);
    assert_eq!(world.task().goal, "first", "the journal of the backup");
    assert_eq!(set_aside(&world.home.path()).len(), 2);
    let run = world.json(&["run", "third"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(stopped(&run.events().unwrap()).summary, "three");
}

#[test]
fn a_page_that_was_damaged_is_found_by_doctor() {
    let world = used(&["one"]);
    let database = world.home.path().join("deputy.db");
    let mut bytes = std::fs::read(&database).unwrap();
    // The header and the schema stay: only looking closely finds it.
    let half = bytes.len() / 2;
    bytes[half..].fill(0x5a);
    std::fs::write(&database, &bytes).unwrap();
    let doctor = world.say(&["doctor"]);
    assert_eq!(doctor.code, Some(1), "{doctor:?}");
    assert!(doctor.stdout.contains("damaged"), "{}", doctor.stdout);
}

#[test]
fn a_database_of_a_newer_version_is_not_touched() {
    let world = used(&["one", "two"]);
    let database = world.home.path().join("deputy.db");
    let mut bytes = std::fs::read(&database).unwrap();
    // The format's number is at offset 60 of the header of an SQLite file.
    let format = bytes[60..64].to_owned();
    bytes[60..64].copy_from_slice(&900_u32.to_be_bytes());
    std::fs::write(&database, &bytes).unwrap();
    let message = refused(&world);
    for words in ["newer Deputy", "format 900", "update Deputy", "--home"] {
        assert!(message.contains(words), "{words} is missing: {message}");
    }
    assert_eq!(std::fs::read(&database).unwrap(), bytes);
    bytes[60..64].copy_from_slice(&format);
    std::fs::write(&database, &bytes).unwrap();
    assert_eq!(world.json(&["run", "second"]).code, Some(0));
}

/// Says that this machine lets no test mount anything; without it a test that cannot fails.
const WITHOUT_MOUNTS: &str = "DEPUTY_TEST_WITHOUT_MOUNTS";

/// The home becomes a disk of 8 MB; `serve` starts a host, `fill` leaves no space.
const SMALL_DISK: &str = r#"
        cp "$DEPUTY_HOME/config.toml" "$HOME"
        mount -t tmpfs -o size=8m,mode=700 none "$DEPUTY_HOME"
        cp "$HOME/config.toml" "$DEPUTY_HOME"
        serve() {
            "$0" serve > "$HOME/serve" 2>&1 &
            host=$!
            until grep -q . "$HOME/serve"; do :; done
        }
        fill() { dd if=/dev/zero of="$DEPUTY_HOME/fill" bs=4096 2>/dev/null || true; }
"#;

/// Runs a script where it can mount what nobody else sees; `None` where this user may not, and anyone who runs the tests
/// said that this is known.
fn privately(world: &World, script: &str) -> Option<Finished> {
    let ways: [&[&str]; 2] = [&["-m"], &["-rm"]];
    let may = |way: &&&[&str]| {
        let mut probe = Command::new("unshare");
        probe.args(**way).args(["mount", "-t", "tmpfs", "none"]).arg(world.home.user());
        Finished::of(probe).is_ok_and(|done| done.code == Some(0))
    };
    let Some(way) = ways.iter().find(may) else {
        assert!(
            std::env::var_os(WITHOUT_MOUNTS).is_some(),
            "this test needs to mount in a namespace of its own (`unshare -rm`), which this machine forbids; \
             set {WITHOUT_MOUNTS}=1 to leave it out"
        );
        println!("LEFT OUT, since {WITHOUT_MOUNTS} is set: nothing was mounted");
        return None;
    };
    let mut command = world.home.deputy().unwrap();
    let variables: Vec<_> =
        command.get_envs().map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned))).collect();
    command = Command::new("unshare");
    command.args(*way).args(["sh", "-euc", script]).arg(deputy_binary().unwrap());
    command.env_clear().envs(variables.into_iter().filter_map(|(name, value)| Some((name, value?))));
    command.current_dir(world.home.workspace());
    Some(Finished::of(command).unwrap())
}

/// As [`privately`], on a disk that is soon full.
fn on_a_small_disk(world: &World, script: &str) -> Option<Finished> {
    privately(world, &format!("{SMALL_DISK}{script}"))
}

#[test]
fn a_full_disk_keeps_every_memory_and_every_passage() {
    let world = World::new([]);
    let script = r#"
        mkdir "$HOME/notes"; echo "The boiler is loud." > "$HOME/notes/a.md"
        "$0" memory add "The first fact." > /dev/null
        "$0" memory index "$HOME/notes" > /dev/null
        fill
        for args in "add second" "prune --kind facts --keep 0 --apply" "index $HOME/notes --drop" "rebuild"; do
            code=0; "$0" memory $args || code=$?
            echo "code $code"
        done
        rm "$DEPUTY_HOME/fill"
        "$0" memory search --newest fact
        "$0" memory search boiler
        "$0" memory add "The third fact."
        "$0" memory stats
        "$0" doctor | grep database"#;
    if let Some(tried) = on_a_small_disk(&world, script) {
        assert_eq!(tried.code, Some(0), "{tried:?}");
        assert!(tried.stdout.contains("code 1") && tried.stderr.contains("is full"), "{tried:?}");
        for there in
            ["The first fact.", "The boiler is loud.", "2 memories", "1 passage,", "database is sound"]
        {
            assert!(tried.stdout.contains(there), "{there}: {tried:?}");
        }
    }
}

#[test]
fn a_read_only_home_is_named_and_nothing_is_lost() {
    let world = used(&["one", "two"]);
    let script = r#"
        mount --bind "$DEPUTY_HOME" "$DEPUTY_HOME"
        mount -o remount,bind,ro "$DEPUTY_HOME"
        for args in "run second" tasks "answer q0 yes"; do
            code=0; "$0" $args || code=$?
            echo "code $code"
        done"#;
    if let Some(tried) = privately(&world, script) {
        assert_eq!(tried.stdout, "code 1\ncode 1\ncode 1\n", "{tried:?}");
        let home = world.home.path();
        let named = tried.stderr.matches(home.to_str().unwrap()).count();
        assert!(named >= 3 && tried.stderr.matches("--home DIR").count() == 3, "{tried:?}");
    }
    let run = world.json(&["run", "second"]);
    assert_eq!(stopped(&run.events().unwrap()).summary, "two");
}

#[test]
fn a_full_disk_is_said_and_the_task_goes_on_once_there_is_space() {
    let world = World::new([Turn::text("one"), Turn::text("two")]);
    let script = r#"
        "$0" run first
        fill
        code=0; "$0" run second || code=$?
        echo "code $code"
        rm "$DEPUTY_HOME/fill"
        "$0" --json run third
        "$0" tasks
        "$0" doctor | grep database"#;
    if let Some(tried) = on_a_small_disk(&world, script) {
        assert_eq!(tried.code, Some(0), "{tried:?}");
        assert!(tried.stdout.contains("code 1"), "{tried:?}");
        assert!(tried.stderr.contains("is full") && tried.stderr.contains("Free some space"), "{tried:?}");
        assert!(tried.stdout.contains("third") && tried.stdout.contains("first"), "{tried:?}");
        assert!(tried.stdout.contains("the database is sound"), "{tried:?}");
    }
}

#[test]
fn a_task_whose_disk_fills_up_in_the_middle_goes_on_by_itself_once_there_is_space() {
    // The plan that is asked for while the journal cannot be written is not used, and asked for again.
    let sleep = Turn::call("shell", json!({"command": "sleep 5"}));
    let world = World::new([sleep, Turn::text("unused"), Turn::text("done")]);
    let script = r#"
        serve
        : > "$HOME/run"
        "$0" --json run first >> "$HOME/run" &
        until grep -q tool_started "$HOME/run"; do :; done
        fill
        until grep -q "cannot continue" "$HOME/serve"; do :; done
        rm "$DEPUTY_HOME/fill"
        wait $!
        tail -n 1 "$HOME/run"
        kill $host
        wait"#;
    if let Some(tried) = on_a_small_disk(&world, script) {
        assert_eq!(tried.code, Some(0), "{tried:?}");
        let last: Value = serde_json::from_str(&tried.stdout).unwrap();
        let event = &last["record"]["event"];
        assert_eq!([&event["type"], &event["reason"], &event["summary"]], ["stopped", "completed", "done"]);
    }
}

#[test]
fn a_disk_that_fills_up_under_a_host_refuses_an_answer_that_counts_once_there_is_space() {
    let world = World::new([ask("Good?"), Turn::text("done")]);
    let script = r#"
        serve
        code=0; "$0" run first > "$HOME/run" || code=$?
        echo "code $code"
        question=$(sed -n 's/.*deputy answer \([^ ]*\) .*/\1/p' "$HOME/run" | head -n 1)
        fill
        for args in "answer $question yes" "steer last more"; do
            code=0; "$0" $args || code=$?
            echo "code $code"
        done
        rm "$DEPUTY_HOME/fill"
        "$0" answer "$question" yes
        "$0" --json follow last
        kill $host
        wait"#;
    if let Some(tried) = on_a_small_disk(&world, script) {
        assert_eq!(tried.code, Some(0), "{tried:?}");
        assert!(
            tried.stdout.starts_with("code 4\ncode 1\ncode 1\n"),
            "neither is said to be done: {tried:?}"
        );
        assert_eq!(tried.stderr.matches("Free some space").count(), 2, "{tried:?}");
        assert!(!tried.stdout.contains("steered") && tried.stdout.contains("completed"), "{tried:?}");
    }
}

#[test]
fn ctrl_c_leaves_a_task_that_cannot_note_down_that_it_ends() {
    let world = World::new([ask("Good?"), Turn::text("done")]);
    // Ctrl-C again and again, as a person does it: before it is heard for the first time it counts for nothing.
    let script = r#"
        serve
        "$0" run first > "$HOME/run" || true
        question=$(sed -n 's/.*deputy answer \([^ ]*\) .*/\1/p' "$HOME/run" | head -n 1)
        fill
        : > "$HOME/followed"
        "$0" --json follow last >> "$HOME/followed" &
        until grep -q question_asked "$HOME/followed"; do :; done
        while grep -qs "^State:[[:space:]]*[^Z]" /proc/$!/status; do kill -INT $! 2>/dev/null || true; done
        code=0; wait $! || code=$?
        echo "code $code"
        tail -n 1 "$HOME/followed"
        rm "$DEPUTY_HOME/fill"
        "$0" answer "$question" yes > "$HOME/answered"
        "$0" --json follow last | tail -n 1
        kill $host
        wait"#;
    if let Some(tried) = on_a_small_disk(&world, script) {
        let lines: Vec<&str> = tried.stdout.lines().collect();
        let [code, left, end] = lines[..] else { panic!("three lines: {tried:?}") };
        assert_eq!(code, "code 1", "{tried:?}");
        assert!(left.contains("Free some space") && left.contains("deputy follow"), "{left}");
        assert!(end.contains("completed"), "nothing was lost: {end}");
    }
}
