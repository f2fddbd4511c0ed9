//! File selection: conditions, order, the part that is shown, and totals by type.

use crate::support::{Desk, set_date};
use deputy_protocol::CallStatus;
use serde_json::{Value, json};

fn desk() -> Desk {
    let desk = Desk::new();
    for (below, bytes, date) in [
        ("photos/Müller.JPG", 3_000, "2024-07-01"),
        ("photos/sea.png", 9_000, "2025-07-01"),
        ("photos/Screenshot 2026-01-01.png", 100, "2026-01-01"),
        ("docs/invoice.pdf", 5_000, "2025-02-01"),
        ("docs/draft invoice.pdf", 500, "2026-02-01"),
        ("docs/notes.txt", 20, "2026-02-02"),
        ("docs/empty.txt", 0, "2026-02-03"),
        ("docs/backup.tar.gz", 40, "2026-02-04"),
        ("top.txt", 7, "2023-01-01"),
    ] {
        let text =
            if bytes > 0 { format!("{below} ").repeat(bytes)[..bytes].to_owned() } else { String::new() };
        set_date(&desk.put(below, text), date);
    }
    std::fs::create_dir(desk.path("hollow")).unwrap();
    std::fs::create_dir_all(desk.path("nested/inner")).unwrap();
    std::fs::create_dir(desk.path("holds hidden")).unwrap();
    desk.put("holds hidden/.keep", "");
    desk
}

async fn found(desk: &Desk, mut call: Value) -> Vec<String> {
    call["action"] = json!("find");
    let result = desk.run("search", call.clone()).await;
    assert_eq!(result.status, CallStatus::Ok, "{call}: {}", result.content);
    let lines: Vec<&str> = result.content.lines().collect();
    lines[..lines.len() - 1].iter().map(|line| (*line).to_owned()).collect()
}

#[tokio::test]
async fn conditions_are_joined_by_and_or_and_not() {
    let desk = desk();
    let cases: Vec<(Value, Vec<&str>)> = vec![
        (json!({"extension": "jpg, .PNG", "min_bytes": 1000}), vec!["photos/Müller.JPG", "photos/sea.png"]),
        (json!({"extension": "tar.gz"}), vec!["docs/backup.tar.gz"]),
        (
            json!({"types": ["image"], "none": [{"types": ["screenshot"]}]}),
            vec!["photos/Müller.JPG", "photos/sea.png"],
        ),
        (
            json!({"any": [{"extension": "pdf", "max_bytes": 1000}, {"pattern": "*sea*"}]}),
            vec!["docs/draft invoice.pdf", "photos/sea.png"],
        ),
        (json!({"extension": "pdf", "none": [{"pattern": "*draft*"}]}), vec!["docs/invoice.pdf"]),
        // In upper case, and with `ü` as `u` with a combining mark.
        (json!({"pattern": "MU\u{308}LLER*"}), vec!["photos/Müller.JPG"]),
        (json!({"empty": true}), vec!["docs/empty.txt", "hollow/", "nested/inner/"]),
        (json!({"empty": true, "kind": "folder"}), vec!["hollow/", "nested/inner/"]),
        (json!({"kind": "file", "depth": 1}), vec!["top.txt"]),
        (json!({"kind": "file", "any": [{"depth": 1}, {"empty": true}]}), vec!["docs/empty.txt", "top.txt"]),
        (json!({"text": "TOP.TXT"}), vec!["top.txt"]),
        (json!({"extension": "txt", "none": [{"text": "notes"}]}), vec!["docs/empty.txt", "top.txt"]),
    ];
    for (call, wanted) in cases {
        assert_eq!(found(&desk, call.clone()).await, wanted, "{call}");
    }
}

#[tokio::test]
async fn the_biggest_files_are_one_call_with_sizes_and_dates() {
    let desk = desk();
    let call = json!({"action": "find", "kind": "file", "sort": "largest", "limit": 2, "offset": 1});
    let result = desk.run("search", call).await;
    let lines: Vec<Vec<&str>> = result.content.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines[0][..3], ["docs/invoice.pdf", "file", "5000"]);
    assert_eq!(lines[1][..3], ["photos/Müller.JPG", "file", "3000"]);
    assert!(lines[0][3].starts_with("2025-02-01T") && lines[0][3].len() == 19, "{lines:?}");
    let summary = "9 files, 17.7 KB; 2 to 3 of 9 shown; 1 hidden or ignored";
    assert_eq!(result.summary, summary);
    assert!(
        result.content.ends_with(&format!("\n{summary}; 17667 bytes")),
        "programs add up: {}",
        result.content
    );
    for (order, first) in
        [("newest", "docs/backup.tar.gz"), ("oldest", "top.txt"), ("smallest", "docs/empty.txt")]
    {
        let lines = found(&desk, json!({"kind": "file", "sort": order, "limit": 1})).await;
        assert!(lines.len() == 1 && lines[0].starts_with(first), "{order}: {lines:?}");
    }
    let names = found(&desk, json!({"kind": "file", "sort": "name", "path": "photos"})).await;
    assert!(names[0].contains("ller.JPG") && names[1].contains("Screenshot") && names[2].contains("sea"));
}

