//! `search`: names and sizes.

use crate::support::{Desk, set_date};
use deputy_protocol::CallStatus;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

/// A small project with an example of everything that a walk has to handle.
fn project() -> Desk {
    let desk = Desk::new();
    desk.put("README.md", "hello\n");
    desk.put("src/main.rs", "fn main() {}\n");
    desk.put("src/deep/er/lib.rs", "x");
    desk.put("target/debug/out", "0".repeat(2_000_000));
    desk.put("photos/Summer.JPG", "a".repeat(1500));
    desk.put("photos/winter.jpg", "b".repeat(2500));
    desk.put(".git/config", "");
    desk.put(".gitignore", "target/\n*.log\n!keep.log\n");
    desk.put("debug.log", "x");
    desk.put("keep.log", "x");
    desk.put(".hidden", "x");
    symlink("/etc", desk.path("etc")).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, desk.path("pipe"), rustix::fs::FileType::Fifo, 0o600.into(), 0)
        .unwrap();
    for (below, date) in [
        ("README.md", "2026-01-31"),
        ("src/main.rs", "2025-12-24"),
        ("photos/Summer.JPG", "2024-07-01"),
        ("photos/winter.jpg", "2025-01-01"),
        ("debug.log", "2026-01-01"),
        ("keep.log", "2026-01-01"),
        (".hidden", "2026-01-01"),
        (".gitignore", "2026-01-01"),
        ("etc", "2023-03-03"),
        ("pipe", "2023-03-03"),
        ("photos", "2024-04-04"),
        ("src", "2024-04-04"),
        ("target", "2024-04-04"),
    ] {
        set_date(&desk.path(below), date);
    }
    desk
}

async fn all(desk: &Desk, calls: &[Value]) -> String {
    let mut told = String::new();
    for call in calls {
        let result = desk.run("search", call.clone()).await;
        let status = if result.status == CallStatus::Ok { "" } else { " FAILED" };
        told.push_str(&format!("--- {}{status}\n{}\n", desk.neutral(&call.to_string()), result.content));
        let last = result.content.lines().last().unwrap();
        assert!(result.status != CallStatus::Ok || result.summary == last, "{call}: {}", result.summary);
    }
    desk.neutral(&told)
}

