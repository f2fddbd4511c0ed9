//! A model's words and its changes at a terminal with colors: Markdown is set, diffs have numbers and marks.

use crate::support::{World, shell};
use crate::terminal::Person;
use deputy_testkit::Turn;
use deputy_testkit::model::SlowTurn;
use serde_json::json;

const PROMPT: &str = "[?]";

const ANSWER: &str = "# Result\n\nThe folder has **two** files, see `ls -l`:\n\n| Name | Size |\n|---|--:|\n\
                      | a.txt | 12 kB |\n| b.txt | 3 MB |\n\n1. First\n2. Second\n\n```sh\nls -l\n```\n\nThat's &#27;[2J all.";

/// What is on the screen, without what the live line drew and erased.
fn lines(shown: &str) -> Vec<String> {
    // The terminal's driver makes a letter of each byte.
    let bytes: Vec<u8> = shown.chars().filter_map(|letter| u8::try_from(u32::from(letter)).ok()).collect();
    let shown = String::from_utf8_lossy(&bytes).into_owned();
    shown.split(['\n', '\r']).map(|line| line.replace("\u{1b}[2K", "").trim_end().to_owned()).collect()
}

fn has(lines: &[String], expected: &str) {
    assert_eq!(lines.iter().filter(|line| *line == expected).count(), 1, "{expected:?} in {lines:#?}");
}

#[test]
fn an_answer_is_set_as_markdown_and_shown_the_same_afterwards() {
    // It comes slowly enough to be shown block by block.
    let slow = Turn::Slow(SlowTurn { ms_per_chunk: 30, text: ANSWER.to_owned() });
    let world = World::new([slow]);
    let mut person = Person::in_color(&world, &["run", "look"]);
    person.sees("Thinking");
    let (live, code) = person.leaves();
    assert_eq!(code, 0, "{live}");
    let (begin, end) = (live.find("Result").unwrap(), live.find("Done after 1 step").unwrap());
    assert!(begin < end, "the answer appears as it comes: {live}");
    let (later, _) = Person::in_color(&world, &["show", "last"]).leaves();
    for (shown, indent) in [(&live, ""), (&later, "  ")] {
        let lines = lines(shown);
        for expected in [
            "\u{1b}[1mResult\u{1b}[0m",
            "The folder has \u{1b}[1mtwo\u{1b}[0m files, see \u{1b}[36mls -l\u{1b}[0m:",
            "\u{1b}[1mName\u{1b}[0m    \u{1b}[1mSize\u{1b}[0m",
            "\u{1b}[2m─────  ─────\u{1b}[0m",
            "a.txt  12 kB",
            "b.txt   3 MB",
            "1. First",
            "2. Second",
            "  \u{1b}[36mls -l\u{1b}[0m",
            // An entity is no way to steer the terminal.
            "That's \\u{1b}[2J all.",
        ] {
            has(&lines, &format!("{indent}{expected}"));
        }
    }
    // The live line shows what is not complete yet as it comes; what stays has no marks.
    let marks = ["**", "```", "|---|", "# "];
    assert!(!marks.iter().any(|mark| later.contains(mark)), "{later}");
}

#[test]
fn an_answer_stays_as_it_is_without_colors_and_in_a_pipe() {
    let world = World::new([Turn::text(ANSWER), Turn::text(ANSWER)]);
    let piped = world.say(&["run", "look"]).stdout;
    let (plain, _) = Person::at(&world, &["run", "look"]).leaves();
    for shown in [piped, plain] {
        for raw in ["# Result", "**two**", "|---|--:|", "```sh", "&#27;[2J all."] {
            assert!(shown.contains(raw), "{raw:?} is missing in {shown}");
        }
        assert!(!shown.contains("\u{1b}[1m") && !shown.contains("\u{1b}[36m"), "{shown:?}");
    }
}

#[test]
fn a_diff_has_the_numbers_of_its_lines_and_marks_what_changed() {
    let world = World::new([
        Turn::call(
            "code",
            json!({"action": "patch", "path": "a.txt", "old": "the old word", "new": "the new word"}),
        ),
        shell("cat a.txt"),
        Turn::text("Done."),
    ]);
    let before: String = (1..=9).map(|n| format!("line {n}\n")).collect();
    world.home.write("a.txt", format!("{before}the old word\nend\n")).unwrap();
    let mut person = Person::in_color(&world, &["run", "patch"]);
    let lines = lines(&person.sees(PROMPT));
    for expected in [
        "    \u{1b}[2m 9  9 \u{1b}[0m\u{1b}[2m line 9\u{1b}[0m",
        "    \u{1b}[2m10    \u{1b}[0m\u{1b}[31m-the \u{1b}[0m\u{1b}[31;7mold\u{1b}[0m\u{1b}[31m word\u{1b}[0m",
        "    \u{1b}[2m   10 \u{1b}[0m\u{1b}[32m+the \u{1b}[0m\u{1b}[32;7mnew\u{1b}[0m\u{1b}[32m word\u{1b}[0m",
        "    \u{1b}[2m11 11 \u{1b}[0m\u{1b}[2m end\u{1b}[0m",
    ] {
        has(&lines, expected);
    }
    person.presses("y");
    assert_eq!(person.leaves().1, 0);
}
