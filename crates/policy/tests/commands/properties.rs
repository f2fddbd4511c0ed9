//! What holds for every text: more is never milder, quoting changes nothing, nothing panics.

use crate::cases::{Class, published};
use crate::ground::{Ground, ruling};
use deputy_protocol::Decision;
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

fn decision(text: &str) -> Decision {
    ruling(&GROUND.situation(), text).verdict.decision
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn adding_a_part_never_makes_it_milder(first in 0..500_usize, second in 0..500_usize, joint in prop::sample::select(vec!["; ", " && ", " || ", "\n", " | "])) {
        let (first, second) = (&COMMANDS[first % COMMANDS.len()], &COMMANDS[second % COMMANDS.len()]);
        // A here-document or a comment swallows what follows, and an incomplete text is completed by it.
        prop_assume!(!first.trim_end().ends_with(['&', '|', '\\']) && !first.contains("<<") && !first.contains('#') && !second.contains("cd ") && !first.contains("cd "));
        let alone = decision(first);
        let both = decision(&format!("{first}{joint}{second}"));
        prop_assert!(both >= alone.min(Decision::Ask), "{first:?} {joint:?} {second:?}: {alone:?} {both:?}");
        if alone > Decision::Allow {
            prop_assert!(both > Decision::Allow);
        }
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
    // The parser and every walk over its tree are counted, so a text that would take too long is refused.
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
