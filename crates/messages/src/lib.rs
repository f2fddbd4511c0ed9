//! What Deputy says to people: the catalogue of messages, with a function for each.
//!
//! The English words are in `en/`, a file for each area, in the Fluent format; translations in `de/`. The build turns
//! the English into the functions here, so that a message that is not there or an argument that is missing does not
//! compile, and no catalogue is read when the program runs. A screen in another language says the message by its id and
//! arguments.

use deputy_protocol::Phrase;

include!(concat!(env!("OUT_DIR"), "/messages.rs"));

/// A message without arguments, by its id: what data such as policy's tables name. Nothing where there is no such message.
pub fn fixed(id: &str) -> Option<Phrase> {
    let at = FIXED.binary_search_by_key(&id, |(id, _)| id).ok()?;
    let (id, text) = FIXED.get(at)?;
    Some(Phrase::said(id, [], (*text).to_owned()))
}

/// Phrases as a list in one sentence: `, ` between them.
pub fn list(phrases: impl IntoIterator<Item = Phrase>) -> Phrase {
    Phrase::joined(", ", phrases)
}

/// Phrases that hold lists or commas of their own: `; ` between them.
pub fn series(phrases: impl IntoIterator<Item = Phrase>) -> Phrase {
    Phrase::joined("; ", phrases)
}

/// Sentences one after the other.
pub fn sentences(phrases: impl IntoIterator<Item = Phrase>) -> Phrase {
    Phrase::joined(" ", phrases)
}
