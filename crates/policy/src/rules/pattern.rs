//! The pattern of a rule. A pattern that allows is matched exactly. One that denies or asks also matches other letter
//! case in paths, and accents that are composed differently.

use crate::path::fold;
use deputy_messages::policy as say;
use deputy_protocol::{Decision, Phrase};
use regex::{Regex, RegexBuilder};
use unicode_normalization::UnicodeNormalization as _;

/// The maximum memory of a compiled pattern, in bytes, so that no rule makes every decision slow.
const MAX_BYTES: usize = 1 << 18;
/// The maximum nesting of a pattern.
const MAX_DEPTH: u32 = 50;

/// A regular expression that is anchored at both ends.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    exact: Regex,
    /// The pattern for folded text. `None` for a pattern that allows.
    alike: Option<Regex>,
}

impl Pattern {
    /// Compiles the pattern of a rule. `names` is whether it is matched with paths. Their case is ignored; that of a
    /// command is not, because `-x` and `-X` are different options.
    pub(super) fn compile(pattern: &str, effect: Decision, names: bool) -> Result<Self, Phrase> {
        let compile = |pattern: &str, ignore_case: bool| {
            RegexBuilder::new(&format!("^(?:{pattern})$"))
                .size_limit(MAX_BYTES)
                .dfa_size_limit(MAX_BYTES)
                .nest_limit(MAX_DEPTH)
                .case_insensitive(ignore_case)
                // A line feed in a word must not make a denial miss the word, and must not make an allowance match it.
                .dot_matches_new_line(effect != Decision::Allow)
                .build()
                .map_err(say::rule_pattern_unusable)
        };
        let composed = || pattern.nfc().collect::<String>();
        let folded = || if names { with_folded_letters(&composed()) } else { composed() };
        let alike = (effect != Decision::Allow).then(|| compile(&folded(), names)).transpose()?;
        Ok(Self { exact: compile(pattern, false)?, alike })
    }

    /// Whether the pattern covers a real path. A pattern that denies or asks is also matched with a path that is not
    /// valid UTF-8, with replacement characters.
    pub(super) fn covers_path(&self, path: &std::path::Path) -> bool {
        path.to_str().is_some_and(|path| self.exact.is_match(path))
            || self.alike.as_ref().is_some_and(|alike| alike.is_match(&fold::text(&path.to_string_lossy())))
    }

    /// Whether the pattern covers the canonical text of a command, or an origin.
    pub(super) fn covers(&self, text: &str) -> bool {
        let composed = || text.nfc().collect::<String>();
        self.exact.is_match(text)
            || !text.is_ascii() && self.alike.as_ref().is_some_and(|alike| alike.is_match(&composed()))
    }

    /// The regular expression with its anchors.
    pub(super) fn as_str(&self) -> &str {
        self.exact.as_str()
    }
}

/// Folds letters that the regex engine does not fold, such as `ß`, and keeps operators.
fn with_folded_letters(pattern: &str) -> String {
    let folded = |letter: char| match letter.is_ascii() {
        true => letter.to_string(),
        false => {
            let folded = fold::text(letter.encode_utf8(&mut [0; 4]));
            if folded.chars().all(char::is_alphanumeric) { folded } else { letter.to_string() }
        }
    };
    pattern.chars().map(folded).collect()
}
