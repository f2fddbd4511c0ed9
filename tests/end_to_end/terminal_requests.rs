//! A request at a terminal says each thing once: the command, the parts that ask, and what the walls leave.

use crate::support::{World, shell, write};
use crate::terminal::Person;
use deputy_testkit::Turn;

const PROMPT: &str = "[?] > ";

/// A request at a terminal with 100 columns, from its heading to its prompt.
fn asked(turn: Turn) -> Vec<String> {
    let world = World::new([turn, Turn::text("Done.")]);
    world.home.write("a.txt", "one\ntwo\n").unwrap();
    for args in [&["init", "-q"][..], &["remote", "add", "origin", "https://example.org/x.git"]] {
        let mut git = std::process::Command::new("git");
        let git = git.args(args).current_dir(world.home.workspace()).env("HOME", world.home.user());
        assert!(git.status().unwrap().success());
    }
    let mut person = Person::of_width(&world, &["run", "do it"], 100);
    let shown = person.sees(PROMPT);
    // The terminal's driver makes a letter of each byte.
    let bytes: Vec<u8> = shown.chars().filter_map(|letter| u8::try_from(u32::from(letter)).ok()).collect();
    let shown = String::from_utf8_lossy(&bytes).into_owned();
    let asked = &shown[shown.find("? Approve?").unwrap()..];
    asked.lines().map(|line| line.trim_end().to_owned()).collect()
}

/// Requests had up to 15 lines around the command, which was in them up to three times, with `\n` for the ends of its lines.
#[test]
fn a_request_says_each_thing_once_in_six_lines() {
    let here_document: String = (1..=40).map(|n| format!("print('line {n}')\n")).collect();
    for (turn, first_line, lines_of_it) in [
        (
            shell("cd . && cargo test --offline 2>&1 | tail -20 && cargo test --doc"),
            "cd . && cargo test --offline 2>&1 | tail -20 && cargo test --doc",
            1,
        ),
        (shell(&format!("python3 - <<'END'\n{here_document}END")), "python3 - <<'END'", 13),
        (
            shell("for file in *.txt; do\n  sed -i 's/a/b/' \"$file\"\n  wc -l \"$file\"\ndone"),
            "for file in *.txt; do",
            4,
        ),
        (write("a.txt", "one\nthree\n"), "Write a.txt", 3),
        (shell("git push origin main"), "git push origin main", 1),
    ] {
        let lines = asked(turn);
        let shown = lines.join("\n");
        assert!(lines[0].contains("Low risk") || lines[0].contains("Medium risk"), "{shown}");
        assert!(lines.len() - lines_of_it <= 6, "{} lines:\n{shown}", lines.len() - lines_of_it);
        assert!(!shown.contains("\\n"), "{shown}");
        assert_eq!(shown.matches(first_line).count(), 1, "{shown}");
        assert!(!shown.contains('✓'), "what is allowed anyway is not listed: {shown}");
        for (place, line) in lines.iter().enumerate() {
            assert!(!lines[..place].contains(line), "twice: {line}\n{shown}");
        }
    }
}

#[test]
fn a_long_command_shows_its_ends_and_one_key_shows_it_whole() {
    let here_document: String = (1..=40).map(|n| format!("print('line {n}')\n")).collect();
    let world = World::new([shell(&format!("python3 - <<'END'\n{here_document}END")), Turn::text("Done.")]);
    let mut person = Person::of_width(&world, &["run", "do it"], 100);
    let shown = person.sees(PROMPT);
    assert!(shown.contains("line 7')") && shown.contains("line 40')"), "{shown}");
    assert!(!shown.contains("line 8')"), "{shown}");
    person.presses("v");
    let all = person.sees(PROMPT);
    assert!((1..=40).all(|n| all.contains(&format!("print('line {n}')"))), "{all}");
    assert!(all.contains("Feeds a here-document to a command."), "{all}");
    person.presses("n");
    person.sees("Why not?");
    person.types("");
    assert_eq!(person.leaves().1, 3);
}
