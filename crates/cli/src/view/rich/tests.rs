//! Tests of Markdown in a terminal.

use super::*;

/// Returns the shown text with tags for its styles.
fn shown(text: &str, columns: usize) -> String {
    let mut lines = Vec::new();
    for (place, block) in blocks(text, columns).into_iter().enumerate() {
        if place > 0 && block.is_apart {
            lines.push(String::new());
        }
        lines.extend(block.lines);
    }
    let text = lines.join("\n");
    let marked = text.replace("\u{1b}[1m", "<b>").replace("\u{1b}[3m", "<i>").replace("\u{1b}[36m", "<c>");
    marked.replace("\u{1b}[2m", "<q>").replace("\u{1b}[4m", "<u>").replace("\u{1b}[0m", "</>")
}

#[test]
fn blocks_are_set_apart_as_in_the_source() {
    for (text, expected) in [
        ("# Result\nAll **good**, *mostly*.", "<b>Result</>\nAll <b>good</>, <i>mostly</>."),
        ("Files:\n- a\n- b `c d`\n\nEnd", "Files:\n• a\n• b <c>c d</>\n\nEnd"),
        ("3. three\n4. four\n   - inner\n     text", "3. three\n4. four\n   • inner text"),
        ("- one\n\n  more\n\n- two", "• one\n\n  more\n\n• two"),
        ("- [x] done\n- [ ] open", "• [x] done\n• [ ] open"),
        ("> quoted\n> text", "<q>│</> quoted text"),
        ("a  \nb", "a\nb"),
        ("```rust\nfn a() {\n\n    b\n}\n```\nnext", "  <c>fn a() {</>\n\n  <c>    b</>\n  <c>}</>\nnext"),
        (
            "see [the page](https://a.example/x) now",
            "see <u>the</> <u>page</> <q>(https://a.example/x)</> now",
        ),
        ("<https://a.example/x>", "<u>https://a.example/x</>"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        ("a <b>bold</b> word", "a <b>bold</b> word"),
        ("**a `b` c**", "<b>a</> \u{1b}[1;36mb</> <b>c</>"),
    ] {
        assert_eq!(shown(text, 60), expected, "{text:?}");
    }
}

#[test]
fn lines_fit_into_the_width_below_their_own_text() {
    assert_eq!(
        shown("- one two three four five six\n- seven", 20),
        "• one two three four\n  five six\n• seven"
    );
    assert_eq!(shown("日本日本日本 日本日本日本 日本", 20), "日本日本日本\n日本日本日本 日本");
    assert!(widest_line("> 1. one two three four five six seven eight nine", 24) <= 24);
}

/// Returns the width of the widest line of a text that is wrapped to the columns.
fn widest_line(text: &str, columns: usize) -> usize {
    let lines = blocks(text, columns).into_iter().flat_map(|block| block.lines);
    lines.map(|line| width(&line)).max().unwrap_or_default()
}

#[test]
fn a_table_has_columns_and_becomes_a_list_where_there_is_no_room() {
    let table = "| Name | Size |\n|---|--:|\n| a.txt | 12 kB |\n| long name.txt | 3 MB |";
    assert_eq!(
        shown(table, 60),
        "<b>Name</>            <b>Size</>\n<q>─────────────  ─────</>\na.txt          12 kB\nlong name.txt   3 MB"
    );
    let wide = "| What | Why |\n|---|---|\n| one two three four five | six seven eight nine ten |";
    assert!(widest_line(wide, 30) <= 30);
    let fitted = shown(wide, 30);
    assert!(fitted.contains("one two three   six seven"), "{fitted}");
    let many = "|A|B|C|\n|---|---|---|\n| one two three | four five six | seven eight |";
    assert_eq!(shown(many, 20), "<b>A</>: one two three\n<b>B</>: four five six\n<b>C</>: seven eight");
}

#[test]
fn what_steers_a_terminal_is_written_out_however_it_comes() {
    for text in [
        "a&#27;[2Jb",
        "`\u{1b}[2J`",
        "```\n\u{1b}[2J\n```",
        "[a](x&#27;)",
        "|a&#x1b;|\n|---|\n|&#x202e;|",
        "<b\u{9b}x>",
    ] {
        let lines: Vec<String> = blocks(text, 60).into_iter().flat_map(|block| block.lines).collect();
        let bare = console::strip_ansi_codes(&lines.join("\n")).into_owned();
        assert!(!bare.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{bare:?}");
        assert!(bare.contains("\\u{"), "{bare:?}");
    }
}

#[test]
fn a_block_is_complete_once_nothing_can_change_it() {
    let complete = |text: &str| blocks(text, 60).last().is_some_and(|block| block.is_closed);
    assert!(complete("# Title\n") && complete("Text.\n\n"));
    assert!(
        !complete("Text.\n")
            && !complete("- item\n")
            && !complete("| a |\n|---|\n")
            && !complete("```\ncode\n")
    );
    // A block always ends at the end of a line.
    let text = "One\ntwo.\n\n- a\n- b\n\n```\nc\n```\n";
    let ends: Vec<&str> = blocks(text, 60).iter().map(|block| &text[..block.end]).collect();
    assert_eq!(ends, ["One\ntwo.\n", "One\ntwo.\n\n- a\n", "One\ntwo.\n\n- a\n- b\n", text]);
}