#[tokio::test]
async fn listing() {
    let desk = project();
    let told = all(
        &desk,
        &[
            json!({"action": "ls"}),
            json!({"action": "ls", "path": "photos", "hidden": true}),
            json!({"action": "ls", "path": "README.md"}),
            json!({"action": "ls", "path": desk.path("photos")}),
            json!({"action": "ls", "path": "etc"}),
            json!({"action": "ls", "path": "missing"}),
        ],
    )
    .await;
    insta::assert_snapshot!(told, @r#"
    --- {"action":"ls"}
    README.md	file	6	2026-01-31
    debug.log	file	1	2026-01-01
    etc	link	-	2023-03-03
    keep.log	file	1	2026-01-01
    photos	folder	-	2024-04-04
    pipe	pipe	-	2023-03-03
    src	folder	-	2024-04-04
    target	folder	-	2024-04-04
    3 files, 3 folders, 8 bytes; 1 link; 1 special file; 3 hidden or ignored
    --- {"action":"ls","hidden":true,"path":"photos"}
    Summer.JPG	file	1500	2024-07-01
    winter.jpg	file	2500	2025-01-01
    2 files, 4.0 KB
    --- {"action":"ls","path":"README.md"}
    README.md	file	6	2026-01-31
    1 file, 6 bytes
    --- {"action":"ls","path":"~tmp/ws/photos"}
    Summer.JPG	file	1500	2024-07-01
    winter.jpg	file	2500	2025-01-01
    2 files, 4.0 KB
    --- {"action":"ls","path":"etc"} FAILED
    etc leads outside of the folders this task may reach without asking; ask for /etc by that path
    --- {"action":"ls","path":"missing"} FAILED
    missing does not exist
    "#);
}

#[tokio::test]
async fn names_are_found_whatever_their_case() {
    let told = all(&project(), &[json!({"action": "find", "pattern": "SUMMER*.{jpg,png}"})]).await;
    assert!(told.contains("photos/Summer.JPG") && told.contains("1 file"), "{told}");
}

#[tokio::test]
async fn finding() {
    let desk = project();
    let told = all(
        &desk,
        &[
            json!({"action": "find"}),
            json!({"action": "find", "no_ignore": true, "hidden": true, "kind": "file"}),
            json!({"action": "find", "pattern": "*.rs"}),
            json!({"action": "find", "pattern": "*.rs", "path": "./src/."}),
            json!({"action": "find", "pattern": "src/*/**"}),
            json!({"action": "find", "extension": ".jpg"}),
            json!({"action": "find", "kind": "folder", "path": "src"}),
            json!({"action": "find", "kind": "link"}),
            json!({"action": "find", "min_bytes": 1000, "max_bytes": 2000}),
            json!({"action": "find", "extension": "jpg", "older_than": "2025-01-01"}),
            json!({"action": "find", "kind": "file", "newer_than": "2026-01-15", "older_than": "2026-02-15"}),
            json!({"action": "find", "extension": "rs", "newer_than": "1h"}),
            json!({"action": "find", "pattern": "nothing"}),
            json!({"action": "find", "path": "README.md"}),
        ],
    )
    .await;
    insta::assert_snapshot!(told, @r#"
    --- {"action":"find"}
    README.md
    etc
    keep.log
    photos/
    photos/Summer.JPG
    photos/winter.jpg
    pipe
    src/
    src/deep/
    src/deep/er/
    src/deep/er/lib.rs
    src/main.rs
    6 files, 4 folders, 4.0 KB; 1 link; 1 special file; 5 hidden or ignored
    --- {"action":"find","hidden":true,"kind":"file","no_ignore":true}
    .git/config
    .gitignore
    .hidden
    README.md
    debug.log
    keep.log
    photos/Summer.JPG
    photos/winter.jpg
    src/deep/er/lib.rs
    src/main.rs
    target/debug/out
    11 files, 2.0 MB
    --- {"action":"find","pattern":"*.rs"}
    src/deep/er/lib.rs
    src/main.rs
    2 files, 14 bytes; 5 hidden or ignored
    --- {"action":"find","path":"./src/.","pattern":"*.rs"}
    src/deep/er/lib.rs
    src/main.rs
    2 files, 14 bytes
    --- {"action":"find","pattern":"src/*/**"}
    src/deep/er/
    src/deep/er/lib.rs
    1 file, 1 folder, 1 byte; 5 hidden or ignored
    --- {"action":"find","extension":".jpg"}
    photos/Summer.JPG
    photos/winter.jpg
    2 files, 4.0 KB; 5 hidden or ignored
    --- {"action":"find","kind":"folder","path":"src"}
    src/deep/
    src/deep/er/
    2 folders
    --- {"action":"find","kind":"link"}
    etc
    1 link; 5 hidden or ignored
    --- {"action":"find","max_bytes":2000,"min_bytes":1000}
    photos/Summer.JPG
    1 file, 1.5 KB; 5 hidden or ignored
    --- {"action":"find","extension":"jpg","older_than":"2025-01-01"}
    photos/Summer.JPG
    1 file, 1.5 KB; 5 hidden or ignored
    --- {"action":"find","kind":"file","newer_than":"2026-01-15","older_than":"2026-02-15"}
    README.md
    1 file, 6 bytes; 5 hidden or ignored
    --- {"action":"find","extension":"rs","newer_than":"1h"}
    src/deep/er/lib.rs
    1 file, 1 byte; 5 hidden or ignored
    --- {"action":"find","pattern":"nothing"}
    nothing found; 5 hidden or ignored
    --- {"action":"find","path":"README.md"} FAILED
    README.md is a file, not a folder
    "#);
}

#[tokio::test]
async fn trees_and_usage() {
    let desk = project();
    let told = all(
        &desk,
        &[
            json!({"action": "tree"}),
            json!({"action": "tree", "depth": 1, "hidden": true}),
            json!({"action": "usage"}),
            json!({"action": "usage", "path": "photos"}),
        ],
    )
    .await;
    insta::assert_snapshot!(told, @r#"
    --- {"action":"tree"}
    README.md
    etc
    keep.log
    photos/
      Summer.JPG
      winter.jpg
    pipe
    src/
      deep/
        er/
      main.rs
    5 files, 4 folders, 4.0 KB; 1 link; 1 special file; 5 hidden or ignored
    --- {"action":"tree","depth":1,"hidden":true}
    .git/
    .gitignore
    .hidden
    README.md
    etc
    keep.log
    photos/
    pipe
    src/
    4 files, 3 folders, 32 bytes; 1 link; 1 special file; 2 hidden or ignored
    --- {"action":"usage"}
    2000000	1	target/
    4000	2	photos/
    24	1	.gitignore
    14	2	src/
    6	1	README.md
    1	1	.hidden
    1	1	debug.log
    1	1	keep.log
    0	1	.git/
    0	0	etc
    0	0	pipe
    11 files, 7 folders, 2.0 MB; 1 link; 1 special file
    --- {"action":"usage","path":"photos"}
    2500	1	winter.jpg
    1500	1	Summer.JPG
    2 files, 4.0 KB
    "#);
}

#[tokio::test]
async fn ignore_files_count_only_where_git_reads_them() {
    let desk = Desk::new();
    desk.put(".gitignore", "a.txt\n");
    desk.put(".ignore", "b.txt\n");
    for name in ["a.txt", "b.txt", "c.txt", "sub/a.txt", "sub/b.txt", "sub/d.txt"] {
        desk.put(name, "");
    }
    desk.put("sub/.ignore", "!b.txt\nd.txt\n");
    let find = || async { desk.run("search", json!({"action": "find", "kind": "file"})).await.content };
    assert_eq!(find().await, "a.txt\nc.txt\nsub/a.txt\nsub/b.txt\n4 files, 0 bytes; 5 hidden or ignored");
    desk.put(".git/info/exclude", "c.txt\n");
    assert_eq!(find().await, "sub/b.txt\n1 file, 0 bytes; 9 hidden or ignored");
    // The ignore rules above the searched folder apply, too.
    let below = desk.run("search", json!({"action": "find", "path": "sub"})).await.content;
    assert_eq!(below, "sub/b.txt\n1 file, 0 bytes; 3 hidden or ignored");
}

#[tokio::test]
async fn names_that_are_no_text_are_shown_escaped() {
    let desk = Desk::new();
    for name in [&b"caf\xe9.txt"[..], b"two\nlines", "\u{202e}gpj.exe".as_bytes()] {
        fs::write(desk.place.workspace.join(OsStr::from_bytes(name)), "x").unwrap();
    }
    let told = all(
        &desk,
        &[
            json!({"action": "find"}),
            json!({"action": "grep", "pattern": "x"}),
            json!({"action": "duplicates"}),
        ],
    )
    .await;
    insta::assert_snapshot!(told, @r#"
    --- {"action":"find"}
    caf\xe9.txt
    two\nlines
    \u{202e}gpj.exe
    3 files, 3 bytes
    --- {"action":"grep","pattern":"x"}
    caf\xe9.txt:1:x
    two\nlines:1:x
    \u{202e}gpj.exe:1:x
    3 matches in 3 of 3 files
    --- {"action":"duplicates"}
    3 files of 1 bytes, 2 wasted
      caf\xe9.txt
      two\nlines
      \u{202e}gpj.exe
    1 group, 3 files, 2 bytes wasted
    "#);
}

#[tokio::test]
async fn secrets_are_passed_by() {
    let mut desk = Desk::new();
    desk.put("keys/id", "secret");
    desk.put("a/token", "secret");
    desk.put("a/b", "secret");
    fs::hard_link(desk.path("keys/id"), desk.path("a/other-name")).unwrap();
    desk.cx.hidden = vec![desk.path("keys"), desk.path("a/token")];
    set_date(&desk.path("a/b"), "2026-01-01");
    set_date(&desk.path("a/other-name"), "2026-01-01");
    set_date(&desk.path("a"), "2026-01-01");
    let told = all(
        &desk,
        &[
            json!({"action": "find"}),
            json!({"action": "ls"}),
            json!({"action": "ls", "path": "a"}),
            json!({"action": "grep", "pattern": "secret"}),
            json!({"action": "duplicates"}),
            json!({"action": "wc"}),
            json!({"action": "usage"}),
            json!({"action": "ls", "path": "keys"}),
            json!({"action": "head", "path": "a/token"}),
        ],
    )
    .await;
    insta::assert_snapshot!(told, @r#"
    --- {"action":"find"}
    a/
    a/b
    a/other-name
    2 files, 1 folder, 12 bytes; protected: a/token, keys; reading one asks the user
    --- {"action":"ls"}
    a	folder	-	2026-01-01
    1 folder; protected: keys; reading one asks the user
    --- {"action":"ls","path":"a"}
    b	file	6	2026-01-01
    other-name	file	6	2026-01-01
    2 files, 12 bytes; protected: token; reading one asks the user
    --- {"action":"grep","pattern":"secret"}
    a/b:1:secret
    1 match in 1 of 1 file; could not read a/other-name; protected: a/token, keys; reading one asks the user
    --- {"action":"duplicates"}
    0 groups, 0 files, 0 bytes wasted; protected: a/token, keys; reading one asks the user; 1 could not be read
    --- {"action":"wc"}
    1	1	6	a/b
    1 file, 1 line, 1 word, 6 bytes; protected: a/token, keys; reading one asks the user; 1 could not be read
    --- {"action":"usage"}
    12	2	a/
    2 files, 1 folder, 12 bytes; protected: a/token, keys; reading one asks the user
    --- {"action":"ls","path":"keys"} FAILED
    keys is protected: it holds secrets, and this action does not open it. To ask the user for it, read that file by its path
    --- {"action":"head","path":"a/token"} FAILED
    a/token is protected: it holds secrets, and this action does not open it. To ask the user for it, read that file by its path
    "#);
}

/// The list of secrets of a call is limited. Files that policy considers secret are not read either.
#[tokio::test]
async fn secrets_are_known_by_their_names_too() {
    let desk = Desk::new();
    for path in ["deep/.env", "id_rsa", ".ssh/config", "deep/.aws/credentials"] {
        desk.put(path, "hush");
    }
    desk.put("plain", "plain");
    for call in [
        json!({"action": "grep", "pattern": "hush|plain", "hidden": true, "no_ignore": true}),
        json!({"action": "wc", "hidden": true, "no_ignore": true}),
        json!({"action": "grep", "pattern": "hush", "path": "deep/.env"}),
        json!({"action": "head", "path": "id_rsa"}),
        json!({"action": "tail", "path": ".ssh/config"}),
    ] {
        let result = desk.run("search", call.clone()).await;
        assert!(
            !result.content.contains("hush") && !result.content.contains("id_rsa:"),
            "{}",
            result.content
        );
        let is_walk = call.get("path").is_none();
        assert_eq!(result.summary.starts_with("1 "), is_walk, "{call}: {}", result.content);
    }
}
