//! `search`: the content of files.

use crate::support::Desk;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;

async fn all(desk: &Desk, calls: &[Value]) -> String {
    let mut told = String::new();
    for call in calls {
        told.push_str(&format!("--- {call}\n{}\n", desk.shown("search", call.clone()).await));
    }
    told
}

fn texts() -> Desk {
    let desk = Desk::new();
    desk.put("poem.txt", "Roses are red\nviolets are blue\nsugar is sweet\nand so are you\n");
    desk.put("sub/code.rs", "fn main() {\n    let x = a.b(c);\n}\n");
    desk.put("binary", b"are\0are\n");
    desk.put("latin1.txt", b"caf\xe9 are\n");
    desk.put(".hidden", "are\n");
    desk.put("no-newline", "last line");
    symlink("poem.txt", desk.path("link")).unwrap();
    desk
}

#[tokio::test]
async fn a_pattern_is_anchored_to_each_line_whatever_ends_it() {
    let desk = Desk::new();
    desk.put("a.txt", "one\ntwo\nthree\r\nfour");
    // (pattern, the lines that match)
    let cases = [
        ("^two$", "2"),
        ("o$", "2"),
        ("^t", "2 3"),
        ("e$", "1 3"),
        ("^four$", "4"),
        ("^(one|three)$", "1 3"),
        ("^wo", ""),
    ];
    for (pattern, lines) in cases {
        for context in [0, 1] {
            let call = json!({"action": "grep", "pattern": pattern, "context": context});
            let content = desk.run("search", call).await.content;
            let found = content.lines().filter_map(|line| line.strip_prefix("a.txt:")?.split(':').next());
            assert_eq!(found.collect::<Vec<_>>().join(" "), lines, "{pattern}: {content}");
        }
    }
}

