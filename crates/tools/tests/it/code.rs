//! `code`: reading, writing, folders.

use crate::support::{Desk, digest};
use deputy_policy::Situation;
use deputy_protocol::{CallStatus, Confinement, FileState, PictureType, ResultPart, Scope};
use serde_json::json;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::sync::Arc;

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "a table of calls")]
async fn reading() {
    let desk = Desk::new();
    desk.put("a.txt", "one\ntwo\nthree\nfour\n");
    desk.put("empty", "");
    desk.put("no-newline", "only line");
    desk.put("latin1.txt", b"caf\xe9\n");
    desk.put("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    desk.put("data.bin", [1, 2, 0, 3]);
    symlink("a.txt", desk.path("inside")).unwrap();
    symlink(desk.path("a.txt"), desk.path("inside-absolute")).unwrap();
    symlink("/etc/hostname", desk.path("outside")).unwrap();
    fs::create_dir(desk.path("folder")).unwrap();
    let cases = [
        json!({"path": "a.txt"}),
        json!({"path": "a.txt", "start_line": 2, "lines": 2}),
        json!({"path": "a.txt", "start_line": 2, "lines": 2, "numbered": true}),
        json!({"path": "a.txt", "start_line": 9}),
        json!({"path": desk.path("a.txt")}),
        json!({"path": "folder/../a.txt", "start_line": 4}),
        json!({"path": "inside", "lines": 1}),
        json!({"path": "inside-absolute", "lines": 1}),
        json!({"path": "empty"}),
        json!({"path": "no-newline"}),
        json!({"path": "latin1.txt"}),
        json!({"path": "picture.png"}),
        json!({"path": "data.bin"}),
        json!({"path": "outside"}),
        json!({"path": "folder"}),
        json!({"path": "missing.txt"}),
        json!({"path": "a.txt/b"}),
    ];
    let mut told = String::new();
    for mut call in cases {
        call["action"] = json!("read");
        let path = call["path"].as_str().unwrap().to_owned();
        told.push_str(&format!("--- {}\n{}\n", desk.neutral(&path), desk.shown("code", call).await));
    }
    insta::assert_snapshot!(told, @"
    --- a.txt
    ok
    a.txt: lines 1-4 of 4, 19 bytes
    one
    two
    three
    four
    --- a.txt
    ok
    a.txt: lines 2-3 of 4, 19 bytes
    two
    three
    [1 more line; read on with offset=4]
    --- a.txt
    ok
    a.txt: lines 2-3 of 4, 19 bytes
    2	two
    3	three
    [1 more line; read on with offset=4]
    --- a.txt
    failed
    a.txt has only 4 lines
    --- ~tmp/ws/a.txt
    ok
    ~tmp/ws/a.txt: lines 1-4 of 4, 19 bytes
    one
    two
    three
    four
    --- folder/../a.txt
    ok
    folder/../a.txt: lines 4-4 of 4, 19 bytes
    four
    --- inside
    ok
    inside: lines 1-1 of 4, 19 bytes
    one
    [3 more lines; read on with offset=2]
    --- inside-absolute
    ok
    inside-absolute: lines 1-1 of 4, 19 bytes
    one
    [3 more lines; read on with offset=2]
    --- empty
    ok
    empty: empty file

    --- no-newline
    ok
    no-newline: lines 1-1 of 1, 9 bytes
    only line
    --- latin1.txt
    ok
    latin1.txt: lines 1-1 of 1, 5 bytes, stored as windows-1252
    café
    --- picture.png
    ok
    picture.png: PNG picture, 16 bytes; its content is not shown
    --- data.bin
    ok
    data.bin: binary file, 4 bytes; its content is not shown
    --- outside
    failed
    outside leads outside of the folders this task may reach without asking; ask for /etc/hostname by that path
    --- folder
    failed
    folder is a folder, not a file
    --- missing.txt
    failed
    missing.txt does not exist
    --- a.txt/b
    failed
    could not reach a.txt/b: Not a directory (os error 20)
    ");
}

#[tokio::test]
async fn reading_is_cut_between_lines_and_goes_on_where_it_stopped() {
    let mut desk = Desk::new();
    let lines: Vec<String> = (1..=500).map(|n| format!("this is line {n}")).collect();
    desk.put("long.txt", lines.join("\n"));
    desk.cx.output_chars = 1000;
    let mut seen = Vec::new();
    let mut start = 1;
    while seen.len() < 500 {
        let call = json!({"action": "read", "path": "long.txt", "start_line": start});
        let content = desk.run("code", call).await.content;
        assert!(content.chars().count() <= 1000, "{content}");
        seen.extend(content.lines().filter(|line| line.starts_with("this")).map(str::to_owned));
        assert_eq!(seen.len() < 500, content.contains(&format!("offset={}", seen.len() + 1)), "{content}");
        start = seen.len() + 1;
    }
    assert_eq!(seen, lines);
    desk.put("wide.txt", "é".repeat(5000) + "\nsecond\n");
    let content = desk.run("code", json!({"action": "read", "path": "wide.txt"})).await.content;
    assert!(content.chars().count() <= 1000 && content.contains("[line 1 was cut]"), "{content}");
    assert!(content.contains("offset=2"), "{content}");
}

#[tokio::test]
async fn ten_gigabytes_are_read_in_part() {
    let desk = Desk::new();
    let path = desk.put("huge.log", "first line\nsecond line\n".repeat(1000));
    fs::File::options().write(true).open(&path).unwrap().set_len(10_000_000_000).unwrap();
    let first = desk.run("code", json!({"action": "read", "path": "huge.log", "lines": 2})).await;
    assert_eq!(first.summary, "huge.log: lines 1-2 of many, 10.0 GB");
    assert!(first.content.contains("first line\nsecond line\n"), "{}", first.content);
    let far =
        desk.run("code", json!({"action": "read", "path": "huge.log", "start_line": 900_000_000})).await;
    insta::assert_snapshot!(far.content, @"huge.log is 10.0 GB; only its first 64.0 MB, 2001 lines, can be read by line number. Use `grep` or `tail_file`");
}

#[tokio::test]
async fn what_waits_is_refused_without_waiting() {
    let desk = Desk::new();
    let pipe = desk.path("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(desk.path("socket")).unwrap();
    let mut told = String::new();
    for path in ["pipe", "socket", "/dev/zero"] {
        for call in [
            json!({"action": "read", "path": path}),
            json!({"action": "write", "path": path, "content": "x"}),
            json!({"action": "patch", "path": path, "old": "x", "new": "y"}),
        ] {
            told.push_str(&desk.shown("code", call).await);
            told.push('\n');
        }
    }
    insta::assert_snapshot!(told, @"
    failed
    pipe is a pipe, not a file
    failed
    pipe already exists and is a pipe; nothing was changed
    failed
    pipe is a pipe, not a file
    failed
    socket is a socket, not a file
    failed
    socket already exists and is a socket; nothing was changed
    failed
    socket is a socket, not a file
    failed
    /dev/zero is a device, not a file
    failed
    /dev/zero already exists and is a device; nothing was changed
    failed
    /dev/zero is a device, not a file
    ");
}

#[tokio::test]
async fn secrets_are_not_read_under_any_name() {
    let mut desk = Desk::new();
    let secret = desk.put("keys/id", "secret");
    let env = desk.put(".env", "TOKEN=secret");
    symlink("keys/id", desk.path("link")).unwrap();
    fs::hard_link(&env, desk.path("other-name")).unwrap();
    desk.cx.hidden = vec![desk.path("keys"), env];
    for path in
        ["keys/id", "./keys/../keys/id", secret.to_str().unwrap(), "link", ".env", "other-name", "keys"]
    {
        for action in ["read", "list"] {
            let result = desk.run("code", json!({"action": action, "path": path})).await;
            assert_eq!(result.status, CallStatus::Failed, "{action} {path}");
            assert!(result.content.contains("is protected"), "{action} {path}: {}", result.content);
        }
    }
    for (action, path) in [("write", "keys/id"), ("write", ".env"), ("write", "keys/new")] {
        let result = desk.run("code", json!({"action": action, "path": path, "content": ""})).await;
        assert!(result.content.contains("is protected"), "{path}: {}", result.content);
    }
    assert_eq!(fs::read_to_string(secret).unwrap(), "secret");
}

#[tokio::test]
async fn outside_of_the_folders_only_real_paths_are_opened() {
    let mut desk = Desk::new();
    let beside = desk.place.workspace.parent().unwrap().join("beside");
    fs::create_dir(&beside).unwrap();
    fs::write(beside.join("b.txt"), "b").unwrap();
    symlink(&beside, desk.place.home.join("link")).unwrap();
    let by_real_path = desk.shown("code", json!({"action": "read", "path": "../beside/b.txt"})).await;
    assert_eq!(by_real_path, "ok\n../beside/b.txt: lines 1-1 of 1, 1 byte\nb");
    let by_link = desk.shown("code", json!({"action": "read", "path": "~/link/b.txt"})).await;
    insta::assert_snapshot!(by_link, @"
    failed
    ~/link/b.txt goes through a symbolic link, which is not followed here; ask for ~tmp/beside/b.txt by that path
    ");
    desk.cx.readable = vec![desk.place.home.clone()];
    let leaves_root = desk.shown("code", json!({"action": "read", "path": "~/link/b.txt"})).await;
    insta::assert_snapshot!(leaves_root, @"
    failed
    ~/link/b.txt leads outside of the folders this task may reach without asking; ask for ~tmp/beside/b.txt by that path
    ");
}

#[tokio::test]
async fn writing() {
    let desk = Desk::new();
    let path = desk.put("run.sh", "old");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o754)).unwrap();
    let result = desk.run("code", json!({"action": "write", "path": "run.sh", "content": "new"})).await;
    assert_eq!((result.status, desk.text("run.sh").as_str()), (CallStatus::Ok, "new"));
    assert_eq!(result.summary, "wrote run.sh (3 bytes, replaced)");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o754);
    let [change] = result.changes.as_slice() else { panic!("{:?}", result.changes) };
    let (FileState::File(before), FileState::File(after)) = (&change.before, &change.after) else { panic!() };
    assert_eq!((&before.digest, &after.digest), (&digest(b"old"), &digest(b"new")));
    assert_eq!((before.mode, after.mode, after.size_bytes), (0o754, 0o754, 3));
    assert_eq!(change.path, path.to_str().unwrap());

    let inode = fs::metadata(&path).unwrap().ino();
    let again = desk.run("code", json!({"action": "write", "path": "run.sh", "content": "new"})).await;
    assert_eq!(again.summary, "run.sh already has exactly this content; nothing was changed");
    assert_eq!((again.changes.len(), fs::metadata(&path).unwrap().ino()), (0, inode));

    let deep = desk.run("code", json!({"action": "write", "path": "a/b/c.txt", "content": "c"})).await;
    assert_eq!(deep.summary, "wrote a/b/c.txt (1 byte, new file)");
    let paths: Vec<&str> = deep.changes.iter().map(|change| change.path.as_str()).collect();
    assert_eq!(paths, ["a", "a/b", "a/b/c.txt"].map(|below| desk.path(below).to_str().unwrap().to_owned()));
    assert_eq!(*desk.keeper.changes.lock().unwrap(), [result.changes, deep.changes].concat());
    assert_eq!(desk.names(""), ["a", "run.sh"], "nothing is left over");
}

#[tokio::test]
async fn writing_is_refused_where_it_would_do_something_else() {
    let mut desk = Desk::new();
    let outside = desk.place.home.join("target");
    fs::write(&outside, "untouched").unwrap();
    desk.put("a.txt", "a");
    symlink(&outside, desk.path("link")).unwrap();
    symlink(&desk.place.home, desk.path("link-to-folder")).unwrap();
    fs::hard_link(desk.path("a.txt"), desk.path("b.txt")).unwrap();
    fs::create_dir(desk.path("folder")).unwrap();
    desk.put(".git/hooks/sample", "");
    desk.cx.frozen = vec![desk.path(".git/hooks"), desk.path(".git/config")];
    let paths = [
        "link",
        "link-to-folder/target",
        "a.txt",
        "folder",
        "a.txt/x",
        ".git/hooks/post-commit",
        ".git/hooks/new/file",
        ".git/config",
        "folder/..",
        "x/../y",
    ];
    let mut told = String::new();
    for path in paths {
        let result = desk.shown("code", json!({"action": "write", "path": path, "content": "changed"})).await;
        told.push_str(&result);
        told.push('\n');
    }
    insta::assert_snapshot!(told, @"
    failed
    link already exists and is a link; nothing was changed
    failed
    link-to-folder/target leads outside of the folders this task may reach without asking; ask for ~tmp/home/target by that path
    failed
    a.txt has 2 names (hard links); writing it would change or separate the others, so nothing was changed
    failed
    folder already exists and is a folder; nothing was changed
    failed
    could not look at a.txt/x: Not a directory (os error 20)
    failed
    .git/hooks/post-commit is protected from changes by tools; the user can change it by hand
    failed
    .git/hooks/new/file is protected from changes by tools; the user can change it by hand
    failed
    .git/config is protected from changes by tools; the user can change it by hand
    failed
    `folder/..` does not name a file or folder
    failed
    `x/../y` does not name a file or folder
    ");
    assert_eq!(fs::read_to_string(outside).unwrap(), "untouched");
    assert_eq!((desk.text("a.txt").as_str(), desk.text("b.txt").as_str()), ("a", "a"));
    assert!(desk.keeper.changes.lock().unwrap().is_empty());
}

#[tokio::test]
async fn nothing_changes_without_leave_or_without_being_kept() {
    let mut desk = Desk::new();
    desk.put("a.txt", "a");
    let calls = [
        json!({"action": "write", "path": "a.txt", "content": "b"}),
        json!({"action": "write", "path": "new/b.txt", "content": "b"}),
        json!({"action": "patch", "path": "a.txt", "old": "a", "new": "b"}),
        json!({"action": "create_dir", "path": "new"}),
    ];
    desk.cx.confinement = Confinement::ReadOnly;
    for call in &calls {
        let result = desk.run("code", call.clone()).await;
        assert!(result.content.contains("only allowed to read"), "{call}: {}", result.content);
    }
    desk.cx.confinement = Confinement::Workspace;
    desk.cx.keeper =
        std::sync::Arc::new(crate::support::MemoryKeeper { is_full: true, ..Default::default() });
    for call in &calls {
        let result = desk.run("code", call.clone()).await;
        assert!(result.content.contains("no space left on device"), "{call}: {}", result.content);
    }
    desk.cx.cancel.cancel();
    for call in &calls {
        assert_eq!(desk.run("code", call.clone()).await.status, CallStatus::Cancelled, "{call}");
    }
    assert_eq!((desk.names(""), desk.text("a.txt").as_str()), (vec!["a.txt".to_owned()], "a"));
}

#[tokio::test]
async fn folders() {
    let desk = Desk::new();
    desk.put("file", "");
    let first = desk.run("code", json!({"action": "create_dir", "path": "a/b"})).await;
    assert_eq!((first.summary.as_str(), first.changes.len()), ("created the folder a/b", 2));
    let again = desk.run("code", json!({"action": "create_dir", "path": "a/b"})).await;
    assert_eq!((again.status, again.changes.len()), (CallStatus::Ok, 0));
    let taken = desk.shown("code", json!({"action": "create_dir", "path": "file"})).await;
    assert_eq!(taken, "failed\nfile already exists and is a file; nothing was changed");
    assert!(desk.path("a/b").is_dir());
}

/// Content that is newer than what was stored must not be lost.
#[tokio::test]
async fn a_file_that_appears_or_changes_in_the_last_moment_is_not_replaced() {
    for existing in [None, Some("old")] {
        let desk = Desk::new();
        if let Some(content) = existing {
            desk.put("f", content);
        }
        let path = desk.path("f");
        *desk.keeper.before_change.lock().unwrap() =
            Some(Box::new(move || fs::write(path, "by hand").unwrap()));
        let result = desk.run("code", json!({"action": "write", "path": "f", "content": "new"})).await;
        assert_eq!(
            result.content,
            "f was changed by something else in this moment; nothing was changed, look at it again"
        );
        assert_eq!((desk.text("f").as_str(), desk.names("")), ("by hand", vec!["f".to_owned()]));
    }
}

/// The content decides, not the name. A file without a readable header stays a binary file.
#[tokio::test]
async fn a_picture_is_a_part_of_the_result() {
    let gif = b"GIF89a\x03\0\x02\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x01D\0;";
    let desk = Desk::new();
    desk.put("photo.txt", gif);
    let result = desk.run("code", json!({"action": "read", "path": "photo.txt"})).await;
    assert_eq!(result.status, CallStatus::Ok);
    let words = "photo.txt: GIF picture, 3 x 2 pixels";
    assert_eq!(result.summary, format!("{words}, {} bytes", gif.len()));
    let [ResultPart::Picture(part)] = result.parts.as_slice() else { panic!("{result:#?}") };
    assert_eq!((part.media_type, part.width, part.height), (PictureType::Gif, 3, 2));
    assert_eq!((part.size_bytes, part.alt.as_str(), &part.digest), (gif.len() as u64, words, &digest(gif)));
    assert_eq!(desk.keeper.blobs.lock().unwrap()[part.digest.as_str()], gif);
}

/// What a file looks like before it is written over or patched, and the bytes after that.
#[tokio::test]
async fn a_change_keeps_how_the_file_stores_its_text() {
    let utf_16 = |text: &str| -> Vec<u8> {
        format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
    };
    let write = |content: &str| json!({"action": "write", "path": "f", "content": content});
    let patch = |old: &str, new: &str| json!({"action": "patch", "path": "f", "old": old, "new": new});
    let cases = [
        (b"a\r\nb\r\n".to_vec(), write("a\nx\nb\n"), b"a\r\nx\r\nb\r\n".to_vec()),
        (b"a\nb\r\nc".to_vec(), write("a\nb\nnew\nc\n"), b"a\nb\r\nnew\r\nc".to_vec()),
        (b"\xef\xbb\xbfa\n".to_vec(), write("b\n"), b"\xef\xbb\xbfb\n".to_vec()),
        (b"\xef\xbb\xbfa\n".to_vec(), write("\u{feff}b\n"), b"\xef\xbb\xbfb\n".to_vec()),
        (utf_16("Größe\r\n"), write("Größe\n10 →\n"), utf_16("Größe\r\n10 →\r\n")),
        (utf_16("Größe\r\n"), patch("Größe", "Maß"), utf_16("Maß\r\n")),
        (
            b"Stra\xdfe f\xfcr alle\r\nM\xfcnchen\r\n".to_vec(),
            patch("München", "Köln"),
            b"Stra\xdfe f\xfcr alle\r\nK\xf6ln\r\n".to_vec(),
        ),
        (b"Stra\xdfe f\xfcr alle\n".to_vec(), write("Größe\n"), b"Gr\xf6\xdfe\n".to_vec()),
        (b"a\0\xff".to_vec(), write("Größe\n"), "Größe\n".into()),
    ];
    for (before, call, after) in cases {
        let desk = Desk::new();
        let path = desk.put("f", &before);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let result = desk.run("code", call.clone()).await;
        assert_eq!(result.status, CallStatus::Ok, "{call}: {}", result.content);
        let now = fs::read(&path).unwrap();
        assert_eq!(now, after, "{call}: {}", String::from_utf8_lossy(&now));
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o640);
    }
}

#[tokio::test]
async fn what_an_encoding_lacks_is_not_written() {
    let desk = Desk::new();
    let before = b"Stra\xdfe f\xfcr alle\n";
    let path = desk.put("f", before);
    let call = json!({"action": "write", "path": "f", "content": "→\n"});
    let told = desk.shown("code", call).await;
    assert!(told.contains("stored as windows-1252") && told.contains("iconv"), "{told}");
    assert_eq!(fs::read(path).unwrap(), before);
}

#[tokio::test]
async fn a_path_that_is_nearly_right_is_answered_with_the_right_one() {
    let mut desk = Desk::new();
    for path in [
        "tests/test_cachedmethod.py",
        "tests/integration_tests.rs",
        "src/tree/mod.rs",
        "a.txt",
        "keys.private",
    ] {
        desk.put(path, "x\n");
    }
    desk.cx.hidden = vec![desk.path("keys.private")];
    desk.cx.situation = Arc::new(Situation {
        scope: Scope {
            only_files: [
                "tests/test_cachedmethod.py",
                "tests/integration_tests.rs",
                "src/tree/mod.rs",
                "a.txt",
            ]
            .map(|path| desk.path(path).to_str().unwrap().to_owned())
            .to_vec(),
            ..Scope::default()
        },
        ..(*desk.cx.situation).clone()
    });
    desk.put("tests_of_others/x.txt", "x\n");
    let read = async |path: &str| desk.run("code", json!({"action": "read", "path": path})).await.content;
    for (path, meant) in [
        ("tests/test_cached_method.py", "tests/test_cachedmethod.py"),
        ("tests/integration.rs", "tests/integration_tests.rs"),
        ("scr/tree/mod.rs", "src/tree/mod.rs"),
        ("src/tree/mode.rs", "src/tree/mod.rs"),
    ] {
        assert_eq!(read(path).await, format!("{path} does not exist. Did you mean {meant}?"));
    }
    for path in ["b.txt", "keys.privat", "tests/other.py", "test_of_others"] {
        assert_eq!(read(path).await, format!("{path} does not exist"));
    }
}
