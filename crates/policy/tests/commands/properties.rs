//! Properties of every text: adding to it never makes the decision milder, quoting changes nothing, and nothing
//! panics.

use crate::cases::{Class, published};
use crate::ground::{Ground, ruling};
use deputy_protocol::{Decision, Risk};
use proptest::prelude::*;
use std::sync::LazyLock;

static GROUND: LazyLock<Ground> = LazyLock::new(Ground::ordinary);
static COMMANDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    published()
        .into_iter()
        .filter(|case| case.class != Class::Dangerous || case.command.len() < 200)
        .map(|case| GROUND.here(&case.command))
        .collect()
});

/// Commands without characters that are special to the shell. Any other spelling of their words means the same.
static PLAIN: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let plain = |c: char| c.is_ascii_alphanumeric() || " ./_-".contains(c);
    COMMANDS.iter().map(String::as_str).filter(|command| command.chars().all(plain)).collect()
});

/// Commands that the floor denies, of each kind.
const FLOORED: &[&str] = &[
    "rm -rf ~",
    "rm -rf /",
    "rm -fr \"$HOME\"/*",
    "find / -delete",
    "chmod -R 777 /etc",
    "sudo id",
    "chmod u+s run.sh",
    "dd if=/dev/zero of=/dev/sda",
    "echo x > /dev/sda",
    "env A=1 nice sudo id",
    "bash -c 'rm -rf ~'",
    "bash -c '(rm -rf ~) <<< x'",
    "xargs rm -rf ~ < a.txt",
    "cd / && rm -rf *",
    "for d in ~ /etc\ndo rm -rf $d\ndone",
    ":() { :|:& }\n:",
];

/// Compound commands and other texts around a command.
const WRAPS: &[&str] = &[
    "(COMMAND)",
    "( COMMAND\n)",
    "{ COMMAND\n}",
    "! (COMMAND)",
    "if COMMAND\nthen ls; fi",
    "if ls; then COMMAND\nfi",
    "if ls; then ls; else COMMAND\nfi",
    "if ls; then ls; elif COMMAND\nthen ls; fi",
    "while COMMAND\ndo ls; done",
    "until ls; do COMMAND\ndone",
    "for f in a b; do COMMAND\ndone",
    "for ((;;)); do COMMAND\ndone",
    "select f in a; do COMMAND\ndone",
    "case x in a|b) COMMAND\n;; esac",
    "f() { COMMAND\n}\nf",
    "function f { COMMAND\n}",
    "coproc { COMMAND\n}",
    "coproc N { COMMAND\n}",
    "time { COMMAND\n}",
    "ls && { COMMAND\n} || ls",
    "{ ls; COMMAND\n} | cat",
    "echo \"$(COMMAND)\"",
];

/// Texts that may follow them.
const REDIRECTS: &[&str] = &[
    "",
    " <<< x",
    " <<<\"a b\"",
    " < a.txt",
    " > out.txt",
    " >> out.txt",
    " 2>&1",
    " &> out.txt",
    " >| out.txt",
    " <> a.txt",
    " 3< a.txt",
    " {fd}< a.txt",
    " >&2",
    " < <(ls)",
    " > >(cat)",
    " 2>/dev/null <<< x",
    " <<< $(ls)",
    " <<E\ntext\nE\n",
    " <<-'E'\n\tit's\n\tE\n",
    " &",
];