#[tokio::test]
async fn grepping() {
    let desk = texts();
    desk.put("numbers", (1..=10).map(|n| format!("{n}\r\n")).collect::<String>());
    let told = all(
        &desk,
        &[
            json!({"action": "grep", "pattern": "\\bare\\b"}),
            json!({"action": "grep", "pattern": "ROSES", "ignore_case": true}),
            json!({"action": "grep", "pattern": "a.b(c)", "literal": true}),
            json!({"action": "grep", "pattern": "(are|is)", "include": "*.txt", "path": "./"}),
            json!({"action": "grep", "pattern": "x", "include": "sub/*.rs"}),
            json!({"action": "grep", "pattern": "violets|you", "context": 1, "path": "poem.txt"}),
            json!({"action": "grep", "pattern": "^(3|9)$", "context": 1, "path": "numbers"}),
            json!({"action": "grep", "pattern": "nothing"}),
            json!({"action": "grep", "pattern": "are", "path": "missing"}),
            json!({"action": "grep", "pattern": "are", "path": "link", "hidden": true}),
        ],
    )
    .await;
    insta::assert_snapshot!(told, @r#"
    --- {"action":"grep","pattern":"\\bare\\b"}
    ok
    latin1.txt:1:caf� are
    poem.txt:1:Roses are red
    poem.txt:2:violets are blue
    poem.txt:4:and so are you
    4 matches in 2 of 6 files; 1 binary file passed by; 1 hidden or ignored
    --- {"action":"grep","ignore_case":true,"pattern":"ROSES"}
    ok
    poem.txt:1:Roses are red
    1 match in 1 of 6 files; 1 binary file passed by; 1 hidden or ignored
    --- {"action":"grep","literal":true,"pattern":"a.b(c)"}
    ok
    sub/code.rs:2:    let x = a.b(c);
    1 match in 1 of 6 files; 1 binary file passed by; 1 hidden or ignored
    --- {"action":"grep","include":"*.txt","path":"./","pattern":"(are|is)"}
    ok
    latin1.txt:1:caf� are
    poem.txt:1:Roses are red
    poem.txt:2:violets are blue
    poem.txt:3:sugar is sweet
    poem.txt:4:and so are you
    5 matches in 2 of 2 files; 1 hidden or ignored
    --- {"action":"grep","include":"sub/*.rs","pattern":"x"}
    ok
    sub/code.rs:2:    let x = a.b(c);
    1 match in 1 of 1 file; 1 hidden or ignored
    --- {"action":"grep","context":1,"path":"poem.txt","pattern":"violets|you"}
    ok
    poem.txt-1-Roses are red
    poem.txt:2:violets are blue
    poem.txt-3-sugar is sweet
    poem.txt:4:and so are you
    2 matches in 1 of 1 file
    --- {"action":"grep","context":1,"path":"numbers","pattern":"^(3|9)$"}
    ok
    numbers-2-2
    numbers:3:3
    numbers-4-4
    --
    numbers-8-8
    numbers:9:9
    numbers-10-10
    2 matches in 1 of 1 file
    --- {"action":"grep","pattern":"nothing"}
    ok
    0 matches in 0 of 6 files; 1 binary file passed by; 1 hidden or ignored
    --- {"action":"grep","path":"missing","pattern":"are"}
    failed
    missing does not exist
    --- {"action":"grep","hidden":true,"path":"link","pattern":"are"}
    ok
    link:1:Roses are red
    link:2:violets are blue
    link:4:and so are you
    3 matches in 1 of 1 file
    "#);
}

#[tokio::test]
async fn ends_and_counts() {
    let desk = texts();
    desk.put("empty", "");
    let told = all(
        &desk,
        &[
            json!({"action": "head", "path": "poem.txt", "lines": 2}),
            json!({"action": "tail", "path": "poem.txt", "lines": 1}),
            json!({"action": "tail", "path": "no-newline"}),
            json!({"action": "head", "path": "empty"}),
            json!({"action": "head", "path": "binary"}),
            json!({"action": "head", "path": "sub"}),
            json!({"action": "wc", "path": "poem.txt"}),
            json!({"action": "wc"}),
            json!({"action": "wc", "include": "*.rs"}),
        ],
    )
    .await;
    insta::assert_snapshot!(told, @r#"
    --- {"action":"head","lines":2,"path":"poem.txt"}
    ok
    Roses are red
    violets are blue
    2 lines, the first of 61 bytes
    --- {"action":"tail","lines":1,"path":"poem.txt"}
    ok
    and so are you
    1 line, the last of 61 bytes
    --- {"action":"tail","path":"no-newline"}
    ok
    last line
    1 line, the last of 9 bytes
    --- {"action":"head","path":"empty"}
    ok
    0 lines, the first of 0 bytes
    --- {"action":"head","path":"binary"}
    ok
    binary is a binary file of 8 bytes; its content is not shown
    --- {"action":"head","path":"sub"}
    failed
    sub is a folder, not a file
    --- {"action":"wc","path":"poem.txt"}
    ok
    4	13	61	poem.txt
    1 file, 4 lines, 13 words, 61 bytes
    --- {"action":"wc"}
    ok
    1	1	8	binary
    0	0	0	empty
    1	2	9	latin1.txt
    1	2	9	no-newline
    4	13	61	poem.txt
    3	8	34	sub/code.rs
    6 files, 10 lines, 26 words, 121 bytes; 1 hidden or ignored
    --- {"action":"wc","include":"*.rs"}
    ok
    3	8	34	sub/code.rs
    1 file, 3 lines, 8 words, 34 bytes; 1 hidden or ignored
    "#);
}

#[tokio::test]
async fn same_content() {
    let desk = Desk::new();
    for (name, content) in [
        ("a.txt", "same content"),
        ("b/a.txt", "same content"),
        ("b/c.txt", "same content"),
        ("same-size.txt", "other stuff!"),
        ("big1", "B"),
        ("big2", "B"),
        ("empty1", ""),
        ("empty2", ""),
    ] {
        desk.put(name, content.repeat(if content == "B" { 100_000 } else { 1 }));
    }
    fs::hard_link(desk.path("a.txt"), desk.path("hard-link.txt")).unwrap();
    symlink("a.txt", desk.path("link.txt")).unwrap();
    let told =
        all(&desk, &[json!({"action": "duplicates"}), json!({"action": "duplicates", "path": "b/c.txt"})])
            .await;
    insta::assert_snapshot!(told, @r#"
    --- {"action":"duplicates"}
    ok
    2 files of 100000 bytes, 100000 wasted
      big1
      big2
    3 files of 12 bytes, 24 wasted
      a.txt
      b/a.txt
      b/c.txt
    2 groups, 5 files, 100.0 KB wasted
    --- {"action":"duplicates","path":"b/c.txt"}
    failed
    b/c.txt is a file, not a folder
    "#);
}

#[tokio::test]
async fn the_tail_that_fits_is_the_last() {
    let mut desk = Desk::new();
    desk.put("long", (1..=1000).map(|n| format!("line {n}\n")).collect::<String>());
    desk.cx.output_chars = 240;
    let tail = desk.run("search", json!({"action": "tail", "path": "long", "lines": 500})).await;
    assert_eq!(tail.content, "line 997\nline 998\nline 999\nline 1000\n4 lines, the last of 8.9 KB");
    let head = desk.run("search", json!({"action": "head", "path": "long", "lines": 500})).await;
    assert!(
        head.content.starts_with("line 1\n") && head.content.contains("\n... and 495 more\n"),
        "{}",
        head.content
    );
}
