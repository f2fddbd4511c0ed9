//! Bad surroundings: files and folders that no tool may stumble over, and a working folder that vanishes.

use crate::support::{World, ask, questions, requests, results, shell, stopped, write};
use deputy_protocol::{CallStatus, ErrorCode, StopReason, ToolResult};
use deputy_testkit::{Finished, Turn};
use rustix::fs::{Mode, OFlags};
use serde_json::json;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

fn search(parameters: serde_json::Value) -> Turn {
    Turn::call("search", parameters)
}

fn read(path: &str) -> Turn {
    Turn::call("code", json!({"action": "read", "path": path}))
}

/// Runs a task to its end and gives back what its calls did.
fn calls_of(world: &World) -> Vec<ToolResult> {
    let run = world.json(&["run", "look around", "--yes", "medium"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let events = run.events().unwrap();
    assert_eq!(stopped(&events).reason, StopReason::Completed);
    results(&events)
}

#[test]
fn names_and_output_that_are_not_utf_8_are_shown_as_well_as_can_be() {
    let world = World::new([
        search(json!({"action": "ls"})),
        search(json!({"action": "find", "pattern": "*.txt"})),
        search(json!({"action": "grep", "pattern": "needle"})),
        shell("ls"),
        shell("cat output.txt"),
        read("output.txt"),
        Turn::text("Done."),
    ]);
    world.home.write("plain.txt", "needle\n").unwrap();
    world.home.write("output.txt", b"caf\xe9 needle \xff\xfe\n").unwrap();
    let odd = world.home.workspace().join(OsStr::from_bytes(b"na\xefve.txt"));
    std::fs::write(&odd, "needle\n").unwrap();
    let results = calls_of(&world);
    assert_eq!(results.len(), 6);
    assert!(results.iter().all(|result| result.status == CallStatus::Ok), "{results:?}");
    let shown = [
        r"na\xefve.txt",
        r"na\xefve.txt",
        r"na\xefve.txt:1:needle",
        "na\u{fffd}ve.txt",
        "caf\u{fffd} needle",
        "stored as windows-1254\ncafé needle",
    ];
    for (result, text) in results.iter().zip(shown) {
        assert!(result.content.contains(text), "{text} is not in {result:?}");
    }
    assert_eq!(std::fs::read(odd).unwrap(), b"needle\n");
}

#[test]
fn a_file_of_10_gigabytes_is_read_in_part_and_looked_through_in_bounds() {
    let world = World::new([
        read("big.bin"),
        search(json!({"action": "head", "path": "big.bin"})),
        search(json!({"action": "ls"})),
        shell("head -c 20 big.bin"),
        Turn::call("code", json!({"action": "patch", "path": "big.bin", "old": "a", "new": "b"})),
        Turn::text("Done."),
    ]);
    let file = std::fs::File::create(world.home.workspace().join("big.bin")).unwrap();
    file.set_len(10 << 30).unwrap();
    let results = calls_of(&world);
    let statuses: Vec<CallStatus> = results.iter().map(|result| result.status).collect();
    assert_eq!(
        statuses,
        [CallStatus::Ok, CallStatus::Ok, CallStatus::Ok, CallStatus::Ok, CallStatus::Failed]
    );
    assert!(results.iter().all(|result| result.content.len() < 1_000), "{results:?}");
    assert!(results[0].content.contains("binary file, 10.7 GB"), "{:?}", results[0]);
    assert!(results[4].content.contains("10.7 GB, and this works on files of up to"), "{:?}", results[4]);
}

#[test]
fn a_pipe_without_a_writer_holds_nothing_up() {
    // The text of the last one does not show the pipe, so it runs, and its time is over.
    let hidden = "python3 -c 'open(\"pi\" + \"pe\").read()'";
    let world = World::new([
        read("pipe"),
        search(json!({"action": "grep", "pattern": "needle"})),
        write("pipe", "text\n"),
        shell("cat pipe"),
        Turn::call("shell", json!({"command": hidden, "timeout_secs": 1})),
        Turn::text("Done."),
    ]);
    world.home.write("a.txt", "needle\n").unwrap();
    let pipe = world.home.workspace().join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, Mode::from(0o600), 0).unwrap();
    let run = world.json(&["run", "look around", "--yes", "medium"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let results = results(&run.events().unwrap());
    let statuses: Vec<CallStatus> = results.iter().map(|result| result.status).collect();
    let (denied, failed) = (CallStatus::Denied, CallStatus::Failed);
    assert_eq!(statuses, [denied, CallStatus::Ok, denied, denied, failed], "{results:#?}");
    assert!(results[0].content.contains("named pipe"), "{:?}", results[0]);
    assert!(results[1].content.contains("a.txt:1:needle"), "{:?}", results[1]);
    assert!(results[4].content.contains("1 s"), "{:?}", results[4]);
    let kind = std::fs::metadata(&pipe).unwrap().file_type();
    assert!(std::os::unix::fs::FileTypeExt::is_fifo(&kind), "it is still a pipe");
}

#[test]
fn a_folder_of_100_000_files_is_listed_in_bounds_and_says_what_is_missing() {
    const FILES: usize = 100_000;
    let world = World::new([
        search(json!({"action": "ls", "path": "many"})),
        search(json!({"action": "find", "path": "many", "pattern": "file-099999*"})),
        shell("ls many"),
        Turn::text("Done."),
    ]);
    let many = world.home.workspace().join("many");
    std::fs::create_dir(&many).unwrap();
    let folder = rustix::fs::open(&many, OFlags::DIRECTORY, Mode::empty()).unwrap();
    for n in 0..FILES {
        let flags = OFlags::CREATE | OFlags::WRONLY;
        drop(rustix::fs::openat(&folder, format!("file-{n:06}"), flags, Mode::from(0o600)).unwrap());
    }
    let results = calls_of(&world);
    for result in &results {
        assert_eq!(result.status, CallStatus::Ok, "{result:?}");
        assert!(result.content.len() < 100_000, "{} bytes", result.content.len());
    }
    assert!(results[0].content.contains(" more\n100000 files"), "{:?}", results[0].summary);
    assert!(results[1].content.contains("many/file-099999"), "{:?}", results[1]);
    assert!(results[2].summary.contains("output left out"), "{:?}", results[2].summary);
}

#[test]
fn a_working_folder_that_vanishes_fails_its_calls_and_nothing_else() {
    let mut world = World::new([
        ask("Ready?"),
        shell("ls"),
        write("a.txt", "text\n"),
        search(json!({"action": "ls"})),
        read("a.txt"),
        Turn::text("It is gone."),
    ]);
    world.home.set("limits.brake_after", 0).unwrap();
    let run = world.json(&["run", "work", "--yes", "medium"]);
    assert_eq!(run.code, Some(4), "{run:?}");
    let question = questions(&run.events().unwrap()).remove(0);
    let workspace = world.home.workspace();
    std::fs::remove_dir(&workspace).unwrap();
    let elsewhere = |args: &[&str]| {
        let mut command = world.home.deputy().unwrap();
        command.current_dir("/").arg("--json").args(args);
        Finished::of(command).unwrap()
    };
    assert_eq!(elsewhere(&["answer", question.id.as_str(), "yes"]).code, Some(0));
    let follow = elsewhere(&["follow", "last"]);
    assert_eq!(follow.code, Some(0), "{follow:?}");
    let results = results(&follow.events().unwrap());
    assert_eq!(results.len(), 4);
    for result in results {
        assert_eq!(result.status, CallStatus::Failed, "{result:?}");
        assert!(result.content.contains("is gone"), "{result:?}");
    }
    assert!(!workspace.exists(), "it is not made again behind the user's back");
}

#[test]
fn a_command_from_a_folder_that_is_gone_or_has_no_text_as_name_says_so() {
    let world = World::new([]);
    let gone = world.home.workspace().join("gone");
    std::fs::create_dir(&gone).unwrap();
    let mut command = world.home.deputy().unwrap();
    let mut inside = std::process::Command::new("/bin/sh");
    inside.args(["-c", "cd gone && rmdir ../gone && exec \"$0\" --json run x"]).arg(command.get_program());
    inside.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    inside.current_dir(world.home.workspace());
    let run = Finished::of(inside).unwrap();
    assert_eq!((run.code, run.error().unwrap().code), (Some(2), ErrorCode::Usage), "{run:?}");

    let odd = world.home.workspace().join(OsStr::from_bytes(b"na\xefve"));
    std::fs::create_dir(&odd).unwrap();
    command.args(["--json", "run", "x", "--in"]).arg(&odd);
    let run = Finished::of(command).unwrap();
    assert_eq!((run.code, run.error().unwrap().code), (Some(2), ErrorCode::Usage), "{run:?}");
    assert!(run.error().unwrap().message.contains("UTF-8"), "{run:?}");
    assert_eq!(world.json(&["tasks"]).stdout, "", "nothing was started");
}

#[test]
fn git_answers_unasked_as_in_the_persons_terminal_and_starts_nothing_of_theirs() {
    let world = World::new([
        shell("git config user.name"),
        shell("git status --short"),
        shell("git log -1 --format=%s"),
        Turn::text("Done."),
    ]);
    let settings = "[user]\n\tname = Ann O'Neil\n\temail = ann@example.com\n[core]\n\texcludesFile = ~/ignored\n\tpager = touch pager\n[credential]\n\thelper = !touch helper\n";
    std::fs::write(world.home.user().join(".gitconfig"), settings).unwrap();
    std::fs::write(world.home.user().join("ignored"), "*.swp\n").unwrap();
    for words in [&["init", "-q"][..], &["commit", "-q", "--allow-empty", "-m", "first"]] {
        let mut git = std::process::Command::new("git");
        let git = git.args(words).current_dir(world.home.workspace()).env("HOME", world.home.user());
        assert!(git.status().unwrap().success());
    }
    world.home.write("notes.txt.swp", "").unwrap();
    world.home.write("new.txt", "").unwrap();
    let run = world.json(&["run", "look around"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let events = run.events().unwrap();
    assert!(requests(&events).is_empty(), "{run:?}");
    let results = results(&events);
    let contents: Vec<&str> = results.iter().map(|result| result.content.as_str()).collect();
    assert!(contents[0].contains("Ann O'Neil"), "{contents:?}");
    assert!(contents[1].contains("?? new.txt") && !contents[1].contains(".swp"), "{contents:?}");
    assert!(contents[2].contains("first"), "{contents:?}");
    let made = [world.home.workspace().join("pager"), world.home.workspace().join("helper")];
    assert!(made.iter().all(|file| !file.exists()));
}
