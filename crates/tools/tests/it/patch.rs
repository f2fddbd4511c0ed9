//! `code` patch: replaces an exact piece, or fails with a hint where to look.

use crate::support::Desk;
use deputy_protocol::CallStatus;
use serde_json::json;

#[tokio::test]
async fn patching() {
    // (before, old, new, replace_all, after)
    let cases = [
        ("a\nb\nc\n", "b", "B", false, "a\nB\nc\n"),
        ("a\nb\nc\n", "b\n", "", false, "a\nc\n"),
        ("x x x", "x", "y", true, "y y y"),
        ("one\r\ntwo\r\nthree\r\n", "two\nthree", "2\n3", false, "one\r\n2\r\n3\r\n"),
        // New lines follow the line before them, also where a piece has no line end itself.
        ("one\r\ntwo\r\n", "two", "two\nthree", false, "one\r\ntwo\r\nthree\r\n"),
        ("one\r\ntwo\nthree\r\n", "two", "two\nnew", false, "one\r\ntwo\nnew\nthree\r\n"),
        ("one\ntwo\r\nthree\n", "two\n", "two\nnew\n", false, "one\ntwo\r\nnew\r\nthree\n"),
        ("a\r\nb\na\r\nb\n", "a\nb", "a\nx\nb", true, "a\r\nx\r\nb\na\r\nx\r\nb\n"),
        ("a\nb\r\n\nc", "c", "c\nd", false, "a\nb\r\n\nc\nd"),
        ("a\r\nb\r\n", "a\r\nb\r\n", "a\nb\n", false, "a\nb\n"),
        ("a\nb\n", "a\n", "a\r\n", false, "a\r\nb\n"),
        ("\u{feff}one\r\ntwo\r\n", "one\n", "1\n1b\n", false, "\u{feff}1\r\n1b\r\ntwo\r\n"),
        ("ä ö", "ö", "ü", false, "ä ü"),
        ("$1 \\n", "$1 \\n", "$2 \\t", false, "$2 \\t"),
    ];
    for (before, old, new, replace_all, after) in cases {
        let desk = Desk::new();
        desk.put("f", before);
        let call =
            json!({"action": "patch", "path": "f", "old": old, "new": new, "replace_all": replace_all});
        let result = desk.run("code", call).await;
        assert_eq!((result.status, desk.text("f").as_str()), (CallStatus::Ok, after), "{}", result.content);
        assert_eq!(result.changes.len(), 1);
        assert!(result.content.lines().count() == 1 && result.content.contains('f'), "{}", result.content);
    }
}

#[tokio::test]
async fn a_patch_that_does_not_apply_says_why() {
    let desk = Desk::new();
    desk.put("code.rs", "fn a() {\n    one();\n    two();\n}\n\nfn b() {\n    one();\n}\n");
    desk.put("many", "x\n".repeat(50));
    desk.put("latin1", b"un caf\xe9 noir");
    desk.put("binary", b"a\0\xff");
    let cases = [
        ("code.rs", "one();", "first();"),
        ("code.rs", "three();", "3();"),
        ("code.rs", "6\tfn b() {\n7\t    one();", "fn b() {\n    1();"),
        ("code.rs", "one();\ntwo();", "both();"),
        ("many", "x", "y"),
        ("latin1", "noir", "\u{2192}"),
        ("binary", "a", "b"),
        ("missing", "a", "b"),
    ];
    let mut told = String::new();
    for (path, old, new) in cases {
        let call = json!({"action": "patch", "path": path, "old": old, "new": new});
        told.push_str(&desk.shown("code", call).await);
        told.push('\n');
    }
    insta::assert_snapshot!(told, @"
    failed
    `old_string` occurs 2 times in code.rs, on lines 2, 7; nothing was changed. Give more of the lines around it, or set replace_all
    failed
    `old_string` does not occur in code.rs; nothing was changed. Read the file again
    failed
    `old_string` does not occur in code.rs; nothing was changed. The number and the tab before each line are not part of the file: leave them out
    failed
    `old_string` does not occur in code.rs; nothing was changed. With other whitespace it is on line 2: copy it exactly from there
    failed
    `old_string` occurs 50 times in many, on lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, ...; nothing was changed. Give more of the lines around it, or set replace_all
    failed
    latin1 is stored as windows-1252, which does not have the character `→`; nothing was changed. Write it without that character, or convert the file first: iconv -f windows-1252 -t UTF-8
    failed
    binary is not text, or its encoding is not known, so it is not patched
    failed
    missing does not exist
    ");
    assert!(desk.keeper.changes.lock().unwrap().is_empty());
}

/// What was stored must be what was patched, or undo would restore something else.
#[tokio::test]
async fn a_file_that_changes_meanwhile_is_not_patched() {
    let desk = Desk::new();
    let path = desk.put("f", "old");
    // The second call finds the file as it read it. Only the keeper sees other content.
    struct Swap(std::sync::Arc<crate::support::MemoryKeeper>, std::path::PathBuf);
    #[async_trait::async_trait]
    impl deputy_tools::Keeper for Swap {
        async fn keep(
            &self,
            path: &std::path::Path,
            after: deputy_protocol::FileState,
        ) -> Result<deputy_protocol::FileChange, deputy_tools::KeepError> {
            std::fs::write(&self.1, "changed by someone").unwrap();
            deputy_tools::Keeper::keep(self.0.as_ref(), path, after).await
        }

        fn keep_blob(&self, content: &[u8]) -> Result<deputy_protocol::KeptFile, deputy_tools::KeepError> {
            self.0.keep_blob(content)
        }
    }
    let mut cx = desk.cx.clone();
    cx.keeper = std::sync::Arc::new(Swap(desk.keeper.clone(), path));
    let call = json!({"action": "patch", "path": "f", "old": "old", "new": "new"});
    let result = deputy_tools::Registry::standard().get("code").unwrap().run(&call, &cx).await;
    assert!(result.content.contains("changed while it was being patched"), "{}", result.content);
    assert_eq!((desk.text("f").as_str(), desk.names("")), ("changed by someone", vec!["f".to_owned()]));
}
