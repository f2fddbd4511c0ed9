//! `search` with too much of everything.

use crate::support::Desk;
use deputy_protocol::CallStatus;
use serde_json::json;
use std::fs;

#[tokio::test]
async fn a_hundred_thousand_entries() {
    let mut desk = Desk::new();
    // The time that a machine takes to open all of them is not tested here.
    desk.cx.look_timeout = std::time::Duration::from_secs(3600);
    let folder = desk.path("many");
    fs::create_dir(&folder).unwrap();
    for n in 0..100_000 {
        fs::File::create(folder.join(format!("{n:06}"))).unwrap();
    }
    for (call, shown, summary) in [
        (json!({"action": "ls", "path": "many"}), "000000\tfile\t0\t", "100000 files, 0 bytes"),
        (json!({"action": "find", "path": "many"}), "many/000000\n", "100000 files, 0 bytes"),
        (json!({"action": "tree"}), "many/\n  000000\n", "100000 files, 1 folder, 0 bytes"),
        (json!({"action": "usage"}), "0\t100000\tmany/\n", "100000 files, 1 folder, 0 bytes"),
        (json!({"action": "grep", "pattern": "x"}), "0 matches", "0 matches in 0 of 100000 files"),
        (json!({"action": "duplicates"}), "0 groups", "0 groups, 0 files, 0 bytes wasted"),
    ] {
        let result = desk.run("search", call.clone()).await;
        assert!(result.content.starts_with(shown), "{call}: {}", &result.content[..100]);
        assert_eq!(result.summary, summary, "{call}");
        assert!(result.content.chars().count() <= desk.cx.output_chars, "{call}");
        let lines = result.content.lines().count() as u64;
        if lines > 2 {
            let more = result.content.lines().rev().nth(1).unwrap();
            let entries = 100_000 + u64::from(call["action"] == "tree");
            assert_eq!(more, format!("... and {} more", entries - (lines - 2)), "{call}");
        }
    }
    desk.cx.cancel.cancel();
    for action in ["ls", "find", "tree", "usage", "duplicates", "wc"] {
        let result = desk.run("search", json!({"action": action, "path": "many"})).await;
        assert_eq!(result.status, CallStatus::Cancelled, "{action}: {}", result.content);
    }
}

#[tokio::test]
async fn huge_files() {
    let desk = Desk::new();
    let path = desk.put("huge.log", "first\n");
    fs::File::options().write(true).open(&path).unwrap().set_len(10_000_000_000).unwrap();
    let ls = desk.run("search", json!({"action": "ls"})).await;
    assert_eq!(ls.summary, "1 file, 10.0 GB");
    let tail = desk.run("search", json!({"action": "tail", "path": "huge.log"})).await;
    assert_eq!(tail.summary, "huge.log is a binary file of 10.0 GB");
    let grep = desk.run("search", json!({"action": "grep", "pattern": "first"})).await;
    assert_eq!(grep.summary, "0 matches in 0 of 1 file; 1 binary file passed by");
}

/// The limits of a call are those of a task: it must end in time by itself.
#[tokio::test]
async fn a_large_log_is_searched_and_counted_in_the_time_that_a_call_has() {
    const LINES: usize = 1_000_000;
    let desk = Desk::new();
    let line = |n: usize| {
        format!(
            "{n} {} request from 10.0.0.{}: done\n",
            if n.is_multiple_of(4) { "ERROR" } else { "INFO" },
            n % 256
        )
    };
    let text: String = (0..LINES).map(line).collect();
    desk.put("big.log", &text);
    let grep = desk.run("search", json!({"action": "grep", "pattern": "ERROR", "path": "big.log"})).await;
    assert_eq!((grep.status, grep.summary.as_str()), (CallStatus::Ok, "250000 matches in 1 of 1 file"));
    assert!(grep.content.chars().count() <= desk.cx.output_chars, "a bounded sample");
    let count = desk.run("search", json!({"action": "wc", "path": "big.log"})).await;
    assert!(count.content.contains(&LINES.to_string()), "{}", count.content);
    assert!(count.content.contains(&text.len().to_string()), "{}", count.content);
}

/// Regression test: a call that was allowed without asking ran for minutes on one file and blocked the only slot.
#[tokio::test]
async fn one_file_never_takes_longer_than_a_call_may() {
    let mut desk = Desk::new();
    desk.cx.look_timeout = std::time::Duration::from_secs(1);
    for name in ["a.bin", "b.bin"] {
        let path = desk.put(name, "first words\n");
        fs::File::options().write(true).open(&path).unwrap().set_len(2_000_000_000_000).unwrap();
    }
    let wc = desk.run("search", json!({"action": "wc", "path": "a.bin"})).await;
    assert_eq!(wc.status, CallStatus::Ok);
    let stopped = "stopped after 1 second inside a.bin, the rest was not looked at";
    assert!(wc.summary.starts_with("1 file, ") && wc.summary.ends_with(stopped), "{}", wc.summary);
    let all = desk.run("search", json!({"action": "wc"})).await;
    assert!(all.summary.ends_with(stopped), "{}", all.summary);
    let duplicates = desk.run("search", json!({"action": "duplicates"})).await;
    assert_eq!(duplicates.summary, format!("0 groups, 0 files, 0 bytes wasted; {stopped}"));
    let read = desk.run("code", json!({"action": "read", "path": "a.bin"})).await;
    assert!(read.summary.contains("binary file"), "{}", read.summary);
    // The call can be cancelled earlier, even inside a file.
    desk.cx.look_timeout = std::time::Duration::from_secs(3_600);
    let cancel = desk.cx.cancel.clone();
    let (wc, ()) = tokio::join!(desk.run("search", json!({"action": "wc", "path": "b.bin"})), async {
        tokio::task::yield_now().await;
        cancel.cancel();
    });
    assert_eq!(wc.status, CallStatus::Cancelled);
}

