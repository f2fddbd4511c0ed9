//! Simple commands by their words.

use deputy_protocol::Decision;

/// The words of a command, and whether others may follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ArgvPattern {
    /// The words, literally; at least one.
    pub(super) words: Vec<String>,
    /// Whether an allowed command may have more words.
    pub(super) allows_more: bool,
}

impl ArgvPattern {
    /// Whether the pattern covers a command. What allows is taken to the letter. What denies or asks covers more
    /// words, another path of the same program, and options in front of the words.
    pub(super) fn covers(&self, effect: Decision, argv: &[String]) -> bool {
        match effect {
            Decision::Allow if self.allows_more => argv.starts_with(&self.words),
            Decision::Allow => argv == self.words,
            Decision::Ask | Decision::Deny => self.covers_loosely(argv),
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

/// The name of a program without its folder.
fn program_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers(effect: Decision, rule: &str, command: &str) -> bool {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        ArgvPattern { words: words(rule), allows_more: false }.covers(effect, &words(command))
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