fn decision(text: &str) -> Decision {
    ruling(&GROUND.situation(), text).verdict.decision
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if deputy_testkit::is_full() { 600 } else { 100 }, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn adding_a_part_never_makes_it_milder(first in 0..500_usize, second in 0..500_usize, joint in prop::sample::select(vec!["; ", " && ", " || ", "\n", " | "])) {
        let (first, second) = (&COMMANDS[first % COMMANDS.len()], &COMMANDS[second % COMMANDS.len()]);
        // A here-document or a comment swallows the following text, and an incomplete text is completed by it.
        prop_assume!(!first.trim_end().ends_with(['&', '|', '\\']) && !first.contains("<<") && !first.contains('#') && !second.contains("cd ") && !first.contains("cd "));
        let alone = decision(first).max(decision(second));
        let both = decision(&format!("{first}{joint}{second}"));
        prop_assert!(both >= alone, "{first:?} {joint:?} {second:?}: {alone:?} {both:?}");
    }

    #[test]
    fn a_part_of_any_kind_never_makes_it_milder(command in 0..500_usize, part in prop::sample::select(vec![
        "; ls", " | cat", " && pwd", " || true", "\nls", " &", " > x", " 2>&1", "; (", "; )", "; $(id)", "; `id`", "; ${x@P}", "; ((1))",
        "; if ls; then pwd; fi", "; while ls; do pwd; done", "; f() { ls; }", "; '", "; \"", " <<< x", "\u{200b}", "; \u{202e}ls", "; [[ a ]]",
    ]), in_front in any::<bool>()) {
        let command = &COMMANDS[command % COMMANDS.len()];
        prop_assume!(!command.contains("<<") && !command.contains('#') && !command.trim_end().ends_with(['&', '|', '\\']));
        // An open quote or bracket before the command would turn it into something else.
        let in_front = in_front && !part.contains(['\'', '"', '(', '{', '<']);
        let alone = decision(command);
        let text = if in_front { format!("{}\n{command}", part.trim_start_matches([';', ' ', '|', '&', '\n'])) } else { format!("{command}{part}") };
        let both = ruling(&GROUND.situation(), &text).verdict;
        // A character that is joined to the last word makes it a different word. This asks each time, with high risk.
        let is_another = part == "\u{200b}" && (both.decision, both.risk) == (Decision::Ask, Risk::High);
        prop_assert!(both.decision >= alone || is_another, "{command:?} with {part:?}: {alone:?} {both:?}");
    }

    #[test]
    fn what_the_floor_denies_stays_denied_in_whatever_it_is_wrapped(
        command in prop::sample::select(FLOORED.to_vec()),
        wraps in prop::collection::vec((prop::sample::select(WRAPS.to_vec()), prop::sample::select(REDIRECTS.to_vec())), 1..4),
        beside in prop::sample::select(vec!["", "ls; ", "ls | cat\n", "echo 'a b' && ", "x=1; "]),
    ) {
        prop_assert_eq!(decision(command), Decision::Deny, "{}", command);
        let wrapped = wraps.iter().fold(command.to_owned(), |text, (wrap, redirect)| {
            // A here-document begins after its line, so nothing may follow on that line.
            format!("{}{redirect}", wrap.replace("COMMAND", &text))
        });
        let text = format!("{beside}{wrapped}");
        prop_assert_eq!(decision(&text), Decision::Deny, "{}", text);
    }

    #[test]
    fn quoting_the_words_of_a_command_differently_changes_nothing(command in 0..500_usize, how in 0..4_usize) {
        let command = PLAIN[command % PLAIN.len()];
        let mut words = command.split_whitespace();
        let name = words.next().unwrap_or_default();
        let quoted: Vec<String> = words.map(|word| match how {
            0 => format!("'{word}'"),
            1 => format!("\"{word}\""),
            2 => word.chars().map(|c| format!("\\{c}")).collect(),
            _ => format!("{}''{}", &word[..word.len() / 2], &word[word.len() / 2..]),
        }).collect();
        let changed = format!("{name} {}", quoted.join(" "));
        let before = ruling(&GROUND.situation(), command).verdict;
        let after = ruling(&GROUND.situation(), &changed).verdict;
        prop_assert_eq!((before.decision, before.confinement), (after.decision, after.confinement), "{} / {}", command, changed);
        // Quoting the name of a program can conceal what a text runs, so the decision is never milder.
        prop_assert!(decision(&format!("'{name}' {}", quoted.join(" "))) >= before.decision, "'{name}' in {command}");
    }

    #[test]
    fn quoting_a_word_differently_changes_nothing(words in prop::collection::vec("[a-z./-]{1,6}", 1..4), quote in prop::sample::select(vec!['\'', '"'])) {
        let program = "grep";
        let plain = format!("{program} {}", words.join(" "));
        let quoted = format!("{program} {}", words.iter().map(|word| format!("{quote}{word}{quote}")).collect::<Vec<_>>().join(" "));
        let escaped = format!("{program} {}", words.iter().map(|word| word.chars().map(|c| format!("\\{c}")).collect::<String>()).collect::<Vec<_>>().join(" "));
        prop_assert_eq!(decision(&plain), decision(&quoted), "{} / {}", plain, quoted);
        prop_assert_eq!(decision(&plain), decision(&escaped), "{} / {}", plain, escaped);
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,80}") {
        let _ = decision(&text);
    }

    #[test]
    fn no_shell_like_text_panics(pieces in prop::collection::vec(prop::sample::select(vec!["ls", " ", "$(", ")", "`", "'", "\"", "\\", "{", "}", ",", "..", "~", "*", "[", "]", "<<EOF\n", "EOF\n", ">", "<", "|", "&", ";", "\n", "$x", "${x", "((", "))", "if", "then", "fi", "for", "do", "done", "case", "esac", "f()", "é", "\u{0}", "#", "=", "!", "$'", "-n", "/", "cd ", "git ", "find . ", "2>&1"]), 0..24)) {
        let _ = decision(&pieces.concat());
    }
}

#[test]
fn texts_as_long_as_they_may_be_are_judged_in_steps_that_grow_with_their_length() {
    // The parser and every walk over its tree are bounded, so a text that would take too long is refused.
    for piece in [
        "a", "(", "{", "$(", "`", "\"", "'", "a;", "a|", "a&&", "a b ", "{a,b}", "*", "[", "~", "\\",
        "<<A\n", "$((", "${", "a=b ", "if ", "!", "> x ", "\n", "[[ ", "f() ", "[a-z]*",
    ] {
        let text = piece.repeat(64 * 1024 / piece.len());
        assert_eq!(decision(&text).max(Decision::Ask), decision(&text), "{piece:?} was allowed");
    }
    let long = format!("echo {}", "a ".repeat(32 * 1024));
    assert!(decision(&long) >= Decision::Ask);
}