#[tokio::test]
async fn a_long_list_is_paged_and_every_row_is_counted() {
    let desk = Desk::new();
    for number in 0..3_000 {
        desk.put(&format!("f{number:04}"), "x".repeat(number % 7));
    }
    let mut seen = Vec::new();
    loop {
        let call = json!({"action": "find", "sort": "name", "offset": seen.len(), "limit": 1_000});
        let result = desk.run("search", call).await;
        let rows: Vec<&str> = result.content.lines().filter(|line| line.contains('\t')).collect();
        let (first, last) = (seen.len() + 1, (seen.len() + 1_000).min(3_000));
        let window = if first == 1 { format!("{last}") } else { format!("{first} to {last}") };
        assert!(result.summary.ends_with(&format!("; {window} of 3000 shown")), "{}", result.summary);
        // Rows that did not fit are counted as well.
        let more = format!("... and {} more", last + 1 - first - rows.len());
        assert!(result.content.contains(&more), "{}", result.content);
        seen.extend(rows.iter().map(|row| row.split('\t').next().unwrap().to_owned()));
        if last == 3_000 {
            break;
        }
    }
    let wanted: Vec<String> = (0..seen.len()).map(|number| format!("f{number:04}")).collect();
    assert_eq!(seen, wanted);
}

#[tokio::test]
async fn sums_by_type_extension_year_and_tag() {
    let desk = desk();
    let sums = async |by: &str, conditions: Value| {
        let call = json!({"action": "usage", "by": by, "where": conditions});
        let result = desk.run("search", call).await;
        assert_eq!(result.status, CallStatus::Ok, "{}", result.content);
        let lines: Vec<String> = result.content.lines().map(str::to_owned).collect();
        lines[..lines.len() - 1].join("; ")
    };
    assert_eq!(
        sums("type", json!({})).await,
        "12100\t3\timage; 5527\t5\tdocument; 40\t1\tarchive; 0\t1\tother"
    );
    assert_eq!(sums("extension", json!({"types": ["image"]})).await, "9100\t2\tpng; 3000\t1\tjpg");
    assert_eq!(
        sums("year", json!({"extension": "pdf,txt"})).await,
        "7\t1\t2023; 5000\t1\t2025; 520\t3\t2026"
    );
    assert_eq!(sums("month", json!({"types": ["screenshot"]})).await, "100\t1\t2026-01");
    let tagged = desk.path("top.txt");
    let flags = rustix::fs::XattrFlags::empty();
    if rustix::fs::setxattr(&tagged, "user.xdg.tags", b"work,later", flags).is_ok() {
        assert_eq!(sums("tag", json!({})).await, "7\t1\tlater; 7\t1\twork");
        assert_eq!(found(&desk, json!({"tags": ["later", "never"]})).await, ["top.txt"]);
    }
}

#[tokio::test]
async fn conditions_that_do_not_fit_are_named() {
    let desk = desk();
    for (call, named) in [
        (json!({"min_bytes": "many"}), "min_bytes"),
        (json!({"newer_than": "yesterday"}), "newer_than"),
        (json!({"none": [{"name": "x"}]}), "none"),
        (json!({"any": [{"hidden": true}]}), "any"),
        (json!({"sizes": 5}), "sizes"),
        (json!({"text": ""}), "text"),
    ] {
        let mut whole = call.clone();
        whole["action"] = json!("find");
        let error = desk.facts("search", whole).unwrap_err().to_string();
        assert!(error.contains(named), "{call}: {error}");
    }
    let mut deep = json!({});
    for _ in 0..20 {
        deep = json!({"none": [deep]});
    }
    deep["action"] = json!("find");
    assert!(desk.facts("search", deep).unwrap_err().to_string().contains("too deep"));
}

#[tokio::test]
async fn only_conditions_on_the_text_need_reading() {
    let desk = desk();
    let accesses =
        |call: Value| serde_json::to_string(&desk.facts("search", call).unwrap().accesses).unwrap();
    assert!(!accesses(json!({"action": "find", "extension": "pdf"})).contains("\"read\""));
    let inside = json!({"action": "usage", "where": {"none": [{"text": "x"}]}});
    assert!(accesses(inside).contains("\"read\""));
}

#[tokio::test]
async fn grep_gives_whole_words_and_files_and_duplicates_take_conditions() {
    let desk = desk();
    desk.put("a.md", "cat\n");
    desk.put("b.md", "concatenate\ncat cat\n");
    desk.put("copy.md", "cat\n");
    let call = json!({"action": "grep", "pattern": "cat", "words": true, "files_only": true, "where": {"extension": "md"}});
    let result = desk.run("search", call).await;
    assert_eq!(result.content, "a.md\nb.md\ncopy.md\n3 matches in 3 of 3 files; 1 hidden or ignored");
    let twins = json!({"action": "duplicates", "where": {"none": [{"pattern": "copy*"}], "extension": "md"}});
    assert!(desk.run("search", twins).await.summary.starts_with("0 groups"));
}