#[tokio::test]
async fn a_line_without_an_end_is_told() {
    let desk = Desk::new();
    let mut text = b"needle\n".to_vec();
    text.extend(vec![b'x'; 10_000_000]);
    text.extend(b"\nneedle\n");
    desk.put("long.txt", text);
    desk.put("other.txt", "needle\n");
    let grep = desk.run("search", json!({"action": "grep", "pattern": "needle"})).await;
    let told = "2 matches in 2 of 2 files; 1 file searched only up to a line longer than 4.0 MB";
    assert_eq!(grep.summary, told, "{}", grep.content);
}

/// The expression is small but very slow on a long line. The call still ends in time.
#[tokio::test(flavor = "multi_thread")]
async fn a_pattern_that_takes_ages_is_not_waited_for() {
    let mut desk = Desk::new();
    desk.cx.look_timeout = std::time::Duration::from_secs(1);
    desk.put("line.txt", "ab".repeat(1_500_000));
    let bomb = "[ab]*a[ab]{4000}c";
    let grep = desk.run("search", json!({"action": "grep", "pattern": bomb})).await;
    let told = "stopped after 1 second without a result: ask for less, or with a simpler pattern";
    assert!(grep.content == told || grep.summary.starts_with("0 matches"), "{}", grep.content);
    let large = desk.facts("search", json!({"action": "grep", "pattern": "(\\w{200}){200}"})).unwrap_err();
    assert!(large.to_string().contains("expected a regular expression"), "{large}");
}

/// A handle is held for each level. The walk ends before it runs out of handles.
#[tokio::test]
async fn very_deep_folders() {
    let desk = Desk::new();
    let deep = vec!["d"; 300].join("/");
    fs::create_dir_all(desk.path(&deep)).unwrap();
    let result = desk.run("search", json!({"action": "usage"})).await;
    assert_eq!(result.summary, "200 folders; too large, not all of it was looked at");
}

#[tokio::test]
async fn long_lines_are_cut() {
    let desk = Desk::new();
    desk.put("min.js", "var needle=1;".repeat(10_000));
    let result = desk.run("search", json!({"action": "grep", "pattern": "needle"})).await;
    let line = result.content.lines().next().unwrap();
    assert!(line.starts_with("min.js:1:var needle") && line.ends_with('…') && line.chars().count() == 400);
}

/// Opening a pipe would block until its other end is opened, or wake that end.
#[tokio::test]
async fn pipes_and_sockets_are_never_opened() {
    let desk = Desk::new();
    let pipe = desk.path("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let socket = std::os::unix::net::UnixListener::bind(desk.path("socket")).unwrap();
    socket.set_nonblocking(true).unwrap();
    let writer = std::thread::spawn(move || {
        // Ends when a reader opens the pipe. At the end, this test does so.
        fs::File::options().write(true).open(pipe).unwrap();
    });
    for action in ["ls", "find", "tree", "usage", "duplicates", "wc", "grep"] {
        let mut call = json!({"action": action});
        if action == "grep" {
            call["pattern"] = json!("x");
        }
        let result = desk.run("search", call).await;
        assert_eq!(result.status, CallStatus::Ok, "{action}: {}", result.content);
        assert!(!result.summary.contains("could not be read"), "{action}: {}", result.summary);
    }
    for action in ["head", "tail", "wc"] {
        for path in ["pipe", "socket"] {
            let result = desk.run("search", json!({"action": action, "path": path})).await;
            assert_eq!(result.content, format!("{path} is a {path}, not a file"), "{action}");
        }
    }
    assert!(!writer.is_finished(), "something opened the pipe");
    assert_eq!(socket.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
    drop(fs::File::open(desk.path("pipe")).unwrap());
    writer.join().unwrap();
}

#[tokio::test]
async fn very_many_matches_are_counted_exactly_and_shown_in_part() {
    let mut desk = Desk::new();
    desk.cx.look_timeout = std::time::Duration::from_secs(3600);
    let lines: String = (0..300_000).map(|n| format!("line {n} of the log\n")).collect();
    desk.put("big.log", lines);
    let grep = desk.run("search", json!({"action": "grep", "pattern": "of the log"})).await;
    assert_eq!(grep.summary, "300000 matches in 1 of 1 file");
    assert!(grep.content.chars().count() <= desk.cx.output_chars);
    assert!(grep.content.starts_with("big.log:1:line 0 of the log\n"), "{}", &grep.content[..100]);
    let shown = grep.content.lines().count() - 2;
    let more = grep.content.lines().rev().nth(1).unwrap();
    assert_eq!(more, format!("... and {} more", 300_000 - shown));
}
