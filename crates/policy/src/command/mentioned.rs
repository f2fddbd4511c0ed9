//! Finds protected places in code on a command line, so that the request names them before the command runs into its
//! walls. Nothing rests on this: the walls keep these places closed however they are written.

use super::paths::from_tilde;
use crate::Situation;
use crate::path::{self, Walled};
use deputy_messages::policy as say;
use deputy_protocol::Phrase;
use std::path::Path;

/// The maximum number of words that are looked up.
const MOST_WORDS: usize = 256;

/// Returns the reason if a text names a secret, or a file from which other programs run code. A text that runs in the
/// folder `cwd` may name it in any language, so each word that looks like a path counts.
pub(crate) fn mentioned(situation: &Situation, cwd: &Path, text: &str) -> Option<Phrase> {
    let home = situation.home.to_string_lossy();
    let text = text.replace("${HOME}", &home).replace("$HOME", &home);
    let is_of_a_path = |c: char| c.is_alphanumeric() || "_-./~+@".contains(c);
    let looks_like_a_path = |word: &&str| word.len() > 1 && (word.contains('/') || word.starts_with('.'));
    let walled = Walled::of(situation);
    let mut words = text.split(|c| !is_of_a_path(c)).filter(looks_like_a_path).take(MOST_WORDS);
    words.find_map(|word| {
        let real = path::real(situation, cwd, &from_tilde(situation, word))?;
        let reason = walled.secret(&real).or_else(|| walled.starts_programs(&real, false))?;
        Some(say::touches(reason, crate::shell::characters::escaped(word)))
    })
}
