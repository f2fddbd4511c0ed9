//! `search` where there is too much of everything.

use crate::support::Desk;
use deputy_protocol::CallStatus;
use serde_json::json;
use std::fs;

#[tokio::test]
async fn a_hundred_thousand_entries() {
    let desk = Desk::new();
    let folder = desk.path("many");
    fs::create_dir(&folder).unwrap();
    for n in 0..100_000 {
        fs::File::create(folder.join(format!("{n:06}"))).unwrap();
    }
    for (call, shown, summary) in [
        (json!({"action": "ls", "path": "many"}), "000000\tfile\t0\t", "100000 files, 0 folders, 0 bytes"),
        (json!({"action": "find", "path": "many"}), "many/000000\n", "100000 files, 0 folders, 0 bytes"),
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
    assert_eq!(ls.summary, "1 file, 0 folders, 10.0 GB");
    let tail = desk.run("search", json!({"action": "tail", "path": "huge.log"})).await;
    assert_eq!(tail.summary, "huge.log is a binary file of 10.0 GB");
    let grep = desk.run("search", json!({"action": "grep", "pattern": "first"})).await;
    assert_eq!(grep.summary, "0 matches in 0 of 1 file; 1 binary file passed by");
}

/// One handle is held for each level: the walk ends before it runs out of them.
#[tokio::test]
async fn very_deep_folders() {
    let desk = Desk::new();
    let deep = vec!["d"; 300].join("/");
    fs::create_dir_all(desk.path(&deep)).unwrap();
    let result = desk.run("search", json!({"action": "usage"})).await;
    assert_eq!(result.summary, "0 files, 200 folders, 0 bytes; too large, not all of it was looked at");
}

#[tokio::test]
async fn long_lines_are_cut() {
    let desk = Desk::new();
    desk.put("min.js", "var needle=1;".repeat(10_000));
    let result = desk.run("search", json!({"action": "grep", "pattern": "needle"})).await;
    let line = result.content.lines().next().unwrap();
    assert!(line.starts_with("min.js:1:var needle") && line.ends_with('…') && line.chars().count() == 400);
}

/// Opening a pipe would wait for its other end, or wake it.
#[tokio::test]
async fn pipes_and_sockets_are_never_opened() {
    let desk = Desk::new();
    let pipe = desk.path("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let socket = std::os::unix::net::UnixListener::bind(desk.path("socket")).unwrap();
    socket.set_nonblocking(true).unwrap();
    let writer = std::thread::spawn(move || {
        // Ends when somebody opens the pipe to read: at the end this test itself does.
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
