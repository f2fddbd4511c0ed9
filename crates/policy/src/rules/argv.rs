//! Matches simple commands by their words.

use deputy_protocol::Decision;
use unicode_normalization::UnicodeNormalization as _;

/// The words of a command, and whether others may follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ArgvPattern {
    /// The literal words; at least one.
    pub(super) words: Vec<String>,
    /// The further words that an allowed command may have.
    pub(super) more: More,
}

/// The words after those of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum More {
    /// No further words.
    Nothing,
    /// Plain words, as remembered answers allow them; see [`is_plain`].
    Plain,
    /// Any words, as the author of the rule requested.
    Anything,
}

impl ArgvPattern {
    /// Whether the pattern covers a command. A pattern that allows is matched exactly. A pattern that denies or asks
    /// also covers further words, another path of the same program, and options before the words.
    pub(super) fn covers(&self, effect: Decision, argv: &[String]) -> bool {
        match effect {
            Decision::Allow => argv.strip_prefix(self.words.as_slice()).is_some_and(|rest| match self.more {
                More::Nothing => rest.is_empty(),
                More::Plain => rest.iter().all(|word| is_plain(word)),
                More::Anything => true,
            }),
            Decision::Ask | Decision::Deny => {
                self.covers_loosely(argv) || {
                    // A denial covers the name as a person reads it, regardless of how accents are composed.
                    let composed = |words: &[String]| words.iter().map(|word| word.nfc().collect()).collect();
                    let is_plain = |words: &[String]| words.iter().all(|word| word.is_ascii());
                    let same = Self { words: composed(&self.words), more: self.more };
                    !is_plain(argv) && !is_plain(&self.words) && same.covers_loosely(&composed(argv))
                }
            }
        }
    }

    fn covers_loosely(&self, argv: &[String]) -> bool {
        let (Some((program, wanted)), Some((first, words))) = (self.words.split_first(), argv.split_first())
        else {
            return false;
        };
        if program != first && program_name(program) != program_name(first) {
            return false;
        }
        let mut wanted = wanted.iter();
        let Some(mut next) = wanted.next() else { return true };
        let mut follows_option = false;
        for word in words {
            let is_option = word.starts_with('-');
            if word == next {
                match wanted.next() {
                    Some(word) => next = word,
                    None => return true,
                }
            } else if !is_option && !follows_option {
                return false;
            }
            follows_option = is_option;
        }
        false
    }
}

/// Whether a word is a name or a path below the folder, and cannot be an option, an assignment, an address or a path
/// out of the folder.
pub(crate) fn is_plain(word: &str) -> bool {
    let is_tame = |c: char| c.is_ascii_alphanumeric() || "_-./,+:".contains(c);
    let begins_well = word.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.');
    let is_address = word.contains("//") || word.contains(":/");
    begins_well && !is_address && word.chars().all(is_tame) && word.split('/').all(|name| name != "..")
}

/// Returns the name of a program without its folder.
fn program_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers(effect: Decision, rule: &str, command: &str) -> bool {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        ArgvPattern { words: words(rule), more: More::Nothing }.covers(effect, &words(command))
    }

    #[test]
    fn what_allows_is_taken_to_the_letter() {
        assert!(covers(Decision::Allow, "npm test", "npm test"));
        for other in ["npm test x", "npm testx", "npm", "/usr/bin/npm test", "npm --prefix /x test"] {
            assert!(!covers(Decision::Allow, "npm test", other), "{other}");
        }
    }

    #[test]
    fn what_denies_covers_options_paths_and_more_words() {
        for same in
            ["git push", "git push origin", "/usr/bin/git push", "git -c a.b=c push", "git --no-pager push"]
        {
            assert!(covers(Decision::Deny, "git push", same), "{same}");
        }
        for other in ["git log push", "gitx push", "git", "git pushx"] {
            assert!(!covers(Decision::Deny, "git push", other), "{other}");
        }
    }
}
